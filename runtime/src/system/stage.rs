//! What a half-explicit stage hands over the interface, and its solution, composed of what every
//! system has.

use super::{Constrained, Scratch};
use crate::error::Fault;

/// A point in time and phase space; its configuration is seen through the geometry.
#[derive(Debug)]
pub struct Stage<'a, S: Constrained + ?Sized> {
    /// Time of the stage.
    pub t: f64,
    /// Geometry at `Q_i`.
    pub geometry: &'a S::Geometry,
    /// Velocity `V_i`.
    pub v: &'a S::Velocity,
}

/// What a half-explicit stage must know of the following one.
#[derive(Debug)]
pub struct NextStage<'a, S: Constrained + ?Sized> {
    /// Time of the next stage.
    pub t: f64,
    /// Geometry at `Q_{i+1}`.
    pub geometry: &'a S::Geometry,
    /// `v_n + h sum_{j<i} a_{i+1,j} V'_j`.
    pub v: &'a S::Velocity,
    /// `1 / (h a_{i+1,i})`.
    pub weight: f64,
    /// Whether the method keeps `Phi` to rounding where `B` is constant along the motion,
    /// so that rows of `B` that are constant on the constraints may be used as such.
    pub steady: bool,
}

/// What the stage after stage `i` is a sum of.
///
/// ```text
/// Theta_{i+1} = h sum_{j<=i} a_{i+1,j} Theta'_j       V_{i+1} = v_n + h sum_{j<=i} a_{i+1,j} V'_j
/// ```
#[derive(Debug)]
pub struct StagePast<'a, S: Constrained + ?Sized> {
    /// Step size.
    pub h: f64,
    /// `a_{i+1,j}`, `1 <= j <= i`.
    pub weights: &'a [f64],
    /// `q_n`.
    pub q: &'a S::Config,
    /// `v_n`, which is `Theta'_1`.
    pub v: &'a S::Velocity,
    /// `V'_1`.
    pub vdot: &'a S::Velocity,
    /// `Theta'_j`, `2 <= j <= i`.
    pub theta_dot: &'a [S::Velocity],
    /// `V'_j`, `2 <= j < i`.
    pub v_dot: &'a [S::Velocity],
}

/// What a whole stage `i` finds.
#[derive(Debug)]
pub struct StageResults<'a, S: Constrained + ?Sized> {
    /// `Lambda_i`.
    pub lambda: &'a mut S::Multiplier,
    /// `V'_i`.
    pub v_dot: &'a mut S::Velocity,
    /// Geometry at `Q_{i+1}`, as far as stages need it.
    pub geometry: &'a mut S::Geometry,
    /// `V_{i+1}`, if the step goes on there or ends there.
    pub v: &'a mut S::Velocity,
    /// `Theta'_{i+1}`, if a stage follows.
    pub theta_dot: Option<&'a mut S::Velocity>,
    /// `Theta_{i+1}` and `Q_{i+1}`, if the step ends there.
    pub end: Option<(&'a mut S::Velocity, &'a mut S::Config)>,
}

// A copy for a call that is rarely made lets the original stay in registers.
impl<S: Constrained + ?Sized> Clone for Stage<'_, S> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}
impl<S: Constrained + ?Sized> Copy for Stage<'_, S> {}

impl<S: Constrained + ?Sized> Clone for NextStage<'_, S> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}
impl<S: Constrained + ?Sized> Copy for NextStage<'_, S> {}

/// [`Constrained::stage_solve`] from the functions that every system has.
///
/// # Errors
/// [`Fault::SingularConstraints`] if the constraints are linearly dependent.
#[inline]
pub fn compose_stage<S: Constrained + ?Sized>(
    system: &S,
    stage: &Stage<'_, S>,
    next: &NextStage<'_, S>,
    vdot: &mut S::Velocity,
    lambda: &mut S::Multiplier,
    scratch: &mut Scratch<S>,
) -> Result<(), Fault> {
    system.force(stage.t, stage.geometry, stage.v, &mut scratch.force);
    system.mass_solve(&scratch.force, vdot);
    let known = next.v.as_ref().iter().zip(vdot.as_ref());
    for (w, (v, free)) in scratch.velocity.as_mut().iter_mut().zip(known) {
        *w = next.weight * v - free;
    }
    system.jacobian_times(next.geometry, &scratch.velocity, lambda);
    system.constraint_rate(next.t, next.geometry, &mut scratch.multiplier);
    for (l, rate) in lambda.as_mut().iter_mut().zip(scratch.multiplier.as_ref()) {
        *l += next.weight * rate;
    }
    system.schur_solve(
        next.geometry,
        stage.geometry,
        lambda,
        &mut scratch.workspace,
    )?;
    system.explicit_acceleration(stage.geometry, lambda, vdot, scratch);
    Ok(())
}
