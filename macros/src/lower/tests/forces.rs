use super::{coincide, numbers, point};
use crate::example::{close, model};
use crate::forces::Coefficient;
use crate::formula::Formula;
use crate::model::{ForceKind, Model};

const BODIES: &str = "
    #[body(mass = 1, inertia = [1, 1, 1])]
    #[start(position = [1, 2, 3], rotation = rx(0.3))]
    a: Body<SE3>,
    #[body(mass = 1)] #[start(position = [4, 5, 6])]
    b: Body<R3>,
    #[body(mass = [1, 2])] modes: Body<R2>,
    #[joint(ground, a, axis = x)] slide: Cylindrical,";

fn with(force: &str) -> Model {
    model("", &format!("{BODIES} {force}"))
}

fn kind(model: &Model) -> &ForceKind {
    &model.forces[0].kind
}

/// What a force of the table is given.
fn coefficients(model: &Model) -> &[Coefficient] {
    match kind(model) {
        ForceKind::Law { coefficients, .. } => coefficients,
        other => panic!("{other:?}"),
    }
}

/// The bodies that a force moves, and those that it reads.
fn bodies(force: &str) -> (Vec<usize>, Vec<usize>) {
    let model = with(force);
    let (moved, read) = model.forces[0].bodies(&model);
    (
        moved.iter().map(|id| id.0).collect(),
        read.iter().map(|id| id.0).collect(),
    )
}

#[test]
fn springs_have_points_and_defaults() {
    let model =
        with("#[force(a, b, at = world([7, 8, 9]), stiffness = 3, length = 2)] f: SpringDamper,");
    for at in kind(&model).attachments() {
        close(&point(&model, at), &[7.0, 8.0, 9.0], 1e-15, "place");
    }
    let [stiffness, damping, length] = coefficients(&model) else {
        panic!("{:?}", kind(&model));
    };
    let found = [stiffness, damping, length].map(|x| numbers(&x.entries));
    assert_eq!(found, [[3.0], [0.0], [2.0]]);
}

#[test]
fn loads_keep_their_direction_or_turn_with_the_body() {
    for (frame, expected) in [
        ("", false),
        (", frame = world", false),
        (", frame = body", true),
    ] {
        let model = with(&format!(
            "#[force(a at y, force = t * x, torque = [1, 2, 3]{frame})] f: Load,"
        ));
        let ForceKind::Load {
            at,
            force,
            torque,
            follower,
        } = kind(&model)
        else {
            panic!("{:?}", kind(&model));
        };
        assert_eq!(*follower, expected, "{frame}");
        assert_eq!(numbers(&at.point), [0.0, 1.0, 0.0]);
        assert_eq!(numbers(torque), [1.0, 2.0, 3.0]);
        assert!(force[0].value().is_none() && force[1].is_zero());
    }
}

#[test]
fn bushings_have_frames_and_matrices() {
    let read = |stiffness: &str| {
        let model = with(&format!(
            "#[force(ground, a, axis = y, stiffness = {stiffness})] f: Bushing,"
        ));
        let ([first, second], [stiffness, damping]) =
            (&kind(&model).attachments()[..], coefficients(&model))
        else {
            panic!("{:?}", kind(&model));
        };
        coincide(&model, first, second, "bushing");
        assert!(damping.entries.iter().all(Formula::is_zero));
        numbers(&stiffness.entries)
    };
    let mut expected = [0.0; 36];
    for i in 0..6_u8 {
        expected[7 * usize::from(i)] = f64::from(i + 1);
    }
    assert_eq!(read("[1, 2, 3, 4, 5, 6]"), expected);
    let rows = "[[1, 9, 0, 0, 0, 0], [9, 2, 0, 0, 0, 0], [0, 0, 3, 0, 0, 0],
        [0, 0, 0, 4, 0, 0], [0, 0, 0, 0, 5, 0], [0, 0, 0, 0, 0, 6]]";
    (expected[1], expected[6]) = (9.0, 9.0);
    assert_eq!(read(rows), expected);
}

#[test]
fn forces_on_joints_and_modes_name_them() {
    let check = |force: &str, joint: Option<usize>, modes: Option<usize>| {
        let model = with(force);
        let kind = kind(&model);
        assert_eq!(kind.joint().map(|id| id.0), joint, "{force}");
        assert_eq!(kind.modes().map(|id| id.0), modes, "{force}");
    };
    check(
        "#[force(slide, stiffness = 1, angle = 2)] f: TorsionSpring,",
        Some(0),
        None,
    );
    check(
        "#[force(slide, p = 1, d = 2, target = t)] f: PdControl,",
        Some(0),
        None,
    );
    check(
        "#[force(slide, effort = sin(t))] f: Actuator,",
        Some(0),
        None,
    );
    check(
        "#[force(modes, stiffness = [1, 2])] f: ModalSpring,",
        None,
        Some(2),
    );
    check("#[force(modes, force = [t, 0])] f: Load,", None, Some(2));
    check("#[force(a, force = x)] f: Load,", None, None);
}

#[test]
fn forces_know_which_bodies_they_move_and_read() {
    let check = |force: &str, moved: &[usize], read: &[usize]| {
        assert_eq!(bodies(force), (moved.to_vec(), read.to_vec()), "{force}");
    };
    check(
        "#[force(a, b, stiffness = 1, length = 1)] f: SpringDamper,",
        &[0, 1],
        &[0, 1],
    );
    check(
        "#[force(ground, b, stiffness = 1, length = 1)] f: SpringDamper,",
        &[1],
        &[1],
    );
    check("#[force(b, force = a.velocity)] f: Load,", &[1], &[0, 1]);
    check(
        "#[force(b, force = slide.angle * x)] f: Load,",
        &[1],
        &[0, 1],
    );
    check(
        "#[force(slide, effort = b.position.x)] f: Actuator,",
        &[0],
        &[0, 1],
    );
    check(
        "#[force(modes, force = b.position.x * [1, 2])] f: Load,",
        &[2],
        &[1, 2],
    );
}
