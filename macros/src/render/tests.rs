//! The text of expressions: parsed as Rust and computed, and as it is written.

mod machine;

use machine::Machine;
use syn::Block;

use super::{MAX_STATEMENTS, kernel, literal, number, store};
use crate::example::{Values, close, random};
use crate::expr::{Function, Graph, Id};
use crate::formula::Elementary;

fn block(text: &str) -> Block {
    syn::parse_str(&format!("{{ {text} }}")).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// An expression of six inputs, as deep as it is told.
fn expression(g: &mut Graph, seed: &mut u64, depth: usize) -> Id {
    *seed = seed
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(99);
    let lot = (*seed >> 33) as usize;
    if depth == 0 {
        return match lot % 8 {
            6 => g.constant(-0.75),
            7 => g.constant(3.0),
            place => g.input("q", place),
        };
    }
    let mut part = |g: &mut Graph| expression(g, seed, depth - 1);
    let (a, b) = (part(g), part(g));
    match lot % 14 {
        0..3 => g.add(a, b),
        3..6 => g.sub(a, b),
        6..9 => g.mul(a, b),
        9 => g.neg(a),
        10 => g.elementary(Elementary::Tanh, a),
        11 => {
            let c = part(g);
            g.select(a, b, c, a)
        }
        12 => {
            let square = g.mul(a, a);
            let s = g.elementary(Elementary::Tanh, square);
            let (x, y) = (g.call(Function::Sinc, s), g.call(Function::Cosc, s));
            g.div(x, y)
        }
        _ => {
            let square = g.dot(&[a, b], &[a, b]);
            let two = g.constant(2.0);
            let sum = g.add(square, two);
            g.div(a, sum)
        }
    }
}

/// Random kernels, with an output that repeats, one that is an input and one that is a number.
fn kernels(count: u64, outputs: usize, depth: usize) -> impl Iterator<Item = (Graph, Vec<Id>)> {
    (1..=count).map(move |seed| {
        let (mut g, mut seed) = (Graph::default(), seed);
        let mut all: Vec<Id> = (0..outputs)
            .map(|_| expression(&mut g, &mut seed, depth))
            .collect();
        all.extend([all[0], g.input("q", 2), g.constant(-1.5)]);
        (g, all)
    })
}

fn values() -> Values {
    let mut values = Values::default();
    values.set("q", random(31, 6));
    values
}

#[test]
fn kernels_compute_what_their_graph_does() {
    for (g, outputs) in kernels(200, 3, 5) {
        let mut text = String::new();
        let results = kernel(&g, &outputs, &[("q", "&[f64; 6]")], &mut text);
        let mut machine = Machine::with(&values(), &["q"]);
        machine.run(&block(&text));
        let found: Vec<f64> = results
            .iter()
            .map(|text| machine.number(&syn::parse_str(text).expect("an expression")))
            .collect();
        close(&found, &values().at(&g, &outputs), 1e-13, &text);
    }
}

#[test]
fn stored_kernels_compute_what_their_graph_does() {
    // In one function, and in functions of their own.
    for inline in [usize::MAX, 0] {
        for (g, outputs) in kernels(100, 3, 5) {
            let kind = format!("&mut [f64; {}]", outputs.len());
            let mut text = String::new();
            let out = ("out", kind.as_str());
            store(&g, &outputs, &[("q", "&[f64; 6]")], out, inline, &mut text);
            assert_eq!(text.contains("fn part0"), inline == 0, "{text}");
            let mut machine = Machine::with(&values(), &["q"]);
            machine
                .arrays
                .insert("out".to_owned(), vec![f64::NAN; outputs.len()]);
            machine.run(&block(&text));
            let expected = values().at(&g, &outputs);
            close(&machine.arrays["out"], &expected, 1e-13, &text);
        }
    }
}

/// The lines of the longest function in a text; a statement is a line.
fn longest(text: &str) -> usize {
    let functions = text.split("fn part").skip(1);
    let bodies = functions.filter_map(|text| text.split("\n}").next());
    bodies.map(|body| body.lines().count()).max().unwrap_or(0)
}

#[test]
fn long_kernels_are_split() {
    let (g, outputs) = kernels(1, 900, 6).next().expect("one");
    let statements = g.schedule(&outputs).statements.len();
    assert!(statements > 2 * MAX_STATEMENTS, "{statements}");
    let arguments = [("q", "&[f64; 6]")];
    let mut text = String::new();
    let results = kernel(&g, &outputs, &arguments, &mut text);
    assert!(text.matches("#[inline(never)]").count() > 2);
    assert!(longest(&text) <= MAX_STATEMENTS + 10, "{}", longest(&text));
    let mut machine = Machine::with(&values(), &["q"]);
    machine.run(&block(&text));
    let found: Vec<f64> = results
        .iter()
        .map(|text| machine.number(&syn::parse_str(text).expect("an expression")))
        .collect();
    close(&found, &values().at(&g, &outputs), 1e-13, "split");
    let mut text = String::new();
    let kind = format!("&mut [f64; {}]", outputs.len());
    store(&g, &outputs, &arguments, ("out", &kind), 100, &mut text);
    assert!(longest(&text) <= MAX_STATEMENTS + 10, "{}", longest(&text));
    let mut machine = Machine::with(&values(), &["q"]);
    machine
        .arrays
        .insert("out".to_owned(), vec![f64::NAN; outputs.len()]);
    machine.run(&block(&text));
    close(
        &machine.arrays["out"],
        &values().at(&g, &outputs),
        1e-13,
        "split and stored",
    );
}

/// The text of a single expression.
fn check(g: &Graph, id: Id, expected: &str) {
    let mut text = String::new();
    let result = kernel(g, &[id], &[], &mut text).concat();
    assert_eq!(result, expected, "{text}");
}

#[test]
fn operations_have_the_parentheses_that_they_need() {
    let mut g = Graph::default();
    let [a, b, c, d] = [0, 1, 2, 3].map(|i| g.input("q", i));
    let (sum, less) = (g.add(a, b), g.sub(c, d));
    let id = g.sub(a, sum);
    check(&g, id, "q[0] - (q[0] + q[1])");
    let id = g.sub(less, a);
    check(&g, id, "q[2] - q[3] - q[0]");
    let id = g.mul(sum, less);
    check(&g, id, "(q[0] + q[1]) * (q[2] - q[3])");
    let id = g.div(a, sum);
    check(&g, id, "q[0] / (q[0] + q[1])");
    let product = g.mul(a, b);
    let id = g.div(c, product);
    check(&g, id, "q[2] / (q[0] * q[1])");
    let id = g.mul(c, product);
    check(&g, id, "q[2] * (q[0] * q[1])");
    let id = g.neg(sum);
    check(&g, id, "-(q[0] + q[1])");
    let two = g.constant(2.0);
    let half = g.div(two, a);
    let id = g.div(half, b);
    check(&g, id, "(2.0_f64 / q[0]) / q[1]");
}

#[test]
fn sums_of_products_are_calls() {
    let mut g = Graph::default();
    let [a, b, c, d, e, f] = [0, 1, 2, 3, 4, 5].map(|i| g.input("q", i));
    let id = g.dot(&[a, c, e], &[b, d, f]);
    check(&g, id, "rt::dot3(q[0], q[1], q[2], q[3], q[4], q[5])");
    let id = g.dot(&[a, c], &[b, d]);
    check(&g, id, "rt::dot2(q[0], q[1], q[2], q[3])");
    let (ab, cd) = (g.mul(a, b), g.mul(c, d));
    let id = g.sub(ab, cd);
    check(&g, id, "rt::det2(q[0], q[1], q[2], q[3])");
    let id = g.add(e, ab);
    check(&g, id, "rt::add_mul(q[4], q[0], q[1])");
    let id = g.sub(e, ab);
    check(&g, id, "rt::sub_mul(q[4], q[0], q[1])");
    // A number in a call needs no parentheses.
    let two = g.constant(2.0);
    let id = g.mul(two, a);
    let id = g.sub(ab, id);
    check(&g, id, "rt::det2(q[0], q[1], 2.0_f64, q[0])");
}

#[test]
fn arrays_are_taken_apart_once() {
    let mut g = Graph::default();
    let [a, c] = [1, 4].map(|i| g.input("q", i));
    let (sum, v) = (g.add(a, c), g.input("v", 0));
    let (x, y) = (g.mul(sum, v), g.div(sum, v));
    let mut text = String::new();
    let results = kernel(&g, &[x, y], &[], &mut text);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "let [_, q1, _, _, q4, ..] = *q;");
    assert_eq!(lines.len(), 2, "{text}");
    assert_eq!(lines[1], "let x0 = q1 + q4;");
    assert_eq!(results, ["x0 * v[0]", "x0 / v[0]"]);
}

/// A result has its place; a name only if something reads it besides.
#[test]
fn results_have_names_if_they_are_read() {
    let mut g = Graph::default();
    let (a, b) = (g.input("q", 0), g.input("q", 1));
    let (sum, two) = (g.add(a, b), g.constant(2.0));
    let double = g.mul(two, sum);
    let written = |outputs: &[Id]| {
        let mut text = String::new();
        store(&g, outputs, &[], ("out", "&mut [f64; 3]"), 100, &mut text);
        text.lines().skip(1).collect::<Vec<_>>().join(" ")
    };
    let both = written(&[sum, double, double]);
    let expected = "let x0 = q0 + q1; out[0] = x0; out[1] = 2.0_f64 * x0; out[2] = out[1];";
    assert_eq!(both, expected);
    assert_eq!(written(&[sum, sum]), "out[0] = q0 + q1; out[1] = out[0];");
}

/// Literals read back to the same bits, and have their type.
#[test]
fn numbers_read_back() {
    for x in [
        0.0,
        1.0,
        0.1,
        1e-300,
        1e300,
        f64::MAX,
        f64::MIN_POSITIVE,
        std::f64::consts::PI,
    ] {
        let text = literal(x);
        let digits = text.strip_suffix("_f64").expect("a type");
        assert_eq!(digits.parse::<f64>().ok(), Some(x), "{text}");
        assert_eq!(number(x), text);
        if x > 0.0 {
            assert_eq!(number(-x), format!("(-{text})"));
        }
    }
    assert_eq!(number(f64::INFINITY), "f64::INFINITY");
    assert_eq!(number(f64::NEG_INFINITY), "(f64::NEG_INFINITY)");
    assert_eq!(number(f64::NAN), "f64::NAN");
}
