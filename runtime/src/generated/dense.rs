//! Elimination with a choice of pivots, for the rare state at which a pivot of the fixed
//! order is lost although the matrix is regular.

use super::PIVOT_GROWTH;
use crate::least_norm::{LeastNorm, NotFinite};

/// A matrix and its factors, in memory that is allocated once: at construction, or for
/// [`default`](Default::default) when a matrix is first assembled.
#[derive(Clone, Debug, Default)]
pub struct Dense {
    size: usize,
    /// Rows after each other, each divided by its largest entry when it is factored.
    entries: Vec<f64>,
    /// What the rows were divided by.
    scales: Vec<f64>,
    /// Rows in the order of the pivots.
    order: Vec<usize>,
    work: Vec<f64>,
    /// A right side in one piece.
    right: Vec<f64>,
    /// For models with redundant constraints, one for each size.
    least_norm: Vec<LeastNorm>,
}

/// A column without a pivot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LostPivot {
    /// The column.
    pub unknown: usize,
    /// The largest entry that is left, relative to those of its row.
    pub pivot: f64,
}

impl Dense {
    /// Memory for matrices up to a size; those of the given sizes are solved with least norm.
    pub fn new(largest: usize, least_norm: &[usize]) -> Self {
        Self {
            size: 0,
            entries: vec![0.0; largest * largest],
            scales: vec![0.0; largest],
            order: vec![0; largest],
            work: vec![0.0; largest],
            right: vec![0.0; largest],
            least_norm: least_norm.iter().map(|n| LeastNorm::new(*n)).collect(),
        }
    }

    /// Starts a matrix of zeros.
    pub fn clear(&mut self, size: usize) {
        if self.right.len() < size {
            *self = Self {
                least_norm: core::mem::take(&mut self.least_norm),
                ..Self::new(size, &[])
            };
        }
        self.size = size;
        self.entries[..size * size].fill(0.0);
    }

    /// Whether matrices of a size are solved with least norm.
    pub fn is_least_norm(&self, size: usize) -> bool {
        self.least_norm.iter().any(|solver| solver.size() == size)
    }

    /// Adds to an entry.
    pub fn add(&mut self, row: usize, column: usize, value: f64) {
        self.entries[row * self.size + column] += value;
    }

    /// Three rows from the given one on, multiplied from the left.
    pub(super) fn multiply_rows(&mut self, first: usize, by: &[[f64; 3]; 3]) {
        let n = self.size;
        for column in 0..n {
            let at = |i: usize| (first + i) * n + column;
            let old = [0, 1, 2].map(|i| self.entries[at(i)]);
            for (i, row) in by.iter().enumerate() {
                self.entries[at(i)] = row[0] * old[0] + row[1] * old[1] + row[2] * old[2];
            }
        }
    }

    /// Some columns from the given one on, at most six, multiplied from the right by a matrix given
    /// by rows.
    pub(super) fn multiply_columns(&mut self, first: usize, count: usize, by: &[f64]) {
        for row in self.entries.chunks_exact_mut(self.size).take(self.size) {
            let row = &mut row[first..first + count];
            let mut product = [0.0; 6];
            for (x, by) in row.iter().zip(by.chunks_exact(count)) {
                if *x != 0.0 {
                    for (sum, by) in product.iter_mut().zip(by) {
                        *sum += x * by;
                    }
                }
            }
            row.copy_from_slice(&product[..count]);
        }
    }

    /// Sets a part of a column, from the given row on.
    pub fn set_column(&mut self, row: usize, column: usize, values: &[f64]) {
        for (i, value) in values.iter().enumerate() {
            self.entries[(row + i) * self.size + column] = *value;
        }
    }

    /// Factors the matrix with the largest pivot of each column, rows of one size.
    ///
    /// # Errors
    /// [`LostPivot`] if the matrix is singular.
    pub fn factor(&mut self) -> Result<(), LostPivot> {
        let n = self.size;
        if let Some(solver) = self.least_norm.iter_mut().find(|s| s.size() == n) {
            let found = solver.factor(&mut self.entries[..n * n]);
            return found.map(|_| ()).map_err(|NotFinite { column }| LostPivot {
                unknown: column,
                pivot: f64::NAN,
            });
        }
        let (a, order) = (&mut self.entries, &mut self.order[..n]);
        for (i, place) in order.iter_mut().enumerate() {
            *place = i;
            let row = &mut a[i * n..(i + 1) * n];
            let largest = row.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
            self.scales[i] = if largest > 0.0 { largest } else { 1.0 };
            for x in row {
                *x /= self.scales[i];
            }
        }
        for k in 0..n {
            let size = |i: &usize| a[order[*i] * n + k].abs();
            let best = (k..n).max_by(|i, j| size(i).total_cmp(&size(j)));
            let best = best.unwrap_or(k);
            order.swap(k, best);
            let row = order[k] * n;
            let pivot = a[row + k];
            if !(pivot.abs() > PIVOT_GROWTH && pivot.is_finite()) {
                return Err(LostPivot { unknown: k, pivot });
            }
            // The part of its row that is not zero, as the others are changed by nothing else.
            let tail = &mut self.work[k + 1..n];
            tail.copy_from_slice(&a[row + k + 1..row + n]);
            let first = tail.iter().position(|x| *x != 0.0).unwrap_or(0);
            let end = tail
                .iter()
                .rposition(|x| *x != 0.0)
                .map_or(0, |last| last + 1);
            let used = &tail[first..end.max(first)];
            for i in order[k + 1..].iter().map(|i| i * n) {
                let factor = a[i + k] / pivot;
                a[i + k] = factor;
                if factor != 0.0 {
                    let from = i + k + 1 + first;
                    let changed = &mut a[from..from + used.len()];
                    for (x, y) in changed.iter_mut().zip(used) {
                        *x -= factor * y;
                    }
                }
            }
        }
        Ok(())
    }

    /// Solves for a right side in place.
    pub fn solve(&mut self, x: &mut [f64]) {
        let n = self.size;
        if let Some(solver) = self.least_norm.iter_mut().find(|s| s.size() == n) {
            return solver.solve(&self.entries[..n * n], &mut x[..n]);
        }
        let (a, order) = (&self.entries, &self.order[..n]);
        for (k, row) in order.iter().enumerate() {
            let known: f64 = (0..k).map(|j| a[row * n + j] * self.work[j]).sum();
            self.work[k] = x[*row] / self.scales[*row] - known;
        }
        for (k, row) in order.iter().enumerate().rev() {
            let known: f64 = (k + 1..n).map(|j| a[row * n + j] * x[j]).sum();
            x[k] = (self.work[k] - known) / a[row * n + k];
        }
    }

    /// Solves for a right side in parts, of which the last ones may be longer than needed.
    pub fn solve_parts(&mut self, parts: [&mut [f64]; 3]) {
        let mut right = core::mem::take(&mut self.right);
        in_one_piece(parts, &mut right[..self.size], |x| self.solve(x));
        self.right = right;
    }
}

/// Copies parts into one piece, changes that, and copies it back.
pub(super) fn in_one_piece(
    mut parts: [&mut [f64]; 3],
    piece: &mut [f64],
    change: impl FnOnce(&mut [f64]),
) {
    let given = parts.iter().flat_map(|part| part.iter());
    for (x, value) in piece.iter_mut().zip(given) {
        *x = *value;
    }
    change(piece);
    let wanted = parts.iter_mut().flat_map(|part| part.iter_mut());
    for (x, value) in piece.iter().zip(wanted) {
        *value = *x;
    }
}

#[cfg(test)]
mod tests {
    use super::Dense;

    #[test]
    fn a_permuted_matrix_is_solved_and_a_singular_one_named() {
        let mut dense = Dense::new(3, &[]);
        dense.clear(3);
        for (j, column) in [[0.0, 0.0, -4.0], [1e-7, 1.0, 0.0], [0.0, 3.0, 0.0]]
            .iter()
            .enumerate()
        {
            dense.set_column(0, j, column);
        }
        assert_eq!(dense.factor(), Ok(()));
        let mut x = [2e-7, 5.0, 8.0];
        dense.solve(&mut x);
        for (found, expected) in x.iter().zip([-2.0, 2.0, 1.0]) {
            assert!((found - expected).abs() < 1e-15, "{x:?}");
        }
        dense.clear(2);
        dense.set_column(0, 0, &[1.0, 2.0]);
        dense.set_column(0, 1, &[3.0, 6.0]);
        assert_eq!(dense.factor().map_err(|lost| lost.unknown), Err(1));
    }
}
