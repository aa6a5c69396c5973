//! What constrains the motion.

use super::stage::{NextStage, Stage, StagePast, StageResults, compose_stage};
use super::{Mechanics, Scratch, Storage, Workspace};
use crate::error::{Fault, SolveError};
use crate::generated::pivoted;
use crate::state::State;

/// A mechanical system with constraints; what a half-explicit method needs.
///
/// ```text
/// M v' = -g(t, q, v) - B(q)^T lambda       0 = Phi(t, q)       B(q) w = D_q Phi w
/// ```
///
/// A system without any says so by [`unconstrained!`](crate::unconstrained).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a constrained mechanical system",
    note = "`polhode::unconstrained!({Self});` makes a system without constraints one; a model is declared \
            with `#[multibody]` on its struct"
)]
pub trait Constrained: Mechanics {
    /// Multipliers and constraint residuals.
    type Multiplier: Storage;
    /// Memory of the linear solves, allocated once: [`Dense`](crate::generated::Dense) for a system that
    /// leaves them to the defaults.
    type Workspace: Workspace;

    /// Whether [`stage_solve`](Constrained::stage_solve) of a [`steady`](NextStage::steady) method reads
    /// nothing of the configuration of the next stage, because `B` is constant where the
    /// constraints are satisfied. A stage that only serves to find multipliers is then not evaluated.
    #[doc(hidden)]
    const CONSTANT_JACOBIAN: bool = false;

    /// Number of constraint equations.
    fn constraint_count(&self) -> usize;
    /// Memory for the solves of one solver.
    fn new_workspace(&self) -> Self::Workspace;
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

    /// Names a constraint equation, by its joint and direction.
    fn constraint_name(&self, row: usize) -> String {
        format!("constraint {row}")
    }
    /// Zeros, one for each constraint.
    fn new_multiplier(&self) -> Self::Multiplier {
        Storage::zeros(self.constraint_count())
    }
    /// `out = d Phi / d t` at fixed `q`: zero unless a constraint is prescribed in time.
    fn constraint_rate(&self, t: f64, geometry: &Self::Geometry, out: &mut Self::Multiplier) {
        let _ = (t, geometry);
        out.as_mut().fill(0.0);
    }
    /// Solves `[B(q_rows) M^-1 B(q_columns)^T] x = right` in place; the matrix is not symmetric unless both
    /// geometries are the same.
    ///
    /// The default assembles the matrix column by column and eliminates with exchanges of rows.
    ///
    /// # Errors
    /// [`Fault::SingularConstraints`] if the constraints are linearly dependent.
    fn schur_solve(
        &self,
        rows: &Self::Geometry,
        columns: &Self::Geometry,
        right: &mut Self::Multiplier,
        workspace: &mut Self::Workspace,
    ) -> Result<(), Fault> {
        pivoted::schur_solve(self, rows, columns, right, workspace.dense())
    }

    /// False if the constraints are linearly independent wherever they are satisfied. Runs of other
    /// systems look for singular positions.
    fn may_be_singular(&self) -> bool {
        self.constraint_count() > 0
    }

    /// Fails if a state satisfies a constraint on a branch that is not meant, which its residual does
    /// not show.
    #[doc(hidden)]
    fn check_branch(&self, state: &State<Self>) -> Result<(), SolveError> {
        let _ = state;
        Ok(())
    }

    /// Acceleration and multipliers of a half-explicit stage: with the stage at
    /// `(t, q, v)`, the geometry of the next stage, and
    /// `reach = (v_n + h sum_{j<i} a_{i+1,j} V'_j) / (h a_{i+1,i})`, `weight = 1 / (h a_{i+1,i})`,
    ///
    /// ```text
    /// M V' + B(Q_i)^T Lambda            = -g
    /// B(Q_{i+1}) (V' + reach) + weight dPhi/dt(t_{i+1}) = 0
    /// ```
    #[doc(hidden)]
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
    #[doc(hidden)]
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
    #[doc(hidden)]
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
    #[doc(hidden)]
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

/// Makes a [`Mechanics`] a [`Constrained`] system with no constraints:
/// `polhode::unconstrained!(Pendulum);`.
#[macro_export]
macro_rules! unconstrained {
    ($system:ty) => {
        $crate::unconstrained!(@ [] $system);
    };
    (@ [$($parameters:tt)*] $system:ty) => {
        impl<$($parameters)*> $crate::system::Constrained for $system {
            type Multiplier = [f64; 0];
            type Workspace = $crate::system::Dense;

            fn constraint_count(&self) -> usize {
                0
            }
            fn new_workspace(&self) -> Self::Workspace {
                $crate::system::Dense::default()
            }
            fn constraint(&self, _: f64, _: &Self::Config, _: &Self::Geometry, _: &mut [f64; 0]) {}
            fn jacobian_times(&self, _: &Self::Geometry, _: &Self::Velocity, _: &mut [f64; 0]) {}
            fn jacobian_transpose_times(
                &self,
                _: &Self::Geometry,
                _: &[f64; 0],
                out: &mut Self::Velocity,
            ) {
                ::core::convert::AsMut::<[f64]>::as_mut(out).fill(0.0);
            }
            fn constraint_quadratic(
                &self,
                _: f64,
                _: &Self::Config,
                _: &Self::Geometry,
                _: &Self::Velocity,
                _: &mut [f64; 0],
            ) {
            }
        }
    };
}
