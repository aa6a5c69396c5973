use polhode::prelude::*;

#[multibody]
struct Model {
    #[body(mass = 1.0, inertia = [1.0, 1.0, 1.0])]
    links: [Body<SO3xR3>; 4],
    #[joint(ground, links[0])]
    pivot: Spherical,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let run = HalfExplicit::order5().run(&Model::new()?, 0.0..=1.0)?;
    println!("{:?}", run.last().links(1).map(|link| link.position()));
    Ok(())
}
