//! The half-explicit method of order 3 on the heavy top in `SO3xR3` with the Jacobian as Arnold,
//! Cardona, Bruls (2016) print it: `B = (-X~, -R^T)`. The derivative of the constraint `X - R^T x` has `R^T x` in the place
//! of `X`; both are equal where the constraint holds, which the method does not keep exactly.

use nalgebra::{Matrix3, Rotation3, SMatrix, SVector, Vector3};
use polhode_models::heavy_top::{ANGULAR_VELOCITY, CENTER, GRAVITY, INERTIA, MASS, Sample};

type Six = SVector<f64, 6>;

/// What stands in the Jacobian.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Arm {
    /// `X`.
    Printed,
    /// `R^T x`.
    #[cfg(test)]
    Derivative,
}

#[derive(Clone, Copy)]
struct Place {
    rotation: Rotation3<f64>,
    position: Vector3<f64>,
}

impl Place {
    fn moved(&self, theta: &Six) -> Self {
        let turn = Rotation3::new(Vector3::new(theta[0], theta[1], theta[2]));
        Self {
            rotation: self.rotation * turn,
            position: self.position + Vector3::new(theta[3], theta[4], theta[5]),
        }
    }

    fn gap(&self) -> f64 {
        (Vector3::from(CENTER) - self.rotation.inverse() * self.position).norm()
    }

    fn jacobian(&self, arm: Arm) -> SMatrix<f64, 3, 6> {
        let arm = match arm {
            Arm::Printed => Vector3::from(CENTER),
            #[cfg(test)]
            Arm::Derivative => self.rotation.inverse() * self.position,
        };
        let mut jacobian = SMatrix::<f64, 3, 6>::zeros();
        jacobian
            .fixed_columns_mut::<3>(0)
            .copy_from(&-arm.cross_matrix());
        let inverse: Matrix3<f64> = *self.rotation.inverse().matrix();
        jacobian.fixed_columns_mut::<3>(3).copy_from(&-inverse);
        jacobian
    }
}

fn mass() -> Six {
    let [x, y, z] = INERTIA;
    Six::new(x, y, z, MASS, MASS, MASS)
}

/// Gyroscopic torque, and the weight with a minus.
fn force(v: &Six) -> Six {
    let spin = Vector3::new(v[0], v[1], v[2]);
    let torque = spin.cross(&Vector3::from(INERTIA).component_mul(&spin));
    let [x, y, z] = GRAVITY.map(|g| -MASS * g);
    Six::new(torque.x, torque.y, torque.z, x, y, z)
}

/// `T^-1(theta) v`, the series of the last coefficient to the sixth power of the angle.
fn tangent_inverse(theta: &Six, v: &Six) -> Six {
    let turn = Vector3::new(theta[0], theta[1], theta[2]);
    let spin = Vector3::new(v[0], v[1], v[2]);
    let s = turn.norm_squared();
    let c = 1.0 / 12.0 + s / 720.0 + s * s / 30_240.0 + s * s * s / 1_209_600.0;
    let once = turn.cross(&spin);
    let rate = spin + 0.5 * once + c * turn.cross(&once);
    Six::new(rate.x, rate.y, rate.z, v[3], v[4], v[5])
}

/// Norm of the position constraint after each step on [0, 1].
pub(crate) fn gaps(steps: u32, arm: Arm) -> Vec<(f64, f64)> {
    const A: [[f64; 3]; 3] = [
        [0.5, 0.0, 0.0],
        [2.0 / 9.0, 4.0 / 9.0, 0.0],
        [0.25, 0.0, 0.75],
    ];
    const D: [f64; 3] = [0.0, -2.0, 3.0];
    let h = 1.0 / f64::from(steps);
    let mut place = Place {
        rotation: Rotation3::identity(),
        position: CENTER.into(),
    };
    let [x, y, z] = ANGULAR_VELOCITY;
    let mut v = Six::new(x, y, z, -z, 0.0, x);
    let start = Sample::new(0.0, [1.0, 0.0, 0.0, 0.0], ANGULAR_VELOCITY);
    let mut lambda = Vector3::from(start.lambda);
    let acceleration = |place: &Place, v: &Six, lambda: &Vector3<f64>| {
        let pull = place.jacobian(arm).transpose() * lambda;
        -(force(v) + pull).component_div(&mass())
    };
    let mut found = Vec::new();
    for n in 1..=steps {
        let (mut here, mut speed) = (place, v);
        let mut rates = vec![v];
        let mut accelerations: Vec<Six> = Vec::new();
        let mut next_lambda = Vector3::zeros();
        for i in 0..3 {
            let sum = |terms: &[Six]| {
                let terms = terms.iter().zip(A[i]);
                terms.fold(Six::zeros(), |sum, (term, a)| sum + h * a * term)
            };
            let theta = sum(&rates);
            let there = place.moved(&theta);
            let known = v + sum(&accelerations);
            let force_of_stage = if i == 0 {
                lambda
            } else {
                let (b, next) = (here.jacobian(arm), there.jacobian(arm));
                let light = SMatrix::<f64, 6, 6>::from_diagonal(&mass().map(f64::recip));
                let free = known / (h * A[i][i]) - light * force(&speed);
                let matrix = next * light * b.transpose();
                matrix.lu().solve(&(next * free)).unwrap_or_default()
            };
            let rate = acceleration(&here, &speed, &force_of_stage);
            accelerations.push(rate);
            next_lambda += D[i] * force_of_stage;
            speed = known + h * A[i][i] * rate;
            rates.push(tangent_inverse(&theta, &speed));
            here = there;
        }
        (place, v, lambda) = (here, speed, next_lambda);
        found.push((f64::from(n) * h, place.gap()));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reproduce::lab::{Lab, half_explicit};
    use polhode::lie::GroupKind;

    #[test]
    fn with_the_derivative_it_is_the_method_of_the_library() {
        let run = Lab::default().top(&half_explicit(3), GroupKind::SO3xR3, 1000);
        let run = run.expect("a run");
        for ((t, gap), point) in gaps(1000, Arm::Derivative).iter().zip(&run.points) {
            // Rounding errors of 1000 steps.
            assert!((gap - point.gap).abs() < 1e-11, "{t}: {gap} {}", point.gap);
        }
    }
}
