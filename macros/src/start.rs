//! Flat configuration and velocity of the declared start.

use crate::formula::{Formula, Formula3, rotate3};
use crate::model::{Attachment, Model, rotation_matrix};

/// The start in the coordinates of the groups.
#[derive(Clone, Debug)]
pub(crate) struct Start {
    pub(crate) q: Vec<Formula>,
    pub(crate) v: Vec<Formula>,
    /// Whether a velocity is declared; the others follow from the joints.
    pub(crate) declared: Vec<bool>,
}

impl Start {
    pub(crate) fn new(model: &Model) -> Self {
        let mut start = Self {
            q: Vec::new(),
            v: Vec::new(),
            declared: Vec::new(),
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
            start.q.push(Formula::Number(dot(y).atan2(dot(x))));
        }
        start
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
