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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pendulum::Pendulum;
    use crate::system::Energy;

    fn energy(kinetic: f64, total: f64) -> Energy {
        Energy {
            kinetic,
            potential: total - kinetic,
        }
    }

    fn at(v: f64) -> State<Pendulum> {
        let mut state = State::start(&Pendulum::new(0.0), 0.0);
        state.v = [v, 0.0];
        state
    }

    const FAILED: SolveError = SolveError::SingularPosition {
        t: 0.0,
        constraint: String::new(),
        pivot: 0.0,
        reason: String::new(),
    };

    /// From where to where the velocity grew, and in how many steps; the energy may have grown.
    fn explained(v: [f64; 2], gained: f64, drive: f64) -> Option<(f64, f64, u64)> {
        let mut system = Pendulum::new(0.0);
        system.drive = drive;
        let mut growth = Growth::new(&at(1.0));
        for (steps, v) in [(15, 7.0), (16, v[0]), (17, 7.0), (32, 7.0)] {
            growth.sample(steps, &at(v));
        }
        let mut run = Run::new(&system, at(v[1]));
        run.energy_start = energy(0.0, run.energy_start.total() - gained);
        run.stats.accepted = 40;
        match cause(&system, &run, &growth, FAILED) {
            SolveError::Unstable {
                from, to, steps, ..
            } => Some((from, to, steps)),
            error => {
                assert_eq!(error, FAILED);
                None
            }
        }
    }

    /// By more than a thousand, from something; without a drive also by a tenth of the kinetic energy.
    #[test]
    fn velocities_and_energies_that_grow_are_the_cause() {
        let exploded = Some((0.01, 20.0, 24));
        assert_eq!(explained([0.01, 20.0], 0.0, 1.0), exploded);
        assert_eq!(explained([0.01, 20.0], 0.0, 0.0), exploded);
        assert_eq!(explained([0.01, 9.9], 1e9, 1.0), None);
        assert_eq!(explained([0.0, 20.0], 1e9, 1.0), None);
        // A kinetic energy of 200.
        assert_eq!(explained([1.0, 20.0], 19.0, 0.0), None);
        assert_eq!(explained([1.0, 20.0], 21.0, 0.0), Some((1.0, 20.0, 24)));
    }

    #[test]
    fn a_hundredth_of_the_kinetic_energy_is_noted() {
        let noted = |v: f64, gained: f64, drive: f64| {
            let mut system = Pendulum::new(0.0);
            system.drive = drive;
            let mut run = Run::new(&system, at(v));
            run.energy_start = energy(0.0, run.energy_start.total() - gained);
            compare_energy(&system, &mut run);
            run.notes.len()
        };
        // A kinetic energy of 200.
        assert_eq!([1.9, 2.1].map(|gained| noted(20.0, gained, 0.0)), [0, 1]);
        assert_eq!(noted(20.0, 2.1, 1.0), 0);
        // At rest: rounding errors of the potential energy, which is -9.81.
        assert_eq!(
            [0.0, 5e-9, 2e-8].map(|gained| noted(0.0, gained, 0.0)),
            [0, 0, 1]
        );
    }
}
