//! Sums that wait for nothing but their last term.
//!
//! An addition takes as long to finish as four others take to begin, so a kernel of a few hundred
//! operations mostly waits. The terms of a sum are added in the order in which they are known:
//! the two that are known first, then their sum with the others. The number of operations stays
//! the same, partial sums that are used elsewhere too.

use super::hash::FastMap;
use super::{Graph, Id, Node};

/// Time that an addition or a multiplication takes, and a division, and a function of an angle.
const STEP: u32 = 4;
const DIVISION: u32 = 14;
const FUNCTION: u32 = 40;

/// Terms with their signs: positive or not.
type Term = (bool, Id);

struct Rewriter<'a> {
    graph: &'a mut Graph,
    /// When each input is known.
    known: &'a dyn Fn(&'static str) -> u32,
    uses: FastMap<Id, u32>,
    done: FastMap<Id, Id>,
    times: FastMap<Id, u32>,
}

impl Graph {
    /// The same values, sums in the order in which their terms are known. Inputs are known at the
    /// times that `known` gives.
    pub(crate) fn sooner(
        &mut self,
        outputs: &[Id],
        known: &dyn Fn(&'static str) -> u32,
    ) -> Vec<Id> {
        let (mut uses, mut order) = (FastMap::default(), Vec::new());
        for id in outputs {
            self.visit(*id, &mut uses, &mut order);
        }
        let mut rewriter = Rewriter {
            graph: self,
            known,
            uses,
            done: FastMap::default(),
            times: FastMap::default(),
        };
        outputs.iter().map(|id| rewriter.rewritten(*id)).collect()
    }
}

impl Rewriter<'_> {
    fn rewritten(&mut self, id: Id) -> Id {
        if let Some(done) = self.done.get(&id) {
            return *done;
        }
        let node = self.graph.node(id);
        let new = if let Node::Add(..) | Node::Sub(..) = node {
            let mut terms = Vec::new();
            self.terms(id, true, true, &mut terms);
            self.sum(terms)
        } else {
            let operands: Vec<Id> = self.graph.operands(id).collect();
            let operands: Vec<Id> = operands.into_iter().map(|x| self.rewritten(x)).collect();
            self.graph.rebuild(node, &operands)
        };
        self.done.insert(id, new);
        new
    }

    /// The terms of a sum; sums that are used elsewhere are terms.
    fn terms(&mut self, id: Id, positive: bool, is_root: bool, out: &mut Vec<Term>) {
        let own = is_root || self.uses.get(&id).is_none_or(|uses| *uses == 1);
        match self.graph.node(id) {
            Node::Add(a, b) if own => {
                self.terms(a, positive, false, out);
                self.terms(b, positive, false, out);
            }
            Node::Sub(a, b) if own => {
                self.terms(a, positive, false, out);
                self.terms(b, !positive, false, out);
            }
            Node::Neg(a) if own => self.terms(a, !positive, false, out),
            _ => out.push((positive, self.rewritten(id))),
        }
    }

    fn sum(&mut self, mut terms: Vec<Term>) -> Id {
        while terms.len() > 1 {
            // The order of terms that are known at the same time stays.
            terms.sort_by_key(|(_, id)| self.time(*id));
            let (first, second) = (terms.remove(0), terms.remove(0));
            let sum = match (first, second) {
                ((true, a), (true, b)) => (true, self.graph.add(a, b)),
                ((false, a), (false, b)) => (false, self.graph.add(a, b)),
                ((true, a), (false, b)) | ((false, b), (true, a)) => (true, self.graph.sub(a, b)),
            };
            terms.insert(0, sum);
        }
        match terms.first() {
            Some((true, sum)) => *sum,
            Some((false, sum)) => self.graph.neg(*sum),
            None => self.graph.zero(),
        }
    }

    /// When a value is known.
    fn time(&mut self, id: Id) -> u32 {
        if let Some(time) = self.times.get(&id) {
            return *time;
        }
        let own = match self.graph.node(id) {
            Node::Constant(_) | Node::Neg(_) => 0,
            Node::Input(input) => (self.known)(input.array),
            Node::Div(..) => DIVISION,
            Node::Add(..) | Node::Sub(..) | Node::Mul(..) => STEP,
            _ => FUNCTION,
        };
        let operands: Vec<Id> = self.graph.operands(id).collect();
        let last = operands.into_iter().map(|x| self.time(x)).max();
        let time = own + last.unwrap_or(0);
        self.times.insert(id, time);
        time
    }
}

#[cfg(test)]
mod tests {
    use crate::expr::Graph;

    #[test]
    fn late_terms_are_added_last() {
        let mut g = Graph::default();
        let [a, b, c] = [0, 1, 2].map(|i| g.input("x", i));
        let late = g.input("late", 0);
        // ((late - a) + b) - c
        let sum = g.sub(late, a);
        let sum = g.add(sum, b);
        let sum = g.sub(sum, c);
        let found = g.sooner(&[sum], &|array| if array == "late" { 9 } else { 0 });
        let early = g.sub(b, a);
        let early = g.sub(early, c);
        assert_eq!(found, [g.add(early, late)]);
    }

    #[test]
    fn sums_that_are_used_elsewhere_stay() {
        let mut g = Graph::default();
        let [a, b] = [0, 1].map(|i| g.input("x", i));
        let late = g.input("late", 0);
        let shared = g.add(late, a);
        let sum = g.add(shared, b);
        let found = g.sooner(&[shared, sum], &|array| u32::from(array == "late"));
        assert_eq!(found, [shared, sum]);
    }
}
