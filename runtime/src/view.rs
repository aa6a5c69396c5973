//! A body of a state in words: position, rotation, velocities, whatever its group; or its modal
//! coordinates.

use nalgebra::{Matrix3, Vector3};

use crate::lie::{GroupKind, Rotation, S3};

/// One body of a state.
#[derive(Clone, Copy, Debug)]
pub struct BodyView<'a> {
    kind: GroupKind,
    q: &'a [f64],
    v: &'a [f64],
    origin: [f64; 3],
}

impl<'a> BodyView<'a> {
    /// The body with these parts of the flat configuration and velocity. `origin` is where
    /// the frame of a body on a rotation group is fixed; other groups do not use it.
    pub fn new(kind: GroupKind, q: &'a [f64], v: &'a [f64], origin: [f64; 3]) -> Self {
        Self { kind, q, v, origin }
    }

    /// Origin of the body frame in the inertial frame.
    pub fn position(&self) -> [f64; 3] {
        match self.kind {
            GroupKind::SO3 | GroupKind::S3 => self.origin,
            GroupKind::Rn(_) => first_three(self.q),
            _ => first_three(&self.q[self.q.len() - 3..]),
        }
    }

    /// Rotation from body to inertial axes as a matrix, by rows.
    pub fn rotation_matrix(&self) -> [[f64; 3]; 3] {
        let matrix = self.matrix();
        core::array::from_fn(|i| core::array::from_fn(|j| matrix[(i, j)]))
    }

    /// Rotation from body to inertial axes as a quaternion (w, x, y, z).
    pub fn rotation(&self) -> [f64; 4] {
        let S3 { scalar, vector } = match self.kind {
            GroupKind::S3 | GroupKind::S3xR3 | GroupKind::S3sR3 => quaternion(self.q),
            _ => S3::from_matrix(&self.matrix()),
        };
        [scalar, vector[0], vector[1], vector[2]]
    }

    /// Velocity of the origin of the body frame in the inertial frame.
    pub fn velocity(&self) -> [f64; 3] {
        match self.kind {
            GroupKind::SO3 | GroupKind::S3 => [0.0; 3],
            GroupKind::Rn(_) => first_three(self.v),
            GroupKind::SO3xR3 | GroupKind::S3xR3 => first_three(&self.v[3..]),
            GroupKind::SE3 | GroupKind::S3sR3 => {
                (self.matrix() * Vector3::from(first_three(&self.v[3..]))).into()
            }
        }
    }

    /// Angular velocity in body axes.
    pub fn angular_velocity(&self) -> [f64; 3] {
        match self.kind {
            GroupKind::Rn(_) => [0.0; 3],
            _ => first_three(self.v),
        }
    }

    fn matrix(&self) -> Matrix3<f64> {
        match self.kind {
            GroupKind::SO3 | GroupKind::SO3xR3 | GroupKind::SE3 => {
                Matrix3::from_row_slice(&self.q[..9])
            }
            GroupKind::S3 | GroupKind::S3xR3 | GroupKind::S3sR3 => quaternion(self.q).to_matrix(),
            GroupKind::Rn(_) => Matrix3::identity(),
        }
    }
}

/// The `N` modal coordinates of a body of a state.
#[derive(Clone, Copy, Debug)]
pub struct ModesView<'a, const N: usize> {
    q: &'a [f64],
    v: &'a [f64],
}

impl<'a, const N: usize> ModesView<'a, N> {
    /// The coordinates with these parts of the flat configuration and velocity.
    pub fn new(q: &'a [f64], v: &'a [f64]) -> Self {
        Self { q, v }
    }

    /// The coordinates.
    pub fn position(&self) -> [f64; N] {
        core::array::from_fn(|i| self.q[i])
    }

    /// Their rates.
    pub fn velocity(&self) -> [f64; N] {
        core::array::from_fn(|i| self.v[i])
    }
}

fn quaternion(q: &[f64]) -> S3 {
    S3 {
        scalar: q[0],
        vector: Vector3::new(q[1], q[2], q[3]),
    }
}

/// The first three numbers, or zeros where there are fewer.
fn first_three(x: &[f64]) -> [f64; 3] {
    core::array::from_fn(|i| x.get(i).copied().unwrap_or(0.0))
}
