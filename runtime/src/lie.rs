//! Lie groups as configuration spaces.
//!
//! The conventions are those of Arnold, Cardona and Brüls, "A Lie algebra
//! approach to Lie group time integration of constrained systems" (CISM, 2016):
//! velocities are left invariant, `q' = DL_q(e) v`, so rotation velocities are
//! given in the body frame, and 6-vectors are ordered (rotation, translation).
//!
//! | group     | elements          | `(a, x) ∘ (b, y)`    | type                                |
//! |-----------|-------------------|----------------------|-------------------------------------|
//! | SO(3)     | rotation matrices | `a b`                | [`SO3`]                             |
//! | S³        | unit quaternions  | `a b`                | [`S3`]                              |
//! | Rⁿ        | vectors           | `x + y`              | [`Rn`]                              |
//! | SO(3)×R³  | `(R, x)`          | `(a b, x + y)`       | [`SO3xR3`], a [`DirectProduct`]     |
//! | S³×R³     | `(p, x)`          | `(a b, x + y)`       | [`S3xR3`], a [`DirectProduct`]      |
//! | SE(3)     | `(R, x)`          | `(a b, x + a y)`     | [`SE3`], a [`SemidirectProduct`]    |
//! | S³⋉R³     | `(p, x)`          | `(a b, x + R(a) y)`  | [`S3sR3`], a [`SemidirectProduct`]  |
//!
//! [`Space`] is the product of any number of them on flat slices, chosen at run
//! time by their [`GroupKind`].

#[cfg(test)]
mod accuracy;
mod blend;
mod blocks;
#[cfg(test)]
mod broken;
pub mod coefficients;
mod direct;
mod isotropic;
mod kind;
#[cfg(test)]
mod laws;
mod packed;
mod rotation;
mod semidirect;
mod space;
mod vector;

use nalgebra::{SMatrix, SVector};

pub(crate) use blend::Blend;
pub use direct::{DirectProduct, S3xR3, SO3xR3};
pub use kind::{GroupKind, UnknownGroup};
pub use rotation::{Rotation, S3, SO3};
pub use semidirect::{S3sR3, SE3, SemidirectProduct};
pub use space::{Factor, Space};
pub use vector::Rn;

use crate::real::Real;

/// A Lie group of dimension `DOF`, with its algebra identified with `R^DOF`.
///
/// `ad_x` stands for the matrix of the commutator, `ad_x y = [x, y]`.
pub trait LieGroup<const DOF: usize>: Copy {
    /// The numbers the elements are made of.
    type Scalar: Real;

    /// `e ∘ q = q ∘ e = q`.
    fn identity() -> Self;

    /// `self ∘ other`.
    #[must_use]
    fn compose(&self, other: &Self) -> Self;

    /// `q⁻¹ ∘ q = q ∘ q⁻¹ = e`.
    #[must_use]
    fn inverse(&self) -> Self;

    /// `q(1)` of the curve `q' = DL_q(e) x`, `q(0) = e`.
    fn exp(x: &SVector<Self::Scalar, DOF>) -> Self;

    /// The smallest `x` with `exp(x) = self`, its rotation of at most half a
    /// turn.
    fn log(&self) -> SVector<Self::Scalar, DOF>;

    /// The matrix of `y ↦ [x, y]`.
    fn ad(x: &SVector<Self::Scalar, DOF>) -> SMatrix<Self::Scalar, DOF, DOF>;

    /// `[x, y]`.
    fn ad_times(
        x: &SVector<Self::Scalar, DOF>,
        y: &SVector<Self::Scalar, DOF>,
    ) -> SVector<Self::Scalar, DOF>;

    /// The matrix `Ad_q` with `exp(Ad_q y) = q ∘ exp(y) ∘ q⁻¹`.
    fn adjoint(&self) -> SMatrix<Self::Scalar, DOF, DOF>;

    /// `Ad_q y`.
    fn adjoint_times(&self, y: &SVector<Self::Scalar, DOF>) -> SVector<Self::Scalar, DOF>;

    /// The tangent operator `T(x) = Σ (-ad_x)^i / (i+1)!`, with
    /// `exp(x + d) = exp(x) ∘ exp(T(x) d) + O(|d|²)`.
    fn tangent(x: &SVector<Self::Scalar, DOF>) -> SMatrix<Self::Scalar, DOF, DOF>;

    /// `T(x)⁻¹`, for rotations of less than a full turn.
    fn tangent_inverse(x: &SVector<Self::Scalar, DOF>) -> SMatrix<Self::Scalar, DOF, DOF>;

    /// `T(x) w`.
    fn tangent_times(
        x: &SVector<Self::Scalar, DOF>,
        w: &SVector<Self::Scalar, DOF>,
    ) -> SVector<Self::Scalar, DOF>;

    /// `T(x)⁻¹ w`.
    fn tangent_inverse_times(
        x: &SVector<Self::Scalar, DOF>,
        w: &SVector<Self::Scalar, DOF>,
    ) -> SVector<Self::Scalar, DOF>;

    /// `T(x)ᵀ w`.
    fn tangent_transpose_times(
        x: &SVector<Self::Scalar, DOF>,
        w: &SVector<Self::Scalar, DOF>,
    ) -> SVector<Self::Scalar, DOF>;

    /// `T(x)⁻ᵀ w`.
    fn tangent_inverse_transpose_times(
        x: &SVector<Self::Scalar, DOF>,
        w: &SVector<Self::Scalar, DOF>,
    ) -> SVector<Self::Scalar, DOF>;

    /// The matrix `D_θ[T(θ) x]` of `d ↦ d/dε T(θ + ε d) x`.
    fn tangent_derivative(
        theta: &SVector<Self::Scalar, DOF>,
        x: &SVector<Self::Scalar, DOF>,
    ) -> SMatrix<Self::Scalar, DOF, DOF>;

    /// The matrix `D_θ[T(θ)⁻¹ x]` of `d ↦ d/dε T(θ + ε d)⁻¹ x`.
    fn tangent_inverse_derivative(
        theta: &SVector<Self::Scalar, DOF>,
        x: &SVector<Self::Scalar, DOF>,
    ) -> SMatrix<Self::Scalar, DOF, DOF>;

    /// The element of the group that rounding errors moved to `self`.
    #[must_use]
    fn renormalized(&self) -> Self;

    /// How far `self` is from the group: the largest violation of the equations
    /// that its components satisfy.
    fn defect(&self) -> f64;

    /// `log(self⁻¹ ∘ other)`, so that `self ∘ exp(difference) = other`.
    #[inline]
    fn difference(&self, other: &Self) -> SVector<Self::Scalar, DOF> {
        self.inverse().compose(other).log()
    }

    /// `|log(self⁻¹ ∘ other)|`.
    #[inline]
    fn distance(&self, other: &Self) -> Self::Scalar {
        let difference = self.difference(other);
        difference.dot(&difference).sqrt()
    }

    /// `self ∘ exp(s log(self⁻¹ ∘ other))`: `self` at 0, `other` at 1, with
    /// constant velocity between them.
    #[must_use]
    fn interpolate(&self, other: &Self, s: Self::Scalar) -> Self {
        self.compose(&Self::exp(&(self.difference(other) * s)))
    }
}
