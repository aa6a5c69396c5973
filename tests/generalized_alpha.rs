//! The generalized-alpha methods against step-by-step reference values, their
//! observed orders and error levels.

use polhode::generalized_alpha::{GeneralizedAlpha, Sigma};
use polhode::generic::GenericSystem;
use polhode::newton::NewtonOptions;
use polhode::starting_values::StartingValues;
use polhode_models::heavy_top;
use polhode_tests::{Driver, RIGID, data, difference, floats};

/// Newton to the last bit, so that only rounding separates us from the reference.
fn tight() -> NewtonOptions {
    NewtonOptions {
        relative: 1e-14,
        ..NewtonOptions::default()
    }
}

fn method_of(key: &str) -> GeneralizedAlpha {
    let method = if key.contains("form3") {
        GeneralizedAlpha::index3()
    } else if key.contains("form22") {
        GeneralizedAlpha::stabilized_index2()
    } else {
        GeneralizedAlpha::index2()
    };
    let rho = key.split("/rho").nth(1).unwrap().split('/').next().unwrap();
    let sigma = if key.contains("sigma0") {
        Sigma::Geom1
    } else if key.contains("sigma1") {
        Sigma::One
    } else {
        Sigma::Optimal
    };
    let start = match key.rsplit('/').next().unwrap() {
        "classic" => StartingValues::Classical,
        "a0" => StartingValues::Acceleration,
        _ => StartingValues::Corrected,
    };
    method
        .rho(rho.parse().unwrap())
        .sigma(sigma)
        .start(start)
        .newton(tight())
}

/// 144 combinations of group, formulation, damping, sigma and start, at steps 1, 10 and 100.
#[test]
fn golden_steps() {
    let golden = data("generalized_alpha.json");
    let mut compared = 0;
    for (key, expected) in golden["steps"].as_object().unwrap() {
        let group = RIGID
            .iter()
            .find(|(_, name)| key.split('/').next() == Some(name));
        let group = group.unwrap().0;
        let system = GenericSystem::new(heavy_top::constrained(group)).unwrap();
        let h = 1e-3;
        let mut run = Driver::new(system, &method_of(key), h);
        let start = &expected["start"];
        assert!(
            difference(&run.state.v, &floats(&start["v0"])) < 1e-13,
            "{key}"
        );
        assert!(
            difference(&run.state.a, &floats(&start["a0"])) < 1e-11,
            "{key}"
        );
        assert!(
            difference(&run.state.vdot, &floats(&start["vd0"])) < 1e-13,
            "{key}"
        );
        assert!(
            difference(&run.state.lambda, &floats(&start["lam0"])) < 1e-13,
            "{key}"
        );
        let mut done = 0;
        for n in [1, 10, 100] {
            run.steps(n - done, h);
            done = n;
            let expected = &expected[n.to_string()];
            let check = |name: &str, found: &[f64], tolerance: f64| {
                let error = difference(found, &floats(&expected[name]));
                assert!(
                    error < tolerance,
                    "{key} step {n}: {name} differs by {error:.2e}"
                );
            };
            check("q", &run.state.q, 1e-11);
            check("v", &run.state.v, 1e-11);
            // The reference solved its equations to about 1e-9 in these.
            check("lam", &run.state.lambda, 1e-8);
            check("vd", &run.state.vdot, 1e-8);
            check("a", &run.state.a, 1e-8);
            check("eta", &run.state.eta, 1e-8);
            compared += 1;
        }
    }
    assert_eq!(compared, 3 * 144);
}

#[test]
fn print_levels() {
    use polhode_tests::heavy_top::exact;
    for (group, _) in &RIGID[..2] {let group=*group;
        for n in [1000, 8000] {
            let exact = exact(n);
            for (name, method) in [
                (
                    "i3 classic",
                    GeneralizedAlpha::index3().start(StartingValues::Classical),
                ),
                ("i3", GeneralizedAlpha::index3()),
                (
                    "s2 classic",
                    GeneralizedAlpha::stabilized_index2().start(StartingValues::Classical),
                ),
                ("s2", GeneralizedAlpha::stabilized_index2()),
                (
                    "i2 classic",
                    GeneralizedAlpha::index2().start(StartingValues::Classical),
                ),
            ] {
                let system = GenericSystem::new(heavy_top::constrained(group)).unwrap();
                let h = 1.0 / n as f64;
                let (e, stats) = Driver::new(system, &method, h).heavy_top_errors(group, &exact);
                println!(
                    "{group} {n} {name}: {:?} its {}",
                    e,
                    stats.newton_iterations as f64 / n as f64
                );
            }
        }
    }
}
