//! Puts rods, bodies, joints and loads together.

use super::edge::{Edge, EdgeKind, End, Fixed};
use super::invalid::{InvalidTree, check};
use super::joint::Joint;
use super::load::{Load, NodeLoad};
use super::node::{Node, Nodes, Pose};
use super::plan::Plan;
use super::rod::{Hold, Rod};
use super::tree::Tree;
use crate::generic::description::{Body, JointKind, identity_axes};
use crate::lie::{GroupKind, LieGroup, Rotation, S3, Space};
use nalgebra::{Matrix3, Vector3};
use std::sync::OnceLock;

/// A node of a rod, a body, a clamped end or the ground: what joints and loads
/// are attached to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place(Kind);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Node(usize),
    Fixed(usize),
}

impl Place {
    /// The inertial frame.
    pub const GROUND: Self = Self(Kind::Fixed(0));

    /// Index of the factor of the configuration space, if the place can move.
    pub fn factor(self) -> Option<usize> {
        match self.0 {
            Kind::Node(node) => Some(node),
            Kind::Fixed(_) => None,
        }
    }
}

/// A frame fixed to a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Anchor {
    /// What it is fixed to.
    pub place: Place,
    /// Its origin in the frame of the place.
    pub point: [f64; 3],
    /// Its axes x, y, z in the frame of the place, one per row.
    pub axes: [[f64; 3]; 3],
}

impl Anchor {
    /// A point with axes parallel to those of the place.
    pub fn at(place: Place, point: [f64; 3]) -> Self {
        Self {
            place,
            point,
            axes: identity_axes(),
        }
    }
}

/// How a node starts: pose, and velocity in the coordinates of its group.
#[derive(Clone, Copy, Debug)]
pub(super) struct NodeStart {
    pub(super) rotation: S3,
    pub(super) position: Vector3<f64>,
    pub(super) velocity: [f64; 6],
}

/// Collects the parts of a [`Tree`].
///
/// Nodes are numbered in the order in which they are added, and so are the
/// multipliers: the elements of a rod one after another, a joint at its turn.
#[derive(Clone, Debug)]
pub struct TreeBuilder {
    gravity: Vector3<f64>,
    nodes: Nodes,
    names: Vec<(usize, String)>,
    poses: Vec<(S3, Vector3<f64>)>,
    twists: Vec<[f64; 6]>,
    /// The ground and clamped ends.
    fixed: Vec<Fixed>,
    elements: Vec<super::strain::Element>,
    joints: Vec<Joint>,
    edges: Vec<Edge>,
    edge_names: Vec<(usize, String)>,
    loads: Vec<NodeLoad>,
    rows: usize,
    strains: usize,
}

impl Default for TreeBuilder {
    fn default() -> Self {
        Self::new()
    }
}

impl TreeBuilder {
    /// Nothing yet, no gravity.
    pub fn new() -> Self {
        let ground = Fixed {
            pose: Pose::ground(),
            rotation: S3::identity(),
        };
        Self {
            gravity: Vector3::zeros(),
            nodes: Nodes::default(),
            names: Vec::new(),
            poses: Vec::new(),
            twists: Vec::new(),
            fixed: vec![ground],
            elements: Vec::new(),
            joints: Vec::new(),
            edges: Vec::new(),
            edge_names: Vec::new(),
            loads: Vec::new(),
            rows: 0,
            strains: 0,
        }
    }

    /// Acceleration of gravity in the inertial frame.
    pub fn gravity(&mut self, gravity: [f64; 3]) {
        self.gravity = Vector3::from(gravity);
    }

    fn add_node(&mut self, node: Node, rotation: S3, position: Vector3<f64>, v: [f64; 6]) -> Place {
        self.nodes.push(node);
        self.poses.push((rotation, position));
        self.twists.push(v);
        Place(Kind::Node(self.nodes.len() - 1))
    }

    /// Adds a rod and returns the places of its nodes.
    ///
    /// # Errors
    /// [`InvalidTree`] with the number that is wrong.
    pub fn rod(&mut self, rod: &Rod) -> Result<Vec<Place>, InvalidTree> {
        rod.check()?;
        let element = rod.element();
        self.names.push((self.nodes.len(), rod.name.clone()));
        self.begin_elements(&rod.name);
        let mut places = Vec::with_capacity(rod.elements + 1);
        let mut shares = Vec::with_capacity(rod.elements + 1);
        for (i, pose) in rod.poses().into_iter().enumerate() {
            let end = i == 0 || i == rod.elements;
            let (rotation, position) = (pose.rotation, pose.translation);
            let clamped = (i == 0 && rod.ends[0] == Hold::Clamped)
                || (i == rod.elements && rod.ends[1] == Hold::Clamped);
            let share = rod.element_length() * if end { 0.5 } else { 1.0 };
            let place = if clamped {
                self.add_clamped(&NodeStart {
                    rotation,
                    position,
                    velocity: [0.0; 6],
                })
            } else {
                let inertia = Matrix3::from_diagonal(&(Vector3::from(rod.section.inertia) * share));
                let mass = rod.section.density * share;
                let node = Node::new(rod.group, mass, &inertia, Vector3::zeros());
                self.add_node(node, rotation, position, [0.0; 6])
            };
            if let Kind::Node(node) = place.0 {
                shares.push((node, share));
            }
            places.push(place);
        }
        for load in &rod.distributed {
            let name = self.load_name();
            self.add_load(name, load.clone(), [0.0; 3], shares.clone());
        }
        for pair in places.windows(2) {
            self.add_element([pair[0], pair[1]], element.clone());
        }
        Ok(places)
    }

    /// Adds a rigid body.
    ///
    /// # Errors
    /// [`InvalidTree`] with the number that is wrong.
    pub fn body(&mut self, body: &Body) -> Result<Place, InvalidTree> {
        let name = &body.name;
        let direct = match body.group {
            GroupKind::S3sR3 | GroupKind::SE3 => false,
            GroupKind::S3xR3 | GroupKind::SO3xR3 => true,
            group => {
                return Err(InvalidTree::Group {
                    item: name.clone(),
                    group,
                });
            }
        };
        let positive = "a positive number";
        check(name, "mass", body.mass, positive, body.mass > 0.0)?;
        let inertia = Matrix3::from_fn(|i, j| body.inertia[i][j]);
        let asymmetry = (inertia - inertia.transpose()).amax();
        let symmetric = asymmetry <= 1e-12 * inertia.amax();
        check(
            name,
            "asymmetry of the inertia",
            asymmetry,
            "zero",
            symmetric,
        )?;
        let smallest = inertia.symmetric_eigenvalues().min();
        check(name, "smallest inertia", smallest, positive, smallest > 0.0)?;
        if direct && body.center != [0.0; 3] {
            return Err(InvalidTree::CenterOffset {
                item: name.clone(),
                group: body.group,
            });
        }
        let start = &body.start;
        let vector = |quantity, list: &[f64]| match list {
            [] => Ok(Vector3::zeros()),
            [x, y, z] => Ok(Vector3::new(*x, *y, *z)),
            other => Err(InvalidTree::WrongLength {
                item: name.clone(),
                quantity,
                found: other.len(),
                expected: 3,
            }),
        };
        let position = vector("start position", &start.position)?;
        let velocity = vector("start velocity", &start.velocity)?;
        let [w, x, y, z] = start.rotation;
        let rotation = S3 {
            scalar: w,
            vector: Vector3::new(x, y, z),
        };
        let length = w * w + rotation.vector.norm_squared();
        let unit = (length - 1.0).abs() < 1e-6;
        let expected = "a quaternion of length one";
        check(
            name,
            "squared length of the start quaternion",
            length,
            expected,
            unit,
        )?;
        let u = if direct {
            velocity
        } else {
            rotation.rotate_inverse(&velocity)
        };
        let [a, b, c] = start.angular_velocity;
        self.names.push((self.nodes.len(), name.clone()));
        let node = Node::new(body.group, body.mass, &inertia, Vector3::from(body.center));
        Ok(self.add_node(node, rotation, position, [a, b, c, u.x, u.y, u.z]))
    }

    /// Adds a node of a rod with the mass that its elements gave it.
    pub(super) fn add_part(&mut self, name: String, node: Node, start: &NodeStart) -> Place {
        self.names.push((self.nodes.len(), name));
        self.add_node(node, start.rotation, start.position, start.velocity)
    }

    /// Adds a node that does not move.
    pub(super) fn add_clamped(&mut self, start: &NodeStart) -> Place {
        self.fixed.push(Fixed {
            pose: Pose {
                rotation: start.rotation.to_matrix(),
                position: start.position,
            },
            rotation: start.rotation,
        });
        Place(Kind::Fixed(self.fixed.len() - 1))
    }

    /// Names the elements that follow.
    pub(super) fn begin_elements(&mut self, name: &str) {
        self.edge_names.push((self.edges.len(), name.to_owned()));
    }

    /// Adds a rod element. Equal neighbours share their constants.
    pub(super) fn add_element(&mut self, places: [Place; 2], element: super::strain::Element) {
        let held = element.held;
        if self.elements.last() != Some(&element) {
            self.elements.push(element);
        }
        let element = self.elements.len() - 1;
        let strain = self.strains;
        self.strains += 1;
        let ends = places.map(Self::end);
        self.add_edge(ends, EdgeKind::Rod { element, strain }, held);
    }

    fn end(place: Place) -> End {
        match place.0 {
            Kind::Node(node) => End::Node(node),
            Kind::Fixed(fixed) => End::Fixed(fixed),
        }
    }

    fn add_edge(&mut self, ends: [End; 2], kind: EdgeKind, rows: usize) {
        self.edges.push(Edge {
            ends,
            kind,
            first_row: self.rows,
            rows,
        });
        self.rows += rows;
    }

    fn knows(&self, place: Place) -> bool {
        match place.0 {
            Kind::Node(node) => node < self.nodes.len(),
            Kind::Fixed(fixed) => fixed < self.fixed.len(),
        }
    }

    /// Adds a joint: spherical, revolute, universal or fixed. The multipliers of
    /// its position are the force on the second body in inertial components.
    ///
    /// # Errors
    /// [`InvalidTree`] if the kind or an anchor does not fit.
    pub fn joint(
        &mut self,
        name: &str,
        kind: JointKind,
        first: &Anchor,
        second: &Anchor,
    ) -> Result<(), InvalidTree> {
        let item = || name.to_owned();
        if !(self.knows(first.place) && self.knows(second.place)) {
            return Err(InvalidTree::UnknownPlace { item: item() });
        }
        if first.place.factor().is_none() && second.place.factor().is_none() {
            return Err(InvalidTree::HoldsNothing { item: item() });
        }
        let (points, frames) = ([first.point, second.point], [first.axes, second.axes]);
        let Some(joint) = Joint::new(&kind, points, frames) else {
            return Err(InvalidTree::JointKind { item: item(), kind });
        };
        self.edge_names.push((self.edges.len(), item()));
        let ends = [Self::end(first.place), Self::end(second.place)];
        let rows = joint.rows();
        self.joints.push(joint);
        self.add_edge(ends, EdgeKind::Joint(self.joints.len() - 1), rows);
        Ok(())
    }

    /// Adds a load at the origin of a place. Where nothing moves it has no effect.
    ///
    /// # Errors
    /// [`InvalidTree::UnknownPlace`] for a place of another builder.
    pub fn load(&mut self, place: Place, load: Load) -> Result<(), InvalidTree> {
        self.load_at(place, [0.0; 3], load)
    }

    /// Adds a load at a point of a place.
    ///
    /// # Errors
    /// [`InvalidTree::UnknownPlace`] for a place of another builder.
    pub fn load_at(
        &mut self,
        place: Place,
        point: [f64; 3],
        load: Load,
    ) -> Result<(), InvalidTree> {
        let name = self.load_name();
        self.named_load_at(name, place, point, load)
    }

    /// What a load is called in errors: as in the description.
    fn load_name(&self) -> String {
        format!("load {}", self.loads.len())
    }

    /// The same as [`Self::load_at`] for a load with a name.
    pub(super) fn named_load_at(
        &mut self,
        name: String,
        place: Place,
        point: [f64; 3],
        load: Load,
    ) -> Result<(), InvalidTree> {
        if !self.knows(place) {
            return Err(InvalidTree::UnknownPlace {
                item: "load".to_owned(),
            });
        }
        if let Kind::Node(node) = place.0 {
            self.add_load(name, load, point, vec![(node, 1.0)]);
        }
        Ok(())
    }

    /// Adds a load with a weight for each of some nodes.
    pub(super) fn add_load(
        &mut self,
        name: String,
        load: Load,
        point: [f64; 3],
        nodes: Vec<(usize, f64)>,
    ) {
        self.loads.push(NodeLoad {
            name,
            load,
            point: Vector3::from(point),
            nodes,
        });
    }

    /// The finished tree.
    ///
    /// # Errors
    /// [`InvalidTree`] if nothing moves or a joint closes a loop.
    pub fn build(self) -> Result<Tree, InvalidTree> {
        if self.nodes.len() == 0 {
            return Err(InvalidTree::Empty);
        }
        let plan = Plan::new(self.nodes.len(), &self.edges).map_err(|edge| InvalidTree::Loop {
            item: name_at(&self.edge_names, edge).0.to_owned(),
        })?;
        let space = Space::new(self.nodes.iter().map(|node| node.kind));
        let mut q = vec![0.0; space.config_len()].into_boxed_slice();
        for (factor, (rotation, position)) in space.factors().zip(&self.poses) {
            Node::write(rotation, position, &mut q[factor.config.clone()]);
        }
        let has_matrix = |end: &End| match end {
            End::Node(node) => !self.nodes[*node].has_quaternion(),
            End::Fixed(_) => false,
        };
        let matrix_edges = (0..self.edges.len())
            .filter(|edge| {
                let edge = &self.edges[*edge];
                matches!(edge.kind, EdgeKind::Rod { .. }) && edge.ends.iter().any(has_matrix)
            })
            .collect();
        let v = self.twists.iter().flatten().copied().collect();
        Ok(Tree {
            config_starts: space.factors().map(|factor| factor.config.start).collect(),
            space,
            gravity: self.gravity,
            nodes: self.nodes,
            names: self.names,
            elements: self.elements,
            joints: self.joints,
            fixed: self.fixed,
            edges: self.edges,
            edge_names: self.edge_names,
            matrix_edges,
            loads: self.loads,
            rows: self.rows,
            strains: self.strains,
            plan,
            start: (q, v),
            frames: OnceLock::new(),
        })
    }
}

/// The name of the group of items that an index belongs to, and its place there.
pub(super) fn name_at(names: &[(usize, String)], index: usize) -> (&str, usize) {
    let after = names.partition_point(|(start, _)| *start <= index);
    match after.checked_sub(1).map(|i| &names[i]) {
        Some((start, name)) => (name, index - start),
        None => ("", index),
    }
}
