//! Increments that the system follows in one pass.

use super::GeneralizedAlphaStepper;
use crate::state::State;
use crate::system::{
    Formulation, Implicit, Increment, IncrementResults, NewtonCoefficients, ResidualSize,
};

impl<S: Implicit> GeneralizedAlphaStepper<S> {
    /// Corrects the increment and follows it, with or without the residual there, if the system
    /// can [do it in one go](Implicit::sweep_increment).
    #[inline(always)]
    pub(super) fn swept(
        &mut self,
        system: &S,
        state: &State<S>,
        coefficients: &NewtonCoefficients,
        factor: f64,
        with_residual: bool,
    ) -> Option<ResidualSize> {
        if coefficients.formulation == Formulation::StabilizedIndex2 {
            return None;
        }
        let work = &mut self.work;
        let correction = &work.correction;
        let increment = Increment {
            q: &state.q,
            correction: (factor != 0.0).then_some((
                factor,
                &correction.dynamics,
                &correction.constraint,
            )),
            k: &work.k,
            vdot_known: &work.vdot_known,
        };
        let candidate = &mut work.candidate;
        let mut results = IncrementResults {
            theta: &mut work.theta,
            lambda: &mut candidate.lambda,
            q: &mut candidate.q,
            v: &mut candidate.v,
            vdot: &mut candidate.vdot,
            geometry: &mut self.geometry,
        };
        let residual = with_residual.then_some(&mut work.residual);
        system.sweep_increment(coefficients, &increment, &mut results, residual)
    }
}
