use polhode::prelude::*;

#[multibody]
struct Model {
    #[body(mass = 1.0, inertia = [1.0, 1.0, 1.0])]
    arm: Body<SE3>,
    #[joint(ground, arm, axis = z)]
    hinge: Revolute,
    #[force(hinge, effort = t^2)]
    power: Actuator,
    #[force(hinge, effort = if t > 1.0 && t < 2.0 { 1.0 } else { 0.0 })]
    both: Actuator,
    #[force(hinge, effort = if t == 1.0 { 1.0 } else { 0.0 })]
    equal: Actuator,
    #[force(hinge, effort = t % 1.0)]
    rest: Actuator,
    #[force(hinge, effort = (t < 1.0) * 2.0)]
    step: Actuator,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let run = HalfExplicit::order5().run(&Model::default(), 0.0..=1.0)?;
    println!("{}", run.last().t);
    Ok(())
}
