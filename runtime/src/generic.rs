//! The generic system: any [`Description`] assembled at run time.
//!
//! It answers the same [`System`](crate::system::System) border as generated code, with preallocated
//! matrices and no code generation. It is the oracle of every generated model
//! and the honest baseline of every benchmark, and it runs descriptions that
//! were read from a file.

mod assembly;
mod body;
mod build;
mod bushing;
mod constraint;
mod coordinate;
pub mod description;
mod driver;
mod effort;
mod follow;
mod force;
mod formula;
mod invalid;
mod joint;
mod joint_kind;
pub mod linear;
mod load;
mod modal;
mod rod;
mod scalar;
mod spring;
mod system;
#[cfg(test)]
pub(crate) mod tests;
mod time;

pub use invalid::InvalidDescription;
pub(crate) use invalid::{check_springs, check_values};
pub use linear::LinearMethod;
pub use time::TimeFormula;

use crate::chain::joint::Joint as InertialJoint;
use crate::chain::strain::Strain;
use crate::error::Fault;
use crate::joints::JointFrame;
use crate::lie::Space;
use crate::real::Real;
use assembly::{BodyTangents, Element, Snapshot};
use body::BodyData;
use constraint::Constraint;
pub(crate) use constraint::{Block, Pose, Row, lift};
use coordinate::Coordinate;
use description::{Description, ForceKind, JointKind};
use driver::{Drive, Driver};
use force::ForceData;
use linear::{LinearSystem, Singular};
use nalgebra::{Vector3, Vector6};
use rod::RodData;
use std::ops::Range;

/// A system assembled from a description.
#[derive(Clone, Debug)]
pub struct GenericSystem {
    description: Description,
    method: LinearMethod,
    space: Space,
    gravity: Vector3<f64>,
    bodies: Vec<BodyData>,
    joints: Vec<JointData>,
    /// Constraints in the order of rows; those of drivers are replaced at each time.
    constraints: Vec<Constraint>,
    drivers: Vec<(usize, Driver)>,
    coordinates: Vec<Coordinate>,
    /// The coordinates whose continuous angles a configuration holds, in the order of joints.
    turning: Vec<usize>,
    forces: Vec<ForceData>,
    rods: Vec<RodData>,
    frames: Vec<JointFrame>,
    row_names: Vec<String>,
    start: (Box<[f64]>, Box<[f64]>),
}

/// A joint with resolved bodies.
#[derive(Clone, Debug)]
struct JointData {
    a: Option<usize>,
    b: Option<usize>,
    rows: Range<usize>,
    /// Place in the list of drivers.
    driver: Option<usize>,
    /// The joint with positions in inertial axes, if they are to be measured so.
    inertial: Option<Box<InertialJoint>>,
}

/// Poses of all bodies, relative poses of all joints, strains of all rods and the rows of `B`.
#[derive(Clone, Debug)]
pub struct GenericGeometry {
    t: f64,
    poses: Vec<Pose>,
    /// The continuous angles of the configuration.
    turns: Vec<f64>,
    /// The modal coordinates of the configuration, body after body.
    modes: Vec<f64>,
    relatives: Vec<Pose>,
    strains: Vec<Strain>,
    /// The constraints at this time.
    constraints: Vec<Constraint>,
    drives: Vec<Drive>,
    /// In group coordinates: six slots for each side.
    rows: Vec<Row>,
}

impl GenericGeometry {
    fn snapshot<'a>(&'a self, v: &'a [f64]) -> Snapshot<'a> {
        Snapshot {
            t: self.t,
            poses: &self.poses,
            turns: &self.turns,
            modes: &self.modes,
            v,
        }
    }
}

/// Matrices and scratch memory.
#[derive(Clone, Debug, Default)]
pub struct GenericWorkspace {
    schur: LinearSystem,
    weighted: Vec<Row>,
    newton: LinearSystem,
    newton_size: usize,
    tangents: Vec<BodyTangents>,
    unknowns: Vec<f64>,
}

impl GenericSystem {
    /// Assembles a description with dense linear algebra.
    ///
    /// # Errors
    /// [`InvalidDescription`] naming the item at fault.
    pub fn new(description: Description) -> Result<Self, InvalidDescription> {
        Self::with_method(description, LinearMethod::Dense)
    }

    /// Reads a description from JSON and assembles it with dense linear algebra.
    ///
    /// # Errors
    /// [`InvalidDescription`] naming the place in the text or the item at fault.
    pub fn from_json(text: &str) -> Result<Self, InvalidDescription> {
        Self::new(Description::from_json(text)?)
    }

    /// Assembles a description with a choice of linear algebra.
    ///
    /// # Errors
    /// [`InvalidDescription`] naming the item at fault.
    pub fn with_method(
        description: Description,
        method: LinearMethod,
    ) -> Result<Self, InvalidDescription> {
        build::build(description, method)
    }

    /// The description that this system was assembled from.
    pub fn description(&self) -> &Description {
        &self.description
    }

    /// The times at which a force or a driver has a kink, as far as they are roots of straight
    /// lines of `t`: let steps end there.
    pub fn kinks(&self) -> Vec<f64> {
        let mut kinks = Vec::new();
        for force in &self.description.forces {
            match &force.kind {
                ForceKind::Load { force, torque, .. } => {
                    let parts = force.iter().chain(torque);
                    parts.for_each(|formula| time::collect(formula, &mut kinks));
                }
                ForceKind::PdControl {
                    target: formula, ..
                }
                | ForceKind::Actuator {
                    effort: formula, ..
                } => time::collect(formula, &mut kinks),
                _ => {}
            }
        }
        for joint in &self.description.joints {
            if let JointKind::Driver { value, .. } = &joint.kind {
                time::collect(value, &mut kinks);
            }
        }
        kinks.sort_by(f64::total_cmp);
        kinks.dedup();
        kinks
    }

    /// Starts elsewhere.
    pub(crate) fn set_start(&mut self, q: &[f64], v: &[f64]) {
        crate::parameters::set_start(&mut self.description, q, v);
        self.start = (q.into(), v.into());
        self.start_rods();
    }

    /// Body twists of both sides of an element.
    fn pair_twist<R: Real>(&self, element: Element, poses: &[Pose<R>], v: &[R]) -> Row<R> {
        let mut pair = Row::zeros();
        for (slot, body) in [(0, element.a), (6, element.b)] {
            if let Some(i) = body {
                let twist = self.bodies[i].twist(&poses[i], v);
                pair.fixed_rows_mut::<6>(slot).copy_from(&twist);
            }
        }
        pair
    }

    /// `g`, generic so that dual numbers can check `K` and `D`.
    #[inline]
    fn force_at<R: Real>(&self, at: &Snapshot<'_, R>, out: &mut [R]) {
        for (body, pose) in self.bodies.iter().zip(at.poses) {
            let mut f = Vector6::zeros();
            body.add_weight(pose, &self.gravity, &mut f);
            let f = body.to_group(pose, &f);
            let range = body.velocity.clone();
            for (slot, out) in out[range].iter_mut().enumerate() {
                *out = if slot < 6 { f[slot] } else { R::zero() };
            }
            body.add_gyroscopic(at.v, out);
        }
        self.add_forces(at, out);
        self.add_rods(at, out);
    }

    /// Joints and rods: the bodies that they hold, and their rows.
    fn holders(&self) -> impl Iterator<Item = (Element, Range<usize>)> {
        let joints = self.joints.iter();
        let joints = joints.map(|joint| (Element::of(joint), joint.rows.clone()));
        joints.chain(self.rods.iter().map(|rod| (rod.element, rod.rows.clone())))
    }

    /// Row `i` of `B` of a joint, over body twists.
    fn joint_row<R: Real>(
        joint: &JointData,
        i: usize,
        constraint: &Constraint,
        relative: &Pose<R>,
        poses: &[Pose<R>],
    ) -> Row<R> {
        match &joint.inertial {
            None => constraint.jacobian(relative),
            Some(held) => held.row(
                &pose_of(poses, joint.a),
                &pose_of(poses, joint.b),
                i - joint.rows.start,
            ),
        }
    }

    /// Row `i` of `Phi` of a joint.
    fn joint_value<R: Real>(
        joint: &JointData,
        i: usize,
        constraint: &Constraint,
        relative: &Pose<R>,
        poses: &[Pose<R>],
    ) -> R {
        match &joint.inertial {
            None => constraint.value(relative),
            Some(held) => held.value(
                &pose_of(poses, joint.a),
                &pose_of(poses, joint.b),
                i - joint.rows.start,
            ),
        }
    }

    /// The continuous angles of a configuration: its last entries.
    fn turns<'a>(&self, q: &'a [f64]) -> &'a [f64] {
        &q[q.len() - self.turning.len()..]
    }

    /// Names an unknown of the Newton system.
    fn unknown_name(&self, index: usize) -> String {
        let nv = self.space.dof();
        if index < nv {
            let body = self
                .bodies
                .iter()
                .position(|body| body.velocity.contains(&index))
                .unwrap_or(0);
            let component = index - self.bodies[body].velocity.start;
            return format!(
                "body `{}`, component {component}",
                self.description.bodies[body].name
            );
        }
        let row = (index - nv) % self.row_names.len().max(1);
        self.row_names.get(row).cloned().unwrap_or_default()
    }
}

fn pose_of<R: Real>(poses: &[Pose<R>], body: Option<usize>) -> Pose<R> {
    body.map_or_else(Pose::ground, |i| poses[i])
}

/// The first body of an element seen from the second.
#[inline]
fn relative_pose<R: Real>(poses: &[Pose<R>], element: Element) -> Pose<R> {
    pose_of(poses, element.a).seen_from(&pose_of(poses, element.b))
}

impl GenericSystem {
    /// Replaces the continuous angles of a displaced configuration, so far those before the
    /// displacement, by the angles next to them.
    fn update_turns(&self, q: &mut [f64]) {
        let first = q.len() - self.turning.len();
        for (i, &coordinate) in self.turning.iter().enumerate() {
            let coordinate = &self.coordinates[coordinate];
            let pose =
                |body: Option<usize>| body.map_or_else(Pose::ground, |b| self.bodies[b].pose(q));
            let Element { a, b, .. } = coordinate.element;
            let relative = pose(a).seen_from(&pose(b));
            q[first + i] = coordinate.value(&relative, &q[first..]);
        }
    }

    /// Calls `sink(element, row, relative pose, change in time)` for each driver.
    fn each_drive(
        &self,
        geometry: &GenericGeometry,
        mut sink: impl FnMut(Element, usize, &Pose, &Drive),
    ) {
        for (joint, relative) in self.joints.iter().zip(&geometry.relatives) {
            if let Some(driver) = joint.driver {
                let row = joint.rows.start;
                sink(Element::of(joint), row, relative, &geometry.drives[driver]);
            }
        }
    }

    #[cold]
    fn singular_constraints(&self, singular: &Singular) -> Fault {
        let constraint = self.row_of_unknown(singular.index);
        let constraint = self.row_names.get(constraint).cloned().unwrap_or_default();
        if !singular.pivot.is_finite() {
            let quantity = format!("the matrix B M^-1 B^T at {constraint}");
            return Fault::NotFinite { quantity };
        }
        Fault::SingularConstraints {
            constraint,
            pivot: singular.pivot,
            scale: singular.scale,
        }
    }

    #[cold]
    fn singular_newton(&self, singular: &Singular) -> Fault {
        let unknown = self.unknown_name(singular.index);
        if !singular.pivot.is_finite() {
            let quantity = format!("the Newton matrix at {unknown}");
            return Fault::NotFinite { quantity };
        }
        Fault::SingularNewton {
            unknown,
            pivot: singular.pivot,
            scale: singular.scale,
        }
    }
}
