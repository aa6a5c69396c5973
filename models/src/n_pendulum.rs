//! The N-fold spherical pendulum: point masses on rods, one below the other, on `(TS^2)^N`.
//!
//! The mass matrix of the angular velocities is a sum of outer products, one for each mass; their inverse
//! is never needed. With the tension `s_k` of each rod, which is directed along it, masses move alone,
//!
//! ```text
//! m_k x_k'' = -m_k g e_3 - s_k q_k + s_{k+1} q_{k+1}
//! ```
//!
//! and that the rods keep their lengths, `q_k . (x_k'' - x_{k-1}'') = -L_k |w_k|^2`, is a system of
//! equations with three diagonals. So an evaluation costs `O(N)` for any masses and lengths.
//! `q_k'' L_k = x_k'' - x_{k-1}''` and `w_k' = q_k x q_k''`; the element of the algebra is
//! `f_k = (w_k, q_k x w_k')`.
//!
//! Source: Celledoni, Cokaj, Leone, Murari, Owren (2022), section 3.

use polhode::actions::{Action, Actions};
use polhode::flow::Flow;
use polhode::system::Energy;

const GRAVITY: f64 = 9.81;

/// One rod with its mass, at the start.
#[derive(Clone, Copy, Debug)]
pub struct Link {
    /// Mass at its end.
    pub mass: f64,
    /// Its length.
    pub length: f64,
    /// Its direction, a unit vector.
    pub q: [f64; 3],
    /// Its angular velocity, normal to it.
    pub w: [f64; 3],
}

/// Equal rods that start together in a plane, at rest relative to each other.
pub fn in_a_plane(count: usize, length: f64) -> Vec<Link> {
    let part = core::f64::consts::FRAC_1_SQRT_2;
    let link = Link {
        mass: 1.0,
        length,
        q: [part, 0.0, part],
        w: [0.0, 1.0, 0.0],
    };
    vec![link; count]
}

/// Three rods in different directions, of different lengths.
pub fn in_space() -> Vec<Link> {
    let link = |mass, length, q, w| Link { mass, length, q, w };
    vec![
        link(1.0, 1.0, [0.6, 0.0, -0.8], [0.0, 1.0, 0.0]),
        link(2.0, 0.7, [0.0, 0.6, 0.8], [1.0, 0.0, 0.0]),
        link(0.5, 1.3, [0.8, 0.6, 0.0], [0.0, 0.0, 1.0]),
    ]
}

/// The pendulum, `(q_1, w_1, q_2, w_2, ..)`.
pub fn pendulum(links: Vec<Link>) -> Flow<'static, Actions> {
    let starts: Vec<f64> = links
        .iter()
        .flat_map(|link| [link.q, link.w].concat())
        .collect();
    let actions = Actions::new(starts.chunks(6).map(|start| (Action::TangentSphere, start)));
    let body = links.clone();
    // Tensions over pivots, and the multiples of those after them.
    let scratch = core::cell::RefCell::new(vec![[0.0; 2]; links.len()]);
    Flow::new(actions, move |_t, y, f| {
        accelerations(&links, y, &mut scratch.borrow_mut(), f);
    })
    .energy(move |_t, y| energy(&body, y))
}

/// `f(y)`.
fn accelerations(links: &[Link], y: &[f64], tensions: &mut [[f64; 2]], f: &mut [f64]) {
    let (q, w) = (|k: usize| vector(y, 6 * k), |k: usize| vector(y, 6 * k + 3));
    let last = links.len() - 1;
    // Row k: -a_k s_{k-1} + d_k s_k - a_{k+1} s_{k+1} = b_k, with a_k = q_k . q_{k-1} / m_{k-1}.
    let beside = |k: usize| dot(q(k), q(k - 1)) / links[k - 1].mass;
    for k in 0..=last {
        let Link { mass, length, .. } = links[k];
        let (mut diagonal, mut right) = (1.0 / mass, length * dot(w(k), w(k)));
        if k == 0 {
            right -= GRAVITY * q(0)[2];
        } else {
            let below = beside(k);
            let [tension, multiple] = tensions[k - 1];
            diagonal += 1.0 / links[k - 1].mass - below * multiple;
            right += below * tension;
        }
        let above = if k < last { beside(k + 1) } else { 0.0 };
        tensions[k] = [right / diagonal, above / diagonal];
    }
    for k in (0..last).rev() {
        tensions[k][0] += tensions[k][1] * tensions[k + 1][0];
    }
    let mut before = [0.0; 3];
    for k in 0..=last {
        let Link { mass, length, .. } = links[k];
        let next = if k < last { tensions[k + 1][0] } else { 0.0 };
        let pull = |i: usize| {
            let beyond = if k < last { q(k + 1)[i] } else { 0.0 };
            (next * beyond - tensions[k][0] * q(k)[i]) / mass
        };
        let acceleration = [pull(0), pull(1), pull(2) - GRAVITY];
        let turn = core::array::from_fn(|i| (acceleration[i] - before[i]) / length);
        before = acceleration;
        let place = &mut f[6 * k..6 * k + 6];
        place[..3].copy_from_slice(&w(k));
        place[3..].copy_from_slice(&cross(q(k), cross(q(k), turn)));
    }
}

fn energy(links: &[Link], y: &[f64]) -> Energy {
    let (mut x, mut v) = ([0.0; 3], [0.0; 3]);
    let mut energy = Energy::default();
    for (link, y) in links.iter().zip(y.chunks(6)) {
        let (q, turn) = (vector(y, 0), cross(vector(y, 3), vector(y, 0)));
        for i in 0..3 {
            x[i] += link.length * q[i];
            v[i] += link.length * turn[i];
        }
        energy.kinetic += 0.5 * link.mass * dot(v, v);
        energy.potential += link.mass * GRAVITY * x[2];
    }
    energy
}

pub(crate) fn vector(y: &[f64], at: usize) -> [f64; 3] {
    [y[at], y[at + 1], y[at + 2]]
}

pub(crate) fn dot(x: [f64; 3], y: [f64; 3]) -> f64 {
    x[0] * y[0] + x[1] * y[1] + x[2] * y[2]
}

pub(crate) fn cross(x: [f64; 3], y: [f64; 3]) -> [f64; 3] {
    [
        x[1] * y[2] - x[2] * y[1],
        x[2] * y[0] - x[0] * y[2],
        x[0] * y[1] - x[1] * y[0],
    ]
}
