//! The generalized-alpha step, index 3 with `sigma = 0`, `rho = 0.9`, full Newton and the
//! stopping rule of the library.
//!
//! Corrections `(w, u)` of the configuration are taken in body axes, where the arm of
//! the joint is `e2`. With the residuals `(p, q, c)` of moments, forces (body axes) and
//! constraint, `L = h^2 lambda` and `N` the derivative of the moments by `w`:
//!
//! ```text
//! w x e2 - u                = c       gives u
//! m' u - w x L + ... - dL   = q       gives dL
//! N w - c x L + e2 x dL     = p       three equations for w
//! ```

use super::algebra::{
    Rotation, Vec3, back, cotangents, cross, dot, each, exponential, exponential_and_shift, halves,
    isotropic, solve3, times, turned,
};
use super::{J1, J2, MASS, Top, WEIGHT};

const RHO: f64 = 0.9;
const ALPHA_M: f64 = (2.0 * RHO - 1.0) / (RHO + 1.0);
const ALPHA_F: f64 = RHO / (RHO + 1.0);
const GAMMA: f64 = 0.5 - ALPHA_M + ALPHA_F;
const BETA: f64 = 0.25 * (GAMMA + 0.5) * (GAMMA + 0.5);

const MAX_ITERATIONS: usize = 20;
const RELATIVE: f64 = 1e-8;
const ABSOLUTE: f64 = 1e-16;

/// What a step knows before its iteration.
struct Known {
    k: [f64; 6],
    v: [f64; 6],
    vdot: [f64; 6],
    /// `gamma'` and `epsilon'`.
    gamma: f64,
    epsilon: f64,
}

#[inline(always)]
fn predict(top: &Top, h: f64) -> (Known, [f64; 6]) {
    let v = each(|i| top.v[i] + h * (1.0 - GAMMA) * top.a[i]);
    let known = Known {
        k: each(|i| h * top.v[i] + h * h * (0.5 - BETA) * top.a[i] - h * BETA / GAMMA * v[i]),
        v,
        vdot: each(|i| {
            (ALPHA_M / (1.0 - ALPHA_F)) * top.a[i] - (ALPHA_F / (1.0 - ALPHA_F)) * top.vdot[i]
        }),
        gamma: GAMMA / (h * BETA),
        epsilon: (1.0 - ALPHA_M) / (h * GAMMA * (1.0 - ALPHA_F)),
    };
    let theta = each(|i| h * top.v[i] + 0.5 * h * h * top.a[i]);
    (known, theta)
}

impl Known {
    #[inline(always)]
    fn velocity(&self, theta: &[f64; 6]) -> ([f64; 6], [f64; 6]) {
        let v: [f64; 6] = each(|i| self.gamma * (theta[i] - self.k[i]));
        let vdot = each(|i| self.epsilon * (v[i] - self.v[i]) + self.vdot[i]);
        (v, vdot)
    }
}

/// Whether an iteration is over, from the norms of its residuals.
struct History {
    first: f64,
    before: f64,
    last: f64,
}

impl History {
    const fn new() -> Self {
        Self {
            first: 0.0,
            before: 0.0,
            last: 0.0,
        }
    }

    /// Takes a residual; true if it is small enough.
    #[inline(always)]
    fn push(&mut self, parts: [Vec3; 3]) -> bool {
        let norm = parts
            .as_flattened()
            .iter()
            .fold(0.0_f64, |m, x| m.max(x.abs()));
        self.before = self.last;
        self.last = norm;
        if self.first == 0.0 {
            self.first = norm;
        }
        norm <= self.tolerance()
    }

    #[inline(always)]
    fn tolerance(&self) -> f64 {
        (RELATIVE * self.first).max(ABSOLUTE)
    }

    /// The next correction is the last one.
    #[inline(always)]
    fn is_last(&self) -> bool {
        self.before > 0.0 && self.last * self.last <= self.tolerance() * self.before
    }
}

/// `N`: `h^2 gamma' (epsilon' J + D)` times `T3^-1`, for `J1 = J3`.
#[inline(always)]
fn moments(h2: f64, known: &Known, w: Vec3, inverse: &Rotation) -> Rotation {
    let scale = h2 * known.gamma;
    let (j1, j2) = (J1 * (scale * known.epsilon), J2 * (scale * known.epsilon));
    let spin = (J2 - J1) * scale;
    let (s0, s1, s2) = (spin * w[0], spin * w[1], spin * w[2]);
    let t = inverse;
    [
        each(|j| j1 * t[0][j] - s2 * t[1][j] - s1 * t[2][j]),
        each(|j| j2 * t[1][j]),
        each(|j| s1 * t[0][j] + s0 * t[1][j] + j1 * t[2][j]),
    ]
}

/// A step in `SO3xR3`.
pub(crate) fn direct(top: &mut Top, h: f64) {
    let (known, mut theta) = predict(top, h);
    let h2 = h * h;
    let mut lambda = top.lambda;
    let mut history = History::new();
    let place = |theta: [f64; 6]| {
        let [w, u] = halves(theta);
        let x: Vec3 = each(|i| top.x[i] + u[i]);
        (turned(&top.r, &exponential(w)), x)
    };
    let (mut r, mut x) = place(theta);
    let (mut v, mut vdot) = known.velocity(&theta);
    for _ in 0..MAX_ITERATIONS {
        let arm = back(&r, x);
        let moment = cross(arm, lambda);
        let force = times(&r, lambda);
        let p = [
            h2 * (J1 * vdot[0] - (J2 - J1) * (v[1] * v[2]) + moment[0]),
            h2 * (J2 * vdot[1] + moment[1]),
            h2 * (J1 * vdot[2] + (J2 - J1) * (v[0] * v[1]) + moment[2]),
        ];
        let outside = [
            h2 * (MASS * vdot[3] - force[0]),
            h2 * (MASS * vdot[4] - force[1]),
            h2 * (MASS * vdot[5] + MASS * WEIGHT - force[2]),
        ];
        let c = [-arm[0], 1.0 - arm[1], -arm[2]];
        if history.push([p, outside, c]) {
            break;
        }
        let q = back(&r, outside);
        let [w, _] = halves(theta);
        let [cot, _] = cotangents(dot(w, w));
        let inverse = isotropic(0.5, cot, w);
        let mut a = moments(h2, &known, halves(v)[0], &inverse);
        let scaled = lambda.map(|x| h2 * x);
        let mass = MASS * (h2 * known.gamma * known.epsilon);
        let gap = mass - scaled[1];
        a[0][0] += gap;
        a[0][1] += scaled[0];
        a[2][1] += scaled[2];
        a[2][2] += gap;
        let swing = cross(c, scaled);
        let right = [
            p[0] + swing[0] + mass * c[2] + q[2],
            p[1] + swing[1],
            p[2] + swing[2] - mass * c[0] - q[0],
        ];
        let turn = solve3(a, right);
        let shift = [-turn[2] - c[0], -c[1], turn[0] - c[2]];
        let twist = cross(turn, scaled);
        let outside = times(&r, shift);
        let inside = times(&inverse, turn);
        for i in 0..3 {
            theta[i] -= inside[i];
            theta[3 + i] -= outside[i];
            lambda[i] -= (mass * shift[i] - twist[i] - q[i]) / h2;
        }
        (r, x) = place(theta);
        (v, vdot) = known.velocity(&theta);
        if history.is_last() {
            break;
        }
    }
    finish(top, &known, h, (r, x, v, vdot, lambda));
}

/// A step in `SE3`.
pub(crate) fn semidirect(top: &mut Top, h: f64) {
    let (known, mut theta) = predict(top, h);
    let h2 = h * h;
    let mut lambda = top.lambda;
    let mut history = History::new();
    let place = |theta: [f64; 6]| {
        let [w, u] = halves(theta);
        let (step, shift) = exponential_and_shift(w, u);
        let moved = times(&top.r, shift);
        let x: Vec3 = each(|i| top.x[i] + moved[i]);
        (turned(&top.r, &step), x)
    };
    let (mut r, mut x) = place(theta);
    let (mut v, mut vdot) = known.velocity(&theta);
    for _ in 0..MAX_ITERATIONS {
        let arm = back(&r, x);
        let moment = cross(arm, lambda);
        let [w, u] = halves(v);
        let slide = cross(w, u);
        let weight = r[2].map(|x| (MASS * WEIGHT) * x);
        let p = [
            h2 * (J1 * vdot[0] - (J2 - J1) * (v[1] * v[2]) + moment[0]),
            h2 * (J2 * vdot[1] + moment[1]),
            h2 * (J1 * vdot[2] + (J2 - J1) * (v[0] * v[1]) + moment[2]),
        ];
        let q: Vec3 = each(|i| h2 * (MASS * (vdot[3 + i] + slide[i]) + weight[i] - lambda[i]));
        let c = [-arm[0], 1.0 - arm[1], -arm[2]];
        if history.push([p, q, c]) {
            break;
        }
        let [turn, step] = halves(theta);
        let s = dot(turn, turn);
        let [cot, slope] = cotangents(s);
        let inverse = isotropic(0.5, cot, turn);
        let mut a = moments(h2, &known, w, &inverse);

        // The derivative of T3^-1 along the second half of theta, then with u of w:
        // u = (-w2, 0, w0) - c
        let along = dot(turn, step);
        let lower = lower_block(cot, slope * along, along, s, turn, step);
        let by_turn: Rotation = each(|i| {
            [
                lower[i][0] + inverse[i][2],
                lower[i][1],
                lower[i][2] - inverse[i][0],
            ]
        });
        let mu = MASS * (h2 * known.gamma);
        let inertia = mu * known.epsilon;
        let (mw, mu_u) = (w.map(|x| mu * x), u.map(|x| mu * x));
        let fall = weight.map(|x| h2 * x);
        let scaled = lambda.map(|x| h2 * x);
        // Rows 0 and 2 of dL = W b - mu u x a - w x fall - q.
        let row_0: Vec3 = each(|j| {
            inertia * by_turn[0][j] - mw[2] * by_turn[1][j]
                + mw[1] * by_turn[2][j]
                + mu_u[2] * inverse[1][j]
                - mu_u[1] * inverse[2][j]
        });
        let row_2: Vec3 = each(|j| {
            inertia * by_turn[2][j] - mw[1] * by_turn[0][j]
                + mw[0] * by_turn[1][j]
                + mu_u[1] * inverse[0][j]
                - mu_u[0] * inverse[1][j]
        });
        a[0] = [
            a[0][0] + row_2[0] - fall[1],
            a[0][1] + row_2[1] + fall[0],
            a[0][2] + row_2[2],
        ];
        a[2] = [
            a[2][0] - row_0[0],
            a[2][1] - row_0[1] + fall[2],
            a[2][2] - row_0[2] - fall[1],
        ];
        let rest = times(&inverse, c);
        let known_0 = inertia * rest[0] - mw[2] * rest[1] + mw[1] * rest[2] + q[0];
        let known_2 = inertia * rest[2] - mw[1] * rest[0] + mw[0] * rest[1] + q[2];
        let swing = cross(c, scaled);
        let right = [
            p[0] + swing[0] + known_2,
            p[1] + swing[1],
            p[2] + swing[2] - known_0,
        ];
        let y = solve3(a, right);
        let first = times(&inverse, y);
        let mixed = times(&by_turn, y);
        let second: Vec3 = each(|i| mixed[i] - rest[i]);
        let (spin, drift, drop) = (cross(mw, second), cross(mu_u, first), cross(y, fall));
        for i in 0..3 {
            theta[i] -= first[i];
            theta[3 + i] -= second[i];
            lambda[i] -= (inertia * second[i] + spin[i] - drift[i] - drop[i] - q[i]) / h2;
        }
        (r, x) = place(theta);
        (v, vdot) = known.velocity(&theta);
        if history.is_last() {
            break;
        }
    }
    finish(top, &known, h, (r, x, v, vdot, lambda));
}

/// `1/2 u~ + cot (w~ u~ + u~ w~) + factor w~^2` with `along = w . u`.
#[inline(always)]
fn lower_block(cot: f64, factor: f64, along: f64, s: f64, w: Vec3, u: Vec3) -> Rotation {
    let half = u.map(|x| 0.5 * x);
    let (cu, cw) = (u.map(|x| cot * x), w.map(|x| factor * x));
    let diagonal = 2.0 * cot * along + factor * s;
    let entry = |i: usize, j: usize| cu[i] * w[j] + cu[j] * w[i] + cw[i] * w[j];
    let (xy, xz, yz) = (entry(0, 1), entry(0, 2), entry(1, 2));
    [
        [entry(0, 0) - diagonal, xy - half[2], xz + half[1]],
        [xy + half[2], entry(1, 1) - diagonal, yz - half[0]],
        [xz - half[1], yz + half[0], entry(2, 2) - diagonal],
    ]
}

type End = (Rotation, Vec3, [f64; 6], [f64; 6], Vec3);

#[inline(always)]
fn finish(top: &mut Top, known: &Known, h: f64, (r, x, v, vdot, lambda): End) {
    let factor = 1.0 / (h * GAMMA);
    top.a = each(|i| factor * (v[i] - known.v[i]));
    top.r = r;
    top.x = x;
    top.v = v;
    top.vdot = vdot;
    top.lambda = lambda;
}
