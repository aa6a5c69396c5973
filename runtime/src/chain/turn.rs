//! How far a rod element turns along an increment.
//!
//! Where both ends of an element have quaternions, their signs tell a turn beyond half a circle from
//! its opposite. Rotation matrices do not, but increments do: `exp` of a rotation vector is a
//! quaternion of its own, and that of a relative rotation below half a turn is the one with a
//! positive scalar part. So from the matrix `R` between the ends before an increment,
//!
//! ```text
//! p = exp(-theta_a) q(R) exp(theta_b)            q(R) with scalar part >= 0
//! angle = 2 arccos(scalar part of p)             beyond half a turn if that is negative
//! ```
//!
//! with the rotation vectors of both ends in the axes of the ends: the same decision as on a group of
//! quaternions, whatever the size of a step.

use crate::lie::{LieGroup, Rotation, S3};
use nalgebra::{Matrix3, Vector3};

/// Half of the angle that is left to half a turn where rounding errors may decide.
const ROUNDING: f64 = 1e-12;

/// An eighth of a turn.
const SMALL: f64 = core::f64::consts::FRAC_PI_4;

/// The angle between two quaternions as they are given, if it is half a turn or more.
pub(super) fn apart(a: &S3, b: &S3) -> Option<f64> {
    let product = a.scalar * b.scalar + a.vector.dot(&b.vector);
    (product < ROUNDING).then(|| 2.0 * product.clamp(-1.0, 1.0).acos())
}

/// Whether two ends stay below half a turn in any case: less than a quarter before, by the trace of
/// `R`, and at most an eighth at each end. True for most elements in most steps.
#[inline]
pub(crate) fn stays_below_half_a_turn(trace: f64, turns: [&[f64]; 2]) -> bool {
    let is_small =
        |turn: &[f64]| turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2] < SMALL * SMALL;
    trace > 1.0 && turns.into_iter().all(is_small)
}

/// The angle between two ends after both have turned, if it is beyond half a turn.
pub(crate) fn beyond_half_a_turn(
    between: &Matrix3<f64>,
    [first, second]: [Vector3<f64>; 2],
) -> Option<f64> {
    let start = S3::from_matrix(between);
    let end = S3::exp(&-first).compose(&start).compose(&S3::exp(&second));
    (end.scalar < ROUNDING).then(|| 2.0 * end.scalar.clamp(-1.0, 1.0).acos())
}
