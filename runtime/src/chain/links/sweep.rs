//! Elimination of the joints of a chain, one after another.
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
    M3, V3, ZERO, add_scaled, inverse, is_singular, plus, product, scaled_plus_diagonal, size,
    times, two_outer,
};
use super::{Body, ChainGeometry, LinkChain};
use crate::error::Fault;
use crate::system::Constrained;

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
