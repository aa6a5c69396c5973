//! What a user sees who returns an error from `fn main`.

use super::{Fault, SolveError};
use crate::chain::InvalidTree;
use crate::generic::InvalidDescription;
use crate::half_explicit::HalfExplicit;
use crate::least_norm::NotFinite;
use crate::lie::UnknownGroup;
use crate::linear::Singular;
use crate::parameters::InvalidParameters;
use crate::pendulum::Pendulum;
use crate::run::FailedRun;
use crate::stepper::Method;
use std::error::Error;
use std::path::Path;

/// A run that fails at once, as a caller gets it.
fn failed_run() -> Box<FailedRun<Pendulum>> {
    let pendulum = Pendulum::new(0.2);
    let run = HalfExplicit::order5().simulate(&pendulum, 0.0..=1.0);
    run.step(-1.0).run().expect_err("a negative step")
}

#[test]
fn debug_shows_the_text_of_every_error() {
    let fault = Fault::NotFinite {
        quantity: "load `wind`".to_owned(),
    };
    let errors: [Box<dyn Error>; 9] = [
        Box::new(fault.clone()),
        Box::new(SolveError::Evaluation {
            t: 1.5,
            h: 1e-3,
            fault,
        }),
        Box::new(InvalidTree::NoLinks),
        Box::new(InvalidDescription::NoBodies),
        Box::new(Singular {
            index: 3,
            pivot: 1e-17,
            scale: 2.0,
        }),
        Box::new(NotFinite { column: 4 }),
        Box::new(UnknownGroup {
            name: "SO4".to_owned(),
        }),
        Box::new(InvalidParameters::from(InvalidTree::Empty)),
        failed_run(),
    ];
    for error in &errors {
        let text = error.to_string();
        assert_eq!(format!("{error:?}"), text);
        assert_eq!(format!("{error:#?}"), text);
        assert!(text.contains(' ') && !text.contains('{'), "{text}");
    }
}

/// Which of these files derive the `Debug` of an error.
fn derived(directory: &Path, found: &mut Vec<String>) -> usize {
    let mut errors = 0;
    for entry in std::fs::read_dir(directory).expect("a directory") {
        let path = entry.expect("a file").path();
        if path.is_dir() {
            errors += derived(&path, found);
            continue;
        }
        let source = std::fs::read_to_string(&path).expect("a source file");
        for line in source.lines().filter(|line| line.starts_with("#[derive(")) {
            if line.contains("thiserror::Error") {
                errors += 1;
                if line.contains("Debug") {
                    found.push(format!("{}: {line}", path.display()));
                }
            }
        }
    }
    errors
}

#[test]
fn no_error_derives_debug() {
    let mut found = Vec::new();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let errors = derived(&source, &mut found);
    assert!(errors >= 8, "{errors}");
    assert!(found.is_empty(), "{found:#?}");
}
