//! The vectors of a step.

use super::weights::Weights;
use crate::newton::ROUNDING;
use crate::norm::largest;
use crate::state::{State, copy};
use crate::system::{Formulation, Implicit, NewtonCoefficients, NewtonVectors};

/// The vectors of a step.
#[derive(Clone, Debug)]
pub(super) struct Work<S: Implicit> {
    pub(super) candidate: State<S>,
    pub(super) theta: S::Velocity,
    pub(super) k: S::Velocity,
    pub(super) push: S::Velocity,
    /// `v' - epsilon' v`.
    pub(super) vdot_known: S::Velocity,
    pub(super) residual: NewtonVectors<S>,
    pub(super) correction: NewtonVectors<S>,
}

impl<S: Implicit> Work<S> {
    pub(super) fn new(system: &S) -> Self {
        Self {
            candidate: State::start(system, 0.0),
            theta: system.new_velocity(),
            k: system.new_velocity(),
            push: system.new_velocity(),
            vdot_known: system.new_velocity(),
            residual: NewtonVectors::new(system),
            correction: NewtonVectors::new(system),
        }
    }

    /// The known parts of the equations and the first guess.
    #[inline(always)]
    pub(super) fn predict(&mut self, state: &State<S>, weights: &Weights) {
        let NewtonCoefficients {
            h,
            epsilon_h,
            formulation,
            ..
        } = weights.newton;
        let (k_v, k_a) = weights.k;
        let (known_a, known_vdot) = weights.known;
        for i in 0..state.v.as_ref().len() {
            let (v, vdot) = (state.v.as_ref()[i], state.vdot.as_ref()[i]);
            let a = weights.acceleration(state.a.as_ref()[i], vdot);
            self.vdot_known.as_mut()[i] = known_a * a - known_vdot * vdot - epsilon_h * v;
            self.k.as_mut()[i] = k_v * v + k_a * a;
            self.theta.as_mut()[i] = h * v + weights.half * a;
        }
        copy(&mut self.candidate.lambda, &state.lambda);
        if formulation == Formulation::StabilizedIndex2 {
            self.candidate.eta.as_mut().fill(0.0);
        }
        self.candidate.t = state.t + h;
    }

    /// `a` at the end of the step.
    #[inline(always)]
    pub(super) fn find_acceleration(&mut self, state: &State<S>, weights: &Weights) {
        let (of_new, of_old, of_a) = weights.next;
        let new = self.candidate.vdot.as_ref();
        for (i, found) in self.candidate.a.as_mut().iter_mut().enumerate() {
            let vdot = state.vdot.as_ref()[i];
            let a = weights.acceleration(state.a.as_ref()[i], vdot);
            *found = of_new * new[i] + of_old * vdot - of_a * a;
        }
    }

    /// Configuration, velocity and acceleration that belong to the increment, from which a
    /// multiple of the correction is subtracted first.
    #[inline(always)]
    pub(super) fn follow(
        &mut self,
        system: &S,
        state: &State<S>,
        geometry_start: &S::Geometry,
        coefficients: &NewtonCoefficients,
        factor: f64,
    ) {
        if factor != 0.0 {
            self.correct(coefficients, factor);
        }
        let new = &mut self.candidate;
        system.displace(&state.q, &self.theta, &mut new.q);
        if coefficients.formulation == Formulation::StabilizedIndex2 {
            system.jacobian_transpose_times(geometry_start, &new.eta, &mut self.push);
            for push in self.push.as_mut() {
                *push *= coefficients.h;
            }
        }
        system.velocity_of_increment(coefficients, &self.theta, &self.k, &self.push, &mut new.v);
        let (v, known) = (new.v.as_ref(), self.vdot_known.as_ref());
        for (i, vdot) in new.vdot.as_mut().iter_mut().enumerate() {
            *vdot = coefficients.epsilon_h * v[i] + known[i];
        }
    }

    /// Subtracts a multiple of the correction from the unknowns.
    #[inline(always)]
    fn correct(&mut self, coefficients: &NewtonCoefficients, factor: f64) {
        let subtract = |to: &mut [f64], from: &[f64], factor: f64| {
            for (x, d) in to.iter_mut().zip(from) {
                *x -= factor * d;
            }
        };
        let (correction, h) = (&self.correction, coefficients.h);
        let lambda = self.candidate.lambda.as_mut();
        subtract(self.theta.as_mut(), correction.dynamics.as_ref(), factor);
        subtract(lambda, correction.constraint.as_ref(), factor / (h * h));
        if coefficients.formulation == Formulation::StabilizedIndex2 {
            let eta = self.candidate.eta.as_mut();
            subtract(eta, correction.hidden.as_ref(), factor);
        }
    }

    /// The last correction relative to the increment. Positions far from the origin are rounded
    /// by more than a small increment: corrections of a few units in their last place are small
    /// too (a chain of 10 000 links with steps of 1e-4).
    #[inline(always)]
    pub(super) fn correction_size(&self) -> f64 {
        const LAST_PLACES: f64 = 8.0 * f64::EPSILON / ROUNDING;
        let rounded = LAST_PLACES * largest(self.candidate.q.as_ref());
        let size = rounded.max(largest(self.theta.as_ref()));
        largest(self.correction.dynamics.as_ref()) / size
    }
}
