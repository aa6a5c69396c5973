//! Forces of a model with arrays that is no tree, as its constructor lists them.

use super::{ElementRow, Item, JointAxis, JointPoints, Parts, indices, length, real};
use crate::chain::invalid::InvalidTree;
use crate::generic::description::{Formula, LoadFrame};

/// A force. Bodies and joints of formulas have the names that
/// [`Row::name`](super::Row::name) and [`JointRow::name`](super::JointRow::name) give.
#[derive(Clone, Debug, PartialEq)]
pub enum ForcePart {
    /// A spring and a damper between two points.
    SpringDamper {
        /// What it joins.
        ends: [Item; 2],
        /// Where.
        points: JointPoints,
        /// Force per elongation.
        stiffness: f64,
        /// Force per rate of elongation.
        damping: f64,
        /// Length without force.
        length: f64,
    },
    /// Six springs and dampers between two frames.
    Bushing {
        /// What it joins.
        ends: [Item; 2],
        /// Where.
        points: JointPoints,
        /// The z axis of both frames, inertial ones without it.
        axis: Option<JointAxis>,
        /// Rotation first.
        stiffness: Box<[[f64; 6]; 6]>,
        /// Rotation first.
        damping: Box<[[f64; 6]; 6]>,
    },
    /// A force and a torque on a point.
    Load {
        /// What it acts on.
        at: Item,
        /// The point.
        point: [f64; 3],
        /// Both, and their axes.
        load: LoadPart,
    },
    /// A torque that turns a joint back.
    TorsionSpring {
        /// The joint.
        joint: String,
        /// Torque per angle.
        stiffness: f64,
        /// Torque per angular velocity.
        damping: f64,
        /// Angle without torque.
        angle: f64,
    },
    /// An effort that makes a joint follow a target.
    PdControl {
        /// The joint.
        joint: String,
        /// Effort per deviation.
        proportional: f64,
        /// Effort per deviation of the rate.
        derivative: f64,
        /// A formula of time.
        target: Formula,
    },
    /// An effort along a joint.
    Actuator {
        /// The joint.
        joint: String,
        /// The effort.
        effort: Formula,
    },
}

/// A force and a torque.
#[derive(Clone, Debug, PartialEq)]
pub struct LoadPart {
    /// Components of the force.
    pub force: [Formula; 3],
    /// Components of the torque.
    pub torque: [Formula; 3],
    /// Their axes.
    pub frame: LoadFrame,
}

impl Parts {
    /// Forces, after the joints.
    ///
    /// # Errors
    /// A negative length, an index beyond an array, or a load on a node that is clamped.
    pub fn forces(
        &mut self,
        name: &'static str,
        count: Option<i64>,
        force: impl Fn(i64, f64) -> Result<ForcePart, InvalidTree>,
    ) -> Result<(), InvalidTree> {
        let array = super::Array {
            name,
            single: count.is_none(),
        };
        for (index, i) in indices(length(name, count)?).enumerate() {
            let force = force(i, real(i))?;
            if let ForcePart::Load { at, .. } = &force {
                self.check_loaded(array.item(index), *at)?;
            }
            self.forces.push((array.item(index), force));
        }
        Ok(())
    }

    /// A load per length on all elements of a field.
    pub fn spread(&mut self, name: &'static str, elements: ElementRow, load: LoadPart) {
        self.elements[elements.0].spread.push((name, load));
    }
}
