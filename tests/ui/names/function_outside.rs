use polhode::prelude::*;

#[multibody]
struct Model {
    #[body(mass = 1.0, inertia = [1.0, 1.0, 1.0])]
    arm: Body<SE3>,
    #[joint(ground, arm, axis = z)]
    hinge: Revolute,
    #[force(hinge, effort = self::thrust(t))]
    engine: Actuator,
    #[force(hinge, effort = t.sin())]
    other: Actuator,
}

fn thrust(t: f64) -> f64 {
    2.0 * t
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let run = HalfExplicit::order5().run(&Model::default(), 0.0..=1.0)?;
    println!("{} {}", run.last().t, thrust(1.0));
    Ok(())
}
