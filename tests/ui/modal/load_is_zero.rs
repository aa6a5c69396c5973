use polhode::prelude::*;

#[multibody]
struct Model {
    #[body(mass = [1.0, 2.0, 3.0, 4.0, 5.0])]
    modes: Body<R5>,
    #[force(modes, stiffness = [1.0, 2.0, 3.0, 4.0, 5.0])]
    springs: ModalSpring,
    #[force(modes, force = [0.0; 5])]
    drive: Load,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let run = HalfExplicit::order5().run(&Model::default(), 0.0..=1.0)?;
    println!("{}", run.last().t);
    Ok(())
}
