//! What can be wrong with forces and formulas.

use super::super::description::{
    BodyQuantity, ForceKind, Formula, GROUND, JointKind, JointQuantity,
};
use super::modal::{check_modal_load, check_modal_spring};
use super::{
    Index, InvalidDescription, check_attachment, check_number, check_numbers, check_pair,
    find_body, find_joint,
};
use crate::lie::GroupKind;
use nalgebra::Matrix6;

/// Most levels of a formula; evaluation takes a place on the stack for each.
const MAX_DEPTH: usize = 500;

pub(super) fn check_force(
    description: &Index<'_>,
    item: &str,
    kind: &ForceKind,
) -> Result<(), InvalidDescription> {
    let positive = |quantity, value: f64| {
        check_number(item, quantity, value, value >= 0.0, "zero or positive")
    };
    match kind {
        ForceKind::SpringDamper {
            first,
            second,
            stiffness,
            damping,
            length,
        } => {
            check_pair(description, item, first, second)?;
            positive("stiffness", *stiffness)?;
            positive("damping", *damping)?;
            positive("length", *length)
        }
        ForceKind::Load {
            at, force, torque, ..
        } => {
            check_attachment(description, item, at)?;
            for formula in force.iter().chain(torque) {
                check_formula(description, item, formula)?;
            }
            let turning = torque.iter().any(|x| x.as_number() != Some(0.0));
            let body = find_body(description, item, &at.body)?;
            check_turning(description, item, body, turning)
        }
        ForceKind::Bushing {
            first,
            second,
            stiffness,
            damping,
        } => {
            check_pair(description, item, first, second)?;
            check_numbers(item, "stiffness", stiffness.as_flattened())?;
            check_numbers(item, "damping", damping.as_flattened())?;
            let [stiffness, damping] =
                [stiffness, damping].map(|x| Matrix6::from_fn(|i, j| x[i][j]));
            let asymmetry = (stiffness - stiffness.transpose()).amax();
            let allowed = 1e-12 * stiffness.amax();
            let quantity = "asymmetry of the stiffness";
            check_number(item, quantity, asymmetry, asymmetry <= allowed, "zero")?;
            check_semidefinite(item, "smallest principal stiffness", &stiffness)?;
            let symmetric = (damping + damping.transpose()) * 0.5;
            check_semidefinite(item, "smallest principal damping", &symmetric)?;
            let turning = |m: &Matrix6<f64>| {
                let translation = m.fixed_view::<3, 3>(3, 3).norm_squared();
                m.norm_squared() > translation
            };
            let turning = turning(&stiffness) || turning(&damping);
            for side in [first, second] {
                if side.body != GROUND {
                    let body = find_body(description, item, &side.body)?;
                    check_turning(description, item, body, turning)?;
                }
            }
            Ok(())
        }
        ForceKind::TorsionSpring {
            joint,
            stiffness,
            damping,
            angle,
        } => {
            check_coordinate(description, item, joint, JointQuantity::Angle)?;
            positive("stiffness", *stiffness)?;
            positive("damping", *damping)?;
            check_number(item, "angle", *angle, true, "finite")
        }
        ForceKind::PdControl {
            joint,
            proportional,
            derivative,
            target,
        } => {
            check_effort(description, item, joint)?;
            positive("proportional gain", *proportional)?;
            positive("derivative gain", *derivative)?;
            check_of_time(item, "target", target)
        }
        ForceKind::Actuator { joint, effort } => {
            check_effort(description, item, joint)?;
            check_formula(description, item, effort)
        }
        ForceKind::ModalSpring {
            body,
            stiffness,
            damping,
        } => check_modal_spring(description, item, body, [stiffness, damping]),
        ForceKind::ModalLoad { body, force } => check_modal_load(description, item, body, force),
    }
}

/// No direction in which it pushes away.
fn check_semidefinite(
    item: &str,
    quantity: &'static str,
    matrix: &Matrix6<f64>,
) -> Result<(), InvalidDescription> {
    let smallest = matrix.symmetric_eigenvalues().min();
    let valid = smallest >= -1e-12 * matrix.amax();
    check_number(item, quantity, smallest, valid, "zero or positive")
}

/// A point cannot be turned.
fn check_turning(
    description: &Index<'_>,
    item: &str,
    body: usize,
    turning: bool,
) -> Result<(), InvalidDescription> {
    let group = description.bodies[body].group;
    if turning && matches!(group, GroupKind::Rn(_)) {
        return Err(InvalidDescription::Group {
            item: item.to_owned(),
            group,
            problem: "a torque on a point has no effect; leave its rotational part zero",
        });
    }
    Ok(())
}

/// A joint with one coordinate that an effort can act along.
fn check_effort(
    description: &Index<'_>,
    item: &str,
    joint: &str,
) -> Result<(), InvalidDescription> {
    let kind = &description.joints[find_joint(description, item, joint)?].kind;
    if kind.has_angle() || kind.has_displacement() {
        return Ok(());
    }
    Err(InvalidDescription::NoCoordinate {
        item: item.to_owned(),
        coordinate: "coordinate",
        joint: joint.to_owned(),
        has: "revolute, cylindrical and prismatic joints have one",
    })
}

/// A joint with an angle.
pub(super) fn check_angle(
    description: &Index<'_>,
    item: &str,
    joint: &str,
) -> Result<(), InvalidDescription> {
    check_coordinate(description, item, joint, JointQuantity::Angle)
}

fn check_coordinate(
    description: &Index<'_>,
    item: &str,
    joint: &str,
    quantity: JointQuantity,
) -> Result<(), InvalidDescription> {
    let kind: &JointKind = &description.joints[find_joint(description, item, joint)?].kind;
    let (coordinate, exists, has) = match quantity {
        JointQuantity::Angle | JointQuantity::AngleRate => (
            "angle",
            kind.has_angle(),
            "revolute and cylindrical joints have one",
        ),
        JointQuantity::Displacement | JointQuantity::DisplacementRate => (
            "displacement",
            kind.has_displacement(),
            "prismatic and cylindrical joints have one",
        ),
    };
    if exists {
        return Ok(());
    }
    Err(InvalidDescription::NoCoordinate {
        item: item.to_owned(),
        coordinate,
        joint: joint.to_owned(),
        has,
    })
}

/// Calls `visit` for a formula and all its parts.
fn walk<'a>(
    item: &str,
    formula: &'a Formula,
    level: usize,
    visit: &mut impl FnMut(&'a Formula) -> Result<(), InvalidDescription>,
) -> Result<(), InvalidDescription> {
    if level > MAX_DEPTH {
        return Err(InvalidDescription::Depth {
            item: item.to_owned(),
            limit: MAX_DEPTH,
        });
    }
    visit(formula)?;
    formula
        .operands()
        .into_iter()
        .try_for_each(|part| walk(item, part, level + 1, visit))
}

fn check_constant(item: &str, value: f64) -> Result<(), InvalidDescription> {
    check_number(item, "a number in a formula", value, true, "finite")
}

/// A formula of time, bodies and joints.
pub(super) fn check_formula(
    description: &Index<'_>,
    item: &str,
    formula: &Formula,
) -> Result<(), InvalidDescription> {
    walk(item, formula, 1, &mut |part| match part {
        Formula::Number(value) => check_constant(item, *value),
        Formula::Body {
            body,
            quantity,
            axis,
        } => {
            let data = &description.bodies[find_body(description, item, body)?];
            let point = matches!(data.group, GroupKind::Rn(_));
            if point && *quantity == BodyQuantity::AngularVelocity {
                return Err(InvalidDescription::Group {
                    item: item.to_owned(),
                    group: data.group,
                    problem: "a point has no angular velocity, nor have modal coordinates",
                });
            }
            if description.is_modal(data) {
                let count = data.group.dof();
                if *axis < count {
                    return Ok(());
                }
                return Err(InvalidDescription::Component {
                    item: item.to_owned(),
                    body: body.clone(),
                    component: *axis,
                    count,
                });
            }
            if *axis > 2 {
                return Err(InvalidDescription::Axis {
                    item: item.to_owned(),
                    body: body.clone(),
                    axis: *axis,
                });
            }
            Ok(())
        }
        Formula::Joint { joint, quantity } => check_coordinate(description, item, joint, *quantity),
        _ => Ok(()),
    })
}

/// A formula of time alone.
pub(super) fn check_of_time(
    item: &str,
    quantity: &'static str,
    formula: &Formula,
) -> Result<(), InvalidDescription> {
    let reads = |reads| {
        Err(InvalidDescription::NotOfTime {
            item: item.to_owned(),
            quantity,
            reads,
        })
    };
    walk(item, formula, 1, &mut |part| match part {
        Formula::Number(value) => check_constant(item, *value),
        Formula::Body { body, .. } => reads(format!("body `{body}`")),
        Formula::Joint { joint, .. } => reads(format!("joint `{joint}`")),
        _ => Ok(()),
    })
}
