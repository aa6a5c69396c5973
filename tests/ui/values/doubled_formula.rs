use polhode::prelude::*;

#[multibody(consts(A = sin(t) + cos(t), B = A * A + A, C = B * B + B, D = C * C + C, E = D * D + D, F = E * E + E, G = F * F + F, H = G * G + G, I = H * H + H, J = I * I + I, K = J * J + J))]
struct Model {
    #[body(mass = 1.0, inertia = [1.0, 1.0, 1.0])]
    arm: Body<SE3>,
    #[joint(ground, arm, axis = z)]
    hinge: Revolute,
    #[force(arm, force = [0.0, 0.0, K])]
    push: Load,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let run = HalfExplicit::order5().run(&Model::default(), 0.0..=1.0)?;
    println!("{}", run.last().t);
    Ok(())
}
