//! The graph against an interpreter: canonical forms, derivatives, schedules.

use super::{Function, Graph, Id, Input};
use crate::formula::Elementary;

fn evaluate(graph: &Graph, id: Id, inputs: &dyn Fn(Input) -> f64) -> f64 {
    graph.evaluate(&[id], inputs)[0]
}

#[test]
fn constructors_are_canonical() {
    let mut g = Graph::default();
    let (x, y) = (g.input("x", 0), g.input("x", 1));
    let (zero, one, two) = (g.zero(), g.one(), g.constant(2.0));
    assert_eq!(g.add(x, zero), x);
    assert_eq!(g.mul(x, one), x);
    assert_eq!(g.mul(x, zero), zero);
    assert_eq!(g.add(x, y), g.add(y, x));
    assert_eq!(g.mul(x, y), g.mul(y, x));
    assert_eq!(g.sub(x, x), zero);
    let minus = g.neg(x);
    assert_eq!(g.neg(minus), x);
    assert_eq!(g.add(y, minus), g.sub(y, x));
    let product = g.mul(minus, y);
    let plain = g.mul(x, y);
    assert_eq!(product, g.neg(plain));
    let double = g.mul(two, x);
    let four = g.constant(4.0);
    assert_eq!(g.mul(two, double), g.mul(four, x));
    let half = g.constant(0.5);
    assert_eq!(g.mul(half, double), x);
    let negative_zero = g.constant(-0.0);
    assert_eq!(negative_zero, zero);
}

/// Random expressions of two inputs.
fn random(g: &mut Graph, seed: &mut u64, depth: usize) -> Id {
    *seed = seed
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407);
    let choice = (*seed >> 33) % if depth == 0 { 3 } else { 17 };
    match choice {
        0 => g.input("x", 0),
        1 => g.input("x", 1),
        2 => g.constant([1.0, -0.5, 0.0, 3.0][(*seed >> 40) as usize % 4]),
        kind if kind >= 9 => {
            let a = random(g, seed, depth - 1);
            let square = g.mul(a, a);
            let one = g.one();
            let sum = g.add(one, square);
            match kind {
                9 => g.elementary(Elementary::Sqrt, sum),
                10 => g.elementary(Elementary::Ln, sum),
                11 => g.elementary(Elementary::Tanh, a),
                12 => g.elementary(Elementary::Sin, a),
                13 => g.elementary(Elementary::Atan, a),
                14 => g.elementary(Elementary::Cos, a),
                15 => g.atan2(a, sum),
                _ => g.div(a, sum),
            }
        }
        kind => {
            let (a, b) = (random(g, seed, depth - 1), random(g, seed, depth - 1));
            match kind {
                3 => g.add(a, b),
                4 => g.sub(a, b),
                5 => g.mul(a, b),
                6 | 7 => {
                    // cos of the root of a positive number
                    let square = g.mul(a, a);
                    let one = g.one();
                    let sum = g.add(one, square);
                    g.call(Function::Cosine, sum)
                }
                _ => g.neg(a),
            }
        }
    }
}

#[test]
fn derivatives_agree_with_differences() {
    let mut seed = 1;
    for _ in 0..200 {
        let mut g = Graph::default();
        let f = random(&mut g, &mut seed, 6);
        let (one, two) = (g.one(), g.constant(2.0));
        let slope = g.derivative(&[f], &|input| Some([one, two][input.index? as usize]))[0];
        let at = |s: f64| {
            evaluate(&g, f, &|input| {
                [0.3 + s, -0.7 + 2.0 * s][input.index.unwrap_or(0) as usize]
            })
        };
        let exact = evaluate(&g, slope, &|input| {
            [0.3, -0.7][input.index.unwrap_or(0) as usize]
        });
        let h = 1e-3;
        let d = |s: f64| at(s) - at(-s);
        let difference = (45.0 * d(h) - 9.0 * d(2.0 * h) + d(3.0 * h)) / (60.0 * h);
        assert!(
            (exact - difference).abs() < 1e-8 * exact.abs().max(1.0),
            "{exact} {difference}"
        );
    }
}

#[test]
fn rewriting_by_nothing_changes_nothing() {
    let mut seed = 9;
    for _ in 0..50 {
        let mut g = Graph::default();
        let f = random(&mut g, &mut seed, 7);
        assert_eq!(g.rewrite(&[f], &mut |_, _| None), vec![f]);
    }
}

#[test]
fn schedules_name_operands_before_their_use() {
    let mut seed = 4;
    for _ in 0..50 {
        let mut g = Graph::default();
        let f = random(&mut g, &mut seed, 8);
        let kernel = g.schedule(&[f]);
        let place = |id: Id| kernel.statements.iter().position(|s| s.ids.contains(&id));
        for (i, statement) in kernel.statements.iter().enumerate() {
            for operand in statement.ids.iter().flat_map(|id| g.operands(*id)) {
                assert!(place(operand).is_none_or(|j| j < i));
            }
        }
    }
}

/// The series of the interpreter against closed forms, and the slope of every function.
#[test]
fn functions_and_their_slopes() {
    let at = |make: &dyn Fn(&mut Graph, Id) -> Id, x: f64| {
        let mut g = Graph::default();
        let input = g.input("x", 0);
        let (value, one) = (make(&mut g, input), g.one());
        let slope = g.derivative(&[value], &|_| Some(one))[0];
        let numbers = g.evaluate(&[value, slope], &|_| x);
        (numbers[0], numbers[1])
    };
    let check = |make: &dyn Fn(&mut Graph, Id) -> Id, x: f64, expected: f64, what: &str| {
        let (value, slope) = at(make, x);
        let error = (value - expected).abs();
        assert!(
            error < 1e-14 * expected.abs().max(1.0),
            "{what} {value} {expected}"
        );
        let h = 1e-4;
        let difference = (at(make, x + h).0 - at(make, x - h).0) / (2.0 * h);
        let error = (slope - difference).abs();
        assert!(
            error < 1e-6 * slope.abs().max(1.0),
            "{what} {slope} {difference}"
        );
    };
    let w: f64 = 1.3;
    let (sin, cos) = w.sin_cos();
    for (function, expected) in [
        (Function::Cosine, cos),
        (Function::Sinc, sin / w),
        (Function::Cosc, (1.0 - cos) / (w * w)),
        (Function::SineDefect, (w - sin) / (w * w * w)),
        (
            Function::CotDefect,
            (1.0 - 0.5 * w / (0.5 * w).tan()) / (w * w),
        ),
    ] {
        check(
            &|g, x| g.call(function, x),
            w * w,
            expected,
            &format!("{function:?}"),
        );
    }
    for (name, function) in Elementary::NAMED {
        check(
            &|g, x| g.elementary(function, x),
            0.4,
            function.value(0.4),
            name,
        );
    }
}

/// `w2 (J3 w3) - w3 (J2 w2) = (J3 - J2) (w2 w3)`.
#[test]
fn constants_are_collected() {
    let mut g = Graph::default();
    let (a, b) = (g.input("x", 0), g.input("x", 1));
    let (three, five) = (g.constant(3.0), g.constant(5.0));
    let (x, y) = (g.mul(five, b), g.mul(three, a));
    let (x, y) = (g.mul(a, x), g.mul(b, y));
    let difference = g.sub(x, y);
    let two = g.constant(2.0);
    let product = g.mul(a, b);
    assert_eq!(g.shorter(&[difference]), [g.mul(two, product)]);
    // What would be longer stays as it is.
    let sum = g.add(a, b);
    let twice = g.mul(two, sum);
    assert_eq!(g.shorter(&[sum, twice]), [sum, twice]);
}

/// `sum_i c_i x (d_i y + e_i x)`, which is `(sum c_i d_i) x y + (sum c_i e_i) x^2`.
#[test]
fn collected_constants_keep_the_values() {
    for seed in 0..20 {
        let numbers = crate::example::random(seed, 12);
        let mut g = Graph::default();
        let (x, y) = (g.input("x", 0), g.input("x", 1));
        let mut sum = g.zero();
        for part in numbers.chunks(3) {
            let [c, d, e] = [part[0], part[1], part[2]].map(|number| g.constant(number));
            let (first, second) = (g.mul(d, y), g.mul(e, x));
            let (first, second) = (g.mul(x, first), g.mul(x, second));
            let both = g.add(first, second);
            let term = g.mul(c, both);
            sum = g.add(sum, term);
        }
        let short = g.shorter(&[sum])[0];
        assert!(g.operations(&[short]) < g.operations(&[sum]));
        let at = |id: Id| {
            evaluate(&g, id, &|input| {
                [0.3, -0.7][input.index.unwrap_or(0) as usize]
            })
        };
        let expected: f64 = numbers
            .chunks(3)
            .map(|part| part[0] * (part[1] * 0.3 * -0.7 + part[2] * 0.09))
            .sum();
        for value in [at(sum), at(short)] {
            assert!((value - expected).abs() < 1e-15, "{value} {expected}");
        }
    }
}

/// Children come before parents, and dependence is that of the leaves.
#[test]
fn dependence_is_on_inputs() {
    let mut g = Graph::default();
    let (q, v, two) = (g.input("q", 0), g.input("v", 0), g.constant(2.0));
    let (of_q, of_both) = (g.mul(two, q), g.mul(q, v));
    let only = g.depends_only(&|array| array == "q");
    let found = [q, v, two, of_q, of_both].map(|id| only[id.index()]);
    assert_eq!(found, [true, false, true, true, false]);
    let mixed = g.div(of_q, v);
    assert!(g.is_finite(&[mixed]));
    let zero = g.zero();
    let infinite = g.div(two, zero);
    let product = g.mul(infinite, q);
    assert!(!g.is_finite(&[product]));
}
