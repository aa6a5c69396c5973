//! The period of a pendulum from the times at which it passes the vertical.

use polhode::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let pendulum = GenericSystem::from_json(
        r#"{
            "name": "pendulum",
            "gravity": [0, -9.81, 0],
            "bodies": [{
                "name": "bob", "group": "R2", "mass": 1,
                "start": { "position": [0.6, -0.8], "velocity": [0, 0] }
            }],
            "joints": [{
                "name": "rod", "kind": { "distance": { "length": 1 } },
                "first": { "body": "ground" }, "second": { "body": "bob" }
            }]
        }"#,
    )?;
    let run = HalfExplicit::order5()
        .tolerances(1e-11, 1e-11)
        .simulate(&pendulum, 0.0..=10.0)
        .event(Event::new(|state: &State<GenericSystem>| state.q[0]).direction(Direction::Falling))
        .run()?;

    let passages: Vec<f64> = run.events().iter().map(|event| event.state.t).collect();
    for pair in passages.windows(2) {
        let period = pair[1] - pair[0];
        println!("passage at {:.9}, period {period:.9}", pair[0]);
        // 4 K(sin(a / 2)) / sqrt(9.81) with sin(a) = 0.6.
        assert!((period - 2.059_251_609_575_561).abs() < 1e-8, "{period}");
    }
    assert_eq!(passages.len(), 5);
    Ok(())
}
