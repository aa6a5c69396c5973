//! Rules about modal coordinates: matrices that are symmetric and definite.

use crate::diag::{At, Diagnostics};
use crate::model::{Body, Force, ForceKind, FormulaMatrix, Model};

/// How far entries across the diagonal may differ, and how far below zero a semidefinite matrix
/// may be for rounding errors; relative, the same as the runtime's.
const ROUNDING: f64 = 1e-12;

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
    if let Some(damping) = numbers(model, damping) {
        let n = damping.len();
        let mean = |i: usize, j: usize| 0.5 * (damping[i][j] + damping[j][i]);
        let symmetric = (0..n).map(|i| (0..n).map(|j| mean(i, j)).collect());
        if !is_semidefinite(symmetric.collect()) {
            dx.error(
                spans[1],
                format!("the damping of `{}` drives the motion in some direction", force.name),
                "write a matrix whose symmetric part is positive semidefinite, or one positive number for each coordinate",
            );
        }
    }
}

/// The entries for default parameters.
fn numbers(model: &Model, matrix: &FormulaMatrix) -> Option<Vec<Vec<f64>>> {
    let row = |row: &Vec<_>| row.iter().map(|entry| model.by_default(entry)).collect();
    matrix.iter().map(row).collect()
}

fn is_symmetric(what: &str, matrix: &[Vec<f64>], at: At, dx: &mut Diagnostics) -> bool {
    for (i, row) in matrix.iter().enumerate() {
        for j in 0..i {
            let (a, b) = (matrix[j][i], row[j]);
            if (a - b).abs() > ROUNDING * (a.abs() + b.abs()) {
                dx.error(
                    at,
                    format!("{what} is not symmetric: {a} and {b} at [{j}][{i}] and [{i}][{j}]"),
                    "write the same number on both sides of the diagonal",
                );
                return false;
            }
        }
    }
    true
}

fn is_semidefinite(matrix: Vec<Vec<f64>>) -> bool {
    let sizes = matrix.iter().flatten().map(|x| x.abs());
    let largest = sizes.fold(0.0, f64::max);
    let zero = matrix.iter().flatten().all(|x| *x == 0.0);
    zero || is_definite(matrix, ROUNDING * largest)
}

/// Whether all pivots of `A + shift I` are positive.
fn is_definite(mut a: Vec<Vec<f64>>, shift: f64) -> bool {
    let n = a.len();
    for (i, row) in a.iter_mut().enumerate() {
        row[i] += shift;
    }
    for k in 0..n {
        let row = a[k].clone();
        if row[k] <= 0.0 || row[k].is_nan() {
            return false;
        }
        for below in a.iter_mut().skip(k + 1) {
            let factor = below[k] / row[k];
            for (x, y) in below.iter_mut().zip(&row) {
                *x -= factor * y;
            }
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::{is_definite, is_semidefinite};

    /// Eigenvalues `1 - x` and `1 + x`.
    #[test]
    fn definite_and_semidefinite() {
        let matrix = |x: f64| vec![vec![1.0, x], vec![x, 1.0]];
        let cases = [(0.5, true, true), (1.0, false, true), (2.0, false, false)];
        for (x, definite, semidefinite) in cases {
            assert_eq!(is_definite(matrix(x), 0.0), definite, "{x}");
            assert_eq!(is_semidefinite(matrix(x)), semidefinite, "{x}");
        }
        assert!(is_semidefinite(vec![vec![0.0; 3]; 3]));
        assert!(!is_semidefinite(vec![vec![f64::NAN]]));
    }
}
