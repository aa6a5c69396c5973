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

use std::collections::HashMap;

use crate::expr::{Graph, Id};
use crate::model::{BodyId, Group, Model};

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
}

/// A direction of motion: body twists or inertial velocities, as the group has them.
pub(crate) type Direction = HashMap<BodyId, (Vector, Vector)>;

/// All vectors and scalars of a model.
#[derive(Debug)]
pub(crate) struct Geometry<'m> {
    pub(crate) graph: Graph,
    model: &'m Model,
    vectors: Vec<VectorNode>,
    vector_ids: HashMap<VectorNode, Vector>,
    scalars: Vec<ScalarNode>,
    scalar_ids: HashMap<ScalarNode, Scalar>,
    lowered_vectors: HashMap<Vector, [Id; 3]>,
    lowered_scalars: HashMap<Scalar, Id>,
    rotations: HashMap<BodyId, [[Id; 3]; 3]>,
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
        self.vector(VectorNode::Fixed(components))
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

    /// Derivative of a vector along a direction.
    pub(crate) fn vector_derivative(&mut self, v: Vector, along: &Direction) -> Vector {
        match self.vectors[v.0].clone() {
            VectorNode::Fixed(_) => self.zero(),
            VectorNode::Position(body) => {
                let Some((_, shift)) = along.get(&body).copied() else {
                    return self.zero();
                };
                match self.model.body(body).group {
                    Group::So3 | Group::S3 => self.zero(),
                    group if group.is_semidirect() => self.rotated(Some(body), shift),
                    _ => shift,
                }
            }
            VectorNode::Rotated(body, a) => {
                let mut change = self.vector_derivative(a, along);
                if let Some((turn, _)) = along.get(&body).copied() {
                    let swing = self.cross(turn, a);
                    change = self.add(swing, change);
                }
                self.rotated(Some(body), change)
            }
            VectorNode::RotatedBack(body, a) => {
                let change = self.vector_derivative(a, along);
                let change = self.rotated_back(Some(body), change);
                if let Some((turn, _)) = along.get(&body).copied() {
                    let swing = self.cross(v, turn);
                    return self.add(swing, change);
                }
                change
            }
            VectorNode::Sum(terms) => {
                let mut changes = Vec::new();
                for (factor, term) in terms {
                    let slope = self.scalar_derivative(factor, along);
                    let change = self.vector_derivative(term, along);
                    changes.push((slope, term));
                    changes.push((factor, change));
                }
                self.combination(changes)
            }
            VectorNode::Cross(a, b) => {
                let (da, db) = (
                    self.vector_derivative(a, along),
                    self.vector_derivative(b, along),
                );
                let (x, y) = (self.cross(da, b), self.cross(a, db));
                self.add(x, y)
            }
        }
    }

    /// Derivative of a scalar along a direction.
    pub(crate) fn scalar_derivative(&mut self, s: Scalar, along: &Direction) -> Scalar {
        let one = self.constant_number(1.0);
        match self.scalars[s.0].clone() {
            ScalarNode::Fixed(_) => self.constant_number(0.0),
            ScalarNode::Dot(a, b) => {
                let (da, db) = (
                    self.vector_derivative(a, along),
                    self.vector_derivative(b, along),
                );
                let (x, y) = (self.dot(da, b), self.dot(a, db));
                self.sum(vec![(one, x), (one, y)])
            }
            ScalarNode::Sum(terms) => {
                let mut changes = Vec::new();
                for (factor, term) in terms {
                    let slope = self.scalar_derivative(factor, along);
                    let change = self.scalar_derivative(term, along);
                    changes.push((slope, term));
                    changes.push((factor, change));
                }
                self.sum(changes)
            }
            ScalarNode::Product(a, b) => {
                let (da, db) = (
                    self.scalar_derivative(a, along),
                    self.scalar_derivative(b, along),
                );
                self.sum(vec![(da, b), (a, db)])
            }
        }
    }

    /// Rotation matrix of a body by rows, of its configuration `q`.
    pub(crate) fn rotation(&mut self, body: BodyId) -> [[Id; 3]; 3] {
        if let Some(rotation) = self.rotations.get(&body) {
            return *rotation;
        }
        let start = self.model.body(body).config;
        let g = &mut self.graph;
        let rotation = if self.model.body(body).group.has_matrix() {
            core::array::from_fn(|i| core::array::from_fn(|j| g.input("q", start + 3 * i + j)))
        } else {
            let [w, x, y, z] = core::array::from_fn(|i| g.input("q", start + i));
            quaternion_matrix(g, w, [x, y, z])
        };
        self.rotations.insert(body, rotation);
        rotation
    }

    /// Scalar expressions of the components.
    pub(crate) fn lower(&mut self, v: Vector) -> [Id; 3] {
        if let Some(lowered) = self.lowered_vectors.get(&v) {
            return *lowered;
        }
        let lowered = match self.vectors[v.0].clone() {
            VectorNode::Fixed(components) => components,
            VectorNode::Position(body) => self.lower_position(body),
            VectorNode::Rotated(body, a) => {
                let (rotation, a) = (self.rotation(body), self.lower(a));
                rotation.map(|row| self.graph.dot(&row, &a))
            }
            VectorNode::RotatedBack(body, a) => {
                let (rotation, a) = (self.rotation(body), self.lower(a));
                core::array::from_fn(|j| {
                    let column = rotation.map(|row| row[j]);
                    self.graph.dot(&column, &a)
                })
            }
            VectorNode::Sum(terms) => {
                let zero = self.graph.zero();
                let mut sum = [zero; 3];
                for (factor, term) in terms {
                    let (factor, term) = (self.lower_scalar(factor), self.lower(term));
                    let term = self.graph.scale3(factor, term);
                    sum = self.graph.add3(sum, term);
                }
                sum
            }
            VectorNode::Cross(a, b) => {
                let (a, b) = (self.lower(a), self.lower(b));
                self.graph.cross(a, b)
            }
        };
        self.lowered_vectors.insert(v, lowered);
        lowered
    }

    fn lower_position(&mut self, body: BodyId) -> [Id; 3] {
        let body = self.model.body(body);
        let zero = self.graph.zero();
        match body.group {
            Group::So3 | Group::S3 => {
                let place = |i: usize| body.start.position.get(i).copied().unwrap_or(0.0);
                core::array::from_fn(|i| self.graph.constant(place(i)))
            }
            Group::Rn(n) => core::array::from_fn(|i| {
                if i < n {
                    self.graph.input("q", body.config + i)
                } else {
                    zero
                }
            }),
            group => {
                let place = body.config + group.config_len() - 3;
                core::array::from_fn(|i| self.graph.input("q", place + i))
            }
        }
    }

    /// The scalar expression.
    pub(crate) fn lower_scalar(&mut self, s: Scalar) -> Id {
        if let Some(lowered) = self.lowered_scalars.get(&s) {
            return *lowered;
        }
        let lowered = match self.scalars[s.0].clone() {
            ScalarNode::Fixed(value) => value,
            ScalarNode::Dot(a, b) => {
                let (a, b) = (self.lower(a), self.lower(b));
                self.graph.dot(&a, &b)
            }
            ScalarNode::Sum(terms) => {
                let mut sum = self.graph.zero();
                for (factor, term) in terms {
                    let (factor, term) = (self.lower_scalar(factor), self.lower_scalar(term));
                    let product = self.graph.mul(factor, term);
                    sum = self.graph.add(sum, product);
                }
                sum
            }
            ScalarNode::Product(a, b) => {
                let (a, b) = (self.lower_scalar(a), self.lower_scalar(b));
                self.graph.mul(a, b)
            }
        };
        self.lowered_scalars.insert(s, lowered);
        lowered
    }
}

/// `I + 2 w r~ + 2 r~^2`.
fn quaternion_matrix(g: &mut Graph, w: Id, r: [Id; 3]) -> [[Id; 3]; 3] {
    let two = g.constant(2.0);
    let one = g.one();
    let double = r.map(|x| g.mul(two, x));
    core::array::from_fn(|i| {
        core::array::from_fn(|j| {
            if i == j {
                // 1 - 2 (r_k^2 + r_l^2)
                let (k, l) = ((i + 1) % 3, (i + 2) % 3);
                let (a, b) = (g.mul(double[k], r[k]), g.mul(double[l], r[l]));
                let sum = g.add(a, b);
                g.sub(one, sum)
            } else {
                // 2 r_i r_j +- 2 w r_k, plus where (k, i, j) is not cyclic
                let k = 3 - i - j;
                let (product, turn) = (g.mul(double[i], r[j]), g.mul(double[k], w));
                if (i + 1) % 3 == j {
                    g.sub(product, turn)
                } else {
                    g.add(product, turn)
                }
            }
        })
    })
}
