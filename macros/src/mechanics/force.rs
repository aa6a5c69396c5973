//! Applied forces as generalized forces in `g`, by virtual power.
//!
//! Efforts work along coordinates (`forces`). A force `F` at a point `p` adds `-F . dp`, and a torque
//! `tau` (in body axes) adds `-tau . w` in the direction `w` of a rotation.
//!
//! Derivatives for `K` and `D` follow from these scalars.

use super::modal;
use crate::formula::{Formula, Leaf};
use crate::geometry::{Geometry, Scalar, Vector};
use crate::model::{Attachment, Force, ForceKind};

/// What a force adds to `g`: rows with scalars of `q` and `v`.
pub(super) fn generalized(g: &mut Geometry<'_>, force: &Force) -> Vec<(usize, Scalar)> {
    match &force.kind {
        ForceKind::Law {
            law,
            on,
            coefficients,
        } => {
            let works = (law.efforts)(g, on, coefficients);
            let model = g.model;
            let (moved, _) = force.bodies(model);
            let mut rows = Vec::new();
            for id in moved {
                for (row, along) in g.basis(id) {
                    let terms = works
                        .iter()
                        .map(|(effort, coordinate)| (*effort, coordinate.rate(g, &along)))
                        .collect();
                    let sum = g.sum(terms);
                    if sum != g.constant_number(0.0) {
                        rows.push((row, sum));
                    }
                }
            }
            rows
        }
        ForceKind::Load {
            at,
            force,
            torque,
            follower,
        } => {
            let (force, torque) = (g.formulas(force), g.formulas(torque));
            load(g, at, force, torque, *follower)
        }
        kind => modal::generalized(g, kind).unwrap_or_default(),
    }
}

/// Potential energy, where there is one.
pub(super) fn potential(g: &mut Geometry<'_>, force: &Force) -> Option<Scalar> {
    match &force.kind {
        ForceKind::Law {
            law,
            on,
            coefficients,
        } => law.potential.map(|energy| energy(g, on, coefficients)),
        ForceKind::Load {
            at,
            force,
            follower: false,
            ..
        } if force.iter().all(is_constant) => {
            let (force, point) = (g.fixed_formulas(force), g.point_of(at));
            let (minus, work) = (g.constant_number(-1.0), g.dot(force, point));
            Some(g.product(minus, work))
        }
        ForceKind::Load { .. } => None,
        kind => modal::potential(g, kind),
    }
}

/// Whether a force may be infinite or no number at finite positions and velocities: formulas may be,
/// and so may the direction from a point to another.
pub(super) fn may_be_no_number(kind: &ForceKind) -> bool {
    kind.line().is_some() || !kind.formulas().into_iter().all(is_constant)
}

/// Whether a formula depends on neither time nor motion.
pub(super) fn is_constant(formula: &Formula) -> bool {
    let mut constant = true;
    formula.leaves(&mut |leaf| constant &= matches!(leaf, Leaf::Parameter(_) | Leaf::Outside(_)));
    constant
}

fn load(
    g: &mut Geometry<'_>,
    at: &Attachment,
    force: Vector,
    torque: Vector,
    follower: bool,
) -> Vec<(usize, Scalar)> {
    let Some(id) = at.body else {
        return Vec::new();
    };
    let (force, torque) = if follower {
        (g.rotated(at.body, force), torque)
    } else {
        (force, g.rotated_back(at.body, torque))
    };
    let point = g.point_of(at);
    let minus = g.constant_number(-1.0);
    let mut rows = Vec::new();
    for (row, along) in g.basis(id) {
        let moved = g.vector_derivative(point, &along);
        let (turn, _) = along.bodies[&id];
        let (work, twist) = (g.dot(force, moved), g.dot(torque, turn));
        let sum = g.sum(vec![(minus, work), (minus, twist)]);
        if sum != g.constant_number(0.0) {
            rows.push((row, sum));
        }
    }
    rows
}
