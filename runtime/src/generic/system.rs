//! The border between model and solver, answered by the generic system.

use nalgebra::Vector3;

use super::assembly::{BodyTangents, Element, Snapshot};
use super::constraint::{Pose, Row};
use super::driver::Drive;
use super::{GenericGeometry, GenericSystem, GenericWorkspace, relative_pose};
use crate::chain::strain::Strain;
use crate::error::Fault;
use crate::joints::JointFrame;
use crate::lie::Space;
use crate::linear::LinearSystem;
use crate::system::{
    Bodies, Constrained, Dense, Energy, Formulation, Implicit, Manifold, Mechanics, Momentum,
    NewtonCoefficients, NewtonPoint, NewtonVectors,
};

impl Manifold for GenericSystem {
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
        self.update_turns(out);
    }

    fn tangent_inverse(&self, theta: &Box<[f64]>, v: &Box<[f64]>, out: &mut Box<[f64]>) {
        self.space.tangent_inverse_times(theta, v, out);
    }

    crate::on_product_of_groups!();
}

impl Mechanics for GenericSystem {
    type Geometry = GenericGeometry;

    fn new_geometry(&self) -> GenericGeometry {
        GenericGeometry {
            t: 0.0,
            poses: vec![Pose::ground(); self.bodies.len()],
            turns: vec![0.0; self.turning.len()],
            modes: vec![0.0; self.mode_count()],
            relatives: vec![Pose::ground(); self.joints.len()],
            strains: vec![Strain::between(&Pose::ground(), &Pose::ground()); self.rods.len()],
            constraints: self.constraints.clone(),
            drives: vec![Drive::still(); self.drivers.len()],
            rows: vec![Row::zeros(); self.row_names.len()],
        }
    }

    fn start_velocity(&self) -> Box<[f64]> {
        self.start.1.clone()
    }

    fn geometry(&self, t: f64, q: &Box<[f64]>, out: &mut GenericGeometry) -> Result<(), Fault> {
        out.t = t;
        out.turns.copy_from_slice(self.turns(q));
        self.read_modes(q, &mut out.modes);
        for (pose, body) in out.poses.iter_mut().zip(&self.bodies) {
            *pose = body.pose(q);
        }
        for ((row, driver), drive) in self.drivers.iter().zip(&mut out.drives) {
            (out.constraints[*row], *drive) = driver.at(t)?;
        }
        for (relative, joint) in out.relatives.iter_mut().zip(&self.joints) {
            let element = Element::of(joint);
            *relative = relative_pose(&out.poses, element);
            for i in joint.rows.clone() {
                let row = Self::joint_row(joint, i, &out.constraints[i], relative, &out.poses);
                out.rows[i] = self.row_to_group(element, &out.poses, &row);
            }
        }
        self.rod_geometry(t, q, out)
    }

    fn check_increment(&self, t: f64, q: &Box<[f64]>, theta: &Box<[f64]>) -> Result<(), Fault> {
        self.check_turns(t, q, theta)
    }

    fn force(&self, t: f64, geometry: &GenericGeometry, v: &Box<[f64]>, out: &mut Box<[f64]>) {
        let at = Snapshot {
            t,
            ..geometry.snapshot(v)
        };
        self.force_at(&at, out);
    }

    fn mass_times(&self, w: &Box<[f64]>, out: &mut Box<[f64]>) {
        for body in &self.bodies {
            let range = body.velocity.clone();
            body.mass_times(&w[range.clone()], &mut out[range]);
        }
    }

    fn mass_solve(&self, f: &Box<[f64]>, out: &mut Box<[f64]>) {
        for body in &self.bodies {
            let range = body.velocity.clone();
            body.mass_solve(&f[range.clone()], &mut out[range]);
        }
    }

    fn energy(&self, _t: f64, q: &Box<[f64]>, v: &Box<[f64]>) -> Energy {
        let poses: Vec<Pose> = self.bodies.iter().map(|body| body.pose(q)).collect();
        let mut energy = Energy::default();
        for (body, pose) in self.bodies.iter().zip(&poses) {
            let v = &v[body.velocity.clone()];
            let mut momentum = vec![0.0; v.len()];
            body.mass_times(v, &mut momentum);
            let twice: f64 = v.iter().zip(&momentum).map(|(v, p)| v * p).sum();
            energy.kinetic += 0.5 * twice;
            energy.potential += body.weight_energy(pose, &self.gravity);
        }
        let mut modes = vec![0.0; self.mode_count()];
        self.read_modes(q, &mut modes);
        energy.potential += self.force_energy(&poses, self.turns(q), &modes);
        energy.potential += self.rod_energy(&poses);
        energy
    }

    crate::names_of_bodies!();

    fn may_gain_energy(&self) -> bool {
        self.description.may_gain_energy()
    }

    fn not_finite_force(
        &self,
        t: f64,
        _q: &Box<[f64]>,
        geometry: &GenericGeometry,
        v: &Box<[f64]>,
    ) -> Option<String> {
        let at = Snapshot {
            t,
            ..geometry.snapshot(v)
        };
        let place = self.find_not_finite(&at)?;
        Some(format!("force `{}`", self.description.forces[place].name))
    }
}

impl Constrained for GenericSystem {
    type Multiplier = Box<[f64]>;
    type Workspace = GenericWorkspace;

    fn constraint_count(&self) -> usize {
        self.row_names.len()
    }

    fn constraint_name(&self, row: usize) -> String {
        self.row_names[row].clone()
    }

    fn new_workspace(&self) -> GenericWorkspace {
        let rows = self.row_names.len();
        GenericWorkspace {
            schur: self.schur_system(),
            weighted: vec![Row::zeros(); rows],
            newton: LinearSystem::default(),
            newton_size: 0,
            tangents: vec![BodyTangents::default(); self.bodies.len()],
            unknowns: vec![0.0; self.space.dof() + 2 * rows],
            dense: Dense::default(),
        }
    }

    fn constraint(
        &self,
        _t: f64,
        _q: &Box<[f64]>,
        geometry: &GenericGeometry,
        out: &mut Box<[f64]>,
    ) {
        for (joint, relative) in self.joints.iter().zip(&geometry.relatives) {
            for i in joint.rows.clone() {
                let constraint = &geometry.constraints[i];
                out[i] = Self::joint_value(joint, i, constraint, relative, &geometry.poses);
            }
        }
        for (rod, strain) in self.rods.iter().zip(&geometry.strains) {
            for (i, row) in rod.rows.clone().enumerate() {
                out[row] = rod.constants.constraint(strain, i);
            }
        }
    }

    fn jacobian_times(&self, geometry: &GenericGeometry, w: &Box<[f64]>, out: &mut Box<[f64]>) {
        for (element, rows) in self.holders() {
            for i in rows {
                out[i] = self.pair_dot(element, &geometry.rows[i], w);
            }
        }
    }

    fn jacobian_transpose_times(
        &self,
        geometry: &GenericGeometry,
        lambda: &Box<[f64]>,
        out: &mut Box<[f64]>,
    ) {
        out.fill(0.0);
        for (element, rows) in self.holders() {
            for i in rows {
                self.add_pair(element, &geometry.rows[i], lambda[i], out);
            }
        }
    }

    fn constraint_rate(&self, _t: f64, geometry: &GenericGeometry, out: &mut Box<[f64]>) {
        out.fill(0.0);
        self.each_drive(geometry, |_, row, relative, drive| {
            out[row] = drive.rate(relative);
        });
    }

    fn constraint_quadratic(
        &self,
        _t: f64,
        q: &Box<[f64]>,
        geometry: &GenericGeometry,
        v: &Box<[f64]>,
        out: &mut Box<[f64]>,
    ) {
        // D_q(B v + dPhi/dt) v, and for drivers once more D_q(dPhi/dt) v, and d^2 Phi/dt^2.
        self.jacobian_derivative_times(q, geometry, v, v, out);
        self.each_drive(geometry, |element, row, relative, drive| {
            let twist = self.pair_twist(element, &geometry.poses, v);
            out[row] += drive.rate_gradient(relative).dot(&twist) + drive.second(relative);
        });
    }

    fn schur_solve(
        &self,
        rows: &GenericGeometry,
        columns: &GenericGeometry,
        right: &mut Box<[f64]>,
        workspace: &mut GenericWorkspace,
    ) -> Result<(), Fault> {
        if right.is_empty() {
            return Ok(());
        }
        self.assemble_schur(rows, columns, workspace);
        workspace
            .schur
            .factor()
            .map_err(|singular| self.singular_constraints(&singular))?;
        // The rows, then the motion of hubs.
        let unknowns = &mut workspace.unknowns[..workspace.schur.size()];
        let (constraints, motion) = unknowns.split_at_mut(right.len());
        constraints.copy_from_slice(right);
        motion.fill(0.0);
        workspace.schur.solve(unknowns);
        right.copy_from_slice(&unknowns[..right.len()]);
        Ok(())
    }

    crate::branches_of_joints!();
}

impl Implicit for GenericSystem {
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
        geometry: &GenericGeometry,
        v: &Box<[f64]>,
        w: &Box<[f64]>,
        out: &mut Box<[f64]>,
    ) {
        self.each_jacobian_derivative(geometry, v, |element, i, row| {
            out[i] = self.pair_dot(element, row, w);
        });
    }

    fn stiffness_times(
        &self,
        _t: f64,
        _q: &Box<[f64]>,
        geometry: &GenericGeometry,
        v: &Box<[f64]>,
        lambda: &Box<[f64]>,
        w: &Box<[f64]>,
        out: &mut Box<[f64]>,
    ) {
        out.fill(0.0);
        self.each_tangent(geometry, v, lambda, |i, j, k, _| {
            self.add_product(i, j, k, w, out);
        });
    }

    fn damping_times(
        &self,
        _t: f64,
        _q: &Box<[f64]>,
        geometry: &GenericGeometry,
        v: &Box<[f64]>,
        w: &Box<[f64]>,
        out: &mut Box<[f64]>,
    ) {
        out.fill(0.0);
        self.each_tangent(geometry, v, &[], |i, j, _, d| {
            if let Some(d) = d {
                self.add_product(i, j, d, w, out);
            }
        });
    }

    fn newton_factor(
        &self,
        coefficients: &NewtonCoefficients,
        point: &NewtonPoint<'_, Self>,
        workspace: &mut GenericWorkspace,
    ) -> Result<(), Fault> {
        let constraints = match coefficients.formulation {
            Formulation::StabilizedIndex2 => 2,
            Formulation::Index3 | Formulation::Index2 => 1,
        };
        let size = self.space.dof() + constraints * self.row_names.len();
        if workspace.newton_size != size {
            workspace.newton = self.newton_system(size);
            workspace.newton_size = size;
        }
        self.assemble_newton(coefficients, point, workspace);
        workspace
            .newton
            .factor()
            .map_err(|singular| self.singular_newton(&singular))
    }

    fn newton_solve(&self, vectors: &mut NewtonVectors<Self>, workspace: &mut GenericWorkspace) {
        let size = workspace.newton_size;
        let (nv, nc) = (self.space.dof(), self.row_names.len());
        let x = &mut workspace.unknowns[..size];
        x[..nv].copy_from_slice(&vectors.dynamics);
        x[nv..nv + nc].copy_from_slice(&vectors.constraint);
        if size > nv + nc {
            x[nv + nc..].copy_from_slice(&vectors.hidden);
        }
        workspace.newton.solve(x);
        vectors.dynamics.copy_from_slice(&x[..nv]);
        vectors.constraint.copy_from_slice(&x[nv..nv + nc]);
        if size > nv + nc {
            vectors.hidden.copy_from_slice(&x[nv + nc..]);
        }
    }
}

impl Bodies for GenericSystem {
    fn space(&self) -> &Space {
        &self.space
    }

    fn joints(&self) -> &[JointFrame] {
        &self.frames
    }

    fn factor_name(&self, factor: usize) -> String {
        self.description.bodies[factor].name.clone()
    }

    fn factor_origin(&self, factor: usize) -> [f64; 3] {
        self.bodies[factor].origin()
    }

    fn momentum(&self, q: &Box<[f64]>, v: &Box<[f64]>) -> Momentum {
        let mut sum = (Vector3::zeros(), Vector3::zeros());
        for body in &self.bodies {
            let (linear, angular) = body.momentum(&body.pose(q), v);
            sum.0 += linear;
            sum.1 += angular;
        }
        Momentum {
            linear: sum.0.into(),
            angular: sum.1.into(),
        }
    }
}
