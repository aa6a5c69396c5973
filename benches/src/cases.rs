//! Models of the registry as benchmarks measure them.

use polhode::generalized_alpha::GeneralizedAlpha;
use polhode::half_explicit::{HalfExplicit, Multipliers};
use polhode::lie::GroupKind;
use polhode_models::machine::{Machine, Scheme, assembled};
use polhode_models::model::{Choice, Model, Path};

/// One method of each family, by the name that it has on the command line.
pub fn schemes() -> [(&'static str, Scheme); 2] {
    let explicit = Scheme::HalfExplicit(HalfExplicit::order5(), Multipliers::Raw);
    let implicit = Scheme::GeneralizedAlpha(GeneralizedAlpha::index3());
    [("he5", explicit), ("ga3", implicit)]
}

/// Every model in its default group and size; the heavy top in both groups in which it is written
/// by hand too.
pub fn choices(model: &Model) -> Vec<Choice> {
    let groups = match model.name {
        "heavy-top" => &[GroupKind::SO3xR3, GroupKind::SE3],
        _ => &model.groups[..1],
    };
    let n = model.choice().n;
    groups
        .iter()
        .map(|&group| model.measured_choice(group, n))
        .collect()
}

/// The paths of a choice with their machines.
pub fn machines(model: &Model, choice: &Choice) -> Vec<(Path, Box<dyn Machine>)> {
    let machine = |path| match path {
        Path::Generic => assembled(model.description(choice)?).ok(),
        path => (model.machine)(path, choice),
    };
    (model.paths)(choice)
        .iter()
        .filter_map(|&path| Some((path, machine(path)?)))
        .collect()
}

/// Whether two results are the same up to rounding. Forces of rods are divided by short lengths.
pub fn agree(expected: &[f64], found: &[f64]) -> bool {
    let scale = expected.iter().fold(1.0_f64, |m, x| m.max(x.abs()));
    let same = |(x, y): (&f64, &f64)| (x - y).abs() <= 1e-7 * scale;
    expected.len() == found.len() && expected.iter().zip(found).all(same)
}
