//! What is emitted beside errors: the same items without equations, so that code that uses the
//! model gives no further errors.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use crate::emit::construct;
use crate::model::Model;

/// The type with its constructors, and capabilities that satisfy the compiler and cannot run.
pub(crate) fn system(model: &Model, visibility: &syn::Visibility) -> TokenStream {
    let name = &model.name;
    let parameters = construct::parameters(model, visibility);
    // Constants outside need a constructor, too; which there are is not known.
    let (argument, access) = if model.parameters.is_empty() {
        (TokenStream::new(), TokenStream::new())
    } else {
        let parameters = format_ident!("{name}Parameters");
        let access = quote! {
            /// Not known: the model has errors.
            #[must_use]
            pub fn parameters(&self) -> #parameters { ::core::default::Default::default() }
        };
        (quote! { parameters: #parameters }, access)
    };
    let constructors = quote! {
        #[allow(dead_code, unused_variables)]
        impl #name {
            /// Not known: the model has errors.
            ///
            /// # Errors
            /// Always.
            pub fn new(#argument) -> ::core::result::Result<Self, ::polhode::parameters::InvalidParameters> {
                ::core::unreachable!()
            }
            #access
        }
    };
    let text = format!(
        "impl {name} {{
            /// Not known: the model has errors.
            pub const DOF: usize = 0;
            /// Not known: the model has errors.
            pub const CONSTRAINTS: usize = 0;
            /// Not known: the model has errors.
            #[must_use]
            pub fn description(&self) -> ::polhode::generic::description::Description {{ ::core::unreachable!() }}
            /// Not known: the model has errors.
            #[must_use]
            pub fn operations(&self) -> &'static [(&'static str, usize)] {{ &[] }}
            /// Not known: the model has errors.
            #[must_use]
            pub fn assembly(&self) -> ::core::option::Option<::polhode::consistency::Projection> {{ ::core::option::Option::None }}
        }}"
    );
    let inherent: TokenStream = text.parse().unwrap_or_default();
    let capabilities = CAPABILITIES.map(|(capability, items)| {
        let capability = format_ident!("{capability}");
        let items: TokenStream = items.parse().unwrap_or_default();
        quote! {
            #[automatically_derived]
            #[allow(unused_variables, clippy::all, clippy::pedantic)]
            impl rt::#capability for #name { #items }
        }
    });
    quote! {
        #[derive(Clone, Copy, Debug, Default)]
        #visibility struct #name;
        #parameters
        #constructors
        #inherent
        const _: () = {
            use ::polhode::__private as rt;
            #(#capabilities)*
        };
    }
}

/// The traits of a system with the types and functions that have no default.
const CAPABILITIES: [(&str, &str); 5] = [
    (
        "Manifold",
        "type Config = [f64; 0];
        type Velocity = [f64; 0];
        fn start_config(&self) -> [f64; 0] { [] }
        fn new_velocity(&self) -> [f64; 0] { [] }
        fn displace(&self, q: &[f64; 0], theta: &[f64; 0], out: &mut [f64; 0]) {}
        fn bracket(&self, x: &[f64; 0], y: &[f64; 0], out: &mut [f64; 0]) {}
        fn difference(&self, q: &[f64; 0], p: &[f64; 0], out: &mut [f64; 0]) {}",
    ),
    (
        "Mechanics",
        "type Geometry = [f64; 0];
        fn new_geometry(&self) -> [f64; 0] { [] }
        fn start_velocity(&self) -> [f64; 0] { [] }
        fn geometry(&self, t: f64, q: &[f64; 0], out: &mut [f64; 0]) -> ::core::result::Result<(), rt::Fault> { ::core::unreachable!() }
        fn force(&self, t: f64, g: &[f64; 0], v: &[f64; 0], out: &mut [f64; 0]) {}
        fn mass_times(&self, w: &[f64; 0], out: &mut [f64; 0]) {}
        fn mass_solve(&self, f: &[f64; 0], out: &mut [f64; 0]) {}
        fn energy(&self, t: f64, q: &[f64; 0], v: &[f64; 0]) -> rt::Energy { ::core::unreachable!() }",
    ),
    (
        "Constrained",
        "type Multiplier = [f64; 0];
        type Workspace = rt::Dense;
        fn constraint_count(&self) -> usize { ::core::unreachable!() }
        fn new_workspace(&self) -> rt::Dense { ::core::unreachable!() }
        fn constraint(&self, t: f64, q: &[f64; 0], g: &[f64; 0], out: &mut [f64; 0]) {}
        fn jacobian_times(&self, g: &[f64; 0], w: &[f64; 0], out: &mut [f64; 0]) {}
        fn jacobian_transpose_times(&self, g: &[f64; 0], lambda: &[f64; 0], out: &mut [f64; 0]) {}
        fn constraint_quadratic(&self, t: f64, q: &[f64; 0], g: &[f64; 0], v: &[f64; 0], out: &mut [f64; 0]) {}",
    ),
    (
        "Implicit",
        "fn jacobian_derivative_times(&self, q: &[f64; 0], g: &[f64; 0], v: &[f64; 0], w: &[f64; 0], out: &mut [f64; 0]) {}
        fn stiffness_times(&self, t: f64, q: &[f64; 0], g: &[f64; 0], v: &[f64; 0], lambda: &[f64; 0], w: &[f64; 0], out: &mut [f64; 0]) {}
        fn damping_times(&self, t: f64, q: &[f64; 0], g: &[f64; 0], v: &[f64; 0], w: &[f64; 0], out: &mut [f64; 0]) {}",
    ),
    (
        "Bodies",
        "fn space(&self) -> &rt::Space { ::core::unreachable!() }
        fn factor_name(&self, factor: usize) -> ::std::string::String { ::core::unreachable!() }
        fn factor_origin(&self, factor: usize) -> [f64; 3] { ::core::unreachable!() }
        fn momentum(&self, q: &[f64; 0], v: &[f64; 0]) -> rt::Momentum { ::core::unreachable!() }",
    ),
];

#[cfg(test)]
mod tests;
