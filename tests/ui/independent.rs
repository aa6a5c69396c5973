//! Mistakes that have nothing to do with each other are reported together, and nothing else.

use polhode::prelude::*;

const MASS: f64 = 1.0;

/// Seven of them: a parameter, a mass, an inertia, a body, a joint and two forces.
#[multibody(gravity = [0.0, -9.81, 0.0])]
struct Seven {
    #[param(default = 1.0)]
    unused: f64,
    #[body(mass = -1.0, inertia = [1.0, 1.0, 5.0])]
    arm: Body<SE3>,
    #[body(mass = 1.0, inertia = [1.0; 3])]
    lost: Body<SE3>,
    #[joint(ground at [0.0, 0.1, 0.0], arm, axis = z)]
    hinge: Revolute,
    #[force(arm, force = [0.0, 0.0, 0.0])]
    nothing: Load,
    #[force(hinge, p = 1.0, target = t)]
    control: PdControl,
}

/// Velocities that do not fit, and a hinge that is there twice.
#[multibody(gravity = [0.0, -9.81, 0.0])]
struct Twice {
    #[body(mass = 1.0, inertia = [1.0; 3])]
    #[start(velocity = [1.0, 0.0, 0.0])]
    arm: Body<SE3>,
    #[joint(ground, arm, axis = z)]
    hinge: Revolute,
    #[joint(ground at [0.0, 0.0, 1.0], arm at [0.0, 0.0, 1.0], axis = z)]
    again: Revolute,
}

/// A misspelt setting says nothing about the other body; one that may hold a body does.
#[multibody(gravity = [0.0, -9.81, 0.0])]
struct Misspelt {
    #[body(mas = 1.0, inertia = [1.0; 3])]
    first: Body<SE3>,
    #[body(mass = 1.0, inertia = [1.0, 1.0, 5.0])]
    second: Body<SE3>,
    #[joint(frst, second)]
    ball: Spherical,
}

/// What has another meaning in a model cannot be read at all.
#[multibody(gravity = [0.0, -9.81, 0.0])]
struct Taken {
    #[param(default = 1.0)]
    y: f64,
    #[param(default = y * 2)]
    length: f64,
    #[body(mass = 1.0, inertia = [1.0; 3])]
    arm: Body<SE3>,
    #[joint(ground at [0.0, y, 0.0], arm at [length, -y, 0.0])]
    ball: Spherical,
}

/// A default that cannot be read is not missing.
#[multibody(gravity = [0.0, -9.81, 0.0])]
struct Unreadable {
    #[param(default = k * 2)]
    length: f64,
    #[body(mass = 1.0, inertia = [1.0; 3])]
    arm: Body<SE3>,
    #[joint(ground, arm at [length, 0.0, 0.0])]
    ball: Spherical,
}

/// Code that uses a model with errors has none.
#[multibody(gravity = [0.0, -9.81, 0.0], assemble)]
struct Outside {
    #[body(mass = self::MASS, inertia = [1.0; 3])]
    arm: Body<SE4>,
    #[joint(ground, arm)]
    ball: Spherical,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let outside = Outside::new()?;
    println!("{:?}", outside.assembly());
    let run = HalfExplicit::order5().run(&outside, 0.0..=1.0)?;
    println!("{:?}", run.last().joint(&outside, Outside::BALL).reaction());
    let _ = (Seven::default(), Twice, Misspelt, Taken::default(), Unreadable::default());
    Ok(())
}
