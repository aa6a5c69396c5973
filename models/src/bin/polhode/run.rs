//! `polhode run`.

use std::path::PathBuf;

use polhode_models::machine::Machine;

use crate::args::PlanArgs;
use crate::failure::Failure;
use crate::files::Directory;
use crate::joints;
use crate::json::{self, RunReport};
use crate::plots;
use crate::simulate::{Plan, Simulated, simulate};
use crate::subject::{ModelArgs, PathArgs, Subject};
use crate::table::scientific;
use crate::trajectory;
use crate::view;

/// Simulates a model.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
polhode run heavy-top --method ga3 --sigma opt --step 5e-4 --out top\n  \
polhode run pendulum --param x0=0.1 --method he3 --until 10 --json\n  \
polhode run roll-up --n 32 --method ga2s --sigma 1 --step 1e-3 --out ring\n  \
polhode run --file crane.json --method ga2s --step 1e-3 --until 5")]
pub(crate) struct RunArgs {
    #[command(flatten)]
    model: ModelArgs,
    #[command(flatten)]
    plan: PlanArgs,
    #[command(flatten)]
    path: PathArgs,
    /// Directory for the trajectory, plots and the animated view.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Prints one JSON object.
    #[arg(long)]
    json: bool,
}

impl RunArgs {
    pub(crate) fn execute(&self) -> Result<String, Failure> {
        let subject = self.model.subject()?;
        let plan = self.plan.plan(&subject)?;
        let path = self.path.of(&subject)?;
        let mut out = self.out.as_deref().map(Directory::create).transpose()?;
        let machine = subject.machine(path)?;
        let simulated = simulate(machine.as_ref(), &plan);
        let mut remark = String::new();
        if let Some(out) = &mut out
            && !simulated.states.is_empty()
        {
            write_files(&subject, machine.as_ref(), &plan, &simulated, out)?;
            let t = simulated.last.t;
            remark = format!("; the results until t = {t} are {}", out.summary());
        }
        if let Some(error) = &simulated.error {
            let context = format!("{} with {}", subject.name, plan.method);
            remark += &notes(&simulated);
            return Err(Failure::solve(&context, error).and(&remark));
        }
        let report = RunReport::new(&subject, path, machine.as_ref(), &plan, &simulated);
        if self.json {
            return Ok(json::text(&report));
        }
        let mut text = summary(&report, &plan) + &notes(&simulated);
        if let Some(out) = out {
            text += &format!("\nWrote {}\n", out.summary());
            if report.steps.kept_every > 1 {
                let every = report.steps.kept_every;
                text += &format!("The files hold the state after every {every} steps.\n");
            }
        }
        Ok(text)
    }
}

/// What a run tells about itself, a line each.
fn notes(simulated: &Simulated) -> String {
    let mut text = String::new();
    for note in &simulated.notes {
        text += &format!("\nnote: {note}\n");
    }
    text
}

/// Trajectory, plots and view of a run.
pub(crate) fn write_files(
    subject: &Subject,
    machine: &dyn Machine,
    plan: &Plan,
    simulated: &Simulated,
    out: &mut Directory,
) -> Result<(), Failure> {
    out.write("trajectory.csv", |to| {
        trajectory::write_csv(machine, simulated, to)
    })?;
    if !machine.joints().is_empty() {
        out.write("joints.csv", |to| joints::write_csv(machine, simulated, to))?;
    }
    for (name, chart) in plots::of_run(subject, machine, plan, simulated) {
        out.write_text(name, &chart.svg())?;
    }
    out.write_text("view.html", &view::page(subject, machine, plan, simulated))
}

fn summary(report: &RunReport, plan: &Plan) -> String {
    let steps = match plan.step {
        Some(h) => format!("steps of {h}"),
        None => "adaptive steps".to_owned(),
    };
    let RunReport {
        model,
        group,
        method,
        path,
        t,
        energy,
        constraint,
        ..
    } = report;
    let mut text = format!("{model} in {group} with {method} ({path}), {steps}, until t = {t}\n\n");
    let mut line = |name: &str, value: String| text += &format!("  {name:<12} {value}\n");
    line(
        "steps",
        format!(
            "{} accepted, {} rejected, {:.0} ns each",
            report.steps.accepted, report.steps.rejected, report.ns_per_step
        ),
    );
    if report.newton.iterations > 0 {
        line(
            "Newton",
            format!(
                "{} iterations, {} factorizations",
                report.newton.iterations, report.newton.factorizations
            ),
        );
    }
    line(
        "energy",
        format!(
            "{:.9} at the start, drift {:.2e}",
            energy.start, energy.drift
        ),
    );
    line(
        "constraints",
        format!(
            "residual {:.2e} in position, {:.2e} in velocity",
            constraint.position, constraint.velocity
        ),
    );
    if let Some(error) = &report.error {
        line(
            "error",
            format!(
                "position {:.2e}, rotation {}, velocity {}, multipliers {}",
                error.position,
                scientific(error.rotation),
                scientific(error.velocity),
                scientific(error.lambda)
            ),
        );
    }
    for (name, body) in &report.state {
        text += &format!("\n  {name}\n");
        for (quantity, numbers) in [
            ("position", &body.position[..]),
            ("rotation", &body.rotation),
            ("velocity", &body.velocity),
            ("angular", &body.angular_velocity),
        ] {
            let numbers: Vec<String> = numbers.iter().map(|x| format!("{x:18.12}")).collect();
            text += &format!("    {quantity:<10}{}\n", numbers.join(""));
        }
    }
    if report.omitted.bodies > 0 {
        let omitted = report.omitted.bodies;
        text += &format!("\n  and {omitted} more, which --out writes\n");
    }
    for (name, joint) in &report.joints {
        text += &format!("\n  joint {name}\n");
        if let (Some(coordinate), Some(rate)) = (joint.coordinate, joint.rate) {
            text += &format!("    coordinate{coordinate:18.12}, rate {rate:.12}\n");
        }
        if let Some([displacement, rate]) = joint.displacement {
            text += &format!("    along axis{displacement:18.12}, rate {rate:.12}\n");
        }
        let reaction = &joint.reaction;
        for (quantity, numbers) in [("force", reaction.force), ("torque", reaction.torque)] {
            let numbers: Vec<String> = numbers.iter().map(|x| format!("{x:18.9}")).collect();
            text += &format!("    {quantity:<10}{}\n", numbers.join(""));
        }
        if reaction.unique == Some(false) {
            text += "    the motion does not determine this reaction: the smallest one is shown\n";
        }
    }
    text
}
