//! The mathematical pendulum in Cartesian coordinates: a point mass in the plane
//! at unit distance from the origin.
//!
//! Source: Arnold, Cardona, Bruls (2016), section on the mathematical pendulum.
//! Reference: elliptic functions, in `tests/data/pendulum.json`.

use polhode::generic::description::{Attachment, Body, Description, Joint, JointKind, Start};
use polhode::lie::GroupKind;

/// Acceleration of gravity, along minus y.
pub const GRAVITY: f64 = 9.81;

/// The pendulum with energy `1/2 - 9.81` that starts at `x = x0`, moving to the right.
pub fn pendulum(x0: f64) -> Description {
    let y0 = -(1.0 - x0 * x0).sqrt();
    let speed = (1.0 - 2.0 * GRAVITY * (1.0 + y0)).sqrt();
    Description {
        name: "pendulum".to_owned(),
        gravity: [0.0, -GRAVITY, 0.0],
        bodies: vec![Body {
            name: "bob".to_owned(),
            group: GroupKind::Rn(2),
            mass: 1.0,
            inertia: [[0.0; 3]; 3],
            center: [0.0; 3],
            start: Start {
                position: vec![x0, y0],
                velocity: vec![-y0 * speed, x0 * speed],
                ..Start::default()
            },
        }],
        joints: vec![Joint {
            name: "rod".to_owned(),
            kind: JointKind::Distance { length: 1.0 },
            first: Attachment::at("ground", [0.0; 3]),
            second: Attachment::at("bob", [0.0; 3]),
        }],
        forces: vec![],
    }
}
