//! Bodies and what joins them, in the language of Graphviz.

use polhode::generic::description::{Description, GROUND};
use polhode_models::machine::Machine;

use super::graph::Edge;
use super::{force_ends, kind_name};

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

fn head(name: &str) -> String {
    let mut text = format!("graph {} {{\n", quoted(name));
    text += "  node [shape=box, fontname=\"sans-serif\"];\n  edge [fontname=\"sans-serif\"];\n";
    text + "  \"ground\" [shape=plaintext];\n"
}

/// The graph of a description.
pub(super) fn of_description(description: &Description) -> String {
    let mut text = head(&description.name);
    for body in &description.bodies {
        let label = quoted(&format!("{} ({})", body.name, body.group));
        text += &format!("  {} [label={label}];\n", quoted(&body.name));
    }
    let mut edge = |first: &str, second: &str, label: &str, style: &str| {
        let (first, second, label) = (quoted(first), quoted(second), quoted(label));
        text += &format!("  {first} -- {second} [label={label}{style}];\n");
    };
    for joint in &description.joints {
        let label = format!("{}: {}", joint.name, kind_name(&joint.kind));
        edge(&joint.first.body, &joint.second.body, &label, "");
    }
    for force in &description.forces {
        let (_, places) = force_ends(description, &force.kind);
        let (first, second) = (places[0], *places.last().unwrap_or(&GROUND));
        edge(first, second, &force.name, ", style=dashed");
    }
    text + "}\n"
}

/// The graph of what is only known by its edges.
pub(super) fn of_edges(name: &str, machine: &dyn Machine, edges: &[Edge]) -> String {
    let mut text = head(name);
    for edge in edges {
        let name = |i: usize| match edge.bodies.get(i) {
            Some(&body) => machine.factor_name(body),
            None => GROUND.to_owned(),
        };
        // An edge with one body holds it to the ground.
        let (first, second) = if edge.bodies.len() == 1 {
            (GROUND.to_owned(), name(0))
        } else {
            (name(0), name(1))
        };
        let (first, second, label) = (quoted(&first), quoted(&second), quoted(&edge.name));
        text += &format!("  {first} -- {second} [label={label}];\n");
    }
    text + "}\n"
}
