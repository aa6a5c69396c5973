//! Descriptions: what can be written to JSON can be read back, what is wrong is refused by name,
//! and nothing that is accepted panics.

#![expect(clippy::float_cmp, reason = "numbers that must be exact")]

use polhode::error::SolveError;
use polhode::generalized_alpha::GeneralizedAlpha;
use polhode::generic::description::{
    Attachment, Body, BodyQuantity, Description, Force, ForceKind, Formula, Function, Joint,
    JointKind, JointQuantity, LoadFrame, Motion, Redundancy, Start,
};
use polhode::generic::{GenericSystem, InvalidDescription, LinearMethod};
use polhode::half_explicit::HalfExplicit;
use polhode::lie::GroupKind;
use polhode::state::State;
use polhode::stats::Stats;
use polhode::stepper::{Method, Stepper};
use polhode::system::{Scratch, Stage, System};
use polhode_models::{heavy_top, pendulum};
use polhode_tests::RIGID;
use proptest::prelude::*;

fn spring(first: &str, second: &str) -> Force {
    Force {
        name: "spring".to_owned(),
        kind: ForceKind::SpringDamper {
            first: Attachment::at(first, [0.1, 0.2, 0.3]),
            second: Attachment::at(second, [0.0; 3]),
            stiffness: 100.0,
            damping: 0.1 + 0.2,
            length: 0.5,
        },
    }
}

/// `sin(2 t) + atan2(t, 3) - |t| / 7`, and a branch.
fn of_time() -> Formula {
    let number = |x: f64| Box::new(Formula::Number(x));
    let time = || Box::new(Formula::Time);
    let wave = Formula::Call(Function::Sin, Box::new(Formula::Mul(number(2.0), time())));
    let sum = Formula::Add(
        Box::new(wave),
        Box::new(Formula::Atan2(time(), number(3.0))),
    );
    let size = Formula::Call(Function::Abs, time());
    Formula::Select {
        left: time(),
        right: number(0.1),
        below: Box::new(Formula::Sub(
            Box::new(sum),
            Box::new(Formula::Div(Box::new(size), number(7.0))),
        )),
        otherwise: Box::new(Formula::Neg(time())),
    }
}

fn reads(body: &str, axis: usize) -> Formula {
    Formula::Body {
        body: body.to_owned(),
        quantity: BodyQuantity::Velocity,
        axis,
    }
}

fn reads_joint(joint: &str, quantity: JointQuantity) -> Formula {
    Formula::Joint {
        joint: joint.to_owned(),
        quantity,
    }
}

/// Diagonal.
fn six(x: f64) -> [[f64; 6]; 6] {
    core::array::from_fn(|i| core::array::from_fn(|j| if i == j { x } else { 0.0 }))
}

/// One of each force, after the spring.
fn forces() -> Vec<Force> {
    let kinds = [
        ForceKind::Load {
            at: Attachment::at("top", [0.0, 0.1, 0.0]),
            force: [reads("other", 2), of_time(), Formula::Number(1.0 / 3.0)],
            torque: [
                0.0.into(),
                reads_joint("joint 1", JointQuantity::Angle),
                0.0.into(),
            ],
            frame: LoadFrame::Body,
        },
        ForceKind::Bushing {
            first: Attachment::at("top", [0.0; 3]),
            second: Attachment::at("other", [0.0; 3]),
            stiffness: six(100.0),
            damping: six(0.1),
        },
        ForceKind::TorsionSpring {
            joint: "joint 2".to_owned(),
            stiffness: 3.0,
            damping: 0.1,
            angle: -0.2,
        },
        ForceKind::PdControl {
            joint: "joint 3".to_owned(),
            proportional: 10.0,
            derivative: 1.0,
            target: of_time(),
        },
        ForceKind::Actuator {
            joint: "joint 1".to_owned(),
            effort: reads_joint("joint 2", JointQuantity::DisplacementRate),
        },
    ];
    let names = ["load", "bushing", "torsion", "control", "actuator"];
    names
        .into_iter()
        .zip(kinds)
        .map(|(name, kind)| Force {
            name: name.to_owned(),
            kind,
        })
        .collect()
}

/// A description that uses everything.
fn rich() -> Description {
    let mut description = heavy_top::constrained(GroupKind::SE3);
    let mut other = description.bodies[0].clone();
    "other".clone_into(&mut other.name);
    other.group = GroupKind::S3sR3;
    other.center = [0.0, 0.1, 1e-300];
    other.start.rotation = [0.5, 0.5, -0.5, 0.5];
    description.bodies.push(other);
    let mut modes = description.bodies[0].clone();
    "modes".clone_into(&mut modes.name);
    modes.group = GroupKind::Rn(5);
    modes.start = Start {
        position: vec![0.1; 5],
        ..Start::default()
    };
    description.bodies.push(modes);
    let kinds = [
        JointKind::Spherical,
        JointKind::Revolute,
        JointKind::Cylindrical,
        JointKind::Prismatic,
        JointKind::Universal,
        JointKind::Planar,
        JointKind::Fixed,
        JointKind::PointOnLine,
        JointKind::Distance { length: 0.7 },
        JointKind::Driver {
            motion: Motion::Angle,
            value: of_time(),
        },
    ];
    for (i, kind) in kinds.into_iter().enumerate() {
        description.joints.push(Joint {
            name: format!("joint {i}"),
            kind,
            first: Attachment::at("top", [1.0 / 3.0, 0.0, -2.5e-7]),
            second: Attachment {
                axes: [[0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 1.0]],
                ..Attachment::at("other", [0.0; 3])
            },
        });
    }
    description.forces.push(spring("ground", "other"));
    description.forces.extend(forces());
    description.redundant = Redundancy::Allow;
    description
}

/// The same numbers to the last bit, and the same system.
#[test]
fn json_round_trip() {
    let groups = RIGID.map(|(group, _)| heavy_top::constrained(group));
    let others = [
        heavy_top::free(GroupKind::SO3),
        pendulum::pendulum(0.2),
        rich(),
    ];
    for description in groups.into_iter().chain(others) {
        let text = serde_json::to_string_pretty(&description).unwrap();
        let read: Description = serde_json::from_str(&text).unwrap();
        assert_eq!(read, description, "{text}");
        let system = GenericSystem::from_json(&text).unwrap();
        assert_eq!(system.description(), &description);
        let direct = GenericSystem::new(description).unwrap();
        assert_eq!(system.start_config(), direct.start_config());
        assert_eq!(system.start_velocity(), direct.start_velocity());
        assert_eq!(system.constraint_count(), direct.constraint_count());
    }
}

/// What a file may leave out has its documented default.
#[test]
fn json_defaults() {
    let text = r#"{ "name": "ball", "bodies": [{ "name": "ball", "group": "R3", "mass": 2 }] }"#;
    let system = GenericSystem::from_json(text).unwrap();
    let description = system.description();
    assert_eq!(description.gravity, [0.0; 3]);
    assert_eq!(description.bodies[0].start, Start::default());
    assert_eq!(system.start_config().as_ref(), [0.0; 3]);
    assert_eq!(system.constraint_count(), 0);
}

/// Text that is no description: the place and the word are in the error.
#[test]
fn json_errors() {
    let body = r#""name": "a", "group": "SE3", "mass": 1"#;
    let cases = [
        ("", "EOF"),
        ("{", "EOF"),
        ("[]", "line 1"),
        (r#"{ "name": "x" }"#, "missing field `bodies`"),
        (
            r#"{ "name": "x", "bodies": [], "bodys": [] }"#,
            "unknown field `bodys`",
        ),
        (
            r#"{ "name": "x", "bodies": [{ "name": "a", "group": "SO4", "mass": 1 }] }"#,
            "`SO4`",
        ),
        (
            r#"{ "name": "x", "bodies": [{ "name": "a", "group": "R-1", "mass": 1 }] }"#,
            "`R-1`",
        ),
        (
            &format!(r#"{{ "name": "x", "bodies": [{{ {body}, "center": [1, 2] }}] }}"#),
            "length 2",
        ),
        (
            &format!(r#"{{ "name": "x", "bodies": [{{ {body}, "mass": 2 }}] }}"#),
            "duplicate field",
        ),
        (
            &format!(r#"{{ "name": "x", "gravity": [0, 0, NaN], "bodies": [{{ {body} }}] }}"#),
            "line 1",
        ),
        (
            &format!(r#"{{ "name": "x", "gravity": [0, 0, 1e400], "bodies": [{{ {body} }}] }}"#),
            "out of range",
        ),
    ];
    for (text, part) in cases {
        match GenericSystem::from_json(text) {
            Err(InvalidDescription::Syntax { message }) => {
                assert!(message.contains(part), "no `{part}` in `{message}`");
            }
            other => panic!("{text}: {other:?}"),
        }
    }
}

/// Changes the rich description, and expects an error whose text has all the parts.
fn refuse(parts: &[&str], change: impl FnOnce(&mut Description)) -> InvalidDescription {
    let mut description = rich();
    change(&mut description);
    let Err(error) = GenericSystem::new(description) else {
        panic!("accepted, but {parts:?}");
    };
    let text = error.to_string();
    for part in parts {
        assert!(text.contains(part), "no `{part}` in `{text}`");
    }
    error
}

/// Refuses a number of a body, by name, quantity and value.
fn refuse_number(quantity: &str, value: f64, change: impl FnOnce(&mut Description)) {
    let error = refuse(&[quantity, &value.to_string(), "`"], change);
    assert!(
        matches!(error, InvalidDescription::Number { .. }),
        "{error}"
    );
}

fn spring_of(description: &mut Description) -> [&mut f64; 3] {
    let ForceKind::SpringDamper {
        stiffness,
        damping,
        length,
        ..
    } = &mut description.forces[0].kind
    else {
        panic!("the first force is a spring");
    };
    [stiffness, damping, length]
}

#[test]
fn numbers() {
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        refuse(&["gravity", &bad.to_string()], |d| d.gravity[1] = bad);
        refuse_number("mass", bad, |d| d.bodies[1].mass = bad);
        refuse_number("inertia", bad, |d| d.bodies[1].inertia[0][1] = bad);
        refuse_number("center", bad, |d| d.bodies[1].center[0] = bad);
        refuse_number("start position", bad, |d| {
            d.bodies[1].start.position[2] = bad;
        });
        refuse_number("start velocity", bad, |d| {
            d.bodies[1].start.velocity[2] = bad;
        });
        refuse_number("start rotation", bad, |d| {
            d.bodies[1].start.rotation[3] = bad;
        });
        refuse_number("start angular velocity", bad, |d| {
            d.bodies[1].start.angular_velocity[0] = bad;
        });
        refuse_number("point", bad, |d| d.joints[3].first.point[0] = bad);
        refuse_number("axes", bad, |d| d.joints[3].second.axes[0][0] = bad);
        for i in 0..3 {
            let quantity = ["stiffness", "damping", "length"][i];
            refuse_number(quantity, bad, |d| *spring_of(d)[i] = bad);
        }
        refuse_number("length", bad, |d| {
            d.joints[9].kind = JointKind::Distance { length: bad }
        });
    }
    for mass in [0.0, -1.0] {
        refuse_number("mass of body `other`", mass, |d| d.bodies[1].mass = mass);
    }
    for length in [0.0, -0.5] {
        refuse_number("length of joint `joint 8`", length, |d| {
            d.joints[9].kind = JointKind::Distance { length };
        });
    }
    for i in 0..3 {
        refuse_number("force `spring`", -1.0, |d| *spring_of(d)[i] = -1.0);
    }
    refuse_number("smallest principal inertia of body `other`", -2.0, |d| {
        d.bodies[1].inertia = [[1.0, 0.0, 0.0], [0.0, -2.0, 0.0], [0.0, 0.0, 3.0]];
    });
    refuse_number("smallest principal inertia of body `top`", 0.0, |d| {
        d.bodies[0].inertia = [[0.0; 3]; 3];
    });
    refuse_number("asymmetry of the inertia of body `top`", 0.25, |d| {
        d.bodies[0].inertia[0][2] = 0.25;
    });
    refuse_number("norm of the start rotation of body `top`", 2.0, |d| {
        d.bodies[0].start.rotation = [0.0, 2.0, 0.0, 0.0];
    });
    refuse_number("norm of the start rotation of body `top`", 0.0, |d| {
        d.bodies[0].start.rotation = [0.0; 4];
    });
    for axes in [
        [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.5]],
        [[1.0, 0.0, 0.0], [0.5, 1.0, 0.0], [0.0, 0.0, 1.0]],
        [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, -1.0]],
        [[0.0; 3]; 3],
    ] {
        let parts = ["orthonormality of joint `joint 4`", "right-handed"];
        refuse(&parts, |d| d.joints[5].second.axes = axes);
    }
}

#[test]
fn names() {
    refuse(&["no bodies"], |d| d.bodies.clear());
    for (item, name, problem) in [
        ("body", "", "empty"),
        ("body", "top", "used twice"),
        ("body", "ground", "reserved"),
    ] {
        let error = refuse(&[item, &format!("`{name}`"), problem], |d| {
            d.bodies[1].name = name.to_owned();
        });
        assert!(matches!(error, InvalidDescription::Name { .. }), "{error}");
    }
    refuse(&["joint", "``", "empty"], |d| d.joints[2].name.clear());
    refuse(&["joint", "`pivot`", "used twice"], |d| {
        d.joints[2].name = "pivot".to_owned();
    });
    refuse(&["force", "``", "empty"], |d| d.forces[0].name.clear());
    refuse(&["force", "`spring`", "used twice"], |d| {
        d.forces.push(spring("ground", "top"));
    });
    // The same name for different things is no problem.
    let mut same = rich();
    same.joints[0].name = "top".to_owned();
    same.forces[0].name = "top".to_owned();
    assert!(GenericSystem::new(same).is_ok());
}

#[test]
fn connections() {
    let error = refuse(&["joint `pivot`", "`tpo`", "did you mean `top`?"], |d| {
        d.joints[0].second.body = "tpo".to_owned();
    });
    assert!(
        matches!(&error, InvalidDescription::UnknownBody { nearest: Some(name), .. } if name == "top"),
        "{error}"
    );
    let error = refuse(&["joint `pivot`", "`elephant`"], |d| {
        d.joints[0].first.body = "elephant".to_owned();
    });
    assert!(
        matches!(
            &error,
            InvalidDescription::UnknownBody { nearest: None, .. }
        ),
        "{error}"
    );
    refuse(
        &["force `spring`", "`othre`", "did you mean `other`?"],
        |d| {
            d.forces = vec![spring("ground", "othre")];
        },
    );
    for name in ["top", "ground"] {
        let error = refuse(
            &["joint `joint 2`", &format!("`{name}` with itself")],
            |d| {
                d.joints[3].first.body = name.to_owned();
                d.joints[3].second.body = name.to_owned();
            },
        );
        assert!(
            matches!(error, InvalidDescription::SelfConnection { .. }),
            "{error}"
        );
    }
    refuse(&["force `spring`", "`top` with itself"], |d| {
        d.forces = vec![spring("top", "top")];
    });
    let error = refuse(&["force `spring`", "coincide"], |d| {
        d.forces = vec![spring("ground", "top")];
        d.bodies[0].start.position = vec![0.1, 0.2, 0.3];
    });
    assert!(
        matches!(error, InvalidDescription::Coincident { .. }),
        "{error}"
    );
}

#[test]
fn groups_and_sizes() {
    for (found, change) in [(2, vec![0.0; 2]), (4, vec![0.0; 4])] {
        for (body, expected) in [(0, 3), (2, 5)] {
            let parts = [
                &format!("{found} components instead of {expected}"),
                ["body `top`", "", "body `modes`"][body],
            ];
            let (position, velocity) = (change.clone(), change.clone());
            refuse(&parts, |d| d.bodies[body].start.position = position);
            let error = refuse(&parts, |d| d.bodies[body].start.velocity = velocity);
            assert!(
                matches!(error, InvalidDescription::Length { .. }),
                "{error}"
            );
        }
    }
    let error = refuse(&["body `top`", "SO3xR3", "centre of mass", "SE3"], |d| {
        d.bodies[0].group = GroupKind::SO3xR3;
        d.bodies[0].center = [0.0, 0.1, 0.0];
    });
    assert!(matches!(error, InvalidDescription::Group { .. }), "{error}");
    refuse(&["body `top`", "S3xR3"], |d| {
        d.bodies[0].group = GroupKind::S3xR3;
        d.bodies[0].center = [0.1, 0.0, 0.0];
    });
    refuse(&["body `top`", "S3", "fixed"], |d| {
        d.bodies[0].group = GroupKind::S3;
    });
    refuse(&["body `modes`", "R5", "rotate"], |d| {
        d.bodies[2].start.angular_velocity[0] = 1.0;
    });
    refuse(&["body `modes`", "R5", "rotate"], |d| {
        d.bodies[2].start.rotation = [0.0, 1.0, 0.0, 0.0];
    });
    refuse(&["body `modes`", "R5", "centre"], |d| {
        d.bodies[2].center[0] = 1.0;
    });
    refuse(&["body `modes`", "R0"], |d| {
        d.bodies[2].group = GroupKind::Rn(0);
        d.bodies[2].start = Start::default();
    });
    for huge in [1001, 1 << 32, usize::MAX] {
        let error = refuse(&["body `modes`", &format!("R{huge}"), "1000"], |d| {
            d.bodies[2].group = GroupKind::Rn(huge);
            d.bodies[2].start = Start::default();
        });
        assert!(matches!(error, InvalidDescription::Group { .. }), "{error}");
    }
    refuse(&["joint `pivot`", "R5", "no place"], |d| {
        d.joints[0].second.body = "modes".to_owned();
    });
    refuse(&["joint `joint 1`", "R3", "no axes", "spherical"], |d| {
        d.bodies[0].group = GroupKind::Rn(3);
        d.bodies[0].start = Start::default();
    });
}

/// The force with this name.
fn named<'a>(description: &'a mut Description, name: &str) -> &'a mut ForceKind {
    let found = description
        .forces
        .iter_mut()
        .find(|force| force.name == name);
    &mut found.unwrap().kind
}

/// Forces along joints: the joint, its coordinate, the gains.
#[test]
fn efforts() {
    for (name, wrong, right) in [
        ("torsion", "joint 22", "joint 2"),
        ("control", "joimt 3", "joint 3"),
        ("actuator", "jont 1", "joint 1"),
    ] {
        let item = format!("force `{name}`");
        let set = |joint: &str| {
            let joint = joint.to_owned();
            move |d: &mut Description| match named(d, name) {
                ForceKind::TorsionSpring { joint: x, .. }
                | ForceKind::PdControl { joint: x, .. }
                | ForceKind::Actuator { joint: x, .. } => *x = joint,
                _ => panic!("an effort"),
            }
        };
        let error = refuse(&[&item, "unknown joint", wrong, "did you mean"], set(wrong));
        assert!(
            matches!(&error, InvalidDescription::UnknownJoint { nearest: Some(x), .. } if x.starts_with("joint") && right.starts_with("joint")),
            "{error}"
        );
        refuse(&[&item, "unknown joint `elephant`"], set("elephant"));
        // Spherical.
        let error = refuse(
            &[&item, "`pivot`", "which has none", "revolute"],
            set("pivot"),
        );
        assert!(
            matches!(error, InvalidDescription::NoCoordinate { .. }),
            "{error}"
        );
    }
    // Prismatic joints have no angle, but an actuator may push along them.
    refuse(&["force `torsion`", "angle", "`joint 3`"], |d| {
        if let ForceKind::TorsionSpring { joint, .. } = named(d, "torsion") {
            "joint 3".clone_into(joint);
        }
    });
    for bad in [-1.0, f64::NAN, f64::INFINITY] {
        refuse_number("stiffness of force `torsion`", bad, |d| {
            if let ForceKind::TorsionSpring { stiffness, .. } = named(d, "torsion") {
                *stiffness = bad;
            }
        });
        refuse_number("damping of force `torsion`", bad, |d| {
            if let ForceKind::TorsionSpring { damping, .. } = named(d, "torsion") {
                *damping = bad;
            }
        });
        refuse_number("proportional gain of force `control`", bad, |d| {
            if let ForceKind::PdControl { proportional, .. } = named(d, "control") {
                *proportional = bad;
            }
        });
        refuse_number("derivative gain of force `control`", bad, |d| {
            if let ForceKind::PdControl { derivative, .. } = named(d, "control") {
                *derivative = bad;
            }
        });
    }
    refuse_number("angle of force `torsion`", f64::NAN, |d| {
        if let ForceKind::TorsionSpring { angle, .. } = named(d, "torsion") {
            *angle = f64::NAN;
        }
    });
}

#[test]
fn bushings_and_loads() {
    let change = |stiff: fn(&mut [[f64; 6]; 6]), loss: fn(&mut [[f64; 6]; 6])| {
        move |d: &mut Description| {
            if let ForceKind::Bushing {
                stiffness, damping, ..
            } = named(d, "bushing")
            {
                stiff(stiffness);
                loss(damping);
            }
        }
    };
    let same = |_: &mut [[f64; 6]; 6]| {};
    let item = "force `bushing`";
    refuse(
        &["asymmetry of the stiffness", item, "0.5"],
        change(|k| k[0][4] += 0.5, same),
    );
    refuse(
        &["smallest principal stiffness", item, "-1"],
        change(|k| k[3][3] = -1.0, same),
    );
    refuse(
        &["smallest principal damping", item, "-2"],
        change(same, |d| d[1][1] = -2.0),
    );
    refuse(
        &["stiffness", item, "NaN"],
        change(|k| k[5][0] = f64::NAN, same),
    );
    refuse(
        &["damping", item, "inf"],
        change(same, |d| d[5][0] = f64::INFINITY),
    );
    // A damping that is not symmetric may be meant.
    let mut skew = rich();
    change(same, |d| (d[0][1], d[1][0]) = (0.05, -0.05))(&mut skew);
    assert!(GenericSystem::new(skew).is_ok());

    let load = |body: &str, torque: f64| {
        let body = body.to_owned();
        move |d: &mut Description| {
            d.forces = vec![Force {
                name: "load".to_owned(),
                kind: ForceKind::Load {
                    at: Attachment::at(&body, [0.0; 3]),
                    force: [1.0.into(), 0.0.into(), 0.0.into()],
                    torque: [torque.into(), 0.0.into(), 0.0.into()],
                    frame: LoadFrame::World,
                },
            }];
        }
    };
    refuse(
        &["force `load`", "unknown body `ground`"],
        load("ground", 0.0),
    );
    refuse(
        &["force `load`", "`othr`", "did you mean `other`?"],
        load("othr", 0.0),
    );
    refuse(&["force `load`", "R5", "no place"], load("modes", 0.0));
    let mut point = pendulum::pendulum(0.2);
    let bob = point.bodies[0].name.clone();
    load(&bob, 0.0)(&mut point);
    assert!(GenericSystem::new(point.clone()).is_ok());
    load(&bob, 1.0)(&mut point);
    let error = GenericSystem::new(point).unwrap_err().to_string();
    assert!(error.contains("torque on a point"), "{error}");
}

/// What a formula must not read, and what it must not be.
#[test]
fn formulas() {
    let with = |formula: Formula| {
        move |d: &mut Description| {
            if let ForceKind::Load { force, .. } = named(d, "load") {
                // Deep inside.
                force[1] = Formula::Add(Box::new(Formula::Time), Box::new(formula));
            }
        }
    };
    let item = "force `load`";
    refuse(
        &[item, "unknown body `tpo`", "`top`?"],
        with(reads("tpo", 0)),
    );
    let error = refuse(&[item, "axis 3", "`top`"], with(reads("top", 3)));
    assert!(matches!(error, InvalidDescription::Axis { axis: 3, .. }));
    refuse(&[item, "R5"], with(reads("modes", 0)));
    refuse(
        &[item, "unknown joint `joint 77`"],
        with(reads_joint("joint 77", JointQuantity::Angle)),
    );
    refuse(
        &[item, "displacement of joint `joint 1`", "prismatic"],
        with(reads_joint("joint 1", JointQuantity::DisplacementRate)),
    );
    refuse(
        &[item, "angle of joint `joint 3`", "revolute"],
        with(reads_joint("joint 3", JointQuantity::AngleRate)),
    );
    for bad in [f64::NAN, f64::INFINITY] {
        refuse_number("number in a formula", bad, with(bad.into()));
    }
    let mut deep = Formula::Time;
    for _ in 0..1000 {
        deep = Formula::Neg(Box::new(deep));
    }
    let error = refuse(&[item, "500 levels"], with(deep));
    assert!(matches!(error, InvalidDescription::Depth { .. }), "{error}");

    // Of time alone.
    let error = refuse(
        &["target of force `control`", "formula of time", "body `top`"],
        |d| {
            if let ForceKind::PdControl { target, .. } = named(d, "control") {
                *target = reads("top", 0);
            }
        },
    );
    assert!(
        matches!(error, InvalidDescription::NotOfTime { .. }),
        "{error}"
    );
    let driver = |motion, value: Formula| {
        move |d: &mut Description| {
            d.joints[10].kind = JointKind::Driver { motion, value };
        }
    };
    let own = reads_joint("joint 1", JointQuantity::Angle);
    refuse(
        &[
            "value of joint `joint 9`",
            "formula of time",
            "joint `joint 1`",
        ],
        driver(Motion::Distance, own),
    );
    refuse_number(
        "number in a formula",
        f64::NAN,
        driver(Motion::Angle, f64::NAN.into()),
    );
    // A point has no axes for an angle, but a place.
    let point = |motion| {
        let mut description = pendulum::pendulum(0.2);
        description.joints[0].kind = JointKind::Driver {
            motion,
            value: 1.0.into(),
        };
        GenericSystem::new(description)
    };
    assert!(matches!(
        point(Motion::Angle),
        Err(InvalidDescription::Group { .. })
    ));
    assert!(point(Motion::Displacement).is_ok() && point(Motion::Distance).is_ok());
}

/// The words of a file.
#[test]
fn json_of_forces_and_drivers() {
    let text = r#"{
        "name": "arm", "redundant": "allow",
        "bodies": [{ "name": "arm", "group": "SE3", "mass": 1,
                     "inertia": [[1, 0, 0], [0, 1, 0], [0, 0, 1]] }],
        "joints": [
            { "name": "hinge", "kind": "revolute",
              "first": { "body": "ground" }, "second": { "body": "arm" } },
            { "name": "motor",
              "kind": { "driver": { "motion": "angle", "value": { "mul": [{ "number": 2 }, "time"] } } },
              "first": { "body": "ground" }, "second": { "body": "arm" } }
        ],
        "forces": [
            { "name": "spring", "kind": { "torsion-spring": { "joint": "hinge", "stiffness": 2 } } },
            { "name": "friction", "kind": { "actuator": { "joint": "hinge", "effort": { "neg": {
                "call": ["tanh", { "joint": { "joint": "hinge", "quantity": "angle-rate" } }] } } } } },
            { "name": "wind", "kind": { "load": {
                "at": { "body": "arm", "point": [1, 0, 0] }, "frame": "world",
                "force": [{ "body": { "body": "arm", "quantity": "velocity", "axis": 0 } },
                          { "number": 0 }, { "number": 0 }],
                "torque": [{ "number": 0 }, { "number": 0 }, { "number": 0 }] } } }
        ] }"#;
    let system = GenericSystem::from_json(text).unwrap();
    assert_eq!(system.description().redundant, Redundancy::Allow);
    assert_eq!(system.constraint_count(), 6);
    assert_eq!(system.constraint_name(5), "joint `motor`, driven angle");
    assert_eq!(system.space().angles(), 12..13);
    let name = text.replace("\"allow\"", "\"yes\"");
    assert!(matches!(
        GenericSystem::from_json(&name),
        Err(InvalidDescription::Syntax { .. })
    ));
}

/// The largest dimension works.
#[test]
fn a_thousand_coordinates() {
    let text = r#"{ "name": "x", "bodies": [{ "name": "a", "group": "R1000", "mass": 1 }] }"#;
    let system = GenericSystem::from_json(text).unwrap();
    let run = HalfExplicit::order5()
        .simulate(&system, 0.0..=0.3)
        .step(0.1);
    assert_eq!(run.run().unwrap().stats().accepted, 3);
}

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

fn description() -> BoxedStrategy<Description> {
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
    (vector(), bodies, joints, forces, redundant)
        .prop_map(|(gravity, bodies, mut joints, mut forces, redundant)| {
            for (i, joint) in joints.iter_mut().enumerate() {
                joint.name = format!("joint {i}");
            }
            for (i, force) in forces.iter_mut().enumerate() {
                force.name = format!("force {i}");
            }
            Description {
                name: "random".to_owned(),
                gravity,
                bodies,
                joints,
                forces,
                redundant,
                ..Description::default()
            }
        })
        .boxed()
}

/// Three steps from the declared start, consistent or not. A step that is reported as good has
/// finite numbers.
fn three_steps<M: Method>(system: &GenericSystem, method: &M) -> Result<(), SolveError> {
    let mut state = State::start(system, 0.0);
    let mut stepper = method.stepper(system)?;
    stepper.start(system, &mut state, 1e-2)?;
    for _ in 0..3 {
        stepper.step(system, &mut state, 1e-2, &mut Stats::default())?;
        let State {
            q, v, vdot, lambda, ..
        } = &state;
        for x in [q, v, vdot, lambda].into_iter().flatten() {
            assert!(x.is_finite(), "{state:?}");
        }
    }
    Ok(())
}

/// Uses everything that a system offers, and returns how many of the runs went well.
fn exercise(description: &Description, linear: LinearMethod) -> Option<usize> {
    let system = match GenericSystem::with_method(description.clone(), linear) {
        Ok(system) => system,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return None;
        }
    };
    let state = State::start(&system, 0.0);
    let mut geometry = system.new_geometry();
    let (mut velocity, mut multiplier) = (system.new_velocity(), system.new_multiplier());
    if system.geometry(0.0, &state.q, &mut geometry).is_ok() {
        system.force(0.0, &geometry, &state.v, &mut velocity);
        system.constraint(0.0, &state.q, &geometry, &mut multiplier);
        let stage = Stage {
            t: 0.0,
            geometry: &geometry,
            v: &state.v,
        };
        let mut scratch = Scratch::new(&system);
        let result = system.accelerations(
            &stage,
            &state.q,
            &mut velocity,
            &mut multiplier,
            &mut scratch,
        );
        if let Err(fault) = result {
            assert!(!fault.to_string().is_empty());
        }
    }
    system.energy(0.0, &state.q, &state.v);
    system.momentum(&state.q, &state.v);
    let results = [
        three_steps(&system, &HalfExplicit::order5()),
        three_steps(&system, &GeneralizedAlpha::index3()),
        three_steps(
            &system,
            &GeneralizedAlpha::stabilized_index2().modified_newton(),
        ),
    ];
    for error in results.iter().filter_map(|result| result.as_ref().err()) {
        assert!(!error.to_string().is_empty());
    }
    // The time loop, with a projection and an automatic first step.
    let run = HalfExplicit::order5()
        .tolerances(1e-6, 1e-6)
        .simulate(&system, 0.0..=0.1);
    let run = run.initial_values(polhode::consistency::InitialValues::Project(1e-8));
    if let Err(failed) = run.max_steps(5).run() {
        assert!(!failed.to_string().is_empty());
    }
    Some(results.iter().filter(|result| result.is_ok()).count())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_descriptions_never_panic(description in description(), sparse in any::<bool>()) {
        let linear = if sparse { LinearMethod::Sparse } else { LinearMethod::Dense };
        exercise(&description, linear);
    }
}

/// The random descriptions are not all refused, and not all useless.
#[test]
fn random_descriptions_are_worth_it() {
    use proptest::strategy::ValueTree;
    use proptest::test_runner::TestRunner;
    let mut runner = TestRunner::deterministic();
    let strategy = description();
    let (mut accepted, mut good) = (0, 0);
    for _ in 0..1000 {
        let description = strategy.new_tree(&mut runner).unwrap().current();
        if let Some(runs) = exercise(&description, LinearMethod::Dense) {
            accepted += 1;
            good += runs;
        }
    }
    assert!(
        accepted > 200 && good > 200,
        "{accepted} accepted, {good} good runs"
    );
}
