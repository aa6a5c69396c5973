//! Straight on through a singular position.
//!
//! On its way the motion is smooth, and the position is passed in no time. But close to it a method
//! sees a matrix of rounding errors: the rows of `B` have the size `s` of the distance, the stages
//! of a step are off the constraints by some `d`, so their directions are wrong by `d / s`, and
//! where `s^2` is no longer above `|Phi|` the other branch cannot be told from this one. So no stage
//! comes close. Once the position is in sight, the state is brought back to the constraints, and
//! from there on no step is longer than two thirds of the way. The polynomial of dense output
//! through both ends of this approach is followed to the other side, as far beyond the position as
//! the approach ended before it. There the constraints are independent again, and say how far the
//! motion missed them. The accelerations there are
//! compared with those of the polynomial, as far as the constraints leave them free. Its error is `E (s^2 - s)^3`, with `0 <= s <= 1` on the
//! approach, so
//! the difference of accelerations gives that of velocities.

use crate::consistency;
use crate::dense::Dense;
use crate::error::SolveError;
use crate::norm::largest;
use crate::state::State;
use crate::system::Constrained;
use crate::watch::Sighting;

/// Part of the way to the position that a step takes.
const STEP: f64 = 2.0 / 3.0;
/// How far the polynomial is followed, in lengths of the way to it.
const FARTHEST: f64 = 1.25;
/// Part of the tolerance that a passage may take.
const SHARE: f64 = 0.1;
/// Residuals of positions that count as zero, relative to the largest coordinate.
const ROUNDING: f64 = 1e-12;
/// Most attempts of steps of an approach.
const MOST_ATTEMPTS: u32 = 60;

/// The way to a singular position.
pub(crate) struct Approach<S: Constrained> {
    pub(crate) sighting: Sighting,
    /// The smallest pivot that was seen.
    pub(crate) pivot: f64,
    /// Where it begins, on the constraints.
    pub(crate) before: State<S>,
    pub(crate) attempts: u32,
    /// Why it is not passed yet.
    pub(crate) obstacle: String,
}

impl<S: Constrained> Approach<S> {
    pub(crate) fn new(sighting: Sighting, before: State<S>) -> Self {
        Self {
            sighting,
            pivot: sighting.pivot,
            attempts: 0,
            before,
            obstacle: "no step ends close enough to it".to_owned(),
        }
    }

    /// Takes over what was seen at a step of it.
    pub(crate) fn see(&mut self, sighting: Sighting) {
        self.sighting = sighting;
        self.pivot = self.pivot.min(sighting.pivot);
    }

    /// The error of a position that is not passed.
    #[cold]
    pub(crate) fn not_passed(&self, system: &S, reason: String) -> SolveError {
        SolveError::SingularPosition {
            t: self.sighting.t,
            constraint: system.constraint_name(self.sighting.row),
            pivot: self.pivot,
            reason,
        }
    }

    /// Largest step from a time on.
    pub(crate) fn step(&self, t: f64) -> f64 {
        STEP * (self.sighting.t - t)
    }

    pub(crate) fn is_too_long(&self) -> bool {
        self.attempts > MOST_ATTEMPTS
    }

    /// Where the polynomial of the last step arrives, if it may be followed so far.
    pub(crate) fn landing(&self, t: f64) -> Option<f64> {
        let way = 2.0 * (self.sighting.t - t);
        (way > 0.0 && way <= FARTHEST * (t - self.before.t)).then_some(t + way)
    }
}

/// Goes to the other side. Gives the reason if the motion does not fit there.
pub(crate) fn land<S: Constrained>(
    system: &S,
    dense: &mut Dense<S>,
    (before, last): (&State<S>, &State<S>),
    tolerances: (f64, f64),
    landed: &mut State<S>,
) -> Result<(), String> {
    let (absolute, relative) = tolerances;
    dense.fit(system, before, last);
    dense.place(system, landed.t, landed);
    let mut acceleration = system.new_velocity();
    dense.acceleration(system, landed.t, &landed.v, &mut acceleration);
    settle(system, landed, tolerances)?;
    dense
        .solve_accelerations(system, landed)
        .map_err(|error| format!("beyond it, {error}"))?;

    let h = last.t - before.t;
    let s = (landed.t - before.t) / h;
    let u = s * s - s;
    let rate = 3.0 * u * u * (2.0 * s - 1.0);
    let second = 6.0 * u * ((2.0 * s - 1.0).powi(2) + u);
    let (mut squares, mut count) = (0.0, 0.0);
    for (found, difference) in landed.vdot.as_ref().iter().zip(acceleration.as_mut()) {
        *difference -= found;
    }
    consistency::remove_violation(system, landed, &mut acceleration)
        .map_err(|fault| format!("beyond it, {fault}"))?;
    for (difference, v) in acceleration.as_ref().iter().zip(landed.v.as_ref()) {
        let error = h * rate / second * difference;
        squares += (error / (absolute + relative * v.abs())).powi(2);
        count += 1.0;
    }
    let error = f64::sqrt(squares / f64::max(count, 1.0));
    if error <= SHARE {
        Ok(())
    } else {
        Err(format!(
            "straight on, the velocity would be wrong by {error:.1e} times the tolerance"
        ))
    }
}

/// Brings a state back to the constraints. Gives the reason if it is too far from them: the change
/// of the velocity is normal to the motion, so its square must be within the tolerance.
pub(crate) fn settle<S: Constrained>(
    system: &S,
    state: &mut State<S>,
    (absolute, relative): (f64, f64),
) -> Result<(), String> {
    let size = largest(state.q.as_ref()).max(1.0);
    let fastest = largest(state.v.as_ref());
    let settled =
        consistency::project(system, state, ROUNDING * size).map_err(|error| error.to_string())?;
    if settled.velocity_change.powi(2) <= (absolute + relative * fastest) * fastest {
        return Ok(());
    }
    Err(format!(
        "at t = {:.6} the steps had left the constraints by {:.1e}, and to come back to them changes \
         the velocity by {:.1e}",
        state.t, settled.position_residual, settled.velocity_change
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::half_explicit::HalfExplicit;
    use crate::pendulum::Pendulum;
    use crate::stepper::Method;

    /// On the way to a position at `t = 5` that begins at `t = 1`.
    #[test]
    fn steps_of_an_approach_end_before_the_position() {
        let sighting = Sighting {
            t: 5.0,
            pivot: 1e-3,
            row: 0,
            straight: true,
        };
        let before = State::start(&Pendulum::new(0.2), 1.0);
        let mut approach = Approach::new(sighting, before);
        assert!((approach.step(2.0) - 2.0).abs() < 1e-15);
        // As far beyond it as before it, at most 1.25 of the way so far.
        assert_eq!(approach.landing(3.5), Some(6.5));
        assert_eq!(approach.landing(3.4), None);
        assert_eq!(approach.landing(5.5), None);
        let is_too_long = [MOST_ATTEMPTS, MOST_ATTEMPTS + 1].map(|attempts| {
            approach.attempts = attempts;
            approach.is_too_long()
        });
        assert_eq!(is_too_long, [false, true]);
    }

    /// What the estimate from the accelerations says of the velocity beyond an approach is how wrong
    /// it is, within a tenth.
    #[test]
    fn the_error_beyond_the_position_is_estimated() -> Result<(), SolveError> {
        let system = Pendulum::new(0.2);
        let at = |t: f64| {
            let run = HalfExplicit::order5().simulate(&system, 0.0..=t).step(1e-3);
            let run = run.run().map_err(|failed| failed.error)?;
            Ok(run.last().clone())
        };
        let (before, last) = (at(0.2)?, at(0.25)?);
        for way in [2.0, 2.1, 2.25] {
            let exact = at(0.2 + 0.05 * way)?;
            let landed = |tolerances: (f64, f64)| {
                let mut landed = last.clone();
                landed.t = exact.t;
                let mut dense = Dense::new(&system);
                let found = land(
                    &system,
                    &mut dense,
                    (&before, &last),
                    tolerances,
                    &mut landed,
                );
                (found.is_ok(), landed.v)
            };
            let v = landed((1.0, 0.0)).1;
            let size = |scale: [f64; 2]| {
                let error = [0, 1].map(|i| (v[i] - exact.v[i]) / scale[i]);
                f64::midpoint(error[0].powi(2), error[1].powi(2)).sqrt() / SHARE
            };
            let (absolute, relative) = (size([1.0; 2]), size(v));
            assert!(landed((1.1 * absolute, 0.0)).0 && !landed((0.9 * absolute, 0.0)).0);
            assert!(landed((0.0, 1.1 * relative)).0 && !landed((0.0, 0.9 * relative)).0);
        }
        Ok(())
    }

    /// The square of a velocity along the rod, beside one of 2 across it.
    #[test]
    fn a_state_far_from_the_constraints_is_not_brought_back() {
        let system = Pendulum::new(0.0);
        let settled = |along: f64, tolerances: (f64, f64)| {
            let mut state = State::start(&system, 0.0);
            state.v = [2.0, along];
            settle(&system, &mut state, tolerances).is_ok()
        };
        for (absolute, relative, limit) in
            [(1e-6, 0.0, 2e-6), (0.0, 1e-6, 4e-6), (1e-6, 1e-6, 6e-6)]
        {
            let along = f64::sqrt(limit);
            assert!(settled(0.99 * along, (absolute, relative)));
            assert!(!settled(1.01 * along, (absolute, relative)));
        }
    }
}
