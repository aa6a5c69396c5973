//! Newton's method in a step.

use super::GeneralizedAlphaStepper;
use crate::error::SolveError;
use crate::newton::{History, NewtonMatrix, ROUNDING, SMALLEST_FACTOR};
use crate::norm::{Norm, largest};
use crate::state::State;
use crate::stats::Stats;
use crate::system::{
    Formulation, Implicit, NewtonCoefficients, NewtonPoint, ResidualPoint, ResidualSize,
};

impl<S: Implicit> GeneralizedAlphaStepper<S> {
    /// Finds the candidate.
    pub(super) fn advance(
        &mut self,
        system: &S,
        state: &State<S>,
        stats: &mut Stats,
    ) -> Result<(), SolveError> {
        let h = self.weights.newton.h;
        if self.options.formulation == Formulation::StabilizedIndex2 {
            system
                .geometry(state.t, &state.q, &mut self.geometry_start)
                .map_err(|fault| fault.at(state.t, h))?;
        }
        self.work.predict(state, &self.weights);
        self.iterate(system, state, stats)?;
        self.work.find_acceleration(state, &self.weights);
        self.work.candidate.check_finite(state.t, h)
    }

    /// Newton's method from the predicted values to convergence.
    fn iterate(
        &mut self,
        system: &S,
        state: &State<S>,
        stats: &mut Stats,
    ) -> Result<(), SolveError> {
        let newton = self.options.newton;
        let coefficients = &{ self.weights.newton };
        let mut history = History::new();
        let mut before = f64::INFINITY;
        if newton.matrix != NewtonMatrix::Full {
            let configuration = match coefficients.formulation {
                Formulation::Index2 => 0.0,
                Formulation::Index3 | Formulation::StabilizedIndex2 => largest(state.q.as_ref()),
            };
            let increment = largest(self.work.theta.as_ref());
            self.kept.begin(increment, configuration);
        }
        let (mut step, mut factor) = (f64::INFINITY, 1.0);
        let mut is_last = false;
        // The multiple of the correction that is subtracted next.
        let mut subtracted = 0.0;
        loop {
            let swept = self.swept(system, state, coefficients, subtracted, !is_last);
            if swept.is_none() {
                let start = &self.geometry_start;
                self.work
                    .follow(system, state, start, coefficients, subtracted);
                system
                    .check_increment(self.work.candidate.t, &state.q, &self.work.theta)
                    .map_err(|fault| fault.at(state.t, coefficients.h))?;
            }
            if is_last {
                stats.newton_iterations += 1;
                return Ok(());
            }
            let size = match swept {
                Some(size) => size,
                None => self.evaluate(system, coefficients)?,
            };
            let norm = self.measure.norm(size);
            if history.is_empty() {
                if !norm.is_finite() {
                    return Err(self.not_finite(state.t, coefficients.h));
                }
            } else {
                // The size of the correction matters only where convergence is not clear.
                if factor == 1.0 && !(norm <= 0.5 * before) {
                    step = self.work.correction_size();
                }
                // Takes back half of a correction while it enlarges the residual.
                let searches = newton.line_search && (step > ROUNDING || step.is_nan());
                if !(norm <= before) && searches && factor > SMALLEST_FACTOR {
                    factor *= 0.5;
                    subtracted = -factor;
                    stats.line_search_halvings += 1;
                    continue;
                }
                stats.newton_iterations += 1;
            }
            history.push(norm, &mut self.norms);
            let converged = match newton.matrix {
                NewtonMatrix::Full => history.converged(&newton, step),
                NewtonMatrix::Modified { .. } => self.kept.stagnates(&history, step),
            };
            if converged {
                return Ok(());
            }
            if history.iterations() == newton.max_iterations {
                self.factored = None;
                return Err(history.failure(&self.norms, (state.t, coefficients.h), &newton));
            }
            self.solve(system, coefficients, &history, stats)?;
            is_last = match newton.matrix {
                NewtonMatrix::Full => history.is_last_correction(&newton),
                NewtonMatrix::Modified { .. } => {
                    let correction = largest(self.work.correction.dynamics.as_ref());
                    self.kept.is_last(correction, newton.relative)
                }
            };
            (before, factor, subtracted) = (norm, 1.0, 1.0);
        }
    }

    /// Evaluates the scaled residual and returns its largest components.
    #[inline(always)]
    fn evaluate(
        &mut self,
        system: &S,
        coefficients: &NewtonCoefficients,
    ) -> Result<ResidualSize, SolveError> {
        let work = &mut self.work;
        let new = &work.candidate;
        let point = ResidualPoint {
            t: new.t,
            q: &new.q,
            v: &new.v,
            vdot: &new.vdot,
            lambda: &new.lambda,
        };
        let (residual, scratch) = (&mut work.residual, &mut self.scratch);
        system
            .newton_residual(coefficients, &point, &mut self.geometry, residual, scratch)
            .map_err(|fault| fault.at(new.t - coefficients.h, coefficients.h))?;
        let mut constraint = Norm::default();
        constraint.include(residual.constraint.as_ref());
        if coefficients.formulation == Formulation::StabilizedIndex2 {
            constraint.include(residual.hidden.as_ref());
        }
        Ok(ResidualSize {
            dynamics: largest(residual.dynamics.as_ref()),
            constraint: constraint.value(),
        })
    }

    /// The correction that belongs to the residual, with a matrix of its own or a kept one.
    #[inline(always)]
    fn solve(
        &mut self,
        system: &S,
        coefficients: &NewtonCoefficients,
        history: &History,
        stats: &mut Stats,
    ) -> Result<(), SolveError> {
        let work = &mut self.work;
        let new = &work.candidate;
        let point = NewtonPoint {
            t: new.t,
            q: &new.q,
            geometry: &self.geometry,
            geometry_start: &self.geometry_start,
            theta: &work.theta,
            k: &work.k,
            v: &new.v,
            lambda: &new.lambda,
        };
        let h = coefficients.h;
        let t = new.t - h;
        let (residual, correction) = (&mut work.residual, &mut work.correction);
        let workspace = &mut self.scratch.workspace;
        let NewtonMatrix::Modified { contraction } = self.options.newton.matrix else {
            stats.factorizations += 1;
            return system
                .newton_correction(coefficients, &point, residual, correction, workspace)
                .map_err(|fault| fault.at(t, h));
        };
        let kept = self.factored == Some(*coefficients);
        if !kept || self.kept.is_too_old(history, contraction) {
            *if kept {
                &mut stats.refactorizations
            } else {
                &mut stats.factorizations
            } += 1;
            self.factored = None;
            system
                .newton_factor(coefficients, &point, workspace)
                .map_err(|fault| fault.at(t, h))?;
            self.factored = Some(*coefficients);
            self.kept.renew();
        }
        correction.take(residual, coefficients.formulation);
        system.newton_solve(correction, workspace);
        Ok(())
    }

    #[cold]
    fn not_finite(&self, t: f64, h: f64) -> SolveError {
        let residual = self.work.residual.dynamics.as_ref();
        SolveError::NotFinite {
            t,
            h,
            quantity: "residual of the equations of motion",
            component: residual.iter().position(|x| !x.is_finite()).unwrap_or(0),
        }
    }
}
