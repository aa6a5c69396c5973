//! Time of whole steps. The group is the model, the function the path.

use criterion::{Criterion, criterion_group, criterion_main};
use polhode::error::SolveError;
use polhode::generalized_alpha::GeneralizedAlpha;
use polhode::generic::{GenericSystem, InvalidDescription};
use polhode::half_explicit::HalfExplicit;
use polhode::lie::GroupKind;
use polhode::state::State;
use polhode::stats::Stats;
use polhode::stepper::{Method, Stepper};
use polhode::system::System;
use polhode_models::model::{Model, Path};
use polhode_models::registry;

/// Steps from the start after which a batch begins again, so that every batch
/// sees the same motion.
const STEPS: u32 = 1000;

/// A method on a system, stepping forever.
struct Runner<S: System, M: Method> {
    system: S,
    start: State<S>,
    state: State<S>,
    stepper: M::Stepper<S>,
    stats: Stats,
    h: f64,
    left: u32,
}

impl<S: System, M: Method> Runner<S, M> {
    fn new(system: S, method: &M, h: f64) -> Result<Self, SolveError> {
        let mut start = State::start(&system, 0.0);
        let mut stepper = method.stepper(&system)?;
        stepper.start(&system, &mut start, h)?;
        Ok(Self {
            state: start.clone(),
            start,
            stepper,
            stats: Stats::default(),
            h,
            left: STEPS,
            system,
        })
    }

    fn step(&mut self) {
        if self.left == 0 {
            self.state.copy_from(&self.start);
            self.left = STEPS;
        }
        self.left -= 1;
        self.stepper
            .step(&self.system, &mut self.state, self.h, &mut self.stats)
            .expect("a step that worked in the first round");
    }
}

fn generic(model: &Model, group: GroupKind) -> Result<GenericSystem, InvalidDescription> {
    GenericSystem::new((model.describe)(&model.choice_in(group)))
}

fn bench<M: Method>(criterion: &mut Criterion, model: &Model, name: &str, method: &M) {
    for &group in &[GroupKind::SO3xR3, GroupKind::SE3] {
        let system = generic(model, group).expect("a valid model");
        let mut runner = Runner::new(system, method, model.step).expect("starting values");
        let title = format!("{}/{group}/{name}", model.name);
        let mut benches = criterion.benchmark_group(title);
        benches.bench_function(Path::Generic.to_string(), |bencher| {
            bencher.iter(|| runner.step());
        });
        benches.finish();
    }
}

fn heavy_top(criterion: &mut Criterion) {
    let model = registry::find("heavy-top").expect("a model of the registry");
    bench(criterion, model, "he5", &HalfExplicit::order5());
    bench(criterion, model, "ga3", &GeneralizedAlpha::index3());
}

criterion_group!(benches, heavy_top);
criterion_main!(benches);
