//! Rods, rigid bodies and joints that form a tree, and chains of rigid links.
//!
//! | type           | what                                                              |
//! |----------------|-------------------------------------------------------------------|
//! | [`Tree`]       | Cosserat rods and rigid bodies, joined without closed loops       |
//! | [`LinkChain`]  | identical treatment of many rigid links with spherical joints     |
//!
//! Both implement [`System`](crate::system::System), so every method and every
//! option of a run works with them. The number of elements is chosen at run time.
//! All linear systems are eliminated along the tree: time and memory grow with
//! the number of elements and not faster.
//!
//! | file          | idea                                                               |
//! |---------------|--------------------------------------------------------------------|
//! | `rod`         | a rod as data, and what can be wrong with it                       |
//! | `builder`     | rods, bodies, joints and loads are put together                    |
//! | `node`        | pose, twist, mass, weight of one body or node                      |
//! | `load`        | applied forces and moments                                         |
//! | `strain`      | the rod element: strain, stress, their derivatives                 |
//! | `turn`        | whether an element turns beyond half a circle                      |
//! | `joint`       | joints between two nodes                                           |
//! | `edge`        | what joins two nodes, in group coordinates                         |
//! | `plan`        | the order of elimination, fixed once                               |
//! | `elimination` | block elimination along the plan                                   |
//! | `banded`      | the same matrix as a whole, where a block is singular              |
//! | `stage`       | a half-explicit stage in two sweeps                                |
//! | `assembly`    | Newton matrix and Schur complement                                 |
//! | `tree`        | all of it behind the border                                        |
//! | `description` | a tree as data for the generic system, its joints for outputs       |
//! | `links`       | the chain of rigid links                                           |
//! | `parts`       | the parts of a model with arrays, for generated constructors        |
//! | `assembled`   | declared models behind the border                                  |

mod assembled;
mod assembly;
mod banded;
mod builder;
mod description;
mod edge;
mod elimination;
mod invalid;
pub(crate) mod joint;
mod links;
mod load;
mod node;
#[doc(hidden)]
pub mod parts;
mod plan;
pub(crate) mod rod;
mod stage;
pub(crate) mod strain;
#[cfg(test)]
mod tests;
mod tree;
pub(crate) mod turn;

pub use assembled::Assembled;
pub use builder::{Anchor, Place, TreeBuilder};
pub use invalid::InvalidTree;
pub use links::{ChainGeometry, ChainStart, ChainWorkspace, Link, LinkChain};
pub use load::{Load, LoadFrame, Profile};
pub(crate) use plan::HUB_ROWS;
pub use rod::{Hold, InternalConstraint, Rod, RodStart, Section};
pub use tree::{Tree, TreeGeometry, TreeWorkspace};
