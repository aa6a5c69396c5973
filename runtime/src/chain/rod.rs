//! A rod as data.

use super::invalid::{InvalidTree, check};
use super::load::Load;
use super::node::quaternion;
use super::strain::Element;
use super::turn::apart;
use crate::lie::{GroupKind, LieGroup, S3, S3sR3};
use core::f64::consts::PI;
use nalgebra::{Vector3, Vector6};

/// What a cross section is made of, per length. Strains and stresses have six
/// components: curvature about the directors 1, 2, 3, then shear along 1, 2 and
/// extension along 3. Director 3 is the tangent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Section {
    /// Mass per length.
    pub density: f64,
    /// Rotational inertia per length about the three directors.
    pub inertia: [f64; 3],
    /// Stress by strain.
    pub stiffness: [f64; 6],
    /// Stress by strain rate, before the factor.
    pub damping: [f64; 6],
    /// Factor of the damping: 2 if `damping` is the coefficient of a dissipation
    /// potential `w'^T Cd w'` without one half, which is the usual statement, or 1.
    pub damping_factor: f64,
}

/// The angle between the ends of an element that is free of stress.
pub(crate) fn reference_turn(length: f64, reference: &[f64; 6]) -> f64 {
    let [a, b, c, ..] = *reference;
    length * Vector3::new(a, b, c).norm()
}

impl Section {
    /// Checks the numbers of an element with this section.
    pub(super) fn check(
        &self,
        name: &str,
        length: f64,
        reference: &[f64; 6],
    ) -> Result<(), InvalidTree> {
        let positive =
            |quantity, value: f64| check(name, quantity, value, "a positive number", value > 0.0);
        let not_negative = |quantity, value: f64| {
            let expected = "zero or a positive number";
            check(name, quantity, value, expected, value >= 0.0)
        };
        positive("element length", length)?;
        positive("density", self.density)?;
        for inertia in self.inertia {
            positive("rotational inertia", inertia)?;
        }
        for stiffness in self.stiffness {
            not_negative("stiffness", stiffness)?;
        }
        for damping in self.damping {
            not_negative("damping", damping)?;
        }
        not_negative("damping factor", self.damping_factor)?;
        for strain in *reference {
            check(name, "reference strain", strain, "a finite number", true)?;
        }
        let turn = reference_turn(length, reference);
        let expected = "less than half a turn: use more elements";
        let quantity = "turn of the curvature over an element";
        check(name, quantity, turn, expected, turn < PI)
    }

    /// The constants of an element with this section.
    pub(super) fn element(
        &self,
        length: f64,
        reference: &[f64; 6],
        constraint: InternalConstraint,
        stiffness_of_held_strains: bool,
    ) -> Element {
        let held = constraint.count();
        let keep = |i: usize| {
            if (3..3 + held).contains(&i) && !stiffness_of_held_strains {
                0.0
            } else {
                1.0
            }
        };
        Element {
            length,
            reference: Vector6::from(*reference),
            stiffness: Vector6::from_fn(|i, _| keep(i) * self.stiffness[i]),
            damping: Vector6::from_fn(|i, _| keep(i) * self.damping_factor * self.damping[i]),
            held,
        }
    }
}

/// Which strains of a rod are held by constraints.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum InternalConstraint {
    /// None: bending, torsion, shear and extension.
    #[default]
    Cosserat,
    /// No shear.
    Kirchhoff,
    /// No shear and no extension.
    Inextensible,
}

impl InternalConstraint {
    /// Number of constraints in each element.
    pub fn count(self) -> usize {
        match self {
            Self::Cosserat => 0,
            Self::Kirchhoff => 2,
            Self::Inextensible => 3,
        }
    }
}

/// How an end of a rod is held.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Hold {
    /// Not at all; joints may still hold it.
    #[default]
    Free,
    /// The node stays where it starts. It is not among the unknowns.
    Clamped,
}

/// Where the nodes of a rod are at the start.
#[derive(Clone, Debug, PartialEq)]
pub enum RodStart {
    /// Free of stress, from the pose of the first node.
    Natural {
        /// Position of the first node.
        position: [f64; 3],
        /// Rotation of the first node, quaternion (w, x, y, z).
        rotation: [f64; 4],
    },
    /// Quaternion (w, x, y, z) and position of each node. Neighbours are less than half a turn
    /// apart; a quaternion with the opposite sign is a full turn further.
    Poses(Vec<([f64; 4], [f64; 3])>),
}

impl RodStart {
    /// Free of stress from `position`, with the tangent along `direction` there.
    /// The cross section is turned the short way from the inertial z axis.
    pub fn along(position: [f64; 3], direction: [f64; 3]) -> Self {
        let tangent = Vector3::from(direction).normalize();
        let axis = Vector3::z().cross(&tangent);
        // Half of the quaternion of twice the turn, normalized; opposite to z: about x.
        let double = S3 {
            scalar: 1.0 + tangent.z,
            vector: axis,
        };
        let half = if double.scalar < 1e-12 {
            S3 {
                scalar: 0.0,
                vector: Vector3::x(),
            }
        } else {
            double.renormalized()
        };
        Self::Natural {
            position,
            rotation: [half.scalar, half.vector.x, half.vector.y, half.vector.z],
        }
    }
}

/// A rod of equal elements.
#[derive(Clone, Debug)]
pub struct Rod {
    /// Name, for messages.
    pub name: String,
    /// Group of each node.
    pub group: GroupKind,
    /// The cross section.
    pub section: Section,
    /// Length of the rod.
    pub length: f64,
    /// Number of elements.
    pub elements: usize,
    /// Strains that are held.
    pub constraint: InternalConstraint,
    /// Whether held strains also have stiffness and damping. They do not change
    /// the motion, but the forces of stages in which the constraint is violated.
    pub stiffness_of_held_strains: bool,
    /// Strain free of stress: curvature, then `(0, 0, 1)`.
    pub reference: [f64; 6],
    /// Where the nodes start, at rest.
    pub start: RodStart,
    /// How the first and the last node are held.
    pub ends: [Hold; 2],
    /// Loads per length.
    pub distributed: Vec<Load>,
}

impl Rod {
    /// A straight free Cosserat rod on the quaternion group `S3sR3`, from the
    /// origin along the inertial z axis.
    pub fn new(name: &str, section: Section, length: f64, elements: usize) -> Self {
        Self {
            name: name.to_owned(),
            group: GroupKind::S3sR3,
            section,
            length,
            elements,
            constraint: InternalConstraint::Cosserat,
            stiffness_of_held_strains: false,
            reference: [0.0, 0.0, 0.0, 0.0, 0.0, 1.0],
            start: RodStart::Natural {
                position: [0.0; 3],
                rotation: [1.0, 0.0, 0.0, 0.0],
            },
            ends: [Hold::Free; 2],
            distributed: Vec::new(),
        }
    }

    /// Length of an element.
    pub fn element_length(&self) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "fewer than 2^52 elements")]
        let count = self.elements as f64;
        self.length / count
    }

    pub(super) fn check(&self) -> Result<(), InvalidTree> {
        let least = if self.ends == [Hold::Clamped; 2] {
            2
        } else {
            1
        };
        if self.elements < least {
            return Err(InvalidTree::TooFewElements {
                rod: self.name.clone(),
                found: self.elements,
                least,
            });
        }
        if !matches!(
            self.group,
            GroupKind::S3sR3 | GroupKind::SE3 | GroupKind::S3xR3 | GroupKind::SO3xR3
        ) {
            return Err(InvalidTree::Group {
                item: self.name.clone(),
                group: self.group,
            });
        }
        let positive = "a positive number";
        check(
            &self.name,
            "length",
            self.length,
            positive,
            self.length > 0.0,
        )?;
        self.section
            .check(&self.name, self.element_length(), &self.reference)?;
        if let RodStart::Poses(poses) = &self.start
            && poses.len() != self.elements + 1
        {
            return Err(InvalidTree::WrongLength {
                item: self.name.clone(),
                quantity: "start poses",
                found: poses.len(),
                expected: self.elements + 1,
            });
        }
        for (rotation, position) in self.raw_poses() {
            let length: f64 = rotation.iter().map(|x| x * x).sum();
            let expected = "a quaternion of length one";
            let unit = (length - 1.0).abs() < 1e-6;
            check(
                &self.name,
                "squared length of a start quaternion",
                length,
                expected,
                unit,
            )?;
            for &x in position {
                check(&self.name, "start position", x, "a finite number", true)?;
            }
        }
        for (i, pair) in self.raw_poses().windows(2).enumerate() {
            let [before, after] = [&pair[0].0, &pair[1].0].map(|rotation| quaternion(rotation));
            if let Some(angle) = apart(&before, &after) {
                let item = format!("element {i} of {}", self.name);
                return Err(InvalidTree::StartTurn { item, angle });
            }
        }
        Ok(())
    }

    fn raw_poses(&self) -> &[([f64; 4], [f64; 3])] {
        match &self.start {
            RodStart::Poses(poses) => poses,
            RodStart::Natural { .. } => &[],
        }
    }

    /// The poses of all nodes at the start.
    pub(super) fn poses(&self) -> Vec<S3sR3> {
        let pose = |rotation: &[f64; 4], position: &[f64; 3]| S3sR3 {
            rotation: quaternion(rotation).renormalized(),
            translation: Vector3::from(*position),
        };
        match &self.start {
            RodStart::Natural { position, rotation } => {
                let first = pose(rotation, position);
                let strain = Vector6::from(self.reference);
                let at = |i: usize| {
                    #[expect(clippy::cast_precision_loss, reason = "fewer than 2^52 elements")]
                    let s = i as f64 * self.element_length();
                    first.compose(&S3sR3::exp(&(strain * s)))
                };
                (0..=self.elements).map(at).collect()
            }
            RodStart::Poses(poses) => poses.iter().map(|(p, x)| pose(p, x)).collect(),
        }
    }

    /// The constants of each element.
    pub(super) fn element(&self) -> Element {
        self.section.element(
            self.element_length(),
            &self.reference,
            self.constraint,
            self.stiffness_of_held_strains,
        )
    }
}
