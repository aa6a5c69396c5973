//! Times of the functions of a system, each called again and again with the same arguments.

use std::hint::black_box;
use std::time::{Duration, Instant};

use polhode::error::Fault;
use polhode::state::State;
use polhode::system::{
    Formulation, NewtonCoefficients, NewtonPoint, NewtonVectors, NextStage, ResidualPoint, Scratch,
    Stage, System,
};

use super::Function;

/// The time of a number of calls, and what the last one gave.
pub(super) fn measure<S: System>(
    system: &S,
    state: State<S>,
    function: Function,
    h: f64,
    count: u64,
) -> Result<(Duration, Vec<f64>), Fault> {
    let mut bench = Bench::new(system, state, h)?;
    if let Function::NewtonSolve(formulation) = function {
        bench.call(Function::NewtonFactor(formulation))?;
    }
    bench.call(function)?; // what is found once only: memory, an order of pivots
    let clock = Instant::now();
    for _ in 0..count {
        black_box(&mut bench).call(function)?;
    }
    let time = clock.elapsed();
    let NewtonVectors {
        dynamics,
        constraint,
        hidden,
    } = &bench.out;
    let result = [dynamics.as_ref(), constraint.as_ref(), hidden.as_ref()].concat();
    Ok((time, result))
}

/// The part of a step between two stages.
const STAGE: f64 = 0.2;

/// A system with the arguments of its functions.
struct Bench<'a, S: System> {
    system: &'a S,
    h: f64,
    state: State<S>,
    geometry: S::Geometry,
    /// Geometry of a half-explicit stage at the state, and of the next one.
    stages: [S::Geometry; 2],
    /// The increment between them, and what the first must reach in the second.
    stage_theta: S::Velocity,

    /// The increment of a generalized-alpha step, and the known part of its velocity.
    theta: S::Velocity,
    k: S::Velocity,
    /// A direction without zeros.
    w: S::Velocity,
    out: NewtonVectors<S>,
    scratch: Scratch<S>,
    displaced: S::Config,
}

impl<'a, S: System> Bench<'a, S> {
    fn new(system: &'a S, state: State<S>, h: f64) -> Result<Self, Fault> {
        let v = state.v.as_ref();
        let velocity = |component: &dyn Fn(usize) -> f64| {
            let mut made = system.new_velocity();
            for (i, x) in made.as_mut().iter_mut().enumerate() {
                *x = component(i);
            }
            made
        };
        let gamma_h = coefficients(h, Formulation::Index3).gamma_h;
        let mut bench = Self {
            system,
            h,
            geometry: system.new_geometry(),
            stages: [system.new_geometry(), system.new_geometry()],
            stage_theta: velocity(&|_| 0.0),
            theta: velocity(&|i| h * v[i]),
            k: velocity(&|i| h * v[i] - v[i] / gamma_h),
            #[expect(clippy::cast_precision_loss, reason = "small numbers")]
            w: velocity(&|i| 1.0 / (1 + i % 7) as f64),
            out: NewtonVectors::new(system),
            scratch: Scratch::new(system),
            displaced: system.start_config(),
            state,
        };
        bench.call(Function::Geometry)?;
        bench.call(Function::StageGeometry)?;
        bench.stages.swap(0, 1);
        for (to, from) in bench
            .stage_theta
            .as_mut()
            .iter_mut()
            .zip(bench.theta.as_ref())
        {
            *to = STAGE * from;
        }
        bench.call(Function::StageGeometry)?;
        Ok(bench)
    }

    /// Calls a function once; what it gives is in `out`.
    #[inline(never)] // so that no call is merged with the next one
    fn call(&mut self, function: Function) -> Result<(), Fault> {
        let Self {
            system,
            h,
            state,
            geometry,
            w,
            out,
            scratch,
            ..
        } = self;
        let State {
            t,
            q,
            v,
            vdot,
            lambda,
            ..
        } = state;
        let (system, h, t) = (*system, *h, *t);
        match function {
            Function::Geometry => system.geometry(t, q, geometry)?,
            Function::Force => system.force(t, geometry, v, &mut out.dynamics),
            Function::Constraint => system.constraint(t, q, geometry, &mut out.constraint),
            Function::JacobianTimes => system.jacobian_times(geometry, w, &mut out.constraint),
            Function::JacobianTransposeTimes => {
                system.jacobian_transpose_times(geometry, lambda, &mut out.dynamics);
            }
            Function::ConstraintQuadratic => {
                system.constraint_quadratic(t, q, geometry, v, &mut out.constraint);
            }
            Function::StiffnessTimes => {
                system.stiffness_times(t, q, geometry, v, lambda, w, &mut out.dynamics);
            }
            Function::DampingTimes => {
                system.damping_times(t, q, geometry, v, w, &mut out.dynamics);
            }
            Function::StageGeometry => system.displaced_geometry(
                (t, true),
                q,
                &self.stage_theta,
                &mut self.stages[1],
                &mut self.displaced,
            )?,
            Function::StageSolve => {
                let [this, next] = &self.stages;
                let stage = Stage {
                    t,
                    geometry: this,
                    v,
                };
                let next = NextStage {
                    t,
                    geometry: next,
                    v,
                    weight: 1.0 / (h * STAGE),
                    steady: true,
                };
                let NewtonVectors {
                    dynamics,
                    constraint,
                    ..
                } = out;
                system.stage_solve(&stage, &next, dynamics, constraint, scratch)?;
            }
            Function::NewtonResidual(formulation) => {
                let point = ResidualPoint {
                    t,
                    q,
                    v,
                    vdot,
                    lambda,
                };
                let coefficients = coefficients(h, formulation);
                system.newton_residual(&coefficients, &point, geometry, out, scratch)?;
            }
            Function::NewtonFactor(formulation) => {
                let point = NewtonPoint {
                    t,
                    q,
                    geometry,
                    geometry_start: geometry,
                    theta: &self.theta,
                    k: &self.k,
                    v,
                    lambda,
                };
                let coefficients = coefficients(h, formulation);
                system.newton_factor(&coefficients, &point, &mut scratch.workspace)?;
            }
            Function::NewtonSolve(_) => {
                out.dynamics.as_mut().fill(1.0);
                out.constraint.as_mut().fill(1.0);
                out.hidden.as_mut().fill(1.0);
                system.newton_solve(out, &mut scratch.workspace);
            }
        }
        Ok(())
    }
}

/// Those of the method without damping.
fn coefficients(h: f64, formulation: Formulation) -> NewtonCoefficients {
    NewtonCoefficients {
        h,
        sigma: 0.0,
        gamma_h: 2.0 / h,
        epsilon_h: 2.0 / h,
        formulation,
    }
}
