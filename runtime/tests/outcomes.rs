//! What a run tells about itself.

#[path = "outcomes/linkages.rs"]
mod linkages;
#[path = "outcomes/singular.rs"]
mod singular;
