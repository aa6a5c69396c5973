//! Drivers: one constraint whose coordinate follows a formula `f(t)`.
//!
//! At each time a driver is one of the [scalar constraints](super::constraint) with
//! data that depend on `f`, so `B`, `D_q(B v)` and the stiffness are known:
//!
//! | motion         | `Phi`                                 | the constraint at time `t`                    |
//! |----------------|---------------------------------------|-----------------------------------------------|
//! | `Angle`        | `(y_a . x_b) cos f - (x_a . x_b) sin f` | `Axes`, `alpha = y_a cos f - x_a sin f`, `beta = x_b` |
//! | `Displacement` | `z_b . (P_b - P_a) - f`               | `Point`, `n = -z_b`, the point `p_b - f z_b`   |
//! | `Distance`     | `(l^2 - f^2) / (2 f)`, `l = \|P_a - P_b\|` | `Length` with `L = f`                     |
//!
//! What it has beside them is its change in time at fixed `q`, at most linear in `f'`,
//! `f''` and `f'^2`:
//!
//! | motion         | `dPhi/dt`                          | `d^2 Phi/dt^2`                                      |
//! |----------------|------------------------------------|-----------------------------------------------------|
//! | `Angle`        | `Axes` with `alpha_t`              | `Axes` with `alpha_tt`                              |
//! | `Displacement` | `-f'`                              | `-f''`                                              |
//! | `Distance`     | `-f' (l^2 / f^2 + 1) / 2`          | `-f'' (l^2 / f^2 + 1) / 2 + f'^2 l^2 / f^3`         |
//!
//! `Phi` is the coordinate minus `f` where both agree, so minus the multiplier is the
//! effort that the driver needs. With several turns per unit of time `sin(angle - f)` has
//! the advantage that no turn must be counted.

use super::constraint::{Constraint, Pose, Row};
use super::description::{Joint, Motion};
use super::scalar::Scalar;
use crate::error::Fault;
use nalgebra::Vector3;

/// A driven coordinate.
#[derive(Clone, Debug)]
pub(super) struct Driver {
    motion: Motion,
    name: String,
    points: [Vector3<f64>; 2],
    first_axes: [[f64; 3]; 3],
    second_axes: [[f64; 3]; 3],
    /// `f`, `f'`, `f''`.
    value: [Scalar; 3],
}

/// How the constraint of a driver changes in time at fixed `q`.
#[derive(Clone, Copy, Debug)]
pub(super) enum Drive {
    Turn {
        rate: Constraint,
        second: Constraint,
    },
    Shift {
        rate: f64,
        second: f64,
    },
    Length {
        constraint: Constraint,
        f: [f64; 3],
    },
}

impl Driver {
    pub(super) fn new(joint: &Joint, motion: Motion, value: Scalar) -> Self {
        let rate = value.rate();
        let second = rate.rate();
        Self {
            motion,
            name: joint.name.clone(),
            points: [joint.first.point.into(), joint.second.point.into()],
            first_axes: joint.first.axes,
            second_axes: joint.second.axes,
            value: [value, rate, second],
        }
    }

    /// The constraint at a time, and its change.
    pub(super) fn at(&self, t: f64) -> Result<(Constraint, Drive), Fault> {
        let f = [0, 1, 2].map(|i| self.value[i].at_time(t));
        if let Some(order) = f.iter().position(|x| !x.is_finite()) {
            let quantity = ["value", "rate", "second derivative"][order];
            let quantity = format!("the {quantity} of driver `{}`", self.name);
            return Err(Fault::NotFinite { quantity });
        }
        let [point_a, point_b] = self.points;
        Ok(match self.motion {
            Motion::Angle => {
                let (sin, cos) = f[0].sin_cos();
                let [x, y] = [0, 1].map(|i| Vector3::from(self.first_axes[i]));
                let axes = |axis_a| Constraint::Axes {
                    axis_a,
                    axis_b: Vector3::from(self.second_axes[0]),
                };
                let (alpha, turned) = (y * cos - x * sin, -(y * sin + x * cos));
                let drive = Drive::Turn {
                    rate: axes(turned * f[1]),
                    second: axes(turned * f[2] - alpha * (f[1] * f[1])),
                };
                (axes(alpha), drive)
            }
            Motion::Displacement => {
                let z = Vector3::from(self.second_axes[2]);
                let constraint = Constraint::Point {
                    point_a,
                    point_b: point_b - z * f[0],
                    normal: -z,
                };
                let (rate, second) = (-f[1], -f[2]);
                (constraint, Drive::Shift { rate, second })
            }
            Motion::Distance => {
                if f[0] <= 0.0 {
                    return Err(Fault::OutOfRange {
                        quantity: format!("the distance of driver `{}`", self.name),
                        value: f[0],
                        expected: "positive",
                    });
                }
                let constraint = Constraint::Length {
                    point_a,
                    point_b,
                    length: f[0],
                };
                (constraint, Drive::Length { constraint, f })
            }
        })
    }
}

impl Drive {
    /// Stands where a constraint will be until the first evaluation.
    pub(super) fn placeholder() -> Constraint {
        Constraint::Axes {
            axis_a: Vector3::zeros(),
            axis_b: Vector3::zeros(),
        }
    }

    /// No change.
    pub(super) fn still() -> Self {
        Self::Shift {
            rate: 0.0,
            second: 0.0,
        }
    }

    /// `dPhi/dt` at fixed `q`.
    pub(super) fn rate(&self, relative: &Pose) -> f64 {
        match self {
            Self::Turn { rate, .. } => rate.value(relative),
            Self::Shift { rate, .. } => *rate,
            Self::Length { constraint, f } => {
                let square = length_squared(constraint, relative, f[0]) / (f[0] * f[0]);
                -0.5 * f[1] * (square + 1.0)
            }
        }
    }

    /// The row `D_q(dPhi/dt)` over body twists.
    pub(super) fn rate_gradient(&self, relative: &Pose) -> Row {
        match self {
            Self::Turn { rate, .. } => rate.jacobian(relative),
            Self::Shift { .. } => Row::zeros(),
            Self::Length { constraint, f } => constraint.jacobian(relative) * (-f[1] / f[0]),
        }
    }

    /// `d^2 Phi/dt^2` at fixed `q`.
    pub(super) fn second(&self, relative: &Pose) -> f64 {
        match self {
            Self::Turn { second, .. } => second.value(relative),
            Self::Shift { second, .. } => *second,
            Self::Length { constraint, f } => {
                let square = length_squared(constraint, relative, f[0]) / (f[0] * f[0]);
                -0.5 * f[2] * (square + 1.0) + f[1] * f[1] * square / f[0]
            }
        }
    }
}

/// `l^2` from `Phi = (l^2 - f^2) / (2 f)`.
fn length_squared(constraint: &Constraint, relative: &Pose, f: f64) -> f64 {
    f * (2.0 * constraint.value(relative) + f)
}
