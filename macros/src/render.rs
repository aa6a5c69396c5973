//! Expressions as Rust text.

use std::collections::{BTreeSet, HashMap};
use std::fmt::Write;

use crate::expr::{Function, Graph, Id, Kernel, Node, Statement};

/// Most statements of one function: compilers overflow their stack on longer ones when
/// they write debug information, and take more than linear time.
const MAX_STATEMENTS: usize = 500;

/// An argument of a kernel: its name and type.
pub(crate) type Argument<'a> = (&'a str, &'a str);

/// Writes the statements of a kernel and gives the text of each output.
///
/// Long kernels are split into functions with the given arguments, which pass values to
/// later ones in an array.
pub(crate) fn kernel(
    graph: &Graph,
    outputs: &[Id],
    arguments: &[Argument<'_>],
    text: &mut String,
) -> Vec<String> {
    let kernel = graph.schedule(outputs);
    let mut names = HashMap::new();
    if kernel.statements.len() <= MAX_STATEMENTS {
        statements(graph, &kernel.statements, &mut names, text);
    } else {
        parts(graph, &kernel, arguments, &mut names, text);
    }
    kernel
        .outputs
        .iter()
        .map(|id| expression(graph, *id, &names))
        .collect()
}

fn statements(
    graph: &Graph,
    statements: &[Statement],
    names: &mut HashMap<Id, String>,
    text: &mut String,
) {
    let mut fresh = 0;
    let mut name = |id: Id, names: &mut HashMap<Id, String>| {
        let name = format!("x{fresh}");
        fresh += 1;
        names.insert(id, name.clone());
        name
    };
    for statement in statements {
        if let Node::Call(_, argument) = graph.node(statement.ids[0]) {
            let argument = expression(graph, argument, names);
            let (near, far) = calls(graph, &statement.ids);
            let new: Vec<String> = statement.ids.iter().map(|id| name(*id, names)).collect();
            let new = new.join(", ");
            let _ = writeln!(
                text,
                "let [{new}] = rt::together({argument}, |s| [{near}], |s| [{far}]);"
            );
        } else {
            let value = operation(graph, statement.ids[0], names);
            let new = name(statement.ids[0], names);
            let _ = writeln!(text, "let {new} = {value};");
        }
    }
}

/// The functions of a statement, for small arguments and for all.
fn calls(graph: &Graph, ids: &[Id]) -> (String, String) {
    let names: Vec<&str> = ids.iter().map(|id| function_name(graph, *id)).collect();
    let list = |module: &str| {
        let calls: Vec<String> = names.iter().map(|f| format!("{module}{f}(s)")).collect();
        calls.join(", ")
    };
    (list("rt::near::"), list("rt::"))
}

/// Writes a kernel as several functions and leaves the names of what they share.
fn parts(
    graph: &Graph,
    kernel: &Kernel,
    arguments: &[Argument<'_>],
    shared: &mut HashMap<Id, String>,
    text: &mut String,
) {
    let chunks: Vec<&[Statement]> = kernel.statements.chunks(MAX_STATEMENTS).collect();
    let mut home = HashMap::new();
    for (part, chunk) in chunks.iter().enumerate() {
        let ids = chunk.iter().flat_map(|statement| &statement.ids);
        home.extend(ids.map(|id| (*id, part)));
    }
    // What a part uses of an earlier one, and what the outputs use, is shared.
    let mut crossing = BTreeSet::new();
    for (part, chunk) in chunks.iter().enumerate() {
        for statement in *chunk {
            let mut operands = Vec::new();
            for operand in statement.ids.iter().flat_map(|id| graph.operands(*id)) {
                named_operands(graph, operand, &home, &mut operands);
            }
            crossing.extend(operands.into_iter().filter(|id| home[id] != part));
        }
    }
    for output in &kernel.outputs {
        let mut operands = Vec::new();
        named_operands(graph, *output, &home, &mut operands);
        crossing.extend(operands);
    }
    let places: HashMap<Id, usize> = crossing.into_iter().zip(0..).collect();
    let size = places.len();
    let (mut parameters, mut values) = (String::new(), String::new());
    for (name, kind) in arguments {
        let _ = write!(parameters, "{name}: {kind}, ");
        let _ = write!(values, "{name}, ");
    }
    let _ = writeln!(text, "let mut shared = [0.0_f64; {size}];");
    for (part, chunk) in chunks.iter().enumerate() {
        let _ = writeln!(
            text,
            "#[inline(never)] fn part{part}({parameters}shared: &mut [f64; {size}]) {{"
        );
        let mut names = shared.clone();
        statements(graph, chunk, &mut names, text);
        for id in chunk.iter().flat_map(|statement| &statement.ids) {
            if let Some(place) = places.get(id) {
                let _ = writeln!(text, "shared[{place}] = {};", names[id]);
                shared.insert(*id, format!("shared[{place}]"));
            }
        }
        let _ = writeln!(text, "}}\npart{part}({values}&mut shared);");
    }
}

/// The named values in an expression.
fn named_operands(graph: &Graph, id: Id, home: &HashMap<Id, usize>, found: &mut Vec<Id>) {
    if home.contains_key(&id) {
        found.push(id);
        return;
    }
    for operand in graph.operands(id) {
        named_operands(graph, operand, home, found);
    }
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
        Node::Call(..) => unreachable!("a call has a name"),
        Node::Elementary(function, a) => format!("f64::{}({})", function.name(), term(a)),
        Node::Atan2(y, x) => format!("f64::atan2({}, {})", term(y), term(x)),
        Node::Nearest(a, to) => format!("rt::nearest_angle({}, {})", term(a), term(to)),
        Node::Select(left, right, a, b) => {
            let [left, right, a, b] = [left, right, a, b].map(term);
            format!("rt::select({left}, {right}, {a}, {b})")
        }
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

fn function_name(graph: &Graph, id: Id) -> &'static str {
    let Node::Call(function, _) = graph.node(id) else {
        unreachable!("a statement with several values has calls only")
    };
    match function {
        Function::Cosine => "cosine",
        Function::Sinc => "sinc",
        Function::Cosc => "cosc",
        Function::SineDefect => "sine_defect",
        Function::CoscSlope => "cosc_slope",
        Function::SineDefectSlope => "sine_defect_slope",
        Function::CotDefect => "cot_defect",
        Function::CotDefectSlope => "cot_defect_slope",
    }
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
