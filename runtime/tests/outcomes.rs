//! What a run tells about itself.

#[path = "outcomes/linkages.rs"]
mod linkages;
#[path = "outcomes/singular.rs"]
mod singular;
#[path = "outcomes/unstable.rs"]
mod unstable;
