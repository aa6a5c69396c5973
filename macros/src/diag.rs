//! Collected errors: none hides the next.

use proc_macro2::{Span, TokenStream};

/// All errors of one expansion.
#[derive(Debug, Default)]
pub(crate) struct Diagnostics {
    errors: Vec<syn::Error>,
}

impl Diagnostics {
    /// Adds an error: what is wrong, and what to type.
    pub(crate) fn error(
        &mut self,
        span: Span,
        what: impl std::fmt::Display,
        help: impl std::fmt::Display,
    ) {
        let text = format!("{what}\n  help: {help}");
        self.errors.push(syn::Error::new(span, text));
    }

    /// Adds an error of the parser.
    pub(crate) fn syntax(&mut self, error: syn::Error) {
        self.errors.push(error);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.errors.is_empty()
    }

    /// All errors as tokens.
    pub(crate) fn into_tokens(self) -> TokenStream {
        self.errors
            .into_iter()
            .map(|error| error.to_compile_error())
            .collect()
    }
}

/// The name with the smallest edit distance, if that is small.
pub(crate) fn nearest<'a>(name: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    names
        .into_iter()
        .map(|candidate| (strsim::levenshtein(name, candidate), candidate))
        .min()
        .filter(|(distance, candidate)| *distance <= 1 + candidate.len() / 3)
        .map(|(_, candidate)| candidate)
}
