//! Generated systems against the generic one, function by function.

use polhode::consistency::project;
use polhode::generic::GenericSystem;
use polhode::generic::description::Description;
use polhode::multibody;
use polhode::state::State;
use polhode::system::{
    Formulation, NewtonCoefficients, NewtonPoint, NewtonVectors, NextStage, Scratch, Stage, System,
};
use polhode_models::generated::{
    FreeTop, FreeTopQuaternion, TopDirect, TopDirectQuaternion, TopSemidirect,
    TopSemidirectQuaternion,
};
use polhode_tests::difference;

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
    consts(A = [0.1, 0.2, -0.3], J = [[0.9, 0.1, -0.05], [0.1, 0.8, 0.02], [-0.05, 0.02, 1.1]])
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
    consts(A = [0.1, 0.2, -0.3], J = [[0.9, 0.1, -0.05], [0.1, 0.8, 0.02], [-0.05, 0.02, 1.1]])
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
    consts(A = [0.1, 0.2, -0.3], J = [[0.9, 0.1, -0.05], [0.1, 0.8, 0.02], [-0.05, 0.02, 1.1]])
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

/// A repeatable stream of numbers in (-1, 1).
struct Numbers(u64);

impl Numbers {
    fn fill(&mut self, out: &mut [f64]) {
        for x in out {
            self.0 = self
                .0
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            #[expect(clippy::cast_precision_loss, reason = "53 bits")]
            let unit = (self.0 >> 11) as f64 / (1_u64 << 53) as f64;
            *x = 2.0 * unit - 1.0;
        }
    }
}

/// The two systems, and one of each vector for both.
struct Pair<S: System> {
    generated: S,
    generic: GenericSystem,
    numbers: Numbers,
}

fn assert_close(what: &str, generated: &[f64], generic: &[f64]) {
    let error = difference(generated, generic);
    assert!(
        error < 1e-13,
        "{what} differs by {error:.2e}:\n{generated:?}\n{generic:?}"
    );
}

impl<S: System> Pair<S> {
    fn velocity(&mut self) -> (S::Velocity, Box<[f64]>) {
        let (mut a, mut b) = (self.generated.new_velocity(), self.generic.new_velocity());
        self.numbers.fill(a.as_mut());
        b.copy_from_slice(a.as_ref());
        (a, b)
    }

    fn multiplier(&mut self) -> (S::Multiplier, Box<[f64]>) {
        let (mut a, mut b) = (
            self.generated.new_multiplier(),
            self.generic.new_multiplier(),
        );
        self.numbers.fill(a.as_mut());
        b.copy_from_slice(a.as_ref());
        (a, b)
    }

    /// A random configuration, by displacement from the start.
    fn config(&mut self) -> (S::Config, Box<[f64]>) {
        let (step, generic_step) = self.velocity();
        let (mut a, mut b) = (self.generated.new_config(), self.generic.new_config());
        self.generated
            .displace(&self.generated.start_config(), &step, &mut a);
        self.generic
            .displace(&self.generic.start_config(), &generic_step, &mut b);
        assert_close("displace", a.as_ref(), &b);
        b.copy_from_slice(a.as_ref());
        (a, b)
    }

    /// A random configuration that fulfils the constraints: stages and Newton matrices of
    /// generated code may use that it does.
    fn admissible_config(&mut self) -> (S::Config, Box<[f64]>) {
        let (mut a, b) = self.config();
        let mut state = State::start(&self.generic, 0.0);
        state.q = b;
        project(&self.generic, &mut state, 1e-15).expect("a near configuration");
        a.as_mut().copy_from_slice(&state.q);
        (a, state.q)
    }

    fn compare(&mut self) {
        let t = 0.3;
        let (q, qq) = self.config();
        let (v, vv) = self.velocity();
        let (w, ww) = self.velocity();
        let (lambda, lambda_generic) = self.multiplier();
        let (a, b) = (&self.generated, &self.generic);
        let (mut x, mut y) = (a.new_velocity(), b.new_velocity());
        let (mut c, mut d) = (a.new_multiplier(), b.new_multiplier());
        assert_close("start", a.start_config().as_ref(), &b.start_config());
        assert_close("start", a.start_velocity().as_ref(), &b.start_velocity());
        let (mut g, mut gg) = (a.new_geometry(), b.new_geometry());
        a.geometry(t, &q, &mut g).unwrap();
        b.geometry(t, &qq, &mut gg).unwrap();

        a.tangent_inverse(&v, &w, &mut x);
        b.tangent_inverse(&vv, &ww, &mut y);
        assert_close("tangent_inverse", x.as_ref(), &y);
        a.force(t, &g, &v, &mut x);
        b.force(t, &gg, &vv, &mut y);
        assert_close("force", x.as_ref(), &y);
        a.mass_times(&v, &mut x);
        b.mass_times(&vv, &mut y);
        assert_close("mass_times", x.as_ref(), &y);
        a.mass_solve(&v, &mut x);
        b.mass_solve(&vv, &mut y);
        assert_close("mass_solve", x.as_ref(), &y);
        a.constraint(t, &q, &g, &mut c);
        b.constraint(t, &qq, &gg, &mut d);
        assert_close("constraint", c.as_ref(), &d);
        a.jacobian_times(&g, &v, &mut c);
        b.jacobian_times(&gg, &vv, &mut d);
        assert_close("jacobian_times", c.as_ref(), &d);
        a.jacobian_transpose_times(&g, &lambda, &mut x);
        b.jacobian_transpose_times(&gg, &lambda_generic, &mut y);
        assert_close("jacobian_transpose_times", x.as_ref(), &y);
        a.constraint_quadratic(t, &q, &g, &v, &mut c);
        b.constraint_quadratic(t, &qq, &gg, &vv, &mut d);
        assert_close("constraint_quadratic", c.as_ref(), &d);
        a.jacobian_derivative_times(&q, &g, &v, &w, &mut c);
        b.jacobian_derivative_times(&qq, &gg, &vv, &ww, &mut d);
        assert_close("jacobian_derivative_times", c.as_ref(), &d);
        a.stiffness_times(t, &q, &g, &v, &lambda, &w, &mut x);
        b.stiffness_times(t, &qq, &gg, &vv, &lambda_generic, &ww, &mut y);
        assert_close("stiffness_times", x.as_ref(), &y);
        a.damping_times(t, &q, &g, &v, &w, &mut x);
        b.damping_times(t, &qq, &gg, &vv, &ww, &mut y);
        assert_close("damping_times", x.as_ref(), &y);
        let (e, f) = (a.energy(t, &q, &v), b.energy(t, &qq, &vv));
        assert_close(
            "energy",
            &[e.kinetic, e.potential],
            &[f.kinetic, f.potential],
        );
        let (e, f) = (a.momentum(&q, &v), b.momentum(&qq, &vv));
        assert_close("linear momentum", &e.linear, &f.linear);
        assert_close("angular momentum", &e.angular, &f.angular);
        assert_eq!(a.constraint_count(), b.constraint_count());
        for row in 0..a.constraint_count() {
            assert_eq!(a.constraint_name(row), b.constraint_name(row));
        }

        let (mut scratch, mut scratch_generic) = (Scratch::new(a), Scratch::new(b));
        let stage = Stage {
            t,
            geometry: &g,
            v: &v,
        };
        let stage_generic = Stage {
            t,
            geometry: &gg,
            v: &vv,
        };
        a.accelerations(&stage, &q, &mut x, &mut c, &mut scratch)
            .unwrap();
        b.accelerations(&stage_generic, &qq, &mut y, &mut d, &mut scratch_generic)
            .unwrap();
        assert_solved("accelerations", x.as_ref(), &y);
        assert_solved("multipliers", c.as_ref(), &d);
        self.compare_stage(true);
        self.compare_stage(false);
        self.compare_newton();
    }

    fn compare_stage(&mut self, steady: bool) {
        let t = 0.3;
        let (q, qq) = self.admissible_config();
        let (next, next_generic) = self.admissible_config();
        let (v, vv) = self.velocity();
        let (reach, reach_generic) = self.velocity();
        let (a, b) = (&self.generated, &self.generic);
        let (mut x, mut y) = (a.new_velocity(), b.new_velocity());
        let (mut c, mut d) = (a.new_multiplier(), b.new_multiplier());
        let (mut g, mut gg) = (a.new_geometry(), b.new_geometry());
        let (mut n, mut nn) = (a.new_geometry(), b.new_geometry());
        let zero = a.new_velocity();
        let mut moved = a.new_config();
        a.displaced_geometry((t, steady), &q, &zero, &mut g, &mut moved)
            .unwrap();
        b.geometry(t, &qq, &mut gg).unwrap();
        a.displaced_geometry((t, steady), &next, &zero, &mut n, &mut moved)
            .unwrap();
        b.geometry(t, &next_generic, &mut nn).unwrap();
        let (mut scratch, mut scratch_generic) = (Scratch::new(a), Scratch::new(b));
        let stage = Stage {
            t,
            geometry: &g,
            v: &v,
        };
        let stage_generic = Stage {
            t,
            geometry: &gg,
            v: &vv,
        };
        let following = NextStage {
            t,
            geometry: &n,
            reach: &reach,
            weight: 3.0,
            steady,
        };
        let following_generic = NextStage {
            t,
            geometry: &nn,
            reach: &reach_generic,
            weight: 3.0,
            steady,
        };
        a.stage_solve(&stage, &following, &mut x, &mut c, &mut scratch)
            .unwrap();
        b.stage_solve(
            &stage_generic,
            &following_generic,
            &mut y,
            &mut d,
            &mut scratch_generic,
        )
        .unwrap();
        assert_solved("stage_solve", x.as_ref(), &y);
        assert_solved("stage_solve multipliers", c.as_ref(), &d);
    }

    fn compare_newton(&mut self) {
        let (q, qq) = self.admissible_config();
        let (start, start_generic) = self.admissible_config();
        let (v, vv) = self.velocity();
        let (theta, theta_generic) = self.velocity();
        let (k, kk) = self.velocity();
        let (push, push_generic) = self.velocity();
        let (lambda, lambda_generic) = self.multiplier();
        let residuals = (self.velocity(), self.multiplier(), self.multiplier());
        let (a, b) = (&self.generated, &self.generic);
        let (mut g, mut gg) = (a.new_geometry(), b.new_geometry());
        a.geometry(0.3, &q, &mut g).unwrap();
        b.geometry(0.3, &qq, &mut gg).unwrap();
        let (mut s, mut ss) = (a.new_geometry(), b.new_geometry());
        a.geometry(0.3, &start, &mut s).unwrap();
        b.geometry(0.3, &start_generic, &mut ss).unwrap();
        let (mut work, mut work_generic) = (a.new_workspace(), b.new_workspace());
        for formulation in [
            Formulation::Index3,
            Formulation::Index2,
            Formulation::StabilizedIndex2,
        ] {
            for sigma in [0.0, 1.0, 0.6] {
                let coefficients = NewtonCoefficients {
                    h: 0.1,
                    sigma,
                    gamma_h: 20.0,
                    epsilon_h: 11.0,
                    formulation,
                };
                let what = format!("{formulation:?}, sigma = {sigma}");
                let zero = formulation != Formulation::StabilizedIndex2;
                let (mut push, mut push_generic) = (push.clone(), push_generic.clone());
                if zero {
                    push.as_mut().fill(0.0);
                    push_generic.fill(0.0);
                }
                let (mut x, mut y) = (a.new_velocity(), b.new_velocity());
                a.velocity_of_increment(&coefficients, &theta, &k, &push, &mut x);
                b.velocity_of_increment(&coefficients, &theta_generic, &kk, &push_generic, &mut y);
                assert_solved(&format!("velocity, {what}"), x.as_ref(), &y);
                if sigma == 0.0 {
                    continue; // V is simplified there: compared by the solvers
                }
                let point = NewtonPoint {
                    t: 0.3,
                    q: &q,
                    geometry: &g,
                    geometry_start: &s,
                    theta: &theta,
                    k: &k,
                    v: &v,
                    lambda: &lambda,
                };
                let point_generic = NewtonPoint {
                    t: 0.3,
                    q: &qq,
                    geometry: &gg,
                    geometry_start: &ss,
                    theta: &theta_generic,
                    k: &kk,
                    v: &vv,
                    lambda: &lambda_generic,
                };
                a.newton_factor(&coefficients, &point, &mut work)
                    .unwrap_or_else(|fault| panic!("{what}: {fault}"));
                b.newton_factor(&coefficients, &point_generic, &mut work_generic)
                    .unwrap();
                let ((rv, rvv), (rc, rcc), (rh, rhh)) = residuals.clone();
                let mut found = NewtonVectors::<S> {
                    dynamics: rv,
                    constraint: rc,
                    hidden: rh,
                };
                let mut expected = NewtonVectors::<GenericSystem> {
                    dynamics: rvv,
                    constraint: rcc,
                    hidden: rhh,
                };
                a.newton_solve(&mut found, &mut work);
                b.newton_solve(&mut expected, &mut work_generic);
                assert_solved(&what, found.dynamics.as_ref(), &expected.dynamics);
                assert_solved(&what, found.constraint.as_ref(), &expected.constraint);
                assert_solved(&what, found.hidden.as_ref(), &expected.hidden);
            }
        }
    }
}

/// Solutions of linear systems agree up to their condition.
fn assert_solved(what: &str, generated: &[f64], generic: &[f64]) {
    let error = difference(generated, generic);
    assert!(
        error < 1e-11,
        "{what} differs by {error:.2e}:\n{generated:?}\n{generic:?}"
    );
}

fn compare<S: System>(generated: S, description: Description) {
    let generic = GenericSystem::new(description).unwrap();
    let mut pair = Pair {
        generated,
        generic,
        numbers: Numbers(5),
    };
    for _ in 0..5 {
        pair.compare();
    }
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
    top_direct: TopDirect,
    top_semidirect: TopSemidirect,
    top_direct_quaternion: TopDirectQuaternion,
    top_semidirect_quaternion: TopSemidirectQuaternion,
    free_top: FreeTop,
    free_top_quaternion: FreeTopQuaternion,
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
    assert_close("position", &state.first().position(), &[1.0, 0.0, 0.5]);
    assert_close("rotation", &state.first().rotation(), &[0.8, 0.6, 0.0, 0.0]);
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
            let mut q = TopDirect.new_config();
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
