//! Starting values of the generalized-alpha methods.
//!
//! With the naive choice `a_0 = v'_0` the multipliers are only first-order
//! accurate in a transient. Arnold, Cardona, Bruls (2016), Tables 1 and 2, give
//! perturbed starting values that avoid it:
//!
//! ```text
//! v''  ~ (v'_+ - v'_-) / (2 s h),   v'_+- of the acceleration-level system at
//!        q_0 exp(+- s h v_0 + 1/2 s^2 h^2 v'_0),  v_0 +- s h v'_0,   s = 0.1
//! a_0  = v'_0 + (alpha_m - alpha_f) h v''
//! v_0 += h^2 M^-1 B^T (B M^-1 B^T)^-1 B (C_q v'' + 1/4 (1/3 - sigma beta/gamma) [v, v'])    (index 3)
//! ```
//!
//! The coefficient of the commutator is that of the local error of the
//! sigma-modified update; the paper's 1/12 is the case `sigma = 0`.

use crate::error::SolveError;
use crate::generalized_alpha::Parameters;
use crate::state::{State, copy};
use crate::system::{Constrained, Formulation, Scratch, Stage};

/// How the algorithmic acceleration starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum StartingValues {
    /// `a_0 = v'_0`.
    Classical,
    /// `a_0 = v'_0 + (alpha_m - alpha_f) h v''_0`.
    Acceleration,
    /// The same, and in index 3 a velocity off the hidden constraints by `O(h^2)`,
    /// for multipliers of second order from the first step on.
    Corrected,
}

/// What the starting values depend on.
pub(crate) struct Rule {
    pub(crate) kind: StartingValues,
    pub(crate) formulation: Formulation,
    pub(crate) parameters: Parameters,
    pub(crate) sigma: f64,
}

/// Fraction of the step for the difference quotient of `v'`.
const PROBE: f64 = 0.1;

/// Completes consistent `(t, q, v)` by `v'`, `lambda`, `a`, and perturbs `v` if the rule says so.
pub(crate) fn compute<S: Constrained>(
    system: &S,
    state: &mut State<S>,
    h: f64,
    rule: &Rule,
    scratch: &mut Scratch<S>,
) -> Result<(), SolveError> {
    let t = state.t;
    let mut geometry = system.new_geometry();
    let fault = |fault: crate::error::Fault| fault.at(t, h);
    system.geometry(t, &state.q, &mut geometry).map_err(fault)?;
    let stage = Stage {
        t,
        geometry: &geometry,
        v: &state.v,
    };
    system
        .accelerations(
            &stage,
            &state.q,
            &mut state.vdot,
            &mut state.lambda,
            scratch,
        )
        .map_err(fault)?;
    state.eta.as_mut().fill(0.0);
    copy(&mut state.a, &state.vdot);
    state.check_finite(t, h)?;
    if rule.kind == StartingValues::Classical {
        return Ok(());
    }

    let jerk = jerk(system, state, PROBE * h, scratch)?;
    let jerk = jerk.as_ref();
    let shift = rule.parameters.delta_alpha() * h;
    for (a, jerk) in state.a.as_mut().iter_mut().zip(jerk) {
        *a += shift * jerk;
    }
    if rule.kind == StartingValues::Corrected && rule.formulation == Formulation::Index3 {
        let Parameters { beta, gamma, .. } = rule.parameters;
        let mut error = system.new_velocity();
        system.bracket(&state.v, &state.vdot, &mut error);
        let commutator = 0.25 * (1.0 / 3.0 - rule.sigma * beta / gamma);
        let jerk_factor = rule.parameters.position_error_constant();
        for (error, jerk) in error.as_mut().iter_mut().zip(jerk) {
            *error = h * h * (jerk_factor * jerk + commutator * *error);
        }
        let mut multiplier = system.new_multiplier();
        system.jacobian_times(&geometry, &error, &mut multiplier);
        system
            .schur_solve(
                &geometry,
                &geometry,
                &mut multiplier,
                &mut scratch.workspace,
            )
            .map_err(fault)?;
        system.jacobian_transpose_times(&geometry, &multiplier, &mut error);
        let mut shift = system.new_velocity();
        system.mass_solve(&error, &mut shift);
        for (v, shift) in state.v.as_mut().iter_mut().zip(shift.as_ref()) {
            *v += shift;
        }
    }
    state.check_finite(t, h)
}

/// `v''` by a symmetric difference of the accelerations along the motion.
fn jerk<S: Constrained>(
    system: &S,
    state: &State<S>,
    probe: f64,
    scratch: &mut Scratch<S>,
) -> Result<S::Velocity, SolveError> {
    let mut geometry = system.new_geometry();
    let mut lambda = system.new_multiplier();
    let mut q = system.start_config();
    let mut v = system.new_velocity();
    let mut theta = system.new_velocity();
    let mut accelerations = [system.new_velocity(), system.new_velocity()];
    for (vdot, s) in accelerations.iter_mut().zip([probe, -probe]) {
        for (i, (v0, a0)) in state.v.as_ref().iter().zip(state.vdot.as_ref()).enumerate() {
            theta.as_mut()[i] = s * v0 + 0.5 * s * s * a0;
            v.as_mut()[i] = v0 + s * a0;
        }
        let t = state.t + s;
        system.displace(&state.q, &theta, &mut q);
        let fault = |fault: crate::error::Fault| fault.at(t, probe);
        system.geometry(t, &q, &mut geometry).map_err(fault)?;
        let stage = Stage {
            t,
            geometry: &geometry,
            v: &v,
        };
        system
            .accelerations(&stage, &q, vdot, &mut lambda, scratch)
            .map_err(fault)?;
    }
    let [mut forward, backward] = accelerations;
    for (x, y) in forward.as_mut().iter_mut().zip(backward.as_ref()) {
        *x = (*x - y) / (2.0 * probe);
    }
    Ok(forward)
}
