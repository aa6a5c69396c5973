//! The objects that `--json` prints.

use std::collections::BTreeMap;

use nalgebra::Vector3;
use polhode_models::machine::{Machine, Snapshot};
use polhode_models::model::{Known, Path};
use serde::Serialize;

use crate::joints::{self, JointState};
use crate::pose::poses;
use crate::simulate::{Plan, Simulated};
use crate::subject::Subject;

/// An object as text with a line end.
pub(crate) fn text(object: &impl Serialize) -> String {
    // Plain structs and maps with string keys cannot fail to be written.
    serde_json::to_string_pretty(object).unwrap_or_default() + "\n"
}

/// Result of `polhode run`.
#[derive(Debug, Serialize)]
pub(crate) struct RunReport {
    pub(crate) model: String,
    pub(crate) group: String,
    pub(crate) method: &'static str,
    pub(crate) path: Path,
    pub(crate) t: f64,
    pub(crate) steps: Steps,
    pub(crate) newton: Newton,
    pub(crate) ns_per_step: f64,
    pub(crate) state: BTreeMap<String, BodyState>,
    pub(crate) joints: BTreeMap<String, JointState>,
    pub(crate) lambda: Vec<f64>,
    pub(crate) energy: EnergyReport,
    pub(crate) constraint: Constraint,
    pub(crate) error: Option<Errors>,
    /// What is too much to be shown.
    #[serde(skip_serializing_if = "Omitted::is_nothing")]
    pub(crate) omitted: Omitted,
}

/// Numbers of bodies and multipliers that are only in the files of `--out`.
#[derive(Debug, Serialize)]
pub(crate) struct Omitted {
    pub(crate) bodies: usize,
    pub(crate) multipliers: usize,
}

impl Omitted {
    fn is_nothing(&self) -> bool {
        self.bodies + self.multipliers == 0
    }
}

#[derive(Debug, Serialize)]
pub(crate) struct Steps {
    pub(crate) accepted: u64,
    pub(crate) rejected: u64,
    /// Every how many steps a state was kept for residuals and files.
    pub(crate) kept_every: u64,
}

#[derive(Debug, Serialize)]
pub(crate) struct Newton {
    pub(crate) iterations: u64,
    pub(crate) factorizations: u64,
}

#[derive(Debug, Serialize)]
pub(crate) struct BodyState {
    pub(crate) position: [f64; 3],
    /// (w, x, y, z).
    pub(crate) rotation: [f64; 4],
    pub(crate) velocity: [f64; 3],
    pub(crate) angular_velocity: [f64; 3],
}

#[derive(Debug, Serialize)]
pub(crate) struct EnergyReport {
    pub(crate) start: f64,
    pub(crate) end: f64,
    pub(crate) drift: f64,
}

#[derive(Debug, Serialize)]
pub(crate) struct Constraint {
    pub(crate) position: f64,
    pub(crate) velocity: f64,
}

/// Distances to what is known exactly at the end.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Errors {
    /// Largest distance of a body's origin, or that of the point that is known.
    pub(crate) position: f64,
    /// Largest angle.
    pub(crate) rotation: Option<f64>,
    /// Euclidean norm over all velocities.
    pub(crate) velocity: Option<f64>,
    /// Euclidean norm over all multipliers; none without constraints.
    pub(crate) lambda: Option<f64>,
}

/// Euclidean distance.
pub(crate) fn distance(x: &[f64], y: &[f64]) -> f64 {
    x.iter()
        .zip(y)
        .map(|(x, y)| (x - y) * (x - y))
        .sum::<f64>()
        .sqrt()
}

impl Errors {
    /// Compares a state with what is known exactly.
    pub(crate) fn new(machine: &dyn Machine, last: &Snapshot, known: &Known) -> Self {
        let (v, lambda) = (&last.v, &last.lambda);
        let found = poses(machine, &last.q, v);
        let exact = match known {
            Known::State(exact) => exact,
            Known::Point {
                factor,
                point,
                position,
            } => {
                let distance = found[*factor].point(point) - Vector3::from(*position);
                return Self {
                    position: distance.norm(),
                    rotation: None,
                    velocity: None,
                    lambda: None,
                };
            }
        };
        let wanted = poses(machine, &exact.q, &exact.v);
        let (mut position, mut rotation) = (0.0_f64, 0.0_f64);
        for (found, wanted) in found.iter().zip(&wanted) {
            position = position.max((found.position - wanted.position).norm());
            // The vector part keeps small angles that the scalar part loses.
            let sine = (found.rotation.inverse() * wanted.rotation).imag().norm();
            rotation = rotation.max(2.0 * sine.min(1.0).asin());
        }
        Self {
            position,
            rotation: Some(rotation),
            velocity: Some(distance(v, &exact.v)),
            lambda: (!lambda.is_empty()).then(|| distance(lambda, &exact.lambda)),
        }
    }
}

/// The direction in the name of a constraint, if it belongs to this joint.
pub(crate) fn direction<'a>(constraint: &'a str, joint: &str) -> Option<&'a str> {
    let rest = constraint.strip_prefix("joint `")?;
    rest.strip_prefix(joint)?.strip_prefix("`, ")
}

/// The bodies that are shown: all, or some at both ends of a long row.
fn shown(count: usize) -> Vec<usize> {
    const ALL: usize = 24;
    const ENDS: usize = 3;
    if count <= ALL {
        return (0..count).collect();
    }
    (0..ENDS).chain(count - ENDS..count).collect()
}

impl RunReport {
    /// Everything about a run.
    pub(crate) fn new(
        subject: &Subject,
        path: Path,
        machine: &dyn Machine,
        plan: &Plan,
        simulated: &Simulated,
    ) -> Self {
        let last = &simulated.last;
        let poses = poses(machine, &last.q, &last.v);
        let shown = shown(poses.len());
        let all = shown.len() == poses.len();
        let lambda = if all { last.lambda.clone() } else { Vec::new() };
        let omitted = Omitted {
            bodies: poses.len() - shown.len(),
            multipliers: last.lambda.len() - lambda.len(),
        };
        let state = shown
            .into_iter()
            .map(|i| {
                let pose = &poses[i];
                let [x, y, z, w]: [f64; 4] = pose.rotation.coords.into();
                let state = BodyState {
                    position: pose.position.into(),
                    rotation: [w, x, y, z],
                    velocity: pose.velocity.into(),
                    angular_velocity: pose.angular_velocity.into(),
                };
                (machine.factor_name(i), state)
            })
            .collect();
        let stats = &simulated.stats;
        let (start, end) = (simulated.energy_start.total(), simulated.energy_end.total());
        Self {
            model: subject.name.clone(),
            group: subject.group.clone(),
            method: plan.method,
            path,
            t: last.t,
            steps: Steps {
                accepted: stats.accepted,
                rejected: stats.rejected(),
                kept_every: simulated.stride,
            },
            newton: Newton {
                iterations: stats.newton_iterations,
                factorizations: stats.factorizations + stats.refactorizations,
            },
            ns_per_step: simulated.ns_per_step,
            state,
            joints: joints::at_end(machine, simulated, subject.redundancy()),
            lambda,
            energy: EnergyReport {
                start,
                end,
                drift: end - start,
            },
            constraint: Constraint {
                position: simulated.residuals.position,
                velocity: simulated.residuals.velocity,
            },
            error: subject
                .known(plan.until)
                .map(|known| Errors::new(machine, last, &known)),
            omitted,
        }
    }
}
