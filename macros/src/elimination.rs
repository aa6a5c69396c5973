//! Gaussian elimination on expressions, in an order that is found beforehand.
//!
//! At run time there is no choice of pivots: a number that a pivot is a difference of is divided
//! by it, and the growth must stay small.

mod order;

use crate::expr::{Graph, Id};
use order::Entry;

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
    /// Rows and columns of the factors, where the matrix had them.
    pub(crate) factors: Matrix,
    /// For each pivot that may be lost: a number that it is a difference of, divided by it.
    pub(crate) growth: Vec<Id>,
}

impl Elimination {
    pub(crate) fn new(g: &mut Graph, a: &Matrix, samples: &[Sample]) -> Self {
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
        for (row, column) in order::best(&structure, samples) {
            rows.retain(|i| *i != row);
            columns.retain(|j| *j != column);
            let value = a[row][column];
            let one = g.one();
            let inverse = g.div(one, value);
            let below: Vec<usize> = filled(g, &rows, |i| a[i][column]);
            let right: Vec<usize> = filled(g, &columns, |j| a[row][j]);
            // A pivot that nothing was subtracted from is compared with a neighbour.
            let mut scale = terms[row][column];
            if scale == value {
                let under = below.first().map(|i| a[*i][column]);
                let beside = right.first().map(|j| a[row][*j]);
                scale = under.or(beside).unwrap_or(value);
            }
            let ratio = g.mul(scale, inverse);
            if g.value(ratio).is_none_or(|ratio| ratio.abs() > 1e12) {
                growth.push(ratio);
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
            factors: a,
            growth,
        }
    }

    /// Gives a name to each factor that is not a number, by `name`.
    pub(crate) fn rename(&mut self, g: &mut Graph, name: &mut dyn FnMut(&mut Graph, Id) -> Id) {
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

    /// Solves for a right side.
    pub(crate) fn substitute(&self, g: &mut Graph, right: &[Id]) -> Vec<Id> {
        let mut x = right.to_vec();
        let a = &self.factors;
        for (k, step) in self.steps.iter().enumerate() {
            if step.row_scaled {
                x[step.row] = g.mul(step.inverse, x[step.row]);
            }
            for later in &self.steps[k + 1..] {
                let product = g.mul(a[later.row][step.column], x[step.row]);
                x[later.row] = g.sub(x[later.row], product);
            }
        }
        let mut solution = right.to_vec();
        for (k, step) in self.steps.iter().enumerate().rev() {
            let mut sum = x[step.row];
            for later in &self.steps[k + 1..] {
                let product = g.mul(a[step.row][later.column], solution[later.column]);
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
