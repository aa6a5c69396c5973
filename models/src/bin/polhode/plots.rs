//! The plots of a run.

use polhode_models::machine::Machine;

use crate::args::Subject;
use crate::chart::{Axis, Chart, Series};
use crate::json::direction;
use crate::pose::poses;
use crate::simulate::{Plan, Simulated};

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
    let mut charts = vec![
        (
            "positions.svg",
            chart(
                "Centres of mass",
                Axis::linear("position"),
                positions(subject, machine, simulated),
            ),
        ),
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

fn positions(subject: &Subject, machine: &dyn Machine, simulated: &Simulated) -> Vec<Series> {
    let description = &subject.description;
    let mut curves = vec![vec![Vec::new(); 3]; description.bodies.len()];
    for state in &simulated.states {
        let poses = poses(machine, &state.q, &state.v);
        for ((pose, body), curves) in poses.iter().zip(&description.bodies).zip(&mut curves) {
            for (x, curve) in pose.point(&body.center).iter().zip(curves) {
                curve.push((state.t, *x));
            }
        }
    }
    let mut series = Vec::new();
    for (body, curves) in description.bodies.iter().zip(curves) {
        for (axis, curve) in ["x", "y", "z"].into_iter().zip(curves) {
            if curve.iter().any(|point| point.1 != 0.0) {
                series.push(Series::line(&format!("{} {axis}", body.name), curve));
            }
        }
    }
    series
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
    let name = |row| {
        let full = machine.constraint_name(row);
        let joints = subject.description.joints.iter();
        let mut short = joints.filter_map(|joint| {
            Some(format!(
                "{}, {}",
                joint.name,
                direction(&full, &joint.name)?
            ))
        });
        short.next().unwrap_or(full)
    };
    (0..machine.constraint_count())
        .map(|row| {
            let states = simulated.states.iter();
            let points = states.map(|state| (state.t, state.lambda[row]));
            Series::line(&name(row), points.collect())
        })
        .collect()
}
