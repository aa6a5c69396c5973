//! The description of a model as data, for the generic system.

use std::fmt::Write;
use std::ops::Range;

use syn::ext::IdentExt;

use crate::forces::{Coefficient, Number, On};
use crate::formula::{BodyQuantity, Elementary, Formula, JointQuantity, Leaf, Operation};
use crate::lower::reader::Level;
use crate::model::{
    Attachment, BodyId, Force, ForceKind, Joint, JointId, JointKind, Model, Motion,
};
use crate::render::number;

/// The body of `description()`: an expression over the array `p` of late values.
pub(super) fn description(model: &Model) -> String {
    let mut text = String::new();
    let writer = Writer { model };
    let _ = writeln!(
        text,
        "Description {{ name: rt::text({:?}), gravity: {}, positions: PositionAxes::{:?}, redundant: Redundancy::{}, bodies: rt::vec![",
        model.name.unraw().to_string(),
        writer.numbers(&model.gravity),
        model.positions,
        if model.redundant { "Allow" } else { "Reject" },
    );
    for body in &model.bodies {
        let start = &body.start;
        let inertia: Vec<String> = body.inertia.iter().map(|row| writer.numbers(row)).collect();
        let zeros = vec![Formula::Number(0.0); start.position.len()];
        let velocity = start.velocity.as_ref().unwrap_or(&zeros);
        let zeros = [const { Formula::Number(0.0) }; 3];
        let angular = start.angular_velocity.as_ref().unwrap_or(&zeros);
        let _ = writeln!(
            text,
            "Body {{ name: rt::text({:?}), group: GroupKind::{}, mass: {}, inertia: [{}], center: {}, \
             start: Start {{ position: rt::vec!{}, rotation: {}, velocity: rt::vec!{}, angular_velocity: {} }} }},",
            body.name.to_string(),
            body.group.kind(),
            late(model, &body.mass),
            inertia.join(", "),
            writer.numbers(&body.center),
            writer.numbers(&start.position),
            numbers(&start.rotation),
            writer.numbers(velocity),
            writer.numbers(angular),
        );
    }
    text.push_str("], joints: rt::vec![\n");
    for joint in &model.joints {
        text.push_str(&writer.joint(joint));
    }
    text.push_str("], forces: rt::vec![\n");
    for force in &model.forces {
        text.push_str(&writer.force(force));
    }
    text.push_str("], ");
    if model.bodies.iter().any(|body| body.mass_matrix.is_some()) {
        text.push_str(&writer.mass_matrices());
    }
    if model
        .joints
        .iter()
        .any(|joint| joint.other_turn().is_some())
    {
        text.push_str(&writer.start_angles());
    }
    text.push_str("..<Description as ::core::default::Default>::default() }");
    text
}

/// The joints for outputs: the items of a list.
pub(super) fn frames(model: &Model, rows: &[Range<usize>]) -> String {
    let writer = Writer { model };
    let mut text = String::new();
    for (joint, rows) in model.joints.iter().zip(rows) {
        let _ = writeln!(
            text,
            "rt::JointFrame {{ name: rt::text({:?}), kind: JointKind::{}, positions: PositionAxes::{:?}, first: {}, second: {}, rows: {rows:?}, angle: {} }},",
            joint.name.to_string(),
            writer.kind(&joint.kind),
            model.position_axes(joint),
            writer.place(&joint.first, &joint.turn),
            writer.place(&joint.second, &Formula::Number(0.0)),
            place(joint.angle),
        );
    }
    text
}

/// A number that is known when the model is constructed, as Rust over the array `p`.
///
/// Constants outside of the model come after the parameters.
pub(super) fn late(model: &Model, formula: &Formula) -> String {
    late_with(formula, &|leaf| match leaf {
        Leaf::Parameter(place) => format!("p[{place}]"),
        Leaf::Outside(place) => format!("p[{}]", model.parameters.len() + place),
        _ => "f64::NAN".to_owned(),
    })
}

fn late_with(formula: &Formula, leaf: &dyn Fn(Leaf) -> String) -> String {
    let part = |formula: &Formula| late_with(formula, leaf);
    match formula {
        Formula::Number(x) => number(*x),
        Formula::Leaf(x) => leaf(*x),
        Formula::Neg(a) => format!("(-{})", part(a)),
        Formula::Binary(Operation::Atan2, a, b) => format!("f64::atan2({}, {})", part(a), part(b)),
        Formula::Binary(operation, a, b) => {
            let sign = match operation {
                Operation::Add => "+",
                Operation::Sub => "-",
                Operation::Mul => "*",
                Operation::Div | Operation::Atan2 => "/",
            };
            format!("({} {sign} {})", part(a), part(b))
        }
        Formula::Call(function, a) => format!("f64::{}({})", function.name(), part(a)),
        Formula::Select(parts) => {
            let [a, b, x, y] = [0, 1, 2, 3].map(|i: usize| part(&parts[i]));
            format!("(if {a} < {b} {{ {x} }} else {{ {y} }})")
        }
    }
}

pub(super) fn numbers(values: &[f64]) -> String {
    let values: Vec<String> = values.iter().map(|x| number(*x)).collect();
    format!("[{}]", values.join(", "))
}

/// A place that there may be.
fn place(place: Option<usize>) -> String {
    place.map_or_else(
        || "rt::None".to_owned(),
        |place| format!("rt::Some({place})"),
    )
}

struct Writer<'a> {
    model: &'a Model,
}

impl Writer<'_> {
    fn numbers(&self, values: &[Formula]) -> String {
        let values: Vec<String> = values.iter().map(|x| late(self.model, x)).collect();
        format!("[{}]", values.join(", "))
    }

    /// A matrix by rows.
    fn matrix(&self, rows: &[Vec<Formula>]) -> String {
        let rows = rows
            .iter()
            .map(|row| format!("rt::vec!{}", self.numbers(row)));
        format!("rt::vec![{}]", rows.collect::<Vec<_>>().join(", "))
    }

    fn mass_matrices(&self) -> String {
        let matrices = self.model.bodies.iter().filter_map(|body| {
            let matrix = self.matrix(body.mass_matrix.as_ref()?);
            let name = body.name.to_string();
            Some(format!(
                "MassMatrix {{ body: rt::text({name:?}), matrix: {matrix} }}"
            ))
        });
        let matrices = matrices.collect::<Vec<_>>().join(", ");
        format!("mass_matrices: rt::vec![{matrices}], ")
    }

    fn start_angles(&self) -> String {
        let angles = self.model.joints.iter().filter_map(|joint| {
            let (name, angle) = (joint.name.to_string(), number(joint.other_turn()?));
            Some(format!(
                "StartAngle {{ joint: rt::text({name:?}), angle: {angle} }}"
            ))
        });
        let angles = angles.collect::<Vec<_>>().join(", ");
        format!("start_angles: rt::vec![{angles}], ")
    }

    fn kind(&self, kind: &JointKind) -> String {
        match kind {
            JointKind::Distance { length } => {
                format!("Distance {{ length: {} }}", late(self.model, length))
            }
            JointKind::Driver { motion, value } => {
                let motion = match motion {
                    Motion::Angle => "Angle",
                    Motion::Displacement => "Displacement",
                    Motion::Distance => "Distance",
                };
                let value = self.formula(value);
                format!("Driver {{ motion: Motion::{motion}, value: {value} }}")
            }
            JointKind::Held(held) => held.name.to_owned(),
        }
    }

    fn joint(&self, joint: &Joint) -> String {
        format!(
            "Joint {{ name: rt::text({:?}), kind: JointKind::{}, first: {}, second: {} }},\n",
            joint.name.to_string(),
            self.kind(&joint.kind),
            self.turned_attachment(&joint.first, &joint.turn),
            self.attachment(&joint.second),
        )
    }

    /// A frame for outputs.
    fn place(&self, at: &Attachment, turn: &Formula) -> String {
        format!(
            "rt::Place {{ body: {}, point: {}, axes: {} }}",
            place(at.body.map(|id| id.0)),
            self.numbers(&at.point),
            self.axes(at, turn)
        )
    }

    /// The axes of a frame, turned back about z by an angle.
    fn axes(&self, at: &Attachment, turn: &Formula) -> String {
        let rows: Vec<String> = at.axes.iter().map(|row| numbers(row)).collect();
        let rows = format!("[{}]", rows.join(", "));
        if turn.is_zero() {
            return rows;
        }
        format!("rt::turned_back({rows}, {})", late(self.model, turn))
    }

    fn attachment(&self, at: &Attachment) -> String {
        self.turned_attachment(at, &Formula::Number(0.0))
    }

    fn turned_attachment(&self, at: &Attachment, turn: &Formula) -> String {
        let body = at.body.map_or_else(
            || "ground".to_owned(),
            |id| self.model.body(id).name.to_string(),
        );
        format!(
            "Attachment {{ body: rt::text({body:?}), point: {}, axes: {} }}",
            self.numbers(&at.point),
            self.axes(at, turn)
        )
    }

    fn force(&self, force: &Force) -> String {
        let joint = |joint: JointId| {
            let name = self.model.joint(joint).name.to_string();
            format!("joint: rt::text({name:?})")
        };
        let body = |body: BodyId| {
            let name = self.model.body(body).name.to_string();
            format!("body: rt::text({name:?})")
        };
        let kind = match &force.kind {
            ForceKind::Law {
                law,
                on,
                coefficients,
            } => {
                let on = match on {
                    On::Between(ends) => {
                        let [first, second] = [0, 1].map(|i: usize| self.attachment(&ends[i]));
                        format!("first: {first}, second: {second}")
                    }
                    On::Joint(id) => joint(*id),
                };
                let numbers = law.numbers.iter().zip(coefficients);
                let numbers = numbers.map(|(number, given)| self.coefficient(number, given));
                let numbers: Vec<String> = numbers.collect();
                format!("{} {{ {on}, {} }}", law.name, numbers.join(", "))
            }
            ForceKind::Load {
                at,
                force,
                torque,
                follower,
            } => format!(
                "Load {{ at: {}, force: {}, torque: {}, frame: LoadFrame::{} }}",
                self.attachment(at),
                self.formulas(force),
                self.formulas(torque),
                if *follower { "Body" } else { "World" }
            ),
            ForceKind::ModalSpring {
                body: id,
                stiffness,
                damping,
                ..
            } => format!(
                "ModalSpring {{ {}, stiffness: {}, damping: {} }}",
                body(*id),
                self.matrix(stiffness),
                self.matrix(damping)
            ),
            ForceKind::ModalLoad { body: id, force } => {
                let force = self.formulas(force);
                format!("ModalLoad {{ {}, force: rt::vec!{force} }}", body(*id))
            }
        };
        let name = force.name.to_string();
        format!("Force {{ name: rt::text({name:?}), kind: ForceKind::{kind} }},\n")
    }

    /// A field of a force.
    fn coefficient(&self, number: &Number, given: &Coefficient) -> String {
        let value = if number.is_matrix() {
            let rows: Vec<String> = given.rows().map(|row| self.numbers(row)).collect();
            format!("[{}]", rows.join(", "))
        } else if number.most == Level::Constructed {
            late(self.model, &given.entries[0])
        } else {
            self.formula(&given.entries[0])
        };
        format!("{}: {value}", number.field)
    }

    fn formulas(&self, formulas: &[Formula]) -> String {
        let texts: Vec<String> = formulas
            .iter()
            .map(|formula| self.formula(formula))
            .collect();
        format!("[{}]", texts.join(", "))
    }

    /// A formula as data.
    fn formula(&self, formula: &Formula) -> String {
        let boxed = |formula: &Formula| format!("rt::Box::new({})", self.formula(formula));
        match formula {
            Formula::Number(_) | Formula::Leaf(Leaf::Parameter(_) | Leaf::Outside(_)) => {
                format!("Formula::Number({})", late(self.model, formula))
            }
            Formula::Leaf(Leaf::Time) => "Formula::Time".to_owned(),
            Formula::Leaf(Leaf::Body(body, quantity, axis)) => {
                let name = self.model.body(*body).name.to_string();
                let quantity = match quantity {
                    BodyQuantity::Position => "Position",
                    BodyQuantity::Velocity => "Velocity",
                    BodyQuantity::AngularVelocity => "AngularVelocity",
                };
                format!(
                    "Formula::Body {{ body: rt::text({name:?}), quantity: BodyQuantity::{quantity}, axis: {axis} }}"
                )
            }
            Formula::Leaf(Leaf::Joint(joint, quantity)) => {
                let name = self.model.joint(*joint).name.to_string();
                let quantity = match quantity {
                    JointQuantity::Angle => "Angle",
                    JointQuantity::AngleRate => "AngleRate",
                    JointQuantity::Displacement => "Displacement",
                    JointQuantity::DisplacementRate => "DisplacementRate",
                };
                format!(
                    "Formula::Joint {{ joint: rt::text({name:?}), quantity: JointQuantity::{quantity} }}"
                )
            }
            Formula::Neg(a) => format!("Formula::Neg({})", boxed(a)),
            Formula::Binary(operation, a, b) => {
                format!("Formula::{operation:?}({}, {})", boxed(a), boxed(b))
            }
            Formula::Call(function, a) => {
                format!(
                    "Formula::Call(Function::{}, {})",
                    variant(*function),
                    boxed(a)
                )
            }
            Formula::Select(parts) => {
                let [left, right, below, otherwise] = [0, 1, 2, 3].map(|i: usize| boxed(&parts[i]));
                format!(
                    "Formula::Select {{ left: {left}, right: {right}, below: {below}, otherwise: {otherwise} }}"
                )
            }
        }
    }
}

/// Name of the variant of the runtime's `Function`.
fn variant(function: Elementary) -> String {
    format!("{function:?}")
}
