//! Joints as lists of scalar constraints.

use super::constraint::Constraint;
use super::description::{Joint, JointKind, PositionAxes};
use nalgebra::Vector3;

const AXIS_NAMES: [&str; 3] = ["x", "y", "z"];

/// The constraints of a joint that do not depend on time, each with the name of its direction.
pub(super) fn constraints(joint: &Joint, of: PositionAxes) -> Vec<(Constraint, String)> {
    let point_a = Vector3::from(joint.first.point);
    let point_b = Vector3::from(joint.second.point);
    if let JointKind::Distance { length } = joint.kind {
        let constraint = Constraint::Length {
            point_a,
            point_b,
            length,
        };
        return vec![(constraint, "length".to_owned())];
    }
    let (positions, axes) = joint.kind.held();
    let positions = positions.iter().map(|&i| {
        let constraint = Constraint::Point {
            point_a,
            point_b,
            normal: Vector3::from(joint.second.axes[i]),
        };
        let of = match of {
            PositionAxes::Second => "",
            PositionAxes::Inertial => "inertial ",
        };
        (constraint, format!("position along {of}{}", AXIS_NAMES[i]))
    });
    let axes = axes.iter().map(|&(i, j)| {
        let constraint = Constraint::Axes {
            axis_a: Vector3::from(joint.first.axes[i]),
            axis_b: Vector3::from(joint.second.axes[j]),
        };
        let (i, j) = (AXIS_NAMES[i], AXIS_NAMES[j]);
        (constraint, format!("{i} of first normal to {j} of second"))
    });
    positions.chain(axes).collect()
}
