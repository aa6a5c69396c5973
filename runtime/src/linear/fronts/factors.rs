//! Factors of all fronts, and substitution.

use super::structure::Structure;

/// Factors of all fronts, one after another.
#[derive(Clone, Debug, Default)]
pub(super) struct Factors {
    blocks: Vec<Block>,
    /// Rows of `[L\U, U12]`, then rows of `L21`.
    numbers: Vec<f64>,
    /// Rows of the pivots, their columns, rows of what is left, and its columns.
    indices: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Block {
    pivots: usize,
    rest: usize,
    numbers: usize,
    indices: usize,
}

impl Factors {
    pub(super) fn reserve(&mut self, structure: &Structure) {
        self.clear();
        self.blocks.reserve(structure.fronts.len());
        self.numbers.reserve(structure.factors);
        self.indices.reserve(structure.indices);
    }

    pub(super) fn clear(&mut self) {
        self.blocks.clear();
        self.numbers.clear();
        self.indices.clear();
    }

    /// Keeps the rows and columns of the pivots of a front.
    pub(super) fn keep(
        &mut self,
        pivots: usize,
        width: usize,
        front: &[f64],
        names: [&Vec<u32>; 2],
    ) {
        self.blocks.push(Block {
            pivots,
            rest: width - pivots,
            numbers: self.numbers.len(),
            indices: self.indices.len(),
        });
        let mut rows = front.chunks_exact(width.max(1));
        for row in rows.by_ref().take(pivots) {
            self.numbers.extend_from_slice(row);
        }
        for row in rows {
            self.numbers.extend_from_slice(&row[..pivots]);
        }
        for names in names {
            self.indices.extend_from_slice(&names[..pivots]);
        }
        for names in names {
            self.indices.extend_from_slice(&names[pivots..width]);
        }
    }

    /// Replaces a right-hand side by the solution, with row weights and two vectors of its length.
    pub(super) fn solve(
        &self,
        weights: &[f64],
        forward: &mut [f64],
        solution: &mut [f64],
        x: &mut [f64],
    ) {
        for (x, weight) in x.iter_mut().zip(weights) {
            *x *= weight;
        }
        let mut first = 0;
        for block in &self.blocks {
            let Block { pivots, rest, .. } = *block;
            let width = pivots + rest;
            let (rows, lower) = self.numbers_of(block);
            let names = &self.indices[block.indices..];
            let known = &mut forward[first..first + pivots];
            for (k, row) in rows.chunks_exact(width.max(1)).enumerate() {
                let sum: f64 = row.iter().zip(&known[..k]).map(|(l, y)| l * y).sum();
                known[k] = x[names[k] as usize] - sum;
            }
            let left = &names[2 * pivots..2 * pivots + rest];
            for (row, name) in lower.chunks_exact(pivots.max(1)).zip(left) {
                let sum: f64 = row.iter().zip(&*known).map(|(l, y)| l * y).sum();
                x[*name as usize] -= sum;
            }
            first += pivots;
        }
        for block in self.blocks.iter().rev() {
            let Block { pivots, rest, .. } = *block;
            let width = pivots + rest;
            let (rows, _) = self.numbers_of(block);
            let names = &self.indices[block.indices..];
            let columns = &names[pivots..2 * pivots];
            let border = &names[2 * pivots + rest..2 * width];
            first -= pivots;
            for k in (0..pivots).rev() {
                let row = &rows[k * width..(k + 1) * width];
                let mut sum = forward[first + k];
                for (u, name) in row[k + 1..]
                    .iter()
                    .zip(columns[k + 1..].iter().chain(border))
                {
                    sum -= u * solution[*name as usize];
                }
                solution[columns[k] as usize] = sum / row[k];
            }
        }
        x.copy_from_slice(solution);
    }

    /// Rows of the pivots, and rows of `L21`.
    fn numbers_of(&self, block: &Block) -> (&[f64], &[f64]) {
        let Block {
            pivots,
            rest,
            numbers,
            ..
        } = *block;
        let upper = pivots * (pivots + rest);
        let all = &self.numbers[numbers..numbers + upper + rest * pivots];
        all.split_at(upper)
    }
}
