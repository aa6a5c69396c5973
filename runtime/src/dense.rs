//! Dense output: the solution between the ends of a step.
//!
//! In the coordinates `q(t) = q_n * exp(theta(s))`, `t = t_n + s h`, the ends of a
//! step give six conditions on `theta`, whatever the method:
//!
//! ```text
//! theta(0) = 0         theta'(0) = h v_n            theta''(0) = h^2 v'_n
//! theta(1) = theta     theta'(1) = h r              theta''(1) = h^2 r'
//! r  = T(theta)^-1 v_{n+1}
//! r' = T(theta)^-1 v'_{n+1} + D_theta[T(theta)^-1 v_{n+1}] r
//! ```
//!
//! They determine a polynomial `c_1 s + ... + c_5 s^5`, with
//! `D = theta - c_1 - c_2`, `E = h r - c_1 - 2 c_2`, `F = h^2 r' - 2 c_2`:
//!
//! ```text
//! c_1 = h v_n             c_2 = h^2 v'_n / 2
//! c_3 =  10 D - 4 E + F / 2
//! c_4 = -15 D + 7 E - F
//! c_5 =   6 D - 3 E + F / 2
//! ```
//!
//! Its error is of order 6 in `q` and 5 in `v = T(theta(s)) theta'(s) / h`:
//! nothing is lost at any order up to 5. Accelerations and
//! multipliers are solved for at the interpolated point.
//!
//! A first-order equation has no `v'`. There the polynomial has the slopes `g(s) = h T(theta)^-1 f` at
//! `s = 0, 1/3, 2/3, 1`, which are found from a cubic one and then again, so that its error is of order
//! 6, too:
//!
//! ```text
//! theta' = L + K w      L the cubic through the slopes       w = s (s - 1/3) (s - 2/3) (s - 1)
//! K = 270 ((g_0 + 3 g_1 + 3 g_2 + g_3) / 8 - theta)
//! ```

use crate::accelerations::AccelerationSolver;
use crate::error::SolveError;
use crate::state::{State, copy};
use crate::stepper::Stepper;
use crate::system::Constrained;

/// The solution within one step, and memory to evaluate it.
pub struct Dense<S: Constrained> {
    t: f64,
    h: f64,
    q: S::Config,
    /// `c_1` to `c_5`.
    coefficients: [S::Velocity; 5],
    theta: S::Velocity,
    rate: S::Velocity,
    accelerations: AccelerationSolver<S>,
    /// Of a first-order equation.
    interior: Option<Interior<S>>,
}

/// What the slopes within a step need.
struct Interior<S: Constrained> {
    increment: S::Velocity,
    point: S::Config,
    rate: S::Velocity,
    /// At the thirds of the step, and at its end.
    slopes: [S::Velocity; 3],
}

impl<S: Constrained> Dense<S> {
    /// Allocates for one system.
    pub fn new(system: &S) -> Self {
        Self {
            t: 0.0,
            h: 0.0,
            q: system.start_config(),
            coefficients: core::array::from_fn(|_| system.new_velocity()),
            theta: system.new_velocity(),
            rate: system.new_velocity(),
            accelerations: AccelerationSolver::new(system),
            interior: S::FIRST_ORDER.then(|| Interior {
                increment: system.new_velocity(),
                point: system.start_config(),
                rate: system.new_velocity(),
                slopes: core::array::from_fn(|_| system.new_velocity()),
            }),
        }
    }

    /// Takes over the last attempt of a stepper that started from `state` with step size `h`.
    pub fn prepare(&mut self, system: &S, stepper: &impl Stepper<S>, state: &State<S>, h: f64) {
        stepper.increment(system, state, &mut self.theta);
        self.fit_increment(system, state, stepper.candidate(), h);
    }

    /// Takes over a step between two states.
    pub(crate) fn fit(&mut self, system: &S, start: &State<S>, end: &State<S>) {
        system.difference(&start.q, &end.q, &mut self.theta);
        self.fit_increment(system, start, end, end.t - start.t);
    }

    /// The polynomial between two states whose increment is in `theta`.
    fn fit_increment(&mut self, system: &S, state: &State<S>, end: &State<S>, h: f64) {
        self.t = state.t;
        self.h = h;
        copy(&mut self.q, &state.q);
        if S::FIRST_ORDER {
            return self.fit_slopes(system, &state.v, &end.v);
        }
        let theta = &self.theta;
        let [c1, c2, c3, c4, c5] = &mut self.coefficients;
        // r and the two parts of r'
        system.tangent_inverse(theta, &end.v, c3);
        system.tangent_inverse(theta, &end.vdot, c4);
        system.tangent_inverse_derivative(theta, &end.v, c3, c5);
        let (c1, c2, c3) = (c1.as_mut(), c2.as_mut(), c3.as_mut());
        let (c4, c5) = (c4.as_mut(), c5.as_mut());
        let theta = theta.as_ref();
        let (v, vdot) = (state.v.as_ref(), state.vdot.as_ref());
        for k in 0..theta.len() {
            c1[k] = h * v[k];
            c2[k] = h * h * vdot[k] / 2.0;
            let d = theta[k] - c1[k] - c2[k];
            let e = h * c3[k] - c1[k] - 2.0 * c2[k];
            let f = h * h * (c4[k] + c5[k]) - 2.0 * c2[k];
            c3[k] = 10.0 * d - 4.0 * e + f / 2.0;
            c4[k] = -15.0 * d + 7.0 * e - f;
            c5[k] = 6.0 * d - 3.0 * e + f / 2.0;
        }
    }

    /// The polynomial of a first-order equation with `f` at both ends.
    fn fit_slopes(&mut self, system: &S, from: &S::Velocity, to: &S::Velocity) {
        let Some(Interior {
            increment,
            point,
            rate,
            slopes: [first, second, last],
        }) = &mut self.interior
        else {
            return;
        };
        let h = self.h;
        copy(increment, &self.theta);
        system.tangent_inverse(increment, to, last);
        let [c1, c2, c3, c4, c5] = &mut self.coefficients;
        for (k, theta) in increment.as_ref().iter().enumerate() {
            let (g0, g3) = (h * from.as_ref()[k], h * last.as_ref()[k]);
            c1.as_mut()[k] = g0;
            c2.as_mut()[k] = 3.0 * theta - 2.0 * g0 - g3;
            c3.as_mut()[k] = g0 + g3 - 2.0 * theta;
            c4.as_mut()[k] = 0.0;
            c5.as_mut()[k] = 0.0;
        }
        for _ in 0..2 {
            for (slope, s) in [(&mut *first, 1.0 / 3.0), (&mut *second, 2.0 / 3.0)] {
                evaluate(&self.coefficients, s, &mut self.theta);
                system.displace(&self.q, &self.theta, point);
                system.rate(self.t + s * h, point, rate);
                system.tangent_inverse(&self.theta, rate, slope);
            }
            let [c1, c2, c3, c4, c5] = &mut self.coefficients;
            for (k, theta) in increment.as_ref().iter().enumerate() {
                let (g0, g3) = (c1.as_ref()[k], h * last.as_ref()[k]);
                let (g1, g2) = (h * first.as_ref()[k], h * second.as_ref()[k]);
                let excess = 270.0 * ((g0 + 3.0 * (g1 + g2) + g3) / 8.0 - theta);
                let linear = -5.5 * g0 + 9.0 * g1 - 4.5 * g2 + g3;
                let square = 9.0 * g0 - 22.5 * g1 + 18.0 * g2 - 4.5 * g3;
                let cubic = 4.5 * (g3 - g0) + 13.5 * (g1 - g2);
                c2.as_mut()[k] = (linear - 2.0 / 9.0 * excess) / 2.0;
                c3.as_mut()[k] = (square + 11.0 / 9.0 * excess) / 3.0;
                c4.as_mut()[k] = (cubic - 2.0 * excess) / 4.0;
                c5.as_mut()[k] = excess / 5.0;
            }
        }
    }

    /// Sets time, configuration and velocity of `out`, and solves for its
    /// accelerations and multipliers.
    ///
    /// # Errors
    /// If the model cannot be evaluated or its constraints are linearly dependent.
    pub fn evaluate(&mut self, system: &S, t: f64, out: &mut State<S>) -> Result<(), SolveError> {
        self.place(system, t, out);
        self.solve_accelerations(system, out)?;
        copy(&mut out.a, &out.vdot);
        out.eta.as_mut().fill(0.0);
        Ok(())
    }

    /// Sets time, configuration and velocity of `out`.
    pub(crate) fn place(&mut self, system: &S, t: f64, out: &mut State<S>) {
        let s = (t - self.t) / self.h;
        let [c1, c2, c3, c4, c5] = &self.coefficients;
        let (c1, c2, c3) = (c1.as_ref(), c2.as_ref(), c3.as_ref());
        let (c4, c5) = (c4.as_ref(), c5.as_ref());
        evaluate(&self.coefficients, s, &mut self.theta);
        let rate = self.rate.as_mut();
        for k in 0..rate.len() {
            rate[k] = (c1[k]
                + s * (2.0 * c2[k] + s * (3.0 * c3[k] + s * (4.0 * c4[k] + s * 5.0 * c5[k]))))
                / self.h;
        }
        out.t = t;
        system.displace(&self.q, &self.theta, &mut out.q);
        system.tangent(&self.theta, &self.rate, &mut out.v);
    }

    /// Acceleration of the polynomial where it was evaluated last, with the velocity there:
    /// `v' = T(theta) (theta'' / h^2 - D_theta[T(theta)^-1 v] theta' / h)`.
    pub(crate) fn acceleration(&self, system: &S, t: f64, v: &S::Velocity, out: &mut S::Velocity) {
        let s = (t - self.t) / self.h;
        let mut second = system.new_velocity();
        system.tangent_inverse_derivative(&self.theta, v, &self.rate, &mut second);
        let [_, c2, c3, c4, c5] = &self.coefficients;
        let (c2, c3, c4, c5) = (c2.as_ref(), c3.as_ref(), c4.as_ref(), c5.as_ref());
        for (k, x) in second.as_mut().iter_mut().enumerate() {
            let curve = 2.0 * c2[k] + s * (6.0 * c3[k] + s * (12.0 * c4[k] + s * 20.0 * c5[k]));
            *x = curve / (self.h * self.h) - *x;
        }
        system.tangent(&self.theta, &second, out);
    }

    /// Solves for the accelerations and multipliers of a state.
    ///
    /// # Errors
    /// If the model cannot be evaluated or its constraints are linearly dependent.
    pub fn solve_accelerations(
        &mut self,
        system: &S,
        state: &mut State<S>,
    ) -> Result<(), SolveError> {
        self.accelerations
            .solve(system, state)
            .map_err(|fault| fault.at(state.t, 0.0))
    }
}

/// The polynomial at a part of the step.
#[inline]
fn evaluate<V: AsRef<[f64]> + AsMut<[f64]>>(coefficients: &[V; 5], s: f64, theta: &mut V) {
    let [c1, c2, c3, c4, c5] = coefficients.each_ref().map(AsRef::as_ref);
    for (k, theta) in theta.as_mut().iter_mut().enumerate() {
        *theta = s * (c1[k] + s * (c2[k] + s * (c3[k] + s * (c4[k] + s * c5[k]))));
    }
}

impl<S: Constrained> core::fmt::Debug for Dense<S> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Dense")
            .field("t", &self.t)
            .field("h", &self.h)
            .field("q", &self.q)
            .field("coefficients", &self.coefficients)
            .finish_non_exhaustive()
    }
}
