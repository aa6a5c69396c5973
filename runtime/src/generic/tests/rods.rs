//! Rod elements, and joints that measure positions in inertial axes.

use super::{Numbers, body, check_derivatives};
use crate::error::Fault;
use crate::generic::description::{
    Attachment, Description, InternalConstraint, Joint, JointKind, PositionAxes, RodElement,
    straight,
};
use crate::generic::{GenericSystem, InvalidDescription};
use crate::lie::{GroupKind, LieGroup, S3};
use crate::system::{Constrained, Manifold, Mechanics};
use nalgebra::Vector3;

const GROUPS: [GroupKind; 6] = [
    GroupKind::SO3xR3,
    GroupKind::SE3,
    GroupKind::S3xR3,
    GroupKind::S3sR3,
    GroupKind::SO3,
    GroupKind::S3,
];

const CONSTRAINTS: [InternalConstraint; 3] = [
    InternalConstraint::Cosserat,
    InternalConstraint::Kirchhoff,
    InternalConstraint::Inextensible,
];

fn rod(name: &str, first: Attachment, second: Attachment) -> RodElement {
    RodElement {
        name: name.to_owned(),
        first,
        second,
        length: 0.7,
        reference: [0.2, -0.1, 0.3, 0.1, -0.2, 1.1],
        stiffness: [3.0, 4.0, 5.0, 7.0, 6.0, 8.0],
        damping: [0.3, 0.1, 0.2, 0.6, 0.5, 0.4],
        constraint: InternalConstraint::Cosserat,
    }
}

fn frame(name: &str, numbers: &mut Numbers) -> Attachment {
    Attachment {
        body: name.to_owned(),
        point: numbers.point(),
        axes: numbers.axes(),
    }
}

/// Three bodies in a ring of rods, with a rod and every joint of a tree to the ground.
fn ring(
    groups: [GroupKind; 2],
    constraint: InternalConstraint,
    numbers: &mut Numbers,
) -> Description {
    let [first, second] = groups;
    let names = ["a", "b", "c", "a"];
    let mut bodies = vec![
        body("a", first, numbers),
        body("b", second, numbers),
        body("c", first, numbers),
    ];
    for body in &mut bodies {
        // Less than half a turn between any two, also with the axes of the attachments.
        let turn = Vector3::from(numbers.point()) * 0.2;
        let turn = <S3 as LieGroup<3>>::exp(&turn);
        body.start.rotation = [turn.scalar, turn.vector.x, turn.vector.y, turn.vector.z];
    }
    let mut rods: Vec<RodElement> = (0..3)
        .map(|i| {
            let [first, second] = [names[i], names[i + 1]].map(|name| {
                if i == 1 {
                    frame(name, numbers)
                } else {
                    Attachment::at(name, [0.0; 3])
                }
            });
            rod(&format!("side {i}"), first, second)
        })
        .collect();
    rods.push(rod("root", frame("ground", numbers), frame("b", numbers)));
    for rod in &mut rods {
        rod.constraint = constraint;
    }
    let kinds = [
        JointKind::Spherical,
        JointKind::Revolute,
        JointKind::Universal,
        JointKind::Fixed,
    ];
    let joints = kinds.into_iter().enumerate().map(|(i, kind)| Joint {
        name: format!("joint {i}"),
        kind,
        first: frame(["ground", "a", "b", "c"][i], numbers),
        second: frame(["b", "c", "a", "ground"][i], numbers),
    });
    Description {
        name: "ring".to_owned(),
        gravity: [0.3, -0.5, -9.0],
        joints: joints.collect(),
        rods,
        bodies,
        positions: PositionAxes::Inertial,
        ..Description::default()
    }
}

/// `B`, `D_q(B v)`, `K` and `D` for all pairs of groups.
#[test]
fn derivatives_of_rods_agree_with_dual_numbers() {
    let mut numbers = Numbers(5);
    for first in GROUPS {
        for second in GROUPS {
            for constraint in CONSTRAINTS {
                let description = ring([first, second], constraint, &mut numbers);
                let system = GenericSystem::new(description).unwrap();
                check_derivatives(&system, 0.1, &mut numbers);
            }
        }
    }
}

/// At rest, the force is the gradient of the energy, and a closed ring that nothing else
/// holds pushes neither itself nor turns itself.
#[test]
fn a_ring_of_rods_has_no_net_force() {
    let mut numbers = Numbers(9);
    for group in [GroupKind::SE3, GroupKind::S3sR3] {
        let mut description = ring([group, group], InternalConstraint::Cosserat, &mut numbers);
        description.joints.clear();
        description.rods.pop();
        description.gravity = [0.0; 3];
        let system = GenericSystem::new(description).unwrap();
        let (q, rest) = (system.start_config(), system.new_velocity());
        let mut geometry = system.new_geometry();
        system.geometry(0.0, &q, &mut geometry).unwrap();
        let mut g = system.new_velocity();
        system.force(0.0, &geometry, &rest, &mut g);
        let (mut force, mut moment) = (Vector3::zeros(), Vector3::zeros());
        for (pose, g) in geometry.poses.iter().zip(g.chunks_exact(6)) {
            let f = pose.rotation * Vector3::new(g[3], g[4], g[5]);
            force += f;
            moment += pose.rotation * Vector3::new(g[0], g[1], g[2]) + pose.position.cross(&f);
        }
        assert!(g.iter().any(|x| x.abs() > 0.1), "{group}: {g:?}");
        assert!(force.norm() < 1e-13, "{group}: {force}");
        assert!(moment.norm() < 1e-13, "{group}: {moment}");

        let w = numbers.vector(g.len());
        let power: f64 = g.iter().zip(&w).map(|(g, w)| g * w).sum();
        let energy = |s: f64| {
            let step: Box<[f64]> = w.iter().map(|x| s * x).collect();
            let mut moved = system.start_config();
            system.displace(&q, &step, &mut moved);
            system.energy(0.0, &moved, &rest).potential
        };
        let d = |s: f64| energy(s) - energy(-s);
        let h = 1e-3;
        let slope = (45.0 * d(h) - 9.0 * d(2.0 * h) + d(3.0 * h)) / (60.0 * h);
        assert!(
            (power - slope).abs() < 1e-9 * power.abs(),
            "{power} {slope}"
        );
    }
}

/// A strain of one element in closed form: half a quarter circle.
#[test]
fn an_arc_has_its_curvature() {
    let half = core::f64::consts::FRAC_PI_4;
    let mut numbers = Numbers(2);
    let mut end = body("end", GroupKind::S3sR3, &mut numbers);
    let radius = 2.0;
    // A turn about x by the angle 2 half, along the circle from the origin in direction z.
    end.start.rotation = [half.cos(), half.sin(), 0.0, 0.0];
    end.start.position = vec![0.0, -radius, radius];
    let mut arc = rod(
        "arc",
        Attachment::at("ground", [0.0; 3]),
        Attachment::at("end", [0.0; 3]),
    );
    arc.length = radius * 2.0 * half;
    arc.reference = straight();
    let system = GenericSystem::new(Description {
        name: "arc".to_owned(),
        bodies: vec![end],
        rods: vec![arc],
        ..Description::default()
    })
    .unwrap();
    let mut geometry = system.new_geometry();
    system
        .geometry(0.0, &system.start_config(), &mut geometry)
        .unwrap();
    let strain = geometry.strains[0].z / (radius * 2.0 * half);
    let expected = [1.0 / radius, 0.0, 0.0, 0.0, 0.0, 1.0];
    for i in 0..6 {
        assert!((strain[i] - expected[i]).abs() < 1e-15, "{strain}");
    }
}

/// Beyond half a turn the strain would jump.
#[test]
fn a_rod_beyond_half_a_turn_is_a_fault() {
    for group in [GroupKind::S3sR3, GroupKind::SE3] {
        let mut numbers = Numbers(4);
        let mut end = body("end", group, &mut numbers);
        end.start.rotation = [1.0, 0.0, 0.0, 0.0];
        let ends = [
            Attachment::at("ground", [0.0; 3]),
            Attachment::at("end", [0.0; 3]),
        ];
        let [first, second] = ends;
        let system = GenericSystem::new(Description {
            name: "turn".to_owned(),
            bodies: vec![end],
            rods: vec![rod("shaft", first, second)],
            ..Description::default()
        })
        .unwrap();
        let mut geometry = system.new_geometry();
        let mut turned = |angle: f64| {
            let mut q = system.start_config();
            let mut half = system.new_velocity();
            half[2] = 0.5 * angle;
            system.displace(&system.start_config(), &half, &mut q);
            let middle = q.clone();
            system.displace(&middle, &half, &mut q);
            // Quaternions know where they are, matrices only how they got there.
            system.geometry(1.5, &q, &mut geometry)?;
            system.check_increment(1.5, &middle, &half)
        };
        assert_eq!(turned(3.1), Ok(()));
        assert_eq!(turned(-3.1), Ok(()));
        let found = turned(3.5);
        let Err(Fault::RelativeRotation { rod, angle, t, .. }) = found else {
            panic!("{group}: {found:?}");
        };
        assert_eq!((rod.as_str(), t), ("shaft", 1.5));
        assert!((angle - 3.5).abs() < 1e-12, "{group}: {angle}");
    }
}

/// What is left out is straight, undamped and free.
#[test]
fn rods_in_json() {
    let text = r#"{
        "name": "beam",
        "bodies": [{ "name": "tip", "group": "S3sR3", "mass": 1, "start": { "position": [0, 0, 2] },
                     "inertia": [[1, 0, 0], [0, 1, 0], [0, 0, 1]] }],
        "rods": [{ "name": "beam", "length": 2, "stiffness": [1, 1, 1, 9, 9, 9],
                   "first": { "body": "ground" }, "second": { "body": "tip" },
                   "constraint": "kirchhoff" }]
    }"#;
    let system = GenericSystem::from_json(text).unwrap();
    let beam = &system.description().rods[0];
    assert_eq!((beam.reference, beam.damping), (straight(), [0.0; 6]));
    assert_eq!(system.constraint_name(1), "rod `beam`, shear along 2");
    let again = serde_json::to_string(system.description()).unwrap();
    let again = GenericSystem::from_json(&again).unwrap();
    assert_eq!(again.description(), system.description());
    // Free of stress where it starts.
    let mut geometry = system.new_geometry();
    system
        .geometry(0.0, &system.start_config(), &mut geometry)
        .unwrap();
    let mut g = system.new_velocity();
    system.force(0.0, &geometry, &system.new_velocity(), &mut g);
    assert!(g.iter().all(|x| *x == 0.0), "{g:?}");
}

/// Each mistake has its error.
#[test]
fn invalid_rods() {
    let mut numbers = Numbers(8);
    let valid = ring(
        [GroupKind::SE3, GroupKind::SE3],
        InternalConstraint::Cosserat,
        &mut numbers,
    );
    let message = |change: &dyn Fn(&mut Description)| {
        let mut description = valid.clone();
        change(&mut description);
        match GenericSystem::new(description) {
            Err(error) => error.to_string(),
            Ok(_) => String::new(),
        }
    };
    for (change, expected) in [
        (
            &(|d: &mut Description| d.rods[0].length = 0.0) as &dyn Fn(&mut Description),
            "length of rod `side 0` is 0: it must be positive",
        ),
        (
            &|d| d.rods[1].stiffness[4] = -1.0,
            "stiffness of rod `side 1` is -1: it must be zero or positive",
        ),
        (
            &|d| d.rods[1].damping[0] = f64::NAN,
            "damping of rod `side 1` is NaN: it must be zero or positive",
        ),
        (
            &|d| d.rods[2].reference[5] = f64::INFINITY,
            "reference strain of rod `side 2` is inf: it must be finite",
        ),
        (
            &|d| {
                d.rods[2].length = 2.0;
                d.rods[2].reference[..3].copy_from_slice(&[0.0, 1.2, -1.6]);
            },
            "turn of the reference curvature of rod `side 2` is 4: it must be less than half a turn",
        ),
        (
            &|d| d.rods[2].name = "side 1".to_owned(),
            "rod name `side 1` is used twice",
        ),
        (
            &|d| d.rods[0].second.body = "bb".to_owned(),
            "rod `side 0` refers to the unknown body `bb`; did you mean `b`?",
        ),
        (
            &|d| d.rods[0].second.body = "a".to_owned(),
            "rod `side 0` connects `a` with itself",
        ),
        (
            &|d| d.rods[3].first.axes[0] = [2.0, 0.0, 0.0],
            "deviation of the axes from orthonormality of rod `root`",
        ),
    ] {
        let found = message(change);
        assert!(
            found.starts_with(expected),
            "{found:?} instead of {expected:?}"
        );
    }
    let mut point = valid.clone();
    point.joints.clear();
    point.bodies[1] = body("b", GroupKind::Rn(3), &mut numbers);
    assert!(matches!(
        GenericSystem::new(point),
        Err(InvalidDescription::Group { item, .. }) if item == "rod `side 0`"
    ));
}
