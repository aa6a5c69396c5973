//! A run and its options.

use core::ops::{ControlFlow, RangeInclusive};

use crate::consistency::{DEFAULT_TOLERANCE, InitialValues};
use crate::error::SolveError;
use crate::events::Event;
use crate::integrate::integrate;
use crate::output::Output;
use crate::run::{FailedRun, Run};
use crate::state::State;
use crate::stats::Stats;
use crate::stepper::Method;
use crate::system::Constrained;

/// What an observer sees after every complete step.
#[derive(Debug)]
pub struct StepView<'a, S: Constrained> {
    /// The state at the end of the step, as the method goes on with it.
    pub state: &'a State<S>,
    /// Size of the step.
    pub h: f64,
    /// Scaled error of the step, if it was estimated.
    pub error: Option<f64>,
    /// Work so far.
    pub stats: &'a Stats,
}

type Observer<'a, S> = Box<dyn FnMut(&StepView<'_, S>) -> ControlFlow<()> + 'a>;

/// A run over a time span, with its options.
///
/// A method with a controller adapts its steps; every other takes fixed steps
/// and needs their [size](Simulation::step).
pub struct Simulation<'a, S: Constrained, M: Method<S>> {
    pub(crate) system: &'a S,
    pub(crate) method: M,
    pub(crate) span: RangeInclusive<f64>,
    pub(crate) initial: Option<State<S>>,
    pub(crate) initial_values: InitialValues,
    pub(crate) step: Option<f64>,
    pub(crate) stop_at: Vec<f64>,
    pub(crate) output: Output,
    pub(crate) observer: Option<Observer<'a, S>>,
    pub(crate) events: Vec<Event<'a, S>>,
    pub(crate) max_steps: u64,
    pub(crate) max_rejections: u32,
    pub(crate) h_min: f64,
    pub(crate) reduce_on_failure: bool,
    pub(crate) renormalize_every: Option<u64>,
    pub(crate) record_steps: bool,
}

impl<'a, S: Constrained, M: Method<S>> Simulation<'a, S, M> {
    /// A run from the start that the model declares, with the default options.
    pub fn new(system: &'a S, method: M, span: RangeInclusive<f64>) -> Self {
        Self {
            system,
            method,
            span,
            initial: None,
            initial_values: InitialValues::Check(DEFAULT_TOLERANCE),
            step: None,
            stop_at: Vec::new(),
            output: Output::EveryStep,
            observer: None,
            events: Vec::new(),
            max_steps: 100_000_000,
            max_rejections: 60,
            h_min: 0.0,
            reduce_on_failure: false,
            renormalize_every: Some(1000),
            record_steps: false,
        }
    }

    /// Starts from the configuration and velocity of this state instead; its time
    /// is replaced by the start of the span.
    #[must_use]
    pub fn from(mut self, state: State<S>) -> Self {
        self.initial = Some(state);
        self
    }

    /// What happens to initial values that violate the constraints: an error if not set.
    #[must_use]
    pub fn initial_values(mut self, initial_values: InitialValues) -> Self {
        self.initial_values = initial_values;
        self
    }

    /// Size of fixed steps, or of the first step of an adaptive run.
    #[must_use]
    pub fn step(mut self, h: f64) -> Self {
        self.step = Some(h);
        self
    }

    /// Times at which a step ends exactly, such as kinks of a load. A load that
    /// jumps is better split into two runs: the last stages of the step that ends
    /// at the jump are evaluated at that time.
    #[must_use]
    pub fn stop_at(mut self, times: impl IntoIterator<Item = f64>) -> Self {
        self.stop_at.extend(times);
        self
    }

    /// What is stored. States between the ends of steps come from dense output;
    /// in [`Output::At`] and [`Output::Every`] all states have the accelerations
    /// and multipliers of the acceleration-level system.
    #[must_use]
    pub fn output(mut self, output: Output) -> Self {
        self.output = output;
        self
    }

    /// Calls a function after every complete step; it can end the run.
    #[must_use]
    pub fn observe(
        mut self,
        observer: impl FnMut(&StepView<'_, S>) -> ControlFlow<()> + 'a,
    ) -> Self {
        self.observer = Some(Box::new(observer));
        self
    }

    /// Adds an event.
    #[must_use]
    pub fn event(mut self, event: Event<'a, S>) -> Self {
        self.events.push(event);
        self
    }

    /// Limit on the number of steps, 10^8 if not set.
    #[must_use]
    pub fn max_steps(mut self, limit: u64) -> Self {
        self.max_steps = limit;
        self
    }

    /// Limit on the rejections of one step, 60 if not set.
    #[must_use]
    pub fn max_rejections(mut self, limit: u32) -> Self {
        self.max_rejections = limit;
        self
    }

    /// Smallest step size to which a rejection may lead, rounding if not set.
    #[must_use]
    pub fn h_min(mut self, h_min: f64) -> Self {
        self.h_min = h_min;
        self
    }

    /// Repeats fixed steps that fail with half their size, and returns to the grid
    /// of fixed steps afterwards. Adaptive runs always do.
    #[must_use]
    pub fn reduce_on_failure(mut self, reduce: bool) -> Self {
        self.reduce_on_failure = reduce;
        self
    }

    /// After how many steps rotations are brought back to their group, against
    /// the growth of rounding errors: 1000 if not set, never if `None`.
    #[must_use]
    pub fn renormalize_every(mut self, steps: Option<u64>) -> Self {
        self.renormalize_every = steps;
        self
    }

    /// Keeps time, size and error of every step.
    #[must_use]
    pub fn record_steps(mut self, record: bool) -> Self {
        self.record_steps = record;
        self
    }

    /// Runs.
    ///
    /// # Errors
    /// A [`FailedRun`] with the [`SolveError`] and everything that was computed
    /// before it.
    pub fn run(self) -> Result<Run<S>, Box<FailedRun<S>>> {
        integrate(self)
    }

    /// Checks what does not depend on the state.
    pub(crate) fn check(&self) -> Result<(), SolveError> {
        let (start, end) = (*self.span.start(), *self.span.end());
        if !(start <= end && start.is_finite() && end.is_finite()) {
            return Err(SolveError::InvalidSpan { start, end });
        }
        if let Some(h) = self.step
            && !(h > 0.0 && h.is_finite())
        {
            return Err(SolveError::InvalidStep { t: start, h });
        }
        let (InitialValues::Check(tolerance) | InitialValues::Project(tolerance)) =
            self.initial_values;
        if !(tolerance > 0.0 && tolerance.is_finite()) {
            return Err(SolveError::InvalidOption {
                option: "tolerance of the initial values",
                value: tolerance,
                expected: "a positive finite number",
            });
        }
        if self.step.is_none() && self.method.controller().is_none() {
            return Err(SolveError::InvalidOption {
                option: "step",
                value: f64::NAN,
                expected: "a step size, because this method does not choose its own",
            });
        }
        if !(self.h_min >= 0.0 && self.h_min.is_finite()) {
            return Err(SolveError::InvalidOption {
                option: "h_min",
                value: self.h_min,
                expected: "a finite number, not negative",
            });
        }
        Ok(())
    }
}

impl<S: Constrained, M: Method<S> + core::fmt::Debug> core::fmt::Debug for Simulation<'_, S, M> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Simulation")
            .field("method", &self.method)
            .field("span", &self.span)
            .field("step", &self.step)
            .field("stop_at", &self.stop_at)
            .field("output", &self.output)
            .field("events", &self.events)
            .finish_non_exhaustive()
    }
}
