//! Holzinger, Arnold, Gerstmayr: sigma-modified generalized-alpha on the heavy top.

use polhode::generalized_alpha::{GeneralizedAlpha, Sigma};
use polhode::lie::GroupKind;
use polhode::starting_values::StartingValues;

use super::claim::{Check, Found};
use super::lab::{Lab, Point, Recipe, generalized_alpha, slope};
use crate::chart::{Axis, Chart, Series};
use crate::failure::Failure;

const GROUP: GroupKind = GroupKind::SO3xR3;
const STEPS: [u32; 4] = [1000, 2000, 4000, 8000];
const SIGMAS: [(&str, Sigma); 3] = [
    ("sigma 0", Sigma::Geom1),
    ("sigma 1", Sigma::One),
    ("sigma optimal", Sigma::Optimal),
];

/// The formulations of the figures with their spectral radius.
fn formulations() -> [(&'static str, GeneralizedAlpha, f64); 2] {
    [
        ("index 3", GeneralizedAlpha::index3(), 0.65),
        ("stabilized", GeneralizedAlpha::stabilized_index2(), 1.0),
    ]
}

fn recipe(method: GeneralizedAlpha, rho: f64, sigma: Sigma) -> Recipe {
    generalized_alpha(method, rho, sigma, StartingValues::Corrected)
}

/// Figure 2.
pub(crate) fn histories(lab: &Lab) -> Result<Found, Failure> {
    // A deviation between two programs, both with errors of their own.
    const PRINTED: f64 = 1e-5;
    let (_, method, rho) = formulations()[0];
    let run = lab.top(&recipe(method, rho, Sigma::One), GROUP, 32_000)?;
    let mut found = Found::default();
    let last = run.points.last();
    let [position, velocity] = last.map_or([f64::NAN; 2], |point| point.translation);
    for (quantity, ours) in [("position", position), ("velocity", velocity)] {
        let statement = format!(
            "error of the {quantity} of the centre at t = 1, steps of 3.1e-5 (paper: 2.5e-5)"
        );
        found.checks.push(Check::about(&statement, PRINTED, ours));
    }
    let curves = |value: fn(&Point) -> [f64; 3]| {
        let axes = ["x", "y", "z"].into_iter().enumerate();
        let curve = axes.map(|(i, axis)| Series::line(axis, run.curve(1.0, |p| value(p)[i])));
        curve.collect()
    };
    let chart = |title: &str, series| Chart {
        title: title.to_owned(),
        subtitle: "heavy top, index 3 with sigma 1, rho 0.65".to_owned(),
        x: Axis::linear("time"),
        y: Axis::linear(title),
        series,
    };
    found.charts = vec![
        chart("position", curves(|point| point.position)),
        chart("velocity", curves(|point| point.velocity)),
    ];
    Ok(found)
}

/// Orders, and what sigma gains over sigma 0.
fn gains(lab: &Lab, quantity: &str, value: fn(&Point) -> f64) -> Result<Found, Failure> {
    let mut found = Found::default();
    let mut series = Vec::new();
    for (formulation, method, rho) in formulations() {
        let mut plain = None;
        let mut smallest = [0.0; 2];
        for (name, sigma) in SIGMAS {
            let runs = lab.tops(&recipe(method, rho, sigma), GROUP, &STEPS)?;
            let errors = runs
                .iter()
                .map(|run| (run.h, run.largest(0.0..=1.0, value)));
            let errors: Vec<(f64, f64)> = errors.collect();
            found.checks.push(Check::order(
                &format!("{quantity}, {formulation}, {name}: second order"),
                2.0,
                slope(&errors),
            ));
            let finest = errors[errors.len() - 1].1;
            let ratio = finest / *plain.get_or_insert(finest);
            smallest = [smallest[1], finest];
            if sigma != Sigma::Geom1 {
                found.checks.push(Check::new(
                    &format!("{quantity}, {formulation}, {name}: more accurate than sigma 0"),
                    "smaller error",
                    format!("{ratio:.2} of the error"),
                    ratio < 1.0,
                ));
            }
            series.push(Series::marked(&format!("{formulation}, {name}"), errors));
        }
        let [one, optimal] = smallest;
        let check = Check::new(
            &format!("{quantity}, {formulation}: sigma = gamma / (3 beta) is optimal"),
            "smallest error",
            format!("{:.2} of the error with sigma 1", optimal / one),
            optimal <= one,
        );
        found.checks.push(check.or(|| {
            format!(
                "sigma 1 has {:.2} of its error: the optimal sigma removes one term of the leading \
                 error, and on this top that term is partly opposite to the other one",
                one / optimal
            )
        }));
    }
    found.charts.push(Chart {
        title: format!("Convergence of the {quantity}"),
        subtitle: format!("heavy top in {GROUP}, corrected starting values"),
        x: Axis::log("step size"),
        y: Axis::log("largest error on [0, 1]"),
        series,
    });
    Ok(found)
}

/// Figure 3.
pub(crate) fn coordinates(lab: &Lab) -> Result<Found, Failure> {
    let mut found = gains(lab, "configuration", |point| point.q)?;
    let velocity = gains(lab, "velocity", |point| point.v)?;
    found.checks.extend(velocity.checks);
    found.charts.extend(velocity.charts);
    Ok(found)
}

/// Figure 4.
pub(crate) fn multipliers(lab: &Lab) -> Result<Found, Failure> {
    gains(lab, "multipliers", |point| point.lambda_error)
}
