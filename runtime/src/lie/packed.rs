//! Group elements on flat slices of numbers.

use nalgebra::{Matrix3, Vector3};

use super::{DirectProduct, Rotation, S3, SO3, SemidirectProduct};

/// A group element as consecutive numbers: the rotation matrix by rows or the
/// quaternion with its scalar part first, then the translation.
pub(super) trait Packed {
    /// How many numbers.
    const LEN: usize;

    /// The element with the given numbers.
    fn read(numbers: &[f64]) -> Self;

    /// The numbers of the element.
    fn write(&self, numbers: &mut [f64]);
}

impl Packed for SO3 {
    const LEN: usize = 9;

    #[inline]
    fn read(numbers: &[f64]) -> Self {
        Self {
            matrix: Matrix3::from_row_slice(numbers),
        }
    }

    #[inline]
    fn write(&self, numbers: &mut [f64]) {
        numbers.copy_from_slice(self.matrix.transpose().as_slice());
    }
}

impl Packed for S3 {
    const LEN: usize = 4;

    #[inline]
    fn read(numbers: &[f64]) -> Self {
        Self {
            scalar: numbers[0],
            vector: Vector3::from_column_slice(&numbers[1..]),
        }
    }

    #[inline]
    fn write(&self, numbers: &mut [f64]) {
        numbers[0] = self.scalar;
        numbers[1..].copy_from_slice(self.vector.as_slice());
    }
}

macro_rules! packed_product {
    ($product:ident) => {
        impl<Rot: Packed + Rotation<Scalar = f64>> Packed for $product<Rot> {
            const LEN: usize = Rot::LEN + 3;

            #[inline]
            fn read(numbers: &[f64]) -> Self {
                let (rotation, translation) = numbers.split_at(Rot::LEN);
                Self {
                    rotation: Rot::read(rotation),
                    translation: Vector3::from_column_slice(translation),
                }
            }

            #[inline]
            fn write(&self, numbers: &mut [f64]) {
                let (rotation, translation) = numbers.split_at_mut(Rot::LEN);
                self.rotation.write(rotation);
                translation.copy_from_slice(self.translation.as_slice());
            }
        }
    };
}

packed_product!(DirectProduct);
packed_product!(SemidirectProduct);
