//! The models against their sources: generated and written data, closed forms, hand-written steps.
//!
//! Tests of the library are here and not in it: with them it would be compiled twice.

use polhode::generalized_alpha::GeneralizedAlpha;
use polhode::generic::description::Description;
use polhode::half_explicit::HalfExplicit;
use polhode::lie::GroupKind;
use polhode::state::State;
use polhode::stats::Stats;
use polhode::stepper::{Method, Stepper};
use polhode::system::System;
use polhode_models::generated::{
    FreeTop, FreeTopQuaternion, TopDirect, TopDirectQuaternion, TopSemidirect,
    TopSemidirectQuaternion,
};
use polhode_models::hand::{Kernel, STEP, Top};
use polhode_models::heavy_top::{self, CONSTRAINED, Sample};
use polhode_models::pendulum::{PENDULUM, pendulum};

/// Everything but the name, and the start position that a fixed point need not give.
fn same(mut generated: Description, mut written: Description) {
    generated.name.clear();
    written.name.clear();
    for body in generated.bodies.iter_mut().chain(&mut written.bodies) {
        let start = &mut body.start;
        start.position.resize(3, 0.0);
        start.velocity.resize(3, 0.0);
    }
    assert_eq!(generated, written);
}

#[test]
fn generated_models_have_the_numbers_of_their_data() {
    same(
        TopDirect.description(),
        heavy_top::constrained(GroupKind::SO3xR3),
    );
    same(
        TopSemidirect.description(),
        heavy_top::constrained(GroupKind::SE3),
    );
    same(
        TopDirectQuaternion.description(),
        heavy_top::constrained(GroupKind::S3xR3),
    );
    same(
        TopSemidirectQuaternion.description(),
        heavy_top::constrained(GroupKind::S3sR3),
    );
    same(FreeTop.description(), heavy_top::free(GroupKind::SO3));
    same(
        FreeTopQuaternion.description(),
        heavy_top::free(GroupKind::S3),
    );
}

fn compare<S: System, M>(system: &S, method: &M, kernel: Kernel, group: GroupKind)
where
    M: Method<S> + Method<TopDirect> + Method<TopSemidirect>,
{
    let mut top = Top::start(method, group, STEP).unwrap();
    let step = kernel.step(group).unwrap();
    let mut state = State::start(system, 0.0);
    let mut stepper = method.stepper(system).unwrap();
    let mut stats = Stats::default();
    stepper.start(system, &mut state, STEP).unwrap();
    // Forces of a half-explicit stage are differences of momenta divided by h a, a = 11/84 in the
    // last one: m v 1e-16 / (h a) is 1.7e-9, and several of these add up. Index 3 divides rounding errors of positions by h^2: m 1e-16 / h^2 is 1.5e-9, which
    // grows like n^2 rho^n, about 50 times, before it is damped.
    let of_lambda = match kernel {
        Kernel::HalfExplicit5 => 15.0 * 150.0 * 84.0 / 11.0,
        Kernel::GeneralizedAlpha3 => 1e7,
    };
    for n in 0..200 {
        step(&mut top, STEP);
        stepper.step(system, &mut state, STEP, &mut stats).unwrap();
        let (q, v, lambda) = top.parts();
        for (what, found, expected, size) in [
            ("q", &q[..], state.q.as_ref(), 1.0),
            ("v", &v[..], state.v.as_ref(), 150.0),
            ("lambda", &lambda[..], state.lambda.as_ref(), of_lambda),
        ] {
            for (x, y) in found.iter().zip(expected) {
                let error = (x - y).abs() / size;
                assert!(
                    error < 1e-12,
                    "{kernel:?} {group} step {n} {what}: {error:e}"
                );
            }
        }
    }
}

#[test]
fn hand_written_steps_are_those_of_the_library() {
    let he5 = HalfExplicit::order5();
    let ga3 = GeneralizedAlpha::index3();
    let (direct, semidirect) = (GroupKind::SO3xR3, GroupKind::SE3);
    compare(&TopDirect, &he5, Kernel::HalfExplicit5, direct);
    compare(&TopSemidirect, &he5, Kernel::HalfExplicit5, semidirect);
    compare(&TopDirect, &ga3, Kernel::GeneralizedAlpha3, direct);
    compare(&TopSemidirect, &ga3, Kernel::GeneralizedAlpha3, semidirect);
}

#[test]
fn the_force_of_the_joint_is_that_of_the_series() {
    let choice = CONSTRAINED.choice_in(GroupKind::S3xR3);
    for t in [0.1, 0.25, 0.5, 0.75, 1.0] {
        let exact = CONSTRAINED.exact(&choice, t).expect("a reference");
        let (q, v) = (&exact.q, &exact.v);
        let again = Sample::new(t, [q[0], q[1], q[2], q[3]], [v[0], v[1], v[2]]);
        for (found, expected) in again.lambda.iter().zip(&exact.lambda) {
            // A few hundred times the rounding of numbers up to 1e4.
            assert!((found - expected).abs() < 1e-10, "{found} {expected}");
        }
    }
}

#[test]
fn the_exact_pendulum_agrees_with_tables_and_with_the_start() {
    // 25-digit values at t = 2 for x0 = 0.2, from elliptic functions in 50 digits.
    let expected = [
        0.185_148_979_392_388_5,
        -0.982_710_463_681_931_5,
        0.798_828_947_644_224_6,
        0.150_504_517_690_059_6,
        10.301_168_946_159_25,
    ];
    let exact = |t| {
        PENDULUM
            .exact(&PENDULUM.choice(), t)
            .expect("known at any time")
    };
    let found = exact(2.0);
    let found = [found.q, found.v, found.lambda].concat();
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() < 1e-13, "{found} {expected}");
    }
    let start = &pendulum(0.2).bodies[0].start;
    for (a, b) in exact(0.0).v.iter().zip(&start.velocity) {
        assert!((a - b).abs() < 1e-14);
    }
}
