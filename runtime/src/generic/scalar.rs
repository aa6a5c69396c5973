//! A formula with its names resolved: value, gradient, time derivative.
//!
//! The formula is a tree over time and *leaves*, the quantities that it reads:
//! `s = f(t, l_1, ..., l_n)`. By the chain rule
//!
//! ```text
//! D_q s = sum_k df/dl_k D_q l_k        D_v s = sum_k df/dl_k D_v l_k
//! ```
//!
//! where `df/dl_k` comes from one evaluation in dual numbers for each leaf, and the
//! rows `D_q l_k`, `D_v l_k` are known in closed form:
//!
//! | leaf                              | `D_q` at fixed body twists | `D_v`          |
//! |-----------------------------------|----------------------------|----------------|
//! | position, `e . x`                 | `(0, R^T e)`               | 0              |
//! | velocity, `e . R U`               | `(U x R^T e, 0)`           | `(0, R^T e)`   |
//! | angular velocity, `e . Omega`     | 0                          | `(e, 0)`       |
//! | modal coordinate `x_k`            | `e_k`                      | 0              |
//! | its rate                          | 0                          | `e_k`          |
//! | coordinate `x` of a joint         | `D_q x`                    | 0              |
//! | its rate `(D_q x) v`              | `D_q((D_q x) v)`           | `D_q x`        |
//!
//! Derivatives by time are trees again: the second one is needed by drivers.

use super::assembly::{Element, Snapshot};
use super::constraint::Row;
use super::formula::{BodyQuantity, Formula, Function};
use super::modal::modal_unit;
use super::{GenericSystem, pose_of};
use crate::real::{Dual, Real};
use nalgebra::{Vector3, Vector6};

/// A formula whose leaves have numbers.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Tree {
    Number(f64),
    Time,
    Leaf(usize),
    Sum(Box<Tree>, Box<Tree>),
    Difference(Box<Tree>, Box<Tree>),
    Product(Box<Tree>, Box<Tree>),
    Quotient(Box<Tree>, Box<Tree>),
    Call(Function, Box<Tree>),
    Atan2(Box<Tree>, Box<Tree>),
    /// `[left, right, below, otherwise]`.
    Select(Box<[Tree; 4]>),
}

/// A formula reads what it must not read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unresolved;

use Tree::{Difference, Number, Product, Quotient, Sum};

fn call(function: Function, x: Tree) -> Tree {
    Tree::Call(function, Box::new(x))
}

/// Operations that keep constants out of derivatives.
fn add(a: Tree, b: Tree) -> Tree {
    match (a, b) {
        (Number(0.0), x) | (x, Number(0.0)) => x,
        (a, b) => Sum(Box::new(a), Box::new(b)),
    }
}

fn sub(a: Tree, b: Tree) -> Tree {
    match (a, b) {
        (x, Number(0.0)) => x,
        (a, b) => Difference(Box::new(a), Box::new(b)),
    }
}

fn mul(a: Tree, b: Tree) -> Tree {
    match (a, b) {
        (Number(0.0), _) | (_, Number(0.0)) => Number(0.0),
        (Number(1.0), x) | (x, Number(1.0)) => x,
        (a, b) => Product(Box::new(a), Box::new(b)),
    }
}

fn div(a: Tree, b: Tree) -> Tree {
    match (a, b) {
        (Number(0.0), _) => Number(0.0),
        (a, b) => Quotient(Box::new(a), Box::new(b)),
    }
}

fn square(x: &Tree) -> Tree {
    mul(x.clone(), x.clone())
}

impl Tree {
    /// Resolves the quantities of bodies and joints to numbers of leaves.
    pub(super) fn new<E>(
        formula: &Formula,
        resolve: &mut impl FnMut(&Formula) -> Result<usize, E>,
    ) -> Result<Self, E> {
        let mut of = |x: &Formula| Self::new(x, resolve).map(Box::new);
        Ok(match formula {
            Formula::Number(value) => Number(*value),
            Formula::Time => Self::Time,
            Formula::Body { .. } | Formula::Joint { .. } => Self::Leaf(resolve(formula)?),
            Formula::Neg(a) => Difference(Box::new(Number(0.0)), of(a)?),
            Formula::Add(a, b) => Sum(of(a)?, of(b)?),
            Formula::Sub(a, b) => Difference(of(a)?, of(b)?),
            Formula::Mul(a, b) => Product(of(a)?, of(b)?),
            Formula::Div(a, b) => Quotient(of(a)?, of(b)?),
            Formula::Call(f, a) => Self::Call(*f, of(a)?),
            Formula::Atan2(y, x) => Self::Atan2(of(y)?, of(x)?),
            Formula::Select {
                left,
                right,
                below,
                otherwise,
            } => Self::Select(Box::new([
                *of(left)?,
                *of(right)?,
                *of(below)?,
                *of(otherwise)?,
            ])),
        })
    }

    /// The value, with any scalar.
    pub(super) fn evaluate<R: Real>(&self, t: f64, leaf: &impl Fn(usize) -> R) -> R {
        let of = |x: &Self| x.evaluate(t, leaf);
        match self {
            Number(value) => R::from_f64(*value),
            Self::Time => R::from_f64(t),
            Self::Leaf(k) => leaf(*k),
            Sum(a, b) => of(a) + of(b),
            Difference(a, b) => of(a) - of(b),
            Product(a, b) => of(a) * of(b),
            Quotient(a, b) => of(a) / of(b),
            Self::Call(function, a) => function.apply(of(a)),
            Self::Atan2(y, x) => of(y).atan2(of(x)),
            Self::Select(parts) => {
                let [left, right, below, otherwise] = &**parts;
                if of(left).value() < of(right).value() {
                    of(below)
                } else {
                    of(otherwise)
                }
            }
        }
    }

    /// Whether the formula reads neither time nor leaves.
    fn is_constant(&self) -> bool {
        match self {
            Number(_) => true,
            Self::Time | Self::Leaf(_) => false,
            Sum(a, b) | Difference(a, b) | Product(a, b) | Quotient(a, b) | Self::Atan2(a, b) => {
                a.is_constant() && b.is_constant()
            }
            Self::Call(_, a) => a.is_constant(),
            Self::Select(parts) => parts.iter().all(Self::is_constant),
        }
    }

    /// The derivative by time at fixed leaves.
    pub(super) fn time_derivative(&self) -> Self {
        let d = |x: &Self| x.time_derivative();
        let (one, half) = (Number(1.0), Number(0.5));
        match self {
            Number(_) | Self::Leaf(_) => Number(0.0),
            Self::Time => one,
            Sum(a, b) => add(d(a), d(b)),
            Difference(a, b) => sub(d(a), d(b)),
            Product(a, b) => add(mul(d(a), (**b).clone()), mul((**a).clone(), d(b))),
            // a' / b - a / b b' / b
            Quotient(a, b) => {
                let shrink = div(mul(self.clone(), d(b)), (**b).clone());
                sub(div(d(a), (**b).clone()), shrink)
            }
            // (x y' - y x') / (x^2 + y^2)
            Self::Atan2(y, x) => {
                let turn = sub(mul((**x).clone(), d(y)), mul((**y).clone(), d(x)));
                div(turn, add(square(x), square(y)))
            }
            Self::Select(parts) => {
                let [left, right, below, otherwise] = &**parts;
                let (left, right) = (left.clone(), right.clone());
                Self::Select(Box::new([left, right, d(below), d(otherwise)]))
            }
            Self::Call(function, a) => {
                let x = (**a).clone();
                let slope = match function {
                    Function::Sqrt => div(half, self.clone()),
                    Function::Sin => call(Function::Cos, x),
                    Function::Cos => sub(Number(0.0), call(Function::Sin, x)),
                    Function::Tan => add(one, square(self)),
                    Function::Asin => div(one, circle(&x)),
                    Function::Acos => div(Number(-1.0), circle(&x)),
                    Function::Atan => div(one.clone(), add(one, square(&x))),
                    Function::Exp => self.clone(),
                    Function::Ln => div(one, x),
                    Function::Tanh => sub(one, square(self)),
                    Function::Abs => sign(&x),
                };
                mul(slope, d(a))
            }
        }
    }
}

/// `-1`, `0` or `1`.
fn sign(x: &Tree) -> Tree {
    let zero = Number(0.0);
    let select =
        |left, right, below, otherwise| Tree::Select(Box::new([left, right, below, otherwise]));
    let from_zero = select(zero.clone(), x.clone(), Number(1.0), zero.clone());
    select(x.clone(), zero, Number(-1.0), from_zero)
}

/// `sqrt(1 - x^2)`.
fn circle(x: &Tree) -> Tree {
    call(Function::Sqrt, sub(Number(1.0), square(x)))
}

/// What a formula reads.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Leaf {
    Body {
        body: usize,
        quantity: BodyQuantity,
        axis: usize,
    },
    /// A modal coordinate of a body.
    Mode {
        body: usize,
        component: usize,
        rate: bool,
    },
    /// By the place in the list of coordinates.
    Joint { coordinate: usize, rate: bool },
}

/// A resolved formula with its leaves.
#[derive(Clone, Debug)]
pub(super) struct Scalar {
    tree: Tree,
    leaves: Vec<Leaf>,
}

impl Scalar {
    pub(super) fn new(tree: Tree, leaves: Vec<Leaf>) -> Self {
        Self { tree, leaves }
    }

    /// The number, if the formula reads neither time nor motion.
    pub(super) fn constant(&self) -> Option<f64> {
        self.tree.is_constant().then(|| self.at_time(f64::NAN))
    }

    /// A formula of time: its derivative.
    pub(super) fn rate(&self) -> Self {
        Self::new(self.tree.time_derivative(), self.leaves.clone())
    }

    /// The value of a formula of time.
    pub(super) fn at_time(&self, t: f64) -> f64 {
        self.tree.evaluate(t, &|_| f64::NAN)
    }

    #[inline]
    pub(super) fn value<R: Real>(&self, system: &GenericSystem, at: &Snapshot<'_, R>) -> R {
        self.tree
            .evaluate(at.t, &|k| system.leaf_value(&self.leaves[k], at))
    }

    /// Calls `sink(element, D_q, D_v)` for each leaf, in group coordinates and already
    /// multiplied by the derivative of the formula.
    pub(super) fn each_gradient(
        &self,
        system: &GenericSystem,
        at: &Snapshot<'_>,
        mut sink: impl FnMut(Element, &Row, &Row),
    ) {
        for (k, leaf) in self.leaves.iter().enumerate() {
            let seeded = |i: usize| {
                let value = system.leaf_value(&self.leaves[i], at);
                Dual::new(value, if i == k { 1.0 } else { 0.0 })
            };
            let slope = self.tree.evaluate(at.t, &seeded).slope;
            let (element, by_q, by_v) = system.leaf_gradient(leaf, at);
            sink(element, &(by_q * slope), &(by_v * slope));
        }
    }
}

impl GenericSystem {
    fn leaf_value<R: Real>(&self, leaf: &Leaf, at: &Snapshot<'_, R>) -> R {
        match *leaf {
            Leaf::Body {
                body,
                quantity,
                axis,
            } => {
                let pose = &at.poses[body];
                let twist = self.bodies[body].twist(pose, at.v);
                match quantity {
                    BodyQuantity::Position => pose.position[axis],
                    BodyQuantity::Velocity => (pose.rotation * twist.fixed_rows::<3>(3))[axis],
                    BodyQuantity::AngularVelocity => twist[axis],
                }
            }
            Leaf::Mode {
                body,
                component,
                rate,
            } => {
                if rate {
                    at.v[self.bodies[body].velocity.start + component]
                } else {
                    self.modes_of(body, at.modes)[component]
                }
            }
            Leaf::Joint { coordinate, rate } => {
                let coordinate = &self.coordinates[coordinate];
                let relative = at.relative(coordinate.element);
                if rate {
                    let twist = self.pair_twist(coordinate.element, at.poses, at.v);
                    coordinate.row(&relative).dot(&twist)
                } else {
                    coordinate.value(&relative, at.turns)
                }
            }
        }
    }

    /// `(element, D_q l, D_v l)` in group coordinates.
    fn leaf_gradient(&self, leaf: &Leaf, at: &Snapshot<'_>) -> (Element, Row, Row) {
        let zero = Row::zeros();
        match *leaf {
            Leaf::Body {
                body,
                quantity,
                axis,
            } => {
                let element = Element::between(None, Some(body));
                let pose = pose_of(at.poses, Some(body));
                let unit = Vector3::ith(axis, 1.0);
                let n = pose.rotation.tr_mul(&unit);
                let at_origin = second_side(&Vector3::zeros(), &n);
                let twist = self.pair_twist(element, at.poses, at.v);
                let speed = twist.fixed_rows::<3>(9).into_owned();
                let to_group = |row: &Row| self.row_to_group(element, at.poses, row);
                match quantity {
                    BodyQuantity::Position => (element, to_group(&at_origin), zero),
                    BodyQuantity::Velocity => {
                        let slope = second_side(&speed.cross(&n), &Vector3::zeros());
                        let slope = self.slope_to_group(element, at, &at_origin, &slope);
                        (element, slope, to_group(&at_origin))
                    }
                    BodyQuantity::AngularVelocity => {
                        let row = second_side(&unit, &Vector3::zeros());
                        (element, zero, to_group(&row))
                    }
                }
            }
            Leaf::Mode {
                body,
                component,
                rate,
            } => {
                let element = Element::modal(body, component);
                let unit = modal_unit();
                if rate {
                    (element, zero, unit)
                } else {
                    (element, unit, zero)
                }
            }
            Leaf::Joint { coordinate, rate } => {
                let coordinate = &self.coordinates[coordinate];
                let element = coordinate.element;
                let relative = at.relative(element);
                if rate {
                    let twist = self.pair_twist(element, at.poses, at.v);
                    let row = coordinate.row(&relative);
                    let slope = coordinate.row_derivative(&relative, &twist);
                    let slope = self.slope_to_group(element, at, &row, &slope);
                    (element, slope, self.row_to_group(element, at.poses, &row))
                } else {
                    let gradient = coordinate.gradient(&relative);
                    (
                        element,
                        self.row_to_group(element, at.poses, &gradient),
                        zero,
                    )
                }
            }
        }
    }
}

/// A row over the twist of the second body alone.
pub(super) fn second_side<R: Real>(rotation: &Vector3<R>, translation: &Vector3<R>) -> Row<R> {
    let mut row = Row::zeros();
    let side = Vector6::from_fn(|i, _| {
        if i < 3 {
            rotation[i]
        } else {
            translation[i - 3]
        }
    });
    row.fixed_rows_mut::<6>(6).copy_from(&side);
    row
}

#[cfg(test)]
mod tests;
