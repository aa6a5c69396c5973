//! The exact motion of the heavy top on a grid, for errors over time.
//!
//! The reduced equations are quadratic in the quaternion `p`, `Gamma = R^T e_3` and `Omega`,
//!
//! ```text
//! p' = 1/2 p (0, Omega),   Gamma' = Gamma x Omega,   J_O Omega' = -m g X x Gamma - Omega x J_O Omega,
//! ```
//!
//! so that their Taylor series follow from products of series. This is another
//! formulation (minimal, no constraint) and another method than anything in the
//! library; `tests/reference.rs` compares it with 25-digit values.

use nalgebra::Vector3;
use polhode::lie::{GroupKind, LieGroup, Rotation, S3};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

/// State of the top at one time.
#[derive(Clone, Copy, Debug)]
pub struct Top {
    /// Orientation (w, x, y, z).
    pub quaternion: [f64; 4],
    /// Angular velocity in body axes.
    pub omega: [f64; 3],
}

const MASS: f64 = 15.0;
const GRAVITY: f64 = 9.81;
/// About the fixed point.
const INERTIA: [f64; 3] = [15.234_375, 0.468_75, 15.234_375];
const DEGREE: usize = 22;

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

/// The exact top on the grid `0, 1/n, .., 1`, computed once.
///
/// # Panics
/// If another test panicked while computing it.
pub fn exact(n: usize) -> Arc<[Top]> {
    static CACHE: Mutex<BTreeMap<usize, Arc<[Top]>>> = Mutex::new(BTreeMap::new());
    let mut cache = CACHE.lock().expect("no panic while computing");
    cache
        .entry(n)
        .or_insert_with(|| compute(n, 1.0).into())
        .clone()
}

/// The exact top at any time up to 1.
pub fn exact_at(t: f64) -> Top {
    compute(1000, t)[1000]
}

fn compute(n: usize, end: f64) -> Vec<Top> {
    #[expect(clippy::cast_precision_loss, reason = "grid sizes")]
    let h = end / n as f64;
    let mut tops = vec![Top {
        quaternion: [1.0, 0.0, 0.0, 0.0],
        omega: [0.0, 150.0, -4.615_38],
    }];
    let mut gamma = [0.0, 0.0, 1.0];
    for i in 0..n {
        let (next, next_gamma) = taylor(&tops[i], gamma, h);
        tops.push(next);
        gamma = next_gamma;
    }
    tops
}

/// One step of the Taylor series.
fn taylor(top: &Top, gamma: [f64; 3], h: f64) -> (Top, [f64; 3]) {
    let mut p = vec![top.quaternion];
    let mut g = vec![gamma];
    let mut w = vec![top.omega];
    for k in 0..DEGREE {
        let mut dp = [0.0; 4];
        let mut dg = [0.0; 3];
        let mut torque = [-MASS * GRAVITY * g[k][2], 0.0, MASS * GRAVITY * g[k][0]];
        for j in 0..=k {
            let (a, b) = (p[j], w[k - j]);
            let turned = cross([a[1], a[2], a[3]], b);
            dp[0] -= 0.5 * (a[1] * b[0] + a[2] * b[1] + a[3] * b[2]);
            for i in 0..3 {
                dp[i + 1] += 0.5 * (a[0] * b[i] + turned[i]);
            }
            let spin: [f64; 3] = core::array::from_fn(|i| INERTIA[i] * b[i]);
            let (slide, gyro) = (cross(g[j], b), cross(w[j], spin));
            for i in 0..3 {
                dg[i] += slide[i];
                torque[i] -= gyro[i];
            }
        }
        #[expect(clippy::cast_precision_loss, reason = "degree of a series")]
        let n = (k + 1) as f64;
        p.push(dp.map(|x| x / n));
        g.push(dg.map(|x| x / n));
        w.push(core::array::from_fn(|i| torque[i] / INERTIA[i] / n));
    }
    let sum = |x: &[[f64; 3]], i: usize| x.iter().rev().fold(0.0, |s, c| s * h + c[i]);
    let quaternion = core::array::from_fn(|i| p.iter().rev().fold(0.0, |s, c| s * h + c[i]));
    let next = Top {
        quaternion,
        omega: core::array::from_fn(|i| sum(&w, i)),
    };
    (next, core::array::from_fn(|i| sum(&g, i)))
}

impl Top {
    fn rotation(&self) -> S3 {
        let [w, x, y, z] = self.quaternion;
        S3 {
            scalar: w,
            vector: Vector3::new(x, y, z),
        }
        .renormalized()
    }

    /// Configuration of the constrained top in a group.
    pub fn config(&self, group: GroupKind) -> Vec<f64> {
        let rotation = self.rotation();
        let place = rotation.rotate(&Vector3::new(0.0, 1.0, 0.0));
        let mut q: Vec<f64> = match group {
            GroupKind::S3 | GroupKind::S3xR3 | GroupKind::S3sR3 => {
                let v = rotation.vector;
                vec![rotation.scalar, v[0], v[1], v[2]]
            }
            _ => rotation.to_matrix().transpose().as_slice().to_vec(),
        };
        if group.dof() == 6 {
            q.extend(place.iter());
        }
        q
    }

    /// Velocity of the constrained top in a group.
    pub fn velocity(&self, group: GroupKind) -> Vec<f64> {
        let omega = Vector3::from(self.omega);
        let mut u = omega.cross(&Vector3::new(0.0, 1.0, 0.0));
        if matches!(group, GroupKind::SO3xR3 | GroupKind::S3xR3) {
            u = self.rotation().rotate(&u);
        }
        let mut v = self.omega.to_vec();
        if group.dof() == 6 {
            v.extend(u.iter());
        }
        v
    }

    /// Multipliers of the constrained top: `m (Omega' x X + Omega x (Omega x X)) - R^T m gamma`.
    pub fn lambda(&self) -> Vec<f64> {
        let gamma = self.rotation().rotate_inverse(&Vector3::z());
        let omega = Vector3::from(self.omega);
        let inertia = Vector3::from(INERTIA);
        let arm = Vector3::new(0.0, 1.0, 0.0);
        let weight = gamma * (-MASS * GRAVITY);
        let torque = arm.cross(&weight) - omega.cross(&omega.component_mul(&inertia));
        let omega_dot = torque.component_div(&inertia);
        let force = (omega_dot.cross(&arm) + omega.cross(&omega.cross(&arm))) * MASS - weight;
        force.as_slice().to_vec()
    }
}
