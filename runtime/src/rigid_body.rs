//! Test problem: a free rigid body,
//!
//! ```text
//! R' = R hat(omega),   J omega' = -omega x J omega,   no constraints
//! ```
//!
//! It leaves to the defaults whatever has one, so the tests of runs are tests of them.

use crate::error::Fault;
use crate::lie::{GroupKind, Space};
use crate::system::{Bodies, Constrained, Dense, Energy, Implicit, Manifold, Mechanics, Momentum};

const INERTIA: [f64; 3] = [1.0, 2.0, 3.0];
type Vector = [f64; 3];

#[derive(Debug)]
pub(crate) struct RigidBody(Space);

impl RigidBody {
    pub(crate) fn new() -> Self {
        Self(Space::new([GroupKind::SO3]))
    }

    fn momentum_of(omega: &Vector) -> Vector {
        core::array::from_fn(|i| INERTIA[i] * omega[i])
    }
}

fn cross(x: &Vector, y: &Vector) -> Vector {
    core::array::from_fn(|i| {
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        x[j] * y[k] - x[k] * y[j]
    })
}

impl Manifold for RigidBody {
    type Config = [f64; 9];
    type Velocity = Vector;

    fn new_velocity(&self) -> Vector {
        [0.0; 3]
    }

    fn start_config(&self) -> [f64; 9] {
        let mut q = [0.0; 9];
        self.0.identity(&mut q);
        q
    }

    fn displace(&self, q: &[f64; 9], theta: &Vector, out: &mut [f64; 9]) {
        self.0.displace(q, theta, out);
    }

    fn bracket(&self, x: &Vector, y: &Vector, out: &mut Vector) {
        *out = cross(x, y);
    }
    fn difference(&self, q: &[f64; 9], p: &[f64; 9], out: &mut Vector) {
        self.0.difference(q, p, out);
    }
    fn renormalize(&self, q: &mut [f64; 9]) {
        self.0.renormalize(q);
    }
}

impl Mechanics for RigidBody {
    type Geometry = ();

    fn new_geometry(&self) {}

    fn start_velocity(&self) -> Vector {
        [0.8, 2.0, -1.1]
    }

    fn geometry(&self, _t: f64, _q: &[f64; 9], _out: &mut ()) -> Result<(), Fault> {
        Ok(())
    }

    fn force(&self, _t: f64, _g: &(), v: &Vector, out: &mut Vector) {
        *out = cross(v, &Self::momentum_of(v));
    }

    fn mass_times(&self, w: &Vector, out: &mut Vector) {
        *out = Self::momentum_of(w);
    }

    fn mass_solve(&self, f: &Vector, out: &mut Vector) {
        *out = core::array::from_fn(|i| f[i] / INERTIA[i]);
    }

    fn energy(&self, _t: f64, _q: &[f64; 9], v: &Vector) -> Energy {
        Energy {
            kinetic: (0..3).map(|i| INERTIA[i] * v[i] * v[i]).sum::<f64>() / 2.0,
            potential: 0.0,
        }
    }

    crate::names_of_bodies!();
}

impl Constrained for RigidBody {
    type Multiplier = [f64; 0];
    type Workspace = Dense;

    fn constraint_count(&self) -> usize {
        0
    }

    fn constraint_name(&self, _row: usize) -> String {
        String::new()
    }

    fn new_workspace(&self) -> Dense {
        Dense::default()
    }

    fn constraint(&self, _t: f64, _q: &[f64; 9], _g: &(), _out: &mut [f64; 0]) {}

    fn jacobian_times(&self, _g: &(), _w: &Vector, _out: &mut [f64; 0]) {}

    fn jacobian_transpose_times(&self, _g: &(), _lambda: &[f64; 0], out: &mut Vector) {
        *out = [0.0; 3];
    }

    fn constraint_rate(&self, _t: f64, _g: &(), _out: &mut [f64; 0]) {}

    fn constraint_quadratic(
        &self,
        _t: f64,
        _q: &[f64; 9],
        _g: &(),
        _v: &Vector,
        _out: &mut [f64; 0],
    ) {
    }
}

impl Implicit for RigidBody {
    fn jacobian_derivative_times(
        &self,
        _q: &[f64; 9],
        _g: &(),
        _v: &Vector,
        _w: &Vector,
        _out: &mut [f64; 0],
    ) {
    }

    fn stiffness_times(
        &self,
        _t: f64,
        _q: &[f64; 9],
        _g: &(),
        _v: &Vector,
        _lambda: &[f64; 0],
        _w: &Vector,
        out: &mut Vector,
    ) {
        *out = [0.0; 3];
    }

    fn damping_times(
        &self,
        _t: f64,
        _q: &[f64; 9],
        _g: &(),
        v: &Vector,
        w: &Vector,
        out: &mut Vector,
    ) {
        let (x, y) = (
            cross(w, &Self::momentum_of(v)),
            cross(v, &Self::momentum_of(w)),
        );
        *out = core::array::from_fn(|i| x[i] + y[i]);
    }
}

impl Bodies for RigidBody {
    fn space(&self) -> &Space {
        &self.0
    }

    fn factor_name(&self, _factor: usize) -> String {
        "body".to_owned()
    }

    fn factor_origin(&self, _factor: usize) -> [f64; 3] {
        [0.0; 3]
    }

    fn momentum(&self, q: &[f64; 9], v: &Vector) -> Momentum {
        let body = Self::momentum_of(v);
        Momentum {
            linear: [0.0; 3],
            angular: core::array::from_fn(|i| (0..3).map(|j| q[3 * i + j] * body[j]).sum()),
        }
    }
}
