//! Gaussian elimination on expressions, in an order that is found beforehand.
//!
//! At run time there is no choice of pivots: a number that a pivot is a difference of is divided
//! by it, and the growth must stay small.

mod order;
mod tail;

use crate::expr::{Graph, Id, Node};
use order::{Entry, Pivots};
use tail::Tail;

/// A square matrix of expressions, by rows.
pub(crate) type Matrix = Vec<Vec<Id>>;

/// Values of a matrix.
pub(crate) type Sample = Vec<Vec<f64>>;

/// One step of the elimination.
#[derive(Clone, Copy, Debug)]
struct Step {
    row: usize,
    column: usize,
    inverse: Id,
    /// Whether the row was divided by the pivot, else the column was.
    row_scaled: bool,
}

/// A factored matrix.
#[derive(Debug)]
pub(crate) struct Elimination {
    steps: Vec<Step>,
    /// The last three unknowns, if they are found together.
    tail: Option<Tail>,
    /// Rows and columns of the factors, where the matrix had them.
    factors: Matrix,
    /// For each pivot that may be lost: a number that it is a difference of, divided by it.
    pub(crate) growth: Vec<Id>,
}

impl Elimination {
    /// Of any regular matrix.
    pub(crate) fn new(g: &mut Graph, a: &Matrix, samples: &[Sample]) -> Self {
        Self::with(g, a, samples, Pivots::Anywhere)
    }

    /// Of a matrix that is nearly symmetric and positive definite: pivots on the diagonal are not
    /// lost, so that the last three unknowns can be found together.
    pub(crate) fn definite(g: &mut Graph, a: &Matrix, samples: &[Sample]) -> Self {
        Self::with(g, a, samples, Pivots::OnTheDiagonal)
    }

    fn with(g: &mut Graph, a: &Matrix, samples: &[Sample], pivots: Pivots) -> Self {
        let n = a.len();
        let mut a = a.clone();
        let structure: Vec<Vec<Entry>> = a
            .iter()
            .map(|row| row.iter().map(|x| entry(g, *x)).collect())
            .collect();
        let (mut rows, mut columns): (Vec<usize>, Vec<usize>) =
            ((0..n).collect(), (0..n).collect());
        let (mut steps, mut growth) = (Vec::new(), Vec::new());
        let mut terms = a.clone();
        let mut tail = None;
        let order = order::best(&structure, samples, pivots);
        for (k, &(row, column)) in order.iter().enumerate() {
            if let [first, second, third] = order[k..]
                && pivots == Pivots::OnTheDiagonal
            {
                tail = Tail::new(g, [first, second, third], &a);
            }
            if let Some(tail) = &tail {
                for ratio in tail.growth(g) {
                    compare(g, ratio, &mut growth);
                }
                break;
            }
            rows.retain(|i| *i != row);
            columns.retain(|j| *j != column);
            let value = a[row][column];
            let one = g.one();
            let inverse = g.div(one, value);
            let below: Vec<usize> = filled(g, &rows, |i| a[i][column]);
            let right: Vec<usize> = filled(g, &columns, |j| a[row][j]);
            // A number is never lost, whatever its unit. A pivot that nothing was subtracted from is
            // compared with a neighbour.
            if g.value(value).is_none() {
                let mut scale = terms[row][column];
                if scale == value {
                    let under = below.first().map(|i| a[*i][column]);
                    let beside = right.first().map(|j| a[row][*j]);
                    scale = under.or(beside).unwrap_or(value);
                }
                let ratio = g.mul(scale, inverse);
                compare(g, ratio, &mut growth);
            }
            let row_scaled = right.len() < below.len();
            steps.push(Step {
                row,
                column,
                inverse,
                row_scaled,
            });
            if row_scaled {
                for j in &right {
                    a[row][*j] = g.mul(inverse, a[row][*j]);
                }
            } else {
                for i in &below {
                    a[*i][column] = g.mul(inverse, a[*i][column]);
                }
            }
            for i in &below {
                for j in &right {
                    let product = g.mul(a[*i][column], a[row][*j]);
                    a[*i][*j] = g.sub(a[*i][*j], product);
                    terms[*i][*j] = product;
                }
            }
        }
        Self {
            steps,
            tail,
            factors: a,
            growth,
        }
    }

    /// Gives a name to each factor that is not a number, by `name`; not for definite matrices.
    pub(crate) fn rename(&mut self, g: &mut Graph, name: &mut dyn FnMut(&mut Graph, Id) -> Id) {
        debug_assert!(self.tail.is_none());
        for step in &mut self.steps {
            if g.value(step.inverse).is_none() {
                step.inverse = name(g, step.inverse);
            }
        }
        let pivots: Vec<(usize, usize)> = self.steps.iter().map(|s| (s.row, s.column)).collect();
        for (i, row) in self.factors.iter_mut().enumerate() {
            for (j, entry) in row.iter_mut().enumerate() {
                if g.value(*entry).is_none() && !pivots.contains(&(i, j)) {
                    *entry = name(g, *entry);
                }
            }
        }
    }

    /// Rows and columns that are left after a step.
    fn after(&self, step: usize) -> Vec<(usize, usize)> {
        let steps = self.steps[step + 1..].iter();
        let mut left: Vec<(usize, usize)> = steps.map(|step| (step.row, step.column)).collect();
        let (rows, columns) = self
            .tail
            .as_ref()
            .map_or_else(Default::default, Tail::places);
        left.extend(rows.into_iter().zip(columns));
        left
    }

    /// Solves for a right side.
    pub(crate) fn substitute(&self, g: &mut Graph, right: &[Id]) -> Vec<Id> {
        let mut x = right.to_vec();
        let a = &self.factors;
        for (k, step) in self.steps.iter().enumerate() {
            if step.row_scaled {
                x[step.row] = g.mul(step.inverse, x[step.row]);
            }
            for (row, _) in self.after(k) {
                let product = g.mul(a[row][step.column], x[step.row]);
                x[row] = g.sub_cancelling(x[row], product);
            }
        }
        let mut solution = right.to_vec();
        if let Some(tail) = &self.tail {
            tail.substitute(g, &x, &mut solution);
        }
        for (k, step) in self.steps.iter().enumerate().rev() {
            let mut sum = x[step.row];
            for (_, column) in self.after(k) {
                let product = g.mul(a[step.row][column], solution[column]);
                sum = g.sub(sum, product);
            }
            solution[step.column] = if step.row_scaled {
                sum
            } else {
                g.mul(step.inverse, sum)
            };
        }
        solution
    }
}

/// Adds the ratio of a number to the pivot that it is a part of, unless it cannot grow.
fn compare(g: &Graph, ratio: Id, growth: &mut Vec<Id>) {
    // Its sign does not matter.
    let ratio = match g.node(ratio) {
        Node::Neg(positive) => positive,
        _ => ratio,
    };
    let may_grow = g.value(ratio).is_none_or(|ratio| ratio.abs() > 1e12);
    if may_grow && !growth.contains(&ratio) {
        growth.push(ratio);
    }
}

fn filled(g: &Graph, places: &[usize], entry: impl Fn(usize) -> Id) -> Vec<usize> {
    let filled = |place: &usize| !g.is_zero(entry(*place));
    places.iter().copied().filter(filled).collect()
}

fn entry(g: &Graph, id: Id) -> Entry {
    match g.value(id) {
        Some(0.0) => Entry::Zero,
        Some(value) if value.abs() == 1.0 => Entry::Unit,
        Some(_) => Entry::Number,
        None => Entry::Expression,
    }
}

#[cfg(test)]
mod tests;
