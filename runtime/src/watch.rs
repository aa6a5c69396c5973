//! Looks for singular positions: where the rows of `B` become linearly dependent.
//!
//! With a direction `u` in which they do, `u^T B` vanishes there, and along a motion through that
//! position it changes its sign. The multipliers have a part `u F / s` before it, `s` the
//! distance and `F` the force that holds the mechanism on its way. So a multiplier that changes by
//! its own size within a step is a sign that costs two comparisons. Where no force holds the
//! mechanism, a step that fails or shrinks, or a velocity that is further from what accelerations
//! give than in the step before is the sign. Only then `u` is found at both ends of the step, by
//! inverse iteration from the same vector, and the pushes `beta = B^T u` are compared, in the metric
//! of `M^-1`:
//!
//! ```text
//! beta(x) = beta_0 + x (beta_1 - beta_0)      x = 0 and 1 at the ends of the step
//! x*      = -beta_0 . (beta_1 - beta_0) / |beta_1 - beta_0|^2
//! pivot   = |beta|^2          with u^T D u = 1, D the diagonal of B M^-1 B^T
//! ```
//!
//! A pivot that is small all the time is no such position: light bodies and closed chains have one. So
//! the push must turn round within the step: where both ends have about the same one, `x*` says nothing.
//!
//! Where the constraints are independent in every configuration nothing is looked for
//! ([`Constrained::may_be_singular`]).
//! Not seen is a passage that neither needs a force nor disturbs a step.

use crate::error::Fault;
use crate::norm::{magnitudes, sums};
use crate::state::State;
use crate::system::Constrained;

/// Multipliers that change by more than this part of their size are looked at.
const CHANGE: f64 = 0.3;
/// So are those that have grown by this factor since they were looked at.
const GROWTH: f64 = 4.0;
/// So are velocities whose distance to what accelerations give has grown by this factor since the step
/// before, and is larger than this part of the velocity.
const UNEXPECTED: (f64, f64) = (4.0, 1e-7);
/// Largest relative pivot beside a singular position.
const NEAR: f64 = 0.05;
/// Cosine of pushes at both ends of a step that have no such position between them.
const SAME: f64 = 0.5;
/// Part of the first pivot below which the second one is that of a step that ends at such a position,
/// where the push is rounding errors.
const ARRIVED: f64 = 1e-4;
/// How many steps ahead such a position is seen.
const AHEAD: f64 = 8.0;
/// Cosine of the pushes beside a singular position where the motion went straight on.
const STRAIGHT: f64 = -0.98;
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

/// Watches the steps of a run.
pub(crate) struct Watch<S: Constrained> {
    /// Size of the multipliers when they were looked at last.
    reference: f64,
    /// None in a system that is not looked at.
    probe: Option<Box<Probe<S>>>,
    /// How far velocities were from what accelerations give, in the last step and in this one.
    defects: [f64; 2],
}

impl<S: Constrained> Watch<S> {
    pub(crate) fn new(system: &S, start: &State<S>) -> Self {
        let few = system.constraint_count() <= MOST_ROWS;
        let looks = few && system.may_be_singular();
        Self {
            reference: magnitudes(start.lambda.as_ref()),
            probe: looks.then(|| Box::new(Probe::new(system, start))),
            defects: [f64::NAN; 2],
        }
    }

    /// Whether this system is looked at.
    #[inline]
    pub(crate) fn looks(&self) -> bool {
        self.probe.is_some()
    }

    /// Goes on from another state.
    pub(crate) fn restart(&mut self, state: &State<S>) {
        self.reference = magnitudes(state.lambda.as_ref());
        self.defects = [f64::NAN; 2];
    }

    /// Goes on from the end of the last step.
    #[inline]
    pub(crate) fn accept(&mut self) {
        self.defects[0] = self.defects[1];
    }

    /// Whether the velocity after a step is further from what accelerations give than before.
    #[inline]
    pub(crate) fn is_unexpected(&mut self, from: &State<S>, to: &State<S>) -> bool {
        let h = 0.5 * (to.t - from.t);
        let (a0, a1) = (from.vdot.as_ref(), to.vdot.as_ref());
        let defect = |k: usize, v0, v1| v1 - v0 - h * (a0[k] + a1[k]);
        let [size, defect] = sums(from.v.as_ref(), to.v.as_ref(), defect);
        let [before, now] = &mut self.defects;
        *now = defect;
        !(defect <= UNEXPECTED.0 * *before + UNEXPECTED.1 * size)
    }

    /// Looks at the step between two states if there is a reason: its multipliers, or another one.
    #[inline]
    pub(crate) fn look(
        &mut self,
        system: &S,
        (from, to): (&State<S>, &State<S>),
        reason: bool,
    ) -> Result<Option<Sighting>, Fault> {
        let (x, y) = (from.lambda.as_ref(), to.lambda.as_ref());
        let [size, change] = sums(x, y, |_, x, y| y - x);
        let grows = change > CHANGE * size || size > GROWTH * self.reference;
        if grows || size < self.reference / GROWTH {
            self.reference = size;
        }
        if !(reason || grows) {
            return Ok(None);
        }
        self.find(system, (from, to), reason)
    }

    #[cold]
    fn find(
        &mut self,
        system: &S,
        (from, to): (&State<S>, &State<S>),
        reason: bool,
    ) -> Result<Option<Sighting>, Fault> {
        let Some(probe) = &mut self.probe else {
            return Ok(None);
        };
        probe.start(system, from, to)?;
        if reason {
            probe.iterate(system)?;
        }
        probe.compare(system, from, to)
    }
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
    fn new(system: &S, start: &State<S>) -> Self {
        let mut probe = Self {
            geometries: [system.new_geometry(), system.new_geometry()],
            right: system.new_multiplier(),
            direction: system.new_multiplier(),
            squares: system.new_multiplier(),
            pushes: [system.new_velocity(), system.new_velocity()],
            motion: system.new_velocity(),
            workspace: system.new_workspace(),
        };
        // What a workspace allocates when it is first used is not to be allocated in a step.
        let [geometry, _] = &mut probe.geometries;
        if system.geometry(start.t, &start.q, geometry).is_ok() {
            let (right, workspace) = (&mut probe.direction, &mut probe.workspace);
            let _ = system.schur_solve(geometry, geometry, right, workspace);
        }
        probe
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
        self.solve_at(system, 1)?;
        let weighted = self.direction.as_ref().iter().zip(self.squares.as_ref());
        for (r, (u, square)) in self.right.as_mut().iter_mut().zip(weighted) {
            *r = square * u;
        }
        Ok(())
    }

    /// `u` of one of the geometries, or of the other if it is singular.
    fn solve_at(&mut self, system: &S, end: usize) -> Result<(), Fault> {
        let solved = self.solve(system, end);
        solved.or_else(|_| self.solve(system, 1 - end))
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

    /// Products of the pushes in the metric of `M^-1`.
    fn products(&mut self, system: &S) -> [f64; 3] {
        let [before, after] = &self.pushes;
        system.mass_solve(after, &mut self.motion);
        let (a11, a01) = (dot(after, &self.motion), dot(before, &self.motion));
        system.mass_solve(before, &mut self.motion);
        [dot(before, &self.motion), a01, a11]
    }

    /// Compares the pushes at both ends of a step.
    fn compare(
        &mut self,
        system: &S,
        from: &State<S>,
        to: &State<S>,
    ) -> Result<Option<Sighting>, Fault> {
        for end in 0..2 {
            self.solve_at(system, end)?;
            self.find_push(system, end);
        }
        let mut products = self.products(system);
        if products[2] < ARRIVED * products[0] {
            // Directions of a matrix of rounding errors depend on these.
            self.find_push(system, 0);
            products = self.products(system);
        }
        let [a00, a01, a11] = products;
        let x = (a00 - a01) / (a00 - 2.0 * a01 + a11);
        let pivot = a00.min(a11);
        let closest = a00 - x * (a00 - a01);
        let is_bend = if a11 < ARRIVED * a00 {
            false
        } else if x > 1.0 {
            closest > 0.1 * a11
        } else {
            a01 > SAME * (a00 * a11).sqrt()
        };
        if !(pivot < NEAR && (0.0..AHEAD).contains(&x)) || is_bend {
            return Ok(None);
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
        Ok(Some(sighting))
    }
}

fn dot(x: &impl AsRef<[f64]>, y: &impl AsRef<[f64]>) -> f64 {
    x.as_ref().iter().zip(y.as_ref()).map(|(x, y)| x * y).sum()
}

#[cfg(test)]
mod tests;
