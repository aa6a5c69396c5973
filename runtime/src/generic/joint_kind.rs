//! The kinds of joints. One more is a variant of [`JointKind`] and its line in [`JointKind::held`]:
//! constraints, reactions, coordinates and the places where it may stand follow from that line.

use serde::{Deserialize, Serialize};

use super::formula::Formula;

/// The kinds of joints, in terms of the frames of their attachments.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum JointKind {
    /// The origins coincide.
    Spherical,
    /// The origins and the z axes coincide.
    Revolute,
    /// The z axes coincide.
    Cylindrical,
    /// The z axes coincide and the frames do not turn: translation along z.
    Prismatic,
    /// The origins coincide and the x axis of the first is normal to the y axis of the second.
    Universal,
    /// The xy planes coincide.
    Planar,
    /// The frames coincide.
    Fixed,
    /// The origin of the first lies on the z axis of the second.
    PointOnLine,
    /// The origins keep a distance.
    Distance {
        /// The distance.
        length: f64,
    },
    /// A coordinate follows a formula of time; nothing else is held.
    Driver {
        /// Which coordinate.
        motion: Motion,
        /// What it follows.
        value: Formula,
    },
}

/// What a driver prescribes, of the second frame relative to the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Motion {
    /// The angle about z.
    Angle,
    /// The displacement along z of the second.
    Displacement,
    /// The distance of the origins; it must be positive.
    Distance,
}

const X: usize = 0;
const Y: usize = 1;
const Z: usize = 2;

impl JointKind {
    /// What a joint holds, in terms of the axes of its attachments: positions measured along axes
    /// of the second, and pairs (axis of the first, axis of the second) that stay normal to each
    /// other.
    pub(crate) fn held(&self) -> (&'static [usize], &'static [(usize, usize)]) {
        match self {
            Self::Spherical => (&[X, Y, Z], &[]),
            Self::Revolute => (&[X, Y, Z], &[(X, Z), (Y, Z)]),
            Self::Cylindrical => (&[X, Y], &[(X, Z), (Y, Z)]),
            Self::Prismatic => (&[X, Y], &[(X, Z), (Y, Z), (X, Y)]),
            Self::Universal => (&[X, Y, Z], &[(X, Y)]),
            Self::Planar => (&[Z], &[(X, Z), (Y, Z)]),
            Self::Fixed => (&[X, Y, Z], &[(X, Z), (Y, Z), (X, Y)]),
            Self::PointOnLine => (&[X, Y], &[]),
            Self::Distance { .. } | Self::Driver { .. } => (&[], &[]),
        }
    }

    /// Whether all three positions are held.
    pub(crate) fn holds_point(&self) -> bool {
        self.held().0.len() == 3
    }

    /// Whether no relative rotation is left.
    pub(crate) fn holds_rotation(&self) -> bool {
        self.held().1.len() == 3
    }

    /// Whether directions are held, so that points cannot have such a joint.
    pub(crate) fn holds_directions(&self) -> bool {
        let driven = matches!(
            self,
            Self::Driver {
                motion: Motion::Angle,
                ..
            }
        );
        driven || !self.held().1.is_empty()
    }

    /// Whether the z axes are held on one line.
    fn has_line(&self) -> bool {
        let (positions, normals) = self.held();
        let axes = [(X, Z), (Y, Z)];
        [X, Y].iter().all(|axis| positions.contains(axis))
            && axes.iter().all(|pair| normals.contains(pair))
    }

    /// Whether the joint has an angle about z as a coordinate.
    pub fn has_angle(&self) -> bool {
        self.has_line() && !self.holds_rotation()
    }

    /// Whether the joint has a displacement along z as a coordinate.
    pub fn has_displacement(&self) -> bool {
        self.has_line() && !self.holds_point()
    }
}
