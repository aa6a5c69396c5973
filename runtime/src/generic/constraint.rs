//! Scalar constraints between two frames: every joint is a list of them.
//!
//! With the relative pose of body `a` as seen from body `b`,
//!
//! ```text
//! C = R_b^T R_a,   y = R_b^T (x_a + R_a p_a - x_b)      (point p_a of a, in axes of b)
//! ```
//!
//! and body twists `(Omega, U)` on both sides (columns `Omega_a, U_a, Omega_b, U_b`):
//!
//! ```text
//! dy/dt = y x Omega_b - U_b + C (U_a + Omega_a x p_a)  =: Y v
//! C' alpha = -Omega_b x (C alpha) + C (Omega_a x alpha)
//! ```
//!
//! | kind     | `Phi`                      | row of `B`                                             |
//! |----------|----------------------------|--------------------------------------------------------|
//! | `Point`  | `n . (y - p_b)`            | `p_a x m, m, n x y, -n` with `m = C^T n`               |
//! | `Axes`   | `(C alpha) . beta`         | `alpha x m, 0, beta x l, 0`, `m = C^T beta`, `l = C alpha` |
//! | `Length` | `(|y - p_b|^2 - L^2)/(2 L)` | as `Point` with `n = (y - p_b)/L`, which now varies    |
//!
//! All derivatives are with respect to left-invariant variations
//! `R -> R exp(w~)`, `x -> x + R W` of both poses. The multiplier of a `Point`
//! is the force that the joint exerts on `b` along `n`, that of a `Length` the
//! tension that pulls the points together.

use crate::real::Real;
use nalgebra::{Matrix3, SVector, Vector3};

/// Position and orientation of a body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pose<R: Real = f64> {
    pub(crate) rotation: Matrix3<R>,
    pub(crate) position: Vector3<R>,
}

impl<R: Real> Pose<R> {
    pub(crate) fn ground() -> Self {
        Self {
            rotation: Matrix3::identity(),
            position: Vector3::zeros(),
        }
    }

    /// The pose of `self` in the frame of `other`.
    #[inline]
    pub(super) fn seen_from(&self, other: &Self) -> Self {
        let back = other.rotation.transpose();
        Self {
            rotation: back * self.rotation,
            position: back * (self.position - other.position),
        }
    }

    /// The pose of a frame that is fixed in `self`.
    #[inline]
    pub(crate) fn then(&self, frame: &Self) -> Self {
        Self {
            rotation: self.rotation * frame.rotation,
            position: self.position + self.rotation * frame.position,
        }
    }
}

impl Pose {
    /// The same pose in other scalars.
    pub(crate) fn lift<R: Real>(&self) -> Pose<R> {
        Pose {
            rotation: self.rotation.map(R::from_f64),
            position: lift(&self.position),
        }
    }
}

/// A row over the twists of both bodies: `Omega_a, U_a, Omega_b, U_b`.
pub(crate) type Row<R = f64> = SVector<R, 12>;
/// A square matrix over the twists of both bodies.
pub(crate) type Block = nalgebra::SMatrix<f64, 12, 12>;

/// A scalar constraint.
#[derive(Clone, Copy, Debug)]
pub(super) enum Constraint {
    /// A point of `a` stays in a plane of `b`.
    Point {
        point_a: Vector3<f64>,
        point_b: Vector3<f64>,
        normal: Vector3<f64>,
    },
    /// A direction of `a` stays normal to a direction of `b`.
    Axes {
        axis_a: Vector3<f64>,
        axis_b: Vector3<f64>,
    },
    /// Two points keep their distance.
    Length {
        point_a: Vector3<f64>,
        point_b: Vector3<f64>,
        length: f64,
    },
}

pub(crate) fn lift<R: Real>(v: &Vector3<f64>) -> Vector3<R> {
    v.map(R::from_f64)
}

fn row<R: Real>(a: [Vector3<R>; 2], b: [Vector3<R>; 2]) -> Row<R> {
    let parts = [a[0], a[1], b[0], b[1]];
    Row::from_fn(|i, _| parts[i / 3][i % 3])
}

fn part(v: &Row, i: usize) -> Vector3<f64> {
    v.fixed_rows::<3>(3 * i).into_owned()
}

impl Constraint {
    /// `Phi`, generic so that dual numbers can check the derivatives below.
    #[inline]
    pub(super) fn value<R: Real>(&self, relative: &Pose<R>) -> R {
        match self {
            Self::Point {
                point_a,
                point_b,
                normal,
            } => {
                let y = point_of(relative, point_a);
                lift::<R>(normal).dot(&(y - lift::<R>(point_b)))
            }
            Self::Axes { axis_a, axis_b } => {
                (relative.rotation * lift::<R>(axis_a)).dot(&lift::<R>(axis_b))
            }
            Self::Length {
                point_a,
                point_b,
                length,
            } => {
                let d = point_of(relative, point_a) - lift::<R>(point_b);
                (d.dot(&d) - length * length) * (0.5 / length)
            }
        }
    }

    /// The row of `B`; generic for the same reason.
    #[inline]
    pub(super) fn jacobian<R: Real>(&self, relative: &Pose<R>) -> Row<R> {
        let c = &relative.rotation;
        match self {
            Self::Point {
                point_a, normal, ..
            } => {
                let y = point_of(relative, point_a);
                point_row(c, point_a, &y, &lift(normal))
            }
            Self::Axes { axis_a, axis_b } => {
                let (alpha, beta) = (lift::<R>(axis_a), lift::<R>(axis_b));
                let (m, l) = (c.tr_mul(&beta), c * alpha);
                let zero = Vector3::zeros();
                row([alpha.cross(&m), zero], [beta.cross(&l), zero])
            }
            Self::Length {
                point_a,
                point_b,
                length,
            } => {
                let y = point_of(relative, point_a);
                let d = y - lift::<R>(point_b);
                point_row(c, point_a, &y, &d.map(|x| x * (1.0 / length)))
            }
        }
    }

    /// The row `D_q(B v)` at fixed body twists `v`; `Z(v, v)` is its product with `v`.
    pub(super) fn jacobian_derivative(&self, relative: &Pose, v: &Row) -> Row {
        let c = &relative.rotation;
        match self {
            Self::Point {
                point_a, normal, ..
            } => {
                let y = point_of(relative, point_a);
                point_derivative(c, point_a, &y, normal, v)
            }
            Self::Axes { axis_a, axis_b } => {
                let (m, l) = (c.tr_mul(axis_b), c * axis_a);
                let (ea, eb) = (part(v, 0).cross(axis_a), part(v, 2).cross(axis_b));
                let zero = Vector3::zeros();
                row(
                    [ea.cross(&m) + axis_a.cross(&c.tr_mul(&eb)), zero],
                    [axis_b.cross(&(c * ea)) + eb.cross(&l), zero],
                )
            }
            Self::Length {
                point_a,
                point_b,
                length,
            } => {
                let y = point_of(relative, point_a);
                let normal = (y - point_b) / *length;
                let rate = y.cross(&part(v, 2)) - part(v, 3)
                    + c * (part(v, 1) + part(v, 0).cross(point_a));
                point_derivative(c, point_a, &y, &normal, v)
                    + point_row(c, point_a, &y, &(rate / *length))
            }
        }
    }

    /// Adds `lambda D_q(B^T)` to a matrix.
    pub(super) fn add_stiffness(&self, relative: &Pose, lambda: f64, out: &mut Block) {
        let c = &relative.rotation;
        match self {
            Self::Point {
                point_a, normal, ..
            } => {
                let y = point_of(relative, point_a);
                point_stiffness(c, point_a, &y, normal, lambda, out);
            }
            Self::Axes { axis_a, axis_b } => {
                let (m, l) = (c.tr_mul(axis_b), c * axis_a);
                let (alpha, beta) = (
                    axis_a.cross_matrix() * lambda,
                    axis_b.cross_matrix() * lambda,
                );
                add(out, 0, 0, &(alpha * m.cross_matrix()));
                add(out, 0, 2, &-(alpha * c.transpose() * axis_b.cross_matrix()));
                add(out, 2, 2, &(beta * l.cross_matrix()));
                add(out, 2, 0, &-(beta * c * axis_a.cross_matrix()));
            }
            Self::Length {
                point_a,
                point_b,
                length,
            } => {
                let y = point_of(relative, point_a);
                let normal = (y - point_b) / *length;
                point_stiffness(c, point_a, &y, &normal, lambda, out);
                let rates = point_rate(c, point_a, &y);
                *out += rates.tr_mul(&rates) * (lambda / length);
            }
        }
    }
}

/// `y = R_b^T (x_a + R_a p_a - x_b)`.
#[inline]
pub(super) fn point_of<R: Real>(relative: &Pose<R>, point_a: &Vector3<f64>) -> Vector3<R> {
    relative.position + relative.rotation * lift::<R>(point_a)
}

/// `n^T Y`.
#[inline]
pub(super) fn point_row<R: Real>(
    c: &Matrix3<R>,
    point_a: &Vector3<f64>,
    y: &Vector3<R>,
    n: &Vector3<R>,
) -> Row<R> {
    let m = c.tr_mul(n);
    row([lift::<R>(point_a).cross(&m), m], [n.cross(y), -n])
}

/// `Y`, the matrix with `dy/dt = Y v`.
pub(super) fn point_rate(
    c: &Matrix3<f64>,
    point_a: &Vector3<f64>,
    y: &Vector3<f64>,
) -> nalgebra::SMatrix<f64, 3, 12> {
    let mut rates = nalgebra::SMatrix::<f64, 3, 12>::zeros();
    rates
        .fixed_view_mut::<3, 3>(0, 0)
        .copy_from(&-(c * point_a.cross_matrix()));
    rates.fixed_view_mut::<3, 3>(0, 3).copy_from(c);
    rates
        .fixed_view_mut::<3, 3>(0, 6)
        .copy_from(&y.cross_matrix());
    rates
        .fixed_view_mut::<3, 3>(0, 9)
        .copy_from(&-Matrix3::identity());
    rates
}

/// `D_q(n^T Y v)` at fixed `n` and `v`.
pub(super) fn point_derivative(
    c: &Matrix3<f64>,
    point_a: &Vector3<f64>,
    y: &Vector3<f64>,
    n: &Vector3<f64>,
    v: &Row,
) -> Row {
    let m = c.tr_mul(n);
    let speed = part(v, 1) + part(v, 0).cross(point_a);
    let k = part(v, 2).cross(n);
    let kappa = c.tr_mul(&k);
    row(
        [speed.cross(&m) + point_a.cross(&kappa), kappa],
        [n.cross(&(c * speed)) + k.cross(y), -k],
    )
}

/// Adds `lambda D_q(Y^T n)` at fixed `n`.
pub(super) fn point_stiffness(
    c: &Matrix3<f64>,
    point_a: &Vector3<f64>,
    y: &Vector3<f64>,
    n: &Vector3<f64>,
    lambda: f64,
    out: &mut Block,
) {
    let ct = c.transpose();
    let m_hat = (ct * n).cross_matrix() * lambda;
    let n_hat = n.cross_matrix() * lambda;
    let p_hat = point_a.cross_matrix();
    add(out, 0, 0, &(p_hat * m_hat));
    add(out, 0, 2, &-(p_hat * ct * n_hat));
    add(out, 1, 0, &m_hat);
    add(out, 1, 2, &-(ct * n_hat));
    add(out, 2, 0, &-(n_hat * c * p_hat));
    add(out, 2, 1, &(n_hat * c));
    add(out, 2, 2, &(n_hat * y.cross_matrix()));
    add(out, 2, 3, &-n_hat);
}

fn add(out: &mut Block, i: usize, j: usize, block: &Matrix3<f64>) {
    let mut view = out.fixed_view_mut::<3, 3>(3 * i, 3 * j);
    view += block;
}
