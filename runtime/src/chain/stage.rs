//! A half-explicit stage of a tree in two sweeps.
//!
//! ```text
//! M V' + B^T lambda = -g,   B' (V' + reach) = 0          a prime on B: the next stage
//! ```
//!
//! (`reach = weight v`). With the free acceleration `a = -M^-1 g`: `B' M^-1 B^T lambda = B' (a + reach)`.
//! From the leaves to the root, each node gets its force, adds its part of the
//! matrix and of the right-hand side to its edges, and is eliminated while all
//! of that is in the cache. Back from the root: `lambda` of its edges, then
//! `V' = a - M^-1 B^T lambda`.
//!
//! A [hub](super::plan) keeps its `y = V' + reach` as an unknown, so that its edges are coupled to that
//! and not to each other:
//!
//! ```text
//! y + M^-1 B^T lambda = a + reach        in the block of the hub
//! ... - B' y = ...                       instead of its part of B' M^-1 B^T lambda = B' (a + reach)
//! ```

use super::assembly::{MOST_ROWS, SCHUR};
use super::edge::EdgeKind;
use super::elimination::{At, Breakdown, Elimination};
use super::plan::Up;
use super::tree::{Tree, TreeGeometry};
use crate::system::{NextStage, Stage};
use nalgebra::{Matrix6, Vector6};

/// Rows of `B` at one node, for all its edges.
#[derive(Clone, Debug, Default)]
pub(super) struct NodeRows {
    /// Of the next stage.
    held: Vec<Vector6<f64>>,
    /// `M^-1` times those of this stage.
    moved: Vec<Vector6<f64>>,
}

impl NodeRows {
    /// Memory for the node with the most rows.
    pub(super) fn new(tree: &Tree) -> Self {
        let rows = |node| {
            let edges = tree.plan.edges_at(node).iter();
            edges.map(|edge| tree.edges[*edge].rows).sum()
        };
        let most = (0..tree.nodes.len()).map(rows).max().unwrap_or(0);
        Self {
            held: vec![Vector6::zeros(); most],
            moved: vec![Vector6::zeros(); most],
        }
    }
}

impl Tree {
    /// Adds the part of a node to a Schur complement. The rows stay in `rows`.
    #[inline]
    pub(super) fn add_mobility(
        &self,
        node: usize,
        [next, this]: [&TreeGeometry; 2],
        rows: &mut NodeRows,
        elimination: &mut Elimination,
    ) {
        let (data, edges) = (&self.nodes[node], self.plan.edges_at(node));
        let mut at = 0;
        for &edge in edges {
            let edge = &self.edges[edge];
            let range = at..at + edge.rows;
            let (held, moved) = (&mut rows.held[range.clone()], &mut rows.moved[range]);
            self.rows_at(edge, node, &next.poses, &next.strains, held);
            self.rows_at(edge, node, &this.poses, &this.strains, moved);
            for moved in moved {
                *moved = data.accelerate(moved);
            }
            at += edge.rows;
        }
        let motion = At { node, index: 0 };
        if self.plan.hub[node] {
            elimination.add(&self.plan, motion, motion, &Matrix6::<f64>::identity());
            let mut first = 0;
            for &edge in edges {
                let range = first..first + self.edges[edge].rows;
                first = range.end;
                // Those of branches came with them.
                if self.plan.owner[edge] == node || self.leads_up(node, edge) {
                    let parts = (&rows.held[range.clone()], &rows.moved[range]);
                    self.add_motion(motion, edge, parts, elimination);
                }
            }
        } else {
            self.add_pairs(edges, rows, elimination);
        }
        if let Some(Up { node: hub, edge }) = self.plan.hub_above(node) {
            let kind = &self.edges[edge];
            let mut held = [Vector6::zeros(); MOST_ROWS];
            let mut moved = [Vector6::zeros(); MOST_ROWS];
            let (held, moved) = (&mut held[..kind.rows], &mut moved[..kind.rows]);
            self.rows_at(kind, hub, &next.poses, &next.strains, held);
            self.rows_at(kind, hub, &this.poses, &this.strains, moved);
            for moved in moved.iter_mut() {
                *moved = self.nodes[hub].accelerate(moved);
            }
            let motion = At {
                node: hub,
                index: 0,
            };
            self.add_motion(motion, edge, (held, moved), elimination);
        }
    }

    fn leads_up(&self, node: usize, edge: usize) -> bool {
        self.plan.up[node].is_some_and(|up| up.edge == edge)
    }

    /// `-B'` and `M^-1 B^T` of an edge of a hub.
    fn add_motion(
        &self,
        motion: At,
        edge: usize,
        (held, moved): (&[Vector6<f64>], &[Vector6<f64>]),
        elimination: &mut Elimination,
    ) {
        let first = self.edge_at(edge, SCHUR);
        for (i, (held, moved)) in held.iter().zip(moved).enumerate() {
            let row = At {
                node: first.node,
                index: first.index + i,
            };
            elimination.add(&self.plan, row, motion, &-held.transpose());
            elimination.add(&self.plan, motion, row, moved);
        }
    }

    /// `B' M^-1 B^T` for all pairs of edges at a node.
    #[inline]
    fn add_pairs(&self, edges: &[usize], rows: &NodeRows, elimination: &mut Elimination) {
        let mut first_row = 0;
        for &row_edge in edges {
            let held = &rows.held[first_row..first_row + self.edges[row_edge].rows];
            let row = self.edge_at(row_edge, SCHUR);
            first_row += held.len();
            let mut first_column = 0;
            for &column_edge in edges {
                let moved = &rows.moved[first_column..first_column + self.edges[column_edge].rows];
                let column = self.edge_at(column_edge, SCHUR);
                first_column += moved.len();
                if held.is_empty() || moved.is_empty() {
                    continue;
                }
                let (to, width) = elimination.part(&self.plan, row, column);
                for (i, held) in held.iter().enumerate() {
                    for (to, moved) in to[i * width..].iter_mut().zip(moved) {
                        *to += held.dot(moved);
                    }
                }
                if row == column {
                    elimination.note(row, held.len());
                }
            }
        }
    }

    /// [`System::stage_solve`](crate::system::System::stage_solve).
    pub(super) fn solve_stage(
        &self,
        stage: &Stage<'_, Self>,
        next: &NextStage<'_, Self>,
        vdot: &mut [f64],
        lambda: &mut [f64],
        rows: &mut NodeRows,
        elimination: &mut Elimination,
    ) -> Result<(), Breakdown> {
        let (plan, geometry) = (&self.plan, stage.geometry);
        self.node_forces(stage.t, &geometry.poses, stage.v, vdot);
        elimination.begin(plan, &self.edges, SCHUR);
        elimination.clear_unknowns();
        for &node in &plan.order {
            for &index in plan.edges_at(node) {
                let edge = &self.edges[index];
                if let EdgeKind::Rod { element, strain } = edge.kind
                    && plan.comes_with(index, node, edge)
                {
                    let strain = &geometry.strains[strain];
                    self.add_rod_force(edge, element, strain, &geometry.poses, stage.v, vdot);
                }
            }
            let range = 6 * node..6 * node + 6;
            let free =
                -self.nodes[node].accelerate(&Vector6::from_column_slice(&vdot[range.clone()]));
            vdot[range.clone()].copy_from_slice(free.as_slice());
            let reach = Vector6::from_column_slice(&next.v[range]) * next.weight;
            let total = free + reach;
            self.add_mobility(node, [next.geometry, geometry], rows, elimination);
            let mut at = 0;
            let mut edges = plan.edges_at(node);
            if plan.hub[node] {
                let motion = &mut elimination.block(node)[..6];
                for (motion, total) in motion.iter_mut().zip(&total) {
                    *motion += total;
                }
                edges = &[];
            }
            for &index in edges {
                let place = self.edge_at(index, SCHUR);
                for i in 0..self.edges[index].rows {
                    elimination.block(place.node)[place.index + i] += rows.held[at].dot(&total);
                    at += 1;
                }
            }
            elimination.eliminate(plan, node)?;
            elimination.forward(plan, node);
        }
        elimination.finish(plan)?;
        elimination.solve_whole(plan);
        for &node in plan.order.iter().rev() {
            elimination.backward(plan, node);
            for &index in plan.edges_at(node) {
                let edge = &self.edges[index];
                if edge.rows == 0 || !plan.comes_with(index, node, edge) {
                    continue;
                }
                let At { node: owner, index } = self.edge_at(index, SCHUR);
                let solution = &elimination.block(owner)[index..index + edge.rows];
                lambda[edge.first_row..edge.first_row + edge.rows].copy_from_slice(solution);
                let push = self.edge_push(edge, geometry, solution);
                for (slot, end) in edge.sides() {
                    let push = push.fixed_rows::<6>(slot).into_owned();
                    let bound = self.nodes[end].accelerate(&push);
                    for i in 0..6 {
                        vdot[6 * end + i] -= bound[i];
                    }
                }
            }
        }
        Ok(())
    }
}
