//! A chain of rigid links with spherical joints, for many links.
//!
//! Link `i` lies along its local x axis, with its centre of mass at the origin
//! and principal axes as body axes, on the group `SO3xR3`. Joint `j` holds the
//! point `second` of link `j - 1` and the point `first` of link `j`; beyond
//! both ends of the chain is the ground.
//!
//! ```text
//! Phi_j = (x + second R e1)_{j-1} - (x + first R e1)_j            inertial axes
//! ```
//!
//! With the columns `c2 = R e2`, `c3 = R e3` a point `s` on the x axis moves with
//!
//! ```text
//! u + s (Omega_3 c2 - Omega_2 c3) = u - s N Omega,    N = c3 e2^T - c2 e3^T
//! ```
//!
//! so the rows of `B` are `[-second N, I]` and `[first N, -I]`, all forces of
//! joints on the rotation of a link are `N^T mu` with
//! `mu = first lambda_i - second lambda_{i+1}`, and `c2`, `c3` are all that
//! anybody must know of the configuration. No force couples two links except
//! through multipliers: every linear system reduces to a block tridiagonal one
//! with blocks of three (`stage`, `newton`) or six (`stabilized`) multipliers. A long
//! chain is limited by memory, so each of these is one loop over the links.
//!
//! The multipliers are the forces on the link after the joint, in inertial
//! components. Links of other shapes and other joints: [`Tree`](super::Tree).

mod complete;
mod correction;
mod data;
mod description;
mod newton;
mod residual;
mod small;
mod stabilized;
mod stage;
mod sweep;
#[cfg(test)]
mod tests;
mod whole;

use self::correction::SweptLink;
pub(super) use self::data::ChainNames;
use self::data::{Bodies, Body};
pub use self::data::{ChainStart, Link};
use self::newton::{NewtonFactors, Way};
use self::small::{M3, V3, ZERO, add_scaled, combine, cross, dot, v3};
use self::stabilized::Stabilized;
use self::sweep::{Known, LostBlock};
use self::whole::WholeJoints;
use super::invalid::{InvalidTree, check};
use crate::error::Fault;
use crate::joints::JointFrame;
use crate::lie::coefficients::{cosc, cot_defect, sinc, sine_defect};
use crate::lie::{GroupKind, LieGroup, Rotation, S3, Space};
use crate::system::{
    Constrained, Dense, Energy, Formulation, Implicit, Increment, IncrementResults, Manifold,
    Mechanics, Momentum, NewtonCoefficients, NewtonPoint, NewtonVectors, ResidualPoint,
    ResidualSize, Scratch, Stage, StagePast, StageResults, Workspace, compose_correction,
};
use nalgebra::Vector3;
use std::sync::OnceLock;

/// A chain of rigid links with spherical joints.
#[derive(Clone, Debug)]
pub struct LinkChain {
    space: Space,
    gravity: V3,
    links: Bodies,
    /// Joints that exist, out of `0..=links`.
    joints: core::ops::Range<usize>,
    /// Where the ground holds the ends.
    anchors: [V3; 2],
    start: (Box<[f64]>, Box<[f64]>),
    names: Option<ChainNames>,
    /// For outputs; made when they are asked for.
    frames: OnceLock<Vec<JointFrame>>,
}

/// The columns `c2`, `c3` of each link.
#[derive(Clone, Debug)]
pub struct ChainGeometry {
    columns: Vec<[V3; 2]>,
}

/// Factors and scratch memory.
#[derive(Clone, Debug)]
pub struct ChainWorkspace {
    /// Factors of a half-explicit stage.
    stage: Vec<M3>,
    whole: WholeJoints,
    newton: NewtonFactors,
    /// Of a Newton matrix that is not kept.
    swept: Vec<SweptLink>,
    stabilized: Stabilized,
    formulation: Formulation,
    dense: Dense,
}

impl Workspace for ChainWorkspace {
    fn dense(&mut self) -> &mut Dense {
        &mut self.dense
    }
}

impl ChainWorkspace {
    fn new(joints: usize) -> Self {
        Self {
            stage: vec![ZERO; joints],
            whole: WholeJoints::default(),
            newton: NewtonFactors::default(),
            swept: Vec::new(),
            stabilized: Stabilized::new(joints),
            formulation: Formulation::Index3,
            dense: Dense::default(),
        }
    }
}

impl Default for ChainWorkspace {
    /// Without memory.
    fn default() -> Self {
        Self::new(0)
    }
}

impl LinkChain {
    /// A chain of links.
    ///
    /// # Errors
    /// [`InvalidTree`] with the number that is wrong.
    pub fn new(links: &[Link], gravity: [f64; 3], start: &ChainStart) -> Result<Self, InvalidTree> {
        Self::named(links, gravity, start, None)
    }

    /// A chain whose parts may have names.
    pub(super) fn named(
        links: &[Link],
        gravity: [f64; 3],
        start: &ChainStart,
        names: Option<ChainNames>,
    ) -> Result<Self, InvalidTree> {
        let name = |i: usize| match &names {
            None => format!("link {i}"),
            Some(names) => names.link(i),
        };
        if links.is_empty() {
            return Err(InvalidTree::NoLinks);
        }
        for (i, link) in links.iter().enumerate() {
            let name = name(i);
            let positive =
                |quantity, x: f64| check(&name, quantity, x, "a positive number", x > 0.0);
            positive("mass", link.mass)?;
            for inertia in link.inertia {
                positive("inertia", inertia)?;
            }
            for point in [link.first, link.second] {
                check(&name, "position of a joint", point, "a finite number", true)?;
            }
            if link.first == link.second && links.len() + usize::from(start.held[1]) > i + 1 {
                let expected = "another position than the joint before";
                check(
                    &name,
                    "position of the joint after",
                    link.second,
                    expected,
                    false,
                )?;
            }
        }
        for (quantity, found) in [
            ("rotations", start.rotations.len()),
            ("angular velocities", start.angular_velocities.len()),
        ] {
            if found != links.len() {
                return Err(InvalidTree::WrongLength {
                    item: "chain".to_owned(),
                    quantity,
                    found,
                    expected: links.len(),
                });
            }
        }
        let speed = Vector3::from(start.velocity).norm();
        let still = !start.held[0] || speed == 0.0;
        check("chain", "speed of a held end", speed, "zero", still)?;
        let space = Space::new(links.iter().map(|_| GroupKind::SO3xR3));
        let mut q = Vec::with_capacity(space.config_len());
        let mut v = Vec::with_capacity(space.dof());
        let mut point = Vector3::from(start.origin);
        let mut velocity = Vector3::from(start.velocity);
        for (i, link) in links.iter().enumerate() {
            let [w, x, y, z] = start.rotations[i];
            let quaternion = S3 {
                scalar: w,
                vector: Vector3::new(x, y, z),
            };
            let length = w * w + quaternion.vector.norm_squared();
            let unit = (length - 1.0).abs() < 1e-6;
            let expected = "a quaternion of length one";
            check(
                &name(i),
                "squared length of the quaternion",
                length,
                expected,
                unit,
            )?;
            let rotation = quaternion.renormalized().to_matrix();
            let omega = Vector3::from(start.angular_velocities[i]);
            let axis = rotation.column(0).into_owned();
            let turn = rotation * omega.cross(&Vector3::x());
            let (center, u) = (point - axis * link.first, velocity - turn * link.first);
            q.extend_from_slice(rotation.transpose().as_slice());
            q.extend_from_slice(center.as_slice());
            v.extend_from_slice(omega.as_slice());
            v.extend_from_slice(u.as_slice());
            (point, velocity) = (center + axis * link.second, u + turn * link.second);
        }
        let first = usize::from(!start.held[0]);
        let last = links.len() + usize::from(start.held[1]);
        Ok(Self {
            space,
            gravity,
            joints: first..last.max(first),
            anchors: [start.origin, point.into()],
            links: Bodies::new(links),
            start: (q.into_boxed_slice(), v.into_boxed_slice()),
            names,
            frames: OnceLock::new(),
        })
    }

    /// Equal links.
    ///
    /// # Errors
    /// [`InvalidTree`] with the number that is wrong.
    pub fn uniform(link: Link, gravity: [f64; 3], start: &ChainStart) -> Result<Self, InvalidTree> {
        Self::new(&vec![link; start.rotations.len()], gravity, start)
    }

    /// Position of the free end of the last link.
    pub fn tip(&self, q: &[f64]) -> [f64; 3] {
        let q = &q[q.len() - 12..];
        let second = self.links.at(self.links.len() - 1).second;
        core::array::from_fn(|i| q[9 + i] + second * q[3 * i])
    }

    /// Multiplier of a joint, zero beyond free ends.
    #[inline(always)]
    fn multiplier(&self, lambda: &[f64], joint: usize) -> V3 {
        if self.joints.contains(&joint) {
            v3(&lambda[3 * (joint - self.joints.start)..])
        } else {
            [0.0; 3]
        }
    }

    /// `first lambda_i - second lambda_{i+1}`.
    #[inline(always)]
    fn moment_arm_force(link: &Body, before: &V3, after: &V3) -> V3 {
        combine(link.first, before, -link.second, after)
    }

    /// Adds what a link moves to the joints before and after: `out += B w`.
    #[inline(always)]
    fn scatter(&self, i: usize, link: &Body, [c2, c3]: &[V3; 2], w: &[f64], out: &mut [f64]) {
        let turn = combine(w[2], c2, -w[1], c3);
        let u = v3(&w[3..]);
        if self.joints.contains(&i) {
            let j = 3 * (i - self.joints.start);
            let rate = add_scaled(&u, link.first, &turn);
            for k in 0..3 {
                out[j + k] -= rate[k];
            }
        }
        if self.joints.contains(&(i + 1)) {
            let j = 3 * (i + 1 - self.joints.start);
            let rate = add_scaled(&u, link.second, &turn);
            for k in 0..3 {
                out[j + k] += rate[k];
            }
        }
    }
}

/// `v + a theta x v + b theta x (theta x v)`.
#[inline(always)]
fn isotropic(theta: &V3, a: f64, b: f64, v: &V3) -> V3 {
    let once = cross(theta, v);
    let twice = cross(theta, &once);
    [
        v[0] + a * once[0] + b * twice[0],
        v[1] + a * once[1] + b * twice[1],
        v[2] + a * once[2] + b * twice[2],
    ]
}

/// `R exp(theta)`: its rows are the columns of `R^T`, turned by `exp(-theta)`.
#[inline(always)]
fn turned(q: &[f64; 12], theta: &V3) -> M3 {
    let s = dot(theta, theta);
    let (a, b) = (sinc(s), cosc(s));
    core::array::from_fn(|i| isotropic(theta, -a, b, &v3(&q[3 * i..])))
}

/// The columns `R exp(theta) e2` and `R exp(theta) e3`, of
/// `exp(theta) = I + a theta~ + b theta~ theta~`.
#[inline(always)]
fn turned_columns(q: &[f64; 12], theta: &V3) -> [V3; 2] {
    let s = dot(theta, theta);
    let (a, b) = (sinc(s), cosc(s));
    let [x, y, z] = *theta;
    let [bx, by, bz] = theta.map(|x| b * x);
    let second = [bx * y - a * z, 1.0 - (bx * x + bz * z), by * z + a * x];
    let third = [bx * z + a * y, by * z - a * x, 1.0 - (bx * x + by * y)];
    [second, third].map(|column| core::array::from_fn(|i| dot(&v3(&q[3 * i..]), &column)))
}

/// `T(theta)^-1 v`, given the rotation of the increment.
#[inline(always)]
fn increment_rate(theta: &V3, v: &[f64; 6]) -> [f64; 6] {
    let b = cot_defect(dot(theta, theta));
    let [x, y, z] = isotropic(theta, 0.5, b, &v3(v));
    [x, y, z, v[3], v[4], v[5]]
}

/// [`System::velocity_of_increment`] of a link, with or without `push`.
#[inline(always)]
fn increment_velocity(
    coefficients: &NewtonCoefficients,
    theta: &[f64; 6],
    k: &[f64; 6],
    push: Option<&[f64; 6]>,
) -> [f64; 6] {
    let NewtonCoefficients { gamma_h, sigma, .. } = *coefficients;
    let turn = v3(theta);
    let s = dot(&turn, &turn);
    let kr = v3(k);
    let mut rotation: V3;
    if sigma == 0.0 {
        // P = T, and T^-1 theta = theta.
        rotation = add_scaled(&turn, -1.0, &kr);
        if let Some(push) = push {
            let pushed = isotropic(&turn, 0.5, cot_defect(s), &v3(push));
            rotation = add_scaled(&rotation, 1.0, &pushed);
        }
    } else {
        let moved = isotropic(&turn, -cosc(s), sine_defect(s), &kr);
        let mut right = add_scaled(&turn, -1.0, &moved);
        if let Some(push) = push {
            right = add_scaled(&right, 1.0, &v3(push));
        }
        rotation = right;
        if sigma != 1.0 {
            GroupKind::SO3.blend_solve(sigma, &turn, &right, &mut rotation);
        }
    }
    let shift = |i: usize| theta[i] - k[i] + push.map_or(0.0, |push| push[i]);
    let [x, y, z] = rotation;
    [x, y, z, shift(3), shift(4), shift(5)].map(|x| gamma_h * x)
}

impl Manifold for LinkChain {
    type Config = Box<[f64]>;
    type Velocity = Box<[f64]>;

    fn new_velocity(&self) -> Box<[f64]> {
        vec![0.0; self.space.dof()].into_boxed_slice()
    }

    fn start_config(&self) -> Box<[f64]> {
        self.start.0.clone()
    }

    fn displace(&self, q: &Box<[f64]>, theta: &Box<[f64]>, out: &mut Box<[f64]>) {
        let (q, theta) = (q.as_chunks::<12>().0, theta.as_chunks::<6>().0);
        let links = q.iter().zip(theta);
        for ((q, theta), out) in links.zip(out.as_chunks_mut::<12>().0) {
            out[..9].copy_from_slice(turned(q, &v3(theta)).as_flattened());
            for i in 0..3 {
                out[9 + i] = q[9 + i] + theta[3 + i];
            }
        }
    }

    fn tangent_inverse(&self, theta: &Box<[f64]>, v: &Box<[f64]>, out: &mut Box<[f64]>) {
        let (theta, v) = (theta.as_chunks::<6>().0, v.as_chunks::<6>().0);
        for ((theta, v), out) in theta.iter().zip(v).zip(out.as_chunks_mut::<6>().0) {
            *out = increment_rate(&v3(theta), v);
        }
    }

    crate::on_product_of_groups!();
}

impl Mechanics for LinkChain {
    type Geometry = ChainGeometry;

    fn new_geometry(&self) -> ChainGeometry {
        ChainGeometry {
            columns: vec![[[0.0; 3]; 2]; self.links.len()],
        }
    }

    fn start_velocity(&self) -> Box<[f64]> {
        self.start.1.clone()
    }

    /// The columns of `R exp(theta)` alone: nobody reads the displaced configuration.
    fn displaced_geometry(
        &self,
        _when: (f64, bool),
        q: &Box<[f64]>,
        theta: &Box<[f64]>,
        out: &mut ChainGeometry,
        _scratch: &mut Box<[f64]>,
    ) -> Result<(), Fault> {
        let (q, theta) = (q.as_chunks::<12>().0, theta.as_chunks::<6>().0);
        for ((q, theta), columns) in q.iter().zip(theta).zip(&mut out.columns) {
            *columns = turned_columns(q, &v3(theta));
        }
        Ok(())
    }

    fn geometry(&self, _t: f64, q: &Box<[f64]>, out: &mut ChainGeometry) -> Result<(), Fault> {
        for (q, columns) in q.chunks_exact(12).zip(&mut out.columns) {
            *columns = [[q[1], q[4], q[7]], [q[2], q[5], q[8]]];
        }
        Ok(())
    }

    fn force(&self, _t: f64, _geometry: &ChainGeometry, v: &Box<[f64]>, out: &mut Box<[f64]>) {
        let links = self.links.iter().zip(v.chunks_exact(6));
        for ((link, v), out) in links.zip(out.chunks_exact_mut(6)) {
            let j = &link.inertia;
            out[0] = (j[2] - j[1]) * v[1] * v[2];
            out[1] = (j[0] - j[2]) * v[2] * v[0];
            out[2] = (j[1] - j[0]) * v[0] * v[1];
            for i in 0..3 {
                out[3 + i] = -link.mass * self.gravity[i];
            }
        }
    }

    fn mass_times(&self, w: &Box<[f64]>, out: &mut Box<[f64]>) {
        let links = self.links.iter().zip(w.chunks_exact(6));
        for ((link, w), out) in links.zip(out.chunks_exact_mut(6)) {
            for i in 0..3 {
                out[i] = link.inertia[i] * w[i];
                out[3 + i] = link.mass * w[3 + i];
            }
        }
    }

    fn mass_solve(&self, f: &Box<[f64]>, out: &mut Box<[f64]>) {
        let links = self.links.iter().zip(f.chunks_exact(6));
        for ((link, f), out) in links.zip(out.chunks_exact_mut(6)) {
            for i in 0..3 {
                out[i] = link.inverse_inertia[i] * f[i];
                out[3 + i] = link.inverse_mass * f[3 + i];
            }
        }
    }

    fn energy(&self, _t: f64, q: &Box<[f64]>, v: &Box<[f64]>) -> Energy {
        let mut energy = Energy::default();
        let links = self.links.iter().zip(q.chunks_exact(12));
        for ((link, q), v) in links.zip(v.chunks_exact(6)) {
            for i in 0..3 {
                energy.kinetic += 0.5 * link.inertia[i] * v[i] * v[i];
                energy.kinetic += 0.5 * link.mass * v[3 + i] * v[3 + i];
                energy.potential -= link.mass * self.gravity[i] * q[9 + i];
            }
        }
        energy
    }

    crate::names_of_bodies!();

    fn may_gain_energy(&self) -> bool {
        false
    }
}

impl Constrained for LinkChain {
    type Multiplier = Box<[f64]>;
    type Workspace = ChainWorkspace;

    fn constraint_count(&self) -> usize {
        3 * self.joints.len()
    }

    fn constraint_name(&self, row: usize) -> String {
        let name = self.joint_name(self.joints.start + row / 3);
        let axis = ["x", "y", "z"][row % 3];
        format!("joint `{name}`, position along inertial {axis}")
    }

    fn new_workspace(&self) -> ChainWorkspace {
        ChainWorkspace::new(self.joints.len())
    }

    fn constraint(&self, _t: f64, q: &Box<[f64]>, _geometry: &ChainGeometry, out: &mut Box<[f64]>) {
        let mut end = self.anchors[0];
        let first = self.joints.start;
        for (i, (link, q)) in self.links.iter().zip(q.chunks_exact(12)).enumerate() {
            let at = |s: f64| -> V3 { core::array::from_fn(|k| q[9 + k] + s * q[3 * k]) };
            if i >= first {
                let begin = at(link.first);
                for k in 0..3 {
                    out[3 * (i - first) + k] = end[k] - begin[k];
                }
            }
            end = at(link.second);
        }
        let last = self.links.len();
        if self.joints.contains(&last) {
            for k in 0..3 {
                out[3 * (last - first) + k] = end[k] - self.anchors[1][k];
            }
        }
    }

    fn jacobian_times(&self, geometry: &ChainGeometry, w: &Box<[f64]>, out: &mut Box<[f64]>) {
        out.fill(0.0);
        let links = self.links.iter().zip(&geometry.columns);
        for (i, ((link, columns), w)) in links.zip(w.chunks_exact(6)).enumerate() {
            self.scatter(i, link, columns, w, out);
        }
    }

    fn jacobian_transpose_times(
        &self,
        geometry: &ChainGeometry,
        lambda: &Box<[f64]>,
        out: &mut Box<[f64]>,
    ) {
        let links = self.links.iter().zip(&geometry.columns);
        let mut before = self.multiplier(lambda, 0);
        for (i, ((link, [c2, c3]), out)) in links.zip(out.chunks_exact_mut(6)).enumerate() {
            let after = self.multiplier(lambda, i + 1);
            let mu = Self::moment_arm_force(link, &before, &after);
            out[0] = 0.0;
            out[1] = dot(c3, &mu);
            out[2] = -dot(c2, &mu);
            for k in 0..3 {
                out[3 + k] = after[k] - before[k];
            }
            before = after;
        }
    }

    fn constraint_rate(&self, _t: f64, _geometry: &ChainGeometry, out: &mut Box<[f64]>) {
        out.fill(0.0);
    }

    fn constraint_quadratic(
        &self,
        _t: f64,
        q: &Box<[f64]>,
        geometry: &ChainGeometry,
        v: &Box<[f64]>,
        out: &mut Box<[f64]>,
    ) {
        self.jacobian_derivative_times(q, geometry, v, v, out);
    }

    fn schur_solve(
        &self,
        rows: &ChainGeometry,
        columns: &ChainGeometry,
        right: &mut Box<[f64]>,
        workspace: &mut ChainWorkspace,
    ) -> Result<(), Fault> {
        let ChainWorkspace { stage, whole, .. } = workspace;
        let mut links = Known { rows, columns };
        // Elimination replaces it.
        whole.right.clear();
        whole.right.extend_from_slice(right);
        self.sweep::<true>(right, stage, &mut links)
            .or_else(|LostBlock| self.solve_whole(right, whole, &mut links))
    }

    fn sweep_stage(
        &self,
        stage: &Stage<'_, Self>,
        past: &StagePast<'_, Self>,
        results: &mut StageResults<'_, Self>,
        workspace: &mut ChainWorkspace,
    ) -> Result<bool, Fault> {
        let ChainWorkspace {
            stage: factors,
            whole,
            ..
        } = workspace;
        self.solve_stage(stage, past, results, factors, whole)?;
        Ok(true)
    }

    crate::branches_of_joints!();
}

impl Implicit for LinkChain {
    fn velocity_of_increment(
        &self,
        coefficients: &NewtonCoefficients,
        theta: &Box<[f64]>,
        k: &Box<[f64]>,
        push: &Box<[f64]>,
        out: &mut Box<[f64]>,
    ) {
        let (theta, k) = (theta.as_chunks::<6>().0, k.as_chunks::<6>().0);
        let links = theta.iter().zip(k).zip(push.as_chunks::<6>().0);
        for (((theta, k), push), out) in links.zip(out.as_chunks_mut::<6>().0) {
            *out = increment_velocity(coefficients, theta, k, Some(push));
        }
    }

    /// The rates of the columns are `c2' = R (w x e2)` and `c3' = R (w x e3)`.
    fn jacobian_derivative_times(
        &self,
        _q: &Box<[f64]>,
        geometry: &ChainGeometry,
        v: &Box<[f64]>,
        w: &Box<[f64]>,
        out: &mut Box<[f64]>,
    ) {
        out.fill(0.0);
        let links = self.links.iter().zip(&geometry.columns);
        let links = links.zip(v.chunks_exact(6).zip(w.chunks_exact(6)));
        for (i, ((link, columns), (v, w))) in links.enumerate() {
            let rates = column_rates(columns, &v3(w));
            self.scatter(i, link, &rates, &[0.0, v[1], v[2], 0.0, 0.0, 0.0], out);
        }
    }

    fn stiffness_times(
        &self,
        _t: f64,
        _q: &Box<[f64]>,
        geometry: &ChainGeometry,
        _v: &Box<[f64]>,
        lambda: &Box<[f64]>,
        w: &Box<[f64]>,
        out: &mut Box<[f64]>,
    ) {
        let links = self.links.iter().zip(&geometry.columns);
        let links = links.zip(w.chunks_exact(6).zip(out.chunks_exact_mut(6)));
        for (i, ((link, columns), (w, out))) in links.enumerate() {
            let (before, after) = (self.multiplier(lambda, i), self.multiplier(lambda, i + 1));
            let mu = Self::moment_arm_force(link, &before, &after);
            let [c2, c3] = column_rates(columns, &v3(w));
            out.fill(0.0);
            out[1] = dot(&c3, &mu);
            out[2] = -dot(&c2, &mu);
        }
    }

    fn damping_times(
        &self,
        _t: f64,
        _q: &Box<[f64]>,
        _geometry: &ChainGeometry,
        v: &Box<[f64]>,
        w: &Box<[f64]>,
        out: &mut Box<[f64]>,
    ) {
        let links = self.links.iter().zip(out.chunks_exact_mut(6));
        let links = links.zip(v.chunks_exact(6).zip(w.chunks_exact(6)));
        for ((link, out), (v, w)) in links {
            let product = small::times(&gyroscopic_damping(link, v), &v3(w));
            out[..3].copy_from_slice(&product);
            out[3..].fill(0.0);
        }
    }

    fn newton_residual(
        &self,
        coefficients: &NewtonCoefficients,
        point: &ResidualPoint<'_, Self>,
        geometry: &mut ChainGeometry,
        out: &mut NewtonVectors<Self>,
        _scratch: &mut Scratch<Self>,
    ) -> Result<(), Fault> {
        self.residual(coefficients, point, geometry, out);
        Ok(())
    }

    fn newton_factor(
        &self,
        coefficients: &NewtonCoefficients,
        point: &NewtonPoint<'_, Self>,
        workspace: &mut ChainWorkspace,
    ) -> Result<(), Fault> {
        workspace.formulation = coefficients.formulation;
        self.factor_newton(coefficients, point, &mut workspace.newton)?;
        let complete = workspace.newton.way == Way::Complete;
        if coefficients.formulation == Formulation::StabilizedIndex2 && !complete {
            let (newton, stabilized) = (&workspace.newton, &mut workspace.stabilized);
            return self.factor_stabilized(coefficients, point, newton, stabilized);
        }
        Ok(())
    }

    fn sweep_increment(
        &self,
        coefficients: &NewtonCoefficients,
        increment: &Increment<'_, Self>,
        results: &mut IncrementResults<'_, Self>,
        residual: Option<&mut NewtonVectors<Self>>,
    ) -> Option<ResidualSize> {
        Some(self.follow(coefficients, increment, results, residual))
    }

    fn newton_correction(
        &self,
        coefficients: &NewtonCoefficients,
        point: &NewtonPoint<'_, Self>,
        residual: &mut NewtonVectors<Self>,
        correction: &mut NewtonVectors<Self>,
        workspace: &mut ChainWorkspace,
    ) -> Result<(), Fault> {
        let swept = &mut workspace.swept;
        if coefficients.formulation != Formulation::StabilizedIndex2
            && self.correct_newton(coefficients, point, residual, correction, swept)
        {
            return Ok(());
        }
        compose_correction(self, coefficients, point, residual, correction, workspace)
    }

    fn newton_solve(&self, vectors: &mut NewtonVectors<Self>, workspace: &mut ChainWorkspace) {
        if workspace.newton.way == Way::Complete {
            self.solve_complete(vectors, &mut workspace.newton.complete);
        } else if workspace.formulation == Formulation::StabilizedIndex2 {
            self.solve_stabilized(vectors, &workspace.newton, &mut workspace.stabilized);
        } else {
            self.solve_newton(vectors, &mut workspace.newton);
        }
    }
}

impl crate::system::Bodies for LinkChain {
    fn space(&self) -> &Space {
        &self.space
    }

    fn joints(&self) -> &[JointFrame] {
        self.frames.get_or_init(|| self.joint_frames())
    }

    fn factor_name(&self, factor: usize) -> String {
        match &self.names {
            None => format!("link.{factor}"),
            Some(names) => names.link(factor),
        }
    }

    fn factor_origin(&self, _factor: usize) -> [f64; 3] {
        [0.0; 3]
    }

    fn momentum(&self, q: &Box<[f64]>, v: &Box<[f64]>) -> Momentum {
        let mut sum = Momentum::default();
        let links = self.links.iter().zip(q.chunks_exact(12));
        for ((link, q), v) in links.zip(v.chunks_exact(6)) {
            let spin: V3 = core::array::from_fn(|i| link.inertia[i] * v[i]);
            let p: V3 = core::array::from_fn(|i| link.mass * v[3 + i]);
            let orbit = cross(&v3(&q[9..]), &p);
            for i in 0..3 {
                sum.linear[i] += p[i];
                sum.angular[i] += orbit[i] + dot(&v3(&q[3 * i..]), &spin);
            }
        }
        sum
    }
}

/// `R (w x e2)` and `R (w x e3)`, with `R e1 = c2 x c3`.
#[inline(always)]
fn column_rates([c2, c3]: &[V3; 2], w: &V3) -> [V3; 2] {
    let c1 = cross(c2, c3);
    [combine(w[0], c3, -w[2], &c1), combine(w[1], &c1, -w[0], c2)]
}

/// Derivative of `Omega x J Omega`.
#[inline(always)]
fn gyroscopic_damping(link: &Body, v: &[f64]) -> M3 {
    let j = &link.inertia;
    let (a, b, c) = (j[2] - j[1], j[0] - j[2], j[1] - j[0]);
    [
        [0.0, a * v[2], a * v[1]],
        [b * v[2], 0.0, b * v[0]],
        [c * v[1], c * v[0], 0.0],
    ]
}
