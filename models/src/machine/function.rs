//! Functions of a system that can be called alone, for benchmarks.

use core::fmt;

use polhode::system::Formulation;

/// What a solver asks a system for, see [`System`](polhode::system::System).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Function {
    /// All that depends on time and configuration alone.
    Geometry,
    /// `g(t, q, v)`.
    Force,
    /// `Phi(t, q)`.
    Constraint,
    /// `B w`.
    JacobianTimes,
    /// `B^T lambda`.
    JacobianTransposeTimes,
    /// `Z(v, v)`.
    ConstraintQuadratic,
    /// `K w`.
    StiffnessTimes,
    /// `D w`.
    DampingTimes,
    /// The geometry of a half-explicit stage.
    StageGeometry,
    /// Acceleration and multipliers of a half-explicit stage.
    StageSolve,
    /// The residual of a generalized-alpha step, with its geometry.
    NewtonResidual(Formulation),
    /// The Newton matrix, assembled and factored.
    NewtonFactor(Formulation),
    /// One solution with the factors.
    NewtonSolve(Formulation),
}

impl Function {
    /// All of them, in the order of a step.
    pub fn all() -> impl Iterator<Item = Self> {
        use Formulation::{Index2, Index3, StabilizedIndex2};
        let alone = [
            Self::Geometry,
            Self::Force,
            Self::Constraint,
            Self::JacobianTimes,
            Self::JacobianTransposeTimes,
            Self::ConstraintQuadratic,
            Self::StiffnessTimes,
            Self::DampingTimes,
            Self::StageGeometry,
            Self::StageSolve,
        ];
        let newton = [Index3, Index2, StabilizedIndex2].map(|formulation| {
            [
                Self::NewtonResidual(formulation),
                Self::NewtonFactor(formulation),
                Self::NewtonSolve(formulation),
            ]
        });
        alone.into_iter().chain(newton.into_iter().flatten())
    }

    /// Whether neither arguments nor results are along constraints, which come in another order in
    /// the description of a rod with joints.
    pub fn is_free_of_constraints(self) -> bool {
        matches!(self, Self::Force | Self::DampingTimes)
    }
}

impl fmt::Display for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, formulation) = match *self {
            Self::Geometry => ("geometry", None),
            Self::Force => ("force", None),
            Self::Constraint => ("constraint", None),
            Self::JacobianTimes => ("jacobian-times", None),
            Self::JacobianTransposeTimes => ("jacobian-transpose-times", None),
            Self::ConstraintQuadratic => ("constraint-quadratic", None),
            Self::StiffnessTimes => ("stiffness-times", None),
            Self::DampingTimes => ("damping-times", None),
            Self::StageGeometry => ("stage-geometry", None),
            Self::StageSolve => ("stage-solve", None),
            Self::NewtonResidual(formulation) => ("newton-residual", Some(formulation)),
            Self::NewtonFactor(formulation) => ("newton-factor", Some(formulation)),
            Self::NewtonSolve(formulation) => ("newton-solve", Some(formulation)),
        };
        f.write_str(name)?;
        f.write_str(match formulation {
            None => "",
            Some(Formulation::Index3) => "-ga3",
            Some(Formulation::Index2) => "-ga2",
            Some(Formulation::StabilizedIndex2) => "-ga2s",
        })
    }
}
