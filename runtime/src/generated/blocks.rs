//! Blocks of the Newton matrix that belong to one body.

use core::ops::{Mul, Range};

use nalgebra::{Matrix3, Vector3};

use crate::lie::GroupKind;
use crate::system::{NewtonCoefficients, NewtonPoint, System};

/// A matrix of one body, `[[rotation, 0], [corner, translation]]`. Direct products have no
/// corner and a multiple of the identity for the translation, rotation groups neither.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block {
    rotation: Matrix3<f64>,
    corner: Matrix3<f64>,
    translation: Matrix3<f64>,
}

impl Block {
    /// Of a matrix by rows.
    #[inline]
    fn read(kind: GroupKind, entries: &[f64; 36]) -> Self {
        let n = kind.dof();
        let part = |row: usize, column: usize| {
            Matrix3::from_fn(|i, j| entries[n * (row + i) + column + j])
        };
        let mut block = Self {
            rotation: part(0, 0),
            corner: Matrix3::zeros(),
            translation: Matrix3::identity(),
        };
        if is_semidirect(kind) {
            (block.corner, block.translation) = (part(3, 0), part(3, 3));
        }
        block
    }

    /// `factor I - self`; for direct products the translation is `factor I`.
    #[inline]
    fn subtracted_from(mut self, kind: GroupKind, factor: f64) -> Self {
        self.rotation = Matrix3::identity() * factor - self.rotation;
        self.translation = if is_semidirect(kind) {
            self.corner = -self.corner;
            Matrix3::identity() * factor - self.translation
        } else {
            Matrix3::identity() * factor
        };
        self
    }

    /// The entry in a row and column.
    pub(super) fn entry(&self, row: usize, column: usize) -> f64 {
        match (row < 3, column < 3) {
            (true, true) => self.rotation[(row, column)],
            (true, false) => 0.0,
            (false, true) => self.corner[(row - 3, column)],
            (false, false) => self.translation[(row - 3, column - 3)],
        }
    }

    /// Multiplies a vector of the body, or its rotation alone, in place.
    pub(super) fn multiply(&self, x: &mut [f64]) {
        let rotation = Vector3::new(x[0], x[1], x[2]);
        x[..3].copy_from_slice((self.rotation * rotation).as_slice());
        if let [_, _, _, u, v, w] = x {
            let translation = self.corner * rotation + self.translation * Vector3::new(*u, *v, *w);
            x[3..].copy_from_slice(translation.as_slice());
        }
    }

    /// Writes the entries that are neither structurally zero nor those of a multiple of the
    /// identity, and says how many there are.
    #[inline]
    fn write(&self, kind: GroupKind, out: &mut [f64]) -> usize {
        let mut place = 0;
        let mut row = |part: &Matrix3<f64>, i: usize| {
            out[place..place + 3].copy_from_slice(&[part[(i, 0)], part[(i, 1)], part[(i, 2)]]);
            place += 3;
        };
        for i in 0..3 {
            row(&self.rotation, i);
        }
        if is_semidirect(kind) {
            for i in 0..3 {
                row(&self.corner, i);
                row(&self.translation, i);
            }
        }
        place
    }
}

impl Mul for Block {
    type Output = Self;

    #[inline]
    fn mul(self, other: Self) -> Self {
        Self {
            rotation: self.rotation * other.rotation,
            corner: self.corner * other.rotation + self.translation * other.corner,
            translation: self.translation * other.translation,
        }
    }
}

fn is_semidirect(kind: GroupKind) -> bool {
    matches!(kind, GroupKind::SE3 | GroupKind::S3sR3)
}

/// A part of a vector.
#[inline]
fn part(x: &[f64], range: &Range<usize>) -> [f64; 6] {
    let mut part = [0.0; 6];
    part[..range.len()].copy_from_slice(&x[range.clone()]);
    part
}

/// `V = dv/dtheta` and `P^-1` of a rotating body, `P = sigma I + (1 - sigma) T(theta)`:
///
/// ```text
/// V = P^-1 (gamma' I - D_theta[T x]),   x = gamma' k + (1 - sigma) v
/// ```
///
/// For sigma = 0 that is `gamma' I`.
#[inline]
pub(super) fn velocity_blocks<S: System>(
    kind: GroupKind,
    range: &Range<usize>,
    coefficients: &NewtonCoefficients,
    point: &NewtonPoint<'_, S>,
) -> [Block; 2] {
    let n = range.len();
    let part = |x: &S::Velocity| part(x.as_ref(), range);
    let &NewtonCoefficients { sigma, gamma_h, .. } = coefficients;
    let (theta, k, v) = (part(point.theta), part(point.k), part(point.v));
    let mut entries = [0.0; 36];
    kind.blend_inverse_into(sigma, &theta[..n], &mut entries[..n * n]);
    let blend = Block::read(kind, &entries);
    let mut derivative = Block::read(kind, &[0.0; 36]);
    if sigma == 0.0 {
        return [derivative.subtracted_from(kind, gamma_h), blend];
    }
    let x: [f64; 6] = core::array::from_fn(|i| gamma_h * k[i] + (1.0 - sigma) * v[i]);
    kind.tangent_derivative_into(&theta[..n], &x[..n], &mut entries[..n * n]);
    derivative = Block::read(kind, &entries);
    [blend * derivative.subtracted_from(kind, gamma_h), blend]
}

/// `P^-1` of a rotating body; `T(theta)^-1` for sigma = 0.
pub(super) fn inverse_blend(kind: GroupKind, sigma: f64, theta: &[f64]) -> Block {
    let n = theta.len();
    let mut entries = [0.0; 36];
    kind.blend_inverse_into(sigma, theta, &mut entries[..n * n]);
    Block::read(kind, &entries)
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
        let (kind, range) = (factor.kind, &factor.velocity);
        if let GroupKind::Rn(_) = kind {
            continue;
        }
        let [velocity, unblend] = velocity_blocks(kind, range, coefficients, point);
        let inverse = if coefficients.sigma == 0.0 {
            unblend
        } else {
            inverse_blend(kind, 0.0, &point.theta.as_ref()[range.clone()])
        };
        unblend.write(kind, &mut blend[place..]);
        place += (velocity * inverse).write(kind, &mut slope[place..]);
    }
}
