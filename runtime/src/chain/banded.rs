//! Band matrices, factored with exchanges of rows: what is left where elimination
//! block by block breaks down.
//!
//! `P D A = L U` with row weights `D` and the largest entry of a column as pivot.
//! `L` has the lower bandwidth `kl` of `A`, `U` the bandwidth `kl + ku`, so for a
//! given bandwidth the work is linear in the size. Each row is stored with its
//! columns from `i - kl` to `i + ku + kl`.
//!
//! Source: G. H. Golub, C. F. Van Loan, Matrix Computations, 4.3.3.

/// Smallest pivot relative to its column, in rows of size one, that is not taken for zero.
const PIVOT_LIMIT: f64 = 1e-14;

/// A pivot that is zero to rounding, in rows of size one.
#[derive(Clone, Copy, Debug)]
pub(super) struct LostPivot {
    pub(super) column: usize,
    pub(super) pivot: f64,
    pub(super) scale: f64,
}

/// A band matrix and its factors.
#[derive(Clone, Debug, Default)]
pub(super) struct Banded {
    size: usize,
    lower: usize,
    upper: usize,
    entries: Vec<f64>,
    weights: Vec<f64>,
    columns: Vec<f64>,
    exchanges: Vec<usize>,
}

impl Banded {
    /// Zeros; allocates if it was smaller before.
    pub(super) fn begin(&mut self, size: usize, lower: usize, upper: usize) {
        (self.size, self.lower, self.upper) = (size, lower, upper);
        self.entries.clear();
        self.entries.resize(size * self.width(), 0.0);
        self.weights.resize(size, 0.0);
        self.columns.resize(size, 0.0);
        self.exchanges.resize(size, 0);
    }

    fn width(&self) -> usize {
        2 * self.lower + self.upper + 1
    }

    fn at(&self, row: usize, column: usize) -> usize {
        row * self.width() + column + self.lower - row
    }

    /// Adds to an entry within the band.
    pub(super) fn add(&mut self, row: usize, column: usize, value: f64) {
        let at = self.at(row, column);
        self.entries[at] += value;
    }

    /// Columns of a row that may hold numbers before the factorization.
    fn band(&self, row: usize) -> core::ops::Range<usize> {
        row.saturating_sub(self.lower)..(row + self.upper + 1).min(self.size)
    }

    /// `P D A = L U` in place.
    pub(super) fn factor(&mut self) -> Result<(), LostPivot> {
        self.columns.fill(0.0);
        for row in 0..self.size {
            let band = self.at(row, self.band(row).start)..self.at(row, self.band(row).end - 1) + 1;
            let entries = &mut self.entries[band];
            let largest = entries.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
            let weight = if largest > 0.0 { 1.0 / largest } else { 1.0 };
            self.weights[row] = weight;
            let first = row.saturating_sub(self.lower);
            for (x, column) in entries.iter_mut().zip(&mut self.columns[first..]) {
                *x *= weight;
                *column = column.max(x.abs());
            }
        }
        for k in 0..self.size {
            let last_row = (k + self.lower + 1).min(self.size);
            let last_column = (k + self.lower + self.upper + 1).min(self.size);
            let size_at = |row: usize| self.entries[self.at(row, k)].abs();
            let mut best = k;
            for row in k + 1..last_row {
                if size_at(row) > size_at(best) {
                    best = row;
                }
            }
            // NaN never compares larger, so it ends here too.
            if !(size_at(best) > PIVOT_LIMIT * self.columns[k]) {
                return Err(LostPivot {
                    column: k,
                    pivot: self.entries[self.at(best, k)],
                    scale: self.columns[k],
                });
            }
            self.exchanges[k] = best;
            if best != k {
                for column in k..last_column {
                    let (a, b) = (self.at(k, column), self.at(best, column));
                    self.entries.swap(a, b);
                }
            }
            let pivot = self.entries[self.at(k, k)];
            for row in k + 1..last_row {
                let at = self.at(row, k);
                if self.entries[at] == 0.0 {
                    continue;
                }
                let factor = self.entries[at] / pivot;
                self.entries[at] = factor;
                for column in k + 1..last_column {
                    let from = self.entries[self.at(k, column)];
                    let to = self.at(row, column);
                    self.entries[to] -= factor * from;
                }
            }
        }
        Ok(())
    }

    /// Replaces a right-hand side by the solution.
    pub(super) fn solve(&self, x: &mut [f64]) {
        for (x, weight) in x.iter_mut().zip(&self.weights) {
            *x *= weight;
        }
        for k in 0..self.size {
            x.swap(k, self.exchanges[k]);
            let from = x[k];
            for row in k + 1..(k + self.lower + 1).min(self.size) {
                x[row] -= self.entries[self.at(row, k)] * from;
            }
        }
        for k in (0..self.size).rev() {
            let columns = k + 1..(k + self.lower + self.upper + 1).min(self.size);
            let known: f64 = columns.map(|j| self.entries[self.at(k, j)] * x[j]).sum();
            x[k] = (x[k] - known) / self.entries[self.at(k, k)];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Banded;

    /// Band matrices with zeros on the diagonal, by their products.
    #[test]
    fn a_band_is_solved() {
        for (size, lower, upper) in [(1, 0, 0), (2, 1, 1), (9, 2, 1), (20, 3, 5), (6, 5, 5)] {
            let mut seed = 1_u64;
            let mut next = || {
                seed = seed
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(99);
                f64::from(u16::try_from(seed >> 48).unwrap()) / 32768.0 - 1.0
            };
            let mut band = Banded::default();
            band.begin(size, lower, upper);
            let x: Vec<f64> = (0..size).map(|_| next()).collect();
            let mut right = vec![0.0; size];
            for row in 0..size {
                // Rows of different units.
                let units = 10_f64.powi(i32::try_from(row).unwrap() - 9);
                for column in band.band(row) {
                    let zero = row == column && size > 1 && row % 2 == 0;
                    let value = if zero { 0.0 } else { next() } * units;
                    band.add(row, column, value);
                    right[row] += value * x[column];
                }
            }
            band.factor().unwrap();
            band.solve(&mut right);
            for (found, x) in right.iter().zip(&x) {
                assert!((found - x).abs() < 1e-10, "{size}: {found} {x}");
            }
        }
    }

    /// The column that depends on those before it.
    #[test]
    fn a_singular_band_is_found() {
        let mut band = Banded::default();
        band.begin(3, 1, 1);
        for (row, column, value) in [
            (0, 0, 1.0),
            (0, 1, 2.0),
            (1, 0, 2.0),
            (1, 1, 4.0),
            (2, 2, 3.0),
        ] {
            band.add(row, column, value);
        }
        assert_eq!(band.factor().unwrap_err().column, 1);
    }
}
