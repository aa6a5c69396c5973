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
    M3, V3, ZERO, add_scaled, combine, dot, inverse, is_singular, plus, product,
    scaled_plus_diagonal, size, times, two_outer, v3,
};
use super::whole::WholeJoints;
use super::{Body, ChainGeometry, LinkChain, increment_rate, turned};
use crate::error::Fault;
use crate::system::{Stage, StagePast, StageResults, System};
use crate::tableau::STAGES;

/// A block that cannot be eliminated without exchanges between joints.
#[derive(Clone, Copy, Debug)]
pub(super) struct LostBlock;

/// What elimination leaves for the next joint: `D_j` without the link after it, and `r_j`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Front {
    diagonal: M3,
    /// Size of what the diagonal block is a difference of.
    terms: f64,
    pub(super) right: V3,
}

/// An eliminated joint: `G_j` and `y_j`.
pub(super) type Eliminated = (M3, V3);

impl Front {
    /// Before the first link.
    pub(super) fn new(right: V3) -> Self {
        Self {
            diagonal: ZERO,
            terms: 0.0,
            right,
        }
    }

    /// After a link whose first joint is free; `shift` is the part of its translation.
    #[inline(always)]
    pub(super) fn behind(link: &Body, q: &M3, shift: f64, right: V3) -> Self {
        let s = link.second;
        Self {
            diagonal: scaled_plus_diagonal(s * s, q, shift),
            terms: s * s * size(q) + shift.abs(),
            right,
        }
    }

    /// Eliminates the joint before a link.
    #[inline(always)]
    pub(super) fn pass(
        &self,
        link: &Body,
        q: &M3,
        shift: f64,
        right: &V3,
    ) -> Result<(Eliminated, Self), LostBlock> {
        let (p, s) = (link.first, link.second);
        let add = scaled_plus_diagonal(p * p, q, shift);
        let (reciprocal, determinant) = inverse(&plus(&self.diagonal, 1.0, &add));
        let terms = self.terms + p * p * size(q) + shift.abs();
        if is_singular(determinant, terms) {
            return Err(LostBlock);
        }
        let coupling = scaled_plus_diagonal(p * s, q, shift);
        let g = product(&reciprocal, &coupling);
        let y = times(&reciprocal, &self.right);
        let mut next = Self::behind(link, q, shift, *right);
        next.diagonal = plus(&next.diagonal, -1.0, &product(&coupling, &g));
        next.right = add_scaled(&next.right, 1.0, &times(&coupling, &y));
        Ok(((g, y), next))
    }

    /// The solution at the joint after the last link.
    pub(super) fn end(&self) -> Result<V3, LostBlock> {
        let (reciprocal, determinant) = inverse(&self.diagonal);
        if is_singular(determinant, self.terms) {
            return Err(LostBlock);
        }
        Ok(times(&reciprocal, &self.right))
    }
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
    /// The right-hand side starts from `x` if `FROM_X`, and from zero otherwise. The factors
    /// `G_j` stay in `factors`, `y_j` and then the solution in `x`.
    #[inline(always)]
    pub(super) fn sweep<const FROM_X: bool>(
        &self,
        x: &mut [f64],
        factors: &mut [M3],
        links: &mut impl Links,
    ) -> Result<(), LostBlock> {
        let (first, last) = (self.joints.start, self.links.len());
        let x = x.as_chunks_mut::<3>().0;
        let take = |x: &[V3], joint: usize| {
            if FROM_X && self.joints.contains(&joint) {
                x[joint - first]
            } else {
                [0.0; 3]
            }
        };
        let mut front = Front::new(take(x, 0));
        for (i, link) in self.links.iter().enumerate() {
            let mut after = take(x, i + 1);
            let [next, this] = links.load(i, link, &mut front.right, &mut after);
            let q = Self::mobility(link, &next, &this);
            if i < first {
                front = Front::behind(link, &q, link.inverse_mass, after);
                continue;
            }
            let at = i - first;
            ((factors[at], x[at]), front) = front.pass(link, &q, link.inverse_mass, &after)?;
        }
        let mut after = [0.0; 3];
        if self.joints.contains(&last) {
            after = front.end()?;
            x[last - first] = after;
        }
        for (i, link) in self.links.iter().enumerate().rev() {
            let mut before = [0.0; 3];
            if i >= first {
                let x = &mut x[i - first];
                before = add_scaled(x, 1.0, &times(&factors[i - first], &after));
                *x = before;
            }
            links.unload(i, link, &before, &after);
            after = before;
        }
        Ok(())
    }

    /// [`System::sweep_stage`]: sums, geometry, force, right-hand side and elimination in one
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
        let v_goes_on = results.theta_dot.is_some() || results.end.is_some();
        let mut links = StageLinks {
            gravity: self.gravity,
            h: past.h,
            last_weight: past.h * past.weights[past.weights.len() - 1],
            rates: Terms::new(past.weights, past.v, past.theta_dot),
            accelerations: Terms::new(past.weights, past.vdot, past.v_dot),
            q: past.q.as_chunks().0,
            v_start: past.v.as_chunks().0,
            columns: &stage.geometry.columns,
            v: stage.v.as_chunks().0,
            next_columns: &mut results.geometry.columns,
            next_v: results.v.as_chunks_mut().0,
            v_dot: results.v_dot.as_chunks_mut().0,
            v_goes_on,
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

/// What each link adds to a sweep, and gets from it.
pub(super) trait Links {
    /// The columns of the next stage and of this one. Adds what a link contributes to the
    /// right-hand sides of the joints before and after it.
    fn load(&mut self, i: usize, link: &Body, before: &mut V3, after: &mut V3) -> [[V3; 2]; 2];

    /// Takes the solution at the joints before and after a link.
    fn unload(&mut self, i: usize, link: &Body, before: &V3, after: &V3);
}

/// Links whose right-hand side is given.
pub(super) struct Known<'a> {
    pub(super) rows: &'a ChainGeometry,
    pub(super) columns: &'a ChainGeometry,
}

impl Links for Known<'_> {
    #[inline(always)]
    fn load(&mut self, i: usize, _: &Body, _: &mut V3, _: &mut V3) -> [[V3; 2]; 2] {
        [self.rows.columns[i], self.columns.columns[i]]
    }

    #[inline(always)]
    fn unload(&mut self, _: usize, _: &Body, _: &V3, _: &V3) {}
}

/// A sum over stages of vectors with six numbers for each link.
struct Terms<'a> {
    terms: [(f64, &'a [[f64; 6]]); STAGES],
    count: usize,
}

impl<'a> Terms<'a> {
    /// The vectors of the first stage and of some after it.
    fn new(weights: &[f64], first: &'a [f64], others: &'a [Box<[f64]>]) -> Self {
        let mut sum = Self {
            terms: [(0.0, &[]); STAGES],
            count: 0,
        };
        let vectors = core::iter::once(first).chain(others.iter().map(|x| &**x));
        for (weight, x) in weights.iter().zip(vectors) {
            if *weight != 0.0 {
                sum.terms[sum.count] = (*weight, x.as_chunks().0);
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
    rates: Terms<'a>,
    accelerations: Terms<'a>,
    q: &'a [[f64; 12]],
    v_start: &'a [[f64; 6]],
    columns: &'a [[V3; 2]],
    v: &'a [[f64; 6]],
    next_columns: &'a mut [[V3; 2]],
    next_v: &'a mut [[f64; 6]],
    v_dot: &'a mut [[f64; 6]],
    v_goes_on: bool,
    /// Holds the rotation of the increment between the sweeps.
    theta_dot: Option<&'a mut [[f64; 6]]>,
    end: Option<StepEnd<'a>>,
}

impl Links for StageLinks<'_> {
    #[inline(always)]
    fn load(&mut self, i: usize, link: &Body, before: &mut V3, after: &mut V3) -> [[V3; 2]; 2] {
        let turn = self.rates.at::<0, 3>(i).map(|x| self.h * x);
        let rotation = turned(&self.q[i], &turn);
        let next = [1, 2].map(|j| [rotation[0][j], rotation[1][j], rotation[2][j]]);
        self.next_columns[i] = next;
        if let Some(theta_dot) = &mut self.theta_dot {
            theta_dot[i][..3].copy_from_slice(&turn);
        }
        if let Some((theta, q)) = &mut self.end {
            let shift = self.rates.at::<3, 3>(i).map(|x| self.h * x);
            theta[i][..3].copy_from_slice(&turn);
            theta[i][3..].copy_from_slice(&shift);
            q[i][..9].copy_from_slice(rotation.as_flattened());
            for k in 0..3 {
                q[i][9 + k] = self.q[i][9 + k] + shift[k];
            }
        }

        let sum = self.accelerations.at::<0, 6>(i);
        let next_v: [f64; 6] = core::array::from_fn(|k| self.v_start[i][k] + self.h * sum[k]);
        self.next_v[i] = next_v;
        let weight = 1.0 / self.last_weight;
        let free = free_rotation(link, &self.v[i]);
        let [c2, c3] = &next;
        let turn = combine(
            weight * next_v[2] + free[2],
            c2,
            -(weight * next_v[1] + free[1]),
            c3,
        );
        for k in 0..3 {
            let u = weight * next_v[3 + k] + self.gravity[k];
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
        if !self.v_goes_on {
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
    let (j, r) = (&link.inertia, &link.inverse_inertia);
    [
        (j[1] - j[2]) * v[1] * v[2] * r[0],
        (j[2] - j[0]) * v[2] * v[0] * r[1],
        (j[0] - j[1]) * v[0] * v[1] * r[2],
    ]
}
