//! Mechanisms of the literature, generated and generic, against values from other formulations.

#[path = "mechanisms/angles.rs"]
mod angles;

use core::f64::consts::{PI, TAU};

use polhode::generalized_alpha::{GeneralizedAlpha, Sigma};
use polhode::generic::GenericSystem;
use polhode::generic::description::Description;
use polhode::half_explicit::HalfExplicit;
use polhode::joints::JointTracker;
use polhode::lie::GroupKind;
use polhode::run::Run;
use polhode::state::State;
use polhode::stepper::Method;
use polhode::system::System;
use polhode_models::double_pendulum::{
    DOUBLE_PENDULUM, DoublePendulumDirect, DoublePendulumSemidirect, textbook_angles,
};
use polhode_models::four_bar::FourBarDirect;
use polhode_models::gyroscope::{GyroscopeDirect, GyroscopeSemidirect};
use polhode_models::model::{Choice, Known, Model, in_group};
use polhode_models::puma560::{self, PumaADirect, PumaBDirect};
use polhode_models::rotor::{LEFT_AT_1, ROTOR, RotorDirect, RotorSemidirect};
use polhode_models::slider_crank::{
    CRANK_ANGLE_AT_5, CRANK_RATE_AT_5, SLIDER_AT_A, SLIDER_CRANK, SLIDER_MIDDLE,
    SLIDER_VELOCITY_AT_5, SliderCrankDirect, SliderCrankDirectParameters, SliderCrankSemidirect,
    SliderCrankSemidirectParameters,
};
use polhode_tests::{RIGID, distance, observed_order};

fn generic(description: Description, group: GroupKind) -> GenericSystem {
    GenericSystem::new(in_group(description, group)).unwrap()
}

/// A run with steps that end at the given times.
fn at<S: System, M: Method<S>>(system: &S, method: M, times: &[f64], step: Option<f64>) -> Run<S> {
    let end = times[times.len() - 1];
    let mut simulation = method
        .simulate(system, 0.0..=end)
        .stop_at(times[..times.len() - 1].to_vec());
    if let Some(step) = step {
        simulation = simulation.step(step);
    }
    simulation.run().unwrap()
}

fn he5() -> HalfExplicit {
    HalfExplicit::order5().tolerances(1e-12, 1e-11)
}

fn slider_positions<S: System>(run: &Run<S>, system: &S) -> Vec<f64> {
    [1.0, 2.0, 3.0, 4.0, 5.0]
        .into_iter()
        .map(|t| {
            let state = run.states().iter().find(|state| state.t == t).unwrap();
            state.body(system, 2).position()[0]
        })
        .collect()
}

fn check_slider_crank<S: System>(system: &S, expected: [f64; 5], what: &str) -> Run<S> {
    let run = at(system, he5(), &[1.0, 2.0, 3.0, 4.0, 5.0], None);
    let found = slider_positions(&run, system);
    for (found, expected) in found.iter().zip(expected) {
        assert!(
            (found - expected).abs() < 1e-9,
            "{what}: {found} {expected}"
        );
    }
    run
}

/// Angle of a joint at the end of a run, with its turns.
fn followed_angle<S: System>(run: &Run<S>, system: &S, joint: &str) -> f64 {
    let mut joints = system.joints().iter();
    let place = joints.position(|frame| frame.name == joint).unwrap();
    let mut tracker = JointTracker::new(system, &run.states()[0]);
    for state in run.states() {
        tracker.update(system, state);
    }
    tracker.angle(system, run.last(), place).unwrap()
}

#[test]
fn slider_crank() {
    let direct = |center| SliderCrankDirect::new(SliderCrankDirectParameters { center }).unwrap();
    for (center, expected) in [(1.0, SLIDER_MIDDLE), (0.0, SLIDER_AT_A)] {
        let system = direct(center);
        check_slider_crank(&system, expected, "generated SO3xR3");
        let parameters = SliderCrankSemidirectParameters { center };
        let system = SliderCrankSemidirect::new(parameters).unwrap();
        check_slider_crank(&system, expected, "generated SE3");
        for (group, name) in RIGID {
            let system = generic(direct(center).description(), group);
            check_slider_crank(&system, expected, name);
        }
    }
    let system = direct(1.0);
    let run = check_slider_crank(&system, SLIDER_MIDDLE, "crank");
    let last = run.last();
    let crank = last.joint(&system, SliderCrankDirect::A);
    // No force reads the angle, so the state does not count turns: following the run does.
    assert!(crank.angle().unwrap().abs() <= PI);
    let angle = followed_angle(&run, &system, "a");
    assert!((angle - CRANK_ANGLE_AT_5).abs() < 1e-8, "{angle}");
    let rate = crank.angle_rate().unwrap();
    assert!((rate - CRANK_RATE_AT_5).abs() < 1e-8, "{rate}");
    let speed = last.body(&system, 2).velocity()[0];
    assert!((speed - SLIDER_VELOCITY_AT_5).abs() < 1e-8, "{speed}");
}

/// Every formulation and sigma converges with order 2 to the reference.
#[test]
fn slider_crank_by_generalized_alpha() {
    fn order<S: System>(system: &S, method: GeneralizedAlpha) -> f64 {
        let points: Vec<(f64, f64)> = [2e-3, 1e-3, 5e-4, 2.5e-4]
            .into_iter()
            .map(|h| {
                let run = at(system, method, &[1.0], Some(h));
                let position = run.last().body(system, 2).position()[0];
                (h, (position - SLIDER_MIDDLE[0]).abs())
            })
            .collect();
        observed_order(&points)
    }
    for (method, name) in [
        (GeneralizedAlpha::index3(), "index 3"),
        (GeneralizedAlpha::index2(), "index 2"),
        (GeneralizedAlpha::stabilized_index2(), "stabilized"),
    ] {
        for sigma in [Sigma::Geom1, Sigma::One, Sigma::Optimal] {
            let method = method.sigma(sigma);
            let orders = [
                order(&SliderCrankDirect::default(), method),
                order(&SliderCrankSemidirect::default(), method),
            ];
            for order in orders {
                assert!((order - 2.0).abs() < 0.1, "{name}, {sigma:?}: {order}");
            }
        }
    }
}

/// Full Newton needs little more than two iterations per step.
#[test]
fn newton_iterations_of_the_slider_crank() {
    let run = at(
        &SliderCrankDirect::default(),
        GeneralizedAlpha::index3(),
        &[5.0],
        Some(1e-3),
    );
    #[expect(clippy::cast_precision_loss, reason = "small counts")]
    let mean = run.stats().newton_iterations as f64 / run.stats().accepted as f64;
    assert!(mean <= 2.1, "{mean}");
}

fn check_puma<S: System>(system: &S, end: f64, expected: [f64; 6], what: &str) {
    const JOINTS: [&str; 6] = ["waist", "shoulder", "elbow", "roll", "pitch", "flange"];
    let run = at(system, HalfExplicit::order5(), &[end], Some(2.5e-4));
    for (joint, expected) in JOINTS.into_iter().zip(expected) {
        let angle = run.last().joint(system, joint).unwrap().angle().unwrap();
        assert!(
            (angle - expected).abs() < 1e-9,
            "{what} {joint}: {angle} {expected}"
        );
    }
}

#[test]
fn puma() {
    check_puma(&PumaADirect, 0.5, puma560::ANGLES_A, "generated A");
    check_puma(&PumaBDirect, 0.5, puma560::ANGLES_B, "generated B");
    // Beyond half a turn.
    check_puma(&PumaBDirect, 1.0, puma560::ANGLES_B_AT_1, "generated B");
    for (group, name) in RIGID {
        check_puma(
            &generic(PumaADirect.description(), group),
            0.5,
            puma560::ANGLES_A,
            name,
        );
        check_puma(
            &generic(PumaBDirect.description(), group),
            0.5,
            puma560::ANGLES_B,
            name,
        );
    }
}

fn left_support<S: System>(system: &S, state: &State<S>) -> [f64; 3] {
    let view = state.body(system, 0);
    let (x, r) = (view.position(), view.rotation_matrix());
    core::array::from_fn(|i| x[i] - 0.11 * r[i][0])
}

/// 100 000 steps; the body turns by 0.2 rad in each.
#[test]
fn rotor() {
    fn check<S: System>(system: &S, what: &str) {
        for (h, bound) in [(1e-5, 4e-11), (4e-6, 5e-13)] {
            let run = at(system, HalfExplicit::order5(), &[1.0], Some(h));
            let error = distance(&left_support(system, run.last()), &LEFT_AT_1);
            assert!(error < bound, "{what}, h = {h}: {error:.2e}");
        }
    }
    check(&RotorDirect, "SO3xR3");
    check(&RotorSemidirect, "SE3");
}

/// Order 2, and one factorization is enough for 100 000 steps of modified Newton.
#[test]
fn rotor_by_generalized_alpha() {
    let points: Vec<(f64, f64)> = [1e-5, 5e-6, 2.5e-6]
        .into_iter()
        .map(|h| {
            let method = GeneralizedAlpha::index3().modified_newton();
            let run = at(&RotorDirect, method, &[1.0], Some(h));
            let factorizations = run.stats().factorizations + run.stats().refactorizations;
            assert_eq!(factorizations, 1, "h = {h}");
            let left = left_support(&RotorDirect, run.last());
            (h, distance(&left, &LEFT_AT_1))
        })
        .collect();
    let order = observed_order(&points);
    assert!((order - 2.0).abs() < 0.1, "{order} {points:?}");
}

/// Neither energy nor the loop is lost in ten seconds.
#[test]
fn four_bar() {
    fn check<S: System>(system: &S, what: &str) {
        let run = HalfExplicit::order5()
            .tolerances(1e-12, 1e-11)
            .run(system, 0.0..=10.0)
            .unwrap();
        assert!(
            run.drift().abs() < 1e-9,
            "{what}: drift {:.2e}",
            run.drift()
        );
        let gap = run.residuals(system).unwrap().position;
        assert!(gap < 1e-10, "{what}: gap {gap:.2e}");
    }
    check(&FourBarDirect, "generated");
    check(
        &generic(FourBarDirect.description(), GroupKind::SE3),
        "generic SE3",
    );
}

#[test]
fn double_pendulum() {
    fn check<S: System>(system: &S, expected: [f64; 2], what: &str) {
        let run = at(system, he5(), &[1.5], None);
        for (body, expected) in [0, 1].into_iter().zip(expected) {
            // x axis of the rod in the plane of x and -z
            let r = run.last().body(system, body).rotation_matrix();
            let angle = (-r[2][0]).atan2(r[0][0]);
            let turns = (angle - expected) / TAU;
            assert!(
                (turns - turns.round()).abs() < 1e-9,
                "{what}: {angle} {expected}"
            );
        }
        assert!(run.drift().abs() < 1e-9, "{what}: {}", run.drift());
    }
    let expected = textbook_angles([1.0, 0.7], 1.5);
    check(&DoublePendulumDirect::default(), expected, "SO3xR3");
    check(&DoublePendulumSemidirect::default(), expected, "SE3");
    let description = DoublePendulumDirect::default().description();
    check(
        &generic(description, GroupKind::S3sR3),
        expected,
        "generic S3sR3",
    );
}

/// Nothing turns a gyroscope about the vertical: energy and vertical angular momentum stay.
#[test]
fn gyroscope() {
    fn check<S: System>(system: &S, what: &str) {
        let run = at(system, he5(), &[1.0], None);
        let momentum = |state: &State<S>| system.momentum(&state.q, &state.v).angular[2];
        let start = momentum(&State::start(system, 0.0));
        let change = (momentum(run.last()) - start) / start;
        assert!(change.abs() < 1e-9, "{what}: {change:.2e}");
        assert!(run.drift().abs() < 1e-9, "{what}: {:.2e}", run.drift());
    }
    check(&GyroscopeDirect::default(), "SO3xR3");
    check(&GyroscopeSemidirect::default(), "SE3");
}

/// What `polhode run` compares with: a point of a body at a time.
fn check_reference<S: System>(model: &Model, choice: &Choice, system: &S, times: &[f64], h: f64) {
    let run = at(system, HalfExplicit::order5(), times, Some(h));
    for &t in times {
        let known = model.known(choice, t);
        let Some(Known::Point {
            factor,
            point,
            position,
        }) = known
        else {
            panic!("{}: {known:?} at {t}", model.name);
        };
        let state = run.states().iter().find(|state| state.t == t).unwrap();
        let view = state.body(system, factor);
        let (x, r) = (view.position(), view.rotation_matrix());
        let found: [f64; 3] =
            core::array::from_fn(|i| x[i] + (0..3).map(|j| r[i][j] * point[j]).sum::<f64>());
        let error = distance(&found, &position);
        assert!(error < 2e-9, "{} at {t}: {error:.2e}", model.name);
    }
}

#[test]
fn references_of_the_registry() {
    let (model, choice) = (&ROTOR, ROTOR.choice());
    check_reference(model, &choice, &RotorDirect, &[1.0], 1e-5);
    let times = [1.0, 2.0, 3.0, 4.0, 5.0];
    let model = &SLIDER_CRANK;
    for center in [0.0, 1.0] {
        let mut choice = model.choice();
        choice.values[0].1 = center;
        let crank = SliderCrankDirect::new(SliderCrankDirectParameters { center }).unwrap();
        check_reference(model, &choice, &crank, &times, 5e-4);
    }
    let (model, mut choice) = (&puma560::PUMA560, puma560::PUMA560.choice());
    check_reference(model, &choice, &PumaADirect, &[0.5, 1.0], 2.5e-4);
    choice.values[0].1 = 1.0;
    check_reference(model, &choice, &PumaBDirect, &[0.5, 1.0], 2.5e-4);
    let (model, choice) = (&DOUBLE_PENDULUM, DOUBLE_PENDULUM.choice());
    let pendulum = DoublePendulumDirect::default();
    check_reference(model, &choice, &pendulum, &[1.0, 1.5], 5e-4);
}
