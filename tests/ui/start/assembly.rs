use polhode::prelude::*;

#[multibody(assemble)]
struct Model {
    #[body(mass = 1.0, inertia = [1.0, 1.0, 1.0])]
    #[start(position = [2.5, 0.0, 0.0])]
    bob: Body<SE3>,
    #[joint(ground, bob, length = 1.0)]
    near: Distance,
    #[joint(ground at [5.0, 0.0, 0.0], bob, length = 1.0)]
    far: Distance,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let run = HalfExplicit::order5().run(&Model::default(), 0.0..=1.0)?;
    println!("{}", run.last().t);
    Ok(())
}
