//! Derivatives of vectors and scalars along directions of motion and time.

use super::{Direction, Geometry, Scalar, ScalarNode, Vector, VectorNode};
use crate::expr::Id;
use crate::formula::Elementary;
use crate::model::Group;

impl Geometry<'_> {
    /// Derivative of a vector along a direction.
    pub(crate) fn vector_derivative(&mut self, v: Vector, along: &Direction) -> Vector {
        match self.vectors[v.0].clone() {
            VectorNode::Fixed(components) => {
                let rates = components.map(|component| self.rate_of(component, along));
                self.fixed(rates)
            }
            VectorNode::Position(body) => {
                let Some((_, shift)) = along.bodies.get(&body).copied() else {
                    return self.zero();
                };
                match self.model.body(body).group {
                    Group::So3 | Group::S3 => self.zero(),
                    group if group.is_semidirect() => self.rotated(Some(body), shift),
                    _ => shift,
                }
            }
            VectorNode::Rotated(body, a) => {
                let mut change = self.vector_derivative(a, along);
                if let Some((turn, _)) = along.bodies.get(&body).copied() {
                    let swing = self.cross(turn, a);
                    change = self.add(swing, change);
                }
                self.rotated(Some(body), change)
            }
            VectorNode::RotatedBack(body, a) => {
                let change = self.vector_derivative(a, along);
                let change = self.rotated_back(Some(body), change);
                if let Some((turn, _)) = along.bodies.get(&body).copied() {
                    let swing = self.cross(v, turn);
                    return self.add(swing, change);
                }
                change
            }
            VectorNode::Sum(terms) => {
                let mut changes = Vec::new();
                for (factor, term) in terms {
                    let slope = self.scalar_derivative(factor, along);
                    let change = self.vector_derivative(term, along);
                    changes.push((slope, term));
                    changes.push((factor, change));
                }
                self.combination(changes)
            }
            VectorNode::Cross(a, b) => {
                let (da, db) = (
                    self.vector_derivative(a, along),
                    self.vector_derivative(b, along),
                );
                let (x, y) = (self.cross(da, b), self.cross(a, db));
                self.add(x, y)
            }
        }
    }

    /// Derivative of a scalar along a direction.
    pub(crate) fn scalar_derivative(&mut self, s: Scalar, along: &Direction) -> Scalar {
        let one = self.constant_number(1.0);
        match self.scalars[s.0].clone() {
            ScalarNode::Fixed(value) => {
                let rate = self.rate_of(value, along);
                self.number(rate)
            }
            ScalarNode::Dot(a, b) => {
                let (da, db) = (
                    self.vector_derivative(a, along),
                    self.vector_derivative(b, along),
                );
                let (x, y) = (self.dot(da, b), self.dot(a, db));
                self.sum(vec![(one, x), (one, y)])
            }
            ScalarNode::Sum(terms) => {
                let mut changes = Vec::new();
                for (factor, term) in terms {
                    let slope = self.scalar_derivative(factor, along);
                    let change = self.scalar_derivative(term, along);
                    changes.push((slope, term));
                    changes.push((factor, change));
                }
                self.sum(changes)
            }
            ScalarNode::Product(a, b) => {
                let (da, db) = (
                    self.scalar_derivative(a, along),
                    self.scalar_derivative(b, along),
                );
                self.sum(vec![(da, b), (a, db)])
            }
            ScalarNode::Quotient(a, b) => {
                // (da - (a / b) db) / b
                let (da, db) = (
                    self.scalar_derivative(a, along),
                    self.scalar_derivative(b, along),
                );
                let minus = self.constant_number(-1.0);
                let change = self.product(s, db);
                let numerator = self.sum(vec![(one, da), (minus, change)]);
                self.quotient(numerator, b)
            }
            ScalarNode::Call(function, a) => {
                let da = self.scalar_derivative(a, along);
                if da == self.constant_number(0.0) {
                    return da;
                }
                let slope = self.slope(function, s, a);
                self.product(slope, da)
            }
            ScalarNode::Atan2(y, x) => self.turn_rate(y, x, along),
            ScalarNode::Angle(joint) => {
                let joint = self.model.joint(joint);
                if self.joints_hold {
                    return self.rate_about_axis(joint, along);
                }
                let (sine, cosine) = self.sine_and_cosine(joint);
                self.turn_rate(sine, cosine, along)
            }
            ScalarNode::Mode(body, component) => {
                let rate = along.modes.get(&(body, component)).copied();
                let rate = rate.unwrap_or_else(|| self.graph.zero());
                self.number(rate)
            }
            ScalarNode::Select([left, right, a, b]) => {
                let (da, db) = (
                    self.scalar_derivative(a, along),
                    self.scalar_derivative(b, along),
                );
                self.select([left, right, da, db])
            }
        }
    }

    /// Rate of `atan2(y, x)`: `(x y' - y x') / (x^2 + y^2)`.
    fn turn_rate(&mut self, y: Scalar, x: Scalar, along: &Direction) -> Scalar {
        let (dy, dx) = (
            self.scalar_derivative(y, along),
            self.scalar_derivative(x, along),
        );
        let (one, minus) = (self.constant_number(1.0), self.constant_number(-1.0));
        let (up, down) = (self.product(x, dy), self.product(y, dx));
        let change = self.sum(vec![(one, up), (minus, down)]);
        let square = self.sum(vec![(x, x), (y, y)]);
        self.quotient(change, square)
    }

    /// Rate of an expression that does not depend on the configuration.
    fn rate_of(&mut self, value: Id, along: &Direction) -> Id {
        if !along.time {
            return self.graph.zero();
        }
        let one = self.graph.one();
        let rate = self
            .graph
            .derivative(&[value], &|input| (input.array == "t").then_some(one));
        rate[0]
    }

    /// `f'(a)`, with `value = f(a)` at hand.
    pub(super) fn slope(&mut self, function: Elementary, value: Scalar, a: Scalar) -> Scalar {
        let (one, minus) = (self.constant_number(1.0), self.constant_number(-1.0));
        match function {
            Elementary::Sqrt => {
                let half = self.constant_number(0.5);
                self.quotient(half, value)
            }
            Elementary::Sin => self.call(Elementary::Cos, a),
            Elementary::Cos => {
                let sine = self.call(Elementary::Sin, a);
                self.product(minus, sine)
            }
            Elementary::Tan => self.sum(vec![(one, one), (value, value)]),
            Elementary::Asin | Elementary::Acos => {
                let square = self.product(a, a);
                let rest = self.sum(vec![(one, one), (minus, square)]);
                let root = self.call(Elementary::Sqrt, rest);
                let sign = if function == Elementary::Asin {
                    one
                } else {
                    minus
                };
                self.quotient(sign, root)
            }
            Elementary::Atan => {
                let sum = self.sum(vec![(one, one), (a, a)]);
                self.quotient(one, sum)
            }
            Elementary::Exp => value,
            Elementary::Ln => self.quotient(one, a),
            Elementary::Tanh => {
                let square = self.product(value, value);
                self.sum(vec![(one, one), (minus, square)])
            }
            Elementary::Abs => {
                let zero = self.constant_number(0.0);
                self.select([a, zero, minus, one])
            }
        }
    }
}
