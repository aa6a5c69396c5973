//! A top that spins about a fixed point: adaptive steps, output at chosen times.

use polhode::prelude::*;

/// The benchmark of Arnold, Cardona and Bruls (2016).
#[multibody(gravity = [0.0, 0.0, -9.81])]
pub struct HeavyTop {
    #[body(mass = 15.0, inertia = [0.234375, 0.46875, 0.234375])]
    #[start(
        position = [0.0, 1.0, 0.0],
        velocity = [4.61538, 0.0, 0.0],
        angular_velocity = [0.0, 150.0, -4.61538],
    )]
    top: Body<SO3xR3>,
    #[joint(ground at [0.0, 0.0, 0.0], top at [0.0, -1.0, 0.0])]
    pivot: Spherical,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let run = HalfExplicit::order5()
        .tolerances(1e-10, 1e-8)
        .simulate(&HeavyTop, 0.0..=1.0)
        .output(Output::Every(0.1))
        .run()?;

    println!("   t   centre of mass                       force of the pivot");
    for state in run.states() {
        let [x, y, z] = state.top().position();
        let pivot = state.joint(&HeavyTop, "pivot").ok_or("no such joint")?;
        let [fx, fy, fz] = pivot.reaction().force;
        println!(
            "{:4.1}  {x:10.6} {y:10.6} {z:10.6}   {fx:10.3} {fy:10.3} {fz:10.3}",
            state.t
        );
    }
    let stats = run.stats();
    println!(
        "{} steps, {} rejected, energy drift {:.1e}",
        stats.accepted,
        stats.rejected(),
        run.drift()
    );

    // Taylor series in 50 digits.
    let exact = [
        0.173_343_964_098_386,
        0.640_088_592_070_569,
        -0.748_490_791_133_581,
    ];
    let last = run.last().top().position();
    for (found, exact) in last.iter().zip(exact) {
        assert!((found - exact).abs() < 1e-8, "{found} {exact}");
    }
    Ok(())
}
