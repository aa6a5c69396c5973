//! A generated system against the generic one, or one that was put together by hand, function by
//! function.

use polhode::__private::{Dense, pivoted};
use polhode::consistency::project;
use polhode::generic::GenericSystem;
use polhode::generic::description::{Description, Redundancy};
use polhode::state::State;
use polhode::system::{
    Formulation, NewtonCoefficients, NewtonPoint, NewtonVectors, NextStage, ResidualPoint, Scratch,
    ShortPoint, Stage, System,
};

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
    /// Whether elimination with a choice of pivots must give the same.
    pivoted: bool,
    /// How far configurations are from the start, where they need not fulfil the constraints and
    /// before they are projected to them.
    reach: [f64; 2],
    /// Whether both have the same names.
    named: bool,
    /// How far solutions of linear systems may differ.
    solved: f64,
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
    fn assert_solved(&self, what: &str, generated: &[f64], generic: &[f64]) {
        assert_within(what, generated, generic, self.solved);
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

    /// A random configuration, by displacement from the start.
    fn config(&mut self) -> (S::Config, Box<[f64]>) {
        self.displaced(self.reach[0])
    }

    fn displaced(&mut self, size: f64) -> (S::Config, Box<[f64]>) {
        let (mut step, mut generic_step) = self.velocity();
        for x in step.as_mut().iter_mut().chain(generic_step.iter_mut()) {
            *x *= size;
        }
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
        let (mut a, b) = self.displaced(self.reach[1]);
        let mut state = State::start(&self.generic, T);
        state.q = b;
        project(&self.generic, &mut state, 1e-14).expect("a near configuration");
        a.as_mut().copy_from_slice(&state.q);
        (a, state.q)
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
        self.assert_solved("accelerations", x.as_ref(), &y);
        self.assert_solved("multipliers", c.as_ref(), &d);
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
            v: &next_v,
            reach: &reach,
            weight,
            steady,
        };
        let following_generic = NextStage {
            t,
            geometry: &nn,
            v: &next_v_generic,
            reach: &reach_generic,
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
        self.assert_solved("stage_solve", x.as_ref(), &y);
        self.assert_solved("stage_solve multipliers", c.as_ref(), &d);
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
        a.geometry(T, &q, &mut g).unwrap();
        b.geometry(T, &qq, &mut gg).unwrap();
        let (mut s, mut ss) = (a.new_geometry(), b.new_geometry());
        a.geometry(T, &start, &mut s).unwrap();
        b.geometry(T, &start_generic, &mut ss).unwrap();
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
                self.assert_solved(&format!("velocity, {what}"), x.as_ref(), &y);
                if sigma == 0.0 {
                    continue; // V is simplified there: compared by the solvers
                }
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
                let mut expected = NewtonVectors::<G> {
                    dynamics: rvv,
                    constraint: rcc,
                    hidden: rhh,
                };
                a.newton_solve(&mut found, &mut work);
                b.newton_solve(&mut expected, &mut work_generic);
                self.assert_solved(&what, found.dynamics.as_ref(), &expected.dynamics);
                self.assert_solved(&what, found.constraint.as_ref(), &expected.constraint);
                self.assert_solved(&what, found.hidden.as_ref(), &expected.hidden);
                if self.pivoted {
                    let what = format!("{what}, pivots chosen");
                    let mut dense = Dense::new(v.as_ref().len() + 2 * lambda.as_ref().len(), &[]);
                    pivoted::newton_factor(a, &coefficients, &point, &mut dense)
                        .unwrap_or_else(|fault| panic!("{what}: {fault}"));
                    let ((dynamics, _), (constraint, _), (hidden, _)) = residuals.clone();
                    let mut found = NewtonVectors::<S> {
                        dynamics,
                        constraint,
                        hidden,
                    };
                    pivoted::newton_solve(&mut found, &mut dense);
                    self.assert_solved(&what, found.dynamics.as_ref(), &expected.dynamics);
                    self.assert_solved(&what, found.constraint.as_ref(), &expected.constraint);
                    self.assert_solved(&what, found.hidden.as_ref(), &expected.hidden);
                }
            }
        }
    }
}

/// A short iteration against the residual of the generic system and the correction for it.
impl<S: System, G: Boxed> Pair<S, G> {
    fn compare_short(&mut self) {
        let coefficients = NewtonCoefficients {
            h: 0.1,
            sigma: 0.0,
            gamma_h: 20.0,
            epsilon_h: 11.0,
            formulation: Formulation::Index3,
        };
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

        let (mut q, mut qq) = (a.new_config(), b.new_config());
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
        let sum: f64 = expected.dynamics.iter().map(|x| x.abs()).sum::<f64>()
            + expected.constraint.iter().map(|x| x.abs()).sum::<f64>();
        // In other axes three components differ by the root of three at most.
        let ratio = found.norm / sum;
        assert!(
            (0.577..1.733).contains(&ratio),
            "norm {}, {sum}",
            found.norm
        );

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
        self.assert_solved("short iteration, theta", found.theta.as_ref(), theta);
        self.assert_solved("short iteration, impulse", found.impulse.as_ref(), impulse);
    }
}

/// Solutions of linear systems agree up to their condition.
///
/// # Panics
/// If they do not.
pub fn assert_solved(what: &str, generated: &[f64], generic: &[f64]) {
    assert_within(what, generated, generic, SOLVED);
}

/// What rounding leaves of solutions of well conditioned systems.
pub const SOLVED: f64 = 1e-11;

fn assert_within(what: &str, generated: &[f64], generic: &[f64], tolerance: f64) {
    let error = difference(generated, generic);
    assert!(
        error < tolerance,
        "{what} differs by {error:.2e}:\n{generated:?}\n{generic:?}"
    );
}

/// Compares every function of the border at random states.
///
/// # Panics
/// If one differs, with its name.
pub fn compare<S: System>(generated: S, description: Description) {
    let pivoted = description.redundant == Redundancy::Reject;
    let generic = GenericSystem::new(description).unwrap();
    let mut pair = Pair {
        generated,
        generic,
        numbers: Numbers(5),
        pivoted,
        reach: [1.0, 0.3],
        named: true,
        solved: SOLVED,
    };
    for _ in 0..5 {
        pair.compare();
    }
}

/// The same with a system that was put together by hand and has names of its own; `reach` is
/// how far from the start configurations can be projected to the constraints, `solved` how far
/// solutions of linear systems may differ.
///
/// # Panics
/// If a function differs, with its name.
pub fn compare_by_hand<S: System, G: Boxed>(generated: S, by_hand: G, reach: f64, solved: f64) {
    let mut pair = Pair {
        generated,
        generic: by_hand,
        numbers: Numbers(5),
        pivoted: false,
        reach: [0.4, reach],
        named: false,
        solved,
    };
    for _ in 0..3 {
        pair.compare();
    }
}
