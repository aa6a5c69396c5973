//! A browser without a window, driven through its own protocol: messages in JSON, each ended by a zero
//! byte, on two pipes. It answers when a page is there, so nothing depends on how fast it starts.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

const BROWSERS: [&str; 4] = [
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
];

/// How long a browser may take for one answer, or a page to show what it should.
const PATIENCE: Duration = Duration::from_secs(60);

/// What a shell says of a program that it does not have.
const NOT_FOUND: i32 = 127;

pub(crate) struct Browser {
    process: Child,
    to: ChildStdin,
    answers: Receiver<Value>,
    calls: u64,
}

/// A page that was opened.
pub(crate) struct Page<'a> {
    browser: &'a mut Browser,
    session: Value,
}

impl Browser {
    /// Starts the first browser that works, with an empty profile in this directory. If there is
    /// none: why.
    pub(crate) fn start(profile: &str) -> Result<Self, String> {
        let mut problems = Vec::new();
        for name in BROWSERS {
            let mut browser = Self::spawn(name, profile)?;
            match browser.call("Browser.getVersion", &json!({}), None) {
                Ok(_) => return Ok(browser),
                Err(problem) => {
                    let _ = browser.process.kill();
                    let status = browser.process.wait();
                    if status.is_ok_and(|status| status.code() != Some(NOT_FOUND)) {
                        problems.push(format!("{name}: {problem}"));
                    }
                }
            }
        }
        if problems.is_empty() {
            problems.push(format!("none of {} is installed", BROWSERS.join(", ")));
        }
        Err(problems.join("; "))
    }

    fn spawn(name: &str, profile: &str) -> Result<Self, String> {
        // The browser reads messages from descriptor 3 and writes them to 4.
        let mut process = Command::new("sh")
            .args([
                "-c",
                "exec \"$0\" \"$@\" 3<&0 4>&1 </dev/null >/dev/null 2>&1",
                name,
            ])
            .args([
                "--headless",
                "--remote-debugging-pipe",
                "--no-sandbox",
                "--disable-gpu",
            ])
            .args([
                "--disable-quic",
                "--no-first-run",
                "--disable-background-networking",
            ])
            .args(["--disable-component-update", "--disable-sync"])
            .arg(format!("--user-data-dir={profile}"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("no shell: {error}"))?;
        let (Some(to), Some(from)) = (process.stdin.take(), process.stdout.take()) else {
            return Err("no pipes".to_owned());
        };
        let (sender, answers) = channel();
        std::thread::spawn(move || {
            for message in BufReader::new(from).split(0) {
                let Ok(message) = message else { break };
                let Ok(message) = serde_json::from_slice(&message) else {
                    break;
                };
                if sender.send(message).is_err() {
                    break;
                }
            }
        });
        Ok(Self {
            process,
            to,
            answers,
            calls: 0,
        })
    }

    /// The result of a command.
    fn call(
        &mut self,
        method: &str,
        params: &Value,
        session: Option<&Value>,
    ) -> Result<Value, String> {
        self.calls += 1;
        let mut message = json!({ "id": self.calls, "method": method, "params": params });
        if let Some(session) = session {
            message["sessionId"] = session.clone();
        }
        let mut bytes = message.to_string().into_bytes();
        bytes.push(0);
        let written = self.to.write_all(&bytes).and_then(|()| self.to.flush());
        written.map_err(|error| format!("{method}: {error}"))?;
        let clock = Instant::now();
        loop {
            let left = PATIENCE.saturating_sub(clock.elapsed());
            let answer = self.answers.recv_timeout(left);
            let mut answer = answer.map_err(|error| match error {
                RecvTimeoutError::Timeout => format!("no answer to {method} within {PATIENCE:?}"),
                RecvTimeoutError::Disconnected => format!("it ended before {method}"),
            })?;
            // Others are events.
            if answer["id"] == self.calls {
                return match &answer["error"] {
                    Value::Null => Ok(answer["result"].take()),
                    error => Err(format!("{method}: {error}")),
                };
            }
        }
    }

    /// Opens a page.
    pub(crate) fn open(&mut self, address: &str) -> Page<'_> {
        let mut call = |method: &str, params: &Value| {
            let result = self.call(method, params, None);
            result.unwrap_or_else(|problem| panic!("{address}: {problem}"))
        };
        let target = call("Target.createTarget", &json!({ "url": address }))["targetId"].take();
        let attached = json!({ "targetId": target, "flatten": true });
        let session = call("Target.attachToTarget", &attached)["sessionId"].take();
        Page {
            browser: self,
            session,
        }
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // It may be gone already.
        let _ = self.call("Browser.close", &json!({}), None);
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Page<'_> {
    /// The text of an element, now; nothing before it is there.
    pub(crate) fn text(&mut self, id: &str) -> Option<String> {
        let expression = format!("document.getElementById({id:?})?.textContent");
        let asked = json!({ "expression": expression, "returnByValue": true });
        let found = self
            .browser
            .call("Runtime.evaluate", &asked, Some(&self.session));
        let found = found.unwrap_or_else(|problem| panic!("{id}: {problem}"));
        found["result"]["value"].as_str().map(str::to_owned)
    }

    /// Waits until an element has this text.
    pub(crate) fn shows(&mut self, id: &str, expected: &str) {
        let clock = Instant::now();
        loop {
            let found = self.text(id);
            if found.as_deref() == Some(expected) {
                return;
            }
            assert!(
                clock.elapsed() < PATIENCE,
                "`{id}` shows {found:?} instead of `{expected}` after {PATIENCE:?}"
            );
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}
