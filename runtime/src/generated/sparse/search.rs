//! The search of an order of pivots, by an elimination of the whole matrix.

use core::mem::take;

use crate::linear::{Singular, is_singular};

/// Smallest pivot against the largest entry of its row or column.
const THRESHOLD: f64 = 0.1;

/// Memory for the search of an order.
#[derive(Clone, Debug, Default)]
pub(super) struct Search {
    values: Vec<f64>,
    pub(super) filled: Vec<bool>,
    rows: Vec<usize>,
    columns: Vec<usize>,
    /// Largest entries among what is left.
    largest_in_row: Vec<f64>,
    largest_in_column: Vec<f64>,
    pub(super) column_scales: Vec<f64>,
    /// Rows and columns that a pivot changes.
    below: Vec<usize>,
    right: Vec<usize>,
}

impl Search {
    /// Memory for matrices up to a size.
    pub(super) fn with_capacity(n: usize) -> Self {
        Self {
            values: Vec::with_capacity(n * n),
            filled: Vec::with_capacity(n * n),
            rows: Vec::with_capacity(n),
            columns: Vec::with_capacity(n),
            largest_in_row: Vec::with_capacity(n),
            largest_in_column: Vec::with_capacity(n),
            column_scales: Vec::with_capacity(n),
            below: Vec::with_capacity(n),
            right: Vec::with_capacity(n),
        }
    }

    /// Eliminates with a choice of pivots; leaves these in the list, and the places of the factors in
    /// `filled`.
    pub(super) fn run(
        &mut self,
        n: usize,
        places: &[(usize, usize)],
        entries: &[f64],
        pivots: &mut Vec<(usize, usize)>,
    ) -> Result<(), Singular> {
        self.load(n, places, entries);
        pivots.clear();
        self.measure_all(n);
        for _ in 0..n {
            let (row, column, size) = self.choose(n);
            // Rows and columns are scaled: their largest entries are about one.
            if is_singular(size, 1.0) {
                return Err(Singular {
                    index: column,
                    pivot: size,
                    scale: 1.0,
                });
            }
            pivots.push((row, column));
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
        for list in [&mut self.largest_in_row, &mut self.largest_in_column] {
            filled_with(list, n, 0.0);
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
                    self.values[n * i + j] *=
                        factor(self.largest_in_row[i]) * factor(self.largest_in_column[j]);
                }
            }
            for (scale, size) in self.column_scales.iter_mut().zip(&self.largest_in_column) {
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

    /// Largest entries, among what is left, of rows and columns that changed.
    fn measure(&mut self, n: usize, rows: &[usize], columns: &[usize]) {
        let largest = |sizes: &mut dyn Iterator<Item = f64>| sizes.fold(0.0, f64::max);
        let size = |i: usize, j: usize| self.values[n * i + j].abs();
        for &i in rows {
            let sizes = &mut self.columns.iter().map(|&j| size(i, j));
            self.largest_in_row[i] = largest(sizes);
        }
        for &j in columns {
            let sizes = &mut self.rows.iter().map(|&i| size(i, j));
            self.largest_in_column[j] = largest(sizes);
        }
    }

    /// The next pivot and its size; the largest entry if none is large among its neighbours.
    fn choose(&mut self, n: usize) -> (usize, usize, f64) {
        let (mut below, mut right) = (take(&mut self.below), take(&mut self.right));
        let mut best: Option<(usize, (usize, usize, f64))> = None;
        let mut largest = (self.rows[0], self.columns[0], 0.0);
        for &i in &self.rows {
            right.clear();
            right.extend(self.columns.iter().filter(|j| self.filled[n * i + *j]));
            for &j in &right {
                let size = self.values[n * i + j].abs();
                if size > largest.2 {
                    largest = (i, j, size);
                }
                let neighbours = self.largest_in_row[i].min(self.largest_in_column[j]);
                if !(size >= THRESHOLD * neighbours) || is_singular(size, 1.0) {
                    continue;
                }
                below.clear();
                below.extend(self.rows.iter().filter(|i| self.filled[n * *i + j]));
                let most = best.map_or(usize::MAX, |(fill, _)| fill);
                let mut fill = 0;
                for row in &below {
                    let empty = right.iter().filter(|j| !self.filled[n * row + *j]);
                    fill += empty.count();
                    if fill > most {
                        break;
                    }
                }
                if best.is_none_or(|(least, (_, _, other))| {
                    fill < least || fill == least && size > other
                }) {
                    best = Some((fill, (i, j, size)));
                }
            }
        }
        (self.below, self.right) = (below, right);
        best.map_or(largest, |(_, place)| place)
    }
}
