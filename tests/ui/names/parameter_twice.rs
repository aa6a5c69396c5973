use polhode::prelude::*;

#[multibody]
struct Model {
    #[body(mass = mass, inertia = [1.0, 1.0, 1.0])]
    arm: Body<SE3>,
    #[param(default = 1.0)]
    mass: f64,
    #[param(default = 2.0)]
    mass: f64,
    #[joint(ground, arm, axis = z)]
    hinge: Revolute,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let run = HalfExplicit::order5().run(&Model::default(), 0.0..=1.0)?;
    println!("{}", run.last().t);
    Ok(())
}
