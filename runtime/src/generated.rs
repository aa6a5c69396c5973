//! What generated code calls. Not a public interface.

mod arrays;
mod blocks;
mod dense;
mod names;
pub mod newton;
pub mod pivoted;
mod products;
mod sparse;

pub use crate::chain::parts::{
    BodyPart, ElementPart, ForcePart, Item, JointAxis, JointPart, JointPoints, JointRow, LoadPart,
    PartStart, Parts, Row,
};
pub use crate::chain::{
    Assembled, InternalConstraint, InvalidTree, LinkChain, Load, LoadFrame, Profile, Section, Tree,
};
pub use crate::consistency::Projection;
pub use crate::error::Fault;
pub use crate::generic::GenericSystem;
pub use crate::generic::description::{
    self, BodyQuantity, Formula, Function, JointKind, JointQuantity, LoadFrame as LoadAxes, Motion,
};
pub use crate::joints::{Joint, JointFrame, Place, nearest as nearest_angle, turned_back};
pub use crate::least_norm::LeastNorm;
pub use crate::lie::coefficients::{
    NEAR, cosc, cosc_slope, cosine, cot_defect, cot_defect_slope, near, out_of_line, sinc,
    sine_defect, sine_defect_slope,
};
pub use crate::lie::{GroupKind, Space};
pub use crate::norm::magnitudes;
pub use crate::parameters::{
    InvalidParameters, assembled, check_constraints, check_count, check_inertia, check_numbers,
    check_parameter, check_springs, check_start, finish_start, set_start,
};
pub use crate::state::State;
pub use crate::system::{
    Bodies, Constrained, Energy, Formulation, Implicit, Manifold, Mechanics, Momentum,
    NewtonCoefficients, NewtonPoint, NewtonVectors, NextStage, ResidualPoint, ResidualSize,
    Scratch, ShortCorrection, ShortPoint, Stage, compose_correction, compose_residual,
    compose_stage,
};
pub use crate::view::{BodyView, ModesView};
pub use crate::{branches_of_joints, names_of_bodies, on_product_of_groups};
pub use arrays::{RowLayout, at_start, element_view, member_view, reals, timed_load};
pub use blocks::newton_blocks;
pub use dense::Dense;
pub use names::{Box, Err, None, Ok, Option, Result, Some, String, Vec, local, text, vec};
pub use newton::{SparseNewton, Structure};
pub use products::{add_mul, det2, dot2, dot3, sub_mul};
#[cfg(test)]
pub(crate) use sparse::sparse_of;
pub use std::sync::LazyLock;

/// Scratch memory of a generated system.
#[derive(Clone, Debug)]
pub struct Workspace<
    const LU: usize,
    const BLOCK: usize,
    const ENTRIES: usize,
    const HIDDEN: usize,
    const ETA: usize,
> {
    /// Factors of the Newton matrix.
    pub lu: [f64; LU],
    /// Blocks of `V T^-1`, `V = dv/dtheta`, without structural entries.
    pub slope: [f64; BLOCK],
    /// Blocks of `P^-1`, without structural entries.
    pub blend: [f64; BLOCK],
    /// Which kernel wrote the factors, or [`PIVOTED`].
    pub kernel: usize,
    /// For matrices that the fixed order of pivots fails on.
    pub dense: Dense,
    /// Of a large model: entries of the Newton matrix in the equations of motion and in `B`.
    pub entries: [f64; ENTRIES],
    /// In the rows of `h B v`.
    pub hidden: [f64; HIDDEN],
    /// In the columns of `eta`.
    pub eta: [f64; ETA],
    /// The matrix of these entries.
    pub sparse: SparseNewton,
}

impl<
    const LU: usize,
    const BLOCK: usize,
    const ENTRIES: usize,
    const HIDDEN: usize,
    const ETA: usize,
> Workspace<LU, BLOCK, ENTRIES, HIDDEN, ETA>
{
    /// Memory for dense matrices up to a size, of which those of the given sizes are solved with
    /// least norm, and for the sparse matrices of a large model.
    pub fn new(largest: usize, least_norm: &[usize], sparse: SparseNewton) -> Self {
        Self {
            lu: [0.0; LU],
            slope: [0.0; BLOCK],
            blend: [0.0; BLOCK],
            kernel: PIVOTED,
            dense: Dense::new(largest, least_norm),
            entries: [0.0; ENTRIES],
            hidden: [0.0; HIDDEN],
            eta: [0.0; ETA],
            sparse,
        }
    }
}

impl<
    const LU: usize,
    const BLOCK: usize,
    const ENTRIES: usize,
    const HIDDEN: usize,
    const ETA: usize,
> crate::system::Workspace for Workspace<LU, BLOCK, ENTRIES, HIDDEN, ETA>
{
    fn dense(&mut self) -> &mut Dense {
        &mut self.dense
    }
}

/// Stands for a kernel: the factors are those of elimination with a choice of pivots.
pub const PIVOTED: usize = usize::MAX;

/// Largest ratio of a number that a pivot of a fixed order is a difference of to that pivot: as
/// many digits are lost. The Puma 560, whose rows have different units, came to 4e5.
const LARGEST_GROWTH: f64 = 1e6;

/// Whether a pivot of a fixed order is lost in cancellation, or not a number.
///
/// The sum has no branches, is as large as its largest term, and not a number if one is not.
#[inline(always)]
pub fn is_lost(growth: &[f64]) -> bool {
    let sum: f64 = growth.iter().map(|growth| growth.abs()).sum();
    !(sum < LARGEST_GROWTH)
}

/// [`Implicit::velocity_of_increment`] for any sigma.
///
/// With sigma = 0, `P^-1 = T^-1` takes `theta` to itself and `T k` to `k`: then `gamma' (theta - k)`
/// is left where nothing pushes.
pub fn velocity_of_increment<S: Manifold + ?Sized>(
    system: &S,
    coefficients: &NewtonCoefficients,
    theta: &S::Velocity,
    k: &S::Velocity,
    push: &S::Velocity,
    out: &mut S::Velocity,
) {
    let &NewtonCoefficients { gamma_h, sigma, .. } = coefficients;
    let pushes = push.as_ref().iter().any(|push| *push != 0.0);
    if sigma == 0.0 && !pushes {
        let parts = theta.as_ref().iter().zip(k.as_ref());
        for (out, (theta, k)) in out.as_mut().iter_mut().zip(parts) {
            *out = gamma_h * (theta - k);
        }
        return;
    }
    system.tangent(theta, k, out);
    let parts = theta.as_ref().iter().zip(push.as_ref());
    for (out, (theta, push)) in out.as_mut().iter_mut().zip(parts) {
        *out = gamma_h * (theta - *out + push);
    }
    system.blend_solve(sigma, theta, out);
}

/// Names the first force whose power is not finite.
#[cold]
pub fn not_finite(powers: &[(&str, f64)]) -> Option<String> {
    let (name, _) = powers.iter().find(|(_, power)| !power.is_finite())?;
    Some(format!("force `{name}`"))
}

/// `x` where `left < right`, else `y`.
#[inline(always)]
pub fn select(left: f64, right: f64, x: f64, y: f64) -> f64 {
    if left < right { x } else { y }
}
