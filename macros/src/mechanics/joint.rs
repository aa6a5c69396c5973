//! The scalar constraints of joints: signs and order are those of the runtime's joints.

use crate::expr::Id;
use crate::formula::Elementary;
use crate::geometry::{Geometry, Scalar, Vector};
use crate::model::{Axes, IDENTITY, Joint, JointKind, Motion, PositionAxes};

const NAMES: [&str; 3] = ["x", "y", "z"];

/// The scalar constraints of a joint, each with the name of its direction.
pub(super) fn constraints(g: &mut Geometry<'_>, joint: &Joint) -> Vec<(Scalar, String)> {
    match &joint.kind {
        JointKind::Distance { length } => {
            let length = g.formula(length);
            vec![(distance(g, joint, length), "length".to_owned())]
        }
        JointKind::Driver { motion, value } => {
            let mut value = g.formula(value);
            if !joint.turn.is_zero() {
                // The frames are those without the turn.
                let (one, minus) = (g.constant_number(1.0), g.constant_number(-1.0));
                let turn = g.formula(&joint.turn);
                value = g.sum(vec![(one, value), (minus, turn)]);
            }
            vec![driver(g, joint, *motion, value)]
        }
        JointKind::Held(held) => {
            let (gap, along) = position(g, joint);
            let of = match g.model.position_axes(joint) {
                PositionAxes::Second => "",
                PositionAxes::Inertial => "inertial ",
            };
            let mut rows = Vec::new();
            for &i in held.positions {
                let axis = g.constant(along[i]);
                let name = format!("position along {of}{}", NAMES[i]);
                rows.push((g.dot(axis, gap), name));
            }
            for &(i, j) in held.normals {
                let first = g.axis_in_second(&joint.first, i, &joint.second);
                let second = g.constant(joint.second.axes[j]);
                let name = format!("{} of first normal to {} of second", NAMES[i], NAMES[j]);
                rows.push((g.dot(first, second), name));
            }
            rows
        }
    }
}

/// How far the two points are apart, and the axes along which that is measured.
fn position(g: &mut Geometry<'_>, joint: &Joint) -> (Vector, Axes) {
    match g.model.position_axes(joint) {
        PositionAxes::Second => (g.gap(&joint.first, &joint.second), joint.second.axes),
        PositionAxes::Inertial => (g.inertial_gap(&joint.first, &joint.second), IDENTITY),
    }
}

/// `lambda . Phi` of a joint with the constraints `phi`.
///
/// The multipliers of positions are components of one vector, and so are those of all axes that
/// are normal to the same one: what is differentiated then has few terms.
pub(super) fn power(g: &mut Geometry<'_>, joint: &Joint, phi: &[Scalar], lambda: &[Id]) -> Scalar {
    let one = g.constant_number(1.0);
    let (positions, axes) = joint.kind.held();
    if positions.len() + axes.len() != phi.len() {
        let terms = phi.iter().zip(lambda);
        let terms = terms
            .map(|(phi, lambda)| (g.number(*lambda), *phi))
            .collect();
        return g.sum(terms);
    }
    let (of_positions, of_axes) = lambda.split_at(positions.len());
    let combined = |g: &mut Geometry<'_>, terms: &[([f64; 3], Id)]| -> Vector {
        let components = core::array::from_fn(|k| {
            let mut sum = g.graph.zero();
            for (axis, lambda) in terms {
                let factor = g.graph.constant(axis[k]);
                let term = g.graph.mul(factor, *lambda);
                sum = g.graph.add(sum, term);
            }
            sum
        });
        g.fixed(components)
    };
    let mut terms = Vec::new();
    if !positions.is_empty() {
        let (gap, axes) = position(g, joint);
        let along: Vec<([f64; 3], Id)> = positions
            .iter()
            .zip(of_positions)
            .map(|(i, lambda)| (axes[*i], *lambda))
            .collect();
        let force = combined(g, &along);
        terms.push((one, g.dot(force, gap)));
    }
    for normal in 0..3 {
        let of_first: Vec<([f64; 3], Id)> = axes
            .iter()
            .zip(of_axes)
            .filter(|((_, j), _)| *j == normal)
            .map(|((i, _), lambda)| (joint.first.axes[*i], *lambda))
            .collect();
        if of_first.is_empty() {
            continue;
        }
        let first = combined(g, &of_first);
        let first = g.seen_in_second(first, &joint.first, &joint.second);
        let second = g.constant(joint.second.axes[normal]);
        terms.push((one, g.dot(first, second)));
    }
    g.sum(terms)
}

/// `(|d|^2 - L^2) / (2 L)`.
fn distance(g: &mut Geometry<'_>, joint: &Joint, length: Scalar) -> Scalar {
    let gap = g.gap(&joint.first, &joint.second);
    let square = g.dot(gap, gap);
    let half = g.constant_number(0.5);
    let factor = g.quotient(half, length);
    let offset = g.constant_number(-0.5);
    g.sum(vec![(factor, square), (offset, length)])
}

fn driver(g: &mut Geometry<'_>, joint: &Joint, motion: Motion, value: Scalar) -> (Scalar, String) {
    let (one, minus) = (g.constant_number(1.0), g.constant_number(-1.0));
    match motion {
        Motion::Angle => {
            // sin(angle - value)
            let (sine, cosine) = g.sine_and_cosine(joint);
            let (s, c) = (
                g.call(Elementary::Sin, value),
                g.call(Elementary::Cos, value),
            );
            let back = g.product(minus, s);
            (
                g.sum(vec![(c, sine), (back, cosine)]),
                "driven angle".to_owned(),
            )
        }
        Motion::Displacement => {
            let coordinate = g.displacement(joint);
            let constraint = g.sum(vec![(one, coordinate), (minus, value)]);
            (constraint, "driven displacement".to_owned())
        }
        Motion::Distance => (distance(g, joint, value), "driven distance".to_owned()),
    }
}
