//! Numbers from expressions: what the checks look at, and the oracle of the tests.

use super::{Function, Graph, Id, Input, Node};

/// Terms of the power series of the coefficient functions: enough for angles up to pi.
const TERMS: i32 = 40;

impl Graph {
    /// Values of some nodes for given inputs.
    pub(crate) fn evaluate(&self, outputs: &[Id], input: &dyn Fn(Input) -> f64) -> Vec<f64> {
        let end = outputs.iter().map(|id| id.index() + 1).max().unwrap_or(0);
        let mut needed = vec![false; end];
        for id in outputs {
            needed[id.index()] = true;
        }
        for index in (0..end).rev() {
            if needed[index] {
                for operand in self.operands(Id::of(index)) {
                    needed[operand.index()] = true;
                }
            }
        }
        // Operands come before the nodes that use them.
        let mut values = vec![0.0; end];
        for index in (0..end).filter(|index| needed[*index]) {
            let value = |id: Id| values[id.index()];
            values[index] = match self.node(Id::of(index)) {
                Node::Constant(bits) => f64::from_bits(bits),
                Node::Input(name) => input(name),
                Node::Neg(a) => -value(a),
                Node::Add(a, b) => value(a) + value(b),
                Node::Sub(a, b) => value(a) - value(b),
                Node::Mul(a, b) => value(a) * value(b),
                Node::Div(a, b) => value(a) / value(b),
                Node::Call(function, a) => call(function, value(a)),
                Node::Atan2(y, x) => value(y).atan2(value(x)),
                Node::Nearest(a, to) => {
                    let turn = std::f64::consts::TAU;
                    value(a) + turn * ((value(to) - value(a)) / turn).round()
                }
                Node::Select(a, b, x, y) => {
                    if value(a) < value(b) {
                        value(x)
                    } else {
                        value(y)
                    }
                }
            };
        }
        outputs.iter().map(|id| values[id.index()]).collect()
    }
}

fn call(function: Function, s: f64) -> f64 {
    // (-1)^k / (2 k + shift)!
    let inverse_factorial = |k: i32, shift: i32| {
        let factorial: f64 = (1..=2 * k + shift).map(f64::from).product();
        if k % 2 == 0 {
            1.0 / factorial
        } else {
            -1.0 / factorial
        }
    };
    match function {
        Function::Cosine => series(s, &|k| inverse_factorial(k, 0)),
        Function::Sinc => series(s, &|k| inverse_factorial(k, 1)),
        Function::Cosc => series(s, &|k| inverse_factorial(k, 2)),
        Function::SineDefect => series(s, &|k| inverse_factorial(k, 3)),
        Function::CotDefect => series(s, &cot_coefficient),
        Function::CoscSlope => -2.0 * slope(s, &|k| inverse_factorial(k, 2)),
        Function::SineDefectSlope => -2.0 * slope(s, &|k| inverse_factorial(k, 3)),
        Function::CotDefectSlope => 2.0 * slope(s, &cot_coefficient),
        Function::Elementary(function) => function.value(s),
    }
}

/// `2 zeta(2 k + 2) / (2 pi)^(2 k + 2)`, the coefficients of `(1 - (w/2) cot(w/2)) / w^2`.
fn cot_coefficient(k: i32) -> f64 {
    let power = 2 * k + 2;
    let zeta = match k {
        0 => std::f64::consts::PI.powi(2) / 6.0,
        1 => std::f64::consts::PI.powi(4) / 90.0,
        _ => (1..200).map(|n| f64::from(n).powi(-power)).sum(),
    };
    2.0 * zeta / std::f64::consts::TAU.powi(power)
}

fn series(s: f64, coefficient: &dyn Fn(i32) -> f64) -> f64 {
    (0..TERMS).map(|k| coefficient(k) * s.powi(k)).sum()
}

fn slope(s: f64, coefficient: &dyn Fn(i32) -> f64) -> f64 {
    (1..TERMS)
        .map(|k| f64::from(k) * coefficient(k) * s.powi(k - 1))
        .sum()
}
