//! The pipeline.

use proc_macro2::TokenStream;
use quote::quote;
use syn::ItemStruct;

use crate::diag::Diagnostics;
use crate::mechanics::Mechanics;
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
        let operations = mechanics.graph().operations(outputs);
        let _ = writeln!(text, "| {kernel} | {operations} |");
    }
    text
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
    quote! { #docs #[doc = #summary] #item #system }
}
