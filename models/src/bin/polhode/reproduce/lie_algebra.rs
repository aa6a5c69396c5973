//! Arnold, Cardona, Bruls (2016): generalized-alpha on the heavy top, rho 0.9. Figures 3 to 10.

pub(crate) mod stabilized;
pub(crate) mod starting_values;

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
    let finest = lab.top(
        &index3(StartingValues::Corrected),
        DIRECT,
        STEPS[STEPS.len() - 1],
    )?;
    let [error, judged] = [&run, &finest].map(|run| run.largest(0.0..=1.0, |point| point.q));
    found.checks.push(Check::new(
        "a step of 2.5e-5 is small enough for a reference (here 3.1e-5)",
        "used as reference",
        format!(
            "error {}, and {} with the smallest step that is judged by it",
            short(error),
            short(judged)
        ),
        error < 0.1 * judged,
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
    let left = |steps: usize| largest(&a[steps..]) / largest(&a);
    let jumps = extrema(&smooth.curve(0.05, |point| point.lambda[0]));
    let spurious = extrema(&coarse.curve(0.05, |point| point.lambda[0]));
    Ok(Found {
        checks: vec![
            Check::new(
                "the amplitude of the oscillation depends linearly on h",
                "ratio 2 for h and h / 2",
                format!("ratio {ratio:.2}"),
                // Half an order up or down.
                (1.41..2.83).contains(&ratio),
            ),
            Check::new(
                "it is damped out after about 50 steps",
                "50 steps",
                format!(
                    "{:.2} of the amplitude is left after 25 steps, {:.2} after 50, {:.3} after 100",
                    left(25),
                    left(50),
                    left(100)
                ),
                left(25) > 0.5 && left(50) < 0.25,
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
