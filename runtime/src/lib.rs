//! Lie groups, the border between model and solver, and the solvers.
pub mod accelerations;
pub mod consistency;
pub mod control;
pub mod error;
pub mod generalized_alpha;
pub mod generic;
pub mod half_explicit;
pub mod lie;
pub mod newton;
pub mod real;
pub mod starting_values;
pub mod state;
pub mod stats;
pub mod stepper;
pub mod system;
mod tableau;
