//! The residual of a generalized-alpha step in one pass over the links.
//!
//! ```text
//! h^2 (M v' + g + B^T lambda),     Phi,     h B v
//! ```
//!
//! The same as `compose_residual`, which makes eight passes. Where an increment leads can be
//! found in the same pass, see [`System::sweep_increment`](crate::system::System::sweep_increment).

use super::small::{V3, add_scaled, combine, dot, v3};
use super::{Body, ChainGeometry, LinkChain, increment_velocity, turned};
use crate::system::{
    Formulation, Increment, IncrementResults, NewtonCoefficients, NewtonVectors, ResidualPoint,
    ResidualSize,
};

impl LinkChain {
    /// [`System::newton_residual`](crate::system::System::newton_residual).
    pub(super) fn residual(
        &self,
        coefficients: &NewtonCoefficients,
        point: &ResidualPoint<'_, Self>,
        geometry: &mut ChainGeometry,
        out: &mut NewtonVectors<Self>,
    ) {
        let mut residual = Residual::new(self, coefficients, point.lambda, geometry, out);
        let q = point.q.as_chunks().0;
        let velocities = point.v.as_chunks().0.iter().zip(point.vdot.as_chunks().0);
        for (i, ((link, q), (v, vdot))) in self.links.iter().zip(q).zip(velocities).enumerate() {
            residual.add(i, link, q, v, vdot);
        }
        residual.finish();
    }

    /// [`System::sweep_increment`](crate::system::System::sweep_increment).
    pub(super) fn follow(
        &self,
        coefficients: &NewtonCoefficients,
        increment: &Increment<'_, Self>,
        results: &mut IncrementResults<'_, Self>,
        residual: Option<&mut NewtonVectors<Self>>,
    ) -> ResidualSize {
        let NewtonCoefficients { h, epsilon_h, .. } = *coefficients;
        let mut correction = None;
        if let Some((factor, of_theta, of_lambda)) = increment.correction {
            correction = Some((factor, of_theta.as_chunks::<6>().0));
            let factor = factor / (h * h);
            for (lambda, change) in results.lambda.iter_mut().zip(of_lambda) {
                *lambda -= factor * change;
            }
        }
        let (lambda, geometry) = (&*results.lambda, &mut *results.geometry);
        let mut residual =
            residual.map(|out| Residual::new(self, coefficients, lambda, geometry, out));
        let known = increment.vdot_known.as_chunks::<6>().0;
        let start = increment.q.as_chunks::<12>().0.iter();
        let given = start.zip(increment.k.as_chunks().0).zip(known);
        let velocities = results.v.as_chunks_mut::<6>().0.iter_mut();
        let velocities = velocities.zip(results.vdot.as_chunks_mut::<6>().0);
        let theta = results.theta.as_chunks_mut::<6>().0.iter_mut();
        let found = theta.zip(results.q.as_chunks_mut::<12>().0).zip(velocities);
        let links = self.links.iter().zip(given).zip(found).enumerate();
        for (i, ((link, ((start, k), vdot_known)), ((theta, q), (v, vdot)))) in links {
            if let Some((factor, change)) = correction {
                for j in 0..6 {
                    theta[j] -= factor * change[i][j];
                }
            }
            q[..9].copy_from_slice(turned(start, &v3(theta)).as_flattened());
            *v = increment_velocity(coefficients, theta, k, None);
            for j in 0..3 {
                q[9 + j] = start[9 + j] + theta[3 + j];
            }
            for j in 0..6 {
                vdot[j] = epsilon_h * v[j] + vdot_known[j];
            }
            if let Some(residual) = &mut residual {
                residual.add(i, link, q, v, vdot);
            }
        }
        residual.map(Residual::finish).unwrap_or_default()
    }
}

/// A residual, link by link.
struct Residual<'a> {
    chain: &'a LinkChain,
    h: f64,
    lambda: &'a [f64],
    columns: &'a mut [[V3; 2]],
    dynamics: &'a mut [[f64; 6]],
    /// `Phi`, if it is imposed.
    gaps: Option<&'a mut [f64]>,
    /// `h B v`, if it is imposed.
    rates: Option<&'a mut [f64]>,
    /// Position and velocity of the joint before the next link, by the link before.
    end: (V3, V3),
    /// Multiplier of the joint before the next link.
    before: V3,
    /// Of the equations of motion, and of the constraints.
    largest: [Largest; 2],
}

/// The largest magnitude of some numbers. As integers NaN is larger than all others.
#[derive(Clone, Copy, Default)]
struct Largest(u64);

impl Largest {
    #[inline(always)]
    fn see(&mut self, numbers: &[f64]) {
        for x in numbers {
            self.0 = self.0.max(x.abs().to_bits());
        }
    }
}

impl<'a> Residual<'a> {
    fn new(
        chain: &'a LinkChain,
        coefficients: &NewtonCoefficients,
        lambda: &'a [f64],
        geometry: &'a mut ChainGeometry,
        out: &'a mut NewtonVectors<LinkChain>,
    ) -> Self {
        let NewtonVectors {
            dynamics,
            constraint,
            hidden,
        } = out;
        let (gaps, rates): (Option<&mut [f64]>, Option<&mut [f64]>) = match coefficients.formulation
        {
            Formulation::Index3 => (Some(constraint), None),
            Formulation::Index2 => (None, Some(constraint)),
            Formulation::StabilizedIndex2 => (Some(constraint), Some(hidden)),
        };
        Self {
            chain,
            h: coefficients.h,
            lambda,
            columns: &mut geometry.columns,
            dynamics: dynamics.as_chunks_mut().0,
            gaps,
            rates,
            end: (chain.anchors[0], [0.0; 3]),
            before: chain.multiplier(lambda, 0),
            largest: [Largest::default(); 2],
        }
    }

    /// The equations of a link and of the joint before it.
    #[inline(always)]
    fn add(&mut self, i: usize, link: &Body, q: &[f64; 12], v: &[f64; 6], vdot: &[f64; 6]) {
        let (chain, h2, before) = (self.chain, self.h * self.h, self.before);
        let columns = [[q[1], q[4], q[7]], [q[2], q[5], q[8]]];
        self.columns[i] = columns;
        let [c2, c3] = &columns;
        let after = chain.multiplier(self.lambda, i + 1);
        let mu = LinkChain::moment_arm_force(link, &before, &after);
        let j = &link.inertia;
        let push =
            |k: usize| h2 * (link.mass * (vdot[3 + k] - chain.gravity[k]) + after[k] - before[k]);
        self.dynamics[i] = [
            h2 * (j[0] * vdot[0] + (j[2] - j[1]) * v[1] * v[2]),
            h2 * (j[1] * vdot[1] + (j[0] - j[2]) * v[2] * v[0] + dot(c3, &mu)),
            h2 * (j[2] * vdot[2] + (j[1] - j[0]) * v[0] * v[1] - dot(c2, &mu)),
            push(0),
            push(1),
            push(2),
        ];
        self.largest[0].see(&self.dynamics[i]);
        self.before = after;

        let (axis, x, u): (V3, V3, V3) = ([q[0], q[3], q[6]], v3(&q[9..]), v3(&v[3..]));
        let turn = combine(v[2], c2, -v[1], c3);
        let at = |s: f64| (add_scaled(&x, s, &axis), add_scaled(&u, s, &turn));
        let first_joint = chain.joints.start;
        if i >= first_joint {
            let begin = at(link.first);
            self.open(i - first_joint, &begin);
        }
        self.end = at(link.second);
    }

    /// The joint after the last link. Returns the largest components of the residual.
    fn finish(mut self) -> ResidualSize {
        let last = self.chain.links.len();
        if self.chain.joints.contains(&last) {
            self.open(
                last - self.chain.joints.start,
                &(self.chain.anchors[1], [0.0; 3]),
            );
        }
        let [dynamics, constraint] = self.largest.map(|x| f64::from_bits(x.0));
        ResidualSize {
            dynamics,
            constraint,
        }
    }

    /// The equations of a joint whose second point, with its velocity, is given.
    #[inline(always)]
    fn open(&mut self, joint: usize, (position, velocity): &(V3, V3)) {
        let equations = [
            (&mut self.gaps, 1.0, &self.end.0, position),
            (&mut self.rates, self.h, &self.end.1, velocity),
        ];
        for (out, s, a, b) in equations {
            if let Some(out) = out {
                let gap: V3 = core::array::from_fn(|k| s * (a[k] - b[k]));
                out[3 * joint..3 * joint + 3].copy_from_slice(&gap);
                self.largest[1].see(&gap);
            }
        }
    }
}
