//! Direct products: rotation and translation side by side.

use nalgebra::{Matrix3, SMatrix, SVector, Vector3};

use super::LieGroup;
use super::blocks::{join, lower, split};
use super::rotation::{Rotation, S3, SO3};

/// Rotations and translations composed separately; the velocity is (body
/// angular velocity, inertial velocity).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DirectProduct<Rot: Rotation> {
    /// The rotation.
    pub rotation: Rot,
    /// The translation, in the inertial frame.
    pub translation: Vector3<Rot::Scalar>,
}

/// Rotation matrices and vectors, SO(3)×R³.
pub type SO3xR3<R = f64> = DirectProduct<SO3<R>>;
/// Unit quaternions and vectors, S³×R³.
pub type S3xR3<R = f64> = DirectProduct<S3<R>>;

impl<Rot: Rotation> LieGroup<6> for DirectProduct<Rot> {
    type Scalar = Rot::Scalar;

    fn identity() -> Self {
        Self {
            rotation: Rot::identity(),
            translation: Vector3::zeros(),
        }
    }

    #[inline]
    fn compose(&self, other: &Self) -> Self {
        Self {
            rotation: self.rotation.compose(&other.rotation),
            translation: self.translation + other.translation,
        }
    }

    #[inline]
    fn inverse(&self) -> Self {
        Self {
            rotation: self.rotation.inverse(),
            translation: -self.translation,
        }
    }

    #[inline]
    fn exp(x: &SVector<Rot::Scalar, 6>) -> Self {
        let (omega, u) = split(x);
        Self {
            rotation: Rot::exp(&omega),
            translation: u,
        }
    }

    #[inline]
    fn log(&self) -> SVector<Rot::Scalar, 6> {
        join(&self.rotation.log(), &self.translation)
    }

    #[inline]
    fn ad(x: &SVector<Rot::Scalar, 6>) -> SMatrix<Rot::Scalar, 6, 6> {
        let zero = Matrix3::zeros();
        lower(&Rot::ad(&split(x).0), &zero, &zero)
    }

    #[inline]
    fn ad_times(
        x: &SVector<Rot::Scalar, 6>,
        y: &SVector<Rot::Scalar, 6>,
    ) -> SVector<Rot::Scalar, 6> {
        join(&Rot::ad_times(&split(x).0, &split(y).0), &Vector3::zeros())
    }

    #[inline]
    fn adjoint(&self) -> SMatrix<Rot::Scalar, 6, 6> {
        beside_identity(&self.rotation.adjoint())
    }

    #[inline]
    fn adjoint_times(&self, y: &SVector<Rot::Scalar, 6>) -> SVector<Rot::Scalar, 6> {
        let (w, z) = split(y);
        join(&self.rotation.adjoint_times(&w), &z)
    }

    #[inline]
    fn tangent(x: &SVector<Rot::Scalar, 6>) -> SMatrix<Rot::Scalar, 6, 6> {
        beside_identity(&Rot::tangent(&split(x).0))
    }

    #[inline]
    fn tangent_inverse(x: &SVector<Rot::Scalar, 6>) -> SMatrix<Rot::Scalar, 6, 6> {
        beside_identity(&Rot::tangent_inverse(&split(x).0))
    }

    #[inline]
    fn tangent_times(
        x: &SVector<Rot::Scalar, 6>,
        w: &SVector<Rot::Scalar, 6>,
    ) -> SVector<Rot::Scalar, 6> {
        let (w, z) = split(w);
        join(&Rot::tangent_times(&split(x).0, &w), &z)
    }

    #[inline]
    fn tangent_inverse_times(
        x: &SVector<Rot::Scalar, 6>,
        w: &SVector<Rot::Scalar, 6>,
    ) -> SVector<Rot::Scalar, 6> {
        let (w, z) = split(w);
        join(&Rot::tangent_inverse_times(&split(x).0, &w), &z)
    }

    #[inline]
    fn tangent_transpose_times(
        x: &SVector<Rot::Scalar, 6>,
        w: &SVector<Rot::Scalar, 6>,
    ) -> SVector<Rot::Scalar, 6> {
        let (w, z) = split(w);
        join(&Rot::tangent_transpose_times(&split(x).0, &w), &z)
    }

    #[inline]
    fn tangent_inverse_transpose_times(
        x: &SVector<Rot::Scalar, 6>,
        w: &SVector<Rot::Scalar, 6>,
    ) -> SVector<Rot::Scalar, 6> {
        let (w, z) = split(w);
        join(&Rot::tangent_inverse_transpose_times(&split(x).0, &w), &z)
    }

    fn tangent_derivative(
        theta: &SVector<Rot::Scalar, 6>,
        x: &SVector<Rot::Scalar, 6>,
    ) -> SMatrix<Rot::Scalar, 6, 6> {
        let zero = Matrix3::zeros();
        let derivative = Rot::tangent_derivative(&split(theta).0, &split(x).0);
        lower(&derivative, &zero, &zero)
    }

    fn tangent_inverse_derivative(
        theta: &SVector<Rot::Scalar, 6>,
        x: &SVector<Rot::Scalar, 6>,
    ) -> SMatrix<Rot::Scalar, 6, 6> {
        let zero = Matrix3::zeros();
        let derivative = Rot::tangent_inverse_derivative(&split(theta).0, &split(x).0);
        lower(&derivative, &zero, &zero)
    }

    fn renormalized(&self) -> Self {
        Self {
            rotation: self.rotation.renormalized(),
            translation: self.translation,
        }
    }

    fn defect(&self) -> f64 {
        self.rotation.defect()
    }
}

/// `diag(block, I)`.
#[inline]
fn beside_identity<R: crate::real::Real>(block: &Matrix3<R>) -> SMatrix<R, 6, 6> {
    lower(block, &Matrix3::zeros(), &Matrix3::identity())
}
