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
//! Source: the strain measures and the factor of the damping are those of
//! H. Lang, J. Linn, M. Arnold (Multibody Syst. Dyn. 25, 2011) in the form of
//! D. Tumiotto, M. Arnold (2024).

use super::node::Pose;
use crate::lie::{LieGroup, SE3, SO3};
use crate::real::Real;
use nalgebra::{Matrix6, SMatrix, SVector, Vector6};

/// A vector over the twists of both nodes: `Omega_a, U_a, Omega_b, U_b`.
pub(super) type Row<R = f64> = SVector<R, 12>;
/// A square matrix over the twists of both nodes.
pub(super) type Block = SMatrix<f64, 12, 12>;
/// Strain rate by twists.
pub(super) type Rates<R = f64> = SMatrix<R, 6, 12>;

/// The constants of an element.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Element {
    /// Length.
    pub(super) length: f64,
    /// Strain free of stress.
    pub(super) reference: Vector6<f64>,
    /// `C`, diagonal.
    pub(super) stiffness: Vector6<f64>,
    /// `Cd`, diagonal, with its factor.
    pub(super) damping: Vector6<f64>,
    /// How many of the strains 3, 4, 5 are held.
    pub(super) held: usize,
}

/// Strain of an element.
#[derive(Clone, Copy, Debug)]
pub(super) struct Strain<R: Real = f64> {
    /// `z`.
    pub(super) z: Vector6<R>,
    /// `J`.
    pub(super) rates: Rates<R>,
}

impl<R: Real> Strain<R> {
    /// The strain between two poses that are less than half a turn apart.
    pub(super) fn between(a: &Pose<R>, b: &Pose<R>) -> Self {
        let relative = SE3 {
            rotation: SO3 {
                matrix: a.rotation.tr_mul(&b.rotation),
            },
            translation: a.rotation.tr_mul(&(b.position - a.position)),
        };
        let z = relative.log();
        let second = SE3::<R>::tangent_inverse(&z);
        let mut rates = Rates::zeros();
        // T(-z)^-1 = T(z)^-1 - ad_z
        rates
            .fixed_view_mut::<6, 6>(0, 0)
            .copy_from(&(SE3::<R>::ad(&z) - second));
        rates.fixed_view_mut::<6, 6>(0, 6).copy_from(&second);
        Self { z, rates }
    }

    /// Angle of the relative rotation.
    pub(super) fn angle(&self) -> R {
        (self.z[0] * self.z[0] + self.z[1] * self.z[1] + self.z[2] * self.z[2]).sqrt()
    }
}

impl Element {
    /// `n = C (z / L - w0) + Cd z' / L`.
    #[inline]
    pub(super) fn stress<R: Real>(&self, strain: &Strain<R>, twist: &Row<R>) -> Vector6<R> {
        let rate = strain.rates * twist;
        Vector6::from_fn(|i, _| {
            let elastic = strain.z[i] / self.length - self.reference[i];
            elastic * self.stiffness[i] + rate[i] * (self.damping[i] / self.length)
        })
    }

    /// `Phi` of the held strain `i`.
    #[inline]
    pub(super) fn constraint(&self, strain: &Strain, i: usize) -> f64 {
        strain.z[3 + i] - self.length * self.reference[3 + i]
    }

    /// Elastic energy.
    pub(super) fn energy(&self, strain: &Strain) -> f64 {
        let energy = |i: usize| {
            let w = strain.z[i] / self.length - self.reference[i];
            0.5 * self.length * self.stiffness[i] * w * w
        };
        (0..6).map(energy).sum()
    }

    /// Power that the damping takes out.
    pub(super) fn dissipation(&self, strain: &Strain, twist: &Row) -> f64 {
        let rate = strain.rates * twist;
        let power = |i: usize| self.damping[i] * rate[i] * rate[i] / self.length;
        (0..6).map(power).sum()
    }

    /// `H J`: the rows of `D_q(B v)` are its rows 3, 4, 5.
    pub(super) fn rate_derivative(strain: &Strain, twist: &Row) -> Rates {
        slope(strain, twist) * strain.rates
    }

    /// `K` and `D` with the stress and the multipliers of the held strains.
    pub(super) fn tangents(&self, strain: &Strain, twist: &Row, lambda: &[f64]) -> (Block, Block) {
        let mut stress = self.stress(strain, twist);
        for (i, lambda) in lambda.iter().enumerate() {
            stress[3 + i] += lambda;
        }
        let viscous = Matrix6::from_diagonal(&(self.damping / self.length));
        let elastic = Matrix6::from_diagonal(&(self.stiffness / self.length));
        let mut inner = elastic;
        if self.damping.amax() > 0.0 {
            inner += viscous * slope(strain, twist);
        }
        let rates = &strain.rates;
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
fn exchange(x: &Vector6<f64>) -> Vector6<f64> {
    Vector6::from_fn(|i, _| x[(i + 3) % 6])
}
