//! The usual step of a small system: full Newton for index 3 with `sigma = 0`, whose iterations
//! converge at once.
//!
//! The system does a [whole iteration](Implicit::short_iteration) in one function, and all that a
//! step works on is local: what a general step keeps in memory between its calls is a third of
//! the instructions of the heavy top. Whatever is not usual (a lost pivot, a residual that does
//! not fall) is left to the [general way](super::iteration), which starts the step again.
//!
//! Accelerations and forces are multiplied by `h^2`:
//!
//! ```text
//! h^2 v' = c theta + known,   c = h^2 gamma' epsilon'
//! ```

use super::GeneralizedAlphaStepper;
use crate::newton::{History, NewtonMatrix};
use crate::norm::magnitudes;
use crate::state::State;
use crate::stats::Stats;
use crate::system::{Formulation, Implicit, ShortPoint, Storage};

impl<S: Implicit> GeneralizedAlphaStepper<S> {
    /// Whether the options are the usual ones, and the step size is that of the step before.
    #[inline(always)]
    pub(super) fn is_short(&self) -> bool {
        S::SHORT_ITERATION
            && self.options.formulation == Formulation::Index3
            && self.sigma == 0.0
            && self.options.newton.matrix == NewtonMatrix::Full
            && self.weights.newton.h == self.a_step
    }

    /// Finds the candidate, or nothing if the step is not a usual one.
    #[inline(always)]
    pub(super) fn advance_short(
        &mut self,
        system: &S,
        state: &State<S>,
        stats: &mut Stats,
    ) -> Option<()> {
        let (weights, newton) = (&self.weights, &self.options.newton);
        let (h, gamma_h) = (weights.newton.h, weights.newton.gamma_h);
        let t = state.t + h;
        let (k_v, k_a) = weights.k;
        let (known_v, known_vdot, known_a) = weights.known_scaled;
        let (v_n, vdot_n, a_n) = (state.v.as_ref(), state.vdot.as_ref(), state.a.as_ref());
        let n = v_n.len();
        let (mut theta, mut k) = (S::Velocity::local()?, S::Velocity::local()?);
        let mut known = S::Velocity::local()?;
        for i in 0..n {
            let a = a_n[i];
            theta.as_mut()[i] = h * v_n[i] + weights.half * a;
            k.as_mut()[i] = k_v * v_n[i] + k_a * a;
            known.as_mut()[i] = known_v * v_n[i] + known_vdot * vdot_n[i] + known_a * a;
        }
        let mut impulse = S::Multiplier::local()?;
        for (impulse, lambda) in impulse.as_mut().iter_mut().zip(state.lambda.as_ref()) {
            *impulse = weights.h2 * lambda;
        }

        let mut history = History::new();
        let mut corrections = 0_u64;
        loop {
            let point = ShortPoint {
                t,
                q: &state.q,
                theta: &theta,
                k: &k,
                known: &known,
                impulse: &impulse,
            };
            let found = system.short_iteration(&weights.newton, &point)?;
            if !history.takes(self.measure.norm(found.size))
                || history.iterations() == newton.max_iterations
            {
                return None;
            }
            if history.is_small_enough(newton) {
                break;
            }
            let corrected = theta.as_mut().iter_mut().zip(found.theta.as_ref());
            corrected.for_each(|(x, d)| *x -= d);
            let corrected = impulse.as_mut().iter_mut().zip(found.impulse.as_ref());
            corrected.for_each(|(x, d)| *x -= d);
            corrections += 1;
            if history.is_last_correction(newton) {
                break;
            }
        }

        // What follows is finite if they are.
        if !(magnitudes(theta.as_ref()) + magnitudes(impulse.as_ref())).is_finite() {
            return None;
        }
        let (of_new, of_old, of_a) = weights.next;
        let new = &mut self.work.candidate;
        system.displace(&state.q, &theta, &mut new.q);
        for i in 0..n {
            let x = theta.as_ref()[i];
            let vdot = weights.per_h2 * (weights.inertia * x + known.as_ref()[i]);
            new.v.as_mut()[i] = gamma_h * (x - k.as_ref()[i]);
            new.vdot.as_mut()[i] = vdot;
            new.a.as_mut()[i] = of_new * vdot + of_old * vdot_n[i] - of_a * a_n[i];
        }
        for (lambda, impulse) in new.lambda.as_mut().iter_mut().zip(impulse.as_ref()) {
            *lambda = weights.per_h2 * impulse;
        }
        new.t = t;
        self.work.theta = theta;
        stats.newton_iterations += corrections;
        stats.factorizations += corrections;
        Some(())
    }
}
