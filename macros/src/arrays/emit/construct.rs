//! The constructor: values are checked, then the parts are listed, array by array.
//!
//! ```text
//! let m0 = parts.nodes("nodes", Some(1 + n[0]), GroupKind::S3sR3, |i| PartStart { .. })?;
//! parts.elements("edges", Some(n[0]), |k, i| rt::Ok(ElementPart { ends: [m0.at(k, ..)?, ..], .. }))?;
//! ```

use std::fmt::Write;

use proc_macro2::TokenStream;

use super::super::affine::Affine;
use super::super::model::{
    Arrays, Axis, Connection, Held, Joint, Load, Member, Place, Points, Rod, Shape, Target,
};
use super::super::text::reads_time;
use crate::formula::Formula;
use crate::model::{JointKind, Motion};
use crate::scope;

/// The body of `new`.
pub(super) fn new(arrays: &Arrays) -> TokenStream {
    let (outside, mut text) = scope::outside(&arrays.model);
    let proper = &arrays.model.parameters[..arrays.parameter_count()];
    for parameter in proper {
        let (name, range) = (&parameter.name, parameter.range);
        let _ = writeln!(
            text,
            "rt::check_parameter(\"{name}\", parameters.{}, {}, {}, {})?;",
            scope::item_name(name),
            bound(range.min),
            bound(range.max),
            range.above_min
        );
    }
    let counts: Vec<String> = arrays
        .counts
        .iter()
        .map(|count| {
            let name = &count.name;
            let value = if count.default.is_some() {
                format!("parameters.{}", scope::item_name(name))
            } else {
                name.to_string()
            };
            format!("rt::check_count(\"{name}\", {value}, {})?", count.min)
        })
        .collect();
    let values: Vec<String> = proper
        .iter()
        .map(|parameter| format!("parameters.{}", scope::item_name(&parameter.name)))
        .chain(outside)
        .collect();
    let has_parameters =
        !proper.is_empty() || arrays.counts.iter().any(|count| count.default.is_some());
    let _ = writeln!(
        text,
        "let model = Self {{ inner: Self::assemble(&[{}], &[{}])?, {} }};\n\
         rt::check_start(&model)?;\n{}rt::Ok(model)",
        values.join(", "),
        counts.join(", "),
        if has_parameters { "parameters" } else { "" },
        if arrays.shape == Shape::Network && !arrays.model.redundant {
            "rt::check_constraints(&model)?;\n"
        } else {
            ""
        }
    );
    scope::parsed(&text)
}

fn bound(value: f64) -> String {
    if value == f64::INFINITY {
        "f64::INFINITY".to_owned()
    } else if value == f64::NEG_INFINITY {
        "f64::NEG_INFINITY".to_owned()
    } else {
        format!("{value:?}")
    }
}

/// The function that lists the parts.
pub(super) fn assemble(arrays: &Arrays) -> TokenStream {
    let values = arrays.parameter_count() + arrays.model.outside.len();
    let counts = arrays.counts.len();
    let (inner, finish) = match arrays.shape {
        Shape::Chain => ("LinkChain", "chain"),
        Shape::Tree => ("Tree", "tree"),
        Shape::Network => ("GenericSystem", "network"),
    };
    let mut text = format!(
        "#[allow(clippy::unreadable_literal, clippy::excessive_precision, clippy::too_many_lines, \
         clippy::cast_precision_loss, clippy::float_cmp, clippy::approx_constant, clippy::identity_op, \
         clippy::neg_multiply, clippy::erasing_op, clippy::let_and_return, clippy::too_many_arguments, \
         unused_variables, unused_parens, clippy::unused_self, clippy::trivially_copy_pass_by_ref)]\n\
         fn assemble(p: &[f64; {values}], n: &[i64; {counts}]) -> \
         rt::Result<rt::{inner}, rt::InvalidTree> {{\n\
         let c: [f64; {counts}] = rt::reals(n);\n\
         let mut parts = rt::Parts::new({});\n",
        arrays.list(&arrays.model.gravity),
    );
    for (word, set) in [
        ("redundant", arrays.model.redundant),
        ("assemble", arrays.model.assemble),
    ] {
        if set {
            let _ = writeln!(text, "parts.{word} = true;");
        }
    }
    for (place, member) in arrays.members.iter().enumerate() {
        let _ = writeln!(text, "let m{place} = {};", arrays.member(member));
    }
    for connection in &arrays.connections {
        match connection {
            Connection::Rod(rod) => {
                let _ = writeln!(text, "let e{rod} = {};", arrays.rod(&arrays.rods[*rod]));
            }
            Connection::Joint(joint) => {
                let text_of = arrays.joint(&arrays.joints[*joint]);
                let _ = writeln!(text, "let j{joint} = {text_of};");
            }
        }
    }
    for load in &arrays.loads {
        let _ = match arrays.shape {
            Shape::Network => writeln!(text, "{};", arrays.network_load(load)),
            _ => writeln!(text, "{};", arrays.load(load)),
        };
    }
    for force in &arrays.forces {
        let _ = writeln!(text, "{};", arrays.force(force));
    }
    let _ = writeln!(text, "rt::Parts::{finish}(&parts) }}");
    scope::parsed(&text)
}

/// `Some(length)`, or `None` for a single one.
pub(super) fn count(len: Option<&Affine>) -> String {
    len.map_or_else(
        || "rt::None".to_owned(),
        |len| format!("rt::Some({})", len.text()),
    )
}

impl Arrays {
    fn optional(&self, formulas: Option<&[Formula]>, first_only: bool) -> String {
        match formulas {
            None => "rt::None".to_owned(),
            Some(formulas) if first_only => format!(
                "if i == 0.0 {{ rt::Some({}) }} else {{ rt::None }}",
                self.list(formulas)
            ),
            Some(formulas) => format!("rt::Some({})", self.list(formulas)),
        }
    }

    fn member(&self, member: &Member) -> String {
        let [position, rotation, velocity] = member.first_only;
        let start = format!(
            "rt::PartStart {{ position: {}, rotation: {}, velocity: {}, angular_velocity: {}, turns_in_world: {} }}",
            self.optional(member.position.as_ref().map(|x| &x[..]), position),
            self.optional(member.rotation.as_ref().map(|x| &x[..]), rotation),
            self.optional(member.velocity.as_ref().map(|x| &x[..]), velocity),
            self.optional(member.angular_velocity.as_ref().map(|x| &x[..]), false),
            member.turns_in_world,
        );
        let (name, count) = (&member.body.name, count(member.len.as_ref()));
        let group = member.body.group.kind();
        if member.node {
            return format!(
                "rt::Parts::nodes(&mut parts, \"{name}\", {count}, rt::GroupKind::{group}, |i| {start})?"
            );
        }
        let body = &member.body;
        let rows: Vec<String> = body.inertia.iter().map(|row| self.list(row)).collect();
        format!(
            "rt::Parts::bodies(&mut parts, \"{name}\", {count}, rt::GroupKind::{group}, |i| rt::BodyPart {{ \
             mass: {}, inertia: [{}], inertia_unchecked: {}, center: {}, start: {start} }})?",
            self.text(&body.mass),
            rows.join(", "),
            body.inertia_unchecked,
            self.list(&body.center),
        )
    }

    pub(super) fn place(place: &Place, user: &impl std::fmt::Display) -> String {
        match place {
            None => "rt::Item::GROUND".to_owned(),
            Some(element) => {
                format!(
                    "rt::Row::at(&m{}, {}, \"{user}\")?",
                    element.member,
                    element.index.text()
                )
            }
        }
    }

    fn rod(&self, rod: &Rod) -> String {
        let name = &rod.name;
        let [a, b] = rod.ends.clone().map(|end| Self::place(&Some(end), name));
        let stiffness = rod.stiffness.clone().map(|(formula, _)| formula);
        let held = match rod.held {
            Held::Cosserat => "Cosserat",
            Held::Kirchhoff => "Kirchhoff",
            Held::Inextensible => "Inextensible",
        };
        format!(
            "rt::Parts::elements(&mut parts, \"{name}\", {}, |k, i| rt::Ok(rt::ElementPart {{ ends: [{a}, {b}], length: {}, \
             section: rt::Section {{ density: {}, inertia: {}, stiffness: {}, damping: {}, damping_factor: {} }}, \
             curvature: {}, constraint: rt::InternalConstraint::{held}, stiffness_of_held_strains: {} }}))?",
            count(rod.len.as_ref()),
            self.text(&rod.length.0),
            self.text(&rod.density.0),
            self.list(&rod.inertia.0),
            self.list(&stiffness),
            self.list(&rod.damping.0),
            self.text(&rod.damping_factor.0),
            self.list(&rod.curvature.0),
            rod.stiffness_of_held_strains,
        )
    }

    pub(super) fn points(&self, points: &Points) -> String {
        match points {
            Points::Each([a, b]) => {
                format!(
                    "rt::JointPoints::Each([{}, {}])",
                    self.list(a),
                    self.list(b)
                )
            }
            Points::World(point) => format!("rt::JointPoints::World({})", self.list(point)),
        }
    }

    pub(super) fn axis(&self, axis: &Axis, user: &impl std::fmt::Display) -> String {
        match axis {
            Axis::World(axis) => format!("rt::JointAxis::World({})", self.list(axis)),
            Axis::Of(place, axis) => {
                format!("rt::JointAxis::Of({}, {axis:?})", Self::place(place, user))
            }
        }
    }

    fn joint(&self, joint: &Joint) -> String {
        let name = &joint.name;
        let [a, b] = [0, 1].map(|side: usize| Self::place(&joint.ends[side], name));
        let axes = joint.axes.iter().map(|axis| self.axis(axis, name));
        let axes: Vec<String> = axes.collect();
        let start = joint
            .angle
            .as_ref()
            .map_or_else(|| "0.0".to_owned(), |x| self.text(x));
        let (kind, angle) = match &joint.kind {
            JointKind::Distance { length } => (
                format!("Distance {{ length: {} }}", self.text(length)),
                start,
            ),
            JointKind::Driver { motion, value } => {
                let value = self.data(value);
                // A driven angle starts with its value at the start.
                let angle = match motion {
                    Motion::Angle => format!("rt::at_start(&{value})"),
                    _ => start,
                };
                let kind = format!("Driver {{ motion: rt::Motion::{motion:?}, value: {value} }}");
                (kind, angle)
            }
            JointKind::Held(held) => (held.name.to_owned(), start),
        };
        format!(
            "rt::Parts::joints(&mut parts, \"{name}\", {}, |k, i| rt::Ok(rt::JointPart {{ kind: rt::JointKind::{kind}, \
             ends: [{a}, {b}], points: {}, axes: rt::vec![{}], angle: {angle} }}))?",
            count(joint.len.as_ref()),
            self.points(&joint.points),
            axes.join(", "),
        )
    }

    fn load(&self, load: &Load) -> String {
        let name = &load.name;
        let loads = self.load_values(load);
        match &load.target {
            Target::Rod(rod) => {
                format!("rt::Parts::distributed(&mut parts, \"{name}\", e{rod}, {loads})")
            }
            Target::Point(element, point) => format!(
                "rt::Parts::loads(&mut parts, \"{name}\", {}, |k, i| rt::Ok(({}, {}, {loads})))?",
                count(load.len.as_ref()),
                Self::place(&Some(element.clone()), name),
                self.list(point),
            ),
        }
    }

    /// The constant components as one load, each function of time as another.
    fn load_values(&self, load: &Load) -> String {
        let frame = if load.follower { "Body" } else { "Inertial" };
        let frame = format!("rt::LoadFrame::{frame}");
        let mut loads = Vec::new();
        let zero = Formula::Number(0.0);
        let constant = load
            .components
            .clone()
            .map(|x| if reads_time(&x) { zero.clone() } else { x });
        if !constant.iter().all(Formula::is_zero) {
            loads.push(format!(
                "rt::Load {{ force: {}, moment: {}, frame: {frame}, profile: rt::Profile::Constant }}",
                self.list(&constant[..3]),
                self.list(&constant[3..]),
            ));
        }
        for (slot, formula) in load.components.iter().enumerate() {
            if reads_time(formula) {
                loads.push(format!(
                    "rt::timed_load({frame}, {slot}, &{})",
                    self.data(formula)
                ));
            }
        }
        format!("rt::vec![{}]", loads.join(", "))
    }
}
