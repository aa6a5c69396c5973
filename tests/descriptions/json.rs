//! Descriptions as text.

use super::rich;
use polhode::generic::description::{Description, Redundancy, Start};
use polhode::generic::{GenericSystem, InvalidDescription};
use polhode::half_explicit::HalfExplicit;
use polhode::lie::GroupKind;
use polhode::stepper::Method;
use polhode::system::{Bodies, Constrained, Manifold, Mechanics};
use polhode_models::{heavy_top, pendulum};
use polhode_tests::RIGID;

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
