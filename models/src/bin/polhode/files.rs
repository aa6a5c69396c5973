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
        fs::create_dir_all(path)
            .and_then(|()| directory.temporary("probe"))
            .and_then(|(probe, _)| fs::remove_file(&probe))
            .map_err(|error| directory.failure(&error))?;
        Ok(directory)
    }

    /// Writes a file under a temporary name and renames it when it is complete.
    pub(crate) fn write(
        &mut self,
        name: &str,
        content: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
    ) -> Result<(), Failure> {
        let (temporary, file) =
            interrupt::begin(|| self.temporary(name)).map_err(|error| self.failure(&error))?;
        let mut to = BufWriter::new(file);
        let written = content(&mut to).and_then(|()| to.into_inner()?.sync_all());
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

    /// A new file: one that is there already, or a link to anywhere else, is left alone.
    fn temporary(&self, name: &str) -> io::Result<(PathBuf, File)> {
        const ATTEMPTS: u32 = 1000;
        let process = std::process::id();
        let mut attempt = 0;
        loop {
            let path = self.path.join(format!(".{name}.{process}.{attempt}"));
            match File::create_new(&path) {
                Err(error)
                    if error.kind() == io::ErrorKind::AlreadyExists && attempt < ATTEMPTS =>
                {
                    attempt += 1;
                }
                created => return created.map(|file| (path, file)),
            }
        }
    }

    fn failure(&self, error: &io::Error) -> Failure {
        let path = self.path.to_string_lossy();
        Failure::Usage(format!("cannot write to `{path}`: {error}"))
    }
}
