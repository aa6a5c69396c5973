//! Coordinates of joints: the angle about z and the displacement along z of the
//! second frame relative to the first.
//!
//! With the axes of the attachments in space,
//!
//! ```text
//! angle:         c = x_a . x_b,  s = y_a . x_b,  angle = atan2(s, c)
//! displacement:  z_b . (P_b - P_a)
//! ```
//!
//! `c`, `s` and the displacement are [scalar constraints](super::constraint) without the
//! demand that they vanish, so their rows and derivatives are known. With `r = c^2 + s^2`,
//!
//! ```text
//! D angle        = (c Ds - s Dc) / r  =: b
//! D_q(b v)       = (Dc s' + c D_q s' - Ds c' - s D_q c') / r - (b v) Dr / r
//! D_q(b^T)       = (Ds^T Dc + c D_q(Ds^T) - Dc^T Ds - s D_q(Dc^T)) / r - b^T Dr / r
//! Dr             = 2 (c Dc + s Ds)
//! ```
//!
//! The z axes of both frames coincide where the joint holds; the displacement is measured
//! along that of the second, like all constraints.
//!
//! The angle is continuous: among all that differ by full turns, the one next to the
//! entry that the configuration holds (see [`Space::with_angles`](crate::lie::Space)).

use super::assembly::Element;
use super::constraint::{Block, Constraint, Pose, Row};
use super::description::Joint;
use crate::joints::nearest;
use crate::real::Real;
use nalgebra::Vector3;

/// A coordinate of a joint.
#[derive(Clone, Debug)]
pub(super) struct Coordinate {
    /// Place of the joint in the description.
    pub(super) joint: usize,
    pub(super) element: Element,
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    Angle {
        sine: Constraint,
        cosine: Constraint,
        /// Which of the continuous angles of a configuration, if one.
        entry: Option<usize>,
    },
    Displacement(Constraint),
}

impl Coordinate {
    pub(super) fn angle(index: usize, element: Element, joint: &Joint) -> Self {
        let axes = |i: usize| Constraint::Axes {
            axis_a: Vector3::from(joint.first.axes[i]),
            axis_b: Vector3::from(joint.second.axes[0]),
        };
        Self {
            joint: index,
            element,
            kind: Kind::Angle {
                sine: axes(1),
                cosine: axes(0),
                entry: None,
            },
        }
    }

    pub(super) fn displacement(index: usize, element: Element, joint: &Joint) -> Self {
        Self {
            joint: index,
            element,
            kind: Kind::Displacement(Constraint::Point {
                point_a: Vector3::from(joint.first.point),
                point_b: Vector3::from(joint.second.point),
                normal: -Vector3::from(joint.second.axes[2]),
            }),
        }
    }

    pub(super) fn is_angle(&self) -> bool {
        matches!(self.kind, Kind::Angle { .. })
    }

    /// Says which of the continuous angles of a configuration this is.
    pub(super) fn set_entry(&mut self, place: usize) {
        if let Kind::Angle { entry, .. } = &mut self.kind {
            *entry = Some(place);
        }
    }

    /// The coordinate; an angle next to its entry in `turns`.
    #[inline]
    pub(super) fn value<R: Real>(&self, relative: &Pose<R>, turns: &[f64]) -> R {
        match &self.kind {
            Kind::Angle {
                sine,
                cosine,
                entry,
            } => {
                let angle = sine.value(relative).atan2(cosine.value(relative));
                match entry.and_then(|i| turns.get(i)) {
                    Some(&turn) => angle + (nearest(angle.value(), turn) - angle.value()),
                    None => angle,
                }
            }
            Kind::Displacement(point) => point.value(relative),
        }
    }

    /// The row `b` over body twists with `b v` the rate.
    #[inline]
    pub(super) fn gradient<R: Real>(&self, relative: &Pose<R>) -> Row<R> {
        match &self.kind {
            Kind::Angle { sine, cosine, .. } => {
                let (s, c) = (sine.value(relative), cosine.value(relative));
                let r = c * c + s * s;
                sine.jacobian(relative) * (c / r) - cosine.jacobian(relative) * (s / r)
            }
            Kind::Displacement(point) => point.jacobian(relative),
        }
    }

    /// The row `D_q(b v)` at fixed body twists.
    pub(super) fn gradient_derivative(&self, relative: &Pose, v: &Row) -> Row {
        match &self.kind {
            Kind::Angle { sine, cosine, .. } => {
                let (s, c) = (sine.value(relative), cosine.value(relative));
                let (ds, dc) = (sine.jacobian(relative), cosine.jacobian(relative));
                let r = c * c + s * s;
                let dr = (dc * c + ds * s) * 2.0;
                let (s_rate, c_rate) = (ds.dot(v), dc.dot(v));
                let rate = (c * s_rate - s * c_rate) / r;
                (dc * s_rate + sine.jacobian_derivative(relative, v) * c
                    - ds * c_rate
                    - cosine.jacobian_derivative(relative, v) * s
                    - dr * rate)
                    / r
            }
            Kind::Displacement(point) => point.jacobian_derivative(relative, v),
        }
    }

    /// Adds `factor D_q(b^T)` to a matrix.
    pub(super) fn add_stiffness(&self, relative: &Pose, factor: f64, out: &mut Block) {
        match &self.kind {
            Kind::Angle { sine, cosine, .. } => {
                let (s, c) = (sine.value(relative), cosine.value(relative));
                let (ds, dc) = (sine.jacobian(relative), cosine.jacobian(relative));
                let r = c * c + s * s;
                let dr = (dc * c + ds * s) * 2.0;
                let b = (ds * c - dc * s) / r;
                let factor = factor / r;
                sine.add_stiffness(relative, factor * c, out);
                cosine.add_stiffness(relative, -factor * s, out);
                *out += (ds * dc.transpose() - dc * ds.transpose() - b * dr.transpose()) * factor;
            }
            Kind::Displacement(point) => point.add_stiffness(relative, factor, out),
        }
    }
}
