use polhode::prelude::*;

#[multibody(
    gravity = [0.0, 0.0, -9.81],
    consts(A = [0.0, 0.1, 0.12], B = A + [0.0, 0.0, 0.08], C = [0.2, 0.0, 0.0]),
)]
struct Model {
    #[body(mass = 0.12, inertia = [1e-4, 1e-4, 1e-5])]
    #[start(position = A, angular_velocity = [6.0, 0.0, 0.0])]
    crank: Body<SE3>,
    #[body(mass = 0.5, inertia = [4e-4, 4e-3, 4e-3])]
    #[start(
        position = (B + C) / 2,
        rotation = rx(-atan2(1, 2)) * ry(asin(sqrt(5) / 3)),
        velocity = [0.12, -0.24, 0.0],
        angular_velocity = world([1.92, -0.96, 0.48]),
    )]
    rod: Body<SE3>,
    #[body(mass = 2.0, inertia = [1e-4; 3])]
    #[start(position = C, velocity = [0.24, 0.0, 0.0])]
    slider: Body<SE3>,
    #[joint(ground, crank, at = world(A), axis = x)]
    a: Revolute,
    #[joint(crank, rod, at = world(B))]
    b: Spherical,
    #[joint(rod, slider, at = world(C), cross = (x, slider.y))]
    c: Universal,
    #[joint(ground, slider, at = world(C), axis = x)]
    d: Prismatic,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let run = HalfExplicit::order5().run(&Model::default(), 0.0..=1.0)?;
    println!("{}", run.last().t);
    Ok(())
}
