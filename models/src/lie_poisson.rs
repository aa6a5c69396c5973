//! The heavy top as a Lie-Poisson equation on `se(3)*`.
//!
//! Momentum about the fixed point and the vertical, both in body axes, `y = (Pi, Gamma)`:
//!
//! ```text
//! f = (-J^-1 Pi, -m g l X)        Pi' = Pi x J^-1 Pi + m g l Gamma x X       Gamma' = Gamma x J^-1 Pi
//! ```
//!
//! `|Gamma|` and `Pi . Gamma` are constant for every method that moves along the action.
//!
//! Source: Celledoni, Cokaj, Leone, Murari, Owren (2022), section 2; the top of [`heavy_top`](crate::heavy_top).

use polhode::actions::{Action, Actions};
use polhode::flow::Flow;
use polhode::system::Energy;

/// Principal moments of inertia about the fixed point.
pub const INERTIA: [f64; 3] = [15.234_375, 0.468_75, 15.234_375];
/// Weight times the distance of the centre of mass, which is on the second axis.
pub const WEIGHT: f64 = 15.0 * 9.81;

/// The top upright in the second axis, with spin about it.
pub fn top() -> Flow<'static, Actions> {
    let start = [
        0.0,
        150.0 * INERTIA[1],
        -4.61538 * INERTIA[2],
        0.0,
        0.0,
        1.0,
    ];
    Flow::new(
        Actions::new([(Action::Coadjoint, &start[..])]),
        |_t, y, f| {
            for i in 0..3 {
                f[i] = -y[i] / INERTIA[i];
            }
            f[3..].copy_from_slice(&[0.0, -WEIGHT, 0.0]);
        },
    )
    .energy(|_t, y| Energy {
        kinetic: 0.5 * (0..3).map(|i| y[i] * y[i] / INERTIA[i]).sum::<f64>(),
        potential: WEIGHT * y[4],
    })
}
