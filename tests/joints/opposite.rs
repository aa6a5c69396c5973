//! Efforts, rates and drivers on joints whose z axes coincide or are opposite: `z_a = s z_b`.
//!
//! What is right does not depend on `s`: an angle is that of `x_b` in the plane of `x_a` and `y_a`,
//! its rate is its derivative, an effort has the power effort times rate, and what acts between
//! two bodies changes no momentum.

use nalgebra::{Matrix3, Rotation3, UnitQuaternion, Vector3};
use polhode::generalized_alpha::GeneralizedAlpha;
use polhode::generic::GenericSystem;
use polhode::generic::description::{
    Attachment, Body, Description, Force, ForceKind, Formula, Joint, JointKind, JointQuantity,
    LoadFrame, Motion, Start,
};
use polhode::half_explicit::{HalfExplicit, Multipliers};
use polhode::lie::GroupKind;
use polhode::output::Output;
use polhode::state::State;
use polhode::stepper::Method;
use polhode::system::{Bodies, Manifold, Mechanics};
use polhode_tests::{RIGID, gap};

/// Coordinates of the joint and their rates at the start.
const ANGLE: f64 = 0.8;
const ANGLE_RATE: f64 = 1.3;
const DISPLACEMENT: f64 = 0.3;
const DISPLACEMENT_RATE: f64 = -0.4;

/// Whether bodies on this group keep their origin.
fn has_origin(group: GroupKind) -> bool {
    matches!(group, GroupKind::SO3 | GroupKind::S3)
}

/// How a frame of a body is placed and moves, in inertial axes.
struct Frame {
    origin: Vector3<f64>,
    axes: [Vector3<f64>; 3],
    velocity: Vector3<f64>,
    spin: Vector3<f64>,
}

/// A body, and its frame as the attachment of a joint.
fn body(
    name: &str,
    group: GroupKind,
    inertia: f64,
    turn: Vector3<f64>,
    at: &Frame,
) -> (Body, Attachment) {
    let rotation = Rotation3::new(turn);
    let q = UnitQuaternion::from_rotation_matrix(&rotation);
    let point = if has_origin(group) {
        Vector3::zeros()
    } else {
        Vector3::new(0.2, -0.3, 0.1)
    };
    let arm = rotation * point;
    let start = Start {
        position: (at.origin - arm).as_slice().to_vec(),
        rotation: [q.w, q.i, q.j, q.k],
        velocity: (at.velocity - at.spin.cross(&arm)).as_slice().to_vec(),
        angular_velocity: (rotation.inverse() * at.spin).into(),
    };
    let body = Body {
        name: name.to_owned(),
        group,
        mass: 1.0,
        inertia: (Matrix3::identity() * inertia).into(),
        center: [0.0; 3],
        start,
    };
    let attachment = Attachment {
        body: name.to_owned(),
        point: point.into(),
        axes: at.axes.map(|axis| (rotation.inverse() * axis).into()),
    };
    (body, attachment)
}

/// Two free bodies with the moments of inertia 1 and 2 on a joint that holds at the start, with
/// `z_a = s z_b`.
fn pair(
    groups: [GroupKind; 2],
    kind: JointKind,
    s: f64,
    spin: Vector3<f64>,
    moving: f64,
    forces: Vec<ForceKind>,
) -> Description {
    let slides = kind == JointKind::Cylindrical || kind == JointKind::Prismatic;
    let turns = kind != JointKind::Prismatic;
    let base = Rotation3::new(Vector3::new(0.4, -0.7, 1.1));
    let [x, y, z] = [Vector3::x(), Vector3::y(), Vector3::z()].map(|axis| base * axis);
    let fixed = groups.iter().any(|group| has_origin(*group));
    let angle = if turns { ANGLE } else { 0.0 };
    let x_b = x * angle.cos() + y * angle.sin();
    let z_b = z * s;
    let along = if slides && !fixed { 1.0 } else { 0.0 };
    let first = Frame {
        origin: if fixed {
            Vector3::zeros()
        } else {
            Vector3::new(0.5, 0.2, -0.6)
        },
        axes: [x, y, z],
        velocity: if fixed {
            Vector3::zeros()
        } else {
            Vector3::new(0.3, -0.1, 0.2) * moving
        },
        spin,
    };
    let shift = z_b * (along * DISPLACEMENT);
    let turning = if turns { ANGLE_RATE * moving } else { 0.0 };
    let second = Frame {
        origin: first.origin + shift,
        axes: [x_b, z_b.cross(&x_b), z_b],
        velocity: first.velocity + spin.cross(&shift) + z_b * (along * DISPLACEMENT_RATE * moving),
        spin: spin + z * turning,
    };
    let (a, first) = body("a", groups[0], 1.0, Vector3::new(-0.3, 0.9, 0.2), &first);
    let (b, second) = body("b", groups[1], 2.0, Vector3::new(1.2, 0.1, -0.5), &second);
    let joint = Joint {
        name: "joint".to_owned(),
        kind,
        first,
        second,
    };
    // What formulas read of the joint acts on a point mass.
    let probe = Body {
        name: "probe".to_owned(),
        group: GroupKind::Rn(3),
        mass: 1.0,
        inertia: [[0.0; 3]; 3],
        center: [0.0; 3],
        start: Start::default(),
    };
    let named = forces.into_iter().enumerate().map(|(i, kind)| Force {
        name: format!("force {i}"),
        kind,
    });
    Description {
        name: "pair".to_owned(),
        bodies: vec![a, b, probe],
        joints: vec![joint],
        forces: named.collect(),
        ..Description::default()
    }
}

fn spring(damping: f64) -> ForceKind {
    ForceKind::TorsionSpring {
        joint: "joint".to_owned(),
        stiffness: 2.0,
        damping,
        angle: 0.1,
    }
}

fn control() -> ForceKind {
    ForceKind::PdControl {
        joint: "joint".to_owned(),
        proportional: 3.0,
        derivative: 0.7,
        target: Formula::Number(-0.4),
    }
}

fn actuator() -> ForceKind {
    ForceKind::Actuator {
        joint: "joint".to_owned(),
        effort: Formula::Number(1.5),
    }
}

/// A load on the probe that reads the rates of the joint.
fn reading(quantities: &[JointQuantity]) -> ForceKind {
    let read = |i: usize| {
        quantities
            .get(i)
            .map_or(Formula::Number(0.0), |quantity| Formula::Joint {
                joint: "joint".to_owned(),
                quantity: *quantity,
            })
    };
    ForceKind::Load {
        at: Attachment::at("probe", [0.0; 3]),
        force: [read(0), read(1), read(2)],
        torque: [0.0; 3].map(Formula::Number),
        frame: LoadFrame::World,
    }
}

const SPINS: [Vector3<f64>; 2] = [Vector3::new(0.0, 0.0, 0.0), Vector3::new(0.6, -0.2, 0.5)];

fn simulated(system: &GenericSystem, implicit: bool) -> State<GenericSystem> {
    let run = if implicit {
        GeneralizedAlpha::index3()
            .simulate(system, 0.0..=1.0)
            .step(1e-3)
            .output(Output::EndOnly)
            .run()
    } else {
        HalfExplicit::order5()
            .simulate(system, 0.0..=1.0)
            .step(1e-2)
            .output(Output::EndOnly)
            .run()
    };
    run.unwrap_or_else(|error| panic!("{error}")).last().clone()
}

/// A spring between two bodies keeps momentum and energy, a control and an actuator momentum.
#[test]
fn efforts_keep_momentum() {
    for (first, name) in RIGID {
        for (second, _) in RIGID {
            for (kind, s, force) in [JointKind::Revolute, JointKind::Cylindrical]
                .into_iter()
                .flat_map(|kind| [1.0, -1.0].map(|s| (kind.clone(), s)))
                .flat_map(|(kind, s)| {
                    [spring(0.0), control(), actuator()].map(|force| (kind.clone(), s, force))
                })
            {
                let conserved = matches!(force, ForceKind::TorsionSpring { .. });
                for (spin, implicit) in [(SPINS[0], false), (SPINS[1], false), (SPINS[1], true)] {
                    if implicit && first != second {
                        continue;
                    }
                    let description = pair(
                        [first, second],
                        kind.clone(),
                        s,
                        spin,
                        0.0,
                        vec![force.clone()],
                    );
                    let system = GenericSystem::new(description).unwrap();
                    let start = State::start(&system, 0.0);
                    let end = simulated(&system, implicit);
                    let momentum = |state: &State<GenericSystem>| {
                        let momentum = system.momentum(&state.q, &state.v);
                        [momentum.linear, momentum.angular].concat()
                    };
                    let tolerance = if implicit { 2e-6 } else { 1e-10 };
                    let case = format!("{name} {second} {kind:?} s = {s}, {force:?}");
                    let error = gap(&momentum(&start), &momentum(&end));
                    assert!(error < tolerance, "{case}: momentum changed by {error:e}");
                    if conserved {
                        let energy = |state: &State<GenericSystem>| {
                            system.energy(0.0, &state.q, &state.v).total()
                        };
                        let error = (energy(&end) - energy(&start)).abs();
                        assert!(error < tolerance, "{case}: energy changed by {error:e}");
                    }
                }
            }
        }
    }
}

const GROUPS: [GroupKind; 6] = [
    GroupKind::SO3xR3,
    GroupKind::SE3,
    GroupKind::S3xR3,
    GroupKind::S3sR3,
    GroupKind::SO3,
    GroupKind::S3,
];

/// Rates that formulas and outputs see are derivatives of the coordinates, and the force of a spring
/// is minus the gradient of its energy, along a motion that keeps the joint.
#[test]
fn rates_are_derivatives_and_forces_are_gradients() {
    use JointQuantity::{AngleRate, DisplacementRate};
    let cases = [
        (JointKind::Revolute, vec![AngleRate]),
        (JointKind::Cylindrical, vec![AngleRate, DisplacementRate]),
        (JointKind::Prismatic, vec![DisplacementRate]),
    ];
    for (first, second) in GROUPS.into_iter().flat_map(|a| GROUPS.map(|b| (a, b))) {
        for (kind, quantities) in &cases {
            for s in [1.0, -1.0] {
                let mut forces = vec![reading(quantities)];
                if kind.has_angle() {
                    forces.push(spring(0.0));
                }
                let description = pair([first, second], kind.clone(), s, SPINS[1], 1.0, forces);
                let system = GenericSystem::new(description).unwrap();
                let state = State::start(&system, 0.0);
                let case = format!("{first} {second} {kind:?} s = {s}");
                let along = |h: f64| {
                    let mut moved = state.clone();
                    let theta = state.v.iter().map(|v| h * v).collect();
                    system.displace(&state.q, &theta, &mut moved.q);
                    moved
                };
                // Sixth order; the motion leaves the joint by terms of second order, which are even.
                let slope = |of: &dyn Fn(&State<GenericSystem>) -> f64| {
                    let odd = |k: f64| of(&along(1e-3 * k)) - of(&along(-1e-3 * k));
                    (45.0 * odd(1.0) - 9.0 * odd(2.0) + odd(3.0)) / 0.06
                };
                let mut geometry = system.new_geometry();
                system.geometry(0.0, &state.q, &mut geometry).unwrap();
                let mut force = system.new_velocity();
                system.force(0.0, &geometry, &state.v, &mut force);
                let probe = force.len() - 3;
                let view = |state: &State<GenericSystem>| {
                    let joint = state.joint(&system, "joint").unwrap();
                    [joint.angle(), joint.displacement()]
                };
                let now = state.joint(&system, "joint").unwrap();
                let seen = [now.angle_rate(), now.displacement_rate()];
                for (i, quantity) in quantities.iter().enumerate() {
                    let which = usize::from(*quantity == DisplacementRate);
                    let expected = slope(&|state| view(state)[which].unwrap());
                    let formula = -force[probe + i];
                    let output = seen[which].unwrap();
                    assert!(
                        (formula - expected).abs() < 1e-9 && (output - expected).abs() < 1e-9,
                        "{case}, {quantity:?}: {formula} in a formula and {output} in outputs, \
                         the derivative is {expected}"
                    );
                }
                if kind.has_angle() {
                    let rest = system.new_velocity();
                    let gradient = slope(&|state| system.energy(0.0, &state.q, &rest).potential);
                    system.force(0.0, &geometry, &rest, &mut force);
                    let power: f64 = force.iter().zip(&state.v).map(|(g, v)| g * v).sum();
                    assert!(
                        (power - gradient).abs() < 1e-9,
                        "{case}: g v = {power}, and the energy changes by {gradient}"
                    );
                }
            }
        }
    }
}

/// A damper takes energy away, and a controlled angle comes to its target.
#[test]
fn damping_and_control_settle() {
    for s in [1.0, -1.0] {
        let groups = [GroupKind::SE3, GroupKind::S3xR3];
        let damped = pair(
            groups,
            JointKind::Revolute,
            s,
            SPINS[1],
            1.0,
            vec![spring(1.5)],
        );
        let damped = GenericSystem::new(damped).unwrap();
        let (start, end) = (State::start(&damped, 0.0), simulated(&damped, false));
        let energy = |state: &State<_>| damped.energy(0.0, &state.q, &state.v).total();
        assert!(energy(&end) < energy(&start) - 0.1, "s = {s}");
        let controlled = ForceKind::PdControl {
            joint: "joint".to_owned(),
            proportional: 400.0,
            derivative: 30.0,
            target: Formula::Number(-0.4),
        };
        let description = pair(
            groups,
            JointKind::Revolute,
            s,
            SPINS[0],
            0.0,
            vec![controlled],
        );
        let end = simulated(&GenericSystem::new(description.clone()).unwrap(), false);
        let system = GenericSystem::new(description).unwrap();
        let angle = end.joint(&system, "joint").unwrap().angle().unwrap();
        assert!((angle + 0.4).abs() < 1e-4, "s = {s}: {angle}");
    }
}

/// A driven angle follows its function, and its effort does the work.
#[test]
fn drivers_do_the_work() {
    for s in [1.0, -1.0] {
        for (group, name) in RIGID {
            let groups = [group, GroupKind::SE3];
            let mut description = pair(groups, JointKind::Revolute, s, SPINS[0], 0.0, vec![]);
            let Joint { first, second, .. } = description.joints[0].clone();
            // angle = 0.8 + 0.6 t^2
            let squared = Formula::Mul(Box::new(Formula::Time), Box::new(Formula::Time));
            let by = Formula::Mul(Box::new(Formula::Number(0.6)), Box::new(squared));
            description.joints.push(Joint {
                name: "motor".to_owned(),
                kind: JointKind::Driver {
                    motion: Motion::Angle,
                    value: Formula::Add(Box::new(Formula::Number(ANGLE)), Box::new(by)),
                },
                first,
                second,
            });
            let system = GenericSystem::new(description).unwrap();
            let run = HalfExplicit::order5()
                .multipliers(Multipliers::Recomputed)
                .simulate(&system, 0.0..=0.5)
                .step(1e-2)
                .run()
                .unwrap();
            for state in run.states() {
                let motor = state.joint(&system, "motor").unwrap();
                let t = state.t;
                let angle = motor.angle().unwrap();
                assert!(
                    (angle - ANGLE - 0.6 * t * t).abs() < 1e-9,
                    "{name} {s}: {angle}"
                );
                let rate = motor.angle_rate().unwrap();
                assert!((rate - 1.2 * t).abs() < 1e-9, "{name} {s}: {rate}");
            }
            // The trapezoidal rule is exact enough: the power hardly differs from a straight line.
            let power = |state: &State<GenericSystem>| {
                let row = state.lambda.len() - 1;
                let rate = state.joint(&system, "motor").unwrap().angle_rate().unwrap();
                -state.lambda[row] * rate
            };
            let states = run.states();
            let work: f64 = states
                .windows(2)
                .map(|pair| 0.5 * (pair[1].t - pair[0].t) * (power(&pair[0]) + power(&pair[1])))
                .sum();
            let end = states.last().unwrap();
            let energy = system.energy(0.0, &end.q, &end.v).total();
            assert!(energy > 0.1, "{energy}");
            assert!(
                (work - energy).abs() < 1e-3 * energy,
                "{name} {s}: {work} {energy}"
            );
        }
    }
}
