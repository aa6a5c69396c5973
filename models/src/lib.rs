//! Benchmark models of polhode, each with its source and reference, and their
//! registry. The program that runs them is `polhode`.

pub mod arrays;
pub mod chain;
pub mod double_pendulum;
pub mod four_bar;
pub mod generated;
pub mod gyroscope;
pub mod hand;
pub mod heavy_top;
pub mod lie_poisson;
pub mod machine;
pub mod model;
pub mod n_pendulum;
pub mod pendulum;
pub mod puma560;
pub mod quadrotors;
pub mod registry;
pub mod rod_pendulum;
pub mod rods;
pub mod rotor;
pub mod scene;
pub mod slider_crank;
