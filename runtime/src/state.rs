//! The state that a solver advances.

use crate::error::SolveError;
use crate::joints::JointName;
use crate::norm::magnitudes;
use crate::system::{Bodies, Constrained, Storage};
use crate::view::BodyView;

/// Time, configuration, velocity, and what the methods carry from step to step.
///
/// The user owns it: a solver advances it in place, and between two steps it may
/// be read, stored or changed. After a change of `q` or `v` it must be made
/// consistent again (see [`consistency`](crate::consistency)).
pub struct State<S: Constrained + ?Sized> {
    /// Time.
    pub t: f64,
    /// Configuration, flat (see [`Manifold::Config`](crate::system::Manifold::Config)).
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

impl<S: Constrained + ?Sized> State<S> {
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

    /// Takes over the numbers of another state, all but `eta`; those may be anything after that.
    #[inline]
    pub(crate) fn take(&mut self, from: &mut Self) {
        self.t = from.t;
        self.q.take(&mut from.q);
        self.v.take(&mut from.v);
        self.vdot.take(&mut from.vdot);
        self.a.take(&mut from.a);
        self.lambda.take(&mut from.lambda);
    }

    /// Fails if a number is NaN or infinite after a step from `t` of size `h`.
    #[inline]
    pub(crate) fn check_finite(&self, t: f64, h: f64) -> Result<(), SolveError> {
        let total = magnitudes(self.q.as_ref())
            + magnitudes(self.v.as_ref())
            + magnitudes(self.vdot.as_ref())
            + magnitudes(self.lambda.as_ref());
        if total.is_finite() {
            return Ok(());
        }
        self.find_not_finite(t, h)
    }

    /// Finds the number to blame; there is none if only the sum of large numbers overflows.
    #[cold]
    fn find_not_finite(&self, t: f64, h: f64) -> Result<(), SolveError> {
        let parts = [
            ("configuration", self.q.as_ref()),
            ("velocity", self.v.as_ref()),
            ("acceleration", self.vdot.as_ref()),
            ("multiplier", self.lambda.as_ref()),
        ];
        for (quantity, x) in parts {
            if let Some(component) = x.iter().position(|x| !x.is_finite()) {
                return Err(SolveError::NotFinite {
                    t,
                    h,
                    quantity,
                    component,
                });
            }
        }
        Ok(())
    }

    /// Fails unless all parts have the lengths that the system needs.
    pub(crate) fn check_lengths(&self, system: &S) -> Result<(), SolveError> {
        let config = system.start_config().as_ref().len();
        let dof = system.new_velocity().as_ref().len();
        let rows = system.constraint_count();
        let parts = [
            ("configuration", self.q.as_ref(), config),
            ("velocity", self.v.as_ref(), dof),
            ("acceleration", self.vdot.as_ref(), dof),
            ("algorithmic acceleration", self.a.as_ref(), dof),
            ("multiplier", self.lambda.as_ref(), rows),
            ("multiplier of the stabilization", self.eta.as_ref(), rows),
        ];
        for (quantity, x, expected) in parts {
            if x.len() != expected {
                return Err(SolveError::WrongLength {
                    quantity,
                    found: x.len(),
                    expected,
                });
            }
        }
        Ok(())
    }
}

impl<S: Bodies + ?Sized> State<S> {
    /// Position, rotation and velocities of a body, by its place in the system.
    ///
    /// # Panics
    /// If the system has no such body.
    pub fn body(&self, system: &S, body: usize) -> BodyView<'_> {
        let factor = system.space().factors().nth(body).expect("a body");
        BodyView::new(
            factor.kind,
            &self.q.as_ref()[factor.config.clone()],
            &self.v.as_ref()[factor.velocity.clone()],
            system.factor_origin(body),
        )
    }

    /// Coordinates and reactions of a joint: by a constant of its model, `HeavyTop::PIVOT`, or by
    /// its name as text, which gives nothing if there is no such joint.
    pub fn joint<'a, N: JointName<S>>(&'a self, system: &'a S, name: N) -> N::Found<'a> {
        name.find(system, self)
    }
}

/// Copies numbers without allocating.
#[inline]
pub(crate) fn copy<T: AsRef<[f64]> + AsMut<[f64]>>(to: &mut T, from: &T) {
    to.as_mut().copy_from_slice(from.as_ref());
}

impl<S: Constrained + ?Sized> Clone for State<S> {
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

impl<S: Constrained + ?Sized> core::fmt::Debug for State<S> {
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
