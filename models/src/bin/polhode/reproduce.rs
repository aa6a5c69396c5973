//! `polhode reproduce`: figures and tables of papers, computed again.

mod angles;
mod claim;
mod claims;
mod half_explicit;
mod lab;
mod lie_algebra;
mod literal;
mod overshoot;
mod page;
mod pendulum;
mod report;
mod robot;
mod rods;
mod rotor;
mod sigma;
mod slider_crank;
mod tops;
mod trial;

use std::path::PathBuf;

use serde::Serialize;

use self::claim::{Claim, Verdict};
use self::claims::CLAIMS;
use self::lab::Lab;
use self::report::Examined;
use crate::failure::{Failure, nearest};
use crate::files::Directory;
use crate::json;
use crate::progress::Progress;

/// Computes figures and tables of papers again and says whether they agree.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
polhode reproduce all --out reproduce\n  \
polhode reproduce 003-fig5 --json\n\n\
Verdicts: \"reproduced\" if every statement of the figure or table holds, \"in part\" if some of \
them were not computed, \"differs\" if one does not hold, \"not yet\" if nothing was computed.\n\
A paper that does not agree is a result, not a failure: the exit code is 0.")]
pub(crate) struct Reproduce {
    /// A claim such as 003-fig5, a paper such as 003, or all.
    #[arg(default_value = "all")]
    claim: String,
    /// Directory for plots, data and the page `index.html`.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Prints one JSON object.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report<'a> {
    claims: &'a [Examined],
}

impl Reproduce {
    pub(crate) fn execute(&self) -> Result<String, Failure> {
        let claims = self.claims()?;
        let mut out = self.out.as_deref().map(Directory::create).transpose()?;
        let lab = Lab::default();
        let progress = Progress::new(claims.len());
        let mut examined = Vec::new();
        for (i, claim) in claims.iter().enumerate() {
            progress.show(i, claim.id);
            examined.push(Examined::new(claim, &lab)?);
        }
        progress.clear();
        if let Some(out) = &mut out {
            write(&mut examined, out)?;
        }
        if self.json {
            return Ok(json::text(&Report { claims: &examined }));
        }
        Ok(text(&examined, self.out.as_deref()))
    }

    /// The claims that are asked for.
    fn claims(&self) -> Result<Vec<&'static Claim>, Failure> {
        let wanted = self.claim.as_str();
        let asked = |claim: &&Claim| {
            let paper = claim.id.split('-').next();
            wanted == "all" || claim.id == wanted || paper == Some(wanted)
        };
        let claims: Vec<&'static Claim> = CLAIMS.iter().filter(asked).collect();
        if !claims.is_empty() {
            return Ok(claims);
        }
        let near = nearest(wanted, CLAIMS.iter().map(|claim| claim.id));
        let advice = near.map_or_else(String::new, |id| format!("did you mean `{id}`? "));
        Err(Failure::Usage(format!(
            "unknown claim `{wanted}`; {advice}`polhode reproduce all` shows all of them"
        )))
    }
}

/// Plots, data, report and page.
fn write(examined: &mut [Examined], out: &mut Directory) -> Result<(), Failure> {
    for claim in &mut *examined {
        let mut files = Vec::new();
        for (name, chart) in claim.plots() {
            for (file, text) in [
                (format!("{name}.svg"), chart.svg()),
                (format!("{name}.csv"), chart.csv()),
            ] {
                out.write_text(&file, &text)?;
                files.push(file);
            }
        }
        claim.files = files;
    }
    out.write_text("reproduce.json", &json::text(&Report { claims: examined }))?;
    out.write_text("index.html", &page::page(examined))
}

fn text(examined: &[Examined], out: Option<&std::path::Path>) -> String {
    let mut text = String::new();
    for claim in examined {
        let verdict = claim.verdict.word();
        text += &format!("{:<11} {verdict:<11} {}\n", claim.id, claim.shows);
        if let Some(missing) = claim.missing {
            text += &format!("{:<24}missing: {missing}\n", "");
        }
        for check in &claim.checks {
            let mark = if check.holds { ' ' } else { '!' };
            text += &format!(
                "          {mark} {}: paper {}, here {}\n",
                check.statement, check.paper, check.ours
            );
            if let Some(instead) = &check.instead {
                text += &format!("{:<14}instead: {instead}\n", "");
            }
        }
        for statement in claim.unchecked {
            text += &format!("          ? not checked: {statement}\n");
        }
    }
    let count = |verdict: Verdict| {
        let found = examined.iter().filter(|claim| claim.verdict == verdict);
        format!("{} {}", found.count(), verdict.word())
    };
    let counts = Verdict::ALL.map(count);
    text += &format!("\n{}\n", counts.join(", "));
    if let Some(out) = out {
        let page = out.join("index.html");
        text += &format!("Wrote {}\n", page.to_string_lossy());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_claim_has_its_own_name() {
        let mut names: Vec<&str> = CLAIMS.iter().map(|claim| claim.id).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), CLAIMS.len());
    }
}
