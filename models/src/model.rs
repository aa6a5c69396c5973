//! What the program knows about a model, and how it reaches the systems of one.

use core::fmt;

use polhode::generic::description::Description;
use polhode::lie::GroupKind;

use crate::machine::{Machine, Scheme};
use crate::scene::Scene;

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
    /// For models with any number of elements.
    pub size: Option<Size>,
    /// What it is made of.
    pub structure: Structure,
    /// Times at which its forces are not smooth: steps should end there.
    pub kinks: &'static [f64],
    /// Paths for a choice, the fastest first.
    pub paths: fn(&Choice) -> &'static [Path],
    /// The machine of a path other than the generic one.
    pub machine: fn(Path, &Choice) -> Option<Box<dyn Machine>>,
    /// Operations of the functions of the generated system, by their names; nothing where they
    /// are not known.
    pub operations: fn(&Choice) -> &'static [(&'static str, usize)],
    /// Methods that cannot run it; its file says why.
    pub unsuitable: &'static [&'static str],
    /// Exact solution, if one is known.
    pub reference: Option<Exact>,
}

/// What a model is made of.
#[derive(Clone, Copy, Debug)]
pub enum Structure {
    /// Bodies, joints and forces as data: the generic system can be assembled.
    Mechanism(fn(&Choice) -> Description),
    /// A tree or chain that is built at run time, of any number of nodes.
    Line {
        /// What it looks like.
        scene: fn(&Choice) -> Scene,
        /// The same as data, for the generic system, if it can be written so.
        description: Option<fn(&Choice) -> Description>,
    },
}

/// A number of elements that can be chosen.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    /// Number if none is given.
    pub default: usize,
    /// What they are.
    pub of: &'static str,
    /// Numbers that `bench` measures.
    pub measured: &'static [usize],
    /// Parameters that it sets.
    pub values: &'static [(&'static str, f64)],
    /// Step sizes that it takes: half-explicit and generalized-alpha methods.
    pub steps: fn(usize) -> [f64; 2],
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
    /// The only values that make sense; empty if all in between do.
    #[serde(skip_serializing_if = "<[f64]>::is_empty")]
    pub only: &'static [f64],
}

/// The exact solution of a model.
#[derive(Clone, Copy, Debug)]
pub struct Exact {
    /// Where it comes from.
    pub source: &'static str,
    /// What is known at a time.
    pub at: fn(&Choice, f64) -> Option<Known>,
}

/// What is known exactly at one time.
#[derive(Clone, Debug, PartialEq)]
pub enum Known {
    /// Everything.
    State(Reference),
    /// Where a point of a body is.
    Point {
        /// The body, by its place in the system.
        factor: usize,
        /// The point in body coordinates.
        point: [f64; 3],
        /// Its place in the inertial frame.
        position: [f64; 3],
    },
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

/// A group, a size and a value for every parameter of a model.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// The group.
    pub group: GroupKind,
    /// Number of elements of a model that has any number of them, otherwise zero.
    pub n: usize,
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
    /// What most models have in common.
    pub(crate) const PLAIN: Self = Self {
        name: "",
        summary: "",
        source: "",
        groups: RIGID,
        end: 1.0,
        step: 1e-3,
        parameters: &[],
        size: None,
        structure: Structure::Mechanism(|_| Description::default()),
        kinks: &[],
        paths: |_| &[Path::Generic],
        machine: |_, _| None,
        operations: |_| &[],
        unsuitable: &[],
        reference: None,
    };

    /// The default group and parameters.
    pub fn choice(&self) -> Choice {
        Choice {
            group: self.groups[0],
            n: self.size.map_or(0, |size| size.default),
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

    /// A number of elements with the parameters that benchmarks set.
    #[must_use]
    pub fn measured_choice(&self, group: GroupKind, n: usize) -> Choice {
        let mut choice = Choice {
            n,
            ..self.choice_in(group)
        };
        for (name, value) in &mut choice.values {
            let mut set = self.size.iter().flat_map(|size| size.values);
            let set = set.find(|(known, _)| known == name);
            *value = set.map_or(*value, |(_, value)| *value);
        }
        choice
    }

    /// The step size of benchmarks.
    pub fn measured_step(&self, choice: &Choice, scheme: &Scheme) -> f64 {
        match (self.size, scheme) {
            (None, _) => self.step,
            (Some(size), Scheme::HalfExplicit(..)) => (size.steps)(choice.n)[0],
            (Some(size), Scheme::GeneralizedAlpha(_)) => (size.steps)(choice.n)[1],
        }
    }

    /// The model as data, if it can be written so.
    pub fn description(&self, choice: &Choice) -> Option<Description> {
        match self.structure {
            Structure::Mechanism(describe) => Some(describe(choice)),
            Structure::Line { description, .. } => {
                let wanted = (self.paths)(choice).contains(&Path::Generic);
                description.filter(|_| wanted).map(|make| make(choice))
            }
        }
    }

    /// What it looks like.
    pub fn scene(&self, choice: &Choice) -> Scene {
        match self.structure {
            Structure::Mechanism(describe) => Scene::of(&describe(choice)),
            Structure::Line { scene, .. } => scene(choice),
        }
    }

    /// What is known exactly at a time.
    pub fn known(&self, choice: &Choice, t: f64) -> Option<Known> {
        (self.reference?.at)(choice, t)
    }

    /// The exact state at a time, if it is known there.
    pub fn exact(&self, choice: &Choice, t: f64) -> Option<Reference> {
        match self.known(choice, t)? {
            Known::State(reference) => Some(reference),
            Known::Point { .. } => None,
        }
    }
}

/// Ways to evaluate the same model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Path {
    /// Code generated at compile time.
    Generated,
    /// Written by hand: one model, or the chains and trees of the library.
    Hand,
    /// Assembled at run time from a description.
    Generic,
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
     reference: $reference:expr,
     systems: |$choice:ident| { $first_group:ident => $first:expr $(, $group:ident => $system:expr)* $(,)? }) => {
        $(#[$doc])*
        pub static $model: crate::model::Model = crate::model::Model {
            name: $name,
            summary: $summary,
            source: $source,
            end: $end,
            step: $step,
            parameters: $parameters,
            structure: crate::model::Structure::Mechanism(|$choice| {
                crate::model::in_group($first.description(), $choice.group)
            }),
            paths: |choice| match choice.group {
                polhode::lie::GroupKind::$first_group $(| polhode::lie::GroupKind::$group)* => {
                    &[crate::model::Path::Generated, crate::model::Path::Generic]
                }
                _ => &[crate::model::Path::Generic],
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
            operations: |$choice| match $choice.group {
                polhode::lie::GroupKind::$first_group => $first.operations(),
                $(polhode::lie::GroupKind::$group => $system.operations(),)*
                _ => &[],
            },
            unsuitable: $unsuitable,
            reference: $reference,
            ..crate::model::Model::PLAIN
        };
    };
}
pub(crate) use rigid_model;
