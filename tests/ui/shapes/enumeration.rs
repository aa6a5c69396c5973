use polhode::prelude::*;

#[multibody]
enum Model {
    Arm,
    Hinge,
}

fn main() {}
