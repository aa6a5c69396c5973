//! The rod element: the strain between two nodes and what follows from it.
//!
//! With the poses `q_a`, `q_b` of the two nodes in SE(3), `L` the length of the
//! element and body twists `v_a`, `v_b`:
//!
//! ```text
//! z  = log(q_a^-1 q_b)                        strain w = z / L = (curvature, extension and shear)
//! z' = T(z)^-1 v_b - T(-z)^-1 v_a  =: J v     J = [-T(-z)^-1, T(z)^-1]
//! n  = C (z / L - w0) + Cd z' / L             stress; w0 the strain free of stress
//! g  = J^T n                                  virtual power n . z'
//! Phi = S (z - L w0),  B = S J                S selects the strains that are held
//! ```
//!
//! Derivatives along `dz = J dq`, with `n` now including the multipliers,
//! `n + S^T lambda`:
//!
//! ```text
//! H  = dz'/dz = D[T(z)^-1 v_b] + D[T(-z)^-1 v_a]            D[.] at z and at -z
//! K  = J^T (C + Cd H) J / L + [-N_a; N_b] J                 D = J^T Cd J / L
//! N_b = D_z(T(z)^-T n),   N_a = D_z(T(-z)^-T n)
//! D_q(B v) = S H J
//! ```
//!
//! Exchanging the halves of a 6-vector (`X`) turns the transposed operator into
//! the operator itself, `T(z)^-T = X T(-z)^-1 X`, which gives `N_a` and `N_b`.
//!
//! A long rod is limited by memory, so `J` is not stored. With `z = (k, g)` it
//! follows from two numbers `f`, `s` beside `z`:
//!
//! ```text
//! T(+-z)^-1 = E +- ad_z / 2,   E = [[P, 0], [Q, P]],   P = I + f k~^2,   Q = f (k~ g~ + g~ k~) + s k~^2
//! J v = E (v_b - v_a) + ad_z (v_a + v_b) / 2,          k~ g~ + g~ k~ = k g^T + g k^T - 2 (k . g) I
//! ```
//!
//! Source: the strain measures and the factor of the damping are those of
//! H. Lang, J. Linn, M. Arnold (Multibody Syst. Dyn. 25, 2011) in the form of
//! D. Tumiotto, M. Arnold (2024).

use super::node::{Pose, join, parts};
pub(crate) use crate::generic::{Block, Row};
use crate::lie::coefficients::lifted::{cot_defect, cot_defect_slope};
use crate::lie::{LieGroup, SE3, SO3};
use crate::real::Real;
use nalgebra::{Matrix6, SMatrix, Vector6};

/// The strains that a constraint can hold, in this order: 3, 4, 5.
pub(crate) const HELD_STRAINS: [&str; 3] = ["shear along 1", "shear along 2", "extension"];

/// Strain rate by twists.
pub(crate) type Rates<R = f64> = SMatrix<R, 6, 12>;

/// The constants of an element.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Element {
    /// Length.
    pub(crate) length: f64,
    /// Strain free of stress.
    pub(crate) reference: Vector6<f64>,
    /// `C`, diagonal.
    pub(crate) stiffness: Vector6<f64>,
    /// `Cd`, diagonal, with its factor.
    pub(crate) damping: Vector6<f64>,
    /// How many of the strains 3, 4, 5 are held.
    pub(crate) held: usize,
}

/// Strain of an element, with what determines `J`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Strain<R: Real = f64> {
    /// `z`.
    pub(crate) z: Vector6<R>,
    /// `f`.
    even: R,
    /// `s`.
    slope: R,
}

impl<R: Real> Strain<R> {
    /// The strain between two poses that are less than half a turn apart.
    #[inline]
    pub(crate) fn between(a: &Pose<R>, b: &Pose<R>) -> Self {
        let relative = SE3 {
            rotation: SO3 {
                matrix: a.rotation.tr_mul(&b.rotation),
            },
            translation: a.rotation.tr_mul(&(b.position - a.position)),
        };
        let z = relative.log();
        let (k, g) = parts(z.as_slice());
        let turn = k.dot(&k);
        Self {
            z,
            even: cot_defect(turn),
            slope: cot_defect_slope(turn) * k.dot(&g),
        }
    }

    /// Angle of the relative rotation.
    pub(crate) fn angle(&self) -> R {
        (self.z[0] * self.z[0] + self.z[1] * self.z[1] + self.z[2] * self.z[2]).sqrt()
    }

    /// `E x`.
    #[inline]
    fn even_times(&self, x: &Vector6<R>) -> Vector6<R> {
        let ((k, g), (w, u)) = (parts(self.z.as_slice()), parts(x.as_slice()));
        let once = k.cross(&w);
        let twice = k.cross(&once);
        let mixed = k.cross(&(g.cross(&w) + k.cross(&u))) + g.cross(&once);
        join(
            &(w + twice * self.even),
            &(u + mixed * self.even + twice * self.slope),
        )
    }

    /// `J v`, the rate of `z`.
    #[inline]
    pub(crate) fn rate(&self, twist: &Row<R>) -> Vector6<R> {
        let a = Vector6::from_fn(|i, _| twist[i]);
        let b = Vector6::from_fn(|i, _| twist[6 + i]);
        self.even_times(&(b - a)) + SE3::<R>::ad_times(&self.z, &((a + b) * R::from_f64(0.5)))
    }

    /// `J^T n`.
    #[inline]
    pub(crate) fn force(&self, n: &Vector6<R>) -> Row<R> {
        // E^T = X E X and ad^T = -X ad X.
        let swapped = exchange(n);
        let even = exchange(&self.even_times(&swapped));
        let turn = exchange(&SE3::<R>::ad_times(&self.z, &swapped)) * R::from_f64(-0.5);
        let (a, b) = (turn - even, turn + even);
        Row::from_fn(|i, _| if i < 6 { a[i] } else { b[i - 6] })
    }

    /// Rows 3, 4, 5 of `J` at the first node (slot 0) or the second (slot 6).
    #[inline(always)]
    pub(crate) fn translation_rows(&self, slot: usize) -> [Vector6<R>; 3] {
        let (k, g) = parts(self.z.as_slice());
        let sign = R::from_f64(if slot == 0 { -1.0 } else { 1.0 });
        let half = R::from_f64(0.5);
        let (even, slope) = (self.even * sign, self.slope * sign);
        // P and Q by rows: both are symmetric.
        let (p, q) = (k * even, g * even + k * slope);
        let along_p = sign - k.dot(&p);
        let along_q = -(k.dot(&g) * (even * 2.0) + k.dot(&k) * slope);
        let (k2, g2) = (k * half, g * half);
        let entry_p = |i: usize, j: usize| k[i] * p[j];
        let entry_q = |i: usize, j: usize| k[i] * q[j] + g[i] * p[j];
        let [p01, p02, p12] = [entry_p(0, 1), entry_p(0, 2), entry_p(1, 2)];
        let [q01, q02, q12] = [entry_q(0, 1), entry_q(0, 2), entry_q(1, 2)];
        let [p0, p1, p2] = [0, 1, 2].map(|i| entry_p(i, i) + along_p);
        let [q0, q1, q2] = [0, 1, 2].map(|i| entry_q(i, i) + along_q);
        // ad_z / 2 on top: rows of g~ / 2 and k~ / 2.
        [
            Vector6::new(q0, q01 - g2.z, q02 + g2.y, p0, p01 - k2.z, p02 + k2.y),
            Vector6::new(q01 + g2.z, q1, q12 - g2.x, p01 + k2.z, p1, p12 - k2.x),
            Vector6::new(q02 - g2.y, q12 + g2.x, q2, p02 - k2.y, p12 + k2.x, p2),
        ]
    }
}

impl Strain {
    /// `J`.
    pub(crate) fn rates(&self) -> Rates {
        let half = SE3::<f64>::ad(&self.z) * 0.5;
        let (k, g) = parts(self.z.as_slice());
        let (hat_k, hat_g) = (k.cross_matrix(), g.cross_matrix());
        let square = hat_k * hat_k;
        let diagonal = nalgebra::Matrix3::identity() + square * self.even;
        let corner = (hat_k * hat_g + hat_g * hat_k) * self.even + square * self.slope;
        let mut even = Matrix6::zeros();
        even.fixed_view_mut::<3, 3>(0, 0).copy_from(&diagonal);
        even.fixed_view_mut::<3, 3>(3, 3).copy_from(&diagonal);
        even.fixed_view_mut::<3, 3>(3, 0).copy_from(&corner);
        let mut rates = Rates::zeros();
        rates.fixed_view_mut::<6, 6>(0, 0).copy_from(&(half - even));
        rates.fixed_view_mut::<6, 6>(0, 6).copy_from(&(half + even));
        rates
    }
}

impl Element {
    /// `n = C (z / L - w0) + Cd z' / L`; the twists are asked for only if there is damping.
    #[inline]
    pub(crate) fn stress<R: Real>(
        &self,
        strain: &Strain<R>,
        twist: impl FnOnce() -> Row<R>,
    ) -> Vector6<R> {
        let elastic = Vector6::from_fn(|i, _| {
            (strain.z[i] / self.length - self.reference[i]) * self.stiffness[i]
        });
        if self.damping == Vector6::zeros() {
            return elastic;
        }
        let rate = strain.rate(&twist());
        Vector6::from_fn(|i, _| elastic[i] + rate[i] * (self.damping[i] / self.length))
    }

    /// `Phi` of the held strain `i`.
    #[inline]
    pub(crate) fn constraint(&self, strain: &Strain, i: usize) -> f64 {
        strain.z[3 + i] - self.length * self.reference[3 + i]
    }

    /// Elastic energy.
    pub(crate) fn energy(&self, strain: &Strain) -> f64 {
        let energy = |i: usize| {
            let w = strain.z[i] / self.length - self.reference[i];
            0.5 * self.length * self.stiffness[i] * w * w
        };
        (0..6).map(energy).sum()
    }

    /// Power that the damping takes out.
    pub(crate) fn dissipation(&self, strain: &Strain, twist: &Row) -> f64 {
        let rate = strain.rate(twist);
        let power = |i: usize| self.damping[i] * rate[i] * rate[i] / self.length;
        (0..6).map(power).sum()
    }

    /// `H J`: the rows of `D_q(B v)` are its rows 3, 4, 5.
    pub(crate) fn rate_derivative(strain: &Strain, twist: &Row) -> Rates {
        slope(strain, twist) * strain.rates()
    }

    /// `K` and `D` with the stress and the multipliers of the held strains.
    pub(crate) fn tangents(&self, strain: &Strain, twist: &Row, lambda: &[f64]) -> (Block, Block) {
        let mut stress = self.stress(strain, || *twist);
        for (i, lambda) in lambda.iter().enumerate() {
            stress[3 + i] += lambda;
        }
        let viscous = Matrix6::from_diagonal(&(self.damping / self.length));
        let elastic = Matrix6::from_diagonal(&(self.stiffness / self.length));
        let mut inner = elastic;
        if self.damping.amax() > 0.0 {
            inner += viscous * slope(strain, twist);
        }
        let rates = &strain.rates();
        let mut stiffness = rates.tr_mul(&(inner * rates));
        let swapped = exchange(&stress);
        // -N_a = -X D[T(z)^-1 X n],  N_b = -X D[T(-z)^-1 X n]
        let turn_a = SE3::<f64>::tangent_inverse_derivative(&strain.z, &swapped) * rates;
        let turn_b = SE3::<f64>::tangent_inverse_derivative(&-strain.z, &swapped) * rates;
        for column in 0..12 {
            for row in 0..6 {
                let from = (row + 3) % 6;
                stiffness[(row, column)] -= turn_a[(from, column)];
                stiffness[(6 + row, column)] -= turn_b[(from, column)];
            }
        }
        (stiffness, rates.tr_mul(&(viscous * rates)))
    }
}

/// `H`.
fn slope(strain: &Strain, twist: &Row) -> Matrix6<f64> {
    let (a, b) = (
        twist.fixed_rows::<6>(0).into_owned(),
        twist.fixed_rows::<6>(6).into_owned(),
    );
    SE3::<f64>::tangent_inverse_derivative(&strain.z, &b)
        + SE3::<f64>::tangent_inverse_derivative(&-strain.z, &a)
}

/// The halves exchanged.
#[inline]
fn exchange<R: Real>(x: &Vector6<R>) -> Vector6<R> {
    Vector6::from_fn(|i, _| x[(i + 3) % 6])
}
