//! `B = A^T W`, rows that are constant on the constraints, and samples.

use super::{Case, GROUPS, arm, driven, heavy_top, points};
use crate::example::{Values, close, model};
use crate::expr::{Graph, Id};
use crate::mechanics::Mechanics;
use crate::model::Model;
use crate::plan::manifold::{constant_rows, fixed_values};
use crate::plan::motion::group_kernels;
use crate::plan::rows::Rows;
use crate::plan::samples::{Kinematics, Samples};
use crate::plan::{Slots, array};

/// Rows in inertial axes, over the slots, with the values of everything.
fn rows(model: &Model) -> (Mechanics<'_>, Rows, Values) {
    let mut m = Mechanics::new(model);
    let mut slots = Slots::default();
    let rows = Rows::new(&mut m, &mut slots);
    let values = Values::of_model(model).with_constants(&m.geometry);
    let geometry = values.at(m.graph(), &slots.ids);
    let values = values.with("g", geometry);
    (m, rows, values)
}

fn dense(m: &Mechanics<'_>, values: &Values) -> Vec<Vec<f64>> {
    let row = |row: &Vec<(usize, Id)>| {
        let mut dense = vec![0.0; m.model.dof()];
        for (column, entry) in row {
            dense[*column] = values.at(&m.geometry.graph, &[*entry])[0];
        }
        dense
    };
    m.jacobian.iter().map(row).collect()
}

/// Also where the constraints do not hold.
#[test]
fn rows_in_inertial_axes_are_those_of_the_jacobian() {
    let models = GROUPS.map(arm).into_iter().chain([driven(), points()]);
    for model in models {
        let (mut m, rows, values) = rows(&model);
        let expected = dense(&m, &values).concat();
        let found = rows.jacobian(m.graph(), model.dof()).concat();
        let what = model.bodies[0].group.name();
        close(&values.at(m.graph(), &found), &expected, 1e-13, &what);
    }
}

/// `A A^T x = x`, `B w = A^T W w` and `B^T lambda = W^T A lambda`.
#[test]
fn multipliers_are_turned_there_and_back() {
    for model in ["SO3xR3", "SE3"].map(arm) {
        let (mut m, rows, values) = rows(&model);
        let nv = model.dof();
        let g = m.graph();
        let (lambda, w) = (array(g, "lambda", 10), array(g, "w", nv));
        let mu = rows.turned(g, &lambda);
        let back = rows.turned_back(g, &mu);
        let times = rows.times(g, &w);
        let transposed = rows.transpose_times(g, &lambda, nv);
        let expected = &values.get("lambda")[..10];
        close(&values.at(g, &back), expected, 1e-14, "A^T A lambda");
        // On semidirect products nothing is turned.
        let same = values.at(g, &mu) == expected;
        assert_eq!(same, model.bodies[0].group.is_semidirect());
        let (times, transposed) = (values.at(g, &times), values.at(g, &transposed));
        let b = dense(&m, &values);
        let product = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| x * y).sum::<f64>();
        let expected: Vec<f64> = b.iter().map(|row| product(row, values.get("w"))).collect();
        close(&times, &expected, 1e-13, "B w");
        let column = |i: usize| b.iter().map(|row| row[i]).collect::<Vec<f64>>();
        let lambda = values.get("lambda");
        let expected: Vec<f64> = (0..nv).map(|i| product(&column(i), lambda)).collect();
        close(&transposed, &expected, 1e-13, "B^T lambda");
    }
}

#[test]
fn rows_can_be_those_of_another_configuration() {
    let model = arm("SO3xR3");
    let (mut m, rows, values) = rows(&model);
    let next = rows.at(m.graph(), "n");
    let only = m.geometry.graph.depends_only(&|array| array == "n");
    let entries = next.entries.iter().flatten();
    assert!(
        entries
            .clone()
            .all(|(_, id)| only.get(id.index()).is_none_or(|only| *only))
    );
    let geometry = values.get("g").to_vec();
    let moved = values.with("n", geometry).with("g", Vec::new());
    let [found, expected] = [next, rows].map(|rows| rows.jacobian(m.graph(), 12).concat());
    let expected = values.at(m.graph(), &expected);
    close(&moved.at(m.graph(), &found), &expected, 1e-15, "at n");
}

/// What a constraint says about a function of the configuration.
#[test]
fn constraints_fix_functions() {
    let mut g = Graph::default();
    let (a, b, two) = (g.input("q", 0), g.input("q", 1), g.constant(2.0));
    let f = g.mul(a, b);
    let check = |g: &Graph, phi: Id, value: f64| {
        let known = fixed_values(g, &[phi]);
        assert_eq!(known.get(&f), Some(&value));
    };
    let phi = g.sub(f, two);
    check(&g, phi, 2.0);
    let phi = g.sub(two, f);
    check(&g, phi, 2.0);
    let phi = g.add(f, two);
    check(&g, phi, -2.0);
    let phi = g.neg(phi);
    check(&g, phi, -2.0);
    // A number that was made later is the second term.
    let three = g.constant(3.0);
    let phi = g.add(f, three);
    check(&g, phi, -3.0);
    check(&g, f, 0.0);
    let negative = g.neg(f);
    check(&g, negative, 0.0);
    assert!(fixed_values(&g, &[two]).is_empty());
}

/// A top in `SE3` has `[c~, -I]`, `c` the pivot in its axes; in `SO3xR3` the rows turn.
#[test]
fn rows_are_constant_on_semidirect_products() {
    for group in GROUPS {
        let model = heavy_top(group);
        let mut case = Case::new(&model);
        let phi = case.phi();
        let rows = case.m.jacobian.clone();
        let constant = constant_rows(case.m.graph(), &phi, &rows);
        let semidirect = model.bodies[0].group.is_semidirect();
        assert_eq!(constant.is_some(), semidirect, "{group}");
        assert_eq!(case.plan.constant_jacobian, semidirect, "{group}");
        let Some(constant) = constant else { continue };
        let numbers: Vec<Vec<(usize, f64)>> = constant
            .iter()
            .map(|row| {
                let number = |id: Id| case.m.geometry.graph.value(id).expect("a number");
                row.iter()
                    .map(|(column, id)| (*column, number(*id)))
                    .collect()
            })
            .collect();
        // c = -y: c~ has -1 at (x, z) and 1 at (z, x).
        let expected = [
            vec![(2, -1.0), (3, -1.0)],
            vec![(4, -1.0)],
            vec![(0, 1.0), (5, -1.0)],
        ];
        assert_eq!(numbers, expected, "{group}");
    }
}

#[test]
fn samples_are_on_the_constraints_and_differ() {
    for model in [arm("SE3"), arm("SO3xR3"), points()] {
        let mut m = Mechanics::new(&model);
        let phi = m.phi.clone();
        let lower = |phi| m.geometry.lower_scalar(phi);
        let phi: Vec<Id> = phi.into_iter().map(lower).collect();
        let kernels = group_kernels(&mut m);
        let (jacobian, constants) = (m.jacobian.clone(), m.geometry.constants.clone());
        let kinematics = Kinematics {
            slots: &[],
            displace: &kernels.displace,
            phi: &phi,
            jacobian: &jacobian,
            constants: &constants,
        };
        let samples = Samples::new(&m.geometry.graph, &model, &kinematics);
        let q = array(m.graph(), "q", 3);
        let values = samples.of(&m.geometry.graph, &vec![phi.clone(), q]);
        assert_eq!(values.len(), 6);
        for sample in &values {
            close(&sample[0], &vec![0.0; phi.len()], 1e-10, "Phi");
        }
        for pair in values.windows(2) {
            assert_ne!(pair[0][1], pair[1][1]);
        }
    }
}

/// With positions in inertial axes there is nothing to turn.
#[test]
fn inertial_positions_are_not_turned() {
    let model = model(
        "positions = \"inertial\"",
        "#[body(mass = 1, inertia = [1, 1, 1])] #[start(position = x)] a: Body<SO3xR3>,
         #[joint(ground, a at -x)] j: Spherical,",
    );
    let (mut m, rows, values) = rows(&model);
    let lambda = array(m.graph(), "lambda", 3);
    assert_eq!(rows.turned(m.graph(), &lambda), lambda);
    let found = rows.jacobian(m.graph(), 6).concat();
    close(
        &values.at(m.graph(), &found),
        &dense(&m, &values).concat(),
        1e-14,
        "B",
    );
}
