//! The animated page in a real browser, where one is installed.

mod program_support;

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use program_support::{Scratch, json};

const BROWSERS: [&str; 4] = [
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
];

/// How long a browser may take to open a page.
const PATIENCE: Duration = Duration::from_secs(60);

/// The page after its scripts ran; nothing if there is no browser that can open it.
fn opened(address: &str, scratch: &Scratch) -> Option<String> {
    let profile = format!("--user-data-dir={}", scratch.path("profile"));
    let page = scratch.path("page.txt");
    for browser in BROWSERS {
        let arguments = [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--virtual-time-budget=2000",
            "--dump-dom",
            &profile,
            address,
        ];
        let started = Command::new(browser)
            .args(arguments)
            .stdout(std::fs::File::create(&page).expect("a file"))
            .stderr(Stdio::null())
            .spawn();
        let Ok(mut child) = started else {
            continue;
        };
        let clock = Instant::now();
        while clock.elapsed() < PATIENCE {
            match child.try_wait() {
                Ok(Some(status)) if status.success() => return Some(scratch.read("page.txt")),
                Ok(None) => std::thread::sleep(Duration::from_millis(50)),
                _ => break,
            }
        }
        // It is there and does not work: that is no fault of the page.
        let _ = child.kill();
        let _ = child.wait();
    }
    None
}

/// The text of an element.
fn text<'a>(page: &'a str, id: &str) -> &'a str {
    let start = format!("id=\"{id}\">");
    let from = page.find(&start).expect("an element") + start.len();
    let rest = &page[from..];
    &rest[..rest.find('<').expect("its end")]
}

/// The last thing that a page draws is its clock: it stands where it was asked to.
#[test]
fn pages_are_drawn() {
    for (model, until) in [
        ("heavy-top", "0.2"),
        ("slider-crank", "0.1"),
        ("roll-up", "0.2"),
    ] {
        let scratch = Scratch::new(&format!("browser-{model}"));
        let directory = scratch.path("out");
        json(&[
            "run", model, "--until", until, "--out", &directory, "--json",
        ]);
        let address = format!("file://{directory}/view.html#t=0.05");
        let Some(page) = opened(&address, &scratch) else {
            eprintln!("no browser: not tested");
            return;
        };
        assert_eq!(text(&page, "title"), model);
        assert_eq!(text(&page, "clock"), "t = 0.050");
        let numbers = text(&page, "numbers");
        let energy = numbers.split_whitespace().nth(1).expect("the energy");
        let energy: f64 = energy.parse().expect("a number");
        assert!(energy.is_finite(), "{numbers}");
    }
}
