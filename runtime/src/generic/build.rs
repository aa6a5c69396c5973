//! From a description to a system: names become places, formulas become trees.

use super::assembly::Element;
use super::body::BodyData;
use super::bushing::Bushing;
use super::coordinate::Coordinate;
use super::description::{
    Attachment, BodyQuantity, Description, ForceKind, Formula, Joint, JointKind, JointQuantity,
    PositionAxes, Redundancy, RodElement, StartAngle,
};
use super::driver::{Drive, Driver};
use super::effort::{Effort, Law};
use super::force::ForceData;
use super::invalid::{self, Index, InvalidDescription};
use super::load::Load;
use super::modal::{ModalLoad, ModalSpring};
use super::rod::RodData;
use super::scalar::{Leaf, Scalar, Tree};
use super::spring::Spring;
use super::{GenericSystem, InertialJoint, JointData, joint};
use crate::chain::strain::HELD_STRAINS;
use crate::joints::{JointFrame, Place};
use crate::lie::Space;
use crate::linear::LinearMethod;
use nalgebra::Vector3;
use std::collections::HashMap;

/// Most constraints of a system in which they may be redundant: the solution of least norm needs
/// dense matrices, and time that grows with the third power of their size.
const MOST_REDUNDANT: usize = 2000;

/// Checks and assembles a description, with the fastest linear algebra unless one is given.
pub(super) fn build(
    description: Description,
    method: Option<LinearMethod>,
) -> Result<GenericSystem, InvalidDescription> {
    let index = Index::new(&description);
    invalid::check(&index)?;
    let method = match description.redundant {
        Redundancy::Allow => LinearMethod::LeastNorm,
        Redundancy::Reject => {
            method.unwrap_or_else(|| LinearMethod::for_bodies(description.bodies.len()))
        }
    };
    let mut names = Names {
        description: &index,
        coordinates: Vec::new(),
        known: HashMap::new(),
        read: Vec::new(),
    };
    let forces = description
        .forces
        .iter()
        .map(|force| names.force(&format!("force `{}`", force.name), &force.kind))
        .collect::<Result<Vec<_>, _>>()?;
    let mut drivers = Vec::new();
    for joint in &description.joints {
        if let JointKind::Driver { motion, value } = &joint.kind {
            let value = names.scalar(&format!("joint `{}`", joint.name), value)?;
            drivers.push(Driver::new(joint, *motion, value));
        }
    }
    let mut angles = Vec::new();
    for StartAngle { joint, angle } in &description.start_angles {
        let coordinate = names.coordinate("a start angle", joint, true)?;
        names.read.push(coordinate);
        angles.push((coordinate, *angle));
    }
    let Names {
        mut coordinates,
        read: mut turning,
        ..
    } = names;
    turning.sort_by_key(|&i| coordinates[i].joint);
    turning.dedup();
    for (place, &i) in turning.iter().enumerate() {
        coordinates[i].set_entry(place);
    }

    let kinds = description.bodies.iter().map(|body| body.group);
    let space = Space::with_angles(kinds, turning.len());
    let mut bodies: Vec<BodyData> = Vec::new();
    let mut modes = 0;
    for (body, factor) in description.bodies.iter().zip(space.factors()) {
        let places = (factor.config.clone(), factor.velocity.clone());
        let data = BodyData::new(&index, body, places, modes);
        modes = data.modes.as_ref().map_or(modes, |own| own.end);
        bodies.push(data);
    }
    let mut system = GenericSystem {
        gravity: Vector3::from(description.gravity),
        method,
        joints: Vec::new(),
        constraints: Vec::new(),
        drivers: Vec::new(),
        frames: Vec::new(),
        row_names: Vec::new(),
        start: (Box::default(), Box::default()),
        bodies: Vec::new(),
        coordinates,
        turning,
        forces,
        rods: Vec::new(),
        space,
        description: Description::default(),
    };
    let mut drivers = drivers.into_iter();
    let mut turns = (0..).zip(system.turning.clone()).peekable();
    for (place, joint) in description.joints.iter().enumerate() {
        // They are in the order of joints.
        let angle = turns.next_if(|(_, i)| system.coordinates[*i].joint == place);
        let angle = angle.map(|(angle, _)| angle);
        add_joint(&mut system, &index, angle, joint, &mut drivers);
    }
    for rod in &description.rods {
        add_rod(&mut system, &index, rod);
    }
    let constraints = system.row_names.len();
    if method == LinearMethod::LeastNorm && constraints > MOST_REDUNDANT {
        return Err(InvalidDescription::RedundantSize {
            constraints,
            limit: MOST_REDUNDANT,
        });
    }
    for (Element { a, b, .. }, rows) in system.holders() {
        for (body, second) in [(a, false), (b, true)] {
            if let Some(body) = body
                && !rows.is_empty()
            {
                bodies[body].held_by.push((rows.clone(), second));
            }
        }
    }
    let mut q = vec![0.0; system.space.config_len()].into_boxed_slice();
    let mut v = vec![0.0; system.space.dof()].into_boxed_slice();
    for (data, body) in bodies.iter().zip(&description.bodies) {
        data.start(body, &mut q, &mut v);
    }
    system.bodies = bodies;
    let turns = system.space.angles();
    for (coordinate, angle) in angles {
        if let Some(place) = system.coordinates[coordinate].entry() {
            q[turns.start + place] = angle;
        }
    }
    system.update_turns(&mut q);
    invalid::check_lines(&index)?;
    system.start = (q, v);
    system.description = description;
    system.start_rods();
    Ok(system)
}

/// Rows, names and frames of a joint.
fn add_joint(
    system: &mut GenericSystem,
    description: &Index<'_>,
    angle: Option<usize>,
    joint: &Joint,
    drivers: &mut impl Iterator<Item = Driver>,
) {
    let first_row = system.row_names.len();
    let mut driver = None;
    if let JointKind::Driver { motion, .. } = &joint.kind
        && let Some(data) = drivers.next()
    {
        driver = Some(system.drivers.len());
        system.drivers.push((first_row, data));
        // A row that every evaluation replaces.
        system.constraints.push(Drive::placeholder());
        let direction = match motion {
            super::description::Motion::Angle => "driven angle",
            super::description::Motion::Displacement => "driven displacement",
            super::description::Motion::Distance => "driven distance",
        };
        system
            .row_names
            .push(format!("joint `{}`, {direction}", joint.name));
    }
    let inertial = match description.positions {
        PositionAxes::Second => None,
        PositionAxes::Inertial => InertialJoint::new(
            &joint.kind,
            [joint.first.point, joint.second.point],
            [joint.first.axes, joint.second.axes],
        ),
    };
    let positions = match inertial {
        Some(_) => PositionAxes::Inertial,
        None => PositionAxes::Second,
    };
    for (constraint, direction) in joint::constraints(joint, positions) {
        system.constraints.push(constraint);
        system
            .row_names
            .push(format!("joint `{}`, {direction}", joint.name));
    }
    let Element { a, b, .. } = element(description, &joint.first, &joint.second);
    let rows = first_row..system.row_names.len();
    let bodies = system.space.config_len() - system.turning.len();
    system.frames.push(JointFrame {
        name: joint.name.clone(),
        kind: joint.kind.clone(),
        positions,
        first: place(a, &joint.first),
        second: place(b, &joint.second),
        rows: rows.clone(),
        angle: angle.map(|i| bodies + i),
    });
    system.joints.push(JointData {
        a,
        b,
        rows,
        driver,
        inertial: inertial.map(Box::new),
    });
}

/// Rows and names of a rod element.
fn add_rod(system: &mut GenericSystem, description: &Index<'_>, rod: &RodElement) {
    let element = element(description, &rod.first, &rod.second);
    let data = RodData::new(element, rod, system.row_names.len());
    for strain in &HELD_STRAINS[..data.rows.len()] {
        let name = format!("rod `{}`, {strain}", rod.name);
        system.row_names.push(name);
    }
    system.rods.push(data);
}

fn place(body: Option<usize>, attachment: &Attachment) -> Place {
    Place {
        body,
        point: attachment.point,
        axes: attachment.axes,
    }
}

fn element(description: &Index<'_>, first: &Attachment, second: &Attachment) -> Element {
    Element::between(
        description.body(&first.body),
        description.body(&second.body),
    )
}

/// What formulas and forces refer to.
struct Names<'a> {
    description: &'a Index<'a>,
    coordinates: Vec<Coordinate>,
    /// The coordinates of joints, by joint and by whether they are angles.
    known: HashMap<(usize, bool), usize>,
    /// The coordinates whose continuous angles are read.
    read: Vec<usize>,
}

impl Names<'_> {
    /// Finds or adds a coordinate of a joint.
    fn coordinate(
        &mut self,
        item: &str,
        name: &str,
        angle: bool,
    ) -> Result<usize, InvalidDescription> {
        let joint = invalid::find_joint(self.description, item, name)?;
        if let Some(found) = self.known.get(&(joint, angle)) {
            return Ok(*found);
        }
        self.known.insert((joint, angle), self.coordinates.len());
        let data = &self.description.joints[joint];
        let element = element(self.description, &data.first, &data.second);
        self.coordinates.push(if angle {
            Coordinate::angle(joint, element, data)
        } else {
            Coordinate::displacement(joint, element, data)
        });
        Ok(self.coordinates.len() - 1)
    }

    /// Notes that the value of a coordinate is read.
    fn reads(&mut self, coordinate: usize) {
        if self.coordinates[coordinate].is_angle() {
            self.read.push(coordinate);
        }
    }

    /// The coordinate that an effort acts along: an angle where there is one.
    fn effort(&mut self, item: &str, name: &str) -> Result<usize, InvalidDescription> {
        let joint = invalid::find_joint(self.description, item, name)?;
        let angle = self.description.joints[joint].kind.has_angle();
        self.coordinate(item, name, angle)
    }

    fn leaf(&mut self, item: &str, formula: &Formula) -> Result<Option<Leaf>, InvalidDescription> {
        Ok(match formula {
            Formula::Body {
                body,
                quantity,
                axis,
            } => {
                let body = invalid::find_body(self.description, item, body)?;
                let modal = self.description.is_modal(&self.description.bodies[body]);
                Some(if modal {
                    Leaf::Mode {
                        body,
                        component: *axis,
                        rate: *quantity == BodyQuantity::Velocity,
                    }
                } else {
                    Leaf::Body {
                        body,
                        quantity: *quantity,
                        axis: *axis,
                    }
                })
            }
            Formula::Joint { joint, quantity } => {
                use JointQuantity::{Angle, AngleRate, Displacement, DisplacementRate};
                let angle = matches!(quantity, Angle | AngleRate);
                let coordinate = self.coordinate(item, joint, angle)?;
                if matches!(quantity, Angle | Displacement) {
                    self.reads(coordinate);
                }
                let rate = matches!(quantity, AngleRate | DisplacementRate);
                Some(Leaf::Joint { coordinate, rate })
            }
            _ => None,
        })
    }

    fn scalar(&mut self, item: &str, formula: &Formula) -> Result<Scalar, InvalidDescription> {
        let mut leaves = Vec::new();
        let tree = Tree::new(formula, &mut |quantity| {
            let leaf = self.leaf(item, quantity)?;
            let place = leaves.iter().position(|x| Some(*x) == leaf);
            Ok(place.unwrap_or_else(|| {
                leaves.extend(leaf);
                leaves.len() - 1
            }))
        })?;
        Ok(Scalar::new(tree, leaves))
    }

    fn force(&mut self, item: &str, kind: &ForceKind) -> Result<ForceData, InvalidDescription> {
        Ok(match kind {
            ForceKind::SpringDamper {
                first,
                second,
                stiffness,
                damping,
                length,
            } => {
                let Element { a, b, .. } = element(self.description, first, second);
                ForceData::Spring(Spring {
                    a,
                    b,
                    point_a: Vector3::from(first.point),
                    point_b: Vector3::from(second.point),
                    stiffness: *stiffness,
                    damping: *damping,
                    length: *length,
                })
            }
            ForceKind::Bushing {
                first,
                second,
                stiffness,
                damping,
            } => {
                let element = element(self.description, first, second);
                let bushing = Bushing::new(element, first, second, stiffness, damping);
                ForceData::Bushing(Box::new(bushing))
            }
            ForceKind::Load {
                at,
                force,
                torque,
                frame,
            } => {
                let body = invalid::find_body(self.description, item, &at.body)?;
                let [fx, fy, fz] = force;
                let [tx, ty, tz] = torque;
                let components = [
                    self.scalar(item, fx)?,
                    self.scalar(item, fy)?,
                    self.scalar(item, fz)?,
                    self.scalar(item, tx)?,
                    self.scalar(item, ty)?,
                    self.scalar(item, tz)?,
                ];
                ForceData::Load(Box::new(Load::new(body, at, *frame, components)))
            }
            ForceKind::TorsionSpring {
                joint,
                stiffness,
                damping,
                angle,
            } => {
                let coordinate = self.coordinate(item, joint, true)?;
                self.reads(coordinate);
                let law = Law::Spring {
                    stiffness: *stiffness,
                    damping: *damping,
                    rest: *angle,
                };
                ForceData::Effort(Box::new(Effort { coordinate, law }))
            }
            ForceKind::PdControl {
                joint,
                proportional,
                derivative,
                target,
            } => {
                let coordinate = self.effort(item, joint)?;
                self.reads(coordinate);
                let target = self.scalar(item, target)?;
                let law = Law::Control {
                    proportional: *proportional,
                    derivative: *derivative,
                    target_rate: target.rate(),
                    target,
                };
                ForceData::Effort(Box::new(Effort { coordinate, law }))
            }
            ForceKind::Actuator { joint, effort } => {
                let coordinate = self.effort(item, joint)?;
                let law = Law::Formula(self.scalar(item, effort)?);
                ForceData::Effort(Box::new(Effort { coordinate, law }))
            }
            ForceKind::ModalSpring {
                body,
                stiffness,
                damping,
            } => {
                let body = invalid::find_body(self.description, item, body)?;
                ForceData::ModalSpring(ModalSpring::new(body, stiffness, damping))
            }
            ForceKind::ModalLoad { body, force } => {
                let body = invalid::find_body(self.description, item, body)?;
                let force = force.iter().map(|component| self.scalar(item, component));
                let force = force.collect::<Result<_, _>>()?;
                ForceData::ModalLoad(ModalLoad { body, force })
            }
        })
    }
}
