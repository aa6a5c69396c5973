//! The dense LU factorization of the runtime: of small assembled systems, and of generated ones
//! where the fixed order of pivots fails.

use super::Singular;
use super::singular::{is_singular, larger, largest, not_finite, row_weight, singular};

/// LU factorization in place of a row-major array. Multipliers that are zero are skipped, and so is
/// what is zero at both ends of the row of a pivot: that makes the many zero blocks of mechanical
/// systems cheap.
#[derive(Clone, Debug, Default)]
pub(crate) struct Dense {
    n: usize,
    /// `A`; after factorization `L` without its unit diagonal, and `U`.
    a: Vec<f64>,
    /// Diagonal of `D`, with the rows exchanged as those of `a`.
    weights: Vec<f64>,
    /// Largest entry of each column of `D A`.
    columns: Vec<f64>,
    /// Row `k` was exchanged with row `exchanges[k] >= k` before step `k`.
    exchanges: Vec<usize>,
}

impl Dense {
    /// No matrix, and memory for those up to a size.
    pub(crate) fn with_capacity(largest: usize) -> Self {
        Self {
            n: 0,
            a: Vec::with_capacity(largest * largest),
            weights: Vec::with_capacity(largest),
            columns: Vec::with_capacity(largest),
            exchanges: Vec::with_capacity(largest),
        }
    }

    /// The zero matrix with `n` rows and columns.
    pub(crate) fn reset(&mut self, n: usize) {
        self.n = n;
        self.a.clear();
        self.a.resize(n * n, 0.0);
        self.weights.resize(n, 1.0);
        self.columns.resize(n, 0.0);
        self.exchanges.resize(n, 0);
    }

    /// Number of rows and columns.
    pub(crate) fn size(&self) -> usize {
        self.n
    }

    /// The entries by rows.
    pub(crate) fn entries(&self) -> &[f64] {
        &self.a
    }

    /// The same, to be changed.
    pub(crate) fn entries_mut(&mut self) -> &mut [f64] {
        &mut self.a
    }

    #[inline]
    pub(super) fn add_block(&mut self, row: usize, col: usize, cols: usize, values: &[f64]) {
        let rows = self.a.chunks_exact_mut(self.n).skip(row);
        for (target, source) in rows.zip(values.chunks_exact(cols)) {
            for (t, s) in target[col..col + cols].iter_mut().zip(source) {
                *t += s;
            }
        }
    }

    /// Replaces the matrix by its factors.
    pub(crate) fn factor(&mut self) -> Result<(), Singular> {
        self.equilibrate()?;
        for k in 0..self.n {
            self.exchange(k)?;
            self.eliminate(k);
        }
        Ok(())
    }

    /// `A <- D A`.
    fn equilibrate(&mut self) -> Result<(), Singular> {
        self.columns.fill(0.0);
        for (row, weight) in self
            .a
            .chunks_exact_mut(self.n.max(1))
            .zip(&mut self.weights)
        {
            let largest = largest(row);
            if largest.is_nan() {
                return Err(not_finite(row.iter().copied().enumerate()));
            }
            *weight = row_weight(largest);
            for (x, column) in row.iter_mut().zip(&mut self.columns) {
                *x *= *weight;
                *column = larger(*column, x.abs());
            }
        }
        Ok(())
    }

    /// Brings the largest entry of column `k`, on or below the diagonal, to the diagonal.
    fn exchange(&mut self, k: usize) -> Result<(), Singular> {
        let n = self.n;
        let (mut pivot, mut at) = (self.a[k * n + k].abs(), k);
        for i in k + 1..n {
            let x = self.a[i * n + k].abs();
            if x > pivot || x.is_nan() {
                (pivot, at) = (x, i);
            }
        }
        if is_singular(pivot, self.columns[k]) {
            return Err(singular(k, pivot, self.columns[k], self.weights[at]));
        }
        if at != k {
            let (upper, lower) = self.a.split_at_mut(at * n);
            upper[k * n..(k + 1) * n].swap_with_slice(&mut lower[..n]);
            self.weights.swap(k, at);
        }
        self.exchanges[k] = at;
        Ok(())
    }

    /// Subtracts multiples of row `k` from the rows below.
    fn eliminate(&mut self, k: usize) {
        let n = self.n;
        let (upper, lower) = self.a.split_at_mut((k + 1) * n);
        let (pivot, tail) = (upper[k * n + k], &upper[k * n + k + 1..]);
        // Nothing but zeros is outside of `first..end`.
        let end = tail.iter().rposition(|x| *x != 0.0).map_or(0, |at| at + 1);
        let first = tail[..end].iter().position(|x| *x != 0.0).unwrap_or(0);
        let pivot_row = &tail[first..end];
        let first = k + 1 + first;
        for row in lower.chunks_exact_mut(n) {
            if row[k] != 0.0 {
                row[k] /= pivot;
                let factor = row[k];
                let changed = &mut row[first..first + pivot_row.len()];
                for (x, u) in changed.iter_mut().zip(pivot_row) {
                    *x -= factor * u;
                }
            }
        }
    }

    /// Replaces a right-hand side by the solution.
    pub(crate) fn solve(&self, x: &mut [f64]) {
        let n = self.n;
        for (k, &at) in self.exchanges.iter().enumerate() {
            x.swap(k, at);
        }
        for k in 0..n {
            x[k] = self.weights[k] * x[k] - dot(&self.a[k * n..k * n + k], &x[..k]);
        }
        for k in (0..n).rev() {
            let sum = dot(&self.a[k * n + k + 1..(k + 1) * n], &x[k + 1..]);
            x[k] = (x[k] - sum) / self.a[k * n + k];
        }
    }
}

/// Scalar product. Four lanes hide the latency.
#[inline]
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    let (a_chunks, a_rest) = a.as_chunks::<4>();
    let (b_chunks, b_rest) = b.as_chunks::<4>();
    let mut lanes = [0.0; 4];
    for (x, y) in a_chunks.iter().zip(b_chunks) {
        for i in 0..4 {
            lanes[i] += x[i] * y[i];
        }
    }
    for (x, y) in a_rest.iter().zip(b_rest) {
        lanes[0] += x * y;
    }
    (lanes[0] + lanes[1]) + (lanes[2] + lanes[3])
}
