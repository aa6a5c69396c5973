//! What the integration tests share: reference data, errors, observed orders.

pub mod heavy_top;

use polhode::generic::GenericSystem;
use polhode::lie::GroupKind;
use polhode::state::State;
use polhode::stats::Stats;
use polhode::stepper::{Method, Stepper};
use polhode::system::{Scratch, Stage, System};
use serde_json::Value;

/// The four groups of a rigid body, with their names in the reference data.
pub const RIGID: [(GroupKind, &str); 4] = [
    (GroupKind::SO3xR3, "SO3xR3"),
    (GroupKind::SE3, "SE3"),
    (GroupKind::S3xR3, "S3xR3"),
    (GroupKind::S3sR3, "S3|xR3"),
];

/// Reads a file of `tests/data`.
///
/// # Panics
/// If the file is missing or not JSON.
pub fn data(name: &str) -> Value {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/data/").to_owned() + name;
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"));
    serde_json::from_str(&text).unwrap_or_else(|e| panic!("{path}: {e}"))
}

/// A number, or a string with more digits than a number.
///
/// # Panics
/// If it is neither.
pub fn float(value: &Value) -> f64 {
    match value {
        Value::String(text) => text.parse().expect("a number"),
        other => other.as_f64().expect("a number"),
    }
}

/// All numbers of a nested list in order.
///
/// # Panics
/// If there is something else in it.
pub fn floats(value: &Value) -> Vec<f64> {
    match value {
        Value::Array(items) => items.iter().flat_map(floats).collect(),
        other => vec![float(other)],
    }
}

/// Largest difference, relative to the largest component where that is above one.
///
/// # Panics
/// If the lengths differ.
pub fn difference(found: &[f64], expected: &[f64]) -> f64 {
    assert_eq!(found.len(), expected.len());
    let scale = expected.iter().fold(1.0_f64, |m, x| m.max(x.abs()));
    let largest = found
        .iter()
        .zip(expected)
        .map(|(x, y)| if x.is_nan() { f64::NAN } else { (x - y).abs() })
        .fold(0.0, |m: f64, x| if x <= m { m } else { x });
    largest / scale
}

/// Euclidean norm.
pub fn norm(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// Euclidean distance.
///
/// # Panics
/// If the lengths differ.
pub fn distance(x: &[f64], y: &[f64]) -> f64 {
    assert_eq!(x.len(), y.len());
    x.iter()
        .zip(y)
        .map(|(x, y)| (x - y) * (x - y))
        .sum::<f64>()
        .sqrt()
}

/// Slope of `log(error)` over `log(h)` by least squares.
pub fn observed_order(points: &[(f64, f64)]) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "a handful of points")]
    let n = points.len() as f64;
    let logs: Vec<(f64, f64)> = points.iter().map(|(h, e)| (h.ln(), e.ln())).collect();
    let (mx, my) = logs
        .iter()
        .fold((0.0, 0.0), |(a, b), (x, y)| (a + x / n, b + y / n));
    let (sxy, sxx) = logs.iter().fold((0.0, 0.0), |(a, b), (x, y)| {
        (a + (x - mx) * (y - my), b + (x - mx) * (x - mx))
    });
    sxy / sxx
}

/// A system with a method ready to step.
pub struct Driver<M: Method, S: System = GenericSystem> {
    /// The system.
    pub system: S,
    /// The state.
    pub state: State<S>,
    /// The method.
    pub stepper: M::Stepper<S>,
    /// Counted work.
    pub stats: Stats,
}

impl<M: Method, S: System> Driver<M, S> {
    /// Starts at `t = 0`.
    ///
    /// # Panics
    /// If the start fails.
    pub fn new(system: S, method: &M, h: f64) -> Self {
        let mut state = State::start(&system, 0.0);
        let mut stepper = method.stepper(&system).expect("valid options");
        stepper
            .start(&system, &mut state, h)
            .expect("starting values");
        Self {
            system,
            state,
            stepper,
            stats: Stats::default(),
        }
    }

    /// Makes steps of size `h`.
    ///
    /// # Panics
    /// If a step fails.
    pub fn steps(&mut self, count: usize, h: f64) {
        for _ in 0..count {
            self.stepper
                .step(&self.system, &mut self.state, h, &mut self.stats)
                .expect("a step");
        }
    }
}

/// Largest errors over a run of the heavy top on `[0, 1]`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Errors {
    /// Group distance.
    pub q: f64,
    /// Euclidean distance of the velocities.
    pub v: f64,
    /// The same, each divided by the norm of the computed velocity.
    pub v_relative: f64,
    /// Euclidean distance of the multipliers.
    pub lambda: f64,
    /// The same, each divided by the norm of the computed multipliers.
    pub lambda_relative: f64,
    /// Distance of the multipliers on `[1/2, 1]`.
    pub lambda_late: f64,
    /// The same, each divided by the norm of the computed multipliers.
    pub lambda_late_relative: f64,
    /// Distance of the multipliers that the acceleration-level system gives at the computed state.
    pub lambda_recomputed: f64,
    /// Largest `|Phi|`.
    pub phi: f64,
    /// Largest `|B v|`.
    pub hidden: f64,
}

impl<M: Method> Driver<M> {
    /// Runs the heavy top over `[0, 1]` with `n` steps and compares every one with the exact motion.
    ///
    /// # Panics
    /// If a step fails.
    pub fn heavy_top_errors(
        mut self,
        group: GroupKind,
        exact: &[heavy_top::Top],
    ) -> (Errors, Stats) {
        let n = exact.len() - 1;
        #[expect(clippy::cast_precision_loss, reason = "step counts")]
        let h = 1.0 / n as f64;
        let mut errors = Errors::default();
        let mut geometry = self.system.new_geometry();
        let mut residual = self.system.new_multiplier();
        let mut vdot = self.system.new_velocity();
        let mut scratch = Scratch::new(&self.system);
        for (i, top) in exact.iter().enumerate() {
            if i > 0 {
                self.steps(1, h);
            }
            let state = &self.state;
            let larger = |x: &mut f64, y: f64| *x = if y <= *x { *x } else { y };
            larger(
                &mut errors.q,
                self.system.space().distance(&state.q, &top.config(group)),
            );
            let velocity = top.velocity(group);
            let error = distance(&state.v, &velocity);
            larger(&mut errors.v, error);
            larger(&mut errors.v_relative, error / norm(&state.v));
            if !state.lambda.is_empty() {
                let lambda = top.lambda();
                let error = distance(&state.lambda, &lambda);
                let relative = error / norm(&state.lambda);
                larger(&mut errors.lambda, error);
                larger(&mut errors.lambda_relative, relative);
                if 2 * i >= n {
                    larger(&mut errors.lambda_late, error);
                    larger(&mut errors.lambda_late_relative, relative);
                }
            }
            self.system
                .geometry(state.t, &state.q, &mut geometry)
                .expect("geometry");
            self.system
                .constraint(state.t, &state.q, &geometry, &mut residual);
            larger(&mut errors.phi, norm(&residual));
            self.system
                .jacobian_times(&geometry, &state.v, &mut residual);
            larger(&mut errors.hidden, norm(&residual));
            let stage = Stage {
                t: state.t,
                q: &state.q,
                geometry: &geometry,
                v: &state.v,
            };
            self.system
                .accelerations(&stage, &mut vdot, &mut residual, &mut scratch)
                .expect("accelerations");
            if !residual.is_empty() {
                larger(
                    &mut errors.lambda_recomputed,
                    distance(&residual, &top.lambda()),
                );
            }
        }
        (errors, self.stats)
    }
}
