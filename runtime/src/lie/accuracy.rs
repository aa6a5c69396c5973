//! Measured errors against reference values with more digits.

use std::f64::consts::PI;
use std::fs;

use nalgebra::{SMatrix, SVector};
use serde_json::Value;

use super::coefficients::lifted;
use super::packed::Packed;
use super::{LieGroup, Rotation, S3, S3sR3, SE3, SO3, SO3xR3, coefficients};
use crate::real::{Dual, Real};

/// The unit roundoff, 2^-53.
const U: f64 = 0.5 * f64::EPSILON;

fn data(name: &str) -> Value {
    let path = format!("{}/../tests/data/{name}", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&fs::read_to_string(path).expect("file")).expect("JSON")
}

/// All numbers in a value, nested lists and numbers in strings included.
fn numbers(value: &Value) -> Vec<f64> {
    match value {
        Value::Array(items) => items.iter().flat_map(numbers).collect(),
        Value::String(text) => vec![text.parse().expect("number")],
        number => vec![number.as_f64().expect("number")],
    }
}

fn list(value: &Value) -> &Vec<Value> {
    value.as_array().expect("list")
}

fn vector<const N: usize>(value: &Value) -> SVector<f64, N> {
    SVector::from_column_slice(&numbers(value))
}

fn matrix<const N: usize>(value: &Value) -> SMatrix<f64, N, N> {
    SMatrix::from_row_slice(&numbers(value))
}

/// `|actual - expected| / |expected|`, Frobenius norms.
fn relative<const M: usize, const N: usize>(
    actual: &SMatrix<f64, M, N>,
    expected: &SMatrix<f64, M, N>,
) -> f64 {
    (actual - expected).norm() / expected.norm()
}

fn packed<G: Packed, const N: usize>(element: &G) -> SVector<f64, N> {
    let mut numbers = SVector::<f64, N>::zeros();
    element.write(numbers.as_mut_slice());
    numbers
}

type Function = fn(f64) -> f64;

/// Name, function, and error bound in `U` for `π < ω ≤ 6.2`; up to `π` it is 5.
const COEFFICIENTS: [(&str, Function, f64); 11] = [
    ("cosine", coefficients::cosine, 3.0),
    ("sinc", coefficients::sinc, 3.0),
    ("cosc", coefficients::cosc, 7.0),
    ("sine_defect", coefficients::sine_defect, 4.0),
    ("cosc_slope", coefficients::cosc_slope, 9.0),
    ("sine_defect_slope", coefficients::sine_defect_slope, 8.0),
    ("cosc_curvature", coefficients::cosc_curvature, 6.0),
    (
        "sine_defect_curvature",
        coefficients::sine_defect_curvature,
        30.0,
    ),
    ("cot_defect", coefficients::cot_defect, 3.0),
    ("cot_defect_slope", coefficients::cot_defect_slope, 4.0),
    (
        "cot_defect_curvature",
        coefficients::cot_defect_curvature,
        4.0,
    ),
];

#[test]
fn coefficients_are_accurate_to_a_few_units() {
    let data = data("coefficients.json");
    for (index, (name, function, far_bound)) in COEFFICIENTS.into_iter().enumerate() {
        assert_eq!(data["functions"][index], name);
        let (mut near, mut far) = ((0.0, 0.0), (0.0, 0.0));
        for row in list(&data["rows"]).iter().map(numbers) {
            let (s, high, low) = (row[0], row[2 * index + 1], row[2 * index + 2]);
            let error = ((function(s) - high) - low).abs() / high.abs() / U;
            let worst = if s <= PI * PI { &mut near } else { &mut far };
            if error > worst.0 {
                *worst = (error, s.sqrt());
            }
        }
        println!(
            "{name:22} {:6.2} u at {:.4}   {:6.2} u at {:.4}",
            near.0, near.1, far.0, far.1
        );
        assert!(near.0 <= 5.0, "{name}: {} u at angle {}", near.0, near.1);
        assert!(far.0 <= far_bound, "{name}: {} u at angle {}", far.0, far.1);
    }
}

#[test]
fn tangent_operators_are_accurate_to_four_units() {
    for sample in list(&data("tangent.json")["samples"]) {
        let theta = vector::<6>(&sample["theta"]);
        let tangent = relative(&SE3::<f64>::tangent(&theta), &matrix(&sample["tangent"]));
        let inverse = SE3::<f64>::tangent_inverse(&theta);
        let inverse = relative(&inverse, &matrix(&sample["tangent_inverse"]));
        println!("{:.2} u, inverse {:.2} u", tangent / U, inverse / U);
        assert!(tangent <= 4.0 * U && inverse <= 4.0 * U, "at {theta}");
    }
}

#[test]
fn group_maps_agree_with_series() {
    for sample in list(&data("lie_golden.json")["group_maps"]) {
        let theta = vector::<6>(&sample["theta"]);
        let rigid = SE3::<f64>::exp(&theta);
        let quaternion = S3sR3::<f64>::exp(&theta);
        let translation = vector::<3>(&sample["exp_semidirect_x"]);
        let errors = [
            relative(&rigid.rotation.matrix, &matrix(&sample["expSO3"])),
            relative(
                &packed(&quaternion.rotation),
                &vector::<4>(&sample["exp_quat"]),
            ),
            relative(&rigid.translation, &translation),
            relative(&quaternion.translation, &translation),
            relative(
                &SO3xR3::<f64>::tangent(&theta),
                &matrix(&sample["T_direct"]),
            ),
            relative(
                &SO3xR3::<f64>::tangent_inverse(&theta),
                &matrix(&sample["Tinv_direct"]),
            ),
            relative(
                &SE3::<f64>::tangent(&theta),
                &matrix(&sample["T_semidirect"]),
            ),
            relative(
                &S3sR3::<f64>::tangent_inverse(&theta),
                &matrix(&sample["Tinv_semidirect"]),
            ),
            relative(&rigid.log(), &theta),
            relative(&quaternion.log(), &theta),
        ];
        println!("{:.2?}", errors.map(|error| error / U));
        assert!(errors.iter().all(|&error| error <= 4e-16), "{errors:?}");
    }
}

#[test]
fn scalar_functions_agree_with_golden_values() {
    let golden = data("lie_golden.json");
    let values = golden["coeff_functions"]["values"]
        .as_object()
        .expect("map");
    assert_eq!(values.len(), 13);
    for (angle, values) in values {
        let s = angle.parse::<f64>().expect("angle").powi(2);
        let half = |s| 0.5 * coefficients::sinc(0.25 * s);
        let functions: [(&str, Function); 8] = [
            ("a0", coefficients::sinc),
            ("a1", coefficients::cosc),
            ("a2", coefficients::sine_defect),
            ("b1", coefficients::cosc_slope),
            ("b2", coefficients::sine_defect_slope),
            ("c0", coefficients::cot_defect),
            ("d0", coefficients::cot_defect_slope),
            ("half", half),
        ];
        for (name, function) in functions {
            let expected = numbers(&values[name])[0];
            // The rounding of the square moves sinc, which vanishes at half a
            // turn, by up to `U`.
            let error = (function(s) - expected).abs() / (expected.abs() + 0.2);
            assert!(error <= 6.0 * U, "{name} at {angle}: {error:e}");
        }
    }
}

/// The tolerance leaves room for rounding in the samples, which are doubles.
#[test]
fn quaternion_motions_agree_with_samples() {
    for sample in list(&data("lie_s3r3_samples.json")["samples"]) {
        let v = vector::<6>(&sample["v"]);
        let q = S3sR3::<f64>::exp(&v);
        let errors = [
            relative(&packed(&q), &vector::<7>(&sample["exp"])),
            relative(&S3sR3::<f64>::tangent(&v), &matrix(&sample["T"])),
            relative(&S3sR3::<f64>::tangent_inverse(&v), &matrix(&sample["Tinv"])),
            relative(&q.log(), &v),
        ];
        println!("{:.2?}", errors.map(|error| error / U));
        assert!(errors.iter().all(|&error| error <= 1e-15), "{errors:?}");
    }
}

/// `log(exp(x)) = x` within `2 U` times the angle and a unit, right up to half
/// a turn; the quaternion of a matrix is found whatever its largest component.
#[test]
fn logarithm_is_accurate_up_to_half_a_turn() {
    let axes = [
        [1.0, 0.0, 0.0],
        [0.0, -1.0, 0.0],
        [0.0, 0.0, 1.0],
        [0.3, -0.5, 0.8],
        [-0.7, 0.7, 0.1],
        [0.57, 0.58, 0.58],
    ];
    let angles = [
        1e-9,
        0.4,
        1.5,
        2.0,
        2.1,
        3.0,
        PI - 1.6e-3,
        PI - 1e-6,
        PI - 1e-12,
    ];
    for axis in axes {
        let axis = SVector::from(axis).normalize();
        for angle in angles {
            let x = axis * angle;
            let matrix = (SO3::exp(&x).log() - x).norm();
            let quaternion = (S3::exp(&x).log() - x).norm();
            let converted = S3::from_matrix(&SO3::exp(&x).matrix);
            let converted = (packed::<_, 4>(&converted) - packed(&S3::exp(&x))).norm();
            for error in [matrix, quaternion, converted] {
                assert!(error <= 4.0 * U * (1.0 + angle), "{error:e} at {x}");
            }
        }
        // At half a turn both axes are right; the largest component decides.
        let half_turn = SO3::exp(&(axis * PI)).log();
        let distance = (half_turn - axis * PI)
            .norm()
            .min((half_turn + axis * PI).norm());
        assert!(distance <= 16.0 * U, "{half_turn}");
    }
}

/// Identities between the coefficients, and by dual numbers their derivatives,
/// on both sides of every branch and beyond a full turn.
#[test]
fn coefficients_and_slopes_satisfy_their_identities() {
    let squares = [
        0.0, 1e-16, 1e-4, 0.06, 0.065, 0.249, 0.251, 0.99, 1.01, 5.0, 9.8, 15.9, 16.1, 30.0, 39.0,
        39.9, 40.1, 60.0, 150.0,
    ];
    for s in squares.map(|s| Dual::new(s, 1.0)) {
        let one = Dual::from_f64(1.0);
        let (cosine, sinc, cosc) = (lifted::cosine(s), lifted::sinc(s), lifted::cosc(s));
        let sine_defect = lifted::sine_defect(s);
        let (cosc_slope, cosc_curvature) = (lifted::cosc_slope(s), lifted::cosc_curvature(s));
        let sine_defect_slope = lifted::sine_defect_slope(s);
        let sine_defect_curvature = lifted::sine_defect_curvature(s);
        let (cot, cot_slope) = (lifted::cot_defect(s), lifted::cot_defect_slope(s));
        let ratio = lifted::arctangent_ratio(s);
        // k = (ω/2) cot(ω/2) satisfies s k' = k - k² - s/4.
        let k = one - s * cot;
        let k_slope = -(cot * 2.0 + s * cot_slope);
        let k_curvature = -(cot_slope * 4.0 + s * lifted::cot_defect_curvature(s));
        let identities = [
            (cosine * cosine + s * sinc * sinc, one),
            (s * cosc, one - cosine),
            (s * sine_defect, one - sinc),
            (s * cosc_slope, cosc * 2.0 - sinc),
            (s * sine_defect_slope, sine_defect * 3.0 - cosc),
            (s * cosc_curvature, cosc - sine_defect - cosc_slope * 4.0),
            (
                s * sine_defect_curvature,
                cosc_slope - sine_defect_slope * 5.0,
            ),
            (cosc * cot * 2.0, cosc_slope),
            (
                cosc * cot_slope * 2.0,
                cosc_curvature + cosc_slope * cot * 2.0,
            ),
            (s * k_slope, k - k * k - s * 0.25),
            (s * k_curvature, -(k * 2.0 + 1.0) * k_slope - 0.5),
        ];
        for (index, (left, right)) in identities.into_iter().enumerate() {
            let scale = 1.0 + (k * k).value + (k_slope * k_slope).value;
            let value = (left - right).value.abs() / scale;
            let slope = (left - right).slope.abs() / (scale + (k_curvature * k).value.abs());
            assert!(
                value <= 4e-15 && slope <= 4e-15,
                "{index} at {s:?}: {value:e} {slope:e}"
            );
        }
        let slope = ratio.slope * 2.0 * s.value + ratio.value - 1.0 / (1.0 + s.value);
        assert!(slope.abs() <= 1e-15, "arctangent at {s:?}: {slope:e}");
    }
}
