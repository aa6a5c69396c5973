//! Declared rods against the references of `tests/rods.rs`, with its tolerances: all variants.

use polhode::chain::InternalConstraint::{self, Cosserat, Inextensible, Kirchhoff};
use polhode::half_explicit::HalfExplicit;
use polhode::multibody;
use polhode::output::Output;
use polhode::stepper::Method;
use polhode::system::System;
use polhode_models::arrays::roll_up::{RollUp, RollUpParameters};
use polhode_models::arrays::spaghetti::{FlyingSpaghetti, FlyingSpaghettiParameters};
use polhode_tests::gap;
use polhode_tests::rods::{Case, Model};

/// The roll-up with words and stiffnesses of its strains.
macro_rules! roll_up {
    ($name:ident: $($setting:tt)*) => {
        #[multibody(consts(LENGTH = 10.0, BENDING = 500.0))]
        struct $name {
            #[start(rotation = along(x))]
            nodes: [Node<S3sR3>; 9],
            #[rod(nodes[i], nodes[i + 1], length = LENGTH / 8, density = 1.0, inertia = 10.0,
                bending = BENDING, torsion = BENDING, damping = 100.0, $($setting)*)]
            edges: [RodElement; 8],
            #[joint(ground, nodes[0])]
            clamp: Fixed,
            #[force(nodes[8], torque = [0.0, 2 * PI * BENDING / LENGTH, 0.0])]
            moment: Load,
        }
    };
}
roll_up!(RollUpInextensible: inextensible);
roll_up!(RollUpCosserat: shear = 1e4, extension = 1e4);
roll_up!(RollUpLight: kirchhoff, extension = 1e4, damping_factor = 1.0);
roll_up!(RollUpHeld: kirchhoff, stiffness_of_held_strains, shear = 1e4, extension = 1e4);

/// The spaghetti in the same way.
macro_rules! spaghetti {
    ($name:ident: $($setting:tt)*) => {
        #[multibody(consts(LENGTH = 10.0, STIFFNESS = 500.0))]
        struct $name {
            #[start(position = [6.0, 0.0, 0.0], rotation = along([-6.0, 8.0, 0.0]))]
            nodes: [Node<S3sR3>; 17],
            #[rod(nodes[i], nodes[i + 1], length = LENGTH / 16, density = 1.0, inertia = 10.0,
                bending = STIFFNESS, torsion = STIFFNESS, $($setting)*)]
            edges: [RodElement; 16],
            #[force(nodes[0],
                force = (if t < 2.5 { 80 * t } else { if t < 5 { 80 * (5 - t) } else { 0 } })
                    * [0.1, 0.0, 0.0],
                torque = (if t < 2.5 { 80 * t } else { if t < 5 { 80 * (5 - t) } else { 0 } })
                    * [0.0, -0.5, -1.0])]
            push: Load,
        }
    };
}
spaghetti!(SpaghettiInextensible: inextensible);
spaghetti!(SpaghettiCosserat: shear = 1e4, extension = 1e4);

/// `q` to 1e-10, `v` to 1e-8, `lambda` to 1e-6, and the energy.
fn check<S>(system: &S, model: &Model, h: f64)
where
    S: System<Config = Box<[f64]>, Velocity = Box<[f64]>, Multiplier = Box<[f64]>>,
{
    let times = [0.5, 1.0, 2.0, 5.0];
    let run = HalfExplicit::order5()
        .simulate(system, 0.0..=5.0)
        .step(h)
        .output(Output::At(times.to_vec()))
        .run()
        .unwrap();
    let solutions = model.solutions();
    for time in times {
        let reference = solutions.iter().find(|s| s.t == time).unwrap();
        let state = run.states().iter().find(|s| s.t == time).unwrap();
        let q = gap(&state.q, &reference.q);
        let v = gap(&state.v, &reference.v);
        let lambda = gap(&state.lambda, &reference.lambda);
        let what = format!("{} at t = {time}", model.reference_name());
        println!("{what}: q {q:.1e}, v {v:.1e}, lambda {lambda:.1e}");
        assert!(
            q < 1e-10 && v < 1e-8 && lambda < 1e-6,
            "{what}: {q:.1e} {v:.1e} {lambda:.1e}"
        );
        let energy = system.energy(time, &state.q, &state.v).total();
        let error = (energy - reference.energy).abs();
        assert!(error < 1e-8, "{what}: energy off by {error:.1e}");
    }
}

#[test]
fn roll_ups() {
    let model = |constraint: InternalConstraint| Model::new(Case::RollUp, constraint);
    let h = 1.0 / 1024.0;
    check(
        &RollUp::<8>::new(RollUpParameters::default()).unwrap(),
        &model(Kirchhoff),
        h,
    );
    // Stiffness of held strains does not change the motion.
    check(&RollUpHeld::new().unwrap(), &model(Kirchhoff), h);
    check(&RollUpInextensible::new().unwrap(), &model(Inextensible), h);
    check(&RollUpCosserat::new().unwrap(), &model(Cosserat), h);
    let mut light = model(Kirchhoff);
    light.damping_factor = 1.0;
    check(&RollUpLight::new().unwrap(), &light, h);
}

#[test]
fn spaghettis() {
    let model = |constraint: InternalConstraint| Model::new(Case::Spaghetti, constraint);
    let h = 1.0 / 2048.0;
    check(
        &FlyingSpaghetti::new(FlyingSpaghettiParameters::default()).unwrap(),
        &model(Kirchhoff),
        h,
    );
    check(
        &SpaghettiInextensible::new().unwrap(),
        &model(Inextensible),
        h,
    );
    check(&SpaghettiCosserat::new().unwrap(), &model(Cosserat), h);
}
