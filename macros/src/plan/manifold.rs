//! Rows of `B` that are constant where the constraints hold.
//!
//! A constraint in the form `f(q) - c = 0` says that `f` is the number `c` there.
//! For a body on a semidirect product that is joined to the ground, `B` contains the
//! configuration only through such functions:
//!
//! ```text
//! Phi = R^T (p - x) - c,    B = [(R^T (p - x))~, -I] = [c~, -I]
//! ```
//!
//! The half-explicit stages use the constant rows. Off the constraints they differ
//! from `B` by a multiple of `Phi`; with constant rows the stages keep `Phi` as it is.
//! They are used only if all rows are constant.

use std::collections::HashMap;

use crate::expr::{Graph, Id, Node};

/// Rows over `q`, if all are constant on the constraints: these constants.
pub(super) fn constant_rows(
    g: &mut Graph,
    phi: &[Id],
    rows: &[Vec<(usize, Id)>],
) -> Option<Vec<Vec<(usize, Id)>>> {
    let known = fixed_values(g, phi);
    rows.iter()
        .map(|row| {
            let (columns, entries): (Vec<usize>, Vec<Id>) = row.iter().copied().unzip();
            let entries = substituted(g, &entries, &known);
            let constant = entries.iter().all(|entry| g.value(*entry).is_some());
            let entries = columns.into_iter().zip(entries);
            constant.then(|| entries.filter(|(_, entry)| !g.is_zero(*entry)).collect())
        })
        .collect()
}

/// Functions of the configuration with the values that the constraints give them.
pub(super) fn fixed_values(g: &Graph, phi: &[Id]) -> HashMap<Id, f64> {
    phi.iter().filter_map(|phi| fixed(g, *phi)).collect()
}

/// Expressions with these functions replaced by their values.
pub(super) fn substituted(g: &mut Graph, ids: &[Id], known: &HashMap<Id, f64>) -> Vec<Id> {
    g.rewrite(ids, &mut |g, id| {
        known.get(&id).map(|value| g.constant(*value))
    })
}

/// The function `f` and its value where `phi = +-f - c` is zero.
fn fixed(g: &Graph, phi: Id) -> Option<(Id, f64)> {
    let (f, value) = match g.node(phi) {
        Node::Neg(a) => return fixed(g, a),
        Node::Sub(a, b) => match (g.value(a), g.value(b)) {
            (Some(c), None) => (b, c),
            (None, Some(c)) => (a, c),
            _ => (phi, 0.0),
        },
        Node::Add(a, b) => match (g.value(a), g.value(b)) {
            (Some(c), None) => (b, -c),
            (None, Some(c)) => (a, -c),
            _ => (phi, 0.0),
        },
        Node::Constant(_) => return None,
        _ => (phi, 0.0),
    };
    Some(match g.node(f) {
        Node::Neg(f) => (f, -value),
        _ => (f, value),
    })
}
