//! Where a system moves: a manifold with a group acting on it.
//!
//! ```text
//! q(t) = q_n * exp(theta(t))   moves with   v = T(theta) theta',   T(theta) = sum_i (-ad_theta)^i / (i + 1)!
//! ```
//!
//! The manifold may be the group itself, acting on itself from the right, or any other set that the group
//! moves: on the sphere `S^2`, with rotations `q * exp(theta) = exp(theta~) q`. All that the solvers need
//! of the group follows from its bracket, `ad_x y = [x, y]`; a system that knows closed forms overrides
//! the series.

use super::Storage;

/// Terms of the series of `T` and `T^-1`. Beyond them an increment is of the size of a full
/// revolution, where `T` is singular.
const TERMS: usize = 160;

/// Coefficients of `ad^k` in `T^-1`, `x / (1 - e^-x) = 1 + x/2 + sum_n B_2n / (2n)! x^2n`, from the zeta
/// function:
///
/// ```text
/// B_2n / (2n)! = (-1)^(n+1) 2 zeta(2n) / (2 pi)^2n
/// ```
const INVERSE: [f64; TERMS] = {
    let mut coefficients = [0.0; TERMS];
    coefficients[0] = 1.0;
    coefficients[1] = 0.5;
    coefficients[2] = 1.0 / 12.0;
    coefficients[4] = -1.0 / 720.0;
    coefficients[6] = 1.0 / 30_240.0;
    let circle = core::f64::consts::TAU * core::f64::consts::TAU;
    let (mut n, mut power) = (4, circle * circle * circle);
    while 2 * n < TERMS {
        power *= circle;
        // Terms above 100^-8 = 1e-16.
        let (mut zeta, mut m) = (0.0, 100_u32);
        while m > 0 {
            let (mut term, mut i) = (1.0, 0);
            while i < 2 * n {
                term /= m as f64;
                i += 1;
            }
            zeta += term;
            m -= 1;
        }
        let sign = if n % 2 == 0 { -1.0 } else { 1.0 };
        coefficients[2 * n] = sign * 2.0 * zeta / power;
        n += 1;
    }
    coefficients
};

/// The coefficient of `ad^k` in `T^-1`.
pub(crate) fn inverse_coefficient(k: usize) -> f64 {
    INVERSE.get(k).copied().unwrap_or(0.0)
}

/// Coefficients of `ad^k` in `T`: `(-1)^k / (k + 1)!`.
const DIRECT: [f64; TERMS] = {
    let mut coefficients = [0.0; TERMS];
    let (mut k, mut term, mut divisor) = (0, 1.0, 2.0);
    while k < TERMS {
        coefficients[k] = term;
        term /= -divisor;
        divisor += 1.0;
        k += 1;
    }
    coefficients
};

/// A manifold with the action of a Lie group, as the solvers see it.
///
/// Vectors are elements of the algebra of the group, in coordinates; there may be more of them than
/// the manifold has dimensions.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a configuration space",
    note = "declare a model with `#[multibody]` on its struct, assemble a description with \
            `GenericSystem::new`, or implement `Manifold`, `Mechanics` and `Constrained`"
)]
pub trait Manifold {
    /// A point, flat.
    type Config: Storage;
    /// Velocities, increments, generalized forces.
    type Velocity: Storage;

    /// The point where a run starts if nothing else is said.
    fn start_config(&self) -> Self::Config;
    /// Zero.
    fn new_velocity(&self) -> Self::Velocity;
    /// `out = q * exp(theta)`.
    fn displace(&self, q: &Self::Config, theta: &Self::Velocity, out: &mut Self::Config);
    /// `out = [x, y]`, the commutator for which `exp(theta + d) = exp(theta) exp(T(theta) d) + O(|d|^2)`
    /// in the order in which [`displace`](Manifold::displace) applies them: `x x y` for rotations in
    /// body axes, `-x x y` in inertial axes.
    fn bracket(&self, x: &Self::Velocity, y: &Self::Velocity, out: &mut Self::Velocity);
    /// A vector with `q * exp(out) = p`, the smallest one.
    fn difference(&self, q: &Self::Config, p: &Self::Config, out: &mut Self::Velocity);

    /// `out = T(theta) w`.
    fn tangent(&self, theta: &Self::Velocity, w: &Self::Velocity, out: &mut Self::Velocity) {
        series(self, &DIRECT, theta, w, None, out);
    }
    /// `out = T(theta)^-1 v`, the rate of `theta` when `q * exp(theta)` moves with `v`.
    ///
    /// Not a number if the rotation of `theta` is a full revolution or more, where there is none.
    fn tangent_inverse(
        &self,
        theta: &Self::Velocity,
        v: &Self::Velocity,
        out: &mut Self::Velocity,
    ) {
        series(self, &INVERSE, theta, v, None, out);
    }
    /// `out = D_theta[T(theta) x] w`.
    fn tangent_derivative(
        &self,
        theta: &Self::Velocity,
        x: &Self::Velocity,
        w: &Self::Velocity,
        out: &mut Self::Velocity,
    ) {
        series(self, &DIRECT, theta, x, Some(w), out);
    }
    /// `out = D_theta[T(theta)^-1 x] w`.
    fn tangent_inverse_derivative(
        &self,
        theta: &Self::Velocity,
        x: &Self::Velocity,
        w: &Self::Velocity,
        out: &mut Self::Velocity,
    ) {
        series(self, &INVERSE, theta, x, Some(w), out);
    }
    /// Solves `(sigma I + (1 - sigma) T(theta)) x = right` in place.
    ///
    /// For `sigma` other than 0 and 1 by iteration, which converges for rotations below one radian
    /// and leaves what is not a number otherwise.
    #[doc(hidden)]
    fn blend_solve(&self, sigma: f64, theta: &Self::Velocity, x: &mut Self::Velocity) {
        if sigma == 1.0 {
            return;
        }
        let right = x.clone();
        if sigma == 0.0 {
            return self.tangent_inverse(theta, &right, x);
        }
        let mut image = self.new_velocity();
        for _ in 0..TERMS {
            self.tangent(theta, x, &mut image);
            let (mut change, mut size) = (0.0, 0.0);
            let known = right.as_ref().iter().zip(image.as_ref());
            for (x, (right, image)) in x.as_mut().iter_mut().zip(known) {
                let next = right - (1.0 - sigma) * (image - *x);
                change += (next - *x).abs();
                size += next.abs();
                *x = next;
            }
            if change <= f64::EPSILON * size {
                return;
            }
        }
        x.as_mut().fill(f64::NAN);
    }

    /// How far numbers are from being a point, and which condition they miss most, if there are any.
    fn defect(&self, q: &Self::Config) -> Option<(String, f64)> {
        let _ = q;
        None
    }
    /// Moves `q` to the point of the manifold that rounding errors took it from.
    fn renormalize(&self, q: &mut Self::Config) {
        let _ = q;
    }
    /// `|difference|`.
    fn distance(&self, q: &Self::Config, p: &Self::Config) -> f64 {
        let mut way = self.new_velocity();
        self.difference(q, p, &mut way);
        way.as_ref().iter().map(|x| x * x).sum::<f64>().sqrt()
    }
}

/// `sum_k c_k ad_theta^k x`, or its derivative by `theta` along `w`: with `y_k = ad_theta^k x`,
///
/// ```text
/// y_{k+1} = [theta, y_k]       D y_{k+1} = [w, y_k] + [theta, D y_k]
/// ```
fn series<M: Manifold + ?Sized>(
    manifold: &M,
    coefficients: &[f64; TERMS],
    theta: &M::Velocity,
    x: &M::Velocity,
    along: Option<&M::Velocity>,
    out: &mut M::Velocity,
) {
    let mut power = x.clone();
    let [mut derivative, mut next, mut change] = [(); 3].map(|()| manifold.new_velocity());
    let sum = out.as_mut();
    sum.fill(0.0);
    let mut small = 0;
    for coefficient in coefficients {
        let term = if along.is_some() { &derivative } else { &power };
        let (mut added, mut total) = (0.0, 0.0);
        for (sum, term) in sum.iter_mut().zip(term.as_ref()) {
            *sum += coefficient * term;
            added += (coefficient * term).abs();
            total += sum.abs();
        }
        // Odd terms of the inverse vanish, and the first term of a derivative does.
        small = if added <= 0.1 * f64::EPSILON * total {
            small + 1
        } else {
            0
        };
        if small == 3 {
            return;
        }
        if let Some(w) = along {
            manifold.bracket(theta, &derivative, &mut next);
            manifold.bracket(w, &power, &mut change);
            let parts = next.as_ref().iter().zip(change.as_ref());
            for (derivative, (next, change)) in derivative.as_mut().iter_mut().zip(parts) {
                *derivative = next + change;
            }
        }
        manifold.bracket(theta, &power, &mut next);
        core::mem::swap(&mut power, &mut next);
    }
    sum.fill(f64::NAN);
}

#[cfg(test)]
mod tests;
