//! Linear systems assembled column by column from products, and eliminated with a choice of pivots.
//!
//! Generated code has a fixed order of pivots for each system that it solves often. Where a pivot
//! of that order is lost, and for systems that are not worth code of their own, the matrix is
//! found from what the system answers anyway: its column `j` is the product with the unit vector
//! `e_j`. That costs the model no code.

use super::Dense;
use crate::error::Fault;
use crate::linear::Singular;
use crate::state::copy;
use crate::system::{
    Constrained, Formulation, Implicit, NewtonCoefficients, NewtonPoint, NewtonVectors,
};

/// [`Constrained::schur_solve`]: column `j` is `B(q_rows) M^-1 B(q_columns)^T e_j`.
///
/// # Errors
/// [`Fault::SingularConstraints`] if the constraints are linearly dependent.
#[cold]
#[inline(never)]
pub fn schur_solve<S: Constrained + ?Sized>(
    system: &S,
    rows: &S::Geometry,
    columns: &S::Geometry,
    right: &mut S::Multiplier,
    dense: &mut Dense,
) -> Result<(), Fault> {
    let count = system.constraint_count();
    let (mut unit, mut column) = (system.new_multiplier(), system.new_multiplier());
    let (mut push, mut motion) = (system.new_velocity(), system.new_velocity());
    dense.clear(count);
    for j in 0..count {
        unit.as_mut()[j] = 1.0;
        system.jacobian_transpose_times(columns, &unit, &mut push);
        unit.as_mut()[j] = 0.0;
        system.mass_solve(&push, &mut motion);
        system.jacobian_times(rows, &motion, &mut column);
        dense.set_column(0, j, column.as_ref());
    }
    dense
        .factor()
        .map_err(|singular| singular_constraints(system, &singular))?;
    dense.solve(right.as_mut());
    Ok(())
}

/// [`Implicit::newton_factor`], with the matrix of its documentation.
///
/// # Errors
/// [`Fault::SingularNewton`] if the matrix is singular.
#[inline(never)]
pub fn newton_factor<S: Implicit + ?Sized>(
    system: &S,
    coefficients: &NewtonCoefficients,
    point: &NewtonPoint<'_, S>,
    dense: &mut Dense,
) -> Result<(), Fault> {
    let formulation = coefficients.formulation;
    let (nv, nc) = (point.v.as_ref().len(), system.constraint_count());
    let stabilized = formulation == Formulation::StabilizedIndex2;
    let mut columns = Columns::new(system, coefficients, point);
    dense.clear(nv + nc + if stabilized { nc } else { 0 });
    // Where the rows of `h B v` are.
    let hidden = if stabilized { nv + nc } else { nv };

    let (mut moved, mut driven) = (system.new_velocity(), system.new_velocity());
    let mut direction = system.new_velocity();
    for j in 0..nv {
        direction.as_mut()[j] = 1.0;
        system.tangent(point.theta, &direction, &mut moved);
        columns.velocity(&direction, &mut driven);
        direction.as_mut()[j] = 0.0;
        columns.dynamics(Some(&moved), &driven);
        dense.set_column(0, j, columns.dynamics.as_ref());
        if formulation != Formulation::Index2 {
            system.jacobian_times(point.geometry, &moved, &mut columns.rows);
            dense.set_column(nv, j, columns.rows.as_ref());
        }
        if formulation != Formulation::Index3 {
            columns.hidden(Some(&moved), &driven);
            dense.set_column(hidden, j, columns.rows.as_ref());
        }
    }
    let mut unit = system.new_multiplier();
    for j in 0..nc {
        unit.as_mut()[j] = 1.0;
        system.jacobian_transpose_times(point.geometry, &unit, &mut moved);
        dense.set_column(0, nv + j, moved.as_ref());
        if stabilized {
            // E e_j = gamma' h P^-1 B(q_n)^T e_j
            system.jacobian_transpose_times(point.geometry_start, &unit, &mut moved);
            copy(&mut driven, &moved);
            system.blend_solve(coefficients.sigma, point.theta, &mut driven);
            for x in driven.as_mut() {
                *x *= coefficients.gamma_h * coefficients.h;
            }
            columns.dynamics(None, &driven);
            dense.set_column(0, nv + nc + j, columns.dynamics.as_ref());
            columns.hidden(None, &driven);
            dense.set_column(hidden, nv + nc + j, columns.rows.as_ref());
        }
        unit.as_mut()[j] = 0.0;
    }
    dense
        .factor()
        .map_err(|singular| singular_newton(system, &singular))
}

/// [`Implicit::newton_solve`] with the last factors of [`newton_factor`].
#[inline(never)]
pub fn newton_solve<S: Implicit + ?Sized>(vectors: &mut NewtonVectors<S>, dense: &mut Dense) {
    dense.solve_parts([
        vectors.dynamics.as_mut(),
        vectors.constraint.as_mut(),
        vectors.hidden.as_mut(),
    ]);
}

/// Memory for the columns of a Newton matrix.
struct Columns<'a, S: Implicit + ?Sized> {
    system: &'a S,
    coefficients: &'a NewtonCoefficients,
    point: &'a NewtonPoint<'a, S>,
    dynamics: S::Velocity,
    rows: S::Multiplier,
    product: S::Velocity,
    more: S::Multiplier,
}

impl<'a, S: Implicit + ?Sized> Columns<'a, S> {
    fn new(
        system: &'a S,
        coefficients: &'a NewtonCoefficients,
        point: &'a NewtonPoint<'a, S>,
    ) -> Self {
        Self {
            system,
            coefficients,
            point,
            dynamics: system.new_velocity(),
            rows: system.new_multiplier(),
            product: system.new_velocity(),
            more: system.new_multiplier(),
        }
    }

    /// `out = V w`, `V = dv/dtheta`, with `P = sigma I + (1 - sigma) T(theta)`:
    ///
    /// ```text
    /// V = P^-1 (gamma' I - D_theta[T x]),   x = gamma' k + (1 - sigma) v
    /// ```
    ///
    /// For sigma = 0 that is `gamma' I`.
    fn velocity(&mut self, w: &S::Velocity, out: &mut S::Velocity) {
        let (system, point) = (self.system, self.point);
        let NewtonCoefficients { gamma_h, sigma, .. } = *self.coefficients;
        if sigma == 0.0 {
            for (out, w) in out.as_mut().iter_mut().zip(w.as_ref()) {
                *out = gamma_h * w;
            }
            return;
        }
        let x = &mut self.dynamics;
        let known = point.k.as_ref().iter().zip(point.v.as_ref());
        for (x, (k, v)) in x.as_mut().iter_mut().zip(known) {
            *x = gamma_h * k + (1.0 - sigma) * v;
        }
        system.tangent_derivative(point.theta, x, w, &mut self.product);
        let parts = w.as_ref().iter().zip(self.product.as_ref());
        for (out, (w, slope)) in out.as_mut().iter_mut().zip(parts) {
            *out = gamma_h * w - slope;
        }
        system.blend_solve(sigma, point.theta, out);
    }

    /// `h^2 [(epsilon' M + D) driven + K moved]`.
    fn dynamics(&mut self, moved: Option<&S::Velocity>, driven: &S::Velocity) {
        let (system, point) = (self.system, self.point);
        let NewtonCoefficients { h, epsilon_h, .. } = *self.coefficients;
        let (t, q, g, v) = (point.t, point.q, point.geometry, point.v);
        system.mass_times(driven, &mut self.dynamics);
        system.damping_times(t, q, g, v, driven, &mut self.product);
        let product = self.product.as_ref();
        for (x, damped) in self.dynamics.as_mut().iter_mut().zip(product) {
            *x = h * h * (epsilon_h * *x + damped);
        }
        if let Some(moved) = moved {
            system.stiffness_times(t, q, g, v, point.lambda, moved, &mut self.product);
            let product = self.product.as_ref();
            for (x, stiff) in self.dynamics.as_mut().iter_mut().zip(product) {
                *x += h * h * stiff;
            }
        }
    }

    /// `h (B driven + D_q(B v + dPhi/dt) moved)`.
    fn hidden(&mut self, moved: Option<&S::Velocity>, driven: &S::Velocity) {
        let (system, point, h) = (self.system, self.point, self.coefficients.h);
        let (q, g, v) = (point.q, point.geometry, point.v);
        system.jacobian_times(g, driven, &mut self.rows);
        self.more.as_mut().fill(0.0);
        if let Some(moved) = moved {
            system.jacobian_derivative_times(q, g, v, moved, &mut self.more);
        }
        for (x, more) in self.rows.as_mut().iter_mut().zip(self.more.as_ref()) {
            *x = h * (*x + more);
        }
    }
}

/// The error of a singular Schur complement.
#[cold]
fn singular_constraints<S: Constrained + ?Sized>(system: &S, singular: &Singular) -> Fault {
    Fault::SingularConstraints {
        constraint: system.constraint_name(singular.index),
        pivot: singular.pivot,
        scale: singular.scale,
    }
}

/// The error of a singular Newton matrix.
#[cold]
pub(super) fn singular_newton<S: Constrained + ?Sized>(system: &S, singular: &Singular) -> Fault {
    let index = singular.index;
    let dof = system.new_velocity().as_ref().len();
    let unknown = if index < dof {
        system.velocity_name(index)
    } else {
        system.constraint_name((index - dof) % system.constraint_count())
    };
    Fault::SingularNewton {
        unknown,
        pivot: singular.pivot,
        scale: singular.scale,
    }
}
