//! Starts that are left out follow from what is next to them.
//!
//! Poses from the ground and from members with a given position, along elements and
//! joints, `a` known and `b` not:
//!
//! ```text
//! element   q_b = q_a exp(L w0)                      free of stress; from b to a with -L
//! joint     x_b = x_a + R_a p_a - R_b p_b            R_b as given
//! ```
//!
//! Then velocities, from the ground and from members with a given velocity:
//!
//! ```text
//! element   u_b = u_a + R_a Omega_a x (x_b - x_a)    Omega_b = R_b^T R_a Omega_a: like one body
//! joint     u_b = u_a + R_a (Omega_a x p_a) - R_b (Omega_b x p_b)
//! fixed     Omega_b = R_b^T R_a Omega_a              also prismatic
//! ```
//!
//! Along joints that leave a displacement the points start together. A distance and a driver lead
//! nowhere.
//!
//! So rods are rigid and what a joint leaves free does not turn. In a tree that always fits; where it
//! contradicts a loop, a driver or a velocity that is given further on, the velocities that are not given
//! are changed, with the least kinetic energy ([`GenericSystem::follow`](crate::generic::GenericSystem)).
//!
//! What nothing leads to starts at the origin, at rest. Rotations that are given stay as they are:
//! for an element the signs of quaternions tell how far its ends are turned.

use super::{Connection, ElementPart, Item, JointPart, JointPoints, Member, Parts};
use crate::chain::invalid::InvalidTree;
use crate::chain::turn::apart;
use crate::consistency::DEFAULT_TOLERANCE;
use crate::generic::description::JointKind;
use crate::lie::{LieGroup, Rotation, S3, S3sR3};
use nalgebra::{Vector3, Vector6};
use std::collections::VecDeque;

/// Pose and velocities, the latter of the origin in inertial and the angular one in body axes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placed {
    pub(super) rotation: S3,
    pub(super) position: Vector3<f64>,
    pub(super) velocity: Vector3<f64>,
    pub(super) angular_velocity: Vector3<f64>,
}

impl Placed {
    pub(super) fn ground() -> Self {
        Self::at_rest(&S3sR3::identity())
    }

    fn at_rest(pose: &S3sR3) -> Self {
        Self {
            rotation: pose.rotation,
            position: pose.translation,
            velocity: Vector3::zeros(),
            angular_velocity: Vector3::zeros(),
        }
    }

    fn pose(&self) -> S3sR3 {
        S3sR3 {
            rotation: self.rotation,
            translation: self.position,
        }
    }

    /// A point of space in the coordinates of the frame.
    pub(super) fn local(&self, point: &Vector3<f64>) -> Vector3<f64> {
        self.rotation.rotate_inverse(&(point - self.position))
    }

    /// The angular velocity in inertial axes.
    fn spin(&self) -> Vector3<f64> {
        self.rotation.rotate(&self.angular_velocity)
    }

    /// The velocity of a point of the frame.
    fn rate(&self, point: &Vector3<f64>) -> Vector3<f64> {
        self.velocity + self.rotation.rotate(&self.angular_velocity.cross(point))
    }
}

#[derive(Clone, Copy)]
enum By<'a> {
    Element(&'a ElementPart),
    Joint(&'a JointPart),
}

pub(super) fn quaternion([w, x, y, z]: [f64; 4]) -> S3 {
    S3 {
        scalar: w,
        vector: Vector3::new(x, y, z),
    }
}

/// What leads from member to member; the ground comes after all of them.
struct Ways<'a> {
    edges: Vec<(By<'a>, [usize; 2])>,
    /// The edges of each place, one place after another, and where those of a place begin.
    at: Vec<usize>,
    starts: Vec<usize>,
}

impl<'a> Ways<'a> {
    fn new(parts: &'a Parts) -> Self {
        let ground = parts.members.len();
        let place = |item: Item| item.0.unwrap_or(ground);
        let mut edges: Vec<(By<'_>, [usize; 2])> = Vec::new();
        for connection in &parts.connections {
            match connection {
                Connection::Elements(list) => edges.extend(
                    parts.elements[*list]
                        .list
                        .iter()
                        .map(|element| (By::Element(element), element.ends.map(place))),
                ),
                Connection::Joint(joint) => {
                    let joint = &parts.joints[*joint].joint;
                    edges.push((By::Joint(joint), joint.ends.map(place)));
                }
            }
        }
        let mut starts = vec![0; ground + 2];
        for end in edges.iter().flat_map(|(_, ends)| ends) {
            starts[end + 1] += 1;
        }
        for i in 0..=ground {
            starts[i + 1] += starts[i];
        }
        let (mut at, mut next) = (vec![0; 2 * edges.len()], starts.clone());
        for (edge, (_, ends)) in edges.iter().enumerate() {
            for end in ends {
                at[next[*end]] = edge;
                next[*end] += 1;
            }
        }
        Self { edges, at, starts }
    }

    /// From each root to all that it leads to: `begin` is what a root has, `follow(by, forward,
    /// from, to)` what its neighbour gets, nothing if the edge does not lead there.
    fn walk<T: Copy>(
        &self,
        roots: impl Iterator<Item = usize>,
        begin: impl Fn(usize) -> T,
        follow: impl Fn(By<'_>, bool, &T, usize) -> Option<T>,
    ) -> Vec<T> {
        let mut found: Vec<Option<T>> = vec![None; self.starts.len() - 1];
        let mut queue = VecDeque::new();
        for root in roots {
            if found[root].is_some() {
                continue;
            }
            found[root] = Some(begin(root));
            queue.push_back(root);
            while let Some(a) = queue.pop_front() {
                let Some(from) = found[a] else { continue };
                for edge in &self.at[self.starts[a]..self.starts[a + 1]] {
                    let (by, ends) = self.edges[*edge];
                    let forward = ends[0] == a;
                    let b = ends[usize::from(forward)];
                    if found[b].is_some() {
                        continue;
                    }
                    if let Some(to) = follow(by, forward, &from, b) {
                        found[b] = Some(to);
                        queue.push_back(b);
                    }
                }
            }
        }
        found.into_iter().flatten().collect()
    }
}

impl Parts {
    /// The complete start of each member.
    ///
    /// # Errors
    /// [`InvalidTree::StartTurn`] if rotations are too far apart for an element.
    pub(super) fn placed(&self) -> Result<Vec<Placed>, InvalidTree> {
        let (ways, ground) = (Ways::new(self), self.members.len());
        let given = |i: &usize| self.members[*i].start.position.is_some();
        let moved = |i: &usize| self.members[*i].start.velocity.is_some();
        let first = || [ground].into_iter();
        let poses = ways.walk(
            first().chain((0..ground).filter(given)).chain(0..ground),
            |i| self.given_pose(i).complete(),
            |by, forward, from, to| follow_pose(by, forward, from, self.given_pose(to)),
        );
        self.check_turns(&poses)?;
        let roots = first().chain((0..ground).filter(moved));
        let roots = roots.chain((0..ground).filter(given)).chain(0..ground);
        let mut placed = ways.walk(
            roots,
            |i| self.given_rates(i, &poses[i]).complete(&poses[i]),
            |by, forward, from, to| {
                let pose = &poses[to];
                follow_rates(by, forward, from, pose, self.given_rates(to, pose))
            },
        );
        placed.truncate(ground);
        Ok(placed)
    }

    /// Whether no element has to strain, as far as velocities of its ends are not given.
    pub(super) fn elements_follow(&self, placed: &[Placed]) -> bool {
        let speed = placed.iter().fold(1.0_f64, |speed, placed| {
            speed
                .max(placed.velocity.amax())
                .max(placed.angular_velocity.amax())
        });
        // Whether nothing of the velocity of an end is left to follow.
        let whole = |i: usize| {
            let Member { start, clamped, .. } = &self.members[i];
            *clamped || start.velocity.is_some() && start.angular_velocity.is_some()
        };
        let follows = |element: &ElementPart, forward, from: usize, to: usize| {
            let pose = placed[to].pose();
            let given = self.given_rates(to, &pose);
            let expected = follow_rates(By::Element(element), forward, &placed[from], &pose, given);
            expected.is_some_and(|expected| {
                let gap = expected.velocity - placed[to].velocity;
                let turn = expected.angular_velocity - placed[to].angular_velocity;
                gap.amax().max(turn.amax()) <= DEFAULT_TOLERANCE * speed
            })
        };
        let elements = self.elements.iter().flat_map(|list| &list.list);
        elements.into_iter().all(|element| {
            let [Item(Some(a)), Item(Some(b))] = element.ends else {
                return true;
            };
            (whole(a) && whole(b))
                || (!whole(b) && follows(element, true, a, b))
                || (!whole(a) && follows(element, false, b, a))
        })
    }

    fn given_pose(&self, i: usize) -> GivenPose {
        let Some(member) = self.members.get(i) else {
            return GivenPose::default();
        };
        let rotation = member.start.rotation.map(quaternion);
        GivenPose {
            rotation: if member.body.is_none() {
                rotation.map(|q| q.renormalized())
            } else {
                rotation.or_else(|| Some(S3::identity()))
            },
            position: member.start.position.map(Vector3::from),
        }
    }

    /// With the angular velocity in body axes: `Omega = R^T Omega_world`, now that `R` is known.
    fn given_rates(&self, i: usize, pose: &S3sR3) -> GivenRates {
        let Some(member) = self.members.get(i) else {
            return GivenRates::default();
        };
        let start = &member.start;
        let of = |given: Option<[f64; 3]>| {
            if member.clamped {
                Some(Vector3::zeros())
            } else {
                given.map(Vector3::from)
            }
        };
        GivenRates {
            velocity: of(start.velocity),
            angular_velocity: of(start.angular_velocity).map(|turn| {
                if start.turns_in_world {
                    pose.rotation.rotate_inverse(&turn)
                } else {
                    turn
                }
            }),
        }
    }

    /// Fails if the ends of an element are turned by half a turn or more. A loop need not fit: a
    /// whole turn along it is nobody's mistake, so an element that closes one is turned the short way.
    fn check_turns(&self, poses: &[S3sR3]) -> Result<(), InvalidTree> {
        let mut groups = Groups::new(self.members.len());
        let mut far = Vec::new();
        for list in &self.elements {
            for (i, element) in list.list.iter().enumerate() {
                let [Item(Some(a)), Item(Some(b))] = element.ends else {
                    continue;
                };
                match apart(&poses[a].rotation, &poses[b].rotation) {
                    None => groups.join(a, b),
                    Some(angle) => far.push((list, i, [a, b], angle)),
                }
            }
        }
        for (list, i, [a, b], angle) in far {
            if groups.of(a) != groups.of(b) {
                let item = list.array.item(i);
                return Err(InvalidTree::StartTurn { item, angle });
            }
        }
        Ok(())
    }
}

/// Groups of members that grow together.
struct Groups(Vec<usize>);

impl Groups {
    fn new(count: usize) -> Self {
        Self((0..count).collect())
    }

    fn of(&mut self, mut i: usize) -> usize {
        while self.0[i] != i {
            self.0[i] = self.0[self.0[i]];
            i = self.0[i];
        }
        i
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.of(a), self.of(b));
        self.0[a] = b;
    }
}

/// A pose in which something may be missing.
#[derive(Clone, Copy, Debug, Default)]
struct GivenPose {
    rotation: Option<S3>,
    position: Option<Vector3<f64>>,
}

impl GivenPose {
    /// What is missing is zero.
    fn complete(&self) -> S3sR3 {
        S3sR3 {
            rotation: self.rotation.unwrap_or_else(S3::identity),
            translation: self.position.unwrap_or_default(),
        }
    }
}

/// Velocities of which some may be missing.
#[derive(Clone, Copy, Debug, Default)]
struct GivenRates {
    velocity: Option<Vector3<f64>>,
    angular_velocity: Option<Vector3<f64>>,
}

impl GivenRates {
    /// What is missing is zero.
    fn complete(&self, pose: &S3sR3) -> Placed {
        Placed {
            velocity: self.velocity.unwrap_or_default(),
            angular_velocity: self.angular_velocity.unwrap_or_default(),
            ..Placed::at_rest(pose)
        }
    }
}

fn leads_nowhere(joint: &JointPart) -> bool {
    matches!(
        joint.kind,
        JointKind::Distance { .. } | JointKind::Driver { .. }
    )
}

/// The pose of a neighbour; nothing if the connection does not lead there.
fn follow_pose(by: By<'_>, forward: bool, from: &S3sR3, mut to: GivenPose) -> Option<S3sR3> {
    match by {
        By::Element(element) => {
            let length = if forward {
                element.length
            } else {
                -element.length
            };
            let strain = Vector6::from(element.reference()) * length;
            let pose = from.compose(&S3sR3::exp(&strain));
            to.rotation = to.rotation.or(Some(pose.rotation));
            to.position = to.position.or(Some(pose.translation));
        }
        By::Joint(joint) => {
            if leads_nowhere(joint) {
                return None;
            }
            // A node without a rotation waits for an element.
            let rotation = to.rotation?;
            match joint.points {
                JointPoints::Each([a, b]) => {
                    let [p_from, p_to] = if forward { [a, b] } else { [b, a] }.map(Vector3::from);
                    let point = from.translation + from.rotation.rotate(&p_from);
                    to.position = to.position.or(Some(point - rotation.rotate(&p_to)));
                }
                JointPoints::World(_) => {
                    to.position?;
                }
            }
        }
    }
    Some(to.complete())
}

/// The velocities of a neighbour; nothing if the connection does not lead there.
fn follow_rates(
    by: By<'_>,
    forward: bool,
    from: &Placed,
    pose: &S3sR3,
    mut to: GivenRates,
) -> Option<Placed> {
    let frame = Placed::at_rest(pose);
    let along = Some(pose.rotation.rotate_inverse(&from.spin()));
    match by {
        By::Element(_) => {
            to.angular_velocity = to.angular_velocity.or(along);
            let rate = from.rate(&from.local(&frame.position));
            to.velocity = to.velocity.or(Some(rate));
        }
        By::Joint(joint) => {
            if leads_nowhere(joint) {
                return None;
            }
            if joint.kind.holds_rotation() {
                to.angular_velocity = to.angular_velocity.or(along);
            }
            let [p_from, p_to] = match joint.points {
                JointPoints::Each([a, b]) => {
                    if forward { [a, b] } else { [b, a] }.map(Vector3::from)
                }
                JointPoints::World(point) => {
                    let point = Vector3::from(point);
                    [from.local(&point), frame.local(&point)]
                }
            };
            let turning = Placed {
                angular_velocity: to.angular_velocity.unwrap_or_default(),
                ..frame
            };
            let rate = from.rate(&p_from) - turning.rate(&p_to);
            to.velocity = to.velocity.or(Some(rate));
        }
    }
    Some(to.complete(pose))
}
