//! Models with arrays: rods and chains with any number of elements.

pub mod chain;
pub mod rod_pendulum;
pub mod roll_up;
pub mod rubber_pendulum;
pub mod spaghetti;
