//! Planar mechanisms of thin bars that pass singular positions.

use polhode_runtime::generic::GenericSystem;
use polhode_runtime::generic::description::{
    Attachment, Body, Description, Joint, JointKind, Redundancy, Start,
};
use polhode_runtime::lie::GroupKind;

/// A thin bar of mass 1 for each unit of length, from one point to another.
pub(crate) fn bar(
    name: String,
    from: [f64; 2],
    to: [f64; 2],
    velocity: [f64; 2],
    rate: f64,
) -> Body {
    let (x, y) = (to[0] - from[0], to[1] - from[1]);
    let (angle, length) = (y.atan2(x), x.hypot(y));
    let inertia = length.powi(3) / 12.0;
    Body {
        name,
        group: GroupKind::SO3xR3,
        mass: length,
        inertia: [[0.01, 0.0, 0.0], [0.0, inertia, 0.0], [0.0, 0.0, inertia]],
        center: [0.0; 3],
        start: Start {
            position: vec![0.5 * (from[0] + to[0]), 0.5 * (from[1] + to[1]), 0.0],
            rotation: [(0.5 * angle).cos(), 0.0, 0.0, (0.5 * angle).sin()],
            velocity: vec![velocity[0], velocity[1], 0.0],
            angular_velocity: [0.0, 0.0, rate],
        },
    }
}

pub(crate) fn joint(
    name: String,
    kind: JointKind,
    first: (&str, f64),
    second: (&str, f64),
) -> Joint {
    Joint {
        name,
        kind,
        first: Attachment::at(first.0, [first.1, 0.0, 0.0]),
        second: Attachment::at(second.0, [second.1, 0.0, 0.0]),
    }
}

/// Bars of length 1 on pivots one apart, connected by bars at their tops: `n` parallelograms, whose
/// first bar is at `angle` with the given `rate`.
pub(crate) fn parallelograms(
    n: u32,
    (angle, rate): (f64, f64),
    closing: &JointKind,
) -> Description {
    let (s, c) = angle.sin_cos();
    let top = |i: f64| [i + c, s];
    let mut bodies = Vec::new();
    let mut joints = Vec::new();
    for (i, x) in (0..=n).map(|i| (i, f64::from(i))) {
        let crank = format!("crank{i}");
        let velocity = [-0.5 * rate * s, 0.5 * rate * c];
        bodies.push(bar(crank.clone(), [x, 0.0], top(x), velocity, rate));
        let pivot = format!("pivot{i}");
        joints.push(joint(
            pivot,
            JointKind::Revolute,
            ("ground", x),
            (&crank, -0.5),
        ));
        if i == 0 {
            continue;
        }
        let (before, link) = (format!("crank{}", i - 1), format!("link{i}"));
        bodies.push(bar(
            link.clone(),
            top(x - 1.0),
            top(x),
            [-rate * s, rate * c],
            0.0,
        ));
        let first = format!("first{i}");
        joints.push(joint(
            first,
            JointKind::Revolute,
            (&before, 0.5),
            (&link, -0.5),
        ));
        joints.push(joint(
            format!("closing{i}"),
            closing.clone(),
            (&link, 0.5),
            (&crank, 0.5),
        ));
    }
    Description {
        name: format!("{n} parallelograms"),
        bodies,
        joints,
        ..Description::default()
    }
}

/// The N-four-bar of the `IFToMM` benchmark library: upright, falling to the right.
pub(crate) fn n_four_bar(n: u32, closing: &JointKind, redundant: Redundancy) -> GenericSystem {
    let start = (std::f64::consts::FRAC_PI_2, -1.0);
    let description = Description {
        gravity: [0.0, -9.81, 0.0],
        redundant,
        ..parallelograms(n, start, closing)
    };
    GenericSystem::new(description).unwrap()
}

/// Times from 0 to `end`, with angle and rate of the bars on the branch of parallelograms,
/// `((N + 1) / 3 + N) th'' = -((N + 1) / 2 + N) g cos th`, by the classical method of order 4.
pub(crate) fn n_four_bar_angles(n: u32, end: f64) -> Vec<(f64, [f64; 2])> {
    let n = f64::from(n);
    let ratio = -9.81 * (0.5 * (n + 1.0) + n) / ((n + 1.0) / 3.0 + n);
    let rate = |y: [f64; 2]| [y[1], ratio * y[0].cos()];
    let steps = 200_000_u32;
    let h = end / f64::from(steps);
    let mut y = [std::f64::consts::FRAC_PI_2, -1.0];
    let mut angles = vec![(0.0, y)];
    for step in 1..=steps {
        let along = |k: [f64; 2], h: f64| [y[0] + h * k[0], y[1] + h * k[1]];
        let k1 = rate(y);
        let k2 = rate(along(k1, 0.5 * h));
        let k3 = rate(along(k2, 0.5 * h));
        let k4 = rate(along(k3, h));
        for i in 0..2 {
            y[i] += h / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]);
        }
        angles.push((h * f64::from(step), y));
    }
    angles
}

/// Crank and rod of length 1 in line with a slider: where the crank is normal to its way, the rod lies
/// on the crank, and both may go on as one.
pub(crate) fn slider_crank(rate: f64) -> GenericSystem {
    let angle = std::f64::consts::FRAC_PI_4;
    let (s, c) = angle.sin_cos();
    let pin = [c, s];
    let description = Description {
        name: "in-line slider-crank".to_owned(),
        bodies: vec![
            bar(
                "crank".to_owned(),
                [0.0; 2],
                pin,
                [-0.5 * rate * s, 0.5 * rate * c],
                rate,
            ),
            bar(
                "rod".to_owned(),
                pin,
                [2.0 * c, 0.0],
                [-1.5 * rate * s, 0.5 * rate * c],
                -rate,
            ),
            Body {
                mass: 0.5,
                ..bar(
                    "slider".to_owned(),
                    [2.0 * c - 0.1, 0.0],
                    [2.0 * c + 0.1, 0.0],
                    [-2.0 * rate * s, 0.0],
                    0.0,
                )
            },
        ],
        joints: vec![
            joint(
                "pivot".to_owned(),
                JointKind::Revolute,
                ("ground", 0.0),
                ("crank", -0.5),
            ),
            joint(
                "pin".to_owned(),
                JointKind::Revolute,
                ("crank", 0.5),
                ("rod", -0.5),
            ),
            joint(
                "end".to_owned(),
                JointKind::PointOnLine,
                ("rod", 0.5),
                ("slider", 0.0),
            ),
            Joint {
                // The z axis of a prismatic joint is along x.
                first: Attachment {
                    axes: [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]],
                    ..Attachment::at("ground", [0.0; 3])
                },
                second: Attachment {
                    axes: [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]],
                    ..Attachment::at("slider", [0.0; 3])
                },
                name: "guide".to_owned(),
                kind: JointKind::Prismatic,
            },
        ],
        ..Description::default()
    };
    GenericSystem::new(description).unwrap()
}
