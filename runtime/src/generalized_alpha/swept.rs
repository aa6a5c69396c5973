//! Increments that the system follows in one pass.

use super::GeneralizedAlphaStepper;
use crate::state::State;
use crate::system::{Formulation, Increment, IncrementResults, NewtonCoefficients, System};

impl<S: System> GeneralizedAlphaStepper<S> {
    /// Follows the increment, with or without the residual there, if the system can [do it in one
    /// go](System::sweep_increment).
    #[inline(always)]
    pub(super) fn swept(
        &mut self,
        system: &S,
        state: &State<S>,
        coefficients: &NewtonCoefficients,
        with_residual: bool,
    ) -> bool {
        if coefficients.formulation == Formulation::StabilizedIndex2 {
            return false;
        }
        let State {
            q, v, vdot, lambda, ..
        } = &mut self.candidate;
        let increment = Increment {
            q: &state.q,
            theta: &self.theta,
            k: &self.k,
            v_known: &self.v_known,
            vdot_known: &self.vdot_known,
            lambda,
        };
        let mut results = IncrementResults {
            q,
            v,
            vdot,
            geometry: &mut self.geometry,
        };
        let residual = with_residual.then_some(&mut self.residual);
        system.sweep_increment(coefficients, &increment, &mut results, residual)
    }
}
