//! A whole iteration of Newton's method for index 3 with sigma = 0, in one kernel: see
//! `System::short_iteration`.
//!
//! The equations are those of [`newton`](super::newton), with `h^2` taken into the unknowns:
//!
//! ```text
//! v = gamma' (theta - k),   h^2 v' = h^2 gamma' epsilon' theta + known,   impulse = h^2 lambda
//! ```
//!
//! The residual is made in the axes of the elimination. On direct products these may be the axes
//! of the bodies, where forces of joints need not be turned there and back.

use super::newton::{Eliminated, Parts, eliminated_index3};
use super::samples::Samples;
use super::{Outputs, array, displaced, mass_product};
use crate::expr::{Id, Node};
use crate::mechanics::Mechanics;

/// One iteration, of `q`, `theta`, `k`, `known` and `impulse`.
#[derive(Debug)]
pub(crate) struct Short {
    /// The residual in the axes of the elimination.
    pub(crate) residual: Outputs,
    pub(crate) correction: Outputs,
    pub(crate) growth: Outputs,
}

/// The iteration, unless it has more statements than `limit`.
pub(super) fn short(
    m: &mut Mechanics<'_>,
    parts: &Parts,
    samples: &Samples,
    (phi, displace): (&[Id], &[Id]),
    limit: usize,
) -> Option<Short> {
    let nv = m.model.dof();
    let elimination = eliminated_index3(m, parts, samples);
    let residual = residual(m, &elimination, phi);
    let correction = elimination.solution(m.graph(), &residual, nv);
    let growth = elimination.growth();
    let all = [&residual[..], &correction, growth].concat();

    let g = m.graph();
    let moved = displaced(g, &all, displace);
    let gamma = g.number("gamma_h");
    let moved = g.rewrite(&moved, &mut |g, id| match g.node(id) {
        Node::Input(input) if input.array == "v" => {
            let i = input.index? as usize;
            let (theta, k) = (g.input("theta", i), g.input("k", i));
            let change = g.sub(theta, k);
            Some(g.mul(gamma, change))
        }
        _ => None,
    });
    if g.schedule(&moved).statements.len() > limit {
        return None;
    }
    let n = residual.len();
    Some(Short {
        residual: moved[..n].to_vec(),
        correction: moved[n..2 * n].to_vec(),
        growth: moved[2 * n..].to_vec(),
    })
}

/// `h^2 (M v' + g + B^T lambda)` and `Phi`.
fn residual(m: &mut Mechanics<'_>, elimination: &Eliminated<'_>, phi: &[Id]) -> Outputs {
    let nv = m.model.dof();
    let g = m.graph();
    let (h, epsilon, gamma) = (g.number("h"), g.number("epsilon_h"), g.number("gamma_h"));
    let h2 = g.mul(h, h);
    let scale = g.mul(h2, gamma);
    let inertia = g.mul(scale, epsilon);
    let (theta, known) = (array(g, "theta", nv), array(g, "known", nv));
    let scaled: Vec<Id> = theta
        .iter()
        .zip(&known)
        .map(|(theta, known)| {
            let moved = g.mul(inertia, *theta);
            g.add(moved, *known)
        })
        .collect();
    let inertial = mass_product(m, &scaled, false);
    let force = m.force.clone();
    let force = m.graph().shorter(&force);
    let mut rows: Outputs = inertial
        .iter()
        .zip(&force)
        .map(|(inertial, force)| {
            let force = m.graph().mul(h2, *force);
            m.graph().add(*inertial, force)
        })
        .collect();
    elimination.turn(m.graph(), &mut rows);
    for (row, push) in m.joint_forces("impulse", elimination.frame()) {
        rows[row] = m.graph().add(rows[row], push);
    }
    rows.extend(phi);
    rows
}
