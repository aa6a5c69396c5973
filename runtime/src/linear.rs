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
//! pivots and singularity independent of them, and cost no rounding error. What counts as singular
//! is the same for all methods, see [`SINGULAR`].
//!
//! Nothing is allocated after the first assembly, unless the pivots of fronts change their places.
mod dense;
mod fronts;
mod singular;
#[cfg(test)]
mod tests;

pub(crate) use dense::{Dense, dot};
pub use singular::{SINGULAR, Singular};
pub(crate) use singular::{is_singular, larger};

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
    /// not repeat the sequence of blocks of the one before. Where pivots are too small, rows are
    /// exchanged between the matrices, which then need more memory.
    Fronts,
}

impl LinearMethod {
    /// The fastest for a system of so many bodies: one dense matrix for a few of them, else fronts.
    pub fn for_bodies(count: usize) -> Self {
        if count < FRONTS_FROM {
            Self::Dense
        } else {
            Self::Fronts
        }
    }
}

/// Number of bodies from which on fronts are faster than one dense matrix.
const FRONTS_FROM: usize = 8;

/// A square matrix, assembled by blocks, and its factorization.
///
/// ```
/// use polhode_runtime::linear::{LinearMethod, LinearSystem};
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
/// # Ok::<(), polhode_runtime::linear::Singular>(())
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
            LinearMethod::Dense => Storage::Dense(Dense::default()),
            LinearMethod::LeastNorm => {
                Storage::LeastNorm(Dense::default(), Box::new(LeastNorm::new(size)))
            }
            LinearMethod::Fronts => {
                let fronts = vertices.map_or_else(|| Fronts::unknown(size), Fronts::new);
                Storage::Fronts(Box::new(fronts))
            }
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
            Storage::Dense(dense) | Storage::LeastNorm(dense, _) => dense.reset(self.size),
            Storage::Fronts(fronts) => fronts.begin(),
        }
    }

    /// Adds `value` to the entry at `row` and `col`.
    ///
    /// # Panics
    /// If the entry is outside of the matrix.
    #[inline]
    pub fn add(&mut self, row: usize, col: usize, value: f64) {
        self.add_block(row, col, 1, 1, &[value]);
    }

    /// Adds `values`, `rows` times `cols` of them row by row, to the block with first entry at
    /// `row` and `col`.
    ///
    /// Fronts store all entries of a block, also those that are zero.
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
            Storage::Fronts(fronts) => fronts.add_block([row, col], [rows, cols], values),
        }
    }

    /// Factors the assembled matrix. A second call repeats the result of the first.
    ///
    /// # Errors
    /// [`Singular`] if a pivot is zero within rounding errors ([`SINGULAR`]), or an entry is not
    /// finite.
    pub fn factor(&mut self) -> Result<(), Singular> {
        if let Some(result) = self.factored {
            return result;
        }
        let result = match &mut self.storage {
            Storage::Dense(dense) => dense.factor(),
            Storage::LeastNorm(dense, solver) => match solver.factor(dense.entries_mut()) {
                Ok(_) => Ok(()),
                Err(NotFinite { column }) => Err(Singular::not_finite(column)),
            },
            Storage::Fronts(fronts) => fronts.factor(),
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
            Storage::LeastNorm(dense, solver) => solver.solve(dense.entries(), x),
            Storage::Fronts(fronts) => fronts.solve(x),
        }
    }
}

impl Default for LinearSystem {
    /// Nothing.
    fn default() -> Self {
        Self::new(0, LinearMethod::Dense)
    }
}
