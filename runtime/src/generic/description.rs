//! A model as plain data: what the macro emits beside its generated code, what
//! a JSON file holds, and what the [generic system](crate::generic) assembles.
//!
//! Units are free but must be consistent; frames and signs follow
//! [the conventions](crate::conventions).

pub use super::formula::{BodyQuantity, Formula, Function, JointQuantity};
use super::invalid::InvalidDescription;
pub use super::joint_kind::{JointKind, Motion};
pub use crate::chain::InternalConstraint;
use crate::lie::GroupKind;
use serde::{Deserialize, Serialize};

/// Name that stands for the inertial frame where a joint or force wants a body.
pub const GROUND: &str = "ground";

/// A multibody system.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Description {
    /// Name of the model.
    pub name: String,
    /// Acceleration of gravity in the inertial frame.
    #[serde(default)]
    pub gravity: [f64; 3],
    /// Bodies; their order is the order of the unknowns.
    pub bodies: Vec<Body>,
    /// Joints; their order is the order of the multipliers.
    #[serde(default)]
    pub joints: Vec<Joint>,
    /// Rod elements; their multipliers follow those of the joints, in their order.
    #[serde(default)]
    pub rods: Vec<RodElement>,
    /// Applied forces besides gravity.
    #[serde(default)]
    pub forces: Vec<Force>,
    /// Mass matrices of bodies with modal coordinates.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mass_matrices: Vec<MassMatrix>,
    /// Joints whose angle starts on another turn than the first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub start_angles: Vec<StartAngle>,
    /// The axes in which joints measure positions.
    #[serde(default)]
    pub positions: PositionAxes,
    /// Whether constraints may depend on each other.
    #[serde(default)]
    pub redundant: Redundancy,
}

impl Description {
    /// Reads a description from JSON. Names and numbers are checked when it is assembled.
    ///
    /// # Errors
    /// [`InvalidDescription::Syntax`] with the place in the text.
    pub fn from_json(text: &str) -> Result<Self, InvalidDescription> {
        serde_json::from_str(text).map_err(|error| InvalidDescription::Syntax {
            message: error.to_string(),
        })
    }

    /// The mass matrix that a body is given, if it is given one.
    pub fn mass_matrix(&self, body: &str) -> Option<&MassMatrix> {
        self.mass_matrices.iter().find(|x| x.body == body)
    }

    /// Whether a body has modal coordinates and no place in space: on `Rn` with more than
    /// three coordinates, or with a [mass matrix](MassMatrix) of its own.
    pub fn is_modal(&self, body: &Body) -> bool {
        matches!(body.group, GroupKind::Rn(n) if n > 3 || self.mass_matrix(&body.name).is_some())
    }
}

/// Inertia of modal coordinates, which need not be the same in every direction. It makes a body
/// on `Rn` a set of modal coordinates, also with three of them or fewer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MassMatrix {
    /// Name of a body on `Rn`.
    pub body: String,
    /// By rows, symmetric and positive definite. The mass matrix of the body is its `mass` times
    /// this one.
    pub matrix: Vec<Vec<f64>>,
}

/// The turn on which the angle of a joint starts. Frames say what it is up to full turns, between
/// `-pi` and `pi`; it starts with the one of these next to the number here.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StartAngle {
    /// Name of a joint with an angle.
    pub joint: String,
    /// The angle.
    pub angle: f64,
}

/// What happens where constraints are linearly dependent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Redundancy {
    /// It is an error that names a joint and a direction.
    #[default]
    Reject,
    /// The motion is unique and the multipliers are those of the smallest norm,
    /// see [`least_norm`](crate::least_norm). Linear algebra is dense then, and more than 2000
    /// constraints are an error.
    Allow,
}

/// The axes in which the joints of a model measure positions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PositionAxes {
    /// Those of the second frame of the joint.
    #[default]
    Second,
    /// The inertial ones, for joints that hold a point: spherical, revolute, universal, fixed.
    /// Their multipliers are the force on the second body. So does a
    /// [tree](crate::chain::Tree).
    Inertial,
}

/// An element of a rod between two frames, often nodes of the rod: bodies with the mass of a
/// piece of it. With the frame of the second seen from the first, `q`, and `z = log(q)` in SE(3):
///
/// ```text
/// strain   w = z / length           curvature about axes x, y, z, then shear along x, y, extension along z
/// stress   n = stiffness (w - reference) + damping w'
/// ```
///
/// The potential is `length / 2 (w - reference)^T stiffness (w - reference)`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RodElement {
    /// Unique name.
    pub name: String,
    /// Where it begins.
    pub first: Attachment,
    /// Where it ends.
    pub second: Attachment,
    /// Length.
    pub length: f64,
    /// Strain free of stress: straight if it is left out.
    #[serde(default = "straight")]
    pub reference: [f64; 6],
    /// Stress by strain.
    pub stiffness: [f64; 6],
    /// Stress by strain rate.
    #[serde(default)]
    pub damping: [f64; 6],
    /// Strains that are held.
    #[serde(default)]
    pub constraint: InternalConstraint,
}

/// The strain of a straight rod at its length.
pub const fn straight() -> [f64; 6] {
    [0.0, 0.0, 0.0, 0.0, 0.0, 1.0]
}

/// A body and the group that it moves on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Body {
    /// Unique name.
    pub name: String,
    /// Configuration space. On `SO3` and `S3` the origin of the body frame is fixed;
    /// on `Rn` the body is a point mass (n up to 3) or a set of
    /// [modal coordinates](Description::is_modal).
    pub group: GroupKind,
    /// Mass; the same for each of a set of modal coordinates, unless there is a [`MassMatrix`].
    pub mass: f64,
    /// Inertia tensor about the centre of mass in body axes; unused on `Rn`.
    #[serde(default)]
    pub inertia: [[f64; 3]; 3],
    /// Centre of mass in body coordinates.
    #[serde(default)]
    pub center: [f64; 3],
    /// Where the body starts.
    #[serde(default)]
    pub start: Start,
}

/// Initial values of a body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Start {
    /// Origin of the body frame in the inertial frame; `n` coordinates on `Rn`.
    pub position: Vec<f64>,
    /// Rotation from body to inertial axes, quaternion (w, x, y, z).
    pub rotation: [f64; 4],
    /// Velocity of the origin of the body frame in the inertial frame; `n` components on `Rn`.
    pub velocity: Vec<f64>,
    /// Angular velocity in body axes.
    pub angular_velocity: [f64; 3],
}

impl Default for Start {
    fn default() -> Self {
        Self {
            position: Vec::new(),
            rotation: [1.0, 0.0, 0.0, 0.0],
            velocity: Vec::new(),
            angular_velocity: [0.0; 3],
        }
    }
}

/// A joint between two bodies.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Joint {
    /// Unique name.
    pub name: String,
    /// Which motion it leaves.
    pub kind: JointKind,
    /// Where it holds the first body.
    pub first: Attachment,
    /// Where it holds the second body; constraints are measured in this frame.
    pub second: Attachment,
}

/// A frame fixed to a body or to the ground.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Attachment {
    /// Name of a body, or [`GROUND`].
    pub body: String,
    /// Origin of the frame in body coordinates.
    #[serde(default)]
    pub point: [f64; 3],
    /// Axes x, y, z of the frame in body coordinates, one per row.
    #[serde(default = "identity_axes")]
    pub axes: [[f64; 3]; 3],
}

/// Axes parallel to those of the body.
pub const fn identity_axes() -> [[f64; 3]; 3] {
    [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
}

impl Attachment {
    /// A point of a body, with axes parallel to the body's.
    pub fn at(body: &str, point: [f64; 3]) -> Self {
        Self {
            body: body.to_owned(),
            point,
            axes: identity_axes(),
        }
    }
}

/// An applied force.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Force {
    /// Unique name.
    pub name: String,
    /// What it does.
    pub kind: ForceKind,
}

/// The kinds of forces.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[expect(
    clippy::large_enum_variant,
    reason = "a model has a few of them, and boxes are in the way of those who write one"
)]
pub enum ForceKind {
    /// A force along the line between two points, `stiffness (l - length) + damping l'` with
    /// their distance `l`, pulling them together when positive.
    SpringDamper {
        /// First point.
        first: Attachment,
        /// Second point.
        second: Attachment,
        /// Force per elongation.
        stiffness: f64,
        /// Force per rate of elongation.
        #[serde(default)]
        damping: f64,
        /// Distance at which the spring is free of force.
        length: f64,
    },
    /// A force and a torque on a body.
    Load {
        /// Where the force acts, and the axes that [`LoadFrame::Body`] refers to.
        at: Attachment,
        /// Components of the force.
        force: [Formula; 3],
        /// Components of the torque.
        torque: [Formula; 3],
        /// The axes of the components.
        frame: LoadFrame,
    },
    /// Six linear springs and dampers between two frames. With `d` the origin of the first
    /// seen from the second, in the axes of the second, and `a` the axis of the rotation from
    /// the second frame to the first times the sine of its angle, the deformation is
    /// `xi = (a, d)` and the potential `1/2 xi^T stiffness xi`.
    Bushing {
        /// First frame.
        first: Attachment,
        /// Second frame.
        second: Attachment,
        /// Symmetric; rotation first, then translation.
        stiffness: [[f64; 6]; 6],
        /// In the same order.
        damping: [[f64; 6]; 6],
    },
    /// A torque `-stiffness (x - angle) - damping x'` on the second body of a joint with the
    /// angle `x`, and the opposite on the first.
    TorsionSpring {
        /// Name of a revolute or cylindrical joint.
        joint: String,
        /// Torque per angle.
        stiffness: f64,
        /// Torque per angular velocity.
        #[serde(default)]
        damping: f64,
        /// Angle at which the spring is free of torque.
        #[serde(default)]
        angle: f64,
    },
    /// An effort `proportional (target - x) + derivative (target' - x')` on the second body of
    /// a joint with the coordinate `x`: the angle of revolute and cylindrical joints, the
    /// displacement of prismatic ones.
    PdControl {
        /// Name of the joint.
        joint: String,
        /// Effort per deviation.
        proportional: f64,
        /// Effort per deviation of the rate.
        derivative: f64,
        /// What the coordinate should be, a formula of time.
        target: Formula,
    },
    /// An effort on the second body of a joint: a torque about z on revolute and cylindrical
    /// joints, a force along z on prismatic ones. The first body feels the opposite.
    Actuator {
        /// Name of the joint.
        joint: String,
        /// The effort.
        effort: Formula,
    },
    /// Springs and dampers on modal coordinates `x`: the potential is `1/2 x^T stiffness x`, the
    /// force `-stiffness x - damping x'`.
    ModalSpring {
        /// Name of a body with modal coordinates.
        body: String,
        /// By rows, symmetric.
        stiffness: Vec<Vec<f64>>,
        /// By rows; without damping if it is left out.
        #[serde(default)]
        damping: Vec<Vec<f64>>,
    },
    /// A generalized force on each of a set of modal coordinates.
    ModalLoad {
        /// Name of a body with modal coordinates.
        body: String,
        /// One component for each coordinate.
        force: Vec<Formula>,
    },
}

/// The axes in which the components of a [load](ForceKind::Load) are given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LoadFrame {
    /// The inertial axes: the load keeps its direction.
    World,
    /// The axes of the attachment: the load follows the body.
    Body,
}
