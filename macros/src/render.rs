//! Expressions as Rust text.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fmt::Write;

use crate::expr::{Function, Graph, Id, Kernel, Node, Statement};

/// Most statements of one function: compilers overflow their stack on longer ones when
/// they write debug information, and take more than linear time.
pub(crate) const MAX_STATEMENTS: usize = 900;

/// An argument of a kernel: its name and type.
pub(crate) type Argument<'a> = (&'a str, &'a str);

/// A component of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Place<'a> {
    array: &'a str,
    index: usize,
}

impl std::fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}[{}]", self.array, self.index)
    }
}

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
        let shared = Shared::new(graph, &kernel, HashMap::new());
        parts(graph, arguments, &shared, &mut names, text);
    }
    kernel
        .outputs
        .iter()
        .map(|id| expression(graph, *id, &names))
        .collect()
}

/// Writes a kernel whose outputs are the components of an array that it is given; in functions of
/// their own if it has more statements than `inline`.
pub(crate) fn store(
    graph: &Graph,
    outputs: &[Id],
    arguments: &[Argument<'_>],
    out: Argument<'_>,
    inline: usize,
    text: &mut String,
) {
    let kernel = graph.schedule(outputs);
    let mut names = HashMap::new();
    let places = targets(&kernel, out.0);
    if kernel.statements.len() + places.len() <= inline {
        statements(graph, &kernel.statements, &places, &mut names, text);
    } else {
        let mut shared = Shared::new(graph, &kernel, places.clone());
        shared.out = Some(out);
        parts(graph, arguments, &shared, &mut names, text);
    }
    for (index, id) in kernel.outputs.iter().enumerate() {
        let array = out.0;
        let place = Place { array, index };
        if places.get(id) != Some(&place) {
            let _ = writeln!(text, "{place} = {};", expression(graph, *id, &names));
        }
    }
}

/// The outputs that are statements of their own, each with its first place.
fn targets<'a>(kernel: &Kernel, array: &'a str) -> HashMap<Id, Place<'a>> {
    let named: HashSet<Id> = kernel
        .statements
        .iter()
        .filter(|statement| statement.ids.len() == 1)
        .map(|statement| statement.ids[0])
        .collect();
    let mut places = HashMap::new();
    for (index, id) in kernel.outputs.iter().enumerate() {
        if named.contains(id) {
            places.entry(*id).or_insert(Place { array, index });
        }
    }
    places
}

/// Writes statements: values with a place are written there, those that are read get a name.
///
/// Nothing is read by its index: a compiler takes as long to check one as to check ten operations.
fn statements(
    graph: &Graph,
    statements: &[Statement],
    places: &HashMap<Id, Place<'_>>,
    names: &mut HashMap<Id, String>,
    text: &mut String,
) {
    let own: HashSet<Id> = statements.iter().flat_map(|s| s.ids.clone()).collect();
    let named = |id| own.contains(&id) || names.contains_key(&id);
    let read = reads(graph, statements, &named);
    let inputs = read.iter().filter_map(|id| match graph.node(*id) {
        Node::Input(input) if !names.contains_key(id) => {
            let (array, index) = (input.array, input.index? as usize);
            Some((*id, Place { array, index }))
        }
        _ => None,
    });
    let inputs: Vec<(Id, Place<'_>)> = inputs.collect();
    bind(&inputs, names, text);
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
            continue;
        }
        let mut value = operation(graph, id, names);
        let place = places.get(&id);
        if place.is_none() || read.contains(&id) {
            let new = name(id, names);
            let _ = writeln!(text, "let {new} = {value};");
            value = new;
        }
        if let Some(place) = place {
            let _ = writeln!(text, "{place} = {value};");
            names.entry(id).or_insert_with(|| place.to_string());
        }
    }
}

/// Reads components of arrays, and gives them names.
fn bind(components: &[(Id, Place<'_>)], names: &mut HashMap<Id, String>, text: &mut String) {
    let mut arrays: BTreeMap<&str, BTreeMap<usize, String>> = BTreeMap::new();
    for (id, Place { array, index }) in components {
        let name = format!("{array}{index}");
        names.insert(*id, name.clone());
        arrays.entry(array).or_default().insert(*index, name);
    }
    for (array, components) in arrays {
        let end = components.keys().last().map_or(0, |index| index + 1);
        let list = (0..end).map(|i| components.get(&i).map_or("_", String::as_str));
        let list = list.collect::<Vec<_>>().join(", ");
        let _ = writeln!(text, "let [{list}, ..] = *{array};");
    }
}

/// What statements read: inputs, and values that stand for themselves.
fn reads(graph: &Graph, statements: &[Statement], is_leaf: &dyn Fn(Id) -> bool) -> BTreeSet<Id> {
    let mut read = BTreeSet::new();
    let operands = statements.iter().flat_map(|s| &s.ids);
    for operand in operands.flat_map(|id| graph.operands(*id)) {
        leaves(graph, operand, is_leaf, &mut read);
    }
    read
}

/// What an expression is made of: inputs, and values that stand for themselves.
fn leaves(graph: &Graph, id: Id, is_leaf: &dyn Fn(Id) -> bool, found: &mut BTreeSet<Id>) {
    if is_leaf(id) || matches!(graph.node(id), Node::Input(_)) {
        found.insert(id);
        return;
    }
    for operand in graph.operands(id) {
        leaves(graph, operand, is_leaf, found);
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
    /// The function that each value belongs to.
    home: HashMap<Id, usize>,
    /// Where each shared value is.
    places: HashMap<Id, Place<'a>>,
    size: usize,
    /// The array of the outputs, if they are written there.
    out: Option<Argument<'a>>,
}

impl<'a> Shared<'a> {
    /// With the places of the outputs, if they have some.
    fn new(graph: &Graph, kernel: &Kernel, mut places: HashMap<Id, Place<'a>>) -> Self {
        let mut chunks: Vec<Vec<Statement>> = vec![Vec::new()];
        let mut home = HashMap::new();
        let mut length = 0;
        for statement in &kernel.statements {
            // Values that are shared may take one more statement each.
            length += 2 * statement.ids.len();
            if length > MAX_STATEMENTS {
                chunks.push(Vec::new());
                length = 0;
            }
            let part = chunks.len() - 1;
            home.extend(statement.ids.iter().map(|id| (*id, part)));
            chunks[part].push(statement.clone());
        }
        // What a part uses of an earlier one, and what the outputs use, is shared.
        let mut crossing = BTreeSet::new();
        for (part, chunk) in chunks.iter().enumerate() {
            let read = reads(graph, chunk, &|id| home.contains_key(&id)).into_iter();
            crossing.extend(read.filter(|id| home.get(id).is_some_and(|home| *home != part)));
        }
        for output in &kernel.outputs {
            let mut read = BTreeSet::new();
            leaves(graph, *output, &|id| home.contains_key(&id), &mut read);
            crossing.extend(read.into_iter().filter(|id| home.contains_key(id)));
        }
        crossing.retain(|id| !places.contains_key(id));
        let size = crossing.len();
        let new = crossing.into_iter().enumerate();
        places.extend(new.map(|(index, id)| (id, Place { array: "z", index })));
        Self {
            chunks,
            home,
            places,
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
    if size > 0 {
        let _ = writeln!(text, "let mut z = [0.0_f64; {size}];");
        let _ = write!(parameters, "z: &mut [f64; {size}]");
        values += "&mut z";
    }
    for (part, chunk) in shared.chunks.iter().enumerate() {
        let _ = writeln!(text, "#[inline(never)] fn part{part}({parameters}) {{");
        let home = &shared.home;
        let earlier = reads(graph, chunk, &|id| home.contains_key(&id)).into_iter();
        let earlier = earlier.filter(|id| home.get(id).is_some_and(|home| *home != part));
        let earlier: Vec<_> = earlier.map(|id| (id, shared.places[&id])).collect();
        let mut names_in_part = HashMap::new();
        bind(&earlier, &mut names_in_part, text);
        statements(graph, chunk, &shared.places, &mut names_in_part, text);
        for id in chunk.iter().flat_map(|statement| &statement.ids) {
            if let Some(place) = shared.places.get(id) {
                names.insert(*id, place.to_string());
            }
        }
        let _ = writeln!(text, "}}\npart{part}({values});");
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
    if sum && !names.contains_key(&id) && sum_of_products(graph, id, names).is_none() {
        format!("({text})")
    } else {
        text
    }
}

/// A sum with products as a function and its arguments: compilers check a call sooner than
/// operators, and it may use fused operations (see `generated::products` of the runtime).
fn sum_of_products(
    graph: &Graph,
    id: Id,
    names: &HashMap<Id, String>,
) -> Option<(&'static str, Vec<Id>)> {
    let node = |id: Id| (!names.contains_key(&id)).then(|| graph.node(id));
    let product = |id: Id| match node(id) {
        Some(Node::Mul(a, b)) => Some([a, b]),
        _ => None,
    };
    let two = |id: Id| match node(id) {
        Some(Node::Add(a, b)) => Some([product(a)?, product(b)?]),
        _ => None,
    };
    match graph.node(id) {
        Node::Add(a, b) => match (product(a), product(b)) {
            (Some(ab), Some(cd)) => Some(("dot2", [ab, cd].concat())),
            (Some([c, d]), None) => Some(("add_mul", vec![b, c, d])),
            (None, Some([e, f])) => Some(match two(a) {
                Some([ab, cd]) => ("dot3", [ab, cd, [e, f]].concat()),
                None => ("add_mul", vec![a, e, f]),
            }),
            (None, None) => None,
        },
        Node::Sub(a, b) => match (product(a), product(b)) {
            (Some(ab), Some(cd)) => Some(("det2", [ab, cd].concat())),
            (None, Some([b, c])) => Some(("sub_mul", vec![a, b, c])),
            _ => None,
        },
        _ => None,
    }
}

fn operation(graph: &Graph, id: Id, names: &HashMap<Id, String>) -> String {
    let term = |id| expression(graph, id, names);
    if let Some((function, arguments)) = sum_of_products(graph, id, names) {
        let argument = |id| match graph.node(id) {
            Node::Constant(bits) => literal(f64::from_bits(bits)),
            _ => term(id),
        };
        let arguments: Vec<String> = arguments.into_iter().map(argument).collect();
        return format!("rt::{function}({})", arguments.join(", "));
    }
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
        Node::Mul(a, b) => format!("{} * {}", tight(a), second_factor(graph, b, names)),
        Node::Div(a, b) => format!("{} / {}", tight(a), second_factor(graph, b, names)),
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

/// What an operand is multiplied with or divided by: products are in parentheses, too.
fn second_factor(graph: &Graph, id: Id, names: &HashMap<Id, String>) -> String {
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
fn literal(value: f64) -> String {
    match value {
        f64::INFINITY => "f64::INFINITY".to_owned(),
        f64::NEG_INFINITY => "f64::NEG_INFINITY".to_owned(),
        _ if value.is_nan() => "f64::NAN".to_owned(),
        _ => format!("{value:?}_f64"),
    }
}

/// A literal as an operand.
pub(crate) fn number(value: f64) -> String {
    let text = literal(value);
    if value < 0.0 {
        format!("({text})")
    } else {
        text
    }
}

#[cfg(test)]
mod tests;
