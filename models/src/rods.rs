//! Two rods: one that a moment rolls up to a ring, and one that flies.
//!
//! Both are ten units long, with shear held by constraints (Kirchhoff) unless said otherwise. The
//! roll-up is clamped at its first node and turned by a moment at its last one that would bend it
//! to a closed ring. The flying spaghetti is free; a force and a moment act on its first node for
//! five seconds.
//!
//! Source: Tumiotto, Arnold (2024), table 3; the axis of the moment of the roll-up and the factor 2
//! of the damping are those of the program behind it.
//! Reference: `data/rods.json` says how it was made.

use core::f64::consts::PI;

use nalgebra::Vector3;
use polhode::chain::{
    Hold, InternalConstraint, InvalidTree, Load, Profile, Rod, RodStart, Section, Tree,
};
use polhode::generic::description::Description;
use polhode::lie::{GroupKind, Rotation, S3};
use serde::Deserialize;

use crate::arrays::roll_up::{RollUpOfSize, RollUpOfSizeParameters};
use crate::arrays::spaghetti::{FlyingSpaghetti, FlyingSpaghettiParameters};
use crate::machine::{Machine, hosted, hosted_parts};
use crate::model::{Choice, Exact, Known, Model, Parameter, Path, Reference, Size, Structure};
use crate::scene::{Curve, Scene, Spot};

/// Groups of the nodes of a rod.
pub const NODES: &[GroupKind] = &[
    GroupKind::S3sR3,
    GroupKind::SE3,
    GroupKind::S3xR3,
    GroupKind::SO3xR3,
];

/// Length of both rods.
pub const LENGTH: f64 = 10.0;
/// Stiffness against shear and extension.
const STRETCHING: f64 = 1e4;
/// Stiffness against bending and torsion, unless said otherwise.
const BENDING: f64 = 500.0;

/// The generic system solves dense equations: longer rods have no generic path.
const GENERIC: usize = 32;

const SOURCE: &str = "Tumiotto, Arnold (2024), doi 10.1007/s11044-024-10002-8, table 3";

const HELD: Parameter = Parameter {
    name: "held",
    meaning: "constraints of an element: 0 none, 2 no shear, 3 no shear and no extension",
    default: 2.0,
    min: 0.0,
    max: 3.0,
    only: &[0.0, 2.0, 3.0],
};
const HELD_STIFFNESS: Parameter = Parameter {
    name: "held-stiffness",
    meaning: "whether held strains also have their stiffness and damping: 0 no, 1 yes",
    default: 0.0,
    min: 0.0,
    max: 1.0,
    only: &[0.0, 1.0],
};

/// The roll-up, in the registry.
pub static ROLL_UP: Model = Model {
    name: "roll-up",
    summary: "rod clamped at one end and rolled up to a ring by a moment at the other",
    source: SOURCE,
    groups: NODES,
    end: 5.0,
    step: 1.0 / 1024.0,
    parameters: &[
        HELD,
        HELD_STIFFNESS,
        Parameter {
            name: "bending",
            meaning: "stiffness against bending and torsion; the moment grows with it",
            default: BENDING,
            min: 1.0,
            max: 1e6,
            only: &[],
        },
    ],
    size: Some(Size {
        default: 8,
        of: "elements",
        measured: &[10, 100, 1000, 10_000],
        values: &[],
        // Its damping is what limits half-explicit steps, with the square of the length of elements.
        // Implicit steps are so short that Newton's method needs as many iterations for all of them.
        steps: |n| {
            let [waves, _] = step_limits(n);
            #[expect(clippy::cast_precision_loss, reason = "a number of elements")]
            let damping = 0.1 / (n as f64 * n as f64);
            [waves.min(damping), waves]
        },
    }),
    structure: Structure::Line {
        scene: |choice| scene(Case::RollUp, choice),
        description: Some(|choice| description(Case::RollUp, choice)),
    },
    paths,
    machine: |path, choice| machine(Case::RollUp, path, choice),
    reference: Some(Exact {
        source: "8 elements, t = 0.5, 1, 2, 5: index-1 equations, DOP853, rtol 1e-13",
        at: |choice, t| exact(Case::RollUp, choice, t),
    }),
    ..Model::PLAIN
};

/// The flying spaghetti, in the registry.
pub static SPAGHETTI: Model = Model {
    name: "spaghetti",
    summary: "free rod that is pushed and turned at one end for five seconds",
    source: SOURCE,
    groups: NODES,
    end: 5.0,
    step: 1.0 / 2048.0,
    parameters: &[HELD, HELD_STIFFNESS],
    size: Some(Size {
        default: 16,
        of: "elements",
        measured: &[10, 100, 1000, 10_000],
        values: &[],
        steps: step_limits,
    }),
    structure: Structure::Line {
        scene: |choice| scene(Case::Spaghetti, choice),
        description: Some(|choice| description(Case::Spaghetti, choice)),
    },
    kinks: &[2.5, 5.0],
    paths,
    machine: |path, choice| machine(Case::Spaghetti, path, choice),
    reference: Some(Exact {
        source: "16 elements, t = 0.5, 1, 2, 5, with held = 2 also 7.5 and 10: index-1 equations, DOP853, rtol 1e-13",
        at: |choice, t| exact(Case::Spaghetti, choice, t),
    }),
    ..Model::PLAIN
};

/// Half-explicit steps follow the waves of extension from element to element.
fn step_limits(n: usize) -> [f64; 2] {
    #[expect(clippy::cast_precision_loss, reason = "a number of elements")]
    let n = n as f64;
    [0.01 / n, 1e-4]
}

/// Which of the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Case {
    /// Clamped at node 0, rolled up by a moment at its end.
    RollUp,
    /// Free, pushed and turned at node 0.
    Spaghetti,
}

fn constraint(choice: &Choice) -> InternalConstraint {
    match choice.value("held") {
        0.0 => InternalConstraint::Cosserat,
        3.0 => InternalConstraint::Inextensible,
        _ => InternalConstraint::Kirchhoff,
    }
}

/// One of the rods.
///
/// # Errors
/// If there are no elements.
pub fn rod(case: Case, choice: &Choice) -> Result<Tree, InvalidTree> {
    let (bending, damping) = match case {
        Case::RollUp => (choice.value("bending"), 100.0),
        Case::Spaghetti => (BENDING, 0.0),
    };
    let (k, g) = (bending, STRETCHING);
    let section = Section {
        density: 1.0,
        inertia: [10.0; 3],
        stiffness: [k, k, k, g, g, g],
        damping: [damping; 6],
        damping_factor: 2.0,
    };
    let mut rod = Rod::new("rod", section, LENGTH, choice.n);
    rod.group = choice.group;
    rod.constraint = constraint(choice);
    rod.stiffness_of_held_strains = choice.value("held-stiffness") == 1.0;
    match case {
        Case::RollUp => {
            rod.start = RodStart::along([0.0; 3], [1.0, 0.0, 0.0]);
            rod.ends[0] = Hold::Clamped;
        }
        Case::Spaghetti => rod.start = RodStart::along([6.0, 0.0, 0.0], [-6.0, 8.0, 0.0]),
    }
    let mut builder = Tree::builder();
    let places = builder.rod(&rod)?;
    let (place, load) = match case {
        Case::RollUp => {
            let moment = [0.0, 2.0 * PI * bending / LENGTH, 0.0];
            (places[choice.n], Load::dead([0.0; 3], moment))
        }
        Case::Spaghetti => {
            let load = Load::dead([0.1, 0.0, 0.0], [0.0, -0.5, -1.0]);
            let ramp = vec![(0.0, 0.0), (2.5, 200.0), (5.0, 0.0)];
            (places[0], load.with_profile(Profile::PiecewiseLinear(ramp)))
        }
    };
    builder.load(place, load)?;
    builder.build()
}

/// Whether the models of [`arrays`](crate::arrays) are of this choice.
fn is_declared(choice: &Choice) -> bool {
    choice.group == GroupKind::S3sR3
        && choice.value("held") == 2.0
        && choice.value("held-stiffness") == 0.0
}

fn paths(choice: &Choice) -> &'static [Path] {
    match (is_declared(choice), choice.n <= GENERIC) {
        (true, true) => &[Path::Generated, Path::Hand, Path::Generic],
        (true, false) => &[Path::Generated, Path::Hand],
        (false, true) => &[Path::Hand, Path::Generic],
        (false, false) => &[Path::Hand],
    }
}

fn machine(case: Case, path: Path, choice: &Choice) -> Option<Box<dyn Machine>> {
    let n = choice.n;
    match (path, case) {
        (Path::Hand, _) => rod(case, choice).ok().map(hosted),
        (Path::Generated, _) if !is_declared(choice) => None,
        (Path::Generated, Case::RollUp) => {
            let bending = choice.value("bending");
            let rod = RollUpOfSize::new(RollUpOfSizeParameters { bending, n });
            rod.ok().as_ref().map(hosted_parts)
        }
        (Path::Generated, Case::Spaghetti) => {
            let rod = FlyingSpaghetti::new(FlyingSpaghettiParameters { n });
            rod.ok().as_ref().map(hosted_parts)
        }
        (Path::Generic, _) => None,
    }
}

/// The rod as data; empty if it cannot be built, which the choice excludes.
fn description(case: Case, choice: &Choice) -> Description {
    let tree = rod(case, choice).and_then(|tree| tree.description());
    tree.unwrap_or_default()
}

fn scene(case: Case, choice: &Choice) -> Scene {
    let moving = |i| Spot {
        factor: Some(i),
        point: [0.0; 3],
    };
    let clamp = Spot {
        factor: None,
        point: [0.0; 3],
    };
    let constraint = constraint(choice);
    let held = match constraint {
        InternalConstraint::Cosserat => "no constraints",
        InternalConstraint::Kirchhoff => "no shear",
        InternalConstraint::Inextensible => "no shear and no extension",
    };
    let (points, ends) = match case {
        Case::RollUp => {
            let nodes = (0..choice.n).map(moving);
            let points = [clamp].into_iter().chain(nodes).collect();
            (
                points,
                "clamped at the first node, a moment on the last one",
            )
        }
        Case::Spaghetti => {
            let points = (0..=choice.n).map(moving).collect();
            (
                points,
                "free, a force and a moment on the first node until t = 5",
            )
        }
    };
    Scene {
        curves: vec![Curve {
            name: "rod".to_owned(),
            points,
            held: constraint.count(),
        }],
        notes: vec![format!(
            "rod of length {LENGTH} with {} elements: {held}; {ends}",
            choice.n
        )],
        ..Scene::default()
    }
}

#[derive(Deserialize)]
struct Data {
    runs: std::collections::BTreeMap<String, std::collections::BTreeMap<String, Vec<Solution>>>,
}

/// Nodes on `S3sR3`.
#[derive(Clone, Deserialize)]
struct Solution {
    t: f64,
    q: Vec<f64>,
    v: Vec<f64>,
    lambda: Vec<f64>,
}

fn exact(case: Case, choice: &Choice, t: f64) -> Option<Known> {
    let (name, elements) = match case {
        Case::RollUp => ("roll-up", 8),
        Case::Spaghetti => ("spaghetti", 16),
    };
    let usual = case == Case::Spaghetti || choice.value("bending") == BENDING;
    if choice.n != elements || !usual {
        return None;
    }
    let data: Data = serde_json::from_str(include_str!("../data/rods.json")).ok()?;
    let held = format!("{}", choice.value("held"));
    let solutions = data.runs.get(name)?.get(&held)?;
    let solution = solutions.iter().find(|s| (s.t - t).abs() < 1e-12)?;
    Some(Known::State(solution.in_group(choice.group)))
}

impl Solution {
    /// The same nodes in the coordinates of a group.
    fn in_group(&self, group: GroupKind) -> Reference {
        let (mut q, mut v) = (Vec::new(), Vec::new());
        for (node, twist) in self.q.chunks_exact(7).zip(self.v.chunks_exact(6)) {
            let rotation = S3 {
                scalar: node[0],
                vector: Vector3::new(node[1], node[2], node[3]),
            };
            match group {
                GroupKind::SO3xR3 | GroupKind::SE3 => {
                    q.extend(rotation.to_matrix().transpose().as_slice());
                }
                _ => q.extend(&node[..4]),
            }
            q.extend(&node[4..]);
            v.extend(&twist[..3]);
            let velocity = Vector3::new(twist[3], twist[4], twist[5]);
            match group {
                GroupKind::SO3xR3 | GroupKind::S3xR3 => {
                    v.extend(rotation.rotate(&velocity).as_slice());
                }
                _ => v.extend(velocity.as_slice()),
            }
        }
        Reference {
            q,
            v,
            lambda: self.lambda.clone(),
        }
    }
}
