//! `polhode bench`.
//!
//! All cases are measured in one process, batch by batch in turn, so that a slow
//! moment of the machine hits all of them; the shortest batch counts. Paths of
//! the same case must reach the same state before anything is timed.
//!
//! Models with any number of elements are measured for several numbers of them, with one method
//! of each family unless one is asked for, and in their default group. With the chain of links comes
//! the rod of the roll-up.

mod markdown;

use clap::ValueEnum;
use polhode::lie::GroupKind;
use polhode_models::hand::Kernel;
use polhode_models::machine::{Machine, Scheme};
use polhode_models::model::{Choice, Model, Path};
use polhode_models::registry::MODELS;
use serde::Serialize;

use crate::args::MethodName;
use crate::failure::Failure;
use crate::json;
use crate::progress::Progress;
use crate::subject::{Subject, find, number_of_elements};
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
    /// Only this number of elements.
    #[arg(long, value_name = "N")]
    n: Option<String>,
    /// Batches of each case.
    #[arg(long, default_value_t = 40)]
    batches: usize,
    /// Prints one JSON object.
    #[arg(long, conflicts_with = "markdown")]
    json: bool,
    /// Prints tables in Markdown, as in docs/benchmarks.md.
    #[arg(long)]
    markdown: bool,
}

#[derive(Clone, Debug, Serialize)]
struct Row {
    model: &'static str,
    group: String,
    method: &'static str,
    path: Path,
    /// Number of bodies, links or elements.
    n: usize,
    ns_per_step: f64,
    /// Newton iterations per step of an implicit method.
    #[serde(skip_serializing_if = "Option::is_none")]
    newton: Option<f64>,
    /// Time per step for each element of a model that has any number of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    ns_per_node: Option<f64>,
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

/// Steps that can be repeated, as many as asked for.
type Steps = Box<dyn FnMut(usize) -> Result<Measured, Failure>>;

struct Measured {
    /// Per step.
    seconds: f64,
    /// Newton iterations per step.
    newton: Option<f64>,
    /// The last velocities.
    last: Vec<f64>,
}

struct Case {
    row: Row,
    steps: usize,
    batch: Steps,
}

/// Wanted time of a batch: many short ones find a quiet moment of the machine.
const BATCH_SECONDS: f64 = 2e-3;
/// Longest chain of which the generic system is measured.
const LONGEST_GENERIC: usize = 10;
/// What is measured beside a model: rods beside chains of links, both linear in their length.
const COMPANIONS: [(&str, &str); 1] = [("chain", "roll-up")];
/// Paths may differ by rounding only.
const AGREEMENT: f64 = 1e-9;

impl Bench {
    pub(crate) fn execute(&self) -> Result<String, Failure> {
        let models: Vec<&'static Model> = match self.model.as_str() {
            "all" => MODELS.to_vec(),
            name => {
                let with = COMPANIONS.iter().filter(|(model, _)| *model == name);
                let names = [name].into_iter().chain(with.map(|(_, with)| *with));
                names.map(find).collect::<Result<_, _>>()?
            }
        };
        let mut cases = Vec::new();
        for model in models {
            for choice in self.choices(model)? {
                self.add_cases(model, &choice, &mut cases)?;
            }
        }
        if cases.is_empty() {
            let group = self.group.as_deref().unwrap_or_default();
            let text = format!("no model among those asked for supports the group `{group}`");
            return Err(Failure::Usage(text));
        }
        let progress = Progress::new(self.batches);
        for i in 0..self.batches.max(1) {
            progress.show(i, "batches");
            for case in &mut cases {
                let measured = (case.batch)(case.steps)?;
                case.row.measured(&measured);
            }
        }
        progress.clear();
        let rows: Vec<Row> = cases.into_iter().map(|case| case.row).collect();
        let ratio = ratios(&rows);
        let report = Report { rows, ratio };
        if self.json {
            return Ok(json::text(&report));
        }
        if self.markdown {
            return Ok(markdown::page(&report));
        }
        Ok(text(&report))
    }

    /// What is measured of a model: its groups, or its sizes in one group.
    fn choices(&self, model: &'static Model) -> Result<Vec<Choice>, Failure> {
        let wanted = |group: &&GroupKind| match &self.group {
            Some(name) => *name == group.to_string(),
            None => true,
        };
        let groups = model.groups.iter().filter(wanted);
        let Some(size) = model.size else {
            if let (Some(n), true) = (&self.n, self.model != "all") {
                number_of_elements(model, n)?;
            }
            return Ok(groups.map(|&group| model.choice_in(group)).collect());
        };
        let sizes = match &self.n {
            Some(n) => vec![number_of_elements(model, n)?],
            None => size.measured.to_vec(),
        };
        let mut choices = Vec::new();
        for &group in groups.take(1) {
            let measured = |&n| model.measured_choice(group, n);
            choices.extend(sizes.iter().map(measured));
        }
        Ok(choices)
    }

    /// Whether a method is measured.
    fn measures(&self, model: &Model, method: MethodName) -> bool {
        let few = [MethodName::He5, MethodName::Ga3];
        let usual = model.size.is_none() || few.contains(&method);
        let suitable = !model.unsuitable.contains(&method.name());
        suitable && self.method.map_or(usual, |wanted| wanted == method)
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
            if !self.measures(model, method) {
                continue;
            }
            let scheme = method.default_scheme();
            let h = model.measured_step(choice, &scheme);
            let mut batches = Vec::new();
            for &path in subject.paths() {
                // Dense equations of long chains would take all the time.
                if path != Path::Generic || choice.n <= LONGEST_GENERIC {
                    let machine = subject.machine(path)?;
                    batches.push((path, batch(machine, scheme.clone(), h)));
                }
            }
            if let Some(batch) = hand(model, method, choice)? {
                batches.push((Path::Hand, batch));
            }
            let (mut expected, mut times, first) = (None, Vec::new(), cases.len());
            for (path, mut batch) in batches {
                let n = match choice.n {
                    0 => subject.scene.solids.len(),
                    n => n,
                };
                let Measured { seconds, last, .. } = batch((10_000 / n).clamp(2, 100))?;
                let row = Row {
                    model: model.name,
                    group: choice.group.to_string(),
                    method: method.name(),
                    path,
                    n,
                    ns_per_step: f64::INFINITY,
                    newton: None,
                    ns_per_node: (choice.n > 0).then_some(f64::INFINITY),
                };
                agree(&row, expected.get_or_insert(last.clone()), &last)?;
                times.push(seconds);
                let steps = 0;
                cases.push(Case { row, steps, batch });
            }
            let steps = common_steps(&times);
            for case in &mut cases[first..] {
                case.steps = steps;
            }
        }
        Ok(())
    }
}

/// As many steps for each path of a case: the same part of the motion, with the same Newton
/// iterations. The batch of a path between the fastest and the slowest takes the wanted time.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "between the limits"
)]
fn common_steps(times: &[f64]) -> usize {
    let fastest = times.iter().copied().fold(f64::INFINITY, f64::min);
    let slowest = times.iter().copied().fold(0.0, f64::max);
    (BATCH_SECONDS / (fastest * slowest).sqrt()).clamp(2.0, 1e6) as usize
}

impl Row {
    /// Keeps the shortest time.
    fn measured(&mut self, batch: &Measured) {
        self.ns_per_step = self.ns_per_step.min(batch.seconds * 1e9);
        self.newton = batch.newton;
        if let Some(node) = &mut self.ns_per_node {
            #[expect(clippy::cast_precision_loss, reason = "a number of elements")]
            let n = self.n as f64;
            *node = self.ns_per_step / n;
        }
    }
}

fn agree(row: &Row, expected: &[f64], found: &[f64]) -> Result<(), Failure> {
    let scale = expected.iter().fold(1.0_f64, |m, x| m.max(x.abs()));
    let error = json::distance(expected, found) / scale;
    // Rounding errors of the strains of a rod are divided by the length of an element.
    #[expect(clippy::cast_precision_loss, reason = "a number of elements")]
    let limit = match row.ns_per_node {
        Some(_) => AGREEMENT * row.n.max(10) as f64,
        None => AGREEMENT,
    };
    if error <= limit {
        return Ok(());
    }
    Err(Failure::Simulation(format!(
        "{} in {} with {}: the {} path differs from the first one by {error:.2e}",
        row.model, row.group, row.method, row.path
    )))
}

fn batch(machine: Box<dyn Machine>, scheme: Scheme, h: f64) -> Steps {
    let implicit = matches!(scheme, Scheme::GeneralizedAlpha(_));
    Box::new(move |steps| {
        let batch = machine
            .batch(&scheme, h, steps)
            .map_err(|error| Failure::solve("bench", &error))?;
        Ok(Measured {
            seconds: batch.seconds,
            newton: implicit.then_some(batch.newton),
            last: batch.last.v,
        })
    })
}

/// The batch of a model that is written by hand too.
fn hand(model: &Model, method: MethodName, choice: &Choice) -> Result<Option<Steps>, Failure> {
    let kernel = Kernel::named(method.name()).filter(|_| model.name == "heavy-top");
    let Some(kernel) = kernel else {
        return Ok(None);
    };
    let prepared = kernel
        .prepared(choice.group, model.step)
        .map_err(|error| Failure::solve("bench", &error))?;
    Ok(prepared.map(|prepared| -> Steps {
        Box::new(move |steps| {
            let (seconds, top) = prepared.batch(steps);
            Ok(Measured {
                seconds,
                newton: None,
                last: top.parts().1.to_vec(),
            })
        })
    }))
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
                && (row.model, &row.group, row.method, row.n)
                    == (fast.model, &fast.group, fast.method, fast.n)
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
    let headings = [
        "model", "group", "method", "path", "n", "ns/step", "Newton", "ns/node",
    ];
    let mut table = Table::new(4, &headings);
    for row in &report.rows {
        let node = row.ns_per_node;
        table.row([
            row.model.to_owned(),
            row.group.clone(),
            row.method.to_owned(),
            row.path.to_string(),
            row.n.to_string(),
            format!("{:.0}", row.ns_per_step),
            row.newton.map_or_else(String::new, |n| format!("{n:.1}")),
            node.map_or_else(String::new, |ns| format!("{ns:.0}")),
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
