//! Vectors and scalars as scalar expressions of the components of the configuration.

use super::{Geometry, Scalar, ScalarNode, Vector, VectorNode};
use crate::expr::{Graph, Id};
use crate::model::{BodyId, Group, JointId};

impl Geometry<'_> {
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
                let place = body.start.position.clone();
                core::array::from_fn(|i| {
                    let place = self.formula(&place[i]);
                    self.lower_scalar(place)
                })
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
            ScalarNode::Quotient(a, b) => {
                let (a, b) = (self.lower_scalar(a), self.lower_scalar(b));
                self.graph.div(a, b)
            }
            ScalarNode::Call(function, a) => {
                let a = self.lower_scalar(a);
                self.graph.elementary(function, a)
            }
            ScalarNode::Atan2(y, x) => {
                let (y, x) = (self.lower_scalar(y), self.lower_scalar(x));
                self.graph.atan2(y, x)
            }
            ScalarNode::Angle(joint) => match self.model.joint(joint).angle {
                Some(place) => self.graph.input("q", place),
                None => self.principal_angle(joint),
            },
            ScalarNode::Mode(body, component) => {
                let place = self.model.body(body).config + component;
                self.graph.input("q", place)
            }
            ScalarNode::Select(parts) => {
                let [a, b, x, y] = parts.map(|part| self.lower_scalar(part));
                self.graph.select(a, b, x, y)
            }
        };
        self.lowered_scalars.insert(s, lowered);
        lowered
    }

    /// The angle of a joint between minus and plus half a turn.
    fn principal_angle(&mut self, joint: JointId) -> Id {
        let (sine, cosine) = self.sine_and_cosine(self.model.joint(joint));
        let (sine, cosine) = (self.lower_scalar(sine), self.lower_scalar(cosine));
        self.graph.atan2(sine, cosine)
    }

    /// The continuous angle of a joint next to the one in the configuration, which is the
    /// angle of the configuration before.
    pub(crate) fn followed_angle(&mut self, joint: JointId, place: usize) -> Id {
        let angle = self.principal_angle(joint);
        let near = self.graph.input("q", place);
        self.graph.nearest(angle, near)
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
