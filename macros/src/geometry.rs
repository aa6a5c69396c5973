//! Vectors in space and scalars made of them, as functions of the configuration.
//!
//! Derivatives are taken here, along left-invariant directions `(w, W)` of the
//! bodies, because here the rule `R^T R = I` is visible:
//!
//! ```text
//! d(R a)   = R (w x a + da)
//! d(R^T a) = -w x (R^T a) + R^T da
//! d(x)     = W  or  R W          (direct or semidirect product)
//! ```
//!
//! and `R^T R a = a` is applied when a vector is made. Only then are vectors
//! lowered to scalar expressions.

mod derivative;
mod formula;
mod gradient;
mod joint;
mod lower;

use std::collections::HashMap;

use crate::expr::{Graph, Id, Node};
use crate::formula::Elementary;
use crate::model::{BodyId, Group, JointId, Model};

/// A vector, by its place in [`Geometry`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Vector(usize);

/// A scalar, by its place in [`Geometry`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Scalar(usize);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum VectorNode {
    /// Components that do not depend on the configuration.
    Fixed([Id; 3]),
    /// Origin of a body frame in the inertial frame.
    Position(BodyId),
    /// `R a`.
    Rotated(BodyId, Vector),
    /// `R^T a`.
    RotatedBack(BodyId, Vector),
    /// Sum of different terms with factors.
    Sum(Vec<(Scalar, Vector)>),
    Cross(Vector, Vector),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum ScalarNode {
    /// An expression that does not depend on the configuration.
    Fixed(Id),
    Dot(Vector, Vector),
    Sum(Vec<(Scalar, Scalar)>),
    Product(Scalar, Scalar),
    Quotient(Scalar, Scalar),
    Call(Elementary, Scalar),
    /// `atan2(y, x)`.
    Atan2(Scalar, Scalar),
    /// The angle of a joint.
    Angle(JointId),
    /// A modal coordinate of a body.
    Mode(BodyId, usize),
    /// The third where the first is smaller than the second, else the fourth.
    Select([Scalar; 4]),
}

/// A direction in which bodies, and perhaps time, go on: body twists or inertial velocities of
/// bodies, as their group has them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Direction {
    pub(crate) bodies: HashMap<BodyId, (Vector, Vector)>,
    /// Rates of modal coordinates; those that are not here rest.
    pub(crate) modes: HashMap<(BodyId, usize), Id>,
    pub(crate) time: bool,
}

/// Axes of the translations of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Frame {
    /// Those of the group: inertial on direct products.
    Group,
    /// Those of the body.
    Body,
}

impl Direction {
    /// One body moves.
    pub(crate) fn of_body(id: BodyId, turn: Vector, shift: Vector) -> Self {
        Self {
            bodies: HashMap::from([(id, (turn, shift))]),
            ..Self::default()
        }
    }

    /// Time goes on while the bodies rest.
    pub(crate) fn of_time() -> Self {
        Self {
            time: true,
            ..Self::default()
        }
    }

    /// The same motion, with time going on.
    pub(crate) fn and_time(&self) -> Self {
        Self {
            time: true,
            ..self.clone()
        }
    }
}

/// All vectors and scalars of a model.
#[derive(Debug)]
pub(crate) struct Geometry<'m> {
    pub(crate) graph: Graph,
    pub(crate) model: &'m Model,
    vectors: Vec<VectorNode>,
    vector_ids: HashMap<VectorNode, Vector>,
    scalars: Vec<ScalarNode>,
    scalar_ids: HashMap<ScalarNode, Scalar>,
    lowered_vectors: HashMap<Vector, [Id; 3]>,
    lowered_scalars: HashMap<Scalar, Id>,
    rotations: HashMap<BodyId, [[Id; 3]; 3]>,
    /// What is known when the model is constructed, as expressions over the array `p`; the
    /// kernels see them as the array `c`.
    pub(crate) constants: Vec<Id>,
    /// Whether derivatives may use that the joints hold: then angles of joints turn about axes
    /// that are fixed in both bodies.
    pub(crate) joints_hold: bool,
}

impl<'m> Geometry<'m> {
    pub(crate) fn new(model: &'m Model) -> Self {
        Self {
            graph: Graph::default(),
            model,
            vectors: Vec::new(),
            vector_ids: HashMap::new(),
            scalars: Vec::new(),
            scalar_ids: HashMap::new(),
            lowered_vectors: HashMap::new(),
            lowered_scalars: HashMap::new(),
            rotations: HashMap::new(),
            constants: Vec::new(),
            joints_hold: false,
        }
    }

    fn vector(&mut self, node: VectorNode) -> Vector {
        if let Some(id) = self.vector_ids.get(&node) {
            return *id;
        }
        let id = Vector(self.vectors.len());
        self.vectors.push(node.clone());
        self.vector_ids.insert(node, id);
        id
    }

    fn scalar(&mut self, node: ScalarNode) -> Scalar {
        if let Some(id) = self.scalar_ids.get(&node) {
            return *id;
        }
        let id = Scalar(self.scalars.len());
        self.scalars.push(node.clone());
        self.scalar_ids.insert(node, id);
        id
    }

    /// A vector with components that do not depend on the configuration.
    pub(crate) fn fixed(&mut self, components: [Id; 3]) -> Vector {
        let components = components.map(|component| self.late(component));
        self.vector(VectorNode::Fixed(components))
    }

    /// Gives a place in the array `c` to an expression over `p` and `c` alone.
    pub(crate) fn late(&mut self, value: Id) -> Id {
        if !self.is_late(value)
            || matches!(self.graph.node(value), Node::Input(input) if input.array == "c")
        {
            return value;
        }
        let constants = self.constants.clone();
        let value = self.graph.rewrite(&[value], &mut |g, id| match g.node(id) {
            Node::Input(input) if input.array == "c" => {
                constants.get(input.index? as usize).copied()
            }
            _ => None,
        })[0];
        let known = self.constants.iter().position(|known| *known == value);
        let place = known.unwrap_or_else(|| {
            self.constants.push(value);
            self.constants.len() - 1
        });
        self.graph.input("c", place)
    }

    /// Whether an expression depends on `p` or `c`, and on nothing else.
    fn is_late(&self, value: Id) -> bool {
        match self.graph.node(value) {
            Node::Constant(_) => false,
            Node::Input(input) => ["p", "c"].contains(&input.array),
            _ => {
                let operands: Vec<Id> = self.graph.operands(value).collect();
                let known = |id: &Id| self.graph.value(*id).is_some() || self.is_late(*id);
                operands.iter().all(known)
            }
        }
    }

    /// A constant vector.
    pub(crate) fn constant(&mut self, components: [f64; 3]) -> Vector {
        let components = components.map(|x| self.graph.constant(x));
        self.fixed(components)
    }

    pub(crate) fn zero(&mut self) -> Vector {
        self.constant([0.0; 3])
    }

    fn is_zero(&mut self, v: Vector) -> bool {
        v == self.zero()
    }

    /// A number that does not depend on the configuration.
    pub(crate) fn number(&mut self, value: Id) -> Scalar {
        let value = self.late(value);
        self.scalar(ScalarNode::Fixed(value))
    }

    pub(crate) fn constant_number(&mut self, value: f64) -> Scalar {
        let value = self.graph.constant(value);
        self.number(value)
    }

    /// Origin of a body frame, or of the inertial frame.
    pub(crate) fn position(&mut self, body: Option<BodyId>) -> Vector {
        match body {
            Some(body) => self.vector(VectorNode::Position(body)),
            None => self.zero(),
        }
    }

    /// `R a`.
    pub(crate) fn rotated(&mut self, body: Option<BodyId>, a: Vector) -> Vector {
        let Some(body) = body.filter(|body| self.model.body(*body).group.rotates()) else {
            return a;
        };
        if self.is_zero(a) {
            return a;
        }
        if let VectorNode::RotatedBack(other, inner) = self.vectors[a.0]
            && other == body
        {
            return inner;
        }
        self.distribute(body, a, true)
            .unwrap_or_else(|| self.vector(VectorNode::Rotated(body, a)))
    }

    /// `R^T a`.
    pub(crate) fn rotated_back(&mut self, body: Option<BodyId>, a: Vector) -> Vector {
        let Some(body) = body.filter(|body| self.model.body(*body).group.rotates()) else {
            return a;
        };
        if self.is_zero(a) {
            return a;
        }
        if let VectorNode::Rotated(other, inner) = self.vectors[a.0]
            && other == body
        {
            return inner;
        }
        self.distribute(body, a, false)
            .unwrap_or_else(|| self.vector(VectorNode::RotatedBack(body, a)))
    }

    /// Rotates the terms of a sum one by one where that undoes a rotation.
    fn distribute(&mut self, body: BodyId, a: Vector, forward: bool) -> Option<Vector> {
        let VectorNode::Sum(terms) = self.vectors[a.0].clone() else {
            return None;
        };
        let undone = |node: &VectorNode| match node {
            VectorNode::Rotated(other, _) => !forward && *other == body,
            VectorNode::RotatedBack(other, _) => forward && *other == body,
            _ => false,
        };
        let (inside, outside): (Vec<_>, Vec<_>) = terms
            .into_iter()
            .partition(|(_, term)| undone(&self.vectors[term.0]));
        if inside.is_empty() {
            return None;
        }
        let mut all = Vec::new();
        for (factor, term) in inside {
            if let VectorNode::Rotated(_, inner) | VectorNode::RotatedBack(_, inner) =
                self.vectors[term.0]
            {
                all.push((factor, inner));
            }
        }
        let rest = self.combination(outside);
        let rest = if forward {
            self.rotated(Some(body), rest)
        } else {
            self.rotated_back(Some(body), rest)
        };
        let one = self.constant_number(1.0);
        all.push((one, rest));
        Some(self.combination(all))
    }

    /// A sum of vectors with factors.
    pub(crate) fn combination(&mut self, terms: Vec<(Scalar, Vector)>) -> Vector {
        let mut flat: Vec<(Scalar, Vector)> = Vec::new();
        let zero = self.constant_number(0.0);
        let mut pending: Vec<(Scalar, Vector)> = terms.into_iter().rev().collect();
        while let Some((factor, term)) = pending.pop() {
            if factor == zero || self.is_zero(term) {
                continue;
            }
            if let VectorNode::Sum(inner) = self.vectors[term.0].clone() {
                for (inner_factor, inner) in inner.into_iter().rev() {
                    let factor = self.product(factor, inner_factor);
                    pending.push((factor, inner));
                }
                continue;
            }
            if let Some(same) = flat.iter().position(|(_, other)| *other == term) {
                let one = self.constant_number(1.0);
                let sum = self.sum(vec![(one, flat[same].0), (one, factor)]);
                if sum == zero {
                    flat.remove(same);
                } else {
                    flat[same].0 = sum;
                }
            } else {
                flat.push((factor, term));
            }
        }
        let one = self.constant_number(1.0);
        match flat[..] {
            [] => self.zero(),
            [(factor, term)] if factor == one => term,
            _ => self.vector(VectorNode::Sum(flat)),
        }
    }

    pub(crate) fn add(&mut self, a: Vector, b: Vector) -> Vector {
        let one = self.constant_number(1.0);
        self.combination(vec![(one, a), (one, b)])
    }

    pub(crate) fn sub(&mut self, a: Vector, b: Vector) -> Vector {
        let (one, minus) = (self.constant_number(1.0), self.constant_number(-1.0));
        self.combination(vec![(one, a), (minus, b)])
    }

    pub(crate) fn scale(&mut self, factor: Scalar, a: Vector) -> Vector {
        self.combination(vec![(factor, a)])
    }

    pub(crate) fn cross(&mut self, a: Vector, b: Vector) -> Vector {
        if a == b || self.is_zero(a) || self.is_zero(b) {
            return self.zero();
        }
        self.vector(VectorNode::Cross(a, b))
    }

    pub(crate) fn dot(&mut self, a: Vector, b: Vector) -> Scalar {
        if self.is_zero(a) || self.is_zero(b) {
            return self.constant_number(0.0);
        }
        if let (VectorNode::Fixed(a), VectorNode::Fixed(b)) =
            (&self.vectors[a.0], &self.vectors[b.0])
        {
            let product = self.graph.dot(a, b);
            return self.number(product);
        }
        self.scalar(ScalarNode::Dot(a.min(b), a.max(b)))
    }

    /// A sum of scalars with factors.
    pub(crate) fn sum(&mut self, terms: Vec<(Scalar, Scalar)>) -> Scalar {
        let mut fixed = self.graph.zero();
        let mut rest = Vec::new();
        for (factor, term) in terms {
            let product = self.product(factor, term);
            if let ScalarNode::Fixed(value) = self.scalars[product.0] {
                fixed = self.graph.add(fixed, value);
            } else {
                rest.push((factor, term));
            }
        }
        let one = self.constant_number(1.0);
        if rest.is_empty() {
            return self.number(fixed);
        }
        if !self.graph.is_zero(fixed) {
            let fixed = self.number(fixed);
            rest.push((one, fixed));
        }
        match rest[..] {
            [(factor, term)] => self.product(factor, term),
            _ => self.scalar(ScalarNode::Sum(rest)),
        }
    }

    pub(crate) fn product(&mut self, a: Scalar, b: Scalar) -> Scalar {
        let (zero, one) = (self.constant_number(0.0), self.constant_number(1.0));
        if a == zero || b == one {
            return a;
        }
        if b == zero || a == one {
            return b;
        }
        if let (ScalarNode::Fixed(x), ScalarNode::Fixed(y)) =
            (&self.scalars[a.0], &self.scalars[b.0])
        {
            let product = self.graph.mul(*x, *y);
            return self.number(product);
        }
        self.scalar(ScalarNode::Product(a.min(b), a.max(b)))
    }

    /// The expression of a scalar that does not depend on the configuration.
    fn fixed_value(&self, s: Scalar) -> Option<Id> {
        match self.scalars[s.0] {
            ScalarNode::Fixed(value) => Some(value),
            _ => None,
        }
    }

    pub(crate) fn quotient(&mut self, a: Scalar, b: Scalar) -> Scalar {
        if let (Some(x), Some(y)) = (self.fixed_value(a), self.fixed_value(b)) {
            let quotient = self.graph.div(x, y);
            return self.number(quotient);
        }
        if a == self.constant_number(0.0) || b == self.constant_number(1.0) {
            return a;
        }
        self.scalar(ScalarNode::Quotient(a, b))
    }

    pub(crate) fn call(&mut self, function: Elementary, a: Scalar) -> Scalar {
        if let Some(x) = self.fixed_value(a) {
            let value = self.graph.elementary(function, x);
            return self.number(value);
        }
        self.scalar(ScalarNode::Call(function, a))
    }

    /// `atan2(y, x)`.
    pub(crate) fn atan2(&mut self, y: Scalar, x: Scalar) -> Scalar {
        if let (Some(y), Some(x)) = (self.fixed_value(y), self.fixed_value(x)) {
            let value = self.graph.atan2(y, x);
            return self.number(value);
        }
        self.scalar(ScalarNode::Atan2(y, x))
    }

    /// The angle of a joint from its first frame to its second about z.
    pub(crate) fn angle(&mut self, joint: JointId) -> Scalar {
        self.scalar(ScalarNode::Angle(joint))
    }

    /// A modal coordinate.
    pub(crate) fn mode(&mut self, body: BodyId, component: usize) -> Scalar {
        self.scalar(ScalarNode::Mode(body, component))
    }

    /// The third where the first is smaller than the second, else the fourth.
    pub(crate) fn select(&mut self, parts: [Scalar; 4]) -> Scalar {
        if parts[2] == parts[3] {
            return parts[2];
        }
        if let [Some(a), Some(b), Some(x), Some(y)] = parts.map(|part| self.fixed_value(part)) {
            let value = self.graph.select(a, b, x, y);
            return self.number(value);
        }
        self.scalar(ScalarNode::Select(parts))
    }

    /// The direction of all bodies with an array of velocities.
    pub(crate) fn motion(&mut self, array: &'static str) -> Direction {
        let model = self.model;
        let mut bodies = HashMap::new();
        let mut modes = HashMap::new();
        for id in model.body_ids() {
            let body = model.body(id);
            let g = &mut self.graph;
            let zero = g.zero();
            if let Some(n) = body.modes() {
                let rates = (0..n).map(|i| ((id, i), g.input(array, body.velocity + i)));
                modes.extend(rates);
                continue;
            }
            let mut part = |from: usize| {
                core::array::from_fn(|i| {
                    if from + i < body.group.dof() {
                        g.input(array, body.velocity + from + i)
                    } else {
                        zero
                    }
                })
            };
            let (turn, shift) = match body.group {
                Group::Rn(_) => ([zero; 3], part(0)),
                _ => (part(0), part(3)),
            };
            let (turn, shift) = (self.fixed(turn), self.fixed(shift));
            bodies.insert(id, (turn, shift));
        }
        Direction {
            bodies,
            modes,
            time: false,
        }
    }

    /// The unit directions of a body, each with its column.
    pub(crate) fn basis(&mut self, id: BodyId) -> Vec<(usize, Direction)> {
        self.directions(id, Frame::Group)
    }

    /// The unit directions of a body in a frame, each with its column.
    pub(crate) fn directions(&mut self, id: BodyId, frame: Frame) -> Vec<(usize, Direction)> {
        let body = self.model.body(id);
        if let Some(n) = body.modes() {
            let one = self.graph.one();
            let along = |i| Direction {
                modes: HashMap::from([((id, i), one)]),
                ..Direction::default()
            };
            return (0..n).map(|i| (body.velocity + i, along(i))).collect();
        }
        let turned = frame == Frame::Body && body.group.is_direct();
        (0..body.group.dof())
            .map(|i| {
                let unit =
                    |on: bool| core::array::from_fn(|j| f64::from(u8::from(on && j == i % 3)));
                let turns = body.group.rotates() && i < 3;
                let turn = self.constant(unit(turns));
                let mut shift = self.constant(unit(!turns));
                if turned {
                    shift = self.rotated(Some(id), shift);
                }
                (body.velocity + i, Direction::of_body(id, turn, shift))
            })
            .collect()
    }
}

#[cfg(test)]
mod tests;
