//! Arnold, Cardona, Bruls (2016): generalized-alpha on the heavy top, rho 0.9.

use polhode::generalized_alpha::{GeneralizedAlpha, Sigma};
use polhode::lie::GroupKind;
use polhode::starting_values::StartingValues;

use super::claim::{Check, Found, short};
use super::lab::{History, Lab, Point, Recipe, extrema, generalized_alpha, slope};
use crate::chart::{Axis, Chart, Series};
use crate::failure::Failure;

const DIRECT: GroupKind = GroupKind::SO3xR3;
const SEMIDIRECT: GroupKind = GroupKind::SE3;
/// Steps of 1e-3 and 5e-4.
const COARSE: u32 = 1000;
const FINE: u32 = 2000;
/// Step sizes `1 / n` of the convergence plots.
const STEPS: [u32; 5] = [500, 1000, 2000, 4000, 8000];

fn index3(start: StartingValues) -> Recipe {
    generalized_alpha(GeneralizedAlpha::index3(), 0.9, Sigma::Geom1, start)
}

fn stabilized(start: StartingValues) -> Recipe {
    let method = GeneralizedAlpha::stabilized_index2();
    generalized_alpha(method, 0.9, Sigma::Geom1, start)
}

/// A quantity by name, and how to read it.
type Quantity = (&'static str, fn(&Point) -> f64);
const QUANTITIES: [Quantity; 3] = [
    ("q", |point| point.q),
    ("v", |point| point.v_relative),
    ("lambda", |point| point.lambda_relative),
];

/// Errors over the step size in an interval, for each quantity.
fn errors(
    lab: &Lab,
    recipe: &Recipe,
    group: GroupKind,
    from: f64,
) -> Result<Vec<Vec<(f64, f64)>>, Failure> {
    let runs = lab.tops(recipe, group, &STEPS)?;
    let of = |value: fn(&Point) -> f64| {
        let errors = runs
            .iter()
            .map(|run| (run.h, run.largest(from..=1.0, value)));
        errors.collect()
    };
    Ok(QUANTITIES.iter().map(|quantity| of(quantity.1)).collect())
}

fn convergence_chart(title: &str, subtitle: String, curves: &[Vec<(f64, f64)>]) -> Chart {
    let series = QUANTITIES.iter().zip(curves);
    Chart {
        title: title.to_owned(),
        subtitle,
        x: Axis::log("step size"),
        y: Axis::log("largest error"),
        series: series
            .map(|((name, _), curve)| Series::marked(name, curve.clone()))
            .collect(),
    }
}

/// Orders in an interval against those of the paper.
fn orders(
    lab: &Lab,
    recipe: &Recipe,
    group: GroupKind,
    from: f64,
    expected: [f64; 3],
) -> Result<Found, Failure> {
    let curves = errors(lab, recipe, group, from)?;
    let checks = QUANTITIES.iter().zip(&curves).zip(expected);
    Ok(Found {
        checks: checks
            .map(|(((name, _), curve), expected)| {
                // The two coarsest steps are not small enough to show an order.
                let statement = format!("{name} in {group} on [{from}, 1]");
                Check::order(&statement, expected, slope(&curve[1..]))
            })
            .collect(),
        charts: vec![convergence_chart(
            "Convergence of generalized-alpha",
            format!("heavy top in {group} on [{from}, 1]: {}", recipe.name),
            &curves,
        )],
    })
}

fn merged(parts: [Found; 2]) -> Found {
    let mut all = Found::default();
    for part in parts {
        all.checks.extend(part.checks);
        all.charts.extend(part.charts);
    }
    all
}

fn curves(
    title: &str,
    until: f64,
    runs: &[(&str, &History)],
    value: impl Fn(&Point) -> f64,
) -> Chart {
    let series = runs.iter();
    Chart {
        title: title.to_owned(),
        subtitle: "heavy top, rho 0.9".to_owned(),
        x: Axis::linear("time"),
        y: Axis::linear(title),
        series: series
            .map(|(name, run)| Series::line(name, run.curve(until, &value)))
            .collect(),
    }
}

/// How much faster one curve moves than another, by their extrema on [0, 0.1].
fn faster(statement: &str, slow: &[(f64, f64)], fast: &[(f64, f64)]) -> Check {
    let (slow, fast) = (extrema(slow), extrema(fast));
    Check::new(
        statement,
        "more changes of direction on [0, 0.1]",
        format!("{fast} against {slow}"),
        fast > slow,
    )
}

/// Figure 3.
pub(crate) fn reference(lab: &Lab) -> Result<Found, Failure> {
    let run = lab.top(&index3(StartingValues::Corrected), DIRECT, 32_000)?;
    let position = |i: usize| move |point: &Point| point.position[i];
    let force = |i: usize| move |point: &Point| point.lambda[i];
    let mut found = Found::default();
    found.checks.push(faster(
        "the multipliers change faster than the position",
        &run.curve(0.1, position(0)),
        &run.curve(0.1, force(0)),
    ));
    let error = run.points.last().map_or(f64::NAN, |point| point.q);
    found.checks.push(Check::new(
        "a step of 2.5e-5 is small enough for a reference (here 3.1e-5)",
        "used as reference",
        format!("error {} at t = 1", short(error)),
        error < 1e-4,
    ));
    let axes = ["x", "y", "z"].into_iter().enumerate();
    let mut series: [Vec<Series>; 2] = [Vec::new(), Vec::new()];
    for (i, axis) in axes {
        series[0].push(Series::line(axis, run.curve(1.0, position(i))));
        series[1].push(Series::line(axis, run.curve(0.1, force(i))));
    }
    for (title, series) in ["position", "multipliers"].into_iter().zip(series) {
        found.charts.push(Chart {
            series,
            ..curves(title, 1.0, &[], |point| point.t)
        });
    }
    Ok(found)
}

/// Figure 4.
pub(crate) fn velocities(lab: &Lab) -> Result<Found, Failure> {
    let recipe = index3(StartingValues::Corrected);
    let [inertial, body] = [DIRECT, SEMIDIRECT].map(|group| lab.top(&recipe, group, 32_000));
    let (inertial, body) = (inertial?, body?);
    let first = |point: &Point| point.velocity[0];
    Ok(Found {
        checks: vec![faster(
            "velocities in body axes change faster than those in inertial axes",
            &inertial.curve(0.1, first),
            &body.curve(0.1, first),
        )],
        charts: vec![
            curves("velocity, inertial axes", 1.0, &[("x", &inertial)], first),
            curves("velocity, body axes", 1.0, &[("x", &body)], first),
        ],
    })
}

/// Figure 6.
pub(crate) fn index3_orders(lab: &Lab) -> Result<Found, Failure> {
    let recipe = index3(StartingValues::Classical);
    let mut found = merged([
        orders(lab, &recipe, DIRECT, 0.0, [2.0, 2.0, 1.0])?,
        orders(lab, &recipe, SEMIDIRECT, 0.0, [2.0; 3])?,
    ]);
    let [direct, semidirect] = [DIRECT, SEMIDIRECT].map(|group| lab.top(&recipe, group, 8000));
    let error = |run: &History| run.largest(0.0..=1.0, |point| point.q);
    let ratio = error(&*semidirect?) / error(&*direct?);
    found.checks.push(Check::new(
        "the error constants are substantially larger in SE3",
        "larger",
        format!("{ratio:.1} times in q, h = 1.25e-4"),
        ratio > 2.0,
    ));
    Ok(found)
}

fn first_multiplier(point: &Point) -> f64 {
    point.lambda_1
}

/// Difference of the first multipliers of two runs, relative.
fn oscillation(run: &History, calm: &History) -> Vec<f64> {
    let pairs = run.points.iter().zip(&calm.points);
    let difference = pairs.map(|(a, b)| (a.lambda_1 - b.lambda_1).abs());
    difference.collect()
}

fn largest(values: &[f64]) -> f64 {
    values.iter().copied().fold(0.0, f64::max)
}

/// Figure 7.
pub(crate) fn oscillations(lab: &Lab) -> Result<Found, Failure> {
    let recipe = index3(StartingValues::Classical);
    let coarse = lab.top(&recipe, DIRECT, COARSE)?;
    let fine = lab.top(&recipe, DIRECT, FINE)?;
    let smooth = lab.top(&recipe, SEMIDIRECT, COARSE)?;
    // Corrected starting values lack the oscillation and nothing else.
    let calm = index3(StartingValues::Corrected);
    let [a, b] = [(&coarse, COARSE), (&fine, FINE)]
        .map(|(run, steps)| Ok(oscillation(run, &*lab.top(&calm, DIRECT, steps)?)));
    let (a, b): (Vec<f64>, Vec<f64>) = (a?, b?);
    let ratio = largest(&a) / largest(&b);
    // A tenth of the amplitude is hard to see in a plot.
    let visible = |x: &f64| *x > 0.1 * largest(&a);
    let damped = a.iter().rposition(visible).map_or(0, |last| last + 1);
    let jumps = extrema(&smooth.curve(0.05, |point| point.lambda[0]));
    let spurious = extrema(&coarse.curve(0.05, |point| point.lambda[0]));
    Ok(Found {
        checks: vec![
            Check::new(
                "the amplitude of the oscillation depends linearly on h",
                "ratio 2 for h and h / 2",
                format!("ratio {ratio:.2}"),
                (1.5..2.5).contains(&ratio),
            ),
            Check::new(
                "it is damped out after about 50 steps",
                "50 steps",
                format!("below a tenth of the amplitude after {damped} steps"),
                (33..=75).contains(&damped),
            ),
            Check::new(
                "there is no oscillation in SE3",
                "none",
                format!("{jumps} extrema in SE3, {spurious} in {DIRECT}, 50 steps"),
                jumps < spurious,
            ),
        ],
        charts: vec![curves(
            "first multiplier",
            0.1,
            &[
                ("SO3xR3, h = 1e-3", &coarse),
                ("SO3xR3, h = 5e-4", &fine),
                ("SE3, h = 1e-3", &smooth),
            ],
            |point| point.lambda[0],
        )],
    })
}

/// Figure 8.
pub(crate) fn index3_late_orders(lab: &Lab) -> Result<Found, Failure> {
    let recipe = index3(StartingValues::Classical);
    Ok(merged([
        orders(lab, &recipe, DIRECT, 0.5, [2.0; 3])?,
        orders(lab, &recipe, SEMIDIRECT, 0.5, [2.0; 3])?,
    ]))
}

fn both(lab: &Lab, recipe: &Recipe) -> Result<[std::rc::Rc<History>; 2], Failure> {
    Ok([
        lab.top(recipe, DIRECT, COARSE)?,
        lab.top(recipe, SEMIDIRECT, COARSE)?,
    ])
}

/// Figure 9.
pub(crate) fn index3_residuals(lab: &Lab) -> Result<Found, Failure> {
    let [direct, semidirect] = both(lab, &index3(StartingValues::Classical))?;
    let gap = |point: &Point| point.gap;
    let runs = [("SO3xR3", &*direct), ("SE3", &*semidirect)];
    let check = |(name, run): &(&str, &History)| {
        let statement = format!("residual of the position constraint in {name}");
        Check::at_most(&statement, 1e-10, run.largest(0.0..=1.0, gap))
    };
    Ok(Found {
        checks: runs.iter().map(check).collect(),
        charts: vec![curves("residual in position", 1.0, &runs, gap)],
    })
}

/// Figure 10.
pub(crate) fn index3_hidden(lab: &Lab) -> Result<Found, Failure> {
    let [direct, semidirect] = both(lab, &index3(StartingValues::Classical))?;
    let hidden = |point: &Point| point.hidden;
    let [early, late] = direct.split(50, hidden);
    let largest = early.max(late);
    let small = semidirect.largest(0.0..=1.0, hidden);
    Ok(Found {
        checks: vec![
            Check::at_most(
                "residual of the hidden constraint in SO3xR3",
                0.025,
                largest,
            )
            .or(|| {
                format!(
                    "{} in the first steps; the bound holds after them, {} from step 51 on",
                    short(early),
                    short(late)
                )
            }),
            Check::at_most("residual of the hidden constraint in SE3", 1e-10, small),
            Check::new(
                "it is smaller by eight orders of magnitude in SE3",
                "1e-8",
                short(small / largest),
                small / largest <= 1e-8,
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
    let check = |name, bound, run: &History| {
        let ours = run.largest(0.0..=1.0, hidden);
        let check = Check::at_most(name, bound, ours);
        check.or(|| {
            format!(
                "{}: rounding errors, and where Newton's method stops",
                short(ours)
            )
        })
    };
    Ok(Found {
        checks: vec![
            check("residual of the hidden constraint in SO3xR3", 2e-9, &direct),
            check(
                "residual of the hidden constraint in SE3",
                2e-15,
                &semidirect,
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
