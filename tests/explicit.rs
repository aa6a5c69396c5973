//! Explicit Lie group methods on first-order equations.
//!
//! Data: one step of each method and `f` at the start, by a program that shares nothing with this one
//! (`data/explicit.json`).

use polhode::actions::{Action, Actions};
use polhode::consistency::InitialValues;
use polhode::control::Controller;
use polhode::events::Event;
use polhode::explicit::{CommutatorFree, Inverse, MuntheKaas, Tableau, Tolerance};
use polhode::flow::Flow;
use polhode::half_explicit::HalfExplicit;
use polhode::lie::GroupKind;
use polhode::output::Output;
use polhode::simulation::Simulation;
use polhode::state::State;
use polhode::stats::Stats;
use polhode::stepper::{Method, Stepper};
use polhode::system::{Constrained, Manifold};
use polhode_models::generated::{FreeTop, TopDirect};
use polhode_models::{lie_poisson, n_pendulum, quadrotors};
use serde_json::Value;

type System = Flow<'static, Actions>;

fn data() -> Value {
    serde_json::from_str(include_str!("data/explicit.json")).unwrap()
}

/// The numbers of a nested list.
fn numbers(value: &Value) -> Vec<f64> {
    match value {
        Value::Array(items) => items.iter().flat_map(numbers).collect(),
        number => vec![number.as_f64().expect("a number")],
    }
}

/// The end of one step, and its error estimate in the 2-norm.
fn step(method: &impl Method<System>, system: &System, h: f64) -> (Vec<f64>, Option<f64>) {
    let mut stepper = method.stepper(system).unwrap();
    let mut state = State::start(system, 0.0);
    stepper.start(system, &mut state, h).unwrap();
    let error = stepper.attempt(system, &state, h, &mut Stats::default());
    let error = error.unwrap();
    stepper.accept(&mut state);
    (state.q.to_vec(), error)
}

/// Points of the data have all rotations first, then all angular velocities, and so on.
fn in_order_of_data(problem: &str, y: &[f64]) -> Vec<f64> {
    if problem != "quadrotors" {
        return y.to_vec();
    }
    let parts = [
        0..6,
        6..15,
        18..27,
        15..18,
        27..30,
        30..33,
        36..39,
        33..36,
        39..42,
    ];
    parts
        .into_iter()
        .flat_map(|part| y[part].to_vec())
        .collect()
}

fn problems() -> [(&'static str, System, f64); 3] {
    [
        ("top", lie_poisson::top(), 1e-3),
        (
            "pendulum",
            n_pendulum::pendulum(n_pendulum::in_space()),
            1e-2,
        ),
        ("quadrotors", quadrotors::quadrotors(), 1e-2),
    ]
}

fn distance(x: &[f64], y: &[f64]) -> f64 {
    assert_eq!(x.len(), y.len());
    x.iter()
        .zip(y)
        .map(|(x, y)| (x - y).powi(2))
        .sum::<f64>()
        .sqrt()
}

fn largest(x: &[f64]) -> f64 {
    x.iter().fold(0.0, |most, x| f64::max(most, x.abs()))
}

#[test]
fn one_step_of_every_method() {
    let data = data();
    let truncated = |method: MuntheKaas, k| method.inverse(Inverse::Truncated(k));
    let munthe_kaas = [
        ("Lie-Euler", MuntheKaas::euler()),
        ("Lie-Euler-Heun (RKMK2)", truncated(MuntheKaas::heun(), 0)),
        ("RKMK3 Kutta, exact", MuntheKaas::kutta3()),
        (
            "RKMK3 Kutta, dexpinv to ad^1",
            truncated(MuntheKaas::kutta3(), 1),
        ),
        ("RKMK4 exact", MuntheKaas::classical4()),
        (
            "RKMK4 dexpinv to ad^2",
            truncated(MuntheKaas::classical4(), 2),
        ),
        ("RKMK4 two commutators", MuntheKaas::two_commutators4()),
        ("RKMK5 Dormand-Prince exact", MuntheKaas::dormand_prince5()),
        (
            "RKMK5 dexpinv to ad^2",
            truncated(MuntheKaas::dormand_prince5(), 2),
        ),
        (
            "RKMK5 dexpinv to ad^4",
            truncated(MuntheKaas::dormand_prince5(), 4),
        ),
        ("RKMK3(2) Bogacki-Shampine", MuntheKaas::bogacki_shampine3()),
        ("RKMK6 Butcher 7 stages", MuntheKaas::butcher6()),
    ];
    let products = [
        ("CF4", CommutatorFree::order4(), Some("CF4 embedded 3")),
        ("CF3a", CommutatorFree::order3a(), Some("CF3a embedded 2")),
        ("CF3b", CommutatorFree::order3b(), Some("CF3b embedded 2")),
        ("CG3", CommutatorFree::crouch_grossman3(), None),
    ];
    for (problem, system, h) in problems() {
        let agrees = |name: &str, y: &[f64]| {
            let expected = numbers(&data["methods"][name][problem]);
            let found = in_order_of_data(problem, y);
            let error = distance(&found, &expected) / largest(&expected);
            println!("{problem} {name}: {error:.1e}");
            assert!(error < 1e-13, "{problem}, {name}: {error:e}");
            expected
        };
        let mut state = State::start(&system, 0.0);
        let mut stepper = MuntheKaas::euler().stepper(&system).unwrap();
        stepper.start(&system, &mut state, h).unwrap();
        let expected = numbers(&data["f_at_start"][problem]);
        let error = distance(&state.v[..expected.len()], &expected) / largest(&expected);
        assert!(error < 1e-13, "{problem}: {error:e}");

        for (name, method) in &munthe_kaas {
            agrees(name, &step(method, &system, h).0);
        }
        for (name, method, embedded) in &products {
            let expected = agrees(name, &step(method, &system, h).0);
            let Some(embedded) = embedded else { continue };
            let with_error = method.clone().tolerance(Tolerance::Norm(1.0));
            let (end, error) = step(&with_error, &system, h);
            agrees(name, &end);
            let coarse = numbers(&data["methods"][embedded][problem]);
            let (error, expected) = (error.unwrap(), distance(&coarse, &expected));
            assert!(
                (error - expected).abs() < 1e-13 * largest(&coarse),
                "{problem}, {name}: {error:e} {expected:e}"
            );
        }
    }
}

/// Methods of both families in one list.
trait Runs {
    /// The end of a run with fixed steps.
    fn end(&self, system: &System, t: f64, steps: u32) -> Vec<f64>;
}

impl<M: Method<System> + Clone> Runs for M {
    fn end(&self, system: &System, t: f64, steps: u32) -> Vec<f64> {
        let run = self
            .clone()
            .simulate(system, 0.0..=t)
            .step(t / f64::from(steps));
        let run = run.output(Output::EndOnly).run().unwrap();
        run.last().q.to_vec()
    }
}

/// Errors, relative ones for the top, with the finest steps of the data, and orders with twice these.
#[test]
fn errors_and_orders() {
    let data = data();
    let truncated = |method: MuntheKaas, k| method.inverse(Inverse::Truncated(k));
    let methods: [(&str, &dyn Runs); 12] = [
        ("Lie-Euler", &MuntheKaas::euler()),
        ("Lie-Euler-Heun (RKMK2)", &truncated(MuntheKaas::heun(), 0)),
        ("RKMK3 Kutta, exact", &MuntheKaas::kutta3()),
        (
            "RKMK3 Kutta, dexpinv to ad^1",
            &truncated(MuntheKaas::kutta3(), 1),
        ),
        ("RKMK4 exact", &MuntheKaas::classical4()),
        (
            "RKMK4 dexpinv to ad^2",
            &truncated(MuntheKaas::classical4(), 2),
        ),
        ("RKMK4 two commutators", &MuntheKaas::two_commutators4()),
        ("CF4", &CommutatorFree::order4()),
        ("CF3a", &CommutatorFree::order3a()),
        ("CF3b", &CommutatorFree::order3b()),
        ("CG3", &CommutatorFree::crouch_grossman3()),
        ("RKMK5 Dormand-Prince exact", &MuntheKaas::dormand_prince5()),
    ];
    // Names in the data, and steps of the methods up to order 4; of order 5 half as many.
    let problems = [
        ("top", lie_poisson::top(), 0.1, 800),
        ("two", plane(2, 1.0), 1.0, 400),
        (
            "pendulum",
            n_pendulum::pendulum(n_pendulum::in_space()),
            3.0,
            2400,
        ),
        ("quadrotors", quadrotors::quadrotors(), 1.0, 200),
    ];
    for (problem, system, t, steps) in problems {
        let reference = MuntheKaas::dormand_prince8().end(&system, t, 4 * steps);
        let scale = match problem {
            "top" => distance(&reference, &[0.0; 6]),
            _ => 1.0,
        };
        for (name, method) in methods {
            let steps = if name.contains('5') { steps / 2 } else { steps };
            let error = |steps| distance(&method.end(&system, t, steps), &reference) / scale;
            let (coarse, fine) = (error(steps / 2), error(steps));
            let [expected, order] =
                [0, 1].map(|k| data["orders"][name][problem][k].as_f64().unwrap());
            let observed = (coarse / fine).log2();
            println!("{problem} {name}: {fine:.3e} {expected:.3e} {observed:.2} {order:.2}");
            // The errors in the data are to solutions that are accurate to 2e-11 there.
            if (problem, name) == ("quadrotors", "RKMK5 Dormand-Prince exact") {
                let exact = numbers(&data["quadrotors_at_1"]);
                let found = distance(&in_order_of_data(problem, &reference), &exact);
                assert!(found < 1e-12 && observed > 5.0, "{found:e} {observed}");
                continue;
            }
            assert!(
                (observed - order).abs() < 0.1,
                "{problem}, {name}: {observed} {order}"
            );
            if expected > 1e-11 {
                assert!(
                    (fine / expected - 1.0).abs() < 0.03,
                    "{problem}, {name}: {fine:e} {expected:e}"
                );
            }
        }
    }
}

/// Order 5 with a truncated inverse, a pair 3(2) and order 6, with 50 to 400 steps.
#[test]
fn errors_with_more_methods() {
    let data = data();
    let truncated = |k| MuntheKaas::dormand_prince5().inverse(Inverse::Truncated(k));
    let methods: [(&str, &dyn Runs); 4] = [
        ("RKMK5 dexpinv to ad^2", &truncated(2)),
        ("RKMK5 dexpinv to ad^4", &truncated(4)),
        (
            "RKMK3(2) Bogacki-Shampine",
            &MuntheKaas::bogacki_shampine3(),
        ),
        ("RKMK6 Butcher 7 stages", &MuntheKaas::butcher6()),
    ];
    for (problem, system, t) in [
        ("top", lie_poisson::top(), 0.1),
        ("two", plane(2, 1.0), 1.0),
    ] {
        let reference = MuntheKaas::dormand_prince8().end(&system, t, 3200);
        let scale = match problem {
            "top" => distance(&reference, &[0.0; 6]),
            _ => 1.0,
        };
        for (name, method) in methods {
            let expected = numbers(&data["finer"][name][problem]);
            for (steps, expected) in [50, 100, 200, 400].into_iter().zip(expected) {
                let found = distance(&method.end(&system, t, steps), &reference) / scale;
                println!("{problem} {name} {steps}: {found:.3e} {expected:.3e}");
                if expected > 1e-11 {
                    assert!(
                        (found / expected - 1.0).abs() < 0.03,
                        "{problem}, {name}: {found:e} {expected:e}"
                    );
                }
            }
        }
    }
}

/// The controller of the paper: no limits of the factor, one tolerance for the 2-norm.
#[test]
fn adaptive_runs() {
    let data = data();
    for (case, system) in [
        ("N=2, L=1", plane(2, 1.0)),
        ("N=20, L=1", plane(20, 1.0)),
        ("N=20, L=1/4", plane(20, 0.25)),
    ] {
        let reference = MuntheKaas::dormand_prince8().end(&system, 3.0, 6000);
        for row in data["adaptive"][case].as_array().unwrap() {
            let [tolerance, expected] = [0, 3].map(|k| row[k].as_f64().unwrap());
            let run = MuntheKaas::dormand_prince5()
                .tolerance(Tolerance::Norm(tolerance))
                .controller(Controller::new(5).fac(0.85).factors(1e-9, 1e9))
                .simulate(&system, 0.0..=3.0)
                .step(0.01)
                .output(Output::EndOnly)
                .run()
                .unwrap();
            let stats = run.stats();
            let error = distance(&run.last().q, &reference);
            let text =
                format!("{case}, {tolerance:e}: {stats:?} {error:e} instead of {expected:e}");
            println!("{text}");
            let counts = [1, 2].map(|k| row[k].as_u64().unwrap());
            assert_eq!([stats.accepted, stats.rejected()], counts, "{text}");
            assert!((error / expected - 1.0).abs() < 1e-3, "{text}");
        }
    }
}

fn plane(count: usize, length: f64) -> System {
    n_pendulum::pendulum(n_pendulum::in_a_plane(count, length))
}

/// Values at the end by extrapolation in 80 bits, of other equations for the pendulum in a plane.
#[test]
fn references() {
    let near = |what: &str, found: &[f64], expected: &[f64], tolerance: f64| {
        let error = distance(found, expected);
        println!("{what}: {error:.1e}");
        assert!(error < tolerance, "{what}: {error:e}");
    };
    let accurate = MuntheKaas::dormand_prince8();
    let two = accurate.end(&plane(2, 1.0), 3.0, 3000);
    let expected = [
        [
            0.713_997_459_109_145,
            0.0,
            0.700_148_290_282_626,
            0.0,
            -0.965_881_813_317_030,
            0.0,
        ],
        [
            -0.577_706_414_022_552,
            0.0,
            0.816_244_631_956_134,
            0.0,
            1.289_147_689_707_028,
            0.0,
        ],
    ];
    near("N = 2", &two, expected.as_flattened(), 1e-9);
    let whip = |length: f64, first: [f64; 6], last: [f64; 6], tolerance: f64| {
        let y = accurate.end(&plane(20, length), 3.0, 6000);
        near("first of 20", &y[..6], &first, tolerance);
        near("last of 20", &y[114..], &last, tolerance);
    };
    whip(
        1.0,
        [
            -0.945_829_638_637_8,
            0.0,
            0.324_663_355_915_4,
            0.0,
            0.517_639_569_235_5,
            0.0,
        ],
        [
            -0.739_761_057_556_8,
            0.0,
            0.672_869_658_791_7,
            0.0,
            1.783_076_690_132_9,
            0.0,
        ],
        1e-9,
    );
    whip(
        0.25,
        [
            0.290_195_324_363_8,
            0.0,
            -0.956_967_436_079_9,
            0.0,
            1.219_394_134_886,
            0.0,
        ],
        [
            0.946_136_958_627,
            0.0,
            -0.323_766_668_327,
            0.0,
            0.097_525_422_960,
            0.0,
        ],
        1e-8,
    );
    let y = accurate.end(&quadrotors::quadrotors(), 5.0, 1000);
    near(
        "load",
        &y[..3],
        &[
            4.993_647_275_109_970_5,
            2.499_570_652_118_473,
            -4.996_585_273_249_83,
        ],
        1e-10,
    );
    let rods = [
        [
            -0.014_738_708_609_345_673,
            -0.616_546_230_106_626_6,
            0.787_180_739_480_988_2,
        ],
        [
            0.000_450_587_828_360_700_3,
            -0.062_842_163_153_736_22,
            -0.049_211_643_220_612_71,
        ],
        [
            -0.014_738_959_344_059_988,
            0.616_662_803_832_799_6,
            0.787_089_416_423_905_7,
        ],
        [
            -0.000_235_660_858_444_995_48,
            -0.062_827_073_181_338_32,
            0.049_218_862_432_190_03,
        ],
    ];
    near("rods", &y[30..42], rods.as_flattened(), 1e-10);
}

/// Groups from both sides and a sphere, with an `f` that depends on time.
#[test]
fn orders_with_time() {
    let identity = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
    let (left, right) = (Action::Left(GroupKind::SO3), Action::Right(GroupKind::SO3));
    let factors: [(Action, &[f64]); 3] = [
        (left, &identity),
        (right, &identity),
        (Action::Sphere, &[0.6, 0.0, 0.8]),
    ];
    let system = Flow::new(Actions::new(factors), |t, y, f| {
        f[..3].copy_from_slice(&[(2.0 * t).cos(), y[12], t * t]);
        f[3..6].copy_from_slice(&[y[19], (3.0 * t).sin(), 1.0 - t]);
        f[6..].copy_from_slice(&[t, y[1] - t.cos(), (y[18] * t).sin()]);
    });
    let exact = MuntheKaas::dormand_prince8().end(&system, 1.0, 400);
    let methods: [(&dyn Runs, u32); 15] = [
        (&MuntheKaas::euler(), 1),
        (&MuntheKaas::heun(), 2),
        (&MuntheKaas::heun().inverse(Inverse::Truncated(0)), 2),
        (&MuntheKaas::kutta3(), 3),
        (
            &MuntheKaas::bogacki_shampine3().inverse(Inverse::Truncated(1)),
            3,
        ),
        (&MuntheKaas::classical4(), 4),
        (&MuntheKaas::classical4().inverse(Inverse::Truncated(2)), 4),
        (&MuntheKaas::two_commutators4(), 4),
        (
            &MuntheKaas::dormand_prince5().inverse(Inverse::Truncated(2)),
            5,
        ),
        (&MuntheKaas::butcher6(), 6),
        (&MuntheKaas::dormand_prince8(), 8),
        (&CommutatorFree::order3a(), 3),
        (&CommutatorFree::order3b(), 3),
        (&CommutatorFree::order4(), 4),
        (&CommutatorFree::crouch_grossman3(), 3),
    ];
    for (method, order) in methods {
        // The finer ones are above rounding errors.
        let steps = [32, 16, 8, 4][order.saturating_sub(4).min(3) as usize];
        let errors =
            [steps, 2 * steps].map(|steps| distance(&method.end(&system, 1.0, steps), &exact));
        let observed = (errors[0] / errors[1]).log2();
        println!("order {order}: {observed:.2} {errors:?}");
        assert!(
            (observed - f64::from(order)).abs() < 0.4,
            "{order}: {observed} {errors:?}"
        );
    }
}

/// Every method stays on the orbit of its start.
#[test]
fn invariants() {
    let methods: [&dyn Runs; 8] = [
        &MuntheKaas::euler(),
        &MuntheKaas::kutta3().inverse(Inverse::Truncated(1)),
        &MuntheKaas::two_commutators4(),
        &MuntheKaas::dormand_prince8(),
        &CommutatorFree::order4(),
        &CommutatorFree::order3a(),
        &CommutatorFree::order3b(),
        &CommutatorFree::crouch_grossman3(),
    ];
    let dot = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| x * y).sum::<f64>();
    let space = n_pendulum::pendulum(n_pendulum::in_space());
    let top = lie_poisson::top();
    let start = top.start_config();
    for (index, method) in methods.into_iter().enumerate() {
        let y = method.end(&top, 0.1, 400);
        let vertical = dot(&y[3..], &y[3..]) - 1.0;
        let spin = (dot(&y[..3], &y[3..]) - dot(&start[..3], &start[3..])) / 70.0;
        assert!(
            vertical.abs() < 1e-13 && spin.abs() < 1e-13,
            "{index}: {vertical:e} {spin:e}"
        );
        for y in method.end(&space, 3.0, 300).chunks(6) {
            let (q, w) = y.split_at(3);
            let length = dot(q, q) - 1.0;
            // Not larger than what rounding does to the fastest of them.
            let slope = dot(q, w) / dot(w, w).sqrt().max(1.0);
            assert!(
                length.abs() < 1e-13 && slope.abs() < 1e-13,
                "{index}: {length:e} {slope:e}"
            );
        }
    }
}

/// Between steps a solution has order 6, or that of the method: steps of order 8, and of order 5.
#[test]
fn dense_output() {
    let top = lie_poisson::top();
    let times = || (1..40).map(|k| 0.1 * f64::from(k) / 40.0 + 1e-4).collect();
    let exact = MuntheKaas::dormand_prince8()
        .simulate(&top, 0.0..=0.2)
        .step(0.1 / 3200.0);
    let exact = exact.output(Output::At(times())).run().unwrap();
    let order = |method: MuntheKaas, steps: u32| {
        let errors = [steps, 2 * steps].map(|steps| {
            let run = method
                .clone()
                .simulate(&top, 0.0..=0.2)
                .step(0.1 / f64::from(steps));
            let run = run.output(Output::At(times())).run().unwrap();
            let pairs = run.states().iter().zip(exact.states());
            pairs.map(|(a, b)| distance(&a.q, &b.q)).fold(0.0, f64::max)
        });
        println!("{errors:?}");
        (errors[0] / errors[1]).log2()
    };
    let (fifth, eighth) = (
        order(MuntheKaas::dormand_prince5(), 100),
        order(MuntheKaas::dormand_prince8(), 25),
    );
    assert!((fifth - 5.0).abs() < 0.4, "{fifth}");
    assert!(eighth > 5.7, "{eighth}");
}

/// The top crosses the horizontal: events are those of a table of times.
#[test]
fn events_are_found() {
    let top = lie_poisson::top();
    let crossing = Event::new(|state: &State<System>| state.q[3]).tolerance(1e-13);
    let run = MuntheKaas::dormand_prince5()
        .tolerances(1e-11, 1e-11)
        .simulate(&top, 0.0..=0.2)
        .event(crossing)
        .run()
        .unwrap();
    assert!(!run.events().is_empty());
    for event in run.events() {
        println!("{} {:e}", event.state.t, event.state.q[3]);
        assert!(event.state.q[3].abs() < 1e-9, "{}", event.state.q[3]);
    }
}

/// Of a mechanism without constraints a Runge-Kutta-Munthe-Kaas method is the half-explicit one of the
/// same tableau.
#[test]
fn mechanisms() {
    fn end(method: impl Method<FreeTop>, h: f64) -> State<FreeTop> {
        let run = method
            .simulate(&FreeTop, 0.0..=0.5)
            .step(h)
            .output(Output::EndOnly);
        run.run().unwrap().last().clone()
    }
    let close = |a: &State<FreeTop>, b: &State<FreeTop>| {
        distance(&a.q, &b.q).max(distance(&a.v, &b.v) / largest(&b.v))
    };
    let half_explicit = end(HalfExplicit::order5(), 1e-3);
    let same = end(MuntheKaas::dormand_prince5(), 1e-3);
    assert!(
        close(&same, &half_explicit) < 1e-12,
        "{:e}",
        close(&same, &half_explicit)
    );
    let exact = end(MuntheKaas::dormand_prince8(), 5e-4);
    for (order, errors) in [
        (
            4,
            [1e-3, 5e-4].map(|h| close(&end(MuntheKaas::two_commutators4(), h), &exact)),
        ),
        (
            4,
            [1e-3, 5e-4].map(|h| close(&end(CommutatorFree::order4(), h), &exact)),
        ),
        (
            3,
            [1e-3, 5e-4].map(|h| close(&end(CommutatorFree::crouch_grossman3(), h), &exact)),
        ),
    ] {
        let observed = (errors[0] / errors[1]).log2();
        println!("{errors:?} {observed}");
        assert!(
            (observed - f64::from(order)).abs() < 0.15,
            "{observed} {order}"
        );
    }
}

/// Errors say what is wrong, with the number.
#[test]
fn wrong_input() {
    fn says<S: Constrained, M: Method<S>>(run: Simulation<'_, S, M>, words: &[&str]) {
        let text = run.run().map(|_| ()).unwrap_err().to_string();
        assert!(words.iter().all(|word| text.contains(word)), "{text}");
    }
    let tangent = |start: [f64; 6]| {
        Flow::new(
            Actions::new([(Action::TangentSphere, &start[..])]),
            |_, _, f| f.fill(1.0),
        )
    };
    let off = tangent([1.0, 0.0, 0.1, 0.0, 1.0, 0.0]);
    says(
        MuntheKaas::euler().simulate(&off, 0.0..=1.0).step(0.1),
        &["|q|^2", "-1.000e-2"],
    );
    let tilted = tangent([1.0, 0.0, 0.0, 0.3, 1.0, 0.0]);
    says(
        MuntheKaas::euler().simulate(&tilted, 0.0..=1.0).step(0.1),
        &["q . w", "3.000e-1"],
    );
    let projected = MuntheKaas::euler().simulate(&tilted, 0.0..=1.0).step(0.1);
    assert!(
        projected
            .initial_values(InitialValues::Project(1e-12))
            .run()
            .is_ok()
    );

    let top = lie_poisson::top();
    let alone = MuntheKaas::classical4().tolerances(1e-6, 1e-6);
    says(alone.simulate(&top, 0.0..=1.0), &["embedded", "0.000001"]);
    let alone = CommutatorFree::crouch_grossman3().tolerances(1e-6, 1e-6);
    says(alone.simulate(&top, 0.0..=1.0), &["embedded", "0.000001"]);
    let negative = MuntheKaas::dormand_prince5().tolerance(Tolerance::Norm(-1.0));
    says(
        negative.simulate(&top, 0.0..=1.0),
        &["absolute tolerance", "-1"],
    );
    let tableau = Tableau::new(1, &[&[]], &[0.9]);
    says(
        MuntheKaas::new(tableau).simulate(&top, 0.0..=1.0).step(0.1),
        &["0.9"],
    );
    let hinged = TopDirect;
    says(
        MuntheKaas::euler().simulate(&hinged, 0.0..=1.0).step(0.1),
        &["3", "half-explicit"],
    );
}
