//! Systems assembled at run time from bodies and joints.
pub mod linear;
