//! Properties of groups and spaces on random elements.

use nalgebra::SVector;
use polhode_runtime::lie::{GroupKind, LieGroup, S3, S3sR3, SE3, SO3, SO3xR3, Space};
use proptest::array::{uniform3, uniform6};
use proptest::prelude::*;

/// The largest error that rounding explains for numbers of size 10.
const TOLERANCE: f64 = 2e-14;

const KINDS: [GroupKind; 8] = [
    GroupKind::Rn(1),
    GroupKind::S3,
    GroupKind::SO3xR3,
    GroupKind::Rn(9),
    GroupKind::SE3,
    GroupKind::S3xR3,
    GroupKind::SO3,
    GroupKind::S3sR3,
];
const CONFIG_LEN: usize = 1 + 4 + 12 + 9 + 12 + 7 + 9 + 7;
const DOF: usize = 1 + 3 + 6 + 9 + 6 + 6 + 3 + 6;

/// Rotation vectors of less than half a turn, small ones included.
fn rotation() -> impl Strategy<Value = SVector<f64, 3>> {
    (uniform3(-1.0..1.0), -10.0..1.0).prop_map(|(axis, exponent)| {
        let axis: SVector<f64, 3> = axis.into();
        axis * (1.8 * f64::powf(10.0, f64::min(exponent, 0.0)))
    })
}

fn motion() -> impl Strategy<Value = SVector<f64, 6>> {
    (rotation(), uniform3(-4.0..4.0)).prop_map(|(omega, u): (_, [f64; 3])| {
        SVector::from([omega.x, omega.y, omega.z, u[0], u[1], u[2]])
    })
}

fn velocity() -> impl Strategy<Value = Vec<f64>> {
    proptest::collection::vec(-1.7..1.7, DOF)
}

fn group_properties<const N: usize, G: LieGroup<N, Scalar = f64>>(
    x: &SVector<f64, N>,
    y: &SVector<f64, N>,
    z: &SVector<f64, N>,
) -> Result<(), TestCaseError> {
    let (a, b, c) = (G::exp(x), G::exp(y), G::exp(z));
    let (left, right) = (a.compose(&b).compose(&c), a.compose(&b.compose(&c)));
    prop_assert!(left.distance(&right) < TOLERANCE);
    prop_assert!(a.compose(&a.inverse()).distance(&G::identity()) < TOLERANCE);
    prop_assert!((a.log() - x).norm() < TOLERANCE);
    prop_assert!((a.distance(&b) - c.compose(&a).distance(&c.compose(&b))).abs() < TOLERANCE);
    prop_assert!((a.distance(&b) - b.distance(&a)).abs() < TOLERANCE);
    prop_assert!(a.compose(&G::exp(&a.difference(&b))).distance(&b) < TOLERANCE);
    prop_assert!((G::tangent_inverse_times(x, &G::tangent_times(x, y)) - y).norm() < TOLERANCE);
    let work = G::tangent_transpose_times(x, y).dot(z) - y.dot(&G::tangent_times(x, z));
    prop_assert!(work.abs() < 4.0 * TOLERANCE);
    prop_assert!((G::ad_times(x, y) + G::ad_times(y, x)).norm() < TOLERANCE);
    let jacobi = G::ad_times(x, &G::ad_times(y, z))
        + G::ad_times(y, &G::ad_times(z, x))
        + G::ad_times(z, &G::ad_times(x, y));
    prop_assert!(jacobi.norm() < 4.0 * TOLERANCE);
    Ok(())
}

fn gap(a: &[f64], b: &[f64]) -> f64 {
    let gap = |(a, b): (&f64, &f64)| (a - b).abs();
    a.iter().zip(b).map(gap).fold(0.0, f64::max)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn rotations((x, y, z) in (rotation(), rotation(), rotation())) {
        group_properties::<3, SO3>(&x, &y, &z)?;
        group_properties::<3, S3>(&x, &y, &z)?;
    }

    #[test]
    fn motions((x, y, z) in (motion(), motion(), motion())) {
        group_properties::<6, SO3xR3>(&x, &y, &z)?;
        group_properties::<6, SE3>(&x, &y, &z)?;
        group_properties::<6, S3sR3>(&x, &y, &z)?;
    }

    /// Matrices and quaternions are the same motions.
    #[test]
    fn double_cover((x, y) in (motion(), motion())) {
        let matrix = SE3::exp(&x).compose(&SE3::exp(&y));
        let quaternion = S3sR3::exp(&x).compose(&S3sR3::exp(&y));
        prop_assert!((matrix.translation - quaternion.translation).norm() < TOLERANCE);
        prop_assert!((matrix.adjoint() - quaternion.adjoint()).norm() < 4.0 * TOLERANCE);
    }

    /// Elements off the group by a little come back to it, not far away.
    #[test]
    fn renormalization((x, error) in (velocity(), uniform6(-1e-6..1e-6))) {
        let space = Space::new(KINDS);
        let mut exact = [0.0; CONFIG_LEN];
        space.exp(&x, &mut exact);
        prop_assert!(space.defect(&exact) < 1e-14);
        let mut q = exact;
        q.iter_mut().zip(error.iter().cycle()).for_each(|(q, error)| *q += error);
        space.renormalize(&mut q);
        prop_assert!(space.defect(&q) < 1e-14);
        prop_assert!(gap(&q, &exact) < 5e-6);
    }

    #[test]
    fn products_of_groups((x, y, w) in (velocity(), velocity(), velocity())) {
        let space = Space::new(KINDS);
        let [mut a, mut b, mut c, mut d] = [[0.0; CONFIG_LEN]; 4];
        let [mut u, mut v] = [[0.0; DOF]; 2];
        space.exp(&x, &mut a);
        space.displace(&a, &y, &mut b);
        space.exp(&y, &mut d);
        space.compose(&a, &d, &mut c);
        // Displaced quaternions are brought back to unit length.
        prop_assert!(gap(&b, &c) < 1e-15);
        space.difference(&a, &b, &mut u);
        prop_assert!(gap(&u, &y) < TOLERANCE);
        let norm = y.iter().map(|y| y * y).sum::<f64>().sqrt();
        prop_assert!((space.distance(&a, &b) - norm).abs() < TOLERANCE);
        space.interpolate(&a, &b, 1.0, &mut c);
        prop_assert!(gap(&c, &b) < TOLERANCE);
        space.inverse(&a, &mut c);
        space.compose(&c, &a, &mut b);
        space.identity(&mut c);
        prop_assert!(gap(&b, &c) < TOLERANCE);
        space.log(&a, &mut u);
        prop_assert!(gap(&u, &x) < TOLERANCE);
        space.tangent_times(&x, &w, &mut u);
        space.tangent_inverse_times(&x, &u, &mut v);
        prop_assert!(gap(&v, &w) < TOLERANCE);
        // T⁻¹(x) x = x for every x: D[T⁻¹(x) y] w + T⁻¹(x) w = w at y = x.
        space.tangent_inverse_derivative_times(&x, &x, &w, &mut u);
        space.tangent_inverse_times(&x, &w, &mut v);
        u.iter_mut().zip(&v).for_each(|(u, v)| *u += v);
        prop_assert!(gap(&u, &w) < TOLERANCE);
        // T(x) = I - ad_x / 2 + O(|x|²).
        let small = x.iter().map(|x| 1e-6 * x).collect::<Vec<_>>();
        space.tangent_times(&small, &w, &mut u);
        space.ad_times(&small, &w, &mut v);
        v.iter_mut().zip(&w).for_each(|(v, w)| *v = w - 0.5 * *v);
        prop_assert!(gap(&u, &v) < 1e-10);
    }

    /// `blend_solve` solves with `σ I + (1 - σ) T(θ)`, and so does the matrix.
    #[test]
    fn blends((theta, rhs, sigma) in (velocity(), velocity(), 0.0..1.0_f64)) {
        for sigma in [0.0, sigma, 0.5, 1.0] {
            for factor in Space::new(KINDS).factors() {
                let n = factor.kind.dof();
                let (theta, rhs) = (&theta[factor.velocity.clone()], &rhs[factor.velocity.clone()]);
                let (mut x, mut tangent, mut inverse) = (vec![0.0; n], vec![0.0; n * n], vec![0.0; n * n]);
                factor.kind.blend_solve(sigma, theta, rhs, &mut x);
                factor.kind.tangent_into(theta, &mut tangent);
                factor.kind.blend_inverse_into(sigma, theta, &mut inverse);
                for i in 0..n {
                    let row = i * n..(i + 1) * n;
                    let dot = |row: &[f64], x: &[f64]| row.iter().zip(x).map(|(a, x)| a * x).sum::<f64>();
                    let blended = sigma * x[i] + (1.0 - sigma) * dot(&tangent[row.clone()], &x);
                    prop_assert!((blended - rhs[i]).abs() < 4.0 * TOLERANCE);
                    prop_assert!((dot(&inverse[row], rhs) - x[i]).abs() < 4.0 * TOLERANCE);
                }
            }
        }
    }
}
