//! Differences in which products cancel.
//!
//! In `a b + c - (a - d) b` the product `a b` is there twice. To see it, `(a - d) b` must be
//! distributed; elsewhere that would be one more operation. So a product with a sum is distributed
//! if one of its parts cancels a term, and only then.

use super::{Graph, Id, Node};

/// Terms are looked for in sums of so many levels.
const DEPTH: usize = 8;

impl Graph {
    /// `a - b`, where parts of `b` may cancel terms of `a`. The other terms keep their order: what
    /// they had in common with other sums, they still have.
    pub(crate) fn sub_cancelling(&mut self, a: Id, b: Id) -> Id {
        self.plus(a, false, b)
    }

    /// `a + b` or `a - b`.
    fn plus(&mut self, a: Id, positive: bool, b: Id) -> Id {
        if let Node::Neg(b) = self.node(b) {
            return self.plus(a, !positive, b);
        }
        if let Some(rest) = self.without(a, !positive, b, DEPTH) {
            return rest;
        }
        for parts in self.parts(b, positive) {
            let cancels =
                |(positive, part): &(bool, Id)| self.without(a, !positive, *part, DEPTH).is_some();
            if parts.iter().any(cancels) {
                return parts
                    .into_iter()
                    .fold(a, |sum, (positive, part)| self.plus(sum, positive, part));
            }
        }
        if positive {
            self.add(a, b)
        } else {
            self.sub(a, b)
        }
    }

    /// The ways to take a sum, or a product of sums, apart once.
    fn parts(&mut self, id: Id, positive: bool) -> Vec<Vec<(bool, Id)>> {
        match self.node(id) {
            Node::Add(a, b) => vec![vec![(positive, a), (positive, b)]],
            Node::Sub(a, b) => vec![vec![(positive, a), (!positive, b)]],
            Node::Mul(a, b) => {
                let mut ways = Vec::new();
                for (factor, sum) in [(a, b), (b, a)] {
                    let (x, sign, y) = match self.node(sum) {
                        Node::Add(x, y) => (x, positive, y),
                        Node::Sub(x, y) => (x, !positive, y),
                        _ => continue,
                    };
                    let products = [(positive, x), (sign, y)].map(|(positive, part)| {
                        let product = self.mul(factor, part);
                        match self.node(product) {
                            Node::Neg(product) => (!positive, product),
                            _ => (positive, product),
                        }
                    });
                    ways.push(products.into());
                }
                ways
            }
            _ => Vec::new(),
        }
    }

    /// A sum without one of its terms, if it has it.
    fn without(&mut self, sum: Id, positive: bool, term: Id, depth: usize) -> Option<Id> {
        if sum == term && positive {
            return Some(self.zero());
        }
        let depth = depth.checked_sub(1)?;
        match self.node(sum) {
            Node::Neg(a) => {
                let rest = self.without(a, !positive, term, depth)?;
                Some(self.neg(rest))
            }
            Node::Add(a, b) => {
                if let Some(rest) = self.without(a, positive, term, depth) {
                    return Some(self.add(rest, b));
                }
                let rest = self.without(b, positive, term, depth)?;
                Some(self.add(a, rest))
            }
            Node::Sub(a, b) => {
                if let Some(rest) = self.without(a, positive, term, depth) {
                    return Some(self.sub(rest, b));
                }
                let rest = self.without(b, !positive, term, depth)?;
                Some(self.sub(a, rest))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::expr::Graph;

    #[test]
    fn a_product_is_distributed_if_a_part_cancels() {
        let mut g = Graph::default();
        let [a, b, c, d] = [0, 1, 2, 3].map(|i| g.input("x", i));
        let (ab, less) = (g.mul(a, b), g.sub(a, d));
        let (sum, product) = (g.add(ab, c), g.mul(less, b));
        let found = g.sub_cancelling(sum, product);
        let db = g.mul(d, b);
        assert_eq!(found, g.add(c, db));
    }

    #[test]
    fn terms_cancel_in_sums_of_sums() {
        let mut g = Graph::default();
        let [a, b, c] = [0, 1, 2].map(|i| g.input("x", i));
        let one = g.one();
        let (ab, less) = (g.mul(a, b), g.sub(b, one));
        // a b + c - a (b - 1) - (a - b)
        let (sum, product) = (g.add(ab, c), g.mul(a, less));
        let rest = g.sub_cancelling(sum, product);
        assert_eq!(rest, g.add(c, a));
        let last = g.sub(a, b);
        assert_eq!(g.sub_cancelling(rest, last), g.add(c, b));
    }

    #[test]
    fn other_products_stay() {
        let mut g = Graph::default();
        let [a, b, c, d] = [0, 1, 2, 3].map(|i| g.input("x", i));
        let (ac, less) = (g.mul(a, c), g.sub(a, d));
        let product = g.mul(less, b);
        let plain = g.sub(ac, product);
        assert_eq!(g.sub_cancelling(ac, product), plain);
    }
}
