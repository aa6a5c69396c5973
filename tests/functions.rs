//! The functions that benchmarks call alone.

use polhode::generalized_alpha::GeneralizedAlpha;
use polhode::lie::GroupKind;
use polhode::system::Formulation;
use polhode_models::heavy_top::CONSTRAINED;
use polhode_models::machine::{Function, Machine, Scheme, Snapshot, assembled};
use polhode_models::model::{Choice, Model, Path};
use polhode_models::registry::MODELS;

fn machine(model: &Model, choice: &Choice, path: Path) -> Box<dyn Machine> {
    match path {
        Path::Generic => assembled(model.description(choice).unwrap()).unwrap(),
        path => (model.machine)(path, choice).unwrap(),
    }
}

/// A few steps after the start, where nothing is zero by chance and the constraints hold: generated
/// Newton matrices are those on the constraints.
fn moving(machine: &dyn Machine, h: f64) -> Snapshot {
    let scheme = Scheme::GeneralizedAlpha(GeneralizedAlpha::index3());
    machine.batch(&scheme, h, 10).unwrap().last
}

/// Largest difference, relative to the largest number or to one.
fn difference(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    let scale = a.iter().fold(1.0_f64, |m, x| m.max(x.abs()));
    let errors = a.iter().zip(b).map(|(x, y)| (x - y).abs() / scale);
    errors.fold(0.0, |m, x| if m.is_nan() || x <= m { m } else { x })
}

#[test]
fn every_path_gives_the_same_numbers() {
    for model in MODELS {
        let choice = model.measured_choice(model.groups[0], model.choice().n.min(4));
        let paths = (model.paths)(&choice);
        let at = moving(machine(model, &choice, paths[0]).as_ref(), model.step);
        for function in Function::all() {
            let result = |path| {
                let machine = machine(model, &choice, path);
                machine.measure(&at, function, model.step, 2).unwrap().1
            };
            let first = result(paths[0]);
            for &path in &paths[1..] {
                if model.size.is_some()
                    && !function.is_free_of_constraints()
                    && path == Path::Generic
                {
                    continue;
                }
                let error = difference(&first, &result(path));
                assert!(error <= 1e-8, "{} {function} {path}: {error:e}", model.name);
            }
        }
    }
}

#[test]
fn results_are_those_of_the_function_asked_for() {
    let choice = CONSTRAINED.choice_in(GroupKind::SE3);
    let top = machine(&CONSTRAINED, &choice, Path::Generated);
    let result = |function| top.measure(&top.start(), function, 1e-3, 1).unwrap().1;
    let (velocity, constraint) = (6, 3);

    let gap = result(Function::Constraint);
    assert_eq!(gap.len(), velocity + 2 * constraint);
    assert!(gap.iter().all(|x| x.abs() < 1e-12), "{gap:?}");

    let force = result(Function::Force);
    assert!(force[..velocity].iter().any(|x| x.abs() > 100.0)); // weight: 147 N
    assert!(force[velocity..].iter().all(|&x| x == 0.0));

    // B w with the joint one metre from the centre: w = (1, 1/2, 1/3, 1/4, 1/5, 1/6).
    let rate = result(Function::JacobianTimes);
    let expected = [0.25 + 1.0 / 3.0, 0.2, 1.0 / 6.0 - 1.0].map(f64::abs);
    let found = [6, 7, 8].map(|i| rate[i].abs());
    assert!(difference(&expected, &found) < 1e-14, "{rate:?}");

    // Only the stabilized formulation has a second set of multipliers.
    let solved = |formulation| result(Function::NewtonSolve(formulation));
    let eta = &solved(Formulation::StabilizedIndex2)[velocity + constraint..];
    assert!(eta.iter().all(|&x| x != 1.0), "{eta:?}");
    assert_ne!(solved(Formulation::Index3), solved(Formulation::Index2));
}
