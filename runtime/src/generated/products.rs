//! Sums of products.
//!
//! Generated code is made of them. A call is checked by the compiler in a sixth of the time of
//! its operators, each of which is a search for an implementation of a trait; and where the
//! target has fused operations (`-C target-cpu=native`), they are used here and nowhere else.

const FUSED: bool = cfg!(target_feature = "fma");

/// `a + b c`.
#[inline(always)]
pub fn add_mul(a: f64, b: f64, c: f64) -> f64 {
    if FUSED { b.mul_add(c, a) } else { a + b * c }
}

/// `a - b c`.
#[inline(always)]
pub fn sub_mul(a: f64, b: f64, c: f64) -> f64 {
    if FUSED { (-b).mul_add(c, a) } else { a - b * c }
}

/// `a b + c d`.
#[inline(always)]
pub fn dot2(a: f64, b: f64, c: f64, d: f64) -> f64 {
    add_mul(a * b, c, d)
}

/// `a b - c d`.
#[inline(always)]
pub fn det2(a: f64, b: f64, c: f64, d: f64) -> f64 {
    sub_mul(a * b, c, d)
}

/// `a b + c d + e f`.
#[inline(always)]
pub fn dot3(a: f64, b: f64, c: f64, d: f64, e: f64, f: f64) -> f64 {
    add_mul(dot2(a, b, c, d), e, f)
}

#[cfg(test)]
mod tests {
    use super::{add_mul, det2, dot2, dot3, sub_mul};

    /// Numbers whose products and sums are exact, with and without fused operations.
    #[test]
    fn products_are_summed() {
        let found = [
            add_mul(2.0, 3.0, 5.0),
            sub_mul(2.0, 3.0, 5.0),
            dot2(2.0, 3.0, 5.0, 7.0),
            det2(2.0, 3.0, 5.0, 7.0),
            dot3(2.0, 3.0, 5.0, 7.0, 11.0, 13.0),
        ];
        assert_eq!(found, [17.0, -13.0, 41.0, -29.0, 184.0]);
    }
}
