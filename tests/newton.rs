//! Full and modified Newton solve the same equations.

use polhode::accelerations::AccelerationSolver;
use polhode::generalized_alpha::GeneralizedAlpha;
use polhode::newton::NewtonOptions;
use polhode::prelude::multibody;
use polhode::state::State;
use polhode::system::System;
use polhode_models::chain;
use polhode_models::slider_crank::{SLIDER_MIDDLE, SliderCrankDirect};
use polhode_tests::{Driver, data, distance, floats, gap};

/// Modified Newton may add a tenth of the error of the method: `end` is a point of the mechanism
/// after `time`, and `exact` where it should be.
fn check<S: System + Clone>(
    system: &S,
    (time, steps): (f64, u32),
    end: impl Fn(&State<S>) -> Vec<f64>,
    exact: &[f64],
) {
    let h = time / f64::from(steps);
    for method in [
        GeneralizedAlpha::index3(),
        GeneralizedAlpha::index2(),
        GeneralizedAlpha::stabilized_index2(),
    ] {
        let [full, modified] = [method, method.modified_newton()].map(|method| {
            let mut run = Driver::new(system.clone(), &method, h);
            run.steps(steps as usize, h);
            (end(&run.state), run.stats)
        });
        let error = distance(&full.0, exact);
        let gap = distance(&full.0, &modified.0);
        println!(
            "{:?}, h = {h:.2e}: error {error:.2e}, gap {gap:.1e}, {} iterations and {} matrices",
            method.formulation,
            modified.1.newton_iterations,
            modified.1.factorizations + modified.1.refactorizations,
        );
        assert!(
            gap <= 0.1 * error,
            "{:?}, h = {h:.2e}: modified Newton is {gap:.2e} away, the error is {error:.2e}",
            method.formulation
        );
        let matrices = modified.1.factorizations + modified.1.refactorizations;
        assert!(matrices < full.1.factorizations, "{:?}", modified.1);
    }
}

/// Inertias from 1e-5 to 2 in one system: residuals are all but zero before the crank is where it
/// should be. Stabilized, with an error of 1.9e-6, the slider was 7.8e-6 away.
#[test]
fn a_light_crank() {
    let slider = |state: &State<SliderCrankDirect>| vec![state.q[state.q.len() - 3]];
    let system = SliderCrankDirect::default();
    check(&system, (5.0, 40_000), slider, &SLIDER_MIDDLE[4..]);
    check(&system, (5.0, 5_000), slider, &SLIDER_MIDDLE[4..]);
}

/// Residuals of the first iterations fall faster than those of the later ones. Index 2 with an error
/// of 1.7e-9 was 9e-9 away. With the smaller step, first corrections of the early steps are as
/// small as rounding errors of positions.
#[test]
fn a_chain() {
    let mut choice = chain::CHAIN.choice();
    choice.n = 20;
    let system = chain::links(&choice).unwrap();
    let exact = floats(&data("chains.json")["tips"]["20"]["1"]);
    for steps in [8_000, 16_000] {
        check(
            &system,
            (1.0, steps),
            |state| system.tip(&state.q).to_vec(),
            &exact,
        );
    }
}

/// A closed loop of links on spherical joints that hangs from one of them.
#[multibody(gravity = [0.0, 0.0, -9.81])]
struct Loop {
    #[count(default = 100, min = 3)]
    n: usize,
    #[body(mass = 1.0, inertia = [0.1, 0.2, 0.15])]
    #[start(position = [cos(2 * PI * i / n), 0.0, sin(2 * PI * i / n)], rotation = ry(-2 * PI * i / n))]
    links: [Body<SE3>; n],
    #[joint(ground at [1.0, 0.0, 0.0], links[0])]
    post: Spherical,
    #[joint(links[i], links[i + 1], at = world([cos(2 * PI * (i + 0.5) / n), 0.0, sin(2 * PI * (i + 0.5) / n)]))]
    joints: [Spherical; n - 1],
    #[joint(links[n - 1], links[0], at = world([cos(PI / n), 0.0, -sin(PI / n)]))]
    seam: Spherical,
}

/// Rounding errors of `Phi` are divided by `h^2` in the multipliers of index 3: two ways to stop the
/// iteration give multipliers that differ by `3e-12 / h^2`, up to 1.4e-4, and the same motion, from
/// which multipliers can be computed again. The error of the method is 4.5e-5 at `h = 5e-4`.
#[test]
fn multipliers_of_a_loop_are_rounded() {
    for steps in [800, 1600_u32] {
        let h = 0.2 / f64::from(steps);
        let tight = NewtonOptions {
            absolute: 1e-20,
            relative: 1e-15,
            ..NewtonOptions::default()
        };
        let method = GeneralizedAlpha::index3();
        let [a, b] = [method, method.newton(tight)].map(|method| {
            let system = Loop::new(LoopParameters::default()).unwrap();
            let mut run = Driver::new(system, &method, h);
            run.steps(steps as usize, h);
            let mut again = run.state.clone();
            let mut solver = AccelerationSolver::new(&run.system);
            solver.solve(&run.system, &mut again).unwrap();
            (run.state.lambda.to_vec(), again.lambda.to_vec())
        });
        let (found, again) = (gap(&a.0, &b.0), gap(&a.1, &b.1));
        println!("h = {h:.2e}: {found:.2e}, {again:.2e} if computed again");
        assert!(found * h * h < 1e-11, "h = {h:.2e}: {found:.2e}");
        assert!(again < 1e-8, "h = {h:.2e}: {again:.2e}");
    }
}
