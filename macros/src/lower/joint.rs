//! Joints: `#[joint(ground at [..], top at [..])] pivot: Spherical`.
//!
//! A place is given in coordinates of each body, `body at [..]`, or once in inertial
//! coordinates of the start, `at = world([..])`. An axis is given in inertial axes of the start,
//! or as an axis of a body, `axis = rod.y`.

use syn::ext::IdentExt;
use syn::{Expr, Ident, Member};

use super::Part;
use super::body::in_world;
use super::reader::{Level, Reader};
use crate::diag::{At, nearest};
use crate::formula::{Formula, Formula3, fixed3, rotate3, sub3};
use crate::joints::{Given, Held};
use crate::model::{
    Attachment, Axes, BodyId, Group, IDENTITY, Joint, JointKind, Model, Motion, Written,
    rotation_matrix, without_rounding,
};
use crate::syntax::{Place, Setting};

impl Reader<'_> {
    pub(super) fn joint(&mut self, part: &Part<'_>, model: &Model) -> Option<Joint> {
        let name = &part.name;
        let errors = self.dx.len();
        let Some(items) = self.items(part.field, "joint") else {
            self.dx.error(
                name.span(),
                format!("joint `{name}` connects nothing"),
                "write `#[joint(ground at [0.0, 0.0, 0.0], body at [..])]` above it",
            );
            return None;
        };
        let find = |word: &str| items.settings.iter().find(|setting| setting.name == word);
        self.only(&items, &known_settings(&part.kind.to_string()));
        if self.dx.len() > errors {
            return None;
        }
        let pair = self.pair(part, &items.places, find("at"), model);
        let [mut first, mut second] = pair?;
        let kind_name = part.kind.to_string();
        let sides = [&mut first, &mut second];
        let (mut turn, mut start_angle) = (Formula::Number(0.0), None);
        let kind = match Held::named(&kind_name) {
            Some(held) => {
                match held.given {
                    Given::Nothing => {}
                    Given::Axis => self.axes(part, find("axis"), false, sides, model)?,
                    Given::AnyAxis => self.axes(part, find("axis"), true, sides, model)?,
                    Given::Cross => self.cross(part, find("cross"), sides, model)?,
                }
                if let Some(setting) = find("angle") {
                    let angle = self.known(setting)?;
                    turn_back(&mut first.axes, angle);
                    start_angle = Some(angle);
                }
                JointKind::Held(held)
            }
            None if kind_name == "Distance" => {
                let length = self.required(part, find("length"), "length")?;
                JointKind::Distance { length }
            }
            None => self.driver(part, &items.settings, sides, &mut turn, model)?,
        };
        self.check_groups(part, &kind, [&first, &second], model);
        Some(Joint {
            name: name.clone(),
            kind,
            first,
            second,
            turn,
            start_angle,
            written: Written::new(name, &items.settings),
            kind_span: part.kind.span(),
            angle: None,
        })
    }

    /// Two different bodies with their points.
    pub(super) fn pair(
        &mut self,
        part: &Part<'_>,
        places: &[Place],
        at: Option<&Setting>,
        model: &Model,
    ) -> Option<[Attachment; 2]> {
        let name = &part.name;
        let [first, second] = places else {
            self.dx.error(
                places.get(2).map_or(name.span(), |extra| extra.name.span()),
                format!("`{name}` needs two bodies and has {}", places.len()),
                "name two bodies, or `ground` and a body",
            );
            return None;
        };
        let world = match at {
            Some(setting) if first.point.is_some() && second.point.is_some() => {
                self.dx.error(
                    setting.name.span(),
                    format!("the place of `{name}` is given twice"),
                    "keep `at = world(..)`, or the points of both bodies",
                );
                return None;
            }
            Some(setting) => Some(self.world_point(setting)?),
            None => None,
        };
        let (a, b) = (
            self.place(first, world.as_ref(), model),
            self.place(second, world.as_ref(), model),
        );
        let (a, b) = (a?, b?);
        if a.body == b.body {
            self.dx.error(
                second.name.span(),
                format!("`{name}` connects `{}` with itself", second.name),
                "name two different bodies, or `ground` and a body",
            );
            return None;
        }
        Some([a, b])
    }

    /// `at = world([x, y, z])`.
    fn world_point(&mut self, setting: &Setting) -> Option<Formula3> {
        let Some(inner) = in_world(&setting.value) else {
            self.dx.error(
                At::of(&setting.value),
                "a place for both bodies is given in inertial coordinates of the start",
                "write `at = world([x, y, z])`, or a point of each body: `body at [x, y, z]`",
            );
            return None;
        };
        self.point(inner)
    }

    /// A body with a point in its coordinates.
    pub(super) fn place(
        &mut self,
        place: &Place,
        world: Option<&Formula3>,
        model: &Model,
    ) -> Option<Attachment> {
        if let Some(index) = &place.index {
            self.dx.error(
                At::of(index),
                format!("`{}` is not an array", place.name),
                "leave out the index",
            );
            return None;
        }
        let body = self.body_named(&place.name)?;
        if let Some(n) = body.and_then(|id| model.body(id).modes()) {
            self.dx.error(
                place.name.span(),
                format!(
                    "`{}` has no place in space: it is a set of {n} modal coordinates",
                    place.name
                ),
                format!(
                    "couple it by formulas instead: a `Load` may read `{0}.position[0]`, and `#[force({0}, force = [..])]` acts on the coordinates",
                    place.name
                ),
            );
            return None;
        }
        let mut point = fixed3([0.0; 3]);
        if let Some(expr) = &place.point {
            point = self.point(expr)?;
        } else if let Some(world) = world {
            point = into_body(model, body, world);
        }
        Some(Attachment {
            body,
            point,
            axes: IDENTITY,
        })
    }

    /// The body of a name; `ground` is `None`.
    #[expect(clippy::option_option, reason = "no such body, or the ground")]
    pub(super) fn body_named(&mut self, ident: &syn::Ident) -> Option<Option<BodyId>> {
        let name = ident.unraw().to_string();
        if name == "ground" {
            return Some(None);
        }
        let found = self.scope.bodies.iter().position(|body| *body == name);
        if let Some(found) = found {
            return Some(Some(BodyId(found)));
        }
        let names = self.scope.bodies.iter().map(String::as_str);
        let names = names.chain(["ground"]);
        let help = nearest(&name, names.clone()).map_or_else(
            || format!("known are {}", names.collect::<Vec<_>>().join(", ")),
            |near| format!("did you mean `{near}`?"),
        );
        self.dx
            .error(ident.span(), format!("unknown body `{name}`"), help);
        None
    }

    fn required(
        &mut self,
        part: &Part<'_>,
        setting: Option<&Setting>,
        word: &str,
    ) -> Option<Formula> {
        if let Some(setting) = setting {
            return self.number(setting, Level::Constructed);
        }
        self.dx.error(
            part.name.span(),
            format!("`{}` has no {word}", part.name),
            format!("add `{word} = ..`"),
        );
        None
    }

    /// Sets the axes of both sides so that they coincide at the start, z along the given axis.
    /// x and y are axes of the second body where they can be: that makes sparse constraints.
    pub(super) fn axes(
        &mut self,
        part: &Part<'_>,
        setting: Option<&Setting>,
        optional: bool,
        [first, second]: [&mut Attachment; 2],
        model: &Model,
    ) -> Option<()> {
        second.axes = match setting {
            Some(setting) => {
                let axis = self.direction(&setting.value, model)?;
                let axis = turn_into_body(model, second.body, axis);
                frame(axis).or_else(|| self.no_direction(At::of(&setting.value)))?
            }
            None if optional => IDENTITY,
            None => {
                self.dx.error(
                    part.name.span(),
                    format!("`{}` has no axis", part.name),
                    "add `axis = [x, y, z]` in inertial axes at the start, or an axis of a body such as `axis = crank.x`",
                );
                return None;
            }
        };
        first.axes = second.axes.map(|axis| {
            let axis = turn_into_world(model, second.body, axis);
            turn_into_body(model, first.body, axis)
        });
        Some(())
    }

    fn no_direction<T>(&mut self, span: At) -> Option<T> {
        self.dx.error(
            span,
            "this axis has no direction",
            "give a vector that is not zero",
        );
        None
    }

    /// A direction in inertial axes at the start.
    fn direction(&mut self, expr: &Expr, model: &Model) -> Option<[f64; 3]> {
        if let Some((owner, axis)) = axis_of(expr) {
            let body = self.body_named(owner)?;
            return Some(turn_into_world(model, body, IDENTITY[axis]));
        }
        let inner = in_world(expr).unwrap_or(expr);
        self.known3(inner, "axis")
    }

    /// `cross = (rod.y, slider.x)`: x of the first frame, y of the second.
    fn cross(
        &mut self,
        part: &Part<'_>,
        setting: Option<&Setting>,
        [first, second]: [&mut Attachment; 2],
        model: &Model,
    ) -> Option<()> {
        const HELP: &str = "write `cross = (first.y, second.x)` with an axis of each body that stay normal to each other";
        let Some(setting) = setting else {
            let text = format!("universal joint `{}` has no cross", part.name);
            self.dx.error(part.name.span(), text, HELP);
            return None;
        };
        let span = At::of(&setting.value);
        let Expr::Tuple(tuple) = &setting.value else {
            self.dx.error(span, "a cross has two axes", HELP);
            return None;
        };
        if tuple.elems.len() != 2 {
            self.dx.error(span, "a cross has two axes", HELP);
            return None;
        }
        let mut arms = [&tuple.elems[0], &tuple.elems[1]];
        // Named axes may come in either order.
        if let Some((owner, _)) = axis_of(arms[0])
            && self.body_named(owner)? == second.body
        {
            arms.swap(0, 1);
        }
        for (arm, side) in arms.iter().zip([&*first, &*second]) {
            if let Some((owner, _)) = axis_of(arm)
                && self.body_named(owner)? != side.body
            {
                let text = format!("`{owner}` is not held by this joint on that side");
                self.dx.error(owner.span(), text, HELP);
                return None;
            }
        }
        let (x, y) = (
            self.direction(arms[0], model)?,
            self.direction(arms[1], model)?,
        );
        // frame() gives a z axis; x and y follow by a cyclic shift.
        let [b, c, a] = frame(x).or_else(|| self.no_direction(At::of(arms[0])))?;
        first.axes = [a, b, c].map(|axis| turn_into_body(model, first.body, axis));
        let [c, a, b] = frame(y).or_else(|| self.no_direction(At::of(arms[1])))?;
        second.axes = [a, b, c].map(|axis| turn_into_body(model, second.body, axis));
        Some(())
    }

    /// The motion that a driver prescribes, and its function of time.
    pub(crate) fn prescribed(
        &mut self,
        name: &Ident,
        settings: &[Setting],
    ) -> Option<(Motion, Formula)> {
        const MOTIONS: [(&str, Motion); 3] = [
            ("angle", Motion::Angle),
            ("displacement", Motion::Displacement),
            ("distance", Motion::Distance),
        ];
        let mut found = settings.iter().filter_map(|setting| {
            let (_, motion) = MOTIONS.iter().find(|(word, _)| setting.name == word)?;
            Some((setting, *motion))
        });
        let (Some((setting, motion)), None) = (found.next(), found.next()) else {
            self.dx.error(
                name.span(),
                format!("driver `{name}` must prescribe one motion"),
                "add one of `angle = ..`, `displacement = ..`, `distance = ..`, a function of `t`",
            );
            return None;
        };
        Some((motion, self.number(setting, Level::Time)?))
    }

    fn driver(
        &mut self,
        part: &Part<'_>,
        settings: &[Setting],
        [first, second]: [&mut Attachment; 2],
        turn: &mut Formula,
        model: &Model,
    ) -> Option<JointKind> {
        let (motion, value) = self.prescribed(&part.name, settings)?;
        let axis = settings.iter().find(|setting| setting.name == "axis");
        self.axes(
            part,
            axis,
            motion == Motion::Distance,
            [&mut *first, &mut *second],
            model,
        )?;
        if motion == Motion::Angle {
            let start = value.at_time_zero();
            match start.value() {
                Some(angle) => turn_back(&mut first.axes, angle),
                None => *turn = start,
            }
        }
        Some(JointKind::Driver { motion, value })
    }

    /// Groups that cannot carry the joint.
    fn check_groups(
        &mut self,
        part: &Part<'_>,
        kind: &JointKind,
        sides: [&Attachment; 2],
        model: &Model,
    ) {
        let rotating = sides
            .iter()
            .any(|side| side.body.is_some_and(|id| model.body(id).group.rotates()));
        if kind.holds_directions() && !rotating {
            let groups: Vec<String> = sides
                .iter()
                .filter_map(|side| side.body)
                .map(|id| {
                    let body = model.body(id);
                    format!("`{}` on {}", body.name, body.group.name())
                })
                .collect();
            self.dx.error(
                part.kind.span(),
                format!(
                    "a `{}` joint holds directions, and nothing here rotates: {}",
                    kind.name(),
                    groups.join(", ")
                ),
                "use `Spherical`, `PointOnLine` or `Distance`, or a group with rotations",
            );
        }
        for side in sides {
            let Some(body) = side.body.map(|id| model.body(id)) else {
                continue;
            };
            if let Group::Rn(n) = body.group {
                let held = (n..3).any(|axis| !side.point[axis].is_zero());
                if held {
                    self.dx.error(
                        part.name.span(),
                        format!(
                            "body `{}` on R{n} has no point outside of its first {n} coordinates",
                            body.name
                        ),
                        format!("use a point in the first {n} coordinates, or `Body<R3>`"),
                    );
                }
            }
        }
    }
}

/// In place of a joint with errors, so that the rest of the model can be read.
pub(super) fn stand_in(part: &Part<'_>) -> Joint {
    let ground = || Attachment {
        body: None,
        point: fixed3([0.0; 3]),
        axes: IDENTITY,
    };
    Joint {
        name: part.name.clone(),
        kind: Held::named(&part.kind.to_string()).map_or_else(unknown_distance, JointKind::Held),
        first: ground(),
        second: ground(),
        turn: Formula::Number(0.0),
        start_angle: None,
        written: Written::new(&part.name, &[]),
        kind_span: part.kind.span(),
        angle: None,
    }
}

/// In place of a kind that is not held and was not read.
fn unknown_distance() -> JointKind {
    let length = Formula::Number(1.0);
    JointKind::Distance { length }
}

/// What a joint of a kind may be given.
pub(crate) fn known_settings(name: &str) -> Vec<&'static str> {
    match (Held::named(name), name) {
        (Some(held), _) => held.settings(),
        (None, "Distance") => vec!["at", "length"],
        (None, _) => vec!["at", "axis", "angle", "displacement", "distance"],
    }
}

/// `body.x`, `body.y`, `body.z`.
fn axis_of(expr: &Expr) -> Option<(&syn::Ident, usize)> {
    let Expr::Field(field) = expr else {
        return None;
    };
    let Expr::Path(path) = &*field.base else {
        return None;
    };
    let Member::Named(member) = &field.member else {
        return None;
    };
    let axis = ["x", "y", "z"].iter().position(|axis| member == axis)?;
    Some((path.path.get_ident()?, axis))
}

/// Turns the frame of the first side back about z, so that the joint starts with this angle.
fn turn_back(axes: &mut Axes, angle: f64) {
    if angle == 0.0 {
        return;
    }
    let (sin, cos) = angle.sin_cos();
    let [x, y, _] = *axes;
    axes[0] = core::array::from_fn(|i| without_rounding(cos * x[i] - sin * y[i]));
    axes[1] = core::array::from_fn(|i| without_rounding(sin * x[i] + cos * y[i]));
}

/// Orthonormal axes with the given z axis.
fn frame(z: [f64; 3]) -> Option<Axes> {
    let norm = z.iter().map(|x| x * x).sum::<f64>().sqrt();
    if !(norm > 0.0 && norm.is_finite()) {
        return None;
    }
    let z = z.map(|x| x / norm);
    let smallest = (0..3).min_by(|i, j| z[*i].abs().total_cmp(&z[*j].abs()))?;
    let mut x: [f64; 3] =
        core::array::from_fn(|i| f64::from(u8::from(i == smallest)) - z[smallest] * z[i]);
    let norm = x.iter().map(|x| x * x).sum::<f64>().sqrt();
    x = x.map(|x| x / norm);
    let y = [
        z[1] * x[2] - z[2] * x[1],
        z[2] * x[0] - z[0] * x[2],
        z[0] * x[1] - z[1] * x[0],
    ];
    Some([x, y, z])
}

/// Rotation of a body at the start, by rows.
fn start_rotation(model: &Model, body: Option<BodyId>) -> Axes {
    body.map_or(IDENTITY, |id| {
        rotation_matrix(model.body(id).start.rotation)
    })
}

fn turn_into_body(model: &Model, body: Option<BodyId>, axis: [f64; 3]) -> [f64; 3] {
    let r = start_rotation(model, body);
    core::array::from_fn(|j| without_rounding((0..3).map(|i| r[i][j] * axis[i]).sum()))
}

fn turn_into_world(model: &Model, body: Option<BodyId>, axis: [f64; 3]) -> [f64; 3] {
    let r = start_rotation(model, body);
    r.map(|row| without_rounding((0..3).map(|j| row[j] * axis[j]).sum()))
}

/// A point in inertial coordinates of the start, in coordinates of a body.
fn into_body(model: &Model, body: Option<BodyId>, world: &Formula3) -> Formula3 {
    let Some(id) = body else {
        return world.clone();
    };
    let position = &model.body(id).start.position;
    let origin = core::array::from_fn(|i| position.get(i).cloned().unwrap_or(Formula::Number(0.0)));
    let r = start_rotation(model, body);
    let back = core::array::from_fn(|i| core::array::from_fn(|j| r[j][i]));
    let apart = sub3(world, &origin);
    let size = world.iter().chain(&origin).filter_map(Formula::value);
    let size = size.fold(0.0, |size: f64, x| size.max(x.abs()));
    // What is left of a difference up to rounding is zero.
    let zero = |x: Formula| match x.value() {
        Some(x) if x.abs() < 1e-15 * size => Formula::Number(0.0),
        _ => x,
    };
    rotate3(&back, &apart.map(zero)).map(zero)
}
