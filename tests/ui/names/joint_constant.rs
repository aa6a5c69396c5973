use polhode::prelude::*;

#[multibody(gravity = [0.0, 0.0, -9.81])]
struct Pendulum {
    #[body(mass = 1.0, inertia = [1.0; 3])]
    arm: Body<SE3>,
    #[joint(ground at [0.0, 0.0, 1.0], arm at [0.0, 0.0, 1.0])]
    pivot: Spherical,
}

fn main() {
    let state = State::start(&Pendulum, 0.0);
    println!("{:?}", state.joint(&Pendulum, Pendulum::PIVT).reaction());
}
