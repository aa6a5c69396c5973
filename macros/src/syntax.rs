//! Tokens to a syntax tree with spans; no look-ups, no defaults.

use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Expr, Ident, Token, parenthesized};

/// `name = value`.
pub(crate) struct Setting {
    pub(crate) name: Ident,
    pub(crate) value: Expr,
}

impl Parse for Setting {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let name = input.parse()?;
        input.parse::<Token![=]>()?;
        let value = input.parse()?;
        Ok(Self { name, value })
    }
}

/// `name = value, ..`
pub(crate) struct Settings(pub(crate) Vec<Setting>);

impl Parse for Settings {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let settings = Punctuated::<Setting, Token![,]>::parse_terminated(input)?;
        Ok(Self(settings.into_iter().collect()))
    }
}

/// Arguments of the attribute: settings and `consts(NAME = value, ..)`.
pub(crate) struct Arguments {
    pub(crate) settings: Vec<Setting>,
    pub(crate) constants: Vec<Setting>,
}

impl Parse for Arguments {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let (mut settings, mut constants) = (Vec::new(), Vec::new());
        while !input.is_empty() {
            let fork = input.fork();
            let name: Ident = fork.parse()?;
            if name == "consts" {
                input.parse::<Ident>()?;
                let inner;
                parenthesized!(inner in input);
                constants.extend(inner.parse::<Settings>()?.0);
            } else {
                settings.push(input.parse()?);
            }
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok(Self {
            settings,
            constants,
        })
    }
}

/// `body` or `body at [x, y, z]`.
pub(crate) struct Place {
    pub(crate) body: Ident,
    pub(crate) point: Option<Expr>,
}

/// `body at .., body at .., name = value, ..`
pub(crate) struct Connection {
    pub(crate) first: Place,
    pub(crate) second: Place,
    pub(crate) settings: Vec<Setting>,
}

impl Parse for Place {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let body = input.parse()?;
        let mut point = None;
        if input.peek(Ident) {
            let word: Ident = input.parse()?;
            if word != "at" {
                return Err(syn::Error::new(word.span(), "expected `at` and a point"));
            }
            point = Some(input.parse()?);
        }
        Ok(Self { body, point })
    }
}

impl Parse for Connection {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let first = input.parse()?;
        input.parse::<Token![,]>()?;
        let second = input.parse()?;
        let mut settings = Vec::new();
        while !input.is_empty() {
            input.parse::<Token![,]>()?;
            if !input.is_empty() {
                settings.push(input.parse()?);
            }
        }
        Ok(Self {
            first,
            second,
            settings,
        })
    }
}
