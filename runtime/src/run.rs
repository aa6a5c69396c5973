//! What a run returns.

use crate::consistency::Projection;
use crate::error::SolveError;
use crate::events::EventRecord;
use crate::note::Note;
use crate::state::State;
use crate::stats::Stats;
use crate::system::{Constrained, Energy};
use crate::trajectory::Trajectory;

/// Why a run ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Outcome {
    /// The end of the time span was reached.
    EndTime,
    /// A terminal event happened.
    Event {
        /// Which one, in the order in which they were given.
        index: usize,
        /// When.
        t: f64,
    },
    /// The observer asked for it.
    Stopped,
    /// It failed, see [`FailedRun::error`].
    Failed,
}

/// One accepted step.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct StepRecord {
    /// Its start.
    pub t: f64,
    /// Its size.
    pub h: f64,
    /// Its scaled error, if it was estimated.
    pub error: Option<f64>,
}

/// Largest residuals of the constraints over some states.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Residuals {
    /// Largest component of `Phi`.
    pub position: f64,
    /// Largest component of `B v + dPhi/dt`.
    pub velocity: f64,
}

/// The result of a run, or the part that was done before it failed.
pub struct Run<S: Constrained> {
    pub(crate) trajectory: Trajectory<S>,
    pub(crate) last: State<S>,
    pub(crate) stats: Stats,
    pub(crate) outcome: Outcome,
    pub(crate) energy_start: Energy,
    pub(crate) energy_end: Energy,
    pub(crate) events: Vec<EventRecord<S>>,
    pub(crate) steps: Vec<StepRecord>,
    pub(crate) projection: Option<Projection>,
    pub(crate) notes: Vec<Note>,
}

impl<S: Constrained> Run<S> {
    pub(crate) fn new(system: &S, state: State<S>) -> Self {
        let energy = system.energy(state.t, &state.q, &state.v);
        Self {
            trajectory: Trajectory::new(system),
            last: state,
            stats: Stats::default(),
            outcome: Outcome::Failed,
            energy_start: energy,
            energy_end: energy,
            events: Vec::new(),
            steps: Vec::new(),
            projection: None,
            notes: Vec::new(),
        }
    }

    /// How far the initial values were moved, if a projection was asked for.
    pub fn projection(&self) -> Option<Projection> {
        self.projection
    }

    /// What a reader of the result should know: singular positions that were passed.
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// The stored states with their names and writers.
    pub fn trajectory(&self) -> &Trajectory<S> {
        &self.trajectory
    }

    /// The stored states.
    pub fn states(&self) -> &[State<S>] {
        self.trajectory.states()
    }

    /// A stored state.
    pub fn at(&self, index: usize) -> Option<&State<S>> {
        self.states().get(index)
    }

    /// The state that was reached, stored or not, as the method would go on with it.
    pub fn last(&self) -> &State<S> {
        &self.last
    }

    /// What it has cost.
    pub fn stats(&self) -> &Stats {
        &self.stats
    }

    /// Why it ended.
    pub fn outcome(&self) -> Outcome {
        self.outcome
    }

    /// Energy at the start.
    pub fn energy_start(&self) -> Energy {
        self.energy_start
    }

    /// Energy at the state that was reached.
    pub fn energy_end(&self) -> Energy {
        self.energy_end
    }

    /// Change of the total energy.
    pub fn drift(&self) -> f64 {
        self.energy_end.total() - self.energy_start.total()
    }

    /// The events that happened, in the order of time.
    pub fn events(&self) -> &[EventRecord<S>] {
        &self.events
    }

    /// The accepted steps, if they were asked for.
    pub fn steps(&self) -> &[StepRecord] {
        &self.steps
    }

    /// Largest residuals of the constraints over all stored states.
    ///
    /// # Errors
    /// If the model cannot be evaluated at one of them.
    pub fn residuals(&self, system: &S) -> Result<Residuals, SolveError> {
        let mut geometry = system.new_geometry();
        let mut phi = system.new_multiplier();
        let mut rate = system.new_multiplier();
        let mut largest = Residuals::default();
        for State { t, q, v, .. } in self.states() {
            system
                .geometry(*t, q, &mut geometry)
                .map_err(|fault| fault.at(*t, 0.0))?;
            system.constraint(*t, q, &geometry, &mut phi);
            for phi in phi.as_ref() {
                largest.position = largest.position.max(phi.abs());
            }
            system.jacobian_times(&geometry, v, &mut phi);
            system.constraint_rate(*t, &geometry, &mut rate);
            for (phi, rate) in phi.as_ref().iter().zip(rate.as_ref()) {
                largest.velocity = largest.velocity.max((phi + rate).abs());
            }
        }
        Ok(largest)
    }
}

impl<S: Constrained> core::fmt::Debug for Run<S> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Run")
            .field("outcome", &self.outcome)
            .field("stats", &self.stats)
            .field("last", &self.last)
            .field("states", &self.states().len())
            .finish_non_exhaustive()
    }
}

/// A run that failed, with what it has done.
pub struct FailedRun<S: Constrained> {
    /// Everything up to the last good step.
    pub run: Run<S>,
    /// Why it failed.
    pub error: SolveError,
}

impl<S: Constrained> core::fmt::Debug for FailedRun<S> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        core::fmt::Display::fmt(self, f)
    }
}

impl<S: Constrained> core::fmt::Display for FailedRun<S> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        self.error.fmt(f)
    }
}

impl<S: Constrained> core::error::Error for FailedRun<S> {}
