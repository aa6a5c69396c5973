//! The motion of a run as a web page that needs nothing but itself.

use std::collections::BTreeMap;

use nalgebra::{Matrix3, Rotation3, UnitQuaternion, Vector3};
use polhode_models::machine::{Machine, Snapshot};
use polhode_models::scene::{self, Look, Solid, Spot};
use serde::Serialize;

use crate::plots::subtitle;
use crate::pose::poses;
use crate::simulate::{Plan, Simulated};
use crate::subject::Subject;
use crate::text::escaped;

const TEMPLATE: &str = include_str!("view.html");
/// Most frames of an animation.
const FRAMES: usize = 1500;
/// Most poses in all of its frames.
const POSES: usize = 120_000;
/// Most points of a curve.
const POINTS: usize = 400;

#[derive(Serialize)]
struct Page {
    title: String,
    subtitle: String,
    /// Unit vector against gravity.
    up: [f64; 3],
    bodies: Vec<Shape>,
    curves: Vec<Curve>,
    links: Vec<Link>,
    t: Vec<f64>,
    /// Total energy at the start, and its change until each frame.
    energy: f64,
    drift: Vec<f64>,
    /// For each frame and slot: position, then rotation (w, x, y, z).
    poses: Vec<Vec<[f64; 7]>>,
}

/// How a body looks.
#[derive(Serialize)]
struct Shape {
    name: String,
    slot: isize,
    /// Centre of mass in body coordinates.
    center: [f64; 3],
    /// Edges of the box with the same inertia; none for a point mass.
    edges: Option<[f64; 3]>,
    /// Its axes in body coordinates, quaternion (w, x, y, z).
    axes: [f64; 4],
}

/// A rod, or a chain of many links.
#[derive(Serialize)]
struct Curve {
    name: String,
    /// Slot, the ground as -1, and the point there.
    points: Vec<(isize, [f64; 3])>,
}

/// A joint or a force between two points.
#[derive(Serialize)]
struct Link {
    name: String,
    kind: Look,
    /// Slots, the ground as -1.
    bodies: [isize; 2],
    points: [[f64; 3]; 2],
}

/// The poses that are stored, by the places of their bodies in the system.
struct Slots(BTreeMap<usize, isize>);

impl Slots {
    fn of(&mut self, factor: Option<usize>) -> isize {
        let next = self.0.len().cast_signed();
        factor.map_or(-1, |factor| *self.0.entry(factor).or_insert(next))
    }

    /// The bodies in the order of their slots.
    fn factors(&self) -> Vec<usize> {
        let mut pairs: Vec<(isize, usize)> = self.0.iter().map(|(f, slot)| (*slot, *f)).collect();
        pairs.sort_unstable();
        pairs.into_iter().map(|(_, factor)| factor).collect()
    }
}

/// The page.
pub(crate) fn page(
    subject: &Subject,
    machine: &dyn Machine,
    plan: &Plan,
    simulated: &Simulated,
) -> String {
    let scene = &subject.scene;
    let mut slots = Slots(BTreeMap::new());
    let bodies = scene.solids.iter().map(|solid| shape(solid, &mut slots));
    let bodies = bodies.collect();
    let curves = scene.curves.iter().map(|curve| Curve {
        name: curve.name.clone(),
        points: thinned(&curve.points)
            .map(|spot| (slots.of(spot.factor), spot.point))
            .collect(),
    });
    let curves = curves.collect();
    let links = scene.links.iter().map(|link| self::link(link, &mut slots));
    let links = links.collect();
    let factors = slots.factors();
    let most = FRAMES.min(POSES / factors.len().max(1));
    let states = frames(&simulated.states, most);
    let start = simulated.energy_start.total();
    let page = Page {
        title: subject.name.clone(),
        subtitle: subtitle(subject, plan),
        up: up(scene.gravity),
        bodies,
        curves,
        links,
        t: states.iter().map(|state| round(state.t)).collect(),
        energy: start,
        drift: states
            .iter()
            .map(|state| round(machine.energy(state).total() - start))
            .collect(),
        poses: states
            .iter()
            .map(|state| frame(machine, state, &factors))
            .collect(),
    };
    // Plain data cannot fail to be written. `</` must not end the script element.
    let data = serde_json::to_string(&page).unwrap_or_default();
    let title = escaped(&subject.name);
    TEMPLATE
        .replace("__TITLE__", &title)
        .replace("__DATA__", &data.replace("</", "<\\/"))
}

/// Some points of a long curve, the first and the last among them.
fn thinned(points: &[Spot]) -> impl Iterator<Item = &Spot> {
    let every = points.len().div_ceil(POINTS).max(1);
    let last = points.len().saturating_sub(1);
    let kept = move |i: usize| i.is_multiple_of(every) || i == last;
    let points = points.iter().enumerate();
    points.filter(move |(i, _)| kept(*i)).map(|(_, spot)| spot)
}

/// States at nearly equal distances in time, the first and the last among them.
fn frames(states: &[Snapshot], most: usize) -> Vec<&Snapshot> {
    let (Some(first), Some(last)) = (states.first(), states.last()) else {
        return Vec::new();
    };
    #[expect(clippy::cast_precision_loss, reason = "a small number")]
    let interval = (last.t - first.t) / most as f64;
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

fn frame(machine: &dyn Machine, state: &Snapshot, factors: &[usize]) -> Vec<[f64; 7]> {
    let poses = poses(machine, &state.q, &state.v);
    let pose = |&factor: &usize| {
        let [x, y, z]: [f64; 3] = poses[factor].position.into();
        let [i, j, k, w]: [f64; 4] = poses[factor].rotation.coords.into();
        [x, y, z, w, i, j, k].map(round)
    };
    factors.iter().map(pose).collect()
}

fn up(gravity: [f64; 3]) -> [f64; 3] {
    (-Vector3::from(gravity))
        .try_normalize(1e-12)
        .unwrap_or(Vector3::z())
        .into()
}

/// The homogeneous box with the mass and inertia of a body.
fn shape(body: &Solid, slots: &mut Slots) -> Shape {
    let mut shape = Shape {
        name: body.name.clone(),
        slot: slots.of(Some(body.factor)),
        center: body.center,
        edges: None,
        axes: [1.0, 0.0, 0.0, 0.0],
    };
    let Some(inertia) = body.inertia else {
        return shape;
    };
    let inertia = Matrix3::from_fn(|i, j| inertia[i][j]);
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

fn link(link: &scene::Link, slots: &mut Slots) -> Link {
    Link {
        name: link.name.clone(),
        kind: link.look,
        bodies: link.ends.map(|spot| slots.of(spot.factor)),
        points: link.ends.map(|spot| spot.point),
    }
}
