//! Test problem: the mathematical pendulum in the plane,
//!
//! ```text
//! q = (x, y),  M = I,  g = (0, 9.81),  Phi = (x^2 + y^2 - 1) / 2,  B = (x, y)
//! ```
//!
//! started to the right at `x_0` with the energy `1/2 - 9.81`. The multiplier of
//! the exact solution is `lambda = |v|^2 - 9.81 y`.
//!
//! With a drive `d` the force and the length depend on time:
//! `g = (-10 d sin 5t, 9.81)`, `Phi = (x^2 + y^2 - 1) / 2 - d (1 - cos 3t)`.

use nalgebra::{Matrix4, Vector4};

use crate::error::Fault;
use crate::lie::{GroupKind, Space};
use crate::system::{
    Energy, Formulation, Momentum, NewtonCoefficients, NewtonPoint, NewtonVectors, System,
};

pub(crate) const GRAVITY: f64 = 9.81;

#[derive(Debug)]
pub(crate) struct Pendulum {
    space: Space,
    start: f64,
    /// Strength of the dependence on time.
    pub(crate) drive: f64,
    /// From this time on the force is NaN.
    pub(crate) broken_from: f64,
}

impl Pendulum {
    pub(crate) fn new(start: f64) -> Self {
        Self {
            space: Space::new([GroupKind::Rn(2)]),
            start,
            drive: 0.0,
            broken_from: f64::INFINITY,
        }
    }

    /// The solution for `x_0 = 0.2` at `t = 1`.
    pub(crate) const Q_AT_1: [f64; 2] = [-0.192_663_986_950_388_91, -0.981_264_790_019_687];
    pub(crate) const V_AT_1: [f64; 2] = [-0.780_346_269_704_411_3, 0.153_215_141_368_823_6];
    pub(crate) const LAMBDA_AT_1: f64 = 10.258_622_770_279_388;
}

fn dot(x: &[f64; 2], y: &[f64; 2]) -> f64 {
    x[0] * y[0] + x[1] * y[1]
}

impl System for Pendulum {
    type Config = [f64; 2];
    type Velocity = [f64; 2];
    type Multiplier = [f64; 1];
    /// The row `B`.
    type Geometry = [f64; 2];
    /// The Newton matrix for `(theta, h^2 lambda, eta)`.
    type Workspace = Matrix4<f64>;

    fn space(&self) -> &Space {
        &self.space
    }
    fn constraint_count(&self) -> usize {
        1
    }
    fn constraint_name(&self, _row: usize) -> String {
        "rod, length".to_owned()
    }
    fn factor_name(&self, _factor: usize) -> String {
        "bob".to_owned()
    }
    fn factor_origin(&self, _factor: usize) -> [f64; 3] {
        [0.0; 3]
    }

    fn new_config(&self) -> [f64; 2] {
        [0.0; 2]
    }
    fn new_velocity(&self) -> [f64; 2] {
        [0.0; 2]
    }
    fn new_multiplier(&self) -> [f64; 1] {
        [0.0]
    }
    fn new_geometry(&self) -> [f64; 2] {
        [0.0; 2]
    }
    fn new_workspace(&self) -> Matrix4<f64> {
        Matrix4::identity()
    }
    fn start_config(&self) -> [f64; 2] {
        [self.start, -(1.0 - self.start * self.start).sqrt()]
    }
    fn start_velocity(&self) -> [f64; 2] {
        let [sine, minus_cosine] = self.start_config();
        let speed = (1.0 - 2.0 * GRAVITY * (1.0 + minus_cosine)).sqrt();
        [-minus_cosine * speed, sine * speed]
    }
    fn displace(&self, q: &[f64; 2], theta: &[f64; 2], out: &mut [f64; 2]) {
        *out = [q[0] + theta[0], q[1] + theta[1]];
    }
    fn tangent_inverse(&self, _theta: &[f64; 2], v: &[f64; 2], out: &mut [f64; 2]) {
        *out = *v;
    }
    fn velocity_of_increment(
        &self,
        coefficients: &NewtonCoefficients,
        theta: &[f64; 2],
        k: &[f64; 2],
        push: &[f64; 2],
        out: &mut [f64; 2],
    ) {
        for i in 0..2 {
            out[i] = coefficients.gamma_h * (theta[i] - k[i] + push[i]);
        }
    }
    fn geometry(&self, _t: f64, q: &[f64; 2], out: &mut [f64; 2]) -> Result<(), Fault> {
        *out = *q;
        Ok(())
    }
    fn force(&self, t: f64, _b: &[f64; 2], _v: &[f64; 2], out: &mut [f64; 2]) {
        let broken = if t >= self.broken_from { f64::NAN } else { 0.0 };
        *out = [broken - 10.0 * self.drive * (5.0 * t).sin(), GRAVITY];
    }
    fn mass_times(&self, w: &[f64; 2], out: &mut [f64; 2]) {
        *out = *w;
    }
    fn mass_solve(&self, f: &[f64; 2], out: &mut [f64; 2]) {
        *out = *f;
    }
    fn constraint(&self, t: f64, q: &[f64; 2], _b: &[f64; 2], out: &mut [f64; 1]) {
        *out = [(dot(q, q) - 1.0) / 2.0 - self.drive * (1.0 - (3.0 * t).cos())];
    }
    fn jacobian_times(&self, b: &[f64; 2], w: &[f64; 2], out: &mut [f64; 1]) {
        *out = [dot(b, w)];
    }
    fn jacobian_transpose_times(&self, b: &[f64; 2], lambda: &[f64; 1], out: &mut [f64; 2]) {
        *out = b.map(|b| b * lambda[0]);
    }
    fn constraint_rate(&self, t: f64, _b: &[f64; 2], out: &mut [f64; 1]) {
        *out = [-3.0 * self.drive * (3.0 * t).sin()];
    }
    fn constraint_quadratic(
        &self,
        t: f64,
        _q: &[f64; 2],
        _b: &[f64; 2],
        v: &[f64; 2],
        out: &mut [f64; 1],
    ) {
        *out = [dot(v, v) - 9.0 * self.drive * (3.0 * t).cos()];
    }
    fn jacobian_derivative_times(
        &self,
        _q: &[f64; 2],
        _b: &[f64; 2],
        v: &[f64; 2],
        w: &[f64; 2],
        out: &mut [f64; 1],
    ) {
        *out = [dot(v, w)];
    }
    fn stiffness_times(
        &self,
        _t: f64,
        _q: &[f64; 2],
        _b: &[f64; 2],
        _v: &[f64; 2],
        lambda: &[f64; 1],
        w: &[f64; 2],
        out: &mut [f64; 2],
    ) {
        *out = w.map(|w| w * lambda[0]);
    }
    fn damping_times(
        &self,
        _t: f64,
        _q: &[f64; 2],
        _b: &[f64; 2],
        _v: &[f64; 2],
        _w: &[f64; 2],
        out: &mut [f64; 2],
    ) {
        *out = [0.0; 2];
    }
    fn energy(&self, _t: f64, q: &[f64; 2], v: &[f64; 2]) -> Energy {
        Energy {
            kinetic: dot(v, v) / 2.0,
            potential: GRAVITY * q[1],
        }
    }
    fn momentum(&self, q: &[f64; 2], v: &[f64; 2]) -> Momentum {
        Momentum {
            linear: [v[0], v[1], 0.0],
            angular: [0.0, 0.0, q[0] * v[1] - q[1] * v[0]],
        }
    }
    fn schur_solve(
        &self,
        rows: &[f64; 2],
        columns: &[f64; 2],
        right: &mut [f64; 1],
        _workspace: &mut Matrix4<f64>,
    ) -> Result<(), Fault> {
        let pivot = dot(rows, columns);
        if pivot.abs() < 1e-12 {
            return Err(Fault::SingularConstraints {
                constraint: self.constraint_name(0),
                pivot,
                scale: 1.0,
            });
        }
        right[0] /= pivot;
        Ok(())
    }
    fn newton_factor(
        &self,
        coefficients: &NewtonCoefficients,
        point: &NewtonPoint<'_, Self>,
        matrix: &mut Matrix4<f64>,
    ) -> Result<(), Fault> {
        let &NewtonCoefficients {
            h,
            gamma_h,
            epsilon_h,
            formulation,
            ..
        } = coefficients;
        let (b, b_start) = (point.geometry, point.geometry_start);
        *matrix = Matrix4::identity();
        matrix[(2, 2)] = 0.0;
        for i in 0..2 {
            matrix[(i, i)] = h * h * (epsilon_h * gamma_h + point.lambda[0]);
            matrix[(i, 2)] = b[i];
            let hidden = h * (gamma_h * b[i] + point.v[i]);
            matrix[(2, i)] = match formulation {
                Formulation::Index2 => hidden,
                Formulation::Index3 | Formulation::StabilizedIndex2 => b[i],
            };
            if formulation == Formulation::StabilizedIndex2 {
                matrix[(i, 3)] = h * h * epsilon_h * gamma_h * h * b_start[i];
                matrix[(3, i)] = hidden;
                matrix[(3, 3)] = h * gamma_h * h * dot(b, b_start);
            }
        }
        let pivot = matrix.determinant();
        if pivot == 0.0 {
            return Err(Fault::SingularNewton {
                unknown: self.constraint_name(0),
                pivot,
                scale: 1.0,
            });
        }
        Ok(())
    }
    fn newton_solve(&self, vectors: &mut NewtonVectors<Self>, matrix: &mut Matrix4<f64>) {
        let [x, y] = vectors.dynamics;
        let right = Vector4::new(x, y, vectors.constraint[0], vectors.hidden[0]);
        let solution = matrix.lu().solve(&right).unwrap_or_default();
        vectors.dynamics = [solution[0], solution[1]];
        vectors.constraint = [solution[2]];
        vectors.hidden = [solution[3]];
    }
}
