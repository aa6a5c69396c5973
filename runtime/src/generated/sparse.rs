//! Elimination of a sparse matrix in an order that is found once.
//!
//! The places of the entries are the same for all matrices. The first factorization looks for
//! pivots: among the entries that are large enough in their row or column, the one whose
//! elimination changes the fewest others (Markowitz). Later factorizations repeat that order,
//! row by row, without a search and without exchanges, and watch how the entries of each row
//! grow: where they grow too much, an order is looked for again.
//!
//! Source: I. S. Duff, A. M. Erisman, J. K. Reid, Direct Methods for Sparse Matrices, chapters 5
//! and 7.

use core::mem::take;

use super::{LostPivot, PIVOT_GROWTH};

/// Smallest pivot against the largest entry of its row or column when the order is found.
const THRESHOLD: f64 = 0.1;
/// How much larger the entries of a row may become than they were.
const GROWTH: f64 = 1e6;
/// Room that is made for updates; an order that fills the matrix more than most do allocates.
const MOST_UPDATES: usize = 1 << 22;

/// A sparse matrix and its factors, in memory that is allocated once.
#[derive(Clone, Debug, Default)]
pub(super) struct Sparse {
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
    work: Vec<f64>,
    search: Search,
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
    /// What is subtracted from the rows: for each value of `L`, row by row.
    sources: Vec<Source>,
    /// Where it is subtracted: for each source its places in the row, counted from the first.
    updates: Vec<u32>,
}

/// The row of `U` that eliminates a value of `L`.
#[derive(Clone, Copy, Debug)]
struct Source {
    row: u32,
    /// Its values after the pivot.
    start: u32,
    end: u32,
}

/// Memory for the search of an order.
#[derive(Clone, Debug, Default)]
struct Search {
    values: Vec<f64>,
    filled: Vec<bool>,
    rows: Vec<usize>,
    columns: Vec<usize>,
    in_row: Vec<usize>,
    in_column: Vec<usize>,
    of_rows: Vec<f64>,
    of_columns: Vec<f64>,
    column_scales: Vec<f64>,
    /// Rows and columns that a pivot changes.
    below: Vec<usize>,
    right: Vec<usize>,
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
                sources: Vec::with_capacity(square),
                updates: Vec::with_capacity((n * square / 8).min(MOST_UPDATES)),
            },
            values: Vec::with_capacity(square),
            inverse: Vec::with_capacity(n),
            work: Vec::with_capacity(n),
            search: Search {
                values: Vec::with_capacity(square),
                filled: Vec::with_capacity(square),
                rows: Vec::with_capacity(n),
                columns: Vec::with_capacity(n),
                in_row: Vec::with_capacity(n),
                in_column: Vec::with_capacity(n),
                of_rows: Vec::with_capacity(n),
                of_columns: Vec::with_capacity(n),
                column_scales: Vec::with_capacity(n),
                below: Vec::with_capacity(n),
                right: Vec::with_capacity(n),
            },
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

    /// Number of rows and columns.
    pub(super) fn size(&self) -> usize {
        self.size
    }

    /// Factors the matrix with the given entries.
    ///
    /// # Errors
    /// [`LostPivot`] if the matrix is singular.
    pub(super) fn factor(&mut self) -> Result<(), LostPivot> {
        if self.order.found && self.eliminate(GROWTH).is_ok() {
            return Ok(());
        }
        // There is no better order than a new one: then only singular matrices fail.
        self.find_order()?;
        self.eliminate(f64::INFINITY)
    }

    /// Elimination in the order that was found, row by row, as long as entries grow by no more
    /// than a factor.
    fn eliminate(&mut self, growth: f64) -> Result<(), LostPivot> {
        let Order {
            scales,
            starts,
            diagonal,
            targets,
            pivots,
            ..
        } = &self.order;
        let (mut sources, mut updates) = (&self.order.sources[..], &self.order.updates[..]);
        let values = &mut self.values[..];
        values.fill(0.0);
        for (target, entry) in targets.iter().zip(&self.entries) {
            values[*target] += entry;
        }
        for k in 0..self.size {
            let (first, pivot, end) = (starts[k], diagonal[k], starts[k + 1]);
            let (done, row) = values[..end].split_at_mut(first);
            let (scales, left) = (&scales[first..end], pivot - first);
            let before = scaled_sum(row, scales);
            let (of_row, others) = sources.split_at(left);
            sources = others;
            for (at, source) in of_row.iter().enumerate() {
                let factor = row[at] * self.inverse[source.row as usize];
                row[at] = factor;
                let right = &done[source.start as usize..source.end as usize];
                let (places, others) = updates.split_at(right.len());
                updates = others;
                for (place, value) in places.iter().zip(right) {
                    row[*place as usize] -= factor * value;
                }
            }
            let after = scaled_sum(&row[left..], &scales[left..]);
            let size = row[left].abs() * scales[left];
            if !(size > PIVOT_GROWTH * before && after < growth * before) {
                return Err(LostPivot {
                    unknown: pivots[k].1,
                    pivot: size / before,
                });
            }
            self.inverse[k] = 1.0 / row[left];
        }
        Ok(())
    }

    /// Solves for a right side in place.
    pub(super) fn solve(&mut self, x: &mut [f64]) {
        let order = &self.order;
        let (values, work) = (&self.values[..], &mut self.work[..]);
        let product = |range: core::ops::Range<usize>, work: &[f64]| -> f64 {
            let columns = &order.columns[range.clone()];
            let terms = values[range].iter().zip(columns);
            terms
                .map(|(value, column)| value * work[*column as usize])
                .sum()
        };
        for (k, (row, _)) in order.pivots.iter().enumerate() {
            work[k] = x[*row] - product(order.starts[k]..order.diagonal[k], work);
        }
        for (k, (_, column)) in order.pivots.iter().enumerate().rev() {
            let known = product(order.diagonal[k] + 1..order.starts[k + 1], work);
            work[k] = (work[k] - known) * self.inverse[k];
            x[*column] = work[k];
        }
    }

    /// Looks for an order with the present entries.
    #[cold]
    fn find_order(&mut self) -> Result<(), LostPivot> {
        let (n, order) = (self.size, &mut self.order);
        order.found = false;
        self.search.run(n, &self.places, &self.entries, order)?;
        // Structure of the factors, rows and columns in the order of the pivots.
        let mut position_of_row = take(&mut self.search.in_row);
        let mut position_of_column = take(&mut self.search.in_column);
        for (k, (row, column)) in order.pivots.iter().enumerate() {
            position_of_row[*row] = k;
            position_of_column[*column] = k;
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
            let (k, l) = (position_of_row[*row], position_of_column[*column]);
            let range = order.starts[k]..order.starts[k + 1];
            let at = order.columns[range.clone()].partition_point(|column| (*column as usize) < l);
            order.targets.push(range.start + at);
        }
        self.search.in_row = position_of_row;
        self.search.in_column = position_of_column;
        order.list_updates();
        self.values.clear();
        self.values.resize(order.columns.len(), 0.0);
        for part in [&mut self.inverse, &mut self.work] {
            part.clear();
            part.resize(n, 0.0);
        }
        order.found = true;
        Ok(())
    }
}

impl Order {
    /// Lists all that elimination does.
    fn list_updates(&mut self) {
        self.sources.clear();
        self.updates.clear();
        for k in 0..self.pivots.len() {
            let columns = &self.columns[self.starts[k]..self.starts[k + 1]];
            for &row in &columns[..self.diagonal[k] - self.starts[k]] {
                let (start, end) = (
                    self.diagonal[row as usize] + 1,
                    self.starts[row as usize + 1],
                );
                let mut place = 0;
                for &column in &self.columns[start..end] {
                    // All of them are in the row: it was filled there.
                    while columns[place as usize] < column {
                        place += 1;
                    }
                    self.updates.push(place);
                }
                #[expect(clippy::cast_possible_truncation, reason = "few values")]
                let (start, end) = (start as u32, end as u32);
                self.sources.push(Source { row, start, end });
            }
        }
    }
}

impl Search {
    /// Eliminates with a choice of pivots; leaves the pivots in the order, and the places of the
    /// factors in `filled`.
    fn run(
        &mut self,
        n: usize,
        places: &[(usize, usize)],
        entries: &[f64],
        order: &mut Order,
    ) -> Result<(), LostPivot> {
        self.load(n, places, entries);
        order.pivots.clear();
        self.measure_all(n);
        for _ in 0..n {
            let (row, column, size) = self.choose(n);
            if !(size > PIVOT_GROWTH && size.is_finite()) {
                return Err(LostPivot {
                    unknown: column,
                    pivot: size,
                });
            }
            order.pivots.push((row, column));
            self.rows.retain(|i| *i != row);
            self.columns.retain(|j| *j != column);
            let (mut below, mut right) = (take(&mut self.below), take(&mut self.right));
            below.clear();
            right.clear();
            below.extend(self.rows.iter().filter(|i| self.filled[n * *i + column]));
            right.extend(self.columns.iter().filter(|j| self.filled[n * row + *j]));
            for i in &below {
                let factor = self.values[n * i + column] / self.values[n * row + column];
                for j in &right {
                    self.filled[n * i + j] = true;
                    self.values[n * i + j] -= factor * self.values[n * row + j];
                }
            }
            self.measure(n, &below, &right);
            (self.below, self.right) = (below, right);
        }
        Ok(())
    }

    /// The matrix with rows and columns of about size one.
    fn load(&mut self, n: usize, places: &[(usize, usize)], entries: &[f64]) {
        fn filled_with<T: Clone>(list: &mut Vec<T>, n: usize, value: T) {
            list.clear();
            list.resize(n, value);
        }
        filled_with(&mut self.values, n * n, 0.0);
        filled_with(&mut self.filled, n * n, false);
        filled_with(&mut self.column_scales, n, 1.0);
        for list in [&mut self.of_rows, &mut self.of_columns] {
            filled_with(list, n, 0.0);
        }
        for list in [&mut self.in_row, &mut self.in_column] {
            filled_with(list, n, 0);
        }
        for list in [&mut self.rows, &mut self.columns] {
            list.clear();
            list.extend(0..n);
        }
        for ((row, column), entry) in places.iter().zip(entries) {
            self.values[n * row + column] += entry;
            self.filled[n * row + column] = true;
        }
        let factor = |size: f64| if size > 0.0 { 1.0 / size.sqrt() } else { 1.0 };
        for _ in 0..4 {
            self.measure_all(n);
            for i in 0..n {
                for j in 0..n {
                    self.values[n * i + j] *= factor(self.of_rows[i]) * factor(self.of_columns[j]);
                }
            }
            for (scale, size) in self.column_scales.iter_mut().zip(&self.of_columns) {
                *scale *= factor(*size);
            }
        }
    }

    fn measure_all(&mut self, n: usize) {
        let (mut rows, mut columns) = (take(&mut self.below), take(&mut self.right));
        rows.clone_from(&self.rows);
        columns.clone_from(&self.columns);
        self.measure(n, &rows, &columns);
        (self.below, self.right) = (rows, columns);
    }

    /// Counts and sizes, among what is left, of rows and columns that changed.
    fn measure(&mut self, n: usize, rows: &[usize], columns: &[usize]) {
        let at = |i: usize, j: usize| {
            let filled = self.filled[n * i + j];
            filled.then(|| self.values[n * i + j].abs())
        };
        for &i in rows {
            let sizes = self.columns.iter().filter_map(|&j| at(i, j));
            (self.in_row[i], self.of_rows[i]) = count_and_largest(sizes);
        }
        for &j in columns {
            let sizes = self.rows.iter().filter_map(|&i| at(i, j));
            (self.in_column[j], self.of_columns[j]) = count_and_largest(sizes);
        }
    }

    /// The next pivot and its size; the largest entry if none is large among its neighbours.
    fn choose(&self, n: usize) -> (usize, usize, f64) {
        let mut best = None;
        let mut largest = (self.rows[0], self.columns[0], 0.0);
        for i in &self.rows {
            for j in &self.columns {
                if !self.filled[n * i + j] {
                    continue;
                }
                let size = self.values[n * i + j].abs();
                if size > largest.2 {
                    largest = (*i, *j, size);
                }
                let changed = (self.in_row[*i] - 1) * (self.in_column[*j] - 1);
                let better = best.is_none_or(|(known, _)| changed < known);
                let neighbours = self.of_rows[*i].min(self.of_columns[*j]);
                if better && size >= THRESHOLD * neighbours && size > PIVOT_GROWTH {
                    best = Some((changed, (*i, *j, size)));
                }
            }
        }
        best.map_or(largest, |(_, place)| place)
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

fn count_and_largest(sizes: impl Iterator<Item = f64>) -> (usize, f64) {
    sizes.fold((0, 0.0), |(count, largest), size| {
        (count + 1, size.max(largest))
    })
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
