//! A gyroscope in two gimbals: three bodies, three revolute joints with a common point.
//!
//! Without gravity nothing turns the whole about the vertical: energy and the vertical angular
//! momentum are constant.
//!
//! Reference: Lagrange's equations for the three angles, integrated with 36 digits:
//! `tests/data/mechanisms.py`.

use polhode::multibody;

use crate::model::{Exact, Known, Parameter, rigid_model};

/// A point of the rotor in its own axes: it moves with each of the three angles.
pub const POINT: [f64; 3] = [0.1, 0.1, 0.0];
/// Where it is at t = 0.5, 1, 1.5, 2 with the default spin.
pub const POINT_AT: [[f64; 3]; 4] = [
    [
        0.099_098_398_071_268_16,
        0.084_647_340_527_020_66,
        0.054_902_962_045_877_62,
    ],
    [
        0.094_284_141_231_745_64,
        0.079_258_232_903_019_82,
        0.069_488_367_582_516_35,
    ],
    [
        0.088_312_661_216_847_46,
        0.072_339_615_229_035_44,
        0.083_473_672_120_695_81,
    ],
    [
        0.078_260_244_582_418_25,
        0.067_389_775_341_994_13,
        0.096_612_381_697_459_64,
    ],
];

macro_rules! gyroscope {
    ($(#[$doc:meta])* $name:ident, $group:ident) => {
        $(#[$doc])*
        #[multibody(consts(O = [0.0, 0.0, 0.0]))]
        pub struct $name {
            /// Spin of the rotor.
            #[param(default = 100.0)]
            spin: f64,
            #[body(mass = 0.3, inertia = [0.003, 0.003, 0.004])]
            #[start(angular_velocity = [0.0, 0.0, 0.5])]
            outer: Body<$group>,
            #[body(mass = 0.2, inertia = [0.001, 0.002, 0.0015])]
            #[start(rotation = rx(0.4), angular_velocity = [0.3, 0.5 * sin(0.4), 0.5 * cos(0.4)])]
            inner: Body<$group>,
            #[body(mass = 1.0, inertia = [0.005, 0.01, 0.005])]
            #[start(
                rotation = rx(0.4),
                angular_velocity = [0.3, 0.5 * sin(0.4) + spin, 0.5 * cos(0.4)],
            )]
            rotor: Body<$group>,
            #[joint(ground, outer, at = world(O), axis = z)]
            vertical: Revolute,
            #[joint(outer, inner, at = world(O), axis = x)]
            horizontal: Revolute,
            #[joint(inner, rotor, at = world(O), axis = inner.y)]
            axle: Revolute,
        }
    };
}
gyroscope!(
    /// The gyroscope with rotation matrices, the translations apart.
    GyroscopeDirect,
    SO3xR3
);
gyroscope!(
    /// The gyroscope with rigid body motions.
    GyroscopeSemidirect,
    SE3
);

rigid_model!(
    /// The gyroscope, in the registry.
    GYROSCOPE,
    name: "gyroscope",
    summary: "fast rotor in two gimbals",
    source: "textbook",
    end: 2.0, step: 1e-3, unsuitable: &[],
    parameters: &[Parameter { name: "spin", meaning: "spin of the rotor", default: 100.0, min: -1e4, max: 1e4, only: &[] }],
    reference: Some(Exact {
        source: "three angles with 36 digits (tests/data/mechanisms.py): a point of the rotor at t = 0.5, 1, 1.5, 2 for spin = 100",
        at: |choice, t| {
            let place = (1..=4).position(|half| 2.0 * t == f64::from(half))?;
            (choice.value("spin") == 100.0)
                .then_some(Known::Point { factor: 2, point: POINT, position: POINT_AT[place] })
        },
    }),
    systems: |choice| {
        SO3xR3 => GyroscopeDirect::new(GyroscopeDirectParameters { spin: choice.value("spin") }).unwrap_or_default(),
        SE3 => GyroscopeSemidirect::new(GyroscopeSemidirectParameters { spin: choice.value("spin") }).unwrap_or_default(),
    }
);
