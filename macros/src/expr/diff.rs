//! Directional derivatives, one line per operation.

use super::hash::FastMap;
use super::{Function, Graph, Id, Input, Node};

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
}
