//! `polhode` alone: a tour of the heavy top.

use std::path::PathBuf;

use polhode_models::machine::Scheme;
use polhode_models::model::Path;

use crate::args::{ABSOLUTE_TO_RELATIVE, MethodName};
use crate::chart::{Axis, Chart, Series};
use crate::converge;
use crate::failure::Failure;
use crate::files::Directory;
use crate::json::Errors;
use crate::plots;
use crate::run::write_files;
use crate::simulate::{Plan, simulate};
use crate::subject::{Subject, find};
use crate::table::{Table, scientific};

/// Options of the tour.
#[derive(clap::Args, Debug)]
pub(crate) struct Tour {
    /// Directory for the plots of the tour.
    #[arg(long, value_name = "DIR", default_value = "polhode-out")]
    out: PathBuf,
}

const MODEL: &str = "heavy-top";
const STEP: f64 = 1e-3;
const TOLERANCE: f64 = 1e-8;

impl Tour {
    pub(crate) fn execute(&self) -> Result<String, Failure> {
        let model = find(MODEL)?;
        let mut out = Directory::create(&self.out)?;
        let subjects: Vec<Subject> = model.groups[..2]
            .iter()
            .map(|&group| Subject::chosen(model, model.choice_in(group)))
            .collect();
        let headings = [
            "method",
            "steps",
            "group",
            "count",
            "generic ns",
            "generated ns",
            "ratio",
            "energy drift",
            "|Phi|",
            "|B v|",
            "error q",
            "error lambda",
        ];
        let mut table = Table::new(3, &headings);
        let mut energies = Vec::new();
        for plan in plans() {
            for subject in &subjects {
                // The files of one run are enough: those of the first.
                let out = energies.is_empty().then_some(&mut out);
                let stop = stop(subject, &plan, out)?;
                table.row(stop.cells);
                energies.push(stop.energy);
            }
        }
        out.write_text("energy-errors.svg", &energy_chart(energies).svg())?;
        out.write_text("convergence.svg", &convergence_chart(&subjects[0])?.svg())?;
        Ok(text(&table, &subjects, &out))
    }
}

/// The runs of the tour.
fn plans() -> Vec<Plan> {
    let fixed = |method: MethodName| Plan {
        scheme: method.default_scheme(),
        method: method.name(),
        step: Some(STEP),
        until: 1.0,
        kinks: &[],
        timed: true,
    };
    let mut adaptive = fixed(MethodName::He5);
    if let Scheme::HalfExplicit(method, multipliers) = adaptive.scheme {
        let method = method.tolerances(TOLERANCE * ABSOLUTE_TO_RELATIVE, TOLERANCE);
        adaptive.scheme = Scheme::HalfExplicit(method, multipliers);
        adaptive.step = None;
    }
    vec![
        adaptive,
        fixed(MethodName::He5),
        fixed(MethodName::Ga3),
        fixed(MethodName::Ga2s),
    ]
}

/// What is shown of a run.
struct Shown {
    cells: Vec<String>,
    energy: (String, Vec<(f64, f64)>),
}

/// One run of the tour.
fn stop(subject: &Subject, plan: &Plan, out: Option<&mut Directory>) -> Result<Shown, Failure> {
    let generated = subject.machine(Path::Generated)?;
    let generated = simulate(generated.as_ref(), plan).ns_per_step;
    let machine = subject.machine(Path::Generic)?;
    let machine = machine.as_ref();
    let simulated = simulate(machine, plan);
    if let Some(error) = &simulated.error {
        let context = format!("{} with {}", subject.name, plan.method);
        return Err(Failure::solve(&context, error));
    }
    if let Some(out) = out {
        write_files(subject, machine, plan, &simulated, out)?;
    }
    let errors = subject
        .known(plan.until)
        .map(|known| Errors::new(machine, &simulated.last, &known));
    let steps = match plan.step {
        Some(h) => format!("h = {h}"),
        None => "adaptive".to_owned(),
    };
    let drift = simulated.energy_end.total() - simulated.energy_start.total();
    Ok(Shown {
        energy: (
            format!("{} {} {steps}", plan.method, subject.group),
            plots::energy(machine, &simulated),
        ),
        cells: vec![
            plan.method.to_owned(),
            steps,
            subject.group.clone(),
            simulated.stats.accepted.to_string(),
            format!("{:.0}", simulated.ns_per_step),
            format!("{generated:.0}"),
            format!("{:.1}", simulated.ns_per_step / generated),
            format!("{drift:.1e}"),
            format!("{:.1e}", simulated.residuals.position),
            format!("{:.1e}", simulated.residuals.velocity),
            scientific(errors.map(|e| e.position.hypot(e.rotation.unwrap_or(0.0)))),
            scientific(errors.and_then(|e| e.lambda)),
        ],
    })
}

/// A colour for each method, dashes for the second group.
fn energy_chart(energies: Vec<(String, Vec<(f64, f64)>)>) -> Chart {
    let series = energies.into_iter().enumerate().map(|(i, (name, points))| {
        let points = points.into_iter().map(|(t, e)| (t, e.abs()));
        let series = Series::line(&name, points.collect()).coloured(i / 2);
        if i % 2 == 1 { series.dashed() } else { series }
    });
    Chart {
        title: "Energy error of the heavy top".to_owned(),
        subtitle: "absolute difference to the initial energy".to_owned(),
        x: Axis::linear("time"),
        y: Axis::log("|E(t) \u{2212} E(0)|"),
        series: series.collect(),
    }
}

/// Errors of all methods over the step size.
fn convergence_chart(subject: &Subject) -> Result<Chart, Failure> {
    let methods = [
        MethodName::He2,
        MethodName::He3,
        MethodName::He4,
        MethodName::He5,
        MethodName::Ga3,
        MethodName::Ga2,
        MethodName::Ga2s,
    ];
    let mut series = Vec::new();
    for method in methods {
        let plan = Plan {
            scheme: method.default_scheme(),
            method: method.name(),
            step: None,
            until: subject.end,
            kinks: subject.kinks(),
            timed: false,
        };
        let Some(known) = subject.known(plan.until) else {
            continue;
        };
        let steps = converge::default_steps(subject);
        let rows = converge::rows(subject, Path::Generic, &plan, &steps, &known)?;
        let points = rows.iter().map(|row| (row.h, row.q)).collect();
        let curve = Series::marked(method.name(), points);
        series.push(match plan.scheme {
            Scheme::HalfExplicit(..) => curve,
            Scheme::GeneralizedAlpha(_) => curve.dashed(),
        });
    }
    Ok(Chart {
        title: "Convergence on the heavy top".to_owned(),
        subtitle: format!(
            "error of the configuration at t = 1 in {}, against 25 digits",
            subject.group
        ),
        x: Axis::log("step size"),
        y: Axis::log("distance to the exact configuration"),
        series,
    })
}

fn text(table: &Table, subjects: &[Subject], out: &Directory) -> String {
    let groups: Vec<&str> = subjects.iter().map(|s| s.group.as_str()).collect();
    format!(
        "The heavy top: 15 kg at 1 m from a fixed point, spinning at 150 rad/s, until t = 1 s.\n\
         Both families of methods in {}, assembled at run time (generic) and generated by the macro.\n\
         he5: half-explicit Runge-Kutta of order 5, adaptive at rtol {TOLERANCE:e} or with fixed steps;\n\
         ga3, ga2s: generalized-alpha, index 3 and stabilized index 2.\n\n{}\n  \
         |Phi|, |B v|: largest residuals of the constraints over all steps;\n  \
         errors: at t = 1 against the exact motion in 25 digits.\n\n\
         Wrote {}\n\
         Open view.html in a browser. Next: `polhode list`, `polhode run heavy-top --help`.\n",
        groups.join(" and "),
        table.text(),
        out.summary()
    )
}
