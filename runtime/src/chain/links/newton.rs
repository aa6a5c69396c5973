//! Newton's matrix of a chain, reduced to the joints.
//!
//! The matrix `A` of the dynamics has one block for each link: a rotation part
//! of three and a multiple `m* = h^2 epsilon' gamma' m` of the identity for the
//! translation. With the row part `N*` of the constraint that is imposed,
//!
//! ```text
//! index 3:  N* = N T                            t = 1
//! index 2:  N* = h (N V - L T)                  t = h gamma'
//! Q = N* A^-1 N^T,   S as for a stage with t / m* in the place of 1 / m
//! ```
//!
//! where `L` is the derivative of `-N Omega` and `K`, of the joint forces alone,
//!
//! ```text
//! L = [Omega_2 c2 + Omega_3 c3, -Omega_2 c1, -Omega_3 c1]
//! K = [[0, 0, 0], [-c2.mu, c1.mu, 0], [-c3.mu, 0, c1.mu]]
//! ```

use super::complete::CompleteMatrix;
use super::small::{
    M3, V3, ZERO, add_scaled, cross, dot, hat, inverse, is_singular, plus, product,
    scaled_plus_diagonal, size, times, two_outer, v3,
};
use super::sweep::LostBlock;
use super::whole::WholeJoints;
use super::{Body, LinkChain, gyroscopic_damping};
use crate::error::Fault;
use crate::lie::GroupKind;
use crate::lie::coefficients::{cosc, sine_defect};
use crate::system::{Formulation, NewtonCoefficients, NewtonPoint, NewtonVectors};

/// The eliminated unknowns of a link.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LinkFactor {
    /// `A^-1` of the rotation.
    pub(super) inverse: M3,
    /// `N*`.
    pub(super) held: M3,
    /// `c2`, `c3`.
    pub(super) columns: [V3; 2],
    /// `1 / m*`.
    pub(super) mobility: f64,
}

/// A joint after elimination of those before it.
#[derive(Clone, Copy, Debug, Default)]
struct JointFactor {
    /// `D_j^-1`.
    reciprocal: M3,
    /// `C_j`.
    coupling: M3,
}

/// What is eliminated before the rest is factored as a whole.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Way {
    /// Links and joints, one after another: nothing is left.
    #[default]
    Blocks,
    /// The links: a block of a joint is singular.
    Joints,
    /// Nothing: a block of a link is singular.
    Complete,
}

/// Factors of a Newton matrix.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct NewtonFactors {
    pub(super) links: Vec<LinkFactor>,
    joints: Vec<JointFactor>,
    /// Right-hand sides of the joints, then `y_j`.
    right: Vec<V3>,
    /// `t`.
    translation: f64,
    pub(super) way: Way,
    whole: WholeJoints,
    pub(super) complete: CompleteMatrix,
}

/// Rotation parts of a link at a Newton iteration.
pub(super) struct LinkTangents {
    /// `T`.
    pub(super) tangent: M3,
    /// `V`.
    pub(super) velocity: M3,
    /// `h^2 (epsilon' J + D)`.
    pub(super) inertia: M3,
}

impl LinkTangents {
    #[inline(always)]
    pub(super) fn at(
        i: usize,
        link: &Body,
        coefficients: &NewtonCoefficients,
        point: &NewtonPoint<'_, LinkChain>,
    ) -> Self {
        let at = 6 * i;
        let v = &point.v[at..at + 3];
        let (theta, k) = (&v3(&point.theta[at..]), &v3(&point.k[at..]));
        let NewtonCoefficients {
            h,
            sigma,
            gamma_h,
            epsilon_h,
            ..
        } = *coefficients;
        let s = dot(theta, theta);
        let turn = hat(theta);
        let tangent = scaled_plus_diagonal(-cosc(s), &turn, 1.0);
        let tangent = plus(&tangent, sine_defect(s), &product(&turn, &turn));
        let mut inertia = gyroscopic_damping(link, v);
        for i in 0..3 {
            inertia[i][i] += epsilon_h * link.inertia[i];
        }
        let velocity = if sigma == 0.0 {
            scaled_plus_diagonal(0.0, &ZERO, gamma_h)
        } else {
            general_velocity(coefficients, theta, k, v)
        };
        Self {
            tangent,
            velocity,
            inertia: scaled_plus_diagonal(h * h, &inertia, 0.0),
        }
    }

    /// `A`, and the size of what it is a sum of.
    #[inline(always)]
    pub(super) fn block(
        &self,
        coefficients: &NewtonCoefficients,
        [c2, c3]: &[V3; 2],
        mu: &V3,
    ) -> (M3, f64) {
        let NewtonCoefficients { h, gamma_h, .. } = *coefficients;
        let (inertia, tangent) = (&self.inertia, &self.tangent);
        let mut block = if coefficients.sigma == 0.0 {
            scaled_plus_diagonal(gamma_h, inertia, 0.0)
        } else {
            product(inertia, &self.velocity)
        };
        let m = [
            h * h * dot(&cross(c2, c3), mu),
            h * h * dot(c2, mu),
            h * h * dot(c3, mu),
        ];
        for j in 0..3 {
            block[1][j] += m[0] * tangent[1][j] - m[1] * tangent[0][j];
            block[2][j] += m[0] * tangent[2][j] - m[2] * tangent[0][j];
        }
        (block, gamma_h * size(inertia) + m[0].abs())
    }

    /// `N*`.
    #[inline(always)]
    pub(super) fn held(
        &self,
        coefficients: &NewtonCoefficients,
        columns: &[V3; 2],
        v: &[f64],
    ) -> M3 {
        if coefficients.formulation == Formulation::Index2 {
            self.hidden(coefficients.h, columns, v)
        } else {
            n_times(columns, &self.tangent)
        }
    }

    /// `N+`.
    #[inline(always)]
    pub(super) fn hidden(&self, h: f64, columns: &[V3; 2], v: &[f64]) -> M3 {
        let driven = n_times(columns, &self.velocity);
        let turned = product(&turning(columns, v), &self.tangent);
        scaled_plus_diagonal(h, &plus(&driven, -1.0, &turned), 0.0)
    }
}

/// `V = P^-1 (gamma' (I - D[T k]) - (1 - sigma) D[T v])`; for `sigma = 0` it is `gamma' I`.
#[inline(never)]
fn general_velocity(coefficients: &NewtonCoefficients, theta: &V3, k: &V3, v: &[f64]) -> M3 {
    let sigma = coefficients.sigma;
    let mut buffer = [0.0; 9];
    let mut read = |fill: &dyn Fn(&mut [f64])| -> M3 {
        fill(&mut buffer);
        core::array::from_fn(|i| v3(&buffer[3 * i..]))
    };
    let of_k = read(&|m| GroupKind::SO3.tangent_derivative_into(theta, k, m));
    let of_v = read(&|m| GroupKind::SO3.tangent_derivative_into(theta, &v[..3], m));
    let blend = read(&|m| GroupKind::SO3.blend_inverse_into(sigma, theta, m));
    let gamma_h = coefficients.gamma_h;
    let slope = scaled_plus_diagonal(-gamma_h, &of_k, gamma_h);
    product(&blend, &plus(&slope, sigma - 1.0, &of_v))
}

/// `N X = c3 (row 2 of X) - c2 (row 3 of X)`.
#[inline(always)]
pub(super) fn n_times([c2, c3]: &[V3; 2], x: &M3) -> M3 {
    two_outer(c3, &x[1], &c2.map(|c| -c), &x[2])
}

/// `X N^T = (column 2 of X) c3^T - (column 3 of X) c2^T`.
#[inline(always)]
pub(super) fn times_n([c2, c3]: &[V3; 2], x: &M3) -> M3 {
    let column = |j: usize| -> V3 { [x[0][j], x[1][j], x[2][j]] };
    two_outer(&column(1), c3, &column(2).map(|c| -c), c2)
}

/// `N^T`.
pub(super) fn n_transposed([c2, c3]: &[V3; 2]) -> M3 {
    [[0.0; 3], *c3, minus(c2)]
}

/// `L`.
#[inline(always)]
pub(super) fn turning([c2, c3]: &[V3; 2], v: &[f64]) -> M3 {
    let c1 = cross(c2, c3);
    core::array::from_fn(|i| [v[1] * c2[i] + v[2] * c3[i], -v[1] * c1[i], -v[2] * c1[i]])
}

impl LinkChain {
    /// Eliminates the links and, but for the stabilized formulation, the joints.
    pub(super) fn factor_newton(
        &self,
        coefficients: &NewtonCoefficients,
        point: &NewtonPoint<'_, Self>,
        factors: &mut NewtonFactors,
    ) -> Result<(), Fault> {
        let formulation = coefficients.formulation;
        factors
            .links
            .resize(self.links.len(), LinkFactor::default());
        let stabilized = formulation == Formulation::StabilizedIndex2;
        if !stabilized {
            factors
                .joints
                .resize(self.joints.len(), JointFactor::default());
            factors.right.resize(self.joints.len(), [0.0; 3]);
        }
        let (mobility, translation) = translation_parts(coefficients);
        factors.translation = translation;
        factors.way = Way::Blocks;
        let NewtonFactors {
            links: link_factors,
            joints,
            translation,
            way,
            complete,
            ..
        } = &mut *factors;
        let (mut diagonal, mut terms_before) = (ZERO, 0.0);
        let mut before = self.multiplier(point.lambda, 0);
        let links = self.links.iter().zip(&point.geometry.columns);
        for (i, ((link, columns), factor)) in links.zip(link_factors).enumerate() {
            let after = self.multiplier(point.lambda, i + 1);
            let mu = Self::moment_arm_force(link, &before, &after);
            before = after;
            let Ok((inverse, held)) = Self::eliminate_link(i, link, coefficients, point, &mu)
            else {
                *way = Way::Complete;
                return self.factor_complete(coefficients, point, complete);
            };
            *factor = LinkFactor {
                inverse,
                held,
                columns: *columns,
                mobility: mobility * link.inverse_mass,
            };
            if !stabilized && *way == Way::Blocks {
                let front = (&diagonal, terms_before);
                match self.factor_joint(i, link, front, factor, *translation, joints) {
                    Ok(next) => (diagonal, terms_before) = next,
                    Err(LostBlock) => *way = Way::Joints,
                }
            }
        }
        let last = self.links.len();
        if !stabilized && *way == Way::Blocks && self.joints.contains(&last) {
            let (reciprocal, determinant) = inverse(&diagonal);
            if is_singular(determinant, terms_before) {
                *way = Way::Joints;
            }
            joints[last - self.joints.start] = JointFactor {
                reciprocal,
                coupling: ZERO,
            };
        }
        if *way == Way::Joints {
            return self.factor_whole(factors);
        }
        Ok(())
    }

    /// `A^-1` of the rotation of a link, and its `N*`.
    #[inline(always)]
    pub(super) fn eliminate_link(
        i: usize,
        link: &Body,
        coefficients: &NewtonCoefficients,
        point: &NewtonPoint<'_, Self>,
        mu: &V3,
    ) -> Result<(M3, M3), LostBlock> {
        let columns = &point.geometry.columns[i];
        let tangents = LinkTangents::at(i, link, coefficients, point);
        let (block, terms) = tangents.block(coefficients, columns, mu);
        let (reciprocal, determinant) = inverse(&block);
        if is_singular(determinant, terms) {
            return Err(LostBlock);
        }
        let held = tangents.held(coefficients, columns, &point.v[6 * i..6 * i + 3]);
        Ok((reciprocal, held))
    }

    /// Factors the joints with exchanges of rows between them.
    #[cold]
    fn factor_whole(&self, factors: &mut NewtonFactors) -> Result<(), Fault> {
        let NewtonFactors {
            links,
            translation,
            whole,
            ..
        } = factors;
        whole.begin(self.joints.len());
        for (i, (link, factor)) in self.links.iter().zip(links.iter()).enumerate() {
            let q = times_n(&factor.columns, &product(&factor.held, &factor.inverse));
            whole.add(self, i, link, &q, *translation * factor.mobility);
        }
        whole.factor(self)
    }

    /// Eliminates the joint before a link: from `D_i` without the link to `D_{i+1}` without
    /// the next one.
    #[inline(always)]
    fn factor_joint(
        &self,
        i: usize,
        link: &Body,
        (diagonal, terms_before): (&M3, f64),
        factor: &LinkFactor,
        translation: f64,
        joints: &mut [JointFactor],
    ) -> Result<(M3, f64), LostBlock> {
        let first = self.joints.start;
        let q = times_n(&factor.columns, &product(&factor.held, &factor.inverse));
        let shift = translation * factor.mobility;
        let (p, s) = (link.first, link.second);
        let own = scaled_plus_diagonal(s * s, &q, shift);
        let terms = s * s * size(&q) + shift.abs();
        if i < first {
            return Ok((own, terms));
        }
        let block = plus(diagonal, 1.0, &scaled_plus_diagonal(p * p, &q, shift));
        let (reciprocal, determinant) = inverse(&block);
        if is_singular(determinant, terms_before + p * p * size(&q) + shift.abs()) {
            return Err(LostBlock);
        }
        let coupling = scaled_plus_diagonal(p * s, &q, shift);
        let reduced = product(&coupling, &product(&reciprocal, &coupling));
        joints[i - first] = JointFactor {
            reciprocal,
            coupling,
        };
        Ok((plus(&own, -1.0, &reduced), terms))
    }

    /// Replaces a residual by the correction.
    pub(super) fn solve_newton(
        &self,
        vectors: &mut NewtonVectors<Self>,
        factors: &mut NewtonFactors,
    ) {
        let NewtonFactors {
            links,
            joints,
            right,
            translation,
            way,
            whole,
            ..
        } = factors;
        let careful = *way == Way::Joints;
        let (first, last) = (self.joints.start, self.links.len());
        let (dynamics, constraint) = (&mut vectors.dynamics, &mut vectors.constraint);
        // S lambda = N* A^-1 r - c, forward.
        let mut front = minus(&self.multiplier(constraint, 0));
        let each = self.links.iter().zip(links.iter());
        for (i, ((link, factor), r)) in each.zip(dynamics.chunks_exact_mut(6)).enumerate() {
            let turned = times(&factor.inverse, &v3(r));
            r[..3].copy_from_slice(&turned);
            for x in &mut r[3..] {
                *x *= factor.mobility;
            }
            let turn = times(&factor.held, &turned);
            let shift: V3 = core::array::from_fn(|k| *translation * r[3 + k]);
            let mut after = minus(&self.multiplier(constraint, i + 1));
            for k in 0..3 {
                after[k] += shift[k] - link.second * turn[k];
                front[k] -= shift[k] - link.first * turn[k];
            }
            if i >= first && careful {
                right[i - first] = front;
            } else if i >= first {
                let JointFactor {
                    reciprocal,
                    coupling,
                } = &joints[i - first];
                let y = times(reciprocal, &front);
                right[i - first] = y;
                after = add_scaled(&after, 1.0, &times(coupling, &y));
            }
            front = after;
        }
        // Backward: multipliers, and the links after them.
        let mut after = [0.0; 3];
        let ends_held = self.joints.contains(&last);
        if careful {
            if ends_held {
                right[last - first] = front;
            }
            whole.solve(right.as_flattened_mut());
        }
        if ends_held {
            after = if careful {
                right[last - first]
            } else {
                times(&joints[last - first].reciprocal, &front)
            };
            constraint[3 * (last - first)..].copy_from_slice(&after);
        }
        let each = self.links.iter().zip(links.iter()).enumerate().rev();
        for ((i, (link, factor)), r) in each.zip(dynamics.chunks_exact_mut(6).rev()) {
            let mut before = [0.0; 3];
            if i >= first {
                before = right[i - first];
                if !careful {
                    let JointFactor {
                        reciprocal,
                        coupling,
                    } = &joints[i - first];
                    let push = times(reciprocal, &times(coupling, &after));
                    before = add_scaled(&before, 1.0, &push);
                }
                constraint[3 * (i - first)..3 * (i - first) + 3].copy_from_slice(&before);
            }
            let mu = Self::moment_arm_force(link, &before, &after);
            let [c2, c3] = &factor.columns;
            let turned = times(&factor.inverse, &[0.0, dot(c3, &mu), -dot(c2, &mu)]);
            for k in 0..3 {
                r[k] -= turned[k];
                r[3 + k] -= factor.mobility * (after[k] - before[k]);
            }
            after = before;
        }
    }
}

/// `m / m*` and `t`.
pub(super) fn translation_parts(coefficients: &NewtonCoefficients) -> (f64, f64) {
    let NewtonCoefficients {
        h,
        gamma_h,
        epsilon_h,
        formulation,
        ..
    } = *coefficients;
    let index2 = formulation == Formulation::Index2;
    let translation = if index2 { h * gamma_h } else { 1.0 };
    (1.0 / (h * h * epsilon_h * gamma_h), translation)
}

#[inline(always)]
pub(super) fn minus(x: &V3) -> V3 {
    x.map(|x| -x)
}
