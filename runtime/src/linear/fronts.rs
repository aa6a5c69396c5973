//! Elimination front by front, in an order that is found once.
//!
//! A front is a small dense matrix: the unknowns of a block and those that they are coupled to.
//! It is the sum of its entries of `D A` and of what earlier fronts have left; its own unknowns
//! are eliminated, and the rest is left to its parent (`structure`, `order`):
//!
//! ```text
//! | F11 F12 |        F11 = P^T L U Q^T
//! | F21 F22 |   ->   F22 - F21 F11^-1 F12   is added to the parent
//! ```
//!
//! For a chain, a ring or a net of a given width fronts have a bounded size, so the work is linear
//! in the number of unknowns.
//!
//! Rows are exchanged within `F11` only. A pivot is small relative to its row and column there, or
//! to `sqrt(d_i d_k)` for an entry `(i, k)`, with `d` the largest that a diagonal entry was while
//! it was summed up: then it is what cancellation left. Beyond eight digits the elimination is
//! done once more, with care: a pivot must be at least a tenth of its whole column, border and
//! all, and a column without one is left to the parent together with a row. What is left over
//! where there is no parent is singular. A matrix of which nothing is known but its entries is
//! always eliminated with care. With care fronts may be larger than foreseen; memory for
//! that is allocated when it is needed first.
//!
//! Source: I. S. Duff, J. K. Reid, The multifrontal solution of unsymmetric sets of linear
//! equations, SIAM J. Sci. Stat. Comput. 5(3), 1984, 633-641.

mod factors;
mod order;
mod structure;

use super::Singular;
use super::singular::{is_singular, larger, largest, not_finite, row_weight, singular};
use factors::Factors;
use structure::{Front, Structure};

/// Smallest relative pivot without care.
const PIVOT_LIMIT: f64 = 1e-8;
/// Smallest pivot relative to its column with care.
const CAREFUL_LIMIT: f64 = 0.1;

/// A block of entries: the first row and column, and how many of them there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Block {
    row: u32,
    column: u32,
    rows: u32,
    columns: u32,
}

impl Block {
    /// Rows and columns of the entries, row by row.
    fn places(self) -> impl Iterator<Item = (u32, u32)> {
        let columns = self.column..self.column + self.columns;
        let rows = self.row..self.row + self.rows;
        rows.flat_map(move |row| columns.clone().map(move |column| (row, column)))
    }
}

/// A matrix as the sequence of its blocks, and its factors.
#[derive(Clone, Debug, Default)]
pub(super) struct Fronts {
    /// The one or two vertices of each unknown.
    vertices: Vec<[u32; 2]>,
    /// Whether blocks are those of a mechanism.
    trusted: bool,
    /// Blocks of the last complete assembly, then those of the present one.
    blocks: Vec<Block>,
    /// Entries of the blocks, one block after another.
    entries: Vec<f64>,
    /// Number of blocks of the present assembly, and of their entries.
    given: usize,
    filled: usize,
    /// What depends on the blocks only; `None` if they have changed.
    structure: Option<Structure>,
    factors: Factors,
    work: Work,
    /// Whether the last factorization was done with care.
    careful: bool,
}

/// Memory that means nothing between two calls, but for the weights.
#[derive(Clone, Debug, Default)]
struct Work {
    /// Diagonal of `D`.
    weights: Vec<f64>,
    /// Largest entry of each column of `D A`.
    columns: Vec<f64>,
    /// Largest that each diagonal entry was.
    diagonal: Vec<f64>,
    front: Vec<f64>,
    rows: Vec<u32>,
    cols: Vec<u32>,
    row_scale: Vec<f64>,
    column_scale: Vec<f64>,
    /// What fronts have left, for parents that are still to come.
    waiting: Vec<f64>,
    left: Vec<Left>,
    /// Rows and columns of delayed pivots in `left`.
    delayed: Vec<[u32; 2]>,
    /// Place of each row or column of a child.
    places: Vec<usize>,
    forward: Vec<f64>,
    solution: Vec<f64>,
}

/// What a front has left.
#[derive(Clone, Copy, Debug)]
struct Left {
    front: usize,
    delayed: usize,
    numbers: usize,
}

/// Sizes of a front with its delayed pivots.
#[derive(Clone, Copy, Debug)]
struct Size {
    /// Rows and columns that may be eliminated.
    full: usize,
    width: usize,
}

impl Fronts {
    /// The unknowns of a mechanism, with one or two vertices each.
    pub(super) fn new(vertices: Vec<[u32; 2]>) -> Self {
        Self {
            vertices,
            trusted: true,
            ..Self::default()
        }
    }

    /// Any unknowns.
    pub(super) fn unknown(size: usize) -> Self {
        #[expect(clippy::cast_possible_truncation, reason = "fewer than 2^32 unknowns")]
        let vertices = (0..size as u32).map(|unknown| [unknown; 2]).collect();
        Self {
            vertices,
            ..Self::default()
        }
    }

    pub(super) fn begin(&mut self) {
        (self.given, self.filled) = (0, 0);
    }

    #[inline]
    pub(super) fn add_block(
        &mut self,
        [row, column]: [usize; 2],
        [rows, columns]: [usize; 2],
        values: &[f64],
    ) {
        #[expect(clippy::cast_possible_truncation, reason = "fewer than 2^32 unknowns")]
        let block = Block {
            row: row as u32,
            column: column as u32,
            rows: rows as u32,
            columns: columns as u32,
        };
        let end = self.filled + values.len();
        if self.blocks.get(self.given) == Some(&block) {
            self.entries[self.filled..end].copy_from_slice(values);
        } else {
            self.cut();
            self.blocks.push(block);
            self.entries.extend_from_slice(values);
        }
        self.given += 1;
        self.filled = end;
    }

    /// Forgets what the last assembly has beyond the present one.
    #[cold]
    fn cut(&mut self) {
        self.structure = None;
        self.blocks.truncate(self.given);
        self.entries.truncate(self.filled);
    }

    pub(super) fn factor(&mut self) -> Result<(), Singular> {
        if self.given < self.blocks.len() {
            self.cut();
        }
        let n = self.vertices.len();
        let structure = match &mut self.structure {
            Some(structure) => structure,
            none => {
                let structure = Structure::new(&self.vertices, &self.blocks);
                self.factors.reserve(&structure);
                self.work.reserve(&structure, n);
                none.insert(structure)
            }
        };
        self.work.weigh(&self.blocks, &self.entries)?;
        self.careful = false;
        let factors = &mut self.factors;
        if self.trusted
            && self
                .work
                .eliminate(structure, &self.entries, factors, false)
                .is_ok()
        {
            return Ok(());
        }
        self.careful = true;
        self.work.eliminate(structure, &self.entries, factors, true)
    }

    /// Whether the last factorization needed care.
    #[cfg(test)]
    pub(super) fn was_careful(&self) -> bool {
        self.careful
    }

    pub(super) fn solve(&mut self, x: &mut [f64]) {
        let Work {
            weights,
            forward,
            solution,
            ..
        } = &mut self.work;
        self.factors.solve(weights, forward, solution, x);
    }
}

impl Work {
    fn reserve(&mut self, structure: &Structure, n: usize) {
        self.weights.resize(n, 1.0);
        self.columns.resize(n, 0.0);
        self.diagonal.resize(n, 0.0);
        self.forward.resize(n, 0.0);
        self.solution.resize(n, 0.0);
        self.front.reserve(structure.largest);
        self.waiting.reserve(structure.waiting);
        self.left.reserve(structure.fronts.len());
        let widths = structure
            .fronts
            .iter()
            .map(|front| front.own + front.border);
        let width = widths.max().unwrap_or(0);
        for list in [&mut self.rows, &mut self.cols] {
            list.reserve(width);
        }
        for list in [&mut self.row_scale, &mut self.column_scale] {
            list.reserve(width);
        }
        self.places.reserve(width);
    }

    /// `D`, and the sizes of the columns of `D A`.
    fn weigh(&mut self, blocks: &[Block], entries: &[f64]) -> Result<(), Singular> {
        self.weights.fill(0.0);
        let mut rest = entries;
        for block in blocks {
            for row in block.row..block.row + block.rows {
                let (values, after) = rest.split_at(block.columns as usize);
                rest = after;
                let size = largest(values);
                if size.is_nan() {
                    let columns = blocks.iter().flat_map(|block| block.places());
                    let columns = columns.map(|(_, column)| column as usize);
                    return Err(not_finite(columns.zip(entries.iter().copied())));
                }
                let weight = &mut self.weights[row as usize];
                *weight = larger(*weight, size);
            }
        }
        for weight in &mut self.weights {
            *weight = row_weight(*weight);
        }
        self.columns.fill(0.0);
        let mut rest = entries;
        for block in blocks {
            let first = block.column as usize;
            let columns = &mut self.columns[first..first + block.columns as usize];
            for row in block.row..block.row + block.rows {
                let (values, after) = rest.split_at(columns.len());
                rest = after;
                let weight = self.weights[row as usize];
                for (column, x) in columns.iter_mut().zip(values) {
                    *column = larger(*column, x.abs() * weight);
                }
            }
        }
        Ok(())
    }

    /// Eliminates all fronts.
    fn eliminate(
        &mut self,
        structure: &Structure,
        entries: &[f64],
        factors: &mut Factors,
        careful: bool,
    ) -> Result<(), Singular> {
        factors.clear();
        self.waiting.clear();
        self.left.clear();
        self.delayed.clear();
        self.diagonal.fill(0.0);
        for (index, front) in structure.fronts.iter().enumerate() {
            let size = self.assemble(structure, front, entries);
            let pivots = if careful {
                self.eliminate_with_care(size, front.parent.is_none())?
            } else {
                self.eliminate_front(size)?;
                size.full
            };
            factors.keep(pivots, size.width, &self.front, [&self.rows, &self.cols]);
            if front.parent.is_some() {
                self.leave(index, pivots, size);
            }
        }
        Ok(())
    }

    /// Sums up a front: its entries, and what its children have left.
    fn assemble(&mut self, structure: &Structure, front: &Front, entries: &[f64]) -> Size {
        let children = self.left.len() - front.children;
        let delayed: usize = self.left[children..].iter().map(|left| left.delayed).sum();
        let first_delayed = self.delayed.len() - delayed;
        let unknowns = &structure.unknowns[front.first..front.first + front.own + front.border];
        let (own, border) = unknowns.split_at(front.own);
        self.rows.clear();
        self.rows.extend(own);
        self.cols.clear();
        self.cols.extend(own);
        let between = &self.delayed[first_delayed..];
        self.rows.extend(between.iter().map(|pair| pair[0]));
        self.cols.extend(between.iter().map(|pair| pair[1]));
        self.rows.extend(border);
        self.cols.extend(border);
        let (full, width) = (front.own + delayed, unknowns.len() + delayed);
        self.front.clear();
        self.front.resize(width * width, 0.0);
        let local = |place: u32| {
            let place = place as usize;
            if place < front.own {
                place
            } else {
                place + delayed
            }
        };
        for part in &structure.parts[front.parts[0]..front.parts[1]] {
            let (first, column) = (local(part.row), local(part.column));
            let [rows, columns] = [part.rows, part.columns].map(usize::from);
            let values = entries[part.at as usize..].chunks_exact(columns);
            for (row, values) in (first..first + rows).zip(values) {
                let weight = self.weights[self.rows[row] as usize];
                let at = row * width + column;
                for (x, value) in self.front[at..at + columns].iter_mut().zip(values) {
                    *x += value * weight;
                }
            }
        }
        self.note_diagonal(full, width);
        let mut next_delayed = front.own;
        for child in children..self.left.len() {
            let Left {
                front: index,
                delayed: late,
                numbers,
            } = self.left[child];
            let child = &structure.fronts[index];
            self.places.clear();
            self.places.extend(next_delayed..next_delayed + late);
            next_delayed += late;
            let relative = &structure.relative[child.relative..child.relative + child.border];
            self.places
                .extend(relative.iter().map(|place| local(*place)));
            let count = self.places.len();
            for (row, numbers) in self
                .places
                .iter()
                .zip(self.waiting[numbers..].chunks_exact(count.max(1)))
            {
                let row = &mut self.front[row * width..(row + 1) * width];
                for (column, x) in self.places.iter().zip(numbers) {
                    row[*column] += x;
                }
            }
            self.note_diagonal(full, width);
        }
        if let Some(first) = self.left.get(children) {
            self.waiting.truncate(first.numbers);
        }
        self.left.truncate(children);
        self.delayed.truncate(first_delayed);
        Size { full, width }
    }

    /// Notes how large the entries on the diagonal are.
    fn note_diagonal(&mut self, full: usize, width: usize) {
        for (i, (row, column)) in self.rows[..full].iter().zip(&self.cols).enumerate() {
            if row == column {
                let known = &mut self.diagonal[*row as usize];
                *known = larger(*known, self.front[i * width + i].abs());
            }
        }
    }

    /// Eliminates all that may be, with exchanges of rows among them.
    fn eliminate_front(&mut self, Size { full, width }: Size) -> Result<(), Singular> {
        let front = &mut self.front[..width * width];
        self.row_scale.clear();
        self.column_scale.clear();
        self.column_scale.resize(full, 0.0);
        for row in front.chunks_exact(width.max(1)).take(full) {
            let size = row[..full].iter().fold(0.0, |m, x| larger(m, x.abs()));
            let scale = if size > 0.0 { 1.0 / size } else { 0.0 };
            self.row_scale.push(scale);
            for (column, x) in self.column_scale.iter_mut().zip(row) {
                *column = larger(*column, x.abs() * scale);
            }
        }
        for k in 0..full {
            let (mut best, mut best_size) = (k, -1.0);
            for i in k..full {
                let size = (front[i * width + k] * self.row_scale[i]).abs();
                if size > best_size {
                    (best, best_size) = (i, size);
                }
            }
            let pivot = front[best * width + k];
            let before =
                self.diagonal[self.rows[best] as usize] * self.diagonal[self.cols[k] as usize];
            let cancelled = pivot * pivot < PIVOT_LIMIT * PIVOT_LIMIT * before;
            // NaN never compares larger, so it ends here too.
            if cancelled || !(best_size > PIVOT_LIMIT * self.column_scale[k]) {
                let column = self.cols[k] as usize;
                let weight = self.weights[self.rows[best] as usize];
                return Err(singular(column, pivot.abs(), self.columns[column], weight));
            }
            if best != k {
                exchange_rows(front, width, k, best);
                self.rows.swap(k, best);
                self.row_scale.swap(k, best);
            }
            eliminate_column(front, width, k);
        }
        Ok(())
    }

    /// Eliminates what has large pivots, columns with small numbers first: velocities come before
    /// multipliers, so that what is left over where there is no parent is a multiplier if it can be.
    fn eliminate_with_care(
        &mut self,
        Size { full, width }: Size,
        last: bool,
    ) -> Result<usize, Singular> {
        let front = &mut self.front[..width * width];
        for k in 0..full {
            let mut found: Option<(usize, usize, u32)> = None;
            let mut worst = Singular {
                index: 0,
                pivot: -1.0,
                scale: 0.0,
            };
            for column in k..full {
                let name = self.cols[column];
                if found.is_some_and(|(_, _, known)| known < name) {
                    continue;
                }
                let size = |row: usize| front[row * width + column].abs();
                let mut best = k;
                for row in k + 1..full {
                    if size(row) > size(best) {
                        best = row;
                    }
                }
                let all = (k..width).fold(0.0, |m, row| larger(m, size(row)));
                let scale = self.columns[name as usize];
                let lost = is_singular(size(best), scale);
                if lost || size(best) < CAREFUL_LIMIT * all {
                    if size(best) > worst.pivot {
                        let weight = self.weights[self.rows[best] as usize];
                        worst = singular(name as usize, size(best), scale, weight);
                    }
                } else {
                    found = Some((best, column, name));
                }
            }
            let Some((row, column, _)) = found else {
                return if last { Err(worst) } else { Ok(k) };
            };
            if row != k {
                exchange_rows(front, width, k, row);
                self.rows.swap(k, row);
            }
            if column != k {
                for row in front.chunks_exact_mut(width) {
                    row.swap(k, column);
                }
                self.cols.swap(k, column);
            }
            eliminate_column(front, width, k);
        }
        Ok(full)
    }

    /// Leaves what is not eliminated to the parent.
    fn leave(&mut self, index: usize, pivots: usize, Size { full, width }: Size) {
        self.left.push(Left {
            front: index,
            delayed: full - pivots,
            numbers: self.waiting.len(),
        });
        for i in pivots..full {
            self.delayed.push([self.rows[i], self.cols[i]]);
        }
        for row in self
            .front
            .chunks_exact(width.max(1))
            .take(width)
            .skip(pivots)
        {
            self.waiting.extend_from_slice(&row[pivots..]);
        }
    }
}

fn exchange_rows(front: &mut [f64], width: usize, a: usize, b: usize) {
    let (above, below) = front.split_at_mut(b * width);
    above[a * width..(a + 1) * width].swap_with_slice(&mut below[..width]);
}

/// Subtracts multiples of row `k` from the rows below it.
#[inline]
fn eliminate_column(front: &mut [f64], width: usize, k: usize) {
    let (above, below) = front.split_at_mut((k + 1) * width);
    let pivot_row = &above[k * width + k..];
    let (pivot, pivot_row) = (pivot_row[0], &pivot_row[1..]);
    let reciprocal = 1.0 / pivot;
    for row in below.chunks_exact_mut(width) {
        let row = &mut row[k..];
        if row[0] == 0.0 {
            continue;
        }
        let factor = row[0] * reciprocal;
        row[0] = factor;
        for (x, p) in row[1..].iter_mut().zip(pivot_row) {
            *x -= factor * p;
        }
    }
}
