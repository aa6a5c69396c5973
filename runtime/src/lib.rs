//! Lie groups, the border between model and solver, and the solvers.
pub mod lie;
pub mod real;
