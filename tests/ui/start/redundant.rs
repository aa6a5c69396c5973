use polhode::prelude::*;

#[multibody]
struct Model {
    #[body(mass = 1.0, inertia = [0.1; 3])]
    #[start(position = [0.0, 0.0, 0.5])]
    left: Body<SE3>,
    #[body(mass = 1.0, inertia = [0.1; 3])]
    #[start(position = [0.5, 0.0, 1.25])]
    coupler: Body<SE3>,
    #[body(mass = 1.0, inertia = [0.1; 3])]
    #[start(position = [1.0, 0.0, 0.75])]
    right: Body<SE3>,
    #[joint(ground, left, at = world([0.0, 0.0, 0.0]), axis = y)]
    a: Revolute,
    #[joint(left, coupler, at = world([0.0, 0.0, 1.0]), axis = y)]
    b: Revolute,
    #[joint(coupler, right, at = world([1.0, 0.0, 1.5]), axis = y)]
    c: Revolute,
    #[joint(right, ground, at = world([1.0, 0.0, 0.0]), axis = y)]
    d: Revolute,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let run = HalfExplicit::order5().run(&Model::default(), 0.0..=1.0)?;
    println!("{}", run.last().t);
    Ok(())
}
