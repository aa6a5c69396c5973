//! What is emitted beside errors: the same items without equations, so that code that uses the
//! model gives no further errors.

use proc_macro2::TokenStream;
use quote::quote;

use crate::emit::construct;
use crate::model::Model;
use crate::scope;

/// The type, and the text of its constructors and of a `System` that satisfies the compiler and
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
    let text = format!(
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
        }}
        #[automatically_derived]
        #[allow(unused_variables, clippy::all, clippy::pedantic)]
        impl rt::System for {name} {{ {METHODS} }}"
    );
    let derive = scope::derive(&["Clone", "Copy", "Debug", "Default"]);
    let definition = quote! {
        #derive
        #visibility struct #name;
        #parameters
    };
    (definition, text)
}

/// The methods of `System` without a default.
const METHODS: &str = "
    type Config = [f64; 0];
    type Velocity = [f64; 0];
    type Multiplier = [f64; 0];
    type Geometry = [f64; 0];
    type Workspace = [f64; 0];
    fn space(&self) -> &rt::Space { ::core::unreachable!() }
    fn constraint_count(&self) -> usize { ::core::unreachable!() }
    fn constraint_name(&self, row: usize) -> rt::String { ::core::unreachable!() }
    fn factor_name(&self, factor: usize) -> rt::String { ::core::unreachable!() }
    fn factor_origin(&self, factor: usize) -> [f64; 3] { ::core::unreachable!() }
    fn new_config(&self) -> [f64; 0] { [] }
    fn new_velocity(&self) -> [f64; 0] { [] }
    fn new_multiplier(&self) -> [f64; 0] { [] }
    fn new_geometry(&self) -> [f64; 0] { [] }
    fn new_workspace(&self) -> [f64; 0] { [] }
    fn start_config(&self) -> [f64; 0] { [] }
    fn start_velocity(&self) -> [f64; 0] { [] }
    fn displace(&self, q: &[f64; 0], theta: &[f64; 0], out: &mut [f64; 0]) {}
    fn tangent_inverse(&self, theta: &[f64; 0], v: &[f64; 0], out: &mut [f64; 0]) {}
    fn velocity_of_increment(&self, coefficients: &rt::NewtonCoefficients, theta: &[f64; 0], k: &[f64; 0], push: &[f64; 0], out: &mut [f64; 0]) {}
    fn geometry(&self, t: f64, q: &[f64; 0], out: &mut [f64; 0]) -> rt::Result<(), rt::Fault> { ::core::unreachable!() }
    fn force(&self, t: f64, g: &[f64; 0], v: &[f64; 0], out: &mut [f64; 0]) {}
    fn mass_times(&self, w: &[f64; 0], out: &mut [f64; 0]) {}
    fn mass_solve(&self, w: &[f64; 0], out: &mut [f64; 0]) {}
    fn constraint(&self, t: f64, q: &[f64; 0], g: &[f64; 0], out: &mut [f64; 0]) {}
    fn jacobian_times(&self, g: &[f64; 0], w: &[f64; 0], out: &mut [f64; 0]) {}
    fn jacobian_transpose_times(&self, g: &[f64; 0], lambda: &[f64; 0], out: &mut [f64; 0]) {}
    fn constraint_rate(&self, t: f64, g: &[f64; 0], out: &mut [f64; 0]) {}
    fn constraint_quadratic(&self, t: f64, q: &[f64; 0], g: &[f64; 0], v: &[f64; 0], out: &mut [f64; 0]) {}
    fn jacobian_derivative_times(&self, q: &[f64; 0], g: &[f64; 0], v: &[f64; 0], w: &[f64; 0], out: &mut [f64; 0]) {}
    fn stiffness_times(&self, t: f64, q: &[f64; 0], g: &[f64; 0], v: &[f64; 0], lambda: &[f64; 0], w: &[f64; 0], out: &mut [f64; 0]) {}
    fn damping_times(&self, t: f64, q: &[f64; 0], g: &[f64; 0], v: &[f64; 0], w: &[f64; 0], out: &mut [f64; 0]) {}
    fn energy(&self, t: f64, q: &[f64; 0], v: &[f64; 0]) -> rt::Energy { ::core::unreachable!() }
    fn momentum(&self, q: &[f64; 0], v: &[f64; 0]) -> rt::Momentum { ::core::unreachable!() }
    fn schur_solve(&self, n: &[f64; 0], g: &[f64; 0], right: &mut [f64; 0], workspace: &mut [f64; 0]) -> rt::Result<(), rt::Fault> { ::core::unreachable!() }
    fn newton_factor(&self, coefficients: &rt::NewtonCoefficients, point: &rt::NewtonPoint<'_, Self>, workspace: &mut [f64; 0]) -> rt::Result<(), rt::Fault> { ::core::unreachable!() }
    fn newton_solve(&self, vectors: &mut rt::NewtonVectors<Self>, workspace: &mut [f64; 0]) {}
";

#[cfg(test)]
mod tests;
