//! A generated system against the generic one, or one that was put together by hand, function by
//! function. Values agree up to rounding, solutions of linear systems solve their equations (`equations`).

mod equations;

use polhode::__private::{Dense, pivoted};
use polhode::consistency::project;
use polhode::generic::GenericSystem;
use polhode::generic::description::{Description, Redundancy};
use polhode::state::State;
use polhode::system::{
    Formulation, NewtonCoefficients, NewtonPoint, NewtonVectors, NextStage, ResidualPoint, Scratch,
    ShortPoint, Stage, System,
};

use self::equations::{Correction, Equations};
use crate::difference;

/// Time at which functions are compared: drivers and loads have moved by then.
const T: f64 = 0.3;

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

/// A system with numbers on the heap.
pub trait Boxed:
    System<Config = Box<[f64]>, Velocity = Box<[f64]>, Multiplier = Box<[f64]>>
{
}
impl<S: System<Config = Box<[f64]>, Velocity = Box<[f64]>, Multiplier = Box<[f64]>>> Boxed for S {}

/// The two systems, and one of each vector for both.
struct Pair<S: System, G: Boxed> {
    generated: S,
    generic: G,
    numbers: Numbers,
    /// Whether constraints repeat others. Then the matrices are singular, and solutions the shortest
    /// ones: they are compared with each other alone.
    redundant: bool,
    /// Whether elimination with a choice of pivots must give the same.
    pivoted: bool,
    correction: Correction,
    /// How far configurations are from the start, where they need not fulfil the constraints and
    /// before they are projected to them.
    reach: [f64; 2],
    /// Whether both have the same names.
    named: bool,
}

/// Values agree up to rounding.
///
/// # Panics
/// If they do not.
pub fn assert_close(what: &str, generated: &[f64], generic: &[f64]) {
    let error = difference(generated, generic);
    assert!(
        error < 1e-13,
        "{what} differs by {error:.2e}:\n{generated:?}\n{generic:?}"
    );
}

impl<S: System, G: Boxed> Pair<S, G> {
    /// Solutions agree, part by part: in the equations that they solve if those are regular.
    fn assert_solved(
        &self,
        what: &str,
        equations: impl FnOnce() -> Equations,
        generated: &[&[f64]],
        generic: &[&[f64]],
    ) {
        if self.redundant {
            for (generated, generic) in generated.iter().zip(generic) {
                let error = difference(generated, generic);
                assert!(
                    error < 1e-9,
                    "{what} differs by {error:.2e}:\n{generated:?}\n{generic:?}"
                );
            }
        } else {
            equations().assert_same(what, generated, generic);
        }
    }

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

    /// A random configuration, by displacement from the start, on the branch of the start: beyond, the
    /// angles of joints turn about the opposite axes, and generated code may use that they do not.
    fn config(&mut self) -> (S::Config, Box<[f64]>) {
        for _ in 0..100 {
            let (a, b) = self.displaced(self.reach[0]);
            let mut state = State::start(&self.generic, T);
            state.q.copy_from_slice(&b);
            if self.generic.check_branch(&state).is_ok() {
                return (a, b);
            }
        }
        panic!("no configuration on the branch of the start")
    }

    fn displaced(&mut self, size: f64) -> (S::Config, Box<[f64]>) {
        let (mut step, mut generic_step) = self.velocity();
        for x in step.as_mut().iter_mut().chain(generic_step.iter_mut()) {
            *x *= size;
        }
        let (mut a, mut b) = (self.generated.start_config(), self.generic.start_config());
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
        let mut reach = self.reach[1];
        for _ in 0..4 {
            let (mut a, b) = self.displaced(reach);
            let mut state = State::start(&self.generic, T);
            state.q = b;
            if project(&self.generic, &mut state, 1e-14).is_ok() {
                a.as_mut().copy_from_slice(&state.q);
                return (a, state.q);
            }
            // A small mechanism can be torn beyond what its loops can close.
            reach *= 0.3;
        }
        panic!("no admissible configuration near the start")
    }

    fn compare(&mut self) {
        let t = T;
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
        a.constraint_rate(t, &g, &mut c);
        b.constraint_rate(t, &gg, &mut d);
        assert_close("constraint_rate", c.as_ref(), &d);
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
        assert_eq!(a.may_gain_energy(), b.may_gain_energy());
        assert_eq!(a.constraint_count(), b.constraint_count());
        if self.named {
            for row in 0..a.constraint_count() {
                assert_eq!(a.constraint_name(row), b.constraint_name(row));
            }
            assert_eq!(a.joints(), b.joints());
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
        let equations = || {
            let (mut force, mut rest) = (b.new_velocity(), b.new_multiplier());
            b.force(t, &gg, &vv, &mut force);
            b.constraint_quadratic(t, &qq, &gg, &vv, &mut rest);
            Equations::motion(b, &gg, &gg, &force, &rest)
        };
        let (found, expected) = ([x.as_ref(), c.as_ref()], [&y[..], &d[..]]);
        self.assert_solved("accelerations", equations, &found, &expected);
        self.compare_not_finite((&q, &qq), (&v, &vv));
        self.compare_schur();
        self.compare_residual();
        self.compare_stage(true);
        self.compare_stage(false);
        self.compare_newton();
        if S::SHORT_ITERATION {
            self.compare_short();
        }
    }

    fn compare_stage(&mut self, steady: bool) {
        let t = T;
        let (q, qq) = self.admissible_config();
        let (next, next_generic) = self.admissible_config();
        let (v, vv) = self.velocity();
        let (next_v, next_v_generic) = self.velocity();
        let weight = 3.0;
        let (mut reach, mut reach_generic) = (next_v.clone(), next_v_generic.clone());
        for x in reach.as_mut().iter_mut().chain(reach_generic.iter_mut()) {
            *x *= weight;
        }
        let (a, b) = (&self.generated, &self.generic);
        let (mut x, mut y) = (a.new_velocity(), b.new_velocity());
        let (mut c, mut d) = (a.new_multiplier(), b.new_multiplier());
        let (mut g, mut gg) = (a.new_geometry(), b.new_geometry());
        let (mut n, mut nn) = (a.new_geometry(), b.new_geometry());
        let zero = a.new_velocity();
        let mut moved = a.start_config();
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
            v: &next_v,
            weight,
            steady,
        };
        let following_generic = NextStage {
            t,
            geometry: &nn,
            v: &next_v_generic,
            weight,
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
        let equations = || {
            let (mut force, mut rest) = (b.new_velocity(), b.new_multiplier());
            b.force(t, &gg, &vv, &mut force);
            b.jacobian_times(&nn, &reach_generic, &mut rest);
            let mut rate = b.new_multiplier();
            b.constraint_rate(t, &nn, &mut rate);
            for (rest, rate) in rest.iter_mut().zip(&rate) {
                *rest += weight * rate;
            }
            Equations::motion(b, &nn, &gg, &force, &rest)
        };
        let (found, expected) = ([x.as_ref(), c.as_ref()], [&y[..], &d[..]]);
        self.assert_solved("stage_solve", equations, &found, &expected);
    }

    fn compare_schur(&mut self) {
        let ((q, qq), (r, rr)) = (self.admissible_config(), self.admissible_config());
        let (mut x, right) = self.multiplier();
        let (a, b) = (&self.generated, &self.generic);
        let (mut columns, mut columns_generic) = (a.new_geometry(), b.new_geometry());
        let (mut rows, mut rows_generic) = (a.new_geometry(), b.new_geometry());
        a.geometry(T, &q, &mut columns).unwrap();
        b.geometry(T, &qq, &mut columns_generic).unwrap();
        a.geometry(T, &r, &mut rows).unwrap();
        b.geometry(T, &rr, &mut rows_generic).unwrap();
        a.schur_solve(&rows, &columns, &mut x, &mut a.new_workspace())
            .unwrap();
        let mut y = right.clone();
        let mut workspace = b.new_workspace();
        b.schur_solve(&rows_generic, &columns_generic, &mut y, &mut workspace)
            .unwrap();
        // The motion that belongs to a solution is -M^-1 B^T x.
        let motion = |x: &[f64]| {
            let (mut push, mut motion) = (b.new_velocity(), b.new_velocity());
            b.jacobian_transpose_times(&columns_generic, &x.into(), &mut push);
            b.mass_solve(&push, &mut motion);
            motion.iter().map(|x| -x).collect::<Vec<_>>()
        };
        let equations = || {
            let force = b.new_velocity();
            Equations::motion(b, &rows_generic, &columns_generic, &force, &right)
        };
        let (x, y) = (x.as_ref(), &y[..]);
        let (found, expected) = ([&motion(x), x], [&motion(y), y]);
        self.assert_solved("schur_solve", equations, &found, &expected);
    }

    /// Names of forces that are no numbers: where the time is none, those that depend on it.
    fn compare_not_finite(
        &self,
        (q, q_generic): (&S::Config, &G::Config),
        (v, v_generic): (&S::Velocity, &G::Velocity),
    ) {
        let (a, b) = (&self.generated, &self.generic);
        for t in [T, f64::NAN] {
            let (mut g, mut gg) = (a.new_geometry(), b.new_geometry());
            // Drivers fail there.
            if a.geometry(t, q, &mut g).is_err() || b.geometry(t, q_generic, &mut gg).is_err() {
                return;
            }
            let found = a.not_finite_force(t, q, &g, v);
            let expected = b.not_finite_force(t, q_generic, &gg, v_generic);
            if self.named {
                assert_eq!(found, expected, "t = {t}");
            } else {
                assert_eq!(
                    found.is_some(),
                    expected.is_some(),
                    "t = {t}: {found:?} {expected:?}"
                );
            }
        }
    }

    fn compare_residual(&mut self) {
        let (q, qq) = self.config();
        let ((v, vv), (vdot, vdot_generic)) = (self.velocity(), self.velocity());
        let (lambda, lambda_generic) = self.multiplier();
        let (a, b) = (&self.generated, &self.generic);
        for formulation in FORMULATIONS {
            let coefficients = coefficients(formulation, 0.0);
            let point = ResidualPoint {
                t: T,
                q: &q,
                v: &v,
                vdot: &vdot,
                lambda: &lambda,
            };
            let point_generic = ResidualPoint {
                t: T,
                q: &qq,
                v: &vv,
                vdot: &vdot_generic,
                lambda: &lambda_generic,
            };
            let (mut g, mut gg) = (a.new_geometry(), b.new_geometry());
            let (mut found, mut expected) = (NewtonVectors::new(a), NewtonVectors::new(b));
            let (mut scratch, mut scratch_generic) = (Scratch::new(a), Scratch::new(b));
            a.newton_residual(&coefficients, &point, &mut g, &mut found, &mut scratch)
                .unwrap();
            b.newton_residual(
                &coefficients,
                &point_generic,
                &mut gg,
                &mut expected,
                &mut scratch_generic,
            )
            .unwrap();
            let what = |part| format!("{part} of the residual, {formulation:?}");
            assert_close(
                &what("dynamics"),
                found.dynamics.as_ref(),
                &expected.dynamics,
            );
            let constraint = found.constraint.as_ref();
            assert_close(&what("constraint"), constraint, &expected.constraint);
            if formulation == Formulation::StabilizedIndex2 {
                assert_close(
                    &what("hidden constraint"),
                    found.hidden.as_ref(),
                    &expected.hidden,
                );
            }
        }
    }

    fn compare_newton(&mut self) {
        let (q, qq) = self.admissible_config();
        let (start, start_generic) = self.admissible_config();
        let (theta, theta_generic) = self.velocity();
        let (k, kk) = self.velocity();
        let (push, push_generic) = self.velocity();
        let (lambda, lambda_generic) = self.multiplier();
        let residuals = (self.velocity(), self.multiplier(), self.multiplier());
        let (a, b) = (&self.generated, &self.generic);
        let (mut g, mut gg) = (a.new_geometry(), b.new_geometry());
        a.geometry(T, &q, &mut g).unwrap();
        b.geometry(T, &qq, &mut gg).unwrap();
        let (mut s, mut ss) = (a.new_geometry(), b.new_geometry());
        a.geometry(T, &start, &mut s).unwrap();
        b.geometry(T, &start_generic, &mut ss).unwrap();
        let (mut work, mut work_generic) = (a.new_workspace(), b.new_workspace());
        for formulation in FORMULATIONS {
            for sigma in [0.0, 1.0, 0.6] {
                let coefficients = coefficients(formulation, sigma);
                let what = format!("{formulation:?}, sigma = {sigma}");
                // Parts of a residual and its correction.
                let used = match formulation {
                    Formulation::Index3 | Formulation::Index2 => 2,
                    Formulation::StabilizedIndex2 => 3,
                };
                let (mut v, mut vv) = (a.new_velocity(), b.new_velocity());
                // Only the stabilized formulation pushes.
                if formulation == Formulation::StabilizedIndex2 {
                    a.velocity_of_increment(&coefficients, &theta, &k, &push, &mut v);
                    let push = &push_generic;
                    b.velocity_of_increment(&coefficients, &theta_generic, &kk, push, &mut vv);
                    assert_close(&format!("pushed velocity, {what}"), v.as_ref(), &vv);
                }
                // Without a push: for sigma = 0 generated matrices are those where eta is zero.
                let (rest, rest_generic) = (a.new_velocity(), b.new_velocity());
                a.velocity_of_increment(&coefficients, &theta, &k, &rest, &mut v);
                b.velocity_of_increment(&coefficients, &theta_generic, &kk, &rest_generic, &mut vv);
                assert_close(&format!("velocity, {what}"), v.as_ref(), &vv);
                let point = NewtonPoint {
                    t: T,
                    q: &q,
                    geometry: &g,
                    geometry_start: &s,
                    theta: &theta,
                    k: &k,
                    v: &v,
                    lambda: &lambda,
                };
                let point_generic = NewtonPoint {
                    t: T,
                    q: &qq,
                    geometry: &gg,
                    geometry_start: &ss,
                    theta: &theta_generic,
                    k: &kk,
                    v: &vv,
                    lambda: &lambda_generic,
                };
                let ((rv, rvv), (rc, rcc), (rh, rhh)) = &residuals;
                let residual = || NewtonVectors::<S> {
                    dynamics: rv.clone(),
                    constraint: rc.clone(),
                    hidden: rh.clone(),
                };
                let right = [&rvv[..], rcc, rhh];
                let equations =
                    || Equations::newton(b, &coefficients, &point_generic, right, self.correction);
                let mut expected = NewtonVectors::<G> {
                    dynamics: rvv.clone(),
                    constraint: rcc.clone(),
                    hidden: rhh.clone(),
                };
                b.newton_factor(&coefficients, &point_generic, &mut work_generic)
                    .unwrap();
                b.newton_solve(&mut expected, &mut work_generic);
                let check = |what: &str, found: &NewtonVectors<S>| {
                    let (found, expected) = (parts(found), parts(&expected));
                    self.assert_solved(what, equations, &found[..used], &expected[..used]);
                };
                let mut found = residual();
                a.newton_factor(&coefficients, &point, &mut work)
                    .unwrap_or_else(|fault| panic!("{what}: {fault}"));
                a.newton_solve(&mut found, &mut work);
                check(&what, &found);
                if !self.redundant {
                    equations().assert_refined(&what, &parts(&found)[..used], |left| {
                        let mut more = residual();
                        more.dynamics.as_mut().copy_from_slice(&left[0]);
                        more.constraint.as_mut().copy_from_slice(&left[1]);
                        if let Some(hidden) = left.get(2) {
                            more.hidden.as_mut().copy_from_slice(hidden);
                        }
                        a.newton_solve(&mut more, &mut work);
                        for (left, more) in left.iter_mut().zip(parts(&more)) {
                            left.copy_from_slice(more);
                        }
                    });
                }
                let mut correction = NewtonVectors::<S>::new(a);
                a.newton_correction(
                    &coefficients,
                    &point,
                    &mut residual(),
                    &mut correction,
                    &mut work,
                )
                .unwrap_or_else(|fault| panic!("{what}: {fault}"));
                check(&format!("{what}, at once"), &correction);
                if self.pivoted {
                    let what = format!("{what}, pivots chosen");
                    let mut dense = Dense::new(v.as_ref().len() + 2 * lambda.as_ref().len(), &[]);
                    pivoted::newton_factor(a, &coefficients, &point, &mut dense)
                        .unwrap_or_else(|fault| panic!("{what}: {fault}"));
                    let mut found = residual();
                    pivoted::newton_solve(&mut found, &mut dense);
                    check(&what, &found);
                }
            }
        }
    }
}

const FORMULATIONS: [Formulation; 3] = [
    Formulation::Index3,
    Formulation::Index2,
    Formulation::StabilizedIndex2,
];

fn coefficients(formulation: Formulation, sigma: f64) -> NewtonCoefficients {
    NewtonCoefficients {
        h: 0.1,
        sigma,
        gamma_h: 20.0,
        epsilon_h: 11.0,
        formulation,
    }
}

/// The parts of a correction.
fn parts<S: System>(vectors: &NewtonVectors<S>) -> [&[f64]; 3] {
    [
        vectors.dynamics.as_ref(),
        vectors.constraint.as_ref(),
        vectors.hidden.as_ref(),
    ]
}

/// A short iteration against the residual of the generic system and the correction for it.
impl<S: System, G: Boxed> Pair<S, G> {
    fn compare_short(&mut self) {
        let coefficients = coefficients(Formulation::Index3, 0.0);
        let h2 = 0.1 * 0.1;
        let (start, start_generic) = self.admissible_config();
        let (mut theta, mut theta_generic) = self.velocity();
        for x in theta.as_mut().iter_mut().chain(theta_generic.iter_mut()) {
            *x *= 0.1;
        }
        let ((k, _), (known, _)) = (self.velocity(), self.velocity());
        let (impulse, _) = self.multiplier();
        let (a, b) = (&self.generated, &self.generic);
        let point = ShortPoint {
            t: T,
            q: &start,
            theta: &theta,
            k: &k,
            known: &known,
            impulse: &impulse,
        };
        let found = a
            .short_iteration(&coefficients, &point)
            .expect("no lost pivot");

        let (mut q, mut qq) = (a.start_config(), b.start_config());
        a.displace(&start, &theta, &mut q);
        b.displace(&start_generic, &theta_generic, &mut qq);
        let (mut v, mut vdot) = (a.new_velocity(), b.new_velocity());
        for (i, x) in theta.as_ref().iter().enumerate() {
            v.as_mut()[i] = 20.0 * (x - k.as_ref()[i]);
            vdot[i] = 220.0 * x + known.as_ref()[i] / h2;
        }
        let mut vv = b.new_velocity();
        vv.copy_from_slice(v.as_ref());
        let (mut lambda, mut lambda_generic) = (a.new_multiplier(), b.new_multiplier());
        for (i, impulse) in impulse.as_ref().iter().enumerate() {
            lambda.as_mut()[i] = impulse / h2;
            lambda_generic[i] = impulse / h2;
        }
        let residual_point = ResidualPoint {
            t: T,
            q: &qq,
            v: &vv,
            vdot: &vdot,
            lambda: &lambda_generic,
        };
        let (mut gg, mut scratch) = (b.new_geometry(), Scratch::new(b));
        let mut expected = NewtonVectors::<G>::new(b);
        b.newton_residual(
            &coefficients,
            &residual_point,
            &mut gg,
            &mut expected,
            &mut scratch,
        )
        .unwrap();
        let sum = |x: &[f64]| x.iter().map(|x| x.abs()).sum::<f64>();
        let dynamics = sum(&expected.dynamics);
        // In other axes three components differ by the root of three at most.
        let ratio = found.size.dynamics / dynamics;
        assert!(
            (0.577..1.733).contains(&ratio),
            "{:?}, {dynamics}",
            found.size
        );
        let constraint = sum(&expected.constraint);
        assert_close("size", &[found.size.constraint], &[constraint]);

        let mut residual = NewtonVectors::<S>::new(a);
        let dynamics = residual.dynamics.as_mut();
        dynamics.copy_from_slice(&expected.dynamics);
        let constraint = residual.constraint.as_mut();
        constraint.copy_from_slice(&expected.constraint);
        let mut g = a.new_geometry();
        a.geometry(T, &q, &mut g).unwrap();
        let point = NewtonPoint {
            t: T,
            q: &q,
            geometry: &g,
            geometry_start: &g,
            theta: &theta,
            k: &k,
            v: &v,
            lambda: &lambda,
        };
        let mut correction = NewtonVectors::<S>::new(a);
        a.newton_correction(
            &coefficients,
            &point,
            &mut residual,
            &mut correction,
            &mut a.new_workspace(),
        )
        .unwrap();
        let (theta, impulse) = (correction.dynamics.as_ref(), correction.constraint.as_ref());
        assert_solved("short iteration, theta", found.theta.as_ref(), theta);
        assert_solved("short iteration, impulse", found.impulse.as_ref(), impulse);
    }
}

/// Solutions of well conditioned linear systems agree.
///
/// # Panics
/// If they do not.
pub fn assert_solved(what: &str, generated: &[f64], generic: &[f64]) {
    let error = difference(generated, generic);
    assert!(
        error < 1e-11,
        "{what} differs by {error:.2e}:\n{generated:?}\n{generic:?}"
    );
}

/// Compares every function of the border at random states.
///
/// # Panics
/// If one differs, with its name.
pub fn compare<S: System>(generated: S, description: Description) {
    let redundant = description.redundant != Redundancy::Reject;
    let generic = GenericSystem::new(description).unwrap();
    let mut pair = Pair {
        generated,
        generic,
        numbers: Numbers(5),
        redundant,
        pivoted: !redundant,
        correction: Correction::Mechanism,
        reach: [1.0, 0.3],
        named: true,
    };
    for _ in 0..5 {
        pair.compare();
    }
}

/// The same with a system that was put together by hand and has names of its own; `reach` is
/// how far from the start configurations can be projected to the constraints.
///
/// # Panics
/// If a function differs, with its name.
pub fn compare_by_hand<S: System, G: Boxed>(generated: S, by_hand: G, reach: f64) {
    let mut pair = Pair {
        generated,
        generic: by_hand,
        numbers: Numbers(5),
        redundant: false,
        pivoted: false,
        correction: Correction::Blocks,
        reach: [0.4, reach],
        named: false,
    };
    for _ in 0..3 {
        pair.compare();
    }
}
