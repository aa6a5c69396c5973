//! The time loop on the pendulum: output, dense output, events, stops, failures.

use core::ops::ControlFlow;

use crate::consistency::InitialValues;
use crate::error::SolveError;
use crate::events::{Direction, Event};
use crate::half_explicit::HalfExplicit;
use crate::output::Output;
use crate::pendulum::Pendulum;
use crate::rigid_body::RigidBody;
use crate::run::{FailedRun, Outcome};
use crate::state::State;
use crate::stepper::Method;
use crate::system::{Bodies, System};

/// Of the pendulum that passes the bottom with velocity 1.
const PERIOD: f64 = 2.019_033_948_977_435_6;

type Failure<S> = Box<FailedRun<S>>;

fn distance(x: &[f64], y: &[f64]) -> f64 {
    let squares = x.iter().zip(y).map(|(x, y)| (x - y).powi(2));
    squares.sum::<f64>().sqrt()
}

fn times<S: System>(states: &[State<S>]) -> Vec<f64> {
    states.iter().map(|state| state.t).collect()
}

/// Orders of `q` and `v` of the method of order 5 at times within steps,
/// largest error over many of them, from four halvings.
fn dense_orders<S: System>(
    system: &S,
    end: f64,
    steps: i32,
) -> Result<([f64; 2], [f64; 2]), Failure<S>> {
    let points: Vec<f64> = (1..200)
        .map(|k| end * (f64::from(k) - 0.37) / 200.0)
        .collect();
    let run = |h: f64| {
        HalfExplicit::order5()
            .simulate(system, 0.0..=end)
            .step(h)
            .output(Output::At(points.clone()))
            .run()
    };
    let exact = run(end / 4096.0)?;
    let mut errors = vec![];
    for halving in 0..5 {
        let run = run(end / f64::from(steps << halving))?;
        let mut largest = [0.0; 2];
        for (state, exact) in run.states().iter().zip(exact.states()) {
            let space = system.space();
            let q = space.distance(state.q.as_ref(), exact.q.as_ref());
            let v = distance(state.v.as_ref(), exact.v.as_ref());
            largest = [f64::max(largest[0], q), f64::max(largest[1], v)];
        }
        assert_eq!(run.states().len(), points.len());
        errors.push(largest);
    }
    let order = |from: usize, to: usize| {
        let span = f64::from(u8::try_from(to - from).unwrap_or(0));
        core::array::from_fn(|i| (errors[from][i] / errors[to][i]).log2() / span)
    };
    Ok((order(0, 4), order(3, 4)))
}

fn check_dense_order<S: System>(system: &S, end: f64, steps: i32) -> Result<(), Failure<S>> {
    let (mean, last) = dense_orders(system, end, steps)?;
    for order in [mean[0], mean[1], last[0], last[1]] {
        // Interpolation in `q` has order 6: what is left are the errors of the steps.
        assert!(order > 4.8 && order < 6.2, "{mean:.2?} {last:.2?}");
    }
    Ok(())
}

#[test]
fn dense_output_has_order_5_on_the_pendulum() -> Result<(), Failure<Pendulum>> {
    check_dense_order(&Pendulum::new(0.2), 1.0, 16)
}

#[test]
fn dense_output_has_order_5_on_rotations() -> Result<(), Failure<RigidBody>> {
    check_dense_order(&RigidBody::new(), 2.0, 16)
}

#[test]
fn dense_output_ends_where_the_step_ends() -> Result<(), Failure<RigidBody>> {
    let system = RigidBody::new();
    let simulate = || {
        HalfExplicit::order5()
            .simulate(&system, 0.0..=1.0)
            .step(0.5)
    };
    let ends = simulate().run()?;
    let dense = simulate().output(Output::Every(0.5)).run()?;
    assert_eq!(times(dense.states()), times(ends.states()));
    for (a, b) in dense.states().iter().zip(ends.states()) {
        assert!(distance(&a.q, &b.q) < 1e-14 && distance(&a.v, &b.v) < 1e-14);
        assert!(distance(&a.vdot, &b.vdot) < 1e-13);
    }
    Ok(())
}

#[test]
fn the_pendulum_passes_the_bottom_at_the_right_time() -> Result<(), Failure<Pendulum>> {
    // Started at the bottom: after half a period it is there again, with the
    // opposite velocity, and after a whole one in the first direction.
    let system = Pendulum::new(0.0);
    let run = HalfExplicit::order5()
        .simulate(&system, 0.0..=3.0)
        .step(1.0 / 256.0)
        .event(Event::new(|state: &State<Pendulum>| state.q[0]))
        .event(Event::new(|state: &State<Pendulum>| state.q[0]).direction(Direction::Rising))
        .event(Event::new(|state: &State<Pendulum>| state.v[0]).direction(Direction::Falling))
        .run()?;
    let of = |index: usize| -> Vec<f64> {
        let matching = run.events().iter().filter(|event| event.index == index);
        matching.map(|event| event.state.t).collect()
    };
    let (all, rising, turning) = (of(0), of(1), of(2));
    assert_eq!((all.len(), rising.len(), turning.len()), (2, 1, 2));
    assert!((all[1] - 2.0 * all[0]).abs() < 1e-9, "{all:?}");
    assert!((all[1] - rising[0]).abs() < 1e-12);
    assert!(
        (turning[0] - all[0] / 2.0).abs() < 1e-9,
        "{turning:?} {all:?}"
    );
    // The period is 4 K(1 / sqrt(4 g)) / sqrt(g) with the complete elliptic integral K.
    assert!((all[1] - PERIOD).abs() < 1e-9, "{all:?}");
    for event in run.events() {
        let value = if event.index == 2 {
            event.state.v[0]
        } else {
            event.state.q[0]
        };
        assert!(value.abs() < 1e-13, "{value:e}");
    }
    let found = times(
        &run.events()
            .iter()
            .map(|event| event.state.clone())
            .collect::<Vec<_>>(),
    );
    assert!(found.is_sorted());
    Ok(())
}

#[test]
fn a_terminal_event_ends_the_run_at_its_time() -> Result<(), Failure<Pendulum>> {
    let system = Pendulum::new(0.2);
    let run = HalfExplicit::order5()
        .simulate(&system, 0.0..=3.0)
        .step(0.01)
        .event(Event::new(|state: &State<Pendulum>| state.t - 0.505))
        .event(Event::new(|state: &State<Pendulum>| state.t - 0.503).terminal())
        .event(Event::new(|state: &State<Pendulum>| state.t - 0.502))
        .run()?;
    let Outcome::Event { index, t } = run.outcome() else {
        panic!("{:?}", run.outcome());
    };
    assert_eq!(index, 1);
    assert!((t - 0.503).abs() < 1e-14);
    assert_eq!(run.last().t.to_bits(), t.to_bits());
    assert_eq!(run.states().len(), 52);
    let order: Vec<usize> = run.events().iter().map(|event| event.index).collect();
    assert_eq!(order, [2, 1]);
    Ok(())
}

/// A terminal event at an output time: the last state is stored once, or only where it was asked for.
#[test]
fn the_state_of_a_terminal_event_is_stored_once() -> Result<(), Failure<Pendulum>> {
    let system = Pendulum::new(0.2);
    let stored = |output: Output, end: f64| -> Result<Vec<f64>, Failure<Pendulum>> {
        let run = HalfExplicit::order4()
            .simulate(&system, 0.0..=1.0)
            .step(0.25)
            .output(output)
            .event(Event::new(move |state: &State<Pendulum>| state.t - end).terminal())
            .run()?;
        assert_eq!(run.last().t.to_bits(), end.to_bits());
        Ok(times(run.states()))
    };
    assert_eq!(stored(Output::Every(0.25), 0.5)?, [0.0, 0.25, 0.5]);
    assert_eq!(stored(Output::Every(0.2), 0.5)?, [0.0, 0.2, 0.4, 0.5]);
    assert_eq!(stored(Output::EveryStep, 0.5)?, [0.0, 0.25, 0.5]);
    assert_eq!(stored(Output::EndOnly, 0.5)?, [0.5]);
    assert_eq!(stored(Output::At(vec![0.1, 0.5, 0.9]), 0.5)?, [0.1, 0.5]);
    assert_eq!(stored(Output::At(vec![0.1, 0.9]), 0.5)?, [0.1]);
    Ok(())
}

#[test]
fn output_is_what_was_asked_for() -> Result<(), Failure<Pendulum>> {
    let system = Pendulum::new(0.2);
    let run = |output: Output| {
        let simulation = HalfExplicit::order4().simulate(&system, 0.0..=1.0);
        simulation.step(0.25).output(output).run()
    };
    assert_eq!(
        times(run(Output::EveryStep)?.states()),
        [0.0, 0.25, 0.5, 0.75, 1.0]
    );
    assert_eq!(times(run(Output::EndOnly)?.states()), [1.0]);
    let at = vec![0.0, 0.3, 0.31, 0.5, 1.0];
    assert_eq!(times(run(Output::At(at.clone()))?.states()), at);
    assert_eq!(
        times(run(Output::Every(0.4))?.states()),
        [0.0, 0.4, 0.8, 1.0]
    );
    Ok(())
}

#[test]
fn steps_end_at_stops_in_fixed_and_adaptive_runs() -> Result<(), Failure<Pendulum>> {
    let system = Pendulum::new(0.2);
    let stops = [0.123, 0.777];
    let fixed = HalfExplicit::order4()
        .simulate(&system, 0.0..=1.0)
        .step(0.25)
        .stop_at(stops)
        .run()?;
    assert_eq!(
        times(fixed.states()),
        [0.0, 0.123, 0.25, 0.5, 0.75, 0.777, 1.0]
    );
    let adaptive = HalfExplicit::order5()
        .tolerances(1e-6, 1e-6)
        .simulate(&system, 0.0..=1.0)
        .stop_at(stops)
        .record_steps(true)
        .run()?;
    let reached = times(adaptive.states());
    for stop in stops.iter().chain(&[1.0]) {
        assert!(reached.contains(stop), "{stop} in {reached:?}");
    }
    let steps = adaptive.steps();
    assert_eq!(u64::try_from(steps.len()), Ok(adaptive.stats().accepted));
    assert!(
        steps
            .iter()
            .all(|step| step.error.is_some_and(|error| error <= 1.0))
    );
    // A cut step is followed by one of the size before it, or larger.
    for (before, after) in steps.iter().zip(&steps[1..]) {
        assert!(
            after.h > 0.1 * before.h
                || after.t + after.h >= 1.0
                || stops.contains(&(after.t + after.h))
        );
    }
    Ok(())
}

#[test]
fn fixed_times_do_not_drift() -> Result<(), Failure<Pendulum>> {
    let system = Pendulum::new(0.2);
    let simulation = HalfExplicit::order5().simulate(&system, 0.0..=10.0);
    let run = simulation.step(0.1).run()?;
    let expected: Vec<f64> = (0..=100).map(|n| f64::from(n) * 0.1).collect();
    assert_eq!(times(run.states()), expected);
    Ok(())
}

#[test]
fn the_observer_sees_every_step_and_can_stop() -> Result<(), Failure<Pendulum>> {
    let system = Pendulum::new(0.2);
    let mut seen = vec![];
    let run = HalfExplicit::order3()
        .simulate(&system, 0.0..=1.0)
        .step(0.1)
        .observe(|step| {
            seen.push(step.state.t);
            match step.stats.accepted {
                4 => ControlFlow::Break(()),
                _ => ControlFlow::Continue(()),
            }
        })
        .run()?;
    assert_eq!(run.outcome(), Outcome::Stopped);
    assert_eq!(seen, [0.1, 0.2, 3.0 * 0.1, 0.4]);
    assert_eq!(run.states().len(), 5);
    Ok(())
}

#[test]
fn energy_and_residuals_are_reported() -> Result<(), Box<dyn std::error::Error>> {
    let system = Pendulum::new(0.2);
    let run = HalfExplicit::order5()
        .simulate(&system, 0.0..=1.0)
        .step(0.01)
        .run()?;
    assert!((run.energy_start().total() - (0.5 - 9.81)).abs() < 1e-13);
    assert!(run.drift().abs() < 1e-9 && run.drift() != 0.0);
    let residuals = run.residuals(&system)?;
    assert!(
        residuals.velocity < 1e-14 && residuals.position < 1e-9,
        "{residuals:?}"
    );
    Ok(())
}

#[test]
fn rotations_stay_rotations() -> Result<(), Failure<RigidBody>> {
    let system = RigidBody::new();
    let run = |every: Option<u64>| {
        HalfExplicit::order2()
            .simulate(&system, 0.0..=500.0)
            .step(0.01)
            .output(Output::EndOnly)
            .renormalize_every(every)
            .run()
    };
    let (with, without) = (run(Some(1000))?, run(None)?);
    assert_eq!(with.stats().renormalizations, 50);
    assert_eq!(without.stats().renormalizations, 0);
    let defect = |state: &State<RigidBody>| system.space().defect(&state.q);
    assert!(defect(with.last()) < 1e-14, "{:e}", defect(with.last()));
    assert!(defect(without.last()) > defect(with.last()));
    Ok(())
}

/// The error of a run that must fail, and how many states it has stored.
fn failure(run: Result<crate::run::Run<Pendulum>, Failure<Pendulum>>) -> (SolveError, usize) {
    match run {
        Ok(run) => panic!("did not fail: {run:?}"),
        Err(failed) => {
            assert_eq!(failed.run.outcome(), Outcome::Failed);
            assert_eq!(failed.to_string(), failed.error.to_string());
            (failed.error, failed.run.states().len())
        }
    }
}

#[test]
fn nonsense_is_a_typed_error() {
    let system = Pendulum::new(0.2);
    let fixed = |h: f64| HalfExplicit::order3().simulate(&system, 0.0..=1.0).step(h);
    for h in [0.0, -0.1, f64::NAN, f64::INFINITY] {
        let (error, _) = failure(fixed(h).run());
        assert!(matches!(error, SolveError::InvalidStep { .. }), "{error}");
    }
    for (start, end) in [(0.0, -1.0), (f64::NAN, 1.0), (0.0, f64::INFINITY)] {
        let run = HalfExplicit::order3()
            .simulate(&system, start..=end)
            .step(0.1);
        let (error, _) = failure(run.run());
        assert!(matches!(error, SolveError::InvalidSpan { .. }), "{error}");
    }
    let (error, _) = failure(HalfExplicit::order3().run(&system, 0.0..=1.0));
    assert!(
        matches!(error, SolveError::InvalidOption { option: "step", .. }),
        "{error}"
    );
    let adaptive = HalfExplicit::order5().tolerances(1e-6, 0.0);
    let (error, _) = failure(adaptive.run(&system, 0.0..=1.0));
    assert!(
        matches!(
            error,
            SolveError::InvalidOption {
                option: "relative tolerance",
                ..
            }
        ),
        "{error}"
    );
    let (error, _) = failure(fixed(0.1).output(Output::At(vec![2.0])).run());
    assert!(
        matches!(
            error,
            SolveError::InvalidOption {
                option: "output time",
                ..
            }
        ),
        "{error}"
    );
    let (error, _) = failure(fixed(0.1).h_min(f64::NAN).run());
    assert!(
        matches!(
            error,
            SolveError::InvalidOption {
                option: "h_min",
                ..
            }
        ),
        "{error}"
    );
    let singular = Pendulum::new(0.2);
    let mut at_the_pivot = State::start(&singular, 0.0);
    at_the_pivot.q = [0.0; 2];
    let anything = InitialValues::Check(1e3);
    let run = fixed(0.1).from(at_the_pivot).initial_values(anything);
    let (error, _) = failure(run.run());
    assert!(matches!(error, SolveError::Evaluation { .. }), "{error}");
}

#[test]
fn a_failed_run_returns_what_it_has() {
    let mut system = Pendulum::new(0.2);
    system.broken_from = 0.55;
    let run = HalfExplicit::order5()
        .simulate(&system, 0.0..=1.0)
        .step(0.1);
    // The load is named, and a time within a sixteenth of the step from where it is no number.
    let is_named = |error: &SolveError, h: f64| {
        let SolveError::ForceNotFinite { t, force } = error else {
            return false;
        };
        (0.55..0.55 + h / 16.0 + 1e-12).contains(t) && force.contains("`bob`")
    };
    let (error, stored) = failure(run.run());
    assert!(is_named(&error, 0.1), "{error}");
    assert_eq!(stored, 6);

    let run = HalfExplicit::order5()
        .simulate(&system, 0.0..=1.0)
        .step(0.1)
        .reduce_on_failure(true)
        .h_min(1e-3);
    let Err(failed) = run.run() else {
        panic!("did not fail");
    };
    assert!(is_named(&failed.error, 2e-3), "{failed}");
    assert!((failed.run.last().t - 0.55).abs() < 2e-3);
    assert!(failed.run.stats().rejected_fault > 5);

    let adaptive = HalfExplicit::order5().tolerances(1e-8, 1e-8);
    let Err(failed) = adaptive
        .simulate(&system, 0.0..=1.0)
        .max_rejections(7)
        .run()
    else {
        panic!("did not fail");
    };
    assert!(is_named(&failed.error, 0.1), "{failed}");
    assert!(failed.run.stats().rejected_fault >= 7);
    assert!(failed.run.last().t > 0.5 && failed.run.last().t < 0.55);
}

#[test]
fn the_number_of_steps_is_limited() {
    let system = Pendulum::new(0.2);
    let run = HalfExplicit::order3()
        .simulate(&system, 0.0..=1.0)
        .step(0.01);
    let (error, stored) = failure(run.max_steps(10).run());
    assert!(
        matches!(error, SolveError::TooManySteps { limit: 10, .. }),
        "{error}"
    );
    assert_eq!(stored, 11);
}

#[test]
fn an_empty_span_is_a_run_without_steps() -> Result<(), Failure<Pendulum>> {
    let system = Pendulum::new(0.2);
    for output in [Output::EveryStep, Output::EndOnly, Output::Every(0.1)] {
        let run = HalfExplicit::order3()
            .simulate(&system, 2.0..=2.0)
            .step(0.1);
        let run = run.output(output).run()?;
        assert_eq!(times(run.states()), [2.0]);
        assert_eq!((run.outcome(), run.stats().accepted), (Outcome::EndTime, 0));
    }
    Ok(())
}
