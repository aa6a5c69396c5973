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
//! The columns of `eta` are found from products: `E e_j = gamma' h P^-1 B(q_n)^T e_j`, for several
//! `j` at once where no row of the matrix has entries of two of them.

use super::blocks::{Block, inverse_blend};
use super::pivoted::singular_newton;
use super::sparse::Sparse;
use crate::error::Fault;
use crate::lie::{GroupKind, Space};
use crate::system::{Formulation, NewtonCoefficients, NewtonPoint, NewtonVectors, System};
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
    /// Of `D`, without values.
    pub damping: &'static [i32],
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
    /// Places in the columns of `eta`.
    eta: Vec<(usize, usize)>,
    /// Columns of `eta` that are found at once.
    together: Vec<Disjoint>,
    /// `P^-1` of each body.
    blends: Vec<Option<Block>>,
    /// `C` of each body.
    changes: Vec<Change>,
    right: Vec<f64>,
}

/// Columns of `eta` without common rows.
#[derive(Clone, Debug, Default)]
struct Disjoint {
    columns: Vec<usize>,
    /// Row of each entry, and which of all places it is.
    entries: Vec<(usize, usize)>,
    rows: Vec<bool>,
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
        let eta = eta_places(space, constraints, &structure);
        let jacobian = structure.jacobian.len() + structure.constant.len();
        let lists = structure.motion.len() + 2 * jacobian + structure.hidden.len();
        Self {
            structure,
            formulation: None,
            sparse: Sparse::with_capacity(size, lists / 3 + eta.len()),
            together: together(&eta, size),
            eta,
            blends: vec![None; space.factors().len()],
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
            for (row, column) in &self.eta {
                sparse.push(*row, *column);
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
}

fn is_stabilized(formulation: Formulation) -> bool {
    formulation == Formulation::StabilizedIndex2
}

/// Where the columns of `eta` may have entries, column by column: `(epsilon' M + D) E` and `B E`.
fn eta_places(space: &Space, nc: usize, structure: &Structure) -> Vec<(usize, usize)> {
    let nv = space.dof();
    let body_of = |column: usize| {
        let mut factors = space.factors();
        factors.position(|factor| factor.velocity.contains(&column))
    };
    let mut touched = vec![vec![false; space.factors().len()]; nc];
    for (row, column) in places(structure.jacobian).chain(places(structure.constant)) {
        if let Some(body) = body_of(column) {
            touched[row][body] = true;
        }
    }
    let mut found = Vec::new();
    for (column, bodies) in touched.iter().enumerate() {
        let mut rows = vec![false; nv + 2 * nc];
        for (factor, touched) in space.factors().zip(bodies) {
            if *touched {
                rows[factor.velocity.clone()].fill(true);
            }
        }
        for (row, by) in places(structure.damping) {
            if body_of(by).is_some_and(|body| bodies[body]) {
                rows[row] = true;
            }
        }
        for (row, others) in touched.iter().enumerate() {
            rows[nv + nc + row] = others.iter().zip(bodies).any(|(a, b)| *a && *b);
        }
        let rows = rows.iter().enumerate().filter(|(_, used)| **used);
        found.extend(rows.map(|(row, _)| (row, nv + nc + column)));
    }
    found
}

/// Puts each column with the first others that have none of its rows.
fn together(places: &[(usize, usize)], size: usize) -> Vec<Disjoint> {
    let mut groups: Vec<Disjoint> = Vec::new();
    let mut first = 0;
    for column in places.chunk_by(|a, b| a.1 == b.1) {
        let free = |group: &Disjoint| column.iter().all(|(row, _)| !group.rows[*row]);
        let found = groups.iter().position(free).unwrap_or_else(|| {
            groups.push(Disjoint {
                rows: vec![false; size],
                ..Disjoint::default()
            });
            groups.len() - 1
        });
        let group = &mut groups[found];
        group.columns.push(column[0].1);
        for (at, (row, _)) in column.iter().enumerate() {
            group.rows[*row] = true;
            group.entries.push((*row, first + at));
        }
        first += column.len();
    }
    groups
}

/// [`System::newton_factor`] with the entries of motion and `B` in one array, those of `h B v` in
/// another.
///
/// # Errors
/// [`Fault::SingularNewton`] if the matrix is singular.
#[inline(never)]
pub fn factor<S: System>(
    system: &S,
    coefficients: &NewtonCoefficients,
    point: &NewtonPoint<'_, S>,
    (entries, hidden): (&[f64], &[f64]),
    newton: &mut SparseNewton,
) -> Result<(), Fault> {
    let formulation = coefficients.formulation;
    if newton.formulation != Some(formulation) {
        let sizes = (system.space().dof(), system.constraint_count());
        newton.set_places(sizes, formulation);
    }
    let q = point.q.as_ref();
    for (factor, change) in system.space().factors().zip(&mut newton.changes) {
        let kind = factor.kind;
        if let GroupKind::Rn(_) = kind {
            continue;
        }
        let tangent = inverse_blend(kind, 0.0, &point.theta.as_ref()[factor.velocity.clone()]);
        *change = match kind {
            GroupKind::SO3xR3 | GroupKind::S3xR3 if newton.structure.turned => {
                let view = BodyView::new(kind, &q[factor.config.clone()], &[], [0.0; 3]);
                Change::Turn(tangent, view.rotation_matrix())
            }
            _ => Change::Tangent(tangent),
        };
    }
    let Structure {
        motion, jacobian, ..
    } = newton.structure;
    let (mut below, mut of_velocity) = (jacobian, newton.structure.hidden);
    match formulation {
        Formulation::Index3 => of_velocity = &[],
        Formulation::Index2 => below = &[],
        Formulation::StabilizedIndex2 => {}
    }
    let mut rest = &mut newton.sparse.entries[..];
    for (list, values) in [
        (motion, entries),
        (below, entries),
        (of_velocity, hidden),
        (jacobian, entries),
    ] {
        let (part, others) = rest.split_at_mut(list.len() / 3);
        for (entry, value) in part.iter_mut().zip(entries_of(list, values)) {
            *entry = value;
        }
        rest = others;
    }
    if is_stabilized(formulation) {
        for (factor, blend) in system.space().factors().zip(&mut newton.blends) {
            if !matches!(factor.kind, GroupKind::Rn(_)) {
                let theta = &point.theta.as_ref()[factor.velocity.clone()];
                *blend = Some(inverse_blend(factor.kind, coefficients.sigma, theta));
            }
        }
        let (groups, blocks) = (&newton.together, (&newton.blends[..], &newton.changes[..]));
        eta_columns(system, coefficients, point, groups, blocks, rest);
    }
    let factored = newton.sparse.factor();
    factored.map_err(|lost| singular_newton(system, lost))
}

/// The columns of `eta`: `h^2 (epsilon' M + D) E`, turned, and `h B E`.
fn eta_columns<S: System>(
    system: &S,
    coefficients: &NewtonCoefficients,
    point: &NewtonPoint<'_, S>,
    together: &[Disjoint],
    (blends, changes): (&[Option<Block>], &[Change]),
    out: &mut [f64],
) {
    let &NewtonCoefficients {
        h,
        gamma_h,
        epsilon_h,
        ..
    } = coefficients;
    let space = system.space();
    let (nv, nc) = (space.dof(), system.constraint_count());
    let mut unit = system.new_multiplier();
    let (mut driven, mut damped) = (system.new_velocity(), system.new_velocity());
    let mut inertial = system.new_velocity();
    let mut rows = system.new_multiplier();
    for Disjoint {
        columns, entries, ..
    } in together
    {
        for column in columns {
            unit.as_mut()[column - nv - nc] = gamma_h * h;
        }
        system.jacobian_transpose_times(point.geometry_start, &unit, &mut driven);
        unit.as_mut().fill(0.0);
        for (factor, blend) in space.factors().zip(blends) {
            if let Some(blend) = blend {
                blend.multiply(&mut driven.as_mut()[factor.velocity.clone()]);
            }
        }
        system.mass_times(&driven, &mut inertial);
        let (q, g, v) = (point.q, point.geometry, point.v);
        system.damping_times(point.t, q, g, v, &driven, &mut damped);
        for (x, damped) in inertial.as_mut().iter_mut().zip(damped.as_ref()) {
            *x = h * h * (epsilon_h * *x + damped);
        }
        turn_back(space, changes, inertial.as_mut());
        system.jacobian_times(g, &driven, &mut rows);
        for (row, at) in entries {
            out[*at] = match row.checked_sub(nv + nc) {
                None => inertial.as_ref()[*row],
                Some(row) => h * rows.as_ref()[row],
            };
        }
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

/// [`System::newton_solve`] with the last factors of [`factor`].
#[inline(never)]
pub fn solve<S: System>(system: &S, vectors: &mut NewtonVectors<S>, newton: &mut SparseNewton) {
    let space = system.space();
    turn_back(space, &newton.changes, vectors.dynamics.as_mut());
    let mut parts = [
        vectors.dynamics.as_mut(),
        vectors.constraint.as_mut(),
        vectors.hidden.as_mut(),
    ];
    let size = newton.sparse.size();
    let right = &mut newton.right[..size];
    let given = parts.iter().flat_map(|part| part.iter());
    for (x, value) in right.iter_mut().zip(given) {
        *x = *value;
    }
    newton.sparse.solve(right);
    let wanted = parts.iter_mut().flat_map(|part| part.iter_mut());
    for (x, value) in right.iter().zip(wanted) {
        *value = *x;
    }
    change(space, &newton.changes, vectors.dynamics.as_mut());
}
