use polhode::prelude::*;

#[multibody]
struct Model {
    #[count(default = 8)]
    n: usize,
    #[param(default = 0.3)]
    thinner: f64,
    nodes: [Node<S3sR3>; n + 1],
    #[rod(nodes[i], nodes[i + 1], inextensible, length = 1.0 / n, density = n - 7.9 - thinner * i,
        inertia = 0.1, bending = 1.0, torsion = 1.0)]
    edges: [RodElement; n],
    #[joint(ground, nodes[0])]
    clamp: Fixed,
    #[body(mass = 3.0 - i, inertia = [1.0, 1.0, 1.0 + 0.3 * i])]
    bobs: [Body<SE3>; n],
    #[joint(nodes[i + 1], bobs[i])]
    balls: [Spherical; n],
    #[force(bobs[i], bobs[i + 1], stiffness = 5 - i, length = 0.1)]
    springs: [SpringDamper; n - 1],
    #[joint(ground at [0.0, 0.0, 9.0], bobs[i], length = 5.0 - 2 * i)]
    strings: [Distance; 4],
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let run = HalfExplicit::order5().run(&Model::new(ModelParameters::default())?, 0.0..=1.0)?;
    println!("{:?}", run.last().nodes(1).map(|node| node.position()));
    Ok(())
}
