//! Continuous angles.

use crate::generic::GenericSystem;
use crate::generic::description::{
    Attachment, Body, Description, Force, ForceKind, Joint, JointKind, Start,
};
use crate::joints::nearest;
use crate::lie::GroupKind;
use crate::system::{Bodies, Manifold, Mechanics};
use core::f64::consts::{PI, TAU};

/// A wheel on a hinge with a torsion spring, at an angle.
pub(super) fn wheel(group: GroupKind, angle: f64) -> GenericSystem {
    GenericSystem::new(Description {
        name: "wheel".to_owned(),
        bodies: vec![Body {
            name: "wheel".to_owned(),
            group,
            mass: 1.0,
            inertia: [[0.5, 0.0, 0.0], [0.0, 0.5, 0.0], [0.0, 0.0, 1.0]],
            center: [0.0; 3],
            start: Start {
                position: vec![0.0; 3],
                rotation: [(0.5 * angle).cos(), 0.0, 0.0, (0.5 * angle).sin()],
                ..Start::default()
            },
        }],
        joints: vec![Joint {
            name: "hinge".to_owned(),
            kind: JointKind::Revolute,
            first: Attachment::at("ground", [0.0; 3]),
            second: Attachment::at("wheel", [0.0; 3]),
        }],
        forces: vec![Force {
            name: "spring".to_owned(),
            kind: ForceKind::TorsionSpring {
                joint: "hinge".to_owned(),
                stiffness: 2.0,
                damping: 0.0,
                angle: 0.0,
            },
        }],
        ..Description::default()
    })
    .unwrap()
}

#[test]
fn the_nearest_angle_is_within_half_a_turn() {
    for (angle, reference, expected) in [
        (0.1, 0.0, 0.1),
        (-3.0, 3.0, TAU - 3.0),
        (3.0, -3.0, 3.0 - TAU),
        (0.5, 100.0 * TAU + 0.4, 100.0 * TAU + 0.5),
        (-0.5, -7.0 * TAU, -7.0 * TAU - 0.5),
    ] {
        let found = nearest(angle, reference);
        assert!(
            (found - expected).abs() < 1e-12,
            "{angle} {reference}: {found}"
        );
    }
}

/// Ten turns forward and twelve back, in steps of 2.5: the torque and the energy of the spring
/// belong to the whole angle, and an evaluation does not change it.
#[test]
fn torsion_springs_count_turns() {
    for group in [
        GroupKind::SE3,
        GroupKind::S3xR3,
        GroupKind::SO3,
        GroupKind::S3sR3,
    ] {
        let start = -0.3;
        let system = wheel(group, start);
        let mut q = system.start_config();
        let mut angle = start;
        assert_eq!(system.space().config_len(), group.config_len() + 1);
        let mut geometry = system.new_geometry();
        let (mut next, mut force) = (system.start_config(), system.new_velocity());
        let rest = system.new_velocity();
        for k in 0..60 {
            let by = if k < 25 { 2.5 } else { -2.5 };
            let mut theta = system.new_velocity();
            theta[2] = by;
            // A rejected attempt leaves no trace.
            system.displace(&q, &theta.iter().map(|x| -0.7 * x).collect(), &mut next);
            system.displace(&q, &theta, &mut next);
            core::mem::swap(&mut q, &mut next);
            angle += by;
            let entry = q[group.config_len()];
            assert!((entry - angle).abs() < 1e-12, "{group}: {entry} {angle}");
            system.geometry(0.0, &q, &mut geometry).unwrap();
            system.force(0.0, &geometry, &rest, &mut force);
            assert!((force[2] - 2.0 * angle).abs() < 1e-11, "{group}: {force:?}");
            let energy = system.energy(0.0, &q, &rest).total();
            assert!((energy - angle * angle).abs() < 1e-9 * energy, "{energy}");
        }
        assert!(angle < -25.0 && angle.abs() > 8.0 * PI);
    }
}
