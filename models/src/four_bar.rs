//! A planar four-bar linkage made of four revolute joints in space.
//!
//! Its joints hold three directions twice, so it needs `redundant = "allow"`: motion and energy are
//! those of the planar mechanism, and the forces in the joints are the smallest that balance.

use polhode::multibody;

use crate::model::rigid_model;

macro_rules! four_bar {
    ($(#[$doc:meta])* $name:ident, $group:ident) => {
        $(#[$doc])*
        #[multibody(
            gravity = [0.0, 0.0, -9.81],
            redundant = "allow",
            consts(A = [0.0, 0.0, 0.0], B = [0.0, 0.0, 0.5], C = [1.2, 0.0, 0.9], D = [1.0, 0.0, 0.0]),
        )]
        pub struct $name {
            #[body(mass = 1.0, inertia = [0.02, 0.02, 0.002])]
            #[start(position = (A + B) / 2, angular_velocity = [0.0, 2.0, 0.0])]
            crank: Body<$group>,
            #[body(mass = 2.0, inertia = [0.2, 0.2, 0.02])]
            #[start(position = (B + C) / 2)]
            coupler: Body<$group>,
            #[body(mass = 1.5, inertia = [0.1, 0.1, 0.01])]
            #[start(position = (C + D) / 2)]
            rocker: Body<$group>,
            #[joint(ground, crank, at = world(A), axis = y)]
            a: Revolute,
            #[joint(crank, coupler, at = world(B), axis = y)]
            b: Revolute,
            #[joint(coupler, rocker, at = world(C), axis = y)]
            c: Revolute,
            #[joint(ground, rocker, at = world(D), axis = y)]
            d: Revolute,
        }
    };
}
four_bar!(
    /// The four-bar linkage with rotation matrices, the translations apart.
    FourBarDirect,
    SO3xR3
);

rigid_model!(
    /// The four-bar linkage, in the registry.
    FOUR_BAR,
    name: "four-bar",
    summary: "planar four-bar linkage of four revolute joints, with redundant constraints",
    source: "textbook",
    end: 10.0, step: 1e-3, unsuitable: &[], parameters: &[], reference: None,
    systems: |choice| { SO3xR3 => FourBarDirect }
);
