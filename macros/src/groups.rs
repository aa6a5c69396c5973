//! Displacement and tangent operators of the groups as expressions.
//!
//! With `s = |Omega|^2` and the coefficient functions of the runtime:
//!
//! ```text
//! exp(Omega~)      = I + sinc Omega~ + cosc Omega~^2
//! T3(Omega)^T U    = U + cosc Omega x U + sine_defect Omega x (Omega x U)
//! T3^-1(Omega) w   = w + 1/2 Omega x w + (cot_defect Omega) x (Omega x w)
//! ```
//!
//! and on semidirect products the lower half of `T^-1(Omega, U)(w, z)` is, with
//! `y = Omega x z + U x w`,
//!
//! ```text
//! z + 1/2 y + (cot_defect Omega) x y + (cot_defect U + cot_defect_slope (Omega . U) Omega) x (Omega x w)
//! ```
//!
//! What is multiplied first depends on the increment alone: in a stage it is known before the
//! velocity.

use crate::expr::{Function, Graph, Id};
use crate::model::Group;

fn three(x: &[Id]) -> [Id; 3] {
    [x[0], x[1], x[2]]
}

/// `q * exp(theta)`.
pub(crate) fn displace(g: &mut Graph, group: Group, q: &[Id], theta: &[Id]) -> Vec<Id> {
    if let Group::Rn(n) = group {
        return (0..n).map(|i| g.add(q[i], theta[i])).collect();
    }
    let turn = three(theta);
    let s = g.dot(&turn, &turn);
    let (mut out, rotation) = if group.has_matrix() {
        let rotation: [[Id; 3]; 3] = core::array::from_fn(|i| three(&q[3 * i..]));
        let step = exponential(g, s, turn);
        let mut out = Vec::new();
        for row in rotation {
            for j in 0..3 {
                let column = step.map(|row| row[j]);
                out.push(g.dot(&row, &column));
            }
        }
        (out, rotation)
    } else {
        let (w, r) = (q[0], three(&q[1..]));
        (displace_quaternion(g, w, r, s, turn), matrix(g, w, r))
    };
    let place = three(&q[q.len() - 3..]);
    if group.is_direct() {
        out.extend((0..3).map(|i| g.add(place[i], theta[3 + i])));
    } else if group.is_semidirect() {
        let u = three(&theta[3..]);
        let (cosc, defect) = (g.call(Function::Cosc, s), g.call(Function::SineDefect, s));
        let once = g.cross(turn, u);
        let twice = g.cross(turn, once);
        let (once, twice) = (g.scale3(cosc, once), g.scale3(defect, twice));
        let sum = g.add3(u, once);
        let shift = g.add3(sum, twice);
        for (row, place) in rotation.into_iter().zip(place) {
            let moved = g.dot(&row, &shift);
            out.push(g.add(place, moved));
        }
    }
    out
}

/// `p (cos(w/2), 1/2 sinc(s/4) Omega)`, brought back to unit length to first order.
fn displace_quaternion(g: &mut Graph, w: Id, r: [Id; 3], s: Id, turn: [Id; 3]) -> Vec<Id> {
    let (quarter, half) = (g.constant(0.25), g.constant(0.5));
    let s = g.mul(quarter, s);
    let (c, sinc) = (g.call(Function::Cosine, s), g.call(Function::Sinc, s));
    let factor = g.mul(half, sinc);
    let e = g.scale3(factor, turn);
    let (x, y) = (g.mul(w, c), g.dot(&r, &e));
    let scalar = g.sub(x, y);
    let (a, b, cross) = (g.scale3(w, e), g.scale3(c, r), g.cross(r, e));
    let sum = g.add3(a, b);
    let vector = g.add3(sum, cross);
    let all = [scalar, vector[0], vector[1], vector[2]];
    let square = g.dot(&all, &all);
    let (three_halves, part) = (g.constant(1.5), g.mul(half, square));
    let scale = g.sub(three_halves, part);
    all.iter().map(|x| g.mul(*x, scale)).collect()
}

fn exponential(g: &mut Graph, s: Id, turn: [Id; 3]) -> [[Id; 3]; 3] {
    let (sinc, cosc) = (g.call(Function::Sinc, s), g.call(Function::Cosc, s));
    isotropic(g, sinc, cosc, turn)
}

/// `I + a Omega~ + b Omega~^2`.
///
/// A `b` that is computed is known last, so it multiplies products that wait for it.
fn isotropic(g: &mut Graph, a: Id, b: Id, turn: [Id; 3]) -> [[Id; 3]; 3] {
    let one = g.one();
    let first = g.scale3(a, turn);
    let products: [[Id; 3]; 3] = if g.value(b).is_some() {
        let second = g.scale3(b, turn);
        outer(g, second, turn)
    } else {
        outer(g, turn, turn)
    };
    let scaled = |g: &mut Graph, x: Id| if g.value(b).is_some() { x } else { g.mul(b, x) };
    core::array::from_fn(|i| {
        core::array::from_fn(|j| {
            if i == j {
                let (k, l) = ((i + 1) % 3, (i + 2) % 3);
                let sum = g.add(products[k][k], products[l][l]);
                let sum = scaled(g, sum);
                g.sub(one, sum)
            } else {
                let product = scaled(g, products[i.min(j)][i.max(j)]);
                let swing = first[3 - i - j];
                if (i + 1) % 3 == j {
                    g.sub(product, swing)
                } else {
                    g.add(product, swing)
                }
            }
        })
    })
}

/// `a b^T`.
fn outer(g: &mut Graph, a: [Id; 3], b: [Id; 3]) -> [[Id; 3]; 3] {
    a.map(|a| b.map(|b| g.mul(a, b)))
}

fn matrix(g: &mut Graph, w: Id, r: [Id; 3]) -> [[Id; 3]; 3] {
    let two = g.constant(2.0);
    let a = g.mul(two, w);
    isotropic(g, a, two, r)
}

/// `T(theta)^-1 v`.
pub(crate) fn tangent_inverse(g: &mut Graph, group: Group, theta: &[Id], v: &[Id]) -> Vec<Id> {
    if !group.rotates() {
        return v.to_vec();
    }
    let (turn, w) = (three(theta), three(v));
    let s = g.dot(&turn, &turn);
    let half = g.constant(0.5);
    let cot = g.call(Function::CotDefect, s);
    let cot_turn = g.scale3(cot, turn);
    let once = g.cross(turn, w);
    let twice = g.cross(cot_turn, once);
    let swing = g.scale3(half, once);
    let sum = g.add3(w, swing);
    let mut out = g.add3(sum, twice).to_vec();
    if group.is_direct() {
        out.extend_from_slice(&v[3..]);
    } else if group.is_semidirect() {
        let (u, z) = (three(&theta[3..]), three(&v[3..]));
        let (turn_z, u_w) = (g.cross(turn, z), g.cross(u, w));
        let y = g.add3(turn_z, u_w);
        let slope = g.call(Function::CotDefectSlope, s);
        let along = g.dot(&turn, &u);
        let factor = g.mul(slope, along);
        let (first, second) = (g.scale3(cot, u), g.scale3(factor, turn));
        let pitch = g.add3(first, second);
        let (a, b, c) = (
            g.scale3(half, y),
            g.cross(cot_turn, y),
            g.cross(pitch, once),
        );
        let sum = g.add3(z, a);
        let sum = g.add3(sum, b);
        out.extend(g.add3(sum, c));
    }
    out
}

/// `T(theta)` by rows: `T3 = I - cosc Omega~ + sine_defect Omega~^2`.
///
/// The increment is the array `theta` from component `first` on.
pub(crate) fn tangent(g: &mut Graph, group: Group, first: usize) -> Vec<Vec<Id>> {
    tangent_map(g, group, first, &|g, s| {
        let (cosc, defect) = (g.call(Function::Cosc, s), g.call(Function::SineDefect, s));
        (g.neg(cosc), defect)
    })
}

/// `T(theta)^-1` by rows: `T3^-1 = I + 1/2 Omega~ + cot_defect Omega~^2`.
pub(crate) fn inverse_tangent(g: &mut Graph, group: Group, first: usize) -> Vec<Vec<Id>> {
    tangent_map(g, group, first, &|g, s| {
        (g.constant(0.5), g.call(Function::CotDefect, s))
    })
}

/// `I + a Omega~ + b Omega~^2` on rotations with `(a, b)` a function of `|Omega|^2`; on
/// semidirect products the lower left block is its derivative along `U`.
fn tangent_map(
    g: &mut Graph,
    group: Group,
    first: usize,
    coefficients: &dyn Fn(&mut Graph, Id) -> (Id, Id),
) -> Vec<Vec<Id>> {
    let n = group.dof();
    let theta: Vec<Id> = (0..n).map(|i| g.input("theta", first + i)).collect();
    let (zero, one) = (g.zero(), g.one());
    let mut rows = vec![vec![zero; n]; n];
    for (i, row) in rows.iter_mut().enumerate() {
        row[i] = one;
    }
    if !group.rotates() {
        return rows;
    }
    let turn = three(&theta);
    let s = g.dot(&turn, &turn);
    let (a, b) = coefficients(g, s);
    let block = isotropic(g, a, b, turn);
    for i in 0..3 {
        for j in 0..3 {
            rows[i][j] = block[i][j];
            if group.is_semidirect() {
                rows[3 + i][3 + j] = block[i][j];
            }
        }
    }
    if group.is_semidirect() {
        let u = three(&theta[3..]);
        for i in 0..3 {
            for j in 0..3 {
                let entry = block[i][j];
                let slope = g.derivative(&[entry], &|input| {
                    let k = (input.index? as usize).checked_sub(first)?;
                    (input.array == "theta" && k < 3).then(|| u[k])
                });
                rows[3 + i][j] = slope[0];
            }
        }
    }
    rows
}

#[cfg(test)]
mod tests;
