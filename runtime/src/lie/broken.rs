//! Groups with one deliberate fault, to show that the laws notice it.

use nalgebra::{SMatrix, SVector};

use super::LieGroup;
use super::laws::Testable;
use crate::real::Real;

/// The faults, each with the law that has to notice it.
pub(super) const FAULTS: [(&str, &str); 20] = [
    ("compose: a ∘ b⁻¹", "composition"),
    ("inverse: the element itself", "inverse"),
    ("exp: negative argument", "logarithm"),
    ("log: negative result", "logarithm"),
    ("ad: negative", "adjoint_series"),
    ("ad_times: negative", "products"),
    ("adjoint: of the inverse", "adjoint"),
    ("adjoint_times: of the inverse", "products"),
    ("tangent: negative argument", "tangent_inverse"),
    ("tangent_inverse: negative argument", "tangent_inverse"),
    ("tangent_times: negative argument", "products"),
    ("tangent_inverse_times: negative argument", "products"),
    ("tangent_transpose_times: negative argument", "products"),
    (
        "tangent_inverse_transpose_times: negative argument",
        "products",
    ),
    ("tangent_derivative: negative", "tangent_derivative"),
    (
        "tangent_inverse_derivative: negative",
        "tangent_inverse_derivative",
    ),
    // Consistent with each other, and seen only by differentiating exp.
    ("tangent and its inverse: negative argument", "tangent"),
    (
        "difference: in the opposite direction, doubled",
        "interpolation",
    ),
    ("renormalized: the identity", "normalization"),
    ("ad_times: nonlinear; tangent: doubled", "fixed_vector"),
];

/// The group `G` with fault number `FAULT`.
#[derive(Clone, Copy)]
pub(super) struct Broken<G, const FAULT: usize>(G);

impl<const DOF: usize, G: Testable<DOF>, const FAULT: usize> Testable<DOF> for Broken<G, FAULT> {
    type Dual = Broken<G::Dual, FAULT>;

    fn components(&self) -> SVector<f64, 12> {
        self.0.components()
    }
}

/// `-x` where the fault is, and `x` elsewhere.
fn negated_if<R: Real, const M: usize, const N: usize>(
    fault: bool,
    x: SMatrix<R, M, N>,
) -> SMatrix<R, M, N> {
    if fault { -x } else { x }
}

impl<const DOF: usize, G: LieGroup<DOF>, const FAULT: usize> LieGroup<DOF> for Broken<G, FAULT> {
    type Scalar = G::Scalar;

    fn identity() -> Self {
        Self(G::identity())
    }

    fn compose(&self, other: &Self) -> Self {
        if FAULT == 0 {
            Self(self.0.compose(&other.0.inverse()))
        } else {
            Self(self.0.compose(&other.0))
        }
    }

    fn inverse(&self) -> Self {
        if FAULT == 1 {
            *self
        } else {
            Self(self.0.inverse())
        }
    }

    fn exp(x: &SVector<G::Scalar, DOF>) -> Self {
        Self(G::exp(&negated_if(FAULT == 2, *x)))
    }

    fn log(&self) -> SVector<G::Scalar, DOF> {
        negated_if(FAULT == 3, self.0.log())
    }

    fn ad(x: &SVector<G::Scalar, DOF>) -> SMatrix<G::Scalar, DOF, DOF> {
        negated_if(FAULT == 4, G::ad(x))
    }

    fn ad_times(
        x: &SVector<G::Scalar, DOF>,
        y: &SVector<G::Scalar, DOF>,
    ) -> SVector<G::Scalar, DOF> {
        let product = negated_if(FAULT == 5, G::ad_times(x, y));
        if FAULT == 19 { product * x[0] } else { product }
    }

    fn adjoint(&self) -> SMatrix<G::Scalar, DOF, DOF> {
        if FAULT == 6 {
            self.0.inverse().adjoint()
        } else {
            self.0.adjoint()
        }
    }

    fn adjoint_times(&self, y: &SVector<G::Scalar, DOF>) -> SVector<G::Scalar, DOF> {
        if FAULT == 7 {
            self.0.inverse().adjoint_times(y)
        } else {
            self.0.adjoint_times(y)
        }
    }

    fn tangent(x: &SVector<G::Scalar, DOF>) -> SMatrix<G::Scalar, DOF, DOF> {
        let tangent = G::tangent(&negated_if(FAULT == 8 || FAULT == 16, *x));
        if FAULT == 19 {
            tangent + tangent
        } else {
            tangent
        }
    }

    fn tangent_inverse(x: &SVector<G::Scalar, DOF>) -> SMatrix<G::Scalar, DOF, DOF> {
        G::tangent_inverse(&negated_if(FAULT == 9 || FAULT == 16, *x))
    }

    fn tangent_times(
        x: &SVector<G::Scalar, DOF>,
        w: &SVector<G::Scalar, DOF>,
    ) -> SVector<G::Scalar, DOF> {
        G::tangent_times(&negated_if(FAULT == 10 || FAULT == 16, *x), w)
    }

    fn tangent_inverse_times(
        x: &SVector<G::Scalar, DOF>,
        w: &SVector<G::Scalar, DOF>,
    ) -> SVector<G::Scalar, DOF> {
        G::tangent_inverse_times(&negated_if(FAULT == 11 || FAULT == 16, *x), w)
    }

    fn tangent_transpose_times(
        x: &SVector<G::Scalar, DOF>,
        w: &SVector<G::Scalar, DOF>,
    ) -> SVector<G::Scalar, DOF> {
        G::tangent_transpose_times(&negated_if(FAULT == 12 || FAULT == 16, *x), w)
    }

    fn tangent_inverse_transpose_times(
        x: &SVector<G::Scalar, DOF>,
        w: &SVector<G::Scalar, DOF>,
    ) -> SVector<G::Scalar, DOF> {
        G::tangent_inverse_transpose_times(&negated_if(FAULT == 13 || FAULT == 16, *x), w)
    }

    fn tangent_derivative(
        theta: &SVector<G::Scalar, DOF>,
        x: &SVector<G::Scalar, DOF>,
    ) -> SMatrix<G::Scalar, DOF, DOF> {
        negated_if(FAULT == 14, G::tangent_derivative(theta, x))
    }

    fn tangent_inverse_derivative(
        theta: &SVector<G::Scalar, DOF>,
        x: &SVector<G::Scalar, DOF>,
    ) -> SMatrix<G::Scalar, DOF, DOF> {
        negated_if(FAULT == 15, G::tangent_inverse_derivative(theta, x))
    }

    fn renormalized(&self) -> Self {
        if FAULT == 18 {
            Self::identity()
        } else {
            Self(self.0.renormalized())
        }
    }

    fn defect(&self) -> f64 {
        self.0.defect()
    }

    fn difference(&self, other: &Self) -> SVector<G::Scalar, DOF> {
        if FAULT == 17 {
            other.inverse().compose(self).log() * G::Scalar::from_f64(2.0)
        } else {
            self.inverse().compose(other).log()
        }
    }
}
