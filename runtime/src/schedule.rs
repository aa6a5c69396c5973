//! Where steps must end.
//!
//! Fixed steps end on the grid `start + n h`, computed as such and not by
//! summation, and at the end of the span. All steps end at the given stop times.
//! A time closer to another one than rounding can tell is the same time, and the run ends exactly
//! at the end of the span. So a step must be much longer than the distance of neighbouring numbers.

use crate::error::SolveError;

/// The ends of steps that are not free.
#[derive(Clone, Debug)]
pub(crate) struct Schedule {
    start: f64,
    end: f64,
    /// Grid of fixed steps: size, number of steps, index of the next point.
    grid: Option<(f64, f64, f64)>,
    /// Stop times, the next one last.
    stops: Vec<f64>,
}

/// How far two times of this size may be apart and still be the same.
fn rounding(t: f64) -> f64 {
    4.0 * f64::EPSILON * t
}

/// The smallest step that times of this size resolve.
pub(crate) fn smallest_step(t: f64) -> f64 {
    16.0 * f64::EPSILON * t.abs()
}

/// A step that is about to be tried.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Planned {
    /// Its size.
    pub(crate) h: f64,
    /// Where it ends, if that is prescribed.
    pub(crate) target: Option<f64>,
}

impl Schedule {
    /// With a fixed step size, or none.
    pub(crate) fn new(
        start: f64,
        end: f64,
        fixed: Option<f64>,
        stops: &[f64],
    ) -> Result<Self, SolveError> {
        if let Some(&value) = stops.iter().find(|time| !time.is_finite()) {
            return Err(SolveError::InvalidOption {
                option: "stop_at",
                value,
                expected: "finite times",
            });
        }
        let span = end - start;
        let h = fixed.map_or(span, |h| h.min(span));
        if span > 0.0 && h < smallest_step(start.abs().max(end.abs())) {
            return Err(SolveError::NoProgress { t: start, h });
        }
        let mut stops: Vec<f64> = stops.to_vec();
        stops.sort_by(|a, b| b.total_cmp(a));
        let grid = fixed.map(|h| {
            let steps = span / h;
            let whole = steps.round();
            let rounding = 1e-12 * steps + rounding(start.abs().max(end.abs())) / h;
            let divides = (steps - whole).abs() <= rounding;
            (h, if divides { whole } else { steps.ceil() }, 1.0)
        });
        let mut schedule = Self {
            start,
            end,
            grid,
            stops,
        };
        schedule.pass(start);
        Ok(schedule)
    }

    fn rounding(&self, t: f64) -> f64 {
        rounding(t.abs().max(self.start.abs()).max(self.end.abs()))
    }

    fn grid_point(&self) -> f64 {
        match self.grid {
            Some((h, count, next)) if next < count => self.start + next * h,
            _ => self.end,
        }
    }

    /// True at the end of the span.
    pub(crate) fn is_over(&self, t: f64) -> bool {
        t >= self.end
    }

    /// Cuts a step of size `h` from `t` to the next prescribed time.
    pub(crate) fn plan(&self, t: f64, h: f64) -> Planned {
        let grid = self.grid_point();
        let target = match self.stops.last() {
            Some(&stop) if stop < grid - self.rounding(grid) => stop,
            _ => grid,
        };
        let distance = target - t;
        let rounding = self.rounding(target) + 1e-12 * h;
        if h < distance - rounding {
            return Planned { h, target: None };
        }
        // The same number step after step, where only rounding makes a difference.
        let h = if h <= distance + rounding {
            h
        } else {
            distance
        };
        Planned {
            h,
            target: Some(target),
        }
    }

    /// The next time at which a step must end, other than a point of the grid.
    pub(crate) fn next_stop(&self) -> f64 {
        self.stops
            .last()
            .map_or(self.end, |stop| stop.min(self.end))
    }

    /// Drops all prescribed times up to `t`.
    pub(crate) fn pass(&mut self, t: f64) {
        let reached = t + self.rounding(t);
        while self.stops.last().is_some_and(|&stop| stop <= reached) {
            self.stops.pop();
        }
        if let Some((h, count, next)) = &mut self.grid {
            while *next < *count && self.start + *next * *h <= reached {
                *next += 1.0;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ends(start: f64, end: f64, h: f64, stops: &[f64]) -> Result<Vec<(f64, f64)>, SolveError> {
        let mut schedule = Schedule::new(start, end, Some(h), stops)?;
        let (mut t, mut steps) = (start, Vec::new());
        while !schedule.is_over(t) && steps.len() < 100_000 {
            let step = schedule.plan(t, h);
            t = step.target.unwrap_or(t + step.h);
            schedule.pass(t);
            steps.push((t, step.h));
        }
        Ok(steps)
    }

    #[test]
    fn a_step_that_divides_the_span_is_never_changed() -> Result<(), SolveError> {
        for (h, count) in [(0.1, 10), (1.0 / 3.0, 3), (1e-4, 10_000), (1.0, 1)] {
            let steps = ends(0.0, 1.0, h, &[])?;
            assert_eq!(steps.len(), count);
            assert!(steps.iter().all(|step| step.1.to_bits() == h.to_bits()));
            assert!(
                steps
                    .last()
                    .is_some_and(|step| step.0.to_bits() == 1f64.to_bits())
            );
        }
        Ok(())
    }

    #[test]
    fn a_late_run_ends_exactly_at_its_end() -> Result<(), SolveError> {
        let start = 1.7e9;
        for (end, count) in [(start + 1e-3, 10), (start + 1.0, 10_000)] {
            let steps = ends(start, end, 1e-4, &[])?;
            assert_eq!(steps.len(), count);
            assert!(
                steps
                    .iter()
                    .all(|step| step.1.to_bits() == 1e-4_f64.to_bits())
            );
            assert_eq!(steps.last().map(|step| step.0), Some(end));
        }
        for (start, end, h) in [(1e16, 1e16 + 10.0, 1.0), (1.7e9, 1.7e9 + 1.0, 1e-6)] {
            let refused = ends(start, end, h, &[]);
            assert!(matches!(refused, Err(SolveError::NoProgress { .. })));
        }
        Ok(())
    }

    #[test]
    fn otherwise_the_last_step_is_shorter() -> Result<(), SolveError> {
        let steps = ends(0.0, 1.0, 0.3, &[])?;
        assert_eq!(steps.len(), 4);
        assert!((steps[3].1 - 0.1).abs() < 1e-15);
        assert_eq!(ends(2.0, 2.0, 0.3, &[])?.len(), 0);
        // A stop that rounding puts behind the end is the end.
        let steps = ends(0.0, 0.3, 0.1, &[0.1 + 0.2])?;
        assert_eq!(steps.last().map(|step| step.0), Some(0.3));
        Ok(())
    }

    #[test]
    fn stops_cut_steps_and_the_grid_goes_on() -> Result<(), SolveError> {
        let times: Vec<f64> = ends(0.0, 1.0, 0.25, &[0.6, 0.5, -1.0, 2.0, 0.1])?
            .iter()
            .map(|step| step.0)
            .collect();
        assert_eq!(times, [0.1, 0.25, 0.5, 0.6, 0.75, 1.0]);
        // However little is cut off.
        let stop = 1e-4 - 1e-10;
        assert_eq!(ends(0.0, 1.0, 1e-4, &[stop])?[0], (stop, stop));
        assert!(ends(0.0, 1.0, 0.25, &[f64::NAN]).is_err());
        // Without a grid the end is one of them.
        let mut schedule = Schedule::new(0.0, 1.0, None, &[2.0, 0.5])?;
        assert_eq!(schedule.next_stop(), 0.5);
        schedule.pass(0.5);
        assert_eq!(schedule.next_stop(), 1.0);
        Ok(())
    }
}
