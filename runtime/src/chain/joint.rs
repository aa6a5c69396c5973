//! Joints between two nodes, in body twists.
//!
//! ```text
//! position   Phi = x_a + R_a p_a - x_b - R_b p_b            inertial axes, 3 rows
//! axes       Phi = (R_a alpha) . (R_b beta)                 1 row for each pair
//! ```
//!
//! The multipliers of a position are the force on the second body, in inertial
//! components: then `B^T lambda` of one body depends on that body alone, and
//! the stiffness of the joint does not couple the two. With `C = R_b^T R_a`,
//! `m = C^T beta`, `l = C alpha`, `s = U + Omega x p`, `f = R^T lambda`:
//!
//! | kind     | `B_a`            | `B_b`           | `D_q(B v)`                                    |
//! |----------|------------------|-----------------|-----------------------------------------------|
//! | position | `-R_a p~, R_a`   | `R_b p~, -R_b`  | `-R_a s_a~`, `R_b s_b~` on rotations          |
//! | axes     | `alpha x m, 0`   | `beta x l, 0`   | `(Omega_a x alpha) x m + alpha x C^T (Omega_b x beta)`, and exchanged |

use super::node::{Pose, lift, parts};
use super::strain::{Block, Row};
use crate::generic::description::JointKind;
use crate::real::Real;
use nalgebra::{Matrix3, Vector3};

/// What a joint holds.
#[derive(Clone, Debug)]
pub(crate) struct Joint {
    /// Its kind.
    pub(crate) kind: JointKind,
    /// The axes of its frames on both nodes, one per row.
    pub(crate) frames: [[[f64; 3]; 3]; 2],
    point_a: Vector3<f64>,
    point_b: Vector3<f64>,
    /// Pairs of axes that stay normal to each other.
    axes: Vec<(Vector3<f64>, Vector3<f64>)>,
}

impl Joint {
    /// A joint between frames with the given origins and axes; `None` for kinds that do not
    /// hold a point.
    pub(crate) fn new(
        kind: &JointKind,
        [point_a, point_b]: [[f64; 3]; 2],
        frames: [[[f64; 3]; 3]; 2],
    ) -> Option<Self> {
        let (_, normals) = kind.holds_point().then(|| kind.held())?;
        let pairs = normals.iter();
        let axes = pairs.map(|&(i, j)| (Vector3::from(frames[0][i]), Vector3::from(frames[1][j])));
        Some(Self {
            kind: kind.clone(),
            frames,
            point_a: Vector3::from(point_a),
            point_b: Vector3::from(point_b),
            axes: axes.collect(),
        })
    }

    /// The points that coincide, in the frames of both nodes.
    pub(crate) fn points(&self) -> [Vector3<f64>; 2] {
        [self.point_a, self.point_b]
    }

    /// Number of rows.
    pub(crate) fn rows(&self) -> usize {
        3 + self.axes.len()
    }

    /// Row `i` of `Phi`.
    pub(crate) fn value<R: Real>(&self, a: &Pose<R>, b: &Pose<R>, i: usize) -> R {
        if i < 3 {
            let first = a.position + a.rotation * lift::<R>(&self.point_a);
            let second = b.position + b.rotation * lift::<R>(&self.point_b);
            return first[i] - second[i];
        }
        let (alpha, beta) = &self.axes[i - 3];
        (a.rotation * lift::<R>(alpha)).dot(&(b.rotation * lift::<R>(beta)))
    }

    /// Row `i` of `B`.
    pub(crate) fn row<R: Real>(&self, a: &Pose<R>, b: &Pose<R>, i: usize) -> Row<R> {
        if i < 3 {
            let axis = |pose: &Pose<R>| pose.rotation.row(i).transpose();
            let (m, k) = (axis(a), axis(b));
            return row(
                &lift::<R>(&self.point_a).cross(&m),
                &m,
                &k.cross(&lift::<R>(&self.point_b)),
                &-k,
            );
        }
        let (alpha, beta) = (
            lift::<R>(&self.axes[i - 3].0),
            lift::<R>(&self.axes[i - 3].1),
        );
        let m = a.rotation.tr_mul(&(b.rotation * beta));
        let l = b.rotation.tr_mul(&(a.rotation * alpha));
        let zero = Vector3::zeros();
        row(&alpha.cross(&m), &zero, &beta.cross(&l), &zero)
    }

    /// Row `i` of `D_q(B v)`.
    pub(crate) fn row_derivative(&self, a: &Pose, b: &Pose, twist: &Row, i: usize) -> Row {
        let (omega_a, u_a) = parts(&twist.as_slice()[..6]);
        let (omega_b, u_b) = parts(&twist.as_slice()[6..]);
        let zero = Vector3::zeros();
        if i < 3 {
            // The rotation part of -R s~ is s x R^T e_i.
            let first = u_a + omega_a.cross(&self.point_a);
            let second = u_b + omega_b.cross(&self.point_b);
            return row(
                &first.cross(&a.rotation.row(i).transpose()),
                &zero,
                &b.rotation.row(i).transpose().cross(&second),
                &zero,
            );
        }
        let (alpha, beta) = &self.axes[i - 3];
        let c = b.rotation.tr_mul(&a.rotation);
        let (turn_a, turn_b) = (omega_a.cross(alpha), omega_b.cross(beta));
        row(
            &(turn_a.cross(&c.tr_mul(beta)) + alpha.cross(&c.tr_mul(&turn_b))),
            &zero,
            &(beta.cross(&(c * turn_a)) + turn_b.cross(&(c * alpha))),
            &zero,
        )
    }

    /// `D_q(B^T lambda)`.
    pub(crate) fn stiffness(&self, a: &Pose, b: &Pose, lambda: &[f64]) -> Block {
        let mut out = Block::zeros();
        let mut add = |i: usize, j: usize, block: &Matrix3<f64>| {
            let mut view = out.fixed_view_mut::<3, 3>(3 * i, 3 * j);
            view += block;
        };
        let force = Vector3::new(lambda[0], lambda[1], lambda[2]);
        let f_a: Matrix3<f64> = a.rotation.tr_mul(&force).cross_matrix();
        let f_b: Matrix3<f64> = b.rotation.tr_mul(&force).cross_matrix();
        add(0, 0, &(self.point_a.cross_matrix() * f_a));
        add(1, 0, &f_a);
        add(2, 2, &-(self.point_b.cross_matrix() * f_b));
        add(3, 2, &-f_b);
        let c = b.rotation.tr_mul(&a.rotation);
        for ((alpha, beta), lambda) in self.axes.iter().zip(&lambda[3..]) {
            let (m, l): (Vector3<f64>, Vector3<f64>) = (c.tr_mul(beta), c * alpha);
            let (first, second) = (
                alpha.cross_matrix() * *lambda,
                beta.cross_matrix() * *lambda,
            );
            add(0, 0, &(first * m.cross_matrix()));
            add(0, 2, &-(first * c.transpose() * beta.cross_matrix()));
            add(2, 2, &(second * l.cross_matrix()));
            add(2, 0, &-(second * c * alpha.cross_matrix()));
        }
        out
    }
}

fn row<R: Real>(a: &Vector3<R>, b: &Vector3<R>, c: &Vector3<R>, d: &Vector3<R>) -> Row<R> {
    let parts = [a, b, c, d];
    Row::from_fn(|i, _| parts[i / 3][i % 3])
}
