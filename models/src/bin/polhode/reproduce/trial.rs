//! Runs of any model of the registry, each done once.

use core::ops::ControlFlow;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use nalgebra::Vector3;
use polhode::run::StepRecord;
use polhode_models::machine::{Machine, Order, Scheme, Snapshot};
use polhode_models::model::{Choice, Model};

use crate::failure::Failure;
use crate::pose::poses;
use crate::subject::Subject;

/// What is to be run.
#[derive(Clone, Debug)]
pub(crate) struct Experiment {
    pub(crate) model: &'static Model,
    pub(crate) choice: Choice,
    pub(crate) scheme: Scheme,
    pub(crate) step: f64,
    pub(crate) until: f64,
}

/// What came out.
pub(crate) struct Trial {
    pub(crate) machine: Box<dyn Machine>,
    /// Some states, the start first, at most [`KEPT`] or twice as many.
    pub(crate) states: Vec<Snapshot>,
    /// Continuous angles of the joints at these states but the first.
    pub(crate) angles: Vec<Vec<Option<f64>>>,
    /// All steps of an adaptive run, the same number of others.
    pub(crate) steps: Vec<StepRecord>,
    pub(crate) last: Snapshot,
    pub(crate) accepted: u64,
    pub(crate) rejected: u64,
    /// Corrections of Newton's method in a step, on average.
    pub(crate) iterations: f64,
}

/// States that are kept of a long run, about.
const KEPT: f64 = 2000.0;

/// Trials that were made.
#[derive(Default)]
pub(crate) struct Trials(RefCell<BTreeMap<String, Rc<Trial>>>);

impl Experiment {
    /// A model as it is in the registry, on its fastest path.
    pub(crate) fn new(model: &'static Model, scheme: Scheme, step: f64, until: f64) -> Self {
        Self {
            model,
            choice: model.choice(),
            scheme,
            step,
            until,
        }
    }

    /// The same with another value of a parameter.
    pub(crate) fn with(mut self, name: &str, value: f64) -> Self {
        for (known, old) in &mut self.choice.values {
            if *known == name {
                *old = value;
            }
        }
        self
    }
}

impl Trials {
    /// Runs, or gives what was run before.
    pub(crate) fn run(&self, experiment: &Experiment) -> Result<Rc<Trial>, Failure> {
        let Experiment {
            model,
            choice,
            scheme,
            step,
            until,
        } = experiment;
        let key = format!("{} {choice:?} {scheme:?} {step} {until}", model.name);
        if let Some(known) = self.0.borrow().get(&key) {
            return Ok(known.clone());
        }
        let fastest = (model.paths)(choice)[0];
        let machine = Subject::chosen(model, choice.clone()).machine(fastest)?;
        let mut states = vec![machine.start()];
        let (mut steps, mut all_angles) = (Vec::new(), Vec::new());
        let order = Order {
            scheme,
            step: Some(*step),
            until: *until,
            stop_at: model.kinks,
        };
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a number of steps"
        )]
        let every = (until / step / KEPT).floor().max(1.0) as u64;
        let run = machine.run(
            &order,
            Some(&mut |step| {
                if step.accepted.is_multiple_of(every) {
                    states.push(step.state.clone());
                    all_angles.push(step.angles.to_vec());
                    steps.push(StepRecord {
                        t: step.state.t - step.h,
                        h: step.h,
                        error: step.error,
                    });
                }
                ControlFlow::Continue(())
            }),
        );
        if let Some(error) = &run.error {
            return Err(Failure::solve(model.name, error));
        }
        #[expect(clippy::cast_precision_loss, reason = "counts of steps")]
        let iterations = run.stats.newton_iterations as f64 / run.stats.accepted.max(1) as f64;
        let trial = Rc::new(Trial {
            machine,
            states,
            angles: all_angles,
            steps,
            last: run.last,
            accepted: run.stats.accepted,
            rejected: run.stats.rejected(),
            iterations,
        });
        self.0.borrow_mut().insert(key, trial.clone());
        Ok(trial)
    }
}

impl Trial {
    /// A point of a body in the inertial frame, and its velocity.
    pub(crate) fn point(
        &self,
        state: &Snapshot,
        body: usize,
        point: [f64; 3],
    ) -> [Vector3<f64>; 2] {
        let pose = &poses(self.machine.as_ref(), &state.q, &state.v)[body];
        let arm = Vector3::from(point);
        let velocity = pose.velocity + pose.rotation * pose.angular_velocity.cross(&arm);
        [pose.point(&point), velocity]
    }

    /// A number of each kept state over time.
    pub(crate) fn curve(&self, value: impl Fn(&Snapshot) -> f64) -> Vec<(f64, f64)> {
        let states = self.states.iter();
        states.map(|state| (state.t, value(state))).collect()
    }

    /// Mean size of the steps that begin in an interval.
    pub(crate) fn mean_step(&self, from: f64, to: f64) -> f64 {
        let inside = |step: &&StepRecord| (from..to).contains(&step.t);
        let sizes: Vec<f64> = self.steps.iter().filter(inside).map(|s| s.h).collect();
        #[expect(clippy::cast_precision_loss, reason = "a number of steps")]
        let count = sizes.len().max(1) as f64;
        sizes.iter().sum::<f64>() / count
    }
}
