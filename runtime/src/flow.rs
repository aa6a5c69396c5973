//! First-order equations on a manifold, `y' = f(t, y) . y` with `f` in the algebra of the group that acts.
//!
//! A [`Flow`] is a system of its own kind: its velocity is `f`, not a part of its state. Explicit Lie
//! group methods ([`explicit`](crate::explicit)) run it like a mechanism, with the same events, outputs and step sizes.
//!
//! The heavy top as a Lie-Poisson equation on `se(3)*`, with the moments of inertia `I`, the weight times
//! the distance of its centre `k` and the direction of that in body axes `X`: the momentum `Pi` and the
//! vertical `Gamma`, both in body axes, move with `f = (-I^-1 Pi, -k X)`.
//!
//! ```
//! use polhode_runtime::actions::{Action, Actions};
//! use polhode_runtime::explicit::MuntheKaas;
//! use polhode_runtime::flow::Flow;
//! use polhode_runtime::stepper::Method;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let inertia = [0.2, 0.4, 0.2];
//! let start = [0.0, 60.0, -2.0, 0.0, 0.0, 1.0];
//! let top = Flow::new(
//!     Actions::new([(Action::Coadjoint, &start[..])]),
//!     move |_t, y, f| {
//!         for i in 0..3 {
//!             f[i] = -y[i] / inertia[i];
//!         }
//!         f[3..].copy_from_slice(&[0.0, -150.0, 0.0]);
//!     },
//! );
//! let run = MuntheKaas::dormand_prince5().tolerances(1e-10, 1e-10).run(&top, 0.0..=0.1)?;
//! let gamma = &run.last().q[3..];
//! let length: f64 = gamma.iter().map(|x| x * x).sum();
//! assert!((length - 1.0).abs() < 1e-13);
//! # Ok(())
//! # }
//! ```

use crate::error::Fault;
use crate::system::{Energy, Manifold, Mechanics};
use crate::trajectory::Names;

/// `f(t, y)`, written to the last argument.
type Rate<'a, A> = Box<dyn Fn(f64, &<A as Manifold>::Config, &mut <A as Manifold>::Velocity) + 'a>;
/// The energy at a time and a point.
type EnergyAt<'a, A> = Box<dyn Fn(f64, &<A as Manifold>::Config) -> Energy + 'a>;

/// A first-order equation on a manifold.
pub struct Flow<'a, A: Manifold> {
    manifold: A,
    rate: Rate<'a, A>,
    energy: Option<EnergyAt<'a, A>>,
    names: Option<Names>,
}

impl<'a, A: Manifold> Flow<'a, A> {
    /// The equation with `f(t, y)`, which is written to the last argument.
    pub fn new(manifold: A, rate: impl Fn(f64, &A::Config, &mut A::Velocity) + 'a) -> Self {
        Self {
            manifold,
            rate: Box::new(rate),
            energy: None,
            names: None,
        }
    }

    /// The energy at a point, for balances.
    #[must_use]
    pub fn energy(mut self, energy: impl Fn(f64, &A::Config) -> Energy + 'a) -> Self {
        self.energy = Some(Box::new(energy));
        self
    }

    /// Names of the components of a point and of `f`, for tables.
    #[must_use]
    pub fn names(mut self, names: Names) -> Self {
        self.names = Some(names);
        self
    }
}

impl<A: Manifold> Manifold for Flow<'_, A> {
    type Config = A::Config;
    type Velocity = A::Velocity;

    fn start_config(&self) -> A::Config {
        self.manifold.start_config()
    }
    fn new_velocity(&self) -> A::Velocity {
        self.manifold.new_velocity()
    }
    fn displace(&self, q: &A::Config, theta: &A::Velocity, out: &mut A::Config) {
        self.manifold.displace(q, theta, out);
    }
    fn bracket(&self, x: &A::Velocity, y: &A::Velocity, out: &mut A::Velocity) {
        self.manifold.bracket(x, y, out);
    }
    fn difference(&self, q: &A::Config, p: &A::Config, out: &mut A::Velocity) {
        self.manifold.difference(q, p, out);
    }
    fn tangent(&self, theta: &A::Velocity, w: &A::Velocity, out: &mut A::Velocity) {
        self.manifold.tangent(theta, w, out);
    }
    fn tangent_inverse(&self, theta: &A::Velocity, v: &A::Velocity, out: &mut A::Velocity) {
        self.manifold.tangent_inverse(theta, v, out);
    }
    fn renormalize(&self, q: &mut A::Config) {
        self.manifold.renormalize(q);
    }
    fn defect(&self, q: &A::Config) -> Option<(String, f64)> {
        self.manifold.defect(q)
    }
}

impl<A: Manifold> Mechanics for Flow<'_, A> {
    type Geometry = ();

    const FIRST_ORDER: bool = true;

    fn rate(&self, t: f64, q: &A::Config, out: &mut A::Velocity) {
        (self.rate)(t, q, out);
    }
    fn new_geometry(&self) {}
    fn start_velocity(&self) -> A::Velocity {
        self.new_velocity()
    }
    fn geometry(&self, _t: f64, _q: &A::Config, _out: &mut ()) -> Result<(), Fault> {
        Ok(())
    }
    fn force(&self, _t: f64, (): &(), _v: &A::Velocity, out: &mut A::Velocity) {
        out.as_mut().fill(0.0);
    }
    fn mass_times(&self, w: &A::Velocity, out: &mut A::Velocity) {
        out.as_mut().copy_from_slice(w.as_ref());
    }
    fn mass_solve(&self, f: &A::Velocity, out: &mut A::Velocity) {
        out.as_mut().copy_from_slice(f.as_ref());
    }
    fn energy(&self, t: f64, q: &A::Config, _v: &A::Velocity) -> Energy {
        let energy = self.energy.as_ref();
        energy.map_or_else(Energy::default, |energy| energy(t, q))
    }
    fn names(&self) -> Names {
        let given = self.names.clone();
        given.unwrap_or_else(|| Names::numbered(self))
    }
}

crate::unconstrained!(@ [A: Manifold] Flow<'_, A>);
