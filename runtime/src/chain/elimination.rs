//! Block elimination along a [`Plan`].
//!
//! For each node, children first, with `D` the matrix of its block, `U` and `L`
//! its coupling to the interface (a part of the block of its parent):
//!
//! ```text
//! X = D^-1 U,     D_parent -= L X               factor
//! y = D^-1 r,     r_parent -= L y               forward
//! x = y - X x_parent                            backward
//! ```
//!
//! Within a block rows are exchanged for the pivot that is largest relative to
//! its row, between blocks they are not. `X` grows like the reciprocal of the
//! smallest pivot, and as many digits are lost. A pivot is small relative to
//!
//! - its row and its column, or
//! - `sqrt(d_i d_k)` for an entry `(i, k)`, with `d` the largest that a diagonal
//!   entry was while the block was assembled: then it is what cancellation left.
//!
//! Beyond eight digits the elimination stops: the matrix is assembled once more and
//! factored as a whole, with exchanges between blocks ([`Elimination::with_care`],
//! [`Banded`]; nodes in the order of the plan, breadth first, make a narrow band).
//! Memory is allocated once for a [`Shape`], that of the band when it is needed first.
//!
//! Where a matrix serves one right-hand side only, `D` and `L` can be forgotten as soon as
//! both are eliminated: a [passing](Elimination::passing) elimination keeps `X` alone, and the
//! few blocks that are open at a time stay in the cache.

use super::banded::{Banded, LostPivot};
use super::edge::Edge;
use super::plan::{Plan, Up};

/// Smallest relative pivot with which a block is eliminated.
const PIVOT_LIMIT: f64 = 1e-8;

/// Blocks with more unknowns than this are few, and would make places for all blocks large.
const LARGE: usize = 64;

/// Unknowns of a hub in a Schur complement.
const HUB: usize = 6;

/// What the unknowns of nodes and edges are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    /// Unknowns of a node.
    pub(super) node: usize,
    /// Unknowns of a row of constraints.
    pub(super) row: usize,
    /// Whether the interface contains the parent node.
    pub(super) coupled: bool,
}

/// A pivot that is zero to rounding, or too small for a block.
#[derive(Clone, Copy, Debug)]
pub(super) struct Breakdown {
    pub(super) node: usize,
    /// Unknown of the block.
    pub(super) unknown: usize,
    pub(super) pivot: f64,
    pub(super) scale: f64,
}

#[derive(Clone, Copy, Debug, Default)]
struct Place {
    /// Number of unknowns of the block.
    size: usize,
    /// Number of unknowns of the interface.
    interface: usize,
    /// First number of `[D U]` by rows.
    matrix: usize,
    /// First number of `L` by rows.
    lower: usize,
    /// First number of `X` by rows, if it is kept alone.
    kept: usize,
    /// First unknown.
    unknown: usize,
    /// How many unknowns of the interface are those of the parent node.
    shared: usize,
    /// Where the multipliers of the interface begin in the block of the parent.
    parent_rows: usize,
}

impl Place {
    /// Unknown of the parent's block for an unknown of the interface.
    #[inline]
    fn in_parent(&self, i: usize) -> usize {
        if i < self.shared {
            i
        } else {
            self.parent_rows + i - self.shared
        }
    }
}

/// Matrix, factors and a vector of unknowns.
#[derive(Clone, Debug)]
pub(super) struct Elimination {
    shape: Shape,
    places: Vec<Place>,
    /// Whether the block of a node was set to zeros since the matrix was begun.
    open: Vec<bool>,
    matrix: Vec<f64>,
    lower: Vec<f64>,
    pivots: Vec<usize>,
    unknowns: Vec<f64>,
    /// Largest that each diagonal entry was, in the order of the unknowns.
    diagonal: Vec<f64>,
    row_scale: Vec<f64>,
    column_scale: Vec<f64>,
    /// Whether the matrix is kept as it is assembled, to be factored as a whole.
    careful: bool,
    whole: Whole,
    passing: Option<Passing>,
}

/// What a passing elimination has beside its open blocks.
#[derive(Clone, Debug, Default)]
struct Passing {
    /// `X` of all blocks.
    kept: Vec<f64>,
    /// Numbers of the largest block that takes such a place, in `matrix` and in `lower`.
    largest: (usize, usize),
    /// Numbers of large blocks, which have places of their own before all others.
    own: (usize, usize),
    /// Places for open blocks, and those of them that are free.
    slots: usize,
    free: Vec<usize>,
}

/// The whole matrix.
#[derive(Clone, Debug, Default)]
struct Whole {
    band: Banded,
    /// First unknown of each node in the order of the plan.
    starts: Vec<usize>,
    unknowns: Vec<f64>,
}

impl Shape {
    /// Unknowns of a node itself; a Schur complement has those of hubs.
    #[inline]
    pub(super) fn of_node(self, plan: &Plan, node: usize) -> usize {
        match self.node {
            0 if plan.hub[node] => HUB,
            unknowns => unknowns,
        }
    }
}

impl Elimination {
    /// Nothing allocated yet.
    pub(super) fn empty() -> Self {
        Self {
            shape: Shape {
                node: 0,
                row: 0,
                coupled: false,
            },
            places: Vec::new(),
            open: Vec::new(),
            matrix: Vec::new(),
            lower: Vec::new(),
            pivots: Vec::new(),
            unknowns: Vec::new(),
            diagonal: Vec::new(),
            row_scale: Vec::new(),
            column_scale: Vec::new(),
            careful: false,
            whole: Whole::default(),
            passing: None,
        }
    }

    /// Nothing allocated yet; keeps no factors, so the right-hand side must be there before blocks
    /// are eliminated, and only [`backward`](Self::backward) remains to be done after that.
    pub(super) fn passing() -> Self {
        Self {
            passing: Some(Passing::default()),
            ..Self::empty()
        }
    }

    /// Calls `work`, which assembles and eliminates, and once more with the matrix as a whole
    /// if a block breaks down.
    pub(super) fn with_care(
        &mut self,
        mut work: impl FnMut(&mut Self) -> Result<(), Breakdown>,
    ) -> Result<(), Breakdown> {
        self.careful = false;
        work(self).or_else(|_| {
            self.careful = true;
            work(self)
        })
    }

    /// To be called when the last block is eliminated: factors what was kept as a whole.
    pub(super) fn finish(&mut self, plan: &Plan) -> Result<(), Breakdown> {
        if self.careful {
            return self.factor_whole(plan);
        }
        Ok(())
    }

    /// Zeros of a shape; allocates if the shape is another one than before.
    pub(super) fn begin(&mut self, plan: &Plan, edges: &[Edge], shape: Shape) {
        if let Some(Passing { slots, free, .. }) = &mut self.passing {
            free.clear();
            free.extend(0..*slots);
        }
        if self.shape == shape && !self.places.is_empty() {
            self.open.fill(false);
            return;
        }
        self.shape = shape;
        self.places.clear();
        let (mut matrix, mut lower, mut unknown, mut largest) = (0, 0, 0, 0);
        let mut largest_block = (0, 0);
        for (node, up) in plan.up.iter().enumerate() {
            let size = shape.of_node(plan, node) + shape.row * plan.owned_rows[node];
            let (mut interface, mut shared, mut parent_rows) = (0, 0, 0);
            if let Some(Up { node: parent, edge }) = *up {
                let above = shape.of_node(plan, parent);
                if plan.hub_above(node).is_some() {
                    (interface, shared) = (above, above);
                } else {
                    shared = if shape.coupled { above } else { 0 };
                    interface = shared + shape.row * edges[edge].rows;
                    parent_rows = above + shape.row * plan.slot[edge];
                }
            }
            self.places.push(Place {
                size,
                interface,
                matrix,
                lower,
                kept: lower,
                unknown,
                shared,
                parent_rows,
            });
            let block = (size * (size + interface), interface * size);
            matrix += block.0;
            lower += block.1;
            unknown += size;
            largest = largest.max(size);
            if size <= LARGE {
                largest_block = (block.0.max(largest_block.0), block.1.max(largest_block.1));
            }
        }
        if let Some(passing) = &mut self.passing {
            let kept = vec![0.0; lower];
            (matrix, lower) = (0, 0);
            for place in self.places.iter_mut().filter(|place| place.size > LARGE) {
                (place.matrix, place.lower) = (matrix, lower);
                matrix += place.size * (place.size + place.interface);
                lower += place.interface * place.size;
            }
            *passing = Passing {
                kept,
                largest: largest_block,
                own: (matrix, lower),
                ..Passing::default()
            };
        }
        self.matrix = vec![0.0; matrix];
        self.lower = vec![0.0; lower];
        self.unknowns = vec![0.0; unknown];
        self.diagonal = vec![0.0; unknown];
        self.pivots = vec![0; unknown];
        self.open = vec![false; self.places.len()];
        self.row_scale = vec![0.0; largest];
        self.column_scale = vec![0.0; largest];
    }

    /// Sets the block of a node to zeros before something is added for the first time: then it is
    /// in the cache when that happens.
    #[inline]
    fn open(&mut self, node: usize) {
        if core::mem::replace(&mut self.open[node], true) {
            return;
        }
        if let Some(passing) = &mut self.passing
            && self.places[node].size <= LARGE
        {
            let ((matrix, lower), own) = (passing.largest, passing.own);
            let slot = passing.free.pop().unwrap_or_else(|| {
                passing.slots += 1;
                self.matrix.resize(own.0 + passing.slots * matrix, 0.0);
                self.lower.resize(own.1 + passing.slots * lower, 0.0);
                passing.slots - 1
            });
            self.places[node].matrix = own.0 + slot * matrix;
            self.places[node].lower = own.1 + slot * lower;
        }
        let Place {
            size,
            interface,
            matrix,
            lower,
            unknown,
            ..
        } = self.places[node];
        self.matrix[matrix..matrix + size * (size + interface)].fill(0.0);
        self.lower[lower..lower + interface * size].fill(0.0);
        self.diagonal[unknown..unknown + size].fill(0.0);
    }

    /// A right-hand side of zeros.
    pub(super) fn clear_unknowns(&mut self) {
        self.unknowns.fill(0.0);
    }

    /// The unknowns of a block.
    #[inline]
    pub(super) fn block(&mut self, node: usize) -> &mut [f64] {
        let place = &self.places[node];
        &mut self.unknowns[place.unknown..place.unknown + place.size]
    }

    /// Factors the block of a node and takes its part from the block of its parent. To be
    /// called in the order of the plan, as soon as a block is complete: it is still in the
    /// cache then.
    #[inline]
    pub(super) fn eliminate(&mut self, plan: &Plan, node: usize) -> Result<(), Breakdown> {
        if self.careful {
            return Ok(());
        }
        self.open(node);
        self.factor_block(node)?;
        if let Some(up) = plan.up[node] {
            self.open(up.node);
            self.reduce_parent(node, up.node);
        }
        if self.passing.is_some() {
            self.forward(plan, node);
            self.close(node);
        }
        Ok(())
    }

    /// Keeps `X` of an eliminated block and forgets the rest.
    #[inline]
    fn close(&mut self, node: usize) {
        let place = &self.places[node];
        match (place.size, place.interface) {
            (8, 8) => self.close_sized(node, 8, 8),
            (16, 16) => self.close_sized(node, 16, 16),
            (size, interface) => self.close_sized(node, size, interface),
        }
    }

    #[inline(always)]
    fn close_sized(&mut self, node: usize, size: usize, interface: usize) {
        let Some(passing) = &mut self.passing else {
            return;
        };
        let Place { matrix, kept, .. } = self.places[node];
        let block = &self.matrix[matrix..matrix + size * (size + interface)];
        let kept = &mut passing.kept[kept..kept + size * interface];
        for k in 0..size {
            let row = &block[k * (size + interface) + size..][..interface];
            kept[k * interface..(k + 1) * interface].copy_from_slice(row);
        }
        if size <= LARGE {
            let slot = (matrix - passing.own.0) / passing.largest.0.max(1);
            passing.free.push(slot);
        }
    }

    /// Factors a complete matrix.
    pub(super) fn factor(&mut self, plan: &Plan) -> Result<(), Breakdown> {
        for &node in &plan.order {
            self.eliminate(plan, node)?;
        }
        self.finish(plan)
    }

    /// `D = P L U` in place with reciprocal pivots, and `U -> X = D^-1 U`.
    ///
    /// The sizes of long rods are known to the compiler: with loops over two or three
    /// numbers, most of the time would go into the loops.
    fn factor_block(&mut self, node: usize) -> Result<(), Breakdown> {
        let place = &self.places[node];
        match (place.size, place.interface) {
            (0, _) => Ok(()),
            (2, 2) => self.factor_sized(node, 2, 2),
            (3, 3) => self.factor_sized(node, 3, 3),
            (6, 6) => self.factor_sized(node, 6, 6),
            (8, 8) => self.factor_sized(node, 8, 8),
            (16, 16) => self.factor_sized(node, 16, 16),
            (size, interface) => self.factor_sized(node, size, interface),
        }
    }

    #[inline(always)]
    fn factor_sized(
        &mut self,
        node: usize,
        size: usize,
        interface: usize,
    ) -> Result<(), Breakdown> {
        let place = self.places[node];
        let width = size + interface;
        let matrix = &mut self.matrix[place.matrix..place.matrix + size * width];
        let pivots = &mut self.pivots[place.unknown..place.unknown + size];
        let diagonal = &mut self.diagonal[place.unknown..place.unknown + size];
        let (row_scale, column_scale) =
            (&mut self.row_scale[..size], &mut self.column_scale[..size]);
        column_scale.fill(0.0);
        for (row, scale) in matrix.chunks_exact(width).zip(row_scale.iter_mut()) {
            let largest = row[..size].iter().fold(0.0, |m: f64, x| m.max(x.abs()));
            *scale = if largest > 0.0 { 1.0 / largest } else { 0.0 };
            for (c, x) in column_scale.iter_mut().zip(row) {
                *c = c.max(x.abs() * *scale);
            }
        }
        for k in 0..size {
            let mut best = k;
            let mut best_size = -1.0;
            for i in k..size {
                let candidate = (matrix[i * width + k] * row_scale[i]).abs();
                if candidate > best_size {
                    best = i;
                    best_size = candidate;
                }
            }
            let pivot = matrix[best * width + k];
            let before = diagonal[best] * diagonal[k];
            let cancelled = pivot * pivot < PIVOT_LIMIT * PIVOT_LIMIT * before;
            // NaN never compares larger, so it ends here too.
            if cancelled || !(best_size > PIVOT_LIMIT * column_scale[k]) {
                return Err(Breakdown {
                    node,
                    unknown: k,
                    pivot,
                    scale: column_scale[k] / row_scale[best],
                });
            }
            pivots[k] = best;
            if best != k {
                let (above, below) = matrix.split_at_mut(best * width);
                above[k * width..(k + 1) * width].swap_with_slice(&mut below[..width]);
                row_scale.swap(k, best);
                diagonal.swap(k, best);
            }
            let (above, below) = matrix.split_at_mut((k + 1) * width);
            let pivot_row = &mut above[k * width..];
            let reciprocal = 1.0 / pivot_row[k];
            pivot_row[k] = reciprocal;
            let pivot_row = &pivot_row[k + 1..];
            for row in below.chunks_exact_mut(width) {
                if row[k] == 0.0 {
                    continue;
                }
                let factor = row[k] * reciprocal;
                row[k] = factor;
                for (x, p) in row[k + 1..].iter_mut().zip(pivot_row) {
                    *x -= factor * p;
                }
            }
        }
        if interface > 0 {
            for k in (0..size).rev() {
                let (above, below) = matrix.split_at_mut((k + 1) * width);
                let (factors, x) = above[k * width..].split_at_mut(size);
                for (row, factor) in below.chunks_exact(width).zip(&factors[k + 1..]) {
                    if *factor != 0.0 {
                        for (x, y) in x.iter_mut().zip(&row[size..]) {
                            *x -= factor * y;
                        }
                    }
                }
                for x in x {
                    *x *= factors[k];
                }
            }
        }
        Ok(())
    }

    /// `D_parent -= L X`.
    fn reduce_parent(&mut self, node: usize, parent: usize) {
        let (child, above) = (self.places[node], self.places[parent]);
        let (size, width) = (child.size, child.size + child.interface);
        let parent_width = above.size + above.interface;
        let shared = child.shared;
        // Blocks are stored by node, and a parent may be on either side.
        let (first, second) = self.matrix.split_at_mut(child.matrix.max(above.matrix));
        let (matrix, parent_matrix) = if child.matrix < above.matrix {
            (&first[child.matrix..], second)
        } else {
            (&*second, &mut first[above.matrix..])
        };
        for i in 0..child.interface {
            let place = child.in_parent(i);
            let to = &mut parent_matrix[place * parent_width..(place + 1) * parent_width];
            let diagonal = &mut self.diagonal[above.unknown + place];
            *diagonal = diagonal.max(to[place].abs());
            let lower = &self.lower[child.lower + i * size..][..size];
            for (factor, row) in lower.iter().zip(matrix.chunks_exact(width)) {
                if *factor == 0.0 {
                    continue;
                }
                let (node_part, row_part) = row[size..].split_at(shared);
                for (to, x) in to.iter_mut().zip(node_part) {
                    *to -= factor * x;
                }
                for (to, x) in to[child.parent_rows..].iter_mut().zip(row_part) {
                    *to -= factor * x;
                }
            }
        }
    }

    /// Replaces the right-hand side in `unknowns` by the solution.
    pub(super) fn solve(&mut self, plan: &Plan) {
        for &node in &plan.order {
            self.forward(plan, node);
        }
        self.solve_whole(plan);
        for &node in plan.order.iter().rev() {
            self.backward(plan, node);
        }
    }

    /// Between the sweeps: the solution of what was kept as a whole.
    pub(super) fn solve_whole(&mut self, plan: &Plan) {
        if !self.careful {
            return;
        }
        let Whole {
            band,
            starts,
            unknowns,
        } = &mut self.whole;
        for &node in &plan.order {
            let (place, at) = (&self.places[node], starts[node]);
            unknowns[at..at + place.size]
                .copy_from_slice(&self.unknowns[place.unknown..place.unknown + place.size]);
        }
        band.solve(unknowns);
        for &node in &plan.order {
            let (place, at) = (&self.places[node], starts[node]);
            self.unknowns[place.unknown..place.unknown + place.size]
                .copy_from_slice(&unknowns[at..at + place.size]);
        }
    }

    /// Brings the blocks into a band and factors it.
    #[cold]
    fn factor_whole(&mut self, plan: &Plan) -> Result<(), Breakdown> {
        let Whole {
            band,
            starts,
            unknowns,
        } = &mut self.whole;
        starts.resize(self.places.len(), 0);
        let (mut size, mut width) = (0, 0);
        for &node in &plan.order {
            starts[node] = size;
            size += self.places[node].size;
            width = width.max(self.places[node].size);
        }
        for (node, up) in plan.up.iter().enumerate() {
            if let Some(up) = up {
                let end = starts[up.node] + self.places[up.node].size;
                width = width.max(end - starts[node]);
            }
        }
        unknowns.resize(size, 0.0);
        let bandwidth = width.saturating_sub(1).min(size.saturating_sub(1));
        band.begin(size, bandwidth, bandwidth);
        for (node, up) in plan.up.iter().enumerate() {
            let (place, own) = (&self.places[node], starts[node]);
            let above = up.map_or(0, |up| starts[up.node]);
            let interface = |j: usize| above + place.in_parent(j);
            let rows = self.matrix[place.matrix..].chunks(place.size + place.interface);
            for (i, row) in rows.take(place.size).enumerate() {
                for (j, x) in row.iter().enumerate() {
                    let column = match j.checked_sub(place.size) {
                        None => own + j,
                        Some(j) => interface(j),
                    };
                    band.add(own + i, column, *x);
                }
            }
            for i in 0..place.interface {
                let row = &self.lower[place.lower + i * place.size..][..place.size];
                for (j, x) in row.iter().enumerate() {
                    band.add(interface(i), own + j, *x);
                }
            }
        }
        band.factor().map_err(|lost: LostPivot| {
            let holds = |node: &usize| {
                let size = self.places[*node].size;
                (starts[*node]..starts[*node] + size).contains(&lost.column)
            };
            let node = (0..starts.len()).find(holds).unwrap_or(0);
            Breakdown {
                node,
                unknown: lost.column - starts[node],
                pivot: lost.pivot,
                scale: lost.scale,
            }
        })
    }

    /// `y = D^-1 r`, `r_parent -= L y` for one block, children first.
    #[inline]
    pub(super) fn forward(&mut self, plan: &Plan, node: usize) {
        if self.careful {
            return;
        }
        let place = &self.places[node];
        match (place.size, place.interface) {
            (2, 2) => self.forward_sized(plan, node, 2, 2),
            (3, 3) => self.forward_sized(plan, node, 3, 3),
            (8, 8) => self.forward_sized(plan, node, 8, 8),
            (16, 16) => self.forward_sized(plan, node, 16, 16),
            (size, interface) => self.forward_sized(plan, node, size, interface),
        }
    }

    #[inline(always)]
    fn forward_sized(&mut self, plan: &Plan, node: usize, size: usize, interface: usize) {
        let child = self.places[node];
        let x = &mut self.unknowns[child.unknown..child.unknown + size];
        let pivots = &self.pivots[child.unknown..child.unknown + size];
        let matrix = &self.matrix[child.matrix..child.matrix + size * (size + interface)];
        solve_block(matrix, size + interface, pivots, x);
        let Some(up) = plan.up[node] else { return };
        let above = self.places[up.node].unknown;
        let lower = &self.lower[child.lower..child.lower + interface * size];
        for i in 0..interface {
            let y = &self.unknowns[child.unknown..child.unknown + size];
            let lower = &lower[i * size..(i + 1) * size];
            let product: f64 = lower.iter().zip(y).map(|(l, y)| l * y).sum();
            self.unknowns[above + child.in_parent(i)] -= product;
        }
    }

    /// `x = y - X x_parent` for one block, parents first.
    #[inline]
    pub(super) fn backward(&mut self, plan: &Plan, node: usize) {
        if self.careful {
            return;
        }
        let Some(up) = plan.up[node] else { return };
        let (child, above) = (self.places[node], self.places[up.node]);
        let (factors, width) = match &self.passing {
            Some(passing) => (&passing.kept[child.kept..], child.interface),
            None => (
                &self.matrix[child.matrix + child.size..],
                child.size + child.interface,
            ),
        };
        for j in 0..child.interface {
            let x = self.unknowns[above.unknown + child.in_parent(j)];
            for k in 0..child.size {
                self.unknowns[child.unknown + k] -= factors[k * width + j] * x;
            }
        }
    }
}

/// `r -> D^-1 r` with the factors of `D` in the first columns of a matrix.
#[inline(always)]
fn solve_block(matrix: &[f64], width: usize, pivots: &[usize], x: &mut [f64]) {
    let size = x.len();
    for k in 0..size {
        x.swap(k, pivots[k]);
    }
    for k in 1..size {
        let (before, rest) = x.split_at_mut(k);
        let row = &matrix[k * width..k * width + k];
        let product: f64 = row.iter().zip(&*before).map(|(l, x)| l * x).sum();
        rest[0] -= product;
    }
    for k in (0..size).rev() {
        let (before, after) = x.split_at_mut(k + 1);
        let row = &matrix[k * width + k..k * width + size];
        let product: f64 = row[1..].iter().zip(&*after).map(|(u, x)| u * x).sum();
        before[k] = (before[k] - product) * row[0];
    }
}

/// An equation or unknown: a block and a place in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct At {
    pub(super) node: usize,
    pub(super) index: usize,
}

impl Elimination {
    /// The entries from an equation and an unknown of the same block, or of a block and its
    /// parent: row by row, and the distance from one row to the next.
    #[inline]
    pub(super) fn part(&mut self, plan: &Plan, equation: At, unknown: At) -> (&mut [f64], usize) {
        self.open(equation.node);
        self.open(unknown.node);
        if equation.node == unknown.node {
            let place = &self.places[equation.node];
            let width = place.size + place.interface;
            let start = place.matrix + equation.index * width + unknown.index;
            return (&mut self.matrix[start..], width);
        }
        if plan.up[equation.node].is_some_and(|up| up.node == unknown.node) {
            let column = self.interface_index(equation.node, unknown.index);
            let place = &self.places[equation.node];
            let width = place.size + place.interface;
            let start = place.matrix + equation.index * width + place.size + column;
            return (&mut self.matrix[start..], width);
        }
        let row = self.interface_index(unknown.node, equation.index);
        let place = &self.places[unknown.node];
        let start = place.lower + row * place.size + unknown.index;
        (&mut self.lower[start..], place.size)
    }

    /// Adds a dense block, see [`Self::part`].
    #[inline]
    pub(super) fn add<const R: usize, const C: usize>(
        &mut self,
        plan: &Plan,
        equation: At,
        unknown: At,
        block: &nalgebra::SMatrix<f64, R, C>,
    ) {
        let (to, width) = self.part(plan, equation, unknown);
        for r in 0..R {
            for (c, to) in to[r * width..r * width + C].iter_mut().enumerate() {
                *to += block[(r, c)];
            }
        }
        if equation == unknown {
            self.note(equation, R.min(C));
        }
    }

    /// Notes the size of some diagonal entries.
    #[inline]
    pub(super) fn note(&mut self, at: At, count: usize) {
        let place = &self.places[at.node];
        let width = place.size + place.interface;
        for k in at.index..at.index + count {
            let entry = self.matrix[place.matrix + k * (width + 1)].abs();
            let diagonal = &mut self.diagonal[place.unknown + k];
            *diagonal = diagonal.max(entry);
        }
    }

    /// The unknown of the interface of a child for an unknown of its parent's block.
    #[inline]
    fn interface_index(&self, child: usize, index: usize) -> usize {
        let Place {
            shared,
            parent_rows,
            ..
        } = self.places[child];
        if index < shared {
            return index;
        }
        shared + index - parent_rows
    }
}
