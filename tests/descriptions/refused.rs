//! What is wrong is refused, with its name and its numbers.

use super::{reads, reads_joint, rich, spring};
use polhode::generic::description::{
    Attachment, Description, Force, ForceKind, Formula, JointKind, JointQuantity, LoadFrame,
    Motion, Start,
};
use polhode::generic::{GenericSystem, InvalidDescription};
use polhode::lie::GroupKind;
use polhode_models::pendulum;

/// Changes the rich description, and expects an error whose text has all the parts.
pub(super) fn refuse(parts: &[&str], change: impl FnOnce(&mut Description)) -> InvalidDescription {
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
pub(super) fn refuse_number(quantity: &str, value: f64, change: impl FnOnce(&mut Description)) {
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

/// What rounding of written digits may change, and what is a mistake: both sides of each limit.
#[test]
fn limits_of_rounding() {
    for off in [2e-6, -2e-6] {
        refuse_number("norm of the start rotation of body `top`", 1.0 + off, |d| {
            d.bodies[0].start.rotation = [1.0 + off, 0.0, 0.0, 0.0];
        });
        let mut description = rich();
        description.bodies[0].start.rotation = [1.0 + off / 4.0, 0.0, 0.0, 0.0];
        GenericSystem::new(description).unwrap();
    }
    let largest = rich().bodies[0]
        .inertia
        .as_flattened()
        .iter()
        .fold(0.0, |m: f64, x| m.max(*x));
    let asymmetry = 2e-12 * largest;
    refuse_number("asymmetry of the inertia of body `top`", asymmetry, |d| {
        d.bodies[0].inertia[0][2] = asymmetry;
    });
    let mut description = rich();
    description.bodies[0].inertia[0][2] = asymmetry / 4.0;
    GenericSystem::new(description).unwrap();
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
    refuse(&["joint `pivot`", "R5", "no place", "modal-load"], |d| {
        d.joints[0].second.body = "modes".to_owned();
    });
    refuse(&["joint `joint 1`", "R3", "no axes", "spherical"], |d| {
        d.bodies[0].group = GroupKind::Rn(3);
        d.bodies[0].start = Start::default();
    });
}

/// The force with this name.
pub(super) fn named<'a>(description: &'a mut Description, name: &str) -> &'a mut ForceKind {
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
    let error = refuse(&[item, "component 5", "`modes`"], with(reads("modes", 5)));
    assert!(matches!(error, InvalidDescription::Component { .. }));
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
