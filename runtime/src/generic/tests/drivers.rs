//! Drivers from their definition, in space and with any scalar.

use super::super::assembly::Snapshot;
use crate::generic::GenericSystem;
use crate::generic::constraint::lift;
use crate::generic::description::{Attachment, Joint, JointKind, Motion};
use crate::real::Real;
use nalgebra::Vector3;

/// Point, axes, and their rates, in inertial axes.
struct Frame<R: Real> {
    point: Vector3<R>,
    velocity: Vector3<R>,
    axes: [Vector3<R>; 3],
    rates: [Vector3<R>; 3],
}

fn frame<R: Real>(system: &GenericSystem, at: &Snapshot<'_, R>, side: &Attachment) -> Frame<R> {
    let zero = Vector3::zeros();
    let bodies = &system.description.bodies;
    let Some(body) = bodies.iter().position(|x| x.name == side.body) else {
        return Frame {
            point: lift(&side.point.into()),
            velocity: zero,
            axes: side.axes.map(|axis| lift(&axis.into())),
            rates: [zero; 3],
        };
    };
    let pose = &at.poses[body];
    let twist = system.bodies[body].twist(pose, at.v);
    let spin = pose.rotation * twist.fixed_rows::<3>(0);
    let arm = pose.rotation * lift::<R>(&side.point.into());
    let axes = side
        .axes
        .map(|axis| pose.rotation * lift::<R>(&axis.into()));
    Frame {
        point: pose.position + arm,
        velocity: pose.rotation * twist.fixed_rows::<3>(3) + spin.cross(&arm),
        axes,
        rates: axes.map(|axis| spin.cross(&axis)),
    }
}

/// `[Phi, B v + dPhi/dt]` for the formula of [`super::models::driven`].
pub(super) fn values<R: Real>(
    system: &GenericSystem,
    joint: &Joint,
    at: &Snapshot<'_, R>,
    t: R,
) -> [R; 2] {
    let JointKind::Driver { motion, .. } = joint.kind else {
        unreachable!("a driver");
    };
    let (sin_t, cos_t) = t.sin_cos();
    let f = t * 0.3 + sin_t * 0.2 + 0.4;
    let f_rate = cos_t * 0.2 + 0.3;
    let (a, b) = (
        frame(system, at, &joint.first),
        frame(system, at, &joint.second),
    );
    let gap = b.point - a.point;
    let gap_rate = b.velocity - a.velocity;
    match motion {
        Motion::Angle => {
            let [(c, c_rate), (s, s_rate)] = [0, 1].map(|i| {
                let rate = a.rates[i].dot(&b.axes[0]) + a.axes[i].dot(&b.rates[0]);
                (a.axes[i].dot(&b.axes[0]), rate)
            });
            let (sin, cos) = f.sin_cos();
            let turned = s * sin + c * cos;
            [
                s * cos - c * sin,
                s_rate * cos - c_rate * sin - turned * f_rate,
            ]
        }
        Motion::Displacement => [
            b.axes[2].dot(&gap) - f,
            b.rates[2].dot(&gap) + b.axes[2].dot(&gap_rate) - f_rate,
        ],
        Motion::Distance => {
            let square = gap.dot(&gap);
            [
                (square - f * f) / (f * 2.0),
                gap.dot(&gap_rate) / f - f_rate * (square / (f * f) + R::one()) * 0.5,
            ]
        }
    }
}
