//! Mass, momentum and gyroscopic terms.

use super::{conservative, machine, matrix, times, values};
use crate::example::{close, cross, dot, model, random, rotated, rotation};
use crate::mechanics::Mechanics;

/// A body made of points: `1/2 sum m |U + Omega x r|^2` is its kinetic energy.
#[test]
fn masses_are_those_of_the_points_of_a_body() {
    let points: [(f64, [f64; 3]); 5] = [
        (1.0, [0.3, 0.1, -0.2]),
        (2.0, [-0.5, 0.4, 0.1]),
        (0.5, [0.2, -0.9, 0.7]),
        (1.5, [0.6, 0.3, 0.8]),
        (0.7, [-0.1, -0.4, -0.6]),
    ];
    let mass: f64 = points.iter().map(|(m, _)| m).sum();
    let center: [f64; 3] =
        core::array::from_fn(|i| points.iter().map(|(m, r)| m * r[i]).sum::<f64>() / mass);
    let about: Vec<[f64; 3]> = (0..3)
        .map(|i| {
            core::array::from_fn(|j| {
                let entry = |(m, r): &(f64, [f64; 3])| {
                    let s: [f64; 3] = core::array::from_fn(|k| r[k] - center[k]);
                    m * (f64::from(u8::from(i == j)) * dot(&s, &s) - s[i] * s[j])
                };
                points.iter().map(entry).sum()
            })
        })
        .collect();
    for group in ["SE3", "S3sR3", "SO3", "S3"] {
        let body = format!(
            "#[body(mass = {mass:?}, inertia = {about:?}, center = {center:?}, free)] a: Body<{group}>,"
        );
        let model = model("", &body);
        let mut m = Mechanics::new(&model);
        let values = values(&m);
        let v = values.get("v");
        let (omega, u) = (
            [v[0], v[1], v[2]],
            [3, 4, 5].map(|i| v.get(i).map_or(0.0, |v| *v)),
        );
        let speed =
            |r: [f64; 3]| -> [f64; 3] { core::array::from_fn(|i| u[i] + cross(omega, r)[i]) };
        let kinetic: f64 = points
            .iter()
            .map(|(m, r)| 0.5 * m * dot(&speed(*r), &speed(*r)))
            .sum();
        let energy = m.energy();
        close(
            &values.at(m.graph(), &energy[..1]),
            &[kinetic],
            1e-14,
            group,
        );
        // Momentum in space is the sum over the points, too.
        let q = values.get("q");
        let r = rotation(model.bodies[0].group, q);
        let place: [f64; 3] = if model.bodies[0].group.is_pinned() {
            [0.0; 3]
        } else {
            q[q.len() - 3..].try_into().expect("three")
        };
        let mut momentum = [0.0; 6];
        for (m, point) in points {
            let (arm, speed) = (rotated(&r, point), rotated(&r, speed(point)));
            let at: [f64; 3] = core::array::from_fn(|i| place[i] + arm[i]);
            for i in 0..3 {
                momentum[i] += m * speed[i];
                momentum[3 + i] += m * cross(at, speed)[i];
            }
        }
        let found = m.momentum();
        close(&values.at(m.graph(), &found), &momentum, 1e-14, group);
        // By the theorem of parallel axes the moment about the origin has m c^2 more.
        let own = matrix(&m, &values, &m.mass[0]);
        let moved = about[0][0] + mass * (center[1] * center[1] + center[2] * center[2]);
        close(&[own[0][0]], &[moved], 1e-14, group);
    }
}

#[test]
fn inverse_masses_are_inverses() {
    let model = machine();
    let m = Mechanics::new(&model);
    let values = values(&m);
    for (i, body) in model.bodies.iter().enumerate() {
        let [mass, inverse] = [&m.mass[i], &m.mass_inverse[i]].map(|x| matrix(&m, &values, x));
        let x = random(11, body.group.dof());
        close(
            &times(&mass, &times(&inverse, &x)),
            &x,
            1e-14,
            &body.name.to_string(),
        );
    }
}

/// Gyroscopic terms do no work.
#[test]
fn gyroscopic_terms_do_no_work() {
    let model = conservative();
    let m = Mechanics::new(&model);
    let values = values(&m);
    let [moving, resting] = [values.clone(), values.with("v", vec![0.0; model.dof()])];
    let [a, b] = [moving, resting].map(|values| values.at(&m.geometry.graph, &m.force));
    let gyroscopic: Vec<f64> = a.iter().zip(b).map(|(a, b)| a - b).collect();
    assert!(gyroscopic.iter().any(|x| x.abs() > 0.1));
    close(&[dot(&gyroscopic, values.get("v"))], &[0.0], 1e-14, "power");
}

/// Euler's equations about the centre, and Newton's of the centre, for a free body.
#[test]
fn momentum_of_a_free_body_is_conserved() {
    for group in ["SO3xR3", "SE3", "S3xR3", "S3sR3"] {
        let center = if group.contains('x') {
            ""
        } else {
            ", center = [0.1, 0.2, 0.3]"
        };
        let model = model(
            "",
            &format!("#[body(mass = 2, inertia = [3, 4, 6]{center}, free)] a: Body<{group}>,"),
        );
        let mut m = Mechanics::new(&model);
        let momentum = m.momentum();
        let values = values(&m);
        let inverse = matrix(&m, &values, &m.mass_inverse[0]);
        let rates = times(&inverse, &values.at(&m.geometry.graph, &m.force));
        // Along v and v' = -M^-1 g together.
        let v = values.get("v").to_vec();
        let graph = &m.geometry.graph;
        let at = |s: f64| {
            let moved: Vec<f64> = v.iter().map(|v| s * v).collect();
            let faster = v.iter().zip(&rates).map(|(v, g)| v - s * g).collect();
            values
                .moved(&model, &moved)
                .with("v", faster)
                .at(graph, &momentum)
        };
        let h = 1e-3;
        let [up, down] = [at(h), at(-h)];
        let slope: Vec<f64> = up
            .iter()
            .zip(down)
            .map(|(a, b)| (a - b) / (2.0 * h))
            .collect();
        // The error of the difference is of the order h^2.
        close(&slope, &[0.0; 6], 2e-5, group);
        assert!(dot(&rates, &rates) > 0.01);
    }
}
