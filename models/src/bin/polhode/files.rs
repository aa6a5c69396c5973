//! Files that are either whole or not there.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::failure::Failure;
use crate::interrupt;

/// A directory for results.
#[derive(Debug)]
pub(crate) struct Directory {
    path: PathBuf,
    written: Vec<String>,
}

impl Directory {
    /// Creates it if needed and makes sure that it can be written to.
    pub(crate) fn create(path: &Path) -> Result<Self, Failure> {
        let directory = Self {
            path: path.to_owned(),
            written: Vec::new(),
        };
        let probe = directory.temporary("probe");
        fs::create_dir_all(path)
            .and_then(|()| File::create(&probe))
            .and_then(|_| fs::remove_file(&probe))
            .map_err(|error| directory.failure(&error))?;
        Ok(directory)
    }

    /// Writes a file under a temporary name and renames it when it is complete.
    pub(crate) fn write(
        &mut self,
        name: &str,
        content: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
    ) -> Result<(), Failure> {
        let temporary = self.temporary(name);
        interrupt::begin(&temporary);
        let written = File::create(&temporary).and_then(|file| {
            let mut to = BufWriter::new(file);
            content(&mut to)?;
            to.into_inner()?.sync_all()
        });
        let result = interrupt::end(&temporary, || {
            let result = written.and_then(|()| fs::rename(&temporary, self.path.join(name)));
            if result.is_err() {
                // The first error is the one to report.
                let _ = fs::remove_file(&temporary);
            }
            result
        });
        result.map_err(|error| self.failure(&error))?;
        self.written.push(name.to_owned());
        Ok(())
    }

    /// Writes a text.
    pub(crate) fn write_text(&mut self, name: &str, text: &str) -> Result<(), Failure> {
        self.write(name, |to| to.write_all(text.as_bytes()))
    }

    /// Where it is and what was written.
    pub(crate) fn summary(&self) -> String {
        format!(
            "{} in {}",
            self.written.join(", "),
            self.path.to_string_lossy()
        )
    }

    fn temporary(&self, name: &str) -> PathBuf {
        self.path.join(format!(".{name}.{}", std::process::id()))
    }

    fn failure(&self, error: &io::Error) -> Failure {
        let path = self.path.to_string_lossy();
        Failure::Usage(format!("cannot write to `{path}`: {error}"))
    }
}
