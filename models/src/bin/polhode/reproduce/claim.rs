//! What a paper states, what this program finds, and the verdict.

use serde::Serialize;

use super::lab::Lab;
use crate::chart::Chart;
use crate::failure::Failure;

/// A source.
#[derive(Debug, Serialize)]
pub(crate) struct Paper {
    pub(crate) authors: &'static str,
    pub(crate) year: u16,
    pub(crate) place: &'static str,
}

/// A figure or table of a paper.
pub(crate) struct Claim {
    /// Number of the paper, and its figure or table.
    pub(crate) id: &'static str,
    pub(crate) paper: &'static Paper,
    /// What it shows.
    pub(crate) shows: &'static str,
    pub(crate) work: Work,
}

/// How a claim is examined.
pub(crate) enum Work {
    /// By computation.
    Compute(fn(&Lab) -> Result<Found, Failure>),
    /// By computation, but for these statements.
    InPart(fn(&Lab) -> Result<Found, Failure>, &'static [&'static str]),
    /// Not yet: what is missing.
    Missing(&'static str),
}

/// What was found out about a claim.
#[derive(Debug, Default)]
pub(crate) struct Found {
    pub(crate) checks: Vec<Check>,
    pub(crate) charts: Vec<Chart>,
}

/// One statement of a paper and what was computed instead of it.
#[derive(Debug, Serialize)]
pub(crate) struct Check {
    pub(crate) statement: String,
    pub(crate) paper: String,
    pub(crate) ours: String,
    pub(crate) holds: bool,
    /// What is true where the statement does not hold.
    pub(crate) instead: Option<String>,
}

/// The result for a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(crate) enum Verdict {
    /// Every statement of the figure or table holds.
    #[serde(rename = "reproduced")]
    Reproduced,
    /// What was checked holds, but not all was checked.
    #[serde(rename = "in part")]
    InPart,
    /// Some statement does not hold.
    #[serde(rename = "differs")]
    Differs,
    /// Not computed yet.
    #[serde(rename = "not yet")]
    NotYet,
}

impl Verdict {
    /// All of them.
    pub(crate) const ALL: [Self; 4] = [Self::Reproduced, Self::InPart, Self::Differs, Self::NotYet];

    /// In words.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Reproduced => "reproduced",
            Self::InPart => "in part",
            Self::Differs => "differs",
            Self::NotYet => "not yet",
        }
    }
}

impl Check {
    /// A statement that holds or not.
    pub(crate) fn new(statement: &str, paper: &str, ours: String, holds: bool) -> Self {
        Self {
            statement: statement.to_owned(),
            paper: paper.to_owned(),
            ours,
            holds,
            instead: None,
        }
    }

    /// A printed number; `digit` is half a unit of its last digit.
    pub(crate) fn number(statement: &str, paper: f64, digit: f64, ours: f64) -> Self {
        let holds = (ours - paper).abs() <= digit;
        Self::new(statement, &short(paper), short(ours), holds)
    }

    /// A bound.
    pub(crate) fn at_most(statement: &str, bound: f64, ours: f64) -> Self {
        let paper = format!("at most {}", short(bound));
        Self::new(statement, &paper, short(ours), ours <= bound)
    }

    /// A number after the word "about": within half an order of magnitude.
    pub(crate) fn about(statement: &str, paper: f64, ours: f64) -> Self {
        let holds = (ours / paper).log10().abs() <= 0.5;
        let paper = format!("about {paper:.1e}");
        Self::new(statement, &paper, format!("{ours:.2e}"), holds)
    }

    /// An order of convergence, up to what a fit over a few step sizes can tell.
    pub(crate) fn order(statement: &str, paper: f64, ours: f64) -> Self {
        const FIT: f64 = 0.25;
        let holds = (ours - paper).abs() <= FIT;
        Self::new(
            statement,
            &format!("order {paper}"),
            format!("order {ours:.2}"),
            holds,
        )
    }

    /// What is true if it does not hold.
    pub(crate) fn or(mut self, instead: impl FnOnce() -> String) -> Self {
        if !self.holds {
            self.instead = Some(instead());
        }
        self
    }
}

/// Three digits.
pub(crate) fn short(x: f64) -> String {
    if x == 0.0 || (1e-2..1e4).contains(&x.abs()) {
        format!("{x:.3}")
    } else {
        format!("{x:.2e}")
    }
}

impl Verdict {
    /// One statement that does not hold decides; then whether any was left out.
    pub(crate) fn of(checks: &[Check], unchecked: &[&str]) -> Self {
        if !checks.iter().all(|check| check.holds) {
            Self::Differs
        } else if unchecked.is_empty() {
            Self::Reproduced
        } else {
            Self::InPart
        }
    }
}
