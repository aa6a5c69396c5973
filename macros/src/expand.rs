//! The pipeline.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::ItemStruct;

use crate::diag::Diagnostics;
use crate::mechanics::Mechanics;
use crate::model::Model;
use crate::plan::Plan;
use crate::syntax::Arguments;
use crate::{emit, lower};

/// What was generated, for the documentation of the type.
fn summary(mechanics: &mut Mechanics<'_>, plan: &Plan) -> String {
    use std::fmt::Write;
    let mut text = format!(
        "\n\nGenerated: {} bodies, {} velocities, {} constraints.\n\n| kernel | operations |\n|---|---|\n",
        mechanics.model.bodies.len(),
        mechanics.model.dof(),
        mechanics.phi.len(),
    );
    for (kernel, outputs) in plan.kernels() {
        let operations = mechanics.graph().operations(&outputs);
        let _ = writeln!(text, "| {kernel} | {operations} |");
    }
    text
}

/// The trait that gives a state a method for each body: `state.top()`.
fn access(model: &Model, visibility: &syn::Visibility) -> TokenStream {
    let name = &model.name;
    let trait_name = format_ident!("{name}State");
    let about = format!("Bodies of a state of [`{name}`] by name.");
    let methods: Vec<_> = model.bodies.iter().map(|body| &body.name).collect();
    let texts = methods.iter().map(|name| format!("The body `{name}`."));
    let bodies = model.bodies.iter().map(|body| {
        let kind: TokenStream = body.group.kind().parse().expect("the name of a group");
        let (q, v) = (body.config, body.velocity);
        let (q_end, v_end) = (q + body.group.config_len(), v + body.group.dof());
        let [x, y, z] = body.origin();
        quote! {
            ::polhode::view::BodyView::new(
                ::polhode::lie::GroupKind::#kind, &self.q[#q..#q_end], &self.v[#v..#v_end], [#x, #y, #z],
            )
        }
    });
    // A private model need not use all of its names.
    quote! {
        #[doc = #about]
        #[allow(dead_code)]
        #visibility trait #trait_name {
            #(#[doc = #texts] fn #methods(&self) -> ::polhode::view::BodyView<'_>;)*
        }
        impl #trait_name for ::polhode::state::State<#name> {
            #(fn #methods(&self) -> ::polhode::view::BodyView<'_> { #bodies })*
        }
    }
}

/// Expands `#[multibody(..)]`.
pub(crate) fn multibody(arguments: TokenStream, item: TokenStream) -> TokenStream {
    let mut dx = Diagnostics::default();
    let item: ItemStruct = match syn::parse2(item) {
        Ok(item) => item,
        Err(error) => return error.to_compile_error(),
    };
    let arguments = syn::parse2(arguments).unwrap_or_else(|error| {
        dx.syntax(error);
        Arguments {
            settings: Vec::new(),
            constants: Vec::new(),
        }
    });
    let model = lower::lower(&arguments, &item, &mut dx);
    let (visibility, name) = (&item.vis, &item.ident);
    let docs = item.attrs.iter().filter(|a| a.path().is_ident("doc"));
    let docs = quote! { #(#docs)* };
    let item = quote! {
        #[derive(Clone, Copy, Debug, Default)]
        #visibility struct #name;
    };
    if !dx.is_empty() {
        let errors = dx.into_tokens();
        return quote! { #docs #item #errors };
    }
    let mut mechanics = Mechanics::new(&model);
    let plan = Plan::new(&mut mechanics);
    let summary = summary(&mut mechanics, &plan);
    let system = emit::system(&mut mechanics, &plan);
    let access = access(&model, visibility);
    quote! { #docs #[doc = #summary] #item #access #system }
}
