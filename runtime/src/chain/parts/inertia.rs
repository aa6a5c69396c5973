//! Inertias that bodies can have.
//!
//! Of any distribution of mass no principal moment of inertia exceeds the sum of the others:
//!
//! ```text
//! c <= a + b,    c - (a + b) = -2 int z^2 dm
//! ```
//!
//! The macro checks this for the default counts; inertias may depend on counts and place.

use super::Parts;
use crate::chain::invalid::InvalidTree;
use crate::lie::GroupKind;
use nalgebra::Matrix3;

/// What rounding of the numbers of a flat body may exceed.
const TOLERANCE: f64 = 1e-9;

impl Parts {
    /// No body has an impossible inertia, unless it was asked for. Other numbers are checked where
    /// they are used.
    pub(super) fn check_inertias(&self) -> Result<(), InvalidTree> {
        for (i, member) in self.members.iter().enumerate() {
            let rotates = !matches!(member.group, GroupKind::Rn(_));
            let Some(body) = member
                .body
                .filter(|body| rotates && !body.inertia_unchecked)
            else {
                continue;
            };
            let moments = principal(&body.inertia);
            let [a, b, c] = moments;
            if a + b < c * (1.0 - TOLERANCE) {
                let item = self.name(i);
                return Err(InvalidTree::ImpossibleInertia { item, moments });
            }
        }
        Ok(())
    }
}

/// Principal moments, the smallest first.
fn principal(inertia: &[[f64; 3]; 3]) -> [f64; 3] {
    let diagonal = (0..9).all(|k| k % 4 == 0 || inertia[k / 3][k % 3] == 0.0);
    let mut moments = if diagonal {
        [inertia[0][0], inertia[1][1], inertia[2][2]]
    } else {
        let matrix = Matrix3::from_fn(|i, j| inertia[i][j]);
        matrix.symmetric_eigenvalues().into()
    };
    moments.sort_by(f64::total_cmp);
    moments
}
