//! Every method as one, so that the time loop is compiled once per system.

use polhode::control::Controller;
use polhode::error::SolveError;
use polhode::generalized_alpha::{GeneralizedAlpha, GeneralizedAlphaStepper};
use polhode::half_explicit::{HalfExplicit, HalfExplicitStepper, Multipliers};
use polhode::state::State;
use polhode::stats::Stats;
use polhode::stepper::{Method, Stepper};
use polhode::system::Implicit;

/// A method with all its options.
#[derive(Clone, Debug)]
pub enum Scheme {
    /// `he2` to `he5`, and whether their multipliers are recomputed.
    HalfExplicit(HalfExplicit, Multipliers),
    /// `ga3`, `ga2`, `ga2s`.
    GeneralizedAlpha(GeneralizedAlpha),
}

/// The stepper of a [`Scheme`].
#[derive(Debug)]
pub enum AnyStepper<S: Implicit> {
    /// Half-explicit.
    HalfExplicit(Box<HalfExplicitStepper<S>>),
    /// Generalized-alpha.
    GeneralizedAlpha(Box<GeneralizedAlphaStepper<S>>),
}

impl<S: Implicit> Method<S> for Scheme {
    type Stepper = AnyStepper<S>;

    fn stepper(&self, system: &S) -> Result<AnyStepper<S>, SolveError> {
        Ok(match self {
            Self::HalfExplicit(method, _) => {
                AnyStepper::HalfExplicit(Box::new(method.stepper(system)?))
            }
            Self::GeneralizedAlpha(method) => {
                AnyStepper::GeneralizedAlpha(Box::new(method.stepper(system)?))
            }
        })
    }

    fn controller(&self) -> Option<Controller> {
        match self {
            Self::HalfExplicit(method, _) => Method::<S>::controller(method),
            Self::GeneralizedAlpha(method) => Method::<S>::controller(method),
        }
    }
}

macro_rules! either {
    ($self:ident, $stepper:ident => $call:expr) => {
        match $self {
            AnyStepper::HalfExplicit($stepper) => $call,
            AnyStepper::GeneralizedAlpha($stepper) => $call,
        }
    };
}

impl<S: Implicit> Stepper<S> for AnyStepper<S> {
    fn start(&mut self, system: &S, state: &mut State<S>, h: f64) -> Result<(), SolveError> {
        either!(self, stepper => stepper.start(system, state, h))
    }

    fn attempt(
        &mut self,
        system: &S,
        state: &State<S>,
        h: f64,
        stats: &mut Stats,
    ) -> Result<Option<f64>, SolveError> {
        either!(self, stepper => stepper.attempt(system, state, h, stats))
    }

    fn candidate(&self) -> &State<S> {
        either!(self, stepper => stepper.candidate())
    }

    fn increment(&self, system: &S, state: &State<S>, out: &mut S::Velocity) {
        either!(self, stepper => stepper.increment(system, state, out));
    }

    fn accept(&mut self, state: &mut State<S>) {
        either!(self, stepper => stepper.accept(state));
    }

    fn initial_step(&self, system: &S, state: &State<S>) -> Result<Option<f64>, SolveError> {
        either!(self, stepper => stepper.initial_step(system, state))
    }

    fn stiffness(&self, state: &State<S>, h: f64) -> Option<(f64, f64)> {
        either!(self, stepper => stepper.stiffness(state, h))
    }

    fn tolerances(&self) -> Option<(f64, f64)> {
        either!(self, stepper => Stepper::<S>::tolerances(&**stepper))
    }

    fn may_go_over(&self) -> bool {
        either!(self, stepper => stepper.may_go_over())
    }

    fn recomputes_multipliers(&self) -> bool {
        either!(self, stepper => stepper.recomputes_multipliers())
    }
}
