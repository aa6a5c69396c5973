//! What the benchmarks measure.

pub mod cases;
pub mod six_links;
