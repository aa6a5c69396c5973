//! Forces other than loads: `#[force(nodes[i], anchors[i], stiffness = ..)] springs: [SpringDamper; N]`,
//! and what formulas read: `nodes[i].velocity`, `joints[i].angle`.

use super::super::model::{Arrays, Force, ForceKind, JointElement, Matrix6, Read, Reading};
use super::Part;
use crate::diag::At;
use crate::formula::{Formula, JointQuantity, Leaf};
use crate::lower::force::{find, zeros6};
use crate::lower::reader::{Level, Reader};
use crate::model::Group;
use crate::syntax::Items;
use syn::Expr;

impl Reader<'_> {
    /// Reads a field with formulas, and finds what they read.
    pub(super) fn reading(
        &mut self,
        part: &Part<'_>,
        arrays: &mut Arrays,
        read: impl FnOnce(&mut Self, &Part<'_>, &mut Arrays),
    ) {
        let count = |reader: &Self| reader.scope.references.as_ref().map_or(0, Vec::len);
        // What was read elsewhere was an error there.
        arrays.readings.resize(count(self), None);
        read(self, part, arrays);
        for place in arrays.readings.len()..count(self) {
            let references = self.scope.references.as_ref();
            let Some(reference) = references.map(|list| list[place].clone()) else {
                return;
            };
            let (name, index) = (&reference.name, reference.index.as_ref());
            let found = if reference.joint {
                self.joint_element(name, index, part, arrays)
                    .map(Read::Joint)
            } else {
                self.array_element(name, index, part, arrays)
                    .flatten()
                    .map(Read::Member)
            };
            arrays.readings.push(found.map(|of| Reading {
                user: part.name.clone(),
                len: part.len.clone(),
                of,
            }));
        }
        self.coordinates_exist(part, arrays);
    }

    /// A joint, or an element of an array of joints.
    fn joint_element(
        &mut self,
        ident: &syn::Ident,
        index: Option<&Expr>,
        part: &Part<'_>,
        arrays: &Arrays,
    ) -> Option<JointElement> {
        self.known_joint(ident)?;
        // A joint with errors was reported.
        let mut joints = arrays.joints.iter();
        let joint = joints.position(|joint| joint.name == *ident)?;
        let array = arrays.joints[joint].len.is_some();
        let (index, at) = self.index_of(ident, array, index, part, arrays)?;
        Some(JointElement { joint, index, at })
    }

    /// Formulas may only read coordinates that a joint has, and points have no rotation.
    fn coordinates_exist(&mut self, part: &Part<'_>, arrays: &Arrays) {
        let formulas: Vec<&Formula> = match (arrays.loads.last(), arrays.forces.last()) {
            (Some(load), _) if load.name == part.name => load.components.iter().collect(),
            (_, Some(force)) if force.name == part.name => match &force.kind {
                ForceKind::Actuator { effort, .. } => vec![effort],
                _ => Vec::new(),
            },
            _ => Vec::new(),
        };
        let mut wrong = None;
        for formula in formulas {
            formula.leaves(&mut |leaf| {
                let Leaf::Joint(joint, quantity) = leaf else {
                    return;
                };
                if let Some(Some(Reading {
                    of: Read::Joint(element),
                    ..
                })) = arrays.readings.get(joint.0)
                {
                    let kind = &arrays.joints[element.joint].kind;
                    let has = match quantity {
                        JointQuantity::Angle | JointQuantity::AngleRate => kind.has_angle(),
                        JointQuantity::Displacement | JointQuantity::DisplacementRate => {
                            kind.has_displacement()
                        }
                    };
                    if !has {
                        wrong = Some(element.joint);
                    }
                }
            });
        }
        if let Some(joint) = wrong.map(|joint: usize| &arrays.joints[joint]) {
            self.dx.error(
                part.name.span(),
                format!(
                    "joint `{}` is {} and has no such coordinate",
                    joint.name,
                    joint.kind.name()
                ),
                "an angle belongs to `Revolute` and `Cylindrical`, a displacement to `Prismatic` and `Cylindrical`",
            );
        }
    }

    pub(super) fn array_force(&mut self, part: &Part<'_>, arrays: &mut Arrays) {
        let Some(items) = self.force_items(part.field, &part.name, &part.kind) else {
            return;
        };
        let kind_name = part.kind.to_string();
        let kind = match kind_name.as_str() {
            "SpringDamper" => self.array_spring(part, &items, arrays),
            "Bushing" => self.array_bushing(part, &items, arrays),
            _ => self.array_effort(part, &items, arrays),
        };
        arrays.forces.extend(kind.map(|kind| Force {
            name: part.name.clone(),
            kind_name,
            len: part.len.clone(),
            kind,
        }));
    }

    fn array_spring(
        &mut self,
        part: &Part<'_>,
        items: &Items,
        arrays: &Arrays,
    ) -> Option<ForceKind> {
        let (places, ends) = self.two_ends(part, &items.places, arrays)?;
        let points = self.joint_points(places, find(items, "at"))?;
        let mut number = |word, default| {
            self.coefficient_at(&part.name, items, word, default, Level::Constructed)
        };
        Some(ForceKind::SpringDamper {
            ends,
            points,
            stiffness: number("stiffness", None)?,
            damping: number("damping", Some(0.0))?,
            length: number("length", None)?,
        })
    }

    fn array_bushing(
        &mut self,
        part: &Part<'_>,
        items: &Items,
        arrays: &Arrays,
    ) -> Option<ForceKind> {
        let (places, ends) = self.two_ends(part, &items.places, arrays)?;
        let points = self.joint_points(places, find(items, "at"))?;
        let axis = match find(items, "axis") {
            Some(setting) => Some(self.joint_axis(&setting.value, part, arrays)?),
            None => None,
        };
        for end in ends.iter().flatten() {
            let body = &arrays.members[end.member].body;
            if let Group::Rn(_) = body.group {
                self.dx.error(
                    part.kind.span(),
                    format!(
                        "body `{}` on {} cannot carry a bushing",
                        body.name,
                        body.group.name()
                    ),
                    "use a `SpringDamper`, or a group with rotations such as `SE3`",
                );
                return None;
            }
        }
        let mut matrix = |word: &str| -> Option<(Matrix6, At)> {
            match find(items, word) {
                Some(setting) => Some((self.matrix6(setting)?, At::of(&setting.value))),
                None if word == "damping" => {
                    let zeros = Box::new(core::array::from_fn(|_| zeros6()));
                    Some((zeros, part.name.span().into()))
                }
                None => {
                    self.coefficient_at(&part.name, items, word, None, Level::Constructed)?;
                    None
                }
            }
        };
        Some(ForceKind::Bushing {
            ends,
            points,
            axis,
            stiffness: matrix("stiffness")?,
            damping: matrix("damping")?,
        })
    }

    /// Torsion springs, controls and actuators.
    fn array_effort(
        &mut self,
        part: &Part<'_>,
        items: &Items,
        arrays: &Arrays,
    ) -> Option<ForceKind> {
        let [place] = &items.places[..] else {
            self.dx.error(
                part.name.span(),
                format!("`{}` acts on one joint", part.name),
                "write the name of a joint first: `#[force(hinge, ..)]`, or `#[force(hinges[i], ..)]` in an array",
            );
            return None;
        };
        let joint = self.joint_element(&place.name, place.index.as_ref(), part, arrays)?;
        let kind = part.kind.to_string();
        let held = &arrays.joints[joint.joint];
        self.effort_fits(&kind, (&held.name, &held.kind), &place.name)?;
        let mut number =
            |word, default, most| self.coefficient_at(&part.name, items, word, default, most);
        let constructed = Level::Constructed;
        Some(match kind.as_str() {
            "TorsionSpring" => ForceKind::TorsionSpring {
                joint,
                stiffness: number("stiffness", None, constructed)?,
                damping: number("damping", Some(0.0), constructed)?,
                angle: number("angle", Some(0.0), constructed)?.0,
            },
            "PdControl" => ForceKind::PdControl {
                joint,
                proportional: number("p", None, constructed)?,
                derivative: number("d", None, constructed)?,
                target: number("target", None, Level::Time)?.0,
            },
            _ => ForceKind::Actuator {
                joint,
                effort: number("effort", None, Level::Motion)?.0,
            },
        })
    }
}
