//! Small structs and the models that they become.

mod bodies;
mod errors;
mod forces;
mod joints;

use crate::example::{close, rotated};
use crate::formula::Formula;
use crate::model::{Attachment, Model, rotation_matrix};

/// The numbers of formulas that are known.
fn numbers(formulas: &[Formula]) -> Vec<f64> {
    let known = formulas.iter().map(Formula::value);
    known.collect::<Option<_>>().expect("known numbers")
}

/// An axis of a frame at the start, in space.
fn axis(model: &Model, at: &Attachment, axis: usize) -> [f64; 3] {
    let rotation = at.body.map(|id| model.body(id).start.rotation);
    let rotation = rotation.unwrap_or([1.0, 0.0, 0.0, 0.0]);
    rotated(&rotation_matrix(rotation), at.axes[axis])
}

/// A point of a frame at the start, in space.
fn point(model: &Model, at: &Attachment) -> [f64; 3] {
    let arm: [f64; 3] = numbers(&at.point).try_into().expect("three");
    let Some(body) = at.body.map(|id| model.body(id)) else {
        return arm;
    };
    let place = numbers(&body.start.position);
    let arm = rotated(&rotation_matrix(body.start.rotation), arm);
    core::array::from_fn(|i| arm[i] + place.get(i).unwrap_or(&0.0))
}

/// Asserts that two frames coincide at the start.
fn coincide(model: &Model, first: &Attachment, second: &Attachment, what: &str) {
    for i in 0..3 {
        close(&axis(model, first, i), &axis(model, second, i), 1e-15, what);
    }
}
