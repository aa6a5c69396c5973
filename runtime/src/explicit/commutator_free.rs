//! Commutator-free methods and those of Crouch and Grossman.
//!
//! ```text
//! Y_i     = Y_from * exp(h sum_j w_1j f_j) * exp(h sum_j w_2j f_j) ...      f_i = f(t_n + c_i h, Y_i)
//! y_{n+1} = the same with other weights
//! ```
//!
//! Neither commutators nor `T^-1` are needed. The error of a step is the distance of its end to that of
//! an embedded method, in the coordinates of the point.

use super::pair::{ErrorNorm, Tolerance};
use super::products::{CROUCH_GROSSMAN, FOURTH, Products, Reached, THIRD_A, THIRD_B};
use super::stages::{Stages, add};
use crate::control::Controller;
use crate::error::{Fault, SolveError};
use crate::initial_step::initial_step;
use crate::state::{State, copy};
use crate::stats::Stats;
use crate::stepper::{Method, Stepper, check_step};
use crate::system::Constrained;

/// Options of the methods that multiply exponentials.
///
/// Methods with an embedded one adapt their steps once they have tolerances.
#[derive(Clone, Debug, PartialEq)]
pub struct CommutatorFree {
    products: Products,
    tolerance: Option<Tolerance>,
    controller: Controller,
}

impl CommutatorFree {
    fn new(products: Products) -> Self {
        let embedded = products.embedded.map_or(0, |(order, _)| order);
        Self {
            products,
            tolerance: None,
            controller: Controller::new(1 + products.order.min(embedded)),
        }
    }

    /// The pair 4(3): four stages and one more for the error.
    pub fn order4() -> Self {
        Self::new(FOURTH)
    }

    /// The first pair 3(2), three stages.
    pub fn order3a() -> Self {
        Self::new(THIRD_A)
    }

    /// The second pair 3(2), three stages.
    pub fn order3b() -> Self {
        Self::new(THIRD_B)
    }

    /// The method of Crouch and Grossman of order 3, three stages.
    pub fn crouch_grossman3() -> Self {
        Self::new(CROUCH_GROSSMAN)
    }

    /// Adapts the steps to a local error of `absolute + relative |y|` in every component of
    /// `(q, v)`, in the root mean square.
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

    /// Order of the method, and that of the embedded one or zero.
    pub fn orders(&self) -> (u32, u32) {
        let embedded = self.products.embedded.map_or(0, |(order, _)| order);
        (self.products.order, embedded)
    }
}

impl<S: Constrained> Method<S> for CommutatorFree {
    type Stepper = CommutatorFreeStepper<S>;

    fn stepper(&self, system: &S) -> Result<CommutatorFreeStepper<S>, SolveError> {
        if let Some(tolerance) = self.tolerance {
            tolerance.check(self.orders().1, &self.controller)?;
        }
        let Products { stages, .. } = self.products;
        // A stage after the last one that the step needs serves the embedded method.
        let needed = |reached: &Reached| reached.by.iter().map(|w| w.len()).max().unwrap_or(0);
        let count = match self.tolerance {
            Some(_) => stages.len() + 1,
            None => needed(&self.products.step).max(self.products.step.from + 1),
        };
        Ok(CommutatorFreeStepper {
            method: self.clone(),
            stages: Stages::new(system, times(stages).into_iter().take(count))?,
            count,
            points: (0..count).map(|_| system.start_config()).collect(),
            ends: [system.start_config(), system.start_config()],
            theta: system.new_velocity(),
            embedded: system.new_velocity(),
            candidate: State::start(system, 0.0),
        })
    }

    fn controller(&self) -> Option<Controller> {
        self.tolerance.map(|_| self.controller)
    }
}

/// `c_i`: the sums of all weights on the way to a stage.
fn times(stages: &[Reached]) -> Vec<f64> {
    let mut times = vec![0.0];
    for stage in stages {
        times.push(times[stage.from] + stage.by.iter().copied().flatten().sum::<f64>());
    }
    times
}

/// The stepper of the methods that multiply exponentials.
#[derive(Clone, Debug)]
pub struct CommutatorFreeStepper<S: Constrained> {
    method: CommutatorFree,
    stages: Stages<S>,
    /// Stages that are evaluated, the state included.
    count: usize,
    /// `Y_i`.
    points: Vec<S::Config>,
    /// Points on the way, and the end of the embedded method.
    ends: [S::Config; 2],
    theta: S::Velocity,
    embedded: S::Velocity,
    candidate: State<S>,
}

impl<S: Constrained> CommutatorFreeStepper<S> {
    fn compute(&mut self, system: &S, state: &State<S>, h: f64) -> Result<(), Fault> {
        self.stages.begin(state);
        copy(&mut self.points[0], &state.q);
        for i in 1..self.count {
            let reached = self.method.products.stages[i - 1];
            self.reach(system, reached, (state.t, h))?;
            copy(&mut self.points[i], &self.ends[0]);
            self.reach_velocity(reached, state, h);
            copy(&mut self.stages.v[i], &self.embedded);
            self.stages
                .evaluate(system, i, (state.t, h), &self.points[i])?;
        }
        let step = self.method.products.step;
        self.reach(system, step, (state.t, h))?;
        copy(&mut self.candidate.q, &self.ends[0]);
        self.reach_velocity(step, state, h);
        copy(&mut self.candidate.v, &self.embedded);
        self.candidate.t = state.t + h;
        self.stages.evaluate_end(system, &mut self.candidate)
    }

    /// Multiplies exponentials; the end is in `ends[0]`.
    fn reach(
        &mut self,
        system: &S,
        Reached { from, by }: Reached,
        (t, h): (f64, f64),
    ) -> Result<(), Fault> {
        let [end, next] = &mut self.ends;
        copy(end, &self.points[from]);
        for weights in by {
            self.theta.as_mut().fill(0.0);
            add(&mut self.theta, h, weights, &self.stages.v);
            system.check_increment(t, end, &self.theta)?;
            system.displace(end, &self.theta, next);
            core::mem::swap(end, next);
        }
        Ok(())
    }

    /// The velocity of a mechanism there, a vector: it goes into `embedded`.
    fn reach_velocity(&mut self, reached: Reached, state: &State<S>, h: f64) {
        if S::FIRST_ORDER {
            return;
        }
        let v = &mut self.embedded;
        copy(v, &state.v);
        let mut way = Some(reached);
        while let Some(Reached { from, by }) = way {
            for weights in by {
                add(v, h, weights, &self.stages.vdot);
            }
            way = (from > 0).then(|| self.method.products.stages[from - 1]);
        }
    }

    fn error(&mut self, system: &S, state: &State<S>, h: f64, tolerance: Tolerance) -> f64 {
        let Some((_, embedded)) = self.method.products.embedded else {
            return f64::NAN;
        };
        if self.reach(system, embedded, (state.t, h)).is_err() {
            return f64::NAN;
        }
        self.reach_velocity(embedded, state, h);
        let mut norm = ErrorNorm::new(tolerance);
        let [end, _] = &self.ends;
        for (fine, coarse) in self.candidate.q.as_ref().iter().zip(end.as_ref()) {
            norm.include(fine - coarse, *fine);
        }
        if !S::FIRST_ORDER {
            let ends = state.v.as_ref().iter().zip(self.embedded.as_ref());
            for (v1, (v0, coarse)) in self.candidate.v.as_ref().iter().zip(ends) {
                norm.include(v1 - coarse, v0.abs().max(v1.abs()));
            }
        }
        norm.value()
    }
}

impl<S: Constrained> Stepper<S> for CommutatorFreeStepper<S> {
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
        stats.stages += self.count as u64;
        self.candidate.check_finite(state.t, h)?;
        let tolerance = self.method.tolerance;
        Ok(tolerance.map(|tolerance| self.error(system, state, h, tolerance)))
    }

    fn candidate(&self) -> &State<S> {
        &self.candidate
    }

    /// One exponential that leads to the end of the step as well.
    fn increment(&self, system: &S, state: &State<S>, out: &mut S::Velocity) {
        system.difference(&state.q, &self.candidate.q, out);
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
