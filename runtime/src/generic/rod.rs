//! Rod elements of a description, in body twists.
//!
//! The mechanics are those of [`strain`](crate::chain::strain), between two frames
//! that are fixed to bodies. A frame with origin `p` and axes `A` has the twist
//!
//! ```text
//! Omega' = A^T Omega,   U' = A^T (U + Omega x p)          (Omega', U') = G (Omega, U)
//! ```
//!
//! with a constant `G`, so that `J -> J G`, `g -> G^T g`, `K -> G^T K G`, `D -> G^T D G`.

use super::assembly::{Element, Part, Snapshot};
use super::body::BodyData;
use super::constraint::{Block, Pose, Row};
use super::description::{Attachment, RodElement};
use super::{GenericGeometry, GenericSystem, pose_of};
use crate::chain::strain::{self, Strain};
use crate::chain::turn::{beyond_half_a_turn, stays_below_half_a_turn};
use crate::error::Fault;
use crate::lie::{GroupKind, LieGroup, Rotation, S3};
use crate::real::Real;
use nalgebra::{Matrix3, Matrix6, Vector3, Vector6};
use std::ops::Range;

/// A rod element with resolved bodies.
#[derive(Clone, Debug)]
pub(super) struct RodData {
    pub(super) element: Element,
    pub(super) rows: Range<usize>,
    pub(super) constants: strain::Element,
    frames: [Frame; 2],
    /// The sign of the product of the two quaternions at the start.
    side: f64,
}

/// A frame of a body.
#[derive(Clone, Debug)]
struct Frame {
    pose: Pose,
    rotation: S3,
    /// `G`, unless it is the identity.
    map: Option<Matrix6<f64>>,
}

impl Frame {
    fn new(at: &Attachment) -> Self {
        let axes = Matrix3::from_fn(|i, j| at.axes[j][i]);
        let point = Vector3::from(at.point);
        let pose = Pose {
            rotation: axes,
            position: point,
        };
        let own = at.axes == super::description::identity_axes() && at.point == [0.0; 3];
        let map = || {
            let mut map = Matrix6::zeros();
            let mut put = |i, j, block: Matrix3<f64>| {
                map.fixed_view_mut::<3, 3>(i, j).copy_from(&block);
            };
            put(0, 0, axes.transpose());
            put(3, 0, -(axes.transpose() * point.cross_matrix()));
            put(3, 3, axes.transpose());
            map
        };
        Self {
            pose,
            rotation: S3::from_matrix(&axes),
            map: (!own).then(map),
        }
    }
}

impl RodData {
    pub(super) fn new(element: Element, rod: &RodElement, first_row: usize) -> Self {
        let held = rod.constraint.count();
        Self {
            element,
            rows: first_row..first_row + held,
            constants: strain::Element {
                length: rod.length,
                reference: Vector6::from(rod.reference),
                stiffness: Vector6::from(rod.stiffness),
                damping: Vector6::from(rod.damping),
                held,
            },
            frames: [Frame::new(&rod.first), Frame::new(&rod.second)],
            side: 1.0,
        }
    }

    /// The strain between the two frames.
    pub(super) fn strain<R: Real>(&self, poses: &[Pose<R>]) -> Strain<R> {
        let bodies = [self.element.a, self.element.b];
        let at = |i: usize| {
            let (pose, frame) = (pose_of(poses, bodies[i]), &self.frames[i]);
            match (bodies[i], &frame.map) {
                (None, _) => frame.pose.lift(),
                (_, None) => pose,
                _ => pose.then(&frame.pose.lift()),
            }
        };
        Strain::between(&at(0), &at(1))
    }

    /// `G` on the twists of both bodies.
    fn to_frames<R: Real>(&self, twist: &Row<R>) -> Row<R> {
        self.each_side(twist, |map, side| map.map(R::from_f64) * side)
    }

    /// `G^T` on forces or rows.
    pub(super) fn to_bodies<R: Real>(&self, row: &Row<R>) -> Row<R> {
        self.each_side(row, |map, side| map.transpose().map(R::from_f64) * side)
    }

    fn each_side<R: Real>(
        &self,
        row: &Row<R>,
        apply: impl Fn(&Matrix6<f64>, Vector6<R>) -> Vector6<R>,
    ) -> Row<R> {
        let mut out = *row;
        for (frame, slot) in self.frames.iter().zip([0, 6]) {
            if let Some(map) = &frame.map {
                let side = apply(map, row.fixed_rows::<6>(slot).into_owned());
                out.fixed_rows_mut::<6>(slot).copy_from(&side);
            }
        }
        out
    }

    /// `G^T A G`.
    fn block_to_bodies(&self, mut block: Block) -> Block {
        for (frame, slot) in self.frames.iter().zip([0, 6]) {
            if let Some(map) = &frame.map {
                let columns = block.fixed_view::<12, 6>(0, slot) * map;
                block.fixed_view_mut::<12, 6>(0, slot).copy_from(&columns);
                let rows = map.tr_mul(&block.fixed_view::<6, 12>(slot, 0));
                block.fixed_view_mut::<6, 12>(slot, 0).copy_from(&rows);
            }
        }
        block
    }

    /// Row `i` of `B` over body twists.
    pub(super) fn row<R: Real>(&self, strain: &Strain<R>, i: usize) -> Row<R> {
        let (a, b) = (strain.translation_rows(0)[i], strain.translation_rows(6)[i]);
        self.to_bodies(&Row::from_fn(|k, _| if k < 6 { a[k] } else { b[k - 6] }))
    }

    /// `g` over body twists.
    pub(super) fn force<R: Real>(&self, strain: &Strain<R>, twist: &Row<R>) -> Row<R> {
        let stress = self.constants.stress(strain, || self.to_frames(twist));
        self.to_bodies(&strain.force(&stress))
    }

    /// The angle between the frames, if quaternions show that it is beyond half a turn.
    fn beyond(&self, system: &GenericSystem, q: &[f64], strain: &Strain) -> Option<f64> {
        let product = self.quaternions(system, q)?;
        (self.side * product < 0.0).then(|| core::f64::consts::TAU - strain.angle())
    }

    /// The angle between the frames after an increment, if a body has a rotation matrix and it is
    /// beyond half a turn.
    fn beyond_after(&self, system: &GenericSystem, q: &[f64], theta: &[f64]) -> Option<f64> {
        let bodies = [self.element.a, self.element.b].map(|body| Some(&system.bodies[body?]));
        if bodies.iter().flatten().all(|body| has_quaternion(body)) {
            return None;
        }
        let of = |i: usize| {
            let own = &self.frames[i].pose.rotation;
            let Some(body) = bodies[i] else {
                return (*own, Vector3::zeros());
            };
            let turn = Vector3::from_column_slice(&theta[body.velocity.clone()][..3]);
            (body.pose(q).rotation * own, own.tr_mul(&turn))
        };
        let ((a, first), (b, second)) = (of(0), of(1));
        let between = a.tr_mul(&b);
        let turns = [first.as_slice(), second.as_slice()];
        if stays_below_half_a_turn(between.trace(), turns) {
            return None;
        }
        beyond_half_a_turn(&between, [first, second])
    }

    /// The scalar product of the quaternions of both frames, if the bodies have any.
    fn quaternions(&self, system: &GenericSystem, q: &[f64]) -> Option<f64> {
        let bodies = [self.element.a, self.element.b];
        let of = |i: usize| -> Option<S3> {
            let Some(body) = bodies[i].map(|body| &system.bodies[body]) else {
                return Some(self.frames[i].rotation);
            };
            if !has_quaternion(body) {
                return None;
            }
            let p = &q[body.config.clone()];
            let own = S3 {
                scalar: p[0],
                vector: Vector3::new(p[1], p[2], p[3]),
            };
            Some(own.compose(&self.frames[i].rotation))
        };
        let (a, b) = (of(0)?, of(1)?);
        Some(a.scalar * b.scalar + a.vector.dot(&b.vector))
    }
}

fn has_quaternion(body: &BodyData) -> bool {
    matches!(
        body.kind,
        GroupKind::S3 | GroupKind::S3xR3 | GroupKind::S3sR3
    )
}

impl GenericSystem {
    /// Notes on which side of each other the quaternions of the rods start.
    pub(super) fn start_rods(&mut self) {
        let mut rods = std::mem::take(&mut self.rods);
        for rod in &mut rods {
            if let Some(product) = rod.quaternions(self, &self.start.0) {
                rod.side = if product < 0.0 { -1.0 } else { 1.0 };
            }
        }
        self.rods = rods;
    }

    /// Strains and rows of `B` of the rods.
    pub(super) fn rod_geometry(
        &self,
        t: f64,
        q: &[f64],
        out: &mut GenericGeometry,
    ) -> Result<(), Fault> {
        for (index, rod) in self.rods.iter().enumerate() {
            let strain = rod.strain(&out.poses);
            if let Some(angle) = rod.beyond(self, q, &strain) {
                return Err(self.turned_too_far(index, angle, t));
            }
            out.strains[index] = strain;
            for (i, row) in rod.rows.clone().enumerate() {
                let over_twists = rod.row(&strain, i);
                out.rows[row] = self.row_to_group(rod.element, &out.poses, &over_twists);
            }
        }
        Ok(())
    }

    /// Fails if a rod turns beyond half a circle along an increment.
    pub(super) fn check_turns(&self, t: f64, q: &[f64], theta: &[f64]) -> Result<(), Fault> {
        for (index, rod) in self.rods.iter().enumerate() {
            if let Some(angle) = rod.beyond_after(self, q, theta) {
                return Err(self.turned_too_far(index, angle, t));
            }
        }
        Ok(())
    }

    #[cold]
    fn turned_too_far(&self, index: usize, angle: f64, t: f64) -> Fault {
        Fault::RelativeRotation {
            rod: self.description.rods[index].name.clone(),
            element: None,
            angle,
            t,
        }
    }

    /// Adds the stresses of the rods to `g`.
    pub(super) fn add_rods<R: Real>(&self, at: &Snapshot<'_, R>, out: &mut [R]) {
        for rod in &self.rods {
            let twist = self.pair_twist(rod.element, at.poses, at.v);
            let force = rod.force(&rod.strain(at.poses), &twist);
            let force = self.row_to_group(rod.element, at.poses, &force);
            self.add_pair(rod.element, &force, R::one(), out);
        }
    }

    /// Calls `sink(element, row, D_q(B v))` for the held strains, in group coordinates.
    pub(super) fn each_rod_slope(
        &self,
        geometry: &GenericGeometry,
        v: &[f64],
        sink: &mut impl FnMut(Element, usize, &Row),
    ) {
        let at = geometry.snapshot(v);
        for (rod, strain) in self.rods.iter().zip(&geometry.strains) {
            if rod.rows.is_empty() {
                continue;
            }
            let twist = rod.to_frames(&self.pair_twist(rod.element, at.poses, v));
            let slopes = strain::Element::rate_derivative(strain, &twist);
            for (i, index) in rod.rows.clone().enumerate() {
                let slope = rod.to_bodies(&slopes.row(3 + i).transpose());
                let row = rod.row(strain, i);
                sink(
                    rod.element,
                    index,
                    &self.slope_to_group(rod.element, &at, &row, &slope),
                );
            }
        }
    }

    /// Calls `sink` for the blocks of `K` and `D` of the rods.
    pub(super) fn each_rod_tangent(
        &self,
        geometry: &GenericGeometry,
        at: &Snapshot<'_>,
        lambda: &[f64],
        sink: &mut impl FnMut(Part, Part, &Matrix6<f64>, &Matrix6<f64>),
    ) {
        for (rod, strain) in self.rods.iter().zip(&geometry.strains) {
            let lambda = lambda.get(rod.rows.clone()).unwrap_or(&[]);
            let twist = rod.to_frames(&self.pair_twist(rod.element, at.poses, at.v));
            let (k, d) = rod.constants.tangents(strain, &twist, lambda);
            let mut stress = rod.constants.stress(strain, || twist);
            for (i, lambda) in lambda.iter().enumerate() {
                stress[3 + i] += lambda;
            }
            let force = rod.to_bodies(&strain.force(&stress));
            let (k, d) = (rod.block_to_bodies(k), rod.block_to_bodies(d));
            self.element_tangents(rod.element, at, &force, &k, &d, sink);
        }
    }

    /// Elastic energy of the rods.
    pub(super) fn rod_energy(&self, poses: &[Pose]) -> f64 {
        let energy = |rod: &RodData| rod.constants.energy(&rod.strain(poses));
        self.rods.iter().map(energy).sum()
    }
}
