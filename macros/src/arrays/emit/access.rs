//! The trait that gives a state a method for each field: `state.nodes(3)`, `state.bob()`.
//!
//! A state holds numbers and no model. Lengths that are const generics are known from its type;
//! the count that is chosen at run time follows from the number of velocities, which is linear in
//! it. (The configuration also has the angles that forces read.)

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::super::affine::Affine;
use super::super::model::{Arrays, Member};
use crate::scope;

pub(super) fn access(
    arrays: &Arrays,
    visibility: &syn::Visibility,
    known: bool,
) -> (TokenStream, TokenStream) {
    let (name, krate) = (&arrays.model.name, &arrays.model.krate);
    let trait_name = format_ident!("{name}State");
    let about = format!("Nodes and bodies of a state of [`{name}`] by name.");
    let (impl_generics, generics, bounds) = arrays.generics.split_for_impl();
    let mut signatures = TokenStream::new();
    let mut methods = TokenStream::new();
    let counts = counts(arrays);
    for (place, member) in arrays.members.iter().enumerate() {
        let field = &scope::item_name(&member.body.name);
        let called = &member.body.name;
        let (arguments, result, function, argument) = if may_be_missing(member) {
            let index = if member.len.is_some() {
                (quote! { , index: usize }, quote! { index })
            } else {
                (quote! {}, quote! { 0 })
            };
            let result = quote! { ::core::option::Option<#krate::view::BodyView<'_>> };
            (index.0, result, quote! { element_view }, index.1)
        } else {
            let result = quote! { #krate::view::BodyView<'_> };
            (quote! {}, result, quote! { member_view }, quote! {})
        };
        let text = if member.len.is_some() {
            format!("An element of `{called}`; `None` if there is none, or if it is clamped.")
        } else {
            format!("`{called}`.")
        };
        signatures.extend(quote! { #[doc = #text] fn #field(&self #arguments) -> #result; });
        let body = if known {
            let rows = arrays.members[..=place].iter().map(row);
            let origin = origin(arrays, member, &argument);
            quote! {
                #counts
                #origin
                rt::#function(&[#(#rows),*], &self.q, &self.v, origin, #argument)
            }
        } else {
            quote! { ::core::unreachable!() }
        };
        methods.extend(quote! { fn #field(&self #arguments) -> #result { #body } });
    }
    let declaration = quote! {
        #[doc = #about]
        #[allow(dead_code)]
        #visibility trait #trait_name { #signatures }
    };
    let implementation = quote! {
        #[allow(unused_variables, clippy::all, clippy::pedantic)]
        impl #impl_generics #trait_name for rt::State<#name #generics> #bounds { #methods }
    };
    (declaration, implementation)
}

/// Whether a state may not have it.
fn may_be_missing(member: &Member) -> bool {
    member.len.is_some() || member.node
}

fn tokens(affine: &Affine) -> TokenStream {
    affine.text().parse().expect("the emitter writes Rust")
}

/// The layout of a member, over the array `n` of counts.
fn row(member: &Member) -> TokenStream {
    let kind: TokenStream = member
        .body
        .group
        .kind()
        .parse()
        .expect("a variant of a group");
    let len = member.len.as_ref().map_or_else(|| quote! { 1 }, tokens);
    let clamped = member.clamped.iter().map(|(index, _)| tokens(index));
    quote! {
        rt::RowLayout {
            kind: rt::GroupKind::#kind, len: #len, clamped: &[#(#clamped),*],
        }
    }
}

/// Where the frame of a body on a rotation group is fixed, over the array `n` of counts.
fn origin(arrays: &Arrays, member: &Member, index: &TokenStream) -> TokenStream {
    let position = member.position.as_ref();
    let Some(position) = position.filter(|_| member.body.group.is_pinned()) else {
        return quote! { let origin = [0.0; 3]; };
    };
    let count = arrays.counts.len();
    let index = member.len.as_ref().map_or(quote! { 0 }, |_| index.clone());
    let list: TokenStream = arrays
        .list(position)
        .parse()
        .expect("the emitter writes Rust");
    quote! {
        let c: [f64; #count] = rt::reals(&n);
        let i = #index as f64;
        let origin = #list;
    }
}

/// The array `n` of counts.
fn counts(arrays: &Arrays) -> TokenStream {
    let count = arrays.counts.len();
    // Number of velocities as a function of the counts.
    let mut total = Affine::number(0, count);
    for member in &arrays.members {
        let numbers = i64::try_from(member.body.group.dof()).unwrap_or(0);
        let clamped = i64::try_from(member.clamped.len()).unwrap_or(0);
        let len = member
            .len
            .clone()
            .unwrap_or_else(|| Affine::number(1, count));
        total.constant += numbers * (len.constant - clamped);
        for (sum, factor) in total.counts.iter_mut().zip(&len.counts) {
            *sum += numbers * factor;
        }
    }
    let chosen = arrays
        .counts
        .iter()
        .position(|count| count.default.is_some());
    let mut known = TokenStream::new();
    for (place, count) in arrays.counts.iter().enumerate() {
        if Some(place) == chosen {
            known.extend(quote! { 0, });
        } else {
            let name = &count.name;
            known.extend(quote! { #name as i64, });
        }
    }
    let solve = chosen
        .filter(|chosen| total.counts[*chosen] != 0)
        .map(|chosen| {
            let factor = total.counts[chosen];
            total.counts[chosen] = 0;
            let rest = tokens(&total);
            quote! { n[#chosen] = (<[f64]>::len(&self.v) as i64 - (#rest)) / #factor; }
        });
    let mutable = solve.is_some().then(|| quote! { mut });
    quote! { let #mutable n: [i64; #count] = [#known]; #solve }
}
