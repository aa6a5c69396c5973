//! Consistent initial values: checked, projected on request, completed by accelerations.

#![expect(clippy::float_cmp, reason = "numbers that must be exact")]

use nalgebra::{DMatrix, DVector};
use polhode::consistency::{self, InitialValues};
use polhode::error::{Fault, SolveError};
use polhode::generalized_alpha::GeneralizedAlpha;
use polhode::generic::GenericSystem;
use polhode::generic::description::{Attachment, Body, Description, Joint, JointKind, Start};
use polhode::half_explicit::HalfExplicit;
use polhode::lie::GroupKind;
use polhode::starting_values::StartingValues;
use polhode::state::State;
use polhode::stepper::{Method, Stepper};
use polhode::system::{Bodies, Constrained, Manifold, Mechanics};
use polhode_models::{heavy_top, pendulum};
use polhode_tests::{RIGID, data, difference, floats};

fn system(description: Description) -> GenericSystem {
    GenericSystem::new(description).unwrap()
}

/// The top with another start.
fn top(group: GroupKind, change: impl Fn(&mut Start)) -> GenericSystem {
    let mut description = heavy_top::constrained(group);
    change(&mut description.bodies[0].start);
    system(description)
}

/// The error of a run that must not start.
fn refused(system: &GenericSystem) -> SolveError {
    let half_explicit = HalfExplicit::order5()
        .simulate(system, 0.0..=1.0)
        .step(1e-3);
    let Err(failed) = half_explicit.run() else {
        panic!("inconsistent values were accepted");
    };
    assert_eq!(failed.run.stats().accepted, 0);
    let alpha = GeneralizedAlpha::index3()
        .simulate(system, 0.0..=1.0)
        .step(1e-3);
    assert_eq!(alpha.run().unwrap_err().error, failed.error);
    failed.error
}

/// Residuals and joints are in the error, in every group, and in its text.
#[test]
fn violated_constraints_are_an_error() {
    for (group, name) in RIGID {
        // The pivot is 0.1 off, and the velocity that belongs to x = (0, 1, 0) is too small.
        let moved = top(group, |start| start.position = vec![0.0, 1.1, 0.0]);
        let error = refused(&moved);
        let text = error.to_string();
        let SolveError::Inconsistent {
            t,
            position,
            position_at,
            velocity,
            velocity_at,
            tolerance,
        } = error
        else {
            panic!("{name}: {text}");
        };
        assert_eq!((t, tolerance), (0.0, consistency::DEFAULT_TOLERANCE));
        assert!((position - 0.1).abs() < 1e-15, "{name}: {position}");
        assert!((velocity - 0.461_538).abs() < 1e-14, "{name}: {velocity}");
        assert_eq!(position_at, "joint `pivot`, position along y");
        assert_eq!(velocity_at, "joint `pivot`, position along x");
        for part in ["1.000e-1", "4.615e-1", "`pivot`", "along y", "projection"] {
            assert!(text.contains(part), "{name}: no {part} in {text}");
        }

        let faster = top(group, |start| start.velocity[1] = 0.25);
        let SolveError::Inconsistent {
            position,
            velocity,
            velocity_at,
            ..
        } = refused(&faster)
        else {
            panic!("{name}: {text}");
        };
        assert!(position == 0.0 && (velocity - 0.25).abs() < 1e-15);
        assert_eq!(velocity_at, "joint `pivot`, position along y");
    }
}

/// What is consistent within the tolerance is taken as it is; velocities are compared with the
/// largest one, here 150.
#[test]
fn the_tolerance_decides() {
    for (group, name) in RIGID {
        let run = |system: &GenericSystem, tolerance| {
            let run = HalfExplicit::order5().simulate(system, 0.0..=1e-2);
            run.step(1e-3)
                .initial_values(InitialValues::Check(tolerance))
                .run()
        };
        let exact = top(group, |_| ());
        let started = run(&exact, 1e-14).unwrap();
        assert_eq!(started.projection(), None, "{name}");
        assert_eq!(started.states()[0].q, exact.start_config(), "{name}");
        assert_eq!(started.states()[0].v, exact.start_velocity(), "{name}");

        let moved = top(group, |start| start.position[1] += 1e-6);
        assert!(
            run(&moved, 1.1e-6).is_ok() && run(&moved, 0.9e-6).is_err(),
            "{name}"
        );
        let faster = top(group, |start| start.velocity[0] += 150e-6);
        assert!(
            run(&faster, 1.1e-6).is_ok() && run(&faster, 0.9e-6).is_err(),
            "{name}"
        );
        for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            let error = run(&exact, bad).unwrap_err().error;
            assert!(matches!(error, SolveError::InvalidOption { .. }), "{error}");
        }
    }
}

/// `B` as a matrix.
fn jacobian(system: &GenericSystem, q: &<GenericSystem as Manifold>::Config) -> DMatrix<f64> {
    let mut geometry = system.new_geometry();
    system.geometry(0.0, q, &mut geometry).unwrap();
    let (rows, columns) = (system.constraint_count(), system.space().dof());
    let mut matrix = DMatrix::zeros(rows, columns);
    for j in 0..columns {
        let (mut unit, mut column) = (system.new_velocity(), system.new_multiplier());
        unit[j] = 1.0;
        system.jacobian_times(&geometry, &unit, &mut column);
        matrix.set_column(j, &DVector::from_column_slice(&column));
    }
    matrix
}

/// Largest scalar product, in the metric of the mass matrix, with the directions that `B` leaves
/// free, relative to the size of the vector. Zero for the shortest way to the constraints.
fn sideways(system: &GenericSystem, q: &<GenericSystem as Manifold>::Config, way: &[f64]) -> f64 {
    let b = jacobian(system, q);
    let n = b.ncols();
    let inverse = b.clone().pseudo_inverse(1e-12).unwrap();
    let free = DMatrix::identity(n, n) - inverse * b;
    let mut momentum = system.new_velocity();
    system.mass_times(&way.to_vec().into_boxed_slice(), &mut momentum);
    let momentum = DVector::from_column_slice(&momentum);
    (free.transpose() * &momentum).amax() / momentum.amax()
}

/// A double pendulum with a prismatic third body: joints of several kinds between bodies of
/// several groups and masses, none of them where it should be by `size`.
fn chain(size: f64) -> Description {
    let body = |name: &str, group, mass: f64, position: [f64; 3]| Body {
        name: name.to_owned(),
        group,
        mass,
        inertia: [
            [0.3 * mass, 0.01, 0.0],
            [0.01, 0.5 * mass, 0.0],
            [0.0, 0.0, 0.2],
        ],
        center: [0.0; 3],
        start: Start {
            position: position.to_vec(),
            velocity: vec![size, -2.0 * size, 0.7 * size],
            angular_velocity: [3.0 * size, size, -size],
            ..Start::default()
        },
    };
    let joint = |name: &str, kind, first, second| Joint {
        name: name.to_owned(),
        kind,
        first,
        second,
    };
    let at = Attachment::at;
    Description {
        name: "chain".to_owned(),
        gravity: [0.0, -9.81, 0.0],
        bodies: vec![
            body("upper", GroupKind::SE3, 2.0, [0.5, size, 0.0]),
            body("lower", GroupKind::S3xR3, 0.3, [1.5, 0.0, -2.0 * size]),
            body("slider", GroupKind::SO3xR3, 40.0, [2.0 + size, 0.0, size]),
        ],
        joints: vec![
            joint(
                "hinge",
                JointKind::Revolute,
                at("ground", [0.0; 3]),
                at("upper", [-0.5, 0.0, 0.0]),
            ),
            joint(
                "ball",
                JointKind::Spherical,
                at("upper", [0.5, 0.0, 0.0]),
                at("lower", [-0.5, 0.0, 0.0]),
            ),
            joint(
                "slot",
                JointKind::PointOnLine,
                at("lower", [0.5, 0.0, 0.0]),
                at("slider", [0.0; 3]),
            ),
        ],
        ..Description::default()
    }
}

/// On request the start moves to the constraints by the shortest way in the metric of the mass
/// matrix, and the way is reported.
#[test]
fn projection() {
    let size = 1e-4;
    let tops = RIGID.map(|(group, _)| {
        top(group, |start| {
            start.position = vec![size, 1.0 + 2.0 * size, -size];
            start.velocity = vec![4.7, 0.1, -0.2];
        })
    });
    for system in tops.into_iter().chain([system(chain(size))]) {
        let what = system.description().name.clone();
        let before = State::start(&system, 0.0);
        let found = consistency::residuals(&system, &before).unwrap();
        let run = HalfExplicit::order5()
            .simulate(&system, 0.0..=1e-3)
            .step(1e-3)
            .initial_values(InitialValues::Project(1e-12))
            .run()
            .unwrap();
        let after = &run.states()[0];
        let left = consistency::residuals(&system, after).unwrap();
        assert!(
            left.position <= 1e-12 && left.velocity < 1e-13,
            "{what}: {left:?}"
        );

        let projection = run.projection().unwrap();
        assert_eq!(projection.position_residual, found.position);
        assert_eq!(projection.velocity_residual, found.velocity);
        assert!(
            (1..5).contains(&projection.iterations),
            "{what}: {projection:?}"
        );
        let moved = system.space().distance(&before.q, &after.q);
        assert!(
            (projection.moved - moved).abs() < 1e-18,
            "{what}: {projection:?}"
        );
        assert!(moved > 0.3 * size && moved < 10.0 * size, "{what}: {moved}");
        let change: Vec<f64> = after.v.iter().zip(&before.v).map(|(x, y)| x - y).collect();
        let norm = change.iter().map(|x| x * x).sum::<f64>().sqrt();
        assert!(
            (projection.velocity_change / norm - 1.0).abs() < 1e-9,
            "{what}"
        );

        // 150 and its rounding errors are a part of the velocities.
        let off = sideways(&system, &after.q, &change);
        assert!(off < 1e-9, "{what}: velocity {off:.1e} sideways");
        let mut way = system.new_velocity();
        system.space().difference(&before.q, &after.q, &mut way);
        let off = sideways(&system, &after.q, &way);
        assert!(off < 20.0 * size, "{what}: position {off:.1e} sideways");

        // And then nothing is left to do.
        let mut again = after.clone();
        let projection = consistency::project(&system, &mut again, 1e-12).unwrap();
        assert_eq!(
            (projection.moved, projection.iterations),
            (0.0, 0),
            "{what}"
        );
        assert!(projection.velocity_change < 1e-13, "{what}: {projection:?}");
    }
}

/// A point cannot be at unit distance from two points that are five apart.
#[test]
fn impossible_projections_fail() {
    let mut description = pendulum::pendulum(0.2);
    description.joints.push(Joint {
        name: "other".to_owned(),
        kind: JointKind::Distance { length: 1.0 },
        first: Attachment::at("ground", [5.0, 0.0, 0.0]),
        second: Attachment::at("bob", [0.0; 3]),
    });
    let system = system(description);
    let run = HalfExplicit::order3()
        .simulate(&system, 0.0..=1.0)
        .step(1e-3)
        .initial_values(InitialValues::Project(1e-10));
    let error = run.run().unwrap_err().error;
    match &error {
        SolveError::ProjectionFailed {
            residual,
            tolerance,
            ..
        } => {
            assert!(*residual > 0.1 && *tolerance == 1e-10);
        }
        SolveError::Evaluation {
            fault: Fault::SingularConstraints { constraint, .. },
            ..
        } => assert!(constraint.contains("other") || constraint.contains("rod")),
        other => panic!("{other}"),
    }
}

/// Accelerations and multipliers at the start, in 25 digits in the reference.
#[test]
fn accelerations_at_the_start() {
    let values = &data("heavy_top.json")["values"]["0.0"];
    for (group, name) in RIGID {
        let direct = matches!(group, GroupKind::SO3xR3 | GroupKind::S3xR3);
        let translation = if direct { "u_dot" } else { "U_dot" };
        let expected = [floats(&values["Omega_dot"]), floats(&values[translation])].concat();
        let system = top(group, |_| ());
        let mut starts = Vec::new();
        let mut state = State::start(&system, 0.0);
        let mut stepper = HalfExplicit::order5().stepper(&system).unwrap();
        stepper.start(&system, &mut state, 1e-3).unwrap();
        starts.push(state);
        for kind in [StartingValues::Classical, StartingValues::Corrected] {
            let mut state = State::start(&system, 0.0);
            let method = GeneralizedAlpha::index3().start(kind);
            let mut stepper = method.stepper(&system).unwrap();
            stepper.start(&system, &mut state, 1e-3).unwrap();
            starts.push(state);
        }
        for state in starts {
            let error = difference(&state.vdot, &expected);
            assert!(error < 4e-16, "{name}: v' differs by {error:.1e}");
            let error = difference(&state.lambda, &floats(&values["lam"]));
            assert!(error < 4e-16, "{name}: lambda differs by {error:.1e}");
        }
    }
    let free = system(heavy_top::free(GroupKind::S3));
    let mut state = State::start(&free, 0.0);
    let mut stepper = HalfExplicit::order2().stepper(&free).unwrap();
    stepper.start(&free, &mut state, 1e-3).unwrap();
    assert!(difference(&state.vdot, &floats(&values["Omega_dot"])) < 4e-16);
}
