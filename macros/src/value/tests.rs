use std::f64::consts::{FRAC_PI_2, PI};

use super::{Scope, Value};
use crate::example::{close, one_error};
use crate::formula::{Formula, Leaf};

/// A scope with the constants `A = 2`, `V = [1, 2, 3]`, the parameters `length` and `speed`, the
/// body `top`, the modal coordinates `modes` and the joint `hinge`.
fn scope() -> Scope {
    let names = |names: &[&str]| names.iter().map(ToString::to_string).collect();
    let list = [1.0, 2.0, 3.0].map(Value::known).to_vec();
    Scope {
        constants: [
            ("A".to_owned(), Value::known(2.0)),
            ("V".to_owned(), Value::List(list)),
        ]
        .into(),
        parameters: names(&["length", "speed"]),
        used: vec![false; 2],
        bodies: names(&["top", "modes"]),
        modes: vec![None, Some(5)],
        joints: names(&["hinge"]),
        ..Scope::default()
    }
}

fn read(input: &str) -> syn::Result<Value> {
    let expr = syn::parse_str(input).expect(input);
    scope().evaluate(&expr)
}

/// All numbers of a value; leaves are 0.5, but time is 3 and the second parameter 7.
fn numbers(value: &Value) -> Vec<f64> {
    let number = |formula: &Formula| {
        let leaf = |leaf| match leaf {
            Leaf::Time => Some(3.0),
            Leaf::Parameter(1) => Some(7.0),
            _ => Some(0.5),
        };
        formula.evaluate(&leaf).expect("all leaves are known")
    };
    match value {
        Value::Number(x) => vec![number(x)],
        Value::Rotation(rotation) => rotation.iter().map(number).collect(),
        Value::List(items) => items.iter().flat_map(numbers).collect(),
    }
}

fn check(input: &str, expected: &[f64]) {
    let value = read(input).unwrap_or_else(|error| panic!("{input}: {error}"));
    close(&numbers(&value), expected, 1e-15, input);
}

fn fails(input: &str, words: &str) {
    let error = read(input).expect_err(input);
    one_error(&[error.to_string()], words);
}

#[test]
fn arithmetic_on_numbers() {
    check("1 + 2 * 3", &[7.0]);
    check("(1 + 2) * 3", &[9.0]);
    check("-A / 4", &[-0.5]);
    check("1 - 2 - 3", &[-4.0]);
    check("8 / 2 / 2", &[2.0]);
    check("2e-3", &[0.002]);
    check("PI", &[PI]);
    check("sqrt(2) * sqrt(2)", &[2.0]);
    check("sin(PI / 6) + cos(PI / 3)", &[1.0]);
    check("atan2(1, -1)", &[0.75 * PI]);
    check("exp(ln(5)) + abs(-1.5)", &[6.5]);
    check("powi(A, 10) + powi(A, -1) + powi(A, 0)", &[1025.5]);
    // Not an error here: what must be finite is known where it is used.
    assert_eq!(read("1 / 0").ok(), Some(Value::known(f64::INFINITY)));
    assert!(numbers(&read("0 / 0").expect("a number"))[0].is_nan());
}

#[test]
fn arithmetic_on_vectors() {
    check("V + [1, 1, 1]", &[2.0, 3.0, 4.0]);
    check("V - 2 * V", &[-1.0, -2.0, -3.0]);
    check("V / A", &[0.5, 1.0, 1.5]);
    check("-V", &[-1.0, -2.0, -3.0]);
    check("[0.25; 4]", &[0.25; 4]);
    check("2 * [[1, 2], [3, 4]]", &[2.0, 4.0, 6.0, 8.0]);
    check("dot(V, [1, 0, -1])", &[-2.0]);
    check("norm([3, 4])", &[5.0]);
    check("cross(x, y) - z", &[0.0; 3]);
    check("cross(V, [4, 5, 6])", &[-3.0, 6.0, -3.0]);
    check("V.y + V[2] + V.x", &[6.0]);
}

/// Rotations are unit quaternions; the angles are halved.
#[test]
fn arithmetic_on_rotations() {
    let half = 0.5_f64.sqrt();
    check("rz(PI / 2)", &[half, 0.0, 0.0, half]);
    check("rx(PI)", &[0.0, 1.0, 0.0, 0.0]);
    // The right factor turns first: x goes to y by rz, and y to z by rx.
    check("rx(PI / 2) * rz(PI / 2) * x", &[0.0, 0.0, 1.0]);
    check("rz(PI / 2) * rx(PI / 2) * x", &[0.0, 1.0, 0.0]);
    // i j = k, and so on; in the other order there is a minus.
    for (i, pair) in [("y", "z"), ("z", "x"), ("x", "y")].into_iter().enumerate() {
        let (a, b) = pair;
        let mut product = [0.5; 4];
        check(&format!("r{a}(PI / 2) * r{b}(PI / 2)"), &product);
        product[1 + i] = -0.5;
        check(&format!("r{b}(PI / 2) * r{a}(PI / 2)"), &product);
    }
    check("ry(PI / 2) * (2 * z)", &[2.0, 0.0, 0.0]);
    let (s, c) = 0.3_f64.sin_cos();
    check("ry(0.3) * z", &[s, 0.0, c]);
    // The short way from z, also where it is half a turn.
    check("along([3, 0, 4]) * z", &[0.6, 0.0, 0.8]);
    check("along(-2 * z) * z", &[0.0, 0.0, -1.0]);
    check("along(z)", &[1.0, 0.0, 0.0, 0.0]);
}

/// With an angle that is not known the formulas of the quaternion are written out.
#[test]
fn rotations_by_parameters_turn_the_same_way() {
    let mut scope = scope();
    scope.late_rotations = true;
    let mut at = |input: &str| {
        let expr = syn::parse_str(input).expect(input);
        numbers(&scope.evaluate(&expr).expect(input))
    };
    for axis in ["rx", "ry", "rz"] {
        let late = at(&format!("{axis}(length) * ry(0.7) * V"));
        close(
            &late,
            &at(&format!("{axis}(0.5) * ry(0.7) * V")),
            1e-15,
            axis,
        );
    }
    fails(
        "rx(length)",
        "the angle of a rotation is needed when the macro runs",
    );
}

#[test]
fn leaves_stay_in_formulas() {
    check("2 * t + speed", &[13.0]);
    check("top.position", &[0.5; 3]);
    check("modes.velocity", &[0.5; 5]);
    check("hinge.angle + hinge.displacement_rate", &[1.0]);
    check("if t < 4 { 1 } else { 2 }", &[1.0]);
    check("if t > 4 { [1, 1] } else { [2, t] }", &[2.0, 3.0]);
    // Where both are the same, `<=` and `>=` hold, `<` and `>` do not.
    for (operator, holds) in [("<", 0.0), (">", 0.0), ("<=", 1.0), (">=", 1.0)] {
        check(&format!("if t {operator} 3 {{ 1 }} else {{ 0 }}"), &[holds]);
    }
    check("if t < 1 { 1 } else if t < 2 { 2 } else { 3 }", &[3.0]);
    check("self::MASS + 1", &[1.5]);
}

#[test]
fn what_was_used_is_known_afterwards() {
    let mut scope = scope();
    let mut read = |input: &str| {
        let expr = syn::parse_str(input).expect(input);
        scope.evaluate(&expr).is_ok()
    };
    assert!(read("speed + a::B * a::B + self::C"));
    assert!(!read("sped"));
    assert_eq!(scope.used, [false, true]);
    let outside: Vec<String> = scope.outside.iter().map(ToString::to_string).collect();
    assert_eq!(outside, ["a :: B", "self :: C"]);
    assert!(scope.unknown);
}

#[test]
fn unknown_names_have_a_nearest_one() {
    fails(
        "lenght",
        "unknown name `lenght`\n  help: did you mean `length`?",
    );
    fails(
        "quite_different",
        "help: declare it with `consts(quite_different = ..)`",
    );
    fails(
        "sinn(1)",
        "unknown function `sinn`\n  help: did you mean `sin`?",
    );
    fails("logarithm(1)", "known are sqrt, sin");
    fails("top.place", "`top` has no quantity `place`");
    fails(
        "modes.angular_velocity",
        "modal coordinates have `position` and `velocity`",
    );
    fails("hinge.speed", "a joint has no quantity `speed`");
    fails("top + 1", "`top` is not a number");
}

#[test]
fn what_does_not_fit_is_an_error() {
    fails("1 + V", "these two do not fit together");
    fails("V + [1, 2]", "these two do not fit together");
    fails("V * V", "these two do not fit together");
    fails("1 / V", "these two do not fit together");
    fails("V * rx(1)", "these two do not fit together");
    fails("rx(1) + rx(1)", "these two do not fit together");
    fails("rx(1) * [1, 2]", "these two do not fit together");
    fails("-rx(1)", "a rotation has no sign");
    fails("sin(V)", "`sin` does not take these arguments");
    fails("atan2(1)", "`atan2` does not take these arguments");
    fails(
        "cross([1, 2], [3, 4])",
        "`cross` does not take these arguments",
    );
    fails("dot(V, [1, 2])", "`dot` does not take these arguments");
    fails("powi(2, 0.5)", "`powi` does not take these arguments");
    fails("powi(2, 33)", "`powi` does not take these arguments");
    fails(
        "V[3]",
        "there are 3, counted from 0: write a number from 0 to 2",
    );
    fails("V.w", "no component `w`");
    fails("A[0]", "this is not a list");
    fails(
        "[0; 0.5]",
        "the length of a list must be a small whole number",
    );
    fails("top[0].position", "`top` is not an array");
    fails(
        "if t < 1 { 1 } else { V }",
        "the two branches have different shapes",
    );
}

#[test]
fn what_is_not_in_the_language_is_an_error() {
    fails("2 ^ 3", "`^` is not a power");
    fails("1 < 2", "a comparison is not a number");
    fails("1 == 2", "cannot be compared for equality");
    fails("1 % 2", "unknown operation");
    fails(
        "if t < 1 && t < 2 { 1 } else { 2 }",
        "conditions cannot be combined",
    );
    fails(
        "if t == 1 { 1 } else { 2 }",
        "cannot be compared for equality",
    );
    fails(
        "if t < V { 1 } else { 2 }",
        "the condition must compare two numbers",
    );
    fails(
        "if t { 1 } else { 2 }",
        "the condition must compare two numbers",
    );
    fails("if t < 1 { 1 }", "this `if` has no `else`");
    fails("if t < 1 { 1; } else { 2 }", "a branch is one expression");
    fails("2.0.sqrt()", "a model has no methods");
    fails("f64::sqrt(2.0)", "functions of your program cannot be used");
    fails("\"text\"", "this is not an expression of a model");
    fails("!1", "this is not an expression of a model");
}

#[test]
fn references_are_kept_in_models_with_arrays() {
    let mut scope = scope();
    scope.references = Some(Vec::new());
    let expr = syn::parse_str("top[i + 1].velocity.y + hinge.angle").expect("an expression");
    let value = scope.evaluate(&expr).expect("a formula");
    let mut places = Vec::new();
    let number = value.number().expect("a number");
    number.leaves(&mut |leaf| match leaf {
        Leaf::Body(body, _, axis) => places.push((body.0, axis)),
        Leaf::Joint(joint, _) => places.push((joint.0, 9)),
        _ => {}
    });
    assert_eq!(places, [(0, 1), (1, 9)]);
    let references = scope.references.expect("references");
    let found: Vec<_> = references
        .iter()
        .map(|x| (x.name.to_string(), x.index.is_some(), x.joint))
        .collect();
    let expected = [("top", true, false), ("hinge", false, true)];
    assert_eq!(found, expected.map(|(name, i, j)| (name.to_owned(), i, j)));
}

#[test]
fn lengths_are_small_whole_numbers() {
    let check = |x: f64, expected: Option<usize>| assert_eq!(super::whole(x), expected, "{x}");
    check(0.0, Some(0));
    check(1000.0, Some(1000));
    check(1001.0, None);
    check(2.5, None);
    check(-1.0, None);
    check(f64::NAN, None);
    check(FRAC_PI_2, None);
}
