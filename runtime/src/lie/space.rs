//! Products of groups on flat slices.

use std::ops::Range;

use super::GroupKind;

/// One group of a [`Space`], and where its numbers are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Factor {
    /// The group.
    pub kind: GroupKind,
    /// Its part of a configuration.
    pub config: Range<usize>,
    /// Its part of a velocity.
    pub velocity: Range<usize>,
}

/// The direct product of any number of groups: the configuration space of a
/// system. Configurations and velocities are flat slices, the factors one after
/// another in the given order; nothing is allocated after construction.
///
/// A configuration may end with continuous angles (see [`Space::with_angles`]): functions
/// of the rest of the configuration that remember full turns, so the configuration is a
/// point of a covering space. They have no velocity of their own. The functions here carry
/// them along; who knows what they are the angles of brings them up to date.
///
/// Slices of another length are an error of the caller; shorter ones panic.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Space {
    factors: Vec<Factor>,
    config_len: usize,
    angles: usize,
    dof: usize,
}

impl Space {
    /// The product of the groups, in this order.
    pub fn new(kinds: impl IntoIterator<Item = GroupKind>) -> Self {
        let mut space = Self::default();
        for kind in kinds {
            let (config, velocity) = (space.config_len, space.dof);
            space.config_len += kind.config_len();
            space.dof += kind.dof();
            space.factors.push(Factor {
                kind,
                config: config..space.config_len,
                velocity: velocity..space.dof,
            });
        }
        space
    }

    /// The product of the groups, with `angles` continuous angles at the end of a configuration.
    pub fn with_angles(kinds: impl IntoIterator<Item = GroupKind>, angles: usize) -> Self {
        let mut space = Self::new(kinds);
        space.config_len += angles;
        space.angles = angles;
        space
    }

    /// The continuous angles at the end of a configuration.
    pub fn angles(&self) -> Range<usize> {
        self.config_len - self.angles..self.config_len
    }

    /// The factors in order.
    pub fn factors(&self) -> impl ExactSizeIterator<Item = &Factor> {
        self.factors.iter()
    }

    /// How many numbers describe a configuration.
    pub fn config_len(&self) -> usize {
        self.config_len
    }

    /// The dimension of the product.
    pub fn dof(&self) -> usize {
        self.dof
    }

    /// `out = e`.
    pub fn identity(&self, out: &mut [f64]) {
        for Factor { kind, config, .. } in &self.factors {
            kind.identity(&mut out[config.clone()]);
        }
        out[self.angles()].fill(0.0);
    }

    /// `out = a ∘ b`, with the angles of `a`.
    pub fn compose(&self, a: &[f64], b: &[f64], out: &mut [f64]) {
        for Factor { kind, config, .. } in &self.factors {
            let at = config.clone();
            kind.compose(&a[at.clone()], &b[at.clone()], &mut out[at]);
        }
        out[self.angles()].copy_from_slice(&a[self.angles()]);
    }

    /// `out = q⁻¹`.
    pub fn inverse(&self, q: &[f64], out: &mut [f64]) {
        for Factor { kind, config, .. } in &self.factors {
            kind.inverse(&q[config.clone()], &mut out[config.clone()]);
        }
        for i in self.angles() {
            out[i] = -q[i];
        }
    }

    /// `out = exp(theta)`.
    pub fn exp(&self, theta: &[f64], out: &mut [f64]) {
        for factor in &self.factors {
            let (theta, out) = (
                &theta[factor.velocity.clone()],
                &mut out[factor.config.clone()],
            );
            factor.kind.exp(theta, out);
        }
        out[self.angles()].fill(0.0);
    }

    /// `out = log(q)`.
    pub fn log(&self, q: &[f64], out: &mut [f64]) {
        for factor in &self.factors {
            let (q, out) = (&q[factor.config.clone()], &mut out[factor.velocity.clone()]);
            factor.kind.log(q, out);
        }
    }

    /// `out = q ∘ exp(theta)`, with the angles of `q`.
    pub fn displace(&self, q: &[f64], theta: &[f64], out: &mut [f64]) {
        for factor in &self.factors {
            let (config, theta) = (factor.config.clone(), &theta[factor.velocity.clone()]);
            factor
                .kind
                .displace(&q[config.clone()], theta, &mut out[config]);
        }
        out[self.angles()].copy_from_slice(&q[self.angles()]);
    }

    /// `out = log(a⁻¹ ∘ b)`, so that `a` displaced by `out` is `b`.
    pub fn difference(&self, a: &[f64], b: &[f64], out: &mut [f64]) {
        for factor in &self.factors {
            let (config, out) = (factor.config.clone(), &mut out[factor.velocity.clone()]);
            factor.kind.difference(&a[config.clone()], &b[config], out);
        }
    }

    /// `out = T(theta) w`, with
    /// `exp(theta + d) = exp(theta) ∘ exp(T(theta) d) + O(|d|²)`.
    pub fn tangent_times(&self, theta: &[f64], w: &[f64], out: &mut [f64]) {
        for Factor { kind, velocity, .. } in &self.factors {
            let at = velocity.clone();
            kind.tangent_times(&theta[at.clone()], &w[at.clone()], &mut out[at]);
        }
    }

    /// `out = T(theta)⁻¹ w`.
    pub fn tangent_inverse_times(&self, theta: &[f64], w: &[f64], out: &mut [f64]) {
        for Factor { kind, velocity, .. } in &self.factors {
            let at = velocity.clone();
            kind.tangent_inverse_times(&theta[at.clone()], &w[at.clone()], &mut out[at]);
        }
    }

    /// `out = D_theta[T(theta) x] w`.
    pub fn tangent_derivative_times(&self, theta: &[f64], x: &[f64], w: &[f64], out: &mut [f64]) {
        for Factor { kind, velocity, .. } in &self.factors {
            let at = velocity.clone();
            let (theta, x, w) = (&theta[at.clone()], &x[at.clone()], &w[at.clone()]);
            kind.tangent_derivative_times(theta, x, w, &mut out[at]);
        }
    }

    /// `out = D_theta[T(theta)⁻¹ x] w`.
    pub fn tangent_inverse_derivative_times(
        &self,
        theta: &[f64],
        x: &[f64],
        w: &[f64],
        out: &mut [f64],
    ) {
        for Factor { kind, velocity, .. } in &self.factors {
            let at = velocity.clone();
            let (theta, x, w) = (&theta[at.clone()], &x[at.clone()], &w[at.clone()]);
            kind.tangent_inverse_derivative_times(theta, x, w, &mut out[at]);
        }
    }

    /// `out = [x, y]`.
    pub fn ad_times(&self, x: &[f64], y: &[f64], out: &mut [f64]) {
        for Factor { kind, velocity, .. } in &self.factors {
            let at = velocity.clone();
            kind.ad_times(&x[at.clone()], &y[at.clone()], &mut out[at]);
        }
    }

    /// Solves `(sigma I + (1 - sigma) T(theta)) x = right` in place.
    pub fn blend_solve(&self, sigma: f64, theta: &[f64], x: &mut [f64]) {
        for Factor { kind, velocity, .. } in &self.factors {
            if let GroupKind::Rn(_) = kind {
                continue; // the matrix is the identity
            }
            let (theta, x) = (&theta[velocity.clone()], &mut x[velocity.clone()]);
            let mut right = [0.0; 6];
            let right = &mut right[..x.len()];
            right.copy_from_slice(x);
            kind.blend_solve(sigma, theta, right, x);
        }
    }

    /// `|log(a⁻¹ ∘ b)|`, the root of the sum of squares over the factors.
    pub fn distance(&self, a: &[f64], b: &[f64]) -> f64 {
        let square = |factor: &Factor| {
            let at = factor.config.clone();
            factor.kind.distance_squared(&a[at.clone()], &b[at])
        };
        self.factors.iter().map(square).sum::<f64>().sqrt()
    }

    /// `out = a ∘ exp(s log(a⁻¹ ∘ b))`: `a` at 0, `b` at 1.
    pub fn interpolate(&self, a: &[f64], b: &[f64], s: f64, out: &mut [f64]) {
        for Factor { kind, config, .. } in &self.factors {
            let at = config.clone();
            kind.interpolate(&a[at.clone()], &b[at.clone()], s, &mut out[at]);
        }
        for i in self.angles() {
            out[i] = a[i] + s * (b[i] - a[i]);
        }
    }

    /// Moves `q` to the group element that rounding errors took it from.
    pub fn renormalize(&self, q: &mut [f64]) {
        for Factor { kind, config, .. } in &self.factors {
            kind.renormalize(&mut q[config.clone()]);
        }
    }

    /// How far `q` is from the group: the largest defect of a factor.
    pub fn defect(&self, q: &[f64]) -> f64 {
        self.factors
            .iter()
            .map(|factor| factor.kind.defect(&q[factor.config.clone()]))
            .fold(0.0, f64::max)
    }
}

impl FromIterator<GroupKind> for Space {
    fn from_iter<I: IntoIterator<Item = GroupKind>>(kinds: I) -> Self {
        Self::new(kinds)
    }
}
