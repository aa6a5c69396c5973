//! Random mechanisms, assembled, against an integrator that shares nothing with the library
//! (`tests/data/random_mechanisms`).

use polhode::generalized_alpha::GeneralizedAlpha;
use polhode::generic::GenericSystem;
use polhode::half_explicit::{HalfExplicit, Multipliers};
use polhode_tests::reference::References;

fn check(name: &str) {
    let references = References::read();
    let reference = references.named(name);
    let system = GenericSystem::new(reference.description()).unwrap();
    let method = HalfExplicit::order5()
        .tolerances(1e-12, 1e-12)
        .multipliers(Multipliers::Recomputed);
    let errors = reference.errors(&system, method, None);
    errors.assert_below(1e-9);
    // An implicit method of order 2, with derivatives of everything.
    let errors = reference.errors(&system, GeneralizedAlpha::index3(), Some(5e-4));
    errors.assert_below(1e-3);
}

macro_rules! mechanisms {
    ($($name:ident,)*) => {
        $(#[test]
        fn $name() {
            check(stringify!($name));
        })*

        /// None is left out.
        #[test]
        fn all() {
            assert_eq!(References::read().names(false), [$(stringify!($name)),*]);
        }
    };
}
mechanisms! {
    branching_tree,
    crank_with_balls,
    cardan_loop,
    cylinders_in_a_ring,
    slider_with_cardan,
    bodies_on_a_table,
    driven_crank,
    driven_slides,
    driven_distances,
    points_on_strings,
    net_of_bushings,
    following_loads,
    platform_with_modes,
    modes_with_matrices,
    two_loops,
    inertial_positions,
    frame_turning_beyond_half_a_turn,
    free_bodies_with_opposite_hinges,
    opposite_control,
    opposite_loop,
    opposite_frames,
    rod_between_joints,
    held_strains,
    redundant_four_bar,
}
