//! Lie groups, the border between model and solver, and the solvers.
pub mod accelerations;
pub mod control;
pub mod error;
pub mod half_explicit;
pub mod lie;
pub mod real;
pub mod state;
pub mod stats;
pub mod stepper;
pub mod system;
mod tableau;
