//! Increments of a generalized-alpha step in one pass over the links.
//!
//! What a step knows before is computed again in each pass: that is cheaper than memory for it.

use super::residual::Residual;
use super::small::v3;
use super::{LinkChain, increment_velocity, turned};
use crate::system::{Change, Increment, IncrementResults, NewtonCoefficients, Prediction};

type V6 = [f64; 6];

impl LinkChain {
    /// [`System::sweep_increment`](crate::system::System::sweep_increment).
    pub(super) fn follow(
        &self,
        coefficients: &NewtonCoefficients,
        increment: &Increment<'_, Self>,
        (theta, lambda): (&mut [f64], &mut [f64]),
        results: IncrementResults<'_, Self>,
    ) -> f64 {
        change_multipliers(coefficients.h, increment, lambda);
        let path = Path::new(coefficients, increment);
        let theta = theta.as_chunks_mut::<6>().0;
        match results {
            IncrementResults::Residual {
                v,
                k,
                geometry,
                residual,
            } => {
                let (v, k) = (v.as_chunks_mut::<6>().0, k.as_chunks_mut::<6>().0);
                let mut residual = Residual::new(self, coefficients, lambda, geometry, residual);
                for (i, (link, theta)) in self.links.iter().zip(theta).enumerate() {
                    let end = path.follow(i, theta);
                    v[i] = end.v;
                    if coefficients.sigma != 0.0 {
                        k[i] = end.k;
                    }
                    residual.add(i, link, &end.q, &end.v, &end.vdot);
                }
                residual.finish()
            }
            IncrementResults::End {
                q,
                v,
                vdot,
                a,
                per_step,
            } => {
                let velocities = v.as_chunks_mut().0.iter_mut().zip(vdot.as_chunks_mut().0);
                let found = q.as_chunks_mut().0.iter_mut().zip(velocities);
                let mut total: f64 = lambda.iter().sum();
                let links = theta.iter_mut().zip(found).zip(a.as_chunks_mut::<6>().0);
                for (i, ((theta, (q, (v, vdot))), a)) in links.enumerate() {
                    let end = path.follow(i, theta);
                    *a = core::array::from_fn(|j| per_step * (end.v[j] - end.v_known[j]));
                    (*q, *v, *vdot) = (end.q, end.v, end.vdot);
                    total += end.q.iter().chain(&end.v).chain(&end.vdot).sum::<f64>();
                }
                total
            }
        }
    }
}

fn change_multipliers(h: f64, increment: &Increment<'_, LinkChain>, lambda: &mut [f64]) {
    match increment.change {
        Change::Predict => lambda.copy_from_slice(increment.lambda),
        Change::Keep => {}
        Change::Subtract(factor, _, correction) => {
            let factor = factor / (h * h);
            for (lambda, change) in lambda.iter_mut().zip(correction) {
                *lambda -= factor * change;
            }
        }
    }
}

/// From the start of a step along the increments of its links.
struct Path<'a> {
    coefficients: NewtonCoefficients,
    prediction: Prediction,
    /// Whether the increments are predicted.
    predicts: bool,
    /// A factor, and what is subtracted so many times from the increments.
    correction: Option<(f64, &'a [V6])>,
    q: &'a [[f64; 12]],
    v: &'a [V6],
    vdot: &'a [V6],
    a: &'a [V6],
}

/// Where a link is at the end of its increment.
struct LinkEnd {
    q: [f64; 12],
    v: V6,
    vdot: V6,
    k: V6,
    v_known: V6,
}

impl<'a> Path<'a> {
    fn new(coefficients: &NewtonCoefficients, increment: &Increment<'a, LinkChain>) -> Self {
        Self {
            coefficients: *coefficients,
            prediction: increment.prediction,
            predicts: matches!(increment.change, Change::Predict),
            correction: match increment.change {
                Change::Subtract(factor, correction, _) => Some((factor, correction.as_chunks().0)),
                Change::Predict | Change::Keep => None,
            },
            q: increment.q.as_chunks().0,
            v: increment.v.as_chunks().0,
            vdot: increment.vdot.as_chunks().0,
            a: increment.a.as_chunks().0,
        }
    }

    /// Changes the increment of a link and follows it.
    #[inline(always)]
    fn follow(&self, i: usize, theta: &mut V6) -> LinkEnd {
        let (start, v, vdot, a) = (&self.q[i], &self.v[i], &self.vdot[i], &self.a[i]);
        let known: [_; 6] = core::array::from_fn(|j| self.prediction.of(v[j], vdot[j], a[j]));
        if self.predicts {
            *theta = known.map(|known| known.theta);
        } else if let Some((factor, correction)) = self.correction {
            for j in 0..6 {
                theta[j] -= factor * correction[i][j];
            }
        }
        let mut q = [0.0; 12];
        q[..9].copy_from_slice(turned(start, &v3(theta)).as_flattened());
        for j in 0..3 {
            q[9 + j] = start[9 + j] + theta[3 + j];
        }
        let k = known.map(|known| known.k);
        let v = increment_velocity(&self.coefficients, theta, &k, None);
        let epsilon = self.coefficients.epsilon_h;
        LinkEnd {
            q,
            v,
            vdot: core::array::from_fn(|j| {
                epsilon * (v[j] - known[j].v_known) + known[j].vdot_known
            }),
            k,
            v_known: known.map(|known| known.v_known),
        }
    }
}
