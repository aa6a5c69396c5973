//! A bushing: six linear springs and dampers between two frames, in body twists.
//!
//! ```text
//! C   = axes of the first frame seen from the second,   C_ij = e_i^b . e_j^a
//! a   = 1/2 vee(C - C^T)                                sin(angle) times the axis of rotation
//! d   = R_b^T (x_a + R_a p_a - x_b) - p_b               in the axes of the second frame
//! xi  = (a, d)
//! V   = 1/2 xi^T S xi                                   S = stiffness
//! f   = S xi + N xi',   xi' = X v                       N = damping
//! g   = X^T f
//! D   = X^T N X
//! K   = X^T (S X + N D_q(X v)) + sum_i f_i D_q(X_i^T)
//! ```
//!
//! Every component of `xi` is a sum of [scalar constraints](super::constraint) that need
//! not vanish: `a_x = 1/2 (C_zy - C_yz)` and so on, and `d_i` a point in a plane.

use super::assembly::Element;
use super::constraint::{Block, Constraint, Pose, Row};
use super::description::Attachment;
use crate::real::Real;
use nalgebra::{Matrix6, SMatrix, SVector, Vector3, Vector6};

/// Six springs and dampers between two frames.
#[derive(Clone, Debug)]
pub(super) struct Bushing {
    pub(super) element: Element,
    /// `a_i` is half the difference of two of these.
    turns: [[Constraint; 2]; 3],
    shifts: [Constraint; 3],
    stiffness: Matrix6<f64>,
    damping: Matrix6<f64>,
}

impl Bushing {
    pub(super) fn new(
        element: Element,
        first: &Attachment,
        second: &Attachment,
        stiffness: &[[f64; 6]; 6],
        damping: &[[f64; 6]; 6],
    ) -> Self {
        let axes = |of_b: usize, of_a: usize| Constraint::Axes {
            axis_a: Vector3::from(first.axes[of_a]),
            axis_b: Vector3::from(second.axes[of_b]),
        };
        Self {
            element,
            turns: core::array::from_fn(|i| {
                let (j, k) = ((i + 1) % 3, (i + 2) % 3);
                [axes(k, j), axes(j, k)]
            }),
            shifts: core::array::from_fn(|i| Constraint::Point {
                point_a: Vector3::from(first.point),
                point_b: Vector3::from(second.point),
                normal: Vector3::from(second.axes[i]),
            }),
            stiffness: Matrix6::from_fn(|i, j| stiffness[i][j]),
            damping: Matrix6::from_fn(|i, j| damping[i][j]),
        }
    }

    /// `xi`.
    fn deformation<R: Real>(&self, relative: &Pose<R>) -> Vector6<R> {
        Vector6::from_fn(|i, _| {
            if i < 3 {
                let [plus, minus] = &self.turns[i];
                (plus.value(relative) - minus.value(relative)) * 0.5
            } else {
                self.shifts[i - 3].value(relative)
            }
        })
    }

    /// Row `i` of `X`.
    fn row<R: Real>(&self, i: usize, relative: &Pose<R>) -> Row<R> {
        if i < 3 {
            let [plus, minus] = &self.turns[i];
            (plus.jacobian(relative) - minus.jacobian(relative)).map(|x| x * 0.5)
        } else {
            self.shifts[i - 3].jacobian(relative)
        }
    }

    /// `1/2 xi^T S xi`.
    pub(super) fn energy(&self, relative: &Pose) -> f64 {
        let xi = self.deformation(relative);
        0.5 * xi.dot(&(self.stiffness * xi))
    }

    /// `f`, and the rows of `X`.
    fn load<R: Real>(&self, relative: &Pose<R>, v: &Row<R>) -> (Vector6<R>, [Row<R>; 6]) {
        let rows: [Row<R>; 6] = core::array::from_fn(|i| self.row(i, relative));
        let rates = Vector6::from_fn(|i, _| rows[i].dot(v));
        let stiffness = self.stiffness.map(R::from_f64);
        let damping = self.damping.map(R::from_f64);
        (
            stiffness * self.deformation(relative) + damping * rates,
            rows,
        )
    }

    /// `g`.
    pub(super) fn force<R: Real>(&self, relative: &Pose<R>, v: &Row<R>) -> Row<R> {
        let (f, rows) = self.load(relative, v);
        let mut g = Row::zeros();
        for (row, f) in rows.iter().zip(f.iter()) {
            g += row * *f;
        }
        g
    }

    /// `(K, D)`.
    pub(super) fn tangents(&self, relative: &Pose, v: &Row) -> (Block, Block) {
        let (f, rows) = self.load(relative, v);
        let rows = SMatrix::<f64, 6, 12>::from_fn(|i, j| rows[i][j]);
        let mut slopes = SMatrix::<f64, 6, 12>::zeros();
        let mut k = Block::zeros();
        for i in 0..6 {
            let slope: SVector<f64, 12> = if i < 3 {
                let [plus, minus] = &self.turns[i];
                plus.add_stiffness(relative, 0.5 * f[i], &mut k);
                minus.add_stiffness(relative, -0.5 * f[i], &mut k);
                (plus.jacobian_derivative(relative, v) - minus.jacobian_derivative(relative, v))
                    * 0.5
            } else {
                self.shifts[i - 3].add_stiffness(relative, f[i], &mut k);
                self.shifts[i - 3].jacobian_derivative(relative, v)
            };
            slopes.set_row(i, &slope.transpose());
        }
        k += rows.tr_mul(&(self.stiffness * rows + self.damping * slopes));
        (k, rows.tr_mul(&(self.damping * rows)))
    }
}
