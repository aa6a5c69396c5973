//! A chain of six bodies with revolute joints, 36 velocities and 30 constraints, and its Newton
//! matrix of index 3.

use std::hint::black_box;

use nalgebra::{DMatrix, DVector};
use polhode::error::Fault;
use polhode::multibody;
use polhode::system::{Formulation, NewtonCoefficients, NewtonPoint, NewtonVectors, System};

/// Bodies of one metre in a row, their axes in turn along y and z.
#[multibody(gravity = [0.0, 0.0, -9.81], positions = "inertial", consts(J = [0.02, 0.3, 0.3], E = [0.5, 0.0, 0.0]))]
pub struct Chain {
    #[body(mass = 3.0, inertia = J)]
    #[start(position = [0.5, 0.0, 0.0])]
    a: Body<SO3xR3>,
    #[body(mass = 2.5, inertia = J)]
    #[start(position = [1.5, 0.0, 0.0])]
    b: Body<SO3xR3>,
    #[body(mass = 2.0, inertia = J)]
    #[start(position = [2.5, 0.0, 0.0])]
    c: Body<SO3xR3>,
    #[body(mass = 1.5, inertia = J)]
    #[start(position = [3.5, 0.0, 0.0])]
    d: Body<SO3xR3>,
    #[body(mass = 1.0, inertia = J)]
    #[start(position = [4.5, 0.0, 0.0])]
    e: Body<SO3xR3>,
    #[body(mass = 0.5, inertia = J)]
    #[start(position = [5.5, 0.0, 0.0])]
    f: Body<SO3xR3>,
    #[joint(ground at [0.0, 0.0, 0.0], a at -1 * E, axis = [0.0, 1.0, 0.0])]
    ja: Revolute,
    #[joint(a at E, b at -1 * E, axis = [0.0, 0.0, 1.0])]
    jb: Revolute,
    #[joint(b at E, c at -1 * E, axis = [0.0, 1.0, 0.0])]
    jc: Revolute,
    #[joint(c at E, d at -1 * E, axis = [0.0, 0.0, 1.0])]
    jd: Revolute,
    #[joint(d at E, e at -1 * E, axis = [0.0, 1.0, 0.0])]
    je: Revolute,
    #[joint(e at E, f at -1 * E, axis = [0.0, 0.0, 1.0])]
    jf: Revolute,
}

/// Right-hand side of all measurements.
pub const RIGHT: [f64; Chain::DOF + Chain::CONSTRAINTS] = [1.0; Chain::DOF + Chain::CONSTRAINTS];

/// A system with a point where its Newton matrix is evaluated.
#[derive(Debug)]
pub struct Newton<S: System> {
    system: S,
    coefficients: NewtonCoefficients,
    q: S::Config,
    v: S::Velocity,
    geometry: S::Geometry,
    theta: S::Velocity,
    lambda: S::Multiplier,
    workspace: S::Workspace,
    vectors: NewtonVectors<S>,
}

impl<S: System> Newton<S> {
    /// At the start.
    ///
    /// # Errors
    /// If the model cannot be evaluated there.
    pub fn new(system: S) -> Result<Self, Fault> {
        let h = 1e-3;
        let mut geometry = system.new_geometry();
        let q = system.start_config();
        system.geometry(0.0, &q, &mut geometry)?;
        let mut theta = system.new_velocity();
        theta.as_mut().fill(1e-3);
        let mut lambda = system.new_multiplier();
        lambda.as_mut().fill(1.0);
        Ok(Self {
            coefficients: NewtonCoefficients {
                h,
                sigma: 0.0,
                gamma_h: 2.0 / h,
                epsilon_h: 2.0 / h,
                formulation: Formulation::Index3,
            },
            q,
            v: system.start_velocity(),
            geometry,
            theta,
            lambda,
            workspace: system.new_workspace(),
            vectors: NewtonVectors::new(&system),
            system,
        })
    }

    /// Assembles the matrix and factors it.
    ///
    /// # Errors
    /// If it is singular.
    pub fn factor(&mut self) -> Result<(), Fault> {
        let point = NewtonPoint {
            t: 0.0,
            q: &self.q,
            geometry: &self.geometry,
            geometry_start: &self.geometry,
            theta: &self.theta,
            k: &self.theta,
            v: &self.v,
            lambda: &self.lambda,
        };
        let (coefficients, workspace) = (&self.coefficients, &mut self.workspace);
        self.system
            .newton_factor(coefficients, black_box(&point), workspace)
    }

    /// Solves for a right-hand side, the dynamics first.
    pub fn solve(&mut self, right: &[f64]) -> &NewtonVectors<S> {
        let dynamics = self.vectors.dynamics.as_mut();
        let (forces, gaps) = right.split_at(dynamics.len());
        dynamics.copy_from_slice(forces);
        self.vectors.constraint.as_mut().copy_from_slice(gaps);
        let workspace = &mut self.workspace;
        self.system
            .newton_solve(black_box(&mut self.vectors), workspace);
        &self.vectors
    }

    /// The same as one vector.
    pub fn solution(&mut self, right: &[f64]) -> DVector<f64> {
        let found = self.solve(right);
        DVector::from_vec([found.dynamics.as_ref(), found.constraint.as_ref()].concat())
    }

    /// The matrix, which no system shows: the inverse of what it solves.
    pub fn matrix(&mut self) -> Option<DMatrix<f64>> {
        let size = self.theta.as_ref().len() + self.lambda.as_ref().len();
        let unit = DMatrix::<f64>::identity(size, size);
        let columns: Vec<DVector<f64>> = unit
            .column_iter()
            .map(|column| self.solution(column.as_slice()))
            .collect();
        DMatrix::from_columns(&columns).try_inverse()
    }
}
