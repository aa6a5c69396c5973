use polhode::prelude::*;

#[multibody]
struct Model {
    #[param(default = 0.5)]
    spacing: f64,
    #[body(mass = 1.0, inertia = [1.0, 1.0, 1.0])]
    #[start(position = [spacing * i, 0.0, 0.0], velocity = [1.0, 0.0, 0.0])]
    tops: [Body<SO3>; 3],
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let run = HalfExplicit::order5().run(&Model::new(ModelParameters::default())?, 0.0..=1.0)?;
    println!("{:?}", run.last().tops(1).map(|top| top.rotation()));
    Ok(())
}
