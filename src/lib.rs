//! polhode
pub use polhode_runtime::*;
