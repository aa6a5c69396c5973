//! Forces in motion, against values from other formulations.

use nalgebra::{Matrix3, Rotation3, UnitQuaternion, Vector3};
use polhode::generic::GenericSystem;
use polhode::generic::description::{
    Attachment, Body, Description, Force, ForceKind, Formula, Joint, JointKind, LoadFrame, Start,
};
use polhode::half_explicit::HalfExplicit;
use polhode::lie::GroupKind;
use polhode::stepper::Method;
use polhode_tests::{RIGID, distance};

fn diagonal(x: [f64; 3]) -> [[f64; 3]; 3] {
    [[x[0], 0.0, 0.0], [0.0, x[1], 0.0], [0.0, 0.0, x[2]]]
}

/// Length of a step within which a body turns by `angle`.
fn step(omega: f64, angle: f64) -> f64 {
    1.0 / (omega / angle).ceil()
}

/// A rotor at 200000 revolutions per minute on two elastic supports, with a constant torque: the
/// left support at t = 1, from an explicit method of order 8 with quaternions. Rounding of the fast
/// spin limits the reference to 3e-11.
#[test]
fn a_rotor_on_bushings() {
    let omega = core::f64::consts::TAU * 200_000.0 / 60.0;
    let expected = [-0.110_000_000_412_6, 2.672_084e-4, 9.156_42e-5];
    let support = |name: &str, x: f64, along: f64| Force {
        name: name.to_owned(),
        kind: ForceKind::Bushing {
            first: Attachment::at("rotor", [x, 0.0, 0.0]),
            second: Attachment::at("ground", [x, 0.0, 0.0]),
            stiffness: translation([4000.0 * along, 4000.0, 4000.0]),
            damping: translation([5.165_093 * along, 5.165_093, 5.165_093]),
        },
    };
    for (group, name) in RIGID {
        let system = GenericSystem::new(Description {
            name: "rotor".to_owned(),
            bodies: vec![Body {
                name: "rotor".to_owned(),
                group,
                mass: 1.223,
                inertia: diagonal([0.001_541, 0.000_812, 0.000_812]),
                center: [0.0; 3],
                start: Start {
                    position: vec![0.0; 3],
                    angular_velocity: [omega, 0.0, 0.0],
                    ..Start::default()
                },
            }],
            forces: vec![
                support("left", -0.11, 1.0),
                support("right", 0.09, 0.0),
                Force {
                    name: "torque".to_owned(),
                    kind: ForceKind::Load {
                        at: Attachment::at("rotor", [0.0; 3]),
                        force: [0.0; 3].map(Formula::Number),
                        torque: [0.0, 0.0, (0.1 - 0.11) * 1.223 * 9.81].map(Formula::Number),
                        frame: LoadFrame::World,
                    },
                },
            ],
            ..Description::default()
        })
        .unwrap();
        let run = HalfExplicit::order5()
            .simulate(&system, 0.0..=1.0)
            .step(step(omega, 0.2))
            .run()
            .unwrap();
        let rotor = run.last().body(&system, 0);
        let rows = rotor.rotation_matrix();
        let position = rotor.position();
        let found: [f64; 3] = core::array::from_fn(|i| position[i] - 0.11 * rows[i][0]);
        let error = distance(&found, &expected);
        println!("{name}: {found:?} {error:e}");
        assert!(error < 2e-10, "{name}: {found:?} {error:e}");
    }
}

fn translation(x: [f64; 3]) -> [[f64; 6]; 6] {
    core::array::from_fn(|i| {
        core::array::from_fn(|j| if i == j && i >= 3 { x[i - 3] } else { 0.0 })
    })
}

/// `(d, a, alpha / (pi/2))`, mass, centre of mass, inertia about it, gains, acceleration of the
/// target. Link by link, in the frame at the far end of each.
type Link = ([f64; 3], f64, [f64; 3], [f64; 3], [f64; 2], f64);

#[expect(clippy::approx_constant, reason = "the numbers as published")]
const PUMA: [Link; 6] = [
    (
        [0.0, 0.0, 1.0],
        20.0,
        [0.0; 3],
        [1e-8, 0.35, 1e-8],
        [4e4, 400.0],
        -8.3776,
    ),
    (
        [0.0, 0.4318, 0.0],
        17.4,
        [-0.3638, 0.006, 0.2275],
        [0.13, 0.524, 0.539],
        [4e4, 400.0],
        4.1888,
    ),
    (
        [0.15005, 0.0203, -1.0],
        4.8,
        [-0.0203, -0.0141, 0.07],
        [0.066, 0.086, 0.0125],
        [4e4, 100.0],
        -13.9626,
    ),
    (
        [0.4318, 0.0, 1.0],
        0.82,
        [0.0, 0.019, 0.0],
        [0.0018, 0.0013, 0.0018],
        [100.0, 1.0],
        6.2832,
    ),
    (
        [0.0, 0.0, -1.0],
        0.34,
        [0.0; 3],
        [3e-4, 4e-4, 3e-4],
        [100.0, 1.0],
        6.2832,
    ),
    (
        [0.0, 0.0, 0.0],
        0.09,
        [0.0, 0.0, 0.032],
        [1.5e-4, 1.5e-4, 4e-5],
        [10.0, 0.1],
        3.1416,
    ),
];

/// `start + a t^2 / 2` up to `t = 1/2`, then as much deceleration.
fn target(start: f64, a: f64) -> Formula {
    let number = |x: f64| Box::new(Formula::Number(x));
    let polynomial = |t: Formula, c: [f64; 3]| {
        let t = Box::new(t);
        let inner = Formula::Add(
            number(c[1]),
            Box::new(Formula::Mul(number(c[2]), t.clone())),
        );
        Box::new(Formula::Add(
            number(c[0]),
            Box::new(Formula::Mul(t, Box::new(inner))),
        ))
    };
    let later = Formula::Sub(Box::new(Formula::Time), number(0.5));
    Formula::Select {
        left: Box::new(Formula::Time),
        right: number(0.5),
        below: polynomial(Formula::Time, [start, 0.0, 0.5 * a]),
        otherwise: polynomial(later, [start + a / 8.0, 0.5 * a, -0.5 * a]),
    }
}

fn puma(group: GroupKind, start: [f64; 6]) -> Description {
    let mut description = Description {
        name: "puma".to_owned(),
        gravity: [0.0, 0.0, -9.81],
        ..Description::default()
    };
    let (mut rotation, mut position) = (Rotation3::identity(), Vector3::zeros());
    for (i, (dh, mass, center, inertia, gains, acceleration)) in PUMA.into_iter().enumerate() {
        let [d, a, quarters] = dh;
        let twist =
            Rotation3::from_axis_angle(&Vector3::x_axis(), quarters * core::f64::consts::FRAC_PI_2);
        let shift = Vector3::new(a, 0.0, d);
        let turned = rotation * Rotation3::from_axis_angle(&Vector3::z_axis(), start[i]);
        position += turned * shift;
        rotation = turned * twist;
        let p = UnitQuaternion::from_rotation_matrix(&rotation);
        description.bodies.push(Body {
            name: format!("link {i}"),
            group,
            mass,
            inertia: diagonal(inertia),
            center,
            start: Start {
                position: position.as_slice().to_vec(),
                rotation: [p.w, p.i, p.j, p.k],
                ..Start::default()
            },
        });
        // The frame that turns with the joint, seen from the far end of the link.
        let rows: &Matrix3<f64> = twist.matrix();
        let name = format!("joint {i}");
        let before = if i == 0 {
            "ground".to_owned()
        } else {
            format!("link {}", i - 1)
        };
        description.joints.push(Joint {
            name: name.clone(),
            kind: JointKind::Revolute,
            first: Attachment::at(&before, [0.0; 3]),
            second: Attachment {
                body: format!("link {i}"),
                point: (-(twist.inverse() * shift)).into(),
                axes: core::array::from_fn(|r| core::array::from_fn(|c| rows[(r, c)])),
            },
        });
        description.forces.push(Force {
            name: format!("control {i}"),
            kind: ForceKind::PdControl {
                joint: name,
                proportional: gains[0],
                derivative: gains[1],
                target: target(start[i], acceleration),
            },
        });
    }
    description
}

/// The Puma 560 arm under PD control; reference from minimal coordinates, extrapolated to 5e-12.
/// In the second case joint 2 ends beyond -pi.
#[test]
fn an_arm_under_control() {
    let degree = core::f64::consts::PI / 180.0;
    let cases = [
        (
            [0.0, 22.5, 90.0, 0.0, 22.5, 0.0].map(|x| x * degree),
            0.5,
            [
                -1.046_991_139_387,
                0.915_595_493_537,
                -0.174_372_462_741,
                0.785_407_239_986,
                1.178_055_738_536,
                0.392_824_441_096,
            ],
        ),
        (
            [0.0; 6],
            1.0,
            [
                -2.094_975_500_133,
                1.046_840_385_646,
                -3.490_911_310_694,
                1.571_382_253_988,
                1.570_736_284_638,
                0.785_373_575_533,
            ],
        ),
    ];
    for group in [GroupKind::SE3, GroupKind::S3sR3] {
        for (start, end, expected) in cases {
            let system = GenericSystem::new(puma(group, start)).unwrap();
            let run = HalfExplicit::order5()
                .simulate(&system, 0.0..=end)
                .step(2.5e-4)
                .run()
                .unwrap();
            let last = run.last();
            let angles: Vec<f64> = (0..6)
                .map(|i| {
                    let joint = last.joint(&system, &format!("joint {i}")).unwrap();
                    joint.angle().unwrap()
                })
                .collect();
            let error = distance(&angles, &expected);
            println!("{group} {end}: {error:e}");
            assert!(error < 2e-11, "{group}: {angles:?} {error:e}");
            // The same numbers are the end of the configuration.
            let entries = &last.q[last.q.len() - 6..];
            assert!(distance(entries, &angles) < 1e-13, "{entries:?}");
        }
    }
}
