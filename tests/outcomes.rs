//! What runs of declared models tell, as those of assembled systems do (`runtime/tests/outcomes`).

use polhode::error::SolveError;
use polhode::generic::GenericSystem;
use polhode::note::Note;
use polhode::prelude::{HalfExplicit, Method, multibody};
use polhode::system::System;

/// The motion of the elbow decays with a rate of about 400.
#[multibody(gravity = [0.0, -9.81, 0.0])]
struct DampedPendulum {
    #[body(mass = 1.0, inertia = [0.1, 0.1, 0.1])]
    #[start(position = [0.5, 0.0, 0.0])]
    upper: Body<SE3>,
    #[body(mass = 1.0, inertia = [0.1, 0.1, 0.1])]
    #[start(position = [1.5, 0.0, 0.0])]
    lower: Body<SE3>,
    #[joint(ground, upper, at = world([0.0, 0.0, 0.0]), axis = z)]
    pivot: Revolute,
    #[joint(upper, lower, at = world([1.0, 0.0, 0.0]), axis = z)]
    elbow: Revolute,
    #[force(elbow, stiffness = 0.0, damping = 30.0)]
    damper: TorsionSpring,
}

#[multibody(gravity = [0.0, -9.81, 0.0])]
struct DampedLinks<const N: usize> {
    #[body(mass = 1.0, inertia = [0.1, 0.1, 0.1])]
    #[start(position = [0.5 + i, 0.0, 0.0])]
    links: [Body<SE3>; N],
    #[joint(ground, links[0], at = world([0.0, 0.0, 0.0]), axis = z)]
    pivot: Revolute,
    #[joint(links[i], links[i + 1], at = world([1.0 + i, 0.0, 0.0]), axis = z)]
    elbows: [Revolute; N - 1],
    #[force(elbows[i], stiffness = 0.0, damping = 30.0)]
    dampers: [TorsionSpring; N - 1],
}

/// Runs of more and more steps that are too large. Counts those that end with a note that energy was
/// gained, and those that fail with an error that says so.
fn unstable(system: &impl System) -> [u32; 2] {
    let h = 1e-2;
    let (mut noted, mut failed) = (0, 0);
    for steps in 1..=12 {
        let simulation = HalfExplicit::order5().simulate(system, 0.0..=f64::from(steps) * h);
        match simulation.step(h).run() {
            Ok(run) => {
                println!(
                    "{steps} steps: drift {:.2e}, {:?}",
                    run.drift(),
                    run.notes()
                );
                let grew = |note: &Note| matches!(note, Note::EnergyGrew { .. });
                let note = run.notes().iter().any(grew);
                // A damper takes energy away.
                assert!(note || run.drift() < 0.02 * run.energy_end().kinetic);
                noted += u32::from(note);
            }
            Err(run) => {
                println!("{steps} steps: {run}");
                assert!(matches!(run.error, SolveError::Unstable { .. }), "{run}");
                failed += 1;
            }
        }
    }
    [noted, failed]
}

#[test]
fn energy_from_nowhere_is_noted() {
    let assembled = GenericSystem::new(DampedPendulum.description()).unwrap();
    let links = DampedLinks::<2>::new().unwrap();
    for [noted, failed] in [
        unstable(&DampedPendulum),
        unstable(&links),
        unstable(&assembled),
    ] {
        assert!(noted > 0 && failed > 0, "{noted} {failed}");
    }
}
