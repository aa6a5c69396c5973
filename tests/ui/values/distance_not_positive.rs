use polhode::prelude::*;

#[multibody]
struct Model {
    #[body(mass = 1.0, inertia = [1.0, 1.0, 1.0])]
    arm: Body<SE3>,
    #[body(mass = 1.0)]
    #[start(position = [1.0, 0.0, 0.0])]
    bob: Body<R3>,
    #[joint(ground, arm, length = 0.0)]
    together: Distance,
    #[joint(ground, bob, length = -1.0)]
    rod: Distance,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let run = HalfExplicit::order5().run(&Model::default(), 0.0..=1.0)?;
    println!("{}", run.last().t);
    Ok(())
}
