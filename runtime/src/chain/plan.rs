//! The order of elimination, fixed once at construction.
//!
//! Nodes are eliminated from the leaves to the root, each together with the
//! multipliers of the edges to its children and to fixed ends:
//!
//! ```text
//! block n = (node n; edges between n and its children; edges between n and fixed ends)
//! ```
//!
//! When its turn comes, the matrix of a block is `[[A, B^T], [B, -S]]` with `S`
//! from the children. Constraints that are independent in the whole tree are
//! independent in a subtree with its root, so with a positive definite `A` no
//! block is singular, also where both ends of a chain are held. (With an edge
//! in the block of its child that would not be so: a link between two spherical
//! joints cannot take three forces at one end.)
//!
//! A block sees its parent through the *interface*: the multipliers of the edge
//! between them and, if forces of the edge couple both nodes, the parent node.
//!
//! A *hub* has many children. Their multipliers in one block would take a time that grows with the
//! third power of their number. So the edge to a child belongs to the block of the child, if nothing
//! else holds the branch beyond it: constraints between moving nodes leave a branch free to
//! move as a rigid body, so the edge is independent of them. What the branches share is the
//! motion of the hub, which is then a part of the interface, also in a Schur complement.

use super::edge::Edge;
use std::collections::VecDeque;

/// A node or body with more rows than this is a hub: four fixed joints. A choice, not an optimum: ten
/// branches gain by it, and the joints of usual bodies stay in one block.
pub(crate) const HUB_ROWS: usize = 24;

/// The way from a node to its parent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Up {
    pub(super) node: usize,
    pub(super) edge: usize,
}

/// The order of elimination.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    /// Nodes, children before parents.
    pub(super) order: Vec<usize>,
    /// Parent of each node.
    pub(super) up: Vec<Option<Up>>,
    /// Node whose block holds the multipliers of an edge.
    pub(super) owner: Vec<usize>,
    /// First row of an edge among the multipliers of its block.
    pub(super) slot: Vec<usize>,
    /// Number of multipliers of each block.
    pub(super) owned_rows: Vec<usize>,
    /// Whether a node has more children than belong into one block.
    pub(super) hub: Vec<bool>,
    /// Edges at the nodes, one list after another, and where each list starts.
    at_node: Vec<usize>,
    starts: Vec<usize>,
}

impl Plan {
    /// The plan, or the first edge that closes a loop.
    pub(super) fn new(nodes: usize, edges: &[Edge]) -> Result<Self, usize> {
        find_loop(nodes, edges).map_or(Ok(()), Err)?;
        // Edges at each node, one list after another.
        let mut starts = vec![0; nodes + 1];
        for edge in edges {
            for (_, node) in edge.sides() {
                starts[node + 1] += 1;
            }
        }
        for node in 0..nodes {
            starts[node + 1] += starts[node];
        }
        let mut free = starts.clone();
        let mut at_node = vec![0; starts[nodes]];
        for (index, edge) in edges.iter().enumerate() {
            for (_, node) in edge.sides() {
                at_node[free[node]] = index;
                free[node] += 1;
            }
        }

        let mut plan = Self {
            order: Vec::with_capacity(nodes),
            up: vec![None; nodes],
            owner: vec![usize::MAX; edges.len()],
            slot: vec![0; edges.len()],
            owned_rows: vec![0; nodes],
            hub: vec![false; nodes],
            at_node,
            starts,
        };
        let mut seen = vec![false; nodes];
        let mut waiting = VecDeque::new();
        for root in 0..nodes {
            if seen[root] {
                continue;
            }
            seen[root] = true;
            waiting.push_back(root);
            while let Some(node) = waiting.pop_front() {
                plan.order.push(node);
                for at in plan.starts[node]..plan.starts[node + 1] {
                    let edge = plan.at_node[at];
                    if plan.owner[edge] != usize::MAX {
                        continue; // the way to the parent
                    }
                    plan.owner[edge] = node;
                    plan.slot[edge] = plan.owned_rows[node];
                    plan.owned_rows[node] += edges[edge].rows;
                    for (_, other) in edges[edge].sides() {
                        if other == node {
                            continue;
                        }
                        seen[other] = true;
                        plan.up[other] = Some(Up { node, edge });
                        waiting.push_back(other);
                    }
                }
            }
        }
        plan.order.reverse();
        plan.find_hubs(edges);
        Ok(plan)
    }

    /// Gives the edges between hubs and branches that nothing else holds to the branches.
    fn find_hubs(&mut self, edges: &[Edge]) {
        // Whether constraints lead from a node away from its parent to a fixed end, and the rows
        // of edges to children for which they do not.
        let mut held = vec![false; self.up.len()];
        let mut free_rows = vec![0; self.up.len()];
        for &node in &self.order {
            let mut here = self.edges_at(node).iter().map(|edge| &edges[*edge]);
            held[node] |= here.any(|edge| edge.rows > 0 && edge.sides().count() == 1);
            if let Some(up) = self.up[node] {
                let rows = edges[up.edge].rows;
                if held[node] {
                    held[up.node] |= rows > 0;
                } else {
                    free_rows[up.node] += rows;
                }
            }
        }
        for (hub, rows) in self.hub.iter_mut().zip(free_rows) {
            *hub = rows > HUB_ROWS;
        }
        if !self.hub.contains(&true) {
            return;
        }
        self.owned_rows.fill(0);
        for &node in self.order.iter().rev() {
            for at in self.starts[node]..self.starts[node + 1] {
                let edge = self.at_node[at];
                let to_parent = self.up[node].filter(|up| up.edge == edge);
                let child = Self::other(node, &edges[edge]);
                let given = |hub: usize, branch: usize| {
                    self.hub[hub] && !held[branch] && edges[edge].rows > 0
                };
                let owner = match (to_parent, child) {
                    (Some(up), _) if given(up.node, node) => node,
                    (None, Some(child)) if !given(node, child) => node,
                    (None, None) => node,
                    _ => continue,
                };
                self.owner[edge] = owner;
                self.slot[edge] = self.owned_rows[owner];
                self.owned_rows[owner] += edges[edge].rows;
            }
        }
    }

    /// The node at the other end of an edge, if that is not fixed.
    fn other(node: usize, edge: &Edge) -> Option<usize> {
        let mut others = edge.sides().map(|(_, other)| other);
        others.find(|other| *other != node)
    }

    /// The hub whose edge to a node belongs to the node.
    pub(super) fn hub_above(&self, node: usize) -> Option<Up> {
        self.up[node].filter(|up| self.owner[up.edge] == node)
    }

    /// The plan of nodes in a row, the last one the root; edge `j` joins `j` and `j + 1`.
    pub(super) fn path(nodes: usize, edges: &[Edge]) -> Self {
        Self {
            order: (0..nodes).collect(),
            up: (0..nodes)
                .map(|node| {
                    (node < edges.len()).then_some(Up {
                        node: node + 1,
                        edge: node,
                    })
                })
                .collect(),
            owner: (1..nodes).collect(),
            slot: vec![0; edges.len()],
            owned_rows: vec![0; nodes],
            hub: vec![false; nodes],
            at_node: Vec::new(),
            starts: vec![0; nodes + 1],
        }
    }

    /// Whether an edge at a node leads to its parent or to a fixed end.
    pub(super) fn comes_with(&self, index: usize, node: usize, edge: &Edge) -> bool {
        self.up[node].is_some_and(|up| up.edge == index) || edge.sides().count() == 1
    }

    /// The edges at a node.
    pub(super) fn edges_at(&self, node: usize) -> &[usize] {
        &self.at_node[self.starts[node]..self.starts[node + 1]]
    }
}

/// The first edge that joins two nodes which earlier edges have joined already.
fn find_loop(nodes: usize, edges: &[Edge]) -> Option<usize> {
    let mut leader: Vec<usize> = (0..nodes).collect();
    edges.iter().position(|edge| {
        let ends = edge.sides().map(|(_, node)| node);
        let [Some(a), Some(b)] = pair(ends.map(|node| follow(&mut leader, node))) else {
            return false;
        };
        leader[a] = b;
        a == b
    })
}

/// The two items of an iterator, as far as there are any.
fn pair(mut items: impl Iterator<Item = usize>) -> [Option<usize>; 2] {
    [items.next(), items.next()]
}

/// The leader of a group of nodes; shortens the way to it.
fn follow(leader: &mut [usize], mut node: usize) -> usize {
    while leader[node] != node {
        leader[node] = leader[leader[node]];
        node = leader[node];
    }
    node
}
