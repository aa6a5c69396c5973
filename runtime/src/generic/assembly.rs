//! Sums over bodies, joints, rods and forces: `K`, `D`, `D_q(B v)`, the Schur
//! complement and the Newton matrix.

use super::body::BodyData;
use super::constraint::{Block, Pose, Row};
use super::{GenericGeometry, GenericSystem, GenericWorkspace, JointData, pose_of, relative_pose};
use crate::chain::HUB_ROWS;
use crate::lie::GroupKind;
use crate::linear::{LinearMethod, LinearSystem};
use crate::real::Real;
use crate::system::{Formulation, NewtonCoefficients, NewtonPoint};
use nalgebra::{Matrix3, Matrix6, Vector6};
use std::ops::Range;

/// The two bodies that a joint or force acts on; `None` is the ground.
#[derive(Clone, Copy, Debug)]
pub(super) struct Element {
    pub(super) a: Option<usize>,
    pub(super) b: Option<usize>,
    /// The first coordinate of the second body in a [`Row`]; a row has six of them.
    first: usize,
}

/// Up to six coordinates of a body, from the first on: all of a body in space, some of one
/// with modal coordinates.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    pub(super) body: usize,
    pub(super) first: usize,
}

impl Part {
    /// The first six.
    pub(super) fn of(body: usize) -> Self {
        Self { body, first: 0 }
    }

    /// Their places in a velocity.
    #[inline]
    pub(super) fn places(self, bodies: &[BodyData]) -> Range<usize> {
        let Range { start, end } = bodies[self.body].velocity;
        let start = start + self.first;
        start..end.min(start + 6)
    }
}

impl Element {
    pub(super) fn of(joint: &JointData) -> Self {
        Self::between(joint.a, joint.b)
    }

    pub(super) fn between(a: Option<usize>, b: Option<usize>) -> Self {
        Self { a, b, first: 0 }
    }

    /// Six coordinates of a body with modal coordinates.
    pub(super) fn modal(body: usize, first: usize) -> Self {
        Self {
            a: None,
            b: Some(body),
            first,
        }
    }

    /// The coordinates of the bodies, each with its first slot in a [`Row`].
    pub(super) fn sides(self) -> impl Iterator<Item = (usize, Part)> + Clone {
        let side = |slot, body: Option<usize>, first| body.map(|body| (slot, Part { body, first }));
        let second = side(6, self.b, self.first);
        side(0, self.a, 0).into_iter().chain(second)
    }
}

/// Where forces and formulas are evaluated.
#[derive(Clone, Copy, Debug)]
pub(super) struct Snapshot<'a, R: Real = f64> {
    pub(super) t: f64,
    pub(super) poses: &'a [Pose<R>],
    /// The continuous angles of the configuration.
    pub(super) turns: &'a [f64],
    /// The modal coordinates of the configuration, body after body.
    pub(super) modes: &'a [R],
    pub(super) v: &'a [R],
}

impl<R: Real> Snapshot<'_, R> {
    /// The first body of an element seen from the second.
    #[inline]
    pub(super) fn relative(&self, element: Element) -> Pose<R> {
        relative_pose(self.poses, element)
    }
}

/// Group operators of one body in a Newton step, in the leading block.
#[derive(Clone, Debug, Default)]
pub(super) struct BodyTangents {
    /// `T(theta)`.
    tangent: Matrix6<f64>,
    /// `V = dv / dtheta`.
    velocity: Matrix6<f64>,
    /// `P^-1`.
    blend_inverse: Matrix6<f64>,
}

impl GenericSystem {
    /// `E^T` on both sides of a row.
    #[inline]
    pub(super) fn row_to_group<R: Real>(
        &self,
        element: Element,
        poses: &[Pose<R>],
        row: &Row<R>,
    ) -> Row<R> {
        let mut out = Row::zeros();
        for (slot, Part { body: i, .. }) in element.sides() {
            let side = row.fixed_rows::<6>(slot).into_owned();
            let side = self.bodies[i].to_group(&poses[i], &side);
            out.fixed_rows_mut::<6>(slot).copy_from(&side);
        }
        out
    }

    /// Product of a row with a velocity.
    #[inline]
    pub(super) fn pair_dot(&self, element: Element, row: &Row, w: &[f64]) -> f64 {
        let mut sum = 0.0;
        for (slot, part) in element.sides() {
            let w = &w[part.places(&self.bodies)];
            for (x, b) in w.iter().zip(&row.as_slice()[slot..slot + 6]) {
                sum += x * b;
            }
        }
        sum
    }

    /// Adds a multiple of a row to a force.
    #[inline]
    pub(super) fn add_pair<R: Real>(
        &self,
        element: Element,
        row: &Row<R>,
        factor: R,
        out: &mut [R],
    ) {
        for (slot, part) in element.sides() {
            let out = &mut out[part.places(&self.bodies)];
            for (x, b) in out.iter_mut().zip(&row.as_slice()[slot..slot + 6]) {
                *x += factor * *b;
            }
        }
    }

    /// Adds the product of a block of `K` or `D` with a velocity.
    pub(super) fn add_product(
        &self,
        i: Part,
        j: Part,
        block: &Matrix6<f64>,
        w: &[f64],
        out: &mut [f64],
    ) {
        let (rows, columns) = (i.places(&self.bodies), j.places(&self.bodies));
        for (r, row) in rows.enumerate() {
            for (c, column) in columns.clone().enumerate() {
                out[row] += block[(r, c)] * w[column];
            }
        }
    }

    /// Brings `D_q(b v)` at fixed body twists, for a row `b` over body twists, to group
    /// coordinates: fixed group velocities are not fixed body twists where `U = R^T u`.
    pub(super) fn slope_to_group(
        &self,
        element: Element,
        at: &Snapshot<'_>,
        row: &Row,
        slope: &Row,
    ) -> Row {
        let mut slope = *slope;
        for (slot, Part { body, .. }) in element.sides() {
            if self.bodies[body].is_direct() {
                let twist = self.bodies[body].twist(&at.poses[body], at.v);
                let b = row.fixed_rows::<3>(slot + 3);
                let u = twist.fixed_rows::<3>(3);
                let mut rotation = slope.fixed_rows_mut::<3>(slot);
                rotation += b.cross(&u);
            }
        }
        self.row_to_group(element, at.poses, &slope)
    }

    /// Calls `sink(element, row index, D_q(B v + dPhi/dt) row in group coordinates)` for each
    /// constraint.
    pub(super) fn each_jacobian_derivative(
        &self,
        geometry: &GenericGeometry,
        v: &[f64],
        mut sink: impl FnMut(Element, usize, &Row),
    ) {
        let at = geometry.snapshot(v);
        for (joint, relative) in self.joints.iter().zip(&geometry.relatives) {
            let element = Element::of(joint);
            let twist = self.pair_twist(element, at.poses, v);
            for i in joint.rows.clone() {
                let constraint = &geometry.constraints[i];
                let mut slope = match &joint.inertial {
                    None => constraint.jacobian_derivative(relative, &twist),
                    Some(held) => {
                        let (a, b) = (pose_of(at.poses, joint.a), pose_of(at.poses, joint.b));
                        held.row_derivative(&a, &b, &twist, i - joint.rows.start)
                    }
                };
                if let Some(driver) = joint.driver {
                    slope += geometry.drives[driver].rate_gradient(relative);
                }
                let row = Self::joint_row(joint, i, constraint, relative, at.poses);
                sink(element, i, &self.slope_to_group(element, &at, &row, &slope));
            }
        }
        self.each_rod_slope(geometry, v, &mut sink);
    }

    /// Calls `sink(i, j, K_ij, D_ij)` for the blocks of `K` and `D`; blocks repeat
    /// where several elements act on a pair. Joints have no `D`. Without multipliers `K` lacks
    /// their part.
    pub(super) fn each_tangent(
        &self,
        geometry: &GenericGeometry,
        v: &[f64],
        lambda: &[f64],
        mut sink: impl FnMut(Part, Part, &Matrix6<f64>, Option<&Matrix6<f64>>),
    ) {
        let at = geometry.snapshot(v);
        let poses = at.poses;
        for (i, (body, pose)) in self.bodies.iter().zip(poses).enumerate() {
            if body.modes.is_some() {
                continue; // neither weight nor gyroscopic terms
            }
            let k = body.weight_stiffness(pose, &self.gravity);
            let mut k = body.block_to_group(pose, body, pose, &k);
            let mut weight = Vector6::zeros();
            body.add_weight(pose, &self.gravity, &mut weight);
            k += self.turning_force(i, pose, &weight);
            sink(
                Part::of(i),
                Part::of(i),
                &k,
                Some(&body.gyroscopic_damping(v)),
            );
        }
        for (joint, relative) in self.joints.iter().zip(&geometry.relatives) {
            let mut k = Block::zeros();
            let mut force = Row::zeros();
            for i in joint.rows.clone() {
                let Some(&lambda) = lambda.get(i) else {
                    continue;
                };
                let constraint = &geometry.constraints[i];
                if joint.inertial.is_none() {
                    constraint.add_stiffness(relative, lambda, &mut k);
                }
                force += Self::joint_row(joint, i, constraint, relative, poses) * lambda;
            }
            if let (Some(held), Some(lambda)) = (&joint.inertial, lambda.get(joint.rows.clone())) {
                k = held.stiffness(&pose_of(poses, joint.a), &pose_of(poses, joint.b), lambda);
            }
            let element = Element::of(joint);
            let mut stiffness = |i, j, k: &_, _: &_| sink(i, j, k, None);
            self.element_tangents(element, &at, &force, &k, &Block::zeros(), &mut stiffness);
        }
        let mut sink = |i, j, k: &_, d: &_| sink(i, j, k, Some(d));
        self.each_force_tangent(&at, &mut sink);
        self.each_rod_tangent(geometry, &at, lambda, &mut sink);
    }

    /// `D_q(E^T) f`: the force keeps its body components and turns with the body.
    fn turning_force(&self, i: usize, pose: &Pose, force: &Vector6<f64>) -> Matrix6<f64> {
        let mut k = Matrix6::zeros();
        if self.bodies[i].is_direct() {
            let f = force.fixed_rows::<3>(3).into_owned().cross_matrix();
            k.fixed_view_mut::<3, 3>(3, 0)
                .copy_from(&-(pose.rotation * f));
        }
        k
    }

    /// Brings the tangents of an element from body twists to group coordinates.
    pub(super) fn element_tangents(
        &self,
        element: Element,
        at: &Snapshot<'_>,
        force: &Row,
        k: &Block,
        d: &Block,
        sink: &mut impl FnMut(Part, Part, &Matrix6<f64>, &Matrix6<f64>),
    ) {
        let poses = at.poses;
        let twist = self.pair_twist(element, poses, at.v);
        for (row, rows) in element.sides() {
            for (column, columns) in element.sides() {
                let (i, j) = (rows.body, columns.body);
                let d = d.fixed_view::<6, 6>(row, column).into_owned();
                let mut k = k.fixed_view::<6, 6>(row, column).into_owned();
                if self.bodies[j].is_direct() {
                    let u = twist.fixed_rows::<3>(column + 3).into_owned();
                    let turn: Matrix3<f64> = u.cross_matrix();
                    let add = d.fixed_view::<6, 3>(0, 3) * turn;
                    let mut rotation = k.fixed_view_mut::<6, 3>(0, 0);
                    rotation += add;
                }
                let (body, other) = (&self.bodies[i], &self.bodies[j]);
                let d = body.block_to_group(&poses[i], other, &poses[j], &d);
                let mut k = body.block_to_group(&poses[i], other, &poses[j], &k);
                if i == j {
                    let side = force.fixed_rows::<6>(row).into_owned();
                    k += self.turning_force(i, &poses[i], &side);
                }
                sink(rows, columns, &k, &d);
            }
        }
    }

    /// `B(rows) M^-1 B(columns)^T`, body by body. The rows of a [hub](Self::hubs) are coupled to its
    /// acceleration `-y` and not to each other:
    ///
    /// ```text
    /// y + M^-1 B(columns)^T lambda = 0,     - B(rows) y   in place of   B(rows) M^-1 B(columns)^T lambda
    /// ```
    pub(super) fn assemble_schur(
        &self,
        rows: &GenericGeometry,
        columns: &GenericGeometry,
        workspace: &mut GenericWorkspace,
    ) {
        let weighted = &mut workspace.weighted;
        for body in &self.bodies {
            for (row, second) in body.rows() {
                let slots = slots(second, body.dof());
                let (from, to) = (
                    &columns.rows[row].as_slice()[slots.clone()],
                    &mut weighted[row].as_mut_slice()[slots],
                );
                body.mass_solve(from, to);
            }
        }
        workspace.schur.begin();
        let mut motion = self.row_names.len();
        for body in &self.bodies {
            if self.is_hub(body) {
                for k in motion..motion + body.dof() {
                    workspace.schur.add(k, k, 1.0);
                }
                for (row, second) in body.rows() {
                    let slots = slots(second, body.dof());
                    let left = &rows.rows[row].as_slice()[slots.clone()];
                    let right = &weighted[row].as_slice()[slots];
                    for (k, (left, right)) in left.iter().zip(right).enumerate() {
                        workspace.schur.add(row, motion + k, -left);
                        workspace.schur.add(motion + k, row, *right);
                    }
                }
                motion += body.dof();
                continue;
            }
            for (left, second_left) in &body.held_by {
                let left_slots = slots(*second_left, body.dof());
                for (right, second_right) in &body.held_by {
                    let right_slots = slots(*second_right, body.dof());
                    let mut block = [0.0; MOST_ROWS * MOST_ROWS];
                    let mut places = block.iter_mut();
                    for row in &rows.rows[left.clone()] {
                        let row = &row.as_slice()[left_slots.clone()];
                        for column in &weighted[right.clone()] {
                            let column = &column.as_slice()[right_slots.clone()];
                            if let Some(place) = places.next() {
                                *place = row.iter().zip(column).map(|(x, y)| x * y).sum();
                            }
                        }
                    }
                    let (rows, columns) = (left.len(), right.len());
                    let block = &block[..rows * columns];
                    (workspace.schur).add_block(left.start, right.start, rows, columns, block);
                }
            }
        }
    }

    /// The matrix of [`assemble_schur`](Self::assemble_schur), with nothing in it yet.
    pub(super) fn schur_system(&self) -> LinearSystem {
        let mut holders = vec![0; self.row_names.len()];
        for (holder, (_, rows)) in (0_u32..).zip(self.holders()) {
            holders[rows].fill(holder);
        }
        #[expect(clippy::cast_possible_truncation, reason = "fewer than 2^32 joints")]
        let first = self.holders().count() as u32;
        for (hub, body) in (first..).zip(self.hubs()) {
            holders.extend((0..body.dof()).map(|_| hub));
        }
        LinearSystem::grouped(holders.len(), self.method, |row| [holders[row]; 2])
    }

    /// Bodies that hold so many others that their rows do not belong into one matrix.
    fn hubs(&self) -> impl Iterator<Item = &BodyData> {
        self.bodies.iter().filter(|body| self.is_hub(body))
    }

    /// The row of an unknown of the Schur complement; for the motion of a hub the last of its rows.
    pub(super) fn row_of_unknown(&self, unknown: usize) -> usize {
        let mut first = self.row_names.len();
        for hub in self.hubs() {
            if (first..first + hub.dof()).contains(&unknown) {
                return hub.rows().last().map_or(0, |(row, _)| row);
            }
            first += hub.dof();
        }
        unknown
    }

    fn is_hub(&self, body: &BodyData) -> bool {
        let rows = body.held_by.iter().map(|(rows, _)| rows.len());
        self.method == LinearMethod::Fronts && rows.sum::<usize>() > HUB_ROWS
    }

    /// The matrix of [`assemble_newton`](Self::assemble_newton), with nothing in it yet: velocities
    /// belong to their bodies, multipliers to the bodies that they hold.
    pub(super) fn newton_system(&self, size: usize) -> LinearSystem {
        let mut vertices = Vec::with_capacity(size);
        for (body, data) in (0_u32..).zip(&self.bodies) {
            vertices.extend(data.velocity.clone().map(|_| [body; 2]));
        }
        let first = vertices.len();
        vertices.resize(first + self.row_names.len(), [0; 2]);
        for (element, rows) in self.holders() {
            #[expect(clippy::cast_possible_truncation, reason = "fewer than 2^32 bodies")]
            let mut bodies = element.sides().map(|(_, part)| part.body as u32);
            let a = bodies.next().unwrap_or(0);
            let b = bodies.next().unwrap_or(a);
            vertices[first + rows.start..first + rows.end].fill([a, b]);
        }
        vertices.extend_from_within(first..);
        LinearSystem::grouped(size, self.method, |unknown| vertices[unknown])
    }

    /// `T`, `V` and `P^-1` of every body, see
    /// [`velocity_of_increment`](crate::system::System::velocity_of_increment):
    /// `V = P^-1 (gamma' (I - D_theta[T k]) - (1 - sigma) D_theta[T v])`.
    fn body_tangents(
        &self,
        coefficients: &NewtonCoefficients,
        point: &NewtonPoint<'_, Self>,
        tangents: &mut [BodyTangents],
    ) {
        let mut buffer = [0.0; 36];
        for (body, out) in self.bodies.iter().zip(tangents) {
            let n = body.dof();
            if let GroupKind::Rn(_) = body.kind {
                out.tangent = Matrix6::identity();
                out.velocity = Matrix6::identity() * coefficients.gamma_h;
                out.blend_inverse = Matrix6::identity();
                continue;
            }
            let range = body.velocity.clone();
            let mut read = |fill: &dyn Fn(&mut [f64])| {
                fill(&mut buffer[..n * n]);
                let mut matrix = Matrix6::zeros();
                for i in 0..n {
                    for j in 0..n {
                        matrix[(i, j)] = buffer[n * i + j];
                    }
                }
                matrix
            };
            let theta = &point.theta[range.clone()];
            let k = &point.k[range.clone()];
            let v = &point.v[range];
            let sigma = coefficients.sigma;
            out.tangent = read(&|m| body.kind.tangent_into(theta, m));
            out.blend_inverse = read(&|m| body.kind.blend_inverse_into(sigma, theta, m));
            let slope_k = read(&|m| body.kind.tangent_derivative_into(theta, k, m));
            let mut slope = (Matrix6::identity() - slope_k) * coefficients.gamma_h;
            if (sigma - 1.0).abs() > 0.0 {
                let slope_v = read(&|m| body.kind.tangent_derivative_into(theta, v, m));
                slope -= slope_v * (1.0 - sigma);
            }
            out.velocity = out.blend_inverse * slope;
        }
    }

    /// The matrix of [`newton_factor`](crate::system::Implicit::newton_factor).
    pub(super) fn assemble_newton(
        &self,
        coefficients: &NewtonCoefficients,
        point: &NewtonPoint<'_, Self>,
        workspace: &mut GenericWorkspace,
    ) {
        let GenericWorkspace {
            newton, tangents, ..
        } = workspace;
        self.body_tangents(coefficients, point, tangents);
        let NewtonCoefficients { h, epsilon_h, .. } = *coefficients;
        let h2 = h * h;
        let (nv, nc) = (self.space.dof(), self.row_names.len());
        let stabilized = coefficients.formulation == Formulation::StabilizedIndex2;
        let eta_factor = coefficients.gamma_h * h;

        newton.begin();
        for (body, tangents) in self.bodies.iter().zip(tangents.iter()) {
            let (start, n) = (body.velocity.start, body.dof());
            if let GroupKind::Rn(_) = body.kind {
                for i in 0..n {
                    for j in 0..n {
                        let mass = body.mass_entry(i, j) * coefficients.gamma_h;
                        newton.add(start + i, start + j, h2 * epsilon_h * mass);
                    }
                }
                continue;
            }
            let mut block = Matrix6::zeros();
            for i in 0..n {
                for j in 0..n {
                    let products =
                        (0..n).map(|l| body.mass_entry(i, l) * tangents.velocity[(l, j)]);
                    block[(i, j)] = h2 * epsilon_h * products.sum::<f64>();
                }
            }
            add_matrix(newton, &body.velocity, &body.velocity, &block);
        }
        self.each_tangent(point.geometry, point.v, point.lambda, |i, j, k, d| {
            let of_column = &tangents[j.body];
            let mut block = k * of_column.tangent * h2;
            if let Some(d) = d {
                block += d * of_column.velocity * h2;
            }
            let (rows, columns) = (i.places(&self.bodies), j.places(&self.bodies));
            add_matrix(newton, &rows, &columns, &block);
            if let (true, Some(d)) = (stabilized, d) {
                let start = point.geometry_start;
                self.each_eta(j.body, start, tangents, eta_factor, |row, e| {
                    let column = d * e * h2;
                    let column = &column.as_slice()[..rows.len()];
                    newton.add_block(rows.start, nv + nc + row, rows.len(), 1, column);
                });
            }
        });
        if stabilized {
            for (j, body) in self.bodies.iter().enumerate() {
                self.each_eta(j, point.geometry_start, tangents, eta_factor, |row, e| {
                    let mut column = [0.0; 6];
                    let n = body.dof();
                    let column = &mut column[..n];
                    body.mass_times(&e.as_slice()[..n], column);
                    for x in &mut *column {
                        *x *= h2 * epsilon_h;
                    }
                    newton.add_block(body.velocity.start, nv + nc + row, n, 1, column);
                });
            }
        }
        self.assemble_constraints(coefficients, point, newton, tangents);
    }

    /// Constraint rows and columns of the Newton matrix.
    fn assemble_constraints(
        &self,
        coefficients: &NewtonCoefficients,
        point: &NewtonPoint<'_, Self>,
        newton: &mut LinearSystem,
        tangents: &[BodyTangents],
    ) {
        let h = coefficients.h;
        let (nv, nc) = (self.space.dof(), self.row_names.len());
        let stabilized = coefficients.formulation == Formulation::StabilizedIndex2;
        let hidden = match coefficients.formulation {
            Formulation::Index3 => None,
            Formulation::Index2 => Some(nv),
            Formulation::StabilizedIndex2 => Some(nv + nc),
        };
        for (element, rows) in self.holders() {
            for (slot, Part { body: j, .. }) in element.sides() {
                let body = &self.bodies[j];
                for row in rows.clone() {
                    let b = point.geometry.rows[row].fixed_rows::<6>(slot).into_owned();
                    let moved = tangents[j].tangent.tr_mul(&b);
                    let driven = tangents[j].velocity.tr_mul(&b) * h;
                    let (first, n) = (body.velocity.start, body.dof());
                    newton.add_block(first, nv + row, n, 1, &b.as_slice()[..n]);
                    if coefficients.formulation != Formulation::Index2 {
                        newton.add_block(nv + row, first, 1, n, &moved.as_slice()[..n]);
                    }
                    if let Some(below) = hidden {
                        newton.add_block(below + row, first, 1, n, &driven.as_slice()[..n]);
                    }
                    if stabilized {
                        let eta_factor = coefficients.gamma_h * h;
                        self.each_eta(
                            j,
                            point.geometry_start,
                            tangents,
                            eta_factor,
                            |column, e| {
                                newton.add(nv + nc + row, nv + nc + column, h * b.dot(e));
                            },
                        );
                    }
                }
            }
        }
        if let Some(first) = hidden {
            self.each_jacobian_derivative(point.geometry, point.v, |element, row, slope| {
                for (slot, Part { body: j, .. }) in element.sides() {
                    let slope = slope.fixed_rows::<6>(slot).into_owned();
                    let moved = tangents[j].tangent.tr_mul(&slope) * h;
                    let (column, n) = (self.bodies[j].velocity.start, self.bodies[j].dof());
                    newton.add_block(first + row, column, 1, n, &moved.as_slice()[..n]);
                }
            });
        }
    }

    /// Calls `sink(row, E_j)` with the part of `dv/deta = (gamma/beta) P^-1 B(q_n)^T` in body `j`.
    fn each_eta(
        &self,
        j: usize,
        start: &GenericGeometry,
        tangents: &[BodyTangents],
        factor: f64,
        mut sink: impl FnMut(usize, &Vector6<f64>),
    ) {
        let body = &self.bodies[j];
        for (row, second) in body.rows() {
            let slot = if second { 6 } else { 0 };
            let b = start.rows[row].fixed_rows::<6>(slot).into_owned();
            sink(row, &(tangents[j].blend_inverse * b * factor));
        }
    }
}

/// Most rows of a joint or rod.
const MOST_ROWS: usize = 6;

/// Adds the leading part of a matrix.
fn add_matrix(
    system: &mut LinearSystem,
    rows: &Range<usize>,
    columns: &Range<usize>,
    matrix: &Matrix6<f64>,
) {
    let mut values = [0.0; 36];
    let (n, m) = (rows.len(), columns.len());
    for i in 0..n {
        for j in 0..m {
            values[m * i + j] = matrix[(i, j)];
        }
    }
    system.add_block(rows.start, columns.start, n, m, &values[..n * m]);
}

/// Where a body's part of a [`Row`] is.
fn slots(second: bool, dof: usize) -> Range<usize> {
    let start = if second { 6 } else { 0 };
    start..start + dof
}
