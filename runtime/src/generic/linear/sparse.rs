//! Sparse factorization by `faer`: column order once, numeric factorization again and again.
//!
//! Left-looking elimination of single columns (Gilbert & Peierls, SIAM J. Sci. Stat. Comput. 9(5),
//! 1988, 862-874) in approximate minimum degree order of the columns. The blocked variant of
//! `faer` is not used: it allocates its frontal matrices in every factorization and hides its
//! pivots.
use faer::dyn_stack::{MemBuffer, MemStack, StackReq};
use faer::perm::{Perm, PermRef};
use faer::sparse::linalg::lu::simplicial::{
    SimplicialLu, factorize_simplicial_numeric_lu, factorize_simplicial_numeric_lu_scratch,
    solve_in_place_scratch,
};
use faer::sparse::linalg::{LuError, colamd};
use faer::sparse::{SparseColMatRef, SymbolicSparseColMat};
use faer::{Conj, MatMut, Par};

use super::{Singular, is_singular, larger, not_finite, row_weight, singular};

/// A matrix as the sequence of its blocks, and its factorization.
#[derive(Clone, Debug)]
pub(super) struct Sparse {
    n: usize,
    /// Blocks of the last complete assembly, then those of the present one.
    tape: Vec<Block>,
    /// Entries of the blocks, one block after the other.
    entries: Vec<f64>,
    /// Number of blocks of the present assembly.
    blocks: usize,
    /// Number of entries in them.
    filled: usize,
    /// What depends on the tape only, and the factors. `None` if the tape has changed.
    pattern: Option<Pattern>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Block {
    row: usize,
    col: usize,
    rows: usize,
    cols: usize,
}

impl Sparse {
    pub(super) fn new(n: usize) -> Self {
        Self {
            n,
            tape: Vec::new(),
            entries: Vec::new(),
            blocks: 0,
            filled: 0,
            pattern: None,
        }
    }

    pub(super) fn begin(&mut self) {
        self.blocks = 0;
        self.filled = 0;
    }

    #[inline]
    pub(super) fn add_block(
        &mut self,
        row: usize,
        col: usize,
        rows: usize,
        cols: usize,
        values: &[f64],
    ) {
        let block = Block {
            row,
            col,
            rows,
            cols,
        };
        if self.tape.get(self.blocks) == Some(&block) {
            self.entries[self.filled..self.filled + values.len()].copy_from_slice(values);
        } else {
            self.cut_tape();
            self.tape.push(block);
            self.entries.extend_from_slice(values);
        }
        self.blocks += 1;
        self.filled += values.len();
    }

    /// Forgets what the last assembly has beyond the present one.
    fn cut_tape(&mut self) {
        self.pattern = None;
        self.tape.truncate(self.blocks);
        self.entries.truncate(self.filled);
    }

    pub(super) fn factor(&mut self) -> Result<(), Singular> {
        if self.blocks < self.tape.len() {
            self.cut_tape();
        }
        self.pattern
            .get_or_insert_with(|| Pattern::new(self.n, &self.tape))
            .factor(&self.entries)
    }

    pub(super) fn solve(&mut self, x: &mut [f64]) {
        match &mut self.pattern {
            Some(pattern) => pattern.solve(x),
            None => x.fill(f64::NAN),
        }
    }
}

/// Compressed columns and their factorization.
#[derive(Clone, Debug)]
struct Pattern {
    n: usize,
    /// Where each entry of the tape goes in `values`.
    slots: Vec<usize>,
    /// Rows of the entries, column by column.
    structure: SymbolicSparseColMat<usize>,
    /// `D A`.
    values: Vec<f64>,
    /// Diagonal of `D`.
    weights: Vec<f64>,
    /// Largest entry of each column of `D A`.
    columns: Vec<f64>,
    /// Column at each step of the elimination, and its inverse.
    order: Perm<usize>,
    /// Row of the pivot at each step of the elimination, and its inverse.
    pivot_rows: Vec<usize>,
    pivot_rows_inverse: Vec<usize>,
    lu: SimplicialLu<usize, f64>,
    scratch: Scratch,
}

impl Pattern {
    fn new(n: usize, tape: &[Block]) -> Self {
        let positions = |block: &Block| {
            let Block {
                row,
                col,
                rows,
                cols,
            } = *block;
            (row..row + rows).flat_map(move |i| (col..col + cols).map(move |j| (j, i)))
        };
        let mut unique: Vec<_> = tape.iter().flat_map(positions).collect();
        unique.sort_unstable();
        unique.dedup();
        let slots = (tape.iter().flat_map(positions))
            .map(|position| unique.partition_point(|other| *other < position))
            .collect();
        let starts = (0..=n)
            .map(|j| unique.partition_point(|&(col, _)| col < j))
            .collect();
        let rows: Vec<_> = unique.iter().map(|&(_, row)| row).collect();
        let count = rows.len();
        let structure = SymbolicSparseColMat::new_checked(n, n, starts, None, rows);
        let work = factorize_simplicial_numeric_lu_scratch::<usize, f64>(n, n)
            .or(solve_in_place_scratch::<usize, f64>(n, 1, Par::Seq));
        Self {
            n,
            slots,
            values: vec![0.0; count],
            weights: vec![1.0; n],
            columns: vec![0.0; n],
            order: column_order(&structure),
            structure,
            pivot_rows: vec![0; n],
            pivot_rows_inverse: vec![0; n],
            lu: SimplicialLu::new(),
            scratch: Scratch::new(work),
        }
    }

    fn factor(&mut self, entries: &[f64]) -> Result<(), Singular> {
        self.values.fill(0.0);
        for (&slot, entry) in self.slots.iter().zip(entries) {
            self.values[slot] += entry;
        }
        self.equilibrate()?;
        let result = factorize_simplicial_numeric_lu(
            &mut self.pivot_rows,
            &mut self.pivot_rows_inverse,
            &mut self.lu,
            SparseColMatRef::new(self.structure.as_ref(), &self.values),
            self.order.as_ref(),
            self.scratch.stack(),
        );
        match result {
            Ok(()) => self.check_pivots(),
            Err(LuError::SymbolicSingular { index }) => {
                // No row is left to take a unit from: the scale is that of `D A`.
                let column = self.order.arrays().0[index];
                Err(singular(column, 0.0, self.columns[column], 1.0))
            }
            // As for every other allocation of the program.
            Err(LuError::Generic(error)) => panic!("sparse factorization: {error:?}"),
        }
    }

    /// `values <- D A`.
    fn equilibrate(&mut self) -> Result<(), Singular> {
        let rows = self.structure.row_idx();
        self.weights.fill(0.0);
        for (&i, x) in rows.iter().zip(&self.values) {
            if !x.is_finite() {
                let columns = (0..self.n).flat_map(|j| self.structure.col_range(j).map(move |_| j));
                return Err(not_finite(columns.zip(self.values.iter().copied())));
            }
            self.weights[i] = larger(self.weights[i], x.abs());
        }
        for weight in &mut self.weights {
            *weight = row_weight(*weight);
        }
        for j in 0..self.n {
            self.columns[j] = 0.0;
            for k in self.structure.col_range(j) {
                self.values[k] *= self.weights[rows[k]];
                self.columns[j] = larger(self.columns[j], self.values[k].abs());
            }
        }
        Ok(())
    }

    /// The factorization divides by whatever pivot it has found: here they are judged. The pivot is
    /// the last entry of its column of `U`.
    fn check_pivots(&self) -> Result<(), Singular> {
        let u = self.lu.u_factor_unsorted();
        for (k, &column) in self.order.arrays().0.iter().enumerate() {
            let pivot = u.val_of_col(k).last().map_or(0.0, |pivot| pivot.abs());
            if is_singular(pivot, self.columns[column], self.n) {
                let weight = self.weights[self.pivot_rows[k]];
                return Err(singular(column, pivot, self.columns[column], weight));
            }
        }
        Ok(())
    }

    fn solve(&mut self, x: &mut [f64]) {
        for (x, weight) in x.iter_mut().zip(&self.weights) {
            *x *= weight;
        }
        self.lu.solve_in_place_with_conj(
            PermRef::new_checked(&self.pivot_rows, &self.pivot_rows_inverse, self.n),
            self.order.as_ref(),
            Conj::No,
            MatMut::from_column_major_slice_mut(x, self.n, 1),
            Par::Seq,
            self.scratch.stack(),
        );
    }
}

/// Column order by approximate minimum degree, for any row exchanges.
fn column_order(structure: &SymbolicSparseColMat<usize>) -> Perm<usize> {
    let n = structure.ncols();
    let mut forward = vec![0; n].into_boxed_slice();
    let mut inverse = forward.clone();
    let work = colamd::order_scratch::<usize>(n, n, structure.row_idx().len());
    colamd::order(
        &mut forward,
        &mut inverse,
        structure.as_ref(),
        colamd::Control::default(),
        Scratch::new(work).stack(),
    )
    .unwrap_or_else(|error| panic!("column order: {error:?}"));
    Perm::new_checked(forward, inverse, n)
}

/// Working memory that means nothing between two calls.
struct Scratch {
    size: StackReq,
    memory: MemBuffer,
}

impl Scratch {
    fn new(size: StackReq) -> Self {
        Self {
            size,
            memory: MemBuffer::new(size),
        }
    }

    fn stack(&mut self) -> &mut MemStack {
        MemStack::new(&mut self.memory)
    }
}

impl Clone for Scratch {
    fn clone(&self) -> Self {
        Self::new(self.size)
    }
}

impl std::fmt::Debug for Scratch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Scratch").field(&self.size).finish()
    }
}
