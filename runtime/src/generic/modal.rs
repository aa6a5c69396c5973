//! Forces on modal coordinates `x`, in the coordinates themselves.
//!
//! | kind         | `g`                  | potential          |
//! |--------------|----------------------|--------------------|
//! | modal spring | `K x + D x'`         | `1/2 x^T K x`      |
//! | modal load   | `-f`, formulas       | `-f . x` if `f` is constant |
//!
//! Other elements act on at most six coordinates of a body, and so do the blocks of `K` and `D`.
//! Modal coordinates may be more: a spring has its matrices in tiles, a load one row for each
//! component.

use super::GenericSystem;
use super::assembly::{Element, Part, Snapshot};
use super::constraint::Row;
use super::force::outer;
use super::scalar::Scalar;
use crate::real::Real;
use nalgebra::{DMatrix, Matrix6};

/// Coordinates of one tile.
const TILE: usize = 6;

/// Linear springs and dampers.
#[derive(Clone, Debug)]
pub(super) struct ModalSpring {
    pub(super) body: usize,
    stiffness: DMatrix<f64>,
    damping: DMatrix<f64>,
}

impl ModalSpring {
    /// Square matrices by rows; no rows are zeros.
    pub(super) fn new(body: usize, stiffness: &[Vec<f64>], damping: &[Vec<f64>]) -> Self {
        let n = stiffness.len();
        let matrix = |rows: &[Vec<f64>]| {
            DMatrix::from_fn(n, n, |i, j| rows.get(i).map_or(0.0, |row| row[j]))
        };
        Self {
            body,
            stiffness: matrix(stiffness),
            damping: matrix(damping),
        }
    }

    /// Adds `g`.
    pub(super) fn add<R: Real>(&self, system: &GenericSystem, at: &Snapshot<'_, R>, out: &mut [R]) {
        let x = system.modes_of(self.body, at.modes);
        let range = system.bodies[self.body].velocity.clone();
        let (v, out) = (&at.v[range.clone()], &mut out[range]);
        for (i, out) in out.iter_mut().enumerate() {
            for j in 0..x.len() {
                *out += x[j] * self.stiffness[(i, j)] + v[j] * self.damping[(i, j)];
            }
        }
    }

    /// Calls `sink` for the blocks of `K` and `D`.
    pub(super) fn each_tangent(
        &self,
        sink: &mut impl FnMut(Part, Part, &Matrix6<f64>, &Matrix6<f64>),
    ) {
        let n = self.stiffness.nrows();
        let part = |first| Part {
            body: self.body,
            first,
        };
        for i in (0..n).step_by(TILE) {
            for j in (0..n).step_by(TILE) {
                let tile = |matrix: &DMatrix<f64>| {
                    Matrix6::from_fn(|r, c| matrix.get((i + r, j + c)).copied().unwrap_or(0.0))
                };
                let (k, d) = (tile(&self.stiffness), tile(&self.damping));
                // Springs of single coordinates touch the tiles of the diagonal only, and a
                // sparse matrix should not know of the others.
                if k.iter().chain(&d).any(|entry| *entry != 0.0) {
                    sink(part(i), part(j), &k, &d);
                }
            }
        }
    }

    /// `1/2 x^T K x`.
    pub(super) fn energy(&self, x: &[f64]) -> f64 {
        let mut twice = 0.0;
        for (i, a) in x.iter().enumerate() {
            for (j, b) in x.iter().enumerate() {
                twice += a * self.stiffness[(i, j)] * b;
            }
        }
        0.5 * twice
    }
}

/// A generalized force, component by component.
#[derive(Clone, Debug)]
pub(super) struct ModalLoad {
    pub(super) body: usize,
    pub(super) force: Vec<Scalar>,
}

impl ModalLoad {
    /// Adds `g`.
    pub(super) fn add<R: Real>(&self, system: &GenericSystem, at: &Snapshot<'_, R>, out: &mut [R]) {
        let first = system.bodies[self.body].velocity.start;
        for (i, component) in self.force.iter().enumerate() {
            out[first + i] -= component.value(system, at);
        }
    }

    /// Calls `sink` for the blocks of `K` and `D`.
    pub(super) fn each_tangent(
        &self,
        system: &GenericSystem,
        at: &Snapshot<'_>,
        sink: &mut impl FnMut(Part, Part, &Matrix6<f64>, &Matrix6<f64>),
    ) {
        let unit = modal_unit();
        for (i, component) in self.force.iter().enumerate() {
            let element = Element::modal(self.body, i);
            component.each_gradient(system, at, |other, by_q, by_v| {
                outer((element, &unit), (other, &-by_q, &-by_v), sink);
            });
        }
    }

    /// `-f . x` of a constant force, else zero.
    pub(super) fn energy(&self, x: &[f64]) -> f64 {
        let force: Option<Vec<f64>> = self.force.iter().map(Scalar::constant).collect();
        let work = |force: Vec<f64>| -> f64 { force.iter().zip(x).map(|(f, x)| f * x).sum() };
        force.map_or(0.0, |force| -work(force))
    }
}

/// The row of the first coordinate of an [`Element::modal`].
pub(super) fn modal_unit() -> Row {
    let mut row = Row::zeros();
    row[6] = 1.0;
    row
}

impl GenericSystem {
    /// How many modal coordinates there are.
    pub(super) fn mode_count(&self) -> usize {
        let modes = self.bodies.iter().filter_map(|body| body.modes.as_ref());
        modes.map(|own| own.end).max().unwrap_or(0)
    }

    /// Writes the modal coordinates of a configuration into their list.
    pub(super) fn read_modes<R: Real>(&self, q: &[R], out: &mut [R]) {
        for body in &self.bodies {
            if let Some(own) = &body.modes {
                out[own.clone()].copy_from_slice(&q[body.config.clone()]);
            }
        }
    }

    /// The modal coordinates of a body, of the list of all.
    pub(super) fn modes_of<'a, R>(&self, body: usize, modes: &'a [R]) -> &'a [R] {
        self.bodies[body]
            .modes
            .clone()
            .map_or(&[], |own| &modes[own])
    }
}
