//! A model with resolved names: what the checks, the mechanics and the emitter read.

use std::f64::consts::PI;

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

use crate::diag::At;
use crate::forces::{Acts, Coefficient, Law, On};
use crate::formula::{Formula, Formula3, Leaf, fixed3};
use crate::joints::Held;
use crate::syntax::Setting;

/// A square matrix by rows.
pub(crate) type FormulaMatrix = Vec<Vec<Formula>>;

/// A body, by its place in [`Model::bodies`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct BodyId(pub(crate) usize);

/// A joint, by its place in [`Model::joints`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct JointId(pub(crate) usize);

/// The group that a body moves on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Group {
    So3,
    S3,
    So3xR3,
    Se3,
    S3xR3,
    S3sR3,
    Rn(usize),
}

impl Group {
    /// Most coordinates of a body on `Rn`: code is generated for each of them.
    pub(crate) const MOST_COORDINATES: usize = 64;

    /// All groups with a fixed name.
    pub(crate) const NAMED: [(&'static str, Self); 6] = [
        ("SO3", Self::So3),
        ("S3", Self::S3),
        ("SO3xR3", Self::So3xR3),
        ("SE3", Self::Se3),
        ("S3xR3", Self::S3xR3),
        ("S3sR3", Self::S3sR3),
    ];

    pub(crate) fn config_len(self) -> usize {
        match self {
            Self::So3 => 9,
            Self::S3 => 4,
            Self::So3xR3 | Self::Se3 => 12,
            Self::S3xR3 | Self::S3sR3 => 7,
            Self::Rn(n) => n,
        }
    }

    pub(crate) fn dof(self) -> usize {
        match self {
            Self::So3 | Self::S3 => 3,
            Self::Rn(n) => n,
            _ => 6,
        }
    }

    pub(crate) fn rotates(self) -> bool {
        !matches!(self, Self::Rn(_))
    }

    pub(crate) fn has_matrix(self) -> bool {
        matches!(self, Self::So3 | Self::So3xR3 | Self::Se3)
    }

    /// Whether the origin of the frame is fixed.
    pub(crate) fn is_pinned(self) -> bool {
        matches!(self, Self::So3 | Self::S3)
    }

    pub(crate) fn is_direct(self) -> bool {
        matches!(self, Self::So3xR3 | Self::S3xR3)
    }

    pub(crate) fn is_semidirect(self) -> bool {
        matches!(self, Self::Se3 | Self::S3sR3)
    }

    /// Name as a user writes it.
    pub(crate) fn name(self) -> String {
        if let Self::Rn(n) = self {
            return format!("R{n}");
        }
        self.kind()
    }

    /// Name of the variant of the runtime's `GroupKind`.
    pub(crate) fn kind(self) -> String {
        if let Self::Rn(n) = self {
            return format!("Rn({n})");
        }
        let named = Self::NAMED.iter().find(|(_, group)| *group == self);
        named.map_or("SE3", |(name, _)| *name).to_owned()
    }
}

/// A body.
#[derive(Clone, Debug)]
pub(crate) struct Body {
    pub(crate) name: Ident,
    pub(crate) group: Group,
    pub(crate) mass: Formula,
    /// The mass matrix of modal coordinates, if they are given one; `mass` is one then.
    pub(crate) mass_matrix: Option<FormulaMatrix>,
    /// About the centre of mass, in body axes.
    pub(crate) inertia: [[Formula; 3]; 3],
    pub(crate) center: Formula3,
    pub(crate) start: Start,
    /// The author says that nothing need hold it.
    pub(crate) free: bool,
    /// The author vouches for an inertia that no body can have.
    pub(crate) inertia_unchecked: bool,
    /// First component in the flat configuration.
    pub(crate) config: usize,
    /// First component in the flat velocity.
    pub(crate) velocity: usize,
    pub(crate) spans: BodySpans,
}

impl Body {
    /// A body of which nothing but its name and group is known yet; errors are on its name.
    pub(crate) fn new(name: &Ident, group: Group) -> Self {
        let at: At = name.span().into();
        Self {
            name: name.clone(),
            group,
            mass: Formula::Number(f64::NAN),
            mass_matrix: None,
            inertia: core::array::from_fn(|_| fixed3([0.0; 3])),
            center: fixed3([0.0; 3]),
            start: Start {
                position: Vec::new(),
                rotation: [1.0, 0.0, 0.0, 0.0],
                velocity: None,
                angular_velocity: None,
            },
            free: false,
            inertia_unchecked: false,
            config: 0,
            velocity: 0,
            spans: BodySpans {
                mass: at,
                inertia: at,
                center: at,
                position: at,
                velocity: at,
            },
        }
    }

    /// How many modal coordinates the body has, if it is not a body in space.
    pub(crate) fn modes(&self) -> Option<usize> {
        match self.group {
            Group::Rn(n) if n > 3 || self.mass_matrix.is_some() => Some(n),
            _ => None,
        }
    }

    /// Where the frame of a body on a rotation group stays; its numbers are known.
    pub(crate) fn origin(&self) -> [f64; 3] {
        let place = |i: usize| self.start.position.get(i).and_then(Formula::value);
        core::array::from_fn(|i| place(i).unwrap_or(0.0))
    }
}

/// Where the numbers of a body are written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BodySpans {
    pub(crate) mass: At,
    pub(crate) inertia: At,
    pub(crate) center: At,
    pub(crate) position: At,
    pub(crate) velocity: At,
}

/// Initial values of a body.
#[derive(Clone, Debug)]
pub(crate) struct Start {
    /// Origin of the body frame, inertial axes.
    pub(crate) position: Vec<Formula>,
    /// Unit quaternion (w, x, y, z).
    pub(crate) rotation: [f64; 4],
    /// Of the origin of the frame, inertial axes; what is not given follows from the joints.
    pub(crate) velocity: Option<Vec<Formula>>,
    /// In body axes; what is not given follows from the joints.
    pub(crate) angular_velocity: Option<Formula3>,
}

/// A frame fixed to a body or the ground.
#[derive(Clone, Debug)]
pub(crate) struct Attachment {
    /// `None` is the ground.
    pub(crate) body: Option<BodyId>,
    pub(crate) point: Formula3,
    /// Axes, one per row, in body coordinates.
    pub(crate) axes: [[f64; 3]; 3],
}

/// What a driver prescribes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Motion {
    Angle,
    Displacement,
    Distance,
}

/// The kinds of joints.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum JointKind {
    Held(&'static Held),
    Distance { length: Formula },
    Driver { motion: Motion, value: Formula },
}

/// The axes x, y, z of a frame, one per row.
pub(crate) type Axes = [[f64; 3]; 3];
/// Those of the body itself.
pub(crate) const IDENTITY: Axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

impl JointKind {
    /// Positions and pairs of normal axes that the joint holds.
    pub(crate) fn held(&self) -> (&'static [usize], &'static [(usize, usize)]) {
        self.line()
            .map_or((&[], &[]), |held| (held.positions, held.normals))
    }

    /// The line of the table of joints.
    pub(crate) fn line(&self) -> Option<&'static Held> {
        match self {
            Self::Held(held) => Some(held),
            Self::Distance { .. } | Self::Driver { .. } => None,
        }
    }

    /// Name of the kind, in the model and in the runtime.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Held(held) => held.name,
            Self::Distance { .. } => "Distance",
            Self::Driver { .. } => "Driver",
        }
    }

    /// Whether all three positions are held.
    pub(crate) fn holds_point(&self) -> bool {
        self.line().is_some_and(Held::holds_point)
    }

    /// Whether directions are held, so that something must rotate.
    pub(crate) fn holds_directions(&self) -> bool {
        match self {
            Self::Held(held) => !held.normals.is_empty(),
            Self::Distance { .. } => false,
            Self::Driver { motion, .. } => *motion == Motion::Angle,
        }
    }

    pub(crate) fn has_angle(&self) -> bool {
        self.line().is_some_and(Held::has_angle)
    }

    pub(crate) fn has_displacement(&self) -> bool {
        self.line().is_some_and(Held::has_displacement)
    }
}

impl Joint {
    /// The declared angle, if it is on another turn than the angle between the frames.
    pub(crate) fn other_turn(&self) -> Option<f64> {
        self.start_angle.filter(|angle| angle.abs() > PI)
    }
}

/// Where the settings of a component are written.
#[derive(Clone, Debug)]
pub(crate) struct Written {
    component: At,
    settings: Vec<(String, At)>,
}

impl Written {
    pub(crate) fn new(component: &Ident, settings: &[Setting]) -> Self {
        let settings = settings.iter();
        let settings = settings.map(|x| (x.name.to_string(), At::of(&x.value)));
        Self {
            component: component.span().into(),
            settings: settings.collect(),
        }
    }

    /// The value of a setting, or the component if it is not given.
    pub(crate) fn at(&self, word: &str) -> At {
        let found = self.settings.iter().find(|(name, _)| name == word);
        found.map_or(self.component, |(_, at)| *at)
    }
}

/// A joint.
#[derive(Clone, Debug)]
pub(crate) struct Joint {
    pub(crate) name: Ident,
    pub(crate) kind: JointKind,
    pub(crate) first: Attachment,
    pub(crate) second: Attachment,
    /// How far the first frame is turned back about z besides, if that is known only when the model
    /// is constructed: a driver then starts with an angle of its own.
    pub(crate) turn: Formula,
    /// The angle that the joint is declared to start with.
    pub(crate) start_angle: Option<f64>,
    pub(crate) written: Written,
    /// Where the kind is written.
    pub(crate) kind_span: Span,
    /// Component of the configuration with the continuous angle, if something reads it.
    pub(crate) angle: Option<usize>,
}

/// The kinds of forces.
#[expect(
    clippy::large_enum_variant,
    reason = "a model has few of them, and they are not moved"
)]
#[derive(Clone, Debug)]
pub(crate) enum ForceKind {
    /// One of the table of forces.
    Law {
        law: &'static Law,
        on: On,
        coefficients: Vec<Coefficient>,
    },
    Load {
        at: Attachment,
        force: Formula3,
        torque: Formula3,
        /// Components in the axes of the body instead of inertial ones.
        follower: bool,
    },
    ModalSpring {
        body: BodyId,
        stiffness: FormulaMatrix,
        damping: FormulaMatrix,
        /// Where they are written.
        spans: [At; 2],
    },
    ModalLoad {
        body: BodyId,
        force: Vec<Formula>,
    },
}

impl ForceKind {
    /// Every formula of the force.
    pub(crate) fn formulas(&self) -> Vec<&Formula> {
        let points = self.attachments().into_iter().flat_map(|at| &at.point);
        match self {
            Self::Law { coefficients, .. } => {
                let entries = coefficients.iter().flat_map(|x| &x.entries);
                points.chain(entries).collect()
            }
            Self::Load { force, torque, .. } => points.chain(force).chain(torque).collect(),
            Self::ModalSpring {
                stiffness, damping, ..
            } => stiffness.iter().chain(damping).flatten().collect(),
            Self::ModalLoad { force, .. } => force.iter().collect(),
        }
    }

    /// The frames that the force acts at.
    pub(crate) fn attachments(&self) -> Vec<&Attachment> {
        match self {
            Self::Law {
                on: On::Between(ends),
                ..
            } => ends.iter().collect(),
            Self::Load { at, .. } => vec![at],
            Self::Law { .. } | Self::ModalSpring { .. } | Self::ModalLoad { .. } => Vec::new(),
        }
    }

    /// The joint that the force acts on, if it is one.
    pub(crate) fn joint(&self) -> Option<JointId> {
        match self {
            Self::Law {
                on: On::Joint(joint),
                ..
            } => Some(*joint),
            _ => None,
        }
    }

    /// The points that the force pulls along the line between them, if it does.
    pub(crate) fn line(&self) -> Option<&[Attachment; 2]> {
        match self {
            Self::Law {
                law,
                on: On::Between(ends),
                ..
            } if law.acts == Acts::Points => Some(ends),
            _ => None,
        }
    }

    /// The body whose modal coordinates the force acts on, if it does.
    pub(crate) fn modes(&self) -> Option<BodyId> {
        match self {
            Self::ModalSpring { body, .. } | Self::ModalLoad { body, .. } => Some(*body),
            _ => None,
        }
    }
}

/// A force.
#[derive(Clone, Debug)]
pub(crate) struct Force {
    pub(crate) name: Ident,
    pub(crate) kind: ForceKind,
}

impl Force {
    /// The bodies that the force moves, and those that it reads besides, without repetition.
    pub(crate) fn bodies(&self, model: &Model) -> (Vec<BodyId>, Vec<BodyId>) {
        let of_joint = |joint: JointId| {
            let joint = model.joint(joint);
            [joint.first.body, joint.second.body].into_iter().flatten()
        };
        let mut moved: Vec<BodyId> = self
            .kind
            .attachments()
            .iter()
            .filter_map(|at| at.body)
            .collect();
        moved.extend(self.kind.joint().into_iter().flat_map(of_joint));
        moved.extend(self.kind.modes());
        let mut read = moved.clone();
        for formula in self.kind.formulas() {
            formula.leaves(&mut |leaf| match leaf {
                Leaf::Body(body, ..) => read.push(body),
                Leaf::Joint(joint, _) => read.extend(of_joint(joint)),
                Leaf::Parameter(_) | Leaf::Outside(_) | Leaf::Time => {}
            });
        }
        for list in [&mut moved, &mut read] {
            list.sort_unstable();
            list.dedup();
        }
        (moved, read)
    }
}

/// A number that a user may choose when the program runs.
#[derive(Clone, Debug)]
pub(crate) struct Parameter {
    pub(crate) name: Ident,
    pub(crate) documentation: Vec<TokenStream>,
    pub(crate) default: f64,
    pub(crate) range: ParameterRange,
}

/// Allowed values of a parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ParameterRange {
    pub(crate) min: f64,
    pub(crate) max: f64,
    /// Whether the smallest value is excluded.
    pub(crate) above_min: bool,
}

impl ParameterRange {
    pub(crate) const ALL: Self = Self {
        min: f64::NEG_INFINITY,
        max: f64::INFINITY,
        above_min: false,
    };

    /// The range in words.
    pub(crate) fn words(&self) -> String {
        let low = match (self.min == f64::NEG_INFINITY, self.above_min) {
            (true, _) => None,
            (false, true) => Some(format!("above {}", self.min)),
            (false, false) => Some(format!("at least {}", self.min)),
        };
        let high = (self.max != f64::INFINITY).then(|| format!("at most {}", self.max));
        let bounds: Vec<String> = low.into_iter().chain(high).collect();
        if bounds.is_empty() {
            "any finite number".to_owned()
        } else {
            bounds.join(" and ")
        }
    }

    pub(crate) fn contains(&self, value: f64) -> bool {
        let above = if self.above_min {
            value > self.min
        } else {
            value >= self.min
        };
        above && value <= self.max && value.is_finite()
    }
}

/// The axes in which joints that hold a point measure where it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum PositionAxes {
    /// Those of the second frame.
    #[default]
    Second,
    Inertial,
}

/// A whole model.
#[derive(Clone, Debug)]
pub(crate) struct Model {
    pub(crate) name: Ident,
    /// The path of the crate `polhode` where the model is.
    pub(crate) krate: TokenStream,
    pub(crate) gravity: Formula3,
    pub(crate) parameters: Vec<Parameter>,
    /// Constants outside of the model that formulas read.
    pub(crate) outside: Vec<TokenStream>,
    pub(crate) bodies: Vec<Body>,
    pub(crate) joints: Vec<Joint>,
    pub(crate) forces: Vec<Force>,
    pub(crate) positions: PositionAxes,
    /// Whether redundant constraints are solved in the least-norm sense.
    pub(crate) redundant: bool,
    /// Whether start positions are approximate.
    pub(crate) assemble: bool,
}

impl Model {
    /// A model of which nothing but its name is known yet.
    pub(crate) fn new(name: &Ident) -> Self {
        Self {
            name: name.clone(),
            krate: quote! { ::polhode },
            gravity: [const { Formula::Number(0.0) }; 3],
            parameters: Vec::new(),
            outside: Vec::new(),
            bodies: Vec::new(),
            joints: Vec::new(),
            forces: Vec::new(),
            positions: PositionAxes::default(),
            redundant: false,
            assemble: false,
        }
    }

    /// What positions and velocities depend on: no forces, and masses that are certainly fine.
    pub(crate) fn constraints_alone(&self) -> Self {
        let mut model = self.clone();
        model.forces.clear();
        for body in &mut model.bodies {
            let plain = Body::new(&body.name, body.group);
            body.mass = Formula::Number(1.0);
            body.mass_matrix = None;
            body.inertia = core::array::from_fn(|i| {
                core::array::from_fn(|j| Formula::Number(if i == j { 1.0 } else { 0.0 }))
            });
            body.center = plain.center;
        }
        model
    }

    pub(crate) fn body(&self, id: BodyId) -> &Body {
        &self.bodies[id.0]
    }

    pub(crate) fn body_ids(&self) -> impl Iterator<Item = BodyId> + use<> {
        (0..self.bodies.len()).map(BodyId)
    }

    pub(crate) fn joint(&self, id: JointId) -> &Joint {
        &self.joints[id.0]
    }

    /// The axes in which a joint measures positions.
    pub(crate) fn position_axes(&self, joint: &Joint) -> PositionAxes {
        if joint.kind.holds_point() {
            self.positions
        } else {
            PositionAxes::Second
        }
    }

    /// Length of the flat configuration: the bodies, then the continuous angles that are read.
    pub(crate) fn config_len(&self) -> usize {
        let angles = self.joints.iter().filter(|joint| joint.angle.is_some());
        self.body_config_len() + angles.count()
    }

    /// Length of the flat configuration of the bodies.
    pub(crate) fn body_config_len(&self) -> usize {
        self.bodies.iter().map(|body| body.group.config_len()).sum()
    }

    /// Number of velocities.
    pub(crate) fn dof(&self) -> usize {
        self.bodies.iter().map(|body| body.group.dof()).sum()
    }

    /// The most modal coordinates of a body that full matrices couple with each other.
    pub(crate) fn coupled_modes(&self) -> usize {
        let full = |matrix: &FormulaMatrix| {
            let rows = matrix.iter().enumerate();
            let mut entries = rows.flat_map(|(i, row)| row.iter().enumerate().map(move |x| (i, x)));
            entries.any(|(i, (j, entry))| i != j && !entry.is_zero())
        };
        let coupled = |id: &BodyId| {
            let springs = self.forces.iter().filter_map(|force| match &force.kind {
                ForceKind::ModalSpring {
                    body,
                    stiffness,
                    damping,
                    ..
                } if body == id => Some([stiffness, damping]),
                _ => None,
            });
            let mut matrices = springs.flatten().chain(&self.body(*id).mass_matrix);
            matrices.any(full)
        };
        let coupled = self.body_ids().filter(coupled);
        let sizes = coupled.map(|id| self.body(id).group.dof());
        sizes.max().unwrap_or(0)
    }

    /// Number of values that are known only when the model is constructed.
    pub(crate) fn late(&self) -> usize {
        self.parameters.len() + self.outside.len()
    }

    /// The value of a formula for default parameters; `None` if it reads anything else.
    pub(crate) fn by_default(&self, formula: &Formula) -> Option<f64> {
        formula.evaluate(&|leaf| match leaf {
            Leaf::Parameter(place) => Some(self.parameters[place].default),
            _ => None,
        })
    }
}

/// Rotation matrix of a unit quaternion. Entries that are zero or one up to rounding are that
/// exactly: expressions with them become shorter.
pub(crate) fn rotation_matrix([w, x, y, z]: [f64; 4]) -> [[f64; 3]; 3] {
    let matrix = [
        [
            1.0 - 2.0 * (y * y + z * z),
            2.0 * (x * y - w * z),
            2.0 * (x * z + w * y),
        ],
        [
            2.0 * (x * y + w * z),
            1.0 - 2.0 * (x * x + z * z),
            2.0 * (y * z - w * x),
        ],
        [
            2.0 * (x * z - w * y),
            2.0 * (y * z + w * x),
            1.0 - 2.0 * (x * x + y * y),
        ],
    ];
    matrix.map(|row| row.map(without_rounding))
}

/// A direction cosine, with those that are zero or one up to rounding made exact.
pub(crate) fn without_rounding(x: f64) -> f64 {
    const ROUNDING: f64 = 1e-15;
    if x.abs() < ROUNDING {
        0.0
    } else if (x.abs() - 1.0).abs() < ROUNDING {
        x.signum()
    } else {
        x
    }
}

#[cfg(test)]
mod tests;
