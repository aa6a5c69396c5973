//! The state that a solver advances.

use crate::error::SolveError;
use crate::system::System;

/// Time, configuration, velocity, and what the methods carry from step to step.
///
/// The user owns it: a solver advances it in place, and between two steps it may
/// be read, stored or changed. After a change of `q` or `v` it must be made
/// consistent again (see [`consistency`](crate::consistency)).
pub struct State<S: System + ?Sized> {
    /// Time.
    pub t: f64,
    /// Configuration, flat (see [`System::Config`]).
    pub q: S::Config,
    /// Velocity.
    pub v: S::Velocity,
    /// Acceleration `v' = -M^-1 (g + B^T lambda)` at this state.
    pub vdot: S::Velocity,
    /// Algorithmic acceleration of the generalized-alpha method, not `v'`.
    pub a: S::Velocity,
    /// Multipliers of the constraints.
    pub lambda: S::Multiplier,
    /// Multipliers of the stabilization, zero in other formulations.
    pub eta: S::Multiplier,
}

impl<S: System + ?Sized> State<S> {
    /// The start that the model declares, at time `t`; accelerations and
    /// multipliers are zero until they are solved for.
    pub fn start(system: &S, t: f64) -> Self {
        Self {
            t,
            q: system.start_config(),
            v: system.start_velocity(),
            vdot: system.new_velocity(),
            a: system.new_velocity(),
            lambda: system.new_multiplier(),
            eta: system.new_multiplier(),
        }
    }

    /// Copies another state of the same system without allocating.
    #[inline]
    pub fn copy_from(&mut self, other: &Self) {
        self.t = other.t;
        copy(&mut self.q, &other.q);
        copy(&mut self.v, &other.v);
        copy(&mut self.vdot, &other.vdot);
        copy(&mut self.a, &other.a);
        copy(&mut self.lambda, &other.lambda);
        copy(&mut self.eta, &other.eta);
    }

    /// Fails if velocity, acceleration or a multiplier is NaN or infinite.
    #[inline]
    pub(crate) fn check_finite(&self, h: f64) -> Result<(), SolveError> {
        let sum = |x: &[f64]| x.iter().sum::<f64>();
        let total = sum(self.v.as_ref()) + sum(self.vdot.as_ref()) + sum(self.lambda.as_ref());
        if total.is_finite() {
            return Ok(());
        }
        Err(self.not_finite(h))
    }

    #[cold]
    fn not_finite(&self, h: f64) -> SolveError {
        let quantity = [
            ("velocity", self.v.as_ref()),
            ("acceleration", self.vdot.as_ref()),
            ("multiplier", self.lambda.as_ref()),
        ]
        .into_iter()
        .find_map(|(name, x)| Some((name, x.iter().position(|x| !x.is_finite())?)));
        // A sum of finite numbers can still overflow: then the state is just too large.
        let (quantity, component) = quantity.unwrap_or(("velocity", 0));
        SolveError::NotFinite {
            t: self.t,
            h,
            quantity,
            component,
        }
    }
}

/// Copies numbers without allocating.
#[inline]
pub(crate) fn copy<T: AsRef<[f64]> + AsMut<[f64]>>(to: &mut T, from: &T) {
    to.as_mut().copy_from_slice(from.as_ref());
}

impl<S: System + ?Sized> Clone for State<S> {
    fn clone(&self) -> Self {
        Self {
            t: self.t,
            q: self.q.clone(),
            v: self.v.clone(),
            vdot: self.vdot.clone(),
            a: self.a.clone(),
            lambda: self.lambda.clone(),
            eta: self.eta.clone(),
        }
    }
}

impl<S: System + ?Sized> core::fmt::Debug for State<S> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("State")
            .field("t", &self.t)
            .field("q", &self.q)
            .field("v", &self.v)
            .field("vdot", &self.vdot)
            .field("a", &self.a)
            .field("lambda", &self.lambda)
            .field("eta", &self.eta)
            .finish()
    }
}
