//! Bodies with their groups, and joints between them.

use super::{Constrained, Momentum};
use crate::consistency::branch;
use crate::error::SolveError;
use crate::joints::JointFrame;
use crate::lie::{Factor, Space};
use crate::state::State;
use crate::trajectory::Names;

/// A system whose configuration is that of bodies, each on one of the groups of [`lie`](crate::lie): it has
/// poses to draw, joints with coordinates and reactions, and a momentum.
pub trait Bodies: Constrained {
    /// The configuration space: the product of the groups of all bodies.
    fn space(&self) -> &Space;
    /// Names a factor of the configuration space, that is, a body.
    fn factor_name(&self, factor: usize) -> String;
    /// Where the frame of a factor on a rotation group (`SO3`, `S3`) is fixed.
    fn factor_origin(&self, factor: usize) -> [f64; 3];
    /// Linear and angular momentum.
    fn momentum(&self, q: &Self::Config, v: &Self::Velocity) -> Momentum;

    /// The joints, for outputs: coordinates and reactions (see [`joints`](crate::joints)).
    fn joints(&self) -> &[JointFrame] {
        &[]
    }
}

/// [`Mechanics::names`](super::Mechanics::names) of bodies.
pub fn names_of_bodies<S: Bodies + ?Sized>(system: &S) -> Names {
    let mut names = Names::default();
    for (index, factor) in system.space().factors().enumerate() {
        names.add(&system.factor_name(index), factor.kind);
    }
    for entry in system.space().angles() {
        let joint = system.joints().iter().find(|x| x.angle == Some(entry));
        names.q.push(joint.map_or_else(
            || format!("angle.{entry}"),
            |joint| format!("{}.angle", joint.name),
        ));
    }
    names
}

/// [`Mechanics::velocity_name`](super::Mechanics::velocity_name) of bodies.
pub fn velocity_name_of_bodies<S: Bodies + ?Sized>(system: &S, component: usize) -> String {
    let mut factors = system.space().factors().enumerate();
    let has = |factor: &Factor| factor.velocity.contains(&component);
    factors
        .find(|(_, factor)| has(factor))
        .map_or_else(String::new, |(i, factor)| {
            let component = component - factor.velocity.start;
            format!("body `{}`, component {component}", system.factor_name(i))
        })
}

/// [`Manifold`](super::Manifold) on a product of groups.
#[doc(hidden)]
pub mod on_groups {
    use crate::system::Bodies;

    #[inline]
    pub fn bracket<S: Bodies>(system: &S, x: &S::Velocity, y: &S::Velocity, out: &mut S::Velocity) {
        system
            .space()
            .ad_times(x.as_ref(), y.as_ref(), out.as_mut());
    }

    #[inline]
    pub fn difference<S: Bodies>(system: &S, q: &S::Config, p: &S::Config, out: &mut S::Velocity) {
        system
            .space()
            .difference(q.as_ref(), p.as_ref(), out.as_mut());
    }

    #[inline]
    pub fn tangent<S: Bodies>(
        system: &S,
        theta: &S::Velocity,
        w: &S::Velocity,
        out: &mut S::Velocity,
    ) {
        system
            .space()
            .tangent_times(theta.as_ref(), w.as_ref(), out.as_mut());
    }

    #[inline]
    pub fn tangent_derivative<S: Bodies>(
        system: &S,
        theta: &S::Velocity,
        x: &S::Velocity,
        w: &S::Velocity,
        out: &mut S::Velocity,
    ) {
        let space = system.space();
        space.tangent_derivative_times(theta.as_ref(), x.as_ref(), w.as_ref(), out.as_mut());
    }

    #[inline]
    pub fn tangent_inverse_derivative<S: Bodies>(
        system: &S,
        theta: &S::Velocity,
        x: &S::Velocity,
        w: &S::Velocity,
        out: &mut S::Velocity,
    ) {
        let (theta, x, w) = (theta.as_ref(), x.as_ref(), w.as_ref());
        system
            .space()
            .tangent_inverse_derivative_times(theta, x, w, out.as_mut());
    }

    #[inline]
    pub fn blend_solve<S: Bodies>(
        system: &S,
        sigma: f64,
        theta: &S::Velocity,
        x: &mut S::Velocity,
    ) {
        system
            .space()
            .blend_solve(sigma, theta.as_ref(), x.as_mut());
    }

    #[inline]
    pub fn renormalize<S: Bodies>(system: &S, q: &mut S::Config) {
        system.space().renormalize(q.as_mut());
    }

    #[inline]
    pub fn distance<S: Bodies>(system: &S, q: &S::Config, p: &S::Config) -> f64 {
        system.space().distance(q.as_ref(), p.as_ref())
    }
}

/// The functions of [`Manifold`](super::Manifold) on a product of groups: to be written into its `impl` for
/// a system of [`Bodies`], beside those that the system has code of its own for.
///
/// Arguments have the names that generated code has anyway, which no constant of a program can replace
/// (see `scope` in the macro).
#[doc(hidden)]
#[macro_export]
macro_rules! on_product_of_groups {
    () => {
        fn bracket(&self, v: &Self::Velocity, w: &Self::Velocity, out: &mut Self::Velocity) {
            $crate::system::on_groups::bracket(self, v, w, out);
        }
        fn difference(&self, q: &Self::Config, w: &Self::Config, out: &mut Self::Velocity) {
            $crate::system::on_groups::difference(self, q, w, out);
        }
        fn tangent(&self, theta: &Self::Velocity, w: &Self::Velocity, out: &mut Self::Velocity) {
            $crate::system::on_groups::tangent(self, theta, w, out);
        }
        fn tangent_derivative(
            &self,
            theta: &Self::Velocity,
            v: &Self::Velocity,
            w: &Self::Velocity,
            out: &mut Self::Velocity,
        ) {
            $crate::system::on_groups::tangent_derivative(self, theta, v, w, out);
        }
        fn tangent_inverse_derivative(
            &self,
            theta: &Self::Velocity,
            v: &Self::Velocity,
            w: &Self::Velocity,
            out: &mut Self::Velocity,
        ) {
            $crate::system::on_groups::tangent_inverse_derivative(self, theta, v, w, out);
        }
        fn blend_solve(&self, t: f64, theta: &Self::Velocity, out: &mut Self::Velocity) {
            $crate::system::on_groups::blend_solve(self, t, theta, out);
        }
        fn renormalize(&self, q: &mut Self::Config) {
            $crate::system::on_groups::renormalize(self, q);
        }
        fn distance(&self, q: &Self::Config, w: &Self::Config) -> f64 {
            $crate::system::on_groups::distance(self, q, w)
        }
    };
}

/// The names of [`Mechanics`](super::Mechanics) for bodies, to be written into its `impl`.
#[doc(hidden)]
#[macro_export]
macro_rules! names_of_bodies {
    () => {
        fn names(&self) -> $crate::trajectory::Names {
            $crate::system::names_of_bodies(self)
        }
        fn velocity_name(&self, row: usize) -> ::std::string::String {
            $crate::system::velocity_name_of_bodies(self, row)
        }
    };
}

/// [`Constrained::check_branch`] of joints.
///
/// # Errors
/// [`SolveError::HalfTurn`], [`SolveError::OppositeAxes`].
pub fn check_branch_of_joints<S: Bodies + ?Sized>(
    system: &S,
    state: &State<S>,
) -> Result<(), SolveError> {
    branch::check(system, state)
}

/// [`Constrained::may_be_singular`] of joints: false if they and the bodies, each with six degrees of
/// freedom, form a tree. Then the rows of a joint, as columns of the body further from the ground, are
/// independent, and those of all joints are a block triangle. A driver beside its joint closes a loop.
pub fn joints_may_be_singular<S: Bodies + ?Sized>(system: &S) -> bool {
    let joints = system.joints();
    let rows: usize = joints.iter().map(|joint| joint.rows.len()).sum();
    let mut factors = system.space().factors();
    if rows != system.constraint_count() || factors.any(|factor| factor.kind.dof() < 6) {
        return system.constraint_count() > 0;
    }
    // To which body each is connected; the last is the ground.
    let count = system.space().factors().count();
    let mut connected: Vec<usize> = (0..=count).collect();
    joints.iter().any(|joint| {
        let [a, b] = [joint.first.body, joint.second.body].map(|body| {
            let mut body = body.unwrap_or(count);
            while connected[body] != body {
                body = connected[body];
            }
            body
        });
        connected[a] = b;
        a == b
    })
}

/// What [`Constrained`] asks of joints, to be written into its `impl`.
#[doc(hidden)]
#[macro_export]
macro_rules! branches_of_joints {
    () => {
        fn may_be_singular(&self) -> bool {
            $crate::system::joints_may_be_singular(self)
        }
        fn check_branch(
            &self,
            q: &$crate::state::State<Self>,
        ) -> ::core::result::Result<(), $crate::error::SolveError> {
            $crate::system::check_branch_of_joints(self, q)
        }
    };
}
