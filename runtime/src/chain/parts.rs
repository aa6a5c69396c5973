//! The parts of a model with arrays, as its constructor lists them.
//!
//! An array is one call with its length and a function of the index; a single
//! body or joint is an array of one. What a start leaves out follows from the
//! joints and elements (`place`), masses of nodes from the elements around them
//! (`tree`). What they are put together to is a `chain`, a `tree`, or a `network`
//! where there are loops, springs or other joints (`force`). Generated constructors write such lists; to build a tree by hand
//! use a [`TreeBuilder`](super::TreeBuilder).

mod chain;
mod force;
mod inertia;
mod network;
mod place;
mod tree;

pub use force::{ForcePart, LoadPart};

use super::invalid::InvalidTree;
use super::load::Load;
use super::rod::{InternalConstraint, Section};
use crate::generic::description::JointKind;
use crate::lie::{GroupKind, LieGroup, Rotation, S3};

/// An array of nodes or bodies.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    array: Array,
    first: usize,
    len: usize,
}

/// An array of joints.
#[derive(Clone, Copy, Debug)]
pub struct JointRow {
    array: Array,
    len: usize,
}

/// A node, a body, or the ground.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Item(Option<usize>);

impl Item {
    /// The inertial frame.
    pub const GROUND: Self = Self(None);
}

impl Row {
    /// The item at an index.
    ///
    /// # Errors
    /// [`InvalidTree::NoSuchElement`] for `user`, which refers to it.
    pub fn at(&self, index: i64, user: &str) -> Result<Item, InvalidTree> {
        let place = self.array.place(index, self.len, user)?;
        Ok(Item(Some(self.first + place)))
    }

    /// The name of the item at an index, as formulas refer to it.
    ///
    /// # Errors
    /// [`InvalidTree::NoSuchElement`] for `user`, which refers to it.
    pub fn name(&self, index: i64, user: &str) -> Result<String, InvalidTree> {
        let place = self.array.place(index, self.len, user)?;
        Ok(self.array.item(place))
    }
}

impl JointRow {
    /// The name of the joint at an index.
    ///
    /// # Errors
    /// [`InvalidTree::NoSuchElement`] for `user`, which refers to it.
    pub fn name(&self, index: i64, user: &str) -> Result<String, InvalidTree> {
        let place = self.array.place(index, self.len, user)?;
        Ok(self.array.item(place))
    }
}

/// How an item starts; what is left out follows from its neighbours.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PartStart {
    /// Origin of the frame, inertial axes.
    pub position: Option<[f64; 3]>,
    /// Quaternion (w, x, y, z).
    pub rotation: Option<[f64; 4]>,
    /// Velocity of the origin, inertial axes.
    pub velocity: Option<[f64; 3]>,
    /// Angular velocity, body axes.
    pub angular_velocity: Option<[f64; 3]>,
    /// Whether the angular velocity is in inertial axes instead.
    pub turns_in_world: bool,
}

impl PartStart {
    /// `Omega = R^T Omega_world`, with the rotation that is given, or none. Rotations of nodes may
    /// follow from elements: theirs are turned when they are placed.
    fn turn_into_body(&mut self) {
        if !core::mem::take(&mut self.turns_in_world) {
            return;
        }
        let rotation = self.rotation.map_or_else(S3::identity, place::quaternion);
        self.angular_velocity = self
            .angular_velocity
            .map(|world| rotation.rotate_inverse(&world.into()).into());
    }
}

/// A rigid body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyPart {
    /// Mass.
    pub mass: f64,
    /// About the centre of mass, body axes.
    pub inertia: [[f64; 3]; 3],
    /// Whether the largest principal inertia may exceed the sum of the others.
    pub inertia_unchecked: bool,
    /// Centre of mass in the body frame.
    pub center: [f64; 3],
    /// How it starts.
    pub start: PartStart,
}

/// A rod element.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ElementPart {
    /// The nodes at both ends.
    pub ends: [Item; 2],
    /// Length.
    pub length: f64,
    /// The cross section.
    pub section: Section,
    /// Curvature free of stress.
    pub curvature: [f64; 3],
    /// Strains that are held.
    pub constraint: InternalConstraint,
    /// Whether held strains also have stiffness and damping.
    pub stiffness_of_held_strains: bool,
}

impl ElementPart {
    /// Strain free of stress.
    fn reference(&self) -> [f64; 6] {
        let [a, b, c] = self.curvature;
        [a, b, c, 0.0, 0.0, 1.0]
    }
}

/// Where a joint is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum JointPoints {
    /// A point of each body.
    Each([[f64; 3]; 2]),
    /// A point of space at the start.
    World([f64; 3]),
}

/// A direction at the start.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum JointAxis {
    /// Inertial axes.
    World([f64; 3]),
    /// Axes of an item.
    Of(Item, [f64; 3]),
}

/// A joint.
#[derive(Clone, Debug, PartialEq)]
pub struct JointPart {
    /// Its kind.
    pub kind: JointKind,
    /// What it joins.
    pub ends: [Item; 2],
    /// Where.
    pub points: JointPoints,
    /// The axis of the joint, or the two arms of a universal one.
    pub axes: Vec<JointAxis>,
    /// What its angle starts with.
    pub angle: f64,
}

/// A node or a body with its group, start and array.
#[derive(Clone, Debug)]
struct Member {
    array: usize,
    index: usize,
    group: GroupKind,
    /// `None` for a node.
    body: Option<BodyPart>,
    start: PartStart,
    clamped: bool,
}

/// An array, or a single item.
#[derive(Clone, Copy, Debug)]
struct Array {
    name: &'static str,
    single: bool,
}

impl Array {
    fn item(&self, index: usize) -> String {
        if self.single {
            self.name.to_owned()
        } else {
            format!("{}[{index}]", self.name)
        }
    }

    /// The index, if it is inside.
    fn place(&self, index: i64, length: usize, user: &str) -> Result<usize, InvalidTree> {
        let place = usize::try_from(index).ok().filter(|place| *place < length);
        place.ok_or_else(|| InvalidTree::NoSuchElement {
            item: user.to_owned(),
            array: self.name.to_owned(),
            index,
            length,
        })
    }
}

/// The elements of a field, with loads on all of them.
#[derive(Clone, Debug)]
struct Elements {
    array: Array,
    list: Vec<ElementPart>,
    distributed: Vec<(&'static str, Load)>,
    /// The same in a network.
    spread: Vec<(&'static str, LoadPart)>,
}

#[derive(Clone, Debug)]
struct NamedJoint {
    name: String,
    joint: JointPart,
}

/// What connects members, in the order in which it is declared: so are multipliers.
#[derive(Clone, Copy, Debug)]
enum Connection {
    Elements(usize),
    Joint(usize),
}

/// The parts of a model.
#[derive(Clone, Debug, Default)]
pub struct Parts {
    gravity: [f64; 3],
    arrays: Vec<Array>,
    members: Vec<Member>,
    elements: Vec<Elements>,
    joints: Vec<NamedJoint>,
    connections: Vec<Connection>,
    loads: Vec<(String, Item, [f64; 3], Load)>,
    forces: Vec<(String, ForcePart)>,
    /// Whether constraints may repeat each other, in a network.
    pub redundant: bool,
    /// Whether start positions are approximate, in a network.
    pub assemble: bool,
}

/// Elements that a load may act on.
#[derive(Clone, Copy, Debug)]
pub struct ElementRow(usize);

/// The length of an array as it was declared; `None` is a single item.
fn length(name: &str, length: Option<i64>) -> Result<usize, InvalidTree> {
    let length = length.unwrap_or(1);
    usize::try_from(length).map_err(|_| InvalidTree::NegativeLength {
        item: name.to_owned(),
        length,
    })
}

/// The index as formulas read it.
#[expect(clippy::cast_precision_loss, reason = "fewer than 2^52 elements")]
fn real(index: i64) -> f64 {
    index as f64
}

#[expect(clippy::cast_possible_wrap, reason = "lengths come from i64")]
fn indices(length: usize) -> core::ops::Range<i64> {
    0..length as i64
}

impl Parts {
    /// Nothing yet.
    pub fn new(gravity: [f64; 3]) -> Self {
        Self {
            gravity,
            ..Self::default()
        }
    }

    fn add(
        &mut self,
        name: &'static str,
        count: Option<i64>,
        mut member: impl FnMut(usize, f64) -> Member,
    ) -> Result<Row, InvalidTree> {
        let len = length(name, count)?;
        let first = self.members.len();
        let array = Array {
            name,
            single: count.is_none(),
        };
        self.arrays.push(array);
        let items = indices(len).enumerate();
        self.members
            .extend(items.map(|(place, i)| member(place, real(i))));
        Ok(Row { array, first, len })
    }

    /// Nodes of rods.
    ///
    /// # Errors
    /// A negative length.
    pub fn nodes(
        &mut self,
        name: &'static str,
        count: Option<i64>,
        group: GroupKind,
        start: impl Fn(f64) -> PartStart,
    ) -> Result<Row, InvalidTree> {
        let array = self.arrays.len();
        self.add(name, count, |index, i| Member {
            array,
            index,
            group,
            body: None,
            start: start(i),
            clamped: false,
        })
    }

    /// Rigid bodies.
    ///
    /// # Errors
    /// A negative length.
    pub fn bodies(
        &mut self,
        name: &'static str,
        count: Option<i64>,
        group: GroupKind,
        body: impl Fn(f64) -> BodyPart,
    ) -> Result<Row, InvalidTree> {
        let array = self.arrays.len();
        self.add(name, count, |index, i| {
            let mut body = body(i);
            body.start.turn_into_body();
            if let GroupKind::SO3 | GroupKind::S3 = group {
                // The origin is fixed: no neighbour moves it.
                let start = &mut body.start;
                start.position = start.position.or(Some([0.0; 3]));
                start.velocity = Some([0.0; 3]);
            }
            Member {
                array,
                index,
                group,
                start: body.start,
                body: Some(body),
                clamped: false,
            }
        })
    }

    /// Rod elements.
    ///
    /// # Errors
    /// A negative length, an index beyond an array, or an end that is not a node.
    pub fn elements(
        &mut self,
        name: &'static str,
        count: Option<i64>,
        element: impl Fn(i64, f64) -> Result<ElementPart, InvalidTree>,
    ) -> Result<ElementRow, InvalidTree> {
        let len = length(name, count)?;
        let elements: Result<Vec<_>, _> = indices(len).map(|i| element(i, real(i))).collect();
        self.connections
            .push(Connection::Elements(self.elements.len()));
        self.elements.push(Elements {
            array: Array {
                name,
                single: count.is_none(),
            },
            list: elements?,
            distributed: Vec::new(),
            spread: Vec::new(),
        });
        Ok(ElementRow(self.elements.len() - 1))
    }

    /// Joints. A node that is fixed to the ground stays where it starts.
    ///
    /// # Errors
    /// A negative length or an index beyond an array.
    pub fn joints(
        &mut self,
        name: &'static str,
        count: Option<i64>,
        joint: impl Fn(i64, f64) -> Result<JointPart, InvalidTree>,
    ) -> Result<JointRow, InvalidTree> {
        let array = Array {
            name,
            single: count.is_none(),
        };
        let len = length(name, count)?;
        for (index, i) in indices(len).enumerate() {
            let joint = joint(i, real(i))?;
            if let (JointKind::Fixed, Some(node)) = (&joint.kind, self.held_node(joint.ends)) {
                self.members[node].clamped = true;
                continue;
            }
            self.connections.push(Connection::Joint(self.joints.len()));
            self.joints.push(NamedJoint {
                name: array.item(index),
                joint,
            });
        }
        Ok(JointRow { array, len })
    }

    /// The node of a joint between a node and the ground.
    fn held_node(&self, ends: [Item; 2]) -> Option<usize> {
        let ([Item(Some(node)), Item::GROUND] | [Item::GROUND, Item(Some(node))]) = ends else {
            return None;
        };
        self.members[node].body.is_none().then_some(node)
    }

    /// A load acts on something that moves, as far as joints are known.
    fn check_loaded(&self, name: String, item: Item) -> Result<(), InvalidTree> {
        match item.0.filter(|i| self.members[*i].clamped) {
            Some(node) => Err(InvalidTree::LoadOnClamped {
                item: name,
                node: self.name(node),
            }),
            None => Ok(()),
        }
    }

    /// Loads on points of nodes and bodies, after the joints.
    ///
    /// # Errors
    /// A negative length, an index beyond an array, or a node that is clamped.
    pub fn loads(
        &mut self,
        name: &'static str,
        count: Option<i64>,
        load: impl Fn(i64, f64) -> Result<(Item, [f64; 3], Vec<Load>), InvalidTree>,
    ) -> Result<(), InvalidTree> {
        let array = Array {
            name,
            single: count.is_none(),
        };
        for (index, i) in indices(length(name, count)?).enumerate() {
            let (item, point, loads) = load(i, real(i))?;
            let name = array.item(index);
            self.check_loaded(name.clone(), item)?;
            let loads = loads.into_iter();
            self.loads
                .extend(loads.map(|load| (name.clone(), item, point, load)));
        }
        Ok(())
    }

    /// Loads per length on all elements of a field.
    pub fn distributed(&mut self, name: &'static str, elements: ElementRow, loads: Vec<Load>) {
        let loads = loads.into_iter().map(|load| (name, load));
        self.elements[elements.0].distributed.extend(loads);
    }

    fn name(&self, member: usize) -> String {
        let member = &self.members[member];
        self.arrays[member.array].item(member.index)
    }
}
