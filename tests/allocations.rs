//! Nothing is allocated in a step after set-up and the first step, by any method on any system,
//! and nothing per step by a run that stores its end only.

use polhode::actions::Actions;
use polhode::events::Event;
use polhode::explicit::{CommutatorFree, Inverse, MuntheKaas};
use polhode::flow::Flow;
use polhode::generalized_alpha::GeneralizedAlpha;
use polhode::generic::description::{Description, Redundancy};
use polhode::generic::{GenericSystem, LinearMethod};
use polhode::half_explicit::HalfExplicit;
use polhode::lie::GroupKind;
use polhode::multibody;
use polhode::output::Output;
use polhode::simulation::Simulation;
use polhode::state::State;
use polhode::stats::Stats;
use polhode::stepper::{Method, Stepper};
use polhode::system::System;
use polhode_models::generated::{
    FreeTop, TopDirect, TopDirectQuaternion, TopSemidirect, TopSemidirectQuaternion,
};
use polhode_models::puma560::PumaADirect;
use polhode_models::slider_crank::SliderCrankDirect;
use polhode_models::{heavy_top, n_pendulum, pendulum};
use polhode_tests::{Driver, Path, RIGID, with_top};

fn allocations(work: impl FnOnce()) -> u64 {
    allocation_counter::measure(work).count_total
}

#[test]
fn the_counter_counts() {
    assert_eq!(allocations(|| drop(std::hint::black_box(vec![1.0]))), 1);
}

/// Two arms with a driver, a spring, a control, friction and a load that reads velocities; with
/// redundancy the first hinge is there twice.
fn arms(redundant: Redundancy) -> Description {
    let text = r#"{
        "name": "arms",
        "gravity": [0, -9.81, 0],
        "bodies": [
            { "name": "upper", "group": "SE3", "mass": 1,
              "inertia": [[1, 0, 0], [0, 1, 0], [0, 0, 1]] },
            { "name": "lower", "group": "S3xR3", "mass": 1,
              "inertia": [[1, 0, 0], [0, 1, 0], [0, 0, 1]], "start": { "position": [1, 0, 0] } }
        ],
        "joints": [
            { "name": "shoulder", "kind": "revolute",
              "first": { "body": "ground" }, "second": { "body": "upper" } },
            { "name": "motor",
              "kind": { "driver": { "motion": "angle", "value": { "mul": ["time", "time"] } } },
              "first": { "body": "ground" }, "second": { "body": "upper" } },
            { "name": "elbow", "kind": "revolute",
              "first": { "body": "upper", "point": [1, 0, 0] }, "second": { "body": "lower" } }
        ],
        "forces": [
            { "name": "spring", "kind": { "torsion-spring": { "joint": "elbow", "stiffness": 2 } } },
            { "name": "control", "kind": { "pd-control": { "joint": "elbow", "proportional": 2,
                "derivative": 1, "target": { "call": ["sin", "time"] } } } },
            { "name": "friction", "kind": { "actuator": { "joint": "elbow", "effort": { "neg": {
                "call": ["tanh", { "joint": { "joint": "elbow", "quantity": "angle-rate" } }] } } } } },
            { "name": "wind", "kind": { "load": {
                "at": { "body": "lower", "point": [1, 0, 0] }, "frame": "body",
                "force": [{ "body": { "body": "upper", "quantity": "velocity", "axis": 0 } },
                          { "body": { "body": "lower", "quantity": "velocity", "axis": 1 } },
                          { "number": 0 }],
                "torque": [{ "number": 0 }, { "number": 0 }, { "number": 0.1 }] } } }
        ] }"#;
    let mut description: Description = serde_json::from_str(text).unwrap();
    description.redundant = redundant;
    if redundant == Redundancy::Allow {
        let mut again = description.joints[0].clone();
        "again".clone_into(&mut again.name);
        description.joints.push(again);
    }
    description
}

/// Descriptions with a step size for each.
fn descriptions() -> Vec<(Description, f64)> {
    let constrained = RIGID.map(|(group, _)| (heavy_top::constrained(group), 1e-3));
    let free = [GroupKind::SO3, GroupKind::S3].map(|group| (heavy_top::free(group), 1e-3));
    let pendulum = [(pendulum::pendulum(0.2), 0.01)];
    let arms = [Redundancy::Reject, Redundancy::Allow].map(|redundant| (arms(redundant), 1e-3));
    constrained
        .into_iter()
        .chain(free)
        .chain(pendulum)
        .chain(arms)
        .collect()
}

/// A method for each of the systems below.
trait ForAll:
    Method<GenericSystem>
    + Method<TopDirect>
    + Method<TopDirectQuaternion>
    + Method<TopSemidirect>
    + Method<TopSemidirectQuaternion>
    + Method<FreeTop>
    + Method<SliderCrankDirect>
    + Method<Hoop>
{
}

impl ForAll for HalfExplicit {}
impl ForAll for GeneralizedAlpha {}

fn check<M: ForAll>(method: &M, what: &str) {
    for (description, h) in descriptions() {
        for linear in [LinearMethod::Dense, LinearMethod::Fronts] {
            let name = format!(
                "{what}, {}, {}",
                description.name, description.bodies[0].group
            );
            let system = GenericSystem::with_method(description.clone(), linear).unwrap();
            check_system(system, method, h, &format!("{name}, {linear:?}"));
        }
    }
    for (group, name) in RIGID {
        let what = format!("{what}, generated, {name}");
        with_top!(Path::Generated, group, |system| check_system(
            system, method, 1e-3, &what
        ));
    }
    check_system(FreeTop, method, 1e-3, &format!("{what}, generated, SO3"));
    let crank = SliderCrankDirect::default();
    check_system(crank, method, 1e-3, &format!("{what}, generated, crank"));
    check_system(
        Hoop::new(HoopParameters::default()).unwrap(),
        method,
        1e-3,
        &format!("{what}, arrays"),
    );
}

/// A ring of elements with a spring at each node, a motor and a brake.
#[multibody(gravity = [0.0, 0.0, -9.81], consts(LENGTH = 3.0))]
struct Hoop {
    #[count(default = 12, min = 3)]
    n: usize,
    #[start(rotation = along(x))]
    nodes: [Node<S3xR3>; n],
    #[rod(nodes[i], nodes[i + 1], kirchhoff, length = LENGTH / n, density = 1.0, inertia = 0.05, bending = 2.0,
        torsion = 1.5, extension = 90.0, damping = 0.01, curvature = [0.0, 2 * PI / LENGTH, 0.0])]
    edges: [RodElement; n - 1],
    #[rod(nodes[n - 1], nodes[0], kirchhoff, length = LENGTH / n, density = 1.0, inertia = 0.05, bending = 2.0,
        torsion = 1.5, extension = 90.0, damping = 0.01, curvature = [0.0, 2 * PI / LENGTH, 0.0])]
    seam: RodElement,
    #[joint(ground, nodes[0], axis = y)]
    nail: Revolute,
    #[force(nail, effort = 0.1 * sin(t) - 0.2 * tanh(nail.angle_rate))]
    motor: Actuator,
    #[force(nail, stiffness = 0.3)]
    coil: TorsionSpring,
    #[force(ground at [i / n, 1.0, 0.5], nodes[i], stiffness = 2.0, damping = 0.1, length = 1.0)]
    springs: [SpringDamper; n],
}

fn check_system<S: System, M: Method<S>>(system: S, method: &M, h: f64, what: &str) {
    let mut run = Driver::new(system, method, h);
    run.steps(1, h);
    let count = allocations(|| run.steps(100, h));
    assert_eq!(count, 0, "{what}: allocations in 100 steps");
    // A step that is not kept.
    let count = allocations(|| {
        run.stepper
            .attempt(&run.system, &run.state, 3.0 * h, &mut run.stats)
            .unwrap();
    });
    assert_eq!(count, 0, "{what}: allocations in an attempt");
}

#[test]
fn half_explicit_steps() {
    check(&HalfExplicit::order2(), "order 2");
    check(&HalfExplicit::order3(), "order 3");
    check(&HalfExplicit::order4(), "order 4");
    check(&HalfExplicit::order5(), "order 5");
    check(&HalfExplicit::order5().tolerances(1e-6, 1e-6), "adaptive");
}

#[test]
fn generalized_alpha_steps() {
    for (method, what) in [
        (GeneralizedAlpha::index3(), "index 3"),
        (GeneralizedAlpha::index2(), "index 2"),
        (GeneralizedAlpha::stabilized_index2(), "stabilized"),
    ] {
        check(&method, what);
        check(&method.modified_newton(), &format!("{what}, modified"));
    }
}

/// Six bodies, whose larger matrices the runtime eliminates. Orders 2 and 3 cannot run it.
#[test]
fn steps_of_an_arm() {
    let h = 2.5e-4;
    let half_explicit = [HalfExplicit::order4(), HalfExplicit::order5()];
    for method in half_explicit {
        check_system(PumaADirect, &method, h, "arm, half-explicit");
    }
    for method in [
        GeneralizedAlpha::index3(),
        GeneralizedAlpha::index2(),
        GeneralizedAlpha::stabilized_index2(),
    ] {
        check_system(PumaADirect, &method, h, "arm, generalized-alpha");
        let modified = method.modified_newton();
        check_system(PumaADirect, &modified, h, "arm, modified Newton");
    }
}

/// Allocations of a run over `[0, end]`.
fn of_run<'a, M: Method<GenericSystem>>(
    system: &'a GenericSystem,
    method: M,
    end: f64,
    options: impl Fn(Simulation<'a, GenericSystem, M>) -> Simulation<'a, GenericSystem, M>,
) -> u64 {
    let simulation = options(method.simulate(system, 0.0..=end).output(Output::EndOnly));
    let mut steps = 0;
    let count = allocations(|| steps = simulation.run().unwrap().stats().accepted);
    assert!(steps > 10);
    count
}

/// Ten times as many steps allocate no more.
#[test]
fn explicit_steps() {
    fn check(method: &impl Method<Flow<'static, Actions>>, what: &str) {
        let system = n_pendulum::pendulum(n_pendulum::in_space());
        let mut stepper = method.stepper(&system).unwrap();
        let mut state = State::start(&system, 0.0);
        stepper.start(&system, &mut state, 1e-3).unwrap();
        let mut stats = Stats::default();
        let mut step = || stepper.step(&system, &mut state, 1e-3, &mut stats).unwrap();
        step();
        assert_eq!(allocations(step), 0, "{what}");
    }
    check(
        &MuntheKaas::dormand_prince8().tolerances(1e-6, 1e-6),
        "order 8",
    );
    let truncated = MuntheKaas::classical4().inverse(Inverse::Truncated(2));
    check(&truncated, "truncated");
    check(&MuntheKaas::two_commutators4(), "two commutators");
    check(&CommutatorFree::order4().tolerances(1e-6, 1e-6), "products");
}

#[test]
fn runs_without_output() {
    for (group, name) in RIGID {
        let system = &GenericSystem::new(heavy_top::constrained(group)).unwrap();
        let adaptive = |end| {
            let method = HalfExplicit::order5().tolerances(1e-6, 1e-6);
            of_run(system, method, end, |run| run)
        };
        assert_eq!(adaptive(0.1), adaptive(1.0), "{name}, adaptive");
        let fixed = |end| of_run(system, HalfExplicit::order3(), end, |run| run.step(1e-3));
        assert_eq!(fixed(0.1), fixed(1.0), "{name}, order 3");
        let alpha = |end| {
            let method = GeneralizedAlpha::stabilized_index2().modified_newton();
            of_run(system, method, end, |run| run.step(1e-3))
        };
        assert_eq!(alpha(0.1), alpha(1.0), "{name}, stabilized");
        // An event that is watched but does not happen.
        let watched = |end| {
            of_run(system, HalfExplicit::order5(), end, |run| {
                let event = Event::new(|state: &State<GenericSystem>| state.t + 1.0);
                run.step(1e-3).event(event).stop_at([0.05])
            })
        };
        assert_eq!(watched(0.1), watched(1.0), "{name}, with an event");
    }
}
