//! Rules about bodies.

use super::linear::eigenvalues;
use super::modal;
use crate::diag::Diagnostics;
use crate::formula::Formula;
use crate::model::{Body, Model};

/// Masses are positive.
pub(super) fn mass(model: &Model, body: &Body, name: &str, dx: &mut Diagnostics) {
    if let Some(matrix) = &body.mass_matrix {
        return modal::mass(model, body, matrix, dx);
    }
    let Some(mass) = model.by_default(&body.mass) else {
        return;
    };
    if mass > 0.0 && mass.is_finite() {
        return;
    }
    dx.error(
        body.spans.mass,
        format!("the mass of {name} is {mass}"),
        "write a positive mass; what has no mass of its own belongs to another body",
    );
}

/// The inertia is symmetric, positive, and one that a body can have: each principal moment is
/// at most the sum of the other two.
pub(super) fn inertia(model: &Model, body: &Body, name: &str, dx: &mut Diagnostics) {
    if !body.group.rotates() {
        return;
    }
    let mut inertia = [[0.0; 3]; 3];
    for i in 0..3 {
        for j in 0..3 {
            let Some(entry) = model.by_default(&body.inertia[i][j]) else {
                return;
            };
            inertia[i][j] = entry;
        }
    }
    let span = body.spans.inertia;
    for (i, j) in [(0, 1), (0, 2), (1, 2)] {
        let (a, b) = (inertia[i][j], inertia[j][i]);
        if (a - b).abs() > 1e-12 * (a.abs() + b.abs()) {
            dx.error(
                span,
                format!("the inertia of {name} is not symmetric: {a} and {b} across the diagonal"),
                "write the same number on both sides",
            );
            return;
        }
    }
    let moments = eigenvalues(inertia);
    let [a, b, c] = moments;
    if a <= 0.0 || a.is_nan() {
        dx.error(
            span,
            format!("the principal inertias of {name} are {a}, {b}, {c}; all must be positive"),
            "give the inertia about the centre of mass, or use `Body<R3>` for a point mass",
        );
    } else if a + b < c * (1.0 - 1e-9) && !body.inertia_unchecked {
        dx.error(
            span,
            format!(
                "no body has the principal inertias {a}, {b}, {c} of {name}: the largest exceeds the sum of the others"
            ),
            "check the numbers; if they are meant, write `inertia_unchecked = ..` instead of `inertia = ..`",
        );
    }
}

/// On direct products the mass matrix is constant only about the centre of mass.
pub(super) fn center(body: &Body, dx: &mut Diagnostics) {
    let offset = !body.center.iter().all(Formula::is_zero);
    if offset && body.group.is_direct() {
        let group = body.group.name();
        dx.error(
            body.spans.center,
            format!("the frame of `{}` on {group} must be at its centre of mass", body.name),
            "remove `center` and measure positions from the centre of mass, or use `SE3` or `S3sR3`",
        );
    }
}

/// Every body is held by something: a joint, a force, or its group.
pub(super) fn connected(model: &Model, dx: &mut Diagnostics) {
    for id in model.body_ids() {
        let body = model.body(id);
        let by_group = body.group.rotates() && body.group.dof() == 3;
        let by_joint = model
            .joints
            .iter()
            .any(|joint| [joint.first.body, joint.second.body].contains(&Some(id)));
        let by_force = model
            .forces
            .iter()
            .any(|force| force.bodies(model).0.contains(&id));
        if !(body.free || by_group || by_joint || by_force) {
            dx.error(
                body.name.span(),
                format!("body `{}` is not connected to anything", body.name),
                if body.modes().is_some() {
                    "add a `ModalSpring` or a `Load`, or write `#[body(.., free)]` if nothing is meant to act on it"
                } else {
                    "add a joint or a force, or write `#[body(.., free)]` if it is meant to fly"
                },
            );
        }
    }
}
