//! The residual of a generalized-alpha step in one pass over the links.
//!
//! ```text
//! h^2 (M v' + g + B^T lambda),     Phi,     h B v
//! ```
//!
//! The same as `compose_residual`, which makes eight passes.

use super::small::{V3, add_scaled, combine, dot, v3};
use super::{ChainGeometry, LinkChain};
use crate::system::{Formulation, NewtonCoefficients, NewtonVectors, ResidualPoint};

impl LinkChain {
    /// [`System::newton_residual`](crate::system::System::newton_residual).
    pub(super) fn residual(
        &self,
        coefficients: &NewtonCoefficients,
        point: &ResidualPoint<'_, Self>,
        geometry: &mut ChainGeometry,
        out: &mut NewtonVectors<Self>,
    ) {
        let NewtonCoefficients { h, formulation, .. } = *coefficients;
        let h2 = h * h;
        let first_joint = self.joints.start;
        let NewtonVectors {
            dynamics,
            constraint,
            hidden,
        } = out;
        let (mut gaps, mut rates): (Option<&mut [f64]>, Option<&mut [f64]>) = match formulation {
            Formulation::Index3 => (Some(constraint), None),
            Formulation::Index2 => (None, Some(constraint)),
            Formulation::StabilizedIndex2 => (Some(constraint), Some(hidden)),
        };
        let mut end = (self.anchors[0], [0.0; 3]);
        let mut before = self.multiplier(point.lambda, 0);
        let links = self.links.iter().zip(point.q.chunks_exact(12));
        let links = links.zip(point.v.chunks_exact(6).zip(point.vdot.chunks_exact(6)));
        let links = links
            .zip(&mut geometry.columns)
            .zip(dynamics.chunks_exact_mut(6));
        for (i, ((((link, q), (v, vdot)), columns), out)) in links.enumerate() {
            *columns = [[q[1], q[4], q[7]], [q[2], q[5], q[8]]];
            let [c2, c3] = columns;
            let after = self.multiplier(point.lambda, i + 1);
            let mu = Self::moment_arm_force(link, &before, &after);
            let j = &link.inertia;
            out[0] = h2 * (j[0] * vdot[0] + (j[2] - j[1]) * v[1] * v[2]);
            out[1] = h2 * (j[1] * vdot[1] + (j[0] - j[2]) * v[2] * v[0] + dot(c3, &mu));
            out[2] = h2 * (j[2] * vdot[2] + (j[1] - j[0]) * v[0] * v[1] - dot(c2, &mu));
            for k in 0..3 {
                let inertia = link.mass * (vdot[3 + k] - self.gravity[k]);
                out[3 + k] = h2 * (inertia + after[k] - before[k]);
            }
            before = after;

            let (axis, x, u): (V3, V3, V3) = ([q[0], q[3], q[6]], v3(&q[9..]), v3(&v[3..]));
            let turn = combine(v[2], c2, -v[1], c3);
            let at = |s: f64| (add_scaled(&x, s, &axis), add_scaled(&u, s, &turn));
            if i >= first_joint {
                let begin = at(link.first);
                open(&mut gaps, i - first_joint, 1.0, &end.0, &begin.0);
                open(&mut rates, i - first_joint, h, &end.1, &begin.1);
            }
            end = at(link.second);
        }
        let last = self.links.len();
        if self.joints.contains(&last) {
            open(&mut gaps, last - first_joint, 1.0, &end.0, &self.anchors[1]);
            open(&mut rates, last - first_joint, h, &end.1, &[0.0; 3]);
        }
    }
}

/// `out_j = s (a - b)`.
#[inline(always)]
fn open(out: &mut Option<&mut [f64]>, joint: usize, s: f64, a: &V3, b: &V3) {
    if let Some(out) = out {
        for k in 0..3 {
            out[3 * joint + k] = s * (a[k] - b[k]);
        }
    }
}
