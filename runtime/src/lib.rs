//! Lie groups, the border between model and solver, and the solvers.

pub mod accelerations;
pub mod consistency;
pub mod control;
pub mod dense;
pub mod error;
pub mod events;
pub mod generalized_alpha;
#[doc(hidden)]
pub mod generated;
pub mod generic;
pub mod half_explicit;
mod initial_step;
mod integrate;
pub mod lie;
pub mod newton;
pub mod output;
#[cfg(test)]
mod pendulum;
pub mod real;
#[cfg(test)]
mod rigid_body;
pub mod run;
mod schedule;
pub mod simulation;
pub mod starting_values;
pub mod state;
pub mod stats;
mod step_size;
pub mod stepper;
pub mod system;
mod tableau;
pub mod trajectory;
