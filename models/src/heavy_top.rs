//! A top that spins about a fixed point, with its joint as a constraint, or on
//! the rotation group alone.
//!
//! Source: Arnold, Cardona, Bruls (2016), section 3; Tumiotto, Arnold (2024).
//! Reference: Taylor series of the reduced equations in 50 digits, in
//! `tests/data/heavy_top.json`.

use polhode::generic::description::{Attachment, Body, Description, Joint, JointKind, Start};
use polhode::lie::GroupKind;

/// Mass.
pub const MASS: f64 = 15.0;
/// Principal inertias about the centre of mass.
pub const INERTIA: [f64; 3] = [0.234_375, 0.468_75, 0.234_375];
/// Acceleration of gravity.
pub const GRAVITY: [f64; 3] = [0.0, 0.0, -9.81];
/// Centre of mass as seen from the fixed point, at the start and in body axes.
pub const CENTER: [f64; 3] = [0.0, 1.0, 0.0];
/// Initial angular velocity in body axes.
pub const ANGULAR_VELOCITY: [f64; 3] = [0.0, 150.0, -4.615_38];

fn inertia() -> [[f64; 3]; 3] {
    let [x, y, z] = INERTIA;
    [[x, 0.0, 0.0], [0.0, y, 0.0], [0.0, 0.0, z]]
}

/// The top with six degrees of freedom and a spherical joint at the origin.
pub fn constrained(group: GroupKind) -> Description {
    Description {
        name: "heavy-top".to_owned(),
        gravity: GRAVITY,
        bodies: vec![Body {
            name: "top".to_owned(),
            group,
            mass: MASS,
            inertia: inertia(),
            center: [0.0; 3],
            start: Start {
                position: CENTER.to_vec(),
                velocity: vec![4.615_38, 0.0, 0.0],
                angular_velocity: ANGULAR_VELOCITY,
                ..Start::default()
            },
        }],
        joints: vec![Joint {
            name: "pivot".to_owned(),
            kind: JointKind::Spherical,
            first: Attachment::at("ground", [0.0; 3]),
            second: Attachment::at("top", CENTER.map(|x| -x)),
        }],
        forces: vec![],
    }
}

/// The same top on a rotation group (`SO3` or `S3`), its frame at the fixed point.
pub fn free(group: GroupKind) -> Description {
    Description {
        name: "heavy-top-free".to_owned(),
        gravity: GRAVITY,
        bodies: vec![Body {
            name: "top".to_owned(),
            group,
            mass: MASS,
            inertia: inertia(),
            center: CENTER,
            start: Start {
                angular_velocity: ANGULAR_VELOCITY,
                ..Start::default()
            },
        }],
        joints: vec![],
        forces: vec![],
    }
}
