//! Newton matrices of large models: entries from generated code, elimination in the runtime.
//!
//! The unknowns are changed, `theta = C y`, as in the macro: `C = T(theta)^-1` on rotations and
//! semidirect products and `R` or `I` on the translations of direct products, whose equations are
//! multiplied with `L = C^T`. Generated code gives the entries of
//!
//! ```text
//! | h^2 [(epsilon' M + D) V + K T] C    (multiplied with L)
//! | B T C                               and its transpose
//! | h (B V + D_q(B v) T) C
//! ```
//!
//! and those of the columns of `eta`, `h^2 (epsilon' M + D) E` and `h B E` with
//! `E = gamma' h P^-1 B(q_n)^T`. With redundant constraints the matrix is singular, and solved with
//! least norm.

use super::blocks::{Block, inverse_blend};
use super::dense::{Dense, in_one_piece};
use super::pivoted::singular_newton;
use super::sparse::Sparse;
use crate::error::Fault;
use crate::lie::{GroupKind, Space};
use crate::system::{Formulation, NewtonPoint, NewtonVectors, System};
use crate::view::BodyView;

/// Where the values that generated code computes are in a matrix.
///
/// Lists of three numbers for each entry: its row, its column, and which value it is, counted from
/// one, or minus that value.
#[derive(Clone, Copy, Debug, Default)]
pub struct Structure {
    /// In the equations of motion.
    pub motion: &'static [i32],
    /// In `B`.
    pub jacobian: &'static [i32],
    /// In `B`, of the values `fixed`.
    pub constant: &'static [i32],
    /// Values that are always the same.
    pub fixed: &'static [f64],
    /// In the rows of `h B v`.
    pub hidden: &'static [i32],
    /// In the columns of `eta`, those in the rows of `h B v` below the equations of motion.
    pub eta: &'static [i32],
    /// Whether the translations of direct products are in the axes of the bodies, `C = R`.
    pub turned: bool,
}

/// Rows and columns in a list.
fn places(list: &'static [i32]) -> impl Iterator<Item = (usize, usize)> {
    let number = |x: i32| x.unsigned_abs() as usize;
    list.chunks_exact(3)
        .map(move |entry| (number(entry[0]), number(entry[1])))
}

/// The entries of a list, of these values.
fn entries_of(list: &[i32], values: &[f64]) -> impl Iterator<Item = f64> {
    list.chunks_exact(3).map(|entry| {
        let value = values[entry[2].unsigned_abs() as usize - 1];
        if entry[2] < 0 { -value } else { value }
    })
}

/// The Newton matrix of a large model and what its solution needs; empty for a small one.
#[derive(Clone, Debug, Default)]
pub struct SparseNewton {
    structure: Structure,
    /// Which matrix the sparse one has the places of.
    formulation: Option<Formulation>,
    sparse: Sparse,
    /// `C` of each body.
    changes: Vec<Change>,
    right: Vec<f64>,
}

/// `C` of one body.
#[derive(Clone, Copy, Debug)]
enum Change {
    None,
    /// `T^-1`.
    Tangent(Block),
    /// `T^-1` on the rotation and `R` on the translation.
    Turn(Block, [[f64; 3]; 3]),
}

impl SparseNewton {
    /// Memory for all formulations.
    pub fn new(space: &Space, constraints: usize, structure: Structure) -> Self {
        let size = space.dof() + 2 * constraints;
        let jacobian = structure.jacobian.len() + structure.constant.len();
        let stabilized = structure.hidden.len() + structure.eta.len();
        let lists = structure.motion.len() + 2 * jacobian + stabilized;
        Self {
            structure,
            formulation: None,
            sparse: Sparse::with_capacity(size, lists / 3),
            changes: vec![Change::None; space.factors().len()],
            right: vec![0.0; size],
        }
    }

    /// The places of a matrix, in the order in which [`factor`] gives the values.
    fn set_places(&mut self, (nv, nc): (usize, usize), formulation: Formulation) {
        let structure = self.structure;
        let (sparse, stabilized) = (&mut self.sparse, is_stabilized(formulation));
        sparse.reset(nv + nc + if stabilized { nc } else { 0 });
        let mut push = |first: usize, list| {
            places(list).for_each(|(row, column)| sparse.push(first + row, column));
        };
        push(0, structure.motion);
        if formulation != Formulation::Index2 {
            push(nv, structure.jacobian);
        }
        if formulation != Formulation::Index3 {
            let first = if stabilized { nv + nc } else { nv };
            push(first, structure.hidden);
        }
        for (row, column) in places(structure.jacobian) {
            sparse.push(column, nv + row);
        }
        if stabilized {
            for (row, column) in places(structure.eta) {
                let below = if row < nv { 0 } else { nc };
                sparse.push(row + below, nv + nc + column);
            }
        }
        let values = entries_of(structure.constant, structure.fixed);
        for ((row, column), value) in places(structure.constant).zip(values) {
            sparse.push_fixed(column, nv + row, value);
            if formulation != Formulation::Index2 {
                sparse.push_fixed(nv + row, column, value);
            }
        }
        self.formulation = Some(formulation);
    }

    fn set_changes<S: System>(&mut self, space: &Space, point: &NewtonPoint<'_, S>) {
        let q = point.q.as_ref();
        for (factor, change) in space.factors().zip(&mut self.changes) {
            let kind = factor.kind;
            if let GroupKind::Rn(_) = kind {
                continue;
            }
            let tangent = inverse_blend(kind, 0.0, &point.theta.as_ref()[factor.velocity.clone()]);
            *change = match kind {
                GroupKind::SO3xR3 | GroupKind::S3xR3 if self.structure.turned => {
                    let view = BodyView::new(kind, &q[factor.config.clone()], &[], [0.0; 3]);
                    Change::Turn(tangent, view.rotation_matrix())
                }
                _ => Change::Tangent(tangent),
            };
        }
    }
}

fn is_stabilized(formulation: Formulation) -> bool {
    formulation == Formulation::StabilizedIndex2
}

/// [`Implicit::newton_factor`](crate::system::Implicit::newton_factor) with the entries of motion and
/// `B` in one array, those of `h B v` and those of the columns of `eta` in others.
///
/// # Errors
/// [`Fault::SingularNewton`] if the matrix is singular.
#[inline(never)]
pub fn factor<S: System>(
    system: &S,
    formulation: Formulation,
    point: &NewtonPoint<'_, S>,
    (entries, hidden, eta): (&[f64], &[f64], &[f64]),
    (newton, dense): (&mut SparseNewton, &mut Dense),
) -> Result<(), Fault> {
    if newton.formulation != Some(formulation) {
        let sizes = (system.space().dof(), system.constraint_count());
        newton.set_places(sizes, formulation);
    }
    let Structure {
        motion, jacobian, ..
    } = newton.structure;
    let (mut below, mut of_velocity) = (jacobian, newton.structure.hidden);
    let mut of_eta = &[][..];
    match formulation {
        Formulation::Index3 => of_velocity = &[],
        Formulation::Index2 => below = &[],
        Formulation::StabilizedIndex2 => of_eta = newton.structure.eta,
    }
    let mut rest = &mut newton.sparse.entries[..];
    for (list, values) in [
        (motion, entries),
        (below, entries),
        (of_velocity, hidden),
        (jacobian, entries),
        (of_eta, eta),
    ] {
        let (part, others) = rest.split_at_mut(list.len() / 3);
        for (entry, value) in part.iter_mut().zip(entries_of(list, values)) {
            *entry = value;
        }
        rest = others;
    }
    let size = newton.sparse.size();
    let factored = if dense.is_least_norm(size) {
        dense.clear(size);
        for (row, column, entry) in newton.sparse.given() {
            dense.add(row, column, entry);
        }
        change_back(system.space(), point, newton.structure.turned, dense);
        dense.factor()
    } else {
        newton.set_changes(system.space(), point);
        newton.sparse.factor()
    };
    factored.map_err(|singular| singular_newton(system, &singular))
}

/// `L^-1 A C^-1`: what is left of a right side outside the range of a singular matrix depends on
/// the axes.
fn change_back<S: System>(
    space: &Space,
    point: &NewtonPoint<'_, S>,
    turned: bool,
    dense: &mut Dense,
) {
    for factor in space.factors() {
        let (kind, range) = (factor.kind, factor.velocity.clone());
        if let GroupKind::Rn(_) = kind {
            continue;
        }
        let (n, mut inverse) = (range.len(), [0.0; 36]);
        let inverse = &mut inverse[..n * n];
        kind.tangent_into(&point.theta.as_ref()[range.clone()], inverse);
        if let GroupKind::SO3xR3 | GroupKind::S3xR3 = kind
            && turned
        {
            let q = &point.q.as_ref()[factor.config.clone()];
            let r = BodyView::new(kind, q, &[], [0.0; 3]).rotation_matrix();
            for (j, row) in r.iter().enumerate() {
                for (i, entry) in row.iter().enumerate() {
                    inverse[(3 + i) * n + 3 + j] = *entry;
                }
            }
            dense.multiply_rows(range.start + 3, &r);
        }
        dense.multiply_columns(range.start, n, inverse);
    }
}

/// `L x`.
fn turn_back(space: &Space, changes: &[Change], x: &mut [f64]) {
    for (factor, change) in space.factors().zip(changes) {
        if let Change::Turn(_, r) = change {
            let part = &mut x[factor.velocity.start + 3..factor.velocity.end];
            let old = [part[0], part[1], part[2]];
            for (i, x) in part.iter_mut().enumerate() {
                *x = r[0][i] * old[0] + r[1][i] * old[1] + r[2][i] * old[2];
            }
        }
    }
}

/// `C y` in place.
fn change(space: &Space, changes: &[Change], y: &mut [f64]) {
    for (factor, change) in space.factors().zip(changes) {
        let part = &mut y[factor.velocity.clone()];
        match change {
            Change::None => {}
            Change::Tangent(tangent) => tangent.multiply(part),
            Change::Turn(tangent, r) => {
                let (rotation, translation) = part.split_at_mut(3);
                tangent.multiply(rotation);
                let old = [translation[0], translation[1], translation[2]];
                for (x, row) in translation.iter_mut().zip(r) {
                    *x = row[0] * old[0] + row[1] * old[1] + row[2] * old[2];
                }
            }
        }
    }
}

/// [`Implicit::newton_solve`](crate::system::Implicit::newton_solve) with the last factors of [`factor`].
#[inline(never)]
pub fn solve<S: System>(
    system: &S,
    vectors: &mut NewtonVectors<S>,
    (newton, dense): (&mut SparseNewton, &mut Dense),
) {
    let size = newton.sparse.size();
    if dense.is_least_norm(size) {
        return super::pivoted::newton_solve(vectors, dense);
    }
    let space = system.space();
    turn_back(space, &newton.changes, vectors.dynamics.as_mut());
    let parts = [
        vectors.dynamics.as_mut(),
        vectors.constraint.as_mut(),
        vectors.hidden.as_mut(),
    ];
    let right = &mut newton.right[..size];
    in_one_piece(parts, right, |x| newton.sparse.solve(x));
    change(space, &newton.changes, vectors.dynamics.as_mut());
}
