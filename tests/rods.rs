//! Cosserat rods: roll-up and flying spaghetti of Tumiotto and Arnold (2024), against
//! independent integrations.

#[path = "rods/balances.rs"]
mod balances;
#[path = "rods/following.rs"]
mod following;
#[path = "rods/large.rs"]
mod large;
#[path = "rods/orders.rs"]
mod orders;
#[path = "rods/paths.rs"]
mod paths;
#[path = "rods/reference.rs"]
mod reference;
#[path = "rods/refused.rs"]
mod refused;
#[path = "rods/ring.rs"]
mod ring;

use polhode::chain::InternalConstraint::{Cosserat, Inextensible, Kirchhoff};
use polhode::generalized_alpha::GeneralizedAlpha;
use polhode::half_explicit::HalfExplicit;
use polhode_tests::Driver;
use polhode_tests::rods::{Case, Model};

#[test]
fn steps_do_not_allocate() {
    let count = |work: &mut dyn FnMut()| allocation_counter::measure(work).count_total;
    for constraint in [Kirchhoff, Inextensible, Cosserat] {
        let (tree, _) = Model::new(Case::RollUp, constraint).build();
        let h = 1.0 / 512.0;
        let mut run = Driver::new(tree.clone(), &HalfExplicit::order5(), h);
        run.steps(1, h);
        assert_eq!(
            count(&mut || run.steps(20, h)),
            0,
            "{constraint:?}, order 5"
        );
        for method in [
            GeneralizedAlpha::index3(),
            GeneralizedAlpha::index2(),
            GeneralizedAlpha::stabilized_index2(),
        ] {
            let mut run = Driver::new(tree.clone(), &method, h);
            run.steps(1, h);
            assert_eq!(
                count(&mut || run.steps(20, h)),
                0,
                "{constraint:?}, {method:?}"
            );
        }
    }
}
