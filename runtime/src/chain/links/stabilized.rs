//! The stabilized formulation: six multipliers `(lambda, eta)` at each joint.
//!
//! With `F = h^2 (epsilon' J + D) gamma' h P^-1 N(q_n)^T`, `N+ = h (N V - L T)`:
//!
//! ```text
//! | N T A^-1 N^T   N T A^-1 F                              |   rotation
//! | N+ A^-1 N^T    N+ A^-1 F - gamma' h^2 N P^-1 N(q_n)^T   |
//! | 1 / m*         h                                       |   translation
//! | h gamma' / m*  0                                       |
//! ```
//!
//! Each entry of the rotation belongs to two joints with factors `first` and
//! `-second`, each of the translation with `-1` and `1`.

use super::super::edge::{Edge, EdgeKind, End};
use super::super::elimination::{At, Elimination, Shape};
use super::super::plan::Plan;
use super::newton::{LinkTangents, NewtonFactors, n_times, times_n};
use super::small::{M3, V3, ZERO, dot, plus, product, scaled_plus_diagonal, times, v3};
use super::{Body, LinkChain};
use crate::error::Fault;
use crate::lie::GroupKind;
use crate::system::{Constrained, NewtonCoefficients, NewtonPoint, NewtonVectors};
use nalgebra::Matrix6;

const SHAPE: Shape = Shape {
    node: 6,
    row: 0,
    coupled: true,
};

/// The rotation of a link in the rows and columns of `eta`.
pub(super) struct LinkPush {
    /// `N+`.
    pub(super) hidden: M3,
    /// `F`.
    pub(super) push: M3,
    /// `gamma' h^2 N P^-1 N(q_n)^T`.
    pub(super) direct: M3,
}

/// What a stabilized step needs beside the factors of the links.
#[derive(Clone, Debug)]
pub(in super::super) struct Stabilized {
    plan: Option<Plan>,
    edges: Vec<Edge>,
    elimination: Elimination,
    /// `N+` and `F` of each link.
    links: Vec<(M3, M3)>,
    joints: usize,
    h: f64,
    gamma_h: f64,
}

impl Stabilized {
    pub(super) fn new(joints: usize) -> Self {
        Self {
            plan: None,
            edges: Vec::new(),
            elimination: Elimination::empty(),
            links: Vec::new(),
            joints,
            h: 0.0,
            gamma_h: 0.0,
        }
    }

    /// Allocates at the first use: joints in a row, each coupled to the next.
    fn prepare(&mut self, links: usize) -> &Plan {
        self.links.resize(links, (ZERO, ZERO));
        let (joints, edges) = (self.joints, &mut self.edges);
        self.plan.get_or_insert_with(|| {
            edges.extend((1..joints).map(|j| Edge {
                ends: [End::Node(j - 1), End::Node(j)],
                kind: EdgeKind::Joint(0),
                first_row: 0,
                rows: 0,
            }));
            Plan::path(joints, edges)
        })
    }
}

impl LinkChain {
    /// Eliminates the joints.
    pub(super) fn factor_stabilized(
        &self,
        coefficients: &NewtonCoefficients,
        point: &NewtonPoint<'_, Self>,
        factors: &NewtonFactors,
        stabilized: &mut Stabilized,
    ) -> Result<(), Fault> {
        let NewtonCoefficients { h, gamma_h, .. } = *coefficients;
        stabilized.prepare(self.links.len());
        (stabilized.h, stabilized.gamma_h) = (h, gamma_h);
        let Stabilized {
            plan,
            edges,
            elimination,
            links,
            ..
        } = stabilized;
        let Some(plan) = plan else { return Ok(()) };
        let assemble = |elimination: &mut Elimination| {
            elimination.begin(plan, edges, SHAPE);
            for (i, (link, factor)) in self.links.iter().zip(&factors.links).enumerate() {
                let columns = &factor.columns;
                let LinkPush {
                    hidden,
                    push,
                    direct,
                } = Self::link_push(i, link, coefficients, point);
                links[i] = (hidden, push);

                let of = |row: &M3| product(row, &factor.inverse);
                let (position, velocity) = (of(&factor.held), of(&hidden));
                let corner = plus(&product(&velocity, &push), -1.0, &direct);
                let rotation = [
                    [times_n(columns, &position), product(&position, &push)],
                    [times_n(columns, &velocity), corner],
                ];
                let m = factor.mobility;
                let translation = [[m, h], [h * gamma_h * m, 0.0]];
                let sides = [(i, link.first, -1.0), (i + 1, -link.second, 1.0)];
                for (row, turn_row, shift_row) in sides {
                    for (column, turn_column, shift_column) in sides {
                        if !(self.joints.contains(&row) && self.joints.contains(&column)) {
                            continue;
                        }
                        let (turn, shift) = (turn_row * turn_column, shift_row * shift_column);
                        let block = Matrix6::from_fn(|r, c| {
                            let same = if r % 3 == c % 3 { 1.0 } else { 0.0 };
                            turn * rotation[r / 3][c / 3][r % 3][c % 3]
                                + same * shift * translation[r / 3][c / 3]
                        });
                        let at = |joint: usize| At {
                            node: joint - self.joints.start,
                            index: 0,
                        };
                        elimination.add(plan, at(row), at(column), &block);
                    }
                }
            }
            elimination.factor(plan)
        };
        elimination
            .with_care(assemble)
            .map_err(|breakdown| Fault::SingularNewton {
                unknown: self.constraint_name(3 * breakdown.node),
                pivot: breakdown.pivot,
                scale: breakdown.scale,
            })
    }

    /// What `eta` does to a link, and the velocities that it imposes.
    pub(super) fn link_push(
        i: usize,
        link: &Body,
        coefficients: &NewtonCoefficients,
        point: &NewtonPoint<'_, Self>,
    ) -> LinkPush {
        let NewtonCoefficients {
            h, sigma, gamma_h, ..
        } = *coefficients;
        let (columns, start) = (&point.geometry.columns[i], &point.geometry_start.columns[i]);
        let tangents = LinkTangents::at(i, link, coefficients, point);
        let theta = v3(&point.theta[6 * i..]);
        let mut buffer = [0.0; 9];
        GroupKind::SO3.blend_inverse_into(sigma, &theta, &mut buffer);
        let blend: M3 = core::array::from_fn(|i| v3(&buffer[3 * i..]));
        let kick = scaled_plus_diagonal(gamma_h * h, &times_n(start, &blend), 0.0);
        LinkPush {
            hidden: tangents.hidden(h, columns, &point.v[6 * i..6 * i + 3]),
            push: product(&tangents.inertia, &kick),
            direct: scaled_plus_diagonal(h, &n_times(columns, &kick), 0.0),
        }
    }

    /// Replaces a residual by the correction.
    pub(super) fn solve_stabilized(
        &self,
        vectors: &mut NewtonVectors<Self>,
        factors: &NewtonFactors,
        stabilized: &mut Stabilized,
    ) {
        let Stabilized {
            plan,
            elimination,
            links,
            joints,
            h,
            gamma_h,
            ..
        } = stabilized;
        let Some(plan) = plan else { return };
        let first = self.joints.start;
        for joint in 0..*joints {
            let block = elimination.block(joint);
            for k in 0..3 {
                block[k] = -vectors.constraint[3 * joint + k];
                block[3 + k] = -vectors.hidden[3 * joint + k];
            }
        }
        let each = self.links.iter().zip(&factors.links).zip(links.iter());
        for (i, ((link, factor), (hidden, _))) in each.enumerate() {
            let r = &mut vectors.dynamics[6 * i..6 * i + 6];
            let turned = times(&factor.inverse, &v3(r));
            r[..3].copy_from_slice(&turned);
            let (turn, rate) = (times(&factor.held, &turned), times(hidden, &turned));
            for (joint, arm, sign) in [(i, link.first, -1.0), (i + 1, -link.second, 1.0)] {
                if !self.joints.contains(&joint) {
                    continue;
                }
                let block = elimination.block(joint - first);
                for k in 0..3 {
                    let shift = sign * factor.mobility * r[3 + k];
                    block[k] += shift + arm * turn[k];
                    block[3 + k] += *h * *gamma_h * shift + arm * rate[k];
                }
            }
            for x in &mut r[3..] {
                *x *= factor.mobility;
            }
        }
        elimination.solve(plan);
        for joint in 0..*joints {
            let block = elimination.block(joint);
            vectors.constraint[3 * joint..3 * joint + 3].copy_from_slice(&block[..3]);
            vectors.hidden[3 * joint..3 * joint + 3].copy_from_slice(&block[3..]);
        }
        let each = self.links.iter().zip(&factors.links).zip(links.iter());
        for (i, ((link, factor), (_, push))) in each.enumerate() {
            let both = |x: &[f64]| (self.multiplier(x, i), self.multiplier(x, i + 1));
            let (before, after) = both(&vectors.constraint);
            let (eta_before, eta_after) = both(&vectors.hidden);
            let mu = Self::moment_arm_force(link, &before, &after);
            let eta = Self::moment_arm_force(link, &eta_before, &eta_after);
            let [c2, c3] = &factor.columns;
            let kick = times(push, &eta);
            let force: V3 = [kick[0], kick[1] + dot(c3, &mu), kick[2] - dot(c2, &mu)];
            let turned = times(&factor.inverse, &force);
            let r = &mut vectors.dynamics[6 * i..6 * i + 6];
            for k in 0..3 {
                r[k] -= turned[k];
                r[3 + k] -=
                    factor.mobility * (after[k] - before[k]) + *h * (eta_after[k] - eta_before[k]);
            }
        }
    }
}
