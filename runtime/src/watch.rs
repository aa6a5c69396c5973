//! Looks for singular positions: where the rows of `B` become linearly dependent.
//!
//! With a direction `u` in which they do, `u^T B` vanishes there, and along a motion through that
//! position it changes its sign. The multipliers have a part `u F / s` before it, `s` the
//! distance and `F` the force that holds the mechanism on its way. So a multiplier that changes by
//! its own size within a step is a sign that costs two comparisons. Where no force holds the
//! mechanism, a step that fails or shrinks, or a velocity that does not follow from the
//! accelerations is the sign. Only then `u` is found at both ends of the step, by inverse iteration
//! from the same vector, and the pushes `beta = B^T u` are compared, in the metric of `M^-1`:
//!
//! ```text
//! beta(x) = beta_0 + x (beta_1 - beta_0)      x = 0 and 1 at the ends of the step
//! x*      = -beta_0 . (beta_1 - beta_0) / |beta_1 - beta_0|^2
//! pivot   = |beta|^2          with u^T D u = 1, D the diagonal of B M^-1 B^T
//! ```
//!
//! A pivot that is small all the time is no such position: light bodies and long chains have one. So it
//! must also be small against what is usual in this run. And a position within a step turns or shortens
//! the push: where both ends have the same one, `x*` is made of rounding errors. And no row of `B` may
//! have changed by its own length: such a step follows no motion.
//!
//! Not seen is a passage that neither needs a force nor disturbs a step.

use crate::error::Fault;
use crate::norm::largest;
use crate::state::State;
use crate::system::Constrained;

/// Multipliers that change by more than this part of the largest one are looked at.
const CHANGE: f64 = 0.3;
/// So are those that have grown by this factor since they were looked at.
const GROWTH: f64 = 2.0;
/// So are velocities that differ from what follows of the accelerations by this part of the change
/// of these, and by this part of the largest one.
const UNEXPECTED: (f64, f64) = (0.02, 1e-7);
/// So are accelerations that change by their own size in a step, and the velocity by this part of the
/// largest one.
const JUMP: f64 = 1e-3;
/// Largest relative pivot beside a singular position, and its largest part of the usual one.
const NEAR: (f64, f64) = (0.05, 0.5);
/// Pushes at both ends of a step that differ by a smaller part, squared, have no such position between
/// them.
const SAME: f64 = 0.04;
/// How many steps ahead such a position is seen.
const AHEAD: f64 = 8.0;
/// Cosine of the pushes beside a singular position where the motion went straight on.
const STRAIGHT: f64 = -0.98;
/// Looks by inverse iteration that found nothing are followed by as many signs that are ignored, up
/// to this number.
const LONGEST_PAUSE: u32 = 63;
/// Systems with more constraints are not looked at by inverse iteration.
const MOST_ROWS: usize = 400;

/// A singular position within a step or ahead of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sighting {
    /// When it is passed.
    pub(crate) t: f64,
    /// The smaller relative pivot of both ends of the step.
    pub(crate) pivot: f64,
    /// The constraint that depends on the others.
    pub(crate) row: usize,
    /// Whether the pushes at both ends of the step are opposite: the motion went straight on.
    pub(crate) straight: bool,
}

/// Watches the multipliers of a run.
pub(crate) struct Watch<S: Constrained> {
    /// Where the run began, until its pivot is asked for.
    start: Option<(f64, S::Config)>,
    /// The largest of the smallest pivots of configurations that were looked at.
    usual: f64,
    /// Largest multiplier when they were looked at last.
    reference: f64,
    /// Signs to be ignored, and how many after the next look in vain.
    pause: (u32, u32),
    /// Memory that most runs do not need.
    probe: Option<Box<Probe<S>>>,
}

impl<S: Constrained> Watch<S> {
    pub(crate) fn new(start: &State<S>) -> Self {
        Self {
            start: Some((start.t, start.q.clone())),
            usual: 0.0,
            reference: largest(start.lambda.as_ref()),
            pause: (0, 1),
            probe: None,
        }
    }

    /// Goes on from another state.
    pub(crate) fn restart(&mut self, state: &State<S>) {
        self.reference = largest(state.lambda.as_ref());
        self.pause = (0, 1);
    }

    /// Looks at the step between two states if there is a reason: its multipliers, or another one.
    #[inline]
    pub(crate) fn look(
        &mut self,
        system: &S,
        (from, to): (&State<S>, &State<S>),
        reason: bool,
    ) -> Result<Option<Sighting>, Fault> {
        let (mut size, mut change) = (0.0, 0.0);
        for (x, y) in from.lambda.as_ref().iter().zip(to.lambda.as_ref()) {
            size = larger(size, y.abs());
            change = larger(change, (y - x).abs());
        }
        let grows = change > CHANGE * size || size > GROWTH * self.reference;
        if grows || size < self.reference / GROWTH {
            self.reference = size;
        }
        if !(reason || grows) {
            return Ok(None);
        }
        self.find(system, from, to, reason)
    }

    #[cold]
    fn find(
        &mut self,
        system: &S,
        from: &State<S>,
        to: &State<S>,
        reason: bool,
    ) -> Result<Option<Sighting>, Fault> {
        let probe = self
            .probe
            .get_or_insert_with(|| Box::new(Probe::new(system)));
        if probe.rows() > MOST_ROWS {
            return Ok(None);
        }
        if self.pause.0 > 0 {
            self.pause.0 -= 1;
            return Ok(None);
        }
        let start = self.start.take();
        for (t, q) in start.iter().map(|(t, q)| (*t, q)).chain([(to.t, &to.q)]) {
            self.usual = larger(self.usual, probe.smallest_pivot(system, t, q)?);
        }
        let near = NEAR.0.min(NEAR.1 * self.usual);
        probe.start(system, from, to)?;
        if reason {
            probe.iterate(system)?;
        }
        let (pivot, mut sighting) = probe.compare(system, from, to, near)?;
        if sighting.is_some() && !probe.is_followed(system) {
            sighting = None;
        }
        self.pause = if pivot < near {
            (0, 1)
        } else {
            (self.pause.1, (2 * self.pause.1 + 1).min(LONGEST_PAUSE))
        };
        Ok(sighting)
    }
}

/// Whether the velocity after a step is far from what the accelerations at its ends give, or these
/// from each other.
#[inline]
pub(crate) fn is_unexpected<S: Constrained>(from: &State<S>, to: &State<S>) -> bool {
    let h = 0.5 * (to.t - from.t);
    let (mut size, mut rate, mut change, mut defect) = (0.0, 0.0, 0.0, 0.0);
    let velocities = from.v.as_ref().iter().zip(to.v.as_ref());
    let accelerations = from.vdot.as_ref().iter().zip(to.vdot.as_ref());
    for ((v0, v1), (a0, a1)) in velocities.zip(accelerations) {
        size = larger(size, v1.abs());
        rate = larger(rate, a0.abs());
        change = larger(change, (a1 - a0).abs());
        defect = larger(defect, (v1 - v0 - h * (a0 + a1)).abs());
    }
    defect > UNEXPECTED.0 * h * change + UNEXPECTED.1 * size
        || (change > rate && h * change > JUMP * size)
}

fn larger(x: f64, y: f64) -> f64 {
    if y > x { y } else { x }
}

struct Probe<S: Constrained> {
    geometries: [S::Geometry; 2],
    /// `D r`, from which inverse iteration starts.
    right: S::Multiplier,
    direction: S::Multiplier,
    /// `D`, the diagonal of `B M^-1 B^T`.
    squares: S::Multiplier,
    pushes: [S::Velocity; 2],
    motion: S::Velocity,
    workspace: S::Workspace,
}

impl<S: Constrained> Probe<S> {
    fn new(system: &S) -> Self {
        Self {
            geometries: [system.new_geometry(), system.new_geometry()],
            right: system.new_multiplier(),
            direction: system.new_multiplier(),
            squares: system.new_multiplier(),
            pushes: [system.new_velocity(), system.new_velocity()],
            motion: system.new_velocity(),
            workspace: system.new_workspace(),
        }
    }

    fn rows(&self) -> usize {
        self.direction.as_ref().len()
    }

    /// Geometries, and the change of the multipliers as a direction.
    fn start(&mut self, system: &S, from: &State<S>, to: &State<S>) -> Result<(), Fault> {
        for (state, geometry) in [from, to].into_iter().zip(&mut self.geometries) {
            system.geometry(state.t, &state.q, geometry)?;
        }
        self.find_squares(system);
        let change = from.lambda.as_ref().iter().zip(to.lambda.as_ref());
        let right = self.right.as_mut().iter_mut().zip(self.squares.as_ref());
        for ((r, square), (x, y)) in right.zip(change) {
            *r = square * (y - x);
        }
        Ok(())
    }

    /// A direction by an inverse iteration from numbers without a pattern.
    fn iterate(&mut self, system: &S) -> Result<(), Fault> {
        let mut seed = 0.5;
        let right = self.right.as_mut().iter_mut().zip(self.squares.as_ref());
        for (r, square) in right {
            seed = (seed + 0.618_033_988_749_894_9) % 1.0;
            *r = (0.5 + seed) * square.sqrt();
        }
        self.solve(system, 1)?;
        let weighted = self.direction.as_ref().iter().zip(self.squares.as_ref());
        for (r, (u, square)) in self.right.as_mut().iter_mut().zip(weighted) {
            *r = square * u;
        }
        Ok(())
    }

    /// `u = (B M^-1 B^T)^-1 D r` at one of the geometries, with `u^T D u = 1`.
    fn solve(&mut self, system: &S, end: usize) -> Result<(), Fault> {
        let geometry = &self.geometries[end];
        self.direction.as_mut().copy_from_slice(self.right.as_ref());
        system.schur_solve(geometry, geometry, &mut self.direction, &mut self.workspace)?;
        let parts = self.direction.as_ref().iter().zip(self.squares.as_ref());
        let length = parts.map(|(u, square)| u * u * square).sum::<f64>().sqrt();
        for u in self.direction.as_mut() {
            *u /= length;
        }
        Ok(())
    }

    /// The diagonal of `B M^-1 B^T` at the second geometry.
    fn find_squares(&mut self, system: &S) {
        let unit = &mut self.direction;
        unit.as_mut().fill(0.0);
        for k in 0..self.squares.as_ref().len() {
            unit.as_mut()[k] = 1.0;
            let push = &mut self.pushes[0];
            system.jacobian_transpose_times(&self.geometries[1], unit, push);
            system.mass_solve(push, &mut self.motion);
            self.squares.as_mut()[k] = dot(push, &self.motion);
            unit.as_mut()[k] = 0.0;
        }
    }

    /// The push of the direction at one of the geometries.
    fn find_push(&mut self, system: &S, end: usize) {
        let (geometry, push) = (&self.geometries[end], &mut self.pushes[end]);
        system.jacobian_transpose_times(geometry, &self.direction, push);
    }

    /// The smallest relative pivot of a configuration, by two inverse iterations.
    fn smallest_pivot(&mut self, system: &S, t: f64, q: &S::Config) -> Result<f64, Fault> {
        system.geometry(t, q, &mut self.geometries[1])?;
        self.find_squares(system);
        self.iterate(system)?;
        self.solve(system, 1)?;
        self.find_push(system, 1);
        system.mass_solve(&self.pushes[1], &mut self.motion);
        Ok(dot(&self.pushes[1], &self.motion))
    }

    /// Whether every row of `B` changes by less than its length in the step. Otherwise the step is so
    /// large that what is between its ends cannot be told from them.
    fn is_followed(&mut self, system: &S) -> bool {
        let unit = &mut self.direction;
        unit.as_mut().fill(0.0);
        for k in 0..self.squares.as_ref().len() {
            unit.as_mut()[k] = 1.0;
            for (geometry, push) in self.geometries.iter().zip(&mut self.pushes) {
                system.jacobian_transpose_times(geometry, unit, push);
            }
            unit.as_mut()[k] = 0.0;
            let [before, after] = &mut self.pushes;
            for (before, after) in before.as_mut().iter_mut().zip(after.as_ref()) {
                *before -= after;
            }
            system.mass_solve(before, &mut self.motion);
            if dot(before, &self.motion) >= self.squares.as_ref()[k] {
                return false;
            }
        }
        true
    }

    /// Compares the pushes at both ends of a step; pivots below `near` are small. Returns the smaller
    /// pivot, too.
    fn compare(
        &mut self,
        system: &S,
        from: &State<S>,
        to: &State<S>,
        near: f64,
    ) -> Result<(f64, Option<Sighting>), Fault> {
        for end in 0..2 {
            self.solve(system, end)?;
            self.find_push(system, end);
        }
        let [before, after] = &self.pushes;
        system.mass_solve(after, &mut self.motion);
        let a11 = dot(after, &self.motion);
        let a01 = dot(before, &self.motion);
        system.mass_solve(before, &mut self.motion);
        let a00 = dot(before, &self.motion);
        let change = a00 - 2.0 * a01 + a11;
        let x = (a00 - a01) / change;
        let pivot = a00.min(a11);
        let closest = a00 - x * (a00 - a01);
        let is_bend = if x > 1.0 {
            closest > 0.1 * a11
        } else {
            change < SAME * pivot
        };
        if !(pivot < near && (0.0..AHEAD).contains(&x)) || is_bend {
            return Ok((pivot, None));
        }
        let parts = self.direction.as_ref().iter().zip(self.squares.as_ref());
        let parts = parts.map(|(u, square)| u * u * square).enumerate();
        let (row, _) = parts.fold(
            (0, 0.0),
            |most, (row, part)| {
                if part > most.1 { (row, part) } else { most }
            },
        );
        let sighting = Sighting {
            t: from.t + x * (to.t - from.t),
            pivot,
            row,
            straight: a01 < STRAIGHT * (a00 * a11).sqrt(),
        };
        Ok((pivot, Some(sighting)))
    }
}

fn dot(x: &impl AsRef<[f64]>, y: &impl AsRef<[f64]>) -> f64 {
    x.as_ref().iter().zip(y.as_ref()).map(|(x, y)| x * y).sum()
}
