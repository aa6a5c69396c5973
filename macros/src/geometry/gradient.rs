//! Gradients of scalars: what the bodies feel of a potential, in one sweep.
//!
//! For a direction that turns the bodies by `w` and shifts them by `W`,
//!
//! ```text
//! ds = sum_b (moment_b . w_b + force_b . W_b)
//! ```
//!
//! Derivatives along unit directions one by one would repeat nearly all of their work; here the
//! adjoint `a` of each vector `v`, with `ds = a . dv`, is passed on to what `v` is made of:
//!
//! ```text
//! v = R u      moment += u x R^T a     a_u = R^T a
//! v = R^T u    moment += a x v         a_u = R a
//! v = x        force  += a  or  R^T a  (direct or semidirect product)
//! v = u x y    a_u = y x a             a_y = a x u
//! ```

use super::{Geometry, Scalar, ScalarNode, Vector, VectorNode};
use crate::model::{BodyId, Group};

/// Moment and force on each body that a scalar depends on.
pub(crate) type Gradient = Vec<(BodyId, [Vector; 2])>;

impl Geometry<'_> {
    /// The gradient of a scalar.
    pub(crate) fn gradient(&mut self, s: Scalar) -> Gradient {
        let mut gradient = Gradient::new();
        let one = self.constant_number(1.0);
        self.pass_scalar(s, one, &mut gradient);
        gradient.sort_by_key(|(body, _)| *body);
        gradient
    }

    fn pass_scalar(&mut self, s: Scalar, adjoint: Scalar, out: &mut Gradient) {
        match self.scalars[s.0].clone() {
            // Gradients are those of joints, which read no modal coordinates.
            ScalarNode::Fixed(_) | ScalarNode::Mode(..) => {}
            ScalarNode::Dot(a, b) => {
                let (of_a, of_b) = (self.scale(adjoint, b), self.scale(adjoint, a));
                self.pass_vector(a, of_a, out);
                self.pass_vector(b, of_b, out);
            }
            ScalarNode::Sum(terms) => {
                for (a, b) in terms {
                    self.pass_product(a, b, adjoint, out);
                }
            }
            ScalarNode::Product(a, b) => self.pass_product(a, b, adjoint, out),
            ScalarNode::Quotient(a, b) => {
                let of_a = self.quotient(adjoint, b);
                let minus = self.constant_number(-1.0);
                let of_b = self.product(of_a, s);
                let of_b = self.product(minus, of_b);
                self.pass_scalar(a, of_a, out);
                self.pass_scalar(b, of_b, out);
            }
            ScalarNode::Call(function, a) => {
                let slope = self.slope(function, s, a);
                let of_a = self.product(adjoint, slope);
                self.pass_scalar(a, of_a, out);
            }
            ScalarNode::Atan2(y, x) => self.pass_turn(y, x, adjoint, out),
            ScalarNode::Angle(joint) => {
                let joint = self.model.joint(joint);
                let (sine, cosine) = self.sine_and_cosine(joint);
                self.pass_turn(sine, cosine, adjoint, out);
            }
            ScalarNode::Select([left, right, a, b]) => {
                let zero = self.constant_number(0.0);
                let of_a = self.select([left, right, adjoint, zero]);
                let of_b = self.select([left, right, zero, adjoint]);
                self.pass_scalar(a, of_a, out);
                self.pass_scalar(b, of_b, out);
            }
        }
    }

    fn pass_product(&mut self, a: Scalar, b: Scalar, adjoint: Scalar, out: &mut Gradient) {
        let (of_a, of_b) = (self.product(adjoint, b), self.product(adjoint, a));
        self.pass_scalar(a, of_a, out);
        self.pass_scalar(b, of_b, out);
    }

    /// `d atan2(y, x) = (x dy - y dx) / (x^2 + y^2)`.
    fn pass_turn(&mut self, y: Scalar, x: Scalar, adjoint: Scalar, out: &mut Gradient) {
        let square = self.sum(vec![(x, x), (y, y)]);
        let weight = self.quotient(adjoint, square);
        let minus = self.constant_number(-1.0);
        let (of_y, of_x) = (self.product(weight, x), self.product(weight, y));
        let of_x = self.product(minus, of_x);
        self.pass_scalar(y, of_y, out);
        self.pass_scalar(x, of_x, out);
    }

    fn pass_vector(&mut self, v: Vector, adjoint: Vector, out: &mut Gradient) {
        match self.vectors[v.0].clone() {
            VectorNode::Fixed(_) => {}
            VectorNode::Position(body) => {
                let force = match self.model.body(body).group {
                    Group::So3 | Group::S3 => return,
                    group if group.is_semidirect() => self.rotated_back(Some(body), adjoint),
                    _ => adjoint,
                };
                self.collect(body, 1, force, out);
            }
            VectorNode::Rotated(body, u) => {
                let adjoint = self.rotated_back(Some(body), adjoint);
                let moment = self.cross(u, adjoint);
                self.collect(body, 0, moment, out);
                self.pass_vector(u, adjoint, out);
            }
            VectorNode::RotatedBack(body, u) => {
                let moment = self.cross(adjoint, v);
                self.collect(body, 0, moment, out);
                let adjoint = self.rotated(Some(body), adjoint);
                self.pass_vector(u, adjoint, out);
            }
            VectorNode::Sum(terms) => {
                for (factor, term) in terms {
                    let of_factor = self.dot(adjoint, term);
                    self.pass_scalar(factor, of_factor, out);
                    let of_term = self.scale(factor, adjoint);
                    self.pass_vector(term, of_term, out);
                }
            }
            VectorNode::Cross(u, y) => {
                let (of_u, of_y) = (self.cross(y, adjoint), self.cross(adjoint, u));
                self.pass_vector(u, of_u, out);
                self.pass_vector(y, of_y, out);
            }
        }
    }

    fn collect(&mut self, body: BodyId, part: usize, more: Vector, out: &mut Gradient) {
        let known = out.iter().position(|(known, _)| *known == body);
        let place = known.unwrap_or_else(|| {
            let zero = self.zero();
            out.push((body, [zero, zero]));
            out.len() - 1
        });
        out[place].1[part] = self.add(out[place].1[part], more);
    }
}
