//! Consistent initial values.
//!
//! A solver starts from `(q, v)` with `Phi(t, q) = 0` and `B(q) v + dPhi/dt = 0`.
//! Values that violate them are an error, unless a projection is asked for: then
//! the nearest consistent values in the metric of the mass matrix are taken, and
//! how far they moved is reported. Values that fulfil them on a branch that is not meant are an error in
//! any case (`branch`).

pub(crate) mod branch;

use crate::error::SolveError;
use crate::state::State;
use crate::system::{Constrained, Scratch};

/// Residuals of the constraints at a state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Residuals {
    /// Largest component of `Phi`.
    pub position: f64,
    /// Its row.
    pub position_row: usize,
    /// Largest component of `B v + dPhi/dt`.
    pub velocity: f64,
    /// Its row.
    pub velocity_row: usize,
}

/// What a projection changed.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Projection {
    /// Group distance between the old and the new configuration.
    pub moved: f64,
    /// Euclidean norm of the change of the velocity.
    pub velocity_change: f64,
    /// Largest position residual before.
    pub position_residual: f64,
    /// Largest velocity residual before.
    pub velocity_residual: f64,
    /// Newton iterations for the position.
    pub iterations: usize,
}

/// What happens to initial values that violate the constraints.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub enum InitialValues {
    /// Residuals above this tolerance are an error.
    Check(f64),
    /// They are projected until the residuals are below this tolerance.
    Project(f64),
}

/// Residuals above this are inconsistent, unless said otherwise.
pub const DEFAULT_TOLERANCE: f64 = 1e-8;

/// Evaluates the residuals of both constraint levels.
///
/// # Errors
/// If the geometry cannot be evaluated.
pub fn residuals<S: Constrained>(system: &S, state: &State<S>) -> Result<Residuals, SolveError> {
    let mut geometry = system.new_geometry();
    let mut out = system.new_multiplier();
    let mut rate = system.new_multiplier();
    system
        .geometry(state.t, &state.q, &mut geometry)
        .map_err(|fault| fault.at(state.t, 0.0))?;
    system.constraint(state.t, &state.q, &geometry, &mut out);
    let (position_row, position) = largest(out.as_ref());
    system.jacobian_times(&geometry, &state.v, &mut out);
    system.constraint_rate(state.t, &geometry, &mut rate);
    for (x, rate) in out.as_mut().iter_mut().zip(rate.as_ref()) {
        *x += rate;
    }
    let (velocity_row, velocity) = largest(out.as_ref());
    Ok(Residuals {
        position,
        position_row,
        velocity,
        velocity_row,
    })
}

/// Index and magnitude of the largest component; NaN wins.
fn largest(x: &[f64]) -> (usize, f64) {
    let mut worst = (0, 0.0);
    for (i, x) in x.iter().enumerate() {
        if x.is_nan() || x.abs() > worst.1 {
            worst = (i, x.abs());
        }
    }
    worst
}

/// Fails with the residuals if the state violates a constraint by more than `tolerance`,
/// in position directly, in velocity relative to the speed of the system where that
/// is above one. Fails with the angles if a driven angle is half a turn away from its function, or
/// if axes that must coincide are opposite.
///
/// # Errors
/// [`SolveError::Inconsistent`], [`SolveError::HalfTurn`], [`SolveError::OppositeAxes`].
pub fn check<S: Constrained>(
    system: &S,
    state: &State<S>,
    tolerance: f64,
) -> Result<(), SolveError> {
    let found = residuals(system, state)?;
    let speed = largest(state.v.as_ref()).1.max(1.0);
    if found.position <= tolerance && found.velocity <= tolerance * speed {
        return system.check_branch(state);
    }
    let name = |row| system.constraint_name(row);
    Err(SolveError::Inconsistent {
        t: state.t,
        position: found.position,
        position_at: name(found.position_row),
        velocity: found.velocity,
        velocity_at: name(found.velocity_row),
        tolerance,
    })
}

/// Checks or projects, and reports the projection.
///
/// # Errors
/// Those of [`check`] and [`project`].
pub(crate) fn ensure<S: Constrained>(
    system: &S,
    state: &mut State<S>,
    initial_values: InitialValues,
) -> Result<Option<Projection>, SolveError> {
    if system.constraint_count() == 0 {
        return Ok(None);
    }
    match initial_values {
        InitialValues::Check(tolerance) => check(system, state, tolerance).map(|()| None),
        InitialValues::Project(tolerance) => project(system, state, tolerance).map(Some),
    }
}

/// Most Newton iterations of a projection.
const MAX_ITERATIONS: usize = 50;

/// Projects `(q, v)` to the constraints in the metric of the mass matrix:
/// `q <- q exp(-M^-1 B^T (B M^-1 B^T)^-1 Phi)` until `|Phi|` is below `tolerance`, then
/// `v <- v - M^-1 B^T (B M^-1 B^T)^-1 (B v + dPhi/dt)`.
///
/// # Errors
/// [`SolveError::ProjectionFailed`] if the position does not converge,
/// [`SolveError::HalfTurn`] or [`SolveError::OppositeAxes`] if it converges to the wrong branch, or the
/// evaluation error of the model.
pub fn project<S: Constrained>(
    system: &S,
    state: &mut State<S>,
    tolerance: f64,
) -> Result<Projection, SolveError> {
    let before = residuals(system, state)?;
    let start = state.q.clone();
    let t = state.t;
    let mut scratch = Scratch::new(system);
    let mut geometry = system.new_geometry();
    let mut multiplier = system.new_multiplier();
    let mut step = system.new_velocity();
    let mut moved = state.q.clone();
    let mut iterations = 0;
    let fault = |fault: crate::error::Fault| fault.at(t, 0.0);
    loop {
        system.geometry(t, &state.q, &mut geometry).map_err(fault)?;
        system.constraint(t, &state.q, &geometry, &mut multiplier);
        let residual = largest(multiplier.as_ref()).1;
        if residual <= tolerance {
            break;
        }
        if iterations == MAX_ITERATIONS || !residual.is_finite() {
            return Err(SolveError::ProjectionFailed {
                t,
                residual,
                iterations,
                tolerance,
            });
        }
        lift(system, &geometry, &mut multiplier, &mut step, &mut scratch).map_err(fault)?;
        system.displace(&state.q, &step, &mut moved);
        core::mem::swap(&mut state.q, &mut moved);
        iterations += 1;
    }
    system.jacobian_times(&geometry, &state.v, &mut multiplier);
    system.constraint_rate(t, &geometry, &mut scratch.multiplier);
    for (x, rate) in multiplier
        .as_mut()
        .iter_mut()
        .zip(scratch.multiplier.as_ref())
    {
        *x += rate;
    }
    lift(system, &geometry, &mut multiplier, &mut step, &mut scratch).map_err(fault)?;
    let mut change = 0.0;
    for (v, step) in state.v.as_mut().iter_mut().zip(step.as_ref()) {
        *v += step;
        change += step * step;
    }
    system.check_branch(state)?;
    Ok(Projection {
        moved: system.distance(&start, &state.q),
        velocity_change: change.sqrt(),
        position_residual: before.position,
        velocity_residual: before.velocity,
        iterations,
    })
}

/// `w <- w - M^-1 B^T (B M^-1 B^T)^-1 B w` at the configuration of a state.
pub(crate) fn remove_violation<S: Constrained>(
    system: &S,
    state: &State<S>,
    w: &mut S::Velocity,
) -> Result<(), crate::error::Fault> {
    let mut scratch = Scratch::new(system);
    let mut geometry = system.new_geometry();
    let (mut multiplier, mut step) = (system.new_multiplier(), system.new_velocity());
    system.geometry(state.t, &state.q, &mut geometry)?;
    system.jacobian_times(&geometry, w, &mut multiplier);
    lift(system, &geometry, &mut multiplier, &mut step, &mut scratch)?;
    for (w, step) in w.as_mut().iter_mut().zip(step.as_ref()) {
        *w += step;
    }
    Ok(())
}

/// `step = -M^-1 B^T (B M^-1 B^T)^-1 residual`, the smallest change that removes a residual.
fn lift<S: Constrained>(
    system: &S,
    geometry: &S::Geometry,
    residual: &mut S::Multiplier,
    step: &mut S::Velocity,
    scratch: &mut Scratch<S>,
) -> Result<(), crate::error::Fault> {
    system.schur_solve(geometry, geometry, residual, &mut scratch.workspace)?;
    scratch.force.as_mut().fill(0.0);
    system.explicit_acceleration(geometry, residual, step, scratch);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pendulum::Pendulum;

    /// A pendulum whose rod changes its length, at a start that violates both constraints.
    fn driven() -> (Pendulum, State<Pendulum>) {
        let mut system = Pendulum::new(0.2);
        system.drive = 0.5;
        let mut state = State::start(&system, 0.3);
        state.v = [1.0, 0.5];
        (system, state)
    }

    /// The derivative of `Phi` is `q v - 3 d sin 3t`.
    #[test]
    fn velocities_follow_the_drive() -> Result<(), SolveError> {
        let (system, mut state) = driven();
        let rate = |state: &State<Pendulum>| {
            let ([x, y], [u, v]) = (state.q, state.v);
            x * u + y * v - 1.5 * f64::sin(0.9)
        };
        let before = rate(&state).abs();
        assert!((residuals(&system, &state)?.velocity - before).abs() < 1e-15);
        let projection = project(&system, &mut state, 1e-14)?;
        assert!((projection.velocity_residual - before).abs() < 1e-15);
        assert!(rate(&state).abs() < 1e-14, "{}", rate(&state));
        Ok(())
    }

    /// Residuals that are not finite end a projection at once, too many iterations at their limit.
    #[test]
    fn projections_end() {
        let failed = |state: &mut State<Pendulum>, tolerance: f64| match project(
            &driven().0,
            state,
            tolerance,
        ) {
            Err(SolveError::ProjectionFailed { iterations, .. }) => Some(iterations),
            _ => None,
        };
        assert_eq!(failed(&mut driven().1, -1.0), Some(MAX_ITERATIONS));
        let mut state = driven().1;
        state.q = [f64::NAN; 2];
        assert_eq!(failed(&mut state, 1e-8), Some(0));
    }

    /// What is along the rod is removed, what is across it stays.
    #[test]
    fn the_violation_is_removed() -> Result<(), crate::error::Fault> {
        let (system, mut state) = driven();
        state.q = [0.6, -0.8];
        let mut w = [0.6 * 2.0 + 0.8 * 3.0, -0.8 * 2.0 + 0.6 * 3.0];
        remove_violation(&system, &state, &mut w)?;
        assert!((w[0] - 2.4).abs() + (w[1] - 1.8).abs() < 1e-14, "{w:?}");
        Ok(())
    }

    #[test]
    fn the_first_of_equal_components_is_named() {
        assert_eq!(largest(&[1.0, -2.0, 2.0]), (1, 2.0));
        assert_eq!(largest(&[0.0, 0.0]), (0, 0.0));
    }
}
