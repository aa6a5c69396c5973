//! `polhode converge`.

use std::path::PathBuf;

use polhode_models::machine::Machine;
use polhode_models::model::{Known, Path};
use serde::Serialize;

use crate::args::{MethodName, MethodOptions};
use crate::chart::{Axis, Chart, Series};
use crate::failure::Failure;
use crate::files::Directory;
use crate::json::{self, Errors, distance};
use crate::simulate::Plan;
use crate::subject::{ModelArgs, PathArgs, Subject};
use crate::table::{Table, scientific};

/// Measures the order of a method against the exact solution of a model.
#[derive(clap::Args, Debug)]
pub(crate) struct Converge {
    #[command(flatten)]
    model: ModelArgs,
    /// Method.
    #[arg(long)]
    method: MethodName,
    /// Step sizes, largest first; five halvings around the step of the model if not given.
    #[arg(
        long,
        allow_hyphen_values = true,
        value_name = "H,H,..",
        value_delimiter = ','
    )]
    steps: Vec<f64>,
    /// End of the runs; there must be an exact solution.
    #[arg(long, allow_negative_numbers = true, value_name = "T")]
    until: Option<f64>,
    #[command(flatten)]
    options: MethodOptions,
    #[command(flatten)]
    path: PathArgs,
    /// Directory for the plot.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Prints one JSON object.
    #[arg(long)]
    json: bool,
}

/// Errors at the end of runs with one step size.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Row {
    pub(crate) h: f64,
    /// Distance in the group, or of the point that is known.
    pub(crate) q: f64,
    /// None where only a point is known.
    pub(crate) v: Option<f64>,
    /// The same, and none without constraints.
    pub(crate) lambda: Option<f64>,
}

#[derive(Debug, Serialize)]
struct Orders {
    q: Option<f64>,
    v: Option<f64>,
    lambda: Option<f64>,
}

#[derive(Debug, Serialize)]
struct Report {
    model: String,
    group: String,
    method: &'static str,
    path: Path,
    t: f64,
    rows: Vec<Row>,
    order: Orders,
}

impl Converge {
    pub(crate) fn execute(&self) -> Result<String, Failure> {
        let subject = self.model.subject()?;
        let scheme = self.options.scheme(self.method)?;
        let path = self.path.of(&subject)?;
        let until = self.until.unwrap_or(subject.end);
        let known = subject
            .known(until)
            .ok_or_else(|| no_reference(&subject, until))?;
        let mut out = self.out.as_deref().map(Directory::create).transpose()?;
        let mut steps = self.steps.clone();
        if steps.is_empty() {
            steps = default_steps(&subject);
        }
        if let Some(h) = steps.iter().find(|h| !(**h > 0.0 && **h <= until)) {
            let text = format!("--steps {h}: a step must be between 0 and the end {until}");
            return Err(Failure::Usage(text));
        }
        let plan = Plan {
            scheme,
            method: self.method.name(),
            step: None,
            until,
            kinks: subject.kinks(),
            timed: false,
        };
        let rows = rows(&subject, path, &plan, &steps, &known)?;
        let order = Orders {
            q: observed_order(&rows, |row| Some(row.q)),
            v: observed_order(&rows, |row| row.v),
            lambda: observed_order(&rows, |row| row.lambda),
        };
        let report = Report {
            model: subject.name.clone(),
            group: subject.group.clone(),
            method: plan.method,
            path,
            t: until,
            rows,
            order,
        };
        if let Some(out) = &mut out {
            out.write_text("converge.svg", &chart(&report).svg())?;
        }
        if self.json {
            return Ok(json::text(&report));
        }
        Ok(text(&report, out.as_ref()))
    }
}

/// Five step sizes from twice the step of a model.
pub(crate) fn default_steps(subject: &Subject) -> Vec<f64> {
    [2.0, 1.0, 0.5, 0.25, 0.125]
        .map(|x| x * subject.step)
        .to_vec()
}

fn no_reference(subject: &Subject, until: f64) -> Failure {
    let known = match &subject.model {
        Some((model, _)) => model.reference.map(|exact| exact.source),
        None => None,
    };
    let known = known.map_or_else(String::new, |source| format!("; known: {source}"));
    let name = &subject.name;
    Failure::Usage(format!(
        "no exact solution of `{name}` at t = {until}{known}"
    ))
}

/// Errors for each step size.
pub(crate) fn rows(
    subject: &Subject,
    path: Path,
    plan: &Plan,
    steps: &[f64],
    known: &Known,
) -> Result<Vec<Row>, Failure> {
    let machine = subject.machine(path)?;
    let row = |&h| {
        let plan = Plan {
            step: Some(h),
            ..plan.clone()
        };
        let context = format!("{} with {}", subject.name, plan.method);
        compare(machine.as_ref(), &plan, known, &context)
    };
    steps.iter().map(row).collect()
}

fn compare(
    machine: &dyn Machine,
    plan: &Plan,
    known: &Known,
    context: &str,
) -> Result<Row, Failure> {
    let run = machine.run(&plan.order(), None);
    if let Some(error) = &run.error {
        return Err(Failure::solve(context, error));
    }
    let mut last = run.last;
    plan.complete(machine, &mut last);
    let h = plan.step.unwrap_or(f64::NAN);
    let Known::State(exact) = known else {
        let Errors { position, .. } = Errors::new(machine, &last, known);
        return Ok(Row {
            h,
            q: position,
            v: None,
            lambda: None,
        });
    };
    let lambda = &last.lambda;
    Ok(Row {
        h,
        q: machine.space().distance(&last.q, &exact.q),
        v: Some(distance(&last.v, &exact.v)),
        lambda: (!lambda.is_empty()).then(|| distance(lambda, &exact.lambda)),
    })
}

/// Slope of `log(error)` over `log(h)` by least squares, over the leading rows
/// where the error still falls: behind them it is rounding.
fn observed_order(rows: &[Row], error: impl Fn(&Row) -> Option<f64>) -> Option<f64> {
    let mut points: Vec<(f64, f64)> = Vec::new();
    for row in rows {
        let point = (row.h.ln(), error(row)?.ln());
        let falls = points.last().is_none_or(|last| {
            point.1.is_finite() && (point.1 - last.1) / (point.0 - last.0) > 0.5
        });
        if !falls {
            break;
        }
        points.push(point);
    }
    if points.len() < 2 {
        return None;
    }
    #[expect(clippy::cast_precision_loss, reason = "a handful of points")]
    let n = points.len() as f64;
    let (mx, my) = points
        .iter()
        .fold((0.0, 0.0), |(a, b), (x, y)| (a + x / n, b + y / n));
    let (sxy, sxx) = points.iter().fold((0.0, 0.0), |(a, b), (x, y)| {
        (a + (x - mx) * (y - my), b + (x - mx) * (x - mx))
    });
    Some(sxy / sxx)
}

fn chart(report: &Report) -> Chart {
    let column = |error: &dyn Fn(&Row) -> Option<f64>| -> Vec<(f64, f64)> {
        let rows = report.rows.iter();
        rows.filter_map(|row| Some((row.h, error(row)?))).collect()
    };
    let name = |quantity: &str, order: Option<f64>| match order {
        Some(order) => format!("{quantity}, order {order:.2}"),
        None => quantity.to_owned(),
    };
    let mut series = vec![Series::marked(
        &name("configuration", report.order.q),
        column(&|r| Some(r.q)),
    )];
    if report.rows.iter().any(|row| row.v.is_some()) {
        let name = name("velocity", report.order.v);
        series.push(Series::marked(&name, column(&|r| r.v)));
    }
    if report.rows.iter().any(|row| row.lambda.is_some()) {
        let name = name("multipliers", report.order.lambda);
        series.push(Series::marked(&name, column(&|r| r.lambda)));
    }
    Chart {
        title: format!("Convergence of {}", report.method),
        subtitle: format!(
            "{} in {}, error at t = {} against the exact solution",
            report.model, report.group, report.t
        ),
        x: Axis::log("step size"),
        y: Axis::log("error"),
        series,
    }
}

fn text(report: &Report, out: Option<&Directory>) -> String {
    let mut text = format!(
        "{} in {} with {} ({}): errors at t = {}\n\n",
        report.model, report.group, report.method, report.path, report.t
    );
    let mut table = Table::new(0, &["h", "q", "v", "lambda"]);
    for row in &report.rows {
        table.row([
            format!("{:.4e}", row.h),
            scientific(Some(row.q)),
            scientific(row.v),
            scientific(row.lambda),
        ]);
    }
    let order = |x: Option<f64>| x.map_or_else(|| "-".to_owned(), |x| format!("{x:.2}"));
    let Orders { q, v, lambda } = &report.order;
    table.row(["order".to_owned(), order(*q), order(*v), order(*lambda)]);
    text += &table.text();
    if let Some(out) = out {
        text += &format!("\nWrote {}\n", out.summary());
    }
    text
}
