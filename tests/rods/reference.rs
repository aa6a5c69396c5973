//! Formulas, single steps and solutions of the reference.

use polhode::chain::InternalConstraint::{Cosserat, Inextensible, Kirchhoff};
use polhode::half_explicit::HalfExplicit;
use polhode::output::Output;
use polhode::stats::Stats;
use polhode::stepper::{Method, Stepper};
use polhode::system::{Constrained, Manifold, Mechanics, Scratch, Stage};
use polhode_tests::rods::{Case, Model};
use polhode_tests::{data, difference, float, floats, gap};
use serde_json::Value;

fn case_of(value: &Value) -> Case {
    if value["case"] == "rollup" {
        Case::RollUp
    } else {
        Case::Spaghetti
    }
}

/// Strains, forces, constraints and accelerations of arbitrary states.
#[test]
fn formulas_at_arbitrary_states() {
    for sample in data("rod_samples.json")["samples"].as_array().unwrap() {
        let constraint = match float(&sample["ncon"]) {
            2.0 => Kirchhoff,
            _ => Inextensible,
        };
        let mut model = Model::new(case_of(sample), constraint);
        model.elements = 4;
        model.held = true;
        let (tree, _) = model.build();
        let t = float(&sample["t"]);
        let all = |name: &str| floats(&sample[name]);
        let free = |name: &str, n: usize| model.free(&all(name), n).to_vec();
        let (mut q, mut v) = (tree.start_config(), tree.new_velocity());
        q.copy_from_slice(&free("q", 7));
        v.copy_from_slice(&free("v", 6));
        let check = |what: &str, found: &[f64], expected: &[f64]| {
            let error = difference(found, expected);
            println!("{:?} {constraint:?} {what}: {error:.1e}", model.case);
            assert!(error < 1e-12, "{what}: {error:.1e}");
        };
        let mut geometry = tree.new_geometry();
        tree.geometry(t, &q, &mut geometry).unwrap();
        let strains: Vec<f64> = tree.strains(&geometry).into_iter().flatten().collect();
        check("strain", &strains, &all("w"));
        let rates: Vec<f64> = tree
            .strain_rates(&geometry, &v)
            .into_iter()
            .flatten()
            .collect();
        check("strain rate", &rates, &all("wdot"));
        let mut force = tree.new_velocity();
        tree.force(t, &geometry, &v, &mut force);
        let minus: Vec<f64> = force.iter().map(|f| -f).collect();
        check("force", &minus, &free("force", 6));
        let mut rows = tree.new_multiplier();
        tree.constraint(t, &q, &geometry, &mut rows);
        check("Phi", &rows, &all("phi"));
        tree.jacobian_times(&geometry, &v, &mut rows);
        check("B v", &rows, &all("Bv"));
        tree.constraint_quadratic(t, &q, &geometry, &v, &mut rows);
        check("Z", &rows, &all("Bdot_v"));
        let b = all("B");
        let width = b.len() / rows.len();
        let mut unit = tree.new_velocity();
        for i in 0..unit.len() {
            unit.fill(0.0);
            unit[i] = 1.0;
            tree.jacobian_times(&geometry, &unit, &mut rows);
            let column = width - unit.len() + i;
            let expected: Vec<f64> = (0..rows.len()).map(|r| b[r * width + column]).collect();
            check("B", &rows, &expected);
        }
        let stage = Stage {
            t,
            geometry: &geometry,
            v: &v,
        };
        let mut vdot = tree.new_velocity();
        let mut scratch = Scratch::new(&tree);
        tree.accelerations(&stage, &q, &mut vdot, &mut rows, &mut scratch)
            .unwrap();
        check("v'", &vdot, &free("vdot_index1", 6));
        check("lambda", &rows, &all("lambda_index1"));
        let energy = tree.energy(t, &q, &v);
        check(
            "energy",
            &[energy.kinetic, energy.potential],
            &[float(&sample["kinetic"]), float(&sample["potential"])],
        );
    }
}

/// One step of each order from the state at `t = 2`, against 40 digits (`rod_steps.json`), and against the
/// reference in double precision (`rod_samples.json`), whose multipliers are off by 2.8e-12 themselves.
///
/// Multipliers balance forces of strains. A position `x` in double precision leaves an error of `u x / ds` in
/// a strain, `u = 1.1e-16`, and with the stiffness `C^G = 1e4` one of `C^G u x / ds` in a force: 1.4e-11 for the
/// spaghetti, whose multipliers are 15. So it is with 40 digits, too: if only the configuration of
/// each stage is rounded, multipliers change by up to 3e-12 of the largest (`lam_rounding`; order 3
/// of the spaghetti, which adds those of its stages with the weights -2 and 3). That much is allowed
/// beside 1e-12.
#[test]
fn single_steps() {
    let truth = data("rod_steps.json");
    for step in data("rod_samples.json")["steps"].as_array().unwrap() {
        let mut model = Model::new(case_of(step), Kirchhoff);
        model.held = true;
        let (tree, _) = model.build();
        let start = model.solutions().into_iter().find(|s| s.t == 2.0).unwrap();
        let method = match float(&step["order"]) {
            2.0 => HalfExplicit::order2(),
            3.0 => HalfExplicit::order3(),
            4.0 => HalfExplicit::order4(),
            _ => HalfExplicit::order5(),
        };
        let mut state = start.state(&tree);
        let mut stepper = method.stepper(&tree).unwrap();
        stepper.start(&tree, &mut state, 0.0).unwrap();
        // The reference keeps the multipliers of its state.
        state.lambda.copy_from_slice(&start.lambda);
        let mut geometry = tree.new_geometry();
        let mut scratch = Scratch::new(&tree);
        tree.geometry(state.t, &state.q, &mut geometry).unwrap();
        tree.force(state.t, &geometry, &state.v, &mut scratch.force);
        let lambda = state.lambda.clone();
        tree.explicit_acceleration(&geometry, &lambda, &mut state.vdot, &mut scratch);
        stepper
            .step(&tree, &mut state, float(&step["h"]), &mut Stats::default())
            .unwrap();
        let mut all = truth["steps"].as_array().unwrap().iter();
        let exact = all
            .find(|x| x["case"] == step["case"] && x["order"] == step["order"])
            .unwrap();
        let rounding = 1e-12 + float(&exact["lam_rounding"]);
        for (reference, of, lambda) in [(exact, "40 digits", rounding), (step, "double", 5e-12)] {
            let all = |name: &str| floats(&reference[name]);
            for (what, tolerance, error) in [
                ("q", 1e-12, difference(&state.q, model.free(&all("q"), 7))),
                ("v", 1e-12, difference(&state.v, model.free(&all("v"), 6))),
                ("lambda", lambda, difference(&state.lambda, &all("lam"))),
            ] {
                let (case, order) = (model.case, &step["order"]);
                println!("{case:?} order {order} {what}, {of}: {error:.1e}");
                assert!(
                    error < tolerance,
                    "{case:?} {order} {what}, {of}: {error:.1e}"
                );
            }
        }
    }
}

fn check_solutions(model: &Model, h: f64, end: f64) {
    let (tree, _) = model.build();
    let solutions = model.solutions();
    let times = solutions
        .iter()
        .map(|s| s.t)
        .filter(|t| *t <= end)
        .collect();
    let run = HalfExplicit::order5()
        .simulate(&tree, 0.0..=end)
        .step(h)
        .output(Output::At(times))
        .run()
        .unwrap();
    for reference in solutions.iter().filter(|s| s.t <= end) {
        let state = run.states().iter().find(|s| s.t == reference.t).unwrap();
        let (q, v, lambda) = (
            gap(&state.q, &reference.q),
            gap(&state.v, &reference.v),
            gap(&state.lambda, &reference.lambda),
        );
        let what = format!("{} at t = {}", model.reference_name(), reference.t);
        println!("{what}: q {q:.1e}, v {v:.1e}, lambda {lambda:.1e}");
        assert!(
            q < 1e-10 && v < 1e-8 && lambda < 1e-6,
            "{what}: {q:.1e} {v:.1e} {lambda:.1e}"
        );
        let energy = tree.energy(state.t, &state.q, &state.v).total();
        let error = (energy - reference.energy).abs();
        assert!(error < 1e-8, "{what}: energy off by {error:.1e}");
    }
}

#[test]
fn roll_up_solutions() {
    for constraint in [Kirchhoff, Inextensible, Cosserat] {
        check_solutions(&Model::new(Case::RollUp, constraint), 1.0 / 1024.0, 5.0);
    }
    let mut light = Model::new(Case::RollUp, Kirchhoff);
    light.damping_factor = 1.0;
    check_solutions(&light, 1.0 / 1024.0, 5.0);
}

#[test]
fn spaghetti_solutions() {
    for constraint in [Kirchhoff, Inextensible, Cosserat] {
        check_solutions(&Model::new(Case::Spaghetti, constraint), 1.0 / 2048.0, 5.0);
    }
}
