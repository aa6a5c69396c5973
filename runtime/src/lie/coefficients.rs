//! The scalar coefficients of the rotation groups, as functions of `s = ω²`.
//!
//! | function        | closed form                 | at 0   | derivative `' = (1/ω) d/dω = 2 d/ds` |
//! |-----------------|-----------------------------|--------|--------------------------------------|
//! | [`cosine`]      | `cos ω`                     | 1      | `-sinc`                              |
//! | [`sinc`]        | `sin ω / ω`                 | 1      | `sine_defect - cosc`                 |
//! | [`cosc`]        | `(1 - cos ω) / ω²`          | 1/2    | `-cosc_slope`                        |
//! | [`sine_defect`] | `(ω - sin ω) / ω³`          | 1/6    | `-sine_defect_slope`                 |
//! | [`cot_defect`]  | `(1 - (ω/2) cot(ω/2)) / ω²` | 1/12   | `cot_defect_slope`                   |
//!
//! The first four are the Stumpff functions `c_n(s) = Σ (-s)^k / (2k + n)!`
//! with `c_n = 1/n! - s c_{n+2}` and `dc_n/ds = (n c_{n+2} - c_{n+1}) / 2`.
//! Their closed forms cancel for small `ω`, those of their derivatives up to
//! `ω ≈ 2`; the power series in `s` do not, nor do the polynomials next to them.
//! This is the only file with a branch at small angles.
//!
//! Relative errors, in units of `2^-53` and as functions of the double `s`, stay
//! below 5 for `0 ≤ ω ≤ π`; the bounds up to `ω = 6.2` are in the tests.

use crate::real::Real;

/// Below: short polynomials, inlined.
pub const NEAR: f64 = 0.16;
/// Below: long power series of the Stumpff functions; above, from `ω = 4`:
/// closed forms.
const SERIES_END: f64 = 16.0;
/// Below: the series of [`cot_defect`] without its first pole; above: closed
/// forms. Just beyond the pole itself.
const FULL_TURN: f64 = 40.0;
/// `4 π²` as the unevaluated sum of two doubles.
const POLE: (f64, f64) = (39.478_417_604_357_43, 2.506_118_203_495_884_5e-15);

/// `|B_{2k+2}| / (2k+2)! = 2 ζ(2k+2) / (2π)^{2k+2}`: the power series of
/// [`cot_defect`].
const COT_SERIES: [f64; 12] = [
    0.083_333_333_333_333_33,
    0.001_388_888_888_888_889,
    3.306_878_306_878_307e-5,
    8.267_195_767_195_768e-7,
    2.087_675_698_786_81e-8,
    5.284_190_138_687_493e-10,
    1.338_253_653_068_467_9e-11,
    3.389_680_296_322_582_7e-13,
    8.586_062_056_277_845e-15,
    2.174_868_698_558_062e-16,
    5.509_002_828_360_229_5e-18,
    1.395_446_468_581_252_2e-19,
];

/// `2 (ζ(2k+2) - 1) / (2π)^{2k+2}`: the power series of
/// `cot_defect(s) - 2 / (4π² - s)`, convergent for `ω < 4π`.
const COT_REMAINDER: [f64; 28] = [
    0.032_672_741_512_164_45,
    0.000_105_641_107_053_347,
    5.637_370_282_876_845e-7,
    3.357_141_926_657_451e-9,
    2.074_287_290_416_604_5e-11,
    1.300_048_213_869_897_5e-13,
    8.196_052_055_691_008e-16,
    5.180_118_196_169_724e-18,
    3.277_539_174_701_792e-20,
    2.074_740_187_859_360_4e-22,
    1.313_624_180_716_653_4e-24,
    8.318_003_195_189_264e-27,
    5.267_262_996_834_231e-29,
    3.335_484_298_822_144_3e-31,
    2.112_206_332_318_388_5e-33,
    1.337_566_409_321_524_4e-35,
    8.470_227_328_650_247e-38,
    5.363_831_046_655_698e-40,
    3.396_684_826_649_780_5e-42,
    2.150_975_551_183_256_9e-44,
    1.362_121_111_759_384_3e-46,
    8.625_732_514_113_179e-49,
    5.462_308_871_489_559e-51,
    3.459_047_486_488_395_4e-53,
    2.190_467_405_743_638_4e-55,
    1.387_129_688_040_816_8e-57,
    8.784_101_362_706_072e-60,
    5.562_597_169_690_457e-62,
];

/// Power series of the `level`-th derivative `(2 d/ds)^level` of the Stumpff
/// function `c_first`: the coefficient of `s^k` is
/// `(-1)^{k+m} 2^m (k+1) ... (k+m) / (2k + 2m + n)!`.
const fn stumpff_series<const TERMS: usize>(first: usize, level: usize) -> [f64; TERMS] {
    let mut series = [0.0; TERMS];
    let mut factorial = 1.0;
    let mut factor = 0.0;
    let mut index = 0;
    while index < 2 * level + first {
        factor += 1.0;
        factorial *= factor;
        index += 1;
    }
    let mut k = 0;
    while k < TERMS {
        let sign = if (k + level).is_multiple_of(2) {
            1.0
        } else {
            -1.0
        };
        series[k] = sign / factorial;
        factorial *= (factor + 1.0) * (factor + 2.0);
        factor += 2.0;
        k += 1;
    }
    scale_by_rising_product(series, level)
}

/// Power series of `(2 d/ds)^level` of the function with the power series
/// `series`.
const fn derived<const ALL: usize, const TERMS: usize>(
    series: &[f64; ALL],
    level: usize,
) -> [f64; TERMS] {
    let mut shifted = [0.0; TERMS];
    let mut k = 0;
    while k < TERMS {
        shifted[k] = series[k + level];
        k += 1;
    }
    scale_by_rising_product(shifted, level)
}

/// Multiplies the coefficient of `s^k` by `2^m (k+1) ... (k+m)`, `m = level`.
const fn scale_by_rising_product<const TERMS: usize>(
    mut series: [f64; TERMS],
    level: usize,
) -> [f64; TERMS] {
    let mut power = 0.0;
    let mut k = 0;
    while k < TERMS {
        let mut factor = power;
        let mut j = 0;
        while j < level {
            factor += 1.0;
            series[k] *= 2.0 * factor;
            j += 1;
        }
        power += 1.0;
        k += 1;
    }
    series
}

/// The polynomial with `TERMS` terms next to a power series on `0 ≤ s ≤ NEAR`.
///
/// Of all polynomials that start with `x^n`, `2^{1-2n} T_n(2x - 1)` is the smallest on
/// `0 ≤ x ≤ 1`: the highest term `c_n s^n` is replaced by the terms below it that differ by
/// this multiple of a Chebyshev polynomial, as often as needed. The error is that of the first
/// term left out, divided by `2^{2n-1}`. The coefficients `t_k` of `T_n(2x - 1)` have the ratios
/// `t_{k-1} / t_k = -2k (2k - 1) / (4 (n + k - 1) (n - k + 1))`.
///
/// C. Lanczos, Applied Analysis (1956), chapter 7: economization of power series.
const fn economized<const ALL: usize, const TERMS: usize>(mut series: [f64; ALL]) -> [f64; TERMS] {
    let mut terms = ALL;
    let mut n = 0.0;
    let mut k = 1;
    while k < ALL {
        n += 1.0;
        k += 1;
    }
    while terms > TERMS {
        let mut change = series[terms - 1];
        let mut power = n;
        let mut k = terms - 1;
        while k > 0 {
            change *=
                -NEAR * power * (2.0 * power - 1.0) / (2.0 * (n + power - 1.0) * (n - power + 1.0));
            k -= 1;
            power -= 1.0;
            series[k] -= change;
        }
        n -= 1.0;
        terms -= 1;
    }
    let mut short = [0.0; TERMS];
    let mut k = 0;
    while k < TERMS {
        short[k] = series[k];
        k += 1;
    }
    short
}

/// `Σ series[k] s^k`.
#[inline]
fn polynomial<const TERMS: usize>(series: &[f64; TERMS], s: f64) -> f64 {
    let mut sum = series[TERMS - 1];
    for k in (0..TERMS - 1).rev() {
        sum = sum * s + series[k];
    }
    sum
}

/// `(2 d/ds)^LEVEL` of the Stumpff function `c_FIRST`; `closed` is its closed
/// form for large angles.
#[inline]
fn stumpff<const FIRST: usize, const LEVEL: usize>(s: f64, closed: fn(f64) -> f64) -> f64 {
    if s < NEAR {
        polynomial(&const { near::stumpff::<6>(FIRST, LEVEL) }, s)
    } else {
        stumpff_far::<FIRST, LEVEL>(s, closed)
    }
}

#[cold]
#[inline(never)]
fn stumpff_far<const FIRST: usize, const LEVEL: usize>(s: f64, closed: fn(f64) -> f64) -> f64 {
    if s < SERIES_END {
        polynomial(&const { stumpff_series::<17>(FIRST, LEVEL) }, s)
    } else {
        closed(s)
    }
}

/// A double `w` and a correction `d` with `w + d = √s` to twice the precision.
#[inline]
fn root(s: f64) -> (f64, f64) {
    let w = s.sqrt();
    (w, (-w).mul_add(w, s) / (2.0 * w))
}

/// `cos ω = 1 - s/2 + s²/24 - ...`
#[inline]
pub fn cosine(s: f64) -> f64 {
    if s < NEAR {
        near::cosine(s)
    } else {
        cosine_far(s)
    }
}

#[cold]
#[inline(never)]
fn cosine_far(s: f64) -> f64 {
    let (w, d) = root(s);
    let (sin, cos) = w.sin_cos();
    cos - d * sin
}

/// `sin ω / ω = 1 - s/6 + s²/120 - ...`
#[inline]
pub fn sinc(s: f64) -> f64 {
    if s < NEAR { near::sinc(s) } else { sinc_far(s) }
}

#[cold]
#[inline(never)]
fn sinc_far(s: f64) -> f64 {
    let (w, d) = root(s);
    let (sin, cos) = w.sin_cos();
    (sin + d * cos) / w
}

/// `(1 - cos ω) / ω² = 1/2 - s/24 + s²/720 - ...`, which is
/// `sinc(s/4)² / 2`.
#[inline]
pub fn cosc(s: f64) -> f64 {
    if s < NEAR {
        near::cosc(s)
    } else {
        let half = sinc(0.25 * s);
        0.5 * half * half
    }
}

/// `(ω - sin ω) / ω³ = 1/6 - s/120 + s²/5040 - ...`
#[inline]
pub fn sine_defect(s: f64) -> f64 {
    stumpff::<3, 0>(s, |s| (1.0 - sinc(s)) / s)
}

/// `-cosc' = (2 - 2 cos ω - ω sin ω) / ω⁴ = 1/12 - s/180 + ...`, which is
/// `2 cosc cot_defect` and `(2 cosc - sinc) / s`.
#[inline]
pub fn cosc_slope(s: f64) -> f64 {
    -stumpff::<2, 1>(s, |s| -2.0 * cosc(s) * cot_defect(s))
}

/// `-sine_defect' = (ω (2 + cos ω) - 3 sin ω) / ω⁵ = 1/60 - s/1260 + ...`,
/// which is `(3 sine_defect - cosc) / s`.
#[inline]
pub fn sine_defect_slope(s: f64) -> f64 {
    -stumpff::<3, 1>(s, |s| (cosc(s) - 3.0 * sine_defect(s)) / s)
}

/// `cosc_slope' = -1/90 + s/1680 - ...`, which is
/// `(cosc - sine_defect - 4 cosc_slope) / s`.
#[inline]
pub fn cosc_curvature(s: f64) -> f64 {
    -stumpff::<2, 2>(s, |s| (sine_defect(s) - cosc(s) + 4.0 * cosc_slope(s)) / s)
}

/// `sine_defect_slope' = -1/630 + s/15120 - ...`, which is
/// `(cosc_slope - 5 sine_defect_slope) / s`.
#[inline]
pub fn sine_defect_curvature(s: f64) -> f64 {
    -stumpff::<3, 2>(s, |s| (5.0 * sine_defect_slope(s) - cosc_slope(s)) / s)
}

/// `cosc_curvature' = (sine_defect_slope - cosc_slope - 6 cosc_curvature) / s`.
#[inline]
fn cosc_third(s: f64) -> f64 {
    -stumpff::<2, 3>(s, |s| {
        (cosc_slope(s) - sine_defect_slope(s) + 6.0 * cosc_curvature(s)) / s
    })
}

/// `sine_defect_curvature' = (cosc_curvature - 7 sine_defect_curvature) / s`.
#[inline]
fn sine_defect_third(s: f64) -> f64 {
    -stumpff::<3, 3>(s, |s| {
        (7.0 * sine_defect_curvature(s) - cosc_curvature(s)) / s
    })
}

/// `(2 d/ds)^LEVEL` of [`cot_defect`].
#[inline]
fn cot<const LEVEL: usize>(s: f64) -> f64 {
    if s < NEAR {
        polynomial(&const { near::cot::<7>(LEVEL) }, s)
    } else {
        cot_far::<LEVEL>(s)
    }
}

/// The pole `2 / (4π² - s)` and the rest, each differentiated; closed forms
/// beyond the pole. The rounding error of the distance to the pole is corrected
/// to first order.
#[cold]
#[inline(never)]
fn cot_far<const LEVEL: usize>(s: f64) -> f64 {
    if s >= FULL_TURN {
        return cot_closed(s)[LEVEL];
    }
    let distance = POLE.0 - s;
    let rounding = ((POLE.0 - distance) - s) + POLE.1;
    let mut numerator = 2.0;
    let mut denominator = distance;
    let mut power = 1.0;
    for _ in 0..LEVEL {
        numerator *= 2.0 * power;
        denominator *= distance;
        power += 1.0;
    }
    let mut pole = numerator / denominator;
    pole -= pole * (power * rounding / distance);
    pole + polynomial(&const { derived::<28, 25>(&COT_REMAINDER, LEVEL) }, s)
}

/// [`cot_defect`] and its first three derivatives from `k = (ω/2) cot(ω/2)`:
/// `s k' = k - k² - s/4` and `k = 1 - s cot_defect`, both differentiated.
fn cot_closed(s: f64) -> [f64; 4] {
    let (sin, cos) = (0.5 * s.sqrt()).sin_cos();
    let k = 0.5 * s.sqrt() * cos / sin;
    let first = (k - k * k - 0.25 * s) / s;
    let second = -((1.0 + 2.0 * k) * first + 0.5) / s;
    let third = -((3.0 + 2.0 * k) * second + 2.0 * first * first) / s;
    let value = (1.0 - k) / s;
    let slope = -(first + 2.0 * value) / s;
    let curvature = -(second + 4.0 * slope) / s;
    [value, slope, curvature, -(third + 6.0 * curvature) / s]
}

/// `(1 - (ω/2) cot(ω/2)) / ω² = 1/12 + s/720 + ...`, with poles at
/// `ω = 2π, 4π, ...`
#[inline]
pub fn cot_defect(s: f64) -> f64 {
    if s < NEAR {
        near::cot_defect(s)
    } else {
        cot_far::<0>(s)
    }
}

/// `cot_defect' = 1/360 + s/7560 + ...`
#[inline]
pub fn cot_defect_slope(s: f64) -> f64 {
    cot::<1>(s)
}

/// `cot_defect_slope' = 1/3780 + ...`
#[inline]
pub fn cot_defect_curvature(s: f64) -> f64 {
    cot::<2>(s)
}

/// Power series of `arctan(√z) / √z`, its coefficients `(-1)^k / (2k + 1)`.
const fn arctangent_series<const TERMS: usize>() -> [f64; TERMS] {
    let mut series = [0.0; TERMS];
    let mut odd = 1.0;
    let mut k = 0;
    while k < TERMS {
        series[k] = if k.is_multiple_of(2) { 1.0 } else { -1.0 } / odd;
        odd += 2.0;
        k += 1;
    }
    series
}

/// `arctan(√z) / √z = 1 - z/3 + z²/5 - ...`: with `z = tan²(ω/2)`, half the
/// rotation angle over its tangent.
#[inline]
pub fn arctangent_ratio(z: f64) -> f64 {
    if z < 0.25 * NEAR {
        polynomial(&const { arctangent_series::<13>() }, z)
    } else {
        z.sqrt().atan() / z.sqrt()
    }
}

/// `2 d/dz` of [`arctangent_ratio`], which is
/// `(1 / (1 + z) - arctangent_ratio) / z`.
fn arctangent_ratio_slope(z: f64) -> f64 {
    if z < 0.25 * NEAR {
        polynomial(&const { derived::<14, 13>(&arctangent_series(), 1) }, z)
    } else {
        (1.0 / (1.0 + z) - arctangent_ratio(z)) / z
    }
}

/// The functions for `s <` [`NEAR`] alone, without a branch. Polynomials are as short as they
/// may be to differ by less than a fiftieth of a unit of `2^-53`: an error that has always the
/// same sign adds up in rotations.
pub mod near {
    use super::{COT_SERIES, derived, economized, polynomial, stumpff_series};

    pub(super) const fn stumpff<const TERMS: usize>(first: usize, level: usize) -> [f64; TERMS] {
        economized::<10, TERMS>(stumpff_series(first, level))
    }

    pub(super) const fn cot<const TERMS: usize>(level: usize) -> [f64; TERMS] {
        economized::<9, TERMS>(derived(&COT_SERIES, level))
    }

    const fn negated<const TERMS: usize>(mut series: [f64; TERMS]) -> [f64; TERMS] {
        let mut k = 0;
        while k < TERMS {
            series[k] = -series[k];
            k += 1;
        }
        series
    }

    macro_rules! near {
        ($($name:ident: $series:expr;)*) => {$(
            #[doc = concat!("[`", stringify!($name), "`](super::", stringify!($name), ") by its series.")]
            #[inline(always)]
            pub fn $name(s: f64) -> f64 {
                polynomial(&const { $series }, s)
            }
        )*};
    }

    near! {
        cosine: stumpff::<7>(0, 0);
        sinc: stumpff::<6>(1, 0);
        cosc: stumpff::<6>(2, 0);
        sine_defect: stumpff::<6>(3, 0);
        cosc_slope: negated(stumpff::<6>(2, 1));
        sine_defect_slope: negated(stumpff::<6>(3, 1));
        cot_defect: cot::<6>(0);
        cot_defect_slope: cot::<7>(1);
    }
}

/// Several functions of the same argument with one branch.
#[inline(always)]
pub fn together<const N: usize>(
    s: f64,
    near: impl Fn(f64) -> [f64; N],
    far: impl Fn(f64) -> [f64; N],
) -> [f64; N] {
    if s < NEAR {
        near(s)
    } else {
        out_of_line(s, far)
    }
}

/// A function of an angle that is rarely large.
#[cold]
#[inline(never)]
pub fn out_of_line<const N: usize>(s: f64, far: impl Fn(f64) -> [f64; N]) -> [f64; N] {
    far(s)
}

/// The same functions for every [`Real`], with their derivatives.
pub mod lifted {
    use super::Real;

    macro_rules! lift {
        ($($name:ident: $slope:expr;)*) => {$(
            #[doc = concat!("[`", stringify!($name), "`](super::", stringify!($name), ") of a [`Real`].")]
            #[inline]
            pub fn $name<R: Real>(s: R) -> R {
                s.lift(super::$name, |s| {
                    let derivative: fn(f64) -> f64 = $slope;
                    0.5 * derivative(s)
                })
            }
        )*};
    }

    lift! {
        cosine: |s| -super::sinc(s);
        sinc: |s| super::sine_defect(s) - super::cosc(s);
        cosc: |s| -super::cosc_slope(s);
        sine_defect: |s| -super::sine_defect_slope(s);
        cosc_slope: super::cosc_curvature;
        sine_defect_slope: super::sine_defect_curvature;
        cosc_curvature: super::cosc_third;
        sine_defect_curvature: super::sine_defect_third;
        cot_defect: super::cot_defect_slope;
        cot_defect_slope: super::cot_defect_curvature;
        cot_defect_curvature: super::cot::<3>;
        arctangent_ratio: super::arctangent_ratio_slope;
    }
}
