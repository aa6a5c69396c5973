//! Modal coordinates beside an array.
use polhode::prelude::*;

#[multibody(gravity = [0.0, 0.0, -9.81])]
pub struct Chain {
    #[body(mass = 1.0)]
    #[start(position = [1.0, 0.0, 0.0])]
    beads: [Body<R3>; 3],
    #[joint(ground at [0.0, 0.0, 0.0], beads[0], length = 1.0)]
    hook: Distance,
    #[body(mass = [1.0, 2.0])]
    modes: Body<R2>,
}

fn main() {
    let _ = Chain;
}
