//! Explicit Lie group methods on first-order equations.
//!
//! Data: one step of each method and `f` at the start, by a program that shares nothing with this one
//! (`data/explicit.json`).

use polhode::actions::Actions;
use polhode::explicit::{CommutatorFree, Inverse, MuntheKaas, Tolerance};
use polhode::flow::Flow;
use polhode::state::State;
use polhode::stats::Stats;
use polhode::stepper::{Method, Stepper};
use polhode_models::{lie_poisson, n_pendulum, quadrotors};
use serde_json::Value;

type System = Flow<'static, Actions>;

/// The numbers of a nested list.
fn numbers(value: &Value) -> Vec<f64> {
    match value {
        Value::Array(items) => items.iter().flat_map(numbers).collect(),
        number => vec![number.as_f64().expect("a number")],
    }
}

/// The end of one step, and its error estimate in the 2-norm.
fn step(method: &impl Method<System>, system: &System, h: f64) -> (Vec<f64>, Option<f64>) {
    let mut stepper = method.stepper(system).unwrap();
    let mut state = State::start(system, 0.0);
    stepper.start(system, &mut state, h).unwrap();
    let error = stepper.attempt(system, &state, h, &mut Stats::default());
    let error = error.unwrap();
    stepper.accept(&mut state);
    (state.q.to_vec(), error)
}

/// Points of the data have all rotations first, then all angular velocities, and so on.
fn in_order_of_data(problem: &str, y: &[f64]) -> Vec<f64> {
    if problem != "quadrotors" {
        return y.to_vec();
    }
    let parts = [
        0..6,
        6..15,
        18..27,
        15..18,
        27..30,
        30..33,
        36..39,
        33..36,
        39..42,
    ];
    parts
        .into_iter()
        .flat_map(|part| y[part].to_vec())
        .collect()
}

fn problems() -> [(&'static str, System, f64); 3] {
    [
        ("top", lie_poisson::top(), 1e-3),
        (
            "pendulum",
            n_pendulum::pendulum(n_pendulum::in_space()),
            1e-2,
        ),
        ("quadrotors", quadrotors::quadrotors(), 1e-2),
    ]
}

fn distance(x: &[f64], y: &[f64]) -> f64 {
    assert_eq!(x.len(), y.len());
    x.iter()
        .zip(y)
        .map(|(x, y)| (x - y).powi(2))
        .sum::<f64>()
        .sqrt()
}

fn largest(x: &[f64]) -> f64 {
    x.iter().fold(0.0, |most, x| f64::max(most, x.abs()))
}

#[test]
fn one_step_of_every_method() {
    let data: Value = serde_json::from_str(include_str!("data/explicit.json")).unwrap();
    let truncated = |method: MuntheKaas, k| method.inverse(Inverse::Truncated(k));
    let munthe_kaas = [
        ("Lie-Euler", MuntheKaas::euler()),
        ("Lie-Euler-Heun (RKMK2)", truncated(MuntheKaas::heun(), 0)),
        ("RKMK3 Kutta, exact", MuntheKaas::kutta3()),
        (
            "RKMK3 Kutta, dexpinv to ad^1",
            truncated(MuntheKaas::kutta3(), 1),
        ),
        ("RKMK4 exact", MuntheKaas::classical4()),
        (
            "RKMK4 dexpinv to ad^2",
            truncated(MuntheKaas::classical4(), 2),
        ),
        ("RKMK4 two commutators", MuntheKaas::two_commutators4()),
        ("RKMK5 Dormand-Prince exact", MuntheKaas::dormand_prince5()),
        (
            "RKMK5 dexpinv to ad^2",
            truncated(MuntheKaas::dormand_prince5(), 2),
        ),
        (
            "RKMK5 dexpinv to ad^4",
            truncated(MuntheKaas::dormand_prince5(), 4),
        ),
        ("RKMK3(2) Bogacki-Shampine", MuntheKaas::bogacki_shampine3()),
        ("RKMK6 Butcher 7 stages", MuntheKaas::butcher6()),
    ];
    let products = [
        ("CF4", CommutatorFree::order4(), Some("CF4 embedded 3")),
        ("CF3a", CommutatorFree::order3a(), Some("CF3a embedded 2")),
        ("CF3b", CommutatorFree::order3b(), Some("CF3b embedded 2")),
        ("CG3", CommutatorFree::crouch_grossman3(), None),
    ];
    for (problem, system, h) in problems() {
        let agrees = |name: &str, y: &[f64]| {
            let expected = numbers(&data["methods"][name][problem]);
            let found = in_order_of_data(problem, y);
            let error = distance(&found, &expected) / largest(&expected);
            println!("{problem} {name}: {error:.1e}");
            assert!(error < 1e-13, "{problem}, {name}: {error:e}");
            expected
        };
        let mut state = State::start(&system, 0.0);
        let mut stepper = MuntheKaas::euler().stepper(&system).unwrap();
        stepper.start(&system, &mut state, h).unwrap();
        let expected = numbers(&data["f_at_start"][problem]);
        let error = distance(&state.v[..expected.len()], &expected) / largest(&expected);
        assert!(error < 1e-13, "{problem}: {error:e}");

        for (name, method) in &munthe_kaas {
            agrees(name, &step(method, &system, h).0);
        }
        for (name, method, embedded) in &products {
            let expected = agrees(name, &step(method, &system, h).0);
            let Some(embedded) = embedded else { continue };
            let with_error = method.clone().tolerance(Tolerance::Norm(1.0));
            let (end, error) = step(&with_error, &system, h);
            agrees(name, &end);
            let coarse = numbers(&data["methods"][embedded][problem]);
            let (error, expected) = (error.unwrap(), distance(&coarse, &expected));
            assert!(
                (error - expected).abs() < 1e-13 * largest(&coarse),
                "{problem}, {name}: {error:e} {expected:e}"
            );
        }
    }
}
