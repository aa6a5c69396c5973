//! Wrong numbers and states.

use polhode::chain::InternalConstraint::Cosserat;
use polhode::chain::{Anchor, Hold, InvalidTree, Rod, RodStart, Section, Tree};
use polhode::error::Fault;
use polhode::generic::description::JointKind;
use polhode::lie::GroupKind;
use polhode::system::System;
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
    let changes: [(&str, Change); 10] = [
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
            if let Err(fault) = tree.geometry(f64::from(i), &q, &mut geometry) {
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
        assert_eq!(
            (element, t),
            (3, if angle > 3.15 { 31.0 } else { t }),
            "{name}"
        );
        assert!((3.1..3.3).contains(&angle), "{name}: {angle}");
    }
}
