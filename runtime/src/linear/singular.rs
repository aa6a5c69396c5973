//! What counts as singular, the same for every elimination.

/// A pivot that is at most this times the largest entry that its column had counts as zero.
///
/// Columns are compared after each row has been divided by its largest entry. So units do not
/// matter, and neither does the size of the matrix: a mechanism is not singular because it is a
/// part of a large model. What cancellation leaves of a pivot that should be zero is a few units
/// in the last place of the numbers it is a difference of; this bound is 64 of them.
///
/// Two other decisions are not about singular matrices. Eliminations in a fixed order watch how
/// much numbers cancel, and are repeated with a choice of pivots where that is too much. Redundant
/// constraints, if they are allowed, are told from independent ones by the
/// [rank](crate::least_norm), with room for the drift of the constraints.
pub const SINGULAR: f64 = 64.0 * f64::EPSILON;

/// The elimination broke down: the matrix is singular, or contains NaN or infinity.
#[derive(Clone, Copy, PartialEq, thiserror::Error)]
#[error("the matrix is singular at column {index}: pivot {pivot:.3e} of scale {scale:.3e}")]
pub struct Singular {
    /// Column where the elimination broke down: the first, in the order of elimination, that
    /// depends linearly on those before it, or the one with an entry that is not finite.
    pub index: usize,
    /// Magnitude of the pivot that was found. NaN or infinite if an entry is.
    pub pivot: f64,
    /// Size of the entries in row and column of the pivot, to compare it with. NaN if an entry is
    /// not finite.
    pub scale: f64,
}

impl Singular {
    /// The error for a column with an entry that is not finite.
    #[cold]
    pub(crate) fn not_finite(index: usize) -> Self {
        Self {
            index,
            pivot: f64::NAN,
            scale: f64::NAN,
        }
    }
}

/// Whether a pivot of a column with this largest entry is zero within rounding errors, or not
/// finite.
#[inline(always)]
pub(crate) fn is_singular(pivot: f64, column: f64) -> bool {
    !(pivot > SINGULAR * column && pivot.is_finite())
}

/// The error, with pivot and scale in the units of a row that was multiplied by a weight.
#[cold]
pub(super) fn singular(index: usize, pivot: f64, column: f64, weight: f64) -> Singular {
    Singular {
        index,
        pivot: pivot / weight,
        scale: column / weight,
    }
}

/// The error for the first entry, of pairs of column and value, that is not finite.
#[cold]
pub(super) fn not_finite(entries: impl IntoIterator<Item = (usize, f64)>) -> Singular {
    let (index, value) = entries
        .into_iter()
        .find(|(_, value)| !value.is_finite())
        .unwrap_or((0, f64::NAN));
    Singular {
        index,
        pivot: value.abs(),
        scale: f64::NAN,
    }
}

/// The power of two that brings `largest` to `[1, 2)`, as far as the range of `f64` allows. It and
/// its inverse are finite and not zero, also for zero and subnormal numbers.
pub(super) fn row_weight(largest: f64) -> f64 {
    let exponent = (largest.to_bits() >> 52).clamp(1, 2045);
    f64::from_bits((2046 - exponent) << 52)
}

/// The larger number; unlike `f64::max` one instruction.
#[inline(always)]
pub(crate) fn larger(a: f64, b: f64) -> f64 {
    if b > a { b } else { a }
}

/// Largest magnitude, or NaN if a value is not finite. Four lanes hide the latency.
#[inline]
pub(super) fn largest(values: &[f64]) -> f64 {
    let (chunks, rest) = values.as_chunks::<4>();
    let mut lanes = [0.0; 4];
    let mut finite = true;
    for chunk in chunks {
        for (lane, x) in lanes.iter_mut().zip(chunk) {
            *lane = larger(*lane, x.abs());
            finite &= x.is_finite();
        }
    }
    for x in rest {
        lanes[0] = larger(lanes[0], x.abs());
        finite &= x.is_finite();
    }
    if finite {
        larger(larger(lanes[0], lanes[1]), larger(lanes[2], lanes[3]))
    } else {
        f64::NAN
    }
}
