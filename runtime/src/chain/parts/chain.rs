//! From parts to a plain chain of links.

use super::place::{Placed, quaternion};
use super::{Item, JointPoints, NamedJoint, Parts};
use crate::chain::invalid::InvalidTree;
use crate::chain::links::{ChainNames, ChainStart, Link, LinkChain};
use crate::generic::description::JointKind;
use crate::lie::{GroupKind, Rotation};
use crate::system::{Manifold, Mechanics};
use nalgebra::Vector3;

/// Largest distance between a declared start and the one that the joints give.
const CHAIN_TOLERANCE: f64 = 1e-8;

impl Parts {
    /// A plain chain of links: bodies of one array on `SO3xR3` with spherical joints on their
    /// x axes, each with the next, the first and the last perhaps with the ground.
    ///
    /// # Errors
    /// [`InvalidTree`] with the part and the number that is wrong.
    pub fn chain(&self) -> Result<LinkChain, InvalidTree> {
        self.check_inertias()?;
        let count = self.members.len();
        let mut links = Vec::with_capacity(count);
        let mut start = ChainStart {
            origin: [0.0; 3],
            velocity: [0.0; 3],
            rotations: Vec::with_capacity(count),
            angular_velocities: Vec::with_capacity(count),
            held: [false; 2],
        };
        for (i, member) in self.members.iter().enumerate() {
            let Some(body) = member.body else {
                return Err(self.not_a_chain(i));
            };
            let j = &body.inertia;
            let diagonal = (0..9).all(|k| k % 4 == 0 || j[k / 3][k % 3] == 0.0);
            let centred = body.center == [0.0; 3];
            if !(diagonal && centred && member.group == GroupKind::SO3xR3) {
                return Err(self.not_a_chain(i));
            }
            links.push(Link {
                mass: body.mass,
                inertia: [j[0][0], j[1][1], j[2][2]],
                first: f64::NAN,
                second: f64::NAN,
            });
            let rotation = member.start.rotation.unwrap_or([1.0, 0.0, 0.0, 0.0]);
            start.rotations.push(rotation);
            let angular = member.start.angular_velocity.unwrap_or_default();
            start.angular_velocities.push(angular);
        }
        if links.is_empty() {
            return Err(InvalidTree::NoLinks);
        }
        let (names, end) = self.chain_joints(&mut links, &mut start)?;
        let (first, last) = (&self.members[0], links.len() - 1);
        // A free end is opposite to the joint.
        if links[0].first.is_nan() {
            links[0].first = if links[0].second.is_nan() {
                0.0
            } else {
                -links[0].second
            };
        }
        if links[last].second.is_nan() {
            links[last].second = -links[last].first;
        }
        if !start.held[0] {
            let frame = Placed {
                rotation: quaternion(start.rotations[0]),
                position: first.start.position.unwrap_or_default().into(),
                velocity: first.start.velocity.unwrap_or_default().into(),
                angular_velocity: start.angular_velocities[0].into(),
            };
            let point = Vector3::x() * links[0].first;
            let rate = frame.angular_velocity.cross(&point);
            start.origin = (frame.position + frame.rotation.rotate(&point)).into();
            start.velocity = (frame.velocity + frame.rotation.rotate(&rate)).into();
        }
        let chain = LinkChain::named(&links, self.gravity, &start, Some(names))?;
        self.check_chain_start(&chain, end)?;
        Ok(chain)
    }

    fn not_a_chain(&self, member: usize) -> InvalidTree {
        InvalidTree::NotAChain {
            item: self.name(member),
        }
    }

    /// Writes where the joints are into the links; names, and where the ground holds the end.
    fn chain_joints(
        &self,
        links: &mut [Link],
        start: &mut ChainStart,
    ) -> Result<(ChainNames, Option<[f64; 3]>), InvalidTree> {
        let last = links.len() - 1;
        let mut names = ChainNames {
            links: self
                .arrays
                .first()
                .map_or("", |array| array.name)
                .to_owned(),
            ..ChainNames::default()
        };
        let mut end = None;
        for NamedJoint { name, joint } in &self.joints {
            let fails = || InvalidTree::NotAChain { item: name.clone() };
            let (JointKind::Spherical, JointPoints::Each([a, b])) = (&joint.kind, joint.points)
            else {
                return Err(fails());
            };
            let on_axis = |point: [f64; 3]| point[1] == 0.0 && point[2] == 0.0;
            match joint.ends {
                [Item(None), Item(Some(0))] if on_axis(b) => {
                    (start.held[0], start.origin) = (true, a);
                    links[0].first = b[0];
                    names.first.clone_from(name);
                }
                [Item(Some(i)), Item(None)] if i == last && on_axis(a) => {
                    (start.held[1], end) = (true, Some(b));
                    links[i].second = a[0];
                    names.last.clone_from(name);
                }
                [Item(Some(i)), Item(Some(j))] if j == i + 1 && on_axis(a) && on_axis(b) => {
                    links[i].second = a[0];
                    links[j].first = b[0];
                    name.split('[')
                        .next()
                        .unwrap_or("")
                        .clone_into(&mut names.between);
                }
                _ => return Err(fails()),
            }
        }
        let open = (1..=last).find(|i| links[*i].first.is_nan());
        open.map_or(Ok((names, end)), |i| Err(self.not_a_chain(i)))
    }

    /// Declared positions and velocities are those that the joints give.
    fn check_chain_start(
        &self,
        chain: &LinkChain,
        end: Option<[f64; 3]>,
    ) -> Result<(), InvalidTree> {
        let (q, v) = (chain.start_config(), chain.start_velocity());
        let compare = |i: usize, quantity, declared: Option<[f64; 3]>, found: &[f64]| {
            let Some(declared) = declared else {
                return Ok(());
            };
            let gap = (Vector3::from(declared) - Vector3::from_column_slice(found)).norm();
            if gap <= CHAIN_TOLERANCE {
                return Ok(());
            }
            let item = self.name(i);
            Err(InvalidTree::ChainStart {
                item,
                quantity,
                gap,
            })
        };
        for (i, member) in self.members.iter().enumerate() {
            let start = &member.start;
            compare(i, "position", start.position, &q[12 * i + 9..12 * i + 12])?;
            compare(i, "velocity", start.velocity, &v[6 * i + 3..6 * i + 6])?;
        }
        compare(self.members.len() - 1, "end", end, &chain.tip(&q))
    }
}
