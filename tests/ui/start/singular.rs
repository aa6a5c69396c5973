use polhode::prelude::*;

#[multibody]
struct Model {
    #[body(mass = 1.0)]
    #[start(position = [1.0, 0.0])]
    bob: Body<R2>,
    #[joint(ground, bob, length = 1.0)]
    left: Distance,
    #[joint(ground at [2.0, 0.0, 0.0], bob, length = 1.0)]
    right: Distance,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let run = HalfExplicit::order5().run(&Model::default(), 0.0..=1.0)?;
    println!("{}", run.last().t);
    Ok(())
}
