//! The Newton matrix of a generalized-alpha step and its elimination.
//!
//! The unknowns are changed before: `theta = C y` with
//!
//! ```text
//! C = T(theta)^-1   on rotations and semidirect products
//! C = R or I        on the translations of direct products,
//! L = R^T or I      on their equations
//! ```
//!
//! so that `T` is gone from stiffness and constraints, and the axes of the translations are those
//! in which more entries of `B` are numbers ([`Frame`]). With `G = T C`, which is the identity
//! but for `R`, and `S = G^-1 V C`, which is `V T^-1` or `gamma' I`, the matrix of
//! `System::newton_factor` becomes
//!
//! ```text
//! | h^2 [(epsilon' M + L D G) S + L K G]   (B G)^T   h^2 (epsilon' M + L D G) G^-1 E |
//! | B G                                    0         0                               |
//! | h (B G S + D_q(B v) G)                 0         h B G G^-1 E                    |
//! ```
//!
//! For sigma = 0, `V = gamma' I` and `E = gamma' h T^-1 B(q_n)^T`. Functions of the configuration
//! that the constraints fix are replaced by their values (see [`manifold`](super::manifold)):
//! that changes the matrix by terms of the size of `Phi`, which is a residual or, in index 2, a drift.
//! There small models have the exact matrix; in large ones the same entries serve all
//! formulations. The configuration is read from `q`, not from the geometry.

mod large;

use std::collections::HashMap;

use super::manifold::{fixed_values, substituted};
use super::samples::Samples;
use super::{Outputs, array};
use crate::elimination::{Elimination, Matrix, Sample};
use crate::expr::{Graph, Id, Node};
use crate::geometry::{Frame, Scalar};
use crate::groups;
use crate::mechanics::Mechanics;
use crate::model::{BodyId, Group};

pub(crate) use large::Large;
pub(super) use large::large;

/// The Newton matrix of one formulation.
#[derive(Debug)]
pub(crate) struct Newton {
    pub(crate) formulation: &'static str,
    /// The sigma that it is for.
    pub(crate) sigma: Sigma,
    /// What the solution reads, in the order of the workspace `lu`.
    pub(crate) factors: Outputs,
    pub(crate) growth: Outputs,
    /// The correction, of residuals and factors.
    pub(crate) solution: Outputs,
    /// The correction of residuals in one go, if it is written out: factors that are used once
    /// need no memory.
    pub(crate) correction: Option<Outputs>,
}

/// Which sigma a matrix is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sigma {
    /// Zero, where `V = gamma' I`.
    Zero,
    /// Any but zero.
    Other,
    /// Any: `V` and `P^-1` are always given.
    Any,
}

/// What the matrices of all formulations are made of.
pub(super) struct Parts {
    /// `B G`.
    jacobian: Matrix,
    /// `B` at the start of the step.
    start: Matrix,
    /// Of joints, linear in the multipliers.
    joint_stiffness: Vec<(usize, usize, Id)>,
    force_stiffness: Vec<(usize, usize, Id)>,
    damping: Vec<(usize, usize, Id)>,
    /// `D_q(B v) G`.
    hidden: Matrix,
    /// Where translations are in the axes of the bodies: rotation matrices of those on direct
    /// products, with their first translation.
    rotations: Vec<Turn>,
    /// In which axes the translations of direct products are.
    frame: Frame,
}

impl Parts {
    pub(super) fn new(m: &mut Mechanics<'_>, phi: &[Id], start: Matrix) -> Self {
        let (model, nv) = (m.model, m.model.dof());
        let known = fixed_values(m.graph(), phi);
        let finish = |m: &mut Mechanics<'_>, entries: Vec<(usize, usize, Id)>| {
            let values: Vec<Id> = entries.iter().map(|(_, _, value)| *value).collect();
            let values = substituted(m.graph(), &values, &known);
            let values = m.graph().shorter(&values);
            let places = entries.iter().map(|(row, column, _)| (*row, *column));
            let entries: Vec<(usize, usize, Id)> = places
                .zip(values)
                .map(|((row, column), value)| (row, column, value))
                .collect();
            entries
        };
        let phi = m.phi.clone();
        let derivatives = |m: &mut Mechanics<'_>, functions: &[Scalar], axes: Frame| {
            let mut entries = Vec::new();
            for id in model.body_ids() {
                for (column, along) in m.geometry.directions(id, axes) {
                    for (row, function) in functions.iter().enumerate() {
                        let slope = m.geometry.scalar_derivative(*function, &along);
                        entries.push((row, column, m.geometry.lower_scalar(slope)));
                    }
                }
            }
            finish(m, entries)
        };
        let [inertial, own] = [Frame::Group, Frame::Body].map(|axes| derivatives(m, &phi, axes));
        let unknown = |m: &Mechanics<'_>, entries: &[(usize, usize, Id)]| {
            let graph = &m.geometry.graph;
            let unknown = |(_, _, value): &&(usize, usize, Id)| graph.value(*value).is_none();
            entries.iter().filter(unknown).count()
        };
        let (axes, jacobian) = if unknown(m, &own) < unknown(m, &inertial) {
            (Frame::Body, own)
        } else {
            (Frame::Group, inertial)
        };
        let along = m.direction("v").and_time();
        let rates = m.rates(&along);
        let hidden = derivatives(m, &rates, axes);
        let mut rotations = Vec::new();
        let turned = |id: &BodyId| axes == Frame::Body && model.body(*id).group.is_direct();
        for id in model.body_ids().filter(turned) {
            let entries = rotation(m, id);
            let entries = finish(m, entries);
            let matrix = core::array::from_fn(|i| core::array::from_fn(|j| entries[3 * i + j].2));
            rotations.push((model.body(id).velocity + 3, matrix));
        }
        let joint_stiffness = m.joint_stiffness(axes);
        let joint_stiffness = finish(m, joint_stiffness);
        let mut force_stiffness = Vec::new();
        m.geometry.joints_hold = true;
        m.add_force_stiffness(&mut force_stiffness);
        m.geometry.joints_hold = false;
        let force_stiffness = finish(m, force_stiffness);
        let damping = m.damping();
        let damping = finish(m, damping);
        let g = m.graph();
        let (rows, zero) = (phi.len(), g.zero());
        let dense = |entries: &[(usize, usize, Id)]| {
            let mut matrix = vec![vec![zero; nv]; rows];
            for (row, column, value) in entries {
                matrix[*row][*column] = *value;
            }
            matrix
        };
        Self {
            jacobian: dense(&jacobian),
            start,
            joint_stiffness,
            force_stiffness: in_axes(g, &force_stiffness, &rotations, nv),
            damping: in_axes(g, &damping, &rotations, nv),
            hidden: dense(&hidden),
            rotations,
            frame: axes,
        }
    }
}

/// Entries of the rotation matrix of a body.
fn rotation(m: &mut Mechanics<'_>, id: BodyId) -> Vec<(usize, usize, Id)> {
    let columns: [[Id; 3]; 3] = core::array::from_fn(|j| {
        let unit = core::array::from_fn(|i| f64::from(u8::from(i == j)));
        let unit = m.geometry.constant(unit);
        let column = m.geometry.rotated(Some(id), unit);
        m.geometry.lower(column)
    });
    (0..9)
        .map(|k| (k / 3, k % 3, columns[k % 3][k / 3]))
        .collect()
}

/// `L A G`.
fn in_axes(
    g: &mut Graph,
    entries: &[(usize, usize, Id)],
    rotations: &[Turn],
    nv: usize,
) -> Vec<(usize, usize, Id)> {
    let mut a = vec![vec![g.zero(); nv]; nv];
    for (row, column, value) in entries {
        a[*row][*column] = *value;
    }
    for (first, r) in rotations {
        for row in &mut a {
            let old = [row[*first], row[first + 1], row[first + 2]];
            for j in 0..3 {
                row[first + j] = g.dot(&old, &[r[0][j], r[1][j], r[2][j]]);
            }
        }
        for column in 0..nv {
            let old: [Id; 3] = core::array::from_fn(|i| a[first + i][column]);
            for i in 0..3 {
                a[first + i][column] = g.dot(&old, &[r[0][i], r[1][i], r[2][i]]);
            }
        }
    }
    let mut entries = Vec::new();
    for (i, row) in a.iter().enumerate() {
        for (j, value) in row.iter().enumerate() {
            if !g.is_zero(*value) {
                entries.push((i, j, *value));
            }
        }
    }
    entries
}

/// The Newton matrix of one formulation, factored.
pub(super) fn newton(
    m: &mut Mechanics<'_>,
    parts: &Parts,
    samples: &Samples,
    kind: (&'static str, Sigma),
) -> Newton {
    let blocks = Blocks::new(&mut m.geometry.graph, m.model, kind.1 == Sigma::Zero);
    let a = matrix(m, parts, &blocks, kind, scaled_multiplier);
    let values = samples.of(m.graph(), &a);
    eliminated(m, parts, &values, &blocks, kind, &a)
}

/// `h^2 lambda`.
fn scaled_multiplier(g: &mut Graph, row: usize) -> Id {
    let (h, lambda) = (g.number("h"), g.input("lambda", row));
    let h2 = g.mul(h, h);
    g.mul(h2, lambda)
}

fn matrix(
    m: &mut Mechanics<'_>,
    parts: &Parts,
    blocks: &Blocks,
    (formulation, sigma): (&'static str, Sigma),
    scaled: fn(&mut Graph, usize) -> Id,
) -> Matrix {
    let geom1 = sigma == Sigma::Zero;
    let (model, nv, nc) = (m.model, m.model.dof(), m.phi.len());
    let mass = m.mass.clone();
    let g = &mut m.geometry.graph;
    let stabilized = formulation == "StabilizedIndex2";
    let n = nv + nc + if stabilized { nc } else { 0 };
    let (h, epsilon, gamma) = (g.number("h"), g.number("epsilon_h"), g.number("gamma_h"));
    let h2 = g.mul(h, h);
    let zero = g.zero();
    // h^2 (epsilon' M + L D G), times gamma' where that is taken out of S
    let inertia = |g: &mut Graph, scale: Id| -> Matrix {
        let of_mass = g.mul(scale, epsilon);
        let mut inertia = vec![vec![zero; nv]; nv];
        for (block, body) in mass.iter().zip(&model.bodies) {
            for (i, row) in block.iter().enumerate() {
                for (j, entry) in row.iter().enumerate() {
                    inertia[body.velocity + i][body.velocity + j] = g.mul(*entry, of_mass);
                }
            }
        }
        for (row, column, entry) in &parts.damping {
            let entry = g.mul(scale, *entry);
            inertia[*row][*column] = g.add(inertia[*row][*column], entry);
        }
        inertia
    };
    let scale = if geom1 { g.mul(h2, gamma) } else { h2 };
    let weighted = inertia(g, scale);
    let mut a = vec![vec![zero; n]; n];
    for (row, values) in product(g, &weighted, &blocks.slope).iter().enumerate() {
        a[row][..nv].copy_from_slice(values);
    }
    let (joints, forces) = (&parts.joint_stiffness, &parts.force_stiffness);
    let of_joints: Vec<Id> = joints.iter().map(|(_, _, value)| *value).collect();
    let of_joints = g.rewrite(&of_joints, &mut |g, id| match g.node(id) {
        Node::Input(input) if input.array == "lambda" => Some(scaled(g, input.index? as usize)),
        _ => None,
    });
    for ((row, column, _), value) in joints.iter().zip(of_joints) {
        a[*row][*column] = g.add(a[*row][*column], value);
    }
    for (row, column, value) in forces {
        let value = g.mul(h2, *value);
        a[*row][*column] = g.add(a[*row][*column], value);
    }
    let b = &parts.jacobian;
    for row in 0..nc {
        for column in 0..nv {
            a[column][nv + row] = b[row][column];
            if formulation != "Index2" {
                a[nv + row][column] = b[row][column];
            }
        }
    }
    if formulation != "Index3" {
        let first = if stabilized { nv + nc } else { nv };
        let driven = product(g, b, &blocks.slope);
        let factor = if geom1 { g.mul(h, gamma) } else { h };
        for row in 0..nc {
            for column in 0..nv {
                let (x, y) = (
                    g.mul(factor, driven[row][column]),
                    g.mul(h, parts.hidden[row][column]),
                );
                a[first + row][column] = g.add(x, y);
            }
        }
    }
    if stabilized {
        // gamma' h G^-1 P^-1 B(q_n)^T
        let mut start: Matrix = (0..nv)
            .map(|i| parts.start.iter().map(|row| row[i]).collect())
            .collect();
        for (first, r) in &parts.rotations {
            for column in 0..nc {
                let old: [Id; 3] = core::array::from_fn(|i| start[first + i][column]);
                for i in 0..3 {
                    start[first + i][column] = g.dot(&old, &[r[0][i], r[1][i], r[2][i]]);
                }
            }
        }
        let factor = g.mul(gamma, h);
        let mut pushed = product(g, &blocks.blend, &start);
        for entry in pushed.iter_mut().flatten() {
            *entry = g.mul(factor, *entry);
        }
        let plain = inertia(g, h2);
        let (inertial, hidden) = (product(g, &plain, &pushed), product(g, b, &pushed));
        for column in 0..nc {
            for row in 0..nv {
                a[row][nv + nc + column] = inertial[row][column];
            }
            for row in 0..nc {
                a[nv + nc + row][nv + nc + column] = g.mul(h, hidden[row][column]);
            }
        }
    }
    a
}

/// The elimination of a matrix, and the change of unknowns around it.
fn eliminated(
    m: &mut Mechanics<'_>,
    parts: &Parts,
    samples: &[Sample],
    blocks: &Blocks,
    (formulation, sigma): (&'static str, Sigma),
    a: &Matrix,
) -> Newton {
    let nv = m.model.dof();
    let g = &mut m.geometry.graph;
    let mut elimination = Elimination::new(g, a, samples);
    let mut factors: Outputs = Vec::new();
    let mut places: HashMap<Id, Id> = HashMap::new();
    let mut name = |g: &mut Graph, id: Id| {
        if g.value(id).is_some() {
            return id;
        }
        let (positive, negative) = match g.node(id) {
            Node::Neg(positive) => (positive, true),
            _ => (id, false),
        };
        let named = *places.entry(positive).or_insert_with(|| {
            factors.push(positive);
            g.input("lu", factors.len() - 1)
        });
        if negative { g.neg(named) } else { named }
    };
    let right = array(g, "right", a.len());
    let fused = formulation == "Index3" && sigma != Sigma::Any;
    let correction = fused.then(|| {
        let change = (&parts.rotations[..], &blocks.inverse_tangent);
        solution(g, &elimination, change, &right, nv)
    });
    let rotations: Vec<Turn> = parts
        .rotations
        .iter()
        .map(|(first, r)| (*first, r.map(|row| row.map(|x| name(g, x)))))
        .collect();
    let inverse: Matrix = blocks
        .inverse_tangent
        .iter()
        .map(|row| row.iter().map(|x| name(g, *x)).collect())
        .collect();
    elimination.rename(g, &mut name);
    let solution = solution(g, &elimination, (&rotations, &inverse), &right, nv);
    Newton {
        formulation,
        sigma,
        factors,
        growth: elimination.growth,
        solution,
        correction,
    }
}

/// The first translation of a body, and its rotation matrix.
type Turn = (usize, [[Id; 3]; 3]);

/// `C A^-1 L right`.
fn solution(
    g: &mut Graph,
    elimination: &Elimination,
    (rotations, inverse_tangent): (&[Turn], &Matrix),
    right: &[Id],
    nv: usize,
) -> Outputs {
    let mut changed = right.to_vec();
    turn(g, rotations, &mut changed);
    back_substituted(g, elimination, (rotations, inverse_tangent), &changed, nv)
}

/// `L right`.
fn turn(g: &mut Graph, rotations: &[Turn], right: &mut [Id]) {
    for (first, r) in rotations {
        let old: [Id; 3] = core::array::from_fn(|i| right[first + i]);
        for i in 0..3 {
            right[first + i] = g.dot(&old, &[r[0][i], r[1][i], r[2][i]]);
        }
    }
}

/// `C A^-1 changed`.
fn back_substituted(
    g: &mut Graph,
    elimination: &Elimination,
    (rotations, inverse_tangent): (&[Turn], &Matrix),
    changed: &[Id],
    nv: usize,
) -> Outputs {
    let y = elimination.substitute(g, changed);
    let mut solution = y.clone();
    for (i, row) in inverse_tangent.iter().enumerate() {
        solution[i] = g.dot(row, &y[..nv]);
    }
    for (first, r) in rotations {
        for (i, row) in r.iter().enumerate() {
            solution[first + i] = g.dot(row, &y[*first..first + 3]);
        }
    }
    solution
}

/// The eliminated matrix of index 3 with sigma = 0, whose multipliers are the array `impulse`.
pub(super) struct Eliminated<'a> {
    parts: &'a Parts,
    blocks: Blocks,
    elimination: Elimination,
}

pub(super) fn eliminated_index3<'a>(
    m: &mut Mechanics<'_>,
    parts: &'a Parts,
    samples: &Samples,
) -> Eliminated<'a> {
    let kind = ("Index3", Sigma::Zero);
    let blocks = Blocks::new(&mut m.geometry.graph, m.model, true);
    // Samples have multipliers and no impulses.
    let values = matrix(m, parts, &blocks, kind, scaled_multiplier);
    let values = samples.of(m.graph(), &values);
    let a = matrix(m, parts, &blocks, kind, |g, row| g.input("impulse", row));
    Eliminated {
        parts,
        blocks,
        elimination: Elimination::new(m.graph(), &a, &values),
    }
}

impl Eliminated<'_> {
    pub(super) fn frame(&self) -> Frame {
        self.parts.frame
    }

    pub(super) fn growth(&self) -> &[Id] {
        &self.elimination.growth
    }

    /// `L right`.
    pub(super) fn turn(&self, g: &mut Graph, right: &mut [Id]) {
        turn(g, &self.parts.rotations, right);
    }

    /// The correction of a residual in the axes of the elimination.
    pub(super) fn solution(&self, g: &mut Graph, residual: &[Id], nv: usize) -> Outputs {
        let change = (&self.parts.rotations[..], &self.blocks.inverse_tangent);
        back_substituted(g, &self.elimination, change, residual, nv)
    }
}

/// Block diagonal matrices, by rows.
struct Blocks {
    /// `S`, without the factor `gamma'` for sigma = 0.
    slope: Matrix,
    /// `P^-1`.
    blend: Matrix,
    inverse_tangent: Matrix,
}

impl Blocks {
    fn new(g: &mut Graph, model: &crate::model::Model, geom1: bool) -> Self {
        let nv = model.dof();
        let gamma = g.number("gamma_h");
        let empty = vec![vec![g.zero(); nv]; nv];
        let (mut slope, mut blend, mut inverse_tangent) = (empty.clone(), empty.clone(), empty);
        let mut place = 0;
        for body in &model.bodies {
            let dof = body.group.dof();
            let inverse = groups::inverse_tangent(g, body.group, body.velocity);
            for (i, j) in (0..dof * dof).map(|k| (k / dof, k % dof)) {
                let (row, column) = (body.velocity + i, body.velocity + j);
                inverse_tangent[row][column] = inverse[i][j];
                (slope[row][column], blend[row][column]) = match block_entry(body.group, i, j) {
                    Entry::Zero => (g.zero(), g.zero()),
                    _ if geom1 => (inverse[i][j], inverse[i][j]),
                    Entry::Unit => (gamma, g.one()),
                    Entry::Full => {
                        let pair = (g.input("slope", place), g.input("blend", place));
                        place += 1;
                        pair
                    }
                };
            }
        }
        Self {
            slope,
            blend,
            inverse_tangent,
        }
    }
}

/// What is known of an entry of a body's block of `V T^-1` or `P^-1`.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Entry {
    Zero,
    /// `gamma'` in `V T^-1`, one in `P^-1`.
    Unit,
    Full,
}

/// Structure of the blocks: they are full in rotations, have a lower left block on
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

fn product(g: &mut Graph, a: &Matrix, b: &Matrix) -> Matrix {
    let columns = b.first().map_or(0, Vec::len);
    a.iter()
        .map(|row| {
            let mut out = vec![g.zero(); columns];
            for (x, b) in row.iter().zip(b) {
                if g.is_zero(*x) {
                    continue;
                }
                for (out, b) in out.iter_mut().zip(b) {
                    let product = g.mul(*x, *b);
                    *out = g.add(*out, product);
                }
            }
            out
        })
        .collect()
}
