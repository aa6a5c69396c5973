use polhode::prelude::*;

#[multibody]
struct Model {
    #[body(mass = 1.0, inertia = [1.0, 1.0, 1.0])]
    arm: Body<SE3>,
    #[joint(ground, arm, axis = z)]
    hinge: Revolute,
    #[force(ground, arm at [1.0, 0.0, 0.0], stiffness = -1.0, damping = -2.0, length = -3.0)]
    spring: SpringDamper,
    #[force(hinge, stiffness = -4.0, damping = -5.0)]
    coil: TorsionSpring,
    #[force(hinge, p = -6.0, d = -7.0, target = 0.0)]
    control: PdControl,
    #[force(ground, arm, stiffness = [1.0, 1.0, 1.0, 1.0, 1.0, -1.0], damping = [-1.0, 0.0, 0.0, 0.0, 0.0, 0.0])]
    bushing: Bushing,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let run = HalfExplicit::order5().run(&Model::default(), 0.0..=1.0)?;
    println!("{}", run.last().t);
    Ok(())
}
