//! What generated code names of the standard library: in the program around it, the same names may
//! mean something else, or nothing.

pub use std::boxed::Box;
pub use std::option::Option::{self, None, Some};
pub use std::result::Result::{self, Err, Ok};
pub use std::string::String;
pub use std::vec;
pub use std::vec::Vec;

/// A text as a value.
pub fn text(text: &str) -> String {
    text.to_owned()
}

/// What the name of each local variable of generated code means outside of its function: no
/// constant, and therefore no pattern.
pub fn local() {}
