//! Forces of a network, as the constructor lists them.

use super::super::model::{Arrays, Force, Load, On, Place, Target};
use super::super::text::joint_name;
use super::construct::count;
use crate::forces::Acts;
use crate::formula::Formula;
use crate::lower::reader::Level;

impl Arrays {
    fn formulas(&self, formulas: &[Formula]) -> String {
        let texts: Vec<String> = formulas.iter().map(|formula| self.data(formula)).collect();
        format!("[{}]", texts.join(", "))
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
            Target::Rod(rod) => {
                format!("rt::Parts::spread(&mut parts, \"{name}\", e{rod}, {part})")
            }
            Target::Point(element, point) => format!(
                "rt::Parts::forces(&mut parts, \"{name}\", {}, |k, i| rt::Ok(rt::ForcePart::Load {{ at: {}, point: {}, load: {part} }}))?",
                count(load.len.as_ref()),
                Self::place(&Some(element.clone()), name),
                self.list(point),
            ),
        }
    }

    /// Any other force.
    pub(super) fn force(&self, force: &Force) -> String {
        let name = &force.name;
        let mut fields = match &force.on {
            On::Between { ends, points, .. } => vec![
                format!("ends: {}", Self::ends(ends, name)),
                format!("points: {}", self.points(points)),
            ],
            On::Joint(joint) => vec![format!("joint: {}", joint_name(joint, name))],
        };
        if let (Acts::Frames, On::Between { axis, .. }) = (force.law.acts, &force.on) {
            let axis = axis.as_ref().map(|axis| self.axis(axis, name));
            let axis =
                axis.map_or_else(|| "rt::None".to_owned(), |axis| format!("rt::Some({axis})"));
            fields.push(format!("axis: {axis}"));
        }
        for (number, given) in force.law.numbers.iter().zip(&force.coefficients) {
            let value = if number.is_matrix() {
                let rows: Vec<String> = given.rows().map(|row| self.list(row)).collect();
                format!("rt::Box::new([{}])", rows.join(", "))
            } else if number.most == Level::Constructed {
                self.text(&given.entries[0])
            } else {
                self.data(&given.entries[0])
            };
            fields.push(format!("{}: {value}", number.field));
        }
        let (len, law) = (count(force.len.as_ref()), force.law.name);
        let fields = fields.join(", ");
        format!(
            "rt::Parts::forces(&mut parts, \"{name}\", {len}, |k, i| rt::Ok(rt::ForcePart::{law} {{ {fields} }}))?"
        )
    }
}
