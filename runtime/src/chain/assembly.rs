//! The two matrices of a tree, entry by entry into the elimination.
//!
//! The Schur complement of a half-explicit stage, `B_rows M^-1 B_columns^T`: a
//! node adds a block for each pair of its edges, so only multipliers remain as
//! unknowns.
//!
//! A Newton iteration, see [`Implicit::newton_factor`](crate::system::Implicit::newton_factor).
//! In the stabilized formulation the velocity of a node depends on the `eta` of
//! all its edges. To keep the matrix on the tree, the change of velocity `dv` is
//! an unknown of its own there:
//!
//! ```text
//! | h^2 K T          h^2 (epsilon' M + D)   B^T   0                          |   dtheta
//! | -V               I                      0     -gamma' h P^-1 B(q_n)^T    |   dv
//! | B T              0                      0     0                          |   d(h^2 lambda)
//! | h D_q(B v) T     h B                    0     0                          |   d eta
//! ```

use super::elimination::{At, Breakdown, Elimination, Shape};
use super::stage::NodeRows;
use super::tree::{Tree, TreeGeometry};
use crate::lie::GroupKind;
use crate::system::{Formulation, NewtonCoefficients, NewtonPoint, NewtonVectors};
use nalgebra::{Matrix6, SMatrix, Vector6};

/// How the increment of a node moves it.
#[derive(Clone, Debug)]
struct NodeTangents {
    node: usize,
    /// `T`.
    tangent: Matrix6<f64>,
    /// `V`.
    velocity: Matrix6<f64>,
    /// `P^-1`.
    blend_inverse: Matrix6<f64>,
}

impl NodeTangents {
    /// `V = P^-1 (gamma' I - D_theta[T x])`, `x = gamma' k + (1 - sigma) v`; for sigma = 0 and
    /// `x = gamma' theta` that is `gamma' I`.
    fn new(
        node: usize,
        kind: GroupKind,
        coefficients: &NewtonCoefficients,
        [theta, k, v]: [&[f64; 6]; 3],
    ) -> Self {
        let &NewtonCoefficients { sigma, gamma_h, .. } = coefficients;
        let mut buffer = [0.0; 36];
        let mut read = |fill: &dyn Fn(&mut [f64])| {
            fill(&mut buffer);
            Matrix6::from_row_slice(&buffer)
        };
        let tangent = read(&|m| kind.tangent_into(theta, m));
        let blend_inverse = read(&|m| kind.blend_inverse_into(sigma, theta, m));
        let mut velocity = Matrix6::identity() * gamma_h;
        if sigma != 0.0 {
            let x: [f64; 6] = core::array::from_fn(|i| gamma_h * k[i] + (1.0 - sigma) * v[i]);
            let derivative = read(&|m| kind.tangent_derivative_into(theta, &x, m));
            velocity = blend_inverse * (velocity - derivative);
        }
        Self {
            node,
            tangent,
            velocity,
            blend_inverse,
        }
    }
}

/// A node and its parent: the ends of an edge, where both move.
struct Pair {
    node: NodeTangents,
    parent: Option<NodeTangents>,
}

impl Pair {
    #[inline]
    fn of(&self, node: usize) -> &NodeTangents {
        match &self.parent {
            Some(parent) if parent.node == node => parent,
            _ => &self.node,
        }
    }
}

/// Most rows of an edge: those of a fixed joint.
pub(super) const MOST_ROWS: usize = 6;

/// The shape of a Schur complement.
pub(super) const SCHUR: Shape = Shape {
    node: 0,
    row: 1,
    coupled: false,
};

/// The shape of a Newton matrix.
fn shape(formulation: Formulation) -> Shape {
    match formulation {
        Formulation::StabilizedIndex2 => Shape {
            node: 12,
            row: 2,
            coupled: true,
        },
        _ => Shape {
            node: 6,
            row: 1,
            coupled: true,
        },
    }
}

impl Tree {
    /// Where the multipliers of an edge begin in the block of their owner.
    #[inline]
    pub(super) fn edge_at(&self, edge: usize, shape: Shape) -> At {
        let node = self.plan.owner[edge];
        At {
            node,
            index: shape.of_node(&self.plan, node) + shape.row * self.plan.slot[edge],
        }
    }

    /// Assembles and factors a Schur complement.
    pub(super) fn factor_schur(
        &self,
        rows: &TreeGeometry,
        columns: &TreeGeometry,
        buffer: &mut NodeRows,
        elimination: &mut Elimination,
    ) -> Result<(), Breakdown> {
        let plan = &self.plan;
        elimination.begin(plan, &self.edges, SCHUR);
        for &node in &plan.order {
            self.add_mobility(node, [rows, columns], buffer, elimination);
            elimination.eliminate(plan, node)?;
        }
        elimination.finish(plan)
    }

    /// Solves with the last Schur complement, in place.
    pub(super) fn solve_schur(&self, right: &mut [f64], elimination: &mut Elimination) {
        for (node, _) in self.plan.hub.iter().enumerate().filter(|(_, hub)| **hub) {
            let own = SCHUR.of_node(&self.plan, node);
            elimination.block(node)[..own].fill(0.0);
        }
        for (index, edge) in self.edges.iter().enumerate() {
            let At { node, index } = self.edge_at(index, SCHUR);
            let rows = &mut elimination.block(node)[index..index + edge.rows];
            rows.copy_from_slice(edge.part(right));
        }
        elimination.solve(&self.plan);
        for (index, edge) in self.edges.iter().enumerate() {
            let At { node, index } = self.edge_at(index, SCHUR);
            right[edge.first_row..edge.first_row + edge.rows]
                .copy_from_slice(&elimination.block(node)[index..index + edge.rows]);
        }
    }

    /// Assembles and factors a Newton matrix.
    pub(super) fn factor_newton(
        &self,
        coefficients: &NewtonCoefficients,
        point: &NewtonPoint<'_, Self>,
        elimination: &mut Elimination,
    ) -> Result<(), Breakdown> {
        let NewtonCoefficients { h, epsilon_h, .. } = *coefficients;
        let h2 = h * h;
        let stabilized = coefficients.formulation == Formulation::StabilizedIndex2;
        let plan = &self.plan;
        elimination.begin(plan, &self.edges, shape(coefficients.formulation));
        let part =
            |x: &'_ [f64], node: usize| -> [f64; 6] { core::array::from_fn(|i| x[6 * node + i]) };
        let tangents_of = |node: usize| {
            let (theta, k, v) = (
                part(point.theta, node),
                part(point.k, node),
                part(point.v, node),
            );
            let kind = self.nodes[node].kind;
            NodeTangents::new(node, kind, coefficients, [&theta, &k, &v])
        };
        self.each_load_stiffness(point.t, point.geometry, |node, k| {
            let mut tangent = [0.0; 36];
            let theta = part(point.theta, node);
            self.nodes[node].kind.tangent_into(&theta, &mut tangent);
            let at = At { node, index: 0 };
            let tangent = Matrix6::from_row_slice(&tangent);
            elimination.add(plan, at, at, &(k * tangent * h2));
        });
        // A long rod is limited by memory: what belongs to a node is computed when its turn
        // comes. The parent of a node is often the next one.
        let mut last: Option<NodeTangents> = None;
        for &node in &plan.order {
            let own = last.take().filter(|last| last.node == node);
            let tangents = Pair {
                node: own.unwrap_or_else(|| tangents_of(node)),
                parent: plan.up[node].map(|up| tangents_of(up.node)),
            };
            let data = &self.nodes[node];
            let v = part(point.v, node);
            let moved = &tangents.node;
            if let Some(k) = self.weight_stiffness(node, point.geometry) {
                let at = At { node, index: 0 };
                elimination.add(plan, at, at, &(k * moved.tangent * h2));
            }
            let damping = (data.mass_matrix * epsilon_h + data.gyroscopic_damping(&v)) * h2;
            let at = At { node, index: 0 };
            if stabilized {
                let rate = At { node, index: 6 };
                elimination.add(plan, at, rate, &damping);
                elimination.add(plan, rate, rate, &Matrix6::<f64>::identity());
                elimination.add(plan, rate, at, &-moved.velocity);
            } else {
                elimination.add(plan, at, at, &(damping * moved.velocity));
            }
            // The edges to children came with the children.
            for &edge in plan.edges_at(node) {
                if plan.comes_with(edge, node, &self.edges[edge]) {
                    self.add_edge_forces(edge, coefficients, point, &tangents, elimination);
                    self.add_edge_rows(edge, coefficients, point, &tangents, elimination);
                }
            }
            elimination.eliminate(plan, node)?;
            last = tangents.parent;
        }
        elimination.finish(plan)
    }

    /// `K` and `D` of an edge.
    fn add_edge_forces(
        &self,
        index: usize,
        coefficients: &NewtonCoefficients,
        point: &NewtonPoint<'_, Self>,
        tangents: &Pair,
        elimination: &mut Elimination,
    ) {
        let edge = &self.edges[index];
        let h2 = coefficients.h * coefficients.h;
        let stabilized = coefficients.formulation == Formulation::StabilizedIndex2;
        let lambda = edge.part(point.lambda);
        let (k, d) = self.edge_tangents(edge, point.geometry, point.v, lambda);
        for (column, j) in edge.sides() {
            let to = At { node: j, index: 0 };
            for (row, i) in edge.sides() {
                let from = At { node: i, index: 0 };
                let k = k.fixed_view::<6, 6>(row, column) * tangents.of(j).tangent * h2;
                let d = d.fixed_view::<6, 6>(row, column) * h2;
                if stabilized {
                    elimination.add(&self.plan, from, to, &k);
                    let rate = At { node: j, index: 6 };
                    elimination.add(&self.plan, from, rate, &d);
                } else {
                    let k = k + d * tangents.of(j).velocity;
                    elimination.add(&self.plan, from, to, &k);
                }
            }
        }
    }

    /// Constraint rows and columns of an edge.
    fn add_edge_rows(
        &self,
        index: usize,
        coefficients: &NewtonCoefficients,
        point: &NewtonPoint<'_, Self>,
        tangents: &Pair,
        elimination: &mut Elimination,
    ) {
        let edge = &self.edges[index];
        let NewtonCoefficients {
            h,
            gamma_h,
            formulation,
            ..
        } = *coefficients;
        let plan = &self.plan;
        let first = self.edge_at(index, shape(formulation));
        let at_row = |i: usize| At {
            node: first.node,
            index: first.index + i,
        };
        let rows = |geometry: &TreeGeometry, node: usize| {
            let mut rows = [Vector6::zeros(); MOST_ROWS];
            let (poses, strains) = (&geometry.poses, &geometry.strains);
            self.rows_at(edge, node, poses, strains, &mut rows[..edge.rows]);
            rows
        };
        for (_, node) in edge.sides() {
            let at = At { node, index: 0 };
            let moved = tangents.of(node);
            for (i, b) in rows(point.geometry, node)[..edge.rows].iter().enumerate() {
                let held: SMatrix<f64, 1, 6> = b.transpose();
                elimination.add(plan, at, at_row(i), b);
                if formulation == Formulation::Index2 {
                    let driven = held * moved.velocity * h;
                    elimination.add(plan, at_row(i), at, &driven);
                } else {
                    elimination.add(plan, at_row(i), at, &(held * moved.tangent));
                }
                if formulation == Formulation::StabilizedIndex2 {
                    let rate = At { node, index: 6 };
                    elimination.add(plan, at_row(edge.rows + i), rate, &(held * h));
                }
            }
            if formulation == Formulation::StabilizedIndex2 {
                let rate = At { node, index: 6 };
                let start = rows(point.geometry_start, node);
                for (i, b) in start[..edge.rows].iter().enumerate() {
                    let push = moved.blend_inverse * b * (-gamma_h * h);
                    elimination.add(plan, rate, at_row(edge.rows + i), &push);
                }
            }
        }
        if formulation == Formulation::Index3 {
            return;
        }
        let hidden = if formulation == Formulation::Index2 {
            0
        } else {
            edge.rows
        };
        self.edge_row_derivatives(edge, point.geometry, point.v, |i, slope| {
            for (slot, node) in edge.sides() {
                let at = At { node, index: 0 };
                let held = slope.fixed_rows::<6>(slot).transpose();
                let moved = held * tangents.of(node).tangent * h;
                elimination.add(plan, at_row(hidden + i), at, &moved);
            }
        });
    }

    /// Replaces a residual by the correction.
    pub(super) fn solve_newton(
        &self,
        formulation: Formulation,
        vectors: &mut NewtonVectors<Self>,
        elimination: &mut Elimination,
    ) {
        self.load_residual(formulation, vectors, elimination);
        elimination.solve(&self.plan);
        self.take_correction(formulation, vectors, elimination);
    }

    /// The correction for a residual with a matrix that is not kept, by a
    /// [passing](Elimination::passing) elimination.
    pub(super) fn correct_newton(
        &self,
        coefficients: &NewtonCoefficients,
        point: &NewtonPoint<'_, Self>,
        residual: &NewtonVectors<Self>,
        correction: &mut NewtonVectors<Self>,
        elimination: &mut Elimination,
    ) -> Result<(), Breakdown> {
        let formulation = coefficients.formulation;
        elimination.begin(&self.plan, &self.edges, shape(formulation));
        self.load_residual(formulation, residual, elimination);
        self.factor_newton(coefficients, point, elimination)?;
        for &node in self.plan.order.iter().rev() {
            elimination.backward(&self.plan, node);
        }
        self.take_correction(formulation, correction, elimination);
        Ok(())
    }

    /// The residual becomes the right-hand side.
    fn load_residual(
        &self,
        formulation: Formulation,
        residual: &NewtonVectors<Self>,
        elimination: &mut Elimination,
    ) {
        let shape = shape(formulation);
        for (node, part) in residual.dynamics.chunks_exact(6).enumerate() {
            let block = elimination.block(node);
            block[..6].copy_from_slice(part);
            block[6..shape.node].fill(0.0);
        }
        for (index, edge) in self.edges.iter().enumerate() {
            let At { node, index } = self.edge_at(index, shape);
            let rows = &mut elimination.block(node)[index..];
            rows[..edge.rows].copy_from_slice(edge.part(&residual.constraint));
            if formulation == Formulation::StabilizedIndex2 {
                rows[edge.rows..2 * edge.rows].copy_from_slice(edge.part(&residual.hidden));
            }
        }
    }

    /// The solution is the correction.
    fn take_correction(
        &self,
        formulation: Formulation,
        correction: &mut NewtonVectors<Self>,
        elimination: &mut Elimination,
    ) {
        for (node, part) in correction.dynamics.chunks_exact_mut(6).enumerate() {
            part.copy_from_slice(&elimination.block(node)[..6]);
        }
        for (index, edge) in self.edges.iter().enumerate() {
            let At { node, index } = self.edge_at(index, shape(formulation));
            let rows = &elimination.block(node)[index..];
            let range = edge.first_row..edge.first_row + edge.rows;
            correction.constraint[range.clone()].copy_from_slice(&rows[..edge.rows]);
            if formulation == Formulation::StabilizedIndex2 {
                correction.hidden[range].copy_from_slice(&rows[edge.rows..2 * edge.rows]);
            }
        }
    }
}
