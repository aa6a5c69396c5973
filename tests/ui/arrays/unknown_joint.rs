use polhode::prelude::*;

#[multibody]
struct Model<const N: usize> {
    #[body(mass = 1.0, inertia = [1.0, 1.0, 1.0])]
    links: [Body<SE3>; N],
    #[joint(ground, links[0], axis = y)]
    post: Revolute,
    #[joint(links[i] at [0.5, 0.0, 0.0], links[i + 1] at [-0.5, 0.0, 0.0], axis = y)]
    hinges: [Revolute; N - 1],
    #[force(hinge[i], stiffness = 1.0)]
    coils: [TorsionSpring; N - 1],
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let run = HalfExplicit::order5().run(&Model::<4>::new()?, 0.0..=1.0)?;
    println!("{:?}", run.last().links(1).map(|link| link.position()));
    Ok(())
}
