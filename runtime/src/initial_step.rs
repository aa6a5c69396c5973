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
    let largest = first.max(second);
    let h1 = if largest <= 1e-15 {
        f64::max(1e-6, 1e-3 * h0)
    } else {
        (0.01 / largest).powf(1.0 / f64::from(error_order))
    };
    let h = h1.min(100.0 * h0);
    if h > 0.0 && h.is_finite() {
        Ok(h)
    } else {
        Err(SolveError::InvalidStep { t: state.t, h })
    }
}
