//! Typed errors with the numbers in them.
//!
//! `Debug` of every error is its `Display`: that is what `fn main` prints if it returns an error.

#[cfg(test)]
mod tests;

macro_rules! debug_is_display {
    ($($error:ty),+ $(,)?) => {$(
        impl core::fmt::Debug for $error {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                core::fmt::Display::fmt(self, f)
            }
        }
    )+};
}

debug_is_display!(
    Fault,
    SolveError,
    crate::chain::InvalidTree,
    crate::generic::InvalidDescription,
    crate::linear::Singular,
    crate::least_norm::NotFinite,
    crate::lie::UnknownGroup,
    crate::parameters::InvalidParameters,
);

use crate::schedule::smallest_step;

/// Why a system could not be evaluated or solved at a point.
#[derive(Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// The constraint equations are linearly dependent at this configuration.
    #[error(
        "the constraints are linearly dependent at {constraint}: pivot {pivot:.3e} of scale {scale:.3e}"
    )]
    SingularConstraints {
        /// Joint and direction where the elimination broke down.
        constraint: String,
        /// The pivot that was found.
        pivot: f64,
        /// The size of the entries that it should be compared with.
        scale: f64,
    },
    /// The Newton matrix is singular.
    #[error("the Newton matrix is singular at {unknown}: pivot {pivot:.3e} of scale {scale:.3e}")]
    SingularNewton {
        /// Body component, or joint and direction, where the elimination broke down.
        unknown: String,
        /// The pivot that was found.
        pivot: f64,
        /// The size of the entries that it should be compared with.
        scale: f64,
    },
    /// A rod element turned so far that its strain is not unique.
    #[error(
        "{} is turned by {angle:.3} rad at t = {t}: its strain is defined below half a turn; use \
         smaller steps, more elements where the rod bends so far, and, if it fails at the start, velocities \
         of its nodes without a jump between them",
        piece(.rod, *.element)
    )]
    RelativeRotation {
        /// The rod.
        rod: String,
        /// Its element, from 0; nothing if it is one element.
        element: Option<usize>,
        /// Angle between the cross sections of the two nodes.
        angle: f64,
        /// When it was found.
        t: f64,
    },
    /// A number that must be finite is not.
    #[error("{quantity} is not finite")]
    NotFinite {
        /// What was evaluated.
        quantity: String,
    },
    /// A number has left the range where the model makes sense.
    #[error("{quantity} is {value}: it must be {expected}")]
    OutOfRange {
        /// What was evaluated.
        quantity: String,
        /// Its value.
        value: f64,
        /// What is allowed.
        expected: &'static str,
    },
}

/// Why a solver stopped.
#[derive(Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SolveError {
    /// A step size that is zero, negative or NaN.
    #[error("step size {h} at t = {t}: it must be positive and finite")]
    InvalidStep {
        /// Time at which the step was asked for.
        t: f64,
        /// The step size.
        h: f64,
    },
    /// The end of the time span is before its start, or one of them is not finite.
    #[error(
        "time span from {start} to {end}: the end must not be before the start, and both must be finite"
    )]
    InvalidSpan {
        /// Start of the span.
        start: f64,
        /// End of the span.
        end: f64,
    },
    /// An option outside its range.
    #[error("{option} = {value}: expected {expected}")]
    InvalidOption {
        /// Name of the option.
        option: &'static str,
        /// The value given.
        value: f64,
        /// What is allowed.
        expected: &'static str,
    },
    /// A state of another system.
    #[error("{quantity} of the initial state has {found} components instead of {expected}")]
    WrongLength {
        /// Which part of the state.
        quantity: &'static str,
        /// Its length.
        found: usize,
        /// The length that the system needs.
        expected: usize,
    },
    /// Initial values that violate the constraints.
    #[error(
        "initial values at t = {t} violate the constraints: |Phi| = {position:.3e} at {position_at}, \
         |B v + dPhi/dt| = {velocity:.3e} at {velocity_at} (tolerance {tolerance:.1e}); \
         correct them or ask for a projection"
    )]
    Inconsistent {
        /// Time of the initial values.
        t: f64,
        /// Largest position residual.
        position: f64,
        /// Its joint and direction.
        position_at: String,
        /// Largest velocity residual.
        velocity: f64,
        /// Its joint and direction.
        velocity_at: String,
        /// What would have been accepted.
        tolerance: f64,
    },
    /// A driven angle that is half a turn away from its function, where `sin(angle - f)` vanishes, too.
    #[error(
        "at t = {t} the angle of joint `{joint}` is {angle:.6} rad, half a turn away from its driver, \
         which prescribes {target:.6} rad: start at that angle, or add or subtract pi in the formula of \
         the driver"
    )]
    HalfTurn {
        /// Time of the state.
        t: f64,
        /// Name of the driver.
        joint: String,
        /// Angle in the state.
        angle: f64,
        /// What the driver prescribes.
        target: f64,
    },
    /// A joint whose z axes are opposite and coincide at the start of the system, or the reverse.
    #[error(
        "at t = {t} the z axes of joint `{joint}` {} (z_a . z_b = {cosine:.6}), and at the start of the \
         system they {} ({at_start:.6}): no motion leads there, so turn one of the bodies by half a turn, \
         or describe the system with such a start",
        direction(*.cosine), direction(*.at_start)
    )]
    OppositeAxes {
        /// Time of the state.
        t: f64,
        /// Name of the joint.
        joint: String,
        /// `z_a . z_b` in the state.
        cosine: f64,
        /// `z_a . z_b` at the start of the system.
        at_start: f64,
    },
    /// The projection to the constraints did not converge.
    #[error(
        "projection to the constraints at t = {t}: |Phi| = {residual:.3e} after {iterations} iterations (tolerance {tolerance:.1e})"
    )]
    ProjectionFailed {
        /// Time of the projection.
        t: f64,
        /// Position residual that is left.
        residual: f64,
        /// Iterations done.
        iterations: usize,
        /// What was asked for.
        tolerance: f64,
    },
    /// Newton's method did not converge.
    #[error(
        "Newton's method at t = {t}, h = {h:.3e}: residuals {} after {iterations} iterations, needed {tolerance:.2e}",
        list(.residuals)
    )]
    NewtonFailed {
        /// Start of the step.
        t: f64,
        /// Step size.
        h: f64,
        /// Iterations done.
        iterations: usize,
        /// Scaled residual norm before each iteration and after the last.
        residuals: Vec<f64>,
        /// What was asked for.
        tolerance: f64,
    },
    /// The step size fell below its limit.
    #[error(
        "step size {h:.3e} at t = {t} is below its limit {h_min:.3e}; the last step was rejected because {reason}"
    )]
    StepTooSmall {
        /// Time that was reached.
        t: f64,
        /// Step size that would be needed.
        h: f64,
        /// The limit.
        h_min: f64,
        /// Why the last step was rejected.
        reason: String,
    },
    /// A step so small that the numbers near this time cannot resolve it.
    #[error(
        "step size {h:.3e} at t = {t}: numbers there are up to {:.1e} apart, so the time would not \
         advance by it; take steps of at least {:.1e}, or let the time of the model begin near zero",
        f64::EPSILON * .t.abs(), smallest_step(*.t)
    )]
    NoProgress {
        /// Time that was reached.
        t: f64,
        /// Step size.
        h: f64,
    },
    /// The limit on the number of steps was reached.
    #[error("{limit} steps were not enough: t = {t} of {end} was reached with h = {h:.3e}")]
    TooManySteps {
        /// Time that was reached.
        t: f64,
        /// End of the span.
        end: f64,
        /// Last step size.
        h: f64,
        /// The limit.
        limit: u64,
    },
    /// The limit on rejections of one step was reached.
    #[error(
        "the step at t = {t} was rejected {limit} times, last with h = {h:.3e} because {reason}"
    )]
    TooManyRejections {
        /// Time that was reached.
        t: f64,
        /// Last step size.
        h: f64,
        /// The limit.
        limit: u32,
        /// Why the last step was rejected.
        reason: String,
    },
    /// The start is no point of the space in which the system moves.
    #[error("the start is not a point of its space: {condition} is {defect:.3e} and should be 0")]
    NotAPoint {
        /// What it misses.
        condition: String,
        /// By how much.
        defect: f64,
    },
    /// A position where the constraints become linearly dependent, and the motion cannot be
    /// followed through it.
    #[error(
        "the mechanism comes to a singular position at t = {t:.6}: there {constraint} depends on the \
         other constraints (relative pivot {pivot:.1e} beside it), and other motions branch off. It \
         was not passed: {reason}. Take smaller steps or tolerances, end the run before it, or \
         change the mechanism so that it keeps away from there"
    )]
    SingularPosition {
        /// When it would be passed.
        t: f64,
        /// Joint and direction of the constraint that depends on the others.
        constraint: String,
        /// The smallest relative pivot that was met.
        pivot: f64,
        /// Why it was not passed.
        reason: String,
    },
    /// NaN or infinity in the state.
    #[error(
        "{quantity} component {component} is NaN or infinite after the step from t = {t} with h = {h:.3e}"
    )]
    NotFinite {
        /// Start of the step.
        t: f64,
        /// Step size.
        h: f64,
        /// Which part of the state.
        quantity: &'static str,
        /// Which component of it.
        component: usize,
    },
    /// The steps amplify errors.
    #[error(
        "the steps are unstable: velocities grew from {from:.2e} to {to:.2e} in the {steps} steps before \
         t = {t}, and then {reason}. Take smaller steps; if the model is stiff, take \
         `stabilized_index2`, which damps instead"
    )]
    Unstable {
        /// Time that was reached.
        t: f64,
        /// Largest velocity some steps before.
        from: f64,
        /// Largest velocity that was reached.
        to: f64,
        /// How many steps before.
        steps: u64,
        /// What went wrong in the end.
        reason: String,
    },
    /// A force is NaN or infinite.
    #[error("{force} is not finite near t = {t}")]
    ForceNotFinite {
        /// A time at which it is not.
        t: f64,
        /// Its name.
        force: String,
    },
    /// The model could not be evaluated or solved.
    #[error("at t = {t}, h = {h:.3e}: {fault}")]
    Evaluation {
        /// Start of the step.
        t: f64,
        /// Step size, zero outside of steps.
        h: f64,
        /// What went wrong.
        fault: Fault,
    },
}

/// An element of a rod.
fn piece(rod: &str, element: Option<usize>) -> String {
    element.map_or_else(
        || format!("rod element `{rod}`"),
        |element| format!("element {element} of rod `{rod}`"),
    )
}

/// How two axes are to each other.
fn direction(cosine: f64) -> &'static str {
    if cosine < 0.0 {
        "are opposite"
    } else {
        "coincide"
    }
}

/// Numbers in three digits each.
fn list(numbers: &[f64]) -> String {
    let numbers: Vec<_> = numbers.iter().map(|x| format!("{x:.2e}")).collect();
    numbers.join(", ")
}

impl Fault {
    /// Adds time and step size.
    #[cold]
    pub(crate) fn at(self, t: f64, h: f64) -> SolveError {
        SolveError::Evaluation { t, h, fault: self }
    }
}
