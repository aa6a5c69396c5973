//! Orders of all components, on the pendulum against its exact solution and on
//! the free rigid body against a much finer solution.

use super::*;
use crate::output::Output;
use crate::pendulum::Pendulum;
use crate::rigid_body::RigidBody;
use crate::run::{FailedRun, Run};
use crate::system::{Bodies, Constrained, Manifold, Mechanics};

type Failure<S> = Box<FailedRun<S>>;

fn methods() -> [(f64, HalfExplicit); 4] {
    [
        (2.0, HalfExplicit::order2()),
        (3.0, HalfExplicit::order3()),
        (4.0, HalfExplicit::order4()),
        (5.0, HalfExplicit::order5()),
    ]
}

fn distance(x: &[f64], y: &[f64]) -> f64 {
    let squares = x.iter().zip(y).map(|(x, y)| (x - y).powi(2));
    squares.sum::<f64>().sqrt()
}

/// Orders observed between errors at successively halved step sizes.
fn observed(errors: &[f64]) -> Vec<f64> {
    errors
        .windows(2)
        .map(|pair| (pair[0] / pair[1]).log2())
        .collect()
}

fn check(what: &str, errors: &[f64], order: f64, tolerance: f64) {
    let orders = observed(errors);
    let count = orders.iter().fold(0.0, |count, _| count + 1.0);
    let mean = orders.iter().sum::<f64>() / count;
    for value in [mean, orders[orders.len() - 1]] {
        assert!(
            (value - order).abs() < tolerance,
            "{what}: orders {orders:.2?} instead of {order} from {errors:?}"
        );
    }
}

#[test]
fn the_fine_solution_is_the_exact_one() -> Result<(), Failure<Pendulum>> {
    let run = pendulum(&HalfExplicit::order5(), 2048.0)?;
    assert!(distance(&run.last().q, &Pendulum::Q_AT_1) < 1e-13);
    assert!(distance(&run.last().v, &Pendulum::V_AT_1) < 1e-13);
    assert!((run.last().lambda[0] - Pendulum::LAMBDA_AT_1).abs() < 1e-11);
    Ok(())
}

fn pendulum(method: &HalfExplicit, steps: f64) -> Result<Run<Pendulum>, Failure<Pendulum>> {
    run_to_1(&Pendulum::new(0.2), method, steps)
}

fn run_to_1(
    system: &Pendulum,
    method: &HalfExplicit,
    steps: f64,
) -> Result<Run<Pendulum>, Failure<Pendulum>> {
    let simulation = method.clone().simulate(system, 0.0..=1.0);
    simulation.step(1.0 / steps).run()
}

/// Largest distance over the 16 common times of two runs.
fn largest<S: Constrained>(
    run: &Run<S>,
    exact: &Run<S>,
    part: impl Fn(&State<S>) -> Vec<f64>,
) -> f64 {
    let at = |run: &Run<S>, k: usize| part(&run.states()[k * (run.states().len() - 1) / 16]);
    (1..=16)
        .map(|k| distance(&at(run, k), &at(exact, k)))
        .fold(0.0, f64::max)
}

#[test]
fn pendulum_has_the_order_of_the_method() -> Result<(), Failure<Pendulum>> {
    let exact = pendulum(
        &HalfExplicit::order5().multipliers(Multipliers::Recomputed),
        2048.0,
    )?;
    for (p, method) in methods() {
        let (mut q, mut v, mut raw, mut recomputed) = (vec![], vec![], vec![], vec![]);
        let coarsest = if p < 4.5 { 64.0 } else { 16.0 };
        for halving in 0..5 {
            let steps = coarsest * 2f64.powi(halving);
            let plain = pendulum(&method, steps)?;
            let full = pendulum(&method.clone().multipliers(Multipliers::Recomputed), steps)?;
            assert!(
                distance(&plain.last().q, &full.last().q) == 0.0,
                "the method has used the recomputed multipliers"
            );
            q.push(largest(&plain, &exact, |state| state.q.to_vec()));
            v.push(largest(&plain, &exact, |state| state.v.to_vec()));
            raw.push(largest(&plain, &exact, |state| state.lambda.to_vec()));
            recomputed.push(largest(&full, &exact, |state| state.lambda.to_vec()));
        }
        check(&format!("q, order {p}"), &q, p, 0.2);
        check(&format!("v, order {p}"), &v, p, 0.2);
        // Order p - 1 in general; at these step sizes order 5 does better.
        let raw_order = if p < 4.5 { p - 1.0 } else { p };
        check(&format!("raw lambda, order {p}"), &raw, raw_order, 0.2);
        check(
            &format!("recomputed lambda, order {p}"),
            &recomputed,
            p,
            0.3,
        );
    }
    Ok(())
}

#[test]
fn forces_and_constraints_may_depend_on_time() -> Result<(), Box<dyn std::error::Error>> {
    let mut system = Pendulum::new(0.2);
    system.drive = 0.1;
    let exact = run_to_1(&system, &HalfExplicit::order5(), 2048.0)?;
    let residuals = exact.residuals(&system)?;
    assert!(residuals.velocity < 1e-13, "{residuals:?}");
    assert!(residuals.position < 1e-12, "{residuals:?}");
    for (p, method) in methods() {
        let (mut q, mut v) = (vec![], vec![]);
        for halving in 0..5 {
            let run = run_to_1(&system, &method, 16.0 * 2f64.powi(halving))?;
            q.push(largest(&run, &exact, |state| state.q.to_vec()));
            v.push(largest(&run, &exact, |state| state.v.to_vec()));
        }
        check(&format!("q, order {p}"), &q, p, 0.4);
        check(&format!("v, order {p}"), &v, p, 0.4);
    }
    Ok(())
}

#[test]
fn without_constraints_the_method_has_its_order_on_the_group() -> Result<(), Failure<RigidBody>> {
    let system = RigidBody::new();
    let run = |method: HalfExplicit, h: f64| {
        method
            .simulate(&system, 0.0..=2.0)
            .step(h)
            .output(Output::EndOnly)
            .run()
    };
    let exact = run(HalfExplicit::order5(), 1.0 / 2048.0)?;
    for (p, method) in methods() {
        let (mut q, mut v) = (vec![], vec![]);
        let coarsest = if p < 4.5 { 16.0 } else { 6.0 };
        for halving in 0..5 {
            let h = 1.0 / (coarsest * 2f64.powi(halving));
            let run = run(method.clone(), h)?;
            q.push(system.space().distance(&run.last().q, &exact.last().q));
            v.push(distance(&run.last().v, &exact.last().v));
        }
        check(&format!("q, order {p}"), &q, p, 0.2);
        check(&format!("v, order {p}"), &v, p, 0.2);
    }
    let momentum = |run: &Run<RigidBody>| system.momentum(&run.last().q, &run.last().v).angular;
    let start = system.momentum(&system.start_config(), &system.start_velocity());
    assert!(distance(&momentum(&exact), &start.angular) < 1e-12);
    Ok(())
}

#[test]
fn the_acceleration_of_the_state_belongs_to_its_multipliers() -> Result<(), SolveError> {
    let system = Pendulum::new(0.2);
    for (p, method) in methods() {
        let mut stepper = method.stepper(&system)?;
        let mut state = State::start(&system, 0.0);
        let mut stats = Stats::default();
        stepper.start(&system, &mut state, 0.01)?;
        assert!((state.lambda[0] - 10.215_393_252_043_572).abs() < 1e-13);
        for _ in 0..3 {
            stepper.step(&system, &mut state, 0.01, &mut stats)?;
        }
        let [x, y] = state.q.map(|q| -q * state.lambda[0]);
        assert!(distance(&state.vdot, &[x, y - 9.81]) < 1e-12, "order {p}");
        assert_eq!(stats.accepted, 3);
    }
    Ok(())
}

/// Local error of the pair: order 5 in the step size, for the difference of the
/// solutions of order 5 and 4.
#[test]
fn the_error_estimate_has_order_5() -> Result<(), SolveError> {
    let system = RigidBody::new();
    // Tolerances for which scaled and absolute errors are about the same.
    let mut stepper = HalfExplicit::order5()
        .tolerances(1.0, 1e-300)
        .stepper(&system)?;
    let mut state = State::start(&system, 0.0);
    stepper.start(&system, &mut state, 0.1)?;
    let mut errors = vec![];
    for halving in 0..5 {
        let h = 0.2 / 2f64.powi(halving);
        let error = stepper.attempt(&system, &state, h, &mut Stats::default())?;
        errors.push(error.unwrap_or(f64::NAN));
    }
    check("estimate", &errors, 5.0, 0.2);
    Ok(())
}

#[test]
fn tolerances_control_the_error() -> Result<(), Failure<Pendulum>> {
    let system = Pendulum::new(0.2);
    let mut last_error = f64::INFINITY;
    for exponent in [4, 6, 8, 10] {
        let tolerance = 10f64.powi(-exponent);
        let run = HalfExplicit::order5()
            .tolerances(tolerance, tolerance)
            .run(&system, 0.0..=1.0)?;
        let error = distance(&run.last().q, &Pendulum::Q_AT_1);
        assert!(error < 10.0 * tolerance, "{error:e} for {tolerance:e}");
        assert!(error < last_error);
        assert!(run.stats().rejected() <= 2, "{:?}", run.stats());
        assert!(run.stats().accepted < 4 * 10u64.pow(exponent.unsigned_abs() / 5 + 1));
        last_error = error;
    }
    Ok(())
}

#[test]
fn the_first_step_is_neither_too_long_nor_far_too_short() -> Result<(), Failure<Pendulum>> {
    for exponent in [3, 6, 9, 12] {
        let tolerance = 10f64.powi(-exponent);
        let run = HalfExplicit::order5()
            .tolerances(tolerance, tolerance)
            .simulate(&Pendulum::new(0.2), 0.0..=1.0)
            .record_steps(true)
            .run()?;
        assert_eq!(run.stats().rejected(), 0, "tolerance {tolerance:e}");
        let longest = run.steps().iter().map(|step| step.h).fold(0.0, f64::max);
        assert!(run.steps()[0].h > longest / 1000.0, "{:?}", run.steps()[0]);
    }
    Ok(())
}

#[test]
fn the_pi_controller_reaches_the_same_accuracy() -> Result<(), Failure<Pendulum>> {
    let system = Pendulum::new(0.2);
    let run = HalfExplicit::order5()
        .tolerances(1e-8, 1e-8)
        .controller(Controller::pi(5))
        .run(&system, 0.0..=1.0)?;
    assert!(distance(&run.last().q, &Pendulum::Q_AT_1) < 1e-7);
    Ok(())
}

#[test]
fn options_outside_their_range_are_errors() {
    let system = Pendulum::new(0.2);
    let rejected = |method: HalfExplicit| {
        matches!(
            method.stepper(&system),
            Err(SolveError::InvalidOption { .. })
        )
    };
    assert!(rejected(HalfExplicit::order5().tolerances(0.0, 1e-6)));
    assert!(rejected(HalfExplicit::order5().tolerances(1e-6, 0.0)));
    assert!(rejected(HalfExplicit::order5().tolerances(f64::NAN, 1e-6)));
    assert!(rejected(HalfExplicit::order5().tolerances(1e-6, -1.0)));
    assert!(rejected(HalfExplicit::order4().tolerances(1e-6, 1e-6)));
    assert!(rejected(
        HalfExplicit::order5()
            .tolerances(1e-6, 1e-6)
            .controller(Controller::new(5).fac(2.0))
    ));
    assert!(!rejected(HalfExplicit::order5().tolerances(1e-6, 1e-6)));
}

#[test]
fn a_bad_step_size_leaves_the_state_alone() -> Result<(), SolveError> {
    let system = Pendulum::new(0.2);
    let mut stepper = HalfExplicit::order5().stepper(&system)?;
    let mut state = State::start(&system, 0.0);
    stepper.start(&system, &mut state, 0.1)?;
    for h in [0.0, -0.1, f64::NAN, f64::INFINITY] {
        let result = stepper.step(&system, &mut state, h, &mut Stats::default());
        assert!(
            matches!(result, Err(SolveError::InvalidStep { .. })),
            "{h}: {result:?}"
        );
        assert!(distance(&state.q, &system.start_config()) == 0.0);
    }
    Ok(())
}

/// Without constraints a step is one of Runge, Kutta, Munthe and Kaas: an ordinary Runge-Kutta step
/// for `Theta' = T(Theta)^-1 V`, `J V' = -V x J V`, here from the Lie group alone.
#[test]
fn without_constraints_it_is_the_method_of_munthe_kaas() -> Result<(), SolveError> {
    use crate::lie::{LieGroup, SO3};
    use nalgebra::{Matrix3, Vector3};
    let inertia = Vector3::new(1.0, 2.0, 3.0);
    let acceleration = |v: &Vector3<f64>| {
        let momentum = inertia.component_mul(v);
        -v.cross(&momentum).component_div(&inertia)
    };
    let body = RigidBody::new();
    let h = 0.3;
    for (order, method) in (2..).zip(methods().map(|(_, method)| method)) {
        let mut state = State::start(&body, 0.0);
        let mut stepper = method.stepper(&body)?;
        stepper.start(&body, &mut state, h)?;
        let mut rotation = SO3::<f64>::identity();
        let mut v = Vector3::from(state.v);
        let tableau = crate::tableau::of_order(order);
        for _ in 0..3 {
            let (mut rates, mut accelerations) = (Vec::new(), Vec::new());
            let combined = |list: &[Vector3<f64>], row: usize| {
                let terms = list.iter().zip(tableau.a[row]);
                terms.map(|(x, a)| x * (h * a)).sum::<Vector3<f64>>()
            };
            for row in 0..tableau.s {
                let (theta, velocity) = (combined(&rates, row), v + combined(&accelerations, row));
                rates.push(SO3::tangent_inverse(&theta) * velocity);
                accelerations.push(acceleration(&velocity));
            }
            rotation = rotation.compose(&SO3::exp(&combined(&rates, tableau.s)));
            v += combined(&accelerations, tableau.s);
            stepper.step(&body, &mut state, h, &mut Stats::default())?;
        }
        let found = Matrix3::from_row_slice(&state.q);
        let error = (found - rotation.matrix).norm() + (Vector3::from(state.v) - v).norm();
        assert!(error < 1e-14, "order {order}: {error:e}");
    }
    Ok(())
}
