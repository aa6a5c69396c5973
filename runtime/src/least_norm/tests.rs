//! Against the pseudo-inverse by singular values.

use super::LeastNorm;
use nalgebra::{DMatrix, DVector};

struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = (self.0)
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        #[expect(clippy::cast_precision_loss, reason = "53 bits")]
        let unit = (self.0 >> 11) as f64 / (1_u64 << 53) as f64;
        2.0 * unit - 1.0
    }

    fn matrix(&mut self, rows: usize, columns: usize) -> DMatrix<f64> {
        DMatrix::from_fn(rows, columns, |_, _| self.next())
    }
}

fn solve(a: &DMatrix<f64>, b: &DVector<f64>) -> (usize, DVector<f64>) {
    let n = b.len();
    let mut rows: Vec<f64> = a.transpose().as_slice().to_vec();
    let mut x = b.clone();
    let mut solver = LeastNorm::new(n);
    // The same memory for another matrix first.
    let mut other = vec![1.0; n * n];
    solver.factor(&mut other).unwrap();
    let rank = solver.factor(&mut rows).unwrap();
    solver.solve(&rows, x.as_mut_slice());
    assert_eq!(solver.null_space().len(), n - rank);
    for null in solver.null_space() {
        let null = DVector::from_column_slice(null);
        assert!((null.norm() - 1.0).abs() < 1e-14);
        assert!(
            (a * &null).norm() <= 1e-12 * a.norm(),
            "{}",
            (a * &null).norm()
        );
    }
    (rank, x)
}

/// Every rank of every size up to 8, symmetric or not, consistent right sides.
#[test]
fn agrees_with_the_pseudo_inverse() {
    let mut random = Random(5);
    for n in 1..=8 {
        for rank in 0..=n {
            for symmetric in [false, true] {
                let left = random.matrix(n, rank);
                let right = if symmetric {
                    left.transpose()
                } else {
                    random.matrix(rank, n)
                };
                let a = left * right;
                let b = &a * random.matrix(n, 1).column(0);
                let (found, x) = solve(&a, &b);
                assert_eq!(found, rank, "{a}");
                let expected = a.clone().pseudo_inverse(1e-9).unwrap() * &b;
                let error = (&x - &expected).norm() / (1.0 + expected.norm());
                // Conditions of random factors are below 1e4 here.
                assert!(error < 1e-10, "{n} {rank}: {error:e}");
            }
        }
    }
}

/// Rows and columns in other units do not change the rank, and the norm is that of the unknowns
/// as they are.
#[test]
fn units_do_not_matter_for_the_rank() {
    let mut random = Random(9);
    let (n, rank) = (6, 4);
    let units = [1e-6, 1e6, 1.0, 1e3, 1e-3, 10.0];
    let mut a = random.matrix(n, rank) * random.matrix(rank, n);
    for i in 0..n {
        for j in 0..n {
            a[(i, j)] *= units[i] * units[(n - j) % n];
        }
    }
    let b = &a * random.matrix(n, 1).column(0);
    let (found, x) = solve(&a, &b);
    assert_eq!(found, rank);
    let residual = &a * &x - &b;
    for i in 0..n {
        assert!(residual[i].abs() < 1e-9 * units[i] * 1e6, "{residual}");
    }
    // Least norm: normal to the null space.
    let mut rows: Vec<f64> = a.transpose().as_slice().to_vec();
    let mut solver = LeastNorm::new(n);
    solver.factor(&mut rows).unwrap();
    for null in solver.null_space() {
        let dot: f64 = null.iter().zip(x.iter()).map(|(a, b)| a * b).sum();
        assert!(dot.abs() < 1e-12 * x.norm(), "{dot:e}");
    }
}

/// The part of the right side that no `x` reaches is left out.
#[test]
fn drift_is_left_out() {
    let mut a = [1.0, 1.0, 1.0, 1.0];
    let mut x = [2.0 + 1e-9, 2.0 - 1e-9];
    let mut solver = LeastNorm::new(2);
    assert_eq!(solver.factor(&mut a), Ok(1));
    solver.solve(&a, &mut x);
    assert!(
        (x[0] - 1.0).abs() < 1e-15 && (x[1] - 1.0).abs() < 1e-15,
        "{x:?}"
    );
}

#[test]
fn what_is_not_finite_is_named() {
    let mut solver = LeastNorm::new(2);
    let mut a = [1.0, 2.0, 3.0, f64::NAN];
    assert_eq!(solver.factor(&mut a).unwrap_err().column, 1);
    let mut empty = LeastNorm::new(0);
    assert_eq!(empty.factor(&mut []), Ok(0));
    empty.solve(&[], &mut []);
}
