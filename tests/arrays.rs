//! Models with arrays: the same as what is put together by hand, function by function; references;
//! counts in all their forms; what their constructors reject.

#[path = "arrays/following.rs"]
mod following;
#[path = "arrays/names.rs"]
mod names;
#[path = "arrays/network.rs"]
mod network;
#[path = "arrays/references.rs"]
mod references;
#[path = "arrays/starts.rs"]
mod starts;
#[path = "arrays/turns.rs"]
mod turns;

use polhode::accelerations::AccelerationSolver;
use polhode::chain::{
    Anchor, ChainStart, InternalConstraint, InvalidTree, Link, LinkChain, Place, Rod, RodStart,
    Section, Tree,
};
use polhode::generic::GenericSystem;
use polhode::generic::description::{Body, Description, JointKind, Start};
use polhode::lie::GroupKind;
use polhode::parameters::InvalidParameters;
use polhode::prelude::{GeneralizedAlpha, HalfExplicit, Method, Output, State, System, multibody};
use polhode::system::{Bodies, Constrained, Mechanics};
use polhode_models::arrays::chain::{RigidChain, RigidChainParameters};
use polhode_models::arrays::rod_pendulum::{RodPendulum, RodPendulumParameters, RodPendulumState};
use polhode_models::arrays::roll_up::{RollUp, RollUpParameters, RollUpState};
use polhode_models::arrays::spaghetti::{
    FlyingSpaghetti, FlyingSpaghettiParameters, FlyingSpaghettiState,
};
use polhode_tests::compare::{assert_close, assert_solved, compare_by_hand};
use polhode_tests::rods::{Case, Model};
use polhode_tests::{Driver, data, distance, floats};

const GRAVITY: [f64; 3] = [0.0, 0.0, -9.81];

fn spaghetti(n: usize) -> FlyingSpaghetti {
    FlyingSpaghetti::new(FlyingSpaghettiParameters { n }).unwrap()
}

fn links(n: usize) -> RigidChain {
    RigidChain::new(RigidChainParameters { n, bend: 0.0 }).unwrap()
}

/// The chain of `tests/chains.rs`.
fn links_by_hand(count: usize) -> LinkChain {
    #[expect(clippy::cast_precision_loss, reason = "a few links")]
    let start = ChainStart::straight(count, [0.0, 0.0, 1.0 / count as f64]);
    LinkChain::uniform(Link::cylinder(1.0, 1.0, 0.05), GRAVITY, &start).unwrap()
}

fn pendulum_by_hand(elements: usize, radius: f64, mass: f64) -> Tree {
    let (young, density, bob) = (2.1e11, 7850.0, 0.03);
    let area = std::f64::consts::PI * radius * radius;
    let second = area * radius * radius / 4.0;
    let twist = 2.0 * (young / 2.6) * second;
    let section = Section {
        density: density * area,
        inertia: [1.0, 1.0, 2.0].map(|x| density * second * x),
        stiffness: [young * second, young * second, twist, 0.0, 0.0, 0.0],
        damping: [1e-4; 6],
        damping_factor: 2.0,
    };
    let mut rod = Rod::new("rod", section, 1.0, elements);
    rod.constraint = InternalConstraint::Inextensible;
    rod.start = RodStart::along([0.0; 3], [1.0, 0.0, 0.0]);
    let mut builder = Tree::builder();
    builder.gravity(GRAVITY);
    let nodes = builder.rod(&rod).unwrap();
    let (half, moment) = (0.5_f64.sqrt(), 0.4 * mass * bob * bob);
    let body = Body {
        name: "bob".to_owned(),
        group: GroupKind::S3sR3,
        mass,
        inertia: [[moment, 0.0, 0.0], [0.0, moment, 0.0], [0.0, 0.0, moment]],
        center: [0.0; 3],
        start: Start {
            position: vec![1.0 + bob, 0.0, 0.0],
            rotation: [half, 0.0, half, 0.0],
            ..Start::default()
        },
    };
    let body = builder.body(&body).unwrap();
    let (ground, first) = (
        Anchor::at(Place::GROUND, [0.0; 3]),
        Anchor::at(nodes[0], [0.0; 3]),
    );
    builder
        .joint("pivot", JointKind::Spherical, &ground, &first)
        .unwrap();
    // Both frames are parallel to the inertial one at the start.
    let axes = [[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]];
    let anchor = |place, point| Anchor { place, point, axes };
    builder
        .joint(
            "weld",
            JointKind::Fixed,
            &anchor(nodes[elements], [0.0; 3]),
            &anchor(body, [0.0, 0.0, -bob]),
        )
        .unwrap();
    builder.build().unwrap()
}

#[test]
fn the_roll_up_is_the_one_by_hand() {
    let (tree, _) = Model::new(Case::RollUp, InternalConstraint::Kirchhoff).build();
    compare_by_hand(
        RollUp::<8>::new(RollUpParameters::default()).unwrap(),
        tree,
        0.1,
    );
}

#[test]
fn the_spaghetti_is_the_one_by_hand() {
    let (tree, _) = Model::new(Case::Spaghetti, InternalConstraint::Kirchhoff).build();
    compare_by_hand(
        FlyingSpaghetti::new(FlyingSpaghettiParameters::default()).unwrap(),
        tree,
        0.1,
    );
}

#[test]
fn the_chain_is_the_one_by_hand() {
    for count in [1, 2, 7] {
        compare_by_hand(links(count), links_by_hand(count), 0.3);
    }
}

#[test]
fn the_rod_pendulum_is_the_one_by_hand() {
    // Thick: a thin wire has next to no rotational inertia, and projections turn its nodes far.
    let parameters = RodPendulumParameters {
        n: 4,
        radius: 0.01,
        mass: 0.7,
    };
    let model = RodPendulum::new(parameters).unwrap();
    assert_eq!(model.parameters(), parameters);
    // Steel is stiff: its bending exceeds the inertia of a step by a factor of 1e5.
    compare_by_hand(model, pendulum_by_hand(4, 0.01, 0.7), 1e-2);
}

/// Free ends of chains at `t = 0.2` and `t = 1`, as in `tests/chains.rs`.
#[test]
fn references_of_chains() {
    let reference = data("chains.json");
    for (count, h) in [(2, 1.0 / 1000.0), (10, 1.0 / 2000.0)] {
        let chain = links(count);
        let run = HalfExplicit::order5()
            .simulate(&chain, 0.0..=1.0)
            .step(h)
            .output(Output::At(vec![0.2, 1.0]))
            .run()
            .unwrap();
        for (time, name, tolerance) in [(0.2, "0.2", 1e-9), (1.0, "1", 1e-8)] {
            let state = run.states().iter().find(|s| s.t == time).unwrap();
            let expected = floats(&reference["tips"][count.to_string()][name]);
            let error = distance(&chain.assembled().tip(&state.q), &expected);
            assert!(error < tolerance, "{count} links at {time}: {error:.1e}");
        }
    }
}

/// The energy of the wire with its bob falls by what the damping takes, and stays without it.
#[test]
fn balance_of_the_rod_pendulum() {
    let model = RodPendulum::new(RodPendulumParameters::default()).unwrap();
    let steps = 2000;
    let h = 1.0 / 2000.0;
    let start = State::start(&model, 0.0);
    let before = model.energy(0.0, &start.q, &start.v).total();
    let mut run = Driver::new(model, &GeneralizedAlpha::stabilized_index2(), h);
    let mut geometry = run.system.new_geometry();
    let mut lost = 0.0;
    for i in 0..=steps {
        if i > 0 {
            run.steps(1, h);
        }
        let weight = if i == 0 || i == steps { 0.5 * h } else { h };
        let (tree, state) = (run.system.assembled(), &run.state);
        tree.geometry(state.t, &state.q, &mut geometry).unwrap();
        lost += weight * tree.dissipation(&geometry, &state.v);
    }
    let state = &run.state;
    let after = run.system.energy(1.0, &state.q, &state.v).total();
    let fallen = -0.5 * 9.81 * state.bob().position()[2];
    println!(
        "energy {before:.3e} to {after:.6e}, lost {lost:.6e}, work of gravity on the bob {fallen:.3}"
    );
    // The damping takes 7e-4 of the 5 J of a swing; what the method adds is below a hundredth of that.
    let defect = after - before + lost;
    assert!(
        lost > 5e-4 && defect.abs() < 1e-6,
        "{defect:.1e} of {lost:.1e}"
    );
}

/// The same rod with the number of elements written in three ways.
mod counts {
    use super::*;

    macro_rules! rod {
        ($(#[$attribute:meta])* $name:ident [$($generics:tt)*] { $($count:tt)* } $n:expr, $end:expr) => {
            $(#[$attribute])*
            #[multibody(gravity = [0.0, 0.0, -9.81], consts(M = 6))]
            struct $name $($generics)* {
                $($count)*
                #[start(position = [0.1, 0.2, 0.3], rotation = along([1.0, 1.0, 0.0]))]
                nodes: [Node<SE3>; $n + 1],
                #[rod(nodes[i], nodes[i + 1], inextensible, length = 2.0 / $n, density = 1.0 + i / $n,
                    inertia = 0.01, bending = [2.0, 3.0], torsion = 1.5, damping = 0.1, curvature = [0.0, 0.3, 0.0])]
                edges: [RodElement; $n],
                #[joint(ground, nodes[0])]
                clamp: Fixed,
                #[force(nodes[$end], force = [0.0, sin(3 * t), 0.0], frame = body)]
                push: Load,
            }
        };
    }
    rod!(Literal [] {} M, 6);
    rod!(Generic [<const N: usize>] {} N, N);
    rod!(Chosen [] { #[count(default = 3)] n: usize, } n, n);

    #[test]
    fn all_forms_agree() {
        let chosen = Chosen::new(ChosenParameters { n: 6 }).unwrap();
        let end = |q: &[f64]| q[q.len() - 3..].to_vec();
        let run = |system: &dyn Fn() -> Vec<f64>| system();
        macro_rules! moved {
            ($model:expr) => {{
                let model = $model;
                let last = HalfExplicit::order4()
                    .simulate(&model, 0.0..=0.1)
                    .step(0.0005)
                    .output(Output::EndOnly)
                    .run()
                    .unwrap();
                last.last().q.to_vec()
            }};
        }
        let literal = run(&|| moved!(Literal::new().unwrap()));
        let generic = run(&|| moved!(Generic::<6>::new().unwrap()));
        let late = run(&|| moved!(chosen.clone()));
        assert_eq!(literal, generic);
        assert_eq!(literal, late);
        assert_ne!(end(&literal), end(&moved!(Generic::<5>::new().unwrap())));
    }

    /// `nodes(i)` is the same place in all forms, and the clamped node is none.
    #[test]
    fn states_have_names() {
        let literal = State::start(&Literal::new().unwrap(), 0.0);
        let generic = State::start(&Generic::<6>::new().unwrap(), 0.0);
        let chosen = Chosen::new(ChosenParameters { n: 6 }).unwrap();
        let late = State::start(&chosen, 0.0);
        for i in 0..9 {
            let places = [
                literal.nodes(i).map(|node| node.position()),
                generic.nodes(i).map(|node| node.position()),
                late.nodes(i).map(|node| node.position()),
            ];
            assert_eq!(places[0].is_some(), (1..=6).contains(&i), "{i}");
            assert_eq!(places[0], places[1]);
            assert_eq!(places[0], places[2]);
            if let Some(place) = places[0] {
                assert_eq!(&place[..], &literal.q[12 * i - 3..12 * i]);
            }
        }
    }
}

#[test]
fn names() {
    let model = RollUp::<3>::new(RollUpParameters::default()).unwrap();
    assert_eq!(model.factor_name(0), "nodes[1]");
    assert_eq!(model.factor_name(2), "nodes[3]");
    let (first, last) = (model.constraint_name(0), model.constraint_name(5));
    assert_eq!(first, "rod `edges`, element 0, shear along 1");
    assert_eq!(last, "rod `edges`, element 2, shear along 2");
    let chain = links(3);
    assert_eq!(chain.factor_name(1), "links[1]");
    assert_eq!(
        chain.constraint_name(0),
        "joint `pivot`, position along inertial x"
    );
    assert_eq!(
        chain.constraint_name(8),
        "joint `joints[1]`, position along inertial z"
    );
    let pendulum = RodPendulum::new(RodPendulumParameters::default()).unwrap();
    assert_eq!(pendulum.factor_name(11), "bob");
    let state = State::start(&pendulum, 0.0);
    assert_close("bob", &state.bob().position(), &[1.03, 0.0, 0.0]);
    let state = State::start(&RollUp::<8>::new(RollUpParameters::default()).unwrap(), 0.0);
    assert!(state.nodes(0).is_none() && state.nodes(9).is_none());
    assert_close(
        "end",
        &state.nodes(8).unwrap().position(),
        &[10.0, 0.0, 0.0],
    );
    assert_eq!(spaghetti(5).kinks(), [2.5, 5.0]);
    let start = State::start(&spaghetti(5), 0.0);
    assert_close("end", &start.nodes(5).unwrap().position(), &[0.0, 8.0, 0.0]);
}

/// The generic system of the description of a declared model has the same accelerations, and its
/// joints have the same names and reactions.
#[test]
fn descriptions_and_reactions() {
    fn check<S: System>(
        system: &S,
        description: Result<Description, InvalidTree>,
        joints: &[&str],
    ) {
        let generic = GenericSystem::new(description.unwrap()).unwrap();
        let (mut state, mut same) = (State::start(system, 0.3), State::start(&generic, 0.3));
        AccelerationSolver::new(system)
            .solve(system, &mut state)
            .unwrap();
        AccelerationSolver::new(&generic)
            .solve(&generic, &mut same)
            .unwrap();
        assert_solved("accelerations", state.vdot.as_ref(), &same.vdot);
        let names: Vec<&str> = system.joints().iter().map(|joint| &*joint.name).collect();
        assert_eq!(names, joints);
        let mut largest = 0.0_f64;
        for name in names {
            let (own, other) = (state.joint(system, name), same.joint(&generic, name));
            let (own, other) = (own.unwrap(), other.unwrap());
            let ([a, b], [c, d]) = (
                [own.reaction(), own.reaction_on_first()],
                [other.reaction(), other.reaction_on_first()],
            );
            for (found, expected) in [(a, c), (b, d)] {
                assert_solved("force", &found.force, &expected.force);
                let gap = distance(&found.torque, &expected.torque);
                assert!(gap < 1e-9, "{name}: {found:?} {expected:?}");
                largest = largest.max(distance(&found.force, &[0.0; 3]));
            }
        }
        assert!(joints.is_empty() || largest > 1e-2, "{largest}");
    }
    let chain = RigidChain::new(RigidChainParameters { n: 4, bend: 0.5 }).unwrap();
    let joints = ["pivot", "joints[0]", "joints[1]", "joints[2]"];
    check(&chain, chain.description(), &joints);
    assert_eq!(chain.description().unwrap().name, "RigidChain");
    let pendulum = RodPendulum::new(RodPendulumParameters::default()).unwrap();
    check(&pendulum, pendulum.description(), &["pivot", "weld"]);
    let free = spaghetti(5);
    check(&free, free.description(), &[]);
}

/// Rolled up, a rod of any number of elements is a ring: its natural shape with this curvature.
#[test]
fn a_curved_rod_is_free_of_stress() {
    #[multibody(consts(LENGTH = 10.0))]
    struct Ring {
        #[count(default = 8)]
        n: usize,
        #[start(rotation = along(x))]
        nodes: [Node<S3xR3>; n + 1],
        #[rod(nodes[i], nodes[i + 1], kirchhoff, length = LENGTH / n, density = 1.0, inertia = 10.0,
            bending = 500.0, torsion = 500.0, extension = 1e4, curvature = [0.0, 2 * PI / LENGTH, 0.0])]
        edges: [RodElement; n],
        #[force(nodes[n], force = [t, 0.0, 0.0])]
        pull: Load,
    }
    for n in [3, 8, 50] {
        let ring = Ring::new(RingParameters { n }).unwrap();
        let state = State::start(&ring, 0.0);
        let ends = [0, n].map(|i| state.nodes(i).unwrap().position());
        assert!(distance(&ends[0], &ends[1]) < 1e-13, "{ends:?}");
        let energy = ring.energy(0.0, &state.q, &state.v);
        assert!(energy.potential < 1e-20, "{energy:?}");
    }
}

/// Positions and velocities that are left out follow from the joints, and a chain with both ends
/// held, or none, is what its declaration says.
#[test]
fn starts_follow_from_joints() {
    #[multibody]
    struct Held<const N: usize> {
        #[body(mass = 1.0 + 0.1 * i, inertia = [0.15, 0.1, 0.2])]
        #[start(rotation = rz(0.2 * i) * ry(-0.1 * i), angular_velocity = [0.3, 0.1 * i, -0.2])]
        links: [Body<SO3xR3>; N],
        #[joint(links[i] at [0.5, 0.0, 0.0], links[i + 1] at [-0.4, 0.0, 0.0])]
        joints: [Spherical; N - 1],
    }
    /// The same with a point off the axis, which makes it a tree.
    #[multibody]
    struct Offset<const N: usize> {
        #[body(mass = 1.0 + 0.1 * i, inertia = [0.15, 0.1, 0.2])]
        #[start(rotation = rz(0.2 * i) * ry(-0.1 * i), angular_velocity = [0.3, 0.1 * i, -0.2])]
        links: [Body<SO3xR3>; N],
        #[joint(links[i] at [0.5, 1e-300, 0.0], links[i + 1] at [-0.4, 0.0, 0.0])]
        joints: [Spherical; N - 1],
    }
    let (chain, tree) = (Held::<5>::new().unwrap(), Offset::<5>::new().unwrap());
    let _: (&LinkChain, &Tree) = (chain.assembled(), tree.assembled());
    let states = (State::start(&chain, 0.0), State::start(&tree, 0.0));
    assert_close("q", &states.0.q, &states.1.q);
    assert_close("v", &states.0.v, &states.1.v);
    let third = states.0.links(3).unwrap();
    assert!(distance(&third.velocity(), &[0.0; 3]) > 0.1, "{third:?}");
    // Not linked to anything else: linear momentum of the motion stays.
    let run = HalfExplicit::order5()
        .simulate(&chain, 0.0..=0.5)
        .step(0.001)
        .output(Output::EndOnly)
        .run()
        .unwrap();
    let before = chain.momentum(&states.0.q, &states.0.v);
    let after = chain.momentum(&run.last().q, &run.last().v);
    assert!(distance(&before.linear, &after.linear) < 1e-11);
    assert!(distance(&before.angular, &after.angular) < 1e-9);
}

/// What can only be known at run time is a typed error of the constructor.
#[test]
fn errors_of_constructors() {
    #[multibody]
    struct Rods {
        #[count(default = 4, min = 0)]
        n: usize,
        #[param(default = 1.0)]
        length: f64,
        #[param(default = 1.0)]
        density: f64,
        #[param(default = 1.0)]
        bending: f64,
        #[param(default = 0.0)]
        gap: f64,
        nodes: [Node<S3sR3>; n + 1],
        #[rod(nodes[i], nodes[i + 1], inextensible, length = length / n, density = density,
            inertia = 1.0, bending = bending, torsion = 1.0)]
        edges: [RodElement; n],
        #[joint(ground at [gap, 0.0, 3 * length / n], nodes[3])]
        ball: Spherical,
        #[body(mass = 1.0, inertia = [1.0, 1.0, 1.0])]
        #[start(position = [0.0, 0.0, 0.0])]
        weight: Body<SE3>,
        #[joint(nodes[0], weight)]
        weld: Fixed,
    }
    let parameters = RodsParameters::default();
    assert!(Rods::new(parameters).is_ok());
    let fails = |parameters| match Rods::new(parameters).unwrap_err() {
        InvalidParameters::Structure(error) => error,
        other => panic!("{other}"),
    };
    let quantity = |parameters| match fails(parameters) {
        InvalidTree::OutOfRange { item, quantity, .. } => format!("{quantity} of {item}"),
        other => panic!("{other}"),
    };
    for (length, expected) in [
        (0.0, "element length of edges[0]"),
        (-1.0, "element length of edges[0]"),
    ] {
        assert_eq!(
            quantity(RodsParameters {
                length,
                ..parameters
            }),
            expected
        );
    }
    let density = RodsParameters {
        density: -1.0,
        ..parameters
    };
    assert_eq!(quantity(density), "density of edges[0]");
    let bending = RodsParameters {
        bending: -1.0,
        ..parameters
    };
    assert_eq!(quantity(bending), "stiffness of edges[0]");
    let short = fails(RodsParameters { n: 2, ..parameters });
    let expected = "`ball` refers to `nodes[3]`, but `nodes` has 3 elements";
    assert_eq!(short.to_string(), expected);
    let apart = Rods::new(RodsParameters {
        gap: 0.1,
        ..parameters
    })
    .unwrap_err();
    assert!(matches!(apart, InvalidParameters::Start(_)), "{apart}");
    assert!(apart.to_string().contains("joint `ball`"), "{apart}");

    assert!(matches!(
        RollUp::<0>::new(RollUpParameters::default()),
        Err(InvalidParameters::Count {
            name: "N",
            value: 0,
            min: 1
        })
    ));
    assert!(matches!(
        RigidChain::new(RigidChainParameters { n: 0, bend: 0.0 }),
        Err(InvalidParameters::Count {
            name: "n",
            value: 0,
            min: 1
        })
    ));
    assert!(matches!(
        RollUp::<2>::new(RollUpParameters { length: 0.0 }),
        Err(InvalidParameters::OutOfRange { name: "length", .. })
    ));
    // One element with one clamped node moves, one link hangs.
    assert_eq!(
        RollUp::<1>::new(RollUpParameters::default())
            .unwrap()
            .space()
            .dof(),
        6
    );
    assert_eq!(links(1).constraint_count(), 3);
}

/// Declared positions of a chain must be those that its joints give.
#[test]
fn a_chain_with_a_wrong_start() {
    #[multibody]
    struct Apart {
        #[param(default = 1.0)]
        spacing: f64,
        #[body(mass = 1.0, inertia = [1.0, 1.0, 1.0])]
        #[start(position = [0.5 + spacing * i, 0.0, 0.0])]
        links: [Body<SO3xR3>; 4],
        #[joint(ground, links[0] at [-0.5, 0.0, 0.0])]
        pivot: Spherical,
        #[joint(links[i] at [0.5, 0.0, 0.0], links[i + 1] at [-0.5, 0.0, 0.0])]
        joints: [Spherical; 3],
        #[joint(links[3] at [0.5, 0.0, 0.0], ground at [4.0, 0.0, 0.0])]
        end: Spherical,
    }
    let chain = Apart::new(ApartParameters::default()).unwrap();
    assert_eq!(chain.constraint_count(), 15);
    assert_eq!(
        chain.constraint_name(14),
        "joint `end`, position along inertial z"
    );
    let error = Apart::new(ApartParameters { spacing: 1.1 }).unwrap_err();
    let InvalidParameters::Structure(InvalidTree::ChainStart { item, gap, .. }) = &error else {
        panic!("{error}");
    };
    assert_eq!(item, "links[1]");
    assert!((gap - 0.1).abs() < 1e-12, "{gap}");
}

/// Steps do not allocate, formulas of time included.
#[test]
fn steps_do_not_allocate() {
    fn count<S: System, M: Method<S>>(system: S, method: &M) -> u64 {
        let h = 1.0 / 1024.0;
        let mut run = Driver::new(system, method, h);
        run.steps(1, h);
        allocation_counter::measure(|| run.steps(20, h)).count_total
    }
    let (explicit, implicit) = (
        HalfExplicit::order5(),
        GeneralizedAlpha::stabilized_index2(),
    );
    assert_eq!(count(spaghetti(16), &explicit), 0);
    assert_eq!(count(spaghetti(16), &implicit), 0);
    assert_eq!(count(links(20), &explicit), 0);
    assert_eq!(count(links(20), &implicit), 0);
}
