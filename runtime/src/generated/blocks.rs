//! Blocks of the Newton matrix that belong to one body.

use core::ops::Range;

use crate::lie::GroupKind;
use crate::system::{NewtonCoefficients, NewtonPoint, System};

/// Square matrices of one body, by rows.
pub(super) struct VelocityBlocks {
    /// `V = dv/dtheta`.
    pub(super) velocity: [f64; 36],
    /// `P^-1`, `P = sigma I + (1 - sigma) T(theta)`.
    pub(super) blend: [f64; 36],
}

/// A part of a vector.
fn part(x: &[f64], range: &Range<usize>) -> [f64; 6] {
    let mut part = [0.0; 6];
    part[..range.len()].copy_from_slice(&x[range.clone()]);
    part
}

/// `V = P^-1 (gamma' (I - D_theta[T k]) - (1 - sigma) D_theta[T v])` of a rotating body.
#[inline]
pub(super) fn velocity_blocks<S: System>(
    kind: GroupKind,
    range: &Range<usize>,
    coefficients: &NewtonCoefficients,
    point: &NewtonPoint<'_, S>,
) -> VelocityBlocks {
    let n = range.len();
    let part = |x: &S::Velocity| part(x.as_ref(), range);
    let (theta, k, v) = (part(point.theta), part(point.k), part(point.v));
    let (theta, k, v) = (&theta[..n], &k[..n], &v[..n]);
    let sigma = coefficients.sigma;
    let (mut blend, mut of_k, mut of_v) = ([0.0; 36], [0.0; 36], [0.0; 36]);
    kind.blend_inverse_into(sigma, theta, &mut blend[..n * n]);
    kind.tangent_derivative_into(theta, k, &mut of_k[..n * n]);
    kind.tangent_derivative_into(theta, v, &mut of_v[..n * n]);
    let mut velocity = [0.0; 36];
    for i in 0..n {
        for j in 0..n {
            if !is_full(kind, i, j) {
                if i == j {
                    velocity[n * i + j] = coefficients.gamma_h;
                }
                continue;
            }
            let mut sum = 0.0;
            for l in 0..n {
                let unit = if l == j { 1.0 } else { 0.0 };
                let right = coefficients.gamma_h * (unit - of_k[n * l + j])
                    - (1.0 - sigma) * of_v[n * l + j];
                sum += blend[n * i + l] * right;
            }
            velocity[n * i + j] = sum;
        }
    }
    VelocityBlocks { velocity, blend }
}

/// The blocks `V T^-1` and `P^-1` of every rotating body, without structural entries.
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
        let blocks = velocity_blocks(factor.kind, &factor.velocity, coefficients, point);
        let theta = part(point.theta.as_ref(), &factor.velocity);
        // Columns of T^-1.
        let mut inverse = [[0.0; 6]; 6];
        for (j, column) in inverse.iter_mut().enumerate().take(n) {
            let mut unit = [0.0; 6];
            unit[j] = 1.0;
            let (theta, unit) = (&theta[..n], &unit[..n]);
            factor
                .kind
                .tangent_inverse_times(theta, unit, &mut column[..n]);
        }
        for i in 0..n {
            for j in (0..n).filter(|j| is_full(factor.kind, i, *j)) {
                blend[place] = blocks.blend[n * i + j];
                let row = &blocks.velocity[n * i..n * (i + 1)];
                slope[place] = row.iter().zip(&inverse[j]).map(|(x, y)| x * y).sum();
                place += 1;
            }
        }
    }
}

/// Whether an entry of a block is neither structurally zero nor a multiple of the identity.
fn is_full(kind: GroupKind, i: usize, j: usize) -> bool {
    match kind {
        GroupKind::SE3 | GroupKind::S3sR3 => i >= 3 || j < 3,
        _ => i < 3 && j < 3,
    }
}
