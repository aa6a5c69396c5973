//! A rubber rod with a rigid bob at its end, let go from the horizontal.
//!
//! The rod turns about a spherical joint at its upper end and has no shear. Nothing is damped: the
//! energy is constant, which is its reference.

use core::f64::consts::PI;

use polhode::chain::{
    Anchor, InternalConstraint, InvalidTree, Place, Rod, RodStart, Section, Tree,
};
use polhode::generic::description::{Body, JointKind, Start};
use polhode::lie::GroupKind;

use crate::arrays::rubber_pendulum::{RubberPendulum, RubberPendulumParameters};
use crate::machine::{hosted, hosted_parts};
use crate::model::{Choice, Model, Parameter, Path, Size, Structure};
use crate::rods::NODES;
use crate::scene::{Curve, Link, Look, Scene, Solid, Spot};

const GRAVITY: [f64; 3] = [0.0, 0.0, -9.81];
const LENGTH: f64 = 1.0;
const RADIUS: f64 = 0.02;
/// Mass per volume of rubber.
const DENSITY: f64 = 1100.0;
/// Its modulus of elasticity.
const MODULUS: f64 = 5e6;
const BOB_RADIUS: f64 = 0.06;
/// The generic system solves dense equations: longer rods have no generic path.
const GENERIC: usize = 32;

/// The rod with its bob, in the registry.
pub static ROD_PENDULUM: Model = Model {
    name: "rod-pendulum",
    summary: "rubber rod with a rigid bob, let go from the horizontal",
    source: "example of this project",
    groups: NODES,
    end: 2.0,
    step: 2e-4,
    parameters: &[Parameter {
        name: "bob",
        meaning: "mass of the bob",
        default: 0.5,
        min: 1e-3,
        max: 1e3,
        only: &[],
    }],
    size: Some(Size {
        default: 12,
        of: "elements",
        measured: &[10, 100, 1000, 10_000],
        values: &[],
        steps: |n| {
            #[expect(clippy::cast_precision_loss, reason = "a number of elements")]
            let n = n as f64;
            [(2e-3 / n).min(0.02 / (n * n)), 2e-3 / n]
        },
    }),
    structure: Structure::Line {
        scene,
        description: Some(|choice| {
            let tree = tree(choice).and_then(|tree| tree.description());
            tree.unwrap_or_default()
        }),
    },
    paths: |choice| match (choice.group, choice.n <= GENERIC) {
        (GroupKind::S3sR3, true) => &[Path::Generated, Path::Hand, Path::Generic],
        (GroupKind::S3sR3, false) => &[Path::Generated, Path::Hand],
        (_, true) => &[Path::Hand, Path::Generic],
        (_, false) => &[Path::Hand],
    },
    machine: |path, choice| match (path, choice.group) {
        (Path::Generated, GroupKind::S3sR3) => {
            let (n, mass) = (choice.n, choice.value("bob"));
            let rod = RubberPendulum::new(RubberPendulumParameters { mass, n });
            rod.ok().as_ref().map(hosted_parts)
        }
        (Path::Hand, _) => tree(choice).ok().map(hosted),
        _ => None,
    },
    ..Model::PLAIN
};

fn bob(choice: &Choice) -> Body {
    let mass = choice.value("bob");
    let inertia = 0.4 * mass * BOB_RADIUS * BOB_RADIUS;
    Body {
        name: "bob".to_owned(),
        group: choice.group,
        mass,
        inertia: [
            [inertia, 0.0, 0.0],
            [0.0, inertia, 0.0],
            [0.0, 0.0, inertia],
        ],
        center: [0.0; 3],
        start: Start {
            position: vec![LENGTH + BOB_RADIUS, 0.0, 0.0],
            ..Start::default()
        },
    }
}

/// The rod with its bob.
///
/// # Errors
/// If there are no elements.
pub fn tree(choice: &Choice) -> Result<Tree, InvalidTree> {
    let area = PI * RADIUS * RADIUS;
    let second = 0.25 * area * RADIUS * RADIUS;
    let (e, g) = (MODULUS, MODULUS / 3.0);
    let section = Section {
        density: DENSITY * area,
        inertia: [second, second, 2.0 * second].map(|x| DENSITY * x),
        stiffness: [
            e * second,
            e * second,
            2.0 * g * second,
            g * area,
            g * area,
            e * area,
        ],
        damping: [0.0; 6],
        damping_factor: 2.0,
    };
    let mut rod = Rod::new("rod", section, LENGTH, choice.n);
    rod.group = choice.group;
    rod.constraint = InternalConstraint::Kirchhoff;
    rod.start = RodStart::along([0.0; 3], [1.0, 0.0, 0.0]);
    let mut builder = Tree::builder();
    builder.gravity(GRAVITY);
    let nodes = builder.rod(&rod)?;
    let bob = builder.body(&bob(choice))?;
    let pivot = Anchor::at(Place::GROUND, [0.0; 3]);
    let first = Anchor::at(nodes[0], [0.0; 3]);
    builder.joint("pivot", JointKind::Spherical, &pivot, &first)?;
    // The third axis of a node is the tangent, at the start the x axis of the bob.
    let last = Anchor {
        axes: [[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]],
        ..Anchor::at(nodes[choice.n], [0.0; 3])
    };
    let end = Anchor::at(bob, [-BOB_RADIUS, 0.0, 0.0]);
    builder.joint("weld", JointKind::Fixed, &last, &end)?;
    builder.build()
}

fn scene(choice: &Choice) -> Scene {
    let spot = |factor, point| Spot {
        factor: Some(factor),
        point,
    };
    let bob = bob(choice);
    let factor = choice.n + 1;
    let ground = Spot {
        factor: None,
        point: [0.0; 3],
    };
    let joint = |name: &str, ends, held| Link {
        name: name.to_owned(),
        look: Look::Joint,
        ends,
        held,
    };
    Scene {
        gravity: GRAVITY,
        solids: vec![Solid {
            name: bob.name,
            factor,
            mass: bob.mass,
            inertia: Some(bob.inertia),
            center: bob.center,
        }],
        curves: vec![Curve {
            name: "rod".to_owned(),
            points: (0..=choice.n).map(|i| spot(i, [0.0; 3])).collect(),
            held: InternalConstraint::Kirchhoff.count(),
        }],
        links: vec![
            joint("pivot", [ground, spot(0, [0.0; 3])], 3),
            joint(
                "weld",
                [
                    spot(choice.n, [0.0; 3]),
                    spot(factor, [-BOB_RADIUS, 0.0, 0.0]),
                ],
                6,
            ),
        ],
        notes: vec![format!(
            "rod of {LENGTH} m with {} elements, no shear, on a spherical joint; a ball of {} kg \
             fixed to its end",
            choice.n, bob.mass
        )],
    }
}
