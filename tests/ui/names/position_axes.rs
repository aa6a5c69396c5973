use polhode::prelude::*;

#[multibody(positions = "body")]
struct Model {
    #[body(mass = 1.0, inertia = [1.0, 1.0, 1.0])]
    bob: Body<SE3>,
    #[joint(ground, bob)]
    pivot: Spherical,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let run = HalfExplicit::order5().run(&Model::default(), 0.0..=1.0)?;
    println!("{}", run.last().t);
    Ok(())
}
