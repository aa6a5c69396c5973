//! How a command can fail, and what the process says then.

use std::io::{self, Write};
use std::process::ExitCode;

use polhode::error::SolveError;

use crate::text::visible;

/// Why a command did not do what was asked.
#[derive(Debug)]
pub(crate) enum Failure {
    /// What was asked makes no sense or cannot be written: exit code 2.
    Usage(String),
    /// The simulation failed: exit code 1.
    Simulation(String),
    /// Standard output cannot be written.
    Output(io::Error),
}

impl Failure {
    /// A solver's error: options that can never work are wrong usage.
    pub(crate) fn solve(context: &str, error: &SolveError) -> Self {
        let message = format!("{context}: {error}");
        match error {
            SolveError::InvalidOption { .. }
            | SolveError::InvalidStep { .. }
            | SolveError::InvalidSpan { .. } => Self::Usage(message),
            _ => Self::Simulation(message),
        }
    }

    /// Says first what it is about.
    pub(crate) fn about(self, subject: &str) -> Self {
        match self {
            Self::Usage(text) => Self::Usage(format!("{subject}: {text}")),
            Self::Simulation(text) => Self::Simulation(format!("{subject}: {text}")),
            output @ Self::Output(_) => output,
        }
    }

    /// Adds a remark.
    pub(crate) fn and(self, remark: &str) -> Self {
        match self {
            Self::Usage(text) => Self::Usage(text + remark),
            Self::Simulation(text) => Self::Simulation(text + remark),
            output @ Self::Output(_) => output,
        }
    }

    /// One line on standard error, and the exit code.
    pub(crate) fn report(&self) -> ExitCode {
        let (text, code) = match self {
            Self::Usage(text) => (text.clone(), 2),
            Self::Simulation(text) => (text.clone(), 1),
            // The reader has left: it knows, so nothing is said.
            Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                return ExitCode::from(141);
            }
            Self::Output(error) => (format!("cannot write to standard output: {error}"), 2),
        };
        // If standard error is gone too, the exit code is all that is left.
        let line = visible(&text.replace('\n', " "));
        let _ = writeln!(io::stderr(), "error: {line}");
        ExitCode::from(code)
    }
}

/// The name that is most alike, if any is alike at all.
pub(crate) fn nearest<'a>(wanted: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let wanted = wanted.to_lowercase();
    names
        .map(|name| (strsim::levenshtein(&wanted, &name.to_lowercase()), name))
        .min()
        .filter(|(edits, name)| *edits <= name.len().div_ceil(2))
        .map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_found_unless_nothing_is_near() {
        let names = || ["heavy-top", "pendulum"].into_iter();
        assert_eq!(nearest("heavytop", names()), Some("heavy-top"));
        assert_eq!(nearest("Pendelum", names()), Some("pendulum"));
        assert_eq!(nearest("xyzzy", names()), None);
    }
}
