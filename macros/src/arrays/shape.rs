//! What the runtime makes of a model: a plain chain of links or a tree, for which it has faster
//! loops, or a network of anything.

use super::graph::Graph;
use super::model::{Arrays, Element, Joint, Member, Points, Shape};
use super::text::reads_motion;
use crate::formula::{Formula, Formula3};
use crate::model::Group;

impl Arrays {
    /// The shape, with the graph of a sample.
    pub(crate) fn find_shape(&self, graph: Option<&Graph>) -> Shape {
        let of_tree = |joint: &Joint| joint.kind.holds_point() && joint.angle.is_none();
        let timed = self
            .loads
            .iter()
            .all(|load| !load.components.iter().any(reads_motion));
        let rigid =
            |member: &Member| member.body.group.is_direct() || member.body.group.is_semidirect();
        let is_tree = !graph.is_some_and(|graph| graph.closed)
            && self.joints.iter().all(of_tree)
            && self.forces.is_empty()
            && timed
            && self.members.iter().all(rigid)
            && !(self.model.redundant || self.model.assemble);
        match (is_tree, self.is_plain_chain()) {
            (false, _) => Shape::Network,
            (true, false) => Shape::Tree,
            (true, true) => Shape::Chain,
        }
    }

    /// One array of bodies on `SO3xR3`, with centre of mass at the origin and principal axes;
    /// spherical joints on their x axes, each with the next; perhaps the ground with the first
    /// and the last with the ground; nothing else.
    fn is_plain_chain(&self) -> bool {
        let [links] = &self.members[..] else {
            return false;
        };
        let Some(len) = &links.len else { return false };
        let mut between = 0;
        let ends_fit = self.joints.iter().all(|joint| match joint_shape(joint) {
            Some([Side::Link(a), Side::Link(b)]) => {
                between += 1;
                let step = b.index.minus(&a.index);
                let whole = len
                    .minus(joint.len.as_ref().unwrap_or(&a.index))
                    .is_some_and(|rest| rest.value() == Some(1));
                let first = joint.len.is_some() && a.index.constant == 0 && a.index.index == 1;
                let plain = a.index.counts.iter().all(|factor| *factor == 0);
                whole && first && plain && step.is_some_and(|step| step.value() == Some(1))
            }
            Some([Side::Ground, Side::Link(link)]) => link.index.value() == Some(0),
            Some([Side::Link(link), Side::Ground]) => {
                let after = len.minus(&link.index);
                after.is_some_and(|rest| rest.value() == Some(1))
            }
            _ => false,
        });
        ends_fit
            && between == 1
            && is_plain_link(links)
            && self.rods.is_empty()
            && self.loads.is_empty()
    }
}

enum Side<'a> {
    Ground,
    Link(&'a Element),
}

/// The sides of a spherical joint on the x axes of links.
fn joint_shape(joint: &Joint) -> Option<[Side<'_>; 2]> {
    let Points::Each(points) = &joint.points else {
        return None;
    };
    let on_axis = |point: &Formula3| point[1].is_zero() && point[2].is_zero();
    let side = |i: usize| match &joint.ends[i] {
        None => Some(Side::Ground),
        Some(element) => on_axis(&points[i]).then_some(Side::Link(element)),
    };
    let held = joint.kind.line()?;
    (held.holds_point() && held.normals.is_empty()).then_some(())?;
    Some([side(0)?, side(1)?])
}

fn is_plain_link(links: &Member) -> bool {
    let body = &links.body;
    let diagonal = (0..9).all(|k| k % 4 == 0 || body.inertia[k / 3][k % 3].is_zero());
    let centred = body.center.iter().all(Formula::is_zero);
    !links.node && body.group == Group::So3xR3 && diagonal && centred
}
