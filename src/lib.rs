//! Simulation of mechanisms on Lie groups.
//!
//! A mechanism is a set of bodies, joints and forces. Its equations of motion
//! are differential-algebraic, on a product of Lie groups:
//!
//! ```text
//! q'      = q v~                              left-invariant velocities
//! M v'    = -g(t, q, v) - B(q)^T lambda       balance of forces
//! Phi     = 0                                 joints, B w = D_q Phi w
//! ```
//!
//! | to                            | see                                                       |
//! |-------------------------------|-----------------------------------------------------------|
//! | describe a mechanism as data  | [`generic::description`]                                  |
//! | assemble it at run time       | [`GenericSystem`](generic::GenericSystem)                 |
//! | choose a method               | [`half_explicit`], [`generalized_alpha`]                  |
//! | run it over a time span       | [`Method::run`](stepper::Method::run), [`simulation`]     |
//! | make single steps             | [`Stepper`](stepper::Stepper)                             |
//! | read frames, sides and signs  | [`conventions`]                                           |
//! | use the groups alone          | [`lie`]                                                   |
//!
//! A point mass on a rod of length 1, with the time of its first passage through
//! the vertical:
//!
//! ```
//! use polhode::prelude::*;
//!
//! let pendulum = GenericSystem::new(Description {
//!     name: "pendulum".into(),
//!     gravity: [0.0, -9.81, 0.0],
//!     bodies: vec![Body {
//!         name: "bob".into(),
//!         group: GroupKind::Rn(2),
//!         mass: 1.0,
//!         inertia: [[0.0; 3]; 3],
//!         center: [0.0; 3],
//!         start: Start {
//!             position: vec![0.6, -0.8],
//!             ..Start::default()
//!         },
//!     }],
//!     joints: vec![Joint {
//!         name: "rod".into(),
//!         kind: JointKind::Distance { length: 1.0 },
//!         first: Attachment::at("ground", [0.0; 3]),
//!         second: Attachment::at("bob", [0.0; 3]),
//!     }],
//!     ..Description::default()
//! })?;
//! let run = GeneralizedAlpha::stabilized_index2()
//!     .simulate(&pendulum, 0.0..=2.0)
//!     .step(1e-3)
//!     .event(Event::new(|state: &State<GenericSystem>| state.q[0]).terminal())
//!     .run()?;
//! let passage = run.last();
//!
//! // A quarter of the period, K(sin(a / 2)) / sqrt(9.81) with sin(a) = 0.6.
//! assert!((passage.t - 0.514_813).abs() < 1e-5);
//! // The rod carries the weight and the centripetal force: 9.81 (3 - 2 * 0.8).
//! assert!((passage.lambda[0] - 13.734).abs() < 1e-3);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The attribute [`#[multibody]`](macro@multibody) generates straight-line code for a
//! mechanism at compile time, with the same capabilities (see [`system`]).

pub use polhode_macros::multibody;
pub use polhode_runtime::*;

#[doc(hidden)]
pub use polhode_runtime::generated as __private;

/// The names that most programs need: `use polhode::prelude::*;`.
pub mod prelude {
    pub use crate::consistency::InitialValues;
    pub use crate::events::{Direction, Event};
    pub use crate::generalized_alpha::{GeneralizedAlpha, Sigma};
    pub use crate::generic::GenericSystem;
    pub use crate::generic::description::{
        Attachment, Body, BodyQuantity, Description, Force, ForceKind, Formula, Function, Joint,
        JointKind, JointQuantity, LoadFrame, MassMatrix, Motion, Redundancy, Start, StartAngle,
    };
    pub use crate::half_explicit::{HalfExplicit, Multipliers};
    pub use crate::lie::GroupKind;
    pub use crate::multibody;
    pub use crate::newton::NewtonOptions;
    pub use crate::output::Output;
    pub use crate::starting_values::StartingValues;
    pub use crate::state::State;
    pub use crate::stepper::{Method, Stepper};
    pub use crate::system::{Bodies, Constrained, Implicit, Manifold, Mechanics, System};
}

/// The examples of the reference of models, as tests.
#[cfg(doctest)]
#[doc = include_str!("../docs/models.md")]
pub struct ModelDoctests;

/// The examples of the guide, as tests.
#[cfg(doctest)]
#[doc = include_str!("../docs/guide.md")]
pub struct GuideDoctests;

/// The example of a system of one's own, as a test.
#[cfg(doctest)]
#[doc = include_str!("../docs/systems.md")]
pub struct SystemDoctests;

/// The examples of the README, as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct ReadmeDoctests;
