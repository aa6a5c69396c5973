use polhode::prelude::*;

#[multibody]
struct Model {
    #[param(default = -1.0, positive)]
    mass: f64,
    #[body(mass = mass, inertia = [1.0, 1.0, 1.0], free)]
    bob: Body<SE3>,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let run = HalfExplicit::order5().run(&Model::default(), 0.0..=1.0)?;
    println!("{}", run.last().t);
    Ok(())
}
