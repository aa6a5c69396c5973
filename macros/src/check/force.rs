//! Rules about the numbers of joints and forces.

use super::matrix::{is_semidefinite, is_symmetric, numbers, symmetric_part};
use super::motion::Point;
use crate::diag::{At, Diagnostics};
use crate::expr::Id;
use crate::forces::Form;
use crate::formula::Formula;
use crate::mechanics::Mechanics;
use crate::model::{Force, ForceKind, Joint, JointKind, Model};

/// Distances that are this small are rounding errors.
const ROUNDING: f64 = 1e-14;

/// What to do about a value that is not finite.
pub(super) const NOT_FINITE: &str =
    "look for a division by zero, or for a root or logarithm of a negative number";

/// A distance is positive: at zero its points have no direction.
pub(super) fn length(model: &Model, joint: &Joint, dx: &mut Diagnostics) {
    if let Some(length) = impossible_length(model, joint) {
        dx.error(
            joint.written.at("length"),
            format!("the length of `{}` is {length}", joint.name),
            "write a positive number; `Spherical` holds two points together",
        );
    }
}

/// The length of a distance, if there is no such distance.
pub(super) fn impossible_length(model: &Model, joint: &Joint) -> Option<f64> {
    let JointKind::Distance { length } = &joint.kind else {
        return None;
    };
    model.by_default(length).filter(|length| !(*length > 0.0))
}

/// Stiffnesses, dampings, gains and lengths are not negative: springs pull back, dampers brake.
pub(super) fn coefficients(model: &Model, force: &Force, dx: &mut Diagnostics) {
    let ForceKind::Law {
        law, coefficients, ..
    } = &force.kind
    else {
        return;
    };
    for (number, given) in law.numbers.iter().zip(coefficients) {
        let what = format!("the {} of `{}`", number.called, force.name);
        match number.form {
            Form::Any => {}
            Form::NotNegative => {
                if let Some(value) = model.by_default(&given.entries[0])
                    && !(value >= 0.0)
                {
                    let help = "write zero or a positive number";
                    dx.error(given.at, format!("{what} is {value}"), help);
                }
            }
            Form::Stiffness | Form::Damping => {
                let rows = given.rows().map(<[Formula]>::to_vec).collect();
                if let Some(matrix) = numbers(model, &rows) {
                    semidefinite(number.form, &what, matrix, given.at, dx);
                }
            }
        }
    }
}

/// A stiffness pushes away in no direction, a damping drives the motion in none.
fn semidefinite(form: Form, what: &str, matrix: Vec<Vec<f64>>, at: At, dx: &mut Diagnostics) {
    if form == Form::Stiffness {
        if is_symmetric(what, &matrix, at, dx) && !is_semidefinite(matrix) {
            dx.error(
                at,
                format!("{what} pushes away in some direction"),
                "write zero or a positive number for each direction, or a positive semidefinite matrix",
            );
        }
    } else if !is_semidefinite(symmetric_part(&matrix)) {
        dx.error(
            at,
            format!("{what} drives the motion in some direction"),
            "write zero or a positive number for each direction, or a matrix whose symmetric part is positive semidefinite",
        );
    }
}

/// No formula has a value that is infinite, or not a number, whatever the motion is.
pub(super) fn finite(mechanics: &mut Mechanics<'_>, dx: &mut Diagnostics) {
    let model = mechanics.model;
    for (place, joint) in model.joints.iter().enumerate() {
        let rows = mechanics.joint_rows[place].clone();
        let phi: Vec<_> = mechanics.phi[rows].to_vec();
        let phi: Vec<Id> = phi
            .into_iter()
            .map(|phi| mechanics.geometry.lower_scalar(phi))
            .collect();
        if !mechanics.graph().is_finite(&phi) {
            let what = format!("joint `{}` has no finite value", joint.name);
            dx.error(joint.name.span(), what, NOT_FINITE);
        }
    }
    for (place, force) in model.forces.iter().enumerate() {
        let applied = mechanics.applied(place);
        if !mechanics.graph().is_finite(&applied) {
            let what = format!("`{}` has no finite value", force.name);
            dx.error(force.name.span(), what, NOT_FINITE);
        }
    }
}

/// Forces have values at the start, and springs a direction.
pub(super) fn at_start(mechanics: &mut Mechanics<'_>, start: &Point, dx: &mut Diagnostics) {
    let model = mechanics.model;
    let size = start.q.iter().fold(1.0, |size: f64, x| size.max(x.abs()));
    for (place, force) in model.forces.iter().enumerate() {
        if let Some([first, second]) = force.kind.line() {
            let gap = mechanics.geometry.inertial_gap(first, second);
            let gap = mechanics.geometry.lower(gap);
            let gap = start.evaluate(mechanics, &gap);
            if gap.iter().map(|x| x * x).sum::<f64>().sqrt() <= ROUNDING * size {
                dx.error(
                    force.name.span(),
                    format!(
                        "the points of `{}` coincide at the start, so it has no direction",
                        force.name
                    ),
                    "move a point, or start elsewhere; a `Bushing` pulls two points together",
                );
                continue;
            }
        }
        let applied = mechanics.applied(place);
        let values = start.evaluate(mechanics, &applied);
        // Constants outside of the model are not known.
        let known = model.outside.is_empty();
        if let Some(value) = values.iter().find(|x| known && !x.is_finite()) {
            dx.error(
                force.name.span(),
                format!(
                    "`{}` has no finite value at the start: it is {value}",
                    force.name
                ),
                NOT_FINITE,
            );
        }
    }
}
