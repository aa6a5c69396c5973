//! Joints of a state in words: coordinates with their rates, and reactions.
//!
//! All follows from where the two frames of a joint are in space, with their points `P_a`,
//! `P_b` and axes `x_a, y_a, z_a, x_b, y_b, z_b`, and from the multipliers of the joint.
//!
//! Coordinates, of the second frame relative to the first:
//!
//! ```text
//! angle         atan2(y_a . x_b, x_a . x_b)       displacement   z_b . (P_b - P_a)
//! ```
//!
//! Reactions: a multiplier `lambda` exerts on the second body (see the
//! [conventions](crate::conventions))
//!
//! ```text
//! position along n     the force lambda n, at the place of P_a
//! inertial position    the force lambda (all three components), at P_b
//! axes alpha, beta     the torque lambda alpha x beta
//! distance             the force lambda d / L at P_a, d = P_a - P_b
//! driven angle         as axes, alpha = y_a cos f - x_a sin f, beta = x_b
//! driven displacement  as position, n = -z_b
//! driven distance      as distance, L = f(t)
//! ```
//!
//! and the opposite on the first, an inertial position at `P_a`. The sum is given at `P_b`. For
//! a driver, minus the multiplier is its effort.

mod name;

pub use name::{Joint, JointName};

use std::ops::Range;

use nalgebra::{Matrix3, Vector3};

use crate::error::Fault;
use crate::generic::description::{JointKind, Motion, PositionAxes};
use crate::least_norm::LeastNorm;
use crate::state::State;
use crate::system::System;

/// A joint as outputs need it.
#[derive(Clone, Debug, PartialEq)]
pub struct JointFrame {
    /// Its name.
    pub name: String,
    /// Which motion it leaves or drives.
    pub kind: JointKind,
    /// The axes in which it measures positions.
    pub positions: PositionAxes,
    /// Where it holds the first body.
    pub first: Place,
    /// Where it holds the second body.
    pub second: Place,
    /// Its multipliers.
    pub rows: Range<usize>,
    /// Where a configuration holds its continuous angle, if it does.
    pub angle: Option<usize>,
}

/// A frame fixed to a body or to the ground.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// Place of the body in the system; nothing for the ground.
    pub body: Option<usize>,
    /// Origin of the frame in body coordinates.
    pub point: [f64; 3],
    /// Axes x, y, z of the frame in body coordinates, one per row.
    pub axes: [[f64; 3]; 3],
}

/// A frame turned back about its z axis, so that angles from it are larger by `angle`.
#[must_use]
pub fn turned_back([x, y, z]: [[f64; 3]; 3], angle: f64) -> [[f64; 3]; 3] {
    let (sin, cos) = angle.sin_cos();
    [
        core::array::from_fn(|i| cos * x[i] - sin * y[i]),
        core::array::from_fn(|i| sin * x[i] + cos * y[i]),
        z,
    ]
}

/// The angle that differs from `angle` by full turns and is next to `reference`.
#[inline]
pub fn nearest(angle: f64, reference: f64) -> f64 {
    let turn = core::f64::consts::TAU;
    angle + turn * ((reference - angle) / turn).round()
}

/// A force and a torque.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Wrench {
    /// The force.
    pub force: [f64; 3],
    /// The torque about the point where it is given.
    pub torque: [f64; 3],
}

/// A frame in space.
#[derive(Clone, Copy, Debug)]
struct Side {
    point: Vector3<f64>,
    /// Axes as columns.
    axes: Matrix3<f64>,
    velocity: Vector3<f64>,
    angular_velocity: Vector3<f64>,
}

impl Side {
    fn new<S: System + ?Sized>(system: &S, state: &State<S>, place: &Place) -> Self {
        let axes = Matrix3::from_fn(|i, j| place.axes[j][i]);
        let point = Vector3::from(place.point);
        let Some(body) = place.body else {
            return Self {
                point,
                axes,
                velocity: Vector3::zeros(),
                angular_velocity: Vector3::zeros(),
            };
        };
        let view = state.body(system, body);
        let rows = view.rotation_matrix();
        let rotation = Matrix3::from_fn(|i, j| rows[i][j]);
        let arm = rotation * point;
        let angular_velocity = rotation * Vector3::from(view.angular_velocity());
        Self {
            point: Vector3::from(view.position()) + arm,
            axes: rotation * axes,
            velocity: Vector3::from(view.velocity()) + angular_velocity.cross(&arm),
            angular_velocity,
        }
    }

    fn axis(&self, i: usize) -> Vector3<f64> {
        self.axes.column(i).into_owned()
    }

    fn axis_rate(&self, i: usize) -> Vector3<f64> {
        self.angular_velocity.cross(&self.axis(i))
    }
}

/// One joint of a state.
#[derive(Debug)]
pub struct JointView<'a, S: System + ?Sized> {
    system: &'a S,
    state: &'a State<S>,
    frame: &'a JointFrame,
    first: Side,
    second: Side,
}

impl<'a, S: System + ?Sized> JointView<'a, S> {
    /// The joint of this name; nothing if the system has none.
    pub fn new(system: &'a S, state: &'a State<S>, name: &str) -> Option<Self> {
        let frame = system.joints().iter().find(|joint| joint.name == name)?;
        Some(Self::of(system, state, frame))
    }

    /// A joint by its data.
    pub fn of(system: &'a S, state: &'a State<S>, frame: &'a JointFrame) -> Self {
        Self {
            system,
            state,
            frame,
            first: Side::new(system, state, &frame.first),
            second: Side::new(system, state, &frame.second),
        }
    }

    /// Its data.
    pub fn frame(&self) -> &'a JointFrame {
        self.frame
    }

    /// The point of the first body in the inertial frame.
    pub fn first_point(&self) -> [f64; 3] {
        self.first.point.into()
    }

    /// The point of the second body in the inertial frame.
    pub fn second_point(&self) -> [f64; 3] {
        self.second.point.into()
    }

    /// Distance of the two points.
    pub fn distance(&self) -> f64 {
        (self.first.point - self.second.point).norm()
    }

    /// `z_a . z_b`: where the joint holds both on one line, `1` or `-1`.
    pub(crate) fn cosine_of_axes(&self) -> f64 {
        self.first.axis(2).dot(&self.second.axis(2))
    }

    fn driven(&self, motion: Motion) -> bool {
        matches!(self.frame.kind, JointKind::Driver { motion: driven, .. } if driven == motion)
    }

    /// Sine and cosine of the angle, and its rate.
    fn turn(&self) -> ([f64; 2], f64) {
        let (x_b, x_rate) = (self.second.axis(0), self.second.axis_rate(0));
        let [(c, c_rate), (s, s_rate)] = [0, 1].map(|i| {
            let (axis, rate) = (self.first.axis(i), self.first.axis_rate(i));
            (axis.dot(&x_b), rate.dot(&x_b) + axis.dot(&x_rate))
        });
        ([s, c], (c * s_rate - s * c_rate) / (c * c + s * s))
    }

    /// Angle about z of revolute, cylindrical and angle-driven joints: continuous where the
    /// configuration holds it, otherwise in `(-pi, pi]` (see [`JointTracker`]).
    pub fn angle(&self) -> Option<f64> {
        if !self.frame.kind.has_angle() && !self.driven(Motion::Angle) {
            return None;
        }
        let ([s, c], _) = self.turn();
        let angle = s.atan2(c);
        let entry = self.frame.angle.and_then(|i| self.state.q.as_ref().get(i));
        Some(entry.map_or(angle, |&entry| nearest(angle, entry)))
    }

    /// Rate of the angle.
    pub fn angle_rate(&self) -> Option<f64> {
        self.angle().map(|_| self.turn().1)
    }

    /// Displacement along z of prismatic, cylindrical and displacement-driven joints.
    pub fn displacement(&self) -> Option<f64> {
        if !self.frame.kind.has_displacement() && !self.driven(Motion::Displacement) {
            return None;
        }
        let gap = self.second.point - self.first.point;
        Some(self.second.axis(2).dot(&gap))
    }

    /// Rate of the displacement.
    pub fn displacement_rate(&self) -> Option<f64> {
        self.displacement().map(|_| {
            let gap = self.second.point - self.first.point;
            let rate = self.second.velocity - self.first.velocity;
            self.second.axis_rate(2).dot(&gap) + self.second.axis(2).dot(&rate)
        })
    }

    /// From where forces act on the second body to its point. Positions along axes of the
    /// second frame are those of the point of the first body.
    fn arm(&self) -> Vector3<f64> {
        match self.frame.positions {
            PositionAxes::Second => self.first.point - self.second.point,
            PositionAxes::Inertial => Vector3::zeros(),
        }
    }

    /// Force and torque that the joint exerts on the second body, at the point of the second
    /// body, in inertial axes. The multipliers of the state say how large they are.
    pub fn reaction(&self) -> Wrench {
        let lambda = &self.state.lambda.as_ref()[self.frame.rows.clone()];
        let gap = self.first.point - self.second.point;
        let (mut force, mut torque) = (Vector3::zeros(), Vector3::zeros());
        match &self.frame.kind {
            JointKind::Distance { length } => force += gap * (lambda[0] / length),
            JointKind::Driver { motion, value } => {
                let f = value.at_time(self.state.t).unwrap_or(f64::NAN);
                match motion {
                    Motion::Angle => {
                        let [x, y] = [0, 1].map(|i| self.first.axis(i));
                        let alpha = y * f.cos() - x * f.sin();
                        torque += alpha.cross(&self.second.axis(0)) * lambda[0];
                    }
                    Motion::Displacement => force -= self.second.axis(2) * lambda[0],
                    Motion::Distance => force += gap * (lambda[0] / f),
                }
            }
            kind => {
                let (positions, axes) = kind.held();
                let (forces, torques) = lambda.split_at(positions.len());
                for (&i, lambda) in positions.iter().zip(forces) {
                    match self.frame.positions {
                        PositionAxes::Second => force += self.second.axis(i) * *lambda,
                        PositionAxes::Inertial => force[i] += lambda,
                    }
                }
                for (&(i, j), lambda) in axes.iter().zip(torques) {
                    torque += self.first.axis(i).cross(&self.second.axis(j)) * *lambda;
                }
            }
        }
        torque += self.arm().cross(&force);
        Wrench {
            force: force.into(),
            torque: torque.into(),
        }
    }

    /// What the joint exerts on the first body, at the point of the first body, in inertial
    /// axes.
    pub fn reaction_on_first(&self) -> Wrench {
        let Wrench { force, torque } = self.reaction();
        let (force, torque) = (Vector3::from(force), Vector3::from(torque));
        Wrench {
            force: (-force).into(),
            torque: (self.arm().cross(&force) - torque).into(),
        }
    }

    /// The [reaction](Self::reaction) in the axes of the joint, those of its second frame.
    pub fn reaction_in_joint_axes(&self) -> Wrench {
        let Wrench { force, torque } = self.reaction();
        let turn = |x: [f64; 3]| self.second.axes.tr_mul(&Vector3::from(x)).into();
        Wrench {
            force: turn(force),
            torque: turn(torque),
        }
    }

    /// Whether the motion determines the reaction. It does unless constraints are redundant:
    /// then multipliers with a part in the left null space of `B` are a choice, that of the
    /// smallest norm.
    ///
    /// # Errors
    /// If the model cannot be evaluated.
    pub fn reaction_is_unique(&self) -> Result<bool, Fault> {
        let unique = unique_multipliers(self.system, self.state)?;
        Ok(unique[self.frame.rows.clone()].iter().all(|x| *x))
    }
}

/// Parts of unit null vectors below this are rounding.
const NULL_TOLERANCE: f64 = 1e-6;

/// Which multipliers the motion determines: those without a part in the left null space of
/// `B`, found by the rank of `B M^-1 B^T` as the solvers do (see [`least_norm`](crate::least_norm)).
///
/// # Errors
/// If the model cannot be evaluated.
pub fn unique_multipliers<S: System + ?Sized>(
    system: &S,
    state: &State<S>,
) -> Result<Vec<bool>, Fault> {
    let n = system.constraint_count();
    let mut geometry = system.new_geometry();
    system.geometry(state.t, &state.q, &mut geometry)?;
    let mut matrix = vec![0.0; n * n];
    let mut unit = system.new_multiplier();
    let mut out = system.new_multiplier();
    let (mut force, mut motion) = (system.new_velocity(), system.new_velocity());
    for j in 0..n {
        unit.as_mut().fill(0.0);
        unit.as_mut()[j] = 1.0;
        system.jacobian_transpose_times(&geometry, &unit, &mut force);
        system.mass_solve(&force, &mut motion);
        system.jacobian_times(&geometry, &motion, &mut out);
        for (i, x) in out.as_ref().iter().enumerate() {
            matrix[i * n + j] = *x;
        }
    }
    let mut solver = LeastNorm::new(n);
    if let Err(fault) = solver.factor(&mut matrix) {
        let quantity = format!(
            "the matrix B M^-1 B^T at {}",
            system.constraint_name(fault.column)
        );
        return Err(Fault::NotFinite { quantity });
    }
    let mut unique = vec![true; n];
    for null in solver.null_space() {
        for (unique, part) in unique.iter_mut().zip(null) {
            *unique &= part.abs() <= NULL_TOLERANCE;
        }
    }
    Ok(unique)
}

/// Follows the angles of all joints over a run, also of those that no force reads.
///
/// Feed it every accepted step, for example from an observer. From one step to the next a
/// joint may turn by less than half a turn more or less than its rates say.
#[derive(Clone, Debug)]
pub struct JointTracker {
    t: f64,
    /// Angle and rate of each joint; nothing where a joint has none.
    angles: Vec<Option<[f64; 2]>>,
}

impl JointTracker {
    /// Starts with the angles of a state.
    pub fn new<S: System + ?Sized>(system: &S, state: &State<S>) -> Self {
        let joints = system.joints().iter();
        Self {
            t: state.t,
            angles: joints
                .map(|joint| {
                    let view = JointView::of(system, state, joint);
                    Some([view.angle()?, view.angle_rate()?])
                })
                .collect(),
        }
    }

    /// Takes a step.
    pub fn update<S: System + ?Sized>(&mut self, system: &S, state: &State<S>) {
        for joint in 0..self.angles.len() {
            self.angles[joint] = self.follow(system, state, joint);
        }
        self.t = state.t;
    }

    /// Continuous angle of a joint, by its place in [`System::joints`], at a state near the
    /// last step; nothing if it has none.
    pub fn angle<S: System + ?Sized>(
        &self,
        system: &S,
        state: &State<S>,
        joint: usize,
    ) -> Option<f64> {
        Some(self.follow(system, state, joint)?[0])
    }

    /// The angle next to where the mean of the rates leads.
    fn follow<S: System + ?Sized>(
        &self,
        system: &S,
        state: &State<S>,
        joint: usize,
    ) -> Option<[f64; 2]> {
        let [before, rate_before] = (*self.angles.get(joint)?)?;
        let view = JointView::of(system, state, system.joints().get(joint)?);
        let rate = view.angle_rate()?;
        let expected = before + 0.5 * (state.t - self.t) * (rate + rate_before);
        Some([nearest(view.angle()?, expected), rate])
    }
}

#[cfg(test)]
mod tests;
