//! Typed reading of settings, with errors on the value at fault.

use proc_macro2::Ident;
use quote::ToTokens;
use syn::{Expr, Field};

use super::partial::names;
use crate::diag::{At, Diagnostics, nearest};
use crate::formula::{Formula, Formula3, Leaf};
use crate::syntax::{Arguments, Items, Place, Setting};
use crate::value::{Scope, Value};

/// What a number may depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Level {
    /// Known when the macro runs.
    Known,
    /// Known when the model is constructed.
    Constructed,
    /// A function of time.
    Time,
    /// A function of time and motion.
    Motion,
}

fn level(formula: &Formula) -> Level {
    let mut level = Level::Known;
    formula.leaves(&mut |leaf| {
        level = level.max(match leaf {
            Leaf::Parameter(_) | Leaf::Outside(_) => Level::Constructed,
            Leaf::Time => Level::Time,
            Leaf::Body(..) | Leaf::Joint(..) => Level::Motion,
        });
    });
    level
}

/// Reads expressions in a scope; errors are collected.
pub(crate) struct Reader<'d> {
    pub(crate) scope: Scope,
    pub(crate) dx: &'d mut Diagnostics,
}

impl Reader<'_> {
    /// Nothing after an error, or if the value reads a name whose declaration is one.
    pub(crate) fn value(&mut self, expr: &Expr) -> Option<Value> {
        if self.reads_error(expr) {
            return None;
        }
        self.scope
            .evaluate(expr)
            .map_err(|error| self.dx.syntax(error))
            .ok()
    }

    /// Whether an expression reads a name whose declaration is an error.
    pub(crate) fn reads_error(&self, expr: &Expr) -> bool {
        let mut written = Vec::new();
        if !self.scope.taken.is_empty() {
            names(expr.to_token_stream(), &mut written);
        }
        written.iter().any(|name| self.scope.taken.contains(name))
    }

    /// Checks that a formula depends on no more than it may.
    pub(crate) fn check_level(&mut self, span: At, formula: &Formula, most: Level) -> Option<()> {
        if let Some(number) = formula.value()
            && !number.is_finite()
        {
            self.dx.error(
                span,
                format!("this has no finite value: it is {number}"),
                "look for a division by zero, or for a root or logarithm of a negative number",
            );
            return None;
        }
        if level(formula) <= most {
            return Some(());
        }
        let (what, help) = match most {
            Level::Known => (
                "the value is needed when the macro runs",
                "write a number, or declare it with `consts(NAME = ..)` in the attribute",
            ),
            Level::Constructed => (
                "this number cannot depend on time or motion",
                "use numbers, constants and parameters only",
            ),
            Level::Time | Level::Motion => (
                "this can depend on time, but not on the motion",
                "use `t`, numbers, constants and parameters only",
            ),
        };
        self.dx.error(span, what, help);
        None
    }

    pub(crate) fn number(&mut self, setting: &Setting, most: Level) -> Option<Formula> {
        let span = At::of(&setting.value);
        let value = self.value(&setting.value)?;
        let Some(number) = value.number() else {
            let text = format!("`{}` must be a number", setting.name);
            self.dx.error(span, text, "write one number");
            return None;
        };
        self.check_level(span, number, most)?;
        Some(number.clone())
    }

    pub(crate) fn known(&mut self, setting: &Setting) -> Option<f64> {
        self.number(setting, Level::Known)?.value()
    }

    pub(crate) fn components(
        &mut self,
        setting: &Setting,
        count: usize,
        most: Level,
    ) -> Option<Vec<Formula>> {
        let name = setting.name.to_string();
        self.list(&setting.value, &name, count, most)
    }

    /// A list of numbers with a given length.
    pub(crate) fn list(
        &mut self,
        expr: &Expr,
        name: &str,
        count: usize,
        most: Level,
    ) -> Option<Vec<Formula>> {
        let value = self.value(expr)?;
        let components = match value.vector() {
            Some(components) if components.len() == count => components,
            other => {
                let found = other.map_or_else(
                    || "is not a list of numbers".to_owned(),
                    |found| format!("has {}", found.len()),
                );
                self.dx.error(
                    At::of(expr),
                    format!("`{name}` needs {count} components and {found}"),
                    format!("write a list of {count} numbers"),
                );
                return None;
            }
        };
        for component in &components {
            self.check_level(At::of(expr), component, most)?;
        }
        Some(components)
    }

    pub(crate) fn vector3(&mut self, setting: &Setting, most: Level) -> Option<Formula3> {
        self.components(setting, 3, most)?.try_into().ok()
    }

    pub(crate) fn point(&mut self, expr: &Expr) -> Option<Formula3> {
        let components = self.list(expr, "point", 3, Level::Constructed)?;
        components.try_into().ok()
    }

    /// A vector that is known when the macro runs.
    pub(crate) fn known3(&mut self, expr: &Expr, name: &str) -> Option<[f64; 3]> {
        let components = self.list(expr, name, 3, Level::Known)?;
        let numbers: Vec<f64> = components.iter().filter_map(Formula::value).collect();
        numbers.try_into().ok()
    }

    pub(crate) fn unknown_setting(&mut self, name: &Ident, known: &[&str]) {
        let text = name.to_string();
        let help = nearest(&text, known.iter().copied()).map_or_else(
            || format!("known are {}", known.join(", ")),
            |near| format!("did you mean `{near}`?"),
        );
        self.dx
            .error(name.span(), format!("unknown setting `{text}`"), help);
    }

    /// Reports settings that are not among the known ones.
    pub(crate) fn only(&mut self, items: &Items, known: &[&str]) {
        for setting in &items.settings {
            if !known.contains(&setting.name.to_string().as_str()) {
                self.unknown_setting(&setting.name, known);
            }
        }
    }

    /// The items of all attributes of a field with one name; `None` if there is none.
    pub(crate) fn items(&mut self, field: &Field, attribute: &str) -> Option<Items> {
        let mut all: Option<Items> = None;
        for attr in field.attrs.iter().filter(|a| a.path().is_ident(attribute)) {
            let all = all.get_or_insert_default();
            match attr.parse_args::<Items>() {
                Ok(items) => {
                    all.places.extend(items.places);
                    all.settings.extend(items.settings);
                }
                Err(error) => self.dx.syntax(error),
            }
        }
        if let Some(all) = &all {
            self.once(all.settings.iter().map(|setting| &setting.name));
        }
        all
    }

    /// Reports settings and words of the attribute of the struct that are there twice.
    pub(crate) fn each_once(&mut self, arguments: &Arguments) {
        let items = &arguments.items;
        let settings = items.settings.iter().map(|setting| &setting.name);
        let words = items.places.iter().map(|place| &place.name);
        self.once(settings.chain(words));
    }

    /// Reports every name that was there before: of two values one would be ignored.
    fn once<'a>(&mut self, names: impl Iterator<Item = &'a Ident>) {
        let mut before: Vec<&Ident> = Vec::new();
        for name in names {
            if before.contains(&name) {
                self.dx.error(
                    name.span(),
                    format!("`{name}` is set twice"),
                    "keep one of them",
                );
            }
            before.push(name);
        }
    }

    /// Takes the words out of a list of places; what is not a known word is an error.
    pub(crate) fn words(&mut self, places: &[Place], known: &[&str]) -> Vec<String> {
        let mut found = Vec::new();
        for place in places {
            let word = place.name.to_string();
            if known.contains(&word.as_str()) {
                found.push(word);
            } else if known.is_empty() {
                self.dx.error(
                    place.name.span(),
                    format!("`{word}` has no value"),
                    format!("write `{word} = ..`"),
                );
            } else {
                self.unknown_setting(&place.name, known);
            }
        }
        found
    }
}
