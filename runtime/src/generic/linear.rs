//! Square linear systems, assembled by blocks again and again.
//!
//! `P D A Q = L U`, then `A x = b` by substitution.
//!
//! | symbol | meaning                                                              |
//! |--------|----------------------------------------------------------------------|
//! | `D`    | row weights, powers of two: the largest entry of a row of `D A` is in `[1, 2)` |
//! | `P`    | row exchanges of partial pivoting                                    |
//! | `Q`    | column order that keeps the factors sparse; the identity if dense    |
//!
//! The rows of a Newton matrix have different units and powers of the step size. The weights make
//! pivots and singularity independent of them, and cost no rounding error. A pivot `u` in column
//! `j` of `D A` counts as zero if `|u| <= n eps max_i |(D A)_ij|`.
//!
//! Nothing is allocated after the first assembly; see [`LinearMethod`] for one exception.
mod fronts;
#[cfg(feature = "sparse")]
mod sparse;
#[cfg(test)]
mod tests;

use crate::least_norm::{LeastNorm, NotFinite};
use fronts::Fronts;
use serde::{Deserialize, Serialize};

/// How a [`LinearSystem`] is stored and factored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LinearMethod {
    /// Row-major array. The fastest for small systems.
    Dense,
    /// Row-major array that may be singular: the solution of the smallest norm, see
    /// [`least_norm`](crate::least_norm). Descriptions with redundant constraints use it.
    LeastNorm,
    /// Small dense matrices, one for each body with its joints, eliminated one after another. Time
    /// and memory grow with the number of bodies, and not faster, where few of them are coupled
    /// at a time: chains, rings, trees, nets of a given width.
    ///
    /// Order and storage are found in the first factorization, and again whenever an assembly does
    /// not repeat the sequence of entries of the one before. Where pivots are too small, rows are
    /// exchanged between the matrices, which then need more memory.
    Fronts,
    /// Compressed columns, ordered to keep the factors sparse.
    ///
    /// Order and storage are found in the first factorization, and again whenever an assembly does
    /// not repeat the sequence of blocks of the one before. The storage of the factors grows if
    /// other values lead to other row exchanges and these to more entries than ever before.
    #[cfg(feature = "sparse")]
    Sparse,
}

/// The elimination broke down: the matrix is singular, or contains NaN or infinity.
#[derive(Clone, Copy, PartialEq, thiserror::Error)]
#[error("the matrix is singular at column {index}: pivot {pivot:.3e} of scale {scale:.3e}")]
pub struct Singular {
    /// Column where the elimination broke down: the first, in the order of elimination, that
    /// depends linearly on those before it, or the one with an entry that is not finite.
    pub index: usize,
    /// Magnitude of the pivot that was found. NaN or infinite if an entry is.
    pub pivot: f64,
    /// Size of the entries in row and column of the pivot, to compare it with. NaN if an entry is
    /// not finite.
    pub scale: f64,
}

/// A square matrix, assembled by blocks, and its factorization.
///
/// ```
/// use polhode_runtime::generic::linear::{LinearMethod, LinearSystem};
///
/// let mut system = LinearSystem::new(3, LinearMethod::Dense);
/// let mut x = [4.0, 2.0, 1.0];
/// system.begin();
/// system.add_block(0, 0, 2, 2, &[2.0, 0.0, 0.0, 2.0]);
/// system.add_block(2, 0, 1, 2, &[1.0, 1.0]); // constraint
/// system.add_block(0, 2, 2, 1, &[1.0, 1.0]);
/// system.factor()?;
/// system.solve(&mut x);
/// assert_eq!(x, [1.0, 0.0, 2.0]);
/// # Ok::<(), polhode_runtime::generic::linear::Singular>(())
/// ```
#[derive(Clone, Debug)]
pub struct LinearSystem {
    size: usize,
    storage: Storage,
    /// Result of the factorization of the values assembled last.
    factored: Option<Result<(), Singular>>,
}

#[derive(Clone, Debug)]
enum Storage {
    Dense(Dense),
    LeastNorm(Dense, Box<LeastNorm>),
    Fronts(Box<Fronts>),
    #[cfg(feature = "sparse")]
    Sparse(Box<sparse::Sparse>),
}

impl LinearSystem {
    /// The zero matrix with `size` rows and columns.
    pub fn new(size: usize, method: LinearMethod) -> Self {
        Self::with_vertices(size, method, None)
    }

    /// The same, for unknowns that belong to one or two parts of what they describe: velocities to
    /// a body, multipliers to the bodies that a joint holds. It is the hint that
    /// [`Fronts`](LinearMethod::Fronts) orders its elimination by; no solution depends on it.
    pub(crate) fn grouped(
        size: usize,
        method: LinearMethod,
        vertices: impl Fn(usize) -> [u32; 2],
    ) -> Self {
        let vertices = (0..size).map(vertices).collect();
        Self::with_vertices(size, method, Some(vertices))
    }

    fn with_vertices(size: usize, method: LinearMethod, vertices: Option<Vec<[u32; 2]>>) -> Self {
        let storage = match method {
            LinearMethod::Dense => Storage::Dense(Dense::new(size)),
            LinearMethod::LeastNorm => {
                Storage::LeastNorm(Dense::new(size), Box::new(LeastNorm::new(size)))
            }
            LinearMethod::Fronts => {
                let fronts = vertices.map_or_else(|| Fronts::unknown(size), Fronts::new);
                Storage::Fronts(Box::new(fronts))
            }
            #[cfg(feature = "sparse")]
            LinearMethod::Sparse => Storage::Sparse(Box::new(sparse::Sparse::new(size))),
        };
        Self {
            size,
            storage,
            factored: None,
        }
    }

    /// Number of rows and columns.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Starts an assembly: the matrix is zero, and the last factorization is gone.
    pub fn begin(&mut self) {
        self.factored = None;
        match &mut self.storage {
            Storage::Dense(dense) | Storage::LeastNorm(dense, _) => dense.a.fill(0.0),
            Storage::Fronts(fronts) => fronts.begin(),
            #[cfg(feature = "sparse")]
            Storage::Sparse(sparse) => sparse.begin(),
        }
    }

    /// Adds `value` to the entry at `row` and `col`.
    ///
    /// # Panics
    /// If the entry is outside of the matrix.
    #[inline]
    pub fn add(&mut self, row: usize, col: usize, value: f64) {
        if let Storage::Dense(dense) | Storage::LeastNorm(dense, _) = &mut self.storage {
            debug_assert!(self.factored.is_none(), "add without begin");
            assert!(
                row < self.size && col < self.size,
                "entry ({row}, {col}) in a matrix of size {}",
                self.size
            );
            dense.a[row * self.size + col] += value;
        } else {
            self.add_block(row, col, 1, 1, &[value]);
        }
    }

    /// Adds `values`, `rows` times `cols` of them row by row, to the block with first entry at
    /// `row` and `col`.
    ///
    /// A sparse matrix stores all entries of a block, also those that are zero.
    ///
    /// # Panics
    /// If the block is not inside the matrix, or the number of values is wrong.
    #[inline]
    pub fn add_block(&mut self, row: usize, col: usize, rows: usize, cols: usize, values: &[f64]) {
        assert!(
            row + rows <= self.size && col + cols <= self.size && values.len() == rows * cols,
            "block of {} values, {rows} x {cols} at ({row}, {col}), in a matrix of size {}",
            values.len(),
            self.size
        );
        debug_assert!(self.factored.is_none(), "add without begin");
        if values.is_empty() {
            return;
        }
        match &mut self.storage {
            Storage::Dense(dense) | Storage::LeastNorm(dense, _) => {
                dense.add_block(row, col, cols, values);
            }
            Storage::Fronts(fronts) => {
                for (i, values) in values.chunks_exact(cols).enumerate() {
                    for (j, value) in values.iter().enumerate() {
                        fronts.add(row + i, col + j, *value);
                    }
                }
            }
            #[cfg(feature = "sparse")]
            Storage::Sparse(sparse) => sparse.add_block(row, col, rows, cols, values),
        }
    }

    /// Factors the assembled matrix. A second call repeats the result of the first.
    ///
    /// # Errors
    /// [`Singular`] if a pivot is zero within rounding errors, or an entry is not finite.
    pub fn factor(&mut self) -> Result<(), Singular> {
        if let Some(result) = self.factored {
            return result;
        }
        let result = match &mut self.storage {
            Storage::Dense(dense) => dense.factor(),
            Storage::LeastNorm(dense, solver) => match solver.factor(&mut dense.a) {
                Ok(_) => Ok(()),
                Err(NotFinite { column }) => Err(Singular {
                    index: column,
                    pivot: f64::NAN,
                    scale: f64::NAN,
                }),
            },
            Storage::Fronts(fronts) => fronts.factor(),
            #[cfg(feature = "sparse")]
            Storage::Sparse(sparse) => sparse.factor(),
        };
        self.factored = Some(result);
        result
    }

    /// Replaces the right-hand side `x` by the solution, with the factorization of the matrix
    /// assembled last. Without one, because `factor` failed or was not called, `x` becomes NaN.
    ///
    /// # Panics
    /// If the length of `x` is not the size of the system.
    pub fn solve(&mut self, x: &mut [f64]) {
        assert_eq!(x.len(), self.size, "length of the right-hand side");
        if self.factored != Some(Ok(())) {
            x.fill(f64::NAN);
            return;
        }
        match &mut self.storage {
            Storage::Dense(dense) => dense.solve(x),
            Storage::LeastNorm(dense, solver) => solver.solve(&dense.a, x),
            Storage::Fronts(fronts) => fronts.solve(x),
            #[cfg(feature = "sparse")]
            Storage::Sparse(sparse) => sparse.solve(x),
        }
    }
}

impl Default for LinearSystem {
    /// Nothing.
    fn default() -> Self {
        Self::new(0, LinearMethod::Dense)
    }
}

/// LU factorization in place of a row-major array. Multipliers that are zero are skipped, which
/// makes the many zero blocks of mechanical systems cheap.
#[derive(Clone, Debug)]
struct Dense {
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
    fn new(n: usize) -> Self {
        Self {
            n,
            a: vec![0.0; n * n],
            weights: vec![1.0; n],
            columns: vec![0.0; n],
            exchanges: vec![0; n],
        }
    }

    #[inline]
    fn add_block(&mut self, row: usize, col: usize, cols: usize, values: &[f64]) {
        let rows = self.a.chunks_exact_mut(self.n).skip(row);
        for (target, source) in rows.zip(values.chunks_exact(cols)) {
            for (t, s) in target[col..col + cols].iter_mut().zip(source) {
                *t += s;
            }
        }
    }

    fn factor(&mut self) -> Result<(), Singular> {
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
        if is_singular(pivot, self.columns[k], n) {
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
        let (pivot, pivot_row) = (upper[k * n + k], &upper[k * n + k + 1..]);
        for row in lower.chunks_exact_mut(n) {
            if row[k] != 0.0 {
                row[k] /= pivot;
                let factor = row[k];
                for (x, u) in row[k + 1..].iter_mut().zip(pivot_row) {
                    *x -= factor * u;
                }
            }
        }
    }

    fn solve(&self, x: &mut [f64]) {
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

/// The power of two that brings `largest` to `[1, 2)`, as far as the range of `f64` allows. It and
/// its inverse are finite and not zero, also for zero and subnormal numbers.
fn row_weight(largest: f64) -> f64 {
    let exponent = (largest.to_bits() >> 52).clamp(1, 2045);
    f64::from_bits((2046 - exponent) << 52)
}

/// True if the pivot of a column, with largest entry `column` before the elimination, is zero
/// within rounding errors, or not finite.
fn is_singular(pivot: f64, column: f64, n: usize) -> bool {
    #[allow(clippy::cast_precision_loss, reason = "no matrix has 2^52 rows")]
    let bound = n as f64 * f64::EPSILON * column;
    pivot <= bound || !pivot.is_finite()
}

/// The error, with pivot and scale in the units of `A`.
#[cold]
fn singular(index: usize, pivot: f64, column: f64, weight: f64) -> Singular {
    Singular {
        index,
        pivot: pivot / weight,
        scale: column / weight,
    }
}

/// The error for the first entry, of pairs of column and value, that is not finite.
#[cold]
fn not_finite(entries: impl IntoIterator<Item = (usize, f64)>) -> Singular {
    let (index, value) = entries
        .into_iter()
        .find(|(_, value)| !value.is_finite())
        .unwrap_or((0, f64::NAN));
    Singular {
        index,
        pivot: value.abs(),
        scale: f64::NAN,
    }
}

/// The larger number; unlike `f64::max` one instruction.
#[inline(always)]
fn larger(a: f64, b: f64) -> f64 {
    if b > a { b } else { a }
}

/// Largest magnitude, or NaN if a value is not finite. Four lanes hide the latency.
#[inline]
fn largest(values: &[f64]) -> f64 {
    let (chunks, rest) = values.as_chunks::<4>();
    let mut lanes = [0.0; 4];
    let mut finite = true;
    for chunk in chunks {
        for (lane, x) in lanes.iter_mut().zip(chunk) {
            *lane = larger(*lane, x.abs());
            finite &= x.is_finite();
        }
    }
    for x in rest {
        lanes[0] = larger(lanes[0], x.abs());
        finite &= x.is_finite();
    }
    if finite {
        larger(larger(lanes[0], lanes[1]), larger(lanes[2], lanes[3]))
    } else {
        f64::NAN
    }
}

/// Scalar product. Four lanes hide the latency.
#[inline]
fn dot(a: &[f64], b: &[f64]) -> f64 {
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
