use core::f64::consts::FRAC_PI_2;

use super::*;
use crate::generic::GenericSystem;

/// A crank and a rod of length 1 in line with a slider: singular where both are normal to its way.
fn crank() -> GenericSystem {
    let text = r#"{
        "name": "slider-crank",
        "bodies": [
            { "name": "pin", "group": "R2", "mass": 1, "start": { "position": [1, 0] } },
            { "name": "slider", "group": "R1", "mass": 1, "start": { "position": [2] } }
        ],
        "joints": [
            { "name": "crank", "kind": { "distance": { "length": 1 } },
              "first": { "body": "ground" }, "second": { "body": "pin" } },
            { "name": "rod", "kind": { "distance": { "length": 1 } },
              "first": { "body": "pin" }, "second": { "body": "slider" } }
        ]
    }"#;
    GenericSystem::from_json(text).unwrap()
}

/// The crank at an angle, which is its time as well.
fn at(system: &GenericSystem, angle: f64) -> State<GenericSystem> {
    let mut state = State::start(system, angle);
    let (s, c) = angle.sin_cos();
    state.q.copy_from_slice(&[c, s, 2.0 * c]);
    state.v.copy_from_slice(&[-s, c, -2.0 * s]);
    state
}

/// What is seen in a step between two angles.
fn seen(from: f64, to: f64) -> Option<Sighting> {
    let system = crank();
    let ends = (&at(&system, from), &at(&system, to));
    let mut watch = Watch::new(&system, ends.0);
    assert!(watch.looks());
    watch.find(&system, ends, true).unwrap()
}

#[test]
fn positions_are_seen_within_and_ahead_of_a_step() {
    let near = |(from, to): (f64, f64), pivot: [f64; 2]| {
        let found = seen(from, to).unwrap_or_else(|| panic!("nothing from {from} to {to}"));
        assert!((found.t - FRAC_PI_2).abs() < 0.02, "{found:?}");
        assert!((pivot[0]..pivot[1]).contains(&found.pivot), "{found:?}");
        assert!(found.row < 2);
        found
    };
    assert!(near((1.5, 1.64), [1e-4, 0.02]).straight);
    assert!(near((1.64, 1.5), [1e-4, 0.02]).straight);
    assert!(!near((1.44, 1.47), [0.001, 0.05]).straight);
    // A step that ends there: the matrix is singular, and the direction that of its begin.
    for beside in [-1e-9, 0.0, 1e-9] {
        near((1.47, FRAC_PI_2 + beside), [0.0, 1e-4]);
    }
}

#[test]
fn elsewhere_there_is_none() {
    // Far from it, too many steps ahead of it, and behind.
    for (from, to) in [(0.5, 0.6), (1.2, 1.21), (1.62, 1.7), (1.52, 1.45)] {
        assert!(seen(from, to).is_none(), "{from} to {to}");
    }
}

#[test]
fn multipliers_or_another_reason_make_it_look() {
    let system = crank();
    let (from, mut to) = (at(&system, 1.5), at(&system, 1.64));
    let look = |watch: &mut Watch<_>, to: &State<_>, reason| {
        watch.look(&system, (&from, to), reason).unwrap().is_some()
    };
    let mut watch = Watch::new(&system, &from);
    // Without multipliers at both ends nothing has changed.
    assert!(!look(&mut watch, &to, false));
    assert!(look(&mut watch, &to, true));
    to.lambda.copy_from_slice(&[1.0, -1.0]);
    assert!(look(&mut watch, &to, false));
    // A change of less than 0.3 of their size, and no growth since the last look.
    let mut from = from.clone();
    from.lambda.copy_from_slice(&[0.8, -0.8]);
    let mut look = |to: &State<_>| watch.look(&system, (&from, to), false).unwrap().is_some();
    assert!(!look(&to));
    from.lambda.copy_from_slice(&[0.6, -0.6]);
    let mut watch = Watch::new(&system, &to);
    assert!(watch.look(&system, (&from, &to), false).unwrap().is_some());
    // Slow growth, until it is a factor of four.
    let mut watch = Watch::new(&system, &to);
    let mut slowly = |size: f64| {
        from.lambda.copy_from_slice(&[0.9 * size, -0.9 * size]);
        to.lambda.copy_from_slice(&[size, -size]);
        watch.look(&system, (&from, &to), false).unwrap().is_some()
    };
    assert!(!slowly(3.9) && slowly(4.1) && !slowly(8.0) && slowly(17.0));
}

#[test]
fn a_defect_of_the_velocity_that_grows_is_unexpected() {
    let system = crank();
    let (from, to) = (at(&system, 0.5), at(&system, 0.6));
    let mut watch = Watch::new(&system, &from);
    let unexpected = |watch: &mut Watch<_>, defect: f64, acceleration: f64| {
        let (mut from, mut to) = (from.clone(), to.clone());
        // The step is 0.1 long.
        from.vdot[1] = 0.5 * acceleration;
        to.vdot[1] = 1.5 * acceleration;
        to.v.clone_from(&from.v);
        to.v[1] += 0.1 * acceleration + defect;
        watch.is_unexpected(&from, &to)
    };
    // Of the first step nothing is known.
    assert!(unexpected(&mut watch, 1e-3, 0.0));
    watch.accept();
    assert!(!unexpected(&mut watch, 3.9e-3, 0.0) && unexpected(&mut watch, 4.1e-3, 0.0));
    // A step that is not accepted says nothing about the next.
    assert!(unexpected(&mut watch, 4.1e-3, 0.0));
    watch.accept();
    assert!(!unexpected(&mut watch, 1.6e-2, 0.0));
    // Accelerations explain it; after that any defect above 1e-7 of the velocity is one.
    assert!(!unexpected(&mut watch, 0.0, 1.0));
    watch.accept();
    let size = magnitudes(from.v.as_ref());
    assert!(!unexpected(&mut watch, 0.9e-7 * size, 0.0));
    assert!(unexpected(&mut watch, 1.2e-7 * size, 0.0));
    watch.restart(&from);
    assert!(unexpected(&mut watch, 0.0, 0.0));
}

#[test]
fn what_cannot_be_singular_is_not_looked_at() {
    let mut description = crank().description().clone();
    description.joints.clear();
    let free = GenericSystem::new(description).unwrap();
    assert!(!Watch::new(&free, &State::start(&free, 0.0)).looks());
}
