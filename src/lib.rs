//! polhode
pub use polhode_macros::multibody;
pub use polhode_runtime::*;

#[doc(hidden)]
pub use polhode_runtime::generated as __private;
