//! Starts that are left out follow from what is next to them.
//!
//! From the ground and from members with a given position, along elements and
//! joints, `a` known and `b` not:
//!
//! ```text
//! element   q_b = q_a exp(L w0)                      free of stress; from b to a with -L
//! joint     x_b = x_a + R_a p_a - R_b p_b            R_b as given
//!           u_b = u_a + R_a (Omega_a x p_a) - R_b (Omega_b x p_b)
//! fixed     Omega_b = R_b^T R_a Omega_a              also prismatic
//! ```
//!
//! Along joints that leave a displacement the points start together. A distance and a driver lead
//! nowhere.
//!
//! What nothing leads to starts at the origin, at rest. Quaternions at both ends
//! of an element are brought to the same side.

use super::{Connection, ElementPart, Item, JointPart, JointPoints, Parts};
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
        Self {
            rotation: S3::identity(),
            position: Vector3::zeros(),
            velocity: Vector3::zeros(),
            angular_velocity: Vector3::zeros(),
        }
    }

    /// A point of space in the coordinates of the frame.
    pub(super) fn local(&self, point: &Vector3<f64>) -> Vector3<f64> {
        self.rotation.rotate_inverse(&(point - self.position))
    }

    /// Position and velocity of a point of the frame, from its origin.
    fn arm(&self, point: &Vector3<f64>) -> [Vector3<f64>; 2] {
        [*point, self.angular_velocity.cross(point)].map(|v| self.rotation.rotate(&v))
    }
}

/// A start in which something may be missing.
#[derive(Clone, Copy, Debug)]
struct Partial {
    rotation: Option<S3>,
    position: Option<Vector3<f64>>,
    velocity: Option<Vector3<f64>>,
    angular_velocity: Option<Vector3<f64>>,
}

impl Partial {
    /// What is still missing is zero.
    fn complete(&self) -> Placed {
        Placed {
            rotation: self.rotation.unwrap_or_else(S3::identity),
            position: self.position.unwrap_or_else(Vector3::zeros),
            velocity: self.velocity.unwrap_or_else(Vector3::zeros),
            angular_velocity: self.angular_velocity.unwrap_or_else(Vector3::zeros),
        }
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

impl Parts {
    /// The complete start of each member.
    pub(super) fn placed(&self) -> Vec<Placed> {
        let mut edges: Vec<(By<'_>, [Item; 2])> = Vec::new();
        for connection in &self.connections {
            match connection {
                Connection::Elements(list) => edges.extend(
                    self.elements[*list]
                        .list
                        .iter()
                        .map(|element| (By::Element(element), element.ends)),
                ),
                Connection::Joint(joint) => {
                    let joint = &self.joints[*joint].joint;
                    edges.push((By::Joint(joint), joint.ends));
                }
            }
        }
        // The ground comes after all members.
        let ground = self.members.len();
        let place = |item: Item| item.0.unwrap_or(ground);
        let mut starts = vec![0; ground + 2];
        for (_, ends) in &edges {
            for end in ends {
                starts[place(*end) + 1] += 1;
            }
        }
        for i in 0..=ground {
            starts[i + 1] += starts[i];
        }
        let (mut at, mut next) = (vec![0; 2 * edges.len()], starts.clone());
        for (edge, (_, ends)) in edges.iter().enumerate() {
            for end in ends {
                at[next[place(*end)]] = edge;
                next[place(*end)] += 1;
            }
        }
        let mut partial: Vec<Partial> = self.partial();
        let mut placed: Vec<Option<Placed>> = vec![None; ground + 1];
        let given = (0..ground).filter(|i| self.members[*i].start.position.is_some());
        let roots = [ground].into_iter().chain(given).chain(0..ground);
        for root in roots {
            if placed[root].is_some() {
                continue;
            }
            let first = partial
                .get(root)
                .map(|start| self.turned(root, start.complete()));
            placed[root] = Some(first.unwrap_or_else(Placed::ground));
            let mut queue = VecDeque::from([root]);
            while let Some(a) = queue.pop_front() {
                let Some(from) = placed[a] else { continue };
                for edge in &at[starts[a]..starts[a + 1]] {
                    let (by, ends) = edges[*edge];
                    let forward = place(ends[0]) == a;
                    let b = place(ends[usize::from(forward)]);
                    if placed[b].is_some() {
                        continue;
                    }
                    if let Some(to) = follow(by, forward, &from, &mut partial[b]) {
                        placed[b] = Some(self.turned(b, to));
                        queue.push_back(b);
                    }
                }
            }
        }
        placed.truncate(ground);
        placed.into_iter().flatten().collect()
    }

    /// With the angular velocity in body axes: `Omega = R^T Omega_world`, now that `R` is known.
    fn turned(&self, member: usize, mut placed: Placed) -> Placed {
        if self.members[member].start.turns_in_world {
            let world = placed.angular_velocity;
            placed.angular_velocity = placed.rotation.rotate_inverse(&world);
        }
        placed
    }

    fn partial(&self) -> Vec<Partial> {
        let member = |member: &super::Member| {
            let start = &member.start;
            let is_node = member.body.is_none();
            let rest = |given: Option<[f64; 3]>| {
                let known = given.map(Vector3::from);
                // Nodes are at rest unless they are given a velocity, and always if clamped.
                match (member.clamped, is_node) {
                    (true, _) => Some(Vector3::zeros()),
                    (false, true) => known.or_else(|| Some(Vector3::zeros())),
                    (false, false) => known,
                }
            };
            let rotation = start.rotation.map(quaternion);
            Partial {
                rotation: if is_node {
                    rotation.map(|q| q.renormalized())
                } else {
                    rotation.or_else(|| Some(S3::identity()))
                },
                position: start.position.map(Vector3::from),
                velocity: rest(start.velocity),
                angular_velocity: rest(start.angular_velocity),
            }
        };
        self.members.iter().map(member).collect()
    }
}

/// Completes a neighbour; nothing if the connection does not lead there.
fn follow(by: By<'_>, forward: bool, from: &Placed, to: &mut Partial) -> Option<Placed> {
    match by {
        By::Element(element) => {
            let length = if forward {
                element.length
            } else {
                -element.length
            };
            let strain = Vector6::from(element.reference()) * length;
            let first = S3sR3 {
                rotation: from.rotation,
                translation: from.position,
            };
            let pose = first.compose(&S3sR3::exp(&strain));
            let mut rotation = to.rotation.unwrap_or(pose.rotation);
            let side =
                from.rotation.scalar * rotation.scalar + from.rotation.vector.dot(&rotation.vector);
            if side < 0.0 {
                rotation.scalar = -rotation.scalar;
                rotation.vector = -rotation.vector;
            }
            to.rotation = Some(rotation);
            to.position = to.position.or(Some(pose.translation));
        }
        By::Joint(joint) => {
            if let JointKind::Distance { .. } | JointKind::Driver { .. } = joint.kind {
                return None;
            }
            // A node without a rotation waits for an element.
            to.rotation?;
            let turns_along = matches!(joint.kind, JointKind::Fixed | JointKind::Prismatic);
            if to.angular_velocity.is_none() && turns_along {
                let world = from.rotation.rotate(&from.angular_velocity);
                to.angular_velocity = to.rotation.map(|r| r.rotate_inverse(&world));
            }
            let frame = to.complete();
            let [p_from, p_to] = match joint.points {
                JointPoints::Each([a, b]) => {
                    if forward { [a, b] } else { [b, a] }.map(Vector3::from)
                }
                JointPoints::World(point) => {
                    to.position?;
                    let point = Vector3::from(point);
                    [from.local(&point), frame.local(&point)]
                }
            };
            let ([x_from, u_from], [x_to, u_to]) = (from.arm(&p_from), frame.arm(&p_to));
            to.position = to.position.or(Some(from.position + x_from - x_to));
            to.velocity = to.velocity.or(Some(from.velocity + u_from - u_to));
        }
    }
    Some(to.complete())
}
