//! Runs one machine with one method, and keeps what the commands show.

use core::ops::ControlFlow;
use std::time::Instant;

use polhode::error::SolveError;
use polhode::half_explicit::Multipliers;
use polhode::note::Note;
use polhode::run::{Residuals, StepRecord};
use polhode::stats::Stats;
use polhode::system::Energy;
use polhode_models::machine::{Machine, Order, Scheme, Snapshot, Step};

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
    /// Times at which a step ends.
    pub(crate) kinks: &'static [f64],
    /// Whether short runs are repeated for their timing.
    pub(crate) timed: bool,
}

impl Plan {
    /// For a machine.
    pub(crate) fn order(&self) -> Order<'_> {
        Order {
            scheme: &self.scheme,
            step: self.step,
            until: self.until,
            stop_at: self.kinks,
        }
    }

    /// Replaces accelerations and multipliers of a state if that was asked for.
    pub(crate) fn complete(&self, machine: &dyn Machine, state: &mut Snapshot) {
        if matches!(
            &self.scheme,
            Scheme::HalfExplicit(_, Multipliers::Recomputed)
        ) {
            // Where the constraints are singular the values of the method remain.
            let _ = machine.accelerate(state);
        }
    }
}

/// What was computed, complete or up to a failure.
#[derive(Debug)]
pub(crate) struct Simulated {
    /// Start and ends of steps; in long runs only some.
    pub(crate) states: Vec<Snapshot>,
    /// Continuous angles of the joints at these states.
    pub(crate) angles: Vec<Vec<Option<f64>>>,
    /// The steps at the ends of which these states are.
    pub(crate) steps: Vec<StepRecord>,
    /// Every how many steps a state was kept.
    pub(crate) stride: u64,
    /// Final state with the multipliers that were asked for.
    pub(crate) last: Snapshot,
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
    /// What a reader of the result should know.
    pub(crate) notes: Vec<Note>,
    /// Why it failed, if it did.
    pub(crate) error: Option<SolveError>,
}

/// Most states that are kept of a run; when there are more, every second one goes.
const MOST_STATES: usize = 40_000;
/// Most numbers in them.
const MOST_NUMBERS: usize = 4_000_000;
/// A run is repeated for its timing while it takes less than this in total.
const TIMING_SECONDS: f64 = 0.25;

/// What the observer of a run keeps.
struct Recorder<'a> {
    machine: &'a dyn Machine,
    plan: &'a Plan,
    states: Vec<Snapshot>,
    angles: Vec<Vec<Option<f64>>>,
    steps: Vec<StepRecord>,
    residuals: Residuals,
    last_angles: Vec<Option<f64>>,
    stride: u64,
    most: usize,
    progress: Progress,
}

impl<'a> Recorder<'a> {
    fn new(machine: &'a dyn Machine, plan: &'a Plan) -> Self {
        let numbers = machine.space().config_len()
            + 2 * machine.space().dof()
            + 2 * machine.constraint_count();
        Self {
            machine,
            plan,
            states: Vec::new(),
            angles: Vec::new(),
            steps: Vec::new(),
            residuals: Residuals::default(),
            last_angles: Vec::new(),
            stride: 1,
            most: MOST_STATES.min(MOST_NUMBERS / numbers.max(1)).max(2),
            progress: Progress::new(plan.until),
        }
    }

    fn keep(&mut self, mut state: Snapshot) {
        self.plan.complete(self.machine, &mut state);
        if let Ok(found) = self.machine.residuals(&state) {
            let largest = |x: &[f64]| x.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
            let Residuals { position, velocity } = &mut self.residuals;
            *position = position.max(largest(&found.position));
            *velocity = velocity.max(largest(&found.velocity));
        }
        self.angles.push(self.last_angles.clone());
        self.states.push(state);
    }

    /// Keeps a step, and forgets half of what was kept if it is too much.
    fn keep_step(&mut self, step: &Step<'_>) {
        self.last_angles.clear();
        self.last_angles.extend_from_slice(step.angles);
        if !step.accepted.is_multiple_of(self.stride) {
            return;
        }
        self.keep(step.state.clone());
        self.steps.push(StepRecord {
            t: step.state.t - step.h,
            h: step.h,
            error: step.error,
        });
        self.progress.show(step.state.t);
        if self.states.len() > self.most {
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
}

/// Runs a plan.
pub(crate) fn simulate(machine: &dyn Machine, plan: &Plan) -> Simulated {
    let mut recorder = Recorder::new(machine, plan);
    let mut start = machine.start();
    let joints = 0..machine.joints().len();
    let angle = |joint| machine.joint(&start, joint).angle.map(|[angle, _]| angle);
    recorder.last_angles = joints.map(angle).collect();
    if machine.accelerate(&mut start).is_ok() {
        recorder.keep(start.clone());
    }

    let clock = Instant::now();
    let run = machine.run(
        &plan.order(),
        Some(&mut |step| {
            recorder.keep_step(step);
            ControlFlow::Continue(())
        }),
    );
    let mut seconds = clock.elapsed().as_secs_f64();
    recorder.progress.clear();
    if plan.timed && run.error.is_none() {
        let mut spent = seconds;
        while spent < TIMING_SECONDS {
            let clock = Instant::now();
            let again = machine.run(&plan.order(), None);
            let elapsed = clock.elapsed().as_secs_f64();
            spent += elapsed + 1e-3;
            if again.error.is_none() {
                seconds = seconds.min(elapsed);
            }
        }
    }
    let energy_start = machine.energy(&start);
    let mut last = run.last;
    if run.stats.accepted > 0 {
        plan.complete(machine, &mut last);
    } else {
        last = start;
    }
    if recorder.states.last().is_some_and(|state| state.t < last.t) {
        recorder.keep(last.clone());
    }
    #[expect(clippy::cast_precision_loss, reason = "a count of steps")]
    let accepted = run.stats.accepted.max(1) as f64;
    Simulated {
        states: recorder.states,
        angles: recorder.angles,
        steps: recorder.steps,
        stride: recorder.stride,
        last_angles: recorder.last_angles,
        stats: run.stats,
        energy_start,
        energy_end: machine.energy(&last),
        last,
        residuals: recorder.residuals,
        ns_per_step: seconds * 1e9 / accepted,
        notes: run.notes,
        error: run.error,
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
