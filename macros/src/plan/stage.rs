//! Solves of the half-explicit methods: the multipliers of a Schur complement, and whole stages.

use super::rows::Rows;
use super::samples::Samples;
use super::{Outputs, mass_product};
use crate::elimination::{Elimination, Matrix};
use crate::expr::{Graph, Id};
use crate::mechanics::Mechanics;

/// A linear solve by elimination in a fixed order.
#[derive(Debug)]
pub(crate) struct Solve {
    pub(crate) solution: Outputs,
    pub(crate) growth: Outputs,
}

impl Solve {
    fn new(g: &mut Graph, elimination: Elimination, right: &[Id]) -> Self {
        Self {
            solution: elimination.substitute(g, right),
            growth: elimination.growth,
        }
    }
}

/// A half-explicit stage.
#[derive(Debug)]
pub(crate) struct Stage {
    pub(crate) vdot: Outputs,
    pub(crate) lambda: Outputs,
    pub(crate) growth: Outputs,
}

/// The columns of `M^-1 W^T`.
fn weighted(m: &mut Mechanics<'_>, rows: &Rows) -> Matrix {
    let nv = m.model.dof();
    rows.entries
        .iter()
        .map(|row| {
            let mut dense = vec![m.graph().zero(); nv];
            for (i, entry) in row {
                dense[*i] = *entry;
            }
            mass_product(m, &dense, true)
        })
        .collect()
}

/// `W M^-1 W^T`, of the rows on the left and the columns of the rest.
fn schur(m: &mut Mechanics<'_>, rows: &Rows, weighted: &Matrix) -> Matrix {
    rows.entries
        .iter()
        .map(|row| {
            weighted
                .iter()
                .map(|weighted| {
                    let g = &mut m.geometry.graph;
                    let mut sum = g.zero();
                    for (i, entry) in row {
                        let product = g.mul(*entry, weighted[*i]);
                        sum = g.add(sum, product);
                    }
                    sum
                })
                .collect()
        })
        .collect()
}

/// `System::schur_solve`: with `S = W_n M^-1 W^T`, `A_n^T S A lambda = right`.
pub(super) fn schur_solve(
    m: &mut Mechanics<'_>,
    samples: &Samples,
    next: &Rows,
    rows: &Rows,
    right: &[Id],
) -> Solve {
    let weighted = weighted(m, rows);
    let schur = schur(m, next, &weighted);
    let right = next.turned(m.graph(), right);
    let mut solve = schur_solution(m.graph(), samples, &schur, &right);
    solve.solution = rows.turned_back(m.graph(), &solve.solution);
    solve
}

/// `W_n M^-1 W^T` is nearly `W M^-1 W^T`, which is definite.
fn schur_solution(g: &mut Graph, samples: &Samples, schur: &Matrix, right: &[Id]) -> Solve {
    let elimination = Elimination::definite(g, schur, &samples.of(g, schur));
    Solve::new(g, elimination, right)
}

/// The fused half-explicit stage, see `System::stage_solve`.
pub(super) fn stage(
    m: &mut Mechanics<'_>,
    samples: &Samples,
    force: &[Id],
    [reach, next_rate]: [&[Id]; 2],
    rows: &Rows,
    next: &Rows,
) -> Stage {
    let free = mass_product(m, force, true);
    let free = m.graph().shorter(&free);
    let target: Vec<Id> = reach
        .iter()
        .zip(&free)
        .map(|(reach, free)| m.graph().sub(*reach, *free))
        .collect();
    let reached = next.turned_times(m.graph(), &target);
    let right = with_rate(m.graph(), reached, next_rate);
    let weighted = weighted(m, rows);
    let schur = schur(m, next, &weighted);
    let Solve {
        solution,
        mut growth,
    } = schur_solution(m.graph(), samples, &schur, &right);
    let vdot = pushed(m.graph(), &free, &weighted, &solution);
    let lambda = rows.turned_back(m.graph(), &solution);
    let mut all = m.graph().shorter(&[&lambda[..], &vdot].concat());
    let (whole, whole_growth) = whole_stage(m, samples, force, [reach, next_rate], rows, next);
    if m.graph().operations(&whole) < m.graph().operations(&all) {
        (all, growth) = (whole, whole_growth);
    }
    let (lambda, vdot) = all.split_at(lambda.len());
    Stage {
        vdot: vdot.to_vec(),
        lambda: lambda.to_vec(),
        growth,
    }
}

/// `-free - M^-1 W^T mu`: the multipliers that are known last are subtracted last, so that the
/// velocity waits for one product.
fn pushed(g: &mut Graph, free: &[Id], weighted: &Matrix, mu: &[Id]) -> Outputs {
    let mut order: Vec<usize> = (0..mu.len()).collect();
    order.sort_by_key(|i| mu[*i]);
    let mut vdot: Outputs = free.iter().map(|free| g.neg(*free)).collect();
    for i in order {
        for (vdot, entry) in vdot.iter_mut().zip(&weighted[i]) {
            let product = g.mul(*entry, mu[i]);
            *vdot = g.sub(*vdot, product);
        }
    }
    vdot
}

/// The stage from its whole matrix, multipliers first: `M V' + B_i^T Lambda = -g`,
/// `B_{i+1} V' = -(B_{i+1} reach + weight dPhi/dt)`.
fn whole_stage(
    m: &mut Mechanics<'_>,
    samples: &Samples,
    force: &[Id],
    [reach, next_rate]: [&[Id]; 2],
    rows: &Rows,
    next: &Rows,
) -> (Outputs, Outputs) {
    let (nv, nc) = (force.len(), rows.entries.len());
    let mut a = vec![vec![m.graph().zero(); nv + nc]; nv + nc];
    for (block, body) in m.mass.iter().zip(&m.model.bodies) {
        for (i, row) in block.iter().enumerate() {
            let place = body.velocity..body.velocity + row.len();
            a[body.velocity + i][place].copy_from_slice(row);
        }
    }
    let pairs = rows.entries.iter().zip(&next.entries);
    for (i, (row, next)) in pairs.enumerate() {
        for (column, entry) in row {
            a[*column][nv + i] = *entry;
        }
        for (column, entry) in next {
            a[nv + i][*column] = *entry;
        }
    }
    let mut right: Vec<Id> = force.iter().map(|force| m.graph().neg(*force)).collect();
    let reached = next.turned_times(m.graph(), reach);
    for right_of_row in with_rate(m.graph(), reached, next_rate) {
        right.push(m.graph().neg(right_of_row));
    }
    let g = m.graph();
    let elimination = Elimination::new(g, &a, &samples.of(g, &a));
    let Solve {
        mut solution,
        growth,
    } = Solve::new(g, elimination, &right);
    let vdot = solution.drain(..nv).collect::<Outputs>();
    let mut all = rows.turned_back(m.graph(), &solution);
    all.extend(vdot);
    (all, growth)
}

/// Adds `weight dPhi/dt`; rows with a time are not turned.
fn with_rate(g: &mut Graph, mut rows: Outputs, rates: &[Id]) -> Outputs {
    let weight = g.number("weight");
    for (row, rate) in rows.iter_mut().zip(rates) {
        let rate = g.mul(weight, *rate);
        *row = g.add(*row, rate);
    }
    rows
}
