//! A stage that the system does as a whole.

use super::HalfExplicitStepper;
use crate::error::Fault;
use crate::state::{State, copy};
use crate::system::{Constrained, Stage, StagePast, StageResults, Storage};
use crate::tableau;

impl<S: Constrained> HalfExplicitStepper<S> {
    /// Goes from stage `I` to stage `I + 1`, if the system can [do it in one
    /// go](System::sweep_stage).
    #[inline(always)]
    pub(super) fn swept_stage<const P: usize, const I: usize>(
        &mut self,
        system: &S,
        state: &State<S>,
        h: f64,
    ) -> Result<bool, Fault> {
        let table = const { tableau::of_order(P) };
        let [even, odd] = &mut self.points;
        let (this, next) = if I.is_multiple_of(2) {
            (even, odd)
        } else {
            (odd, even)
        };
        let (theta_dot, theta_dot_next) = self.theta_dot.split_at_mut(I);
        let (v_dot, v_dot_this) = self.v_dot.split_at_mut(I - 1);
        let stage = Stage {
            t: state.t + table.c[I - 1] * h,
            geometry: &this.geometry,
            v: &this.v,
        };
        let past = StagePast {
            h,
            weights: const { &tableau::of_order(P).row::<I>(I + 1) },
            q: &state.q,
            v: &state.v,
            vdot: &state.vdot,
            theta_dot: &theta_dot[1..],
            v_dot: &v_dot[1..],
        };
        let mut results = StageResults {
            lambda: &mut self.lambda[I - 1],
            v_dot: &mut v_dot_this[0],
            geometry: &mut next.geometry,
            v: &mut next.v,
            theta_dot: (I < table.s_bar).then(|| &mut theta_dot_next[0]),
            end: (I == table.s).then_some((&mut next.theta, &mut self.candidate.q)),
        };
        let workspace = &mut self.scratch.workspace;
        let swept = system.sweep_stage(&stage, &past, &mut results, workspace)?;
        if swept && I == table.s {
            self.increment.take(&mut next.theta);
            copy(&mut self.candidate.v, &next.v);
        }
        Ok(swept)
    }
}
