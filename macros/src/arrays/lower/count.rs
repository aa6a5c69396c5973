//! Counts: `struct Rod<const N: usize>`, or `#[count(default = 8, min = 1)] n: usize`.

use quote::ToTokens;
use syn::{GenericParam, ItemStruct};

use super::super::model::{Arrays, Count};
use super::{Part, kind_of};
use crate::diag::At;
use crate::lower::reader::Reader;

impl Reader<'_> {
    pub(super) fn generic_counts(&mut self, item: &ItemStruct, arrays: &mut Arrays) {
        for parameter in &item.generics.params {
            match parameter {
                GenericParam::Const(constant)
                    if kind_of(&constant.ty).is_some_and(|kind| kind == "usize") =>
                {
                    arrays.counts.push(Count {
                        name: constant.ident.clone(),
                        documentation: Vec::new(),
                        min: 1,
                        default: None,
                    });
                }
                other => self.dx.error(
                    At::of(other),
                    "only counts can be parameters of a model",
                    "write `const N: usize`; numbers that may change are fields `#[param(default = ..)] name: f64`",
                ),
            }
        }
    }

    /// `#[count(default = 8, min = 1)] n: usize`.
    pub(super) fn count(&mut self, part: &Part<'_>, arrays: &mut Arrays) {
        let name = &part.name;
        if let Some(before) = arrays.counts.iter().find(|count| count.default.is_some()) {
            self.dx.error(
                name.span(),
                format!("`{}` is a count already, and a model has one that is chosen at run time", before.name),
                "write the lengths of all arrays in terms of one count, or as `const` parameters of the struct",
            );
        }
        let errors = self.dx.len();
        let items = self.items(part.field, "count").unwrap_or_default();
        self.words(&items.places, &[]);
        self.only(&items, &["default", "min"]);
        let mut whole = |word: &str| {
            let setting = items.settings.iter().find(|setting| setting.name == word)?;
            let number = self.known(setting)?;
            if number.fract() != 0.0 || !(0.0..=1e9).contains(&number) {
                self.dx.error(
                    At::of(&setting.value),
                    format!("`{word}` of a count is {number}"),
                    "write a whole number that is not negative",
                );
                return None;
            }
            #[expect(clippy::cast_possible_truncation, reason = "checked")]
            Some((number as i64, At::of(&setting.value)))
        };
        let min = whole("min").map_or(1, |(min, _)| min);
        let default = whole("default");
        match default {
            Some((default, at)) if default < min => self.dx.error(
                at,
                format!("the default {default} of `{name}` is below its smallest value {min}"),
                "change `default` or `min`",
            ),
            None if self.dx.len() == errors => self.dx.error(
                name.span(),
                format!("count `{name}` has no default"),
                "write `#[count(default = 8)]` above it",
            ),
            _ => {}
        }
        let documentation = part.field.attrs.iter();
        arrays.counts.push(Count {
            name: name.clone(),
            documentation: documentation
                .filter(|attribute| attribute.path().is_ident("doc"))
                .map(ToTokens::to_token_stream)
                .collect(),
            min,
            default: Some(default.map_or(min.max(2), |(default, _)| default)),
        });
    }
}
