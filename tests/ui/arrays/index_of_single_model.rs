use polhode::prelude::*;

#[multibody]
struct Model {
    #[body(mass = 1.0, inertia = [1.0, 1.0, 1.0])]
    bob: Body<SE3>,
    #[joint(ground, bob[0])]
    pivot: Spherical,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let run = HalfExplicit::order5().run(&Model::new()?, 0.0..=1.0)?;
    println!("{:?}", run.last().bob().position());
    Ok(())
}
