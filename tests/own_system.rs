//! A system written outside of the crate, on a manifold that the library does not know: the spherical
//! pendulum on `S^2`, moved by rotations in inertial axes. It gives its bracket, and gets tangent
//! operators, dense output, events and Newton matrices from the defaults.

use polhode::error::Fault;
use polhode::generalized_alpha::{GeneralizedAlpha, Sigma};
use polhode::half_explicit::HalfExplicit;
use polhode::prelude::{Direction, Event, Output};
use polhode::run::Run;
use polhode::state::State;
use polhode::stepper::Method;
use polhode::system::{Constrained, Energy, Implicit, Manifold, Mechanics};
use polhode_tests::{distance, observed_order};

type Vector = [f64; 3];

/// Weight of a unit mass, on a rod of unit length.
const WEIGHT: Vector = [0.0, 0.0, -9.81];

/// The direction of the rod is `q`, its angular velocity in inertial axes `v`.
struct Spherical {
    start: (Vector, Vector),
}

fn cross(x: &Vector, y: &Vector) -> Vector {
    [
        x[1] * y[2] - x[2] * y[1],
        x[2] * y[0] - x[0] * y[2],
        x[0] * y[1] - x[1] * y[0],
    ]
}

fn dot(x: &Vector, y: &Vector) -> f64 {
    x[0] * y[0] + x[1] * y[1] + x[2] * y[2]
}

impl Manifold for Spherical {
    type Config = Vector;
    type Velocity = Vector;

    fn start_config(&self) -> Vector {
        self.start.0
    }
    fn new_velocity(&self) -> Vector {
        [0.0; 3]
    }
    /// Rodrigues' formula.
    fn displace(&self, q: &Vector, theta: &Vector, out: &mut Vector) {
        let angle = dot(theta, theta).sqrt();
        let half = 0.5 * angle;
        let sinc = |x: f64| {
            if x < 1e-4 {
                1.0 - x * x / 6.0
            } else {
                x.sin() / x
            }
        };
        let (first, second) = (sinc(angle), 0.5 * sinc(half) * sinc(half));
        let turned = cross(theta, q);
        let twice = cross(theta, &turned);
        *out = core::array::from_fn(|i| q[i] + first * turned[i] + second * twice[i]);
    }
    fn bracket(&self, x: &Vector, y: &Vector, out: &mut Vector) {
        *out = cross(y, x);
    }
    fn difference(&self, q: &Vector, p: &Vector, out: &mut Vector) {
        let axis = cross(q, p);
        let sine = dot(&axis, &axis).sqrt();
        let angle = sine.atan2(dot(q, p));
        *out = axis.map(|x| if sine > 0.0 { x * angle / sine } else { 0.0 });
    }
}

impl Mechanics for Spherical {
    type Geometry = Vector;

    fn new_geometry(&self) -> Vector {
        [0.0; 3]
    }
    fn start_velocity(&self) -> Vector {
        self.start.1
    }
    fn geometry(&self, _t: f64, q: &Vector, out: &mut Vector) -> Result<(), Fault> {
        *out = *q;
        Ok(())
    }
    fn force(&self, _t: f64, q: &Vector, _v: &Vector, out: &mut Vector) {
        *out = cross(&WEIGHT, q);
    }
    fn mass_times(&self, w: &Vector, out: &mut Vector) {
        *out = *w;
    }
    fn mass_solve(&self, f: &Vector, out: &mut Vector) {
        *out = *f;
    }
    fn energy(&self, _t: f64, q: &Vector, v: &Vector) -> Energy {
        Energy {
            kinetic: 0.5 * dot(v, v),
            potential: -dot(&WEIGHT, q),
        }
    }
}

polhode::unconstrained!(Spherical);

impl Implicit for Spherical {
    fn jacobian_derivative_times(
        &self,
        _q: &Vector,
        _g: &Vector,
        _v: &Vector,
        _w: &Vector,
        _out: &mut [f64; 0],
    ) {
    }
    fn stiffness_times(
        &self,
        _t: f64,
        q: &Vector,
        _g: &Vector,
        _v: &Vector,
        _lambda: &[f64; 0],
        w: &Vector,
        out: &mut Vector,
    ) {
        *out = cross(&WEIGHT, &cross(w, q));
    }
    fn damping_times(
        &self,
        _t: f64,
        _q: &Vector,
        _g: &Vector,
        _v: &Vector,
        _w: &Vector,
        out: &mut Vector,
    ) {
        *out = [0.0; 3];
    }
}

/// In a conical motion that is not steady.
fn spherical() -> Spherical {
    Spherical {
        start: ([0.6, 0.0, -0.8], [0.8 * 2.0, 0.0, 0.6 * 2.0]),
    }
}

fn run<M: Method<Spherical>>(method: M, steps: u32, output: Output) -> Run<Spherical> {
    let run = method
        .simulate(&spherical(), 0.0..=1.0)
        .step(1.0 / f64::from(steps))
        .output(output)
        .run();
    run.unwrap()
}

/// Largest errors of `q` and `v` at the stored times.
fn errors(run: &Run<Spherical>, exact: &Run<Spherical>) -> [f64; 2] {
    let mut worst = [0.0_f64; 2];
    assert_eq!(run.states().len(), exact.states().len());
    for (state, exact) in run.states().iter().zip(exact.states()) {
        assert_eq!(state.t.to_bits(), exact.t.to_bits());
        worst[0] = worst[0].max(distance(&state.q, &exact.q));
        worst[1] = worst[1].max(distance(&state.v, &exact.v));
    }
    worst
}

fn orders<M: Method<Spherical> + Clone>(method: &M, output: &Output, steps: [u32; 4]) -> [f64; 2] {
    let exact = run(HalfExplicit::order5(), 2048, output.clone());
    let found = steps.map(|n| {
        (
            1.0 / f64::from(n),
            errors(&run(method.clone(), n, output.clone()), &exact),
        )
    });
    println!("{found:?}");
    [0, 1].map(|k| observed_order(&found.map(|(h, errors)| (h, errors[k]))))
}

/// A prime number of output intervals: none of the times within is the end of a step.
fn between() -> Output {
    Output::At((0..=97).map(|i| f64::from(i) / 97.0).collect())
}

#[test]
fn steps_have_their_order() {
    // Steps of 1/8 are too large for order 5: from one halving to the next it is 5.6, 5.3, 5.1.
    let steps = [16, 32, 64, 128];
    for (method, order) in [
        (HalfExplicit::order2(), 2.0),
        (HalfExplicit::order3(), 3.0),
        (HalfExplicit::order4(), 4.0),
        (HalfExplicit::order5(), 5.0),
    ] {
        for found in orders(&method, &Output::EndOnly, steps) {
            assert!((found - order).abs() < 0.35, "order {order}: {found}");
        }
    }
    for sigma in [Sigma::Geom1, Sigma::Optimal, Sigma::One] {
        let method = GeneralizedAlpha::index3().sigma(sigma);
        for found in orders(&method, &Output::EndOnly, [64, 128, 256, 512]) {
            assert!((found - 2.0).abs() < 0.1, "{sigma:?}: {found}");
        }
    }
}

/// Between the ends of steps of an exact method the polynomial has errors of order 6 and 5.
#[test]
fn dense_output_loses_nothing() {
    let found = orders(&HalfExplicit::order5(), &between(), [8, 16, 32, 64]);
    assert!(found[0] > 4.8 && found[1] > 4.7, "{found:?}");
}

/// The period of the plane pendulum through the elliptic integral: `4 K(sin(a / 2)) / sqrt(g)`, with
/// `K(0.6)` to 16 digits by the mean of arithmetic and geometric means.
#[test]
fn events_and_output_times_are_those_of_the_pendulum() {
    let system = Spherical {
        start: ([0.96, 0.0, -0.28], [0.0; 3]), // cos(a) = 0.28, sin(a / 2) = 0.6
    };
    let (mut a, mut b) = (1.0_f64, 0.8_f64);
    for _ in 0..6 {
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
    }
    let quarter = core::f64::consts::FRAC_PI_2 / a / 9.81_f64.sqrt();
    let run = HalfExplicit::order5()
        .tolerances(1e-11, 1e-11)
        .simulate(&system, 0.0..=6.0 * quarter)
        .output(Output::Every(quarter))
        .event(Event::new(|state: &State<Spherical>| state.q[0]).direction(Direction::Rising))
        .run()
        .unwrap();
    assert_eq!(run.events().len(), 1);
    let passage = run.events()[0].state.t;
    assert!(
        (passage - 3.0 * quarter).abs() < 1e-9,
        "{passage} {quarter}"
    );
    for (i, state) in run.states().iter().enumerate() {
        let expected = [0.96, 0.0, -0.96, 0.0][i % 4];
        assert!((state.q[0] - expected).abs() < 1e-9, "{i}: {:?}", state.q);
    }
    assert_eq!(run.trajectory().columns().v[2], "v[2]");
    assert!(run.drift().abs() < 1e-9);
}

#[test]
fn the_rod_keeps_its_length_and_does_not_spin() {
    let last = run(HalfExplicit::order5(), 64, Output::EndOnly);
    let State { q, v, .. } = last.last();
    assert!(
        (dot(q, q) - 1.0).abs() < 1e-14 && dot(q, v).abs() < 1e-9,
        "{q:?} {v:?}"
    );
    assert_eq!(spherical().constraint_count(), 0);
}
