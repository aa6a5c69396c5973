//! Two rods that swing in a plane, one below the other, on revolute joints.
//!
//! Reference: the textbook equations for the two angles, integrated apart (in the tests).

use polhode::multibody;

use crate::model::{Parameter, rigid_model};

macro_rules! double_pendulum {
    ($(#[$doc:meta])* $name:ident, $group:ident) => {
        $(#[$doc])*
        #[multibody(gravity = [0.0, 0.0, -9.81])]
        pub struct $name {
            /// Length of the upper rod.
            #[param(default = 1.0, positive)]
            upper_length: f64,
            /// Length of the lower rod.
            #[param(default = 0.7, positive)]
            lower_length: f64,
            #[body(mass = 1.0, inertia = [0.001, upper_length * upper_length / 12, upper_length * upper_length / 12])]
            #[start(position = [upper_length / 2, 0.0, 0.0])]
            upper: Body<$group>,
            #[body(mass = 0.5, inertia = [0.001, lower_length * lower_length / 24, lower_length * lower_length / 24])]
            #[start(position = [upper_length + lower_length / 2, 0.0, 0.0])]
            lower: Body<$group>,
            #[joint(ground, upper, at = world([0.0, 0.0, 0.0]), axis = y)]
            shoulder: Revolute,
            #[joint(upper, lower, at = world([upper_length, 0.0, 0.0]), axis = y)]
            elbow: Revolute,
        }
    };
}
double_pendulum!(
    /// The double pendulum with rotation matrices, the translations apart.
    DoublePendulumDirect,
    SO3xR3
);
double_pendulum!(
    /// The double pendulum with rigid body motions.
    DoublePendulumSemidirect,
    SE3
);

rigid_model!(
    /// The double pendulum, in the registry.
    DOUBLE_PENDULUM,
    name: "double-pendulum",
    summary: "two rods on revolute joints, one below the other",
    source: "textbook",
    end: 5.0, step: 1e-3, unsuitable: &[],
    parameters: &[
        Parameter { name: "upper-length", meaning: "length of the upper rod", default: 1.0, min: 1e-3, max: 1e3, only: &[] },
        Parameter { name: "lower-length", meaning: "length of the lower rod", default: 0.7, min: 1e-3, max: 1e3, only: &[] },
    ],
    systems: |choice| {
        SO3xR3 => DoublePendulumDirect::new(DoublePendulumDirectParameters {
            upper_length: choice.value("upper-length"), lower_length: choice.value("lower-length"),
        }).unwrap_or_default(),
        SE3 => DoublePendulumSemidirect::new(DoublePendulumSemidirectParameters {
            upper_length: choice.value("upper-length"), lower_length: choice.value("lower-length"),
        }).unwrap_or_default(),
    }
);
