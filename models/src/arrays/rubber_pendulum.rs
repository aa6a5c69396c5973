//! A rubber rod that hangs from a spherical joint and carries a rigid bob: the declaration of
//! [`rod_pendulum`](crate::rod_pendulum), which has the same numbers by hand.

use polhode::prelude::*;

/// A rubber rod with a rigid bob at its end, let go from the horizontal.
#[multibody(
    gravity = [0.0, 0.0, -9.81],
    consts(
        LENGTH = 1.0, RADIUS = 0.02, AREA = PI * RADIUS * RADIUS, SECOND = 0.25 * AREA * RADIUS * RADIUS,
        YOUNG = 5e6, SHEAR = YOUNG / 3, DENSITY = 1100.0, BOB = 0.06,
    ),
)]
pub struct RubberPendulum {
    /// Number of elements.
    #[count(default = 12, min = 1)]
    n: usize,
    /// Mass of the bob.
    #[param(default = 0.5, positive)]
    mass: f64,
    #[start(rotation = along(x))]
    nodes: [Node<S3sR3>; n + 1],
    #[rod(nodes[i], nodes[i + 1], kirchhoff, length = LENGTH / n, density = DENSITY * AREA,
        inertia = DENSITY * SECOND * [1.0, 1.0, 2.0], bending = YOUNG * SECOND,
        torsion = 2 * SHEAR * SECOND, extension = YOUNG * AREA)]
    rod: [RodElement; n],
    #[body(mass = mass, inertia = 0.4 * mass * BOB * BOB * [1.0, 1.0, 1.0])]
    bob: Body<S3sR3>,
    #[joint(ground, nodes[0])]
    pivot: Spherical,
    #[joint(nodes[n], bob at [-BOB, 0.0, 0.0])]
    weld: Fixed,
}
