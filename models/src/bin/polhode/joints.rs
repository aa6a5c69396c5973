//! The joints of a run: coordinates, rates, reactions.

use std::collections::BTreeMap;
use std::io::{self, Write};

use polhode::generic::description::Redundancy;
use polhode::trajectory::csv_field;
use polhode_models::machine::{JointReading, Machine};
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

/// Angle, the continuous one, or displacement, and its rate.
fn coordinate(reading: &JointReading, angle: Option<f64>) -> Option<[f64; 2]> {
    match (angle, reading.angle) {
        (Some(angle), Some([_, rate])) => Some([angle, rate]),
        _ => reading.displacement,
    }
}

/// All joints at the end of a run. Where redundant constraints are an error, every reaction is unique.
pub(crate) fn at_end(
    machine: &dyn Machine,
    simulated: &Simulated,
    redundancy: Redundancy,
) -> BTreeMap<String, JointState> {
    let last = &simulated.last;
    let unique = match redundancy {
        Redundancy::Allow => machine.unique_multipliers(last).ok(),
        Redundancy::Reject => Some(vec![true; machine.constraint_count()]),
    };
    let readings = machine.joint_readings(last);
    let joints = machine.joints().iter().zip(readings);
    joints
        .zip(&simulated.last_angles)
        .map(|((frame, reading), &angle)| {
            let found = coordinate(&reading, angle);
            let multipliers = frame.rows.clone().map(|row| {
                let name = machine.constraint_name(row);
                let direction = direction(&name, &frame.name).unwrap_or(&name).to_owned();
                (direction, last.lambda[row])
            });
            let state = JointState {
                coordinate: found.map(|[x, _]| x),
                rate: found.map(|[_, rate]| rate),
                displacement: angle.and(reading.displacement),
                reaction: Reaction {
                    force: reading.reaction.force,
                    torque: reading.reaction.torque,
                    unique: unique
                        .as_ref()
                        .map(|unique| unique[frame.rows.clone()].iter().all(|x| *x)),
                },
                multipliers: multipliers.collect(),
            };
            (frame.name.clone(), state)
        })
        .collect()
}

/// Coordinates, rates and reactions over time, one line for each stored state.
pub(crate) fn write_csv(
    machine: &dyn Machine,
    simulated: &Simulated,
    to: &mut impl Write,
) -> io::Result<()> {
    let mut names = vec!["t".to_owned()];
    let readings = machine.joint_readings(&simulated.last);
    let joints = machine.joints().iter().zip(readings);
    for ((frame, reading), &angle) in joints.zip(&simulated.last_angles) {
        if coordinate(&reading, angle).is_some() {
            names.push(format!("{}.coordinate", frame.name));
            names.push(format!("{}.rate", frame.name));
        }
        for quantity in ["force", "torque"] {
            names.extend(["x", "y", "z"].map(|axis| format!("{}.{quantity}.{axis}", frame.name)));
        }
    }
    let names: Vec<String> = names.iter().map(|name| csv_field(name)).collect();
    writeln!(to, "{}", names.join(","))?;
    for (state, angles) in simulated.states.iter().zip(&simulated.angles) {
        write!(to, "{}", state.t)?;
        for (reading, &angle) in machine.joint_readings(state).iter().zip(angles) {
            let numbers = coordinate(reading, angle).into_iter().flatten();
            let wrench = reading.reaction;
            for x in numbers.chain(wrench.force).chain(wrench.torque) {
                write!(to, ",{x}")?;
            }
        }
        writeln!(to)?;
    }
    Ok(())
}
