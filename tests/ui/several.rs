use polhode::prelude::*;

#[multibody(gravty = [0.0, 0.0, -9.81])]
struct Model {
    #[body(mas = 15.0, inertia = [1.0, 2.0])]
    top: Body<SE4>,
    #[joint(grund, top at [0.0, -1.0])]
    pivot: Spherical,
    #[joint(ground, top, axs = z)]
    hinge: Revolute,
    #[force(hing, stiffness = 1.0)]
    coil: TorsionSpring,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let run = HalfExplicit::order5().run(&Model::default(), 0.0..=1.0)?;
    println!("{}", run.last().t);
    Ok(())
}
