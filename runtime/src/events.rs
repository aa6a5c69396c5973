//! Events: times at which a function of the state changes its sign.
//!
//! The function is evaluated at the end of every step; a change of sign brackets
//! a root, which is then found on the dense output. Two roots within one step
//! cancel and are not seen: choose steps shorter than the distance of roots.
//!
//! Roots are found by the ITP method, interpolation with a projection that never
//! needs many more evaluations than bisection: I. F. D. Oliveira,
//! R. H. C. Takahashi, ACM Trans. Math. Softw. 47 (2020), doi 10.1145/3423597.

use crate::state::State;
use crate::system::Constrained;

/// Which changes of sign count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Direction {
    /// Every one.
    #[default]
    Any,
    /// From negative to positive.
    Rising,
    /// From positive to negative.
    Falling,
}

impl Direction {
    /// True if a change from `before` to `after` counts. A zero belongs to the
    /// step that ends with it.
    pub fn sees(self, before: f64, after: f64) -> bool {
        let rises = before < 0.0 && after >= 0.0;
        let falls = before > 0.0 && after <= 0.0;
        match self {
            Self::Any => rises || falls,
            Self::Rising => rises,
            Self::Falling => falls,
        }
    }
}

type Function<'a, S> = Box<dyn FnMut(&State<S>) -> f64 + 'a>;

/// A scalar function of the state whose sign is watched.
///
/// Its argument has the accelerations and multipliers of the acceleration-level
/// system. NaN has no sign and is no event.
pub struct Event<'a, S: Constrained> {
    function: Function<'a, S>,
    pub(crate) direction: Direction,
    pub(crate) terminal: bool,
    pub(crate) tolerance: f64,
}

impl<'a, S: Constrained> Event<'a, S> {
    /// Records every change of sign of the function.
    pub fn new(function: impl FnMut(&State<S>) -> f64 + 'a) -> Self {
        Self {
            function: Box::new(function),
            direction: Direction::Any,
            terminal: false,
            tolerance: 0.0,
        }
    }

    /// Restricts the event to one direction.
    #[must_use]
    pub fn direction(mut self, direction: Direction) -> Self {
        self.direction = direction;
        self
    }

    /// Ends the run at the event.
    #[must_use]
    pub fn terminal(mut self) -> Self {
        self.terminal = true;
        self
    }

    /// Stops the search when the root is bracketed this closely in time;
    /// otherwise rounding ends it.
    #[must_use]
    pub fn tolerance(mut self, tolerance: f64) -> Self {
        self.tolerance = tolerance;
        self
    }

    pub(crate) fn value(&mut self, state: &State<S>) -> f64 {
        (self.function)(state)
    }
}

impl<S: Constrained> core::fmt::Debug for Event<'_, S> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Event")
            .field("direction", &self.direction)
            .field("terminal", &self.terminal)
            .field("tolerance", &self.tolerance)
            .finish_non_exhaustive()
    }
}

/// An event that happened.
pub struct EventRecord<S: Constrained> {
    /// Which event, in the order in which they were given.
    pub index: usize,
    /// The state just behind the change of sign.
    pub state: State<S>,
}

impl<S: Constrained> core::fmt::Debug for EventRecord<S> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("EventRecord")
            .field("index", &self.index)
            .field("state", &self.state)
            .finish()
    }
}

/// An interval with a change of sign and the values at its ends.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bracket {
    pub(crate) a: f64,
    pub(crate) b: f64,
    pub(crate) at_a: f64,
    pub(crate) at_b: f64,
}

/// The end of the interval behind the root, closer to it than `tolerance`.
pub(crate) fn root<E>(
    bracket: Bracket,
    tolerance: f64,
    mut function: impl FnMut(f64) -> Result<f64, E>,
) -> Result<f64, E> {
    let Bracket {
        mut a,
        mut b,
        at_a,
        at_b,
    } = bracket;
    let sign = at_b.signum();
    let (mut below, mut above) = (sign * at_a, sign * at_b);
    if above <= 0.0 {
        return Ok(b);
    }
    let rounding = 2.0 * f64::EPSILON * a.abs().max(b.abs());
    let half_width = (tolerance / 2.0).max(rounding);
    let kappa = 0.2 / (b - a);
    // The radius in which interpolation is trusted: bisection with one spare evaluation.
    let mut radius = b - a;
    while b - a > 2.0 * half_width {
        let middle = f64::midpoint(a, b);
        let interpolated = (above * a - below * b) / (above - below);
        let towards = (middle - interpolated).signum();
        let truncation = (kappa * (b - a).powi(2)).min((middle - interpolated).abs());
        let truncated = interpolated + towards * truncation;
        let trusted = (radius - (b - a) / 2.0).max(0.0);
        let x = if (truncated - middle).abs() <= trusted {
            truncated
        } else {
            middle - towards * trusted
        };
        // Keeps away from the ends, where nothing can be learned.
        let x = x.clamp(a + half_width, b - half_width);
        // Infinite values cannot be interpolated.
        let x = if x.is_finite() { x } else { middle };
        let value = sign * function(x)?;
        if value > 0.0 {
            (b, above) = (x, value);
        } else if value < 0.0 {
            (a, below) = (x, value);
        } else {
            return Ok(x);
        }
        radius /= 2.0;
    }
    Ok(b)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pendulum::Pendulum;

    fn find(function: impl Fn(f64) -> f64, a: f64, b: f64, tolerance: f64) -> (f64, u32) {
        let bracket = Bracket {
            a,
            b,
            at_a: function(a),
            at_b: function(b),
        };
        let mut evaluations = 0;
        let root = root::<()>(bracket, tolerance, |x| {
            evaluations += 1;
            Ok(function(x))
        });
        (root.unwrap_or(f64::NAN), evaluations)
    }

    #[test]
    fn roots_are_found_to_rounding_in_few_evaluations() {
        let (x, evaluations) = find(|x| x.cos() - x, 0.0, 1.0, 0.0);
        assert!((x - 0.739_085_133_215_160_7).abs() < 1e-15, "{x}");
        assert!(evaluations <= 12, "{evaluations}");
    }

    /// Interpolation on an interval that is neither of length one nor around zero; and functions
    /// of which only the sign says something: bisection with one evaluation more.
    #[test]
    fn evaluations_are_those_of_the_method() {
        let cube = |x: f64| x * x * x - 80.0;
        let steep = |x: f64| (x - 3.1).signum() * 1e-300_f64.max((x - 3.1).powi(9));
        let jump = |x: f64| if x < 5.3 { -2.0 } else { 7.0 };
        let counts = [
            find(cube, 3.0, 11.0, 1e-6).1,
            find(|x| -cube(x), 3.0, 11.0, 1e-6).1,
            find(steep, 3.0, 11.0, 8e-9).1,
            find(jump, 3.0, 11.0, 8.0 / 1024.0).1,
        ];
        assert_eq!(counts, [8, 8, 31, 11]);
    }

    #[test]
    fn the_returned_side_is_behind_the_root() {
        for function in [
            |x: f64| x - 0.3,
            |x: f64| 0.3 - x,
            |x: f64| (x - 0.3).cbrt(),
        ] {
            let (x, _) = find(function, 0.0, 1.0, 1e-6);
            assert!((0.3..=0.3 + 1e-6).contains(&x), "{x}");
        }
        // An interval of less than two tolerances is not small enough.
        let (x, _) = find(|x| x - 0.3, 0.3 - 1e-8, 0.3 + 1.4e-6, 1e-6);
        assert!((0.3..=0.3 + 1e-6).contains(&x), "{x}");
    }

    #[test]
    fn a_steep_function_costs_little_more_than_bisection() {
        let (x, evaluations) = find(
            |x| (x - 0.1).signum() * 1e-300_f64.max((x - 0.1).powi(9)),
            0.0,
            1.0,
            1e-9,
        );
        assert!((x - 0.1).abs() <= 1e-9, "{x}");
        assert!(evaluations <= 34, "{evaluations}");
    }

    #[test]
    fn a_zero_counts_once() {
        assert!(Direction::Any.sees(-1.0, 0.0));
        assert!(!Direction::Any.sees(0.0, 1.0) && !Direction::Any.sees(0.0, -1.0));
        assert!(!Direction::Rising.sees(1.0, -1.0));
        assert!(Direction::Falling.sees(1.0, -1.0));
        assert!(!Direction::Any.sees(f64::NAN, 1.0));
    }

    #[test]
    fn debug_shows_what_was_asked_for_and_what_happened() {
        let event = Event::<Pendulum>::new(|_| 0.0).terminal().tolerance(0.5);
        let text = format!("{event:?}");
        assert!(text.contains("terminal: true, tolerance: 0.5"), "{text}");
        let state = State::start(&Pendulum::new(0.2), 0.25);
        let text = format!("{:?}", EventRecord { index: 3, state });
        assert!(
            text.contains("index: 3") && text.contains("t: 0.25"),
            "{text}"
        );
    }
}
