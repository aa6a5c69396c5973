//! One body: how its group coordinates relate to its pose and body twist, its
//! mass matrix and its inertia and gravity forces.
//!
//! Joints and forces are written once, in body twists `(Omega, U)`. A group
//! enters only through the map `v -> E(q) v` to the body twist:
//!
//! | group               | `U`     | `E^T f`            | `D_q(E v) w`  | `D_q(E^T f) w`     |
//! |---------------------|---------|--------------------|---------------|--------------------|
//! | `SE3`, `S3sR3`      | `U`     | `f`                | 0             | 0                  |
//! | `SO3xR3`, `S3xR3`   | `R^T u` | `(f_w, R f_U)`     | `(0, U x w)`  | `(0, R (w x f_U))` |
//! | `SO3`, `S3`         | 0       | `f_w`              | 0             | 0                  |
//! | `Rn`                | `v`     | `f_U`              | 0             | 0                  |
//!
//! Modal coordinates are not in space: no twist, no weight, no momentum. What acts on them is
//! written in the coordinates themselves.

use super::constraint::{Pose, lift};
use super::description::Body;
use super::invalid::Index;
use crate::lie::GroupKind;
use crate::real::Real;
use nalgebra::{DMatrix, Matrix3, Matrix6, Vector3, Vector6};
use std::ops::Range;

/// A body as the assembly needs it.
#[derive(Clone, Debug)]
pub(super) struct BodyData {
    pub(super) kind: GroupKind,
    pub(super) config: Range<usize>,
    pub(super) velocity: Range<usize>,
    /// Rows of the joints and rods that hold this body, and whether it is the second body there.
    pub(super) held_by: Vec<(Range<usize>, bool)>,
    /// Where modal coordinates are in the list of all of them; nothing for a body in space.
    pub(super) modes: Option<Range<usize>>,
    /// What weighs and carries momentum.
    mass: f64,
    inertia: Matrix3<f64>,
    center: Vector3<f64>,
    origin: Vector3<f64>,
    mass_matrix: DMatrix<f64>,
    mass_inverse: DMatrix<f64>,
}

impl BodyData {
    /// A body whose modal coordinates, if it has any, come after as many of the bodies before.
    pub(super) fn new(
        description: &Index<'_>,
        body: &Body,
        (config, velocity): (Range<usize>, Range<usize>),
        modes: usize,
    ) -> Self {
        let kind = body.group;
        let inertia = Matrix3::from_fn(|i, j| body.inertia[i][j]);
        let center = Vector3::from(body.center);
        let c = center.cross_matrix();
        let about_origin = inertia - c * c * body.mass;
        let mass_matrix = match kind {
            GroupKind::Rn(n) => match description.mass_matrix(&body.name) {
                Some(own) => DMatrix::from_fn(n, n, |i, j| own.matrix[i][j]) * body.mass,
                None => DMatrix::identity(n, n) * body.mass,
            },
            GroupKind::SO3 | GroupKind::S3 => DMatrix::from_fn(3, 3, |i, j| about_origin[(i, j)]),
            _ => {
                let mut m = DMatrix::zeros(6, 6);
                m.view_mut((0, 0), (3, 3)).copy_from(&about_origin);
                m.view_mut((0, 3), (3, 3)).copy_from(&(c * body.mass));
                m.view_mut((3, 0), (3, 3)).copy_from(&(-c * body.mass));
                m.view_mut((3, 3), (3, 3))
                    .copy_from(&(Matrix3::identity() * body.mass));
                m
            }
        };
        // Positive mass and inertia were checked, so the matrix is positive definite;
        // should rounding disagree, NaN is caught at the first evaluation.
        let size = mass_matrix.nrows();
        let mass_inverse = mass_matrix.clone().cholesky().map_or_else(
            || DMatrix::from_element(size, size, f64::NAN),
            |c| c.inverse(),
        );
        let mut origin = Vector3::zeros();
        if !matches!(kind, GroupKind::Rn(_)) && body.start.position.len() == 3 {
            origin = Vector3::from_column_slice(&body.start.position);
        }
        let modes = description
            .is_modal(body)
            .then(|| modes..modes + config.len());
        Self {
            kind,
            config,
            velocity,
            held_by: Vec::new(),
            mass: if modes.is_some() { 0.0 } else { body.mass },
            modes,
            inertia,
            center,
            origin,
            mass_matrix,
            mass_inverse,
        }
    }

    /// Where the frame is fixed on a rotation group.
    pub(super) fn origin(&self) -> [f64; 3] {
        self.origin.into()
    }

    /// Constraint rows that hold this body: (row, is it the second body).
    pub(super) fn rows(&self) -> impl Iterator<Item = (usize, bool)> {
        let rows = |(rows, second): &(Range<usize>, bool)| {
            let second = *second;
            rows.clone().map(move |row| (row, second))
        };
        self.held_by.iter().flat_map(rows)
    }

    pub(super) fn dof(&self) -> usize {
        self.velocity.len()
    }

    /// Whether the translational velocity is measured in inertial axes.
    pub(super) fn is_direct(&self) -> bool {
        matches!(self.kind, GroupKind::SO3xR3 | GroupKind::S3xR3)
    }

    /// Writes the declared start into flat configuration and velocity.
    pub(super) fn start(&self, body: &Body, q: &mut [f64], v: &mut [f64]) {
        let (q, v) = (&mut q[self.config.clone()], &mut v[self.velocity.clone()]);
        let start = &body.start;
        if let GroupKind::Rn(_) = self.kind {
            if !start.position.is_empty() {
                q.copy_from_slice(&start.position);
            }
            if !start.velocity.is_empty() {
                v.copy_from_slice(&start.velocity);
            }
            return;
        }
        let rotation = quaternion_matrix(&start.rotation);
        let place = match self.kind {
            GroupKind::SO3 | GroupKind::SO3xR3 | GroupKind::SE3 => {
                for i in 0..9 {
                    q[i] = rotation[(i / 3, i % 3)];
                }
                9
            }
            _ => {
                let norm = start.rotation.iter().map(|x| x * x).sum::<f64>().sqrt();
                for i in 0..4 {
                    q[i] = start.rotation[i] / norm;
                }
                4
            }
        };
        v[..3].copy_from_slice(&start.angular_velocity);
        if q.len() > place {
            q[place..].copy_from_slice(self.origin.as_slice());
            let mut velocity = Vector3::zeros();
            if !start.velocity.is_empty() {
                velocity = Vector3::from_column_slice(&start.velocity);
            }
            if !self.is_direct() {
                velocity = rotation.tr_mul(&velocity);
            }
            v[3..].copy_from_slice(velocity.as_slice());
        }
    }

    /// Rotation and position.
    #[inline]
    pub(super) fn pose<R: Real>(&self, q: &[R]) -> Pose<R> {
        let q = &q[self.config.clone()];
        let at = |i: usize| Vector3::new(q[i], q[i + 1], q[i + 2]);
        match self.kind {
            GroupKind::SO3 => Pose {
                rotation: Matrix3::from_row_slice(q),
                position: lift(&self.origin),
            },
            GroupKind::SO3xR3 | GroupKind::SE3 => Pose {
                rotation: Matrix3::from_row_slice(&q[..9]),
                position: at(9),
            },
            GroupKind::S3 => Pose {
                rotation: unit_quaternion_matrix(q),
                position: lift(&self.origin),
            },
            GroupKind::S3xR3 | GroupKind::S3sR3 => Pose {
                rotation: unit_quaternion_matrix(q),
                position: at(4),
            },
            GroupKind::Rn(_) => {
                let mut pose = Pose::ground();
                if self.modes.is_none() {
                    for (x, q) in pose.position.iter_mut().zip(q) {
                        *x = *q;
                    }
                }
                pose
            }
        }
    }

    /// Body twist `E v`.
    #[inline]
    pub(super) fn twist<R: Real>(&self, pose: &Pose<R>, v: &[R]) -> Vector6<R> {
        let v = &v[self.velocity.clone()];
        let zero = R::zero();
        match self.kind {
            GroupKind::SO3 | GroupKind::S3 => Vector6::new(v[0], v[1], v[2], zero, zero, zero),
            GroupKind::SE3 | GroupKind::S3sR3 => Vector6::from_column_slice(v),
            GroupKind::SO3xR3 | GroupKind::S3xR3 => {
                let u = pose.rotation.tr_mul(&Vector3::new(v[3], v[4], v[5]));
                Vector6::new(v[0], v[1], v[2], u[0], u[1], u[2])
            }
            GroupKind::Rn(_) => {
                let mut twist = Vector6::zeros();
                if self.modes.is_none() {
                    for (x, v) in twist.iter_mut().skip(3).zip(v) {
                        *x = *v;
                    }
                }
                twist
            }
        }
    }

    /// `E^T f` in the first `dof` components (at most 6). A force on modal coordinates is in
    /// the coordinates already.
    #[inline]
    pub(super) fn to_group<R: Real>(&self, pose: &Pose<R>, f: &Vector6<R>) -> Vector6<R> {
        match self.kind {
            GroupKind::SO3xR3 | GroupKind::S3xR3 => {
                let u = pose.rotation * f.fixed_rows::<3>(3);
                Vector6::new(f[0], f[1], f[2], u[0], u[1], u[2])
            }
            GroupKind::Rn(_) if self.modes.is_none() => {
                let zero = R::zero();
                Vector6::new(f[3], f[4], f[5], zero, zero, zero)
            }
            _ => *f,
        }
    }

    /// `E_self^T A E_other` in the leading block.
    pub(super) fn block_to_group(
        &self,
        pose: &Pose,
        other: &Self,
        other_pose: &Pose,
        a: &Matrix6<f64>,
    ) -> Matrix6<f64> {
        let mut rows = Matrix6::zeros();
        for j in 0..6 {
            rows.set_column(j, &self.to_group(pose, &a.column(j).into_owned()));
        }
        let mut both = Matrix6::zeros();
        for i in 0..6 {
            let row = other.to_group(other_pose, &rows.row(i).transpose());
            both.set_row(i, &row.transpose());
        }
        both
    }

    /// `out = M w`.
    #[inline]
    pub(super) fn mass_times(&self, w: &[f64], out: &mut [f64]) {
        multiply(&self.mass_matrix, w, out);
    }

    /// `out = M^-1 f`.
    #[inline]
    pub(super) fn mass_solve(&self, f: &[f64], out: &mut [f64]) {
        multiply(&self.mass_inverse, f, out);
    }

    pub(super) fn mass_entry(&self, i: usize, j: usize) -> f64 {
        self.mass_matrix[(i, j)]
    }

    /// Weight in body axes.
    fn weight<R: Real>(&self, pose: &Pose<R>, gravity: &Vector3<f64>) -> Vector3<R> {
        pose.rotation.tr_mul(&lift::<R>(&(gravity * self.mass)))
    }

    /// Adds minus the weight, as a force on the body twist: `-(c x G, G)`, `G = m R^T gravity`.
    #[inline]
    pub(super) fn add_weight<R: Real>(
        &self,
        pose: &Pose<R>,
        gravity: &Vector3<f64>,
        f: &mut Vector6<R>,
    ) {
        let weight = self.weight(pose, gravity);
        let moment = lift::<R>(&self.center).cross(&weight);
        for i in 0..3 {
            f[i] -= moment[i];
            f[3 + i] -= weight[i];
        }
    }

    /// Derivative of [`add_weight`](Self::add_weight) along body twists.
    pub(super) fn weight_stiffness(&self, pose: &Pose, gravity: &Vector3<f64>) -> Matrix6<f64> {
        let weight = self.weight(pose, gravity).cross_matrix();
        let mut k = Matrix6::zeros();
        k.fixed_view_mut::<3, 3>(0, 0)
            .copy_from(&-(self.center.cross_matrix() * weight));
        k.fixed_view_mut::<3, 3>(3, 0).copy_from(&-weight);
        k
    }

    /// Adds the gyroscopic force in group coordinates: with `(pi, p) = M v`,
    /// `(Omega x pi + U x p, Omega x p)` on semidirect products (minus the coadjoint
    /// action), `Omega x J Omega` where rotation and translation commute.
    #[inline]
    pub(super) fn add_gyroscopic<R: Real>(&self, v: &[R], out: &mut [R]) {
        let v = &v[self.velocity.clone()];
        let out = &mut out[self.velocity.clone()];
        match self.kind {
            GroupKind::Rn(_) => {}
            GroupKind::SE3 | GroupKind::S3sR3 => {
                let (omega, u) = (
                    Vector3::new(v[0], v[1], v[2]),
                    Vector3::new(v[3], v[4], v[5]),
                );
                let (pi, p) = self.momenta(&omega, &u);
                let moment = omega.cross(&pi) + u.cross(&p);
                let force = omega.cross(&p);
                for i in 0..3 {
                    out[i] += moment[i];
                    out[3 + i] += force[i];
                }
            }
            _ => {
                let omega = Vector3::new(v[0], v[1], v[2]);
                let inertia = self.rotational_inertia().map(R::from_f64);
                let moment = omega.cross(&(inertia * omega));
                for i in 0..3 {
                    out[i] += moment[i];
                }
            }
        }
    }

    /// Derivative of the gyroscopic force by the velocity, in group coordinates.
    pub(super) fn gyroscopic_damping(&self, v: &[f64]) -> Matrix6<f64> {
        let v = &v[self.velocity.clone()];
        let mut d = Matrix6::zeros();
        if let GroupKind::Rn(_) = self.kind {
            return d;
        }
        let omega = Vector3::new(v[0], v[1], v[2]);
        let hat = omega.cross_matrix();
        let inertia = self.rotational_inertia();
        if !matches!(self.kind, GroupKind::SE3 | GroupKind::S3sR3) {
            d.fixed_view_mut::<3, 3>(0, 0)
                .copy_from(&(hat * inertia - (inertia * omega).cross_matrix()));
            return d;
        }
        let u = Vector3::new(v[3], v[4], v[5]);
        let (pi, p) = self.momenta(&omega, &u);
        let coupling = self.center.cross_matrix() * self.mass;
        let (u_hat, p_hat) = (u.cross_matrix(), p.cross_matrix());
        d.fixed_view_mut::<3, 3>(0, 0)
            .copy_from(&(hat * inertia - pi.cross_matrix() - u_hat * coupling));
        d.fixed_view_mut::<3, 3>(0, 3)
            .copy_from(&(hat * coupling + u_hat * self.mass - p_hat));
        d.fixed_view_mut::<3, 3>(3, 0)
            .copy_from(&-(hat * coupling + p_hat));
        d.fixed_view_mut::<3, 3>(3, 3).copy_from(&(hat * self.mass));
        d
    }

    /// Upper left block of the mass matrix.
    fn rotational_inertia(&self) -> Matrix3<f64> {
        Matrix3::from_fn(|i, j| self.mass_matrix[(i, j)])
    }

    /// `(pi, p) = M (Omega, U)` on a semidirect product.
    fn momenta<R: Real>(&self, omega: &Vector3<R>, u: &Vector3<R>) -> (Vector3<R>, Vector3<R>) {
        let center = lift::<R>(&self.center);
        let p = (u + omega.cross(&center)).map(|x| x * self.mass);
        let inertia = self.inertia.map(R::from_f64);
        (inertia * omega + center.cross(&p), p)
    }

    /// Potential energy of the weight.
    pub(super) fn weight_energy(&self, pose: &Pose, gravity: &Vector3<f64>) -> f64 {
        -self.mass * gravity.dot(&(pose.position + pose.rotation * self.center))
    }

    /// Linear momentum, and angular momentum about the inertial origin.
    pub(super) fn momentum(&self, pose: &Pose, v: &[f64]) -> (Vector3<f64>, Vector3<f64>) {
        let twist = self.twist(pose, v);
        let (omega, u) = (
            twist.fixed_rows::<3>(0).into_owned(),
            twist.fixed_rows::<3>(3).into_owned(),
        );
        let linear = pose.rotation * (u + omega.cross(&self.center)) * self.mass;
        let spin = pose.rotation * (self.inertia * omega);
        let center = pose.position + pose.rotation * self.center;
        (linear, spin + center.cross(&linear))
    }
}

#[inline]
fn multiply(a: &DMatrix<f64>, x: &[f64], out: &mut [f64]) {
    let n = x.len();
    out[..n].fill(0.0);
    for (column, x) in a.as_slice().chunks_exact(n).zip(x) {
        for (out, a) in out.iter_mut().zip(column) {
            *out += a * x;
        }
    }
}

/// Rotation matrix of a quaternion (w, x, y, z) of any length but zero.
fn quaternion_matrix(p: &[f64; 4]) -> Matrix3<f64> {
    let norm = p.iter().map(|x| x * x).sum::<f64>().sqrt();
    unit_quaternion_matrix(&p.map(|x| x / norm))
}

/// `I + 2 w r~ + 2 r~^2`.
#[inline]
fn unit_quaternion_matrix<R: Real>(p: &[R]) -> Matrix3<R> {
    let (w, x, y, z) = (p[0], p[1], p[2], p[3]);
    let zero = R::zero();
    let r = Matrix3::new(zero, -z, y, z, zero, -x, -y, x, zero);
    Matrix3::identity() + (r * w + r * r).map(|x| x * 2.0)
}
