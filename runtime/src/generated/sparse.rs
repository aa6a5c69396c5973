//! Elimination of a sparse matrix in an order that is found once.
//!
//! The places of the entries are the same for all matrices. The first factorization looks for
//! pivots: among the entries that are large enough in their row or column, the one whose
//! elimination fills the fewest places, and of these the largest. Later factorizations repeat that
//! order, pivot by pivot, without a search and without exchanges, and watch how the entries of each
//! row grow: where they grow too much, an order is looked for again.
//!
//! Source: I. S. Duff, A. M. Erisman, J. K. Reid, Direct Methods for Sparse Matrices, chapters 5
//! and 7.

mod search;

use self::search::Search;
use crate::linear::{Singular, is_singular};

/// How much larger the entries of a row may become than they were.
const GROWTH: f64 = 1e6;
/// Room that is made for updates; an order that fills the matrix more than most do allocates.
const MOST_UPDATES: usize = 1 << 22;

/// A sparse matrix and its factors, in memory that is allocated once.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sparse {
    size: usize,
    /// Row and column of each entry as it is given; entries at the same place add up.
    places: Vec<(usize, usize)>,
    /// The values of these entries, set before each factorization.
    pub(super) entries: Vec<f64>,
    order: Order,
    /// Factors, row by row: of `L` before the diagonal, of `U` after it.
    values: Vec<f64>,
    /// Inverse of each pivot.
    inverse: Vec<f64>,
    /// Size of each row before elimination.
    sizes: Vec<f64>,
    work: Vec<f64>,
    search: Search,
    /// Which pivot is in a row and in a column of the matrix.
    pivot_of_row: Vec<usize>,
    pivot_of_column: Vec<usize>,
}

/// Pivots and the structure of the factors. Rows and columns are counted in the order of their
/// pivots.
#[derive(Clone, Debug, Default)]
struct Order {
    found: bool,
    /// Where each pivot was in the matrix.
    pivots: Vec<(usize, usize)>,
    /// First value of each row, and the end of the last.
    starts: Vec<usize>,
    /// Which value the pivot is.
    diagonal: Vec<usize>,
    /// Column of each value.
    columns: Vec<u32>,
    /// What makes entries of the column of each value about one, as it was when the order was
    /// found.
    scales: Vec<f64>,
    /// Which value each given entry is added to.
    targets: Vec<usize>,
    /// The values of `L` below each pivot.
    below: Vec<Below>,
    /// End of those of each pivot.
    ends: Vec<usize>,
    /// For each value of `L` where its row changes: one place for each value of `U` beside the
    /// pivot.
    updates: Vec<u32>,
}

/// A value of `L`.
#[derive(Clone, Copy, Debug)]
struct Below {
    /// Counted, as places in updates, from the end of the row of its pivot.
    value: u32,
    row: u32,
}

impl Sparse {
    /// Memory for matrices up to a size, and this many entries.
    pub(super) fn with_capacity(size: usize, entries: usize) -> Self {
        let (n, square) = (size, size * size);
        Self {
            size: 0,
            places: Vec::with_capacity(entries),
            entries: Vec::with_capacity(entries),
            order: Order {
                found: false,
                pivots: Vec::with_capacity(n),
                starts: Vec::with_capacity(n + 1),
                diagonal: Vec::with_capacity(n),
                columns: Vec::with_capacity(square),
                scales: Vec::with_capacity(square),
                targets: Vec::with_capacity(entries),
                below: Vec::with_capacity(square),
                ends: Vec::with_capacity(n),
                updates: Vec::with_capacity((n * square / 8).min(MOST_UPDATES)),
            },
            values: Vec::with_capacity(square),
            inverse: Vec::with_capacity(n),
            sizes: Vec::with_capacity(n),
            work: Vec::with_capacity(n),
            search: Search::with_capacity(n),
            pivot_of_row: Vec::with_capacity(n),
            pivot_of_column: Vec::with_capacity(n),
        }
    }

    /// Starts a matrix with entries at other places, none at first.
    pub(super) fn reset(&mut self, size: usize) {
        self.size = size;
        self.places.clear();
        self.entries.clear();
        self.order.found = false;
    }

    /// One more place.
    pub(super) fn push(&mut self, row: usize, column: usize) {
        self.push_fixed(row, column, 0.0);
    }

    /// One more place, whose entry has always the same value.
    pub(super) fn push_fixed(&mut self, row: usize, column: usize, value: f64) {
        self.places.push((row, column));
        self.entries.push(value);
    }

    /// Row, column and value of each entry as it was given.
    pub(super) fn given(&self) -> impl Iterator<Item = (usize, usize, f64)> {
        let given = self.places.iter().zip(&self.entries);
        given.map(|((row, column), entry)| (*row, *column, *entry))
    }

    /// Number of rows and columns.
    pub(super) fn size(&self) -> usize {
        self.size
    }

    /// Factors the matrix with the given entries.
    ///
    /// # Errors
    /// [`Singular`] if the matrix is.
    pub(crate) fn factor(&mut self) -> Result<(), Singular> {
        if self.order.found && self.eliminate(GROWTH).is_ok() {
            return Ok(());
        }
        // There is no better order than a new one: then only singular matrices fail.
        self.find_order()?;
        self.eliminate(f64::INFINITY)
    }

    /// Elimination in the order that was found, pivot by pivot, as long as entries grow by no more
    /// than a factor.
    fn eliminate(&mut self, growth: f64) -> Result<(), Singular> {
        let order = &self.order;
        let values = &mut self.values[..];
        values.fill(0.0);
        for (target, entry) in order.targets.iter().zip(&self.entries) {
            values[*target] += entry;
        }
        for (size, ends) in self.sizes.iter_mut().zip(order.starts.windows(2)) {
            let row = ends[0]..ends[1];
            *size = scaled_sum(&values[row.clone()], &order.scales[row]);
        }
        let (mut first, mut updates) = (0, &order.updates[..]);
        for (k, before) in self.sizes.iter().enumerate() {
            let (pivot, end) = (order.diagonal[k], order.starts[k + 1]);
            let (done, rest) = values.split_at_mut(end);
            let right = &done[pivot..];
            let after = scaled_sum(right, &order.scales[pivot..end]);
            let size = right[0].abs() * order.scales[pivot];
            if is_singular(size, *before) || !(after < growth * before) {
                return Err(Singular {
                    index: order.pivots[k].1,
                    pivot: size,
                    scale: *before,
                });
            }
            let (inverse, right) = (1.0 / right[0], &right[1..]);
            self.inverse[k] = inverse;
            for below in &order.below[first..order.ends[k]] {
                let value = &mut rest[below.value as usize];
                *value *= inverse;
                let factor = *value;
                let (places, others) = updates.split_at(right.len());
                updates = others;
                for (place, value) in places.iter().zip(right) {
                    rest[*place as usize] -= factor * value;
                }
            }
            first = order.ends[k];
        }
        Ok(())
    }

    /// Solves for a right side in place.
    pub(super) fn solve(&mut self, x: &mut [f64]) {
        let order = &self.order;
        let (values, work) = (&self.values[..], &mut self.work[..]);
        for (work, (row, _)) in work.iter_mut().zip(&order.pivots) {
            *work = x[*row];
        }
        let mut first = 0;
        for (k, end) in order.ends.iter().enumerate() {
            let (known, rest) = (work[k], &values[order.starts[k + 1]..]);
            for below in &order.below[first..*end] {
                work[below.row as usize] -= rest[below.value as usize] * known;
            }
            first = *end;
        }
        for (k, (_, column)) in order.pivots.iter().enumerate().rev() {
            let right = order.diagonal[k] + 1..order.starts[k + 1];
            let (columns, values) = (&order.columns[right.clone()], &values[right]);
            // Two sums, so that none waits for the other.
            let (columns, last_column) = columns.as_chunks::<2>();
            let (values, last_value) = values.as_chunks::<2>();
            let (mut known, mut other) = (0.0, 0.0);
            for (columns, values) in columns.iter().zip(values) {
                known += values[0] * work[columns[0] as usize];
                other += values[1] * work[columns[1] as usize];
            }
            if let ([column], [value]) = (last_column, last_value) {
                known += value * work[*column as usize];
            }
            work[k] = (work[k] - (known + other)) * self.inverse[k];
            x[*column] = work[k];
        }
    }

    /// Looks for an order with the present entries.
    #[cold]
    fn find_order(&mut self) -> Result<(), Singular> {
        let (n, order) = (self.size, &mut self.order);
        order.found = false;
        self.search
            .run(n, &self.places, &self.entries, &mut order.pivots)?;
        // Structure of the factors, rows and columns in the order of the pivots.
        for list in [&mut self.pivot_of_row, &mut self.pivot_of_column] {
            list.clear();
            list.resize(n, 0);
        }
        for (k, (row, column)) in order.pivots.iter().enumerate() {
            self.pivot_of_row[*row] = k;
            self.pivot_of_column[*column] = k;
        }
        order.starts.clear();
        order.diagonal.clear();
        order.columns.clear();
        order.scales.clear();
        order.starts.push(0);
        for (k, (row, _)) in order.pivots.iter().enumerate() {
            for (l, (_, other)) in (0..).zip(&order.pivots) {
                if l as usize == k {
                    order.diagonal.push(order.columns.len());
                }
                if self.search.filled[n * row + other] {
                    order.columns.push(l);
                    order.scales.push(self.search.column_scales[*other]);
                }
            }
            order.starts.push(order.columns.len());
        }
        order.targets.clear();
        for (row, column) in &self.places {
            let (k, l) = (self.pivot_of_row[*row], self.pivot_of_column[*column]);
            let range = order.starts[k]..order.starts[k + 1];
            let at = order.columns[range.clone()].partition_point(|column| (*column as usize) < l);
            order.targets.push(range.start + at);
        }
        order.list_updates();
        self.values.clear();
        self.values.resize(order.columns.len(), 0.0);
        for part in [&mut self.inverse, &mut self.sizes, &mut self.work] {
            part.clear();
            part.resize(n, 0.0);
        }
        order.found = true;
        Ok(())
    }
}

impl Order {
    /// Lists all that elimination does.
    #[expect(clippy::cast_possible_truncation, reason = "few values")]
    fn list_updates(&mut self) {
        self.below.clear();
        self.ends.clear();
        self.updates.clear();
        for k in 0..self.pivots.len() {
            let end = self.starts[k + 1];
            for row in k + 1..self.pivots.len() {
                let first = self.starts[row];
                let columns = &self.columns[first..self.starts[row + 1]];
                let place_of = |column: u32| {
                    let at = columns.partition_point(|other| *other < column);
                    (columns.get(at) == Some(&column)).then_some((first + at - end) as u32)
                };
                let Some(value) = place_of(k as u32) else {
                    continue;
                };
                let row = row as u32;
                self.below.push(Below { value, row });
                // All of them are in the row: it was filled there.
                let right = &self.columns[self.diagonal[k] + 1..end];
                self.updates
                    .extend(right.iter().filter_map(|j| place_of(*j)));
            }
            self.ends.push(self.below.len());
        }
    }
}

/// Size of a row: the sum of its scaled entries, which is not a number if one of them is not.
fn scaled_sum(row: &[f64], scales: &[f64]) -> f64 {
    // Four sums, so that none waits for the other.
    let mut sums = [0.0; 4];
    let (rows, scales) = (row.chunks_exact(4), scales.chunks_exact(4));
    let (rest, rest_of_scales) = (rows.remainder(), scales.remainder());
    for (part, scales) in rows.zip(scales) {
        for (sum, (x, scale)) in sums.iter_mut().zip(part.iter().zip(scales)) {
            *sum += x.abs() * scale;
        }
    }
    for (sum, (x, scale)) in sums.iter_mut().zip(rest.iter().zip(rest_of_scales)) {
        *sum += x.abs() * scale;
    }
    (sums[0] + sums[1]) + (sums[2] + sums[3])
}

/// A matrix of these rows.
#[cfg(test)]
pub(crate) fn sparse_of(rows: &[Vec<f64>]) -> Sparse {
    let mut sparse = Sparse::with_capacity(rows.len(), rows.len() * rows.len());
    sparse.reset(rows.len());
    for (i, row) in rows.iter().enumerate() {
        for (j, x) in row.iter().enumerate().filter(|(_, x)| **x != 0.0) {
            sparse.push_fixed(i, j, *x);
        }
    }
    sparse
}

#[cfg(test)]
mod tests {
    use super::Sparse;

    /// A tridiagonal matrix with corners, in rows of very different size.
    fn ring(n: usize, diagonal: f64) -> (Sparse, Vec<Vec<f64>>) {
        let mut sparse = Sparse::with_capacity(n, 4 * n);
        sparse.reset(n);
        let mut dense = vec![vec![0.0; n]; n];
        let mut add = |row: usize, column: usize, value: f64| {
            sparse.push(row, column);
            *sparse.entries.last_mut().expect("an entry") = value;
            dense[row][column] += value;
        };
        for i in 0..n {
            let size = if i % 3 == 0 { 1e6 } else { 1.0 };
            add(i, i, size * diagonal);
            add(i, (i + 1) % n, 0.5 * size);
            add((i + 1) % n, i, 0.25 * size + 1.0);
            add(i, i, 0.125 * size); // adds up
        }
        (sparse, dense)
    }

    fn error(sparse: &mut Sparse, dense: &[Vec<f64>]) -> f64 {
        let numbers = (1_u32..).take(dense.len());
        let expected: Vec<f64> = numbers.map(|i| 1.0 / f64::from(i * i)).collect();
        let times = |row: &Vec<f64>| row.iter().zip(&expected).map(|(a, x)| a * x).sum();
        let mut x: Vec<f64> = dense.iter().map(times).collect();
        sparse.solve(&mut x);
        let errors = x.iter().zip(&expected).map(|(x, y)| (x - y).abs());
        errors.fold(0.0, f64::max)
    }

    #[test]
    fn entries_add_up_and_the_order_is_kept_for_other_entries() {
        let (mut sparse, dense) = ring(11, 2.0);
        sparse.factor().expect("regular");
        assert!(error(&mut sparse, &dense) < 1e-14);
        let pivots = sparse.order.pivots.clone();
        let (other, dense) = ring(11, -3.0);
        sparse.entries.clone_from(&other.entries);
        sparse.factor().expect("regular");
        assert!(error(&mut sparse, &dense) < 1e-14);
        assert_eq!(sparse.order.pivots, pivots);
    }

    #[test]
    fn a_border_is_eliminated_last() {
        // Eliminated first, the border of the diagonal would fill all of the matrix.
        let n = 12;
        let mut sparse = Sparse::with_capacity(n, 3 * n);
        sparse.reset(n);
        for i in 0..n {
            sparse.push(i, i);
            *sparse.entries.last_mut().expect("an entry") = 2.0;
            for (row, column) in [(0, i), (i, 0)].into_iter().filter(|_| i > 0) {
                sparse.push(row, column);
                *sparse.entries.last_mut().expect("an entry") = 0.25;
            }
        }
        sparse.factor().expect("regular");
        assert_eq!(sparse.values.len(), 3 * n - 2);
        assert_eq!(sparse.order.updates.len(), n - 1);
    }

    #[test]
    fn a_lost_pivot_leads_to_another_order() {
        // The diagonal is the order of the first matrix, and zero in the second.
        let mut sparse = Sparse::with_capacity(2, 4);
        sparse.reset(2);
        for place in 0..4 {
            sparse.push(place / 2, place % 2);
        }
        sparse.entries.copy_from_slice(&[1.0, 0.01, 0.01, 1.0]);
        sparse.factor().expect("regular");
        assert!([(0, 0), (1, 1)].contains(&sparse.order.pivots[0]));
        sparse.entries.copy_from_slice(&[1e-20, 2.0, 4.0, 1e-20]);
        sparse.factor().expect("regular");
        let mut x = [2.0, 8.0];
        sparse.solve(&mut x);
        assert_eq!(x, [2.0, 1.0]);
    }

    #[test]
    fn a_singular_matrix_is_named() {
        let mut sparse = Sparse::with_capacity(2, 4);
        sparse.reset(2);
        for place in 0..4 {
            sparse.push(place / 2, place % 2);
        }
        sparse.entries.copy_from_slice(&[1.0, 2.0, 2.0, 1.0]);
        sparse.factor().expect("regular");
        sparse.entries.copy_from_slice(&[1.0, 2.0, 2.0, 4.0]);
        assert!(sparse.factor().is_err());
    }
}
