//! Time of whole steps, over the registry. The group is the model, the function the path.

use std::time::Duration;

use criterion::{Criterion, criterion_group, criterion_main};
use polhode::generalized_alpha::GeneralizedAlpha;
use polhode::half_explicit::{HalfExplicit, Multipliers};
use polhode_models::machine::{Machine, Scheme, assembled};
use polhode_models::model::{Choice, Model, Path};
use polhode_models::registry::MODELS;

/// Steps from the start after which a batch begins again, so that every batch
/// sees the same motion.
const STEPS: u64 = 1000;

/// One method of each family.
fn schemes() -> [(&'static str, Scheme); 2] {
    let explicit = Scheme::HalfExplicit(HalfExplicit::order5(), Multipliers::Raw);
    let implicit = Scheme::GeneralizedAlpha(GeneralizedAlpha::index3());
    [("he5", explicit), ("ga3", implicit)]
}

fn machine(model: &Model, choice: &Choice, path: Path) -> Option<Box<dyn Machine>> {
    match path {
        Path::Generic => assembled(model.description(choice)?).ok(),
        path => (model.machine)(path, choice),
    }
}

/// Time of a number of steps, in batches from the start.
fn time(machine: &dyn Machine, scheme: &Scheme, h: f64, count: u64) -> Duration {
    let mut left = count;
    let mut total = Duration::ZERO;
    while left > 0 {
        let steps = left.min(STEPS);
        let size = usize::try_from(steps).expect("a small number");
        let (seconds, _) = machine.batch(scheme, h, size).expect("steps");
        #[expect(clippy::cast_precision_loss, reason = "a small number")]
        let batch = Duration::from_secs_f64(seconds * steps as f64);
        total += batch;
        left -= steps;
    }
    total
}

fn every_model(criterion: &mut Criterion) {
    for model in MODELS {
        let choice = model.choice();
        for (name, scheme) in schemes() {
            let mut benches = criterion.benchmark_group(format!("{}/{name}", model.name));
            for &path in (model.paths)(&choice) {
                let machine = machine(model, &choice, path).expect("a path of the model");
                benches.bench_function(path.to_string(), |bencher| {
                    bencher.iter_custom(|count| time(machine.as_ref(), &scheme, model.step, count));
                });
            }
            benches.finish();
        }
    }
}

criterion_group!(benches, every_model);
criterion_main!(benches);
