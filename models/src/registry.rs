//! All models. To add one: a file with a [`Model`], and its line here.

use crate::model::Model;

/// The models in the order of `polhode list`.
pub static MODELS: &[&Model] = &[
    &crate::heavy_top::CONSTRAINED,
    &crate::heavy_top::FREE,
    &crate::pendulum::PENDULUM,
    &crate::rotor::ROTOR,
    &crate::slider_crank::SLIDER_CRANK,
    &crate::puma560::PUMA560,
    &crate::chain::CHAIN,
    &crate::four_bar::FOUR_BAR,
    &crate::double_pendulum::DOUBLE_PENDULUM,
    &crate::gyroscope::GYROSCOPE,
    &crate::rods::ROLL_UP,
    &crate::rods::SPAGHETTI,
    &crate::rod_pendulum::ROD_PENDULUM,
];

/// The model of this name.
pub fn find(name: &str) -> Option<&'static Model> {
    MODELS.iter().copied().find(|model| model.name == name)
}
