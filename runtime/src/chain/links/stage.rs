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
//! symmetric positive definite ones, so they need no exchange of rows. If a
//! determinant is lost in cancellation all the same, see [`whole`](super::whole).

use super::small::{
    M3, V3, add_scaled, combine, dot, inverse, is_singular, plus, product, scaled_plus_diagonal,
    size, times, two_outer, v3,
};
use super::whole::WholeJoints;
use super::{Body, ChainGeometry, LinkChain};
use crate::error::Fault;
use crate::system::{NextStage, Stage, System};

/// A block that cannot be eliminated without exchanges between joints.
#[derive(Clone, Copy, Debug)]
pub(super) struct LostBlock;

/// What elimination leaves for the next joint.
#[derive(Clone, Copy, Debug)]
pub(super) struct Front {
    pub(super) diagonal: M3,
    /// Size of what the diagonal block is a difference of.
    pub(super) terms: f64,
    pub(super) right: V3,
}

impl LinkChain {
    /// `Q` of a link.
    #[inline(always)]
    pub(super) fn mobility(link: &Body, [n2, n3]: &[V3; 2], [c2, c3]: &[V3; 2]) -> M3 {
        let [_, a, b] = link.inverse_inertia;
        two_outer(&n3.map(|x| a * x), c3, &n2.map(|x| b * x), c2)
    }

    /// The error of a joint whose block is singular.
    #[cold]
    pub(super) fn singular_joint(&self, joint: usize, pivot: f64, scale: f64) -> Fault {
        Fault::SingularConstraints {
            constraint: self.constraint_name(3 * (joint - self.joints.start)),
            pivot,
            scale,
        }
    }

    /// Solves `B(rows) M^-1 B(columns)^T x = right` with two sweeps over the links.
    ///
    /// `load(i, columns of the next stage, right before, right after)` adds what link `i`
    /// contributes to the right-hand sides of its joints, `unload(i, x before, x after)`
    /// gets the solution there. The right-hand side starts from `x` if `FROM_X`, and from
    /// zero otherwise. The factors `G_j` stay in `factors`, `y_j` and then the solution in `x`.
    pub(super) fn sweep<const FROM_X: bool>(
        &self,
        rows: &ChainGeometry,
        columns: &ChainGeometry,
        x: &mut [f64],
        factors: &mut [M3],
        load: &mut impl FnMut(usize, &[V3; 2], &mut V3, &mut V3),
        unload: &mut impl FnMut(usize, &V3, &V3),
    ) -> Result<(), LostBlock> {
        let (first, last) = (self.joints.start, self.links.len());
        let take = |x: &[f64], joint: usize| {
            if FROM_X && self.joints.contains(&joint) {
                v3(&x[3 * (joint - first)..])
            } else {
                [0.0; 3]
            }
        };
        let mut front = Front {
            diagonal: [[0.0; 3]; 3],
            terms: 0.0,
            right: take(x, 0),
        };
        let links = self.links.iter().zip(&rows.columns).zip(&columns.columns);
        for (i, ((link, next), this)) in links.enumerate() {
            let q = Self::mobility(link, next, this);
            let mut after = take(x, i + 1);
            load(i, next, &mut front.right, &mut after);
            let (p, s) = (link.first, link.second);
            let own = scaled_plus_diagonal(s * s, &q, link.inverse_mass);
            if i < first {
                // The joint before is free: nothing to eliminate.
                front = Front {
                    diagonal: own,
                    terms: size(&own),
                    right: after,
                };
                continue;
            }
            let add = scaled_plus_diagonal(p * p, &q, link.inverse_mass);
            let (reciprocal, determinant) = inverse(&plus(&front.diagonal, 1.0, &add));
            let terms = front.terms + p * p * size(&q) + link.inverse_mass;
            if is_singular(determinant, terms) {
                return Err(LostBlock);
            }
            let coupling = scaled_plus_diagonal(p * s, &q, link.inverse_mass);
            let g = product(&reciprocal, &coupling);
            let y = times(&reciprocal, &front.right);
            factors[i - first] = g;
            x[3 * (i - first)..3 * (i - first) + 3].copy_from_slice(&y);
            front = Front {
                diagonal: plus(&own, -1.0, &product(&coupling, &g)),
                terms: s * s * size(&q) + link.inverse_mass,
                right: add_scaled(&after, 1.0, &times(&coupling, &y)),
            };
        }
        let mut after = [0.0; 3];
        if self.joints.contains(&last) {
            let (reciprocal, determinant) = inverse(&front.diagonal);
            if is_singular(determinant, front.terms) {
                return Err(LostBlock);
            }
            after = times(&reciprocal, &front.right);
            x[3 * (last - first)..].copy_from_slice(&after);
        }
        for i in (0..last).rev() {
            let mut before = [0.0; 3];
            if i >= first {
                let x = &mut x[3 * (i - first)..3 * (i - first) + 3];
                before = add_scaled(&v3(x), 1.0, &times(&factors[i - first], &after));
                x.copy_from_slice(&before);
            }
            unload(i, &before, &after);
            after = before;
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
        factors: &mut [M3],
        whole: &mut WholeJoints,
    ) -> Result<(), Fault> {
        let (v, next_v, weight) = (stage.v.as_ref(), next.v.as_ref(), next.weight);
        let columns = &stage.geometry.columns;
        let mut load = |i: usize, [c2, c3]: &[V3; 2], before: &mut V3, after: &mut V3| {
            let link = self.links.at(i);
            let free = free_rotation(link, &v[6 * i..6 * i + 3]);
            let next_v = &next_v[6 * i..6 * i + 6];
            let reach: [f64; 6] = core::array::from_fn(|k| weight * next_v[k]);
            let turn = combine(reach[2] + free[2], c2, -(reach[1] + free[1]), c3);
            for k in 0..3 {
                let u = reach[3 + k] + self.gravity[k];
                before[k] -= u + link.first * turn[k];
                after[k] += u + link.second * turn[k];
            }
        };
        let mut unload = |i: usize, before: &V3, after: &V3| {
            // Computed again: cheaper than to store it and read it back.
            let (link, [c2, c3]) = (self.links.at(i), &columns[i]);
            let free = free_rotation(link, &v[6 * i..6 * i + 3]);
            let mu = Self::moment_arm_force(link, before, after);
            let vdot = &mut vdot[6 * i..6 * i + 6];
            vdot[0] = free[0];
            vdot[1] = free[1] - dot(c3, &mu) * link.inverse_inertia[1];
            vdot[2] = free[2] + dot(c2, &mu) * link.inverse_inertia[2];
            for k in 0..3 {
                vdot[3 + k] = self.gravity[k] - link.inverse_mass * (after[k] - before[k]);
            }
        };
        let (rows, columns) = (next.geometry, stage.geometry);
        let result = self.sweep::<false>(rows, columns, lambda, factors, &mut load, &mut unload);
        result.or_else(|LostBlock| {
            whole.right.clear();
            whole.right.resize(lambda.len(), 0.0);
            self.solve_whole(rows, columns, lambda, whole, &mut load, &mut unload)
        })
    }
}

/// `-J^-1 (Omega x J Omega)`.
#[inline(always)]
fn free_rotation(link: &Body, v: &[f64]) -> V3 {
    let (j, r) = (&link.inertia, &link.inverse_inertia);
    [
        (j[1] - j[2]) * v[1] * v[2] * r[0],
        (j[2] - j[0]) * v[2] * v[0] * r[1],
        (j[0] - j[1]) * v[0] * v[1] * r[2],
    ]
}
