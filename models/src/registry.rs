//! All models. To add one: a file with an [`Entry`], and its line here.

use crate::model::{Choice, Entry, Model, Path, Visitor};

macro_rules! registry {
    ($($entry:ty,)*) => {
        /// The models in the order of `polhode list`.
        pub const MODELS: &[Model] = &[$(<$entry>::MODEL),*];

        /// Paths of a model besides the generic one.
        pub fn paths(model: &Model) -> &'static [Path] {
            $(if model.name == <$entry>::MODEL.name {
                return <$entry>::PATHS;
            })*
            &[]
        }

        /// Hands a system of a path other than the generic one to a visitor, or
        /// gives the visitor back if the model has none.
        ///
        /// # Errors
        /// The visitor.
        pub fn visit<V: Visitor>(
            model: &Model,
            path: Path,
            choice: &Choice,
            visitor: V,
        ) -> Result<V::Output, V> {
            $(if model.name == <$entry>::MODEL.name {
                return <$entry>::visit(path, choice, visitor);
            })*
            Err(visitor)
        }
    };
}

registry! {
    crate::heavy_top::Constrained,
    crate::heavy_top::Free,
    crate::pendulum::Pendulum,
    crate::rotor::Rotor,
    crate::slider_crank::SliderCrank,
    crate::puma560::Puma560,
    crate::four_bar::FourBar,
    crate::double_pendulum::DoublePendulum,
    crate::gyroscope::Gyroscope,
}

/// The model of this name.
pub fn find(name: &str) -> Option<&'static Model> {
    MODELS.iter().find(|model| model.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::visit_generic;
    use polhode::generic::description::Description;
    use polhode::system::System;

    struct Sizes;

    impl Visitor for Sizes {
        type Output = (usize, usize, usize);
        fn visit<S: System>(self, system: S, _: &Description) -> Self::Output {
            let space = system.space();
            (space.config_len(), space.dof(), system.constraint_count())
        }
    }

    #[test]
    fn every_model_is_valid_in_every_group_and_its_reference_fits()
    -> Result<(), Box<dyn std::error::Error>> {
        for model in MODELS {
            for &group in model.groups {
                let choice = model.choice_in(group);
                let (nq, nv, nc) = visit_generic(&(model.describe)(&choice), Sizes)?;
                if let Some(exact) = model.exact(&choice, model.end) {
                    let sizes = (exact.q.len(), exact.v.len(), exact.lambda.len());
                    assert_eq!(sizes, (nq, nv, nc), "{} {group}", model.name);
                }
            }
            assert!(find(model.name).is_some());
        }
        Ok(())
    }
}
