//! Isotropic functions of a rotation vector.
//!
//! With `Ω̃ y = Ω × y` and `s = |Ω|²`, every power series in `Ω̃` is a
//! combination of three matrices, as `Ω̃³ = -s Ω̃`. Those that are 1 at 0 read
//!
//! ```text
//! φ(Ω) = I + α(s) Ω̃ + β(s) Ω̃²,    φ(Ω)ᵀ = I - α(s) Ω̃ + β(s) Ω̃².
//! ```
//!
//! The algebra se(3) is so(3) over the dual numbers: its commutator is
//! `(Ω + εU) × (w + εz)` with `ε² = 0`. Hence a power series in `ad_(Ω, U)` is
//! `φ(Ω + εU)`, and its lower left block is the derivative of `φ(Ω)` along `U`.
//! The derivatives need `α' = (1/ω) dα/dω = 2 dα/ds`, as `d s = 2 Ω·U ε`.

use nalgebra::{Matrix3, Vector3};

use super::coefficients::lifted;
use crate::real::Real;

/// The matrix of `y ↦ x × y`.
#[inline]
pub(super) fn hat<R: Real>(x: &Vector3<R>) -> Matrix3<R> {
    let zero = R::zero();
    Matrix3::new(
        zero, -x.z, x.y, //
        x.z, zero, -x.x, //
        -x.y, x.x, zero,
    )
}

/// `ã b̃`, which is `b aᵀ - (a·b) I`.
#[inline]
fn hat_hat<R: Real>(a: &Vector3<R>, b: &Vector3<R>) -> Matrix3<R> {
    let mut product = b * a.transpose();
    product.m11 = -(a.y * b.y + a.z * b.z);
    product.m22 = -(a.x * b.x + a.z * b.z);
    product.m33 = -(a.x * b.x + a.y * b.y);
    product
}

/// The coefficients of `α Ω̃ + β Ω̃²`, or their derivatives.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair<R> {
    /// `α`.
    pub(super) linear: R,
    /// `β`.
    pub(super) quadratic: R,
}

impl<R: Real> Pair<R> {
    /// The coefficients of the transposed matrix.
    #[inline]
    pub(super) fn transposed(self) -> Self {
        Self {
            linear: -self.linear,
            quadratic: self.quadratic,
        }
    }

    /// The coefficients of `factor (α Ω̃ + β Ω̃²)`.
    #[inline]
    pub(super) fn scaled(self, factor: R) -> Self {
        Self {
            linear: self.linear * factor,
            quadratic: self.quadratic * factor,
        }
    }

    /// The coefficients of `φ(Ω)⁻¹`: in the plane normal to `Ω`, `φ` multiplies
    /// by the complex number `1 - β s + i α ω`.
    #[inline]
    pub(super) fn inverted(self, s: R) -> Self {
        let real = -(self.quadratic * s) + 1.0;
        let square = real * real + self.linear * self.linear * s;
        Self {
            linear: -self.linear / square,
            quadratic: (self.linear * self.linear - self.quadratic * real) / square,
        }
    }

    /// `φ(Ω)`.
    #[inline]
    pub(super) fn matrix(self, omega: &Vector3<R>) -> Matrix3<R> {
        let mut matrix = hat(&(omega * self.linear)) + hat_hat(omega, omega) * self.quadratic;
        for i in 0..3 {
            matrix[(i, i)] = matrix[(i, i)] + 1.0;
        }
        matrix
    }

    /// `φ(Ω) x`.
    #[inline]
    pub(super) fn times(self, omega: &Vector3<R>, x: &Vector3<R>) -> Vector3<R> {
        let once = omega.cross(x);
        x + once * self.linear + omega.cross(&once) * self.quadratic
    }
}

/// A function `φ` of the rotation vector with its first derivatives.
#[derive(Clone, Copy, Debug)]
pub(super) struct Jet<R> {
    /// `α` and `β`.
    pub(super) value: Pair<R>,
    /// `α'` and `β'`.
    pub(super) slope: Pair<R>,
}

impl<R: Real> Jet<R> {
    /// The function `φ(Ω)ᵀ`.
    #[inline]
    pub(super) fn transposed(self) -> Self {
        Self {
            value: self.value.transposed(),
            slope: self.slope.transposed(),
        }
    }

    /// The matrix of `d ↦ D_Ω[φ(Ω) x] d`, which is
    /// `-α x̃ - β ((Ω × x)˜ + Ω̃ x̃) + (α' Ω × x + β' Ω × (Ω × x)) Ωᵀ`.
    pub(super) fn derivative(self, omega: &Vector3<R>, x: &Vector3<R>) -> Matrix3<R> {
        let once = omega.cross(x);
        let twice = omega.cross(&once);
        let gradient = once * self.slope.linear + twice * self.slope.quadratic;
        gradient * omega.transpose()
            - hat(&(x * self.value.linear + once * self.value.quadratic))
            - hat_hat(omega, x) * self.value.quadratic
    }

    /// The derivative of the matrix `φ(Ω)` along `u`:
    /// `α ũ + β (ũ Ω̃ + Ω̃ ũ) + (Ω·u) (α' Ω̃ + β' Ω̃²)`.
    pub(super) fn matrix_along(self, omega: &Vector3<R>, u: &Vector3<R>) -> Matrix3<R> {
        let along = omega.dot(u);
        let mixed = hat_hat(u, omega);
        hat(&(u * self.value.linear + omega * (along * self.slope.linear)))
            + (mixed + mixed.transpose()) * self.value.quadratic
            + hat_hat(omega, omega) * (along * self.slope.quadratic)
    }

    /// `φ(Ω + εu) (x + εy)`: its value, and its derivative for `ε`.
    #[inline]
    pub(super) fn times_along(
        self,
        omega: &Vector3<R>,
        u: &Vector3<R>,
        x: &Vector3<R>,
        y: &Vector3<R>,
    ) -> (Vector3<R>, Vector3<R>) {
        let along = omega.dot(u);
        let once = omega.cross(x);
        let twice = omega.cross(&once);
        let once_along = u.cross(x) + omega.cross(y);
        let twice_along = u.cross(&once) + omega.cross(&once_along);
        (
            x + once * self.value.linear + twice * self.value.quadratic,
            y + once_along * self.value.linear
                + twice_along * self.value.quadratic
                + once * (along * self.slope.linear)
                + twice * (along * self.slope.quadratic),
        )
    }

    /// The derivative of [`Jet::derivative`] for `ε`, taken at `Ω + εu` and
    /// `x + εy`; `curvature` holds `α''` and `β''`.
    pub(super) fn derivative_along(
        self,
        curvature: Pair<R>,
        omega: &Vector3<R>,
        u: &Vector3<R>,
        x: &Vector3<R>,
        y: &Vector3<R>,
    ) -> Matrix3<R> {
        let Self { value, slope } = self;
        let along = omega.dot(u);
        let once = omega.cross(x);
        let twice = omega.cross(&once);
        let once_along = u.cross(x) + omega.cross(y);
        let twice_along = u.cross(&once) + omega.cross(&once_along);
        let gradient = once * slope.linear + twice * slope.quadratic;
        let gradient_along = once_along * slope.linear
            + twice_along * slope.quadratic
            + once * (along * curvature.linear)
            + twice * (along * curvature.quadratic);
        let quadratic_along = along * slope.quadratic;
        gradient_along * omega.transpose() + gradient * u.transpose()
            - hat(&(x * (along * slope.linear)
                + y * value.linear
                + once * quadratic_along
                + once_along * value.quadratic))
            - hat_hat(omega, x) * quadratic_along
            - (hat_hat(u, x) + hat_hat(omega, y)) * value.quadratic
    }
}

/// `exp(Ω̃) = I + sinc Ω̃ + cosc Ω̃²`.
#[inline]
pub(super) fn exponential<R: Real>(s: R) -> Pair<R> {
    Pair {
        linear: lifted::sinc(s),
        quadratic: lifted::cosc(s),
    }
}

/// `T(Ω) = I - cosc Ω̃ + sine_defect Ω̃²`.
#[inline]
pub(super) fn tangent<R: Real>(s: R) -> Pair<R> {
    Pair {
        linear: -lifted::cosc(s),
        quadratic: lifted::sine_defect(s),
    }
}

/// [`tangent`] with its first derivatives.
#[inline]
pub(super) fn tangent_jet<R: Real>(s: R) -> Jet<R> {
    Jet {
        value: tangent(s),
        slope: Pair {
            linear: lifted::cosc_slope(s),
            quadratic: -lifted::sine_defect_slope(s),
        },
    }
}

/// The second derivatives of [`tangent`].
#[inline]
pub(super) fn tangent_curvature<R: Real>(s: R) -> Pair<R> {
    Pair {
        linear: lifted::cosc_curvature(s),
        quadratic: -lifted::sine_defect_curvature(s),
    }
}

/// `T(Ω)⁻¹ = I + Ω̃/2 + cot_defect Ω̃²`.
#[inline]
pub(super) fn tangent_inverse<R: Real>(s: R) -> Pair<R> {
    Pair {
        linear: R::from_f64(0.5),
        quadratic: lifted::cot_defect(s),
    }
}

/// [`tangent_inverse`] with its first derivatives.
#[inline]
pub(super) fn tangent_inverse_jet<R: Real>(s: R) -> Jet<R> {
    Jet {
        value: tangent_inverse(s),
        slope: Pair {
            linear: R::zero(),
            quadratic: lifted::cot_defect_slope(s),
        },
    }
}

/// The second derivatives of [`tangent_inverse`].
#[inline]
pub(super) fn tangent_inverse_curvature<R: Real>(s: R) -> Pair<R> {
    Pair {
        linear: R::zero(),
        quadratic: lifted::cot_defect_curvature(s),
    }
}
