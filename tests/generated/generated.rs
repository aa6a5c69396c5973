//! Generated systems against the generic one, function by function.

mod assembly;
mod components;
mod modal;
mod models;

use nalgebra::{Matrix3, Rotation3, Vector3};
use polhode::__private::PIVOTED;
use polhode::generic::GenericSystem;
use polhode::multibody;
use polhode::state::State;
use polhode::system::{
    Constrained, Formulation, Implicit, Manifold, Mechanics, NewtonCoefficients, NewtonPoint,
    NewtonVectors, NextStage, Scratch, Stage, System,
};
use polhode_models::generated::TopDirect;
use polhode_tests::compare::{assert_close, assert_solved, compare};

#[multibody(gravity = [0.0, -9.81, 0.0])]
struct Pendulum {
    #[body(mass = 1.0)]
    #[start(position = [0.0, -1.0], velocity = [1.0, 0.0])]
    bob: Body<R2>,
    #[joint(ground, bob, length = 1.0)]
    rod: Distance,
}

/// A hinge between different groups, offset centres, full inertias.
#[multibody(
    gravity = [0.3, -0.8, -9.81],
    consts(A = [0.1, 0.2, -0.3], J = [[0.9, 0.1, -0.05], [0.1, 0.8, 0.02], [-0.05, 0.02, 1.1]]),
    assemble,
)]
struct Hinge {
    #[body(mass = 2.0, inertia = J, center = A)]
    #[start(position = [1.0, 0.0, 0.5], rotation = [0.8, 0.6, 0.0, 0.0])]
    first: Body<SE3>,
    #[body(mass = 1.5, inertia = J)]
    #[start(position = [0.0, 1.0, 0.5], rotation = [0.6, 0.0, 0.8, 0.0])]
    second: Body<SO3xR3>,
    #[joint(first at A, second at [0.5, -0.1, 0.2], axis = [1.0, 2.0, -0.5])]
    hinge: Revolute,
}

/// A ball joint between quaternion groups.
#[multibody(
    gravity = [0.3, -0.8, -9.81],
    consts(A = [0.1, 0.2, -0.3], J = [[0.9, 0.1, -0.05], [0.1, 0.8, 0.02], [-0.05, 0.02, 1.1]]),
    assemble,
)]
struct Ball {
    #[body(mass = 0.7, inertia = J, center = 2 * A)]
    #[start(position = [0.3, 1.0, -0.5])]
    first: Body<S3sR3>,
    #[body(mass = 1.1, inertia = J)]
    #[start(position = [0.3, -1.0, -0.5], rotation = [0.6, 0.0, 0.0, -0.8])]
    second: Body<S3xR3>,
    #[joint(first at [0.0, 0.4, 0.0], second at A)]
    ball: Spherical,
}

/// A point on strings between a swivel and the ground.
#[multibody(
    gravity = [0.3, -0.8, -9.81],
    consts(A = [0.1, 0.2, -0.3], J = [[0.9, 0.1, -0.05], [0.1, 0.8, 0.02], [-0.05, 0.02, 1.1]]),
    assemble,
)]
struct Strings {
    #[body(mass = 0.4)]
    #[start(position = [0.2, 0.1, 0.9])]
    point: Body<R3>,
    #[body(mass = 1.0, inertia = J, center = A)]
    #[start(position = [-0.2, 0.4, 0.1])]
    swivel: Body<S3>,
    #[joint(ground at A, point, length = 1.7)]
    string: Distance,
    #[joint(swivel at [0.0, 0.3, 0.0], point, length = 0.9)]
    strut: Distance,
}

macro_rules! compare {
    ($($test:ident: $model:ident),* $(,)?) => {$(
        #[test]
        fn $test() {
            compare($model, $model.description());
        }
    )*};
}
compare! {
    pendulum: Pendulum,
    hinge: Hinge,
    ball: Ball,
    strings: Strings,
}

/// Bodies by name, and by their place in any system.
#[test]
fn bodies_have_names() {
    let state = State::start(&Hinge, 0.0);
    let generic = GenericSystem::new(Hinge.description()).unwrap();
    let same = State::start(&generic, 0.0);
    for (by_name, by_place) in [
        (state.first(), same.body(&generic, 0)),
        (state.second(), same.body(&generic, 1)),
    ] {
        assert_close("position", &by_name.position(), &by_place.position());
        assert_close("rotation", &by_name.rotation(), &by_place.rotation());
        assert_close("velocity", &by_name.velocity(), &by_place.velocity());
    }
    let swivel = State::start(&Strings, 0.0);
    assert_close("origin", &swivel.swivel().position(), &[-0.2, 0.4, 0.1]);
}

/// `B(rows) M^-1 B(columns)^T`, one entry.
fn schur_entry<S: System>(
    system: &S,
    rows: &S::Geometry,
    columns: &S::Geometry,
    i: usize,
    j: usize,
) -> f64 {
    let (mut lambda, mut push) = (system.new_multiplier(), system.new_velocity());
    let mut w = system.new_velocity();
    lambda.as_mut()[j] = 1.0;
    system.jacobian_transpose_times(columns, &lambda, &mut push);
    system.mass_solve(&push, &mut w);
    system.jacobian_times(rows, &w, &mut lambda);
    lambda.as_ref()[i]
}

/// Where the top turns so far that an entry vanishes which the fixed order may divide by, the
/// matrix is regular: pivots are chosen then. One of the entries is the first pivot.
#[test]
fn a_lost_pivot_is_replaced() {
    let generic = GenericSystem::new(TopDirect.description()).unwrap();
    let (mut columns, mut rows) = (TopDirect.new_geometry(), TopDirect.new_geometry());
    let (mut columns_generic, mut rows_generic) = (generic.new_geometry(), generic.new_geometry());
    let start = TopDirect.start_config();
    TopDirect.geometry(0.0, &start, &mut columns).unwrap();
    generic
        .geometry(0.0, &generic.start_config(), &mut columns_generic)
        .unwrap();
    let mut found = 0;
    for (axis, entry) in (0..3).flat_map(|axis| (0..9).map(move |entry| (axis, entry))) {
        let mut at = |angle: f64| {
            let mut q = TopDirect.start_config();
            let mut theta = [0.4, -0.3, 0.5, 0.0, 0.0, 0.0];
            theta[axis] = angle;
            TopDirect.displace(&start, &theta, &mut q);
            TopDirect.geometry(0.0, &q, &mut rows).unwrap();
            let q: Box<[f64]> = q.as_slice().into();
            generic.geometry(0.0, &q, &mut rows_generic).unwrap();
            schur_entry(&TopDirect, &rows, &columns, entry / 3, entry % 3)
        };
        let (mut low, mut high) = (0.1, 3.0);
        if at(low) * at(high) >= 0.0 {
            continue;
        }
        for _ in 0..80 {
            let middle = 0.5 * (low + high);
            if at(low) * at(middle) <= 0.0 {
                high = middle;
            } else {
                low = middle;
            }
        }
        let left = at(high);
        assert!(left.abs() < 1e-14, "{left:e}");
        let mut x = [0.3, -0.7, 1.1];
        let mut y: Box<[f64]> = x.into();
        TopDirect
            .schur_solve(&rows, &columns, &mut x, &mut TopDirect.new_workspace())
            .unwrap();
        let workspace = &mut generic.new_workspace();
        generic
            .schur_solve(&rows_generic, &columns_generic, &mut y, workspace)
            .unwrap();
        assert_solved("a lost pivot", &x, &y);
        found += usize::from(entry == 0);
    }
    assert!(found > 0, "the first pivot never vanished");
}

/// A top on its pivot, turned from the start.
fn turned_top(turn: Vector3<f64>) -> ([f64; 12], Matrix3<f64>) {
    let rotation = Rotation3::new(turn).into_inner();
    let mut q = [0.0; 12];
    for (i, row) in q.chunks_exact_mut(3).take(3).enumerate() {
        row.copy_from_slice(rotation.row(i).transpose().as_slice());
    }
    q[9..].copy_from_slice(rotation.column(1).as_slice());
    (q, rotation)
}

/// The matrix that a stage of the top eliminates, `W_n M^-1 W^T` with `W = [-x~ R, -I]`: rows at
/// the next stage, columns where the top started, upright along y.
fn stage_matrix(next: &Matrix3<f64>) -> Matrix3<f64> {
    let slowness = Matrix3::from_diagonal(&Vector3::new(
        1.0 / 0.234_375,
        1.0 / 0.468_75,
        1.0 / 0.234_375,
    ));
    let (x, y) = (next.column(1).cross_matrix(), Vector3::y().cross_matrix());
    Matrix3::identity() / 15.0 - x * next * slowness * y
}

/// As [`a_lost_pivot_is_replaced`], for whole stages: the composed solution writes the force into
/// the scratch vectors, the fixed order does not.
#[test]
fn a_lost_pivot_of_a_stage_is_replaced() {
    let generic = GenericSystem::new(TopDirect.description()).unwrap();
    let start = TopDirect.start_config();
    let v = [0.3, 20.0, -0.7, 0.2, 0.1, -0.4];
    let (next_v, weight) = ([0.1, 19.0, -0.2, 0.3, -0.2, 0.5], 3.0);
    let mut replaced = 0;
    for (axis, entry) in (0..3).flat_map(|axis| (0..9).map(move |entry| (axis, entry))) {
        let at = |angle: f64| {
            let mut turn = Vector3::new(0.4, -0.3, 0.5);
            turn[axis] = angle;
            turned_top(turn)
        };
        let value = |angle: f64| stage_matrix(&at(angle).1)[entry];
        let (mut low, mut high) = (0.1, 3.0);
        if value(low) * value(high) >= 0.0 {
            continue;
        }
        for _ in 0..80 {
            let middle = 0.5 * (low + high);
            if value(low) * value(middle) <= 0.0 {
                high = middle;
            } else {
                low = middle;
            }
        }
        let next = at(high).0;
        let (mut g, mut n) = (TopDirect.new_geometry(), TopDirect.new_geometry());
        TopDirect.geometry(0.0, &start, &mut g).unwrap();
        TopDirect.geometry(0.0, &next, &mut n).unwrap();
        let (mut gg, mut nn) = (generic.new_geometry(), generic.new_geometry());
        generic.geometry(0.0, &start.into(), &mut gg).unwrap();
        generic.geometry(0.0, &next.into(), &mut nn).unwrap();
        let (mut scratch, mut scratch_generic) = (Scratch::new(&TopDirect), Scratch::new(&generic));
        scratch.force = [f64::INFINITY; 6];
        let (mut x, mut c) = (TopDirect.new_velocity(), TopDirect.new_multiplier());
        let (mut y, mut d) = (generic.new_velocity(), generic.new_multiplier());
        let stage = Stage {
            t: 0.0,
            geometry: &g,
            v: &v,
        };
        let following = NextStage {
            t: 0.0,
            geometry: &n,
            v: &next_v,
            weight,
            steady: false,
        };
        TopDirect
            .stage_solve(&stage, &following, &mut x, &mut c, &mut scratch)
            .unwrap();
        let stage = Stage {
            t: 0.0,
            geometry: &gg,
            v: &v.into(),
        };
        let following = NextStage {
            t: 0.0,
            geometry: &nn,
            v: &next_v.into(),
            weight,
            steady: false,
        };
        generic
            .stage_solve(&stage, &following, &mut y, &mut d, &mut scratch_generic)
            .unwrap();
        assert_solved("accelerations of a lost pivot", &x, &y);
        assert_solved("multipliers of a lost pivot", &c, &d);
        replaced += usize::from(scratch.force[0].is_finite());
    }
    assert!(replaced > 0, "no pivot of a stage was lost");
}

/// The pendulum starts below, where the order of pivots takes the vertical component of its rod.
/// Beside the pivot of the rod that component is zero.
#[test]
fn a_lost_pivot_of_newtons_matrix_is_replaced() {
    let generic = GenericSystem::new(Pendulum.description()).unwrap();
    let (q, v, k, theta) = ([1.0, 0.0], [0.0, 1.0], [0.1, 0.2], [0.03, -0.02]);
    let (mut g, mut gg) = (Pendulum.new_geometry(), generic.new_geometry());
    Pendulum.geometry(0.0, &q, &mut g).unwrap();
    generic.geometry(0.0, &q.into(), &mut gg).unwrap();
    let point = NewtonPoint {
        t: 0.0,
        q: &q,
        geometry: &g,
        geometry_start: &g,
        theta: &theta,
        k: &k,
        v: &v,
        lambda: &[2.0],
    };
    let point_generic = NewtonPoint {
        t: 0.0,
        q: &q.into(),
        geometry: &gg,
        geometry_start: &gg,
        theta: &theta.into(),
        k: &k.into(),
        v: &v.into(),
        lambda: &[2.0].into(),
    };
    let mut replaced = 0;
    for formulation in [
        Formulation::Index3,
        Formulation::Index2,
        Formulation::StabilizedIndex2,
    ] {
        let coefficients = NewtonCoefficients {
            h: 0.1,
            sigma: 1.0,
            gamma_h: 20.0,
            epsilon_h: 11.0,
            formulation,
        };
        let (mut work, mut work_generic) = (Pendulum.new_workspace(), generic.new_workspace());
        Pendulum
            .newton_factor(&coefficients, &point, &mut work)
            .unwrap();
        replaced += usize::from(work.kernel == PIVOTED);
        generic
            .newton_factor(&coefficients, &point_generic, &mut work_generic)
            .unwrap();
        let mut found = NewtonVectors::<Pendulum> {
            dynamics: [0.3, -0.7],
            constraint: [0.2],
            hidden: [0.4],
        };
        let mut expected = NewtonVectors::<GenericSystem> {
            dynamics: found.dynamics.into(),
            constraint: found.constraint.into(),
            hidden: found.hidden.into(),
        };
        Pendulum.newton_solve(&mut found, &mut work);
        generic.newton_solve(&mut expected, &mut work_generic);
        assert_solved("dynamics", &found.dynamics, &expected.dynamics);
        assert_solved("constraint", &found.constraint, &expected.constraint);
        assert_solved("hidden", &found.hidden, &expected.hidden);
    }
    assert!(replaced > 0, "no pivot was lost");
}
