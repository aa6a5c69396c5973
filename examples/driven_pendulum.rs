//! A pendulum that a controller moves against its weight and against wind: parameters, a load and
//! PD control.

use polhode::prelude::*;

/// A rod that hangs from a motor.
#[multibody(gravity = [0.0, 0.0, -9.81], consts(LENGTH = 0.5))]
pub struct Arm {
    /// Force of the wind along x.
    #[param(default = 0.0, range = -50.0..=50.0)]
    wind: f64,
    /// Gain of the controller.
    #[param(default = 40.0, positive)]
    gain: f64,
    #[body(mass = 2.0, inertia = [0.05, 0.05, 0.002])]
    #[start(position = [0.0, 0.0, -LENGTH])]
    rod: Body<SO3xR3>,
    #[joint(ground, rod, at = world([0.0, 0.0, 0.0]), axis = y)]
    motor: Revolute,
    #[force(motor, p = gain, d = 8.0, target = 0.8 * tanh(3 * t))]
    control: PdControl,
    #[force(rod at [0.0, 0.0, 0.0], force = [wind, 0.0, 0.0], frame = world)]
    gust: Load,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for (wind, gain) in [(0.0, 40.0), (5.0, 40.0), (5.0, 400.0)] {
        let arm = Arm::new(ArmParameters { wind, gain })?;
        let run = HalfExplicit::order5()
            .tolerances(1e-10, 1e-10)
            .run(&arm, 0.0..=10.0)?;
        let motor = run.last().joint(&arm, "motor").ok_or("no such joint")?;
        let angle = motor.angle().ok_or("no angle")?;
        println!("wind {wind} N, gain {gain} N m: the arm stops at {angle:.6} rad instead of 0.8");

        // At rest the controller balances the weight and the wind.
        let weight = 2.0 * 9.81 * 0.5 * angle.sin();
        let torque = gain * (0.8 - angle) - weight - 0.5 * wind * angle.cos();
        assert!(torque.abs() < 1e-5, "{torque}");
    }

    // Parameters are checked.
    let error = Arm::new(ArmParameters {
        wind: 99.0,
        gain: 1.0,
    })
    .err()
    .ok_or("accepted")?;
    println!("{error}");
    Ok(())
}
