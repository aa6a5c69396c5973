//! The Newton matrix of a generalized-alpha step and its elimination.

use super::{COLD, Outputs, Slots, array, cut};
use crate::elimination::{Elimination, Matrix, Pivot};
use crate::expr::{Graph, Id};
use crate::groups;
use crate::mechanics::Mechanics;
use crate::model::Group;

/// The Newton matrix of one formulation.
#[derive(Debug)]
pub(crate) struct Newton {
    pub(crate) formulation: &'static str,
    /// For sigma = 0, where `V = gamma' I`.
    pub(crate) geom1: bool,
    /// Factors, in the order of the workspace `lu`.
    pub(crate) factors: Outputs,
    pub(crate) pivots: Vec<Pivot>,
    /// The correction, of residuals and factors.
    pub(crate) solution: Outputs,
}

/// What the matrix is made of.
pub(super) struct NewtonParts<'a> {
    pub(super) formulation: &'static str,
    pub(super) geom1: bool,
    pub(super) jacobian: &'a [Vec<(usize, Id)>],
    pub(super) start: &'a [Vec<(usize, Id)>],
    pub(super) stiffness: &'a [(usize, usize, Id)],
    pub(super) damping: &'a [(usize, usize, Id)],
}

/// The matrix of `System::newton_factor` with `V` given in the array `slope` (rows of each
/// body's block after another) and `P^-1` in `blend`.
pub(super) fn newton(m: &mut Mechanics<'_>, parts: &NewtonParts<'_>, slots: &mut Slots) -> Newton {
    let model = m.model;
    let (nv, nc) = (model.dof(), m.phi.len());
    let stabilized = parts.formulation == "StabilizedIndex2";
    let n = nv + nc + if stabilized { nc } else { 0 };
    let g = &mut m.geometry.graph;
    let (h, epsilon, gamma) = (g.number("h"), g.number("epsilon_h"), g.number("gamma_h"));
    let h2 = g.mul(h, h);
    let zero = g.zero();

    // Block diagonal T, V and P^-1 as dense rows.
    let (mut tangent, mut slope, mut blend) = (
        vec![vec![zero; nv]; nv],
        vec![vec![zero; nv]; nv],
        vec![vec![zero; nv]; nv],
    );
    let mut place = 0;
    for body in &model.bodies {
        let dof = body.group.dof();
        let block = groups::tangent(g, body.group, body.velocity);
        for i in 0..dof {
            for j in 0..dof {
                let (row, column) = (body.velocity + i, body.velocity + j);
                let structural = block_entry(body.group, i, j);
                tangent[row][column] = block[i][j];
                (slope[row][column], blend[row][column]) = match structural {
                    Entry::Zero => (zero, zero),
                    Entry::Unit => (gamma, g.one()),
                    Entry::Full => {
                        let pair = (g.input("slope", place), g.input("blend", place));
                        place += 1;
                        pair
                    }
                };
                if parts.geom1 {
                    slope[row][column] = if i == j { gamma } else { zero };
                }
            }
        }
    }

    // h^2 (epsilon' M + D), then the matrix.
    let mut inertia = vec![vec![zero; nv]; nv];
    for (block, body) in m.mass.iter().zip(&model.bodies) {
        for (i, row) in block.iter().enumerate() {
            for (j, entry) in row.iter().enumerate() {
                let entry = g.mul(epsilon, *entry);
                inertia[body.velocity + i][body.velocity + j] = entry;
            }
        }
    }
    for (row, column, entry) in parts.damping {
        inertia[*row][*column] = g.add(inertia[*row][*column], *entry);
    }
    let mut a = vec![vec![zero; n]; n];
    let mut stiffness = vec![vec![zero; nv]; nv];
    for (row, column, entry) in parts.stiffness {
        stiffness[*row][*column] = *entry;
    }
    let inertial = product(g, &inertia, &slope);
    let elastic = product(g, &stiffness, &tangent);
    for i in 0..nv {
        for j in 0..nv {
            let sum = g.add(inertial[i][j], elastic[i][j]);
            a[i][j] = g.mul(h2, sum);
        }
    }
    let dense = |rows: &[Vec<(usize, Id)>]| -> Matrix {
        rows.iter()
            .map(|row| {
                let mut dense = vec![zero; nv];
                for (column, entry) in row {
                    dense[*column] = *entry;
                }
                dense
            })
            .collect()
    };
    let b = dense(parts.jacobian);
    for (row, b) in b.iter().enumerate() {
        for (column, entry) in b.iter().enumerate() {
            a[column][nv + row] = *entry;
        }
    }
    if parts.formulation != "Index2" {
        let moved = product(g, &b, &tangent);
        for (row, moved) in moved.iter().enumerate() {
            a[nv + row][..nv].copy_from_slice(moved);
        }
    }
    if parts.formulation != "Index3" {
        let first = if stabilized { nv + nc } else { nv };
        let slopes = hidden_slopes(m, slots);
        let g = &mut m.geometry.graph;
        let (driven, turned) = (product(g, &b, &slope), product(g, &slopes, &tangent));
        for row in 0..nc {
            for column in 0..nv {
                let sum = g.add(driven[row][column], turned[row][column]);
                a[first + row][column] = g.mul(h, sum);
            }
        }
    }
    if stabilized {
        let g = &mut m.geometry.graph;
        let start = dense(parts.start);
        let transposed: Matrix = (0..nv)
            .map(|i| start.iter().map(|row| row[i]).collect())
            .collect();
        let step = g.mul(gamma, h);
        let mut pushed = product(g, &blend, &transposed);
        for entry in pushed.iter_mut().flatten() {
            *entry = g.mul(step, *entry);
        }
        let (inertial, hidden) = (product(g, &inertia, &pushed), product(g, &b, &pushed));
        for column in 0..nc {
            for row in 0..nv {
                a[row][nv + nc + column] = g.mul(h2, inertial[row][column]);
            }
            for row in 0..nc {
                a[nv + nc + row][nv + nc + column] = g.mul(h, hidden[row][column]);
            }
        }
    }

    let g = &mut m.geometry.graph;
    let elimination = Elimination::new(g, &a, nv);
    let mut stored = Vec::new();
    let mut named = elimination.factors.clone();
    for row in &mut named {
        for entry in row {
            if g.value(*entry).is_none() {
                let place = stored.len();
                stored.push(*entry);
                *entry = g.input("lu", place);
            }
        }
    }
    let right = array(g, "right", n);
    let solution = elimination.substitute(g, &named, &right);
    Newton {
        formulation: parts.formulation,
        geom1: parts.geom1,
        factors: stored,
        pivots: elimination.pivots,
        solution,
    }
}

/// What is known of an entry of a body's block of `V` or `P^-1`.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Entry {
    Zero,
    /// `gamma'` in `V`, one in `P^-1`.
    Unit,
    Full,
}

/// Structure of the blocks: `V` and `P^-1` are full in rotations, have a lower left block on
/// semidirect products, and are multiples of the identity elsewhere.
pub(crate) fn block_entry(group: Group, i: usize, j: usize) -> Entry {
    let rotation = group.rotates();
    let semidirect = group.is_semidirect();
    match (i < 3, j < 3) {
        (true, true) if rotation => Entry::Full,
        (false, _) if semidirect => Entry::Full,
        _ if i == j => Entry::Unit,
        _ => Entry::Zero,
    }
}

/// `D_q(B v)` as a matrix.
fn hidden_slopes(m: &mut Mechanics<'_>, slots: &mut Slots) -> Matrix {
    let v = m.direction("v").and_time();
    let rates = m.rates(&v);
    let model = m.model;
    let mut rows = vec![Vec::new(); rates.len()];
    for id in model.body_ids() {
        for (_, along) in m.geometry.basis(id) {
            for (row, rate) in rows.iter_mut().zip(&rates) {
                let slope = m.geometry.scalar_derivative(*rate, &along);
                row.push(m.geometry.lower_scalar(slope));
            }
        }
    }
    rows.iter()
        .map(|row| cut(m.graph(), row, slots, COLD))
        .collect()
}

fn product(g: &mut Graph, a: &Matrix, b: &Matrix) -> Matrix {
    let columns = b.first().map_or(0, Vec::len);
    a.iter()
        .map(|row| {
            (0..columns)
                .map(|j| {
                    let mut sum = g.zero();
                    for (x, b) in row.iter().zip(b) {
                        let product = g.mul(*x, b[j]);
                        sum = g.add(sum, product);
                    }
                    sum
                })
                .collect()
        })
        .collect()
}
