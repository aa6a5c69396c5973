//! Singular square systems: the solution of the smallest norm, the same one every time.
//!
//! Redundant constraints leave the motion unique and some multipliers not: with a left null
//! vector `n^T B = 0`, `lambda` and `lambda + n` exert the same forces. The systems
//! `(B M^-1 B^T) x = r` and those of Newton's method are singular then, and consistent: the
//! right side has no part along `n`, up to drift. Here the part of the right side outside the
//! range is left out, and of all solutions the one with the smallest sum of squares is taken.
//!
//! ```text
//! D A E P = Q | R11  R12 |       Householder reflections with column exchanges
//!             |  0    ~  |
//! x_0 = E P (R11^-1 (Q^T D b)_1, 0)              one solution
//! N   = orthonormal basis of E P (-R11^-1 R12, I)  null space
//! x   = x_0 - N N^T x_0
//! ```
//!
//! | symbol | meaning                                                                        |
//! |--------|--------------------------------------------------------------------------------|
//! | `D, E` | weights of rows and columns, powers of two: largest entries of `D A E` about 1  |
//! | `P`    | exchanges: the longest remaining column comes first                            |
//! | `~`    | what is left when its longest column is below the tolerance; counts as zero    |
//!
//! Without a null space `x_0` is the solution and the result that of any other elimination.
//!
//! # The rank
//!
//! The lengths of the pivot columns decrease. The rank is the number of those above
//! [`RANK_TOLERANCE`] times the first. It must not be near rounding: the constraints depend on
//! each other only where they hold. At a distance `d` from there, as in the stages of a
//! half-explicit step, redundant rows of `B` differ by about `d`, and the matrices, quadratic
//! in `B`, have a pivot of about `d^2`. So 1e-8 allows gaps of 1e-4 of the size of the
//! mechanism. A mechanism whose independent constraints are closer to dependence than that
//! is not told from one with redundant ones, so this is used only when it is asked for.
//!
//! Weights only serve this decision. The norm is that of `x` in its own units.

use crate::linear::{dot, larger};

/// Pivots below this times the first one count as zero.
pub const RANK_TOLERANCE: f64 = 1e-8;

/// An entry of the matrix is NaN or infinite: its column.
#[derive(Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("column {column} of the matrix has an entry that is not finite")]
pub struct NotFinite {
    /// The column.
    pub column: usize,
}

/// Memory for systems of one size; the matrix itself is in the caller's.
///
/// ```
/// use polhode_runtime::least_norm::LeastNorm;
///
/// let mut a = [2.0, 2.0, 2.0, 2.0]; // by rows
/// let mut x = [8.0, 8.0];
/// let mut solver = LeastNorm::new(2);
/// assert_eq!(solver.factor(&mut a), Ok(1));
/// solver.solve(&a, &mut x);
/// assert!((x[0] - 2.0).abs() < 1e-15 && (x[1] - 2.0).abs() < 1e-15);
/// ```
#[derive(Clone, Debug)]
pub struct LeastNorm {
    n: usize,
    rank: usize,
    row_weights: Vec<f64>,
    column_weights: Vec<f64>,
    /// Column `k` of the factors is column `order[k]` of the matrix.
    order: Vec<usize>,
    /// Leading entry of each reflection vector; the rest is below the diagonal.
    heads: Vec<f64>,
    /// Square of what is left of each column.
    squares: Vec<f64>,
    /// Orthonormal null vectors, one after another.
    null: Vec<f64>,
    right: Vec<f64>,
}

impl LeastNorm {
    /// Memory for matrices with `n` rows and columns.
    pub fn new(n: usize) -> Self {
        Self {
            n,
            rank: 0,
            row_weights: vec![1.0; n],
            column_weights: vec![1.0; n],
            order: (0..n).collect(),
            heads: vec![0.0; n],
            squares: vec![0.0; n],
            null: vec![0.0; n * n],
            right: vec![0.0; n],
        }
    }

    /// Number of rows and columns.
    pub fn size(&self) -> usize {
        self.n
    }

    /// Rank of the matrix that was factored last.
    pub fn rank(&self) -> usize {
        self.rank
    }

    /// An orthonormal basis of the null space of the matrix that was factored last.
    pub fn null_space(&self) -> impl ExactSizeIterator<Item = &[f64]> {
        let n = self.n;
        (0..n - self.rank).map(move |k| &self.null[k * n..(k + 1) * n])
    }

    /// Replaces a matrix, by rows, by its factors, and returns its rank.
    ///
    /// # Errors
    /// [`NotFinite`] if an entry is.
    ///
    /// # Panics
    /// If the matrix has not `n * n` entries.
    pub fn factor(&mut self, a: &mut [f64]) -> Result<usize, NotFinite> {
        let n = self.n;
        assert_eq!(a.len(), n * n, "entries of the matrix");
        self.rank = 0;
        if let Some(at) = a.iter().position(|x| !x.is_finite()) {
            return Err(NotFinite { column: at % n });
        }
        self.weigh(a);
        for (k, order) in self.order.iter_mut().enumerate() {
            *order = k;
        }
        self.squares.fill(0.0);
        for row in a.chunks_exact(n.max(1)) {
            add_squares(row, &mut self.squares);
        }
        let mut first = 0.0;
        for k in 0..n {
            let (pivot, length) = longest(&self.squares, k);
            if k == 0 {
                first = length;
            }
            if length <= RANK_TOLERANCE * first {
                break;
            }
            if pivot != k {
                for row in a.chunks_exact_mut(n) {
                    row.swap(k, pivot);
                }
                self.order.swap(k, pivot);
                self.squares.swap(k, pivot);
            }
            let squares = &mut self.squares[k + 1..];
            self.heads[k] = reflect(a, n, k, length, &mut self.right, squares);
            self.rank = k + 1;
        }
        self.find_null_space(a);
        Ok(self.rank)
    }

    /// Replaces a right side by the solution, with the factors that [`factor`](Self::factor) left.
    ///
    /// # Panics
    /// If the lengths do not fit.
    pub fn solve(&mut self, a: &[f64], x: &mut [f64]) {
        let (n, rank) = (self.n, self.rank);
        assert_eq!((a.len(), x.len()), (n * n, n), "sizes of the system");
        let b = &mut self.right;
        for (b, (x, weight)) in b.iter_mut().zip(x.iter().zip(&self.row_weights)) {
            *b = x * weight;
        }
        for k in 0..rank {
            let head = self.heads[k];
            let mut dot = head * b[k];
            for i in k + 1..n {
                dot += a[i * n + k] * b[i];
            }
            b[k] -= dot * head;
            for i in k + 1..n {
                b[i] -= dot * a[i * n + k];
            }
        }
        back_substitute(a, n, rank, b);
        x.fill(0.0);
        for (k, y) in b[..rank].iter().enumerate() {
            let column = self.order[k];
            x[column] = y * self.column_weights[column];
        }
        // Twice: where units differ, the first time takes away large numbers.
        for _ in 0..2 {
            for null in self.null.chunks_exact(n.max(1)).take(n - rank) {
                remove(x, null);
            }
        }
    }

    /// `A <- D A E`.
    fn weigh(&mut self, a: &mut [f64]) {
        let n = self.n;
        for (row, weight) in a.chunks_exact_mut(n.max(1)).zip(&mut self.row_weights) {
            *weight = power_of_two(row.iter().fold(0.0, |m, x| larger(m, x.abs())));
            for x in row {
                *x *= *weight;
            }
        }
        let weights = &mut self.column_weights[..];
        weights.fill(0.0);
        for row in a.chunks_exact(n.max(1)) {
            for (largest, x) in weights.iter_mut().zip(row) {
                *largest = larger(*largest, x.abs());
            }
        }
        for weight in weights.iter_mut() {
            *weight = power_of_two(*weight);
        }
        for row in a.chunks_exact_mut(n.max(1)) {
            for (x, weight) in row.iter_mut().zip(&*weights) {
                *x *= weight;
            }
        }
    }

    /// `N`, by two rounds of Gram-Schmidt.
    fn find_null_space(&mut self, a: &[f64]) {
        let (n, rank) = (self.n, self.rank);
        for k in 0..n - rank {
            let column = rank + k;
            for i in 0..rank {
                self.right[i] = -a[i * n + column];
            }
            back_substitute(a, n, rank, &mut self.right);
            let (before, rest) = self.null.split_at_mut(k * n);
            let null = &mut rest[..n];
            null.fill(0.0);
            null[self.order[column]] = self.column_weights[self.order[column]];
            for i in 0..rank {
                null[self.order[i]] = self.right[i] * self.column_weights[self.order[i]];
            }
            normalize(null);
            for _ in 0..2 {
                for other in before.chunks_exact(n.max(1)) {
                    remove(null, other);
                }
                normalize(null);
            }
        }
    }
}

/// The power of two that brings a positive number to `[1, 2)`; 1 for zero.
fn power_of_two(largest: f64) -> f64 {
    if largest == 0.0 {
        return 1.0;
    }
    let exponent = (largest.to_bits() >> 52).clamp(1, 2045);
    f64::from_bits((2046 - exponent) << 52)
}

fn add_squares(row: &[f64], squares: &mut [f64]) {
    for (square, x) in squares.iter_mut().zip(row) {
        *square += x * x;
    }
}

/// The longest column from `k` on, and its length.
fn longest(squares: &[f64], k: usize) -> (usize, f64) {
    let (mut at, mut largest) = (k, -1.0);
    for (j, square) in squares.iter().enumerate().skip(k) {
        if *square > largest {
            (at, largest) = (j, *square);
        }
    }
    (at, largest.sqrt())
}

/// Reflects column `k` to its diagonal entry, and the columns after it alike. The reflection is
/// `I - u u^T`, `|u|^2 = 2`, with `u` below the diagonal and its first entry returned. Leaves the
/// squares of what is left of the columns after it.
///
/// All of it row by row, where the entries are beside each other.
fn reflect(
    a: &mut [f64],
    n: usize,
    k: usize,
    length: f64,
    dots: &mut [f64],
    squares: &mut [f64],
) -> f64 {
    let (done, rest) = a.split_at_mut((k + 1) * n);
    let (diagonal, beside) = done[k * n + k..].split_at_mut(1);
    let diagonal = &mut diagonal[0];
    let target = if *diagonal > 0.0 { -length } else { length };
    let scale = 1.0 / (length * (length + diagonal.abs())).sqrt();
    let head = (*diagonal - target) * scale;
    *diagonal = target;
    // u^T A
    let dots = &mut dots[..beside.len()];
    for (dot, x) in dots.iter_mut().zip(&*beside) {
        *dot = head * x;
    }
    for row in rest.chunks_exact_mut(n) {
        let row = &mut row[k..];
        row[0] *= scale;
        let u = row[0];
        if u != 0.0 {
            for (dot, x) in dots.iter_mut().zip(&row[1..]) {
                *dot += u * x;
            }
        }
    }
    // A - u (u^T A)
    for (x, dot) in beside.iter_mut().zip(&*dots) {
        *x -= dot * head;
    }
    squares.fill(0.0);
    for row in rest.chunks_exact_mut(n) {
        let (u, row) = (row[k], &mut row[k + 1..]);
        if u != 0.0 {
            for (x, dot) in row.iter_mut().zip(&*dots) {
                *x -= dot * u;
            }
        }
        add_squares(row, squares);
    }
    head
}

/// `b <- R11^-1 b`.
fn back_substitute(a: &[f64], n: usize, rank: usize, b: &mut [f64]) {
    for k in (0..rank).rev() {
        let row = &a[k * n..(k + 1) * n];
        b[k] = (b[k] - dot(&row[k + 1..rank], &b[k + 1..rank])) / row[k];
    }
}

/// `x <- x - u (u . x)`.
fn remove(x: &mut [f64], u: &[f64]) {
    let dot = dot(x, u);
    for (x, u) in x.iter_mut().zip(u) {
        *x -= dot * u;
    }
}

fn normalize(x: &mut [f64]) {
    let length = x.iter().map(|x| x * x).sum::<f64>().sqrt();
    for x in x {
        *x /= length;
    }
}

#[cfg(test)]
mod tests;
