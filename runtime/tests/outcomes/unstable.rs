//! Steps that are too large, loads that are no numbers, and late times.

use super::linkages::{bar, joint};
use polhode_runtime::error::SolveError;
use polhode_runtime::generic::GenericSystem;
use polhode_runtime::generic::description::{
    Attachment, Description, Force, ForceKind, Formula, Function, JointKind, LoadFrame,
};
use polhode_runtime::half_explicit::HalfExplicit;
use polhode_runtime::note::Note;
use polhode_runtime::output::Output;
use polhode_runtime::stepper::Method;

/// Two links that hang from a pivot, with a force.
fn double_pendulum(force: Force) -> GenericSystem {
    let (at, between) = ([1.0, 0.0], [2.0, 0.0]);
    GenericSystem::new(Description {
        name: "double pendulum".to_owned(),
        gravity: [0.0, -9.81, 0.0],
        bodies: vec![
            bar("upper".to_owned(), [0.0; 2], at, [0.0; 2], 0.0),
            bar("lower".to_owned(), at, between, [0.0; 2], 0.0),
        ],
        joints: vec![
            joint(
                "pivot".to_owned(),
                JointKind::Revolute,
                ("ground", 0.0),
                ("upper", -0.5),
            ),
            joint(
                "elbow".to_owned(),
                JointKind::Revolute,
                ("upper", 0.5),
                ("lower", -0.5),
            ),
        ],
        forces: vec![force],
        ..Description::default()
    })
    .unwrap()
}

fn damped(damping: f64) -> GenericSystem {
    double_pendulum(Force {
        name: "damper".to_owned(),
        kind: ForceKind::TorsionSpring {
            joint: "elbow".to_owned(),
            stiffness: 0.0,
            damping,
            angle: 0.0,
        },
    })
}

/// The damper decays with a rate of about 400: steps of 8e-3 are the largest that are stable. Larger ones
/// gained energy and ended with `Ok`, or blamed a joint.
#[test]
fn a_damper_that_gains_energy_is_noted() {
    let mut noted = 0;
    for h in [
        4e-3, 6e-3, 8e-3, 8.2e-3, 8.5e-3, 9e-3, 1e-2, 1.2e-2, 2e-2, 4e-2,
    ] {
        let system = damped(30.0);
        let run = HalfExplicit::order5()
            .simulate(&system, 0.0..=0.5)
            .step(h)
            .run();
        match run {
            Ok(run) => {
                let gained = run
                    .notes()
                    .iter()
                    .any(|n| matches!(n, Note::EnergyGrew { .. }));
                println!("h = {h}: drift {:.2e}, {:?}", run.drift(), run.notes());
                // A damper takes energy away.
                assert_eq!(gained, run.drift() > 0.0, "{h}: {}", run.drift());
                noted += u32::from(gained);
            }
            Err(failed) => {
                println!("h = {h}: {failed}");
                let text = failed.to_string();
                assert!(
                    matches!(failed.error, SolveError::Unstable { .. }),
                    "{failed}"
                );
                assert!(text.contains("stabilized_index2"), "{text}");
                noted += 1;
            }
        }
    }
    assert!(noted >= 2, "{noted}");
}

/// A run that ends before it fails.
#[test]
fn energy_from_nowhere_is_noted() {
    let (system, h) = (damped(30.0), 8.2e-3);
    let mut noted = 0;
    for steps in 5..20 {
        let run = HalfExplicit::order5()
            .simulate(&system, 0.0..=f64::from(steps) * h)
            .step(h)
            .output(Output::EndOnly)
            .run()
            .unwrap();
        let note = run.notes().iter().find_map(|note| match note {
            Note::EnergyGrew { from, to, .. } => Some(to - from),
            _ => None,
        });
        if run.drift() > 0.02 * run.energy_end().kinetic {
            assert!(
                note.is_some_and(|grown| grown >= run.drift()),
                "{:?}",
                run.notes()
            );
            noted += 1;
        } else {
            assert!(note.is_none_or(|grown| grown < 1.0), "{}", run.drift());
        }
    }
    assert!(noted > 2, "{noted}");
}

#[test]
fn adaptive_steps_that_stability_limits_are_noted() {
    let run = |damping: f64| {
        let system = damped(damping);
        HalfExplicit::order5()
            .tolerances(1e-4, 1e-4)
            .simulate(&system, 0.0..=1.0)
            .output(Output::EndOnly)
            .run()
            .unwrap()
    };
    let stiff = run(300.0);
    let Some(Note::Stiff { h, product, .. }) = stiff.notes().first() else {
        panic!("{:?} {:?}", stiff.notes(), stiff.stats());
    };
    println!("h = {h:.2e}, h lambda = {product}");
    assert!(stiff.notes()[0].to_string().contains("stabilized_index2"));
    assert_eq!(run(0.1).notes(), []);
}

/// A root of a negative number from t = 0.3 on.
#[test]
fn a_load_that_is_not_a_number_is_named() {
    let time_left = Formula::Sub(Box::new(Formula::Number(0.3)), Box::new(Formula::Time));
    let root = Formula::Call(Function::Sqrt, Box::new(time_left));
    let zero = || Formula::Number(0.0);
    let system = double_pendulum(Force {
        name: "thrust".to_owned(),
        kind: ForceKind::Load {
            at: Attachment::at("lower", [0.5, 0.0, 0.0]),
            force: [root, zero(), zero()],
            torque: [zero(), zero(), zero()],
            frame: LoadFrame::World,
        },
    });
    let named = |result: Result<_, Box<polhode_runtime::run::FailedRun<GenericSystem>>>| {
        let Err(failed) = result else {
            panic!("this must not work");
        };
        let SolveError::ForceNotFinite { t, force } = &failed.error else {
            panic!("{failed}");
        };
        assert!(
            (t - 0.3).abs() < 0.01 && force == "force `thrust`",
            "{failed}"
        );
        assert!((failed.run.last().t - 0.3).abs() < 0.01, "{failed}");
    };
    let fixed = HalfExplicit::order2()
        .simulate(&system, 0.0..=1.0)
        .step(1e-3);
    named(fixed.run());
    let adaptive = HalfExplicit::order5().tolerances(1e-6, 1e-6);
    named(adaptive.run(&system, 0.0..=1.0));
}

/// A run of a millisecond on the clock of Unix ended 0.9 us early and without its last output.
#[test]
fn late_runs_end_at_their_end() {
    let system = damped(0.0);
    let (start, end) = (1.7e9, 1.7e9 + 1e-3);
    for method in [
        HalfExplicit::order5(),
        HalfExplicit::order5().tolerances(1e-6, 1e-6),
    ] {
        let run = method
            .simulate(&system, start..=end)
            .step(1e-4)
            .output(Output::Every(1e-4))
            .run()
            .unwrap();
        assert_eq!(run.last().t.to_bits(), end.to_bits());
        assert_eq!(run.states().len(), 11);
        assert_eq!(run.states()[10].t.to_bits(), end.to_bits());
    }
    let failed = HalfExplicit::order2()
        .simulate(&system, 1e16..=1e16 + 10.0)
        .step(1.0)
        .run()
        .unwrap_err();
    assert!(
        matches!(failed.error, SolveError::NoProgress { .. }),
        "{failed}"
    );
}
