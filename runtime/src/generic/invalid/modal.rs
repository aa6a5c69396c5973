//! What can be wrong with modal coordinates: their mass, springs and loads.

use super::super::description::{Body, Formula, MassMatrix};
use super::forces::check_formula;
use super::{Index, InvalidDescription, check_number, check_numbers, find_body};
use crate::lie::GroupKind;
use nalgebra::DMatrix;

/// A symmetric, positive definite matrix for a body on `Rn`.
pub(super) fn check_mass_matrix(
    description: &Index<'_>,
    given: &MassMatrix,
) -> Result<(), InvalidDescription> {
    let item = format!("body `{}`", given.body);
    let body = &description.bodies[find_body(description, "a mass matrix", &given.body)?];
    let GroupKind::Rn(n) = body.group else {
        return Err(InvalidDescription::Group {
            item,
            group: body.group,
            problem: "a rigid body has a mass and an inertia; a mass matrix is for a body on Rn",
        });
    };
    let names = ["the mass matrix", "a row of the mass matrix"];
    let matrix = square(&item, names, &given.matrix, n)?;
    check_symmetric(&item, "asymmetry of the mass matrix", &matrix)?;
    if matrix.clone().cholesky().is_some() {
        return Ok(());
    }
    let smallest = matrix.symmetric_eigenvalues().min();
    let quantity = "smallest eigenvalue of the mass matrix";
    check_number(&item, quantity, smallest, false, "positive")
}

/// Stiffness and damping that take energy out of no motion.
pub(super) fn check_modal_spring(
    description: &Index<'_>,
    item: &str,
    body: &str,
    [stiffness, damping]: [&[Vec<f64>]; 2],
) -> Result<(), InvalidDescription> {
    let body = modal_body(description, item, body)?;
    let n = body.group.dof();
    let stiffness = square(item, ["stiffness", "a row of the stiffness"], stiffness, n)?;
    check_symmetric(item, "asymmetry of the stiffness", &stiffness)?;
    check_semidefinite(item, "smallest eigenvalue of the stiffness", &stiffness)?;
    if damping.is_empty() {
        return Ok(());
    }
    let damping = square(item, ["damping", "a row of the damping"], damping, n)?;
    let symmetric = (&damping + damping.transpose()) * 0.5;
    check_semidefinite(item, "smallest eigenvalue of the damping", &symmetric)
}

/// A formula for each coordinate.
pub(super) fn check_modal_load(
    description: &Index<'_>,
    item: &str,
    body: &str,
    force: &[Formula],
) -> Result<(), InvalidDescription> {
    let body = modal_body(description, item, body)?;
    check_count(item, "force", force.len(), body.group.dof())?;
    force
        .iter()
        .try_for_each(|component| check_formula(description, item, component))
}

/// A body with modal coordinates.
fn modal_body<'a>(
    description: &'a Index<'_>,
    item: &str,
    name: &str,
) -> Result<&'a Body, InvalidDescription> {
    let body = &description.bodies[find_body(description, item, name)?];
    if description.is_modal(body) {
        return Ok(body);
    }
    Err(InvalidDescription::Group {
        item: item.to_owned(),
        group: body.group,
        problem: "modal coordinates are a body on R4 or more, or on R1 to R3 with a mass matrix; \
                  use load or spring-damper for a body in space",
    })
}

fn check_count(
    item: &str,
    quantity: &'static str,
    found: usize,
    expected: usize,
) -> Result<(), InvalidDescription> {
    if found == expected {
        return Ok(());
    }
    Err(InvalidDescription::Length {
        item: item.to_owned(),
        quantity,
        found,
        expected,
    })
}

/// Finite numbers in `n` rows of `n`.
fn square(
    item: &str,
    [matrix, one_row]: [&'static str; 2],
    rows: &[Vec<f64>],
    n: usize,
) -> Result<DMatrix<f64>, InvalidDescription> {
    check_count(item, matrix, rows.len(), n)?;
    for row in rows {
        check_numbers(item, matrix, row)?;
        check_count(item, one_row, row.len(), n)?;
    }
    Ok(DMatrix::from_fn(n, n, |i, j| rows[i][j]))
}

fn check_symmetric(
    item: &str,
    quantity: &'static str,
    matrix: &DMatrix<f64>,
) -> Result<(), InvalidDescription> {
    let asymmetry = (matrix - matrix.transpose()).amax();
    let allowed = 1e-12 * matrix.amax();
    check_number(item, quantity, asymmetry, asymmetry <= allowed, "zero")
}

/// No direction in which it pushes away.
fn check_semidefinite(
    item: &str,
    quantity: &'static str,
    matrix: &DMatrix<f64>,
) -> Result<(), InvalidDescription> {
    let allowed = 1e-12 * matrix.amax();
    let n = matrix.nrows();
    // A factorization says yes much sooner than eigenvalues, which a message needs.
    if (matrix + DMatrix::identity(n, n) * allowed)
        .cholesky()
        .is_some()
    {
        return Ok(());
    }
    let smallest = matrix.symmetric_eigenvalues().min();
    let valid = smallest >= -allowed;
    check_number(item, quantity, smallest, valid, "zero or positive")
}
