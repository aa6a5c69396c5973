//! At which times a run stores its state.

use crate::error::SolveError;

/// What a run stores.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Output {
    /// The start and the end of every step.
    #[default]
    EveryStep,
    /// These times, by dense output.
    At(Vec<f64>),
    /// The start, multiples of this interval after it by dense output, and the end.
    Every(f64),
    /// The end.
    EndOnly,
}

/// The output times that are still to come, the next one last.
#[derive(Clone, Debug)]
pub(crate) struct Pending(Vec<f64>);

impl Pending {
    pub(crate) fn new(output: &Output, start: f64, end: f64) -> Result<Self, SolveError> {
        let mut times = match output {
            Output::EveryStep | Output::EndOnly => Vec::new(),
            Output::At(times) => times.clone(),
            &Output::Every(interval) => multiples(interval, start, end)?,
        };
        times.sort_by(|a, b| b.total_cmp(a));
        match times.iter().find(|time| !(start..=end).contains(*time)) {
            None => Ok(Self(times)),
            Some(&value) => Err(SolveError::InvalidOption {
                option: "output time",
                value,
                expected: "a time within the span of the run",
            }),
        }
    }

    /// The next time, removed, if it is not after `t`.
    pub(crate) fn next_until(&mut self, t: f64) -> Option<f64> {
        self.0.pop_if(|next| *next <= t)
    }

    /// True if a time up to `t` is left.
    pub(crate) fn has_until(&self, t: f64) -> bool {
        self.0.last().is_some_and(|&next| next <= t)
    }
}

fn multiples(interval: f64, start: f64, end: f64) -> Result<Vec<f64>, SolveError> {
    const LIMIT: f64 = 1e9;
    let count = (end - start) / interval;
    if !(interval > 0.0 && count < LIMIT) {
        return Err(SolveError::InvalidOption {
            option: "output interval",
            value: interval,
            expected: "a positive number that gives fewer than 1e9 points",
        });
    }
    let mut times = vec![start];
    let mut k = 1.0;
    // The last multiple may be the end but for rounding.
    let rounding = 1e-12 * (end - start) + 4.0 * f64::EPSILON * start.abs().max(end.abs());
    while start + k * interval < end - rounding {
        times.push(start + k * interval);
        k += 1.0;
    }
    if end > start {
        times.push(end);
    }
    Ok(times)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn multiples_do_not_drift_and_contain_the_ends() -> Result<(), SolveError> {
        assert_eq!(multiples(0.1, 0.0, 1.0)?.len(), 11);
        assert_eq!(multiples(0.7, 0.0, 2.1)?, [0.0, 0.7, 1.4, 2.1]);
        assert_eq!(multiples(0.4, 0.0, 1.0)?, [0.0, 0.4, 0.8, 1.0]);
        assert_eq!(multiples(0.4, 1.0, 1.0)?, [1.0]);
        let late = multiples(1e-4, 1.7e9, 1.7e9 + 1e-3)?;
        assert_eq!((late.len(), late[10]), (11, 1.7e9 + 1e-3));
        // Ends that are sums of intervals, or written with twelve digits.
        let end = (0..5).fold(1.7e9, |t, _| t + 2e-4);
        assert_eq!(multiples(2e-4, 1.7e9, end)?.len(), 6);
        assert_eq!(multiples(3.333_333_333_333, 0.0, 10.0)?.len(), 4);
        for bad in [0.0, -1.0, f64::NAN, 1e-300] {
            assert!(multiples(bad, 0.0, 1.0).is_err(), "{bad}");
        }
        Ok(())
    }

    #[test]
    fn times_are_sorted_and_must_be_in_the_span() -> Result<(), SolveError> {
        let mut pending = Pending::new(&Output::At(vec![0.5, 0.2]), 0.0, 1.0)?;
        assert_eq!(pending.next_until(0.3), Some(0.2));
        assert_eq!(pending.next_until(0.3), None);
        assert!(pending.has_until(0.5) && !pending.has_until(0.4));
        for bad in [-0.1, 1.1, f64::NAN] {
            assert!(Pending::new(&Output::At(vec![bad]), 0.0, 1.0).is_err());
        }
        Ok(())
    }
}
