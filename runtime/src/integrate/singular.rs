//! What the time loop does near singular positions (see [`watch`](crate::watch) and
//! [`passage`](crate::passage)).

use super::Loop;
use crate::diagnosis;
use crate::error::SolveError;
use crate::note::{self, Note};
use crate::passage::{self, Approach};
use crate::run::{Outcome, Run};
use crate::state::State;
use crate::stepper::{Method, Stepper};
use crate::system::Constrained;
use crate::watch::Sighting;

/// Tolerances of the velocity beyond a singular position for methods without tolerances of their own.
const FIXED_STEPS: (f64, f64) = (1e-3, 1e-3);

/// Steps below this part of the usual size are a reason to look for a singular position.
const SHRUNK: f64 = 0.5;

impl<S: Constrained, M: Method<S>> Loop<'_, S, M> {
    /// What is behind an error.
    #[cold]
    pub(super) fn cause(&self, run: &Run<S>, error: SolveError) -> SolveError {
        let cause = diagnosis::cause(self.options.system, run, &self.growth, error);
        let Some(approach) = &self.approach else {
            return cause;
        };
        let reason = match cause {
            // Steps of the approach became as small as that, not those that were asked for.
            SolveError::NoProgress { .. } => approach.obstacle.clone(),
            SolveError::NewtonFailed { .. }
            | SolveError::Evaluation { .. }
            | SolveError::StepTooSmall { .. } => cause.to_string(),
            _ => return cause,
        };
        approach.not_passed(self.options.system, reason)
    }

    /// Follows the last step of an approach to the other side of the singular position, if it may.
    #[cold]
    pub(super) fn pass_singular_position(
        &mut self,
        run: &mut Run<S>,
    ) -> Result<Option<Outcome>, SolveError> {
        let system = self.options.system;
        let Some(mut approach) = self.approach.take() else {
            return Ok(None);
        };
        let t = run.last.t;
        let Some(mut t_end) = approach.landing(t) else {
            self.approach = Some(approach);
            return Ok(None);
        };
        // A stop on the other side is where the motion arrives.
        let stop = self.schedule.next_stop();
        if stop < t_end && stop > 0.75 * approach.sighting.t + 0.25 * t_end {
            t_end = stop;
        }
        let mut landed = run.last.clone();
        landed.t = t_end;
        let found = if stop < t_end {
            Err(format!("a step must end at t = {stop}, right beside it"))
        } else {
            let tolerances = self.tolerances();
            let ends = (&approach.before, &run.last);
            passage::land(system, &mut self.dense, ends, tolerances, &mut landed)
        };
        if let Err(obstacle) = found {
            approach.obstacle = obstacle;
            self.approach = Some(approach);
            return Ok(None);
        }
        note_passage(
            system,
            run,
            Sighting {
                pivot: approach.pivot,
                ..approach.sighting
            },
        );
        if let Some(event) = self.find_events(run, t_end)? {
            return self.end_at(run, event).map(Some);
        }
        self.store_between(run, t_end)?;
        let h = t_end - t;
        run.last.copy_from(&landed);
        self.stepper.start(system, &mut run.last, h)?;
        self.watch.restart(&run.last);
        self.complete(run, (t, h, None))?;
        Ok(self
            .observe(run, h, None)
            .is_break()
            .then_some(Outcome::Stopped))
    }

    fn tolerances(&self) -> (f64, f64) {
        self.stepper.tolerances().unwrap_or(FIXED_STEPS)
    }

    /// Brings a state back to the constraints and lets the method begin anew there.
    fn settle(&mut self, state: &mut State<S>) -> Result<(), String> {
        let system = self.options.system;
        passage::settle(system, state, self.tolerances())?;
        let started = self.stepper.start(system, state, self.size.proposal());
        started.map_err(|error| error.to_string())
    }

    /// Looks for a singular position in the step to the candidate or right after it. True if the step
    /// must be made in smaller ones.
    pub(super) fn is_singular_ahead(
        &mut self,
        run: &mut Run<S>,
        h: f64,
        error: Option<f64>,
    ) -> Result<bool, SolveError> {
        let system = self.options.system;
        let ends = (&run.last, self.stepper.candidate());
        let failed = match error {
            Some(error) => !(error <= 1.0),
            None => self.watch.is_unexpected(ends.0, ends.1),
        };
        let shrinks = error.is_some() && h < SHRUNK * self.usual;
        let reason = failed || shrinks || self.approach.is_some();
        let sighting = self.watch.look(system, ends, reason);
        // Where the model cannot be evaluated the next step will say so.
        let Ok(Some(sighting)) = sighting else {
            self.approach = None;
            return Ok(false);
        };
        let t_end = run.last.t + h;
        if sighting.straight && !failed {
            self.approach = None;
            note_passage(system, run, sighting);
            return Ok(false);
        }
        if self.stepper.may_go_over() && self.approach.is_none() && sighting.t > t_end {
            return Ok(false);
        }
        self.come_closer(run, sighting, t_end)
    }

    #[cold]
    fn come_closer(
        &mut self,
        run: &mut Run<S>,
        sighting: Sighting,
        t_end: f64,
    ) -> Result<bool, SolveError> {
        let system = self.options.system;
        let Some(approach) = &mut self.approach else {
            let mut state = run.last.clone();
            let settled = self.settle(&mut state);
            let approach = Box::new(Approach::new(sighting, state));
            settled.map_err(|reason| approach.not_passed(system, reason))?;
            run.last.copy_from(&approach.before);
            self.approach = Some(approach);
            return Ok(true);
        };
        approach.see(sighting);
        approach.attempts += 1;
        if approach.is_too_long() {
            return Err(approach.not_passed(system, approach.obstacle.clone()));
        }
        Ok(sighting.t < t_end + 0.25 * (t_end - run.last.t))
    }
}

#[cold]
fn note_passage<S: Constrained>(system: &S, run: &mut Run<S>, sighting: Sighting) {
    let passed = Note::SingularPosition {
        constraint: system.constraint_name(sighting.row),
        t: sighting.t,
        count: 1,
        pivot: sighting.pivot,
    };
    note::add(&mut run.notes, passed);
}
