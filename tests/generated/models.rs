//! Every mechanism of `models` that is generated, one line each.

use polhode::lie::GroupKind::{self, Rn, S3, S3sR3, S3xR3, SE3, SO3, SO3xR3};
use polhode_models::double_pendulum::{DoublePendulumDirect, DoublePendulumSemidirect};
use polhode_models::four_bar::FourBarDirect;
use polhode_models::generated::{
    FreeTop, FreeTopQuaternion, TopDirect, TopDirectQuaternion, TopSemidirect,
    TopSemidirectQuaternion,
};
use polhode_models::gyroscope::{GyroscopeDirect, GyroscopeSemidirect};
use polhode_models::model::{Path, Structure};
use polhode_models::pendulum::{Pendulum, PendulumParameters};
use polhode_models::puma560::{PumaADirect, PumaBDirect};
use polhode_models::registry::MODELS;
use polhode_models::rotor::{RotorDirect, RotorSemidirect};
use polhode_models::slider_crank::{
    SliderCrankDirect, SliderCrankDirectParameters, SliderCrankSemidirect,
};
use polhode_tests::compare::compare;

macro_rules! models {
    ($($test:ident: $name:literal, $group:expr, $model:expr;)*) => {
        $(#[test]
        fn $test() {
            let model = $model;
            let description = model.description();
            compare(model, description);
        })*

        const COMPARED: &[(&str, GroupKind)] = &[$(($name, $group)),*];
    };
}
models! {
    top_direct: "heavy-top", SO3xR3, TopDirect;
    top_semidirect: "heavy-top", SE3, TopSemidirect;
    top_direct_quaternion: "heavy-top", S3xR3, TopDirectQuaternion;
    top_semidirect_quaternion: "heavy-top", S3sR3, TopSemidirectQuaternion;
    free_top: "heavy-top-free", SO3, FreeTop;
    free_top_quaternion: "heavy-top-free", S3, FreeTopQuaternion;
    pendulum: "pendulum", Rn(2), Pendulum::default();
    pendulum_left: "pendulum", Rn(2), started(-0.31);
    pendulum_below: "pendulum", Rn(2), started(0.0);
    pendulum_right: "pendulum", Rn(2), started(0.31);
    rotor_direct: "rotor", SO3xR3, RotorDirect;
    rotor_semidirect: "rotor", SE3, RotorSemidirect;
    slider_crank_direct: "slider-crank", SO3xR3, SliderCrankDirect::default();
    slider_crank_at_a: "slider-crank", SO3xR3, crank_on_its_axis();
    slider_crank_semidirect: "slider-crank", SE3, SliderCrankSemidirect::default();
    puma_a: "puma560", SO3xR3, PumaADirect;
    puma_b: "puma560", SO3xR3, PumaBDirect;
    four_bar: "four-bar", SO3xR3, FourBarDirect;
    double_pendulum_direct: "double-pendulum", SO3xR3, DoublePendulumDirect::default();
    double_pendulum_semidirect: "double-pendulum", SE3, DoublePendulumSemidirect::default();
    gyroscope_direct: "gyroscope", SO3xR3, GyroscopeDirect::default();
    gyroscope_semidirect: "gyroscope", SE3, GyroscopeSemidirect::default();
}

fn started(x0: f64) -> Pendulum {
    Pendulum::new(PendulumParameters { x0 }).unwrap()
}

/// With the centre of mass of the crank on its axis.
fn crank_on_its_axis() -> SliderCrankDirect {
    SliderCrankDirect::new(SliderCrankDirectParameters { center: 0.0 }).unwrap()
}

/// Rods and chains are arrays: `tests/arrays.rs` compares them.
#[test]
fn every_generated_mechanism_is_compared() {
    for model in MODELS {
        if matches!(model.structure, Structure::Line { .. }) {
            continue;
        }
        for &group in model.groups {
            let generated = (model.paths)(&model.choice_in(group)).contains(&Path::Generated);
            let compared = COMPARED.contains(&(model.name, group));
            assert_eq!(generated, compared, "{} in {group:?}", model.name);
        }
    }
}
