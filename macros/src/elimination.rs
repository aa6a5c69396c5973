//! Gaussian elimination on expressions, in an order that keeps the fill low.
//!
//! The order is found on the pattern alone: among the unknowns that may be next,
//! the one whose elimination makes the fewest new entries (Markowitz), the first
//! of them if there are several. Multipliers wait until all velocities that their
//! constraint contains are eliminated; before that, their pivots are zero or small.
//! There is no pivoting at run time: every pivot is compared with the numbers that
//! it is a difference of.

use crate::expr::{Graph, Id};

/// A square matrix of expressions, by rows.
pub(crate) type Matrix = Vec<Vec<Id>>;

/// A pivot.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pivot {
    /// Unknown that it belongs to.
    pub(crate) unknown: usize,
    pub(crate) value: Id,
    /// What it is compared with: a term that was subtracted from it.
    pub(crate) scale: Id,
}

/// A factored matrix.
#[derive(Debug)]
pub(crate) struct Elimination {
    /// Unknowns in the order of their elimination.
    order: Vec<usize>,
    /// Factors in that order, with inverse pivots on the diagonal.
    pub(crate) factors: Matrix,
    pub(crate) pivots: Vec<Pivot>,
}

impl Elimination {
    /// Factors a matrix whose unknowns from `free` on are multipliers.
    pub(crate) fn new(g: &mut Graph, a: &Matrix, free: usize) -> Self {
        let order = order(g, a, free);
        let mut a: Matrix = order
            .iter()
            .map(|i| order.iter().map(|j| a[*i][*j]).collect())
            .collect();
        let n = a.len();
        let mut pivots = Vec::new();
        for k in 0..n {
            let value = a[k][k];
            let before = (0..k)
                .rev()
                .find(|j| !g.is_zero(a[*j][k]) && !g.is_zero(a[k][*j]));
            let scale = before.map_or(value, |j| g.mul(a[k][j], a[j][k]));
            pivots.push(Pivot {
                unknown: order[k],
                value,
                scale,
            });
            let one = g.one();
            let inverse = g.div(one, value);
            a[k][k] = inverse;
            for i in k + 1..n {
                if g.is_zero(a[i][k]) {
                    continue;
                }
                let multiplier = g.mul(a[i][k], inverse);
                a[i][k] = multiplier;
                for j in k + 1..n {
                    let product = g.mul(multiplier, a[k][j]);
                    a[i][j] = g.sub(a[i][j], product);
                }
            }
        }
        Self {
            order,
            factors: a,
            pivots,
        }
    }

    /// Forward and backward substitution with given factors, in the order of the unknowns.
    pub(crate) fn substitute(&self, g: &mut Graph, factors: &Matrix, right: &[Id]) -> Vec<Id> {
        let n = factors.len();
        let mut x: Vec<Id> = self.order.iter().map(|i| right[*i]).collect();
        for i in 0..n {
            for j in 0..i {
                let product = g.mul(factors[i][j], x[j]);
                x[i] = g.sub(x[i], product);
            }
        }
        for i in (0..n).rev() {
            for j in i + 1..n {
                let product = g.mul(factors[i][j], x[j]);
                x[i] = g.sub(x[i], product);
            }
            x[i] = g.mul(factors[i][i], x[i]);
        }
        let mut solution = right.to_vec();
        for (x, i) in x.into_iter().zip(&self.order) {
            solution[*i] = x;
        }
        solution
    }
}

/// The order of elimination.
fn order(g: &Graph, a: &Matrix, free: usize) -> Vec<usize> {
    let n = a.len();
    let mut filled: Vec<Vec<bool>> = a
        .iter()
        .map(|row| row.iter().map(|entry| !g.is_zero(*entry)).collect())
        .collect();
    let mut left: Vec<usize> = (0..n).collect();
    let mut order = Vec::new();
    while !left.is_empty() {
        let ready = |i: usize| {
            filled[i][i] && (i < free || left.iter().all(|j| *j >= free || !filled[i][*j]))
        };
        let cost = |i: usize| {
            let row = left.iter().filter(|j| **j != i && filled[i][**j]).count();
            let column = left.iter().filter(|j| **j != i && filled[**j][i]).count();
            row * column
        };
        let next = left
            .iter()
            .copied()
            .filter(|i| ready(*i))
            .min_by_key(|i| cost(*i))
            .unwrap_or(left[0]);
        left.retain(|i| *i != next);
        for i in &left {
            for j in &left {
                filled[*i][*j] |= filled[*i][next] && filled[next][*j];
            }
        }
        order.push(next);
    }
    order
}
