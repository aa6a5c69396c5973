//! What joins two nodes, in the coordinates of their groups.
//!
//! Elements and joints know body twists only. Here their rows, forces and
//! derivatives get the map `E` of each node: `B -> B E`, `f -> E^T f`,
//! `K -> E^T K E` plus the terms in which `E` itself turns with a node of a
//! direct product, `D_q(E v) w = (0, U x w)` and `D_q(E^T f) w = (0, R (w x f_U))`.

use super::node::Pose;
use super::strain::{Block, Element, Rates, Row, Strain};
use super::tree::{Tree, TreeGeometry};
use crate::lie::S3;
use crate::real::Real;
use nalgebra::{Matrix3, Vector3, Vector6};

/// One end of an edge.
#[derive(Clone, Copy, Debug)]
pub(super) enum End {
    /// A node that moves.
    Node(usize),
    /// One of the poses that do not.
    Fixed(usize),
}

/// Which kernel an edge uses, and where its constants are.
#[derive(Clone, Copy, Debug)]
pub(super) enum EdgeKind {
    /// Constants of the element, and which strain of a geometry is its own.
    Rod {
        element: usize,
        strain: usize,
    },
    Joint(usize),
}

/// An element or a joint between two ends.
#[derive(Clone, Debug)]
pub(super) struct Edge {
    pub(super) ends: [End; 2],
    pub(super) kind: EdgeKind,
    pub(super) first_row: usize,
    pub(super) rows: usize,
}

impl Edge {
    /// The ends that move: place in a [`Row`], node.
    #[inline]
    pub(super) fn sides(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        let node = |slot: usize, end: End| match end {
            End::Node(node) => Some((slot, node)),
            End::Fixed(..) => None,
        };
        let [a, b] = self.ends;
        [node(0, a), node(6, b)].into_iter().flatten()
    }

    /// Its part of the multipliers.
    #[inline]
    pub(super) fn part<'a>(&self, lambda: &'a [f64]) -> &'a [f64] {
        &lambda[self.first_row..self.first_row + self.rows]
    }
}

/// A pose that does not move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fixed {
    pub(super) pose: Pose,
    pub(super) rotation: S3,
}

impl Tree {
    /// The poses of both ends.
    #[inline]
    pub(super) fn end_poses<R: Real>(&self, edge: &Edge, poses: &[Pose<R>]) -> [Pose<R>; 2] {
        edge.ends.map(|end| match end {
            End::Node(node) => poses[node],
            End::Fixed(fixed) => self.fixed[fixed].pose.lift(),
        })
    }

    /// Body twists of both ends, zero where an end does not move.
    #[inline]
    pub(super) fn pair_twist<R: Real>(&self, edge: &Edge, poses: &[Pose<R>], v: &[R]) -> Row<R> {
        let mut pair = Row::zeros();
        for (slot, node) in edge.sides() {
            let v = &v[6 * node..6 * node + 6];
            let twist = self.nodes[node].twist(&poses[node], v);
            pair.fixed_rows_mut::<6>(slot).copy_from(&twist);
        }
        pair
    }

    /// `E^T row`.
    #[inline]
    pub(super) fn pair_to_group<R: Real>(
        &self,
        edge: &Edge,
        poses: &[Pose<R>],
        row: &Row<R>,
    ) -> Row<R> {
        let mut out = Row::zeros();
        for (slot, node) in edge.sides() {
            let side = row.fixed_rows::<6>(slot).into_owned();
            let side = self.nodes[node].to_group(&poses[node], &side);
            out.fixed_rows_mut::<6>(slot).copy_from(&side);
        }
        out
    }

    /// The rows of `B` of an edge at one of its nodes, in group coordinates.
    #[inline]
    pub(super) fn rows_at<R: Real>(
        &self,
        edge: &Edge,
        node: usize,
        poses: &[Pose<R>],
        strains: &[Strain<R>],
        out: &mut [Vector6<R>],
    ) {
        let slot = match edge.ends[0] {
            End::Node(first) if first == node => 0,
            _ => 6,
        };
        match edge.kind {
            EdgeKind::Rod { strain, .. } => {
                let rows = strains[strain].translation_rows(slot);
                for (out, row) in out.iter_mut().zip(&rows) {
                    *out = self.nodes[node].to_group(&poses[node], row);
                }
            }
            EdgeKind::Joint(joint) => {
                let [a, b] = self.end_poses(edge, poses);
                for (i, out) in out.iter_mut().enumerate() {
                    let row = self.joints[joint].row(&a, &b, i);
                    let side = row.fixed_rows::<6>(slot).into_owned();
                    *out = self.nodes[node].to_group(&poses[node], &side);
                }
            }
        }
    }

    /// `out = B w` of an edge.
    pub(super) fn edge_rates(
        &self,
        edge: &Edge,
        geometry: &TreeGeometry,
        w: &[f64],
        out: &mut [f64],
    ) {
        if edge.rows == 0 {
            return;
        }
        let twist = self.pair_twist(edge, &geometry.poses, w);
        match edge.kind {
            EdgeKind::Rod { strain, .. } => {
                let rate = geometry.strains[strain].rate(&twist);
                for (i, out) in out.iter_mut().enumerate() {
                    *out = rate[3 + i];
                }
            }
            EdgeKind::Joint(joint) => {
                let [a, b] = self.end_poses(edge, &geometry.poses);
                for (i, out) in out.iter_mut().enumerate() {
                    *out = self.joints[joint].row(&a, &b, i).dot(&twist);
                }
            }
        }
    }

    /// `B^T lambda` of an edge, in group coordinates.
    pub(super) fn edge_push(&self, edge: &Edge, geometry: &TreeGeometry, lambda: &[f64]) -> Row {
        let push = match edge.kind {
            EdgeKind::Rod { strain, .. } => {
                let mut stress = Vector6::zeros();
                stress.as_mut_slice()[3..3 + lambda.len()].copy_from_slice(lambda);
                geometry.strains[strain].force(&stress)
            }
            EdgeKind::Joint(joint) => {
                let [a, b] = self.end_poses(edge, &geometry.poses);
                let mut push = Row::zeros();
                for (i, lambda) in lambda.iter().enumerate() {
                    push += self.joints[joint].row(&a, &b, i) * *lambda;
                }
                push
            }
        };
        self.pair_to_group(edge, &geometry.poses, &push)
    }

    /// `D_q(B v)` of an edge: calls `sink(i, row)` in group coordinates.
    pub(super) fn edge_row_derivatives(
        &self,
        edge: &Edge,
        geometry: &TreeGeometry,
        v: &[f64],
        mut sink: impl FnMut(usize, &Row),
    ) {
        if edge.rows == 0 {
            return;
        }
        let poses = &geometry.poses;
        let twist = self.pair_twist(edge, poses, v);
        let ends = self.end_poses(edge, poses);
        let (strain_rates, strain_slopes) = match edge.kind {
            EdgeKind::Rod { strain, .. } => {
                let strain = &geometry.strains[strain];
                (strain.rates(), Element::rate_derivative(strain, &twist))
            }
            EdgeKind::Joint(_) => (Rates::zeros(), Rates::zeros()),
        };
        for i in 0..edge.rows {
            let (mut derivative, row) = match edge.kind {
                EdgeKind::Joint(joint) => (
                    self.joints[joint].row_derivative(&ends[0], &ends[1], &twist, i),
                    self.joints[joint].row(&ends[0], &ends[1], i),
                ),
                EdgeKind::Rod { .. } => (
                    strain_slopes.row(3 + i).transpose(),
                    strain_rates.row(3 + i).transpose(),
                ),
            };
            for (slot, node) in edge.sides() {
                if self.nodes[node].is_direct() {
                    let b = row.fixed_rows::<3>(slot + 3).into_owned();
                    let u = twist.fixed_rows::<3>(slot + 3).into_owned();
                    let mut rotation = derivative.fixed_rows_mut::<3>(slot);
                    rotation += b.cross(&u);
                }
            }
            sink(i, &self.pair_to_group(edge, poses, &derivative));
        }
    }

    /// `K` and `D` of an edge in group coordinates. Without multipliers `K` lacks their part.
    pub(super) fn edge_tangents(
        &self,
        edge: &Edge,
        geometry: &TreeGeometry,
        v: &[f64],
        lambda: &[f64],
    ) -> (Block, Block) {
        let poses = &geometry.poses;
        let twist = self.pair_twist(edge, poses, v);
        let (k, d, force) = match edge.kind {
            EdgeKind::Rod { element, strain } => {
                let (element, strain) = (&self.elements[element], &geometry.strains[strain]);
                let (k, d) = element.tangents(strain, &twist, lambda);
                let mut stress = element.stress(strain, || twist);
                for (i, lambda) in lambda.iter().enumerate() {
                    stress[3 + i] += lambda;
                }
                (k, d, strain.force(&stress))
            }
            EdgeKind::Joint(joint) => {
                let joint = &self.joints[joint];
                let [a, b] = self.end_poses(edge, poses);
                let mut force = Row::zeros();
                for (i, lambda) in lambda.iter().enumerate() {
                    force += joint.row(&a, &b, i) * *lambda;
                }
                (joint.stiffness(&a, &b, lambda), Block::zeros(), force)
            }
        };
        self.block_to_group(edge, poses, &twist, &force, k, d)
    }

    /// `E^T K E` and `E^T D E` with the terms of a turning `E`.
    fn block_to_group(
        &self,
        edge: &Edge,
        poses: &[Pose],
        twist: &Row,
        force: &Row,
        mut k: Block,
        mut d: Block,
    ) -> (Block, Block) {
        for (slot, node) in edge.sides() {
            if !self.nodes[node].is_direct() {
                continue;
            }
            let r = &poses[node].rotation;
            // Columns: dv = E dv_group + (0, U x w).
            let u: Vector3<f64> = twist.fixed_rows::<3>(slot + 3).into_owned();
            let turn: Matrix3<f64> = u.cross_matrix();
            let columns = d.fixed_view::<12, 3>(0, slot + 3) * turn;
            let mut rotation = k.fixed_view_mut::<12, 3>(0, slot);
            rotation += columns;
            for matrix in [&mut k, &mut d] {
                let columns = matrix.fixed_view::<12, 3>(0, slot + 3) * r.transpose();
                matrix
                    .fixed_view_mut::<12, 3>(0, slot + 3)
                    .copy_from(&columns);
                let rows = r * matrix.fixed_view::<3, 12>(slot + 3, 0);
                matrix.fixed_view_mut::<3, 12>(slot + 3, 0).copy_from(&rows);
            }
            // Rows: the force keeps its body components and turns with the node.
            let f: Vector3<f64> = force.fixed_rows::<3>(slot + 3).into_owned();
            let f: Matrix3<f64> = f.cross_matrix();
            let mut corner = k.fixed_view_mut::<3, 3>(slot + 3, slot);
            corner -= r * f;
        }
        (k, d)
    }

    /// Brings the stiffness of a force on one node to the group: `E^T K` and the
    /// term of a turning `E`. Such a stiffness has no columns for translations.
    pub(super) fn node_to_group(
        &self,
        node: usize,
        pose: &Pose,
        force: &Vector6<f64>,
        k: &mut nalgebra::Matrix6<f64>,
    ) {
        if !self.nodes[node].is_direct() {
            return;
        }
        let rows = pose.rotation * k.fixed_view::<3, 6>(3, 0);
        k.fixed_view_mut::<3, 6>(3, 0).copy_from(&rows);
        let f: Vector3<f64> = force.fixed_rows::<3>(3).into_owned();
        let f: Matrix3<f64> = f.cross_matrix();
        let mut corner = k.fixed_view_mut::<3, 3>(3, 0);
        corner -= pose.rotation * f;
    }
}
