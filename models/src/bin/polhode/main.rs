//! `polhode`: runs the models, measures them, describes them.
//!
//! This is the only place of the project that prints.

#![expect(clippy::format_push_string, reason = "texts of a few lines")]

mod args;
mod bench;
mod chart;
mod converge;
mod describe;
mod failure;
mod files;
mod interrupt;
mod joints;
mod json;
mod list;
mod plots;
mod pose;
mod progress;
mod reproduce;
mod run;
mod simulate;
mod subject;
mod table;
mod text;
mod tour;
mod trajectory;
mod view;

use std::io::Write;
use std::process::ExitCode;

use clap::Parser;
use failure::Failure;

/// Simulates mechanisms on Lie groups.
#[derive(Parser)]
#[command(
    name = "polhode",
    version,
    args_conflicts_with_subcommands = true,
    after_help = "Without a command: a tour of the heavy top with both families of methods.\n\n\
Examples:\n  \
polhode\n  \
polhode list\n  \
polhode run heavy-top --method ga3 --group SE3 --step 1e-3 --out top\n  \
polhode run heavy-top --method he5 --rtol 1e-8 --atol 1e-10 --json\n  \
polhode converge pendulum --method he4\n  \
polhode describe heavy-top --dot\n  \
polhode reproduce all --out reproduce"
)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    tour: tour::Tour,
}

#[derive(clap::Subcommand)]
enum Command {
    List(list::List),
    Run(run::RunArgs),
    Converge(converge::Converge),
    Bench(bench::Bench),
    Describe(describe::Describe),
    Reproduce(reproduce::Reproduce),
}

fn main() -> ExitCode {
    interrupt::install();
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return command_line(&error),
    };
    let result = match cli.command {
        None => cli.tour.execute(),
        Some(Command::List(list)) => Ok(list.execute()),
        Some(Command::Run(run)) => run.execute(),
        Some(Command::Converge(converge)) => converge.execute(),
        Some(Command::Bench(bench)) => bench.execute(),
        Some(Command::Describe(describe)) => describe.execute(),
        Some(Command::Reproduce(reproduce)) => reproduce.execute(),
    };
    match result.and_then(|text| print(&text)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

/// Help as clap writes it; errors in one line.
fn command_line(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() {
        return match print(&error.render().to_string()) {
            Ok(()) => ExitCode::SUCCESS,
            Err(failure) => failure.report(),
        };
    }
    let text = error.render().to_string();
    let lines = text.lines().map(str::trim);
    let told: Vec<&str> = lines
        .take_while(|line| !line.starts_with("Usage:") && !line.starts_with("For more"))
        .filter(|line| !line.is_empty())
        .collect();
    let message = told.join("; ").replace(":; ", ": ");
    Failure::Usage(message.trim_start_matches("error: ").to_owned()).report()
}

/// Prints all at once, so that nothing is printed before an error.
fn print(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes())
        .and_then(|()| out.flush())
        .map_err(Failure::Output)
}
