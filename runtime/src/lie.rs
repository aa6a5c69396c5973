//! Lie groups.
/// Product of groups (to be replaced when the groups land).
#[derive(Clone, Debug)]
pub struct Space;
