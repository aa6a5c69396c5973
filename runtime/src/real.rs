//! Scalars: the real numbers a Lie group is written over.
//!
//! A formula written once for `R: Real` yields its value for `R = f64`, and its
//! value together with one directional derivative for `R = `[`Dual`].

use std::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};

use nalgebra::{ClosedAddAssign, ClosedDivAssign, ClosedMulAssign, ClosedSubAssign, Scalar};
use num_traits::{One, Zero};

/// A real number: `f64`, or an extension of it that follows a derivative.
pub trait Real:
    Copy
    + Scalar
    + PartialOrd
    + Zero
    + One
    + ClosedAddAssign
    + ClosedSubAssign
    + ClosedMulAssign
    + ClosedDivAssign
    + Neg<Output = Self>
    + Add<f64, Output = Self>
    + Sub<f64, Output = Self>
    + Mul<f64, Output = Self>
    + Div<f64, Output = Self>
{
    /// The constant `value`.
    fn from_f64(value: f64) -> Self;

    /// The number without its derivative.
    fn value(self) -> f64;

    /// `f(self)`, where `f` has the given `value` and `slope` at
    /// `self.value()`.
    #[must_use]
    fn chain(self, value: f64, slope: f64) -> Self;

    /// `f(self)` for a function and its derivative; the derivative is evaluated
    /// only where it is used.
    #[must_use]
    fn lift(self, function: impl FnOnce(f64) -> f64, derivative: impl FnOnce(f64) -> f64) -> Self {
        self.chain(function(self.value()), derivative(self.value()))
    }

    /// The nonnegative `r` with `r * r = self`.
    #[must_use]
    fn sqrt(self) -> Self;

    /// `(sin(self), cos(self))`.
    fn sin_cos(self) -> (Self, Self);

    /// The angle in `(-π, π]` of the point with abscissa `x` and ordinate
    /// `self`.
    #[must_use]
    fn atan2(self, x: Self) -> Self;
}

impl Real for f64 {
    #[inline]
    fn from_f64(value: f64) -> Self {
        value
    }

    #[inline]
    fn value(self) -> f64 {
        self
    }

    #[inline]
    fn chain(self, value: f64, _slope: f64) -> Self {
        value
    }

    #[inline]
    fn lift(self, function: impl FnOnce(f64) -> f64, _: impl FnOnce(f64) -> f64) -> Self {
        function(self)
    }

    #[inline]
    fn sqrt(self) -> Self {
        f64::sqrt(self)
    }

    #[inline]
    fn sin_cos(self) -> (Self, Self) {
        f64::sin_cos(self)
    }

    #[inline]
    fn atan2(self, x: Self) -> Self {
        f64::atan2(self, x)
    }
}

/// A dual number `value + slope ε` with `ε² = 0`: `f(x + ε) = f(x) + f'(x) ε`.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub struct Dual {
    /// The number itself.
    pub value: f64,
    /// Its derivative along the chosen direction.
    pub slope: f64,
}

impl Dual {
    /// `value + slope ε`.
    #[inline]
    pub const fn new(value: f64, slope: f64) -> Self {
        Self { value, slope }
    }
}

impl Real for Dual {
    #[inline]
    fn from_f64(value: f64) -> Self {
        Self::new(value, 0.0)
    }

    #[inline]
    fn value(self) -> f64 {
        self.value
    }

    #[inline]
    fn chain(self, value: f64, slope: f64) -> Self {
        // A constant stays one, also where the function has no derivative.
        let constant = self.slope == 0.0;
        Self::new(value, if constant { 0.0 } else { slope * self.slope })
    }

    #[inline]
    fn sqrt(self) -> Self {
        let root = self.value.sqrt();
        self.chain(root, 0.5 / root)
    }

    #[inline]
    fn sin_cos(self) -> (Self, Self) {
        let (sin, cos) = self.value.sin_cos();
        (self.chain(sin, cos), self.chain(cos, -sin))
    }

    #[inline]
    fn atan2(self, x: Self) -> Self {
        let square = self.value * self.value + x.value * x.value;
        Self::new(
            self.value.atan2(x.value),
            (self.slope * x.value - self.value * x.slope) / square,
        )
    }
}

impl Zero for Dual {
    fn zero() -> Self {
        Self::new(0.0, 0.0)
    }

    fn is_zero(&self) -> bool {
        *self == Self::zero()
    }
}

impl One for Dual {
    fn one() -> Self {
        Self::new(1.0, 0.0)
    }
}

impl Neg for Dual {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Self::new(-self.value, -self.slope)
    }
}

impl Add for Dual {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        Self::new(self.value + other.value, self.slope + other.slope)
    }
}

impl Sub for Dual {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        Self::new(self.value - other.value, self.slope - other.slope)
    }
}

impl Mul for Dual {
    type Output = Self;
    #[inline]
    fn mul(self, other: Self) -> Self {
        Self::new(
            self.value * other.value,
            self.slope * other.value + self.value * other.slope,
        )
    }
}

impl Div for Dual {
    type Output = Self;
    #[inline]
    fn div(self, other: Self) -> Self {
        let quotient = self.value / other.value;
        Self::new(
            quotient,
            (self.slope - quotient * other.slope) / other.value,
        )
    }
}

impl Add<f64> for Dual {
    type Output = Self;
    #[inline]
    fn add(self, other: f64) -> Self {
        Self::new(self.value + other, self.slope)
    }
}

impl Sub<f64> for Dual {
    type Output = Self;
    #[inline]
    fn sub(self, other: f64) -> Self {
        Self::new(self.value - other, self.slope)
    }
}

impl Mul<f64> for Dual {
    type Output = Self;
    #[inline]
    fn mul(self, other: f64) -> Self {
        Self::new(self.value * other, self.slope * other)
    }
}

impl Div<f64> for Dual {
    type Output = Self;
    #[inline]
    fn div(self, other: f64) -> Self {
        Self::new(self.value / other, self.slope / other)
    }
}

impl AddAssign for Dual {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for Dual {
    #[inline]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl MulAssign for Dual {
    #[inline]
    fn mul_assign(&mut self, other: Self) {
        *self = *self * other;
    }
}

impl DivAssign for Dual {
    #[inline]
    fn div_assign(&mut self, other: Self) {
        *self = *self / other;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each operation at `2 + ε`, against its derivative known by hand.
    #[test]
    fn dual_numbers_follow_derivatives() {
        let x = Dual::new(2.0, 1.0);
        let one = Dual::one();
        let cases = [
            (x + x, 4.0, 2.0),
            (x - one, 1.0, 1.0),
            (x * x * x, 8.0, 12.0),
            (one / x, 0.5, -0.25),
            (-x, -2.0, -1.0),
            ((x + 1.0) * 3.0, 9.0, 3.0),
            ((x - 1.0) / 4.0, 0.25, 0.25),
            ((x * x).sqrt(), 2.0, 1.0),
            (x.sin_cos().0, 2.0_f64.sin(), 2.0_f64.cos()),
            (x.sin_cos().1, 2.0_f64.cos(), -(2.0_f64.sin())),
            (x.atan2(one), 2.0_f64.atan(), 0.2),
            (one.atan2(x), 0.5_f64.atan(), -0.2),
            (x.lift(f64::exp, f64::exp), 2.0_f64.exp(), 2.0_f64.exp()),
            (Dual::from_f64(3.0), 3.0, 0.0),
            (Dual::from_f64(0.0).sqrt(), 0.0, 0.0),
        ];
        for (index, (actual, value, slope)) in cases.into_iter().enumerate() {
            let error = (actual.value() - value).abs() + (actual.slope - slope).abs();
            assert!(error < 1e-15, "case {index}: {actual:?}");
        }
    }
}
