use polhode::prelude::*;

#[multibody]
struct Model {
    #[param(default = 1.0)]
    length: f64,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let run = HalfExplicit::order5().run(&Model::default(), 0.0..=1.0)?;
    println!("{}", run.last().t);
    Ok(())
}
