//! Whether a description can bring energy into its system.

use super::description::{Description, ForceKind, Formula, JointKind, LoadFrame};

impl Description {
    /// True unless all forces are springs, dampers and constant loads with a potential, and no joint
    /// is driven.
    pub fn may_gain_energy(&self) -> bool {
        let driven = |kind: &JointKind| matches!(kind, JointKind::Driver { .. });
        self.joints.iter().any(|joint| driven(&joint.kind))
            || self.forces.iter().any(|force| is_source(&force.kind))
    }
}

fn is_source(kind: &ForceKind) -> bool {
    match kind {
        ForceKind::SpringDamper { damping, .. } | ForceKind::TorsionSpring { damping, .. } => {
            *damping < 0.0
        }
        // The potential of a bushing is that of small deformations: its dampers are checked to be
        // positive.
        ForceKind::Bushing { .. } | ForceKind::ModalSpring { .. } => false,
        ForceKind::Load {
            force,
            torque,
            frame,
            ..
        } => {
            let no_torque = torque.iter().all(|f| *f == Formula::Number(0.0));
            !(no_torque && *frame == LoadFrame::World && force.iter().all(is_constant))
        }
        ForceKind::ModalLoad { force, .. } => !force.iter().all(is_constant),
        ForceKind::PdControl { .. } | ForceKind::Actuator { .. } => true,
    }
}

fn is_constant(formula: &Formula) -> bool {
    matches!(formula, Formula::Number(_))
}
