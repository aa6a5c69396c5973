//! Constants collected: every sum as a linear combination.
//!
//! `w2 (J3 w3) - w3 (J2 w2)` is `(J3 - J2) (w2 w3)`, and a constant factor of a sum
//! is multiplied into the factors of its terms. Sums that are shared are taken apart
//! as often as they are used, so the result may also be longer: the shorter of
//! both is kept.

use super::hash::FastMap;
use super::{Graph, Id, Node};

/// `sum_i c_i x_i` with different `x_i`, none of which has a constant factor.
type Combination = Vec<(f64, Id)>;

impl Graph {
    /// The same values with constants collected, if that takes fewer operations.
    pub(crate) fn shorter(&mut self, outputs: &[Id]) -> Vec<Id> {
        let mut done = FastMap::default();
        let collected: Vec<Id> = outputs
            .iter()
            .map(|id| {
                let sum = self.combination(*id, &mut done);
                self.written(&sum)
            })
            .collect();
        if self.operations(&collected) < self.operations(outputs) {
            collected
        } else {
            outputs.to_vec()
        }
    }

    fn combination(&mut self, id: Id, done: &mut FastMap<Id, Combination>) -> Combination {
        if let Some(known) = done.get(&id) {
            return known.clone();
        }
        let result = match self.node(id) {
            Node::Constant(bits) => vec![(f64::from_bits(bits), self.one())],
            Node::Input(_) => vec![(1.0, id)],
            Node::Neg(a) => scaled(-1.0, &self.combination(a, done)),
            Node::Add(a, b) => merged(&self.combination(a, done), 1.0, &self.combination(b, done)),
            Node::Sub(a, b) => merged(&self.combination(a, done), -1.0, &self.combination(b, done)),
            Node::Mul(a, b) => {
                let (a, b) = (self.combination(a, done), self.combination(b, done));
                self.product(&a, &b)
            }
            Node::Div(a, b) => {
                let (a, b) = (self.combination(a, done), self.combination(b, done));
                let ((x, a), (y, b)) = (self.single(&a), self.single(&b));
                vec![(x / y, self.div(a, b))]
            }
            Node::Call(function, a) => {
                let a = self.combination(a, done);
                let a = self.written(&a);
                vec![(1.0, self.call(function, a))]
            }
            node @ (Node::Elementary(..)
            | Node::Atan2(..)
            | Node::Nearest(..)
            | Node::Select(..)) => {
                let operands: Vec<Id> = self.operands(id).collect();
                let operands: Vec<Id> = operands
                    .into_iter()
                    .map(|operand| {
                        let operand = self.combination(operand, done);
                        self.written(&operand)
                    })
                    .collect();
                vec![(1.0, self.rebuild(node, &operands))]
            }
        };
        done.insert(id, result.clone());
        result
    }

    fn product(&mut self, a: &Combination, b: &Combination) -> Combination {
        let one = self.one();
        for (x, y) in [(a, b), (b, a)] {
            if let [(c, id)] = x[..]
                && id == one
            {
                return scaled(c, y);
            }
        }
        let ((x, a), (y, b)) = (self.single(a), self.single(b));
        if self.is_zero(a) || self.is_zero(b) {
            return Vec::new();
        }
        vec![(x * y, self.mul(a, b))]
    }

    /// One term with the same value.
    fn single(&mut self, sum: &Combination) -> (f64, Id) {
        let Some((first, _)) = sum.first() else {
            return (1.0, self.zero());
        };
        let scale = first.abs();
        if sum.iter().any(|(c, _)| c.abs() != scale) {
            return (1.0, self.written(sum));
        }
        (scale, self.written(&scaled(1.0 / scale, sum)))
    }

    fn written(&mut self, sum: &Combination) -> Id {
        let Some((first, _)) = sum.first() else {
            return self.zero();
        };
        let scale = first.abs();
        let common = sum.len() > 1 && sum.iter().all(|(c, _)| c.abs() == scale);
        let mut total = self.zero();
        for (c, x) in sum {
            let factor = self.constant(if common { c.signum() } else { *c });
            let term = self.mul(factor, *x);
            total = self.add(total, term);
        }
        if common {
            let scale = self.constant(scale);
            total = self.mul(scale, total);
        }
        total
    }
}

fn scaled(factor: f64, sum: &Combination) -> Combination {
    sum.iter().map(|(c, x)| (factor * c, *x)).collect()
}

/// `a + factor b`.
fn merged(a: &Combination, factor: f64, b: &Combination) -> Combination {
    let mut sum = a.clone();
    for (c, x) in b {
        if let Some(term) = sum.iter_mut().find(|(_, y)| y == x) {
            term.0 += factor * c;
        } else {
            sum.push((factor * c, *x));
        }
    }
    sum.retain(|(c, _)| *c != 0.0);
    sum
}
