//! The spatial slider-crank of Holzinger, Arnold, Gerstmayr: (2024) figures 15 and 16, (2025)
//! figures 9 and 10.

use polhode::generalized_alpha::{GeneralizedAlpha, Sigma};
use polhode_models::machine::{Scheme, Snapshot};
use polhode_models::slider_crank::{SLIDER_AT_A, SLIDER_CRANK, SLIDER_MIDDLE};

use super::claim::{Check, Found, short};
use super::lab::{Lab, slope};
use super::trial::{Experiment, Trial};
use crate::chart::{Axis, Chart, Series};
use crate::failure::Failure;

/// The slider is the third body.
const SLIDER: usize = 2;

fn scheme(method: GeneralizedAlpha, rho: f64, sigma: Sigma) -> Scheme {
    Scheme::GeneralizedAlpha(GeneralizedAlpha { rho, ..method }.sigma(sigma))
}

fn slider(trial: &Trial, state: &Snapshot) -> [f64; 2] {
    trial.point(state, SLIDER, [0.0; 3]).map(|vector| vector.x)
}

/// The slider in the curve that the papers compare with (P. Masarati, in the benchmark library of
/// `IFToMM`): time and position.
const PUBLISHED: [(f64, f64); 4] = [
    (1.0, 0.212_495_6),
    (2.0, 0.288_020_9),
    (3.0, 0.225_994_0),
    (5.0, 0.251_790_6),
];
/// The crank angle at its end.
const PUBLISHED_ANGLE: f64 = 54.114_34;
/// Total energy along that curve at t = 0.1, 1, 3 and 5, evaluated once, outside of this program, from
/// its angle and the rate of it: centre of mass of the crank in the middle, another zero of height.
const PUBLISHED_ENERGY: [f64; 4] = [0.625_20, 0.624_80, 0.624_16, 0.623_42];

/// Distances of a motion, known at t = 1, 2, 3, 4, 5, to the published curve.
fn deviations([one, two, three, _, five]: [f64; 5]) -> [f64; 4] {
    let [a, b, c, d] = PUBLISHED.map(|point| point.1);
    [one - a, two - b, three - c, five - d].map(f64::abs)
}

/// Motion until t = 5, and what the deviation from another program comes from.
///
/// The curve of that program loses energy, which no part of the model takes: its integration does.
/// With the centre of mass at A it would not even be constant up to that.
fn motion(lab: &Lab, rho: f64, sigma: Sigma) -> Result<Found, Failure> {
    const DEVIATION: f64 = 8.6e-3;
    const VISIBLE: f64 = 3e-3;
    let method = scheme(GeneralizedAlpha::index3(), rho, sigma);
    let trial = lab.run(&Experiment::new(&SLIDER_CRANK, method, 1e-4, 5.0))?;
    let error = (slider(&trial, &trial.last)[0] - SLIDER_MIDDLE[4]).abs();
    let [first, second, third, last] = deviations(SLIDER_MIDDLE);
    let other = deviations(SLIDER_AT_A)[..3]
        .iter()
        .copied()
        .fold(0.0, f64::max);
    let [start, end] = [&trial.states[0], &trial.last].map(|s| trial.machine.energy(s).total());
    let lost = PUBLISHED_ENERGY[0] - PUBLISHED_ENERGY[3];
    let falls = PUBLISHED_ENERGY.windows(2).all(|pair| pair[1] < pair[0]);
    let crank = crank_angle(&trial);
    let angle = crank.last().map_or(f64::NAN, |point| point.1);
    let checks = vec![
        Check::new(
            "the slider follows the published curve until t = 3",
            "visually",
            format!(
                "apart by {}, {}, {} at t = 1, 2, 3 (by up to {} with the centre of mass of the crank \
                 at A)",
                short(first),
                short(second),
                short(third),
                short(other)
            ),
            first.max(second).max(third) < VISIBLE && VISIBLE < other,
        ),
        Check::about(
            "deviation from the published curve at t = 5",
            DEVIATION,
            last,
        ),
        Check::new(
            "it is due to the integration method",
            "other methods were used",
            format!(
                "the energy of the published curve falls by {}, and its crank is {:.2} rad behind; \
                 here the energy changes by {}, and the slider is wrong by {}",
                short(lost),
                angle - PUBLISHED_ANGLE,
                short(end - start),
                short(error)
            ),
            falls
                && angle > PUBLISHED_ANGLE
                && (end - start).abs() < 0.01 * lost
                && error < 0.01 * last,
        ),
    ];
    let chart = |title: &str, y: &str, series| Chart {
        title: title.to_owned(),
        subtitle: "slider-crank, index 3, steps of 1e-4".to_owned(),
        x: Axis::linear("time"),
        y: Axis::linear(y),
        series,
    };
    let positions = trial.curve(|state| slider(&trial, state)[0]);
    Ok(Found {
        checks,
        charts: vec![
            chart(
                "Angle of the crank",
                "angle",
                vec![Series::line("crank", crank)],
            ),
            chart(
                "Position of the slider",
                "position",
                vec![
                    Series::line("here", positions),
                    Series::marked("published curve", PUBLISHED.into()),
                ],
            ),
        ],
    })
}

/// The angle of the crank over time.
fn crank_angle(trial: &Trial) -> Vec<(f64, f64)> {
    let joints = trial.machine.joints().iter();
    let crank = joints.take_while(|joint| joint.name != "a").count();
    let angles = trial.angles.iter().zip(&trial.states[1..]);
    let angle = angles.filter_map(|(angles, state)| Some((state.t, (*angles.get(crank)?)?)));
    angle.collect()
}

/// (2024) figure 15.
pub(crate) fn histories(lab: &Lab) -> Result<Found, Failure> {
    motion(lab, 0.9, Sigma::Geom1)
}

/// (2025) figure 9.
pub(crate) fn histories_with_sigma(lab: &Lab) -> Result<Found, Failure> {
    motion(lab, 0.875, Sigma::One)
}

/// Errors of position and velocity of the slider at the end over the step size, and the largest error
/// of its position on the way.
fn errors(lab: &Lab, scheme: &Scheme, until: f64) -> Result<[Vec<(f64, f64)>; 3], Failure> {
    let order5 = super::lab::half_explicit(5).scheme();
    let reference = lab.run(&Experiment::new(&SLIDER_CRANK, order5, 1e-4, until))?;
    let exact = slider(&reference, &reference.last);
    let way = reference.curve(|state| slider(&reference, state)[0]);
    let mut curves = [Vec::new(), Vec::new(), Vec::new()];
    for halving in 1..=5 {
        let h = 4e-3 / f64::from(1_u32 << halving);
        let trial = lab.run(&Experiment::new(&SLIDER_CRANK, scheme.clone(), h, until))?;
        let ours = slider(&trial, &trial.last);
        for ((curve, x), exact) in curves.iter_mut().zip(ours).zip(exact) {
            curve.push((h, (x - exact).abs()));
        }
        let trial_way = trial.curve(|state| slider(&trial, state)[0]);
        curves[2].push((h, largest_distance(&trial_way, &way)));
    }
    Ok(curves)
}

/// Largest distance of two curves at the times that both have.
fn largest_distance(curve: &[(f64, f64)], other: &[(f64, f64)]) -> f64 {
    // Steps are far longer than the rounding errors of their ends.
    const SAME: f64 = 1e-9;
    let mut other = other.iter().peekable();
    let mut largest: f64 = 0.0;
    for (t, x) in curve {
        while other.next_if(|point| point.0 < t - SAME).is_some() {}
        if let Some(point) = other.peek()
            && point.0 < t + SAME
        {
            largest = largest.max((x - point.1).abs());
        }
    }
    largest
}

/// (2024) figure 16, what it says of Lie group methods.
pub(crate) fn convergence(lab: &Lab) -> Result<Found, Failure> {
    let scheme = scheme(GeneralizedAlpha::index3(), 0.9, Sigma::Geom1);
    let [positions, ..] = errors(lab, &scheme, 5.0)?;
    Ok(Found {
        checks: vec![Check::order(
            "the slider at t = 5 converges with second order",
            2.0,
            slope(&positions[1..]),
        )],
        charts: vec![Chart {
            title: "Convergence of the slider-crank".to_owned(),
            subtitle: "slider at t = 5, index 3, rho 0.9".to_owned(),
            x: Axis::log("step size"),
            y: Axis::log("error of the position"),
            series: vec![Series::marked("generalized-alpha", positions)],
        }],
    })
}

/// Geometric mean of the ratios of two curves of errors.
fn mean_ratio(curve: &[(f64, f64)], other: &[(f64, f64)]) -> f64 {
    let logs = curve.iter().zip(other).map(|(a, b)| (a.1 / b.1).ln());
    #[expect(clippy::cast_precision_loss, reason = "a handful of points")]
    let count = curve.len().max(1) as f64;
    (logs.sum::<f64>() / count).exp()
}

/// (2025) figure 10.
pub(crate) fn gain(lab: &Lab) -> Result<Found, Failure> {
    let mut found = Found::default();
    let mut series = [Vec::new(), Vec::new()];
    for (formulation, method) in [
        ("index 3", GeneralizedAlpha::index3()),
        ("index 2", GeneralizedAlpha::index2()),
    ] {
        let mut plain: Option<[Vec<(f64, f64)>; 3]> = None;
        for (name, sigma) in [("sigma 0", Sigma::Geom1), ("sigma 1", Sigma::One)] {
            let curves = errors(lab, &scheme(method, 0.875, sigma), 2.0)?;
            let geom1 = plain.get_or_insert(curves.clone()).clone();
            let on_the_way = mean_ratio(&curves[2], &geom1[2]);
            for (i, (quantity, curve)) in
                ["position", "velocity"].into_iter().zip(curves).enumerate()
            {
                if sigma != Sigma::Geom1 {
                    let ratio = mean_ratio(&curve, &geom1[i]);
                    let check = Check::new(
                        &format!(
                            "{quantity} at t = 2, {formulation}, {name}: more accurate than sigma 0"
                        ),
                        "smaller error",
                        format!("{ratio:.2} of the error, geometric mean over the steps"),
                        ratio < 1.0,
                    );
                    found.checks.push(check.or(|| {
                        let share = mean_ratio(&geom1[0], &geom1[2]);
                        format!(
                            "at this one time the error of sigma 0 is close to a zero of it, {share:.2} \
                             of its largest on [0, 2]; the largest error of the position on [0, 2] with \
                             {name} is {on_the_way:.2} of that of sigma 0"
                        )
                    }));
                }
                series[i].push(Series::marked(&format!("{formulation}, {name}"), curve));
            }
        }
    }
    let [positions, velocities] = series;
    let chart = |title: &str, series| Chart {
        title: title.to_owned(),
        subtitle: "slider at t = 2, generalized-alpha, rho 0.875".to_owned(),
        x: Axis::log("step size"),
        y: Axis::log("error"),
        series,
    };
    found.charts = vec![chart("Position", positions), chart("Velocity", velocities)];
    Ok(found)
}
