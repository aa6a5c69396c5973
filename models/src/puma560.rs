//! The robot Puma 560 with PD control of its six joints.
//!
//! Denavit-Hartenberg frames: link `i` turns about z of the frame before it; its mass and inertia
//! are given in its own frame. The published inertias of links 1 and 3 are such as no body has.
//! The desired motion starts at rest, with constant accelerations up to t = 0.5 and the opposite
//! ones up to t = 1. The printed start, goal and accelerations contradict each other: variant A
//! keeps the start angles, variant B reaches the goal.
//!
//! Half-explicit methods of order 2 and 3 cannot run it, with any step: they start from the
//! acceleration that multipliers of lower order give, and two inertias of 1e-8 amplify their error.
//!
//! Source: Holzinger, Arnold, Gerstmayr (2024), section 4.4.
//! Reference: minimal coordinates, extrapolated to 5e-12.

use core::f64::consts::FRAC_PI_2;

use nalgebra::{Rotation3, Vector3};
use polhode::lie::GroupKind;
use polhode::multibody;

use crate::machine::hosted;
use crate::model::{Choice, Exact, Known, Model, Parameter, Path, Structure, in_group};

/// Joint angles at t = 0.5, variant A.
pub const ANGLES_A: [f64; 6] = [
    -1.046_991_139_387,
    0.915_595_493_537,
    -0.174_372_462_741,
    0.785_407_239_986,
    1.178_055_738_536,
    0.392_824_441_096,
];
/// Joint angles at t = 1, variant A.
pub const ANGLES_A_AT_1: [f64; 6] = [
    -2.094_799_573_720,
    1.439_911_613_909,
    -1.919_984_656_634,
    1.570_929_410_900,
    1.963_807_380_649,
    0.785_378_177_474,
];
/// Joint angles at t = 0.5, variant B.
pub const ANGLES_B: [f64; 6] = [
    -1.046_393_391_391,
    0.521_982_643_298,
    -1.745_577_693_276,
    0.785_186_864_262,
    0.784_470_627_312,
    0.392_748_715_547,
];

/// Joint angles at t = 1, variant B: the elbow is beyond half a turn.
pub const ANGLES_B_AT_1: [f64; 6] = [
    -2.094_975_500_133,
    1.046_840_385_646,
    -3.490_911_310_694,
    1.571_382_253_988,
    1.570_736_284_638,
    0.785_373_575_533,
];

macro_rules! puma {
    ($(#[$doc:meta])* $name:ident, $group:ident, [$q1:expr, $q2:expr, $q3:expr, $q4:expr, $q5:expr, $q6:expr]) => {
        $(#[$doc])*
        #[multibody(
            gravity = [0.0, 0.0, -9.81],
            positions = "inertial",
            consts(
                DEGREE = PI / 180,
                Q1 = $q1 * DEGREE, Q2 = $q2 * DEGREE, Q3 = $q3 * DEGREE,
                Q4 = $q4 * DEGREE, Q5 = $q5 * DEGREE, Q6 = $q6 * DEGREE,
                // Rotation and origin of each frame, and the axis of each joint.
                R1 = rz(Q1) * rx(PI / 2),
                R2 = R1 * rz(Q2),
                R3 = R2 * rz(Q3) * rx(-PI / 2),
                R4 = R3 * rz(Q4) * rx(PI / 2),
                R5 = R4 * rz(Q5) * rx(-PI / 2),
                R6 = R5 * rz(Q6),
                O1 = [0.0, 0.0, 0.0],
                O2 = O1 + R1 * (rz(Q2) * [0.4318, 0.0, 0.0]),
                O3 = O2 + R2 * (rz(Q3) * [0.0203, 0.0, 0.0] + [0.0, 0.0, 0.15005]),
                O4 = O3 + R3 * [0.0, 0.0, 0.4318],
                A1 = -8.3776, A2 = 4.1888, A3 = -13.9626, A4 = 6.2832, A5 = 6.2832, A6 = 3.1416,
                // One and one half of the desired motion per unit of acceleration.
                STEP = if t < 0.5 { t * t / 2 } else {
                    if t < 1 { 0.25 - (1 - t) * (1 - t) / 2 } else { 0.25 }
                },
            ),
        )]
        pub struct $name {
            #[body(mass = 20.0, inertia_unchecked = [1e-8, 0.35, 1e-8])]
            #[start(position = O1, rotation = R1)]
            link1: Body<$group>,
            #[body(mass = 17.4, inertia = [0.13, 0.524, 0.539])]
            #[start(position = O2 + R2 * [-0.3638, 0.006, 0.2275], rotation = R2)]
            link2: Body<$group>,
            #[body(mass = 4.8, inertia_unchecked = [0.066, 0.086, 0.0125])]
            #[start(position = O3 + R3 * [-0.0203, -0.0141, 0.07], rotation = R3)]
            link3: Body<$group>,
            #[body(mass = 0.82, inertia = [0.0018, 0.0013, 0.0018])]
            #[start(position = O4 + R4 * [0.0, 0.019, 0.0], rotation = R4)]
            link4: Body<$group>,
            #[body(mass = 0.34, inertia = [3e-4, 4e-4, 3e-4])]
            #[start(position = O4, rotation = R5)]
            link5: Body<$group>,
            #[body(mass = 0.09, inertia = [1.5e-4, 1.5e-4, 4e-5])]
            #[start(position = O4 + R6 * [0.0, 0.0, 0.032], rotation = R6)]
            link6: Body<$group>,
            #[joint(ground, link1, at = world([0.0, 0.0, 0.0]), axis = z, angle = Q1)]
            waist: Revolute,
            #[joint(link1, link2, at = world(O1), axis = R1 * z, angle = Q2)]
            shoulder: Revolute,
            #[joint(link2, link3, at = world(O2), axis = R2 * z, angle = Q3)]
            elbow: Revolute,
            #[joint(link3, link4, at = world(O3), axis = R3 * z, angle = Q4)]
            roll: Revolute,
            #[joint(link4, link5, at = world(O4), axis = R4 * z, angle = Q5)]
            pitch: Revolute,
            #[joint(link5, link6, at = world(O4), axis = R5 * z, angle = Q6)]
            flange: Revolute,
            #[force(waist, p = 40000.0, d = 400.0, target = Q1 + A1 * STEP)]
            motor1: PdControl,
            #[force(shoulder, p = 40000.0, d = 400.0, target = Q2 + A2 * STEP)]
            motor2: PdControl,
            #[force(elbow, p = 40000.0, d = 100.0, target = Q3 + A3 * STEP)]
            motor3: PdControl,
            #[force(roll, p = 100.0, d = 1.0, target = Q4 + A4 * STEP)]
            motor4: PdControl,
            #[force(pitch, p = 100.0, d = 1.0, target = Q5 + A5 * STEP)]
            motor5: PdControl,
            #[force(flange, p = 10.0, d = 0.1, target = Q6 + A6 * STEP)]
            motor6: PdControl,
        }
    };
}
puma!(
    /// Variant A with rotation matrices, the translations apart.
    PumaADirect,
    SO3xR3,
    [0.0, 22.5, 90.0, 0.0, 22.5, 0.0]
);
puma!(
    /// Variant B with rotation matrices, the translations apart.
    PumaBDirect,
    SO3xR3,
    [0.0, 0.0, 0.0, 0.0, 0.0, 0.0]
);

/// The Puma 560, in the registry. Variant B is assembled at run time: a second hosted system of this
/// size would take the compiler as long as the first.
pub static PUMA560: Model = Model {
    name: "puma560",
    summary: "robot with six revolute joints under PD control",
    source: "Holzinger, Arnold, Gerstmayr (2024), Multibody Syst. Dyn., section 4.4",
    end: 0.5,
    step: 2.5e-4,
    parameters: &[Parameter {
        name: "variant",
        meaning: "0: variant A, the printed start angles; 1: variant B, which reaches the printed goal",
        default: 0.0,
        min: 0.0,
        max: 1.0,
        only: &[0.0, 1.0],
    }],
    structure: Structure::Mechanism(|choice| {
        let description = if is_b(choice) {
            PumaBDirect.description()
        } else {
            PumaADirect.description()
        };
        in_group(description, choice.group)
    }),
    paths: |choice| match choice.group {
        GroupKind::SO3xR3 if !is_b(choice) => &[Path::Generated, Path::Generic],
        _ => &[Path::Generic],
    },
    machine: |path, choice| {
        let generated = (Path::Generated, GroupKind::SO3xR3, false);
        ((path, choice.group, is_b(choice)) == generated).then(|| hosted(PumaADirect))
    },
    operations: |choice| match choice.group {
        GroupKind::SO3xR3 if !is_b(choice) => PumaADirect.operations(),
        _ => &[],
    },
    unsuitable: &["he2", "he3"],
    reference: Some(Exact {
        source: "minimal coordinates, extrapolated to 5e-12: a point of the flange at t = 0.5 and 1",
        at: |choice, t| {
            let angles = match (is_b(choice), t) {
                (true, 0.5) => ANGLES_B,
                (false, 0.5) => ANGLES_A,
                (false, 1.0) => ANGLES_A_AT_1,
                (true, 1.0) => ANGLES_B_AT_1,
                _ => return None,
            };
            Some(Known::Point {
                factor: 5,
                point: FLANGE,
                position: flange(angles),
            })
        },
    }),
    ..Model::PLAIN
};

fn is_b(choice: &Choice) -> bool {
    choice.value("variant") == 1.0
}

/// A point of the last link beside its axis, so that it depends on all angles; in its frame.
const FLANGE: [f64; 3] = [0.1, 0.0, 0.0];

/// Where that point is for given joint angles.
fn flange([q1, q2, q3, q4, q5, q6]: [f64; 6]) -> [f64; 3] {
    let turn = |q: f64| Rotation3::from_axis_angle(&Vector3::z_axis(), q);
    let twist =
        |quarters: f64| Rotation3::from_axis_angle(&Vector3::x_axis(), quarters * FRAC_PI_2);
    let r1 = turn(q1) * twist(1.0);
    let r2 = r1 * turn(q2);
    let r3 = r2 * turn(q3) * twist(-1.0);
    let r4 = r3 * turn(q4) * twist(1.0);
    let r6 = r4 * turn(q5) * twist(-1.0) * turn(q6);
    let o2 = r2 * Vector3::new(0.4318, 0.0, 0.0);
    let o3 =
        o2 + r2 * (turn(q3) * Vector3::new(0.0203, 0.0, 0.0) + Vector3::new(0.0, 0.0, 0.15005));
    let o4 = o3 + r3 * Vector3::new(0.0, 0.0, 0.4318);
    (o4 + r6 * (Vector3::from(FLANGE) + Vector3::new(0.0, 0.0, 0.032))).into()
}
