//! The border between model and solver.
//!
//! A model is a constrained mechanical system on a Lie group,
//!
//! ```text
//! q'          = q * hat(v)                       (left-invariant velocities)
//! M(q) v'     = -g(t, q, v) - B(q)^T lambda
//! 0           = Phi(t, q)                        B(q) w = D_q Phi * w
//! ```
//!
//! and a solver asks it only for what its formulas contain. It never sees a
//! matrix of the size of the system: linear systems are solved behind the
//! border, by unrolled elimination in generated code and by dense or sparse
//! factorization in the [generic system](crate::generic).
//!
//! Everything that depends on the configuration alone is evaluated once into a
//! [`Geometry`](System::Geometry) and then used by several calls.

mod newton;
mod stage;

pub use self::newton::{
    Formulation, Increment, IncrementResults, NewtonCoefficients, NewtonPoint, NewtonVectors,
    ResidualPoint, ResidualSize, ShortCorrection, ShortPoint, compose_correction, compose_residual,
};
pub use self::stage::{NextStage, Stage, StagePast, StageResults, compose_stage};

use crate::error::Fault;
use crate::joints::JointFrame;
use crate::lie::Space;

/// Numbers in a row: a plain array when the size is known at compile time, a
/// heap slice otherwise.
pub trait Storage: Clone + core::fmt::Debug + AsRef<[f64]> + AsMut<[f64]> {
    /// Takes over the numbers of another one, which may be anything after that: memory on the
    /// heap changes hands, an array is copied.
    fn take(&mut self, from: &mut Self);

    /// Zeros, if their number is a part of the type. What is written to a local array and not
    /// read need not be computed.
    #[inline(always)]
    fn local() -> Option<Self> {
        None
    }
}

impl<const N: usize> Storage for [f64; N] {
    #[inline(always)]
    fn local() -> Option<Self> {
        Some([0.0; N])
    }

    #[inline]
    fn take(&mut self, from: &mut Self) {
        *self = *from;
    }
}

impl Storage for Box<[f64]> {
    #[inline]
    fn take(&mut self, from: &mut Self) {
        core::mem::swap(self, from);
    }
}

/// Kinetic and potential energy.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Energy {
    /// `1/2 v^T M v`.
    pub kinetic: f64,
    /// Energy of gravity and of every elastic force.
    pub potential: f64,
}

impl Energy {
    /// Kinetic plus potential energy.
    pub fn total(&self) -> f64 {
        self.kinetic + self.potential
    }
}

/// Linear and angular momentum in the inertial frame, the latter about its origin.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Momentum {
    /// Sum of mass times velocity of the centres of mass.
    pub linear: [f64; 3],
    /// Sum of the angular momenta about the origin of the inertial frame.
    pub angular: [f64; 3],
}

/// A constrained mechanical system on a Lie group, as the solvers see it.
///
/// The methods without a body are what a system must know; those with a body
/// are compositions that generated code may replace by a fused kernel.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a multibody system",
    note = "declare it with `#[multibody]` on its struct, or assemble a description with `GenericSystem::new`"
)]
pub trait System {
    /// Configuration, flat: rotations row by row or as quaternion (w, x, y, z), then translation;
    /// after all bodies, the continuous angles of the space.
    type Config: Storage;
    /// Velocities, increments, generalized forces.
    type Velocity: Storage;
    /// Multipliers and constraint residuals.
    type Multiplier: Storage;
    /// What depends on `(t, q)` alone.
    type Geometry: Clone + core::fmt::Debug;
    /// Scratch memory and factorizations, allocated once.
    type Workspace: Clone + core::fmt::Debug;

    /// Whether [`stage_solve`](System::stage_solve) of a [`steady`](NextStage::steady) method reads
    /// nothing of the configuration of the next stage, because `B` is constant where the
    /// constraints hold. A stage that only serves to find multipliers is then not evaluated.
    const CONSTANT_JACOBIAN: bool = false;

    /// Whether [`stage_solve`](System::stage_solve) reads [`NextStage::reach`]. One mostly does
    /// better with [`NextStage::v`] and `weight`, as [`compose_stage`] does.
    const READS_REACH: bool = true;

    /// Whether there is a [`short_iteration`](System::short_iteration).
    const SHORT_ITERATION: bool = false;

    /// The configuration space: the product of the groups of all bodies.
    fn space(&self) -> &Space;
    /// Number of constraint equations.
    fn constraint_count(&self) -> usize;
    /// Names a constraint equation by its joint and direction.
    fn constraint_name(&self, row: usize) -> String;
    /// Names a factor of the configuration space, that is, a body.
    fn factor_name(&self, factor: usize) -> String;

    /// The joints, for outputs: coordinates and reactions (see [`joints`](crate::joints)).
    fn joints(&self) -> &[JointFrame] {
        &[]
    }

    /// Where the frame of a factor on a rotation group (`SO3`, `S3`) is fixed.
    fn factor_origin(&self, factor: usize) -> [f64; 3];

    /// A configuration to be overwritten.
    fn new_config(&self) -> Self::Config;
    /// A zero velocity.
    fn new_velocity(&self) -> Self::Velocity;
    /// A zero multiplier.
    fn new_multiplier(&self) -> Self::Multiplier;
    /// A geometry to be overwritten.
    fn new_geometry(&self) -> Self::Geometry;
    /// Scratch memory for the solves of one solver.
    fn new_workspace(&self) -> Self::Workspace;
    /// The configuration that the model declares as its start.
    fn start_config(&self) -> Self::Config;
    /// The velocity that the model declares as its start.
    fn start_velocity(&self) -> Self::Velocity;

    /// `out = q * exp(theta)`; a continuous angle becomes the one next to that of `q`.
    fn displace(&self, q: &Self::Config, theta: &Self::Velocity, out: &mut Self::Config);
    /// `out = T(theta)^-1 v`, the rate of `theta` when `q exp(theta)` moves with `v`.
    fn tangent_inverse(&self, theta: &Self::Velocity, v: &Self::Velocity, out: &mut Self::Velocity);
    /// The velocity of a generalized-alpha step as a function of its increment,
    ///
    /// ```text
    /// out = gamma' P^-1 (theta - T(theta) k + push),   P = sigma I + (1 - sigma) T(theta)
    /// ```
    ///
    /// with `push = h B(q_n)^T eta`. This is the exact elimination of `v_{n+1}`
    /// from the sigma-modified position update, using `T(theta) theta = theta`.
    fn velocity_of_increment(
        &self,
        coefficients: &NewtonCoefficients,
        theta: &Self::Velocity,
        k: &Self::Velocity,
        push: &Self::Velocity,
        out: &mut Self::Velocity,
    );

    /// Evaluates all that depends on `(t, q)` alone.
    ///
    /// # Errors
    /// A [`Fault`] if the configuration is outside the domain of the model.
    fn geometry(&self, t: f64, q: &Self::Config, out: &mut Self::Geometry) -> Result<(), Fault>;
    /// The geometry of a half-explicit stage, at `q * exp(theta)`, for a method that is
    /// [`steady`](NextStage::steady) or not.
    ///
    /// Only [`stage_solve`](System::stage_solve) reads it: generated code computes what that
    /// needs and leaves the rest out.
    ///
    /// # Errors
    /// A [`Fault`] if the configuration is outside the domain of the model.
    #[inline]
    fn displaced_geometry(
        &self,
        (t, steady): (f64, bool),
        q: &Self::Config,
        theta: &Self::Velocity,
        out: &mut Self::Geometry,
        scratch: &mut Self::Config,
    ) -> Result<(), Fault> {
        let _ = steady;
        self.displace(q, theta, scratch);
        self.geometry(t, scratch, out)
    }
    /// Fails if the way from `q` to `q * exp(theta)` leaves the domain of the model, which its end
    /// need not show: a rotation matrix does not tell a turn from one that is a circle less.
    ///
    /// # Errors
    /// A [`Fault`] if the model is not defined all along.
    #[inline(always)]
    fn check_increment(
        &self,
        t: f64,
        q: &Self::Config,
        theta: &Self::Velocity,
    ) -> Result<(), Fault> {
        let _ = (t, q, theta);
        Ok(())
    }
    /// `out = g(t, q, v)`: gyroscopic terms minus all applied forces.
    fn force(
        &self,
        t: f64,
        geometry: &Self::Geometry,
        v: &Self::Velocity,
        out: &mut Self::Velocity,
    );
    /// `out = M w`.
    fn mass_times(&self, w: &Self::Velocity, out: &mut Self::Velocity);
    /// `out = M^-1 f`.
    fn mass_solve(&self, f: &Self::Velocity, out: &mut Self::Velocity);
    /// `out = Phi(t, q)`.
    fn constraint(
        &self,
        t: f64,
        q: &Self::Config,
        geometry: &Self::Geometry,
        out: &mut Self::Multiplier,
    );
    /// `out = B w`.
    fn jacobian_times(
        &self,
        geometry: &Self::Geometry,
        w: &Self::Velocity,
        out: &mut Self::Multiplier,
    );
    /// `out = B^T lambda`.
    fn jacobian_transpose_times(
        &self,
        geometry: &Self::Geometry,
        lambda: &Self::Multiplier,
        out: &mut Self::Velocity,
    );
    /// `out = d Phi / d t` at fixed `q`; zero unless a constraint is prescribed in time.
    fn constraint_rate(&self, t: f64, geometry: &Self::Geometry, out: &mut Self::Multiplier);
    /// `out = Z(v, v)`, the part of the second time derivative of `Phi` that does
    /// not contain `v'`: `d^2 Phi / dt^2 = B v' + Z`.
    fn constraint_quadratic(
        &self,
        t: f64,
        q: &Self::Config,
        geometry: &Self::Geometry,
        v: &Self::Velocity,
        out: &mut Self::Multiplier,
    );
    /// `out = D_q(B(q) v + dPhi/dt) w`, with `v` fixed.
    fn jacobian_derivative_times(
        &self,
        q: &Self::Config,
        geometry: &Self::Geometry,
        v: &Self::Velocity,
        w: &Self::Velocity,
        out: &mut Self::Multiplier,
    );
    /// `out = K w`, `K = D_q(g(t, q, v) + B(q)^T lambda)`.
    #[expect(clippy::too_many_arguments, reason = "the arguments of K")]
    fn stiffness_times(
        &self,
        t: f64,
        q: &Self::Config,
        geometry: &Self::Geometry,
        v: &Self::Velocity,
        lambda: &Self::Multiplier,
        w: &Self::Velocity,
        out: &mut Self::Velocity,
    );
    /// `out = D w`, `D = dg/dv`.
    fn damping_times(
        &self,
        t: f64,
        q: &Self::Config,
        geometry: &Self::Geometry,
        v: &Self::Velocity,
        w: &Self::Velocity,
        out: &mut Self::Velocity,
    );
    /// Kinetic and potential energy.
    fn energy(&self, t: f64, q: &Self::Config, v: &Self::Velocity) -> Energy;
    /// False if no force, driver or formula can bring energy into the system: what it does not keep
    /// is friction, or an error of the method.
    fn may_gain_energy(&self) -> bool {
        true
    }
    /// Names a force that is NaN or infinite at a state, if there is one.
    fn not_finite_force(
        &self,
        t: f64,
        geometry: &Self::Geometry,
        v: &Self::Velocity,
    ) -> Option<String> {
        let mut force = self.new_velocity();
        self.force(t, geometry, v, &mut force);
        let component = force.as_ref().iter().position(|x| !x.is_finite())?;
        let mut factors = self.space().factors();
        let body = factors.position(|factor| factor.velocity.contains(&component))?;
        Some(format!("force on body `{}`", self.factor_name(body)))
    }
    /// Linear and angular momentum.
    fn momentum(&self, q: &Self::Config, v: &Self::Velocity) -> Momentum;

    /// Solves `[B(q_rows) M^-1 B(q_columns)^T] x = right` in place.
    ///
    /// Not symmetric unless both geometries are the same.
    ///
    /// # Errors
    /// [`Fault::SingularConstraints`] if the constraints are linearly dependent.
    fn schur_solve(
        &self,
        rows: &Self::Geometry,
        columns: &Self::Geometry,
        right: &mut Self::Multiplier,
        workspace: &mut Self::Workspace,
    ) -> Result<(), Fault>;
    /// Assembles and factors the Newton matrix of a generalized-alpha step.
    ///
    /// With `V = dv/dtheta` and `E = dv/deta` of [`System::velocity_of_increment`]:
    ///
    /// ```text
    /// | h^2 [(epsilon' M + D) V + K T]   B^T   h^2 (epsilon' M + D) E |   index 3 and stabilized
    /// | B T                              0     0                      |   (rows 1, 2; rows 1, 2, 3)
    /// | h (B V + D_q(B v + dPhi/dt) T)   0     h B E                  |   index 2: rows 1, 3
    /// ```
    ///
    /// The derivative of `T(theta) x` inside `V` may be truncated after its
    /// second-order term: it only affects the speed of convergence.
    ///
    /// # Errors
    /// [`Fault::SingularNewton`] if the matrix is singular.
    fn newton_factor(
        &self,
        coefficients: &NewtonCoefficients,
        point: &NewtonPoint<'_, Self>,
        workspace: &mut Self::Workspace,
    ) -> Result<(), Fault>;
    /// The residual of a generalized-alpha step, see [`NewtonVectors`], and the geometry that
    /// [`newton_factor`](System::newton_factor) is given.
    ///
    /// # Errors
    /// A [`Fault`] if the configuration is outside the domain of the model.
    #[inline]
    fn newton_residual(
        &self,
        coefficients: &NewtonCoefficients,
        point: &ResidualPoint<'_, Self>,
        geometry: &mut Self::Geometry,
        out: &mut NewtonVectors<Self>,
        scratch: &mut Scratch<Self>,
    ) -> Result<(), Fault> {
        compose_residual(self, coefficients, point, geometry, out, scratch)
    }
    /// Corrects the increment of a generalized-alpha step and finds where it leads and, if it is
    /// asked for, the residual there, in one pass over the bodies. Returns the largest components of
    /// the residual, or nothing if the solver must compose all this of `displace`,
    /// [`velocity_of_increment`](System::velocity_of_increment) and
    /// [`newton_residual`](System::newton_residual). Not asked of the stabilized formulation.
    #[inline(always)]
    fn sweep_increment(
        &self,
        coefficients: &NewtonCoefficients,
        increment: &Increment<'_, Self>,
        results: &mut IncrementResults<'_, Self>,
        residual: Option<&mut NewtonVectors<Self>>,
    ) -> Option<ResidualSize> {
        let _ = (coefficients, increment, results, residual);
        None
    }
    /// Replaces a residual by the correction that the last factorization gives:
    /// solves `matrix * correction = residual`.
    fn newton_solve(&self, vectors: &mut NewtonVectors<Self>, workspace: &mut Self::Workspace);
    /// The correction for a residual, with a matrix that need not be kept; nor must the residual.
    ///
    /// # Errors
    /// [`Fault::SingularNewton`] if the matrix is singular.
    #[inline]
    fn newton_correction(
        &self,
        coefficients: &NewtonCoefficients,
        point: &NewtonPoint<'_, Self>,
        residual: &mut NewtonVectors<Self>,
        correction: &mut NewtonVectors<Self>,
        workspace: &mut Self::Workspace,
    ) -> Result<(), Fault> {
        compose_correction(self, coefficients, point, residual, correction, workspace)
    }

    /// One iteration of full Newton for index 3 with `sigma = 0`, from the increment to its
    /// correction, with nothing in between in memory. Nothing if a pivot is lost: the solver then
    /// takes the other way, by `displace`, [`newton_residual`](System::newton_residual) and
    /// [`newton_correction`](System::newton_correction).
    #[inline(always)]
    fn short_iteration(
        &self,
        coefficients: &NewtonCoefficients,
        point: &ShortPoint<'_, Self>,
    ) -> Option<ShortCorrection<Self>> {
        let _ = (coefficients, point);
        None
    }

    /// Acceleration and multipliers of a half-explicit stage: with the stage at
    /// `(t, q, v)`, the geometry of the next stage, and
    /// `reach = (v_n + h sum_{j<i} a_{i+1,j} V'_j) / (h a_{i+1,i})`, `weight = 1 / (h a_{i+1,i})`,
    ///
    /// ```text
    /// M V' + B(Q_i)^T Lambda            = -g
    /// B(Q_{i+1}) (V' + reach) + weight dPhi/dt(t_{i+1}) = 0
    /// ```
    ///
    /// # Errors
    /// [`Fault::SingularConstraints`] if the constraints are linearly dependent.
    #[inline]
    fn stage_solve(
        &self,
        stage: &Stage<'_, Self>,
        next: &NextStage<'_, Self>,
        vdot: &mut Self::Velocity,
        lambda: &mut Self::Multiplier,
        scratch: &mut Scratch<Self>,
    ) -> Result<(), Fault> {
        compose_stage(self, stage, next, vdot, lambda, scratch)
    }

    /// A whole half-explicit stage, from the sums over the stages before it to the rate of the
    /// next one; false if the solver must compose it of the functions above.
    ///
    /// For systems so large that memory limits: all that belongs to one body is done while it
    /// is in the cache.
    ///
    /// # Errors
    /// As [`stage_solve`](System::stage_solve).
    #[inline(always)]
    fn sweep_stage(
        &self,
        stage: &Stage<'_, Self>,
        past: &StagePast<'_, Self>,
        results: &mut StageResults<'_, Self>,
        workspace: &mut Self::Workspace,
    ) -> Result<bool, Fault> {
        let _ = (stage, past, results, workspace);
        Ok(false)
    }

    /// `vdot = -M^-1 (force + B^T lambda)` with the force already in `scratch.force`.
    #[inline]
    fn explicit_acceleration(
        &self,
        geometry: &Self::Geometry,
        lambda: &Self::Multiplier,
        vdot: &mut Self::Velocity,
        scratch: &mut Scratch<Self>,
    ) {
        self.jacobian_transpose_times(geometry, lambda, &mut scratch.velocity);
        for (push, force) in scratch
            .velocity
            .as_mut()
            .iter_mut()
            .zip(scratch.force.as_ref())
        {
            *push = -(*push + force);
        }
        self.mass_solve(&scratch.velocity, vdot);
    }

    /// Solves the acceleration-level system
    ///
    /// ```text
    /// | M  B^T | | v'     |   | -g       |
    /// | B  0   | | lambda | = | -Z(v, v) |
    /// ```
    ///
    /// # Errors
    /// [`Fault::SingularConstraints`] if the constraints are linearly dependent.
    fn accelerations(
        &self,
        stage: &Stage<'_, Self>,
        q: &Self::Config,
        vdot: &mut Self::Velocity,
        lambda: &mut Self::Multiplier,
        scratch: &mut Scratch<Self>,
    ) -> Result<(), Fault> {
        self.force(stage.t, stage.geometry, stage.v, &mut scratch.force);
        self.mass_solve(&scratch.force, vdot);
        self.jacobian_times(stage.geometry, vdot, lambda);
        self.constraint_quadratic(stage.t, q, stage.geometry, stage.v, &mut scratch.multiplier);
        for (l, z) in lambda.as_mut().iter_mut().zip(scratch.multiplier.as_ref()) {
            *l = z - *l;
        }
        self.schur_solve(
            stage.geometry,
            stage.geometry,
            lambda,
            &mut scratch.workspace,
        )?;
        self.explicit_acceleration(stage.geometry, lambda, vdot, scratch);
        Ok(())
    }
}

/// Vectors and workspace for the composed operations of [`System`].
#[derive(Clone, Debug)]
pub struct Scratch<S: System + ?Sized> {
    /// Holds the force of the last stage.
    pub force: S::Velocity,
    /// Free for use.
    pub velocity: S::Velocity,
    /// Free for use.
    pub multiplier: S::Multiplier,
    /// Factorizations of the system.
    pub workspace: S::Workspace,
}

impl<S: System + ?Sized> Scratch<S> {
    /// Allocates for one system.
    pub fn new(system: &S) -> Self {
        Self {
            force: system.new_velocity(),
            velocity: system.new_velocity(),
            multiplier: system.new_multiplier(),
            workspace: system.new_workspace(),
        }
    }
}
