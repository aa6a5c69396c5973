//! Models with arrays: rods, chains, and anything made of them.
//!
//! Their kernels are loops of the runtime, so what is generated is a constructor that lists the
//! parts, array by array, and the type with its names. The stages are those of other models:
//!
//! | file     | idea                                                                 |
//! |----------|----------------------------------------------------------------------|
//! | `affine` | lengths and indices                                                  |
//! | `model`  | the model with resolved names                                        |
//! | `lower`  | from the struct to the model                                         |
//! | `sample` | counts and literals to try checks with                               |
//! | `graph`  | what is connected with what                                          |
//! | `check`  | one function per rule                                                |
//! | `shape`  | chains and trees, which have faster loops, or a network              |
//! | `text`   | formulas as Rust                                                     |
//! | `emit`   | the type, its constructor, its state, and a stub beside errors       |

mod affine;
mod check;
mod emit;
mod graph;
mod lower;
mod model;
mod sample;
mod shape;
#[cfg(test)]
mod tests;
mod text;

pub(crate) use lower::has_arrays;

use proc_macro2::TokenStream;
use syn::ItemStruct;

use crate::diag::Diagnostics;
use crate::syntax::Arguments;

/// Expands a model with arrays.
pub(crate) fn expand(arguments: &Arguments, item: &ItemStruct, mut dx: Diagnostics) -> TokenStream {
    let mut arrays = lower::lower(arguments, item, &mut dx);
    if dx.is_empty() {
        check::numbers(&arrays, &mut dx);
    }
    if dx.is_empty() {
        let graph = graph::Graph::checked(&arrays, &mut dx);
        arrays.shape = arrays.find_shape(graph.as_ref());
    }
    if !dx.is_empty() {
        let mut expansion = emit::stub(&arrays, item);
        expansion.extend(dx.into_tokens());
        return expansion;
    }
    emit::system(&arrays, item)
}
