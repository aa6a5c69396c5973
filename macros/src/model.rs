//! A model with resolved names: what the checks, the mechanics and the emitter read.

use proc_macro2::Ident;

/// A body, by its place in [`Model::bodies`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct BodyId(pub(crate) usize);

/// The group that a body moves on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Group {
    So3,
    S3,
    So3xR3,
    Se3,
    S3xR3,
    S3sR3,
    Rn(usize),
}

impl Group {
    /// All groups with a fixed name.
    pub(crate) const NAMED: [(&'static str, Self); 6] = [
        ("SO3", Self::So3),
        ("S3", Self::S3),
        ("SO3xR3", Self::So3xR3),
        ("SE3", Self::Se3),
        ("S3xR3", Self::S3xR3),
        ("S3sR3", Self::S3sR3),
    ];

    pub(crate) fn config_len(self) -> usize {
        match self {
            Self::So3 => 9,
            Self::S3 => 4,
            Self::So3xR3 | Self::Se3 => 12,
            Self::S3xR3 | Self::S3sR3 => 7,
            Self::Rn(n) => n,
        }
    }

    pub(crate) fn dof(self) -> usize {
        match self {
            Self::So3 | Self::S3 => 3,
            Self::Rn(n) => n,
            _ => 6,
        }
    }

    pub(crate) fn rotates(self) -> bool {
        !matches!(self, Self::Rn(_))
    }

    pub(crate) fn has_matrix(self) -> bool {
        matches!(self, Self::So3 | Self::So3xR3 | Self::Se3)
    }

    pub(crate) fn is_direct(self) -> bool {
        matches!(self, Self::So3xR3 | Self::S3xR3)
    }

    pub(crate) fn is_semidirect(self) -> bool {
        matches!(self, Self::Se3 | Self::S3sR3)
    }

    /// Name of the variant of the runtime's `GroupKind`.
    pub(crate) fn kind(self) -> String {
        if let Self::Rn(n) = self {
            return format!("Rn({n})");
        }
        let named = Self::NAMED.iter().find(|(_, group)| *group == self);
        named.map_or("SE3", |(name, _)| *name).to_owned()
    }
}

/// A body.
#[derive(Clone, Debug)]
pub(crate) struct Body {
    pub(crate) name: Ident,
    pub(crate) group: Group,
    pub(crate) mass: f64,
    pub(crate) inertia: [[f64; 3]; 3],
    pub(crate) center: [f64; 3],
    pub(crate) start: Start,
    /// First component in the flat configuration.
    pub(crate) config: usize,
    /// First component in the flat velocity.
    pub(crate) velocity: usize,
}

impl Body {
    /// Where the frame starts, and stays on a rotation group.
    pub(crate) fn origin(&self) -> [f64; 3] {
        core::array::from_fn(|i| self.start.position.get(i).copied().unwrap_or(0.0))
    }
}

/// Initial values of a body.
#[derive(Clone, Debug)]
pub(crate) struct Start {
    pub(crate) position: Vec<f64>,
    pub(crate) rotation: [f64; 4],
    pub(crate) velocity: Vec<f64>,
    pub(crate) angular_velocity: [f64; 3],
}

/// A frame fixed to a body or the ground.
#[derive(Clone, Debug)]
pub(crate) struct Attachment {
    /// `None` is the ground.
    pub(crate) body: Option<BodyId>,
    pub(crate) point: [f64; 3],
    /// Axes, one per row, in body coordinates.
    pub(crate) axes: [[f64; 3]; 3],
}

/// The kinds of joints.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum JointKind {
    Spherical,
    Revolute,
    Distance { length: f64 },
}

/// A joint.
#[derive(Clone, Debug)]
pub(crate) struct Joint {
    pub(crate) name: Ident,
    pub(crate) kind: JointKind,
    pub(crate) first: Attachment,
    pub(crate) second: Attachment,
}

/// A whole model.
#[derive(Clone, Debug)]
pub(crate) struct Model {
    pub(crate) name: Ident,
    pub(crate) gravity: [f64; 3],
    pub(crate) bodies: Vec<Body>,
    pub(crate) joints: Vec<Joint>,
}

impl Model {
    pub(crate) fn body(&self, id: BodyId) -> &Body {
        &self.bodies[id.0]
    }

    pub(crate) fn body_ids(&self) -> impl Iterator<Item = BodyId> + use<> {
        (0..self.bodies.len()).map(BodyId)
    }

    /// Length of the flat configuration.
    pub(crate) fn config_len(&self) -> usize {
        self.bodies.iter().map(|body| body.group.config_len()).sum()
    }

    /// Number of velocities.
    pub(crate) fn dof(&self) -> usize {
        self.bodies.iter().map(|body| body.group.dof()).sum()
    }
}
