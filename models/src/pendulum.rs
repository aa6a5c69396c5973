//! The mathematical pendulum in Cartesian coordinates: a point mass in the plane
//! at unit distance from the origin.
//!
//! Source: Arnold, Cardona, Bruls (2016), section on the mathematical pendulum.
//! Reference: elliptic functions, in `tests/data/pendulum.json`.

use polhode::generic::description::Description;
use polhode::lie::GroupKind;
use polhode::multibody;

use crate::machine::hosted;
use crate::model::{Choice, Exact, Known, Model, Parameter, Path, Reference, Structure};

/// Acceleration of gravity, along minus y.
pub const GRAVITY: f64 = 9.81;

/// The pendulum with energy `1/2 - 9.81` that starts at `x = x0`, moving to the right. With `y` the
/// start below the pivot, its speed is `sqrt(1 - 2 g (1 - sqrt(1 - x0^2)))`.
#[multibody(gravity = [0.0, -9.81, 0.0])]
pub struct Pendulum {
    /// Horizontal position at the start.
    #[param(default = 0.2, range = -0.31..=0.31)]
    x0: f64,
    #[body(mass = 1.0)]
    #[start(
        position = [x0, -sqrt(1 - x0 * x0)],
        velocity = sqrt(1 - 2 * 9.81 * (1 - sqrt(1 - x0 * x0))) * [sqrt(1 - x0 * x0), x0],
    )]
    bob: Body<R2>,
    #[joint(ground, bob, length = 1.0)]
    rod: Distance,
}

/// The pendulum that starts at `x0`, as data; at the default if no pendulum of this energy gets there.
pub fn pendulum(x0: f64) -> Description {
    let mut description = generated(x0).description();
    "pendulum".clone_into(&mut description.name);
    description
}

fn generated(x0: f64) -> Pendulum {
    Pendulum::new(PendulumParameters { x0 }).unwrap_or_default()
}

/// The pendulum in the registry; its constants depend on the energy alone.
pub static PENDULUM: Model = Model {
    name: "pendulum",
    summary: "point mass in the plane on a rod without mass, started at a chosen angle with fixed energy",
    source: "Arnold, Cardona, Bruls (2016), mathematical pendulum",
    groups: &[GroupKind::Rn(2)],
    parameters: &[Parameter {
        name: "x0",
        meaning: "horizontal position at the start, moving to the right",
        default: 0.2,
        min: -0.31,
        max: 0.31,
        only: &[],
    }],
    structure: Structure::Mechanism(|choice| pendulum(choice.value("x0"))),
    paths: |_| &[Path::Generated, Path::Generic],
    machine: |path, choice| {
        (path == Path::Generated).then(|| hosted(generated(choice.value("x0"))))
    },
    operations: |choice| generated(choice.value("x0")).operations(),
    reference: Some(Exact {
        source: "Jacobi elliptic functions, any t",
        at: |choice, t| Some(Known::State(exact(choice, t))),
    }),
    ..Model::PLAIN
};

/// `sin(phi/2) = k sn(u)`, `phi' = 2 k sqrt(g) cn(u)` with `u = u_0 + sqrt(g) t`
/// and the modulus `k = 1 / (2 sqrt(g))` that belongs to the speed 1 at the bottom.
fn exact(choice: &Choice, t: f64) -> Reference {
    let frequency = GRAVITY.sqrt();
    let modulus = 0.5 / frequency;
    let wanted = (0.5 * choice.value("x0").asin()).sin() / modulus;
    let mut u0 = wanted.asin();
    for _ in 0..20 {
        let (sn, cn, dn) = jacobi(u0, modulus);
        u0 -= (sn - wanted) / (cn * dn);
    }
    let (sn, cn, _) = jacobi(u0 + frequency * t, modulus);
    let half = (modulus * sn).asin();
    let rate = 2.0 * modulus * frequency * cn;
    let (x, y) = ((2.0 * half).sin(), -(2.0 * half).cos());
    Reference {
        q: vec![x, y],
        v: vec![-y * rate, x * rate],
        lambda: vec![rate * rate - GRAVITY * y],
    }
}

/// `(sn, cn, dn)` by the descending sequence of arithmetic-geometric means:
/// Abramowitz, Stegun, section 16.4.
fn jacobi(u: f64, modulus: f64) -> (f64, f64, f64) {
    const LEVELS: usize = 6;
    let (mut a, mut b) = (1.0_f64, (1.0 - modulus * modulus).sqrt());
    let mut ratios = [0.0; LEVELS];
    let mut scale = 1.0;
    for ratio in &mut ratios {
        let c = 0.5 * (a - b);
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
        *ratio = c / a;
        scale *= 2.0;
    }
    let mut phi = scale * a * u;
    for ratio in ratios.iter().rev() {
        phi = 0.5 * (phi + (ratio * phi.sin()).asin());
    }
    let (sn, cn) = phi.sin_cos();
    (sn, cn, (1.0 - modulus * modulus * sn * sn).sqrt())
}
