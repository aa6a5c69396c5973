use polhode::prelude::*;

#[multibody]
struct Model {
    #[param(default = 0.1)]
    coupling: f64,
    #[body(mass = [[2.0, coupling], [coupling, 1.0]], free)]
    modes: Body<R2>,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let run = HalfExplicit::order5().run(&Model::default(), 0.0..=1.0)?;
    println!("{}", run.last().t);
    Ok(())
}
