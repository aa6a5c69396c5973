//! A free rod that a force and a moment at one end throw through space.
//!
//! Source: D. Tumiotto, M. Arnold, Multibody Syst. Dyn. (2024), doi 10.1007/s11044-024-10002-8,
//! table 3. The loads keep their direction in space; they grow for 2.5 s, fall for 2.5 s, and are
//! gone after 5 s.
//!
//! References: `tests/data/rods.json`, `spaghetti_N16_*`. After 5 s energy 881.714 330 580 19,
//! momentum (50, 0, 0) and angular momentum are constant.

use polhode::prelude::*;

/// A free rod, pushed and turned at its first node for five seconds.
#[multibody(consts(LENGTH = 10.0))]
pub struct FlyingSpaghetti {
    /// Number of elements.
    #[count(default = 16, min = 1)]
    n: usize,
    #[start(position = [6.0, 0.0, 0.0], rotation = along([-6.0, 8.0, 0.0]))]
    nodes: [Node<S3sR3>; n + 1],
    #[rod(nodes[i], nodes[i + 1], kirchhoff, length = LENGTH / n,
        density = 1.0, inertia = [10.0, 10.0, 10.0],
        bending = 500.0, torsion = 500.0, extension = 1e4)]
    edges: [RodElement; n],
    #[force(nodes[0],
        force = [if t < 2.5 { 8.0 * t } else { if t < 5.0 { 8.0 * (5.0 - t) } else { 0.0 } }, 0.0, 0.0],
        torque = (if t < 2.5 { 80.0 * t } else { if t < 5.0 { 80.0 * (5.0 - t) } else { 0.0 } })
            * [0.0, -0.5, -1.0])]
    throw: Load,
}
