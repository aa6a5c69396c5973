//! Holzinger, Arnold, Gerstmayr (2024), section 4.4: the robot Puma 560. Figures 19 and 20.

use polhode::generalized_alpha::GeneralizedAlpha;
use polhode_models::machine::Scheme;
use polhode_models::puma560::{ANGLES_A_AT_1, PUMA560};

use super::claim::{Check, Found, short};
use super::lab::{Lab, slope};
use super::trial::{Experiment, Trial};
use crate::chart::{Axis, Chart, Series};
use crate::failure::Failure;
use crate::json::distance;

const JOINTS: usize = 6;
/// Printed goal in degrees.
const GOAL: [f64; JOINTS] = [-120.0, 60.0, -200.0, 90.0, 90.0, 45.0];

fn scheme() -> Scheme {
    Scheme::GeneralizedAlpha(GeneralizedAlpha::index3())
}

/// Angles of the joints at the end of a run.
fn angles(trial: &Trial) -> Vec<f64> {
    let last = trial.angles.last().map_or(&[][..], Vec::as_slice);
    last.iter().map(|angle| angle.unwrap_or(f64::NAN)).collect()
}

/// Figure 19.
pub(crate) fn motion(lab: &Lab) -> Result<Found, Failure> {
    let trial = lab.run(&Experiment::new(&PUMA560, scheme(), 1e-3, 1.0))?;
    let found = angles(&trial);
    let mut checks = Vec::new();
    for (i, (angle, goal)) in found.iter().zip(GOAL).enumerate() {
        let degrees = angle.to_degrees();
        let check = Check::new(
            &format!(
                "joint {} reaches the printed goal from the printed start",
                i + 1
            ),
            &format!("{goal} degrees"),
            format!("{degrees:.2} degrees at t = 1"),
            (degrees - goal).abs() < 0.5,
        );
        checks.push(check.or(|| {
            format!(
                "the printed start, accelerations and goal contradict each other: this joint \
                 ends {:.1} degrees from the goal; with all angles zero at the start it would \
                 reach it, so the start angles may be a misprint",
                degrees - goal
            )
        }));
    }
    let curve = |i: usize| {
        let angles = trial.angles.iter().zip(&trial.states[1..]);
        let points =
            angles.filter_map(|(angles, state)| Some((state.t, (*angles.get(i)?)?.to_degrees())));
        Series::line(&format!("joint {}", i + 1), points.collect())
    };
    Ok(Found {
        checks,
        charts: vec![Chart {
            title: "Angles of the joints".to_owned(),
            subtitle: "Puma 560 under PD control, index 3, steps of 1e-3".to_owned(),
            x: Axis::linear("time"),
            y: Axis::linear("degrees"),
            series: (0..JOINTS).map(curve).collect(),
        }],
    })
}

/// Figure 20, what it says of Lie group methods.
pub(crate) fn convergence(lab: &Lab) -> Result<Found, Failure> {
    let mut found = Found::default();
    let mut curve = Vec::new();
    let mut largest = None;
    for halving in 0..=9_u32 {
        let h = 0.1 / f64::from(1 << halving);
        match lab.run(&Experiment::new(&PUMA560, scheme(), h, 1.0)) {
            Ok(trial) => {
                largest.get_or_insert(h);
                curve.push((h, distance(&angles(&trial), &ANGLES_A_AT_1)));
            }
            // The largest steps may be too large.
            Err(Failure::Simulation(_)) => {}
            Err(failure) => return Err(failure),
        }
    }
    let fine = curve.len().saturating_sub(4);
    found.checks.push(Check::order(
        "the angles at t = 1 converge with second order",
        2.0,
        slope(&curve[fine..]),
    ));
    let largest = largest.unwrap_or(f64::NAN);
    let check = Check::new(
        "it runs with almost the largest step, 0.1",
        "at least 0.025",
        format!("up to {largest}"),
        largest >= 0.025,
    );
    found.checks.push(check.or(|| {
        format!(
            "up to steps of {}; Newton's method fails beyond",
            short(largest)
        )
    }));
    found.charts.push(Chart {
        title: "Convergence of the robot".to_owned(),
        subtitle: "angles of the joints at t = 1, index 3, rho 0.9".to_owned(),
        x: Axis::log("step size"),
        y: Axis::log("error of the angles"),
        series: vec![Series::marked("generalized-alpha", curve)],
    });
    Ok(found)
}
