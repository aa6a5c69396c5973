//! Blocks of the Newton matrix that belong to one body.

use core::ops::{Mul, Range};

use nalgebra::{Matrix3, Matrix6, SVector, Vector3, Vector6};

use crate::lie::{Blend, GroupKind, LieGroup, SE3, SO3};
use crate::system::{NewtonCoefficients, NewtonPoint, System};

/// A matrix of one body, `[[rotation, 0], [corner, translation]]`: the same for matrices and
/// quaternions, which have the same Lie algebra.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block {
    rotation: Matrix3<f64>,
    /// Corner and translation, on semidirect products.
    below: Option<[Matrix3<f64>; 2]>,
    /// Elsewhere there is no corner, and the translation is this multiple of the identity.
    unit: f64,
}

impl Block {
    /// Of a rotation group or a direct product.
    #[inline]
    fn turning(rotation: Matrix3<f64>) -> Self {
        Self {
            rotation,
            below: None,
            unit: 1.0,
        }
    }

    /// Of a semidirect product.
    #[inline]
    fn moving(matrix: &Matrix6<f64>) -> Self {
        let part = |row, column| matrix.fixed_view::<3, 3>(row, column).into_owned();
        Self {
            rotation: part(0, 0),
            below: Some([part(3, 0), part(3, 3)]),
            unit: 1.0,
        }
    }

    /// `factor I`.
    #[inline]
    fn unit(kind: GroupKind, factor: f64) -> Self {
        let unit = Matrix3::identity() * factor;
        Self {
            rotation: unit,
            below: is_semidirect(kind).then_some([Matrix3::zeros(), unit]),
            unit: factor,
        }
    }

    /// `factor I - self`; the unit of direct products becomes `factor`.
    #[inline]
    fn subtracted_from(self, factor: f64) -> Self {
        let unit = Matrix3::identity() * factor;
        Self {
            rotation: unit - self.rotation,
            below: self
                .below
                .map(|[corner, translation]| [-corner, unit - translation]),
            unit: factor,
        }
    }

    #[inline]
    fn scaled(self, factor: f64) -> Self {
        Self {
            rotation: self.rotation * factor,
            below: self.below.map(|parts| parts.map(|part| part * factor)),
            unit: self.unit * factor,
        }
    }

    /// Multiplies a vector of the body, or its rotation alone, in place.
    pub(super) fn multiply(&self, x: &mut [f64]) {
        let rotation = Vector3::new(x[0], x[1], x[2]);
        x[..3].copy_from_slice((self.rotation * rotation).as_slice());
        if let [_, _, _, x @ ..] = x {
            if let (Some([corner, translation]), &mut [u, v, w]) = (self.below, &mut *x) {
                let moved = corner * rotation + translation * Vector3::new(u, v, w);
                x.copy_from_slice(moved.as_slice());
            } else {
                for x in x {
                    *x *= self.unit;
                }
            }
        }
    }

    /// Writes the entries that are neither structurally zero nor those of a multiple of the
    /// identity, by rows, and says how many there are.
    #[inline]
    fn write(&self, out: &mut [f64]) -> usize {
        if let Some([corner, translation]) = self.below {
            for i in 0..3 {
                out[3 * i..3 * i + 3].copy_from_slice(self.rotation.row(i).transpose().as_slice());
                let row = &mut out[9 + 6 * i..15 + 6 * i];
                row[..3].copy_from_slice(corner.row(i).transpose().as_slice());
                row[3..].copy_from_slice(translation.row(i).transpose().as_slice());
            }
            return 27;
        }
        out[..9].copy_from_slice(self.rotation.transpose().as_slice());
        9
    }
}

impl Mul for Block {
    type Output = Self;

    #[inline]
    fn mul(self, other: Self) -> Self {
        let below = self.below.zip(other.below);
        Self {
            rotation: self.rotation * other.rotation,
            below: below.map(
                |([corner, translation], [other_corner, other_translation])| {
                    [
                        corner * other.rotation + translation * other_corner,
                        translation * other_translation,
                    ]
                },
            ),
            unit: self.unit * other.unit,
        }
    }
}

fn is_semidirect(kind: GroupKind) -> bool {
    matches!(kind, GroupKind::SE3 | GroupKind::S3sR3)
}

/// `V = dv/dtheta` of a rotating body, `P = sigma I + (1 - sigma) T(theta)`:
///
/// ```text
/// V = P^-1 (gamma' I - D_theta[T x]),   x = gamma' k + (1 - sigma) v
/// ```
///
/// For sigma = 0 that is `gamma' I`.
#[inline]
pub(super) fn velocity_block<'a, S: System>(
    kind: GroupKind,
    range: &Range<usize>,
    coefficients: &NewtonCoefficients,
    point: &NewtonPoint<'a, S>,
) -> Block {
    let &NewtonCoefficients { sigma, gamma_h, .. } = coefficients;
    if sigma == 0.0 {
        return Block::unit(kind, gamma_h);
    }
    let part = |x: &'a S::Velocity| &x.as_ref()[range.clone()];
    let (theta, k, v) = (part(point.theta), part(point.k), part(point.v));
    let x = |i: usize| gamma_h * k[i] + (1.0 - sigma) * v[i];
    let derivative = if is_semidirect(kind) {
        let x = Vector6::from_fn(|i, _| x(i));
        Block::moving(&SE3::tangent_derivative(&vector(theta), &x))
    } else {
        let x = Vector3::from_fn(|i, _| x(i));
        Block::turning(SO3::tangent_derivative(&vector(theta), &x))
    };
    inverse_blend(kind, sigma, theta) * derivative.subtracted_from(gamma_h)
}

/// `P^-1` of a rotating body; `T(theta)^-1` for sigma = 0.
#[inline]
pub(super) fn inverse_blend(kind: GroupKind, sigma: f64, theta: &[f64]) -> Block {
    if 1.0 - sigma == 0.0 {
        Block::unit(kind, 1.0)
    } else if is_semidirect(kind) {
        Block::moving(&SE3::blend_inverse(sigma, &vector(theta)))
    } else {
        Block::turning(SO3::blend_inverse(sigma, &vector(theta)))
    }
}

/// The first components.
#[inline]
fn vector<const N: usize>(x: &[f64]) -> SVector<f64, N> {
    SVector::from_column_slice(&x[..N])
}

/// The blocks `V T^-1` and `P^-1` of every rotating body, without structural entries.
pub fn newton_blocks<S: System>(
    system: &S,
    coefficients: &NewtonCoefficients,
    point: &NewtonPoint<'_, S>,
    slope: &mut [f64],
    blend: &mut [f64],
) {
    let &NewtonCoefficients { sigma, gamma_h, .. } = coefficients;
    let mut place = 0;
    for factor in system.space().factors() {
        let (kind, range) = (factor.kind, &factor.velocity);
        if let GroupKind::Rn(_) = kind {
            continue;
        }
        let theta = &point.theta.as_ref()[range.clone()];
        let inverse = inverse_blend(kind, 0.0, theta);
        let (of_slope, of_blend) = if sigma == 0.0 {
            (inverse.scaled(gamma_h), inverse)
        } else {
            let velocity = velocity_block(kind, range, coefficients, point);
            (velocity * inverse, inverse_blend(kind, sigma, theta))
        };
        of_blend.write(&mut blend[place..]);
        place += of_slope.write(&mut slope[place..]);
    }
}
