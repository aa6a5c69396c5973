use polhode::prelude::*;

#[multibody]
struct Model {
    #[body(mass = 1.0)]
    point: Body<R3>,
    #[force(point, torque = [1.0, 0.0, 0.0])]
    twist: Load,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let run = HalfExplicit::order5().run(&Model::default(), 0.0..=1.0)?;
    println!("{}", run.last().t);
    Ok(())
}
