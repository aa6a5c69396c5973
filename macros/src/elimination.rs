//! Gaussian elimination on expressions, in an order that is found beforehand.
//!
//! Every entry may be a pivot that is large enough in its row or column of what is
//! left, at each of several numeric samples of the matrix; among these the one whose
//! elimination changes the fewest entries is taken (Markowitz). If there are several,
//! it is a number, best one or minus one, which needs no division and no check; then
//! the first one. The samples are scaled to rows and columns of size one, so that
//! units do not matter.
//!
//! At run time there is no choice of pivots: a number that a pivot is a difference of is divided
//! by it, and the growth must stay small.

use crate::expr::{Graph, Id};

/// A square matrix of expressions, by rows.
pub(crate) type Matrix = Vec<Vec<Id>>;

/// Values of a matrix.
pub(crate) type Sample = Vec<Vec<f64>>;

/// Smallest pivot against the largest entry of its row or column.
const THRESHOLD: f64 = 0.05;

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
        let mut samples: Vec<Sample> = samples.iter().map(equilibrated).collect();
        let (mut rows, mut columns): (Vec<usize>, Vec<usize>) =
            ((0..n).collect(), (0..n).collect());
        let (mut steps, mut growth) = (Vec::new(), Vec::new());
        let mut terms = a.clone();
        while !rows.is_empty() {
            let (row, column) = choose(g, &a, &samples, &rows, &columns);
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
            for sample in &mut samples {
                for i in &below {
                    let factor = sample[*i][column] / sample[row][column];
                    for j in &right {
                        sample[*i][*j] -= factor * sample[row][*j];
                    }
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

/// The next pivot among the rows and columns that are left.
fn choose(
    g: &Graph,
    a: &Matrix,
    samples: &[Sample],
    rows: &[usize],
    columns: &[usize],
) -> (usize, usize) {
    let count = |entries: &mut dyn Iterator<Item = Id>| entries.filter(|x| !g.is_zero(*x)).count();
    let in_row: Vec<usize> = rows
        .iter()
        .map(|i| count(&mut columns.iter().map(|j| a[*i][*j])))
        .collect();
    let in_column: Vec<usize> = columns
        .iter()
        .map(|j| count(&mut rows.iter().map(|i| a[*i][*j])))
        .collect();
    let largest: Vec<(Vec<f64>, Vec<f64>)> = samples
        .iter()
        .map(|sample| {
            let (mut of_rows, mut of_columns) = (vec![0.0; rows.len()], vec![0.0; columns.len()]);
            for (k, i) in rows.iter().enumerate() {
                for (l, j) in columns.iter().enumerate() {
                    let size = sample[*i][*j].abs();
                    of_rows[k] = f64::max(of_rows[k], size);
                    of_columns[l] = f64::max(of_columns[l], size);
                }
            }
            (of_rows, of_columns)
        })
        .collect();
    let mut best = None;
    let mut fallback = (0.0, (rows[0], columns[0]));
    for (k, i) in rows.iter().enumerate() {
        for (l, j) in columns.iter().enumerate() {
            let entry = a[*i][*j];
            if g.is_zero(entry) {
                continue;
            }
            let ratio = samples
                .iter()
                .zip(&largest)
                .map(|(sample, (of_rows, of_columns))| {
                    sample[*i][*j].abs() / of_rows[k].min(of_columns[l])
                })
                .fold(f64::INFINITY, f64::min);
            if ratio > fallback.0 {
                fallback = (ratio, (*i, *j));
            }
            if ratio < THRESHOLD {
                continue;
            }
            let kind = match g.value(entry) {
                Some(value) if value.abs() == 1.0 => 0,
                Some(_) => 1,
                None => 2,
            };
            let cost = ((in_row[k] - 1) * (in_column[l] - 1), kind);
            if best.is_none_or(|(known, _)| cost < known) {
                best = Some((cost, (*i, *j)));
            }
        }
    }
    best.map_or(fallback.1, |(_, place)| place)
}

/// Rows and columns scaled, in turn, to a largest entry of about one.
fn equilibrated(sample: &Sample) -> Sample {
    let mut a = sample.clone();
    let n = a.len();
    let inverse = |largest: f64| if largest > 0.0 { 1.0 / largest } else { 1.0 };
    for _ in 0..4 {
        for row in &mut a {
            let factor = inverse(row.iter().fold(0.0, |m: f64, x| m.max(x.abs())).sqrt());
            for x in row {
                *x *= factor;
            }
        }
        for j in 0..n {
            let factor = inverse(a.iter().fold(0.0, |m: f64, row| m.max(row[j].abs())).sqrt());
            for row in &mut a {
                row[j] *= factor;
            }
        }
    }
    a
}
