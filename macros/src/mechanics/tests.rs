//! Equations against differences, closed forms and sums over points.

mod forces;
mod mass;

use super::Mechanics;
use crate::example::{Values, close, cross, dot, model, random, rotated, rotation};
use crate::expr::Id;
use crate::formula::Formula;
use crate::geometry::{Direction, Frame, Scalar};
use crate::model::{BodyId, Model};

/// A body on each kind of group, joints of every kind between them, and every force.
fn machine() -> Model {
    model(
        "gravity = [0.5, -1, -9.81]",
        "#[param(default = 2)] k: f64,
         #[body(mass = 2, inertia = [3, 4, 5])] #[start(position = [1, 0, 0])] a: Body<SO3xR3>,
         #[body(mass = k, inertia = [[3, 0.1, 0], [0.1, 4, 0], [0, 0, 5]], center = [0.1, 0.2, 0.3])]
         #[start(position = [2, 0, 1])] b: Body<SE3>,
         #[body(mass = 1, inertia = [1, 1, 1])] #[start(rotation = rx(0.2))] c: Body<S3xR3>,
         #[body(mass = 3)] #[start(position = [0, 1])] d: Body<R2>,
         #[body(mass = 1, inertia = [1, 2, 2], center = [0, 0.5, 0])] e: Body<S3>,
         #[body(mass = [[2, 1], [1, 2]])] m: Body<R2>,
         #[joint(ground, a, axis = [1, 2, 3])] j0: Revolute,
         #[joint(a, b, at = world([1, 1, 1]))] j1: Spherical,
         #[joint(b, c, axis = x)] j2: Cylindrical,
         #[joint(c, d, length = k)] j3: Distance,
         #[joint(a, c, cross = (a.y, c.x))] j4: Universal,
         #[joint(ground, e, axis = z, angle = sin(2 * t))] j5: Driver,
         #[joint(a, e, axis = y)] j6: Planar,
         #[joint(b, c, axis = x)] j7: Prismatic,
         #[joint(b, ground, axis = z, displacement = t * t)] j8: Driver,
         #[joint(a at y, b, distance = 1 + t)] j9: Driver,
         #[force(a at x, d, stiffness = k, damping = 0.3, length = 0.5)] f0: SpringDamper,
         #[force(b at y, force = [1, 2, t], torque = [0.1, 0.2, 0.3])] f1: Load,
         #[force(b at y, force = a.velocity, frame = body)] f2: Load,
         #[force(a, c, stiffness = [1, 2, 3, 4, 5, 6], damping = [6, 5, 4, 3, 2, 1])] f3: Bushing,
         #[force(j0, stiffness = 2, damping = 0.5, angle = 0.1)] f4: TorsionSpring,
         #[force(j7, p = 4, d = 0.5, target = cos(t))] f5: PdControl,
         #[force(j2, effort = j2.displacement * m.position[0])] f6: Actuator,
         #[force(m, stiffness = [[3, 1], [1, 2]], damping = [0.1, 0.2])] f7: ModalSpring,
         #[force(m, force = [t, b.velocity.x])] f8: Load,",
    )
}

/// Forces with a potential, at rest.
fn conservative() -> Model {
    model(
        "gravity = [0.5, -1, -9.81]",
        "#[body(mass = 2, inertia = [3, 4, 5])] #[start(position = [1, 0, 0])] a: Body<SO3xR3>,
         #[body(mass = 3, inertia = [3, 4, 5], center = [0.1, 0.2, 0.3])] b: Body<S3sR3>,
         #[body(mass = 1, inertia = [1, 2, 2], center = [0, 0.5, 0])] e: Body<SO3>,
         #[body(mass = [[2, 1], [1, 2]])] m: Body<R2>,
         #[force(a at x, b, stiffness = 7, length = 0.5)] f0: SpringDamper,
         #[force(b at y, force = [1, 2, 3])] f1: Load,
         #[force(a, b, stiffness = [1, 2, 3, 4, 5, 6])] f2: Bushing,
         #[force(m, stiffness = [[3, 1], [1, 2]])] f3: ModalSpring,
         #[force(m, force = [1, -2])] f4: Load,
         #[force(ground, e at z, stiffness = 1, length = 0.1)] f5: SpringDamper,",
    )
}

fn lowered(m: &mut Mechanics<'_>, scalars: &[Scalar]) -> Vec<Id> {
    let lower = |s: &Scalar| m.geometry.lower_scalar(*s);
    scalars.iter().map(lower).collect()
}

fn values(m: &Mechanics<'_>) -> Values {
    Values::of_model(m.model).with_constants(&m.geometry)
}

/// Rows of `B` as numbers.
fn jacobian(m: &Mechanics<'_>, values: &Values) -> Vec<Vec<f64>> {
    let row = |row: &Vec<(usize, Id)>| {
        let (columns, entries): (Vec<usize>, Vec<Id>) = row.iter().copied().unzip();
        let mut dense = vec![0.0; m.model.dof()];
        let entries = values.at(&m.geometry.graph, &entries);
        for (column, entry) in columns.into_iter().zip(entries) {
            dense[column] = entry;
        }
        dense
    };
    m.jacobian.iter().map(row).collect()
}

/// `g + B^T lambda`.
fn forces(m: &Mechanics<'_>, values: &Values) -> Vec<f64> {
    let mut g = values.at(&m.geometry.graph, &m.force);
    for (row, lambda) in jacobian(m, values).iter().zip(values.get("lambda")) {
        for (g, entry) in g.iter_mut().zip(row) {
            *g += entry * lambda;
        }
    }
    g
}

fn times(rows: &[Vec<f64>], x: &[f64]) -> Vec<f64> {
    rows.iter().map(|row| dot(row, x)).collect()
}

fn matrix(m: &Mechanics<'_>, values: &Values, rows: &[Vec<Id>]) -> Vec<Vec<f64>> {
    let row = |row: &Vec<Id>| values.at(&m.geometry.graph, row);
    rows.iter().map(row).collect()
}

#[test]
fn rates_of_the_constraints_are_their_derivatives() {
    let model = machine();
    let mut m = Mechanics::new(&model);
    let scalars = m.phi.clone();
    let phi = lowered(&mut m, &scalars);
    let along = m.direction("v").and_time();
    let rates = m.rates(&along);
    let second: Vec<Scalar> = rates
        .iter()
        .map(|rate| m.geometry.scalar_derivative(*rate, &along))
        .collect();
    let of_time = m.rates(&Direction::of_time());
    let [rates, second, of_time] = [rates, second, of_time].map(|list| lowered(&mut m, &list));
    let values = values(&m);
    let v = values.get("v").to_vec();
    let graph = &m.geometry.graph;
    // B v + Phi_t = d Phi, row by row of B and as a whole.
    let mut at = |values: &Values| values.at(graph, &phi);
    let expected = values.slope(&model, (&v, 1.0), &mut at);
    close(&values.at(graph, &rates), &expected, 1e-9, "rates");
    let mut sum = times(&jacobian(&m, &values), &v);
    let timed = values.at(graph, &of_time);
    sum.iter_mut()
        .zip(timed)
        .for_each(|(sum, rate)| *sum += rate);
    close(&sum, &expected, 1e-9, "B v + Phi_t");
    // Z = d (B v + Phi_t).
    let mut at = |values: &Values| values.at(graph, &rates);
    let expected = values.slope(&model, (&v, 1.0), &mut at);
    close(&values.at(graph, &second), &expected, 1e-9, "Z");
}

#[test]
fn stiffness_and_damping_are_derivatives_of_the_forces() {
    let model = machine();
    let mut m = Mechanics::new(&model);
    let (stiffness, damping) = (m.stiffness_times(), m.damping());
    let values = values(&m);
    let (v, w) = (values.get("v").to_vec(), values.get("w").to_vec());
    // The angle of j0 is read by a spring: it moves with the bodies, here at its axis.
    let mut at = |values: &Values| forces(&m, values);
    let mut expected = values.slope(&model, (&w, 0.0), &mut at);
    let row = model.bodies[0].velocity;
    let torque = {
        // What the spring adds because its angle changes: k dangle along z of the body.
        let joint = &model.joints[0];
        let angle = m.geometry.angle(crate::model::JointId(0));
        let along = m.direction("w");
        let rate = m.geometry.scalar_derivative(angle, &along);
        let rate = m.geometry.lower_scalar(rate);
        let rate = values.at(m.graph(), &[rate])[0];
        joint.second.axes[2].map(|axis| 2.0 * rate * axis)
    };
    for (i, torque) in torque.into_iter().enumerate() {
        expected[row + i] += torque;
    }
    close(&values.at(m.graph(), &stiffness), &expected, 1e-8, "K w");
    let mut product = vec![0.0; model.dof()];
    for (row, column, entry) in damping {
        product[row] += values.at(m.graph(), &[entry])[0] * w[column];
    }
    let slope = |h: f64| {
        let step = |s: f64| v.iter().zip(&w).map(|(v, w)| v + s * w).collect();
        let [up, down] = [h, -h].map(|s| forces(&m, &values.with("v", step(s))));
        up.iter()
            .zip(down)
            .map(|(a, b)| (a - b) / (2.0 * h))
            .collect::<Vec<f64>>()
    };
    // Forces are quadratic in the velocities, so this difference is exact but for rounding.
    close(&product, &slope(0.5), 1e-12, "D w");
}

#[test]
fn matrices_of_the_stiffness_are_products_with_unit_vectors() {
    let model = machine();
    let mut m = Mechanics::new(&model);
    let whole = m.stiffness_times();
    let mut entries = m.joint_stiffness(Frame::Group);
    m.add_force_stiffness(&mut entries);
    let values = values(&m);
    let mut product = vec![0.0; model.dof()];
    for (row, column, entry) in entries {
        product[row] += values.at(m.graph(), &[entry])[0] * values.get("w")[column];
    }
    close(&product, &values.at(m.graph(), &whole), 1e-12, "K w");
}

/// In the axes of the bodies: `R^T B^T lambda` on the translations of direct products.
#[test]
fn forces_of_joints_can_be_in_the_axes_of_the_bodies() {
    let model = machine();
    let mut m = Mechanics::new(&model);
    let [group, body] = [Frame::Group, Frame::Body].map(|frame| m.joint_forces("lambda", frame));
    let values = values(&m);
    let sum = |forces: &[(usize, Id)]| {
        let mut sum = vec![0.0; model.dof()];
        for (row, force) in forces {
            sum[*row] += values.at(&m.geometry.graph, &[*force])[0];
        }
        sum
    };
    let (group, mut body) = (sum(&group), sum(&body));
    let rows = jacobian(&m, &values);
    let column = |i: usize| rows.iter().map(|row| row[i]).collect::<Vec<f64>>();
    let lambda = &values.get("lambda")[..rows.len()];
    let expected: Vec<f64> = (0..model.dof()).map(|i| dot(&column(i), lambda)).collect();
    close(&group, &expected, 1e-13, "B^T lambda");
    for body_of in model.bodies.iter().filter(|body| body.group.is_direct()) {
        let first = body_of.velocity + 3;
        let r = rotation(body_of.group, &values.get("q")[body_of.config..]);
        let own = [body[first], body[first + 1], body[first + 2]];
        body[first..first + 3].copy_from_slice(&rotated(&r, own));
    }
    close(&body, &expected, 1e-13, "R L B^T lambda");
}

#[test]
fn forces_are_gradients_of_the_energy() {
    let model = conservative();
    let mut m = Mechanics::new(&model);
    let energy = m.energy();
    let values = values(&m);
    let rest = values.with("v", vec![0.0; model.dof()]);
    let graph = &m.geometry.graph;
    let mut at = |values: &Values| values.at(graph, &energy[1..]);
    let slope = rest.slope(&model, (values.get("w"), 0.0), &mut at);
    let power = dot(&rest.at(graph, &m.force), values.get("w"));
    close(&[power], &slope, 1e-9, "g . w = dV");
}

#[test]
fn rows_have_the_names_of_their_joints() {
    let model = machine();
    let m = Mechanics::new(&model);
    let counts: Vec<usize> = m.joint_rows.iter().map(ExactSizeIterator::len).collect();
    // Six minus what each kind leaves free.
    assert_eq!(counts, [5, 3, 4, 1, 4, 1, 3, 5, 1, 1]);
    assert_eq!(m.row_names.len(), m.phi.len());
    assert_eq!(m.row_names[0], "joint `j0`, position along x");
    assert_eq!(
        m.row_names[4],
        "joint `j0`, y of first normal to z of second"
    );
    assert_eq!(m.row_names[12], "joint `j3`, length");
    assert_eq!(m.row_names[17], "joint `j5`, driven angle");
}

/// At the start all joints of a model that fits are closed.
#[test]
fn constraints_vanish_where_the_joints_are_closed() {
    for positions in ["", "positions = \"inertial\""] {
        let model = model(
            positions,
            "#[body(mass = 1, inertia = [1, 1, 1])] #[start(position = [1, 2, 3], rotation = rx(0.3))] a: Body<SE3>,
             #[body(mass = 1, inertia = [1, 1, 1])] #[start(position = [3, 2, 1], rotation = rz(0.7))] b: Body<SO3xR3>,
             #[joint(ground, a, at = world([4, 4, 4]), axis = [1, 2, 3], angle = 0.3)] i: Revolute,
             #[joint(a, b, at = world([5, 5, 5]), axis = y)] j: Fixed,
             #[joint(ground at [3, 4, 1], b, length = 2)] k: Distance,
             #[joint(a, b, axis = x, angle = 0.4 + t)] l: Driver,",
        );
        let mut m = Mechanics::new(&model);
        let scalars = m.phi.clone();
        let phi = lowered(&mut m, &scalars);
        let start = crate::start::Start::new(&model);
        let mut values = Values::default();
        values.set("q", start.q.iter().filter_map(Formula::value).collect());
        let found = values.at(m.graph(), &phi);
        close(&found, &vec![0.0; phi.len()], 1e-14, positions);
        // And are not where a body is moved along a direction that is held.
        values.set("t", vec![0.0]);
        let moved = values.moved(&model, &random(5, 12));
        let found = moved.at(m.graph(), &phi);
        assert!(found.iter().all(|x| x.abs() > 1e-3), "{found:?}");
    }
}

/// The numbers of each force add up to `g`, without weight and gyroscopic terms.
#[test]
fn applied_forces_add_up() {
    let model = machine();
    let mut m = Mechanics::new(&model);
    let of_load = m.applied(1);
    let values = values(&m);
    let found = values.at(m.graph(), &of_load);
    // A force at a point, on SE3: its moment about the origin, and itself, both in body axes.
    let body = model.body(BodyId(1));
    let r = rotation(body.group, &values.get("q")[body.config..]);
    let back: [[f64; 3]; 3] = core::array::from_fn(|i| core::array::from_fn(|j| r[j][i]));
    let force = rotated(&back, [1.0, 2.0, 0.3]);
    let torque = rotated(&back, [0.1, 0.2, 0.3]);
    let moment = cross([0.0, 1.0, 0.0], force);
    let expected: [f64; 6] = core::array::from_fn(|i| {
        if i < 3 {
            -moment[i] - torque[i]
        } else {
            -force[i - 3]
        }
    });
    close(&found, &expected, 1e-14, "load");
}
