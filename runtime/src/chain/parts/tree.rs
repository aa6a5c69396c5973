//! From parts to a tree.
//!
//! Each element gives half of its mass and inertia, and of the loads along it,
//! to both of its nodes: the trapezoidal rule.

use super::place::Placed;
use super::{Connection, Item, JointAxis, JointPart, JointPoints, NamedJoint, Parts};
use crate::chain::builder::{Anchor, NodeStart, Place, TreeBuilder};
use crate::chain::invalid::{InvalidTree, check};
use crate::chain::node::Node;
use crate::chain::tree::Tree;
use crate::consistency::{self, DEFAULT_TOLERANCE};
use crate::generic::description::{Body, Start, identity_axes};
use crate::lie::{GroupKind, Rotation};
use crate::state::State;
use nalgebra::{Matrix3, Vector3};

impl Parts {
    /// A tree of rods, bodies and joints.
    ///
    /// # Errors
    /// [`InvalidTree`] with the part and the number that is wrong.
    pub fn tree(&self) -> Result<Tree, InvalidTree> {
        self.check_nodes()?;
        self.check_inertias()?;
        let masses = self.masses()?;
        let mut placed = self.placed()?;
        let tree = self.tree_at(&placed, &masses)?;
        let state = State::start(&tree, 0.0);
        let fits = consistency::check(&tree, &state, DEFAULT_TOLERANCE).is_ok();
        if fits && self.elements_follow(&placed) {
            return Ok(tree);
        }
        // Velocities that are given in two places meet between them.
        let network = self.network_at(&placed, &masses)?;
        let state = State::start(&network, 0.0);
        let moving = self
            .members
            .iter()
            .zip(&mut placed)
            .filter(|(member, _)| !member.clamped);
        for (i, (_, placed)) in moving.enumerate() {
            let view = state.body(&network, i);
            placed.velocity = view.velocity().into();
            placed.angular_velocity = view.angular_velocity().into();
        }
        self.tree_at(&placed, &masses)
    }

    fn tree_at(
        &self,
        placed: &[Placed],
        masses: &[(f64, Vector3<f64>)],
    ) -> Result<Tree, InvalidTree> {
        let mut builder = TreeBuilder::new();
        builder.gravity(self.gravity);
        let mut places = Vec::with_capacity(self.members.len());
        for (i, placed) in placed.iter().enumerate() {
            places.push(self.add_member(i, placed, masses[i], &mut builder)?);
        }
        for connection in &self.connections {
            match connection {
                Connection::Elements(list) => self.add_elements(*list, &places, &mut builder)?,
                Connection::Joint(joint) => {
                    add_joint(&self.joints[*joint], placed, &places, &mut builder)?;
                }
            }
        }
        for (name, item, point, load) in &self.loads {
            if let Some(member) = item.0 {
                builder.named_load_at(name.clone(), places[member], *point, load.clone())?;
            }
        }
        builder.build()
    }

    /// Quaternions of nodes have length one.
    pub(super) fn check_nodes(&self) -> Result<(), InvalidTree> {
        for (i, member) in self.members.iter().enumerate() {
            if let (None, Some(rotation)) = (member.body, member.start.rotation) {
                let length: f64 = rotation.iter().map(|x| x * x).sum();
                let what = "squared length of the start quaternion";
                let expected = "a quaternion of length one";
                let unit = (length - 1.0).abs() < 1e-6;
                check(&self.name(i), what, length, expected, unit)?;
            }
        }
        Ok(())
    }

    /// Mass and rotational inertia of each node.
    pub(super) fn masses(&self) -> Result<Vec<(f64, Vector3<f64>)>, InvalidTree> {
        let mut masses = vec![(0.0, Vector3::zeros()); self.members.len()];
        for list in &self.elements {
            for (i, element) in list.list.iter().enumerate() {
                let name = list.array.item(i);
                let section = &element.section;
                section.check(&name, element.length, &element.reference())?;
                let share = 0.5 * element.length;
                for end in element.ends {
                    let node = end.0.filter(|i| self.members[*i].body.is_none());
                    let Some(node) = node else {
                        return Err(InvalidTree::UnknownPlace { item: name });
                    };
                    masses[node].0 += section.density * share;
                    masses[node].1 += Vector3::from(section.inertia) * share;
                }
            }
        }
        Ok(masses)
    }

    fn add_member(
        &self,
        i: usize,
        placed: &Placed,
        (mass, inertia): (f64, Vector3<f64>),
        builder: &mut TreeBuilder,
    ) -> Result<Place, InvalidTree> {
        let member = &self.members[i];
        let Some(body) = member.body else {
            return self.add_node(i, placed, mass, &Matrix3::from_diagonal(&inertia), builder);
        };
        let start = Start {
            position: placed.position.as_slice().to_vec(),
            rotation: member.start.rotation.unwrap_or([1.0, 0.0, 0.0, 0.0]),
            velocity: placed.velocity.as_slice().to_vec(),
            angular_velocity: placed.angular_velocity.into(),
        };
        builder.body(&Body {
            name: self.name(i),
            group: member.group,
            mass: body.mass,
            inertia: body.inertia,
            center: body.center,
            start,
        })
    }

    fn add_node(
        &self,
        i: usize,
        placed: &Placed,
        mass: f64,
        inertia: &Matrix3<f64>,
        builder: &mut TreeBuilder,
    ) -> Result<Place, InvalidTree> {
        let item = self.name(i);
        let member = &self.members[i];
        let group = member.group;
        let direct = match group {
            GroupKind::S3xR3 | GroupKind::SO3xR3 => true,
            GroupKind::S3sR3 | GroupKind::SE3 => false,
            _ => return Err(InvalidTree::Group { item, group }),
        };
        let u = if direct {
            placed.velocity
        } else {
            placed.rotation.rotate_inverse(&placed.velocity)
        };
        let w = placed.angular_velocity;
        let start = NodeStart {
            rotation: placed.rotation,
            position: placed.position,
            velocity: [w.x, w.y, w.z, u.x, u.y, u.z],
        };
        if member.clamped {
            return Ok(builder.add_clamped(&start));
        }
        if mass == 0.0 {
            return Err(InvalidTree::NoElement { item });
        }
        let node = Node::new(group, mass, inertia, Vector3::zeros());
        Ok(builder.add_part(item, node, &start))
    }

    fn add_elements(
        &self,
        list: usize,
        places: &[Place],
        builder: &mut TreeBuilder,
    ) -> Result<(), InvalidTree> {
        let list = &self.elements[list];
        builder.begin_elements(list.array.name);
        let at = |item: Item| item.0.map_or(Place::GROUND, |i| places[i]);
        let mut shares = vec![0.0; self.members.len()];
        for (i, element) in list.list.iter().enumerate() {
            let ends = element.ends.map(at);
            if ends.iter().all(|place| place.factor().is_none()) {
                let item = list.array.item(i);
                return Err(InvalidTree::HoldsNothing { item });
            }
            builder.add_element(
                ends,
                element.section.element(
                    element.length,
                    &element.reference(),
                    element.constraint,
                    element.stiffness_of_held_strains,
                ),
            );
            for member in element.ends.into_iter().filter_map(|end| end.0) {
                shares[member] += 0.5 * element.length;
            }
        }
        for (name, load) in &list.distributed {
            let weights = shares.iter().enumerate().filter(|(_, share)| **share > 0.0);
            let nodes = weights.filter_map(|(i, share)| Some((places[i].factor()?, *share)));
            builder.add_load((*name).to_owned(), load.clone(), [0.0; 3], nodes.collect());
        }
        Ok(())
    }
}

fn add_joint(
    NamedJoint { name, joint }: &NamedJoint,
    placed: &[Placed],
    places: &[Place],
    builder: &mut TreeBuilder,
) -> Result<(), InvalidTree> {
    let frame = |item: Item| item.0.map_or_else(Placed::ground, |i| placed[i]);
    let frames = joint.ends.map(frame);
    let axes = joint_axes(name, joint, &frame)?;
    let anchor = |side: usize| {
        let point = match joint.points {
            JointPoints::Each(points) => points[side],
            JointPoints::World(point) => frames[side].local(&Vector3::from(point)).into(),
        };
        let turn = |axis: Vector3<f64>| frames[side].rotation.rotate_inverse(&axis).into();
        Anchor {
            place: joint.ends[side].0.map_or(Place::GROUND, |i| places[i]),
            point,
            axes: axes[side].map(turn),
        }
    };
    builder.joint(name, joint.kind.clone(), &anchor(0), &anchor(1))
}

/// Axes of the two frames of a joint, in inertial axes at the start. With an axis both have it
/// as z; the arms of a universal joint are x of the first and y of the second.
pub(super) fn joint_axes(
    name: &str,
    joint: &JointPart,
    frame: &dyn Fn(Item) -> Placed,
) -> Result<[[Vector3<f64>; 3]; 2], InvalidTree> {
    let direction = |axis: &JointAxis| match axis {
        JointAxis::World(axis) => Vector3::from(*axis),
        JointAxis::Of(item, axis) => frame(*item).rotation.rotate(&Vector3::from(*axis)),
    };
    let mut triads = Vec::with_capacity(2);
    for axis in &joint.axes {
        let axis = direction(axis);
        let length = axis.norm();
        check(
            name,
            "length of the axis",
            length,
            "a positive number",
            length > 0.0,
        )?;
        triads.push(triad(&(axis / length)));
    }
    Ok(match triads[..] {
        // A cross: x of the first frame, y of the second.
        [[b, c, a], [f, d, e]] => [[a, b, c], [d, e, f]],
        [axes, ..] => [axes; 2],
        [] => [identity_axes().map(Vector3::from); 2],
    })
}

/// Orthonormal axes with the given z axis.
pub(super) fn triad(z: &Vector3<f64>) -> [Vector3<f64>; 3] {
    let mut unit = Vector3::zeros();
    unit[z.iamin()] = 1.0;
    let x = (unit - z * z.dot(&unit)).normalize();
    [x, z.cross(&x), *z]
}
