//! The equations of a model as expressions.
//!
//! Constraints are written once, as scalars in [`Geometry`]; everything else
//! follows by differentiation along the group directions and time:
//!
//! ```text
//! B e_i          = d_i Phi
//! B v            = d_v Phi          Phi_t = d_t Phi
//! Z              = (d_v + d_t)(d_v + d_t) Phi
//! D_q(B v + Phi_t) w = d_w (d_v + d_t) Phi
//! (B^T lambda)_i = d_i (lambda . Phi)
//! K w            = d_w (g + B^T lambda)
//! ```

mod force;
mod joint;
mod mass;
mod modal;

use std::ops::Range;

use crate::expr::{Graph, Id};
use crate::formula::Formula;
use crate::geometry::{Direction, Frame, Geometry, Scalar, Vector};
use crate::model::{BodyId, Group, JointId, Model};

/// Expressions of everything that a solver asks for.
#[derive(Debug)]
pub(crate) struct Mechanics<'m> {
    pub(crate) model: &'m Model,
    pub(crate) geometry: Geometry<'m>,
    /// Constraints, row by row.
    pub(crate) phi: Vec<Scalar>,
    /// Joint and direction of each row.
    pub(crate) row_names: Vec<String>,
    /// Rows of each joint.
    pub(crate) joint_rows: Vec<Range<usize>>,
    /// Nonzero entries (column, value) of each row of `B`, functions of `q`.
    pub(crate) jacobian: Vec<Vec<(usize, Id)>>,
    /// `g` as a function of `q` and `v`.
    pub(crate) force: Vec<Id>,
    /// Mass matrix of each body.
    pub(crate) mass: Vec<Vec<Vec<Id>>>,
    /// Its inverse.
    pub(crate) mass_inverse: Vec<Vec<Vec<Id>>>,
    /// What forces add to `g`, row by row, force by force.
    applied: Vec<Vec<(usize, Scalar)>>,
}

impl<'m> Mechanics<'m> {
    pub(crate) fn new(model: &'m Model) -> Self {
        let mut geometry = Geometry::new(model);
        let mut phi = Vec::new();
        let mut row_names = Vec::new();
        let mut joint_rows = Vec::new();
        let mut jacobian = Vec::new();
        for joint in &model.joints {
            let first_row = phi.len();
            for (constraint, direction) in joint::constraints(&mut geometry, joint) {
                let mut row = Vec::new();
                for body in [joint.first.body, joint.second.body].into_iter().flatten() {
                    for (column, direction) in geometry.basis(body) {
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
            joint_rows.push(first_row..phi.len());
        }
        let (mass, mass_inverse) = model
            .body_ids()
            .map(|id| mass::matrices(&mut geometry, id))
            .unzip();
        let applied = model
            .forces
            .iter()
            .map(|force| force::generalized(&mut geometry, force))
            .collect();
        let mut mechanics = Self {
            model,
            geometry,
            phi,
            row_names,
            joint_rows,
            jacobian,
            force: Vec::new(),
            mass,
            mass_inverse,
            applied,
        };
        mechanics.force = mechanics.forces();
        mechanics
    }

    /// What a force adds to `g`.
    pub(crate) fn applied(&mut self, force: usize) -> Vec<Id> {
        let terms = self.applied[force].clone().into_iter();
        terms
            .map(|(_, term)| self.geometry.lower_scalar(term))
            .collect()
    }

    /// Place and power of each force that may be no number. Where a force is none, its power is not
    /// finite either, even at rest.
    pub(crate) fn powers(&mut self) -> Vec<(usize, Id)> {
        let model = self.model;
        let mut powers = Vec::new();
        for (place, force) in model.forces.iter().enumerate() {
            if !force::may_be_no_number(&force.kind) {
                continue;
            }
            let mut power = self.graph().zero();
            for (row, term) in self.applied[place].clone() {
                let term = self.geometry.lower_scalar(term);
                let g = self.graph();
                let v = g.input("v", row);
                let part = g.mul(term, v);
                power = g.sub(power, part);
            }
            powers.push((place, power));
        }
        powers
    }

    pub(crate) fn graph(&mut self) -> &mut Graph {
        &mut self.geometry.graph
    }

    /// `g`: gyroscopic terms minus the weight and all other forces.
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
        for (row, term) in self.applied.clone().into_iter().flatten() {
            let term = self.geometry.lower_scalar(term);
            force[row] = self.graph().add(force[row], term);
        }
        force
    }

    /// All bodies but those with modal coordinates, which have neither weight nor momentum.
    fn bodies_in_space(&self) -> Vec<BodyId> {
        let model = self.model;
        let in_space = |id: &BodyId| model.body(*id).modes().is_none();
        model.body_ids().filter(in_space).collect()
    }

    /// The weight as a generalized force, in group coordinates.
    fn weight(&mut self, id: BodyId) -> Vec<Id> {
        if let Some(n) = self.model.body(id).modes() {
            return vec![self.graph().zero(); n];
        }
        let parts = self.weight_vectors(id);
        let lowered = parts.map(|part| self.geometry.lower(part));
        pick(self.model.body(id).group, lowered)
    }

    /// Moment and force of the weight: `(c x R^T m gamma, R^T m gamma)`, the force in
    /// inertial axes where the velocity is.
    fn weight_vectors(&mut self, id: BodyId) -> [Vector; 2] {
        let body = self.model.body(id);
        let g = &mut self.geometry;
        let force = weight_of(g, id);
        let inside = g.rotated_back(Some(id), force);
        let center = g.fixed_formulas(&body.center);
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
        let momentum: Vec<Id> = mass.iter().map(|row| g.dot(row, &v)).collect();
        let omega = [v[0], v[1], v[2]];
        let spin = [momentum[0], momentum[1], momentum[2]];
        let mut moment = g.cross(omega, spin);
        let mut force = [zero; 3];
        if body.group.is_semidirect() {
            let (u, p) = ([v[3], v[4], v[5]], [momentum[3], momentum[4], momentum[5]]);
            if !body.center.iter().all(Formula::is_zero) {
                let slide = g.cross(u, p);
                moment = g.add3(moment, slide);
            }
            force = g.cross(omega, p);
        }
        pick(body.group, [moment, force])
    }

    /// The direction of all bodies with an array of velocities.
    pub(crate) fn direction(&mut self, array: &'static str) -> Direction {
        self.geometry.motion(array)
    }

    /// Derivatives of the constraints along a direction, as scalars.
    pub(crate) fn rates(&mut self, along: &Direction) -> Vec<Scalar> {
        let phi = self.phi.clone();
        phi.into_iter()
            .map(|phi| self.geometry.scalar_derivative(phi, along))
            .collect()
    }

    /// `K w = D_q(g + B^T lambda) w`: one derivative, not the matrix.
    pub(crate) fn stiffness_times(&mut self) -> Vec<Id> {
        let model = self.model;
        let mut out = vec![self.graph().zero(); model.dof()];
        let along_w = self.direction("w");
        for place in 0..model.joints.len() {
            for (row, change) in self.joint_force_change(JointId(place), &along_w, Frame::Group) {
                out[row] = self.graph().add(out[row], change);
            }
        }
        for id in self.bodies_in_space() {
            let weight = self.weight_vectors(id);
            let change = weight.map(|part| self.geometry.vector_derivative(part, &along_w));
            let change = change.map(|part| self.geometry.lower(part));
            let body = model.body(id);
            for (i, change) in pick(body.group, change).into_iter().enumerate() {
                let row = body.velocity + i;
                out[row] = self.graph().sub(out[row], change);
            }
        }
        for (row, term) in self.applied.clone().into_iter().flatten() {
            let change = self.geometry.scalar_derivative(term, &along_w);
            let change = self.geometry.lower_scalar(change);
            out[row] = self.graph().add(out[row], change);
        }
        out
    }

    /// `D_q(B^T lambda)`, its rows and columns in the directions of a frame.
    pub(crate) fn joint_stiffness(&mut self, frame: Frame) -> Vec<(usize, usize, Id)> {
        let mut entries: Vec<(usize, usize, Id)> = Vec::new();
        let model = self.model;
        for (place, joint) in model.joints.iter().enumerate() {
            for body in [joint.first.body, joint.second.body].into_iter().flatten() {
                for (column, along) in self.geometry.directions(body, frame) {
                    for (row, entry) in self.joint_force_change(JointId(place), &along, frame) {
                        add_entry(self.graph(), &mut entries, row, column, entry);
                    }
                }
            }
        }
        entries.sort_by_key(|(row, column, _)| (*row, *column));
        entries
    }

    /// `B^T x` of all joints, of an array `x`: rows and values. The rows of translations are in
    /// the axes of the frame.
    pub(crate) fn joint_forces(
        &mut self,
        multipliers: &'static str,
        frame: Frame,
    ) -> Vec<(usize, Id)> {
        let mut forces = Vec::new();
        for place in 0..self.model.joints.len() {
            let power = self.joint_power(JointId(place), multipliers);
            for (id, parts) in self.geometry.gradient(power) {
                forces.extend(self.rows_of(id, parts, frame));
            }
        }
        forces
    }

    /// Moment and force on a body as rows, those of translations in the axes of a frame.
    fn rows_of(&mut self, id: BodyId, mut parts: [Vector; 2], frame: Frame) -> Vec<(usize, Id)> {
        let body = self.model.body(id);
        if frame == Frame::Body && body.group.is_direct() {
            parts[1] = self.geometry.rotated_back(Some(id), parts[1]);
        }
        let parts = parts.map(|part| self.geometry.lower(part));
        let values = pick(body.group, parts).into_iter().enumerate();
        values
            .map(|(i, value)| (body.velocity + i, value))
            .collect()
    }

    /// Derivative of `B^T lambda` of a joint along a direction: rows and values. The rows of
    /// translations are in the axes of the frame.
    fn joint_force_change(
        &mut self,
        joint: JointId,
        along: &Direction,
        frame: Frame,
    ) -> Vec<(usize, Id)> {
        let power = self.joint_power(joint, "lambda");
        let mut changes = Vec::new();
        for (id, parts) in self.geometry.gradient(power) {
            let parts = parts.map(|part| self.geometry.vector_derivative(part, along));
            changes.extend(self.rows_of(id, parts, frame));
        }
        changes
    }

    /// Adds the stiffness of all forces.
    pub(crate) fn add_force_stiffness(&mut self, entries: &mut Vec<(usize, usize, Id)>) {
        let model = self.model;
        for id in self.bodies_in_space() {
            let weight = self.weight_vectors(id);
            for (column, along) in self.geometry.basis(id) {
                let change = weight.map(|part| self.geometry.vector_derivative(part, &along));
                let change = change.map(|part| self.geometry.lower(part));
                for (i, change) in pick(model.body(id).group, change).into_iter().enumerate() {
                    let entry = self.graph().neg(change);
                    let row = model.body(id).velocity + i;
                    add_entry(self.graph(), entries, row, column, entry);
                }
            }
        }
        for (force, terms) in model.forces.iter().zip(self.applied.clone()) {
            let (_, read) = force.bodies(model);
            for (row, term) in terms {
                for id in &read {
                    for (column, along) in self.geometry.basis(*id) {
                        let entry = self.geometry.scalar_derivative(term, &along);
                        let entry = self.geometry.lower_scalar(entry);
                        add_entry(self.graph(), entries, row, column, entry);
                    }
                }
            }
        }
    }

    /// `lambda . Phi` of one joint.
    fn joint_power(&mut self, joint: JointId, multipliers: &'static str) -> Scalar {
        let rows = self.joint_rows[joint.0].clone();
        let lambda: Vec<Id> = rows
            .clone()
            .map(|row| self.graph().input(multipliers, row))
            .collect();
        let joint = self.model.joint(joint);
        joint::power(&mut self.geometry, joint, &self.phi[rows], &lambda)
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
                    let (square, half) = (g.mul(x, y), g.constant(0.5));
                    let half = g.mul(half, *m);
                    let part = g.mul(half, square);
                    kinetic = g.add(kinetic, part);
                }
            }
            if body.modes().is_some() {
                continue;
            }
            let center = self.center(id);
            let weight = weight_of(&mut self.geometry, id);
            let height = self.geometry.dot(weight, center);
            let height = self.geometry.lower_scalar(height);
            potential = self.graph().sub(potential, height);
        }
        for force in &model.forces {
            if let Some(energy) = force::potential(&mut self.geometry, force) {
                let energy = self.geometry.lower_scalar(energy);
                potential = self.graph().add(potential, energy);
            }
        }
        [kinetic, potential]
    }

    /// Linear momentum, angular momentum about the origin.
    pub(crate) fn momentum(&mut self) -> [Id; 6] {
        let model = self.model;
        let along = self.direction("v");
        let (mut linear, mut angular) = (self.geometry.zero(), self.geometry.zero());
        for id in self.bodies_in_space() {
            let body = model.body(id);
            let center = self.center(id);
            let speed = self.geometry.vector_derivative(center, &along);
            let mass = self.geometry.formula(&body.mass);
            let p = self.geometry.scale(mass, speed);
            linear = self.geometry.add(linear, p);
            let orbit = self.geometry.cross(center, p);
            angular = self.geometry.add(angular, orbit);
            if body.group.rotates() {
                let g = &mut self.geometry;
                let omega = core::array::from_fn(|i| g.graph.input("v", body.velocity + i));
                let omega = g.fixed(omega);
                let rows = body.inertia.each_ref().map(|row| g.fixed_formulas(row));
                let spin = rows.map(|row| {
                    let component = g.dot(row, omega);
                    g.lower_scalar(component)
                });
                let spin = g.fixed(spin);
                let spin = self.geometry.rotated(Some(id), spin);
                angular = self.geometry.add(angular, spin);
            }
        }
        let (l, a) = (self.geometry.lower(linear), self.geometry.lower(angular));
        [l[0], l[1], l[2], a[0], a[1], a[2]]
    }

    /// Centre of mass in the inertial frame.
    fn center(&mut self, id: BodyId) -> Vector {
        let center = self.geometry.fixed_formulas(&self.model.body(id).center);
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

/// `m gamma`.
fn weight_of(g: &mut Geometry<'_>, id: BodyId) -> Vector {
    let model = g.model;
    let gravity = g.fixed_formulas(&model.gravity);
    let mass = g.formula(&model.body(id).mass);
    let weight = g.scale(mass, gravity);
    let components = g.lower(weight);
    g.fixed(components)
}

#[cfg(test)]
mod tests;
