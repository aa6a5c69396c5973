//! Starts the program as a user would, for the tests.

#![allow(dead_code, reason = "each test uses a part")]

use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::Value;

/// A directory that is removed in the end.
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    pub(crate) fn new(name: &str) -> Self {
        let name = format!("{name}-{}", std::process::id());
        let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        std::fs::create_dir_all(&path).expect("a temporary directory");
        Self(path)
    }

    pub(crate) fn path(&self, name: &str) -> String {
        self.0.join(name).to_string_lossy().into_owned()
    }

    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.0.join(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // Leftovers in the temporary directory do no harm.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

pub(crate) fn polhode(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_polhode"))
        .args(arguments)
        .output()
        .expect("the program starts")
}

pub(crate) fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("UTF-8")
}

/// The JSON object of a successful command that says nothing else.
pub(crate) fn json(arguments: &[&str]) -> Value {
    let output = polhode(arguments);
    let errors = stderr(&output);
    assert!(
        output.status.success() && errors.is_empty(),
        "{arguments:?}: {errors}"
    );
    serde_json::from_str(&stdout(&output)).unwrap_or_else(|e| panic!("{arguments:?}: {e}"))
}

pub(crate) fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value}"))
}
