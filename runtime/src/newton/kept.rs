//! When modified Newton has converged.
//!
//! A kept matrix converges linearly, and residuals do not tell how far it is: the first one is mostly
//! large where the matrix is right, so that it falls by `1e-5` and the next by `0.1`; and one that is
//! small beside a mass of 2 kg may be the whole force on a body with an inertia of `1e-5`. So
//! corrections `d_0, d_1, ..` of the increment `theta` decide:
//!
//! ```text
//! rate = max(0.3 rate, |d_k| / |d_{k-1}|)
//! error after d_k = |d_k| rate / (1 - rate)
//! ```
//!
//! The iteration ends if this error is below the relative tolerance times `|d_0|`, which is of the
//! size of the local error of the method, or below the rounding errors of `theta`. The rate is
//! remembered from step to step as long as the matrix is kept: it may fall no faster than by 0.3 in
//! an iteration, as in A. C. Hindmarsh et al., ACM Trans. Math. Softw. 31 (2005), section 2.1.
//!
//! Corrections that no longer shrink are rounding errors only if they are as small as those of the
//! increment, or have fallen to those of the configuration where `Phi` is imposed, or if the matrix
//! is of this step. Otherwise the matrix is too old. (A slider-crank, stabilized, `h = 1.25e-4`: all
//! corrections are below 1e-8 of the increment, and steps ended with half of an error left.)

use super::History;

/// How much faster than before the iteration is believed to converge.
const FALL: f64 = 0.3;
/// Rounding errors in corrections, relative to the largest component of what is rounded.
const LAST_PLACES: f64 = 8.0 * f64::EPSILON;
/// How far the corrections of a step must have fallen before those of `Phi` hide the others.
const FALLEN: f64 = 1e-4;

/// The corrections of modified Newton in a step, and the rate in the steps before.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kept {
    rate: f64,
    /// Sizes of the first and the last correction in this step.
    first: f64,
    last: f64,
    /// The largest components of the increment, and of the configuration if its rounding errors
    /// appear in the corrections.
    increment: f64,
    configuration: f64,
    is_of_this_step: bool,
}

impl Kept {
    pub(crate) fn new() -> Self {
        Self {
            rate: 1.0,
            first: f64::INFINITY,
            last: f64::INFINITY,
            increment: 0.0,
            configuration: 0.0,
            is_of_this_step: false,
        }
    }

    /// Begins a step with the matrix of the steps before, from the largest components of the
    /// increment and of the configuration, zero if that is not measured by `Phi`.
    pub(crate) fn begin(&mut self, increment: f64, configuration: f64) {
        *self = Self {
            rate: self.rate,
            increment,
            configuration,
            ..Self::new()
        };
    }

    /// Takes note of a new matrix, of which no rate is known.
    pub(crate) fn renew(&mut self) {
        (self.rate, self.is_of_this_step) = (1.0, true);
    }

    /// Takes the size of a correction, and says whether it is the last one.
    pub(crate) fn is_last(&mut self, correction: f64, relative: f64) -> bool {
        if self.last < f64::INFINITY {
            self.rate = f64::max(FALL * self.rate, correction / self.last);
        } else {
            self.first = correction;
        }
        self.last = correction;
        let tolerance = f64::max(relative * self.first, f64::EPSILON * self.increment);
        self.rate * correction <= (1.0 - self.rate) * tolerance
    }

    /// Whether the last correction is as small as rounding errors.
    fn is_rounding(&self) -> bool {
        self.last <= LAST_PLACES * self.increment
            || (self.last <= LAST_PLACES * self.configuration && self.last <= FALLEN * self.first)
    }

    /// Whether the matrix must be made again before the next correction.
    pub(crate) fn is_too_old(&self, history: &History, contraction: f64) -> bool {
        history.slower_than(contraction) && !self.is_rounding()
    }

    /// Whether residuals no longer fall because of rounding errors, with the last correction of the
    /// given size relative to the increment.
    pub(crate) fn stagnates(&self, history: &History, correction: f64) -> bool {
        if self.is_of_this_step {
            history.stagnates(correction)
        } else {
            history.slower_than(0.5) && self.is_rounding()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{History, Kept};

    /// Corrections that fall by 1e-5 and then by 0.1 are not believed to fall by 1e-5 again.
    #[test]
    fn a_fast_first_iteration_proves_nothing() {
        let mut kept = Kept::new();
        kept.renew();
        kept.begin(1.0, 0.0);
        assert!(!kept.is_last(1e-3, 1e-8));
        assert!(!kept.is_last(1e-4, 1e-8));
        // The next step: the rate was 0.3 at its end, and is not known of a new matrix.
        let is_last = |mut kept: Kept, correction, relative| kept.is_last(correction, relative);
        let mut renewed = kept;
        renewed.renew();
        kept.begin(1.0, 0.0);
        renewed.begin(1.0, 0.0);
        assert!(is_last(kept, 1e-3, 0.5) && !is_last(renewed, 1e-3, 0.5));
        assert!(!kept.is_last(1e-3, 1e-8));
        // It falls to 0.09 at most.
        assert!(is_last(kept, 1e-8, 1e-6) && !is_last(kept, 1e-8, 0.9e-6));
        assert!(!kept.is_last(1e-8, 1e-8));
        assert!(!kept.is_last(1e-9, 1e-8));
        assert!(!kept.is_last(1e-10, 1e-8));
        assert!(kept.is_last(9e-12, 1e-8));
    }

    /// What is left is `rate / (1 - rate)` of the last correction: with 1/2, as much as that.
    #[test]
    fn the_sum_of_all_corrections_to_come_decides() {
        let with = |relative: f64| {
            let mut kept = Kept::new();
            kept.begin(1.0, 0.0);
            assert!(!kept.is_last(1e-6, relative));
            kept.is_last(0.5e-6, relative)
        };
        assert!(with(0.51) && !with(0.49));
    }

    /// No correction at all is the last one; rounding errors of the increment are enough.
    #[test]
    fn nothing_is_left_of_zero() {
        let mut kept = Kept::new();
        kept.begin(0.0, 1.0);
        assert!(kept.is_last(0.0, 1e-8));
        let mut kept = Kept::new();
        kept.begin(1.0, 0.0);
        assert!(!kept.is_last(1e-12, 1e-8));
        assert!(kept.is_last(1e-16, 1e-8));
    }

    /// With the largest components of increment and configuration and two corrections: whether the
    /// matrix is too old if residuals do not fall, and whether this is all that can be reached.
    fn judged(sizes: (f64, f64), corrections: [f64; 2], is_of_this_step: bool) -> (bool, bool) {
        let mut kept = Kept::new();
        kept.begin(sizes.0, sizes.1);
        if is_of_this_step {
            kept.renew();
        }
        for correction in corrections {
            kept.is_last(correction, 1e-8);
        }
        let history = |residual: f64| {
            let mut history = History::new();
            history.note(1.0);
            history.note(residual);
            history
        };
        let falls = history(0.4);
        assert!(!kept.is_too_old(&falls, 0.5) && !kept.stagnates(&falls, 1e-9));
        let stays = history(0.9);
        (kept.is_too_old(&stays, 0.5), kept.stagnates(&stays, 1e-9))
    }

    /// Eight units in the last place are 1.8e-16 here.
    #[test]
    fn only_rounding_errors_may_stagnate() {
        let (too_old, rounding) = ((true, false), (false, true));
        assert_eq!(judged((0.1, 0.0), [1e-3, 1e-16], false), rounding);
        assert_eq!(judged((0.1, 0.0), [1e-3, 5e-16], false), too_old);
        // Those of the configuration hide others, unless corrections were much larger before.
        assert_eq!(judged((0.0, 0.1), [1e-3, 1e-16], false), rounding);
        assert_eq!(judged((0.0, 0.1), [1e-3, 5e-16], false), too_old);
        assert_eq!(judged((0.0, 0.1), [1e-13, 1e-16], false), too_old);
        // A matrix of this step is asked for the size of the correction alone.
        assert_eq!(judged((0.1, 0.0), [1e-3, 5e-16], true), (true, true));
    }
}
