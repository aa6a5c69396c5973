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
//! D angle        = (c Ds - s Dc) / r
//! ```
//!
//! Where the joint holds, the z axes are parallel, `z_a = s z_b` with `s = 1` or `s = -1`, and `x_b`
//! lies in the plane of `x_a` and `y_a`. A relative rotation moves it there about `z_a`, so that
//!
//! ```text
//! angle' = z_a . (w_b - w_a) = s z_b . w_b - z_a . w_a
//! ```
//!
//! with angular velocities `w` in space: the derivative is the row `b = (-z_a, 0, s z_b, 0)` over body
//! twists, which is constant. Rates of angles and efforts use it everywhere. For a displacement `b`
//! is its derivative, whatever `s` is.
//!
//! `s` is the sign of `z_a . z_b` in the configuration at hand. No motion changes it, so a number
//! that is found at construction would do; but the start of a description need not fulfil its joints,
//! as it may be projected later, and then says nothing.
//!
//! The displacement is measured along the z axis of the second frame, like all constraints.
//!
//! The angle is continuous: among all that differ by full turns, the one next to the
//! entry that the configuration holds (see [`Space::with_angles`](crate::lie::Space)).

use super::assembly::Element;
use super::constraint::{Block, Constraint, Pose, Row, lift};
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
        /// z of both frames, in body axes.
        axes: [Vector3<f64>; 2],
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
                axes: [&joint.first, &joint.second].map(|at| Vector3::from(at.axes[2])),
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
                ..
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

    /// The row `b` over body twists that rates and efforts use.
    #[inline]
    pub(super) fn row<R: Real>(&self, relative: &Pose<R>) -> Row<R> {
        match &self.kind {
            Kind::Angle { axes, .. } => {
                let [a, b] = axes.map(|axis| lift::<R>(&axis));
                let opposite = (relative.rotation * a).dot(&b).value() < 0.0;
                let b = if opposite { -b } else { b };
                Row::from_fn(|i, _| match i {
                    0..3 => -a[i],
                    6..9 => b[i - 6],
                    _ => R::from_f64(0.0),
                })
            }
            Kind::Displacement(point) => point.jacobian(relative),
        }
    }

    /// The derivative of the coordinate, a row over body twists.
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
    pub(super) fn row_derivative(&self, relative: &Pose, v: &Row) -> Row {
        match &self.kind {
            Kind::Angle { .. } => Row::zeros(),
            Kind::Displacement(point) => point.jacobian_derivative(relative, v),
        }
    }

    /// Adds `factor D_q(b^T)` to a matrix.
    pub(super) fn add_stiffness(&self, relative: &Pose, factor: f64, out: &mut Block) {
        match &self.kind {
            Kind::Angle { .. } => {}
            Kind::Displacement(point) => point.add_stiffness(relative, factor, out),
        }
    }
}
