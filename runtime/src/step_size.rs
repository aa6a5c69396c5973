//! The step size from step to step: the memory of a [`Controller`], and the
//! step size of methods without one.

use crate::control::Controller;
use crate::error::SolveError;
use crate::schedule::{Planned, smallest_step};
use crate::stats::Stats;

/// Factor of the step size after a failure that gives no error to reason with.
const AFTER_FAILURE: f64 = 0.5;

/// Why a step was not kept.
#[derive(Clone, Debug)]
pub(crate) enum Rejection {
    /// The scaled error is above 1.
    Error(f64),
    /// The step could not be computed.
    Failure(SolveError),
}

impl Rejection {
    /// The reason in words.
    pub(crate) fn reason(&self) -> String {
        match self {
            Self::Error(error) => {
                format!("the estimated error was {error:.2e} times the tolerance")
            }
            Self::Failure(error) => format!("it failed: {error}"),
        }
    }

    /// Counts it by its cause.
    pub(crate) fn count(&self, stats: &mut Stats) {
        match self {
            Self::Error(_) => stats.rejected_error += 1,
            Self::Failure(SolveError::NewtonFailed { .. }) => stats.rejected_newton += 1,
            Self::Failure(_) => stats.rejected_fault += 1,
        }
    }
}

/// The size of the next step.
#[derive(Clone, Debug)]
pub(crate) struct StepSize {
    controller: Option<Controller>,
    /// Size of fixed steps, or the largest size.
    nominal: f64,
    h_min: f64,
    last_error: f64,
    after_rejection: bool,
    h: f64,
}

impl StepSize {
    /// Starts with `h`; without a controller it is the size of all steps.
    pub(crate) fn new(controller: Option<Controller>, h_min: f64, h: f64) -> Self {
        let nominal = controller.map_or(h, |controller| controller.h_max);
        let h_min = controller.map_or(h_min, |controller| controller.h_min.max(h_min));
        Self {
            controller,
            nominal,
            h_min,
            last_error: 1.0,
            after_rejection: false,
            h: h.min(nominal).max(h_min),
        }
    }

    /// What the next step should have.
    pub(crate) fn proposal(&self) -> f64 {
        self.h
    }

    /// The same at a time: a controller does not go below what rounding can tell.
    pub(crate) fn proposal_at(&self, t: f64) -> f64 {
        match self.controller {
            Some(_) => self.h.max(self.lower_limit(t)),
            None => self.h,
        }
    }

    /// The limit at a time: the one that was set, or rounding.
    pub(crate) fn lower_limit(&self, t: f64) -> f64 {
        self.h_min.max(smallest_step(t))
    }

    /// True if a step with this error may be kept.
    pub(crate) fn accepts(&self, error: Option<f64>) -> bool {
        match (self.controller, error) {
            (Some(_), Some(error)) => error <= 1.0,
            _ => true,
        }
    }

    /// Learns from a step that was kept.
    pub(crate) fn accepted(&mut self, planned: Planned, error: Option<f64>) {
        let h = match (self.controller, error) {
            (Some(controller), Some(error)) => {
                let mut factor = controller.factor(error, self.last_error);
                let grows_freely = factor >= controller.facmax;
                if self.after_rejection {
                    factor = factor.min(controller.factor_after_rejection());
                }
                self.last_error = error;
                // A step that was cut to a prescribed time says little about longer ones.
                if grows_freely {
                    self.h.max(planned.h * factor)
                } else {
                    planned.h * factor
                }
            }
            // Back to the nominal size after a reduction.
            _ => 2.0 * self.h,
        };
        self.after_rejection = false;
        self.h = h.min(self.nominal).max(self.h_min);
    }

    /// Reduces the step size after a step that was not kept.
    pub(crate) fn rejected(&mut self, t: f64, planned: Planned, rejection: &Rejection) {
        let factor = match (self.controller, rejection) {
            (Some(controller), Rejection::Error(error)) => {
                controller.factor(*error, self.last_error)
            }
            _ => AFTER_FAILURE,
        };
        self.after_rejection = true;
        self.h = (planned.h * factor).max(self.lower_limit(t));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn planned(h: f64) -> Planned {
        Planned { h, target: None }
    }

    #[test]
    fn fixed_steps_return_to_their_size_after_a_failure() {
        let mut size = StepSize::new(None, 0.0, 0.1);
        let failure = Rejection::Failure(SolveError::InvalidStep { t: 0.0, h: 0.0 });
        size.rejected(0.0, planned(0.1), &failure);
        size.rejected(0.0, planned(0.05), &failure);
        assert!((size.proposal() - 0.025).abs() < 1e-15);
        size.accepted(planned(0.025), None);
        assert!((size.proposal() - 0.05).abs() < 1e-15);
        size.accepted(planned(0.05), None);
        size.accepted(planned(0.1), None);
        assert!((size.proposal() - 0.1).abs() < 1e-15);
    }

    #[test]
    fn a_step_cut_short_does_not_shrink_the_following_ones() {
        let mut size = StepSize::new(Some(Controller::new(5)), 0.0, 0.1);
        size.accepted(planned(1e-6), Some(1e-20));
        assert!((size.proposal() - 0.1).abs() < 1e-15);
        size.accepted(planned(0.1), Some(1.0));
        assert!((size.proposal() - 0.08).abs() < 1e-15);
    }

    /// Rejections say why they are, and are counted by it.
    #[test]
    fn rejections_have_reasons() {
        let newton = SolveError::NewtonFailed {
            t: 0.0,
            h: 0.1,
            iterations: 1,
            residuals: Vec::new(),
            tolerance: 0.0,
        };
        let invalid = SolveError::InvalidStep { t: 0.0, h: 0.1 };
        let mut stats = Stats::default();
        for (rejection, words) in [
            (
                Rejection::Error(2.5),
                "2.50e0 times the tolerance".to_owned(),
            ),
            (
                Rejection::Failure(newton.clone()),
                format!("it failed: {newton}"),
            ),
            (
                Rejection::Failure(invalid.clone()),
                format!("it failed: {invalid}"),
            ),
        ] {
            assert!(
                rejection.reason().contains(&words),
                "{}",
                rejection.reason()
            );
            rejection.count(&mut stats);
        }
        let counts = [
            stats.rejected_error,
            stats.rejected_newton,
            stats.rejected_fault,
        ];
        assert_eq!(counts, [1; 3]);
    }

    #[test]
    fn a_controller_accepts_an_error_up_to_one() {
        let with = |controller| StepSize::new(controller, 0.0, 0.1);
        let controlled = with(Some(Controller::new(5)));
        assert!(controlled.accepts(Some(1.0)) && !controlled.accepts(Some(1.1)));
        assert!(!controlled.accepts(Some(f64::NAN)) && controlled.accepts(None));
        assert!(with(None).accepts(Some(1.1)));
    }

    #[test]
    fn limits_are_kept() {
        let controller = Controller::new(5).limits(0.01, 0.2);
        let mut size = StepSize::new(Some(controller), 0.0, 0.1);
        size.accepted(planned(0.1), Some(1e-9));
        assert!((size.proposal() - 0.2).abs() < 1e-15);
        // An error of 2^5 makes a fifth-order step 0.8 / 2 of what it was.
        size.rejected(0.0, planned(0.1), &Rejection::Error(32.0));
        assert!((size.proposal() - 0.04).abs() < 1e-15);
        size.rejected(0.0, planned(0.02), &Rejection::Error(1e9));
        assert!((size.proposal() - 0.01).abs() < 1e-15);
    }

    #[test]
    fn after_a_rejection_only_the_pi_controller_does_not_grow() {
        for (controller, grows) in [(Controller::new(5), true), (Controller::pi(5), false)] {
            let mut size = StepSize::new(Some(controller), 0.0, 0.1);
            size.rejected(0.0, planned(0.1), &Rejection::Error(2.0));
            let h = size.proposal();
            size.accepted(planned(h), Some(1e-3));
            assert_eq!(size.proposal() > h, grows);
        }
    }
}
