use polhode::prelude::*;

#[multibody]
struct Model {
    nodes: [Node<S3sR3>; 3 - 4],
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let run = HalfExplicit::order5().run(&Model::new()?, 0.0..=1.0)?;
    println!("{:?}", run.last().nodes(1).map(|node| node.position()));
    Ok(())
}
