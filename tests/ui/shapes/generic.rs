use polhode::prelude::*;

#[multibody]
struct Model<const N: usize> {
    #[body(mass = 1.0, inertia = [1.0, 1.0, 1.0], free)]
    bob: Body<SE3>,
}

fn main() {
    let _ = Model::default();
}
