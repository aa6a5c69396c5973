//! The laws of Lie groups as functions that return their worst defect.
//!
//! Each law is run on every group at angles on both sides of every branch, and
//! on deliberately broken groups, where it has to fail.

use std::f64::consts::{FRAC_PI_2, PI};

use nalgebra::{SMatrix, SVector};

use super::broken::{Broken, FAULTS};
use super::packed::Packed;
use super::{LieGroup, Rn, S3, S3sR3, S3xR3, SE3, SO3, SO3xR3};
use crate::real::Dual;

/// A group that can be tested: its elements can be compared, and differentiated
/// through the same group over dual numbers.
pub(super) trait Testable<const DOF: usize>: LieGroup<DOF, Scalar = f64> {
    type Dual: LieGroup<DOF, Scalar = Dual>;

    /// The numbers of the element, padded with zeros.
    fn components(&self) -> SVector<f64, 12>;
}

macro_rules! testable {
    ($($group:ident $dof:literal;)*) => {$(
        impl Testable<$dof> for $group {
            type Dual = $group<Dual>;

            fn components(&self) -> SVector<f64, 12> {
                let mut components = SVector::<f64, 12>::zeros();
                self.write(&mut components.as_mut_slice()[..<Self as Packed>::LEN]);
                components
            }
        }
    )*};
}

testable! { SO3 3; S3 3; SO3xR3 6; SE3 6; S3xR3 6; S3sR3 6; }

impl Testable<5> for Rn<f64, 5> {
    type Dual = Rn<Dual, 5>;

    fn components(&self) -> SVector<f64, 12> {
        self.vector
            .resize_generic(nalgebra::Const, nalgebra::Const, 0.0)
    }
}

/// Angles at zero, on both sides of the branches, and up to half a turn.
const ANGLES: [f64; 20] = [
    0.0,
    1e-12,
    1e-8,
    1e-4,
    1e-3,
    0.1,
    0.489_95, // tan(angle/2)² = 1/16
    0.489_96,
    0.499_999,
    0.500_001,
    0.999_999,
    1.0,
    1.000_001,
    FRAC_PI_2 - 1e-6, // tan(angle/2)² = 1
    FRAC_PI_2 + 1e-6,
    2.0,
    3.0,
    PI - 1.6e-3,
    PI - 1e-6,
    PI - 1e-10,
];

/// Numbers in (-1, 1), always the same.
pub(super) fn noise<const N: usize>(seed: u32) -> SVector<f64, N> {
    let mut state = seed.wrapping_mul(2_654_435_761).wrapping_add(12_345);
    SVector::from_fn(|_, _| {
        for _ in 0..3 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        }
        f64::from(state >> 8) / f64::from(1 << 23) - 1.0
    })
}

/// Algebra elements with rotations by all [`ANGLES`] about different axes.
pub(super) fn samples<const DOF: usize>() -> Vec<SVector<f64, DOF>> {
    let mut samples = Vec::new();
    for (seed, angle) in (0..).zip(ANGLES.iter().cycle().take(2 * ANGLES.len())) {
        let mut sample = noise::<DOF>(seed);
        let axis = sample.fixed_rows::<3>(0).normalize();
        sample.fixed_rows_mut::<3>(0).copy_from(&(axis * *angle));
        samples.push(sample);
    }
    samples
}

type Vector<const DOF: usize> = SVector<f64, DOF>;

fn worst(defects: impl IntoIterator<Item = f64>) -> f64 {
    // `f64::max` would lose a NaN.
    defects.into_iter().fold(
        0.0,
        |worst, defect| if defect <= worst { worst } else { defect },
    )
}

/// The worst defect over all pairs of a sample and one drawn from the others.
fn over_pairs<const DOF: usize>(
    samples: &[Vector<DOF>],
    defect: impl Fn(&Vector<DOF>, &Vector<DOF>) -> f64,
) -> f64 {
    let count = samples.len();
    worst(
        (0..count)
            .flat_map(|i| (1..4).map(move |step| (i, (i + 7 * step) % count)))
            .map(|(i, j)| defect(&samples[i], &samples[j])),
    )
}

/// The distance of two elements by their components.
fn apart<const DOF: usize, G: Testable<DOF>>(a: &G, b: &G) -> f64 {
    (a.components() - b.components()).norm()
}

/// `x + ε e_j`.
fn seeded<const DOF: usize>(x: &Vector<DOF>, j: usize) -> SVector<Dual, DOF> {
    SVector::from_fn(|i, _| Dual::new(x[i], if i == j { 1.0 } else { 0.0 }))
}

/// The matrix whose column `j` is the derivative of `map` along `e_j`.
fn jacobian<const DOF: usize>(
    x: &Vector<DOF>,
    map: impl Fn(&SVector<Dual, DOF>) -> SVector<Dual, DOF>,
) -> SMatrix<f64, DOF, DOF> {
    let columns = std::array::from_fn::<_, DOF, _>(|j| map(&seeded(x, j)).map(|y| y.slope));
    SMatrix::from_columns(&columns)
}

fn constant<const DOF: usize>(x: &Vector<DOF>) -> SVector<Dual, DOF> {
    x.map(|x| Dual::new(x, 0.0))
}

/// `(a ∘ b) ∘ c = a ∘ (b ∘ c)` and `e ∘ a = a ∘ e = a`.
fn composition<const DOF: usize, G: Testable<DOF>>(samples: &[Vector<DOF>]) -> f64 {
    over_pairs(samples, |x, y| {
        let (a, b, c) = (G::exp(x), G::exp(y), G::exp(&(x * 0.3 - y * 0.4)));
        let left = a.compose(&b).compose(&c);
        worst([
            apart(&left, &a.compose(&b.compose(&c))),
            apart(&G::identity().compose(&a), &a),
            apart(&a.compose(&G::identity()), &a),
        ])
    })
}

/// `q ∘ q⁻¹ = q⁻¹ ∘ q = e`.
fn inverse<const DOF: usize, G: Testable<DOF>>(samples: &[Vector<DOF>]) -> f64 {
    worst(samples.iter().map(|x| {
        let q = G::exp(x);
        let e = G::identity();
        apart(&q.compose(&q.inverse()), &e).max(apart(&q.inverse().compose(&q), &e))
    }))
}

/// `log(exp(x)) = x`.
fn logarithm<const DOF: usize, G: Testable<DOF>>(samples: &[Vector<DOF>]) -> f64 {
    worst(samples.iter().map(|x| (G::exp(x).log() - x).norm()))
}

/// `exp(s x) ∘ exp(t x) = exp((s + t) x)`.
fn subgroup<const DOF: usize, G: Testable<DOF>>(samples: &[Vector<DOF>]) -> f64 {
    worst(samples.iter().map(|x| {
        let product = G::exp(&(x * 0.625)).compose(&G::exp(&(x * 0.375)));
        apart(&product, &G::exp(x))
    }))
}

/// `Ad_(a ∘ b) = Ad_a Ad_b`.
fn adjoint<const DOF: usize, G: Testable<DOF>>(samples: &[Vector<DOF>]) -> f64 {
    over_pairs(samples, |x, y| {
        let (a, b) = (G::exp(x), G::exp(y));
        (a.compose(&b).adjoint() - a.adjoint() * b.adjoint()).norm()
    })
}

/// `exp(Ad_a y) = a ∘ exp(y) ∘ a⁻¹`.
fn conjugation<const DOF: usize, G: Testable<DOF>>(samples: &[Vector<DOF>]) -> f64 {
    over_pairs(samples, |x, y| {
        let a = G::exp(x);
        let conjugate = a.compose(&G::exp(y)).compose(&a.inverse());
        apart(&G::exp(&(a.adjoint() * y)), &conjugate)
    })
}

/// `Ad_a [x, y] = [Ad_a x, Ad_a y]`.
fn bracket<const DOF: usize, G: Testable<DOF>>(samples: &[Vector<DOF>]) -> f64 {
    over_pairs(samples, |x, y| {
        let a = G::exp(&(x * 0.5 + y * 0.3)).adjoint();
        (a * G::ad_times(x, y) - G::ad_times(&(a * x), &(a * y))).norm()
    })
}

/// `Ad_exp(x) = Σ ad_x^i / i!`.
fn adjoint_series<const DOF: usize, G: Testable<DOF>>(samples: &[Vector<DOF>]) -> f64 {
    worst(samples.iter().map(|x| {
        let ad = G::ad(x);
        let (mut term, mut sum) = (SMatrix::<f64, DOF, DOF>::identity(), SMatrix::identity());
        for i in 1..50 {
            term = ad * term / f64::from(i);
            sum += term;
        }
        (G::exp(x).adjoint() - sum).norm()
    }))
}

/// `T(x) x = x` and `T(x)⁻¹ x = x`.
fn fixed_vector<const DOF: usize, G: Testable<DOF>>(samples: &[Vector<DOF>]) -> f64 {
    worst(samples.iter().map(|x| {
        let (tangent, inverse) = (G::tangent(x) * x, G::tangent_inverse(x) * x);
        (tangent - x).norm().max((inverse - x).norm())
    }))
}

/// `T(x) T(x)⁻¹ = I`.
fn tangent_inverse<const DOF: usize, G: Testable<DOF>>(samples: &[Vector<DOF>]) -> f64 {
    worst(samples.iter().map(|x| {
        let product = G::tangent(x) * G::tangent_inverse(x);
        (product - SMatrix::<f64, DOF, DOF>::identity()).norm()
    }))
}

/// `log(exp(x)⁻¹ ∘ exp(x + ε d)) = ε T(x) d`.
fn tangent<const DOF: usize, G: Testable<DOF>>(samples: &[Vector<DOF>]) -> f64 {
    worst(samples.iter().map(|x| {
        let start = G::Dual::exp(&constant(x)).inverse();
        let derivative = jacobian(x, |x| start.compose(&G::Dual::exp(x)).log());
        (G::tangent(x) - derivative).norm()
    }))
}

/// `log(exp(x) ∘ exp(ε d)) = x + ε T(x)⁻¹ d`.
fn tangent_of_log<const DOF: usize, G: Testable<DOF>>(samples: &[Vector<DOF>]) -> f64 {
    worst(samples.iter().map(|x| {
        let start = G::Dual::exp(&constant(x));
        let derivative = jacobian(&SVector::zeros(), |d| start.compose(&G::Dual::exp(d)).log());
        (G::tangent_inverse(x) - derivative).norm()
    }))
}

/// `D_θ[T(θ) x]` by dual numbers.
fn tangent_derivative<const DOF: usize, G: Testable<DOF>>(samples: &[Vector<DOF>]) -> f64 {
    over_pairs(samples, |theta, x| {
        let derivative = jacobian(theta, |theta| G::Dual::tangent(theta) * constant(x));
        (G::tangent_derivative(theta, x) - derivative).norm()
    })
}

/// `D_θ[T(θ)⁻¹ x]` by dual numbers.
fn tangent_inverse_derivative<const DOF: usize, G: Testable<DOF>>(samples: &[Vector<DOF>]) -> f64 {
    over_pairs(samples, |theta, x| {
        let derivative = jacobian(theta, |theta| G::Dual::tangent_inverse(theta) * constant(x));
        (G::tangent_inverse_derivative(theta, x) - derivative).norm()
    })
}

/// Products with a vector are those of the matrices.
fn products<const DOF: usize, G: Testable<DOF>>(samples: &[Vector<DOF>]) -> f64 {
    over_pairs(samples, |x, y| {
        let q = G::exp(x);
        let (tangent, inverse) = (G::tangent(x), G::tangent_inverse(x));
        worst([
            (G::ad(x) * y - G::ad_times(x, y)).norm(),
            (q.adjoint() * y - q.adjoint_times(y)).norm(),
            (tangent * y - G::tangent_times(x, y)).norm(),
            (inverse * y - G::tangent_inverse_times(x, y)).norm(),
            (tangent.tr_mul(y) - G::tangent_transpose_times(x, y)).norm(),
            (inverse.tr_mul(y) - G::tangent_inverse_transpose_times(x, y)).norm(),
        ])
    })
}

/// From `a` at 0 to `a ∘ exp(y)` at 1, and `a ∘ exp(y/2)` in between.
fn interpolation<const DOF: usize, G: Testable<DOF>>(samples: &[Vector<DOF>]) -> f64 {
    over_pairs(samples, |x, y| {
        let (a, y) = (G::exp(x), y * 0.9);
        let b = a.compose(&G::exp(&y));
        worst([
            apart(&a.interpolate(&b, 0.0), &a),
            apart(&a.interpolate(&b, 1.0), &b),
            apart(&a.interpolate(&b, 0.5), &a.compose(&G::exp(&(y * 0.5)))),
        ])
    })
}

/// `d(a, a ∘ exp(y)) = |y|`, the same in the other direction, and 0 from `a` to
/// itself.
fn distance<const DOF: usize, G: Testable<DOF>>(samples: &[Vector<DOF>]) -> f64 {
    over_pairs(samples, |x, y| {
        let (a, y) = (G::exp(x), y * 0.9);
        let b = a.compose(&G::exp(&y));
        worst([
            (a.distance(&b) - y.norm()).abs(),
            (b.distance(&a) - y.norm()).abs(),
            a.distance(&a),
        ])
    })
}

/// Elements satisfy the equations of the group and stay where they are.
fn normalization<const DOF: usize, G: Testable<DOF>>(samples: &[Vector<DOF>]) -> f64 {
    worst(samples.iter().map(|x| {
        let q = G::exp(x);
        q.defect().max(apart(&q.renormalized(), &q))
    }))
}

type Law<const DOF: usize> = (&'static str, fn(&[Vector<DOF>]) -> f64);

pub(super) fn laws<const DOF: usize, G: Testable<DOF>>() -> [Law<DOF>; 18] {
    [
        ("composition", composition::<DOF, G>),
        ("inverse", inverse::<DOF, G>),
        ("logarithm", logarithm::<DOF, G>),
        ("subgroup", subgroup::<DOF, G>),
        ("adjoint", adjoint::<DOF, G>),
        ("conjugation", conjugation::<DOF, G>),
        ("bracket", bracket::<DOF, G>),
        ("adjoint_series", adjoint_series::<DOF, G>),
        ("fixed_vector", fixed_vector::<DOF, G>),
        ("tangent_inverse", tangent_inverse::<DOF, G>),
        ("tangent", tangent::<DOF, G>),
        ("tangent_of_log", tangent_of_log::<DOF, G>),
        ("tangent_derivative", tangent_derivative::<DOF, G>),
        (
            "tangent_inverse_derivative",
            tangent_inverse_derivative::<DOF, G>,
        ),
        ("products", products::<DOF, G>),
        ("interpolation", interpolation::<DOF, G>),
        ("distance", distance::<DOF, G>),
        ("normalization", normalization::<DOF, G>),
    ]
}

/// Largest defect that rounding explains: the elements have numbers up to 5, and
/// a law takes up to some dozen operations with them. The power series of the
/// adjoint cancels terms up to `π³/3!` of the rotation.
const TOLERANCE: f64 = 8e-15;

fn check<const DOF: usize, G: Testable<DOF>>(group: &str) {
    for (law, defect) in laws::<DOF, G>() {
        let defect = defect(&samples());
        println!("{group:8} {law:28} {defect:9.2e}");
        assert!(defect <= TOLERANCE, "{law} of {group}: {defect:e}");
    }
}

#[test]
fn every_group_satisfies_the_laws() {
    check::<3, SO3>("SO3");
    check::<3, S3>("S3");
    check::<6, SO3xR3>("SO3xR3");
    check::<6, SE3>("SE3");
    check::<6, S3xR3>("S3xR3");
    check::<6, S3sR3>("S3sR3");
    check::<5, Rn<f64, 5>>("R5");
}

/// The laws that a group with the given fault violates, by far.
fn violated<const FAULT: usize>() -> Vec<&'static str> {
    let violated = laws::<6, Broken<SE3, FAULT>>()
        .into_iter()
        .filter(|(_, defect)| defect(&samples()).is_nan() || defect(&samples()) > 1e-2);
    violated.map(|(law, _)| law).collect()
}

#[test]
fn every_fault_is_noticed_and_every_law_can_fail() {
    let mut noticed = Vec::new();
    macro_rules! check_faults {
        ($($fault:literal)*) => {$(
            let laws = violated::<$fault>();
            let (fault, expected) = FAULTS[$fault];
            println!("{fault}: {laws:?}");
            assert!(laws.contains(&expected), "{fault} violates only {laws:?}");
            noticed.extend(laws);
        )*};
    }
    check_faults! { 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 }
    for (law, _) in laws::<6, SE3>() {
        assert!(noticed.contains(&law), "no fault violates {law}");
    }
}
