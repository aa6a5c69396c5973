//! Position, rotation and velocities of bodies, whatever their group.

use nalgebra::{Quaternion, UnitQuaternion, Vector3};
use polhode::view::BodyView;
use polhode_models::machine::Machine;
use polhode_models::scene::Spot;

/// Where a body is and how it moves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pose {
    /// Origin of the body frame in the inertial frame.
    pub(crate) position: Vector3<f64>,
    /// From body to inertial axes.
    pub(crate) rotation: UnitQuaternion<f64>,
    /// Velocity of the origin in the inertial frame.
    pub(crate) velocity: Vector3<f64>,
    /// Angular velocity in body axes.
    pub(crate) angular_velocity: Vector3<f64>,
}

impl Pose {
    /// A point of the body in the inertial frame.
    pub(crate) fn point(&self, body: &[f64; 3]) -> Vector3<f64> {
        self.position + self.rotation * Vector3::from(*body)
    }
}

/// The poses of all bodies.
pub(crate) fn poses(machine: &dyn Machine, q: &[f64], v: &[f64]) -> Vec<Pose> {
    let factors = machine.space().factors().enumerate();
    factors
        .map(|(i, factor)| {
            let (q, v) = (&q[factor.config.clone()], &v[factor.velocity.clone()]);
            let body = BodyView::new(factor.kind, q, v, machine.factor_origin(i));
            let [w, x, y, z] = body.rotation();
            Pose {
                position: body.position().into(),
                rotation: UnitQuaternion::new_normalize(Quaternion::new(w, x, y, z)),
                velocity: body.velocity().into(),
                angular_velocity: body.angular_velocity().into(),
            }
        })
        .collect()
}

/// Where a point of a body or of the ground is.
pub(crate) fn place(poses: &[Pose], spot: &Spot) -> Vector3<f64> {
    match spot.factor {
        Some(factor) => poses[factor].point(&spot.point),
        None => spot.point.into(),
    }
}
