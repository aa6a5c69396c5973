//! A rod that a moment at its end rolls up to a ring.
//!
//! Source: D. Tumiotto, M. Arnold, Multibody Syst. Dyn. (2024), doi 10.1007/s11044-024-10002-8,
//! table 3; the damping is the coefficient of a dissipation potential without one half, which
//! is the default factor of 2.
//!
//! References: `tests/data/rods.json`, `rollup_N8_*`, from an integration of the index-1 equations
//! with order 8 and tolerance 1e-13. At rest the rod is a closed ring for every number of elements:
//! curvature `2 pi / length`, the end at the clamped node.

use polhode::prelude::*;

/// A clamped rod, rolled up by a moment at its free end.
#[multibody(consts(BENDING = 500.0))]
pub struct RollUp<const N: usize> {
    /// Length of the rod.
    #[param(default = 10.0, positive)]
    length: f64,
    #[start(position = [0.0, 0.0, 0.0], rotation = along(x))]
    nodes: [Node<S3sR3>; N + 1],
    #[rod(nodes[i], nodes[i + 1], kirchhoff, length = length / N,
        density = 1.0, inertia = [10.0, 10.0, 10.0],
        bending = BENDING, torsion = BENDING, extension = 1e4, damping = 100.0)]
    edges: [RodElement; N],
    #[joint(ground, nodes[0])]
    clamp: Fixed,
    #[force(nodes[N], torque = [0.0, 2.0 * PI * BENDING / length, 0.0])]
    torque: Load,
}

/// The same with a number of elements that is chosen at run time, and its bending stiffness.
#[multibody(consts(LENGTH = 10.0))]
pub struct RollUpOfSize {
    /// Number of elements.
    #[count(default = 8, min = 1)]
    n: usize,
    /// Stiffness against bending and torsion; the moment grows with it.
    #[param(default = 500.0, positive)]
    bending: f64,
    #[start(position = [0.0, 0.0, 0.0], rotation = along(x))]
    nodes: [Node<S3sR3>; n + 1],
    #[rod(nodes[i], nodes[i + 1], kirchhoff, length = LENGTH / n,
        density = 1.0, inertia = [10.0, 10.0, 10.0],
        bending = bending, torsion = bending, extension = 1e4, damping = 100.0)]
    edges: [RodElement; n],
    #[joint(ground, nodes[0])]
    clamp: Fixed,
    #[force(nodes[n], torque = [0.0, 2.0 * PI * bending / LENGTH, 0.0])]
    torque: Load,
}
