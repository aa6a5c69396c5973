//! What can be wrong with a description, each with the name of the item.

mod forces;
mod lines;
mod modal;
mod rods;

use super::description::{
    Attachment, Body, Description, GROUND, Joint, JointKind, MassMatrix, StartAngle,
};
use crate::lie::GroupKind;
use forces::{check_angle, check_force, check_of_time};
pub(super) use lines::check_lines;
use modal::check_mass_matrix;
use rods::check_rod;
use std::collections::HashMap;

/// A description that is not a multibody system.
#[derive(Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum InvalidDescription {
    /// The text is not JSON, or not a description.
    #[error("not a description: {message}")]
    Syntax {
        /// The parser's words, with line and column.
        message: String,
    },
    /// There is nothing to simulate.
    #[error("the description has no bodies")]
    NoBodies,
    /// A name that is empty, reserved or used twice.
    #[error("{item} name `{name}` is {problem}")]
    Name {
        /// Body, joint, rod or force.
        item: &'static str,
        /// The name.
        name: String,
        /// What is wrong with it.
        problem: &'static str,
    },
    /// A joint or force refers to a body that does not exist.
    #[error("{item} refers to the unknown body `{body}`{}", suggestion(.nearest.as_ref()))]
    UnknownBody {
        /// Name of the joint or force.
        item: String,
        /// The name that it refers to.
        body: String,
        /// A body with a similar name.
        nearest: Option<String>,
    },
    /// A force refers to a joint that does not exist.
    #[error("{item} refers to the unknown joint `{joint}`{}", suggestion(.nearest.as_ref()))]
    UnknownJoint {
        /// Name of the joint or force.
        item: String,
        /// The name that it refers to.
        joint: String,
        /// A joint with a similar name.
        nearest: Option<String>,
    },
    /// A joint does not have the coordinate that a force or formula needs.
    #[error("{item} needs the {coordinate} of joint `{joint}`, which has none; {has}")]
    NoCoordinate {
        /// Name of the joint or force.
        item: String,
        /// What it needs.
        coordinate: &'static str,
        /// The joint that it refers to.
        joint: String,
        /// Which kinds of joints have it.
        has: &'static str,
    },
    /// A component that a vector in space does not have.
    #[error("a formula of {item} reads axis {axis} of body `{body}`: axes are 0, 1 and 2")]
    Axis {
        /// Name of the joint or force.
        item: String,
        /// The body.
        body: String,
        /// The axis.
        axis: usize,
    },
    /// A modal coordinate that a body does not have.
    #[error(
        "a formula of {item} reads component {component} of body `{body}`, which has {count}; the first is 0"
    )]
    Component {
        /// Name of the joint or force.
        item: String,
        /// The body.
        body: String,
        /// The component.
        component: usize,
        /// How many there are.
        count: usize,
    },
    /// A formula that must depend on time alone reads something else.
    #[error("{quantity} of {item} must be a formula of time, but it reads {reads}")]
    NotOfTime {
        /// Name of the joint or force.
        item: String,
        /// Which formula.
        quantity: &'static str,
        /// What it reads.
        reads: String,
    },
    /// A formula with too many levels.
    #[error("a formula of {item} has more than {limit} levels")]
    Depth {
        /// Name of the joint or force.
        item: String,
        /// How many are allowed.
        limit: usize,
    },
    /// A joint or force between a body and itself, or between ground and ground.
    #[error("{item} connects `{body}` with itself")]
    SelfConnection {
        /// Name of the joint or force.
        item: String,
        /// The body.
        body: String,
    },
    /// A number outside its range.
    #[error("{quantity} of {item} is {value}: it must be {expected}")]
    Number {
        /// Name of the body, joint or force.
        item: String,
        /// Which number.
        quantity: &'static str,
        /// Its value.
        value: f64,
        /// What is allowed.
        expected: &'static str,
    },
    /// A list of numbers of the wrong length.
    #[error("{quantity} of {item} has {found} components instead of {expected}")]
    Length {
        /// Name of the body or force.
        item: String,
        /// Which list.
        quantity: &'static str,
        /// Its length.
        found: usize,
        /// The right length.
        expected: usize,
    },
    /// A combination of group and component that does not exist.
    #[error("{item} on {group}: {problem}")]
    Group {
        /// Name of the body, joint or force.
        item: String,
        /// The group.
        group: GroupKind,
        /// Why not, and what to do.
        problem: &'static str,
    },
    /// Too many constraints for a system in which they may be redundant.
    #[error(
        "redundant constraints are allowed in a system of {constraints} constraints: the solution \
         of the smallest norm is dense and made for at most {limit}; release the redundant \
         directions (`spherical` or `point-on-line` in place of `revolute` in a closed loop) and \
         leave `redundant` out"
    )]
    RedundantSize {
        /// How many there are.
        constraints: usize,
        /// How many are possible.
        limit: usize,
    },
    /// Two points that must be apart coincide.
    #[error("the points of {item} coincide at the start, its direction is undefined")]
    Coincident {
        /// Name of the joint or force.
        item: String,
    },
}

fn suggestion(nearest: Option<&String>) -> String {
    nearest.map_or_else(String::new, |name| format!("; did you mean `{name}`?"))
}

/// A description with its names in order, so that finding one takes no longer in a large model.
#[derive(Debug)]
pub(super) struct Index<'a> {
    description: &'a Description,
    body_places: HashMap<&'a str, usize>,
    joint_places: HashMap<&'a str, usize>,
    mass_places: HashMap<&'a str, usize>,
}

impl<'a> Index<'a> {
    pub(super) fn new(description: &'a Description) -> Self {
        let bodies = description.bodies.iter().map(|body| body.name.as_str());
        let joints = description.joints.iter().map(|joint| joint.name.as_str());
        let matrices = description.mass_matrices.iter();
        let matrices = matrices.map(|matrix| matrix.body.as_str());
        Self {
            description,
            body_places: bodies.zip(0..).collect(),
            joint_places: joints.zip(0..).collect(),
            mass_places: matrices.zip(0..).collect(),
        }
    }

    /// The mass matrix that a body is given, if it is given one.
    pub(super) fn mass_matrix(&self, body: &str) -> Option<&'a MassMatrix> {
        let place = self.mass_places.get(body)?;
        self.description.mass_matrices.get(*place)
    }

    /// [`Description::is_modal`] without a search.
    pub(super) fn is_modal(&self, body: &Body) -> bool {
        matches!(body.group, GroupKind::Rn(n) if n > 3 || self.mass_matrix(&body.name).is_some())
    }

    /// Place of a body, unless it is the ground or there is none.
    pub(super) fn body(&self, name: &str) -> Option<usize> {
        self.body_places.get(name).copied()
    }

    /// Place of a joint.
    fn joint(&self, name: &str) -> Option<usize> {
        self.joint_places.get(name).copied()
    }

    /// The group of a body.
    fn group(&self, name: &str) -> Option<GroupKind> {
        Some(self.description.bodies[self.body(name)?].group)
    }
}

impl std::ops::Deref for Index<'_> {
    type Target = Description;

    fn deref(&self) -> &Description {
        self.description
    }
}

/// Checks everything that can be checked without evaluating the model.
pub(super) fn check(description: &Index<'_>) -> Result<(), InvalidDescription> {
    if description.bodies.is_empty() {
        return Err(InvalidDescription::NoBodies);
    }
    check_names("body", description.bodies.iter().map(|x| &x.name))?;
    check_names("joint", description.joints.iter().map(|x| &x.name))?;
    check_names("rod", description.rods.iter().map(|x| &x.name))?;
    check_names("force", description.forces.iter().map(|x| &x.name))?;
    let matrices = &description.mass_matrices;
    check_names("mass matrix", matrices.iter().map(|x| &x.body))?;
    for joint in &description.joints {
        check_groups(description, joint)?;
    }
    check_components(description)?;
    for rod in &description.rods {
        check_rod(description, rod)?;
    }
    for StartAngle { joint, angle } in &description.start_angles {
        check_angle(description, "a start angle", joint)?;
        let item = format!("joint `{joint}`");
        check_number(&item, "start angle", *angle, true, "finite")?;
    }
    Ok(())
}

/// Checks the numbers of a description whose names and groups are known to fit.
pub(crate) fn check_values(description: &Description) -> Result<(), InvalidDescription> {
    check_components(&Index::new(description))
}

/// Checks that springs have a direction at the start.
pub(crate) fn check_springs(description: &Description) -> Result<(), InvalidDescription> {
    check_lines(&Index::new(description))
}

/// Bodies, joints and forces, each for itself.
fn check_components(description: &Index<'_>) -> Result<(), InvalidDescription> {
    check_numbers("the model", "gravity", &description.gravity)?;
    for body in &description.bodies {
        check_body(body)?;
    }
    for matrix in &description.mass_matrices {
        check_mass_matrix(description, matrix)?;
    }
    for joint in &description.joints {
        check_joint(description, joint)?;
    }
    for force in &description.forces {
        let item = format!("force `{}`", force.name);
        check_force(description, &item, &force.kind)?;
    }
    Ok(())
}

fn check_names<'a>(
    item: &'static str,
    names: impl Iterator<Item = &'a String>,
) -> Result<(), InvalidDescription> {
    let mut seen = std::collections::BTreeSet::new();
    for name in names {
        let problem = match name.as_str() {
            "" => "empty",
            GROUND => "reserved for the inertial frame",
            _ if !seen.insert(name) => "used twice",
            _ => continue,
        };
        let name = name.clone();
        return Err(InvalidDescription::Name {
            item,
            name,
            problem,
        });
    }
    Ok(())
}

fn check_number(
    item: &str,
    quantity: &'static str,
    value: f64,
    valid: bool,
    expected: &'static str,
) -> Result<(), InvalidDescription> {
    if valid && value.is_finite() {
        return Ok(());
    }
    Err(InvalidDescription::Number {
        item: item.to_owned(),
        quantity,
        value,
        expected,
    })
}

fn check_numbers(
    item: &str,
    quantity: &'static str,
    values: &[f64],
) -> Result<(), InvalidDescription> {
    values
        .iter()
        .try_for_each(|&value| check_number(item, quantity, value, true, "finite"))
}

fn check_length(
    item: &str,
    quantity: &'static str,
    values: &[f64],
    expected: usize,
) -> Result<(), InvalidDescription> {
    check_numbers(item, quantity, values)?;
    if values.is_empty() || values.len() == expected {
        return Ok(());
    }
    Err(InvalidDescription::Length {
        item: item.to_owned(),
        quantity,
        found: values.len(),
        expected,
    })
}

/// Most coordinates of one body on `Rn`: its mass matrix is dense.
const MAX_COORDINATES: usize = 1000;

#[expect(clippy::float_cmp, reason = "exactly what stands for left out")]
fn check_body(body: &Body) -> Result<(), InvalidDescription> {
    let item = format!("body `{}`", body.name);
    check_number(&item, "mass", body.mass, body.mass > 0.0, "positive")?;
    check_numbers(&item, "inertia", body.inertia.as_flattened())?;
    check_numbers(&item, "center", &body.center)?;
    let start = &body.start;
    let coordinates = if let GroupKind::Rn(n) = body.group {
        n
    } else {
        3
    };
    check_length(&item, "start position", &start.position, coordinates)?;
    check_length(&item, "start velocity", &start.velocity, coordinates)?;
    check_numbers(&item, "start rotation", &start.rotation)?;
    check_numbers(&item, "start angular velocity", &start.angular_velocity)?;
    let group = body.group;
    let reject = |problem| {
        let item = item.clone();
        Err(InvalidDescription::Group {
            item,
            group,
            problem,
        })
    };
    let moves_center = body.center != [0.0; 3];
    match group {
        GroupKind::Rn(0) => return reject("a body needs at least one coordinate; use R1 or more"),
        GroupKind::Rn(n) if n > MAX_COORDINATES => {
            return reject("a body has at most 1000 coordinates; use several bodies");
        }
        GroupKind::Rn(_) => {
            if start.rotation != [1.0, 0.0, 0.0, 0.0] || start.angular_velocity != [0.0; 3] {
                return reject("a point does not rotate; use SE3 or SO3xR3 for a rigid body");
            }
            if moves_center {
                return reject(
                    "the centre of a point mass is the point itself; leave `center` out",
                );
            }
            return Ok(());
        }
        GroupKind::SO3xR3 | GroupKind::S3xR3 if moves_center => {
            return reject(
                "the mass matrix is constant only with the body frame at the centre of mass; \
                 move the frame or use SE3 or S3sR3",
            );
        }
        GroupKind::SO3 | GroupKind::S3 if start.velocity.iter().any(|&x| x != 0.0) => {
            return reject("the origin of the body frame is fixed; leave the start velocity out");
        }
        _ => {}
    }
    check_inertia(&item, &body.inertia)?;
    let norm = start.rotation.iter().map(|x| x * x).sum::<f64>().sqrt();
    check_number(
        &item,
        "norm of the start rotation",
        norm,
        (norm - 1.0).abs() < 1e-6,
        "1 (a unit quaternion w, x, y, z)",
    )
}

/// Symmetric and positive definite. Inertia that violates the triangle
/// inequality is left to the compile-time checks: published data do.
fn check_inertia(item: &str, inertia: &[[f64; 3]; 3]) -> Result<(), InvalidDescription> {
    let matrix = nalgebra::Matrix3::from_fn(|i, j| inertia[i][j]);
    let asymmetry = (matrix - matrix.transpose()).amax();
    check_number(
        item,
        "asymmetry of the inertia",
        asymmetry,
        asymmetry <= 1e-12 * matrix.amax(),
        "zero",
    )?;
    let smallest = matrix.symmetric_eigenvalues().min();
    check_number(
        item,
        "smallest principal inertia",
        smallest,
        smallest > 0.0,
        "positive",
    )
}

fn check_joint(description: &Index<'_>, joint: &Joint) -> Result<(), InvalidDescription> {
    let item = format!("joint `{}`", joint.name);
    check_pair(description, &item, &joint.first, &joint.second)?;
    match &joint.kind {
        JointKind::Distance { length } => {
            check_number(&item, "length", *length, *length > 0.0, "positive")
        }
        JointKind::Driver { value, .. } => check_of_time(&item, "value", value),
        _ => Ok(()),
    }
}

/// Points have no axes that a joint could hold.
fn check_groups(description: &Index<'_>, joint: &Joint) -> Result<(), InvalidDescription> {
    for side in [&joint.first, &joint.second] {
        if let Some(group @ GroupKind::Rn(_)) = description.group(&side.body)
            && joint.kind.holds_directions()
        {
            return Err(InvalidDescription::Group {
                item: format!("joint `{}`", joint.name),
                group,
                problem: "a point has no axes; use spherical, point-on-line or distance",
            });
        }
    }
    Ok(())
}

fn check_pair(
    description: &Index<'_>,
    item: &str,
    first: &Attachment,
    second: &Attachment,
) -> Result<(), InvalidDescription> {
    if first.body == second.body {
        return Err(InvalidDescription::SelfConnection {
            item: item.to_owned(),
            body: first.body.clone(),
        });
    }
    for side in [first, second] {
        check_attachment(description, item, side)?;
    }
    Ok(())
}

fn check_attachment(
    description: &Index<'_>,
    item: &str,
    side: &Attachment,
) -> Result<(), InvalidDescription> {
    check_numbers(item, "point", &side.point)?;
    check_numbers(item, "axes", side.axes.as_flattened())?;
    let axes = nalgebra::Matrix3::from_fn(|i, j| side.axes[i][j]);
    let defect = (axes * axes.transpose() - nalgebra::Matrix3::identity()).amax();
    check_number(
        item,
        "deviation of the axes from orthonormality",
        defect,
        defect < 1e-9 && axes.determinant() > 0.0,
        "zero (right-handed orthonormal rows)",
    )?;
    if side.body == GROUND {
        return Ok(());
    }
    let body = &description.bodies[find_body(description, item, &side.body)?];
    check_in_space(description, item, body)
}

/// A body with modal coordinates is nowhere.
fn check_in_space(
    description: &Index<'_>,
    item: &str,
    body: &Body,
) -> Result<(), InvalidDescription> {
    if description.is_modal(body) {
        return Err(InvalidDescription::Group {
            item: item.to_owned(),
            group: body.group,
            problem: "modal coordinates have no place in space to attach to; \
                      couple them by formulas, or use modal-spring and modal-load",
        });
    }
    Ok(())
}

/// Place of a body.
pub(super) fn find_body(
    description: &Index<'_>,
    item: &str,
    name: &str,
) -> Result<usize, InvalidDescription> {
    description
        .body(name)
        .ok_or_else(|| InvalidDescription::UnknownBody {
            item: item.to_owned(),
            body: name.to_owned(),
            nearest: nearest_name(name, description.bodies.iter().map(|x| &x.name)),
        })
}

/// Place of a joint.
pub(super) fn find_joint(
    description: &Index<'_>,
    item: &str,
    name: &str,
) -> Result<usize, InvalidDescription> {
    let found = description.joint(name);
    found.ok_or_else(|| InvalidDescription::UnknownJoint {
        item: item.to_owned(),
        joint: name.to_owned(),
        nearest: nearest_name(name, description.joints.iter().map(|x| &x.name)),
    })
}

/// The name with the smallest edit distance, if that is small.
fn nearest_name<'a>(name: &str, names: impl Iterator<Item = &'a String>) -> Option<String> {
    names
        .map(|candidate| (strsim::levenshtein(name, candidate), candidate))
        .min()
        .filter(|(distance, candidate)| *distance <= 1 + candidate.chars().count() / 3)
        .map(|(_, candidate)| candidate.clone())
}
