//! Lie groups, the border between model and solver, and the solvers.
pub mod error;
pub mod generic;
pub mod lie;
pub mod real;
pub mod state;
pub mod stats;
pub mod stepper;
pub mod system;
