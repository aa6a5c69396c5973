//! What was wrong with a run before it failed, or with its result.
//!
//! A method that fails sees the last thing that went wrong: a pivot, a residual, a number. Where the
//! cause came before, the error or a note names that.

use crate::error::{Fault, SolveError};
use crate::norm::largest;
use crate::note::{self, Note};
use crate::run::Run;
use crate::state::State;
use crate::system::Constrained;

/// Steps between samples of the velocity.
const INTERVAL: u64 = 16;
/// Growth of velocities between samples that is no motion.
const EXPLOSION: f64 = 1e3;
/// Part of the kinetic energy that, when it was gained, is no error of rounding or drift.
const IMPOSSIBLE: f64 = 0.1;

/// How large the velocities were, twice.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Growth {
    sizes: [(u64, f64); 2],
}

impl Growth {
    pub(crate) fn new<S: Constrained>(start: &State<S>) -> Self {
        let size = largest(start.v.as_ref());
        Self {
            sizes: [(0, size); 2],
        }
    }

    /// Takes a sample, now and then.
    #[inline]
    pub(crate) fn sample<S: Constrained>(&mut self, steps: u64, state: &State<S>) {
        if steps.is_multiple_of(INTERVAL) {
            self.sizes = [self.sizes[1], (steps, largest(state.v.as_ref()))];
        }
    }

    /// The error behind an error, if velocities exploded before it, or an energy grew that cannot.
    fn explain<S: Constrained>(
        &self,
        system: &S,
        run: &Run<S>,
        error: &SolveError,
    ) -> Option<SolveError> {
        let last = &run.last;
        let to = largest(last.v.as_ref());
        let (step, from) = self.sizes[0];
        let exploded = from > 0.0 && to > EXPLOSION * from;
        let energy = system.energy(last.t, &last.q, &last.v);
        let gained = energy.total() - run.energy_start.total() > IMPOSSIBLE * energy.kinetic;
        let is_unstable = exploded || (gained && !system.may_gain_energy());
        is_unstable.then(|| SolveError::Unstable {
            t: last.t,
            from,
            to,
            steps: run.stats.accepted - step,
            reason: error.to_string(),
        })
    }
}

/// The cause of an error of a step of size `h`, as far as it can be found.
#[cold]
pub(crate) fn cause<S: Constrained>(
    system: &S,
    run: &Run<S>,
    growth: &Growth,
    error: SolveError,
) -> SolveError {
    let h = match &error {
        SolveError::Evaluation {
            h,
            fault:
                Fault::SingularConstraints { .. }
                | Fault::SingularNewton { .. }
                | Fault::NotFinite { .. },
            ..
        }
        | SolveError::NewtonFailed { h, .. }
        | SolveError::NotFinite { h, .. }
        | SolveError::StepTooSmall { h, .. }
        | SolveError::TooManyRejections { h, .. } => *h,
        SolveError::SingularPosition { .. } => 0.0,
        _ => return error,
    };
    growth
        .explain(system, run, &error)
        .or_else(|| not_finite_force(system, &run.last, h))
        .unwrap_or(error)
}

/// Parts of a step at which forces are looked at.
const PARTS: u32 = 16;

/// A force that is not finite during a step.
fn not_finite_force<S: Constrained>(system: &S, state: &State<S>, h: f64) -> Option<SolveError> {
    let mut geometry = system.new_geometry();
    (0..=PARTS).find_map(|part| {
        let t = state.t + h * f64::from(part) / f64::from(PARTS);
        system.geometry(t, &state.q, &mut geometry).ok()?;
        let force = system.not_finite_force(t, &state.q, &geometry, &state.v)?;
        Some(SolveError::ForceNotFinite { t, force })
    })
}

/// Most states at which the energy is compared.
const STATES: usize = 200;
/// Growth of the energy, relative to the largest kinetic energy, that is noted.
const NOTED: f64 = 0.01;

/// Notes that the energy grew in a system that cannot gain any.
pub(crate) fn compare_energy<S: Constrained>(system: &S, run: &mut Run<S>) {
    if system.may_gain_energy() {
        return;
    }
    let every = run.states().len().div_ceil(STATES).max(1);
    let (mut kinetic, mut most) = (run.energy_start.kinetic, (run.last.t, f64::NEG_INFINITY));
    let stored = run.states().iter().step_by(every);
    for state in stored.chain([&run.last]) {
        let energy = system.energy(state.t, &state.q, &state.v);
        kinetic = kinetic.max(energy.kinetic);
        if energy.total() > most.1 {
            most = (state.t, energy.total());
        }
    }
    let start = run.energy_start.total();
    let rounding = 1e-9 * start.abs();
    if most.1 - start > NOTED * kinetic + rounding {
        let grown = Note::EnergyGrew {
            t: most.0,
            from: start,
            to: most.1,
        };
        note::add(&mut run.notes, grown);
    }
}
