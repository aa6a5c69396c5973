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

use crate::error::Fault;
use crate::lie::{GroupKind, Space};
use crate::system::{Bodies, Constrained, Dense, Energy, Implicit, Manifold, Mechanics, Momentum};

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

impl Manifold for Pendulum {
    type Config = [f64; 2];
    type Velocity = [f64; 2];

    fn new_velocity(&self) -> [f64; 2] {
        [0.0; 2]
    }

    fn start_config(&self) -> [f64; 2] {
        [self.start, -(1.0 - self.start * self.start).sqrt()]
    }

    fn displace(&self, q: &[f64; 2], theta: &[f64; 2], out: &mut [f64; 2]) {
        *out = [q[0] + theta[0], q[1] + theta[1]];
    }

    fn tangent_inverse(&self, _theta: &[f64; 2], v: &[f64; 2], out: &mut [f64; 2]) {
        *out = *v;
    }

    crate::on_product_of_groups!();
}

impl Mechanics for Pendulum {
    /// The row `B`.
    type Geometry = [f64; 2];

    fn new_geometry(&self) -> [f64; 2] {
        [0.0; 2]
    }

    fn start_velocity(&self) -> [f64; 2] {
        let [sine, minus_cosine] = self.start_config();
        let speed = (1.0 - 2.0 * GRAVITY * (1.0 + minus_cosine)).sqrt();
        [-minus_cosine * speed, sine * speed]
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

    fn energy(&self, _t: f64, q: &[f64; 2], v: &[f64; 2]) -> Energy {
        Energy {
            kinetic: dot(v, v) / 2.0,
            potential: GRAVITY * q[1],
        }
    }

    fn may_gain_energy(&self) -> bool {
        self.drive != 0.0
    }

    crate::names_of_bodies!();
}

impl Constrained for Pendulum {
    type Multiplier = [f64; 1];
    type Workspace = Dense;

    fn constraint_count(&self) -> usize {
        1
    }

    fn constraint_name(&self, _row: usize) -> String {
        "rod, length".to_owned()
    }

    fn new_workspace(&self) -> Dense {
        Dense::default()
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
}

impl Implicit for Pendulum {
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
}

impl Bodies for Pendulum {
    fn space(&self) -> &Space {
        &self.space
    }

    fn factor_name(&self, _factor: usize) -> String {
        "bob".to_owned()
    }

    fn factor_origin(&self, _factor: usize) -> [f64; 3] {
        [0.0; 3]
    }

    fn momentum(&self, q: &[f64; 2], v: &[f64; 2]) -> Momentum {
        Momentum {
            linear: [v[0], v[1], 0.0],
            angular: [0.0, 0.0, q[0] * v[1] - q[1] * v[0]],
        }
    }
}
