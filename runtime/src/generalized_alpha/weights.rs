//! What a step size turns the coefficients of the method into: see the equations in
//! [`generalized_alpha`](super).

use super::Parameters;
use crate::system::{Formulation, NewtonCoefficients};

/// Weights of a step, computed once for a step size.
#[derive(Clone, Copy, Debug)]
pub(super) struct Weights {
    pub(super) newton: NewtonCoefficients,
    /// Step size that the algorithmic acceleration `a` of the state belongs to.
    a_step: f64,
    /// `a` is `v'` at `t + delta_alpha a_step`, so it moves with the step size:
    /// `a_n = v'_n + stretch (a - v'_n)`.
    stretch: f64,
    /// The first guess is `theta = h v_n + half a_n`.
    pub(super) half: f64,
    /// `k = k_v v_n + k_a a_n`.
    pub(super) k: (f64, f64),
    /// `v' - epsilon' v = known_a a_n - known_vdot v'_n - epsilon' v_n`.
    pub(super) known: (f64, f64),
    /// `h^2`, and its reciprocal.
    pub(super) h2: f64,
    pub(super) per_h2: f64,
    /// `h^2 gamma' epsilon'`.
    pub(super) inertia: f64,
    /// `h^2 v' - inertia theta`, of `v_n`, `v'_n` and `a_n`.
    pub(super) known_scaled: (f64, f64, f64),
    /// `a_{n+1} = (1 - alpha_f) v'_{n+1} + alpha_f v'_n - alpha_m a_n`, all over `1 - alpha_m`.
    pub(super) next: (f64, f64, f64),
}

impl Weights {
    pub(super) fn new(
        parameters: &Parameters,
        (sigma, formulation): (f64, Formulation),
        (h, a_step): (f64, f64),
    ) -> Self {
        let Parameters {
            alpha_m,
            alpha_f,
            beta,
            gamma,
        } = *parameters;
        let ratio = beta / gamma;
        let (gamma_h, epsilon_h) = (
            gamma / (h * beta),
            (1.0 - alpha_m) / (h * gamma * (1.0 - alpha_f)),
        );
        let (h2, inertia) = (h * h, h * h * gamma_h * epsilon_h);
        let (k_v, k_a) = (h * (1.0 - ratio), h2 * (0.5 - ratio));
        let known_a = (gamma + alpha_m - 1.0) / (gamma * (1.0 - alpha_f));
        let known_vdot = alpha_f / (1.0 - alpha_f);
        Self {
            newton: NewtonCoefficients {
                h,
                sigma,
                gamma_h,
                epsilon_h,
                formulation,
            },
            a_step,
            stretch: if a_step > 0.0 { h / a_step } else { 1.0 },
            half: 0.5 * h2,
            k: (k_v, k_a),
            known: (known_a, known_vdot),
            h2,
            per_h2: 1.0 / h2,
            inertia,
            known_scaled: (
                -(h2 * epsilon_h + inertia * k_v),
                -h2 * known_vdot,
                h2 * known_a - inertia * k_a,
            ),
            next: (
                (1.0 - alpha_f) / (1.0 - alpha_m),
                alpha_f / (1.0 - alpha_m),
                alpha_m / (1.0 - alpha_m),
            ),
        }
    }

    #[inline(always)]
    pub(super) fn are_for(&self, h: f64, a_step: f64) -> bool {
        h == self.newton.h && a_step == self.a_step
    }

    /// `a_n` of one component.
    #[inline(always)]
    pub(super) fn acceleration(&self, a: f64, vdot: f64) -> f64 {
        vdot + self.stretch * (a - vdot)
    }
}
