//! Numbers at which the matrices of a model are looked at when pivots are chosen.
//!
//! Configurations are the start, displaced by random increments from tiny to large
//! and brought back to the constraints: there some pivots vanish that are fine
//! elsewhere. Velocities, multipliers and increments are random, and step sizes
//! differ. Random means different, but the same in every expansion.

use std::collections::HashMap;

use super::newton::{Entry, block_entry};
use crate::elimination::{Matrix, Sample};
use crate::expr::{Graph, Id, Input};
use crate::formula::Formula;
use crate::model::Model;
use crate::start::Start;

/// Size of the displacement and step size of each sample.
const SAMPLES: [(f64, f64); 6] = [
    (1e-3, 1e-3),
    (0.05, 1e-2),
    (0.2, 1e-5),
    (0.5, 1e-3),
    (0.8, 1e-2),
    (0.3, 0.1),
];

/// Expressions that lead to configurations.
pub(super) struct Kinematics<'a> {
    pub(super) slots: &'a [Id],
    pub(super) displace: &'a [Id],
    pub(super) phi: &'a [Id],
    /// `B` as functions of `q`.
    pub(super) jacobian: &'a [Vec<(usize, Id)>],
    /// What is known when the model is constructed, as functions of `p`.
    pub(super) constants: &'a [Id],
}

/// Values of all inputs, sample by sample.
pub(super) struct Samples {
    inputs: Vec<HashMap<&'static str, Vec<f64>>>,
}

impl Samples {
    pub(super) fn new(g: &Graph, model: &Model, kinematics: &Kinematics<'_>) -> Self {
        let constraints = kinematics.phi.len();
        let mut random = Random(1);
        let start = Start::new(model);
        let numbers = |list: &[Formula]| -> Vec<f64> {
            list.iter()
                .map(|x| model.by_default(x).unwrap_or(0.0))
                .collect()
        };
        let (q, v) = (numbers(&start.q), numbers(&start.v));
        let constants = late_constants(g, model, kinematics.constants);
        let inputs = SAMPLES.map(|(size, h)| {
            let mut inputs = HashMap::from([("q", q.clone()), ("c", constants.clone())]);
            for geometry in ["s", "n", "g"] {
                let near = if geometry == "s" { size } else { 0.1 * size };
                inputs.insert("theta", random.vector(v.len(), near));
                inputs.insert("q", at(g, kinematics.displace, &inputs));
                project(g, kinematics, &mut inputs);
                let values = at(g, kinematics.slots, &inputs);
                inputs.insert(geometry, values);
            }
            let speed: Vec<f64> = random.vector(v.len(), 1.0);
            inputs.insert("v", v.iter().zip(&speed).map(|(v, w)| v + w).collect());
            inputs.insert("theta", random.vector(v.len(), 0.1));
            inputs.insert("lambda", random.vector(constraints, 10.0));
            let gamma = 2.0 / h;
            inputs.insert("h", vec![h]);
            inputs.insert("gamma_h", vec![gamma]);
            inputs.insert("epsilon_h", vec![gamma]);
            // `P` is the identity for sigma = 1.
            let blend = blocks(model, &mut random, if size < 0.3 { 0.0 } else { 0.1 });
            inputs.insert("slope", blend.iter().map(|x| gamma * x).collect());
            inputs.insert("blend", blend);
            inputs
        });
        Self {
            inputs: inputs.into(),
        }
    }

    /// The values of a matrix.
    pub(super) fn of(&self, g: &Graph, a: &Matrix) -> Vec<Sample> {
        self.inputs
            .iter()
            .map(|inputs| {
                let values = g.values(&|input| value(inputs, input));
                a.iter()
                    .map(|row| row.iter().map(|entry| values[entry.index()]).collect())
                    .collect()
            })
            .collect()
    }
}

/// Values of the constants for default parameters; constants outside of the model are taken as one.
fn late_constants(g: &Graph, model: &Model, constants: &[Id]) -> Vec<f64> {
    let mut p: Vec<f64> = model.parameters.iter().map(|p| p.default).collect();
    p.resize(model.late(), 1.0);
    g.evaluate(constants, &|input| {
        let place = input.index.map_or(usize::MAX, |index| index as usize);
        p.get(place).copied().unwrap_or(0.0)
    })
}

fn value(inputs: &HashMap<&'static str, Vec<f64>>, input: Input) -> f64 {
    let index = input.index.unwrap_or(0) as usize;
    let values = inputs.get(input.array);
    values
        .and_then(|values| values.get(index))
        .copied()
        .unwrap_or(0.0)
}

fn at(g: &Graph, outputs: &[Id], inputs: &HashMap<&'static str, Vec<f64>>) -> Vec<f64> {
    let values = g.values(&|input| value(inputs, input));
    outputs.iter().map(|id| values[id.index()]).collect()
}

/// Most corrections of a configuration; where that is not enough, it is taken as it is.
const CORRECTIONS: usize = 12;

/// `q <- q exp(-B^T (B B^T)^-1 Phi)`, with a small number on the diagonal for redundant rows.
fn project(g: &Graph, kinematics: &Kinematics<'_>, inputs: &mut HashMap<&'static str, Vec<f64>>) {
    let dof = inputs["theta"].len();
    for _ in 0..CORRECTIONS {
        let values = g.values(&|input| value(inputs, input));
        let at_id = |id: Id| values[id.index()];
        let phi: Vec<f64> = kinematics.phi.iter().map(|id| at_id(*id)).collect();
        if phi.iter().all(|x| x.abs() < 1e-14) {
            return;
        }
        let rows: Vec<Vec<f64>> = kinematics
            .jacobian
            .iter()
            .map(|row| {
                let mut dense = vec![0.0; dof];
                for (column, id) in row {
                    dense[*column] = at_id(*id);
                }
                dense
            })
            .collect();
        let mut normal: Vec<Vec<f64>> = rows
            .iter()
            .map(|x| rows.iter().map(|y| dot(x, y)).collect())
            .collect();
        for (i, row) in normal.iter_mut().enumerate() {
            row[i] += 1e-10 * (1.0 + row[i]);
        }
        let push = solve(normal, phi);
        let mut theta = vec![0.0; dof];
        for (row, push) in rows.iter().zip(&push) {
            for (theta, entry) in theta.iter_mut().zip(row) {
                *theta -= push * entry;
            }
        }
        let previous = inputs["q"].clone();
        inputs.insert("theta", theta);
        let moved = at(g, kinematics.displace, inputs);
        let sound = moved.iter().all(|x| x.is_finite());
        inputs.insert("q", if sound { moved } else { previous });
    }
}

fn dot(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(x, y)| x * y).sum()
}

/// Solves with a positive definite matrix.
fn solve(mut a: Vec<Vec<f64>>, mut x: Vec<f64>) -> Vec<f64> {
    let n = x.len();
    for k in 0..n {
        for i in k + 1..n {
            let factor = a[i][k] / a[k][k];
            for j in k..n {
                a[i][j] -= factor * a[k][j];
            }
            x[i] -= factor * x[k];
        }
    }
    for k in (0..n).rev() {
        let sum: f64 = (k + 1..n).map(|j| a[k][j] * x[j]).sum();
        x[k] = (x[k] - sum) / a[k][k];
    }
    x
}

/// Blocks near the identity.
fn blocks(model: &Model, random: &mut Random, change: f64) -> Vec<f64> {
    let mut blocks = Vec::new();
    for body in &model.bodies {
        let n = body.group.dof();
        for (i, j) in (0..n * n).map(|k| (k / n, k % n)) {
            if block_entry(body.group, i, j) == Entry::Full {
                blocks.push(f64::from(u8::from(i == j)) + change * random.next());
            }
        }
    }
    blocks
}

/// Numbers in (-1, 1), from a linear congruence.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let high = u32::try_from(self.0 >> 32).unwrap_or(0);
        f64::from(high) / f64::from(1_u32 << 31) - 1.0
    }

    fn vector(&mut self, len: usize, size: f64) -> Vec<f64> {
        (0..len).map(|_| size * self.next()).collect()
    }
}
