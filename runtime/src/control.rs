//! Step-size control.
//!
//! A controller turns the scaled error of a step (at most 1 is acceptable) into
//! the factor by which the step size changes,
//!
//! ```text
//! elementary   factor = min(facmax, max(facmin, fac err^(-1/k)))
//! PI           factor = min(facmax, max(facmin, fac err^-alpha last_err^beta))
//! ```
//!
//! where the error of a step is of the size `h^k`. The PI form, with the memory
//! of the last accepted error, avoids long sequences of rejections where the
//! solution gets difficult; after a rejection it does not increase the step.
//!
//! Source: E. Hairer, S. P. Norsett, G. Wanner, Solving Ordinary Differential
//! Equations I, II.4; K. Gustafsson, ACM Trans. Math. Softw. 17 (1991).

use crate::error::SolveError;

/// How errors are turned into step sizes.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub enum ControllerKind {
    /// From the last error alone.
    Elementary,
    /// From the last two errors.
    Pi {
        /// Exponent of the error.
        alpha: f64,
        /// Exponent of the error before.
        beta: f64,
    },
}

/// A step-size controller: a pure function of errors.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Controller {
    /// Safety factor.
    pub fac: f64,
    /// Smallest change of the step size.
    pub facmin: f64,
    /// Largest change of the step size.
    pub facmax: f64,
    /// Smallest step size; zero leaves the limit to rounding.
    pub h_min: f64,
    /// Largest step size.
    pub h_max: f64,
    /// The formula.
    pub kind: ControllerKind,
    /// The power of the step size that the error is proportional to.
    pub error_order: u32,
}

impl Controller {
    /// The elementary controller for errors of the size `h^error_order`.
    pub fn new(error_order: u32) -> Self {
        Self {
            fac: 0.8,
            facmin: 0.2,
            facmax: 5.0,
            h_min: 0.0,
            h_max: f64::INFINITY,
            kind: ControllerKind::Elementary,
            error_order,
        }
    }

    /// The PI controller for errors of the size `h^error_order`, with the
    /// exponents `alpha = 0.85 / k`, `beta = 0.2 / k` and the safety factor of DOPRI5.
    pub fn pi(error_order: u32) -> Self {
        let k = f64::from(error_order);
        Self {
            fac: 0.9,
            kind: ControllerKind::Pi {
                alpha: 0.85 / k,
                beta: 0.2 / k,
            },
            ..Self::new(error_order)
        }
    }

    /// Sets the safety factor.
    #[must_use]
    pub fn fac(mut self, fac: f64) -> Self {
        self.fac = fac;
        self
    }

    /// Sets the limits of the change of the step size.
    #[must_use]
    pub fn factors(mut self, facmin: f64, facmax: f64) -> Self {
        self.facmin = facmin;
        self.facmax = facmax;
        self
    }

    /// Sets the limits of the step size.
    #[must_use]
    pub fn limits(mut self, h_min: f64, h_max: f64) -> Self {
        self.h_min = h_min;
        self.h_max = h_max;
        self
    }

    /// The factor by which the step size changes after a step with this error,
    /// given the error of the accepted step before it.
    pub fn factor(&self, error: f64, last_error: f64) -> f64 {
        if !error.is_finite() {
            return self.facmin;
        }
        let raw = match self.kind {
            ControllerKind::Elementary => self.fac * error.powf(-1.0 / f64::from(self.error_order)),
            ControllerKind::Pi { alpha, beta } => {
                self.fac * error.powf(-alpha) * last_error.max(1e-4).powf(beta)
            }
        };
        raw.clamp(self.facmin, self.facmax)
    }

    /// The largest factor for the step after a rejected one.
    pub fn factor_after_rejection(&self) -> f64 {
        match self.kind {
            ControllerKind::Elementary => self.facmax,
            ControllerKind::Pi { .. } => 1.0,
        }
    }

    pub(crate) fn check(&self) -> Result<(), SolveError> {
        let requirements = [
            (
                "fac",
                self.fac,
                self.fac > 0.0 && self.fac < 1.0,
                "a number between 0 and 1",
            ),
            (
                "facmin",
                self.facmin,
                self.facmin > 0.0 && self.facmin < 1.0,
                "a number between 0 and 1",
            ),
            (
                "facmax",
                self.facmax,
                self.facmax > 1.0 && self.facmax.is_finite(),
                "a finite number above 1",
            ),
            (
                "h_min",
                self.h_min,
                self.h_min >= 0.0 && self.h_min.is_finite(),
                "a finite number, not negative",
            ),
            (
                "h_max",
                self.h_max,
                self.h_max > 0.0 && self.h_max >= self.h_min,
                "a positive number, not below h_min",
            ),
            (
                "error_order",
                f64::from(self.error_order),
                self.error_order > 0,
                "a positive order",
            ),
        ];
        for (option, value, holds, expected) in requirements {
            if !holds {
                return Err(SolveError::InvalidOption {
                    option,
                    value,
                    expected,
                });
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elementary_factor_is_the_formula_within_its_limits() {
        let controller = Controller::new(5);
        let near = |x: f64, y: f64| assert!((x - y).abs() < 1e-15, "{x} != {y}");
        near(controller.factor(1.0, 1.0), 0.8);
        near(controller.factor(32.0, 1.0), 0.4);
        near(controller.factor(1.0 / 32.0, 1.0), 1.6);
        near(controller.factor(0.0, 1.0), 5.0);
        near(controller.factor(1e30, 1.0), 0.2);
        near(controller.factor(f64::NAN, 1.0), 0.2);
        near(controller.factor_after_rejection(), 5.0);
    }

    #[test]
    fn pi_factor_remembers_the_last_error() {
        let controller = Controller::pi(5);
        let expected = 0.9 * 0.5_f64.powf(-0.17) * 0.1_f64.powf(0.04);
        assert!((controller.factor(0.5, 0.1) - expected).abs() < 1e-15);
        assert!((controller.factor_after_rejection() - 1.0).abs() < 1e-15);
    }

    #[test]
    fn options_outside_their_range_are_named() {
        let check = |controller: Controller, name: &str| match controller.check() {
            Err(SolveError::InvalidOption { option, .. }) => assert_eq!(option, name),
            other => panic!("{name}: {other:?}"),
        };
        let good = Controller::new(5);
        assert!(good.check().is_ok());
        for fac in [0.0, 1.0, f64::NAN] {
            check(good.fac(fac), "fac");
        }
        check(good.factors(0.0, 5.0), "facmin");
        check(good.factors(1.0, 5.0), "facmin");
        check(good.factors(0.2, 1.0), "facmax");
        check(good.limits(-1.0, 1.0), "h_min");
        check(good.limits(1.0, 0.5), "h_max");
        check(good.limits(0.0, 0.0), "h_max");
        check(Controller::new(0), "error_order");
    }
}
