//! Rules of models with arrays, one function each.
//!
//! Indices are compared for all counts at once. What depends on the graph is checked for the
//! default counts, and for eight elements where a count is a const generic; the constructor
//! checks it again for the counts it is given.

use super::affine::Affine;
use super::model::{Arrays, Connection, Element, Load, Place, Rod, Target};
use crate::check;
use crate::diag::{At, Diagnostics};
use crate::formula::Formula;
use proc_macro2::Ident;

/// Larger models are checked by their constructors alone.
const LARGEST_GRAPH: i64 = 300_000;

/// All rules.
pub(crate) fn all(arrays: &Arrays, dx: &mut Diagnostics) {
    for member in arrays.members.iter().filter(|member| !member.node) {
        check::body(&arrays.model, &member.body, dx);
    }
    for rod in &arrays.rods {
        rod_numbers(arrays, rod, dx);
    }
    for (user, len, element) in arrays.uses() {
        in_range(arrays, user, len, element, dx);
    }
    if dx.is_empty() {
        default_lengths(arrays, dx);
    }
    if dx.is_empty() {
        graph(arrays, dx);
    }
}

/// Lengths, densities and inertias are positive; stiffnesses and dampings are not negative.
fn rod_numbers(arrays: &Arrays, rod: &Rod, dx: &mut Diagnostics) {
    let mut number = |word: &str, formula: &Formula, at: At, positive: bool| {
        let Some(value) = arrays.model.by_default(formula) else {
            return;
        };
        let fits = if positive { value > 0.0 } else { value >= 0.0 };
        if !fits {
            let help = if positive {
                "write a positive number"
            } else {
                "write zero or a positive number"
            };
            dx.error(at, format!("the {word} of `{}` is {value}", rod.name), help);
        }
    };
    number("length", &rod.length.0, rod.length.1, true);
    number("density", &rod.density.0, rod.density.1, true);
    let smallest = |list: &[Formula]| {
        let values = list
            .iter()
            .map(|formula| (arrays.model.by_default(formula), formula));
        let known = values.filter_map(|(value, formula)| Some((value?, formula.clone())));
        known
            .min_by(|a, b| a.0.total_cmp(&b.0))
            .map(|(_, formula)| formula)
    };
    if let Some(inertia) = smallest(&rod.inertia.0) {
        number("rotational inertia", &inertia, rod.inertia.1, true);
    }
    let words = [
        "bending",
        "bending",
        "torsion",
        "shear",
        "shear",
        "extension",
    ];
    for (i, (formula, at)) in rod.stiffness.iter().enumerate() {
        // Two numbers that are one in the model are one error.
        if i == 0 || words[i] != words[i - 1] || rod.stiffness[i - 1].0 != *formula {
            number(&format!("stiffness of {}", words[i]), formula, *at, false);
        }
    }
    if let Some(damping) = smallest(&rod.damping.0) {
        number("damping", &damping, rod.damping.1, false);
    }
    number(
        "damping factor",
        &rod.damping_factor.0,
        rod.damping_factor.1,
        false,
    );
}

/// An element that is named is one of its array, for every index of the array that names it.
fn in_range(
    arrays: &Arrays,
    user: &Ident,
    len: Option<&Affine>,
    element: &Element,
    dx: &mut Diagnostics,
) {
    let counts = arrays.counts.len();
    let member = &arrays.members[element.member];
    let Some(room) = &member.len else { return };
    let zero = Affine::number(0, counts);
    let one = Affine::number(1, counts);
    let last = len.map_or_else(|| Some(zero.clone()), |len| len.minus(&one));
    let ends = [Some(zero), last];
    let reached = ends.map(|end| element.index.with_index(&end?));
    let least = arrays.least();
    let outside = |index: &Affine| {
        let above = room.minus(&one).and_then(|top| top.minus(index));
        let above = above.is_some_and(|room| room.always_negative(&least));
        index.always_negative(&least) || above
    };
    if let Some(index) = reached.iter().flatten().find(|index| outside(index)) {
        let names = arrays.count_names();
        let array = &member.body.name;
        dx.error(
            element.at,
            format!(
                "`{user}` names `{array}[{}]`, but `{array}` ends at `{array}[{}]`",
                index.words(&names),
                room.minus(&one)
                    .map_or_else(String::new, |top| top.words(&names)),
            ),
            format!("change the index, or the length of `{array}` or of `{user}`"),
        );
    }
}

impl Arrays {
    /// Every place where an element is named, with who names it and how long that is.
    fn uses(&self) -> Vec<(&Ident, Option<&Affine>, &Element)> {
        let mut uses = Vec::new();
        for rod in &self.rods {
            uses.extend(
                rod.ends
                    .iter()
                    .map(|end| (&rod.name, rod.len.as_ref(), end)),
            );
        }
        for joint in &self.joints {
            let ends = joint.ends.iter().flatten();
            let axes = joint.axes.iter().filter_map(|axis| match axis {
                super::model::Axis::Of(Some(element), _) => Some(element),
                _ => None,
            });
            uses.extend(
                ends.chain(axes)
                    .map(|end| (&joint.name, joint.len.as_ref(), end)),
            );
        }
        for load in &self.loads {
            if let Target::Point(element, _) = &load.target {
                uses.push((&load.name, load.len.as_ref(), element));
            }
        }
        uses
    }
}

/// With their defaults, counts leave no array of members or elements empty.
fn default_lengths(arrays: &Arrays, dx: &mut Diagnostics) {
    let samples = arrays.samples();
    let members = arrays
        .members
        .iter()
        .map(|member| (&member.body.name, &member.len));
    let rods = arrays.rods.iter().map(|rod| (&rod.name, &rod.len));
    for (name, len) in members.chain(rods) {
        let Some(length) = len.as_ref().and_then(|len| len.at(&samples, 0)) else {
            continue;
        };
        if length < 1 {
            dx.error(
                name.span(),
                format!("`{name}` has {length} elements with the default counts"),
                "change the length, or the default of the count",
            );
        }
    }
}

/// The graph of a sample: no loops, no nodes without elements, no bodies that nothing holds.
fn graph(arrays: &Arrays, dx: &mut Diagnostics) {
    let samples = arrays.samples();
    let length = |len: &Option<Affine>| len.as_ref().map_or(Some(1), |len| len.at(&samples, 0));
    let mut starts = Vec::new();
    let mut total = 0;
    for member in &arrays.members {
        starts.push(total);
        let Some(length) = length(&member.len).filter(|length| *length < LARGEST_GRAPH) else {
            return;
        };
        total += length;
    }
    if total > LARGEST_GRAPH {
        return;
    }
    // Elements beyond an array were reported, or depend on a count without a default.
    let vertex = |element: &Element, i: i64| {
        let index = element.index.at(&samples, i)?;
        let room = length(&arrays.members[element.member].len)?;
        let inside = (0..room).contains(&index);
        usize::try_from(starts[element.member] + index)
            .ok()
            .filter(|_| inside)
    };
    let mut graph = Graph::new(usize::try_from(total).unwrap_or(0));
    for joint in arrays.joints.iter().filter(|joint| joint.clamps) {
        for end in joint.ends.iter().flatten() {
            if let Some(node) = vertex(end, 0) {
                graph.fixed[node] = true;
            }
        }
    }
    for connection in &arrays.connections {
        let (name, len, ends): (_, _, [Place; 2]) = match connection {
            Connection::Rod(rod) => {
                let rod = &arrays.rods[*rod];
                (&rod.name, &rod.len, rod.ends.clone().map(Some))
            }
            Connection::Joint(joint) => {
                let joint = &arrays.joints[*joint];
                (&joint.name, &joint.len, joint.ends.clone())
            }
        };
        let rod = matches!(connection, Connection::Rod(_));
        for i in 0..length(len).unwrap_or(0).min(LARGEST_GRAPH) {
            let ends = [0, 1].map(|side: usize| vertex(ends[side].as_ref()?, i));
            if graph.join(ends, rod) {
                dx.error(
                    name.span(),
                    format!("`{name}` closes a loop"),
                    "models with arrays are trees: remove a joint, or write the bodies one by one, without arrays, where any joint may close a loop",
                );
                break;
            }
        }
    }
    for Load { len, target, .. } in &arrays.loads {
        for i in 0..length(len).unwrap_or(0).min(LARGEST_GRAPH) {
            if let Target::Point(element, _) = target
                && let Some(vertex) = vertex(element, i)
            {
                graph.touched[vertex] = true;
            }
        }
    }
    unheld(arrays, &graph, &starts, dx);
}

/// Nodes have elements, and bodies have something that holds them.
fn unheld(arrays: &Arrays, graph: &Graph, starts: &[i64], dx: &mut Diagnostics) {
    let ends = starts.iter().skip(1).copied().chain([i64::MAX]);
    for ((member, start), end) in arrays.members.iter().zip(starts).zip(ends) {
        let first = usize::try_from(*start).unwrap_or(0);
        let last = usize::try_from(end)
            .unwrap_or(usize::MAX)
            .min(graph.fixed.len());
        let held = |i: usize| {
            if member.node {
                graph.elements[i]
            } else {
                member.body.free || graph.touched[i]
            }
        };
        let Some(missing) = (first..last).find(|i| !held(*i)) else {
            continue;
        };
        let name = &member.body.name;
        let item = if member.len.is_some() {
            format!("{name}[{}]", missing - first)
        } else {
            name.to_string()
        };
        if member.node {
            dx.error(
                name.span(),
                format!("node `{item}` belongs to no rod element, so it has no mass"),
                "change the length of the array, or add an element",
            );
        } else {
            dx.error(
                name.span(),
                format!("body `{item}` is not connected to anything"),
                "add a joint or a load, or write `#[body(.., free)]` if it is meant to fly",
            );
        }
    }
}

/// Which members are connected: a forest of parents.
struct Graph {
    parent: Vec<usize>,
    /// Clamped nodes.
    fixed: Vec<bool>,
    elements: Vec<bool>,
    touched: Vec<bool>,
}

impl Graph {
    fn new(vertices: usize) -> Self {
        Self {
            parent: (0..vertices).collect(),
            fixed: vec![false; vertices],
            elements: vec![false; vertices],
            touched: vec![false; vertices],
        }
    }

    fn root(&mut self, mut vertex: usize) -> usize {
        while self.parent[vertex] != vertex {
            self.parent[vertex] = self.parent[self.parent[vertex]];
            vertex = self.parent[vertex];
        }
        vertex
    }

    /// Connects two vertices; whether that closes a loop. The ground, and what is fixed to it,
    /// connects nothing.
    fn join(&mut self, ends: [Option<usize>; 2], rod: bool) -> bool {
        for vertex in ends.into_iter().flatten() {
            self.touched[vertex] = true;
            self.elements[vertex] |= rod;
        }
        let [Some(a), Some(b)] = ends.map(|end| end.filter(|vertex| !self.fixed[*vertex])) else {
            return false;
        };
        let (a, b) = (self.root(a), self.root(b));
        self.parent[a] = b;
        a == b
    }
}
