//! A graph of scalar expressions: every expression once, children before parents.
//!
//! Nodes are made by constructors only, which keep them canonical: constants are
//! folded, products with 0, 1 and -1 and sums with 0 vanish, signs move outwards,
//! and the operands of commutative operations have one order. Equal expressions
//! are therefore the same node, and the order of the nodes depends on nothing but
//! the order of the calls.
//!
//! The graph knows arithmetic and nothing of bodies, joints or tokens.

mod cancel;
mod collect;
mod diff;
mod eval;
mod hash;
mod schedule;

pub(crate) use schedule::{Kernel, Statement};

use crate::formula::Elementary;
use hash::FastMap;

/// A node of a [`Graph`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Id(u32);

impl Id {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }

    fn of(index: usize) -> Self {
        Self(u32::try_from(index).expect("fewer than 2^32 nodes"))
    }
}

/// A component of an array that a kernel is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Input {
    /// Name of the array in the generated code.
    pub(crate) array: &'static str,
    /// Component, or `None` for a plain number.
    pub(crate) index: Option<u32>,
}

/// Functions of one argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Function {
    /// The coefficient functions of the Lie groups, functions of the squared angle.
    Cosine,
    Sinc,
    Cosc,
    SineDefect,
    CoscSlope,
    SineDefectSlope,
    CotDefect,
    CotDefectSlope,
}

/// An operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Node {
    /// The bits of a number.
    Constant(u64),
    Input(Input),
    Neg(Id),
    Add(Id, Id),
    Sub(Id, Id),
    Mul(Id, Id),
    Div(Id, Id),
    Call(Function, Id),
    /// A function of the standard library.
    Elementary(Elementary, Id),
    /// `atan2(y, x)`.
    Atan2(Id, Id),
    /// The first number, moved by whole turns to be close to the second.
    Nearest(Id, Id),
    /// The third where the first is smaller than the second, else the fourth.
    Select(Id, Id, Id, Id),
}

/// All expressions of a model.
#[derive(Debug, Default)]
pub(crate) struct Graph {
    nodes: Vec<Node>,
    ids: FastMap<Node, Id>,
}

impl Graph {
    fn intern(&mut self, node: Node) -> Id {
        if let Some(id) = self.ids.get(&node) {
            return *id;
        }
        let id = Id::of(self.nodes.len());
        self.nodes.push(node);
        self.ids.insert(node, id);
        id
    }

    pub(crate) fn node(&self, id: Id) -> Node {
        self.nodes[id.index()]
    }

    pub(crate) fn constant(&mut self, value: f64) -> Id {
        // One zero: the sign of zero must not make two nodes.
        let value = if value == 0.0 { 0.0 } else { value };
        self.intern(Node::Constant(value.to_bits()))
    }

    pub(crate) fn zero(&mut self) -> Id {
        self.constant(0.0)
    }

    pub(crate) fn one(&mut self) -> Id {
        self.constant(1.0)
    }

    /// The number, if the node is one.
    pub(crate) fn value(&self, id: Id) -> Option<f64> {
        match self.node(id) {
            Node::Constant(bits) => Some(f64::from_bits(bits)),
            _ => None,
        }
    }

    pub(crate) fn is_zero(&self, id: Id) -> bool {
        self.value(id) == Some(0.0)
    }

    /// A component of an array.
    pub(crate) fn input(&mut self, array: &'static str, index: usize) -> Id {
        let index = Some(u32::try_from(index).expect("small arrays"));
        self.intern(Node::Input(Input { array, index }))
    }

    /// A number that a kernel is given.
    pub(crate) fn number(&mut self, name: &'static str) -> Id {
        self.intern(Node::Input(Input {
            array: name,
            index: None,
        }))
    }

    pub(crate) fn neg(&mut self, a: Id) -> Id {
        match self.node(a) {
            Node::Constant(bits) => self.constant(-f64::from_bits(bits)),
            Node::Neg(x) => x,
            Node::Sub(x, y) => self.intern(Node::Sub(y, x)),
            _ => self.intern(Node::Neg(a)),
        }
    }

    pub(crate) fn add(&mut self, a: Id, b: Id) -> Id {
        match (self.value(a), self.value(b)) {
            (Some(x), Some(y)) => return self.constant(x + y),
            (Some(0.0), _) => return b,
            (_, Some(0.0)) => return a,
            _ => {}
        }
        match (self.node(a), self.node(b)) {
            (Node::Neg(x), Node::Neg(y)) => {
                let sum = self.add(x, y);
                self.neg(sum)
            }
            (_, Node::Neg(y)) => self.sub(a, y),
            (Node::Neg(x), _) => self.sub(b, x),
            (_, Node::Sub(x, y)) if y == a => x,
            (Node::Sub(x, y), _) if y == b => x,
            _ => self.intern(Node::Add(a.min(b), a.max(b))),
        }
    }

    pub(crate) fn sub(&mut self, a: Id, b: Id) -> Id {
        match (self.value(a), self.value(b)) {
            (Some(x), Some(y)) => return self.constant(x - y),
            (Some(0.0), _) => return self.neg(b),
            (_, Some(0.0)) => return a,
            _ => {}
        }
        if a == b {
            return self.zero();
        }
        match (self.node(a), self.node(b)) {
            (_, Node::Neg(y)) => self.add(a, y),
            (Node::Neg(x), _) => {
                let sum = self.add(x, b);
                self.neg(sum)
            }
            (_, Node::Sub(x, y)) if x == a => y,
            (Node::Add(x, y), _) if x == b => y,
            (Node::Add(x, y), _) if y == b => x,
            _ => self.intern(Node::Sub(a, b)),
        }
    }

    pub(crate) fn mul(&mut self, a: Id, b: Id) -> Id {
        let (a, b) = if self.value(b).is_some() {
            (b, a)
        } else {
            (a, b)
        };
        if let Some(x) = self.value(a) {
            if let Some(y) = self.value(b) {
                return self.constant(x * y);
            }
            if x == 0.0 {
                return a;
            }
            if x == 1.0 {
                return b;
            }
            if x < 0.0 {
                let factor = self.constant(-x);
                let product = self.mul(factor, b);
                return self.neg(product);
            }
            if let Node::Mul(c, rest) = self.node(b)
                && let Some(y) = self.value(c)
            {
                let factor = self.constant(x * y);
                return self.mul(factor, rest);
            }
        }
        match (self.node(a), self.node(b)) {
            (Node::Neg(x), Node::Neg(y)) => self.mul(x, y),
            (Node::Neg(x), _) => {
                let product = self.mul(x, b);
                self.neg(product)
            }
            (_, Node::Neg(y)) => {
                let product = self.mul(a, y);
                self.neg(product)
            }
            _ if self.value(a).is_some() => self.intern(Node::Mul(a, b)),
            _ => self.intern(Node::Mul(a.min(b), a.max(b))),
        }
    }

    pub(crate) fn div(&mut self, a: Id, b: Id) -> Id {
        match (self.value(a), self.value(b)) {
            (Some(x), Some(y)) => return self.constant(x / y),
            (Some(0.0), _) | (_, Some(1.0)) => return a,
            _ => {}
        }
        match (self.node(a), self.node(b)) {
            (Node::Neg(x), _) => {
                let quotient = self.div(x, b);
                self.neg(quotient)
            }
            (_, Node::Neg(y)) => {
                let quotient = self.div(a, y);
                self.neg(quotient)
            }
            _ => self.intern(Node::Div(a, b)),
        }
    }

    pub(crate) fn call(&mut self, function: Function, a: Id) -> Id {
        self.intern(Node::Call(function, a))
    }

    pub(crate) fn elementary(&mut self, function: Elementary, a: Id) -> Id {
        match self.value(a) {
            Some(x) => self.constant(function.value(x)),
            None => self.intern(Node::Elementary(function, a)),
        }
    }

    /// `atan2(y, x)`.
    pub(crate) fn atan2(&mut self, y: Id, x: Id) -> Id {
        match (self.value(y), self.value(x)) {
            (Some(y), Some(x)) => self.constant(y.atan2(x)),
            _ => self.intern(Node::Atan2(y, x)),
        }
    }

    /// `a + 2 pi k` with the whole number `k` that brings it closest to `to`.
    pub(crate) fn nearest(&mut self, a: Id, to: Id) -> Id {
        self.intern(Node::Nearest(a, to))
    }

    /// `x` where `a < b`, else `y`.
    pub(crate) fn select(&mut self, a: Id, b: Id, x: Id, y: Id) -> Id {
        if x == y {
            return x;
        }
        if let (Some(a), Some(b)) = (self.value(a), self.value(b)) {
            return if a < b { x } else { y };
        }
        self.intern(Node::Select(a, b, x, y))
    }

    /// `sum_i a_i b_i`.
    pub(crate) fn dot(&mut self, a: &[Id], b: &[Id]) -> Id {
        let mut sum = self.zero();
        for (x, y) in a.iter().zip(b) {
            let product = self.mul(*x, *y);
            sum = self.add(sum, product);
        }
        sum
    }

    /// `a x b`.
    pub(crate) fn cross(&mut self, a: [Id; 3], b: [Id; 3]) -> [Id; 3] {
        [(1, 2), (2, 0), (0, 1)].map(|(i, j)| {
            let (x, y) = (self.mul(a[i], b[j]), self.mul(a[j], b[i]));
            self.sub(x, y)
        })
    }

    /// `a + b`, component by component.
    pub(crate) fn add3(&mut self, a: [Id; 3], b: [Id; 3]) -> [Id; 3] {
        core::array::from_fn(|i| self.add(a[i], b[i]))
    }

    /// `s a`.
    pub(crate) fn scale3(&mut self, s: Id, a: [Id; 3]) -> [Id; 3] {
        a.map(|x| self.mul(s, x))
    }

    /// The operands of a node.
    pub(crate) fn operands(&self, id: Id) -> impl Iterator<Item = Id> + use<> {
        let operands = match self.node(id) {
            Node::Constant(_) | Node::Input(_) => [None; 4],
            Node::Neg(a) | Node::Call(_, a) | Node::Elementary(_, a) => [Some(a), None, None, None],
            Node::Add(a, b)
            | Node::Sub(a, b)
            | Node::Mul(a, b)
            | Node::Div(a, b)
            | Node::Atan2(a, b)
            | Node::Nearest(a, b) => [Some(a), Some(b), None, None],
            Node::Select(a, b, c, d) => [a, b, c, d].map(Some),
        };
        operands.into_iter().flatten()
    }

    /// The same operation on other operands.
    fn rebuild(&mut self, node: Node, operands: &[Id]) -> Id {
        match (node, operands) {
            (Node::Neg(_), [a]) => self.neg(*a),
            (Node::Add(..), [a, b]) => self.add(*a, *b),
            (Node::Sub(..), [a, b]) => self.sub(*a, *b),
            (Node::Mul(..), [a, b]) => self.mul(*a, *b),
            (Node::Div(..), [a, b]) => self.div(*a, *b),
            (Node::Call(function, _), [a]) => self.call(function, *a),
            (Node::Elementary(function, _), [a]) => self.elementary(function, *a),
            (Node::Atan2(..), [a, b]) => self.atan2(*a, *b),
            (Node::Nearest(..), [a, b]) => self.nearest(*a, *b),
            (Node::Select(..), [a, b, c, d]) => self.select(*a, *b, *c, *d),
            _ => self.intern(node),
        }
    }

    /// Replaces nodes from the top down: where `replace` gives a node, that is
    /// taken, elsewhere the operands are visited.
    pub(crate) fn rewrite(
        &mut self,
        outputs: &[Id],
        replace: &mut dyn FnMut(&mut Self, Id) -> Option<Id>,
    ) -> Vec<Id> {
        let mut done = FastMap::default();
        outputs
            .iter()
            .map(|id| self.rewrite_one(*id, replace, &mut done))
            .collect()
    }

    fn rewrite_one(
        &mut self,
        id: Id,
        replace: &mut dyn FnMut(&mut Self, Id) -> Option<Id>,
        done: &mut FastMap<Id, Id>,
    ) -> Id {
        if let Some(id) = done.get(&id) {
            return *id;
        }
        let new = if let Some(new) = replace(self, id) {
            new
        } else {
            let node = self.node(id);
            let operands: Vec<Id> = self
                .operands(id)
                .map(|operand| self.rewrite_one(operand, replace, done))
                .collect();
            self.rebuild(node, &operands)
        };
        done.insert(id, new);
        new
    }

    /// For each node whether it depends on nothing but the arrays that `allowed` accepts.
    pub(crate) fn depends_only(&self, allowed: &dyn Fn(&'static str) -> bool) -> Vec<bool> {
        let mut only = Vec::with_capacity(self.nodes.len());
        for (i, node) in self.nodes.iter().enumerate() {
            let id = Id::of(i);
            let value = match node {
                Node::Input(input) => allowed(input.array),
                _ => self.operands(id).all(|operand| only[operand.index()]),
            };
            only.push(value);
        }
        only
    }
}

#[cfg(test)]
mod tests;
