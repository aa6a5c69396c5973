//! Efforts along a coordinate of a joint: torques about z, forces along z.
//!
//! With the coordinate `x`, its row `b` (see [`super::coordinate`]; `D_q x` where the joint
//! holds) and its rate `x' = b v`, every effort is `g = s b^T`: minus the effort does the power `s x'`.
//!
//! | law            | `s`                                            | potential           |
//! |----------------|------------------------------------------------|---------------------|
//! | torsion spring | `k (x - x_0) + d x'`                           | `1/2 k (x - x_0)^2` |
//! | PD control     | `-(p (f(t) - x) + d (f'(t) - x'))`             | none                |
//! | actuator       | minus a formula                                | none                |
//!
//! ```text
//! D = ds/dx' b^T b + b^T D_v s
//! K = s D_q(b^T) + b^T (ds/dx D_q x + ds/dx' D_q(b v) + D_q s)
//! ```

use super::GenericSystem;
use super::assembly::{Part, Snapshot};
use super::constraint::{Block, Pose};
use super::coordinate::Coordinate;
use super::force::outer;
use super::scalar::Scalar;
use crate::real::Real;
use nalgebra::Matrix6;

/// An effort along a coordinate.
#[derive(Clone, Debug)]
pub(super) struct Effort {
    /// Place in the list of coordinates.
    pub(super) coordinate: usize,
    pub(super) law: Law,
}

/// How large it is.
#[derive(Clone, Debug)]
pub(super) enum Law {
    Spring {
        stiffness: f64,
        damping: f64,
        rest: f64,
    },
    Control {
        proportional: f64,
        derivative: f64,
        target: Scalar,
        target_rate: Scalar,
    },
    Formula(Scalar),
}

impl Effort {
    fn coordinate<'a>(&self, system: &'a GenericSystem) -> &'a Coordinate {
        &system.coordinates[self.coordinate]
    }

    /// `s` at the coordinate and its rate.
    fn scalar<R: Real>(
        &self,
        system: &GenericSystem,
        at: &Snapshot<'_, R>,
        [x, rate]: [R; 2],
    ) -> R {
        match &self.law {
            Law::Spring {
                stiffness,
                damping,
                rest,
            } => (x - *rest) * *stiffness + rate * *damping,
            Law::Control {
                proportional,
                derivative,
                target,
                target_rate,
            } => {
                (x - target.at_time(at.t)) * *proportional
                    + (rate - target_rate.at_time(at.t)) * *derivative
            }
            Law::Formula(effort) => -effort.value(system, at),
        }
    }

    /// `(ds/dx, ds/dx')`, without what a formula reads.
    fn slopes(&self) -> (f64, f64) {
        match self.law {
            Law::Spring {
                stiffness, damping, ..
            } => (stiffness, damping),
            Law::Control {
                proportional,
                derivative,
                ..
            } => (proportional, derivative),
            Law::Formula(_) => (0.0, 0.0),
        }
    }

    /// Adds `g`.
    pub(super) fn add<R: Real>(&self, system: &GenericSystem, at: &Snapshot<'_, R>, out: &mut [R]) {
        let coordinate = self.coordinate(system);
        let element = coordinate.element;
        let relative = at.relative(element);
        let row = coordinate.row(&relative);
        let rate = row.dot(&system.pair_twist(element, at.poses, at.v));
        let x = coordinate.value(&relative, at.turns);
        let scalar = self.scalar(system, at, [x, rate]);
        let row = system.row_to_group(element, at.poses, &row);
        system.add_pair(element, &row, scalar, out);
    }

    /// Calls `sink` for the blocks of `K` and `D`.
    pub(super) fn each_tangent(
        &self,
        system: &GenericSystem,
        at: &Snapshot<'_>,
        sink: &mut impl FnMut(Part, Part, &Matrix6<f64>, &Matrix6<f64>),
    ) {
        let coordinate = self.coordinate(system);
        let element = coordinate.element;
        let relative = at.relative(element);
        let twist = system.pair_twist(element, at.poses, at.v);
        let row = coordinate.row(&relative);
        let x = coordinate.value(&relative, at.turns);
        let scalar = self.scalar(system, at, [x, row.dot(&twist)]);
        let (by_x, by_rate) = self.slopes();
        let slope = coordinate.gradient(&relative) * by_x
            + coordinate.row_derivative(&relative, &twist) * by_rate;
        let mut k = row * slope.transpose();
        coordinate.add_stiffness(&relative, scalar, &mut k);
        let d: Block = row * row.transpose() * by_rate;
        system.element_tangents(element, at, &(row * scalar), &k, &d, sink);
        if let Law::Formula(effort) = &self.law {
            let row = system.row_to_group(element, at.poses, &row);
            effort.each_gradient(system, at, |other, by_q, by_v| {
                outer((element, &row), (other, &-by_q, &-by_v), sink);
            });
        }
    }

    /// `1/2 k (x - x_0)^2` of a spring.
    pub(super) fn energy(&self, system: &GenericSystem, poses: &[Pose], turns: &[f64]) -> f64 {
        let Law::Spring {
            stiffness, rest, ..
        } = self.law
        else {
            return 0.0;
        };
        let coordinate = self.coordinate(system);
        let relative = super::relative_pose(poses, coordinate.element);
        let twist = coordinate.value(&relative, turns) - rest;
        0.5 * stiffness * twist * twist
    }
}
