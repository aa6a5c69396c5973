//! Bodies and nodes: `#[body(..)] #[start(..)] links: [Body<SO3xR3>; N]`.
//!
//! Of an array, a start that does not read `i` is that of the first element: position and
//! velocity of bodies, position and rotation of nodes. The others follow from the joints, or free
//! of stress from the rod elements.

use super::super::model::{Arrays, Member, Rotation};
use super::Part;
use crate::diag::At;
use crate::formula::{Formula, Formula3, Leaf, fixed3};
use crate::lower::body::in_world;
use crate::lower::reader::{Level, Reader};
use crate::model::{Body, BodySpans, Group, Start};
use crate::syntax::Setting;
use crate::value::{Value, known_rotation, rotate};

impl Reader<'_> {
    pub(super) fn member(&mut self, part: &Part<'_>, arrays: &mut Arrays) {
        let node = part.kind == "Node";
        let word = if node { "node" } else { "body" };
        let group = self.group(part.ty, word).unwrap_or(Group::S3sR3);
        if !(group.is_direct() || group.is_semidirect()) {
            self.dx.error(
                At::of(part.ty),
                format!(
                    "`{}` cannot move on {} in a model with arrays",
                    part.name,
                    group.name()
                ),
                "use S3sR3, SE3, S3xR3 or SO3xR3",
            );
        }
        let span: At = part.name.span().into();
        let mut member = Member {
            body: Body {
                config: 0,
                velocity: 0,
                name: part.name.clone(),
                group,
                mass: Formula::Number(1.0),
                inertia: core::array::from_fn(|_| fixed3([0.0; 3])),
                center: fixed3([0.0; 3]),
                free: false,
                inertia_unchecked: false,
                start: Start {
                    position: Vec::new(),
                    rotation: [1.0, 0.0, 0.0, 0.0],
                    velocity: None,
                    angular_velocity: None,
                },
                spans: BodySpans {
                    mass: span,
                    inertia: span,
                    position: span,
                    velocity: span,
                },
            },
            node,
            len: part.len.clone(),
            position: None,
            rotation: None,
            velocity: None,
            angular_velocity: None,
            first_only: [false; 3],
            clamped: Vec::new(),
        };
        if node {
            self.node_has_no_mass(part);
        } else {
            self.member_mass(part, &mut member);
        }
        self.member_start(part, &mut member);
        if part.len.is_some() {
            let index = arrays.model.parameters.len() - 1;
            let reads = |formula: &Formula| {
                let mut found = false;
                formula.leaves(&mut |leaf| found |= leaf == Leaf::Parameter(index));
                found
            };
            let constant = |vector: &Option<Formula3>| {
                vector
                    .as_ref()
                    .is_none_or(|vector| !vector.iter().any(&reads))
            };
            let turns = member
                .rotation
                .as_ref()
                .is_some_and(|q| q.iter().any(&reads));
            let position = constant(&member.position) && !(node && turns);
            member.first_only = [
                position,
                node && position,
                !node && constant(&member.velocity),
            ];
        }
        arrays.members.push(member);
    }

    fn node_has_no_mass(&mut self, part: &Part<'_>) {
        if self.items(part.field, "body").is_some() {
            self.dx.error(
                part.name.span(),
                format!("nodes such as `{}` have the mass of their rod elements", part.name),
                "give `density` and `inertia` to the elements; for a mass of its own use a `Body` with a `Fixed` joint",
            );
        }
    }

    fn member_mass(&mut self, part: &Part<'_>, member: &mut Member) {
        let name = &part.name;
        let (mut has_mass, mut has_inertia) = (false, false);
        let errors = self.dx.len();
        let items = self.items(part.field, "body").unwrap_or_default();
        let body = &mut member.body;
        for word in self.words(&items.places, &["free"]) {
            body.free |= word == "free";
        }
        for setting in &items.settings {
            match setting.name.to_string().as_str() {
                "mass" => {
                    has_mass = true;
                    body.spans.mass = At::of(&setting.value);
                    if let Some(mass) = self.number(setting, Level::Constructed) {
                        body.mass = mass;
                    }
                }
                "inertia" | "inertia_unchecked" => {
                    has_inertia = true;
                    body.inertia_unchecked |= setting.name == "inertia_unchecked";
                    body.spans.inertia = At::of(&setting.value);
                    if let Some(inertia) = self.inertia(setting) {
                        body.inertia = inertia;
                    }
                }
                "center" => {
                    if let Some(center) = self.vector3(setting, Level::Constructed) {
                        body.center = center;
                    }
                }
                _ => self.unknown_setting(
                    &setting.name,
                    &["mass", "inertia", "inertia_unchecked", "center", "free"],
                ),
            }
        }
        // A misspelt setting explains what is missing.
        let misread = self.dx.len() > errors;
        if !(has_mass && has_inertia || misread) {
            self.dx.error(
                name.span(),
                format!(
                    "body `{name}` has no {}",
                    if has_mass { "inertia" } else { "mass" }
                ),
                "write `#[body(mass = .., inertia = [..])]` above it",
            );
        }
    }

    fn member_start(&mut self, part: &Part<'_>, member: &mut Member) {
        const KNOWN: [&str; 4] = ["position", "rotation", "velocity", "angular_velocity"];
        let items = self.items(part.field, "start").unwrap_or_default();
        self.words(&items.places, &[]);
        self.only(&items, &KNOWN);
        let find = |word: &str| items.settings.iter().find(|setting| setting.name == word);
        member.rotation = find("rotation").and_then(|setting| self.late_rotation(setting));
        let mut vector = |word: &str| self.vector3(find(word)?, Level::Constructed);
        member.position = vector("position");
        member.velocity = vector("velocity");
        member.angular_velocity = find("angular_velocity").and_then(|setting| {
            let Some(inner) = in_world(&setting.value) else {
                return self.vector3(setting, Level::Constructed);
            };
            let list = self.list(inner, "angular_velocity", 3, Level::Constructed)?;
            let world: Formula3 = list.try_into().ok()?;
            let Some([w, x, y, z]) = &member.rotation else {
                return Some(world);
            };
            Some(rotate(&[w.clone(), x.neg(), y.neg(), z.neg()], &world))
        });
    }

    /// A quaternion, or a product of rotations; its numbers may be known later.
    fn late_rotation(&mut self, setting: &Setting) -> Option<Rotation> {
        let value = self.value(&setting.value)?;
        let at = At::of(&setting.value);
        let found = match &value {
            Value::Rotation(rotation) => Some(rotation.clone()),
            list => list.vector().and_then(|list| list.try_into().ok()),
        };
        let Some(rotation) = found else {
            self.dx.error(
                at,
                "this is neither a rotation nor a quaternion",
                "write `rotation = rx(0.1) * rz(PI / 2)`, `along([x, y, z])`, or `[w, x, y, z]`",
            );
            return None;
        };
        let Some(known) = known_rotation(&rotation) else {
            return Some(rotation);
        };
        let norm = known.iter().map(|x| x * x).sum::<f64>().sqrt();
        if (norm - 1.0).abs() > 1e-6 || norm.is_nan() {
            self.dx.error(
                at,
                format!("the quaternion has length {norm:.6}, not 1"),
                "divide its components by their length",
            );
            return None;
        }
        Some(known.map(|x| Formula::Number(x / norm)))
    }
}
