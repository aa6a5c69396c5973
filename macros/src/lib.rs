//! The attribute `#[multibody]`: from an annotated struct to a checked model with
//! generated equations. Use it through the crate `polhode`.

mod arrays;
mod assembly;
mod attributes;
mod check;
mod diag;
mod dump;
mod elimination;
mod emit;
#[cfg(test)]
mod example;
mod expand;
mod expr;
mod forces;
mod formula;
mod geometry;
mod groups;
mod joints;
mod kinds;
mod lower;
mod mechanics;
mod model;
mod plan;
mod render;
mod scope;
mod start;
mod stub;
mod syntax;
#[cfg(test)]
mod tests;
mod value;

/// Declares a multibody system: the fields of a struct are its bodies, joints, forces and
/// parameters, their attributes say where they are and how large.
///
/// ```text
/// #[multibody(gravity = [0.0, 0.0, -9.81])]
/// pub struct HeavyTop {
///     #[body(mass = 15.0, inertia = [0.234375, 0.46875, 0.234375])]
///     #[start(position = [0.0, 1.0, 0.0], angular_velocity = [0.0, 150.0, -4.61538])]
///     top: Body<SO3xR3>,
///     #[joint(ground at [0.0, 0.0, 0.0], top at [0.0, -1.0, 0.0])]
///     pivot: Spherical,
/// }
/// ```
///
/// The struct becomes a type that implements `System`, with its equations as straight-line code,
/// and has `description()`, the same model as data. With parameters there are also a struct
/// `..Parameters` and a checked `new`. The whole language is in `docs/models.md` of the
/// repository, with examples that are compiled.
#[proc_macro_attribute]
pub fn multibody(
    arguments: proc_macro::TokenStream,
    item: proc_macro::TokenStream,
) -> proc_macro::TokenStream {
    expand::multibody(arguments.into(), item.into()).into()
}
