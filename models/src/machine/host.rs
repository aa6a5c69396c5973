//! The machine of a system: the only code of this crate that is compiled for each of them.

#[cfg(feature = "functions")]
use std::time::Duration;
use std::time::Instant;

use nalgebra::DMatrix;
use polhode::accelerations::AccelerationSolver;
use polhode::chain::Assembled;
use polhode::error::{Fault, SolveError};
use polhode::joints::{JointFrame, JointTracker, JointView, unique_multipliers};
use polhode::lie::Space;
use polhode::output::Output;
use polhode::simulation::Simulation;
use polhode::state::State;
use polhode::stats::Stats;
use polhode::stepper::{Method, Stepper};
use polhode::system::{Energy, Momentum, System};
use polhode::trajectory::Columns;

use super::{
    Batch, Finished, JointReading, Machine, Observer, Order, Residuals, Scheme, Snapshot, Step,
};
#[cfg(feature = "functions")]
use super::{Function, measure::measure};

/// Reactions of more joints are not listed: finding them would take longer than a run.
const MOST_JOINTS: usize = 100;

/// The joints, unless there are too many.
fn listed<S: System>(system: &S) -> &[JointFrame] {
    let joints = system.joints();
    if joints.len() > MOST_JOINTS {
        return &[];
    }
    joints
}

/// Hides the type of a system.
pub fn hosted<S: System + 'static>(system: S) -> Box<dyn Machine> {
    Box::new(Host(system))
}

/// The machine of a model with arrays is that of what it is made of: its own would be the same code
/// once more.
pub fn hosted_parts<M: Assembled<Inner: Clone + 'static>>(model: &M) -> Box<dyn Machine> {
    hosted(model.assembled().clone())
}

struct Host<S>(S);

/// Steps before those that are timed: memory is new, an order of pivots is found once, and Newton's
/// method starts from accelerations that are exact.
pub(crate) const UNTIMED: usize = 2;

impl Snapshot {
    fn of<S: System>(state: &State<S>) -> Self {
        let mut snapshot = Self::default();
        snapshot.copy_from(state);
        snapshot
    }

    /// Allocates the first time only.
    fn copy_from<S: System>(&mut self, state: &State<S>) {
        self.t = state.t;
        for (to, from) in [
            (&mut self.q, state.q.as_ref()),
            (&mut self.v, state.v.as_ref()),
            (&mut self.vdot, state.vdot.as_ref()),
            (&mut self.lambda, state.lambda.as_ref()),
            (&mut self.eta, state.eta.as_ref()),
        ] {
            to.clear();
            to.extend_from_slice(from);
        }
    }
}

impl<S: System> Host<S> {
    fn state(&self, at: &Snapshot) -> State<S> {
        let mut state = State::start(&self.0, at.t);
        state.q.as_mut().copy_from_slice(&at.q);
        state.v.as_mut().copy_from_slice(&at.v);
        state.vdot.as_mut().copy_from_slice(&at.vdot);
        state.lambda.as_mut().copy_from_slice(&at.lambda);
        state.eta.as_mut().copy_from_slice(&at.eta);
        state
    }

    fn geometry(&self, at: &Snapshot) -> Result<(State<S>, S::Geometry), Fault> {
        let state = self.state(at);
        let mut geometry = self.0.new_geometry();
        self.0.geometry(state.t, &state.q, &mut geometry)?;
        Ok((state, geometry))
    }

    /// Hands every step of a simulation to an observer.
    fn observed<'a>(
        &'a self,
        simulation: Simulation<'a, S, Scheme>,
        observer: Observer<'a>,
    ) -> Simulation<'a, S, Scheme> {
        let system = &self.0;
        let mut state = Snapshot::default();
        let joints = listed(system).len();
        let start = State::start(system, 0.0);
        let mut tracker = (joints > 0).then(|| JointTracker::new(system, &start));
        let mut angles = vec![None; joints];
        simulation.observe(move |step| {
            state.copy_from(step.state);
            if let Some(tracker) = &mut tracker {
                tracker.update(system, step.state);
                for (joint, angle) in angles.iter_mut().enumerate() {
                    *angle = tracker.angle(system, step.state, joint);
                }
            }
            observer(&Step {
                state: &state,
                angles: &angles,
                h: step.h,
                error: step.error,
                accepted: step.stats.accepted,
            })
        })
    }
}

impl<S: System> Machine for Host<S> {
    fn space(&self) -> &Space {
        self.0.space()
    }

    fn constraint_count(&self) -> usize {
        self.0.constraint_count()
    }

    fn constraint_name(&self, row: usize) -> String {
        self.0.constraint_name(row)
    }

    fn factor_name(&self, factor: usize) -> String {
        self.0.factor_name(factor)
    }

    fn factor_origin(&self, factor: usize) -> [f64; 3] {
        self.0.factor_origin(factor)
    }

    fn joints(&self) -> &[JointFrame] {
        listed(&self.0)
    }

    fn columns(&self) -> Columns {
        Columns::new(&self.0)
    }

    fn start(&self) -> Snapshot {
        Snapshot::of(&State::start(&self.0, 0.0))
    }

    fn energy(&self, at: &Snapshot) -> Energy {
        let state = self.state(at);
        self.0.energy(state.t, &state.q, &state.v)
    }

    fn momentum(&self, at: &Snapshot) -> Momentum {
        let state = self.state(at);
        self.0.momentum(&state.q, &state.v)
    }

    fn residuals(&self, at: &Snapshot) -> Result<Residuals, Fault> {
        let (state, geometry) = self.geometry(at)?;
        let (mut out, mut rate) = (self.0.new_multiplier(), self.0.new_multiplier());
        self.0.constraint(state.t, &state.q, &geometry, &mut out);
        let position = out.as_ref().to_vec();
        self.0.jacobian_times(&geometry, &state.v, &mut out);
        self.0.constraint_rate(state.t, &geometry, &mut rate);
        let velocity = out.as_ref().iter().zip(rate.as_ref());
        Ok(Residuals {
            position,
            velocity: velocity.map(|(x, rate)| x + rate).collect(),
        })
    }

    fn accelerate(&self, at: &mut Snapshot) -> Result<(), Fault> {
        let mut state = self.state(at);
        AccelerationSolver::new(&self.0).solve(&self.0, &mut state)?;
        at.copy_from(&state);
        Ok(())
    }

    fn jacobian(&self, at: &Snapshot) -> Result<DMatrix<f64>, Fault> {
        let (_, geometry) = self.geometry(at)?;
        let (rows, columns) = (self.0.constraint_count(), self.0.space().dof());
        let mut jacobian = DMatrix::zeros(rows, columns);
        let (mut unit, mut column) = (self.0.new_velocity(), self.0.new_multiplier());
        for j in 0..columns {
            unit.as_mut().fill(0.0);
            unit.as_mut()[j] = 1.0;
            self.0.jacobian_times(&geometry, &unit, &mut column);
            jacobian.column_mut(j).copy_from_slice(column.as_ref());
        }
        Ok(jacobian)
    }

    fn joint_readings(&self, at: &Snapshot) -> Vec<JointReading> {
        let state = self.state(at);
        let reading = |frame| {
            let view = JointView::of(&self.0, &state, frame);
            JointReading {
                angle: view.angle().zip(view.angle_rate()).map(Into::into),
                displacement: view
                    .displacement()
                    .zip(view.displacement_rate())
                    .map(Into::into),
                reaction: view.reaction(),
            }
        };
        self.joints().iter().map(reading).collect()
    }

    fn unique_multipliers(&self, at: &Snapshot) -> Result<Vec<bool>, Fault> {
        unique_multipliers(&self.0, &self.state(at))
    }

    fn run(&self, order: &Order<'_>, observer: Option<Observer<'_>>) -> Finished {
        let scheme = order.scheme.clone();
        let mut simulation = Simulation::new(&self.0, scheme, 0.0..=order.until)
            .stop_at(order.stop_at.iter().copied())
            .output(Output::EndOnly);
        if let Some(h) = order.step {
            simulation = simulation.step(h);
        }
        let simulation = match observer {
            Some(observer) => self.observed(simulation, observer),
            None => simulation,
        };
        let (run, error) = match simulation.run() {
            Ok(run) => (run, None),
            Err(failed) => (failed.run, Some(failed.error)),
        };
        Finished {
            last: Snapshot::of(run.last()),
            stats: *run.stats(),
            notes: run.notes().to_vec(),
            error,
        }
    }

    fn batch(&self, scheme: &Scheme, h: f64, steps: usize) -> Result<Batch, SolveError> {
        match scheme {
            Scheme::HalfExplicit(method, _) => batch(&self.0, method, h, steps),
            Scheme::GeneralizedAlpha(method) => batch(&self.0, method, h, steps),
        }
    }

    #[cfg(feature = "functions")]
    fn measure(
        &self,
        at: &Snapshot,
        function: Function,
        h: f64,
        count: u64,
    ) -> Result<(Duration, Vec<f64>), Fault> {
        measure(&self.0, self.state(at), function, h, count)
    }
}

/// Times the steps of a method as a user has it, by its own type: what is known of a [`Scheme`] at
/// run time only takes longer.
#[expect(clippy::cast_precision_loss, reason = "counts")]
fn batch<S: System, M: Method<S>>(
    system: &S,
    method: &M,
    h: f64,
    steps: usize,
) -> Result<Batch, SolveError> {
    let mut stepper = method.stepper(system)?;
    let mut state = State::start(system, 0.0);
    let mut stats = Stats::default();
    stepper.start(system, &mut state, h)?;
    for _ in 0..UNTIMED {
        stepper.step(system, &mut state, h, &mut stats)?;
    }
    stats = Stats::default();
    let clock = Instant::now();
    for _ in 0..steps {
        stepper.step(system, &mut state, h, &mut stats)?;
    }
    let seconds = clock.elapsed().as_secs_f64() / steps as f64;
    Ok(Batch {
        seconds,
        newton: stats.newton_iterations as f64 / steps as f64,
        last: Snapshot::of(&state),
    })
}
