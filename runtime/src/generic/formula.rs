//! Formulas in a description: numbers, time, and quantities of bodies and joints.
//!
//! A formula is plain data. The [generic system](crate::generic) looks its names up
//! once and then evaluates it; see [`ForceKind`](super::description::ForceKind) and
//! [`JointKind::Driver`](super::description::JointKind::Driver) for where it stands.

use super::scalar::{Tree, Unresolved};
use crate::real::Real;
use serde::{Deserialize, Serialize};

/// An expression of time and of quantities of bodies and joints.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Formula {
    /// A constant.
    Number(f64),
    /// The time `t`.
    Time,
    /// A component of a quantity of a body.
    Body {
        /// Name of the body.
        body: String,
        /// Which quantity.
        quantity: BodyQuantity,
        /// Component: 0 for x, 1 for y, 2 for z; any of a set of modal coordinates, from 0.
        axis: usize,
    },
    /// A coordinate of a joint, or its rate.
    Joint {
        /// Name of the joint.
        joint: String,
        /// Which coordinate.
        quantity: JointQuantity,
    },
    /// `-a`.
    Neg(Box<Formula>),
    /// `a + b`.
    Add(Box<Formula>, Box<Formula>),
    /// `a - b`.
    Sub(Box<Formula>, Box<Formula>),
    /// `a b`.
    Mul(Box<Formula>, Box<Formula>),
    /// `a / b`.
    Div(Box<Formula>, Box<Formula>),
    /// `f(a)`.
    Call(Function, Box<Formula>),
    /// `atan2(y, x)`, the angle in `(-pi, pi]` of the point `(x, y)`.
    Atan2(Box<Formula>, Box<Formula>),
    /// `below` where `left < right`, else `otherwise`. Its derivative is that of the branch.
    Select {
        /// What is compared.
        left: Box<Formula>,
        /// With what.
        right: Box<Formula>,
        /// The value where `left < right`.
        below: Box<Formula>,
        /// The value elsewhere.
        otherwise: Box<Formula>,
    },
}

/// What a formula can read of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BodyQuantity {
    /// Origin of the body frame, in inertial axes; modal coordinates.
    Position,
    /// Velocity of the origin of the body frame, in inertial axes; rates of modal coordinates.
    Velocity,
    /// Angular velocity, in body axes.
    AngularVelocity,
}

/// What a formula can read of a joint, see the
/// [conventions](crate::conventions): second frame relative to the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum JointQuantity {
    /// Angle about z, continuous beyond half a turn; revolute and cylindrical joints.
    Angle,
    /// Its rate.
    AngleRate,
    /// Displacement along z; prismatic and cylindrical joints.
    Displacement,
    /// Its rate.
    DisplacementRate,
}

/// Functions of one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Function {
    /// Square root.
    Sqrt,
    /// Sine.
    Sin,
    /// Cosine.
    Cos,
    /// Tangent.
    Tan,
    /// Inverse sine.
    Asin,
    /// Inverse cosine.
    Acos,
    /// Inverse tangent.
    Atan,
    /// Exponential.
    Exp,
    /// Natural logarithm.
    Ln,
    /// Hyperbolic tangent.
    Tanh,
    /// Magnitude; its derivative at zero is zero.
    Abs,
}

impl Function {
    /// `f(x)`.
    pub fn apply<R: Real>(self, x: R) -> R {
        match self {
            Self::Sqrt => x.lift(f64::sqrt, |x| 0.5 / x.sqrt()),
            Self::Sin => x.lift(f64::sin, f64::cos),
            Self::Cos => x.lift(f64::cos, |x| -x.sin()),
            Self::Tan => x.lift(f64::tan, |x| 1.0 / x.cos().powi(2)),
            Self::Asin => x.lift(f64::asin, |x| 1.0 / (1.0 - x * x).sqrt()),
            Self::Acos => x.lift(f64::acos, |x| -1.0 / (1.0 - x * x).sqrt()),
            Self::Atan => x.lift(f64::atan, |x| 1.0 / (1.0 + x * x)),
            Self::Exp => x.lift(f64::exp, f64::exp),
            Self::Ln => x.lift(f64::ln, |x| 1.0 / x),
            Self::Tanh => x.lift(f64::tanh, |x| 1.0 - x.tanh().powi(2)),
            Self::Abs => x.lift(f64::abs, sign),
        }
    }
}

fn sign(x: f64) -> f64 {
    if x == 0.0 { 0.0 } else { x.signum() }
}

impl From<f64> for Formula {
    fn from(value: f64) -> Self {
        Self::Number(value)
    }
}

impl Formula {
    /// The number, if the formula is one.
    pub fn as_number(&self) -> Option<f64> {
        match self {
            Self::Number(value) => Some(*value),
            _ => None,
        }
    }

    /// The value at a time; nothing if the formula reads a body or a joint.
    pub fn at_time(&self, t: f64) -> Option<f64> {
        let tree = Tree::new(self, &mut |_| Err(Unresolved)).ok()?;
        Some(tree.evaluate(t, &|_| f64::NAN))
    }

    /// Value and first two derivatives at a time; nothing if the formula reads a body or a joint.
    pub fn derivatives_at_time(&self, t: f64) -> Option<[f64; 3]> {
        let value = Tree::new(self, &mut |_| Err(Unresolved)).ok()?;
        let rate = value.time_derivative();
        let second = rate.time_derivative();
        Some([&value, &rate, &second].map(|tree| tree.evaluate(t, &|_| f64::NAN)))
    }

    /// The same formula with some of its leaves replaced.
    pub(crate) fn with_leaves(&self, replace: &dyn Fn(&Self) -> Option<Self>) -> Self {
        let part = |part: &Self| Box::new(part.with_leaves(replace));
        match self {
            Self::Number(_) | Self::Time | Self::Body { .. } | Self::Joint { .. } => {
                replace(self).unwrap_or_else(|| self.clone())
            }
            Self::Neg(a) => Self::Neg(part(a)),
            Self::Call(function, a) => Self::Call(*function, part(a)),
            Self::Add(a, b) => Self::Add(part(a), part(b)),
            Self::Sub(a, b) => Self::Sub(part(a), part(b)),
            Self::Mul(a, b) => Self::Mul(part(a), part(b)),
            Self::Div(a, b) => Self::Div(part(a), part(b)),
            Self::Atan2(a, b) => Self::Atan2(part(a), part(b)),
            Self::Select {
                left,
                right,
                below,
                otherwise,
            } => Self::Select {
                left: part(left),
                right: part(right),
                below: part(below),
                otherwise: part(otherwise),
            },
        }
    }

    /// The operands, left to right.
    pub(super) fn operands(&self) -> Vec<&Self> {
        match self {
            Self::Number(_) | Self::Time | Self::Body { .. } | Self::Joint { .. } => vec![],
            Self::Neg(a) | Self::Call(_, a) => vec![a],
            Self::Add(a, b)
            | Self::Sub(a, b)
            | Self::Mul(a, b)
            | Self::Div(a, b)
            | Self::Atan2(a, b) => vec![a, b],
            Self::Select {
                left,
                right,
                below,
                otherwise,
            } => vec![left, right, below, otherwise],
        }
    }
}
