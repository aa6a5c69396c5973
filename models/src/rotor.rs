//! A high-speed rotor on flexible supports: 200 000 revolutions per minute.
//!
//! The left support holds its point in three directions, the right one in two; both are springs
//! and dampers in inertial directions. A constant torque stands for the weight.
//!
//! Source: Holzinger, Arnold, Gerstmayr (2024), section 4.2. The printed damping contradicts the
//! other printed numbers; 5.165093 kg/s is taken.
//! Reference: an independent integration in 80-bit arithmetic, `tests/data/rotor.c`. (A value that
//! circulates, y = 2.672084e-4 and z = 9.15642e-5, agrees with it in all digits but for the last of
//! y, which was cut and not rounded: 6e-11.)

use polhode::multibody;

use crate::model::{Exact, Known, rigid_model};

/// Left support point at t = 1.
pub const LEFT_AT_1: [f64; 3] = [
    -0.110_000_000_412_583_25,
    2.672_084_596_326_6e-4,
    9.156_422_318_870e-5,
];

macro_rules! rotor {
    ($(#[$doc:meta])* $name:ident, $group:ident) => {
        $(#[$doc])*
        #[multibody(consts(SPIN = 2 * PI * 200000 / 60, K = 4000.0, D = 5.165093))]
        pub struct $name {
            #[body(mass = 1.223, inertia = [0.001541, 0.000812, 0.000812])]
            #[start(angular_velocity = [SPIN, 0.0, 0.0])]
            rotor: Body<$group>,
            #[force(
                rotor at [-0.11, 0.0, 0.0], ground at [-0.11, 0.0, 0.0],
                stiffness = [0.0, 0.0, 0.0, K, K, K], damping = [0.0, 0.0, 0.0, D, D, D],
            )]
            left: Bushing,
            #[force(
                rotor at [0.09, 0.0, 0.0], ground at [0.09, 0.0, 0.0],
                stiffness = [0.0, 0.0, 0.0, 0.0, K, K], damping = [0.0, 0.0, 0.0, 0.0, D, D],
            )]
            right: Bushing,
            #[force(rotor, torque = [0.0, 0.0, (0.2 / 2 - 0.11) * 1.223 * 9.81])]
            weight: Load,
        }
    };
}
rotor!(
    /// The rotor with rotation matrices, the translation apart.
    RotorDirect,
    SO3xR3
);
rotor!(
    /// The rotor with rigid body motions.
    RotorSemidirect,
    SE3
);

rigid_model!(
    /// The rotor, in the registry.
    ROTOR,
    name: "rotor",
    summary: "rotor with 200 000 revolutions per minute on flexible supports",
    source: "Holzinger, Arnold, Gerstmayr (2024), Multibody Syst. Dyn., section 4.2",
    end: 0.1, step: 1e-5, unsuitable: &[], parameters: &[],
    reference: Some(Exact {
        source: "integration in 80-bit arithmetic (tests/data/rotor.c): left support at t = 1",
        at: |_, t| (t == 1.0).then_some(Known::Point { factor: 0, point: [-0.11, 0.0, 0.0], position: LEFT_AT_1 }),
    }),
    systems: |choice| { SO3xR3 => RotorDirect, SE3 => RotorSemidirect }
);
