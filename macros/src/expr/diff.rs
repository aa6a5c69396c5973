//! Directional derivatives, one line per operation.

use super::hash::FastMap;
use super::{Function, Graph, Id, Input, Node};
use crate::formula::Elementary;

impl Graph {
    /// Derivatives of the outputs when the inputs move with the given rates
    /// (`None`: fixed).
    pub(crate) fn derivative(
        &mut self,
        outputs: &[Id],
        rate: &dyn Fn(Input) -> Option<Id>,
    ) -> Vec<Id> {
        let mut done = FastMap::default();
        outputs
            .iter()
            .map(|id| self.derivative_of(*id, rate, &mut done))
            .collect()
    }

    fn derivative_of(
        &mut self,
        id: Id,
        rate: &dyn Fn(Input) -> Option<Id>,
        done: &mut FastMap<Id, Id>,
    ) -> Id {
        if let Some(id) = done.get(&id) {
            return *id;
        }
        let mut d = |graph: &mut Self, id| graph.derivative_of(id, rate, done);
        let result = match self.node(id) {
            Node::Constant(_) => self.zero(),
            Node::Input(input) => rate(input).unwrap_or_else(|| self.zero()),
            Node::Neg(a) => {
                let a = d(self, a);
                self.neg(a)
            }
            Node::Add(a, b) => {
                let (a, b) = (d(self, a), d(self, b));
                self.add(a, b)
            }
            Node::Sub(a, b) => {
                let (a, b) = (d(self, a), d(self, b));
                self.sub(a, b)
            }
            Node::Mul(a, b) => {
                let (da, db) = (d(self, a), d(self, b));
                let (x, y) = (self.mul(da, b), self.mul(a, db));
                self.add(x, y)
            }
            Node::Div(a, b) => {
                let (da, db) = (d(self, a), d(self, b));
                let change = self.mul(id, db);
                let numerator = self.sub(da, change);
                self.div(numerator, b)
            }
            Node::Call(function, a) => {
                let da = d(self, a);
                if self.is_zero(da) {
                    da
                } else {
                    let slope = self.slope(function, a);
                    self.mul(slope, da)
                }
            }
            Node::Elementary(function, a) => {
                let da = d(self, a);
                if self.is_zero(da) {
                    da
                } else {
                    let slope = self.elementary_slope(function, a);
                    self.mul(slope, da)
                }
            }
            Node::Atan2(y, x) => {
                // (x dy - y dx) / (x^2 + y^2)
                let (dy, dx) = (d(self, y), d(self, x));
                let (a, b) = (self.mul(x, dy), self.mul(y, dx));
                let change = self.sub(a, b);
                let square = self.dot(&[x, y], &[x, y]);
                self.div(change, square)
            }
            Node::Nearest(a, _) => d(self, a),
            Node::Select(left, right, a, b) => {
                let (a, b) = (d(self, a), d(self, b));
                self.select(left, right, a, b)
            }
        };
        done.insert(id, result);
        result
    }

    /// `f'(a)`. For the coefficient functions `df/ds = (1/2) (1/w) df/dw`.
    fn slope(&mut self, function: Function, a: Id) -> Id {
        let half = self.constant(0.5);
        let minus_half = self.constant(-0.5);
        match function {
            Function::Cosine => {
                let f = self.call(Function::Sinc, a);
                self.mul(minus_half, f)
            }
            Function::Sinc => {
                let (x, y) = (
                    self.call(Function::SineDefect, a),
                    self.call(Function::Cosc, a),
                );
                let f = self.sub(x, y);
                self.mul(half, f)
            }
            Function::Cosc => {
                let f = self.call(Function::CoscSlope, a);
                self.mul(minus_half, f)
            }
            Function::SineDefect => {
                let f = self.call(Function::SineDefectSlope, a);
                self.mul(minus_half, f)
            }
            Function::CotDefect => {
                let f = self.call(Function::CotDefectSlope, a);
                self.mul(half, f)
            }
            Function::CoscSlope | Function::SineDefectSlope | Function::CotDefectSlope => {
                unreachable!("no kernel differentiates a coefficient function twice")
            }
        }
    }

    fn elementary_slope(&mut self, function: Elementary, a: Id) -> Id {
        let one = self.one();
        let call = |graph: &mut Self, function| graph.elementary(function, a);
        match function {
            Elementary::Sqrt => {
                let (half, root) = (self.constant(0.5), call(self, Elementary::Sqrt));
                self.div(half, root)
            }
            Elementary::Sin => call(self, Elementary::Cos),
            Elementary::Cos => {
                let sine = call(self, Elementary::Sin);
                self.neg(sine)
            }
            Elementary::Tan => {
                let tangent = call(self, Elementary::Tan);
                let square = self.mul(tangent, tangent);
                self.add(one, square)
            }
            Elementary::Asin | Elementary::Acos => {
                let square = self.mul(a, a);
                let rest = self.sub(one, square);
                let root = self.elementary(Elementary::Sqrt, rest);
                let slope = self.div(one, root);
                if function == Elementary::Asin {
                    slope
                } else {
                    self.neg(slope)
                }
            }
            Elementary::Atan => {
                let square = self.mul(a, a);
                let sum = self.add(one, square);
                self.div(one, sum)
            }
            Elementary::Exp => call(self, Elementary::Exp),
            Elementary::Ln => self.div(one, a),
            Elementary::Tanh => {
                let value = call(self, Elementary::Tanh);
                let square = self.mul(value, value);
                self.sub(one, square)
            }
            Elementary::Abs => {
                let (zero, minus) = (self.zero(), self.constant(-1.0));
                self.select(a, zero, minus, one)
            }
        }
    }
}
