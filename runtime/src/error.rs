//! Typed errors with the numbers in them.

/// Why a system could not be evaluated or solved at a point.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
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
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
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
    /// A step so small that it does not change the time.
    #[error("step size {h:.3e} at t = {t}: the time does not change within rounding errors")]
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
