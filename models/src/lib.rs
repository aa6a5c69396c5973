//! Benchmark models of polhode, each with its source and reference, and their
//! registry. The program that runs them is `polhode`.

pub mod generated;
pub mod hand;
pub mod heavy_top;
pub mod model;
pub mod pendulum;
pub mod registry;
