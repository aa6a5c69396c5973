//! What is known about a matrix before its numbers: fronts, their borders and their order.
//!
//! Every unknown belongs to one or two vertices of a graph: a velocity to its body, a multiplier
//! to the bodies that its joint holds. An unknown is eliminated with the last of its vertices.
//! So a block is a body with the joints between it and bodies that are gone, or the ground. The
//! blocks up to any body are then the whole matrix of a smaller mechanism. Where constraints are
//! independent, so are those of a part of them, and no such matrix is singular: no rows need be
//! exchanged between blocks.
//!
//! The multipliers of a hub, which holds many others, would make one large block. They are
//! eliminated with the first of their vertices, so that what is left of each branch is coupled
//! to the velocity of the hub alone. The blocks before the hub are then those of a mechanism in
//! which it is fixed. Where that is singular, a few pivots are left to the hub, with care.

use super::Block;
use super::order::Graph;

/// A vertex with more multipliers than this is a hub.
const HUB: usize = 48;

/// A block of the matrix, or one entry of it, in its front.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    /// The place of its first entry in the sequence of entries.
    pub(super) at: u32,
    /// First row and column of the front, own unknowns first, then those of the border.
    pub(super) row: u32,
    pub(super) column: u32,
    pub(super) rows: u16,
    pub(super) columns: u16,
}

/// The unknowns of a block, and those that they are coupled to when their turn comes.
#[derive(Clone, Debug, Default)]
pub(super) struct Front {
    /// First of the own unknowns, their number, and the number of those of the border; one after
    /// another in [`Structure::unknowns`].
    pub(super) first: usize,
    pub(super) own: usize,
    pub(super) border: usize,
    /// The front that the border goes to.
    pub(super) parent: Option<usize>,
    /// Fronts before this one whose parent it is.
    pub(super) children: usize,
    /// First place of the border in [`Structure::relative`].
    pub(super) relative: usize,
    /// First part, and the end of the parts, in [`Structure::parts`].
    pub(super) parts: [usize; 2],
}

/// Fronts in an order in which all that leads to a front comes right before it.
#[derive(Clone, Debug, Default)]
pub(super) struct Structure {
    pub(super) fronts: Vec<Front>,
    pub(super) unknowns: Vec<u32>,
    /// Place of each unknown of a border in the parent, own unknowns first, then the border.
    pub(super) relative: Vec<u32>,
    pub(super) parts: Vec<Part>,
    /// Most numbers in a front, in all factors, in all borders that wait at a time.
    pub(super) largest: usize,
    pub(super) factors: usize,
    pub(super) waiting: usize,
    pub(super) indices: usize,
}

impl Structure {
    /// The structure of a matrix with these blocks, for unknowns with these vertices.
    pub(super) fn new(vertices: &[[u32; 2]], blocks_of_matrix: &[Block]) -> Self {
        let owner = owners(vertices, blocks_of_matrix);
        let blocks = owner.iter().map(|o| o + 1).max().unwrap_or(0);
        let mut own: Vec<Vec<u32>> = vec![Vec::new(); blocks];
        for (unknown, block) in (0_u32..).zip(&owner) {
            own[*block].push(unknown);
        }
        let borders = borders(&own, &owner, blocks_of_matrix);
        let up: Vec<Option<usize>> = borders
            .iter()
            .map(|border| border.first().map(|first| owner[*first as usize]))
            .collect();
        let sequence = depth_first(&up);
        let mut structure = Self::default();
        structure.add_fronts(&sequence, &own, &borders, &up);
        structure.add_parts(&sequence, &owner, blocks_of_matrix);
        structure.measure();
        structure
    }

    fn add_fronts(
        &mut self,
        sequence: &[usize],
        own: &[Vec<u32>],
        borders: &[Vec<u32>],
        up: &[Option<usize>],
    ) {
        let mut place = vec![0; own.len()];
        for (index, block) in sequence.iter().enumerate() {
            place[*block] = index;
        }
        let mut local = vec![0_u32; own.iter().map(Vec::len).sum()];
        for &block in sequence {
            let first = self.unknowns.len();
            self.unknowns
                .extend(own[block].iter().chain(&borders[block]));
            let relative = self.relative.len();
            if let Some(parent) = up[block] {
                for (at, unknown) in (0..).zip(own[parent].iter().chain(&borders[parent])) {
                    local[*unknown as usize] = at;
                }
                let places = borders[block]
                    .iter()
                    .map(|unknown| local[*unknown as usize]);
                self.relative.extend(places);
            }
            self.fronts.push(Front {
                first,
                own: own[block].len(),
                border: borders[block].len(),
                parent: up[block].map(|parent| place[parent]),
                children: 0,
                relative,
                parts: [0; 2],
            });
        }
        for i in 0..self.fronts.len() {
            if let Some(parent) = self.fronts[i].parent {
                self.fronts[parent].children += 1;
            }
        }
    }

    /// Each entry belongs to the first front of its row and its column; a block whose rows belong
    /// to one front, and its columns to one, stays together.
    fn add_parts(&mut self, sequence: &[usize], owner: &[usize], blocks: &[Block]) {
        let mut front = vec![0; sequence.len()];
        for (index, block) in sequence.iter().enumerate() {
            front[*block] = index;
        }
        // Blocks of unknowns are numbered in the order of elimination.
        let of = |part: &Part| front[owner[part.row as usize].min(owner[part.column as usize])];
        // With rows and columns of the matrix at first.
        let mut parts = Vec::with_capacity(blocks.len());
        let mut at = 0;
        for block in blocks {
            let whole = Part {
                at,
                row: block.row,
                column: block.column,
                rows: u16::try_from(block.rows).unwrap_or(0),
                columns: u16::try_from(block.columns).unwrap_or(0),
            };
            let same = |first: u32, count: u32| {
                let first = first as usize;
                let owners = &owner[first..first + count as usize];
                owners.iter().all(|owner| *owner == owners[0])
            };
            let fits = whole.rows > 0 && whole.columns > 0;
            if fits && same(block.row, block.rows) && same(block.column, block.columns) {
                parts.push(whole);
                at += block.rows * block.columns;
                continue;
            }
            for (row, column) in block.places() {
                parts.push(Part {
                    at,
                    row,
                    column,
                    rows: 1,
                    columns: 1,
                });
                at += 1;
            }
        }
        parts.sort_by_key(of);
        let mut next = 0;
        for (index, front) in self.fronts.iter_mut().enumerate() {
            let first = next;
            while parts.get(next).is_some_and(|part| of(part) == index) {
                next += 1;
            }
            front.parts = [first, next];
        }
        let mut local = vec![0_u32; owner.len()];
        self.parts = parts;
        for front in &self.fronts {
            let unknowns = &self.unknowns[front.first..front.first + front.own + front.border];
            for (at, unknown) in (0..).zip(unknowns) {
                local[*unknown as usize] = at;
            }
            for part in &mut self.parts[front.parts[0]..front.parts[1]] {
                part.row = local[part.row as usize];
                part.column = local[part.column as usize];
            }
        }
    }

    /// How much memory a factorization without delayed pivots needs.
    fn measure(&mut self) {
        let mut waiting = Vec::new();
        let mut open = 0;
        for front in &self.fronts {
            let size = front.own + front.border;
            self.largest = self.largest.max(size * size);
            self.factors += front.own * (size + front.border);
            self.indices += 2 * size;
            for _ in 0..front.children {
                open -= waiting.pop().unwrap_or(0);
            }
            waiting.push(front.border * front.border);
            open += front.border * front.border;
            self.waiting = self.waiting.max(open);
        }
    }
}

/// The block of each unknown; blocks are numbered in the order of elimination.
fn owners(vertices: &[[u32; 2]], blocks: &[Block]) -> Vec<usize> {
    let count = vertices
        .iter()
        .flatten()
        .max()
        .map_or(0, |last| *last as usize + 1);
    let mut graph = Graph::new(count);
    for [a, b] in vertices {
        graph.join(*a as usize, *b as usize);
    }
    for block in blocks {
        let mut last = None;
        for (row, column) in block.places() {
            let ends = [vertices[row as usize], vertices[column as usize]];
            // All entries of a block mostly have the same vertices.
            if last.replace(ends) == Some(ends) {
                continue;
            }
            for a in ends[0] {
                for b in ends[1] {
                    graph.join(a as usize, b as usize);
                }
            }
        }
    }
    let order = graph.order();
    let mut turn = vec![0; count];
    for (index, vertex) in order.iter().enumerate() {
        turn[*vertex] = index;
    }
    let of = |[a, b]: &[u32; 2]| [turn[*a as usize], turn[*b as usize]];
    let mut shared = vec![0; count];
    for [a, b] in vertices.iter().map(of).filter(|[a, b]| a != b) {
        shared[a.max(b)] += 1;
    }
    let turns: Vec<usize> = vertices
        .iter()
        .map(of)
        .map(|[a, b]| match a.max(b) {
            last if shared[last] > HUB => a.min(b),
            last => last,
        })
        .collect();
    // Vertices without unknowns are no blocks.
    let mut used = vec![false; count];
    for turn in &turns {
        used[*turn] = true;
    }
    let mut block = vec![0; count];
    let mut blocks = 0;
    for turn in 0..count {
        block[turn] = blocks;
        blocks += usize::from(used[turn]);
    }
    turns.into_iter().map(|turn| block[turn]).collect()
}

/// The later unknowns that each block is coupled to when its turn comes, in the order of
/// elimination.
fn borders(own: &[Vec<u32>], owner: &[usize], blocks: &[Block]) -> Vec<Vec<u32>> {
    let mut borders: Vec<Vec<u32>> = vec![Vec::new(); own.len()];
    for (row, column) in blocks.iter().flat_map(|block| block.places()) {
        let (a, b) = (owner[row as usize], owner[column as usize]);
        match a.cmp(&b) {
            std::cmp::Ordering::Less => borders[a].push(column),
            std::cmp::Ordering::Greater => borders[b].push(row),
            std::cmp::Ordering::Equal => {}
        }
    }
    for block in 0..own.len() {
        let mut border = std::mem::take(&mut borders[block]);
        border.sort_unstable_by_key(|unknown| (owner[*unknown as usize], *unknown));
        border.dedup();
        if let Some(first) = border.first() {
            let parent = owner[*first as usize];
            let rest = border
                .iter()
                .filter(|unknown| owner[**unknown as usize] != parent);
            borders[parent].extend(rest);
        }
        borders[block] = border;
    }
    borders
}

/// Blocks such that all that leads to a block comes right before it.
fn depth_first(up: &[Option<usize>]) -> Vec<usize> {
    let mut below: Vec<Vec<usize>> = vec![Vec::new(); up.len()];
    let mut waiting = Vec::new();
    for (block, parent) in up.iter().enumerate() {
        match parent {
            Some(parent) => below[*parent].push(block),
            None => waiting.push(block),
        }
    }
    // Parents first, each with the last of its children next: backwards that is the order.
    let mut sequence = Vec::with_capacity(up.len());
    while let Some(block) = waiting.pop() {
        sequence.push(block);
        waiting.append(&mut below[block]);
    }
    sequence.reverse();
    sequence
}
