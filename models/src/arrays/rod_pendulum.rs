//! A pendulum: an elastic rod that hangs from a spherical joint and carries a rigid bob.
//!
//! The rod is a steel wire of 1 m length and 2 mm diameter (E = 2.1e11 Pa, nu = 0.3, density
//! 7850 kg/m^3) and starts horizontally. There is no published solution; the references are the
//! balance of energy, and the same rod and bob put together by hand (`tests/arrays.rs`).

use polhode::prelude::*;

/// A wire with a rigid bob at its end.
#[multibody(
    gravity = [0.0, 0.0, -9.81],
    consts(
        LENGTH = 1.0, RADIUS = 1e-3, AREA = PI * RADIUS * RADIUS, SECOND = AREA * RADIUS * RADIUS / 4,
        YOUNG = 2.1e11, SHEAR = YOUNG / 2.6, DENSITY = 7850.0, BOB = 0.03,
    ),
)]
pub struct RodPendulum {
    /// Number of elements.
    #[count(default = 10, min = 1)]
    n: usize,
    /// Mass of the bob.
    #[param(default = 0.5, positive)]
    mass: f64,
    #[start(rotation = along(x))]
    nodes: [Node<S3sR3>; n + 1],
    #[rod(nodes[i], nodes[i + 1], inextensible, length = LENGTH / n,
        density = DENSITY * AREA, inertia = DENSITY * SECOND * [1.0, 1.0, 2.0],
        bending = YOUNG * SECOND, torsion = 2 * SHEAR * SECOND, damping = 1e-4)]
    edges: [RodElement; n],
    #[body(mass = mass, inertia = 0.4 * mass * BOB * BOB * [1.0, 1.0, 1.0])]
    #[start(rotation = along(x))]
    bob: Body<S3sR3>,
    #[joint(ground, nodes[0])]
    pivot: Spherical,
    #[joint(nodes[n], bob at [0.0, 0.0, -BOB])]
    weld: Fixed,
}
