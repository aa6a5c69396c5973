//! Against power series of matrices and quaternions.

use super::{displace, inverse_tangent, tangent, tangent_inverse};
use crate::example::{Values, close, dot, model, moved, random};
use crate::expr::{Graph, Id};
use crate::model::Group;

const GROUPS: [Group; 8] = [
    Group::So3,
    Group::S3,
    Group::So3xR3,
    Group::Se3,
    Group::S3xR3,
    Group::S3sR3,
    Group::Rn(2),
    Group::Rn(7),
];

fn array(g: &mut Graph, name: &'static str, len: usize) -> Vec<Id> {
    (0..len).map(|i| g.input(name, i)).collect()
}

fn identity(group: Group) -> Vec<f64> {
    let mut q = vec![0.0; group.config_len()];
    if group.rotates() {
        let ones: &[usize] = if group.has_matrix() { &[0, 4, 8] } else { &[0] };
        for i in ones {
            q[*i] = 1.0;
        }
    }
    q
}

/// Increments: any, tiny, none.
fn increments(group: Group) -> [Vec<f64>; 3] {
    [1.0, 1e-6, 0.0].map(|size| {
        let theta = random(7, group.dof());
        theta.iter().map(|x| size * x).collect()
    })
}

#[test]
fn displacements_are_exponentials() {
    for group in GROUPS {
        let mut g = Graph::default();
        let (q, theta) = (
            array(&mut g, "q", group.config_len()),
            array(&mut g, "theta", group.dof()),
        );
        let out = displace(&mut g, group, &q, &theta);
        let q = moved(group, &identity(group), &random(3, group.dof()));
        for theta in increments(group) {
            let mut values = Values::default();
            values.set("q", q.clone());
            values.set("theta", theta.clone());
            let found = values.at(&g, &out);
            close(&found, &moved(group, &q, &theta), 1e-14, &group.name());
        }
    }
}

/// Quaternions are brought back to unit length to first order.
#[test]
fn quaternions_keep_their_length() {
    let mut g = Graph::default();
    let (q, theta) = (array(&mut g, "q", 4), array(&mut g, "theta", 3));
    let out = displace(&mut g, Group::S3, &q, &theta);
    let mut values = Values::default();
    values.set("q", vec![1.0 + 1e-5, 0.0, 0.0, 0.0]);
    values.set("theta", random(1, 3));
    let found = values.at(&g, &out);
    // An error e becomes -3/2 e^2.
    let length = dot(&found, &found).sqrt();
    assert!((length - 1.0).abs() < 2e-10, "{length}");
}

/// `exp(theta + s T^-1 v) = exp(theta) exp(s v)` to first order in `s`.
#[test]
fn tangent_operators_are_derivatives_of_the_exponential() {
    const H: f64 = 1e-3;
    for group in GROUPS {
        let n = group.dof();
        let mut g = Graph::default();
        let (theta, v) = (array(&mut g, "theta", n), array(&mut g, "v", n));
        let out = tangent_inverse(&mut g, group, &theta, &v);
        for theta in increments(group) {
            let mut values = Values::default();
            values.set("theta", theta.clone());
            values.set("v", random(5, n));
            let rate = values.at(&g, &out);
            let left = |s: f64| {
                let sum: Vec<f64> = theta.iter().zip(&rate).map(|(x, r)| x + s * r).collect();
                moved(group, &identity(group), &sum)
            };
            let right = |s: f64| {
                let step: Vec<f64> = values.get("v").iter().map(|v| s * v).collect();
                moved(group, &moved(group, &identity(group), &theta), &step)
            };
            let slope = |at: &dyn Fn(f64) -> Vec<f64>| -> Vec<f64> {
                let [near, far] = [H, 2.0 * H].map(|h| {
                    let (up, down) = (at(h), at(-h));
                    up.iter()
                        .zip(down)
                        .map(|(a, b)| a - b)
                        .collect::<Vec<f64>>()
                });
                let pairs = near.iter().zip(far);
                pairs.map(|(n, f)| (8.0 * n - f) / (12.0 * H)).collect()
            };
            // H^4 and rounding over H.
            close(&slope(&left), &slope(&right), 1e-11, &group.name());
        }
    }
}

#[test]
fn matrices_of_the_tangent_operators_are_inverses() {
    for group in GROUPS {
        let n = group.dof();
        let mut g = Graph::default();
        // The increment of a body starts anywhere in the array.
        let first = 2;
        let (direct, inverse) = (
            tangent(&mut g, group, first),
            inverse_tangent(&mut g, group, first),
        );
        let theta: Vec<Id> = (0..n).map(|i| g.input("theta", first + i)).collect();
        let v = array(&mut g, "v", n);
        let product = tangent_inverse(&mut g, group, &theta, &v);
        let mut values = Values::default();
        values.set("theta", random(9, first + n));
        values.set("v", random(8, n));
        let [t, s] = [direct, inverse].map(|matrix| {
            let rows = matrix.iter().map(|row| values.at(&g, row));
            rows.collect::<Vec<_>>()
        });
        let times = |matrix: &[Vec<f64>], x: &[f64]| -> Vec<f64> {
            matrix.iter().map(|row| dot(row, x)).collect()
        };
        let back = times(&s, values.get("v"));
        close(&back, &values.at(&g, &product), 1e-14, &group.name());
        close(&times(&t, &back), values.get("v"), 1e-14, &group.name());
    }
}

/// All groups that a user can write are tested here.
#[test]
fn no_group_is_left_out() {
    for (name, group) in Group::NAMED {
        assert!(GROUPS.contains(&group), "{name}");
        let model = model(
            "",
            &format!("#[body(mass = 1, inertia = [1, 1, 1], free)] a: Body<{name}>,"),
        );
        let values = Values::of_model(&model);
        assert_eq!(values.get("q").len(), group.config_len());
    }
}
