//! Kernels against the expressions that they are made of, computed from the configuration.

mod newton;
mod rows;
mod sizes;
mod solves;

use super::Plan;
use crate::example::{Values, close, dot, model};
use crate::expr::Id;
use crate::geometry::Direction;
use crate::mechanics::Mechanics;
use crate::model::Model;

const GROUPS: [&str; 4] = ["SO3xR3", "SE3", "S3xR3", "S3sR3"];

fn heavy_top(group: &str) -> Model {
    model(
        "gravity = [0, 0, -9.81]",
        &format!(
            "#[body(mass = 15, inertia = [0.234375, 0.46875, 0.234375])]
             #[start(position = y, angular_velocity = [0, 150, -4.61538])] top: Body<{group}>,
             #[joint(ground, top at -y)] pivot: Spherical,"
        ),
    )
}

/// A small model with many statements.
fn two_bodies() -> Model {
    model(
        "",
        "#[body(mass = 1, inertia = [1, 2, 2.5])] #[start(position = x)] a: Body<SE3>,
         #[body(mass = 2, inertia = [2, 3, 3.5])] #[start(position = 3 * x)] b: Body<SE3>,
         #[joint(a at x, b at -x)] joint: Spherical,",
    )
}

/// A hinge with a motor that follows a function of time, and numbers that are known late.
fn driven() -> Model {
    model(
        "gravity = [0, 0, -9.81]",
        "#[param(default = 3)] k: f64,
         #[body(mass = k, inertia = [1, 2, 2.5])] #[start(position = [1, 0, 0])] a: Body<S3sR3>,
         #[joint(ground, a, at = world([0, 0, 0]), axis = [1, 2, 2])] hinge: Revolute,
         #[joint(ground, a, axis = [1, 2, 2], angle = sin(k * t))] drive: Driver,
         #[force(hinge, stiffness = k, damping = 0.5)] spring: TorsionSpring,",
    )
}

/// Points with a rod, a spring and a damper, and a vibration that reads them.
fn points() -> Model {
    model(
        "gravity = [0, 0, -9.81]",
        "#[body(mass = 2)] #[start(position = x)] a: Body<R3>,
         #[body(mass = 3)] #[start(position = x + y)] b: Body<R3>,
         #[body(mass = [[2, 1], [1, 2]])] m: Body<R2>,
         #[joint(ground, a, length = 1)] rod: Distance,
         #[joint(a, b, length = 1)] second: Distance,
         #[force(ground at z, b, stiffness = 3, damping = 0.2, length = 0.5)] spring: SpringDamper,
         #[force(m, stiffness = [3, 4], damping = [0.1, 0.2])] modes: ModalSpring,
         #[force(m, force = [b.velocity.x, t])] shaker: Load,",
    )
}

/// Two links with hinges and motors: a large model.
fn arm(group: &str) -> Model {
    model(
        "gravity = [0, 0, -9.81]",
        &format!(
            "#[body(mass = 1.5, inertia = [0.3, 0.2, 0.4])] #[start(position = [0.1, 0, 0.5])] a: Body<{group}>,
             #[body(mass = 1.5, inertia = [0.3, 0.2, 0.4])] #[start(position = [0.1, 0, 1.5])] b: Body<{group}>,
             #[joint(ground, a, at = world([0, 0, 0]), axis = x)] i: Revolute,
             #[joint(a, b, at = world([0, 0, 1]), axis = y)] j: Revolute,
             #[force(i, p = 40, d = 4, target = sin(t))] f: PdControl,
             #[force(j, p = 40, d = 4, target = sin(t))] h: PdControl,"
        ),
    )
}

/// Small models of every kind, then large ones.
fn all() -> Vec<Model> {
    let tops = GROUPS.map(heavy_top).into_iter();
    let arms = ["SO3xR3", "SE3"].map(arm);
    tops.chain([driven(), points()]).chain(arms).collect()
}

struct Case<'m> {
    m: Mechanics<'m>,
    plan: Plan,
    values: Values,
}

impl<'m> Case<'m> {
    fn new(model: &'m Model) -> Self {
        let mut m = Mechanics::new(model);
        let plan = Plan::new(&mut m);
        let values = Values::of_model(model).with_constants(&m.geometry);
        let mut case = Self { m, plan, values };
        case.values = case.with_geometry(&case.values, "g");
        case
    }

    fn at(&self, values: &Values, outputs: &[Id]) -> Vec<f64> {
        values.at(&self.m.geometry.graph, outputs)
    }

    /// With the slots of a configuration.
    fn with_geometry(&self, values: &Values, geometry: &'static str) -> Values {
        values.with(geometry, self.at(values, &self.plan.slots))
    }

    /// The matrix of a kernel that multiplies with `w`, by rows.
    fn matrix(&self, values: &Values, kernel: &[Id]) -> Vec<Vec<f64>> {
        let n = self.m.model.dof();
        let mut rows = vec![vec![0.0; n]; kernel.len()];
        for column in 0..n {
            let mut unit = vec![0.0; n];
            unit[column] = 1.0;
            let product = self.at(&values.with("w", unit), kernel);
            for (row, entry) in rows.iter_mut().zip(product) {
                row[column] = entry;
            }
        }
        rows
    }

    fn phi(&mut self) -> Vec<Id> {
        let phi = self.m.phi.clone();
        let lower = |phi| self.m.geometry.lower_scalar(phi);
        phi.into_iter().map(lower).collect()
    }

    /// Asserts that a kernel over the slots has the values of expressions over `q`.
    fn same(&self, kernel: &[Id], expressions: &[Id], what: &str) {
        let found = self.at(&self.values, kernel);
        let expected = self.at(&self.values, expressions);
        let name = &self.m.model.bodies[0].group.name();
        close(&found, &expected, 1e-12, &format!("{what}, {name}"));
    }
}

#[test]
fn kernels_over_slots_are_those_of_the_configuration() {
    for model in all() {
        let mut case = Case::new(&model);
        case.same(&case.plan.force, &case.m.force, "force");
        let phi = case.phi();
        case.same(&case.plan.constraint, &phi, "constraint");
        let rates = case.m.rates(&Direction::of_time());
        let lower = |case: &mut Case<'_>, list: Vec<crate::geometry::Scalar>| -> Vec<Id> {
            let lower = |s| case.m.geometry.lower_scalar(s);
            list.into_iter().map(lower).collect()
        };
        let rates = lower(&mut case, rates);
        case.same(&case.plan.constraint_rate, &rates, "constraint rate");
        let stiffness = case.m.stiffness_times();
        case.same(&case.plan.stiffness_times, &stiffness, "stiffness");
        let [v, w] = ["v", "w"].map(|array| case.m.direction(array));
        let rates = case.m.rates(&v.and_time());
        for (along, timed) in [(w, false), (v.and_time(), true)] {
            let slopes = rates
                .iter()
                .map(|rate| case.m.geometry.scalar_derivative(*rate, &along))
                .collect();
            let slopes = lower(&mut case, slopes);
            if !timed {
                let kernel = &case.plan.jacobian_derivative_times;
                case.same(kernel, &slopes, "derivative of B v");
            } else if let Some(quadratic) = &case.plan.quadratic {
                case.same(quadratic, &slopes, "Z");
            }
        }
        assert_eq!(
            case.plan.quadratic.is_some(),
            model.joints.len() == 2 && model.parameters.len() == 1
        );
    }
}

#[test]
fn products_with_the_jacobian_are_those_of_its_rows() {
    for model in all() {
        let case = Case::new(&model);
        let (w, lambda) = (case.values.get("w"), case.values.get("lambda"));
        let (mut times, mut transposed) = (Vec::new(), vec![0.0; model.dof()]);
        for (row, lambda) in case.m.jacobian.iter().zip(lambda) {
            let (columns, entries): (Vec<usize>, Vec<Id>) = row.iter().copied().unzip();
            let entries = case.at(&case.values, &entries);
            times.push(columns.iter().zip(&entries).map(|(i, b)| b * w[*i]).sum());
            for (column, entry) in columns.iter().zip(entries) {
                transposed[*column] += entry * lambda;
            }
        }
        let [found, back] = [
            &case.plan.jacobian_times,
            &case.plan.jacobian_transpose_times,
        ]
        .map(|kernel| case.at(&case.values, kernel));
        close(&found, &times, 1e-13, "B w");
        close(&back, &transposed, 1e-13, "B^T lambda");
    }
}

#[test]
fn products_with_mass_and_damping() {
    for model in all() {
        let mut case = Case::new(&model);
        let [mass, inverse] = [&case.plan.mass_times, &case.plan.mass_solve]
            .map(|kernel| case.matrix(&case.values, kernel));
        let w = case.values.get("w").to_vec();
        let solved: Vec<f64> = inverse.iter().map(|row| dot(row, &w)).collect();
        let again: Vec<f64> = mass.iter().map(|row| dot(row, &solved)).collect();
        close(&again, &w, 1e-13, "M M^-1 w");
        // The kinetic energy is 1/2 v^T M v.
        let v = case.values.get("v").to_vec();
        let momentum: Vec<f64> = mass.iter().map(|row| dot(row, &v)).collect();
        let energy = case.at(&case.values, &case.plan.energy);
        close(&energy[..1], &[0.5 * dot(&v, &momentum)], 1e-14, "energy");
        let mut expected = vec![0.0; model.dof()];
        for (row, column, entry) in case.m.damping() {
            expected[row] += case.at(&case.values, &[entry])[0] * w[column];
        }
        let found = case.at(&case.values, &case.plan.damping_times);
        close(&found, &expected, 1e-13, "D w");
    }
}

/// What a kernel is not given, it does not read.
#[test]
fn kernels_read_what_they_are_given() {
    for model in all() {
        let case = Case::new(&model);
        let (graph, plan) = (&case.m.geometry.graph, &case.plan);
        let check = |kernel: &[Id], given: &[&str], what: &str| {
            let only = graph.depends_only(&|array| given.contains(&array) || array == "c");
            assert!(kernel.iter().all(|id| only[id.index()]), "{what}");
        };
        check(&plan.slots, &["q", "t"], "geometry");
        check(&plan.force, &["t", "g", "v"], "force");
        check(&plan.mass_times, &["w"], "mass");
        check(&plan.constraint, &["t", "q", "g"], "constraint");
        check(&plan.constraint_rate, &["t", "g"], "rate");
        check(&plan.jacobian_times, &["g", "w"], "B w");
        check(
            &plan.stiffness_times,
            &["t", "q", "g", "v", "lambda", "w"],
            "stiffness",
        );
        if let Some(stage) = &plan.stage_solve {
            let given = ["t", "g", "v", "n", "u", "weight"];
            check(
                &[&stage.vdot[..], &stage.lambda, &stage.growth].concat(),
                &given,
                "stage",
            );
        }
    }
}

#[test]
fn motion_on_the_groups_is_that_of_the_bodies() {
    for model in all() {
        let mut case = Case::new(&model);
        let theta = crate::example::random(41, model.dof());
        case.values.set("theta", theta.clone());
        let bodies = case.values.moved(&model, &theta);
        let Some(fused) = &case.plan.fused else {
            // A large model has code for its angles: of the moved bodies in `m`.
            let values = case.values.with("m", bodies.get("q").to_vec());
            let angles = case.at(&values, &case.plan.angles);
            assert_eq!(angles.len(), model.config_len() - model.body_config_len());
            continue;
        };
        let q = case.at(&case.values, &fused.displace);
        let count = model.body_config_len();
        close(
            &q[..count],
            &bodies.get("q")[..count],
            1e-14,
            "displacement",
        );
        // Slots of a stage are those of the moved configuration, angles included.
        let moved = case.values.with("q", q);
        let expected = case.at(&moved, &case.plan.slots);
        let found = case.at(&case.values, &fused.displaced_slots);
        close(&found, &expected, 1e-13, "geometry of a stage");
        assert!(fused.steady_slots <= found.len());
    }
}

/// `gamma' (theta - k)`, `gamma' (theta - T k + push)`, `gamma' (theta - k + T^-1 push)`.
#[test]
fn velocities_of_increments() {
    let model = heavy_top("SE3");
    let mut case = Case::new(&model);
    for (seed, array) in [(51, "theta"), (52, "k"), (53, "push")] {
        case.values.set(array, crate::example::random(seed, 6));
    }
    case.values.set("gamma_h", vec![2.5]);
    let fused = case.plan.fused.as_ref().expect("a small model");
    let [zero, one, stabilized] =
        [0, 1, 2].map(|i: usize| case.at(&case.values, &fused.velocities[i]));
    let [theta, k, push] = ["theta", "k", "push"].map(|array| case.values.get(array));
    let back = |v: Vec<f64>| case.at(&case.values.with("v", v), &fused.tangent_inverse);
    let plain: Vec<f64> = (0..6).map(|i| 2.5 * (theta[i] - k[i])).collect();
    close(&zero, &plain, 1e-15, "sigma = 0");
    // T k is what T^-1 makes k of.
    let moved = (0..6).map(|i| theta[i] + push[i] - one[i] / 2.5).collect();
    close(&back(moved), k, 1e-14, "sigma = 1");
    let pushed = back(push.to_vec());
    let expected: Vec<f64> = (0..6).map(|i| plain[i] + 2.5 * pushed[i]).collect();
    close(&stabilized, &expected, 1e-14, "with eta");
}

#[test]
fn kernels_are_counted_by_name() {
    let model = heavy_top("SO3xR3");
    let case = Case::new(&model);
    let counts = case.plan.operations(&case.m.geometry.graph);
    let names: Vec<&str> = counts.iter().map(|(name, _)| name.as_str()).collect();
    let expected = [
        "geometry",
        "displacement",
        "geometry of a stage",
        "tangent operator",
        "force",
        "constraint",
        "half-explicit stage",
        "stiffness",
        "residual, Index3",
        "Newton iteration, Index3, sigma = 0",
    ];
    assert_eq!(names[..10], expected);
    assert!(counts.iter().all(|(_, count)| *count > 0), "{counts:?}");
    assert_eq!(
        names
            .iter()
            .filter(|name| name.starts_with("Newton matrix"))
            .count(),
        6
    );
    let force = counts
        .iter()
        .find(|(name, _)| name == "force")
        .expect("force");
    assert_eq!(force.1, case.m.geometry.graph.operations(&case.plan.force));
}
