//! Applied forces as generalized forces in `g`, by virtual power.
//!
//! A force of size `e` that works along a coordinate `c(q)` adds `e dc` to `g`; a force `F` at a
//! point `p` adds `-F . dp`, and a torque `tau` (in body axes) adds `-tau . w` in the direction
//! `w` of a rotation:
//!
//! ```text
//! spring        c = l = |p_a - p_b|      e = k (l - l_0) + d l'
//! torsion       c = angle                e = k (angle - angle_0) + d angle'
//! control       c = coordinate           e = -(p (target - c) + d (target' - c'))
//! actuator      c = coordinate           e = -effort
//! bushing       c = xi_i                 e_i = (K xi + D xi')_i,  xi = (1/2 vee(C - C^T), d)
//! ```
//!
//! The angle of a joint works by `z_b . w_b - z_a . w_a`, its rate where the joint holds.
//!
//! Derivatives for `K` and `D` follow from these scalars.

use super::modal;
use crate::formula::{Elementary, Formula, Leaf};
use crate::geometry::{Direction, Geometry, Scalar, Vector};
use crate::model::{Attachment, Force, ForceKind, JointId};

/// What a force adds to `g`: rows with scalars of `q` and `v`.
pub(super) fn generalized(g: &mut Geometry<'_>, force: &Force) -> Vec<(usize, Scalar)> {
    if let ForceKind::Load {
        at,
        force,
        torque,
        follower,
    } = &force.kind
    {
        let (force, torque) = (g.formulas(force), g.formulas(torque));
        return load(g, at, force, torque, *follower);
    }
    if let Some(rows) = modal::generalized(g, &force.kind) {
        return rows;
    }
    let works = efforts(g, &force.kind);
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

/// What an effort works along.
#[derive(Clone, Copy, Debug)]
enum Coordinate {
    Scalar(Scalar),
    Angle(JointId),
}

impl Coordinate {
    /// The coordinate that controls and actuators of a joint work along.
    fn of(g: &mut Geometry<'_>, id: JointId) -> Self {
        let joint = g.model.joint(id);
        if joint.kind.has_angle() {
            Self::Angle(id)
        } else {
            Self::Scalar(g.displacement(joint))
        }
    }

    fn value(self, g: &mut Geometry<'_>) -> Scalar {
        match self {
            Self::Scalar(scalar) => scalar,
            Self::Angle(joint) => g.angle(joint),
        }
    }

    fn rate(self, g: &mut Geometry<'_>, along: &Direction) -> Scalar {
        match self {
            Self::Scalar(scalar) => g.scalar_derivative(scalar, along),
            Self::Angle(joint) => g.rate_about_axis(g.model.joint(joint), along),
        }
    }
}

/// Potential energy, where there is one.
pub(super) fn potential(g: &mut Geometry<'_>, force: &Force) -> Option<Scalar> {
    let half = g.constant_number(0.5);
    match &force.kind {
        ForceKind::SpringDamper {
            first,
            second,
            stiffness,
            length,
            ..
        } => {
            let distance = distance(g, first, second);
            let stretch = difference(g, distance, length);
            Some(quadratic(g, stiffness, stretch))
        }
        ForceKind::TorsionSpring {
            joint,
            stiffness,
            angle,
            ..
        } => {
            let angle_now = g.angle(*joint);
            let turn = difference(g, angle_now, angle);
            Some(quadratic(g, stiffness, turn))
        }
        ForceKind::Bushing {
            first,
            second,
            stiffness,
            ..
        } => {
            let xi = relative(g, first, second);
            let efforts = times(g, stiffness, &xi);
            let terms = efforts.into_iter().zip(xi).collect();
            let sum = g.sum(terms);
            Some(g.product(half, sum))
        }
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
        ForceKind::ModalSpring { .. } | ForceKind::ModalLoad { .. } => {
            modal::potential(g, &force.kind)
        }
        ForceKind::Load { .. } | ForceKind::PdControl { .. } | ForceKind::Actuator { .. } => None,
    }
}

/// Whether a formula depends on neither time nor motion.
pub(super) fn is_constant(formula: &Formula) -> bool {
    let mut constant = true;
    formula.leaves(&mut |leaf| constant &= matches!(leaf, Leaf::Parameter(_) | Leaf::Outside(_)));
    constant
}

/// Pairs of effort and coordinate.
fn efforts(g: &mut Geometry<'_>, kind: &ForceKind) -> Vec<(Scalar, Coordinate)> {
    let motion = g.motion("v");
    match kind {
        ForceKind::SpringDamper {
            first,
            second,
            stiffness,
            damping,
            length,
        } => {
            let coordinate = Coordinate::Scalar(distance(g, first, second));
            vec![spring(g, coordinate, [stiffness, damping, length])]
        }
        ForceKind::TorsionSpring {
            joint,
            stiffness,
            damping,
            angle,
        } => vec![spring(
            g,
            Coordinate::Angle(*joint),
            [stiffness, damping, angle],
        )],
        ForceKind::PdControl {
            joint,
            proportional,
            derivative,
            target,
        } => {
            let coordinate = Coordinate::of(g, *joint);
            vec![spring(g, coordinate, [proportional, derivative, target])]
        }
        ForceKind::Actuator { joint, effort } => {
            let coordinate = Coordinate::of(g, *joint);
            let (minus, effort) = (g.constant_number(-1.0), g.formula(effort));
            vec![(g.product(minus, effort), coordinate)]
        }
        ForceKind::Bushing {
            first,
            second,
            stiffness,
            damping,
        } => {
            let one = g.constant_number(1.0);
            let xi = relative(g, first, second);
            let rates = xi.map(|xi| g.scalar_derivative(xi, &motion));
            let (elastic, viscous) = (times(g, stiffness, &xi), times(g, damping, &rates));
            (0..6)
                .map(|i| {
                    let effort = g.sum(vec![(one, elastic[i]), (one, viscous[i])]);
                    (effort, Coordinate::Scalar(xi[i]))
                })
                .collect()
        }
        ForceKind::Load { .. } | ForceKind::ModalSpring { .. } | ForceKind::ModalLoad { .. } => {
            Vec::new()
        }
    }
}

/// `k (c - c_0) + d (c' - c_0')` along `c`.
fn spring(
    g: &mut Geometry<'_>,
    coordinate: Coordinate,
    [stiffness, damping, rest]: [&Formula; 3],
) -> (Scalar, Coordinate) {
    let (k, d) = (g.formula(stiffness), g.formula(damping));
    let value = coordinate.value(g);
    let stretch = difference(g, value, rest);
    let mut terms = vec![(k, stretch)];
    if !damping.is_zero() {
        let (motion, minus) = (g.motion("v"), g.constant_number(-1.0));
        let rest = g.formula(rest);
        let rest_rate = g.scalar_derivative(rest, &Direction::of_time());
        let rest_rate = g.product(minus, rest_rate);
        terms.extend([(d, coordinate.rate(g, &motion)), (d, rest_rate)]);
    }
    (g.sum(terms), coordinate)
}

/// `1/2 k c^2`.
fn quadratic(g: &mut Geometry<'_>, stiffness: &Formula, c: Scalar) -> Scalar {
    let (half, k, square) = (
        g.constant_number(0.5),
        g.formula(stiffness),
        g.product(c, c),
    );
    let half = g.product(half, k);
    g.product(half, square)
}

/// `c - value`.
fn difference(g: &mut Geometry<'_>, c: Scalar, value: &Formula) -> Scalar {
    let (one, minus, value) = (
        g.constant_number(1.0),
        g.constant_number(-1.0),
        g.formula(value),
    );
    g.sum(vec![(one, c), (minus, value)])
}

/// `|p_a - p_b|`.
fn distance(g: &mut Geometry<'_>, first: &Attachment, second: &Attachment) -> Scalar {
    let (a, b) = (g.point_of(first), g.point_of(second));
    let apart = g.sub(a, b);
    let square = g.dot(apart, apart);
    g.call(Elementary::Sqrt, square)
}

/// `xi`: axial vector of the relative rotation, then the gap, in axes of the second frame.
fn relative(g: &mut Geometry<'_>, first: &Attachment, second: &Attachment) -> [Scalar; 6] {
    let half = g.constant_number(0.5);
    let minus_half = g.constant_number(-0.5);
    let first_axes: [Vector; 3] = core::array::from_fn(|i| g.axis_of(first, i));
    let second_axes: [Vector; 3] = core::array::from_fn(|i| g.axis_of(second, i));
    let gap = g.gap(first, second);
    core::array::from_fn(|i| {
        if i < 3 {
            // C_ij = second_i . first_j, 1/2 (C_lk - C_kl) with (i, k, l) cyclic
            let (k, l) = ((i + 1) % 3, (i + 2) % 3);
            let (c_lk, c_kl) = (
                g.dot(second_axes[l], first_axes[k]),
                g.dot(second_axes[k], first_axes[l]),
            );
            g.sum(vec![(half, c_lk), (minus_half, c_kl)])
        } else {
            let axis = g.constant(second.axes[i - 3]);
            g.dot(axis, gap)
        }
    })
}

/// `A x`.
fn times(g: &mut Geometry<'_>, matrix: &[[Formula; 6]; 6], x: &[Scalar; 6]) -> [Scalar; 6] {
    core::array::from_fn(|i| {
        let terms = (0..6).map(|j| (g.formula(&matrix[i][j]), x[j])).collect();
        g.sum(terms)
    })
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
