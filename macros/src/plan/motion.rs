//! Kernels of the groups: displacement, tangent operators, velocity of an increment.

use super::Outputs;
use crate::expr::{Graph, Id, Node};
use crate::groups;
use crate::mechanics::Mechanics;
use crate::model::JointId;

pub(super) struct GroupKernels {
    /// `q * exp(theta)`, with continuous angles.
    pub(super) displace: Outputs,
    /// `T(theta)^-1 v`.
    pub(super) tangent_inverse: Outputs,
    /// The angles, of the moved bodies `m` and the angles before in `q`.
    pub(super) angles: Outputs,
}

pub(super) fn group_kernels(m: &mut Mechanics<'_>) -> GroupKernels {
    let (mut displace, mut tangent_inverse) = (Vec::new(), Vec::new());
    let model = m.model;
    for body in &model.bodies {
        let g = &mut m.geometry.graph;
        let (nq, nv) = (body.group.config_len(), body.group.dof());
        let q: Vec<Id> = (0..nq).map(|i| g.input("q", body.config + i)).collect();
        let theta: Vec<Id> = (0..nv)
            .map(|i| g.input("theta", body.velocity + i))
            .collect();
        let v: Vec<Id> = (0..nv).map(|i| g.input("v", body.velocity + i)).collect();
        displace.extend(groups::displace(g, body.group, &q, &theta));
        tangent_inverse.extend(groups::tangent_inverse(g, body.group, &theta, &v));
    }
    // Continuous angles follow the bodies.
    let mut angles = Vec::new();
    for place in 0..model.joints.len() {
        let Some(entry) = model.joints[place].angle else {
            continue;
        };
        let angle = m.geometry.followed_angle(JointId(place), entry);
        let bodies = displace[..model.body_config_len()].to_vec();
        let of_bodies = |g: &mut Graph, bodies: &[Id]| {
            g.rewrite(&[angle], &mut |g, id| match g.node(id) {
                Node::Input(input) if input.array == "q" => {
                    bodies.get(input.index? as usize).copied()
                }
                _ => None,
            })
        };
        displace.extend(of_bodies(m.graph(), &bodies));
        let moved = super::array(m.graph(), "m", model.body_config_len());
        angles.extend(of_bodies(m.graph(), &moved));
    }
    GroupKernels {
        displace,
        tangent_inverse,
        angles,
    }
}

/// `v` of the increment for sigma = 0, for sigma = 1, and for sigma = 0 with `eta`.
pub(super) fn velocities(m: &mut Mechanics<'_>) -> [Outputs; 3] {
    let model = m.model;
    let mut out = [Vec::new(), Vec::new(), Vec::new()];
    for body in &model.bodies {
        let g = &mut m.geometry.graph;
        let n = body.group.dof();
        let mut part =
            |name| -> Vec<Id> { (0..n).map(|i| g.input(name, body.velocity + i)).collect() };
        let (theta, k, push) = (part("theta"), part("k"), part("push"));
        let gamma = g.number("gamma_h");
        let back = groups::tangent_inverse(g, body.group, &theta, &push);
        let tangent = groups::tangent(g, body.group, body.velocity);
        for i in 0..n {
            let plain = g.sub(theta[i], k[i]);
            out[0].push(g.mul(gamma, plain));
            let moved = g.dot(&tangent[i], &k);
            let moved = g.sub(theta[i], moved);
            let pushed = g.add(moved, push[i]);
            out[1].push(g.mul(gamma, pushed));
            let pushed = g.add(plain, back[i]);
            out[2].push(g.mul(gamma, pushed));
        }
    }
    out
}
