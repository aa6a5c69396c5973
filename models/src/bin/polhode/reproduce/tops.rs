//! Holzinger, Arnold, Gerstmayr (2024), section 4.1: the heavy top. Figures 3, 5, 6 and 7, tables 4
//! and 5, as far as they are about Lie group methods.

use nalgebra::Vector3;
use polhode::generalized_alpha::{GeneralizedAlpha, Sigma};
use polhode::lie::GroupKind;
use polhode::starting_values::StartingValues;
use polhode_models::heavy_top::{CENTER, CONSTRAINED, FREE};
use polhode_models::machine::Scheme;
use polhode_models::model::Model;

use super::angles;
use super::claim::{Check, Found, short};
use super::lab::{Lab, generalized_alpha, half_explicit, slope};
use super::trial::Experiment;
use crate::chart::{Axis, Chart, Series};
use crate::failure::Failure;

/// Average number of iterations in a step.
fn iterations(
    lab: &Lab,
    model: &'static Model,
    method: GeneralizedAlpha,
    h: f64,
) -> Result<f64, Failure> {
    let scheme = Scheme::GeneralizedAlpha(method);
    // A number of whole steps, until about t = 1, at most ten thousand.
    let steps = (1.0 / h).round().min(10_000.0);
    Ok(lab
        .run(&Experiment::new(model, scheme, h, steps * h))?
        .iterations)
}

/// Why a number of iterations differs, as far as it is known.
pub(crate) fn counted_differently(ours: f64) -> String {
    format!(
        "{ours:.2} corrections; here a residual that will be 1e-8 of the first one is predicted and \
         not evaluated, and predictor and elimination are not those of the paper, whose tolerances \
         are not printed with the table; whole numbers and a bit more with tiny steps are rounding"
    )
}

/// Newton iterations against a column of a table.
fn table(
    lab: &Lab,
    model: &'static Model,
    what: &str,
    method: GeneralizedAlpha,
    printed: &[(f64, f64)],
) -> Result<(Vec<Check>, Series), Failure> {
    let mut checks = Vec::new();
    let mut curve = Vec::new();
    for &(h, printed) in printed {
        let ours = iterations(lab, model, method, h)?;
        curve.push((h, ours));
        let check = Check::new(
            &format!("{what}, step of {h}"),
            &format!("{printed}"),
            format!("{ours:.2}"),
            (ours - printed).abs() <= 0.05,
        );
        checks.push(check.or(|| counted_differently(ours)));
    }
    Ok((checks, Series::marked(&format!("{what}, here"), curve)))
}

fn chart(title: &str, series: Vec<Series>) -> Chart {
    Chart {
        title: title.to_owned(),
        subtitle: "generalized-alpha, rho 0.9, sigma 0".to_owned(),
        x: Axis::log("step size"),
        y: Axis::linear("iterations in a step"),
        series,
    }
}

/// Table 4: the top on the rotation group alone, the column of the Lie group method.
pub(crate) fn free_iterations(lab: &Lab) -> Result<Found, Failure> {
    const PRINTED: [(f64, f64); 8] = [
        (1.00e-3, 1.96),
        (5.00e-4, 1.9),
        (2.50e-4, 1.8),
        (1.25e-4, 1.6),
        (6.25e-5, 1.0),
        (3.12e-5, 1.0),
        (1.56e-5, 1.0),
        (7.81e-6, 1.0),
    ];
    // Conventional Euler parameters, which are not built here.
    const EULER: [f64; 8] = [3.0, 2.52, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0];
    let method = GeneralizedAlpha::index3();
    let (mut checks, curve) = table(lab, &FREE, "iterations", method, &PRINTED)?;
    for ((h, _), euler) in PRINTED.into_iter().zip(EULER) {
        let ours = iterations(lab, &FREE, method, h)?;
        checks.push(Check::new(
            &format!("fewer than with Euler parameters, step of {h}"),
            &format!("fewer than {euler}"),
            format!("{ours:.2}"),
            ours < euler,
        ));
    }
    let printed = Series::marked("paper", PRINTED.to_vec());
    Ok(Found {
        checks,
        charts: vec![chart(
            "Newton iterations of the free top",
            vec![curve, printed],
        )],
    })
}

/// Table 5, its column with the tangent operator and full Newton.
pub(crate) fn iterations_of_the_top(lab: &Lab) -> Result<Found, Failure> {
    const FULL: [(f64, f64); 7] = [
        (2.50e-3, 3.0),
        (1.25e-3, 2.41),
        (6.25e-4, 2.0),
        (3.12e-4, 2.0),
        (1.56e-4, 2.0),
        (7.81e-5, 2.0),
        (3.91e-5, 2.0),
    ];
    let method = GeneralizedAlpha::index3();
    let (checks, full) = table(lab, &CONSTRAINED, "full Newton", method, &FULL)?;
    let printed = Series::marked("full Newton, paper", FULL.to_vec()).dashed();
    Ok(Found {
        checks,
        charts: vec![chart(
            "Newton iterations of the heavy top",
            vec![full, printed],
        )],
    })
}

/// Figure 7: modified Newton needs more iterations.
pub(crate) fn modified(lab: &Lab) -> Result<Found, Failure> {
    let mut found = Found::default();
    let mut curves = [Vec::new(), Vec::new()];
    for h in [2.5e-3, 1.25e-3, 6.25e-4, 3.12e-4, 1.56e-4, 7.81e-5] {
        let full = iterations(lab, &CONSTRAINED, GeneralizedAlpha::index3(), h)?;
        let method = GeneralizedAlpha::index3().modified_newton();
        let modified = iterations(lab, &CONSTRAINED, method, h)?;
        curves[0].push((h, full));
        curves[1].push((h, modified));
        found.checks.push(Check::new(
            &format!("modified Newton needs more iterations, step of {h}"),
            "more",
            format!("{modified:.2} instead of {full:.2}"),
            modified > full,
        ));
    }
    let [full, modified] = curves;
    found.charts.push(chart(
        "Newton iterations of the heavy top",
        vec![
            Series::marked("full Newton", full),
            Series::marked("modified Newton", modified),
        ],
    ));
    Ok(found)
}

/// Figure 6: second order, with both Newton methods.
pub(crate) fn constrained_convergence(lab: &Lab) -> Result<Found, Failure> {
    const STEPS: [u32; 5] = [500, 1000, 2000, 4000, 8000];
    let mut found = Found::default();
    let mut series = Vec::new();
    for (name, method) in [
        ("full Newton", GeneralizedAlpha::index3()),
        (
            "modified Newton",
            GeneralizedAlpha::index3().modified_newton(),
        ),
    ] {
        let mut recipe = generalized_alpha(method, 0.9, Sigma::Geom1, StartingValues::Corrected);
        recipe.name += name;
        let runs = lab.tops(&recipe, GroupKind::SO3xR3, &STEPS)?;
        let errors = runs.iter().map(|run| {
            let last = run.points.last();
            (run.h, last.map_or(f64::NAN, |point| point.q))
        });
        let errors: Vec<(f64, f64)> = errors.collect();
        found.checks.push(Check::order(
            &format!("{name}: the configuration at t = 1 converges with second order"),
            2.0,
            slope(&errors[1..]),
        ));
        series.push(Series::marked(name, errors));
    }
    found.charts.push(Chart {
        title: "Convergence on the heavy top".to_owned(),
        subtitle: "index 3 in SO3xR3, rho 0.9, error at t = 1".to_owned(),
        x: Axis::log("step size"),
        y: Axis::log("distance in the group"),
        series,
    });
    Ok(found)
}

/// Errors of the centre of mass at t = 1 in rotation angles.
fn angle_errors() -> Result<Vec<(f64, f64)>, Failure> {
    let exact = exact_center()?;
    let steps = [10_000, 20_000, 40_000, 80_000, 160_000];
    let error = |n: u32| (1.0 / f64::from(n), (angles::center(n) - exact).norm());
    Ok(steps.map(error).into())
}

/// The same with the explicit Lie group method of order 4.
fn lie_errors(lab: &Lab) -> Result<Vec<(f64, f64)>, Failure> {
    let exact = exact_center()?;
    let error = |n: u32| {
        let h = 1.0 / f64::from(n);
        let trial = lab.run(&Experiment::new(&FREE, half_explicit(4).scheme(), h, 1.0))?;
        let [center, _] = trial.point(&trial.last, 0, CENTER);
        Ok((h, (center - exact).norm()))
    };
    [500, 1000, 2000, 4000, 8000]
        .into_iter()
        .map(error)
        .collect()
}

/// Centre of mass at t = 1: the second column of the rotation matrix.
fn exact_center() -> Result<Vector3<f64>, Failure> {
    let exact = FREE.exact(&FREE.choice(), 1.0);
    let exact = exact.ok_or_else(|| Failure::Simulation("no reference".to_owned()))?;
    Ok(Vector3::new(exact.q[1], exact.q[4], exact.q[7]))
}

/// The step size at which a curve of errors has a value, by its two nearest points.
fn step_for(curve: &[(f64, f64)], value: f64) -> f64 {
    let distance = |point: &(f64, f64)| (point.1 / value).ln().abs();
    let mut sorted: Vec<(f64, f64)> = curve.to_vec();
    sorted.sort_by(|a, b| distance(a).total_cmp(&distance(b)));
    let (a, b) = (sorted[0], sorted[1]);
    let share = (value / a.1).ln() / (b.1 / a.1).ln();
    a.0 * (b.0 / a.0).powf(share)
}

/// Figure 5, its left half: how many more steps rotation angles need.
pub(crate) fn work(lab: &Lab) -> Result<Found, Failure> {
    const ACCURACY: f64 = 1e-6;
    let (lie, classical) = (lie_errors(lab)?, angle_errors()?);
    let ratio = step_for(&lie, ACCURACY) / step_for(&classical, ACCURACY);
    let check = Check::new(
        "for an accuracy of 1e-6, explicit methods of order 4 with rotation angles need",
        "about 40 times the time",
        format!("{ratio:.0} times the steps"),
        (20.0..80.0).contains(&ratio),
    );
    Ok(Found {
        checks: vec![check.or(|| {
            format!(
                "{ratio:.0} times the steps of the half-explicit method of order 4, which has five \
                 evaluations in a step; the paper compares times, with the classical method of \
                 order 4 on the group, and its program is not known: a step may cost more there"
            )
        })],
        charts: vec![Chart {
            title: "Work and precision on the free top".to_owned(),
            subtitle: "explicit methods of order 4, centre of mass at t = 1".to_owned(),
            x: Axis::log("step size"),
            y: Axis::log("error"),
            series: vec![
                Series::marked("Lie group", lie),
                Series::marked("rotation angles", classical),
            ],
        }],
    })
}

/// Figure 3: explicit and implicit Lie group methods without constraints.
pub(crate) fn free_convergence(lab: &Lab) -> Result<Found, Failure> {
    let mut found = Found::default();
    let mut series = Vec::new();
    for (name, scheme, steps, expected) in [
        (
            "explicit, order 4",
            half_explicit(4).scheme(),
            1000_u32,
            4.0,
        ),
        ("explicit, order 5", half_explicit(5).scheme(), 500, 5.0),
        (
            "generalized-alpha",
            Scheme::GeneralizedAlpha(GeneralizedAlpha::index3()),
            1000,
            2.0,
        ),
    ] {
        let exact = FREE.exact(&FREE.choice(), 1.0);
        let exact = exact.ok_or_else(|| Failure::Simulation("no reference".to_owned()))?;
        let mut errors = Vec::new();
        for halving in 0..4 {
            let h = 1.0 / f64::from(steps << halving);
            let trial = lab.run(&Experiment::new(&FREE, scheme.clone(), h, 1.0))?;
            let space = trial.machine.space();
            errors.push((h, space.distance(&trial.last.q, &exact.q)));
        }
        found.checks.push(Check::order(
            &format!("{name}: converges with its order"),
            expected,
            slope(&errors),
        ));
        series.push(Series::marked(name, errors));
    }
    let lie = lie_errors(lab)?;
    let classical = angle_errors()?;
    let (h, error) = lie[lie.len() - 1];
    let other = classical.iter().find(|point| point.0 <= h);
    let other = other.map_or(f64::NAN, |point| point.1);
    found.checks.push(Check::new(
        "explicit, order 4: more accurate than with rotation angles",
        "outperforms",
        format!(
            "{} instead of {} with steps of {h}",
            short(error),
            short(other)
        ),
        error < other,
    ));
    series.push(Series::marked("rotation angles, order 4", classical).dashed());
    found.charts.push(Chart {
        title: "Convergence on the free top".to_owned(),
        subtitle: "rotation at t = 1, against 25 digits".to_owned(),
        x: Axis::log("step size"),
        y: Axis::log("distance in the group"),
        series,
    });
    Ok(found)
}
