//! Bodies and nodes: `#[body(..)] #[start(..)] links: [Body<SO3xR3>; N]`.
//!
//! Of an array, a start that does not read `i` is that of the first element: position and
//! velocity of bodies, position and rotation of nodes. The others follow from the joints, or free
//! of stress from the rod elements.

use super::super::model::{Arrays, Member, Rotation};
use super::Part;
use crate::diag::At;
use crate::formula::{Formula, Formula3, Leaf};
use crate::lower::body::in_world;
use crate::lower::reader::{Level, Reader};
use crate::model::{Body, Group};
use crate::syntax::Setting;
use crate::value::{Value, known_rotation};

impl Reader<'_> {
    pub(super) fn member(&mut self, part: &Part<'_>, arrays: &mut Arrays) {
        let node = part.kind == "Node";
        let word = if node { "node" } else { "body" };
        let errors = self.dx.len();
        let group = self.group(part.ty, word).unwrap_or(Group::S3sR3);
        let rigid = group.is_direct() || group.is_semidirect();
        let point = matches!(group, Group::Rn(1..=3));
        let fits = rigid || ((point || group.is_pinned()) && !node);
        if !fits {
            let (model, help) = if node {
                ("", "use S3sR3, SE3, S3xR3 or SO3xR3")
            } else {
                (
                    " in a model with arrays",
                    "use S3sR3, SE3, S3xR3 or SO3xR3, SO3 or S3 with a fixed origin, or R1, R2 or R3 for a point mass",
                )
            };
            self.dx.error(
                At::of(part.ty),
                format!("`{}` cannot move on {}{model}", part.name, group.name()),
                help,
            );
        }
        let mut member = Member {
            body: Body {
                mass: Formula::Number(1.0),
                ..Body::new(&part.name, group)
            },
            node,
            len: part.len.clone(),
            position: None,
            rotation: None,
            velocity: None,
            angular_velocity: None,
            turns_in_world: false,
            first_only: [false; 3],
            clamped: Vec::new(),
        };
        if node {
            self.node_has_no_mass(part);
        } else if fits {
            self.mass(part.field, &mut member.body, errors);
            if member.body.modes().is_some() {
                self.dx.error(
                    At::of(part.ty),
                    format!(
                        "`{}` has modal coordinates, which a model with arrays cannot have",
                        part.name
                    ),
                    "give it one mass, or declare the model without arrays",
                );
            }
        }
        self.member_start(part, &mut member, arrays);
        // Origins that are fixed follow from nothing.
        if part.len.is_some() && !group.is_pinned() {
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

    fn member_start(&mut self, part: &Part<'_>, member: &mut Member, arrays: &Arrays) {
        const KNOWN: [&str; 4] = ["position", "rotation", "velocity", "angular_velocity"];
        let items = self.items(part.field, "start").unwrap_or_default();
        self.words(&items.places, &[]);
        self.only(&items, &KNOWN);
        let find = |word: &str| items.settings.iter().find(|setting| setting.name == word);
        let group = member.body.group;
        let mut turning = ["rotation", "angular_velocity"]
            .iter()
            .filter_map(|word| find(word));
        if let (false, Some(setting)) = (group.rotates(), turning.next()) {
            self.dx.error(
                setting.name.span(),
                format!("a body on {} does not rotate", group.name()),
                "remove this, or use a group with rotations such as `SE3`",
            );
            return;
        }
        if group.is_pinned() {
            self.pinned_start(find("position"), find("velocity"), arrays);
        }
        member.rotation = find("rotation").and_then(|setting| self.late_rotation(setting));
        let coordinates = if let Group::Rn(n) = group { n } else { 3 };
        let mut vector = |word: &str| {
            let mut list = self.components(find(word)?, coordinates, Level::Constructed)?;
            list.resize(3, Formula::Number(0.0));
            Formula3::try_from(list).ok()
        };
        member.position = vector("position");
        member.velocity = vector("velocity");
        member.angular_velocity = find("angular_velocity").and_then(|setting| {
            let Some(inner) = in_world(&setting.value) else {
                return self.vector3(setting, Level::Constructed);
            };
            member.turns_in_world = true;
            let list = self.list(inner, "angular_velocity", 3, Level::Constructed)?;
            list.try_into().ok()
        });
    }

    /// An origin that is fixed does not move, and depends on nothing but counts and the index: a
    /// state, which has no parameters, gives its place.
    fn pinned_start(
        &mut self,
        position: Option<&Setting>,
        velocity: Option<&Setting>,
        arrays: &Arrays,
    ) {
        if let Some(setting) = velocity {
            self.dx.error(
                setting.name.span(),
                "the origin of a body on a rotation group does not move",
                "give `angular_velocity`, and put the origin of the body where it is held",
            );
        }
        let Some(setting) = position else { return };
        let list = self.components(setting, 3, Level::Constructed);
        let mut late = false;
        for formula in list.iter().flatten() {
            formula.leaves(&mut |leaf| {
                late |= match leaf {
                    Leaf::Parameter(place) => place < arrays.parameter_count(),
                    _ => true,
                }
            });
        }
        if late {
            self.dx.error(
                At::of(&setting.value),
                "the origin of a body on a rotation group must be known when the macro runs",
                "use numbers, counts and `i`, or a group such as `SE3` with a `Spherical` joint",
            );
        }
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
        let unit = self.unit_quaternion(at, known)?;
        Some(unit.map(Formula::Number))
    }
}
