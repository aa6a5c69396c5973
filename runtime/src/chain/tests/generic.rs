//! A tree against the generic system of its description.

use super::super::edge::EdgeKind;
use super::{Numbers, assert_close, everything, for_all_trees};
use crate::chain::{InternalConstraint, InvalidTree, Load, LoadFrame, Profile, Tree};
use crate::generic::GenericSystem;
use crate::lie::GroupKind;
use crate::system::{
    Bodies, Constrained, Formulation, Implicit, Manifold, Mechanics, NewtonCoefficients,
    NewtonPoint, NewtonVectors, NextStage, ResidualPoint, Scratch, Stage,
};

type Vector = Box<[f64]>;

/// A few operations of each kind are in another order: the rounding of a hundred terms.
const SAME: f64 = 1e-13;
/// Two eliminations of the same matrix, with condition numbers up to 1e4.
const SOLVED: f64 = 1e-10;

/// Both systems, and the row of the generic one for each row of the tree.
struct Pair<'a> {
    tree: &'a Tree,
    generic: GenericSystem,
    rows: Vec<usize>,
}

impl<'a> Pair<'a> {
    fn new(tree: &'a Tree) -> Self {
        let generic = GenericSystem::new(tree.description().unwrap()).unwrap();
        let rows_of = |joint: bool| {
            let edges = tree.edges.iter();
            edges
                .filter(move |edge| matches!(edge.kind, EdgeKind::Joint(_)) == joint)
                .flat_map(|edge| edge.first_row..edge.first_row + edge.rows)
        };
        let mut rows = vec![0; tree.rows];
        for (place, row) in rows_of(true).chain(rows_of(false)).enumerate() {
            rows[row] = place;
        }
        Self {
            tree,
            generic,
            rows,
        }
    }

    /// Multipliers of the tree in the order of the generic system.
    fn reorder(&self, x: &[f64]) -> Vector {
        let mut out = self.generic.new_multiplier();
        for (row, place) in self.rows.iter().enumerate() {
            out[*place] = x[row];
        }
        out
    }
}

/// Every function of the border at random states, where no constraint holds.
#[test]
fn a_tree_is_its_description() {
    for_all_trees(|tree, what| {
        let pair = Pair::new(tree);
        let numbers = &mut Numbers(17);
        for round in 0..2 {
            compare(&pair, numbers, &format!("{what}, {round}"));
        }
    });
}

fn compare(pair: &Pair<'_>, numbers: &mut Numbers, what: &str) {
    let Pair { tree, generic, .. } = pair;
    let (n, m, t) = (tree.space.dof(), tree.rows, 0.4);
    assert_eq!(generic.space().dof(), n);
    assert_eq!(generic.constraint_count(), m);
    for (row, place) in pair.rows.iter().enumerate() {
        let (own, other) = (tree.constraint_name(row), generic.constraint_name(*place));
        let words = |name: &str| name.rsplit(", ").next().map(str::to_owned);
        if own.contains("shear") || own.contains("extension") || own.contains("position") {
            assert_eq!(words(&own), words(&other), "{what}: {own} and {other}");
        }
    }
    for factor in 0..tree.nodes.len() {
        assert_eq!(tree.factor_name(factor), generic.factor_name(factor));
    }
    let start = format!("{what}: start");
    assert_close(&start, &tree.start_config(), &generic.start_config(), SAME);
    assert_close(
        &start,
        &tree.start_velocity(),
        &generic.start_velocity(),
        SAME,
    );

    let scaled = |x: Vector, s: f64| -> Vector { x.iter().map(|x| s * x).collect() };
    let mut q = [tree.start_config(), tree.start_config()];
    for q in &mut q {
        let step = scaled(numbers.vector(n), 0.3);
        tree.displace(&tree.start_config(), &step, q);
        let mut other = generic.start_config();
        generic.displace(&tree.start_config(), &step, &mut other);
        assert_close(&format!("{what}: displace"), q, &other, SAME);
    }
    let mut own = q.each_ref().map(|_| tree.new_geometry());
    let mut other = q.each_ref().map(|_| generic.new_geometry());
    for i in 0..2 {
        tree.geometry(t, &q[i], &mut own[i]).unwrap();
        generic.geometry(t, &q[i], &mut other[i]).unwrap();
    }
    let ([g, next], [gg, next_generic], [q, _]) = (&own, &other, &q);
    let [v, w, f] = [(); 3].map(|()| numbers.vector(n));
    let lambda = numbers.vector(m);
    let mu = pair.reorder(&lambda);
    let (mut a, mut b) = (tree.new_velocity(), tree.new_velocity());
    let (mut x, mut y) = (tree.new_multiplier(), tree.new_multiplier());
    macro_rules! velocities {
        ($name:ident($($own:expr),*), ($($other:expr),*)) => {
            tree.$name($($own,)* &mut a);
            generic.$name($($other,)* &mut b);
            assert_close(&format!("{what}: {}", stringify!($name)), &a, &b, SAME);
        };
    }
    macro_rules! multipliers {
        ($name:ident($($own:expr),*), ($($other:expr),*)) => {
            tree.$name($($own,)* &mut x);
            generic.$name($($other,)* &mut y);
            let found = pair.reorder(&x);
            assert_close(&format!("{what}: {}", stringify!($name)), &found, &y, SAME);
        };
    }
    velocities!(tangent_inverse(&w, &v), (&w, &v));
    velocities!(force(t, g, &v), (t, gg, &v));
    velocities!(mass_times(&v), (&v));
    velocities!(mass_solve(&f), (&f));
    velocities!(jacobian_transpose_times(g, &lambda), (gg, &mu));
    velocities!(
        stiffness_times(t, q, g, &v, &lambda, &w),
        (t, q, gg, &v, &mu, &w)
    );
    velocities!(damping_times(t, q, g, &v, &w), (t, q, gg, &v, &w));
    multipliers!(constraint(t, q, g), (t, q, gg));
    multipliers!(constraint_rate(t, g), (t, gg));
    multipliers!(jacobian_times(g, &w), (gg, &w));
    multipliers!(constraint_quadratic(t, q, g, &v), (t, q, gg, &v));
    multipliers!(jacobian_derivative_times(q, g, &v, &w), (q, gg, &v, &w));
    let (own, mut other) = (tree.energy(t, q, &v), generic.energy(t, q, &v));
    other.potential -= dead_potential(tree, q);
    assert_close(
        &format!("{what}: energy"),
        &[own.kinetic, own.potential],
        &[other.kinetic, other.potential],
        SAME,
    );
    // The work of a load is no energy of a tree.
    let gains = generic.may_gain_energy() || !tree.loads.is_empty();
    assert_eq!(tree.may_gain_energy(), gains, "{what}");
    let (own, other) = (tree.momentum(q, &v), generic.momentum(q, &v));
    assert_close(
        &format!("{what}: momentum"),
        &own.linear,
        &other.linear,
        SAME,
    );
    assert_close(&format!("{what}: spin"), &own.angular, &other.angular, SAME);

    let (mut scratch, mut scratch_generic) = (Scratch::new(*tree), Scratch::new(generic));
    x.copy_from_slice(&lambda);
    y.copy_from_slice(&mu);
    tree.schur_solve(next, g, &mut x, &mut scratch.workspace)
        .unwrap();
    generic
        .schur_solve(next_generic, gg, &mut y, &mut scratch_generic.workspace)
        .unwrap();
    assert_close(&format!("{what}: schur"), &pair.reorder(&x), &y, SOLVED);
    macro_rules! stage {
        ($system:ident, $this:ident, $next:ident, $vdot:ident, $lambda:ident, $scratch:ident) => {
            let stage = Stage {
                t,
                geometry: $this,
                v: &v,
            };
            let following = NextStage {
                t,
                geometry: $next,
                v: &w,
                weight: 3.0,
                steady: false,
            };
            $system
                .stage_solve(&stage, &following, &mut $vdot, &mut $lambda, &mut $scratch)
                .unwrap();
        };
    }
    stage!(tree, g, next, a, x, scratch);
    stage!(generic, gg, next_generic, b, y, scratch_generic);
    assert_close(&format!("{what}: stage"), &a, &b, SOLVED);
    assert_close(&format!("{what}: stage"), &pair.reorder(&x), &y, SOLVED);
    let (own, other) = (
        Stage {
            t,
            geometry: g,
            v: &v,
        },
        Stage {
            t,
            geometry: gg,
            v: &v,
        },
    );
    tree.accelerations(&own, q, &mut a, &mut x, &mut scratch)
        .unwrap();
    generic
        .accelerations(&other, q, &mut b, &mut y, &mut scratch_generic)
        .unwrap();
    assert_close(&format!("{what}: accelerations"), &a, &b, SOLVED);
    assert_close(
        &format!("{what}: accelerations"),
        &pair.reorder(&x),
        &y,
        SOLVED,
    );

    for formulation in [
        Formulation::Index3,
        Formulation::Index2,
        Formulation::StabilizedIndex2,
    ] {
        let coefficients = NewtonCoefficients {
            h: 0.05,
            sigma: 0.3,
            gamma_h: 38.0,
            epsilon_h: 22.0,
            formulation,
        };
        let what = format!("{what}, {formulation:?}");
        let [theta, k, push] = [(); 3].map(|()| scaled(numbers.vector(n), 0.1));
        tree.velocity_of_increment(&coefficients, &theta, &k, &push, &mut a);
        generic.velocity_of_increment(&coefficients, &theta, &k, &push, &mut b);
        assert_close(&format!("{what}: velocity"), &a, &b, SAME);
        macro_rules! newton {
            ($system:ident, $kind:ty, $this:ident, $start:ident, $lambda:ident, $scratch:ident) => {{
                let mut geometry = $system.new_geometry();
                let mut residual = NewtonVectors::<$kind>::new($system);
                let point = ResidualPoint {
                    t,
                    q,
                    v: &v,
                    vdot: &f,
                    lambda: &$lambda,
                };
                $system
                    .newton_residual(
                        &coefficients,
                        &point,
                        &mut geometry,
                        &mut residual,
                        &mut $scratch,
                    )
                    .unwrap();
                let point = NewtonPoint {
                    t,
                    q,
                    geometry: $this,
                    geometry_start: $start,
                    theta: &theta,
                    k: &k,
                    v: &v,
                    lambda: &$lambda,
                };
                let workspace = &mut $scratch.workspace;
                $system
                    .newton_factor(&coefficients, &point, workspace)
                    .unwrap();
                let mut correction = residual.clone();
                $system.newton_solve(&mut correction, workspace);
                (residual, correction)
            }};
        }
        let (residual, correction) = newton!(tree, Tree, g, next, lambda, scratch);
        let (residual_generic, correction_generic) = newton!(
            generic,
            GenericSystem,
            gg,
            next_generic,
            mu,
            scratch_generic
        );
        for (name, found, expected, tolerance) in [
            ("residual", residual, residual_generic, SAME),
            ("correction", correction, correction_generic, SOLVED),
        ] {
            let what = format!("{what}: {name}");
            assert_close(&what, &found.dynamics, &expected.dynamics, tolerance);
            let rows = pair.reorder(&found.constraint);
            assert_close(&what, &rows, &expected.constraint, tolerance);
            if formulation == Formulation::StabilizedIndex2 {
                let rows = pair.reorder(&found.hidden);
                assert_close(&what, &rows, &expected.hidden, tolerance);
            }
        }
    }
}

/// What the generic system counts as energy of constant forces.
fn dead_potential(tree: &Tree, q: &[f64]) -> f64 {
    let mut sum = 0.0;
    for load in &tree.loads {
        if load.load.frame == LoadFrame::Body || !matches!(load.load.profile, Profile::Constant) {
            continue;
        }
        for &(node, weight) in &load.nodes {
            let pose = tree.nodes[node].pose(&q[tree.config_starts[node]..]);
            let point = pose.position + pose.rotation * load.point;
            sum -= weight * nalgebra::Vector3::from(load.load.force).dot(&point);
        }
    }
    sum
}

/// A function cannot be written down.
#[test]
fn a_function_is_not_data() {
    let kinds = (GroupKind::SE3, InternalConstraint::Kirchhoff);
    let mut tree = everything(kinds.0, kinds.0, kinds.1);
    let load = Load::dead([1.0; 3], [0.0; 3]).with_profile(Profile::Function(f64::sin));
    tree.loads[1].load = load;
    let error = tree.description().unwrap_err();
    assert_eq!(
        error,
        InvalidTree::NotData {
            item: "load 1".to_owned()
        }
    );
}
