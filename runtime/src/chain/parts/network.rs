//! From parts to a network: any joints, loops and forces, behind the generic system.
//!
//! Bodies, joints, rods and forces become a [`Description`], with the names of the
//! fields. A node that does not move is a frame of the ground. The matrices are
//! eliminated by [fronts](LinearMethod::Fronts).

use super::force::{ForcePart, LoadPart};
use super::place::Placed;
use super::tree::{joint_axes, triad};
use super::{Connection, Item, JointAxis, JointPoints, NamedJoint, Parts};
use crate::chain::invalid::{InvalidTree, check};
use crate::consistency::{self, DEFAULT_TOLERANCE};
use crate::generic::description::{
    Attachment, Body, BodyQuantity, Description, Force, ForceKind, Formula, GROUND, Joint,
    PositionAxes, Redundancy, RodElement, Start, identity_axes,
};
use crate::generic::{GenericSystem, LinearMethod};
use crate::lie::{GroupKind, Rotation};
use crate::parameters::close_loops;
use crate::state::State;
use nalgebra::{Matrix3, Vector3};

impl Parts {
    /// A system of rods, bodies, joints and forces in any arrangement.
    ///
    /// # Errors
    /// [`InvalidTree`] with the part and the number that is wrong.
    pub fn network(&self) -> Result<GenericSystem, InvalidTree> {
        self.check_nodes()?;
        self.check_inertias()?;
        let masses = self.masses()?;
        let placed = self.placed()?;
        self.network_at(&placed, &masses)
    }

    /// The same with velocities that may yet be changed.
    pub(super) fn network_at(
        &self,
        placed: &[Placed],
        masses: &[(f64, Vector3<f64>)],
    ) -> Result<GenericSystem, InvalidTree> {
        let network = Network {
            parts: self,
            placed,
        };
        let description = network.description(masses)?;
        let mut system = GenericSystem::with_method(description, LinearMethod::Fronts)?;
        self.finish_start(&mut system, placed);
        Ok(system)
    }

    /// Closes loops if asked to, and changes velocities that are not given where they do not fit: where
    /// they contradict a joint or a driver, or an element would have to strain. What contradicts the
    /// joints all the same is left as it is: the constructor reports it.
    fn finish_start(&self, system: &mut GenericSystem, placed: &[Placed]) {
        let mut state = State::start(system, 0.0);
        let Ok(found) = consistency::residuals(system, &state) else {
            return;
        };
        let closed = found.position <= DEFAULT_TOLERANCE;
        if closed && found.velocity <= DEFAULT_TOLERANCE && self.elements_follow(placed) {
            return;
        }
        if !closed && (!self.assemble || close_loops(system, &mut state).is_err()) {
            return;
        }
        if system.follow(&mut state, &self.given_velocities()).is_ok()
            && consistency::check(system, &state, DEFAULT_TOLERANCE).is_ok()
        {
            system.set_start(&state.q, &state.v);
        }
    }

    /// Which components of the velocity are given, in the coordinates of the groups.
    fn given_velocities(&self) -> Vec<bool> {
        let mut given = Vec::new();
        for member in self.members.iter().filter(|member| !member.clamped) {
            let velocity = member.start.velocity.is_some();
            let turns = member.start.angular_velocity.is_some();
            match member.group {
                GroupKind::Rn(n) => given.extend(vec![velocity; n]),
                GroupKind::SO3 | GroupKind::S3 => given.extend([turns; 3]),
                _ => given.extend([turns, turns, turns, velocity, velocity, velocity]),
            }
        }
        given
    }
}

/// Parts with their start.
struct Network<'a> {
    parts: &'a Parts,
    placed: &'a [Placed],
}

impl Network<'_> {
    fn description(&self, masses: &[(f64, Vector3<f64>)]) -> Result<Description, InvalidTree> {
        let parts = self.parts;
        let mut out = Description {
            name: "network".to_owned(),
            gravity: parts.gravity,
            positions: PositionAxes::Inertial,
            redundant: if parts.redundant {
                Redundancy::Allow
            } else {
                Redundancy::Reject
            },
            ..Description::default()
        };
        for (i, (mass, inertia)) in masses.iter().enumerate() {
            if !parts.members[i].clamped {
                out.bodies.push(self.body(i, *mass, inertia)?);
            }
        }
        if out.bodies.is_empty() {
            return Err(InvalidTree::Empty);
        }
        for connection in &parts.connections {
            match connection {
                Connection::Elements(list) => self.add_elements(*list, &mut out)?,
                Connection::Joint(joint) => out.joints.push(self.joint(&parts.joints[*joint])?),
            }
        }
        for (name, force) in &parts.forces {
            out.forces.push(Force {
                name: name.clone(),
                kind: self.force(name, force)?,
            });
        }
        Ok(out)
    }

    /// Whether an item does not move.
    fn is_fixed(&self, item: Item) -> bool {
        item.0.is_none_or(|i| self.parts.members[i].clamped)
    }

    fn frame(&self, item: Item) -> Placed {
        item.0.map_or_else(Placed::ground, |i| self.placed[i])
    }

    fn body(&self, i: usize, mass: f64, inertia: &Vector3<f64>) -> Result<Body, InvalidTree> {
        let (member, placed) = (&self.parts.members[i], &self.placed[i]);
        let name = self.parts.name(i);
        let [x, y, z] = placed.rotation.vector.into();
        let mut start = Start {
            position: placed.position.as_slice().to_vec(),
            rotation: [placed.rotation.scalar, x, y, z],
            velocity: placed.velocity.as_slice().to_vec(),
            angular_velocity: placed.angular_velocity.into(),
        };
        match member.group {
            GroupKind::Rn(n) => {
                start.position.resize(n, 0.0);
                start.velocity.resize(n, 0.0);
                start.rotation = [1.0, 0.0, 0.0, 0.0];
                start.angular_velocity = [0.0; 3];
            }
            // The origin stays where it is.
            GroupKind::SO3 | GroupKind::S3 => start.velocity = Vec::new(),
            _ => {}
        }
        if let Some(body) = member.body {
            return Ok(Body {
                name,
                group: member.group,
                mass: body.mass,
                inertia: body.inertia,
                center: body.center,
                start,
            });
        }
        if mass == 0.0 {
            return Err(InvalidTree::NoElement { item: name });
        }
        let inertia = Matrix3::from_diagonal(inertia);
        Ok(Body {
            name,
            group: member.group,
            mass,
            inertia: core::array::from_fn(|i| core::array::from_fn(|j| inertia[(i, j)])),
            center: [0.0; 3],
            start,
        })
    }

    /// A frame of an item, with its point in the item's coordinates and its axes in inertial ones.
    fn attachment(&self, item: Item, point: [f64; 3], axes: &[Vector3<f64>; 3]) -> Attachment {
        let frame = self.frame(item);
        match item.0.filter(|_| !self.is_fixed(item)) {
            Some(i) => Attachment {
                body: self.parts.name(i),
                point,
                axes: axes.map(|axis| frame.rotation.rotate_inverse(&axis).into()),
            },
            None => Attachment {
                body: GROUND.to_owned(),
                point: (frame.position + frame.rotation.rotate(&Vector3::from(point))).into(),
                axes: axes.map(Into::into),
            },
        }
    }

    /// The frames of something between two items.
    fn pair(
        &self,
        name: &str,
        ends: [Item; 2],
        points: &JointPoints,
        axes: &[[Vector3<f64>; 3]; 2],
    ) -> Result<[Attachment; 2], InvalidTree> {
        if ends.iter().all(|end| self.is_fixed(*end)) {
            return Err(InvalidTree::HoldsNothing {
                item: name.to_owned(),
            });
        }
        Ok([0, 1].map(|side: usize| {
            let point = match points {
                JointPoints::Each(points) => points[side],
                JointPoints::World(point) => {
                    self.frame(ends[side]).local(&Vector3::from(*point)).into()
                }
            };
            self.attachment(ends[side], point, &axes[side])
        }))
    }

    fn joint(&self, NamedJoint { name, joint }: &NamedJoint) -> Result<Joint, InvalidTree> {
        let mut axes = joint_axes(name, joint, &|item| self.frame(item))?;
        // The first frame is turned back, so that the joint starts with its angle.
        let (sin, cos) = joint.angle.sin_cos();
        let [x, y, z] = axes[0];
        axes[0] = [x * cos - y * sin, x * sin + y * cos, z];
        let [first, second] = self.pair(name, joint.ends, &joint.points, &axes)?;
        Ok(Joint {
            name: name.clone(),
            kind: joint.kind.clone(),
            first,
            second,
        })
    }

    fn add_elements(&self, list: usize, out: &mut Description) -> Result<(), InvalidTree> {
        let parts = self.parts;
        let list = &parts.elements[list];
        let mut shares = vec![0.0; parts.members.len()];
        for (i, element) in list.list.iter().enumerate() {
            let name = list.array.item(i);
            if element.ends.iter().all(|end| self.is_fixed(*end)) {
                return Err(InvalidTree::HoldsNothing { item: name });
            }
            let [first, second] = element.ends.map(|end| {
                let frame = self.frame(end).rotation;
                let axes = identity_axes().map(|axis| frame.rotate(&Vector3::from(axis)));
                let mut attachment = self.attachment(end, [0.0; 3], &axes);
                if !self.is_fixed(end) {
                    // Without the rounding of the way there and back.
                    attachment.axes = identity_axes();
                }
                attachment
            });
            let data = element.section.element(
                element.length,
                &element.reference(),
                element.constraint,
                element.stiffness_of_held_strains,
            );
            out.rods.push(RodElement {
                name,
                first,
                second,
                length: element.length,
                reference: element.reference(),
                stiffness: data.stiffness.into(),
                damping: data.damping.into(),
                constraint: element.constraint,
            });
            for member in element.ends.into_iter().filter_map(|end| end.0) {
                shares[member] += 0.5 * element.length;
            }
        }
        for (name, load) in &list.spread {
            let weights = shares.iter().enumerate().filter(|(_, share)| **share > 0.0);
            for (member, share) in weights.filter(|(i, _)| !parts.members[*i].clamped) {
                let node = parts.name(member);
                out.forces.push(Force {
                    name: format!("{name} at {node}"),
                    kind: self.load(&node, [0.0; 3], load, *share),
                });
            }
        }
        Ok(())
    }

    /// A load on a point of a body, times a weight.
    fn load(&self, body: &str, point: [f64; 3], load: &LoadPart, weight: f64) -> ForceKind {
        let scaled = |formula: &Formula| match self.resolved(formula) {
            formula if weight == 1.0 => formula,
            Formula::Number(x) => Formula::Number(x * weight),
            formula => Formula::Mul(Box::new(Formula::Number(weight)), Box::new(formula)),
        };
        ForceKind::Load {
            at: Attachment::at(body, point),
            force: load.force.each_ref().map(scaled),
            torque: load.torque.each_ref().map(scaled),
            frame: load.frame,
        }
    }

    fn force(&self, name: &str, force: &ForcePart) -> Result<ForceKind, InvalidTree> {
        let inertial = [identity_axes().map(Vector3::from); 2];
        Ok(match force {
            ForcePart::SpringDamper {
                ends,
                points,
                stiffness,
                damping,
                length,
            } => {
                let [first, second] = self.pair(name, *ends, points, &inertial)?;
                ForceKind::SpringDamper {
                    first,
                    second,
                    stiffness: *stiffness,
                    damping: *damping,
                    length: *length,
                }
            }
            ForcePart::Bushing {
                ends,
                points,
                axis,
                stiffness,
                damping,
            } => {
                // Without an axis the frames are those of the second item at the start.
                let axes = if let Some(axis) = axis {
                    triad(&self.direction(name, axis)?)
                } else {
                    let frame = self.frame(ends[1]).rotation;
                    identity_axes().map(|axis| frame.rotate(&Vector3::from(axis)))
                };
                let [first, second] = self.pair(name, *ends, points, &[axes; 2])?;
                ForceKind::Bushing {
                    first,
                    second,
                    stiffness: **stiffness,
                    damping: **damping,
                }
            }
            ForcePart::Load { at, point, load } => {
                let body =
                    at.0.map_or_else(|| GROUND.to_owned(), |i| self.parts.name(i));
                self.load(&body, *point, load, 1.0)
            }
            ForcePart::TorsionSpring {
                joint,
                stiffness,
                damping,
                angle,
            } => ForceKind::TorsionSpring {
                joint: joint.clone(),
                stiffness: *stiffness,
                damping: *damping,
                angle: *angle,
            },
            ForcePart::PdControl {
                joint,
                proportional,
                derivative,
                target,
            } => ForceKind::PdControl {
                joint: joint.clone(),
                proportional: *proportional,
                derivative: *derivative,
                target: target.clone(),
            },
            ForcePart::Actuator { joint, effort } => ForceKind::Actuator {
                joint: joint.clone(),
                effort: self.resolved(effort),
            },
        })
    }

    /// A direction at the start, of length one.
    fn direction(&self, name: &str, axis: &JointAxis) -> Result<Vector3<f64>, InvalidTree> {
        let axis = match axis {
            JointAxis::World(axis) => Vector3::from(*axis),
            JointAxis::Of(item, axis) => self.frame(*item).rotation.rotate(&Vector3::from(*axis)),
        };
        let length = axis.norm();
        let positive = length > 0.0;
        check(
            name,
            "length of the axis",
            length,
            "a positive number",
            positive,
        )?;
        Ok(axis / length)
    }

    /// A formula in which nodes that do not move are numbers.
    fn resolved(&self, formula: &Formula) -> Formula {
        formula.with_leaves(&|leaf| {
            let Formula::Body {
                body,
                quantity,
                axis,
            } = leaf
            else {
                return None;
            };
            let members = self.parts.members.iter().enumerate();
            let (i, _) = members
                .filter(|(_, member)| member.clamped)
                .find(|(i, _)| self.parts.name(*i) == *body)?;
            Some(Formula::Number(match quantity {
                BodyQuantity::Position => self.placed[i].position[*axis],
                BodyQuantity::Velocity | BodyQuantity::AngularVelocity => 0.0,
            }))
        })
    }
}
