//! Expressions as Rust text.

use std::collections::HashMap;
use std::fmt::Write;

use crate::expr::{Function, Graph, Id, Node};

/// Writes the statements of a kernel and gives the text of each output.
pub(crate) fn kernel(graph: &Graph, outputs: &[Id], text: &mut String) -> Vec<String> {
    let kernel = graph.schedule(outputs);
    let mut names = HashMap::new();
    for (i, statement) in kernel.statements.iter().enumerate() {
        let value = operation(graph, statement.id, &names);
        let _ = writeln!(text, "let x{i} = {value};");
        names.insert(statement.id, format!("x{i}"));
    }
    kernel
        .outputs
        .iter()
        .map(|id| expression(graph, *id, &names))
        .collect()
}

/// A named value, or the operation that gives it.
fn expression(graph: &Graph, id: Id, names: &HashMap<Id, String>) -> String {
    names
        .get(&id)
        .cloned()
        .unwrap_or_else(|| operation(graph, id, names))
}

/// An operand of a product or on the right side: sums are in parentheses, so that the order
/// of operations is kept.
fn factor(graph: &Graph, id: Id, names: &HashMap<Id, String>) -> String {
    let text = expression(graph, id, names);
    let sum = matches!(
        graph.node(id),
        Node::Add(..) | Node::Sub(..) | Node::Neg(_) | Node::Div(..)
    );
    if sum && !names.contains_key(&id) {
        format!("({text})")
    } else {
        text
    }
}

fn operation(graph: &Graph, id: Id, names: &HashMap<Id, String>) -> String {
    let term = |id| expression(graph, id, names);
    let tight = |id| factor(graph, id, names);
    match graph.node(id) {
        Node::Constant(bits) => number(f64::from_bits(bits)),
        Node::Input(input) => match input.index {
            Some(index) => format!("{}[{index}]", input.array),
            None => input.array.to_owned(),
        },
        Node::Neg(a) => format!("-{}", tight(a)),
        Node::Add(a, b) => format!("{} + {}", term(a), tight(b)),
        Node::Sub(a, b) => format!("{} - {}", term(a), tight(b)),
        Node::Mul(a, b) => format!("{} * {}", tight(a), tight(b)),
        Node::Div(a, b) => format!("{} / {}", tight(a), tight_divisor(graph, b, names)),
        Node::Call(function, a) => call(function, &term(a)),
    }
}

/// A divisor, in parentheses unless it is a name or a number.
fn tight_divisor(graph: &Graph, id: Id, names: &HashMap<Id, String>) -> String {
    let text = factor(graph, id, names);
    if matches!(graph.node(id), Node::Mul(..)) && !names.contains_key(&id) {
        format!("({text})")
    } else {
        text
    }
}

fn call(function: Function, argument: &str) -> String {
    let name = match function {
        Function::Cosine => "cosine",
        Function::Sinc => "sinc",
        Function::Cosc => "cosc",
        Function::SineDefect => "sine_defect",
        Function::CoscSlope => "cosc_slope",
        Function::SineDefectSlope => "sine_defect_slope",
        Function::CotDefect => "cot_defect",
        Function::CotDefectSlope => "cot_defect_slope",
    };
    format!("rt::{name}({argument})")
}

/// A literal that reads back to the same number.
pub(crate) fn number(value: f64) -> String {
    let text = format!("{value:?}");
    if value < 0.0 {
        format!("({text})")
    } else {
        text
    }
}
