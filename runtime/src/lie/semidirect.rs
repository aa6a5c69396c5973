//! Semidirect products: rigid body motions.
//!
//! The algebra is so(3) over the dual numbers, see [`super::isotropic`]: every
//! matrix here is `[[A, 0], [B, A]]` with `A + εB` the matrix of the rotation
//! group at `Ω + εU`.

use nalgebra::{SMatrix, SVector, Vector3};

use super::LieGroup;
use super::blocks::{join, lower, split};
use super::isotropic::{self, Jet, Pair, hat};
use super::rotation::{Rotation, S3, SO3};
use crate::real::Real;

/// Rotations that also turn the translation composed after them; the velocity
/// is (body angular velocity, body velocity).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SemidirectProduct<Rot: Rotation> {
    /// The rotation.
    pub rotation: Rot,
    /// The translation, in the inertial frame.
    pub translation: Vector3<Rot::Scalar>,
}

/// Rotation matrices and vectors, SE(3).
pub type SE3<R = f64> = SemidirectProduct<SO3<R>>;
/// Unit quaternions and vectors, S³⋉R³.
pub type S3sR3<R = f64> = SemidirectProduct<S3<R>>;

impl<Rot: Rotation> LieGroup<6> for SemidirectProduct<Rot> {
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
            translation: self.rotation.rotate(&other.translation) + self.translation,
        }
    }

    #[inline]
    fn inverse(&self) -> Self {
        Self {
            rotation: self.rotation.inverse(),
            translation: -self.rotation.rotate_inverse(&self.translation),
        }
    }

    /// `(exp(Ω), T(Ω)ᵀ U)`.
    #[inline]
    fn exp(x: &SVector<Rot::Scalar, 6>) -> Self {
        let (omega, u) = split(x);
        Self {
            rotation: Rot::exp(&omega),
            translation: Rot::tangent_transpose_times(&omega, &u),
        }
    }

    /// `(Ω, T(Ω)⁻ᵀ x)` with `Ω` the logarithm of the rotation.
    #[inline]
    fn log(&self) -> SVector<Rot::Scalar, 6> {
        let omega = self.rotation.log();
        let u = Rot::tangent_inverse_transpose_times(&omega, &self.translation);
        join(&omega, &u)
    }

    #[inline]
    fn ad(x: &SVector<Rot::Scalar, 6>) -> SMatrix<Rot::Scalar, 6, 6> {
        let (omega, u) = split(x);
        lower(&hat(&omega), &hat(&u), &hat(&omega))
    }

    #[inline]
    fn ad_times(
        x: &SVector<Rot::Scalar, 6>,
        y: &SVector<Rot::Scalar, 6>,
    ) -> SVector<Rot::Scalar, 6> {
        let (omega, u) = split(x);
        let (w, z) = split(y);
        join(&omega.cross(&w), &(u.cross(&w) + omega.cross(&z)))
    }

    #[inline]
    fn adjoint(&self) -> SMatrix<Rot::Scalar, 6, 6> {
        let matrix = self.rotation.to_matrix();
        lower(&matrix, &(hat(&self.translation) * matrix), &matrix)
    }

    #[inline]
    fn adjoint_times(&self, y: &SVector<Rot::Scalar, 6>) -> SVector<Rot::Scalar, 6> {
        let (w, z) = split(y);
        let w = self.rotation.rotate(&w);
        join(&w, &(self.translation.cross(&w) + self.rotation.rotate(&z)))
    }

    fn tangent(x: &SVector<Rot::Scalar, 6>) -> SMatrix<Rot::Scalar, 6, 6> {
        matrix(isotropic::tangent_jet(turn(x)), x)
    }

    fn tangent_inverse(x: &SVector<Rot::Scalar, 6>) -> SMatrix<Rot::Scalar, 6, 6> {
        matrix(isotropic::tangent_inverse_jet(turn(x)), x)
    }

    #[inline]
    fn tangent_times(
        x: &SVector<Rot::Scalar, 6>,
        w: &SVector<Rot::Scalar, 6>,
    ) -> SVector<Rot::Scalar, 6> {
        times(isotropic::tangent_jet(turn(x)), x, w)
    }

    #[inline]
    fn tangent_inverse_times(
        x: &SVector<Rot::Scalar, 6>,
        w: &SVector<Rot::Scalar, 6>,
    ) -> SVector<Rot::Scalar, 6> {
        times(isotropic::tangent_inverse_jet(turn(x)), x, w)
    }

    #[inline]
    fn tangent_transpose_times(
        x: &SVector<Rot::Scalar, 6>,
        w: &SVector<Rot::Scalar, 6>,
    ) -> SVector<Rot::Scalar, 6> {
        transpose_times(isotropic::tangent_jet(turn(x)), x, w)
    }

    #[inline]
    fn tangent_inverse_transpose_times(
        x: &SVector<Rot::Scalar, 6>,
        w: &SVector<Rot::Scalar, 6>,
    ) -> SVector<Rot::Scalar, 6> {
        transpose_times(isotropic::tangent_inverse_jet(turn(x)), x, w)
    }

    fn tangent_derivative(
        theta: &SVector<Rot::Scalar, 6>,
        x: &SVector<Rot::Scalar, 6>,
    ) -> SMatrix<Rot::Scalar, 6, 6> {
        let s = turn(theta);
        derivative(
            isotropic::tangent_jet(s),
            isotropic::tangent_curvature(s),
            theta,
            x,
        )
    }

    fn tangent_inverse_derivative(
        theta: &SVector<Rot::Scalar, 6>,
        x: &SVector<Rot::Scalar, 6>,
    ) -> SMatrix<Rot::Scalar, 6, 6> {
        let s = turn(theta);
        derivative(
            isotropic::tangent_inverse_jet(s),
            isotropic::tangent_inverse_curvature(s),
            theta,
            x,
        )
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

/// `|Ω|²`.
#[inline]
fn turn<R: Real>(x: &SVector<R, 6>) -> R {
    let omega = split(x).0;
    omega.dot(&omega)
}

/// `φ(Ω + εU)` as a matrix.
fn matrix<R: Real>(jet: Jet<R>, x: &SVector<R, 6>) -> SMatrix<R, 6, 6> {
    let (omega, u) = split(x);
    let diagonal = jet.value.matrix(&omega);
    lower(&diagonal, &jet.matrix_along(&omega, &u), &diagonal)
}

/// `φ(Ω + εU) (w + εz)`.
#[inline]
fn times<R: Real>(jet: Jet<R>, x: &SVector<R, 6>, y: &SVector<R, 6>) -> SVector<R, 6> {
    let ((omega, u), (w, z)) = (split(x), split(y));
    let (rotation, translation) = jet.times_along(&omega, &u, &w, &z);
    join(&rotation, &translation)
}

/// `[[Aᵀ, Bᵀ], [0, Aᵀ]] (w, z)` for `A + εB = φ(Ω + εU)`: the parts of
/// `φ(Ω + εU)ᵀ (z + εw)`, exchanged.
#[inline]
fn transpose_times<R: Real>(jet: Jet<R>, x: &SVector<R, 6>, y: &SVector<R, 6>) -> SVector<R, 6> {
    let ((omega, u), (w, z)) = (split(x), split(y));
    let (translation, rotation) = jet.transposed().times_along(&omega, &u, &z, &w);
    join(&rotation, &translation)
}

/// `D_θ[φ(θ) x]` for `θ = Ω + εU`, `x = w + εz`.
fn derivative<R: Real>(
    jet: Jet<R>,
    curvature: Pair<R>,
    theta: &SVector<R, 6>,
    x: &SVector<R, 6>,
) -> SMatrix<R, 6, 6> {
    let ((omega, u), (w, z)) = (split(theta), split(x));
    let diagonal = jet.derivative(&omega, &w);
    let corner = jet.derivative_along(curvature, &omega, &u, &w, &z);
    lower(&diagonal, &corner, &diagonal)
}
