//! Driven motion: orders, the driving torque, initial values.
//!
//! A double pendulum in the plane, gravity `(0, -g)`: the first arm of length `L` follows
//! `f(t)`, the second one swings at the absolute angle `psi`,
//!
//! ```text
//! (J + m c^2) psi'' + m c L (f'' cos(psi - f) + f'^2 sin(psi - f)) + m g c cos(psi) = 0
//! torque = (J_1 + m_1 c_1^2) f'' + m_1 g c_1 cos(f) + L n(f) . m (x_2'' + (0, g))
//! ```
//!
//! with `n(f) = (-sin f, cos f)` and `x_2 = L e(f) + c e(psi)`.

use core::f64::consts::PI;

use polhode::consistency::{self, InitialValues};
use polhode::error::SolveError;
use polhode::generalized_alpha::GeneralizedAlpha;
use polhode::generic::GenericSystem;
use polhode::generic::description::{
    Attachment, Body, Description, Formula, Function, Joint, JointKind, Motion, Start,
};
use polhode::half_explicit::{HalfExplicit, Multipliers};
use polhode::joints::nearest;
use polhode::lie::GroupKind;
use polhode::output::Output;
use polhode::prelude::multibody;
use polhode::state::State;
use polhode::stepper::Method;
use polhode::system::{Manifold, Mechanics, System};
use polhode_tests::observed_order;

const G: f64 = 9.81;
const L: f64 = 1.0;
const C1: f64 = 0.5;
const C2: f64 = 0.4;
const M: [f64; 2] = [2.0, 1.5];
const J: [f64; 2] = [0.2, 0.1];

/// `f = 0.3 + 0.8 t + 0.5 sin(2 t)` and its derivatives.
fn drive(t: f64) -> [f64; 3] {
    let (sin, cos) = (2.0 * t).sin_cos();
    [0.3 + 0.8 * t + 0.5 * sin, 0.8 + cos, -2.0 * sin]
}

fn formula() -> Formula {
    let number = |x| Box::new(Formula::Number(x));
    let times = |x, formula| Box::new(Formula::Mul(number(x), Box::new(formula)));
    let wave = Formula::Call(Function::Sin, times(2.0, Formula::Time));
    let line = Formula::Add(number(0.3), times(0.8, Formula::Time));
    Formula::Add(Box::new(line), times(0.5, wave))
}

fn psi_acceleration(t: f64, psi: f64) -> f64 {
    let [f, rate, second] = drive(t);
    let (sin, cos) = (psi - f).sin_cos();
    -(M[1] * C2 * L * (second * cos + rate * rate * sin) + M[1] * G * C2 * psi.cos())
        / (J[1] + M[1] * C2 * C2)
}

fn torque(t: f64, [psi, psi_rate]: [f64; 2]) -> f64 {
    let [f, rate, second] = drive(t);
    let e = |a: f64| [a.cos(), a.sin()];
    let n = |a: f64| [-a.sin(), a.cos()];
    let psi_second = psi_acceleration(t, psi);
    let force = [0, 1].map(|i| {
        let arm = L * (second * n(f)[i] - rate * rate * e(f)[i]);
        let own = C2 * (psi_second * n(psi)[i] - psi_rate * psi_rate * e(psi)[i]);
        M[1] * (arm + own + [0.0, G][i])
    });
    (J[0] + M[0] * C1 * C1) * second
        + M[0] * G * C1 * f.cos()
        + L * (n(f)[0] * force[0] + n(f)[1] * force[1])
}

/// `psi` and its rate at all multiples of 1/1024 up to 1: classical Runge-Kutta with 16 substeps,
/// whose error is far below 1e-13.
fn reference(psi: f64, rate: f64) -> Vec<[f64; 2]> {
    let h = 1.0 / 16384.0;
    let mut y = [psi, rate];
    let mut out = vec![y];
    for k in 0..16384 {
        let t = f64::from(k) * h;
        let slope = |t: f64, y: [f64; 2]| [y[1], psi_acceleration(t, y[0])];
        let go = |y: [f64; 2], k: [f64; 2], h: f64| [y[0] + h * k[0], y[1] + h * k[1]];
        let k1 = slope(t, y);
        let k2 = slope(t + 0.5 * h, go(y, k1, 0.5 * h));
        let k3 = slope(t + 0.5 * h, go(y, k2, 0.5 * h));
        let k4 = slope(t + h, go(y, k3, h));
        for i in 0..2 {
            y[i] += h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
        }
        if (k + 1) % 16 == 0 {
            out.push(y);
        }
    }
    out
}

fn arm(name: &str, group: GroupKind, index: usize, angle: f64, rate: f64) -> Body {
    let inertia = J[index];
    Body {
        name: name.to_owned(),
        group,
        mass: M[index],
        inertia: [
            [inertia, 0.0, 0.0],
            [0.0, inertia, 0.0],
            [0.0, 0.0, inertia],
        ],
        center: [0.0; 3],
        start: Start {
            rotation: [(0.5 * angle).cos(), 0.0, 0.0, (0.5 * angle).sin()],
            angular_velocity: [0.0, 0.0, rate],
            ..Start::default()
        },
    }
}

const PSI: f64 = -0.4;
const PSI_RATE: f64 = 0.6;

fn pendulum(group: GroupKind) -> Description {
    let [f, rate, _] = drive(0.0);
    let mut upper = arm("upper", group, 0, f, rate);
    let mut lower = arm("lower", group, 1, PSI, PSI_RATE);
    let e = |a: f64| [a.cos(), a.sin()];
    upper.start.position = vec![C1 * e(f)[0], C1 * e(f)[1], 0.0];
    upper.start.velocity = vec![-C1 * rate * e(f)[1], C1 * rate * e(f)[0], 0.0];
    lower.start.position = vec![
        L * e(f)[0] + C2 * e(PSI)[0],
        L * e(f)[1] + C2 * e(PSI)[1],
        0.0,
    ];
    lower.start.velocity = vec![
        -L * rate * e(f)[1] - C2 * PSI_RATE * e(PSI)[1],
        L * rate * e(f)[0] + C2 * PSI_RATE * e(PSI)[0],
        0.0,
    ];
    let joint = |name: &str, kind, first: (&str, f64), second: (&str, f64)| Joint {
        name: name.to_owned(),
        kind,
        first: Attachment::at(first.0, [first.1, 0.0, 0.0]),
        second: Attachment::at(second.0, [second.1, 0.0, 0.0]),
    };
    let motor = JointKind::Driver {
        motion: Motion::Angle,
        value: formula(),
    };
    Description {
        name: "driven double pendulum".to_owned(),
        gravity: [0.0, -G, 0.0],
        bodies: vec![upper, lower],
        joints: vec![
            joint(
                "shoulder",
                JointKind::Revolute,
                ("ground", 0.0),
                ("upper", -C1),
            ),
            joint("motor", motor, ("ground", 0.0), ("upper", -C1)),
            joint(
                "elbow",
                JointKind::Revolute,
                ("upper", L - C1),
                ("lower", -C2),
            ),
        ],
        ..Description::default()
    }
}

/// Largest errors over time of the elbow angle, its rate, and the driving torque.
fn errors<T: Method<GenericSystem> + Clone>(
    system: &GenericSystem,
    method: &T,
    steps: u32,
    exact: &[[f64; 2]],
) -> [f64; 3] {
    let run = method
        .clone()
        .simulate(system, 0.0..=1.0)
        .step(1.0 / f64::from(steps))
        .output(Output::EveryStep)
        .run()
        .unwrap();
    let mut worst = [0.0_f64; 3];
    for state in run.states() {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a small positive number"
        )]
        let at = exact[(state.t * 1024.0).round() as usize];
        let [f, rate, _] = drive(state.t);
        let elbow = state.joint(system, "elbow").unwrap();
        let motor = state.joint(system, "motor").unwrap();
        let effort = motor.reaction().torque[2];
        let found = [
            nearest(elbow.angle().unwrap(), at[0] - f) - (at[0] - f),
            elbow.angle_rate().unwrap() - (at[1] - rate),
            effort - torque(state.t, at),
        ];
        for (worst, error) in worst.iter_mut().zip(found) {
            *worst = worst.max(error.abs());
        }
        // Minus the multiplier is the effort.
        assert!((effort + state.lambda[5]).abs() < 1e-6 * (1.0 + effort.abs()));
    }
    worst
}

fn orders<T: Method<GenericSystem> + Clone>(
    name: &str,
    method: &T,
    steps: [u32; 5],
    expected: [f64; 3],
) {
    let exact = reference(PSI, PSI_RATE);
    for group in [GroupKind::SE3, GroupKind::S3xR3] {
        let system = GenericSystem::new(pendulum(group)).unwrap();
        let found = steps.map(|n| errors(&system, method, n, &exact));
        for (k, quantity) in ["angle", "rate", "torque"].iter().enumerate() {
            let points: Vec<(f64, f64)> = steps
                .iter()
                .zip(&found)
                .map(|(n, error)| (1.0 / f64::from(*n), error[k]))
                .collect();
            let order = observed_order(&points);
            println!("{name} {group} {quantity}: {order:.2} {points:?}");
            assert!(
                order > expected[k],
                "{name} {group} {quantity}: {order} {points:?}"
            );
        }
    }
}

/// Halvings of the step size from 1/16 or 1/64.
#[test]
fn observed_orders_with_a_driver() {
    let recomputed = HalfExplicit::order5().multipliers(Multipliers::Recomputed);
    orders("he5", &recomputed, [16, 32, 64, 128, 256], [4.7, 4.7, 4.7]);
    let own = HalfExplicit::order5();
    orders("he5, own", &own, [16, 32, 64, 128, 256], [4.7, 4.7, 3.7]);
    let steps = [64, 128, 256, 512, 1024];
    let two = [1.85, 1.85, 1.85];
    orders("ga3", &GeneralizedAlpha::index3(), steps, two);
    orders("ga2", &GeneralizedAlpha::index2(), steps, two);
    orders("ga2s", &GeneralizedAlpha::stabilized_index2(), steps, two);
}

/// A start that does not move with the driver is refused by name, and projected to one that does.
#[test]
fn initial_values_follow_the_driver() {
    for group in [GroupKind::SE3, GroupKind::S3xR3] {
        let mut description = pendulum(group);
        for body in &mut description.bodies {
            body.start.velocity = vec![0.0; 3];
            body.start.angular_velocity = [0.0; 3];
        }
        let system = GenericSystem::new(description).unwrap();
        let state = State::start(&system, 0.0);
        let error = consistency::check(&system, &state, 1e-8).unwrap_err();
        let SolveError::Inconsistent {
            velocity,
            velocity_at,
            ..
        } = &error
        else {
            panic!("{error}");
        };
        assert!(velocity_at.contains("motor"), "{error}");
        assert!((velocity - drive(0.0)[1]).abs() < 1e-12, "{error}");

        let run = HalfExplicit::order5()
            .simulate(&system, 0.0..=1e-3)
            .initial_values(InitialValues::Project(1e-10))
            .step(1e-3)
            .output(Output::EveryStep)
            .run()
            .unwrap();
        let start = &run.states()[0];
        let motor = start.joint(&system, "motor").unwrap();
        let (angle, rate) = (motor.angle().unwrap(), motor.angle_rate().unwrap());
        assert!((angle - drive(0.0)[0]).abs() < 1e-9, "{angle}");
        assert!((rate - drive(0.0)[1]).abs() < 1e-9, "{rate}");

        // At another time the configuration must move, too.
        let mut later = State::start(&system, 0.2);
        consistency::project(&system, &mut later, 1e-12).unwrap();
        let motor = later.joint(&system, "motor").unwrap();
        assert!((motor.angle().unwrap() - drive(0.2)[0]).abs() < 1e-11);
        assert!((motor.angle_rate().unwrap() - drive(0.2)[1]).abs() < 1e-9);
    }
}

/// A mass on a slide and one on a rope, both driven: the motion is the formula, the force the
/// second law.
#[test]
fn driven_displacement_and_distance() {
    let number = |x| Box::new(Formula::Number(x));
    // 1 + t^2 / 2
    let value = Formula::Add(
        number(1.0),
        Box::new(Formula::Mul(
            number(0.5),
            Box::new(Formula::Mul(
                Box::new(Formula::Time),
                Box::new(Formula::Time),
            )),
        )),
    );
    for motion in [Motion::Displacement, Motion::Distance] {
        let body = Body {
            start: Start {
                position: vec![0.0, 0.0, 1.0],
                ..Start::default()
            },
            ..arm("mass", GroupKind::Rn(3), 0, 0.0, 0.0)
        };
        let system = GenericSystem::new(Description {
            name: "lift".to_owned(),
            gravity: [0.0, 0.0, -G],
            bodies: vec![body],
            joints: vec![Joint {
                name: "winch".to_owned(),
                kind: JointKind::Driver {
                    motion,
                    value: value.clone(),
                },
                first: Attachment::at("ground", [0.0; 3]),
                second: Attachment::at("mass", [0.0; 3]),
            }],
            ..Description::default()
        })
        .unwrap();
        let method = HalfExplicit::order5().multipliers(Multipliers::Recomputed);
        let run = method
            .simulate(&system, 0.0..=1.0)
            .step(0.05)
            .run()
            .unwrap();
        let state = run.states().last().unwrap();
        assert!(
            (state.q[2] - 1.5).abs() < 1e-12,
            "{motion:?}: {}",
            state.q[2]
        );
        assert!(
            (state.v[2] - 1.0).abs() < 1e-12,
            "{motion:?}: {}",
            state.v[2]
        );
        let winch = state.joint(&system, "winch").unwrap();
        let force = winch.reaction().force[2];
        let expected = M[0] * (G + 1.0);
        assert!(
            (force - expected).abs() < 1e-10,
            "{motion:?}: {force} {expected}"
        );
    }
}

/// A distance that shrinks to nothing is an error at the time when it does, not a NaN.
#[test]
fn a_driven_distance_must_be_positive() {
    let mut description = pendulum(GroupKind::SE3);
    description.joints.push(Joint {
        name: "rope".to_owned(),
        kind: JointKind::Driver {
            motion: Motion::Distance,
            value: Formula::Sub(Box::new(Formula::Number(0.5)), Box::new(Formula::Time)),
        },
        first: Attachment::at("ground", [0.0; 3]),
        second: Attachment::at("lower", [0.0; 3]),
    });
    let system = GenericSystem::new(description).unwrap();
    let mut geometry = system.new_geometry();
    let q = system.start_config();
    assert!(system.geometry(0.4, &q, &mut geometry).is_ok());
    let fault = system.geometry(0.75, &q, &mut geometry).unwrap_err();
    let text = fault.to_string();
    assert!(text.contains("`rope`") && text.contains("-0.25"), "{text}");
}

/// Half a turn away from its function `sin(angle - f)` vanishes, too, but the effort of the driver would
/// have the other sign: such a start is refused, and so is a projection that ends there.
#[test]
fn half_a_turn_away_is_refused() {
    for group in [GroupKind::SE3, GroupKind::S3xR3] {
        let mut description = pendulum(group);
        let JointKind::Driver { value, .. } = &mut description.joints[1].kind else {
            panic!("a driver");
        };
        *value = Formula::Add(Box::new(value.clone()), Box::new(Formula::Number(PI)));
        let system = GenericSystem::new(description).unwrap();
        let check = |error: &SolveError, angle: f64| {
            let SolveError::HalfTurn {
                t,
                joint,
                angle: found,
                target,
            } = error
            else {
                panic!("{error}");
            };
            assert_eq!((*t, &**joint), (0.0, "motor"));
            assert!((found - angle).abs() < 1e-8, "{error}");
            assert!((target - drive(0.0)[0] - PI).abs() < 1e-14, "{error}");
            let text = error.to_string();
            for part in ["`motor`", "0.300000", "3.441593", "pi"] {
                assert!(text.contains(part), "no {part} in {text}");
            }
        };
        let run = |values| {
            let run = HalfExplicit::order5().simulate(&system, 0.0..=1e-2);
            run.initial_values(values).step(1e-3).run()
        };
        let failed = run(InitialValues::Check(1e-8)).unwrap_err();
        check(&failed.error, drive(0.0)[0]);
        let failed = run(InitialValues::Project(1e-10)).unwrap_err();
        check(&failed.error, drive(0.0)[0]);
    }
}

/// In code of the macro the frames of a driver come from the start, so it begins where its function
/// does; at another time the function may be half a turn ahead. Axes that a force relies on must be those
/// of the start, too.
#[test]
fn starts_on_the_other_branch_are_refused() {
    #[multibody]
    struct Fan {
        #[body(mass = 1.0, inertia = [0.1, 0.2, 0.3])]
        fan: Body<SE3>,
        #[joint(ground, fan, axis = [0.0, 0.0, 1.0])]
        hinge: Revolute,
        #[joint(ground, fan, axis = [0.0, 0.0, 1.0], angle = 0.5 + PI * t)]
        motor: Driver,
    }
    #[multibody]
    struct Fans {
        #[body(mass = 1.0, inertia = [0.1, 0.2, 0.3])]
        #[start(position = [1.0 * i, 0.0, 0.0])]
        fans: [Body<S3xR3>; 2],
        #[joint(ground at [1.0 * i, 0.0, 0.0], fans[i], axis = [0.0, 0.0, 1.0])]
        hinges: [Revolute; 2],
        #[joint(ground at [1.0 * i, 0.0, 0.0], fans[i], axis = [0.0, 0.0, 1.0], angle = PI * t)]
        motors: [Driver; 2],
    }
    #[multibody]
    struct Sprung {
        #[body(mass = 1.0, inertia = [0.1, 0.2, 0.3])]
        wheel: Body<SE3>,
        #[joint(ground, wheel, axis = [0.0, 0.0, 1.0])]
        hinge: Revolute,
        #[force(hinge, stiffness = 2.0, angle = 1.0)]
        spring: TorsionSpring,
    }
    fn refused<S: System>(system: &S, state: State<S>) -> SolveError {
        let t = state.t;
        let run = HalfExplicit::order5().simulate(system, t..=t + 0.01);
        let Err(failed) = run.from(state).step(1e-3).run() else {
            panic!("a start on the wrong branch was accepted");
        };
        failed.error
    }
    let error = refused(&Fan, State::start(&Fan, 1.0));
    let SolveError::HalfTurn {
        t,
        joint,
        angle,
        target,
    } = &error
    else {
        panic!("{error}");
    };
    assert_eq!((*t, &**joint), (1.0, "motor"));
    assert!(
        (angle - 0.5).abs() < 1e-14 && (target - angle - PI).abs() < 1e-14,
        "{error}"
    );
    let fans = Fans::new().unwrap();
    let error = refused(&fans, State::start(&fans, 1.0));
    assert!(
        matches!(&error, SolveError::HalfTurn { joint, .. } if joint == "motors[0]"),
        "{error}"
    );
    // A whole turn later all is well.
    let start = State::start(&Fan, 2.0);
    assert!(consistency::check(&Fan, &start, 1e-8).is_ok());

    let mut start = State::start(&Sprung, 0.0);
    assert!(consistency::check(&Sprung, &start, 1e-8).is_ok());
    // Half a turn about x.
    start.q[4] = -1.0;
    start.q[8] = -1.0;
    let error = refused(&Sprung, start);
    let text = error.to_string();
    let SolveError::OppositeAxes {
        joint,
        cosine,
        at_start,
        ..
    } = error
    else {
        panic!("{text}");
    };
    assert_eq!((&*joint, cosine, at_start), ("hinge", -1.0, 1.0));
    assert!(
        text.contains("`hinge`") && text.contains("are opposite"),
        "{text}"
    );
}
