//! The animated page in a real browser, where one is installed.
//!
//! With `POLHODE_BROWSER=required` it is an error if there is none.

mod chromium;
mod program_support;

use std::io::Write;

use chromium::Browser;
use program_support::{Scratch, json};

/// The last thing that a page draws is its clock: it stands where it was asked to.
#[test]
fn pages_are_drawn() {
    let scratch = Scratch::new("browser");
    let mut browser = match Browser::start(&scratch.path("profile")) {
        Ok(browser) => browser,
        Err(problem) => {
            let required = std::env::var_os("POLHODE_BROWSER").is_some_and(|x| x == "required");
            assert!(!required, "no browser: {problem}");
            // Directly, because what a test prints is hidden if it passes.
            let line = format!("SKIPPED: the animated pages were not opened: {problem}\n");
            let _ = std::io::stderr().write_all(line.as_bytes());
            return;
        }
    };
    for (model, until) in [
        ("heavy-top", "0.2"),
        ("slider-crank", "0.1"),
        ("roll-up", "0.2"),
    ] {
        let directory = scratch.path(model);
        json(&[
            "run", model, "--until", until, "--out", &directory, "--json",
        ]);
        let mut page = browser.open(&format!("file://{directory}/view.html#t=0.05"));
        page.shows("clock", "t = 0.050");
        page.shows("title", model);
        let numbers = page.text("numbers").expect("numbers");
        let energy = numbers.split_whitespace().nth(1).expect("the energy");
        let energy: f64 = energy.parse().expect("a number");
        assert!(energy.is_finite(), "{numbers}");
    }
}
