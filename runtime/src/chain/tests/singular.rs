//! Blocks that are singular in matrices that are not, and matrices that are.

use super::super::edge::{Edge, EdgeKind, End};
use super::super::elimination::{At, Elimination, Shape};
use super::super::plan::Plan;
use super::assert_close;
use crate::chain::{Anchor, Place, Tree};
use crate::error::Fault;
use crate::generic::GenericSystem;
use crate::generic::description::{Body, JointKind, Start};
use crate::lie::GroupKind;
use crate::system::{
    Constrained, Formulation, Implicit, Manifold, Mechanics, NewtonCoefficients, NewtonPoint,
    NewtonVectors, Scratch, Stage,
};
use nalgebra::{DMatrix, DVector, Matrix2};

const PAIRS: Shape = Shape {
    node: 2,
    row: 0,
    coupled: true,
};

/// A row of three blocks of two, `(row, column, block)`.
fn blocks(corner: f64) -> Vec<(usize, usize, Matrix2<f64>)> {
    vec![
        (0, 0, Matrix2::new(1.0, 2.0, 2.0, 4.0 + corner)),
        (0, 1, Matrix2::new(1.0, -1.0, 0.5, 2.0)),
        (1, 0, Matrix2::new(3.0, 1.0, -2.0, 1.0)),
        (1, 1, Matrix2::new(2.0, 0.0, 1.0, 1.0)),
        (1, 2, Matrix2::new(1.0, 0.0, 0.3, 1.0)),
        (2, 1, Matrix2::new(0.2, 1.0, 1.0, 0.0)),
        (2, 2, Matrix2::new(0.0, 1.0, 1.0, 0.5)),
    ]
}

fn solve(
    blocks: &[(usize, usize, Matrix2<f64>)],
    right: &[f64; 6],
) -> Result<Vec<f64>, (usize, usize)> {
    let edges: Vec<Edge> = (1..3)
        .map(|j| Edge {
            ends: [End::Node(j - 1), End::Node(j)],
            kind: EdgeKind::Joint(0),
            first_row: 0,
            rows: 0,
        })
        .collect();
    let plan = Plan::path(3, &edges);
    let mut elimination = Elimination::empty();
    let assemble = |elimination: &mut Elimination| {
        elimination.begin(&plan, &edges, PAIRS);
        for (row, column, block) in blocks {
            let at = |node: &usize| At {
                node: *node,
                index: 0,
            };
            elimination.add(&plan, at(row), at(column), block);
        }
        elimination.factor(&plan)
    };
    elimination
        .with_care(assemble)
        .map_err(|breakdown| (breakdown.node, breakdown.unknown))?;
    for node in 0..3 {
        let block = elimination.block(node);
        block.copy_from_slice(&right[2 * node..2 * node + 2]);
    }
    elimination.solve(&plan);
    Ok((0..3)
        .flat_map(|node| elimination.block(node).to_vec())
        .collect())
}

/// A leading block that is singular, nearly so, or not at all.
#[test]
fn a_singular_leading_block_is_no_error() {
    let right = [1.0, -2.0, 0.5, 3.0, -1.0, 0.2];
    for corner in [0.0, 1e-13, 1e-9, 1e-5, 1.0] {
        let blocks = blocks(corner);
        let mut whole = DMatrix::zeros(6, 6);
        for (row, column, block) in &blocks {
            let mut view = whole.view_mut((2 * row, 2 * column), (2, 2));
            view += block;
        }
        let expected = whole.lu().solve(&DVector::from_row_slice(&right)).unwrap();
        let found = solve(&blocks, &right).unwrap();
        // Block by block, 1e-9 would lose nine digits; five may be lost.
        let tolerance = if corner == 1e-5 { 1e-9 } else { 1e-13 };
        let what = format!("corner {corner}");
        assert_close(&what, &found, expected.as_slice(), tolerance);
    }
}

/// The unknown that depends on those before it.
#[test]
fn a_singular_matrix_names_its_node() {
    let mut blocks = blocks(1.0);
    // The last two unknowns are coupled to nothing but their sum.
    blocks[4].2 = Matrix2::new(1.0, 1.0, 0.3, 0.3);
    blocks[6].2 = Matrix2::new(2.0, 2.0, 0.5, 0.5);
    assert_eq!(solve(&blocks, &[0.0; 6]), Err((2, 1)));
}

/// Two bodies on a line below each other.
fn pendulum() -> Tree {
    let mut builder = Tree::builder();
    builder.gravity([0.0, 0.0, -9.81]);
    let unit = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let mut before = Anchor::at(Place::GROUND, [0.0; 3]);
    for (name, z) in [("upper", -1.0), ("lower", -3.0)] {
        let body = Body {
            name: name.to_owned(),
            group: GroupKind::S3xR3,
            mass: 2.0,
            inertia: unit,
            center: [0.0; 3],
            start: Start {
                position: vec![0.0, 0.0, z],
                ..Start::default()
            },
        };
        let place = builder.body(&body).unwrap();
        let top = Anchor::at(place, [0.0, 0.0, 1.0]);
        let joint = format!("above {name}");
        builder
            .joint(&joint, JointKind::Spherical, &before, &top)
            .unwrap();
        before = Anchor::at(place, [0.0, 0.0, -1.0]);
    }
    builder.build().unwrap()
}

/// A force that pushes the lower body from above so that its own part of the Newton matrix is
/// singular: `epsilon' gamma' J = |p| |f|`. With the joint, the matrix is regular.
#[test]
fn a_body_that_would_buckle_alone() {
    let tree = pendulum();
    let generic = GenericSystem::new(tree.description().unwrap()).unwrap();
    let (n, m) = (12, 6);
    let coefficients = NewtonCoefficients {
        h: 0.1,
        sigma: 0.0,
        gamma_h: 20.0,
        epsilon_h: 15.0,
        formulation: Formulation::Index3,
    };
    let q = tree.start_config();
    let mut lambda = tree.new_multiplier();
    lambda[5] = -15.0 * 20.0; // the force on the lower body
    let still = tree.new_velocity();
    let right: Vec<f64> = (0..n + m).map(|i| f64::from(i).sin()).collect();
    macro_rules! correction {
        ($system:expr, $kind:ty) => {{
            let system = &$system;
            let mut geometry = system.new_geometry();
            system.geometry(0.0, &q, &mut geometry).unwrap();
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
            let mut workspace = system.new_workspace();
            let mut residual = NewtonVectors::<$kind>::new(system);
            let cut = usize::try_from(n).unwrap();
            residual.dynamics.copy_from_slice(&right[..cut]);
            residual.constraint.copy_from_slice(&right[cut..]);
            let mut vectors = residual.clone();
            system
                .newton_correction(
                    &coefficients,
                    &point,
                    &mut residual,
                    &mut vectors,
                    &mut workspace,
                )
                .unwrap();
            [vectors.dynamics, vectors.constraint].concat()
        }};
    }
    let found = correction!(tree, Tree);
    let expected = correction!(generic, GenericSystem);
    assert_close("correction", &found, &expected, 1e-12);
}

/// Two points of a body held by the ground: their distance is held twice.
#[test]
fn dependent_constraints_are_named() {
    let mut builder = Tree::builder();
    let body = Body {
        name: "door".to_owned(),
        group: GroupKind::SE3,
        mass: 2.0,
        inertia: [[1.0, 0.0, 0.0], [0.0, 1.5, 0.0], [0.0, 0.0, 2.0]],
        center: [0.3, 0.1, 0.2],
        start: Start::default(),
    };
    let door = builder.body(&body).unwrap();
    for (name, point) in [("lower", [0.1, 0.2, 0.3]), ("upper", [0.4, 0.1, 1.7])] {
        let (ground, door) = (Anchor::at(Place::GROUND, point), Anchor::at(door, point));
        builder
            .joint(name, JointKind::Spherical, &ground, &door)
            .unwrap();
    }
    let tree = builder.build().unwrap();
    let (q, v) = (tree.start_config(), tree.start_velocity());
    let mut geometry = tree.new_geometry();
    tree.geometry(0.0, &q, &mut geometry).unwrap();
    let mut scratch = Scratch::new(&tree);
    let (mut vdot, mut lambda) = (tree.new_velocity(), tree.new_multiplier());
    let stage = Stage {
        t: 0.0,
        geometry: &geometry,
        v: &v,
    };
    let fault = tree.accelerations(&stage, &q, &mut vdot, &mut lambda, &mut scratch);
    let Err(Fault::SingularConstraints { constraint, .. }) = fault else {
        panic!("{fault:?}");
    };
    assert_eq!(constraint, "joint `upper`, position along inertial z");
}
