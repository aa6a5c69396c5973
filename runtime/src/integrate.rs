//! The time loop.
//!
//! ```text
//! start
//! until the end of the span:
//!     attempt a step until one is accepted      (step size: StepSize, Schedule)
//!     look for events within the step           (Dense, Event)
//!     store what is due within the step         (Dense, Pending)
//!     accept, renormalize, store, observe
//! ```

use core::ops::ControlFlow;

use crate::consistency::{self, InitialValues};
use crate::dense::Dense;
use crate::diagnosis::{self, Growth};
use crate::error::SolveError;
use crate::events::{Bracket, EventRecord, root};
use crate::note::{self, Note};
use crate::output::{Output, Pending};
use crate::passage::Approach;
use crate::run::{FailedRun, Outcome, Run, StepRecord};
use crate::schedule::{Planned, Schedule};
use crate::simulation::{Simulation, StepView};
use crate::state::State;
use crate::step_size::{Rejection, StepSize};
use crate::stepper::{Method, Stepper};
use crate::system::Constrained;
use crate::watch::Watch;

mod singular;

/// Runs a simulation.
pub(crate) fn integrate<S: Constrained, M: Method<S>>(
    mut simulation: Simulation<'_, S, M>,
) -> Result<Run<S>, Box<FailedRun<S>>> {
    let system = simulation.system;
    let start = *simulation.span.start();
    let mut state = State::start(system, start);
    if let Some(initial) = simulation.initial.take() {
        if let Err(error) = initial.check_lengths(system) {
            let run = Run::new(system, state);
            return Err(Box::new(FailedRun { run, error }));
        }
        state = initial;
        state.t = start;
    }
    let mut run = Run::new(system, state);
    let result = set_up(simulation, &mut run).and_then(|mut looped| {
        let ended = looped.advance(&mut run);
        ended.map_err(|error| looped.cause(&run, error))
    });
    run.energy_end = system.energy(run.last.t, &run.last.q, &run.last.v);
    diagnosis::compare_energy(system, &mut run);
    match result {
        Ok(outcome) => {
            run.outcome = outcome;
            Ok(run)
        }
        Err(error) => Err(Box::new(FailedRun { run, error })),
    }
}

/// Everything that lives as long as the run.
struct Loop<'a, S: Constrained, M: Method<S>> {
    options: Simulation<'a, S, M>,
    stepper: M::Stepper,
    schedule: Schedule,
    size: StepSize,
    pending: Pending,
    dense: Dense<S>,
    /// A state between the ends of a step.
    between: State<S>,
    /// Values of the event functions at the start of the step.
    values: Vec<f64>,
    /// Events within the step: time, index.
    found: Vec<(f64, usize)>,
    watch: Watch<S>,
    growth: Growth,
    /// Looks in a row at which steps were limited by stability.
    stiff: u32,
    /// A step size that was usual until lately.
    usual: f64,
    /// The way to a singular position, near one.
    approach: Option<Box<Approach<S>>>,
}

/// Checks the options, allocates, and starts the method from the state in `run`.
fn set_up<'a, S: Constrained, M: Method<S>>(
    options: Simulation<'a, S, M>,
    run: &mut Run<S>,
) -> Result<Loop<'a, S, M>, SolveError> {
    options.check()?;
    let system = options.system;
    let (start, end) = (*options.span.start(), *options.span.end());
    let controller = options.method.controller();
    let fixed = options.step.filter(|_| controller.is_none());
    let schedule = Schedule::new(start, end, fixed, &options.stop_at)?;
    let pending = Pending::new(&options.output, start, end)?;
    let mut stepper = options.method.stepper(system)?;

    if let InitialValues::Project(_) = options.initial_values {
        system.renormalize(&mut run.last.q);
    }
    let (InitialValues::Check(tolerance) | InitialValues::Project(tolerance)) =
        options.initial_values;
    if let Some((condition, defect)) = system.defect(&run.last.q)
        && !(defect.abs() <= tolerance)
    {
        return Err(SolveError::NotAPoint { condition, defect });
    }
    run.projection = consistency::ensure(system, &mut run.last, options.initial_values)?;
    let guess = options.step.unwrap_or(end - start);
    stepper.start(system, &mut run.last, guess)?;
    let h = match options.step {
        Some(h) => h,
        None => stepper
            .initial_step(system, &run.last)?
            .map_or(guess, |h| h.min(guess)),
    };
    let size = StepSize::new(controller, options.h_min, h);
    let mut looped = Loop {
        options,
        stepper,
        schedule,
        size,
        pending,
        dense: Dense::new(system),
        between: run.last.clone(),
        values: Vec::new(),
        found: Vec::new(),
        watch: Watch::new(system, &run.last),
        growth: Growth::new(&run.last),
        stiff: 0,
        usual: 0.0,
        approach: None,
    };
    for event in &mut looped.options.events {
        looped.values.push(event.value(&run.last));
    }
    Ok(looped)
}

impl<S: Constrained, M: Method<S>> Loop<'_, S, M> {
    /// Looks now and then whether steps are limited by stability.
    #[inline]
    fn check_stiffness(&mut self, run: &mut Run<S>, h: f64) {
        if !run.stats.accepted.is_multiple_of(STIFFNESS_INTERVAL) {
            return;
        }
        let Some((product, limit)) = self.stepper.stiffness(&run.last, h) else {
            return;
        };
        self.stiff = if product > 0.7 * limit {
            self.stiff + 1
        } else {
            0
        };
        if self.stiff == STIFF {
            let t = run.last.t;
            note::add(&mut run.notes, Note::Stiff { t, h, product });
        }
    }

    fn advance(&mut self, run: &mut Run<S>) -> Result<Outcome, SolveError> {
        self.store_start(run);
        while !self.schedule.is_over(run.last.t) {
            let (planned, error) = self.accepted_attempt(run)?;
            let t = run.last.t;
            let t_end = planned.target.unwrap_or(self.stepper.candidate().t);

            if !self.values.is_empty() || self.pending.has_until(t_end) {
                self.dense
                    .prepare(self.options.system, &self.stepper, &run.last, planned.h);
            }
            if !self.values.is_empty()
                && let Some(event) = self.find_events(run, t_end)?
            {
                return self.end_at(run, event);
            }
            self.store_between(run, t_end)?;
            self.check_stiffness(run, planned.h);

            self.watch.accept();
            self.stepper.accept(&mut run.last);
            run.last.t = t_end;
            self.complete(run, (t, planned.h, error))?;
            if self.observe(run, planned.h, error).is_break() {
                return Ok(Outcome::Stopped);
            }
            if self.approach.is_some()
                && let Some(outcome) = self.pass_singular_position(run)?
            {
                return Ok(outcome);
            }
        }
        Ok(Outcome::EndTime)
    }

    /// What follows when the state has gone on by a step.
    #[inline]
    fn complete(
        &mut self,
        run: &mut Run<S>,
        (t, h, error): (f64, f64, Option<f64>),
    ) -> Result<(), SolveError> {
        self.schedule.pass(run.last.t);
        self.usual = h.max(FORGOTTEN * self.usual);
        run.stats.accepted += 1;
        self.growth.sample(run.stats.accepted, &run.last);
        self.renormalize(run);
        self.store_end(run)?;
        if self.options.record_steps {
            run.steps.push(StepRecord { t, h, error });
        }
        Ok(())
    }

    /// Attempts steps of decreasing size until one is acceptable.
    fn accepted_attempt(&mut self, run: &mut Run<S>) -> Result<(Planned, Option<f64>), SolveError> {
        let t = run.last.t;
        if run.stats.accepted >= self.options.max_steps {
            return Err(SolveError::TooManySteps {
                t,
                end: *self.options.span.end(),
                h: self.size.proposal(),
                limit: self.options.max_steps,
            });
        }
        let mut rejections = 0;
        loop {
            let mut h = self.size.proposal_at(t);
            if let Some(approach) = &self.approach {
                h = h.min(approach.step(t));
            }
            let planned = self.schedule.plan(t, h);
            if planned.target.unwrap_or(t + planned.h) <= t {
                return Err(SolveError::NoProgress { t, h: planned.h });
            }
            let system = self.options.system;
            let attempt = self
                .stepper
                .attempt(system, &run.last, planned.h, &mut run.stats);
            if let Ok(error) = attempt
                && self.watch.looks()
                && self.is_singular_ahead(run, planned.h, error)?
            {
                run.stats.rejected_singular += 1;
                continue;
            }
            let rejection = match attempt {
                Ok(error) if self.size.accepts(error) => {
                    self.size.accepted(planned, error);
                    return Ok((planned, error));
                }
                Ok(error) => Rejection::Error(error.unwrap_or(f64::NAN)),
                Err(error) if self.may_retry(&error) => Rejection::Failure(error),
                Err(error) => return Err(error),
            };
            rejection.count(&mut run.stats);
            rejections += 1;
            let h_min = self.size.lower_limit(t);
            if planned.h <= h_min {
                return Err(SolveError::StepTooSmall {
                    t,
                    h: planned.h,
                    h_min,
                    reason: rejection.reason(),
                });
            }
            if rejections >= self.options.max_rejections {
                return Err(SolveError::TooManyRejections {
                    t,
                    h: planned.h,
                    limit: self.options.max_rejections,
                    reason: rejection.reason(),
                });
            }
            self.size.rejected(t, planned, &rejection);
        }
    }

    /// True if a smaller step could succeed where this error occurred.
    fn may_retry(&self, error: &SolveError) -> bool {
        let retries = self.options.reduce_on_failure || self.options.method.controller().is_some();
        retries
            && matches!(
                error,
                SolveError::NewtonFailed { .. }
                    | SolveError::NotFinite { .. }
                    | SolveError::Evaluation { .. }
            )
    }

    /// Records the events within the step and returns the first terminal one.
    fn find_events(
        &mut self,
        run: &mut Run<S>,
        t_end: f64,
    ) -> Result<Option<(f64, usize)>, SolveError> {
        let (system, dense, between) = (self.options.system, &mut self.dense, &mut self.between);
        let t = run.last.t;
        self.found.clear();
        dense.evaluate(system, t_end, between)?;
        run.stats.interpolations += 1;
        let mut after = core::mem::take(&mut self.values);
        for (index, event) in self.options.events.iter_mut().enumerate() {
            let before = core::mem::replace(&mut after[index], event.value(between));
            if !event.direction.sees(before, after[index]) {
                continue;
            }
            let bracket = Bracket {
                a: t,
                b: t_end,
                at_a: before,
                at_b: after[index],
            };
            let mut inside = between.clone();
            let time = root(bracket, event.tolerance, |t| {
                dense.evaluate(system, t, &mut inside)?;
                run.stats.interpolations += 1;
                Ok(event.value(&inside))
            })?;
            self.found.push((time, index));
        }
        self.values = after;
        order_by_time(&mut self.found);
        for &(time, index) in &self.found {
            let mut state = self.between.clone();
            self.dense.evaluate(system, time, &mut state)?;
            run.events.push(EventRecord { index, state });
            if self.options.events[index].terminal {
                return Ok(Some((time, index)));
            }
        }
        Ok(None)
    }

    /// Ends the run at a terminal event.
    fn end_at(
        &mut self,
        run: &mut Run<S>,
        (t, index): (f64, usize),
    ) -> Result<Outcome, SolveError> {
        self.store_between(run, t)?;
        if let Some(event) = run.events.last() {
            run.last.copy_from(&event.state);
        }
        run.stats.accepted += 1;
        let stored = run.states().last().is_some_and(|state| state.t >= t);
        if !stored && !matches!(self.options.output, Output::At(_)) {
            run.trajectory.push(run.last.clone());
        }
        Ok(Outcome::Event { index, t })
    }

    fn store_start(&mut self, run: &mut Run<S>) {
        let t = run.last.t;
        let at_once = self.options.output == Output::EndOnly && self.schedule.is_over(t);
        if self.options.output == Output::EveryStep || at_once {
            run.trajectory.push(run.last.clone());
        }
        while self.pending.next_until(t).is_some() {
            run.trajectory.push(run.last.clone());
        }
    }

    /// Stores what is due up to `t` by dense output.
    fn store_between(&mut self, run: &mut Run<S>, t: f64) -> Result<(), SolveError> {
        while let Some(time) = self.pending.next_until(t) {
            let mut state = self.between.clone();
            self.dense.evaluate(self.options.system, time, &mut state)?;
            run.stats.interpolations += 1;
            run.trajectory.push(state);
        }
        Ok(())
    }

    /// Stores the end of a step if that is asked for.
    fn store_end(&mut self, run: &mut Run<S>) -> Result<(), SolveError> {
        let due = match self.options.output {
            Output::EveryStep => true,
            Output::EndOnly => self.schedule.is_over(run.last.t),
            Output::At(_) | Output::Every(_) => false,
        };
        if due {
            let mut state = run.last.clone();
            if self.stepper.recomputes_multipliers() {
                self.dense
                    .solve_accelerations(self.options.system, &mut state)?;
            }
            run.trajectory.push(state);
        }
        Ok(())
    }

    fn renormalize(&self, run: &mut Run<S>) {
        let due = |&steps: &u64| steps > 0 && run.stats.accepted.is_multiple_of(steps);
        if self.options.renormalize_every.as_ref().is_some_and(due) {
            self.options.system.renormalize(&mut run.last.q);
            run.stats.renormalizations += 1;
        }
    }

    fn observe(&mut self, run: &Run<S>, h: f64, error: Option<f64>) -> ControlFlow<()> {
        match &mut self.options.observer {
            None => ControlFlow::Continue(()),
            Some(observer) => observer(&StepView {
                state: &run.last,
                h,
                error,
                stats: &run.stats,
            }),
        }
    }
}

/// Steps between looks at stiffness, and how many in a row are noted.
const STIFFNESS_INTERVAL: u64 = 16;
const STIFF: u32 = 8;

/// What is left of the usual size after a smaller step.
const FORGOTTEN: f64 = 0.95;

/// Times with indices. A function of its own: inside the loop it would be compiled for each system.
fn order_by_time(found: &mut [(f64, usize)]) {
    found.sort_by(|a, b| a.0.total_cmp(&b.0));
}

#[cfg(test)]
mod tests;
