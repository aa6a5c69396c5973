//! Random descriptions, most of them nearly right.

use super::{six, tridiagonal};
use polhode::generic::description::{
    Attachment, Body, BodyQuantity, Description, Force, ForceKind, Formula, Function, Joint,
    JointKind, JointQuantity, LoadFrame, MassMatrix, Motion, Redundancy, Start,
};
use polhode::lie::GroupKind;
use proptest::prelude::*;

/// A number that is mostly harmless, and rarely not a number at all.
fn number() -> BoxedStrategy<f64> {
    prop_oneof![
        400 => -2.0..2.0,
        100 => Just(0.0),
        20 => Just(1.0),
        2 => proptest::sample::select(vec![
            -0.0, f64::MAX, f64::MIN_POSITIVE, f64::from_bits(1), 1e200, -1e150, 1e-200, 1e20, -1e9,
        ]),
        1 => proptest::sample::select(vec![f64::NAN, f64::INFINITY, f64::NEG_INFINITY]),
    ]
    .boxed()
}

/// A number that is mostly positive.
fn positive() -> BoxedStrategy<f64> {
    (number(), 0..80)
        .prop_map(|(x, sign)| match (x.abs(), sign) {
            (_, 0) => x,
            (0.0, _) => 0.3,
            (x, _) => x,
        })
        .boxed()
}

fn vector() -> BoxedStrategy<[f64; 3]> {
    [number(), number(), number()].boxed()
}

fn group() -> BoxedStrategy<GroupKind> {
    let rigid = vec![
        GroupKind::SO3,
        GroupKind::S3,
        GroupKind::SO3xR3,
        GroupKind::SE3,
        GroupKind::S3xR3,
        GroupKind::S3sR3,
    ];
    prop_oneof![
        60 => proptest::sample::select(rigid),
        10 => (1_usize..4).prop_map(GroupKind::Rn),
        4 => (0_usize..60).prop_map(GroupKind::Rn),
        1 => (10_u32..64).prop_map(|shift| GroupKind::Rn(1_usize << shift)),
    ]
    .boxed()
}

/// Mostly a symmetric and dominant diagonal.
fn inertia() -> BoxedStrategy<[[f64; 3]; 3]> {
    prop_oneof![
        60 => ([positive(), positive(), positive()], -0.01..0.01).prop_map(|([x, y, z], c)| {
            let c = c * f64::min(x, y);
            [[x, c, 0.0], [c, y, 0.0], [0.0, 0.0, z]]
        }),
        1 => [vector(), vector(), vector()],
    ]
    .boxed()
}

fn rotation() -> BoxedStrategy<[f64; 4]> {
    prop_oneof![
        30 => Just([1.0, 0.0, 0.0, 0.0]),
        30 => (vector(), 0.1_f64..1.0).prop_map(|([x, y, z], w)| {
            let norm = (w * w + x * x + y * y + z * z).sqrt();
            [w / norm, x / norm, y / norm, z / norm]
        }),
        1 => (vector(), number()).prop_map(|([x, y, z], w)| [w, x, y, z]),
    ]
    .boxed()
}

/// A list that mostly has the length that a group wants.
fn coordinates(group: GroupKind) -> BoxedStrategy<Vec<f64>> {
    let n = match group {
        GroupKind::Rn(n) => n.min(60),
        _ => 3,
    };
    prop_oneof![
        40 => proptest::collection::vec(number(), n),
        20 => Just(Vec::new()),
        1 => proptest::collection::vec(number(), 0..5),
    ]
    .boxed()
}

fn body(name: String) -> BoxedStrategy<Body> {
    group()
        .prop_flat_map(move |group| {
            let name = name.clone();
            let center = prop_oneof![20 => Just([0.0; 3]), 1 => vector()];
            let parts = (
                positive(),
                inertia(),
                (center, vector()),
                coordinates(group),
                coordinates(group),
                rotation(),
                vector(),
            );
            parts.prop_map(
                move |(mass, inertia, center, position, velocity, rotation, angular)| {
                    let point = matches!(group, GroupKind::Rn(_));
                    let offset = matches!(group, GroupKind::SE3 | GroupKind::S3sR3);
                    Body {
                        name: name.clone(),
                        group,
                        mass,
                        inertia,
                        center: if offset { center.1 } else { center.0 },
                        start: Start {
                            position,
                            rotation: if point {
                                [1.0, 0.0, 0.0, 0.0]
                            } else {
                                rotation
                            },
                            velocity: match group {
                                GroupKind::SO3 | GroupKind::S3 => Vec::new(),
                                _ => velocity,
                            },
                            angular_velocity: if point { [0.0; 3] } else { angular },
                        },
                    }
                },
            )
        })
        .boxed()
}

/// Two attachments, mostly of two bodies that exist.
fn pair() -> BoxedStrategy<(Attachment, Attachment)> {
    let axes = || {
        prop_oneof![
            40 => Just([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),
            40 => Just([[0.0, 0.6, 0.8], [1.0, 0.0, 0.0], [0.0, 0.8, -0.6]]),
            1 => [vector(), vector(), vector()],
        ]
    };
    let names = prop_oneof![
        60 => (0..4_usize, 1..4_usize).prop_map(|(i, step)| (i, (i + step) % 4)),
        1 => (0..6_usize, 0..6_usize),
    ];
    (names, vector(), axes(), vector(), axes())
        .prop_map(|((a, b), point_a, axes_a, point_b, axes_b)| {
            let name =
                |i: usize| ["ground", "body 0", "body 1", "body 2", "body", ""][i].to_owned();
            let attach = |i, point, axes| Attachment {
                body: name(i),
                point,
                axes,
            };
            (attach(a, point_a, axes_a), attach(b, point_b, axes_b))
        })
        .boxed()
}

fn joint_kind() -> BoxedStrategy<JointKind> {
    let without_numbers = vec![
        JointKind::Spherical,
        JointKind::Revolute,
        JointKind::Cylindrical,
        JointKind::Prismatic,
        JointKind::Universal,
        JointKind::Planar,
        JointKind::Fixed,
        JointKind::PointOnLine,
    ];
    let motion =
        proptest::sample::select(vec![Motion::Angle, Motion::Displacement, Motion::Distance]);
    prop_oneof![
        40 => proptest::sample::select(without_numbers),
        10 => positive().prop_map(|length| JointKind::Distance { length }),
        10 => (motion, formula(time_leaf())).prop_map(|(motion, value)| JointKind::Driver {
            motion,
            value,
        }),
        1 => formula(leaf()).prop_map(|value| JointKind::Driver {
            motion: Motion::Angle,
            value,
        }),
    ]
    .boxed()
}

fn time_leaf() -> BoxedStrategy<Formula> {
    prop_oneof![2 => number().prop_map(Formula::Number), 1 => Just(Formula::Time)].boxed()
}

/// Time, a number, or what mostly exists.
fn leaf() -> BoxedStrategy<Formula> {
    let axis = prop_oneof![60 => 0..3_usize, 1 => 3..5_usize];
    let body = (0..4_usize, 0..3_usize, axis).prop_map(|(body, quantity, axis)| Formula::Body {
        body: ["body 0", "body 1", "body 2", "body 0"][body].to_owned(),
        quantity: [
            BodyQuantity::Position,
            BodyQuantity::Velocity,
            BodyQuantity::AngularVelocity,
        ][quantity],
        axis,
    });
    let joint = (joint_name(), 0..4_usize).prop_map(|(joint, quantity)| Formula::Joint {
        joint,
        quantity: [
            JointQuantity::Angle,
            JointQuantity::AngleRate,
            JointQuantity::Displacement,
            JointQuantity::DisplacementRate,
        ][quantity],
    });
    prop_oneof![4 => time_leaf(), 4 => body, 1 => joint].boxed()
}

fn joint_name() -> BoxedStrategy<String> {
    prop_oneof![40 => (0..3_usize).prop_map(|i| format!("joint {i}")), 1 => "[a-z ]{0,2}"].boxed()
}

fn formula(leaf: BoxedStrategy<Formula>) -> BoxedStrategy<Formula> {
    let functions = vec![
        Function::Sqrt,
        Function::Sin,
        Function::Cos,
        Function::Tan,
        Function::Asin,
        Function::Acos,
        Function::Atan,
        Function::Exp,
        Function::Ln,
        Function::Tanh,
        Function::Abs,
    ];
    leaf.prop_recursive(3, 12, 4, move |part| {
        let one = || part.clone().prop_map(Box::new);
        let two = || (one(), one());
        prop_oneof![
            one().prop_map(Formula::Neg),
            two().prop_map(|(a, b)| Formula::Add(a, b)),
            two().prop_map(|(a, b)| Formula::Sub(a, b)),
            two().prop_map(|(a, b)| Formula::Mul(a, b)),
            two().prop_map(|(a, b)| Formula::Div(a, b)),
            two().prop_map(|(a, b)| Formula::Atan2(a, b)),
            (proptest::sample::select(functions.clone()), one())
                .prop_map(|(function, a)| Formula::Call(function, a)),
            (two(), two()).prop_map(|((left, right), (below, otherwise))| Formula::Select {
                left,
                right,
                below,
                otherwise,
            }),
        ]
    })
    .boxed()
}

fn joint() -> BoxedStrategy<Joint> {
    (joint_kind(), pair())
        .prop_map(|(kind, (first, second))| Joint {
            name: String::new(),
            kind,
            first,
            second,
        })
        .boxed()
}

fn force_kind() -> BoxedStrategy<ForceKind> {
    let spring = (pair(), [positive(), positive(), positive()]).prop_map(
        |((first, second), [stiffness, damping, length])| ForceKind::SpringDamper {
            first,
            second,
            stiffness,
            damping,
            length,
        },
    );
    let three = || [formula(leaf()), formula(leaf()), formula(leaf())];
    let load = (pair(), three(), three(), any::<bool>()).prop_map(
        |((first, second), force, torque, world)| ForceKind::Load {
            at: if first.body == "ground" {
                second
            } else {
                first
            },
            force,
            torque,
            frame: if world {
                LoadFrame::World
            } else {
                LoadFrame::Body
            },
        },
    );
    let bushing = (pair(), positive(), positive(), number(), 0..30).prop_map(
        |((first, second), k, d, off, wrong)| {
            let (mut stiffness, damping) = (six(k), six(d));
            stiffness[0][4] = 0.1 * off;
            stiffness[4][0] = if wrong == 0 { off } else { 0.1 * off };
            ForceKind::Bushing {
                first,
                second,
                stiffness,
                damping,
            }
        },
    );
    let torsion = (joint_name(), [positive(), positive(), number()]).prop_map(
        |(joint, [stiffness, damping, angle])| ForceKind::TorsionSpring {
            joint,
            stiffness,
            damping,
            angle,
        },
    );
    let control = (joint_name(), positive(), positive(), formula(time_leaf())).prop_map(
        |(joint, proportional, derivative, target)| ForceKind::PdControl {
            joint,
            proportional,
            derivative,
            target,
        },
    );
    let actuator = (joint_name(), formula(leaf()))
        .prop_map(|(joint, effort)| ForceKind::Actuator { joint, effort });
    prop_oneof![6 => spring, 3 => load, 2 => bushing, 1 => torsion, 1 => control, 1 => actuator]
        .boxed()
}

fn force() -> BoxedStrategy<Force> {
    force_kind()
        .prop_map(|kind| Force {
            name: String::new(),
            kind,
        })
        .boxed()
}

/// Gives the first body on `Rn` modal coordinates, mostly of the right number.
fn add_modes(description: &mut Description, parts: usize, wrong: bool, x: f64, force: &Formula) {
    let modes = description.bodies.iter().find_map(|body| match body.group {
        GroupKind::Rn(n @ 1..=60) => Some((body.name.clone(), n)),
        _ => None,
    });
    let Some((body, n)) = modes else { return };
    let n = if wrong { n + 1 } else { n };
    if parts > 0 {
        description.mass_matrices.push(MassMatrix {
            body: body.clone(),
            matrix: tridiagonal(n, x),
        });
    }
    if parts > 1 {
        let (name, body) = ("modal spring".to_owned(), body.clone());
        let kind = ForceKind::ModalSpring {
            body,
            stiffness: tridiagonal(n, x),
            damping: Vec::new(),
        };
        description.forces.push(Force { name, kind });
    }
    if parts > 2 {
        let name = "modal load".to_owned();
        let force = vec![force.clone(); n];
        let kind = ForceKind::ModalLoad { body, force };
        description.forces.push(Force { name, kind });
    }
}

pub(super) fn description() -> BoxedStrategy<Description> {
    let named = |i: usize| {
        prop_oneof![100 => Just(format!("body {i}")), 1 => "[a-z ]{0,2}"].prop_flat_map(body)
    };
    let bodies = prop_oneof![
        40 => (named(0), named(1), named(2)).prop_map(|(a, b, c)| vec![a, b, c]),
        1 => proptest::collection::vec(named(0), 0..3),
    ];
    let joints = proptest::collection::vec(joint(), 0..4);
    let forces = proptest::collection::vec(force(), 0..3);
    let redundant = prop_oneof![2 => Just(Redundancy::Reject), 1 => Just(Redundancy::Allow)];
    let modes = (0..4_usize, 0..20_usize, positive(), formula(leaf()));
    (vector(), bodies, joints, forces, redundant, modes)
        .prop_map(
            |(gravity, bodies, mut joints, mut forces, redundant, modes)| {
                for (i, joint) in joints.iter_mut().enumerate() {
                    joint.name = format!("joint {i}");
                }
                for (i, force) in forces.iter_mut().enumerate() {
                    force.name = format!("force {i}");
                }
                let mut description = Description {
                    name: "random".to_owned(),
                    gravity,
                    bodies,
                    joints,
                    forces,
                    redundant,
                    ..Description::default()
                };
                let (parts, wrong, x, force) = modes;
                add_modes(&mut description, parts, wrong == 0, x, &force);
                description
            },
        )
        .boxed()
}
