//! Modified starting values: figures 16 to 21.

use polhode::starting_values::StartingValues;

use super::super::claim::{Check, Found, short};
use super::super::lab::{History, Lab, Point, Recipe};
use super::{COARSE, DIRECT, FINE, curves, first_multiplier, index3, merged, orders, stabilized};
use crate::chart::Chart;
use crate::failure::Failure;

/// Largest second difference of the error of the first multiplier in the first 50 steps: an
/// oscillation from step to step is in it, the smooth error of second order is not.
fn roughness(run: &History) -> f64 {
    let first = run.points.windows(3).take(50);
    let bends = first.map(|p| (p[2].lambda_1 - 2.0 * p[1].lambda_1 + p[0].lambda_1).abs());
    bends.fold(0.0, f64::max)
}

/// How rough the first multiplier is with two kinds of starting values.
fn starts(
    lab: &Lab,
    recipe: fn(StartingValues) -> Recipe,
    other: StartingValues,
) -> Result<([f64; 2], Chart), Failure> {
    let classical = lab.top(&recipe(StartingValues::Classical), DIRECT, COARSE)?;
    let modified = lab.top(&recipe(other), DIRECT, COARSE)?;
    let chart = curves(
        "relative error of the first multiplier",
        0.1,
        &[
            ("classical start", &classical),
            ("modified start", &modified),
        ],
        first_multiplier,
    );
    Ok(([roughness(&classical), roughness(&modified)], chart))
}

/// Figure 16.
pub(crate) fn stabilized_start(lab: &Lab) -> Result<Found, Failure> {
    let ([a, b], chart) = starts(lab, stabilized, StartingValues::Acceleration)?;
    Ok(Found {
        checks: vec![Check::new(
            "the modified acceleration removes the term of first order",
            "it disappears",
            format!("{} of the oscillation is left", short(b / a)),
            b / a < 0.1,
        )],
        charts: vec![chart],
    })
}

/// Figure 17.
pub(crate) fn index3_start(lab: &Lab) -> Result<Found, Failure> {
    let ([a, b], chart) = starts(lab, index3, StartingValues::Acceleration)?;
    Ok(Found {
        checks: vec![Check::new(
            "with index 3 the modified acceleration alone changes nothing",
            "equal up to the accuracy of a plot",
            format!("ratio {:.4}", b / a),
            (b / a - 1.0).abs() < 0.02,
        )],
        charts: vec![chart],
    })
}

/// Figure 18.
pub(crate) fn index3_corrected(lab: &Lab) -> Result<Found, Failure> {
    let recipe = index3(StartingValues::Corrected);
    let (coarse, fine) = (
        lab.top(&recipe, DIRECT, COARSE)?,
        lab.top(&recipe, DIRECT, FINE)?,
    );
    let largest = |run: &History| run.largest(0.0..=0.1, first_multiplier);
    Ok(Found {
        checks: vec![Check::number(
            "amplitudes on [0, 0.1] for h and h / 2, ratio",
            4.0,
            0.5,
            largest(&coarse) / largest(&fine),
        )],
        charts: vec![curves(
            "relative error of the first multiplier",
            0.1,
            &[("h = 1e-3", &coarse), ("h = 5e-4", &fine)],
            first_multiplier,
        )],
    })
}

/// Whether the oscillation of the first steps is gone with corrected starting values.
fn corrected(
    lab: &Lab,
    statement: &str,
    title: &str,
    measured: fn(&Point) -> f64,
    shown: fn(&Point) -> f64,
) -> Result<Found, Failure> {
    let classical = lab.top(&index3(StartingValues::Classical), DIRECT, COARSE)?;
    let modified = lab.top(&index3(StartingValues::Corrected), DIRECT, COARSE)?;
    let [[a, later], [b, _]] = [&classical, &modified].map(|run| run.split(50, measured));
    Ok(Found {
        checks: vec![Check::new(
            statement,
            "no larger in the first 50 steps than later",
            format!(
                "{} times as large as later; {} with classical starting values",
                short(b / later),
                short(a / later)
            ),
            b <= 1.05 * later && a > 1.05 * later,
        )],
        charts: vec![curves(
            title,
            0.1,
            &[
                ("classical start", &classical),
                ("corrected start", &modified),
            ],
            shown,
        )],
    })
}

/// Figure 19.
pub(crate) fn corrected_hidden(lab: &Lab) -> Result<Found, Failure> {
    let hidden = |point: &Point| point.hidden;
    let statement = "corrected starting values: no oscillation of the hidden residual";
    corrected(lab, statement, "residual in velocity", hidden, hidden)
}

/// Figure 20.
pub(crate) fn corrected_multipliers(lab: &Lab) -> Result<Found, Failure> {
    let statement = "corrected starting values: no oscillation of the multipliers";
    corrected(
        lab,
        statement,
        "first multiplier",
        first_multiplier,
        |point| point.lambda[0],
    )
}

/// Figure 21, whose caption names the stabilized method and means index 3.
pub(crate) fn corrected_orders(lab: &Lab) -> Result<Found, Failure> {
    Ok(merged([
        orders(
            lab,
            &index3(StartingValues::Classical),
            DIRECT,
            0.0,
            [2.0, 2.0, 1.0],
        )?,
        orders(
            lab,
            &index3(StartingValues::Corrected),
            DIRECT,
            0.0,
            [2.0; 3],
        )?,
    ]))
}
