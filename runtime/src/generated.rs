//! What generated code calls. Not a public interface.

mod arrays;
mod dense;

pub use crate::chain::parts::{
    BodyPart, ElementPart, Item, JointAxis, JointPart, JointPoints, PartStart, Parts,
};
pub use crate::chain::{
    Assembled, InternalConstraint, LinkChain, Load, LoadFrame, Profile, Section, Tree,
};
pub use crate::error::Fault;
pub use crate::generic::description::{Formula, Function, JointKind};
pub use crate::joints::{JointFrame, Place, nearest as nearest_angle};
pub use crate::least_norm::LeastNorm;
pub use crate::lie::coefficients::{
    cosc, cosc_slope, cosine, cot_defect, cot_defect_slope, near, sinc, sine_defect,
    sine_defect_slope, together,
};
pub use crate::lie::{GroupKind, Space};
pub use crate::parameters::{check_count, check_parameter, check_start, finish_start, set_start};
pub use crate::system::{
    Energy, Formulation, Momentum, NewtonCoefficients, NewtonPoint, NewtonVectors, NextStage,
    ResidualPoint, Scratch, Stage, System, compose_residual, compose_stage,
};
pub use arrays::{RowLayout, element_view, member_view, timed_load};
pub use dense::{Dense, LostPivot};
pub use std::sync::LazyLock;

/// Scratch memory of a generated system.
#[derive(Clone, Debug)]
pub struct Workspace<const LU: usize, const BLOCK: usize> {
    /// Factors of the Newton matrix.
    pub lu: [f64; LU],
    /// Blocks of `V T^-1`, `V = dv/dtheta`, without structural entries.
    pub slope: [f64; BLOCK],
    /// Blocks of `P^-1`, without structural entries.
    pub blend: [f64; BLOCK],
    /// Which kernel wrote the factors.
    pub kernel: usize,
    /// For matrices that the fixed order of pivots fails on.
    pub dense: Dense,
}

impl<const LU: usize, const BLOCK: usize> Workspace<LU, BLOCK> {
    /// Memory for matrices up to a size; those of the given sizes are solved with least norm.
    pub fn new(largest: usize, least_norm: &[usize]) -> Self {
        Self {
            lu: [0.0; LU],
            slope: [0.0; BLOCK],
            blend: [0.0; BLOCK],
            kernel: usize::MAX,
            dense: Dense::new(largest, least_norm),
        }
    }
}

/// Smallest ratio of a pivot to the numbers that it is a difference of.
const PIVOT_GROWTH: f64 = 1e-12;

/// The same where pivots can still be chosen.
const FIXED_PIVOT_GROWTH: f64 = 1e-8;

/// Whether a pivot of a fixed order is lost in cancellation, or not a number.
#[inline(always)]
pub fn is_singular(pivot: f64, scale: f64) -> bool {
    !(pivot.abs() > FIXED_PIVOT_GROWTH * scale.abs())
}

/// The error of a lost pivot in a solve for multipliers.
#[cold]
pub fn singular_constraints<S: System>(system: &S, lost: LostPivot) -> Fault {
    Fault::SingularConstraints {
        constraint: system.constraint_name(lost.unknown),
        pivot: lost.pivot,
        scale: 1.0,
    }
}

/// The error of a lost pivot in a Newton matrix.
#[cold]
pub fn singular_newton<S: System>(system: &S, lost: LostPivot) -> Fault {
    let index = lost.unknown;
    let dof = system.space().dof();
    let unknown = if index < dof {
        let factors = system.space().factors().enumerate();
        let mut found = String::new();
        for (i, factor) in factors {
            if factor.velocity.contains(&index) {
                let component = index - factor.velocity.start;
                found = format!("body `{}`, component {component}", system.factor_name(i));
            }
        }
        found
    } else {
        system.constraint_name((index - dof) % system.constraint_count())
    };
    Fault::SingularNewton {
        unknown,
        pivot: lost.pivot,
        scale: 1.0,
    }
}

/// [`System::velocity_of_increment`] for any sigma.
pub fn velocity_of_increment<S: System>(
    system: &S,
    coefficients: &NewtonCoefficients,
    theta: &S::Velocity,
    k: &S::Velocity,
    push: &S::Velocity,
    out: &mut S::Velocity,
) {
    let (theta, k, push) = (theta.as_ref(), k.as_ref(), push.as_ref());
    let out = out.as_mut();
    system.space().tangent_times(theta, k, out);
    for i in 0..out.len() {
        out[i] = coefficients.gamma_h * (theta[i] - out[i] + push[i]);
    }
    for factor in system.space().factors() {
        if let GroupKind::Rn(_) = factor.kind {
            continue; // P = I
        }
        let range = factor.velocity.clone();
        let mut right = [0.0; 6];
        let right = &mut right[..range.len()];
        right.copy_from_slice(&out[range.clone()]);
        let (theta, out) = (&theta[range.clone()], &mut out[range]);
        factor
            .kind
            .blend_solve(coefficients.sigma, theta, right, out);
    }
}

/// The blocks `V T^-1` and `P^-1` of every rotating body:
/// `V = P^-1 (gamma' (I - D_theta[T k]) - (1 - sigma) D_theta[T v])`.
pub fn newton_blocks<S: System>(
    system: &S,
    coefficients: &NewtonCoefficients,
    point: &NewtonPoint<'_, S>,
    slope: &mut [f64],
    blend: &mut [f64],
) {
    let mut place = 0;
    for factor in system.space().factors() {
        let n = match factor.kind {
            GroupKind::Rn(_) => continue,
            kind => kind.dof(),
        };
        let range = factor.velocity.clone();
        let part = |x: &S::Velocity| -> [f64; 6] {
            let mut part = [0.0; 6];
            part[..n].copy_from_slice(&x.as_ref()[range.clone()]);
            part
        };
        let (theta, k, v) = (part(point.theta), part(point.k), part(point.v));
        let (theta, k, v) = (&theta[..n], &k[..n], &v[..n]);
        let sigma = coefficients.sigma;
        let (mut inverse, mut of_k, mut of_v) = ([0.0; 36], [0.0; 36], [0.0; 36]);
        factor
            .kind
            .blend_inverse_into(sigma, theta, &mut inverse[..n * n]);
        factor
            .kind
            .tangent_derivative_into(theta, k, &mut of_k[..n * n]);
        factor
            .kind
            .tangent_derivative_into(theta, v, &mut of_v[..n * n]);
        let mut by_increment = [0.0; 36];
        let mut places = place;
        for i in 0..n {
            for j in 0..n {
                if !is_full(factor.kind, i, j) {
                    if i == j {
                        by_increment[n * i + j] = coefficients.gamma_h;
                    }
                    continue;
                }
                let mut sum = 0.0;
                for l in 0..n {
                    let unit = if l == j { 1.0 } else { 0.0 };
                    let right = coefficients.gamma_h * (unit - of_k[n * l + j])
                        - (1.0 - sigma) * of_v[n * l + j];
                    sum += inverse[n * i + l] * right;
                }
                by_increment[n * i + j] = sum;
                blend[places] = inverse[n * i + j];
                places += 1;
            }
        }
        for j in 0..n {
            // Column j of T^-1.
            let (mut unit, mut column) = ([0.0; 6], [0.0; 6]);
            unit[j] = 1.0;
            factor
                .kind
                .tangent_inverse_times(theta, &unit[..n], &mut column[..n]);
            let mut out = place;
            for i in 0..n {
                for l in 0..n {
                    if !is_full(factor.kind, i, l) {
                        continue;
                    }
                    if l == j {
                        slope[out] = (0..n).map(|k| by_increment[n * i + k] * column[k]).sum();
                    }
                    out += 1;
                }
            }
        }
        place = places;
    }
}

/// Whether an entry of a block is neither structurally zero nor a multiple of the identity.
fn is_full(kind: GroupKind, i: usize, j: usize) -> bool {
    match kind {
        GroupKind::SE3 | GroupKind::S3sR3 => i >= 3 || j < 3,
        _ => i < 3 && j < 3,
    }
}

/// `x` where `left < right`, else `y`.
#[inline(always)]
pub fn select(left: f64, right: f64, x: f64, y: f64) -> f64 {
    if left < right { x } else { y }
}
