//! What runs of declared models tell, as those of assembled systems do (`runtime/tests/outcomes`).

use polhode::error::SolveError;
use polhode::generic::GenericSystem;
use polhode::note::Note;
use polhode::prelude::{GeneralizedAlpha, HalfExplicit, Method, multibody};
use polhode::run::FailedRun;
use polhode::system::{Mechanics, System};

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

/// A root of a negative number from t = 0.3 on, in the second of three forces.
#[multibody(gravity = [0.0, -9.81, 0.0])]
struct ThrustPendulum {
    #[body(mass = 1.0, inertia = [0.1, 0.1, 0.1])]
    #[start(position = [0.5, 0.0, 0.0])]
    upper: Body<SE3>,
    #[body(mass = 1.0, inertia = [0.1, 0.1, 0.1])]
    #[start(position = [1.5, 0.0, 0.0])]
    lower: Body<S3xR3>,
    #[joint(ground, upper, at = world([0.0, 0.0, 0.0]), axis = z)]
    pivot: Revolute,
    #[joint(upper, lower, at = world([1.0, 0.0, 0.0]), axis = z)]
    elbow: Revolute,
    #[force(elbow, effort = sin(t))]
    motor: Actuator,
    #[force(lower at [0.5, 0.0, 0.0], force = [sqrt(0.3 - t), 0.0, 0.0])]
    thrust: Load,
    #[force(elbow, stiffness = 2.0, damping = 0.1)]
    spring: TorsionSpring,
}

#[multibody(gravity = [0.0, -9.81, 0.0])]
struct ThrustLinks<const N: usize> {
    #[body(mass = 1.0, inertia = [0.1, 0.1, 0.1])]
    #[start(position = [0.5 + i, 0.0, 0.0])]
    links: [Body<SE3>; N],
    #[joint(ground, links[0], at = world([0.0, 0.0, 0.0]), axis = z)]
    pivot: Revolute,
    #[joint(links[i], links[i + 1], at = world([1.0 + i, 0.0, 0.0]), axis = z)]
    elbows: [Revolute; N - 1],
    #[force(elbows[i], stiffness = 2.0, damping = 0.1)]
    springs: [TorsionSpring; N - 1],
    #[force(links[i] at [0.5, 0.0, 0.0], force = [sqrt(0.3 - i * t), 0.0, 0.0])]
    thrusts: [Load; N],
}

/// A tree.
#[multibody(gravity = [0.0, -9.81, 0.0])]
struct ThrustRow<const N: usize> {
    #[body(mass = 1.0, inertia = [0.1, 0.1, 0.1])]
    #[start(position = [0.5 + i, 0.0, 0.0])]
    links: [Body<SE3>; N],
    #[joint(ground, links[0], at = world([0.0, 0.0, 0.0]))]
    pivot: Spherical,
    #[joint(links[i], links[i + 1], at = world([1.0 + i, 0.0, 0.0]))]
    elbows: [Spherical; N - 1],
    #[force(links[i] at [0.5, 0.0, 0.0], force = [1.0, sqrt(0.3 - i * t), 0.0])]
    thrusts: [Load; N],
}

/// A load along a rod.
#[multibody]
struct BlownRod<const N: usize> {
    #[start(rotation = along([1.0, 0.0, 0.0]))]
    nodes: [Node<S3sR3>; N + 1],
    #[rod(nodes[i], nodes[i + 1], length = 0.5, density = 1.0, inertia = 0.1, bending = [2.0, 3.0],
        torsion = 1.5, shear = [20.0, 30.0], extension = 25.0)]
    edges: [RodElement; N],
    #[joint(ground, nodes[0])]
    clamp: Fixed,
    #[force(edges, force = [0.0, sqrt(0.3 - t), 0.0])]
    wind: Load,
}

/// Runs of each method name the force.
fn assert_named<S: System>(system: &S, name: &str) {
    let check = |run: Result<_, Box<FailedRun<S>>>| {
        let Err(failed) = run else {
            panic!("this must not work");
        };
        let SolveError::ForceNotFinite { t, force } = &failed.error else {
            panic!("{failed}");
        };
        assert!((t - 0.3).abs() < 0.01, "{failed}");
        assert_eq!(force, &format!("force `{name}`"));
    };
    let order2 = HalfExplicit::order2().simulate(system, 0.0..=1.0);
    check(order2.step(1e-3).run());
    let adaptive = HalfExplicit::order5().tolerances(1e-6, 1e-6);
    check(adaptive.run(system, 0.0..=1.0));
    let index3 = GeneralizedAlpha::index3().simulate(system, 0.0..=1.0);
    check(index3.step(1e-3).run());
}

#[test]
fn a_load_that_is_not_a_number_is_named() {
    assert_named(&ThrustPendulum, "thrust");
    let assembled = GenericSystem::new(ThrustPendulum.description()).unwrap();
    assert_named(&assembled, "thrust");
    assert_named(&ThrustLinks::<2>::new().unwrap(), "thrusts[1]");
    assert_named(&ThrustRow::<2>::new().unwrap(), "thrusts[1]");
    assert_named(&BlownRod::<2>::new().unwrap(), "wind");
}

#[multibody]
struct Sprung {
    #[body(mass = 1.0)]
    #[start(position = [1.0, 0.0, 0.0])]
    point: Body<R3>,
    #[force(ground at [0.0, 0.0, 0.0], point, stiffness = 1.0, length = 0.5)]
    spring: SpringDamper,
}

/// Where the ends of a spring meet it has no direction.
#[test]
fn a_spring_without_a_direction_is_named() {
    let assembled = GenericSystem::new(Sprung.description()).unwrap();
    let (mut g, mut gg) = (Sprung.new_geometry(), assembled.new_geometry());
    for (x, expected) in [(0.0, Some("force `spring`".to_owned())), (1.0, None)] {
        let (q, v) = ([x, 0.0, 0.0], [0.0; 3]);
        Sprung.geometry(0.0, &q, &mut g).unwrap();
        assert_eq!(Sprung.not_finite_force(0.0, &q, &g, &v), expected);
        let (q, v) = (q.into(), v.into());
        assembled.geometry(0.0, &q, &mut gg).unwrap();
        assert_eq!(assembled.not_finite_force(0.0, &q, &gg, &v), expected);
    }
}
