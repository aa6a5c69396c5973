//! The attribute `#[multibody]`: from an annotated struct to a checked model with
//! generated equations. Use it through the crate `polhode`.

mod check;
mod diag;
mod elimination;
mod emit;
mod expand;
mod expr;
mod formula;
mod geometry;
mod groups;
mod lower;
mod mechanics;
mod model;
mod plan;
mod render;
mod start;
mod stub;
mod syntax;
#[cfg(test)]
mod tests;
mod value;

/// Declares a multibody system.
#[proc_macro_attribute]
pub fn multibody(
    arguments: proc_macro::TokenStream,
    item: proc_macro::TokenStream,
) -> proc_macro::TokenStream {
    expand::multibody(arguments.into(), item.into()).into()
}
