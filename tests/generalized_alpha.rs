//! The generalized-alpha methods against step-by-step reference values, their
//! observed orders and error levels.

use polhode::generalized_alpha::{GeneralizedAlpha, Sigma};
use polhode::generic::GenericSystem;
use polhode::generic::description::Description;
use polhode::lie::GroupKind;
use polhode::newton::NewtonOptions;
use polhode::prelude::*;
use polhode::starting_values::StartingValues;
use polhode::stats::Stats;
use polhode::system::{Formulation, System};
use polhode_models::{heavy_top, pendulum};
use polhode_tests::heavy_top::exact;
use polhode_tests::{
    Driver, Errors, Path, RIGID, data, difference, distance, floats, observed_order, on_both_paths,
    with_top,
};

/// Newton to the last bit, so that only rounding separates us from the reference.
fn tight() -> NewtonOptions {
    NewtonOptions {
        relative: 1e-14,
        ..NewtonOptions::default()
    }
}

fn method_of(key: &str) -> GeneralizedAlpha {
    let method = if key.contains("form3") {
        GeneralizedAlpha::index3()
    } else if key.contains("form22") {
        GeneralizedAlpha::stabilized_index2()
    } else {
        GeneralizedAlpha::index2()
    };
    let rho = key.split("/rho").nth(1).unwrap().split('/').next().unwrap();
    let sigma = if key.contains("sigma0") {
        Sigma::Geom1
    } else if key.contains("sigma1") {
        Sigma::One
    } else {
        Sigma::Optimal
    };
    let start = match key.rsplit('/').next().unwrap() {
        "classic" => StartingValues::Classical,
        "a0" => StartingValues::Acceleration,
        _ => StartingValues::Corrected,
    };
    method
        .rho(rho.parse().unwrap())
        .sigma(sigma)
        .start(start)
        .newton(tight())
}

/// 144 combinations of group, formulation, damping, sigma and start, at steps 1, 10 and 100.
fn golden_steps(path: Path) {
    let golden = data("generalized_alpha.json");
    let mut compared = 0;
    for (key, expected) in golden["steps"].as_object().unwrap() {
        let group = RIGID
            .iter()
            .find(|(_, name)| key.split('/').next() == Some(name));
        let group = group.unwrap().0;
        with_top!(path, group, |system| golden_run(key, expected, system));
        compared += 3;
    }
    assert_eq!(compared, 3 * 144);
}

fn golden_run<S: System>(key: &str, expected: &serde_json::Value, system: S) {
    let h = 1e-3;
    let mut run = Driver::new(system, &method_of(key), h);
    let start = &expected["start"];
    assert!(
        difference(run.state.v.as_ref(), &floats(&start["v0"])) < 1e-13,
        "{key}"
    );
    assert!(
        difference(run.state.a.as_ref(), &floats(&start["a0"])) < 1e-11,
        "{key}"
    );
    assert!(
        difference(run.state.vdot.as_ref(), &floats(&start["vd0"])) < 1e-13,
        "{key}"
    );
    assert!(
        difference(run.state.lambda.as_ref(), &floats(&start["lam0"])) < 1e-13,
        "{key}"
    );
    let mut done = 0;
    for n in [1, 10, 100] {
        run.steps(n - done, h);
        done = n;
        let expected = &expected[n.to_string()];
        let check = |name: &str, found: &[f64], tolerance: f64| {
            let error = difference(found, &floats(&expected[name]));
            assert!(
                error < tolerance,
                "{key} step {n}: {name} differs by {error:.2e}"
            );
        };
        check("q", run.state.q.as_ref(), 1e-11);
        check("v", run.state.v.as_ref(), 1e-11);
        // The reference solved its equations to about 1e-9 in these.
        check("lam", run.state.lambda.as_ref(), 1e-8);
        check("vd", run.state.vdot.as_ref(), 1e-8);
        check("a", run.state.a.as_ref(), 1e-8);
        check("eta", run.state.eta.as_ref(), 1e-8);
    }
}

/// All of the following run the heavy top on `[0, 1]`.
fn errors(path: Path, group: GroupKind, method: &GeneralizedAlpha, n: usize) -> (Errors, Stats) {
    #[expect(clippy::cast_precision_loss, reason = "step counts")]
    let h = 1.0 / n as f64;
    with_top!(path, group, |system| Driver::new(system, method, h)
        .heavy_top_errors(group, &exact(n)))
}

fn assert_level(what: &str, found: f64, expected: f64, tolerance: f64) {
    let off = (found / expected - 1.0).abs();
    assert!(
        off < tolerance,
        "{what}: {found:.4e} instead of {expected:.4e}, {:.1} % off",
        100.0 * off
    );
}

/// Error levels of an independent implementation, for geom1 and rho = 0.9:
/// (method, steps, q, v relative, lambda relative on [0, 1], on [1/2, 1]).
///
/// Its stabilized runs had `-h B^T eta` instead of `-h T^-1 B^T eta` in the position update
/// (with that term ours agree within 2 %); at 1000 steps the two methods differ by 3 %.
fn error_levels(path: Path) {
    let index3 = GeneralizedAlpha::index3();
    let index2 = GeneralizedAlpha::index2();
    let stabilized = GeneralizedAlpha::stabilized_index2();
    let classical = StartingValues::Classical;
    let direct = [
        (
            index3.start(classical),
            1000,
            [1.280e-2, 8.121e-4, 3.063e-1, 1.094e-2],
        ),
        (
            index3.start(classical),
            8000,
            [1.994e-4, 1.263e-5, 3.326e-2, 1.708e-4],
        ),
        (index3, 1000, [1.279e-2, 8.120e-4, 1.094e-2, 1.094e-2]),
        (index3, 8000, [1.994e-4, 1.263e-5, 1.708e-4, 1.708e-4]),
        (
            stabilized.start(classical),
            1000,
            [8.222e-3, 2.237e-4, 2.965e-3, 2.965e-3],
        ),
        (
            stabilized.start(classical),
            8000,
            [1.264e-4, 3.447e-6, 8.693e-5, 4.518e-5],
        ),
        (stabilized, 8000, [1.264e-4, 3.446e-6, 4.517e-5, 4.517e-5]),
        (
            index2.start(classical),
            1000,
            [1.330e-2, 9.229e-4, 1.234e-2, 1.234e-2],
        ),
    ];
    let semidirect = [index3, index2, stabilized].into_iter().flat_map(|method| {
        [
            (method, 1000, [1.573e-1, 1.185e-2, 1.286e-1, 1.286e-1]),
            (method, 8000, [2.470e-3, 1.850e-4, 2.051e-3, 2.051e-3]),
        ]
    });
    let direct = direct.map(|case| (false, case));
    for (group, name) in RIGID {
        let is_semidirect = matches!(group, GroupKind::SE3 | GroupKind::S3sR3);
        let cases = direct
            .into_iter()
            .chain(semidirect.clone().map(|case| (true, case)));
        for (_, (method, n, expected)) in cases.filter(|(semi, _)| *semi == is_semidirect) {
            let (found, _) = errors(path, group, &method, n);
            let what = format!(
                "{name}, {:?}, {:?}, {n} steps",
                method.formulation, method.start
            );
            let found = [
                found.q,
                found.v_relative,
                found.lambda_relative,
                found.lambda_late_relative,
            ];
            for (i, part) in ["q", "v", "lambda", "late lambda"].iter().enumerate() {
                let other_eta = method.formulation == Formulation::StabilizedIndex2 && n == 1000;
                let tolerance = if other_eta { 0.03 } else { 0.02 };
                assert_level(&format!("{what}: {part}"), found[i], expected[i], tolerance);
            }
        }
    }
}

/// The sigma family: absolute errors (q, v, lambda on [1/2, 1]) in the direct product, classical start.
fn sigma_levels(path: Path) {
    let sigmas = [Sigma::Geom1, Sigma::One, Sigma::Optimal];
    let index3 = GeneralizedAlpha::index3().rho(0.65);
    let index2 = GeneralizedAlpha::index2().rho(0.65);
    let stabilized = GeneralizedAlpha::stabilized_index2().rho(1.0);
    let table = [
        (
            index3,
            1000,
            [
                [1.407e-2, 1.337e-1, 8.14],
                [6.138e-3, 5.689e-2, 3.55],
                [8.913e-3, 8.415e-2, 5.18],
            ],
        ),
        (
            index3,
            8000,
            [
                [2.191e-4, 2.083e-3, 0.127],
                [9.523e-5, 8.936e-4, 0.0556],
                [1.390e-4, 1.314e-3, 0.0808],
            ],
        ),
        (
            index2,
            4000,
            [
                [9.086e-4, 9.415e-3, 0.547],
                [3.824e-4, 3.778e-3, 0.2275],
                [5.717e-4, 5.799e-3, 0.343],
            ],
        ),
        (
            stabilized,
            1000,
            [
                [8.347e-3, 3.408e-2, 2.65],
                [2.631e-3, 1.963e-2, 1.62],
                [4.153e-3, 1.964e-2, 1.74],
            ],
        ),
        (
            stabilized,
            8000,
            [
                [1.262e-4, 5.174e-4, 0.0401],
                [4.085e-5, 3.063e-4, 0.0253],
                [6.304e-5, 3.032e-4, 0.0268],
            ],
        ),
    ];
    for (method, n, expected) in table {
        for (sigma, expected) in sigmas.into_iter().zip(expected) {
            let method = method.sigma(sigma).start(StartingValues::Classical);
            for group in [GroupKind::SO3xR3, GroupKind::S3xR3] {
                let (found, _) = errors(path, group, &method, n);
                let what = format!("{group}, {:?}, {sigma:?}, {n} steps", method.formulation);
                assert_level(&format!("{what}: q"), found.q, expected[0], 0.02);
                assert_level(&format!("{what}: v"), found.v, expected[1], 0.02);
                assert_level(
                    &format!("{what}: lambda"),
                    found.lambda_late,
                    expected[2],
                    0.02,
                );
            }
        }
    }
}

/// Five step sizes, h = 1/1000 to 1/16000: second order in every part, for every formulation,
/// sigma and damping; with the classical start of index 3 the multipliers are of first order
/// in the transient.
fn observed_orders(path: Path) {
    let steps = [1000, 2000, 4000, 8000, 16000];
    let mut cases = Vec::new();
    for sigma in [Sigma::Geom1, Sigma::One, Sigma::Optimal] {
        for rho in [0.9, 0.65] {
            for start in [StartingValues::Classical, StartingValues::Corrected] {
                cases.push(
                    GeneralizedAlpha::index3()
                        .rho(rho)
                        .sigma(sigma)
                        .start(start),
                );
            }
            cases.push(GeneralizedAlpha::index2().rho(rho).sigma(sigma));
        }
        for rho in [0.9, 0.65, 1.0] {
            cases.push(GeneralizedAlpha::stabilized_index2().rho(rho).sigma(sigma));
        }
    }
    // The quaternion groups are the same methods; on the slow path two groups are enough.
    let groups = if path == Path::Generic { 2 } else { 4 };
    for (group, name) in RIGID.into_iter().take(groups) {
        let is_direct = matches!(group, GroupKind::SO3xR3 | GroupKind::S3xR3);
        for method in &cases {
            let runs = steps.map(|n| (n, errors(path, group, method, n).0));
            #[expect(clippy::cast_precision_loss, reason = "step counts")]
            let order = |part: &dyn Fn(&Errors) -> f64| {
                observed_order(&runs.map(|(n, errors)| (1.0 / n as f64, part(&errors))))
            };
            let transient = is_direct
                && method.formulation == Formulation::Index3
                && method.start == StartingValues::Classical;
            let what = format!("{name}, {method:?}");
            let check = |part: &str, found: f64, expected: f64| {
                assert!(
                    (found - expected).abs() < 0.1,
                    "{what}: order of {part} is {found:.3}"
                );
            };
            check("q", order(&|e| e.q), 2.0);
            check("v", order(&|e| e.v), 2.0);
            check("late lambda", order(&|e| e.lambda_late), 2.0);
            let lambda = order(&|e| e.lambda);
            if transient {
                // The ratio of the transient to the smooth error still matters at h = 1/1000.
                assert!(
                    (0.9..1.25).contains(&lambda),
                    "{what}: order of lambda is {lambda:.3}"
                );
            } else {
                check("lambda", lambda, 2.0);
            }
        }
    }
}

/// Multipliers of the pendulum with x(0) = 0.2 on [0, 2], index 3: the first-order transient when
/// only the acceleration is corrected (2.48e-1 and 1.23e-1 are also printed in the paper, Example 3.2),
/// and its absence when the velocity is corrected too.
#[test]
fn pendulum_multipliers() {
    let table = [
        (0.02, 2.4830e-1, 3.99e-3),
        (0.01, 1.2315e-1, 9.96e-4),
        (0.005, 6.137e-2, 2.49e-4),
    ];
    for (h, uncorrected, corrected) in table {
        for (start, expected) in [
            (StartingValues::Acceleration, uncorrected),
            (StartingValues::Corrected, corrected),
        ] {
            let method = GeneralizedAlpha::index3().rho(0.9).start(start);
            let system = GenericSystem::new(pendulum::pendulum(0.2)).unwrap();
            let mut run = Driver::new(system, &method, h);
            let (mut angle, mut rate) = exact_pendulum(0.2);
            let mut worst = 0.0_f64;
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "a step count"
            )]
            for _ in 0..(2.0 / h).round() as usize {
                run.steps(1, h);
                (angle, rate) = advance_pendulum(angle, rate, h);
                let lambda = rate * rate + pendulum::GRAVITY * angle.cos();
                worst = worst.max((run.state.lambda[0] - lambda).abs());
            }
            assert_level(&format!("{start:?}, h = {h}"), worst, expected, 0.005);
        }
    }
}

/// Angle from the vertical and its rate at the start.
fn exact_pendulum(x0: f64) -> (f64, f64) {
    let angle = x0.asin();
    (
        angle,
        (1.0 - 2.0 * pendulum::GRAVITY * (1.0 - angle.cos())).sqrt(),
    )
}

/// The reduced equation `angle'' = -g sin(angle)` by the classical Runge-Kutta method with 200 substeps.
fn advance_pendulum(mut angle: f64, mut rate: f64, h: f64) -> (f64, f64) {
    let d = h / 200.0;
    let f = |angle: f64| -pendulum::GRAVITY * angle.sin();
    for _ in 0..200 {
        let (k1, l1) = (rate, f(angle));
        let (k2, l2) = (rate + 0.5 * d * l1, f(angle + 0.5 * d * k1));
        let (k3, l3) = (rate + 0.5 * d * l2, f(angle + 0.5 * d * k2));
        let (k4, l4) = (rate + d * l3, f(angle + d * k3));
        angle += d / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
        rate += d / 6.0 * (l1 + 2.0 * l2 + 2.0 * l3 + l4);
    }
    (angle, rate)
}

/// sigma = 1 at h = 1e-3 and 1e-4, where incremental updates of the velocity stop early.
fn sigma_one_runs_to_the_end(path: Path) {
    for n in [1000, 10_000] {
        let method = GeneralizedAlpha::index3().rho(0.9).sigma(Sigma::One);
        let (found, stats) = errors(path, GroupKind::SO3xR3, &method, n);
        assert_eq!(stats.accepted, n as u64);
        assert!(found.q < 1e-2 && found.lambda_relative < 1e-2, "{found:?}");
    }
}

/// Full Newton needs two iterations at h = 1e-3, in index 2 too, where positions drift by 3e-4;
/// modified Newton needs far fewer factorizations and finds the same motion.
fn newton_iterations(path: Path) {
    for (group, name) in RIGID {
        for method in [
            GeneralizedAlpha::index3(),
            GeneralizedAlpha::index2(),
            GeneralizedAlpha::stabilized_index2(),
        ] {
            for sigma in [Sigma::Geom1, Sigma::One, Sigma::Optimal] {
                let method = method.sigma(sigma);
                let what = format!("{name}, {:?}, {sigma:?}", method.formulation);
                let (_, stats) = errors(path, group, &method, 2000);
                assert_eq!(stats.newton_iterations, 2 * 2000, "{what}");
                let (full, stats) = errors(path, group, &method, 1000);
                assert_eq!(stats.newton_iterations, 2 * 1000, "{what}");
                assert_eq!(stats.factorizations, stats.newton_iterations);
                let (modified, stats) = errors(path, group, &method.modified_newton(), 8000);
                let matrices = stats.factorizations + stats.refactorizations;
                assert!(4 * matrices < stats.newton_iterations, "{what}: {stats:?}");
                let ratio = full.q / modified.q;
                assert!(
                    (ratio - 64.0).abs() < 4.0,
                    "{what}: error ratio {ratio} for 8 times the step"
                );
            }
        }
    }
}

/// Both constraint levels at rounding in the stabilized formulation, the hidden residuals of the others.
fn constraint_residuals(path: Path) {
    for (group, name) in RIGID {
        let (found, _) = errors(path, group, &GeneralizedAlpha::stabilized_index2(), 1000);
        assert!(
            found.phi < 1e-12 && found.hidden < 1e-12,
            "{name}: {found:?}"
        );
        let (found, _) = errors(path, group, &GeneralizedAlpha::index3(), 1000);
        assert!(found.phi < 1e-12, "{name}: {found:?}");
    }
    let classical = GeneralizedAlpha::index3().start(StartingValues::Classical);
    let (found, _) = errors(path, GroupKind::SO3xR3, &classical, 1000);
    assert_level("|B v|, classical start", found.hidden, 0.0323, 0.01);
    let (found, _) = errors(path, GroupKind::SO3xR3, &GeneralizedAlpha::index3(), 1000);
    assert_level("|B v|, corrected start", found.hidden, 0.0229, 0.01);
    let (found, _) = errors(path, GroupKind::SO3xR3, &GeneralizedAlpha::index2(), 1000);
    assert_level("|Phi|, index 2", found.phi, 2.7e-4, 0.02);
}

/// Quaternions and matrices are the same method.
fn quaternions_agree_with_matrices(path: Path) {
    for (matrix, quaternion) in [
        (GroupKind::SO3xR3, GroupKind::S3xR3),
        (GroupKind::SE3, GroupKind::S3sR3),
    ] {
        let method = GeneralizedAlpha::stabilized_index2().sigma(Sigma::Optimal);
        let states = [matrix, quaternion].map(|group| {
            with_top!(path, group, |system| {
                let mut run = Driver::new(system, &method, 1e-3);
                run.steps(1000, 1e-3);
                let place = run.state.q[run.state.q.len() - 3..].to_vec();
                (place, run.state.v.to_vec(), run.state.lambda.to_vec())
            })
        });
        let [a, b] = states;
        assert!(difference(&a.0, &b.0) < 1e-11);
        assert!(difference(&a.1, &b.1) < 1e-11);
        assert!(difference(&a.2, &b.2) < 1e-8);
    }
}

/// The unconstrained top on the rotation groups: second order without any multiplier.
#[test]
fn unconstrained_top() {
    for group in [GroupKind::SO3, GroupKind::S3] {
        for method in [
            GeneralizedAlpha::index3(),
            GeneralizedAlpha::stabilized_index2(),
        ] {
            let runs = [1000, 2000, 4000, 8000, 16000].map(|n| {
                #[expect(clippy::cast_precision_loss, reason = "step counts")]
                let h = 1.0 / n as f64;
                let system = GenericSystem::new(heavy_top::free(group)).unwrap();
                let (found, _) = Driver::new(system, &method, h).heavy_top_errors(group, &exact(n));
                (h, found)
            });
            for order in [
                observed_order(&runs.map(|(h, e)| (h, e.q))),
                observed_order(&runs.map(|(h, e)| (h, e.v))),
            ] {
                assert!(
                    (order - 2.0).abs() < 0.1,
                    "{group}, {:?}: order {order:.3}",
                    method.formulation
                );
            }
        }
    }
}

/// The free top with masses in another unit.
#[multibody(gravity = [0.0, 0.0, -9.81])]
struct ScaledTop {
    #[param(default = 1.0, positive)]
    scale: f64,
    #[body(
        mass = 15.0 * scale,
        inertia = [0.234375 * scale, 0.46875 * scale, 0.234375 * scale],
        center = [0.0, 1.0, 0.0],
    )]
    #[start(angular_velocity = [0.0, 150.0, -4.61538])]
    top: Body<SO3>,
}

/// What is zero does not depend on the unit of mass: bodies of a millionth of a gram move as others,
/// also where forces times `h^2` are below `1e-16`.
#[test]
fn light_bodies_move_as_heavy_ones() {
    fn end<S: System>(system: S, method: &GeneralizedAlpha) -> Vec<f64> {
        let h = 1e-5;
        let mut run = Driver::new(system, method, h);
        run.steps(1000, h);
        run.state.v.as_ref().to_vec()
    }
    let scaled = |top: &Description, scale: f64| {
        let mut top = top.clone();
        for body in &mut top.bodies {
            body.mass *= scale;
            for entry in body.inertia.as_flattened_mut() {
                *entry *= scale;
            }
        }
        GenericSystem::new(top).unwrap()
    };
    let (free, held) = (
        heavy_top::free(GroupKind::SO3),
        heavy_top::constrained(GroupKind::SE3),
    );
    for method in [
        GeneralizedAlpha::index3(),
        GeneralizedAlpha::index2(),
        GeneralizedAlpha::stabilized_index2(),
    ] {
        let [heavy, light] = [1.0, 1e-10].map(|scale| {
            let generated = ScaledTop::new(ScaledTopParameters { scale }).unwrap();
            [
                end(scaled(&free, scale), &method),
                end(scaled(&held, scale), &method),
                end(generated, &method),
            ]
        });
        for (heavy, light) in heavy.iter().zip(&light) {
            let error = difference(heavy, light);
            assert!(error < 1e-10, "{:?}: {error:e}", method.formulation);
        }
    }
}

/// Alternating step sizes: the algorithmic acceleration moves with the step, and the order stays 2.
fn variable_steps_keep_the_order(path: Path) {
    let method = GeneralizedAlpha::stabilized_index2();
    let end = data("heavy_top.json")["values"]["1.0"].clone();
    let points = [500, 1000, 2000, 4000, 8000].map(|pairs| {
        let h = 1.0 / f64::from(pairs);
        let error = with_top!(path, GroupKind::SO3xR3, |system| {
            let mut run = Driver::new(system, &method, 0.4 * h);
            for _ in 0..pairs {
                run.steps(1, 0.4 * h);
                run.steps(1, 0.6 * h);
            }
            distance(&run.state.q[run.state.q.len() - 3..], &floats(&end["x"]))
        });
        (h, error)
    });
    let order = observed_order(&points);
    assert!(
        (order - 2.0).abs() < 0.1,
        "order {order:.3} from {points:?}"
    );
}

on_both_paths!(
    golden_steps,
    error_levels,
    sigma_levels,
    observed_orders,
    sigma_one_runs_to_the_end,
    newton_iterations,
    constraint_residuals,
    quaternions_agree_with_matrices,
    variable_steps_keep_the_order,
);
