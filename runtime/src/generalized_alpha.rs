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
//! k  = h (1 - beta/gamma) v_n + h^2 (1/2 - beta/gamma) a_n
//! v  = gamma' P^-1 (theta - T(theta) k + h B_n^T eta),   P = sigma I + (1 - sigma) T(theta)
//! v' = epsilon' (v - v_n) + ((gamma + alpha_m - 1)/gamma a_n - alpha_f v'_n) / (1 - alpha_f)
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

mod iteration;
mod short;
mod swept;
mod weights;
mod work;

use self::weights::Weights;
use self::work::Work;
use crate::error::SolveError;
use crate::newton::{History, Kept, Measure, NewtonMatrix, NewtonOptions, Norms};
use crate::starting_values::{self, StartingValues};
use crate::state::{State, copy};
use crate::stats::Stats;
use crate::stepper::{Method, Stepper, check_step};
use crate::system::{Formulation, Implicit, NewtonCoefficients, Scratch, Storage};

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

impl<S: Implicit> Method<S> for GeneralizedAlpha {
    type Stepper = GeneralizedAlphaStepper<S>;

    fn stepper(&self, system: &S) -> Result<GeneralizedAlphaStepper<S>, SolveError> {
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
pub struct GeneralizedAlphaStepper<S: Implicit> {
    options: GeneralizedAlpha,
    measure: Measure,
    parameters: Parameters,
    sigma: f64,
    /// Step size that the algorithmic acceleration of the state belongs to.
    a_step: f64,
    /// What the last step size turned into.
    weights: Weights,
    /// Coefficients of the factorization in the workspace, if there is one.
    factored: Option<NewtonCoefficients>,
    /// How that factorization converges.
    kept: Kept,
    norms: Norms,
    geometry_start: S::Geometry,
    geometry: S::Geometry,
    work: Work<S>,
    scratch: Scratch<S>,
}

impl<S: Implicit> GeneralizedAlphaStepper<S> {
    fn new(system: &S, options: GeneralizedAlpha, parameters: Parameters, sigma: f64) -> Self {
        Self {
            options,
            measure: Measure::new(system),
            parameters,
            sigma,
            a_step: 0.0,
            weights: Weights::new(&parameters, (sigma, options.formulation), (1.0, 1.0)),
            factored: None,
            kept: Kept::new(),
            norms: History::NO_NORMS,
            geometry_start: system.new_geometry(),
            geometry: system.new_geometry(),
            work: Work::new(system),
            scratch: Scratch::new(system),
        }
    }

    /// Coefficients for a step size.
    pub fn coefficients(&self, h: f64) -> NewtonCoefficients {
        self.weights(h).newton
    }

    fn weights(&self, h: f64) -> Weights {
        let kind = (self.sigma, self.options.formulation);
        Weights::new(&self.parameters, kind, (h, self.a_step))
    }
}

impl<S: Implicit> Stepper<S> for GeneralizedAlphaStepper<S> {
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
        if !self.weights.are_for(h, self.a_step) {
            self.weights = self.weights(h);
        }
        if !self.is_short() || self.advance_short(system, state, stats).is_none() {
            self.advance(system, state, stats)?;
        }
        Ok(None)
    }

    fn candidate(&self) -> &State<S> {
        &self.work.candidate
    }

    fn increment(&self, _system: &S, _state: &State<S>, out: &mut S::Velocity) {
        copy(out, &self.work.theta);
    }

    fn may_go_over(&self) -> bool {
        self.options.formulation != Formulation::Index2
    }

    fn accept(&mut self, state: &mut State<S>) {
        state.take(&mut self.work.candidate);
        if self.options.formulation == Formulation::StabilizedIndex2 {
            state.eta.take(&mut self.work.candidate.eta);
        }
        self.a_step = self.weights.newton.h;
    }
}
