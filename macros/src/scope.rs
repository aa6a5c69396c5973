//! The scope of generated code, which no name of the program around it reaches.
//!
//! ```text
//! const _: () = {
//!     fn outside() -> [f64; 1] { [f64::from(self::LENGTH)] }     constants of the program
//!     const _: () = {
//!         use ::polhode::__private as rt;                        all that generated code names
//!         use rt::{local as h, local as q0, ..};
//!         impl Top { .. }
//!     };
//! };
//! ```
//!
//! A pattern `h` means a constant `h` of the program if there is one, whatever its span: in
//! patterns even `Span::mixed_site` gives no hygiene for items. It never means a function. So the
//! name of every local variable is imported as one, which hides what the program calls by it.

use std::collections::BTreeSet;

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{format_ident, quote, quote_spanned};

use crate::model::Model;

/// Items of a model that nobody names; `code` is the text in which local variables are looked for.
pub(crate) fn closed(model: &Model, code: &str, items: &TokenStream) -> TokenStream {
    let krate = &model.krate;
    let locals = locals(code);
    let locals = locals.into_iter().map(|name| format_ident!("{name}"));
    let inner = quote! {
        #[allow(unused_imports)]
        use #krate::__private as rt;
        #[allow(unused_imports)]
        use rt::{#(local as #locals),*};
        #items
    };
    if model.outside.is_empty() {
        return quote! { const _: () = { #inner }; };
    }
    let count = model.outside.len();
    let values = model.outside.iter().map(|path| {
        let first = path.clone().into_iter().next();
        let span = first.as_ref().map_or_else(Span::call_site, TokenTree::span);
        quote_spanned! { span=> <f64 as ::core::convert::From<_>>::from(#path) }
    });
    quote! {
        const _: () = {
            #[allow(clippy::useless_conversion)]
            fn outside() -> [f64; #count] { [#(#values),*] }
            const _: () = { #inner };
        };
    }
}

/// The names of constants of the program, `o0, o1, ..`, and the statement that reads them.
pub(crate) fn outside(model: &Model) -> (Vec<String>, String) {
    let names: Vec<String> = (0..model.outside.len()).map(|i| format!("o{i}")).collect();
    let statement = match &names[..] {
        [] => String::new(),
        names => format!("let [{}] = outside();\n", names.join(", ")),
    };
    (names, statement)
}

/// A name as an item is called: `r#type` for the body `type`.
pub(crate) fn item_name(name: &Ident) -> Ident {
    let text = name.to_string();
    if syn::parse_str::<Ident>(&text).is_ok() {
        name.clone()
    } else {
        Ident::new_raw(&text, name.span())
    }
}

/// `#[derive(..)]` of traits of the standard library, in any program.
pub(crate) fn derive(traits: &[&str]) -> TokenStream {
    let paths = traits.iter().map(|name| {
        let module = format_ident!(
            "{}",
            match *name {
                "Clone" => "clone",
                "Copy" => "marker",
                "Debug" => "fmt",
                "Default" => "default",
                _ => "cmp",
            }
        );
        let name = format_ident!("{name}");
        quote! { ::core::#module::#name }
    });
    quote! { #[::core::prelude::v1::derive(#(#paths),*)] }
}

/// The names that patterns of some code bind: after `let`, of parameters, of closures.
fn locals(code: &str) -> BTreeSet<&str> {
    let mut found = BTreeSet::new();
    for rest in after(code, "let") {
        bound(before(rest, "="), &mut found);
    }
    for rest in after(code, "fn") {
        let signature = before(before(rest, "{"), "->");
        let parameters = signature.split_once('(').map_or("", |(_, inside)| inside);
        bound(parameters, &mut found);
    }
    // Between the bars of a closure there are names and commas.
    for between in code.split('|').skip(1) {
        let plain = |c: char| c.is_alphanumeric() || c.is_whitespace() || "_,".contains(c);
        if between.chars().all(plain) {
            bound(between, &mut found);
        }
    }
    found
}

/// What comes after each place of a keyword.
fn after<'a>(code: &'a str, keyword: &str) -> impl Iterator<Item = &'a str> {
    let word = |c: char| c.is_alphanumeric() || c == '_';
    let whole = move |(before, after): &(&str, &str)| {
        !before.ends_with(word) && after.starts_with(char::is_whitespace)
    };
    let places = code.match_indices(keyword);
    let parts = places.map(|(at, keyword)| (&code[..at], &code[at + keyword.len()..]));
    parts.filter(whole).map(|(_, after)| after)
}

/// The whole, if the end is not there.
fn before<'a>(code: &'a str, end: &str) -> &'a str {
    code.split_once(end).map_or(code, |(before, _)| before)
}

/// The names in a pattern that may be variables: not paths, keywords or types.
fn bound<'a>(pattern: &'a str, found: &mut BTreeSet<&'a str>) {
    let word = |c: char| c.is_alphanumeric() || "_:".contains(c);
    for name in pattern.split(|c| !word(c)) {
        let name = name.trim_end_matches(':');
        let lower = name.starts_with(char::is_lowercase) && !name.contains(':');
        if lower && !["mut", "self"].contains(&name) {
            found.insert(name);
        }
    }
}

/// Tokens of generated text.
pub(crate) fn parsed(text: &str) -> TokenStream {
    text.parse().expect("the emitter writes Rust")
}

#[cfg(test)]
mod tests;
