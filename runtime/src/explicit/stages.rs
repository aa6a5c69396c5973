//! Evaluations at stages: what both families of methods have in common.

use crate::accelerations::solve_accelerations;
use crate::error::{Fault, SolveError};
use crate::state::{State, copy};
use crate::system::{Constrained, NextStage, Scratch, Stage};

/// Velocities and accelerations of the stages of a step, of which the first is the state.
#[derive(Clone, Debug)]
pub(super) struct Stages<S: Constrained> {
    /// Times, in steps.
    times: Box<[f64]>,
    /// `V_i`, for a first-order equation `f_i`.
    pub(super) v: Vec<S::Velocity>,
    /// `V'_i`; not there in a first-order equation.
    pub(super) vdot: Vec<S::Velocity>,
    geometry: S::Geometry,
    /// None.
    multiplier: S::Multiplier,
    scratch: Scratch<S>,
}

impl<S: Constrained> Stages<S> {
    /// For so many stages; fails for a system with constraints.
    pub(super) fn new(system: &S, times: impl Iterator<Item = f64>) -> Result<Self, SolveError> {
        let count = system.constraint_count();
        if count > 0 {
            #[expect(clippy::cast_precision_loss, reason = "a number of equations")]
            return Err(SolveError::InvalidOption {
                option: "method",
                value: count as f64,
                expected: "no constraints, for explicit methods have no multipliers; take a half-explicit \
                           method",
            });
        }
        let times: Box<[f64]> = times.collect();
        let velocities = |count| (0..count).map(|_| system.new_velocity()).collect();
        let accelerations = if S::FIRST_ORDER { 0 } else { times.len() };
        Ok(Self {
            v: velocities(times.len()),
            vdot: velocities(accelerations),
            times,
            geometry: system.new_geometry(),
            multiplier: system.new_multiplier(),
            scratch: Scratch::new(system),
        })
    }

    /// What the first stage has in common with the end of the step before.
    pub(super) fn begin(&mut self, state: &State<S>) {
        copy(&mut self.v[0], &state.v);
        if let [first, ..] = &mut *self.vdot {
            copy(first, &state.vdot);
        }
    }

    /// `V_i = v + h sum_j w_j V'_j`, of a mechanism.
    pub(super) fn set_velocity(&mut self, i: usize, (v, h): (&S::Velocity, f64), weights: &[f64]) {
        if !S::FIRST_ORDER {
            advance(&mut self.v[i], v, h, weights, &self.vdot);
        }
    }

    /// `f_i`, or `V'_i` from `V_i`, at `q * exp(theta)`. The point is left behind for a first-order equation.
    #[inline]
    pub(super) fn evaluate_displaced(
        &mut self,
        system: &S,
        i: usize,
        (t, h): (f64, f64),
        (q, theta): (&S::Config, &S::Velocity),
        point: &mut S::Config,
    ) -> Result<(), Fault> {
        let t = t + self.times[i] * h;
        if S::FIRST_ORDER {
            system.displace(q, theta, point);
            system.rate(t, point, &mut self.v[i]);
            return Ok(());
        }
        let geometry = &mut self.geometry;
        system.displaced_geometry((t, false), q, theta, geometry, point)?;
        system.check_increment(t, q, theta)?;
        self.solve(system, i, t)
    }

    /// `f_i`, or `V'_i` from `V_i`.
    #[inline]
    pub(super) fn evaluate(
        &mut self,
        system: &S,
        i: usize,
        (t, h): (f64, f64),
        q: &S::Config,
    ) -> Result<(), Fault> {
        let t = t + self.times[i] * h;
        if S::FIRST_ORDER {
            system.rate(t, q, &mut self.v[i]);
            return Ok(());
        }
        system.geometry(t, q, &mut self.geometry)?;
        self.solve(system, i, t)
    }

    /// `V'_i` with the geometry of the stage.
    #[inline]
    fn solve(&mut self, system: &S, i: usize, t: f64) -> Result<(), Fault> {
        let (geometry, v) = (&self.geometry, &self.v[i]);
        let stage = Stage { t, geometry, v };
        // Nothing is constrained there.
        let next = NextStage {
            t,
            geometry,
            v,
            weight: 0.0,
            steady: false,
        };
        let vdot = &mut self.vdot[i];
        system.stage_solve(&stage, &next, vdot, &mut self.multiplier, &mut self.scratch)
    }

    /// Sets the velocity or the acceleration at the end of a step.
    pub(super) fn evaluate_end(&mut self, system: &S, state: &mut State<S>) -> Result<(), Fault> {
        let geometry = &mut self.geometry;
        solve_accelerations(system, state, geometry, &mut self.scratch)
    }

    /// Starts from a state.
    pub(super) fn start(&mut self, system: &S, state: &mut State<S>) -> Result<(), SolveError> {
        let evaluated = self.evaluate_end(system, state);
        evaluated.map_err(|fault| fault.at(state.t, 0.0))?;
        copy(&mut state.a, &state.vdot);
        state.check_finite(state.t, 0.0)
    }
}

/// `out = x + h sum_j w_j y_j`.
#[inline]
pub(super) fn advance<V: AsRef<[f64]> + AsMut<[f64]>>(
    out: &mut V,
    x: &V,
    h: f64,
    weights: &[f64],
    y: &[V],
) {
    copy(out, x);
    add(out, h, weights, y);
}

/// `out += h sum_j w_j y_j`.
#[inline]
pub(super) fn add<V: AsRef<[f64]> + AsMut<[f64]>>(out: &mut V, h: f64, weights: &[f64], y: &[V]) {
    for (weight, y) in weights.iter().zip(y) {
        if *weight == 0.0 {
            continue;
        }
        let factor = h * weight;
        for (out, y) in out.as_mut().iter_mut().zip(y.as_ref()) {
            *out += factor * y;
        }
    }
}
