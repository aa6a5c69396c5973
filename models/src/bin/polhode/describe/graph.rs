//! The blocks of the linear systems: which bodies meet in which joints, and in which order they
//! can be eliminated.
//!
//! Newton's matrix of index 3 has a block of unknowns for each body and one for the multipliers of
//! each joint. A joint meets its two bodies; bodies meet where a force or the stiffness of a joint
//! couples them. Eliminating a block joins all that it meets, two by two: what was not there before
//! is fill.

use std::collections::{BTreeMap, BTreeSet};

use polhode::generic::description::PositionAxes;
use polhode_models::machine::Machine;
use polhode_models::scene::{Look, Scene};
use serde::Serialize;

/// Something between bodies.
#[derive(Clone, Debug)]
pub(crate) struct Edge {
    pub(crate) name: String,
    /// Bodies by their places in the system.
    pub(crate) bodies: Vec<usize>,
    /// Number of constraints.
    pub(crate) rows: usize,
    /// Whether it couples its bodies besides holding them.
    pub(crate) stiff: bool,
}

/// All joints, forces and elements of rods.
pub(crate) fn edges(machine: &dyn Machine, scene: &Scene) -> Vec<Edge> {
    let frames = machine.joints().iter().map(|frame| Edge {
        name: frame.name.clone(),
        bodies: [frame.first.body, frame.second.body]
            .into_iter()
            .flatten()
            .collect(),
        rows: frame.rows.len(),
        // The force of an inertial position does not turn with the other body.
        stiff: frame.positions == PositionAxes::Second || frame.rows.len() > 3,
    });
    let mut edges: Vec<Edge> = frames.collect();
    let listed = !edges.is_empty();
    for link in &scene.links {
        if link.look == Look::Spring || !listed {
            edges.push(Edge {
                name: link.name.clone(),
                bodies: link.ends.iter().filter_map(|end| end.factor).collect(),
                rows: link.held,
                stiff: link.look == Look::Spring,
            });
        }
    }
    for curve in &scene.curves {
        for (i, pair) in curve.points.windows(2).enumerate() {
            edges.push(Edge {
                name: format!("{} element {i}", curve.name),
                bodies: pair.iter().filter_map(|end| end.factor).collect(),
                rows: curve.held,
                stiff: true,
            });
        }
    }
    edges
}

/// An order of elimination and what it costs.
#[derive(Debug, Serialize)]
pub(crate) struct Elimination {
    /// Bodies and joints, the first one eliminated first.
    pub(crate) order: Vec<String>,
    /// Numbers in blocks that are not zero.
    pub(crate) entries: usize,
    /// Numbers in blocks that become so.
    pub(crate) fill: usize,
}

/// Larger systems are not ordered here.
const MOST_BLOCKS: usize = 3000;

/// Always the block with the fewest numbers beside it, as sparse solvers do.
pub(crate) fn eliminate(machine: &dyn Machine, edges: &[Edge]) -> Option<Elimination> {
    let bodies: Vec<usize> = machine
        .space()
        .factors()
        .map(|factor| factor.velocity.len())
        .collect();
    let held = |edge: &&Edge| edge.rows > 0;
    let joints: Vec<&Edge> = edges.iter().filter(held).collect();
    if bodies.len() + joints.len() > MOST_BLOCKS {
        return None;
    }
    let mut sizes = bodies.clone();
    sizes.extend(joints.iter().map(|edge| edge.rows));
    let mut beside: BTreeMap<usize, BTreeSet<usize>> =
        (0..sizes.len()).map(|i| (i, BTreeSet::new())).collect();
    let mut join = |a: usize, b: usize| {
        let new = a != b && beside.entry(a).or_default().insert(b);
        beside.entry(b).or_default().insert(a);
        new
    };
    for (i, edge) in joints.iter().enumerate() {
        for &body in &edge.bodies {
            join(bodies.len() + i, body);
        }
    }
    for edge in edges.iter().filter(|edge| edge.stiff) {
        if let [a, b] = edge.bodies[..] {
            join(a, b);
        }
    }
    for (i, beside) in &mut beside {
        beside.remove(i);
    }
    let blocks = beside.iter().flat_map(|(&a, beside)| {
        let sizes = &sizes;
        beside.iter().map(move |&b| sizes[a] * sizes[b])
    });
    // Multipliers have no block on the diagonal.
    let entries = blocks.sum::<usize>() + bodies.iter().map(|n| n * n).sum::<usize>();
    let mut fill = 0;
    let mut order = Vec::new();
    // Multipliers have no pivots of their own: a joint waits until one of its bodies is gone.
    let mut waiting: BTreeSet<usize> = (bodies.len()..sizes.len()).collect();
    while let Some(next) = cheapest(&beside, &sizes, &waiting) {
        order.push(match next.checked_sub(bodies.len()) {
            Some(joint) => joints[joint].name.clone(),
            None => machine.factor_name(next),
        });
        let around: Vec<usize> = beside
            .remove(&next)
            .unwrap_or_default()
            .into_iter()
            .collect();
        for (i, &a) in around.iter().enumerate() {
            fill += usize::from(waiting.remove(&a)) * sizes[a] * sizes[a];
            for &b in &around[i + 1..] {
                let new = beside.get_mut(&a).is_some_and(|beside| beside.insert(b));
                if let Some(beside) = beside.get_mut(&b) {
                    beside.insert(a);
                }
                fill += usize::from(new) * 2 * sizes[a] * sizes[b];
            }
            if let Some(beside) = beside.get_mut(&a) {
                beside.remove(&next);
            }
        }
    }
    Some(Elimination {
        order,
        entries,
        fill,
    })
}

/// The block with the fewest numbers beside it, among those that do not wait.
fn cheapest(
    beside: &BTreeMap<usize, BTreeSet<usize>>,
    sizes: &[usize],
    waiting: &BTreeSet<usize>,
) -> Option<usize> {
    let cost = |(&i, around): (&usize, &BTreeSet<usize>)| {
        let beside: usize = around.iter().map(|&j| sizes[j]).sum();
        (waiting.contains(&i), beside, i)
    };
    beside.iter().map(cost).min().map(|(_, _, i)| i)
}
