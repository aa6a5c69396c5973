//! The heavy top written by hand: what generated code is measured against.
//!
//! One function per step, plain arrays, the numbers of the top and its symmetry
//! (`J1 = J3`, the joint on the second axis) used wherever they save an operation,
//! polynomials for the coefficient functions, no work for results that nobody reads.
//! The equations are those of the library, `B` included, so that both give the same
//! numbers up to rounding; starting values are taken from it.

mod algebra;
mod generalized_alpha;
mod half_explicit;

use std::time::Instant;

use polhode::error::SolveError;
use polhode::generalized_alpha::GeneralizedAlpha;
use polhode::half_explicit::HalfExplicit;
use polhode::lie::GroupKind;
use polhode::state::State;
use polhode::stepper::{Method, Stepper};
use polhode::system::System;

use crate::generated::{TopDirect, TopSemidirect};
use crate::machine::UNTIMED;
use algebra::{Rotation, Vec3};

/// Step size that the functions are called with.
pub const STEP: f64 = 1e-3;

pub(crate) const MASS: f64 = 15.0;
pub(crate) const J1: f64 = 0.234_375;
pub(crate) const J2: f64 = 0.468_75;
pub(crate) const WEIGHT: f64 = 9.81;

/// The state of a step: translations in inertial axes in `SO3xR3`, velocities in body
/// axes in `SE3`, multipliers in body axes.
#[derive(Clone, Copy, Debug)]
pub struct Top {
    pub(crate) r: Rotation,
    pub(crate) x: Vec3,
    pub(crate) v: [f64; 6],
    pub(crate) vdot: [f64; 6],
    pub(crate) a: [f64; 6],
    pub(crate) lambda: Vec3,
}

/// A method of the library that is written by hand too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kernel {
    /// Half-explicit, order 5.
    HalfExplicit5,
    /// Generalized-alpha, index 3, `sigma = 0`.
    GeneralizedAlpha3,
}

impl Kernel {
    /// By the name of the method on the command line.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "he5" => Some(Self::HalfExplicit5),
            "ga3" => Some(Self::GeneralizedAlpha3),
            _ => None,
        }
    }

    /// The function that makes one step in a group, if there is one.
    pub fn step(self, group: GroupKind) -> Option<fn(&mut Top, f64)> {
        match (self, group) {
            (Self::HalfExplicit5, GroupKind::SO3xR3) => Some(half_explicit::direct),
            (Self::HalfExplicit5, GroupKind::SE3) => Some(half_explicit::semidirect),
            (Self::GeneralizedAlpha3, GroupKind::SO3xR3) => Some(generalized_alpha::direct),
            (Self::GeneralizedAlpha3, GroupKind::SE3) => Some(generalized_alpha::semidirect),
            _ => None,
        }
    }

    /// The method with its start in a group, if it is written for that.
    ///
    /// # Errors
    /// Those of the library.
    pub fn prepared(self, group: GroupKind, h: f64) -> Result<Option<Prepared>, SolveError> {
        let Some(step) = self.step(group) else {
            return Ok(None);
        };
        let start = match self {
            Self::HalfExplicit5 => Top::start(&HalfExplicit::order5(), group, h),
            Self::GeneralizedAlpha3 => Top::start(&GeneralizedAlpha::index3(), group, h),
        };
        Ok(Some(Prepared {
            step,
            start: start?,
            h,
        }))
    }
}

/// A method with its start.
#[derive(Clone, Copy, Debug)]
pub struct Prepared {
    step: fn(&mut Top, f64),
    start: Top,
    h: f64,
}

impl Prepared {
    /// Makes steps and nothing else, after the first few: seconds per step, and the last state.
    pub fn batch(&self, steps: usize) -> (f64, Top) {
        let mut top = self.start;
        for _ in 0..UNTIMED {
            (self.step)(&mut top, self.h);
        }
        let clock = Instant::now();
        for _ in 0..steps {
            (self.step)(&mut top, self.h);
        }
        #[expect(clippy::cast_precision_loss, reason = "a count of steps")]
        let seconds = clock.elapsed().as_secs_f64() / steps as f64;
        (seconds, top)
    }
}

impl Top {
    /// The start of a method of the library, in `SO3xR3` or `SE3`.
    ///
    /// # Errors
    /// Those of the library.
    pub fn start<M>(method: &M, group: GroupKind, h: f64) -> Result<Self, SolveError>
    where
        M: Method<TopSemidirect> + Method<TopDirect>,
    {
        if group == GroupKind::SE3 {
            started(&TopSemidirect, method, h)
        } else {
            started(&TopDirect, method, h)
        }
    }

    /// Configuration, velocity and multipliers, as the library has them.
    pub fn parts(&self) -> ([f64; 12], [f64; 6], [f64; 3]) {
        let mut q = [0.0; 12];
        q[..9].copy_from_slice(self.r.as_flattened());
        q[9..].copy_from_slice(&self.x);
        (q, self.v, self.lambda)
    }
}

fn started<S: System, M: Method<S>>(system: &S, method: &M, h: f64) -> Result<Top, SolveError> {
    let mut state = State::start(system, 0.0);
    method.stepper(system)?.start(system, &mut state, h)?;
    let part = |x: &[f64]| core::array::from_fn(|i| x[i]);
    let q = state.q.as_ref();
    Ok(Top {
        r: core::array::from_fn(|i| core::array::from_fn(|j| q[3 * i + j])),
        x: core::array::from_fn(|i| q[9 + i]),
        v: part(state.v.as_ref()),
        vdot: part(state.vdot.as_ref()),
        a: part(state.a.as_ref()),
        lambda: core::array::from_fn(|i| state.lambda.as_ref()[i]),
    })
}
