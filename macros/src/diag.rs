//! Collected errors: none hides the next.

use proc_macro2::{Ident, Span, TokenStream};
use quote::ToTokens;

/// Where something is written: from the first to the last token.
#[derive(Clone, Copy, Debug)]
pub(crate) struct At {
    first: Span,
    last: Span,
}

impl At {
    pub(crate) fn of(tokens: &impl ToTokens) -> Self {
        let mut spans = tokens
            .to_token_stream()
            .into_iter()
            .map(|token| token.span());
        let first = spans.next().unwrap_or_else(Span::call_site);
        Self {
            first,
            last: spans.last().unwrap_or(first),
        }
    }
}

impl From<Span> for At {
    fn from(span: Span) -> Self {
        Self {
            first: span,
            last: span,
        }
    }
}

/// All errors of one expansion.
#[derive(Debug, Default)]
pub(crate) struct Diagnostics {
    errors: Vec<syn::Error>,
}

impl Diagnostics {
    /// Adds an error: what is wrong, and what to type.
    pub(crate) fn error(
        &mut self,
        at: impl Into<At>,
        what: impl std::fmt::Display,
        help: impl std::fmt::Display,
    ) {
        let text = format!("{what}\n  help: {help}");
        let At { first, last } = at.into();
        // Two tokens with the spans of the first and the last one.
        let range: TokenStream = [first, last]
            .map(|span| Ident::new("x", span).to_token_stream())
            .into_iter()
            .collect();
        self.errors.push(syn::Error::new_spanned(range, text));
    }

    /// Number of errors so far.
    pub(crate) fn len(&self) -> usize {
        self.errors.len()
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

#[cfg(test)]
mod tests;
