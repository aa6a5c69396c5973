//! Lie groups.
