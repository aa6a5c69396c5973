//! A spring-damper between two points, with exact derivatives, in body twists:
//! with `d = y - p_b` (see the
//! [constraints](super::constraint)), `l = |d|`, `n = d / l`, `b = n^T Y`:
//!
//! ```text
//! s   = k (l - l_0) + c l',   l' = b v
//! g   = s b^T
//! D   = c b^T b
//! K w = b^T (k b w + c D_q(b v) w) + s (D_q(Y^T n)|_n + Y^T (I - n n^T) Y / l) w
//! ```

use super::assembly::Element;
use super::constraint::{
    Block, Pose, Row, lift, point_derivative, point_of, point_rate, point_row, point_stiffness,
};
use crate::real::Real;
use nalgebra::{Matrix3, Vector3};

/// Spring and damper along the line between two points.
#[derive(Clone, Debug)]
pub(super) struct Spring {
    pub(super) a: Option<usize>,
    pub(super) b: Option<usize>,
    pub(super) point_a: Vector3<f64>,
    pub(super) point_b: Vector3<f64>,
    pub(super) stiffness: f64,
    pub(super) damping: f64,
    pub(super) length: f64,
}

impl Spring {
    pub(super) fn element(&self) -> Element {
        Element::between(self.a, self.b)
    }

    /// Distance of the points.
    pub(super) fn distance(&self, relative: &Pose) -> f64 {
        (point_of(relative, &self.point_a) - self.point_b).norm()
    }

    /// `1/2 k (l - l_0)^2`.
    pub(super) fn energy(&self, relative: &Pose) -> f64 {
        let stretch = self.distance(relative) - self.length;
        0.5 * self.stiffness * stretch * stretch
    }

    /// `g`.
    #[inline]
    pub(super) fn force<R: Real>(&self, relative: &Pose<R>, v: &Row<R>) -> Row<R> {
        let line = Line::new(self, relative);
        line.row * self.tension(&line, v)
    }

    fn tension<R: Real>(&self, line: &Line<R>, v: &Row<R>) -> R {
        (line.length - self.length) * self.stiffness + line.row.dot(v) * self.damping
    }

    /// `(K, D)`.
    pub(super) fn tangents(&self, relative: &Pose, v: &Row) -> (Block, Block) {
        let line = Line::new(self, relative);
        let tension = self.tension(&line, v);
        let c = &relative.rotation;
        let rates = point_rate(c, &self.point_a, &line.y);
        let across = (Matrix3::identity() - line.n * line.n.transpose()) / line.length;
        let slope = point_derivative(c, &self.point_a, &line.y, &line.n, v)
            + rates.tr_mul(&(across * (rates * v)));
        let gradient = line.row * self.stiffness + slope * self.damping;
        let mut k = line.row * gradient.transpose() + rates.tr_mul(&(across * rates)) * tension;
        point_stiffness(c, &self.point_a, &line.y, &line.n, tension, &mut k);
        (k, line.row * line.row.transpose() * self.damping)
    }
}

/// The line between the points.
struct Line<R: Real> {
    y: Vector3<R>,
    length: R,
    n: Vector3<R>,
    row: Row<R>,
}

impl<R: Real> Line<R> {
    fn new(spring: &Spring, relative: &Pose<R>) -> Self {
        let y = point_of(relative, &spring.point_a);
        let d = y - lift::<R>(&spring.point_b);
        let length = d.dot(&d).sqrt();
        let n = d.map(|x| x / length);
        let row = point_row(&relative.rotation, &spring.point_a, &y, &n);
        Self { y, length, n, row }
    }
}
