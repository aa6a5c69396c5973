//! Tumiotto, Arnold (2024), section 4: roll-up and flying spaghetti. Figures 9 to 12.

use polhode::control::Controller;
use polhode::half_explicit::{HalfExplicit, Multipliers};
use polhode::run::StepRecord;
use polhode_models::machine::Scheme;
use polhode_models::model::Model;
use polhode_models::rods::{ROLL_UP, SPAGHETTI};

use super::claim::{Check, Found, short};
use super::lab::{Lab, slope};
use super::trial::{Experiment, Trial};
use crate::chart::{Axis, Chart, Series};
use crate::failure::Failure;
use crate::json::distance;

fn scheme(order: usize) -> Scheme {
    let method = match order {
        2 => HalfExplicit::order2(),
        3 => HalfExplicit::order3(),
        4 => HalfExplicit::order4(),
        _ => HalfExplicit::order5(),
    };
    Scheme::HalfExplicit(method, Multipliers::Raw)
}

/// Largest errors of each method over the step size, relative, in positions and rotations at t = 1.
fn errors(lab: &Lab, model: &'static Model, order: usize) -> Result<Vec<(f64, f64)>, Failure> {
    // Steps that are stable, and errors above those of the reference.
    let (first, count) = match (model.name, order) {
        ("roll-up", 2 | 3) => (512, 4),
        ("roll-up", 4) => (512, 3),
        ("roll-up", _) => (256, 3),
        (_, 3) => (2048, 3),
        (_, 5) => (512, 3),
        _ => (1024, 3),
    };
    let exact = model.exact(&model.choice(), 1.0);
    let exact = exact.ok_or_else(|| Failure::Simulation("no reference".to_owned()))?;
    let size = distance(&exact.q, &vec![0.0; exact.q.len()]);
    (0..count)
        .map(|i| {
            let h = 1.0 / f64::from(first << i);
            let trial = lab.run(&Experiment::new(model, scheme(order), h, 1.0))?;
            Ok((h, distance(&trial.last.q, &exact.q) / size))
        })
        .collect()
}

/// Figure 9.
pub(crate) fn convergence(lab: &Lab) -> Result<Found, Failure> {
    let mut found = Found::default();
    for model in [&ROLL_UP, &SPAGHETTI] {
        let mut series = Vec::new();
        for order in 2..=5 {
            let curve = errors(lab, model, order)?;
            let observed = slope(&curve);
            let expected = f64::from(u8::try_from(order).unwrap_or(0));
            found.checks.push(Check::new(
                &format!("{}: the method of order {order} has its order", model.name),
                &format!("order {order}"),
                format!("order {observed:.2}"),
                // Some errors of order 5 still fall faster than they will.
                observed > expected - 0.25,
            ));
            series.push(Series::marked(&format!("order {order}"), curve));
        }
        found.charts.push(Chart {
            title: format!("Convergence on the {}", model.name),
            subtitle: format!("{} elements, relative error at t = 1", model.choice().n),
            x: Axis::log("step size"),
            y: Axis::log("relative error of positions and rotations"),
            series,
        });
    }
    Ok(found)
}

/// Fixed steps with an estimate of their errors: no step is rejected, and none may grow.
fn estimating(h: f64) -> Scheme {
    let method = HalfExplicit::order5()
        .tolerances(1.0, 1e-9)
        .controller(Controller::new(5).limits(0.0, h));
    Scheme::HalfExplicit(method, Multipliers::Raw)
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

fn estimates(trial: &Trial, from: f64, to: f64) -> Vec<f64> {
    let inside = |step: &&StepRecord| (from..to).contains(&step.t);
    let steps = trial.steps.iter().filter(inside);
    steps.filter_map(|step| step.error).collect()
}

/// Figure 10.
pub(crate) fn local_errors(lab: &Lab) -> Result<Found, Failure> {
    const UNTIL: f64 = 5.0;
    let mut found = Found::default();
    for (model, coarse) in [(&ROLL_UP, 256_u32), (&SPAGHETTI, 512)] {
        let mut series = Vec::new();
        let mut medians: Vec<f64> = Vec::new();
        for halving in 0..3 {
            let h = 1.0 / f64::from(coarse << halving);
            let trial = lab.run(&Experiment::new(model, estimating(h), h, UNTIL))?;
            medians.push(median(estimates(&trial, 0.5, UNTIL)));
            let steps = trial.steps.iter();
            let curve = steps.filter_map(|step| Some((step.t, step.error?)));
            series.push(Series::line(
                &format!("h = 1/{}", coarse << halving),
                curve.collect(),
            ));
            if halving == 1 {
                let [early, late] = [(0.0, 1.0), (4.0, 5.0)].map(|(a, b)| estimates(&trial, a, b));
                let ratio = median(late.clone()) / median(early);
                if model.name == "roll-up" {
                    found.checks.push(
                        Check::new(
                            "roll-up: the estimate decreases as the rod comes to rest",
                            "decreases",
                            format!("median on [4, 5] {} times that on [0, 1]", short(ratio)),
                            ratio < 0.5,
                        )
                        .or(|| {
                            "it does not: the rod still swings about the ring at t = 5".to_owned()
                        }),
                    );
                }
            }
        }
        for (pair, name) in medians.windows(2).zip(["2h and h", "h and h/2"]) {
            let ratio = pair[0] / pair[1];
            let check = Check::new(
                &format!("{}: ratio of the estimates for {name}", model.name),
                "about 2^(4+1) = 32",
                format!("{ratio:.1}"),
                // Half an order up or down: an estimate one order off fails.
                (22.6..45.3).contains(&ratio),
            );
            found.checks.push(check.or(|| {
                format!(
                    "{ratio:.1}: steps of this size do not resolve the fastest motion of the \
                     rod, its extension, and the estimate is that of its error"
                )
            }));
        }
        found.charts.push(Chart {
            title: format!("Estimated local error, {}", model.name),
            subtitle: "order 5 with fixed steps, root mean square over all nodes".to_owned(),
            x: Axis::linear("time"),
            y: Axis::log("estimate"),
            series,
        });
    }
    Ok(found)
}

/// The adaptive method as the paper runs it.
fn adaptive(model: &'static Model, until: f64) -> Experiment {
    let method = HalfExplicit::order5()
        .tolerances(1e-8, 1e-6)
        .controller(Controller::new(5));
    let scheme = Scheme::HalfExplicit(method, Multipliers::Raw);
    Experiment::new(model, scheme, 1e-3, until).with("held-stiffness", 1.0)
}

fn steps_curve(trial: &Trial) -> Vec<(f64, f64)> {
    trial.steps.iter().map(|step| (step.t, step.h)).collect()
}

fn errors_curve(trial: &Trial) -> Vec<(f64, f64)> {
    let steps = trial.steps.iter();
    steps
        .filter_map(|step| Some((step.t, step.error?)))
        .collect()
}

/// Figure 11.
pub(crate) fn adaptive_steps(lab: &Lab) -> Result<Found, Failure> {
    let mut found = Found::default();
    let ring = lab.run(&adaptive(&ROLL_UP, 5.0))?;
    let flying = lab.run(&adaptive(&SPAGHETTI, 5.0))?;
    let early = [&ring, &flying].map(|trial| trial.mean_step(0.0, 1.0));
    let late = [&ring, &flying].map(|trial| trial.mean_step(2.0, 5.0));
    let ratio = early[0] / early[1];
    found.checks.push(Check::new(
        "in the first second the steps are of comparable size",
        "comparable",
        format!("mean {} and {}", short(early[0]), short(early[1])),
        (0.5..2.0).contains(&ratio),
    ));
    let growth = late[0] / early[0];
    found.checks.push(Check::new(
        "after t = 1 the steps of the roll-up grow substantially",
        "substantially",
        format!("mean on [2, 5] {growth:.2} times that on [0, 1]"),
        growth > 1.5,
    ));
    let growth = late[1] / early[1];
    found.checks.push(Check::new(
        "those of the spaghetti remain bounded",
        "bounded",
        format!("mean on [2, 5] {growth:.2} times that on [0, 1]"),
        growth < 1.5,
    ));
    // The ring is where the roll-up comes to rest: a closed circle.
    let rest = lab.run(&adaptive(&ROLL_UP, 30.0))?;
    let nodes = rest.machine.space().factors().count();
    let [tip, _] = rest.point(&rest.last, nodes - 1, [0.0; 3]);
    found.checks.push(Check::new(
        "the closed ring is the equilibrium of the roll-up",
        "closed",
        format!(
            "at t = 30 its ends are {} of its length apart",
            short(tip.norm() / 10.0)
        ),
        tip.norm() < 0.01 * 10.0,
    ));
    found.charts = [
        (
            "Estimated error over the tolerance",
            errors_curve as fn(&Trial) -> Vec<(f64, f64)>,
        ),
        ("Step size", steps_curve),
    ]
    .map(|(title, curve)| Chart {
        title: title.to_owned(),
        subtitle: format!(
            "adaptive order 5, atol 1e-8, rtol 1e-6; {} and {} steps",
            ring.accepted, flying.accepted
        ),
        x: Axis::linear("time"),
        y: Axis::log(title),
        series: vec![
            Series::line("roll-up", curve(&ring)),
            Series::line("spaghetti", curve(&flying)),
        ],
    })
    .into();
    Ok(found)
}

/// Mean of `|ln(h_{n+1} / h_n)|`: how restless the step sizes are.
fn restlessness(trial: &Trial) -> f64 {
    let sizes = trial.steps.windows(2);
    let changes = sizes.map(|pair| (pair[1].h / pair[0].h).ln().abs());
    #[expect(clippy::cast_precision_loss, reason = "a number of steps")]
    let count = trial.steps.len().max(2) as f64 - 1.0;
    changes.sum::<f64>() / count
}

/// Figure 12.
pub(crate) fn stiff(lab: &Lab) -> Result<Found, Failure> {
    let mut found = Found::default();
    let soft = lab.run(&adaptive(&ROLL_UP, 5.0))?;
    let stiff = lab.run(&adaptive(&ROLL_UP, 5.0).with("bending", 5e4))?;
    for (name, trial) in [("5e2", &soft), ("5e4", &stiff)] {
        let growth = trial.mean_step(4.0, 5.0) / trial.mean_step(0.0, 1.0);
        found.checks.push(Check::new(
            &format!("bending stiffness {name}: the steps grow towards the end"),
            "increases",
            format!("mean on [4, 5] {growth:.2} times that on [0, 1]"),
            growth > 1.2,
        ));
    }
    found.checks.push(Check::new(
        "the stiff rod needs smaller steps",
        "smaller",
        format!(
            "{} steps until t = 5 instead of {}",
            stiff.accepted, soft.accepted
        ),
        stiff.accepted > soft.accepted,
    ));
    let [calm, wild] = [&soft, &stiff].map(|trial| restlessness(trial));
    found.checks.push(
        Check::new(
            "with the smaller stiffness the step size varies less",
            "less variation",
            format!(
                "the step size changes by {:.1} % on average, and by {:.1} % for the stiff rod; {} \
             and {} rejections",
                100.0 * calm,
                100.0 * wild,
                soft.rejected,
                stiff.rejected
            ),
            calm < wild,
        )
        .or(|| "the stiff rod has the smoother steps here".to_owned()),
    );
    let series = |curve: fn(&Trial) -> Vec<(f64, f64)>| {
        vec![
            Series::line("bending 5e2", curve(&soft)),
            Series::line("bending 5e4", curve(&stiff)),
        ]
    };
    let chart = |title: &str, series| Chart {
        title: title.to_owned(),
        subtitle: "roll-up, adaptive order 5, atol 1e-8, rtol 1e-6".to_owned(),
        x: Axis::linear("time"),
        y: Axis::log(title),
        series,
    };
    found.charts = vec![
        chart("Step size", series(steps_curve)),
        chart("Estimated error over the tolerance", series(errors_curve)),
    ];
    Ok(found)
}
