//! What is connected with what, for the counts of a sample.

use std::cell::Cell;

use super::affine::Affine;
use super::check;
use super::model::{Arrays, Connection, Element, Place, Target};
use super::sample::Sample;
use crate::diag::Diagnostics;

/// Models with more members are looked at in a reduced sample alone.
const LARGEST_GRAPH: i64 = 300_000;

/// Which members are connected: a forest of parents.
pub(crate) struct Graph {
    parent: Vec<usize>,
    /// First vertex of each member.
    pub(crate) starts: Vec<i64>,
    /// Clamped nodes.
    pub(crate) fixed: Vec<bool>,
    /// Nodes with elements.
    pub(crate) elements: Vec<bool>,
    /// What joints, elements and forces act on.
    pub(crate) touched: Vec<bool>,
    /// Whether joints or elements close a loop.
    pub(crate) closed: bool,
    /// Whether something names an element beyond its array.
    beyond: bool,
}

impl Graph {
    /// The graph, checked. What a reduced sample finds may be due to numbers that belong together
    /// and were not seen to: then all members are looked at, unless they are too many, and the
    /// constructor is left to find it.
    pub(crate) fn checked(arrays: &Arrays, dx: &mut Diagnostics) -> Option<Self> {
        let reduced = Sample::reduced(arrays).and_then(|sample| Self::of(arrays, &sample));
        if let Some(graph) = &reduced {
            let mut found = Diagnostics::default();
            check::graph(arrays, graph, &mut found);
            if found.is_empty() && !graph.beyond {
                return reduced;
            }
        }
        let whole = Self::of(arrays, &Sample::whole(arrays));
        if let Some(graph) = &whole {
            check::graph(arrays, graph, dx);
        }
        whole.or(reduced)
    }

    /// The graph of a sample, unless it is too large.
    fn of(arrays: &Arrays, sample: &Sample) -> Option<Self> {
        let length = |len: &Option<Affine>| len.as_ref().map_or(Some(1), |len| sample.at(len, 0));
        let mut starts = Vec::new();
        let mut total = 0;
        for member in &arrays.members {
            starts.push(total);
            total += length(&member.len).filter(|length| *length < LARGEST_GRAPH)?;
        }
        if total > LARGEST_GRAPH {
            return None;
        }
        let vertices = usize::try_from(total).unwrap_or(0);
        let mut graph = Self {
            parent: (0..vertices).collect(),
            fixed: vec![false; vertices],
            elements: vec![false; vertices],
            touched: vec![false; vertices],
            closed: false,
            beyond: false,
            starts,
        };
        // Elements beyond an array were reported, or depend on a count without a default.
        let beyond = Cell::new(false);
        let vertex = |starts: &[i64], element: &Element, i: i64| {
            let index = sample.at(&element.index, i)?;
            let room = length(&arrays.members[element.member].len)?;
            let inside = (0..room).contains(&index);
            beyond.set(beyond.get() || !inside);
            usize::try_from(starts[element.member] + index)
                .ok()
                .filter(|_| inside)
        };
        let indices = |len: &Option<Affine>| 0..length(len).unwrap_or(0).min(LARGEST_GRAPH);
        for joint in arrays.joints.iter().filter(|joint| joint.clamps) {
            for end in joint.ends.iter().flatten() {
                if let Some(node) = vertex(&graph.starts, end, 0) {
                    graph.fixed[node] = true;
                }
            }
        }
        for connection in &arrays.connections {
            let (len, ends): (_, [Place; 2]) = match connection {
                Connection::Rod(rod) => {
                    let rod = &arrays.rods[*rod];
                    (&rod.len, rod.ends.clone().map(Some))
                }
                Connection::Joint(joint) => {
                    let joint = &arrays.joints[*joint];
                    (&joint.len, joint.ends.clone())
                }
            };
            let rod = matches!(connection, Connection::Rod(_));
            for i in indices(len) {
                let place = |side: usize| vertex(&graph.starts, ends[side].as_ref()?, i);
                graph.join([0, 1].map(place), rod);
            }
        }
        let loads = arrays.loads.iter().filter_map(|load| match &load.target {
            Target::Point(element, _) => Some((&load.len, element)),
            Target::Rod(_) => None,
        });
        let ends = arrays.forces.iter().filter_map(|force| {
            let ends = force.ends()?.iter().flatten();
            Some(ends.map(|end| (&force.len, end)))
        });
        for (len, element) in loads.chain(ends.flatten()) {
            for i in indices(len) {
                if let Some(vertex) = vertex(&graph.starts, element, i) {
                    graph.touched[vertex] = true;
                }
            }
        }
        graph.beyond = beyond.get();
        Some(graph)
    }

    fn root(&mut self, mut vertex: usize) -> usize {
        while self.parent[vertex] != vertex {
            self.parent[vertex] = self.parent[self.parent[vertex]];
            vertex = self.parent[vertex];
        }
        vertex
    }

    /// Connects two vertices. The ground, and what is fixed to it, connects nothing.
    fn join(&mut self, ends: [Option<usize>; 2], rod: bool) {
        for vertex in ends.into_iter().flatten() {
            self.touched[vertex] = true;
            self.elements[vertex] |= rod;
        }
        if let [Some(a), Some(b)] = ends.map(|end| end.filter(|vertex| !self.fixed[*vertex])) {
            let (a, b) = (self.root(a), self.root(b));
            self.parent[a] = b;
            self.closed |= a == b;
        }
    }
}
