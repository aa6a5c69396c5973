use polhode::prelude::*;

const APART: f64 = 0.3;

#[multibody]
struct Model {
    #[body(mass = 1.0, inertia = [1.0, 1.0, 1.0])]
    arm: Body<SE3>,
    #[joint(ground, arm, axis = z)]
    hinge: Revolute,
    #[joint(ground at [0.0, 0.0, self::APART], arm at [0.0, 0.0, self::APART], axis = z)]
    second: Revolute,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let run = HalfExplicit::order5().run(&Model::new()?, 0.0..=1.0)?;
    println!("{}", run.last().t);
    Ok(())
}
