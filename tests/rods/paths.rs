//! The same rod in other groups and in the generic system.

use polhode::chain::InternalConstraint::{Cosserat, Inextensible, Kirchhoff};
use polhode::chain::Tree;
use polhode::generalized_alpha::GeneralizedAlpha;
use polhode::generic::GenericSystem;
use polhode::half_explicit::HalfExplicit;
use polhode::output::Output;
use polhode::stepper::Method;
use polhode::system::Bodies;
use polhode::view::BodyView;
use polhode_tests::rods::{Case, Model};
use polhode_tests::{RIGID, distance, norm};

/// The nodes may move on any of the four groups; the motion is the same.
#[test]
fn the_group_does_not_matter() {
    let reference = Model::new(Case::Spaghetti, Kirchhoff);
    let expected = reference
        .solutions()
        .into_iter()
        .find(|s| s.t == 0.5)
        .unwrap();
    for (group, name) in RIGID {
        let mut model = reference.clone();
        model.group = group;
        let (tree, places) = model.build();
        let run = HalfExplicit::order5()
            .simulate(&tree, 0.0..=0.5)
            .step(1.0 / 1024.0)
            .output(Output::EndOnly)
            .run()
            .unwrap();
        let last = run.last();
        for (i, place) in places.iter().enumerate() {
            let factor = tree.space().factors().nth(place.factor().unwrap()).unwrap();
            let body = BodyView::new(
                group,
                &last.q[factor.config.clone()],
                &last.v[factor.velocity.clone()],
                [0.0; 3],
            );
            let error = distance(&body.position(), &expected.q[7 * i + 4..7 * i + 7]);
            assert!(error < 1e-10, "{name}, node {i}: {error:.1e}");
        }
    }
}

/// The generic system of the description of a rod takes the same steps, clamped and free, with
/// every constraint, on every group. (Every function of the border, with bodies and joints:
/// `a_tree_is_its_description` in `runtime`.)
#[test]
fn the_description_of_a_rod_moves_alike() {
    for case in [Case::RollUp, Case::Spaghetti] {
        for constraint in [Cosserat, Kirchhoff, Inextensible] {
            for (group, name) in RIGID {
                let mut model = Model::new(case, constraint);
                model.group = group;
                let (tree, _) = model.build();
                let description = tree.description().unwrap();
                let generic = GenericSystem::new(description).unwrap();
                let what = format!("{case:?}, {constraint:?}, {name}");
                let explicit = HalfExplicit::order5();
                compare_steps(&tree, &generic, &explicit, 1e-3, &what);
                let implicit = GeneralizedAlpha::stabilized_index2();
                compare_steps(&tree, &generic, &implicit, 1e-2, &what);
            }
        }
    }
}

/// Ten steps of both; the generic one has the same order of multipliers without joints.
fn compare_steps<M: Method<Tree> + Method<GenericSystem> + Clone>(
    tree: &Tree,
    generic: &GenericSystem,
    method: &M,
    h: f64,
    what: &str,
) {
    let end = 10.0 * h;
    let own = method
        .clone()
        .simulate(tree, 0.0..=end)
        .step(h)
        .run()
        .unwrap();
    let other = method
        .clone()
        .simulate(generic, 0.0..=end)
        .step(h)
        .run()
        .unwrap();
    let (own, other) = (own.last(), other.last());
    for (name, found, expected) in [
        ("q", &own.q, &other.q),
        ("v", &own.v, &other.v),
        ("lambda", &own.lambda, &other.lambda),
    ] {
        // Newton's method stops at 1e-8 of its first residual.
        let error = distance(found, expected) / norm(expected).max(1.0);
        assert!(error < 1e-9, "{what}, {name}: {error:.1e}");
    }
}
