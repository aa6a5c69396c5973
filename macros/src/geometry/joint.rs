//! Points, axes and coordinates of joints.
//!
//! With points `p`, axes `x, y, z` of the first frame `a` and the second frame `b`, in space:
//!
//! ```text
//! cos(angle) = x_a . x_b      sin(angle) = y_a . x_b      displacement = z_b . (p_b - p_a)
//! ```

use super::{Direction, Geometry, Scalar, Vector};
use crate::model::{Attachment, Joint};

impl Geometry<'_> {
    /// A point of a body in the inertial frame.
    pub(crate) fn point_of(&mut self, at: &Attachment) -> Vector {
        let point = self.fixed_formulas(&at.point);
        let arm = self.rotated(at.body, point);
        let origin = self.position(at.body);
        self.add(origin, arm)
    }

    /// An axis of a frame in the inertial frame.
    pub(crate) fn axis_of(&mut self, at: &Attachment, axis: usize) -> Vector {
        let axis = self.constant(at.axes[axis]);
        self.rotated(at.body, axis)
    }

    /// `R_b^T (x_a + R_a p_a - x_b) - p_b`, in coordinates of the second body.
    pub(crate) fn gap(&mut self, first: &Attachment, second: &Attachment) -> Vector {
        let point = self.point_of(first);
        let origin = self.position(second.body);
        let apart = self.sub(point, origin);
        let seen = self.rotated_back(second.body, apart);
        let hook = self.fixed_formulas(&second.point);
        self.sub(seen, hook)
    }

    /// `x_a + R_a p_a - x_b - R_b p_b`.
    pub(crate) fn inertial_gap(&mut self, first: &Attachment, second: &Attachment) -> Vector {
        let (point, hook) = (self.point_of(first), self.point_of(second));
        self.sub(point, hook)
    }

    /// An axis of the first frame in coordinates of the second body.
    pub(crate) fn axis_in_second(
        &mut self,
        first: &Attachment,
        axis: usize,
        second: &Attachment,
    ) -> Vector {
        let axis = self.constant(first.axes[axis]);
        self.seen_in_second(axis, first, second)
    }

    /// A vector that is fixed in the first body, in coordinates of the second.
    pub(crate) fn seen_in_second(
        &mut self,
        vector: Vector,
        first: &Attachment,
        second: &Attachment,
    ) -> Vector {
        let outside = self.rotated(first.body, vector);
        self.rotated_back(second.body, outside)
    }

    /// `(sin, cos)` of the angle from the first frame to the second about z.
    pub(crate) fn sine_and_cosine(&mut self, joint: &Joint) -> (Scalar, Scalar) {
        let x = self.axis_of(&joint.second, 0);
        let (x_first, y_first) = (self.axis_of(&joint.first, 0), self.axis_of(&joint.first, 1));
        (self.dot(y_first, x), self.dot(x_first, x))
    }

    /// `z_b . w_b - z_a . w_a` with the turns of a direction in body axes: the rate of the angle
    /// where the joint holds. Efforts work along it.
    pub(crate) fn rate_about_axis(&mut self, joint: &Joint, along: &Direction) -> Scalar {
        let mut terms = Vec::new();
        for (at, sign) in [(&joint.second, 1.0), (&joint.first, -1.0)] {
            if let Some((turn, _)) = at.body.and_then(|body| along.bodies.get(&body).copied()) {
                let (sign, axis) = (self.constant_number(sign), self.constant(at.axes[2]));
                terms.push((sign, self.dot(axis, turn)));
            }
        }
        self.sum(terms)
    }

    /// Along the z axis of the second frame, like all constraints.
    pub(crate) fn displacement(&mut self, joint: &Joint) -> Scalar {
        let gap = self.gap(&joint.first, &joint.second);
        let axis = self.constant(joint.second.axes[2].map(|x| -x));
        self.dot(axis, gap)
    }
}
