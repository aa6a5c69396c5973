use polhode::prelude::*;

#[multibody]
struct Model {
    #[body(mass = 1.0, inertia = [1.0, 1.0, 1.0])]
    r#type: Body<SE3>,
    #[joint(ground, typo, axis = z)]
    hinge: Revolute,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let run = HalfExplicit::order5().run(&Model::default(), 0.0..=1.0)?;
    println!("{}", run.last().t);
    Ok(())
}
