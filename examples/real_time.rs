//! Single steps of fixed size, as a controller or a game loop makes them. All memory is allocated
//! before the first step.

use std::time::{Duration, Instant};

use polhode::prelude::*;
use polhode::stats::Stats;

/// A fast top.
#[multibody(gravity = [0.0, 0.0, -9.81])]
pub struct Top {
    #[body(mass = 15.0, inertia = [0.234375, 0.46875, 0.234375])]
    #[start(
        position = [0.0, 1.0, 0.0],
        velocity = [4.61538, 0.0, 0.0],
        angular_velocity = [0.0, 150.0, -4.61538],
    )]
    rotor: Body<S3xR3>,
    #[joint(ground at [0.0, 0.0, 0.0], rotor at [0.0, -1.0, 0.0])]
    pivot: Spherical,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    const STEP: f64 = 1e-3;
    let mut stepper = HalfExplicit::order4().stepper(&Top)?;
    let mut state = State::start(&Top, 0.0);
    let mut stats = Stats::default();
    stepper.start(&Top, &mut state, STEP)?;

    let mut longest = Duration::ZERO;
    for _ in 0..1000 {
        let clock = Instant::now();
        stepper.step(&Top, &mut state, STEP, &mut stats)?;
        longest = longest.max(clock.elapsed());
        // Here: read sensors, send positions, wait for the next tick.
    }
    let x = state.rotor().position();
    println!(
        "{x:.6?} after {} steps, the longest took {longest:?}",
        stats.accepted
    );

    // The error of order 4 with this step is 1e-5.
    let exact = [
        0.173_343_964_098_386,
        0.640_088_592_070_569,
        -0.748_490_791_133_581,
    ];
    assert!(
        x.iter()
            .zip(exact)
            .all(|(x, exact)| (x - exact).abs() < 2e-5)
    );
    Ok(())
}
