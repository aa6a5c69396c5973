//! Rules of models with arrays, one function each.
//!
//! Indices are compared for all counts at once. What depends on the graph is checked for the
//! default counts, and for eight elements where a count is a const generic; the constructor
//! checks it again for the counts it is given.

mod numbers;

use super::affine::Affine;
use super::graph::Graph;
use super::model::{Arrays, Axis, Element, JointElement, Load, On, Read, Target};
use crate::diag::{At, Diagnostics};
use proc_macro2::Ident;

/// Rules about numbers, indices and lengths.
pub(crate) fn numbers(arrays: &Arrays, dx: &mut Diagnostics) {
    numbers::all(arrays, dx);
    for used in arrays.uses() {
        in_range(arrays, &used, dx);
    }
    for load in &arrays.loads {
        loads_what_moves(arrays, load, dx);
    }
    if dx.is_empty() {
        default_lengths(arrays, dx);
    }
}

/// A load acts on no clamped node, for any counts. Where that depends on them, the constructor
/// checks it.
fn loads_what_moves(arrays: &Arrays, load: &Load, dx: &mut Diagnostics) {
    let Target::Point(element, _) = &load.target else {
        return;
    };
    let member = &arrays.members[element.member];
    let least = arrays.least();
    let one = Affine::number(1, arrays.counts.len());
    let len = load.len.as_ref().unwrap_or(&one);
    // The `i` of the load that acts on the node, and whether there is one.
    let reaches = |node: &Affine| {
        let fixed = Affine {
            index: 0,
            ..element.index.clone()
        };
        let rest = node.minus(&fixed)?;
        let factor = element.index.index;
        if factor == 0 {
            return Some(rest.value() == Some(0));
        }
        let i = rest.divided(factor)?;
        let before = Affine::number(-1, arrays.counts.len()).minus(&i)?;
        let after = i.minus(len)?;
        Some(before.always_negative(&least) && after.always_negative(&least))
    };
    let clamped = member.clamped.iter().map(|(node, _)| node);
    let Some(node) = clamped.into_iter().find(|node| reaches(node) == Some(true)) else {
        return;
    };
    let name = &member.body.name;
    let item = match member.len {
        Some(_) => format!("{name}[{}]", node.words(&arrays.count_names())),
        None => name.to_string(),
    };
    dx.error(
        element.at,
        format!(
            "`{}` acts on `{item}`, which is clamped: it moves nothing",
            load.name
        ),
        if load.len.is_some() {
            "change the index, so that only nodes that move are left"
        } else {
            "name a node that moves, or hold this one with another joint than `Fixed`"
        },
    );
}

/// An element of an array that something names.
struct Use<'a> {
    user: &'a Ident,
    /// How long the array is that names it.
    len: Option<&'a Affine>,
    index: &'a Affine,
    at: At,
    /// The array.
    array: &'a Ident,
    room: &'a Option<Affine>,
}

/// An element that is named is one of its array, for every index of the array that names it.
fn in_range(arrays: &Arrays, used: &Use<'_>, dx: &mut Diagnostics) {
    let Use {
        user, len, array, ..
    } = used;
    let counts = arrays.counts.len();
    let Some(room) = used.room else { return };
    let zero = Affine::number(0, counts);
    let one = Affine::number(1, counts);
    let last = len.map_or_else(|| Some(zero.clone()), |len| len.minus(&one));
    let ends = [Some(zero), last];
    let reached = ends.map(|end| used.index.with_index(&end?));
    let least = arrays.least();
    let outside = |index: &Affine| {
        let above = room.minus(&one).and_then(|top| top.minus(index));
        let above = above.is_some_and(|room| room.always_negative(&least));
        index.always_negative(&least) || above
    };
    if let Some(index) = reached.iter().flatten().find(|index| outside(index)) {
        let names = arrays.count_names();
        dx.error(
            used.at,
            format!(
                "`{user}` names `{array}[{}]`, but `{array}` ends at `{array}[{}]`",
                index.words(&names),
                room.minus(&one)
                    .map_or_else(String::new, |top| top.words(&names)),
            ),
            if len.is_some() {
                format!("change the index, or the length of `{array}` or of `{user}`")
            } else {
                format!("change the index, or the length of `{array}`")
            },
        );
    }
}

impl Arrays {
    /// The counts of the sample: `N = 8`.
    fn sample_in_words(&self) -> String {
        let counts = self.counts.iter();
        let counts: Vec<String> = counts
            .map(|count| format!("{} = {}", count.name, count.sample()))
            .collect();
        counts.join(", ")
    }

    /// Every place where an element is named.
    fn uses(&self) -> Vec<Use<'_>> {
        let mut uses = Vec::new();
        for rod in &self.rods {
            let ends = rod.ends.iter();
            uses.extend(ends.map(|end| self.use_of(&rod.name, rod.len.as_ref(), end)));
        }
        for joint in &self.joints {
            let ends = joint.ends.iter().flatten();
            let elements = ends.chain(joint.axes.iter().filter_map(Axis::element));
            uses.extend(elements.map(|end| self.use_of(&joint.name, joint.len.as_ref(), end)));
        }
        for load in &self.loads {
            if let Target::Point(element, _) = &load.target {
                uses.push(self.use_of(&load.name, load.len.as_ref(), element));
            }
        }
        for force in &self.forces {
            let len = force.len.as_ref();
            let ends = force.ends().into_iter().flatten().flatten();
            let axis = match &force.on {
                On::Between { axis, .. } => axis.as_ref().and_then(Axis::element),
                On::Joint(_) => None,
            };
            uses.extend(
                ends.chain(axis)
                    .map(|end| self.use_of(&force.name, len, end)),
            );
            let joint = force.joint();
            uses.extend(joint.map(|joint| self.use_of_joint(&force.name, len, joint)));
        }
        for reading in self.readings.iter().flatten() {
            let (user, len) = (&reading.user, reading.len.as_ref());
            uses.push(match &reading.of {
                Read::Member(element) => self.use_of(user, len, element),
                Read::Joint(joint) => self.use_of_joint(user, len, joint),
            });
        }
        uses
    }

    fn use_of<'a>(
        &'a self,
        user: &'a Ident,
        len: Option<&'a Affine>,
        element: &'a Element,
    ) -> Use<'a> {
        let member = &self.members[element.member];
        Use {
            user,
            len,
            index: &element.index,
            at: element.at,
            array: &member.body.name,
            room: &member.len,
        }
    }

    fn use_of_joint<'a>(
        &'a self,
        user: &'a Ident,
        len: Option<&'a Affine>,
        element: &'a JointElement,
    ) -> Use<'a> {
        let joint = &self.joints[element.joint];
        Use {
            user,
            len,
            index: &element.index,
            at: element.at,
            array: &joint.name,
            room: &joint.len,
        }
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

/// Nodes have elements, and bodies have something that holds them.
pub(crate) fn graph(arrays: &Arrays, graph: &Graph, dx: &mut Diagnostics) {
    let starts = &graph.starts;
    let sample = match arrays.sample_in_words() {
        words if words.is_empty() => words,
        words => format!(", with {words}"),
    };
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
                format!("node `{item}` belongs to no rod element, so it has no mass{sample}"),
                "change the length of the array, or add an element",
            );
        } else {
            dx.error(
                name.span(),
                format!("body `{item}` is not connected to anything{sample}"),
                "add a joint or a force, or write `#[body(.., free)]` if it is meant to fly",
            );
        }
    }
}
