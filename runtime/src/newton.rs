//! When Newton's method has converged, and when a kept matrix is too old.
//!
//! Residuals are measured by the largest components of `h^2 (M v' + g + B^T lambda)` and of
//! `(Phi, h B v)`: with these factors they are a mass times a displacement and a displacement,
//! and their size does not depend on `h`. The number that decides is
//!
//! ```text
//! max(|h^2 (M v' + g + B^T lambda)| / m, |Phi, h B v|),   m = min(1, largest mass or moment of inertia)
//! ```
//!
//! because limits that are not relative are rounding errors of displacements: without `m` the whole
//! force on a grain of dust would be rounding.
//!
//! A residual that is known to be small enough is not evaluated. In full Newton, with the
//! residuals `r_0, r_1, ...`, the ratio `r_k / r_{k-1}` of two that were measured bounds the next
//! ratio, and the correction after `r_k` is the last one if `r_k (r_k / r_{k-1})` is
//! within the tolerance. On the heavy top with steps of `1e-3` the ratio is `2e-5`: two
//! corrections and two residuals instead of three; what is not measured is `1e-16`. Modified Newton
//! is measured by its corrections (`kept`).

mod kept;

pub(crate) use self::kept::Kept;
use crate::error::SolveError;
use crate::norm::largest;
use crate::system::{Mechanics, ResidualSize};

/// Which matrix is used.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub enum NewtonMatrix {
    /// A new matrix in every iteration.
    Full,
    /// The matrix is kept, over steps too, as long as each iteration shrinks the
    /// residual by at least this factor. Ends when what is left of the increment is small: the
    /// relative tolerance is one of its corrections, and there is no absolute one.
    Modified {
        /// Largest acceptable ratio of consecutive residuals, between 0 and 1.
        contraction: f64,
    },
}

/// Options of Newton's method.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct NewtonOptions {
    /// Full or modified Newton.
    pub matrix: NewtonMatrix,
    /// Most corrections in a step.
    pub max_iterations: usize,
    /// A residual below this is zero.
    pub absolute: f64,
    /// A residual below this times the first one is zero.
    pub relative: f64,
    /// Halve corrections that enlarge the residual.
    pub line_search: bool,
}

impl Default for NewtonOptions {
    fn default() -> Self {
        Self {
            matrix: NewtonMatrix::Full,
            max_iterations: 20,
            absolute: 1e-16,
            relative: 1e-8,
            line_search: true,
        }
    }
}

/// Corrections are halved eight times at most.
pub(crate) const SMALLEST_FACTOR: f64 = 1.0 / 256.0;

impl NewtonOptions {
    /// Rejects options that can never work.
    pub(crate) fn check(&self) -> Result<(), SolveError> {
        let range = |option, value: f64, valid: bool, expected| {
            if valid && value.is_finite() {
                Ok(())
            } else {
                Err(SolveError::InvalidOption {
                    option,
                    value,
                    expected,
                })
            }
        };
        let tolerance = "zero or positive, and not both zero";
        let some = self.absolute > 0.0 || self.relative > 0.0;
        range(
            "absolute Newton tolerance",
            self.absolute,
            self.absolute >= 0.0 && some,
            tolerance,
        )?;
        range(
            "relative Newton tolerance",
            self.relative,
            self.relative >= 0.0 && self.relative < 1.0,
            "at least 0 and below 1",
        )?;
        if self.max_iterations == 0 || self.max_iterations > MAX_ITERATIONS {
            return Err(SolveError::InvalidOption {
                option: "max_iterations of Newton's method",
                #[expect(clippy::cast_precision_loss, reason = "for display")]
                value: self.max_iterations as f64,
                expected: "between 1 and 100",
            });
        }
        if let NewtonMatrix::Modified { contraction } = self.matrix {
            range(
                "contraction of modified Newton",
                contraction,
                contraction > 0.0 && contraction < 1.0,
                "between 0 and 1",
            )?;
        }
        Ok(())
    }
}

/// The unit of residuals of a system, see the head of this file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Measure {
    per_mass: f64,
}

impl Measure {
    pub(crate) fn new<S: Mechanics>(system: &S) -> Self {
        let (mut ones, mut masses) = (system.new_velocity(), system.new_velocity());
        ones.as_mut().fill(1.0);
        system.mass_times(&ones, &mut masses);
        let mass = largest(masses.as_ref());
        let is_light = mass > 0.0 && mass < 1.0;
        Self {
            per_mass: if is_light { 1.0 / mass } else { 1.0 },
        }
    }

    /// The larger of both; NaN wins.
    #[inline(always)]
    pub(crate) fn norm(self, size: ResidualSize) -> f64 {
        let (dynamics, constraint) = (self.per_mass * size.dynamics, size.constraint);
        if dynamics > constraint || dynamics.is_nan() {
            dynamics
        } else {
            constraint
        }
    }
}

/// A correction this small against the increment only moves rounding errors around.
pub(crate) const ROUNDING: f64 = 1e-8;
/// The same for a residual, when the increment itself vanishes.
const ROUNDING_RESIDUAL: f64 = 1e-13;

/// Upper limit of [`NewtonOptions::max_iterations`].
const MAX_ITERATIONS: usize = 100;

/// Residual norms of one step, for the report of a failure.
pub(crate) type Norms = [f64; MAX_ITERATIONS + 1];

/// The residual norms that decide how an iteration goes on: the first and the last two.
#[derive(Clone, Copy, Debug)]
pub(crate) struct History {
    first: f64,
    before: f64,
    last: f64,
    len: usize,
}

impl History {
    pub(crate) const NO_NORMS: Norms = [0.0; MAX_ITERATIONS + 1];

    pub(crate) fn new() -> Self {
        Self {
            first: f64::INFINITY,
            before: f64::INFINITY,
            last: f64::INFINITY,
            len: 0,
        }
    }

    /// Takes a residual norm and keeps it for a report.
    #[inline]
    pub(crate) fn push(&mut self, norm: f64, norms: &mut Norms) {
        norms[self.len] = norm;
        self.note(norm);
    }

    /// Takes a residual norm, if it is half of the one before or less.
    #[inline(always)]
    pub(crate) fn takes(&mut self, norm: f64) -> bool {
        // Before the first there is infinity, and half of it is more than any number.
        let falls = norm <= 0.5 * self.last && norm < f64::INFINITY;
        self.note(norm);
        falls
    }

    #[inline(always)]
    fn note(&mut self, norm: f64) {
        self.before = self.last;
        self.last = norm;
        if self.len == 0 {
            self.first = norm;
        }
        self.len += 1;
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// How many corrections were made.
    pub(crate) fn iterations(&self) -> usize {
        self.len - 1
    }

    fn tolerance(&self, options: &NewtonOptions) -> f64 {
        options.absolute.max(options.relative * self.first)
    }

    #[inline]
    pub(crate) fn is_small_enough(&self, options: &NewtonOptions) -> bool {
        self.last <= self.tolerance(options)
    }

    /// Whether the last residual is small enough, or cannot become smaller: it no
    /// longer shrinks although the last correction, of the given size relative to
    /// the increment, or the residual itself is at the level of rounding errors.
    #[inline]
    pub(crate) fn converged(&self, options: &NewtonOptions, correction: f64) -> bool {
        self.is_small_enough(options) || self.stagnates(correction)
    }

    /// Whether the last residual cannot become smaller.
    #[inline]
    fn stagnates(&self, correction: f64) -> bool {
        self.slower_than(0.5) && (correction <= ROUNDING || self.last <= ROUNDING_RESIDUAL)
    }

    /// Whether the residual need not be evaluated again after one more correction: if it
    /// shrinks by the same factor as last time, it is within the tolerance: full Newton
    /// converges faster from one iteration to the next.
    #[inline]
    pub(crate) fn is_last_correction(&self, options: &NewtonOptions) -> bool {
        self.len >= 2
            && self.last < self.before
            && self.last * self.last <= self.tolerance(options) * self.before
    }

    /// Whether the last correction did not shrink the residual by `contraction`.
    #[inline]
    pub(crate) fn slower_than(&self, contraction: f64) -> bool {
        let slow = |last: f64, bound: f64| last > bound || last.is_nan() || bound.is_nan();
        self.len >= 2 && slow(self.last, contraction * self.before)
    }

    #[cold]
    pub(crate) fn failure(
        &self,
        norms: &Norms,
        (t, h): (f64, f64),
        options: &NewtonOptions,
    ) -> SolveError {
        SolveError::NewtonFailed {
            t,
            h,
            iterations: self.len - 1,
            residuals: norms[..self.len].to_vec(),
            tolerance: self.tolerance(options),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OPTIONS: NewtonOptions = NewtonOptions {
        matrix: NewtonMatrix::Full,
        max_iterations: 100,
        absolute: 1e-10,
        relative: 1e-6,
        line_search: true,
    };

    fn after(norms: &[f64]) -> History {
        let mut history = History::new();
        for norm in norms {
            history.note(*norm);
        }
        history
    }

    #[test]
    fn one_kind_of_tolerance_is_enough() {
        for (absolute, relative) in [(0.0, 1e-6), (1e-10, 0.0)] {
            let options = NewtonOptions {
                absolute,
                relative,
                ..OPTIONS
            };
            assert!(options.check().is_ok());
        }
    }

    /// One residual alone and NaN are halves of nothing, as is what does not fall.
    #[test]
    fn a_first_residual_and_halves_are_taken() {
        let mut history = History::new();
        let taken = [8.0, 4.0, 3.0, 1.5, 1.6, f64::NAN, 0.1].map(|norm| history.takes(norm));
        assert_eq!(taken, [true, true, false, true, false, false, false]);
        assert!(!History::new().takes(f64::INFINITY));
    }

    #[test]
    fn small_residuals_and_rounding_errors_have_converged() {
        let small = |norms: &[f64]| after(norms).is_small_enough(&OPTIONS);
        assert!(small(&[1e-10]) && !small(&[2e-10]));
        assert!(small(&[1.0, 0.5, 1e-6]) && !small(&[1.0, 0.5, 2e-6]));

        let converged = |norms: &[f64], correction: f64| {
            let options = NewtonOptions {
                absolute: 1e-16,
                ..OPTIONS
            };
            after(norms).converged(&options, correction)
        };
        assert!(converged(&[1.0, 1e-6], 1.0));
        // Of what no longer falls, the correction or the residual is rounding.
        assert!(converged(&[1.0, 0.9], 1e-8) && !converged(&[1.0, 0.9], 2e-8));
        assert!(converged(&[1.5e-13, 1e-13], 1.0) && !converged(&[2e-13, 1.5e-13], 1.0));
        assert!(!converged(&[1.0, 0.4], 1e-8));
    }

    /// Half is not slower than half, and NaN is slower than anything.
    #[test]
    fn residuals_fall_as_fast_as_they_should() {
        let slow = |norms: &[f64]| after(norms).slower_than(0.5);
        assert!(slow(&[1.0, 0.6]) && !slow(&[1.0, 0.5]) && !slow(&[1.0]));
        assert!(slow(&[1.0, f64::NAN]) && slow(&[f64::NAN, 1.0]));
    }

    /// From 4 to `x` the residual falls by `x / 4`, and once more by that to 4e-6 or less.
    #[test]
    fn the_rate_so_far_says_which_correction_is_the_last() {
        let last = |norms: &[f64]| after(norms).is_last_correction(&OPTIONS);
        assert!(last(&[4.0, 3.9e-3]) && !last(&[4.0, 4.1e-3]));
        // Nothing follows from a residual that does not fall.
        assert!(!last(&[1e-12]) && !last(&[1e-12, 1e-12]) && !last(&[1e-12, 5e-12]));
    }
}
