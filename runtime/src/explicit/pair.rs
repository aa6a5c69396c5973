//! Errors of steps, from the difference of a pair of methods.

use crate::control::Controller;
use crate::error::SolveError;

/// What a local error is compared with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Tolerance {
    /// Every component with `absolute + relative |y|`, in the root mean square.
    Scaled {
        /// For components near zero.
        absolute: f64,
        /// Part of a component.
        relative: f64,
    },
    /// The Euclidean norm with one number.
    Norm(f64),
}

impl Tolerance {
    /// Absolute and relative part.
    pub(crate) fn parts(self) -> (f64, f64) {
        match self {
            Self::Scaled { absolute, relative } => (absolute, relative),
            Self::Norm(tolerance) => (tolerance, 0.0),
        }
    }

    pub(crate) fn check(self, error_order: u32, controller: &Controller) -> Result<(), SolveError> {
        let (absolute, relative) = self.parts();
        let mut positive = vec![("absolute tolerance", absolute)];
        if let Self::Scaled { .. } = self {
            positive.push(("relative tolerance", relative));
        }
        for (option, value) in positive {
            if !(value > 0.0 && value.is_finite()) {
                return Err(SolveError::InvalidOption {
                    option,
                    value,
                    expected: "a positive finite number",
                });
            }
        }
        if error_order == 0 {
            return Err(SolveError::InvalidOption {
                option: "absolute tolerance",
                value: absolute,
                expected: "a method with an embedded one, which this method has not",
            });
        }
        controller.check()
    }
}

/// The size of an error, component by component.
pub(crate) struct ErrorNorm {
    tolerance: Tolerance,
    squares: f64,
    count: f64,
}

impl ErrorNorm {
    pub(crate) fn new(tolerance: Tolerance) -> Self {
        Self {
            tolerance,
            squares: 0.0,
            count: 0.0,
        }
    }

    /// Includes the error of a component of that size.
    #[inline]
    pub(crate) fn include(&mut self, error: f64, size: f64) {
        let scale = match self.tolerance {
            Tolerance::Scaled { absolute, relative } => absolute + relative * size.abs(),
            Tolerance::Norm(tolerance) => tolerance,
        };
        self.squares += (error / scale).powi(2);
        self.count += 1.0;
    }

    pub(crate) fn value(&self) -> f64 {
        match self.tolerance {
            Tolerance::Scaled { .. } => (self.squares / f64::max(self.count, 1.0)).sqrt(),
            Tolerance::Norm(_) => self.squares.sqrt(),
        }
    }
}
