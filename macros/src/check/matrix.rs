//! Symmetric matrices: what the checks of springs and masses ask.

use crate::diag::{At, Diagnostics};
use crate::model::{FormulaMatrix, Model};

/// How far entries across the diagonal may differ, and how far below zero a semidefinite matrix
/// may be for rounding errors; relative, the same as the runtime's.
const ROUNDING: f64 = 1e-12;

/// The entries for default parameters.
pub(super) fn numbers(model: &Model, matrix: &FormulaMatrix) -> Option<Vec<Vec<f64>>> {
    let row = |row: &Vec<_>| row.iter().map(|entry| model.by_default(entry)).collect();
    matrix.iter().map(row).collect()
}

/// Whether a matrix is symmetric; an error if not.
pub(super) fn is_symmetric(what: &str, matrix: &[Vec<f64>], at: At, dx: &mut Diagnostics) -> bool {
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

/// Whether `x^T A x` is nowhere negative, for a symmetric matrix.
pub(super) fn is_semidefinite(matrix: Vec<Vec<f64>>) -> bool {
    let sizes = matrix.iter().flatten().map(|x| x.abs());
    let largest = sizes.fold(0.0, f64::max);
    let zero = matrix.iter().flatten().all(|x| *x == 0.0);
    zero || is_definite(matrix, ROUNDING * largest)
}

/// `(A + A^T) / 2`.
pub(super) fn symmetric_part(matrix: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let n = matrix.len();
    let mean = |i: usize, j: usize| 0.5 * (matrix[i][j] + matrix[j][i]);
    (0..n)
        .map(|i| (0..n).map(|j| mean(i, j)).collect())
        .collect()
}

/// Whether all pivots of `A + shift I` are positive.
pub(super) fn is_definite(mut a: Vec<Vec<f64>>, shift: f64) -> bool {
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
    use super::{is_definite, is_semidefinite, is_symmetric};
    use crate::diag::Diagnostics;
    use proc_macro2::Span;

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

    #[test]
    fn rounding_errors_are_relative() {
        let mut dx = Diagnostics::default();
        for size in [1e-6, 1e6] {
            let mut is_symmetric = |error: f64| {
                let matrix = [vec![size, size], vec![size * (1.0 + error), size]];
                is_symmetric("it", &matrix, Span::call_site().into(), &mut dx)
            };
            assert!(is_symmetric(1e-12) && !is_symmetric(3e-12), "{size}");
            let is_semidefinite = |error: f64| {
                let other = size * (1.0 + error);
                is_semidefinite(vec![vec![size, other], vec![other, size]])
            };
            assert!(is_semidefinite(1e-13) && !is_semidefinite(3e-12), "{size}");
        }
    }
}
