//! The whole Newton matrix of a chain as a band, where the rotation of a link cannot be eliminated.
//!
//! A link that is pushed along its axis may have a singular block `A` of its own although its joints
//! hold it. Then nothing is eliminated beforehand. The unknowns are those of a joint and of the link
//! after it in turn, and with the letters of [`newton`](super::newton) and
//! [`stabilized`](super::stabilized) a link adds, for the joints before and after it with
//! `(arm, sign) = (first, -1)` and `(-second, 1)`,
//!
//! ```text
//! | A        0       arm N^T    arm F       |   rotation
//! | 0        m*      sign       sign m* h   |   translation
//! | arm N*   sign t  0          0           |   joint: lambda
//! | arm N+   sign h gamma'  0   arm arm' h N k + sign sign' h^2 gamma'   |   joint: eta
//! ```
//!
//! with `k = gamma' h P^-1 N(q_n)^T`, so that `F = h^2 (epsilon' J + D) k`. The last row and column
//! belong to the stabilized formulation, where `N* = N T` and `t = 1`.

use super::super::banded::Banded;
use super::newton::{LinkTangents, n_transposed, translation_parts};
use super::small::M3;
use super::stabilized::LinkPush;
use super::{Body, LinkChain};
use crate::error::Fault;
use crate::system::{
    Bodies, Constrained, Formulation, NewtonCoefficients, NewtonPoint, NewtonVectors,
};

/// Matrix and right-hand side of all unknowns; without memory until they are needed.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct CompleteMatrix {
    band: Banded,
    right: Vec<f64>,
    /// Unknowns of a joint.
    each: usize,
}

/// A joint of a link: where its unknowns begin, `arm` and `sign`.
type Side = (usize, f64, f64);

impl CompleteMatrix {
    /// Where the unknowns of a joint begin.
    fn joint(&self, chain: &LinkChain, joint: usize) -> usize {
        (joint - chain.joints.start) * self.each + 6 * joint
    }

    /// Where the unknowns of a link begin.
    fn link(&self, chain: &LinkChain, link: usize) -> usize {
        (link + 1 - chain.joints.start) * self.each + 6 * link
    }

    fn add_block(&mut self, row: usize, column: usize, factor: f64, block: &M3) {
        for (i, values) in block.iter().enumerate() {
            for (j, x) in values.iter().enumerate() {
                self.band.add(row + i, column + j, factor * x);
            }
        }
    }

    fn add_diagonal(&mut self, row: usize, column: usize, value: f64) {
        for i in 0..3 {
            self.band.add(row + i, column + i, value);
        }
    }

    fn sides(
        &self,
        chain: &LinkChain,
        i: usize,
        link: &Body,
    ) -> impl Iterator<Item = Side> + use<> {
        let side = |joint: usize, arm: f64, sign: f64| {
            let exists = chain.joints.contains(&joint);
            exists.then(|| (self.joint(chain, joint), arm, sign))
        };
        [side(i, link.first, -1.0), side(i + 1, -link.second, 1.0)]
            .into_iter()
            .flatten()
    }
}

impl LinkChain {
    /// Assembles and factors the matrix.
    #[cold]
    pub(super) fn factor_complete(
        &self,
        coefficients: &NewtonCoefficients,
        point: &NewtonPoint<'_, Self>,
        matrix: &mut CompleteMatrix,
    ) -> Result<(), Fault> {
        let NewtonCoefficients { h, gamma_h, .. } = *coefficients;
        let stabilized = coefficients.formulation == Formulation::StabilizedIndex2;
        let (links, joints) = (self.links.len(), self.joints.len());
        matrix.each = if stabilized { 6 } else { 3 };
        // From a joint to the link after it, or from eta to that of the next joint.
        let width = matrix.each + if stabilized { 8 } else { 5 };
        let size = 6 * links + matrix.each * joints;
        matrix.band.begin(size, width, width);
        let (mobility, translation) = translation_parts(coefficients);
        let mut before = self.multiplier(point.lambda, 0);
        for (i, link) in self.links.iter().enumerate() {
            let after = self.multiplier(point.lambda, i + 1);
            let mu = Self::moment_arm_force(link, &before, &after);
            before = after;
            let columns = &point.geometry.columns[i];
            let tangents = LinkTangents::at(i, link, coefficients, point);
            let (block, _) = tangents.block(coefficients, columns, &mu);
            let held = tangents.held(coefficients, columns, &point.v[6 * i..6 * i + 3]);
            let (at, mass) = (matrix.link(self, i), link.mass / mobility);
            matrix.add_block(at, at, 1.0, &block);
            matrix.add_diagonal(at + 3, at + 3, mass);
            for (joint, arm, sign) in matrix.sides(self, i, link) {
                matrix.add_block(at, joint, arm, &n_transposed(columns));
                matrix.add_diagonal(at + 3, joint, sign);
                matrix.add_block(joint, at, arm, &held);
                matrix.add_diagonal(joint, at + 3, sign * translation);
            }
            if !stabilized {
                continue;
            }
            let LinkPush {
                hidden,
                push,
                direct,
            } = &Self::link_push(i, link, coefficients, point);
            for (joint, arm, sign) in matrix.sides(self, i, link) {
                let eta = joint + 3;
                matrix.add_block(at, eta, arm, push);
                matrix.add_diagonal(at + 3, eta, sign * mass * h);
                matrix.add_block(eta, at, arm, hidden);
                matrix.add_diagonal(eta, at + 3, sign * h * gamma_h);
                for (other, other_arm, other_sign) in matrix.sides(self, i, link) {
                    matrix.add_block(eta, other + 3, arm * other_arm, direct);
                    matrix.add_diagonal(eta, other + 3, sign * other_sign * h * h * gamma_h);
                }
            }
        }
        matrix.band.factor().map_err(|lost| Fault::SingularNewton {
            unknown: self.unknown_name(matrix, lost.column),
            pivot: lost.pivot,
            scale: lost.scale,
        })
    }

    fn unknown_name(&self, matrix: &CompleteMatrix, unknown: usize) -> String {
        let last = (0..self.links.len()).rev();
        let link = last.clone().find(|i| matrix.link(self, *i) <= unknown);
        match link {
            Some(i) if unknown < matrix.link(self, i) + 6 => {
                let part = if unknown < matrix.link(self, i) + 3 {
                    "rotation"
                } else {
                    "translation"
                };
                format!("body `{}`, {part}", self.factor_name(i))
            }
            _ => {
                let joint = link.map_or(0, |i| i + 1);
                let axis = (unknown - matrix.joint(self, joint)) % 3;
                self.constraint_name(3 * (joint - self.joints.start) + axis)
            }
        }
    }

    /// Replaces a residual by the correction.
    #[cold]
    pub(super) fn solve_complete(
        &self,
        vectors: &mut NewtonVectors<Self>,
        matrix: &mut CompleteMatrix,
    ) {
        let mut right = core::mem::take(&mut matrix.right);
        right.resize(6 * self.links.len() + matrix.each * self.joints.len(), 0.0);
        self.each_part(vectors, matrix, |at, part| {
            right[at..at + part.len()].copy_from_slice(part);
        });
        matrix.band.solve(&mut right);
        self.each_part(vectors, matrix, |at, part| {
            part.copy_from_slice(&right[at..at + part.len()]);
        });
        matrix.right = right;
    }

    /// Calls `visit` with the parts of a residual, and where they are among the unknowns.
    fn each_part(
        &self,
        vectors: &mut NewtonVectors<Self>,
        matrix: &CompleteMatrix,
        mut visit: impl FnMut(usize, &mut [f64]),
    ) {
        for (i, link) in vectors.dynamics.chunks_exact_mut(6).enumerate() {
            visit(matrix.link(self, i), link);
        }
        let joints = vectors.constraint.chunks_exact_mut(3);
        let joints = joints.zip(vectors.hidden.chunks_exact_mut(3));
        for (joint, (lambda, eta)) in self.joints.clone().zip(joints) {
            let at = matrix.joint(self, joint);
            visit(at, lambda);
            if matrix.each == 6 {
                visit(at + 3, eta);
            }
        }
    }
}
