//! Runs of the heavy top with their errors over time, each done once.

use core::ops::{ControlFlow, RangeInclusive};
use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use polhode::generalized_alpha::{GeneralizedAlpha, Sigma};
use polhode::half_explicit::{HalfExplicit, Multipliers};
use polhode::lie::GroupKind;
use polhode::starting_values::StartingValues;
use polhode_models::heavy_top::{CONSTRAINED, FREE, Sample};
use polhode_models::machine::{Machine, Order, Scheme, Snapshot};
use polhode_models::model::{Model, Path};

use super::trial::{Experiment, Trial, Trials};
use crate::failure::Failure;
use crate::json::distance;
use crate::subject::Subject;

/// Steps of the reference on [0, 1]: a multiple of those of every run.
const REFERENCE_STEPS: u32 = 32_000;

/// A method with all its options, by a name that tells them apart.
#[derive(Clone, Debug)]
pub(crate) struct Recipe {
    pub(crate) name: String,
    scheme: Scheme,
}

impl Recipe {
    /// The method.
    pub(crate) fn scheme(&self) -> Scheme {
        self.scheme.clone()
    }
}

/// A half-explicit method.
pub(crate) fn half_explicit(order: usize) -> Recipe {
    let method = match order {
        2 => HalfExplicit::order2(),
        3 => HalfExplicit::order3(),
        4 => HalfExplicit::order4(),
        _ => HalfExplicit::order5(),
    };
    Recipe {
        name: format!("he{order}"),
        scheme: Scheme::HalfExplicit(method, Multipliers::Raw),
    }
}

/// A generalized-alpha method.
pub(crate) fn generalized_alpha(
    method: GeneralizedAlpha,
    rho: f64,
    sigma: Sigma,
    start: StartingValues,
) -> Recipe {
    let formulation = method.formulation;
    let mut method = method;
    (method.rho, method.sigma, method.start) = (rho, sigma, start);
    Recipe {
        name: format!("{formulation:?}, rho {rho}, sigma {sigma:?}, {start:?}"),
        scheme: Scheme::GeneralizedAlpha(method),
    }
}

/// The end of a step, compared with the exact motion.
#[derive(Clone, Debug)]
pub(crate) struct Point {
    pub(crate) t: f64,
    pub(crate) position: [f64; 3],
    /// Translational velocity as the group has it.
    pub(crate) velocity: [f64; 3],
    pub(crate) lambda: [f64; 3],
    pub(crate) eta: f64,
    /// Errors of the position and of the translational velocity.
    pub(crate) translation: [f64; 2],
    /// Distance in the group.
    pub(crate) q: f64,
    /// Error of all velocities.
    pub(crate) v: f64,
    pub(crate) v_relative: f64,
    pub(crate) lambda_error: f64,
    pub(crate) lambda_relative: f64,
    /// Error of the first multiplier over the norm of all.
    pub(crate) lambda_1: f64,
    /// Relative error of the multipliers that are solved for at the state.
    pub(crate) lambda_at_state: f64,
    /// Norm of the residual in position.
    pub(crate) gap: f64,
    /// Norm of the residual in velocity.
    pub(crate) hidden: f64,
}

/// A run.
#[derive(Debug)]
pub(crate) struct History {
    pub(crate) h: f64,
    pub(crate) points: Vec<Point>,
}

impl History {
    /// The largest value in a time interval.
    pub(crate) fn largest(&self, span: RangeInclusive<f64>, value: impl Fn(&Point) -> f64) -> f64 {
        let points = self.points.iter().filter(|point| span.contains(&point.t));
        points.fold(0.0, |largest, point| largest.max(value(point).abs()))
    }

    /// The same over the first steps, or over all others.
    pub(crate) fn split(&self, steps: usize, value: impl Fn(&Point) -> f64) -> [f64; 2] {
        let (first, rest) = self.points.split_at(steps.min(self.points.len()));
        [first, rest].map(|points| {
            let values = points.iter().map(|point| value(point).abs());
            values.fold(0.0, f64::max)
        })
    }

    /// A curve over time.
    pub(crate) fn curve(&self, until: f64, value: impl Fn(&Point) -> f64) -> Vec<(f64, f64)> {
        let points = self.points.iter().take_while(|point| point.t <= until);
        points.map(|point| (point.t, value(point))).collect()
    }
}

/// Slope of `log(error)` over `log(h)` by least squares.
pub(crate) fn slope(points: &[(f64, f64)]) -> f64 {
    let logs: Vec<(f64, f64)> = points.iter().map(|(h, e)| (h.ln(), e.ln())).collect();
    #[expect(clippy::cast_precision_loss, reason = "a handful of points")]
    let n = logs.len() as f64;
    let mean = logs
        .iter()
        .fold((0.0, 0.0), |m, p| (m.0 + p.0 / n, m.1 + p.1 / n));
    let sums = logs.iter().fold((0.0, 0.0), |s, p| {
        let x = p.0 - mean.0;
        (s.0 + x * (p.1 - mean.1), s.1 + x * x)
    });
    sums.0 / sums.1
}

/// Number of local extrema of a curve.
pub(crate) fn extrema(curve: &[(f64, f64)]) -> usize {
    let rises = curve.windows(2).map(|pair| pair[1].1 > pair[0].1);
    let rises: Vec<bool> = rises.collect();
    rises.windows(2).filter(|pair| pair[0] != pair[1]).count()
}

/// Runs that were done, and the exact motion.
#[derive(Default)]
pub(crate) struct Lab {
    exact: OnceCell<Vec<Sample>>,
    runs: RefCell<BTreeMap<String, Rc<History>>>,
    trials: Trials,
}

impl Lab {
    /// Any model of the registry.
    pub(crate) fn run(&self, experiment: &Experiment) -> Result<Rc<Trial>, Failure> {
        self.trials.run(experiment)
    }

    /// The heavy top in a group with steps of `1 / steps`.
    pub(crate) fn top(
        &self,
        recipe: &Recipe,
        group: GroupKind,
        steps: u32,
    ) -> Result<Rc<History>, Failure> {
        let key = format!("{} {group} {steps}", recipe.name);
        if let Some(known) = self.runs.borrow().get(&key) {
            return Ok(known.clone());
        }
        let exact = self.exact()?;
        let machine = generated(&CONSTRAINED, group)?;
        let history = follow(machine.as_ref(), recipe, group, steps, exact)?;
        let history = Rc::new(history);
        self.runs.borrow_mut().insert(key, history.clone());
        Ok(history)
    }

    /// The same with several step sizes, `1 / steps` each.
    pub(crate) fn tops(
        &self,
        recipe: &Recipe,
        group: GroupKind,
        steps: &[u32],
    ) -> Result<Vec<Rc<History>>, Failure> {
        let runs = steps.iter().map(|&steps| self.top(recipe, group, steps));
        runs.collect()
    }

    /// The exact motion at multiples of `1 / REFERENCE_STEPS`: minimal coordinates on the
    /// rotation group and order 5, so another formulation than any run that is examined.
    fn exact(&self) -> Result<&[Sample], Failure> {
        if let Some(known) = self.exact.get() {
            return Ok(known);
        }
        let machine = generated(&FREE, GroupKind::S3)?;
        let order = Order {
            scheme: &half_explicit(5).scheme,
            step: Some(1.0 / f64::from(REFERENCE_STEPS)),
            until: 1.0,
            stop_at: &[],
        };
        let sample = |state: &Snapshot| {
            let (q, v) = (&state.q, &state.v);
            Sample::new(state.t, [q[0], q[1], q[2], q[3]], [v[0], v[1], v[2]])
        };
        let mut samples = vec![sample(&machine.start())];
        let run = machine.run(
            &order,
            Some(&mut |step| {
                samples.push(sample(step.state));
                ControlFlow::Continue(())
            }),
        );
        if let Some(error) = run.error {
            return Err(Failure::solve("reference", &error));
        }
        Ok(self.exact.get_or_init(|| samples))
    }
}

/// The generated machine of a model in a group.
fn generated(model: &'static Model, group: GroupKind) -> Result<Box<dyn Machine>, Failure> {
    Subject::chosen(model, model.choice_in(group)).machine(Path::Generated)
}

fn three(x: &[f64]) -> [f64; 3] {
    [x[0], x[1], x[2]]
}

fn norm(x: &[f64]) -> f64 {
    distance(x, &vec![0.0; x.len()])
}

/// Runs the heavy top and compares every step with the exact motion.
fn follow(
    machine: &dyn Machine,
    recipe: &Recipe,
    group: GroupKind,
    steps: u32,
    exact: &[Sample],
) -> Result<History, Failure> {
    let h = 1.0 / f64::from(steps);
    let stride = (REFERENCE_STEPS / steps) as usize;
    let mut points: Vec<Point> = Vec::new();
    let order = Order {
        scheme: &recipe.scheme,
        step: Some(h),
        until: 1.0,
        stop_at: &[],
    };
    let run = machine.run(
        &order,
        Some(&mut |step| {
            let Some(sample) = exact.get((points.len() + 1) * stride) else {
                return ControlFlow::Break(());
            };
            points.push(Point::new(machine, step.state, sample, group));
            ControlFlow::Continue(())
        }),
    );
    match run.error {
        Some(error) => Err(Failure::solve(&recipe.name, &error)),
        None => Ok(History { h, points }),
    }
}

impl Point {
    fn new(machine: &dyn Machine, state: &Snapshot, sample: &Sample, group: GroupKind) -> Self {
        let exact = sample.reference(group);
        let Snapshot {
            q, v, lambda, eta, ..
        } = state;
        let size = norm(&exact.lambda);
        let mut solved = state.clone();
        let lambda_at_state = match machine.accelerate(&mut solved) {
            Ok(()) => distance(&solved.lambda, &exact.lambda) / size,
            Err(_) => f64::NAN,
        };
        let (error, lambda_error) = (distance(v, &exact.v), distance(lambda, &exact.lambda));
        let [gap, hidden] = match machine.residuals(state) {
            Ok(found) => [norm(&found.position), norm(&found.velocity)],
            Err(_) => [f64::NAN; 2],
        };
        let start = q.len() - 3;
        Self {
            t: sample.t,
            position: three(&q[start..]),
            translation: [
                distance(&q[start..], &exact.q[start..]),
                distance(&v[3..], &exact.v[3..]),
            ],
            velocity: three(&v[3..]),
            lambda: three(lambda),
            eta: norm(eta),
            q: machine.space().distance(q, &exact.q),
            v: error,
            v_relative: error / norm(&exact.v),
            lambda_error,
            lambda_relative: lambda_error / size,
            lambda_1: (lambda[0] - exact.lambda[0]) / size,
            lambda_at_state,
            gap,
            hidden,
        }
    }
}
