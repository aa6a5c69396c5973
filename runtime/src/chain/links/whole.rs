//! The joints of a chain as one band matrix, where a block of three is singular.
//!
//! Block elimination exchanges no rows between joints. A block may be singular
//! although the matrix is not: `S` of a stage is not symmetric, and that of a
//! Newton iteration not definite. Then the same blocks are put into a band,
//! with the letters of [`sweep`](super::sweep):
//!
//! ```text
//! link i adds  first^2 Q + t/m to S_ii,  second^2 Q + t/m to S_{i+1,i+1},  -(first second Q + t/m) between
//! ```

use super::super::banded::Banded;
use super::small::{M3, scaled_plus_diagonal};
use super::sweep::Links;
use super::{Body, LinkChain};
use crate::error::Fault;

/// Neighbouring blocks of three.
const BANDWIDTH: usize = 5;

/// Matrix and right-hand side of all joints; without memory until they are needed.
#[derive(Clone, Debug, Default)]
pub(super) struct WholeJoints {
    band: Banded,
    pub(super) right: Vec<f64>,
}

impl WholeJoints {
    pub(super) fn begin(&mut self, joints: usize) {
        self.band.begin(3 * joints, BANDWIDTH, BANDWIDTH);
    }

    /// Adds what link `i` contributes, with `Q` and `t / m`.
    pub(super) fn add(&mut self, chain: &LinkChain, i: usize, link: &Body, q: &M3, shift: f64) {
        let sides = [(i, link.first, -1.0), (i + 1, -link.second, 1.0)];
        for (row, turn_row, sign_row) in sides {
            for (column, turn_column, sign_column) in sides {
                if !(chain.joints.contains(&row) && chain.joints.contains(&column)) {
                    continue;
                }
                let block =
                    scaled_plus_diagonal(turn_row * turn_column, q, sign_row * sign_column * shift);
                let at = |joint: usize| 3 * (joint - chain.joints.start);
                for (r, values) in block.iter().enumerate() {
                    for (c, x) in values.iter().enumerate() {
                        self.band.add(at(row) + r, at(column) + c, *x);
                    }
                }
            }
        }
    }

    pub(super) fn factor(&mut self, chain: &LinkChain) -> Result<(), Fault> {
        self.band.factor().map_err(|lost| {
            let joint = chain.joints.start + lost.column / 3;
            chain.singular_joint(joint, lost.pivot, lost.scale)
        })
    }

    pub(super) fn solve(&self, right: &mut [f64]) {
        self.band.solve(right);
    }
}

impl LinkChain {
    /// [`Self::sweep`] with exchanges of rows between joints, from the right-hand side in
    /// `whole`; the solution is in `x`.
    #[cold]
    pub(super) fn solve_whole(
        &self,
        x: &mut [f64],
        whole: &mut WholeJoints,
        links: &mut impl Links,
    ) -> Result<(), Fault> {
        whole.begin(self.joints.len());
        for (i, link) in self.links.iter().enumerate() {
            let (mut before, mut after) = (
                self.multiplier(&whole.right, i),
                self.multiplier(&whole.right, i + 1),
            );
            let [next, this] = links.load(i, link, &mut before, &mut after);
            let q = Self::mobility(link, &next, &this);
            whole.add(self, i, link, &q, link.inverse_mass);
            for (joint, right) in [(i, before), (i + 1, after)] {
                if self.joints.contains(&joint) {
                    let at = 3 * (joint - self.joints.start);
                    whole.right[at..at + 3].copy_from_slice(&right);
                }
            }
        }
        whole.factor(self)?;
        x.copy_from_slice(&whole.right);
        whole.solve(x);
        for (i, link) in self.links.iter().enumerate().rev() {
            links.unload(i, link, &self.multiplier(x, i), &self.multiplier(x, i + 1));
        }
        Ok(())
    }
}
