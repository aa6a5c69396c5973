//! Rules about modal coordinates: matrices that are symmetric and definite.

use super::matrix::{is_definite, is_semidefinite, is_symmetric, numbers, symmetric_part};
use crate::diag::Diagnostics;
use crate::model::{Body, Force, ForceKind, FormulaMatrix, Model};

/// A mass matrix is symmetric and positive definite.
pub(super) fn mass(model: &Model, body: &Body, matrix: &FormulaMatrix, dx: &mut Diagnostics) {
    let Some(matrix) = numbers(model, matrix) else {
        return;
    };
    let (name, at) = (&body.name, body.spans.mass);
    let what = format!("the mass of `{name}`");
    if !is_symmetric(&what, &matrix, at, dx) {
        return;
    }
    for (i, row) in matrix.iter().enumerate() {
        let mass = row[i];
        if mass <= 0.0 || mass.is_nan() {
            dx.error(
                at,
                format!("{what} is {mass} for coordinate {i}"),
                "write a positive mass for each coordinate",
            );
            return;
        }
    }
    if !is_definite(matrix, 0.0) {
        dx.error(
            at,
            format!("{what} is not positive definite: some motion would have no kinetic energy, or less than none"),
            "check the numbers off the diagonal",
        );
    }
}

/// Springs pull back and dampers brake.
pub(super) fn spring(model: &Model, force: &Force, dx: &mut Diagnostics) {
    let ForceKind::ModalSpring {
        stiffness,
        damping,
        spans,
        ..
    } = &force.kind
    else {
        return;
    };
    if let Some(stiffness) = numbers(model, stiffness) {
        let what = format!("the stiffness of `{}`", force.name);
        if is_symmetric(&what, &stiffness, spans[0], dx) && !is_semidefinite(stiffness) {
            dx.error(
                spans[0],
                format!("{what} pushes away from zero in some direction"),
                "write a positive semidefinite matrix, or one positive number for each coordinate",
            );
        }
    }
    if let Some(damping) = numbers(model, damping)
        && !is_semidefinite(symmetric_part(&damping))
    {
        dx.error(
            spans[1],
            format!("the damping of `{}` drives the motion in some direction", force.name),
            "write a matrix whose symmetric part is positive semidefinite, or one positive number for each coordinate",
        );
    }
}
