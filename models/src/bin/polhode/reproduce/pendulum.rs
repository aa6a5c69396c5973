//! Arnold, Cardona, Bruls (2016): the multipliers of the mathematical pendulum.

use core::ops::ControlFlow;

use polhode::generalized_alpha::GeneralizedAlpha;
use polhode::starting_values::StartingValues;
use polhode_models::machine::{Order, Scheme};
use polhode_models::model::Path;
use polhode_models::pendulum::PENDULUM;

use super::claim::{Check, Found, short};
use super::lab::Lab;
use crate::chart::{Axis, Chart, Series};
use crate::failure::Failure;
use crate::subject::Subject;

/// Error of the multiplier after every step of index 3 with classical starting values.
fn errors(x0: f64, h: f64) -> Result<Vec<(f64, f64)>, Failure> {
    let mut choice = PENDULUM.choice();
    choice.values = vec![("x0", x0)];
    let machine = Subject::chosen(&PENDULUM, choice.clone()).machine(Path::Generic)?;
    let scheme = Scheme::GeneralizedAlpha(GeneralizedAlpha {
        rho: 0.9,
        start: StartingValues::Classical,
        ..GeneralizedAlpha::index3()
    });
    let order = Order {
        scheme: &scheme,
        step: Some(h),
        until: 4.0,
        stop_at: &[],
    };
    let mut curve = Vec::new();
    let run = machine.run(
        &order,
        Some(&mut |step| {
            let t = step.state.t;
            if let Some(exact) = PENDULUM.exact(&choice, t) {
                curve.push((t, step.state.lambda[0] - exact.lambda[0]));
            }
            ControlFlow::Continue(())
        }),
    );
    match run.error {
        Some(error) => Err(Failure::solve("pendulum", &error)),
        None => Ok(curve),
    }
}

fn largest(curve: &[(f64, f64)]) -> f64 {
    curve
        .iter()
        .fold(0.0, |largest, point| largest.max(point.1.abs()))
}

/// Figure 5.
pub(crate) fn transient(_: &Lab) -> Result<Found, Failure> {
    let mut found = Found::default();
    for (h, printed) in [(2e-2, 2.48e-1), (1e-2, 1.23e-1)] {
        let displaced = errors(0.2, h)?;
        let centred = errors(0.0, h)?;
        let amplitude = largest(&displaced);
        found.checks.push(Check::number(
            &format!("largest error of the multiplier, x0 = 0.2, h = {h}"),
            printed,
            5e-4,
            amplitude,
        ));
        let quiet = largest(&centred[..50]) / amplitude;
        found.checks.push(Check::new(
            &format!("the error is very small if x0 = 0, h = {h}"),
            "very small",
            format!("{} times as large, first 50 steps", short(quiet)),
            quiet < 0.05,
        ));
        let left = largest(&displaced[100..]) / amplitude;
        found.checks.push(Check::new(
            &format!("after about 100 steps the oscillation is damped out, h = {h}"),
            "damped out",
            format!("{} of the amplitude is left", short(left)),
            left < 0.1,
        ));
        let short_time = |curve: Vec<(f64, f64)>| curve.into_iter().take(120).collect();
        found.charts.push(Chart {
            title: "Error of the multiplier of the pendulum".to_owned(),
            subtitle: format!("index 3, rho 0.9, classical starting values, steps of {h}"),
            x: Axis::linear("time"),
            y: Axis::linear("error"),
            series: vec![
                Series::marked("x0 = 0.2", short_time(displaced)),
                Series::marked("x0 = 0", short_time(centred)),
            ],
        });
    }
    Ok(found)
}
