//! Rod elements that are turned by half a circle or more: on the way, at the start, free of stress.

use polhode::chain::InvalidTree;
use polhode::error::{Fault, SolveError};
use polhode::parameters::InvalidParameters;
use polhode::prelude::{GeneralizedAlpha, HalfExplicit, State, System, multibody};
use polhode::stats::Stats;
use polhode::stepper::{Method, Stepper};
use polhode::system::{Manifold, Mechanics};
use std::f64::consts::PI;

/// One element whose free end spins about it; a spring without stiffness makes it a network.
macro_rules! shaft {
    ($name:ident, $group:ident $(, $spring:ident)?) => {
        #[multibody]
        struct $name {
            #[start(position = [0.0, 0.0, i], angular_velocity = [0.0, 0.0, 3 * i])]
            nodes: [Node<$group>; 2],
            #[rod(nodes[i], nodes[i + 1], length = 1.0, density = 1.0, inertia = 1.0, bending = 1.0,
                torsion = 0.1, shear = 10.0, extension = 10.0)]
            edges: [RodElement; 1],
            #[joint(ground, nodes[0])]
            clamp: Fixed,
            $(#[force(ground, nodes[1], stiffness = 0.0, length = 1.0)]
            $spring: SpringDamper,)?
        }
    };
}

shaft!(Semidirect, S3sR3);
shaft!(Direct, S3xR3);
shaft!(SemidirectMatrix, SE3);
shaft!(DirectMatrix, SO3xR3);
shaft!(SemidirectNetwork, S3sR3, spring);
shaft!(DirectNetwork, S3xR3, spring);
shaft!(SemidirectMatrixNetwork, SE3, spring);
shaft!(DirectMatrixNetwork, SO3xR3, spring);

/// When `theta'' = -(k / J) theta` with `k = 0.1`, `J = 0.5` and `theta' = 3` reaches half a turn.
fn half_turn() -> f64 {
    let frequency = 0.2_f64.sqrt();
    (PI * frequency / 3.0).asin() / frequency
}

/// Fixed steps turn the element by half a radian, over whatever is just below half a turn.
fn check_steps<S: System, M: Method<S>>(
    system: &S,
    method: &M,
    name: &str,
    element: Option<usize>,
) {
    // Six steps are not enough, seven are.
    for h in [half_turn() / 6.2, half_turn() / 6.5] {
        let run = twenty_steps(system, method, h);
        let Err(SolveError::Evaluation { t, fault, .. }) = run else {
            panic!("{name}, {h}: {run:?}");
        };
        let Fault::RelativeRotation {
            rod,
            element: found,
            angle,
            t: at,
        } = fault
        else {
            panic!("{name}, {h}: {fault:?}");
        };
        let field = if element.is_some() {
            "edges"
        } else {
            "edges[0]"
        };
        assert_eq!((rod.as_str(), found), (field, element), "{name}");
        assert!((PI..PI + 0.6).contains(&angle), "{name}, {h}: {angle}");
        // Found in the step that passes it, in a stage that is up to 0.05 rad off.
        assert!((t - 6.0 * h).abs() < 1e-9, "{name}, {h}: {t}");
        assert!(
            half_turn() - 0.02 < at && at <= t + h + 1e-9,
            "{name}, {h}: {at}"
        );
    }
}

fn twenty_steps<S: System, M: Method<S>>(system: &S, method: &M, h: f64) -> Result<(), SolveError> {
    let mut stepper = method.stepper(system)?;
    let mut state = State::start(system, 0.0);
    stepper.start(system, &mut state, h)?;
    let mut stats = Stats::default();
    (0..20).try_for_each(|_| stepper.step(system, &mut state, h, &mut stats))
}

fn check<S: System>(system: &S, name: &str, element: Option<usize>) {
    check_steps(system, &HalfExplicit::order2(), name, element);
    check_steps(system, &HalfExplicit::order5(), name, element);
    check_steps(system, &GeneralizedAlpha::index3(), name, element);
    check_steps(
        system,
        &GeneralizedAlpha::stabilized_index2().modified_newton(),
        name,
        element,
    );
    // Steps that adapt become smaller, and end where the strain does.
    let adaptive = HalfExplicit::order5().tolerances(1e-4, 1e-4);
    let failed = adaptive.run(system, 0.0..=3.0).unwrap_err();
    let text = failed.error.to_string();
    assert!(text.contains("is turned by 3.14"), "{name}: {text}");
    let reached = failed.run.last().t;
    assert!((reached - half_turn()).abs() < 1e-3, "{name}: {reached}");
}

/// The same on groups of quaternions, which know their side, and of matrices, which do not.
#[test]
fn a_step_over_half_a_turn_is_noticed() {
    macro_rules! check {
        ($($name:ident),*; $element:expr) => {
            $(check(&$name::new().unwrap(), stringify!($name), $element);)*
        };
    }
    check!(Semidirect, Direct, SemidirectMatrix, DirectMatrix; Some(0));
    check!(
        SemidirectNetwork, DirectNetwork, SemidirectMatrixNetwork, DirectMatrixNetwork; None
    );
}

/// The second stage of order 2 is a whole step with the velocity before it: from 1.605 to 3.164 rad. The
/// result, at 3.118, is below half a turn, but made with the stress of that stage.
#[test]
fn a_stage_over_half_a_turn_is_noticed() {
    fn check<S: System>(system: &S, name: &str) {
        let (h, method) = (0.535, HalfExplicit::order2());
        let mut stepper = method.stepper(system).unwrap();
        let mut state = State::start(system, 0.0);
        stepper.start(system, &mut state, h).unwrap();
        let mut stats = Stats::default();
        stepper.step(system, &mut state, h, &mut stats).unwrap();
        let second = stepper.step(system, &mut state, h, &mut stats);
        let Err(SolveError::Evaluation {
            fault: Fault::RelativeRotation { angle, .. },
            ..
        }) = second
        else {
            panic!("{name}: {second:?}");
        };
        assert!((angle - 3.164).abs() < 5e-4, "{name}: {angle}");
    }
    macro_rules! check {
        ($($name:ident),*) => { $(check(&$name::new().unwrap(), stringify!($name));)* };
    }
    check!(Semidirect, Direct, SemidirectMatrix, DirectMatrix);
    check!(
        SemidirectNetwork,
        DirectNetwork,
        SemidirectMatrixNetwork,
        DirectMatrixNetwork
    );
}

macro_rules! curved {
    ($name:ident $(, $spring:ident)?) => {
        #[multibody]
        struct $name {
            #[param(default = 1.0)]
            curvature: f64,
            #[start(rotation = along(x))]
            nodes: [Node<SE3>; 4],
            #[rod(nodes[i], nodes[i + 1], length = 0.5, density = 1.0, inertia = 0.1, bending = 1.0,
                torsion = 1.0, shear = 10.0, extension = 10.0, curvature = [0.0, curvature, 0.0])]
            edges: [RodElement; 3],
            #[joint(ground, nodes[0])]
            clamp: Fixed,
            $(#[force(ground, nodes[1], stiffness = 0.0, length = 1.0)]
            $spring: SpringDamper,)?
        }
    };
}

curved!(CurvedTree);
curved!(CurvedNetwork, spring);

/// A start free of stress has no energy, or there is none.
#[test]
fn curvature_beyond_half_a_turn_is_refused() {
    macro_rules! check {
        ($name:ident, $parameters:ident) => {
            for curvature in [6.2, -6.2] {
                let system = $name::new($parameters { curvature }).unwrap();
                let (q, v) = (system.start_config(), system.start_velocity());
                let energy = system.energy(0.0, &q, &v).potential;
                assert!(energy.abs() < 1e-20, "{curvature}: {energy}");
            }
            for curvature in [6.3, -6.3, 9.0] {
                let error = $name::new($parameters { curvature }).unwrap_err();
                let InvalidParameters::Structure(InvalidTree::OutOfRange { item, value, .. }) =
                    &error
                else {
                    panic!("{error}");
                };
                assert_eq!(item, "edges[0]");
                assert!((value - 0.5 * curvature.abs()).abs() < 1e-15, "{value}");
                assert!(error.to_string().contains("curvature"), "{error}");
            }
        };
    }
    check!(CurvedTree, CurvedTreeParameters);
    check!(CurvedNetwork, CurvedNetworkParameters);
}

macro_rules! twisted {
    ($name:ident, $group:ident $(, $spring:ident)?) => {
        #[multibody]
        struct $name {
            #[param(default = 1.0)]
            turn: f64,
            #[start(position = [0.0, 0.0, i], rotation = rz(turn * i))]
            nodes: [Node<$group>; 3],
            #[rod(nodes[i], nodes[i + 1], length = 1.0, density = 1.0, inertia = 0.1, bending = 1.0,
                torsion = 1.0, shear = 10.0, extension = 10.0)]
            edges: [RodElement; 2],
            $(#[force(ground, nodes[1], stiffness = 0.0, length = 1.0)]
            $spring: SpringDamper,)?
        }
    };
}

twisted!(Twisted, S3sR3);
twisted!(TwistedMatrix, SO3xR3);
twisted!(TwistedNetwork, S3xR3, spring);
twisted!(TwistedMatrixNetwork, SE3, spring);

/// Rotations at the start are not shortened: the energy is that of the turn, or there is none.
#[test]
fn starts_beyond_half_a_turn_are_refused() {
    macro_rules! check {
        ($name:ident, $parameters:ident) => {
            for turn in [3.0_f64, -3.1] {
                let system = $name::new($parameters { turn }).unwrap();
                let (q, v) = (system.start_config(), system.start_velocity());
                let energy = system.energy(0.0, &q, &v).potential;
                assert!((energy - turn * turn).abs() < 1e-12, "{turn}: {energy}");
            }
            for turn in [PI, 3.3, -3.3, 6.0] {
                let error = $name::new($parameters { turn }).unwrap_err();
                let InvalidParameters::Structure(InvalidTree::StartTurn { item, angle }) = &error
                else {
                    panic!("{error}");
                };
                assert_eq!(item, "edges[0]");
                assert!((angle - turn.abs()).abs() < 1e-12, "{angle}");
            }
        };
    }
    check!(Twisted, TwistedParameters);
    check!(TwistedMatrix, TwistedMatrixParameters);
    check!(TwistedNetwork, TwistedNetworkParameters);
    check!(TwistedMatrixNetwork, TwistedMatrixNetworkParameters);
}

#[multibody]
struct Ring {
    #[count(default = 6, min = 3)]
    n: usize,
    #[start(position = [sin(2 * PI * i / n), 0.0, cos(2 * PI * i / n)], rotation = ry(PI / 2 + 2 * PI * i / n))]
    nodes: [Node<S3xR3>; n],
    #[rod(nodes[i], nodes[i + 1], length = 1.0, density = 1.0, inertia = 0.1, bending = 1.0,
        torsion = 1.0, shear = 10.0, extension = 10.0)]
    edges: [RodElement; n - 1],
    #[rod(nodes[n - 1], nodes[0], length = 1.0, density = 1.0, inertia = 0.1, bending = 1.0,
        torsion = 1.0, shear = 10.0, extension = 10.0)]
    seam: RodElement,
}

/// Along a ring the rotations make a whole turn: the element that closes it is like the others.
#[test]
fn a_ring_may_turn_once() {
    for n in [3, 4, 7] {
        let system = Ring::new(RingParameters { n }).unwrap();
        let (q, v) = (system.start_config(), system.start_velocity());
        let energy = system.energy(0.0, &q, &v).potential;
        let parts = f64::from(u8::try_from(n).unwrap());
        let turn = 2.0 * PI / parts;
        // The chord of an arc of the unit circle, and the length of the arc.
        let arc = 0.5 * (turn * turn + 10.0 * (turn - 1.0).powi(2));
        assert!((energy - parts * arc).abs() < 1e-10, "{n}: {energy}");
        HalfExplicit::order5()
            .tolerances(1e-6, 1e-6)
            .run(&system, 0.0..=0.1)
            .unwrap();
    }
}
