//! A model from JSON, assembled at run time: nothing is generated, everything can be changed.

use polhode::prelude::*;

/// Two masses on springs, in a line.
const MODEL: &str = r#"{
    "name": "two masses",
    "bodies": [
        { "name": "a", "group": "R1", "mass": 1, "start": { "position": [2.1], "velocity": [0] } },
        { "name": "b", "group": "R1", "mass": 1, "start": { "position": [4.1], "velocity": [0] } }
    ],
    "forces": [
        { "name": "left", "kind": { "spring-damper": {
            "first": { "body": "ground" }, "second": { "body": "a" },
            "stiffness": 9, "length": 2
        } } },
        { "name": "middle", "kind": { "spring-damper": {
            "first": { "body": "a" }, "second": { "body": "b" },
            "stiffness": 4, "length": 2
        } } },
        { "name": "right", "kind": { "spring-damper": {
            "first": { "body": "b" }, "second": { "body": "ground", "point": [6, 0, 0] },
            "stiffness": 9, "length": 2
        } } }
    ]
}"#;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let masses = GenericSystem::from_json(MODEL)?;
    let run = HalfExplicit::order5()
        .tolerances(1e-10, 1e-10)
        .run(&masses, 0.0..=2.0)?;
    let [a, b] = [run.last().q[0], run.last().q[1]];
    println!(
        "in phase:      a = {a:.9}, b = {b:.9} after {} steps",
        run.stats().accepted
    );
    // Both masses start 0.1 to the right, so the spring between them rests: frequency 3.
    let exact = 2.0 + 0.1 * (3.0_f64 * 2.0).cos();
    assert!(
        (a - exact).abs() < 1e-8 && (b - a - 2.0).abs() < 1e-8,
        "{a} {b} {exact}"
    );

    // A description is plain data.
    let mut description = masses.description().clone();
    description.bodies[1].start.position = vec![3.9];
    let masses = GenericSystem::new(description)?;
    let run = HalfExplicit::order5()
        .tolerances(1e-10, 1e-10)
        .run(&masses, 0.0..=2.0)?;
    println!(
        "against phase: a = {:.9}, b = {:.9}",
        run.last().q[0],
        run.last().q[1]
    );
    // Frequency sqrt(9 + 2 * 4).
    let exact = 2.0 + 0.1 * (17.0_f64.sqrt() * 2.0).cos();
    assert!((run.last().q[0] - exact).abs() < 1e-8);

    // Mistakes are named.
    let wrong = MODEL.replace(
        r#""second": { "body": "a" }"#,
        r#""second": { "body": "aa" }"#,
    );
    let error = GenericSystem::from_json(&wrong).err().ok_or("accepted")?;
    println!("a mistake:     {error}");
    assert!(error.to_string().contains("aa"));
    Ok(())
}
