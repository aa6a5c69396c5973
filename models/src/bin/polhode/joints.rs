//! The joints of a run: coordinates, rates, reactions.

use std::collections::BTreeMap;
use std::io::{self, Write};

use polhode::joints::{JointTracker, JointView};
use polhode::state::State;
use polhode::system::System;
use serde::Serialize;

use crate::json::direction;
use crate::simulate::Simulated;

/// A joint at the end of a run.
#[derive(Debug, Serialize)]
pub(crate) struct JointState {
    /// Continuous angle, or displacement if there is no angle; none for joints without either.
    pub(crate) coordinate: Option<f64>,
    /// Its rate.
    pub(crate) rate: Option<f64>,
    /// Displacement and its rate of a joint that also has an angle.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) displacement: Option<[f64; 2]>,
    pub(crate) reaction: Reaction,
    /// By direction.
    pub(crate) multipliers: BTreeMap<String, f64>,
}

/// On the second body, at the point of its frame, in inertial axes.
#[derive(Debug, Serialize)]
pub(crate) struct Reaction {
    pub(crate) force: [f64; 3],
    pub(crate) torque: [f64; 3],
    /// Whether the motion determines it; none if that cannot be evaluated.
    pub(crate) unique: Option<bool>,
}

/// Continuous angles of all joints; nothing where a joint has none.
pub(crate) fn angles<S: System>(
    tracker: &JointTracker,
    system: &S,
    state: &State<S>,
) -> Vec<Option<f64>> {
    let joints = 0..system.joints().len();
    joints
        .map(|joint| tracker.angle(system, state, joint))
        .collect()
}

/// Angle or displacement, and its rate.
fn coordinate<S: System>(view: &JointView<'_, S>, angle: Option<f64>) -> Option<[f64; 2]> {
    match angle {
        Some(angle) => Some([angle, view.angle_rate()?]),
        None => Some([view.displacement()?, view.displacement_rate()?]),
    }
}

/// All joints at the end of a run.
pub(crate) fn at_end<S: System>(
    system: &S,
    simulated: &Simulated<S>,
) -> BTreeMap<String, JointState> {
    let joints = system.joints().iter().zip(&simulated.last_angles);
    joints
        .map(|(frame, &angle)| {
            let view = JointView::of(system, &simulated.last, frame);
            let found = coordinate(&view, angle);
            let wrench = view.reaction();
            let both = angle.and_then(|_| Some([view.displacement()?, view.displacement_rate()?]));
            let lambda = simulated.last.lambda.as_ref();
            let multipliers = frame.rows.clone().map(|row| {
                let name = system.constraint_name(row);
                let direction = direction(&name, &frame.name).unwrap_or(&name).to_owned();
                (direction, lambda[row])
            });
            let state = JointState {
                coordinate: found.map(|[x, _]| x),
                rate: found.map(|[_, rate]| rate),
                displacement: both,
                reaction: Reaction {
                    force: wrench.force,
                    torque: wrench.torque,
                    unique: view.reaction_is_unique().ok(),
                },
                multipliers: multipliers.collect(),
            };
            (frame.name.clone(), state)
        })
        .collect()
}

/// Coordinates, rates and reactions over time, one line for each stored state.
pub(crate) fn write_csv<S: System>(
    system: &S,
    simulated: &Simulated<S>,
    to: &mut impl Write,
) -> io::Result<()> {
    let mut names = vec!["t".to_owned()];
    let states = simulated.trajectory.states();
    for (frame, angle) in system.joints().iter().zip(&simulated.last_angles) {
        let view = JointView::of(system, &simulated.last, frame);
        if coordinate(&view, *angle).is_some() {
            names.push(format!("{}.coordinate", frame.name));
            names.push(format!("{}.rate", frame.name));
        }
        for quantity in ["force", "torque"] {
            names.extend(["x", "y", "z"].map(|axis| format!("{}.{quantity}.{axis}", frame.name)));
        }
    }
    writeln!(to, "{}", names.join(","))?;
    for (state, angles) in states.iter().zip(&simulated.angles) {
        write!(to, "{}", state.t)?;
        for (frame, &angle) in system.joints().iter().zip(angles) {
            let view = JointView::of(system, state, frame);
            let wrench = view.reaction();
            let numbers = coordinate(&view, angle).into_iter().flatten();
            for x in numbers.chain(wrench.force).chain(wrench.torque) {
                write!(to, ",{x}")?;
            }
        }
        writeln!(to)?;
    }
    Ok(())
}
