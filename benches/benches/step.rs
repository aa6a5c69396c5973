//! Time of whole steps, over the registry. The group is the model, its group and the method, the
//! function the path.

use std::time::Duration;

use criterion::{Criterion, criterion_group, criterion_main};
use polhode_benches::cases::{agree, choices, machines, schemes};
use polhode_models::hand::Kernel;
use polhode_models::machine::Scheme;
use polhode_models::model::{Choice, Model, Path};
use polhode_models::registry::MODELS;

/// Steps from the start after which a batch begins again, so that every batch
/// sees the same motion.
const STEPS: usize = 1000;
/// Steps after which all paths must have reached the same velocities.
const COMPARED: usize = 100;

/// Makes steps from the start: seconds per step, and the last velocities.
type Batch = Box<dyn Fn(usize) -> (f64, Vec<f64>)>;

/// Every path, with what is written by hand for the heavy top.
fn batches(model: &Model, choice: &Choice, name: &str, scheme: &Scheme) -> Vec<(Path, Batch)> {
    let h = model.measured_step(choice, scheme);
    let mut batches = Vec::new();
    for (path, machine) in machines(model, choice) {
        let scheme = scheme.clone();
        let batch: Batch = Box::new(move |steps| {
            let batch = machine.batch(&scheme, h, steps).expect("steps");
            (batch.seconds, batch.last.v)
        });
        batches.push((path, batch));
    }
    let kernel = Kernel::named(name).filter(|_| model.name == "heavy-top");
    let prepared = kernel.and_then(|kernel| kernel.prepared(choice.group, h).expect("a start"));
    if let Some(prepared) = prepared {
        let batch: Batch = Box::new(move |steps| {
            let (seconds, top) = prepared.batch(steps);
            (seconds, top.parts().1.to_vec())
        });
        batches.push((Path::Hand, batch));
    }
    batches
}

/// Time of a number of steps, in batches from the start.
fn time(batch: &Batch, count: u64) -> Duration {
    let mut left = usize::try_from(count).expect("a number of steps");
    let mut total = Duration::ZERO;
    while left > 0 {
        let steps = left.min(STEPS);
        #[expect(clippy::cast_precision_loss, reason = "a small number")]
        let seconds = batch(steps).0 * steps as f64;
        total += Duration::from_secs_f64(seconds);
        left -= steps;
    }
    total
}

fn every_model(criterion: &mut Criterion) {
    for model in MODELS {
        for choice in choices(model) {
            for (name, scheme) in schemes() {
                let group = format!("{}/{}/{name}", model.name, choice.group);
                let batches = batches(model, &choice, name, &scheme);
                let mut benches = criterion.benchmark_group(&group);
                let (_, expected) = batches[0].1(COMPARED);
                for (path, batch) in &batches {
                    assert!(agree(&expected, &batch(COMPARED).1), "{group} {path}");
                    benches.bench_function(path.to_string(), |bencher| {
                        bencher.iter_custom(|count| time(batch, count));
                    });
                }
                benches.finish();
            }
        }
    }
}

criterion_group!(benches, every_model);
criterion_main!(benches);
