//! A link that is pushed so hard that its own part of the Newton matrix is singular.

use super::super::newton::LinkTangents;
use super::super::small::inverse;
use super::{HOLDS, assert_close, pair, wave};
use crate::chain::links::{LinkChain, Way};
use crate::chain::{ChainStart, Link, Tree};
use crate::error::Fault;
use crate::system::{
    Bodies, Constrained, Formulation, Implicit, Manifold, Mechanics, NewtonCoefficients,
    NewtonPoint, NewtonVectors,
};

const FORMULATIONS: [Formulation; 3] = [
    Formulation::Index3,
    Formulation::Index2,
    Formulation::StabilizedIndex2,
];

fn coefficients(formulation: Formulation, sigma: f64) -> NewtonCoefficients {
    NewtonCoefficients {
        h: 0.05,
        sigma,
        gamma_h: 38.0,
        epsilon_h: 22.0,
        formulation,
    }
}

/// The determinant of the block of link 1.
fn determinant(
    chain: &LinkChain,
    coefficients: &NewtonCoefficients,
    point: &NewtonPoint<'_, LinkChain>,
) -> f64 {
    let link = chain.links.at(1);
    let [before, after] = [1, 2].map(|joint| chain.multiplier(point.lambda, joint));
    let mu = LinkChain::moment_arm_force(link, &before, &after);
    let tangents = LinkTangents::at(1, link, coefficients, point);
    let columns = &point.geometry.columns[1];
    inverse(&tangents.block(coefficients, columns, &mu).0).1
}

/// At a point where nothing vanishes but the determinant, against the same chain as a tree.
#[test]
fn a_pushed_link_is_solved() {
    for held in HOLDS {
        for formulation in FORMULATIONS {
            for sigma in [0.0, 0.3, 1.0] {
                check(held, &coefficients(formulation, sigma));
            }
        }
    }
}

fn check(held: [bool; 2], coefficients: &NewtonCoefficients) {
    let what = format!("{held:?}, {coefficients:?}");
    let (chain, tree) = pair(4, held);
    let (n, m) = (chain.space().dof(), chain.constraint_count());
    let scaled = |x: Box<[f64]>, s: f64| -> Box<[f64]> { x.iter().map(|x| s * x).collect() };
    let (theta, k) = (scaled(wave(n, 5.0), 0.1), scaled(wave(n, 6.0), 0.1));
    let (q, still) = (chain.start_config(), chain.new_velocity());
    let (mut next, mut v) = (chain.start_config(), chain.new_velocity());
    chain.displace(&q, &theta, &mut next);
    chain.velocity_of_increment(coefficients, &theta, &k, &still, &mut v);
    macro_rules! geometries {
        ($system:ident) => {{
            let (mut start, mut end) = ($system.new_geometry(), $system.new_geometry());
            $system.geometry(0.0, &q, &mut start).unwrap();
            $system.geometry(0.0, &next, &mut end).unwrap();
            (start, end)
        }};
    }
    let ((start, end), (tree_start, tree_end)) = (geometries!(chain), geometries!(tree));
    macro_rules! point {
        ($start:ident, $end:ident, $lambda:expr) => {
            NewtonPoint {
                t: 0.0,
                q: &next,
                geometry: &$end,
                geometry_start: &$start,
                theta: &theta,
                k: &k,
                v: &v,
                lambda: $lambda,
            }
        };
    }
    // The force of joint 1 along the axis of link 1 that makes the determinant vanish.
    let push = |force: f64| {
        let mut lambda = wave(m, 4.0);
        for i in 0..3 {
            lambda[3 * (1 - chain.joints.start) + i] = force * next[12 + 3 * i];
        }
        lambda
    };
    let sign = |force: f64| {
        let lambda = push(force);
        determinant(&chain, coefficients, &point!(start, end, &lambda)) > 0.0
    };
    let (mut low, mut high) = (0.0, 20.0);
    while sign(high) == sign(0.0) {
        (low, high) = (high, high + 20.0);
        assert!(high < 1e4, "{what}");
    }
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        *if sign(middle) == sign(0.0) {
            &mut low
        } else {
            &mut high
        } = middle;
    }
    let lambda = push(low);
    macro_rules! corrections {
        ($system:ident, $kind:ty, $point:expr) => {{
            let mut workspace = $system.new_workspace();
            let residual = NewtonVectors::<$kind> {
                dynamics: wave(n, 8.0),
                constraint: wave(m, 9.0),
                hidden: wave(m, 10.0),
            };
            // With factors that are kept, and without.
            let mut kept = residual.clone();
            $system
                .newton_factor(coefficients, &$point, &mut workspace)
                .unwrap();
            $system.newton_solve(&mut kept, &mut workspace);
            let (mut residual, mut passing) = (residual, NewtonVectors::new(&$system));
            $system
                .newton_correction(
                    coefficients,
                    &$point,
                    &mut residual,
                    &mut passing,
                    &mut workspace,
                )
                .unwrap();
            ([kept, passing], workspace)
        }};
    }
    let (found, workspace) = corrections!(chain, LinkChain, point!(start, end, &lambda));
    let (expected, _) = corrections!(tree, Tree, point!(tree_start, tree_end, &lambda));
    assert_eq!(workspace.newton.way, Way::Complete, "{what}");
    for (found, expected) in found.iter().zip(&expected) {
        assert_close(
            &format!("{what}: dtheta"),
            &found.dynamics,
            &expected.dynamics,
        );
        let (x, y) = (&found.constraint, &expected.constraint);
        assert_close(&format!("{what}: dlambda"), x, y);
        if coefficients.formulation == Formulation::StabilizedIndex2 {
            assert_close(&format!("{what}: deta"), &found.hidden, &expected.hidden);
        }
    }
}

/// A link whose ends are both held still turns about its axis, and along it is held twice.
#[test]
fn a_pushed_link_that_is_held_twice() {
    let link = Link {
        mass: 2.0,
        inertia: [0.5, 1.0, 1.0],
        first: -1.0,
        second: 1.0,
    };
    let start = ChainStart {
        held: [true, true],
        ..ChainStart::straight(1, [0.0; 3])
    };
    let chain = LinkChain::uniform(link, [0.0; 3], &start).unwrap();
    let (q, still) = (chain.start_config(), chain.new_velocity());
    let mut geometry = chain.new_geometry();
    chain.geometry(0.0, &q, &mut geometry).unwrap();
    let mut lambda = chain.new_multiplier();
    lambda[0] = 38.0 * 22.0; // epsilon' gamma' J = |p| |f|
    for formulation in FORMULATIONS {
        let point = NewtonPoint {
            t: 0.0,
            q: &q,
            geometry: &geometry,
            geometry_start: &geometry,
            theta: &still,
            k: &still,
            v: &still,
            lambda: &lambda,
        };
        let mut workspace = chain.new_workspace();
        let fault = chain.newton_factor(&coefficients(formulation, 0.0), &point, &mut workspace);
        let Err(Fault::SingularNewton { unknown, .. }) = &fault else {
            panic!("{fault:?}");
        };
        assert_eq!(workspace.newton.way, Way::Complete);
        assert!(
            unknown.contains("position along inertial x"),
            "{formulation:?}: {unknown}"
        );
    }
}
