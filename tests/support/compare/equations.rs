//! Linear systems as the border states them, and what solutions leave of them.
//!
//! A solution of `A x = b` that was found in floating point has lost as many digits as the condition
//! of `A` takes: two correct ones may differ by far more than rounding. What a correct elimination
//! keeps small is the residual, so that is measured, row by row, relative to the terms that are
//! summed up in the rows of the same unit:
//!
//! ```text
//! |A x - b| <= epsilon max (|A| |x| + |b|)
//! ```
//!
//! Two solutions with such residuals differ by at most `|A^-1|` times the sum of the bounds. `A` is
//! found column by column from the products of the generic system. Accelerations are eliminated first,
//! `v' = -M^-1 (g + B^T lambda)`, so rounding errors of forces reach the rows of constraints by
//! `B M^-1`: those are terms of these rows, too.

use core::ops::Range;

use nalgebra::{DMatrix, DVector};
use polhode::lie::GroupKind;
use polhode::system::{Formulation, NewtonCoefficients, NewtonPoint};

/// What is left of equations of motion, relative to the terms: rounding errors.
const ROUNDING: f64 = 1e-13;

/// What is left of a correction of Newton's method, whose matrix has rows of many sizes, at random
/// states and with a step of 0.1. Refined once by the same factors, a correction is as good as any
/// other solution.
#[derive(Clone, Copy)]
pub(super) enum Correction {
    /// By scalar elimination: generated code left 1.1e-13, dense LU with pivots of choice 2e-13.
    Mechanism,
    /// By blocks, without exchanges between them: a rod with a bob left 3.8e-13.
    Blocks,
}

impl Correction {
    fn allowed(self) -> f64 {
        match self {
            Self::Mechanism => 3e-13,
            Self::Blocks => 2e-12,
        }
    }
}

/// `A x = b`.
pub(super) struct Equations {
    matrix: DMatrix<f64>,
    right: DVector<f64>,
    /// Rows of one unit each.
    parts: Vec<Range<usize>>,
    /// How rounding errors of the first part reach the second.
    passed_on: Option<DMatrix<f64>>,
    /// What a solution may leave of them, relative to the terms.
    allowed: f64,
}

/// Calls `product` with every unit vector, and gives its results as columns.
fn columns(
    rows: usize,
    columns: usize,
    mut product: impl FnMut(&[f64], &mut [f64]),
) -> DMatrix<f64> {
    let mut matrix = DMatrix::zeros(rows, columns);
    let mut unit = vec![0.0; columns];
    for j in 0..columns {
        unit[j] = 1.0;
        product(&unit, matrix.column_mut(j).as_mut_slice());
        unit[j] = 0.0;
    }
    matrix
}

/// The matrices of a system, from its products.
struct Matrices<'a, G>(&'a G);

impl<G: super::Boxed> Matrices<'_, G> {
    fn velocities(&self) -> usize {
        self.0.space().dof()
    }

    fn mass(&self) -> DMatrix<f64> {
        let n = self.velocities();
        columns(n, n, |unit, out| {
            let mut product = self.0.new_velocity();
            self.0.mass_times(&unit.into(), &mut product);
            out.copy_from_slice(&product);
        })
    }

    fn jacobian(&self, geometry: &G::Geometry) -> DMatrix<f64> {
        columns(self.0.constraint_count(), self.velocities(), |unit, out| {
            let mut product = self.0.new_multiplier();
            self.0.jacobian_times(geometry, &unit.into(), &mut product);
            out.copy_from_slice(&product);
        })
    }

    fn stiffness(&self, point: &NewtonPoint<'_, G>) -> DMatrix<f64> {
        let n = self.velocities();
        let (t, q, g) = (point.t, point.q, point.geometry);
        columns(n, n, |unit, out| {
            let mut product = self.0.new_velocity();
            let unit = unit.into();
            self.0
                .stiffness_times(t, q, g, point.v, point.lambda, &unit, &mut product);
            out.copy_from_slice(&product);
        })
    }

    fn damping(&self, point: &NewtonPoint<'_, G>) -> DMatrix<f64> {
        let n = self.velocities();
        let (t, q, g) = (point.t, point.q, point.geometry);
        columns(n, n, |unit, out| {
            let mut product = self.0.new_velocity();
            self.0
                .damping_times(t, q, g, point.v, &unit.into(), &mut product);
            out.copy_from_slice(&product);
        })
    }

    /// `D_q(B v + dPhi/dt)`.
    fn jacobian_derivative(&self, point: &NewtonPoint<'_, G>) -> DMatrix<f64> {
        let (q, g, v) = (point.q, point.geometry, point.v);
        columns(self.0.constraint_count(), self.velocities(), |unit, out| {
            let mut product = self.0.new_multiplier();
            self.0
                .jacobian_derivative_times(q, g, v, &unit.into(), &mut product);
            out.copy_from_slice(&product);
        })
    }

    /// `T`, `V` and `P^-1` of `velocity_of_increment`. For `sigma = 0` and a velocity that
    /// belongs to the increment, `V = gamma' I`.
    fn tangents(
        &self,
        coefficients: &NewtonCoefficients,
        point: &NewtonPoint<'_, G>,
    ) -> [DMatrix<f64>; 3] {
        let n = self.velocities();
        let NewtonCoefficients { sigma, gamma_h, .. } = *coefficients;
        let [mut tangent, mut blend] = [(); 2].map(|()| DMatrix::identity(n, n));
        let mut velocity = DMatrix::identity(n, n) * gamma_h;
        for factor in self.0.space().factors() {
            let (kind, at) = (factor.kind, factor.velocity.clone());
            if let GroupKind::Rn(_) = kind {
                continue;
            }
            let (first, n) = (at.start, at.len());
            let block = |fill: &dyn Fn(&mut [f64])| {
                let mut numbers = [0.0; 36];
                fill(&mut numbers[..n * n]);
                DMatrix::from_row_slice(n, n, &numbers[..n * n])
            };
            let (theta, k, v) = (&point.theta[at.clone()], &point.k[at.clone()], &point.v[at]);
            let inverse = block(&|m| kind.blend_inverse_into(sigma, theta, m));
            let place = |of: &mut DMatrix<f64>, block: &DMatrix<f64>| {
                of.view_mut((first, first), (n, n)).copy_from(block);
            };
            place(&mut tangent, &block(&|m| kind.tangent_into(theta, m)));
            place(&mut blend, &inverse);
            if sigma != 0.0 {
                let slope_k = block(&|m| kind.tangent_derivative_into(theta, k, m));
                let slope_v = block(&|m| kind.tangent_derivative_into(theta, v, m));
                let slope = (DMatrix::identity(n, n) - slope_k) * gamma_h - slope_v * (1.0 - sigma);
                place(&mut velocity, &(inverse * slope));
            }
        }
        [tangent, velocity, blend]
    }
}

/// Blocks in their places; the others are zero.
fn assembled(size: usize, blocks: &[(usize, usize, DMatrix<f64>)]) -> DMatrix<f64> {
    let mut matrix = DMatrix::zeros(size, size);
    for (row, column, block) in blocks {
        matrix
            .view_mut((*row, *column), block.shape())
            .copy_from(block);
    }
    matrix
}

impl Equations {
    fn new(matrix: DMatrix<f64>, right: Vec<f64>, sizes: &[usize]) -> Self {
        let mut parts = Vec::new();
        for &size in sizes {
            let start = parts.last().map_or(0, |part: &Range<usize>| part.end);
            parts.push(start..start + size);
        }
        assert_eq!(matrix.nrows(), right.len());
        Self {
            matrix,
            right: right.into(),
            parts,
            passed_on: None,
            allowed: ROUNDING,
        }
    }

    /// `M v' + B(columns)^T lambda = -force`, `B(rows) v' = -rest`.
    pub(super) fn motion<G: super::Boxed>(
        system: &G,
        rows: &G::Geometry,
        columns: &G::Geometry,
        force: &[f64],
        rest: &[f64],
    ) -> Self {
        let matrices = Matrices(system);
        let (nv, nc) = (force.len(), rest.len());
        let (mass, b) = (matrices.mass(), matrices.jacobian(rows));
        let inverse = mass.clone().try_inverse().expect("a mass matrix");
        let passed_on = b.abs() * inverse.abs();
        let matrix = assembled(
            nv + nc,
            &[
                (0, 0, mass),
                (0, nv, matrices.jacobian(columns).transpose()),
                (nv, 0, b),
            ],
        );
        let right = force.iter().chain(rest).map(|x| -x).collect();
        Self {
            passed_on: Some(passed_on),
            ..Self::new(matrix, right, &[nv, nc])
        }
    }

    /// The matrix of `newton_factor`.
    pub(super) fn newton<G: super::Boxed>(
        system: &G,
        coefficients: &NewtonCoefficients,
        point: &NewtonPoint<'_, G>,
        residual: [&[f64]; 3],
        correction: Correction,
    ) -> Self {
        let matrices = Matrices(system);
        let NewtonCoefficients { h, epsilon_h, .. } = *coefficients;
        let [tangent, velocity, blend] = matrices.tangents(coefficients, point);
        let b = matrices.jacobian(point.geometry);
        let inertia = matrices.mass() * epsilon_h + matrices.damping(point);
        let dynamics = (&inertia * &velocity + matrices.stiffness(point) * &tangent) * (h * h);
        let hidden = || (&b * &velocity + matrices.jacobian_derivative(point) * &tangent) * h;
        let (nv, nc) = (b.ncols(), b.nrows());
        let mut blocks = vec![(0, 0, dynamics), (0, nv, b.transpose())];
        let sizes = match coefficients.formulation {
            Formulation::Index3 => {
                blocks.push((nv, 0, &b * &tangent));
                vec![nv, nc]
            }
            Formulation::Index2 => {
                blocks.push((nv, 0, hidden()));
                vec![nv, nc]
            }
            Formulation::StabilizedIndex2 => {
                let start = matrices.jacobian(point.geometry_start).transpose();
                let pushed = blend * start * (coefficients.gamma_h * h);
                blocks.extend([
                    (nv, 0, &b * &tangent),
                    (nv + nc, 0, hidden()),
                    (0, nv + nc, &inertia * &pushed * (h * h)),
                    (nv + nc, nv + nc, &b * &pushed * h),
                ]);
                vec![nv, nc, nc]
            }
        };
        let size = sizes.iter().sum();
        let right = residual.concat()[..size].to_vec();
        Self {
            allowed: correction.allowed(),
            ..Self::new(assembled(size, &blocks), right, &sizes)
        }
    }

    /// Terms of the rows: the largest of all in the same part.
    fn terms(&self, x: &DVector<f64>) -> DVector<f64> {
        let mut terms = self.matrix.abs() * x.abs() + self.right.abs();
        if let (Some(passed_on), [first, second]) = (&self.passed_on, &self.parts[..]) {
            let more = passed_on * terms.rows_range(first.clone());
            let mut rows = terms.rows_range_mut(second.clone());
            rows += more;
        }
        for part in &self.parts {
            let mut rows = terms.rows_range_mut(part.clone());
            let largest = rows.max();
            rows.fill(largest);
        }
        terms
    }

    /// `b - A x`, part by part.
    fn left(&self, solution: &[&[f64]]) -> Vec<Vec<f64>> {
        let x = DVector::from_vec(solution.concat()[..self.right.len()].to_vec());
        let left = &self.right - &self.matrix * &x;
        let parts = self.parts.iter();
        let part = |part: &Range<usize>| left.as_slice()[part.clone()].to_vec();
        parts.map(part).collect()
    }

    /// With the correction that `solve` finds for what is left, a solution solves them up to rounding.
    ///
    /// # Panics
    /// If it does not.
    pub(super) fn assert_refined(
        mut self,
        what: &str,
        solution: &[&[f64]],
        solve: impl FnOnce(&mut [Vec<f64>]),
    ) {
        let mut refined = self.left(solution);
        solve(&mut refined);
        for (refined, first) in refined.iter_mut().zip(solution) {
            for (x, first) in refined.iter_mut().zip(*first) {
                *x += first;
            }
        }
        let refined: Vec<&[f64]> = refined.iter().map(Vec::as_slice).collect();
        self.allowed = ROUNDING;
        self.assert_solved(&format!("{what}, refined"), &refined);
    }

    /// A solution leaves no more of them than is allowed.
    ///
    /// # Panics
    /// If it does not.
    fn assert_solved(&self, what: &str, solution: &[&[f64]]) {
        let x = DVector::from_vec(solution.concat()[..self.right.len()].to_vec());
        let left = self.left(solution).concat();
        let terms = self.terms(&x);
        for (row, (left, terms)) in left.iter().zip(&terms).enumerate() {
            assert!(
                left.abs() <= self.allowed * terms,
                "{what}: {left:.2e} is left of row {row}, whose terms are {terms:.2e}:\n{solution:?}"
            );
        }
    }

    /// Both solutions solve them, and differ by no more than the condition allows.
    ///
    /// # Panics
    /// If not.
    pub(super) fn assert_same(&self, what: &str, generated: &[&[f64]], generic: &[&[f64]]) {
        self.assert_solved(&format!("{what}, generated"), generated);
        self.assert_solved(&format!("{what}, generic"), generic);
        let n = self.right.len();
        let x = DVector::from_vec(generated.concat()[..n].to_vec());
        let y = DVector::from_vec(generic.concat()[..n].to_vec());
        let inverse = self.matrix.clone().try_inverse().expect("a regular matrix");
        let allowed = inverse.abs() * self.terms(&y) * (2.0 * self.allowed);
        for (i, (error, allowed)) in (&x - &y).abs().iter().zip(&allowed).enumerate() {
            assert!(
                error <= allowed,
                "{what}: unknown {i} differs by {error:.2e}, more than {allowed:.2e}:\n{generated:?}\n{generic:?}"
            );
        }
    }
}
