//! Tokens to a syntax tree with spans; no look-ups, no defaults.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{
    Expr, Field, Fields, GenericArgument, Ident, Item, ItemStruct, LitStr, Path, PathArguments,
    Token, Type, bracketed, parenthesized,
};

/// Tokens without the invisible groups around what a `macro_rules!` macro was given, where these
/// mean nothing: around one token, and where nothing is beside them. Sums in a product keep theirs.
pub(crate) fn without_groups(tokens: TokenStream) -> TokenStream {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let alone = tokens.len() == 1;
    let flat = tokens.into_iter().map(|token| {
        let TokenTree::Group(group) = token else {
            return token.into();
        };
        let inner = without_groups(group.stream());
        let invisible = group.delimiter() == Delimiter::None;
        if invisible && (alone || inner.clone().into_iter().count() == 1) {
            return inner;
        }
        let mut same = Group::new(group.delimiter(), inner);
        same.set_span(group.span());
        TokenTree::from(same).into()
    });
    flat.collect()
}

/// A type without invisible groups around it and its arguments.
fn bare(ty: &mut Type) {
    while let Type::Group(group) = ty {
        *ty = (*group.elem).clone();
    }
    match ty {
        Type::Array(array) => bare(&mut array.elem),
        Type::Path(path) => {
            for segment in &mut path.path.segments {
                let PathArguments::AngleBracketed(arguments) = &mut segment.arguments else {
                    continue;
                };
                for argument in &mut arguments.args {
                    if let GenericArgument::Type(ty) = argument {
                        bare(ty);
                    }
                }
            }
        }
        _ => {}
    }
}

/// The struct of a model, with plain names and types.
pub(crate) fn model(item: TokenStream) -> syn::Result<ItemStruct> {
    match syn::parse2::<Item>(item)? {
        Item::Struct(mut item) => {
            // The compiler itself reports fields without a name, and goes on with `_`.
            if let Fields::Named(fields) = &mut item.fields {
                let named = |field: &Field| field.ident.as_ref().is_some_and(|name| name != "_");
                fields.named = fields
                    .named
                    .iter()
                    .filter(|field| named(field))
                    .cloned()
                    .collect();
            }
            for field in &mut item.fields {
                bare(&mut field.ty);
                field.ident = field.ident.as_ref().map(IdentExt::unraw);
            }
            Ok(item)
        }
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

/// The name of a struct or enumeration that cannot be read.
pub(crate) fn name(item: TokenStream) -> Option<Ident> {
    let mut tokens = item.into_iter();
    tokens.find(|token| ["struct", "enum", "union"].contains(&token.to_string().as_str()))?;
    match tokens.next()? {
        TokenTree::Ident(name) => Some(name),
        _ => None,
    }
}

/// `name = value`.
pub(crate) struct Setting {
    pub(crate) name: Ident,
    pub(crate) value: Expr,
}

impl Parse for Setting {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let name = input.parse::<Ident>()?.unraw();
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
        let name = input.call(Ident::parse_any)?.unraw();
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
    /// `crate = path`.
    pub(crate) krate: Option<TokenStream>,
}

impl Arguments {
    /// Where the model finds the library.
    pub(crate) fn path_of_crate(&self) -> TokenStream {
        let path = self.krate.clone();
        path.unwrap_or_else(|| quote! { ::polhode })
    }

    /// `crate = path`, or the path as a text.
    fn krate(&mut self, input: ParseStream<'_>) -> syn::Result<()> {
        let word: Token![crate] = input.parse()?;
        input.parse::<Token![=]>()?;
        let path = if input.peek(LitStr) {
            input.parse::<LitStr>()?.parse_with(Path::parse_mod_style)
        } else {
            input.call(Path::parse_mod_style)
        };
        let path = path.map_err(|error| {
            let text = "this is no path\n  help: write `crate = name`, where `name::multibody` is this attribute";
            syn::Error::new(error.span(), text)
        })?;
        if self.krate.replace(path.into_token_stream()).is_some() {
            return Err(syn::Error::new(
                word.span,
                "`crate` is set twice\n  help: keep one of them",
            ));
        }
        Ok(())
    }
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
            } else if input.peek(Token![crate]) && input.peek2(Token![=]) {
                arguments.krate(input)?;
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
