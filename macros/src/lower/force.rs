//! Forces: `#[force(a at [..], b at [..], stiffness = ..)] spring: SpringDamper`.

use syn::{Field, Ident};

use super::Part;
use super::reader::{Level, Reader};
use crate::diag::{At, nearest};
use crate::formula::{Formula, Formula3, fixed3};
use crate::model::{Force, ForceKind, Group, JointId, JointKind, Model, Written};
use crate::syntax::{Items, Setting};
use crate::value::Value;

impl Reader<'_> {
    pub(super) fn force(&mut self, part: &Part<'_>, model: &mut Model) {
        let Some(items) = self.force_items(part.field, &part.name, &part.kind) else {
            return;
        };
        let kind = match part.kind.to_string().as_str() {
            "SpringDamper" => self.spring(part, &items, model),
            "Load" => self.load(part, &items, model),
            "Bushing" => self.bushing(part, &items, model),
            "ModalSpring" => self.modal_spring(part, &items, model),
            _ => self.joint_force(part, &items, model),
        };
        if let Some(kind) = kind {
            model.forces.push(Force {
                name: part.name.clone(),
                kind,
                written: Written::new(&part.name, &items.settings),
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
        self.only(&items, known_settings(&kind.to_string()));
        (self.dx.len() == errors).then_some(items)
    }

    /// A number that must be given unless there is a default.
    pub(super) fn coefficient(
        &mut self,
        part: &Part<'_>,
        items: &Items,
        word: &str,
        default: Option<f64>,
        most: Level,
    ) -> Option<Formula> {
        let (number, _) = self.coefficient_at(&part.name, items, word, default, most)?;
        Some(number)
    }

    /// The same, with its place.
    pub(crate) fn coefficient_at(
        &mut self,
        name: &Ident,
        items: &Items,
        word: &str,
        default: Option<f64>,
        most: Level,
    ) -> Option<(Formula, At)> {
        match (find(items, word), default) {
            (Some(setting), _) => Some((self.number(setting, most)?, At::of(&setting.value))),
            (None, Some(default)) => Some((Formula::Number(default), name.span().into())),
            (None, None) => {
                self.dx.error(
                    name.span(),
                    format!("`{name}` has no `{word}`"),
                    format!("add `{word} = ..`{}", meaning(word)),
                );
                None
            }
        }
    }

    fn spring(&mut self, part: &Part<'_>, items: &Items, model: &Model) -> Option<ForceKind> {
        let [first, second] = self.pair(part, &items.places, find(items, "at"), model)?;
        let mut number =
            |word, default| self.coefficient(part, items, word, default, Level::Constructed);
        Some(ForceKind::SpringDamper {
            first,
            second,
            stiffness: number("stiffness", None)?,
            damping: number("damping", Some(0.0))?,
            length: number("length", None)?,
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

    fn bushing(&mut self, part: &Part<'_>, items: &Items, model: &Model) -> Option<ForceKind> {
        let [mut first, mut second] = self.pair(part, &items.places, find(items, "at"), model)?;
        self.axes(
            part,
            find(items, "axis"),
            true,
            [&mut first, &mut second],
            model,
        )?;
        for side in [&first, &second] {
            if let Some(body) = side.body.map(|id| model.body(id))
                && let Group::Rn(_) = body.group
            {
                self.dx.error(
                    part.kind.span(),
                    format!(
                        "body `{}` on {} cannot carry a bushing",
                        body.name,
                        body.group.name()
                    ),
                    "use a `SpringDamper`, or a group with rotations such as `SE3`",
                );
                return None;
            }
        }
        let Some(setting) = find(items, "stiffness") else {
            self.coefficient(part, items, "stiffness", None, Level::Constructed)?;
            return None;
        };
        let stiffness = self.matrix6(setting)?;
        let damping = match find(items, "damping") {
            Some(setting) => self.matrix6(setting)?,
            None => Box::new(core::array::from_fn(|_| zeros6())),
        };
        Some(ForceKind::Bushing {
            first,
            second,
            stiffness,
            damping,
        })
    }

    /// Six numbers of a diagonal, or a 6 x 6 matrix; rotation first.
    pub(crate) fn matrix6(&mut self, setting: &Setting) -> Option<Box<[[Formula; 6]; 6]>> {
        let value = self.value(&setting.value)?;
        let mut matrix: [[Formula; 6]; 6] = core::array::from_fn(|_| zeros6());
        let rows = match &value {
            Value::List(rows) => rows.iter().map(Value::vector).collect::<Option<Vec<_>>>(),
            _ => None,
        };
        match (value.vector(), rows) {
            (Some(diagonal), _) if diagonal.len() == 6 => {
                for (i, x) in diagonal.into_iter().enumerate() {
                    matrix[i][i] = x;
                }
            }
            (_, Some(rows)) if rows.len() == 6 && rows.iter().all(|row| row.len() == 6) => {
                for (i, row) in rows.into_iter().enumerate() {
                    for (j, x) in row.into_iter().enumerate() {
                        matrix[i][j] = x;
                    }
                }
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
                return None;
            }
        }
        Some(Box::new(matrix))
    }

    fn joint_force(&mut self, part: &Part<'_>, items: &Items, model: &Model) -> Option<ForceKind> {
        let joint = self.joint_of(part, items)?;
        let kind = part.kind.to_string();
        let held = model.joint(joint);
        self.effort_fits(&kind, (&held.name, &held.kind), &items.places[0].name)?;
        let mut number = |word, default, most| self.coefficient(part, items, word, default, most);
        let constructed = Level::Constructed;
        match kind.as_str() {
            "TorsionSpring" => Some(ForceKind::TorsionSpring {
                joint,
                stiffness: number("stiffness", None, constructed)?,
                damping: number("damping", Some(0.0), constructed)?,
                angle: number("angle", Some(0.0), constructed)?,
            }),
            "PdControl" => Some(ForceKind::PdControl {
                joint,
                proportional: number("p", None, constructed)?,
                derivative: number("d", None, constructed)?,
                target: number("target", None, Level::Time)?,
            }),
            _ => {
                let effort = number("effort", None, Level::Motion)?;
                Some(ForceKind::Actuator { joint, effort })
            }
        }
    }

    /// An error if an effort of a kind cannot act on a joint.
    pub(crate) fn effort_fits(
        &mut self,
        kind: &str,
        (joint, held): (&Ident, &JointKind),
        place: &Ident,
    ) -> Option<()> {
        if held.has_angle() || (kind != "TorsionSpring" && held.has_displacement()) {
            return Some(());
        }
        self.dx.error(
            place.span(),
            format!("`{kind}` cannot act on joint `{joint}`, which is {}", held.name()),
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

/// What a number of a force stands for, where its name does not say it.
fn meaning(word: &str) -> &'static str {
    match word {
        "length" => ", the length at which the spring is free of force",
        "p" => ", the effort per deviation from the target",
        "d" => ", the effort per deviation from the rate of the target",
        "target" => ", a function of `t` that the coordinate should follow",
        "effort" => ", a torque or a force along the coordinate of the joint",
        _ => "",
    }
}

/// What a force of a kind may be given.
fn known_settings(name: &str) -> &'static [&'static str] {
    match name {
        "SpringDamper" => &["at", "stiffness", "damping", "length"],
        "ModalSpring" => &["stiffness", "damping"],
        "Load" => &["force", "torque", "frame"],
        "Bushing" => &["at", "axis", "stiffness", "damping"],
        "TorsionSpring" => &["stiffness", "damping", "angle"],
        "PdControl" => &["p", "d", "target"],
        _ => &["effort"],
    }
}

pub(crate) fn find<'a>(items: &'a Items, word: &str) -> Option<&'a Setting> {
    items.settings.iter().find(|setting| setting.name == word)
}

pub(crate) fn zeros6() -> [Formula; 6] {
    core::array::from_fn(|_| Formula::Number(0.0))
}
