//! Forces: `#[force(a at [..], b at [..], stiffness = ..)] spring: SpringDamper`.

use syn::{Field, Ident};

use super::Part;
use super::reader::{Level, Reader};
use crate::diag::{At, nearest};
use crate::forces::{Acts, Coefficient, Law, Number, On};
use crate::formula::{Formula, Formula3, fixed3};
use crate::model::{Attachment, Body, Force, ForceKind, JointId, JointKind, Model};
use crate::syntax::{Items, Setting};
use crate::value::Value;

impl Reader<'_> {
    pub(super) fn force(&mut self, part: &Part<'_>, model: &mut Model) {
        let Some(items) = self.force_items(part.field, &part.name, &part.kind) else {
            return;
        };
        let kind = match Law::named(&part.kind.to_string()) {
            Some(law) => self.law(part, &items, law, model),
            None if part.kind == "Load" => self.load(part, &items, model),
            None => self.modal_spring(part, &items, model),
        };
        if let Some(kind) = kind {
            model.forces.push(Force {
                name: part.name.clone(),
                kind,
            });
        }
    }

    /// What a force is given, if its kind knows all of it.
    pub(crate) fn force_items(
        &mut self,
        field: &Field,
        name: &Ident,
        kind: &Ident,
    ) -> Option<Items> {
        let errors = self.dx.len();
        let Some(items) = self.items(field, "force") else {
            self.dx.error(
                name.span(),
                format!("`{name}` acts on nothing"),
                "write `#[force(..)]` above it, with what it acts on and its numbers",
            );
            return None;
        };
        self.only(&items, &known_settings(&kind.to_string()));
        (self.dx.len() == errors).then_some(items)
    }

    /// What a force of the table is given, with an error for each number that is missing.
    pub(crate) fn coefficients(
        &mut self,
        name: &Ident,
        items: &Items,
        law: &Law,
    ) -> Option<Vec<Coefficient>> {
        let numbers = law.numbers.iter();
        let given: Vec<_> = numbers
            .map(|number| self.coefficient(name, items, number))
            .collect();
        given.into_iter().collect()
    }

    fn coefficient(&mut self, name: &Ident, items: &Items, number: &Number) -> Option<Coefficient> {
        let Some(setting) = find(items, number.word) else {
            if !number.optional {
                self.missing(name, number.word, number.meaning);
                return None;
            }
            let entries = if number.is_matrix() { 36 } else { 1 };
            return Some(Coefficient {
                entries: vec![Formula::Number(0.0); entries],
                at: name.span().into(),
            });
        };
        let entries = if number.is_matrix() {
            self.matrix6(setting)?
        } else {
            vec![self.number(setting, number.most)?]
        };
        Some(Coefficient {
            entries,
            at: At::of(&setting.value),
        })
    }

    /// A number that must be given is not.
    pub(super) fn missing(&mut self, name: &Ident, word: &str, meaning: &str) {
        let comma = if meaning.is_empty() { "" } else { ", " };
        self.dx.error(
            name.span(),
            format!("`{name}` has no `{word}`"),
            format!("add `{word} = ..`{comma}{meaning}"),
        );
    }

    /// A force of the table.
    fn law(
        &mut self,
        part: &Part<'_>,
        items: &Items,
        law: &'static Law,
        model: &Model,
    ) -> Option<ForceKind> {
        let on = match law.acts {
            Acts::Points => On::Between(Box::new(self.pair(
                part,
                &items.places,
                find(items, "at"),
                model,
            )?)),
            Acts::Frames => On::Between(Box::new(self.frames(part, items, model)?)),
            Acts::Angle | Acts::Coordinate { .. } => {
                let joint = self.joint_of(part, items)?;
                let held = model.joint(joint);
                self.effort_fits(law, (&held.name, &held.kind), &items.places[0].name)?;
                On::Joint(joint)
            }
        };
        let coefficients = self.coefficients(&part.name, items, law)?;
        Some(ForceKind::Law {
            law,
            on,
            coefficients,
        })
    }

    fn load(&mut self, part: &Part<'_>, items: &Items, model: &Model) -> Option<ForceKind> {
        let [place] = &items.places[..] else {
            self.dx.error(
                part.name.span(),
                format!("load `{}` acts on one body", part.name),
                "write `#[force(body at [..], force = [..])]`",
            );
            return None;
        };
        if let Some(body) = self.modal_named(&place.name, model) {
            return self.modal_load(part, items, place, body, model);
        }
        let at = self.place(place, None, model)?;
        let Some(id) = at.body else {
            self.dx.error(
                place.name.span(),
                "a load on the ground moves nothing",
                "name a body",
            );
            return None;
        };
        let mut vector = |word: &str| match find(items, word) {
            Some(setting) => self.vector3(setting, Level::Motion),
            None => Some(fixed3([0.0; 3])),
        };
        let (force, torque): (Formula3, Formula3) = (vector("force")?, vector("torque")?);
        let zero = |vector: &Formula3| vector.iter().all(Formula::is_zero);
        if zero(&force) && zero(&torque) {
            self.dx.error(
                part.name.span(),
                format!("load `{}` is zero", part.name),
                "add `force = [..]` or `torque = [..]`",
            );
            return None;
        }
        let group = model.body(id).group;
        if !group.rotates() && !zero(&torque) {
            self.dx.error(
                find(items, "torque")
                    .map_or_else(|| part.name.span().into(), |setting| At::of(&setting.value)),
                format!("a body on {} cannot carry a torque", group.name()),
                "use a force, or a group with rotations such as `SE3`",
            );
            return None;
        }
        let follower = match find(items, "frame") {
            None => false,
            Some(setting) => self.frame(setting)?,
        };
        Some(ForceKind::Load {
            at,
            force,
            torque,
            follower,
        })
    }

    /// `frame = world` or `frame = body`.
    pub(crate) fn frame(&mut self, setting: &Setting) -> Option<bool> {
        let word = match &setting.value {
            syn::Expr::Path(path) => path.path.get_ident().map(ToString::to_string),
            _ => None,
        };
        match word.as_deref() {
            Some("world") => Some(false),
            Some("body") => Some(true),
            _ => {
                self.dx.error(
                    At::of(&setting.value),
                    "the frame of a load is `world` or `body`",
                    "`frame = world` keeps its direction in space, `frame = body` turns with the body",
                );
                None
            }
        }
    }

    /// Two frames that coincide at the start.
    fn frames(&mut self, part: &Part<'_>, items: &Items, model: &Model) -> Option<[Attachment; 2]> {
        let [mut first, mut second] = self.pair(part, &items.places, find(items, "at"), model)?;
        let axis = find(items, "axis");
        self.axes(part, axis, true, [&mut first, &mut second], model)?;
        for side in [&first, &second] {
            if let Some(id) = side.body {
                self.has_axes(&part.kind, model.body(id))?;
            }
        }
        Some([first, second])
    }

    /// An error if a body is a point.
    pub(crate) fn has_axes(&mut self, kind: &Ident, body: &Body) -> Option<()> {
        if body.group.rotates() {
            return Some(());
        }
        self.dx.error(
            kind.span(),
            format!(
                "body `{}` on {} cannot carry a {}",
                body.name,
                body.group.name(),
                kind.to_string().to_lowercase()
            ),
            "use a `SpringDamper`, or a group with rotations such as `SE3`",
        );
        None
    }

    /// Six numbers of a diagonal, or a 6 x 6 matrix, by rows; rotation first.
    fn matrix6(&mut self, setting: &Setting) -> Option<Vec<Formula>> {
        let value = self.value(&setting.value)?;
        let rows = match &value {
            Value::List(rows) => rows.iter().map(Value::vector).collect::<Option<Vec<_>>>(),
            _ => None,
        };
        match (value.vector(), rows) {
            (Some(diagonal), _) if diagonal.len() == 6 => {
                let mut matrix = vec![Formula::Number(0.0); 36];
                for (i, x) in diagonal.into_iter().enumerate() {
                    matrix[7 * i] = x;
                }
                Some(matrix)
            }
            (_, Some(rows)) if rows.len() == 6 && rows.iter().all(|row| row.len() == 6) => {
                Some(rows.concat())
            }
            _ => {
                self.dx.error(
                    At::of(&setting.value),
                    format!(
                        "`{}` must have six components or be a 6 x 6 matrix",
                        setting.name
                    ),
                    "write [rx, ry, rz, x, y, z]: three for rotations, then three for translations",
                );
                None
            }
        }
    }

    /// An error if an effort of a kind cannot act on a joint.
    pub(crate) fn effort_fits(
        &mut self,
        law: &Law,
        (joint, held): (&Ident, &JointKind),
        place: &Ident,
    ) -> Option<()> {
        if held.has_angle() || (law.acts != Acts::Angle && held.has_displacement()) {
            return Some(());
        }
        self.dx.error(
            place.span(),
            format!("`{}` cannot act on joint `{joint}`, which is {}", law.name, held.name()),
            "it needs a `Revolute` or `Cylindrical` joint (or `Prismatic`, for controls and actuators)",
        );
        None
    }

    fn joint_of(&mut self, part: &Part<'_>, items: &Items) -> Option<JointId> {
        let [place] = &items.places[..] else {
            self.dx.error(
                part.name.span(),
                format!("`{}` acts on one joint", part.name),
                "write the name of a joint first: `#[force(hinge, ..)]`",
            );
            return None;
        };
        let known = self.known_joint(&place.name);
        known.map(JointId)
    }

    /// Place of a joint among the declared ones, or an error.
    pub(crate) fn known_joint(&mut self, ident: &Ident) -> Option<usize> {
        let name = ident.to_string();
        let found = self.scope.joints.iter().position(|joint| *joint == name);
        if found.is_none() {
            let names = self.scope.joints.iter().map(String::as_str);
            let help = nearest(&name, names.clone()).map_or_else(
                || format!("known are {}", names.collect::<Vec<_>>().join(", ")),
                |near| format!("did you mean `{near}`?"),
            );
            let text = format!("unknown joint `{name}`");
            self.dx.error(ident.span(), text, help);
        }
        found
    }
}

/// What a force of a kind may be given.
fn known_settings(name: &str) -> Vec<&'static str> {
    match (Law::named(name), name) {
        (Some(law), _) => law.settings(),
        (None, "ModalSpring") => vec!["stiffness", "damping"],
        (None, _) => vec!["force", "torque", "frame"],
    }
}

pub(crate) fn find<'a>(items: &'a Items, word: &str) -> Option<&'a Setting> {
    items.settings.iter().find(|setting| setting.name == word)
}
