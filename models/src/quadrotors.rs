//! Two quadrotors that carry a point load on rods, with a controller.
//!
//! Load `y` with velocity `v`; rods from the quadrotors to it, unit vectors `q_i` with angular velocities
//! `w_i`; attitudes `R_i` with angular velocities `Om_i` in body axes, which no force turns. `e_3` points
//! down. The controls `u_i` are forces in inertial axes.
//!
//! ```text
//! M (v' - g e_3) = sum_i ((q_i . u_i) q_i - m_i L_i |w_i|^2 q_i)        M = m_y I + sum_i m_i q_i q_i^T
//! w_i'  = q_i x (v' - g e_3) / L_i - q_i x u_i / (m_i L_i)
//! Om_i' = J_i^-1 ((J_i Om_i) x Om_i)
//! ```
//!
//! The group is `R^6 x (SO(3) x R^3)^2 x SE(3)^2 x R`, the last factor for the time that the controller
//! follows. The paper does not give gains of its controller: those here are our own.
//!
//! Source: Celledoni, Cokaj, Leone, Murari, Owren (2022), section 5.

use nalgebra::{Matrix3, Vector3};
use polhode::actions::{Action, Actions};
use polhode::flow::Flow;
use polhode::lie::GroupKind;

use crate::n_pendulum::vector;

const GRAVITY: f64 = 9.81;
const LOAD: f64 = 0.5;
const MASS: f64 = 0.755;
const LENGTH: f64 = 1.0;
const INERTIA: [f64; 3] = [0.0820, 0.0845, 0.1377];
/// Gains for position and velocity of the load.
const LOAD_GAINS: (f64, f64) = (4.0, 4.0);
/// Gains for direction and angular velocity of the rods.
const ROD_GAINS: (f64, f64) = (20.0, 8.0);
/// Half the force that keeps the quadrotors apart.
const APART: f64 = 2.0;

/// Where in a point: `y, v; R_1, Om_1, R_2, Om_2; q_1, w_1, q_2, w_2; t`.
const ATTITUDES: [usize; 2] = [6, 18];
const RODS: [usize; 2] = [30, 36];
const TIME: usize = 42;

/// The quadrotors and their load.
pub fn quadrotors() -> Flow<'static, Actions> {
    let identity = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
    let rod = |q: [f64; 3], a: [f64; 3]| {
        let (q, a) = (Vector3::from(q), Vector3::from(a));
        let w = a - q * a.dot(&q);
        [q.x, q.y, q.z, w.x, w.y, w.z]
    };
    let spins = [[0.3, -0.2, 0.5], [-0.4, 0.1, 0.6]];
    let rods = [
        rod([0.0, -0.6, 0.8], [0.5, 0.0, 0.0]),
        rod([0.48, 0.6, 0.64], [0.0, 0.5, -0.2]),
    ];
    let attitude = Action::Left(GroupKind::SO3);
    let spin = Action::Left(GroupKind::Rn(3));
    let factors: [(Action, &[f64]); 8] = [
        (
            Action::Left(GroupKind::Rn(6)),
            &[0.5, -0.3, 0.2, 0.0, 0.0, 0.0],
        ),
        (attitude, &identity),
        (spin, &spins[0]),
        (attitude, &identity),
        (spin, &spins[1]),
        (Action::TangentSphere, &rods[0]),
        (Action::TangentSphere, &rods[1]),
        (Action::Left(GroupKind::Rn(1)), &[0.0]),
    ];
    Flow::new(Actions::new(factors), |_t, y, f| rate(y, f))
}

fn rate(point: &[f64], f: &mut [f64]) {
    let at = |place| Vector3::from(vector(point, place));
    let (y, v, t) = (at(0), at(3), point[TIME]);
    let rods = RODS.map(|place| (at(place), at(place + 3)));
    let down = Vector3::z();

    let desired = Vector3::new(t, 0.5 * t, -0.2 * t * t);
    let velocity = Vector3::new(1.0, 0.5, -0.4 * t);
    let wanted = Vector3::new(0.0, 0.0, -0.4)
        - LOAD_GAINS.0 * (y - desired)
        - LOAD_GAINS.1 * (v - velocity)
        - GRAVITY * down;
    let half = 0.5 * LOAD * wanted;
    let mut mass = Matrix3::identity() * LOAD;
    let mut pull = Vector3::zeros();
    let mut controls = [Vector3::zeros(); 2];
    for ((control, (q, w)), side) in controls.iter_mut().zip(rods).zip([1.0, -1.0]) {
        let share = half + side * APART * Vector3::y();
        let direction = -share.normalize();
        let along = q.dot(&wanted);
        *control = q * (q.dot(&share) + MASS * LENGTH * w.norm_squared() + MASS * along)
            - MASS * LENGTH * q.cross(&(ROD_GAINS.0 * direction.cross(&q) + ROD_GAINS.1 * w))
            + MASS * (wanted - along * q);
        mass += MASS * q * q.transpose();
        pull += q * (q.dot(control) - MASS * LENGTH * w.norm_squared());
    }
    // Positive definite: the mass of the load is.
    let free = mass
        .cholesky()
        .map_or(pull * f64::NAN, |mass| mass.solve(&pull));

    let mut put = |place: usize, x: Vector3<f64>| f[place..place + 3].copy_from_slice(x.as_slice());
    put(0, v);
    put(3, free + GRAVITY * down);
    for (i, place) in ATTITUDES.into_iter().enumerate() {
        let rotation = Matrix3::from_row_slice(&point[place..place + 9]);
        let spin = at(place + 9);
        let inertia = Vector3::from(INERTIA);
        let momentum = inertia.component_mul(&spin);
        put(6 + 6 * i, rotation * spin);
        put(9 + 6 * i, momentum.cross(&spin).component_div(&inertia));
    }
    for (i, ((q, w), control)) in rods.into_iter().zip(controls).enumerate() {
        let turn = q.cross(&free) / LENGTH - q.cross(&control) / (MASS * LENGTH);
        put(18 + 6 * i, w);
        put(21 + 6 * i, q.cross(&turn));
    }
    f[30] = 1.0;
}
