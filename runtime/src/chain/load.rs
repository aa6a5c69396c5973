//! Applied forces and moments, and how they change in time.

use super::node::{Pose, lift};
use crate::generic::TimeFormula;
use crate::real::Real;
use nalgebra::{Matrix3, Matrix6, Vector3, Vector6};

/// A force and a moment on a node or body, at the origin of its frame.
#[derive(Clone, Debug)]
pub struct Load {
    /// Force.
    pub force: [f64; 3],
    /// Moment.
    pub moment: [f64; 3],
    /// Which frame the components belong to.
    pub frame: LoadFrame,
    /// Factor of both in time.
    pub profile: Profile,
}

impl Load {
    /// A constant load that keeps its direction in space.
    pub fn dead(force: [f64; 3], moment: [f64; 3]) -> Self {
        Self {
            force,
            moment,
            frame: LoadFrame::Inertial,
            profile: Profile::Constant,
        }
    }

    /// A constant load that turns with the body.
    pub fn follower(force: [f64; 3], moment: [f64; 3]) -> Self {
        Self {
            frame: LoadFrame::Body,
            ..Self::dead(force, moment)
        }
    }

    /// The same load with a factor in time.
    #[must_use]
    pub fn with_profile(mut self, profile: Profile) -> Self {
        self.profile = profile;
        self
    }
}

/// The frame of the components of a load.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LoadFrame {
    /// Inertial components: the load keeps its direction.
    #[default]
    Inertial,
    /// Body components: the load follows the body.
    Body,
}

/// A factor that depends on time.
#[derive(Clone, Debug, Default)]
pub enum Profile {
    /// One.
    #[default]
    Constant,
    /// Straight lines through points `(t, factor)` in the order of time, constant
    /// before the first and after the last. Let steps end at the points.
    PiecewiseLinear(Vec<(f64, f64)>),
    /// Any function of time.
    Function(fn(f64) -> f64),
    /// A formula of time, as data.
    Formula(TimeFormula),
}

impl Profile {
    /// The factor at a time.
    pub fn at(&self, t: f64) -> f64 {
        match self {
            Self::Constant => 1.0,
            Self::Function(function) => function(t),
            Self::Formula(formula) => formula.at(t),
            Self::PiecewiseLinear(points) => {
                let next = points.partition_point(|(time, _)| *time <= t);
                match (next.checked_sub(1).map(|i| points[i]), points.get(next)) {
                    (Some((t0, f0)), Some((t1, f1))) => f0 + (f1 - f0) * ((t - t0) / (t1 - t0)),
                    (Some((_, f)), None) | (None, Some(&(_, f))) => f,
                    (None, None) => 0.0,
                }
            }
        }
    }

    /// The times at which its derivatives jump, where they are known: let steps end there.
    pub fn kinks(&self) -> Vec<f64> {
        match self {
            Self::Constant | Self::Function(_) => Vec::new(),
            Self::PiecewiseLinear(points) => points.iter().map(|(t, _)| *t).collect(),
            Self::Formula(formula) => formula.kinks().to_vec(),
        }
    }
}

/// A load at the same point of some nodes, each with its weight: one node, or all nodes of a
/// rod with the length that belongs to each.
///
/// With `f`, `m` the components in body axes and `p` the point:
///
/// ```text
/// g -= (m + p x f, f)          D_q(-R^T f) w = -(R^T f)~ w,   D_q(-p x R^T f) w = -p~ (R^T f)~ w
/// ```
#[derive(Clone, Debug)]
pub(super) struct NodeLoad {
    pub(super) name: String,
    pub(super) load: Load,
    pub(super) point: Vector3<f64>,
    pub(super) nodes: Vec<(usize, f64)>,
}

impl NodeLoad {
    /// Force and moment at a time, for a weight of one.
    pub(super) fn at(&self, t: f64) -> [Vector3<f64>; 2] {
        let factor = self.load.profile.at(t);
        [self.load.force, self.load.moment].map(|components| Vector3::from(components) * factor)
    }

    /// Subtracts the weighted load from `g`, in body components.
    pub(super) fn subtract<R: Real>(
        &self,
        [force, moment]: &[Vector3<f64>; 2],
        weight: f64,
        pose: &Pose<R>,
        g: &mut Vector6<R>,
    ) {
        let body = |vector: &Vector3<f64>| {
            let vector = lift::<R>(&(vector * weight));
            match self.load.frame {
                LoadFrame::Inertial => pose.rotation.tr_mul(&vector),
                LoadFrame::Body => vector,
            }
        };
        let (moment, force) = (body(moment), body(force));
        let arm = lift::<R>(&self.point).cross(&force);
        for i in 0..3 {
            g[i] -= moment[i] + arm[i];
            g[3 + i] -= force[i];
        }
    }

    /// Adds the derivative of [`Self::subtract`].
    pub(super) fn add_stiffness(
        &self,
        [force, moment]: &[Vector3<f64>; 2],
        weight: f64,
        pose: &Pose,
        k: &mut Matrix6<f64>,
    ) {
        if self.load.frame == LoadFrame::Body {
            return;
        }
        let turn = |vector: &Vector3<f64>| -> Matrix3<f64> {
            (pose.rotation.tr_mul(vector) * weight).cross_matrix()
        };
        let (force, moment) = (turn(force), turn(moment));
        let mut view = k.fixed_view_mut::<3, 3>(0, 0);
        view -= moment + self.point.cross_matrix() * force;
        let mut view = k.fixed_view_mut::<3, 3>(3, 0);
        view -= force;
    }
}
