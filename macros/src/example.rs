//! What the tests of the stages share: models from the text of a struct, numbers for expressions,
//! and motion on the groups by power series, without the formulas that are tested.

mod items;

use std::collections::HashMap;

use crate::diag::Diagnostics;
use crate::expr::{Graph, Id};
use crate::formula::Formula;
use crate::geometry::Geometry;
use crate::lower::{self, Read};
use crate::model::{Group, Model};
use crate::start::Start;
pub(crate) use items::{asked_for, items};

/// Every group that a body moves on, of modal coordinates one.
pub(crate) const GROUPS: [&str; 9] = [
    "SO3", "S3", "SO3xR3", "SE3", "S3xR3", "S3sR3", "R1", "R3", "R5",
];

/// The model of some fields, what was read of it, and all errors.
pub(crate) fn lowered(arguments: &str, fields: &str) -> (Model, Read, Vec<String>) {
    let arguments = syn::parse_str(arguments).expect("arguments");
    let item = syn::parse_str(&format!("struct Example {{ {fields} }}")).expect("a struct");
    let mut dx = Diagnostics::default();
    let (model, read) = lower::lower(&arguments, &item, &mut dx);
    (model, read, dx.messages())
}

/// The model of some fields that have no errors.
pub(crate) fn model(arguments: &str, fields: &str) -> Model {
    let (model, _, errors) = lowered(arguments, fields);
    assert!(errors.is_empty(), "{errors:#?}");
    model
}

/// Asserts that there is one error, with these words.
pub(crate) fn one_error(errors: &[String], words: &str) {
    let [error] = errors else {
        panic!("expected one error with {words:?}, found {errors:#?}");
    };
    assert!(error.contains(words), "{error:?} has no {words:?}");
}

/// Asserts that numbers agree; the tolerance is relative to the largest, and at least one.
pub(crate) fn close(found: &[f64], expected: &[f64], tolerance: f64, what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    let size = expected.iter().fold(1.0, |size: f64, x| size.max(x.abs()));
    for (i, (x, y)) in found.iter().zip(expected).enumerate() {
        let fits = (x - y).abs() <= tolerance * size;
        assert!(fits, "{what}: {x} instead of {y} at {i}");
    }
}

/// Numbers in (-1, 1) that look random, the same for the same seed.
pub(crate) fn random(seed: u64, len: usize) -> Vec<f64> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        f64::from(u32::try_from(state >> 32).expect("32 bits")) / f64::from(1_u32 << 31) - 1.0
    };
    (0..len).map(|_| next()).collect()
}

/// Values of the arrays that expressions read; what is not here is zero.
#[derive(Clone, Debug, Default)]
pub(crate) struct Values {
    arrays: HashMap<&'static str, Vec<f64>>,
}

impl Values {
    /// The start of a model, moved at random so that nothing is special, with default parameters
    /// and random velocities `v`, directions `w` and multipliers `lambda`.
    pub(crate) fn of_model(model: &Model) -> Self {
        let start = Start::new(model);
        let number = |formula: &Formula| model.by_default(formula).expect("a number");
        let dof = model.dof();
        let mut values = Self::default();
        values.set("q", start.q.iter().map(number).collect());
        values.set("v", random(1, dof));
        values.set("w", random(2, dof));
        values.set("lambda", random(3, 40));
        values.set("t", vec![0.3]);
        values.set("p", model.parameters.iter().map(|p| p.default).collect());
        values.moved(model, &random(4, dof))
    }

    pub(crate) fn set(&mut self, array: &'static str, values: Vec<f64>) {
        self.arrays.insert(array, values);
    }

    pub(crate) fn get(&self, array: &str) -> &[f64] {
        &self.arrays[array]
    }

    /// The same with one array changed.
    pub(crate) fn with(&self, array: &'static str, values: Vec<f64>) -> Self {
        let mut changed = self.clone();
        changed.set(array, values);
        changed
    }

    /// The same with the constants of a geometry.
    pub(crate) fn with_constants(&self, geometry: &Geometry<'_>) -> Self {
        let constants = self.at(&geometry.graph, &geometry.constants);
        self.with("c", constants)
    }

    /// The values of expressions.
    pub(crate) fn at(&self, graph: &Graph, outputs: &[Id]) -> Vec<f64> {
        graph.evaluate(outputs, &|input| {
            let place = input.index.unwrap_or(0) as usize;
            let array = self.arrays.get(input.array);
            array.and_then(|array| array.get(place)).map_or(0.0, |x| *x)
        })
    }

    /// `q exp(theta)`; angles of joints stay as they are.
    pub(crate) fn moved(&self, model: &Model, theta: &[f64]) -> Self {
        let old = self.get("q");
        let mut q = Vec::new();
        for body in &model.bodies {
            let part = &old[body.config..body.config + body.group.config_len()];
            let by = &theta[body.velocity..body.velocity + body.group.dof()];
            q.extend(moved(body.group, part, by));
        }
        q.extend(&old[q.len()..]);
        self.with("q", q)
    }

    /// The derivative of numbers along the motion `rate` of the bodies and of time, by
    /// differences: the error is of the order `h^4`, with rounding `1e-16 / h`.
    pub(crate) fn slope(
        &self,
        model: &Model,
        (rate, of_time): (&[f64], f64),
        numbers: &mut dyn FnMut(&Self) -> Vec<f64>,
    ) -> Vec<f64> {
        const H: f64 = 1e-3;
        let mut at = |s: f64| {
            let theta: Vec<f64> = rate.iter().map(|x| s * x).collect();
            let time = self.get("t")[0] + s * of_time;
            numbers(&self.moved(model, &theta).with("t", vec![time]))
        };
        let [far, near] = [2.0 * H, H].map(|h| (at(h), at(-h)));
        (0..near.0.len())
            .map(|i| {
                let (d1, d2) = (near.0[i] - near.1[i], far.0[i] - far.1[i]);
                (8.0 * d1 - d2) / (12.0 * H)
            })
            .collect()
    }
}

/// Matrices of rigid motions: the last row is `0 0 0 1`.
type Matrix4 = [[f64; 4]; 4];

fn product(a: &Matrix4, b: &Matrix4) -> Matrix4 {
    a.map(|row| core::array::from_fn(|j| (0..4).map(|k| row[k] * b[k][j]).sum()))
}

/// `sum_k a^k / k!`.
fn exponential(a: &Matrix4) -> Matrix4 {
    let unit = core::array::from_fn(|i| core::array::from_fn(|j| f64::from(u8::from(i == j))));
    let (mut sum, mut term): (Matrix4, Matrix4) = (unit, unit);
    for k in 1..40 {
        term = product(&term, a).map(|row| row.map(|x| x / f64::from(k)));
        sum = core::array::from_fn(|i| core::array::from_fn(|j| sum[i][j] + term[i][j]));
    }
    sum
}

/// `a x b`.
pub(crate) fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Left multiplication by a quaternion.
fn times([w, x, y, z]: [f64; 4]) -> Matrix4 {
    [[w, -x, -y, -z], [x, w, -z, y], [y, z, w, -x], [z, -y, x, w]]
}

/// Rotation matrix in the configuration of a body: columns are `p e_i p*` for a quaternion `p`.
pub(crate) fn rotation(group: Group, q: &[f64]) -> [[f64; 3]; 3] {
    if group.has_matrix() {
        return core::array::from_fn(|i| [q[3 * i], q[3 * i + 1], q[3 * i + 2]]);
    }
    let p = times([q[0], q[1], q[2], q[3]]);
    let turned = |i: usize| {
        let mut unit = [0.0; 4];
        unit[1 + i] = 1.0;
        let half: [f64; 4] = p.map(|row| dot(&row, &unit));
        times(half).map(|row| dot(&row, &[q[0], -q[1], -q[2], -q[3]]))
    };
    let columns: [[f64; 4]; 3] = core::array::from_fn(turned);
    core::array::from_fn(|i| columns.map(|column| column[1 + i]))
}

/// `A a`.
pub(crate) fn rotated(matrix: &[[f64; 3]; 3], a: [f64; 3]) -> [f64; 3] {
    matrix.map(|row| dot(&row, &a))
}

/// `q exp(theta)` on a group.
pub(crate) fn moved(group: Group, q: &[f64], theta: &[f64]) -> Vec<f64> {
    if let Group::Rn(_) = group {
        return q.iter().zip(theta).map(|(q, theta)| q + theta).collect();
    }
    let [x, y, z] = [theta[0], theta[1], theta[2]];
    let shift = if group.is_semidirect() {
        [theta[3], theta[4], theta[5]]
    } else {
        [0.0; 3]
    };
    let step = exponential(&[
        [0.0, -z, y, shift[0]],
        [z, 0.0, -x, shift[1]],
        [-y, x, 0.0, shift[2]],
        [0.0; 4],
    ]);
    let r = rotation(group, q);
    let place = if group.is_pinned() {
        [0.0; 3]
    } else {
        [q[q.len() - 3], q[q.len() - 2], q[q.len() - 1]]
    };
    let row = |i: usize| [r[i][0], r[i][1], r[i][2], place[i]];
    let pose = product(&[row(0), row(1), row(2), [0.0, 0.0, 0.0, 1.0]], &step);
    let mut out: Vec<f64> = if group.has_matrix() {
        pose[..3].iter().flat_map(|row| row[..3].to_vec()).collect()
    } else {
        // Multiplication from the right is `p -> p exp(theta / 2)`.
        let half = exponential(&times([0.0, 0.5 * x, 0.5 * y, 0.5 * z]));
        let turn = [half[0][0], half[1][0], half[2][0], half[3][0]];
        let p = times([q[0], q[1], q[2], q[3]]);
        p.iter().map(|row| dot(row, &turn)).collect()
    };
    if group.is_direct() {
        out.extend((0..3).map(|i| place[i] + theta[3 + i]));
    } else if group.is_semidirect() {
        out.extend(pose[..3].iter().map(|row| row[3]));
    }
    out
}
