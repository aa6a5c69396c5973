//! The rules that a model must obey, one function each.

mod body;
mod force;
mod linear;
mod matrix;
mod metric;
mod modal;
mod motion;
mod redundancy;

use crate::diag::Diagnostics;
use crate::lower::Read;
use crate::mechanics::Mechanics;
use crate::model::{Body, Model};
use crate::start::Start;

/// Rules about single components, of those that were read.
pub(crate) fn components(model: &Model, read: &Read, dx: &mut Diagnostics) {
    for (body, read) in model.bodies.iter().zip(&read.bodies) {
        if *read {
            self::body(model, body, &format!("`{}`", body.name), dx);
        }
    }
    for joint in &model.joints {
        force::length(model, joint, dx);
    }
    for force in &model.forces {
        force::coefficients(model, force, dx);
        modal::spring(model, force, dx);
    }
    body::connected(model, dx);
}

/// Rules about the numbers of a body, which errors call `name`.
pub(crate) fn body(model: &Model, body: &Body, name: &str, dx: &mut Diagnostics) {
    body::mass(model, body, name, dx);
    body::inertia(model, body, name, dx);
    body::center(body, dx);
}

/// What the checks found out about the motion.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mobility {
    /// Velocities minus constraint equations.
    pub(crate) grubler: isize,
    /// Velocities minus the rank of the constraints close to the start.
    pub(crate) degrees: usize,
    /// Constraints that repeat others.
    pub(crate) redundant: usize,
}

/// Rules about the start and the constraints as a whole; completes the start.
///
/// Gives nothing where a number is not known before the program runs.
pub(crate) fn motion(
    mechanics: &mut Mechanics<'_>,
    start: &mut Start,
    dx: &mut Diagnostics,
) -> Option<Mobility> {
    let (model, known) = (mechanics.model, dx.len());
    // What was reported already would divide by zero.
    let impossible = |joint| force::impossible_length(model, joint).is_some();
    if model.joints.iter().any(impossible) {
        return None;
    }
    force::finite(mechanics, dx);
    if dx.len() > known {
        return None;
    }
    let Some(point) = motion::start(mechanics, start, dx) else {
        if dx.len() == known {
            redundancy::for_all_constants(mechanics, start, dx);
        }
        return None;
    };
    force::at_start(mechanics, &point, dx);
    redundancy::constraints(mechanics, &point, dx)
}

#[cfg(test)]
mod tests;
