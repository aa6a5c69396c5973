//! The generated items: the type, its parameters and constructors, and the names of its state.

mod access;
mod construct;
mod force;

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::ItemStruct;
use syn::ext::IdentExt;

use super::model::{Arrays, Count, Shape};
use crate::model::Parameter;
use crate::scope;

/// The type that a model is made of.
fn inner(arrays: &Arrays) -> TokenStream {
    let krate = &arrays.model.krate;
    match arrays.shape {
        Shape::Chain => quote! { #krate::chain::LinkChain },
        Shape::Tree => quote! { #krate::chain::Tree },
        Shape::Network => quote! { #krate::generic::GenericSystem },
    }
}

/// All items of a model.
pub(crate) fn system(arrays: &Arrays, item: &ItemStruct) -> TokenStream {
    let summary = summary(arrays);
    let assemble = construct::assemble(arrays);
    let new = construct::new(arrays);
    let access = access::access(arrays, &item.vis, true);
    items(arrays, item, &summary, &new, Some(&assemble), &access)
}

/// The same items without equations, beside errors.
pub(crate) fn stub(arrays: &Arrays, item: &ItemStruct) -> TokenStream {
    let unknown = quote! { ::core::unreachable!() };
    let access = access::access(arrays, &item.vis, false);
    items(
        arrays,
        item,
        "Not known: the model has errors.",
        &unknown,
        None,
        &access,
    )
}

/// There is no `Default`: the parts are put together when the program runs, which can fail.
fn items(
    arrays: &Arrays,
    item: &ItemStruct,
    summary: &str,
    new: &TokenStream,
    assemble: Option<&TokenStream>,
    (access, names): &(TokenStream, TokenStream),
) -> TokenStream {
    let (name, visibility) = (&arrays.model.name, &item.vis);
    let docs = item.attrs.iter().filter(|a| a.path().is_ident("doc"));
    let (impl_generics, generics, bounds) = arrays.generics.split_for_impl();
    let declared = &arrays.generics;
    let inner = inner(arrays);
    let parameters = parameters(arrays, visibility);
    let has_parameters = !parameters.is_empty();
    let (field, getter, argument) = if has_parameters {
        let kind = format_ident!("{name}Parameters");
        (
            quote! { parameters: #kind, },
            quote! {
                /// The parameters of this model.
                #[must_use]
                pub fn parameters(&self) -> #kind { self.parameters }
            },
            quote! { parameters: #kind },
        )
    } else {
        (quote! {}, quote! {}, quote! {})
    };
    let unused = has_parameters.then(|| quote! { let _ = parameters; });
    let unused = assemble.is_none().then_some(unused).flatten();
    let title = name.unraw().to_string();
    let description = match arrays.shape {
        Shape::Chain => quote! { #inner::description(&self.inner) },
        Shape::Tree => quote! { #inner::description(&self.inner)? },
        Shape::Network => quote! { ::core::clone::Clone::clone(#inner::description(&self.inner)) },
    };
    let kinks = (arrays.shape != Shape::Chain).then(|| {
        quote! {
            /// The times at which a force has a kink, where they are known: let steps end there,
            /// `simulate(..).stop_at(model.kinks())`.
            #[must_use]
            pub fn kinks(&self) -> rt::Vec<f64> { #inner::kinks(&self.inner) }
        }
    });
    let code = quote! {
        #[allow(dead_code, clippy::missing_errors_doc)]
        impl #impl_generics #name #generics #bounds {
            /// Assembles the model.
            ///
            /// # Errors
            /// A number or a count that is not allowed, or a start that violates a joint.
            pub fn new(#argument) -> rt::Result<Self, rt::InvalidParameters> {
                #unused
                #new
            }
            #getter
            /// What the model is made of.
            #[must_use]
            pub fn assembled(&self) -> &#inner { &self.inner }
            /// The model as data for a `GenericSystem`.
            ///
            /// # Errors
            /// If a part cannot be written as data.
            pub fn description(&self) -> rt::Result<rt::description::Description, rt::InvalidTree> {
                rt::Ok(rt::description::Description {
                    name: rt::text(#title),
                    ..#description
                })
            }
            #kinks
            #assemble
        }
        #[automatically_derived]
        impl #impl_generics rt::Assembled for #name #generics #bounds {
            type Inner = #inner;
            #[inline]
            fn assembled(&self) -> &Self::Inner { &self.inner }
        }
        #names
    };
    let inner_scope = scope::closed(&arrays.model, &code.to_string(), &code);
    let derive = scope::derive(&["Clone", "Debug"]);
    quote! {
        #(#docs)*
        #[doc = #summary]
        #derive
        #visibility struct #name #declared #bounds { inner: #inner, #field }
        #parameters
        #access
        #inner_scope
    }
}

/// `NameParameters`, with the defaults: parameters and the count that is chosen at run time.
fn parameters(arrays: &Arrays, visibility: &syn::Visibility) -> TokenStream {
    let name = &arrays.model.name;
    let proper = &arrays.model.parameters[..arrays.parameter_count()];
    let chosen: Vec<(&Count, i64)> = arrays
        .counts
        .iter()
        .filter_map(|count| Some((count, count.default?)))
        .collect();
    if proper.is_empty() && chosen.is_empty() {
        return TokenStream::new();
    }
    let type_name = format_ident!("{name}Parameters");
    let about = format!("Parameters of [`{name}`].");
    let numbers = proper.iter().map(|parameter| {
        let Parameter {
            name,
            documentation,
            default,
            range,
        } = parameter;
        let range = format!("Default {default}, {}.", range.words());
        let name = scope::item_name(name);
        quote! { #(#documentation)* #[doc = ""] #[doc = #range] pub #name: f64 }
    });
    let counts = chosen.iter().map(|(count, default)| {
        let Count {
            name,
            documentation,
            min,
            ..
        } = count;
        let range = format!("Default {default}, at least {min}.");
        let name = scope::item_name(name);
        quote! { #(#documentation)* #[doc = ""] #[doc = #range] pub #name: usize }
    });
    let names = proper
        .iter()
        .map(|parameter| scope::item_name(&parameter.name));
    let defaults = proper.iter().map(|parameter| parameter.default);
    let count_names = chosen
        .iter()
        .map(|(count, _)| scope::item_name(&count.name));
    let count_defaults = chosen.iter().map(|(_, default)| {
        let default = usize::try_from(*default).unwrap_or(0);
        quote! { #default }
    });
    let derive = scope::derive(&["Clone", "Copy", "Debug", "PartialEq"]);
    quote! {
        #[doc = #about]
        #derive
        #visibility struct #type_name { #(#numbers,)* #(#counts,)* }
        impl ::core::default::Default for #type_name {
            fn default() -> Self { Self { #(#names: #defaults,)* #(#count_names: #count_defaults,)* } }
        }
    }
}

/// What was generated, for the documentation of the type.
fn summary(arrays: &Arrays) -> String {
    use std::fmt::Write;
    let names = arrays.count_names();
    let system = match arrays.shape {
        Shape::Chain => "a plain chain of links, `LinkChain`",
        Shape::Tree => "a tree, `Tree`",
        Shape::Network => "a network, `GenericSystem`",
    };
    let growth = match arrays.shape {
        Shape::Network if arrays.model.redundant => {
            "Redundant constraints are solved with dense matrices: time and memory of a step grow with powers of the lengths."
        }
        Shape::Network => {
            "Its kernels are loops over the arrays; time and memory of a step grow with their lengths and not faster, as long as only neighbours are coupled."
        }
        _ => {
            "Its kernels are loops over the arrays; time and memory of a step grow with their lengths and not faster."
        }
    };
    let mut text = format!("\n\nGenerated: {system}. {growth}\n\n| field | what |\n|---|---|\n");
    let many = |len: &Option<super::affine::Affine>| {
        len.as_ref()
            .map_or_else(|| "1".to_owned(), |len| len.words(&names))
    };
    for member in &arrays.members {
        let kind = if member.node { "node" } else { "body" };
        let group = member.body.group.name();
        let _ = write!(
            text,
            "| `{}` | {kind}, {} on {group}",
            member.body.name,
            many(&member.len)
        );
        let clamped = member.clamped.iter().map(|(index, _)| index.words(&names));
        let clamped: Vec<String> = clamped.collect();
        if !clamped.is_empty() {
            let _ = write!(text, ", without {}, which is clamped", clamped.join(", "));
        }
        text.push_str(" |\n");
    }
    for rod in &arrays.rods {
        let held = match rod.held {
            super::model::Held::Cosserat => "no held strains",
            super::model::Held::Kirchhoff => "2 constraints each: no shear",
            super::model::Held::Inextensible => "3 constraints each: no shear, no extension",
        };
        let _ = writeln!(
            text,
            "| `{}` | rod element, {}, {held} |",
            rod.name,
            many(&rod.len)
        );
    }
    for joint in arrays.joints.iter().filter(|joint| !joint.clamps) {
        let _ = writeln!(
            text,
            "| `{}` | {}, {} |",
            joint.name,
            joint.kind.name(),
            many(&joint.len)
        );
    }
    for load in &arrays.loads {
        let _ = writeln!(text, "| `{}` | load, {} |", load.name, many(&load.len));
    }
    for force in &arrays.forces {
        let (name, kind) = (&force.name, force.law.name);
        let _ = writeln!(text, "| `{name}` | {kind}, {} |", many(&force.len));
    }
    text
}
