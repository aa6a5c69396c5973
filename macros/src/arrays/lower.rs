//! From an annotated struct with arrays to [`Arrays`].

mod count;
mod force;
mod joint;
mod load;
mod member;
mod rod;

use proc_macro2::{Ident, Span};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Expr, Field, Fields, ItemStruct, Type};

use super::affine::{Affine, Names};
use super::model::{Arrays, Element, Place, Shape};
use crate::diag::{At, Diagnostics, nearest};
use crate::kinds::{self, Role};
use crate::lower::reader::{Level, Reader};
use crate::lower::{SETTINGS, is_text};
use crate::model::{Model, Parameter, ParameterRange};
use crate::syntax::{self, Arguments};
use crate::value::Scope;

/// A field with its name, the type of one element, and what it is.
struct Part<'a> {
    field: &'a Field,
    name: Ident,
    ty: &'a Type,
    kind: Ident,
    role: Role,
    length: Option<&'a Expr>,
    len: Option<Affine>,
}

/// Whether a struct belongs here: it has an array, a count, or a part of a rod.
pub(crate) fn has_arrays(item: &ItemStruct) -> bool {
    item.fields.iter().any(|field| match &field.ty {
        Type::Array(_) => true,
        ty => kind_of(ty)
            .and_then(|kind| kinds::role_of(&kind.to_string()))
            .is_some_and(Role::needs_arrays),
    })
}

fn kind_of(ty: &Type) -> Option<Ident> {
    match ty {
        Type::Path(path) => path.path.segments.last().map(|last| last.ident.clone()),
        _ => None,
    }
}

/// Reads the whole model; errors are collected, and what can be read is.
pub(crate) fn lower(arguments: &Arguments, item: &ItemStruct, dx: &mut Diagnostics) -> Arrays {
    let mut reader = Reader {
        scope: Scope {
            late_rotations: true,
            references: Some(Vec::new()),
            ..Scope::default()
        },
        dx,
    };
    let mut arrays = Arrays {
        model: Model::new(&item.ident),
        generics: item.generics.clone(),
        counts: Vec::new(),
        members: Vec::new(),
        rods: Vec::new(),
        joints: Vec::new(),
        loads: Vec::new(),
        forces: Vec::new(),
        connections: Vec::new(),
        readings: Vec::new(),
        shape: Shape::Tree,
    };
    arrays.model.krate = arguments.path_of_crate();
    reader.generic_counts(item, &mut arrays);
    let mut parts = reader.array_parts(item);
    reader.array_names(&parts, &arrays);
    for part in parts.iter().filter(|part| part.role == Role::Parameter) {
        let parameter = reader.parameter_of(part.field, &part.name);
        // After an error any value will do: places of names are kept.
        arrays
            .model
            .parameters
            .push(parameter.unwrap_or_else(|| value(&part.name, 1.0)));
    }
    for part in parts.iter().filter(|part| part.role == Role::Count) {
        reader.count(part, &mut arrays);
    }
    for count in &arrays.counts {
        let name = count.name.to_string();
        reader.scope.parameters.push(name);
        reader.scope.used.push(false);
        #[expect(clippy::cast_precision_loss, reason = "a sample")]
        let sample = count.sample() as f64;
        arrays.model.parameters.push(value(&count.name, sample));
    }
    let index = Ident::new("i", Span::call_site());
    arrays.model.parameters.push(value(&index, 0.0));
    reader.constants(arguments);
    reader.array_settings(arguments, &mut arrays);
    for part in &mut parts {
        part.len = part
            .length
            .and_then(|length| reader.array_length(part, length, &arrays));
        // After an error any length will do.
        if part.length.is_some() && part.len.is_none() {
            part.len = Some(Affine::number(2, arrays.counts.len()));
        }
    }
    let mut read = |roles: &[Role], arrays: &mut Arrays| {
        for part in parts.iter().filter(|part| roles.contains(&part.role)) {
            reader.indexed(part.len.is_some(), |reader| match part.role {
                Role::Body | Role::Node => reader.member(part, arrays),
                Role::Rod => reader.rod(part, arrays),
                Role::Joint => reader.array_joint(part, arrays),
                Role::Force if part.kind == "Load" => {
                    reader.reading(part, arrays, Reader::array_load);
                }
                _ => reader.reading(part, arrays, Reader::array_force),
            });
        }
    };
    read(&[Role::Body, Role::Node], &mut arrays);
    for role in [Role::Rod, Role::Joint, Role::Force] {
        read(&[role], &mut arrays);
    }
    order_connections(&parts, &mut arrays);
    reader.unused_values(&arrays);
    arrays.model.outside = reader.scope.outside;
    arrays
}

/// A value that is known when the model is constructed.
fn value(name: &Ident, default: f64) -> Parameter {
    Parameter {
        name: name.clone(),
        documentation: Vec::new(),
        default,
        range: ParameterRange::ALL,
    }
}

/// Rods and joints were read one after the other; their multipliers come in the order of fields.
fn order_connections(parts: &[Part<'_>], arrays: &mut Arrays) {
    let Arrays {
        connections,
        rods,
        joints,
        ..
    } = arrays;
    connections.sort_by_key(|connection| {
        let name = match connection {
            super::model::Connection::Rod(rod) => &rods[*rod].name,
            super::model::Connection::Joint(joint) => &joints[*joint].name,
        };
        parts.iter().position(|part| part.name == *name)
    });
}

impl Reader<'_> {
    /// Reads the attributes of a field, with `i` if it is an array.
    fn indexed(&mut self, array: bool, read: impl FnOnce(&mut Self)) {
        if array {
            self.scope.parameters.push("i".to_owned());
            self.scope.used.push(true);
        }
        read(self);
        if array {
            self.scope.parameters.pop();
            self.scope.used.pop();
        }
    }

    fn array_parts<'a>(&mut self, item: &'a ItemStruct) -> Vec<Part<'a>> {
        let Fields::Named(fields) = &item.fields else {
            self.dx.error(
                item.ident.span(),
                "a model needs named fields: its nodes, bodies and joints",
                "write `struct Name { links: [Body<SO3xR3>; N], .. }`",
            );
            return Vec::new();
        };
        let mut parts = Vec::new();
        for field in &fields.named {
            let Some(name) = field.ident.clone() else {
                continue;
            };
            let (ty, length) = match &field.ty {
                Type::Array(array) => (&*array.elem, Some(&array.len)),
                ty => (ty, None),
            };
            let Some(kind) = kind_of(ty) else {
                self.dx.error(
                    ty.span(),
                    format!("the type of `{name}` says nothing to the model"),
                    "use `[Node<Group>; N + 1]`, `[RodElement; N]`, `[Body<Group>; N]`, a joint or a force, or one of them without an array",
                );
                continue;
            };
            let Some(role) = self.role(&kind, true) else {
                continue;
            };
            if !matches!(role, Role::Body | Role::Node) {
                self.no_group(ty);
            }
            if parts.iter().any(|part: &Part<'_>| part.name == name) {
                self.twice(&name);
                continue;
            }
            if let (Role::Parameter | Role::Count, Some(length)) = (role, length) {
                self.dx.error(
                    At::of(length),
                    format!("`{name}` is one number, not an array"),
                    format!("write `{name}: {kind}`"),
                );
            }
            parts.push(Part {
                field,
                name,
                ty,
                kind,
                role,
                length,
                len: None,
            });
        }
        parts
    }

    fn array_names(&mut self, parts: &[Part<'_>], arrays: &Arrays) {
        for part in parts {
            let name = part.name.to_string();
            if arrays.counts.iter().any(|count| count.name == part.name) {
                self.twice(&part.name);
            }
            self.name(&part.name, &["i"]);
            match part.role {
                Role::Body | Role::Node => self.scope.bodies.push(name),
                Role::Joint => self.scope.joints.push(name),
                Role::Parameter => {
                    self.scope.parameters.push(name);
                    self.scope.used.push(false);
                }
                _ => {}
            }
        }
    }

    fn array_settings(&mut self, arguments: &Arguments, arrays: &mut Arrays) {
        self.each_once(arguments);
        for setting in &arguments.items.settings {
            match setting.name.to_string().as_str() {
                "gravity" => {
                    if let Some(gravity) = self.vector3(setting, Level::Constructed) {
                        arrays.model.gravity = gravity;
                    }
                }
                // That is how they are measured anyway.
                "positions" if is_text(&setting.value, "inertial") => {}
                "positions" => self.dx.error(
                    At::of(&setting.value),
                    "joints of a model with arrays measure positions in inertial axes",
                    "leave this out, or write `positions = \"inertial\"`",
                ),
                "redundant" if is_text(&setting.value, "allow") => arrays.model.redundant = true,
                "redundant" => self.dx.error(
                    At::of(&setting.value),
                    "redundant constraints can only be allowed",
                    "write `redundant = \"allow\"`, or leave it out",
                ),
                _ => self.unknown_setting(&setting.name, &SETTINGS),
            }
        }
        for place in &arguments.items.places {
            if place.name == "assemble" {
                arrays.model.assemble = true;
            } else {
                self.unknown_setting(&place.name, &SETTINGS);
            }
        }
    }

    fn affine(&mut self, expr: &Expr, index: bool, arrays: &Arrays) -> Option<Affine> {
        if self.reads_error(expr) {
            return None;
        }
        let counts = arrays.count_names();
        let constants = &self.scope.constants;
        let constant = |name: &str| {
            let number = constants.get(name)?.number()?.value()?;
            #[expect(clippy::cast_possible_truncation, reason = "checked")]
            (number.fract() == 0.0 && number.abs() < 1e15).then_some(number as i64)
        };
        let names = Names {
            counts: &counts,
            constants: &constant,
            index,
        };
        let found = Affine::read(expr, &names)
            .map_err(|error| self.dx.syntax(error))
            .ok()?;
        for (count, factor) in counts.iter().zip(&found.counts) {
            let place = self.scope.parameters.iter().position(|name| name == count);
            if let Some(place) = place.filter(|_| *factor != 0) {
                self.scope.used[place] = true;
            }
        }
        Some(found)
    }

    fn array_length(&mut self, part: &Part<'_>, expr: &Expr, arrays: &Arrays) -> Option<Affine> {
        let len = self.affine(expr, false, arrays)?;
        let least = i64::from(matches!(part.role, Role::Body | Role::Node | Role::Rod));
        let room = len.minus(&Affine::number(least, arrays.counts.len()))?;
        if room.always_negative(&arrays.least()) {
            let found = match len.value() {
                Some(length) => format!("the length {length}"),
                None => format!("the length {}", len.words(&arrays.count_names())),
            };
            self.dx.error(
                At::of(expr),
                format!("`{}` has {found}", part.name),
                format!("write a length of at least {least}"),
            );
            return None;
        }
        Some(len)
    }

    /// The ground, a member, or an element of one.
    fn array_place(
        &mut self,
        place: &syntax::Place,
        part: &Part<'_>,
        arrays: &Arrays,
    ) -> Option<Place> {
        self.array_element(&place.name, place.index.as_ref(), part, arrays)
    }

    fn array_element(
        &mut self,
        ident: &Ident,
        index: Option<&Expr>,
        part: &Part<'_>,
        arrays: &Arrays,
    ) -> Option<Place> {
        let name = ident.unraw().to_string();
        if name == "ground" {
            return Some(None);
        }
        let found = arrays
            .members
            .iter()
            .position(|member| member.body.name == name);
        let Some(member) = found else {
            let names = self.scope.bodies.iter().map(String::as_str);
            let names = names.chain(["ground"]);
            let help = nearest(&name, names.clone()).map_or_else(
                || format!("known are {}", names.collect::<Vec<_>>().join(", ")),
                |near| format!("did you mean `{near}`?"),
            );
            self.dx
                .error(ident.span(), format!("unknown node or body `{name}`"), help);
            return None;
        };
        let array = arrays.members[member].len.is_some();
        let (index, at) = self.index_of(ident, array, index, part, arrays)?;
        Some(Some(Element { member, index, at }))
    }

    /// The index of an element, or zero for what is no array.
    fn index_of(
        &mut self,
        name: &Ident,
        array: bool,
        index: Option<&Expr>,
        part: &Part<'_>,
        arrays: &Arrays,
    ) -> Option<(Affine, At)> {
        match (array, index) {
            (true, Some(expr)) => {
                let index = self.affine(expr, part.len.is_some(), arrays)?;
                Some((index, At::of(expr)))
            }
            (false, None) => Some((Affine::number(0, arrays.counts.len()), name.span().into())),
            (true, None) => {
                self.dx.error(
                    name.span(),
                    format!("`{name}` is an array, and one of its elements is meant"),
                    format!("write `{name}[0]`, or `{name}[i]` in an array"),
                );
                None
            }
            (false, Some(expr)) => {
                self.dx.error(
                    At::of(expr),
                    format!("`{name}` is not an array"),
                    "leave out the index",
                );
                None
            }
        }
    }

    /// Parameters and counts that nothing reads.
    fn unused_values(&mut self, arrays: &Arrays) {
        if !self.dx.is_empty() {
            return;
        }
        for (parameter, used) in arrays.model.parameters.iter().zip(&self.scope.used) {
            let generic = arrays
                .counts
                .iter()
                .any(|count| count.name == parameter.name && count.default.is_none());
            if !(*used || generic) {
                self.dx.error(
                    parameter.name.span(),
                    format!("nothing reads `{}`", parameter.name),
                    "use it in an attribute or as a length, or remove the field",
                );
            }
        }
    }
}
