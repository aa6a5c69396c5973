//! The table of claims.

use super::claim::{Claim, Paper, Work};
use super::lie_algebra::{self, stabilized, starting_values};
use super::{half_explicit, overshoot, pendulum, robot, rods, rotor, sigma, slider_crank, tops};

const P000: Paper = Paper {
    authors: "D. Tumiotto, M. Arnold",
    year: 2024,
    place: "Multibody Syst. Dyn., doi 10.1007/s11044-024-10002-8",
};
const P001: Paper = Paper {
    authors: "S. Holzinger, M. Arnold, J. Gerstmayr",
    year: 2024,
    place: "Multibody Syst. Dyn., Evaluation and implementation of Lie group integration methods",
};
const P002: Paper = Paper {
    authors: "E. Celledoni, E. Cokaj, A. Leone, D. Murari, B. Owren",
    year: 2022,
    place: "Int. J. Comput. Math., Lie group integrators for mechanical systems",
};
const P003: Paper = Paper {
    authors: "M. Arnold, A. Cardona, O. Bruls",
    year: 2016,
    place: "A Lie algebra approach to Lie group time integration of constrained systems, Springer",
};
const P004: Paper = Paper {
    authors: "S. Holzinger, M. Arnold, J. Gerstmayr",
    year: 2025,
    place: "Sigma-modified Lie group generalized-alpha methods for constrained multibody systems",
};

macro_rules! claims {
    ($($paper:ident: $($id:literal, $shows:literal, $work:expr;)*)*) => {
        /// All claims, in the order of papers and figures.
        pub(crate) const CLAIMS: &[Claim] = &[$($(Claim {
            id: $id,
            paper: &$paper,
            shows: $shows,
            work: $work,
        }),*),*];
    };
}

use Work::{Compute, InPart, Missing};

const CARDAN: &str = "formulations with Euler parameters and with angles, which it compares with";
/// What other formulations would do in the same figure.
const EULER: &str = "Euler parameters are more accurate: they are not built here";
const OTHERS_FAIL: &str =
    "Euler parameters and Cardan angles fail with the largest steps: they are not built here";
const OTHERS_ITERATE: &str =
    "Euler parameters and Cardan angles need more iterations: they are not built here";
const OUTPERFORMED: &str = "more accurate than Euler parameters: they are not built here; an \
    independent computation finds them more accurate than every sigma of the figure";
const NOT_LITERAL: &str = "the algorithms as they are printed: here their equations are solved";
const EXPLICIT: &str = "explicit and symplectic methods on groups";

claims! {
    P000:
    "000-table2", "thresholds of the functions of the angle", Compute(half_explicit::thresholds);
    "000-fig1", "half-explicit methods in SO3xR3: convergence", Compute(half_explicit::direct);
    "000-fig2", "half-explicit methods in SE3: convergence", Compute(half_explicit::semidirect);
    "000-fig3", "drift off the position constraint, matrices", Compute(half_explicit::drift);
    "000-fig4", "half-explicit methods in S3xR3: convergence", Compute(half_explicit::direct_quaternions);
    "000-fig5", "half-explicit methods in S3sR3 (its caption says S3xR3): convergence", Compute(half_explicit::semidirect_quaternions);
    "000-fig6", "drift off the position constraint, quaternions (its caption has S3xR3 twice)", Compute(half_explicit::drift_quaternions);
    "000-fig9", "convergence, roll-up and flying spaghetti", Compute(rods::convergence);
    "000-fig10", "local errors, roll-up and flying spaghetti", Compute(rods::local_errors);
    "000-fig11", "adaptive steps, roll-up and flying spaghetti", Compute(rods::adaptive_steps);
    "000-fig12", "stiff roll-up", Compute(rods::stiff);
    P001:
    "001-fig3", "free top: convergence", InPart(tops::free_convergence, &["the right plot, implicit methods: Euler parameters are more accurate; they are not built here"]);
    "001-fig4", "free top: time", Missing(CARDAN);
    "001-table4", "free top: Newton iterations", Compute(tops::free_iterations);
    "001-fig5", "free top: work and precision, explicit methods", InPart(tops::work, &["time instead of steps", "the right plot, implicit methods: Euler parameters need a quarter of the time; they are not built here"]);
    "001-fig6", "heavy top: convergence", InPart(tops::constrained_convergence, &[EULER, OTHERS_FAIL]);
    "001-fig7", "heavy top: Newton iterations", InPart(tops::modified, &[OTHERS_ITERATE]);
    "001-table5", "heavy top: Newton iterations with and without the tangent operator", InPart(tops::iterations_of_the_top, &["the columns without the tangent operator, with full and modified Newton: here it is always there"]);
    "001-fig8", "heavy top: time", Missing(CARDAN);
    "001-fig10", "rotor: motion", Compute(rotor::explicit_motion);
    "001-fig11", "rotor: convergence", InPart(rotor::convergence, &["convergence at t = 4: here at t = 1", EULER, OTHERS_FAIL]);
    "001-table7", "rotor: Newton iterations", Compute(rotor::iterations);
    "001-fig12", "rotor: time", Missing(CARDAN);
    "001-fig13", "rotor: work and precision", Missing(CARDAN);
    "001-fig15", "slider-crank: motion", Compute(slider_crank::histories);
    "001-fig16", "slider-crank: convergence", InPart(slider_crank::convergence, &["with steps above 1e-4 Euler parameters and Cardan angles are more accurate: they are not built here"]);
    "001-fig17", "slider-crank: Newton iterations and time", Missing(CARDAN);
    "001-fig19", "robot: motion", Compute(robot::motion);
    "001-fig20", "robot: convergence", InPart(robot::convergence, &["minimal coordinates are the most accurate, Cardan angles the least: neither is built here", EULER]);
    "001-fig21", "robot: Newton iterations and time", Missing(CARDAN);
    P002:
    "002-fig2", "symplectic methods on the heavy top", Missing(EXPLICIT);
    "002-fig3", "symplectic methods over a long time", Missing(EXPLICIT);
    "002-fig5", "N-fold pendulum: convergence and adaptive steps", Missing(EXPLICIT);
    "002-fig14", "two quadrotors with a load", Missing(EXPLICIT);
    P003:
    "003-fig3", "reference solution of the heavy top", Compute(lie_algebra::reference);
    "003-fig4", "velocities in inertial and in body axes", Compute(lie_algebra::velocities);
    "003-norms", "powers of the step in the limit of large frequencies", Compute(overshoot::norms);
    "003-eq53", "factors of the transient error", Compute(overshoot::factors);
    "003-fig5", "pendulum: transient error of the multiplier", Compute(pendulum::transient);
    "003-fig6", "index 3: convergence on [0, 1]", Compute(lie_algebra::index3_orders);
    "003-fig7", "index 3: oscillating multiplier", Compute(lie_algebra::oscillations);
    "003-fig8", "index 3: convergence on [0.5, 1]", Compute(lie_algebra::index3_late_orders);
    "003-fig9", "index 3: residual in position", Compute(lie_algebra::index3_residuals);
    "003-fig10", "index 3: residual in velocity", Compute(lie_algebra::index3_hidden);
    "003-fig11", "stabilized index 2: convergence", Compute(stabilized::stabilized_orders);
    "003-fig12", "stabilized index 2: multipliers", Compute(stabilized::stabilized_multipliers);
    "003-fig13", "stabilized index 2: error of the multiplier", Compute(stabilized::stabilized_error);
    "003-fig14", "stabilized index 2: stabilizing multipliers", Compute(stabilized::stabilizing_multipliers);
    "003-fig15", "stabilized index 2: residual in velocity", Compute(stabilized::stabilized_hidden);
    "003-fig16", "stabilized index 2: modified starting values", Compute(starting_values::stabilized_start);
    "003-fig17", "index 3: modified acceleration", Compute(starting_values::index3_start);
    "003-fig18", "index 3: modified starting values", Compute(starting_values::index3_corrected);
    "003-fig19", "index 3, modified starting values: residual in velocity", Compute(starting_values::corrected_hidden);
    "003-fig20", "index 3, modified starting values: multipliers", Compute(starting_values::corrected_multipliers);
    "003-fig21", "index 3, modified starting values: convergence (its caption names the stabilized integrator)", Compute(starting_values::corrected_orders);
    P004:
    "004-fig2", "heavy top: motion", Compute(sigma::histories);
    "004-fig3", "heavy top: convergence of configuration and velocity", InPart(sigma::coordinates, &[OUTPERFORMED]);
    "004-fig4", "heavy top: convergence of the multipliers", InPart(sigma::multipliers, &[OUTPERFORMED]);
    "004-fig6", "rotor: motion", Compute(rotor::implicit_motion);
    "004-fig7", "rotor: convergence", InPart(rotor::gain, &[NOT_LITERAL, "more accurate than Euler parameters and Cardan angles: they are not built here", OTHERS_FAIL]);
    "004-fig9", "slider-crank: motion", Compute(slider_crank::histories_with_sigma);
    "004-fig10", "slider-crank: convergence", InPart(slider_crank::gain, &[NOT_LITERAL, "more accurate than Euler parameters, less than Cardan angles: they are not built here"]);
}
