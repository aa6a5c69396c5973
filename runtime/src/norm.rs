//! How large a residual is.

/// The largest magnitude, over pairs of numbers. Comparisons forget what is not a number, the sum
/// does not.
#[derive(Default)]
pub(crate) struct Norm {
    largest: [f64; 2],
    sum: [f64; 2],
}

impl Norm {
    #[inline(always)]
    pub(crate) fn include(&mut self, x: &[f64]) {
        let (pairs, rest) = x.as_chunks::<2>();
        for pair in pairs {
            for i in 0..2 {
                self.take(i, pair[i]);
            }
        }
        if let [x] = rest {
            self.take(0, *x);
        }
    }

    #[inline(always)]
    fn take(&mut self, i: usize, x: f64) {
        let x = x.abs();
        self.largest[i] = if x > self.largest[i] {
            x
        } else {
            self.largest[i]
        };
        self.sum[i] += x;
    }

    #[inline(always)]
    pub(crate) fn value(&self) -> f64 {
        if (self.sum[0] + self.sum[1]).is_nan() {
            f64::NAN
        } else if self.largest[0] > self.largest[1] {
            self.largest[0]
        } else {
            self.largest[1]
        }
    }
}

/// The sum of all magnitudes, which is not a number if one of them is not.
#[inline(always)]
pub fn magnitudes(x: &[f64]) -> f64 {
    let (pairs, rest) = x.as_chunks::<2>();
    let mut sums = [0.0; 2];
    for pair in pairs {
        sums[0] += pair[0].abs();
        sums[1] += pair[1].abs();
    }
    sums[0] + sums[1] + rest.iter().map(|x| x.abs()).sum::<f64>()
}

/// Sums of magnitudes of `y` and of what `differences` gives of `x` and `y`, over pairs of numbers.
#[inline(always)]
pub(crate) fn sums(x: &[f64], y: &[f64], differences: impl Fn(usize, f64, f64) -> f64) -> [f64; 2] {
    let (pairs, rest) = y.as_chunks::<2>();
    let (before, _) = x.as_chunks::<2>();
    let (mut sizes, mut changes) = ([0.0; 2], [0.0; 2]);
    for (k, (y, x)) in pairs.iter().zip(before).enumerate() {
        for i in 0..2 {
            sizes[i] += y[i].abs();
            changes[i] += differences(2 * k + i, x[i], y[i]).abs();
        }
    }
    let last = y.len() - rest.len();
    for (y, x) in rest.iter().zip(&x[last..]) {
        sizes[0] += y.abs();
        changes[0] += differences(last, *x, *y).abs();
    }
    [sizes[0] + sizes[1], changes[0] + changes[1]]
}

/// The largest magnitude; NaN wins.
#[inline(always)]
pub(crate) fn largest(x: &[f64]) -> f64 {
    let mut norm = Norm::default();
    norm.include(x);
    norm.value()
}

#[cfg(test)]
mod tests {
    use super::{largest, sums};

    #[test]
    fn every_component_counts() {
        assert_eq!(largest(&[]).to_bits(), 0.0_f64.to_bits());
        for x in [[-2.0, 1.0, 0.5], [1.0, -2.0, 0.5], [1.0, 0.5, -2.0]] {
            assert_eq!(largest(&x).to_bits(), 2.0_f64.to_bits(), "{x:?}");
        }
    }

    #[test]
    fn every_component_is_in_the_sum() {
        let numbers: Vec<f64> = (0..11).map(|k| 2.0_f64.powi(k) - 100.0).collect();
        for n in 0..numbers.len() {
            let (x, y) = (&numbers[..n], &numbers[11 - n..]);
            let pairs = || x.iter().zip(y);
            let expected = [
                pairs().map(|(x, _)| x.abs()).sum::<f64>(),
                pairs().map(|(x, y)| (x - y).abs()).sum(),
            ];
            assert_eq!(sums(y, x, |_, y, x| x - y), expected);
        }
    }

    #[test]
    fn not_a_number_is_the_largest() {
        for x in [[f64::NAN, 1.0], [1.0, f64::NAN], [-f64::NAN, f64::INFINITY]] {
            assert!(largest(&x).is_nan(), "{x:?}");
            assert!(largest(&[x[0], x[1], 3.0, 4.0, 5.0]).is_nan(), "{x:?}");
        }
    }
}
