//! `B` in the form in which it is cheap to multiply and to solve with.
//!
//! A joint that holds a point measures the gap along the axes `N` of its second body `b`,
//!
//! ```text
//! Phi = N^T (R_b^T d - p_b),   d = x_a + R_a p_a - x_b
//! ```
//!
//! Where translations are in inertial axes (direct products), the three rows are
//!
//! ```text
//! B = A^T W,   A = R_b N,   W = [-R_a p_a~, I | d~ R_b, -I]
//! ```
//!
//! in the order `Omega_a, x_a, Omega_b, x_b`. `W` has ones for most entries: stages are
//! eliminated with `W` and the multipliers `mu = A lambda`. `d` is not replaced by `R_b p_b`,
//! so `A^T W` is `B` also where the constraints do not hold.

use super::{HOT, Outputs, Slots, cut, moved_to};
use crate::expr::{Graph, Id};
use crate::mechanics::Mechanics;
use crate::model::{Joint, PositionAxes};

/// Entries of a row: column and value.
pub(super) type Row = Vec<(usize, Id)>;

/// `A` of the rows of a joint.
#[derive(Clone, Debug, PartialEq)]
struct Turn {
    /// The first of three rows.
    first: usize,
    matrix: [[Id; 3]; 3],
}

/// The rows `W`, with the matrices `A` where they are not those of `B`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Rows {
    pub(super) entries: Vec<Row>,
    turns: Vec<Turn>,
}

impl Rows {
    /// Over the slots of the geometry.
    pub(super) fn new(m: &mut Mechanics<'_>, slots: &mut Slots) -> Self {
        let (mut entries, mut turns) = (m.jacobian.clone(), Vec::new());
        let model = m.model;
        for (joint, rows) in model.joints.iter().zip(m.joint_rows.clone()) {
            let bodies = [joint.first.body, joint.second.body];
            let inertial = |body| !model.body(body).group.is_semidirect();
            if joint.kind.holds_point()
                && model.position_axes(joint) == PositionAxes::Second
                && bodies.into_iter().flatten().all(inertial)
            {
                let first = rows.start;
                entries[first..first + 3].clone_from_slice(&inertial_rows(m, joint));
                let matrix = axes_of_second(m, joint);
                turns.push(Turn { first, matrix });
            }
        }
        let g = m.graph();
        let mut rows = Self::plain(g, &entries, slots);
        for turn in &mut turns {
            for row in &mut turn.matrix {
                let entries = cut(g, row, slots, HOT);
                row.copy_from_slice(&entries);
            }
        }
        rows.turns = turns;
        rows
    }

    /// Rows of `B` as they are, over the slots of the geometry.
    pub(super) fn plain(g: &mut Graph, rows: &[Row], slots: &mut Slots) -> Self {
        let over_slots = |row: &Row| {
            let (columns, entries): (Vec<usize>, Vec<Id>) = row.iter().copied().unzip();
            let entries = cut(g, &entries, slots, HOT);
            columns.into_iter().zip(entries).collect()
        };
        Self::of(rows.iter().map(over_slots).collect())
    }

    /// Rows of `B` as they are.
    pub(super) fn of(entries: Vec<Row>) -> Self {
        Self {
            entries,
            turns: Vec::new(),
        }
    }

    /// The same over another geometry.
    pub(super) fn at(&self, g: &mut Graph, geometry: &'static str) -> Self {
        let mut moved = self.clone();
        for row in &mut moved.entries {
            for (_, entry) in row {
                *entry = moved_to(g, &[*entry], geometry)[0];
            }
        }
        for turn in &mut moved.turns {
            turn.matrix = turn
                .matrix
                .map(|row| row.map(|x| moved_to(g, &[x], geometry)[0]));
        }
        moved
    }

    /// The entries of `B`.
    pub(super) fn jacobian(&self, g: &mut Graph, columns: usize) -> Vec<Vec<Id>> {
        let mut dense = vec![vec![g.zero(); columns]; self.entries.len()];
        for (row, entries) in dense.iter_mut().zip(&self.entries) {
            for (column, entry) in entries {
                row[*column] = *entry;
            }
        }
        for column in 0..columns {
            let turned: Vec<Id> = dense.iter().map(|row| row[column]).collect();
            for (row, entry) in dense.iter_mut().zip(self.turned_back(g, &turned)) {
                row[column] = entry;
            }
        }
        dense
    }

    /// `B x`.
    pub(super) fn times(&self, g: &mut Graph, x: &[Id]) -> Outputs {
        let product = self.turned_times(g, x);
        self.turned_back(g, &product)
    }

    /// `B^T lambda`.
    pub(super) fn transpose_times(&self, g: &mut Graph, lambda: &[Id], columns: usize) -> Outputs {
        let mu = self.turned(g, lambda);
        self.turned_transpose_times(g, &mu, columns)
    }

    /// `A x`.
    pub(super) fn turned(&self, g: &mut Graph, x: &[Id]) -> Outputs {
        let mut turned = x.to_vec();
        for Turn { first, matrix } in &self.turns {
            for (i, row) in matrix.iter().enumerate() {
                turned[first + i] = g.dot(row, &x[*first..first + 3]);
            }
        }
        turned
    }

    /// `W x`.
    pub(super) fn turned_times(&self, g: &mut Graph, x: &[Id]) -> Outputs {
        let row_times = |row: &Row| {
            let mut sum = g.zero();
            for (column, entry) in row {
                let product = g.mul(*entry, x[*column]);
                sum = g.add(sum, product);
            }
            sum
        };
        self.entries.iter().map(row_times).collect()
    }

    /// `W^T mu`.
    pub(super) fn turned_transpose_times(
        &self,
        g: &mut Graph,
        mu: &[Id],
        columns: usize,
    ) -> Outputs {
        let mut out = vec![g.zero(); columns];
        for (row, mu) in self.entries.iter().zip(mu) {
            for (column, entry) in row {
                let product = g.mul(*entry, *mu);
                out[*column] = g.add(out[*column], product);
            }
        }
        out
    }

    /// `A^T x`: multipliers from those of `W`, rows of `B` from those of `W`.
    pub(super) fn turned_back(&self, g: &mut Graph, x: &[Id]) -> Outputs {
        let mut back = x.to_vec();
        for Turn { first, matrix } in &self.turns {
            for i in 0..3 {
                let axis = [matrix[0][i], matrix[1][i], matrix[2][i]];
                back[first + i] = g.dot(&x[*first..first + 3], &axis);
            }
        }
        back
    }
}

/// `W`.
fn inertial_rows(m: &mut Mechanics<'_>, joint: &Joint) -> [Row; 3] {
    let mut rows = [const { Vec::new() }; 3];
    let g = &mut m.geometry;
    let point = g.point_of(&joint.first);
    let origin = g.position(joint.second.body);
    let apart = g.sub(point, origin);
    for body in [joint.first.body, joint.second.body].into_iter().flatten() {
        let group = m.model.body(body).group;
        for (i, (column, along)) in g.basis(body).into_iter().enumerate() {
            let entries = if Some(body) == joint.second.body && group.rotates() && i < 3 {
                let unit = core::array::from_fn(|k| f64::from(u8::from(k == i)));
                let unit = g.constant(unit);
                let axis = g.rotated(Some(body), unit);
                g.cross(apart, axis)
            } else {
                g.vector_derivative(apart, &along)
            };
            for (row, entry) in rows.iter_mut().zip(g.lower(entries)) {
                if !g.graph.is_zero(entry) {
                    row.push((column, entry));
                }
            }
        }
    }
    for row in &mut rows {
        row.sort_by_key(|(column, _)| *column);
    }
    rows
}

/// `A`.
fn axes_of_second(m: &mut Mechanics<'_>, joint: &Joint) -> [[Id; 3]; 3] {
    let columns: [[Id; 3]; 3] = core::array::from_fn(|i| {
        let axis = m.geometry.axis_of(&joint.second, i);
        m.geometry.lower(axis)
    });
    core::array::from_fn(|i| columns.map(|column| column[i]))
}
