use std::f64::consts::{FRAC_PI_2, TAU};

use super::{Start, quaternion};
use crate::example::{close, cross, lowered, model, moved, random, rotated, rotation};
use crate::formula::Formula;
use crate::model::{Group, Model};

fn numbers(formulas: &[Formula]) -> Vec<f64> {
    formulas.iter().filter_map(Formula::value).collect()
}

/// A body on a group, a quarter turn about z away from the axes of space.
fn body(group: &str) -> Model {
    let rotates = !group.starts_with('R');
    let (inertia, turn) = if rotates {
        (
            ", inertia = [1, 1, 1]",
            ", rotation = rz(PI / 2), angular_velocity = [4, 5, 6]",
        )
    } else {
        ("", "")
    };
    let pinned = ["SO3", "S3"].contains(&group);
    let velocity = if pinned { "" } else { ", velocity = [7, 8, 9]" };
    model(
        "",
        &format!(
            "#[body(mass = 1{inertia}, free)] #[start(position = [1, 2, 3]{turn}{velocity})] a: Body<{group}>,"
        ),
    )
}

#[test]
fn starts_are_in_the_coordinates_of_the_groups() {
    let half = 0.5_f64.sqrt();
    let matrix = [0.0, -1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0];
    let quaternion = [half, 0.0, 0.0, half];
    let (place, spin, speed) = ([1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]);
    // x of the body is y of space.
    let own = [8.0, -7.0, 9.0];
    let check = |group: &str, q: &[f64], v: &[f64]| {
        let start = Start::new(&body(group));
        close(&numbers(&start.q), q, 1e-15, group);
        close(&numbers(&start.v), v, 1e-15, group);
        assert!(start.declared.iter().all(|declared| *declared), "{group}");
        assert_eq!(start.declared.len(), v.len(), "{group}");
    };
    check("SO3", &matrix, &spin);
    check("S3", &quaternion, &spin);
    check("R3", &place, &speed);
    check(
        "SO3xR3",
        &[&matrix[..], &place].concat(),
        &[spin, speed].concat(),
    );
    check(
        "S3xR3",
        &[&quaternion[..], &place].concat(),
        &[spin, speed].concat(),
    );
    check(
        "SE3",
        &[&matrix[..], &place].concat(),
        &[spin, own].concat(),
    );
    check(
        "S3sR3",
        &[&quaternion[..], &place].concat(),
        &[spin, own].concat(),
    );
}

#[test]
fn velocities_that_are_not_given_are_known_as_such() {
    let model = model(
        "",
        "#[body(mass = 1, inertia = [1, 1, 1], free)] #[start(velocity = x)] a: Body<SE3>,
         #[body(mass = 1, inertia = [1, 1, 1], free)] #[start(angular_velocity = y)] b: Body<S3xR3>,",
    );
    let start = Start::new(&model);
    let (no, yes) = ([false; 3], [true; 3]);
    assert_eq!(start.declared, [no, yes, yes, no].concat());
    let mut v = [0.0; 12];
    (v[3], v[7]) = (1.0, 1.0);
    assert_eq!(numbers(&start.v), v);
}

#[test]
fn angles_that_are_read_start_between_their_frames() {
    let angle = |declared: f64| {
        let model = model(
            "",
            &format!(
                "#[body(mass = 1, inertia = [1, 1, 1])] #[start(rotation = rx(0.3))] a: Body<SE3>,
                 #[joint(ground, a, axis = y, angle = {declared:?})] j: Revolute,
                 #[force(j, stiffness = 1)] f: TorsionSpring,"
            ),
        );
        numbers(&Start::new(&model).q)[12]
    };
    for declared in [0.0, 0.4, -FRAC_PI_2, 3.0, TAU + 0.4, -3.0 * TAU - 1.0] {
        close(&[angle(declared)], &[declared], 1e-14, "angle");
    }
}

#[test]
fn a_start_can_be_declared_again() {
    for (i, group) in ["SO3", "S3", "SO3xR3", "SE3", "S3xR3", "S3sR3", "R3"]
        .iter()
        .enumerate()
    {
        let model = body(group);
        let mut start = Start::new(&model);
        // Another start, in the coordinates of the group.
        let seed = u64::try_from(i).expect("small");
        let other = moved(model.bodies[0].group, &numbers(&start.q), &random(seed, 6));
        start.q = other.iter().copied().map(Formula::Number).collect();
        start.v = start
            .v
            .iter()
            .map(|v| v.mul(&Formula::Number(2.0)))
            .collect();
        let mut applied = start.applied_to(&model);
        if model.bodies[0].group.is_semidirect() {
            // What is declared in space stays.
            let speed = applied.bodies[0].start.velocity.take().expect("declared");
            assert_eq!(numbers(&speed), [7.0, 8.0, 9.0], "{group}");
            applied = start.applied_to(&applied);
        }
        let again = Start::new(&applied);
        close(&numbers(&again.q), &other, 1e-14, group);
        close(&numbers(&again.v), &numbers(&start.v), 1e-14, group);
    }
}

/// Each component is the largest in one of the cases.
#[test]
fn quaternions_of_rotation_matrices() {
    let turns = [
        [0.3, -0.2, 0.1],
        [3.0, 0.2, -0.3],
        [0.1, 3.0, 0.2],
        [-0.2, 0.3, 3.0],
        [0.0, 0.0, std::f64::consts::PI],
    ];
    for turn in turns {
        let unit = [1.0, 0.0, 0.0, 0.0];
        let expected = moved(Group::S3, &unit, &turn);
        let found = quaternion(rotation(Group::S3, &expected).as_flattened());
        // Both signs are the same rotation.
        let sign = if crate::example::dot(&found, &expected) < 0.0 {
            -1.0
        } else {
            1.0
        };
        close(
            &found.map(|x| sign * x),
            &expected,
            1e-15,
            &format!("{turn:?}"),
        );
    }
}

/// The velocity of a point of the body is the same from the start in group coordinates.
#[test]
fn velocities_of_semidirect_products_are_those_of_space() {
    let model = body("SE3");
    let (q, v) = (
        numbers(&Start::new(&model).q),
        numbers(&Start::new(&model).v),
    );
    let r = rotation(Group::Se3, &q);
    let point = [0.1, 0.2, 0.3];
    let swing = cross([v[0], v[1], v[2]], point);
    let own: [f64; 3] = core::array::from_fn(|i| v[3 + i] + swing[i]);
    let spin = rotated(&r, [4.0, 5.0, 6.0]);
    let arm = rotated(&r, point);
    let expected: [f64; 3] = core::array::from_fn(|i| [7.0, 8.0, 9.0][i] + cross(spin, arm)[i]);
    close(&rotated(&r, own), &expected, 1e-14, "velocity of a point");
}

#[test]
fn late_values_stay_formulas() {
    let (model, ..) = lowered(
        "",
        "#[param(default = 2)] p: f64,
         #[body(mass = 1, free)] #[start(position = [p, 0, 0])] a: Body<R3>,",
    );
    let start = Start::new(&model);
    assert_eq!(start.q[0].value(), None);
    assert_eq!(model.by_default(&start.q[0]), Some(2.0));
}
