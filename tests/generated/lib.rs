//! One small model for every kind of component, in a package of its own: its tests call each
//! generated function a few times, so they are compiled without optimization (see `Cargo.toml` of
//! the workspace).
