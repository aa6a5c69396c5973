//! Linear systems assembled column by column from products, and eliminated with a choice of pivots.
//!
//! Generated code has a fixed order of pivots for each system that it solves often. Where a pivot
//! of that order is lost, and for systems that are not worth code of their own, the matrix is
//! found from what the system answers anyway: its column `j` is the product with the unit vector
//! `e_j`. That costs the model no code.

use super::Dense;
use super::blocks::velocity_block;
use crate::error::Fault;
use crate::lie::GroupKind;
use crate::linear::Singular;
use crate::system::{Formulation, NewtonCoefficients, NewtonPoint, NewtonVectors, System};

/// [`System::schur_solve`]: column `j` is `B(q_rows) M^-1 B(q_columns)^T e_j`.
///
/// # Errors
/// [`Fault::SingularConstraints`] if the constraints are linearly dependent.
#[cold]
#[inline(never)]
pub fn schur_solve<S: System>(
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

/// [`System::newton_factor`], with the matrix of its documentation.
///
/// # Errors
/// [`Fault::SingularNewton`] if the matrix is singular.
#[inline(never)]
pub fn newton_factor<S: System>(
    system: &S,
    coefficients: &NewtonCoefficients,
    point: &NewtonPoint<'_, S>,
    dense: &mut Dense,
) -> Result<(), Fault> {
    let formulation = coefficients.formulation;
    let (nv, nc) = (system.space().dof(), system.constraint_count());
    let stabilized = formulation == Formulation::StabilizedIndex2;
    let mut columns = Columns::new(system, coefficients, point);
    dense.clear(nv + nc + if stabilized { nc } else { 0 });
    // Where the rows of `h B v` are.
    let hidden = if stabilized { nv + nc } else { nv };

    let (mut moved, mut driven) = (system.new_velocity(), system.new_velocity());
    for factor in system.space().factors() {
        let (first, n) = (factor.velocity.start, factor.velocity.len());
        let at = factor.velocity.clone();
        // T by rows, and V = dv/dtheta.
        let mut tangent = [0.0; 36];
        let mut velocity = None;
        if !matches!(factor.kind, GroupKind::Rn(_)) {
            let theta = &point.theta.as_ref()[at.clone()];
            factor.kind.tangent_into(theta, &mut tangent[..n * n]);
            velocity = Some(velocity_block(factor.kind, &at, coefficients, point));
        }
        for j in 0..n {
            if let Some(velocity) = &velocity {
                for i in 0..n {
                    moved.as_mut()[first + i] = tangent[n * i + j];
                    driven.as_mut()[first + i] = velocity.entry(i, j);
                }
            } else {
                moved.as_mut()[at.clone()].fill(0.0);
                driven.as_mut()[at.clone()].fill(0.0);
                moved.as_mut()[first + j] = 1.0;
                driven.as_mut()[first + j] = coefficients.gamma_h;
            }
            columns.dynamics(Some(&moved), &driven);
            dense.set_column(0, first + j, columns.dynamics.as_ref());
            if formulation != Formulation::Index2 {
                system.jacobian_times(point.geometry, &moved, &mut columns.rows);
                dense.set_column(nv, first + j, columns.rows.as_ref());
            }
            if formulation != Formulation::Index3 {
                columns.hidden(Some(&moved), &driven);
                dense.set_column(hidden, first + j, columns.rows.as_ref());
            }
        }
        moved.as_mut()[at.clone()].fill(0.0);
        driven.as_mut()[at].fill(0.0);
    }
    let mut unit = system.new_multiplier();
    for j in 0..nc {
        unit.as_mut()[j] = 1.0;
        system.jacobian_transpose_times(point.geometry, &unit, &mut moved);
        dense.set_column(0, nv + j, moved.as_ref());
        if stabilized {
            // E e_j = gamma' h P^-1 B(q_n)^T e_j
            system.jacobian_transpose_times(point.geometry_start, &unit, &mut moved);
            let space = system.space();
            space.blend_solve(
                coefficients.sigma,
                point.theta.as_ref(),
                moved.as_ref(),
                driven.as_mut(),
            );
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

/// [`System::newton_solve`] with the last factors of [`newton_factor`].
#[inline(never)]
pub fn newton_solve<S: System>(vectors: &mut NewtonVectors<S>, dense: &mut Dense) {
    dense.solve_parts([
        vectors.dynamics.as_mut(),
        vectors.constraint.as_mut(),
        vectors.hidden.as_mut(),
    ]);
}

/// Memory for the columns of a Newton matrix.
struct Columns<'a, S: System> {
    system: &'a S,
    coefficients: &'a NewtonCoefficients,
    point: &'a NewtonPoint<'a, S>,
    dynamics: S::Velocity,
    rows: S::Multiplier,
    product: S::Velocity,
    more: S::Multiplier,
}

impl<'a, S: System> Columns<'a, S> {
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
fn singular_constraints<S: System>(system: &S, singular: &Singular) -> Fault {
    Fault::SingularConstraints {
        constraint: system.constraint_name(singular.index),
        pivot: singular.pivot,
        scale: singular.scale,
    }
}

/// The error of a singular Newton matrix.
#[cold]
pub(super) fn singular_newton<S: System>(system: &S, singular: &Singular) -> Fault {
    let index = singular.index;
    let dof = system.space().dof();
    let unknown = if index < dof {
        let factors = system.space().factors().enumerate();
        let mut found = String::new();
        for (i, factor) in factors {
            if factor.velocity.contains(&index) {
                let component = index - factor.velocity.start;
                found = format!("body `{}`, component {component}", system.factor_name(i));
            }
        }
        found
    } else {
        system.constraint_name((index - dof) % system.constraint_count())
    };
    Fault::SingularNewton {
        unknown,
        pivot: singular.pivot,
        scale: singular.scale,
    }
}
