//! A chain of rigid links on spherical joints, any number of them: a problem to measure how time
//! grows with size.
//!
//! Cylinders of 1 m and 1 kg with a radius of 0.05 m along x, the first one held at the origin,
//! turning like one body at the start.
//!
//! Reference: positions of the free end from the index-1 equations with quaternions, DOP853,
//! rtol 1e-12 to 1e-13, in the digits to which they converged (`tests/data/chains.json`).

use polhode::chain::{Anchor, ChainStart, InvalidTree, Link, LinkChain, Place, Tree};
use polhode::generic::description::{Body, Description, JointKind};
use polhode::lie::GroupKind;

use crate::arrays::chain::{RigidChain, RigidChainParameters};
use crate::machine::{hosted, hosted_parts};
use crate::model::{Choice, Exact, Known, Model, Parameter, Path, RIGID, Size, Structure};
use crate::scene::{self, Curve, Look, Scene, Solid, Spot};

const GRAVITY: [f64; 3] = [0.0, 0.0, -9.81];
const LENGTH: f64 = 1.0;
/// Half a link: where its joints are.
const HALF: f64 = 0.5 * LENGTH;
/// Chains up to this length are drawn link by link.
const DRAWN: usize = 60;
/// The generic system solves dense equations: longer chains have no generic path.
const GENERIC: usize = 100;

/// The chain, in the registry.
pub static CHAIN: Model = Model {
    name: "chain",
    summary: "chain of rigid links on spherical joints, any number of them",
    source: "scaling problem of this project",
    groups: RIGID,
    end: 1.0,
    step: 1e-3,
    parameters: &[Parameter {
        name: "bend",
        meaning: "angle of the links to the x axis at the start, alternating",
        default: 0.0,
        min: -1.5,
        max: 1.5,
        only: &[],
    }],
    size: Some(Size {
        default: 10,
        of: "links",
        measured: &[10, 100, 1000, 10_000],
        // Straight, the forces fall off from link to link down to denormal numbers, and those
        // would be measured.
        values: &[("bend", 0.5)],
        steps: |_| [1e-4, 1e-3],
    }),
    structure: Structure::Line {
        scene,
        description: Some(description),
    },
    paths: |choice| match (choice.group, choice.n <= GENERIC) {
        (GroupKind::SO3xR3, true) => &[Path::Generated, Path::Hand, Path::Generic],
        (GroupKind::SO3xR3, false) => &[Path::Generated, Path::Hand],
        (_, true) => &[Path::Hand, Path::Generic],
        (_, false) => &[Path::Hand],
    },
    machine: |path, choice| match (path, choice.group) {
        (Path::Generated, GroupKind::SO3xR3) => {
            let (n, bend) = (choice.n, choice.value("bend"));
            let chain = RigidChain::new(RigidChainParameters { bend, n });
            chain.ok().as_ref().map(hosted_parts)
        }
        (Path::Hand, GroupKind::SO3xR3) => links(choice).ok().map(hosted),
        (Path::Hand, _) => tree(choice).ok().map(hosted),
        _ => None,
    },
    reference: Some(Exact {
        source: "free end of 2, 5, 10 and 20 straight links at t = 0.2 and 1: index-1 equations, DOP853",
        at: exact,
    }),
    ..Model::PLAIN
};

fn start(choice: &Choice) -> ChainStart {
    #[expect(clippy::cast_precision_loss, reason = "a number of links")]
    let rate = 1.0 / choice.n.max(1) as f64;
    let mut start = ChainStart::straight(choice.n, [0.0, 0.0, rate]);
    let half = 0.5 * choice.value("bend");
    if half != 0.0 {
        for (i, rotation) in start.rotations.iter_mut().enumerate() {
            // Two angles and an axis out of every plane: nothing cancels.
            let half = if i % 2 == 0 { half } else { -0.7 * half };
            *rotation = [half.cos(), 0.0, 0.6 * half.sin(), 0.8 * half.sin()];
        }
    }
    start
}

/// The chain as a sweep over its links.
///
/// # Errors
/// If there are no links.
pub fn links(choice: &Choice) -> Result<LinkChain, InvalidTree> {
    let link = Link::cylinder(1.0, LENGTH, 0.05);
    LinkChain::uniform(link, GRAVITY, &start(choice))
}

/// The links as bodies in the chosen group; none if the chain cannot be built.
fn bodies(choice: &Choice) -> Vec<Body> {
    let Ok(chain) = links(choice) else {
        return Vec::new();
    };
    let links = chain.description().bodies.into_iter();
    let group = choice.group;
    links.map(|link| Body { group, ..link }).collect()
}

/// The chain as a tree of bodies, in any group.
///
/// # Errors
/// If there are no links.
pub fn tree(choice: &Choice) -> Result<Tree, InvalidTree> {
    let mut builder = Tree::builder();
    builder.gravity(GRAVITY);
    let mut before = Anchor::at(Place::GROUND, [0.0; 3]);
    for (i, body) in bodies(choice).iter().enumerate() {
        let place = builder.body(body)?;
        let here = Anchor::at(place, [-HALF, 0.0, 0.0]);
        builder.joint(&format!("joint.{i}"), JointKind::Spherical, &before, &here)?;
        before = Anchor::at(place, [HALF, 0.0, 0.0]);
    }
    builder.build()
}

/// The chain as data; empty if it cannot be built, which the choice excludes.
fn description(choice: &Choice) -> Description {
    let tree = tree(choice).and_then(|tree| tree.description());
    tree.unwrap_or_default()
}

fn scene(choice: &Choice) -> Scene {
    let first = |i| Spot {
        factor: Some(i),
        point: [-HALF, 0.0, 0.0],
    };
    let last = |i| Spot {
        factor: Some(i),
        point: [HALF, 0.0, 0.0],
    };
    let link = Link::cylinder(1.0, LENGTH, 0.05);
    let [x, y, z] = link.inertia;
    let mut scene = Scene {
        gravity: GRAVITY,
        notes: vec![format!(
            "{} cylinders of {LENGTH} m and {} kg, a spherical joint before each",
            choice.n, link.mass
        )],
        ..Scene::default()
    };
    let ground = Spot {
        factor: None,
        point: [0.0; 3],
    };
    if choice.n > DRAWN {
        let ends = (0..choice.n).map(last);
        scene.curves.push(Curve {
            name: "chain".to_owned(),
            points: [ground].into_iter().chain(ends).collect(),
            held: 3,
        });
        return scene;
    }
    for i in 0..choice.n {
        scene.solids.push(Solid {
            name: format!("link.{i}"),
            factor: i,
            mass: link.mass,
            inertia: Some([[x, 0.0, 0.0], [0.0, y, 0.0], [0.0, 0.0, z]]),
            center: [0.0; 3],
        });
        scene.links.push(scene::Link {
            name: format!("joint.{i}"),
            look: Look::Joint,
            ends: [i.checked_sub(1).map_or(ground, last), first(i)],
            held: 3,
        });
    }
    scene
}

/// Number of links, and the free end at t = 0.2 and t = 1.
const TIPS: [(usize, [f64; 3], [f64; 3]); 4] = [
    (
        2,
        [
            1.957_709_131_729_9,
            0.197_778_007_169_7,
            -0.174_512_227_607_5,
        ],
        [-1.653_178_110_636, -0.221_283_376_313, -1.028_303_557_725],
    ),
    (
        5,
        [
            4.969_160_447_221_3,
            0.199_339_299_217_9,
            -0.196_214_428_390_0,
        ],
        [0.468_421_605_267, 0.476_128_171_197, -4.899_156_301_502],
    ),
    (
        10,
        [
            9.974_848_406_954_6,
            0.199_734_287_775_9,
            -0.196_200_584_273_0,
        ],
        [7.486_418_271_832, 0.876_640_066_902, -4.906_644_644_763],
    ),
    (
        20,
        [
            19.979_555_804_059_5,
            0.199_894_659_264_6,
            -0.196_199_999_998_2,
        ],
        [18.198_658_656_688, 0.957_418_849_255, -4.904_997_344_335],
    ),
];

fn exact(choice: &Choice, t: f64) -> Option<Known> {
    if choice.value("bend") != 0.0 {
        return None;
    }
    let (n, early, late) = TIPS.iter().find(|(n, ..)| *n == choice.n)?;
    let known = [(0.2, early), (1.0, late)];
    let (_, position) = known.iter().find(|(time, _)| (time - t).abs() < 1e-12)?;
    Some(Known::Point {
        factor: n - 1,
        point: [HALF, 0.0, 0.0],
        position: **position,
    })
}
