//! How far a command is, for those who wait for it.

use std::io::IsTerminal;
use std::time::Instant;

/// A line on a terminal after two seconds.
pub(crate) struct Progress {
    count: usize,
    start: Instant,
    terminal: bool,
}

impl Progress {
    pub(crate) fn new(count: usize) -> Self {
        Self {
            count,
            start: Instant::now(),
            terminal: std::io::stderr().is_terminal(),
        }
    }

    fn visible(&self) -> bool {
        self.terminal && self.start.elapsed().as_secs() >= 2
    }

    pub(crate) fn show(&self, done: usize, next: &str) {
        if self.visible() {
            const WIDTH: usize = 30;
            let bar = "#".repeat(WIDTH * done / self.count);
            eprint!("\r\x1b[K[{bar:<WIDTH$}] {done} of {}, {next}", self.count);
        }
    }

    pub(crate) fn clear(&self) {
        if self.visible() {
            eprint!("\r\x1b[K");
        }
    }
}
