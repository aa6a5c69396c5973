//! The four-bar linkage and the gyroscope against Lagrange's equations in their angles, integrated
//! with 36 digits (`tests/data/mechanisms.py`): positions, rotations and velocities of all bodies. The
//! constraints of the four-bar linkage are redundant, so its multipliers are not compared.

use nalgebra::{Rotation3, Vector3};
use polhode::generalized_alpha::GeneralizedAlpha;
use polhode::state::State;
use polhode::stepper::Method;
use polhode::system::System;
use polhode_models::four_bar::{FOUR_BAR, FourBarDirect};
use polhode_models::gyroscope::{GYROSCOPE, GyroscopeDirect, GyroscopeSemidirect};
use polhode_models::model::Known;
use polhode_tests::{RIGID, data, floats, observed_order};
use serde_json::Value;

use super::{at, check_reference, generic, he5};

/// Where a body is and how it moves, the angular velocity in body axes.
struct Motion {
    position: Vector3<f64>,
    rotation: Rotation3<f64>,
    velocity: Vector3<f64>,
    spin: Vector3<f64>,
}

/// All bodies at the times of the reference.
type Table = Vec<(f64, Vec<Motion>)>;

/// What the reference has for a model at its times, in their order.
fn values(model: &str) -> Vec<(f64, Value)> {
    let all = data("mechanisms.json");
    let times = all[model].as_object().unwrap().iter();
    let mut values: Vec<(f64, Value)> = times
        .map(|(t, value)| (t.parse().unwrap(), value.clone()))
        .collect();
    values.sort_by(|a, b| a.0.total_cmp(&b.0));
    values
}

/// Bodies that turn about y, in the plane of x and z.
fn four_bar() -> Table {
    let bodies = |value: &Value| {
        let [angles, rates, centres, velocities] =
            ["angles", "angle_rates", "centres", "velocities"].map(|name| floats(&value[name]));
        let plane = |x: &[f64], i: usize| Vector3::new(x[2 * i], 0.0, x[2 * i + 1]);
        let body = |i: usize| Motion {
            position: plane(&centres, i),
            rotation: Rotation3::from_axis_angle(&Vector3::y_axis(), angles[i]),
            velocity: plane(&velocities, i),
            spin: Vector3::y() * rates[i],
        };
        (0..3).map(body).collect()
    };
    let values = values("four_bar");
    values
        .iter()
        .map(|(t, value)| (*t, bodies(value)))
        .collect()
}

/// Gimbals turned by `Rz(a)` and `Rz(a) Rx(b)`, a rotor by `Rz(a) Rx(b) Ry(c)`.
fn gyroscope() -> Table {
    let bodies = |value: &Value| {
        let (angles, rates) = (floats(&value["angles"]), floats(&value["angle_rates"]));
        let axes = [Vector3::z_axis(), Vector3::x_axis(), Vector3::y_axis()];
        let (mut rotation, mut spin) = (Rotation3::identity(), Vector3::zeros());
        let body = |i: usize| {
            let turn = Rotation3::from_axis_angle(&axes[i], angles[i]);
            rotation *= turn;
            spin = turn.inverse() * spin + axes[i].into_inner() * rates[i];
            Motion {
                position: Vector3::zeros(),
                rotation,
                velocity: Vector3::zeros(),
                spin,
            }
        };
        (0..3).map(body).collect()
    };
    let values = values("gyroscope");
    values
        .iter()
        .map(|(t, value)| (*t, bodies(value)))
        .collect()
}

/// Largest errors over the bodies: positions and entries of rotation matrices, velocities and angular
/// velocities.
fn errors<S: System>(system: &S, state: &State<S>, exact: &[Motion]) -> [f64; 2] {
    let mut errors = [0.0_f64; 2];
    for (i, exact) in exact.iter().enumerate() {
        let view = state.body(system, i);
        let position = Vector3::from(view.position()) - exact.position;
        let rows = view.rotation_matrix();
        let rotation = (0..9).map(|k| rows[k / 3][k % 3] - exact.rotation[(k / 3, k % 3)]);
        let velocity = Vector3::from(view.velocity()) - exact.velocity;
        let spin = Vector3::from(view.angular_velocity()) - exact.spin;
        for x in rotation.chain(position.iter().copied()) {
            errors[0] = errors[0].max(x.abs());
        }
        for x in velocity.iter().chain(spin.iter()) {
            errors[1] = errors[1].max(x.abs());
        }
    }
    errors
}

/// Largest errors over the first times of the reference.
fn largest<S: System, M: Method<S>>(
    system: &S,
    method: M,
    step: Option<f64>,
    table: &[(f64, Vec<Motion>)],
) -> [f64; 2] {
    let times: Vec<f64> = table.iter().map(|(t, _)| *t).collect();
    let run = at(system, method, &times, step);
    let mut largest = [0.0_f64; 2];
    for (t, exact) in table {
        let state = run.states().iter().find(|state| state.t == *t).unwrap();
        for (largest, error) in largest.iter_mut().zip(errors(system, state, exact)) {
            *largest = largest.max(error);
        }
    }
    largest
}

/// The tolerances of 1e-12 and 1e-11 in each step are the limit: in some thousand steps that do not
/// amplify them they leave 1e-11, and ten times that in velocities, which are ten times larger.
fn check_errors<S: System>(system: &S, table: &Table, what: &str) {
    let found = largest(system, he5(), None, table);
    println!("{what}: {:.1e} {:.1e}", found[0], found[1]);
    for (found, bound) in found.into_iter().zip([1e-10, 1e-9]) {
        assert!(found < bound, "{what}: {found:.2e}, bound {bound:.0e}");
    }
}

#[test]
fn four_bar_by_half_explicit_steps() {
    let table = four_bar();
    assert_eq!(table.len(), 10);
    check_errors(&FourBarDirect, &table, "four-bar, generated");
    for (group, name) in RIGID {
        let system = generic(FourBarDirect.description(), group);
        check_errors(&system, &table, &format!("four-bar, {name}"));
    }
}

#[test]
fn gyroscope_by_half_explicit_steps() {
    let table = gyroscope();
    assert_eq!(table.len(), 4);
    let direct = GyroscopeDirect::default();
    check_errors(&direct, &table, "gyroscope, generated SO3xR3");
    let semidirect = GyroscopeSemidirect::default();
    check_errors(&semidirect, &table, "gyroscope, generated SE3");
    for (group, name) in RIGID {
        let system = generic(direct.description(), group);
        check_errors(&system, &table, &format!("gyroscope, {name}"));
    }
}

/// Order 2 of all formulations, in `q` and in `v`, over five step sizes.
fn check_orders<S: System>(system: &S, table: &[(f64, Vec<Motion>)], first: f64, what: &str) {
    for (method, name) in [
        (GeneralizedAlpha::index3(), "index 3"),
        (GeneralizedAlpha::index2(), "index 2"),
        (GeneralizedAlpha::stabilized_index2(), "stabilized"),
    ] {
        let steps = [1.0, 2.0, 4.0, 8.0, 16.0].map(|n| first / n);
        let errors = steps.map(|h| (h, largest(system, method, Some(h), table)));
        for (i, part) in ["q", "v"].into_iter().enumerate() {
            let points = errors.map(|(h, errors)| (h, errors[i]));
            let order = observed_order(&points);
            println!("{what}, {name}: order {order:.3} of {part}, {points:?}");
            assert!(
                (order - 2.0).abs() < 0.1,
                "{what}, {name}: order {order:.3} of {part}, {points:?}"
            );
        }
    }
}

#[test]
fn four_bar_by_generalized_alpha() {
    let table = &four_bar()[..1];
    check_orders(&FourBarDirect, table, 4e-3, "four-bar, generated");
    for (group, name) in RIGID {
        let system = generic(FourBarDirect.description(), group);
        check_orders(&system, table, 4e-3, &format!("four-bar, {name}"));
    }
}

#[test]
fn gyroscope_by_generalized_alpha() {
    let table = &gyroscope()[..1];
    let direct = GyroscopeDirect::default();
    check_orders(&direct, table, 1e-3, "gyroscope, generated SO3xR3");
    let semidirect = GyroscopeSemidirect::default();
    check_orders(&semidirect, table, 1e-3, "gyroscope, generated SE3");
    for (group, name) in RIGID {
        let system = generic(direct.description(), group);
        check_orders(&system, table, 1e-3, &format!("gyroscope, {name}"));
    }
}

/// The registry has the numbers of the file, at all its times and no others.
#[test]
fn the_registry_has_these_references() {
    let point = |known: Option<Known>| match known {
        Some(Known::Point { position, .. }) => position,
        other => panic!("{other:?}"),
    };
    let times = |values: &[(f64, Value)]| values.iter().map(|(t, _)| *t).collect::<Vec<_>>();
    let values_of_bar = values("four_bar");
    let choice = FOUR_BAR.choice();
    for (t, value) in &values_of_bar {
        let centre = floats(&value["centres"][1]);
        let expected = [centre[0], 0.0, centre[1]];
        assert_eq!(point(FOUR_BAR.known(&choice, *t)), expected, "t = {t}");
    }
    assert_eq!(FOUR_BAR.known(&choice, 0.5), None);
    let times_of_bar = times(&values_of_bar);
    assert_eq!(times_of_bar.last(), Some(&FOUR_BAR.end));
    check_reference(&FOUR_BAR, &choice, &FourBarDirect, &times_of_bar, 5e-4);

    let values = values("gyroscope");
    let mut choice = GYROSCOPE.choice();
    for (t, value) in &values {
        let expected = floats(&value["point"]);
        assert_eq!(point(GYROSCOPE.known(&choice, *t)), expected[..], "t = {t}");
    }
    assert_eq!(GYROSCOPE.known(&choice, 0.25), None);
    assert_eq!(times(&values).last(), Some(&GYROSCOPE.end));
    let system = GyroscopeDirect::default();
    check_reference(&GYROSCOPE, &choice, &system, &times(&values), 1e-4);
    choice.values[0].1 = 50.0;
    assert_eq!(GYROSCOPE.known(&choice, 2.0), None, "another spin");
}
