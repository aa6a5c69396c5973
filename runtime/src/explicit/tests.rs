//! Order conditions.
