//! Derivatives of trees against dual numbers, and the elimination against the
//! products that the border gives.

mod generic;
mod singular;

use super::node::Pose;
use super::strain::Strain;
use super::{
    Anchor, Hold, InternalConstraint, Load, Place, Profile, Rod, RodStart, Section, Tree,
    TreeBuilder, TreeGeometry,
};
use crate::generalized_alpha::Parameters;
use crate::generic::description::{Body, JointKind, Start};
use crate::lie::{GroupKind, LieGroup, SO3};
use crate::real::{Dual, Real};
use crate::system::{
    Constrained, Formulation, Implicit, Manifold, Mechanics, NewtonCoefficients, NewtonPoint,
    NewtonVectors, NextStage, Scratch, Stage,
};
use nalgebra::Vector3;

/// A repeatable stream of numbers in (-1, 1).
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        #[expect(clippy::cast_precision_loss, reason = "53 bits")]
        let unit = (self.0 >> 11) as f64 / (1_u64 << 53) as f64;
        2.0 * unit - 1.0
    }

    fn vector(&mut self, n: usize) -> Box<[f64]> {
        (0..n).map(|_| self.next()).collect()
    }

    fn point(&mut self) -> [f64; 3] {
        [self.next(), self.next(), self.next()]
    }

    fn anchor(&mut self, place: Place) -> Anchor {
        let turn = <SO3 as LieGroup<3>>::exp(&Vector3::from(self.point())).matrix;
        Anchor {
            place,
            point: self.point(),
            axes: core::array::from_fn(|i| core::array::from_fn(|j| turn[(i, j)])),
        }
    }
}

const GROUPS: [GroupKind; 4] = [
    GroupKind::S3sR3,
    GroupKind::SE3,
    GroupKind::S3xR3,
    GroupKind::SO3xR3,
];

/// A section whose numbers all differ.
const SECTION: Section = Section {
    density: 0.7,
    inertia: [0.3, 0.5, 0.4],
    stiffness: [2.0, 3.0, 1.5, 20.0, 30.0, 25.0],
    damping: [0.2, 0.3, 0.1, 0.4, 0.6, 0.5],
    damping_factor: 2.0,
};

/// A clamped rod, a body between it and a second rod, and a second body that hangs
/// from the middle of the first rod: all kernels and a branch.
fn everything(rods: GroupKind, bodies: GroupKind, constraint: InternalConstraint) -> Tree {
    let numbers = &mut Numbers(3);
    let mut rod = Rod::new("first", SECTION, 2.0, 3);
    rod.group = rods;
    rod.constraint = constraint;
    rod.stiffness_of_held_strains = true;
    rod.reference = [0.3, -0.2, 0.1, 0.0, 0.0, 1.0];
    rod.start = RodStart::along([0.1, 0.2, 0.3], [1.0, -1.0, 0.5]);
    rod.ends[0] = Hold::Clamped;
    rod.distributed = vec![Load::dead([0.1, 0.2, -0.3], [0.4, 0.0, 0.1])];
    let mut builder = Tree::builder();
    builder.gravity([0.3, -1.0, 2.0]);
    let first = builder.rod(&rod).unwrap();
    let center = if matches!(bodies, GroupKind::S3xR3 | GroupKind::SO3xR3) {
        [0.0; 3]
    } else {
        numbers.point()
    };
    let body = |name: &str| Body {
        name: name.to_owned(),
        group: bodies,
        mass: 1.3,
        inertia: [[0.9, 0.1, -0.05], [0.1, 0.8, 0.02], [-0.05, 0.02, 1.1]],
        center,
        start: Start::default(),
    };
    let middle = builder.body(&body("middle")).unwrap();
    let hanging = builder.body(&body("hanging")).unwrap();
    rod.name = "second".to_owned();
    rod.ends = [Hold::Free; 2];
    rod.elements = 2;
    let second = builder.rod(&rod).unwrap();
    for (name, kind, a, b) in [
        ("weld", JointKind::Fixed, first[3], middle),
        ("hinge", JointKind::Revolute, middle, second[0]),
        ("cross", JointKind::Universal, hanging, first[1]),
    ] {
        let (a, b) = (numbers.anchor(a), numbers.anchor(b));
        builder.joint(name, kind, &a, &b).unwrap();
    }
    let ground = numbers.anchor(Place::GROUND);
    let end = numbers.anchor(second[2]);
    builder
        .joint("ball", JointKind::Spherical, &ground, &end)
        .unwrap();
    let load = Load::dead([1.0, 2.0, 3.0], [-1.0, 0.5, 0.2]);
    let ramp = Profile::PiecewiseLinear(vec![(0.0, 0.3), (0.2, -0.4), (0.5, 0.8), (1.0, 0.1)]);
    builder
        .load(first[2], load.clone().with_profile(ramp))
        .unwrap();
    builder
        .load(middle, Load::follower([0.3; 3], [0.7; 3]))
        .unwrap();
    builder.load_at(hanging, [0.2, -0.1, 0.3], load).unwrap();
    let follower = Load::follower([0.3; 3], [0.7; 3]);
    builder.load_at(middle, [0.1, 0.4, -0.2], follower).unwrap();
    builder.build().unwrap()
}

/// Two bodies with more branches than belong into one block, one branch held at both ends. The
/// first body is where the order of elimination ends, or a rod that was there before.
fn star(rods: GroupKind, constraint: InternalConstraint, rod_first: bool) -> Tree {
    let numbers = &mut Numbers(5);
    let mut rod = Rod::new("tail", SECTION, 1.0, 2);
    rod.group = rods;
    rod.constraint = constraint;
    rod.start = RodStart::along([0.1, 0.2, 0.3], [1.0, -1.0, 0.5]);
    let mut builder = Tree::builder();
    builder.gravity([0.3, -1.0, 2.0]);
    let mut tail = None;
    if rod_first {
        tail = Some(builder.rod(&rod).unwrap()[1]);
    }
    let mut hubs = Vec::new();
    for name in ["first", "second"] {
        let body = Body {
            name: name.to_owned(),
            group: GroupKind::SE3,
            mass: 1.3,
            inertia: [[0.9, 0.1, -0.05], [0.1, 0.8, 0.02], [-0.05, 0.02, 1.1]],
            center: numbers.point(),
            start: Start::default(),
        };
        hubs.push(builder.body(&body).unwrap());
    }
    let mut joint = |builder: &mut TreeBuilder, name: &str, kind, a, b| {
        let (a, b) = (numbers.anchor(a), numbers.anchor(b));
        builder.joint(name, kind, &a, &b).unwrap();
    };
    if let Some(tail) = tail {
        joint(&mut builder, "root", JointKind::Universal, tail, hubs[0]);
    }
    joint(
        &mut builder,
        "pivot",
        JointKind::Spherical,
        Place::GROUND,
        hubs[0],
    );
    joint(&mut builder, "axle", JointKind::Revolute, hubs[0], hubs[1]);
    for i in 0..16 {
        rod.name = format!("branch {i}");
        rod.elements = 1 + i % 3;
        let branch = builder.rod(&rod).unwrap();
        let kind = match i % 4 {
            0 => JointKind::Fixed,
            1 => JointKind::Revolute,
            2 => JointKind::Universal,
            _ => JointKind::Spherical,
        };
        joint(
            &mut builder,
            &format!("grip {i}"),
            kind,
            hubs[i % 2],
            branch[0],
        );
        if i == 5 {
            let last = branch[rod.elements];
            joint(
                &mut builder,
                "string",
                JointKind::Spherical,
                last,
                Place::GROUND,
            );
        }
    }
    let tree = builder.build().unwrap();
    let hubs = tree.plan.hub.iter().filter(|hub| **hub).count();
    assert_eq!(hubs, 2);
    tree
}

/// Poses and strains at `q exp(eps w)`.
fn moved(tree: &Tree, geometry: &TreeGeometry, w: &[f64]) -> (Vec<Pose<Dual>>, Vec<Strain<Dual>>) {
    let nodes = tree.nodes.iter().zip(&geometry.poses).enumerate();
    let poses: Vec<Pose<Dual>> = nodes
        .map(|(i, (node, pose))| {
            let w = &w[6 * i..6 * i + 6];
            let turn = pose.rotation * Vector3::new(w[0], w[1], w[2]).cross_matrix();
            let twist = node.twist(pose, w);
            let shift = pose.rotation * twist.fixed_rows::<3>(3);
            let both = |value, slope| Dual::new(value, slope);
            Pose {
                rotation: pose.rotation.zip_map(&turn, both),
                position: pose.position.zip_map(&shift, both),
            }
        })
        .collect();
    let strains = tree.edges.iter().filter_map(|edge| match edge.kind {
        super::edge::EdgeKind::Rod { .. } => {
            let [a, b] = tree.end_poses(edge, &poses);
            Some(Strain::between(&a, &b))
        }
        super::edge::EdgeKind::Joint(_) => None,
    });
    let strains = strains.collect();
    (poses, strains)
}

/// `g + B^T lambda` and `B v` in dual numbers.
fn dual_forces(
    tree: &Tree,
    t: f64,
    (poses, strains): &(Vec<Pose<Dual>>, Vec<Strain<Dual>>),
    v: &[Dual],
    lambda: &[f64],
) -> (Vec<Dual>, Vec<Dual>) {
    let mut force = vec![Dual::default(); v.len()];
    tree.force_at(t, poses, strains, v, &mut force);
    let mut rates = vec![Dual::default(); lambda.len()];
    for edge in &tree.edges {
        for (_, node) in edge.sides() {
            let mut rows = vec![nalgebra::Vector6::zeros(); edge.rows];
            tree.rows_at(edge, node, poses, strains, &mut rows);
            for (i, row) in rows.iter().enumerate() {
                for k in 0..6 {
                    force[6 * node + k] += row[k] * lambda[edge.first_row + i];
                    rates[edge.first_row + i] += row[k] * v[6 * node + k];
                }
            }
        }
    }
    (force, rates)
}

fn assert_close(what: &str, found: &[f64], expected: &[f64], tolerance: f64) {
    let scale = expected.iter().fold(1.0_f64, |m, x| m.max(x.abs()));
    for (i, (x, y)) in found.iter().zip(expected).enumerate() {
        let error = (x - y).abs() / scale;
        assert!(error <= tolerance, "{what}, component {i}: {x:e} and {y:e}");
    }
}

fn for_all_trees(mut test: impl FnMut(&Tree, &str)) {
    for rods in GROUPS {
        for bodies in GROUPS {
            for constraint in [
                InternalConstraint::Cosserat,
                InternalConstraint::Kirchhoff,
                InternalConstraint::Inextensible,
            ] {
                let tree = everything(rods, bodies, constraint);
                test(&tree, &format!("{rods}, {bodies}, {constraint:?}"));
                // Whether the rod of the star comes first.
                let rod_first = bodies == rods;
                if rod_first || bodies == GroupKind::SE3 {
                    let tree = star(rods, constraint, rod_first);
                    test(&tree, &format!("star, {rods}, {constraint:?}, {rod_first}"));
                }
            }
        }
    }
}

/// A configuration near the start, where no constraint holds, with its geometry.
fn somewhere(tree: &Tree, numbers: &mut Numbers, t: f64) -> (Box<[f64]>, TreeGeometry) {
    let mut q = tree.start_config();
    let mut step = numbers.vector(tree.space.dof());
    step.iter_mut().for_each(|x| *x *= 0.3);
    tree.displace(&tree.start_config(), &step, &mut q);
    let mut geometry = tree.new_geometry();
    tree.geometry(t, &q, &mut geometry).unwrap();
    (q, geometry)
}

#[test]
fn derivatives_agree_with_dual_numbers() {
    for_all_trees(|tree, what| {
        let numbers = &mut Numbers(7);
        let (n, m, t) = (tree.space.dof(), tree.rows, 0.4);
        let (q, geometry) = somewhere(tree, numbers, t);
        let (v, w) = (numbers.vector(n), numbers.vector(n));
        let lambda = numbers.vector(m);
        let slopes = |x: &[Dual]| x.iter().map(|x| x.slope).collect::<Vec<_>>();

        let fixed: Vec<Dual> = v.iter().map(|v| Dual::from_f64(*v)).collect();
        let along = moved(tree, &geometry, &w);
        let (force, rates) = dual_forces(tree, t, &along, &fixed, &lambda);
        let mut out = tree.new_velocity();
        tree.stiffness_times(t, &q, &geometry, &v, &lambda, &w, &mut out);
        assert_close(&format!("{what}: K"), &out, &slopes(&force), 1e-13);
        let mut rows = tree.new_multiplier();
        tree.jacobian_derivative_times(&q, &geometry, &v, &w, &mut rows);
        assert_close(&format!("{what}: D_q(B v)"), &rows, &slopes(&rates), 1e-13);

        let still = moved(tree, &geometry, &vec![0.0; n]);
        let varied: Vec<Dual> = v.iter().zip(&w).map(|(v, w)| Dual::new(*v, *w)).collect();
        let (force, _) = dual_forces(tree, t, &still, &varied, &lambda);
        tree.damping_times(t, &q, &geometry, &v, &w, &mut out);
        assert_close(&format!("{what}: D"), &out, &slopes(&force), 1e-13);

        tree.jacobian_times(&geometry, &w, &mut rows);
        let mut expected = Vec::new();
        for edge in &tree.edges {
            let [a, b] = tree.end_poses(edge, &along.0);
            for i in 0..edge.rows {
                expected.push(match edge.kind {
                    super::edge::EdgeKind::Rod { strain, .. } => along.1[strain].z[3 + i].slope,
                    super::edge::EdgeKind::Joint(j) => tree.joints[j].value(&a, &b, i).slope,
                });
            }
        }
        assert_close(&format!("{what}: B"), &rows, &expected, 1e-13);
    });
}

/// The elimination of a stage against products with `M` and `B`.
#[test]
fn a_stage_solves_its_equations() {
    for_all_trees(|tree, what| {
        let numbers = &mut Numbers(11);
        let (n, t) = (tree.space.dof(), 0.4);
        let (_, geometry) = somewhere(tree, numbers, t);
        let (_, next) = somewhere(tree, numbers, t);
        let (v, reach) = (numbers.vector(n), numbers.vector(n));
        let mut scratch = Scratch::new(tree);
        let (mut vdot, mut lambda) = (tree.new_velocity(), tree.new_multiplier());
        let stage = Stage {
            t,
            geometry: &geometry,
            v: &v,
        };
        let following = NextStage {
            t,
            geometry: &next,
            v: &reach,
            weight: 1.0,
            steady: false,
        };
        tree.stage_solve(&stage, &following, &mut vdot, &mut lambda, &mut scratch)
            .unwrap();
        let (mut force, mut push, mut inertia) = (
            tree.new_velocity(),
            tree.new_velocity(),
            tree.new_velocity(),
        );
        tree.force(t, &geometry, &v, &mut force);
        tree.jacobian_transpose_times(&geometry, &lambda, &mut push);
        tree.mass_times(&vdot, &mut inertia);
        let sum: Vec<f64> = (0..n).map(|i| inertia[i] + push[i]).collect();
        let right: Vec<f64> = force.iter().map(|f| -f).collect();
        assert_close(&format!("{what}: forces"), &sum, &right, 1e-11);
        let total: Box<[f64]> = (0..n).map(|i| vdot[i] + reach[i]).collect();
        let mut rows = tree.new_multiplier();
        tree.jacobian_times(&next, &total, &mut rows);
        assert_close(
            &format!("{what}: rows"),
            &rows,
            &vec![0.0; rows.len()],
            1e-11,
        );

        // B M^-1 B^T x = right
        let right = numbers.vector(tree.rows);
        let mut x = right.clone();
        tree.schur_solve(&next, &geometry, &mut x, &mut scratch.workspace)
            .unwrap();
        tree.jacobian_transpose_times(&geometry, &x, &mut push);
        tree.mass_solve(&push, &mut inertia);
        tree.jacobian_times(&next, &inertia, &mut rows);
        assert_close(&format!("{what}: Schur complement"), &rows, &right, 1e-11);
    });
}

/// The Newton matrix, column by column from `velocity_of_increment` in dual-free
/// form: a correction must reproduce the residual through the products of the border.
#[test]
fn a_newton_correction_solves_its_equations() {
    for formulation in [
        Formulation::Index3,
        Formulation::Index2,
        Formulation::StabilizedIndex2,
    ] {
        for sigma in [0.0, 0.4, 1.0] {
            for_all_trees(|tree, what| {
                // The corrections of stars are too large for differences; `a_tree_is_its_description`.
                if what.starts_with("star") {
                    return;
                }
                check_newton(
                    tree,
                    formulation,
                    sigma,
                    &format!("{what}, {formulation:?}, {sigma}"),
                );
            });
        }
    }
}

fn check_newton(tree: &Tree, formulation: Formulation, sigma: f64, what: &str) {
    let numbers = &mut Numbers(13);
    let (n, m, t, h) = (tree.space.dof(), tree.rows, 0.4, 0.05);
    let parameters = Parameters::chung_hulbert(0.8);
    let coefficients = NewtonCoefficients {
        h,
        sigma,
        gamma_h: parameters.gamma / (h * parameters.beta),
        epsilon_h: (1.0 - parameters.alpha_m) / (h * parameters.gamma * (1.0 - parameters.alpha_f)),
        formulation,
    };
    let (q, geometry) = somewhere(tree, numbers, t);
    let (_, geometry_start) = somewhere(tree, numbers, t);
    let small = |numbers: &mut Numbers| -> Box<[f64]> {
        numbers.vector(n).iter().map(|x| 0.1 * x).collect()
    };
    let (theta, k) = (small(numbers), small(numbers));
    let mut v = tree.new_velocity();
    let push = tree.new_velocity();
    tree.velocity_of_increment(&coefficients, &theta, &k, &push, &mut v);
    let lambda = numbers.vector(m);
    let point = NewtonPoint {
        t,
        q: &q,
        geometry: &geometry,
        geometry_start: &geometry_start,
        theta: &theta,
        k: &k,
        v: &v,
        lambda: &lambda,
    };
    let mut workspace = tree.new_workspace();
    tree.newton_factor(&coefficients, &point, &mut workspace)
        .unwrap();
    let residual = NewtonVectors::<Tree> {
        dynamics: numbers.vector(n),
        constraint: numbers.vector(m),
        hidden: numbers.vector(m),
    };
    let mut correction = residual.clone();
    tree.newton_solve(&mut correction, &mut workspace);
    // The same without keeping the factors; the second time in memory that was used before.
    for _ in 0..2 {
        let (mut used, mut passing) = (residual.clone(), NewtonVectors::new(tree));
        tree.newton_correction(
            &coefficients,
            &point,
            &mut used,
            &mut passing,
            &mut workspace,
        )
        .unwrap();
        let parts = [
            ("dtheta", &passing.dynamics, &correction.dynamics),
            ("dlambda", &passing.constraint, &correction.constraint),
            ("deta", &passing.hidden, &correction.hidden),
        ];
        let used = if formulation == Formulation::StabilizedIndex2 {
            3
        } else {
            2
        };
        for (name, found, expected) in &parts[..used] {
            assert_close(&format!("{what}: {name}, passing"), found, expected, 1e-12);
        }
    }

    // dv by central differences of `velocity_of_increment`, which is nearly linear here.
    let mut kick = tree.new_velocity();
    if formulation == Formulation::StabilizedIndex2 {
        tree.jacobian_transpose_times(&geometry_start, &correction.hidden, &mut kick);
    }
    let largest = |x: &[f64]| x.iter().fold(1.0_f64, |m, x| m.max(x.abs()));
    let step = 1e-5 / largest(&correction.dynamics).max(largest(&kick));
    let velocity = |sign: f64| {
        let along = |x: &[f64], d: &[f64], f: f64| -> Box<[f64]> {
            x.iter()
                .zip(d)
                .map(|(x, d)| x + sign * step * f * d)
                .collect()
        };
        let theta = along(&theta, &correction.dynamics, 1.0);
        let push = along(&push, &kick, h);
        let mut out = tree.new_velocity();
        tree.velocity_of_increment(&coefficients, &theta, &k, &push, &mut out);
        out
    };
    let (plus, minus) = (velocity(1.0), velocity(-1.0));
    let dv: Box<[f64]> = (0..n)
        .map(|i| (plus[i] - minus[i]) / (2.0 * step))
        .collect();
    let mut moved = tree.new_velocity();
    tree.space
        .tangent_times(&theta, &correction.dynamics, &mut moved);

    let mut terms = [(); 4].map(|()| tree.new_velocity());
    tree.mass_times(&dv, &mut terms[0]);
    tree.damping_times(t, &q, &geometry, &v, &dv, &mut terms[1]);
    tree.stiffness_times(t, &q, &geometry, &v, &lambda, &moved, &mut terms[2]);
    tree.jacobian_transpose_times(&geometry, &correction.constraint, &mut terms[3]);
    let epsilon = coefficients.epsilon_h;
    let [inertia, damping, stiffness, push] = &terms;
    let dynamics: Vec<f64> = (0..n)
        .map(|i| h * h * (epsilon * inertia[i] + damping[i] + stiffness[i]) + push[i])
        .collect();
    let tolerance = 1e-7; // of the central differences
    assert_close(
        &format!("{what}: dynamics"),
        &dynamics,
        &residual.dynamics,
        tolerance,
    );
    let mut rows = tree.new_multiplier();
    if formulation != Formulation::Index2 {
        tree.jacobian_times(&geometry, &moved, &mut rows);
        assert_close(
            &format!("{what}: constraint"),
            &rows,
            &residual.constraint,
            tolerance,
        );
    }
    if formulation != Formulation::Index3 {
        let mut turned = tree.new_multiplier();
        tree.jacobian_times(&geometry, &dv, &mut rows);
        tree.jacobian_derivative_times(&q, &geometry, &v, &moved, &mut turned);
        let hidden: Vec<f64> = rows.iter().zip(&turned).map(|(x, y)| h * (x + y)).collect();
        let expected = if formulation == Formulation::Index2 {
            &residual.constraint
        } else {
            &residual.hidden
        };
        assert_close(&format!("{what}: hidden"), &hidden, expected, tolerance);
    }
}
