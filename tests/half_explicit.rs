//! The half-explicit methods against step-by-step reference values, their
//! observed orders, error levels and drift.

use polhode::consistency::residuals;
use polhode::generic::GenericSystem;
use polhode::half_explicit::HalfExplicit;
use polhode::lie::GroupKind;
use polhode::system::{Bodies, Mechanics, System};
use polhode_models::heavy_top;
use polhode_tests::heavy_top::exact;
use polhode_tests::{
    Driver, Errors, Path, RIGID, data, difference, floats, observed_order, on_both_paths, with_top,
};

fn methods() -> [HalfExplicit; 4] {
    [
        HalfExplicit::order2(),
        HalfExplicit::order3(),
        HalfExplicit::order4(),
        HalfExplicit::order5(),
    ]
}

fn is_direct(group: GroupKind) -> bool {
    matches!(group, GroupKind::SO3xR3 | GroupKind::S3xR3)
}

/// All orders and groups at steps 1, 10, 100 and 1000.
fn golden_steps(path: Path) {
    let golden = data("half_explicit.json");
    for (group, name) in RIGID {
        for (order, method) in (2..).zip(methods()) {
            let expected = &golden["steps"][format!("{name}/order{order}/B=RTx")];
            let what = format!("{name} order {order}");
            with_top!(path, group, |system| golden_run(
                &what, &method, expected, system
            ));
        }
    }
}

fn golden_run<S: System>(
    what: &str,
    method: &HalfExplicit,
    expected: &serde_json::Value,
    system: S,
) {
    let h = 1e-3;
    let mut run = Driver::new(system, method, h);
    let mut done = 0;
    for n in [1, 10, 100, 1000] {
        run.steps(n - done, h);
        done = n;
        for (part, found) in [
            ("q", run.state.q.as_ref()),
            ("v", run.state.v.as_ref()),
            ("lam", run.state.lambda.as_ref()),
        ] {
            let error = difference(found, &floats(&expected[n.to_string()][part]));
            assert!(
                error < 1e-11,
                "{what} step {n}: {part} differs by {error:.2e}"
            );
        }
    }
}

/// The heavy top on `[0, 1]`.
fn errors(path: Path, group: GroupKind, method: &HalfExplicit, n: usize) -> Errors {
    #[expect(clippy::cast_precision_loss, reason = "step counts")]
    let h = 1.0 / n as f64;
    with_top!(path, group, |system| Driver::new(system, method, h)
        .heavy_top_errors(group, &exact(n))
        .0)
}

/// Error levels of an independent implementation: (order, steps, q, v relative, lambda relative).
fn error_levels(path: Path) {
    let direct: [(usize, usize, [f64; 3]); 7] = [
        (2, 8000, [1.860e-4, 2.339e-5, 6.400e-3]),
        (3, 1000, [1.782e-3, 6.664e-5, 2.011e-3]),
        (3, 8000, [3.477e-6, 1.302e-7, 2.770e-5]),
        (4, 1000, [1.140e-5, 6.562e-7, 2.134e-4]),
        (4, 8000, [1.595e-9, 1.221e-10, 4.141e-7]),
        (5, 1000, [1.264e-7, 4.041e-9, 1.094e-7]),
        (5, 4000, [1.276e-10, 4.10e-12, 2.818e-10]),
    ];
    let semidirect = [
        (2, 8000, [4.981e-3, 3.687e-4, 6.318e-3]),
        (3, 1000, [4.031e-2, 1.046e-3, 3.730e-2]),
        (3, 16000, [1.001e-5, 2.660e-7, 3.701e-5]),
        (4, 1000, [3.764e-4, 2.641e-5, 2.815e-4]),
        (4, 8000, [8.237e-8, 6.133e-9, 6.729e-8]),
        (5, 1000, [5.548e-6, 1.412e-7, 4.074e-6]),
        (5, 8000, [1.747e-10, 4.633e-12, 1.278e-10]),
    ];
    for (group, name) in RIGID {
        let table = if is_direct(group) { direct } else { semidirect };
        for (order, n, expected) in table {
            let found = errors(path, group, &methods()[order - 2], n);
            let found = [found.q, found.v_relative, found.lambda_relative];
            for (i, part) in ["q", "v", "lambda"].iter().enumerate() {
                // Near 1e-10 rounding errors take part: in the multipliers, which divide those of
                // the velocity by h, and in the reference itself at 4000 steps (its ratio to
                // 2000 steps is 2^5.06, ours 2^4.99).
                let rounding = order == 5 && (n == 4000 || (n > 4000 && *part == "lambda"));
                let tolerance = if rounding { 0.15 } else { 0.02 };
                let off = (found[i] / expected[i] - 1.0).abs();
                assert!(
                    off < tolerance,
                    "{name}, order {order}, {n} steps: {part} {:.3e} instead of {:.3e}",
                    found[i],
                    expected[i]
                );
            }
        }
    }
}

/// Order `p` in `q` and `v` over four halvings in every group. The multipliers of the method are of
/// order `p - 1` (of order `p` for 4 and 5 where `B` is constant along the motion), those of the
/// acceleration-level system of order `p`.
fn observed_orders(path: Path) {
    let first = [4000, 1000, 2500, 500];
    for (group, name) in RIGID {
        for (order, method) in (2_u16..).zip(methods()) {
            // Below this window the errors are not yet asymptotic, above it rounding errors are as
            // large: in 64000 steps of order 4, with an error of 4e-13, they are 1e-12 with
            // quaternions and 3e-13 in generated code.
            let first = first[usize::from(order) - 2];
            // In order 5 they still are a tenth of the last error, up or down: the mean of seven
            // runs with nearly the same step.
            let repeats = if order == 5 { 0..7 } else { 0..1 };
            let run = |n: usize| (n, errors(path, group, &method, n));
            let levels: Vec<Vec<(usize, Errors)>> = [1, 2, 4, 8, 16]
                .iter()
                .map(|k| repeats.clone().map(|i| run(k * first + i)).collect())
                .collect();
            let runs: Vec<&(usize, Errors)> = levels.iter().map(|level| &level[0]).collect();
            #[expect(clippy::cast_precision_loss, reason = "step counts")]
            let slope_from = |first: usize, part: &dyn Fn(&Errors) -> f64| {
                let mean = |of: &dyn Fn(&(usize, Errors)) -> f64, level: &[(usize, Errors)]| {
                    level.iter().map(of).sum::<f64>() / level.len() as f64
                };
                let points: Vec<_> = levels[first..]
                    .iter()
                    .map(|level| {
                        let steps = mean(&|(n, _)| *n as f64, level);
                        (1.0 / steps, mean(&|(_, e)| part(e), level))
                    })
                    .collect();
                observed_order(&points)
            };
            let slope = |part: &dyn Fn(&Errors) -> f64| slope_from(0, part);
            let p = f64::from(order);
            let check = |part: &str, found: f64, tolerance: f64| {
                assert!(
                    (found - p).abs() < tolerance,
                    "{name}, order {order}: {part} has order {found:.3}"
                );
            };
            if order < 5 {
                check("q", slope(&|e| e.q), 0.1);
                check("v", slope(&|e| e.v), 0.1);
            } else {
                // Order 5 begins to show at 1000 steps, and rounding errors do at 10 000: four
                // halvings do not fit in between. The order of three of them is 4.95 to 4.98, of
                // the last two 4.97 to 5.00.
                for (first, tolerance) in [(1, 0.07), (2, 0.045)] {
                    check("q", slope_from(first, &|e| e.q), tolerance);
                    check("v", slope_from(first, &|e| e.v), tolerance);
                }
            }
            check("recomputed lambda", slope(&|e| e.lambda_recomputed), 0.15);
            // Rounding errors of the velocity enter the multipliers of the method divided by h.
            #[expect(clippy::cast_precision_loss, reason = "step counts")]
            let points: Vec<_> = runs
                .iter()
                .map(|(n, errors)| (1.0 / *n as f64, errors.lambda))
                .filter(|(_, error)| *error > 1e-7)
                .collect();
            assert!(points.len() >= 3, "{name}, order {order}: {points:?}");
            let lambda = observed_order(&points);
            let least = if is_direct(group) || order < 4 {
                p - 1.0
            } else {
                p
            };
            assert!(
                lambda > least - 0.15,
                "{name}, order {order}: lambda has order {lambda:.3}"
            );
            assert!(
                order > 3 || lambda < p - 0.4,
                "{name}, order {order}: lambda has order {lambda:.3}"
            );
        }
    }
}

/// `|Phi|` stays bounded in the direct product with the true gradient of the constraints, and at
/// rounding in the semidirect product for orders 4 and 5.
fn drift(path: Path) {
    let times = [100, 250, 500, 750, 1000];
    let direct = [
        (3, [5.0e-6, 5.4e-6, 7.1e-6, 4.3e-6, 1.1e-6]),
        (5, [2.6e-10, 2.8e-10, 3.8e-10, 2.3e-10, 5.7e-11]),
    ];
    let residuals = |group, order: usize| {
        with_top!(path, group, |system| {
            let mut run = Driver::new(system, &methods()[order - 2], 1e-3);
            let mut done = 0;
            times.map(|n| {
                run.steps(n - done, 1e-3);
                done = n;
                residuals(&run.system, &run.state).unwrap()
            })
        })
    };
    for group in [GroupKind::SO3xR3, GroupKind::S3xR3] {
        for (order, expected) in direct {
            for (found, expected) in residuals(group, order).iter().zip(expected) {
                // The table has two digits and Euclidean norms.
                let ratio = found.position / expected;
                assert!(
                    (0.55..1.05).contains(&ratio),
                    "{group}, order {order}: {found:?} {expected}"
                );
            }
        }
    }
    for group in [GroupKind::SE3, GroupKind::S3sR3] {
        for order in [4, 5] {
            for found in residuals(group, order) {
                assert!(found.position < 2e-14, "{group}, order {order}: {found:?}");
            }
        }
    }
}

/// Quaternions and matrices are the same method.
fn quaternions_agree_with_matrices(path: Path) {
    for (matrix, quaternion) in [
        (GroupKind::SO3xR3, GroupKind::S3xR3),
        (GroupKind::SE3, GroupKind::S3sR3),
    ] {
        for method in methods() {
            let [a, b] = [matrix, quaternion].map(|group| {
                with_top!(path, group, |system| {
                    let mut run = Driver::new(system, &method, 1e-3);
                    run.steps(1000, 1e-3);
                    let place = run.state.q[run.state.q.len() - 3..].to_vec();
                    [place, run.state.v.to_vec(), run.state.lambda.to_vec()]
                })
            });
            assert!(difference(&a[0], &b[0]) < 1e-11);
            assert!(difference(&a[1], &b[1]) < 1e-11);
            assert!(difference(&a[2], &b[2]) < 1e-10);
        }
    }
}

/// Without constraints the methods are those of Runge, Kutta, Munthe and Kaas, of the same order.
#[test]
fn unconstrained_top() {
    for group in [GroupKind::SO3, GroupKind::S3] {
        for (order, method) in (2_u16..).zip(methods()) {
            let runs = [1, 2, 4, 8, 16].map(|k| {
                let n = k * [4000, 1000, 1000, 500][usize::from(order) - 2];
                #[expect(clippy::cast_precision_loss, reason = "step counts")]
                let h = 1.0 / n as f64;
                let system = GenericSystem::new(heavy_top::free(group)).unwrap();
                let (found, _) = Driver::new(system, &method, h).heavy_top_errors(group, &exact(n));
                (h, found)
            });
            for found in [
                observed_order(&runs.map(|(h, e)| (h, e.q))),
                observed_order(&runs.map(|(h, e)| (h, e.v))),
            ] {
                assert!(
                    (found - f64::from(order)).abs() < 0.1,
                    "{group}, order {order}: {found:.3}"
                );
            }
        }
    }
}

/// A million steps: the rotation stays a rotation, and the energy tells how far the motion drifted.
fn a_million_steps_stay_on_the_group(path: Path) {
    for (group, name) in RIGID {
        with_top!(path, group, |system| {
            let mut run = Driver::new(system, &HalfExplicit::order5(), 1e-3);
            let before = run.system.energy(0.0, &run.state.q, &run.state.v).total();
            run.steps(1_000_000, 1e-3);
            let defect = run.system.space().defect(&run.state.q);
            assert!(defect < 1e-12, "{name}: {defect:.2e}");
            let after = run.system.energy(0.0, &run.state.q, &run.state.v).total();
            let drift = (after / before - 1.0).abs();
            assert!(drift < 1e-3, "{name}: energy drift {drift:.2e}");
        });
    }
}

on_both_paths!(
    golden_steps,
    error_levels,
    observed_orders,
    drift,
    quaternions_agree_with_matrices,
    a_million_steps_stay_on_the_group,
);
