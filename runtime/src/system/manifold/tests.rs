use super::{DIRECT, INVERSE, Manifold};
use crate::lie::{GroupKind, Space};

/// A product of groups that knows its bracket only.
struct Plain(Space);

/// The same with the closed forms of the groups.
struct Closed(Space);

const GROUPS: [GroupKind; 3] = [GroupKind::SO3, GroupKind::SE3, GroupKind::S3xR3];

macro_rules! on_space {
    ($name:ident, $($closed:tt)*) => {
        impl Manifold for $name {
            type Config = Box<[f64]>;
            type Velocity = Box<[f64]>;

            fn start_config(&self) -> Box<[f64]> {
                let mut q = vec![0.0; self.0.config_len()];
                self.0.identity(&mut q);
                q.into()
            }
            fn new_velocity(&self) -> Box<[f64]> {
                vec![0.0; self.0.dof()].into()
            }
            fn displace(&self, q: &Box<[f64]>, theta: &Box<[f64]>, out: &mut Box<[f64]>) {
                self.0.displace(q, theta, out);
            }
            fn bracket(&self, x: &Box<[f64]>, y: &Box<[f64]>, out: &mut Box<[f64]>) {
                self.0.ad_times(x, y, out);
            }
            fn difference(&self, q: &Box<[f64]>, p: &Box<[f64]>, out: &mut Box<[f64]>) {
                self.0.difference(q, p, out);
            }
            $($closed)*
        }
    };
}

on_space! { Plain, }
on_space! { Closed,
    fn tangent(&self, theta: &Box<[f64]>, w: &Box<[f64]>, out: &mut Box<[f64]>) {
        self.0.tangent_times(theta, w, out);
    }
    fn tangent_inverse(&self, theta: &Box<[f64]>, w: &Box<[f64]>, out: &mut Box<[f64]>) {
        self.0.tangent_inverse_times(theta, w, out);
    }
    fn tangent_derivative(
        &self,
        theta: &Box<[f64]>,
        x: &Box<[f64]>,
        w: &Box<[f64]>,
        out: &mut Box<[f64]>,
    ) {
        self.0.tangent_derivative_times(theta, x, w, out);
    }
    fn tangent_inverse_derivative(
        &self,
        theta: &Box<[f64]>,
        x: &Box<[f64]>,
        w: &Box<[f64]>,
        out: &mut Box<[f64]>,
    ) {
        self.0.tangent_inverse_derivative_times(theta, x, w, out);
    }
    fn blend_solve(&self, sigma: f64, theta: &Box<[f64]>, x: &mut Box<[f64]>) {
        self.0.blend_solve(sigma, theta, x);
    }
}

/// Vectors with rotations of the given angle.
fn vectors(angle: f64) -> [Box<[f64]>; 3] {
    [0.3, 1.1, 2.3].map(|phase: f64| {
        let mut x: Vec<f64> = (0..15)
            .map(|i| (phase + 1.7 * f64::from(i)).sin())
            .collect();
        if phase == 0.3 {
            for first in [0, 3, 9] {
                let norm = x[first..first + 3]
                    .iter()
                    .map(|x| x * x)
                    .sum::<f64>()
                    .sqrt();
                for x in &mut x[first..first + 3] {
                    *x *= angle / norm;
                }
            }
        }
        x.into()
    })
}

/// Largest difference of all functions between series and closed forms.
fn difference(angle: f64) -> f64 {
    let (plain, closed) = (Plain(Space::new(GROUPS)), Closed(Space::new(GROUPS)));
    let [theta, x, w] = vectors(angle);
    let mut worst = 0.0_f64;
    let mut compare = |found: &[f64], expected: &[f64]| {
        for (found, expected) in found.iter().zip(expected) {
            worst = worst.max((found - expected).abs() / (1.0 + expected.abs()));
            if found.is_nan() {
                worst = f64::NAN;
            }
        }
    };
    let [mut a, mut b] = [plain.new_velocity(), plain.new_velocity()];
    plain.tangent(&theta, &x, &mut a);
    closed.tangent(&theta, &x, &mut b);
    compare(&a, &b);
    plain.tangent_inverse(&theta, &x, &mut a);
    closed.tangent_inverse(&theta, &x, &mut b);
    compare(&a, &b);
    plain.tangent_derivative(&theta, &x, &w, &mut a);
    closed.tangent_derivative(&theta, &x, &w, &mut b);
    compare(&a, &b);
    plain.tangent_inverse_derivative(&theta, &x, &w, &mut a);
    closed.tangent_inverse_derivative(&theta, &x, &w, &mut b);
    compare(&a, &b);
    for sigma in [0.0, 0.4, 1.0] {
        a.copy_from_slice(&x);
        b.copy_from_slice(&x);
        plain.blend_solve(sigma, &theta, &mut a);
        closed.blend_solve(sigma, &theta, &mut b);
        compare(&a, &b);
    }
    worst
}

/// The sums have terms of the size of the result up to an angle of one; then they cancel.
#[test]
fn series_of_brackets_are_the_closed_forms() {
    for (angle, tolerance) in [
        (0.0, 1e-15),
        (1e-5, 2e-15),
        (0.1, 4e-15),
        (1.0, 2e-14),
        (3.0, 1e-12),
    ] {
        let worst = difference(angle);
        assert!(worst <= tolerance, "angle {angle}: {worst:e}");
    }
}

#[test]
fn beyond_a_revolution_there_is_no_rate() {
    let plain = Plain(Space::new(GROUPS));
    let [theta, x, _] = vectors(6.4);
    let mut out = plain.new_velocity();
    plain.tangent_inverse(&theta, &x, &mut out);
    assert!(out.iter().all(|x| x.is_nan()), "{out:?}");
}

/// `(sum_k a_k x^k) (sum_k b_k x^k) = 1`.
#[test]
fn coefficients_are_those_of_inverse_series() {
    for n in 1..40 {
        let product = |k: usize| INVERSE[k] * DIRECT[n - k];
        let sum: f64 = (0..=n).map(product).sum();
        let size: f64 = (0..=n).map(|k| product(k).abs()).sum();
        assert!(
            sum.abs() <= 4.0 * f64::EPSILON * size,
            "term {n}: {sum:e} of {size:e}"
        );
    }
}
