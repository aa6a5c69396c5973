//! The kinds of fields: what the type of a field stands for.

use crate::joints::JOINTS;

/// What a field is, by its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Body,
    Node,
    Rod,
    Joint,
    Force,
    Parameter,
    Count,
}

impl Role {
    /// The attribute that a field is read from, and what else it may have.
    pub(crate) fn attributes(self) -> (&'static str, &'static [&'static str]) {
        match self {
            Self::Body => ("body", &["start"]),
            // What a node must not have is an error of its own.
            Self::Node => ("start", &["body"]),
            Self::Rod => ("rod", &[]),
            Self::Joint => ("joint", &[]),
            Self::Force => ("force", &[]),
            Self::Parameter => ("param", &[]),
            Self::Count => ("count", &[]),
        }
    }

    /// Whether a field of this kind makes a model one with arrays, whatever else it has.
    pub(crate) fn needs_arrays(self) -> bool {
        matches!(self, Self::Node | Self::Rod | Self::Count)
    }
}

/// Kinds besides the joints of the table [`JOINTS`].
const KINDS: [(&str, Role); 14] = [
    ("Body", Role::Body),
    ("Node", Role::Node),
    ("RodElement", Role::Rod),
    ("Distance", Role::Joint),
    ("Driver", Role::Joint),
    ("SpringDamper", Role::Force),
    ("Load", Role::Force),
    ("Bushing", Role::Force),
    ("TorsionSpring", Role::Force),
    ("PdControl", Role::Force),
    ("Actuator", Role::Force),
    (MODAL, Role::Force),
    ("f64", Role::Parameter),
    ("usize", Role::Count),
];

/// The one kind that models with arrays do not have.
const MODAL: &str = "ModalSpring";

/// What a type stands for, if the macro knows it.
pub(crate) fn role_of(kind: &str) -> Option<Role> {
    let joint = JOINTS.iter().find(|joint| joint.name == kind);
    let other = KINDS.iter().find(|(name, _)| *name == kind);
    joint.map(|_| Role::Joint).or(other.map(|(_, role)| *role))
}

/// Types that a model with or without arrays may have.
pub(crate) fn names(arrays: bool) -> Vec<&'static str> {
    let (bodies, others) = KINDS.split_at(3);
    let names = |kinds: &[(&'static str, Role)]| {
        let kinds = kinds.iter();
        let kinds = kinds.filter(|(name, role)| {
            if arrays {
                *name != MODAL
            } else {
                !role.needs_arrays()
            }
        });
        kinds.map(|(name, _)| *name).collect::<Vec<_>>()
    };
    let joints = JOINTS.iter().map(|joint| joint.name).collect();
    [names(bodies), joints, names(others)].concat()
}
