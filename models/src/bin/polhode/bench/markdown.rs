//! The measurements as a page: `polhode bench all --markdown > docs/benchmarks.md`.

use polhode_models::model::Path;

use super::{Report, Row};

const INTRODUCTION: &str = "\
# Benchmarks

Written by a program, on the machine of whoever ran it last:

```sh
cargo run --release -- bench all --markdown > docs/benchmarks.md
```

Nanoseconds per step, the shortest of several batches. All cases are measured in one process, batch
by batch in turn, and before anything is timed the paths of a case must reach the same velocities,
up to rounding.

- `generated`: straight-line code that `#[multibody]` writes at compile time.
- `generic`: the same description assembled at run time, with preallocated dense matrices and the
  same methods.
- `hand`: written by hand for one problem, with its formulas simplified on paper; for chains and
  rods, the sweeps of `polhode::chain`.
";

const OTHERS: &str = "
## How to compare with other programs

- The same problem: `polhode describe MODEL --json` prints masses, inertias, joints, forces and start
  values; `polhode list` says where they were published.
- The same error, not the same step: measure the error at the end against the reference that
  `polhode run MODEL --json` compares with, over several step sizes, and compare times at equal errors.
  `polhode converge MODEL --method M --json` gives the errors here, `ns_per_step` of `polhode run` the times.
- The same work: one thread, output off, compilation and set-up apart from the steps. Here a step
  contains everything that the method needs, and nothing is allocated in it.
- The same machine, in turn and not one after the other: clock rates change within seconds.
- Newton's method: the same tolerance, and the number of iterations beside the time
  (`newton` in the output of `polhode run --json`).
";

/// The page.
pub(super) fn page(report: &Report) -> String {
    let mut text = INTRODUCTION.to_owned();
    text += "\n## Mechanisms\n\n";
    text += "| model | group | method | generated | generic | hand | generic / generated |\n";
    text += "|-------|-------|--------|----------:|--------:|-----:|--------------------:|\n";
    let fixed = |row: &&Row| row.ns_per_node.is_none();
    let mechanisms: Vec<&Row> = report.rows.iter().filter(fixed).collect();
    let case = |row: &Row| (row.model, row.group.clone(), row.method);
    let generated = |row: &Row| {
        let same = |other: &&&Row| other.model == row.model && other.path == Path::Generated;
        mechanisms.iter().find(same).is_some()
    };
    for rows in mechanisms.chunk_by(|a, b| case(a) == case(b)) {
        // Where a model has generated code in some groups, the others have nothing to compare.
        let compared = rows.iter().any(|row| row.path != Path::Generic);
        if !compared && generated(rows[0]) {
            continue;
        }
        let time = |path: Path| {
            let found = rows.iter().find(|row| row.path == path);
            found.map(|row| row.ns_per_step)
        };
        let ratio = time(Path::Generated).zip(time(Path::Generic));
        text += &format!(
            "| {} | `{}` | `{}` | {} | {} | {} | {} |\n",
            rows[0].model,
            rows[0].group,
            rows[0].method,
            number(time(Path::Generated)),
            number(time(Path::Generic)),
            number(time(Path::Hand)),
            ratio.map_or_else(String::new, |(fast, slow)| format!("{:.1}", slow / fast))
        );
    }
    text += "\n## Chains and rods\n\n";
    text += "All linear systems are eliminated along the chain, so a step takes time in proportion to its\n\
             length; where the numbers of a long chain do not fit into the caches, each takes longer.\n\n";
    text += "| model | group | method | path | n | ns per step | Newton iterations | ns per step and element |\n";
    text += "|-------|-------|--------|------|--:|------------:|------------------:|------------------------:|\n";
    for row in report.rows.iter().filter(|row| row.ns_per_node.is_some()) {
        text += &format!(
            "| {} | `{}` | `{}` | {} | {} | {} | {} | {} |\n",
            row.model,
            row.group,
            row.method,
            row.path,
            row.n,
            number(Some(row.ns_per_step)),
            row.newton.map_or_else(String::new, |n| format!("{n:.1}")),
            number(row.ns_per_node)
        );
    }
    text + OTHERS
}

fn number(x: Option<f64>) -> String {
    x.map_or_else(String::new, |x| format!("{x:.0}"))
}
