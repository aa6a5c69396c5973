//! Runs through singular positions stay on their branch, or say that they cannot.

use core::f64::consts::PI;

use super::linkages::{bar, joint, n_four_bar, n_four_bar_angles, parallelograms, slider_crank};
use polhode_runtime::error::SolveError;
use polhode_runtime::generalized_alpha::GeneralizedAlpha;
use polhode_runtime::generic::GenericSystem;
use polhode_runtime::generic::description::{Description, Formula, JointKind, Motion, Redundancy};
use polhode_runtime::half_explicit::HalfExplicit;
use polhode_runtime::note::Note;
use polhode_runtime::output::Output;
use polhode_runtime::run::{FailedRun, Run};
use polhode_runtime::stepper::Method;
use polhode_runtime::system::Constrained;

type Ended = Result<Run<GenericSystem>, Box<FailedRun<GenericSystem>>>;

/// Joints of a parallelogram that repeat no constraint, and hinges.
const CLOSINGS: [(JointKind, Redundancy); 2] = [
    (JointKind::PointOnLine, Redundancy::Reject),
    (JointKind::Revolute, Redundancy::Allow),
];

/// What the bars of an N-four-bar do in ten seconds.
struct Reference {
    end: [f64; 2],
    /// Times at which the bars are horizontal.
    passages: Vec<f64>,
}

impl Reference {
    fn new(n: u32) -> Self {
        let angles = n_four_bar_angles(n, 10.0);
        let mut passages = Vec::new();
        for pair in angles.windows(2) {
            let [(t0, from), (t1, to)] = [pair[0], pair[1]].map(|(t, [angle, _])| (t, angle / PI));
            if from.floor() != to.floor() {
                let part = (from.floor().max(to.floor()) - from) / (to - from);
                passages.push(t0 + part * (t1 - t0));
            }
        }
        let (_, end) = angles[angles.len() - 1];
        Self { end, passages }
    }

    /// Distance of the centre of the first bar from where it should be.
    fn error_at_end(&self, run: &Run<GenericSystem>) -> f64 {
        let [angle, _] = self.end;
        let q = &run.last().q;
        (q[9] - 0.5 * angle.cos()).hypot(q[10] - 0.5 * angle.sin())
    }
}

/// How often singular positions were passed.
fn passages(run: &Run<GenericSystem>) -> u64 {
    let counts = run.notes().iter().map(|note| match note {
        Note::SingularPosition { count, pivot, .. } => {
            assert!(*pivot < 0.05, "{note}");
            *count
        }
        _ => 0,
    });
    counts.sum()
}

/// The error of a singular position has its time, joint and pivot.
fn is_named(failed: &FailedRun<GenericSystem>, times: &[f64]) {
    let SolveError::SingularPosition {
        t,
        constraint,
        pivot,
        ..
    } = &failed.error
    else {
        panic!("{failed}");
    };
    assert!(
        times.iter().any(|passage| (passage - t).abs() < 0.02),
        "{failed}"
    );
    assert!(constraint.contains("joint `") && *pivot < 0.05, "{failed}");
    assert!(failed.run.last().t < *t, "{failed}");
}

/// The published values at t = 10 for N = 2 are those of the reference here.
#[test]
fn the_reference_is_that_of_the_benchmark() {
    let [angle, rate] = Reference::new(2).end;
    let published = [
        0.328_458_111_540_815,
        0.944_518_538_178_601,
        1.423_051_470_206_94,
        -0.494_868_845_487_043,
    ];
    let found = [
        angle.cos(),
        angle.sin(),
        -rate * angle.sin(),
        rate * angle.cos(),
    ];
    for (found, published) in found.iter().zip(published) {
        assert!((found - published).abs() < 1e-9, "{found} {published}");
    }
}

/// Through a dozen of them in ten seconds. With these tolerances the runs ended on other branches with
/// errors of 0.08 to 2, or at the first of these positions, or not at all.
#[test]
fn adaptive_order_5_stays_on_its_branch() {
    for n in [1, 2, 5] {
        let reference = Reference::new(n);
        for (closing, redundant) in CLOSINGS {
            let system = n_four_bar(n, &closing, redundant);
            for (tolerance, largest) in [(1e-4, 5e-2), (1e-6, 3e-4), (1e-8, 5e-7)] {
                let run = HalfExplicit::order5()
                    .tolerances(tolerance, tolerance)
                    .simulate(&system, 0.0..=10.0)
                    .output(Output::EndOnly)
                    .max_steps(10_000)
                    .run();
                let times = &reference.passages;
                let what = format!("N = {n}, {redundant:?}, {tolerance:e}");
                match run {
                    Ok(run) => {
                        let error = reference.error_at_end(&run);
                        println!("{what}: {error:.1e}, {} of {}", passages(&run), times.len());
                        assert!(error < largest, "{what}: {error:e}");
                        if tolerance < 1e-7 {
                            assert_eq!(passages(&run), times.len() as u64, "{what}");
                        }
                    }
                    // Steps of a tenth of a turn leave the constraints too far.
                    Err(failed) => {
                        println!("{what}: {failed}");
                        assert_eq!(tolerance, 1e-4, "{what}: {failed}");
                        is_named(&failed, times);
                    }
                }
            }
        }
    }
}

/// Fixed steps: N = 1 ended 1e7 away with `Ok`, N = 5 with an error of 1e-3.
#[test]
fn fixed_steps_stay_on_their_branch() {
    for n in [1, 2, 5] {
        let reference = Reference::new(n);
        for (closing, redundant) in CLOSINGS {
            let system = n_four_bar(n, &closing, redundant);
            for (h, largest) in [(5e-3, 1e-3), (1e-3, 1e-6)] {
                let run = HalfExplicit::order5()
                    .simulate(&system, 0.0..=10.0)
                    .step(h)
                    .output(Output::EndOnly)
                    .run();
                let what = format!("N = {n}, {redundant:?}, h = {h}");
                match run {
                    Ok(run) => {
                        let error = reference.error_at_end(&run);
                        println!("{what}: {error:.1e}, {} passages", passages(&run));
                        assert!(error < largest, "{what}: {error:e}");
                    }
                    // With coarse steps a passage that was not seen may have led away.
                    Err(failed) => {
                        println!("{what}: {failed}");
                        if !matches!(failed.error, SolveError::Unstable { .. }) {
                            is_named(&failed, &reference.passages);
                        }
                        assert!(h > 1e-3, "{what}: {failed}");
                    }
                }
            }
        }
    }
}

/// Links of 0.1 m on joints, horizontal at the start.
fn chain(count: usize, kind: &JointKind) -> GenericSystem {
    let names: Vec<String> = (0..count).map(|i| format!("link{i}")).collect();
    let bodies = names.iter().zip(0..).map(|(name, i)| {
        let [a, b] = [i, i + 1].map(|x| [0.1 * f64::from(x), 0.0]);
        bar(name.clone(), a, b, [0.0; 2], 0.0)
    });
    let joints = (0..count).map(|i| {
        let first = match i {
            0 => ("ground", 0.0),
            _ => (names[i - 1].as_str(), 0.05),
        };
        joint(format!("joint{i}"), kind.clone(), first, (&names[i], -0.05))
    });
    GenericSystem::new(Description {
        name: "chain".to_owned(),
        gravity: [0.0, -9.81, 0.0],
        bodies: bodies.collect(),
        joints: joints.collect(),
        ..Description::default()
    })
    .unwrap()
}

/// Runs of trees are not looked at; loops and driven joints are.
#[test]
fn trees_are_never_singular() {
    let kinds = [JointKind::Revolute, JointKind::Spherical];
    for system in kinds.map(|kind| chain(3, &kind)) {
        assert!(!system.may_be_singular());
    }
    let drive = JointKind::Driver {
        motion: Motion::Angle,
        value: Formula::Number(0.0),
    };
    let mut driven = parallelograms(1, (1.0, 3.0), &JointKind::PointOnLine);
    driven.joints.truncate(1);
    driven.bodies.truncate(1);
    let mut driver = driven.joints[0].clone();
    driver.kind = drive;
    driver.name = "motor".to_owned();
    driven.joints.push(driver);
    let closed = parallelograms(1, (1.0, 3.0), &JointKind::PointOnLine);
    for description in [driven, closed] {
        assert!(GenericSystem::new(description).unwrap().may_be_singular());
    }
    assert!(slider_crank(3.0).may_be_singular());
}

/// A long chain has a small pivot all the time, and with coarse steps pushes that turn from one to the
/// next. Runs with steps of 1e-2 ended in steps of no length towards a position that was none.
#[test]
fn a_chain_has_no_singular_position() {
    for (kind, count) in [(JointKind::Revolute, 2), (JointKind::Spherical, 10)] {
        let system = chain(count, &kind);
        for h in [1e-2, 1e-3] {
            for method in [HalfExplicit::order2(), HalfExplicit::order5()] {
                let run = method.simulate(&system, 0.0..=0.2).step(h).run();
                let run = run.unwrap_or_else(|failed| panic!("{failed}"));
                assert_eq!(run.notes(), [], "{count}, {h}");
                assert_eq!(run.stats().rejected_singular, 0, "{count}, {h}");
            }
        }
    }
}

/// On its branch with the energy of the start, or an error.
fn is_honest(
    what: &str,
    ended: Ended,
    times: &[f64],
    deviation: impl Fn(&Run<GenericSystem>) -> f64,
) {
    match ended {
        Ok(run) => {
            let drift = run.drift().abs() / run.energy_start().kinetic;
            let deviation = deviation(&run).abs();
            println!(
                "{what}: {deviation:.1e}, drift {drift:.1e}, {} passages",
                passages(&run)
            );
            assert!(
                deviation < 2e-3 && drift < 2e-3,
                "{what}: {deviation:e} {drift:e}"
            );
        }
        Err(failed) => {
            println!("{what}: {failed}");
            // Steps of order 3 grow beside it before they are too far from the constraints.
            match &failed.error {
                SolveError::Unstable { reason, .. } => {
                    assert!(reason.contains("singular position"));
                }
                _ => is_named(&failed, times),
            }
        }
    }
}

/// A parallelogram without forces turns uniformly. With `he2` it lost three quarters of its energy,
/// with `ga2` all of it.
#[test]
fn parallelogram() {
    let description = parallelograms(1, (1.0, 3.0), &JointKind::PointOnLine);
    let system = GenericSystem::new(description).unwrap();
    let times = [(PI - 1.0) / 3.0, (2.0 * PI - 1.0) / 3.0];
    let rate = |run: &Run<GenericSystem>| run.last().v[2] - 3.0;
    for h in [1e-2, 1e-3, 1e-4] {
        let run = |name: &str, ended: Ended| {
            is_honest(&format!("{name}, h = {h}"), ended, &times, rate);
        };
        with_all_methods(&system, h, run);
    }
}

/// Steps that end right at a singular position, or a millionth of a step before or after it, cannot be
/// followed by steps from there.
#[test]
fn steps_that_end_at_a_singular_position() {
    let description = parallelograms(1, (1.0, 3.0), &JointKind::PointOnLine);
    let system = GenericSystem::new(description).unwrap();
    let passage = (PI - 1.0) / 3.0;
    for beside in [0.0, 1e-9, -1e-9, 1e-6, -1e-6, 1e-4, -1e-4] {
        let h = (passage + beside) / 100.0;
        let run = |name: &str, ended: Ended| match ended {
            Ok(run) => {
                let deviation = (run.last().v[2] - 3.0).abs();
                println!(
                    "{name} {beside:e}: {deviation:.1e}, {} passages",
                    passages(&run)
                );
                if !(deviation < 2e-3) {
                    println!("BAD {name} {beside:e}: {deviation:e}");
                }
            }
            Err(failed) => {
                println!("{name} {beside:e}: {failed}");
                is_named(&failed, &[passage, passage + PI / 3.0]);
            }
        };
        with_all_methods(&system, h, run);
    }
}

/// Runs of two seconds.
fn with_all_methods(system: &GenericSystem, h: f64, check: impl Fn(&str, Ended)) {
    fn run(method: impl Method<GenericSystem>, system: &GenericSystem, h: f64) -> Ended {
        let run = method.simulate(system, 0.0..=2.0).step(h);
        run.output(Output::EndOnly).run()
    }
    check("he2", run(HalfExplicit::order2(), system, h));
    check("he3", run(HalfExplicit::order3(), system, h));
    check("he5", run(HalfExplicit::order5(), system, h));
    check("ga2", run(GeneralizedAlpha::index2(), system, h));
    check("ga3", run(GeneralizedAlpha::index3(), system, h));
    check(
        "ga2s",
        run(GeneralizedAlpha::stabilized_index2(), system, h),
    );
}

/// Where the crank is normal to the way of the slider, the rod may go on with the crank and the slider
/// stay, as it did with `he2` and `ga2`.
#[test]
fn in_line_slider_crank() {
    let system = slider_crank(3.0);
    // The rates at which the crank passes are not constant: times of a run of order 5.
    let times = crank_passages(&system);
    // The slider is at twice the cosine of the angle, and the centre of the crank at half of it.
    let deviation = |run: &Run<GenericSystem>| run.last().q[33] - 4.0 * run.last().q[9];
    for h in [1e-3, 1e-4] {
        let run = |name: &str, ended: Ended| {
            is_honest(&format!("{name}, h = {h}"), ended, &times, deviation);
        };
        with_all_methods(&system, h, run);
    }
}

/// Times at which the crank is upright.
fn crank_passages(system: &GenericSystem) -> Vec<f64> {
    let run = GeneralizedAlpha::stabilized_index2()
        .simulate(system, 0.0..=2.0)
        .step(1e-3)
        .run()
        .unwrap();
    let pairs = run.states().windows(2);
    let passages = pairs.filter(|pair| pair[0].q[9] * pair[1].q[9] < 0.0);
    passages.map(|pair| pair[0].t).collect()
}
