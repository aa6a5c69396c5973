//! Half-explicit Runge-Kutta methods of order 2, 3, 4 and 5.
//!
//! One step from `(t_n, q_n, v_n, lambda_n)`. The first stage is the state,
//! `Theta_1 = 0`, `V_1 = v_n`, with the explicit acceleration
//! `V'_1 = -M^-1 (g + B^T lambda_n)`. Then, for `i = 1, 2, ...`,
//!
//! ```text
//! Theta_{i+1}  = h sum_{j<=i} a_{i+1,j} Theta'_j           Q_{i+1} = q_n * exp(Theta_{i+1})
//! M V'_i       = -g(t_n + c_i h, Q_i, V_i) - B(Q_i)^T Lambda_i
//! V_{i+1}      = v_n + h sum_{j<=i} a_{i+1,j} V'_j
//! 0            = B(Q_{i+1}) V_{i+1} + dPhi/dt              (i >= 2, determines Lambda_i)
//! Theta'_{i+1} = T(Theta_{i+1})^-1 V_{i+1}
//! ```
//!
//! and `q_{n+1} = Q_{s+1}`, `v_{n+1} = V_{s+1}`, `lambda_{n+1} = sum_i d_i Lambda_i`.
//! The configuration of the next stage is known before its velocity: each stage
//! costs one linear system of the size of the constraints. Without constraints
//! this is the Runge-Kutta-Munthe-Kaas method of the same tableau.
//!
//! | symbol | code | |
//! |---|---|---|
//! | `Theta_i, V_i` | `Point` | increment and velocity of a stage; `Q_i` is seen through its geometry |
//! | `Theta'_i` | `theta_dot[i - 1]` | rate of the increment |
//! | `V'_i` | `v_dot[i - 1]` | acceleration |
//! | `Lambda_i` | `lambda[i - 1]` | multipliers |
//!
//! Those of the first stage stay in the state.
//!
//! In the methods of order 4 and 5 stage `s + 1` is the first stage of the next
//! step: its acceleration is carried over in the state. In those of order 2 and 3
//! it is evaluated from `lambda_{n+1}` at the end of the step.
//!
//! Source: D. Tumiotto, M. Arnold, Multibody Syst. Dyn. (2024),
//! doi 10.1007/s11044-024-10002-8.

use crate::accelerations::solve_accelerations;
use crate::control::Controller;
use crate::error::{Fault, SolveError};
use crate::initial_step::initial_step;
use crate::state::{State, copy};
use crate::stats::Stats;
use crate::stepper::{Method, Stepper, check_step};
use crate::system::{Constrained, NextStage, Scratch, Stage, Storage};
use crate::tableau::{self, STAGES};

/// Which multipliers a run hands out.
///
/// The method goes on with its own multipliers in either case.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Multipliers {
    /// `sum_i d_i Lambda_i` of the method: of order `p - 1` in general.
    #[default]
    Raw,
    /// Solved for at every output point from the acceleration-level system: of order `p`.
    Recomputed,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    Two,
    Three,
    Four,
    Five,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Tolerances {
    absolute: f64,
    relative: f64,
}

/// Options of the half-explicit Runge-Kutta methods.
///
/// The method of order 5 adapts its steps once it has tolerances; the others
/// take fixed steps.
#[derive(Clone, Debug, PartialEq)]
pub struct HalfExplicit {
    order: Order,
    tolerances: Option<Tolerances>,
    controller: Controller,
    multipliers: Multipliers,
}

impl HalfExplicit {
    fn new(order: Order) -> Self {
        Self {
            order,
            tolerances: None,
            controller: Controller::new(5),
            multipliers: Multipliers::Raw,
        }
    }

    /// Two stages, order 2.
    pub fn order2() -> Self {
        Self::new(Order::Two)
    }

    /// Three stages, order 3.
    pub fn order3() -> Self {
        Self::new(Order::Three)
    }

    /// Four stages, one of them shared with the next step, order 4.
    pub fn order4() -> Self {
        Self::new(Order::Four)
    }

    /// Six stages, one of them shared with the next step, order 5.
    pub fn order5() -> Self {
        Self::new(Order::Five)
    }

    /// Adapts the steps to a local error of `absolute + relative |y|` in every
    /// component of `y = (theta, v)`, in the root mean square. Order 5 only.
    #[must_use]
    pub fn tolerances(mut self, absolute: f64, relative: f64) -> Self {
        self.tolerances = Some(Tolerances { absolute, relative });
        self
    }

    /// Replaces the step-size controller.
    #[must_use]
    pub fn controller(mut self, controller: Controller) -> Self {
        self.controller = controller;
        self
    }

    /// Chooses the multipliers that a run hands out.
    #[must_use]
    pub fn multipliers(mut self, multipliers: Multipliers) -> Self {
        self.multipliers = multipliers;
        self
    }

    fn check(&self) -> Result<(), SolveError> {
        let Some(Tolerances { absolute, relative }) = self.tolerances else {
            return Ok(());
        };
        for (option, value) in [
            ("absolute tolerance", absolute),
            ("relative tolerance", relative),
        ] {
            if !(value > 0.0 && value.is_finite()) {
                return Err(SolveError::InvalidOption {
                    option,
                    value,
                    expected: "a positive finite number",
                });
            }
        }
        if self.order != Order::Five {
            return Err(SolveError::InvalidOption {
                option: "relative tolerance",
                value: relative,
                expected: "order 5, the only one with an error estimate",
            });
        }
        self.controller.check()
    }
}

impl<S: Constrained> Method<S> for HalfExplicit {
    type Stepper = HalfExplicitStepper<S>;

    fn stepper(&self, system: &S) -> Result<HalfExplicitStepper<S>, SolveError> {
        const {
            assert!(
                !S::FIRST_ORDER,
                "a first-order equation needs an explicit Lie group method: `MuntheKaas` or `CommutatorFree`"
            );
        }
        self.check()?;
        let velocities = || core::array::from_fn(|_| system.new_velocity());
        Ok(HalfExplicitStepper {
            order: self.order,
            tolerances: self.tolerances,
            multipliers: self.multipliers,
            points: [Point::new(system), Point::new(system)],
            theta_dot: velocities(),
            v_dot: velocities(),
            lambda: core::array::from_fn(|_| system.new_multiplier()),
            increment: system.new_velocity(),
            displaced: system.start_config(),
            candidate: State {
                t: 0.0,
                q: system.start_config(),
                v: system.new_velocity(),
                vdot: system.new_velocity(),
                a: system.new_velocity(),
                lambda: system.new_multiplier(),
                eta: system.new_multiplier(),
            },
            scratch: Scratch::new(system),
        })
    }

    fn controller(&self) -> Option<Controller> {
        self.tolerances.map(|_| self.controller)
    }
}

/// Where a stage is evaluated.
#[derive(Clone, Debug)]
struct Point<S: Constrained> {
    theta: S::Velocity,
    geometry: S::Geometry,
    v: S::Velocity,
}

impl<S: Constrained> Point<S> {
    fn new(system: &S) -> Self {
        Self {
            theta: system.new_velocity(),
            geometry: system.new_geometry(),
            v: system.new_velocity(),
        }
    }
}

/// A half-explicit method with its memory.
#[derive(Clone, Debug)]
pub struct HalfExplicitStepper<S: Constrained> {
    order: Order,
    tolerances: Option<Tolerances>,
    multipliers: Multipliers,
    /// Stage `i` is at `points[i % 2]`.
    points: [Point<S>; 2],
    theta_dot: [S::Velocity; STAGES],
    v_dot: [S::Velocity; STAGES],
    lambda: [S::Multiplier; STAGES],
    increment: S::Velocity,
    /// A configuration for `Mechanics::displaced_geometry`.
    displaced: S::Config,
    candidate: State<S>,
    scratch: Scratch<S>,
}

/// `sum_j (scale a_j) x_j[k]` over the stages, the first of which is in the state. With `a` known
/// to the compiler, terms with a zero weight vanish.
#[inline(always)]
fn sum<const N: usize, V: AsRef<[f64]>>(
    scale: f64,
    a: &[f64; N],
    first: &V,
    x: &[V],
    k: usize,
) -> f64 {
    let mut sum = -0.0; // the neutral element, unlike +0.0
    for j in 0..N {
        if a[j] != 0.0 {
            sum += (scale * a[j]) * if j == 0 { first } else { &x[j] }.as_ref()[k];
        }
    }
    sum
}

impl<S: Constrained> HalfExplicitStepper<S> {
    /// Not a part of the function that chooses the order: there it would be slower.
    #[inline(never)]
    fn attempt_order<const P: usize>(
        &mut self,
        system: &S,
        state: &State<S>,
        h: f64,
    ) -> Result<(), Fault> {
        let last_stage = const { tableau::of_order(P).s_bar };
        self.first_stage::<P>(system, state, h)?;
        self.stage::<P, 2>(system, state, h)?;
        if last_stage >= 3 {
            self.stage::<P, 3>(system, state, h)?;
        }
        if last_stage >= 5 {
            self.stage::<P, 4>(system, state, h)?;
            self.stage::<P, 5>(system, state, h)?;
        }
        if last_stage >= 7 {
            self.stage::<P, 6>(system, state, h)?;
            self.stage::<P, 7>(system, state, h)?;
        }
        self.finish::<P>(system, state, h);
        Ok(())
    }

    /// Starts from the derivatives of the state and goes to the second stage,
    /// whose velocity is the only one that the constraints do not see.
    #[inline(always)]
    fn first_stage<const P: usize>(
        &mut self,
        system: &S,
        state: &State<S>,
        h: f64,
    ) -> Result<(), Fault> {
        let table = const { tableau::of_order(P) };
        let a21 = const { tableau::of_order(P).a[1][0] };
        let next = &mut self.points[0];
        let theta = next.theta.as_mut();
        let v = next.v.as_mut();
        let n = theta.len();
        let (v_n, vdot_n) = (&state.v.as_ref()[..n], &state.vdot.as_ref()[..n]);
        let step = h * a21;
        for k in 0..n {
            theta[k] = step * v_n[k];
            v[k] = v_n[k] + step * vdot_n[k];
        }
        system.displaced_geometry(
            (state.t + table.c[1] * h, table.first_same_as_last()),
            &state.q,
            &next.theta,
            &mut next.geometry,
            &mut self.displaced,
        )?;
        system.check_increment(state.t + table.c[1] * h, &state.q, &next.theta)?;
        system.tangent_inverse(&next.theta, &next.v, &mut self.theta_dot[1]);
        Ok(())
    }

    /// Goes from stage `I` to stage `I + 1`.
    #[inline(always)]
    fn stage<const P: usize, const I: usize>(
        &mut self,
        system: &S,
        state: &State<S>,
        h: f64,
    ) -> Result<(), Fault> {
        if self.swept_stage::<P, I>(system, state, h)? {
            return Ok(());
        }
        let table = const { tableau::of_order(P) };
        let a = const { tableau::of_order(P).row::<I>(I + 1) };
        let [even, odd] = &mut self.points;
        let (this, next) = if I.is_multiple_of(2) {
            (even, odd)
        } else {
            (odd, even)
        };
        let n = self.increment.as_ref().len();

        // Theta_{i+1} and Q_{i+1}, unless they only serve a constant B
        let t_next = state.t + table.c[I] * h;
        if I <= table.s || !S::CONSTANT_JACOBIAN || !table.first_same_as_last() {
            // Everything else of the stage waits for the last rate, so `h` is multiplied before.
            for (k, theta) in next.theta.as_mut().iter_mut().enumerate() {
                *theta = sum(h, &a, &state.v, &self.theta_dot, k);
            }
            if I == table.s {
                let q = &mut self.candidate.q;
                system.displace(&state.q, &next.theta, q);
                system.geometry(t_next, q, &mut next.geometry)?;
            } else {
                system.displaced_geometry(
                    (t_next, table.first_same_as_last()),
                    &state.q,
                    &next.theta,
                    &mut next.geometry,
                    &mut self.displaced,
                )?;
            }
            system.check_increment(t_next, &state.q, &next.theta)?;
        }

        // V'_i and Lambda_i such that V_{i+1} fulfils the constraints
        let a_last = a[I - 1];
        let weight = 1.0 / (h * a_last);
        let mut a_before = a;
        a_before[I - 1] = 0.0;
        let v_n = &state.v.as_ref()[..n];
        let v = &mut next.v.as_mut()[..n];
        for k in 0..n {
            v[k] = v_n[k] + h * sum(1.0, &a_before, &state.vdot, &self.v_dot, k);
        }
        let stage = Stage {
            t: state.t + table.c[I - 1] * h,
            geometry: &this.geometry,
            v: &this.v,
        };
        let following = NextStage {
            t: t_next,
            geometry: &next.geometry,
            v: &next.v,
            weight,
            steady: table.first_same_as_last(),
        };
        let v_dot = &mut self.v_dot[I - 1];
        let lambda = &mut self.lambda[I - 1];
        let scratch = &mut self.scratch;
        // Multipliers that enter no result are not computed, where the compiler can see it.
        if table.d[I - 1] == 0.0
            && let Some(mut unread) = S::Multiplier::local()
        {
            system.stage_solve(&stage, &following, v_dot, &mut unread, scratch)?;
        } else {
            system.stage_solve(&stage, &following, v_dot, lambda, scratch)?;
        }

        // V_{i+1} and Theta'_{i+1}, unless the next stage only served to find Lambda_i
        if I <= table.s {
            let v_dot = &v_dot.as_ref()[..n];
            for (k, v) in next.v.as_mut().iter_mut().enumerate() {
                *v += (h * a_last) * v_dot[k];
            }
        }
        if I < table.s_bar {
            system.tangent_inverse(&next.theta, &next.v, &mut self.theta_dot[I]);
        }
        if I == table.s {
            self.increment.take(&mut next.theta);
            copy(&mut self.candidate.v, &next.v);
        }
        Ok(())
    }

    /// The multipliers, and the acceleration that the next step starts with.
    #[inline(always)]
    fn finish<const P: usize>(&mut self, system: &S, state: &State<S>, h: f64) {
        let table = const { tableau::of_order(P) };
        let new = &mut self.candidate;
        for (k, lambda) in new.lambda.as_mut().iter_mut().enumerate() {
            *lambda = sum(1.0, &table.d, &state.lambda, &self.lambda, k);
        }
        if table.first_same_as_last() {
            copy(&mut new.vdot, &self.v_dot[table.s]);
            return;
        }
        let geometry = &self.points[(table.s + 1) % 2].geometry;
        let t = state.t + h;
        system.force(t, geometry, &new.v, &mut self.scratch.force);
        system.explicit_acceleration(geometry, &new.lambda, &mut new.vdot, &mut self.scratch);
    }

    /// Root mean square of the difference to the embedded solution in all
    /// components of `y = (theta, v)`, each divided by
    /// `absolute + relative max(|y_n|, |y_{n+1}|)`.
    fn error_norm(&self, state: &State<S>, h: f64, tolerances: Tolerances) -> f64 {
        let e = const { tableau::of_order(5).e };
        let Tolerances { absolute, relative } = tolerances;
        let (theta, v_n, v) = (
            self.increment.as_ref(),
            state.v.as_ref(),
            self.candidate.v.as_ref(),
        );
        let n = theta.len();
        let mut squares = 0.0;
        for k in 0..n {
            let theta_error = sum(h, &e, &state.v, &self.theta_dot, k);
            let v_error = sum(h, &e, &state.vdot, &self.v_dot, k);
            let theta_scale = absolute + relative * theta[k].abs();
            let v_scale = absolute + relative * v_n[k].abs().max(v[k].abs());
            squares += (theta_error / theta_scale).powi(2) + (v_error / v_scale).powi(2);
        }
        #[expect(clippy::cast_precision_loss, reason = "fewer than 2^52 components")]
        let components = (2 * n) as f64;
        (squares / components.max(1.0)).sqrt()
    }
}

impl<S: Constrained> Stepper<S> for HalfExplicitStepper<S> {
    fn start(&mut self, system: &S, state: &mut State<S>, _h: f64) -> Result<(), SolveError> {
        let geometry = &mut self.points[0].geometry;
        solve_accelerations(system, state, geometry, &mut self.scratch)
            .map_err(|fault| fault.at(state.t, 0.0))?;
        copy(&mut state.a, &state.vdot);
        state.eta.as_mut().fill(0.0);
        state.check_finite(state.t, 0.0)
    }

    #[inline]
    fn attempt(
        &mut self,
        system: &S,
        state: &State<S>,
        h: f64,
        stats: &mut Stats,
    ) -> Result<Option<f64>, SolveError> {
        check_step(state.t, h)?;
        let (result, solves) = match self.order {
            Order::Two => (self.attempt_order::<2>(system, state, h), 1),
            Order::Three => (self.attempt_order::<3>(system, state, h), 2),
            Order::Four => (self.attempt_order::<4>(system, state, h), 4),
            Order::Five => (self.attempt_order::<5>(system, state, h), 6),
        };
        result.map_err(|fault| fault.at(state.t, h))?;
        stats.stages += solves;
        self.candidate.check_finite(state.t, h)?;
        self.candidate.t = state.t + h;
        Ok(self
            .tolerances
            .map(|tolerances| self.error_norm(state, h, tolerances)))
    }

    fn candidate(&self) -> &State<S> {
        &self.candidate
    }

    fn increment(&self, _system: &S, _state: &State<S>, out: &mut S::Velocity) {
        copy(out, &self.increment);
    }

    #[inline]
    fn accept(&mut self, state: &mut State<S>) {
        state.take(&mut self.candidate);
        copy(&mut state.a, &state.vdot);
    }

    fn initial_step(&self, system: &S, state: &State<S>) -> Result<Option<f64>, SolveError> {
        self.tolerances
            .map(|Tolerances { absolute, relative }| {
                initial_step(system, state, (absolute, relative), 5)
            })
            .transpose()
    }

    /// From the last two stages of order 5, both at the end of the step, as in DOPRI5:
    /// `h |V'_7 - V'_6| / |V_7 - V_6|`.
    ///
    /// E. Hairer, G. Wanner, Solving Ordinary Differential Equations II, IV.2.
    fn stiffness(&self, state: &State<S>, h: f64) -> Option<(f64, f64)> {
        const LIMIT: f64 = 3.25;
        if self.order != Order::Five {
            return None;
        }
        let a6 = const { tableau::of_order(5).row::<5>(6) };
        let (mut rates, mut differences) = (0.0, 0.0);
        for (k, v7) in self.candidate.v.as_ref().iter().enumerate() {
            let v6 = state.v.as_ref()[k] + h * sum(1.0, &a6, &state.vdot, &self.v_dot, k);
            rates += (self.v_dot[6].as_ref()[k] - self.v_dot[5].as_ref()[k]).powi(2);
            differences += (v7 - v6).powi(2);
        }
        (differences > 0.0).then(|| (h * (rates / differences).sqrt(), LIMIT))
    }

    fn tolerances(&self) -> Option<(f64, f64)> {
        self.tolerances
            .map(|Tolerances { absolute, relative }| (absolute, relative))
    }

    fn recomputes_multipliers(&self) -> bool {
        self.multipliers == Multipliers::Recomputed
    }
}

mod swept;
#[cfg(test)]
mod tests;
