//! Random mechanisms, generated, against an integrator that shares nothing with the library
//! (`tests/data/random_mechanisms`).

#[path = "random/models.rs"]
mod models;

use polhode::half_explicit::{HalfExplicit, Multipliers};
use polhode_tests::reference::References;

macro_rules! mechanisms {
    ($($name:ident: $model:ident;)*) => {
        $(#[test]
        fn $name() {
            let method = HalfExplicit::order5()
                .tolerances(1e-12, 1e-12)
                .multipliers(Multipliers::Recomputed);
            let references = References::read();
            let errors = references.named(stringify!($name)).errors(&models::$model, method, None);
            errors.assert_below(1e-9);
        })*

        /// No mechanism that the attribute can say is left out.
        #[test]
        fn all() {
            assert_eq!(References::read().names(true), [$(stringify!($name)),*]);
        }
    };
}
mechanisms! {
    branching_tree: BranchingTree;
    crank_with_balls: CrankWithBalls;
    cardan_loop: CardanLoop;
    cylinders_in_a_ring: CylindersInARing;
    slider_with_cardan: SliderWithCardan;
    bodies_on_a_table: BodiesOnATable;
    driven_crank: DrivenCrank;
    driven_slides: DrivenSlides;
    driven_distances: DrivenDistances;
    points_on_strings: PointsOnStrings;
    net_of_bushings: NetOfBushings;
    following_loads: FollowingLoads;
    platform_with_modes: PlatformWithModes;
    modes_with_matrices: ModesWithMatrices;
    two_loops: TwoLoops;
    inertial_positions: InertialPositions;
    frame_turning_beyond_half_a_turn: FrameTurningBeyondHalfATurn;
    redundant_four_bar: RedundantFourBar;
}
