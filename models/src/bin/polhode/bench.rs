//! `polhode bench`.
//!
//! All cases are measured in one process, batch by batch in turn, so that a slow
//! moment of the machine hits all of them; the shortest batch counts. Paths of
//! the same case must reach the same state before anything is timed.

use std::time::Instant;

use clap::ValueEnum;
use polhode_models::hand::{Kernel, Top};
use polhode_models::machine::{Machine, Scheme};
use polhode_models::model::{Choice, Model, Path};
use polhode_models::registry::MODELS;
use serde::Serialize;

use crate::args::{MethodName, Subject, find};
use crate::failure::Failure;
use crate::json;
use crate::table::Table;

/// Measures the time of a step.
#[derive(clap::Args, Debug)]
pub(crate) struct Bench {
    /// Name of a model, or all.
    model: String,
    /// Only this method.
    #[arg(long)]
    method: Option<MethodName>,
    /// Only this group.
    #[arg(long)]
    group: Option<String>,
    /// Batches of each case.
    #[arg(long, default_value_t = 15)]
    batches: usize,
    /// Prints one JSON object.
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Debug, Serialize)]
struct Row {
    model: &'static str,
    group: String,
    method: &'static str,
    path: Path,
    /// Number of bodies.
    n: usize,
    ns_per_step: f64,
}

#[derive(Debug, Serialize)]
struct Report {
    rows: Vec<Row>,
    /// Time of the generic path over that of the generated one.
    ratio: Option<Vec<Comparison>>,
}

#[derive(Debug, Serialize)]
struct Comparison {
    model: &'static str,
    group: String,
    method: &'static str,
    ratio: f64,
}

/// A batch that can be repeated: returns seconds per step and the last velocities.
type Batch = Box<dyn FnMut(usize) -> Result<(f64, Vec<f64>), Failure>>;

struct Case {
    row: Row,
    steps: usize,
    batch: Batch,
}

/// Wanted time of a batch.
const BATCH_SECONDS: f64 = 4e-3;
/// Paths may differ by rounding only.
const AGREEMENT: f64 = 1e-9;

impl Bench {
    pub(crate) fn execute(&self) -> Result<String, Failure> {
        let models: Vec<&'static Model> = match self.model.as_str() {
            "all" => MODELS.to_vec(),
            name => vec![find(name)?],
        };
        let mut cases = Vec::new();
        for model in models {
            for &group in model.groups {
                if self.group.as_ref().is_none_or(|g| *g == group.to_string()) {
                    self.add_cases(model, &model.choice_in(group), &mut cases)?;
                }
            }
        }
        if cases.is_empty() {
            let group = self.group.as_deref().unwrap_or_default();
            let text = format!("no model among those asked for supports the group `{group}`");
            return Err(Failure::Usage(text));
        }
        for _ in 0..self.batches.max(1) {
            for case in &mut cases {
                let (seconds, _) = (case.batch)(case.steps)?;
                case.row.ns_per_step = case.row.ns_per_step.min(seconds * 1e9);
            }
        }
        let rows: Vec<Row> = cases.into_iter().map(|case| case.row).collect();
        let ratio = ratios(&rows);
        let report = Report { rows, ratio };
        if self.json {
            return Ok(json::text(&report));
        }
        Ok(text(&report))
    }

    /// All methods and paths of a choice; checks that the paths agree.
    fn add_cases(
        &self,
        model: &'static Model,
        choice: &Choice,
        cases: &mut Vec<Case>,
    ) -> Result<(), Failure> {
        let subject = Subject::chosen(model, choice.clone());
        for &method in MethodName::value_variants() {
            let unsuitable = model.unsuitable.contains(&method.name());
            if unsuitable || self.method.is_some_and(|wanted| wanted != method) {
                continue;
            }
            let mut batches = Vec::new();
            for path in subject.paths() {
                let machine = subject.machine(path)?;
                batches.push((path, batch(machine, method.default_scheme(), model.step)));
            }
            if let Some(batch) = hand(model, method, choice)? {
                batches.push((Path::Hand, batch));
            }
            let mut expected = None;
            for (path, mut batch) in batches {
                let (seconds, found) = batch(100)?;
                let row = Row {
                    model: model.name,
                    group: choice.group.to_string(),
                    method: method.name(),
                    path,
                    n: subject.description.bodies.len(),
                    ns_per_step: f64::INFINITY,
                };
                agree(&row, expected.get_or_insert(found.clone()), &found)?;
                #[expect(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "between the limits"
                )]
                let steps = (BATCH_SECONDS / seconds).clamp(10.0, 1e6) as usize;
                cases.push(Case { row, steps, batch });
            }
        }
        Ok(())
    }
}

fn agree(row: &Row, expected: &[f64], found: &[f64]) -> Result<(), Failure> {
    let scale = expected.iter().fold(1.0_f64, |m, x| m.max(x.abs()));
    let error = json::distance(expected, found) / scale;
    if error <= AGREEMENT {
        return Ok(());
    }
    Err(Failure::Simulation(format!(
        "{} in {} with {}: the {} path differs from the first one by {error:.2e}",
        row.model, row.group, row.method, row.path
    )))
}

fn batch(machine: Box<dyn Machine>, scheme: Scheme, h: f64) -> Batch {
    Box::new(move |steps| {
        let (seconds, last) = machine
            .batch(&scheme, h, steps)
            .map_err(|error| Failure::solve("bench", &error))?;
        Ok((seconds, last.v))
    })
}

/// The batch of a model that is written by hand too.
fn hand(model: &Model, method: MethodName, choice: &Choice) -> Result<Option<Batch>, Failure> {
    let kernel = Kernel::named(method.name()).filter(|_| model.name == "heavy-top");
    let Some(step) = kernel.and_then(|kernel| kernel.step(choice.group)) else {
        return Ok(None);
    };
    let (group, h) = (choice.group, model.step);
    let start = match method.default_scheme() {
        Scheme::HalfExplicit(method, _) => Top::start(&method, group, h),
        Scheme::GeneralizedAlpha(method) => Top::start(&method, group, h),
    };
    let start = start.map_err(|error| Failure::solve("bench", &error))?;
    Ok(Some(Box::new(move |steps| {
        let mut top = start;
        let clock = Instant::now();
        for _ in 0..steps {
            step(&mut top, h);
        }
        #[expect(clippy::cast_precision_loss, reason = "a count of steps")]
        let seconds = clock.elapsed().as_secs_f64() / steps as f64;
        Ok((seconds, top.parts().1.to_vec()))
    })))
}

fn ratios(rows: &[Row]) -> Option<Vec<Comparison>> {
    let generated: Vec<&Row> = rows
        .iter()
        .filter(|row| row.path == Path::Generated)
        .collect();
    if generated.is_empty() {
        return None;
    }
    let ratio = |fast: &&Row| {
        let same = |row: &&Row| {
            row.path == Path::Generic
                && (row.model, &row.group, row.method) == (fast.model, &fast.group, fast.method)
        };
        rows.iter().find(same).map(|slow| Comparison {
            model: fast.model,
            group: fast.group.clone(),
            method: fast.method,
            ratio: slow.ns_per_step / fast.ns_per_step,
        })
    };
    Some(generated.iter().filter_map(ratio).collect())
}

fn text(report: &Report) -> String {
    let mut table = Table::new(4, &["model", "group", "method", "path", "n", "ns/step"]);
    for row in &report.rows {
        table.row([
            row.model.to_owned(),
            row.group.clone(),
            row.method.to_owned(),
            row.path.to_string(),
            row.n.to_string(),
            format!("{:.0}", row.ns_per_step),
        ]);
    }
    let mut text = table.text();
    for ratio in report.ratio.iter().flatten() {
        let Comparison {
            model,
            group,
            method,
            ratio,
        } = ratio;
        text += &format!("  {model} {group} {method}: generic / generated = {ratio:.2}\n");
    }
    text
}
