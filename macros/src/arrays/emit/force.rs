//! Forces of a network, as the constructor lists them.

use super::super::model::{Arrays, Force, ForceKind, Load, Matrix6, Place, Target};
use super::super::text::joint_name;
use super::construct::count;
use crate::formula::Formula;

impl Arrays {
    fn formulas(&self, formulas: &[Formula]) -> String {
        let texts: Vec<String> = formulas.iter().map(|formula| self.data(formula)).collect();
        format!("[{}]", texts.join(", "))
    }

    fn matrix(&self, matrix: &Matrix6) -> String {
        let rows: Vec<String> = matrix.iter().map(|row| self.list(row)).collect();
        format!("Box::new([{}])", rows.join(", "))
    }

    fn ends(ends: &[Place; 2], user: &impl std::fmt::Display) -> String {
        let [a, b] = [0, 1].map(|side: usize| Self::place(&ends[side], user));
        format!("[{a}, {b}]")
    }

    /// A load of a network.
    pub(super) fn network_load(&self, load: &Load) -> String {
        let name = &load.name;
        let (force, torque) = load.components.split_at(3);
        let part = format!(
            "rt::LoadPart {{ force: {}, torque: {}, frame: rt::LoadAxes::{} }}",
            self.formulas(force),
            self.formulas(torque),
            if load.follower { "Body" } else { "World" },
        );
        match &load.target {
            Target::Rod(rod) => format!("parts.spread(\"{name}\", e{rod}, {part})"),
            Target::Point(element, point) => format!(
                "parts.forces(\"{name}\", {}, |k, i| Ok(rt::ForcePart::Load {{ at: {}, point: {}, load: {part} }}))?",
                count(load.len.as_ref()),
                Self::place(&Some(element.clone()), name),
                self.list(point),
            ),
        }
    }

    /// Any other force.
    pub(super) fn force(&self, force: &Force) -> String {
        let name = &force.name;
        let kind = match &force.kind {
            ForceKind::SpringDamper {
                ends,
                points,
                stiffness,
                damping,
                length,
            } => format!(
                "SpringDamper {{ ends: {}, points: {}, stiffness: {}, damping: {}, length: {} }}",
                Self::ends(ends, name),
                self.points(points),
                self.text(&stiffness.0),
                self.text(&damping.0),
                self.text(&length.0),
            ),
            ForceKind::Bushing {
                ends,
                points,
                axis,
                stiffness,
                damping,
            } => format!(
                "Bushing {{ ends: {}, points: {}, axis: {}, stiffness: {}, damping: {} }}",
                Self::ends(ends, name),
                self.points(points),
                axis.as_ref().map_or_else(
                    || "None".to_owned(),
                    |axis| format!("Some({})", self.axis(axis, name))
                ),
                self.matrix(&stiffness.0),
                self.matrix(&damping.0),
            ),
            ForceKind::TorsionSpring {
                joint,
                stiffness,
                damping,
                angle,
            } => format!(
                "TorsionSpring {{ joint: {}, stiffness: {}, damping: {}, angle: {} }}",
                joint_name(joint, name),
                self.text(&stiffness.0),
                self.text(&damping.0),
                self.text(angle),
            ),
            ForceKind::PdControl {
                joint,
                proportional,
                derivative,
                target,
            } => format!(
                "PdControl {{ joint: {}, proportional: {}, derivative: {}, target: {} }}",
                joint_name(joint, name),
                self.text(&proportional.0),
                self.text(&derivative.0),
                self.data(target),
            ),
            ForceKind::Actuator { joint, effort } => format!(
                "Actuator {{ joint: {}, effort: {} }}",
                joint_name(joint, name),
                self.data(effort),
            ),
        };
        let len = count(force.len.as_ref());
        format!("parts.forces(\"{name}\", {len}, |k, i| Ok(rt::ForcePart::{kind}))?")
    }
}
