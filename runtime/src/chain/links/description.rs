//! A chain of links as a [`Description`] for the generic system; its joints for outputs.

use super::LinkChain;
use crate::generic::description::{
    Attachment, Body, Description, GROUND, Joint, JointKind, PositionAxes, Start, identity_axes,
};
use crate::joints::{JointFrame, Place};
use crate::lie::GroupKind;
use crate::system::Bodies;
use crate::view::BodyView;

impl LinkChain {
    /// The chain as data for a [`GenericSystem`](crate::generic::GenericSystem), which assembles
    /// the same equations without knowing that they belong to a chain.
    pub fn description(&self) -> Description {
        Description {
            name: "chain".to_owned(),
            gravity: self.gravity,
            bodies: (0..self.links.len()).map(|i| self.body(i)).collect(),
            joints: self.joints.clone().map(|joint| self.joint(joint)).collect(),
            positions: PositionAxes::Inertial,
            ..Description::default()
        }
    }

    fn body(&self, index: usize) -> Body {
        let link = self.links.at(index);
        let (q, v) = (&self.start.0[12 * index..], &self.start.1[6 * index..]);
        let view = BodyView::new(GroupKind::SO3xR3, &q[..12], &v[..6], [0.0; 3]);
        let [x, y, z] = link.inertia;
        Body {
            name: self.factor_name(index),
            group: GroupKind::SO3xR3,
            mass: link.mass,
            inertia: [[x, 0.0, 0.0], [0.0, y, 0.0], [0.0, 0.0, z]],
            center: [0.0; 3],
            start: Start {
                position: view.position().to_vec(),
                rotation: view.rotation(),
                velocity: view.velocity().to_vec(),
                angular_velocity: view.angular_velocity(),
            },
        }
    }

    fn joint(&self, joint: usize) -> Joint {
        let [first, second] = self.places(joint).map(|place| Attachment {
            body: (place.body).map_or_else(|| GROUND.to_owned(), |link| self.factor_name(link)),
            point: place.point,
            axes: place.axes,
        });
        Joint {
            name: self.joint_name(joint),
            kind: JointKind::Spherical,
            first,
            second,
        }
    }

    /// The joints, with names as in the description.
    pub(super) fn joint_frames(&self) -> Vec<JointFrame> {
        let frames = self.joints.clone().enumerate().map(|(place, joint)| {
            let [first, second] = self.places(joint);
            JointFrame {
                name: self.joint_name(joint),
                kind: JointKind::Spherical,
                positions: PositionAxes::Inertial,
                first,
                second,
                rows: 3 * place..3 * place + 3,
                angle: None,
            }
        });
        frames.collect()
    }

    /// Where a joint holds the link before and the link after; beyond the ends is the ground.
    fn places(&self, joint: usize) -> [Place; 2] {
        let [start, end] = self.anchors;
        let before = joint.checked_sub(1);
        let after = (joint < self.links.len()).then_some(joint);
        let place = |link: Option<usize>, on_link: f64, on_ground| Place {
            body: link,
            point: link.map_or(on_ground, |_| [on_link, 0.0, 0.0]),
            axes: identity_axes(),
        };
        [
            place(
                before,
                before.map_or(0.0, |i| self.links.at(i).second),
                start,
            ),
            place(after, after.map_or(0.0, |i| self.links.at(i).first), end),
        ]
    }

    pub(super) fn joint_name(&self, joint: usize) -> String {
        match &self.names {
            None => format!("joint.{joint}"),
            Some(names) if joint == 0 => names.first.clone(),
            Some(names) if joint == self.links.len() => names.last.clone(),
            Some(names) => format!("{}[{}]", names.between, joint - 1),
        }
    }
}
