//! What `polhode reproduce` says about a claim.

use serde::Serialize;

use super::claim::{Check, Claim, Paper, Verdict, Work};
use super::lab::Lab;
use crate::chart::Chart;
use crate::failure::Failure;

/// A claim after it was examined.
#[derive(Debug, Serialize)]
pub(crate) struct Examined {
    pub(crate) id: &'static str,
    pub(crate) paper: &'static Paper,
    pub(crate) shows: &'static str,
    pub(crate) verdict: Verdict,
    /// What is needed before it can be computed.
    pub(crate) missing: Option<&'static str>,
    pub(crate) checks: Vec<Check>,
    /// Statements of the paper that are not computed here.
    pub(crate) unchecked: &'static [&'static str],
    /// Plots and their data.
    pub(crate) files: Vec<String>,
    #[serde(skip)]
    pub(crate) charts: Vec<Chart>,
}

impl Examined {
    /// Computes what a claim is about.
    pub(crate) fn new(claim: &'static Claim, lab: &Lab) -> Result<Self, Failure> {
        let mut examined = Self {
            id: claim.id,
            paper: claim.paper,
            shows: claim.shows,
            verdict: Verdict::NotYet,
            missing: None,
            checks: Vec::new(),
            unchecked: &[],
            files: Vec::new(),
            charts: Vec::new(),
        };
        let compute = match claim.work {
            Work::Missing(missing) => {
                examined.missing = Some(missing);
                return Ok(examined);
            }
            Work::Compute(compute) => compute,
            Work::InPart(compute, unchecked) => {
                examined.unchecked = unchecked;
                compute
            }
        };
        let found = compute(lab).map_err(|failure| failure.about(claim.id))?;
        examined.verdict = Verdict::of(&found.checks, examined.unchecked);
        examined.checks = found.checks;
        examined.charts = found.charts;
        Ok(examined)
    }

    /// Names of plots without their endings, with the plots.
    pub(crate) fn plots(&self) -> impl Iterator<Item = (String, &Chart)> {
        let single = self.charts.len() == 1;
        let numbered = self.charts.iter().enumerate();
        numbered.map(move |(i, chart)| {
            let name = if single {
                self.id.to_owned()
            } else {
                format!("{}-{}", self.id, i + 1)
            };
            (name, chart)
        })
    }
}
