//! The forces that work along coordinates, a line each: all that the macro knows about them.
//!
//! Names, settings, checks, descriptions and arrays follow from the line of a force, and so do its
//! generalized forces: a force of size `e` that works along a coordinate `c(q)` adds `e dc` to `g`.
//!
//! ```text
//! spring        c = l = |p_a - p_b|      e = k (l - l_0) + d l'
//! torsion       c = angle                e = k (angle - angle_0) + d angle'
//! control       c = coordinate           e = -(p (target - c) + d (target' - c'))
//! actuator      c = coordinate           e = -effort
//! bushing       c = xi_i                 e_i = (K xi + D xi')_i,  xi = (1/2 vee(C - C^T), d)
//! ```
//!
//! The angle of a joint works by `z_b . w_b - z_a . w_a`, its rate where the joint holds. Not here:
//! loads, which have no coordinate (`mechanics/force`), and forces on modal coordinates.

use crate::diag::At;
use crate::formula::{Elementary, Formula};
use crate::geometry::{Direction, Geometry, Scalar, Vector};
use crate::lower::reader::Level;
use crate::model::{Attachment, JointId};

/// A kind of force.
#[derive(Debug)]
pub(crate) struct Law {
    /// Name of the type, in a model and in the runtime.
    pub(crate) name: &'static str,
    pub(crate) acts: Acts,
    /// What it is given, in the order in which the functions below take it.
    pub(crate) numbers: &'static [Number],
    /// Pairs of effort and coordinate.
    pub(crate) efforts: Efforts,
    /// Potential energy, if there is one.
    pub(crate) potential: Option<Potential>,
}

type Efforts = fn(&mut Geometry<'_>, &On, &[Coefficient]) -> Vec<(Scalar, Coordinate)>;
type Potential = fn(&mut Geometry<'_>, &On, &[Coefficient]) -> Scalar;

/// All of them; one more is one more line, and its law.
pub(crate) static LAWS: [Law; 5] = [
    Law {
        name: "SpringDamper",
        acts: Acts::Points,
        numbers: &[
            Number::new("stiffness").not_negative(),
            Number::new("damping").not_negative().or_zero(),
            Number::new("length")
                .not_negative()
                .means("the length at which the spring is free of force"),
        ],
        efforts: spring,
        potential: Some(elastic),
    },
    Law {
        name: "Bushing",
        acts: Acts::Frames,
        numbers: &[
            Number::new("stiffness").in_form(Form::Stiffness),
            Number::new("damping").in_form(Form::Damping).or_zero(),
        ],
        efforts: bushing,
        potential: Some(elastic_bushing),
    },
    Law {
        name: "TorsionSpring",
        acts: Acts::Angle,
        numbers: &[
            Number::new("stiffness").not_negative(),
            Number::new("damping").not_negative().or_zero(),
            Number::new("angle").or_zero(),
        ],
        efforts: spring,
        potential: Some(elastic),
    },
    Law {
        name: "PdControl",
        acts: Acts::Coordinate { reads: true },
        numbers: &[
            Number::new("p")
                .of("proportional", "gain `p`")
                .not_negative()
                .means("the effort per deviation from the target"),
            Number::new("d")
                .of("derivative", "gain `d`")
                .not_negative()
                .means("the effort per deviation from the rate of the target"),
            Number::new("target")
                .up_to(Level::Time)
                .means("a function of `t` that the coordinate should follow"),
        ],
        efforts: spring,
        potential: None,
    },
    Law {
        name: "Actuator",
        acts: Acts::Coordinate { reads: false },
        numbers: &[Number::new("effort")
            .up_to(Level::Motion)
            .means("a torque or a force along the coordinate of the joint")],
        efforts: actuator,
        potential: None,
    },
];

/// What a force acts on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Acts {
    /// Two points.
    Points,
    /// Two frames.
    Frames,
    /// The angle of a joint.
    Angle,
    /// The angle of a joint, or the displacement if it has none; the law may read it.
    Coordinate { reads: bool },
}

/// A number or a matrix that a force is given.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Number {
    /// Name of the setting.
    pub(crate) word: &'static str,
    /// Name of the field in the runtime's description.
    pub(crate) field: &'static str,
    /// What errors call it.
    pub(crate) called: &'static str,
    /// What it stands for, where its name does not say it.
    pub(crate) meaning: &'static str,
    /// What it may depend on.
    pub(crate) most: Level,
    pub(crate) form: Form,
    /// It is zero if it is not given.
    pub(crate) optional: bool,
}

/// The form of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Any,
    NotNegative,
    /// Six numbers or a 6 x 6 matrix, symmetric and positive semidefinite.
    Stiffness,
    /// The same, but only its symmetric part is positive semidefinite.
    Damping,
}

impl Number {
    const fn new(word: &'static str) -> Self {
        Self {
            word,
            field: word,
            called: word,
            meaning: "",
            most: Level::Constructed,
            form: Form::Any,
            optional: false,
        }
    }

    const fn of(self, field: &'static str, called: &'static str) -> Self {
        Self {
            field,
            called,
            ..self
        }
    }

    const fn means(self, meaning: &'static str) -> Self {
        Self { meaning, ..self }
    }

    const fn up_to(self, most: Level) -> Self {
        Self { most, ..self }
    }

    const fn in_form(self, form: Form) -> Self {
        Self { form, ..self }
    }

    const fn not_negative(self) -> Self {
        self.in_form(Form::NotNegative)
    }

    const fn or_zero(self) -> Self {
        Self {
            optional: true,
            ..self
        }
    }

    pub(crate) fn is_matrix(&self) -> bool {
        matches!(self.form, Form::Stiffness | Form::Damping)
    }
}

/// What a number of a force was given: one entry, or those of a 6 x 6 matrix by rows.
#[derive(Clone, Debug)]
pub(crate) struct Coefficient {
    pub(crate) entries: Vec<Formula>,
    /// Where it is written.
    pub(crate) at: At,
}

impl Coefficient {
    pub(crate) fn rows(&self) -> impl Iterator<Item = &[Formula]> {
        self.entries.chunks(6)
    }

    fn number(&self) -> &Formula {
        &self.entries[0]
    }
}

/// What a force acts on, in a model.
#[derive(Clone, Debug)]
pub(crate) enum On {
    Between(Box<[Attachment; 2]>),
    Joint(JointId),
}

impl Law {
    /// The force of a name.
    pub(crate) fn named(name: &str) -> Option<&'static Self> {
        LAWS.iter().find(|law| law.name == name)
    }

    /// What a force may be given.
    pub(crate) fn settings(&self) -> Vec<&'static str> {
        let place: &[&str] = match self.acts {
            Acts::Points => &["at"],
            Acts::Frames => &["at", "axis"],
            Acts::Angle | Acts::Coordinate { .. } => &[],
        };
        let words = self.numbers.iter().map(|number| number.word);
        place.iter().copied().chain(words).collect()
    }

    /// Whether the coordinate of a joint enters, so that its angle must be continuous.
    pub(crate) fn reads_coordinate(&self) -> bool {
        match self.acts {
            Acts::Points | Acts::Frames => false,
            Acts::Angle => true,
            Acts::Coordinate { reads } => reads,
        }
    }
}

/// What an effort works along.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Coordinate {
    Scalar(Scalar),
    Angle(JointId),
}

impl Coordinate {
    /// The distance of two points, or the coordinate that efforts of a joint work along.
    fn of(g: &mut Geometry<'_>, on: &On) -> Self {
        match on {
            On::Between(ends) => Self::Scalar(distance(g, &ends[0], &ends[1])),
            On::Joint(id) => {
                let joint = g.model.joint(*id);
                if joint.kind.has_angle() {
                    Self::Angle(*id)
                } else {
                    Self::Scalar(g.displacement(joint))
                }
            }
        }
    }

    fn value(self, g: &mut Geometry<'_>) -> Scalar {
        match self {
            Self::Scalar(scalar) => scalar,
            Self::Angle(joint) => g.angle(joint),
        }
    }

    pub(crate) fn rate(self, g: &mut Geometry<'_>, along: &Direction) -> Scalar {
        match self {
            Self::Scalar(scalar) => g.scalar_derivative(scalar, along),
            Self::Angle(joint) => g.rate_about_axis(g.model.joint(joint), along),
        }
    }
}

/// `k (c - c_0) + d (c' - c_0')` along `c`.
fn spring(g: &mut Geometry<'_>, on: &On, numbers: &[Coefficient]) -> Vec<(Scalar, Coordinate)> {
    let [stiffness, damping, rest] = [0, 1, 2].map(|i: usize| numbers[i].number());
    let coordinate = Coordinate::of(g, on);
    let (k, d) = (g.formula(stiffness), g.formula(damping));
    let value = coordinate.value(g);
    let stretch = difference(g, value, rest);
    let mut terms = vec![(k, stretch)];
    if !damping.is_zero() {
        let (motion, minus) = (g.motion("v"), g.constant_number(-1.0));
        let rest = g.formula(rest);
        let rest_rate = g.scalar_derivative(rest, &Direction::of_time());
        let rest_rate = g.product(minus, rest_rate);
        terms.extend([(d, coordinate.rate(g, &motion)), (d, rest_rate)]);
    }
    vec![(g.sum(terms), coordinate)]
}

/// `1/2 k (c - c_0)^2`.
fn elastic(g: &mut Geometry<'_>, on: &On, numbers: &[Coefficient]) -> Scalar {
    let [stiffness, rest] = [0, 2].map(|i: usize| numbers[i].number());
    let coordinate = Coordinate::of(g, on).value(g);
    let stretch = difference(g, coordinate, rest);
    let (half, k, square) = (
        g.constant_number(0.5),
        g.formula(stiffness),
        g.product(stretch, stretch),
    );
    let half = g.product(half, k);
    g.product(half, square)
}

fn actuator(g: &mut Geometry<'_>, on: &On, numbers: &[Coefficient]) -> Vec<(Scalar, Coordinate)> {
    let coordinate = Coordinate::of(g, on);
    let (minus, effort) = (g.constant_number(-1.0), g.formula(numbers[0].number()));
    vec![(g.product(minus, effort), coordinate)]
}

/// `K xi + D xi'` along `xi`.
fn bushing(g: &mut Geometry<'_>, on: &On, numbers: &[Coefficient]) -> Vec<(Scalar, Coordinate)> {
    let On::Between(ends) = on else {
        return Vec::new();
    };
    let (one, motion) = (g.constant_number(1.0), g.motion("v"));
    let xi = relative(g, &ends[0], &ends[1]);
    let rates = xi.map(|xi| g.scalar_derivative(xi, &motion));
    let (elastic, viscous) = (times(g, &numbers[0], &xi), times(g, &numbers[1], &rates));
    let mut works = Vec::new();
    for (i, xi) in xi.into_iter().enumerate() {
        let effort = g.sum(vec![(one, elastic[i]), (one, viscous[i])]);
        works.push((effort, Coordinate::Scalar(xi)));
    }
    works
}

/// `1/2 xi^T K xi`.
fn elastic_bushing(g: &mut Geometry<'_>, on: &On, numbers: &[Coefficient]) -> Scalar {
    let On::Between(ends) = on else {
        return g.constant_number(0.0);
    };
    let half = g.constant_number(0.5);
    let xi = relative(g, &ends[0], &ends[1]);
    let efforts = times(g, &numbers[0], &xi);
    let twice = g.sum(efforts.into_iter().zip(xi).collect());
    g.product(half, twice)
}

/// `c - value`.
fn difference(g: &mut Geometry<'_>, c: Scalar, value: &Formula) -> Scalar {
    let (one, minus, value) = (
        g.constant_number(1.0),
        g.constant_number(-1.0),
        g.formula(value),
    );
    g.sum(vec![(one, c), (minus, value)])
}

/// `|p_a - p_b|`.
fn distance(g: &mut Geometry<'_>, first: &Attachment, second: &Attachment) -> Scalar {
    let (a, b) = (g.point_of(first), g.point_of(second));
    let apart = g.sub(a, b);
    let square = g.dot(apart, apart);
    g.call(Elementary::Sqrt, square)
}

/// `xi`: axial vector of the relative rotation, then the gap, in axes of the second frame.
fn relative(g: &mut Geometry<'_>, first: &Attachment, second: &Attachment) -> [Scalar; 6] {
    let half = g.constant_number(0.5);
    let minus_half = g.constant_number(-0.5);
    let first_axes: [Vector; 3] = core::array::from_fn(|i| g.axis_of(first, i));
    let second_axes: [Vector; 3] = core::array::from_fn(|i| g.axis_of(second, i));
    let gap = g.gap(first, second);
    core::array::from_fn(|i| {
        if i < 3 {
            // C_ij = second_i . first_j, 1/2 (C_lk - C_kl) with (i, k, l) cyclic
            let (k, l) = ((i + 1) % 3, (i + 2) % 3);
            let (c_lk, c_kl) = (
                g.dot(second_axes[l], first_axes[k]),
                g.dot(second_axes[k], first_axes[l]),
            );
            g.sum(vec![(half, c_lk), (minus_half, c_kl)])
        } else {
            let axis = g.constant(second.axes[i - 3]);
            g.dot(axis, gap)
        }
    })
}

/// `A x`.
fn times(g: &mut Geometry<'_>, matrix: &Coefficient, x: &[Scalar; 6]) -> Vec<Scalar> {
    let mut product = Vec::new();
    for row in matrix.rows() {
        let row = row.iter().zip(x);
        let terms = row.map(|(entry, x)| (g.formula(entry), *x)).collect();
        product.push(g.sum(terms));
    }
    product
}

#[cfg(test)]
mod tests {
    use super::{LAWS, Law};

    #[test]
    fn settings_are_places_and_numbers() {
        let settings = |name| Law::named(name).unwrap().settings();
        let spring = ["at", "stiffness", "damping", "length"];
        assert_eq!(settings("SpringDamper"), spring);
        assert_eq!(settings("Bushing"), ["at", "axis", "stiffness", "damping"]);
        assert_eq!(settings("PdControl"), ["p", "d", "target"]);
    }

    #[test]
    fn an_actuator_does_not_read_the_angle_it_works_along() {
        let reading = LAWS.iter().filter(|law| law.reads_coordinate());
        let names: Vec<&str> = reading.map(|law| law.name).collect();
        assert_eq!(names, ["TorsionSpring", "PdControl"]);
    }
}
