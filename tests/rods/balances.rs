//! Energy, momentum and work.

use polhode::chain::InternalConstraint::{Cosserat, Inextensible, Kirchhoff};
use polhode::chain::{Anchor, Hold, Rod, RodStart, Section, Tree};
use polhode::generalized_alpha::GeneralizedAlpha;
use polhode::generic::description::{Body, JointKind, Start};
use polhode::half_explicit::HalfExplicit;
use polhode::lie::GroupKind;
use polhode::output::Output;
use polhode::stepper::Method;
use polhode::system::{Bodies, Manifold, Mechanics};
use polhode_tests::rods::{Case, Model};
use polhode_tests::{Driver, distance};

/// Energy, momentum and angular momentum of the free rod after the load has gone.
#[test]
fn balances_of_the_spaghetti() {
    let (tree, _) = Model::new(Case::Spaghetti, Kirchhoff).build();
    let times = vec![5.0, 7.5, 10.0];
    let run = HalfExplicit::order5()
        .simulate(&tree, 0.0..=10.0)
        .step(1.0 / 2048.0)
        .output(Output::At(times.clone()))
        .run()
        .unwrap();
    for time in times {
        let state = run.states().iter().find(|s| s.t == time).unwrap();
        let energy = tree.energy(time, &state.q, &state.v).total();
        assert!(
            (energy - 881.714_330_580_19).abs() < 1e-9,
            "energy {energy}"
        );
        let momentum = tree.momentum(&state.q, &state.v);
        let linear = distance(&momentum.linear, &[50.0, 0.0, 0.0]);
        assert!(linear < 1e-10, "momentum {:?}", momentum.linear);
        let expected = [0.0, -295.297_438_012_22, -553.084_750_472_23];
        let angular = distance(&momentum.angular, &expected);
        assert!(angular < 1e-9, "angular momentum {:?}", momentum.angular);
    }
}

/// Energy + dissipated energy = work of the moment, by Boole's rule over groups of four steps, and
/// each of them as in the reference.
#[test]
fn balance_of_the_roll_up() {
    let model = Model::new(Case::RollUp, Kirchhoff);
    let ((tree, _), solutions) = (model.build(), model.solutions());
    let h = 1.0 / 4096.0;
    let mut run = Driver::new(tree, &HalfExplicit::order5(), h);
    let mut geometry = run.system.new_geometry();
    let mut power = |run: &Driver<HalfExplicit, Tree>| {
        let (tree, state) = (&run.system, &run.state);
        tree.geometry(state.t, &state.q, &mut geometry).unwrap();
        [
            tree.load_power(state.t, &geometry, &state.v),
            tree.dissipation(&geometry, &state.v),
        ]
    };
    let mut work_and_loss = [0.0; 2];
    let mut add = |weight: f64, powers: [f64; 2]| {
        for (sum, power) in work_and_loss.iter_mut().zip(powers) {
            *sum += weight * 2.0 * h / 45.0 * power;
        }
        work_and_loss
    };
    let mut last = power(&run);
    let mut checked = 0;
    for group in 1..=5 * 1024 {
        add(7.0, last);
        for weight in [32.0, 12.0, 32.0] {
            run.steps(1, h);
            add(weight, power(&run));
        }
        run.steps(1, h);
        last = power(&run);
        let [work, lost] = add(7.0, last);
        let t = f64::from(group) * 4.0 * h;
        let Some(reference) = solutions.iter().find(|s| s.t == t) else {
            continue;
        };
        checked += 1;
        let energy = run.system.energy(t, &run.state.q, &run.state.v).total();
        let defect = energy - work + lost;
        println!("t {t}: energy {energy} work {work} dissipated {lost} defect {defect:.1e}");
        assert!(defect.abs() < 1e-9, "t = {t}: {defect:e}");
        for (found, expected) in [
            (energy, reference.energy),
            (work, reference.work),
            (lost, reference.dissipated),
        ] {
            assert!((found - expected).abs() < 1e-8, "{found} and {expected}");
        }
    }
    assert_eq!(checked, 4, "t = 0.5, 1, 2, 5");
}

/// An arc with its own curvature stays where it is; without it the rod would move.
#[test]
fn initial_curvature_is_free_of_stress() {
    let section = Section {
        density: 1.0,
        inertia: [0.1; 3],
        stiffness: [10.0; 6],
        damping: [0.1; 6],
        damping_factor: 2.0,
    };
    let mut rod = Rod::new("arc", section, 3.0, 6);
    rod.reference = [0.2, 0.5, -0.1, 0.0, 0.0, 1.0];
    rod.start = RodStart::along([1.0, 2.0, 3.0], [1.0, 1.0, 0.0]);
    rod.constraint = Kirchhoff;
    rod.ends = [Hold::Clamped; 2];
    let build = |rod: &Rod| {
        let mut builder = Tree::builder();
        builder.rod(rod).unwrap();
        builder.build().unwrap()
    };
    let moved = |tree: &Tree| {
        let run = GeneralizedAlpha::index3()
            .simulate(tree, 0.0..=0.5)
            .step(0.01)
            .run()
            .unwrap();
        tree.space().distance(&run.last().q, &tree.start_config())
    };
    let distance = moved(&build(&rod));
    assert!(distance < 1e-10, "{distance:e}");
    // A straight rod with that reference is not at rest.
    let (straight, mut bent) = (Rod::new("straight", section, 3.0, 6), rod.clone());
    bent.constraint = Cosserat;
    bent.ends = [Hold::Clamped, Hold::Free];
    bent.start = RodStart::Poses(
        (0..=straight.elements)
            .map(|i| {
                (
                    [1.0, 0.0, 0.0, 0.0],
                    [0.0, 0.0, 0.5 * f64::from(u8::try_from(i).unwrap())],
                )
            })
            .collect(),
    );
    assert!(moved(&build(&bent)) > 1e-2);
}

/// A clamped rod with a rigid body hinged to its end and another one hanging from its middle:
/// without damping nothing is lost, and both families of methods see the same motion.
#[test]
fn bodies_on_a_rod_keep_their_energy() {
    let section = Section {
        density: 1.0,
        inertia: [0.02, 0.02, 0.04],
        stiffness: [20.0, 20.0, 15.0, 500.0, 500.0, 800.0],
        damping: [0.0; 6],
        damping_factor: 2.0,
    };
    for (constraint, group, body_group) in [
        (Kirchhoff, GroupKind::S3sR3, GroupKind::SO3xR3),
        (Inextensible, GroupKind::SE3, GroupKind::S3sR3),
        (Cosserat, GroupKind::S3xR3, GroupKind::SE3),
    ] {
        let mut rod = Rod::new("rod", section, 2.0, 6);
        rod.constraint = constraint;
        rod.group = group;
        rod.start = RodStart::along([0.0; 3], [1.0, 0.0, 0.0]);
        rod.ends[0] = Hold::Clamped;
        let mut builder = Tree::builder();
        builder.gravity([0.0, 1.0, -5.0]);
        let nodes = builder.rod(&rod).unwrap();
        let body = |name: &str, x: f64, z: f64| Body {
            name: name.to_owned(),
            group: body_group,
            mass: 0.5,
            inertia: [[0.1, 0.0, 0.0], [0.0, 0.2, 0.0], [0.0, 0.0, 0.15]],
            center: [0.0; 3],
            start: Start {
                position: vec![x, 0.0, z],
                ..Start::default()
            },
        };
        let end = builder.body(&body("end", 2.5, 0.0)).unwrap();
        let hanging = builder.body(&body("hanging", 1.0, -0.4)).unwrap();
        // The third axis of a node is the tangent, here the inertial x axis.
        let hinge = Anchor {
            axes: [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
            ..Anchor::at(end, [-0.5, 0.0, 0.0])
        };
        let mut tip = Anchor::at(nodes[6], [0.0; 3]);
        tip.axes = [[-1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0]];
        builder
            .joint("hinge", JointKind::Revolute, &tip, &hinge)
            .unwrap();
        let (from, to) = (
            Anchor::at(nodes[3], [0.0; 3]),
            Anchor::at(hanging, [0.0, 0.0, 0.4]),
        );
        builder
            .joint("ball", JointKind::Spherical, &from, &to)
            .unwrap();
        let tree = builder.build().unwrap();
        let fine = HalfExplicit::order5()
            .simulate(&tree, 0.0..=1.0)
            .step(1.0 / 2048.0)
            .output(Output::EndOnly)
            .run()
            .unwrap();
        let drift = fine.energy_end().total() - fine.energy_start().total();
        println!(
            "{constraint:?}: drift {drift:.1e} of {:?}",
            fine.energy_end()
        );
        assert!(drift.abs() < 1e-9, "{constraint:?}: {drift:e}");
        assert!(fine.energy_end().kinetic > 0.1, "it moves");
        let coarse = GeneralizedAlpha::stabilized_index2()
            .simulate(&tree, 0.0..=1.0)
            .step(1.0 / 512.0)
            .output(Output::EndOnly)
            .run()
            .unwrap();
        let distance = tree.space().distance(&coarse.last().q, &fine.last().q);
        println!("{constraint:?}: distance of the methods {distance:.1e}");
        assert!(distance < 1e-2, "{constraint:?}: {distance:e}");
    }
}
