//! A Newton correction of a chain whose matrix is not kept, in two sweeps.
//!
//! With the letters of [`newton`](super::newton) and `r = N* A^-1 r_link - c` as right-hand side
//! of the joints: links and joints are eliminated while their residual is at hand, so only
//! `A^-1` and `G` of each link are left for the way back,
//!
//! ```text
//! lambda_j = y_j + G_j lambda_{j+1},      dtheta = A^-1 (r_link - N^T mu)
//! ```

use super::LinkChain;
use super::newton::{minus, times_n, translation_parts};
use super::small::{M3, V3, ZERO, add_scaled, dot, product, times, v3};
use super::sweep::{Front, LostBlock};
use crate::system::{NewtonCoefficients, NewtonPoint, NewtonVectors};

/// What the way back needs of a link.
#[derive(Clone, Copy, Debug)]
pub(super) struct SweptLink {
    /// `A^-1` of the rotation.
    inverse: M3,
    /// `G` of the joint before.
    factor: M3,
}

impl LinkChain {
    /// The correction for a residual; false, with the residual as it was, if elimination block
    /// by block must not be trusted.
    pub(super) fn correct_newton(
        &self,
        coefficients: &NewtonCoefficients,
        point: &NewtonPoint<'_, Self>,
        residual: &mut NewtonVectors<Self>,
        correction: &mut NewtonVectors<Self>,
        swept: &mut Vec<SweptLink>,
    ) -> bool {
        let empty = SweptLink {
            inverse: ZERO,
            factor: ZERO,
        };
        swept.resize(self.links.len(), empty);
        let multipliers = correction.constraint.as_chunks_mut::<3>().0;
        let Ok(last) = self.eliminate(coefficients, point, residual, multipliers, swept) else {
            return false;
        };
        let (mobility, _) = translation_parts(coefficients);
        let first = self.joints.start;
        let mut after = last;
        let links = self.links.iter().zip(&*swept).zip(&point.geometry.columns);
        let links = links.zip(residual.dynamics.as_chunks_mut::<6>().0);
        for (i, (((link, swept), [c2, c3]), r)) in links.enumerate().rev() {
            let mut before = [0.0; 3];
            if i >= first {
                let multiplier = &mut multipliers[i - first];
                before = add_scaled(multiplier, 1.0, &times(&swept.factor, &after));
                *multiplier = before;
            }
            let mu = Self::moment_arm_force(link, &before, &after);
            let rest = [r[0], r[1] - dot(c3, &mu), r[2] + dot(c2, &mu)];
            r[..3].copy_from_slice(&times(&swept.inverse, &rest));
            let mobility = mobility * link.inverse_mass;
            for k in 0..3 {
                r[3 + k] = mobility * (r[3 + k] - (after[k] - before[k]));
            }
            after = before;
        }
        core::mem::swap(&mut correction.dynamics, &mut residual.dynamics);
        true
    }

    /// The way there: `y_j` in `multipliers`, and the multiplier behind the last link.
    fn eliminate(
        &self,
        coefficients: &NewtonCoefficients,
        point: &NewtonPoint<'_, Self>,
        residual: &NewtonVectors<Self>,
        multipliers: &mut [V3],
        swept: &mut [SweptLink],
    ) -> Result<V3, LostBlock> {
        let (mobility, translation) = translation_parts(coefficients);
        let (first, last) = (self.joints.start, self.links.len());
        let constraint = &residual.constraint;
        let mut front = Front::new(minus(&self.multiplier(constraint, 0)));
        let mut before = self.multiplier(point.lambda, 0);
        let links = self.links.iter().zip(swept);
        let links = links.zip(residual.dynamics.as_chunks::<6>().0);
        for (i, ((link, swept), r)) in links.enumerate() {
            let after = self.multiplier(point.lambda, i + 1);
            let mu = Self::moment_arm_force(link, &before, &after);
            before = after;
            let (inverse, held) = Self::eliminate_link(i, link, coefficients, point, &mu)?;
            swept.inverse = inverse;
            let position = product(&held, &inverse);
            let turn = times(&position, &v3(r));
            let shift = translation * mobility * link.inverse_mass;
            let mut right = minus(&self.multiplier(constraint, i + 1));
            for k in 0..3 {
                right[k] += shift * r[3 + k] - link.second * turn[k];
                front.right[k] -= shift * r[3 + k] - link.first * turn[k];
            }
            let q = times_n(&point.geometry.columns[i], &position);
            if i < first {
                front = Front::behind(link, &q, shift, right);
                continue;
            }
            ((swept.factor, multipliers[i - first]), front) =
                front.pass(link, &q, shift, &right)?;
        }
        if !self.joints.contains(&last) {
            return Ok([0.0; 3]);
        }
        let end = front.end()?;
        multipliers[last - first] = end;
        Ok(end)
    }
}
