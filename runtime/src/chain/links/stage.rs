//! A half-explicit stage of a chain in two sweeps.
//!
//! ```text
//! S = B' M^-1 B^T:      S_jj = second^2 Q_{j-1} + first^2 Q_j + 1/m_{j-1} + 1/m_j
//!                       S_{i,i+1} = S_{i+1,i} = -(first second Q_i + 1/m_i) =: -C_i
//! Q = N' J^-1 N^T     = c3' c3^T / J_2 + c2' c2^T / J_3
//! ```
//!
//! (a prime: the next stage). Forward, joint by joint, with `D_j` the diagonal
//! block after elimination:
//!
//! ```text
//! G_j = D_j^-1 C_j,   y_j = D_j^-1 r_j        D_{j+1} -= C_j G_j,   r_{j+1} += C_j y_j
//! ```
//!
//! and backward `lambda_j = y_j + G_j lambda_{j+1}`. The blocks are close to
//! symmetric positive definite ones, so they need no exchange of rows; a
//! determinant that is lost in cancellation is an error.

use super::small::{
    M3, V3, add_scaled, combine, dot, inverse, is_singular, plus, product, scaled_plus_diagonal,
    times, two_outer, v3,
};
use super::{ChainGeometry, Link, LinkChain};
use crate::error::Fault;
use crate::system::{NextStage, Stage, System};

/// What the backward sweep needs of a joint.
#[derive(Clone, Copy, Debug, Default)]
pub(in super::super) struct Row {
    g: M3,
    y: V3,
}

/// What elimination leaves for the next joint.
#[derive(Clone, Copy, Debug)]
pub(super) struct Front {
    pub(super) diagonal: M3,
    pub(super) right: V3,
}

impl LinkChain {
    /// `Q` of a link.
    #[inline(always)]
    fn mobility(link: &Link, [n2, n3]: &[V3; 2], [c2, c3]: &[V3; 2]) -> M3 {
        let (a, b) = (1.0 / link.inertia[1], 1.0 / link.inertia[2]);
        two_outer(&n3.map(|x| a * x), c3, &n2.map(|x| b * x), c2)
    }

    /// The error of a joint whose block is singular.
    #[cold]
    pub(super) fn singular_joint(&self, joint: usize, determinant: f64) -> Fault {
        Fault::SingularConstraints {
            constraint: self.constraint_name(3 * (joint - self.joints.start)),
            pivot: determinant,
            scale: 1.0,
        }
    }

    /// Solves `B(rows) M^-1 B(columns)^T x = right + extra` in place.
    ///
    /// `extra(i, columns of the next stage, (before, after))` may add to the right-hand
    /// sides of the joints before and after link `i`.
    pub(super) fn sweep(
        &self,
        rows: &ChainGeometry,
        columns: &ChainGeometry,
        right: &mut [f64],
        factors: &mut [Row],
        mut extra: impl FnMut(usize, &[V3; 2], (&mut V3, &mut V3)),
    ) -> Result<(), Fault> {
        let first = self.joints.start;
        let take = |right: &[f64], joint: usize| {
            if self.joints.contains(&joint) {
                v3(&right[3 * (joint - first)..])
            } else {
                [0.0; 3]
            }
        };
        let mut front = Front {
            diagonal: [[0.0; 3]; 3],
            right: take(right, 0),
        };
        let links = self.links.iter().zip(&rows.columns).zip(&columns.columns);
        for (i, ((link, next), this)) in links.enumerate() {
            let q = Self::mobility(link, next, this);
            let inverse_mass = 1.0 / link.mass;
            let mut after = take(right, i + 1);
            extra(i, next, (&mut front.right, &mut after));
            let (p, s) = (link.first, link.second);
            let own = scaled_plus_diagonal(s * s, &q, inverse_mass);
            if i < first {
                // The joint before is free: nothing to eliminate.
                front = Front {
                    diagonal: own,
                    right: after,
                };
                continue;
            }
            let block = plus(
                &front.diagonal,
                1.0,
                &scaled_plus_diagonal(p * p, &q, inverse_mass),
            );
            let (reciprocal, determinant) = inverse(&block);
            if is_singular(&block, determinant) {
                return Err(self.singular_joint(i, determinant));
            }
            let coupling = scaled_plus_diagonal(p * s, &q, inverse_mass);
            let g = product(&reciprocal, &coupling);
            let y = times(&reciprocal, &front.right);
            factors[i - first] = Row { g, y };
            let push = times(&coupling, &y);
            front = Front {
                diagonal: plus(&own, -1.0, &product(&coupling, &g)),
                right: add_scaled(&after, 1.0, &push),
            };
        }
        let mut lambda = [0.0; 3];
        let last = self.links.len();
        if self.joints.contains(&last) {
            let (reciprocal, determinant) = inverse(&front.diagonal);
            if is_singular(&front.diagonal, determinant) {
                return Err(self.singular_joint(last, determinant));
            }
            lambda = times(&reciprocal, &front.right);
            right[3 * (last - first)..].copy_from_slice(&lambda);
        }
        for joint in (first..last).rev() {
            let Row { g, y } = &factors[joint - first];
            lambda = add_scaled(y, 1.0, &times(g, &lambda));
            right[3 * (joint - first)..3 * (joint - first) + 3].copy_from_slice(&lambda);
        }
        Ok(())
    }

    /// [`System::stage_solve`]: the force, the right-hand side and the elimination in one
    /// sweep, multipliers and accelerations in the other.
    pub(super) fn solve_stage(
        &self,
        stage: &Stage<'_, Self>,
        next: &NextStage<'_, Self>,
        vdot: &mut [f64],
        lambda: &mut [f64],
        factors: &mut [Row],
    ) -> Result<(), Fault> {
        lambda.fill(0.0);
        let (v, reach) = (stage.v.as_ref(), next.reach.as_ref());
        self.sweep(
            next.geometry,
            stage.geometry,
            lambda,
            factors,
            |i, [c2, c3], (before, after)| {
                let link = &self.links[i];
                let (v, reach) = (&v[6 * i..6 * i + 6], &reach[6 * i..6 * i + 6]);
                let free = &mut vdot[6 * i..6 * i + 6];
                let j = &link.inertia;
                free[0] = (j[1] - j[2]) * v[1] * v[2] / j[0];
                free[1] = (j[2] - j[0]) * v[2] * v[0] / j[1];
                free[2] = (j[0] - j[1]) * v[0] * v[1] / j[2];
                free[3..].copy_from_slice(&self.gravity);
                let turn = combine(reach[2] + free[2], c2, -(reach[1] + free[1]), c3);
                for k in 0..3 {
                    let u = reach[3 + k] + free[3 + k];
                    before[k] -= u + link.first * turn[k];
                    after[k] += u + link.second * turn[k];
                }
            },
        )?;
        // V' = free - M^-1 B^T lambda
        let links = self.links.iter().zip(&stage.geometry.columns);
        let mut before = self.multiplier(lambda, 0);
        for (i, ((link, [c2, c3]), vdot)) in links.zip(vdot.chunks_exact_mut(6)).enumerate() {
            let after = self.multiplier(lambda, i + 1);
            let mu = Self::moment_arm_force(link, &before, &after);
            vdot[1] -= dot(c3, &mu) / link.inertia[1];
            vdot[2] += dot(c2, &mu) / link.inertia[2];
            let inverse_mass = 1.0 / link.mass;
            for k in 0..3 {
                vdot[3 + k] -= inverse_mass * (after[k] - before[k]);
            }
            before = after;
        }
        Ok(())
    }
}
