//! The additive group of vectors.

use nalgebra::{SMatrix, SVector};

use super::LieGroup;
use crate::real::Real;

/// The vectors of `R^N` under addition; exp and log are the identity map.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rn<R: Real, const N: usize> {
    /// The vector itself.
    pub vector: SVector<R, N>,
}

impl<R: Real, const N: usize> LieGroup<N> for Rn<R, N> {
    type Scalar = R;

    fn identity() -> Self {
        Self::exp(&SVector::zeros())
    }

    fn compose(&self, other: &Self) -> Self {
        Self::exp(&(self.vector + other.vector))
    }

    fn inverse(&self) -> Self {
        Self::exp(&-self.vector)
    }

    fn exp(x: &SVector<R, N>) -> Self {
        Self { vector: *x }
    }

    fn log(&self) -> SVector<R, N> {
        self.vector
    }

    fn ad(_x: &SVector<R, N>) -> SMatrix<R, N, N> {
        SMatrix::zeros()
    }

    fn ad_times(_x: &SVector<R, N>, _y: &SVector<R, N>) -> SVector<R, N> {
        SVector::zeros()
    }

    fn adjoint(&self) -> SMatrix<R, N, N> {
        SMatrix::identity()
    }

    fn adjoint_times(&self, y: &SVector<R, N>) -> SVector<R, N> {
        *y
    }

    fn tangent(_x: &SVector<R, N>) -> SMatrix<R, N, N> {
        SMatrix::identity()
    }

    fn tangent_inverse(_x: &SVector<R, N>) -> SMatrix<R, N, N> {
        SMatrix::identity()
    }

    fn tangent_times(_x: &SVector<R, N>, w: &SVector<R, N>) -> SVector<R, N> {
        *w
    }

    fn tangent_inverse_times(_x: &SVector<R, N>, w: &SVector<R, N>) -> SVector<R, N> {
        *w
    }

    fn tangent_transpose_times(_x: &SVector<R, N>, w: &SVector<R, N>) -> SVector<R, N> {
        *w
    }

    fn tangent_inverse_transpose_times(_x: &SVector<R, N>, w: &SVector<R, N>) -> SVector<R, N> {
        *w
    }

    fn tangent_derivative(_theta: &SVector<R, N>, _x: &SVector<R, N>) -> SMatrix<R, N, N> {
        SMatrix::zeros()
    }

    fn tangent_inverse_derivative(_theta: &SVector<R, N>, _x: &SVector<R, N>) -> SMatrix<R, N, N> {
        SMatrix::zeros()
    }

    fn renormalized(&self) -> Self {
        *self
    }

    fn defect(&self) -> f64 {
        0.0
    }
}
