use polhode::prelude::*;

#[multibody]
struct Model<const N: usize> {
    nodes: [Node<S3sR3>; N + 1],
    #[rod(nodes[i - 1], nodes[i], inextensible, length = 0.5, density = 1.0,
        inertia = 0.1, bending = 1.0, torsion = 1.0)]
    edges: [RodElement; N],
    #[joint(ground, nodes[0])]
    clamp: Fixed,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let run = HalfExplicit::order5().run(&Model::<4>::new()?, 0.0..=1.0)?;
    println!("{:?}", run.last().nodes(1).map(|node| node.position()));
    Ok(())
}
