//! Models that hold a tree, a chain or a network: their `System` is that of what they hold.
//!
//! A declared model is a type of its own, so that its state has names of its own.
//! All numbers are boxed slices on both sides; vectors that a solver owns are
//! taken out of their struct and put back, which neither copies nor allocates.

use crate::error::Fault;
use crate::joints::JointFrame;
use crate::lie::Space;
use crate::system::{
    Bodies, Constrained, Energy, Implicit, Increment, IncrementResults, Manifold, Mechanics,
    Momentum, NewtonCoefficients, NewtonPoint, NewtonVectors, NextStage, ResidualPoint,
    ResidualSize, Scratch, Stage, StagePast, StageResults, System,
};
use core::mem::take;

type Numbers = Box<[f64]>;

/// A model made of a [`Tree`](super::Tree), a [`LinkChain`](super::LinkChain), or, with loops,
/// springs and other joints, a [`GenericSystem`](crate::generic::GenericSystem).
pub trait Assembled {
    /// What it is made of.
    type Inner: System<Config = Numbers, Velocity = Numbers, Multiplier = Numbers, Workspace: Default>;

    /// What it is made of.
    fn assembled(&self) -> &Self::Inner;
}

type Inner<M> = <M as Assembled>::Inner;

/// Calls `work` with the vectors as those of the inner system.
fn with_vectors<M: Assembled, T>(
    vectors: &mut NewtonVectors<M>,
    work: impl FnOnce(&mut NewtonVectors<Inner<M>>) -> T,
) -> T {
    let mut inner = NewtonVectors {
        dynamics: take(&mut vectors.dynamics),
        constraint: take(&mut vectors.constraint),
        hidden: take(&mut vectors.hidden),
    };
    let result = work(&mut inner);
    (vectors.dynamics, vectors.constraint, vectors.hidden) =
        (inner.dynamics, inner.constraint, inner.hidden);
    result
}

/// Calls `work` with the scratch memory as that of the inner system.
fn with_scratch<M: Assembled, T>(
    scratch: &mut Scratch<M>,
    work: impl FnOnce(&mut Scratch<Inner<M>>) -> T,
) -> T {
    let mut inner = Scratch {
        force: take(&mut scratch.force),
        velocity: take(&mut scratch.velocity),
        multiplier: take(&mut scratch.multiplier),
        workspace: take(&mut scratch.workspace),
    };
    let result = work(&mut inner);
    (scratch.force, scratch.velocity) = (inner.force, inner.velocity);
    (scratch.multiplier, scratch.workspace) = (inner.multiplier, inner.workspace);
    result
}

fn stage_of<'a, M: Assembled>(stage: &Stage<'a, M>) -> Stage<'a, Inner<M>> {
    Stage {
        t: stage.t,
        geometry: stage.geometry,
        v: stage.v,
    }
}

fn point_of<'a, M: Assembled>(point: &NewtonPoint<'a, M>) -> NewtonPoint<'a, Inner<M>> {
    NewtonPoint {
        t: point.t,
        q: point.q,
        geometry: point.geometry,
        geometry_start: point.geometry_start,
        theta: point.theta,
        k: point.k,
        v: point.v,
        lambda: point.lambda,
    }
}

impl<M: Assembled> Manifold for M {
    type Config = Numbers;
    type Velocity = Numbers;

    fn new_velocity(&self) -> Numbers {
        self.assembled().new_velocity()
    }

    fn start_config(&self) -> Numbers {
        self.assembled().start_config()
    }

    fn displace(&self, q: &Numbers, theta: &Numbers, out: &mut Numbers) {
        self.assembled().displace(q, theta, out);
    }

    fn tangent_inverse(&self, theta: &Numbers, v: &Numbers, out: &mut Numbers) {
        self.assembled().tangent_inverse(theta, v, out);
    }

    crate::on_product_of_groups!();
}

impl<M: Assembled> Mechanics for M {
    type Geometry = <M::Inner as Mechanics>::Geometry;

    fn new_geometry(&self) -> Self::Geometry {
        self.assembled().new_geometry()
    }

    fn start_velocity(&self) -> Numbers {
        self.assembled().start_velocity()
    }

    fn geometry(&self, t: f64, q: &Numbers, out: &mut Self::Geometry) -> Result<(), Fault> {
        self.assembled().geometry(t, q, out)
    }

    fn displaced_geometry(
        &self,
        stage: (f64, bool),
        q: &Numbers,
        theta: &Numbers,
        out: &mut Self::Geometry,
        scratch: &mut Numbers,
    ) -> Result<(), Fault> {
        self.assembled()
            .displaced_geometry(stage, q, theta, out, scratch)
    }

    fn check_increment(&self, t: f64, q: &Numbers, theta: &Numbers) -> Result<(), Fault> {
        self.assembled().check_increment(t, q, theta)
    }

    crate::names_of_bodies!();

    fn force(&self, t: f64, geometry: &Self::Geometry, v: &Numbers, out: &mut Numbers) {
        self.assembled().force(t, geometry, v, out);
    }

    fn mass_times(&self, w: &Numbers, out: &mut Numbers) {
        self.assembled().mass_times(w, out);
    }

    fn mass_solve(&self, f: &Numbers, out: &mut Numbers) {
        self.assembled().mass_solve(f, out);
    }

    fn energy(&self, t: f64, q: &Numbers, v: &Numbers) -> Energy {
        self.assembled().energy(t, q, v)
    }

    fn may_gain_energy(&self) -> bool {
        self.assembled().may_gain_energy()
    }

    fn not_finite_force(
        &self,
        t: f64,
        q: &Numbers,
        geometry: &Self::Geometry,
        v: &Numbers,
    ) -> Option<String> {
        self.assembled().not_finite_force(t, q, geometry, v)
    }
}

impl<M: Assembled> Constrained for M {
    type Multiplier = Numbers;
    type Workspace = <M::Inner as Constrained>::Workspace;
    const CONSTANT_JACOBIAN: bool = <M::Inner as Constrained>::CONSTANT_JACOBIAN;

    fn constraint_count(&self) -> usize {
        self.assembled().constraint_count()
    }

    fn constraint_name(&self, row: usize) -> String {
        self.assembled().constraint_name(row)
    }

    fn new_workspace(&self) -> Self::Workspace {
        self.assembled().new_workspace()
    }

    fn constraint(&self, t: f64, q: &Numbers, geometry: &Self::Geometry, out: &mut Numbers) {
        self.assembled().constraint(t, q, geometry, out);
    }

    fn jacobian_times(&self, geometry: &Self::Geometry, w: &Numbers, out: &mut Numbers) {
        self.assembled().jacobian_times(geometry, w, out);
    }

    fn jacobian_transpose_times(
        &self,
        geometry: &Self::Geometry,
        lambda: &Numbers,
        out: &mut Numbers,
    ) {
        self.assembled()
            .jacobian_transpose_times(geometry, lambda, out);
    }

    fn constraint_rate(&self, t: f64, geometry: &Self::Geometry, out: &mut Numbers) {
        self.assembled().constraint_rate(t, geometry, out);
    }

    fn constraint_quadratic(
        &self,
        t: f64,
        q: &Numbers,
        geometry: &Self::Geometry,
        v: &Numbers,
        out: &mut Numbers,
    ) {
        self.assembled()
            .constraint_quadratic(t, q, geometry, v, out);
    }

    fn schur_solve(
        &self,
        rows: &Self::Geometry,
        columns: &Self::Geometry,
        right: &mut Numbers,
        workspace: &mut Self::Workspace,
    ) -> Result<(), Fault> {
        self.assembled()
            .schur_solve(rows, columns, right, workspace)
    }

    fn stage_solve(
        &self,
        stage: &Stage<'_, Self>,
        next: &NextStage<'_, Self>,
        vdot: &mut Numbers,
        lambda: &mut Numbers,
        scratch: &mut Scratch<Self>,
    ) -> Result<(), Fault> {
        let next = NextStage {
            t: next.t,
            geometry: next.geometry,
            v: next.v,
            weight: next.weight,
            steady: next.steady,
        };
        with_scratch(scratch, |scratch| {
            self.assembled()
                .stage_solve(&stage_of(stage), &next, vdot, lambda, scratch)
        })
    }

    fn sweep_stage(
        &self,
        stage: &Stage<'_, Self>,
        past: &StagePast<'_, Self>,
        results: &mut StageResults<'_, Self>,
        workspace: &mut Self::Workspace,
    ) -> Result<bool, Fault> {
        let past = StagePast {
            h: past.h,
            weights: past.weights,
            q: past.q,
            v: past.v,
            vdot: past.vdot,
            theta_dot: past.theta_dot,
            v_dot: past.v_dot,
        };
        let mut results = StageResults {
            lambda: results.lambda,
            v_dot: results.v_dot,
            geometry: results.geometry,
            v: results.v,
            theta_dot: results.theta_dot.as_deref_mut(),
            end: results
                .end
                .as_mut()
                .map(|(theta, q)| (&mut **theta, &mut **q)),
        };
        self.assembled()
            .sweep_stage(&stage_of(stage), &past, &mut results, workspace)
    }

    fn explicit_acceleration(
        &self,
        geometry: &Self::Geometry,
        lambda: &Numbers,
        vdot: &mut Numbers,
        scratch: &mut Scratch<Self>,
    ) {
        with_scratch(scratch, |scratch| {
            self.assembled()
                .explicit_acceleration(geometry, lambda, vdot, scratch);
        });
    }

    fn accelerations(
        &self,
        stage: &Stage<'_, Self>,
        q: &Numbers,
        vdot: &mut Numbers,
        lambda: &mut Numbers,
        scratch: &mut Scratch<Self>,
    ) -> Result<(), Fault> {
        with_scratch(scratch, |scratch| {
            self.assembled()
                .accelerations(&stage_of(stage), q, vdot, lambda, scratch)
        })
    }

    crate::branches_of_joints!();
}

impl<M: Assembled> Implicit for M {
    fn velocity_of_increment(
        &self,
        coefficients: &NewtonCoefficients,
        theta: &Numbers,
        k: &Numbers,
        push: &Numbers,
        out: &mut Numbers,
    ) {
        self.assembled()
            .velocity_of_increment(coefficients, theta, k, push, out);
    }

    fn jacobian_derivative_times(
        &self,
        q: &Numbers,
        geometry: &Self::Geometry,
        v: &Numbers,
        w: &Numbers,
        out: &mut Numbers,
    ) {
        self.assembled()
            .jacobian_derivative_times(q, geometry, v, w, out);
    }

    fn stiffness_times(
        &self,
        t: f64,
        q: &Numbers,
        geometry: &Self::Geometry,
        v: &Numbers,
        lambda: &Numbers,
        w: &Numbers,
        out: &mut Numbers,
    ) {
        self.assembled()
            .stiffness_times(t, q, geometry, v, lambda, w, out);
    }

    fn damping_times(
        &self,
        t: f64,
        q: &Numbers,
        geometry: &Self::Geometry,
        v: &Numbers,
        w: &Numbers,
        out: &mut Numbers,
    ) {
        self.assembled().damping_times(t, q, geometry, v, w, out);
    }

    fn newton_factor(
        &self,
        coefficients: &NewtonCoefficients,
        point: &NewtonPoint<'_, Self>,
        workspace: &mut Self::Workspace,
    ) -> Result<(), Fault> {
        self.assembled()
            .newton_factor(coefficients, &point_of(point), workspace)
    }

    fn newton_residual(
        &self,
        coefficients: &NewtonCoefficients,
        point: &ResidualPoint<'_, Self>,
        geometry: &mut Self::Geometry,
        out: &mut NewtonVectors<Self>,
        scratch: &mut Scratch<Self>,
    ) -> Result<(), Fault> {
        let point = ResidualPoint {
            t: point.t,
            q: point.q,
            v: point.v,
            vdot: point.vdot,
            lambda: point.lambda,
        };
        with_vectors(out, |out| {
            with_scratch(scratch, |scratch| {
                self.assembled()
                    .newton_residual(coefficients, &point, geometry, out, scratch)
            })
        })
    }

    fn sweep_increment(
        &self,
        coefficients: &NewtonCoefficients,
        increment: &Increment<'_, Self>,
        results: &mut IncrementResults<'_, Self>,
        residual: Option<&mut NewtonVectors<Self>>,
    ) -> Option<ResidualSize> {
        let increment = Increment {
            q: increment.q,
            correction: increment.correction,
            k: increment.k,
            vdot_known: increment.vdot_known,
        };
        let mut results = IncrementResults {
            theta: results.theta,
            lambda: results.lambda,
            q: results.q,
            v: results.v,
            vdot: results.vdot,
            geometry: results.geometry,
        };
        let inner = self.assembled();
        let Some(residual) = residual else {
            return inner.sweep_increment(coefficients, &increment, &mut results, None);
        };
        with_vectors(residual, |residual| {
            inner.sweep_increment(coefficients, &increment, &mut results, Some(residual))
        })
    }

    fn newton_solve(&self, vectors: &mut NewtonVectors<Self>, workspace: &mut Self::Workspace) {
        with_vectors(vectors, |vectors| {
            self.assembled().newton_solve(vectors, workspace);
        });
    }

    fn newton_correction(
        &self,
        coefficients: &NewtonCoefficients,
        point: &NewtonPoint<'_, Self>,
        residual: &mut NewtonVectors<Self>,
        correction: &mut NewtonVectors<Self>,
        workspace: &mut Self::Workspace,
    ) -> Result<(), Fault> {
        let point = point_of(point);
        with_vectors(residual, |residual| {
            with_vectors(correction, |correction| {
                self.assembled().newton_correction(
                    coefficients,
                    &point,
                    residual,
                    correction,
                    workspace,
                )
            })
        })
    }
}

impl<M: Assembled> Bodies for M {
    fn space(&self) -> &Space {
        self.assembled().space()
    }

    fn factor_name(&self, factor: usize) -> String {
        self.assembled().factor_name(factor)
    }

    fn joints(&self) -> &[JointFrame] {
        self.assembled().joints()
    }

    fn factor_origin(&self, factor: usize) -> [f64; 3] {
        self.assembled().factor_origin(factor)
    }

    fn momentum(&self, q: &Numbers, v: &Numbers) -> Momentum {
        self.assembled().momentum(q, v)
    }
}
