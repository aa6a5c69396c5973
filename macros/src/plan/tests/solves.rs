//! Solutions solve their equations: stages and Schur complements.

use super::{Case, GROUPS, arm, driven, heavy_top, points};
use crate::example::{Values, close, dot, model, random};
use crate::model::Model;

pub(super) type Rows = Vec<Vec<f64>>;

pub(super) fn times(a: &Rows, x: &[f64]) -> Vec<f64> {
    a.iter().map(|row| dot(row, x)).collect()
}

pub(super) fn transposed(a: &Rows, columns: usize) -> Rows {
    let column = |j: usize| a.iter().map(|row| row[j]).collect();
    (0..columns).map(column).collect()
}

pub(super) fn product(a: &Rows, b: &Rows) -> Rows {
    let columns = transposed(b, b.first().map_or(0, Vec::len));
    a.iter()
        .map(|row| columns.iter().map(|column| dot(row, column)).collect())
        .collect()
}

/// `x a + y b`.
pub(super) fn sum(x: f64, a: &Rows, y: f64, b: &Rows) -> Rows {
    let row = |(a, b): (&Vec<f64>, &Vec<f64>)| {
        let pairs = a.iter().zip(b);
        pairs.map(|(a, b)| x * a + y * b).collect()
    };
    a.iter().zip(b).map(row).collect()
}

/// Solves by elimination with pivots.
pub(super) fn solved(mut a: Rows, mut x: Vec<f64>) -> Vec<f64> {
    let n = x.len();
    for k in 0..n {
        let pivot = (k..n).max_by(|i, j| a[*i][k].abs().total_cmp(&a[*j][k].abs()));
        let pivot = pivot.expect("rows");
        a.swap(k, pivot);
        x.swap(k, pivot);
        for i in (0..n).filter(|i| *i != k) {
            let factor = a[i][k] / a[k][k];
            for j in k..n {
                a[i][j] -= factor * a[k][j];
            }
            x[i] -= factor * x[k];
        }
    }
    (0..n).map(|i| x[i] / a[i][i]).collect()
}

impl Case<'_> {
    /// The closest configuration where the joints hold.
    fn closed(&mut self, values: &Values) -> Values {
        let (model, phi) = (self.m.model, self.phi());
        let mut values = values.clone();
        for _ in 0..20 {
            values = self.with_geometry(&values, "g");
            let b = self.matrix(&values, &self.plan.jacobian_times);
            let gap = self.at(&values, &phi);
            let normal = product(&b, &transposed(&b, model.dof()));
            let push = solved(normal, gap);
            let step = times(&transposed(&b, model.dof()), &push);
            let step: Vec<f64> = step.iter().map(|x| -x).collect();
            values = values.moved(model, &step);
        }
        let values = self.with_geometry(&values, "g");
        close(&self.at(&values, &phi), &vec![0.0; phi.len()], 1e-13, "Phi");
        values
    }

    /// A configuration where the joints hold, not far from the start.
    pub(super) fn near(&mut self, seed: u64) -> Values {
        let model = self.m.model;
        let start = crate::start::Start::new(model);
        let number = |q| model.by_default(q).expect("a number");
        let q = start.q.iter().map(number).collect();
        let step: Vec<f64> = random(seed, model.dof()).iter().map(|x| 0.2 * x).collect();
        let values = self.values.with("t", vec![0.0]).with("q", q);
        self.closed(&values.moved(model, &step))
    }
}

/// A top with a spring and a damper: its forces couple rotation and translation.
fn sprung(group: &str) -> Model {
    model(
        "gravity = [0, 0, -9.81]",
        &format!(
            "#[body(mass = 2, inertia = [1, 2, 2])] #[start(position = y)] top: Body<{group}>,
             #[joint(ground, top at -y)] pivot: Spherical,
             #[force(ground at [1, 1, 1], top at x, stiffness = 5, damping = 2, length = 1)] f: SpringDamper,"
        ),
    )
}

/// All but the model whose angle is a component of the configuration: it would have to move, too.
pub(super) fn models() -> Vec<Model> {
    let tops = GROUPS.map(heavy_top).into_iter();
    tops.chain(GROUPS.map(sprung))
        .chain([points()])
        .chain(GROUPS.map(arm))
        .collect()
}

/// `M V' + B_i^T Lambda = -g` and `B_{i+1} (reach + V') + weight dPhi/dt = 0`. Pivots are chosen
/// beforehand: entries may grow by some hundreds, and so do rounding errors.
fn stage_holds(case: &Case<'_>, values: &Values, stage: &super::super::Stage, what: &str) {
    let nv = case.m.model.dof();
    let [vdot, lambda] = [&stage.vdot, &stage.lambda].map(|kernel| case.at(values, kernel));
    let mass = case.matrix(values, &case.plan.mass_times);
    let b = case.matrix(values, &case.plan.jacobian_times);
    let g = case.at(values, &case.plan.force);
    let push = times(&transposed(&b, nv), &lambda);
    let inertial = times(&mass, &vdot);
    let rest: Vec<f64> = (0..nv).map(|i| inertial[i] + push[i] + g[i]).collect();
    let size = g.iter().fold(1.0, |size: f64, x| size.max(x.abs()));
    let rest: Vec<f64> = rest.iter().map(|x| x / size).collect();
    close(&rest, &vec![0.0; nv], 1e-10, what);
    let next = values.with("g", values.get("n").to_vec());
    let b = case.matrix(&next, &case.plan.jacobian_times);
    let rate = case.at(&next, &case.plan.constraint_rate);
    let (u, weight) = (values.get("u"), values.get("weight")[0]);
    let reached: Vec<f64> = (0..nv).map(|i| vdot[i] + weight * u[i]).collect();
    let rest = times(&b, &reached);
    let rest: Vec<f64> = rest
        .iter()
        .zip(rate)
        .map(|(x, rate)| (x + weight * rate) / size)
        .collect();
    close(&rest, &vec![0.0; rest.len()], 1e-10, what);
}

#[test]
fn stages_solve_their_equations() {
    for model in models().into_iter().chain([driven()]) {
        let mut case = Case::new(&model);
        let what = model.bodies[0].group.name();
        let driven = !model.parameters.is_empty();
        let [here, next] = if driven {
            // Any configuration will do for the general stage.
            let theta: Vec<f64> = random(61, model.dof()).iter().map(|x| 0.1 * x).collect();
            let next = case.values.moved(&model, &theta);
            [case.values.clone(), case.with_geometry(&next, "g")]
        } else {
            [61, 62].map(|seed| case.near(seed))
        };
        let mut values = here.with("n", next.get("g").to_vec());
        values.set("u", random(63, model.dof()));
        values.set("weight", vec![0.7]);
        let general = case.plan.stage_solve.as_ref().expect("a stage");
        stage_holds(&case, &values, general, &what);
        if let Some(steady) = &case.plan.steady_stage {
            assert!(model.bodies[0].group.is_semidirect());
            stage_holds(&case, &values, steady, &format!("steady, {what}"));
        }
        assert!(!general.growth.is_empty() || general.lambda.is_empty());
    }
}

/// `B_n M^-1 B^T lambda = right`.
#[test]
fn schur_complements_are_solved() {
    for model in GROUPS.map(heavy_top).into_iter().chain([points()]) {
        let mut case = Case::new(&model);
        let (here, next) = (case.near(71), case.near(72));
        let mut values = here.with("n", next.get("g").to_vec());
        let b = case.matrix(&here, &case.plan.jacobian_times);
        let right = random(73, b.len());
        values.set("right", right.clone());
        let solve = case.plan.schur_solve.as_ref().expect("a small model");
        let lambda = case.at(&values, &solve.solution);
        let push = times(&transposed(&b, model.dof()), &lambda);
        let speed = case.at(&here.with("w", push), &case.plan.mass_solve);
        let b = case.matrix(&next, &case.plan.jacobian_times);
        close(
            &times(&b, &speed),
            &right,
            1e-11,
            &model.bodies[0].group.name(),
        );
    }
}
