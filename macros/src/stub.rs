//! What is emitted beside errors: the same items without equations, so that code that uses the
//! model gives no further errors.

use std::fmt::Write;

use proc_macro2::TokenStream;
use quote::quote;

use crate::emit::construct;
use crate::model::Model;
use crate::scope;

/// The type, and the text of its constructors and of capabilities that satisfy the compiler and
/// cannot run.
pub(crate) fn system(model: &Model, visibility: &syn::Visibility) -> (TokenStream, String) {
    let name = &model.name;
    let parameters = construct::parameters(model, visibility);
    // Constants outside need a constructor, too; which there are is not known.
    let (argument, access) = if model.parameters.is_empty() {
        (String::new(), String::new())
    } else {
        let access = format!(
            "/// Not known: the model has errors.
            #[must_use]
            pub fn parameters(&self) -> {name}Parameters {{ ::core::default::Default::default() }}"
        );
        (format!("parameters: {name}Parameters"), access)
    };
    let mut text = format!(
        "#[allow(dead_code, unused_variables)]
        impl {name} {{
            /// Not known: the model has errors.
            ///
            /// # Errors
            /// Always.
            pub fn new({argument}) -> rt::Result<Self, rt::InvalidParameters> {{ ::core::unreachable!() }}
            {access}
            /// Not known: the model has errors.
            pub const DOF: usize = 0;
            /// Not known: the model has errors.
            pub const CONSTRAINTS: usize = 0;
            /// Not known: the model has errors.
            #[must_use]
            pub fn description(&self) -> rt::description::Description {{ ::core::unreachable!() }}
            /// Not known: the model has errors.
            #[must_use]
            pub fn operations(&self) -> &'static [(&'static str, usize)] {{ &[] }}
            /// Not known: the model has errors.
            #[must_use]
            pub fn assembly(&self) -> rt::Option<rt::Projection> {{ rt::None }}
        }}"
    );
    for (capability, items) in CAPABILITIES {
        let _ = write!(
            text,
            "#[automatically_derived]
            #[allow(unused_variables, clippy::all, clippy::pedantic)]
            impl rt::{capability} for {name} {{ {items} }}"
        );
    }
    let derive = scope::derive(&["Clone", "Copy", "Debug", "Default"]);
    let definition = quote! {
        #derive
        #visibility struct #name;
        #parameters
    };
    (definition, text)
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
        fn geometry(&self, t: f64, q: &[f64; 0], out: &mut [f64; 0]) -> rt::Result<(), rt::Fault> { ::core::unreachable!() }
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
        fn factor_name(&self, factor: usize) -> rt::String { ::core::unreachable!() }
        fn factor_origin(&self, factor: usize) -> [f64; 3] { ::core::unreachable!() }
        fn momentum(&self, q: &[f64; 0], v: &[f64; 0]) -> rt::Momentum { ::core::unreachable!() }",
    ),
];

#[cfg(test)]
mod tests;
