//! Ctrl-C: files that are not complete go away, and the exit code is 130.

use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::exit;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Files that are being written, under their temporary names.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// 128 and the number of the signal, as shells count.
const INTERRUPTED: i32 = 130;

/// Takes care of Ctrl-C from now on.
pub(crate) fn install() {
    // Without a handler the system ends the process, which is nearly as good.
    let _ = ctrlc::set_handler(|| {
        for file in unfinished().iter() {
            let _ = std::fs::remove_file(file);
        }
        // A terminal shows ^C, or a line of progress.
        let line = if io::stderr().is_terminal() { "\n" } else { "" };
        let _ = writeln!(io::stderr(), "{line}error: interrupted");
        exit(INTERRUPTED);
    });
}

/// Nobody panics while holding the list, and a list is always valid.
fn unfinished() -> MutexGuard<'static, Vec<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Creates a file that is not complete yet; an interruption comes before or after.
pub(crate) fn begin(
    create: impl FnOnce() -> io::Result<(PathBuf, File)>,
) -> io::Result<(PathBuf, File)> {
    let mut files = unfinished();
    let (path, file) = create()?;
    files.push(path.clone());
    Ok((path, file))
}

/// Does what makes a file complete, or takes it away; an interruption comes before or after.
pub(crate) fn end<T>(file: &Path, last: impl FnOnce() -> T) -> T {
    let mut files = unfinished();
    let result = last();
    files.retain(|known| known != file);
    result
}
