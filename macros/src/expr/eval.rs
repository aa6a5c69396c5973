//! Numbers for expressions: what the checks and the choice of pivots look at.

use super::{Function, Graph, Id, Input, Node};

impl Graph {
    /// The value of every node, by its index.
    pub(crate) fn values(&self, inputs: &dyn Fn(Input) -> f64) -> Vec<f64> {
        let mut values: Vec<f64> = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            let value = number(*node, &values, inputs);
            values.push(value);
        }
        values
    }

    /// Whether no number that some nodes are made of is infinite or not a number.
    pub(crate) fn is_finite(&self, outputs: &[Id]) -> bool {
        let mut seen = vec![false; self.nodes.len()];
        let mut open = outputs.to_vec();
        while let Some(id) = open.pop() {
            if std::mem::replace(&mut seen[id.index()], true) {
                continue;
            }
            if self.value(id).is_some_and(|value| !value.is_finite()) {
                return false;
            }
            open.extend(self.operands(id));
        }
        true
    }

    /// Values of some nodes.
    pub(crate) fn evaluate(&self, outputs: &[Id], inputs: &dyn Fn(Input) -> f64) -> Vec<f64> {
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
            values[index] = number(self.nodes[index], &values, inputs);
        }
        outputs.iter().map(|id| values[id.index()]).collect()
    }
}

/// The value of a node, with those of its operands.
fn number(node: Node, values: &[f64], inputs: &dyn Fn(Input) -> f64) -> f64 {
    let at = |id: Id| values[id.index()];
    match node {
        Node::Constant(bits) => f64::from_bits(bits),
        Node::Input(input) => inputs(input),
        Node::Neg(a) => -at(a),
        Node::Add(a, b) => at(a) + at(b),
        Node::Sub(a, b) => at(a) - at(b),
        Node::Mul(a, b) => at(a) * at(b),
        Node::Div(a, b) => at(a) / at(b),
        Node::Call(function, a) => function.value(at(a)),
        Node::Elementary(function, a) => function.value(at(a)),
        Node::Atan2(y, x) => at(y).atan2(at(x)),
        Node::Nearest(a, to) => {
            let turn = std::f64::consts::TAU;
            at(a) + turn * ((at(to) - at(a)) / turn).round()
        }
        Node::Select(a, b, x, y) => {
            if at(a) < at(b) {
                at(x)
            } else {
                at(y)
            }
        }
    }
}

impl Function {
    /// The coefficient functions by their power series in `s`, for angles up to about one turn
    /// (those of the tangent up to half a turn).
    pub(crate) fn value(self, s: f64) -> f64 {
        match self {
            Self::Cosine => stumpff(0, s),
            Self::Sinc => stumpff(1, s),
            Self::Cosc => stumpff(2, s),
            Self::SineDefect => stumpff(3, s),
            // c_n' = n c_{n+2} - c_{n+1} with ' = 2 d/ds, and the slopes have a minus.
            Self::CoscSlope => stumpff(3, s) - 2.0 * stumpff(4, s),
            Self::SineDefectSlope => stumpff(4, s) - 3.0 * stumpff(5, s),
            // 1 - s cot_defect = cosine(s/4) / sinc(s/4), whose numerator and denominator
            // differ by s/4 (c_2 - c_3)(s/4).
            Self::CotDefect => cot_defect(s),
            Self::CotDefectSlope => {
                // k = 1 - s c = cosine/sinc (s/4); s k' = k - k^2 - s/4 divided by s twice
                let c = cot_defect(s);
                // c' = (1/4 - 3 c) / s + c^2, whose limit at zero is 1/360
                if s.abs() < 1e-3 {
                    1.0 / 360.0 + s / 7560.0
                } else {
                    (0.25 - 3.0 * c) / s + c * c
                }
            }
        }
    }
}

/// `c_n(s) = sum_k (-s)^k / (2k + n)!`.
fn stumpff(n: u32, s: f64) -> f64 {
    let mut term = 1.0 / (1..=n).map(f64::from).product::<f64>();
    let mut sum = 0.0;
    for k in 0..40 {
        sum += term;
        let next = f64::from(2 * k + n);
        term *= -s / ((next + 1.0) * (next + 2.0));
    }
    sum
}

fn cot_defect(s: f64) -> f64 {
    let quarter = 0.25 * s;
    0.25 * (stumpff(2, quarter) - stumpff(3, quarter)) / stumpff(1, quarter)
}
