//! The spatial slider-crank of Holzinger, Arnold, Gerstmayr: (2024) figures 15 and 16, (2025)
//! figures 9 and 10.

use polhode::generalized_alpha::{GeneralizedAlpha, Sigma};
use polhode_models::machine::{Scheme, Snapshot};
use polhode_models::slider_crank::{SLIDER_AT_A, SLIDER_CRANK, SLIDER_MIDDLE};

use super::claim::{Check, Found, short};
use super::lab::{Lab, slope};
use super::trial::{Experiment, Trial};
use crate::chart::{Axis, Chart, Series};
use crate::failure::Failure;

/// The slider is the third body.
const SLIDER: usize = 2;
/// Centre of mass of the crank as the table of the paper reads: at A.
const AT_A: f64 = 0.0;

fn scheme(method: GeneralizedAlpha, rho: f64, sigma: Sigma) -> Scheme {
    Scheme::GeneralizedAlpha(GeneralizedAlpha { rho, ..method }.sigma(sigma))
}

fn slider(trial: &Trial, state: &Snapshot) -> [f64; 2] {
    trial.point(state, SLIDER, [0.0; 3]).map(|vector| vector.x)
}

/// Motion until t = 5, and what the deviation from another program can come from.
fn motion(lab: &Lab, rho: f64, sigma: Sigma) -> Result<Found, Failure> {
    const DEVIATION: f64 = 8.6e-3;
    let mut found = Found::default();
    let mut series = Vec::new();
    let method = || scheme(GeneralizedAlpha::index3(), rho, sigma);
    for (name, center, exact) in [
        ("centre of mass at A", AT_A, SLIDER_AT_A),
        ("centre of mass in the middle", 1.0, SLIDER_MIDDLE),
    ] {
        let experiment = Experiment::new(&SLIDER_CRANK, method(), 1e-4, 5.0);
        let trial = lab.run(&experiment.with("center", center))?;
        let error = (slider(&trial, &trial.last)[0] - exact[4]).abs();
        let check = Check::new(
            &format!(
                "{name}: the deviation of the slider at t = 5 is due to the integration method"
            ),
            &format!("about {}", short(DEVIATION)),
            format!("error of integration {} with steps of 1e-4", short(error)),
            error > 0.1 * DEVIATION,
        );
        found.checks.push(check.or(|| {
            format!(
                "the error of integration is smaller by a factor of {:.0}; the models differ: \
                 with the centre of mass of the crank at A or in the middle of it the slider is \
                 {} apart at t = 5",
                DEVIATION / error,
                short((SLIDER_AT_A[4] - SLIDER_MIDDLE[4]).abs())
            )
        }));
        series.push(Series::line(
            name,
            trial.curve(|state| slider(&trial, state)[0]),
        ));
        if center != AT_A {
            let joints = trial.machine.joints().iter();
            let crank = joints.take_while(|joint| joint.name != "a").count();
            let angles = trial.angles.iter().zip(&trial.states[1..]);
            let angle =
                angles.filter_map(|(angles, state)| Some((state.t, (*angles.get(crank)?)?)));
            found.charts.push(Chart {
                title: "Angle of the crank".to_owned(),
                subtitle: "slider-crank, index 3, steps of 1e-4, centre of mass in the middle"
                    .to_owned(),
                x: Axis::linear("time"),
                y: Axis::linear("angle"),
                series: vec![Series::line("crank", angle.collect())],
            });
        }
    }
    found.charts.push(Chart {
        title: "Position of the slider".to_owned(),
        subtitle: "slider-crank, index 3, steps of 1e-4".to_owned(),
        x: Axis::linear("time"),
        y: Axis::linear("position"),
        series,
    });
    Ok(found)
}

/// (2024) figure 15.
pub(crate) fn histories(lab: &Lab) -> Result<Found, Failure> {
    motion(lab, 0.9, Sigma::Geom1)
}

/// (2025) figure 9.
pub(crate) fn histories_with_sigma(lab: &Lab) -> Result<Found, Failure> {
    motion(lab, 0.875, Sigma::One)
}

/// Errors of position and velocity of the slider over the step size.
fn errors(lab: &Lab, scheme: &Scheme, until: f64) -> Result<[Vec<(f64, f64)>; 2], Failure> {
    let order5 = super::lab::half_explicit(5).scheme();
    let reference = lab.run(&Experiment::new(&SLIDER_CRANK, order5, 1e-4, until))?;
    let exact = slider(&reference, &reference.last);
    let mut curves = [Vec::new(), Vec::new()];
    for halving in 1..=5 {
        let h = 4e-3 / f64::from(1_u32 << halving);
        let trial = lab.run(&Experiment::new(&SLIDER_CRANK, scheme.clone(), h, until))?;
        let ours = slider(&trial, &trial.last);
        for ((curve, x), exact) in curves.iter_mut().zip(ours).zip(exact) {
            curve.push((h, (x - exact).abs()));
        }
    }
    Ok(curves)
}

/// (2024) figure 16, what it says of Lie group methods.
pub(crate) fn convergence(lab: &Lab) -> Result<Found, Failure> {
    let scheme = scheme(GeneralizedAlpha::index3(), 0.9, Sigma::Geom1);
    let [positions, _] = errors(lab, &scheme, 5.0)?;
    Ok(Found {
        checks: vec![Check::order(
            "the slider at t = 5 converges with second order",
            2.0,
            slope(&positions[1..]),
        )],
        charts: vec![Chart {
            title: "Convergence of the slider-crank".to_owned(),
            subtitle: "slider at t = 5, index 3, rho 0.9".to_owned(),
            x: Axis::log("step size"),
            y: Axis::log("error of the position"),
            series: vec![Series::marked("generalized-alpha", positions)],
        }],
    })
}

/// Geometric mean of the ratios of two curves of errors.
fn mean_ratio(curve: &[(f64, f64)], other: &[(f64, f64)]) -> f64 {
    let logs = curve.iter().zip(other).map(|(a, b)| (a.1 / b.1).ln());
    #[expect(clippy::cast_precision_loss, reason = "a handful of points")]
    let count = curve.len().max(1) as f64;
    (logs.sum::<f64>() / count).exp()
}

/// (2025) figure 10.
pub(crate) fn gain(lab: &Lab) -> Result<Found, Failure> {
    let mut found = Found::default();
    let mut series = [Vec::new(), Vec::new()];
    for (formulation, method) in [
        ("index 3", GeneralizedAlpha::index3()),
        ("index 2", GeneralizedAlpha::index2()),
    ] {
        let mut plain: Option<[Vec<(f64, f64)>; 2]> = None;
        for (name, sigma) in [("sigma 0", Sigma::Geom1), ("sigma 1", Sigma::One)] {
            let curves = errors(lab, &scheme(method, 0.875, sigma), 2.0)?;
            let geom1 = plain.get_or_insert(curves.clone()).clone();
            for (i, curve) in curves.into_iter().enumerate() {
                let quantity = ["position", "velocity"][i];
                if sigma != Sigma::Geom1 {
                    let ratio = mean_ratio(&curve, &geom1[i]);
                    let check = Check::new(
                        &format!(
                            "{quantity} at t = 2, {formulation}, {name}: more accurate than sigma 0"
                        ),
                        "smaller error",
                        format!("{ratio:.2} of the error, geometric mean over the steps"),
                        ratio < 1.0,
                    );
                    found.checks.push(check.or(|| {
                        format!("{ratio:.2} of the error of sigma 0 in the mean over the steps")
                    }));
                }
                series[i].push(Series::marked(&format!("{formulation}, {name}"), curve));
            }
        }
    }
    let [positions, velocities] = series;
    let chart = |title: &str, series| Chart {
        title: title.to_owned(),
        subtitle: "slider at t = 2, generalized-alpha, rho 0.875".to_owned(),
        x: Axis::log("step size"),
        y: Axis::log("error"),
        series,
    };
    found.charts = vec![chart("Position", positions), chart("Velocity", velocities)];
    Ok(found)
}
