//! Joints: `#[joint(links[i] at [..], links[i + 1] at [..])] joints: [Spherical; N - 1]`.

use syn::ext::IdentExt;
use syn::{Expr, Member};

use super::super::model::{Arrays, Axis, Connection, Joint, Place, Points};
use super::Part;
use crate::diag::At;
use crate::formula::{Formula3, fixed3};
use crate::joints::{Given, Held};
use crate::lower::body::in_world;
use crate::lower::joint::known_settings;
use crate::lower::reader::{Level, Reader};
use crate::model::{Group, JointKind, Motion};
use crate::syntax::{self, Setting};

impl Reader<'_> {
    pub(super) fn array_joint(&mut self, part: &Part<'_>, arrays: &mut Arrays) {
        let Some(joint) = self.joint_of_arrays(part, arrays) else {
            return;
        };
        if joint.clamps {
            for end in joint.ends.iter().flatten() {
                let clamped = &mut arrays.members[end.member].clamped;
                if clamped.iter().any(|(index, _)| *index == end.index) {
                    self.dx.error(
                        end.at,
                        "this node is fixed to the ground twice",
                        "remove one of the joints",
                    );
                }
                clamped.push((end.index.clone(), end.at));
            }
        }
        arrays
            .connections
            .push(Connection::Joint(arrays.joints.len()));
        arrays.joints.push(joint);
    }

    fn joint_of_arrays(&mut self, part: &Part<'_>, arrays: &Arrays) -> Option<Joint> {
        let name = &part.name;
        let Some(items) = self.items(part.field, "joint") else {
            self.dx.error(
                name.span(),
                format!("joint `{name}` connects nothing"),
                "write `#[joint(ground at [0.0, 0.0, 0.0], links[0] at [..])]` above it",
            );
            return None;
        };
        let errors = self.dx.len();
        let kind_name = part.kind.to_string();
        self.only(&items, &known_settings(&kind_name));
        if self.dx.len() > errors {
            return None;
        }
        let find = |word: &str| items.settings.iter().find(|setting| setting.name == word);
        let (places, ends) = self.two_ends(part, &items.places, arrays)?;
        let kind = match Held::named(&kind_name) {
            Some(held) => JointKind::Held(held),
            None if kind_name == "Distance" => self.distance(part, find("length"))?,
            None => self.array_driver(part, &items.settings)?,
        };
        let rigid = |held: &Held| held.holds_point() && held.holds_rotation();
        let clamps = kind.line().is_some_and(rigid) && is_clamp(&ends, arrays);
        if clamps {
            self.plain_clamp(part, places, find("at"))?;
        }
        let points = self.joint_points(places, find("at"))?;
        let axes = self.joint_axes(part, &kind, find("axis"), find("cross"), arrays)?;
        self.joint_groups(part, &kind, &ends, &points, arrays)?;
        let angle = match find("angle").filter(|_| kind.has_angle()) {
            Some(setting) => Some(self.number(setting, Level::Constructed)?),
            None => None,
        };
        Some(Joint {
            name: name.clone(),
            len: part.len.clone(),
            kind,
            ends,
            points,
            axes,
            angle,
            length_at: find("length").map(|setting| At::of(&setting.value)),
            clamps,
        })
    }

    /// The two places of a joint or a force, and what they are.
    pub(super) fn two_ends<'p>(
        &mut self,
        part: &Part<'_>,
        places: &'p [syntax::Place],
        arrays: &Arrays,
    ) -> Option<([&'p syntax::Place; 2], [Place; 2])> {
        let [first, second] = places else {
            let extra = places.get(2);
            self.dx.error(
                extra.map_or(part.name.span(), |extra| extra.name.span()),
                format!("`{}` needs two bodies and has {}", part.name, places.len()),
                "name two nodes or bodies, or `ground` and one of them",
            );
            return None;
        };
        let ends = [first, second].map(|place| self.array_place(place, part, arrays));
        let [first_end, second_end] = ends;
        let ends = [first_end?, second_end?];
        self.different(part, second, &ends)?;
        Some(([first, second], ends))
    }

    fn distance(&mut self, part: &Part<'_>, length: Option<&Setting>) -> Option<JointKind> {
        let Some(setting) = length else {
            self.dx.error(
                part.name.span(),
                format!("`{}` has no length", part.name),
                "add `length = ..`",
            );
            return None;
        };
        let length = self.number(setting, Level::Constructed)?;
        Some(JointKind::Distance { length })
    }

    fn array_driver(&mut self, part: &Part<'_>, settings: &[Setting]) -> Option<JointKind> {
        let (motion, value) = self.prescribed(&part.name, settings)?;
        Some(JointKind::Driver { motion, value })
    }

    /// Points have no axes, and no more coordinates than their group.
    fn joint_groups(
        &mut self,
        part: &Part<'_>,
        kind: &JointKind,
        ends: &[Place; 2],
        points: &Points,
        arrays: &Arrays,
    ) -> Option<()> {
        for (side, end) in ends.iter().enumerate() {
            let Some(element) = end else { continue };
            let body = &arrays.members[element.member].body;
            let Group::Rn(n) = body.group else { continue };
            if kind.holds_directions() {
                self.dx.error(
                    part.kind.span(),
                    format!(
                        "a `{}` joint holds directions, and `{}` on R{n} has none",
                        kind.name(),
                        body.name
                    ),
                    "use `Spherical`, `PointOnLine` or `Distance`, or a group with rotations",
                );
                return None;
            }
            if let Points::Each(points) = points
                && (n..3).any(|axis| !points[side][axis].is_zero())
            {
                self.dx.error(
                    part.name.span(),
                    format!(
                        "body `{}` on R{n} has no point outside of its first {n} coordinates",
                        body.name
                    ),
                    format!("use a point in the first {n} coordinates, or `Body<R3>`"),
                );
                return None;
            }
        }
        Some(())
    }

    fn different(
        &mut self,
        part: &Part<'_>,
        second: &syntax::Place,
        ends: &[Place; 2],
    ) -> Option<()> {
        let same = match ends {
            [Some(a), Some(b)] => a.member == b.member && a.index == b.index,
            [None, None] => true,
            _ => false,
        };
        if same {
            self.dx.error(
                second.name.span(),
                format!("`{}` connects `{}` with itself", part.name, second.name),
                "name two different bodies, or `ground` and a body",
            );
        }
        (!same).then_some(())
    }

    /// A clamped node has no points, and is one node.
    fn plain_clamp(
        &mut self,
        part: &Part<'_>,
        places: [&syntax::Place; 2],
        at: Option<&Setting>,
    ) -> Option<()> {
        let point = places.iter().find_map(|place| place.point.as_ref());
        if let Some(point) = point.or(at.map(|setting| &setting.value)) {
            self.dx.error(
                At::of(point),
                "a node that is fixed to the ground stays where it starts",
                "leave out the points",
            );
            return None;
        }
        if part.len.is_some() {
            self.dx.error(
                part.name.span(),
                "nodes are fixed to the ground one by one",
                "write one field `Fixed` for each of them",
            );
            return None;
        }
        Some(())
    }

    pub(super) fn joint_points(
        &mut self,
        places: [&syntax::Place; 2],
        at: Option<&Setting>,
    ) -> Option<Points> {
        if let Some(setting) = at {
            let Some(inner) = in_world(&setting.value) else {
                self.dx.error(
                    At::of(&setting.value),
                    "a place for both bodies is given in inertial coordinates of the start",
                    "write `at = world([x, y, z])`, or a point of each body: `links[i] at [x, y, z]`",
                );
                return None;
            };
            if let Some(point) = places.iter().find_map(|place| place.point.as_ref()) {
                self.dx.error(
                    At::of(point),
                    "the place of the joint is given twice",
                    "write a point of each body, or `at = world([..])`",
                );
                return None;
            }
            return self.point(inner).map(Points::World);
        }
        let mut point = |place: &syntax::Place| match &place.point {
            Some(point) => self.point(point),
            None => Some(fixed3([0.0; 3])),
        };
        let [first, second] = places;
        let (first, second): (Option<Formula3>, _) = (point(first), point(second));
        Some(Points::Each([first?, second?]))
    }

    fn joint_axes(
        &mut self,
        part: &Part<'_>,
        kind: &JointKind,
        axis: Option<&Setting>,
        cross: Option<&Setting>,
        arrays: &Arrays,
    ) -> Option<Vec<Axis>> {
        let given = match kind {
            JointKind::Held(held) => held.given,
            JointKind::Distance { .. }
            | JointKind::Driver {
                motion: Motion::Distance,
                ..
            } => Given::Nothing,
            JointKind::Driver { .. } => Given::Axis,
        };
        match (given, axis, cross) {
            (Given::Cross, _, Some(setting)) => {
                let arms = match &setting.value {
                    Expr::Tuple(tuple) if tuple.elems.len() == 2 => {
                        [&tuple.elems[0], &tuple.elems[1]]
                    }
                    other => {
                        self.dx.error(
                            At::of(other),
                            "a cross has two axes",
                            "write `cross = (links[i].y, links[i + 1].z)`: an axis of each body that stay normal to each other",
                        );
                        return None;
                    }
                };
                let arms = arms.map(|arm| self.joint_axis(arm, part, arrays));
                arms.into_iter().collect()
            }
            (Given::Cross, _, None) => {
                self.dx.error(
                    part.name.span(),
                    format!("universal joint `{}` has no cross", part.name),
                    "add `cross = (links[i].y, links[i + 1].z)`: an axis of each body that stay normal to each other",
                );
                None
            }
            (_, Some(setting), _) => Some(vec![self.joint_axis(&setting.value, part, arrays)?]),
            (Given::Nothing | Given::AnyAxis, None, _) => Some(Vec::new()),
            (_, None, _) => {
                self.dx.error(
                    part.name.span(),
                    format!("`{}` has no axis", part.name),
                    "add `axis = [x, y, z]` in inertial axes at the start, or an axis of a body such as `axis = links[i].y`",
                );
                None
            }
        }
    }

    /// Inertial axes of the start, or `links[i].y`.
    pub(super) fn joint_axis(
        &mut self,
        expr: &Expr,
        part: &Part<'_>,
        arrays: &Arrays,
    ) -> Option<Axis> {
        if let Expr::Field(field) = expr
            && let Member::Named(member) = &field.member
            && let Some(axis) = ["x", "y", "z"].iter().position(|axis| member == axis)
        {
            let (owner, index) = match &*field.base {
                Expr::Index(index) => (&*index.expr, Some(&*index.index)),
                base => (base, None),
            };
            if let Expr::Path(path) = owner
                && let Some(ident) = path.path.get_ident()
                && (ident == "ground" || self.scope.bodies.contains(&ident.unraw().to_string()))
            {
                let place = self.array_element(ident, index, part, arrays)?;
                let unit = core::array::from_fn(|i| if i == axis { 1.0 } else { 0.0 });
                return Some(Axis::Of(place, unit));
            }
        }
        let inner = in_world(expr).unwrap_or(expr);
        let list = self.list(inner, "axis", 3, Level::Constructed)?;
        let axis: Formula3 = list.try_into().ok()?;
        if axis.iter().all(crate::formula::Formula::is_zero) {
            self.dx.error(
                At::of(expr),
                "this axis has no direction",
                "give a vector that is not zero",
            );
            return None;
        }
        Some(Axis::World(axis))
    }
}

/// A node and the ground.
fn is_clamp(ends: &[Place; 2], arrays: &Arrays) -> bool {
    match ends {
        [None, Some(end)] | [Some(end), None] => arrays.members[end.member].node,
        _ => false,
    }
}
