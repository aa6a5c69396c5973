use std::f64::consts::{FRAC_PI_2, PI, TAU};

use super::{axis, coincide, numbers, point};
use crate::example::{close, cross, dot, model};
use crate::model::{Joint, Model};

/// Two bodies that start anywhere.
const BODIES: &str = "
    #[body(mass = 1, inertia = [1, 1, 1])]
    #[start(position = [1, 2, 3], rotation = rx(0.3) * ry(-0.8))]
    a: Body<SE3>,
    #[body(mass = 1, inertia = [1, 1, 1])]
    #[start(position = [0.5, -1, 2], rotation = rz(1.1) * rx(0.4))]
    b: Body<S3xR3>,";

fn joined(joint: &str) -> Model {
    model("consts(D = [1, -2, 0.5])", &format!("{BODIES} {joint}"))
}

fn only(model: &Model) -> &Joint {
    &model.joints[0]
}

/// The angle about z from the first frame to the second, at the start.
fn angle(model: &Model) -> f64 {
    let joint = only(model);
    let x = axis(model, &joint.second, 0);
    let [cos, sin] = [0, 1].map(|i| dot(&axis(model, &joint.first, i), &x));
    sin.atan2(cos)
}

#[test]
fn frames_coincide_at_the_start_with_z_along_the_axis() {
    let norm = dot(&[1.0, -2.0, 0.5], &[1.0, -2.0, 0.5]).sqrt();
    let direction = [1.0, -2.0, 0.5].map(|x: f64| x / norm);
    for kind in [
        "Revolute",
        "Cylindrical",
        "Prismatic",
        "Planar",
        "Fixed",
        "PointOnLine",
    ] {
        for pair in ["a, b", "b, a", "ground, b", "a, ground"] {
            let what = format!("{kind} of {pair}");
            let model = joined(&format!("#[joint({pair}, axis = D)] j: {kind},"));
            let joint = only(&model);
            assert_eq!(joint.kind.name(), kind);
            coincide(&model, &joint.first, &joint.second, &what);
            let [x, y, z] = [0, 1, 2].map(|i| axis(&model, &joint.second, i));
            close(&z, &direction, 1e-15, &what);
            close(&cross(x, y), &z, 1e-15, &what);
            close(&[dot(&x, &x), dot(&y, &y)], &[1.0, 1.0], 1e-15, &what);
        }
    }
}

#[test]
fn an_axis_of_a_body_is_the_same_axis_in_space() {
    for (i, letter) in ["x", "y", "z"].iter().enumerate() {
        let of_body = joined(&format!("#[joint(a, b, axis = a.{letter})] j: Revolute,"));
        let unit: [f64; 3] = core::array::from_fn(|j| f64::from(u8::from(i == j)));
        close(&only(&of_body).first.axes[2], &unit, 1e-15, letter);
        let [x, y, z] = axis(&of_body, &only(&of_body).first, 2);
        let axis = format!("world([{x:?}, {y:?}, {z:?}])");
        let in_space = joined(&format!("#[joint(a, b, axis = {axis})] j: Revolute,"));
        let axes = |model: &Model| [only(model).first.axes, only(model).second.axes];
        let [found, expected] = [&in_space, &of_body].map(|model| axes(model).concat().concat());
        close(&found, &expected, 1e-14, letter);
    }
}

#[test]
fn points_in_space_are_converted_to_those_of_the_bodies() {
    let model = joined("#[joint(a, b, at = world([4, 5, 6]))] j: Spherical,");
    let joint = only(&model);
    for at in [&joint.first, &joint.second] {
        close(&point(&model, at), &[4.0, 5.0, 6.0], 1e-15, "world");
    }
    assert_ne!(numbers(&joint.first.point), [4.0, 5.0, 6.0]);
    let model = joined("#[joint(ground, b at [1, 2, 3], at = world(D))] j: Spherical,");
    let joint = only(&model);
    assert!(joint.first.body.is_none());
    assert_eq!(numbers(&joint.first.point), [1.0, -2.0, 0.5]);
    // A point of its own comes first.
    assert_eq!(numbers(&joint.second.point), [1.0, 2.0, 3.0]);
    let model = joined("#[joint(ground, b)] j: Spherical,");
    assert_eq!(numbers(&only(&model).second.point), [0.0; 3]);
}

#[test]
fn a_cross_has_an_arm_in_each_body() {
    for arms in ["a.y, b.x", "b.x, a.y"] {
        let model = joined(&format!("#[joint(a, b, cross = ({arms}))] j: Universal,"));
        let joint = only(&model);
        assert_eq!(joint.kind.name(), "Universal");
        close(&joint.first.axes[0], &[0.0, 1.0, 0.0], 1e-15, arms);
        close(&joint.second.axes[1], &[1.0, 0.0, 0.0], 1e-15, arms);
        for side in [&joint.first, &joint.second] {
            let [x, y, z] = side.axes;
            close(&cross(x, y), &z, 1e-15, arms);
        }
    }
    let model = joined("#[joint(a, b, cross = (2 * x, D))] j: Universal,");
    close(
        &axis(&model, &only(&model).first, 0),
        &[1.0, 0.0, 0.0],
        1e-15,
        "space",
    );
}

#[test]
fn a_joint_starts_with_its_declared_angle() {
    for declared in [0.0, 0.4, -2.0, FRAC_PI_2] {
        let model = joined(&format!(
            "#[joint(a, b, axis = D, angle = {declared:?})] j: Revolute,"
        ));
        close(&[angle(&model)], &[declared], 1e-14, "angle");
        let [x, y, z] = only(&model).first.axes;
        close(&cross(x, y), &z, 1e-15, "the first frame");
        assert_eq!(only(&model).start_angle, Some(declared));
        // Nothing reads it.
        assert_eq!(only(&model).angle, None);
    }
}

#[test]
fn drivers_start_where_their_function_does() {
    let model = joined("#[joint(a, b, axis = D, angle = 0.7 * cos(2 * t))] j: Driver,");
    assert_eq!(only(&model).kind.name(), "Driver");
    close(&[angle(&model)], &[0.7], 1e-14, "driver");
    assert!(only(&model).turn.is_zero());
    // Where the start is not known yet, the frames are those without it.
    let model = joined(
        "#[joint(a, b, axis = D, angle = p + t)] j: Driver, #[param(default = 0.7)] p: f64,",
    );
    close(&[angle(&model)], &[0.0], 1e-14, "late driver");
    assert_eq!(model.by_default(&only(&model).turn), Some(0.7));
    for motion in ["displacement", "distance"] {
        let model = joined(&format!(
            "#[joint(a, b, axis = D, {motion} = 2 + t)] j: Driver,"
        ));
        coincide(&model, &only(&model).first, &only(&model).second, motion);
    }
}

#[test]
fn angles_that_forces_read_are_components_of_the_configuration() {
    let hinges =
        "#[joint(ground, a, axis = D)] i: Revolute, #[joint(a, b, axis = x)] j: Cylindrical,";
    let angles = |more: &str| -> Vec<Option<usize>> {
        let model = joined(&format!("{hinges} {more}"));
        let angles: Vec<_> = model.joints.iter().map(|joint| joint.angle).collect();
        let read = angles.iter().flatten().count();
        assert_eq!(model.config_len(), 12 + 7 + read, "{more}");
        angles
    };
    assert_eq!(angles(""), [None, None]);
    assert_eq!(
        angles("#[force(i, stiffness = 1)] f: TorsionSpring,"),
        [Some(19), None]
    );
    assert_eq!(
        angles("#[force(j, p = 1, d = 1, target = 0)] f: PdControl,"),
        [None, Some(19)]
    );
    let both =
        "#[force(j, stiffness = 1)] f: TorsionSpring, #[force(i, effort = i.angle)] h: Actuator,";
    assert_eq!(angles(both), [Some(19), Some(20)]);
    // Rates, displacements and efforts do not need it.
    assert_eq!(
        angles("#[force(j, effort = j.displacement + i.angle_rate)] f: Actuator,"),
        [None, None]
    );
    assert_eq!(
        angles("#[force(a, force = j.angle * x)] f: Load,"),
        [None, Some(19)]
    );
}

#[test]
fn an_angle_on_another_turn_is_kept() {
    let tracked = |angle: f64| {
        let model = joined(&format!(
            "#[joint(a, b, axis = D, angle = {angle:?})] j: Revolute,"
        ));
        only(&model).angle
    };
    assert_eq!(tracked(PI), None);
    assert_eq!(tracked(TAU + 0.1), Some(19));
    assert_eq!(tracked(-4.0), Some(19));
}
