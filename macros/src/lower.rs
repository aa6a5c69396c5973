//! From the annotated struct to a [`Model`]: names are resolved, numbers evaluated.

pub(crate) mod body;
pub(crate) mod force;
pub(crate) mod joint;
mod modal;
mod parameter;
mod partial;
pub(crate) mod reader;

pub(crate) use partial::Read;

use proc_macro2::Ident;
use syn::spanned::Spanned;
use syn::{Expr, Field, Fields, ItemStruct, Lit, Type};

use crate::diag::{At, Diagnostics, nearest};
use crate::forces::On;
use crate::formula::{JointQuantity, Leaf};
use crate::kinds::{self, Role};
use crate::model::{ForceKind, JointId, Model, PositionAxes};
use crate::syntax::Arguments;
use crate::value::Scope;
use reader::{Level, Reader};

/// Settings and words of the attribute.
pub(crate) const SETTINGS: [&str; 6] = [
    "gravity",
    "consts",
    "positions",
    "redundant",
    "assemble",
    "crate",
];

/// Methods of a state and of every type: a body of this name could not be called.
const METHODS: [&str; 7] = [
    "body",
    "joint",
    "copy_from",
    "clone",
    "to_owned",
    "into",
    "try_into",
];

/// A field with its name, the name of its type, and what it is.
struct Part<'a> {
    field: &'a Field,
    name: Ident,
    kind: Ident,
    role: Role,
}

/// Reads the whole model; errors are collected, and what can be read is.
pub(crate) fn lower(
    arguments: &Arguments,
    item: &ItemStruct,
    dx: &mut Diagnostics,
) -> (Model, Read) {
    let parsed = dx.is_empty();
    let mut reader = Reader {
        scope: Scope::default(),
        dx,
    };
    let mut model = Model::new(&item.ident);
    model.krate = arguments.path_of_crate();
    if let Some(parameter) = item.generics.params.first() {
        reader.dx.error(
            parameter.span(),
            "a model without arrays has no generic parameters",
            "write numbers that may change as fields `#[param(default = ..)] name: f64`; `const N: usize` is for lengths of arrays such as `[Body<SE3>; N]`",
        );
    }
    let parts = reader.parts(item);
    let complete = reader.dx.is_empty();
    let errors = reader.dx.len();
    reader.names(&parts);
    reader.bodies(&parts, item);
    reader.constants(arguments);
    for part in parts.iter().filter(|part| part.role == Role::Parameter) {
        reader.parameter(part, &mut model);
    }
    // Numbers depend on all names.
    let named = parsed && reader.dx.len() == errors;
    let mut read = Read {
        motion: complete && named,
        ..Read::default()
    };
    let errors = reader.dx.len();
    reader.settings(arguments, &mut model);
    read.motion &= reader.dx.len() == errors;
    for part in parts.iter().filter(|part| part.role == Role::Body) {
        let (numbers, start) = reader.body(part, &mut model);
        read.bodies.push(named && numbers);
        read.motion &= start;
    }
    let mut misread = Vec::new();
    for part in parts.iter().filter(|part| part.role == Role::Joint) {
        let errors = reader.dx.len();
        let joint = reader.joint(part, &model);
        if reader.dx.len() > errors {
            read.motion = false;
            misread.push(part);
        }
        let joint = joint.unwrap_or_else(|| joint::stand_in(part));
        reader.scope.joint_kinds.push(joint.kind.clone());
        model.joints.push(joint);
    }
    for part in parts.iter().filter(|part| part.role == Role::Force) {
        let errors = reader.dx.len();
        reader.force(part, &mut model);
        if reader.dx.len() > errors {
            misread.push(part);
        }
    }
    reader.spare(&misread, &mut model);
    if complete && named {
        reader.unused(&model, arguments, item);
    } else {
        // A field that is not known may hold any body.
        model.bodies.iter_mut().for_each(|body| body.free = true);
    }
    track_angles(&mut model);
    model.outside = reader.scope.outside;
    (model, read)
}

impl Reader<'_> {
    /// The fields, by what they are.
    fn parts<'a>(&mut self, item: &'a ItemStruct) -> Vec<Part<'a>> {
        let Fields::Named(fields) = &item.fields else {
            self.dx.error(
                item.ident.span(),
                "a model needs named fields: its bodies and joints",
                "write `struct Name { top: Body<SE3>, .. }`",
            );
            return Vec::new();
        };
        let mut parts: Vec<Part<'a>> = Vec::new();
        for field in &fields.named {
            let Some(name) = field.ident.clone() else {
                continue;
            };
            let kind = match &field.ty {
                Type::Path(path) => path.path.segments.last().map(|last| last.ident.clone()),
                _ => None,
            };
            let Some(kind) = kind else {
                self.dx.error(
                    field.ty.span(),
                    format!("the type of `{name}` says nothing to the model"),
                    "use `Body<Group>`, a joint such as `Spherical`, a force such as `Load`, or `f64` for a parameter",
                );
                continue;
            };
            let Some(role) = self.role(&kind, false) else {
                continue;
            };
            if role != Role::Body {
                self.no_group(&field.ty);
            }
            if parts.iter().any(|part| part.name == name) {
                self.twice(&name);
                continue;
            }
            parts.push(Part {
                field,
                name,
                kind,
                role,
            });
        }
        parts
    }

    /// What a type stands for.
    pub(crate) fn role(&mut self, kind: &Ident, arrays: bool) -> Option<Role> {
        let text = kind.to_string();
        let names = kinds::names(arrays);
        if names.contains(&text.as_str()) {
            return kinds::role_of(&text);
        }
        let help = nearest(&text, names.iter().copied()).map_or_else(
            || format!("known are {}", names.join(", ")),
            |near| format!("did you mean `{near}`?"),
        );
        let what = format!("unknown kind of component `{text}`");
        self.dx.error(kind.span(), what, help);
        None
    }

    /// Reports a name that stands for something already.
    pub(crate) fn twice(&mut self, name: &Ident) {
        self.dx.error(
            name.span(),
            format!("the name `{name}` is used twice"),
            "rename one of them",
        );
    }

    /// Checks the name of a field or a constant.
    pub(crate) fn name(&mut self, name: &Ident, taken: &[&str]) {
        if ["ground", "t", "x", "y", "z", "PI"]
            .iter()
            .chain(taken)
            .any(|taken| name == taken)
        {
            self.scope.taken.push(name.to_string());
            self.dx.error(
                name.span(),
                format!("the name `{name}` has a meaning of its own in a model"),
                "choose another name",
            );
        }
    }

    /// There is something to move.
    fn bodies(&mut self, parts: &[Part<'_>], item: &ItemStruct) {
        if self.dx.is_empty() && parts.iter().all(|part| part.role != Role::Body) {
            self.dx.error(
                item.ident.span(),
                format!("model `{}` has no bodies", item.ident),
                "add a field such as `#[body(mass = 1.0, inertia = [0.1, 0.1, 0.1])] top: Body<SE3>`",
            );
        }
    }

    /// Puts the names of the fields into the scope.
    fn names(&mut self, parts: &[Part<'_>]) {
        for part in parts {
            let name = part.name.to_string();
            let taken: &[&str] = match part.role {
                Role::Body => &METHODS,
                _ => &[],
            };
            self.name(&part.name, taken);
            match part.role {
                Role::Body => self.scope.bodies.push(name),
                Role::Joint => self.scope.joints.push(name),
                Role::Parameter => {
                    self.scope.parameters.push(name);
                    self.scope.used.push(false);
                }
                _ => {}
            }
        }
    }

    pub(crate) fn constants(&mut self, arguments: &Arguments) {
        for constant in &arguments.constants {
            let name = constant.name.to_string();
            if self.scope.constants.contains_key(&name) {
                self.dx.error(
                    constant.name.span(),
                    format!("the constant `{name}` is declared twice"),
                    "rename one of them",
                );
            }
            let fields = [
                &self.scope.parameters,
                &self.scope.bodies,
                &self.scope.joints,
            ];
            if fields.into_iter().any(|names| names.contains(&name)) {
                self.twice(&constant.name);
            }
            self.name(&constant.name, &[]);
            match self.value(&constant.value) {
                Some(value) => drop(self.scope.constants.insert(name, value)),
                // What reads it is no second error.
                None => self.scope.taken.push(name),
            }
        }
    }

    fn settings(&mut self, arguments: &Arguments, model: &mut Model) {
        self.each_once(arguments);
        for setting in &arguments.items.settings {
            match setting.name.to_string().as_str() {
                "gravity" => {
                    if let Some(gravity) = self.vector3(setting, Level::Constructed) {
                        model.gravity = gravity;
                    }
                }
                "positions" => {
                    if is_text(&setting.value, "inertial") {
                        model.positions = PositionAxes::Inertial;
                    } else {
                        self.dx.error(
                            At::of(&setting.value),
                            "joints measure positions in inertial axes or in those of their second body",
                            "write `positions = \"inertial\"`, or leave it out for axes of the second body",
                        );
                    }
                }
                "redundant" => {
                    if is_text(&setting.value, "allow") {
                        model.redundant = true;
                    } else {
                        self.dx.error(
                            At::of(&setting.value),
                            "redundant constraints can only be allowed",
                            "write `redundant = \"allow\"`, or leave it out",
                        );
                    }
                }
                "assemble" => self.dx.error(
                    At::of(&setting.value),
                    "`assemble` is a word without a value",
                    "write `assemble` alone, or leave it out",
                ),
                "consts" => self.dx.error(
                    At::of(&setting.value),
                    "constants are a list with names",
                    "write `consts(NAME = 1.0, ..)`",
                ),
                _ => self.unknown_setting(&setting.name, &SETTINGS),
            }
        }
        for place in &arguments.items.places {
            let help = match place.name.to_string().as_str() {
                "assemble" => {
                    model.assemble = true;
                    continue;
                }
                "gravity" => "write `gravity = [x, y, z]`",
                "consts" => "write `consts(NAME = 1.0, ..)`",
                "positions" => "write `positions = \"inertial\"`",
                "redundant" => "write `redundant = \"allow\"`",
                _ => {
                    self.unknown_setting(&place.name, &SETTINGS);
                    continue;
                }
            };
            let what = format!("`{}` has no value", place.name);
            self.dx.error(place.name.span(), what, help);
        }
    }
}

/// Whether a value is this text.
pub(crate) fn is_text(value: &Expr, word: &str) -> bool {
    match value {
        Expr::Lit(literal) => matches!(&literal.lit, Lit::Str(text) if text.value() == word),
        // What another macro wrote.
        Expr::Group(group) => is_text(&group.expr, word),
        _ => false,
    }
}

/// Gives a component of the configuration to every joint angle that is read, or starts on another
/// turn.
fn track_angles(model: &mut Model) {
    let mut read = vec![false; model.joints.len()];
    for force in &model.forces {
        for formula in force.kind.formulas() {
            formula.leaves(&mut |leaf| {
                if let Leaf::Joint(JointId(joint), JointQuantity::Angle) = leaf {
                    read[joint] = true;
                }
            });
        }
        if let ForceKind::Law {
            law,
            on: On::Joint(joint),
            ..
        } = &force.kind
        {
            read[joint.0] |= law.reads_coordinate() && model.joint(*joint).kind.has_angle();
        }
    }
    let mut place = model.body_config_len();
    for (joint, read) in model.joints.iter_mut().zip(read) {
        // What is declared on another turn is also told so.
        if read || joint.other_turn().is_some() {
            joint.angle = Some(place);
            place += 1;
        }
    }
}

#[cfg(test)]
mod tests;
