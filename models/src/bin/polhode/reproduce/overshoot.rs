//! Arnold, Cardona, Bruls (2016), section 3.2: how errors grow before they are damped.
//!
//! For `q'' = -lambda`, `q = 0` a step of generalized-alpha is linear in `(lambda, v / h, a)`:
//!
//! ```text
//! beta a+       = -(v / h) - (1/2 - beta) a
//! v+ / h        = v / h + (1 - gamma) a + gamma a+
//! (1 - af) l+   = -(1 - am) a+ - am a - af l
//! ```

use nalgebra::Matrix3;

use super::claim::{Check, Found, short};
use super::lab::Lab;
use crate::chart::{Axis, Chart, Series};
use crate::failure::Failure;

/// The matrix of a step, and the constant `C_q` of the local error.
fn step(rho: f64) -> (Matrix3<f64>, f64) {
    let (am, af) = ((2.0 * rho - 1.0) / (rho + 1.0), rho / (rho + 1.0));
    let gamma = 0.5 + af - am;
    let beta = 0.25 * (gamma + 0.5).powi(2);
    let a = [-1.0 / beta, -(0.5 - beta) / beta];
    let matrix = Matrix3::new(
        -af / (1.0 - af),
        -(1.0 - am) * a[0] / (1.0 - af),
        -((1.0 - am) * a[1] + am) / (1.0 - af),
        0.0,
        1.0 + gamma * a[0],
        1.0 - gamma + gamma * a[1],
        0.0,
        a[0],
        a[1],
    );
    (matrix, (1.0 - 6.0 * beta - 3.0 * (am - af)) / 6.0)
}

/// A number of every power of the matrix, from the first to the last.
fn powers(rho: f64, last: u32, value: impl Fn(&Matrix3<f64>) -> f64) -> Vec<(f64, f64)> {
    let (matrix, _) = step(rho);
    let mut power = Matrix3::identity();
    let next = |n| {
        power *= matrix;
        (f64::from(n), value(&power))
    };
    (1..=last).map(next).collect()
}

/// Where a curve is largest, and its value there.
fn peak(curve: &[(f64, f64)]) -> (f64, f64) {
    let start = (f64::NAN, f64::NEG_INFINITY);
    let larger = |best: (f64, f64), point: &(f64, f64)| {
        if point.1 > best.1 { *point } else { best }
    };
    curve.iter().fold(start, larger)
}

fn chart(title: &str, series: Vec<Series>) -> Chart {
    Chart {
        title: title.to_owned(),
        subtitle: "generalized-alpha, index 3, q'' = -lambda, q = 0".to_owned(),
        x: Axis::linear("steps"),
        y: Axis::log(title),
        series,
    }
}

/// Largest norms of the powers.
#[expect(clippy::unnecessary_wraps, reason = "other claims can fail")]
pub(crate) fn norms(_: &Lab) -> Result<Found, Failure> {
    let mut checks = Vec::new();
    let mut series = Vec::new();
    for (rho, printed, at) in [(0.6, 7.4, 3.0), (0.9, 34.3, 14.0)] {
        let curve = powers(rho, 100, |power| power.singular_values().max());
        let (n, largest) = peak(&curve);
        let statement = format!("largest norm of the powers of the step, rho = {rho}");
        checks.push(Check::number(&statement, printed, 0.05, largest));
        let statement = format!("it is that of the power, rho = {rho}");
        checks.push(Check::number(&statement, at, 0.0, n));
        series.push(Series::line(&format!("rho = {rho}"), curve));
    }
    Ok(Found {
        checks,
        charts: vec![chart("norm of the power", series)],
    })
}

/// Equation (53): largest factors of the error of first order.
#[expect(clippy::unnecessary_wraps, reason = "other claims can fail")]
pub(crate) fn factors(_: &Lab) -> Result<Found, Failure> {
    let mut checks = Vec::new();
    let mut series = Vec::new();
    for (rho, printed, at) in [(0.6, 6.8, 3.0), (0.9, 31.9, 15.0), (0.99, 334.3, 161.0)] {
        let (_, constant) = step(rho);
        let curve = powers(rho, 400, |power| (constant * power[(0, 1)]).abs());
        let (n, largest) = peak(&curve);
        let statement = format!("largest c_n of the error of first order, rho = {rho}");
        checks.push(Check::number(&statement, printed, 0.05, largest).or(|| {
            let ratio = largest / constant.abs();
            format!(
                "{}: the printed number is c_n / C_q, {ratio:.1}",
                short(largest)
            )
        }));
        let statement = format!("it belongs to the step, rho = {rho}");
        checks.push(Check::number(&statement, at, 0.0, n));
        series.push(Series::line(&format!("rho = {rho}"), curve));
    }
    Ok(Found {
        checks,
        charts: vec![chart("size of c_n", series)],
    })
}
