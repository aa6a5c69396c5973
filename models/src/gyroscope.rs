//! A gyroscope in two gimbals: three bodies, three revolute joints with a common point.
//!
//! Without gravity nothing turns the whole about the vertical: energy and the vertical angular
//! momentum are constant.

use polhode::multibody;

use crate::model::{Parameter, rigid_model};

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
    reference: None,
    systems: |choice| {
        SO3xR3 => GyroscopeDirect::new(GyroscopeDirectParameters { spin: choice.value("spin") }).unwrap_or_default(),
        SE3 => GyroscopeSemidirect::new(GyroscopeSemidirectParameters { spin: choice.value("spin") }).unwrap_or_default(),
    }
);
