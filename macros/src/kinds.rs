//! The kinds of fields: what the type of a field stands for.

use crate::forces::LAWS;
use crate::joints::JOINTS;

/// What a field is, by its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
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

/// Kinds besides the joints of the table [`JOINTS`] and the forces of the table [`LAWS`].
const KINDS: [(&str, Role); 9] = [
    ("Body", Role::Body),
    ("Node", Role::Node),
    ("RodElement", Role::Rod),
    ("Distance", Role::Joint),
    ("Driver", Role::Joint),
    ("Load", Role::Force),
    (MODAL, Role::Force),
    ("f64", Role::Parameter),
    ("usize", Role::Count),
];

/// The one kind that models with arrays do not have.
const MODAL: &str = "ModalSpring";

/// All kinds.
fn all() -> impl Iterator<Item = (&'static str, Role)> {
    let joints = JOINTS.iter().map(|joint| (joint.name, Role::Joint));
    let laws = LAWS.iter().map(|law| (law.name, Role::Force));
    joints.chain(laws).chain(KINDS)
}

/// What a type stands for, if the macro knows it.
pub(crate) fn role_of(kind: &str) -> Option<Role> {
    all().find(|(name, _)| *name == kind).map(|(_, role)| role)
}

/// Types that a model with or without arrays may have, in the order of their roles.
pub(crate) fn names(arrays: bool) -> Vec<&'static str> {
    let fits = |(name, role): &(&str, Role)| {
        if arrays {
            *name != MODAL
        } else {
            !role.needs_arrays()
        }
    };
    let mut kinds: Vec<_> = all().filter(fits).collect();
    kinds.sort_by_key(|(_, role)| *role);
    kinds.into_iter().map(|(name, _)| name).collect()
}
