//! Redundant constraints: a planar four-bar linkage of four revolute joints in space. Three
//! bodies have 18 velocities, four revolute joints 20 constraints, and one degree of freedom
//! remains: three constraints say what others have said.

use nalgebra::{DMatrix, DVector};
use polhode::accelerations::AccelerationSolver;
use polhode::generalized_alpha::GeneralizedAlpha;
use polhode::generic::GenericSystem;
use polhode::generic::description::{
    Attachment, Body, Description, Joint, JointKind, Redundancy, Start,
};
use polhode::half_explicit::HalfExplicit;
use polhode::joints::unique_multipliers;
use polhode::lie::GroupKind;
use polhode::output::Output;
use polhode::state::State;
use polhode::stepper::Method;
use polhode::system::{Bodies, Constrained, Manifold, Mechanics};
use polhode_tests::RIGID;

/// Crank 1, coupler 2.2, rocker 1.8, and 2.5 between the pivots on the ground, z the axis of all.
const CRANK: f64 = 1.0;
const COUPLER: f64 = 2.2;
const ROCKER: f64 = 1.8;
const BASE: f64 = 2.5;

fn bar(name: &str, group: GroupKind, length: f64, from: [f64; 2], to: [f64; 2]) -> Body {
    let angle = (to[1] - from[1]).atan2(to[0] - from[0]);
    let thin = length / 12.0 * length * length;
    Body {
        name: name.to_owned(),
        group,
        mass: length,
        inertia: [[0.01, 0.0, 0.0], [0.0, thin, 0.0], [0.0, 0.0, thin]],
        center: [0.0; 3],
        start: Start {
            position: vec![0.5 * (from[0] + to[0]), 0.5 * (from[1] + to[1]), 0.0],
            rotation: [(0.5 * angle).cos(), 0.0, 0.0, (0.5 * angle).sin()],
            ..Start::default()
        },
    }
}

/// The crank stands upright, everything at rest.
fn four_bar(group: GroupKind, redundant: Redundancy) -> Description {
    let (a, d) = ([0.0, 0.0], [BASE, 0.0]);
    let b = [0.0, CRANK];
    // The circles about b and d meet at c.
    let gap = [d[0] - b[0], d[1] - b[1]];
    let distance = gap[0].hypot(gap[1]);
    let along = (COUPLER * COUPLER - ROCKER * ROCKER + distance * distance) / (2.0 * distance);
    let across = (COUPLER * COUPLER - along * along).sqrt();
    let unit = gap.map(|x| x / distance);
    let c = [
        b[0] + along * unit[0] - across * unit[1],
        b[1] + along * unit[1] + across * unit[0],
    ];
    let hinge = |name: &str, first: (&str, f64), second: (&str, f64)| Joint {
        name: name.to_owned(),
        kind: JointKind::Revolute,
        first: Attachment::at(first.0, [first.1, 0.0, 0.0]),
        second: Attachment::at(second.0, [second.1, 0.0, 0.0]),
    };
    Description {
        name: "four-bar".to_owned(),
        gravity: [0.0, -9.81, 0.0],
        bodies: vec![
            bar("crank", group, CRANK, a, b),
            bar("coupler", group, COUPLER, b, c),
            bar("rocker", group, ROCKER, d, c),
        ],
        joints: vec![
            hinge("A", ("ground", 0.0), ("crank", -0.5 * CRANK)),
            hinge("B", ("crank", 0.5 * CRANK), ("coupler", -0.5 * COUPLER)),
            hinge("C", ("coupler", 0.5 * COUPLER), ("rocker", 0.5 * ROCKER)),
            hinge("D", ("ground", BASE), ("rocker", -0.5 * ROCKER)),
        ],
        redundant,
        ..Description::default()
    }
}

fn allowed(group: GroupKind) -> GenericSystem {
    GenericSystem::new(four_bar(group, Redundancy::Allow)).unwrap()
}

/// `B` as a matrix.
fn jacobian(system: &GenericSystem, state: &State<GenericSystem>) -> DMatrix<f64> {
    let mut geometry = system.new_geometry();
    system.geometry(state.t, &state.q, &mut geometry).unwrap();
    let (nv, nc) = (system.space().dof(), system.constraint_count());
    let mut b = DMatrix::zeros(nc, nv);
    let mut out = system.new_multiplier();
    for j in 0..nv {
        let mut unit = system.new_velocity();
        unit[j] = 1.0;
        system.jacobian_times(&geometry, &unit, &mut out);
        b.set_column(j, &DVector::from_column_slice(&out));
    }
    b
}

/// Largest position residual.
fn gap(system: &GenericSystem, state: &State<GenericSystem>) -> f64 {
    let mut geometry = system.new_geometry();
    let mut phi = system.new_multiplier();
    system.geometry(state.t, &state.q, &mut geometry).unwrap();
    system.constraint(state.t, &state.q, &geometry, &mut phi);
    phi.iter().fold(0.0, |m, x| f64::max(m, x.abs()))
}

#[test]
fn rejected_by_name() {
    for (group, name) in RIGID {
        let system = GenericSystem::new(four_bar(group, Redundancy::Reject)).unwrap();
        assert_eq!((system.space().dof(), system.constraint_count()), (18, 20));
        let run = HalfExplicit::order5()
            .simulate(&system, 0.0..=0.1)
            .step(1e-3);
        let error = run.run().unwrap_err().to_string();
        let named = ["A", "B", "C", "D"].iter().any(|joint| {
            let joint = format!("joint `{joint}`, ");
            error.contains(&format!("{joint}position along"))
                || error.contains(&format!("{joint}x of first normal"))
                || error.contains(&format!("{joint}y of first normal"))
        });
        assert!(
            named && error.contains("linearly dependent"),
            "{name}: {error}"
        );
    }
}

/// Ten seconds: the crank falls and the linkage swings through.
#[test]
fn ten_seconds() {
    for (group, name) in RIGID {
        let system = allowed(group);
        let run = || {
            HalfExplicit::order5()
                .simulate(&system, 0.0..=10.0)
                .step(2e-3)
                .output(Output::Every(0.5))
                .run()
                .unwrap()
        };
        let first = run();
        let kinetic = first
            .states()
            .iter()
            .map(|state| system.energy(state.t, &state.q, &state.v).kinetic)
            .fold(0.0, f64::max);
        assert!(kinetic > 5.0, "it moves: {kinetic}");
        let scale = first.energy_start().total().abs();
        let drift = (first.energy_end().total() - first.energy_start().total()).abs() / scale;
        let gap = first
            .states()
            .iter()
            .map(|state| gap(&system, state))
            .fold(0.0, f64::max);
        println!("{name}: drift {drift:e}, gap {gap:e}");
        assert!(drift < 1e-9, "{name}: {drift:e}");
        assert!(gap < 1e-10, "{name}: {gap:e}");
        // The same numbers every time.
        let second = run();
        assert_eq!(first.last().lambda, second.last().lambda);
        assert_eq!(first.last().q, second.last().q);
    }
}

/// The multipliers are `-(B^T)^+ (M v' + g)`, by singular values, and the reactions in the plane
/// are unique.
#[test]
fn reactions_have_the_smallest_norm() {
    for (group, name) in RIGID {
        let system = allowed(group);
        let run = HalfExplicit::order5()
            .simulate(&system, 0.0..=1.0)
            .step(2e-3)
            .run()
            .unwrap();
        let mut state = run.last().clone();
        AccelerationSolver::new(&system)
            .solve(&system, &mut state)
            .unwrap();
        let b = jacobian(&system, &state);
        let values = b.clone().singular_values();
        assert_eq!(values.iter().filter(|x| **x > 1e-6).count(), 17, "{values}");
        let mut geometry = system.new_geometry();
        system.geometry(state.t, &state.q, &mut geometry).unwrap();
        let (mut force, mut inertia) = (system.new_velocity(), system.new_velocity());
        system.force(state.t, &geometry, &state.v, &mut force);
        system.mass_times(&state.vdot, &mut inertia);
        let balance = DVector::from_iterator(18, force.iter().zip(&inertia).map(|(f, i)| -f - i));
        let expected = b.transpose().pseudo_inverse(1e-6).unwrap() * &balance;
        let found = DVector::from_column_slice(&state.lambda);
        let error = (&found - &expected).norm() / expected.norm();
        assert!(error < 1e-9, "{name}: {error:e}");
        assert!((b.transpose() * &found - balance).norm() < 1e-9 * expected.norm());

        // Doubtful are the out-of-plane parts: position along z and both axes of every hinge.
        let unique = unique_multipliers(&system, &state).unwrap();
        for (row, unique) in unique.iter().enumerate() {
            assert_eq!(
                *unique,
                row % 5 < 2,
                "{name} {}",
                system.constraint_name(row)
            );
        }
        let hinge = state.joint(&system, "B").unwrap();
        assert!(!hinge.reaction_is_unique().unwrap());
    }
}

/// Generalized-alpha arrives where the half-explicit method does, with the same multipliers, up to
/// its error of second order.
#[test]
fn generalized_alpha() {
    for group in [GroupKind::SE3, GroupKind::S3xR3] {
        let system = allowed(group);
        let exact = HalfExplicit::order5()
            .simulate(&system, 0.0..=0.5)
            .step(1e-3)
            .run()
            .unwrap();
        let mut exact = exact.last().clone();
        AccelerationSolver::new(&system)
            .solve(&system, &mut exact)
            .unwrap();
        for method in [
            GeneralizedAlpha::index3(),
            GeneralizedAlpha::index2(),
            GeneralizedAlpha::stabilized_index2(),
        ] {
            let error = |h: f64| {
                let run = method.simulate(&system, 0.0..=0.5).step(h).run().unwrap();
                let last = run.last();
                let q = system.space().distance(&last.q, &exact.q);
                let difference = last.lambda.iter().zip(&exact.lambda).map(|(x, y)| x - y);
                let lambda = difference.fold(0.0, |m, x| f64::max(m, x.abs()));
                let norm: f64 = last.lambda.iter().map(|x| x * x).sum::<f64>().sqrt();
                [q, lambda / norm]
            };
            let (coarse, fine) = (error(2e-3), error(1e-3));
            for i in 0..2 {
                let ratio = coarse[i] / fine[i];
                assert!(
                    fine[i] < 1e-4 && (3.0..5.5).contains(&ratio),
                    "{group} {method:?}: {coarse:?} {fine:?}"
                );
            }
        }
    }
}

/// Without redundancy nothing but the elimination differs.
#[test]
fn nothing_changes_without_redundancy() {
    let mut description = polhode_models::heavy_top::constrained(GroupKind::SE3);
    let plain = GenericSystem::new(description.clone()).unwrap();
    description.redundant = Redundancy::Allow;
    let least = GenericSystem::new(description).unwrap();
    for method in [
        GeneralizedAlpha::index3(),
        GeneralizedAlpha::stabilized_index2(),
    ] {
        let last = |system: &GenericSystem| {
            let run = method.simulate(system, 0.0..=0.1).step(1e-3).run().unwrap();
            run.last().clone()
        };
        let (plain, least) = (last(&plain), last(&least));
        for (x, y) in plain.lambda.iter().zip(&least.lambda) {
            // Newton's method stops at 1e-8 of the increment.
            assert!((x - y).abs() < 1e-7 * 400.0, "{x} {y}");
        }
        for (x, y) in plain.q.iter().zip(&least.q) {
            assert!((x - y).abs() < 1e-10, "{x} {y}");
        }
    }
}
