//! Lie groups, the border between model and solver, and the solvers.
//!
//! This crate does not know `#[multibody]`; programs use the facade `polhode`,
//! which re-exports everything here.
//!
//! | part          | modules                                                              |
//! |---------------|----------------------------------------------------------------------|
//! | conventions   | [`conventions`]: frames, sides, signs, symbols                       |
//! | groups        | [`lie`], over the scalars of [`real`]                                |
//! | border        | [`system`], with [`state`], [`view`], [`error`] and [`stats`]        |
//! | models        | [`generic`]: assembled at run time from a description, [`least_norm`] |
//! | outputs       | [`joints`]: coordinates and reactions                                |
//! | models        | [`generic`]: assembled at run time from a description; [`chain`]: rods and chains |
//! | first order   | [`flow`], on [`actions`] of groups                                   |
//! | explicit      | [`explicit`]                                                         |
//! | half-explicit | [`half_explicit`], [`control`]                                       |
//! | implicit      | [`generalized_alpha`], [`newton`], [`starting_values`]               |
//! | both          | [`stepper`], [`consistency`], [`accelerations`]                      |
//! | runs          | [`simulation`], [`output`], [`events`], [`dense`], [`run`], [`trajectory`] |

// The mathematics.
pub mod actions;
pub mod conventions;
pub mod lie;
pub mod real;

// The border and systems behind it.
pub mod chain;
pub mod error;
pub mod flow;
#[doc(hidden)]
pub mod generated;
pub mod generic;
pub mod joints;
pub mod least_norm;
pub mod linear;
pub mod parameters;
pub mod state;
pub mod stats;
pub mod system;
pub mod view;

// The methods: one step.
pub mod accelerations;
pub mod consistency;
pub mod control;
pub mod explicit;
pub mod generalized_alpha;
pub mod half_explicit;
mod initial_step;
pub mod newton;
mod norm;
pub mod starting_values;
pub mod stepper;
mod tableau;

// Runs: the time loop and what it needs.
pub mod dense;
mod diagnosis;
pub mod events;
mod integrate;
pub mod note;
pub mod output;
mod passage;
pub mod run;
mod schedule;
pub mod simulation;
mod step_size;
pub mod trajectory;
mod watch;

// Test problems.
#[cfg(test)]
mod pendulum;
#[cfg(test)]
mod rigid_body;
