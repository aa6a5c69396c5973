//! Energy, momentum and work: what no method is told to keep, and each keeps to its order.

use polhode::generalized_alpha::GeneralizedAlpha;
use polhode::generic::description::{Attachment, Body, Description, Joint, JointKind, Start};
use polhode::half_explicit::{HalfExplicit, Multipliers};
use polhode::lie::GroupKind;
use polhode::system::System;
use polhode_models::machine::{Machine, Order, Scheme, Snapshot, assembled};
use polhode_models::model::{Choice, Model, Path};
use polhode_models::puma560::PumaADirect;
use polhode_models::registry::MODELS;
use polhode_models::rotor::{RotorDirect, RotorSemidirect};
use polhode_models::slider_crank::{SliderCrankDirect, SliderCrankSemidirect};
use polhode_tests::{Driver, RIGID, distance};

/// Control, dampers and loads change the energy of these.
const NOT_CONSERVATIVE: [&str; 4] = ["puma560", "rotor", "roll-up", "spaghetti"];

/// What is left of the energy where the error of the method is smaller.
const ROUNDING: f64 = 1e-13;

/// Methods with their orders and names.
fn schemes() -> Vec<(f64, &'static str, Scheme)> {
    let explicit = |method| Scheme::HalfExplicit(method, Multipliers::Raw);
    vec![
        (2.0, "he2", explicit(HalfExplicit::order2())),
        (3.0, "he3", explicit(HalfExplicit::order3())),
        (4.0, "he4", explicit(HalfExplicit::order4())),
        (5.0, "he5", explicit(HalfExplicit::order5())),
        (
            2.0,
            "ga3",
            Scheme::GeneralizedAlpha(GeneralizedAlpha::index3()),
        ),
        (
            2.0,
            "ga2",
            Scheme::GeneralizedAlpha(GeneralizedAlpha::index2()),
        ),
        (
            2.0,
            "ga2s",
            Scheme::GeneralizedAlpha(GeneralizedAlpha::stabilized_index2()),
        ),
    ]
}

fn machine(model: &Model, choice: &Choice) -> Box<dyn Machine> {
    let path = (model.paths)(choice)[0];
    if path == Path::Generic {
        return assembled(model.description(choice).unwrap()).unwrap();
    }
    (model.machine)(path, choice).unwrap()
}

/// The state after some steps.
fn moved(machine: &dyn Machine, scheme: &Scheme, h: f64, steps: i32) -> Snapshot {
    let order = Order {
        scheme,
        step: Some(h),
        until: h * f64::from(steps),
        stop_at: &[],
    };
    let finished = machine.run(&order, None);
    assert!(finished.error.is_none(), "{:?}", finished.error);
    finished.last
}

/// The change of energy over some steps, relative to the kinetic energy or one.
fn drift(machine: &dyn Machine, scheme: &Scheme, h: f64, steps: i32) -> f64 {
    let last = moved(machine, scheme, h, steps);
    let [start, end] = [&machine.start(), &last].map(|state| machine.energy(state));
    (end.total() - start.total()).abs() / end.kinetic.max(1.0)
}

#[test]
fn energy_of_every_conservative_model() {
    for model in MODELS {
        if NOT_CONSERVATIVE.contains(&model.name) {
            continue;
        }
        for &group in model.groups {
            let choice = model.choice_in(group);
            let machine = machine(model, &choice);
            for (order, name, scheme) in schemes() {
                if model.unsuitable.contains(&name) {
                    continue;
                }
                let [coarse, fine] = [1, 4].map(|k| {
                    let h = model.step / f64::from(k);
                    drift(&*machine, &scheme, h, 100 * k)
                });
                // A quarter of a step divides by 4^order, down to rounding.
                let most = (coarse * 4.0_f64.powf(0.3 - order)).max(ROUNDING);
                let what = format!("{} in {group} by {name}", model.name);
                assert!(fine <= most, "{what}: {coarse:.2e} and {fine:.2e}");
            }
        }
    }
}

/// Two bodies on a ball, in space.
fn free_pair(group: GroupKind) -> Description {
    let body = |name: &str, x: f64, angular_velocity: [f64; 3]| Body {
        name: name.to_owned(),
        group,
        mass: 2.0 + x,
        inertia: [[0.2, 0.0, 0.0], [0.0, 0.3 + 0.1 * x, 0.0], [0.0, 0.0, 0.4]],
        center: [0.0; 3],
        start: Start {
            position: vec![x, 0.0, 0.0],
            angular_velocity,
            // The ball at the origin moves with (1, 2, 3).
            velocity: vec![
                1.0,
                2.0 + angular_velocity[2] * x,
                3.0 - angular_velocity[1] * x,
            ],
            ..Start::default()
        },
    };
    Description {
        name: "free pair".to_owned(),
        bodies: vec![
            body("a", -0.5, [1.0, -2.0, 3.0]),
            body("b", 0.5, [-2.0, 0.5, 1.0]),
        ],
        joints: vec![Joint {
            name: "ball".to_owned(),
            kind: JointKind::Spherical,
            first: Attachment::at("a", [0.5, 0.0, 0.0]),
            second: Attachment::at("b", [-0.5, 0.0, 0.0]),
        }],
        ..Description::default()
    }
}

#[test]
fn momentum_of_free_bodies() {
    for (group, name) in RIGID {
        let machine = assembled(free_pair(group)).unwrap();
        let start = machine.momentum(&machine.start());
        for (order, method, scheme) in schemes() {
            let changes = |k: i32| {
                let last = moved(&*machine, &scheme, 4e-3 / f64::from(k), 100 * k);
                let end = machine.momentum(&last);
                [
                    distance(&end.linear, &start.linear),
                    distance(&end.angular, &start.angular),
                ]
            };
            for (coarse, fine) in changes(1).into_iter().zip(changes(4)) {
                let most = (coarse * 4.0_f64.powf(0.3 - order)).max(10.0 * ROUNDING);
                assert!(
                    fine <= most,
                    "{name}, {method}: {coarse:.2e} and {fine:.2e}"
                );
            }
        }
    }
}

/// Work of all forces over a second by Boole's rule against the change of the kinetic energy: joints
/// do no work. Relative to the largest kinetic energy.
fn work_defect<S: System>(system: S, steps: u32) -> f64 {
    let h = 1.0 / f64::from(steps);
    let mut run = Driver::new(system, &HalfExplicit::order5(), h);
    let (mut geometry, mut force) = (run.system.new_geometry(), run.system.new_velocity());
    let kinetic = |run: &Driver<HalfExplicit, S>| {
        let state = &run.state;
        run.system.energy(state.t, &state.q, &state.v).kinetic
    };
    let start = kinetic(&run);
    let (mut work, mut largest) = (0.0, start);
    for i in 0..=steps {
        if i > 0 {
            run.steps(1, h);
        }
        let weight = match i {
            0 => 7.0,
            i if i == steps => 7.0,
            i if i % 4 == 0 => 14.0,
            i if i % 2 == 0 => 12.0,
            _ => 32.0,
        };
        let (system, state) = (&run.system, &run.state);
        system
            .geometry(state.t, &state.q, &mut geometry)
            .expect("an admissible state");
        system.force(state.t, &geometry, &state.v, &mut force);
        let power: f64 = (force.as_ref().iter().zip(state.v.as_ref()))
            .map(|(force, v)| -force * v)
            .sum();
        work += weight * 2.0 * h / 45.0 * power;
        largest = kinetic(&run).max(largest);
    }
    (kinetic(&run) - start - work).abs() / largest
}

#[test]
fn work_of_forces() {
    let defects = [
        (
            "slider-crank",
            work_defect(SliderCrankDirect::default(), 4000),
        ),
        (
            "slider-crank in SE3",
            work_defect(SliderCrankSemidirect::default(), 4000),
        ),
        ("puma", work_defect(PumaADirect, 4000)),
        ("rotor", work_defect(RotorDirect, 40_000)),
        ("rotor in SE3", work_defect(RotorSemidirect, 40_000)),
    ];
    for (model, defect) in defects {
        assert!(defect < 1e-9, "{model}: {defect:.2e}");
    }
}
