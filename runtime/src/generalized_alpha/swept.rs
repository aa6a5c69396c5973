//! Increments that the system follows in one pass.

use super::{GeneralizedAlphaStepper, Next};
use crate::state::State;
use crate::system::{
    Change, Formulation, Increment, IncrementResults, NewtonCoefficients, Prediction, System,
};

impl<S: System> GeneralizedAlphaStepper<S> {
    /// Changes the unknowns and follows them to the residual or to the end of the step, if the
    /// system can [do it in one go](System::sweep_increment).
    #[inline(always)]
    pub(super) fn swept(
        &mut self,
        system: &S,
        state: &State<S>,
        (coefficients, prediction): (&NewtonCoefficients, &Prediction),
        (next, to_end): (Next, bool),
    ) -> Option<f64> {
        if coefficients.formulation == Formulation::StabilizedIndex2 {
            return None;
        }
        let correction = &self.correction;
        let increment = Increment {
            prediction: *prediction,
            q: &state.q,
            v: &state.v,
            vdot: &state.vdot,
            a: &state.a,
            lambda: &state.lambda,
            change: match next {
                Next::Predict => Change::Predict,
                Next::Keep => Change::Keep,
                Next::Subtract(factor) => {
                    Change::Subtract(factor, &correction.dynamics, &correction.constraint)
                }
            },
        };
        let candidate = &mut self.candidate;
        let results = if to_end {
            IncrementResults::End {
                q: &mut candidate.q,
                v: &mut candidate.v,
                vdot: &mut candidate.vdot,
                a: &mut candidate.a,
                per_step: 1.0 / (coefficients.h * self.parameters.gamma),
            }
        } else {
            IncrementResults::Residual {
                v: &mut candidate.v,
                k: &mut self.k,
                geometry: &mut self.geometry,
                residual: &mut self.residual,
            }
        };
        let unknowns = (&mut self.theta, &mut candidate.lambda);
        system.sweep_increment(coefficients, &increment, unknowns, results)
    }
}
