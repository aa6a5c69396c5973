//! Two rods that swing in a plane, one below the other, on revolute joints.
//!
//! Reference: the textbook equations for the two angles, integrated apart.

use polhode::multibody;

use crate::model::{Choice, Exact, Known, Parameter, rigid_model};

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

/// Angles of the rods from the horizontal, positive downwards, for their lengths: the equations of the
/// textbook, integrated by an explicit method of order 4 with steps of at most 1e-4.
#[must_use]
pub fn textbook_angles([l1, l2]: [f64; 2], end: f64) -> [f64; 2] {
    let (m1, m2, gravity) = (1.0, 0.5, 9.81);
    let (j1, j2) = (l1 * l1 / 12.0, l2 * l2 / 24.0);
    // y = (a, b, a', b')
    let rates = |y: [f64; 4]| {
        let [a, b, da, db] = y;
        let (sin, cos) = (a - b).sin_cos();
        let m11 = j1 + m1 * l1 * l1 / 4.0 + m2 * l1 * l1;
        let m22 = j2 + m2 * l2 * l2 / 4.0;
        let m12 = m2 * l1 * l2 / 2.0 * cos;
        let f1 = -m2 * l1 * l2 / 2.0 * sin * db * db + gravity * l1 * (m1 / 2.0 + m2) * a.cos();
        let f2 = m2 * l1 * l2 / 2.0 * sin * da * da + gravity * l2 * m2 / 2.0 * b.cos();
        let det = m11 * m22 - m12 * m12;
        [
            da,
            db,
            (m22 * f1 - m12 * f2) / det,
            (m11 * f2 - m12 * f1) / det,
        ]
    };
    let steps = (end / 1e-4).ceil().max(1.0);
    let h = end / steps;
    let mut y = [0.0; 4];
    let mut step = 0.0;
    while step < steps {
        step += 1.0;
        let shifted = |k: [f64; 4], s: f64| core::array::from_fn(|i| y[i] + s * k[i]);
        let k1 = rates(y);
        let k2 = rates(shifted(k1, h / 2.0));
        let k3 = rates(shifted(k2, h / 2.0));
        let k4 = rates(shifted(k3, h));
        y = core::array::from_fn(|i| y[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]));
    }
    [y[0], y[1]]
}

/// The end of the lower rod.
fn tip(choice: &Choice, t: f64) -> Known {
    let lengths = ["upper-length", "lower-length"].map(|name| choice.value(name));
    let angles = textbook_angles(lengths, t);
    let reach = |f: fn(f64) -> f64| lengths[0] * f(angles[0]) + lengths[1] * f(angles[1]);
    Known::Point {
        factor: 1,
        point: [lengths[1] / 2.0, 0.0, 0.0],
        position: [reach(f64::cos), 0.0, -reach(f64::sin)],
    }
}

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
    reference: Some(Exact {
        source: "textbook equations for the two angles, any t up to 10: the end of the lower rod",
        at: |choice, t| (t <= 10.0).then(|| tip(choice, t)),
    }),
    systems: |choice| {
        SO3xR3 => DoublePendulumDirect::new(DoublePendulumDirectParameters {
            upper_length: choice.value("upper-length"), lower_length: choice.value("lower-length"),
        }).unwrap_or_default(),
        SE3 => DoublePendulumSemidirect::new(DoublePendulumSemidirectParameters {
            upper_length: choice.value("upper-length"), lower_length: choice.value("lower-length"),
        }).unwrap_or_default(),
    }
);
