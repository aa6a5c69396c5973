use polhode::prelude::*;

#[multibody]
struct Model {
    #[body(mass = 1.0, inertia = [1.0, 1.0, 1.0], free)]
    clone: Body<SE3>,
    #[body(mass = 1.0, inertia = [1.0, 1.0, 1.0], free)]
    joint: Body<SE3>,
}

fn main() {
    println!("{}", Model::DOF);
}
