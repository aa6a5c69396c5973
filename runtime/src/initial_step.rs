//! The first step size of an adaptive run.
//!
//! Compares the sizes of `y = (theta, v)`, `y'` and `y''` at the start, each
//! divided by the tolerance, so that an Euler step would be small and a step of
//! the method would have an error of about a hundredth of what is allowed:
//!
//! ```text
//! h_0 = 0.01 |v| / |v'|
//! y'' ~ (y'(h_0) - y'(0)) / h_0                   one Euler step, one evaluation
//! h   = min(100 h_0, (0.01 / max(|y'|, |y''|))^(1/k))
//! ```
//!
//! Source: E. Hairer, S. P. Norsett, G. Wanner, Solving Ordinary Differential
//! Equations I, II.4.

use crate::accelerations::AccelerationSolver;
use crate::error::SolveError;
use crate::state::State;
use crate::system::Constrained;

/// Root mean square of components `(value, scale)`.
fn norm(components: impl Iterator<Item = (f64, f64)>) -> f64 {
    let (mut squares, mut count) = (0.0, 0.0);
    for (value, scale) in components {
        squares += (value / scale).powi(2);
        count += 1.0;
    }
    (squares / f64::max(count, 1.0)).sqrt()
}

/// A first step for tolerances `absolute + relative |y|` and errors of the size
/// `h^error_order`, from a state with its accelerations.
pub(crate) fn initial_step<S: Constrained>(
    system: &S,
    state: &State<S>,
    (absolute, relative): (f64, f64),
    error_order: u32,
) -> Result<f64, SolveError> {
    if S::FIRST_ORDER {
        return first_order_step(system, state, (absolute, relative), error_order);
    }
    let (v, vdot) = (state.v.as_ref(), state.vdot.as_ref());
    let scale = |x: f64| absolute + relative * x.abs();
    let size = norm(v.iter().map(|&v| (v, scale(v))));
    let rate = norm(v.iter().zip(vdot).map(|(&v, &vdot)| (vdot, scale(v))));
    let h0 = if size < 1e-5 || rate < 1e-5 {
        1e-6
    } else {
        0.01 * size / rate
    };

    let mut euler = state.clone();
    let mut theta = system.new_velocity();
    for (k, theta) in theta.as_mut().iter_mut().enumerate() {
        *theta = h0 * v[k];
        euler.v.as_mut()[k] += h0 * vdot[k];
    }
    system.displace(&state.q, &theta, &mut euler.q);
    euler.t += h0;
    AccelerationSolver::new(system)
        .solve(system, &mut euler)
        .map_err(|fault| fault.at(state.t, h0))?;

    let theta_scale = |v: f64| scale(h0 * v);
    let first = norm(
        v.iter()
            .zip(vdot)
            .flat_map(|(&v, &vdot)| [(v, theta_scale(v)), (vdot, scale(v))]),
    );
    let second = norm(v.iter().zip(vdot).zip(euler.vdot.as_ref()).flat_map(
        |((&v, &vdot), &after)| [(vdot, theta_scale(v)), ((after - vdot) / h0, scale(v))],
    ));
    limited(first.max(second), h0, state.t, error_order)
}

/// The step for a largest derivative, in tolerances.
fn limited(largest: f64, h0: f64, t: f64, error_order: u32) -> Result<f64, SolveError> {
    let h1 = if largest <= 1e-15 {
        // Nothing moves, so that `h_0` is this, too.
        1e-6
    } else {
        (0.01 / largest).powf(1.0 / f64::from(error_order))
    };
    let h = h1.min(100.0 * h0);
    if h > 0.0 && h.is_finite() {
        Ok(h)
    } else {
        Err(SolveError::InvalidStep { t, h })
    }
}

/// The same for a first-order equation, where `y = theta` is zero at the start: the Euler step is a
/// hundredth of the unit of the algebra.
fn first_order_step<S: Constrained>(
    system: &S,
    state: &State<S>,
    (absolute, relative): (f64, f64),
    error_order: u32,
) -> Result<f64, SolveError> {
    let v = state.v.as_ref();
    let fastest = v.iter().fold(0.0, |most, x| f64::max(most, x.abs()));
    let h0 = if fastest < 1e-5 { 1e-6 } else { 0.01 / fastest };

    let mut euler = state.clone();
    let mut theta = system.new_velocity();
    for (theta, v) in theta.as_mut().iter_mut().zip(v) {
        *theta = h0 * v;
    }
    system.displace(&state.q, &theta, &mut euler.q);
    system.rate(state.t + h0, &euler.q, &mut euler.v);

    let scale = |v: f64| absolute + relative * (h0 * v).abs();
    let first = norm(v.iter().map(|&v| (v, scale(v))));
    let changes = v.iter().zip(euler.v.as_ref());
    let second = norm(changes.map(|(&v, &after)| ((after - v) / h0, scale(v))));
    limited(first.max(second), h0, state.t, error_order)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pendulum::{GRAVITY, Pendulum};
    use crate::rigid_body::RigidBody;

    /// `v'` of the driven pendulum in closed form: `M = I`, so `v' = -g - lambda q`, and
    /// `q v' + |v|^2 = 9 d cos 3t` gives `lambda`.
    fn acceleration(drive: f64, t: f64, q: [f64; 2], v: [f64; 2]) -> [f64; 2] {
        let g = [-10.0 * drive * (5.0 * t).sin(), GRAVITY];
        let product = |x: [f64; 2], y: [f64; 2]| x[0] * y[0] + x[1] * y[1];
        let wanted = 9.0 * drive * (3.0 * t).cos() - product(v, v) + product(q, g);
        let lambda = -wanted / product(q, q);
        [-g[0] - lambda * q[0], -g[1] - lambda * q[1]]
    }

    fn root_mean_square(x: &[f64]) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "a few numbers")]
        let count = x.len() as f64;
        (x.iter().map(|x| x * x).sum::<f64>() / count).sqrt()
    }

    /// The start of a pendulum with its accelerations, and the step that is proposed there.
    fn found(
        drive: f64,
        v: [f64; 2],
        tolerances: (f64, f64),
    ) -> Result<(f64, [f64; 2]), SolveError> {
        let mut system = Pendulum::new(0.0);
        system.drive = drive;
        let mut state = State::start(&system, 0.0);
        state.v = v;
        state.vdot = acceleration(drive, 0.0, state.q, v);
        let h = initial_step(&system, &state, tolerances, 5)?;
        Ok((h, state.q))
    }

    /// Formulas of the source, with the acceleration of the Euler step in closed form. The drive
    /// makes the force change with time alone: half of `y''` comes from `t + h_0`.
    #[test]
    fn the_formulas_of_the_source() -> Result<(), SolveError> {
        let (drive, v) = (3.0, [1.0, 0.0]);
        let (absolute, relative) = (1e-6, 1e-6);
        let (h, q) = found(drive, v, (absolute, relative))?;

        let scale = v.map(|v| absolute + relative * f64::abs(v));
        let vdot = acceleration(drive, 0.0, q, v);
        let scaled = |x: [f64; 2], scale: [f64; 2]| [x[0] / scale[0], x[1] / scale[1]];
        let h0 =
            0.01 * root_mean_square(&scaled(v, scale)) / root_mean_square(&scaled(vdot, scale));
        let (q1, v1) = (
            [q[0] + h0 * v[0], q[1] + h0 * v[1]],
            [v[0] + h0 * vdot[0], v[1] + h0 * vdot[1]],
        );
        let after = acceleration(drive, h0, q1, v1);
        let jerk = [(after[0] - vdot[0]) / h0, (after[1] - vdot[1]) / h0];
        let theta = v.map(|v| absolute + relative * f64::abs(h0 * v));
        let rate = [scaled(v, theta), scaled(vdot, scale)].concat();
        let second = [scaled(vdot, theta), scaled(jerk, scale)].concat();
        let largest = root_mean_square(&rate).max(root_mean_square(&second));
        let expected = (0.01 / largest).powf(0.2);
        assert!(expected < 100.0 * h0, "{expected} {h0}");
        assert!((h / expected - 1.0).abs() < 1e-12, "{h} {expected}");
        Ok(())
    }

    /// Tolerances that allow anything leave `100 h_0`.
    #[test]
    fn no_step_is_longer_than_a_hundred_trial_steps() -> Result<(), SolveError> {
        let v = [1.0, 0.0];
        let (h, q) = found(0.0, v, (1e4, 0.0))?;
        let h0 = 0.01 * root_mean_square(&v) / root_mean_square(&acceleration(0.0, 0.0, q, v));
        assert!((h / (100.0 * h0) - 1.0).abs() < 1e-12, "{h} {h0}");
        // At rest `h_0` is 1e-6.
        let (h, _) = found(1.0, [0.0; 2], (1.0, 0.0))?;
        assert!((h / 1e-4 - 1.0).abs() < 1e-12, "{h}");
        // So it is in a motion without accelerations.
        let system = RigidBody::new();
        let mut state = State::start(&system, 0.0);
        (state.v, state.vdot) = ([1.0, 0.0, 0.0], [0.0; 3]);
        let h = initial_step(&system, &state, (1.0, 0.0), 5)?;
        assert!((h / 1e-4 - 1.0).abs() < 1e-12, "{h}");
        Ok(())
    }

    /// An acceleration whose square overflows leaves no step.
    #[test]
    fn a_step_of_size_zero_is_an_error() {
        let found = found(1e200, [1.0, 0.0], (1e-6, 1e-6));
        assert!(
            matches!(found, Err(SolveError::InvalidStep { h: 0.0, .. })),
            "{found:?}"
        );
    }
}
