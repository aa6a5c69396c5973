//! Corrections of Newton's method solve their equations.

use super::solves::{Rows, models, product, solved, sum, transposed};
use super::{Case, arm, heavy_top, two_bodies};
use crate::example::{Values, close, dot, random};
use crate::expr::Id;
use crate::groups;
use crate::model::Model;
use crate::plan::{Entry, Newton, Sigma, block_entry};

/// A block of each body, from the components that are not structural; `unit` stands on the diagonal
/// of translations that are not coupled.
fn blocks(model: &Model, components: &[f64], unit: f64) -> Rows {
    let mut rows = vec![vec![0.0; model.dof()]; model.dof()];
    let mut place = 0;
    for body in &model.bodies {
        let n = body.group.dof();
        for (i, j) in (0..n * n).map(|k| (k / n, k % n)) {
            let entry = &mut rows[body.velocity + i][body.velocity + j];
            match block_entry(body.group, i, j) {
                Entry::Zero => {}
                Entry::Unit => *entry = unit,
                Entry::Full => {
                    *entry = components[place];
                    place += 1;
                }
            }
        }
    }
    rows
}

/// `T(theta)` of all bodies, and its inverse.
fn tangents(case: &mut Case<'_>, values: &Values) -> [Rows; 2] {
    let model = case.m.model;
    [groups::tangent, groups::inverse_tangent].map(|tangent| {
        let mut rows = vec![vec![0.0; model.dof()]; model.dof()];
        for body in &model.bodies {
            let block = tangent(case.m.graph(), body.group, body.velocity);
            for (i, row) in block.iter().enumerate() {
                let numbers = case.at(values, row);
                let place = body.velocity..body.velocity + numbers.len();
                rows[body.velocity + i][place].copy_from_slice(&numbers);
            }
        }
        rows
    })
}

/// The matrix of `System::newton_factor`, from products with `K`, `D` and `B`.
fn newton_matrix(case: &mut Case<'_>, values: &Values, newton: &Newton) -> Rows {
    let (model, nv) = (case.m.model, case.m.model.dof());
    let [h, gamma, epsilon] = ["h", "gamma_h", "epsilon_h"].map(|name| values.get(name)[0]);
    let [tangent, inverse] = tangents(case, values);
    let (v, p) = if newton.sigma == Sigma::Zero {
        let ones: Rows = (0..nv)
            .map(|i| (0..nv).map(|j| f64::from(u8::from(i == j))).collect())
            .collect();
        (sum(gamma, &ones, 0.0, &ones), inverse)
    } else {
        let slope = blocks(model, values.get("slope"), gamma);
        (
            product(&slope, &tangent),
            blocks(model, values.get("blend"), 1.0),
        )
    };
    let plan = &case.plan;
    let matrix = |kernel: &[Id]| case.matrix(values, kernel);
    let inertia = sum(
        epsilon,
        &matrix(&plan.mass_times),
        1.0,
        &matrix(&plan.damping_times),
    );
    let stiffness = product(&matrix(&plan.stiffness_times), &tangent);
    let b = matrix(&plan.jacobian_times);
    let hidden = product(&matrix(&plan.jacobian_derivative_times), &tangent);
    let hidden = sum(h, &product(&b, &v), h, &hidden);
    let start = case.matrix(
        &values.with("g", values.get("s").to_vec()),
        &plan.jacobian_times,
    );
    let pushed = product(&p, &transposed(&start, nv));
    let zeros = vec![vec![0.0; b.len()]; b.len()];
    let motion = sum(h * h, &product(&inertia, &v), h * h, &stiffness);
    let eta = product(&inertia, &pushed);
    let of_eta = product(&b, &pushed);
    let scaled = |a: &Rows, factor: f64| sum(factor, a, 0.0, a);
    let beside = |parts: &[&Rows]| -> Rows {
        let row = |i: usize| parts.iter().flat_map(|part| part[i].clone()).collect();
        (0..parts[0].len()).map(row).collect()
    };
    let forces = transposed(&b, nv);
    let position = product(&b, &tangent);
    match newton.formulation {
        "Index3" => [beside(&[&motion, &forces]), beside(&[&position, &zeros])].concat(),
        "Index2" => [beside(&[&motion, &forces]), beside(&[&hidden, &zeros])].concat(),
        _ => [
            beside(&[&motion, &forces, &scaled(&eta, h * h * gamma * h)]),
            beside(&[&position, &zeros, &zeros]),
            beside(&[&hidden, &zeros, &scaled(&of_eta, h * gamma * h)]),
        ]
        .concat(),
    }
}

/// Everything that a Newton matrix reads, at a configuration where the joints hold.
fn newton_values(case: &mut Case<'_>) -> Values {
    let model = case.m.model;
    let start = case.near(81);
    let mut values = case.near(82).with("s", start.get("g").to_vec());
    let h = 0.1;
    for (name, value) in [("h", h), ("gamma_h", 2.0 / h), ("epsilon_h", 1.5 / h)] {
        values.set(name, vec![value]);
    }
    values.set(
        "theta",
        random(83, model.dof()).iter().map(|x| 0.3 * x).collect(),
    );
    let full = |n: usize| random(84, n);
    let near = |size: f64, noise: &[f64]| -> Vec<f64> {
        let mut place = 0;
        let mut components = Vec::new();
        for body in &model.bodies {
            let n = body.group.dof();
            for (i, j) in (0..n * n).map(|k| (k / n, k % n)) {
                if block_entry(body.group, i, j) == Entry::Full {
                    let unit = f64::from(u8::from(i == j));
                    components.push(size * (unit + 0.1 * noise[place]));
                    place += 1;
                }
            }
        }
        components
    };
    values.set("slope", near(2.0 / h, &full(200)));
    values.set("blend", near(1.0, &full(300)[100..]));
    values
}

/// Solves with a right side by the kernels, which read `a`, `b`, `e` in large models.
fn solution(case: &Case<'_>, values: &Values, newton: &Newton) -> Vec<f64> {
    let mut values = values.clone();
    if let Some(large) = &case.plan.large {
        for (array, kernel) in [
            ("a", &large.entries),
            ("b", &large.hidden),
            ("e", &large.eta),
        ] {
            values.set(array, case.at(&values, kernel));
        }
    }
    values.set("lu", case.at(&values, &newton.factors));
    case.at(&values, &newton.solution)
}

#[test]
fn newton_corrections_solve_their_equations() {
    for model in models() {
        let mut case = Case::new(&model);
        let mut values = newton_values(&mut case);
        let eliminations: Vec<Newton> = {
            // The plan is taken apart: its matrices are looked at one by one.
            let large = case.plan.large.as_mut();
            let of_large = large.map(|large| std::mem::take(&mut large.eliminations));
            let mut all = std::mem::take(&mut case.plan.newton);
            all.extend(of_large.into_iter().flatten());
            all
        };
        assert!(eliminations.len() == 6 || eliminations.len() == 3);
        for newton in eliminations {
            let what = format!(
                "{} {:?}, {}",
                newton.formulation,
                newton.sigma,
                model.bodies[0].group.name()
            );
            let a = newton_matrix(&mut case, &values, &newton);
            values.set("right", random(91, a.len()));
            let found = solution(&case, &values, &newton);
            let expected = solved(a, values.get("right").to_vec());
            close(&found, &expected, 1e-8, &what);
            if let Some(correction) = &newton.correction {
                let values = values.clone();
                close(&case.at(&values, correction), &found, 1e-10, &what);
            }
        }
    }
}

/// The residual of an iteration in one kernel is that of the general way, and its correction the
/// one that the Newton matrix gives.
#[test]
fn short_iterations_are_residual_and_correction() {
    for group in ["SO3xR3", "S3xR3", "SE3", "S3sR3"] {
        let model = heavy_top(group);
        let mut case = Case::new(&model);
        let mut values = newton_values(&mut case);
        let (nv, nc) = (6, 3);
        let [h, gamma, epsilon] = ["h", "gamma_h", "epsilon_h"].map(|name| values.get(name)[0]);
        for (seed, array, len) in [(95, "k", nv), (96, "known", nv), (97, "impulse", nc)] {
            values.set(array, random(seed, len));
        }
        let (theta, k) = (values.get("theta").to_vec(), values.get("k").to_vec());
        // Where the increment leads, with its velocity.
        let mut there = values.moved(&model, &theta);
        there.set("v", (0..nv).map(|i| gamma * (theta[i] - k[i])).collect());
        let lambda: Vec<f64> = values.get("impulse").iter().map(|x| x / (h * h)).collect();
        there.set("lambda", lambda.clone());
        let there = case.with_geometry(&there, "g");
        let scaled = (0..nv).map(|i| h * h * gamma * epsilon * theta[i] + values.get("known")[i]);
        let inertial = case.at(&there.with("w", scaled.collect()), &case.plan.mass_times);
        let g = case.at(&there, &case.plan.force);
        let push = case.at(&there, &case.plan.jacobian_transpose_times);
        let mut residual: Vec<f64> = (0..nv)
            .map(|i| inertial[i] + h * h * (g[i] + push[i]))
            .collect();
        residual.extend(case.at(&there, &case.plan.constraint));
        // The general residual is the same with v' instead of h^2 v'.
        let vdot = (0..nv).map(|i| gamma * epsilon * theta[i] + values.get("known")[i] / (h * h));
        let fused = case.plan.fused.as_ref().expect("a small model");
        let general = case.at(&there.with("vdot", vdot.collect()), &fused.residual);
        close(&general, &residual, 1e-12, group);
        let short = case.plan.short.as_ref().expect("a short iteration");
        let found = case.at(&values, &short.residual);
        // Translations may be in the axes of the body.
        let lengths = |x: &[f64]| -> Vec<f64> {
            let square = |part: &[f64]| dot(part, part);
            vec![square(&x[..3]), square(&x[3..6]), square(&x[6..])]
        };
        close(&found[..3], &residual[..3], 1e-12, group);
        close(&lengths(&found), &lengths(&residual), 1e-11, group);
        let newton = &case.plan.newton[0];
        let there = there.with("right", residual);
        let expected = solution(&case, &there, newton);
        close(&case.at(&values, &short.correction), &expected, 1e-9, group);
        assert_eq!(short.growth.len(), newton.growth.len());
    }
    let model = two_bodies();
    assert!(Case::new(&model).plan.short.is_none());
}

#[test]
fn places_of_a_large_model_have_all_its_values() {
    let model = arm("SO3xR3");
    let case = Case::new(&model);
    let large = case.plan.large.as_ref().expect("a large model");
    let (nv, nc) = (12, 10);
    let places = &large.places;
    let check =
        |list: &[(usize, usize, isize)], rows: usize, columns: usize, values: usize, what: &str| {
            assert!(!list.is_empty(), "{what}");
            for (row, column, number) in list {
                assert!(*row < rows && *column < columns, "{what} {row} {column}");
                assert!(
                    (1..=values).contains(&number.unsigned_abs()),
                    "{what} {number}"
                );
            }
            let mut unique: Vec<_> = list
                .iter()
                .map(|(row, column, _)| (*row, *column))
                .collect();
            unique.sort_unstable();
            unique.dedup();
            assert_eq!(unique.len(), list.len(), "{what}");
        };
    check(&places.motion, nv, nv, large.entries.len(), "motion");
    check(&places.jacobian, nc, nv, large.entries.len(), "jacobian");
    check(&places.constant, nc, nv, places.fixed.len(), "constant");
    check(&places.hidden, nc, nv, large.hidden.len(), "hidden");
    check(&places.eta, nv + nc, nc, large.eta.len(), "eta");
}
