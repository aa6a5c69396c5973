use polhode::prelude::*;

#[multibody(consts(A = powi(t, 32), B = powi(A, 32), C = powi(B, 32)))]
struct Model {
    #[body(mass = 1.0, inertia = [1.0, 1.0, 1.0])]
    arm: Body<SE3>,
    #[joint(ground, arm, axis = z)]
    hinge: Revolute,
    #[force(arm, force = [0.0, 0.0, C])]
    push: Load,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let run = HalfExplicit::order5().run(&Model::default(), 0.0..=1.0)?;
    println!("{}", run.last().t);
    Ok(())
}
