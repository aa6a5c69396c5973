//! A closed loop: the spatial slider-crank mechanism of the `IFToMM` benchmark library, with joint
//! angles and reactions.

use std::ops::ControlFlow;

use polhode::joints::JointTracker;
use polhode::prelude::*;

/// Crank, connecting rod and slider; 18 velocities, 17 constraints.
#[multibody(
    gravity = [0.0, 0.0, -9.81],
    consts(A = [0.0, 0.1, 0.12], B = A + [0.0, 0.0, 0.08], C = [0.2, 0.0, 0.0]),
)]
pub struct SliderCrank {
    #[body(mass = 0.12, inertia = [1e-4, 1e-4, 1e-5])]
    #[start(position = (A + B) / 2, angular_velocity = [6.0, 0.0, 0.0])]
    crank: Body<SO3xR3>,
    #[body(mass = 0.5, inertia = [4e-4, 4e-3, 4e-3])]
    #[start(position = (B + C) / 2, rotation = rx(-atan2(1, 2)) * ry(asin(sqrt(5) / 3)))]
    rod: Body<SO3xR3>,
    #[body(mass = 2.0, inertia = [1e-4; 3])]
    #[start(position = C)]
    slider: Body<SO3xR3>,
    #[joint(ground, crank, at = world(A), axis = x)]
    a: Revolute,
    #[joint(crank, rod, at = world(B))]
    b: Spherical,
    #[joint(rod, slider, at = world(C), cross = (rod.y, slider.x))]
    c: Universal,
    #[joint(ground, slider, at = world(C), axis = x)]
    d: Prismatic,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut tracker = JointTracker::new(&SliderCrank, &State::start(&SliderCrank, 0.0));
    let run = HalfExplicit::order5()
        .tolerances(1e-10, 1e-8)
        .simulate(&SliderCrank, 0.0..=5.0)
        .output(Output::Every(1.0))
        .observe(|step| {
            tracker.update(&SliderCrank, step.state);
            ControlFlow::Continue(())
        })
        .run()?;

    for state in run.states() {
        let [x, ..] = state.slider().position();
        let crank = state.joint(&SliderCrank, "a").ok_or("no such joint")?;
        println!(
            "t = {}: slider at {x:.9}, bearing {:.4?}",
            state.t,
            crank.reaction().force
        );
    }
    let angle = tracker
        .angle(&SliderCrank, run.last(), 0)
        .ok_or("no angle")?;
    println!("the crank has turned by {angle:.6} rad");

    // An independent integration with quaternions.
    let [x, ..] = run.last().slider().position();
    assert!((x - 0.240_719_573_731).abs() < 1e-6, "{x}");
    assert!((angle - 54.333_332_168).abs() < 1e-4, "{angle}");
    Ok(())
}
