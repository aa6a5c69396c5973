use polhode::prelude::*;

#[multibody]
struct Model<const N: usize> {
    nodes: [Node<S3sR3>; N + 1],
    #[rod(nodes[i], nodes[i + 1], kirchhoff, length = 0.5, density = 1.0, inertia = 0.1,
        bending = 1.0, torsion = 1.0, shear = 20.0, extension = 30.0)]
    edges: [RodElement; N],
    arms: [Node<S3sR3>; N + 1],
    #[rod(arms[i], arms[i + 1], kirchhoff, inextensible, length = 0.5, density = 1.0,
        inertia = 0.1, bending = 1.0, torsion = 1.0, extension = 30.0)]
    twice: [RodElement; N],
    legs: [Node<S3sR3>; N + 1],
    #[rod(legs[i], legs[i + 1], stiffness_of_held_strains, length = 0.5, density = 1.0,
        inertia = 0.1, bending = 1.0, torsion = 1.0, shear = 20.0, extension = 30.0)]
    nothing: [RodElement; N],
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let run = HalfExplicit::order5().run(&Model::<4>::new()?, 0.0..=1.0)?;
    println!("{:?}", run.last().nodes(1).map(|node| node.position()));
    Ok(())
}
