//! The free heavy top in rotation angles, as the classical formulations of Holzinger, Arnold,
//! Gerstmayr (2024) have it, with the classical method of order 4.
//!
//! Cardan angles `R = R_x(a) R_y(b) R_z(c)`, angular velocity `w` in body axes, inertia `J` about
//! the fixed point:
//!
//! ```text
//! a' = (w_1 cos c - w_2 sin c) / cos b        b' = w_1 sin c + w_2 cos c
//! c' = w_3 - a' sin b                         J w' = m X x R^T g - w x J w
//! ```
//!
//! They are singular at `cos b = 0`, and this top turns about its y axis.

use nalgebra::{Rotation3, SVector, Vector3};
use polhode_models::heavy_top::{ANGULAR_VELOCITY, CENTER, GRAVITY, INERTIA, MASS};

type Six = SVector<f64, 6>;

fn rotation(y: &Six) -> Rotation3<f64> {
    let turn = |axis, angle| Rotation3::from_axis_angle(&axis, angle);
    turn(Vector3::x_axis(), y[0]) * turn(Vector3::y_axis(), y[1]) * turn(Vector3::z_axis(), y[2])
}

fn rate(y: &Six) -> Six {
    let w = Vector3::new(y[3], y[4], y[5]);
    let (sin_b, cos_b) = y[1].sin_cos();
    let (sin_c, cos_c) = y[2].sin_cos();
    let a = (w.x * cos_c - w.y * sin_c) / cos_b;
    let inertia = Vector3::new(INERTIA[0] + MASS, INERTIA[1], INERTIA[2] + MASS);
    let weight = rotation(y).inverse() * (MASS * Vector3::from(GRAVITY));
    let torque = Vector3::from(CENTER).cross(&weight) - w.cross(&inertia.component_mul(&w));
    let spin = torque.component_div(&inertia);
    Six::new(
        a,
        w.x * sin_c + w.y * cos_c,
        w.z - a * sin_b,
        spin.x,
        spin.y,
        spin.z,
    )
}

/// Centre of mass at t = 1 after so many steps of the classical method of order 4.
pub(crate) fn center(steps: u32) -> Vector3<f64> {
    let h = 1.0 / f64::from(steps);
    let [x, y, z] = ANGULAR_VELOCITY;
    let mut state = Six::new(0.0, 0.0, 0.0, x, y, z);
    for _ in 0..steps {
        let k1 = rate(&state);
        let k2 = rate(&(state + 0.5 * h * k1));
        let k3 = rate(&(state + 0.5 * h * k2));
        let k4 = rate(&(state + h * k3));
        state += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
    }
    rotation(&state) * Vector3::from(CENTER)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reproduce::lab::slope;
    use polhode_models::heavy_top::FREE;

    /// Far from the singular angle the method has its order: another formulation of the same top.
    #[test]
    fn the_rates_are_those_of_the_top() {
        let choice = FREE.choice();
        let exact = FREE.exact(&choice, 1.0).expect("a reference");
        // Second column of the rotation matrix, row by row.
        let exact = Vector3::new(exact.q[1], exact.q[4], exact.q[7]);
        let errors: Vec<(f64, f64)> = [200_000, 400_000, 800_000]
            .map(|n| (1.0 / f64::from(n), (center(n) - exact).norm()))
            .into();
        assert!(errors[2].1 < 1e-4 && slope(&errors) > 2.0, "{errors:?}");
    }
}
