//! The models of the registry fit their machines and references.

use polhode_models::machine::assembled;
use polhode_models::model::Path;
use polhode_models::registry::{MODELS, find};

#[test]
fn every_model_is_valid_in_every_group_and_its_reference_fits()
-> Result<(), Box<dyn std::error::Error>> {
    for model in MODELS {
        for &group in model.groups {
            let choice = model.choice_in(group);
            let generic = match model.description(&choice) {
                Some(description) => assembled(description)?,
                None => (model.machine)((model.paths)(&choice)[0], &choice).expect("a machine"),
            };
            let space = generic.space();
            let sizes = (space.config_len(), space.dof(), generic.constraint_count());
            if let Some(exact) = model.exact(&choice, model.end) {
                let exact = (exact.q.len(), exact.v.len(), exact.lambda.len());
                assert_eq!(exact, sizes, "{} {group}", model.name);
            }
            for &path in (model.paths)(&choice)
                .iter()
                .filter(|path| **path != Path::Generic)
            {
                let machine = (model.machine)(path, &choice).expect("the path that was promised");
                assert_eq!(machine.start().q.len(), sizes.0, "{} {path}", model.name);
            }
            assert!((model.machine)(Path::Generic, &choice).is_none());
        }
        assert!(find(model.name).is_some());
    }
    Ok(())
}
