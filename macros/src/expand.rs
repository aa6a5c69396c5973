//! The pipeline.

use std::time::Instant;

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::ItemStruct;
use syn::ext::IdentExt;

use crate::check::{self, Mobility};
use crate::diag::Diagnostics;
use crate::emit;
use crate::mechanics::Mechanics;
use crate::model::Model;
use crate::plan::Plan;
use crate::start::Start;
use crate::syntax::Arguments;
use crate::{arrays, assembly, attributes, dump, lower, scope, stub, syntax};

/// What was generated, for the documentation of the type.
fn summary(
    mechanics: &Mechanics<'_>,
    operations: &[(String, usize)],
    mobility: Option<Mobility>,
) -> String {
    use std::fmt::Write;
    let mut text = format!(
        "\n\nGenerated: {} bodies, {} velocities, {} constraints.",
        mechanics.model.bodies.len(),
        mechanics.model.dof(),
        mechanics.phi.len(),
    );
    for body in &mechanics.model.bodies {
        if let Some(n) = body.modes() {
            let _ = write!(text, " `{}` has {n} modal coordinates.", body.name);
        }
    }
    if let Some(Mobility {
        grubler,
        degrees,
        redundant,
    }) = mobility
    {
        let _ = write!(text, " Degrees of freedom: {degrees}");
        if redundant > 0 {
            let _ = write!(
                text,
                " (Grübler's count is {grubler}; {redundant} constraints repeat others)"
            );
        }
        text.push('.');
    }
    text.push_str("\n\n| kernel | operations |\n|---|---|\n");
    for (kernel, count) in operations {
        let _ = writeln!(text, "| {kernel} | {count} |");
    }
    text
}

/// A constant for each joint: `state.joint(&model, HeavyTop::PIVOT)`.
fn joints(model: &Model) -> TokenStream {
    // Names that are taken are left to be written as text.
    let mut taken = vec!["DOF".to_owned(), "CONSTRAINTS".to_owned()];
    let mut constants = TokenStream::new();
    for joint in &model.joints {
        let constant = joint.name.to_string().to_uppercase();
        if taken.contains(&constant) {
            continue;
        }
        let about = format!("The joint `{}`.", joint.name);
        let (ident, text) = (format_ident!("{constant}"), joint.name.to_string());
        constants.extend(quote! {
            #[doc = #about]
            pub const #ident: rt::Joint<Self> = rt::Joint::new(#text);
        });
        taken.push(constant);
    }
    if constants.is_empty() {
        return constants;
    }
    let name = &model.name;
    quote! { #[allow(dead_code)] impl #name { #constants } }
}

/// The trait that gives a state a method for each body, `state.top()`; its implementation, and the
/// names of joints.
fn access(model: &Model, visibility: &syn::Visibility) -> (TokenStream, TokenStream) {
    let (name, krate) = (&model.name, &model.krate);
    let trait_name = format_ident!("{name}State");
    let about = format!("Bodies of a state of [`{name}`] by name.");
    let methods = model.bodies.iter().map(|body| scope::item_name(&body.name));
    let methods: Vec<Ident> = methods.collect();
    let texts = model.bodies.iter().map(|body| match body.modes() {
        Some(n) => format!("The {n} modal coordinates of `{}`.", body.name),
        None => format!("The body `{}`.", body.name),
    });
    let views: Vec<TokenStream> = model
        .bodies
        .iter()
        .map(|body| {
            if let Some(n) = body.modes() {
                quote! { #krate::view::ModesView<'_, #n> }
            } else {
                quote! { #krate::view::BodyView<'_> }
            }
        })
        .collect();
    let bodies = model.bodies.iter().map(|body| {
        let kind: TokenStream = body.group.kind().parse().expect("the name of a group");
        let (q, v) = (body.config, body.velocity);
        let (q_end, v_end) = (q + body.group.config_len(), v + body.group.dof());
        if body.modes().is_some() {
            return quote! {
                rt::ModesView::new(&self.q[#q..#q_end], &self.v[#v..#v_end])
            };
        }
        let [x, y, z] = body.origin();
        quote! {
            rt::BodyView::new(
                rt::GroupKind::#kind, &self.q[#q..#q_end], &self.v[#v..#v_end], [#x, #y, #z],
            )
        }
    });
    let joints = joints(model);
    // A private model need not use all of its names.
    let declaration = quote! {
        #[doc = #about]
        #[allow(dead_code)]
        #visibility trait #trait_name {
            #(#[doc = #texts] fn #methods(&self) -> #views;)*
        }
    };
    let implementation = quote! {
        #joints
        impl #trait_name for rt::State<#name> {
            #(fn #methods(&self) -> #views { #bodies })*
        }
    };
    (declaration, implementation)
}

/// Expands `#[multibody(..)]`.
pub(crate) fn multibody(arguments: TokenStream, item: TokenStream) -> TokenStream {
    let began = Instant::now();
    let item = syntax::without_groups(item);
    let item: ItemStruct = match syntax::model(item.clone()) {
        Ok(item) => item,
        Err(error) => return unread(item, &error),
    };
    let expansion = expanded(syntax::without_groups(arguments), &item);
    dump::write(&item.ident.unraw().to_string(), &expansion, began.elapsed());
    expansion
}

/// What cannot be read at all: its name is enough for a program that uses it.
fn unread(item: TokenStream, error: &syn::Error) -> TokenStream {
    let stub = syntax::name(item).map(|name| {
        let model = Model::new(&name);
        let visibility = syn::parse_quote!(pub);
        stubbed(&model, &visibility)
    });
    let error = error.to_compile_error();
    quote! { #stub #error }
}

/// The items of a model with errors.
fn stubbed(model: &Model, visibility: &syn::Visibility) -> TokenStream {
    let (access, names) = access(model, visibility);
    let (definition, text) = stub::system(model, visibility);
    let system = scope::parsed(&text);
    let inner = scope::closed(model, &text, &quote! { #names #system });
    quote! { #definition #access #inner }
}

fn expanded(arguments: TokenStream, item: &ItemStruct) -> TokenStream {
    let mut dx = Diagnostics::default();
    let arguments: Arguments = syn::parse2(arguments).unwrap_or_else(|error| {
        dx.syntax(error);
        Arguments::default()
    });
    attributes::check(item, &mut dx);
    if arrays::has_arrays(item) {
        return arrays::expand(&arguments, item, dx);
    }
    let (model, read) = lower::lower(&arguments, item, &mut dx);
    check::components(&model, &read, &mut dx);
    let docs = item.attrs.iter().filter(|a| attributes::is_kept(a));
    let docs = quote! { #(#docs)* };
    let mut start = Start::new(&model);
    if read.motion {
        let alone = (!dx.is_empty()).then(|| model.constraints_alone());
        let mut mechanics = Mechanics::new(alone.as_ref().unwrap_or(&model));
        let mobility = check::motion(&mut mechanics, &mut start, &mut dx);
        if dx.is_empty() {
            let plan = Plan::new(&mut mechanics);
            let operations = plan.operations(mechanics.graph());
            let mut summary = summary(&mechanics, &operations, mobility);
            summary.push_str(&assembly::report(&model, &start));
            let (definition, text) =
                emit::system(&mut mechanics, &plan, &start, &operations, &item.vis);
            let (access, names) = access(&model, &item.vis);
            let system = scope::parsed(&text);
            let inner = scope::closed(&model, &text, &quote! { #names #system });
            return quote! { #docs #[doc = #summary] #definition #access #inner };
        }
    }
    let errors = dx.into_tokens();
    let stub = stubbed(&model, &item.vis);
    quote! { #docs #stub #errors }
}

#[cfg(test)]
mod tests;
