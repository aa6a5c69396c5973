//! The stabilized index-2 formulation: figures 11 to 15.

use polhode::generalized_alpha::{GeneralizedAlpha, Sigma};
use polhode::starting_values::StartingValues;

use super::super::claim::{Check, Found, short};
use super::super::lab::{History, Lab, Point, generalized_alpha, slope};
use super::{
    COARSE, DIRECT, FINE, QUANTITIES, SEMIDIRECT, both, convergence_chart, curves, errors,
    first_multiplier, index3, largest, oscillation, stabilized,
};
use crate::failure::Failure;

/// Figure 11.
pub(crate) fn stabilized_orders(lab: &Lab) -> Result<Found, Failure> {
    let recipe = stabilized(StartingValues::Classical);
    let curves = errors(lab, &recipe, DIRECT, 0.0)?;
    let mut found = Found::default();
    for ((name, _), curve) in QUANTITIES.iter().zip(&curves) {
        let statement = format!("{name} in SO3xR3 for h from 1e-3 to 2.5e-4");
        found
            .checks
            .push(Check::order(&statement, 2.0, slope(&curve[1..4])));
    }
    let tiny = lab.tops(&recipe, DIRECT, &[8000, 16_000])?;
    let tiny = tiny.iter();
    let tiny = tiny.map(|run| (run.h, run.largest(0.0..=1.0, |point| point.lambda_relative)));
    found.checks.push(Check::order(
        "lambda in SO3xR3 for h below 2.5e-4: a term of first order",
        1.0,
        slope(&tiny.collect::<Vec<_>>()),
    ));
    let semidirect = errors(lab, &recipe, SEMIDIRECT, 0.0)?;
    let other = errors(lab, &index3(StartingValues::Classical), SEMIDIRECT, 0.0)?;
    let pairs = semidirect.iter().flatten().zip(other.iter().flatten());
    let apart = pairs.fold(0.0_f64, |apart, (a, b)| apart.max((a.1 / b.1 - 1.0).abs()));
    found.checks.push(Check::new(
        "in SE3 the errors are those of index 3",
        "equal up to the accuracy of a plot",
        format!("they differ by {}", short(apart)),
        apart < 1e-2,
    ));
    for (group, curves) in [(DIRECT, &curves), (SEMIDIRECT, &semidirect)] {
        let subtitle = format!("heavy top in {group} on [0, 1]: {}", recipe.name);
        found.charts.push(convergence_chart(
            "Convergence, stabilized index 2",
            subtitle,
            curves,
        ));
    }
    Ok(found)
}

/// Figure 12.
pub(crate) fn stabilized_multipliers(lab: &Lab) -> Result<Found, Failure> {
    let plain = lab.top(&index3(StartingValues::Classical), DIRECT, COARSE)?;
    let calm = lab.top(&stabilized(StartingValues::Classical), DIRECT, COARSE)?;
    let [a, _] = plain.split(50, first_multiplier);
    let [b, _] = calm.split(50, first_multiplier);
    Ok(Found {
        checks: vec![Check::new(
            "with the hidden constraint the oscillation seems to disappear",
            "not visible",
            format!("{} of the amplitude of index 3", short(b / a)),
            b / a < 0.02,
        )],
        charts: vec![curves(
            "first multiplier",
            0.1,
            &[("index 3", &plain), ("stabilized index 2", &calm)],
            |point| point.lambda[0],
        )],
    })
}

/// Figure 13.
pub(crate) fn stabilized_error(lab: &Lab) -> Result<Found, Failure> {
    let mut found = Found::default();
    let mut runs = Vec::new();
    for (name, steps) in [("h = 1e-3", COARSE), ("h = 5e-4", FINE)] {
        let classical = lab.top(&stabilized(StartingValues::Classical), DIRECT, steps)?;
        let corrected = lab.top(&stabilized(StartingValues::Corrected), DIRECT, steps)?;
        // Corrected starting values lack the term of first order and nothing else.
        let term = largest(&oscillation(&classical, &corrected));
        found.checks.push(Check::number(
            &format!("amplitude of the oscillation over h, {name}"),
            0.64,
            0.05,
            term / classical.h,
        ));
        let whole = classical.largest(0.0..=1.0, |point| point.lambda_relative);
        found.checks.push(Check::number(
            &format!("error of the multipliers on [0, 1] over h^2, {name}"),
            3.0e3,
            50.0,
            whole / (classical.h * classical.h),
        ));
        runs.push((name, classical));
    }
    let runs: Vec<(&str, &History)> = runs.iter().map(|(name, run)| (*name, &**run)).collect();
    found.charts.push(curves(
        "relative error of the first multiplier",
        0.1,
        &runs,
        first_multiplier,
    ));
    Ok(found)
}

/// Figure 14.
pub(crate) fn stabilizing_multipliers(lab: &Lab) -> Result<Found, Failure> {
    let recipe = stabilized(StartingValues::Classical);
    let (coarse, fine) = (
        lab.top(&recipe, DIRECT, COARSE)?,
        lab.top(&recipe, DIRECT, FINE)?,
    );
    let largest = |run: &History| run.largest(0.0..=1.0, |point| point.eta);
    Ok(Found {
        checks: vec![Check::number(
            "amplitudes of eta for h and h / 2, ratio",
            4.0,
            0.5,
            largest(&coarse) / largest(&fine),
        )],
        charts: vec![curves(
            "norm of eta",
            1.0,
            &[("h = 1e-3", &coarse), ("h = 5e-4", &fine)],
            |point| point.eta,
        )],
    })
}

/// Figure 15.
pub(crate) fn stabilized_hidden(lab: &Lab) -> Result<Found, Failure> {
    let [direct, semidirect] = both(lab, &stabilized(StartingValues::Classical))?;
    let hidden = |point: &Point| point.hidden;
    let mut method = GeneralizedAlpha::stabilized_index2();
    (method.newton.relative, method.newton.absolute) = (1e-14, 1e-17);
    let mut tight = generalized_alpha(method, 0.9, Sigma::Geom1, StartingValues::Classical);
    tight.name += ", tight tolerances of Newton's method";
    let tight = both(lab, &tight)?.map(|run| run.largest(0.0..=1.0, hidden));
    let check = |name, bound, run: &History, tight: f64| {
        let ours = run.largest(0.0..=1.0, hidden);
        let check = Check::at_most(name, bound, ours);
        check.or(|| {
            format!(
                "{}: Newton's method stops where the residual in velocity times the step is below \
                 1e-16; {} if it stops below 1e-17: that is a part of it",
                short(ours),
                short(tight)
            )
        })
    };
    Ok(Found {
        checks: vec![
            check(
                "residual of the hidden constraint in SO3xR3",
                2e-9,
                &direct,
                tight[0],
            ),
            check(
                "residual of the hidden constraint in SE3",
                2e-15,
                &semidirect,
                tight[1],
            ),
        ],
        charts: vec![
            curves(
                "residual in velocity, SO3xR3",
                1.0,
                &[("", &direct)],
                hidden,
            ),
            curves(
                "residual in velocity, SE3",
                1.0,
                &[("", &semidirect)],
                hidden,
            ),
        ],
    })
}
