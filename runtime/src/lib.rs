//! Lie groups, the border between model and solver, and the solvers.
pub mod accelerations;
pub mod control;
pub mod dense;
pub mod error;
pub mod events;
pub mod half_explicit;
mod initial_step;
mod integrate;
pub mod lie;
pub mod output;
#[cfg(test)]
mod pendulum;
pub mod real;
#[cfg(test)]
mod rigid_body;
pub mod run;
mod schedule;
pub mod simulation;
pub mod state;
pub mod stats;
mod step_size;
pub mod stepper;
pub mod system;
mod tableau;
pub mod trajectory;
