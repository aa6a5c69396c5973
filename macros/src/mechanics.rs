//! The equations of a model as expressions.
//!
//! Constraints are written once, as scalars in [`Geometry`]; everything else
//! follows by differentiation along the group directions:
//!
//! ```text
//! B e_i          = d_i Phi
//! B v            = d_v Phi          Z(v, v) = d_v d_v Phi
//! D_q(B v) w     = d_w d_v Phi
//! (B^T lambda)_i = d_i (lambda . Phi)
//! K w            = d_w (g + B^T lambda)
//! ```

use std::collections::HashMap;

use crate::expr::{Graph, Id};
use crate::geometry::{Direction, Geometry, Scalar, Vector};
use crate::model::{Attachment, BodyId, Group, Joint, JointKind, Model};

/// Expressions of everything that a solver asks for.
#[derive(Debug)]
pub(crate) struct Mechanics<'m> {
    pub(crate) model: &'m Model,
    pub(crate) geometry: Geometry<'m>,
    /// Constraints, row by row.
    pub(crate) phi: Vec<Scalar>,
    /// Joint and direction of each row.
    pub(crate) row_names: Vec<String>,
    /// Nonzero entries (column, value) of each row of `B`, functions of `q`.
    pub(crate) jacobian: Vec<Vec<(usize, Id)>>,
    /// `g` as a function of `q` and `v`.
    pub(crate) force: Vec<Id>,
    /// Mass matrix of each body.
    pub(crate) mass: Vec<Vec<Vec<f64>>>,
    /// Its inverse.
    pub(crate) mass_inverse: Vec<Vec<Vec<f64>>>,
}

impl<'m> Mechanics<'m> {
    pub(crate) fn new(model: &'m Model) -> Self {
        let mut geometry = Geometry::new(model);
        let mut phi = Vec::new();
        let mut row_names = Vec::new();
        let mut jacobian = Vec::new();
        for joint in &model.joints {
            let bodies = [joint.first.body, joint.second.body];
            for (constraint, direction) in constraints(&mut geometry, joint) {
                let mut row = Vec::new();
                for body in bodies.into_iter().flatten() {
                    for (column, direction) in basis(&mut geometry, model, body) {
                        let entry = geometry.scalar_derivative(constraint, &direction);
                        let entry = geometry.lower_scalar(entry);
                        if !geometry.graph.is_zero(entry) {
                            row.push((column, entry));
                        }
                    }
                }
                row.sort_by_key(|(column, _)| *column);
                jacobian.push(row);
                phi.push(constraint);
                row_names.push(format!("joint `{}`, {direction}", joint.name));
            }
        }
        let mass: Vec<_> = model.body_ids().map(|id| mass_matrix(model, id)).collect();
        let mass_inverse = mass.iter().map(|m| inverse(m)).collect();
        let mut mechanics = Self {
            model,
            geometry,
            phi,
            row_names,
            jacobian,
            force: Vec::new(),
            mass,
            mass_inverse,
        };
        mechanics.force = mechanics.forces();
        mechanics
    }

    pub(crate) fn graph(&mut self) -> &mut Graph {
        &mut self.geometry.graph
    }

    /// `g`: gyroscopic terms minus the weight.
    fn forces(&mut self) -> Vec<Id> {
        let model = self.model;
        let mut force = Vec::new();
        for body in model.body_ids() {
            let gyroscopic = self.gyroscopic(body);
            let weight = self.weight(body);
            for (gyroscopic, weight) in gyroscopic.into_iter().zip(weight) {
                force.push(self.graph().sub(gyroscopic, weight));
            }
        }
        force
    }

    /// The weight as a generalized force, in group coordinates.
    fn weight(&mut self, id: BodyId) -> Vec<Id> {
        let parts = self.weight_vectors(id);
        let lowered = parts.map(|part| self.geometry.lower(part));
        pick(self.model.body(id).group, lowered)
    }

    /// Moment and force of the weight: `(c x R^T m gamma, R^T m gamma)`, the force in
    /// inertial axes where the velocity is.
    fn weight_vectors(&mut self, id: BodyId) -> [Vector; 2] {
        let body = self.model.body(id);
        let g = &mut self.geometry;
        let force = g.constant(self.model.gravity.map(|x| x * body.mass));
        let inside = g.rotated_back(Some(id), force);
        let center = g.constant(body.center);
        let moment = g.cross(center, inside);
        let force = if body.group.is_semidirect() {
            inside
        } else {
            force
        };
        [moment, force]
    }

    fn gyroscopic(&mut self, id: BodyId) -> Vec<Id> {
        let body = self.model.body(id);
        let mass = self.mass[id.0].clone();
        let g = &mut self.geometry.graph;
        let n = body.group.dof();
        let zero = g.zero();
        if !body.group.rotates() {
            return vec![zero; n];
        }
        let v: Vec<Id> = (0..n).map(|i| g.input("v", body.velocity + i)).collect();
        let momentum: Vec<Id> = mass
            .iter()
            .map(|row| {
                let row: Vec<Id> = row.iter().map(|x| g.constant(*x)).collect();
                g.dot(&row, &v)
            })
            .collect();
        let omega = [v[0], v[1], v[2]];
        let spin = [momentum[0], momentum[1], momentum[2]];
        let mut moment = g.cross(omega, spin);
        let mut force = [zero; 3];
        if body.group.is_semidirect() {
            let (u, p) = ([v[3], v[4], v[5]], [momentum[3], momentum[4], momentum[5]]);
            if body.center != [0.0; 3] {
                let slide = g.cross(u, p);
                moment = g.add3(moment, slide);
            }
            force = g.cross(omega, p);
        }
        pick(body.group, [moment, force])
    }

    /// The direction of all bodies with an array of velocities.
    pub(crate) fn direction(&mut self, array: &'static str) -> Direction {
        let model = self.model;
        let mut direction = HashMap::new();
        for id in model.body_ids() {
            let body = model.body(id);
            let g = &mut self.geometry.graph;
            let zero = g.zero();
            let mut part = |from: usize| {
                core::array::from_fn(|i| {
                    if from + i < body.group.dof() {
                        g.input(array, body.velocity + from + i)
                    } else {
                        zero
                    }
                })
            };
            let (turn, shift) = match body.group {
                Group::Rn(_) => ([zero; 3], part(0)),
                _ => (part(0), part(3)),
            };
            let (turn, shift) = (self.geometry.fixed(turn), self.geometry.fixed(shift));
            direction.insert(id, (turn, shift));
        }
        direction
    }

    /// `B v` with the velocity in an array, as scalars.
    pub(crate) fn rates(&mut self, along: &Direction) -> Vec<Scalar> {
        let phi = self.phi.clone();
        phi.into_iter()
            .map(|phi| self.geometry.scalar_derivative(phi, along))
            .collect()
    }

    /// `(row, column, K_ij)` of `K = D_q(g + B^T lambda)`, in order.
    pub(crate) fn stiffness(&mut self) -> Vec<(usize, usize, Id)> {
        let mut entries = self.joint_stiffness(Frame::Group);
        self.add_force_stiffness(&mut entries);
        entries.sort_by_key(|(row, column, _)| (*row, *column));
        entries
    }

    /// `D_q(B^T lambda)`, its rows and columns in the directions of a frame.
    ///
    /// A row in a direction `R e` that turns with the body is the derivative for a fixed
    /// direction: what comes from its turning, `d_{R (w x e)} (lambda . Phi)`, is taken off.
    pub(crate) fn joint_stiffness(&mut self, frame: Frame) -> Vec<(usize, usize, Id)> {
        let mut entries: Vec<(usize, usize, Id)> = Vec::new();
        let model = self.model;
        for joint in &model.joints {
            let power = self.joint_power(joint);
            let bodies: Vec<BodyId> = [joint.first.body, joint.second.body]
                .into_iter()
                .flatten()
                .collect();
            for row_body in &bodies {
                for (row, along) in directions(&mut self.geometry, model, *row_body, frame) {
                    let push = self.geometry.scalar_derivative(power, &along);
                    for column_body in &bodies {
                        let columns = directions(&mut self.geometry, model, *column_body, frame);
                        for (column, along) in columns {
                            let entry = self.geometry.scalar_derivative(push, &along);
                            let entry = self.geometry.lower_scalar(entry);
                            add_entry(self.graph(), &mut entries, row, column, entry);
                        }
                    }
                    if frame == Frame::Body && model.body(*row_body).group.is_direct() {
                        self.take_off_turning(power, *row_body, row, &mut entries);
                    }
                }
            }
        }
        entries.sort_by_key(|(row, column, _)| (*row, *column));
        entries
    }

    fn take_off_turning(
        &mut self,
        power: Scalar,
        id: BodyId,
        row: usize,
        entries: &mut Vec<(usize, usize, Id)>,
    ) {
        let first = self.model.body(id).velocity;
        let Some(i) = (row - first).checked_sub(3) else {
            return;
        };
        for j in (0..3).filter(|j| *j != i) {
            // e_j x e_i
            let k = 3 - i - j;
            let sign = if (j + 1) % 3 == i { 1.0 } else { -1.0 };
            let mut cross = [0.0; 3];
            cross[k] = sign;
            let cross = self.geometry.constant(cross);
            let shift = self.geometry.rotated(Some(id), cross);
            let zero = self.geometry.zero();
            let along = HashMap::from([(id, (zero, shift))]);
            let entry = self.geometry.scalar_derivative(power, &along);
            let entry = self.geometry.lower_scalar(entry);
            let entry = self.graph().neg(entry);
            add_entry(self.graph(), entries, row, first + j, entry);
        }
    }

    /// Adds the stiffness of all forces.
    pub(crate) fn add_force_stiffness(&mut self, entries: &mut Vec<(usize, usize, Id)>) {
        let model = self.model;
        for id in model.body_ids() {
            let weight = self.weight_vectors(id);
            for (column, along) in basis(&mut self.geometry, model, id) {
                let change = weight.map(|part| self.geometry.vector_derivative(part, &along));
                let change = change.map(|part| self.geometry.lower(part));
                for (i, change) in pick(model.body(id).group, change).into_iter().enumerate() {
                    let entry = self.graph().neg(change);
                    let row = model.body(id).velocity + i;
                    add_entry(self.graph(), entries, row, column, entry);
                }
            }
        }
    }

    /// `lambda . Phi` of one joint.
    fn joint_power(&mut self, joint: &Joint) -> Scalar {
        let prefix = format!("joint `{}`,", joint.name);
        let rows: Vec<usize> = (0..self.phi.len())
            .filter(|row| self.row_names[*row].starts_with(&prefix))
            .collect();
        let mut terms = Vec::new();
        for row in rows {
            let lambda = self.graph().input("lambda", row);
            let lambda = self.geometry.number(lambda);
            terms.push((lambda, self.phi[row]));
        }
        self.geometry.sum(terms)
    }

    /// `(row, column, D_ij)` of `D = dg/dv`, in order.
    pub(crate) fn damping(&mut self) -> Vec<(usize, usize, Id)> {
        let mut entries = Vec::new();
        let force = self.force.clone();
        let model = self.model;
        for column in 0..model.dof() {
            let one = self.graph().one();
            let slopes = self.graph().derivative(&force, &|input| {
                let moves = input.array == "v" && input.index == u32::try_from(column).ok();
                moves.then_some(one)
            });
            for (row, slope) in slopes.into_iter().enumerate() {
                add_entry(self.graph(), &mut entries, row, column, slope);
            }
        }
        entries.sort_by_key(|(row, column, _)| (*row, *column));
        entries
    }

    /// Kinetic energy, potential energy.
    pub(crate) fn energy(&mut self) -> [Id; 2] {
        let model = self.model;
        let (mut kinetic, mut potential) = (self.graph().zero(), self.graph().zero());
        for id in model.body_ids() {
            let body = model.body(id);
            let mass = self.mass[id.0].clone();
            let g = &mut self.geometry.graph;
            for (i, row) in mass.iter().enumerate() {
                for (j, m) in row.iter().enumerate() {
                    let (x, y) = (
                        g.input("v", body.velocity + i),
                        g.input("v", body.velocity + j),
                    );
                    let (square, half) = (g.mul(x, y), g.constant(0.5 * m));
                    let part = g.mul(half, square);
                    kinetic = g.add(kinetic, part);
                }
            }
            let center = self.center(id);
            let weight = self
                .geometry
                .constant(model.gravity.map(|x| -x * body.mass));
            let height = self.geometry.dot(weight, center);
            let height = self.geometry.lower_scalar(height);
            potential = self.graph().add(potential, height);
        }
        [kinetic, potential]
    }

    /// Linear momentum, angular momentum about the origin.
    pub(crate) fn momentum(&mut self) -> [Id; 6] {
        let model = self.model;
        let along = self.direction("v");
        let (mut linear, mut angular) = (self.geometry.zero(), self.geometry.zero());
        for id in model.body_ids() {
            let body = model.body(id);
            let center = self.center(id);
            let speed = self.geometry.vector_derivative(center, &along);
            let mass = self.geometry.constant_number(body.mass);
            let p = self.geometry.scale(mass, speed);
            linear = self.geometry.add(linear, p);
            let orbit = self.geometry.cross(center, p);
            angular = self.geometry.add(angular, orbit);
            if body.group.rotates() {
                let g = &mut self.geometry.graph;
                let omega: [Id; 3] = core::array::from_fn(|i| g.input("v", body.velocity + i));
                let spin = body.inertia.map(|row| {
                    let row = row.map(|x| g.constant(x));
                    g.dot(&row, &omega)
                });
                let spin = self.geometry.fixed(spin);
                let spin = self.geometry.rotated(Some(id), spin);
                angular = self.geometry.add(angular, spin);
            }
        }
        let (l, a) = (self.geometry.lower(linear), self.geometry.lower(angular));
        [l[0], l[1], l[2], a[0], a[1], a[2]]
    }

    /// Centre of mass in the inertial frame.
    fn center(&mut self, id: BodyId) -> Vector {
        let center = self.geometry.constant(self.model.body(id).center);
        let place = self.geometry.position(Some(id));
        let arm = self.geometry.rotated(Some(id), center);
        self.geometry.add(place, arm)
    }
}

fn add_entry(
    graph: &mut Graph,
    entries: &mut Vec<(usize, usize, Id)>,
    row: usize,
    column: usize,
    value: Id,
) {
    if graph.is_zero(value) {
        return;
    }
    if let Some(entry) = entries
        .iter_mut()
        .find(|(r, c, _)| (*r, *c) == (row, column))
    {
        entry.2 = graph.add(entry.2, value);
    } else {
        entries.push((row, column, value));
    }
}

/// The components that a group has, of moment and force.
fn pick(group: Group, [moment, force]: [[Id; 3]; 2]) -> Vec<Id> {
    match group {
        Group::So3 | Group::S3 => moment.to_vec(),
        Group::Rn(n) => force[..n.min(3)].to_vec(),
        _ => [moment, force].concat(),
    }
}

/// Axes of the translations of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Frame {
    /// Those of the group: inertial on direct products.
    Group,
    /// Those of the body.
    Body,
}

/// The unit directions of a body, each with its column.
pub(crate) fn basis(
    geometry: &mut Geometry<'_>,
    model: &Model,
    id: BodyId,
) -> Vec<(usize, Direction)> {
    directions(geometry, model, id, Frame::Group)
}

/// The unit directions of a body in a frame, each with its column.
pub(crate) fn directions(
    geometry: &mut Geometry<'_>,
    model: &Model,
    id: BodyId,
    frame: Frame,
) -> Vec<(usize, Direction)> {
    let body = model.body(id);
    let turned = frame == Frame::Body && body.group.is_direct();
    (0..body.group.dof())
        .map(|i| {
            let unit = |on: bool| core::array::from_fn(|j| f64::from(u8::from(on && j == i % 3)));
            let turns = body.group.rotates() && i < 3;
            let turn = geometry.constant(unit(turns));
            let shift = geometry.constant(unit(!turns));
            let shift = if turned {
                geometry.rotated(Some(id), shift)
            } else {
                shift
            };
            (body.velocity + i, HashMap::from([(id, (turn, shift))]))
        })
        .collect()
}

/// The scalar constraints of a joint, each with the name of its direction. This is the one
/// place that knows what joints do; signs and order are those of the runtime's joints.
fn constraints(g: &mut Geometry<'_>, joint: &Joint) -> Vec<(Scalar, String)> {
    const NAMES: [&str; 3] = ["x", "y", "z"];
    let gap = gap(g, joint);
    let one = g.constant_number(1.0);
    let mut rows = Vec::new();
    if let JointKind::Distance { length } = joint.kind {
        let square = g.dot(gap, gap);
        let factor = g.constant_number(0.5 / length);
        let offset = g.constant_number(-0.5 * length);
        let constraint = g.sum(vec![(factor, square), (one, offset)]);
        return vec![(constraint, "length".to_owned())];
    }
    for (axis, name) in joint.second.axes.iter().zip(NAMES) {
        let axis = g.constant(*axis);
        rows.push((g.dot(axis, gap), format!("position along {name}")));
    }
    if joint.kind == JointKind::Revolute {
        for i in [0, 1] {
            let first = axis_in_second(g, joint, joint.first.axes[i]);
            let second = g.constant(joint.second.axes[2]);
            let name = format!("{} of first normal to z of second", NAMES[i]);
            rows.push((g.dot(first, second), name));
        }
    }
    rows
}

/// `R_b^T (x_a + R_a p_a - x_b) - p_b`.
fn gap(g: &mut Geometry<'_>, joint: &Joint) -> Vector {
    let Joint { first, second, .. } = joint;
    let point = point_of(g, first);
    let origin = g.position(second.body);
    let apart = g.sub(point, origin);
    let seen = g.rotated_back(second.body, apart);
    let hook = g.constant(second.point);
    g.sub(seen, hook)
}

/// A point of a body in the inertial frame.
fn point_of(g: &mut Geometry<'_>, at: &Attachment) -> Vector {
    let point = g.constant(at.point);
    let arm = g.rotated(at.body, point);
    let origin = g.position(at.body);
    g.add(origin, arm)
}

/// An axis of the first body in the frame of the second.
fn axis_in_second(g: &mut Geometry<'_>, joint: &Joint, axis: [f64; 3]) -> Vector {
    let axis = g.constant(axis);
    let outside = g.rotated(joint.first.body, axis);
    g.rotated_back(joint.second.body, outside)
}

/// Mass matrix in group coordinates, constant by the choice of groups.
fn mass_matrix(model: &Model, id: BodyId) -> Vec<Vec<f64>> {
    let body = model.body(id);
    let (m, c, n) = (body.mass, body.center, body.group.dof());
    let mut matrix = vec![vec![0.0; n]; n];
    if !body.group.rotates() {
        for (i, row) in matrix.iter_mut().enumerate() {
            row[i] = m;
        }
        return matrix;
    }
    let square: f64 = c.iter().map(|x| x * x).sum();
    let hat = [[0.0, -c[2], c[1]], [c[2], 0.0, -c[0]], [-c[1], c[0], 0.0]];
    for i in 0..3 {
        for j in 0..3 {
            let identity = f64::from(u8::from(i == j));
            matrix[i][j] = body.inertia[i][j] + m * (square * identity - c[i] * c[j]);
            if n == 6 {
                matrix[i][3 + j] = m * hat[i][j];
                matrix[3 + i][j] = -m * hat[i][j];
                matrix[3 + i][3 + j] = m * identity;
            }
        }
    }
    matrix
}

/// Inverse of a small positive definite matrix, by elimination.
fn inverse(matrix: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let n = matrix.len();
    let mut a = matrix.to_vec();
    let mut inverse: Vec<Vec<f64>> = (0..n)
        .map(|i| (0..n).map(|j| f64::from(u8::from(i == j))).collect())
        .collect();
    for k in 0..n {
        let pivot = a[k][k];
        for j in 0..n {
            a[k][j] /= pivot;
            inverse[k][j] /= pivot;
        }
        for i in (0..n).filter(|i| *i != k) {
            let factor = a[i][k];
            if factor != 0.0 {
                for j in 0..n {
                    a[i][j] -= factor * a[k][j];
                    inverse[i][j] -= factor * inverse[k][j];
                }
            }
        }
    }
    inverse
}
