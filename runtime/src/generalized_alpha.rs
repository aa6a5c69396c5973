//! The generalized-alpha Lie group methods for constrained systems: index 3,
//! index 2 and stabilized index 2, with the sigma-modified position update.
//!
//! Arnold, Cardona, Bruls: A Lie algebra approach to Lie group time integration
//! of constrained systems, in: Structure-preserving Integrators in Nonlinear
//! Structural Dynamics and Flexible Multibody Dynamics, Springer 2016. The sigma
//! modification and its position update follow the later paper of the same school;
//! here the nonlinear equations are solved exactly, not by its incremental updates,
//! which are another method.
//!
//! ```text
//! theta   = h v_n + h^2 (1/2 - beta) a_n + h^2 beta a_{n+1}
//!           + h sigma (beta/gamma) (T^-1(theta) v_{n+1} - v_{n+1}) - h T^-1(theta) B(q_n)^T eta
//! q_{n+1} = q_n * exp(theta)
//! v_{n+1} = v_n + h (1 - gamma) a_n + h gamma a_{n+1}
//! (1 - alpha_m) a_{n+1} + alpha_m a_n = (1 - alpha_f) v'_{n+1} + alpha_f v'_n
//! M v'_{n+1} = -g - B^T lambda_{n+1}
//! index 3: Phi = 0, eta = 0;  index 2: B v = 0, eta = 0;  stabilized: both
//! ```
//!
//! Unknowns are `(theta, h^2 lambda, eta)`. Velocity and acceleration are
//! eliminated exactly with `T(theta) theta = theta`:
//!
//! ```text
//! k  = h v_n + h^2 (1/2 - beta) a_n - (h beta/gamma) (v_n + h (1 - gamma) a_n)
//! v  = gamma' P^-1 (theta - T(theta) k + h B_n^T eta),   P = sigma I + (1 - sigma) T(theta)
//! v' = epsilon' (v - v_n - h (1 - gamma) a_n) + (alpha_m a_n - alpha_f v'_n) / (1 - alpha_f)
//! ```
//!
//! | paper      | code        | meaning                                        |
//! |------------|-------------|------------------------------------------------|
//! | `a_n`      | `state.a`   | algorithmic acceleration, not `v'`             |
//! | `gamma'`   | `gamma_h`   | `gamma / (h beta)`                             |
//! | `epsilon'` | `epsilon_h` | `(1 - alpha_m) / (h gamma (1 - alpha_f))`      |
//!
//! Not here: convergence of the iteration ([`newton`](crate::newton)), the
//! starting values ([`starting_values`]).

use crate::error::SolveError;
use crate::newton::{History, NewtonMatrix, NewtonOptions, ROUNDING, SMALLEST_FACTOR};
use crate::starting_values::{self, StartingValues};
use crate::state::{State, copy};
use crate::stats::Stats;
use crate::stepper::{Method, Stepper, check_step};
use crate::system::{
    Formulation, NewtonCoefficients, NewtonPoint, NewtonVectors, ResidualPoint, Scratch, System,
};

/// Weight of the tangent operator in the position update.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub enum Sigma {
    /// `sigma = 0`: the method "geom1", `q_{n+1} = q_n exp(h v_n + ...)`.
    Geom1,
    /// `sigma = 1`: no tangent operator left in the elimination.
    One,
    /// `sigma = gamma / (3 beta)`: no commutator in the leading error term.
    Optimal,
    /// Any number.
    Value(f64),
}

/// Coefficients of the method.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameters {
    /// Weight of the old algorithmic acceleration.
    pub alpha_m: f64,
    /// Weight of the old acceleration.
    pub alpha_f: f64,
    /// Newmark's `beta`.
    pub beta: f64,
    /// Newmark's `gamma`.
    pub gamma: f64,
}

impl Parameters {
    /// Optimal high-frequency dissipation for the spectral radius `rho` at infinity:
    /// Chung and Hulbert, J. Appl. Mech. 60 (1993) 371-375.
    pub fn chung_hulbert(rho: f64) -> Self {
        let alpha_m = (2.0 * rho - 1.0) / (rho + 1.0);
        let alpha_f = rho / (rho + 1.0);
        let gamma = 0.5 - alpha_m + alpha_f;
        Self {
            alpha_m,
            alpha_f,
            beta: 0.25 * (gamma + 0.5) * (gamma + 0.5),
            gamma,
        }
    }

    /// `alpha_m - alpha_f`: the algorithmic acceleration belongs to the time `t + delta_alpha h`.
    pub fn delta_alpha(&self) -> f64 {
        self.alpha_m - self.alpha_f
    }

    /// `C_q = (1 - 6 beta - 3 delta_alpha) / 6`, the error constant of the position update.
    pub fn position_error_constant(&self) -> f64 {
        (1.0 - 6.0 * self.beta - 3.0 * self.delta_alpha()) / 6.0
    }

    /// Number that a [`Sigma`] stands for.
    pub fn sigma(&self, sigma: Sigma) -> f64 {
        match sigma {
            Sigma::Geom1 => 0.0,
            Sigma::One => 1.0,
            Sigma::Optimal => self.gamma / (3.0 * self.beta),
            Sigma::Value(value) => value,
        }
    }
}

/// Options of the generalized-alpha methods.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct GeneralizedAlpha {
    /// Constraint equations.
    pub formulation: Formulation,
    /// Spectral radius at infinity, between 0 (most damping) and 1 (none).
    pub rho: f64,
    /// Position update.
    pub sigma: Sigma,
    /// Starting values.
    pub start: StartingValues,
    /// Newton's method.
    pub newton: NewtonOptions,
}

impl GeneralizedAlpha {
    fn new(formulation: Formulation) -> Self {
        Self {
            formulation,
            rho: 0.9,
            sigma: Sigma::Geom1,
            start: StartingValues::Corrected,
            newton: NewtonOptions::default(),
        }
    }

    /// Position constraints: `Phi = 0`.
    pub fn index3() -> Self {
        Self::new(Formulation::Index3)
    }

    /// Velocity constraints: `B v = 0`.
    pub fn index2() -> Self {
        Self::new(Formulation::Index2)
    }

    /// Position and velocity constraints.
    pub fn stabilized_index2() -> Self {
        Self::new(Formulation::StabilizedIndex2)
    }

    /// Sets the spectral radius at infinity.
    #[must_use]
    pub fn rho(self, rho: f64) -> Self {
        Self { rho, ..self }
    }

    /// Sets the position update.
    #[must_use]
    pub fn sigma(self, sigma: Sigma) -> Self {
        Self { sigma, ..self }
    }

    /// Sets the kind of starting values.
    #[must_use]
    pub fn start(self, start: StartingValues) -> Self {
        Self { start, ..self }
    }

    /// Sets the options of Newton's method.
    #[must_use]
    pub fn newton(self, newton: NewtonOptions) -> Self {
        Self { newton, ..self }
    }

    /// Keeps the Newton matrix as long as each iteration shrinks the residual to 30 %.
    #[must_use]
    pub fn modified_newton(mut self) -> Self {
        self.newton.matrix = NewtonMatrix::Modified { contraction: 0.3 };
        self
    }
}

impl Method for GeneralizedAlpha {
    type Stepper<S: System> = GeneralizedAlphaStepper<S>;

    fn stepper<S: System>(&self, system: &S) -> Result<GeneralizedAlphaStepper<S>, SolveError> {
        let invalid = |option, value, expected| {
            Err(SolveError::InvalidOption {
                option,
                value,
                expected,
            })
        };
        if !(0.0..=1.0).contains(&self.rho) {
            return invalid("rho", self.rho, "between 0 and 1");
        }
        let parameters = Parameters::chung_hulbert(self.rho);
        let sigma = parameters.sigma(self.sigma);
        if !sigma.is_finite() {
            return invalid("sigma", sigma, "a finite number");
        }
        self.newton.check()?;
        Ok(GeneralizedAlphaStepper::new(
            system, *self, parameters, sigma,
        ))
    }
}

/// A generalized-alpha method with its memory.
#[derive(Clone, Debug)]
pub struct GeneralizedAlphaStepper<S: System> {
    options: GeneralizedAlpha,
    parameters: Parameters,
    sigma: f64,
    /// Step size that the algorithmic acceleration of the state belongs to.
    a_step: f64,
    /// Step size of the last attempt.
    attempted_step: f64,
    /// Coefficients of the factorization in the workspace, if there is one.
    factored: Option<NewtonCoefficients>,
    history: History,
    candidate: State<S>,
    geometry_start: S::Geometry,
    geometry: S::Geometry,
    theta: S::Velocity,
    k: S::Velocity,
    push: S::Velocity,
    /// `(alpha_m a_n - alpha_f v'_n) / (1 - alpha_f) - epsilon' (v_n + h (1 - gamma) a_n)`.
    vdot_known: S::Velocity,
    residual: NewtonVectors<S>,
    correction: NewtonVectors<S>,
    scratch: Scratch<S>,
}

impl<S: System> GeneralizedAlphaStepper<S> {
    fn new(system: &S, options: GeneralizedAlpha, parameters: Parameters, sigma: f64) -> Self {
        Self {
            options,
            parameters,
            sigma,
            a_step: 0.0,
            attempted_step: 0.0,
            factored: None,
            history: History::new(),
            candidate: State::start(system, 0.0),
            geometry_start: system.new_geometry(),
            geometry: system.new_geometry(),
            theta: system.new_velocity(),
            k: system.new_velocity(),
            push: system.new_velocity(),
            vdot_known: system.new_velocity(),
            residual: NewtonVectors::new(system),
            correction: NewtonVectors::new(system),
            scratch: Scratch::new(system),
        }
    }

    /// Coefficients for a step size.
    pub fn coefficients(&self, h: f64) -> NewtonCoefficients {
        let Parameters {
            alpha_m,
            alpha_f,
            beta,
            gamma,
        } = self.parameters;
        NewtonCoefficients {
            h,
            sigma: self.sigma,
            gamma_h: gamma / (h * beta),
            epsilon_h: (1.0 - alpha_m) / (h * gamma * (1.0 - alpha_f)),
            formulation: self.options.formulation,
        }
    }

    /// The known parts of the equations and the first guess.
    fn predict(&mut self, state: &State<S>, coefficients: &NewtonCoefficients) {
        let NewtonCoefficients { h, epsilon_h, .. } = *coefficients;
        let Parameters {
            alpha_m,
            alpha_f,
            beta,
            gamma,
        } = self.parameters;
        let stretch = self.stretch(h);
        let (of_a, of_vdot) = (alpha_m / (1.0 - alpha_f), alpha_f / (1.0 - alpha_f));
        let (h_a, h2_a, h_known) = (h * (1.0 - gamma), h * h * (0.5 - beta), h * beta / gamma);
        let half = 0.5 * h * h;
        for i in 0..state.v.as_ref().len() {
            let (v, vdot) = (state.v.as_ref()[i], state.vdot.as_ref()[i]);
            let a = vdot + stretch * (state.a.as_ref()[i] - vdot);
            let known = v + h_a * a;
            self.vdot_known.as_mut()[i] = of_a * a - of_vdot * vdot - epsilon_h * known;
            self.k.as_mut()[i] = h * v + h2_a * a - h_known * known;
            self.theta.as_mut()[i] = h * v + half * a;
        }
        copy(&mut self.candidate.lambda, &state.lambda);
        if self.options.formulation == Formulation::StabilizedIndex2 {
            self.candidate.eta.as_mut().fill(0.0);
        }
        self.candidate.t = state.t + h;
    }

    /// The algorithmic acceleration is `v'` at `t + delta_alpha h`: it moves with `h`.
    fn stretch(&self, h: f64) -> f64 {
        if self.a_step > 0.0 {
            h / self.a_step
        } else {
            1.0
        }
    }

    /// `a` at the end of the step, from `v = v_n + h ((1 - gamma) a_n + gamma a)`.
    fn find_acceleration(&mut self, state: &State<S>, h: f64) {
        let gamma = self.parameters.gamma;
        let stretch = self.stretch(h);
        let (h_a, factor) = (h * (1.0 - gamma), 1.0 / (h * gamma));
        let v = self.candidate.v.as_ref();
        for (i, found) in self.candidate.a.as_mut().iter_mut().enumerate() {
            let vdot = state.vdot.as_ref()[i];
            let a = vdot + stretch * (state.a.as_ref()[i] - vdot);
            *found = factor * (v[i] - (state.v.as_ref()[i] + h_a * a));
        }
    }

    /// Configuration, velocity and acceleration that belong to the increment, from which a
    /// multiple of the correction is subtracted first.
    #[inline(always)]
    fn follow(
        &mut self,
        system: &S,
        state: &State<S>,
        coefficients: &NewtonCoefficients,
        factor: f64,
    ) {
        if factor != 0.0 {
            self.correct(coefficients.h, factor);
        }
        system.displace(&state.q, &self.theta, &mut self.candidate.q);
        if coefficients.formulation == Formulation::StabilizedIndex2 {
            system.jacobian_transpose_times(
                &self.geometry_start,
                &self.candidate.eta,
                &mut self.push,
            );
            for push in self.push.as_mut() {
                *push *= coefficients.h;
            }
        }
        system.velocity_of_increment(
            coefficients,
            &self.theta,
            &self.k,
            &self.push,
            &mut self.candidate.v,
        );
        let (v, known) = (self.candidate.v.as_ref(), self.vdot_known.as_ref());
        for (i, vdot) in self.candidate.vdot.as_mut().iter_mut().enumerate() {
            *vdot = coefficients.epsilon_h * v[i] + known[i];
        }
    }

    /// Evaluates the scaled residual and returns its largest component.
    #[inline(always)]
    fn evaluate(
        &mut self,
        system: &S,
        coefficients: &NewtonCoefficients,
    ) -> Result<f64, SolveError> {
        let State {
            t,
            ref q,
            ref v,
            ref vdot,
            ref lambda,
            ..
        } = self.candidate;
        let point = ResidualPoint {
            t,
            q,
            v,
            vdot,
            lambda,
        };
        system
            .newton_residual(
                coefficients,
                &point,
                &mut self.geometry,
                &mut self.residual,
                &mut self.scratch,
            )
            .map_err(|fault| fault.at(t - coefficients.h, coefficients.h))?;
        let (dynamics, constraint) = (&self.residual.dynamics, &self.residual.constraint);
        let mut norm = Norm::default();
        norm.include(dynamics.as_ref());
        norm.include(constraint.as_ref());
        if coefficients.formulation == Formulation::StabilizedIndex2 {
            norm.include(self.residual.hidden.as_ref());
        }
        Ok(norm.value())
    }

    /// The correction that belongs to the residual, with a matrix of its own or a kept one.
    #[inline(always)]
    fn solve(
        &mut self,
        system: &S,
        coefficients: &NewtonCoefficients,
        stats: &mut Stats,
    ) -> Result<(), SolveError> {
        let point = NewtonPoint {
            t: self.candidate.t,
            q: &self.candidate.q,
            geometry: &self.geometry,
            geometry_start: &self.geometry_start,
            theta: &self.theta,
            k: &self.k,
            v: &self.candidate.v,
            lambda: &self.candidate.lambda,
        };
        let h = coefficients.h;
        let t = self.candidate.t - h;
        let (residual, correction) = (&mut self.residual, &mut self.correction);
        let workspace = &mut self.scratch.workspace;
        let NewtonMatrix::Modified { contraction } = self.options.newton.matrix else {
            stats.factorizations += 1;
            return system
                .newton_correction(coefficients, &point, residual, correction, workspace)
                .map_err(|fault| fault.at(t, h));
        };
        let kept = self.factored == Some(*coefficients);
        if !kept || self.history.slower_than(contraction) {
            *if kept {
                &mut stats.refactorizations
            } else {
                &mut stats.factorizations
            } += 1;
            self.factored = None;
            system
                .newton_factor(coefficients, &point, workspace)
                .map_err(|fault| fault.at(t, h))?;
            self.factored = Some(*coefficients);
        }
        correction.take(residual, coefficients.formulation);
        system.newton_solve(correction, workspace);
        Ok(())
    }

    /// The last correction relative to the increment. Positions far from the origin are rounded
    /// by more than a small increment: corrections of a few units in their last place are small
    /// too (a chain of 10 000 links with steps of 1e-4).
    fn correction_size(&self) -> f64 {
        const LAST_PLACES: f64 = 8.0 * f64::EPSILON / ROUNDING;
        let rounded = LAST_PLACES * largest(self.candidate.q.as_ref());
        let size = rounded.max(largest(self.theta.as_ref()));
        largest(self.correction.dynamics.as_ref()) / size
    }

    /// Subtracts a multiple of the correction from the unknowns.
    #[inline]
    fn correct(&mut self, h: f64, factor: f64) {
        let subtract = |to: &mut [f64], from: &[f64], factor: f64| {
            for (x, d) in to.iter_mut().zip(from) {
                *x -= factor * d;
            }
        };
        subtract(
            self.theta.as_mut(),
            self.correction.dynamics.as_ref(),
            factor,
        );
        subtract(
            self.candidate.lambda.as_mut(),
            self.correction.constraint.as_ref(),
            factor / (h * h),
        );
        if self.options.formulation == Formulation::StabilizedIndex2 {
            subtract(
                self.candidate.eta.as_mut(),
                self.correction.hidden.as_ref(),
                factor,
            );
        }
    }
}

impl<S: System> GeneralizedAlphaStepper<S> {
    /// Newton's method from the predicted values to convergence.
    fn iterate(
        &mut self,
        system: &S,
        state: &State<S>,
        coefficients: &NewtonCoefficients,
        stats: &mut Stats,
    ) -> Result<(), SolveError> {
        let newton = self.options.newton;
        let h = coefficients.h;
        self.history.clear();
        let mut before = f64::INFINITY;
        let (mut size, mut factor) = (f64::INFINITY, 1.0);
        let mut is_last = false;
        // The multiple of the correction that is subtracted next.
        let mut subtracted = 0.0;
        loop {
            let swept = self.swept(system, state, coefficients, subtracted, !is_last);
            if swept.is_none() {
                self.follow(system, state, coefficients, subtracted);
            }
            if is_last {
                stats.newton_iterations += 1;
                return Ok(());
            }
            let norm = match swept {
                Some(norm) => norm,
                None => self.evaluate(system, coefficients)?,
            };
            if self.history.is_empty() {
                if !norm.is_finite() {
                    return Err(self.not_finite(state.t, h));
                }
            } else {
                // The size matters only where convergence is not clear.
                if factor == 1.0 && !(norm <= 0.5 * before) {
                    size = self.correction_size();
                }
                // Takes back half of a correction while it enlarges the residual.
                let searches = newton.line_search && (size > ROUNDING || size.is_nan());
                if !(norm <= before) && searches && factor > SMALLEST_FACTOR {
                    factor *= 0.5;
                    subtracted = -factor;
                    stats.line_search_halvings += 1;
                    continue;
                }
                stats.newton_iterations += 1;
            }
            self.history.push(norm);
            if self.history.converged(&newton, size) {
                return Ok(());
            }
            if self.history.iterations() == newton.max_iterations {
                self.factored = None;
                return Err(self.history.failure(state.t, h, &newton));
            }
            self.solve(system, coefficients, stats)?;
            is_last = self.history.is_last_correction(&newton);
            (before, factor, subtracted) = (norm, 1.0, 1.0);
        }
    }

    #[cold]
    fn not_finite(&self, t: f64, h: f64) -> SolveError {
        let residual = self.residual.dynamics.as_ref();
        SolveError::NotFinite {
            t,
            h,
            quantity: "residual of the equations of motion",
            component: residual.iter().position(|x| !x.is_finite()).unwrap_or(0),
        }
    }
}

impl<S: System> Stepper<S> for GeneralizedAlphaStepper<S> {
    fn start(&mut self, system: &S, state: &mut State<S>, h: f64) -> Result<(), SolveError> {
        check_step(state.t, h)?;
        self.factored = None;
        self.a_step = h;
        starting_values::compute(
            system,
            state,
            h,
            &starting_values::Rule {
                kind: self.options.start,
                formulation: self.options.formulation,
                parameters: self.parameters,
                sigma: self.sigma,
            },
            &mut self.scratch,
        )
    }

    fn attempt(
        &mut self,
        system: &S,
        state: &State<S>,
        h: f64,
        stats: &mut Stats,
    ) -> Result<Option<f64>, SolveError> {
        check_step(state.t, h)?;
        let coefficients = self.coefficients(h);
        if coefficients.formulation == Formulation::StabilizedIndex2 {
            system
                .geometry(state.t, &state.q, &mut self.geometry_start)
                .map_err(|fault| fault.at(state.t, h))?;
        }
        self.predict(state, &coefficients);
        self.iterate(system, state, &coefficients, stats)?;
        self.find_acceleration(state, h);
        self.candidate.check_finite(state.t, h)?;
        self.attempted_step = h;
        Ok(None)
    }

    fn candidate(&self) -> &State<S> {
        &self.candidate
    }

    fn increment(&self) -> &S::Velocity {
        &self.theta
    }

    fn accept(&mut self, state: &mut State<S>) {
        state.take(&mut self.candidate);
        self.a_step = self.attempted_step;
    }
}

mod swept;

/// The largest magnitude. Comparisons forget what is not a number, the sum does not.
#[derive(Default)]
struct Norm {
    largest: f64,
    sum: f64,
}

impl Norm {
    #[inline(always)]
    fn include(&mut self, x: &[f64]) {
        for x in x {
            let x = x.abs();
            self.largest = if x > self.largest { x } else { self.largest };
            self.sum += x;
        }
    }

    #[inline(always)]
    fn value(&self) -> f64 {
        if self.sum.is_nan() {
            f64::NAN
        } else {
            self.largest
        }
    }
}

/// The largest magnitude; NaN wins.
fn largest(x: &[f64]) -> f64 {
    let mut norm = Norm::default();
    norm.include(x);
    norm.value()
}

#[cfg(test)]
mod tests {
    use super::largest;

    #[test]
    fn not_a_number_is_the_largest() {
        assert_eq!(largest(&[-2.0, 1.0]).to_bits(), 2.0_f64.to_bits());
        for x in [[f64::NAN, 1.0], [1.0, f64::NAN], [-f64::NAN, f64::INFINITY]] {
            assert!(largest(&x).is_nan(), "{x:?}");
        }
    }
}
