//! What moves: masses and forces.

use super::{Energy, Manifold};
use crate::error::Fault;
use crate::trajectory::Names;

/// A mechanical system, `M v' = -g(t, q, v)` if nothing constrains it.
pub trait Mechanics: Manifold {
    /// What depends on `(t, q)` alone, evaluated once and read by several functions.
    type Geometry: Clone + core::fmt::Debug;

    /// Whether the velocity follows from time and point, as in a [`Flow`](crate::flow::Flow).
    #[doc(hidden)]
    const FIRST_ORDER: bool = false;

    /// The velocity of a first-order equation.
    #[doc(hidden)]
    fn rate(&self, t: f64, q: &Self::Config, out: &mut Self::Velocity) {
        let _ = (t, q, out);
    }

    /// A geometry to be overwritten.
    fn new_geometry(&self) -> Self::Geometry;
    /// The velocity with which a run starts if nothing else is said.
    fn start_velocity(&self) -> Self::Velocity;
    /// Evaluates all that depends on `(t, q)` alone.
    ///
    /// # Errors
    /// A [`Fault`] if the configuration is outside the domain of the model.
    fn geometry(&self, t: f64, q: &Self::Config, out: &mut Self::Geometry) -> Result<(), Fault>;
    /// `out = g(t, q, v)`: gyroscopic terms minus all applied forces.
    fn force(
        &self,
        t: f64,
        geometry: &Self::Geometry,
        v: &Self::Velocity,
        out: &mut Self::Velocity,
    );
    /// `out = M w`.
    fn mass_times(&self, w: &Self::Velocity, out: &mut Self::Velocity);
    /// `out = M^-1 f`.
    fn mass_solve(&self, f: &Self::Velocity, out: &mut Self::Velocity);
    /// Kinetic and potential energy.
    fn energy(&self, t: f64, q: &Self::Config, v: &Self::Velocity) -> Energy;

    /// False if no force, driver or formula can bring energy into the system: what it does not keep
    /// is friction, or an error of the method.
    fn may_gain_energy(&self) -> bool {
        true
    }
    /// Names a force that is NaN or infinite at a state, if there is one.
    fn not_finite_force(
        &self,
        t: f64,
        q: &Self::Config,
        geometry: &Self::Geometry,
        v: &Self::Velocity,
    ) -> Option<String> {
        let _ = q;
        let mut force = self.new_velocity();
        self.force(t, geometry, v, &mut force);
        let component = force.as_ref().iter().position(|x| !x.is_finite())?;
        Some(format!("force on {}", self.velocity_name(component)))
    }

    /// Names of the components of a configuration and of a velocity, for tables and errors:
    /// `q[0]`, `v[0]`, ... unless given.
    fn names(&self) -> Names {
        Names::numbered(self)
    }
    /// Names a component of the velocity in an error.
    #[doc(hidden)]
    fn velocity_name(&self, component: usize) -> String {
        let name = self.names().v.into_iter().nth(component);
        name.map_or_else(
            || format!("component {component}"),
            |name| format!("`{name}`"),
        )
    }

    /// The geometry of a half-explicit stage, at `q * exp(theta)`, for a method that is
    /// [`steady`](super::NextStage::steady) or not. Only [`stage_solve`](super::Constrained::stage_solve)
    /// reads it: generated code computes what that needs and leaves the rest out.
    #[doc(hidden)]
    #[inline]
    fn displaced_geometry(
        &self,
        (t, steady): (f64, bool),
        q: &Self::Config,
        theta: &Self::Velocity,
        out: &mut Self::Geometry,
        scratch: &mut Self::Config,
    ) -> Result<(), Fault> {
        let _ = steady;
        self.displace(q, theta, scratch);
        self.geometry(t, scratch, out)
    }
    /// Fails if the way from `q` to `q * exp(theta)` leaves the domain of the model, which its end
    /// need not show: a rotation matrix does not tell an angle from one that is a revolution less.
    #[doc(hidden)]
    #[inline(always)]
    fn check_increment(
        &self,
        t: f64,
        q: &Self::Config,
        theta: &Self::Velocity,
    ) -> Result<(), Fault> {
        let _ = (t, q, theta);
        Ok(())
    }
}
