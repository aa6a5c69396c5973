//! The order in which vertices are eliminated: always one with the fewest neighbours.
//!
//! To eliminate a vertex joins its neighbours with each other. In a chain, a ring or a tree no
//! vertex has ever more than two or three of them, so time and memory grow with the number of
//! vertices; a body that holds many others waits until they are gone.

use std::collections::BTreeSet;

/// A graph of vertices `0..n`.
#[derive(Debug)]
pub(super) struct Graph {
    neighbours: Vec<BTreeSet<usize>>,
}

impl Graph {
    pub(super) fn new(vertices: usize) -> Self {
        Self {
            neighbours: vec![BTreeSet::new(); vertices],
        }
    }

    pub(super) fn join(&mut self, a: usize, b: usize) {
        if a != b {
            self.neighbours[a].insert(b);
            self.neighbours[b].insert(a);
        }
    }

    /// All vertices in the order of their elimination; of equal ones the first.
    pub(super) fn order(mut self) -> Vec<usize> {
        let degree = |list: &BTreeSet<usize>| list.len();
        let mut waiting: BTreeSet<(usize, usize)> = (self.neighbours.iter().map(degree))
            .zip(0..self.neighbours.len())
            .collect();
        let mut order = Vec::with_capacity(self.neighbours.len());
        while let Some((_, vertex)) = waiting.pop_first() {
            order.push(vertex);
            let list: Vec<usize> = std::mem::take(&mut self.neighbours[vertex])
                .into_iter()
                .collect();
            for &a in &list {
                waiting.remove(&(degree(&self.neighbours[a]), a));
                self.neighbours[a].remove(&vertex);
                self.neighbours[a].extend(list.iter().filter(|b| **b != a));
                waiting.insert((degree(&self.neighbours[a]), a));
            }
        }
        order
    }
}

#[cfg(test)]
mod tests {
    use super::{BTreeSet, Graph};

    /// Neighbours that each vertex of an order has left when its turn comes.
    fn widths(edges: &[(usize, usize)], order: &[usize]) -> Vec<usize> {
        let mut known = vec![BTreeSet::new(); order.len()];
        for &(a, b) in edges {
            known[a].insert(b);
            known[b].insert(a);
        }
        let mut widths = Vec::new();
        for vertex in order {
            let list = std::mem::take(&mut known[*vertex]);
            widths.push(list.len());
            for a in &list {
                known[*a].remove(vertex);
                known[*a].extend(list.iter().filter(|b| *b != a));
            }
        }
        widths
    }

    fn largest(vertices: usize, edges: &[(usize, usize)]) -> usize {
        let mut graph = Graph::new(vertices);
        for &(a, b) in edges {
            graph.join(a, b);
        }
        let order = graph.order();
        let mut sorted = order.clone();
        sorted.sort_unstable();
        assert!(sorted.into_iter().eq(0..vertices), "each vertex once");
        widths(edges, &order).into_iter().max().unwrap()
    }

    #[test]
    fn chains_rings_and_stars_stay_narrow() {
        let n = 200;
        let chain: Vec<_> = (1..n).map(|i| (i - 1, i)).collect();
        assert_eq!(largest(n, &chain), 1);
        let mut ring = chain.clone();
        ring.push((n - 1, 0));
        assert_eq!(largest(n, &ring), 2);
        // The hub is the first vertex, and still waits.
        let star: Vec<_> = (1..n).map(|i| (0, i)).collect();
        assert_eq!(largest(n, &star), 1);
        let ladder: Vec<_> = (0..n / 2 - 1)
            .flat_map(|i| {
                [
                    (2 * i, 2 * i + 1),
                    (2 * i, 2 * i + 2),
                    (2 * i + 1, 2 * i + 3),
                ]
            })
            .collect();
        assert!(largest(n, &ladder) <= 3);
    }
}
