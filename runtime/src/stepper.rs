//! What the time loop asks of a method.

use core::ops::RangeInclusive;

use crate::control::Controller;
use crate::error::SolveError;
use crate::run::{FailedRun, Run};
use crate::simulation::Simulation;
use crate::state::State;
use crate::stats::Stats;
use crate::system::Constrained;

/// A one-step method with its memory, allocated once for one system.
///
/// A step is made in two moves, so that a rejected one leaves no trace:
/// [`attempt`](Stepper::attempt) computes a candidate beside the state,
/// [`accept`](Stepper::accept) puts it in place. Neither allocates.
pub trait Stepper<S: Constrained> {
    /// Turns consistent `(t, q, v)` into the starting values of the method:
    /// `v'` and `lambda` of the acceleration-level system and, where the method
    /// has one, the algorithmic acceleration for steps of size `h`.
    ///
    /// # Errors
    /// If the model cannot be evaluated or its constraints are singular.
    fn start(&mut self, system: &S, state: &mut State<S>, h: f64) -> Result<(), SolveError>;

    /// Computes the state at `state.t + h` beside `state`, and the scaled norm of
    /// the estimated local error (at most 1 is acceptable) if the method has an estimate
    /// and tolerances are set.
    ///
    /// # Errors
    /// If the step size is not positive and finite, the model cannot be
    /// evaluated, Newton's method fails, or the result is not finite.
    fn attempt(
        &mut self,
        system: &S,
        state: &State<S>,
        h: f64,
        stats: &mut Stats,
    ) -> Result<Option<f64>, SolveError>;

    /// The state that the last [`attempt`](Stepper::attempt) computed.
    fn candidate(&self) -> &State<S>;

    /// The increment of the last attempt from a state: `q_{n+1} = q_n * exp(theta)`.
    fn increment(&self, system: &S, state: &State<S>, out: &mut S::Velocity);

    /// Makes the candidate the state; the old state may be overwritten.
    fn accept(&mut self, state: &mut State<S>);

    /// A first step size for a started state, if the method estimates errors and
    /// has tolerances.
    ///
    /// # Errors
    /// If the model cannot be evaluated.
    fn initial_step(&self, system: &S, state: &State<S>) -> Result<Option<f64>, SolveError> {
        let _ = (system, state);
        Ok(None)
    }

    /// Estimates `h |lambda|` of the last attempt, `lambda` the fastest rate of decay of velocities, and
    /// gives the limit of stability, if the method has stages to compare.
    fn stiffness(&self, state: &State<S>, h: f64) -> Option<(f64, f64)> {
        let _ = (state, h);
        None
    }

    /// Absolute and relative tolerance of the local error, if there are some.
    fn tolerances(&self) -> Option<(f64, f64)> {
        None
    }

    /// True if all that a step evaluates is its end, where `Phi = 0`: then it may go over a singular
    /// position.
    fn may_go_over(&self) -> bool {
        false
    }

    /// True if `v'` and `lambda` that a run hands out are to be solved for at the
    /// output points instead of taken from the state.
    fn recomputes_multipliers(&self) -> bool {
        false
    }

    /// One step of fixed size: attempt and accept.
    ///
    /// # Errors
    /// Those of [`attempt`](Stepper::attempt); the state is then unchanged.
    #[inline]
    fn step(
        &mut self,
        system: &S,
        state: &mut State<S>,
        h: f64,
        stats: &mut Stats,
    ) -> Result<(), SolveError> {
        self.attempt(system, state, h, stats)?;
        self.accept(state);
        stats.accepted += 1;
        Ok(())
    }
}

/// Fails unless a step size is positive and finite.
#[inline]
pub(crate) fn check_step(t: f64, h: f64) -> Result<(), SolveError> {
    if h > 0.0 && h.is_finite() {
        Ok(())
    } else {
        Err(SolveError::InvalidStep { t, h })
    }
}

/// The options and set-up of a family of methods, for the systems that it can solve.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not solve `{S}`",
    note = "the half-explicit methods need a system that is `Constrained`, the generalized-alpha methods one \
            that is `Implicit`"
)]
pub trait Method<S: Constrained>: Sized {
    /// The method with its memory for the system.
    type Stepper: Stepper<S>;

    /// Checks the options and allocates the memory.
    ///
    /// # Errors
    /// [`SolveError::InvalidOption`] with the name and the value of the option.
    fn stepper(&self, system: &S) -> Result<Self::Stepper, SolveError>;

    /// The step-size controller, if the method estimates errors and has tolerances.
    fn controller(&self) -> Option<Controller> {
        None
    }

    /// A run over a time span, to be given options before it is started.
    fn simulate(self, system: &S, span: RangeInclusive<f64>) -> Simulation<'_, S, Self> {
        Simulation::new(system, self, span)
    }

    /// Runs over a time span with the default options: a method that adapts its
    /// steps chooses the first one, every other needs a
    /// [`step`](Simulation::step).
    ///
    /// # Errors
    /// See [`Simulation::run`].
    fn run(self, system: &S, span: RangeInclusive<f64>) -> Result<Run<S>, Box<FailedRun<S>>> {
        self.simulate(system, span).run()
    }
}
