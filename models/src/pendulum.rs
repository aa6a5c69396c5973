//! The mathematical pendulum in Cartesian coordinates: a point mass in the plane
//! at unit distance from the origin.
//!
//! Source: Arnold, Cardona, Bruls (2016), section on the mathematical pendulum.
//! Reference: elliptic functions, in `tests/data/pendulum.json`.

use polhode::generic::description::{Attachment, Body, Description, Joint, JointKind, Start};
use polhode::lie::GroupKind;

use crate::model::{Choice, Exact, Known, Model, Parameter, Reference, Structure};

/// Acceleration of gravity, along minus y.
pub const GRAVITY: f64 = 9.81;

/// The pendulum with energy `1/2 - 9.81` that starts at `x = x0`, moving to the right.
pub fn pendulum(x0: f64) -> Description {
    let y0 = -(1.0 - x0 * x0).sqrt();
    let speed = (1.0 - 2.0 * GRAVITY * (1.0 + y0)).sqrt();
    Description {
        name: "pendulum".to_owned(),
        gravity: [0.0, -GRAVITY, 0.0],
        bodies: vec![Body {
            name: "bob".to_owned(),
            group: GroupKind::Rn(2),
            mass: 1.0,
            inertia: [[0.0; 3]; 3],
            center: [0.0; 3],
            start: Start {
                position: vec![x0, y0],
                velocity: vec![-y0 * speed, x0 * speed],
                ..Start::default()
            },
        }],
        joints: vec![Joint {
            name: "rod".to_owned(),
            kind: JointKind::Distance { length: 1.0 },
            first: Attachment::at("ground", [0.0; 3]),
            second: Attachment::at("bob", [0.0; 3]),
        }],
        ..Description::default()
    }
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
