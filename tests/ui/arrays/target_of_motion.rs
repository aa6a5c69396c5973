use polhode::prelude::*;

#[multibody]
struct Model<const N: usize> {
    #[body(mass = 1.0, inertia = [1.0, 1.0, 1.0])]
    links: [Body<SE3>; N],
    #[joint(ground, links[0], axis = y)]
    post: Revolute,
    #[joint(links[i] at [0.5, 0.0, 0.0], links[i + 1] at [-0.5, 0.0, 0.0], axis = y)]
    hinges: [Revolute; N - 1],
    #[force(hinges[i], p = 1.0, d = 1.0, target = links[0].position.x)]
    controls: [PdControl; N - 1],
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let run = HalfExplicit::order5().run(&Model::<4>::new()?, 0.0..=1.0)?;
    println!("{:?}", run.last().links(1).map(|link| link.position()));
    Ok(())
}
