//! Vectors, rotations, and the coefficient functions that each formula needs.

use polhode::lie::coefficients::{self, near, together};

pub(crate) type Vec3 = [f64; 3];
/// By rows.
pub(crate) type Rotation = [Vec3; 3];

/// `[f(0), f(1), ..]`. That of `core` is not inlined everywhere, and what is a lower bound must not wait
/// for calls.
#[inline(always)]
pub(crate) fn each<T: Copy + Default, const N: usize>(f: impl Fn(usize) -> T) -> [T; N] {
    let mut out = [T::default(); N];
    for (i, out) in out.iter_mut().enumerate() {
        *out = f(i);
    }
    out
}

#[inline(always)]
pub(crate) fn dot(a: Vec3, b: Vec3) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[inline(always)]
pub(crate) fn cross(a: Vec3, b: Vec3) -> Vec3 {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

#[inline(always)]
pub(crate) fn column(m: &Rotation, j: usize) -> Vec3 {
    [m[0][j], m[1][j], m[2][j]]
}

/// `m a`.
#[inline(always)]
pub(crate) fn times(m: &Rotation, a: Vec3) -> Vec3 {
    [dot(m[0], a), dot(m[1], a), dot(m[2], a)]
}

/// `m^T a`.
#[inline(always)]
pub(crate) fn back(m: &Rotation, a: Vec3) -> Vec3 {
    [
        dot(column(m, 0), a),
        dot(column(m, 1), a),
        dot(column(m, 2), a),
    ]
}

/// `I + a w~ + b w~^2`.
#[inline(always)]
pub(crate) fn isotropic(a: f64, b: f64, w: Vec3) -> Rotation {
    let p = [a * w[0], a * w[1], a * w[2]];
    let q = [b * w[0], b * w[1], b * w[2]];
    let (xx, yy, zz) = (q[0] * w[0], q[1] * w[1], q[2] * w[2]);
    let (xy, xz, yz) = (q[0] * w[1], q[0] * w[2], q[1] * w[2]);
    [
        [1.0 - (yy + zz), xy - p[2], xz + p[1]],
        [xy + p[2], 1.0 - (xx + zz), yz - p[0]],
        [xz - p[1], yz + p[0], 1.0 - (xx + yy)],
    ]
}

/// `exp(w~)`.
#[inline(always)]
pub(crate) fn exponential(w: Vec3) -> Rotation {
    let [sinc, cosc] = together(
        dot(w, w),
        |s| [near::sinc(s), near::cosc(s)],
        |s| [coefficients::sinc(s), coefficients::cosc(s)],
    );
    isotropic(sinc, cosc, w)
}

/// `exp(w~)` and `T(w)^T u`, the shift of a displacement in `SE3`.
#[inline(always)]
pub(crate) fn exponential_and_shift(w: Vec3, u: Vec3) -> (Rotation, Vec3) {
    let s = dot(w, w);
    let [cosc, defect] = together(
        s,
        |s| [near::cosc(s), near::sine_defect(s)],
        |s| [coefficients::cosc(s), coefficients::sine_defect(s)],
    );
    let sinc = 1.0 - s * defect;
    let once = cross(w, u);
    let twice = cross(w, once);
    let shift = each(|i| u[i] + cosc * once[i] + defect * twice[i]);
    (isotropic(sinc, cosc, w), shift)
}

/// `r exp`.
#[inline(always)]
pub(crate) fn turned(r: &Rotation, step: &Rotation) -> Rotation {
    r.map(|row| back(step, row))
}

/// `T3(w)^-1 a`.
#[inline(always)]
pub(crate) fn tangent_inverse(w: Vec3, a: Vec3) -> Vec3 {
    let [cot] = together(
        dot(w, w),
        |s| [near::cot_defect(s)],
        |s| [coefficients::cot_defect(s)],
    );
    let once = cross(w, a);
    let twice = cross(w, once);
    each(|i| a[i] + 0.5 * once[i] + cot * twice[i])
}

/// `cot_defect` and its slope.
#[inline(always)]
pub(crate) fn cotangents(s: f64) -> [f64; 2] {
    together(
        s,
        |s| [near::cot_defect(s), near::cot_defect_slope(s)],
        |s| {
            [
                coefficients::cot_defect(s),
                coefficients::cot_defect_slope(s),
            ]
        },
    )
}

/// `T(w, u)^-1 (a, b)` in `SE3`.
#[inline(always)]
pub(crate) fn tangent_inverse_semidirect(theta: [f64; 6], v: [f64; 6]) -> [f64; 6] {
    let [w, u] = halves(theta);
    let [a, b] = halves(v);
    let [cot, slope] = cotangents(dot(w, w));
    let once = cross(w, a);
    let twice = cross(w, once);
    let (wb, ua) = (cross(w, b), cross(u, a));
    let mixed: Vec3 = each(|i| wb[i] + ua[i]);
    let (x, y) = (cross(w, mixed), cross(u, once));
    let factor = slope * dot(w, u);
    each(|i| {
        if i < 3 {
            a[i] + 0.5 * once[i] + cot * twice[i]
        } else {
            let i = i - 3;
            b[i] + 0.5 * mixed[i] + cot * (x[i] + y[i]) + factor * twice[i]
        }
    })
}

#[inline(always)]
pub(crate) fn halves(x: [f64; 6]) -> [Vec3; 2] {
    [[x[0], x[1], x[2]], [x[3], x[4], x[5]]]
}

/// Solves a system of three equations by elimination.
#[inline(always)]
pub(crate) fn solve3(mut a: Rotation, mut b: Vec3) -> Vec3 {
    let p = 1.0 / a[0][0];
    for i in 1..3 {
        let factor = a[i][0] * p;
        a[i][1] -= factor * a[0][1];
        a[i][2] -= factor * a[0][2];
        b[i] -= factor * b[0];
    }
    let q = 1.0 / a[1][1];
    let factor = a[2][1] * q;
    let last = (b[2] - factor * b[1]) / (a[2][2] - factor * a[1][2]);
    let middle = (b[1] - a[1][2] * last) * q;
    [(b[0] - a[0][1] * middle - a[0][2] * last) * p, middle, last]
}
