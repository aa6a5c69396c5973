use polhode::prelude::*;

#[multibody]
struct Model<const N: usize> {
    #[body(mass = 1.0, inertia = [1.0, 1.0, 1.0])]
    links: [Body<SO3xR3>; N],
    #[joint(links[i] at [0.5, 0.0, 0.0], links[i + 1] at [-0.5, 0.0, 0.0])]
    joints: [Revolute; N - 1],
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let run = HalfExplicit::order5().run(&Model::<4>::new()?, 0.0..=1.0)?;
    println!("{:?}", run.last().links(1).map(|link| link.position()));
    Ok(())
}
