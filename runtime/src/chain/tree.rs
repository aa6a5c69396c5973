//! A tree of rods, bodies and joints behind the border.

use super::assembly::SCHUR;
use super::builder::{TreeBuilder, name_at};
use super::edge::{Edge, EdgeKind, End, Fixed};
use super::elimination::{Breakdown, Elimination};
use super::joint::Joint;
use super::load::NodeLoad;
use super::node::{Nodes, Pose, parts};
use super::plan::Plan;
use super::stage::NodeRows;
use super::strain::{Element, HELD_STRAINS, Row, Strain};
use super::turn::{beyond_half_a_turn, stays_below_half_a_turn};
use crate::error::Fault;
use crate::joints::JointFrame;
use crate::lie::{S3, Space};
use crate::real::Real;
use crate::system::{
    Bodies, Constrained, Dense, Energy, Formulation, Implicit, Manifold, Mechanics, Momentum,
    NewtonCoefficients, NewtonPoint, NewtonVectors, NextStage, Scratch, Stage, Workspace,
    compose_correction,
};
use nalgebra::{Matrix6, Vector3, Vector6};
use std::sync::OnceLock;

/// Cosserat rods and rigid bodies that joints connect without closed loops.
///
/// Made by a [`TreeBuilder`]. A configuration holds the nodes in the order in
/// which they were added, without those that are clamped.
#[derive(Clone, Debug)]
pub struct Tree {
    pub(super) space: Space,
    pub(super) config_starts: Vec<usize>,
    pub(super) gravity: Vector3<f64>,
    pub(super) nodes: Nodes,
    pub(super) names: Vec<(usize, String)>,
    pub(super) elements: Vec<Element>,
    pub(super) joints: Vec<Joint>,
    pub(super) fixed: Vec<Fixed>,
    pub(super) edges: Vec<Edge>,
    pub(super) edge_names: Vec<(usize, String)>,
    /// The rod elements with a rotation matrix at one end.
    pub(super) matrix_edges: Vec<usize>,
    pub(super) loads: Vec<NodeLoad>,
    pub(super) rows: usize,
    pub(super) strains: usize,
    pub(super) plan: Plan,
    pub(super) start: (Box<[f64]>, Box<[f64]>),
    /// For outputs; made when they are asked for.
    pub(super) frames: OnceLock<Vec<JointFrame>>,
}

/// Poses of all nodes and strains of all rod elements.
#[derive(Clone, Debug)]
pub struct TreeGeometry {
    pub(super) poses: Vec<Pose>,
    pub(super) strains: Vec<Strain>,
}

/// Matrices and scratch memory.
#[derive(Clone, Debug)]
pub struct TreeWorkspace {
    schur: Elimination,
    rows: NodeRows,
    newton: Elimination,
    /// For Newton matrices that are not kept.
    passing: Elimination,
    formulation: Formulation,
    dense: Dense,
}

impl Workspace for TreeWorkspace {
    fn dense(&mut self) -> &mut Dense {
        &mut self.dense
    }
}

impl Default for TreeWorkspace {
    /// Without memory: it is allocated by the first solution.
    fn default() -> Self {
        Self {
            schur: Elimination::empty(),
            rows: NodeRows::default(),
            newton: Elimination::empty(),
            passing: Elimination::passing(),
            formulation: Formulation::Index3,
            dense: Dense::default(),
        }
    }
}

impl Tree {
    /// Collects the parts of a tree.
    pub fn builder() -> TreeBuilder {
        TreeBuilder::new()
    }

    /// Curvature, shear and extension `w` of each rod element.
    pub fn strains(&self, geometry: &TreeGeometry) -> Vec<[f64; 6]> {
        self.each_rod()
            .map(|(_, element, strain)| (geometry.strains[strain].z / element.length).into())
            .collect()
    }

    /// Rate of the strain of each rod element.
    pub fn strain_rates(&self, geometry: &TreeGeometry, v: &[f64]) -> Vec<[f64; 6]> {
        self.each_rod()
            .map(|(edge, element, strain)| {
                let twist = self.pair_twist(edge, &geometry.poses, v);
                (geometry.strains[strain].rate(&twist) / element.length).into()
            })
            .collect()
    }

    /// Power that the damping of all rods takes out.
    pub fn dissipation(&self, geometry: &TreeGeometry, v: &[f64]) -> f64 {
        self.each_rod()
            .map(|(edge, element, strain)| {
                let twist = self.pair_twist(edge, &geometry.poses, v);
                element.dissipation(&geometry.strains[strain], &twist)
            })
            .sum()
    }

    /// Power of all loads, without the weight.
    pub fn load_power(&self, t: f64, geometry: &TreeGeometry, v: &[f64]) -> f64 {
        let mut power = 0.0;
        for load in &self.loads {
            let value = load.at(t);
            for &(node, weight) in &load.nodes {
                let pose = &geometry.poses[node];
                let mut force = Vector6::zeros();
                load.subtract(&value, weight, pose, &mut force);
                let v = &v[6 * node..6 * node + 6];
                power -= force.dot(&self.nodes[node].twist(pose, v));
            }
        }
        power
    }

    /// The times at which a load has a kink, where they are known, in order: let steps end there.
    pub fn kinks(&self) -> Vec<f64> {
        let loads = self.loads.iter();
        let mut kinks: Vec<f64> = loads.flat_map(|load| load.load.profile.kinks()).collect();
        kinks.sort_by(f64::total_cmp);
        kinks.dedup();
        kinks
    }

    fn each_rod(&self) -> impl Iterator<Item = (&Edge, &Element, usize)> {
        self.edges.iter().filter_map(|edge| match edge.kind {
            EdgeKind::Rod { element, strain } => Some((edge, &self.elements[element], strain)),
            EdgeKind::Joint(_) => None,
        })
    }

    /// `g`, generic so that dual numbers can check `K` and `D`.
    pub(super) fn force_at<R: Real>(
        &self,
        t: f64,
        poses: &[Pose<R>],
        strains: &[Strain<R>],
        v: &[R],
        out: &mut [R],
    ) {
        self.node_forces(t, poses, v, out);
        for (edge, _, strain) in self.each_rod() {
            if let EdgeKind::Rod { element, .. } = edge.kind {
                self.add_rod_force(edge, element, &strains[strain], poses, v, out);
            }
        }
    }

    /// `g` of the nodes alone: weight, gyroscopic terms, loads.
    pub(super) fn node_forces<R: Real>(&self, t: f64, poses: &[Pose<R>], v: &[R], out: &mut [R]) {
        let weight = self.gravity != Vector3::zeros();
        for (i, (node, pose)) in self.nodes.iter().zip(poses).enumerate() {
            let mut force = node.gyroscopic(&v[6 * i..6 * i + 6]);
            if weight {
                let mut body = Vector6::zeros();
                node.subtract_weight(pose, &self.gravity, &mut body);
                force += node.to_group(pose, &body);
            }
            out[6 * i..6 * i + 6].copy_from_slice(force.as_slice());
        }
        for load in &self.loads {
            let value = load.at(t);
            for &(node, weight) in &load.nodes {
                let pose = &poses[node];
                let mut force = Vector6::zeros();
                load.subtract(&value, weight, pose, &mut force);
                let force = self.nodes[node].to_group(pose, &force);
                for (out, f) in out[6 * node..].iter_mut().zip(force.iter()) {
                    *out += *f;
                }
            }
        }
    }

    /// Adds the stress of a rod element to the forces of its nodes.
    #[inline]
    pub(super) fn add_rod_force<R: Real>(
        &self,
        edge: &Edge,
        element: usize,
        strain: &Strain<R>,
        poses: &[Pose<R>],
        v: &[R],
        out: &mut [R],
    ) {
        let element = &self.elements[element];
        let stress = element.stress(strain, || self.pair_twist(edge, poses, v));
        let force = self.pair_to_group(edge, poses, &strain.force(&stress));
        for (slot, node) in edge.sides() {
            for i in 0..6 {
                out[6 * node + i] += force[slot + i];
            }
        }
    }

    /// `K` of the weight of a node, in group coordinates.
    pub(super) fn weight_stiffness(
        &self,
        index: usize,
        geometry: &TreeGeometry,
    ) -> Option<Matrix6<f64>> {
        if self.gravity == Vector3::zeros() {
            return None;
        }
        let (node, pose) = (&self.nodes[index], &geometry.poses[index]);
        let (mut k, mut force) = (Matrix6::zeros(), Vector6::zeros());
        node.subtract_weight(pose, &self.gravity, &mut force);
        node.add_weight_stiffness(pose, &self.gravity, &mut k);
        self.node_to_group(index, pose, &force, &mut k);
        Some(k)
    }

    /// Calls `sink(node, K)` for loads, in group coordinates.
    pub(super) fn each_load_stiffness(
        &self,
        t: f64,
        geometry: &TreeGeometry,
        mut sink: impl FnMut(usize, &Matrix6<f64>),
    ) {
        for load in &self.loads {
            let value = load.at(t);
            for &(node, weight) in &load.nodes {
                let pose = &geometry.poses[node];
                let (mut k, mut force) = (Matrix6::zeros(), Vector6::zeros());
                load.subtract(&value, weight, pose, &mut force);
                load.add_stiffness(&value, weight, pose, &mut k);
                self.node_to_group(node, pose, &force, &mut k);
                sink(node, &k);
            }
        }
    }

    /// Fails if quaternions show that an element is turned beyond half a circle.
    fn check_angle(&self, t: f64, q: &[f64], edge: usize, strain: &Strain) -> Result<(), Fault> {
        let of = |end: &End| -> Option<S3> {
            match end {
                End::Fixed(fixed) => Some(self.fixed[*fixed].rotation),
                End::Node(node) => self.nodes[*node].quaternion(&q[self.config_starts[*node]..]),
            }
        };
        let [first, second] = &self.edges[edge].ends;
        match (of(first), of(second)) {
            (Some(a), Some(b)) if a.scalar * b.scalar + a.vector.dot(&b.vector) < 0.0 => {
                Err(self.turned_too_far(edge, core::f64::consts::TAU - strain.angle(), t))
            }
            _ => Ok(()),
        }
    }

    /// Fails if an element with a rotation matrix turns beyond half a circle along an increment.
    fn check_turns(&self, t: f64, q: &[f64], theta: &[f64]) -> Result<(), Fault> {
        for &edge in &self.matrix_edges {
            let ends = self.edges[edge].ends;
            if self.stays_below(ends, q, theta) {
                continue;
            }
            let of = |end: End| match end {
                End::Fixed(fixed) => (self.fixed[fixed].pose.rotation, Vector3::zeros()),
                End::Node(node) => {
                    let pose = self.nodes[node].pose(&q[self.config_starts[node]..]);
                    (pose.rotation, parts(&theta[6 * node..]).0)
                }
            };
            let [(a, first), (b, second)] = ends.map(of);
            if let Some(angle) = beyond_half_a_turn(&a.tr_mul(&b), [first, second]) {
                return Err(self.turned_too_far(edge, angle, t));
            }
        }
        Ok(())
    }

    /// Whether two nodes with matrices need no closer look, by the numbers of a configuration alone.
    #[inline]
    fn stays_below(&self, ends: [End; 2], q: &[f64], theta: &[f64]) -> bool {
        let [End::Node(a), End::Node(b)] = ends else {
            return false;
        };
        if self.nodes[a].has_quaternion() || self.nodes[b].has_quaternion() {
            return false;
        }
        let matrix = |node: usize| &q[self.config_starts[node]..][..9];
        let trace = matrix(a).iter().zip(matrix(b)).map(|(x, y)| x * y).sum();
        stays_below_half_a_turn(trace, [&theta[6 * a..], &theta[6 * b..]])
    }

    #[cold]
    fn turned_too_far(&self, edge: usize, angle: f64, t: f64) -> Fault {
        let (rod, element) = name_at(&self.edge_names, edge);
        Fault::RelativeRotation {
            rod: rod.to_owned(),
            element: Some(element),
            angle,
            t,
        }
    }

    #[cold]
    fn singular_constraints(&self, breakdown: &Breakdown) -> Fault {
        Fault::SingularConstraints {
            constraint: self.unknown_name(breakdown, SCHUR.of_node(&self.plan, breakdown.node)),
            pivot: breakdown.pivot,
            scale: breakdown.scale,
        }
    }

    /// Names an unknown of a block.
    fn unknown_name(&self, breakdown: &Breakdown, node_unknowns: usize) -> String {
        if breakdown.unknown < node_unknowns {
            let component = breakdown.unknown % 6;
            let name = self.factor_name(breakdown.node);
            return format!("body `{name}`, component {component}");
        }
        // In the stabilized formulation each row has two unknowns.
        let each = if node_unknowns == 12 { 2 } else { 1 };
        let place = breakdown.unknown - node_unknowns;
        for (index, edge) in self.edges.iter().enumerate() {
            let first = each * self.plan.slot[index];
            let own = first..first + each * edge.rows;
            if self.plan.owner[index] == breakdown.node && own.contains(&place) {
                return self.constraint_name(edge.first_row + (place - first) % edge.rows);
            }
        }
        String::new()
    }
}

impl Manifold for Tree {
    type Config = Box<[f64]>;
    type Velocity = Box<[f64]>;

    fn new_velocity(&self) -> Box<[f64]> {
        vec![0.0; self.space.dof()].into_boxed_slice()
    }

    fn start_config(&self) -> Box<[f64]> {
        self.start.0.clone()
    }

    fn displace(&self, q: &Box<[f64]>, theta: &Box<[f64]>, out: &mut Box<[f64]>) {
        self.space.displace(q, theta, out);
    }

    fn tangent_inverse(&self, theta: &Box<[f64]>, v: &Box<[f64]>, out: &mut Box<[f64]>) {
        self.space.tangent_inverse_times(theta, v, out);
    }

    crate::on_product_of_groups!();
}

impl Mechanics for Tree {
    type Geometry = TreeGeometry;

    fn new_geometry(&self) -> TreeGeometry {
        let ground = Pose::ground();
        TreeGeometry {
            poses: vec![ground; self.nodes.len()],
            strains: vec![Strain::between(&ground, &ground); self.strains],
        }
    }

    fn start_velocity(&self) -> Box<[f64]> {
        self.start.1.clone()
    }

    fn geometry(&self, t: f64, q: &Box<[f64]>, out: &mut TreeGeometry) -> Result<(), Fault> {
        for ((pose, node), start) in out
            .poses
            .iter_mut()
            .zip(self.nodes.iter())
            .zip(&self.config_starts)
        {
            *pose = node.pose(&q[*start..]);
        }
        for (index, edge) in self.edges.iter().enumerate() {
            if let EdgeKind::Rod { strain, .. } = edge.kind {
                let [a, b] = self.end_poses(edge, &out.poses);
                out.strains[strain] = Strain::between(&a, &b);
                self.check_angle(t, q, index, &out.strains[strain])?;
            }
        }
        Ok(())
    }

    fn check_increment(&self, t: f64, q: &Box<[f64]>, theta: &Box<[f64]>) -> Result<(), Fault> {
        self.check_turns(t, q, theta)
    }

    fn force(&self, t: f64, geometry: &TreeGeometry, v: &Box<[f64]>, out: &mut Box<[f64]>) {
        self.force_at(t, &geometry.poses, &geometry.strains, v, out);
    }

    fn mass_times(&self, w: &Box<[f64]>, out: &mut Box<[f64]>) {
        for (i, node) in self.nodes.iter().enumerate() {
            let range = 6 * i..6 * i + 6;
            node.mass_times(&w[range.clone()], &mut out[range]);
        }
    }

    fn mass_solve(&self, f: &Box<[f64]>, out: &mut Box<[f64]>) {
        for (i, node) in self.nodes.iter().enumerate() {
            let range = 6 * i..6 * i + 6;
            node.mass_solve(&f[range.clone()], &mut out[range]);
        }
    }

    fn energy(&self, _t: f64, q: &Box<[f64]>, v: &Box<[f64]>) -> Energy {
        let mut energy = Energy::default();
        let mut product = [0.0; 6];
        let poses: Vec<Pose> = self.poses(q);
        for (i, (node, pose)) in self.nodes.iter().zip(&poses).enumerate() {
            let v = &v[6 * i..6 * i + 6];
            node.mass_times(v, &mut product);
            let twice: f64 = v.iter().zip(&product).map(|(v, p)| v * p).sum();
            energy.kinetic += 0.5 * twice;
            energy.potential += node.weight_energy(pose, &self.gravity);
        }
        for (edge, element, _) in self.each_rod() {
            let [a, b] = self.end_poses(edge, &poses);
            energy.potential += element.energy(&Strain::between(&a, &b));
        }
        energy
    }

    crate::names_of_bodies!();

    /// The energy is without the potential of loads.
    fn may_gain_energy(&self) -> bool {
        !self.loads.is_empty()
    }

    fn not_finite_force(
        &self,
        t: f64,
        _q: &Box<[f64]>,
        _geometry: &TreeGeometry,
        _v: &Box<[f64]>,
    ) -> Option<String> {
        let is_finite = |part: &Vector3<f64>| part.iter().all(|x| x.is_finite());
        let mut loads = self.loads.iter();
        let load = loads.find(|load| !load.at(t).iter().all(is_finite))?;
        Some(format!("force `{}`", load.name))
    }
}

impl Constrained for Tree {
    type Multiplier = Box<[f64]>;
    type Workspace = TreeWorkspace;

    fn constraint_count(&self) -> usize {
        self.rows
    }

    fn constraint_name(&self, row: usize) -> String {
        let edge = self
            .edges
            .partition_point(|edge| edge.first_row + edge.rows <= row);
        let (name, element) = name_at(&self.edge_names, edge);
        let row = row - self.edges[edge].first_row;
        match self.edges[edge].kind {
            EdgeKind::Rod { .. } => {
                let strain = HELD_STRAINS[row];
                format!("rod `{name}`, element {element}, {strain}")
            }
            EdgeKind::Joint(_) if row < 3 => {
                let axis = ["x", "y", "z"][row];
                format!("joint `{name}`, position along inertial {axis}")
            }
            EdgeKind::Joint(_) => format!("joint `{name}`, pair of axes {}", row - 3),
        }
    }

    fn new_workspace(&self) -> TreeWorkspace {
        TreeWorkspace {
            rows: NodeRows::new(self),
            ..TreeWorkspace::default()
        }
    }

    fn constraint(&self, _t: f64, _q: &Box<[f64]>, geometry: &TreeGeometry, out: &mut Box<[f64]>) {
        for edge in &self.edges {
            for i in 0..edge.rows {
                out[edge.first_row + i] = match edge.kind {
                    EdgeKind::Rod { element, strain } => {
                        self.elements[element].constraint(&geometry.strains[strain], i)
                    }
                    EdgeKind::Joint(joint) => {
                        let [a, b] = self.end_poses(edge, &geometry.poses);
                        self.joints[joint].value(&a, &b, i)
                    }
                };
            }
        }
    }

    fn jacobian_times(&self, geometry: &TreeGeometry, w: &Box<[f64]>, out: &mut Box<[f64]>) {
        for edge in &self.edges {
            let rows = edge.first_row..edge.first_row + edge.rows;
            self.edge_rates(edge, geometry, w, &mut out[rows]);
        }
    }

    fn jacobian_transpose_times(
        &self,
        geometry: &TreeGeometry,
        lambda: &Box<[f64]>,
        out: &mut Box<[f64]>,
    ) {
        out.fill(0.0);
        for edge in &self.edges {
            if edge.rows == 0 {
                continue;
            }
            let push = self.edge_push(edge, geometry, edge.part(lambda));
            for (slot, node) in edge.sides() {
                for i in 0..6 {
                    out[6 * node + i] += push[slot + i];
                }
            }
        }
    }

    fn constraint_rate(&self, _t: f64, _geometry: &TreeGeometry, out: &mut Box<[f64]>) {
        out.fill(0.0);
    }

    fn constraint_quadratic(
        &self,
        _t: f64,
        q: &Box<[f64]>,
        geometry: &TreeGeometry,
        v: &Box<[f64]>,
        out: &mut Box<[f64]>,
    ) {
        self.jacobian_derivative_times(q, geometry, v, v, out);
    }

    fn schur_solve(
        &self,
        rows: &TreeGeometry,
        columns: &TreeGeometry,
        right: &mut Box<[f64]>,
        workspace: &mut TreeWorkspace,
    ) -> Result<(), Fault> {
        if self.rows == 0 {
            return Ok(());
        }
        let TreeWorkspace {
            rows: buffer,
            schur,
            ..
        } = workspace;
        schur
            .with_care(|schur| self.factor_schur(rows, columns, buffer, schur))
            .map_err(|breakdown| self.singular_constraints(&breakdown))?;
        self.solve_schur(right, schur);
        Ok(())
    }

    fn stage_solve(
        &self,
        stage: &Stage<'_, Self>,
        next: &NextStage<'_, Self>,
        vdot: &mut Box<[f64]>,
        lambda: &mut Box<[f64]>,
        scratch: &mut Scratch<Self>,
    ) -> Result<(), Fault> {
        let TreeWorkspace { rows, schur, .. } = &mut scratch.workspace;
        schur
            .with_care(|schur| self.solve_stage(stage, next, vdot, lambda, rows, schur))
            .map_err(|breakdown| self.singular_constraints(&breakdown))
    }

    crate::branches_of_joints!();
}

impl Implicit for Tree {
    fn velocity_of_increment(
        &self,
        coefficients: &NewtonCoefficients,
        theta: &Box<[f64]>,
        k: &Box<[f64]>,
        push: &Box<[f64]>,
        out: &mut Box<[f64]>,
    ) {
        crate::generated::velocity_of_increment(self, coefficients, theta, k, push, out);
    }

    fn jacobian_derivative_times(
        &self,
        _q: &Box<[f64]>,
        geometry: &TreeGeometry,
        v: &Box<[f64]>,
        w: &Box<[f64]>,
        out: &mut Box<[f64]>,
    ) {
        for edge in &self.edges {
            self.edge_row_derivatives(edge, geometry, v, |i, row| {
                out[edge.first_row + i] = pair_dot(edge, row, w);
            });
        }
    }

    fn stiffness_times(
        &self,
        t: f64,
        _q: &Box<[f64]>,
        geometry: &TreeGeometry,
        v: &Box<[f64]>,
        lambda: &Box<[f64]>,
        w: &Box<[f64]>,
        out: &mut Box<[f64]>,
    ) {
        out.fill(0.0);
        let mut add = |node: usize, k: &Matrix6<f64>| {
            let product = k * Vector6::from_column_slice(&w[6 * node..6 * node + 6]);
            for i in 0..6 {
                out[6 * node + i] += product[i];
            }
        };
        for node in 0..self.nodes.len() {
            if let Some(k) = self.weight_stiffness(node, geometry) {
                add(node, &k);
            }
        }
        self.each_load_stiffness(t, geometry, &mut add);
        for edge in &self.edges {
            let (k, _) = self.edge_tangents(edge, geometry, v, edge.part(lambda));
            add_product(edge, &k, w, out);
        }
    }

    fn damping_times(
        &self,
        _t: f64,
        _q: &Box<[f64]>,
        geometry: &TreeGeometry,
        v: &Box<[f64]>,
        w: &Box<[f64]>,
        out: &mut Box<[f64]>,
    ) {
        for (i, node) in self.nodes.iter().enumerate() {
            let range = 6 * i..6 * i + 6;
            let d = node.gyroscopic_damping(&v[range.clone()]);
            let product = d * Vector6::from_column_slice(&w[range.clone()]);
            out[range].copy_from_slice(product.as_slice());
        }
        for (edge, ..) in self.each_rod() {
            let (_, d) = self.edge_tangents(edge, geometry, v, &[]);
            add_product(edge, &d, w, out);
        }
    }

    fn newton_factor(
        &self,
        coefficients: &NewtonCoefficients,
        point: &NewtonPoint<'_, Self>,
        workspace: &mut TreeWorkspace,
    ) -> Result<(), Fault> {
        let TreeWorkspace {
            newton,
            formulation,
            ..
        } = workspace;
        *formulation = coefficients.formulation;
        newton
            .with_care(|newton| self.factor_newton(coefficients, point, newton))
            .map_err(|breakdown| {
                let unknowns = match coefficients.formulation {
                    Formulation::StabilizedIndex2 => 12,
                    _ => 6,
                };
                Fault::SingularNewton {
                    unknown: self.unknown_name(&breakdown, unknowns),
                    pivot: breakdown.pivot,
                    scale: breakdown.scale,
                }
            })
    }

    fn newton_correction(
        &self,
        coefficients: &NewtonCoefficients,
        point: &NewtonPoint<'_, Self>,
        residual: &mut NewtonVectors<Self>,
        correction: &mut NewtonVectors<Self>,
        workspace: &mut TreeWorkspace,
    ) -> Result<(), Fault> {
        let passing = &mut workspace.passing;
        self.correct_newton(coefficients, point, residual, correction, passing)
            .or_else(|_| {
                compose_correction(self, coefficients, point, residual, correction, workspace)
            })
    }

    fn newton_solve(&self, vectors: &mut NewtonVectors<Self>, workspace: &mut TreeWorkspace) {
        self.solve_newton(workspace.formulation, vectors, &mut workspace.newton);
    }
}

impl Bodies for Tree {
    fn space(&self) -> &Space {
        &self.space
    }

    fn joints(&self) -> &[JointFrame] {
        self.frames.get_or_init(|| self.joint_frames())
    }

    fn factor_name(&self, factor: usize) -> String {
        let (name, index) = name_at(&self.names, factor);
        let next = self
            .names
            .binary_search_by_key(&(factor + 1), |(start, _)| *start);
        let alone = next.is_ok() || factor + 1 == self.nodes.len();
        if index == 0 && alone {
            return name.to_owned();
        }
        format!("{name}.{index}")
    }

    fn factor_origin(&self, _factor: usize) -> [f64; 3] {
        [0.0; 3]
    }

    fn momentum(&self, q: &Box<[f64]>, v: &Box<[f64]>) -> Momentum {
        let mut sum = (Vector3::zeros(), Vector3::zeros());
        for (i, (node, pose)) in self.nodes.iter().zip(self.poses(q)).enumerate() {
            let (linear, angular) = node.momentum(&pose, &v[6 * i..6 * i + 6]);
            sum.0 += linear;
            sum.1 += angular;
        }
        Momentum {
            linear: sum.0.into(),
            angular: sum.1.into(),
        }
    }
}

impl Tree {
    fn poses(&self, q: &[f64]) -> Vec<Pose> {
        let nodes = self.nodes.iter().zip(&self.config_starts);
        nodes.map(|(node, start)| node.pose(&q[*start..])).collect()
    }
}

/// Row times the velocities of both ends.
#[inline]
fn pair_dot(edge: &Edge, row: &Row, w: &[f64]) -> f64 {
    let mut sum = 0.0;
    for (slot, node) in edge.sides() {
        for i in 0..6 {
            sum += row[slot + i] * w[6 * node + i];
        }
    }
    sum
}

/// Adds the product of a matrix over both ends.
fn add_product(edge: &Edge, matrix: &super::strain::Block, w: &[f64], out: &mut [f64]) {
    let mut pair = Row::zeros();
    for (slot, node) in edge.sides() {
        for i in 0..6 {
            pair[slot + i] = w[6 * node + i];
        }
    }
    let product = matrix * pair;
    for (slot, node) in edge.sides() {
        for i in 0..6 {
            out[6 * node + i] += product[slot + i];
        }
    }
}
