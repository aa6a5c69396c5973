//! Formulas as Rust, over the values that are known when the model is constructed: `p` the
//! parameters and the constants outside, `c` the counts, `i` the index.

use super::model::{Arrays, JointElement, Read, Reading};
use crate::formula::{Formula, Leaf, Operation};
use crate::render::number;

impl Arrays {
    fn leaf(&self, leaf: Leaf) -> String {
        let (parameters, counts) = (self.parameter_count(), self.counts.len());
        match leaf {
            Leaf::Parameter(place) if place < parameters => format!("p[{place}]"),
            Leaf::Parameter(place) if place < parameters + counts => {
                format!("c[{}]", place - parameters)
            }
            Leaf::Parameter(_) => "i".to_owned(),
            Leaf::Outside(place) => format!("p[{}]", parameters + place),
            Leaf::Time | Leaf::Body(..) | Leaf::Joint(..) => "f64::NAN".to_owned(),
        }
    }

    /// A number.
    pub(super) fn text(&self, formula: &Formula) -> String {
        let part = |formula: &Formula| self.text(formula);
        match formula {
            Formula::Number(x) => number(*x),
            Formula::Leaf(leaf) => self.leaf(*leaf),
            Formula::Neg(a) => format!("(-{})", part(a)),
            Formula::Binary(Operation::Atan2, a, b) => {
                format!("f64::atan2({}, {})", part(a), part(b))
            }
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

    /// A list of numbers.
    pub(super) fn list(&self, formulas: &[Formula]) -> String {
        let texts: Vec<String> = formulas.iter().map(|formula| self.text(formula)).collect();
        format!("[{}]", texts.join(", "))
    }

    /// A body or a joint that a formula reads, by its name.
    fn reading(&self, leaf: Leaf) -> String {
        let of = |place: usize| self.readings.get(place).and_then(Option::as_ref);
        match leaf {
            Leaf::Body(body, quantity, axis) => match of(body.0) {
                Some(Reading {
                    user,
                    of: Read::Member(element),
                    ..
                }) => format!(
                    "rt::Formula::Body {{ body: rt::Row::name(&m{}, {}, \"{user}\")?, \
                     quantity: rt::BodyQuantity::{quantity:?}, axis: {axis} }}",
                    element.member,
                    element.index.text()
                ),
                _ => "rt::Formula::Number(f64::NAN)".to_owned(),
            },
            Leaf::Joint(joint, quantity) => match of(joint.0) {
                Some(Reading {
                    user,
                    of: Read::Joint(element),
                    ..
                }) => format!(
                    "rt::Formula::Joint {{ joint: {}, quantity: rt::JointQuantity::{quantity:?} }}",
                    joint_name(element, user)
                ),
                _ => "rt::Formula::Number(f64::NAN)".to_owned(),
            },
            _ => "rt::Formula::Time".to_owned(),
        }
    }

    /// A function of time and motion, as data: an `rt::Formula`.
    pub(super) fn data(&self, formula: &Formula) -> String {
        if !(reads_time(formula) || reads_motion(formula)) {
            return format!("rt::Formula::Number({})", self.text(formula));
        }
        let boxed = |formula: &Formula| format!("rt::Box::new({})", self.data(formula));
        match formula {
            Formula::Number(x) => format!("rt::Formula::Number({})", number(*x)),
            Formula::Leaf(leaf) => self.reading(*leaf),
            Formula::Neg(a) => format!("rt::Formula::Neg({})", boxed(a)),
            Formula::Binary(operation, a, b) => {
                format!("rt::Formula::{operation:?}({}, {})", boxed(a), boxed(b))
            }
            Formula::Call(function, a) => {
                format!(
                    "rt::Formula::Call(rt::Function::{function:?}, {})",
                    boxed(a)
                )
            }
            Formula::Select(parts) => {
                let [a, b, x, y] = [0, 1, 2, 3].map(|i: usize| boxed(&parts[i]));
                format!(
                    "rt::Formula::Select {{ left: {a}, right: {b}, below: {x}, otherwise: {y} }}"
                )
            }
        }
    }
}

/// The name of a joint, as Rust.
pub(super) fn joint_name(element: &JointElement, user: &impl std::fmt::Display) -> String {
    let (joint, index) = (element.joint, element.index.text());
    format!("rt::JointRow::name(&j{joint}, {index}, \"{user}\")?")
}

/// Whether a formula depends on the motion.
pub(super) fn reads_motion(formula: &Formula) -> bool {
    let mut found = false;
    formula.leaves(&mut |leaf| found |= matches!(leaf, Leaf::Body(..) | Leaf::Joint(..)));
    found
}

/// Whether a formula depends on time.
pub(super) fn reads_time(formula: &Formula) -> bool {
    let mut found = false;
    formula.leaves(&mut |leaf| found |= leaf == Leaf::Time);
    found
}
