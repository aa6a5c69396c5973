//! Scalar formulas as a user writes them: numbers, parameters, time and the motion.
//!
//! A formula without leaves is folded to a number when it is made, so that what is
//! known when the macro runs is a [`Formula::Number`].

use std::rc::Rc;

use crate::model::{BodyId, JointId};

/// A quantity of a body, with its axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BodyQuantity {
    /// Origin of the body frame in the inertial frame, or a modal coordinate.
    Position,
    /// Its velocity in the inertial frame, or the rate of a modal coordinate.
    Velocity,
    /// Angular velocity in body axes.
    AngularVelocity,
}

/// A quantity of a joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum JointQuantity {
    Angle,
    AngleRate,
    Displacement,
    DisplacementRate,
}

/// Functions of one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Elementary {
    Sqrt,
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Exp,
    Ln,
    Tanh,
    Abs,
}

impl Elementary {
    /// Name in formulas, and of the method of `f64`.
    pub(crate) const NAMED: [(&'static str, Self); 11] = [
        ("sqrt", Self::Sqrt),
        ("sin", Self::Sin),
        ("cos", Self::Cos),
        ("tan", Self::Tan),
        ("asin", Self::Asin),
        ("acos", Self::Acos),
        ("atan", Self::Atan),
        ("exp", Self::Exp),
        ("ln", Self::Ln),
        ("tanh", Self::Tanh),
        ("abs", Self::Abs),
    ];

    pub(crate) fn name(self) -> &'static str {
        let named = Self::NAMED.iter().find(|(_, function)| *function == self);
        named.map_or("abs", |(name, _)| name)
    }

    pub(crate) fn value(self, x: f64) -> f64 {
        match self {
            Self::Sqrt => x.sqrt(),
            Self::Sin => x.sin(),
            Self::Cos => x.cos(),
            Self::Tan => x.tan(),
            Self::Asin => x.asin(),
            Self::Acos => x.acos(),
            Self::Atan => x.atan(),
            Self::Exp => x.exp(),
            Self::Ln => x.ln(),
            Self::Tanh => x.tanh(),
            Self::Abs => x.abs(),
        }
    }
}

/// What a formula is made of besides numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Leaf {
    /// A parameter, by its place in the model.
    Parameter(usize),
    /// A constant outside of the model, by its place in the model.
    Outside(usize),
    Time,
    Body(BodyId, BodyQuantity, usize),
    Joint(JointId, JointQuantity),
}

/// Operations on two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operation {
    Add,
    Sub,
    Mul,
    Div,
    Atan2,
}

/// A scalar formula.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Formula {
    Number(f64),
    Leaf(Leaf),
    Neg(Rc<Formula>),
    Binary(Operation, Rc<Formula>, Rc<Formula>),
    Call(Elementary, Rc<Formula>),
    /// `[left, right, below, otherwise]`: `below` where left < right.
    Select(Rc<[Formula; 4]>),
}

/// Three formulas, the components of a vector.
pub(crate) type Formula3 = [Formula; 3];

impl From<f64> for Formula {
    fn from(value: f64) -> Self {
        Self::Number(value)
    }
}

impl Formula {
    /// The number, if it is known.
    pub(crate) fn value(&self) -> Option<f64> {
        match self {
            Self::Number(x) => Some(*x),
            _ => None,
        }
    }

    pub(crate) fn is_zero(&self) -> bool {
        self.value() == Some(0.0)
    }

    pub(crate) fn neg(&self) -> Self {
        match self {
            Self::Number(x) => Self::Number(-x),
            Self::Neg(x) => (**x).clone(),
            _ => Self::Neg(Rc::new(self.clone())),
        }
    }

    pub(crate) fn binary(operation: Operation, a: &Self, b: &Self) -> Self {
        if let (Self::Number(x), Self::Number(y)) = (a, b) {
            return Self::Number(apply(operation, *x, *y));
        }
        match operation {
            Operation::Add if a.is_zero() => b.clone(),
            Operation::Add | Operation::Sub if b.is_zero() => a.clone(),
            Operation::Sub if a.is_zero() => b.neg(),
            Operation::Mul if a.is_zero() || b.is_zero() => Self::Number(0.0),
            Operation::Mul if a.value() == Some(1.0) => b.clone(),
            Operation::Mul | Operation::Div if b.value() == Some(1.0) => a.clone(),
            Operation::Div if a.is_zero() => Self::Number(0.0),
            _ => Self::Binary(operation, Rc::new(a.clone()), Rc::new(b.clone())),
        }
    }

    pub(crate) fn add(&self, other: &Self) -> Self {
        Self::binary(Operation::Add, self, other)
    }

    pub(crate) fn sub(&self, other: &Self) -> Self {
        Self::binary(Operation::Sub, self, other)
    }

    pub(crate) fn mul(&self, other: &Self) -> Self {
        Self::binary(Operation::Mul, self, other)
    }

    pub(crate) fn div(&self, other: &Self) -> Self {
        Self::binary(Operation::Div, self, other)
    }

    pub(crate) fn call(function: Elementary, a: &Self) -> Self {
        match a {
            Self::Number(x) => Self::Number(function.value(*x)),
            _ => Self::Call(function, Rc::new(a.clone())),
        }
    }

    pub(crate) fn select(parts: [Self; 4]) -> Self {
        match (&parts[0], &parts[1]) {
            (Self::Number(l), Self::Number(r)) => parts[if l < r { 2 } else { 3 }].clone(),
            _ => Self::Select(Rc::new(parts)),
        }
    }

    /// Whether there are no more numbers, leaves and operations than are left: what is shared counts
    /// wherever it is written.
    pub(crate) fn is_within(&self, left: &mut usize) -> bool {
        let Some(less) = left.checked_sub(1) else {
            return false;
        };
        *left = less;
        match self {
            Self::Number(_) | Self::Leaf(_) => true,
            Self::Neg(a) | Self::Call(_, a) => a.is_within(left),
            Self::Binary(_, a, b) => a.is_within(left) && b.is_within(left),
            Self::Select(parts) => parts.iter().all(|part| part.is_within(left)),
        }
    }

    /// Visits every leaf.
    pub(crate) fn leaves(&self, visit: &mut dyn FnMut(Leaf)) {
        match self {
            Self::Number(_) => {}
            Self::Leaf(leaf) => visit(*leaf),
            Self::Neg(a) | Self::Call(_, a) => a.leaves(visit),
            Self::Binary(_, a, b) => {
                a.leaves(visit);
                b.leaves(visit);
            }
            Self::Select(parts) => parts.iter().for_each(|part| part.leaves(visit)),
        }
    }

    /// The formula at `t = 0`.
    pub(crate) fn at_time_zero(&self) -> Self {
        match self {
            Self::Leaf(Leaf::Time) => Self::Number(0.0),
            Self::Number(_) | Self::Leaf(_) => self.clone(),
            Self::Neg(a) => a.at_time_zero().neg(),
            Self::Binary(operation, a, b) => {
                Self::binary(*operation, &a.at_time_zero(), &b.at_time_zero())
            }
            Self::Call(function, a) => Self::call(*function, &a.at_time_zero()),
            Self::Select(parts) => Self::select(core::array::from_fn(|i| parts[i].at_time_zero())),
        }
    }

    /// The number that the formula has when its leaves have given values.
    pub(crate) fn evaluate(&self, leaf: &dyn Fn(Leaf) -> Option<f64>) -> Option<f64> {
        Some(match self {
            Self::Number(x) => *x,
            Self::Leaf(x) => leaf(*x)?,
            Self::Neg(a) => -a.evaluate(leaf)?,
            Self::Binary(operation, a, b) => {
                apply(*operation, a.evaluate(leaf)?, b.evaluate(leaf)?)
            }
            Self::Call(function, a) => function.value(a.evaluate(leaf)?),
            Self::Select(parts) => {
                let below = parts[0].evaluate(leaf)? < parts[1].evaluate(leaf)?;
                parts[if below { 2 } else { 3 }].evaluate(leaf)?
            }
        })
    }
}

fn apply(operation: Operation, x: f64, y: f64) -> f64 {
    match operation {
        Operation::Add => x + y,
        Operation::Sub => x - y,
        Operation::Mul => x * y,
        Operation::Div => x / y,
        Operation::Atan2 => x.atan2(y),
    }
}

/// `a - b`, component by component.
pub(crate) fn sub3(a: &Formula3, b: &Formula3) -> Formula3 {
    core::array::from_fn(|i| a[i].sub(&b[i]))
}

/// `A a` with known rows.
pub(crate) fn rotate3(rows: &[[f64; 3]; 3], a: &Formula3) -> Formula3 {
    rows.map(|row| {
        (0..3).fold(Formula::Number(0.0), |sum, j| {
            sum.add(&Formula::Number(row[j]).mul(&a[j]))
        })
    })
}

/// Known components as formulas.
pub(crate) fn fixed3(a: [f64; 3]) -> Formula3 {
    a.map(Formula::Number)
}

#[cfg(test)]
mod tests;
