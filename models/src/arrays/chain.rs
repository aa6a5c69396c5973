//! A chain of rigid links with spherical joints, hanging from a fixed point.
//!
//! Links are cylinders of length 1 and radius 0.05; they start along the x axis, or zigzag about it,
//! and turn like one body. References: `tests/data/chains.json`, free ends at `t = 0.2` and `t = 1`, from minimal
//! coordinates in another program.

use polhode::prelude::*;

/// A chain of equal cylinders.
#[multibody(
    gravity = [0.0, 0.0, -9.81],
    consts(MASS = 1.0, LENGTH = 1.0, RADIUS = 0.05, ACROSS = MASS * (3 * RADIUS * RADIUS + LENGTH * LENGTH) / 12),
)]
pub struct RigidChain {
    /// Number of links.
    #[count(default = 10, min = 1)]
    n: usize,
    /// Angle of the first link to the x axis at the start; every second one has -0.7 of it.
    #[param(default = 0.0, range = -1.5..=1.5)]
    bend: f64,
    #[body(mass = MASS, inertia = [0.5 * MASS * RADIUS * RADIUS, ACROSS, ACROSS])]
    #[start(
        rotation = [
            cos(bend / 2 * (0.15 + 0.85 * cos(PI * i))),
            0.0,
            0.6 * sin(bend / 2 * (0.15 + 0.85 * cos(PI * i))),
            0.8 * sin(bend / 2 * (0.15 + 0.85 * cos(PI * i))),
        ],
        angular_velocity = [0.0, 0.0, 1.0 / n],
    )]
    links: [Body<SO3xR3>; n],
    #[joint(ground at [0.0, 0.0, 0.0], links[0] at [-LENGTH / 2, 0.0, 0.0])]
    pivot: Spherical,
    #[joint(links[i] at [LENGTH / 2, 0.0, 0.0], links[i + 1] at [-LENGTH / 2, 0.0, 0.0])]
    joints: [Spherical; n - 1],
}
