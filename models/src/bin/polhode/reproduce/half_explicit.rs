//! Tumiotto, Arnold (2024): half-explicit methods on the heavy top.

use polhode::lie::GroupKind;

use super::claim::{Check, Found, short};
use super::lab::{Lab, Point, half_explicit, slope};
use super::literal::{self, Arm};
use crate::chart::{Axis, Chart, Series};
use crate::failure::Failure;

const ORDERS: [(usize, f64); 4] = [(2, 2.0), (3, 3.0), (4, 4.0), (5, 5.0)];

/// Step sizes `1 / n` where errors are neither too large for an order nor rounding.
fn steps(order: usize) -> &'static [u32] {
    match order {
        2 => &[4000, 8000, 16_000, 32_000],
        3 | 4 => &[2000, 4000, 8000, 16_000],
        _ => &[1000, 2000, 4000, 8000],
    }
}

type Curve = Vec<(f64, f64)>;

/// Largest errors on [0, 1] over the step size.
fn errors(
    lab: &Lab,
    order: usize,
    group: GroupKind,
    value: impl Fn(&Point) -> f64,
) -> Result<Curve, Failure> {
    let runs = lab.tops(&half_explicit(order), group, steps(order))?;
    let error = runs
        .iter()
        .map(|run| (run.h, run.largest(0.0..=1.0, &value)));
    Ok(error.collect())
}

/// Errors of multipliers below this are rounding.
const ROUNDING_OF_MULTIPLIERS: f64 = 1e-7;

/// The points of a curve whose errors, in another measure, are above rounding.
fn above_rounding(curve: &[(f64, f64)], absolute: &[(f64, f64)]) -> Curve {
    let pairs = curve.iter().zip(absolute);
    let kept = pairs.filter(|(_, absolute)| absolute.1 > ROUNDING_OF_MULTIPLIERS);
    kept.map(|(point, _)| *point).collect()
}

fn convergence(lab: &Lab, group: GroupKind) -> Result<Found, Failure> {
    let mut found = Found::default();
    let (mut in_q, mut in_lambda) = (Vec::new(), Vec::new());
    for (order, expected) in ORDERS {
        let q = errors(lab, order, group, |point| point.q)?;
        let lambda = errors(lab, order, group, |point| point.lambda_relative)?;
        let absolute = errors(lab, order, group, |point| point.lambda_error)?;
        let lambda = above_rounding(&lambda, &absolute);
        let solved = errors(lab, order, group, |point| point.lambda_at_state)?;
        let solved = above_rounding(&solved, &absolute);
        found.checks.push(Check::order(
            &format!("the method of order {order} converges with its order in q"),
            expected,
            slope(&q),
        ));
        let check = Check::order(
            &format!("and in the multipliers, order {order}"),
            expected,
            slope(&lambda),
        );
        found.checks.push(check.or(|| {
            format!(
                "order {:.2} in the multipliers of the method; {:.2} if they are solved for at \
                 the state",
                slope(&lambda),
                slope(&solved)
            )
        }));
        in_q.push(Series::marked(&format!("order {order}"), q));
        in_lambda.push(Series::marked(&format!("order {order}"), lambda));
    }
    let chart = |title: &str, y, series| Chart {
        title: title.to_owned(),
        subtitle: format!("heavy top in {group}, largest error on [0, 1]"),
        x: Axis::log("step size"),
        y: Axis::log(y),
        series,
    };
    found.charts = vec![
        chart("Configuration", "distance in the group", in_q),
        chart("Multipliers", "relative error", in_lambda),
    ];
    Ok(found)
}

/// Figure 1.
pub(crate) fn direct(lab: &Lab) -> Result<Found, Failure> {
    convergence(lab, GroupKind::SO3xR3)
}

/// Figure 2.
pub(crate) fn semidirect(lab: &Lab) -> Result<Found, Failure> {
    convergence(lab, GroupKind::SE3)
}

/// The same with quaternions, and the claim about error constants.
fn quaternions(lab: &Lab, group: GroupKind, matrices: GroupKind) -> Result<Found, Failure> {
    let mut found = convergence(lab, group)?;
    for (order, _) in ORDERS {
        let recipe = half_explicit(order);
        let error = |group| -> Result<f64, Failure> {
            Ok(lab
                .top(&recipe, group, 2000)?
                .largest(0.0..=1.0, |point| point.q))
        };
        let ratio = error(group)? / error(matrices)?;
        let check = Check::new(
            &format!("quaternions have a slightly larger error constant, order {order}"),
            "ratio above 1",
            format!("ratio {ratio:.6}"),
            ratio > 1.01,
        );
        found.checks.push(check.or(|| {
            format!(
                "measured in the same way the errors are equal, ratio {ratio:.6}: {group} and \
                 {matrices} give the same method"
            )
        }));
    }
    Ok(found)
}

/// Figure 4.
pub(crate) fn direct_quaternions(lab: &Lab) -> Result<Found, Failure> {
    quaternions(lab, GroupKind::S3xR3, GroupKind::SO3xR3)
}

/// Figure 5, whose caption repeats that of figure 4.
pub(crate) fn semidirect_quaternions(lab: &Lab) -> Result<Found, Failure> {
    quaternions(lab, GroupKind::S3sR3, GroupKind::SE3)
}

/// Largest residual on [0.75, 1] over that on [0, 0.25] with the Jacobian as printed.
fn growth_as_printed() -> f64 {
    let gaps = literal::gaps(1000, Arm::Printed);
    let largest = |gaps: &[(f64, f64)]| gaps.iter().fold(0.0_f64, |most, gap| most.max(gap.1));
    largest(&gaps[750..]) / largest(&gaps[..250])
}

/// Residuals of the position constraint over time, steps of 1e-3.
fn residuals(lab: &Lab, direct: GroupKind, semidirect: GroupKind) -> Result<Found, Failure> {
    const ROUNDING: f64 = 1e-13;
    let mut found = Found::default();
    for group in [direct, semidirect] {
        let mut series = Vec::new();
        for (order, _) in ORDERS {
            let run = lab.top(&half_explicit(order), group, 1000)?;
            let gap = |point: &Point| point.gap;
            if group == direct {
                let growth = run.largest(0.75..=1.0, gap) / run.largest(0.0..=0.25, gap);
                let check = Check::new(
                    &format!("in {group} the residual grows linearly, order {order}"),
                    "largest on [0.75, 1] about 4 times that on [0, 0.25]",
                    format!("{growth:.2} times"),
                    growth > 2.0,
                );
                found.checks.push(check.or(|| {
                    format!(
                        "it stays below {}: the Jacobian here is the derivative of the \
                         constraint, with R^T x in it; with X in its place, as Arnold et al. (2016) \
                         print it, it grows by a factor of {:.1} (order 3), so the paper may have used \
                         that one, which it does not say",
                        short(run.largest(0.0..=1.0, gap)),
                        growth_as_printed()
                    )
                }));
            } else {
                let largest = run.largest(0.0..=1.0, gap);
                let check = Check::new(
                    &format!("in {group} the constraint is kept, order {order}"),
                    "rounding errors",
                    short(largest),
                    largest < ROUNDING,
                );
                found.checks.push(check.or(|| {
                    format!(
                        "up to {}: only methods whose last stage is the first one of the next \
                         step (orders 4 and 5) keep it; the paper does not say which order it shows",
                        short(largest)
                    )
                }));
            }
            series.push(Series::line(&format!("order {order}"), run.curve(1.0, gap)));
        }
        if group == direct {
            let printed = literal::gaps(1000, Arm::Printed);
            series.push(Series::line("order 3, as printed", printed).dashed());
        }
        found.charts.push(Chart {
            title: "Residual of the position constraint".to_owned(),
            subtitle: format!("heavy top in {group}, steps of 0.001"),
            x: Axis::linear("time"),
            y: Axis::log("norm of the residual"),
            series,
        });
    }
    Ok(found)
}

/// Figure 3.
pub(crate) fn drift(lab: &Lab) -> Result<Found, Failure> {
    residuals(lab, GroupKind::SO3xR3, GroupKind::SE3)
}

/// Figure 6.
pub(crate) fn drift_quaternions(lab: &Lab) -> Result<Found, Failure> {
    residuals(lab, GroupKind::S3xR3, GroupKind::S3sR3)
}

/// Table 2: closed forms above the printed thresholds, compared with their series.
#[expect(clippy::unnecessary_wraps, reason = "other claims can fail")]
pub(crate) fn thresholds(_: &Lab) -> Result<Found, Failure> {
    type Function = fn(f64) -> f64;
    const ACCURATE: f64 = 1e-14;
    // Name, threshold, closed form, coefficients of the series in the squared angle.
    let rows: [(&str, f64, Function, [f64; 5]); 4] = [
        (
            "(cos w - 1) / w^2",
            1e-2,
            |w| (w.cos() - 1.0) / (w * w),
            [-1.0 / 2.0, 1.0 / 24.0, -1.0 / 720.0, 1.0 / 40_320.0, 0.0],
        ),
        (
            "(w - sin w) / w^3",
            1e-4,
            |w| (w - w.sin()) / w.powi(3),
            [1.0 / 6.0, -1.0 / 120.0, 1.0 / 5040.0, 0.0, 0.0],
        ),
        (
            "(2 - 2 cos w - w sin w) / w^4",
            1e-1,
            |w| (2.0 - 2.0 * w.cos() - w * w.sin()) / w.powi(4),
            [
                1.0 / 12.0,
                -1.0 / 180.0,
                1.0 / 6720.0,
                -1.0 / 453_600.0,
                1.0 / 47_900_160.0,
            ],
        ),
        (
            "(w (2 + cos w) - 3 sin w) / w^5",
            1e-1,
            |w| (w * (2.0 + w.cos()) - 3.0 * w.sin()) / w.powi(5),
            [
                1.0 / 60.0,
                -1.0 / 1260.0,
                1.0 / 60_480.0,
                -1.0 / 4_989_600.0,
                1.0 / 622_702_080.0,
            ],
        ),
    ];
    let mut found = Found::default();
    let mut series = Vec::new();
    for (name, threshold, closed, coefficients) in rows {
        let error = |w: f64| {
            let exact = coefficients
                .iter()
                .rev()
                .fold(0.0, |sum, c| sum * w * w + c);
            (closed(w) / exact - 1.0).abs()
        };
        let above = (0..400).map(|i| threshold * (1.0 + 1e-3 * f64::from(i)));
        let curve: Curve = above.map(|w| (w, error(w))).collect();
        let worst = curve
            .iter()
            .fold(0.0_f64, |worst, point| worst.max(point.1));
        let check = Check::new(
            &format!("{name} may be evaluated as it stands from w = {threshold} on"),
            "no loss of accuracy",
            format!("relative error {worst:.1e}"),
            worst < ACCURATE,
        );
        found.checks.push(check.or(|| {
            format!("cancellation costs a relative error of {worst:.1e} just above the threshold")
        }));
        series.push(Series::line(name, curve));
    }
    found.charts.push(Chart {
        title: "Closed forms just above their thresholds".to_owned(),
        subtitle: "relative error in double precision".to_owned(),
        x: Axis::log("angle"),
        y: Axis::log("relative error"),
        series,
    });
    Ok(found)
}
