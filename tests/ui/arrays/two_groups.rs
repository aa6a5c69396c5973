use polhode::prelude::*;

#[multibody]
struct Model {
    #[body(mass = 1.0, inertia = [1.0, 1.0, 1.0])]
    links: [Body<SO3xR3, SE3>; 2],
    #[joint(ground, links[0], axis = z)]
    hinge: Revolute<R3>,
    #[joint(links[0], links[1], axis = z)]
    knee: Revolute,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let run = HalfExplicit::order5().run(&Model::new()?, 0.0..=1.0)?;
    println!("{}", run.last().t);
    Ok(())
}
