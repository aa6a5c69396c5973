//! Mass matrices, constant by the choice of groups, and their inverses.
//!
//! With the inertia `J` about the centre of mass `c` and the twist `(Omega, U)` of the frame:
//!
//! ```text
//! M    = | J - m c~ c~   m c~ |       M^-1 = | J^-1        -J^-1 c~           |
//!        | -m c~         m I  |              | c~ J^-1     I/m - c~ J^-1 c~   |
//! ```

use crate::expr::{Graph, Id};
use crate::geometry::Geometry;
use crate::model::{BodyId, FormulaMatrix};

type Matrix3 = [[Id; 3]; 3];

/// `(M, M^-1)` of a body in the coordinates of its group.
pub(super) fn matrices(geometry: &mut Geometry<'_>, id: BodyId) -> (Vec<Vec<Id>>, Vec<Vec<Id>>) {
    let (mut mass, mut inverse) = expressions(geometry, id);
    for entry in mass.iter_mut().chain(&mut inverse).flatten() {
        *entry = geometry.late(*entry);
    }
    (mass, inverse)
}

fn expressions(geometry: &mut Geometry<'_>, id: BodyId) -> (Vec<Vec<Id>>, Vec<Vec<Id>>) {
    let body = geometry.model.body(id);
    if let Some(matrix) = &body.mass_matrix {
        return modal(geometry, matrix);
    }
    let n = body.group.dof();
    let m = geometry.formula(&body.mass);
    let m = geometry.lower_scalar(m);
    let one = geometry.graph.one();
    let inverse_mass = geometry.graph.div(one, m);
    if !body.group.rotates() {
        let diagonal = |g: &mut Graph, x: Id| {
            let zero = g.zero();
            let entry = |i, j| if i == j { x } else { zero };
            (0..n)
                .map(|i| (0..n).map(|j| entry(i, j)).collect())
                .collect()
        };
        let g = &mut geometry.graph;
        return (diagonal(g, m), diagonal(g, inverse_mass));
    }
    let c = geometry.fixed_formulas(&body.center);
    let c = geometry.lower(c);
    let inertia: Matrix3 = body.inertia.each_ref().map(|row| {
        let row = geometry.fixed_formulas(row);
        geometry.lower(row)
    });
    let g = &mut geometry.graph;
    let hat = hat(g, c);
    let hat_square = product(g, &hat, &hat);
    let steiner = scaled(g, m, &hat_square);
    let about_origin = sub(g, &inertia, &steiner);
    if n == 3 {
        let inverse = inverse(g, &about_origin);
        return (rows3(&about_origin), rows3(&inverse));
    }
    let (coupling, zero) = (scaled(g, m, &hat), g.zero());
    let back = negative(g, &coupling);
    let translation = diagonal3(m, zero);
    let mass = blocks(&about_origin, &coupling, &back, &translation);
    let inverse = inverse(g, &inertia);
    let left = product(g, &hat, &inverse);
    let right = product(g, &inverse, &hat);
    let right = negative(g, &right);
    let both = product(g, &left, &hat);
    let translation = sub(g, &diagonal3(inverse_mass, zero), &both);
    (mass, blocks(&inverse, &right, &left, &translation))
}

/// `(M, M^-1)` of modal coordinates. A full matrix is known when the macro runs.
fn modal(geometry: &mut Geometry<'_>, matrix: &FormulaMatrix) -> (Vec<Vec<Id>>, Vec<Vec<Id>>) {
    let entry = |formula| {
        let entry = geometry.formula(formula);
        geometry.lower_scalar(entry)
    };
    let mut entries = matrix.iter().flatten().map(entry);
    let n = matrix.len();
    let mass: Vec<Vec<Id>> = (0..n).map(|_| entries.by_ref().take(n).collect()).collect();
    let g = &mut geometry.graph;
    let known = mass
        .iter()
        .map(|row| row.iter().map(|x| g.value(*x)).collect());
    if let Some(known) = known.collect::<Option<Vec<Vec<f64>>>>() {
        let inverse = numeric_inverse(known);
        let constants = |row: &Vec<f64>| row.iter().map(|x| g.constant(*x)).collect();
        return (mass, inverse.iter().map(constants).collect());
    }
    let (zero, one) = (g.zero(), g.one());
    let mut inverse = vec![vec![zero; n]; n];
    for (i, row) in inverse.iter_mut().enumerate() {
        row[i] = g.div(one, mass[i][i]);
    }
    (mass, inverse)
}

/// Inverse of a positive definite matrix by elimination; zeros off a diagonal stay zeros.
fn numeric_inverse(mut a: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let n = a.len();
    let unit = |i: usize| (0..n).map(|j| f64::from(u8::from(i == j))).collect();
    let mut inverse: Vec<Vec<f64>> = (0..n).map(unit).collect();
    for k in 0..n {
        let pivot = a[k][k];
        a[k].iter_mut()
            .chain(&mut inverse[k])
            .for_each(|x| *x /= pivot);
        let (row, unit) = (a[k].clone(), inverse[k].clone());
        for i in (0..n).filter(|i| *i != k) {
            let factor = a[i][k];
            if factor == 0.0 {
                continue;
            }
            let pairs = a[i].iter_mut().zip(&row);
            pairs
                .chain(inverse[i].iter_mut().zip(&unit))
                .for_each(|(x, y)| *x -= factor * y);
        }
    }
    inverse
}

fn hat(g: &mut Graph, [x, y, z]: [Id; 3]) -> Matrix3 {
    let zero = g.zero();
    let [mx, my, mz] = [x, y, z].map(|a| g.neg(a));
    [[zero, mz, y], [z, zero, mx], [my, x, zero]]
}

fn diagonal3(x: Id, zero: Id) -> Matrix3 {
    core::array::from_fn(|i| core::array::from_fn(|j| if i == j { x } else { zero }))
}

fn product(g: &mut Graph, a: &Matrix3, b: &Matrix3) -> Matrix3 {
    a.map(|row| core::array::from_fn(|j| g.dot(&row, &b.map(|row| row[j]))))
}

fn scaled(g: &mut Graph, s: Id, a: &Matrix3) -> Matrix3 {
    a.map(|row| g.scale3(s, row))
}

fn negative(g: &mut Graph, a: &Matrix3) -> Matrix3 {
    a.map(|row| row.map(|x| g.neg(x)))
}

fn sub(g: &mut Graph, a: &Matrix3, b: &Matrix3) -> Matrix3 {
    core::array::from_fn(|i| core::array::from_fn(|j| g.sub(a[i][j], b[i][j])))
}

/// Inverse of a symmetric matrix: the reciprocals of a diagonal, else by cofactors.
fn inverse(g: &mut Graph, a: &Matrix3) -> Matrix3 {
    let (zero, one) = (g.zero(), g.one());
    let diagonal = (0..3).all(|i| (0..3).all(|j| i == j || g.is_zero(a[i][j])));
    if diagonal {
        let mut inverse = [[zero; 3]; 3];
        for i in 0..3 {
            inverse[i][i] = g.div(one, a[i][i]);
        }
        return inverse;
    }
    let cofactors: Matrix3 = core::array::from_fn(|i| {
        let (k, l) = ((i + 1) % 3, (i + 2) % 3);
        g.cross(a[k], a[l])
    });
    let determinant = g.dot(&a[0], &cofactors[0]);
    core::array::from_fn(|i| core::array::from_fn(|j| g.div(cofactors[j][i], determinant)))
}

fn rows3(a: &Matrix3) -> Vec<Vec<Id>> {
    a.iter().map(|row| row.to_vec()).collect()
}

fn blocks(a: &Matrix3, b: &Matrix3, c: &Matrix3, d: &Matrix3) -> Vec<Vec<Id>> {
    let top = a.iter().zip(b).map(|(a, b)| [*a, *b].concat());
    let bottom = c.iter().zip(d).map(|(c, d)| [*c, *d].concat());
    top.chain(bottom).collect()
}
