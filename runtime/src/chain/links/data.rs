//! Links and the start of a chain as data.

use super::small::V3;

/// A rigid link along its local x axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Link {
    /// Mass.
    pub mass: f64,
    /// Moments of inertia about the centre of mass; the axes are principal.
    pub inertia: [f64; 3],
    /// Joint with the link before, on the x axis, from the centre of mass.
    pub first: f64,
    /// Joint with the link after.
    pub second: f64,
}

impl Link {
    /// A homogeneous cylinder held at both ends.
    pub fn cylinder(mass: f64, length: f64, radius: f64) -> Self {
        let across = mass * (3.0 * radius * radius + length * length) / 12.0;
        Self {
            mass,
            inertia: [0.5 * mass * radius * radius, across, across],
            first: -0.5 * length,
            second: 0.5 * length,
        }
    }
}

/// The numbers of a link that the loops need.
#[derive(Clone, Copy, Debug)]
pub(super) struct Body {
    pub(super) mass: f64,
    pub(super) inertia: V3,
    pub(super) first: f64,
    pub(super) second: f64,
    pub(super) inverse_mass: f64,
    pub(super) inverse_inertia: V3,
    /// `-J^-1 (Omega x J Omega)` is `gyration[0] Omega_2 Omega_3` and so on.
    pub(super) gyration: V3,
}

impl Body {
    fn new(link: &Link) -> Self {
        let j = &link.inertia;
        Self {
            mass: link.mass,
            inertia: link.inertia,
            first: link.first,
            second: link.second,
            inverse_mass: 1.0 / link.mass,
            inverse_inertia: j.map(|j| 1.0 / j),
            gyration: [
                (j[1] - j[2]) / j[0],
                (j[2] - j[0]) / j[1],
                (j[0] - j[1]) / j[2],
            ],
        }
    }
}

/// The links of a chain. Equal neighbours share their numbers, so a long uniform
/// chain reads next to nothing.
#[derive(Clone, Debug)]
pub(super) struct Bodies {
    kinds: Vec<Body>,
    kind: Vec<u32>,
}

impl Bodies {
    pub(super) fn new(links: &[Link]) -> Self {
        let mut bodies = Self {
            kinds: Vec::new(),
            kind: Vec::with_capacity(links.len()),
        };
        let mut last = None;
        for link in links {
            if last != Some(link) {
                bodies.kinds.push(Body::new(link));
                last = Some(link);
            }
            #[expect(clippy::cast_possible_truncation, reason = "fewer than 2^32 links")]
            bodies.kind.push(bodies.kinds.len() as u32 - 1);
        }
        bodies
    }

    pub(super) fn len(&self) -> usize {
        self.kind.len()
    }

    #[inline(always)]
    pub(super) fn iter(&self) -> impl ExactSizeIterator<Item = &Body> + DoubleEndedIterator {
        self.kind.iter().map(|kind| &self.kinds[*kind as usize])
    }

    #[inline(always)]
    pub(super) fn at(&self, i: usize) -> &Body {
        &self.kinds[self.kind[i] as usize]
    }
}

/// Where a chain starts, and which ends are held.
#[derive(Clone, Debug, PartialEq)]
pub struct ChainStart {
    /// Where the first end of the first link is.
    pub origin: [f64; 3],
    /// Its velocity; must be zero if it is held.
    pub velocity: [f64; 3],
    /// Rotation of each link, quaternions (w, x, y, z).
    pub rotations: Vec<[f64; 4]>,
    /// Angular velocity of each link, body components.
    pub angular_velocities: Vec<[f64; 3]>,
    /// Whether the first and the last end are held where they start.
    pub held: [bool; 2],
}

impl ChainStart {
    /// `count` links along the inertial x axis from the origin, which is held, turning
    /// like one body.
    pub fn straight(count: usize, angular_velocity: [f64; 3]) -> Self {
        Self {
            origin: [0.0; 3],
            velocity: [0.0; 3],
            rotations: vec![[1.0, 0.0, 0.0, 0.0]; count],
            angular_velocities: vec![angular_velocity; count],
            held: [true, false],
        }
    }
}

/// Names of the parts of a chain, for messages.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::chain) struct ChainNames {
    pub(in crate::chain) links: String,
    /// The joint of the ground with the first link.
    pub(in crate::chain) first: String,
    /// The joints between links.
    pub(in crate::chain) between: String,
    /// The joint of the last link with the ground.
    pub(in crate::chain) last: String,
}

impl ChainNames {
    /// The name of a link.
    pub(super) fn link(&self, i: usize) -> String {
        format!("{}[{i}]", self.links)
    }
}
