//! Adaptive steps of the method of order 5 on the heavy top: the reference runs, the error
//! estimate of a single step, and what the options of the controller do.

#![expect(clippy::float_cmp, reason = "numbers that must be exact")]

use polhode::control::Controller;
use polhode::error::SolveError;
use polhode::generic::GenericSystem;
use polhode::half_explicit::HalfExplicit;
use polhode::lie::GroupKind;
use polhode::run::Run;
use polhode::simulation::Simulation;
use polhode::state::State;
use polhode::stats::Stats;
use polhode::stepper::{Method, Stepper};
use polhode::system::{Bodies, Manifold};
use polhode_models::heavy_top;
use polhode_tests::{RIGID, data, difference, distance, floats};

fn top(group: GroupKind) -> GenericSystem {
    GenericSystem::new(heavy_top::constrained(group)).unwrap()
}

fn method(rtol: f64) -> HalfExplicit {
    HalfExplicit::order5().tolerances(rtol / 100.0, rtol)
}

fn simulate(
    system: &GenericSystem,
    method: HalfExplicit,
) -> Simulation<'_, GenericSystem, HalfExplicit> {
    method.simulate(system, 0.0..=1.0).record_steps(true)
}

/// Exact configuration, velocity and multipliers at a time of the reference data.
fn exact(group: GroupKind, time: &str) -> [Vec<f64>; 3] {
    let values = &data("heavy_top.json")["values"][time];
    let quaternion = matches!(group, GroupKind::S3xR3 | GroupKind::S3sR3);
    let direct = matches!(group, GroupKind::SO3xR3 | GroupKind::S3xR3);
    let pair = |a: &str, b: &str| [floats(&values[a]), floats(&values[b])].concat();
    [
        pair(if quaternion { "quat" } else { "R" }, "x"),
        pair("Omega", if direct { "u" } else { "U" }),
        floats(&values["lam"]),
    ]
}

/// Errors of `(q, v, lambda)`.
fn errors(system: &GenericSystem, found: [&[f64]; 3], exact: &[Vec<f64>; 3]) -> [f64; 3] {
    [
        system.space().distance(found[0], &exact[0]),
        distance(found[1], &exact[1]),
        distance(found[2], &exact[2]),
    ]
}

fn errors_at_end(system: &GenericSystem, group: GroupKind, run: &Run<GenericSystem>) -> [f64; 3] {
    let State { q, v, lambda, .. } = run.last();
    errors(system, [q, v, lambda], &exact(group, "1.0"))
}

const TOLERANCES: [(f64, &str); 3] = [(1e-4, "0.0001"), (1e-6, "1e-06"), (1e-8, "1e-08")];

/// Accepted and rejected steps within 2 and errors within 10 % of an independent implementation,
/// from a first step of 1e-3; without it, at most a few steps more and the same accuracy.
#[test]
fn reference_runs() {
    let golden = data("half_explicit.json");
    for (group, name) in RIGID {
        let system = top(group);
        for (rtol, key) in TOLERANCES {
            let what = format!("{name}, rtol = {rtol:e}");
            let expected = &golden["adaptive"][format!("{name}/rtol{key}")];
            let [accepted, rejected] =
                ["acc", "rej"].map(|count| expected[count].as_u64().unwrap());
            let run = simulate(&system, method(rtol)).step(1e-3).run().unwrap();
            let stats = run.stats();
            assert!(
                stats.accepted.abs_diff(accepted) <= 2 && stats.rejected().abs_diff(rejected) <= 2,
                "{what}: {stats:?} instead of {accepted} and {rejected}"
            );
            let [q, v, lambda] = ["q", "v", "lam"].map(|part| floats(&expected[part]));
            let expected = errors(&system, [&q, &v, &lambda], &exact(group, "1.0"));
            let found = errors_at_end(&system, group, &run);
            for i in 0..3 {
                assert!(
                    (found[i] / expected[i] - 1.0).abs() < 0.1,
                    "{what}: errors {found:?} instead of {expected:?}"
                );
            }

            let run = simulate(&system, method(rtol)).run().unwrap();
            let stats = run.stats();
            assert!(
                stats.accepted + stats.rejected() <= accepted + rejected + 10,
                "{what}: {stats:?} with an automatic first step instead of {accepted}"
            );
            let first = run.steps()[0];
            assert!(
                first.h > 1e-7 && first.error.unwrap() <= 1.0,
                "{what}: {first:?}"
            );
            let found = errors_at_end(&system, group, &run);
            for i in 0..3 {
                assert!(
                    (0.5..2.0).contains(&(found[i] / expected[i])),
                    "{what}: errors {found:?} with an automatic first step instead of {expected:?}"
                );
            }
        }
    }
}

/// The increment and the estimated error of the first step with h = 1e-3, in the norm
/// `sqrt(mean(((y - y_hat) / (atol + rtol max(|y_n|, |y|)))^2))`, `y = (theta, v)`.
#[test]
fn error_estimate_of_the_first_step() {
    let golden = data("half_explicit.json");
    for (group, name) in RIGID {
        let system = top(group);
        let embedded = &golden["embedded"][name];
        let part = |key: &str| floats(&embedded[key]);
        let (theta, theta_hat, v_hat) = (part("theta"), part("theta_hat"), part("v_hat"));
        let v = floats(&golden["steps"][format!("{name}/order5/B=RTx")]["1"]["v"]);
        for (absolute, relative) in [(1e-6, 1e-6), (1e-3, 1e-9), (1e-7, 1e-2), (1e-9, 1e-4)] {
            let start = State::start(&system, 0.0);
            let mut squares = 0.0;
            for i in 0..6 {
                let theta_scale = absolute + relative * theta[i].abs();
                let v_scale = absolute + relative * f64::max(v[i].abs(), start.v[i].abs());
                squares += ((theta[i] - theta_hat[i]) / theta_scale).powi(2)
                    + ((v[i] - v_hat[i]) / v_scale).powi(2);
            }
            let expected = (squares / 12.0).sqrt();

            let method = HalfExplicit::order5().tolerances(absolute, relative);
            let mut stepper = method.stepper(&system).unwrap();
            let mut state = start;
            stepper.start(&system, &mut state, 1e-3).unwrap();
            let error = stepper.attempt(&system, &state, 1e-3, &mut Stats::default());
            let error = error.unwrap().unwrap();
            // Differences of numbers that agree in five to ten digits.
            assert!(
                (error / expected - 1.0).abs() < 1e-5,
                "{name}: {error:.8e} instead of {expected:.8e}"
            );
            let mut increment = system.new_velocity();
            stepper.increment(&system, &state, &mut increment);
            assert!(difference(&increment, &theta) < 1e-15, "{name}");
        }
    }
}

/// Without tolerances nothing is estimated, and the steps are those that were asked for.
#[test]
fn fixed_steps_have_no_error() {
    let system = top(GroupKind::SE3);
    let run = simulate(&system, HalfExplicit::order5()).step(1e-3).run();
    let run = run.unwrap();
    assert_eq!(run.steps().len(), 1000);
    assert!(run.steps().iter().all(|step| step.error.is_none()));
}

/// Each step is the one before times the factor of its error, and of the error before it in the
/// PI controller.
#[test]
fn steps_follow_the_controller() {
    let system = top(GroupKind::SO3xR3);
    let default = method(1e-6);
    let pi = Controller::pi(5);
    let cases = [
        (Controller::new(5), default.clone()),
        (pi, default.clone().controller(pi)),
        (
            Controller::new(5).fac(0.5).factors(0.9, 1.1),
            default
                .clone()
                .controller(Controller::new(5).fac(0.5).factors(0.9, 1.1)),
        ),
    ];
    for (controller, method) in cases {
        let run = simulate(&system, method).step(1e-3).run().unwrap();
        assert_eq!(run.stats().rejected(), 0);
        let steps = run.steps();
        let mut last_error = 1.0;
        // The last step is cut at the end of the span.
        for pair in steps[..steps.len() - 1].windows(2) {
            let error = pair[0].error.unwrap();
            let factor = controller.factor(error, last_error);
            assert!(
                (pair[1].h / (pair[0].h * factor) - 1.0).abs() < 1e-14,
                "{controller:?}: {pair:?}"
            );
            last_error = error;
        }
    }
}

/// The PI controller keeps the accuracy and needs no more steps.
#[test]
fn pi_control() {
    for (group, name) in RIGID {
        let system = top(group);
        for (rtol, _) in TOLERANCES {
            let plain = simulate(&system, method(rtol)).run().unwrap();
            let method = method(rtol).controller(Controller::pi(5));
            let pi = simulate(&system, method).run().unwrap();
            let (plain_stats, stats) = (plain.stats(), pi.stats());
            assert!(
                stats.accepted + stats.rejected() <= plain_stats.accepted + plain_stats.rejected(),
                "{name}, rtol = {rtol:e}: {stats:?} {plain_stats:?}"
            );
            let plain = errors_at_end(&system, group, &plain);
            let pi = errors_at_end(&system, group, &pi);
            for i in 0..3 {
                assert!(
                    (0.3..4.0).contains(&(pi[i] / plain[i])),
                    "{name}, rtol = {rtol:e}: errors {pi:?} {plain:?}"
                );
            }
        }
    }
}

/// Steps end at the given times, which cost a step or two each, and the states there are as good
/// as everywhere.
#[test]
fn stops() {
    for (group, name) in RIGID {
        let system = top(group);
        let stops = [0.777, 0.1, 0.5, 0.500_001];
        let plain = simulate(&system, method(1e-7)).run().unwrap();
        let run = simulate(&system, method(1e-7))
            .stop_at(stops)
            .run()
            .unwrap();
        assert_eq!(run.states().len(), run.steps().len() + 1);
        for stop in stops {
            let ends = run.states().iter().filter(|state| state.t == stop);
            assert_eq!(ends.count(), 1, "{name}: {stop}");
        }
        let more = run.stats().accepted.abs_diff(plain.stats().accepted);
        assert!(more <= 10, "{name}: {more} steps for four stops");
        for (t, time) in [(0.1, "0.1"), (0.5, "0.5")] {
            let state = run.states().iter().find(|state| state.t == t).unwrap();
            let [q, v, lambda] = errors(
                &system,
                [&state.q, &state.v, &state.lambda],
                &exact(group, time),
            );
            assert!(
                q < 2e-6 && v < 1e-5 && lambda < 1e-3,
                "{name}: {q:e} {v:e} {lambda:e}"
            );
        }
    }
}

/// Limits of the step size, from above and from below.
#[test]
fn step_size_limits() {
    let system = top(GroupKind::SE3);
    let limited = |h_min, h_max, rtol| {
        let controller = Controller::new(5).limits(h_min, h_max);
        simulate(&system, method(rtol).controller(controller))
    };
    let run = limited(0.0, 1e-3, 1e-4).run().unwrap();
    let largest = run.steps().iter().fold(0.0, |h: f64, step| h.max(step.h));
    assert!(largest <= 1e-3 * (1.0 + 1e-12), "{largest}");
    assert!((1000..1020).contains(&run.stats().accepted));

    let Err(failed) = limited(1e-3, 1.0, 1e-10).run() else {
        panic!("steps of 1e-3 cannot have errors of 1e-10");
    };
    assert!(
        matches!(failed.error, SolveError::StepTooSmall { h_min, .. } if h_min == 1e-3),
        "{failed}"
    );
    let text = failed.to_string();
    assert!(
        text.contains("1.000e-3") && text.contains("times the tolerance"),
        "{text}"
    );
    // The last step may be shorter.
    let run = limited(1e-3, 1.0, 1e-4).run().unwrap();
    let steps = run.steps();
    assert!(steps[..steps.len() - 1].iter().all(|step| step.h >= 1e-3));
}

/// A start far from zero, where a first step chosen for its error would vanish in rounding.
#[test]
fn late_start() {
    let system = top(GroupKind::SE3);
    let run = method(1e-6).simulate(&system, 1e9..=1e9 + 1.0).step(1e-12);
    let run = run.run().unwrap();
    let [q, ..] = errors_at_end(&system, GroupKind::SE3, &run);
    // Times are rounded to 1e-7, in which the top turns by 1e-5.
    assert!(
        q < 1e-3 && run.stats().accepted < 1000,
        "{q} {:?}",
        run.stats()
    );
}
