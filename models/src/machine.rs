//! A system together with its methods, behind one pointer.
//!
//! A program that offers every method for every model would be compiled for every system type
//! again. Here all that depends on the type of a system is compiled once per type, steps and time
//! loop included, and everything else sees slices. A call through the pointer is a whole run, or a
//! question about one state: inside a run nothing is looked up.

#[cfg(feature = "functions")]
mod function;
mod host;
#[cfg(feature = "functions")]
mod measure;
mod scheme;

use core::ops::ControlFlow;
#[cfg(feature = "functions")]
use std::time::Duration;

use nalgebra::DMatrix;
use polhode::error::{Fault, SolveError};
use polhode::generic::description::Description;
use polhode::generic::{GenericSystem, InvalidDescription};
use polhode::joints::{JointFrame, Wrench};
use polhode::lie::Space;
use polhode::note::Note;
use polhode::stats::Stats;
use polhode::system::{Energy, Momentum};
use polhode::trajectory::Columns;

#[cfg(feature = "functions")]
pub use function::Function;
pub(crate) use host::UNTIMED;
pub use host::{hosted, hosted_parts};
pub use scheme::{AnyStepper, Scheme};

/// The machine of a description, assembled at run time.
///
/// # Errors
/// If the description is not valid.
pub fn assembled(description: Description) -> Result<Box<dyn Machine>, InvalidDescription> {
    Ok(hosted(GenericSystem::new(description)?))
}

/// Steps that were made for their time.
#[derive(Clone, Debug)]
pub struct Batch {
    /// Per step.
    pub seconds: f64,
    /// Newton iterations per step; none in half-explicit methods.
    pub newton: f64,
    /// The state after the last step.
    pub last: Snapshot,
}

/// A state, whatever the system.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Snapshot {
    /// Time.
    pub t: f64,
    /// Configuration.
    pub q: Vec<f64>,
    /// Velocity.
    pub v: Vec<f64>,
    /// Acceleration.
    pub vdot: Vec<f64>,
    /// Multipliers.
    pub lambda: Vec<f64>,
    /// Multipliers of the stabilization.
    pub eta: Vec<f64>,
}

/// What is to be run.
#[derive(Clone, Debug)]
pub struct Order<'a> {
    /// The method.
    pub scheme: &'a Scheme,
    /// Fixed step size, or first one of a method that adapts.
    pub step: Option<f64>,
    /// The run is over `[0, until]`.
    pub until: f64,
    /// Times at which a step ends exactly.
    pub stop_at: &'a [f64],
}

/// What an observer sees after every step.
#[derive(Debug)]
pub struct Step<'a> {
    /// The state at its end.
    pub state: &'a Snapshot,
    /// Continuous angles of the joints; nothing where a joint has none.
    pub angles: &'a [Option<f64>],
    /// Its size.
    pub h: f64,
    /// Its scaled error, if it was estimated.
    pub error: Option<f64>,
    /// Steps so far.
    pub accepted: u64,
}

/// Looks at every step; it can end the run.
pub type Observer<'a> = &'a mut dyn FnMut(&Step<'_>) -> ControlFlow<()>;

/// The end of a run.
#[derive(Debug)]
pub struct Finished {
    /// The last state.
    pub last: Snapshot,
    /// Counted work.
    pub stats: Stats,
    /// What a reader of the result should know.
    pub notes: Vec<Note>,
    /// Why it failed, if it did.
    pub error: Option<SolveError>,
}

/// Residuals of the constraints at a state.
#[derive(Clone, Debug, PartialEq)]
pub struct Residuals {
    /// `Phi`.
    pub position: Vec<f64>,
    /// `B v + dPhi/dt`.
    pub velocity: Vec<f64>,
}

/// A joint at a state, see [`JointView`](polhode::joints::JointView).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointReading {
    /// Angle and its rate.
    pub angle: Option<[f64; 2]>,
    /// Displacement and its rate.
    pub displacement: Option<[f64; 2]>,
    /// On the second body, at the point of its frame, in inertial axes.
    pub reaction: Wrench,
}

/// A system with all methods.
pub trait Machine {
    /// The configuration space.
    fn space(&self) -> &Space;
    /// Number of constraint equations.
    fn constraint_count(&self) -> usize;
    /// Name of a constraint equation.
    fn constraint_name(&self, row: usize) -> String;
    /// Name of a body.
    fn factor_name(&self, factor: usize) -> String;
    /// Where the frame of a body on a rotation group is fixed.
    fn factor_origin(&self, factor: usize) -> [f64; 3];
    /// The joints; none of a long chain, whose joints are too many to look at.
    fn joints(&self) -> &[JointFrame];
    /// Names of the components of a state.
    fn columns(&self) -> Columns;

    /// The start that the model declares.
    fn start(&self) -> Snapshot;
    /// Energy of a state.
    fn energy(&self, at: &Snapshot) -> Energy;
    /// Momentum of a state.
    fn momentum(&self, at: &Snapshot) -> Momentum;
    /// Residuals of the constraints.
    ///
    /// # Errors
    /// If the model cannot be evaluated.
    fn residuals(&self, at: &Snapshot) -> Result<Residuals, Fault>;
    /// Sets acceleration and multipliers from time, configuration and velocity.
    ///
    /// # Errors
    /// If the model cannot be evaluated or its constraints are linearly dependent.
    fn accelerate(&self, at: &mut Snapshot) -> Result<(), Fault>;
    /// The matrix `B` at a state.
    ///
    /// # Errors
    /// If the model cannot be evaluated.
    fn jacobian(&self, at: &Snapshot) -> Result<DMatrix<f64>, Fault>;
    /// All joints, in the order of [`joints`](Self::joints).
    fn joint_readings(&self, at: &Snapshot) -> Vec<JointReading>;
    /// Which multipliers the motion determines.
    ///
    /// # Errors
    /// If the model cannot be evaluated.
    fn unique_multipliers(&self, at: &Snapshot) -> Result<Vec<bool>, Fault>;

    /// Runs from the start.
    fn run(&self, order: &Order<'_>, observer: Option<Observer<'_>>) -> Finished;
    /// Makes steps and nothing else, after the first few.
    ///
    /// # Errors
    /// Those of the method.
    fn batch(&self, scheme: &Scheme, h: f64, steps: usize) -> Result<Batch, SolveError>;
    /// Calls one function again and again with the same arguments, those of a step of size `h` at a
    /// state: the time of all calls, and the numbers that one gives. There are none of a geometry
    /// or of factors, which are different things in different systems.
    ///
    /// # Errors
    /// If the model cannot be evaluated or its equations are singular.
    #[cfg(feature = "functions")]
    fn measure(
        &self,
        at: &Snapshot,
        function: Function,
        h: f64,
        count: u64,
    ) -> Result<(Duration, Vec<f64>), Fault>;
}
