//! Modal coordinates: `#[body(mass = [..])] modes: Body<R5>`, their springs and loads.
//!
//! A body on `Rn` has modal coordinates if there are more than three of them, or if it is given a
//! mass for each. Then it is not in space: nothing can be attached to it, and it has no weight.

use syn::Ident;

use super::Part;
use super::force::find;
use super::reader::{Level, Reader};
use crate::diag::At;
use crate::formula::Formula;
use crate::model::{Body, BodyId, ForceKind, FormulaMatrix, Group, Model};
use crate::syntax::{Items, Place, Setting};
use crate::value::Value;

impl Reader<'_> {
    /// One number; or for modal coordinates one for each, or a matrix.
    pub(super) fn mass_value(&mut self, setting: &Setting, body: &mut Body) {
        let Some(value) = self.value(&setting.value) else {
            return;
        };
        if let (Group::Rn(n), Value::List(_)) = (body.group, &value) {
            // The inverse of a full matrix is computed when the macro runs.
            body.mass_matrix = self.square(setting, &value, n, Level::Known);
            body.mass = Formula::Number(1.0);
        } else if let Some(mass) = self.number(setting, Level::Constructed) {
            body.mass = mass;
        }
    }

    /// Numbers of a diagonal, or a matrix whose entries depend on no more than `most`.
    fn square(
        &mut self,
        setting: &Setting,
        value: &Value,
        n: usize,
        most: Level,
    ) -> Option<FormulaMatrix> {
        let at = At::of(&setting.value);
        let rows = match value {
            Value::List(rows) => rows.iter().map(Value::vector).collect::<Option<Vec<_>>>(),
            _ => None,
        };
        let (matrix, most) = match (value.vector(), rows) {
            (Some(diagonal), _) if diagonal.len() == n => {
                let mut matrix = vec![vec![Formula::Number(0.0); n]; n];
                for (i, entry) in diagonal.into_iter().enumerate() {
                    matrix[i][i] = entry;
                }
                (matrix, Level::Constructed)
            }
            (_, Some(rows)) if rows.len() == n && rows.iter().all(|row| row.len() == n) => {
                (rows, most)
            }
            (list, rows) => {
                let found = match (list, rows) {
                    (Some(list), _) => format!("has {}", list.len()),
                    (_, Some(rows)) => format!("has {} rows", rows.len()),
                    _ => "is neither".to_owned(),
                };
                let name = &setting.name;
                self.dx.error(
                    at,
                    format!("`{name}` needs {n} components or a {n} x {n} matrix and {found}"),
                    format!("write a list of {n} numbers, or a list of {n} such lists"),
                );
                return None;
            }
        };
        for entry in matrix.iter().flatten() {
            self.check_level(at, entry, most)?;
        }
        Some(matrix)
    }

    /// The body of a name, if it has modal coordinates.
    pub(super) fn modal_named(&self, name: &Ident, model: &Model) -> Option<BodyId> {
        let found = self.scope.bodies.iter().position(|body| name == body)?;
        let body = model.bodies.get(found)?;
        body.modes().map(|_| BodyId(found))
    }

    /// `#[force(modes, stiffness = .., damping = ..)] name: ModalSpring`.
    pub(super) fn modal_spring(
        &mut self,
        part: &Part<'_>,
        items: &Items,
        model: &Model,
    ) -> Option<ForceKind> {
        let [place] = &items.places[..] else {
            self.dx.error(
                part.name.span(),
                format!("`{}` acts on one body with modal coordinates", part.name),
                "write `#[force(modes, stiffness = [..])]`",
            );
            return None;
        };
        let Some(body) = self.modal_named(&place.name, model) else {
            self.not_modal(&place.name, model);
            return None;
        };
        self.whole_body(place)?;
        let n = model.body(body).group.dof();
        let Some(setting) = find(items, "stiffness") else {
            self.missing(&part.name, "stiffness", "");
            return None;
        };
        let stiffness = self.modal_matrix(setting, n);
        let mut spans = [At::of(&setting.value); 2];
        let damping = match find(items, "damping") {
            Some(setting) => {
                spans[1] = At::of(&setting.value);
                self.modal_matrix(setting, n)
            }
            None => Some(vec![vec![Formula::Number(0.0); n]; n]),
        };
        Some(ForceKind::ModalSpring {
            body,
            stiffness: stiffness?,
            damping: damping?,
            spans,
        })
    }

    fn modal_matrix(&mut self, setting: &Setting, n: usize) -> Option<FormulaMatrix> {
        let value = self.value(&setting.value)?;
        self.square(setting, &value, n, Level::Constructed)
    }

    /// A name that is not one of modal coordinates.
    fn not_modal(&mut self, name: &Ident, model: &Model) {
        let Some(found) = self.body_named(name) else {
            return; // no such body: that was said
        };
        let what = found.map_or_else(
            || "the ground has no modal coordinates".to_owned(),
            |id| {
                let body = model.body(id);
                format!("`{name}` is a body in space, on {}", body.group.name())
            },
        );
        self.dx.error(
            name.span(),
            what,
            "a `ModalSpring` acts on modal coordinates, `#[body(mass = [..])] modes: Body<R5>`; use `SpringDamper` or `Bushing` in space",
        );
    }

    /// `#[force(modes, force = [..])] name: Load`.
    pub(super) fn modal_load(
        &mut self,
        part: &Part<'_>,
        items: &Items,
        place: &Place,
        body: BodyId,
        model: &Model,
    ) -> Option<ForceKind> {
        self.whole_body(place)?;
        let n = model.body(body).group.dof();
        for setting in &items.settings {
            if setting.name != "force" {
                self.dx.error(
                    setting.name.span(),
                    format!(
                        "a load on the modal coordinates of `{}` has no `{}`",
                        place.name, setting.name
                    ),
                    format!("write `force = [..]` with {n} formulas, one for each coordinate"),
                );
                return None;
            }
        }
        let force = match find(items, "force") {
            Some(setting) => self.components(setting, n, Level::Motion)?,
            None => Vec::new(),
        };
        if force.iter().all(Formula::is_zero) {
            self.dx.error(
                part.name.span(),
                format!("load `{}` is zero", part.name),
                format!("write `force = [..]` with {n} formulas"),
            );
            return None;
        }
        Some(ForceKind::ModalLoad { body, force })
    }

    /// Modal coordinates have neither points nor elements.
    fn whole_body(&mut self, place: &Place) -> Option<()> {
        let Some(extra) = place.point.as_ref().or(place.index.as_ref()) else {
            return Some(());
        };
        self.dx.error(
            At::of(extra),
            format!("the modal coordinates of `{}` have no points", place.name),
            format!("write `{}` alone", place.name),
        );
        None
    }
}
