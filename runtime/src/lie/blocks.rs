//! 6-vectors as (rotation, translation), and block triangular matrices.

use nalgebra::{Matrix3, SMatrix, SVector, Vector3};

use crate::real::Real;

/// The rotation part and the translation part.
#[inline]
pub(super) fn split<R: Real>(x: &SVector<R, 6>) -> (Vector3<R>, Vector3<R>) {
    (
        Vector3::new(x[0], x[1], x[2]),
        Vector3::new(x[3], x[4], x[5]),
    )
}

/// The 6-vector with the given parts.
#[inline]
pub(super) fn join<R: Real>(rotation: &Vector3<R>, translation: &Vector3<R>) -> SVector<R, 6> {
    SVector::from([
        rotation.x,
        rotation.y,
        rotation.z,
        translation.x,
        translation.y,
        translation.z,
    ])
}

/// `[[first, 0], [corner, last]]`.
#[inline]
pub(super) fn lower<R: Real>(
    first: &Matrix3<R>,
    corner: &Matrix3<R>,
    last: &Matrix3<R>,
) -> SMatrix<R, 6, 6> {
    let mut matrix = SMatrix::<R, 6, 6>::zeros();
    matrix.fixed_view_mut::<3, 3>(0, 0).copy_from(first);
    matrix.fixed_view_mut::<3, 3>(3, 0).copy_from(corner);
    matrix.fixed_view_mut::<3, 3>(3, 3).copy_from(last);
    matrix
}
