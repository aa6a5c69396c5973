//! Time of single functions, over the registry. The group is the model and the function, the
//! function of criterion the path. What is written by hand for the heavy top is whole steps only,
//! see the benchmark `step`; `hand` here means the sweeps over chains and rods.

use std::time::Duration;

use criterion::{Criterion, criterion_group, criterion_main};
use polhode::generalized_alpha::GeneralizedAlpha;
use polhode_benches::cases::{agree, choices, machines};
use polhode_models::machine::{Function, Machine, Scheme, Snapshot};
use polhode_models::model::{Choice, Model, Path};
use polhode_models::registry::MODELS;

/// Steps from the start to where functions are called: constraints hold there, and nothing is
/// zero by chance.
const STEPS: usize = 10;

type Case = (Path, Box<dyn Machine>, Snapshot);

/// Every path at the state that it reaches itself.
fn cases(model: &Model, choice: &Choice, h: f64) -> Vec<Case> {
    let scheme = Scheme::GeneralizedAlpha(GeneralizedAlpha::index3());
    machines(model, choice)
        .into_iter()
        .map(|(path, machine)| {
            let state = machine.batch(&scheme, h, STEPS).expect("steps").last;
            (path, machine, state)
        })
        .collect()
}

/// All paths must give the numbers of the first one, where they have the same order.
fn compare(model: &Model, function: Function, h: f64, cases: &[Case]) {
    let result = |machine: &dyn Machine| {
        let (_, _, state) = &cases[0];
        machine.measure(state, function, h, 1).expect("a call").1
    };
    let first = result(cases[0].1.as_ref());
    for (path, machine, _) in &cases[1..] {
        let other_order = model.size.is_some() && *path == Path::Generic;
        if !other_order || function.is_free_of_constraints() {
            let found = result(machine.as_ref());
            assert!(agree(&first, &found), "{} {function} {path}", model.name);
        }
    }
}

fn every_model(criterion: &mut Criterion) {
    let scheme = Scheme::GeneralizedAlpha(GeneralizedAlpha::index3());
    for model in MODELS {
        for choice in choices(model) {
            let h = model.measured_step(&choice, &scheme);
            let cases = cases(model, &choice, h);
            for function in Function::all() {
                compare(model, function, h, &cases);
                let name = format!("{}/{}/{function}", model.name, choice.group);
                let mut benches = criterion.benchmark_group(name);
                for (path, machine, state) in &cases {
                    benches.bench_function(path.to_string(), |bencher| {
                        bencher.iter_custom(|count| {
                            let measured = machine.measure(state, function, h, count);
                            measured.expect("a call").0
                        });
                    });
                }
                benches.finish();
            }
        }
    }
}

/// Hundreds of functions, each for a moment.
fn short() -> Criterion {
    Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(100))
        .measurement_time(Duration::from_millis(300))
}

criterion_group!(name = benches; config = short(); targets = every_model);
criterion_main!(benches);
