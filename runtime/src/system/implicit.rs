//! What Newton's method asks for: derivatives of forces and constraints.

use super::newton::{
    Increment, IncrementResults, NewtonCoefficients, NewtonPoint, NewtonVectors, ResidualPoint,
    ResidualSize, ShortCorrection, ShortPoint, compose_correction, compose_residual,
};
use super::{Constrained, Scratch, Workspace};
use crate::error::Fault;
use crate::generated::pivoted;

/// A constrained system with derivatives; what a generalized-alpha method needs.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no derivatives of its forces, which the generalized-alpha methods need",
    note = "implement `Implicit` for it, or take a half-explicit method: `HalfExplicit::order5()`"
)]
pub trait Implicit: Constrained {
    /// Whether there is a [`short_iteration`](Implicit::short_iteration).
    #[doc(hidden)]
    const SHORT_ITERATION: bool = false;

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

    /// The velocity of a generalized-alpha step as a function of its increment,
    ///
    /// ```text
    /// out = gamma' P^-1 (theta - T(theta) k + push),   P = sigma I + (1 - sigma) T(theta)
    /// ```
    ///
    /// with `push = h B(q_n)^T eta`. This is the exact elimination of `v_{n+1}`
    /// from the sigma-modified position update, using `T(theta) theta = theta`.
    #[doc(hidden)]
    fn velocity_of_increment(
        &self,
        coefficients: &NewtonCoefficients,
        theta: &Self::Velocity,
        k: &Self::Velocity,
        push: &Self::Velocity,
        out: &mut Self::Velocity,
    ) {
        crate::generated::velocity_of_increment(self, coefficients, theta, k, push, out);
    }
    /// Assembles and factors the Newton matrix of a generalized-alpha step.
    ///
    /// With `V = dv/dtheta` and `E = dv/deta` of [`Implicit::velocity_of_increment`]:
    ///
    /// ```text
    /// | h^2 [(epsilon' M + D) V + K T]   B^T   h^2 (epsilon' M + D) E |   index 3 and stabilized
    /// | B T                              0     0                      |   (rows 1, 2; rows 1, 2, 3)
    /// | h (B V + D_q(B v + dPhi/dt) T)   0     h B E                  |   index 2: rows 1, 3
    /// ```
    ///
    /// The derivative of `T(theta) x` inside `V` may be truncated after its
    /// second-order term: it only affects the speed of convergence. The default assembles the matrix
    /// column by column and eliminates with exchanges of rows.
    ///
    /// # Errors
    /// [`Fault::SingularNewton`] if the matrix is singular.
    fn newton_factor(
        &self,
        coefficients: &NewtonCoefficients,
        point: &NewtonPoint<'_, Self>,
        workspace: &mut Self::Workspace,
    ) -> Result<(), Fault> {
        pivoted::newton_factor(self, coefficients, point, workspace.dense())
    }
    /// Replaces a residual by the correction that the last factorization gives:
    /// solves `matrix * correction = residual`.
    fn newton_solve(&self, vectors: &mut NewtonVectors<Self>, workspace: &mut Self::Workspace) {
        pivoted::newton_solve(vectors, workspace.dense());
    }

    /// The residual of a generalized-alpha step, see [`NewtonVectors`], and the geometry that
    /// [`newton_factor`](Implicit::newton_factor) is given.
    #[doc(hidden)]
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
    /// [`velocity_of_increment`](Implicit::velocity_of_increment) and
    /// [`newton_residual`](Implicit::newton_residual). Not asked of the stabilized formulation.
    #[doc(hidden)]
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
    /// The correction for a residual, with a matrix that need not be kept; nor must the residual.
    #[doc(hidden)]
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
    /// correction, with nothing in between in memory. `None` if a pivot vanishes; the solver then falls
    /// back to `displace`, [`newton_residual`](Implicit::newton_residual) and
    /// [`newton_correction`](Implicit::newton_correction).
    #[doc(hidden)]
    #[inline(always)]
    fn short_iteration(
        &self,
        coefficients: &NewtonCoefficients,
        point: &ShortPoint<'_, Self>,
    ) -> Option<ShortCorrection<Self>> {
        let _ = (coefficients, point);
        None
    }
}
