//! Joints in the output of `polhode run`, on models whose motion is known in closed form.

mod program_support;

use program_support::{Scratch, json, number};
use serde_json::Value;

/// A wheel about z with its centre of mass 0.5 from the axis, under a torque of 3.6 t, and a sledge
/// that moves along z with 0.25 m/s. The inertia about the axis is 0.6, so the angle of the wheel is
/// 10 t + t^3: too far from constant rates for a guess from the two ends of the run.
const MODEL: &str = r#"{
    "name": "wheel-and-sledge",
    "gravity": [0, 0, 0],
    "bodies": [
        {
            "name": "wheel", "group": "SE3", "mass": 2,
            "inertia": [[0.1, 0, 0], [0, 0.1, 0], [0, 0, 0.1]],
            "center": [0.5, 0, 0],
            "start": { "position": [0, 0, 0], "angular_velocity": [0, 0, 10] }
        },
        {
            "name": "sledge", "group": "SO3xR3", "mass": 1,
            "inertia": [[0.1, 0, 0], [0, 0.1, 0], [0, 0, 0.1]],
            "start": { "position": [3, 0, 0], "velocity": [0, 0, 0.25] }
        }
    ],
    "joints": [
        {
            "name": "axle", "kind": "revolute",
            "first": { "body": "ground" }, "second": { "body": "wheel" }
        },
        {
            "name": "rail", "kind": "prismatic",
            "first": { "body": "ground", "point": [3, 0, 0] }, "second": { "body": "sledge" }
        }
    ],
    "forces": [{
        "name": "motor",
        "kind": { "load": {
            "at": { "body": "wheel" },
            "force": [{ "number": 0 }, { "number": 0 }, { "number": 0 }],
            "torque": [{ "number": 0 }, { "number": 0 }, { "mul": [{ "number": 3.6 }, "time"] }],
            "frame": "world"
        } }
    }]
}"#;

fn vector(value: &Value) -> Vec<f64> {
    let numbers = value.as_array().expect("three numbers").iter();
    numbers.map(number).collect()
}

fn close(found: f64, expected: f64, what: &str) {
    // Order 5 with steps of 1e-3: far below what a wrong sign or factor would do.
    assert!(
        (found - expected).abs() < 1e-8,
        "{what}: {found}, expected {expected}"
    );
}

#[test]
fn coordinates_are_continuous_and_reactions_are_forces() {
    let scratch = Scratch::new("joints");
    let file = scratch.path("model.json");
    std::fs::write(&file, MODEL).expect("a file");
    let out = scratch.path("out");
    let run = json(&[
        "run", "--file", &file, "--step", "1e-3", "--until", "2", "--json", "--out", &out,
    ]);
    assert_eq!(run["path"], "generic");
    let (axle, rail) = (&run["joints"]["axle"], &run["joints"]["rail"]);
    // More than four turns.
    close(number(&axle["coordinate"]), 28.0, "angle");
    close(number(&axle["rate"]), 22.0, "rate");
    close(number(&rail["coordinate"]), 0.5, "displacement");
    close(number(&rail["rate"]), 0.25, "rate of the displacement");
    // The axle pulls the centre of mass to itself, m r w^2 = 484, and along: m r w' = 12.
    let force = vector(&axle["reaction"]["force"]);
    let (s, c) = 28_f64.sin_cos();
    close(force[0], -484.0 * c - 12.0 * s, "force x");
    close(force[1], -484.0 * s + 12.0 * c, "force y");
    close(force[2], 0.0, "force z");
    for part in vector(&axle["reaction"]["torque"]) {
        close(part, 0.0, "torque");
    }
    assert_eq!(axle["reaction"]["unique"], true);

    let csv = scratch.read("out/joints.csv");
    let mut lines = csv.lines();
    let names: Vec<&str> = lines.next().expect("names").split(',').collect();
    assert_eq!(
        names[..4],
        ["t", "axle.coordinate", "axle.rate", "axle.force.x"]
    );
    assert_eq!(names.len(), 1 + 2 * (2 + 6));
    let mut last = -1.0;
    for line in lines {
        let numbers: Vec<f64> = line
            .split(',')
            .map(|x| x.parse().expect("a number"))
            .collect();
        assert_eq!(numbers.len(), names.len());
        let t = numbers[0];
        close(numbers[1], 10.0 * t + t * t * t, "angle over time");
        assert!(numbers[0] > last);
        last = numbers[0];
    }
    assert_eq!(last, 2.0);
}

#[test]
fn both_paths_give_the_same_joints() {
    let run = |path| {
        let arguments = ["run", "heavy-top", "--method", "ga2s", "--until", "0.1"];
        json(&[&arguments[..], &["--json", "--path", path]].concat())
    };
    let (generated, generic) = (run("generated"), run("generic"));
    assert_eq!(generated["path"], "generated");
    assert_eq!(generic["path"], "generic");
    let force = |run: &Value| vector(&run["joints"]["pivot"]["reaction"]["force"]);
    for (a, b) in force(&generated).iter().zip(force(&generic)) {
        // Rounding errors of 100 steps, for forces up to 500.
        assert!((a - b).abs() < 1e-7, "{a} {b}");
    }
}
