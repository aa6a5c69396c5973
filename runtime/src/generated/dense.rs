//! Elimination with a choice of pivots, for the rare state at which a pivot of the fixed
//! order is lost although the matrix is regular, and for what is not worth a fixed order.

use crate::least_norm::{LeastNorm, NotFinite};
use crate::linear::{self, Singular};

/// A matrix and its factors, in memory that is allocated once: at construction, or for
/// [`default`](Default::default) when a matrix is first assembled.
#[derive(Clone, Debug, Default)]
pub struct Dense {
    matrix: linear::Dense,
    /// A right side in one piece.
    right: Vec<f64>,
    /// For models with redundant constraints, one for each size.
    least_norm: Vec<LeastNorm>,
}

impl Dense {
    /// Memory for matrices up to a size; those of the given sizes are solved with least norm.
    pub fn new(largest: usize, least_norm: &[usize]) -> Self {
        Self {
            matrix: linear::Dense::with_capacity(largest),
            right: vec![0.0; largest],
            least_norm: least_norm.iter().map(|n| LeastNorm::new(*n)).collect(),
        }
    }

    /// Starts a matrix of zeros.
    pub fn clear(&mut self, size: usize) {
        self.matrix.reset(size);
        if self.right.len() < size {
            self.right.resize(size, 0.0);
        }
    }

    /// Whether matrices of a size are solved with least norm.
    pub fn is_least_norm(&self, size: usize) -> bool {
        self.least_norm.iter().any(|solver| solver.size() == size)
    }

    /// Adds to an entry.
    pub fn add(&mut self, row: usize, column: usize, value: f64) {
        let n = self.matrix.size();
        self.matrix.entries_mut()[row * n + column] += value;
    }

    /// Three rows from the given one on, multiplied from the left.
    pub(super) fn multiply_rows(&mut self, first: usize, by: &[[f64; 3]; 3]) {
        let n = self.matrix.size();
        let entries = self.matrix.entries_mut();
        for column in 0..n {
            let at = |i: usize| (first + i) * n + column;
            let old = [0, 1, 2].map(|i| entries[at(i)]);
            for (i, row) in by.iter().enumerate() {
                entries[at(i)] = row[0] * old[0] + row[1] * old[1] + row[2] * old[2];
            }
        }
    }

    /// Some columns from the given one on, at most six, multiplied from the right by a matrix given
    /// by rows.
    pub(super) fn multiply_columns(&mut self, first: usize, count: usize, by: &[f64]) {
        let n = self.matrix.size();
        for row in self.matrix.entries_mut().chunks_exact_mut(n) {
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
        let n = self.matrix.size();
        let rows = self.matrix.entries_mut().chunks_exact_mut(n).skip(row);
        for (row, value) in rows.zip(values) {
            row[column] = *value;
        }
    }

    /// Factors the matrix.
    ///
    /// # Errors
    /// [`Singular`] if it is, see [`SINGULAR`](linear::SINGULAR), or an entry is not finite.
    pub fn factor(&mut self) -> Result<(), Singular> {
        let n = self.matrix.size();
        let Some(solver) = self.least_norm.iter_mut().find(|s| s.size() == n) else {
            return self.matrix.factor();
        };
        let found = solver.factor(self.matrix.entries_mut());
        found
            .map(|_| ())
            .map_err(|NotFinite { column }| Singular::not_finite(column))
    }

    /// Solves for a right side in place.
    pub fn solve(&mut self, x: &mut [f64]) {
        let n = self.matrix.size();
        let x = &mut x[..n];
        match self.least_norm.iter_mut().find(|s| s.size() == n) {
            Some(solver) => solver.solve(self.matrix.entries(), x),
            None => self.matrix.solve(x),
        }
    }

    /// Solves for a right side in parts, of which the last ones may be longer than needed.
    pub fn solve_parts(&mut self, parts: [&mut [f64]; 3]) {
        let mut right = core::mem::take(&mut self.right);
        in_one_piece(parts, &mut right[..self.matrix.size()], |x| self.solve(x));
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
        assert_eq!(dense.factor().map_err(|singular| singular.index), Err(1));
    }
}
