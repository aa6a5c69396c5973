//! Solves of the half-explicit methods: the multipliers of a Schur complement, and whole stages.

use super::samples::Samples;
use super::{Outputs, mass_product, times, transpose_times};
use crate::elimination::{Elimination, Matrix};
use crate::expr::{Graph, Id};
use crate::mechanics::Mechanics;

/// A linear solve by elimination in a fixed order.
#[derive(Debug)]
pub(crate) struct Solve {
    pub(crate) solution: Outputs,
    pub(crate) growth: Outputs,
}

/// A half-explicit stage.
#[derive(Debug)]
pub(crate) struct Stage {
    pub(crate) vdot: Outputs,
    pub(crate) lambda: Outputs,
    pub(crate) growth: Outputs,
}

/// Rows of `B`: column and value of each entry.
type Rows = [Vec<(usize, Id)>];

/// `B(rows) M^-1 B(columns)^T`.
pub(super) fn schur(m: &mut Mechanics<'_>, rows: &Rows, columns: &Rows) -> Matrix {
    let nv = m.model.dof();
    let weighted: Vec<Vec<Id>> = columns
        .iter()
        .map(|column| {
            let mut dense = vec![m.graph().zero(); nv];
            for (i, entry) in column {
                dense[*i] = *entry;
            }
            mass_product(m, &dense, true)
        })
        .collect();
    rows.iter()
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

pub(super) fn solve(g: &mut Graph, samples: &Samples, matrix: &Matrix, right: &[Id]) -> Solve {
    let elimination = Elimination::new(g, matrix, &samples.of(g, matrix));
    Solve {
        solution: elimination.substitute(g, right),
        growth: elimination.growth,
    }
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
    let mut right = times(m.graph(), next, &target);
    let weight = m.graph().number("weight");
    for (right, rate) in right.iter_mut().zip(next_rate) {
        let rate = m.graph().mul(weight, *rate);
        *right = m.graph().add(*right, rate);
    }
    let schur = schur(m, next, rows);
    let Solve {
        solution,
        mut growth,
    } = solve(m.graph(), samples, &schur, &right);
    let push = transpose_times(m.graph(), rows, &solution, force.len());
    let push = mass_product(m, &push, true);
    let vdot: Outputs = free
        .iter()
        .zip(&push)
        .map(|(free, push)| {
            let sum = m.graph().add(*free, *push);
            m.graph().neg(sum)
        })
        .collect();
    let mut all = m.graph().shorter(&[&solution[..], &vdot].concat());
    let (whole, whole_growth) = whole_stage(m, samples, force, [reach, next_rate], rows, next);
    if m.graph().operations(&whole) < m.graph().operations(&all) {
        (all, growth) = (whole, whole_growth);
    }
    let (lambda, vdot) = all.split_at(solution.len());
    Stage {
        vdot: vdot.to_vec(),
        lambda: lambda.to_vec(),
        growth,
    }
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
    let (nv, nc) = (force.len(), rows.len());
    let mut a = vec![vec![m.graph().zero(); nv + nc]; nv + nc];
    for (block, body) in m.mass.iter().zip(&m.model.bodies) {
        for (i, row) in block.iter().enumerate() {
            let place = body.velocity..body.velocity + row.len();
            a[body.velocity + i][place].copy_from_slice(row);
        }
    }
    for (i, (row, next)) in rows.iter().zip(next).enumerate() {
        for (column, entry) in row {
            a[*column][nv + i] = *entry;
        }
        for (column, entry) in next {
            a[nv + i][*column] = *entry;
        }
    }
    let mut right: Vec<Id> = force.iter().map(|force| m.graph().neg(*force)).collect();
    let weight = m.graph().number("weight");
    for (reached, rate) in times(m.graph(), next, reach).into_iter().zip(next_rate) {
        let rate = m.graph().mul(weight, *rate);
        let sum = m.graph().add(reached, rate);
        right.push(m.graph().neg(sum));
    }
    let Solve {
        mut solution,
        growth,
    } = solve(m.graph(), samples, &a, &right);
    solution.rotate_left(nv);
    (solution, growth)
}
