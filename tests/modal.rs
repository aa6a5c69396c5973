//! Modal coordinates in motion, against closed forms.

use core::f64::consts::TAU;
use polhode::system::{Manifold, Mechanics};

use nalgebra::{Matrix2, Vector2};
use polhode::generic::GenericSystem;
use polhode::multibody;
use polhode::prelude::{GeneralizedAlpha, HalfExplicit, Method, System};
use polhode_tests::{Driver, observed_order};

/// Numbers of the bank: mass, stiffness, damping, amplitude of the force, start, start velocity.
const BANK: [[f64; 6]; 5] = [
    [1.0, 4.0, 0.2, 1.5, 0.3, 0.0],
    [2.0, 30.0, 0.5, -1.0, 0.0, 1.0],
    [0.5, 20.0, 0.0, 2.0, -0.1, 0.5],
    [1.5, 90.0, 1.2, 0.0, 0.2, -1.0],
    [0.8, 9.0, 3.0, 4.0, 0.0, 0.0],
];
/// Of the force.
const FREQUENCY: f64 = 3.0;

/// Five damped oscillators and a harmonic force.
#[multibody(gravity = [0.0, 0.0, -9.81], consts(FREQUENCY = 3.0))]
struct Bank {
    #[body(mass = [1.0, 2.0, 0.5, 1.5, 0.8])]
    #[start(position = [0.3, 0.0, -0.1, 0.2, 0.0], velocity = [0.0, 1.0, 0.5, -1.0, 0.0])]
    modes: Body<R5>,
    #[force(modes, stiffness = [4.0, 30.0, 20.0, 90.0, 9.0], damping = [0.2, 0.5, 0.0, 1.2, 3.0])]
    springs: ModalSpring,
    #[force(modes, force = cos(FREQUENCY * t) * [1.5, -1.0, 2.0, 0.0, 4.0])]
    drive: Load,
}

/// Position and velocity of one mode: `A cos(w t) + B sin(w t)` and a decaying oscillation.
fn oscillator([m, k, d, f, x0, v0]: [f64; 6], t: f64) -> [f64; 2] {
    let w = FREQUENCY;
    let (spring, loss) = (k - m * w * w, d * w);
    let size = spring * spring + loss * loss;
    let (a, b) = (f * spring / size, f * loss / size);
    let decay = d / (2.0 * m);
    let own = (k / m - decay * decay).sqrt();
    let c = x0 - a;
    let s = (v0 - b * w + decay * c) / own;
    let ((sin, cos), (own_sin, own_cos)) = ((w * t).sin_cos(), (own * t).sin_cos());
    let shrink = (-decay * t).exp();
    let free = shrink * (c * own_cos + s * own_sin);
    let rate = shrink * own * (s * own_cos - c * own_sin) - decay * free;
    [a * cos + b * sin + free, w * (b * cos - a * sin) + rate]
}

fn bank(t: f64) -> [Vec<f64>; 2] {
    let modes = BANK.map(|numbers| oscillator(numbers, t));
    [0, 1].map(|i| modes.iter().map(|mode| mode[i]).collect())
}

/// A body that flies and tumbles, and pulls at the first of five modes; the others swing alone.
/// The inertia is a ball's: the angular velocity stays as it is, and the velocity in body axes
/// turns all the time.
#[multibody(consts(HOLD = 3.0, PULL = 5.0))]
struct Tumbler {
    #[body(mass = 2.0, inertia = [0.4, 0.4, 0.4])]
    #[start(position = [0.5, 0.1, -0.2], velocity = [0.0, 0.3, 0.1], angular_velocity = [0.7, 2.0, -1.1], rotation = rx(0.4))]
    ball: Body<SE3>,
    #[body(mass = [1.5, 1.0, 1.0, 1.0, 1.0])]
    #[start(position = [-0.2, 0.0, 0.0, 0.0, 0.1], velocity = [0.4, 0.0, 0.0, 0.0, 0.0])]
    modes: Body<R5>,
    #[force(modes, stiffness = [2.0, 1.0, 1.0, 1.0, 16.0])]
    springs: ModalSpring,
    #[force(ball, force = [PULL * (modes.position[0] - ball.position.x) - HOLD * ball.position.x, 0.0, 0.0])]
    there: Load,
    #[force(modes, force = [PULL * (ball.position.x - modes.position[0]), 0.0, 0.0, 0.0, 0.0])]
    back: Load,
}

/// `x` of the ball and all modes, with rates: two coupled oscillators by their eigenvectors.
fn tumbler(t: f64) -> [Vec<f64>; 2] {
    let root = Vector2::new(2.0_f64.sqrt(), 1.5_f64.sqrt());
    let scaled = Matrix2::new(8.0, -5.0, -5.0, 7.0).component_div(&(root * root.transpose()));
    let eigen = scaled.symmetric_eigen();
    let [x, v] = [Vector2::new(0.5, -0.2), Vector2::new(0.0, 0.4)]
        .map(|start| eigen.eigenvectors.tr_mul(&start.component_mul(&root)));
    let (mut position, mut rate) = (Vector2::zeros(), Vector2::zeros());
    for i in 0..2 {
        let w = eigen.eigenvalues[i].sqrt();
        let (sin, cos) = (w * t).sin_cos();
        let shape = eigen.eigenvectors.column(i).component_div(&root);
        position += shape * (x[i] * cos + v[i] / w * sin);
        rate += shape * (v[i] * cos - x[i] * w * sin);
    }
    let last = [0.1 * (4.0 * t).cos(), -0.4 * (4.0 * t).sin()];
    [
        vec![position[0], position[1], 0.0, 0.0, 0.0, last[0]],
        vec![rate[0], rate[1], 0.0, 0.0, 0.0, last[1]],
    ]
}

/// Largest errors of positions and velocities over `[0, 2]`, with `n` steps.
fn errors<M: Method<S>, S: System>(
    system: S,
    method: &M,
    n: u32,
    read: impl Fn(&Driver<M, S>) -> [Vec<f64>; 2],
    exact: impl Fn(f64) -> [Vec<f64>; 2],
) -> (f64, [f64; 2]) {
    let h = 2.0 / f64::from(n);
    let mut driver = Driver::new(system, method, h);
    let mut largest = [0.0_f64; 2];
    for i in 1..=n {
        driver.steps(1, h);
        let (found, expected) = (read(&driver), exact(h * f64::from(i)));
        for (k, largest) in largest.iter_mut().enumerate() {
            for (x, y) in found[k].iter().zip(&expected[k]) {
                *largest = largest.max((x - y).abs());
            }
        }
    }
    (h, largest)
}

/// The order of a method in positions and velocities, over five halvings.
fn assert_order<M: Method<S>, S: System + Clone>(
    (name, order): (&str, f64),
    (method, first): (&M, u32),
    system: &S,
    read: impl Fn(&Driver<M, S>) -> [Vec<f64>; 2],
    exact: impl Fn(f64) -> [Vec<f64>; 2],
) {
    let runs: Vec<(f64, [f64; 2])> = (0..5)
        .map(|k| errors(system.clone(), method, first << k, &read, &exact))
        .collect();
    for k in 0..2 {
        let points: Vec<(f64, f64)> = runs.iter().map(|(h, error)| (*h, error[k])).collect();
        let found = observed_order(&points);
        println!("{name} {k}: {found:.2} {points:?}");
        assert!(
            (found - order).abs() < 0.15,
            "{name} {k}: {found} {points:?}"
        );
    }
}

/// Generated and generic, half-explicit and generalized-alpha.
#[test]
fn a_bank_of_oscillators() {
    let generic = GenericSystem::new(Bank.description()).unwrap();
    let (explicit, implicit) = (HalfExplicit::order5(), GeneralizedAlpha::index3());
    assert_order(("he5", 5.0), (&explicit, 20), &Bank, flat, bank);
    assert_order(("he5, generic", 5.0), (&explicit, 20), &generic, flat, bank);
    assert_order(("ga3", 2.0), (&implicit, 100), &Bank, flat, bank);
    assert_order(
        ("ga3, generic", 2.0),
        (&implicit, 100),
        &generic,
        flat,
        bank,
    );
}

/// All of a configuration and a velocity.
fn flat<M: Method<S>, S: System>(driver: &Driver<M, S>) -> [Vec<f64>; 2] {
    let state = &driver.state;
    [state.q.as_ref().to_vec(), state.v.as_ref().to_vec()]
}

#[test]
fn a_tumbling_body_with_modes() {
    let read = |ball: [[f64; 3]; 2], modes: [[f64; 5]; 2]| {
        [0, 1].map(|i| [&ball[i][..1], &modes[i]].concat())
    };
    let (explicit, implicit) = (HalfExplicit::order5(), GeneralizedAlpha::index3());
    assert_order(
        ("he5", 5.0),
        (&explicit, 10),
        &Tumbler,
        |driver| {
            let (ball, modes) = (driver.state.ball(), driver.state.modes());
            read(
                [ball.position(), ball.velocity()],
                [modes.position(), modes.velocity()],
            )
        },
        tumbler,
    );
    assert_order(
        ("ga3", 2.0),
        (&implicit, 50),
        &Tumbler,
        |driver| {
            let (ball, modes) = (driver.state.ball(), driver.state.modes());
            read(
                [ball.position(), ball.velocity()],
                [modes.position(), modes.velocity()],
            )
        },
        tumbler,
    );
}

/// Kinetic energy and that of the springs change by the power of the load less that of the
/// dampers, with adaptive steps.
#[test]
fn energy_of_a_driven_mode_is_the_work_of_its_load() {
    let run = HalfExplicit::order5()
        .tolerances(1e-11, 1e-11)
        .run(&Bank, 0.0..=TAU)
        .unwrap();
    let end = run.last();
    let start = Bank.energy(0.0, &Bank.start_config(), &Bank.start_velocity());
    let gain = Bank.energy(end.t, &end.q, &end.v).total() - start.total();
    // The power of forces and dampers along the exact motion, by Simpson's rule.
    let power = |t: f64| -> f64 {
        BANK.iter()
            .map(|numbers| {
                let v = oscillator(*numbers, t)[1];
                let [_, _, d, f, ..] = *numbers;
                v * (f * (FREQUENCY * t).cos() - d * v)
            })
            .sum()
    };
    let n = 20_000;
    let h = TAU / f64::from(n);
    let at = |k: i32| power(h * f64::from(k));
    let weight = |k: i32| if k % 2 == 0 { 2.0 } else { 4.0 };
    let inner: f64 = (1..n).map(|k| weight(k) * at(k)).sum();
    let work = h / 3.0 * (at(0) + inner + at(n));
    assert!((gain - work).abs() < 1e-9, "{gain} {work}");
}
