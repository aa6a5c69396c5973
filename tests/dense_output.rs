//! Output between the ends of steps, recomputed multipliers and events, against the exact motion
//! of the heavy top.

use polhode::events::{Direction, Event};
use polhode::generalized_alpha::GeneralizedAlpha;
use polhode::generic::GenericSystem;
use polhode::half_explicit::{HalfExplicit, Multipliers};
use polhode::lie::GroupKind;
use polhode::output::Output;
use polhode::run::{Outcome, Run};
use polhode::state::State;
use polhode::stepper::Method;
use polhode::system::Bodies;
use polhode_models::heavy_top;
use polhode_tests::heavy_top::{exact, exact_at};
use polhode_tests::{RIGID, distance, observed_order};

fn top(group: GroupKind) -> GenericSystem {
    GenericSystem::new(heavy_top::constrained(group)).unwrap()
}

fn is_direct(group: GroupKind) -> bool {
    matches!(group, GroupKind::SO3xR3 | GroupKind::S3xR3)
}

/// Largest errors of `(q, v, lambda)` over stored states at the times `0, 1/n, .., 1`.
fn largest_errors(
    system: &GenericSystem,
    group: GroupKind,
    run: &Run<GenericSystem>,
    n: usize,
) -> [f64; 3] {
    let exact = exact(n);
    assert_eq!(run.states().len(), exact.len());
    let mut largest = [0.0_f64; 3];
    for (state, top) in run.states().iter().zip(exact.iter()) {
        let errors = [
            system.space().distance(&state.q, &top.config(group)),
            distance(&state.v, &top.velocity(group)),
            distance(&state.lambda, &top.lambda()),
        ];
        for (largest, error) in largest.iter_mut().zip(errors) {
            *largest = if error <= *largest { *largest } else { error };
        }
    }
    largest
}

/// A prime number of output intervals: none of the times within is the end of a step.
const INTERVALS: usize = 997;

fn dense_errors(
    group: GroupKind,
    method: &(impl Method<GenericSystem> + Clone),
    steps: u32,
) -> [f64; 3] {
    let system = top(group);
    let times = (0..=INTERVALS).map(|i| {
        #[expect(clippy::cast_precision_loss, reason = "small integers")]
        let t = i as f64 / INTERVALS as f64;
        t
    });
    let run = method.clone().simulate(&system, 0.0..=1.0);
    let run = run
        .step(1.0 / f64::from(steps))
        .output(Output::At(times.collect()));
    let run = run.run().unwrap();
    assert!(run.stats().interpolations >= INTERVALS as u64 - 1);
    largest_errors(&system, group, &run, INTERVALS)
}

/// Orders of `(q, v, lambda)` over four halvings from `first` steps.
fn orders(first: u32, errors: impl Fn(u32) -> [f64; 3]) -> [f64; 3] {
    let runs = [1, 2, 4, 8, 16].map(|k| (1.0 / f64::from(k * first), errors(k * first)));
    [0, 1, 2].map(|i| observed_order(&runs.map(|(h, errors)| (h, errors[i]))))
}

/// Between the ends of its steps the method of order 5 is of order 5 too, multipliers included,
/// and not much worse than at the ends.
#[test]
fn half_explicit_between_steps() {
    for (group, name) in RIGID {
        let first = if is_direct(group) { 300 } else { 500 };
        let method = HalfExplicit::order5();
        let found = orders(first, |steps| dense_errors(group, &method, steps));
        for (order, part) in found.iter().zip(["q", "v", "lambda"]) {
            assert!(
                (order - 5.0).abs() < 0.15,
                "{name}: order of {part} is {order:.3}"
            );
        }
        let [q, v, _] = dense_errors(group, &method, 1000);
        let levels = if is_direct(group) {
            [1.264e-7, 6.1e-7]
        } else {
            [5.548e-6, 2.1e-5]
        };
        assert!(
            q < 1.5 * levels[0] && v < 3.0 * levels[1],
            "{name}: {q:e} {v:e}"
        );
    }
}

/// Order 2 between the steps of generalized-alpha, in every formulation.
#[test]
fn generalized_alpha_between_steps() {
    for (group, name) in RIGID {
        for method in [
            GeneralizedAlpha::index3(),
            GeneralizedAlpha::index2(),
            GeneralizedAlpha::stabilized_index2(),
        ] {
            let found = orders(500, |steps| dense_errors(group, &method, steps));
            for (order, part) in found.iter().zip(["q", "v", "lambda"]) {
                assert!(
                    (order - 2.0).abs() < 0.1,
                    "{name}, {:?}: order of {part} is {order:.3}",
                    method.formulation
                );
            }
        }
    }
}

/// Recomputed multipliers have the order of the method, those of the method one less; the motion
/// is the same to the last bit.
#[test]
fn recomputed_multipliers() {
    let methods = [
        (HalfExplicit::order2(), 4000, 2.0),
        (HalfExplicit::order3(), 1000, 3.0),
        (HalfExplicit::order4(), 1000, 4.0),
        (HalfExplicit::order5(), 500, 5.0),
    ];
    for (group, name) in [RIGID[0], RIGID[3]] {
        let system = top(group);
        for (method, first, p) in &methods {
            let run = |steps: u32, multipliers| {
                let run = method.clone().multipliers(multipliers);
                let run = run.simulate(&system, 0.0..=1.0);
                run.step(1.0 / f64::from(steps)).run().unwrap()
            };
            let lambda_order = |multipliers| {
                orders(*first, |steps| {
                    let run = run(steps, multipliers);
                    largest_errors(&system, group, &run, steps as usize)
                })[2]
            };
            let recomputed = lambda_order(Multipliers::Recomputed);
            assert!(
                (recomputed - p).abs() < 0.15,
                "{name}, order {p}: {recomputed:.3}"
            );
            if is_direct(group) && *p < 5.0 {
                let raw = lambda_order(Multipliers::Raw);
                assert!(
                    (raw - (p - 1.0)).abs() < 0.25,
                    "{name}, order {p}: {raw:.3}"
                );
            }
            let [a, b] = [Multipliers::Raw, Multipliers::Recomputed].map(|m| run(*first, m));
            assert_eq!(a.last().q, b.last().q);
            assert_eq!(a.last().lambda, b.last().lambda);
            assert_ne!(a.states()[50].lambda, b.states()[50].lambda);
        }
    }
}

/// Height of the centre of mass in the exact motion.
fn exact_height(t: f64) -> f64 {
    exact_at(t).config(GroupKind::SE3)[11]
}

/// When the exact motion passes a height between two times.
fn exact_passage(height: f64, mut a: f64, mut b: f64) -> f64 {
    let rises = exact_height(b) > height;
    assert_ne!(exact_height(a) > height, rises);
    while b - a > 1e-15 {
        let middle = f64::midpoint(a, b);
        if middle <= a || middle >= b {
            break;
        }
        if (exact_height(middle) > height) == rises {
            b = middle;
        } else {
            a = middle;
        }
    }
    b
}

/// The centre of mass passes a height: times within 1e-10 of the exact ones, in every group, with
/// fixed and with adaptive steps.
#[test]
fn events() {
    const HEIGHT: f64 = -0.3;
    // Where the exact motion passes the height, from a fine grid.
    let grid = exact(1000);
    let heights: Vec<f64> = grid
        .iter()
        .map(|top| top.config(GroupKind::SE3)[11])
        .collect();
    let passages: Vec<(bool, f64)> = (0..1000_u32)
        .filter_map(|i| {
            let (a, b) = (heights[i as usize], heights[i as usize + 1]);
            let rises = b > HEIGHT;
            (rises != (a > HEIGHT)).then(|| {
                let t = f64::from(i) / 1000.0;
                (rises, exact_passage(HEIGHT, t, t + 1e-3))
            })
        })
        .collect();
    assert!(passages.len() >= 2);

    let height = |state: &State<GenericSystem>| state.q[state.q.len() - 1] - HEIGHT;
    for (group, name) in RIGID {
        let system = top(group);
        let fixed = HalfExplicit::order5()
            .simulate(&system, 0.0..=1.0)
            .step(1.0 / 8000.0);
        let adaptive = HalfExplicit::order5().tolerances(1e-13, 1e-11);
        for run in [fixed, adaptive.simulate(&system, 0.0..=1.0)] {
            let run = run
                .output(Output::EndOnly)
                .event(Event::new(height))
                .event(Event::new(height).direction(Direction::Rising))
                .event(Event::new(height).direction(Direction::Falling))
                .run()
                .unwrap();
            let of = |index| {
                let found = run
                    .events()
                    .iter()
                    .filter(move |event| event.index == index);
                found.map(|event| event.state.t).collect::<Vec<f64>>()
            };
            let exact = |keep: &dyn Fn(bool) -> bool| {
                let kept = passages.iter().filter(|(rises, _)| keep(*rises));
                kept.map(|(_, t)| *t).collect::<Vec<f64>>()
            };
            let expected = [
                exact(&|_| true),
                exact(&|rises| rises),
                exact(&|rises| !rises),
            ];
            for (index, expected) in expected.iter().enumerate() {
                let found = of(index);
                assert_eq!(
                    found.len(),
                    expected.len(),
                    "{name}: {found:?} {expected:?}"
                );
                for (found, expected) in found.iter().zip(expected) {
                    let off = (found - expected).abs();
                    assert!(off < 1e-10, "{name}: {off:.1e} off at {expected}");
                }
            }
            for event in run.events() {
                assert!(height(&event.state).abs() < 1e-14, "{name}");
            }
        }

        // The first passage ends the run.
        let run = HalfExplicit::order5()
            .simulate(&system, 0.0..=1.0)
            .step(1.0 / 8000.0)
            .event(Event::new(height).terminal())
            .run()
            .unwrap();
        let Outcome::Event { index: 0, t } = run.outcome() else {
            panic!("{name}: {:?}", run.outcome());
        };
        assert!((t - passages[0].1).abs() < 1e-10, "{name}: {t}");
        assert_eq!((run.last().t, run.events().len()), (t, 1), "{name}");
    }
}

/// An event function that is infinite on one side of its change of sign is no harder than others.
#[test]
fn infinite_event_functions() {
    let system = top(GroupKind::SE3);
    let run = HalfExplicit::order5()
        .simulate(&system, 0.0..=0.01)
        .step(1e-3);
    let run = run.event(Event::new(|state: &State<GenericSystem>| {
        if state.t < 0.003_7 {
            f64::NEG_INFINITY
        } else {
            1.0
        }
    }));
    let run = run.run().unwrap();
    assert_eq!(run.events().len(), 1);
    assert!((run.events()[0].state.t - 0.003_7).abs() < 1e-15);
}
