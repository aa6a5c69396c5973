//! Vectors and matrices of three, by rows, for the loops over links.

pub(super) type V3 = [f64; 3];
pub(super) type M3 = [[f64; 3]; 3];

pub(super) const ZERO: M3 = [[0.0; 3]; 3];

#[inline(always)]
pub(super) fn v3(x: &[f64]) -> V3 {
    [x[0], x[1], x[2]]
}

#[inline(always)]
pub(super) fn dot(a: &V3, b: &V3) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[inline(always)]
pub(super) fn cross(a: &V3, b: &V3) -> V3 {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

/// `a + s b`.
#[inline(always)]
pub(super) fn add_scaled(a: &V3, s: f64, b: &V3) -> V3 {
    [a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]]
}

/// `s a + r b`.
#[inline(always)]
pub(super) fn combine(s: f64, a: &V3, r: f64, b: &V3) -> V3 {
    [
        s * a[0] + r * b[0],
        s * a[1] + r * b[1],
        s * a[2] + r * b[2],
    ]
}

/// `A x`.
#[inline(always)]
pub(super) fn times(a: &M3, x: &V3) -> V3 {
    [dot(&a[0], x), dot(&a[1], x), dot(&a[2], x)]
}

/// `A B`.
#[inline(always)]
pub(super) fn product(a: &M3, b: &M3) -> M3 {
    a.map(|row| core::array::from_fn(|j| row[0] * b[0][j] + row[1] * b[1][j] + row[2] * b[2][j]))
}

/// `A + s B`.
#[inline(always)]
pub(super) fn plus(a: &M3, s: f64, b: &M3) -> M3 {
    core::array::from_fn(|i| core::array::from_fn(|j| a[i][j] + s * b[i][j]))
}

/// `s A + d I`.
#[inline(always)]
pub(super) fn scaled_plus_diagonal(s: f64, a: &M3, d: f64) -> M3 {
    let mut out = a.map(|row| row.map(|x| s * x));
    for i in 0..3 {
        out[i][i] += d;
    }
    out
}

/// `a b^T + c d^T`.
#[inline(always)]
pub(super) fn two_outer(a: &V3, b: &V3, c: &V3, d: &V3) -> M3 {
    core::array::from_fn(|i| core::array::from_fn(|j| a[i] * b[j] + c[i] * d[j]))
}

/// The inverse by cofactors, and the determinant.
#[inline(always)]
pub(super) fn inverse(a: &M3) -> (M3, f64) {
    let [x, y, z] = [
        cross(&a[1], &a[2]),
        cross(&a[2], &a[0]),
        cross(&a[0], &a[1]),
    ];
    let determinant = dot(&a[0], &x);
    let r = 1.0 / determinant;
    (
        [
            [x[0] * r, y[0] * r, z[0] * r],
            [x[1] * r, y[1] * r, z[1] * r],
            [x[2] * r, y[2] * r, z[2] * r],
        ],
        determinant,
    )
}

/// Whether a determinant is so small, compared with the size of the terms that the entries
/// are sums of, that most digits are lost.
#[inline(always)]
pub(super) fn is_singular(determinant: f64, terms: f64) -> bool {
    !(determinant.abs() > 1e-12 * terms * terms * terms)
}

/// The sum of the diagonal without signs: a size for matrices of one unit.
#[inline(always)]
pub(super) fn size(a: &M3) -> f64 {
    a[0][0].abs() + a[1][1].abs() + a[2][2].abs()
}

/// Matrix of `y -> x cross y`.
#[inline(always)]
pub(super) fn hat(x: &V3) -> M3 {
    [[0.0, -x[2], x[1]], [x[2], 0.0, -x[0]], [-x[1], x[0], 0.0]]
}
