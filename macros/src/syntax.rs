//! Tokens to a syntax tree with spans; no look-ups, no defaults.

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Expr, Ident, Item, ItemStruct, Token, bracketed, parenthesized};

/// The struct of a model.
pub(crate) fn model(item: TokenStream) -> syn::Result<ItemStruct> {
    match syn::parse2::<Item>(item)? {
        Item::Struct(item) => Ok(item),
        other => {
            let text = "a model is a struct\n  help: write `struct Name { top: Body<SE3>, .. }`";
            let tokens = other.into_token_stream().into_iter();
            let words = tokens.take_while(|token| !matches!(token, TokenTree::Group(_)));
            Err(syn::Error::new_spanned(
                words.collect::<TokenStream>(),
                text,
            ))
        }
    }
}

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

/// `body`, `bodies[i]` or `body at [x, y, z]`, or a word that switches something on.
pub(crate) struct Place {
    pub(crate) name: Ident,
    pub(crate) index: Option<Expr>,
    pub(crate) point: Option<Expr>,
}

impl Parse for Place {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let name = input.call(Ident::parse_any)?;
        let mut index = None;
        if input.peek(syn::token::Bracket) {
            let inner;
            bracketed!(inner in input);
            index = Some(inner.parse()?);
        }
        let mut point = None;
        if input.peek(Ident) {
            let word: Ident = input.parse()?;
            if word != "at" {
                let text = "expected `at` and a point\n  help: write `body at [x, y, z]`";
                return Err(syn::Error::new(word.span(), text));
            }
            point = Some(input.parse()?);
        }
        Ok(Self { name, index, point })
    }
}

/// Places and settings in any order: `body at .., body at .., name = value, ..`
#[derive(Default)]
pub(crate) struct Items {
    pub(crate) places: Vec<Place>,
    pub(crate) settings: Vec<Setting>,
}

impl Parse for Items {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let mut items = Self::default();
        while !input.is_empty() {
            if input.peek(Ident::peek_any) && input.peek2(Token![=]) {
                items.settings.push(input.parse()?);
            } else {
                items.places.push(input.parse()?);
            }
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok(items)
    }
}

/// Arguments of the attribute: settings, words, and `consts(NAME = value, ..)`.
#[derive(Default)]
pub(crate) struct Arguments {
    pub(crate) items: Items,
    pub(crate) constants: Vec<Setting>,
}

impl Parse for Arguments {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let mut arguments = Self::default();
        while !input.is_empty() {
            if input.peek(Ident) && input.peek2(syn::token::Paren) {
                let name: Ident = input.parse()?;
                if name != "consts" {
                    let text =
                        format!("unknown list `{name}`\n  help: write `consts(NAME = value, ..)`");
                    return Err(syn::Error::new(name.span(), text));
                }
                let inner;
                parenthesized!(inner in input);
                let constants = Punctuated::<Setting, Token![,]>::parse_terminated(&inner)?;
                arguments.constants.extend(constants);
            } else if input.peek(Ident) && input.peek2(Token![=]) {
                arguments.items.settings.push(input.parse()?);
            } else {
                arguments.items.places.push(input.parse()?);
            }
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok(arguments)
    }
}

#[cfg(test)]
mod tests;
