//! Models with numbers that are chosen at run time: what their constructors check.

use crate::chain::InvalidTree;
use crate::consistency::{self, DEFAULT_TOLERANCE, Projection};
use crate::error::SolveError;
use crate::generic::description::Description;
use crate::lie::{GroupKind, Space};
use crate::state::State;
use crate::system::System;
use crate::view::BodyView;
use nalgebra::{DMatrix, DVector};

/// Why a model cannot have these parameters.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum InvalidParameters {
    /// A value outside of its range.
    #[error("parameter `{name}` is {value}, but must be {}", range_in_words(*.min, *.max, *.above_min))]
    OutOfRange {
        /// Name of the parameter.
        name: &'static str,
        /// Its value.
        value: f64,
        /// Smallest value.
        min: f64,
        /// Largest value.
        max: f64,
        /// Whether the smallest value itself is excluded.
        above_min: bool,
    },
    /// A count below its smallest value.
    #[error("`{name}` is {value}, but must be at least {min}")]
    Count {
        /// Name of the count.
        name: &'static str,
        /// Its value.
        value: usize,
        /// Smallest value.
        min: usize,
    },
    /// Parts of a model with arrays that do not fit, or numbers that they cannot have.
    #[error(transparent)]
    Structure(#[from] InvalidTree),
    /// The start does not fulfil the joints.
    #[error("these parameters give a start that does not fit: {0}")]
    Start(#[source] SolveError),
}

fn range_in_words(min: f64, max: f64, above_min: bool) -> String {
    let low = if above_min { "above" } else { "at least" };
    match (min == f64::NEG_INFINITY, max == f64::INFINITY) {
        (true, true) => "a finite number".to_owned(),
        (false, true) => format!("finite and {low} {min}"),
        (true, false) => format!("finite and at most {max}"),
        (false, false) => format!("{low} {min} and at most {max}"),
    }
}

/// Checks that a value is finite and in its range.
///
/// # Errors
/// [`InvalidParameters::OutOfRange`].
pub fn check_parameter(
    name: &'static str,
    value: f64,
    min: f64,
    max: f64,
    above_min: bool,
) -> Result<(), InvalidParameters> {
    let above = if above_min { value > min } else { value >= min };
    if above && value <= max && value.is_finite() {
        return Ok(());
    }
    Err(InvalidParameters::OutOfRange {
        name,
        value,
        min,
        max,
        above_min,
    })
}

/// The count of an array as an integer, if it is not too small.
///
/// # Errors
/// [`InvalidParameters::Count`].
pub fn check_count(name: &'static str, value: usize, min: usize) -> Result<i64, InvalidParameters> {
    match i64::try_from(value) {
        Ok(count) if value >= min => Ok(count),
        _ => Err(InvalidParameters::Count { name, value, min }),
    }
}

/// Checks that the start of a system fulfils its joints.
///
/// # Errors
/// [`InvalidParameters::Start`].
pub fn check_start<S: System>(system: &S) -> Result<(), InvalidParameters> {
    let state = State::start(system, 0.0);
    consistency::check(system, &state, DEFAULT_TOLERANCE).map_err(InvalidParameters::Start)
}

/// Completes a start: closes the loops if asked to, finds the shortest undeclared velocities that
/// fulfil the joints, and checks the result.
///
/// # Errors
/// [`InvalidParameters::Start`] if declared values violate a joint.
pub fn finish_start<S: System>(
    system: &S,
    q: &mut S::Config,
    v: &mut S::Velocity,
    declared: &[bool],
    assemble: bool,
) -> Result<Option<Projection>, InvalidParameters> {
    let mut state = State::start(system, 0.0);
    state.q.as_mut().copy_from_slice(q.as_ref());
    state.v.as_mut().fill(0.0);
    let mut moved = None;
    if assemble {
        let residual = consistency::residuals(system, &state).map_err(InvalidParameters::Start)?;
        if residual.position > DEFAULT_TOLERANCE {
            let projection = consistency::project(system, &mut state, 1e-12)
                .map_err(InvalidParameters::Start)?;
            moved = Some(projection);
            q.as_mut().copy_from_slice(state.q.as_ref());
        }
    }
    state.v.as_mut().copy_from_slice(v.as_ref());
    if declared.contains(&false) && system.constraint_count() > 0 {
        complete_velocity(system, &mut state, declared)?;
        v.as_mut().copy_from_slice(state.v.as_ref());
    }
    consistency::check(system, &state, DEFAULT_TOLERANCE).map_err(InvalidParameters::Start)?;
    Ok(moved)
}

/// The shortest change of the undeclared velocities with `B v + dPhi/dt = 0`.
fn complete_velocity<S: System>(
    system: &S,
    state: &mut State<S>,
    declared: &[bool],
) -> Result<(), InvalidParameters> {
    let mut geometry = system.new_geometry();
    system
        .geometry(state.t, &state.q, &mut geometry)
        .map_err(|fault| InvalidParameters::Start(fault.at(state.t, 0.0)))?;
    let (rows, columns) = (system.constraint_count(), declared.len());
    let mut jacobian = DMatrix::zeros(rows, columns);
    let (mut unit, mut column) = (system.new_velocity(), system.new_multiplier());
    for (i, declared) in declared.iter().enumerate() {
        if *declared {
            continue;
        }
        unit.as_mut()[i] = 1.0;
        system.jacobian_times(&geometry, &unit, &mut column);
        unit.as_mut()[i] = 0.0;
        jacobian.column_mut(i).copy_from_slice(column.as_ref());
    }
    let mut rate = system.new_multiplier();
    system.jacobian_times(&geometry, &state.v, &mut column);
    system.constraint_rate(state.t, &geometry, &mut rate);
    let right = DVector::from_fn(rows, |i, _| -column.as_ref()[i] - rate.as_ref()[i]);
    let change = jacobian.svd(true, true).solve(&right, 1e-9);
    for (v, change) in state.v.as_mut().iter_mut().zip(change.iter().flatten()) {
        *v += change;
    }
    Ok(())
}

/// Writes a start in the coordinates of the groups into a description.
pub fn set_start(description: &mut Description, q: &[f64], v: &[f64]) {
    let space = Space::new(description.bodies.iter().map(|body| body.group));
    for (body, factor) in description.bodies.iter_mut().zip(space.factors()) {
        let (q, v) = (&q[factor.config.clone()], &v[factor.velocity.clone()]);
        let start = &mut body.start;
        if let GroupKind::Rn(_) = body.group {
            start.position = q.to_vec();
            start.velocity = v.to_vec();
            continue;
        }
        let mut origin = [0.0; 3];
        for (x, place) in origin.iter_mut().zip(&start.position) {
            *x = *place;
        }
        let view = BodyView::new(body.group, q, v, origin);
        start.position = view.position().to_vec();
        start.rotation = view.rotation();
        start.velocity = view.velocity().to_vec();
        start.angular_velocity = view.angular_velocity();
    }
}
