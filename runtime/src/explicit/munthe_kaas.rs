//! Runge-Kutta-Munthe-Kaas methods.
//!
//! ```text
//! theta_i = h sum_{j<i} a_ij K_j          Y_i = y_n * exp(theta_i)
//! K_i     = T(theta_i)^-1 f(t_n + c_i h, Y_i)
//! y_{n+1} = y_n * exp(theta)              theta = h sum_i b_i K_i
//! ```
//!
//! A method of order `p` keeps it if `T^-1`, a series of commutators, ends with `ad^(p-2)`. With linear
//! combinations of `f_i` and of a few commutators in place of the `K_i` it needs even fewer of them:
//! [`MuntheKaas::two_commutators4`].
//!
//! Source: H. Munthe-Kaas, Appl. Numer. Math. 29 (1999); two commutators: the same and B. Owren,
//! Phil. Trans. R. Soc. A 357 (1999).

use super::pair::{ErrorNorm, Tolerance};
use super::stages::{Stages, add, advance};
use super::tableau::Tableau;
use crate::control::Controller;
use crate::error::{Fault, SolveError};
use crate::initial_step::initial_step;
use crate::state::{State, copy};
use crate::stats::Stats;
use crate::stepper::{Method, Stepper, check_step};
use crate::system::{Constrained, inverse_coefficient};

/// How `T(theta)^-1` is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inverse {
    /// In closed form.
    Exact,
    /// As a series up to this power of `ad`.
    Truncated(u32),
}

/// A multiple of `[h f_j, h f_k]` in the element of the algebra that leads to a stage, counted from zero;
/// the step is one more.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Commutator {
    stage: usize,
    weight: f64,
    of: (usize, usize),
}

/// What stands for `K_i`.
#[derive(Clone, Debug, PartialEq)]
enum Rates {
    /// Through `T^-1`.
    Pulled(Inverse),
    /// `f_i` themselves, with commutators.
    Plain(Vec<Commutator>),
}

/// Options of the Runge-Kutta-Munthe-Kaas methods.
///
/// Methods with an embedded one adapt their steps once they have tolerances.
#[derive(Clone, Debug, PartialEq)]
pub struct MuntheKaas {
    tableau: Tableau,
    rates: Rates,
    tolerance: Option<Tolerance>,
    controller: Controller,
}

impl MuntheKaas {
    /// The method of a tableau.
    pub fn new(tableau: Tableau) -> Self {
        Self {
            controller: Controller::new(1 + tableau.order.min(tableau.error_order)),
            tableau,
            rates: Rates::Pulled(Inverse::Exact),
            tolerance: None,
        }
    }

    /// Order 1, one stage: the Lie-Euler method.
    pub fn euler() -> Self {
        Self::new(Tableau::euler())
    }

    /// Order 2, two stages. Truncated before the first commutator it is the method of Heun for Lie groups.
    pub fn heun() -> Self {
        Self::new(Tableau::heun())
    }

    /// Order 3, three stages.
    pub fn kutta3() -> Self {
        Self::new(Tableau::kutta3())
    }

    /// Order 4, four stages.
    pub fn classical4() -> Self {
        Self::new(Tableau::classical4())
    }

    /// The pair 3(2), four stages, one of them shared with the next step.
    pub fn bogacki_shampine3() -> Self {
        Self::new(Tableau::bogacki_shampine3())
    }

    /// The pair 5(4), seven stages, one of them shared with the next step.
    pub fn dormand_prince5() -> Self {
        Self::new(Tableau::dormand_prince5())
    }

    /// Order 6, seven stages.
    pub fn butcher6() -> Self {
        Self::new(Tableau::butcher6())
    }

    /// The pair of order 8, twelve stages, with errors of order 5 and 3.
    pub fn dormand_prince8() -> Self {
        Self::new(Tableau::dormand_prince8())
    }

    /// Order 4, four stages, two commutators.
    pub fn two_commutators4() -> Self {
        let commutator = |stage, weight, of| Commutator { stage, weight, of };
        Self {
            rates: Rates::Plain(vec![
                commutator(2, 1.0 / 8.0, (0, 1)),
                commutator(4, 1.0 / 12.0, (0, 3)),
            ]),
            ..Self::classical4()
        }
    }

    /// Truncates `T^-1`.
    #[must_use]
    pub fn inverse(mut self, inverse: Inverse) -> Self {
        self.rates = Rates::Pulled(inverse);
        self
    }

    /// Adapts the steps to a local error of `absolute + relative |y|` in every component of
    /// `(theta, v)`, in the root mean square.
    #[must_use]
    pub fn tolerances(self, absolute: f64, relative: f64) -> Self {
        self.tolerance(Tolerance::Scaled { absolute, relative })
    }

    /// Adapts the steps to a tolerance.
    #[must_use]
    pub fn tolerance(mut self, tolerance: Tolerance) -> Self {
        self.tolerance = Some(tolerance);
        self
    }

    /// Replaces the step-size controller.
    #[must_use]
    pub fn controller(mut self, controller: Controller) -> Self {
        self.controller = controller;
        self
    }

    /// The coefficients.
    pub fn tableau(&self) -> &Tableau {
        &self.tableau
    }
}

impl<S: Constrained> Method<S> for MuntheKaas {
    type Stepper = MuntheKaasStepper<S>;

    fn stepper(&self, system: &S) -> Result<MuntheKaasStepper<S>, SolveError> {
        self.tableau.check()?;
        if let Some(tolerance) = self.tolerance {
            tolerance.check(self.tableau.error_order, &self.controller)?;
        }
        let stages = self.tableau.a.len();
        Ok(MuntheKaasStepper {
            method: self.clone(),
            stages: Stages::new(system, self.tableau.times())?,
            rates: (0..stages).map(|_| system.new_velocity()).collect(),
            theta: system.new_velocity(),
            powers: [system.new_velocity(), system.new_velocity()],
            point: system.start_config(),
            candidate: State::start(system, 0.0),
            ends_at_last_stage: self.tableau.ends_at_last_stage(),
            reads_last_rate: self.tolerance.is_some() || !self.tableau.ends_at_last_stage(),
        })
    }

    fn controller(&self) -> Option<Controller> {
        self.tolerance.map(|_| self.controller)
    }
}

/// The stepper of the Runge-Kutta-Munthe-Kaas methods.
#[derive(Clone, Debug)]
pub struct MuntheKaasStepper<S: Constrained> {
    method: MuntheKaas,
    stages: Stages<S>,
    /// `K_i`.
    rates: Vec<S::Velocity>,
    theta: S::Velocity,
    /// `ad^k` of a truncated series, one after the other.
    powers: [S::Velocity; 2],
    point: S::Config,
    candidate: State<S>,
    /// Whether the last stage is the end of the step.
    ends_at_last_stage: bool,
    /// Whether anything is computed from the last `K_i`.
    reads_last_rate: bool,
}

impl<S: Constrained> MuntheKaasStepper<S> {
    fn compute(&mut self, system: &S, state: &State<S>, h: f64) -> Result<(), Fault> {
        self.stages.begin(state);
        copy(&mut self.rates[0], &state.v);
        let count = self.rates.len();
        for i in 1..count {
            self.increment_of(system, i, h);
            let weights = &self.method.tableau.a[i];
            self.stages.set_velocity(i, (&state.v, h), weights);
            let time = (state.t, h);
            if i + 1 == count && self.ends_at_last_stage {
                let q = &mut self.candidate.q;
                system.displace(&state.q, &self.theta, q);
                system.check_increment(state.t + h, &state.q, &self.theta)?;
                self.stages.evaluate(system, i, time, q)?;
            } else {
                let displaced = (&state.q, &self.theta);
                self.stages
                    .evaluate_displaced(system, i, time, displaced, &mut self.point)?;
            }
            if i + 1 < count || self.reads_last_rate {
                self.find_rate(system, i);
            }
        }
        let end = &mut self.candidate;
        end.t = state.t + h;
        if self.ends_at_last_stage {
            copy(&mut end.v, &self.stages.v[count - 1]);
            if let Some(vdot) = self.stages.vdot.last() {
                copy(&mut end.vdot, vdot);
            }
            return Ok(());
        }
        self.increment_of(system, count, h);
        let end = &mut self.candidate;
        system.displace(&state.q, &self.theta, &mut end.q);
        if !S::FIRST_ORDER {
            system.check_increment(state.t + h, &state.q, &self.theta)?;
            advance(
                &mut end.v,
                &state.v,
                h,
                &self.method.tableau.b,
                &self.stages.vdot,
            );
        }
        self.stages.evaluate_end(system, end)
    }

    /// The element of the algebra that leads to a stage, or to the end of the step.
    fn increment_of(&mut self, system: &S, i: usize, h: f64) {
        let MuntheKaas { tableau, rates, .. } = &self.method;
        let weights = tableau.a.get(i).unwrap_or(&tableau.b);
        self.theta.as_mut().fill(0.0);
        add(&mut self.theta, h, weights, &self.rates);
        let Rates::Plain(commutators) = rates else {
            return;
        };
        let [bracket, _] = &mut self.powers;
        for Commutator { weight, of, .. } in commutators.iter().filter(|c| c.stage == i) {
            system.bracket(&self.rates[of.0], &self.rates[of.1], bracket);
            add(
                &mut self.theta,
                h * h,
                &[*weight],
                core::slice::from_ref(bracket),
            );
        }
    }

    /// `K_i = T(theta_i)^-1 V_i`.
    fn find_rate(&mut self, system: &S, i: usize) {
        let (theta, v, rate) = (&self.theta, &self.stages.v[i], &mut self.rates[i]);
        match self.method.rates {
            Rates::Plain(_) => copy(rate, v),
            Rates::Pulled(Inverse::Exact) => system.tangent_inverse(theta, v, rate),
            Rates::Pulled(Inverse::Truncated(terms)) => {
                copy(rate, v);
                let [power, next] = &mut self.powers;
                copy(power, v);
                for k in 1..=terms {
                    system.bracket(theta, power, next);
                    core::mem::swap(power, next);
                    add(
                        rate,
                        1.0,
                        &[inverse_coefficient(k as usize)],
                        core::slice::from_ref(power),
                    );
                }
            }
        }
    }

    /// The scaled error, from one or two embedded methods.
    ///
    /// Two: E. Hairer, S. P. Norsett, G. Wanner, Solving Ordinary Differential Equations I, II.10.
    fn error(&mut self, state: &State<S>, h: f64, tolerance: Tolerance) -> f64 {
        let mut sizes = [0.0; 2];
        for (size, weights) in sizes.iter_mut().zip(&self.method.tableau.errors) {
            let mut norm = ErrorNorm::new(tolerance);
            let [error, _] = &mut self.powers;
            error.as_mut().fill(0.0);
            add(error, h, weights, &self.rates);
            for (error, theta) in error.as_ref().iter().zip(self.theta.as_ref()) {
                norm.include(*error, *theta);
            }
            if !S::FIRST_ORDER {
                error.as_mut().fill(0.0);
                add(error, h, weights, &self.stages.vdot);
                let ends = state.v.as_ref().iter().zip(self.candidate.v.as_ref());
                for (error, (v0, v1)) in error.as_ref().iter().zip(ends) {
                    norm.include(*error, v0.abs().max(v1.abs()));
                }
            }
            *size = norm.value();
        }
        match (sizes, self.method.tableau.errors.len()) {
            ([fine, coarse], 2) if fine > 0.0 => {
                fine * fine / (fine * fine + 0.01 * coarse * coarse).sqrt()
            }
            ([size, _], _) => size,
        }
    }
}

impl<S: Constrained> Stepper<S> for MuntheKaasStepper<S> {
    fn start(&mut self, system: &S, state: &mut State<S>, _h: f64) -> Result<(), SolveError> {
        self.stages.start(system, state)
    }

    fn attempt(
        &mut self,
        system: &S,
        state: &State<S>,
        h: f64,
        stats: &mut Stats,
    ) -> Result<Option<f64>, SolveError> {
        check_step(state.t, h)?;
        let computed = self.compute(system, state, h);
        computed.map_err(|fault| fault.at(state.t, h))?;
        stats.stages += self.rates.len() as u64;
        self.candidate.check_finite(state.t, h)?;
        let tolerance = self.method.tolerance;
        Ok(tolerance.map(|tolerance| self.error(state, h, tolerance)))
    }

    fn candidate(&self) -> &State<S> {
        &self.candidate
    }

    fn increment(&self, _system: &S, _state: &State<S>, out: &mut S::Velocity) {
        copy(out, &self.theta);
    }

    fn accept(&mut self, state: &mut State<S>) {
        state.take(&mut self.candidate);
        copy(&mut state.a, &state.vdot);
    }

    fn initial_step(&self, system: &S, state: &State<S>) -> Result<Option<f64>, SolveError> {
        let order = self.method.controller.error_order;
        let tolerance = self.method.tolerance;
        let found = tolerance.map(|given| initial_step(system, state, given.parts(), order));
        found.transpose()
    }

    fn tolerances(&self) -> Option<(f64, f64)> {
        self.method.tolerance.map(Tolerance::parts)
    }
}
