//! The matrices `σ I + (1 - σ) T(θ)`.

use nalgebra::{Matrix3, SMatrix, SVector, Vector3};

use super::blocks::{join, lower, split};
use super::isotropic::{self, Pair};
use super::{DirectProduct, LieGroup, Rotation, S3, SO3, SemidirectProduct};

/// Groups whose blend `σ I + (1 - σ) T(θ)`, `0 ≤ σ ≤ 1`, is inverted in closed
/// form. The complex eigenvalues `(1 - e^{-iω}) / (iω)` of `T` are real only at
/// full turns, where they vanish: the blend is singular only there, for `σ = 0`.
pub(crate) trait Blend<const DOF: usize> {
    /// `(σ I + (1 - σ) T(θ))⁻¹ rhs`.
    fn blend_solve(
        sigma: f64,
        theta: &SVector<f64, DOF>,
        rhs: &SVector<f64, DOF>,
    ) -> SVector<f64, DOF>;

    /// `(σ I + (1 - σ) T(θ))⁻¹`.
    fn blend_inverse(sigma: f64, theta: &SVector<f64, DOF>) -> SMatrix<f64, DOF, DOF>;
}

/// The coefficients of the inverse for the rotation vector `omega`.
#[inline]
fn inverse_pair(sigma: f64, omega: &Vector3<f64>) -> Pair<f64> {
    let s = omega.dot(omega);
    if sigma == 0.0 {
        isotropic::tangent_inverse(s)
    } else {
        isotropic::tangent(s).scaled(1.0 - sigma).inverted(s)
    }
}

macro_rules! blend_rotation {
    ($group:ident) => {
        impl Blend<3> for $group {
            #[inline]
            fn blend_solve(sigma: f64, theta: &Vector3<f64>, rhs: &Vector3<f64>) -> Vector3<f64> {
                inverse_pair(sigma, theta).times(theta, rhs)
            }

            #[inline]
            fn blend_inverse(sigma: f64, theta: &Vector3<f64>) -> Matrix3<f64> {
                inverse_pair(sigma, theta).matrix(theta)
            }
        }
    };
}

blend_rotation!(SO3);
blend_rotation!(S3);

impl<Rot: Rotation<Scalar = f64>> Blend<6> for DirectProduct<Rot> {
    #[inline]
    fn blend_solve(sigma: f64, theta: &SVector<f64, 6>, rhs: &SVector<f64, 6>) -> SVector<f64, 6> {
        let (omega, (w, z)) = (split(theta).0, split(rhs));
        join(&inverse_pair(sigma, &omega).times(&omega, &w), &z)
    }

    #[inline]
    fn blend_inverse(sigma: f64, theta: &SVector<f64, 6>) -> SMatrix<f64, 6, 6> {
        let omega = split(theta).0;
        let block = inverse_pair(sigma, &omega).matrix(&omega);
        lower(&block, &Matrix3::zeros(), &Matrix3::identity())
    }
}

/// The blend is `[[A, 0], [(1-σ) C, A]]`, `C` the corner of `T(θ)`.
impl<Rot: Rotation<Scalar = f64>> Blend<6> for SemidirectProduct<Rot> {
    #[inline]
    fn blend_solve(sigma: f64, theta: &SVector<f64, 6>, rhs: &SVector<f64, 6>) -> SVector<f64, 6> {
        if sigma == 0.0 {
            return Self::tangent_inverse_times(theta, rhs);
        }
        let ((omega, u), (w, z)) = (split(theta), split(rhs));
        let inverse = inverse_pair(sigma, &omega);
        let rotation = inverse.times(&omega, &w);
        let coupled = isotropic::tangent_jet(omega.dot(&omega))
            .times_along(&omega, &u, &rotation, &Vector3::zeros())
            .1;
        let translation = inverse.times(&omega, &(z - coupled * (1.0 - sigma)));
        join(&rotation, &translation)
    }

    fn blend_inverse(sigma: f64, theta: &SVector<f64, 6>) -> SMatrix<f64, 6, 6> {
        if sigma == 0.0 {
            return Self::tangent_inverse(theta);
        }
        let (omega, u) = split(theta);
        let block = inverse_pair(sigma, &omega).matrix(&omega);
        let corner = isotropic::tangent_jet(omega.dot(&omega)).matrix_along(&omega, &u);
        lower(&block, &(block * corner * block * (sigma - 1.0)), &block)
    }
}
