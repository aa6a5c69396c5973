//! Models with numbers that are chosen at run time: what their constructors check.

use crate::chain::InvalidTree;
use crate::consistency::{self, DEFAULT_TOLERANCE, Projection};
use crate::error::{Fault, SolveError};
use crate::generic::description::Description;
use crate::generic::{self, InvalidDescription};
use crate::lie::{GroupKind, Space};
use crate::state::State;
use crate::system::System;
use crate::view::BodyView;
use nalgebra::{DMatrix, DVector, Matrix3};

/// Larger counts would overflow indices.
const LARGEST_COUNT: i64 = 1 << 30;

/// Why a model cannot have these parameters.
#[derive(Clone, PartialEq, thiserror::Error)]
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
    /// A count below its smallest value, or beyond what can be indexed.
    #[error("`{name}` is {value}, but must be at least {min} and at most {LARGEST_COUNT}")]
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
    /// A number that a body, a joint or a force cannot have.
    #[error(transparent)]
    Number(#[from] InvalidDescription),
    /// Principal inertias that no body has: the largest exceeds the sum of the others.
    #[error(
        "no body has the principal inertias {}, {}, {} of `{body}`: the largest exceeds the sum of \
         the others; `inertia_unchecked` in the model allows it", .moments[0], .moments[1], .moments[2]
    )]
    Inertia {
        /// Name of the body.
        body: &'static str,
        /// Ascending.
        moments: [f64; 3],
    },
    /// The start does not fulfil the joints.
    #[error("these parameters give a start that does not fit: {}", misfit(.0))]
    Start(#[source] SolveError),
    /// At the start, constraints repeat each other.
    #[error("{0}: remove a joint, hold less with it, or allow it with `redundant = \"allow\"`")]
    Redundant(#[source] Fault),
}

/// What is wrong with a start, and what to do about it where there is no run yet.
fn misfit(error: &SolveError) -> String {
    let SolveError::Inconsistent {
        position,
        position_at,
        velocity,
        velocity_at,
        tolerance,
        ..
    } = error
    else {
        return error.to_string();
    };
    format!(
        "|Phi| = {position:.3e} at {position_at}, |B v + dPhi/dt| = {velocity:.3e} at {velocity_at} \
         (tolerance {tolerance:.1e}); correct it, or leave out positions and velocities that follow \
         from the joints"
    )
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
        Ok(count) if value >= min && count <= LARGEST_COUNT => Ok(count),
        _ => Err(InvalidParameters::Count { name, value, min }),
    }
}

/// Checks the numbers of a generated model.
///
/// # Errors
/// [`InvalidParameters::Number`] with the name and the number.
pub fn check_numbers(description: &Description) -> Result<(), InvalidParameters> {
    Ok(generic::check_values(description)?)
}

/// Checks that the springs of a generated model have a direction at the start.
///
/// # Errors
/// [`InvalidParameters::Number`] with the name of the spring.
pub fn check_springs(description: &Description) -> Result<(), InvalidParameters> {
    Ok(generic::check_springs(description)?)
}

/// Checks that a body can have an inertia, which is symmetric and positive.
///
/// # Errors
/// [`InvalidParameters::Inertia`].
pub fn check_inertia(body: &'static str, inertia: [[f64; 3]; 3]) -> Result<(), InvalidParameters> {
    let moments = Matrix3::from_fn(|i, j| inertia[i][j]).symmetric_eigenvalues();
    let mut moments: [f64; 3] = moments.into();
    moments.sort_by(f64::total_cmp);
    let [a, b, c] = moments;
    // The same as when the macro runs.
    if a + b < c * (1.0 - 1e-9) {
        return Err(InvalidParameters::Inertia { body, moments });
    }
    Ok(())
}

/// Checks that the start of a system fulfils its joints.
///
/// # Errors
/// [`InvalidParameters::Start`].
pub fn check_start<S: System>(system: &S) -> Result<(), InvalidParameters> {
    let state = State::start(system, 0.0);
    consistency::check(system, &state, DEFAULT_TOLERANCE).map_err(InvalidParameters::Start)
}

/// Checks that no constraint repeats others at the start of a system.
///
/// # Errors
/// [`InvalidParameters::Redundant`] with the joint and the numbers.
pub fn check_constraints<S: System>(system: &S) -> Result<(), InvalidParameters> {
    let mut geometry = system.new_geometry();
    let (mut right, mut workspace) = (system.new_multiplier(), system.new_workspace());
    system
        .geometry(0.0, &system.start_config(), &mut geometry)
        .map_err(|fault| InvalidParameters::Start(fault.at(0.0, 0.0)))?;
    system
        .schur_solve(&geometry, &geometry, &mut right, &mut workspace)
        .map_err(InvalidParameters::Redundant)
}

/// What assembly changed when the macro closed the loops of a declared start.
///
/// # Panics
/// If the joints cannot be evaluated there: then the macro could not, either.
pub fn assembled<S: System>(system: &S, declared: &S::Config, iterations: usize) -> Projection {
    let mut state = State::start(system, 0.0);
    let moved = system.space().distance(declared.as_ref(), state.q.as_ref());
    state.q.as_mut().copy_from_slice(declared.as_ref());
    state.v.as_mut().fill(0.0);
    let before = consistency::residuals(system, &state).expect("a start that was evaluated");
    Projection {
        moved,
        velocity_change: 0.0,
        position_residual: before.position,
        velocity_residual: before.velocity,
        iterations,
    }
}

/// Completes a start: closes the loops if asked to, finds the velocities that are not declared (see
/// `complete_velocity`), and checks the result.
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
    state.v.as_mut().copy_from_slice(v.as_ref());
    let mut moved = None;
    if assemble {
        moved = close_loops(system, &mut state).map_err(InvalidParameters::Start)?;
        q.as_mut().copy_from_slice(state.q.as_ref());
    }
    if declared.contains(&false) && system.constraint_count() > 0 {
        complete_velocity(system, &mut state, declared)?;
        v.as_mut().copy_from_slice(state.v.as_ref());
    }
    consistency::check(system, &state, DEFAULT_TOLERANCE).map_err(InvalidParameters::Start)?;
    Ok(moved)
}

/// Moves a configuration into the constraints, if it is not there; the velocity stays.
///
/// # Errors
/// Those of [`consistency::project`].
pub(crate) fn close_loops<S: System>(
    system: &S,
    state: &mut State<S>,
) -> Result<Option<Projection>, SolveError> {
    if consistency::residuals(system, state)?.position <= DEFAULT_TOLERANCE {
        return Ok(None);
    }
    let v = state.v.clone();
    state.v.as_mut().fill(0.0);
    let moved = consistency::project(system, state, 1e-12);
    state.v = v;
    moved.map(Some)
}

/// The change of least kinetic energy of the undeclared velocities with `B v + dPhi/dt = 0`. (Rods are in
/// systems that are assembled at run time, which have a `follow` of their own.)
fn complete_velocity<S: System>(
    system: &S,
    state: &mut State<S>,
    declared: &[bool],
) -> Result<(), InvalidParameters> {
    let mut geometry = system.new_geometry();
    system
        .geometry(state.t, &state.q, &mut geometry)
        .map_err(|fault| InvalidParameters::Start(fault.at(state.t, 0.0)))?;
    let mut rate = system.new_multiplier();
    let mut residual = system.new_multiplier();
    system.jacobian_times(&geometry, &state.v, &mut residual);
    system.constraint_rate(state.t, &geometry, &mut rate);
    for (x, rate) in residual.as_mut().iter_mut().zip(rate.as_ref()) {
        *x = -*x - rate;
    }
    let free: Vec<usize> = (0..declared.len()).filter(|i| !declared[*i]).collect();
    let lengths = row_lengths(system, &geometry);
    let change = lightest(system, &geometry, (residual.as_ref(), &lengths), &free);
    for (i, change) in free.into_iter().zip(&change) {
        state.v.as_mut()[i] += change;
    }
    Ok(())
}

/// `sqrt(b M^-1 b^T)` of the rows `b` of `B`.
fn row_lengths<S: System>(system: &S, geometry: &S::Geometry) -> Vec<f64> {
    let (mut push, mut motion) = (system.new_velocity(), system.new_velocity());
    let mut unit = system.new_multiplier();
    let length = |row| {
        unit.as_mut()[row] = 1.0;
        system.jacobian_transpose_times(geometry, &unit, &mut push);
        unit.as_mut()[row] = 0.0;
        system.mass_solve(&push, &mut motion);
        let parts = push.as_ref().iter().zip(motion.as_ref());
        parts.map(|(x, y)| x * y).sum::<f64>().sqrt()
    };
    (0..system.constraint_count()).map(length).collect()
}

/// Rows of this part of their length are rounding errors: they hold declared velocities alone.
const NOTHING: f64 = 1e-9;

/// The `w` of least kinetic energy with `B w = r` that has the components `free` alone. With
/// `M = L L^T` and `w = L^-T x`, `x` is the shortest solution of `B L^-T x = r`, whose rows
/// are made equally long. `lengths` are those with all components.
fn lightest<S: System>(
    system: &S,
    geometry: &S::Geometry,
    (right, lengths): (&[f64], &[f64]),
    free: &[usize],
) -> DVector<f64> {
    let n = free.len();
    let (mut mass, mut rows) = (DMatrix::zeros(n, n), DMatrix::zeros(n, right.len()));
    let mut unit = system.new_velocity();
    let (mut inertia, mut column) = (system.new_velocity(), system.new_multiplier());
    for (j, place) in free.iter().enumerate() {
        unit.as_mut()[*place] = 1.0;
        system.mass_times(&unit, &mut inertia);
        system.jacobian_times(geometry, &unit, &mut column);
        unit.as_mut()[*place] = 0.0;
        for (i, place) in free.iter().enumerate() {
            mass[(i, j)] = inertia.as_ref()[*place];
        }
        for (i, entry) in column.as_ref().iter().enumerate() {
            rows[(j, i)] = *entry;
        }
    }
    let nothing = DVector::zeros(n);
    let Some(factor) = mass.cholesky().map(|cholesky| cholesky.l()) else {
        return nothing;
    };
    if !factor.solve_lower_triangular_mut(&mut rows) {
        return nothing;
    }
    let mut right = DVector::from_column_slice(right);
    for ((mut row, right), whole) in rows.column_iter_mut().zip(&mut right).zip(lengths) {
        let length = row.norm();
        if length > NOTHING * whole {
            row /= length;
            *right /= length;
        } else {
            row.fill(0.0);
        }
    }
    let shortest = rows.transpose().svd(true, true).solve(&right, 1e-9);
    let change = shortest
        .ok()
        .and_then(|x| factor.tr_solve_lower_triangular(&x));
    change.unwrap_or(nothing)
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
