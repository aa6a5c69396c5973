//! Runs one system with one method, and keeps what the commands show.

use core::ops::ControlFlow;
use std::time::Instant;

use polhode::accelerations::AccelerationSolver;
use polhode::consistency;
use polhode::error::SolveError;
use polhode::generalized_alpha::GeneralizedAlpha;
use polhode::half_explicit::{HalfExplicit, Multipliers};
use polhode::joints::JointTracker;
use polhode::output::Output;
use polhode::run::{Residuals, StepRecord};
use polhode::simulation::{Simulation, StepView};
use polhode::state::State;
use polhode::stats::Stats;
use polhode::stepper::Method;
use polhode::system::{Energy, System};
use polhode::trajectory::Trajectory;

use crate::joints::angles;

/// A method with all its options.
#[derive(Clone, Debug)]
pub(crate) enum Scheme {
    /// `he2` to `he5`, and whether their multipliers are recomputed.
    HalfExplicit(HalfExplicit, Multipliers),
    /// `ga3`, `ga2`, `ga2s`.
    GeneralizedAlpha(GeneralizedAlpha),
}

/// Steps and span of a run.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    /// The method.
    pub(crate) scheme: Scheme,
    /// Its name.
    pub(crate) method: &'static str,
    /// Fixed step size, or none if the method adapts.
    pub(crate) step: Option<f64>,
    /// End of the run.
    pub(crate) until: f64,
    /// Whether short runs are repeated for their timing.
    pub(crate) timed: bool,
}

/// What was computed, complete or up to a failure.
#[derive(Debug)]
pub(crate) struct Simulated<S: System> {
    /// Start and ends of steps; in long runs only some.
    pub(crate) trajectory: Trajectory<S>,
    /// Continuous angles of the joints at these states.
    pub(crate) angles: Vec<Vec<Option<f64>>>,
    /// The steps at the ends of which these states are.
    pub(crate) steps: Vec<StepRecord>,
    /// Every how many steps a state was kept.
    pub(crate) stride: u64,
    /// Final state with the multipliers that were asked for.
    pub(crate) last: State<S>,
    /// Continuous angles of the joints there.
    pub(crate) last_angles: Vec<Option<f64>>,
    /// Counted work.
    pub(crate) stats: Stats,
    /// Energy at the start.
    pub(crate) energy_start: Energy,
    /// Energy at the end.
    pub(crate) energy_end: Energy,
    /// Largest residuals over the stored states.
    pub(crate) residuals: Residuals,
    /// Shortest wall time of the run, divided by its steps.
    pub(crate) ns_per_step: f64,
    /// Why it failed, if it did.
    pub(crate) error: Option<SolveError>,
}

/// Most states that are kept of a run; when there are more, every second one goes.
const MOST_STATES: usize = 40_000;
/// A run is repeated for its timing while it takes less than this in total.
const TIMING_SECONDS: f64 = 0.25;

/// Runs a plan.
pub(crate) fn simulate<S: System>(system: &S, plan: &Plan) -> Simulated<S> {
    match &plan.scheme {
        Scheme::HalfExplicit(method, multipliers) => {
            let recompute = *multipliers == Multipliers::Recomputed;
            with_method(system, method, plan, recompute)
        }
        Scheme::GeneralizedAlpha(method) => with_method(system, method, plan, false),
    }
}

/// What the observer of a run keeps.
struct Recorder<'a, S: System> {
    system: &'a S,
    states: Vec<State<S>>,
    /// Follows the angles of joints from step to step; nothing without joints.
    tracker: Option<JointTracker>,
    angles: Vec<Vec<Option<f64>>>,
    steps: Vec<StepRecord>,
    residuals: Residuals,
    solver: Option<AccelerationSolver<S>>,
    stride: u64,
    progress: Progress,
}

impl<S: System> Recorder<'_, S> {
    fn keep(&mut self, state: &State<S>) {
        let mut state = state.clone();
        self.complete(&mut state);
        if let Ok(found) = consistency::residuals(self.system, &state) {
            let Residuals { position, velocity } = &mut self.residuals;
            *position = position.max(found.position);
            *velocity = velocity.max(found.velocity);
        }
        self.angles.push(self.angles_at(&state));
        self.states.push(state);
    }

    fn angles_at(&self, state: &State<S>) -> Vec<Option<f64>> {
        let tracker = self.tracker.as_ref();
        tracker.map_or(vec![], |tracker| angles(tracker, self.system, state))
    }

    /// Keeps a step, and forgets half of what was kept if it is too much.
    fn keep_step(&mut self, step: &StepView<'_, S>) {
        if let Some(tracker) = &mut self.tracker {
            tracker.update(self.system, step.state);
        }
        if !step.stats.accepted.is_multiple_of(self.stride) {
            return;
        }
        self.keep(step.state);
        self.steps.push(StepRecord {
            t: step.state.t - step.h,
            h: step.h,
            error: step.error,
        });
        self.progress.show(step.state.t);
        if self.states.len() > MOST_STATES {
            self.stride *= 2;
            let mut index = 0..;
            self.states
                .retain(|_| index.next().is_some_and(|i| i % 2 == 0));
            let mut index = 0..;
            self.angles
                .retain(|_| index.next().is_some_and(|i| i % 2 == 0));
            let mut index = 0..;
            self.steps
                .retain(|_| index.next().is_some_and(|i| i % 2 == 1));
        }
    }

    /// Replaces accelerations and multipliers if that was asked for.
    fn complete(&mut self, state: &mut State<S>) {
        if let Some(solver) = &mut self.solver {
            // Where the constraints are singular the values of the method remain.
            let _ = solver.solve(self.system, state);
        }
    }
}

fn with_method<S: System, M: Method + Clone>(
    system: &S,
    method: &M,
    plan: &Plan,
    recompute: bool,
) -> Simulated<S> {
    let simulation = || {
        let mut simulation = Simulation::new(system, method.clone(), 0.0..=plan.until);
        if let Some(h) = plan.step {
            simulation = simulation.step(h);
        }
        simulation.output(Output::EndOnly)
    };
    let mut recorder = Recorder {
        system,
        states: Vec::new(),
        tracker: None,
        angles: Vec::new(),
        steps: Vec::new(),
        residuals: Residuals::default(),
        solver: recompute.then(|| AccelerationSolver::new(system)),
        stride: 1,
        progress: Progress::new(plan.until),
    };
    let mut start = State::start(system, 0.0);
    if !system.joints().is_empty() {
        recorder.tracker = Some(JointTracker::new(system, &start));
    }
    if AccelerationSolver::new(system)
        .solve(system, &mut start)
        .is_ok()
    {
        recorder.keep(&start);
    }

    let clock = Instant::now();
    let result = simulation()
        .observe(|step| {
            recorder.keep_step(step);
            ControlFlow::Continue(())
        })
        .run();
    let mut seconds = clock.elapsed().as_secs_f64();
    recorder.progress.clear();
    let (run, error) = match result {
        Ok(run) => (run, None),
        Err(failed) => (failed.run, Some(failed.error)),
    };
    if plan.timed && error.is_none() {
        let mut spent = seconds;
        while spent < TIMING_SECONDS {
            let clock = Instant::now();
            let again = simulation().run();
            let elapsed = clock.elapsed().as_secs_f64();
            spent += elapsed + 1e-3;
            if again.is_ok() {
                seconds = seconds.min(elapsed);
            }
        }
    }
    let mut last = run.last().clone();
    if run.stats().accepted > 0 {
        recorder.complete(&mut last);
    } else {
        last = start;
    }
    if recorder.states.last().is_some_and(|state| state.t < last.t) {
        recorder.keep(&last);
    }
    let last_angles = recorder.angles_at(&last);
    let mut trajectory = Trajectory::new(system);
    for state in recorder.states {
        trajectory.push(state);
    }
    #[expect(clippy::cast_precision_loss, reason = "a count of steps")]
    let accepted = run.stats().accepted.max(1) as f64;
    Simulated {
        trajectory,
        angles: recorder.angles,
        steps: recorder.steps,
        stride: recorder.stride,
        last,
        last_angles,
        stats: *run.stats(),
        energy_start: run.energy_start(),
        energy_end: run.energy_end(),
        residuals: recorder.residuals,
        ns_per_step: seconds * 1e9 / accepted,
        error,
    }
}

/// A line on a terminal for runs of more than two seconds.
struct Progress {
    until: f64,
    start: Instant,
    shown: Option<Instant>,
    terminal: bool,
}

impl Progress {
    fn new(until: f64) -> Self {
        Self {
            until,
            start: Instant::now(),
            shown: None,
            terminal: std::io::IsTerminal::is_terminal(&std::io::stderr()),
        }
    }

    fn show(&mut self, t: f64) {
        let due = match self.shown {
            None => self.start.elapsed().as_secs() >= 2,
            Some(shown) => shown.elapsed().as_millis() >= 200,
        };
        if self.terminal && due {
            let share = 100.0 * t / self.until;
            eprint!("\r{share:5.1} %  t = {t:.4} of {}", self.until);
            self.shown = Some(Instant::now());
        }
    }

    fn clear(&self) {
        if self.shown.is_some() {
            eprint!("\r\x1b[K");
        }
    }
}
