//! A robot arm of six links under PD control: motors on joint angles, targets as functions of time,
//! and what the motors must hold.

use polhode::prelude::*;

/// Shoulder, upper arm and forearm, and a wrist of three short links; 36 velocities, 30 constraints.
#[multibody(
    gravity = [0.0, 0.0, -9.81],
    consts(SWING = if t < 1 { 0.5 - 0.5 * cos(PI * t) } else { 1.0 }),
)]
pub struct Arm {
    #[body(mass = 8.0, inertia = [0.08, 0.08, 0.03])]
    #[start(position = [0.0, 0.0, 0.2])]
    base: Body<SE3>,
    #[body(mass = 6.0, inertia = [0.02, 0.12, 0.12])]
    #[start(position = [0.25, 0.0, 0.4])]
    upper: Body<SE3>,
    #[body(mass = 3.0, inertia = [0.01, 0.06, 0.06])]
    #[start(position = [0.7, 0.0, 0.4])]
    fore: Body<SE3>,
    #[body(mass = 0.8, inertia = [0.002, 0.003, 0.003])]
    #[start(position = [0.95, 0.0, 0.4])]
    roll: Body<SE3>,
    #[body(mass = 0.5, inertia = [0.001, 0.001, 0.001])]
    #[start(position = [1.0, 0.0, 0.4])]
    pitch: Body<SE3>,
    #[body(mass = 0.3, inertia = [0.0004, 0.0006, 0.0006])]
    #[start(position = [1.05, 0.0, 0.4])]
    hand: Body<SE3>,

    #[joint(ground, base, at = world([0.0, 0.0, 0.0]), axis = z)]
    waist: Revolute,
    #[joint(base, upper, at = world([0.0, 0.0, 0.4]), axis = y)]
    shoulder: Revolute,
    #[joint(upper, fore, at = world([0.5, 0.0, 0.4]), axis = y)]
    elbow: Revolute,
    #[joint(fore, roll, at = world([0.9, 0.0, 0.4]), axis = x)]
    wrist_roll: Revolute,
    #[joint(roll, pitch, at = world([1.0, 0.0, 0.4]), axis = y)]
    wrist_pitch: Revolute,
    #[joint(pitch, hand, at = world([1.0, 0.0, 0.4]), axis = x)]
    flange: Revolute,

    #[force(waist, p = 4000.0, d = 200.0, target = 1.2 * SWING)]
    motor1: PdControl,
    #[force(shoulder, p = 8000.0, d = 300.0, target = -0.6 * SWING)]
    motor2: PdControl,
    #[force(elbow, p = 4000.0, d = 100.0, target = 1.0 * SWING)]
    motor3: PdControl,
    #[force(wrist_roll, p = 100.0, d = 2.0, target = 0.5 * SWING)]
    motor4: PdControl,
    #[force(wrist_pitch, p = 100.0, d = 2.0, target = 0.4 * SWING)]
    motor5: PdControl,
    #[force(flange, p = 50.0, d = 1.0, target = -0.8 * SWING)]
    motor6: PdControl,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let run = GeneralizedAlpha::index3()
        .simulate(&Arm, 0.0..=3.0)
        .step(1e-3)
        .output(Output::Every(0.5))
        .run()?;
    for state in run.states() {
        let elbow = state.joint(&Arm, "elbow").ok_or("no such joint")?;
        println!(
            "t = {:.1}: hand at {:.4?}, elbow at {:.4} rad",
            state.t,
            state.hand().position(),
            elbow.angle().ok_or("no angle")?,
        );
    }

    // At rest each motor holds what hangs on it: p (target - angle) is the moment of the weights
    // about its axis.
    let angle = |name: &str| -> Result<f64, &str> {
        let joint = run.last().joint(&Arm, name).ok_or("no such joint")?;
        joint.angle().ok_or("no angle")
    };
    let motor = 4000.0 * (1.0 - angle("elbow")?);
    let last = run.last();
    let (centre, axes) = (last.upper().position(), last.upper().rotation_matrix());
    let pivot = [0, 1, 2].map(|i| centre[i] + 0.25 * axes[i][0]);
    let beyond = [
        (3.0, last.fore()),
        (0.8, last.roll()),
        (0.5, last.pitch()),
        (0.3, last.hand()),
    ];
    let across = |x: [f64; 3]| {
        let turned = angle("waist").unwrap_or_default();
        (x[0] - pivot[0]) * turned.cos() + (x[1] - pivot[1]) * turned.sin()
    };
    let weights: f64 = beyond
        .iter()
        .map(|(mass, body)| -9.81 * mass * across(body.position()))
        .sum();
    println!("the elbow holds {motor:.4} N m against {weights:.4} N m of the weights");
    assert!((motor - weights).abs() < 1e-3, "{motor} {weights}");
    Ok(())
}
