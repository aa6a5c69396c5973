//! Expressions as Rust text.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::fmt::Write;

use crate::expr::{Function, Graph, Id, Kernel, Node, Statement};

/// Most statements of one function: compilers overflow their stack on longer ones when
/// they write debug information, and take more than linear time.
const MAX_STATEMENTS: usize = 900;

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
        statements(graph, &kernel.statements, &HashMap::new(), &mut names, text);
    } else {
        let shared = Shared::new(graph, &kernel);
        parts(graph, arguments, &shared, &mut names, text);
    }
    kernel
        .outputs
        .iter()
        .map(|id| expression(graph, *id, &names))
        .collect()
}

/// Writes a kernel whose outputs are the components of an array that it is given.
pub(crate) fn store(
    graph: &Graph,
    outputs: &[Id],
    arguments: &[Argument<'_>],
    out: Argument<'_>,
    text: &mut String,
) {
    let kernel = graph.schedule(outputs);
    let mut names = HashMap::new();
    if kernel.statements.len() <= MAX_STATEMENTS {
        let places = targets(&kernel, out.0);
        statements(graph, &kernel.statements, &places, &mut names, text);
    } else {
        let mut shared = Shared::new(graph, &kernel);
        shared.out = Some(out);
        let places = targets(&kernel, out.0);
        shared.places.extend(places);
        parts(graph, arguments, &shared, &mut names, text);
    }
    for (i, id) in kernel.outputs.iter().enumerate() {
        let place = format!("{}[{i}]", out.0);
        let value = expression(graph, *id, &names);
        if value != place {
            let _ = writeln!(text, "{place} = {value};");
        }
    }
}

/// The outputs that are statements of their own, each with its first place.
fn targets(kernel: &Kernel, out: &str) -> HashMap<Id, String> {
    let named: HashSet<Id> = kernel
        .statements
        .iter()
        .filter(|statement| statement.ids.len() == 1)
        .map(|statement| statement.ids[0])
        .collect();
    let mut places = HashMap::new();
    for (i, id) in kernel.outputs.iter().enumerate() {
        if named.contains(id) {
            places.entry(*id).or_insert_with(|| format!("{out}[{i}]"));
        }
    }
    places
}

/// Writes statements; values with a place are written there, the others get a name.
fn statements(
    graph: &Graph,
    statements: &[Statement],
    places: &HashMap<Id, String>,
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
        let id = statement.ids[0];
        if let Node::Call(_, argument) = graph.node(id) {
            let argument = expression(graph, argument, names);
            let (near, far) = calls(graph, &statement.ids);
            let new: Vec<String> = statement.ids.iter().map(|id| name(*id, names)).collect();
            let list = new.join(", ");
            let _ = writeln!(
                text,
                "let [{list}] = {{ let s = {argument}; if s < rt::NEAR {{ [{near}] }} else {{ rt::out_of_line(s, |s| [{far}]) }} }};"
            );
            for (id, new) in statement.ids.iter().zip(new) {
                if let Some(place) = places.get(id) {
                    let _ = writeln!(text, "{place} = {new};");
                }
            }
        } else {
            let value = operation(graph, id, names);
            if let Some(place) = places.get(&id) {
                let _ = writeln!(text, "{place} = {value};");
                names.insert(id, place.clone());
            } else {
                let new = name(id, names);
                let _ = writeln!(text, "let {new} = {value};");
            }
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

/// What the functions of a long kernel share.
struct Shared<'a> {
    chunks: Vec<Vec<Statement>>,
    /// Where each shared value is.
    places: HashMap<Id, String>,
    size: usize,
    /// The array of the outputs, if they are written there.
    out: Option<Argument<'a>>,
}

impl Shared<'_> {
    fn new(graph: &Graph, kernel: &Kernel) -> Self {
        let chunks: Vec<Vec<Statement>> = kernel
            .statements
            .chunks(MAX_STATEMENTS)
            .map(<[Statement]>::to_vec)
            .collect();
        let mut home = HashMap::new();
        for (part, chunk) in chunks.iter().enumerate() {
            let ids = chunk.iter().flat_map(|statement| &statement.ids);
            home.extend(ids.map(|id| (*id, part)));
        }
        // What a part uses of an earlier one, and what the outputs use, is shared.
        let mut crossing = BTreeSet::new();
        for (part, chunk) in chunks.iter().enumerate() {
            for statement in chunk {
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
        let size = crossing.len();
        let places = crossing.into_iter().enumerate();
        Self {
            chunks,
            places: places.map(|(i, id)| (id, format!("z[{i}]"))).collect(),
            size,
            out: None,
        }
    }
}

/// Writes a kernel as several functions and leaves the names of what they share.
fn parts(
    graph: &Graph,
    arguments: &[Argument<'_>],
    shared: &Shared<'_>,
    names: &mut HashMap<Id, String>,
    text: &mut String,
) {
    let size = shared.size;
    let (mut parameters, mut values) = (String::new(), String::new());
    for (name, kind) in arguments.iter().chain(&shared.out) {
        let _ = write!(parameters, "{name}: {kind}, ");
        let _ = write!(values, "{name}, ");
    }
    let _ = writeln!(text, "let mut z = [0.0_f64; {size}];");
    for (part, chunk) in shared.chunks.iter().enumerate() {
        let _ = writeln!(
            text,
            "#[inline(never)] fn part{part}({parameters}z: &mut [f64; {size}]) {{"
        );
        statements(graph, chunk, &shared.places, &mut names.clone(), text);
        for id in chunk.iter().flat_map(|statement| &statement.ids) {
            if let Some(place) = shared.places.get(id) {
                names.insert(*id, place.clone());
            }
        }
        let _ = writeln!(text, "}}\npart{part}({values}&mut z);");
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

/// A literal that reads back to the same number. Its type is written: where a compiler must infer
/// it, the time that it takes grows with the square of the length of a function.
pub(crate) fn number(value: f64) -> String {
    let text = format!("{value:?}_f64");
    if value < 0.0 {
        format!("({text})")
    } else {
        text
    }
}
