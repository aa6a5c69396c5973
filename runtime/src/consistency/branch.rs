//! Constraints that hold on two branches, of which a system means one.
//!
//! | constraint            | vanishes where              | meant                                     |
//! |-----------------------|-----------------------------|-------------------------------------------|
//! | driven angle          | `sin(angle - f) = 0`        | `angle = f`: `cos(angle - f) > 0`         |
//! | axes held on one line | `z_a` and `z_b` are parallel | the sign of `z_a . z_b` that the start has |
//!
//! No continuous motion leads from one branch to the other, so a state is asked once, at the start of a
//! run. On the wrong branch residuals vanish, too, but the effort of the driver has the other sign. The
//! sign of `z_a . z_b` says about which axis an angle turns; generated code, whose axes coincide at
//! the start, relies on it in joints whose angle a force reads.

use crate::error::SolveError;
use crate::generic::description::{JointKind, Motion};
use crate::joints::{JointFrame, JointView};
use crate::state::State;
use crate::system::System;

/// Axes at a larger angle are not parallel, so that a start does not decide what is meant.
const PARALLEL: f64 = 1e-6;

/// Fails if a state fulfils a constraint on the branch that is not meant.
///
/// # Errors
/// [`SolveError::HalfTurn`], [`SolveError::OppositeAxes`].
pub(super) fn check<S: System>(system: &S, state: &State<S>) -> Result<(), SolveError> {
    for frame in system.joints() {
        if let JointKind::Driver {
            motion: Motion::Angle,
            value,
        } = &frame.kind
            && let Some(target) = value.at_time(state.t)
            && let Some(angle) = JointView::of(system, state, frame).angle()
            && (angle - target).cos() < 0.0
        {
            return Err(SolveError::HalfTurn {
                t: state.t,
                joint: frame.name.clone(),
                angle,
                target,
            });
        }
    }
    check_axes(system, state)
}

fn check_axes<S: System>(system: &S, state: &State<S>) -> Result<(), SolveError> {
    let read = |frame: &&JointFrame| frame.angle.is_some() && frame.kind.has_angle();
    let mut frames = system.joints().iter().filter(read).peekable();
    if frames.peek().is_none() {
        return Ok(());
    }
    let start = State::start(system, state.t);
    for frame in frames {
        let at_start = JointView::of(system, &start, frame).cosine_of_axes();
        let cosine = JointView::of(system, state, frame).cosine_of_axes();
        let decided = 1.0 - at_start.abs() < 0.5 * PARALLEL * PARALLEL;
        if decided && cosine * at_start < 0.0 {
            return Err(SolveError::OppositeAxes {
                t: state.t,
                joint: frame.name.clone(),
                cosine,
                at_start,
            });
        }
    }
    Ok(())
}
