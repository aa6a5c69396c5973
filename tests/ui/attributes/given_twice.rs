use polhode::prelude::*;

#[multibody(
    gravity = [0.0, 0.0, -9.81],
    positions = "inertial",
    assemble,
    redundant = "allow",
    gravity = [0.0, 0.0, 1.0],
    positions = "inertial",
    assemble,
    redundant = "allow"
)]
struct Model {
    #[body(mass = 1.0, inertia = [1.0, 1.0, 1.0])]
    arm: Body<SE3>,
    #[joint(ground, arm, axis = z)]
    hinge: Revolute,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let run = HalfExplicit::order5().run(&Model::default(), 0.0..=1.0)?;
    println!("{}", run.last().t);
    Ok(())
}
