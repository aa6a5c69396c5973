//! Loads: `#[force(nodes[N], torque = [..])] torque: Load`, or per length on all elements of a
//! rod: `#[force(edges, force = [..])] wind: Load`.

use super::super::model::{Arrays, Load, Target};
use super::Part;
use crate::diag::At;
use crate::formula::{Formula, fixed3};
use crate::lower::reader::{Level, Reader};

impl Reader<'_> {
    pub(super) fn array_load(&mut self, part: &Part<'_>, arrays: &mut Arrays) {
        let load = self.load_of_arrays(part, arrays);
        arrays.loads.extend(load);
    }

    fn load_of_arrays(&mut self, part: &Part<'_>, arrays: &Arrays) -> Option<Load> {
        let name = &part.name;
        let errors = self.dx.len();
        let items = self.items(part.field, "force").unwrap_or_default();
        self.only(&items, &["force", "torque", "frame"]);
        if self.dx.len() > errors {
            return None;
        }
        let [place] = &items.places[..] else {
            self.dx.error(
                name.span(),
                format!("load `{name}` acts on one thing"),
                "write `#[force(nodes[0], force = [..])]`, or the name of rod elements for a load per length",
            );
            return None;
        };
        let find = |word: &str| items.settings.iter().find(|setting| setting.name == word);
        let rod = arrays.rods.iter().position(|rod| rod.name == place.name);
        let target = if let Some(rod) = rod {
            let extra = place.index.as_ref().or(place.point.as_ref());
            if let Some(extra) = extra {
                self.dx.error(
                    At::of(extra),
                    "a load on rod elements acts on all of them, per length",
                    "leave this out, or name a node",
                );
                return None;
            }
            if part.len.is_some() {
                self.dx.error(
                    name.span(),
                    "a load on rod elements acts on all of them already",
                    format!("write `{name}: Load`"),
                );
                return None;
            }
            Target::Rod(rod)
        } else {
            let Some(element) = self.array_place(place, part, arrays)? else {
                self.dx.error(
                    place.name.span(),
                    "a load on the ground moves nothing",
                    "name a node, a body or rod elements",
                );
                return None;
            };
            let point = match &place.point {
                Some(point) => self.point(point)?,
                None => fixed3([0.0; 3]),
            };
            Target::Point(element, point)
        };
        let mut vector = |word: &str| match find(word) {
            Some(setting) => self.vector3(setting, Level::Motion),
            None => Some(fixed3([0.0; 3])),
        };
        let (force, torque) = (vector("force")?, vector("torque")?);
        let [a, b, c] = force;
        let [d, e, f] = torque;
        let components = [a, b, c, d, e, f];
        if components.iter().all(Formula::is_zero) {
            self.dx.error(
                name.span(),
                format!("load `{name}` is zero"),
                "add `force = [..]` or `torque = [..]`",
            );
            return None;
        }
        if let Target::Point(element, _) = &target {
            let group = arrays.members[element.member].body.group;
            if !group.rotates() && !components[3..].iter().all(Formula::is_zero) {
                let at = find("torque")
                    .map_or_else(|| name.span().into(), |setting| At::of(&setting.value));
                self.dx.error(
                    at,
                    format!("a body on {} cannot carry a torque", group.name()),
                    "use a force, or a group with rotations such as `SE3`",
                );
                return None;
            }
        }
        let follower = match find("frame") {
            Some(setting) => self.frame(setting)?,
            None => false,
        };
        Some(Load {
            name: name.clone(),
            len: part.len.clone(),
            target,
            components,
            follower,
        })
    }
}
