//! Benchmark models of polhode, each with its source and reference.
pub mod heavy_top;
pub mod pendulum;
