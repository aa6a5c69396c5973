//! Position, rotation and velocities of bodies, whatever their group.

use nalgebra::{Matrix3, Quaternion, Rotation3, UnitQuaternion, Vector3};
use polhode::generic::description::Description;
use polhode::lie::{Factor, GroupKind};
use polhode::system::System;

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
pub(crate) fn poses<S: System>(
    system: &S,
    description: &Description,
    q: &[f64],
    v: &[f64],
) -> Vec<Pose> {
    let bodies = description.bodies.iter();
    system
        .space()
        .factors()
        .zip(bodies)
        .map(|(factor, body)| {
            let Factor {
                kind,
                config,
                velocity,
            } = factor;
            let origin = vector(&body.start.position);
            pose(*kind, &q[config.clone()], &v[velocity.clone()], origin)
        })
        .collect()
}

/// The first three numbers, or zeros where there are fewer.
fn vector(x: &[f64]) -> Vector3<f64> {
    Vector3::from_fn(|i, _| x.get(i).copied().unwrap_or(0.0))
}

fn pose(kind: GroupKind, q: &[f64], v: &[f64], origin: Vector3<f64>) -> Pose {
    let (rotation, rest) = match kind {
        GroupKind::Rn(_) => {
            return Pose {
                position: vector(q),
                rotation: UnitQuaternion::identity(),
                velocity: vector(v),
                angular_velocity: Vector3::zeros(),
            };
        }
        GroupKind::SO3 | GroupKind::SO3xR3 | GroupKind::SE3 => {
            let matrix = Matrix3::from_row_slice(&q[..9]);
            let rotation = Rotation3::from_matrix_unchecked(matrix);
            (UnitQuaternion::from_rotation_matrix(&rotation), &q[9..])
        }
        GroupKind::S3 | GroupKind::S3xR3 | GroupKind::S3sR3 => {
            let quaternion = Quaternion::new(q[0], q[1], q[2], q[3]);
            (UnitQuaternion::new_normalize(quaternion), &q[4..])
        }
    };
    let translation = vector(&v[3..]);
    Pose {
        position: if rest.is_empty() {
            origin
        } else {
            vector(rest)
        },
        rotation,
        velocity: match kind {
            GroupKind::SE3 | GroupKind::S3sR3 => rotation * translation,
            _ => translation,
        },
        angular_velocity: vector(v),
    }
}
