//! A model with arrays, its names resolved.

use proc_macro2::{Ident, TokenStream};

use super::affine::Affine;
use crate::diag::At;
use crate::forces::{Coefficient, Law};
use crate::formula::{Formula, Formula3};
use crate::model::{Body, JointKind, Model};

/// A count: how many elements an array has.
#[derive(Clone, Debug)]
pub(crate) struct Count {
    pub(crate) name: Ident,
    pub(crate) documentation: Vec<TokenStream>,
    pub(crate) min: i64,
    /// `None` for a const generic of the struct.
    pub(crate) default: Option<i64>,
}

impl Count {
    /// A value to try checks with.
    pub(crate) fn sample(&self) -> i64 {
        self.default.unwrap_or_else(|| self.min.max(8))
    }
}

/// A unit quaternion, perhaps known only when the model is constructed.
pub(crate) type Rotation = [Formula; 4];

/// A body or a node of a rod, or an array of them.
#[derive(Clone, Debug)]
pub(crate) struct Member {
    /// Name, group, mass and inertia; a node has its mass from the elements.
    pub(crate) body: Body,
    pub(crate) node: bool,
    /// `None` for a single one.
    pub(crate) len: Option<Affine>,
    pub(crate) position: Option<Formula3>,
    pub(crate) rotation: Option<Rotation>,
    pub(crate) velocity: Option<Formula3>,
    pub(crate) angular_velocity: Option<Formula3>,
    /// Whether the angular velocity is in inertial axes.
    pub(crate) turns_in_world: bool,
    /// What of the start belongs to the first of an array alone: position, rotation, velocity.
    pub(crate) first_only: [bool; 3],
    /// Nodes that do not move: indices, with where they are written.
    pub(crate) clamped: Vec<(Affine, At)>,
}

/// An element of an array, or a single member; by its place in [`Arrays::members`].
#[derive(Clone, Debug)]
pub(crate) struct Element {
    pub(crate) member: usize,
    pub(crate) index: Affine,
    pub(crate) at: At,
}

/// A place of a joint or a load: `None` is the ground.
pub(crate) type Place = Option<Element>;

/// Strains that are held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Held {
    Cosserat,
    Kirchhoff,
    Inextensible,
}

/// Rod elements.
#[derive(Clone, Debug)]
pub(crate) struct Rod {
    pub(crate) name: Ident,
    pub(crate) len: Option<Affine>,
    pub(crate) ends: [Element; 2],
    pub(crate) length: (Formula, At),
    pub(crate) density: (Formula, At),
    pub(crate) inertia: (Formula3, At),
    /// Bending 1 and 2, torsion, shear 1 and 2, extension.
    pub(crate) stiffness: [(Formula, At); 6],
    pub(crate) damping: ([Formula; 6], At),
    pub(crate) damping_factor: (Formula, At),
    pub(crate) curvature: (Formula3, At),
    pub(crate) held: Held,
    pub(crate) stiffness_of_held_strains: bool,
}

/// Where a joint is.
#[derive(Clone, Debug)]
pub(crate) enum Points {
    Each([Formula3; 2]),
    World(Formula3),
}

/// A direction at the start.
#[derive(Clone, Debug)]
pub(crate) enum Axis {
    World(Formula3),
    Of(Place, [f64; 3]),
}

impl Axis {
    /// The element whose axis it is.
    pub(crate) fn element(&self) -> Option<&Element> {
        match self {
            Self::Of(element, _) => element.as_ref(),
            Self::World(_) => None,
        }
    }
}

/// Joints.
#[derive(Clone, Debug)]
pub(crate) struct Joint {
    pub(crate) name: Ident,
    pub(crate) len: Option<Affine>,
    pub(crate) kind: JointKind,
    pub(crate) ends: [Place; 2],
    pub(crate) points: Points,
    pub(crate) axes: Vec<Axis>,
    /// What the angle starts with.
    pub(crate) angle: Option<Formula>,
    /// Where the length of a distance is written.
    pub(crate) length_at: Option<At>,
    /// Whether it only says that a node does not move.
    pub(crate) clamps: bool,
}

/// What a load acts on.
#[derive(Clone, Debug)]
pub(crate) enum Target {
    /// A point of a member.
    Point(Element, Formula3),
    /// All elements of a rod, per length; by the place in [`Arrays::rods`].
    Rod(usize),
}

/// Loads.
#[derive(Clone, Debug)]
pub(crate) struct Load {
    pub(crate) name: Ident,
    pub(crate) len: Option<Affine>,
    pub(crate) target: Target,
    /// Three of the force, three of the torque.
    pub(crate) components: [Formula; 6],
    pub(crate) follower: bool,
}

/// An element of an array of joints, or a single one; by its place in [`Arrays::joints`].
#[derive(Clone, Debug)]
pub(crate) struct JointElement {
    pub(crate) joint: usize,
    pub(crate) index: Affine,
    pub(crate) at: At,
}

/// Forces other than loads.
#[derive(Clone, Debug)]
pub(crate) struct Force {
    pub(crate) name: Ident,
    pub(crate) law: &'static Law,
    pub(crate) len: Option<Affine>,
    pub(crate) on: On,
    pub(crate) coefficients: Vec<Coefficient>,
}

/// What a force acts on.
#[expect(
    clippy::large_enum_variant,
    reason = "a model has few of them, and they are not moved"
)]
#[derive(Clone, Debug)]
pub(crate) enum On {
    Between {
        ends: [Place; 2],
        points: Points,
        /// The z axis of both frames.
        axis: Option<Axis>,
    },
    Joint(JointElement),
}

impl Force {
    /// What it acts between, if that is not a joint.
    pub(crate) fn ends(&self) -> Option<&[Place; 2]> {
        match &self.on {
            On::Between { ends, .. } => Some(ends),
            On::Joint(_) => None,
        }
    }

    /// The joint that it acts on.
    pub(crate) fn joint(&self) -> Option<&JointElement> {
        match &self.on {
            On::Between { .. } => None,
            On::Joint(joint) => Some(joint),
        }
    }
}

/// What a formula reads, with who has the formula and how long that is.
#[derive(Clone, Debug)]
pub(crate) struct Reading {
    pub(crate) user: Ident,
    pub(crate) len: Option<Affine>,
    pub(crate) of: Read,
}

/// A body or a joint that a formula reads.
#[derive(Clone, Debug)]
pub(crate) enum Read {
    Member(Element),
    Joint(JointElement),
}

/// What the runtime makes of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// A plain chain of links.
    Chain,
    /// Rods, bodies and joints without loops.
    Tree,
    /// Anything.
    Network,
}

/// Rods and joints in the order of the fields: so are their multipliers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Connection {
    Rod(usize),
    Joint(usize),
}

/// A model with arrays.
#[derive(Clone)]
pub(crate) struct Arrays {
    /// Name, gravity, constants outside, and as parameters all values that are known when the
    /// model is constructed: parameters, then counts, then the index.
    pub(crate) model: Model,
    pub(crate) generics: syn::Generics,
    pub(crate) counts: Vec<Count>,
    pub(crate) members: Vec<Member>,
    pub(crate) rods: Vec<Rod>,
    pub(crate) joints: Vec<Joint>,
    pub(crate) loads: Vec<Load>,
    pub(crate) forces: Vec<Force>,
    pub(crate) connections: Vec<Connection>,
    /// What leaves of formulas refer to; nothing after an error.
    pub(crate) readings: Vec<Option<Reading>>,
    pub(crate) shape: Shape,
}

impl Arrays {
    /// Number of parameters in the proper sense.
    pub(crate) fn parameter_count(&self) -> usize {
        self.model.parameters.len() - self.counts.len() - 1
    }

    pub(crate) fn count_names(&self) -> Vec<String> {
        self.counts
            .iter()
            .map(|count| count.name.to_string())
            .collect()
    }

    /// The smallest counts.
    pub(crate) fn least(&self) -> Vec<i64> {
        self.counts.iter().map(|count| count.min).collect()
    }

    /// Counts to try checks with.
    pub(crate) fn samples(&self) -> Vec<i64> {
        self.counts.iter().map(Count::sample).collect()
    }
}
