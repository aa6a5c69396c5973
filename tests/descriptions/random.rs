//! Nothing that is accepted panics.

use super::strategies::description;
use polhode::error::SolveError;
use polhode::generalized_alpha::GeneralizedAlpha;
use polhode::generic::description::Description;
use polhode::generic::{GenericSystem, LinearMethod};
use polhode::half_explicit::HalfExplicit;
use polhode::state::State;
use polhode::stats::Stats;
use polhode::stepper::{Method, Stepper};
use polhode::system::{Bodies, Constrained, Manifold, Mechanics, Scratch, Stage};
use proptest::prelude::*;

/// Three steps from the declared start, consistent or not. A step that is reported as good has
/// finite numbers.
fn three_steps<M: Method<GenericSystem>>(
    system: &GenericSystem,
    method: &M,
) -> Result<(), SolveError> {
    let mut state = State::start(system, 0.0);
    let mut stepper = method.stepper(system)?;
    stepper.start(system, &mut state, 1e-2)?;
    for _ in 0..3 {
        stepper.step(system, &mut state, 1e-2, &mut Stats::default())?;
        let State {
            q, v, vdot, lambda, ..
        } = &state;
        for x in [q, v, vdot, lambda].into_iter().flatten() {
            assert!(x.is_finite(), "{state:?}");
        }
    }
    Ok(())
}

/// Uses everything that a system offers, and returns how many of the runs went well.
fn exercise(description: &Description, linear: LinearMethod) -> Option<usize> {
    let system = match GenericSystem::with_method(description.clone(), linear) {
        Ok(system) => system,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return None;
        }
    };
    let state = State::start(&system, 0.0);
    let mut geometry = system.new_geometry();
    let (mut velocity, mut multiplier) = (system.new_velocity(), system.new_multiplier());
    if system.geometry(0.0, &state.q, &mut geometry).is_ok() {
        system.force(0.0, &geometry, &state.v, &mut velocity);
        system.constraint(0.0, &state.q, &geometry, &mut multiplier);
        let stage = Stage {
            t: 0.0,
            geometry: &geometry,
            v: &state.v,
        };
        let mut scratch = Scratch::new(&system);
        let result = system.accelerations(
            &stage,
            &state.q,
            &mut velocity,
            &mut multiplier,
            &mut scratch,
        );
        if let Err(fault) = result {
            assert!(!fault.to_string().is_empty());
        }
    }
    system.energy(0.0, &state.q, &state.v);
    system.momentum(&state.q, &state.v);
    let results = [
        three_steps(&system, &HalfExplicit::order5()),
        three_steps(&system, &GeneralizedAlpha::index3()),
        three_steps(
            &system,
            &GeneralizedAlpha::stabilized_index2().modified_newton(),
        ),
    ];
    for error in results.iter().filter_map(|result| result.as_ref().err()) {
        assert!(!error.to_string().is_empty());
    }
    // The time loop, with a projection and an automatic first step.
    let run = HalfExplicit::order5()
        .tolerances(1e-6, 1e-6)
        .simulate(&system, 0.0..=0.1);
    let run = run.initial_values(polhode::consistency::InitialValues::Project(1e-8));
    if let Err(failed) = run.max_steps(5).run() {
        assert!(!failed.to_string().is_empty());
    }
    Some(results.iter().filter(|result| result.is_ok()).count())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_descriptions_never_panic(description in description(), fronts in any::<bool>()) {
        let linear = if fronts { LinearMethod::Fronts } else { LinearMethod::Dense };
        exercise(&description, linear);
    }
}

/// The random descriptions are not all refused, and not all useless.
#[test]
fn random_descriptions_are_worth_it() {
    use proptest::strategy::ValueTree;
    use proptest::test_runner::TestRunner;
    let mut runner = TestRunner::deterministic();
    let strategy = description();
    let (mut accepted, mut good) = (0, 0);
    for _ in 0..1000 {
        let description = strategy.new_tree(&mut runner).unwrap().current();
        if let Some(runs) = exercise(&description, LinearMethod::Dense) {
            accepted += 1;
            good += runs;
        }
    }
    assert!(
        accepted > 200 && good > 200,
        "{accepted} accepted, {good} good runs"
    );
}
