//! The motion of a run as a web page that needs nothing but itself.

use nalgebra::{Matrix3, Rotation3, UnitQuaternion, Vector3};
use polhode::generic::description::{Attachment, Body, Description, ForceKind, JointKind};
use polhode::lie::GroupKind;
use polhode_models::machine::{Machine, Snapshot};
use serde::Serialize;

use crate::args::Subject;
use crate::plots::subtitle;
use crate::pose::poses;
use crate::simulate::{Plan, Simulated};

const TEMPLATE: &str = include_str!("view.html");
/// Most frames of an animation.
const FRAMES: usize = 1500;

#[derive(Serialize)]
struct Scene {
    title: String,
    subtitle: String,
    /// Unit vector against gravity.
    up: [f64; 3],
    bodies: Vec<Shape>,
    links: Vec<Link>,
    t: Vec<f64>,
    /// Total energy at the start, and its change until each frame.
    energy: f64,
    drift: Vec<f64>,
    /// For each frame and body: position, then rotation (w, x, y, z).
    poses: Vec<Vec<[f64; 7]>>,
}

/// How a body looks.
#[derive(Serialize)]
struct Shape {
    name: String,
    /// Centre of mass in body coordinates.
    center: [f64; 3],
    /// Edges of the box with the same inertia; none for a point mass.
    edges: Option<[f64; 3]>,
    /// Its axes in body coordinates, quaternion (w, x, y, z).
    axes: [f64; 4],
}

/// A joint or a force between two points.
#[derive(Serialize)]
struct Link {
    name: String,
    kind: &'static str,
    /// Bodies by index, the ground as -1.
    bodies: [isize; 2],
    points: [[f64; 3]; 2],
}

/// The page.
pub(crate) fn page(
    subject: &Subject,
    machine: &dyn Machine,
    plan: &Plan,
    simulated: &Simulated,
) -> String {
    let description = &subject.description;
    let states = frames(&simulated.states);
    let start = simulated.energy_start.total();
    let drift = |state: &&Snapshot| round(machine.energy(state).total() - start);
    let scene = Scene {
        title: subject.name.clone(),
        subtitle: subtitle(subject, plan),
        up: up(description),
        bodies: description.bodies.iter().map(shape).collect(),
        links: links(description),
        t: states.iter().map(|state| round(state.t)).collect(),
        energy: start,
        drift: states.iter().map(drift).collect(),
        poses: states.iter().map(|state| frame(machine, state)).collect(),
    };
    // Plain data cannot fail to be written. `</` must not end the script element.
    let data = serde_json::to_string(&scene).unwrap_or_default();
    let title = subject.name.replace('&', "&amp;").replace('<', "&lt;");
    TEMPLATE
        .replace("__TITLE__", &title)
        .replace("__DATA__", &data.replace("</", "<\\/"))
}

/// States at nearly equal distances in time, the first and the last among them.
fn frames(states: &[Snapshot]) -> Vec<&Snapshot> {
    let (Some(first), Some(last)) = (states.first(), states.last()) else {
        return Vec::new();
    };
    #[expect(clippy::cast_precision_loss, reason = "a small number")]
    let interval = (last.t - first.t) / FRAMES as f64;
    let mut kept = vec![first];
    let mut due = first.t + interval;
    for state in &states[1..] {
        if state.t >= due * (1.0 - 1e-12) || core::ptr::eq(state, last) {
            kept.push(state);
            due = state.t.max(due) + interval;
        }
    }
    kept
}

/// Seven digits are more than a screen shows.
fn round(x: f64) -> f64 {
    format!("{x:.6e}").parse().unwrap_or(x)
}

fn frame(machine: &dyn Machine, state: &Snapshot) -> Vec<[f64; 7]> {
    poses(machine, &state.q, &state.v)
        .iter()
        .map(|pose| {
            let [x, y, z]: [f64; 3] = pose.position.into();
            let [i, j, k, w]: [f64; 4] = pose.rotation.coords.into();
            [x, y, z, w, i, j, k].map(round)
        })
        .collect()
}

fn up(description: &Description) -> [f64; 3] {
    let gravity = Vector3::from(description.gravity);
    (-gravity)
        .try_normalize(1e-12)
        .unwrap_or(Vector3::z())
        .into()
}

/// The homogeneous box with the mass and inertia of a body.
fn shape(body: &Body) -> Shape {
    let mut shape = Shape {
        name: body.name.clone(),
        center: body.center,
        edges: None,
        axes: [1.0, 0.0, 0.0, 0.0],
    };
    if matches!(body.group, GroupKind::Rn(_)) {
        return shape;
    }
    let inertia = Matrix3::from_fn(|i, j| body.inertia[i][j]);
    let eigen = inertia.symmetric_eigen();
    let mut axes = eigen.eigenvectors;
    if axes.determinant() < 0.0 {
        axes.column_mut(0).neg_mut();
    }
    let rotation = Rotation3::from_matrix_unchecked(axes);
    let [i, j, k, w]: [f64; 4] = UnitQuaternion::from_rotation_matrix(&rotation)
        .coords
        .into();
    shape.axes = [w, i, j, k];
    // I_x = m (b^2 + c^2) / 12 and so on, solved for the edges.
    let sum = eigen.eigenvalues.sum();
    let edge = |inertia: f64| (6.0 * (sum - 2.0 * inertia) / body.mass).max(0.0).sqrt();
    let edges: [f64; 3] = eigen.eigenvalues.map(edge).into();
    let largest = edges.iter().fold(0.0_f64, |m, x| m.max(*x));
    shape.edges = Some(edges.map(|x| x.max(0.06 * largest)));
    shape
}

fn links(description: &Description) -> Vec<Link> {
    let index = |name: &str| {
        let found = description.bodies.iter().position(|body| body.name == name);
        found.map_or(-1, usize::cast_signed)
    };
    let link = |name: &str, kind, first: &Attachment, second: &Attachment| Link {
        name: name.to_owned(),
        kind,
        bodies: [index(&first.body), index(&second.body)],
        points: [first.point, second.point],
    };
    let joints = description.joints.iter().map(|joint| {
        let kind = match &joint.kind {
            JointKind::Distance { .. } => "rod",
            _ => "joint",
        };
        link(&joint.name, kind, &joint.first, &joint.second)
    });
    let forces = description.forces.iter().filter_map(|force| {
        let (ForceKind::SpringDamper { first, second, .. }
        | ForceKind::Bushing { first, second, .. }) = &force.kind
        else {
            return None;
        };
        Some(link(&force.name, "spring", first, second))
    });
    joints.chain(forces).collect()
}
