//! Parameters: `#[param(default = 1.0, positive)] length: f64`.

use quote::ToTokens;
use syn::{Expr, Field, Ident, RangeLimits};

use super::Part;
use super::reader::Reader;
use crate::diag::At;
use crate::model::{Model, Parameter, ParameterRange};

impl Reader<'_> {
    pub(super) fn parameter(&mut self, part: &Part<'_>, model: &mut Model) {
        let parameter = self.parameter_of(part.field, &part.name);
        model.parameters.extend(parameter);
    }

    /// `#[param(default = .., ..)] name: f64`.
    pub(crate) fn parameter_of(&mut self, field: &Field, name: &Ident) -> Option<Parameter> {
        let errors = self.dx.len();
        let Some(items) = self.items(field, "param") else {
            self.dx.error(
                name.span(),
                format!("parameter `{name}` has no default"),
                "write `#[param(default = ..)]` above it",
            );
            return None;
        };
        let mut default = None;
        let mut range = ParameterRange::ALL;
        for word in self.words(&items.places, &["positive", "nonnegative"]) {
            range.min = 0.0;
            range.above_min = word == "positive";
        }
        let ranges = items
            .settings
            .iter()
            .filter(|setting| setting.name == "range");
        let words = items.places.iter().map(|place| &place.name);
        if let Some(second) = words.chain(ranges.map(|setting| &setting.name)).nth(1) {
            self.dx.error(
                second.span(),
                format!("the allowed values of `{name}` are given twice"),
                "keep one of `positive`, `nonnegative` and `range = ..`",
            );
        }
        for setting in &items.settings {
            match setting.name.to_string().as_str() {
                "default" => default = self.known(setting).map(|x| (x, At::of(&setting.value))),
                "range" => {
                    if let Some(found) = self.range(&setting.value) {
                        range = found;
                    }
                }
                _ => self.unknown_setting(
                    &setting.name,
                    &["default", "range", "positive", "nonnegative"],
                ),
            }
        }
        let Some((default, span)) = default else {
            // What could not be read explains what is missing.
            let given = items.settings.iter().any(|s| s.name == "default");
            if !given && self.dx.len() == errors {
                self.dx.error(
                    name.span(),
                    format!("parameter `{name}` has no default"),
                    "write `#[param(default = ..)]` above it",
                );
            }
            return None;
        };
        if !range.contains(default) {
            self.dx.error(
                span,
                format!(
                    "the default {default} of `{name}` is not allowed: it must be {}",
                    range.words()
                ),
                "change the default or the range",
            );
        }
        let documentation = field.attrs.iter();
        Some(Parameter {
            name: name.clone(),
            documentation: documentation
                .filter(|attribute| attribute.path().is_ident("doc"))
                .map(ToTokens::to_token_stream)
                .collect(),
            default,
            range,
        })
    }

    /// `a..=b`.
    fn range(&mut self, expr: &Expr) -> Option<ParameterRange> {
        let ends = match expr {
            Expr::Range(range) if matches!(range.limits, RangeLimits::Closed(_)) => {
                Some((range.start.as_ref(), range.end.as_ref()))
            }
            _ => None,
        };
        let Some((start, end)) = ends else {
            self.dx.error(
                At::of(expr),
                "a range has a smallest and a largest value",
                "write `range = 0.0..=1.0`",
            );
            return None;
        };
        let mut bound = |end: Option<&Box<Expr>>, open: f64| match end {
            None => Some(open),
            Some(expr) => self.value(expr)?.number()?.value(),
        };
        Some(ParameterRange {
            min: bound(start, f64::NEG_INFINITY)?,
            max: bound(end, f64::INFINITY)?,
            above_min: false,
        })
    }
}
