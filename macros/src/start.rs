//! Flat configuration and velocity of the declared start.

use std::f64::consts::TAU;

use crate::assembly::Assembled;
use crate::formula::{Formula, Formula3, rotate3};
use crate::model::{Attachment, Model, rotation_matrix};

/// The start in the coordinates of the groups.
#[derive(Clone, Debug)]
pub(crate) struct Start {
    pub(crate) q: Vec<Formula>,
    pub(crate) v: Vec<Formula>,
    /// Whether a velocity is declared; the others follow from the joints.
    pub(crate) declared: Vec<bool>,
    /// Where it was before it was assembled.
    pub(crate) assembled: Option<Assembled>,
}

impl Start {
    pub(crate) fn new(model: &Model) -> Self {
        let mut start = Self {
            q: Vec::new(),
            v: Vec::new(),
            declared: Vec::new(),
            assembled: None,
        };
        for body in &model.bodies {
            let declared = &body.start;
            if body.group.rotates() {
                if body.group.has_matrix() {
                    let rotation = rotation_matrix(declared.rotation);
                    let entries = rotation.as_flattened();
                    start.q.extend(entries.iter().copied().map(Formula::Number));
                } else {
                    start.q.extend(declared.rotation.map(Formula::Number));
                }
                start.velocities(declared.angular_velocity.as_ref().map(|w| &w[..]), 3);
            }
            if !body.group.rotates() || body.group.dof() == 6 {
                start.q.extend(declared.position.iter().cloned());
                let velocity = declared.velocity.clone();
                let velocity = if body.group.is_semidirect() {
                    velocity.and_then(|v| Formula3::try_from(v).ok()).map(|v| {
                        let r = rotation_matrix(declared.rotation);
                        let back = core::array::from_fn(|i| core::array::from_fn(|j| r[j][i]));
                        rotate3(&back, &v).to_vec()
                    })
                } else {
                    velocity
                };
                start.velocities(velocity.as_deref(), declared.position.len());
            }
        }
        for joint in model.joints.iter().filter(|joint| joint.angle.is_some()) {
            let [x, y] = [0, 1].map(|axis| in_space(model, &joint.first, axis));
            let turned = in_space(model, &joint.second, 0);
            let dot = |a: [f64; 3]| (0..3).map(|i| a[i] * turned[i]).sum::<f64>();
            let angle = dot(y).atan2(dot(x));
            let angle = joint.other_turn().map_or(angle, |declared| {
                angle + TAU * ((declared - angle) / TAU).round()
            });
            start.q.push(Formula::Number(angle));
        }
        start
    }

    /// The model with these numbers as its declared start.
    pub(crate) fn applied_to(&self, model: &Model) -> Model {
        let mut model = model.clone();
        for body in &mut model.bodies {
            let group = body.group;
            let q = &self.q[body.config..body.config + group.config_len()];
            let v = &self.v[body.velocity..body.velocity + group.dof()];
            let start = &mut body.start;
            if group.rotates() {
                let known: Vec<f64> = q.iter().filter_map(Formula::value).collect();
                let declared = rotation_matrix(start.rotation);
                if group.has_matrix() && known.len() >= 9 && known[..9] != *declared.as_flattened()
                {
                    start.rotation = quaternion(&known);
                } else if let ([w, x, y, z, ..], false) = (&known[..], group.has_matrix()) {
                    start.rotation = [*w, *x, *y, *z];
                }
                start.angular_velocity = Some([v[0].clone(), v[1].clone(), v[2].clone()]);
            }
            if !group.rotates() {
                start.position = q.to_vec();
                start.velocity = Some(v.to_vec());
            } else if group.dof() == 6 {
                start.position = q[q.len() - 3..].to_vec();
                let u: Formula3 = [v[3].clone(), v[4].clone(), v[5].clone()];
                let declared = start.velocity.is_some();
                if group.is_direct() {
                    start.velocity = Some(u.to_vec());
                } else if !declared {
                    start.velocity = Some(rotate3(&rotation_matrix(start.rotation), &u).to_vec());
                }
            }
        }
        model
    }

    fn velocities(&mut self, declared: Option<&[Formula]>, count: usize) {
        let zeros = || core::iter::repeat_n(Formula::Number(0.0), count);
        match declared {
            Some(declared) => self.v.extend(declared.iter().cloned()),
            None => self.v.extend(zeros()),
        }
        let given = declared.is_some();
        self.declared.extend(core::iter::repeat_n(given, count));
    }
}

/// An axis of a frame in inertial axes at the start.
fn in_space(model: &Model, at: &Attachment, axis: usize) -> [f64; 3] {
    let axis = at.axes[axis];
    let Some(id) = at.body else { return axis };
    let r = rotation_matrix(model.body(id).start.rotation);
    r.map(|row| (0..3).map(|j| row[j] * axis[j]).sum())
}

/// Unit quaternion (w, x, y, z) of a rotation matrix by rows.
fn quaternion(r: &[f64]) -> [f64; 4] {
    // Four times the squares of the components; the largest is the divisor.
    let squares = [
        1.0 + r[0] + r[4] + r[8],
        1.0 + r[0] - r[4] - r[8],
        1.0 - r[0] + r[4] - r[8],
        1.0 - r[0] - r[4] + r[8],
    ];
    let largest = (0..4)
        .max_by(|i, j| squares[*i].total_cmp(&squares[*j]))
        .unwrap_or(0);
    // Four times the products of the components.
    let products = [
        [squares[0], r[7] - r[5], r[2] - r[6], r[3] - r[1]],
        [r[7] - r[5], squares[1], r[1] + r[3], r[2] + r[6]],
        [r[2] - r[6], r[1] + r[3], squares[2], r[5] + r[7]],
        [r[3] - r[1], r[2] + r[6], r[5] + r[7], squares[3]],
    ];
    let scale = 0.5 / squares[largest].sqrt();
    products[largest].map(|product| scale * product)
}

#[cfg(test)]
mod tests;
