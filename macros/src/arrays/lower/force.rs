//! Forces other than loads: `#[force(nodes[i], anchors[i], stiffness = ..)] springs: [SpringDamper; N]`,
//! and what formulas read: `nodes[i].velocity`, `joints[i].angle`.

use super::super::model::{Arrays, Force, JointElement, On, Read, Reading};
use super::Part;
use crate::forces::{Acts, Law};
use crate::formula::{Formula, JointQuantity, Leaf};
use crate::lower::force::find;
use crate::lower::reader::Reader;
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
            (_, Some(force)) if force.name == part.name => {
                let coefficients = force.coefficients.iter();
                coefficients.flat_map(|x| &x.entries).collect()
            }
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
        let Some(law) = Law::named(&part.kind.to_string()) else {
            return;
        };
        let Some(on) = self.acted_on(part, &items, law, arrays) else {
            return;
        };
        let coefficients = self.coefficients(&part.name, &items, law);
        arrays.forces.extend(coefficients.map(|coefficients| Force {
            name: part.name.clone(),
            law,
            len: part.len.clone(),
            on,
            coefficients,
        }));
    }

    fn acted_on(
        &mut self,
        part: &Part<'_>,
        items: &Items,
        law: &Law,
        arrays: &Arrays,
    ) -> Option<On> {
        if let Acts::Angle | Acts::Coordinate { .. } = law.acts {
            return self.joint_acted_on(part, items, law, arrays);
        }
        let (places, ends) = self.two_ends(part, &items.places, arrays)?;
        let points = self.joint_points(places, find(items, "at"))?;
        let axis = match find(items, "axis") {
            Some(setting) => Some(self.joint_axis(&setting.value, part, arrays)?),
            None => None,
        };
        if law.acts == Acts::Frames {
            for end in ends.iter().flatten() {
                self.has_axes(&part.kind, &arrays.members[end.member].body)?;
            }
        }
        Some(On::Between { ends, points, axis })
    }

    fn joint_acted_on(
        &mut self,
        part: &Part<'_>,
        items: &Items,
        law: &Law,
        arrays: &Arrays,
    ) -> Option<On> {
        let [place] = &items.places[..] else {
            self.dx.error(
                part.name.span(),
                format!("`{}` acts on one joint", part.name),
                "write the name of a joint first: `#[force(hinge, ..)]`, or `#[force(hinges[i], ..)]` in an array",
            );
            return None;
        };
        let joint = self.joint_element(&place.name, place.index.as_ref(), part, arrays)?;
        let held = &arrays.joints[joint.joint];
        self.effort_fits(law, (&held.name, &held.kind), &place.name)?;
        Some(On::Joint(joint))
    }
}
