//! The high-speed rotor of Holzinger, Arnold, Gerstmayr: (2024) figures 10, 11 and table 7, (2025)
//! figures 6 and 7.

use nalgebra::Vector3;
use polhode::generalized_alpha::{GeneralizedAlpha, Sigma};
use polhode::half_explicit::{HalfExplicit, Multipliers};
use polhode_models::machine::{Scheme, Snapshot};
use polhode_models::rotor::ROTOR;

use super::claim::{Check, Found, short};
use super::lab::{Lab, slope};
use super::tops::counted_differently;
use super::trial::{Experiment, Trial};
use crate::chart::{Axis, Chart, Series};
use crate::failure::Failure;

/// Points of the rotor at its supports.
const LEFT: [f64; 3] = [-0.11, 0.0, 0.0];
const RIGHT: [f64; 3] = [0.09, 0.0, 0.0];
/// Largest step of the papers.
const LARGEST: f64 = 1e-4;

fn order5() -> Scheme {
    Scheme::HalfExplicit(HalfExplicit::order5(), Multipliers::Raw)
}

fn generalized_alpha(sigma: Sigma) -> Scheme {
    Scheme::GeneralizedAlpha(GeneralizedAlpha::index3().sigma(sigma))
}

/// Times at which a curve passes its mean upwards.
fn passages(curve: &[(f64, f64)]) -> Vec<f64> {
    #[expect(clippy::cast_precision_loss, reason = "a number of points")]
    let mean = curve.iter().map(|p| p.1).sum::<f64>() / curve.len().max(1) as f64;
    let pairs = curve.windows(2);
    let rising = pairs.filter(|pair| pair[0].1 < mean && pair[1].1 >= mean);
    rising.map(|pair| pair[1].0).collect()
}

/// The motion until t = 4: the period of the precession.
fn motion(lab: &Lab, scheme: Scheme) -> Result<Found, Failure> {
    const PRINTED: f64 = 2.5;
    let trial = lab.run(&Experiment::new(&ROTOR, scheme, 1e-5, 4.0))?;
    let at = |state: &Snapshot| trial.point(state, 0, LEFT)[0];
    let [y, z] = [1, 2].map(|axis| trial.curve(|state| at(state)[axis]));
    let path = y.iter().zip(&z).map(|(y, z)| (y.1, z.1)).collect();
    let period = period(&y, &z);
    let check = Check::new(
        "period of the precession",
        "about 2.5 s",
        format!("{period:.2} s"),
        (period - PRINTED).abs() < 0.1 * PRINTED,
    );
    Ok(Found {
        checks: vec![
            check.or(|| format!("{period:.2} s with the printed numbers, damping 5.165093 kg/s")),
        ],
        charts: vec![
            Chart {
                title: "Left support in the plane across the axis".to_owned(),
                subtitle: "rotor with 200 000 revolutions per minute, until t = 4".to_owned(),
                x: Axis::length("y"),
                y: Axis::length("z"),
                series: vec![Series::line("left support", path)],
            },
            Chart {
                title: "Left support over time".to_owned(),
                subtitle: "rotor with 200 000 revolutions per minute".to_owned(),
                x: Axis::linear("time"),
                y: Axis::linear("position"),
                series: vec![Series::line("y", y), Series::line("z", z)],
            },
        ],
    })
}

/// Time of a full turn of the slow motion: both coordinates, smoothed over the fast one.
fn period(y: &[(f64, f64)], z: &[(f64, f64)]) -> f64 {
    let smooth = |curve: &[(f64, f64)]| -> Vec<(f64, f64)> {
        const HALF: usize = 60;
        let windows = curve.windows(2 * HALF + 1);
        #[expect(clippy::cast_precision_loss, reason = "a small number")]
        let count = (2 * HALF + 1) as f64;
        windows
            .map(|w| (w[HALF].0, w.iter().map(|p| p.1).sum::<f64>() / count))
            .collect()
    };
    let periods = [smooth(y), smooth(z)].map(|curve| {
        let times = passages(&curve);
        match (times.first(), times.last()) {
            (Some(first), Some(last)) if times.len() > 1 => {
                #[expect(clippy::cast_precision_loss, reason = "a handful")]
                let turns = (times.len() - 1) as f64;
                (last - first) / turns
            }
            _ => f64::NAN,
        }
    });
    let [a, b] = periods;
    match (a.is_nan(), b.is_nan()) {
        (false, false) => 0.5 * (a + b),
        (true, _) => b,
        (_, true) => a,
    }
}

/// (2024) figure 10.
pub(crate) fn explicit_motion(lab: &Lab) -> Result<Found, Failure> {
    motion(lab, order5())
}

/// (2025) figure 6.
pub(crate) fn implicit_motion(lab: &Lab) -> Result<Found, Failure> {
    motion(lab, generalized_alpha(Sigma::One))
}

fn end(trial: &Trial, point: [f64; 3]) -> [Vector3<f64>; 2] {
    trial.point(&trial.last, 0, point)
}

/// Errors of position and velocity of a point at t = 1 over the step size.
fn errors(
    lab: &Lab,
    scheme: &Scheme,
    point: [f64; 3],
    halvings: u32,
) -> Result<[Vec<(f64, f64)>; 2], Failure> {
    let reference = lab.run(&Experiment::new(&ROTOR, order5(), 1.0 / 400_000.0, 1.0))?;
    let exact = end(&reference, point);
    let mut curves = [Vec::new(), Vec::new()];
    for halving in 0..halvings {
        let h = LARGEST / f64::from(1_u32 << halving);
        let trial = match lab.run(&Experiment::new(&ROTOR, scheme.clone(), h, 1.0)) {
            Ok(trial) => trial,
            // Explicit methods do not survive steps of two radians.
            Err(Failure::Simulation(_)) => continue,
            Err(failure) => return Err(failure),
        };
        for ((curve, found), exact) in curves.iter_mut().zip(end(&trial, point)).zip(exact) {
            curve.push((h, (found - exact).norm()));
        }
    }
    Ok(curves)
}

/// (2024) figure 11, what it says of Lie group methods.
pub(crate) fn convergence(lab: &Lab) -> Result<Found, Failure> {
    let mut found = Found::default();
    let mut series = Vec::new();
    for (name, scheme, expected, halvings) in [
        ("explicit, order 5", order5(), 5.0, 5),
        ("generalized-alpha", generalized_alpha(Sigma::Geom1), 2.0, 6),
    ] {
        let [positions, _] = errors(lab, &scheme, LEFT, halvings)?;
        let statement = format!("{name}: the left support converges with its order");
        found
            .checks
            .push(Check::order(&statement, expected, slope(&positions[1..])));
        if expected < 3.0 {
            let (h, error) = positions[0];
            found.checks.push(Check::new(
                &format!("{name}: it runs with the largest step, 1e-4, which is two radians"),
                "can simulate",
                format!("error {} m at t = 1 with steps of {h}", short(error)),
                h >= LARGEST && error < 1e-3,
            ));
        }
        series.push(Series::marked(name, positions));
    }
    found.charts.push(Chart {
        title: "Convergence of the rotor".to_owned(),
        subtitle: "left support at t = 1 (the paper: at t = 4)".to_owned(),
        x: Axis::log("step size"),
        y: Axis::log("error of the position"),
        series,
    });
    Ok(found)
}

/// (2025) figure 7.
pub(crate) fn gain(lab: &Lab) -> Result<Found, Failure> {
    // The algorithms printed with the method do not evaluate the position update again in their
    // corrections; with rho = 0.9 they act like these values of sigma (their analysis is not
    // computed here).
    const AS_PRINTED: [f64; 2] = [1.5, 2.0];
    const TEN: std::ops::Range<f64> = 0.0316..0.316;
    let mut found = Found::default();
    let mut series = [Vec::new(), Vec::new()];
    let mut smallest = Vec::new();
    let [almost, printed] = AS_PRINTED;
    let sigmas = [
        ("sigma 0", Sigma::Geom1),
        ("sigma 1", Sigma::One),
        ("sigma optimal", Sigma::Optimal),
        ("sigma 1.5", Sigma::Value(almost)),
        ("sigma 2", Sigma::Value(printed)),
    ];
    for (name, sigma) in sigmas {
        let curves = errors(lab, &generalized_alpha(sigma), RIGHT, 6)?;
        smallest.push([0, 1].map(|i: usize| curves[i].last().map_or(f64::NAN, |p| p.1)));
        for ((quantity, i), curve) in [("position", 0), ("velocity", 1)].into_iter().zip(curves) {
            found.checks.push(Check::order(
                &format!("{quantity} of the right support, {name}: second order"),
                2.0,
                slope(&curve[2..]),
            ));
            series[i].push(Series::marked(name, curve));
        }
    }
    for (k, (name, _)) in sigmas.iter().enumerate().take(3).skip(1) {
        for (quantity, i) in [("position", 0), ("velocity", 1)] {
            let gain = |k: usize| smallest[0][i] / smallest[k][i];
            let check = Check::new(
                &format!("{quantity}, {name}: more accurate than sigma 0"),
                "about ten times",
                format!("{:.1} times", gain(k)),
                TEN.contains(&gain(k).recip()),
            );
            found.checks.push(check.or(|| {
                format!(
                    "{:.1} times with the smallest step; {:.1} times with sigma {almost} and {:.1} times \
                     with sigma {printed}: the algorithms printed in the paper are not its equations \
                     and act like sigma {almost} to {printed}, which is likely the cause",
                    gain(k),
                    gain(3),
                    gain(4)
                )
            }));
        }
    }
    let [positions, velocities] = series;
    let chart = |title: &str, series| Chart {
        title: title.to_owned(),
        subtitle: "right support of the rotor at t = 1, generalized-alpha, rho 0.9".to_owned(),
        x: Axis::log("step size"),
        y: Axis::log("error"),
        series,
    };
    found.charts = vec![chart("Position", positions), chart("Velocity", velocities)];
    Ok(found)
}

/// (2024) table 7: Newton iterations in a step. Average over the first steps: the motion is periodic.
pub(crate) fn iterations(lab: &Lab) -> Result<Found, Failure> {
    const PRINTED: [(f64, f64, f64); 7] = [
        (5.00e-5, 2.0, 3.0),
        (2.50e-5, 2.0, 3.0),
        (1.25e-5, 2.0, 3.0),
        (6.25e-6, 2.0, 2.0),
        (3.12e-6, 2.0, 2.0),
        (1.56e-6, 1.0, 2.0),
        (7.81e-7, 1.0, 2.0),
    ];
    let mut found = Found::default();
    let mut curve = Vec::new();
    for (h, printed, angles) in PRINTED {
        let scheme = generalized_alpha(Sigma::Geom1);
        let trial = lab.run(&Experiment::new(&ROTOR, scheme, h, 4000.0 * h))?;
        let ours = trial.iterations;
        curve.push((h, ours));
        found.checks.push(
            Check::number(&format!("iterations in a step of {h}"), printed, 0.05, ours)
                .or(|| counted_differently(ours)),
        );
        found.checks.push(Check::new(
            &format!("not more than with rotation angles, step of {h}"),
            &format!("at most {angles}"),
            format!("{ours:.2}"),
            ours <= angles + 0.05,
        ));
    }
    found.charts.push(Chart {
        title: "Newton iterations of the rotor".to_owned(),
        subtitle: "generalized-alpha, rho 0.9, full Newton".to_owned(),
        x: Axis::log("step size"),
        y: Axis::linear("iterations in a step"),
        series: vec![
            Series::marked("here", curve),
            Series::marked("paper", PRINTED.iter().map(|row| (row.0, row.1)).collect()),
        ],
    });
    Ok(found)
}
