//! Accelerations and multipliers of a state.
//!
//! ```text
//! | M  B^T | | v'     |   | -g       |
//! | B  0   | | lambda | = | -Z(v, v) |
//! ```
//!
//! With `(q, v)` of order `p` the solution of this system has order `p`, also
//! where the multipliers of a method itself have less. It is what every method
//! starts from and what dense output reports.

use crate::error::Fault;
use crate::state::State;
use crate::system::{Constrained, Scratch, Stage};

/// Memory to solve for accelerations and multipliers, allocated once.
#[derive(Clone, Debug)]
pub struct AccelerationSolver<S: Constrained> {
    geometry: S::Geometry,
    scratch: Scratch<S>,
}

impl<S: Constrained> AccelerationSolver<S> {
    /// Allocates for one system.
    pub fn new(system: &S) -> Self {
        Self {
            geometry: system.new_geometry(),
            scratch: Scratch::new(system),
        }
    }

    /// Sets `vdot` and `lambda` of a state from its `t`, `q` and `v`.
    ///
    /// # Errors
    /// If the model cannot be evaluated or its constraints are linearly dependent.
    pub fn solve(&mut self, system: &S, state: &mut State<S>) -> Result<(), Fault> {
        solve_accelerations(system, state, &mut self.geometry, &mut self.scratch)
    }
}

/// Sets `vdot` and `lambda` of a state from its `t`, `q` and `v`; leaves the
/// geometry of the state behind. Of a first-order equation it sets `v`.
pub(crate) fn solve_accelerations<S: Constrained>(
    system: &S,
    state: &mut State<S>,
    geometry: &mut S::Geometry,
    scratch: &mut Scratch<S>,
) -> Result<(), Fault> {
    if S::FIRST_ORDER {
        system.rate(state.t, &state.q, &mut state.v);
        return Ok(());
    }
    system.geometry(state.t, &state.q, geometry)?;
    let stage = Stage {
        t: state.t,
        geometry,
        v: &state.v,
    };
    system.accelerations(
        &stage,
        &state.q,
        &mut state.vdot,
        &mut state.lambda,
        scratch,
    )
}
