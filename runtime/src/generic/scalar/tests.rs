//! Formulas of time: values by hand, derivatives by differences.

use crate::generic::description::{Formula, Function};

#[expect(clippy::unnecessary_box_returns, reason = "formulas hold boxes")]
fn time() -> Box<Formula> {
    Box::new(Formula::Time)
}

#[expect(clippy::unnecessary_box_returns, reason = "formulas hold boxes")]
fn number(x: f64) -> Box<Formula> {
    Box::new(Formula::Number(x))
}

type Values = fn(f64) -> f64;

/// A formula and its value, for `0 < t < 1`.
fn cases() -> Vec<(Formula, Values)> {
    let call = |f| Formula::Call(f, time());
    let below = |x: f64| Formula::Select {
        left: time(),
        right: number(x),
        below: Box::new(Formula::Mul(time(), time())),
        otherwise: Box::new(Formula::Call(Function::Exp, time())),
    };
    vec![
        (Formula::Number(3.0), |_| 3.0),
        (Formula::Time, |t| t),
        (Formula::Neg(time()), |t| -t),
        (Formula::Add(time(), number(2.0)), |t| t + 2.0),
        (Formula::Sub(number(2.0), time()), |t| 2.0 - t),
        (
            Formula::Mul(time(), Box::new(Formula::Mul(time(), time()))),
            |t| t * t * t,
        ),
        (
            Formula::Div(number(2.0), Box::new(Formula::Add(time(), number(1.0)))),
            |t| 2.0 / (t + 1.0),
        ),
        (Formula::Div(Box::new(call(Function::Sin)), time()), |t| {
            t.sin() / t
        }),
        (call(Function::Sqrt), f64::sqrt),
        (call(Function::Sin), f64::sin),
        (call(Function::Cos), f64::cos),
        (call(Function::Tan), f64::tan),
        (call(Function::Asin), f64::asin),
        (call(Function::Acos), f64::acos),
        (call(Function::Atan), f64::atan),
        (call(Function::Exp), f64::exp),
        (call(Function::Ln), f64::ln),
        (call(Function::Tanh), f64::tanh),
        (
            Formula::Call(Function::Abs, Box::new(Formula::Sub(time(), number(2.0)))),
            |t| 2.0 - t,
        ),
        (Formula::Atan2(Box::new(call(Function::Sin)), time()), |t| {
            t.sin().atan2(t)
        }),
        (below(0.0), f64::exp),
        (below(1.0), |t| t * t),
    ]
}

/// Values exactly, first and second derivative against central differences of sixth order,
/// whose errors are below 1e-10 and 1e-8 for `d = 1e-3` and `d = 5e-3`.
#[test]
fn time_derivatives() {
    for (formula, f) in cases() {
        for t in [0.3, 0.55] {
            let [value, rate, second] = formula.derivatives_at_time(t).unwrap();
            assert!((value - f(t)).abs() < 1e-15, "{formula:?}: {value}");
            let d = 1e-3;
            let odd = |k: f64| f(t + k * d) - f(t - k * d);
            let expected = (45.0 * odd(1.0) - 9.0 * odd(2.0) + odd(3.0)) / (60.0 * d);
            assert!(
                (rate - expected).abs() < 1e-10,
                "{formula:?}: {rate} {expected}"
            );
            let d = 5e-3;
            let even = |k: f64| f(t + k * d) + f(t - k * d) - 2.0 * f(t);
            let expected =
                (270.0 * even(1.0) - 27.0 * even(2.0) + 2.0 * even(3.0)) / (180.0 * d * d);
            let error = (second - expected).abs();
            assert!(error < 1e-8, "{formula:?}: {second} {expected}");
        }
    }
}

#[test]
fn a_formula_of_a_body_has_no_value_in_time() {
    let formula = Formula::Add(
        time(),
        Box::new(Formula::Joint {
            joint: "hinge".to_owned(),
            quantity: crate::generic::description::JointQuantity::Angle,
        }),
    );
    assert_eq!(formula.at_time(0.0), None);
    assert_eq!(formula.derivatives_at_time(0.0), None);
    assert_eq!(Formula::Number(2.0).at_time(1.0), Some(2.0));
}
