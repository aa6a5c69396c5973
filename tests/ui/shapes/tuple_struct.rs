use polhode::prelude::*;

#[multibody]
struct Model(Body<SE3>);

fn main() {
    let _ = Model::default();
}
