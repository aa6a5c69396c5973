//! What the program knows about a model, and how it reaches the systems of one.

use core::fmt;

use polhode::generic::description::Description;
use polhode::lie::GroupKind;

use crate::machine::Machine;

/// A model of the registry. Models are statics: the functions of a constant would be compiled again
/// in every crate that uses it, and with them every system.
#[derive(Clone, Copy, Debug)]
pub struct Model {
    /// Name on the command line.
    pub name: &'static str,
    /// What it is, in one line.
    pub summary: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// Groups that its bodies can move on; the first is the default.
    pub groups: &'static [GroupKind],
    /// Default end of a run.
    pub end: f64,
    /// Default step size.
    pub step: f64,
    /// Numbers that can be chosen.
    pub parameters: &'static [Parameter],
    /// The model as data.
    pub describe: fn(&Choice) -> Description,
    /// Paths for a choice besides the generic one.
    pub paths: fn(&Choice) -> &'static [Path],
    /// The machine of one of these paths.
    pub machine: fn(Path, &Choice) -> Option<Box<dyn Machine>>,
    /// Methods that cannot run it; its file says why.
    pub unsuitable: &'static [&'static str],
    /// Exact solution, if one is known.
    pub reference: Option<Exact>,
}

/// A number of a model that can be chosen.
#[derive(Clone, Copy, Debug, serde::Serialize)]
pub struct Parameter {
    /// Name on the command line.
    pub name: &'static str,
    /// What it means.
    pub meaning: &'static str,
    /// Value if none is given.
    pub default: f64,
    /// Smallest value.
    pub min: f64,
    /// Largest value.
    pub max: f64,
}

/// The exact solution of a model.
#[derive(Clone, Copy, Debug)]
pub struct Exact {
    /// Where it comes from.
    pub source: &'static str,
    /// Its value at a time, if it is known there.
    pub at: fn(&Choice, f64) -> Option<Reference>,
}

/// Exact values at one time, in the coordinates of the chosen group.
#[derive(Clone, Debug, PartialEq)]
pub struct Reference {
    /// Configuration.
    pub q: Vec<f64>,
    /// Velocity.
    pub v: Vec<f64>,
    /// Multipliers.
    pub lambda: Vec<f64>,
}

/// A group and a value for every parameter of a model.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// The group.
    pub group: GroupKind,
    /// The parameters by name.
    pub values: Vec<(&'static str, f64)>,
}

impl Choice {
    /// The value of a parameter.
    ///
    /// # Panics
    /// If the model has no parameter of this name.
    pub fn value(&self, name: &str) -> f64 {
        let found = self.values.iter().find(|(known, _)| *known == name);
        found.expect("a parameter of the model").1
    }
}

impl Model {
    /// The default group and parameters.
    pub fn choice(&self) -> Choice {
        Choice {
            group: self.groups[0],
            values: self
                .parameters
                .iter()
                .map(|parameter| (parameter.name, parameter.default))
                .collect(),
        }
    }

    /// The default parameters in another group.
    pub fn choice_in(&self, group: GroupKind) -> Choice {
        Choice {
            group,
            ..self.choice()
        }
    }

    /// The exact solution at a time, if it is known there.
    pub fn exact(&self, choice: &Choice, t: f64) -> Option<Reference> {
        (self.reference?.at)(choice, t)
    }
}

/// Ways to evaluate the same model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Path {
    /// Code generated at compile time.
    Generated,
    /// Assembled at run time from a description.
    Generic,
    /// Written by hand.
    Hand,
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Generated => "generated",
            Self::Generic => "generic",
            Self::Hand => "hand",
        })
    }
}

/// A description with all bodies on another group.
#[must_use]
pub fn in_group(mut description: Description, group: GroupKind) -> Description {
    for body in &mut description.bodies {
        body.group = group;
    }
    description
}

/// Groups of a rigid body that moves freely.
pub const RIGID: &[GroupKind] = &[
    GroupKind::SO3xR3,
    GroupKind::SE3,
    GroupKind::S3xR3,
    GroupKind::S3sR3,
];

/// A [`Model`] of rigid bodies whose generated systems differ by their group alone: the first one
/// also gives the description.
macro_rules! rigid_model {
    ($(#[$doc:meta])* $model:ident, name: $name:literal, summary: $summary:expr, source: $source:expr,
     end: $end:expr, step: $step:expr, unsuitable: $unsuitable:expr, parameters: $parameters:expr,
     systems: |$choice:ident| { $first_group:ident => $first:expr $(, $group:ident => $system:expr)* $(,)? }) => {
        $(#[$doc])*
        pub static $model: crate::model::Model = crate::model::Model {
            name: $name,
            summary: $summary,
            source: $source,
            groups: crate::model::RIGID,
            end: $end,
            step: $step,
            parameters: $parameters,
            describe: |$choice| crate::model::in_group($first.description(), $choice.group),
            paths: |choice| match choice.group {
                polhode::lie::GroupKind::$first_group $(| polhode::lie::GroupKind::$group)* => {
                    &[crate::model::Path::Generated]
                }
                _ => &[],
            },
            machine: |path, $choice| {
                use crate::machine::hosted;
                use crate::model::Path::Generated;
                use polhode::lie::GroupKind;
                match (path, $choice.group) {
                    (Generated, GroupKind::$first_group) => Some(hosted($first)),
                    $((Generated, GroupKind::$group) => Some(hosted($system)),)*
                    _ => None,
                }
            },
            unsuitable: $unsuitable,
            reference: None,
        };
    };
}
pub(crate) use rigid_model;
