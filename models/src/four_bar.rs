//! A planar four-bar linkage made of four revolute joints in space.
//!
//! Its joints hold three directions twice, so it needs `redundant = "allow"`: motion and energy are
//! those of the planar mechanism, and the forces in the joints are the smallest that balance.
//!
//! Reference: Lagrange's equation for the angle of the crank, with the loop solved exactly, integrated
//! with 36 digits: `tests/data/mechanisms.py`.

use polhode::multibody;

use crate::model::{Exact, Known, rigid_model};

/// Centre of the coupler, x and z, at t = 1, 2, .., 10.
pub const COUPLER: [[f64; 2]; 10] = [
    [0.222_304_254_799_529_06, 0.628_156_392_693_747],
    [0.321_947_317_204_935_8, 0.143_506_102_789_040_22],
    [1.028_633_888_804_619_4, 0.463_791_485_050_691_3],
    [0.571_751_920_168_850_2, 0.702_647_428_141_421_4],
    [0.183_201_576_054_484_84, 0.604_514_553_157_791_3],
    [0.407_281_228_510_483_1, 0.190_137_315_127_909_02],
    [0.986_495_962_840_511_9, 0.514_560_731_756_886_5],
    [0.544_120_987_292_838_5, 0.704_058_378_043_966_6],
    [0.142_836_026_596_191_16, 0.575_145_989_815_383_7],
    [0.486_357_344_975_286_93, 0.237_125_536_607_002_28],
];

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
    end: 10.0, step: 1e-3, unsuitable: &[], parameters: &[],
    reference: Some(Exact {
        source: "one angle with 36 digits (tests/data/mechanisms.py): centre of the coupler at t = 1, 2, .., 10",
        at: |_, t| {
            let place = (1..=10).position(|second| t == f64::from(second))?;
            let [x, z] = COUPLER[place];
            Some(Known::Point { factor: 1, point: [0.0; 3], position: [x, 0.0, z] })
        },
    }),
    systems: |choice| { SO3xR3 => FourBarDirect }
);
