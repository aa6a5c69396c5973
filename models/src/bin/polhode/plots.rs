//! The plots of a run.

use nalgebra::Vector3;
use polhode_models::machine::Machine;
use polhode_models::scene::{Solid, Spot};

use crate::chart::{Axis, Chart, Series};
use crate::json::direction;
use crate::pose::{place, poses};
use crate::simulate::{Plan, Simulated};
use crate::subject::Subject;

/// How a run is named under the title of a plot.
pub(crate) fn subtitle(subject: &Subject, plan: &Plan) -> String {
    let steps = match plan.step {
        Some(h) => format!("steps of {h}"),
        None => "adaptive steps".to_owned(),
    };
    format!(
        "{} in {} with {}, {steps}",
        subject.name, subject.group, plan.method
    )
}

/// Plots with the names of their files.
pub(crate) fn of_run(
    subject: &Subject,
    machine: &dyn Machine,
    plan: &Plan,
    simulated: &Simulated,
) -> Vec<(&'static str, Chart)> {
    let chart = |title: &str, y: Axis, series| Chart {
        title: title.to_owned(),
        subtitle: subtitle(subject, plan),
        x: Axis::linear("time"),
        y,
        series,
    };
    let axis = Axis::linear("position");
    let series = positions(subject, machine, simulated);
    let mut charts = vec![
        ("positions.svg", chart("Positions", axis, series)),
        (
            "energy.svg",
            chart(
                "Energy error",
                Axis::linear("energy minus its initial value"),
                vec![Series::line(
                    "E(t) \u{2212} E(0)",
                    energy(machine, simulated),
                )],
            ),
        ),
    ];
    if !subject.scene.curves.is_empty() {
        charts.push(("shapes.svg", shapes(subject, machine, plan, simulated)));
    }
    if machine.constraint_count() > 0 {
        let series = multipliers(subject, machine, simulated);
        let axis = Axis::linear("multiplier");
        charts.push(("multipliers.svg", chart("Multipliers", axis, series)));
    }
    let steps = simulated.steps.iter();
    let stairs = steps.flat_map(|step| [(step.t, step.h), (step.t + step.h, step.h)]);
    let sizes = vec![Series::line("step size", stairs.collect())];
    let axis = if plan.step.is_some() {
        Axis::linear("step size")
    } else {
        Axis::log("step size")
    };
    charts.push(("steps.svg", chart("Step sizes", axis, sizes)));
    charts
}

/// Points that are worth following: all centres of mass if there are few, otherwise those at the
/// ends and in the middle of what is long.
fn followed(subject: &Subject) -> Vec<(String, Spot)> {
    const FEW: usize = 8;
    let solids = &subject.scene.solids;
    let center = |solid: &Solid| {
        let spot = Spot {
            factor: Some(solid.factor),
            point: solid.center,
        };
        (solid.name.clone(), spot)
    };
    let mut spots: Vec<(String, Spot)> = match solids.len() {
        0 => vec![],
        count if count <= FEW => solids.iter().map(center).collect(),
        count => [0, count / 2, count - 1].map(|i| center(&solids[i])).into(),
    };
    for curve in &subject.scene.curves {
        let count = curve.points.len();
        for (place, i) in [("start", 0), ("middle", count / 2), ("end", count - 1)] {
            let spot = curve.points[i];
            if spot.factor.is_some() {
                spots.push((format!("{} {place}", curve.name), spot));
            }
        }
    }
    spots
}

fn positions(subject: &Subject, machine: &dyn Machine, simulated: &Simulated) -> Vec<Series> {
    let spots = followed(subject);
    let mut curves = vec![vec![Vec::new(); 3]; spots.len()];
    for state in &simulated.states {
        let poses = poses(machine, &state.q, &state.v);
        for ((_, spot), curves) in spots.iter().zip(&mut curves) {
            for (x, curve) in place(&poses, spot).iter().zip(curves) {
                curve.push((state.t, *x));
            }
        }
    }
    let mut series = Vec::new();
    for ((name, _), curves) in spots.iter().zip(curves) {
        for (axis, curve) in ["x", "y", "z"].into_iter().zip(curves) {
            if curve.iter().any(|point| point.1 != 0.0) {
                series.push(Series::line(&format!("{name} {axis}"), curve));
            }
        }
    }
    series
}

/// Rods at several times, seen along the axis in which they extend least.
fn shapes(subject: &Subject, machine: &dyn Machine, plan: &Plan, simulated: &Simulated) -> Chart {
    const TIMES: usize = 11;
    let count = simulated.states.len();
    let chosen = (0..TIMES).map(|i| &simulated.states[i * (count - 1) / (TIMES - 1)]);
    let mut lines: Vec<(String, Vec<Vector3<f64>>)> = Vec::new();
    for state in chosen {
        let poses = poses(machine, &state.q, &state.v);
        for curve in &subject.scene.curves {
            let points = curve.points.iter().map(|spot| place(&poses, spot));
            lines.push((format!("t = {:.2}", state.t), points.collect()));
        }
    }
    let all = || lines.iter().flat_map(|(_, points)| points);
    let extent = |axis: usize| {
        let (low, high) = all().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), point| {
            (a.min(point[axis]), b.max(point[axis]))
        });
        high - low
    };
    let hidden = (0..3)
        .rev()
        .min_by(|&a, &b| extent(a).total_cmp(&extent(b)));
    let [across, along] = match hidden {
        Some(0) => [1, 2],
        Some(1) => [0, 2],
        _ => [0, 1],
    };
    let names = ["x", "y", "z"];
    let series = lines.iter().enumerate().map(|(i, (name, points))| {
        let points = points.iter().map(|point| (point[across], point[along]));
        Series::line(name, points.collect()).shaded(i, lines.len())
    });
    Chart {
        title: "Shapes".to_owned(),
        subtitle: subtitle(subject, plan),
        x: Axis::length(names[across]),
        y: Axis::length(names[along]),
        series: series.collect(),
    }
}

/// `E(t) - E(0)`.
pub(crate) fn energy(machine: &dyn Machine, simulated: &Simulated) -> Vec<(f64, f64)> {
    let start = simulated.energy_start.total();
    let states = simulated.states.iter();
    states
        .map(|state| {
            let energy = machine.energy(state).total();
            (state.t, energy - start)
        })
        .collect()
}

fn multipliers(subject: &Subject, machine: &dyn Machine, simulated: &Simulated) -> Vec<Series> {
    const MOST: usize = 18;
    let joints = subject.description.as_ref().map(|d| d.joints.as_slice());
    let name = |row| {
        let full = machine.constraint_name(row);
        let joints = joints.unwrap_or_default().iter();
        let mut short = joints.filter_map(|joint| {
            Some(format!(
                "{}, {}",
                joint.name,
                direction(&full, &joint.name)?
            ))
        });
        short.next().unwrap_or(full)
    };
    let rows = machine.constraint_count();
    let shown: Vec<usize> = if rows <= MOST {
        (0..rows).collect()
    } else {
        // Those of the first, the middle and the last element.
        let middle = rows / 2;
        [
            0,
            1,
            2,
            middle,
            middle + 1,
            middle + 2,
            rows - 3,
            rows - 2,
            rows - 1,
        ]
        .into()
    };
    shown
        .into_iter()
        .map(|row| {
            let states = simulated.states.iter();
            let points = states.map(|state| (state.t, state.lambda[row]));
            Series::line(&name(row), points.collect())
        })
        .collect()
}
