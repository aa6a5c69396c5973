#![allow(clippy::float_cmp, reason = "numbers that must be exact")]
use super::singular::row_weight;
use super::{LinearMethod, LinearSystem, SINGULAR, Singular};
use crate::generated;

const METHODS: &[LinearMethod] = &[LinearMethod::Dense, LinearMethod::Fronts];

/// Numbers in `[-1, 1)`: linear congruences, multiplier of Knuth's MMIX, upper 53 bits.
struct Random(u64);

impl Random {
    #[allow(clippy::cast_precision_loss, reason = "53 bits")]
    fn next(&mut self) -> f64 {
        self.0 = (self.0)
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 * (-52_f64).exp2() - 1.0
    }

    fn vector(&mut self, n: usize) -> Vec<f64> {
        (0..n).map(|_| self.next()).collect()
    }

    /// A random order of `0..n`.
    fn order(&mut self, n: usize) -> Vec<usize> {
        let keys = self.vector(n);
        let mut order: Vec<_> = (0..n).collect();
        order.sort_by(|&i, &j| keys[i].total_cmp(&keys[j]));
        order
    }
}

/// A matrix as rows, the oracle of these tests.
#[derive(Clone)]
struct Matrix(Vec<Vec<f64>>);

impl Matrix {
    fn from_fn(n: usize, mut entry: impl FnMut(usize, usize) -> f64) -> Self {
        Self(
            (0..n)
                .map(|i| (0..n).map(|j| entry(i, j)).collect())
                .collect(),
        )
    }

    fn random(n: usize, random: &mut Random) -> Self {
        Self::from_fn(n, |_, _| random.next())
    }

    /// A few entries in each row, and a diagonal at random places.
    fn random_sparse(n: usize, random: &mut Random) -> Self {
        let order = random.order(n);
        let places: Vec<_> = (0..3).map(|_| random.order(n)).collect();
        Self::from_fn(n, |i, j| {
            let chosen = order[i] == j || places.iter().any(|place| place[i] == j);
            if chosen { random.next() } else { 0.0 }
        })
    }

    /// `[M B^T; B 0]` with `M` of `bodies` diagonal blocks of size 3, with a given magnitude, and
    /// `bodies - 1` joints of two directions between neighbours.
    fn kkt(bodies: usize, mass: f64, random: &mut Random) -> Self {
        let (moving, joints) = (3 * bodies, bodies - 1);
        let mut a = Self::from_fn(moving + 2 * joints, |_, _| 0.0);
        for i in 0..moving {
            a.0[i][i] = mass * (2.0 + random.next());
        }
        for row in moving..moving + 2 * joints {
            let first = (row - moving) / 2 * 3;
            for col in first..first + 6 {
                a.0[row][col] = random.next();
                a.0[col][row] = a.0[row][col];
            }
        }
        a
    }

    fn size(&self) -> usize {
        self.0.len()
    }

    fn times(&self, x: &[f64]) -> Vec<f64> {
        (self.0.iter())
            .map(|row| row.iter().zip(x).map(|(a, x)| a * x).sum())
            .collect()
    }

    /// Row-wise backward error `max_i |b - A x|_i / (|A| |x| + |b|)_i`.
    fn backward_error(&self, x: &[f64], b: &[f64]) -> f64 {
        let mut worst = 0.0;
        for (i, (row, b)) in self.0.iter().zip(b).enumerate() {
            let terms = row.iter().zip(x).map(|(a, x)| a * x);
            let residual = (terms.clone().sum::<f64>() - b).abs();
            let size = terms.map(f64::abs).sum::<f64>() + b.abs();
            let error = if size > 0.0 {
                residual / size
            } else {
                residual
            };
            assert!(!error.is_nan(), "row {i} of the residual is NaN");
            worst = f64::max(worst, error);
        }
        worst
    }

    /// Adds the entries that are not zero.
    fn assemble(&self, system: &mut LinearSystem) {
        system.begin();
        for (i, row) in self.0.iter().enumerate() {
            for (j, &value) in row.iter().enumerate() {
                if value != 0.0 {
                    system.add(i, j, value);
                }
            }
        }
    }

    fn factor(&self, method: LinearMethod) -> Result<LinearSystem, Singular> {
        let mut system = LinearSystem::new(self.size(), method);
        self.assemble(&mut system);
        system.factor()?;
        Ok(system)
    }

    fn singular(&self, method: LinearMethod) -> Singular {
        match self.factor(method) {
            Ok(_) => panic!("{method:?}: a singular matrix was factored"),
            Err(singular) => singular,
        }
    }
}

/// Solves by all methods; checks the residual and that the methods agree as far as `agreement`.
fn check(a: &Matrix, b: &[f64], agreement: f64) {
    let mut first: Option<Vec<f64>> = None;
    for &method in METHODS {
        let mut system = a
            .factor(method)
            .unwrap_or_else(|e| panic!("{method:?}: {e}"));
        let mut x = b.to_vec();
        system.solve(&mut x);
        let error = a.backward_error(&x, b);
        assert!(error < 1e-13, "{method:?}: backward error {error:.1e}");
        let size = x.iter().fold(0.0, |size, x| f64::max(size, x.abs()));
        for (x, y) in x.iter().zip(first.get_or_insert_with(|| x.clone())) {
            assert!(
                (x - *y).abs() <= agreement * size,
                "{method:?}: {x} and {y}"
            );
        }
    }
}

#[test]
fn random_matrices() {
    let mut random = Random(1);
    for n in [0, 1, 2, 3, 4, 5, 8, 13, 30, 70] {
        for _ in 0..5 {
            let b = random.vector(n);
            check(&Matrix::random(n, &mut random), &b, 1e-9);
            check(&Matrix::random_sparse(n, &mut random), &b, 1e-7);
        }
    }
}

#[test]
fn kkt_matrices_of_any_mass() {
    let mut random = Random(2);
    for bodies in [1, 2, 5, 20] {
        for mass in [1e-12, 1.0, 1e6, 1e20] {
            let a = Matrix::kkt(bodies, mass, &mut random);
            check(&a, &random.vector(a.size()), 1e-7);
        }
    }
}

/// Rows and columns of very different size are no reason to call a matrix singular.
#[test]
fn scaled_rows_and_columns() {
    let mut random = Random(3);
    for n in [3, 10, 40] {
        let (rows, cols) = (random.vector(n), random.vector(n));
        let mut a = Matrix::random(n, &mut random);
        for i in 0..n {
            for j in 0..n {
                a.0[i][j] *= (60.0 * rows[i]).exp2() * (60.0 * cols[j]).exp2();
            }
        }
        // No agreement: the solution has the scales of the columns, inverted.
        check(&a, &a.times(&random.vector(n)), f64::INFINITY);
    }
}

/// Pivots are where nobody expects them, and all numbers are exact.
#[test]
fn permuted_diagonals() {
    let mut random = Random(4);
    for n in [1, 2, 7, 50] {
        let order = random.order(n);
        let a = Matrix::from_fn(n, |i, j| if order[i] == j { -4.0 } else { 0.0 });
        let expected = random.vector(n);
        for &method in METHODS {
            let mut x = a.times(&expected);
            a.factor(method).unwrap().solve(&mut x);
            assert_eq!(x, expected, "{method:?}");
        }
    }
}

#[test]
fn a_missing_row_or_column_is_named() {
    for &method in METHODS {
        for n in [1, 5, 20] {
            let k = n / 2;
            let a = Matrix::from_fn(n, |i, j| if i == j && i != k { 2.0 } else { 0.0 });
            let found = a.singular(method);
            assert_eq!((found.index, found.pivot), (k, 0.0), "{method:?}");
            // Stored zeros behave as those that are not stored.
            let mut system = LinearSystem::new(n, method);
            system.begin();
            system.add_block(0, 0, n, n, &a.0.concat());
            let found = system.factor().unwrap_err();
            assert_eq!(
                (found.index, found.pivot),
                (k, 0.0),
                "{method:?}, stored zeros"
            );
        }
    }
}

/// A full matrix with a zero row breaks down at its last column, in the order of elimination.
#[test]
fn a_zero_row_in_a_full_matrix() {
    let mut random = Random(5);
    let mut a = Matrix::random(12, &mut random);
    a.0[3].fill(0.0);
    let found = a.singular(LinearMethod::Dense);
    assert_eq!((found.index, found.pivot), (11, 0.0));
    for &method in METHODS {
        assert_eq!(a.singular(method).pivot, 0.0);
    }
}

/// Two rows that differ by this much, in whatever units: the second pivot is that, relative to its
/// column. Every elimination draws the line at the same place; the one of a kept order, which knows the
/// sizes of rows and columns roughly, within a factor of a few.
#[test]
fn singular_has_one_meaning() {
    for difference in [0.5 * SINGULAR, 16.0 * SINGULAR] {
        for units in [1.0, 1e-9, 1e12] {
            for others in [0, 30] {
                let n = 2 + others;
                let a = Matrix::from_fn(n, |i, j| match (i, j) {
                    (0, 0 | 1) => 1.0,
                    (1, 0) => units,
                    (1, 1) => units * (1.0 + difference),
                    _ => f64::from(u8::from(i == j)),
                });
                let regular = difference > SINGULAR;
                for &method in METHODS {
                    let found = a.factor(method);
                    assert_eq!(
                        found.is_ok(),
                        regular,
                        "{method:?}, {difference:e}, {found:?}"
                    );
                }
                let mut pivoted = generated::Dense::new(n, &[]);
                pivoted.clear(n);
                let mut ordered = generated::sparse_of(&a.0);
                for (i, row) in a.0.iter().enumerate() {
                    for (j, x) in row.iter().enumerate() {
                        pivoted.add(i, j, *x);
                    }
                }
                assert_eq!(pivoted.factor().is_ok(), regular, "{difference:e}");
                assert_eq!(ordered.factor().is_ok(), regular, "{difference:e}");
            }
        }
    }
}

/// A joint that is there twice: two equal rows and two equal columns.
#[test]
fn duplicate_constraints_are_named() {
    let mut random = Random(6);
    for mass in [1e-6, 1.0, 1e15] {
        let a = Matrix::kkt(6, mass, &mut random);
        let (n, twin) = (a.size(), a.size() - 4);
        let source = |i: usize| if i == n { twin } else { i };
        let doubled = Matrix::from_fn(n + 1, |i, j| a.0[source(i)][source(j)]);
        for &method in METHODS {
            let found = doubled.singular(method);
            match method {
                LinearMethod::Dense | LinearMethod::LeastNorm => assert_eq!(found.index, n),
                LinearMethod::Fronts => assert!([twin, n].contains(&found.index), "{found:?}"),
            }
            assert!(found.pivot < 1e-14 * found.scale, "{method:?}: {found:?}");
        }
    }
}

/// A constraint that follows from two others, so that zero comes with rounding errors.
#[test]
fn dependent_constraints_are_found() {
    let mut random = Random(7);
    for _ in 0..200 {
        let a = Matrix::kkt(5, 1.0, &mut random);
        let (n, moving) = (a.size(), 15);
        let (p, q) = (random.next(), random.next());
        let combined = |j: usize| p * a.0[moving][j] + q * a.0[n - 1][j];
        let dependent = Matrix::from_fn(n + 1, |i, j| match (i == n, j == n) {
            (true, true) => 0.0,
            (true, false) => combined(j),
            (false, true) => combined(i),
            (false, false) => a.0[i][j],
        });
        for &method in METHODS {
            let found = dependent.singular(method);
            assert!(
                [moving, n - 1, n].contains(&found.index),
                "{method:?}: {found:?}"
            );
        }
    }
}

#[test]
fn numbers_that_are_not_finite() {
    for &method in METHODS {
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            for (row, col) in [(0, 0), (0, 4), (4, 0), (2, 3)] {
                let mut a = Matrix::random(5, &mut Random(8));
                a.0[row][col] = bad;
                let found = a.singular(method);
                assert_eq!(found.index, col, "{method:?}");
                assert_eq!(found.pivot.is_nan(), bad.is_nan(), "{method:?}: {found:?}");
                assert!(!found.pivot.is_finite());
            }
        }
        // Overflow in the elimination ends as an error or in the solution, never as a panic.
        let huge = Matrix(vec![vec![f64::MAX, f64::MAX], vec![f64::MAX, -f64::MAX]]);
        if let Ok(mut system) = huge.factor(method) {
            system.solve(&mut [f64::MAX, f64::NAN]);
        }
        let tiny = Matrix(vec![
            vec![f64::from_bits(1), 0.0],
            vec![0.0, f64::MIN_POSITIVE],
        ]);
        let mut x = [f64::from_bits(1), f64::MIN_POSITIVE];
        tiny.factor(method).unwrap().solve(&mut x);
        assert_eq!(x, [1.0, 1.0], "{method:?}");
    }
}

/// Overlapping blocks add up; the same system serves again and again.
#[test]
fn repeated_assembly_of_blocks() {
    let mut random = Random(9);
    let n = 14;
    for &method in METHODS {
        let mut system = LinearSystem::new(n, method);
        assert_eq!(system.size(), n);
        for _ in 0..20 {
            let mut a = Matrix::from_fn(n, |_, _| 0.0);
            system.begin();
            for (row, col, rows, cols) in [(0, 0, 8, 8), (6, 6, 8, 8), (2, 9, 3, 5), (9, 9, 0, 3)] {
                let values = random.vector(rows * cols);
                system.add_block(row, col, rows, cols, &values);
                for (k, value) in values.into_iter().enumerate() {
                    a.0[row + k / cols][col + k % cols] += value;
                }
            }
            system.factor().unwrap();
            assert_eq!(system.factor(), Ok(()));
            let b = random.vector(n);
            for mut copy in [system.clone(), system.clone()] {
                let mut x = b.clone();
                copy.solve(&mut x);
                assert!(a.backward_error(&x, &b) < 1e-13, "{method:?}");
            }
        }
    }
}

/// Another sequence of blocks, a longer one, a shorter one: the pattern follows.
#[test]
fn changed_patterns() {
    let mut random = Random(10);
    for &method in METHODS {
        let n = 13;
        let mut system = LinearSystem::new(n, method);
        for round in 0..12 {
            let a = match round % 4 {
                0 => Matrix::random_sparse(n, &mut random),
                1 => Matrix::from_fn(n, |i, j| f64::from(u8::from(i == j))),
                2 => Matrix::random(n, &mut random),
                _ => Matrix::kkt(3, 1.0, &mut random),
            };
            let b = random.vector(n);
            let mut x = b.clone();
            a.assemble(&mut system);
            system.factor().unwrap();
            system.solve(&mut x);
            assert!(
                a.backward_error(&x, &b) < 1e-13,
                "{method:?}, round {round}"
            );
        }
        // Shorter than before, and the same from the start.
        system.begin();
        system.add_block(0, 0, 1, 1, &[1.0]);
        assert_ne!(system.factor().unwrap_err().index, 0);
    }
}

#[test]
fn no_factorization_no_solution() {
    for &method in METHODS {
        let mut system = LinearSystem::new(2, method);
        let mut x = [1.0, 2.0];
        system.solve(&mut x);
        assert!(x.iter().all(|x| x.is_nan()), "{method:?}");
        system.begin();
        system.add(0, 0, 1.0);
        assert!(system.factor().is_err());
        x = [1.0, 2.0];
        system.solve(&mut x);
        assert!(x.iter().all(|x| x.is_nan()), "{method:?}");
    }
}

#[test]
fn row_weights_are_powers_of_two() {
    for (largest, weight) in [
        (1.0, 1.0),
        (1.9, 1.0),
        (2.0, 0.5),
        (0.75, 2.0),
        (1000.0, 1.0 / 512.0),
    ] {
        assert_eq!(row_weight(largest), weight);
    }
    for extreme in [0.0, f64::from_bits(1), f64::MIN_POSITIVE, f64::MAX] {
        let weight = row_weight(extreme);
        assert!(weight.is_normal() && weight.recip().is_normal() && (weight * extreme).is_finite());
    }
}

/// The matrix of a ring of bodies of size 3, held by two multipliers between neighbours, with its
/// groups; body 0 is a point that nothing but its joints holds if it is weak.
fn ring(bodies: usize, weak: f64, random: &mut Random) -> (Matrix, Vec<[u32; 2]>) {
    let (moving, joints) = (3 * bodies, bodies);
    let mut a = Matrix::from_fn(moving + 2 * joints, |_, _| 0.0);
    let mut vertices = vec![[0; 2]; a.size()];
    for i in 0..moving {
        vertices[i] = [u32::try_from(i / 3).unwrap(); 2];
        a.0[i][i] = if i < 3 { weak } else { 2.0 + random.next() };
    }
    for row in moving..moving + 2 * joints {
        let first = (row - moving) / 2;
        let second = (first + 1) % bodies;
        vertices[row] = [first, second].map(|body| u32::try_from(body).unwrap());
        for col in [first, second]
            .into_iter()
            .flat_map(|body| 3 * body..3 * body + 3)
        {
            a.0[row][col] = random.next();
            a.0[col][row] = a.0[row][col];
        }
    }
    (a, vertices)
}

/// Blocks of a mechanism are eliminated as they are, also with light bodies, unless one is
/// singular on its own: then rows are exchanged between them, and the solution is as good.
#[test]
fn fronts_of_a_mechanism() {
    let mut random = Random(11);
    for bodies in [2, 3, 4, 17, 60] {
        for (weak, care) in [(1.0, false), (1e-5, false), (1e-30, true), (0.0, true)] {
            let (a, vertices) = ring(bodies, weak, &mut random);
            let mut system = LinearSystem::grouped(a.size(), LinearMethod::Fronts, |i| vertices[i]);
            for _ in 0..2 {
                a.assemble(&mut system);
                system.factor().unwrap();
                let super::Storage::Fronts(fronts) = &system.storage else {
                    panic!("not by fronts");
                };
                // Whether a block is singular depends on the order where bodies are few.
                if bodies > 3 {
                    assert_eq!(fronts.was_careful(), care, "{bodies} bodies, {weak}");
                }
                let b = random.vector(a.size());
                let mut x = b.clone();
                system.solve(&mut x);
                let mut expected = b.clone();
                a.factor(LinearMethod::Dense).unwrap().solve(&mut expected);
                let size = expected.iter().fold(1.0, |m, x| f64::max(m, x.abs()));
                for (x, y) in x.iter().zip(&expected) {
                    assert!((x - y).abs() < 1e-9 * size, "{bodies}, {weak}: {x} {y}");
                }
            }
        }
    }
}
