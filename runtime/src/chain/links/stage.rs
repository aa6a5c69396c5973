//! A half-explicit stage of a chain: two sweeps, see [`sweep`](super::sweep).
//!
//! Forward, for each link, the increment and the known part of the velocity of the next stage,
//! `v = v_n + h sum_{j<i} a_{i+1,j} V'_j`, its columns, and what it adds to the right-hand side of
//! `B' (V' + v / (h a_{i+1,i})) = 0`. Backward
//!
//! ```text
//! V' = -M^-1 (g + B^T lambda),    V_{i+1} = v + h a_{i+1,i} V',    Theta'_{i+1} = T^-1 V_{i+1}
//! ```

use super::small::{M3, V3, combine, dot, v3};
use super::sweep::{Links, LostBlock};
use super::whole::WholeJoints;
use super::{Body, LinkChain, increment_rate, turned, turned_columns};
use crate::error::Fault;
use crate::system::{Stage, StagePast, StageResults};
use crate::tableau::STAGES;

impl LinkChain {
    /// [`System::sweep_stage`](crate::system::System::sweep_stage): sums, geometry, force, right-hand side and elimination in one
    /// sweep; multipliers, accelerations, velocities and rates in the other.
    pub(super) fn solve_stage(
        &self,
        stage: &Stage<'_, Self>,
        past: &StagePast<'_, Self>,
        results: &mut StageResults<'_, Self>,
        factors: &mut [M3],
        whole: &mut WholeJoints,
    ) -> Result<(), Fault> {
        let lambda = &mut *results.lambda;
        let goes_on = results.theta_dot.is_some() || results.end.is_some();
        let last_weight = past.h * past.weights[past.weights.len() - 1];
        let mut links = StageLinks {
            gravity: self.gravity,
            h: past.h,
            last_weight,
            reach: 1.0 / last_weight,
            rates: Terms::new(past.h, past.weights, past.v, past.theta_dot),
            accelerations: Terms::new(1.0, past.weights, past.vdot, past.v_dot),
            q: past.q.as_chunks().0,
            v_start: past.v.as_chunks().0,
            columns: &stage.geometry.columns,
            v: stage.v.as_chunks().0,
            next_columns: &mut results.geometry.columns,
            next_v: results.v.as_chunks_mut().0,
            v_dot: results.v_dot.as_chunks_mut().0,
            goes_on,
            theta_dot: results.theta_dot.as_mut().map(|x| x.as_chunks_mut().0),
            end: results
                .end
                .as_mut()
                .map(|(theta, q)| (theta.as_chunks_mut().0, q.as_chunks_mut().0)),
        };
        self.sweep::<false>(lambda, factors, &mut links)
            .or_else(|LostBlock| {
                whole.right.clear();
                whole.right.resize(lambda.len(), 0.0);
                self.solve_whole(lambda, whole, &mut links)
            })
    }
}

/// A sum over stages of vectors with six numbers for each link.
struct Terms<'a> {
    terms: [(f64, &'a [[f64; 6]]); STAGES],
    count: usize,
}

impl<'a> Terms<'a> {
    /// The vectors of the first stage and of some after it, with scaled weights.
    fn new(scale: f64, weights: &[f64], first: &'a [f64], others: &'a [Box<[f64]>]) -> Self {
        let mut sum = Self {
            terms: [(0.0, &[]); STAGES],
            count: 0,
        };
        let vectors = core::iter::once(first).chain(others.iter().map(|x| &**x));
        for (weight, x) in weights.iter().zip(vectors) {
            if *weight != 0.0 {
                sum.terms[sum.count] = (scale * weight, x.as_chunks().0);
                sum.count += 1;
            }
        }
        sum
    }

    /// Some of the numbers of a link.
    #[inline(always)]
    fn at<const FROM: usize, const N: usize>(&self, i: usize) -> [f64; N] {
        let mut sum = [-0.0; N]; // the neutral element, unlike +0.0
        for (weight, x) in &self.terms[..self.count] {
            let x = &x[i];
            for k in 0..N {
                sum[k] += weight * x[FROM + k];
            }
        }
        sum
    }
}

/// Increments and configurations at the end of a step.
type StepEnd<'a> = (&'a mut [[f64; 6]], &'a mut [[f64; 12]]);

/// The links of a half-explicit stage.
struct StageLinks<'a> {
    gravity: V3,
    h: f64,
    /// `h a_{i+1,i}`.
    last_weight: f64,
    /// Its reciprocal.
    reach: f64,
    rates: Terms<'a>,
    accelerations: Terms<'a>,
    q: &'a [[f64; 12]],
    v_start: &'a [[f64; 6]],
    columns: &'a [[V3; 2]],
    v: &'a [[f64; 6]],
    next_columns: &'a mut [[V3; 2]],
    next_v: &'a mut [[f64; 6]],
    v_dot: &'a mut [[f64; 6]],
    /// Whether a stage or the end of the step is next, and not a row that finds multipliers alone.
    goes_on: bool,
    /// Holds the rotation of the increment between the sweeps.
    theta_dot: Option<&'a mut [[f64; 6]]>,
    end: Option<StepEnd<'a>>,
}

impl Links for StageLinks<'_> {
    #[inline(always)]
    fn load(&mut self, i: usize, link: &Body, before: &mut V3, after: &mut V3) -> [[V3; 2]; 2] {
        let turn = self.rates.at::<0, 3>(i);
        let q = &self.q[i];
        let next;
        if let Some((theta_end, q_end)) = &mut self.end {
            let shift = self.rates.at::<3, 3>(i);
            let rotation = turned(q, &turn);
            next = [1, 2].map(|j| rotation.map(|row| row[j]));
            theta_end[i][..3].copy_from_slice(&turn);
            theta_end[i][3..].copy_from_slice(&shift);
            q_end[i][..9].copy_from_slice(rotation.as_flattened());
            for k in 0..3 {
                q_end[i][9 + k] = q[9 + k] + shift[k];
            }
        } else {
            next = turned_columns(q, &turn);
        }
        if let Some(theta_dot) = &mut self.theta_dot {
            theta_dot[i][..3].copy_from_slice(&turn);
        }

        let sum = self.accelerations.at::<0, 6>(i);
        let next_v: [f64; 6] = core::array::from_fn(|k| self.v_start[i][k] + self.h * sum[k]);
        if self.goes_on {
            self.next_columns[i] = next;
            self.next_v[i] = next_v;
        }
        let free = free_rotation(link, &self.v[i]);
        let [c2, c3] = &next;
        let turn = combine(
            self.reach * next_v[2] + free[2],
            c2,
            -(self.reach * next_v[1] + free[1]),
            c3,
        );
        for k in 0..3 {
            let u = self.reach * next_v[3 + k] + self.gravity[k];
            before[k] -= u + link.first * turn[k];
            after[k] += u + link.second * turn[k];
        }
        [next, self.columns[i]]
    }

    #[inline(always)]
    fn unload(&mut self, i: usize, link: &Body, before: &V3, after: &V3) {
        // Computed again: cheaper than to store it and read it back.
        let free = free_rotation(link, &self.v[i]);
        let [c2, c3] = &self.columns[i];
        let mu = LinkChain::moment_arm_force(link, before, after);
        let fall = |k: usize| self.gravity[k] - link.inverse_mass * (after[k] - before[k]);
        let v_dot = [
            free[0],
            free[1] - dot(c3, &mu) * link.inverse_inertia[1],
            free[2] + dot(c2, &mu) * link.inverse_inertia[2],
            fall(0),
            fall(1),
            fall(2),
        ];
        self.v_dot[i] = v_dot;
        if !self.goes_on {
            return;
        }
        let v = &mut self.next_v[i];
        for k in 0..6 {
            v[k] += self.last_weight * v_dot[k];
        }
        if let Some(theta_dot) = &mut self.theta_dot {
            let turn = v3(&theta_dot[i]);
            theta_dot[i] = increment_rate(&turn, v);
        }
    }
}

/// `-J^-1 (Omega x J Omega)`.
#[inline(always)]
fn free_rotation(link: &Body, v: &[f64; 6]) -> V3 {
    let g = &link.gyration;
    [g[0] * v[1] * v[2], g[1] * v[2] * v[0], g[2] * v[0] * v[1]]
}
