//! The Newton matrix of six links with revolute joints, 66 unknowns, factored and solved: generated
//! code, the generic system (dense and by fronts), and a dense LU of a library, which is given the
//! matrix that the others assemble.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use nalgebra::DVector;
use polhode::generic::{GenericSystem, LinearMethod};
use polhode::system::System;
use polhode_benches::cases::agree;
use polhode_benches::six_links::{Chain, Newton, RIGHT};

/// Factors and solves once.
fn solution<S: System>(newton: &mut Newton<S>) -> DVector<f64> {
    newton.factor().expect("a regular matrix");
    newton.solution(&RIGHT)
}

fn six_links(criterion: &mut Criterion) {
    let mut benches = criterion.benchmark_group("six-links");
    let mut generated = Newton::new(Chain).expect("an admissible start");
    let expected = solution(&mut generated);
    let matrix = generated.matrix().expect("a regular matrix");

    benches.bench_function("generated", |bencher| {
        bencher.iter(|| {
            generated.factor().expect("a regular matrix");
            black_box(generated.solve(&RIGHT));
        });
    });

    let generic =
        |method| GenericSystem::with_method(Chain.description(), method).expect("a description");
    let systems = [
        ("generic", generic(LinearMethod::Dense)),
        ("generic-fronts", generic(LinearMethod::Fronts)),
    ];
    for (name, system) in systems {
        let mut generic = Newton::new(system).expect("an admissible start");
        let found = solution(&mut generic);
        assert!(agree(expected.as_slice(), found.as_slice()), "{name}");
        benches.bench_function(name, |bencher| {
            bencher.iter(|| {
                generic.factor().expect("a regular matrix");
                black_box(generic.solve(&RIGHT));
            });
        });
    }

    let right = DVector::from_row_slice(&RIGHT);
    let found = matrix.clone().lu().solve(&right).expect("a regular matrix");
    assert!(agree(expected.as_slice(), found.as_slice()), "dense LU");
    benches.bench_function("dense-lu", |bencher| {
        bencher.iter(|| black_box(matrix.clone().lu().solve(black_box(&right))));
    });
    benches.finish();
}

criterion_group!(benches, six_links);
criterion_main!(benches);
