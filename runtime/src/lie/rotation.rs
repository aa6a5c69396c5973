//! The rotations: matrices [`SO3`] and unit quaternions [`S3`].
//!
//! Both have the same algebra, so(3) with the commutator `x × y`, and hence the
//! same tangent operators.

use nalgebra::{Matrix3, Vector3};

use super::LieGroup;
use super::coefficients::lifted;
use super::isotropic::{self, Pair, hat};
use crate::real::Real;

/// A group of rotations of `R³`.
pub trait Rotation: LieGroup<3> {
    /// `R x`: body frame to inertial frame.
    fn rotate(&self, x: &Vector3<Self::Scalar>) -> Vector3<Self::Scalar>;

    /// `Rᵀ x`: inertial frame to body frame.
    fn rotate_inverse(&self, x: &Vector3<Self::Scalar>) -> Vector3<Self::Scalar>;

    /// The rotation matrix `R`.
    fn to_matrix(&self) -> Matrix3<Self::Scalar>;

    /// The rotation with the matrix `R`; of two opposite quaternions the one
    /// with nonnegative scalar part.
    fn from_matrix(matrix: &Matrix3<Self::Scalar>) -> Self;
}

/// A rotation matrix, `RᵀR = I` and `det R = 1`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SO3<R: Real = f64> {
    /// The matrix itself; its columns are the body axes in the inertial frame.
    pub matrix: Matrix3<R>,
}

/// A unit quaternion `p = (scalar, vector)`, `scalar² + |vector|² = 1`.
///
/// `p` and `-p` are the same rotation. [`LieGroup::log`] returns the rotation
/// vector of at most half a turn, so `exp(log(p))` is the one of `±p` with
/// nonnegative scalar part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct S3<R: Real = f64> {
    /// `cos(ω/2)`.
    pub scalar: R,
    /// `sin(ω/2)` times the unit vector along the axis.
    pub vector: Vector3<R>,
}

/// The methods of [`LieGroup`] that see only the algebra so(3).
macro_rules! rotation_algebra {
    () => {
        #[inline]
        fn ad(x: &Vector3<R>) -> Matrix3<R> {
            hat(x)
        }

        #[inline]
        fn ad_times(x: &Vector3<R>, y: &Vector3<R>) -> Vector3<R> {
            x.cross(y)
        }

        #[inline]
        fn adjoint(&self) -> Matrix3<R> {
            self.to_matrix()
        }

        #[inline]
        fn adjoint_times(&self, y: &Vector3<R>) -> Vector3<R> {
            self.rotate(y)
        }

        #[inline]
        fn tangent(x: &Vector3<R>) -> Matrix3<R> {
            isotropic::tangent(x.dot(x)).matrix(x)
        }

        #[inline]
        fn tangent_inverse(x: &Vector3<R>) -> Matrix3<R> {
            isotropic::tangent_inverse(x.dot(x)).matrix(x)
        }

        #[inline]
        fn tangent_times(x: &Vector3<R>, w: &Vector3<R>) -> Vector3<R> {
            isotropic::tangent(x.dot(x)).times(x, w)
        }

        #[inline]
        fn tangent_inverse_times(x: &Vector3<R>, w: &Vector3<R>) -> Vector3<R> {
            isotropic::tangent_inverse(x.dot(x)).times(x, w)
        }

        #[inline]
        fn tangent_transpose_times(x: &Vector3<R>, w: &Vector3<R>) -> Vector3<R> {
            isotropic::tangent(x.dot(x)).transposed().times(x, w)
        }

        #[inline]
        fn tangent_inverse_transpose_times(x: &Vector3<R>, w: &Vector3<R>) -> Vector3<R> {
            isotropic::tangent_inverse(x.dot(x))
                .transposed()
                .times(x, w)
        }

        #[inline]
        fn tangent_derivative(theta: &Vector3<R>, x: &Vector3<R>) -> Matrix3<R> {
            isotropic::tangent_jet(theta.dot(theta)).derivative(theta, x)
        }

        #[inline]
        fn tangent_inverse_derivative(theta: &Vector3<R>, x: &Vector3<R>) -> Matrix3<R> {
            isotropic::tangent_inverse_jet(theta.dot(theta)).derivative(theta, x)
        }
    };
}

impl<R: Real> LieGroup<3> for SO3<R> {
    type Scalar = R;

    fn identity() -> Self {
        Self {
            matrix: Matrix3::identity(),
        }
    }

    #[inline]
    fn compose(&self, other: &Self) -> Self {
        Self {
            matrix: self.matrix * other.matrix,
        }
    }

    #[inline]
    fn inverse(&self) -> Self {
        Self {
            matrix: self.matrix.transpose(),
        }
    }

    /// `I + sinc Ω̃ + cosc Ω̃²`.
    #[inline]
    fn exp(x: &Vector3<R>) -> Self {
        Self {
            matrix: isotropic::exponential(x.dot(x)).matrix(x),
        }
    }

    /// The logarithm of the quaternion of the matrix. It is accurate at every
    /// angle; at half a turn exactly, where both signs of the axis are right,
    /// the largest component of the axis is positive.
    fn log(&self) -> Vector3<R> {
        S3::from_matrix(&self.matrix).log()
    }

    rotation_algebra!();

    /// The orthogonal polar factor, by Newton's iteration
    /// `R ← R + R (I - RᵀR) / 2`.
    fn renormalized(&self) -> Self {
        let mut rotation = *self;
        for _ in 0..MAX_POLAR_STEPS {
            let error = Matrix3::identity() - rotation.matrix.transpose() * rotation.matrix;
            rotation.matrix += rotation.matrix * error * R::from_f64(0.5);
            if error.iter().all(|entry| entry.value().abs() < 1e-8) {
                break;
            }
        }
        rotation
    }

    fn defect(&self) -> f64 {
        let matrix = self.matrix.map(Real::value);
        let error = matrix.transpose() * matrix - Matrix3::identity();
        error.amax().max((matrix.determinant() - 1.0).abs())
    }
}

/// The polar iteration doubles the digits at each step: eight steps reach full
/// precision from any matrix with singular values between 1/2 and 3/2.
const MAX_POLAR_STEPS: usize = 8;

impl<R: Real> Rotation for SO3<R> {
    #[inline]
    fn rotate(&self, x: &Vector3<R>) -> Vector3<R> {
        self.matrix * x
    }

    #[inline]
    fn rotate_inverse(&self, x: &Vector3<R>) -> Vector3<R> {
        self.matrix.tr_mul(x)
    }

    #[inline]
    fn to_matrix(&self) -> Matrix3<R> {
        self.matrix
    }

    #[inline]
    fn from_matrix(matrix: &Matrix3<R>) -> Self {
        Self { matrix: *matrix }
    }
}

impl<R: Real> LieGroup<3> for S3<R> {
    type Scalar = R;

    fn identity() -> Self {
        Self {
            scalar: R::one(),
            vector: Vector3::zeros(),
        }
    }

    /// The Hamilton product.
    #[inline]
    fn compose(&self, other: &Self) -> Self {
        Self {
            scalar: self.scalar * other.scalar - self.vector.dot(&other.vector),
            vector: other.vector * self.scalar
                + self.vector * other.scalar
                + self.vector.cross(&other.vector),
        }
    }

    /// The conjugate.
    #[inline]
    fn inverse(&self) -> Self {
        Self {
            scalar: self.scalar,
            vector: -self.vector,
        }
    }

    /// `(cos(ω/2), Ω sin(ω/2) / ω)`.
    #[inline]
    fn exp(x: &Vector3<R>) -> Self {
        let quarter = x.dot(x) * 0.25;
        Self {
            scalar: lifted::cosine(quarter),
            vector: x * (lifted::sinc(quarter) * 0.5),
        }
    }

    /// `2 arctan(|vector| / scalar)` along `vector`, after a change of sign if
    /// the scalar part is negative.
    fn log(&self) -> Vector3<R> {
        let (scalar, vector) = if self.scalar.value() < 0.0 {
            (-self.scalar, -self.vector)
        } else {
            (self.scalar, self.vector)
        };
        let square = vector.dot(&vector);
        let half_angle_over_sine = if square < scalar * scalar {
            lifted::arctangent_ratio(square / (scalar * scalar)) / scalar
        } else {
            let norm = square.sqrt();
            norm.atan2(scalar) / norm
        };
        vector * (half_angle_over_sine * 2.0)
    }

    rotation_algebra!();

    /// The quaternion divided by its norm.
    fn renormalized(&self) -> Self {
        let norm = (self.scalar * self.scalar + self.vector.dot(&self.vector)).sqrt();
        Self {
            scalar: self.scalar / norm,
            vector: self.vector / norm,
        }
    }

    fn defect(&self) -> f64 {
        (self.scalar * self.scalar + self.vector.dot(&self.vector) - 1.0)
            .value()
            .abs()
    }
}

impl<R: Real> Rotation for S3<R> {
    /// `x + 2 scalar vector × x + 2 vector × (vector × x)`.
    #[inline]
    fn rotate(&self, x: &Vector3<R>) -> Vector3<R> {
        self.rodrigues().times(&self.vector, x)
    }

    #[inline]
    fn rotate_inverse(&self, x: &Vector3<R>) -> Vector3<R> {
        self.rodrigues().transposed().times(&self.vector, x)
    }

    #[inline]
    fn to_matrix(&self) -> Matrix3<R> {
        self.rodrigues().matrix(&self.vector)
    }

    /// The products of the components are sums of entries: `4 scalar² = 1 + tr
    /// R`, `4 vector_i² = 1 + 2 R_ii - tr R`, and the others off the diagonal.
    /// The largest component is found by a square root, the rest by division.
    fn from_matrix(matrix: &Matrix3<R>) -> Self {
        let trace = matrix.m11 + matrix.m22 + matrix.m33;
        let mut pivot = 0;
        for i in 1..3 {
            if matrix[(i, i)] > matrix[(pivot, pivot)] {
                pivot = i;
            }
        }
        if trace > matrix[(pivot, pivot)] {
            let double = (trace + 1.0).sqrt();
            let vector = Vector3::new(
                matrix.m32 - matrix.m23,
                matrix.m13 - matrix.m31,
                matrix.m21 - matrix.m12,
            );
            return Self {
                scalar: double * 0.5,
                vector: vector / (double * 2.0),
            };
        }
        let (next, last) = ((pivot + 1) % 3, (pivot + 2) % 3);
        let double =
            (matrix[(pivot, pivot)] - matrix[(next, next)] - matrix[(last, last)] + 1.0).sqrt();
        let scalar = (matrix[(last, next)] - matrix[(next, last)]) / (double * 2.0);
        let mut vector = Vector3::zeros();
        vector[pivot] = double * 0.5;
        vector[next] = (matrix[(pivot, next)] + matrix[(next, pivot)]) / (double * 2.0);
        vector[last] = (matrix[(pivot, last)] + matrix[(last, pivot)]) / (double * 2.0);
        if scalar.value() < 0.0 {
            Self {
                scalar: -scalar,
                vector: -vector,
            }
        } else {
            Self { scalar, vector }
        }
    }
}

impl<R: Real> S3<R> {
    /// The rotation matrix as a function of the vector part.
    #[inline]
    fn rodrigues(&self) -> Pair<R> {
        Pair {
            linear: self.scalar * 2.0,
            quadratic: R::from_f64(2.0),
        }
    }
}
