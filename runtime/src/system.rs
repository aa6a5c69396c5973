//! The interface between model and solver.
//!
//! A model is a constrained mechanical system on a Lie group,
//!
//! ```text
//! q'          = q * hat(v)                       (left-invariant velocities)
//! M(q) v'     = -g(t, q, v) - B(q)^T lambda
//! 0           = Phi(t, q)                        B(q) w = D_q Phi * w
//! ```
//!
//! and a solver asks it only for what its formulas contain. It never sees a
//! matrix of the size of the system: linear systems are solved behind the
//! interface, by unrolled elimination in generated code and by a [factorization](crate::linear) that is
//! chosen by size in the [generic system](crate::generic).
//!
//! Everything that depends on the configuration alone is evaluated once into a
//! [`Geometry`](Mechanics::Geometry) and then used by several calls.
//!
//! The interface is a ladder of capabilities, and each solver asks for no more than it needs:
//!
//! | trait           | what it knows                                | who needs it                          |
//! |-----------------|----------------------------------------------|---------------------------------------|
//! | [`Manifold`]    | where the system moves                       | dense output, events, starting values |
//! | [`Mechanics`]   | masses, forces, energy                       |                                       |
//! | [`Constrained`] | constraints and their derivatives along the motion | half-explicit methods           |
//! | [`Implicit`]    | derivatives of forces and constraints        | generalized-alpha methods             |
//! | [`Bodies`]      | poses, joints, momentum                      | outputs by name, reactions, pictures  |
//!
//! [`System`] is all of them: every model that is declared or assembled. What a trait does not require has
//! a default, which generated code replaces by something faster.

mod bodies;
mod constrained;
mod implicit;
mod manifold;
mod mechanics;
mod newton;
mod stage;

pub use self::bodies::Bodies;
#[doc(hidden)]
pub use self::bodies::{
    check_branch_of_joints, joints_may_be_singular, names_of_bodies, on_groups,
    velocity_name_of_bodies,
};
pub use self::constrained::Constrained;
pub use self::implicit::Implicit;
pub use self::manifold::Manifold;
pub(crate) use self::manifold::inverse_coefficient;
pub use self::mechanics::Mechanics;
pub use crate::generated::Dense;

pub use self::newton::{
    Formulation, Increment, IncrementResults, NewtonCoefficients, NewtonPoint, NewtonVectors,
    ResidualPoint, ResidualSize, ShortCorrection, ShortPoint, compose_correction, compose_residual,
};
pub use self::stage::{NextStage, Stage, StagePast, StageResults, compose_stage};

/// Numbers in a row: a plain array when the size is known at compile time, a
/// heap slice otherwise.
pub trait Storage: Clone + core::fmt::Debug + AsRef<[f64]> + AsMut<[f64]> {
    /// So many zeros; an array knows their number.
    fn zeros(count: usize) -> Self;

    /// Moves the values out of `from` and leaves it unspecified: memory on the heap changes hands,
    /// an array is copied.
    fn take(&mut self, from: &mut Self);

    /// Zeros, if their number is a part of the type. What is written to a local array and not
    /// read need not be computed.
    #[inline(always)]
    fn local() -> Option<Self> {
        None
    }
}

impl<const N: usize> Storage for [f64; N] {
    #[inline]
    fn zeros(_count: usize) -> Self {
        [0.0; N]
    }

    #[inline(always)]
    fn local() -> Option<Self> {
        Some([0.0; N])
    }

    #[inline]
    fn take(&mut self, from: &mut Self) {
        *self = *from;
    }
}

impl Storage for Box<[f64]> {
    fn zeros(count: usize) -> Self {
        vec![0.0; count].into_boxed_slice()
    }

    #[inline]
    fn take(&mut self, from: &mut Self) {
        core::mem::swap(self, from);
    }
}

/// Kinetic and potential energy.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Energy {
    /// `1/2 v^T M v`.
    pub kinetic: f64,
    /// Energy of gravity and of every elastic force.
    pub potential: f64,
}

impl Energy {
    /// Kinetic plus potential energy.
    pub fn total(&self) -> f64 {
        self.kinetic + self.potential
    }
}

/// Linear and angular momentum in the inertial frame, the latter about its origin.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Momentum {
    /// Sum of mass times velocity of the centres of mass.
    pub linear: [f64; 3],
    /// Sum of the angular momenta about the origin of the inertial frame.
    pub angular: [f64; 3],
}

/// Memory of the linear solves of one solver.
pub trait Workspace: Clone + core::fmt::Debug {
    /// The part that the default solves use.
    fn dense(&mut self) -> &mut Dense;
}

impl Workspace for Dense {
    fn dense(&mut self) -> &mut Dense {
        self
    }
}

/// A multibody system with all capabilities: what every declared and every assembled model is.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a multibody system",
    note = "declare it with `#[multibody]` on its struct, or assemble a description with `GenericSystem::new`"
)]
pub trait System: Implicit + Bodies {}

impl<S: Implicit + Bodies + ?Sized> System for S {}

/// Vectors and workspace for the composed operations of a [`Constrained`] system.
#[derive(Clone, Debug)]
pub struct Scratch<S: Constrained + ?Sized> {
    /// Holds the force of the last stage.
    pub force: S::Velocity,
    /// Free for use.
    pub velocity: S::Velocity,
    /// Free for use.
    pub multiplier: S::Multiplier,
    /// Factorizations of the system.
    pub workspace: S::Workspace,
}

impl<S: Constrained + ?Sized> Scratch<S> {
    /// Allocates for one system.
    pub fn new(system: &S) -> Self {
        Self {
            force: system.new_velocity(),
            velocity: system.new_velocity(),
            multiplier: system.new_multiplier(),
            workspace: system.new_workspace(),
        }
    }
}
