//! Everything that can go wrong in a run is a typed error with its numbers in the text, and never
//! a panic; what was computed before is kept.

#![expect(clippy::float_cmp, reason = "numbers that must be exact")]

use polhode::control::Controller;
use polhode::error::{Fault, SolveError};
use polhode::generalized_alpha::{GeneralizedAlpha, Sigma};
use polhode::generic::description::{
    Attachment, Body, Description, Force, ForceKind, Joint, JointKind, Start,
};
use polhode::generic::{GenericSystem, LinearMethod};
use polhode::half_explicit::HalfExplicit;
use polhode::lie::GroupKind;
use polhode::newton::{NewtonMatrix, NewtonOptions};
use polhode::output::Output;
use polhode::run::{FailedRun, Outcome};
use polhode::simulation::Simulation;
use polhode::state::State;
use polhode::stepper::Method;
use polhode_models::heavy_top;

fn top(group: GroupKind) -> GenericSystem {
    GenericSystem::new(heavy_top::constrained(group)).unwrap()
}

/// A run that must fail; its text is that of its error and contains all of `parts`.
fn failure<M: Method<GenericSystem>>(
    run: Simulation<'_, GenericSystem, M>,
    parts: &[&str],
) -> FailedRun<GenericSystem> {
    let Err(failed) = run.run() else {
        panic!("this must not work");
    };
    assert_eq!(failed.run.outcome(), Outcome::Failed);
    let text = failed.to_string();
    assert_eq!(text, failed.error.to_string());
    for part in parts {
        assert!(text.contains(part), "no `{part}` in `{text}`");
    }
    *failed
}

/// Fails with an [`SolveError::InvalidOption`] that shows name and value.
fn invalid_option<M: Method<GenericSystem>>(
    run: Simulation<'_, GenericSystem, M>,
    name: &str,
    value: f64,
) {
    let failed = failure(run, &[name, &value.to_string()]);
    let SolveError::InvalidOption {
        option,
        value: found,
        ..
    } = failed.error
    else {
        panic!("{failed}");
    };
    assert_eq!(option, name);
    assert!(
        found == value || found.is_nan() && value.is_nan(),
        "{found}"
    );
    assert!(failed.run.states().is_empty());
}

const NOT_POSITIVE: [f64; 4] = [0.0, -1e-3, f64::NAN, f64::INFINITY];

#[test]
fn step_sizes() {
    let system = top(GroupKind::SE3);
    for h in NOT_POSITIVE {
        let text = format!("step size {h} at t = 0");
        for error in [
            failure(
                HalfExplicit::order3().simulate(&system, 0.0..=1.0).step(h),
                &[&text],
            )
            .error,
            failure(
                GeneralizedAlpha::index3()
                    .simulate(&system, 0.0..=1.0)
                    .step(h),
                &[&text],
            )
            .error,
        ] {
            assert!(matches!(error, SolveError::InvalidStep { .. }), "{error}");
        }
    }
    let none = HalfExplicit::order3().simulate(&system, 0.0..=1.0);
    invalid_option(none, "step", f64::NAN);
    let none = GeneralizedAlpha::index3().simulate(&system, 0.0..=1.0);
    invalid_option(none, "step", f64::NAN);
    for h_min in [-1.0, f64::NAN, f64::INFINITY] {
        let run = HalfExplicit::order3().simulate(&system, 0.0..=1.0);
        invalid_option(run.step(0.1).h_min(h_min), "h_min", h_min);
    }
    // A step that rounding swallows.
    let run = HalfExplicit::order3().simulate(&system, 1.0..=2.0);
    let failed = failure(run.step(1e-17), &["1.000e-17", "t = 1"]);
    assert!(
        matches!(failed.error, SolveError::NoProgress { .. }),
        "{failed}"
    );
}

#[test]
fn spans_and_times() {
    let system = top(GroupKind::SE3);
    for (start, end) in [
        (1.0, 0.0),
        (0.0, f64::NAN),
        (f64::NAN, 1.0),
        (0.0, f64::INFINITY),
    ] {
        let text = format!("from {start} to {end}");
        for error in [
            failure(
                HalfExplicit::order3()
                    .simulate(&system, start..=end)
                    .step(0.1),
                &[&text],
            )
            .error,
            failure(
                GeneralizedAlpha::index3()
                    .simulate(&system, start..=end)
                    .step(0.1),
                &[&text],
            )
            .error,
        ] {
            assert!(matches!(error, SolveError::InvalidSpan { .. }), "{error}");
        }
    }
    let run = || {
        HalfExplicit::order3()
            .simulate(&system, 0.0..=1.0)
            .step(0.1)
    };
    for time in [-0.5, 1.5, f64::NAN] {
        invalid_option(
            run().output(Output::At(vec![0.5, time])),
            "output time",
            time,
        );
    }
    for interval in [0.0, -0.1, f64::NAN] {
        invalid_option(
            run().output(Output::Every(interval)),
            "output interval",
            interval,
        );
    }
    invalid_option(run().stop_at([0.5, f64::NAN]), "stop_at", f64::NAN);
}

#[test]
fn options_of_half_explicit_methods() {
    let system = top(GroupKind::SE3);
    let run = |method: HalfExplicit| method.simulate(&system, 0.0..=1.0).step(1e-3);
    for bad in NOT_POSITIVE {
        let adaptive = HalfExplicit::order5();
        invalid_option(
            run(adaptive.clone().tolerances(bad, 1e-6)),
            "absolute tolerance",
            bad,
        );
        invalid_option(
            run(adaptive.tolerances(1e-6, bad)),
            "relative tolerance",
            bad,
        );
    }
    for method in [
        HalfExplicit::order2(),
        HalfExplicit::order3(),
        HalfExplicit::order4(),
    ] {
        invalid_option(
            run(method.tolerances(1e-6, 1e-6)),
            "relative tolerance",
            1e-6,
        );
    }
    let good = Controller::new(5);
    for (controller, option, value) in [
        (good.fac(1.5), "fac", 1.5),
        (good.fac(f64::NAN), "fac", f64::NAN),
        (good.factors(0.0, 5.0), "facmin", 0.0),
        (good.factors(0.2, 0.5), "facmax", 0.5),
        (good.limits(-1.0, 1.0), "h_min", -1.0),
        (good.limits(0.5, 0.1), "h_max", 0.1),
        (good.limits(0.0, f64::NAN), "h_max", f64::NAN),
        (Controller::new(0), "error_order", 0.0),
    ] {
        let method = HalfExplicit::order5().tolerances(1e-6, 1e-6);
        invalid_option(run(method.controller(controller)), option, value);
    }
}

#[test]
fn options_of_generalized_alpha() {
    let system = top(GroupKind::SE3);
    let run = |method: GeneralizedAlpha| method.simulate(&system, 0.0..=1.0).step(1e-3);
    let method = GeneralizedAlpha::index3();
    for rho in [-0.1, 1.1, f64::NAN, f64::NEG_INFINITY] {
        invalid_option(run(method.rho(rho)), "rho", rho);
    }
    for rho in [0.0, 1.0] {
        let short = method.rho(rho).simulate(&system, 0.0..=1e-2).step(1e-3);
        assert_eq!(short.run().unwrap().stats().accepted, 10, "rho = {rho}");
    }
    for sigma in [f64::NAN, f64::INFINITY] {
        invalid_option(run(method.sigma(Sigma::Value(sigma))), "sigma", sigma);
    }
    let newton = NewtonOptions::default();
    let with = |newton| run(method.newton(newton));
    for absolute in [-1e-12, f64::NAN, f64::INFINITY] {
        let bad = NewtonOptions { absolute, ..newton };
        invalid_option(with(bad), "absolute Newton tolerance", absolute);
    }
    let zero = NewtonOptions {
        absolute: 0.0,
        relative: 0.0,
        ..newton
    };
    invalid_option(with(zero), "absolute Newton tolerance", 0.0);
    for relative in [-1e-8, 1.0, f64::NAN] {
        let bad = NewtonOptions { relative, ..newton };
        invalid_option(with(bad), "relative Newton tolerance", relative);
    }
    for (max_iterations, value) in [(0, 0.0), (101, 101.0)] {
        let bad = NewtonOptions {
            max_iterations,
            ..newton
        };
        invalid_option(with(bad), "max_iterations of Newton's method", value);
    }
    for contraction in [0.0, 1.0, f64::NAN] {
        let matrix = NewtonMatrix::Modified { contraction };
        let bad = NewtonOptions { matrix, ..newton };
        invalid_option(with(bad), "contraction of modified Newton", contraction);
    }
}

/// A point mass on a line that moves towards the other end of a spring.
fn through_zero(stiffness: f64, length: f64) -> GenericSystem {
    GenericSystem::new(Description {
        name: "through-zero".to_owned(),
        bodies: vec![Body {
            name: "bead".to_owned(),
            group: GroupKind::Rn(1),
            mass: 1.0,
            inertia: [[0.0; 3]; 3],
            center: [0.0; 3],
            start: Start {
                position: vec![1.0],
                velocity: vec![-1.0],
                ..Start::default()
            },
        }],
        forces: vec![Force {
            name: "spring".to_owned(),
            kind: ForceKind::SpringDamper {
                first: Attachment::at("ground", [0.0; 3]),
                second: Attachment::at("bead", [0.0; 3]),
                stiffness,
                damping: 0.0,
                length,
            },
        }],
        ..Description::default()
    })
    .unwrap()
}

/// Force from a spring of length zero: NaN at t = 1, after three good steps.
#[test]
fn nan_in_a_force() {
    let system = through_zero(0.0, 0.5);
    let failures = [
        failure(
            HalfExplicit::order2()
                .simulate(&system, 0.0..=2.0)
                .step(0.25),
            &["component 0", "t = 0.75", "2.500e-1"],
        ),
        failure(
            HalfExplicit::order4()
                .simulate(&system, 0.0..=2.0)
                .step(0.25),
            &["component 0", "t = 0.75", "2.500e-1"],
        ),
    ];
    for failed in failures {
        let SolveError::NotFinite {
            t, h, component: 0, ..
        } = failed.error
        else {
            panic!("{failed}");
        };
        assert_eq!((t, h), (0.75, 0.25));
        let times: Vec<f64> = failed.run.states().iter().map(|state| state.t).collect();
        assert_eq!(times, [0.0, 0.25, 0.5, 0.75]);
        assert_eq!(failed.run.last().t, 0.75);
        assert!((failed.run.last().q[0] - 0.25).abs() < 1e-14);
    }
    let run = GeneralizedAlpha::index3()
        .simulate(&system, 0.0..=2.0)
        .step(1.0);
    let failed = failure(
        run,
        &["equations of motion component 0", "t = 0", "1.000e0"],
    );
    assert!(
        matches!(failed.error, SolveError::NotFinite { .. }),
        "{failed}"
    );

    // Shorter and shorter steps towards t = 1 do not help.
    let run = HalfExplicit::order2()
        .simulate(&system, 0.0..=2.0)
        .step(0.25);
    let failed = failure(
        run.reduce_on_failure(true).h_min(1.0 / 1024.0),
        &["NaN", "9.766e-4"],
    );
    assert!(
        matches!(failed.error, SolveError::StepTooSmall { .. }),
        "{failed}"
    );
    assert!(failed.run.last().t > 0.99 && failed.run.stats().rejected_fault > 5);
}

/// Velocities whose squares overflow, configurations that do, and states that are NaN to begin with.
#[test]
fn overflow() {
    let mut description = heavy_top::free(GroupKind::SO3);
    description.bodies[0].start.angular_velocity = [1e200, 1e200, 0.0];
    let fast = GenericSystem::new(description).unwrap();
    for failed in [
        failure(
            HalfExplicit::order5().simulate(&fast, 0.0..=1.0).step(1e-3),
            &["acceleration"],
        ),
        failure(
            GeneralizedAlpha::index3()
                .simulate(&fast, 0.0..=1.0)
                .step(1e-3),
            &["acceleration"],
        ),
        failure(
            HalfExplicit::order5()
                .tolerances(1e-6, 1e-6)
                .simulate(&fast, 0.0..=1.0),
            &["acceleration"],
        ),
    ] {
        assert!(
            matches!(failed.error, SolveError::NotFinite { .. }),
            "{failed}"
        );
    }

    let mut far = through_zero(0.0, 0.5).description().clone();
    far.forces.clear();
    far.bodies[0].start.velocity = vec![1.7e308];
    let far = GenericSystem::new(far).unwrap();
    for failed in [
        failure(
            HalfExplicit::order3().simulate(&far, 0.0..=20.0).step(1.0),
            &[],
        ),
        failure(
            GeneralizedAlpha::index3()
                .simulate(&far, 0.0..=20.0)
                .step(1.0),
            &[],
        ),
    ] {
        assert!(
            matches!(failed.error, SolveError::NotFinite { .. }),
            "{failed}"
        );
        assert!(failed.run.last().q[0].is_finite() && failed.run.last().t >= 0.0);
    }
    // A configuration that overflows although the velocity does not.
    let run = HalfExplicit::order3().simulate(&far, 0.0..=20.0).step(20.0);
    failure(run, &["configuration component 0"]);

    let system = top(GroupKind::SE3);
    for part in 0..2 {
        let mut state = State::start(&system, 0.0);
        let numbers = if part == 0 {
            &mut state.q
        } else {
            &mut state.v
        };
        numbers[2] = f64::NAN;
        let run = HalfExplicit::order3()
            .simulate(&system, 0.0..=1.0)
            .step(1e-3);
        let failed = failure(run.from(state), &["NaN", "pivot"]);
        assert!(
            matches!(failed.error, SolveError::Inconsistent { .. }),
            "{failed}"
        );
    }
    let mut state = State::start(&far, 0.0);
    (state.q[0], state.v[0]) = (f64::NAN, 1.0);
    let run = HalfExplicit::order3().simulate(&far, 0.0..=1.0).step(0.1);
    let failed = failure(run.from(state), &["configuration component 0"]);
    assert!(
        matches!(failed.error, SolveError::NotFinite { .. }),
        "{failed}"
    );
}

#[test]
fn states_of_another_system() {
    let (matrix, quaternion) = (top(GroupKind::SE3), top(GroupKind::S3sR3));
    let state = State::start(&quaternion, 0.0);
    let run = HalfExplicit::order3()
        .simulate(&matrix, 0.0..=1.0)
        .step(1e-3);
    let failed = failure(run.from(state), &["configuration", "7", "12"]);
    assert!(
        matches!(
            failed.error,
            SolveError::WrongLength {
                found: 7,
                expected: 12,
                ..
            }
        ),
        "{failed}"
    );
    let mut state = State::start(&matrix, 0.0);
    state.lambda = vec![0.0; 4].into();
    let run = GeneralizedAlpha::index3()
        .simulate(&matrix, 0.0..=1.0)
        .step(1e-3);
    failure(run.from(state), &["multiplier", "4", "3"]);
}

/// A joint that is there twice is named, by dense elimination and by fronts.
#[test]
fn dependent_constraints() {
    let mut description = heavy_top::constrained(GroupKind::SO3xR3);
    let mut copy = description.joints[0].clone();
    copy.name = "copy".to_owned();
    description.joints.push(copy);
    for linear in [LinearMethod::Dense, LinearMethod::Fronts] {
        let system = GenericSystem::with_method(description.clone(), linear).unwrap();
        for failed in [
            failure(
                HalfExplicit::order5()
                    .simulate(&system, 0.0..=1.0)
                    .step(1e-3),
                &["linearly dependent", "pivot"],
            ),
            failure(
                GeneralizedAlpha::stabilized_index2()
                    .simulate(&system, 0.0..=1.0)
                    .step(1e-3),
                &["linearly dependent", "pivot"],
            ),
        ] {
            let SolveError::Evaluation {
                fault:
                    Fault::SingularConstraints {
                        constraint,
                        pivot,
                        scale,
                    },
                ..
            } = failed.error
            else {
                panic!("{failed}");
            };
            let names = ["joint `copy`", "joint `pivot`"];
            assert!(
                names.iter().any(|name| constraint.starts_with(name)),
                "{constraint}"
            );
            if linear == LinearMethod::Dense {
                assert!(constraint.starts_with("joint `copy`"), "{constraint}");
            }
            assert!(pivot.abs() < 1e-12 * scale, "{pivot:e} {scale:e}");
        }
    }
}

/// Numbers that are not finite are not called dependent constraints.
#[test]
fn infinite_matrices_are_not_called_singular() {
    let mut description = heavy_top::constrained(GroupKind::SE3);
    let joint = Joint {
        name: "far".to_owned(),
        kind: JointKind::PointOnLine,
        first: Attachment::at("top", [1e200, 0.0, 0.0]),
        second: Attachment::at("ground", [1e200, 1.0, 0.0]),
    };
    description.joints = vec![joint];
    description.bodies[0].start = Start {
        position: vec![0.0, 1.0, 0.0],
        ..Start::default()
    };
    let system = GenericSystem::new(description).unwrap();
    let run = HalfExplicit::order5()
        .simulate(&system, 0.0..=1.0)
        .step(1e-3);
    let failed = failure(run, &["B M^-1 B^T", "not finite", "far"]);
    assert!(
        matches!(
            failed.error,
            SolveError::Evaluation {
                fault: Fault::NotFinite { .. },
                ..
            }
        ),
        "{failed}"
    );
}

/// A step in which the top turns many times: no convergence, the residuals are in the error, and
/// smaller steps help if they are allowed.
#[test]
fn newton_failure() {
    let system = top(GroupKind::SO3xR3);
    for method in [
        GeneralizedAlpha::index3(),
        GeneralizedAlpha::index2(),
        GeneralizedAlpha::stabilized_index2(),
    ] {
        let newton = NewtonOptions {
            max_iterations: 4,
            ..NewtonOptions::default()
        };
        let method = method.newton(newton);
        let run = || method.simulate(&system, 0.0..=0.1).step(0.02);
        let failed = failure(
            run(),
            &["Newton", "t = 0", "h = 2.000e-2", "4 iterations", "e-"],
        );
        let text = failed.to_string();
        let SolveError::NewtonFailed {
            t,
            h,
            iterations,
            residuals,
            tolerance,
        } = failed.error
        else {
            panic!("{text}");
        };
        assert_eq!((h, iterations, residuals.len()), (0.02, 4, 5));
        assert!(residuals[4] > tolerance && tolerance > 0.0);
        assert!(text.contains(&format!("{:.2e}", residuals[4])), "{text}");
        // What was computed before is kept.
        assert_eq!(failed.run.last().t, t);
        assert_eq!(
            failed.run.states().len() as u64,
            1 + failed.run.stats().accepted
        );

        let rescued = run().reduce_on_failure(true).run().unwrap();
        let stats = rescued.stats();
        assert!(stats.rejected_newton > 0 && stats.accepted > 2, "{stats:?}");
        assert_eq!(rescued.last().t, 0.1);
        let failed = failure(
            run().reduce_on_failure(true).h_min(0.02),
            &["2.000e-2", "Newton"],
        );
        assert!(
            matches!(failed.error, SolveError::StepTooSmall { .. }),
            "{failed}"
        );
    }
}

/// A bead with a spring that pushes it away from zero on both sides: the force jumps.
#[test]
fn step_underflow_and_limits() {
    let system = through_zero(1.0, 0.5);
    let method = || HalfExplicit::order5().tolerances(1e-10, 1e-10);
    let run = || method().simulate(&system, 0.0..=3.0);
    assert!(run().run().unwrap().stats().rejected_error > 3);

    let failed = failure(run().h_min(1e-4), &["1.000e-4", "estimated error"]);
    let SolveError::StepTooSmall { t, h, h_min, .. } = failed.error else {
        panic!("{failed}");
    };
    assert!(t > 0.5 && h <= h_min && h_min == 1e-4, "{t} {h}");
    assert!(failed.run.states().len() > 10 && failed.run.last().t == t);

    let failed = failure(run().max_rejections(2), &["2 times", "estimated error"]);
    assert!(
        matches!(failed.error, SolveError::TooManyRejections { limit: 2, .. }),
        "{failed}"
    );
    assert!(failed.run.last().t > 0.5);

    let failed = failure(run().max_steps(7), &["7 steps", "of 3"]);
    assert!(
        matches!(failed.error, SolveError::TooManySteps { limit: 7, .. }),
        "{failed}"
    );
    assert_eq!(
        (failed.run.states().len(), failed.run.stats().accepted),
        (8, 7)
    );

    let fixed = GeneralizedAlpha::index3()
        .simulate(&system, 0.0..=0.5)
        .step(1e-2);
    let failed = failure(fixed.max_steps(7), &["7 steps", "1.000e-2"]);
    assert_eq!(failed.run.states().len(), 8);
}
