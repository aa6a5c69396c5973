//! From the annotated struct to a [`Model`]: names are resolved, numbers evaluated.

use proc_macro2::{Ident, Span};
use syn::{Field, Fields, GenericArgument, ItemStruct, PathArguments, Type};

use crate::diag::{Diagnostics, nearest};
use crate::emit::rotation_matrix;
use crate::model::{Attachment, Body, BodyId, Group, Joint, JointKind, Model, Start};
use crate::syntax::{Arguments, Connection, Place, Setting, Settings};
use crate::value::{Constants, Value, evaluate};

/// Reads the whole model; errors are collected, and what can be read is.
pub(crate) fn lower(arguments: &Arguments, item: &ItemStruct, dx: &mut Diagnostics) -> Model {
    let mut reader = Reader {
        constants: Constants::new(),
        dx,
    };
    for constant in &arguments.constants {
        if let Some(value) = reader.value(&constant.value) {
            reader.constants.insert(constant.name.to_string(), value);
        }
    }
    let mut model = Model {
        name: item.ident.clone(),
        gravity: [0.0; 3],
        bodies: Vec::new(),
        joints: Vec::new(),
    };
    for setting in &arguments.settings {
        match setting.name.to_string().as_str() {
            "gravity" => {
                if let Some(gravity) = reader.vector3(setting) {
                    model.gravity = gravity;
                }
            }
            _ => reader.unknown_setting(&setting.name, &["gravity", "consts"]),
        }
    }
    let Fields::Named(fields) = &item.fields else {
        reader.dx.error(
            item.ident.span(),
            "a model needs named fields: its bodies and joints",
            "write `struct Name { top: Body<SE3>, .. }`",
        );
        return model;
    };
    for field in &fields.named {
        if let Some((kind, _)) = kind_of(field)
            && kind == "Body"
        {
            reader.body(field, &mut model);
        }
    }
    for field in &fields.named {
        match kind_of(field) {
            Some((kind, _)) if kind == "Body" => {}
            Some((kind, span)) => reader.joint(field, &kind.to_string(), span, &mut model),
            None => reader.dx.error(
                field
                    .ident
                    .as_ref()
                    .map_or_else(Span::call_site, Ident::span),
                "the type of this field says nothing to the model",
                "use `Body<Group>`, or a joint such as `Spherical`",
            ),
        }
    }
    model
}

/// Last segment of the type of a field.
fn kind_of(field: &Field) -> Option<(Ident, Span)> {
    match &field.ty {
        Type::Path(path) => {
            let segment = path.path.segments.last()?;
            Some((segment.ident.clone(), segment.ident.span()))
        }
        _ => None,
    }
}

/// Joints that the macro knows.
const KINDS: [&str; 3] = ["Spherical", "Revolute", "Distance"];

struct Reader<'d> {
    constants: Constants,
    dx: &'d mut Diagnostics,
}

impl Reader<'_> {
    fn value(&mut self, expr: &syn::Expr) -> Option<Value> {
        match evaluate(expr, &self.constants) {
            Ok(value) => Some(value),
            Err(error) => {
                self.dx.syntax(error);
                None
            }
        }
    }

    fn unknown_setting(&mut self, name: &Ident, known: &[&str]) {
        let text = name.to_string();
        let help = nearest(&text, known.iter().copied()).map_or_else(
            || format!("known are {}", known.join(", ")),
            |near| format!("did you mean `{near}`?"),
        );
        self.dx
            .error(name.span(), format!("unknown setting `{text}`"), help);
    }

    fn number(&mut self, setting: &Setting) -> Option<f64> {
        let value = self.value(&setting.value)?;
        let number = value.number();
        if number.is_none() {
            let text = format!("`{}` must be a number", setting.name);
            self.dx
                .error(span_of(&setting.value), text, "write one number");
        }
        number
    }

    fn components(&mut self, setting: &Setting, count: usize) -> Option<Vec<f64>> {
        let value = self.value(&setting.value)?;
        match value.vector() {
            Some(vector) if vector.len() == count => Some(vector),
            other => {
                let found = other.map_or_else(
                    || "something else".to_owned(),
                    |vector| format!("{} components", vector.len()),
                );
                self.dx.error(
                    span_of(&setting.value),
                    format!(
                        "`{}` needs {count} components and has {found}",
                        setting.name
                    ),
                    format!("write a list of {count} numbers"),
                );
                None
            }
        }
    }

    fn vector3(&mut self, setting: &Setting) -> Option<[f64; 3]> {
        self.components(setting, 3)?.try_into().ok()
    }

    fn settings(&mut self, field: &Field, attribute: &str) -> Vec<Setting> {
        let mut all = Vec::new();
        for attr in field.attrs.iter().filter(|a| a.path().is_ident(attribute)) {
            match attr.parse_args::<Settings>() {
                Ok(settings) => all.extend(settings.0),
                Err(error) => self.dx.syntax(error),
            }
        }
        all
    }

    fn body(&mut self, field: &Field, model: &mut Model) {
        let Some(name) = field.ident.clone() else {
            return;
        };
        let Some(group) = self.group(field) else {
            return;
        };
        let coordinates = if let Group::Rn(n) = group { n } else { 3 };
        let mut body = Body {
            config: model.config_len(),
            velocity: model.dof(),
            name: name.clone(),
            group,
            mass: f64::NAN,
            inertia: [[0.0; 3]; 3],
            center: [0.0; 3],
            start: Start {
                position: vec![0.0; coordinates],
                rotation: [1.0, 0.0, 0.0, 0.0],
                velocity: vec![0.0; coordinates],
                angular_velocity: [0.0; 3],
            },
        };
        for setting in self.settings(field, "body") {
            match setting.name.to_string().as_str() {
                "mass" => {
                    if let Some(mass) = self.number(&setting) {
                        body.mass = mass;
                    }
                }
                "inertia" => self.inertia(&setting, &mut body),
                "center" => {
                    if let Some(center) = self.vector3(&setting) {
                        body.center = center;
                    }
                }
                _ => self.unknown_setting(&setting.name, &["mass", "inertia", "center"]),
            }
        }
        for setting in self.settings(field, "start") {
            let start = &mut body.start;
            match setting.name.to_string().as_str() {
                "position" => {
                    if let Some(position) = self.components(&setting, coordinates) {
                        start.position = position;
                    }
                }
                "velocity" => {
                    if let Some(velocity) = self.components(&setting, coordinates) {
                        start.velocity = velocity;
                    }
                }
                "rotation" => {
                    if let Some(rotation) = self.components(&setting, 4) {
                        start.rotation = [rotation[0], rotation[1], rotation[2], rotation[3]];
                    }
                }
                "angular_velocity" => {
                    if let Some(omega) = self.vector3(&setting) {
                        start.angular_velocity = omega;
                    }
                }
                _ => self.unknown_setting(
                    &setting.name,
                    &["position", "rotation", "velocity", "angular_velocity"],
                ),
            }
        }
        if body.mass.is_nan() {
            self.dx.error(
                name.span(),
                format!("body `{name}` has no mass"),
                "write `#[body(mass = .., inertia = [..])]` above it",
            );
        }
        model.bodies.push(body);
    }

    /// Three principal inertias or a full matrix.
    fn inertia(&mut self, setting: &Setting, body: &mut Body) {
        let Some(value) = self.value(&setting.value) else {
            return;
        };
        if let Some(diagonal) = value.vector()
            && diagonal.len() == 3
        {
            for (i, x) in diagonal.into_iter().enumerate() {
                body.inertia[i][i] = x;
            }
            return;
        }
        if let Value::List(rows) = &value
            && let Some(rows) = rows.iter().map(Value::vector).collect::<Option<Vec<_>>>()
            && rows.len() == 3
            && rows.iter().all(|row| row.len() == 3)
        {
            for i in 0..3 {
                body.inertia[i].copy_from_slice(&rows[i]);
            }
            return;
        }
        self.dx.error(
            span_of(&setting.value),
            "the inertia must have three components or be a 3 x 3 matrix",
            "write `[xx, yy, zz]` or `[[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]`",
        );
    }

    fn group(&mut self, field: &Field) -> Option<Group> {
        let Type::Path(path) = &field.ty else {
            return None;
        };
        let segment = path.path.segments.last()?;
        let PathArguments::AngleBracketed(arguments) = &segment.arguments else {
            self.dx.error(
                segment.ident.span(),
                "a body needs its group",
                "write `Body<SE3>` or another of SO3xR3, S3xR3, S3sR3, SO3, S3, R2, R3",
            );
            return None;
        };
        let Some(GenericArgument::Type(Type::Path(group))) = arguments.args.first() else {
            return None;
        };
        let ident = &group.path.segments.last()?.ident;
        let name = ident.to_string();
        let named = Group::NAMED.iter().find(|(known, _)| *known == name);
        if let Some((_, group)) = named {
            return Some(*group);
        }
        if let Some(n) = name.strip_prefix('R').and_then(|n| n.parse::<usize>().ok())
            && (1..=3).contains(&n)
        {
            return Some(Group::Rn(n));
        }
        let names = Group::NAMED.iter().map(|(name, _)| *name);
        let help = nearest(&name, names).map_or_else(
            || "known are SO3xR3, SE3, S3xR3, S3sR3, SO3, S3, R1, R2 and R3".to_owned(),
            |near| format!("did you mean `{near}`?"),
        );
        self.dx
            .error(ident.span(), format!("unknown group `{name}`"), help);
        None
    }

    fn joint(&mut self, field: &Field, kind: &str, span: Span, model: &mut Model) {
        let Some(name) = field.ident.clone() else {
            return;
        };
        if !KINDS.contains(&kind) {
            let help = nearest(kind, KINDS.into_iter().chain(["Body"])).map_or_else(
                || format!("known are Body<Group>, {}", KINDS.join(", ")),
                |near| format!("did you mean `{near}`?"),
            );
            self.dx
                .error(span, format!("unknown kind of component `{kind}`"), help);
            return;
        }
        let Some(attribute) = field.attrs.iter().find(|a| a.path().is_ident("joint")) else {
            self.dx.error(
                name.span(),
                format!("joint `{name}` connects nothing"),
                "write `#[joint(ground at [0.0, 0.0, 0.0], body at [..])]` above it",
            );
            return;
        };
        let connection = match attribute.parse_args::<Connection>() {
            Ok(connection) => connection,
            Err(error) => return self.dx.syntax(error),
        };
        let first = self.place(&connection.first, model);
        let second = self.place(&connection.second, model);
        let (Some(mut first), Some(mut second)) = (first, second) else {
            return;
        };
        if first.body == second.body {
            self.dx.error(
                connection.second.body.span(),
                format!(
                    "joint `{name}` connects `{}` with itself",
                    connection.second.body
                ),
                "name two different bodies, or `ground` and a body",
            );
            return;
        }
        let (mut axis, mut length) = (None, None);
        for setting in &connection.settings {
            match setting.name.to_string().as_str() {
                "axis" => axis = self.vector3(setting),
                "length" => length = self.number(setting),
                _ => self.unknown_setting(&setting.name, &["axis", "length"]),
            }
        }
        let kind = match kind {
            "Spherical" => JointKind::Spherical,
            "Revolute" => {
                let Some(axis) = axis else {
                    self.dx.error(
                        name.span(),
                        format!("revolute joint `{name}` has no axis"),
                        "add `axis = [x, y, z]`, in inertial axes at the start",
                    );
                    return;
                };
                let Some(axes) = frame(axis) else {
                    self.dx.error(
                        name.span(),
                        format!("the axis of `{name}` has no direction"),
                        "give a vector that is not zero",
                    );
                    return;
                };
                for side in [&mut first, &mut second] {
                    side.axes = in_body(model, side.body, axes);
                }
                JointKind::Revolute
            }
            _ => {
                let Some(length) = length else {
                    self.dx.error(
                        name.span(),
                        format!("distance joint `{name}` has no length"),
                        "add `length = ..`",
                    );
                    return;
                };
                JointKind::Distance { length }
            }
        };
        model.joints.push(Joint {
            name,
            kind,
            first,
            second,
        });
    }

    fn place(&mut self, place: &Place, model: &Model) -> Option<Attachment> {
        let name = place.body.to_string();
        let body = if name == "ground" {
            None
        } else {
            let found = model.bodies.iter().position(|body| body.name == name);
            let Some(found) = found else {
                let names: Vec<String> = model
                    .bodies
                    .iter()
                    .map(|body| body.name.to_string())
                    .collect();
                let names = names.iter().map(String::as_str).chain(["ground"]);
                let help = nearest(&name, names.clone()).map_or_else(
                    || format!("known are {}", names.collect::<Vec<_>>().join(", ")),
                    |near| format!("did you mean `{near}`?"),
                );
                self.dx
                    .error(place.body.span(), format!("unknown body `{name}`"), help);
                return None;
            };
            Some(BodyId(found))
        };
        let mut point = [0.0; 3];
        if let Some(expr) = &place.point {
            let value = self.value(expr)?.vector().unwrap_or_default();
            let Ok(components) = value.try_into() else {
                self.dx.error(
                    span_of(expr),
                    "a point needs three components",
                    "write `[x, y, z]` in coordinates of the body",
                );
                return None;
            };
            point = components;
        }
        Some(Attachment {
            body,
            point,
            axes: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        })
    }
}

fn span_of(expr: &syn::Expr) -> Span {
    syn::spanned::Spanned::span(expr)
}

/// Orthonormal axes with the given z axis.
fn frame(z: [f64; 3]) -> Option<[[f64; 3]; 3]> {
    let norm = z.iter().map(|x| x * x).sum::<f64>().sqrt();
    if !(norm > 0.0 && norm.is_finite()) {
        return None;
    }
    let z = z.map(|x| x / norm);
    let smallest = (0..3).min_by(|i, j| z[*i].abs().total_cmp(&z[*j].abs()))?;
    let mut x: [f64; 3] =
        core::array::from_fn(|i| f64::from(u8::from(i == smallest)) - z[smallest] * z[i]);
    let norm = x.iter().map(|x| x * x).sum::<f64>().sqrt();
    x = x.map(|x| x / norm);
    let y = [
        z[1] * x[2] - z[2] * x[1],
        z[2] * x[0] - z[0] * x[2],
        z[0] * x[1] - z[1] * x[0],
    ];
    Some([x, y, z])
}

/// Inertial axes in the coordinates of a body at its start.
fn in_body(model: &Model, body: Option<BodyId>, axes: [[f64; 3]; 3]) -> [[f64; 3]; 3] {
    let Some(body) = body else {
        return axes;
    };
    let r = rotation_matrix(model.body(body).start.rotation);
    axes.map(|axis| core::array::from_fn(|j| (0..3).map(|i| r[i][j] * axis[i]).sum()))
}
