//! The chain against the same chain as a tree.

mod pushed;

use super::{ChainStart, Link, LinkChain, Way};
use crate::chain::{Anchor, Place, Tree};
use crate::error::Fault;
use crate::generalized_alpha::{GeneralizedAlpha, Sigma};
use crate::generic::description::{Body, JointKind, Start};
use crate::half_explicit::HalfExplicit;
use crate::lie::GroupKind;
use crate::state::State;
use crate::stats::Stats;
use crate::stepper::{Method, Stepper};
use crate::system::{
    Bodies, Constrained, Formulation, Implicit, Manifold, Mechanics, NewtonCoefficients,
    NewtonPoint, NewtonVectors, NextStage, Scratch, Stage, StagePast, StageResults, System,
};

fn wave(n: usize, seed: f64) -> Box<[f64]> {
    #[expect(clippy::cast_precision_loss, reason = "small numbers")]
    let value = |i: usize| (seed + 1.7 * i as f64 + 0.3 * (i * i) as f64).sin();
    (0..n).map(value).collect()
}

/// Both systems at the same start, with one, both or no ends held.
fn pair(count: usize, held: [bool; 2]) -> (LinkChain, Tree) {
    let link = |i: usize| {
        #[expect(clippy::cast_precision_loss, reason = "small numbers")]
        let i = i as f64;
        Link {
            mass: 1.0 + 0.1 * i,
            inertia: [0.2, 0.5 + 0.05 * i, 0.6],
            first: -0.4 - 0.02 * i,
            second: 0.5,
        }
    };
    let links: Vec<Link> = (0..count).map(link).collect();
    let turn = |i: usize| {
        let w = wave(4, 0.3 * f64::from(u32::try_from(i).unwrap()));
        let norm = w.iter().map(|x| x * x).sum::<f64>().sqrt();
        [w[0] / norm, w[1] / norm, w[2] / norm, w[3] / norm]
    };
    let start = ChainStart {
        origin: [0.1, 0.2, 0.3],
        velocity: [0.0; 3],
        rotations: (0..count).map(turn).collect(),
        angular_velocities: vec![[0.0; 3]; count],
        held,
    };
    let gravity = [0.5, 1.0, -9.0];
    let chain = LinkChain::new(&links, gravity, &start).unwrap();
    let mut builder = Tree::builder();
    builder.gravity(gravity);
    let q = chain.start_config();
    let bodies: Vec<Place> = (0..count)
        .map(|i| {
            let j = links[i].inertia;
            let body = Body {
                name: format!("{i}"),
                group: GroupKind::SO3xR3,
                mass: links[i].mass,
                inertia: [[j[0], 0.0, 0.0], [0.0, j[1], 0.0], [0.0, 0.0, j[2]]],
                center: [0.0; 3],
                start: Start {
                    position: q[12 * i + 9..12 * i + 12].to_vec(),
                    rotation: start.rotations[i],
                    ..Start::default()
                },
            };
            builder.body(&body).unwrap()
        })
        .collect();
    let ends = |i: usize| {
        let first = if i == 0 {
            Anchor::at(Place::GROUND, start.origin)
        } else {
            Anchor::at(bodies[i - 1], [links[i - 1].second, 0.0, 0.0])
        };
        let second = if i == count {
            Anchor::at(Place::GROUND, chain.anchors[1])
        } else {
            Anchor::at(bodies[i], [links[i].first, 0.0, 0.0])
        };
        (first, second)
    };
    for joint in chain.joints.clone() {
        let (first, second) = ends(joint);
        builder
            .joint("ball", JointKind::Spherical, &first, &second)
            .unwrap();
    }
    (chain, builder.build().unwrap())
}

fn assert_close(what: &str, found: &[f64], expected: &[f64]) {
    let scale = expected.iter().fold(1.0_f64, |m, x| m.max(x.abs()));
    assert_eq!(found.len(), expected.len(), "{what}");
    for (i, (x, y)) in found.iter().zip(expected).enumerate() {
        assert!(
            (x - y).abs() <= 1e-10 * scale,
            "{what}, {i}: {x:e} and {y:e}"
        );
    }
}

const HOLDS: [[bool; 2]; 4] = [[true, false], [false, false], [false, true], [true, true]];

/// Every function of the border, at a configuration where the joints are open.
#[test]
fn a_chain_is_a_tree() {
    for held in HOLDS {
        for count in [1, 2, 5] {
            let (chain, tree) = pair(count, held);
            if count == 1 && held == [true, true] {
                // It still turns about its axis, although six equations hold it.
                check_singular(&chain);
                continue;
            }
            compare(&chain, &tree, &format!("{count} links, {held:?}"));
        }
    }
}

fn check_singular(chain: &LinkChain) {
    let mut geometry = chain.new_geometry();
    chain
        .geometry(0.0, &chain.start_config(), &mut geometry)
        .unwrap();
    let mut right = chain.new_multiplier();
    let mut workspace = chain.new_workspace();
    let fault = chain.schur_solve(&geometry, &geometry, &mut right, &mut workspace);
    assert!(
        matches!(fault, Err(Fault::SingularConstraints { .. })),
        "{fault:?}"
    );
}

fn compare(chain: &LinkChain, tree: &Tree, what: &str) {
    let (n, m, t) = (chain.space().dof(), chain.constraint_count(), 0.0);
    assert_eq!((tree.space().dof(), tree.constraint_count()), (n, m));
    let scaled = |x: Box<[f64]>, s: f64| -> Box<[f64]> { x.iter().map(|x| s * x).collect() };
    let (mut q, mut q2) = (chain.start_config(), tree.start_config());
    let step = scaled(wave(n, 0.1), 0.3);
    chain.displace(&chain.start_config(), &step, &mut q);
    tree.displace(&tree.start_config(), &step, &mut q2);
    assert_close(&format!("{what}: displace"), &q, &q2);
    let mut next_q = chain.start_config();
    chain.displace(&q, &scaled(wave(n, 0.9), 0.05), &mut next_q);
    let (mut g1, mut next1) = (chain.new_geometry(), chain.new_geometry());
    let (mut g2, mut next2) = (tree.new_geometry(), tree.new_geometry());
    chain.geometry(t, &q, &mut g1).unwrap();
    tree.geometry(t, &q, &mut g2).unwrap();
    chain.geometry(t, &next_q, &mut next1).unwrap();
    tree.geometry(t, &next_q, &mut next2).unwrap();
    let (v, w, lambda) = (wave(n, 2.0), wave(n, 3.0), wave(m, 4.0));
    let (mut a, mut b) = (chain.new_velocity(), chain.new_velocity());
    let (mut x, mut y) = (chain.new_multiplier(), chain.new_multiplier());
    macro_rules! same {
        ($out:ident, $other:ident, $name:ident($($chain:expr),*), ($($tree:expr),*)) => {
            chain.$name($($chain,)* &mut $out);
            tree.$name($($tree,)* &mut $other);
            assert_close(&format!("{what}: {}", stringify!($name)), &$out, &$other);
        };
    }
    assert_eq!(chain.may_gain_energy(), tree.may_gain_energy());
    same!(a, b, tangent_inverse(&step, &v), (&step, &v));
    same!(a, b, force(t, &g1, &v), (t, &g2, &v));
    same!(a, b, mass_times(&v), (&v));
    same!(a, b, mass_solve(&v), (&v));
    same!(x, y, constraint(t, &q, &g1), (t, &q, &g2));
    same!(x, y, jacobian_times(&g1, &w), (&g2, &w));
    same!(a, b, jacobian_transpose_times(&g1, &lambda), (&g2, &lambda));
    same!(x, y, constraint_quadratic(t, &q, &g1, &v), (t, &q, &g2, &v));
    same!(
        x,
        y,
        jacobian_derivative_times(&q, &g1, &v, &w),
        (&q, &g2, &v, &w)
    );
    same!(
        a,
        b,
        stiffness_times(t, &q, &g1, &v, &lambda, &w),
        (t, &q, &g2, &v, &lambda, &w)
    );
    same!(
        a,
        b,
        damping_times(t, &q, &g1, &v, &w),
        (t, &q, &g2, &v, &w)
    );
    let (e1, e2) = (chain.energy(t, &q, &v), tree.energy(t, &q, &v));
    assert_close(
        &format!("{what}: energy"),
        &[e1.kinetic, e1.potential],
        &[e2.kinetic, e2.potential],
    );
    let (p1, p2) = (chain.momentum(&q, &v), tree.momentum(&q, &v));
    assert_close(&format!("{what}: linear momentum"), &p1.linear, &p2.linear);
    assert_close(
        &format!("{what}: angular momentum"),
        &p1.angular,
        &p2.angular,
    );

    let (mut s1, mut s2) = (Scratch::new(chain), Scratch::new(tree));
    (x, y) = (lambda.clone(), lambda.clone());
    chain
        .schur_solve(&next1, &g1, &mut x, &mut s1.workspace)
        .unwrap();
    tree.schur_solve(&next2, &g2, &mut y, &mut s2.workspace)
        .unwrap();
    assert_close(&format!("{what}: schur_solve"), &x, &y);
    macro_rules! stage {
        ($system:ident, $this:ident, $next:ident, $vdot:ident, $lambda:ident, $scratch:ident) => {
            let stage = Stage {
                t,
                geometry: &$this,
                v: &v,
            };
            let next = NextStage {
                t,
                geometry: &$next,
                v: &w,
                weight: 1.0,
                steady: false,
            };
            $system
                .stage_solve(&stage, &next, &mut $vdot, &mut $lambda, &mut $scratch)
                .unwrap();
        };
    }
    stage!(chain, g1, next1, a, x, s1);
    stage!(tree, g2, next2, b, y, s2);
    assert_close(&format!("{what}: stage, v'"), &a, &b);
    assert_close(&format!("{what}: stage, lambda"), &x, &y);

    for formulation in [
        Formulation::Index3,
        Formulation::Index2,
        Formulation::StabilizedIndex2,
    ] {
        for sigma in [0.0, 0.3, 1.0] {
            let coefficients = NewtonCoefficients {
                h: 0.05,
                sigma,
                gamma_h: 38.0,
                epsilon_h: 22.0,
                formulation,
            };
            let what = format!("{what}, {formulation:?}, {sigma}");
            let (theta, k, push) = (
                scaled(wave(n, 5.0), 0.1),
                scaled(wave(n, 6.0), 0.1),
                scaled(wave(n, 7.0), 0.01),
            );
            same!(
                a,
                b,
                velocity_of_increment(&coefficients, &theta, &k, &push),
                (&coefficients, &theta, &k, &push)
            );
            // The matrix belongs to the velocity that the increment has.
            let mut v = chain.new_velocity();
            let still = chain.new_velocity();
            chain.velocity_of_increment(&coefficients, &theta, &k, &still, &mut v);
            macro_rules! newton {
                ($system:ident, $kind:ty, $this:ident, $start:ident, $scratch:ident) => {{
                    let point = NewtonPoint {
                        t,
                        q: &q,
                        geometry: &$this,
                        geometry_start: &$start,
                        theta: &theta,
                        k: &k,
                        v: &v,
                        lambda: &lambda,
                    };
                    let mut vectors = NewtonVectors::<$kind> {
                        dynamics: wave(n, 8.0),
                        constraint: wave(m, 9.0),
                        hidden: wave(m, 10.0),
                    };
                    let workspace = &mut $scratch.workspace;
                    $system
                        .newton_factor(&coefficients, &point, workspace)
                        .unwrap();
                    $system.newton_solve(&mut vectors, workspace);
                    vectors
                }};
            }
            let one = newton!(chain, LinkChain, g1, next1, s1);
            let two = newton!(tree, Tree, g2, next2, s2);
            assert_close(&format!("{what}: dtheta"), &one.dynamics, &two.dynamics);
            assert_close(
                &format!("{what}: dlambda"),
                &one.constraint,
                &two.constraint,
            );
            if formulation == Formulation::StabilizedIndex2 {
                assert_close(&format!("{what}: deta"), &one.hidden, &two.hidden);
            }
        }
    }
}

/// Some steps of every method, which go through the functions for whole stages and increments.
#[test]
fn a_chain_moves_like_a_tree() {
    for held in HOLDS {
        let (chain, tree) = pair(5, held);
        let half_explicit = [
            HalfExplicit::order2(),
            HalfExplicit::order3(),
            HalfExplicit::order4(),
            HalfExplicit::order5(),
        ];
        for method in half_explicit {
            same_steps(&chain, &tree, &method, &format!("{held:?}, {method:?}"));
        }
        for method in [GeneralizedAlpha::index3(), GeneralizedAlpha::index2()] {
            for sigma in [Sigma::Geom1, Sigma::One, Sigma::Optimal] {
                let method = method.sigma(sigma);
                same_steps(&chain, &tree, &method, &format!("{held:?}, {method:?}"));
                let method = method.modified_newton();
                same_steps(&chain, &tree, &method, &format!("{held:?}, {method:?}"));
            }
        }
    }
}

/// Steps whose Newton matrices would show an error by more iterations.
#[test]
fn a_chain_iterates_like_a_tree() {
    let (chain, tree) = pair(5, [true, false]);
    for method in [GeneralizedAlpha::index3(), GeneralizedAlpha::index2()] {
        for sigma in [Sigma::Geom1, Sigma::One, Sigma::Optimal] {
            let method = method.sigma(sigma);
            let iterations = |stats: Stats| stats.newton_iterations;
            let one = iterations(some_steps(&chain, &method, 0.03).1);
            let two = iterations(some_steps(&tree, &method, 0.03).1);
            assert_eq!(one, two, "{method:?}");
        }
    }
}

fn same_steps<M: Method<LinkChain> + Method<Tree>>(
    chain: &LinkChain,
    tree: &Tree,
    method: &M,
    what: &str,
) {
    let (one, _) = some_steps(chain, method, 1e-3);
    let (two, _) = some_steps(tree, method, 1e-3);
    assert_close(&format!("{what}: q"), &one.q, &two.q);
    assert_close(&format!("{what}: v"), &one.v, &two.v);
}

fn some_steps<S: System, M: Method<S>>(system: &S, method: &M, h: f64) -> (State<S>, Stats) {
    let mut state = State::start(system, 0.0);
    let mut stepper = method.stepper(system).unwrap();
    let mut stats = Stats::default();
    stepper.start(system, &mut state, h).unwrap();
    for _ in 0..3 {
        stepper.step(system, &mut state, h, &mut stats).unwrap();
    }
    (state, stats)
}

/// Links whose inertia is that of their mass at the first joint.
fn balanced(count: usize) -> LinkChain {
    let link = Link {
        mass: 1.0,
        inertia: [0.5, 1.0, 1.0],
        first: -1.0,
        second: 0.5,
    };
    let mut start = ChainStart::straight(count, [0.0; 3]);
    for (i, rotation) in start.rotations.iter_mut().enumerate() {
        let half = 0.3 * f64::from(u32::try_from(i).unwrap());
        *rotation = [half.cos(), 0.0, 0.6 * half.sin(), 0.8 * half.sin()];
    }
    LinkChain::uniform(link, [0.0, 0.0, -9.0], &start).unwrap()
}

/// With the next stage half a turn about each link away, `Q` changes its sign and the first
/// block is `1/m - first^2 / J`, which is zero, across the link.
#[test]
fn a_stage_with_a_singular_block() {
    let chain = balanced(4);
    let (n, m) = (chain.space().dof(), chain.constraint_count());
    let q = chain.start_config();
    let mut turn = chain.new_velocity();
    for link in turn.chunks_exact_mut(6) {
        link[0] = core::f64::consts::PI;
    }
    let mut opposite = chain.start_config();
    chain.displace(&q, &turn, &mut opposite);
    let (mut this, mut next) = (chain.new_geometry(), chain.new_geometry());
    chain.geometry(0.0, &q, &mut this).unwrap();
    chain.geometry(0.0, &opposite, &mut next).unwrap();

    let mut scratch = Scratch::new(&chain);
    let right = wave(m, 1.0);
    let mut x = right.clone();
    chain
        .schur_solve(&next, &this, &mut x, &mut scratch.workspace)
        .unwrap();
    let (mut push, mut moved, mut found) = (
        chain.new_velocity(),
        chain.new_velocity(),
        chain.new_multiplier(),
    );
    chain.jacobian_transpose_times(&this, &x, &mut push);
    chain.mass_solve(&push, &mut moved);
    chain.jacobian_times(&next, &moved, &mut found);
    assert_close("schur", &found, &right);

    let (v, w) = (wave(n, 2.0), wave(n, 3.0));
    let (mut vdot, mut lambda) = (chain.new_velocity(), chain.new_multiplier());
    let stage = Stage {
        t: 0.0,
        geometry: &this,
        v: &v,
    };
    // Theta = turn, and w as the part of the next velocity that is known.
    let rates = [turn];
    let past = StagePast {
        h: 1.0,
        weights: &[0.0, 1.0],
        q: &q,
        v: &w,
        vdot: &w,
        theta_dot: &rates,
        v_dot: &[],
    };
    let (mut found_next, mut next_v) = (chain.new_geometry(), chain.new_velocity());
    let mut results = StageResults {
        lambda: &mut lambda,
        v_dot: &mut vdot,
        geometry: &mut found_next,
        v: &mut next_v,
        theta_dot: None,
        end: None,
    };
    chain
        .sweep_stage(&stage, &past, &mut results, &mut scratch.workspace)
        .unwrap();
    let mut force = chain.new_velocity();
    chain.force(0.0, &this, &v, &mut force);
    chain.jacobian_transpose_times(&this, &lambda, &mut push);
    chain.mass_times(&vdot, &mut moved);
    let sum: Vec<f64> = (0..n).map(|i| moved[i] + push[i]).collect();
    let expected: Vec<f64> = force.iter().map(|f| -f).collect();
    assert_close("forces", &sum, &expected);
    let total: Box<[f64]> = (0..n).map(|i| vdot[i] + w[i]).collect();
    chain.jacobian_times(&next, &total, &mut found);
    assert_close("rows", &found, &vec![0.0; m]);
}

/// A force along the first link that makes its part of the matrix `-first^2 m*`: then the
/// block of its first joint vanishes across the link.
#[test]
fn a_newton_matrix_with_a_singular_block() {
    let (chain, tree) = pair(4, [true, false]);
    let (n, m) = (chain.space().dof(), chain.constraint_count());
    let q = chain.start_config();
    let link = chain.links.at(0);
    // Only for equal inertia across the link is the block singular in both directions; one
    // of the two is enough.
    let critical = link.inertia[1] + link.mass * link.first * link.first;
    let axis = [q[0], q[3], q[6]];
    for formulation in [Formulation::Index3, Formulation::Index2] {
        let coefficients = NewtonCoefficients {
            h: 0.05,
            sigma: 0.0,
            gamma_h: 38.0,
            epsilon_h: 22.0,
            formulation,
        };
        let mut lambda = chain.new_multiplier();
        for k in 0..3 {
            lambda[k] = -38.0 * 22.0 * critical * axis[k] / link.first;
        }
        let still = chain.new_velocity();
        macro_rules! correction {
            ($system:ident, $kind:ty) => {{
                let mut geometry = $system.new_geometry();
                $system.geometry(0.0, &q, &mut geometry).unwrap();
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
                let mut workspace = $system.new_workspace();
                let mut residual = NewtonVectors::<$kind> {
                    dynamics: wave(n, 8.0),
                    constraint: wave(m, 9.0),
                    hidden: wave(m, 10.0),
                };
                let mut vectors = NewtonVectors::new(&$system);
                $system
                    .newton_correction(
                        &coefficients,
                        &point,
                        &mut residual,
                        &mut vectors,
                        &mut workspace,
                    )
                    .unwrap();
                (vectors.dynamics, vectors.constraint, workspace)
            }};
        }
        let (dynamics, constraint, workspace) = correction!(chain, LinkChain);
        let (expected, multipliers, _) = correction!(tree, Tree);
        assert_eq!(workspace.newton.way, Way::Joints, "{formulation:?}");
        assert_close(&format!("{formulation:?}: dtheta"), &dynamics, &expected);
        assert_close(
            &format!("{formulation:?}: dlambda"),
            &constraint,
            &multipliers,
        );
    }
}
