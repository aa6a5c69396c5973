//! The last three unknowns, by two divisions that do not wait for each other.
//!
//! Gaussian elimination divides by three pivots, and each waits for the one before. Here rows are
//! multiplied by the first pivot instead, and the two unknowns that are left are quotients of
//! determinants:
//!
//! ```text
//! | a b c |         m = a | e f | - | d | (b c),   det = m11 m22 - m12 m21
//! | d e f |               | h i |   | g |
//! | g h i |
//! ```
//!
//! About as many operations, in two thirds of the time for three equations alone.
//!
//! The first unknown is what is left of its row, divided by `a`. In Gaussian elimination a small `a`
//! costs its digits once, because errors of the other two nearly cancel in that row; those of
//! quotients do not, and `a` costs its digits twice. So this is for definite matrices only, whose
//! pivots are as large as their condition allows.

use super::Matrix;
use crate::expr::{Graph, Id};

#[derive(Debug)]
pub(super) struct Tail {
    rows: [usize; 3],
    columns: [usize; 3],
    /// The first row.
    first: [Id; 3],
    /// The first column of the other rows; those with zero are not multiplied.
    below: [Id; 2],
    m: [[Id; 2]; 2],
    /// `1 / a`.
    inverse: Id,
    /// `1 / det`.
    inverse_det: Id,
}

impl Tail {
    /// The rows and columns that are left, in the order of their pivots; none if these are
    /// numbers, or zeros make elimination shorter.
    pub(super) fn new(g: &mut Graph, pivots: [(usize, usize); 3], a: &Matrix) -> Option<Self> {
        let (rows, columns) = (pivots.map(|(row, _)| row), pivots.map(|(_, column)| column));
        let a = rows.map(|i| columns.map(|j| a[i][j]));
        let full = |i: usize, j: usize| !g.is_zero(a[i][j]);
        let coupled = full(1, 0) && full(2, 0) && full(0, 1) && full(0, 2);
        let expressions = (0..3).all(|i| g.value(a[i][i]).is_none());
        if !(coupled && expressions && full(1, 2) && full(2, 1)) {
            return None;
        }
        let below = [a[1][0], a[2][0]];
        let mut entry = |i: usize, j: usize| {
            let (own, other) = (g.mul(a[0][0], a[i][j]), g.mul(a[i][0], a[0][j]));
            g.sub(own, other)
        };
        let m = [[entry(1, 1), entry(1, 2)], [entry(2, 1), entry(2, 2)]];
        let (own, other) = (g.mul(m[0][0], m[1][1]), g.mul(m[0][1], m[1][0]));
        let (one, det) = (g.one(), g.sub(own, other));
        Some(Self {
            rows,
            columns,
            first: a[0],
            below,
            m,
            inverse: g.div(one, a[0][0]),
            inverse_det: g.div(one, det),
        })
    }

    pub(super) fn places(&self) -> (Vec<usize>, Vec<usize>) {
        (self.rows.into(), self.columns.into())
    }

    /// The number below the first pivot, divided by it: rows that are multiplied by a small pivot
    /// are lost beside it. And numbers that the determinant is a difference of, divided by it.
    pub(super) fn growth(&self, g: &mut Graph) -> [Id; 3] {
        let below = g.mul(self.below[0], self.inverse);
        let product = g.mul(self.m[0][1], self.m[1][0]);
        let of_det = g.mul(product, self.inverse_det);
        let product = g.mul(self.below[0], self.first[1]);
        let product = g.mul(product, self.m[1][1]);
        [below, of_det, g.mul(product, self.inverse_det)]
    }

    /// Solves for the right side `x` of the rows that are left.
    pub(super) fn substitute(&self, g: &mut Graph, x: &[Id], solution: &mut [Id]) {
        let [a, b, c] = self.first;
        let x = self.rows.map(|row| x[row]);
        let mut scaled = |i: usize| {
            let (own, other) = (g.mul(a, x[i]), g.mul(self.below[i - 1], x[0]));
            g.sub(own, other)
        };
        let y = [scaled(1), scaled(2)];
        let mut quotient = |row: [Id; 2], column: [Id; 2]| {
            let (own, other) = (g.mul(row[0], column[0]), g.mul(row[1], column[1]));
            let numerator = g.sub(own, other);
            g.mul(self.inverse_det, numerator)
        };
        let [[m11, m12], [m21, m22]] = self.m;
        let second = quotient([m22, m12], y);
        let third = quotient([m11, m21], [y[1], y[0]]);
        let (with_b, with_c) = (g.mul(b, second), g.mul(c, third));
        let rest = g.sub(x[0], with_b);
        let rest = g.sub(rest, with_c);
        let first = g.mul(self.inverse, rest);
        for (column, value) in self.columns.into_iter().zip([first, second, third]) {
            solution[column] = value;
        }
    }
}
