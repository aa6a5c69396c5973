//! A force and a torque at a point of a body, six formulas, in body twists.
//!
//! With the components `F_k`, `T_k` along the directions `n_k` in body axes,
//!
//! ```text
//! g = -sum_k F_k (p x n_k, n_k) + T_k (n_k, 0)
//! ```
//!
//! | frame   | `n_k`                   | `D_q n_k w` |
//! |---------|-------------------------|-------------|
//! | `World` | `R^T e_k`               | `n_k x w`   |
//! | `Body`  | axis `k` of the attachment | 0        |
//!
//! A constant force in the inertial frame has the potential `-F . (x + R p)`; a torque
//! has none, nor has a force that follows the body.

use super::GenericSystem;
use super::assembly::{Element, Part, Snapshot};
use super::constraint::{Block, Pose, Row, lift};
use super::description::{Attachment, LoadFrame};
use super::force::outer;
use super::scalar::{Scalar, second_side};
use crate::real::Real;
use nalgebra::{Matrix6, Vector3};

/// Force and torque at a frame of a body.
#[derive(Clone, Debug)]
pub(super) struct Load {
    body: usize,
    point: Vector3<f64>,
    axes: [[f64; 3]; 3],
    frame: LoadFrame,
    /// Force, then torque.
    components: [Scalar; 6],
}

impl Load {
    pub(super) fn new(
        body: usize,
        at: &Attachment,
        frame: LoadFrame,
        components: [Scalar; 6],
    ) -> Self {
        Self {
            body,
            point: Vector3::from(at.point),
            axes: at.axes,
            frame,
            components,
        }
    }

    fn element(&self) -> Element {
        Element::between(None, Some(self.body))
    }

    /// `n_k`.
    fn direction<R: Real>(&self, pose: &Pose<R>, k: usize) -> Vector3<R> {
        match self.frame {
            LoadFrame::World => pose.rotation.row(k).transpose(),
            LoadFrame::Body => lift(&Vector3::from(self.axes[k])),
        }
    }

    /// What a unit of component `i` exerts on the body twist.
    fn row<R: Real>(&self, pose: &Pose<R>, i: usize) -> Row<R> {
        let n = self.direction(pose, i % 3);
        if i < 3 {
            second_side(&lift::<R>(&self.point).cross(&n), &n)
        } else {
            second_side(&n, &Vector3::zeros())
        }
    }

    /// Adds `g`.
    pub(super) fn add<R: Real>(&self, system: &GenericSystem, at: &Snapshot<'_, R>, out: &mut [R]) {
        let pose = &at.poses[self.body];
        let mut g = Row::zeros();
        for (i, component) in self.components.iter().enumerate() {
            g -= self.row(pose, i) * component.value(system, at);
        }
        let g = system.row_to_group(self.element(), at.poses, &g);
        system.add_pair(self.element(), &g, R::one(), out);
    }

    /// Calls `sink` for the blocks of `K` and `D`.
    pub(super) fn each_tangent(
        &self,
        system: &GenericSystem,
        at: &Snapshot<'_>,
        sink: &mut impl FnMut(Part, Part, &Matrix6<f64>, &Matrix6<f64>),
    ) {
        let element = self.element();
        let pose = &at.poses[self.body];
        let mut g = Row::zeros();
        let mut parts = [Vector3::zeros(); 2];
        for (i, component) in self.components.iter().enumerate() {
            let row = self.row(pose, i);
            let value = component.value(system, at);
            g -= row * value;
            parts[i / 3] += self.direction(pose, i % 3) * value;
            let row = system.row_to_group(element, at.poses, &row);
            component.each_gradient(system, at, |other, by_q, by_v| {
                outer((element, &row), (other, &-by_q, &-by_v), sink);
            });
        }
        let mut k = Block::zeros();
        if self.frame == LoadFrame::World {
            let [force, torque] = parts.map(|x| x.cross_matrix());
            let moment = self.point.cross_matrix() * force + torque;
            k.fixed_view_mut::<3, 3>(6, 6).copy_from(&-moment);
            k.fixed_view_mut::<3, 3>(9, 6).copy_from(&-force);
        }
        system.element_tangents(element, at, &g, &k, &Block::zeros(), sink);
    }

    /// `-F . (x + R p)` of a constant force in the inertial frame, else zero.
    pub(super) fn energy(&self, poses: &[Pose]) -> f64 {
        let force: Option<Vec<f64>> = self.components[..3].iter().map(Scalar::constant).collect();
        match (force, self.frame) {
            (Some(force), LoadFrame::World) => {
                let pose = &poses[self.body];
                let point = pose.position + pose.rotation * self.point;
                -Vector3::from_column_slice(&force).dot(&point)
            }
            _ => 0.0,
        }
    }
}
