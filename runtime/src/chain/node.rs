//! One node: a rigid body, or a point of a rod with its cross section.
//!
//! Everything is written in body twists `(Omega, U)`. A group enters through
//! the map `E` from its velocities to twists: `E = I` on semidirect products,
//! `U = R^T u` on direct ones. A covector goes back by `E^T`.

pub(crate) use crate::generic::{Pose, lift};
use crate::lie::{GroupKind, Rotation, S3};
use crate::real::Real;
use nalgebra::{Matrix3, Matrix6, Vector3, Vector6};

pub(super) fn parts<R: Real>(v: &[R]) -> (Vector3<R>, Vector3<R>) {
    (
        Vector3::new(v[0], v[1], v[2]),
        Vector3::new(v[3], v[4], v[5]),
    )
}

pub(super) fn join<R: Real>(a: &Vector3<R>, b: &Vector3<R>) -> Vector6<R> {
    Vector6::new(a.x, a.y, a.z, b.x, b.y, b.z)
}

/// The quaternion at the start of the numbers of a configuration.
pub(super) fn quaternion(q: &[f64]) -> S3 {
    S3 {
        scalar: q[0],
        vector: Vector3::new(q[1], q[2], q[3]),
    }
}

/// A node with its mass.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Node {
    pub(super) kind: GroupKind,
    pub(super) mass: f64,
    pub(super) inertia: Matrix3<f64>,
    pub(super) center: Vector3<f64>,
    pub(super) mass_matrix: Matrix6<f64>,
    mass_inverse: Matrix6<f64>,
    /// Whether the mass matrix is diagonal, as that of a cross section.
    diagonal: bool,
}

/// The nodes of a tree. Equal neighbours share their numbers: a long rod reads four bytes
/// for a node instead of its two matrices.
#[derive(Clone, Debug, Default)]
pub(super) struct Nodes {
    kinds: Vec<Node>,
    kind: Vec<u32>,
}

impl Nodes {
    pub(super) fn push(&mut self, node: Node) {
        if self.kinds.last() != Some(&node) {
            self.kinds.push(node);
        }
        #[expect(clippy::cast_possible_truncation, reason = "fewer than 2^32 nodes")]
        self.kind.push(self.kinds.len() as u32 - 1);
    }

    pub(super) fn len(&self) -> usize {
        self.kind.len()
    }

    #[inline]
    pub(super) fn iter(&self) -> impl ExactSizeIterator<Item = &Node> {
        self.kind.iter().map(|kind| &self.kinds[*kind as usize])
    }
}

impl core::ops::Index<usize> for Nodes {
    type Output = Node;

    #[inline]
    fn index(&self, i: usize) -> &Node {
        &self.kinds[self.kind[i] as usize]
    }
}

impl Node {
    /// `inertia` is about the centre of mass.
    pub(super) fn new(
        kind: GroupKind,
        mass: f64,
        inertia: &Matrix3<f64>,
        center: Vector3<f64>,
    ) -> Self {
        let c = center.cross_matrix();
        let mut mass_matrix = Matrix6::zeros();
        let mut put = |i: usize, j: usize, block: Matrix3<f64>| {
            mass_matrix.fixed_view_mut::<3, 3>(i, j).copy_from(&block);
        };
        put(0, 0, inertia - c * c * mass);
        put(0, 3, c * mass);
        put(3, 0, -c * mass);
        put(3, 3, Matrix3::identity() * mass);
        // Checked to be positive definite; if rounding disagrees, NaN is caught later.
        let mass_inverse = mass_matrix
            .try_inverse()
            .unwrap_or_else(|| Matrix6::repeat(f64::NAN));
        let diagonal = Matrix6::from_diagonal(&mass_matrix.diagonal()) == mass_matrix;
        Self {
            kind,
            mass,
            inertia: *inertia,
            center,
            mass_matrix,
            mass_inverse,
            diagonal,
        }
    }

    /// Whether translational velocities have inertial components.
    pub(super) fn is_direct(&self) -> bool {
        matches!(self.kind, GroupKind::SO3xR3 | GroupKind::S3xR3)
    }

    /// The pose that a part of a configuration means.
    #[inline]
    pub(super) fn pose(&self, q: &[f64]) -> Pose {
        let (rotation, x) = match self.kind {
            GroupKind::S3xR3 | GroupKind::S3sR3 => (quaternion(q).to_matrix(), &q[4..7]),
            _ => (Matrix3::from_row_slice(&q[..9]), &q[9..12]),
        };
        Pose {
            rotation,
            position: Vector3::new(x[0], x[1], x[2]),
        }
    }

    /// The quaternion in a part of a configuration, if the group has one.
    pub(super) fn quaternion(&self, q: &[f64]) -> Option<S3> {
        self.has_quaternion().then(|| quaternion(q))
    }

    pub(super) fn has_quaternion(&self) -> bool {
        matches!(self.kind, GroupKind::S3xR3 | GroupKind::S3sR3)
    }

    /// Writes a pose given as quaternion and position.
    pub(super) fn write(rotation: &S3, position: &Vector3<f64>, q: &mut [f64]) {
        let numbers = q.len();
        if numbers == 7 {
            q[0] = rotation.scalar;
            q[1..4].copy_from_slice(rotation.vector.as_slice());
        } else {
            q[..9].copy_from_slice(rotation.to_matrix().transpose().as_slice());
        }
        q[numbers - 3..].copy_from_slice(position.as_slice());
    }

    /// `E v`.
    #[inline]
    pub(super) fn twist<R: Real>(&self, pose: &Pose<R>, v: &[R]) -> Vector6<R> {
        let (omega, u) = parts(v);
        if self.is_direct() {
            return join(&omega, &pose.rotation.tr_mul(&u));
        }
        join(&omega, &u)
    }

    /// `E^T f`.
    #[inline]
    pub(super) fn to_group<R: Real>(&self, pose: &Pose<R>, f: &Vector6<R>) -> Vector6<R> {
        if !self.is_direct() {
            return *f;
        }
        let (moment, force) = parts(f.as_slice());
        join(&moment, &(pose.rotation * force))
    }

    /// `M w`; the mass matrix is the same in twists and in group velocities.
    #[inline]
    pub(super) fn mass_times(&self, w: &[f64], out: &mut [f64]) {
        out.copy_from_slice(self.momentum_of(w).as_slice());
    }

    /// `M^-1 f`.
    #[inline]
    pub(super) fn mass_solve(&self, f: &[f64], out: &mut [f64]) {
        let product = self.accelerate(&Vector6::from_column_slice(f));
        out.copy_from_slice(product.as_slice());
    }

    /// `M^-1 f`.
    #[inline]
    pub(super) fn accelerate(&self, f: &Vector6<f64>) -> Vector6<f64> {
        if self.diagonal {
            return Vector6::from_fn(|i, _| self.mass_inverse[(i, i)] * f[i]);
        }
        self.mass_inverse * f
    }

    /// `M v`.
    #[inline]
    fn momentum_of<R: Real>(&self, v: &[R]) -> Vector6<R> {
        if self.diagonal {
            return Vector6::from_fn(|i, _| v[i] * self.mass_matrix[(i, i)]);
        }
        self.mass_matrix.map(R::from_f64) * Vector6::from_column_slice(v)
    }

    /// The gyroscopic part of `g`, in group components: with `(pi, p) = M v`,
    /// `(Omega x pi + U x p, Omega x p)` on semidirect products and
    /// `(Omega x pi, 0)` on direct ones.
    #[inline]
    pub(super) fn gyroscopic<R: Real>(&self, v: &[R]) -> Vector6<R> {
        let momentum = self.momentum_of(v);
        let ((omega, u), (pi, p)) = (parts(v), parts(momentum.as_slice()));
        if self.is_direct() {
            return join(&omega.cross(&pi), &Vector3::zeros());
        }
        join(&(omega.cross(&pi) + u.cross(&p)), &omega.cross(&p))
    }

    /// The derivative of [`Self::gyroscopic`] by `v`.
    pub(super) fn gyroscopic_damping(&self, v: &[f64]) -> Matrix6<f64> {
        let momentum = self.mass_matrix * Vector6::from_column_slice(v);
        let ((omega, u), (pi, p)) = (parts(v), parts(momentum.as_slice()));
        let mut turn = Matrix6::zeros();
        let mut of_momentum = Matrix6::zeros();
        let mut put = |i: usize, j: usize, left: &Vector3<f64>, right: &Vector3<f64>| {
            let hat: Matrix3<f64> = left.cross_matrix();
            turn.fixed_view_mut::<3, 3>(i, j).copy_from(&hat);
            let hat: Matrix3<f64> = right.cross_matrix();
            of_momentum.fixed_view_mut::<3, 3>(i, j).copy_from(&hat);
        };
        put(0, 0, &omega, &pi);
        if !self.is_direct() {
            put(0, 3, &u, &p);
            put(3, 3, &omega, &Vector3::zeros());
            put(3, 0, &Vector3::zeros(), &p);
        }
        turn * self.mass_matrix - of_momentum
    }

    /// Subtracts the weight from `g`, in body components.
    pub(super) fn subtract_weight<R: Real>(
        &self,
        pose: &Pose<R>,
        gravity: &Vector3<f64>,
        g: &mut Vector6<R>,
    ) {
        let force = pose.rotation.tr_mul(&lift(&(gravity * self.mass)));
        let moment = lift::<R>(&self.center).cross(&force);
        *g -= join(&moment, &force);
    }

    /// Adds the derivative of [`Self::subtract_weight`].
    pub(super) fn add_weight_stiffness(
        &self,
        pose: &Pose,
        gravity: &Vector3<f64>,
        k: &mut Matrix6<f64>,
    ) {
        let force: Matrix3<f64> = (pose.rotation.tr_mul(gravity) * self.mass).cross_matrix();
        let mut rotation = k.fixed_view_mut::<3, 3>(0, 0);
        rotation -= self.center.cross_matrix() * force;
        let mut translation = k.fixed_view_mut::<3, 3>(3, 0);
        translation -= force;
    }

    /// Energy of the weight, zero at the inertial origin.
    pub(super) fn weight_energy(&self, pose: &Pose, gravity: &Vector3<f64>) -> f64 {
        -self.mass * gravity.dot(&(pose.position + pose.rotation * self.center))
    }

    /// Linear and angular momentum in the inertial frame, the latter about its origin.
    pub(super) fn momentum(&self, pose: &Pose, v: &[f64]) -> (Vector3<f64>, Vector3<f64>) {
        let momentum = self.mass_matrix * self.twist(pose, v);
        let (pi, p) = parts(momentum.as_slice());
        let (pi, p) = (pose.rotation * pi, pose.rotation * p);
        (p, pi + pose.position.cross(&p))
    }
}
