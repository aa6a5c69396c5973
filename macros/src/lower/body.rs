//! Bodies: `#[body(mass = .., inertia = ..)] #[start(position = ..)] top: Body<SE3>`.

use syn::{Expr, Field, GenericArgument, PathArguments, Type};

use super::Part;
use super::reader::{Level, Reader};
use crate::diag::{At, nearest};
use crate::formula::{Formula, Formula3, fixed3, rotate3};
use crate::model::{Body, Group, Model, rotation_matrix};
use crate::syntax::Setting;
use crate::value::{Value, known_rotation};

impl Reader<'_> {
    /// Whether mass and inertia were read, and whether the start was.
    pub(super) fn body(&mut self, part: &Part<'_>, model: &mut Model) -> (bool, bool) {
        let name = &part.name;
        let errors = self.dx.len();
        // After an error any group will do: the rest of the model can be read.
        let group = self.group(&part.field.ty, "body").unwrap_or(Group::Se3);
        let coordinates = if let Group::Rn(n) = group { n } else { 3 };
        let mut body = Body::new(name, group);
        (body.config, body.velocity) = (model.body_config_len(), model.dof());
        body.start.position = vec![Formula::Number(0.0); coordinates];
        let grouped = self.dx.len() == errors;
        self.mass(part.field, &mut body, errors);
        let numbers = self.dx.len() == errors;
        let errors = self.dx.len();
        self.start(part, coordinates, &mut body);
        let started = grouped && self.dx.len() == errors;
        self.scope.modes.push(body.modes());
        model.bodies.push(body);
        (numbers, started)
    }

    /// `#[body(mass = .., inertia = [..], center = [..], free)]`; `errors` is how many there were
    /// before the group was read.
    pub(crate) fn mass(&mut self, field: &Field, body: &mut Body, errors: usize) {
        let name = body.name.clone();
        let (mut has_mass, mut has_inertia) = (false, false);
        let items = self.items(field, "body").unwrap_or_default();
        for word in self.words(&items.places, &["free", "inertia_unchecked"]) {
            body.free |= word == "free";
            body.inertia_unchecked |= word == "inertia_unchecked";
        }
        for setting in &items.settings {
            match setting.name.to_string().as_str() {
                "mass" => {
                    has_mass = true;
                    body.spans.mass = At::of(&setting.value);
                    self.mass_value(setting, body);
                }
                "inertia" | "inertia_unchecked" | "center" if !body.group.rotates() => {
                    self.dx.error(
                        setting.name.span(),
                        format!("a body on {} has no `{}`", body.group.name(), setting.name),
                        "leave it out, or use a group with rotations such as `SE3`",
                    );
                }
                "inertia" | "inertia_unchecked" => {
                    has_inertia = true;
                    body.inertia_unchecked |= setting.name == "inertia_unchecked";
                    body.spans.inertia = At::of(&setting.value);
                    if let Some(inertia) = self.inertia(setting) {
                        body.inertia = inertia;
                    }
                }
                "center" => {
                    body.spans.center = At::of(&setting.value);
                    if let Some(center) = self.vector3(setting, Level::Constructed) {
                        body.center = center;
                    }
                }
                _ => self.unknown_setting(
                    &setting.name,
                    &["mass", "inertia", "inertia_unchecked", "center", "free"],
                ),
            }
        }
        // A misspelt setting explains what is missing, and so does a group that is not known.
        let misread = self.dx.len() > errors;
        if !has_mass && !misread {
            self.dx.error(
                name.span(),
                format!("body `{name}` has no mass"),
                if body.group.rotates() {
                    "write `#[body(mass = .., inertia = [..])]` above it"
                } else {
                    "write `#[body(mass = ..)]` above it"
                },
            );
        }
        if has_mass && !has_inertia && body.group.rotates() && !misread {
            self.dx.error(
                name.span(),
                format!("body `{name}` rotates and has no inertia"),
                "add `inertia = [xx, yy, zz]` about its centre of mass, or use `Body<R3>` for a point mass",
            );
        }
    }

    fn start(&mut self, part: &Part<'_>, coordinates: usize, body: &mut Body) {
        const KNOWN: [&str; 4] = ["position", "rotation", "velocity", "angular_velocity"];
        let items = self.items(part.field, "start").unwrap_or_default();
        self.words(&items.places, &[]);
        let rotates = body.group.rotates();
        // The rotation first: vectors in world axes need it.
        for setting in items.settings.iter().filter(|s| s.name == "rotation") {
            if let Some(rotation) = self.rotation(setting) {
                body.start.rotation = rotation;
            }
        }
        for setting in &items.settings {
            match setting.name.to_string().as_str() {
                "rotation" | "angular_velocity" if !rotates => {
                    let group = body.group.name();
                    self.dx.error(
                        setting.name.span(),
                        format!("a body on {group} does not rotate"),
                        "remove this, or use a group with rotations such as `SE3`",
                    );
                }
                "rotation" => {}
                "position" => {
                    body.spans.position = At::of(&setting.value);
                    // Where a rotation group is fixed is a part of the type.
                    let fixed = rotates && body.group.dof() == 3;
                    let most = if fixed {
                        Level::Known
                    } else {
                        Level::Constructed
                    };
                    if let Some(position) = self.components(setting, coordinates, most) {
                        body.start.position = position;
                    }
                }
                "velocity" if body.group.dof() == 3 && rotates => {
                    self.dx.error(
                        setting.name.span(),
                        "the origin of a body on a rotation group does not move",
                        "give `angular_velocity`, and put the origin of the body where it is held",
                    );
                }
                "velocity" => {
                    body.spans.velocity = At::of(&setting.value);
                    body.start.velocity = self.components(setting, coordinates, Level::Constructed);
                }
                "angular_velocity" => {
                    body.spans.velocity = At::of(&setting.value);
                    body.start.angular_velocity = self.angular_velocity(setting, body);
                }
                _ => self.unknown_setting(&setting.name, &KNOWN),
            }
        }
    }

    /// In body axes, or `world([..])`.
    fn angular_velocity(&mut self, setting: &Setting, body: &Body) -> Option<Formula3> {
        let Some(inner) = in_world(&setting.value) else {
            return self.vector3(setting, Level::Constructed);
        };
        let list = self.list(inner, "angular_velocity", 3, Level::Constructed)?;
        let world: Formula3 = list.try_into().ok()?;
        let r = rotation_matrix(body.start.rotation);
        let back = core::array::from_fn(|i| core::array::from_fn(|j| r[j][i]));
        Some(rotate3(&back, &world))
    }

    /// A quaternion or a product of `rx`, `ry`, `rz`.
    fn rotation(&mut self, setting: &Setting) -> Option<[f64; 4]> {
        let span = At::of(&setting.value);
        let found = match self.value(&setting.value)? {
            Value::Rotation(rotation) => known_rotation(&rotation),
            list => list.vector().and_then(|components| {
                let known: Vec<f64> = components.iter().filter_map(Formula::value).collect();
                known.try_into().ok()
            }),
        };
        let Some(rotation) = found else {
            self.dx.error(
                span,
                "the rotation must be known when the macro runs, as a rotation or a quaternion",
                "write `rotation = rx(0.1) * rz(PI / 2)`, or `[w, x, y, z]`",
            );
            return None;
        };
        self.unit_quaternion(span, rotation)
    }

    /// A quaternion whose length is exactly one, if it is nearly one.
    pub(crate) fn unit_quaternion(&mut self, at: At, quaternion: [f64; 4]) -> Option<[f64; 4]> {
        let norm = quaternion.iter().map(|x| x * x).sum::<f64>().sqrt();
        if (norm - 1.0).abs() > 1e-6 || norm.is_nan() {
            self.dx.error(
                at,
                format!("the quaternion has length {norm:.6}, not 1"),
                "divide its components by their length",
            );
            return None;
        }
        Some(quaternion.map(|x| x / norm))
    }

    /// Three principal inertias or a full matrix.
    pub(crate) fn inertia(&mut self, setting: &Setting) -> Option<[[Formula; 3]; 3]> {
        let value = self.value(&setting.value)?;
        let mut inertia: [[Formula; 3]; 3] = core::array::from_fn(|_| fixed3([0.0; 3]));
        if let Some(diagonal) = value.vector()
            && diagonal.len() == 3
        {
            for (i, x) in diagonal.into_iter().enumerate() {
                inertia[i][i] = x;
            }
            return Some(inertia);
        }
        if let Value::List(rows) = &value
            && let Some(rows) = rows.iter().map(Value::vector).collect::<Option<Vec<_>>>()
            && rows.len() == 3
            && rows.iter().all(|row| row.len() == 3)
        {
            for (i, row) in rows.into_iter().enumerate() {
                for (j, x) in row.into_iter().enumerate() {
                    inertia[i][j] = x;
                }
            }
            return Some(inertia);
        }
        self.dx.error(
            At::of(&setting.value),
            "the inertia must have three components or be a 3 x 3 matrix",
            "write `[xx, yy, zz]` or `[[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]`",
        );
        None
    }

    /// A joint, a force or a parameter has no group, `Spherical<SE3>`.
    pub(crate) fn no_group(&mut self, ty: &Type) {
        let Type::Path(path) = ty else { return };
        let Some(segment) = path.path.segments.last() else {
            return;
        };
        if !segment.arguments.is_none() {
            let name = &segment.ident;
            self.dx.error(
                At::of(&segment.arguments),
                format!("`{name}` has no group: that belongs to bodies and nodes"),
                format!("write `{name}`"),
            );
        }
    }

    /// The group of `Body<Group>` or `Node<Group>`.
    pub(crate) fn group(&mut self, ty: &Type, word: &str) -> Option<Group> {
        let Type::Path(path) = ty else {
            return None;
        };
        let segment = path.path.segments.last()?;
        let arguments: Vec<&GenericArgument> = match &segment.arguments {
            PathArguments::AngleBracketed(arguments) => arguments.args.iter().collect(),
            _ => Vec::new(),
        };
        let argument = arguments.first().copied();
        if let Some(more) = arguments.get(1) {
            self.dx.error(
                At::of(more),
                format!("a {word} moves on one group"),
                format!(
                    "remove this, or write `{}<Group>` with this group",
                    segment.ident
                ),
            );
        }
        let Some(GenericArgument::Type(Type::Path(group))) = argument else {
            self.dx.error(
                segment.ident.span(),
                format!("a {word} needs its group"),
                format!(
                    "write `{}<SE3>`, or another of SO3xR3, S3xR3, S3sR3, SO3, S3, R1, R2, R3, .., R{}",
                    segment.ident,
                    Group::MOST_COORDINATES
                ),
            );
            return None;
        };
        let ident = &group.path.segments.last()?.ident;
        let name = ident.to_string();
        let named = Group::NAMED.iter().find(|(known, _)| *known == name);
        if let Some((_, group)) = named {
            return Some(*group);
        }
        let most = Group::MOST_COORDINATES;
        if let Some(digits) = name.strip_prefix('R')
            && !digits.is_empty()
            && digits.bytes().all(|digit| digit.is_ascii_digit())
        {
            // What is too large for a number is too large for a group.
            let n = digits.parse::<usize>().unwrap_or(usize::MAX);
            if (1..=most).contains(&n) {
                return Some(Group::Rn(n));
            }
            self.dx.error(
                ident.span(),
                format!("`{name}` is no group: a body on `Rn` has 1 to {most} coordinates"),
                if n == 0 {
                    "write `R1`, or the number of coordinates".to_owned()
                } else {
                    format!("write `R{most}` at most, and use several bodies for more coordinates")
                },
            );
            // The rest of the model is read as it is meant, within reason.
            return Some(Group::Rn(n.clamp(1, 1000)));
        }
        let names = Group::NAMED.iter().map(|(name, _)| *name);
        let help = nearest(&name, names.chain(["R1", "R2", "R3"])).map_or_else(
            || format!("known are SO3xR3, SE3, S3xR3, S3sR3, SO3, S3, and R1, R2, R3, .., R{most}"),
            |near| format!("did you mean `{near}`?"),
        );
        self.dx
            .error(ident.span(), format!("unknown group `{name}`"), help);
        None
    }
}

/// The argument of `world(..)`.
pub(crate) fn in_world(expr: &Expr) -> Option<&Expr> {
    let Expr::Call(call) = expr else { return None };
    let Expr::Path(path) = &*call.func else {
        return None;
    };
    (path.path.is_ident("world") && call.args.len() == 1).then(|| &call.args[0])
}
