//! Wrong numbers and states.

use polhode::chain::InternalConstraint::Cosserat;
use polhode::chain::{
    Anchor, ChainStart, Hold, InvalidTree, Link, LinkChain, Rod, RodStart, Section, Tree,
};
use polhode::error::Fault;
use polhode::generic::description::JointKind;
use polhode::lie::GroupKind;
use polhode::system::{Manifold, Mechanics};
use polhode_models::heavy_top;
use polhode_tests::RIGID;
use polhode_tests::rods::{Case, Model};

type Change = fn(&mut Rod);

/// Wrong numbers are typed errors that name them.
#[test]
fn nonsense_is_a_typed_error() {
    let good = || {
        let section = Section {
            density: 1.0,
            inertia: [1.0; 3],
            stiffness: [1.0; 6],
            damping: [0.0; 6],
            damping_factor: 2.0,
        };
        Rod::new("rod", section, 1.0, 4)
    };
    let changes: [(&str, Change); 12] = [
        ("elements", |rod| rod.elements = 0),
        ("elements", |rod| {
            rod.elements = 1;
            rod.ends = [Hold::Clamped; 2];
        }),
        ("length", |rod| rod.length = 0.0),
        ("length", |rod| rod.length = f64::NAN),
        ("density", |rod| rod.section.density = -1.0),
        ("inertia", |rod| rod.section.inertia[1] = 0.0),
        ("stiffness", |rod| rod.section.stiffness[5] = -1.0),
        ("damping", |rod| rod.section.damping[0] = f64::INFINITY),
        ("SO3", |rod| rod.group = GroupKind::SO3),
        ("start poses", |rod| rod.start = RodStart::Poses(vec![])),
        ("curvature", |rod| rod.reference[0] = 12.6),
        // Half a turn and 0.1 rad more between nodes 2 and 3.
        ("`element 2 of rod` are 3.242 rad", |rod| {
            let pose = |angle: f64| ([angle.cos(), 0.0, 0.0, angle.sin()], [0.0; 3]);
            let half = 0.5 * (std::f64::consts::PI + 0.1);
            let angles = [0.0, 0.5, 1.0, 1.0 + half, 1.0 + half];
            rod.start = RodStart::Poses(angles.map(pose).to_vec());
        }),
    ];
    for (word, change) in changes {
        let mut rod = good();
        change(&mut rod);
        let error = Tree::builder().rod(&rod).unwrap_err().to_string();
        assert!(error.contains(word), "{word}: {error}");
    }
    assert!(Tree::builder().rod(&good()).is_ok());
    assert_eq!(Tree::builder().build().unwrap_err(), InvalidTree::Empty);
    // A loop: both ends of a rod welded together.
    let mut builder = Tree::builder();
    let places = builder.rod(&good()).unwrap();
    let (first, last) = (
        Anchor::at(places[0], [0.0; 3]),
        Anchor::at(places[4], [0.0; 3]),
    );
    builder
        .joint("weld", JointKind::Fixed, &first, &last)
        .unwrap();
    let error = builder.build().unwrap_err();
    assert_eq!(
        error,
        InvalidTree::Loop {
            item: "weld".to_owned()
        }
    );
}

/// What rounding of written digits may change, and what is a mistake: both sides of each limit.
#[test]
fn limits_of_rounding() {
    type Check<'a> = &'a dyn Fn(f64) -> Result<(), InvalidTree>;
    let mut body = heavy_top::constrained(GroupKind::SE3).bodies[0].clone();
    body.inertia = [[1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 2.5]];
    let section = Section {
        density: 1.0,
        inertia: [1.0; 3],
        stiffness: [1.0; 6],
        damping: [0.0; 6],
        damping_factor: 0.0,
    };
    let quaternion = |off: f64| [1.0 + off, 0.0, 0.0, 0.0];
    let of_body = |off: f64| {
        let mut body = body.clone();
        body.start.rotation = quaternion(off);
        Tree::builder().body(&body).map(|_| ())
    };
    let of_rod = |off: f64| {
        let mut rod = Rod::new("rod", section, 1.0, 2);
        rod.start = RodStart::Poses(
            [0.0, 0.5, 1.0]
                .map(|x| (quaternion(off), [x, 0.0, 0.0]))
                .to_vec(),
        );
        Tree::builder().rod(&rod).map(|_| ())
    };
    let of_link = |off: f64| {
        let mut start = ChainStart::straight(2, [0.0; 3]);
        start.rotations[1] = quaternion(off);
        LinkChain::uniform(Link::cylinder(1.0, 1.0, 0.05), [0.0; 3], &start).map(|_| ())
    };
    let checks: [(&str, Check<'_>); 3] = [("body", &of_body), ("rod", &of_rod), ("link", &of_link)];
    for (what, check) in checks {
        for off in [1e-6, -1e-6] {
            let error = check(off).unwrap_err().to_string();
            assert!(error.contains("squared length"), "{what}: {error}");
            check(off / 4.0).unwrap();
        }
    }
    // Relative to the largest entry.
    body.inertia[0][2] = 5e-12;
    let error = Tree::builder().body(&body).unwrap_err().to_string();
    assert!(error.contains("asymmetry of the inertia"), "{error}");
    body.inertia[0][2] = 1e-12;
    Tree::builder().body(&body).unwrap();
}

/// An element that is turned beyond half a circle is reported with its angle and time.
#[test]
fn a_turn_beyond_half_a_circle_is_a_fault() {
    for (group, name) in RIGID {
        let mut model = Model::new(Case::RollUp, Cosserat);
        model.group = group;
        let (tree, _) = model.build();
        let (mut q, mut geometry) = (tree.start_config(), tree.new_geometry());
        let mut turn = tree.new_velocity();
        // Node 4 in small steps, so that quaternions know how far it has turned.
        turn[6 * 3 + 1] = 0.1;
        let mut found = None;
        for i in 0..40 {
            let before = q.clone();
            tree.displace(&before, &turn, &mut q);
            let t = f64::from(i);
            let there = tree.geometry(t, &q, &mut geometry);
            // Quaternions know where they are, matrices only how they got there.
            if let Err(fault) = there.and_then(|()| tree.check_increment(t, &before, &turn)) {
                found = Some(fault);
                break;
            }
        }
        let Some(Fault::RelativeRotation {
            element, angle, t, ..
        }) = found
        else {
            panic!("{name}: {found:?}");
        };
        assert_eq!((element, t), (Some(3), 31.0), "{name}");
        assert!((angle - 3.2).abs() < 1e-12, "{name}: {angle}");
    }
}
