//! What a model looks like: bodies, rods, and what joins them, for pictures and lists.

use polhode::generic::description::{Attachment, Description, ForceKind, JointKind};
use polhode::lie::GroupKind;
use std::collections::HashMap;

/// Everything that can be seen.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scene {
    /// Acceleration of gravity.
    pub gravity: [f64; 3],
    /// Rigid bodies.
    pub solids: Vec<Solid>,
    /// Rods, and chains of many links.
    pub curves: Vec<Curve>,
    /// Joints and forces.
    pub links: Vec<Link>,
    /// In words, what the lists do not say.
    pub notes: Vec<String>,
}

/// A rigid body.
#[derive(Clone, Debug, PartialEq)]
pub struct Solid {
    /// Its name.
    pub name: String,
    /// Its place in the system.
    pub factor: usize,
    /// Its mass.
    pub mass: f64,
    /// Inertia about its centre of mass; none for a point mass.
    pub inertia: Option<[[f64; 3]; 3]>,
    /// Centre of mass in body coordinates.
    pub center: [f64; 3],
}

/// A line through points of bodies.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// Its name.
    pub name: String,
    /// The points, in a row.
    pub points: Vec<Spot>,
    /// Number of constraints between two of them.
    pub held: usize,
}

/// A point of a body or of the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spot {
    /// The body by its place in the system; nothing for the ground.
    pub factor: Option<usize>,
    /// In the coordinates of the body.
    pub point: [f64; 3],
}

/// A joint or a force between two points.
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    /// Its name.
    pub name: String,
    /// What it looks like.
    pub look: Look,
    /// Its ends.
    pub ends: [Spot; 2],
    /// Number of constraints.
    pub held: usize,
}

/// How a joint or a force is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Look {
    /// A joint at a point.
    Joint,
    /// A massless bar.
    Rod,
    /// A spring.
    Spring,
}

impl Scene {
    /// The scene of a description.
    pub fn of(description: &Description) -> Self {
        // Modal coordinates are not in space.
        let bodies = description.bodies.iter().enumerate();
        let solids = bodies.filter(|(_, body)| !description.is_modal(body));
        let solids = solids.map(|(factor, body)| Solid {
            name: body.name.clone(),
            factor,
            mass: body.mass,
            inertia: (!matches!(body.group, GroupKind::Rn(_))).then_some(body.inertia),
            center: body.center,
        });
        let names = description.bodies.iter().map(|body| body.name.as_str());
        let places: HashMap<&str, usize> = names.zip(0..).collect();
        let spot = |at: &Attachment| Spot {
            factor: places.get(at.body.as_str()).copied(),
            point: at.point,
        };
        let joints = description.joints.iter().map(|joint| Link {
            name: joint.name.clone(),
            look: match joint.kind {
                JointKind::Distance { .. } => Look::Rod,
                _ => Look::Joint,
            },
            ends: [spot(&joint.first), spot(&joint.second)],
            held: 0,
        });
        let forces = description.forces.iter().filter_map(|force| {
            let (ForceKind::SpringDamper { first, second, .. }
            | ForceKind::Bushing { first, second, .. }) = &force.kind
            else {
                return None;
            };
            Some(Link {
                name: force.name.clone(),
                look: Look::Spring,
                ends: [spot(first), spot(second)],
                held: 0,
            })
        });
        Self {
            gravity: description.gravity,
            solids: solids.collect(),
            curves: Vec::new(),
            links: joints.chain(forces).collect(),
            notes: Vec::new(),
        }
    }
}
