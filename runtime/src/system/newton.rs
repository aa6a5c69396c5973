//! What a generalized-alpha step hands over the interface: coefficients, points, residuals,
//! increments; and its functions, composed of what every system has.

use super::{Constrained, Implicit, Scratch, Storage};
use crate::error::Fault;

/// Which constraint equations the generalized-alpha method imposes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Formulation {
    /// `Phi(q) = 0`.
    Index3,
    /// `B(q) v = 0`.
    Index2,
    /// `Phi(q) = 0` and `B(q) v = 0` with the extra multiplier `eta`.
    StabilizedIndex2,
}

/// Coefficients that turn an increment into a velocity and an acceleration in
/// one step of the generalized-alpha method.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NewtonCoefficients {
    /// Step size `h`.
    pub h: f64,
    /// Weight of the tangent operator, see [`Implicit::velocity_of_increment`].
    pub sigma: f64,
    /// `gamma' = gamma / (h beta)`: derivative of the velocity by the increment.
    pub gamma_h: f64,
    /// `epsilon' = (1 - alpha_m) / (h gamma (1 - alpha_f))`: derivative of `v'` by `v`.
    pub epsilon_h: f64,
    /// Constraint equations in use.
    pub formulation: Formulation,
}

/// Where the Newton matrix is evaluated.
#[derive(Debug)]
pub struct NewtonPoint<'a, S: Constrained + ?Sized> {
    /// Time at the end of the step.
    pub t: f64,
    /// Configuration `q_n * exp(theta)`.
    pub q: &'a S::Config,
    /// Geometry at `q`.
    pub geometry: &'a S::Geometry,
    /// Geometry at `q_n`, for the term with `B(q_n)^T eta`.
    pub geometry_start: &'a S::Geometry,
    /// Increment `theta`.
    pub theta: &'a S::Velocity,
    /// The constant `k` of [`Implicit::velocity_of_increment`].
    pub k: &'a S::Velocity,
    /// Velocity that belongs to `theta`.
    pub v: &'a S::Velocity,
    /// Multipliers.
    pub lambda: &'a S::Multiplier,
}

/// Where the residual of a generalized-alpha step is evaluated.
#[derive(Debug)]
pub struct ResidualPoint<'a, S: Constrained + ?Sized> {
    /// Time at the end of the step.
    pub t: f64,
    /// Configuration.
    pub q: &'a S::Config,
    /// Velocity.
    pub v: &'a S::Velocity,
    /// Acceleration.
    pub vdot: &'a S::Velocity,
    /// Multipliers.
    pub lambda: &'a S::Multiplier,
}

/// An increment that is to be corrected, and what turns it into velocity and acceleration.
#[derive(Debug)]
pub struct Increment<'a, S: Constrained + ?Sized> {
    /// Configuration at the start of the step.
    pub q: &'a S::Config,
    /// A factor, and what is to be subtracted that many times from `theta` and `h^2 lambda`.
    pub correction: Option<(f64, &'a S::Velocity, &'a S::Multiplier)>,
    /// The constant `k` of [`Implicit::velocity_of_increment`].
    pub k: &'a S::Velocity,
    /// `v' = epsilon' v + vdot_known`.
    pub vdot_known: &'a S::Velocity,
}

/// The unknowns of a step, and where they lead.
#[derive(Debug)]
pub struct IncrementResults<'a, S: Constrained + ?Sized> {
    /// Increment `theta`.
    pub theta: &'a mut S::Velocity,
    /// Multipliers.
    pub lambda: &'a mut S::Multiplier,
    /// Configuration.
    pub q: &'a mut S::Config,
    /// Velocity.
    pub v: &'a mut S::Velocity,
    /// Acceleration.
    pub vdot: &'a mut S::Velocity,
    /// Geometry, if the residual is asked for.
    pub geometry: &'a mut S::Geometry,
}

/// Where a [short iteration](Implicit::short_iteration) starts.
#[derive(Debug)]
pub struct ShortPoint<'a, S: Constrained + ?Sized> {
    /// Time at the end of the step.
    pub t: f64,
    /// Configuration at the start of the step.
    pub q: &'a S::Config,
    /// Increment `theta`.
    pub theta: &'a S::Velocity,
    /// `v = gamma' (theta - k)`.
    pub k: &'a S::Velocity,
    /// `h^2 v' = h^2 gamma' epsilon' theta + known`.
    pub known: &'a S::Velocity,
    /// `h^2 lambda`.
    pub impulse: &'a S::Multiplier,
}

/// How large a residual is: its parts have different units.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ResidualSize {
    /// Of `h^2 (M v' + g + B^T lambda)`, a mass or moment of inertia times a displacement.
    pub dynamics: f64,
    /// Of `Phi` and `h B v`, displacements.
    pub constraint: f64,
}

/// What a [short iteration](Implicit::short_iteration) finds.
#[derive(Debug)]
pub struct ShortCorrection<S: Constrained + ?Sized> {
    /// The sums of the magnitudes of the residual, its forces in the axes of the elimination.
    pub size: ResidualSize,
    /// Correction of `theta`.
    pub theta: S::Velocity,
    /// Correction of `h^2 lambda`.
    pub impulse: S::Multiplier,
}

/// [`Implicit::newton_residual`] from the functions that every system has.
///
/// # Errors
/// A [`Fault`] if the configuration is outside the domain of the model.
pub fn compose_residual<S: Constrained + ?Sized>(
    system: &S,
    coefficients: &NewtonCoefficients,
    point: &ResidualPoint<'_, S>,
    geometry: &mut S::Geometry,
    out: &mut NewtonVectors<S>,
    scratch: &mut Scratch<S>,
) -> Result<(), Fault> {
    let h = coefficients.h;
    let &ResidualPoint {
        t,
        q,
        v,
        vdot,
        lambda,
    } = point;
    system.geometry(t, q, geometry)?;
    system.mass_times(vdot, &mut out.dynamics);
    system.force(t, geometry, v, &mut scratch.force);
    system.jacobian_transpose_times(geometry, lambda, &mut scratch.velocity);
    let forces = scratch.force.as_ref().iter().zip(scratch.velocity.as_ref());
    for (r, (g, push)) in out.dynamics.as_mut().iter_mut().zip(forces) {
        *r = h * h * (*r + g + push);
    }
    if coefficients.formulation != Formulation::Index2 {
        system.constraint(t, q, geometry, &mut out.constraint);
    }
    if coefficients.formulation != Formulation::Index3 {
        let hidden = if coefficients.formulation == Formulation::Index2 {
            &mut out.constraint
        } else {
            &mut out.hidden
        };
        system.jacobian_times(geometry, v, hidden);
        system.constraint_rate(t, geometry, &mut scratch.multiplier);
        for (r, rate) in hidden.as_mut().iter_mut().zip(scratch.multiplier.as_ref()) {
            *r = h * (*r + rate);
        }
    }
    Ok(())
}

/// [`Implicit::newton_correction`] from factors and solution.
///
/// # Errors
/// [`Fault::SingularNewton`] if the matrix is singular.
#[inline]
pub fn compose_correction<S: Implicit + ?Sized>(
    system: &S,
    coefficients: &NewtonCoefficients,
    point: &NewtonPoint<'_, S>,
    residual: &mut NewtonVectors<S>,
    correction: &mut NewtonVectors<S>,
    workspace: &mut S::Workspace,
) -> Result<(), Fault> {
    system.newton_factor(coefficients, point, workspace)?;
    correction.take(residual, coefficients.formulation);
    system.newton_solve(correction, workspace);
    Ok(())
}

/// The three parts of a Newton residual, replaced by the three parts of the
/// correction when the linear system is solved.
#[derive(Clone, Debug)]
pub struct NewtonVectors<S: Constrained + ?Sized> {
    /// `h^2 (M v' + g + B^T lambda)`, then the correction of `theta`.
    pub dynamics: S::Velocity,
    /// `Phi` (index 3, stabilized) or `h B v` (index 2), then the correction of `h^2 lambda`.
    pub constraint: S::Multiplier,
    /// `h B v` (stabilized only), then the correction of `eta`.
    pub hidden: S::Multiplier,
}

impl<S: Constrained + ?Sized> NewtonVectors<S> {
    /// Zeros for one system.
    pub fn new(system: &S) -> Self {
        Self {
            dynamics: system.new_velocity(),
            constraint: system.new_multiplier(),
            hidden: system.new_multiplier(),
        }
    }

    /// Takes over what a formulation uses, and may leave anything behind.
    #[inline]
    pub(crate) fn take(&mut self, from: &mut Self, formulation: Formulation) {
        self.dynamics.take(&mut from.dynamics);
        self.constraint.take(&mut from.constraint);
        if formulation == Formulation::StabilizedIndex2 {
            self.hidden.take(&mut from.hidden);
        }
    }
}
